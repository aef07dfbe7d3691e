//! Verification of an exported round from the export alone.

mod fields;
mod undealt;
mod verdict;

use std::error::Error;
use std::fmt;

use croupier_rules::{Catalog, Edition, Record, RecordError, Seat};
use serde_json::Value;

use self::fields::{Fields, plain};
pub use self::verdict::Verdict;
use crate::canonical::canonical;
use crate::event::{Event, Record as RecordBody};
use crate::hash::Hash;
use crate::journal::Entry;
use crate::names::{is_table_name, is_valid_text};
use crate::shuffle::{SEAT_SEED_MAX, SHUFFLE_VERSION, Seed, seat_commitment, shuffle};
use crate::terms::{is_shipped, own_paytables, rules_version_of};

/// A round whose every field was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The table.
    pub table: String,
    /// The number of the round.
    pub round: u64,
    /// The commitment in the record. It must equal the one that the table showed before betting.
    pub commitment: Hash,
    /// The hash of the journal after the round.
    pub journal_hash: Hash,
    /// The seats that committed to a seed and did not show it.
    pub unrevealed: Vec<Seat>,
    /// The reason why the round was not dealt, if it was not: it has no deck and no result then.
    pub undealt: Option<String>,
}

/// Verifies an exported round: that the seed matches its commitment, that the seeds give this deck,
/// that the deck and the decisions give this result by these rules, and that the journal's hash
/// seals all of it.
///
/// It cannot detect a record that was made up as a whole, including the hashes. To rule that out,
/// compare the commitment with the one that the table showed before betting, and the journal's hash
/// with the one that it showed after the round.
///
/// # Errors
///
/// Returns the first fault, and the field that it is in.
pub fn verify(text: &str, catalog: &Catalog) -> Result<Verified, Unverified> {
    check(text, catalog).map_err(|error| error.about(text))
}

fn check(text: &str, catalog: &Catalog) -> Result<Verified, Unverified> {
    if undealt::is_one(text) {
        return undealt::check(text);
    }
    let record = Record::read(text, catalog)?;
    let fields = plain(text)?;
    if let Some(unknown) = record.unknown_fields().first() {
        return Err(Unverified::new(unknown, NOT_WRITTEN));
    }
    verify_names(&record)?;
    verify_house(&record)?;
    verify_paytables(&record, &fields)?;
    let proof = verify_shuffle(&record, &fields)?;
    verify_deck_colour(&record, &proof)?;
    let expected = rules_version_of(record.house(), record.bonus());
    if record.text().rules_version.as_ref().and_then(Value::as_str) != Some(&*expected) {
        let message = format!("it must be {expected} for this house and its pay tables");
        return Err(Unverified::new("rules_version", message));
    }
    if record.text().result.is_none() {
        let message = "it is missing: a table always writes the result";
        return Err(Unverified::new("result", message));
    }
    record.replay()?;
    let journal_hash = verify_journal(&record, &proof, fields)?;
    Ok(proof.verified(journal_hash, None))
}

/// Checks that the house has a deck of this color. Which of two decks it was depends on the number
/// of rounds that the table dealt before. A record does not contain that number; the journal's hash
/// seals the color. In the first edition it depended on the number of the round.
fn verify_deck_colour(record: &Record, proof: &Proof) -> Result<(), Unverified> {
    let house = record.house();
    let known: Vec<&str> = match house.edition() {
        Edition::First => vec![house.deck_color_after(proof.round - 1).id()],
        Edition::Second => {
            let decks = 0..u64::from(house.decks());
            decks.map(|dealt| house.deck_color_after(dealt).id()).collect()
        }
    };
    let written = record.text().deck_colour.as_deref();
    if written.is_some_and(|written| known.contains(&written)) {
        return Ok(());
    }
    let message = format!("the deck of this round is {}", known.join(" or "));
    Err(Unverified::new("deck_colour", message))
}

/// Checks that a record includes the pay tables of its house that do not ship with Croupier, each
/// once, and no others: a table writes nothing else.
fn verify_paytables(record: &Record, fields: &Value) -> Result<(), Unverified> {
    let own = own_paytables(record.house());
    // Older records do not have this field.
    let Some(written) = fields.get("paytables") else { return Ok(()) };
    if own.is_empty() || *written != Value::Array(own) {
        let message =
            "it must list each pay table of the house that does not ship with Croupier, once";
        return Err(Unverified::new("paytables", message));
    }
    Ok(())
}

/// Checks that a house does not pose as one that ships with Croupier: no table opens with such a
/// house. The first edition allowed it.
fn verify_house(record: &Record) -> Result<(), Unverified> {
    let house = record.house();
    if house.edition() == Edition::First || is_shipped(house) {
        return Ok(());
    }
    match Catalog::shipped().add_house(house.clone()) {
        Ok(()) => Ok(()),
        Err(known) => Err(Unverified::new("house", known.to_string())),
    }
}

const SHUFFLE_FIELDS: [&str; 6] = ["version", "table", "round", "commitment", "seed", "seat_seeds"];

const NOT_WRITTEN: &str = "no table writes this field";

/// Checks that a table would accept every name and every reason, and that the record has no field
/// that the format allows but a table never writes.
fn verify_names(record: &Record) -> Result<(), Unverified> {
    let text = record.text();
    let seats = text.seats.iter().enumerate();
    let blinds =
        seats.clone().map(|(index, seat)| (format!("seats[{index}].blind"), seat.blind.is_some()));
    let others = [("blind_paytable", text.blind_paytable.is_some()), ("deal", text.deal.is_some())];
    let others = others.map(|(field, there)| (field.to_owned(), there));
    if let Some((field, _)) = others.into_iter().chain(blinds).find(|(_, there)| *there) {
        return Err(Unverified::new(field, NOT_WRITTEN));
    }
    let banker = text.banker.iter().map(|banker| ("banker.player".to_owned(), &banker.player));
    let players =
        banker.chain(seats.map(|(index, seat)| (format!("seats[{index}].player"), &seat.player)));
    for (field, player) in players {
        match player {
            None => return Err(Unverified::new(field, "it is missing")),
            Some(name) if !is_valid_text(name) => return Err(Unverified::new(field, UNFIT)),
            Some(_) => {}
        }
    }
    match &text.void {
        Some(reason) if !is_valid_text(reason) => Err(Unverified::new("void", UNFIT)),
        _ => Ok(()),
    }
}

const UNFIT: &str = "no table accepts this text: \
                     use 1 to 64 characters, none invisible, with no space at either end";

/// The proof of a deck.
struct Proof {
    table: String,
    round: u64,
    commitment: Hash,
    seed: Seed,
    /// The seats that committed, and the seeds that they showed.
    seat_seeds: Vec<(Seat, Vec<u8>)>,
}

impl Proof {
    fn verified(self, journal_hash: Hash, undealt: Option<String>) -> Verified {
        let unrevealed = self.seat_seeds.iter().filter(|(_, seed)| seed.is_empty());
        Verified {
            unrevealed: unrevealed.map(|&(seat, _)| seat).collect(),
            table: self.table,
            round: self.round,
            commitment: self.commitment,
            journal_hash,
            undealt,
        }
    }
}

/// The end of round numbers: every JSON reader reads smaller numbers exactly.
const ROUNDS_END: u64 = 1 << 53;

/// Checks that seats of the round committed to the seeds, and that the seeds give the deck.
fn verify_shuffle(record: &Record, fields: &Value) -> Result<Proof, Unverified> {
    let banker = record.text().banker.iter().map(|banker| banker.seat);
    let in_round: Vec<u32> =
        record.text().seats.iter().map(|seat| seat.seat).chain(banker).collect();
    let proof = verify_seeds(fields, |seat| in_round.contains(&seat.number()))?;
    let deck = shuffle(&proof.table, proof.round, &proof.seed, &proof.seat_seeds);
    let mut places = deck.cards().iter().zip(record.deck().cards()).enumerate();
    if let Some((place, (made, written))) = places.find(|(_, (made, written))| made != written) {
        let message = format!("the record says {written}, but the seeds give {made}");
        return Err(Unverified::new(format!("deck[{place}]"), message));
    }
    Ok(proof)
}

/// Checks that seats in the round committed to the seeds.
fn verify_seeds(fields: &Value, in_round: impl Fn(Seat) -> bool) -> Result<Proof, Unverified> {
    let Some(value) = fields.get("shuffle") else {
        return Err(Unverified::new("shuffle", "it is missing, so nothing proves the deck"));
    };
    let text = Fields::of("shuffle", value, &SHUFFLE_FIELDS)?;
    if text.whole("version")? != u64::from(SHUFFLE_VERSION) {
        let message = format!("only version {SHUFFLE_VERSION} is known");
        return Err(text.wrong("version", message));
    }
    let mut proof = Proof {
        table: text.text("table")?.to_owned(),
        round: text.whole("round")?,
        commitment: text.hex("commitment", str::parse)?,
        seed: text.hex("seed", Seed::from_hex)?,
        seat_seeds: Vec::new(),
    };
    if !is_table_name(&proof.table) {
        let message = "this is not a table name: use 1 to 64 letters, digits, - and _";
        return Err(text.wrong("table", message));
    }
    if !(1..ROUNDS_END).contains(&proof.round) {
        return Err(text.wrong("round", "round numbers start at 1 and stay below 2^53"));
    }
    if proof.seed.commitment(&proof.table, proof.round) != proof.commitment {
        let message = "it does not match this seed: \
                       the seed, the table, the round or the commitment was changed";
        return Err(text.wrong("commitment", message));
    }
    for (index, value) in text.list("seat_seeds")?.iter().enumerate() {
        let shown = verify_seat_seed(index, value, &proof, &in_round)?;
        proof.seat_seeds.push(shown);
    }
    Ok(proof)
}

/// Checks the seed of a seat. Only a seat in the round has a say in its deck: otherwise a forger
/// could make up a seat afterwards, with a seed that gives a deck to their liking.
fn verify_seat_seed(
    index: usize,
    value: &Value,
    proof: &Proof,
    in_round: impl Fn(Seat) -> bool,
) -> Result<(Seat, Vec<u8>), Unverified> {
    let path = format!("shuffle.seat_seeds[{index}]");
    let text = Fields::of(&path, value, &["seat", "commitment", "seed"])?;
    let number = text.whole("seat")?;
    let seat = u32::try_from(number).ok().and_then(Seat::new);
    let missing = || text.wrong("seat", format!("there is no seat {number} at any table"));
    let seat = seat.ok_or_else(missing)?;
    if proof.seat_seeds.last().is_some_and(|&(before, _)| before >= seat) {
        return Err(text.wrong("seat", "seats must be in ascending order, each listed once"));
    }
    if !in_round(seat) {
        let message =
            format!("{seat} is not in the round, so its seed can't be part of the shuffle");
        return Err(text.wrong("seat", message));
    }
    let commitment: Hash = text.hex("commitment", str::parse)?;
    let seed = text.hex("seed", crate::hash::from_hex)?;
    if seed.len() > SEAT_SEED_MAX {
        let message = format!("a seat's seed is at most {SEAT_SEED_MAX} bytes long");
        return Err(text.wrong("seed", message));
    }
    let shown = seat_commitment(&proof.table, proof.round, seat, &seed);
    if !seed.is_empty() && shown != commitment {
        let message = format!("the seed of {seat} is not the one that it committed to");
        return Err(text.wrong("commitment", message));
    }
    Ok((seat, seed))
}

/// Checks that the journal's hash seals the record after the previous entry.
fn verify_journal(record: &Record, proof: &Proof, fields: Value) -> Result<Hash, Unverified> {
    let least = least_version(record, proof);
    verify_seal(fields, least, |rest| {
        Event::RoundOver { record: RecordBody(canonical(rest)) }.body()
    })
}

/// Checks that the journal's hash seals an entry after the previous one. The entry's body is
/// written from the fields other than its place in the journal.
fn verify_seal(
    mut fields: Value,
    least: u64,
    body: impl FnOnce(&Value) -> String,
) -> Result<Hash, Unverified> {
    let mut take = |name: &str| {
        let missing = || Unverified::new(name, "it is missing, so nothing seals the round");
        fields.as_object_mut().and_then(|fields| fields.shift_remove(name)).ok_or_else(missing)
    };
    let (journal, written) = (take("journal")?, take("journal_hash")?);
    let journal = Fields::of("journal", &journal, &["version", "at", "previous"])?;
    let (version, at) = (journal.whole("version")?, journal.time("at")?);
    let previous = journal.hex("previous", str::parse)?;
    if version < least {
        let message =
            format!("it must be at least {least}: the journal needs that many entries by then");
        return Err(journal.wrong("version", message));
    }
    let written = written.as_str().unwrap_or_default().parse::<Hash>();
    let written = written.map_err(|error| Unverified::new("journal_hash", error.to_string()))?;
    if Entry::seal(&previous, version, at, body(&fields)).hash == written {
        return Ok(written);
    }
    let message = "it is not the hash of this record after that entry: something was changed";
    Err(Unverified::new("journal_hash", message))
}

/// Returns the least number of entries that a journal has when this round is over.
fn least_version(record: &Record, proof: &Proof) -> u64 {
    let text = record.text();
    let count = |number: usize| number as u64;
    let banks = u64::from(text.banker.is_some());
    // The table was opened, the players sat down, and every earlier round began and ended.
    let before = 1 + count(text.seats.len()) + banks + 2 * (proof.round - 1);
    let shown = proof.seat_seeds.iter().filter(|(_, seed)| !seed.is_empty()).count();
    let seeds = count(proof.seat_seeds.len() + shown);
    let decisions: usize = text.seats.iter().map(|seat| seat.actions.len()).sum();
    let stopped = u64::from(text.void.is_some());
    // The round was opened, betting closed, the cards were dealt, and the round is over.
    before + 4 + banks + count(text.seats.len()) + seeds + count(decisions) + stopped
}

/// The reason why a round failed verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unverified {
    field: String,
    message: String,
    table: Option<String>,
    round: Option<u64>,
}

impl Unverified {
    /// Creates a fault in a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into(), table: None, round: None }
    }

    /// Adds the table and the round that the text is about, as far as they can be read.
    fn about(mut self, text: &str) -> Self {
        let fields: Value = serde_json::from_str(text.trim()).unwrap_or_default();
        let shuffle = &fields["shuffle"];
        let table = shuffle["table"].as_str().filter(|name| is_table_name(name));
        self.table = table.map(ToOwned::to_owned);
        self.round = shuffle["round"].as_u64();
        self
    }

    /// Returns the field with the fault; empty if it is not in any particular field.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Returns the description of the fault.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the table that the record claims, if any.
    pub fn table(&self) -> Option<&str> {
        self.table.as_deref()
    }

    /// Returns the round number that the record claims, if any.
    pub const fn round(&self) -> Option<u64> {
        self.round
    }
}

impl From<RecordError> for Unverified {
    fn from(error: RecordError) -> Self {
        let message = error.to_string();
        let field = error.field().to_owned();
        let rest = message.strip_prefix(&format!("{field}: ")).unwrap_or(&message);
        Self::new(field, rest)
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
