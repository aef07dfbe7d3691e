//! Checking a round that was exported, with nothing but the round.

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
use crate::shuffle::{SEAT_SEED_MAX, SHUFFLE_VERSION, Seed, seat_commitment, shuffle};
use crate::terms::{brought, is_shipped, stamp};
use crate::text::{is_fit, is_table_name};

/// A round whose every field was found to be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The table.
    pub table: String,
    /// The number of the round.
    pub round: u64,
    /// What the table showed before betting opened, if it is the same that the record has.
    pub commitment: Hash,
    /// The hash of the journal after the round.
    pub journal_hash: Hash,
    /// The seats that committed to a seed and did not show it.
    pub unrevealed: Vec<Seat>,
    /// Why the round was not dealt, if it was not: then it has no deck and no result.
    pub undealt: Option<String>,
}

/// Checks an exported round: that the seed is the one that was committed to, that the seeds make
/// this deck, that the deck and the decisions come to this result by these rules, and that the
/// journal's hash seals all of it.
///
/// That the record was not made up as a whole, hashes and all, it cannot tell: for that, compare
/// the commitment with what the table showed before betting, and the journal's hash with what it
/// showed after the round.
///
/// # Errors
///
/// What is not true, and in which field.
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
        return Err(Unverified::new(unknown, NOBODY_WRITES));
    }
    verify_names(&record)?;
    verify_house(&record)?;
    verify_paytables(&record, &fields)?;
    let proof = verify_shuffle(&record, &fields)?;
    verify_deck_colour(&record, &proof)?;
    let expected = stamp(record.house(), record.bonus());
    if record.text().rules_version.as_ref().and_then(Value::as_str) != Some(&*expected) {
        let message = format!("this house with its pay tables is {expected}");
        return Err(Unverified::new("rules_version", message));
    }
    if record.text().result.is_none() {
        let message = "it is missing: a table writes what a round came to";
        return Err(Unverified::new("result", message));
    }
    record.replay(&mut Vec::new())?;
    let journal_hash = verify_journal(&record, &proof, fields)?;
    Ok(proof.verified(journal_hash, None))
}

/// Checks that the deck's color is one that the house has. Which of two decks it was follows from
/// how many rounds the table dealt before, which a record does not tell: the journal's hash seals
/// it. In the first edition it followed from the number of the round.
fn verify_deck_colour(record: &Record, proof: &Proof) -> Result<(), Unverified> {
    let house = record.house();
    let known: Vec<&str> = match house.edition() {
        Edition::First => vec![house.deck_colour_after(proof.round - 1).id()],
        Edition::Second => {
            let decks = 0..u64::from(house.decks());
            decks.map(|dealt| house.deck_colour_after(dealt).id()).collect()
        }
    };
    let written = record.text().deck_colour.as_deref();
    if written.is_some_and(|written| known.contains(&written)) {
        return Ok(());
    }
    let message = format!("the deck of this round is {}", known.join(" or "));
    Err(Unverified::new("deck_colour", message))
}

/// Checks that a record brings the pay tables of its house that did not come with Croupier, each
/// once, and no others: a table writes nothing else.
fn verify_paytables(record: &Record, fields: &Value) -> Result<(), Unverified> {
    let brought = brought(record.house());
    // Records from before there was this field have none.
    let Some(written) = fields.get("paytables") else { return Ok(()) };
    if brought.is_empty() || *written != Value::Array(brought) {
        let message = "a table writes the pay tables that do not come with Croupier, once each";
        return Err(Unverified::new("paytables", message));
    }
    Ok(())
}

/// Checks that a house does not pass for one that comes with Croupier: no table opens with such a
/// house. The first edition let it.
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

const NOBODY_WRITES: &str = "no table writes this field";

/// Checks that every name and every reason is one that a table takes, and that nothing is there
/// which others may write and a table does not.
fn verify_names(record: &Record) -> Result<(), Unverified> {
    let text = record.text();
    let seats = text.seats.iter().enumerate();
    let blinds =
        seats.clone().map(|(index, seat)| (format!("seats[{index}].blind"), seat.blind.is_some()));
    let others = [("blind_paytable", text.blind_paytable.is_some()), ("deal", text.deal.is_some())];
    let others = others.map(|(field, there)| (field.to_owned(), there));
    if let Some((field, _)) = others.into_iter().chain(blinds).find(|(_, there)| *there) {
        return Err(Unverified::new(field, NOBODY_WRITES));
    }
    let banker = text.banker.iter().map(|banker| ("banker.player".to_owned(), &banker.player));
    let players =
        banker.chain(seats.map(|(index, seat)| (format!("seats[{index}].player"), &seat.player)));
    for (field, player) in players {
        match player {
            None => return Err(Unverified::new(field, "it is missing")),
            Some(name) if !is_fit(name) => return Err(Unverified::new(field, UNFIT)),
            Some(_) => {}
        }
    }
    match &text.void {
        Some(reason) if !is_fit(reason) => Err(Unverified::new("void", UNFIT)),
        _ => Ok(()),
    }
}

const UNFIT: &str = "no table takes this text: \
                     it has 1 to 64 characters, none of them invisible, and no space around";

/// What proves a deck.
struct Proof {
    table: String,
    round: u64,
    commitment: Hash,
    seed: Seed,
    /// The seats that committed, with what they showed.
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

/// Numbers that every JSON reader takes for what they are are smaller than this.
const ROUNDS_END: u64 = 1 << 53;

/// Checks that the seeds were committed to, by seats of the round, and that they make the deck.
fn verify_shuffle(record: &Record, fields: &Value) -> Result<Proof, Unverified> {
    let banker = record.text().banker.iter().map(|banker| banker.seat);
    let in_round: Vec<u32> =
        record.text().seats.iter().map(|seat| seat.seat).chain(banker).collect();
    let proof = verify_seeds(fields, |seat| in_round.contains(&seat.number()))?;
    let deck = shuffle(&proof.table, proof.round, &proof.seed, &proof.seat_seeds);
    let mut places = deck.cards().iter().zip(record.deck().cards()).enumerate();
    if let Some((place, (made, written))) = places.find(|(_, (made, written))| made != written) {
        let message = format!("the record says {written}, and the seeds make it {made}");
        return Err(Unverified::new(format!("deck[{place}]"), message));
    }
    Ok(proof)
}

/// Checks that the seeds were committed to, by seats that were in the round.
fn verify_seeds(fields: &Value, in_round: impl Fn(Seat) -> bool) -> Result<Proof, Unverified> {
    let Some(value) = fields.get("shuffle") else {
        return Err(Unverified::new("shuffle", "it is missing, so that nothing proves the deck"));
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
        let message = "no table has this name: it is 1 to 64 letters, digits, - and _";
        return Err(text.wrong("table", message));
    }
    if !(1..ROUNDS_END).contains(&proof.round) {
        return Err(text.wrong("round", "rounds are counted from 1, and end below 2^53"));
    }
    if proof.seed.commitment(&proof.table, proof.round) != proof.commitment {
        let message = "it is not the one to this seed: \
                       the seed, the table or the round was changed, or the commitment itself";
        return Err(text.wrong("commitment", message));
    }
    for (index, value) in text.list("seat_seeds")?.iter().enumerate() {
        let shown = verify_seat_seed(index, value, &proof, &in_round)?;
        proof.seat_seeds.push(shown);
    }
    Ok(proof)
}

/// Checks the seed of a seat. Only who is in the round has a say in its deck: else a seat could be
/// made up afterwards, with a seed for the deck that somebody would like.
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
        return Err(text.wrong("seat", "seats are in the order of their numbers, each once"));
    }
    if !in_round(seat) {
        let message = format!("{seat} is not in the round, and has no say in its deck");
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

/// Checks that the hash of the journal is that of the record after the entry before it.
fn verify_journal(record: &Record, proof: &Proof, fields: Value) -> Result<Hash, Unverified> {
    let least = least_version(record, proof);
    verify_seal(fields, least, |rest| {
        Event::RoundOver { record: RecordBody(canonical(rest)) }.body()
    })
}

/// Checks that the hash of the journal is that of an entry after the one before it. The body of the
/// entry is written from the fields that do not tell its place.
fn verify_seal(
    mut fields: Value,
    least: u64,
    body: impl FnOnce(&Value) -> String,
) -> Result<Hash, Unverified> {
    let mut take = |name: &str| {
        let missing = || Unverified::new(name, "it is missing, so that nothing seals the round");
        fields.as_object_mut().and_then(|fields| fields.shift_remove(name)).ok_or_else(missing)
    };
    let (journal, written) = (take("journal")?, take("journal_hash")?);
    let journal = Fields::of("journal", &journal, &["version", "at", "previous"])?;
    let (version, at) = (journal.whole("version")?, journal.time("at")?);
    let previous = journal.hex("previous", str::parse)?;
    if version < least {
        let message = format!("it is at least {least}, for so many entries it takes to come here");
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

/// Returns how many entries a journal has at least when this round is over.
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
    // It was opened, betting closed, the cards were dealt, and it is over.
    before + 4 + banks + count(text.seats.len()) + seeds + count(decisions) + stopped
}

/// What is not true of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unverified {
    field: String,
    message: String,
    table: Option<String>,
    round: Option<u64>,
}

impl Unverified {
    /// Says what is not true of a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into(), table: None, round: None }
    }

    /// Adds which round it is about, as far as that can be told.
    fn about(mut self, text: &str) -> Self {
        let fields: Value = serde_json::from_str(text.trim()).unwrap_or_default();
        let shuffle = &fields["shuffle"];
        let table = shuffle["table"].as_str().filter(|name| is_table_name(name));
        self.table = table.map(ToOwned::to_owned);
        self.round = shuffle["round"].as_u64();
        self
    }

    /// Returns the field; empty if it is about no field in particular.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Returns what is not true of it.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the table whose round it says to be, if it says so.
    pub fn table(&self) -> Option<&str> {
        self.table.as_deref()
    }

    /// Returns the number of the round that it says to be, if it says so.
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
