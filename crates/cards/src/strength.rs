//! Code shared by the strengths of five and of three cards: converting a hand to a number and
//! back.
//!
//! The high four bits of a strength are the place of its category; the low twelve decide between
//! hands of the same category. Sets of different ranks, such as kickers, are numbered like sets of
//! cards, so that the higher set has the higher number.

use crate::{Card, CardSet, Category, Rank, choose};

/// The number of sets of two and of three different ranks.
pub(crate) const TWO_RANKS: u16 = 78;
pub(crate) const THREE_RANKS: u16 = 286;

/// Returns the strength of a hand of this category, which must be one of the game's.
pub(crate) fn pack(categories: &[Category], category: Category, detail: u16) -> u16 {
    let place = (0..).zip(categories).find(|(_, each)| **each == category);
    let (place, _) = place.expect("a category of this game");
    debug_assert!(detail <= 0xfff, "there is room for twelve bits");
    place << 12 | detail
}

/// Returns the place of the category.
#[inline]
pub(crate) const fn place(strength: u16) -> usize {
    (strength >> 12) as usize
}

/// Returns the part that decides within the category.
pub(crate) const fn detail(strength: u16) -> u16 {
    strength & 0xfff
}

/// Returns the rank with this number.
pub(crate) fn rank(number: u16) -> Rank {
    Rank::ALL[usize::from(number)]
}

/// Returns the ranks of a straight, from the top down. The ace is also below the deuce: ranks wrap
/// around after thirteen.
pub(crate) fn straight<const N: usize>(top: u16) -> [Rank; N] {
    let mut next = top + 13;
    [(); N].map(|()| {
        next -= 1;
        rank((next + 1) % 13)
    })
}

/// Returns the number of a set of different ranks, highest first, among all sets of its size. A set
/// with the higher rank at the first difference has the higher number.
pub(crate) fn number_of_ranks(ranks: &[Rank]) -> u16 {
    let places = (1..=ranks.len()).rev();
    let number: u64 = ranks.iter().zip(places).map(|(&rank, nth)| choose(rank as usize, nth)).sum();
    u16::try_from(number).expect("there are at most 1,716 sets of ranks of a size")
}

/// Returns the set of different ranks, highest first, that has this number.
pub(crate) fn ranks_of_number<const N: usize>(number: u16) -> [Rank; N] {
    let mut left = u64::from(number);
    let mut ranks = [Rank::Two; N];
    for (place, nth) in ranks.iter_mut().zip((1..=N).rev()) {
        let fits = |rank: &Rank| choose(*rank as usize, nth) <= left;
        *place = Rank::ALL.into_iter().rev().find(fits).expect("no set is below the first");
        left -= choose(*place as usize, nth);
    }
    ranks
}

/// Picks one card of each rank, never the same card twice. If several cards fit, it picks the one
/// of the later suit.
pub(crate) fn pick<const N: usize>(ranks: [Rank; N], mut cards: CardSet) -> Option<[Card; N]> {
    let mut picked = [Card::ALL[0]; N];
    for (place, rank) in picked.iter_mut().zip(ranks) {
        *place = cards.of_rank(rank).iter().next_back()?;
        cards.remove(*place);
    }
    Some(picked)
}
