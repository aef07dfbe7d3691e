//! The probability of a chi-square statistic.

/// Returns the probability that a chi-square with this many degrees of freedom is at most `x`, and
/// that it is more. The smaller one is computed directly, so it is not lost to rounding.
///
/// This is the incomplete gamma function of half of each, by its series below the middle and by its
/// continued fraction above (Abramowitz and Stegun 6.5.29 and 6.5.31).
pub(crate) fn tails(x: f64, freedom: f64) -> (f64, f64) {
    let (a, x) = (freedom / 2.0, x / 2.0);
    assert!(a > 0.0 && x >= 0.0, "{x} of {a}");
    if x == 0.0 {
        return (0.0, 1.0);
    }
    // x to the a, times e to the minus x, over gamma of a.
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let below = front * series(a, x);
        (below, 1.0 - below)
    } else {
        let above = front * fraction(a, x);
        (1.0 - above, above)
    }
}

/// Returns 1/a + x/(a(a+1)) + x²/(a(a+1)(a+2)) + …
fn series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut next) = (1.0 / a, 1.0 / a, a);
    while term > sum * f64::EPSILON {
        next += 1.0;
        term *= x / next;
        sum += term;
    }
    sum
}

/// Returns 1/(x+1−a− 1(1−a)/(x+3−a− 2(2−a)/(x+5−a− …))), from the left, by Lentz's method.
fn fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut value = d;
    for step in 1..100_000 {
        let step = f64::from(step);
        let numerator = -step * (step - a);
        b += 2.0;
        d = 1.0 / nonzero(numerator * d + b, TINY);
        c = nonzero(b + numerator / c, TINY);
        value *= c * d;
        if (c * d - 1.0).abs() < f64::EPSILON {
            return value;
        }
    }
    panic!("the fraction for {a} and {x} does not converge");
}

fn nonzero(value: f64, tiny: f64) -> f64 {
    if value.abs() < tiny { tiny } else { value }
}

/// Returns the logarithm of the gamma function, by Stirling's series, from a point where four terms
/// of it are exact to the last digits of a double.
fn ln_gamma(a: f64) -> f64 {
    let (mut a, mut shift) = (a, 0.0);
    while a < 20.0 {
        shift += a.ln();
        a += 1.0;
    }
    let square = a * a;
    let terms = 1.0 / 1260.0 - 1.0 / (1680.0 * square);
    let terms = 1.0 / 12.0 - (1.0 / 360.0 - terms / square) / square;
    (a - 0.5) * a.ln() - a + 0.5 * std::f64::consts::TAU.ln() + terms / a - shift
}

#[test]
fn chi_square_probabilities_match_printed_tables() {
    for (freedom, x, above) in [
        (1.0, 3.841_459, 0.05),
        (1.0, 10.827_566, 0.001),
        (2.0, 9.210_340, 0.01),
        (6.0, 1.635_383, 0.95),
        (9.0, 21.665_994, 0.01),
        (9.0, 2.087_901, 0.99),
        (30.0, 43.772_972, 0.05),
        (100.0, 124.342_113, 0.05),
        (100.0, 70.064_895, 0.99),
        (1000.0, 1_106.968_994, 0.01),
        (1000.0, 898.912_456, 0.99),
    ] {
        let (below, found) = tails(x, freedom);
        assert!((found - above).abs() < 1e-6, "{x} of {freedom}: {found}");
        assert!((below + found - 1.0).abs() < 1e-12);
    }
}

#[test]
fn gamma_is_the_factorial() {
    let mut factorial: f64 = 1.0;
    for number in 1..150 {
        let number = f64::from(number);
        assert!((ln_gamma(number) - factorial.ln()).abs() < 1e-11, "{number}");
        factorial *= number;
    }
    assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-13);
}
