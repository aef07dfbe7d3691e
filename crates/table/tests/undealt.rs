//! A round that was not dealt: its export proves its seed, and nothing in it can be changed.

mod felt;

use croupier_rules::Catalog;
use croupier_table::{Event, Hash, Verified, export, export_undealt, verify};
use serde_json::{Value, json};

use self::felt::{Felt, commit, void, wager};

const EXAMPLE: &str = include_str!("../../../docs/undealt.jsonl");

fn check(text: &str) -> Result<Verified, String> {
    verify(text, &Catalog::shipped()).map_err(|error| error.to_string())
}

#[test]
fn a_round_that_was_not_dealt_is_exported_and_verified() {
    for house in ["uth-washington", "uth-standard", "utcp-standard"] {
        let mut felt = Felt::open(house);
        felt.seat_all(&["ann", "bea"]);
        felt.ok(wager(1, "ann", 500, 0));
        felt.ok(commit(1, "ann", Hash::of(b"luck")));
        let (round, shown) = (felt.table.round_number(), *felt.table.commitment().expect("one"));
        felt.ok(void("the shuffler jammed"));
        let ended = |body: &str| matches!(Event::read(body), Ok(Event::RoundUndealt { .. }));
        let place =
            felt.journal.iter().position(|entry| ended(&entry.body)).expect("the round ended");
        let (before, entry) = (&felt.journal[place - 1], &felt.journal[place]);
        let text = export_undealt("t1", round, &shown, &before.hash, entry).expect("an export");
        let verified = check(&text).expect("a valid export");
        assert_eq!(verified.undealt.as_deref(), Some("the shuffler jammed"));
        assert_eq!((verified.round, verified.commitment), (round, shown));
        assert_eq!(verified.journal_hash, entry.hash);
        assert_eq!(verified.unrevealed.len(), 1);
        // Neither export accepts the other kind of entry.
        assert_eq!(export(&before.hash, entry), None);
        assert_eq!(export_undealt("t1", round, &shown, &entry.hash, before), None);
    }
}

#[test]
fn the_example_is_verified_and_no_field_of_it_can_be_changed() {
    let verified = check(EXAMPLE).expect("a valid export");
    assert_eq!(verified.undealt.as_deref(), Some("the shuffler jammed"));
    assert_eq!(verified.unrevealed.len(), 1);
    let record: Value = serde_json::from_str(EXAMPLE).expect("JSON");
    let hash = record["journal_hash"].clone();
    for (place, forged, fault) in [
        ("/reason", json!("something else"), "journal_hash: "),
        ("/reason", json!(" "), "reason: "),
        ("/reason", Value::Null, "reason: "),
        ("/shuffle/version", json!(2), "shuffle.version: "),
        ("/shuffle/table", json!("t2"), "shuffle.commitment: "),
        ("/shuffle/round", json!(4), "shuffle.commitment: "),
        ("/shuffle/commitment", hash.clone(), "shuffle.commitment: "),
        ("/shuffle/seed", hash.clone(), "shuffle.commitment: "),
        ("/shuffle/seat_seeds", json!([]), "journal_hash: "),
        ("/shuffle/seat_seeds/0/seed", json!("00"), "shuffle.seat_seeds[0].commitment: "),
        ("/shuffle/seat_seeds/1/commitment", hash.clone(), "journal_hash: "),
        ("/shuffle/seat_seeds/1/seat", json!(3), "journal_hash: "),
        ("/shuffle/seat_seeds/1/seat", json!(1), "shuffle.seat_seeds[1].seat: "),
        ("/journal/version", json!(10), "journal.version: "),
        ("/journal/version", json!(24), "journal_hash: "),
        ("/journal/at", json!(0), "journal_hash: "),
        ("/journal/previous", hash, "journal_hash: "),
        ("/format", json!("croupier-undealt/2"), "format: "),
        ("/format", json!("croupier-round/1"), ""),
    ] {
        let mut changed = record.clone();
        *changed.pointer_mut(place).expect("a field") = forged;
        let said = check(&changed.to_string()).expect_err("it was changed");
        assert!(said.starts_with(fault), "{place}: {said}");
    }
    for name in ["shuffle", "reason", "journal", "journal_hash"] {
        let mut changed = record.clone();
        changed.as_object_mut().expect("an object").shift_remove(name);
        let said = check(&changed.to_string()).expect_err("a field is missing");
        assert!(said.starts_with(name), "{name}: {said}");
    }
    let mut more = record.clone();
    more["deck"] = json!([]);
    assert!(check(&more.to_string()).expect_err("no table writes it").starts_with("deck: "));
    let twice = EXAMPLE.trim().replacen('{', "{\"reason\":\"a\",", 1);
    assert!(check(&twice).expect_err("it appears twice").starts_with("reason: "));
}

/// The Python program in the docs gives the same answer.
#[test]
#[expect(clippy::disallowed_methods, reason = "it runs another program on a file of its own")]
fn the_python_program_checks_it_too() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/shuffle.py");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("undealt.jsonl");
    for (text, right) in [(EXAMPLE.to_owned(), true), (EXAMPLE.replace("jammed", "broke"), false)] {
        std::fs::write(&path, text).expect("the folder for tests");
        let run = std::process::Command::new("python3").arg(program).arg(&path).output();
        assert_eq!(run.expect("python3 is there").status.success(), right);
    }
}
