//! The OpenAPI description in the tree is the one that the code generates, and is complete enough
//! for a client.

#![expect(clippy::disallowed_methods, reason = "it reads and writes a file of the tree")]

use std::collections::BTreeSet;

use serde_json::{Map, Value};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");

/// Returns all operations, each with its method and path.
fn operations(api: &Value) -> Vec<(String, Map<String, Value>)> {
    let paths = api["paths"].as_object().expect("paths");
    let of_path = |(path, item): (&String, &Value)| {
        let methods = item.as_object().expect("methods").clone();
        let named = |(method, is): (String, Value)| {
            (format!("{method} {path}"), is.as_object().expect("an operation").clone())
        };
        methods.into_iter().map(named).collect::<Vec<_>>()
    };
    paths.iter().flat_map(of_path).collect()
}

#[test]
fn the_description_in_the_tree_matches_the_code() {
    let made = croupier_server::openapi();
    if std::env::var_os("CROUPIER_BLESS").is_some() {
        std::fs::write(FILE, &made).expect("the file is written");
    }
    let written = std::fs::read_to_string(FILE).unwrap_or_default();
    let hint = "CROUPIER_BLESS=1 cargo test --package croupier-server --test api openapi fixes it";
    assert!(written == made, "docs/openapi.json does not match the code. {hint}");
}

#[test]
fn every_operation_documents_itself_and_its_errors() {
    let api: Value = serde_json::from_str(&croupier_server::openapi()).expect("JSON");
    let tags: BTreeSet<&str> = api["tags"]
        .as_array()
        .expect("tags")
        .iter()
        .filter_map(|tag| tag["name"].as_str())
        .collect();
    let mut ids = BTreeSet::new();
    let operations = operations(&api);
    assert!(operations.len() > 40, "{} operations", operations.len());
    for (name, operation) in operations {
        assert!(operation["summary"].as_str().is_some_and(|is| !is.is_empty()), "{name}: summary");
        let tag = operation["tags"][0].as_str().unwrap_or_default();
        assert!(tags.contains(tag), "{name}: {tag} is not an explained tag");
        let id = operation["operationId"].as_str().expect("an id").to_owned();
        assert!(ids.insert(id), "{name}: its id is not unique");
        for kind in ["4XX", "5XX"] {
            let problem = &operation["responses"][kind]["content"]["application/problem+json"];
            let schema = &problem["schema"]["$ref"];
            assert_eq!(schema, "#/components/schemas/Problem", "{name}: {kind}");
        }
    }
}

#[test]
fn every_operation_is_in_the_documentation() {
    let page = include_str!("../../../../docs/api.md");
    let api: Value = serde_json::from_str(&croupier_server::openapi()).expect("JSON");
    for (name, _) in operations(&api) {
        let (method, path) = name.split_once(' ').expect("a method and a path");
        let row = format!("| `{} {path}` |", method.to_uppercase());
        assert!(page.contains(&row), "docs/api.md has no row {row}");
    }
}

/// Returns whether a schema describes all fields of a value.
fn is_described(api: &Value, schema: &Value, value: &Value) -> bool {
    if let Some(place) = schema["$ref"].as_str().and_then(|place| place.strip_prefix('#')) {
        return is_described(api, api.pointer(place).expect("a schema"), value);
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        if let Some(choices) = schema[choice].as_array() {
            return choices.iter().any(|schema| is_described(api, schema, value));
        }
    }
    match value {
        Value::Object(fields) => fields.iter().all(|(name, field)| {
            let schema = schema["properties"].get(name);
            schema.is_some_and(|schema| is_described(api, schema, field))
        }),
        Value::Array(items) => items.iter().all(|item| is_described(api, &schema["items"], item)),
        value => match schema["enum"].as_array() {
            Some(known) => known.contains(value),
            None => true,
        },
    }
}

/// The samples of the walkthrough are compared with real responses by a test that runs it.
#[test]
fn the_documentation_shows_only_described_fields() {
    let page = include_str!("../../../../docs/api.md");
    let api: Value = serde_json::from_str(&croupier_server::openapi()).expect("JSON");
    let mut shown = BTreeSet::new();
    for block in page.split("```json\n").skip(1) {
        let (sample, _) = block.split_once("```").expect("a block ends");
        let Ok(value) = serde_json::from_str::<Value>(sample) else { continue };
        let kinds =
            [("code", "Problem"), ("command", "Order"), ("steps", "Narration"), ("player", "Me")];
        let kind = kinds.iter().find(|(field, _)| value.get(field).is_some());
        let Some((_, name)) = kind else { continue };
        let schema = &api["components"]["schemas"][name];
        assert!(is_described(&api, schema, &value), "{name} has no such fields: {value}");
        shown.insert(*name);
    }
    assert_eq!(shown, BTreeSet::from(["Me", "Order", "Problem", "Narration"]));
}
