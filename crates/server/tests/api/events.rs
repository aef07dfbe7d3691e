//! Events: the OpenAPI description has a schema for each, docs/table.md has a row, and every event
//! that a table sends matches its schema.

use std::collections::{BTreeMap, BTreeSet};

use croupier_table::Event;
use croupier_testing::{Client, schema_faults};
use serde_json::{Value, json};

use crate::harness::{config, join, private_table, staffed, text};

const HASH: &str = "4fa17e9012c06deba9822e4353344474891eaa5502b1212eb76dba8f9045ccc6";

/// Returns the schemas of events by name.
fn schemas() -> BTreeMap<String, Value> {
    let api: Value = serde_json::from_str(&croupier_server::openapi()).expect("JSON");
    let choices = api["components"]["schemas"]["TableEvent"]["oneOf"].as_array().cloned();
    let named = |schema: Value| {
        let name = schema["properties"]["event"]["enum"][0].clone();
        (text(&name), schema)
    };
    choices.expect("a schema of events").into_iter().map(named).collect()
}

/// Returns how an event violates the schema of its kind. A field that the schema does not have is a
/// fault here, although a client has to ignore it.
fn faults(event: &Value) -> Vec<String> {
    let name = text(&event["event"]);
    let mut schema = schemas().remove(&name).unwrap_or_else(|| panic!("{name} has no schema"));
    let api: Value = serde_json::from_str(&croupier_server::openapi()).expect("JSON");
    schema["components"] = api["components"].clone();
    close(&mut schema);
    schema_faults(&schema, event)
}

/// Forbids fields that the schemas do not have.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.get("properties").is_some_and(Value::is_object) {
                fields.entry("additionalProperties").or_insert(json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

#[track_caller]
fn fits(event: &Value) {
    assert_eq!(faults(event), [""; 0], "{event}");
}

/// Returns one event of each kind, as in a journal.
fn one_of_each() -> Vec<Event> {
    let seed = json!({"seat": 2, "commitment": HASH, "seed": "00ff"});
    let mut sitter = json!({"seat": 1, "player": "ann", "out": false, "leaving": false});
    (sitter["missed"], sitter["waited"]) = (json!(0), json!(0));
    let checkpoint = json!({
        "event": "checkpoint", "terms": HASH, "round": 32, "dealt": 31, "seats": [sitter],
        "banked": [{"seat": 1, "player": "ann"}], "rest": 5, "since": 4, "paused": null,
        "purses": {"ann": 100_000},
    });
    let mut first = checkpoint.clone();
    first.as_object_mut().map(|fields| fields.shift_remove("dealt"));
    first["paused"] = json!("a break");
    let all = [
        json!({"event": "table-opened", "terms": {"house": "uth-standard"}}),
        checkpoint,
        first,
        json!({"event": "player-joined", "seat": 1, "player": "ann"}),
        json!({"event": "player-leaving", "seat": 1}),
        json!({"event": "player-left", "seat": 1, "by_table": true}),
        json!({"event": "sat-out", "seat": 1, "by_table": false}),
        json!({"event": "sat-in", "seat": 1}),
        json!({"event": "round-opened", "round": 7, "seed": HASH, "commitment": HASH}),
        json!({"event": "bank-declined", "seat": 1, "by_table": true}),
        json!({"event": "bank-taken", "seat": 1, "wager": 50_000}),
        json!({"event": "seed-committed", "seat": 1, "commitment": HASH}),
        json!({"event": "wagered", "seat": 1, "ante": 1_000, "bonus": 0}),
        json!({"event": "withdrawn", "seat": 1}),
        json!({"event": "betting-closed"}),
        json!({"event": "seed-revealed", "seat": 1, "seed": "00ff"}),
        json!({"event": "seed-given-up", "seat": 1}),
        json!({"event": "dealt"}),
        json!({"event": "decided", "seat": 1, "decision": "bet 4", "by_table": false}),
        json!({"event": "stopped", "reason": "the shuffler jammed"}),
        json!({"event": "round-over", "record": {}}),
        json!({"event": "round-undealt", "reason": "x", "seed": HASH, "seat_seeds": [seed]}),
        json!({"event": "window-passed"}),
        json!({"event": "paused", "reason": "a break"}),
        json!({"event": "resumed"}),
        json!({"event": "closing", "reason": "the last round"}),
        json!({"event": "table-closed", "reason": "the last round"}),
    ];
    all.iter().map(|body| Event::read(&body.to_string()).expect("an event")).collect()
}

#[test]
fn every_event_has_a_schema_that_describes_all_its_fields() {
    let told: Vec<Value> = one_of_each().iter().map(Event::shown).collect();
    told.iter().for_each(fits);
    let names: BTreeSet<String> = told.iter().map(|event| text(&event["event"])).collect();
    assert_eq!(names, schemas().into_keys().collect::<BTreeSet<_>>());
    for (name, schema) in schemas() {
        assert!(schema["description"].is_string(), "{name} is not described");
        for (field, schema) in schema["properties"].as_object().expect("fields") {
            let is_described = schema["description"].is_string() || field == "event";
            assert!(is_described, "{field} of {name} is not described");
        }
    }
    // Secrets are not sent yet, and a record is not sent twice.
    let opened = told.iter().find(|event| event["event"] == "round-opened").expect("one of each");
    assert_eq!(opened.get("seed"), None);
    assert!(told.contains(&json!({"event": "round-over"})));
}

#[test]
fn a_schema_rejects_an_event_that_violates_it() {
    for (event, fault) in [
        (json!({"event": "sat-in"}), r#": {"event":"sat-in"} is not required ["seat","event"]"#),
        (json!({"event": "sat-in", "seat": "1"}), r#"/seat: "1" is not type "integer""#),
        (json!({"event": "sat-in", "seat": 9}), "/seat: 9 is not maximum 8"),
        (
            json!({"event": "sat-in", "seat": 1, "hole": "As"}),
            r#": {"event":"sat-in","seat":1,"hole":"As"} is not additionalProperties false"#,
        ),
        (
            json!({"event": "round-opened", "round": 1, "commitment": "x"}),
            r#"/commitment: "x" is not pattern "^[0-9a-f]{64}$""#,
        ),
    ] {
        assert_eq!(faults(&event), [fault]);
    }
}

#[test]
fn the_documentation_has_a_row_for_every_event() {
    let page = include_str!("../../../../docs/table.md");
    let head = "| event | fields | when | what follows |";
    let rows = page.lines().skip_while(|line| *line != head).skip(2);
    let rows: Vec<Vec<&str>> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let written: BTreeMap<String, Vec<String>> = rows
        .iter()
        .map(|row| {
            assert_eq!(row.len(), 4, "{row:?}");
            assert!(row[2..].iter().all(|words| !words.is_empty()), "{row:?}");
            let plain = |text: &str| text.trim_matches('`').to_owned();
            let fields = row[1].split(", ").filter(|field| !field.is_empty());
            (plain(row[0]), fields.map(plain).collect())
        })
        .collect();
    assert_eq!(rows.len(), written.len(), "an event has two rows");
    let fields = |schema: &Value| -> Vec<String> {
        let fields = schema["properties"].as_object().expect("fields").keys().cloned();
        fields.filter(|field| field != "event").collect()
    };
    let made = schemas().iter().map(|(name, schema)| (name.clone(), fields(schema))).collect();
    let sorted = |rows: BTreeMap<String, Vec<String>>| -> BTreeMap<String, BTreeSet<String>> {
        rows.into_iter().map(|(name, fields)| (name, fields.into_iter().collect())).collect()
    };
    assert_eq!(sorted(written), sorted(made));
}

/// Does as much at a table as possible without waiting, and checks every event.
#[tokio::test(flavor = "multi_thread")]
async fn the_events_of_a_table_match_their_schemas() {
    let (server, operator) = staffed(config()).await;
    let [ann, bea] = [Client::guest(server.address()).await, Client::guest(server.address()).await];
    let mut told = BTreeSet::new();
    let mut look = |done: &Value| {
        for event in done["events"].as_array().expect("events") {
            fits(event);
            told.insert(text(&event["event"]));
        }
    };
    let (table, invite) = private_table(&ann, "uth-california").await;
    look(&join(&ann, &table, &invite, 1).await.good());
    look(&join(&bea, &table, &invite, 2).await.good());
    let orders = [
        (&ann, json!({"command": "decline-bank", "seat": 1})),
        (&bea, json!({"command": "take-bank", "seat": 2, "wager": 50_000})),
        (&ann, json!({"command": "commit-seed", "seat": 1, "commitment": HASH})),
        (&ann, json!({"command": "wager", "seat": 1, "ante": 1_000, "bonus": 500})),
        (&ann, json!({"command": "withdraw", "seat": 1})),
        (&ann, json!({"command": "wager", "seat": 1, "ante": 1_000})),
    ];
    for (who, order) in &orders {
        look(&who.command(&table, order).await.good());
    }
    let path = format!("/api/operator/tables/{table}/commands");
    let orders = [
        json!({"command": "void", "reason": "the shuffler jammed"}),
        json!({"command": "pause", "reason": "a break"}),
        json!({"command": "resume"}),
        json!({"command": "close", "reason": "the last round"}),
    ];
    for order in &orders {
        look(&operator.post(&path, order).await.good());
    }
    let expected = [
        "bank-declined",
        "bank-taken",
        "closing",
        "paused",
        "player-joined",
        "resumed",
        "round-opened",
        "round-undealt",
        "seed-committed",
        "table-closed",
        "wagered",
        "withdrawn",
    ];
    assert!(expected.iter().all(|name| told.contains(*name)), "{told:?}");
    server.stop().await;
}
