//! Exact numbers.

use std::fmt;
use std::ops::Sub;

use serde::{Serialize, Serializer};

/// A fraction in lowest terms, with a denominator above zero.
///
/// As JSON its parts are texts, because many programs read numbers of JSON into floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    /// Nothing.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// Returns the fraction of two numbers.
    ///
    /// # Panics
    ///
    /// When the denominator is not above zero.
    pub const fn new(numerator: i128, denominator: i128) -> Self {
        assert!(denominator > 0, "a denominator is above zero");
        let (mut divisor, mut rest) = (denominator, numerator.abs());
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// Returns the part above the line.
    pub const fn numerator(self) -> i128 {
        self.numerator
    }

    /// Returns the part below the line.
    pub const fn denominator(self) -> i128 {
        self.denominator
    }

    /// Returns the nearest number that a float can hold, or one beside it.
    #[expect(clippy::cast_precision_loss, reason = "that is what it is for")]
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl Sub for Fraction {
    type Output = Self;

    /// Subtracts a fraction.
    ///
    /// # Panics
    ///
    /// When the difference does not fit.
    fn sub(self, other: Self) -> Self {
        let product = |one: i128, other: i128| one.checked_mul(other).expect("small fractions");
        let one = product(self.numerator, other.denominator);
        let other_part = product(other.numerator, self.denominator);
        Self::new(one - other_part, product(self.denominator, other.denominator))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // By whole parts first, since products of what is left are small enough.
        let whole = |fraction: &Self| fraction.numerator.div_euclid(fraction.denominator);
        let rest = |fraction: &Self| fraction.numerator.rem_euclid(fraction.denominator);
        let crosswise = || {
            let one = rest(self).checked_mul(other.denominator).expect("small fractions");
            let other = rest(other).checked_mul(self.denominator).expect("small fractions");
            one.cmp(&other)
        };
        whole(self).cmp(&whole(other)).then_with(crosswise)
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Parts {
            numerator: String,
            denominator: String,
        }

        Parts { numerator: self.numerator.to_string(), denominator: self.denominator.to_string() }
            .serialize(serializer)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            f.pad(&self.numerator.to_string())
        } else {
            f.pad(&format!("{}/{}", self.numerator, self.denominator))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_in_lowest_terms() {
        assert_eq!(Fraction::new(-6, 4), Fraction::new(-3, 2));
        assert_eq!(Fraction::new(0, 7), Fraction::ZERO);
        assert_eq!(Fraction::new(-3, 2).to_string(), "-3/2");
        assert_eq!(Fraction::new(8, 4).to_string(), "2");
    }
}
