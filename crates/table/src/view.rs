//! A table as one viewer may see it.

use croupier_cards::{Card, CardSet};
use croupier_rules::{
    Amount, Banker, ByBet, Cards, Decision, DeckColor, Seat, Street, StreetName, Viewer,
};
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
    /// When the table acts by itself: a player is out of time, or the next round opens. The only
    /// person at a table has no clock.
    pub deadline: Option<Time>,
    /// The seated players.
    pub seats: Vec<SeatedPlayerView>,
    /// The number of the open round, or of the last one.
    pub round_number: u64,
    /// The open round.
    pub round: Option<RoundView>,
}

/// A player at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeatedPlayerView {
    /// The seat.
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
    /// The street on which seats decide, once cards are out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub street: Option<StreetView>,
    /// The commitment to its seed.
    pub commitment: Hash,
    /// The color of its deck.
    pub deck_colour: DeckColor,
    /// The seat that the bank is offered to.
    pub offered: Option<Seat>,
    /// The player who banks, if a player does.
    pub banker: Option<BankerView>,
    /// The commitments of seats to their seeds.
    pub commitments: Vec<CommitmentView>,
    /// The seats that have yet to show their seeds.
    pub to_reveal: Vec<Seat>,
    /// The community cards that are face up.
    pub community: Cards,
    /// The seats that wagered.
    pub hands: Vec<HandView>,
}

/// A street.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StreetView {
    /// Its id: `pre-flop`, `flop`, `river`, or `three-cards`.
    #[cfg_attr(feature = "schema", schema(value_type = String, example = "flop"))]
    pub id: StreetName,
    /// The same in words.
    #[cfg_attr(feature = "schema", schema(value_type = String, example = "on the flop"))]
    pub title: &'static str,
}

impl From<&Street> for StreetView {
    fn from(street: &Street) -> Self {
        Self { id: street.name, title: street.name.title() }
    }
}

/// A seat's commitment to its seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CommitmentView {
    /// The seat.
    pub seat: Seat,
    /// The commitment.
    pub commitment: Hash,
}

/// A player who banks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BankerView {
    /// The seat.
    pub seat: Seat,
    /// The amount posted.
    pub wager: Amount,
}

/// A seat that wagered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HandView {
    /// The seat.
    pub seat: Seat,
    /// Its stake on each bet.
    pub stakes: ByBet<Amount>,
    /// Whether it has folded.
    pub folded: bool,
    /// Whether it has something to decide.
    pub to_decide: bool,
    /// Its decisions so far.
    pub actions: Vec<Decision>,
    /// Its cards, if they are the viewer's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<Cards>,
    /// The allowed decisions, if it is the viewer's turn to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decisions: Option<Vec<Decision>>,
    /// The same decisions, each with the amount that it puts in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub choices: Option<Vec<ChoiceView>>,
    /// The name of the hand so far, if it is the viewer's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, example = "pair of eights"))]
    pub name: Option<String>,
}

/// A decision that a viewer may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChoiceView {
    /// The decision.
    #[cfg_attr(feature = "schema", schema(value_type = String, example = "bet 4"))]
    pub decision: Decision,
    /// The amount that it puts in: the Play wager, or zero.
    #[cfg_attr(feature = "schema", schema(value_type = i64, example = 4_000))]
    pub amount: Amount,
}

impl ChoiceView {
    fn new(decision: Decision, ante: Amount) -> Self {
        let amount = match decision {
            Decision::Bet(times) => ante.times(times).unwrap_or_default(),
            Decision::Check | Decision::Fold => Amount::ZERO,
        };
        Self { decision, amount }
    }
}

impl Table {
    /// Returns the table as a player may see it, or as a viewer who only watches.
    pub fn view(&self, player: Option<&str>) -> TableView {
        let seats = self.seats().iter().map(|seated| SeatedPlayerView {
            seat: seated.seat,
            player: seated.player.clone(),
            out: seated.out,
            leaving: seated.leaving,
            you: player == Some(&seated.player),
        });
        TableView {
            table: self.name().to_owned(),
            version: self.version(),
            house: self.terms().house().id().to_owned(),
            bonus_paytable: self.terms().bonus().map(|table| table.id().to_owned()),
            clocks: self.terms().clocks().is_some(),
            paused: self.paused().map(str::to_owned),
            closed: self.is_closed(),
            deadline: self.shown_deadline(),
            seats: seats.collect(),
            round_number: self.round_number(),
            round: self.open_round().map(|open| self.view_round(open, player)),
        }
    }

    fn view_round(&self, open: &OpenRound, player: Option<&str>) -> RoundView {
        let (rail, banker) = (open.round.view(Viewer::Rail), open.round.banker());
        let game = self.terms().house().game();
        let hands = open.round.players().iter().map(|wager| {
            let own = player == Some(&wager.name);
            let viewer = if own { Viewer::Seat(wager.seat) } else { Viewer::Rail };
            let seen = open.round.view(viewer);
            let hand = seen.seats.iter().find(|hand| hand.seat == wager.seat);
            let to_decide = hand.is_some_and(|hand| hand.to_decide);
            let dealt = |cards: &CardSet| !cards.is_empty();
            let cards = hand.and_then(|hand| hand.cards).filter(dealt);
            let decisions = (own && to_decide).then(|| open.round.decisions(wager.seat));
            let board = seen.community.iter().copied().collect();
            let ante = wager.stakes.ante;
            HandView {
                seat: wager.seat,
                stakes: wager.stakes,
                folded: hand.is_some_and(|hand| hand.folded),
                to_decide,
                actions: open.round.actions(wager.seat).map(|(action, _)| action).collect(),
                cards: cards.map(|cards| Cards(cards.into_iter().collect::<Vec<Card>>())),
                choices: decisions.as_ref().map(|decisions| {
                    decisions.iter().map(|&decision| ChoiceView::new(decision, ante)).collect()
                }),
                decisions,
                name: cards.and_then(|cards| game.hand_so_far(cards, board)),
            }
        });
        RoundView {
            stage: open.stage,
            street: open.round.street().map(StreetView::from),
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
