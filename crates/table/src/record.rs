//! The record of a round that a table dealt, and where it stands in the journal.

use croupier_rules::{BankerText, DeckText, FORMAT, Record as RoundRecord, RecordText, SeatText};
use serde_json::{Value, json};

use crate::canonical::canonical;
use crate::event::{Event, Record};
use crate::hash::Hash;
use crate::journal::Entry;
use crate::open_round::OpenRound;
use crate::shuffle::SHUFFLE_VERSION;
use crate::terms::Terms;

/// Writes the record of a round that is over.
///
/// The record is replayed before it is written: what it says is what anybody will find, and not
/// just what this table found.
///
/// # Panics
///
/// When the replay comes to anything else than the round, which would be a fault in the rules: no
/// money moves then.
pub(crate) fn record(terms: &Terms, open: &OpenRound) -> Record {
    let mut text = record_text(terms, open);
    let replayed = RoundRecord::from_text(text.clone(), terms.catalog());
    let result = replayed.and_then(|record| record.replay(&mut Vec::new()));
    let result = result.unwrap_or_else(|error| panic!("a round does not replay: {error}"));
    let settlement = open.round.settlement().expect("the round is over");
    assert_eq!(result.bank.net, settlement.bank_net, "a replay comes to the same");
    for (found, settled) in result.seats.iter().zip(&settlement.seats) {
        let found = (found.seat, found.net);
        assert_eq!(found, (settled.seat, settled.net), "a replay comes to the same");
    }
    text.result = Some(serde_json::to_value(&result).expect("plain data"));
    Record(canonical(&serde_json::to_value(&text).expect("plain data")))
}

fn record_text(terms: &Terms, open: &OpenRound) -> RecordText {
    let seats = open.wagers.iter().map(|wager| SeatText {
        seat: wager.seat.number(),
        player: Some(wager.player.clone()),
        ante: wager.stakes.ante,
        blind: None,
        bonus: Some(wager.stakes.bonus).filter(|bonus| bonus.is_positive()),
        actions: wager.actions.iter().map(ToString::to_string).collect(),
        by_table: wager.by_table.clone(),
    });
    let banker = open.bank.as_ref().map(|bank| BankerText {
        seat: bank.seat.number(),
        wager: bank.wager,
        player: Some(bank.player.clone()),
    });
    let deck = open.deck.as_ref().expect("the cards were dealt");
    RecordText {
        format: FORMAT.to_owned(),
        house: terms.named().clone(),
        paytables: terms.brought().to_vec(),
        bonus_paytable: terms.bonus().map(|table| table.id().to_owned()),
        blind_paytable: None,
        deal: None,
        deck: DeckText::from(deck),
        deck_colour: Some(open.deck_colour.id().to_owned()),
        banker,
        seats: seats.collect(),
        void: open.stopped.clone(),
        rules_version: Some(terms.rules_version().into()),
        shuffle: Some(shuffle_text(open)),
        journal: None,
        journal_hash: None,
        result: None,
    }
}

/// Writes what proves the deck.
fn shuffle_text(open: &OpenRound) -> Value {
    json!({
        "version": SHUFFLE_VERSION,
        "table": open.table(),
        "round": open.number,
        "commitment": open.commitment,
        "seed": open.seed.reveal(),
        "seat_seeds": open.shown_seeds(),
    })
}

/// Writes the record of a round for others, with its place in the journal: what
/// [`verify`](crate::verify) checks.
///
/// The entry is the one that ends the round, and the hash that of the entry before it. Returns
/// nothing for an entry that ends no round.
///
/// # Panics
///
/// Never: a record is JSON.
pub fn export(previous: &Hash, entry: &Entry) -> Option<String> {
    let Ok(Event::RoundOver { record }) = Event::read(&entry.body) else { return None };
    let mut fields: Value = serde_json::from_str(&record.0).ok()?;
    fields["journal"] = json!({ "version": entry.version, "at": entry.at, "previous": previous });
    fields["journal_hash"] = json!(entry.hash);
    // A reader looks for what it is first, and for what it came to last.
    let order = |name: &str| FIELDS.iter().position(|field| *field == name);
    let mut named: Vec<(String, Value)> =
        fields.as_object_mut().map(std::mem::take)?.into_iter().collect();
    named.sort_by_key(|(name, _)| order(name));
    Some(Value::Object(named.into_iter().collect()).to_string())
}

/// The fields of an exported record, in the order in which people read them.
const FIELDS: [&str; 14] = [
    "format",
    "house",
    "paytables",
    "bonus_paytable",
    "rules_version",
    "shuffle",
    "deck",
    "deck_colour",
    "banker",
    "seats",
    "void",
    "result",
    "journal",
    "journal_hash",
];
