//! The API walkthrough on the page works exactly as shown.

#![expect(clippy::disallowed_methods, reason = "it runs a server, and a shell next to it")]

mod serving;

use std::process::Command;

use serde_json::{Value, json};
use serving::Serving;

const PAGE: &str = include_str!("../../../docs/api.md");

/// The line before the walkthrough: it stops at the first failure.
const STRICT: &str = "set -euo pipefail\n";

/// A step of the walkthrough: the commands, and the output that the page shows below them.
struct Step {
    typed: &'static str,
    shown: Vec<Value>,
}

/// The line printed before each step, to separate the output of the steps.
const MARK: &str = "---- the next step of the walk ----";

fn steps() -> Vec<Step> {
    let steps = PAGE.split("```sh walk\n").skip(1).map(|block| {
        let (typed, rest) = block.split_once("```").expect("a block ends");
        let end = rest.find("\n## ").unwrap_or(rest.len());
        let mut shown = Vec::new();
        for kind in ["```json\n", "```text\n"] {
            let sample = rest[..end].split_once(kind).and_then(|(_, rest)| rest.split_once("```"));
            shown.extend(sample.map(|(sample, _)| values(sample)).unwrap_or_default());
        }
        Step { typed, shown }
    });
    steps.collect()
}

/// Returns the objects and lists in a text, one after the other.
fn values(text: &str) -> Vec<Value> {
    let begins = |line: &&str| !line.starts_with(['{', '[', ' ']);
    let json: Vec<&str> = text.lines().filter(|line| !begins(line)).collect();
    let json = json.join("\n");
    let read = serde_json::Deserializer::from_str(&json).into_iter::<Value>();
    read.map(|value| value.unwrap_or_else(|error| panic!("{error}: {json}"))).collect()
}

/// Returns the structure of a value: the names of its fields, in order, and the types of the rest.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (name.clone(), shape(field))).collect()
        }
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::String(_) => json!("text"),
        Value::Number(_) => json!("number"),
        Value::Bool(_) => json!("yes or no"),
        Value::Null => Value::Null,
    }
}

#[test]
fn the_walkthrough_from_guest_to_verified_round_works() {
    let steps = steps();
    assert!(steps.len() > 5, "the walkthrough has {} steps", steps.len());
    let typed: Vec<String> =
        steps.iter().map(|step| format!("echo '{MARK}'\n{}", step.typed)).collect();
    let server = Serving::start("api-walk");
    let walked = Command::new("bash")
        .args(["-c", &format!("{STRICT}{}", typed.concat())])
        .current_dir(&server.folder)
        .env("CROUPIER", &server.url)
        .output()
        .expect("bash starts");
    let told = String::from_utf8_lossy(&walked.stdout);
    let wrong = String::from_utf8_lossy(&walked.stderr);
    assert!(walked.status.success(), "{told}\n{wrong}");
    for expected in [
        "\"kind\":\"guest\"",
        "\nseed\n",
        "\"round-over\"",
        "\"verified\":true",
        "\nThese are the seeds.\n",
        "\nevent: table\n",
    ] {
        assert!(told.contains(expected), "{expected} is not in\n{told}\n{wrong}");
    }
    // It sent a command twice, and the table closed when it left.
    assert_eq!(told.matches("\ntrue\n").count(), 2, "{told}\n{wrong}");
    // The samples on the page have the fields of the real responses.
    let printed: Vec<&str> = told.split(&format!("{MARK}\n")).skip(1).collect();
    assert_eq!(printed.len(), steps.len());
    let samples = steps.iter().zip(printed).filter(|(step, _)| !step.shown.is_empty());
    let mut compared = 0;
    for (step, printed) in samples {
        let (shown, printed) = (step.shown.iter().map(shape), values(printed));
        let printed: Vec<Value> = printed.iter().map(shape).collect();
        assert_eq!(shown.collect::<Vec<_>>(), printed, "the page shows other fields");
        compared += 1;
    }
    assert!(compared >= 4, "the page shows {compared} answers");
}
