//! The record of one round.
//!
//! The engine replays it, tables export it and verifiers check it: one JSON object with the house,
//! the deck in the order in which it was dealt, and every seat's wagers and decisions.
//! `docs/record.md` specifies it.

mod malformed;
mod result;
mod text;

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use croupier_cards::Deck;
use serde_json::Value;

use self::malformed::malformed;
pub use self::result::{BankResult, Cards, DealerResult, RoundResult, SeatResult, WagersResult};
pub use self::text::{BankerText, DeckText, RecordText, SeatText};
use crate::action::{Action, Actor, Decision, ParseDecisionError};
use crate::catalog::Catalog;
use crate::edition::Edition;
use crate::finished::FinishedRound;
use crate::house::House;
use crate::paytable::PayTable;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::seat::Seat;

/// The format that this version reads and writes.
pub const FORMAT: &str = "croupier-round/1";

/// A recorded round, ready to be replayed.
#[derive(Clone, Debug)]
pub struct Record {
    /// The record as given.
    written: String,
    text: RecordText,
    unknown_fields: Vec<String>,
    house: Arc<House>,
    bonus: Option<Arc<PayTable>>,
    deck: Deck,
}

impl Record {
    /// The most pay tables a record may include. Reading each one takes time, and a record may come
    /// from an untrusted source.
    pub const PAYTABLES_MAX: usize = 16;

    /// Reads a record.
    ///
    /// # Errors
    ///
    /// The first fault, and where it is.
    pub fn read(text: &str, catalog: &Catalog) -> Result<Self, RecordError> {
        let written = text.trim();
        // Serde would also read a list of the values in field order, which could not be printed.
        if written.starts_with('[') {
            let message = format!("a record is an object: write {{\"format\": \"{FORMAT}\", …}}");
            return Err(RecordError::new("", message));
        }
        let mut unknown_fields = Vec::new();
        let mut json = serde_json::Deserializer::from_str(written);
        let read = serde_ignored::deserialize(&mut json, |path| unknown_fields.push(dotted(&path)));
        let text: RecordText = read
            .and_then(|text| json.end().map(|()| text))
            .map_err(|error| malformed(written, &error))?;
        if text.paytables.len() > Self::PAYTABLES_MAX {
            let message = format!("there are too many: the limit is {}", Self::PAYTABLES_MAX);
            return Err(RecordError::new("paytables", message));
        }
        if let Some(result) = &text.result {
            result::collect_unknown(result, &mut unknown_fields);
        }
        if text.result == Some(Value::Null) {
            // The null will be replaced, which parses the whole record. Unknown values were only
            // skipped so far, and skipping accepts more than parsing does.
            serde_json::from_str::<Value>(written).map_err(|error| malformed(written, &error))?;
        }
        Self::checked(written.to_owned(), text, unknown_fields, catalog)
    }

    /// Takes the fields of a record that a program built instead of reading.
    ///
    /// # Errors
    ///
    /// The first fault, and where it is.
    ///
    /// # Panics
    ///
    /// Never: a record is plain data.
    pub fn from_text(text: RecordText, catalog: &Catalog) -> Result<Self, RecordError> {
        let written = serde_json::to_string(&text).expect("plain data");
        Self::checked(written, text, Vec::new(), catalog)
    }

    fn checked(
        written: String,
        text: RecordText,
        unknown_fields: Vec<String>,
        catalog: &Catalog,
    ) -> Result<Self, RecordError> {
        if text.format != FORMAT {
            let message = format!("\"{}\" is unknown: write \"{FORMAT}\"", text.format);
            return Err(RecordError::new("format", message));
        }
        if text.void.as_ref().is_some_and(|reason| reason.trim().is_empty()) {
            return Err(RecordError::new("void", "it is empty: write the reason"));
        }
        let catalog = with_paytables(&text, catalog)?;
        let house = read_house(&text, &catalog)?;
        let bonus = read_bonus(&text, &house)?;
        let deck = text.deck.deck()?;
        Ok(Self { written, text, unknown_fields, house, bonus, deck })
    }

    /// Returns the fields as written.
    pub const fn text(&self) -> &RecordText {
        &self.text
    }

    /// Returns the deck.
    pub const fn deck(&self) -> &Deck {
        &self.deck
    }

    /// Returns the bonus that is in force.
    pub fn bonus(&self) -> Option<&PayTable> {
        self.bonus.as_deref()
    }

    /// Returns the house.
    pub fn house(&self) -> &House {
        &self.house
    }

    /// Returns the fields that this version does not know, such as `seats[0].bonuss`. They are
    /// ignored, which the author of the record may not expect.
    pub fn unknown_fields(&self) -> &[String] {
        &self.unknown_fields
    }

    /// Returns the name of the player at a seat, if the record has it.
    pub fn player(&self, seat: Seat) -> Option<&str> {
        let banker = self.text.banker.iter().map(|banker| (banker.seat, &banker.player));
        let seats = self.text.seats.iter().map(|text| (text.seat, &text.player));
        let mut all = banker.chain(seats);
        all.find(|(number, _)| *number == seat.number())?.1.as_deref()
    }

    /// Replays the round.
    ///
    /// # Errors
    ///
    /// The action that was not allowed, or the one that is missing. If the record includes a
    /// result, the first difference from the replay.
    pub fn replay(&self) -> Result<FinishedRound, RecordError> {
        let mut round = Round::new(Arc::clone(&self.house), self.bonus.clone());
        self.bet(&mut round)?;
        for &card in self.deck.cards() {
            if round.next_card().is_none() {
                break;
            }
            round.apply(Action::Deal(card)).map_err(|refusal| refused("deck", &refusal))?;
        }
        if self.text.void.is_some() {
            round.hold();
        }
        self.decide(&mut round)?;
        if let Some(reason) = &self.text.void {
            let void = Action::Void(reason.clone());
            round.apply(void).map_err(|refusal| refused("void", &refusal))?;
        }
        let unfinished = || RecordError::new("seats", "the round is not finished");
        let finished = round.replayed().ok_or_else(unfinished)?;
        let written = self.text.result.as_ref().filter(|written| !written.is_null());
        let difference = written
            .and_then(|written| finished.result.difference_to(written, &self.unknown_fields));
        difference.map_or(Ok(finished), Err)
    }

    /// Returns the record on one line, with the result of its replay added.
    ///
    /// # Panics
    ///
    /// Never: a result is plain data.
    pub fn with_result(&self, result: &RoundResult) -> String {
        let written = one_line(&self.written);
        match &self.text.result {
            Some(Value::Null) => {
                let mut fields: Value = serde_json::from_str(&written).expect("it was read before");
                fields["result"] = serde_json::to_value(result).expect("plain data");
                fields.to_string()
            }
            Some(_) => written,
            None => {
                let open = written.strip_suffix('}').expect("a record is an object");
                let result = serde_json::to_string(result).expect("plain data");
                format!("{},\"result\":{result}}}", open.trim_end())
            }
        }
    }

    /// Makes the wagers and closes betting.
    fn bet(&self, round: &mut Round) -> Result<(), RecordError> {
        if let Some(banker) = &self.text.banker {
            let seat = seat(banker.seat, "banker.seat")?;
            let player = name(banker.player.as_ref(), banker.seat);
            let action = Action::Bank { seat, player, wager: banker.wager };
            round.apply(action).map_err(|refusal| refused_wager("banker", &refusal))?;
        }
        for (index, text) in self.text.seats.iter().enumerate() {
            let path = format!("seats[{index}]");
            let seat = seat(text.seat, &format!("{path}.seat"))?;
            if self.text.seats[..index].iter().any(|other| other.seat == text.seat) {
                return Err(RecordError::new(path, format!("{seat} appears twice")));
            }
            let action = Action::Wager {
                seat,
                player: name(text.player.as_ref(), text.seat),
                ante: text.ante,
                blind: text.blind.unwrap_or(text.ante),
                bonus: text.bonus.unwrap_or_default(),
            };
            round.apply(action).map_err(|refusal| refused_wager(&path, &refusal))?;
        }
        round.apply(Action::NoMoreBets).map_err(|refusal| refused("seats", &refusal))?;
        Ok(())
    }

    /// Makes the decisions, street by street.
    fn decide(&self, round: &mut Round) -> Result<(), RecordError> {
        let mut taken = vec![0; self.text.seats.len()];
        loop {
            let waiting: Vec<Seat> = round.to_decide().collect();
            let mut moved = false;
            for seat in waiting {
                let number = seat.number();
                let index = self.text.seats.iter().position(|text| text.seat == number);
                let index = index.expect("only seats of the record wagered");
                let text = &self.text.seats[index];
                let Some(action) = text.actions.get(taken[index]) else {
                    if self.text.void.is_some() {
                        continue;
                    }
                    let message = format!("{seat} has a decision to make, but none is listed");
                    return Err(RecordError::new(format!("seats[{index}].actions"), message));
                };
                let path = || format!("seats[{index}].actions[{}]", taken[index]);
                let decision: Decision = action.parse().map_err(|error: ParseDecisionError| {
                    RecordError::new(path(), error.to_string())
                })?;
                let by = if text.by_table.contains(&taken[index]) {
                    Actor::Table
                } else {
                    Actor::Player(name(text.player.as_ref(), number))
                };
                round
                    .apply(Action::Decide { seat, by, decision })
                    .map_err(|refusal| refused(&path(), &refusal))?;
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
                let seat = seat(text.seat, &path)?;
                // In a round that was stopped, a street may be unfinished.
                let message = match round.to_decide().next() {
                    Some(other) if !round.has_decided(seat) => {
                        format!("{other} has a decision to make first")
                    }
                    _ => "there is nothing left to decide".to_owned(),
                };
                return Err(RecordError::new(path, message));
            }
        }
        Ok(())
    }
}

/// Writes a path as `seats[0].bonus`.
fn dotted(path: &serde_ignored::Path<'_>) -> String {
    use serde_ignored::Path;
    match path {
        Path::Root => String::new(),
        Path::Seq { parent, index } => format!("{}[{index}]", dotted(parent)),
        Path::Map { parent, key } => match dotted(parent) {
            parent if parent.is_empty() => key.clone(),
            parent => format!("{parent}.{key}"),
        },
        Path::Some { parent }
        | Path::NewtypeStruct { parent }
        | Path::NewtypeVariant { parent } => dotted(parent),
    }
}

/// Puts JSON on one line, without changing the spelling of any value.
fn one_line(json: &str) -> String {
    if !json.as_bytes().iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
        return json.to_owned();
    }
    let (mut line, mut quoted, mut escaped) = (String::with_capacity(json.len()), false, false);
    for character in json.chars() {
        if quoted || !character.is_ascii_whitespace() {
            line.push(character);
        }
        quoted ^= character == '"' && !escaped;
        escaped = quoted && character == '\\' && !escaped;
    }
    line
}

/// Returns the player at a seat. A player without a name is identified by the seat; the prefix
/// keeps it distinct from any name.
fn name(player: Option<&String>, seat: u32) -> String {
    player.map_or_else(|| format!("seat {seat}"), |name| ["name ", name].concat())
}

fn seat(number: u32, path: &str) -> Result<Seat, RecordError> {
    let message = || RecordError::new(path, format!("there is no seat {number} at any table"));
    Seat::new(number).ok_or_else(message)
}

fn refused(path: &str, refusal: &Refusal) -> RecordError {
    let error = RecordError::new(path, refusal.to_string());
    RecordError { refusal: Some(refusal.clone()), ..error }
}

/// Names the refused field of a seat or a banker.
fn refused_wager(path: &str, refusal: &Refusal) -> RecordError {
    let field = match refusal {
        Refusal::NoSuchSeat { .. } => "seat",
        Refusal::BankEmpty => "wager",
        Refusal::BonusWithoutAnte
        | Refusal::AnteTooSmall { .. }
        | Refusal::AnteTooLarge { .. }
        | Refusal::AnteOffUnit { .. } => "ante",
        Refusal::BlindNotAnte => "blind",
        Refusal::NoBonus
        | Refusal::BonusTooSmall { .. }
        | Refusal::BonusTooLarge { .. }
        | Refusal::BonusOffUnit { .. } => "bonus",
        _ => return refused(path, refusal),
    };
    refused(&format!("{path}.{field}"), refusal)
}

/// Adds the pay tables that a record includes. An id means one table, here as everywhere.
fn with_paytables<'a>(
    text: &RecordText,
    catalog: &'a Catalog,
) -> Result<Cow<'a, Catalog>, RecordError> {
    let mut catalog = Cow::Borrowed(catalog);
    for (index, written) in text.paytables.iter().enumerate() {
        let wrong = |error: &dyn fmt::Display| {
            RecordError::new(format!("paytables[{index}]"), error.to_string())
        };
        let table = PayTable::from_json(written).map_err(|faults| wrong(&faults))?;
        match catalog.paytable(table.id()) {
            Ok(known) if *known == table => {}
            Ok(known) => {
                let id = known.id();
                let message =
                    format!("\"{id}\" is a different pay table: give this one its own id");
                return Err(wrong(&message));
            }
            Err(_) => catalog.to_mut().add_paytable(table).map_err(|error| wrong(&error))?,
        }
    }
    Ok(catalog)
}

/// Finds the house by id, or reads an inline one, and applies the record's overrides.
fn read_house(text: &RecordText, catalog: &Catalog) -> Result<Arc<House>, RecordError> {
    let edition = Edition::of_record(text.rules_version.as_ref())
        .map_err(|message| RecordError::new("rules_version", message))?;
    let house = match &text.house {
        Value::String(id) => catalog
            .house_of(id, edition)
            .map_err(|unknown| RecordError::new("house", unknown.to_string()))?,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
            let message = "write a house's id, or a whole house as an object";
            return Err(RecordError::new("house", message));
        }
        written @ Value::Object(_) => House::from_json_of(written, catalog.paytables(), edition)
            .map(Arc::new)
            .map_err(|faults| RecordError::new("house", faults.to_string()))?,
    };
    let (deal, blind) = (text.deal.as_deref(), text.blind_paytable.as_deref());
    if deal.is_none() && blind.is_none() {
        return Ok(house);
    }
    // The other pay tables stay those of the house.
    let changed = house.changed(deal, blind, catalog.paytables());
    changed.map(Arc::new).map_err(|faults| RecordError::new("", faults.to_string()))
}

fn read_bonus(text: &RecordText, house: &House) -> Result<Option<Arc<PayTable>>, RecordError> {
    let tables = house.bonus_paytables();
    let Some(id) = &text.bonus_paytable else { return Ok(tables.first().cloned()) };
    let found = tables.iter().find(|table| table.id() == id).cloned();
    let message = || {
        if tables.is_empty() {
            return RecordError::new("bonus_paytable", "the house has no bonus: leave it out");
        }
        let known: Vec<&str> = tables.iter().map(|table| table.id()).collect();
        let message = format!("the house has no \"{id}\": write one of {}", known.join(", "));
        RecordError::new("bonus_paytable", message)
    };
    found.map(Some).ok_or_else(message)
}

/// A fault in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    field: String,
    message: String,
    refusal: Option<Refusal>,
}

impl RecordError {
    fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into(), refusal: None }
    }

    /// Returns the field, such as `seats[0].ante`; empty if the fault isn't about a single field.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Returns the reason the round refused an action of the record, if that is the fault.
    pub const fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_ref()
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
