//! The decisions in every spot of the game.

use croupier_cards::{Card, CardSet, Five, Suit};

use super::kinds::{KINDS, RANKS};
use super::sweep::{Counts, Holding};
use crate::hole_kind::HoleKind;

/// The decisions in every spot.
#[derive(Debug)]
pub(crate) struct Policy<'a, R> {
    /// The multiples of the ante that may be bet before the flop.
    pub(crate) raises: &'a [u32],
    pub(crate) qualifying: bool,
    /// The raise that each kind of hole makes, if any.
    pub(crate) before_flop: [Option<usize>; HoleKind::MANY],
    pub(crate) flops: &'a [FlopChoice],
    /// Decides on the river. It may depend only on the fields of a spot.
    pub(crate) on_river: R,
}

/// The decision on the river.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RiverChoice {
    pub(crate) bets: bool,
    /// The rule that decided, if rules decide, and its loss against the best choice, over the
    /// dealer's hands.
    pub(crate) rule: Option<(usize, i64)>,
}

/// A hole on a board, reduced to what matters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RiverSpot<'a> {
    /// The ranks in the marked suit, as bits; none, if no flush is possible.
    pub(crate) suited: u16,
    /// The ranks on the board, lowest first.
    pub(crate) ranks: &'a [u8; 5],
    pub(crate) holding: Holding,
    pub(crate) counts: Counts,
}

impl<'a> RiverSpot<'a> {
    /// Returns two cards on a board, whose ranks are given separately. Their results are not
    /// counted, and neither are other holes like them.
    pub(crate) fn of(hole: [Card; 2], board: CardSet, ranks: &'a [u8; 5]) -> Self {
        let marked = Suit::ALL.into_iter().find(|&suit| board.of_suit(suit).len() >= 3);
        let kind = |card: Card| {
            let place = if Some(card.suit()) == marked { RANKS } else { 0 };
            u8::try_from(card.rank() as usize + place).expect("below 26")
        };
        let [one, other] = hole.map(kind);
        let five = Five::of(board | CardSet::from(hole));
        Self {
            suited: marked.map_or(0, |suit| board.ranks_in(suit)),
            ranks,
            holding: Holding::new(five, one.min(other), one.max(other), &[0; KINDS]),
            counts: Counts::default(),
        }
    }
}

/// Returns the ranks of the five cards of a board, lowest first.
pub(crate) fn ranks_of_board(board: CardSet) -> [u8; 5] {
    let mut ranks = [0; 5];
    for (place, card) in ranks.iter_mut().zip(board) {
        *place = card.rank() as u8;
    }
    ranks.sort_unstable();
    ranks
}

/// The holes that bet on a flop.
#[derive(Clone, Debug)]
pub(crate) struct FlopChoice {
    pub(crate) flop: CardSet,
    /// How many flops are the same apart from the names of their suits.
    pub(crate) multiplicity: i32,
    /// A bit for every hole, in the order of [`holes_on`].
    betting: [u64; 19],
}

impl FlopChoice {
    /// Decides for every hole whether it bets.
    pub(crate) fn new(
        flop: CardSet,
        multiplicity: i32,
        mut bets: impl FnMut(Card, Card) -> bool,
    ) -> Self {
        let mut betting = [0; 19];
        for (number, (one, other)) in holes_on(flop).enumerate() {
            betting[number / 64] |= u64::from(bets(one, other)) << (number % 64);
        }
        Self { flop, multiplicity, betting }
    }

    /// Returns the holes that bet.
    pub(crate) fn bets(&self) -> impl Iterator<Item = (Card, Card)> {
        let bit = |number: usize| self.betting[number / 64] >> (number % 64) & 1 == 1;
        holes_on(self.flop)
            .enumerate()
            .filter(move |&(number, _)| bit(number))
            .map(|(_, hole)| hole)
    }
}

/// Returns the 1,176 holes that a flop leaves.
fn holes_on(flop: CardSet) -> impl Iterator<Item = (Card, Card)> {
    let cards = !flop;
    cards.into_iter().flat_map(move |one| {
        cards.into_iter().take_while(move |&other| other != one).map(move |other| (one, other))
    })
}
