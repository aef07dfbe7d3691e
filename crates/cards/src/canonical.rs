//! Spots that are the same except for the names of their suits.
//!
//! No suit beats another, so a count or a solution for one flop also holds for each of the up to 24
//! flops that result from renaming its suits. [`canonical`] maps all of them to the same form;
//! [`holes`], [`flops`], [`boards`] and [`flops_with_holes`] list the forms, each with the number
//! of deals that it stands for.

use crate::{CardSet, Suit, SuitMap};

/// The common form of spots that differ only in the names of their suits.
///
/// A spot is one or more sets of cards with different roles, such as a flop and the hole cards.
/// Spots have the same form when their `cards` here are equal.
#[derive(Clone, Copy, Debug)]
pub struct Canonical<const N: usize> {
    /// The cards with their suits renamed.
    pub cards: [CardSet; N],
    /// The number of different spots with this form, including this one: a divisor of 24.
    pub multiplicity: u32,
    /// The renaming that turns the given cards into this form.
    pub map: SuitMap,
}

/// Returns the canonical form of a spot of up to four sets of cards.
///
/// Two spots have the same form exactly when a renaming of suits turns one into the other. The
/// first set has priority: the form of a flop with hole cards begins with the form of the flop.
/// Spades get the highest cards, then hearts, diamonds and clubs.
///
/// ```
/// use croupier_cards::{CardSet, canonical};
///
/// let flop: CardSet = "Td 9d 2c".parse()?;
/// let hole: CardSet = "Ad Ks".parse()?;
/// let form = canonical([flop, hole]);
/// assert_eq!(form.cards.map(|cards| cards.to_string()), ["Ts 9s 2h", "As Kd"]);
/// assert_eq!(form.multiplicity, 24);
/// assert_eq!(form.map.cards(flop | hole), form.cards[0] | form.cards[1]);
///
/// // Swapping hearts and diamonds changes nothing about this one.
/// assert_eq!(canonical(["As Kd Kh".parse()?]).multiplicity, 12);
/// # Ok::<(), croupier_cards::ParseCardsError>(())
/// ```
pub fn canonical<const N: usize>(cards: [CardSet; N]) -> Canonical<N> {
    let mut order = Suit::ALL.map(|suit| (weight(&cards, suit), suit));
    order.sort_unstable();
    let map = SuitMap::from_order(order.map(|(_, suit)| suit));
    Canonical {
        cards: cards.map(|cards| map.cards(cards)),
        multiplicity: multiplicity(order.map(|(weight, _)| weight)),
        map,
    }
}

/// Returns the cards of a suit as a number: the ranks in the first set, then those in the next.
fn weight<const N: usize>(cards: &[CardSet; N], suit: Suit) -> u64 {
    const { assert!(N <= 4, "four sets of ranks fill a word") };
    cards.iter().fold(0, |weight, cards| weight << 16 | u64::from(cards.ranks_in(suit)))
}

/// Returns how many of the 24 renamings lead to different cards: those that only swap suits of
/// equal weight do not. The weights are in order.
fn multiplicity(weights: [u64; 4]) -> u32 {
    let mut orders = 24;
    let mut alike = 1;
    for pair in weights.windows(2) {
        alike = if pair[0] == pair[1] { alike + 1 } else { 1 };
        orders /= alike;
    }
    orders
}

/// Returns the spot as a canonical form, if it is one.
fn as_canonical<const N: usize>(cards: [CardSet; N]) -> Option<Canonical<N>> {
    let weights = Suit::ALL.map(|suit| weight(&cards, suit));
    weights.is_sorted().then(|| Canonical {
        cards,
        multiplicity: multiplicity(weights),
        map: SuitMap::IDENTITY,
    })
}

/// Returns the canonical hole cards: 169 for 1,326.
pub fn holes() -> impl Iterator<Item = Canonical<1>> {
    CardSet::FULL.subsets(2).filter_map(|hole| as_canonical([hole]))
}

/// Returns the canonical flops: 1,755 for 22,100.
pub fn flops() -> impl Iterator<Item = Canonical<1>> {
    CardSet::FULL.subsets(3).filter_map(|flop| as_canonical([flop]))
}

/// Returns the canonical boards of five cards: 134,459 for 2,598,960.
///
/// Flop, turn and river are not distinguished.
pub fn boards() -> impl Iterator<Item = Canonical<1>> {
    CardSet::FULL.subsets(5).filter_map(|board| as_canonical([board]))
}

/// Returns the canonical flops, each with two hole cards: 1,286,792 for 25,989,600.
///
/// The flop is the first of the two sets, and itself canonical.
pub fn flops_with_holes() -> impl Iterator<Item = Canonical<2>> {
    flops().flat_map(|Canonical { cards: [flop], .. }| {
        (!flop).subsets(2).filter_map(move |hole| as_canonical([flop, hole]))
    })
}
