//! A set of cards in one machine word.

use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use crate::{Card, Rank, Suit};

/// A set of cards.
///
/// Sets have the usual algebra: `|` union, `&` intersection, `-` difference, `^` symmetric
/// difference, and `!` everything else in the pack. The cards that can still be dealt are therefore
/// `!dead`. Iteration goes in the order of a fresh pack; text goes from high cards to low, the way
/// a player holds them.
///
/// ```
/// use croupier_cards::{Card, CardSet};
///
/// let dead: CardSet = "Kc 4d 4h Ts".parse()?;
/// let live = !dead;
/// assert_eq!(live.len(), 48);
/// assert!(!live.contains("Ts".parse()?));
/// assert_eq!(dead.to_string(), "Kc Ts 4h 4d");
/// # Ok::<(), croupier_cards::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardSet(
    /// Four lanes of sixteen bits, clubs lowest; in each lane thirteen bits, deuce lowest. With one
    /// lane per suit, a flush is one shift away, and renaming suits means moving lanes.
    u64,
);

/// The lowest bit of each lane.
const LANES: u64 = 0x0001_0001_0001_0001;

impl CardSet {
    /// No cards.
    pub const EMPTY: Self = Self(0);

    /// All 52 cards.
    pub const FULL: Self = Self(0x1fff * LANES);

    /// Returns the set of this card alone.
    #[inline]
    pub const fn of(card: Card) -> Self {
        Self(1 << card.bit())
    }

    /// Returns the number of cards in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Tells whether the set has no cards.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Tells whether the card is in the set.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.bit() & 1 == 1
    }

    /// Tells whether every card of the other set is in this one.
    #[inline]
    pub const fn contains_all(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Tells whether the two sets have no card in common.
    #[inline]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Inserts a card and tells whether it is new.
    #[inline]
    pub fn insert(&mut self, card: Card) -> bool {
        let new = !self.contains(card);
        self.0 |= 1 << card.bit();
        new
    }

    /// Removes a card and tells whether it was present.
    #[inline]
    pub fn remove(&mut self, card: Card) -> bool {
        let there = self.contains(card);
        self.0 &= !(1 << card.bit());
        there
    }

    /// Returns the cards of one suit.
    #[must_use]
    #[inline]
    pub const fn of_suit(self, suit: Suit) -> Self {
        Self(self.0 & 0x1fff << (16 * suit as u32))
    }

    /// Returns the cards of one rank.
    #[must_use]
    #[inline]
    pub const fn of_rank(self, rank: Rank) -> Self {
        Self(self.0 & LANES << rank as u32)
    }

    /// Returns the ranks present in one suit, one bit each, deuce lowest.
    #[expect(clippy::cast_possible_truncation, reason = "a lane is sixteen bits wide")]
    #[inline]
    pub const fn ranks_in(self, suit: Suit) -> u16 {
        (self.0 >> (16 * suit as u32)) as u16
    }

    /// Returns the ranks present in any suit, one bit each, deuce lowest.
    #[inline]
    pub fn ranks(self) -> u16 {
        Suit::ALL.into_iter().fold(0, |ranks, suit| ranks | self.ranks_in(suit))
    }

    /// Returns an iterator over the cards, in the order of a fresh pack.
    #[inline]
    pub const fn iter(self) -> Cards {
        Cards(self)
    }

    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the set with these bits, all of which must be cards.
    pub(crate) const fn from_bits(bits: u64) -> Self {
        debug_assert!(bits & !Self::FULL.0 == 0);
        Self(bits)
    }

    /// Returns the set whose ranks in each suit are these bits, clubs first.
    pub(crate) fn from_lanes(lanes: [u16; 4]) -> Self {
        Self::from_bits(lanes.into_iter().rev().fold(0, |bits, lane| bits << 16 | u64::from(lane)))
    }
}

/// An iterator over the cards of a set, in the order of a fresh pack.
#[derive(Clone, Debug)]
pub struct Cards(CardSet);

impl Iterator for Cards {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        let CardSet(bits) = self.0;
        if bits == 0 {
            return None;
        }
        self.0 = CardSet(bits & (bits - 1));
        #[expect(clippy::cast_possible_truncation, reason = "a bit number is below 64")]
        Some(Card::from_bit(bits.trailing_zeros() as u8))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl DoubleEndedIterator for Cards {
    fn next_back(&mut self) -> Option<Card> {
        let last = 63_u32.checked_sub(self.0.bits().leading_zeros())?;
        #[expect(clippy::cast_possible_truncation, reason = "a bit number is below 64")]
        let card = Card::from_bit(last as u8);
        self.0.remove(card);
        Some(card)
    }
}

impl ExactSizeIterator for Cards {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;

    #[inline]
    fn into_iter(self) -> Cards {
        self.iter()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::EMPTY, |set, card| set | Self::of(card))
    }
}

impl Extend<Card> for CardSet {
    fn extend<I: IntoIterator<Item = Card>>(&mut self, cards: I) {
        *self |= cards.into_iter().collect::<Self>();
    }
}

impl<const N: usize> From<[Card; N]> for CardSet {
    #[inline]
    fn from(cards: [Card; N]) -> Self {
        cards.into_iter().collect()
    }
}

impl From<Card> for CardSet {
    #[inline]
    fn from(card: Card) -> Self {
        Self::of(card)
    }
}

impl BitOr for CardSet {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for CardSet {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitXor for CardSet {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Sub for CardSet {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for CardSet {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self::FULL - self
    }
}

impl BitOrAssign for CardSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitAndAssign for CardSet {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitXorAssign for CardSet {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl SubAssign for CardSet {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let downwards = Rank::ALL.into_iter().rev();
        let cards = downwards.flat_map(|rank| self.of_rank(rank).iter().rev());
        let write = |card: Card| if f.alternate() { format!("{card:#}") } else { card.to_string() };
        f.pad(&cards.map(write).collect::<Vec<_>>().join(" "))
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(cards: &str) -> CardSet {
        cards.parse().unwrap()
    }

    #[test]
    fn sets_have_the_algebra_of_sets() {
        let (one, other) = (set("As Kd Th 2c"), set("Kd 2c 9s"));
        assert_eq!(one | other, set("As Kd Th 9s 2c"));
        assert_eq!(one & other, set("Kd 2c"));
        assert_eq!(one - other, set("As Th"));
        assert_eq!(one ^ other, set("As Th 9s"));
        assert_eq!(!one | one, CardSet::FULL);
        assert!((!one).is_disjoint(one) && (one | other).contains_all(other));
        assert!(!one.contains_all(other) && !one.is_disjoint(other));
    }

    #[test]
    fn cards_go_in_and_out() {
        let mut cards = CardSet::EMPTY;
        for card in Card::ALL {
            assert!(cards.insert(card) && !cards.insert(card) && cards.contains(card));
        }
        assert_eq!((cards, cards.len()), (CardSet::FULL, 52));
        assert!(cards.iter().eq(Card::ALL) && cards.iter().rev().eq(Card::ALL.into_iter().rev()));
        for card in Card::ALL {
            assert!(cards.remove(card) && !cards.remove(card) && !cards.contains(card));
        }
        assert!(cards.is_empty());
    }

    #[test]
    fn suits_and_ranks_are_told_apart() {
        let cards = set("As Kd Th 2c 2s");
        assert_eq!(cards.of_suit(Suit::Spades), set("As 2s"));
        assert_eq!(cards.of_rank(Rank::Two), set("2c 2s"));
        assert_eq!(cards.ranks_in(Suit::Spades), 0b1_0000_0000_0001);
        assert_eq!(cards.ranks(), 0b1_1001_0000_0001);
    }

    #[test]
    fn sets_are_written_from_high_to_low() {
        let cards = set("2c As Td Ac 10s");
        assert_eq!(format!("{cards} {cards:#}"), "As Ac Ts Td 2c A♠ A♣ T♠ T♦ 2♣");
        assert_eq!(format!("[{:>7}] {:?}", set("Kd2c"), set("Kd")), "[  Kd 2c] {Kd}");
    }
}
