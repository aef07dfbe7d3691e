//! The view of a round that each viewer may have.

use croupier_cards::{Card, CardSet};

use crate::amount::Amount;
use crate::bet::ByBet;
use crate::seat::Seat;
use crate::settle::Settlement;

/// A viewer of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A player at a seat, who sees their own cards as soon as they are dealt.
    Seat(Seat),
    /// The player who banks, who sees their own cards only once they are turned.
    Bank,
    /// A spectator.
    Rail,
    /// A reader of the round once it is over.
    Auditor,
}

/// A round as one viewer may see it. A card that the viewer may not see is not in it.
///
/// During the round, that is the viewer's own cards and the part of the board that is turned. Once
/// the round is over, settled or void, every card that was dealt is open to all viewers, including
/// folded hands, because the shuffle is provable; the placard says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The community cards that are turned.
    pub community: Vec<Card>,
    /// The dealer's cards, once they are turned.
    pub dealer: Option<CardSet>,
    /// All seats that wagered, by their numbers.
    pub seats: Vec<SeatView>,
    /// The settlement, once the round is over.
    pub settlement: Option<Settlement>,
}

/// A seat as one viewer may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// Its stake on each bet.
    pub stakes: ByBet<Amount>,
    /// Whether it has folded.
    pub folded: bool,
    /// Whether it has a decision to make.
    pub to_decide: bool,
    /// Its cards, if the viewer may see them.
    pub cards: Option<CardSet>,
}
