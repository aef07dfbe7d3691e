//! The 169 kinds of hole cards.

use std::fmt;

use croupier_cards::{Card, Rank, Suit};

/// Two hole cards, apart from the names of their suits: a pair, two suited ranks or two offsuit
/// ones.
///
/// It prints in players' notation: `AA`, `K5o`, `J8s`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HoleKind {
    high: Rank,
    low: Rank,
    suited: bool,
}

impl HoleKind {
    /// The number of kinds.
    pub const MANY: usize = 169;

    /// Returns the kind of two cards.
    pub fn of(one: Card, other: Card) -> Self {
        Self {
            high: one.rank().max(other.rank()),
            low: one.rank().min(other.rank()),
            suited: one.suit() == other.suit(),
        }
    }

    /// Returns all kinds, by their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        Rank::ALL
            .into_iter()
            .flat_map(|row| Rank::ALL.into_iter().map(move |column| (row, column)))
            .map(|(row, column)| Self {
                high: row.max(column),
                low: row.min(column),
                suited: row > column,
            })
    }

    /// Returns the number of the kind: its index in a square of thirteen by thirteen ranks, deuces
    /// first, with suited hands below the diagonal of pairs and offsuit ones above it.
    pub const fn number(self) -> usize {
        let (high, low) = (self.high as usize, self.low as usize);
        if self.suited { high * 13 + low } else { low * 13 + high }
    }

    /// Returns the number of holes of this kind: 6, 4 or 12.
    pub fn combinations(self) -> u32 {
        match (self.suited, self.high == self.low) {
            (_, true) => 6,
            (true, _) => 4,
            (false, _) => 12,
        }
    }

    /// Returns the higher rank and the lower one.
    pub const fn ranks(self) -> (Rank, Rank) {
        (self.high, self.low)
    }

    /// Tells whether both cards are of one suit.
    pub const fn is_suited(self) -> bool {
        self.suited
    }

    /// Tells whether both cards are of one rank.
    pub fn is_pair(self) -> bool {
        self.high == self.low
    }

    /// Returns two cards of this kind.
    pub fn cards(self) -> [Card; 2] {
        let other = if self.suited { Suit::Spades } else { Suit::Hearts };
        [Card::new(self.high, Suit::Spades), Card::new(self.low, other)]
    }
}

impl fmt::Display for HoleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suits = match (self.suited, self.is_pair()) {
            (_, true) => "",
            (true, _) => "s",
            (false, _) => "o",
        };
        f.pad(&format!("{}{}{suits}", self.high.letter(), self.low.letter()))
    }
}

impl fmt::Debug for HoleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HoleKind({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_numbered_and_cover_all_holes() {
        assert!(HoleKind::all().map(HoleKind::number).eq(0..169));
        assert_eq!(HoleKind::all().map(HoleKind::combinations).sum::<u32>(), 1_326);
        for kind in HoleKind::all() {
            let [one, other] = kind.cards();
            assert_eq!(HoleKind::of(one, other), kind);
        }
    }
}
