//! The text of one round.
//!
//! What the engine replays, tables export and verifiers check: one JSON object with the house, the
//! deck in the order in which it was dealt, and what every seat wagered and did. `docs/record.md`
//! specifies it.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use croupier_cards::{Card, CardSet, Deck, parse_cards};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::{Action, Actor, Decision, Event, Place};
use crate::amount::Amount;
use crate::bet::ByBet;
use crate::catalog::Catalog;
use crate::house::House;
use crate::judge::{Judge, Outcome, Shown};
use crate::paytable::PayTable;
use crate::round::Round;
use crate::seat::Seat;
use crate::settle::Settled;

/// The format that this version reads and writes.
pub const FORMAT: &str = "croupier-round/1";

/// A round as it was written down, ready to be played again.
#[derive(Clone, Debug)]
pub struct Record {
    /// The record as it was given.
    written: String,
    text: Text,
    house: Arc<House>,
    bonus: Option<Arc<PayTable>>,
    deck: Deck,
}

/// The fields that matter to a replay.
#[derive(Clone, Debug, Deserialize)]
struct Text {
    format: String,
    house: Value,
    bonus_paytable: Option<String>,
    blind_paytable: Option<String>,
    deal: Option<String>,
    deck: CardsText,
    banker: Option<BankerText>,
    seats: Vec<SeatText>,
    void: Option<String>,
    result: Option<Value>,
}

/// Cards, one by one or run together.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum CardsText {
    List(Vec<String>),
    Together(String),
}

#[derive(Clone, Debug, Deserialize)]
struct BankerText {
    seat: u32,
    wager: Amount,
    player: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct SeatText {
    seat: u32,
    player: Option<String>,
    ante: Amount,
    blind: Option<Amount>,
    #[serde(default)]
    bonus: Amount,
    #[serde(default)]
    actions: Vec<String>,
    #[serde(default)]
    by_table: Vec<usize>,
}

/// What a replayed round came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoundResult {
    /// The cards in the middle.
    pub community: Vec<String>,
    /// The dealer's hand.
    pub dealer: DealerResult,
    /// All seats, by their numbers.
    pub seats: Vec<SeatResult>,
    /// What the bank came out with.
    pub bank: BankResult,
}

/// The dealer's hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DealerResult {
    /// The cards, as they were dealt.
    pub cards: Vec<String>,
    /// The kind of hand.
    pub hand: &'static str,
    /// The cards that make it.
    pub best: Vec<String>,
    /// Whether it qualifies.
    pub qualifies: bool,
}

/// What became of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatResult {
    /// The seat.
    pub seat: Seat,
    /// The cards, as they were dealt.
    pub cards: Vec<String>,
    /// The kind of hand.
    pub hand: &'static str,
    /// The cards that make it.
    pub best: Vec<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// What became of each wager.
    pub wagers: WagersResult,
    /// What the player won or lost.
    pub net: Amount,
}

/// What became of each wager; those not made are not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct WagersResult {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ante: Option<Settled>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blind: Option<Settled>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play: Option<Settled>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Settled>,
}

impl From<ByBet<Option<Settled>>> for WagersResult {
    fn from(by_bet: ByBet<Option<Settled>>) -> Self {
        let ByBet { ante, blind, play, bonus } = by_bet;
        Self { ante, blind, play, bonus }
    }
}

/// What the bank came out with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BankResult {
    /// What it won or lost.
    pub net: Amount,
}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and where.
    pub fn read(text: &str, catalog: &Catalog) -> Result<Self, RecordError> {
        let written = text.trim().to_owned();
        let text: Text = serde_json::from_str(&written)
            .map_err(|error| RecordError::new("", error.to_string()))?;
        if text.format != FORMAT {
            let message = format!("\"{}\" is unknown: write \"{FORMAT}\"", text.format);
            return Err(RecordError::new("format", message));
        }
        let house = read_house(&text, catalog)?;
        let bonus = read_bonus(&text, &house)?;
        let deck = read_deck(&text.deck)?;
        Ok(Self { written, text, house, bonus, deck })
    }

    /// Returns the house.
    pub fn house(&self) -> &House {
        &self.house
    }

    /// Returns the name of the player at a seat, if the record tells it.
    pub fn player(&self, seat: Seat) -> Option<&str> {
        let banker = self.text.banker.iter().map(|banker| (banker.seat, &banker.player));
        let seats = self.text.seats.iter().map(|text| (text.seat, &text.player));
        let mut all = banker.chain(seats);
        all.find(|(number, _)| *number == seat.number())?.1.as_deref()
    }

    /// Plays the round again and returns what it came to, with all that happened on the way.
    ///
    /// # Errors
    ///
    /// What was not allowed, or what is missing. If the record has a result of its own, the first
    /// difference to what was found.
    pub fn replay(&self, events: &mut Vec<Event>) -> Result<RoundResult, RecordError> {
        let mut round = Round::new(Arc::clone(&self.house), self.bonus.clone());
        self.bet(&mut round, events)?;
        for &card in self.deck.cards() {
            if round.next_card().is_none() {
                break;
            }
            round.apply(Action::Deal(card), events).map_err(|refusal| refused("deck", &refusal))?;
        }
        if self.text.void.is_some() {
            round.hold();
        }
        self.decide(&mut round, events)?;
        if let Some(reason) = &self.text.void {
            let void = Action::Void(reason.clone());
            round.apply(void, events).map_err(|refusal| refused("void", &refusal))?;
        }
        let result = self.result(&round, events)?;
        self.compare(&result)?;
        Ok(result)
    }

    /// Returns the record with the result that its replay found added, on one line.
    ///
    /// # Panics
    ///
    /// Never: a result is plain data.
    pub fn with_result(&self, result: &RoundResult) -> String {
        // What is on one line stays as it was written.
        let one_line = !self.written.contains('\n');
        if one_line && self.text.result.is_some() {
            return self.written.clone();
        }
        match self.written.strip_suffix('}') {
            Some(open) if one_line && !open.contains("\"result\"") => {
                let result = serde_json::to_string(result).expect("plain data");
                format!("{},\"result\":{result}}}", open.trim_end())
            }
            _ => {
                let mut fields: Value =
                    serde_json::from_str(&self.written).expect("it was read before");
                fields["result"] = to_value(result);
                fields.to_string()
            }
        }
    }

    /// Makes the wagers and closes betting.
    fn bet(&self, round: &mut Round, events: &mut Vec<Event>) -> Result<(), RecordError> {
        if let Some(banker) = &self.text.banker {
            let seat = seat(banker.seat, "banker.seat")?;
            let player = name(banker.player.as_ref(), banker.seat);
            let action = Action::Bank { seat, player, wager: banker.wager };
            round.apply(action, events).map_err(|refusal| refused("banker", &refusal))?;
        }
        for (index, text) in self.text.seats.iter().enumerate() {
            let path = format!("seats[{index}]");
            let seat = seat(text.seat, &path)?;
            if self.text.seats[..index].iter().any(|other| other.seat == text.seat) {
                return Err(RecordError::new(path, format!("{seat} is there twice")));
            }
            let action = Action::Wager {
                seat,
                player: name(text.player.as_ref(), text.seat),
                ante: text.ante,
                blind: text.blind.unwrap_or(text.ante),
                bonus: text.bonus,
            };
            round.apply(action, events).map_err(|refusal| refused(&path, &refusal))?;
        }
        round.apply(Action::NoMoreBets, events).map_err(|refusal| refused("seats", &refusal))
    }

    /// Makes the decisions, street by street.
    fn decide(&self, round: &mut Round, events: &mut Vec<Event>) -> Result<(), RecordError> {
        let mut taken = vec![0; self.text.seats.len()];
        loop {
            let waiting: Vec<Seat> = round.to_decide().collect();
            let mut moved = false;
            for seat in waiting {
                let number = seat.number();
                let index = self.text.seats.iter().position(|text| text.seat == number);
                let index = index.expect("only seats of the record wagered");
                let (text, path) = (&self.text.seats[index], format!("seats[{index}].actions"));
                let Some(action) = text.actions.get(taken[index]) else {
                    if self.text.void.is_some() {
                        continue;
                    }
                    let message = format!("{seat} has a decision to make, and there is none");
                    return Err(RecordError::new(path, message));
                };
                let decision = read_decision(action, &path)?;
                let by = if text.by_table.contains(&taken[index]) {
                    Actor::Table
                } else {
                    Actor::Player(name(text.player.as_ref(), number))
                };
                round
                    .apply(Action::Decide { seat, by, decision }, events)
                    .map_err(|refusal| refused(&format!("{path}[{}]", taken[index]), &refusal))?;
                taken[index] += 1;
                moved = true;
            }
            if !moved {
                break;
            }
        }
        for (index, (text, taken)) in self.text.seats.iter().zip(taken).enumerate() {
            if let Some(wrong) = text.by_table.iter().find(|&&action| action >= text.actions.len())
            {
                let path = format!("seats[{index}].by_table");
                return Err(RecordError::new(path, format!("there is no action {wrong}")));
            }
            if taken < text.actions.len() {
                let path = format!("seats[{index}].actions[{taken}]");
                return Err(RecordError::new(path, "there is nothing left to decide"));
            }
        }
        Ok(())
    }

    /// Puts the result together from what was dealt and settled.
    fn result(&self, round: &Round, events: &[Event]) -> Result<RoundResult, RecordError> {
        let dealt = |wanted: Place| -> Vec<Card> {
            let cards = events.iter().filter_map(|event| match event {
                Event::Dealt { place, card } if *place == wanted => Some(*card),
                _ => None,
            });
            cards.collect()
        };
        let Some(settlement) = round.settlement() else {
            return Err(RecordError::new("seats", "the round has not come to its end"));
        };
        let (community, dealer) = (dealt(Place::Community), dealt(Place::Dealer));
        let set = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
        let (game, qualifying) = (self.house.game(), self.house.qualifying());
        let judge = Judge::new(game, qualifying, set(&community), set(&dealer));
        let seats = settlement.seats.iter().map(|settled| {
            let cards = dealt(Place::Seat(settled.seat));
            let folded = events.iter().any(|event| {
                let Event::Decided { seat, decision, .. } = event else { return false };
                *seat == settled.seat && *decision == Decision::Fold
            });
            let (outcome, shown) = judge.judge(set(&cards), folded);
            let outcome = if self.text.void.is_some() { Outcome::Void } else { outcome };
            let (hand, best) = hand_and_best(&shown);
            SeatResult {
                seat: settled.seat,
                cards: words(&cards),
                hand,
                best,
                outcome,
                wagers: settled.wagers.into(),
                net: settled.net,
            }
        });
        let seats = seats.collect();
        let (hand, best) = hand_and_best(judge.dealer());
        Ok(RoundResult {
            community: words(&community),
            dealer: DealerResult {
                cards: words(&dealer),
                hand,
                best,
                qualifies: judge.qualifies(),
            },
            seats,
            bank: BankResult { net: settlement.bank_net },
        })
    }

    /// Compares a result that was written down with the one that was found.
    fn compare(&self, found: &RoundResult) -> Result<(), RecordError> {
        let Some(written) = &self.text.result else { return Ok(()) };
        match first_difference(written, &to_value(found), "result") {
            Some((path, message)) => Err(RecordError::new(path, message)),
            None => Ok(()),
        }
    }
}

fn to_value(result: &RoundResult) -> Value {
    serde_json::to_value(result).expect("plain data")
}

fn words(cards: &[Card]) -> Vec<String> {
    cards.iter().map(Card::to_string).collect()
}

fn hand_and_best(shown: &Shown) -> (&'static str, Vec<String>) {
    (shown.strength.category().id(), words(&shown.best))
}

fn name(player: Option<&String>, seat: u32) -> String {
    // No player has such a name.
    player.cloned().unwrap_or_else(|| format!("\0{seat}"))
}

fn seat(number: u32, path: &str) -> Result<Seat, RecordError> {
    let message = || RecordError::new(path, format!("there is no seat {number} at any table"));
    Seat::new(number).ok_or_else(message)
}

fn refused(path: &str, refusal: &crate::refusal::Refusal) -> RecordError {
    RecordError::new(path, refusal.to_string())
}

/// Finds the house, or reads one that is written out, and puts in what the record says otherwise.
fn read_house(text: &Text, catalog: &Catalog) -> Result<Arc<House>, RecordError> {
    let house = match &text.house {
        Value::String(id) => {
            let house = catalog.house(id);
            Arc::clone(house.map_err(|unknown| RecordError::new("house", unknown.to_string()))?)
        }
        written => House::from_json(written, catalog.paytables())
            .map(Arc::new)
            .map_err(|faults| RecordError::new("house", faults.to_string()))?,
    };
    let changes = [("deal", &text.deal), ("blind_paytable", &text.blind_paytable)];
    if changes.iter().all(|(_, change)| change.is_none()) {
        return Ok(house);
    }
    let mut written = serde_json::to_value(&*house).expect("plain data");
    for (field, change) in changes {
        if let Some(change) = change {
            written[field] = change.clone().into();
        }
    }
    House::from_json(&written, catalog.paytables())
        .map(Arc::new)
        .map_err(|faults| RecordError::new("", faults.to_string()))
}

fn read_bonus(text: &Text, house: &House) -> Result<Option<Arc<PayTable>>, RecordError> {
    let tables = house.bonus_paytables();
    let Some(id) = &text.bonus_paytable else { return Ok(tables.first().cloned()) };
    let found = tables.iter().find(|table| table.id() == id).cloned();
    let message = || {
        let known: Vec<&str> = tables.iter().map(|table| table.id()).collect();
        let message = format!("the house has no \"{id}\": write one of {}", known.join(", "));
        RecordError::new("bonus_paytable", message)
    };
    found.map(Some).ok_or_else(message)
}

fn read_deck(text: &CardsText) -> Result<Deck, RecordError> {
    let cards = match text {
        CardsText::List(cards) => (0..)
            .zip(cards)
            .map(|(index, card): (usize, &String)| {
                let path = || format!("deck[{index}]");
                card.parse::<Card>().map_err(|error| RecordError::new(path(), error.to_string()))
            })
            .collect::<Result<Vec<_>, _>>()?,
        CardsText::Together(cards) => {
            parse_cards(cards).map_err(|error| RecordError::new("deck", error.to_string()))?
        }
    };
    Deck::try_from(&cards[..]).map_err(|error| RecordError::new("deck", error.to_string()))
}

fn read_decision(text: &str, path: &str) -> Result<Decision, RecordError> {
    let bet = || {
        let times = text.strip_prefix("bet ")?.trim();
        times.parse().ok().filter(|_| !times.starts_with('+')).map(Decision::Bet)
    };
    match text {
        "check" => Ok(Decision::Check),
        "fold" => Ok(Decision::Fold),
        _ => bet().ok_or_else(|| {
            RecordError::new(path, format!("\"{text}\" is unknown: write check, fold, or bet N"))
        }),
    }
}

/// Returns where two results differ first, and how.
fn first_difference(written: &Value, found: &Value, path: &str) -> Option<(String, String)> {
    match (written, found) {
        (Value::Object(written), Value::Object(found)) => {
            let names =
                found.keys().chain(written.keys().filter(|name| !found.contains_key(*name)));
            names.into_iter().find_map(|name| {
                let path = format!("{path}.{name}");
                match (written.get(name), found.get(name)) {
                    (Some(written), Some(found)) => first_difference(written, found, &path),
                    (written, found) => Some(differs(path, written, found)),
                }
            })
        }
        (Value::Array(written), Value::Array(found)) => (0..written.len().max(found.len()))
            .find_map(|index| {
                let path = format!("{path}[{index}]");
                match (written.get(index), found.get(index)) {
                    (Some(written), Some(found)) => first_difference(written, found, &path),
                    (written, found) => Some(differs(path, written, found)),
                }
            }),
        (Value::String(written), Value::String(found))
            if written.parse::<Card>().is_ok_and(|card| found.parse() == Ok(card)) =>
        {
            None
        }
        _ => (written != found).then(|| differs(path.to_owned(), Some(written), Some(found))),
    }
}

fn differs(path: String, written: Option<&Value>, found: Option<&Value>) -> (String, String) {
    let show = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
    (path, format!("the record says {}, and the replay finds {}", show(written), show(found)))
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    field: String,
    message: String,
}

impl RecordError {
    fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }

    /// Returns the field, such as `seats[0].ante`; empty if it is about no field in particular.
    pub fn field(&self) -> &str {
        &self.field
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

impl Error for RecordError {}
