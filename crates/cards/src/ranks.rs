//! Cards without their suits.

use std::ops::Add;

use crate::{Five, Rank, lookup};

/// The ranks of up to seven cards, each at most four times, without suits.
///
/// Counting is faster where suits do not matter: there are 49,205 ways to hold seven ranks, and
/// 133,784,560 to hold seven cards.
///
/// ```
/// use croupier_cards::{Five, Rank, Ranks};
///
/// let ranks: Ranks = [Rank::King, Rank::Four, Rank::King, Rank::Nine, Rank::Four].into();
/// assert_eq!(ranks.five(), Five::of("Kc 4d Kh 9s 4s".parse()?));
/// # Ok::<(), croupier_cards::ParseCardsError>(())
/// ```
///
/// Like a [`Hand`](crate::Hand), it trusts its caller: for five of a kind, or for fewer than five
/// or more than seven cards, the answer is meaningless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ranks {
    /// The sum of the ranks' keys.
    key: u64,
}

impl Ranks {
    /// No cards yet.
    pub const EMPTY: Self = Self { key: 0 };

    /// Returns the strength of the best five cards, as if no flush were possible.
    #[inline]
    pub fn five(self) -> Five {
        lookup::unsuited(self.key)
    }
}

impl Default for Ranks {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Add<Rank> for Ranks {
    type Output = Self;

    #[inline]
    fn add(self, rank: Rank) -> Self {
        Self { key: self.key.wrapping_add(lookup::rank_key(rank)) }
    }
}

impl Add for Ranks {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { key: self.key.wrapping_add(other.key) }
    }
}

impl FromIterator<Rank> for Ranks {
    fn from_iter<I: IntoIterator<Item = Rank>>(ranks: I) -> Self {
        ranks.into_iter().fold(Self::EMPTY, Add::add)
    }
}

impl<const N: usize> From<[Rank; N]> for Ranks {
    fn from(ranks: [Rank; N]) -> Self {
        ranks.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Card, CardSet, Category, Suit};

    #[test]
    fn ranks_are_as_strong_as_cards_without_a_flush() {
        let mut seen = 0;
        for cards in CardSet::FULL.subsets(7).step_by(1_009) {
            let five = Five::of(cards);
            let suited = Suit::ALL.into_iter().find(|&suit| cards.of_suit(suit).len() >= 5);
            if let Some(suit) = suited {
                assert_eq!(Five::suited(cards.ranks_in(suit)), five, "{cards}");
            } else {
                let ranks: Ranks = cards.into_iter().map(Card::rank).collect();
                assert_eq!(ranks.five(), five, "{cards}");
            }
            seen += 1;
        }
        assert_eq!(seen, 132_592);
    }

    #[test]
    fn a_flush_is_never_seen_in_ranks() {
        let ranks = [Rank::Ace, Rank::King, Rank::Nine, Rank::Five, Rank::Three];
        assert_eq!(Ranks::from(ranks).five().category(), Category::HighCard);
    }
}
