//! A round told in words, for those who look at it once it is over.
//!
//! Whoever shows a round needs no rules of his own: what happened, what the dealer would say at the
//! end, and why each wager ended as it did are all here.

mod reason;

use croupier_cards::{Card, CardSet};
use serde::Serialize;

use self::reason::{Told, named};
use crate::action::{Decision, Event};
use crate::amount::Amount;
use crate::bet::Bet;
use crate::edition::Edition;
use crate::game::Strength;
use crate::judge::Outcome;
use crate::record::{Cards, Record, RecordError, RoundResult, SeatResult};
use crate::seat::Seat;
use crate::settle::{Settled, WagerResult};
use crate::words::words;

/// A round told in words.
///
/// ```
/// use croupier_rules::{Catalog, Record, Telling};
///
/// let text = include_str!("../../../docs/round.jsonl");
/// let telling = Telling::of(&Record::read(text, &Catalog::shipped())?)?;
/// assert_eq!(telling.call, "The dealer has a pair of kings.");
/// assert_eq!(telling.seats[0].wagers[2].why, "flush pays 3 to 2");
/// assert_eq!(telling.bank.say, "The bank loses $65.");
/// # Ok::<(), croupier_rules::RecordError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Telling {
    /// What happened, in the order in which a dealer would call it.
    pub steps: Vec<Step>,
    /// What a dealer would say at the end: what he has, or that the round is void and why.
    #[cfg_attr(feature = "schema", schema(example = "The dealer has a pair of kings."))]
    pub call: String,
    /// All seats that wagered, in the order in which they were settled.
    pub seats: Vec<ToldSeat>,
    /// What the bank came out with.
    pub bank: ToldBank,
    /// What is printed on the felt: with which hands the dealer plays.
    #[cfg_attr(
        feature = "schema",
        schema(example = "The dealer needs a pair or better to qualify")
    )]
    pub inscription: String,
    /// How many seats the felt has.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 8, example = 7))]
    pub seat_count: u32,
}

words! {
    /// What a step of a round is about.
    StepKind {
        /// A player took the bank.
        Banked = "banked",
        /// A player wagered.
        Wagered = "wagered",
        /// A player took his wager back.
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

/// Something that happened in a round. What is not about it is not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Step {
    /// What it is about: `banked`, `wagered`, `withdrawn`, `no-more-bets`, `dealt`, `turned`,
    /// `decided`, `dealer-shown`, `judged`, `settled` or `void`.
    #[cfg_attr(feature = "schema", schema(value_type = String, example = "decided"))]
    pub kind: StepKind,
    /// What a dealer would say.
    #[cfg_attr(feature = "schema", schema(example = "Seat 1 checks."))]
    pub say: String,
    /// The seat that did it, or that it happened to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<u32>, nullable = false))]
    pub seat: Option<Seat>,
    /// The cards that were turned, those of the dealer, or those of the seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<String>>, nullable = false))]
    pub cards: Option<Cards>,
    /// What was decided, such as `bet 4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, nullable = false))]
    pub decision: Option<Decision>,
    /// Whether the table decided, for a player who was out of time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub by_table: bool,
    /// The wager that was settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, nullable = false))]
    pub bet: Option<Bet>,
    /// How the hand that was judged ended, or the wager that was settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, nullable = false))]
    pub outcome: Option<&'static str>,
}

/// What became of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ToldSeat {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1, maximum = 8, example = 1))]
    pub seat: Seat,
    /// What the player won, or lost if it is below zero.
    #[cfg_attr(feature = "schema", schema(value_type = i64, example = 6_500))]
    pub net: Amount,
    /// The same in words.
    #[cfg_attr(feature = "schema", schema(example = "Seat 1 wins $65."))]
    pub say: String,
    /// How the hand ended: `win`, `lose`, `push`, `fold` or `void`.
    #[cfg_attr(feature = "schema", schema(value_type = String, example = "win"))]
    pub outcome: Outcome,
    /// The hand.
    #[cfg_attr(feature = "schema", schema(example = "flush, ace high"))]
    pub hand: String,
    /// What became of each wager, in the order in which wagers of a seat are settled.
    pub wagers: Vec<ToldWager>,
}

/// What became of a wager, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ToldWager {
    /// The wager: `play`, `ante`, `blind` or `bonus`.
    #[cfg_attr(feature = "schema", schema(value_type = String, example = "blind"))]
    pub bet: Bet,
    /// What it is called on the felt.
    #[cfg_attr(feature = "schema", schema(value_type = String, example = "Blind"))]
    pub name: &'static str,
    /// What was staked.
    #[cfg_attr(feature = "schema", schema(value_type = i64, example = 1_000))]
    pub staked: Amount,
    /// All that goes back to the player, the stake included.
    #[cfg_attr(feature = "schema", schema(value_type = i64, example = 2_500))]
    pub returned: Amount,
    /// How it ended: `win`, `lose`, `push`, `returned` or `void`.
    #[cfg_attr(feature = "schema", schema(value_type = String, example = "win"))]
    pub result: WagerResult,
    /// What it should have been paid and was not.
    #[cfg_attr(feature = "schema", schema(value_type = i64, example = 0))]
    pub uncovered: Amount,
    /// Why it ended so, in a few words.
    #[cfg_attr(feature = "schema", schema(example = "flush pays 3 to 2"))]
    pub why: String,
}

/// What the bank came out with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ToldBank {
    /// What it won, or lost if it is below zero.
    #[cfg_attr(feature = "schema", schema(value_type = i64, example = -6_500))]
    pub net: Amount,
    /// The same in words.
    #[cfg_attr(feature = "schema", schema(example = "The bank loses $65."))]
    pub say: String,
}

impl Telling {
    /// Plays a round again, and tells it.
    ///
    /// # Errors
    ///
    /// Why it cannot be [replayed](Record::replay).
    pub fn of(record: &Record) -> Result<Self, RecordError> {
        let mut events = Vec::new();
        let result = record.replay(&mut events)?;
        Ok(Self::new(record, &events, &result))
    }

    /// Tells a round that was replayed: what happened in it, and what it came to.
    pub fn new(record: &Record, events: &[Event], result: &RoundResult) -> Self {
        Self::with_names(record, events, result, &|seat| format!("Seat {}", seat.number()))
    }

    /// Tells a round with other names for the seats.
    pub fn with_names(
        record: &Record,
        events: &[Event],
        result: &RoundResult,
        name: &dyn Fn(Seat) -> String,
    ) -> Self {
        Teller { record, result, name }.tell(events)
    }
}

/// Who tells a round.
#[derive(Clone, Copy)]
struct Teller<'a> {
    record: &'a Record,
    result: &'a RoundResult,
    name: &'a dyn Fn(Seat) -> String,
}

impl Teller<'_> {
    fn tell(self, events: &[Event]) -> Telling {
        let mut steps: Vec<Step> = Vec::new();
        for event in events {
            let step = self.step(event);
            // However many cards are dealt, it is one thing to say.
            let said = steps.last().is_some_and(|last| last.kind == StepKind::Dealt);
            if !(said && step.kind == StepKind::Dealt) {
                steps.push(step);
            }
        }
        let net = self.result.bank.net;
        let bank = ToldBank { net, say: format!("The bank {}.", in_money(net)) };
        let house = self.record.house();
        Telling {
            steps,
            call: self.call(),
            seats: self.seats(events),
            bank,
            inscription: house.inscription(),
            seat_count: house.seats(),
        }
    }

    /// Says what happened.
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
                step(StepKind::Turned, format!("The board: {cards}.")).showing(&cards)
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
                let cards = &self.result.dealer.cards;
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
        let of_seat = self.result.seats.iter().find(|settled| settled.seat == seat);
        let cards = of_seat.map_or_else(|| Cards(Vec::new()), |settled| settled.cards.clone());
        let did = match outcome {
            Outcome::Fold => "folded",
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
            WagerResult::Returned | WagerResult::Void => "goes back".to_owned(),
            WagerResult::Win if change == Amount::ZERO => "wins and is not paid".to_owned(),
            WagerResult::Win | WagerResult::Lose => in_money(change),
        };
        let say = format!("{}'s {} {did}.", (self.name)(seat), self.bet_name(bet));
        let said = Step::new(StepKind::Settled, say).of(seat);
        Step { bet: Some(bet), outcome: Some(result.id()), ..said }
    }

    fn call(self) -> String {
        if let Some(reason) = &self.record.text().void {
            return void(reason);
        }
        let dealer = &self.result.dealer;
        let but = if dealer.qualifies { "" } else { " and does not qualify" };
        format!("The dealer has {}{but}.", named(self.strength(&dealer.cards)))
    }

    /// Returns the seats in the order in which their hands were judged; if none was, by their
    /// numbers.
    fn seats(self, events: &[Event]) -> Vec<ToldSeat> {
        let turn = |wanted: Seat| {
            events
                .iter()
                .position(|event| matches!(event, Event::Judged { seat, .. } if *seat == wanted))
        };
        let mut seats: Vec<&SeatResult> = self.result.seats.iter().collect();
        seats.sort_by_key(|settled| turn(settled.seat));
        seats.into_iter().map(|settled| self.seat(settled, events)).collect()
    }

    fn seat(self, settled: &SeatResult, events: &[Event]) -> ToldSeat {
        let SeatResult { seat, net, outcome, .. } = *settled;
        let hand = self.strength(&settled.cards);
        let told = Told {
            house: self.record.house(),
            bonus: self.record.bonus(),
            dealer: self.strength(&self.result.dealer.cards),
            qualifies: self.result.dealer.qualifies,
            outcome,
            hand,
        };
        let in_order = events.iter().filter_map(|event| match *event {
            Event::Settled { seat: of, bet, settled } if of == seat => Some((bet, settled)),
            _ => None,
        });
        let mut in_order: Vec<(Bet, Settled)> = in_order.collect();
        // The first edition told them as the layout has them.
        if self.record.house().edition() == Edition::First {
            in_order.sort_by_key(|(bet, _)| *bet);
        }
        let wagers = in_order.into_iter().map(|(bet, wager)| {
            let Settled { staked, returned, result, uncovered } = wager;
            let (name, why) = (self.bet_name(bet), told.why(bet, &wager));
            ToldWager { bet, name, staked, returned, result, uncovered, why }
        });
        let say = format!("{} {}.", (self.name)(seat), in_money(net));
        ToldSeat { seat, net, say, outcome, hand: hand.to_string(), wagers: wagers.collect() }
    }

    fn strength(self, cards: &Cards) -> Strength {
        let set = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
        let game = self.record.house().game().def();
        (game.strength)(set(&cards.0), set(&self.result.community.0))
    }

    fn bet_name(self, bet: Bet) -> &'static str {
        match bet {
            Bet::Bonus => self.record.house().game().def().bonus,
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
