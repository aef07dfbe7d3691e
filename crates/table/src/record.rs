//! The record of a dealt round, and its place in the journal.

use croupier_rules::{BankerText, DeckText, FORMAT, RecordText, SeatText};
use serde_json::{Value, json};

use crate::canonical::canonical;
use crate::event::{Event, Record};
use crate::hash::Hash;
use crate::journal::Entry;
use crate::open_round::OpenRound;
use crate::shuffle::SHUFFLE_VERSION;
use crate::terms::Terms;

/// Writes the record of a round that is over, from the round itself: no round is played or judged
/// twice. Tests replay every record that they write, and compare it with the round.
pub(crate) fn record(terms: &Terms, open: &OpenRound) -> Record {
    let finished = open.round.finished().expect("the round is over");
    let mut text = record_text(terms, open);
    text.result = Some(serde_json::to_value(&finished.result).expect("plain data"));
    Record(canonical(&serde_json::to_value(&text).expect("plain data")))
}

fn record_text(terms: &Terms, open: &OpenRound) -> RecordText {
    let seats = open.round.players().iter().map(|player| {
        let actions = || open.round.actions(player.seat);
        let by_table = actions().enumerate().filter(|(_, (_, by_table))| *by_table);
        SeatText {
            seat: player.seat.number(),
            player: Some(player.name.clone()),
            ante: player.stakes.ante,
            blind: None,
            bonus: Some(player.stakes.bonus).filter(|bonus| bonus.is_positive()),
            actions: actions().map(|(action, _)| action.to_string()).collect(),
            by_table: by_table.map(|(index, _)| index).collect(),
        }
    });
    let banker = open.round.banker().map(|(banker, name)| BankerText {
        seat: banker.seat.number(),
        wager: banker.wager,
        player: Some(name.to_owned()),
    });
    let deck = open.deck.as_ref().expect("the cards were dealt");
    RecordText {
        format: FORMAT.to_owned(),
        house: terms.recorded_house().clone(),
        paytables: terms.own_paytables().to_vec(),
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

/// Writes the proof of the deck.
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

/// Exports the record of a round with its place in the journal, in the form that
/// [`verify`](crate::verify) checks.
///
/// The entry is the one that ends the round, and the hash is that of the entry before it. Returns
/// `None` for an entry that does not end a round.
///
/// # Panics
///
/// Never: a record is JSON.
pub fn export(previous: &Hash, entry: &Entry) -> Option<String> {
    let Ok(Event::RoundOver { record }) = Event::read(&entry.body) else { return None };
    let mut fields: Value = serde_json::from_str(&record.0).ok()?;
    fields["journal"] = json!({ "version": entry.version, "at": entry.at, "previous": previous });
    fields["journal_hash"] = json!(entry.hash);
    // A reader looks for the kind of record first, and for the result last.
    let order = |name: &str| FIELDS.iter().position(|field| *field == name);
    let mut named: Vec<(String, Value)> =
        fields.as_object_mut().map(std::mem::take)?.into_iter().collect();
    named.sort_by_key(|(name, _)| order(name));
    Some(Value::Object(named.into_iter().collect()).to_string())
}

/// The fields of an exported record, in reading order.
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
