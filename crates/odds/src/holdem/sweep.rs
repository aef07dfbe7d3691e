//! One board, all holes.
//!
//! The holes are taken from the weakest to the strongest, keeping count of how many so far hold a
//! given card. Of the hands below {a, b}, those that share a card with it cannot be the dealer's:
//! the rest is all below, minus those with a, minus those with b. Ties are counted the same way,
//! and the rest of the dealer's 990 hands win. No pair of hands is ever compared.

use croupier_cards::{Category, Five};

use super::kinds::{CELLS, KINDS, Left};

/// The number of possible dealer hands, once seven cards are known.
pub(crate) const DEALER_HANDS: i32 = 990;

/// A kind of hole on a board: its strength, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Holding {
    pub(crate) five: Five,
    /// The kinds of its cards, the lower one first.
    pub(crate) low: u8,
    pub(crate) high: u8,
    cell: u16,
    pub(crate) holes: u16,
}

impl Holding {
    /// Returns the holes of two kinds, the lower one first. There may be none left.
    #[inline]
    pub(crate) fn new(five: Five, low: u8, high: u8, left: &Left) -> Self {
        let [one, other] = [low, high].map(|kind| u16::from(left[usize::from(kind) % KINDS]));
        let holes = if low == high { one * one.saturating_sub(1) / 2 } else { one * other };
        let cell = u16::from(high) * (u16::from(high) + 1) / 2 + u16::from(low);
        Self { five, low, high, cell, holes }
    }

    /// Returns the index of its kinds.
    #[inline]
    pub(crate) fn cell(self) -> usize {
        usize::from(self.cell)
    }

    /// Returns how many holes are like it.
    #[inline]
    pub(crate) fn holes(self) -> i64 {
        i64::from(self.holes)
    }
}

/// The results of a hole against the dealer's 990 hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) wins: i32,
    pub(crate) ties: i32,
    /// How many of the dealer's hands don't qualify.
    pub(crate) unqualified: i32,
}

/// Hands so far: how many there are, and how many of them hold a given card of each kind.
#[derive(Clone, Copy, Default)]
struct Tally {
    all: i32,
    with: [i32; KINDS],
}

/// Returns the indexes of a holding's kinds.
#[inline]
fn places(holding: Holding) -> (usize, usize) {
    (usize::from(holding.low) % KINDS, usize::from(holding.high) % KINDS)
}

impl Tally {
    #[inline]
    fn add(&mut self, left: &[i32; KINDS], holding: Holding) {
        let (low, high) = places(holding);
        self.all += i32::from(holding.holes);
        if low == high {
            self.with[low] += left[low] - 1;
        } else {
            self.with[low] += left[high];
            self.with[high] += left[low];
        }
    }

    /// Returns how many hands have neither card of a holding. The holding itself is subtracted
    /// twice; the caller must add it back.
    #[inline]
    fn without(&self, holding: Holding) -> i32 {
        let (low, high) = places(holding);
        self.all - self.with[low] - self.with[high]
    }
}

/// Sweeps over the holes of a board, which come from the weakest to the strongest, and calls `each`
/// with their category and results.
#[inline]
pub(crate) fn sweep(
    left: &Left,
    order: &[Holding],
    qualifying: bool,
    mut each: impl FnMut(Holding, Category, Counts),
) {
    let left = left.map(i32::from);
    let mut unqualified = Tally::default();
    if qualifying {
        for &holding in order {
            if holding.five.category() != Category::HighCard {
                break;
            }
            unqualified.add(&left, holding);
        }
    }
    let mut tally = Tally::default();
    let mut wins = [0; CELLS];
    let mut rest = order;
    while let Some(first) = rest.first() {
        let equal = rest.iter().take_while(|holding| holding.five == first.five).count();
        let (group, stronger) = rest.split_at(equal);
        for (wins, &holding) in wins.iter_mut().zip(group) {
            *wins = tally.without(holding);
        }
        for &holding in group {
            tally.add(&left, holding);
        }
        let category = first.five.category();
        let itself = i32::from(qualifying && category == Category::HighCard);
        for (&wins, &holding) in wins.iter().zip(group) {
            let ties = tally.without(holding) + 1 - wins;
            let unqualified = unqualified.without(holding) + itself;
            each(holding, category, Counts { wins, ties, unqualified });
        }
        rest = stronger;
    }
}
