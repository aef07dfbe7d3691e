//! A finished round in words.
//!
//! A program that shows a round needs no rules of its own: what happened, what the dealer would say
//! at the end, and why each wager ended as it did are all here.

mod comparison;
mod reason;

use croupier_cards::{Card, CardSet};
use serde::Serialize;

use self::comparison::Comparison;
use self::reason::{Facts, named};
use crate::action::{Decision, Event};
use crate::amount::Amount;
use crate::bet::Bet;
use crate::closed_set::closed_set;
use crate::edition::Edition;
use crate::finished::FinishedRound;
use crate::game::Strength;
use crate::judge::Outcome;
use crate::record::{Cards, Record, RecordError, SeatResult};
use crate::seat::Seat;
use crate::settle::{Settled, WagerResult};

/// A round in words.
///
/// ```
/// use croupier_rules::{Catalog, Record, Narration};
///
/// let text = include_str!("../../../docs/round.jsonl");
/// let narration = Narration::of(&Record::read(text, &Catalog::shipped())?)?;
/// assert_eq!(narration.call, "The dealer has a pair of kings.");
/// assert_eq!(narration.seats[0].wagers[2].why, "flush pays 3 to 2");
/// assert_eq!(narration.bank.say, "The bank loses $65.");
/// # Ok::<(), croupier_rules::RecordError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Narration {
    /// The events, in the order in which a dealer would call them.
    pub steps: Vec<Step>,
    /// The dealer's call at the end: the dealer's hand, or that the round is void and why.
    #[cfg_attr(feature = "schema", schema(example = "The dealer has a pair of kings."))]
    pub call: String,
    /// All seats that wagered, in the order in which they were settled.
    pub seats: Vec<NarratedSeat>,
    /// The bank's result.
    pub bank: NarratedBank,
    /// The text printed on the felt: the hands the dealer qualifies with.
    #[cfg_attr(
        feature = "schema",
        schema(example = "The dealer needs a pair or better to qualify")
    )]
    pub inscription: String,
    /// The number of seats on the felt.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 8, example = 7))]
    pub seat_count: u32,
}

closed_set! {
    /// The kind of a step of a round.
    StepKind {
        /// A player took the bank.
        Banked = "banked",
        /// A player wagered.
        Wagered = "wagered",
        /// A player withdrew a wager.
        Withdrawn = "withdrawn",
        /// Betting is closed.
        NoMoreBets = "no-more-bets",
        /// All cards were dealt, face down.
        Dealt = "dealt",
        /// Community cards were turned.
        Turned = "turned",
        /// A seat decided.
        Decided = "decided",
        /// The dealer's hand was turned.
        DealerShown = "dealer-shown",
        /// A seat's hand was shown and judged.
        Judged = "judged",
        /// A wager was settled.
        Settled = "settled",
        /// The round was stopped.
        Void = "void",
    }
}

/// A step of a round. Fields that don't apply to its kind are absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Step {
    /// The kind of step: `banked`, `wagered`, `withdrawn`, `no-more-bets`, `dealt`, `turned`,
    /// `decided`, `dealer-shown`, `judged`, `settled` or `void`.
    pub kind: StepKind,
    /// The dealer's words.
    #[cfg_attr(feature = "schema", schema(example = "Seat 1 checks."))]
    pub say: String,
    /// The seat that acted, or that the step is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub seat: Option<Seat>,
    /// The cards that were turned: the board's, the dealer's, or the seat's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub cards: Option<Cards>,
    /// The decision, such as `bet 4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub decision: Option<Decision>,
    /// Whether the table decided because the player's time ran out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub by_table: bool,
    /// The wager that was settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub bet: Option<Bet>,
    /// The outcome of the hand that was judged, or of the wager that was settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub outcome: Option<&'static str>,
}

/// A seat's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NarratedSeat {
    /// The seat.
    pub seat: Seat,
    /// The player's net win, negative for a loss.
    pub net: Amount,
    /// The same in words.
    #[cfg_attr(feature = "schema", schema(example = "Seat 1 wins $65."))]
    pub say: String,
    /// The outcome of the hand: `win`, `lose`, `push`, `fold` or `void`.
    pub outcome: Outcome,
    /// The hand.
    #[cfg_attr(feature = "schema", schema(example = "ace-high flush"))]
    pub hand: String,
    /// Why the better hand wins, down to the card that decides, in words for the seat's own
    /// player. Absent if the hand was not compared: it was folded, or the round is void.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schema(nullable = false, example = "Your nine plays: 8-8-A-K-9 beats 8-8-A-K-6")
    )]
    pub comparison: Option<String>,
    /// The same in words for all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schema(nullable = false, example = "Seat 1's nine plays: 8-8-A-K-9 beats 8-8-A-K-6")
    )]
    pub comparison_for_others: Option<String>,
    /// The result of each wager, in the order in which the seat's wagers are settled.
    pub wagers: Vec<NarratedWager>,
}

/// A wager's result, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NarratedWager {
    /// The wager: `play`, `ante`, `blind` or `bonus`.
    pub bet: Bet,
    /// Its name on the felt.
    pub name: &'static str,
    /// The stake.
    pub staked: Amount,
    /// The total returned to the player, including the stake.
    pub returned: Amount,
    /// The result: `win`, `lose`, `push`, `returned` or `void`.
    pub result: WagerResult,
    /// The part of the payoff that was due but not paid.
    pub uncovered: Amount,
    /// The reason for the result, in a few words.
    #[cfg_attr(feature = "schema", schema(example = "flush pays 3 to 2"))]
    pub why: String,
}

/// The bank's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NarratedBank {
    /// The bank's net win, negative for a loss.
    pub net: Amount,
    /// The same in words.
    #[cfg_attr(feature = "schema", schema(example = "The bank loses $65."))]
    pub say: String,
}

impl Narration {
    /// Replays a round and tells it in words.
    ///
    /// # Errors
    ///
    /// The reason it can't be [replayed](Record::replay).
    pub fn of(record: &Record) -> Result<Self, RecordError> {
        Ok(Self::new(&record.replay()?))
    }

    /// Tells a round in words.
    pub fn new(round: &FinishedRound) -> Self {
        Self::with_names(round, &|seat| format!("Seat {}", seat.number()))
    }

    /// Tells a round in words, with other names for the seats.
    pub fn with_names(round: &FinishedRound, name: &dyn Fn(Seat) -> String) -> Self {
        Narrator { round, name }.narrate()
    }
}

/// The state needed to tell a round in words.
#[derive(Clone, Copy)]
struct Narrator<'a> {
    round: &'a FinishedRound,
    name: &'a dyn Fn(Seat) -> String,
}

impl Narrator<'_> {
    fn narrate(self) -> Narration {
        let mut steps: Vec<Step> = Vec::new();
        for event in &self.round.events {
            let step = self.step(event);
            // All dealt cards are one step, however many there are.
            let said = steps.last().is_some_and(|last| last.kind == StepKind::Dealt);
            if !(said && step.kind == StepKind::Dealt) {
                steps.push(step);
            }
        }
        let net = self.round.result.bank.net;
        let bank = NarratedBank { net, say: format!("The bank {}.", in_money(net)) };
        let house = &self.round.house;
        Narration {
            steps,
            call: self.call(),
            seats: self.seats(),
            bank,
            inscription: house.inscription(),
            seat_count: house.seats(),
        }
    }

    /// Returns an event in words.
    fn step(self, event: &Event) -> Step {
        let who = |seat: &Seat| (self.name)(*seat);
        let step = |kind, say| Step::new(kind, say);
        match event {
            Event::Banked { seat, wager } => {
                step(StepKind::Banked, format!("{} banks with {wager}.", who(seat))).of(*seat)
            }
            Event::Wagered { seat, ante, bonus } => {
                let bonus = match *bonus {
                    Amount::ZERO => String::new(),
                    bonus => format!(", {} {bonus}", self.bet_name(Bet::Bonus)),
                };
                let say = format!("{}: Ante {ante}, Blind {ante}{bonus}.", who(seat));
                step(StepKind::Wagered, say).of(*seat)
            }
            Event::Withdrawn { seat } => {
                step(StepKind::Withdrawn, format!("{} takes the wager back.", who(seat))).of(*seat)
            }
            Event::BettingClosed => step(StepKind::NoMoreBets, "No more bets.".to_owned()),
            Event::Dealt { .. } => step(StepKind::Dealt, "The cards are dealt.".to_owned()),
            Event::Turned(cards) => {
                let cards = Cards(cards.clone());
                let name = if cards.0.len() == 3 { "flop" } else { "turn and river" };
                step(StepKind::Turned, format!("The {name}: {cards}.")).showing(&cards)
            }
            Event::Decided { seat, decision, by_table } => {
                let did = match decision {
                    Decision::Check => "checks".to_owned(),
                    Decision::Fold => "folds".to_owned(),
                    Decision::Bet(times) => format!("bets {times}x"),
                };
                let by = if *by_table { ", out of time" } else { "" };
                let said = step(StepKind::Decided, format!("{} {did}{by}.", who(seat))).of(*seat);
                Step { decision: Some(*decision), by_table: *by_table, ..said }
            }
            Event::DealerShown { shown, qualifies } => {
                let cards = &self.round.result.dealer.cards;
                let but = if *qualifies { "" } else { ", and does not qualify" };
                let say = format!("The dealer shows {cards}: {}{but}.", shown.strength);
                step(StepKind::DealerShown, say).showing(cards)
            }
            Event::Judged { seat, outcome, shown } => self.judged(*seat, *outcome, shown.strength),
            Event::Settled { seat, bet, settled } => self.settled(*seat, *bet, settled),
            Event::Voided(reason) => step(StepKind::Void, void(reason)),
        }
    }

    fn judged(self, seat: Seat, outcome: Outcome, strength: Strength) -> Step {
        let of_seat = self.round.result.seats.iter().find(|settled| settled.seat == seat);
        let cards = of_seat.map_or_else(|| Cards(Vec::new()), |settled| settled.cards.clone());
        let did = match outcome {
            Outcome::Fold => "had",
            Outcome::Win => "wins with",
            Outcome::Lose => "loses with",
            Outcome::Push | Outcome::Void => "ties with",
        };
        let say = format!("{} {did} {cards}: {strength}.", (self.name)(seat));
        let said = Step::new(StepKind::Judged, say).of(seat).showing(&cards);
        Step { outcome: Some(outcome.id()), ..said }
    }

    fn settled(self, seat: Seat, bet: Bet, settled: &Settled) -> Step {
        let Settled { staked, returned, result, .. } = *settled;
        let change = returned.minus(staked).unwrap_or_default();
        let did = match result {
            WagerResult::Push => "pushes".to_owned(),
            WagerResult::Returned | WagerResult::Void => "is returned".to_owned(),
            WagerResult::Win if change == Amount::ZERO => {
                "has no action and is returned".to_owned()
            }
            WagerResult::Win | WagerResult::Lose => in_money(change),
        };
        let say = format!("{}'s {} {did}.", (self.name)(seat), self.bet_name(bet));
        let said = Step::new(StepKind::Settled, say).of(seat);
        Step { bet: Some(bet), outcome: Some(result.id()), ..said }
    }

    fn call(self) -> String {
        let voided = self.round.events.iter().find_map(|event| match event {
            Event::Voided(reason) => Some(void(reason)),
            _ => None,
        });
        voided.unwrap_or_else(|| self.dealer_call())
    }

    fn dealer_call(self) -> String {
        let dealer = &self.round.result.dealer;
        let but = if dealer.qualifies { "" } else { " and does not qualify" };
        format!("The dealer has {}{but}.", named(self.strength(&dealer.cards)))
    }

    /// Returns the seats in the order in which their hands were judged, or by number if no hand was
    /// judged.
    fn seats(self) -> Vec<NarratedSeat> {
        let turn = |wanted: Seat| {
            self.round
                .events
                .iter()
                .position(|event| matches!(event, Event::Judged { seat, .. } if *seat == wanted))
        };
        let mut seats: Vec<&SeatResult> = self.round.result.seats.iter().collect();
        seats.sort_by_key(|settled| turn(settled.seat));
        seats.into_iter().map(|settled| self.seat(settled)).collect()
    }

    fn seat(self, settled: &SeatResult) -> NarratedSeat {
        let SeatResult { seat, net, outcome, .. } = *settled;
        let hand = self.strength(&settled.cards);
        let facts = Facts {
            house: &self.round.house,
            bonus: self.round.bonus.as_deref(),
            dealer: self.strength(&self.round.result.dealer.cards),
            qualifies: self.round.result.dealer.qualifies,
            outcome,
            hand,
        };
        let in_order = self.round.events.iter().filter_map(|event| match *event {
            Event::Settled { seat: of, bet, settled } if of == seat => Some((bet, settled)),
            _ => None,
        });
        let mut in_order: Vec<(Bet, Settled)> = in_order.collect();
        // The first edition told them in the order of the layout.
        if self.round.house.edition() == Edition::First {
            in_order.sort_by_key(|(bet, _)| *bet);
        }
        let wagers = in_order.into_iter().map(|(bet, wager)| {
            let Settled { staked, returned, result, uncovered } = wager;
            let (name, why) = (self.bet_name(bet), facts.why(bet, &wager));
            NarratedWager { bet, name, staked, returned, result, uncovered, why }
        });
        let name = (self.name)(seat);
        let comparison = matches!(outcome, Outcome::Win | Outcome::Lose | Outcome::Push)
            .then(|| Comparison { hand, dealer: facts.dealer, board: self.board() });
        NarratedSeat {
            seat,
            net,
            say: format!("{name} {}.", in_money(net)),
            outcome,
            hand: hand.to_string(),
            comparison: comparison.map(|hands| hands.words("Your")),
            comparison_for_others: comparison.map(|hands| hands.words(&format!("{name}'s"))),
            wagers: wagers.collect(),
        }
    }

    /// Returns the strength of the board by itself, in a game that has one.
    fn board(self) -> Option<Strength> {
        let board = self.round.result.community.0.iter().copied().collect::<CardSet>();
        let game = self.round.house.game().def();
        (!board.is_empty()).then(|| (game.strength)(CardSet::EMPTY, board))
    }

    fn strength(self, cards: &Cards) -> Strength {
        let set = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
        let game = self.round.house.game().def();
        (game.strength)(set(&cards.0), set(&self.round.result.community.0))
    }

    fn bet_name(self, bet: Bet) -> &'static str {
        match bet {
            Bet::Bonus => self.round.house.game().def().bonus,
            bet => bet.name(),
        }
    }
}

impl Step {
    const fn new(kind: StepKind, say: String) -> Self {
        let (seat, cards, decision, by_table) = (None, None, None, false);
        Self { kind, say, seat, cards, decision, by_table, bet: None, outcome: None }
    }

    fn of(self, seat: Seat) -> Self {
        Self { seat: Some(seat), ..self }
    }

    fn showing(self, cards: &Cards) -> Self {
        Self { cards: Some(cards.clone()), ..self }
    }
}

fn void(reason: &str) -> String {
    format!("The round is void: {reason}.")
}

fn in_money(net: Amount) -> String {
    match net.as_cents() {
        0 => "breaks even".to_owned(),
        1.. => format!("wins {net}"),
        _ => format!("loses {}", Amount::ZERO.minus(net).unwrap_or(net)),
    }
}
