//! Whoever has an exported round can check all of it.

mod felt;

use croupier_rules::Catalog;
use croupier_table::{Command, seat_commitment, to_hex, verify};
use serde_json::Value;

use self::felt::{Felt, seat};

/// Plays rounds at a house with two players, one of whom brings seeds, and returns their records.
fn records(house: &str) -> Vec<String> {
    let mut felt = Felt::open(house);
    felt.seat_all(&["ann", "bea", "cy"]);
    for round in 1..=3_u64 {
        if let Some(banker) = felt.table.offered() {
            let player = felt.table.seats()[banker.number() as usize - 1].player.clone();
            let wager = croupier_rules::Amount::cents(3_000);
            felt.ok(Command::TakeBank { seat: banker, player, wager });
        }
        let seed = [0xab, u8::try_from(round).expect("a small number")];
        let players: Vec<(u32, String)> =
            felt.table.seats().iter().map(|who| (who.seat.number(), who.player.clone())).collect();
        for (number, player) in &players {
            // One of them commits to a seed and keeps it to himself in the second round.
            let commitment = seat_commitment("t1", round, seat(*number), &seed);
            let player = player.clone();
            felt.ok(Command::CommitSeed { seat: seat(*number), player, commitment });
        }
        for (number, player) in &players {
            let bonus = if *number == 2 { 500 } else { 0 };
            let _ = felt.try_to(felt::wager(*number, player, 1_000, bonus));
        }
        for (number, player) in &players {
            if !(round == 2 && *number == 2) {
                let (seat, player) = (seat(*number), player.clone());
                felt.ok(Command::RevealSeed { seat, player, seed: to_hex(&seed) });
            }
        }
        if round == 2 {
            felt.run_out();
        }
        if round == 3 {
            let open = felt.table.round().expect("a round");
            let number = open.to_decide().next().expect("somebody to decide");
            let best = open.decisions(number)[0];
            let player = felt.table.seats()[number.number() as usize - 1].player.clone();
            felt.ok(Command::Decide { seat: number, player, decision: best });
            felt.ok(Command::Void { reason: "the shuffler jammed".to_owned() });
        }
        while felt.table.round().is_some_and(|round| round.settlement().is_none()) {
            felt.run_out();
        }
        felt.run_out();
    }
    felt.records()
}

const HOUSES: [&str; 4] = ["uth-washington", "uth-standard", "uth-california", "utcp-standard"];

#[test]
fn a_true_record_of_every_house_is_accepted() {
    for house in HOUSES {
        let records = records(house);
        assert_eq!(records.len(), 3, "{house}");
        for (record, round) in records.iter().zip(1..) {
            let verified = verify(record, &Catalog::shipped()).expect("a true record");
            assert_eq!((&*verified.table, verified.round), ("t1", round));
            let unrevealed = if round == 2 { vec![seat(2)] } else { Vec::new() };
            assert_eq!(verified.unrevealed, unrevealed);
            assert_eq!(record.contains("the shuffler jammed"), round == 3);
        }
    }
}

/// The file that the README verifies has a round of each house, and is what tables write.
///
/// With `CROUPIER_BLESS=1` it is written anew. A difference means that records which were exported
/// before are not true any more.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test reads its own file")]
fn exported_rounds_are_what_they_were() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/exported.jsonl");
    let rounds = HOUSES.iter().zip([0, 1, 2, 0]).map(|(house, round)| records(house).remove(round));
    let rounds = rounds.map(|record| record + "\n").collect::<String>();
    if std::env::var_os("CROUPIER_BLESS").is_some() {
        std::fs::write(path, &rounds).expect("the file can be written");
    }
    assert_eq!(std::fs::read_to_string(path).expect("the file is there"), rounds);
}

#[test]
fn a_record_with_any_single_field_changed_is_refused() {
    let (catalog, mut tried) = (Catalog::shipped(), 0);
    for house in HOUSES {
        for record in records(house) {
            let record: Value = serde_json::from_str(&record).expect("JSON");
            for path in paths(&record, &mut Vec::new()) {
                for changed in changes(&record, &path) {
                    let text = changed.to_string();
                    let answer = verify(&text, &catalog);
                    assert!(answer.is_err(), "{path:?} is changed and accepted: {text}");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 5_000, "only {tried} changes were tried");
}

#[test]
fn a_field_that_no_table_writes_is_refused() {
    for record in records("uth-california") {
        let mut record: Value = serde_json::from_str(&record).expect("JSON");
        record["remark"] = "true, I swear".into();
        let error = verify(&record.to_string(), &Catalog::shipped()).unwrap_err();
        assert_eq!(error.to_string(), "remark: no table writes this field");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let record = records("uth-standard").remove(0);
    let record: Value = serde_json::from_str(&record).expect("JSON");
    let error = |path: &str, value: Value| {
        let mut record = record.clone();
        *record.pointer_mut(path).expect("a field") = value;
        verify(&record.to_string(), &Catalog::shipped()).unwrap_err().to_string()
    };
    let zeros = "0".repeat(64);
    assert_eq!(
        error("/shuffle/seed", zeros.clone().into()),
        "shuffle.commitment: the seed is not the one that was committed to"
    );
    assert_eq!(
        error("/journal/previous", zeros.into()),
        "journal_hash: it is not the hash of this record after that entry: something was changed"
    );
    assert_eq!(error("/deck_colour", "blue".into()), "deck_colour: the deck of this round is red");
    let said = error("/result/bank/net", 1.into());
    assert!(said.starts_with("result.bank.net: the record says 1, and the replay"), "{said}");
}

/// Returns the way to every value of a piece of JSON but the whole.
fn paths(value: &Value, here: &mut Vec<String>) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    if !here.is_empty() {
        found.push(here.clone());
    }
    let inside: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(list) => (0..).map(|place: usize| place.to_string()).zip(list).collect(),
        _ => Vec::new(),
    };
    for (name, value) in inside {
        here.push(name);
        found.extend(paths(value, here));
        here.pop();
    }
    found
}

/// Returns a record with one value taken out, and with it changed a little.
fn changes(record: &Value, path: &[String]) -> Vec<Value> {
    let (name, above) = path.split_last().expect("a way somewhere");
    let pointer = above.iter().fold(String::new(), |pointer, name| format!("{pointer}/{name}"));
    let mut without = record.clone();
    let taken = match without.pointer_mut(&pointer).expect("it is there") {
        Value::Object(fields) => fields.shift_remove(name).expect("it is there"),
        Value::Array(list) => list.remove(name.parse().expect("a place")),
        _ => unreachable!("nothing is inside of it"),
    };
    let others: Vec<Value> = match &taken {
        Value::Number(number) => {
            let number = number.as_i64().expect("a whole number");
            vec![(number + 1).into(), (number - 1).into(), number.to_string().into(), Value::Null]
        }
        Value::String(text) => {
            let mut changed = text.clone();
            let first = if changed.starts_with('1') { "2" } else { "1" };
            changed.replace_range(..changed.chars().next().map_or(0, char::len_utf8), first);
            vec![changed.into(), format!("{text} ").into(), text.to_uppercase().into(), Value::Null]
        }
        Value::Bool(truth) => vec![(!truth).into(), Value::Null],
        Value::Array(list) => {
            let mut twice = list.clone();
            twice.extend(list.first().cloned());
            vec![Value::Array(twice), Value::Null]
        }
        Value::Object(_) => vec![Value::Object(serde_json::Map::new()), Value::Null],
        Value::Null => vec![0.into()],
    };
    let put = |other: Value| {
        let mut changed = record.clone();
        let whole = format!("{pointer}/{name}");
        *changed.pointer_mut(&whole).expect("it is there") = other;
        changed
    };
    let others = others.into_iter().filter(|other| *other != taken).map(put);
    [without].into_iter().chain(others).collect()
}
