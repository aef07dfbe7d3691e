//! A table as one viewer may see it.

use croupier_cards::{Card, CardSet};
use croupier_rules::{Amount, Banker, ByBet, Cards, Decision, DeckColour, Seat, Viewer};
use serde::Serialize;

use crate::hash::Hash;
use crate::open_round::{OpenRound, Stage};
use crate::table::Table;
use crate::time::Time;

/// Everything that a viewer may see of a table. It contains neither cards that are face down to the
/// viewer, nor any seed before its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableView {
    /// The table's name.
    pub table: String,
    /// The version of the journal that this view shows.
    pub version: u64,
    /// The house it plays.
    pub house: String,
    /// The bonus it offers.
    pub bonus_paytable: Option<String>,
    /// Whether it has clocks.
    pub clocks: bool,
    /// The reason why it is paused, if it is.
    pub paused: Option<String>,
    /// Whether it is closed for good.
    pub closed: bool,
    /// When the table acts by itself: a player is out of time, or the next round opens.
    pub deadline: Option<Time>,
    /// The seated players.
    pub seats: Vec<SitterView>,
    /// The number of the open round, or of the last one.
    pub round_number: u64,
    /// The open round.
    pub round: Option<RoundView>,
}

/// A player at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SitterView {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1, maximum = 8, example = 1))]
    pub seat: Seat,
    /// The player's name.
    pub player: String,
    /// Whether the player sits out.
    pub out: bool,
    /// Whether the player leaves after the round.
    pub leaving: bool,
    /// Whether the player is the viewer.
    pub you: bool,
}

/// The open round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RoundView {
    /// The stage of the round.
    pub stage: Stage,
    /// The commitment to its seed.
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub commitment: Hash,
    /// The color of its deck.
    #[cfg_attr(feature = "schema", schema(value_type = String, example = "red"))]
    pub deck_colour: DeckColour,
    /// The seat that the bank is offered to.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u32>))]
    pub offered: Option<Seat>,
    /// The player who banks, if a player does.
    pub banker: Option<BankerView>,
    /// The commitments of seats to their seeds.
    pub commitments: Vec<CommitmentView>,
    /// The seats that have yet to show their seeds.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<u32>))]
    pub to_reveal: Vec<Seat>,
    /// The community cards that are face up.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>, example = json!(["Qs"])))]
    pub community: Cards,
    /// The seats that wagered.
    pub hands: Vec<HandView>,
}

/// A seat's commitment to its seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CommitmentView {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1, maximum = 8, example = 1))]
    pub seat: Seat,
    /// The commitment.
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub commitment: Hash,
}

/// A player who banks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BankerView {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1, maximum = 8, example = 1))]
    pub seat: Seat,
    /// The amount posted.
    #[cfg_attr(feature = "schema", schema(value_type = i64, example = 50_000))]
    pub wager: Amount,
}

/// A seat that wagered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HandView {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1, maximum = 8, example = 1))]
    pub seat: Seat,
    /// Its stake on each bet.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<String, i64>))]
    pub stakes: ByBet<Amount>,
    /// Whether it has folded.
    pub folded: bool,
    /// Whether it has something to decide.
    pub to_decide: bool,
    /// Its decisions so far.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>, example = json!(["check"])))]
    pub actions: Vec<Decision>,
    /// Its cards, if they are the viewer's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<String>>))]
    pub cards: Option<Cards>,
    /// The allowed decisions, if it is the viewer's turn to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<String>>))]
    pub decisions: Option<Vec<Decision>>,
}

impl Table {
    /// Returns the table as a player may see it, or as a viewer who only watches.
    pub fn view(&self, player: Option<&str>) -> TableView {
        let seats = self.seats().iter().map(|sitter| SitterView {
            seat: sitter.seat,
            player: sitter.player.clone(),
            out: sitter.out,
            leaving: sitter.leaving,
            you: player == Some(&sitter.player),
        });
        TableView {
            table: self.name().to_owned(),
            version: self.version(),
            house: self.terms().house().id().to_owned(),
            bonus_paytable: self.terms().bonus().map(|table| table.id().to_owned()),
            clocks: self.terms().clocks().is_some(),
            paused: self.paused().map(str::to_owned),
            closed: self.is_closed(),
            deadline: self.next_deadline(),
            seats: seats.collect(),
            round_number: self.round_number(),
            round: self.open_round().map(|open| self.view_round(open, player)),
        }
    }

    fn view_round(&self, open: &OpenRound, player: Option<&str>) -> RoundView {
        let (rail, banker) = (open.round.view(Viewer::Rail), open.round.banker());
        let hands = open.round.players().iter().map(|wager| {
            let own = player == Some(&wager.name);
            let viewer = if own { Viewer::Seat(wager.seat) } else { Viewer::Rail };
            let seen = open.round.view(viewer);
            let hand = seen.seats.iter().find(|hand| hand.seat == wager.seat);
            let to_decide = hand.is_some_and(|hand| hand.to_decide);
            let dealt = |cards: &CardSet| !cards.is_empty();
            let cards = hand.and_then(|hand| hand.cards).filter(dealt);
            HandView {
                seat: wager.seat,
                stakes: wager.stakes,
                folded: hand.is_some_and(|hand| hand.folded),
                to_decide,
                actions: open.round.actions(wager.seat).map(|(action, _)| action).collect(),
                cards: cards.map(|cards| Cards(cards.into_iter().collect::<Vec<Card>>())),
                decisions: (own && to_decide).then(|| open.round.decisions(wager.seat)),
            }
        });
        RoundView {
            stage: open.stage,
            commitment: open.commitment,
            deck_colour: open.deck_colour,
            offered: self.offered(),
            banker: banker.map(|(Banker { seat, wager }, _)| BankerView { seat, wager }),
            commitments: open
                .commitments
                .iter()
                .map(|&(seat, commitment)| CommitmentView { seat, commitment })
                .collect(),
            to_reveal: self.to_reveal(),
            community: Cards(rail.community),
            hands: hands.collect(),
        }
    }
}
