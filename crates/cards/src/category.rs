//! The categories of poker hands, by name.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The category of a poker hand, of five cards or of three.
///
/// Categories have no order of their own, because the two games differ: a straight loses to a flush
/// when five cards are dealt and beats it when three are. Compare hands, as
/// [`Five`](crate::Five) or [`Three`](crate::Three).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// None of the others: the highest card counts.
    HighCard,
    /// Two cards of a rank.
    Pair,
    /// Two cards of one rank and two of another. Five cards only.
    TwoPair,
    /// Three cards of a rank.
    ThreeOfAKind,
    /// All cards in sequence; an ace may be the highest or the lowest.
    Straight,
    /// All cards of one suit.
    Flush,
    /// Three cards of one rank and two of another. Five cards only.
    FullHouse,
    /// Four cards of a rank. Five cards only.
    FourOfAKind,
    /// A straight in one suit.
    StraightFlush,
    /// Ten to ace in one suit. Five cards only.
    RoyalFlush,
    /// Queen to ace in one suit. Three cards only.
    MiniRoyal,
}

impl Category {
    /// All categories, in the order of declaration.
    pub const ALL: [Self; 11] = [
        Self::HighCard,
        Self::Pair,
        Self::TwoPair,
        Self::ThreeOfAKind,
        Self::Straight,
        Self::Flush,
        Self::FullHouse,
        Self::FourOfAKind,
        Self::StraightFlush,
        Self::RoyalFlush,
        Self::MiniRoyal,
    ];

    /// Returns the exact name that records and pay tables use, such as `three-of-a-kind`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::HighCard => "high-card",
            Self::Pair => "pair",
            Self::TwoPair => "two-pair",
            Self::ThreeOfAKind => "three-of-a-kind",
            Self::Straight => "straight",
            Self::Flush => "flush",
            Self::FullHouse => "full-house",
            Self::FourOfAKind => "four-of-a-kind",
            Self::StraightFlush => "straight-flush",
            Self::RoyalFlush => "royal-flush",
            Self::MiniRoyal => "mini-royal",
        }
    }

    /// Returns the name in words, such as `three of a kind`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HighCard => "high card",
            Self::Pair => "pair",
            Self::TwoPair => "two pair",
            Self::ThreeOfAKind => "three of a kind",
            Self::Straight => "straight",
            Self::Flush => "flush",
            Self::FullHouse => "full house",
            Self::FourOfAKind => "four of a kind",
            Self::StraightFlush => "straight flush",
            Self::RoyalFlush => "royal flush",
            Self::MiniRoyal => "mini royal",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Category {
    type Err = ParseCategoryError;

    /// Reads a category by its exact name or in words, in either case.
    fn from_str(text: &str) -> Result<Self, ParseCategoryError> {
        let id = text.trim().to_lowercase().replace([' ', '_'], "-");
        Self::ALL
            .into_iter()
            .find(|category| category.id() == id)
            .ok_or_else(|| ParseCategoryError { text: text.to_owned() })
    }
}

/// A string that does not name a category.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseCategoryError {
    text: String,
}

impl fmt::Display for ParseCategoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = Category::ALL.map(Category::id).join(", ");
        write!(f, "\"{}\" is not a hand: write one of {ids}", self.text)
    }
}

impl Error for ParseCategoryError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for category in Category::ALL {
            for text in [category.id(), category.name(), &category.name().to_uppercase()] {
                assert_eq!(text.parse(), Ok(category));
            }
        }
        assert_eq!(
            "trips".parse::<Category>().unwrap_err().to_string(),
            "\"trips\" is not a hand: write one of high-card, pair, two-pair, three-of-a-kind, \
             straight, flush, full-house, four-of-a-kind, straight-flush, royal-flush, mini-royal"
        );
    }
}
