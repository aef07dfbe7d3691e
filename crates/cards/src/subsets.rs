//! Combinations of cards: every set of a given size, and the number of each.
//!
//! Sets of one size are numbered in *colexicographic* order: those without the last card of the
//! pack come before those with it, and so on downwards. A set's number is the sum of `choose(i, n)`
//! over its cards, where the card is the `n`-th of the set and the `i`-th of the pack (from zero).
//! It does not depend on the size of the pack, and the first `choose(i, k)` numbers are exactly the
//! sets of the first `i` cards.

use crate::{Card, CardSet};

/// Returns the number of ways to choose `k` of `n` cards, where `n` is at most 52.
///
/// # Panics
///
/// If `n` is larger than a pack.
pub const fn choose(n: usize, k: usize) -> u64 {
    assert!(n <= 52, "a pack has 52 cards");
    if k > n { 0 } else { PASCAL[n][k] }
}

static PASCAL: [[u64; 53]; 53] = {
    let mut rows = [[0; 53]; 53];
    let mut n = 0;
    while n < 53 {
        rows[n][0] = 1;
        let mut k = 1;
        while k <= n {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
};

impl CardSet {
    /// Returns all subsets of `size` cards.
    ///
    /// ```
    /// use croupier_cards::CardSet;
    ///
    /// let flop: CardSet = "Th 9h 2c".parse()?;
    /// let pairs: Vec<String> = flop.subsets(2).map(|pair| pair.to_string()).collect();
    /// assert_eq!(pairs, ["9h 2c", "Th 2c", "Th 9h"]);
    /// assert_eq!(CardSet::FULL.subsets(5).len(), 2_598_960);
    /// # Ok::<(), croupier_cards::ParseCardsError>(())
    /// ```
    pub fn subsets(self, size: usize) -> Subsets {
        Subsets {
            pool: self,
            size,
            next: lowest(self, size.min(self.len())).bits(),
            left: choose(self.len(), size),
        }
    }

    /// Returns the number of this set among all sets of its size, from zero.
    ///
    /// ```
    /// use croupier_cards::CardSet;
    ///
    /// let flop: CardSet = "Th 9h 2c".parse()?;
    /// assert_eq!(CardSet::from_number(3, flop.number()), Some(flop));
    /// # Ok::<(), croupier_cards::ParseCardsError>(())
    /// ```
    pub fn number(self) -> u64 {
        self.iter().zip(1..).map(|(card, nth)| choose(card.index(), nth)).sum()
    }

    /// Returns the set of `size` cards with this number, or `None` if the number is too large.
    pub fn from_number(size: usize, number: u64) -> Option<Self> {
        if size > 52 || number >= choose(52, size) {
            return None;
        }
        let mut left = number;
        let mut set = Self::EMPTY;
        let mut pack = Card::ALL.into_iter().rev();
        for nth in (1..=size).rev() {
            let card = pack.find(|card| choose(card.index(), nth) <= left)?;
            left -= choose(card.index(), nth);
            set.insert(card);
        }
        Some(set)
    }
}

/// Returns the first `count` cards of a set.
fn lowest(set: CardSet, count: usize) -> CardSet {
    set.iter().take(count).collect()
}

/// An iterator over the subsets of one size, in colexicographic order.
#[derive(Clone, Debug)]
pub struct Subsets {
    pool: CardSet,
    size: usize,
    /// The bits of the next set to return; meaningless when none is left.
    next: u64,
    left: u64,
}

impl Iterator for Subsets {
    type Item = CardSet;

    #[inline]
    fn next(&mut self) -> Option<CardSet> {
        self.left = self.left.checked_sub(1)?;
        let set = CardSet::from_bits(self.next);
        // Adding the lowest bit moves the lowest card that has room above it up by one, and drops
        // those below it; bits outside the pool are set for the addition, so that the carry runs
        // past them. The dropped cards start again from the bottom of the pool.
        let bits = set.bits();
        let carried = (bits | !self.pool.bits()).wrapping_add(bits & bits.wrapping_neg());
        let kept = CardSet::from_bits(carried & self.pool.bits());
        self.next = (kept | lowest(self.pool, self.size - kept.len())).bits();
        Some(set)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match usize::try_from(self.left) {
            Ok(left) => (left, Some(left)),
            Err(_) => (usize::MAX, None),
        }
    }
}

/// The length is a `usize`: on a 32-bit machine, asking for the length of more than four billion
/// sets panics.
impl ExactSizeIterator for Subsets {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_counted() {
        assert_eq!(choose(52, 2), 1_326);
        assert_eq!(choose(52, 5), 2_598_960);
        assert_eq!(choose(52, 7), 133_784_560);
        assert_eq!(choose(5, 6), 0);
        assert_eq!(choose(52, 26), 495_918_532_948_104);
    }

    #[test]
    fn subsets_come_in_the_order_of_their_numbers() {
        for size in 0..=4 {
            let mut count = 0;
            for (number, set) in (0..).zip(CardSet::FULL.subsets(size)) {
                assert_eq!(set.len(), size);
                assert_eq!(set.number(), number);
                count += 1;
            }
            assert_eq!(count, choose(52, size));
            assert_eq!(CardSet::from_number(size, count), None);
        }
        for number in (0..choose(52, 7)).step_by(1_009) {
            assert_eq!(CardSet::from_number(7, number).unwrap().number(), number);
        }
        assert_eq!(CardSet::from_number(52, 0), Some(CardSet::FULL));
        assert_eq!(CardSet::from_number(53, 0), None);
    }

    #[test]
    fn subsets_leave_dead_cards_out() {
        let dead: CardSet = "2c 7c Ac 2d 9h As Ks".parse().unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for set in (!dead).subsets(3) {
            assert!(set.is_disjoint(dead) && set.len() == 3 && seen.insert(set));
        }
        assert_eq!(seen.len() as u64, choose(45, 3));
    }

    #[test]
    fn extreme_sizes_have_one_subset_or_none() {
        let set: CardSet = "As Kd".parse().unwrap();
        assert_eq!(set.subsets(0).collect::<Vec<_>>(), [CardSet::EMPTY]);
        assert_eq!(set.subsets(2).collect::<Vec<_>>(), [set]);
        assert_eq!(set.subsets(3).count(), 0);
        assert_eq!(CardSet::EMPTY.subsets(0).count(), 1);
        assert_eq!(CardSet::FULL.subsets(52).collect::<Vec<_>>(), [CardSet::FULL]);
    }
}
