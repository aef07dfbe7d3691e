//! `croupier verify`: exported rounds are verified, or the wrong field is named.

#![expect(clippy::disallowed_methods, reason = "it runs the program on files of its own")]

mod program;

use std::collections::BTreeMap;

use croupier_table::{Entry, Time};
use program::croupier;
use serde_json::Value;

const EXPORTED: &str = include_str!("../../../docs/exported.jsonl");

const UNDEALT: &str = include_str!("../../../docs/undealt.jsonl");

/// Writes a file for a test, and returns its path.
fn file(name: &str, text: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file can be written");
    path.to_str().expect("a path in UTF-8").to_owned()
}

/// Returns the rounds that tables exported.
fn rounds() -> Vec<Value> {
    EXPORTED.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_round_that_was_not_dealt_is_reported_as_such() {
    let run = croupier(&["verify", "docs/undealt.jsonl"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let first = "Round 3 of table t1 was not dealt: the shuffler jammed. \
                 This and its seed are verified.";
    assert_eq!(run.stdout.lines().next(), Some(first));
    let run = croupier(&["verify", "--json", "docs/undealt.jsonl"]);
    let found: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(
        (&found["verified"], &found["undealt"]),
        (&true.into(), &"the shuffler jammed".into())
    );
    let changed = file("undealt-changed.jsonl", &UNDEALT.replace("jammed", "broke"));
    let run = croupier(&["verify", &changed]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("round 3 of table t1"), "{}", run.stderr);
    // There is nothing to replay.
    assert_ne!(croupier(&["replay", "docs/undealt.jsonl"]).code, Some(0));
}

#[test]
fn valid_rounds_are_accepted_and_named() {
    let run = croupier(&["verify", "docs/exported.jsonl"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "Round 1 of table washington-1 is verified.");
    let first = &rounds()[0];
    let [commitment, hash] = [&first["shuffle"]["commitment"], &first["journal_hash"]];
    assert_eq!(lines[1], format!("  Commitment   {}", commitment.as_str().expect("a text")));
    assert_eq!(lines[2], format!("  Journal hash {}", hash.as_str().expect("a text")));
    assert_eq!(lines[4], "  Not revealed, so counted as empty: the seed of seat 2.");
    assert_eq!(lines[13], "4 rounds, all verified.");
    assert_eq!(lines.len(), 14);
    assert!(lines.iter().all(|line| line.len() < 80));

    let one = croupier(&["verify", &file("one.jsonl", &first.to_string())]);
    assert_eq!(one.stdout.lines().count(), 3, "one round needs no summary");
}

/// Tables of the first edition of the rules exported these. They stay valid.
#[test]
fn rounds_exported_by_the_first_edition_are_verified_and_replayed_unchanged() {
    let path = "crates/cli/tests/data/edition-1.jsonl";
    let run = croupier(&["verify", path]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    assert!(run.stdout.ends_with("4 rounds, all verified.\n"), "{}", run.stdout);
    let replayed = croupier(&["replay", path, "--json"]);
    assert_eq!((replayed.stderr.as_str(), replayed.code), ("", Some(0)));
    let written = include_str!("data/edition-1.jsonl");
    for (written, replayed) in written.lines().zip(replayed.stdout.lines()) {
        let [written, replayed]: [Value; 2] =
            [written, replayed].map(|line| serde_json::from_str(line).expect("JSON"));
        assert!(written["rules_version"].to_string().starts_with("\"croupier-rules/1 "));
        assert_eq!(replayed["result"], written["result"]);
    }
}

#[test]
fn one_bad_round_is_named_by_its_line_and_the_others_continue() {
    let mut lines: Vec<String> = EXPORTED.lines().map(str::to_owned).collect();
    let mut record: Value = serde_json::from_str(&lines[1]).expect("JSON");
    record["seats"][0]["player"] = "mallory".into();
    lines[1] = record.to_string();
    lines.insert(3, "nonsense".to_owned());
    let path = file("tampered.jsonl", &lines.join("\n"));
    let run = croupier(&["verify", &path]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stdout.lines().filter(|line| line.contains("is verified")).count(), 3);
    assert_eq!(run.stdout.lines().last(), Some("5 rounds: 3 verified, 2 not."));
    let said: Vec<&str> = run.stderr.lines().collect();
    let hash =
        "line 2 (round 2 of table standard-1): journal_hash: it is not the hash of this record";
    assert!(said[0].contains(hash), "{}", said[0]);
    assert!(said[1].contains("line 4: "), "{}", said[1]);

    let json = croupier(&["verify", &path, "--json"]);
    assert_eq!((json.stderr.as_str(), json.code), ("", Some(1)));
    let answers: Vec<Value> =
        json.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let verified: Vec<bool> =
        answers.iter().map(|answer| answer["verified"] == Value::Bool(true)).collect();
    assert_eq!(verified, [true, false, true, false, true]);
    assert_eq!(answers[1]["field"], "journal_hash");
    let error = answers[1]["error"].as_str().expect("a text");
    assert!(error.starts_with("it is not the hash of this record"), "{error}");
    for (answer, table, round) in [(0, "washington-1", 1), (1, "standard-1", 2)] {
        assert_eq!(answers[answer]["table"], table);
        assert_eq!(answers[answer]["round"], round);
    }
    assert_eq!(answers[3]["table"], Value::Null);
}

#[test]
fn a_round_that_no_table_dealt_cannot_be_verified() {
    let run = croupier(&["verify", "docs/round.jsonl"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("shuffle: it is missing"), "{}", run.stderr);
    let run = croupier(&["verify", "no-such-file.jsonl"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("no-such-file.jsonl cannot be read"), "{}", run.stderr);
}

#[test]
fn a_file_without_a_round_is_not_verified() {
    for (name, text) in [("empty.jsonl", ""), ("blank.jsonl", "\n \n")] {
        let path = file(name, text);
        for arguments in [vec!["verify", &path], vec!["verify", &path, "--json"]] {
            let run = croupier(&arguments);
            assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
            assert_eq!(run.stderr, format!("croupier: {path}: it contains no rounds\n"));
        }
    }
}

/// Both are valid, but a table deals at most one of them.
#[test]
fn two_rounds_under_one_number_are_noticed() {
    let mut other = rounds().remove(0);
    let journal = other["journal"].clone();
    other["seats"][0]["player"] = "dan".into();
    seal(&mut other, &journal);
    let path = file("twice.jsonl", &format!("{EXPORTED}{other}\n"));
    let note = "croupier: round 1 of table washington-1 appears twice with different contents: \
                a table deals only one round under each number\n";
    let run = croupier(&["verify", &path]);
    assert_eq!((run.stderr.as_str(), run.code), (note, Some(1)));
    let last = run.stdout.lines().last();
    assert_eq!(last, Some("5 rounds, each verified on its own, but they conflict."));
    let run = croupier(&["verify", &path, "--json"]);
    assert_eq!((run.stderr.as_str(), run.code), (note, Some(1)));

    // The same round twice counts as one.
    let run = croupier(&["verify", &file("again.jsonl", &EXPORTED.repeat(2))]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    assert_eq!(run.stdout.lines().last(), Some("8 rounds, all verified."));
}

/// Reseals a round, as the author of an invented one would.
fn seal(round: &mut Value, journal: &Value) {
    let fields = round.as_object_mut().expect("an object");
    fields.retain(|name, _| !name.starts_with("journal"));
    let body = format!("{{\"event\":\"round-over\",\"record\":{}}}", canonical(round));
    let previous = journal["previous"].as_str().expect("a text").parse().expect("a hash");
    let at = Time::from_millis(journal["at"].as_i64().expect("a time"));
    let entry = Entry::seal(&previous, journal["version"].as_u64().expect("a version"), at, body);
    round["journal"] = journal.clone();
    round["journal_hash"] = entry.hash.to_string().into();
}

/// Serializes JSON with the names of every object in order.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let sorted: BTreeMap<&String, &Value> = fields.iter().collect();
            let write = |(name, value): (&String, &Value)| {
                format!("{}:{}", Value::from(name.as_str()), canonical(value))
            };
            format!("{{{}}}", sorted.into_iter().map(write).collect::<Vec<_>>().join(","))
        }
        Value::Array(list) => {
            format!("[{}]", list.iter().map(canonical).collect::<Vec<_>>().join(","))
        }
        _ => value.to_string(),
    }
}

#[test]
fn a_file_of_something_else_is_rejected_early() {
    let page = "A page.\n".repeat(5_000);
    let path = file("page.md", &page);
    for command in ["verify", "replay"] {
        let run = croupier(&[command, &path]);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
        let said: Vec<&str> = run.stderr.lines().collect();
        assert_eq!(said.len(), 21, "{command}");
        assert_eq!(
            said[20],
            format!(
                "croupier: {path}: none of the first 20 lines is a round; \
                 not a file of rounds"
            )
        );
    }
    // Rounds that fail verification are another matter, and so is a page after a round.
    let bad = EXPORTED.replace("croupier-round/1", "croupier-round/7").repeat(10);
    let run = croupier(&["verify", &file("bad.jsonl", &bad)]);
    assert_eq!(run.stderr.lines().count(), 40);
    assert_eq!(run.stdout, "40 rounds: 0 verified, 40 not.\n");
    let run = croupier(&["verify", &file("mixed.jsonl", &format!("{EXPORTED}{page}"))]);
    assert_eq!(run.stderr.lines().count(), 5_000);
}

/// No text from a file reaches a terminal unescaped.
#[test]
fn a_file_cannot_forge_an_answer() {
    let forged = "\u{1b}[2J\u{9b}1m\nRound 9 of table t9 is verified.\r\u{202e}\u{7f}";
    let mut lines = Vec::new();
    for path in ["/format", "/house", "/void", "/shuffle/table", "/seats/0/player", "/deck_colour"]
    {
        let mut round = rounds().remove(2);
        *round.pointer_mut(path).expect("it exists") = forged.into();
        lines.push(round.to_string());
    }
    let mut round = rounds().remove(0);
    round[forged] = 1.into();
    lines.push(round.to_string());
    let path = file("forged.jsonl", &lines.join("\n"));
    for command in [
        vec!["verify", &path],
        vec!["verify", &path, "--json"],
        vec!["replay", &path],
        vec!["replay", &path, "--json"],
    ] {
        let run = croupier(&command);
        for text in [&run.stdout, &run.stderr] {
            let strange = |letter: char| letter.is_control() && letter != '\n';
            assert!(!text.contains(strange), "{command:?}: {text:?}");
            assert!(!text.lines().any(|line| line.starts_with("Round 9")), "{command:?}: {text}");
        }
    }
}
