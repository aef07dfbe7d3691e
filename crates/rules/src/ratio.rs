//! Payoff ratios, as listed in a pay table.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::Amount;

/// A payoff in proportion to the stake, such as 3 to 2, in lowest terms.
///
/// ```
/// use croupier_rules::{Amount, Ratio};
///
/// let ratio: Ratio = "3:2".parse()?;
/// assert_eq!(ratio.of(Amount::cents(500)), Some(Amount::cents(750)));
/// assert_eq!(ratio.of(Amount::cents(5)), None, "half a cent is never paid");
/// # Ok::<(), croupier_rules::ParseRatioError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    pays: u32,
    per: u32,
}

impl Ratio {
    /// Even money.
    pub const EVEN: Self = Self { pays: 1, per: 1 };

    /// Returns the ratio of an amount paid per amount staked, or `None` if the stake is zero.
    ///
    /// A payoff of zero is possible: only the stake goes back.
    pub const fn new(pays: u32, per: u32) -> Option<Self> {
        if per == 0 {
            return None;
        }
        let (mut divisor, mut rest) = (pays, per);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        Some(Self { pays: pays / divisor, per: per / divisor })
    }

    /// Returns the amount paid.
    pub const fn pays(self) -> u32 {
        self.pays
    }

    /// Returns the stake that it is paid for.
    pub const fn per(self) -> u32 {
        self.per
    }

    /// Returns the payoff for a stake, if it is a whole number of cents and fits an amount.
    pub fn of(self, stake: Amount) -> Option<Amount> {
        let per = i64::from(self.per);
        let parts = (stake.as_cents() % per == 0).then(|| stake.as_cents() / per)?;
        Amount::cents(parts).times(self.pays)
    }
}

/// The larger payoff is the greater ratio.
impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let [here, there] = [(self, other), (other, self)]
            .map(|(one, other)| u64::from(one.pays) * u64::from(other.per));
        here.cmp(&there)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            f.pad(&format!("{} to {}", self.pays, self.per))
        } else {
            f.pad(&format!("{}:{}", self.pays, self.per))
        }
    }
}

impl FromStr for Ratio {
    type Err = ParseRatioError;

    /// Reads `3:2` or `3 to 2`.
    fn from_str(text: &str) -> Result<Self, ParseRatioError> {
        let error = || ParseRatioError { text: text.to_owned() };
        let (pays, per) =
            text.split_once(':').or_else(|| text.split_once(" to ")).ok_or_else(error)?;
        // `parse` accepts a leading plus sign; a ratio does not.
        let number = |part: &str| part.parse().ok().filter(|_: &u32| !part.starts_with('+'));
        let [pays, per] = [pays, per].map(|part| number(part.trim()));
        pays.zip(per).and_then(|(pays, per)| Self::new(pays, per)).ok_or_else(error)
    }
}

/// A string that is not a payoff.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{text}\" is not a payoff: write two whole numbers, as in 3:2")]
pub struct ParseRatioError {
    text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payoffs_are_read_in_lowest_terms() {
        for (text, written) in [("3:2", "3:2"), ("500 to 1", "500:1"), (" 6 : 4 ", "3:2")] {
            assert_eq!(text.parse::<Ratio>().unwrap().to_string(), written);
        }
        assert_eq!(format!("{:#}", Ratio::new(3, 2).unwrap()), "3 to 2");
        for text in ["", "3", "3:", ":2", "1:0", "-1:1", "1.5:1", "3:2:1", "9999999999:1", "+50:+1"]
        {
            assert!(text.parse::<Ratio>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn three_to_two_is_paid_exactly_or_not_at_all() {
        let ratio = Ratio::new(3, 2).unwrap();
        assert_eq!(ratio.of(Amount::cents(1_000)), Some(Amount::cents(1_500)));
        assert_eq!(ratio.of(Amount::cents(333)), None);
        assert_eq!(Ratio::new(500, 1).unwrap().of(Amount::MAX), None);
    }

    #[test]
    fn the_larger_payoff_is_the_greater() {
        assert!(Ratio::new(3, 2) > Ratio::new(1, 1));
        assert!(Ratio::new(u32::MAX, 1) > Ratio::new(u32::MAX - 1, 1));
        assert_eq!(Ratio::new(6, 4), Ratio::new(3, 2));
    }
}
