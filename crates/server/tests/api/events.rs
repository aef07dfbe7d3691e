//! Events: the OpenAPI description has a schema for each, docs/table.md has a row, and every event
//! that a table sends matches its schema.

use std::collections::{BTreeMap, BTreeSet};

use croupier_table::Event;
use croupier_testing::Client;
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

/// Returns how a value violates a schema, for the schema features that events use.
fn faults(api: &Value, schema: &Value, value: &Value) -> Vec<String> {
    if let Some(place) = schema["$ref"].as_str() {
        let target = api.pointer(place.strip_prefix('#').expect("a place")).expect("a schema");
        return faults(api, target, value);
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        name => name.as_str().into_iter().collect(),
    };
    let has_type = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        name => panic!("{name} is not a type that events use"),
    };
    let mut found = Vec::new();
    if !types.is_empty() && !types.into_iter().any(has_type) {
        found.push(format!("{value} is not {}", schema["type"]));
    }
    if schema["enum"].as_array().is_some_and(|known| !known.contains(value)) {
        found.push(format!("{value} is not one of {}", schema["enum"]));
    }
    match schema["pattern"].as_str() {
        None => {}
        Some("^[0-9a-f]{64}$") => {
            let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            if !value.as_str().is_some_and(|it| it.len() == 64 && it.bytes().all(digit)) {
                found.push(format!("{value} is not a hash"));
            }
        }
        Some(pattern) => panic!("{pattern} is not a pattern that events use"),
    }
    for item in value.as_array().into_iter().flatten() {
        found.extend(faults(api, &schema["items"], item));
    }
    let Some(fields) = value.as_object().filter(|_| schema["properties"].is_object()) else {
        return found;
    };
    for (name, field) in fields {
        match schema["properties"].get(name) {
            Some(schema) => found.extend(faults(api, schema, field)),
            None => found.push(format!("{name} is not described")),
        }
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        if !fields.contains_key(name.as_str().expect("a name")) {
            found.push(format!("{name} is missing"));
        }
    }
    found
}

#[track_caller]
fn fits(event: &Value) {
    let api: Value = serde_json::from_str(&croupier_server::openapi()).expect("JSON");
    let schemas = schemas();
    let name = text(&event["event"]);
    let schema = schemas.get(&name).unwrap_or_else(|| panic!("{name} has no schema"));
    assert_eq!(faults(&api, schema, event), [""; 0], "{event}");
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
    let api: Value = serde_json::from_str(&croupier_server::openapi()).expect("JSON");
    for (event, fault) in [
        (json!({"event": "sat-in"}), "\"seat\" is missing"),
        (json!({"event": "sat-in", "seat": "1"}), "\"1\" is not \"integer\""),
        (json!({"event": "sat-in", "seat": 1, "hole": "As"}), "hole is not described"),
        (json!({"event": "round-opened", "round": 1, "commitment": "x"}), "\"x\" is not a hash"),
    ] {
        let schema = &schemas()[&text(&event["event"])];
        assert_eq!(faults(&api, schema, &event), [fault]);
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
