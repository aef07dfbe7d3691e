//! Journals and rounds from before the rules changed. A server of the first edition wrote them, and
//! they must be read, replayed and verified as they were then, forever.

use std::collections::BTreeMap;

use croupier_rules::{Bet, Catalog, Narration, Record};
use croupier_table::{Entry, Event, Hash, TermsCache, Time, export, first_hash, replay, verify};
use serde_json::Value;

/// The journals of all six tables of a server: house-banked ones, a California table with people,
/// one with bots, and one with its host's own house and pay table.
const JOURNALS: &str = include_str!("data/edition-1.jsonl");

fn journals() -> BTreeMap<String, Vec<Entry>> {
    let mut journals: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for line in JOURNALS.lines() {
        let fields: Value = serde_json::from_str(line).expect("JSON");
        let text = |name: &str| fields[name].as_str().expect("a text").to_owned();
        let number = |name: &str| fields[name].as_i64().expect("a number");
        journals.entry(text("table")).or_default().push(Entry {
            version: u64::try_from(number("version")).expect("above zero"),
            at: Time::from_millis(number("at")),
            body: text("body"),
            hash: text("hash").parse().expect("a hash"),
        });
    }
    journals
}

/// Returns the rounds of a journal as the table exported them.
fn rounds(table: &str, journal: &[Entry]) -> Vec<String> {
    let before = [first_hash(table)].into_iter().chain(journal.iter().map(|entry| entry.hash));
    let exported = before.zip(journal).filter_map(|(hash, entry): (Hash, _)| export(&hash, entry));
    exported.collect()
}

fn fields(round: &str) -> Value {
    serde_json::from_str(round).expect("JSON")
}

/// Returns all rounds of player-banked tables, by table.
fn banked_rounds() -> Vec<Vec<Value>> {
    let tables = journals().into_iter().map(|(table, journal)| rounds(&table, &journal));
    let tables = tables.map(|rounds| rounds.iter().map(|round| fields(round)).collect::<Vec<_>>());
    tables.filter(|rounds| rounds[0]["banker"].is_object()).collect()
}

#[test]
fn a_journal_of_the_first_edition_is_replayed_to_its_last_hash() {
    let journals = journals();
    assert_eq!(journals.len(), 6);
    let mut checkpoints = 0;
    for (table, journal) in &journals {
        let last = journal.last().expect("entries");
        let whole =
            replay(table, journal, &mut TermsCache::default()).expect("it could have happened");
        assert_eq!((whole.version(), whole.hash()), (last.version, &last.hash), "{table}");
        assert!(whole.terms().rules_version().starts_with("croupier-rules/1 "), "{table}");
        // A node that starts at a checkpoint gets the same table.
        let is_checkpoint =
            |entry: &Entry| matches!(Event::read(&entry.body), Ok(Event::Checkpoint(_)));
        let Some(at) = journal.iter().rposition(is_checkpoint) else { continue };
        checkpoints += 1;
        let short: Vec<Entry> = [&journal[..1], &journal[at..]].concat();
        let from_there = replay(table, &short, &mut TermsCache::default()).expect("a good journal");
        assert_eq!((from_there.version(), from_there.hash()), (last.version, &last.hash));
        assert_eq!(from_there.seats(), whole.seats());
    }
    assert!(checkpoints > 0, "one of the tables has a checkpoint");
}

#[test]
fn a_round_of_the_first_edition_is_verified_and_replayed_as_it_was() {
    let (catalog, mut verified) = (Catalog::shipped(), 0);
    for (table, journal) in journals() {
        for round in rounds(&table, &journal) {
            let found = verify(&round, &catalog).unwrap_or_else(|error| panic!("{error}: {round}"));
            assert_eq!(found.table, table);
            // The replay compares its result with the one in the record.
            Record::read(&round, &catalog).expect("a record").replay().expect("same");
            verified += 1;
        }
    }
    assert_eq!(verified, 84);
}

#[test]
fn the_same_round_under_the_second_edition_has_another_result() {
    let catalog = Catalog::shipped();
    let mut others = 0;
    for round in banked_rounds().concat() {
        let mut newer = round.clone();
        let stamp = round["rules_version"].as_str().expect("a stamp");
        newer["rules_version"] = stamp.replace("croupier-rules/1 ", "croupier-rules/2 ").into();
        assert!(verify(&newer.to_string(), &catalog).is_err(), "{newer}");
        newer["result"] = Value::Null;
        let record = Record::read(&newer.to_string(), &catalog).expect("a record");
        let result = record.replay().expect("a good round").result;
        others += usize::from(serde_json::to_value(result).expect("plain data") != round["result"]);
    }
    assert!(others > 5, "only {others} rounds differ");
}

/// These journals contain what the second edition changed: otherwise they would prove nothing.
#[test]
fn the_journals_have_what_the_second_edition_changed() {
    let tables = banked_rounds();
    let all = tables.concat();
    let net = |round: &Value| round["result"]["bank"]["net"].as_i64().expect("a net");
    let posted = |round: &Value| round["banker"]["wager"].as_i64().expect("a wager");
    assert!(all.iter().any(|round| net(round) > posted(round)), "a bank won more than it posted");
    assert!(all.iter().any(|round| posted(round) == 1), "a bank was lowered to a cent");
    let colours = |rounds: &[Value]| -> Vec<Value> {
        rounds.iter().map(|round| round["deck_colour"].clone()).collect()
    };
    let twice = |rounds: &Vec<Value>| colours(rounds).windows(2).any(|two| two[0] == two[1]);
    assert!(tables.iter().any(twice), "a deck was dealt twice in a row");
    let bankers = |rounds: &[Value]| -> Vec<Value> {
        rounds.iter().map(|round| round["banker"]["player"].clone()).collect()
    };
    let thrice = |rounds: &Vec<Value>| {
        bankers(rounds).windows(3).any(|three| three[0] == three[1] && three[1] == three[2])
    };
    assert!(tables.iter().any(thrice), "a player banked three dealt hands in a row");
    let bots = |round: &&Value| round["banker"]["player"].to_string().starts_with("\"bot-");
    assert!(all.iter().any(|round| bots(&round)), "a bot of the room banked");
}

#[test]
fn the_wagers_of_a_seat_are_listed_in_the_order_of_that_time() {
    let catalog = Catalog::shipped();
    let rounds = journals().into_iter().flat_map(|(table, journal)| rounds(&table, &journal));
    let told = rounds.map(|round| {
        Narration::of(&Record::read(&round, &catalog).expect("a record")).expect("it ends")
    });
    let orders = told
        .flat_map(|told| told.seats)
        .map(|seat| seat.wagers.iter().map(|wager| wager.bet).collect::<Vec<Bet>>());
    for order in orders {
        assert!(order.is_sorted(), "{order:?}");
    }
}
