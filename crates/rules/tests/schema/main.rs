//! The schema of the round record matches the code: the same words, the same fields.
//!
//! `properties` checks random rounds against it.

use croupier_cards::Category;
use croupier_rules::{
    AnteRefund, Bank, Bet, Catalog, Coverage, Deal, FORMAT, Game, House, Outcome, PayTableBet,
    PayoffOrder, Record, WagerResult,
};
use croupier_testing::{record_schema, schema_faults};
use serde_json::{Value, json};

/// Returns where and how a record violates the schema.
fn faults(record: &Value) -> Vec<String> {
    schema_faults(&record_schema(), record)
}

/// A round of each shipped house, and the one in the documentation.
const ROUNDS: [&str; 5] = [
    include_str!("../../../cli/tests/golden/uth-standard.jsonl"),
    include_str!("../../../cli/tests/golden/uth-washington.jsonl"),
    include_str!("../../../cli/tests/golden/uth-california.jsonl"),
    include_str!("../../../cli/tests/golden/utcp-standard.jsonl"),
    include_str!("../../../../docs/round.jsonl"),
];

fn printed(text: &str) -> Value {
    let record = Record::read(text, &Catalog::shipped()).expect("a good record");
    let result = record.replay().expect("a good record").result;
    serde_json::from_str(&record.with_result(&result)).expect("JSON")
}

fn own_paytable() -> Value {
    json!({
        "id": "house-blind", "title": "House Blind", "source": "somewhere", "bet": "blind",
        "pays": {"royal-flush": "500:1", "straight": "3:2"},
    })
}

/// Returns a record with every field, and its result.
fn full() -> Value {
    let bytes = "0123456789abcdef".repeat(4);
    let mut record: Value = serde_json::from_str(ROUNDS[2]).expect("JSON");
    let catalog = Catalog::shipped();
    let house = catalog.house("uth-california").expect("a shipped house");
    record["house"] = serde_json::to_value(&**house).expect("plain data");
    record["house"]["limits"]["single_wager_max"] = json!(40_000);
    record["paytables"] = json!([own_paytable()]);
    record["blind_paytable"] = json!("UTH");
    record["deal"] = json!("pairs");
    record["deck_colour"] = json!("red");
    record["rules_version"] = json!("0.1.0");
    record["journal"] = json!({ "version": 9, "at": 1_700_000_000_000_u64, "previous": bytes });
    record["journal_hash"] = json!(bytes);
    record["shuffle"] = json!({
        "version": 1, "table": "t1", "round": 7, "commitment": bytes, "seed": bytes,
        "seat_seeds": [
            {"seat": 1, "commitment": bytes, "seed": "00ff"},
            {"seat": 2, "commitment": bytes, "seed": ""},
            {"seat": 4, "commitment": bytes, "seed": bytes.repeat(2)},
        ],
    });
    record["seats"][1]["blind"] = json!(500);
    record["seats"][1]["by_table"] = json!([0, 1, 2]);
    printed(&record.to_string())
}

/// Returns a void round, which has no decisions.
fn void() -> Value {
    let mut record: Value = serde_json::from_str(ROUNDS[4]).expect("JSON");
    record["void"] = json!("the shuffler jammed");
    record["deck"] = json!(
        "2♣3c4c5c6c7c8c9c10cjcqckcac2d3d4d5d6d7d8d9dtdjdqdkdad2h3h4h5h6h7h8h9hTh\
                            JhQhKhAh2s3s4s5s6s7s8s9sTsJsQsKsAs"
    );
    record["seats"][0].as_object_mut().expect("a seat").remove("actions");
    printed(&record.to_string())
}

#[test]
fn every_record_fits_the_schema_with_and_without_its_result() {
    for text in ROUNDS {
        let record: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(faults(&record), [""; 0]);
        assert_eq!(faults(&printed(text)), [""; 0]);
    }
    assert_eq!(faults(&full()), [""; 0]);
    assert_eq!(faults(&void()), [""; 0]);
}

/// The shuffle examples also have the fields of a record.
#[test]
fn every_example_of_the_shuffle_fits_the_schema() {
    let examples = include_str!("../../../../docs/shuffle-vectors.json");
    let examples: Vec<Value> = serde_json::from_str(examples).expect("JSON");
    let mut record = full();
    for example in examples {
        record["shuffle"] = example["shuffle"].clone();
        record["deck"] = example["deck"].clone();
        assert_eq!(faults(&record), [""; 0], "{}", example["name"]);
    }
}

#[test]
fn damaged_records_do_not_fit_the_schema() {
    for (path, damage) in [
        ("", json!([])),
        ("/format", json!("croupier-round/2")),
        ("/house", json!("")),
        ("/house", json!(7)),
        ("/house/game", json!("blackjack")),
        ("/house/seats", json!(9)),
        ("/house/raises", json!([])),
        ("/house/limits/unit", json!(0)),
        ("/house/limits/unit", json!(0.5)),
        ("/house/banking/coverage", json!("everything")),
        ("/paytables", json!({})),
        ("/paytables/0", json!("UTH")),
        ("/paytables/0/bet", json!("ante")),
        ("/paytables/0/pays/straight", json!(1.5)),
        ("/paytables/0/pays/straight", json!("much")),
        ("/paytables/0/pays", json!({"five-of-a-kind": "1:1"})),
        ("/deal", json!("fours")),
        ("/deck", json!(["As"])),
        ("/deck", json!("As Kd")),
        ("/deck/0", json!("1s")),
        ("/deck/0", json!("2c")),
        ("/banker/wager", json!(0)),
        ("/banker/seat", json!(0)),
        ("/seats", json!([])),
        ("/seats/0", json!([1, "ann", 500])),
        ("/seats/0/ante", json!("500")),
        ("/seats/1/bonus", json!(-500)),
        ("/seats/0/seat", json!(9)),
        ("/seats/0/actions/0", json!("call")),
        ("/seats/0/actions/0", json!("bet")),
        ("/seats/1/by_table", json!([-1])),
        ("/shuffle/version", json!(2)),
        ("/shuffle/version", json!("1")),
        ("/shuffle/table", json!("")),
        ("/shuffle/table", json!(1)),
        ("/shuffle/round", json!("7")),
        ("/shuffle/round", json!(-1)),
        ("/shuffle/round", json!(1_u64 << 53)),
        ("/shuffle/commitment", json!("")),
        ("/shuffle/seed", json!("secret")),
        ("/shuffle/seat_seeds", json!({})),
        ("/shuffle/seat_seeds/0", json!({"seat": 1, "seed": ""})),
        ("/shuffle/seat_seeds/0/seat", json!(9)),
        ("/shuffle/seat_seeds/0/commitment", json!("")),
        ("/shuffle/seat_seeds/0/seed", json!(null)),
        ("/shuffle/seat_seeds/0/seed", json!("0")),
        ("/shuffle/seat_seeds/0/seed", json!("FF")),
        ("/shuffle/seat_seeds/0/seed", json!("00".repeat(65))),
        ("/void", json!(true)),
        ("/void", json!("")),
        ("/house/bonus_paytables", json!(["UTH-01", "UTH-01"])),
        ("/result/community/0", json!("")),
        ("/result/dealer/hand", json!("five-of-a-kind")),
        ("/result/dealer/best", json!([])),
        ("/result/seats/0/outcome", json!("returned")),
        ("/result/seats/0/wagers/ante/result", json!("fold")),
        ("/result/seats/0/wagers/ante/returned", json!(-1)),
        ("/result/bank/net", json!(null)),
    ] {
        let mut record = full();
        record["void"] = json!("a reason");
        *record.pointer_mut(path).unwrap_or_else(|| panic!("no {path}")) = damage.clone();
        assert!(!faults(&record).is_empty(), "the schema accepts {damage} at {path}");
    }
}

/// Collects all places in a schema where a keyword is used.
fn places(schema: &Value, word: &str, at: &str, found: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            for (name, field) in fields {
                if name == word && field.is_array() {
                    found.push(format!("{at}/{name}"));
                }
                places(field, word, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(list) => {
            for (index, item) in list.iter().enumerate() {
                places(item, word, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn every_enum_of_the_schema_matches_the_code() {
    macro_rules! words {
        ($words:ty) => {
            <$words>::ALL.iter().map(|word| word.id()).collect::<Vec<&str>>()
        };
    }
    let lists = [
        ("/$defs/deal/enum", words!(Deal)),
        ("/$defs/hand/enum", words!(Category)),
        ("/$defs/house/properties/game/enum", words!(Game)),
        ("/$defs/house/properties/payoff_order/enum", words!(PayoffOrder)),
        ("/$defs/house/properties/ante_refund/enum", words!(AnteRefund)),
        ("/$defs/house/properties/banking/properties/by/enum", words!(Bank)),
        ("/$defs/house/properties/banking/properties/coverage/enum", words!(Coverage)),
        ("/$defs/seat_result/properties/outcome/enum", words!(Outcome)),
        ("/$defs/paytable/properties/bet/enum", words!(PayTableBet)),
        ("/$defs/settled/properties/result/enum", words!(WagerResult)),
    ];
    let schema = record_schema();
    for (place, words) in &lists {
        assert_eq!(schema.pointer(place), Some(&json!(words)), "{place}");
    }
    let (mut found, mut known) = (Vec::new(), lists.map(|(place, _)| place.to_owned()));
    places(&schema, "enum", "", &mut found);
    found.sort();
    known.sort();
    assert_eq!(found, known, "every enum is compared with one in the code");

    assert_eq!(schema.pointer("/properties/format/const"), Some(&json!(FORMAT)));
    let wagers = &schema["$defs"]["seat_result"]["properties"]["wagers"]["properties"];
    let mut wagers: Vec<&str> =
        wagers.as_object().expect("fields").keys().map(String::as_str).collect();
    let mut bets = words!(Bet);
    wagers.sort_unstable();
    bets.sort_unstable();
    assert_eq!(wagers, bets);
}

/// Returns the fields of an object in the schema that a value does not have.
fn unused(schema: &Value, place: &str, value: &Value) -> Vec<String> {
    let object = schema.pointer(place).unwrap_or_else(|| panic!("no {place}"));
    let fields = object["properties"].as_object().expect("fields");
    fields.keys().filter(|name| value.get(name).is_none()).cloned().collect()
}

#[test]
fn every_field_of_the_schema_is_written_by_the_code() {
    let (schema, record) = (record_schema(), full());
    let seat = &record["result"]["seats"][1];
    for (place, value, optional) in [
        ("", &record, &["void"][..]),
        ("/properties/banker", &record["banker"], &[]),
        ("/$defs/wagers", &record["seats"][1], &[]),
        ("/$defs/shuffle", &record["shuffle"], &[]),
        ("/$defs/seat_seed", &record["shuffle"]["seat_seeds"][0], &[]),
        ("/$defs/house", &record["house"], &[]),
        ("/$defs/house/properties/limits", &record["house"]["limits"], &["round_payout_max"]),
        ("/$defs/house/properties/banking", &record["house"]["banking"], &[]),
        ("/$defs/paytable", &record["paytables"][0], &[]),
        ("/$defs/result", &record["result"], &[]),
        ("/$defs/result/properties/dealer", &record["result"]["dealer"], &[]),
        ("/$defs/result/properties/bank", &record["result"]["bank"], &[]),
        ("/$defs/seat_result", seat, &[]),
        ("/$defs/settled", &seat["wagers"]["bonus"], &[]),
    ] {
        assert_eq!(unused(&schema, place, value), optional, "{place}");
    }
}

#[test]
fn the_schema_requires_a_field_exactly_where_the_code_does() {
    let catalog = Catalog::shipped();
    let record = full();
    let reads = |record: &Value| {
        let record = Record::read(&record.to_string(), &catalog);
        record.is_ok_and(|record| record.replay().is_ok())
    };
    let places =
        ["", "/banker", "/seats/1", "/house", "/house/limits", "/house/banking", "/paytables/0"];
    for place in places {
        let fields = record.pointer(place).and_then(Value::as_object).expect("fields");
        for name in fields.keys() {
            let mut less = record.clone();
            let fields = less.pointer_mut(place).and_then(Value::as_object_mut);
            fields.expect("fields").remove(name);
            // Whether a round plays without a banker, a bonus or an action is not tested here.
            if !matches!(name.as_str(), "banker" | "bonus_paytable" | "bonus" | "actions") {
                let fits = faults(&less).is_empty();
                assert_eq!(fits, reads(&less), "without {place}/{name}");
            }
            // A null means that the field is left out, except in a house or a pay table.
            let mut null = record.clone();
            null.pointer_mut(place).expect("fields")[name] = Value::Null;
            let strict = place.starts_with("/house") || place.starts_with("/paytables");
            let optional = faults(&less).is_empty() && !strict;
            assert_eq!(faults(&null).is_empty(), optional, "null at {place}/{name}");
            assert_eq!(
                Record::read(&null.to_string(), &catalog).is_ok(),
                optional,
                "{place}/{name}"
            );
        }
    }
    // A three-card house may leave out its raises, and a house that banks has no banking turns.
    let three = catalog.house("utcp-standard").expect("a shipped house");
    let mut three = serde_json::to_value(&**three).expect("plain data");
    three.as_object_mut().expect("fields").remove("raises");
    assert!(House::from_json(&three, catalog.paytables()).is_ok());
    let mut record = record.clone();
    record["house"] = three;
    assert_eq!(faults(&record), [""; 0]);
}
