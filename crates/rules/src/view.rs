//! What each eye may see.

use croupier_cards::{Card, CardSet};

use crate::amount::Amount;
use crate::bet::ByBet;
use crate::seat::Seat;
use crate::settle::Settlement;

/// Whose eye it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A player at a seat. He sees his own cards from the moment they are dealt.
    Seat(Seat),
    /// The player who banks. He sees his cards when they are turned, and not before.
    Bank,
    /// Somebody who only watches.
    Rail,
    /// Somebody who looks into the round once it is over.
    Auditor,
}

/// A round as one viewer may see it. A card that he may not see is not in it.
///
/// While the round goes on, that is his own cards and the board as far as it is turned. Once it is
/// over, settled or void, all that was dealt is open to everybody, folded hands included, because
/// the shuffle is provable; the placard says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The community cards that are turned.
    pub community: Vec<Card>,
    /// The dealer's cards, once they are turned.
    pub dealer: Option<CardSet>,
    /// All seats that wagered, by their numbers.
    pub seats: Vec<SeatView>,
    /// What the round came to, once it is over.
    pub settlement: Option<Settlement>,
}

/// A seat as one viewer may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// What it has on each bet.
    pub stakes: ByBet<Amount>,
    /// Whether it has folded.
    pub folded: bool,
    /// Whether it has something to decide.
    pub to_decide: bool,
    /// Its cards, if the viewer may see them.
    pub cards: Option<CardSet>,
}
