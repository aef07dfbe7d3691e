//! Exact numbers.

use std::fmt;
use std::ops::Sub;

use serde::{Serialize, Serializer};

/// A fraction in lowest terms, with a denominator above zero.
///
/// In JSON its parts are strings, because many programs read JSON numbers into floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    /// Zero.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// Returns the fraction of two numbers.
    ///
    /// # Panics
    ///
    /// When the denominator is not positive.
    pub const fn new(numerator: i128, denominator: i128) -> Self {
        assert!(denominator > 0, "a denominator is positive");
        let divisor = divisor(denominator, numerator.abs());
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// Returns the numerator.
    pub const fn numerator(self) -> i128 {
        self.numerator
    }

    /// Returns the denominator.
    pub const fn denominator(self) -> i128 {
        self.denominator
    }

    /// Returns the nearest float, or one next to it.
    #[expect(clippy::cast_precision_loss, reason = "rounding is its purpose")]
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
        let (one, other, denominator) = over_one_denominator(self, other);
        Self::new(one - other, denominator)
    }
}

/// Returns the numerators of two fractions over their least common denominator, and that
/// denominator.
fn over_one_denominator(one: Fraction, other: Fraction) -> (i128, i128, i128) {
    let product = |one: i128, other: i128| one.checked_mul(other).expect("fractions of this game");
    let divisor = divisor(one.denominator, other.denominator);
    let [more, less] = [other.denominator / divisor, one.denominator / divisor];
    let denominator = product(one.denominator, more);
    (product(one.numerator, more), product(other.numerator, less), denominator)
}

/// Returns the greatest common divisor of two numbers, one of which must be positive.
pub(crate) const fn divisor(mut one: i128, mut other: i128) -> i128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let (one, other, _) = over_one_denominator(*self, *other);
        one.cmp(&other)
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Parts { numerator: self.numerator.to_string(), denominator: self.denominator.to_string() }
            .serialize(serializer)
    }
}

/// A fraction in serialized form.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(description = "An exact number, in lowest terms."))]
struct Parts {
    /// The numerator.
    #[cfg_attr(feature = "schema", schema(example = "-690084", pattern = "^-?[0-9]+$"))]
    numerator: String,
    /// The denominator, above zero.
    #[cfg_attr(feature = "schema", schema(example = "12724075", pattern = "^[0-9]+$"))]
    denominator: String,
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Fraction {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        Parts::schema()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Fraction {}

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
        // The product of their denominators would not fit.
        let fine = 1_i128 << 70;
        let [one, other] = [3, 1].map(|numerator| Fraction::new(numerator, fine));
        assert_eq!(one - other, Fraction::new(2, fine));
        assert!(one > other);
    }
}
