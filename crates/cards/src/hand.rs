//! Cards added one at a time, ready to be ranked at any point.

use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use crate::{Card, CardSet, Five, lookup};

/// Up to seven cards, kept so that their strength is two lookups away.
///
/// Adding a card is one addition, so a loop over many hands keeps the common cards and adds only
/// those that change: a board and then the hole cards, or the first six cards and then each
/// seventh.
/// [`lookup`](crate::lookup) explains how.
///
/// ```
/// use croupier_cards::{CardSet, Category, Hand};
///
/// let board: CardSet = "Th 9h 2c 4d Ks".parse()?;
/// let on_board = Hand::from(board);
///
/// // How many of the 1,081 pairs of hole cards make a pair or better on this board?
/// let fives = (!board).subsets(2).map(|hole| (on_board + Hand::from(hole)).five());
/// assert_eq!(fives.clone().filter(|five| five.is_at_least(Category::Pair)).count(), 649);
/// assert_eq!(fives.max().unwrap().to_string(), "king-high straight");
/// # Ok::<(), croupier_cards::ParseCardsError>(())
/// ```
///
/// To be this fast it trusts its caller: a mistake (a card added twice, or a missing card removed)
/// is caught in debug builds only, and otherwise leads to a meaningless answer. [`Five::of`] always
/// checks.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hand {
    /// The sum of the cards' keys.
    key: u64,
    cards: CardSet,
}

impl Hand {
    /// No cards yet.
    pub const EMPTY: Self = Self { key: lookup::NO_CARDS, cards: CardSet::EMPTY };

    /// Returns the cards in the hand.
    pub const fn cards(self) -> CardSet {
        self.cards
    }

    /// Returns the strength of the best five cards.
    ///
    /// The hand must have five, six or seven; for any other number the answer is meaningless, and
    /// only a debug build reports it. [`Five::of`] always does.
    #[inline]
    pub fn five(self) -> Five {
        debug_assert!(
            (5..=7).contains(&self.cards.len()),
            "the best five are chosen from five, six or seven cards, not from {}",
            self.cards.len()
        );
        lookup::five(self.key, self.cards)
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hand({})", self.cards)
    }
}

impl Default for Hand {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Adds a card that is not in the hand.
impl Add<Card> for Hand {
    type Output = Self;

    #[inline]
    fn add(self, card: Card) -> Self {
        debug_assert!(!self.cards.contains(card), "{card} is in {} already", self.cards);
        Self {
            key: self.key.wrapping_add(lookup::card_key(card)),
            cards: self.cards | CardSet::of(card),
        }
    }
}

/// Removes a card that is in the hand.
impl Sub<Card> for Hand {
    type Output = Self;

    #[inline]
    fn sub(self, card: Card) -> Self {
        debug_assert!(self.cards.contains(card), "{card} is not in {}", self.cards);
        Self {
            key: self.key.wrapping_sub(lookup::card_key(card)),
            cards: self.cards - CardSet::of(card),
        }
    }
}

impl AddAssign<Card> for Hand {
    #[inline]
    fn add_assign(&mut self, card: Card) {
        *self = *self + card;
    }
}

impl SubAssign<Card> for Hand {
    #[inline]
    fn sub_assign(&mut self, card: Card) {
        *self = *self - card;
    }
}

/// Joins two hands that have no card in common.
impl Add for Hand {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        debug_assert!(
            self.cards.is_disjoint(other.cards),
            "{} and {} share a card",
            self.cards,
            other.cards
        );
        Self {
            key: self.key.wrapping_add(other.key).wrapping_sub(lookup::NO_CARDS),
            cards: self.cards | other.cards,
        }
    }
}

impl FromIterator<Card> for Hand {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::EMPTY, Add::add)
    }
}

impl From<CardSet> for Hand {
    #[inline]
    fn from(cards: CardSet) -> Self {
        cards.into_iter().collect()
    }
}

impl<const N: usize> From<[Card; N]> for Hand {
    #[inline]
    fn from(cards: [Card; N]) -> Self {
        cards.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_can_be_added_in_any_order_and_removed() {
        let cards = ["Th", "9h", "2c", "4d", "Ks", "4h"].map(|card| card.parse::<Card>().unwrap());
        let [a, b, c, d, e, f] = cards;
        let hand = Hand::from(cards);
        assert_eq!(Hand::from([f, e, d, c, b, a]), hand);
        assert_eq!(hand - c + c, hand);
        assert_eq!(Hand::from([a, b]) + Hand::from([c, d, e, f]), hand);
        assert_eq!(hand.cards(), CardSet::from(cards));
        assert_eq!(Hand::default() + Hand::EMPTY, Hand::EMPTY);
    }
}
