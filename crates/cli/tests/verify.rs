//! `croupier verify`: exported rounds are true, or it is said which field is not.

#![expect(clippy::disallowed_methods, reason = "it runs the program on files of its own")]

mod program;

use program::croupier;
use serde_json::Value;

const EXPORTED: &str = include_str!("../../../docs/exported.jsonl");

/// Writes a file for a test, and returns its path.
fn file(name: &str, text: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file can be written");
    path.to_str().expect("a path in UTF-8").to_owned()
}

#[test]
fn true_rounds_are_accepted_and_named() {
    let run = croupier(&["verify", "docs/exported.jsonl"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("Round 1 of table t1 is true. Journal hash "), "{}", lines[0]);
    assert_eq!(lines[2], "  Not shown, and so counted as empty: the seed of seat 2.");
    assert_eq!(lines.len(), 5);
}

#[test]
fn one_bad_round_is_named_by_its_line_and_the_others_go_on() {
    let mut lines: Vec<String> = EXPORTED.lines().map(str::to_owned).collect();
    let mut record: Value = serde_json::from_str(&lines[1]).expect("JSON");
    record["seats"][0]["player"] = "mallory".into();
    lines[1] = record.to_string();
    lines.insert(3, "nonsense".to_owned());
    let path = file("tampered.jsonl", &lines.join("\n"));
    let run = croupier(&["verify", &path]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stdout.lines().filter(|line| line.contains("is true")).count(), 3);
    let said: Vec<&str> = run.stderr.lines().collect();
    let hash = "line 2: journal_hash: it is not the hash of this record";
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
    assert_eq!((&answers[0]["table"], &answers[0]["round"]), (&"t1".into(), &1.into()));
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
