//! Checking a round that was exported, with nothing but the round.

use std::error::Error;
use std::fmt;

use croupier_rules::{Catalog, Record, RecordError, Seat};
use serde::Deserialize;
use serde_json::Value;

use crate::canonical::canonical;
use crate::event::{Event, Record as RecordBody};
use crate::hash::{Hash, from_hex};
use crate::journal::Entry;
use crate::shuffle::{SHUFFLE_VERSION, Seed, seat_commitment, shuffle};
use crate::terms::stamp;
use crate::time::Time;

/// A round whose every field was found to be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The table.
    pub table: String,
    /// The number of the round.
    pub round: u64,
    /// The hash of the journal after the round.
    pub journal_hash: Hash,
    /// The seats that committed to a seed and did not show it.
    pub unrevealed: Vec<Seat>,
}

/// Checks an exported round: that the seed is the one that was committed to, that the seeds make
/// this deck, that the deck and the decisions come to this result by these rules, and that the
/// journal's hash seals all of it.
///
/// # Errors
///
/// What is not true, and in which field.
pub fn verify(text: &str, catalog: &Catalog) -> Result<Verified, Unverified> {
    let record = Record::read(text, catalog)?;
    if let Some(unknown) = record.unknown_fields().first() {
        return Err(Unverified::new(unknown, "no table writes this field"));
    }
    let shuffle = verify_shuffle(&record)?;
    let game = record.house();
    let colour = game.deck_colour(shuffle.round).id();
    if record.text().deck_colour.as_deref() != Some(colour) {
        return Err(Unverified::new("deck_colour", format!("the deck of this round is {colour}")));
    }
    let expected = stamp(game, record.bonus());
    if record.text().rules_version.as_ref().and_then(Value::as_str) != Some(&*expected) {
        let message = format!("this house with its pay tables is {expected}");
        return Err(Unverified::new("rules_version", message));
    }
    if record.text().result.as_ref().is_none_or(Value::is_null) {
        return Err(Unverified::new(
            "result",
            "it is missing: a table writes what a round came to",
        ));
    }
    record.replay(&mut Vec::new())?;
    let journal_hash = verify_journal(text)?;
    let unrevealed = shuffle.seat_seeds.iter().filter(|seed| seed.seed.is_empty());
    Ok(Verified {
        unrevealed: unrevealed.map(|seed| seed.seat).collect(),
        table: shuffle.table,
        round: shuffle.round,
        journal_hash,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShuffleText {
    version: u32,
    table: String,
    round: u64,
    commitment: Hash,
    seed: Seed,
    seat_seeds: Vec<SeatSeedText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeatSeedText {
    seat: Seat,
    commitment: Hash,
    seed: String,
}

/// Checks that the seeds were committed to, and that they make the deck.
fn verify_shuffle(record: &Record) -> Result<ShuffleText, Unverified> {
    let Some(value) = &record.text().shuffle else {
        return Err(Unverified::new("shuffle", "it is missing, so that nothing proves the deck"));
    };
    let text = ShuffleText::deserialize(value)
        .map_err(|error| Unverified::new("shuffle", error.to_string()))?;
    if text.version != SHUFFLE_VERSION {
        let message = format!("only version {SHUFFLE_VERSION} is known");
        return Err(Unverified::new("shuffle.version", message));
    }
    if text.seed.commitment(&text.table, text.round) != text.commitment {
        let message = "the seed is not the one that was committed to";
        return Err(Unverified::new("shuffle.commitment", message));
    }
    let mut seeds = Vec::new();
    for (index, SeatSeedText { seat, commitment, seed }) in text.seat_seeds.iter().enumerate() {
        let field = format!("shuffle.seat_seeds[{index}]");
        let bytes = from_hex(seed)
            .map_err(|error| Unverified::new(format!("{field}.seed"), error.to_string()))?;
        let shown = seat_commitment(&text.table, text.round, *seat, &bytes);
        if !bytes.is_empty() && shown != *commitment {
            let message = format!("the seed of {seat} is not the one that it committed to");
            return Err(Unverified::new(format!("{field}.commitment"), message));
        }
        if seeds.iter().any(|(of, _)| of == seat) {
            return Err(Unverified::new(field, format!("{seat} is there twice")));
        }
        seeds.push((*seat, bytes));
    }
    let deck = shuffle(&text.table, text.round, &text.seed, &seeds);
    let mut places = deck.cards().iter().zip(record.deck().cards()).enumerate();
    if let Some((place, (made, written))) = places.find(|(_, (made, written))| made != written) {
        let message = format!("the record says {written}, and the seeds make it {made}");
        return Err(Unverified::new(format!("deck[{place}]"), message));
    }
    Ok(text)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JournalText {
    version: u64,
    at: Time,
    previous: Hash,
}

/// Checks that the hash of the journal is that of the record after the entry before it.
fn verify_journal(text: &str) -> Result<Hash, Unverified> {
    let mut fields: Value = serde_json::from_str(text.trim())
        .map_err(|error| Unverified::new("", error.to_string()))?;
    let take = |fields: &mut Value, name: &str| {
        let missing = || Unverified::new(name, "it is missing, so that nothing seals the round");
        fields.as_object_mut().and_then(|fields| fields.shift_remove(name)).ok_or_else(missing)
    };
    let journal = JournalText::deserialize(take(&mut fields, "journal")?)
        .map_err(|error| Unverified::new("journal", error.to_string()))?;
    let written = Hash::deserialize(take(&mut fields, "journal_hash")?)
        .map_err(|error| Unverified::new("journal_hash", error.to_string()))?;
    let body = Event::RoundOver { record: RecordBody(canonical(&fields)) }.body();
    let JournalText { version, at, previous } = journal;
    let sealed = Entry::seal(&previous, version, at, body).hash;
    if sealed == written {
        return Ok(written);
    }
    let message = "it is not the hash of this record after that entry: something was changed";
    Err(Unverified::new("journal_hash", message))
}

/// What is not true of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unverified {
    field: String,
    message: String,
}

impl Unverified {
    /// Says what is not true of a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }

    /// Returns the field; empty if it is about no field in particular.
    pub fn field(&self) -> &str {
        &self.field
    }
}

impl From<RecordError> for Unverified {
    fn from(error: RecordError) -> Self {
        let message = error.to_string();
        let field = error.field().to_owned();
        let rest = message.strip_prefix(&format!("{field}: ")).unwrap_or(&message);
        Self { message: rest.to_owned(), field }
    }
}

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

impl Error for Unverified {}
