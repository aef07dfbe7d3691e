//! Sets of holes, in players' notation.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use croupier_cards::Rank;

use crate::hole_kind::HoleKind;

/// A set of kinds of holes, written as `33+ A2s+ K5o+ JTo`.
///
/// A pair, or two ranks with `s` for suited, `o` for offsuit, or nothing for both. `+` adds all
/// higher pairs, or all holes with a higher second card.
///
/// ```
/// use croupier_odds::{HoleKind, Range};
///
/// let range: Range = "33+, K2s+, JTo".parse()?;
/// assert!(HoleKind::all().filter(|&kind| range.contains(kind)).count() == 12 + 11 + 1);
/// # Ok::<(), croupier_odds::ParseRangeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range([bool; HoleKind::MANY]);

impl Range {
    /// Tells whether it contains a kind.
    pub const fn contains(&self, kind: HoleKind) -> bool {
        self.0[kind.number()]
    }
}

impl FromStr for Range {
    type Err = ParseRangeError;

    fn from_str(text: &str) -> Result<Self, ParseRangeError> {
        let mut holes = [false; HoleKind::MANY];
        let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
        for word in words.filter(|word| !word.is_empty()) {
            let term = Term::read(word).ok_or_else(|| ParseRangeError(word.to_owned()))?;
            for kind in HoleKind::all().filter(|&kind| term.contains(kind)) {
                holes[kind.number()] = true;
            }
        }
        Ok(Self(holes))
    }
}

/// One word of a range.
struct Term {
    high: Rank,
    low: Rank,
    /// Suited or not, if it matters.
    suited: Option<bool>,
    or_higher: bool,
}

impl Term {
    fn read(word: &str) -> Option<Self> {
        let (word, or_higher) = match word.strip_suffix('+') {
            Some(word) => (word, true),
            None => (word, false),
        };
        let word = word.replace("10", "T");
        let mut letters = word.chars();
        let [one, other] = [letters.next()?, letters.next()?];
        let [one, other] = [Rank::from_letter(one)?, Rank::from_letter(other)?];
        let suited = match letters.as_str() {
            "" => None,
            "s" | "S" => Some(true),
            "o" | "O" => Some(false),
            _ => return None,
        };
        let pair_with_suits = one == other && suited.is_some();
        (!pair_with_suits).then(|| Self {
            high: one.max(other),
            low: one.min(other),
            suited,
            or_higher,
        })
    }

    fn contains(&self, kind: HoleKind) -> bool {
        let (high, low) = kind.ranks();
        if self.high == self.low {
            return high == low && (high == self.high || self.or_higher && high > self.high);
        }
        high == self.high
            && high != low
            && (low == self.low || self.or_higher && low > self.low)
            && self.suited.is_none_or(|suited| suited == kind.is_suited())
    }
}

/// An error: a word that is not a hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseRangeError(String);

impl fmt::Display for ParseRangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is not a hole: write one like 33+, A2s+, K5o+, JT", self.0)
    }
}

impl Error for ParseRangeError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn holes(text: &str) -> String {
        let range: Range = text.parse().expect("a range");
        let kinds = HoleKind::all().filter(|&kind| range.contains(kind));
        kinds.map(|kind| kind.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ranges_mean_what_players_mean() {
        assert_eq!(holes("QQ+"), "QQ KK AA");
        assert_eq!(holes("J8s+"), "J8s J9s JTs");
        assert_eq!(holes("jto"), "JTo");
        assert_eq!(holes("32"), "32o 32s");
        assert_eq!(holes("A2+").split(' ').count(), 24);
        assert_eq!(holes(""), "");
    }

    #[test]
    fn a_word_that_is_not_a_hole_is_named() {
        for wrong in ["1", "33s", "AKx", "A", "AK+s"] {
            assert_eq!(wrong.parse::<Range>(), Err(ParseRangeError(wrong.to_owned())));
        }
    }
}
