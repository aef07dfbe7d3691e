//! A table as one person may see it.

use croupier_cards::{Card, CardSet};
use croupier_rules::{Amount, ByBet, Cards, Decision, DeckColour, Seat, Viewer};
use serde::Serialize;

use crate::hash::Hash;
use crate::open_round::{OpenRound, Stage};
use crate::table::Table;
use crate::time::Time;

/// All that somebody may see of a table. What he may not see is not in it: neither cards that are
/// face down to him, nor any seed before its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableView {
    /// The table's name.
    pub table: String,
    /// The version of its journal that this shows.
    pub version: u64,
    /// The house it plays.
    pub house: String,
    /// The bonus it offers.
    pub bonus_paytable: Option<String>,
    /// Whether it has clocks.
    pub clocks: bool,
    /// Why it is paused, if it is.
    pub paused: Option<String>,
    /// Whether it is closed for good.
    pub closed: bool,
    /// When it does something by itself: somebody is out of time, or the next round opens.
    pub deadline: Option<Time>,
    /// Who sits where.
    pub seats: Vec<SitterView>,
    /// The number of the open round, or of the last one.
    pub round_number: u64,
    /// The open round.
    pub round: Option<RoundView>,
}

/// Somebody at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SitterView {
    /// His seat.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1, maximum = 8, example = 1))]
    pub seat: Seat,
    /// His name.
    pub player: String,
    /// Whether he sits out.
    pub out: bool,
    /// Whether he leaves after the round.
    pub leaving: bool,
    /// Whether he is who looks.
    pub you: bool,
}

/// The open round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RoundView {
    /// How far it has come.
    pub stage: Stage,
    /// What is shown of its seed.
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub commitment: Hash,
    /// The colour of its deck.
    #[cfg_attr(feature = "schema", schema(value_type = String, example = "red"))]
    pub deck_colour: DeckColour,
    /// To whom the bank is offered.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u32>))]
    pub offered: Option<Seat>,
    /// Who banks, where a player does.
    pub banker: Option<BankerView>,
    /// What seats committed their seeds to.
    pub commitments: Vec<CommitmentView>,
    /// The seats that have still to show theirs.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<u32>))]
    pub to_reveal: Vec<Seat>,
    /// The community cards that are turned.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>, example = json!(["Qs"])))]
    pub community: Cards,
    /// The seats that wagered.
    pub hands: Vec<HandView>,
}

/// What a seat committed its seed to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CommitmentView {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1, maximum = 8, example = 1))]
    pub seat: Seat,
    /// What it showed.
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub commitment: Hash,
}

/// A player who banks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BankerView {
    /// His seat.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1, maximum = 8, example = 1))]
    pub seat: Seat,
    /// What he posted.
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
    /// What it has on each bet.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<String, i64>))]
    pub stakes: ByBet<Amount>,
    /// Whether it has folded.
    pub folded: bool,
    /// Whether it has something to decide.
    pub to_decide: bool,
    /// What it decided so far.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>, example = json!(["check"])))]
    pub actions: Vec<Decision>,
    /// Its cards, if they are one's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<String>>))]
    pub cards: Option<Cards>,
    /// What may be decided now, if it is one's own to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<String>>))]
    pub decisions: Option<Vec<Decision>>,
}

impl Table {
    /// Returns the table as a player may see it, or as anybody may who only watches.
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
        let rail = open.round.view(Viewer::Rail);
        let hands = open.wagers.iter().map(|wager| {
            let own = player == Some(&wager.player);
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
                actions: wager.actions.clone(),
                cards: cards.map(|cards| Cards(cards.into_iter().collect::<Vec<Card>>())),
                decisions: (own && to_decide).then(|| open.round.decisions(wager.seat)),
            }
        });
        RoundView {
            stage: open.stage,
            commitment: open.commitment,
            deck_colour: open.deck_colour,
            offered: self.offered(),
            banker: open
                .bank
                .as_ref()
                .map(|bank| BankerView { seat: bank.seat, wager: bank.wager }),
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
