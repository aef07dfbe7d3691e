//! Money, in whole cents.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// An amount of money in whole cents. It may be below zero, for money that is owed.
///
/// All arithmetic is checked: a sum that does not fit is `None`, never a wrong number. There is no
/// division and no rounding; a [`Ratio`](crate::Ratio) pays exactly or not at all.
///
/// ```
/// use croupier_rules::Amount;
///
/// let ante = Amount::cents(1_050);
/// assert_eq!(ante.to_string(), "$10.50");
/// assert_eq!(ante.times(4), Some(Amount::cents(4_200)));
/// assert_eq!(Amount::MAX.plus(ante), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "schema",
    schema(description = "An amount of money in cents.", example = 1_000)
)]
#[serde(transparent)]
pub struct Amount(i64);

impl Amount {
    /// Zero.
    pub const ZERO: Self = Self(0);

    /// The largest amount: about ninety-two quadrillion dollars.
    pub const MAX: Self = Self(i64::MAX);

    /// Returns an amount of this many cents.
    pub const fn cents(cents: i64) -> Self {
        Self(cents)
    }

    /// Returns the amount in cents.
    pub const fn as_cents(self) -> i64 {
        self.0
    }

    /// Tells whether the amount is above zero.
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// Returns the sum, or `None` if it doesn't fit.
    #[must_use]
    pub const fn plus(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(cents) => Some(Self(cents)),
            None => None,
        }
    }

    /// Returns the difference, or `None` if it doesn't fit.
    #[must_use]
    pub const fn minus(self, other: Self) -> Option<Self> {
        match self.0.checked_sub(other.0) {
            Some(cents) => Some(Self(cents)),
            None => None,
        }
    }

    /// Returns the amount multiplied by `times`, or `None` if it doesn't fit.
    #[must_use]
    pub const fn times(self, times: u32) -> Option<Self> {
        match self.0.checked_mul(times as i64) {
            Some(cents) => Some(Self(cents)),
            None => None,
        }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_i64(CentsVisitor).map(Self)
    }
}

/// Reads cents, and says so in the error for any other value.
struct CentsVisitor;

impl Visitor<'_> for CentsVisitor {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("whole cents")
    }

    fn visit_i64<E>(self, cents: i64) -> Result<i64, E> {
        Ok(cents)
    }

    fn visit_u64<E: de::Error>(self, cents: u64) -> Result<i64, E> {
        let too_large = |_| E::custom(format_args!("{cents} is too large for an amount"));
        i64::try_from(cents).map_err(too_large)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (dollars, cents) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        // Thousands are separated by commas, as on a placard.
        let digits = dollars.to_string();
        let mut grouped = String::new();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place) % 3 == 0 {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        if cents == 0 {
            f.pad(&format!("{sign}${grouped}"))
        } else {
            f.pad(&format!("{sign}${grouped}.{cents:02}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_in_dollars() {
        for (cents, text) in [
            (0, "$0"),
            (500, "$5"),
            (1_050, "$10.50"),
            (-1, "-$0.01"),
            (123_456_700, "$1,234,567"),
            (-100_000, "-$1,000"),
            (i64::MIN, "-$92,233,720,368,547,758.08"),
        ] {
            assert_eq!(Amount::cents(cents).to_string(), text);
        }
    }

    #[test]
    fn a_result_that_does_not_fit_is_none() {
        let one = Amount::cents(1);
        assert_eq!(Amount::MAX.plus(one), None);
        assert_eq!(Amount::cents(i64::MIN).minus(one), None);
        assert_eq!(Amount::MAX.times(2), None);
        assert_eq!(Amount::cents(-5).times(3), Some(Amount::cents(-15)));
    }
}
