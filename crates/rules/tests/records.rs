//! Round records, read and replayed.

use croupier_rules::{Catalog, Record, Refusal};
use serde_json::{Value, json};

/// Returns a deck that starts with these cards.
fn deck(first: &str) -> Vec<String> {
    let first = croupier_cards::parse_cards(first).expect("cards");
    let rest = croupier_cards::Card::ALL.into_iter().filter(|card| !first.contains(card));
    first.iter().copied().chain(rest).map(|card| card.to_string()).collect()
}

/// Returns a record of a seat that wins $65 with a flush on the river.
fn record() -> Value {
    json!({
        "format": "croupier-round/1",
        "house": "uth-standard",
        "bonus_paytable": "UTH-02",
        "deck": deck("Ah 3h Ks 2d Kh Jh 9h 6d 4c"),
        "seats": [{
            "seat": 1, "player": "ann", "ante": 1000, "bonus": 500,
            "actions": ["check", "check", "bet 1"],
        }],
    })
}

/// The houses of Texas Hold'em.
const HOUSES: [&str; 3] = ["uth-standard", "uth-washington", "uth-california"];

/// Returns the same record at another house. Where a player banks, seat 8 does.
fn at(house: &str) -> Value {
    let mut record = record();
    record["house"] = json!(house);
    if house == "uth-california" {
        record["banker"] = json!({"seat": 8, "wager": 1_000_000});
    }
    record
}

fn replay(record: &Value) -> Result<Value, String> {
    let catalog = Catalog::shipped();
    let record = Record::read(&record.to_string(), &catalog).map_err(|error| error.to_string())?;
    let result = record.replay().map_err(|error| error.to_string())?.result;
    Ok(serde_json::from_str(&record.with_result(&result)).expect("JSON"))
}

/// Returns the error for a record with a changed field.
fn error(path: &str, value: Value) -> String {
    let mut record = record();
    *record.pointer_mut(path).unwrap_or_else(|| panic!("no {path}")) = value;
    replay(&record).expect_err("an error")
}

#[test]
fn a_record_is_printed_with_its_result() {
    let wager = |staked: i64, returned: i64| {
        let result = "win";
        json!({"staked": staked, "returned": returned, "result": result, "uncovered": 0})
    };
    let mut expected = record();
    expected["result"] = json!({
        "community": ["Kh", "Jh", "9h", "6d", "4c"],
        "dealer": {
            "cards": ["Ks", "2d"], "hand": "pair",
            "best": ["Ks", "Kh", "Jh", "9h", "6d"], "qualifies": true,
        },
        "seats": [{
            "seat": 1, "cards": ["Ah", "3h"], "hand": "flush",
            "best": ["Ah", "Kh", "Jh", "9h", "3h"], "outcome": "win",
            "wagers": {
                "ante": wager(1000, 2000), "blind": wager(1000, 2500),
                "play": wager(1000, 2000), "bonus": wager(500, 3500),
            },
            "net": 6500,
        }],
        "bank": {"net": -6500},
    });
    assert_eq!(replay(&record()), Ok(expected.clone()));
    // The printed record can be replayed, and matches itself.
    assert_eq!(replay(&expected), Ok(expected));
}

#[test]
fn a_wrong_result_is_reported_by_its_first_difference() {
    let good = replay(&record()).expect("a good record");
    for (path, value, message) in [
        (
            "/result/seats/0/wagers/blind/returned",
            json!(3000),
            "result.seats[0].wagers.blind.returned: the record says 3000, \
             but the replay finds 2500",
        ),
        (
            "/result/dealer/qualifies",
            json!(false),
            "result.dealer.qualifies: the record says false, but the replay finds true",
        ),
        (
            "/result/community/4",
            json!("5c"),
            "result.community[4]: the record says \"5c\", but the replay finds \"4c\"",
        ),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(path).expect("a field") = value;
        assert_eq!(replay(&bad), Err(message.to_owned()));
    }
}

#[test]
fn cards_may_be_written_as_people_write_them() {
    let mut together = record();
    let cards = deck("Ah 3h Ks 2d Kh Jh 9h 6d 4c").join("").replace('T', "10").to_lowercase();
    together["deck"] = json!(cards);
    assert_eq!(replay(&together).expect("a good record")["result"]["bank"]["net"], -6500);
}

#[test]
fn a_house_may_be_written_out_and_its_deal_changed() {
    let catalog = Catalog::shipped();
    let mut whole = record();
    whole["house"] =
        serde_json::to_value(&**catalog.house("uth-standard").expect("a house")).expect("data");
    assert_eq!(replay(&whole).expect("a good record")["result"]["bank"]["net"], -6500);

    let mut singles = record();
    singles["deal"] = json!("singles");
    singles["deck"] = json!(deck("Ah Ks 3h 2d Kh Jh 9h 6d 4c"));
    assert_eq!(replay(&singles).expect("a good record")["result"]["bank"]["net"], -6500);
}

#[test]
fn faults_in_a_record_are_reported_with_their_place() {
    for (path, value, message) in [
        ("/format", json!("croupier-round/2"), "format: \"croupier-round/2\" is unknown: write"),
        ("/house", json!("uth-nevada"), "house: there is no house \"uth-nevada\": write one of"),
        (
            "/house",
            json!({"id": "x"}),
            "house: ante_refund: it is missing: write one of first-pass, by-seat\n",
        ),
        ("/bonus_paytable", json!("UTH-09"), "bonus_paytable: the house has no \"UTH-09\": write"),
        ("/deck/7", json!("Ah"), "deck: Ah is repeated: it is card 1 and card 8 of the deck"),
        ("/deck/7", json!("1h"), "deck[7]: \"1h\" (card 1, at character 1) is not a card"),
        ("/deck/7", json!(1), "deck[7]: write a card, such as \"As\", not 1"),
        ("/deck", json!(7), "deck: write 52 cards, as a list or as one string, not 7"),
        ("/house", json!(null), "house: write a house's id, or a whole house as an object"),
        ("/deck", json!(["As"]), "deck: the deck has 1 cards instead of 52: missing"),
        ("/seats/0/seat", json!(9), "seats[0].seat: there is no seat 9 at any table"),
        ("/seats/0/seat", json!(8), "seats[0].seat: the table has seats 1 to 7"),
        ("/seats/0/ante", json!(250), "seats[0].ante: the Ante must be at least $5"),
        ("/seats/0/ante", json!("5"), "seats[0].ante: write whole cents, not \"5\""),
        ("/seats/0/ante", json!(10.5), "seats[0].ante: write whole cents, not 10.5"),
        (
            "/seats/0/ante",
            json!(9_223_372_036_854_775_808_u64),
            "seats[0].ante: 9223372036854775808 is too large for an amount",
        ),
        ("/seats/0/seat", json!(-1), "seats[0].seat: write a small whole number, not -1"),
        (
            "/seats/0",
            json!(7),
            "seats[0]: write a seat: an object with seat, ante and actions, not",
        ),
        ("/seats/0", json!({"seat": 1}), "seats[0].ante: it is missing"),
        ("/seats/0/player", json!(["ann"]), "seats[0].player: write a string, not a list"),
        ("/seats/0/bonus", json!(100), "seats[0].bonus: the bonus must be at least $5, or none"),
        ("/seats/0/actions", json!(["check", "check"]), "seats[0].actions: seat 1 has a decision"),
        (
            "/seats/0/actions/0",
            json!("call"),
            "seats[0].actions[0]: \"call\" is unknown: write check,",
        ),
        (
            "/seats/0/actions/0",
            json!("bet 99999999999"),
            "seats[0].actions[0]: 99999999999 times the Ante is too much to bet",
        ),
        (
            "/seats/0/actions/0",
            json!("bet  04\n"),
            "seats[0].actions[0]: \"bet  04\\n\" is unknown: write check,",
        ),
        ("/seats/0/actions/0", json!("bet 04"), "seats[0].actions[0]: \"bet 04\" is unknown:"),
        ("/seats/0/actions/0", json!("bet +4"), "seats[0].actions[0]: \"bet +4\" is unknown:"),
        (
            "/seats/0/actions/0",
            json!("bet 2"),
            "seats[0].actions[0]: you can bet 3x or 4x the Ante",
        ),
        (
            "/seats/0/actions/0",
            json!("bet 4"),
            "seats[0].actions[1]: there is nothing left to decide",
        ),
        ("/seats", json!([]), "seats: no seat has wagered"),
    ] {
        let error = error(path, value);
        assert!(error.starts_with(message), "{path}: {error}");
    }
}

#[test]
fn a_void_round_needs_no_decisions_and_returns_all_stakes() {
    for house in HOUSES {
        let mut void = at(house);
        void["void"] = json!("the shuffler jammed");
        void["seats"][0]["actions"] = json!(["check"]);
        let result = &replay(&void).expect("a good record")["result"];
        assert_eq!(result["seats"][0]["outcome"], "void");
        assert_eq!(result["seats"][0]["net"], 0);
        assert_eq!(
            result["seats"][0]["wagers"]["bonus"],
            json!({"staked": 500, "returned": 500, "result": "void", "uncovered": 0})
        );
    }
}

#[test]
fn a_round_may_be_void_after_its_last_decision() {
    let mut void = record();
    void["void"] = json!("the shuffler jammed");
    let seat = &replay(&void).expect("a good record")["result"]["seats"][0];
    assert_eq!(seat["wagers"]["play"]["result"], "void");
    assert_eq!((&seat["wagers"]["play"]["returned"], &seat["net"]), (&json!(1000), &json!(0)));
}

#[test]
fn cards_of_a_written_result_may_be_spelled_differently() {
    let mut good = replay(&record()).expect("a good record");
    good["result"]["community"][0] = json!("K♥");
    good["result"]["seats"][0]["best"][0] = json!("ah");
    assert!(replay(&good).is_ok());
}

#[test]
fn actions_by_the_table_must_exist_and_must_not_be_bets() {
    let mut by_table = record();
    by_table["seats"][0]["by_table"] = json!([2]);
    assert_eq!(
        replay(&by_table),
        Err("seats[0].actions[2]: the table checks or folds for a player, and never bets"
            .to_owned())
    );
    by_table["seats"][0]["by_table"] = json!([0, 3]);
    assert_eq!(replay(&by_table), Err("seats[0].by_table: there is no action 3".to_owned()));
    by_table["seats"][0]["by_table"] = json!([0, 1]);
    assert!(replay(&by_table).is_ok());
}

#[test]
fn a_blind_table_of_the_other_game_is_refused() {
    let mut other = record();
    other["blind_paytable"] = json!("UTCP");
    let error = replay(&other).expect_err("an error");
    assert!(
        error.contains("UTCP pays for hands that Ultimate Texas Hold'em doesn't have"),
        "{error}"
    );
}

#[test]
fn unknown_fields_are_listed() {
    let mut odd = record();
    odd["seats"][0]["bonuss"] = json!(500);
    odd["note"] = json!({"rules_version": 1});
    odd["deck_colour"] = json!("blue");
    odd["rules_version"] = json!("1");
    odd["shuffle"] = json!({"version": 1});
    odd["journal_hash"] = json!("00");
    let record = Record::read(&odd.to_string(), &Catalog::shipped()).expect("a good record");
    assert_eq!(record.unknown_fields(), ["seats[0].bonuss", "note"]);
}

#[test]
fn a_record_of_many_lines_is_printed_on_one_with_its_spelling_kept() {
    let mut odd = record();
    odd["void"] = json!("a \"jam\" \\ in\tthe shuffler");
    let pretty =
        serde_json::to_string_pretty(&odd).expect("JSON").replacen('{', "{\"x\": 1.50e400,", 1);
    let record = Record::read(&pretty, &Catalog::shipped()).expect("a good record");
    let result = record.replay().expect("a good record").result;
    let line = record.with_result(&result);
    assert!(!line.contains('\n') && line.starts_with("{\"x\":1.50e400,\"format\":"), "{line}");
    let line = line.replacen("\"x\":1.50e400,", "", 1);
    let read: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(read["void"], odd["void"]);
}

#[test]
fn a_refusal_of_the_round_is_reported_by_its_code() {
    let read = |record: &Value| {
        let catalog = Catalog::shipped();
        let record = Record::read(&record.to_string(), &catalog)?;
        record.replay().map(|replayed| replayed.result)
    };
    let mut small = record();
    small["seats"][0]["ante"] = json!(250);
    let error = read(&small).expect_err("an error");
    assert_eq!(error.refusal().map(Refusal::code), Some("ante-too-small"));
    let mut unknown = record();
    unknown["house"] = json!("uth-nevada");
    assert_eq!(read(&unknown).expect_err("an error").refusal(), None);
}

#[test]
fn one_bonus_pay_table_applies_to_every_seat_of_a_round() {
    // Both seats flop a flush of their own, and both are paid by UTH-02.
    for house in HOUSES {
        let mut two = at(house);
        two["deck"] = json!(deck("Ah 3h Qh 2h Ks 2d Kh Jh 9h 6d 4c"));
        let seat = two["seats"][0].clone();
        two["seats"] = json!([seat, seat]);
        two["seats"][1]["seat"] = json!(2);
        two["seats"][1]["player"] = json!("bea");
        let result = &replay(&two).expect("a good record")["result"];
        for index in [0, 1] {
            assert_eq!(result["seats"][index]["wagers"]["bonus"]["returned"], 500 + 6 * 500);
        }
    }
}

#[test]
fn a_record_is_an_object_and_not_a_list_of_its_values() {
    let Value::Object(fields) = record() else { panic!("a record is an object") };
    let field = |name: &str| fields.get(name).cloned().unwrap_or_default();
    let order = "format house bonus_paytable blind_paytable deal deck banker seats void result";
    let list: Value = order.split(' ').map(field).collect();
    assert_eq!(
        replay(&list),
        Err("a record is an object: write {\"format\": \"croupier-round/1\", …}".to_owned())
    );
}

#[test]
fn text_that_cannot_be_written_again_is_refused() {
    let catalog = Catalog::shipped();
    let lines = serde_json::to_string_pretty(&record()).expect("plain data");
    let open = lines.strip_suffix('}').expect("an object");
    let nested = format!("{}{}", "[".repeat(200), "]".repeat(200));
    for (value, message) in [
        ("1e999", "number out of range"),
        ("\"\\ud800\"", "unexpected end of hex escape"),
        (&nested, "recursion limit exceeded"),
    ] {
        let text = format!("{open}, \"result\": null, \"note\": {value}}}");
        let error = Record::read(&text, &catalog).expect_err("an error").to_string();
        assert!(error.contains(&format!(": {message}")), "{error}");
    }
}

#[test]
fn invalid_json_is_reported_by_its_column_or_by_its_own_line() {
    let catalog = Catalog::shipped();
    let error = |text: &str| Record::read(text, &catalog).expect_err("an error").to_string();
    assert_eq!(error("nonsense"), "this is not JSON: expected ident at column 2");
    assert_eq!(
        error("{\"format\": 1,\n}"),
        "format: write a string, not 1",
        "the first fault is reported"
    );
    assert_eq!(
        error("{\"deal\": \"pairs\",\n}"),
        "this is not JSON: trailing comma on its line 2, at column 1"
    );
    let twice = record().to_string().replacen('{', "{\"deal\":null,\"deal\":null,", 1);
    assert_eq!(error(&twice), "deal: it appears twice");
}

#[test]
fn unknown_fields_of_a_result_are_listed_and_the_others_must_match() {
    let catalog = Catalog::shipped();
    let mut later = replay(&record()).expect("a good record");
    later["result"]["rake"] = json!(0);
    later["result"]["seats"][0]["wagers"]["ante"]["currency"] = json!("USD");
    let read = Record::read(&later.to_string(), &catalog).expect("a good record");
    assert_eq!(
        read.unknown_fields(),
        ["result.seats[0].wagers.ante.currency", "result.rake"],
        "unknown fields are listed"
    );
    assert!(read.replay().is_ok());
    later["result"]["bank"]["net"] = json!(0);
    assert!(replay(&later).is_err_and(|error| error.starts_with("result.bank.net: ")));

    // A wager that was not made is a known field, so it is a difference.
    let mut folded = record();
    folded["seats"][0]["actions"] = json!(["check", "check", "fold"]);
    let mut folded = replay(&folded).expect("a good record");
    folded["result"]["seats"][0]["wagers"]["play"] = json!({});
    assert_eq!(
        replay(&folded),
        Err("result.seats[0].wagers.play: the record says {}, but the replay finds nothing"
            .to_owned())
    );
    // A missing known field is also a difference.
    let mut less = replay(&record()).expect("a good record");
    less["result"]["dealer"].as_object_mut().expect("fields").remove("hand");
    assert!(replay(&less).is_err_and(|error| error.starts_with("result.dealer.hand: ")));
}

#[test]
fn a_void_round_names_the_seat_that_must_act_first() {
    let mut void = record();
    void["void"] = json!("the shuffler jammed");
    let mut other = void["seats"][0].clone();
    (other["seat"], other["player"], other["actions"]) = (json!(2), json!("bea"), json!([]));
    void["seats"].as_array_mut().expect("seats").push(other);
    assert_eq!(
        replay(&void),
        Err("seats[0].actions[1]: seat 2 has a decision to make first".to_owned())
    );
    void["seats"][0]["actions"] = json!(["bet 4", "check"]);
    assert_eq!(
        replay(&void),
        Err("seats[0].actions[1]: there is nothing left to decide".to_owned())
    );
    void["void"] = json!(" ");
    assert_eq!(replay(&void), Err("void: it is empty: write the reason".to_owned()));
}

#[test]
fn no_name_matches_a_player_without_a_name() {
    for name in ["\u{0}1", "seat 1", "1", ""] {
        let mut two = record();
        let mut other = two["seats"][0].clone();
        (other["seat"], other["player"]) = (json!(2), json!(name));
        two["seats"][0].as_object_mut().expect("a seat").remove("player");
        two["seats"].as_array_mut().expect("seats").push(other);
        assert!(replay(&two).is_ok(), "{name:?}: {:?}", replay(&two));
    }
}

#[test]
fn a_house_without_a_bonus_says_so() {
    let catalog = Catalog::shipped();
    let mut none = record();
    none["house"] =
        serde_json::to_value(&**catalog.house("uth-standard").expect("a house")).expect("data");
    none["house"]["bonus_paytables"] = json!([]);
    assert_eq!(
        replay(&none),
        Err("bonus_paytable: the house has no bonus: leave it out".to_owned())
    );
    none["bonus_paytable"] = json!(null);
    assert_eq!(replay(&none), Err("seats[0].bonus: there is no bonus at this table".to_owned()));
}

#[test]
fn a_house_keeps_its_pay_tables_when_its_deal_changes() {
    let mut catalog = Catalog::shipped();
    let text = "id = \"MINE\"\ntitle = \"Mine\"\nsource = \"me\"\nbet = \"trips\"\n\n\
                [pays]\nflush = \"9:1\"\n";
    let mine = croupier_rules::PayTable::from_toml(text).expect("a good pay table");
    let mut tables = catalog.paytables().to_vec();
    tables.push(mine);
    let house = toml::to_string(&**catalog.house("uth-standard").expect("a house")).expect("data");
    let house = house.replace("uth-standard", "mine").replace("UTH-02", "MINE");
    let house = house.replace("Ultimate Texas Hold'em", "Mine");
    // The catalog has the house, but not the pay table it was built with.
    let house = croupier_rules::House::from_toml(&house, &tables).expect("a good house");
    catalog.add_house(house).expect("a unique id");
    let mut own = record();
    (own["house"], own["bonus_paytable"]) = (json!("mine"), json!("MINE"));
    own["deal"] = json!("singles");
    own["deck"] = json!(deck("Ah Ks 3h 2d Kh Jh 9h 6d 4c"));
    let read = Record::read(&own.to_string(), &catalog).expect("a good record");
    let result = read.replay().expect("a good round").result;
    assert_eq!(result.bank.net.as_cents(), -(3500 + 9 * 500));
}

#[test]
fn a_record_brings_pay_tables_that_the_catalog_does_not_have() {
    let catalog = Catalog::shipped();
    let mine = json!({
        "id": "MINE", "title": "Mine", "source": "me", "bet": "trips", "pays": {"flush": "9:1"},
    });
    let mut own = record();
    own["house"] =
        serde_json::to_value(&**catalog.house("uth-standard").expect("a house")).expect("data");
    own["house"]["bonus_paytables"] = json!(["MINE"]);
    own["bonus_paytable"] = json!("MINE");
    own["deck"] = json!(deck("Ah Kh 3s 2d Jh 9h 6h 4c Kc"));
    assert!(replay(&own).expect_err("an unknown pay table").contains("\"MINE\""));
    own["paytables"] = json!([mine.clone(), mine.clone()]);
    let played = replay(&own).expect("a good round");
    assert_eq!(played["result"]["seats"][0]["wagers"]["bonus"]["returned"], 500 + 9 * 500);
    assert_eq!(played["paytables"], own["paytables"], "the record keeps them");

    // A record may repeat a table that the catalog has, but can't change it.
    let mut known = record();
    known["paytables"] = serde_json::to_value(&catalog.paytables()[..1]).expect("data");
    assert!(replay(&known).is_ok());
    known["paytables"][0]["pays"]["flush"] = json!("100:1");
    let message = "paytables[0]: \"UTH\" is a different pay table: give this one its own id";
    assert_eq!(replay(&known), Err(message.to_owned()));
    known["paytables"][0] = json!({"id": "MINE"});
    assert!(replay(&known).expect_err("an incomplete pay table").starts_with("paytables[0]: "));
    known["paytables"] = json!(vec![mine; 17]);
    let message = "paytables: there are too many: the limit is 16";
    assert_eq!(replay(&known), Err(message.to_owned()));
}

#[test]
fn a_null_result_is_replaced_however_it_is_spelled() {
    let catalog = Catalog::shipped();
    for name in ["result", "r\\u0065sult"] {
        let text = record().to_string();
        let open = text.strip_suffix('}').expect("an object");
        let nothing = format!("{open},\"{name}\":null}}");
        let nothing = Record::read(&nothing, &catalog).expect("a good record");
        let result = nothing.replay().expect("a good record").result;
        let printed = nothing.with_result(&result);
        assert_eq!(replay(&record()), Ok(serde_json::from_str(&printed).expect("JSON")));
        let again = Record::read(&printed, &catalog).expect("a printed record can be read");
        assert_eq!(again.replay().map(|replayed| replayed.result), Ok(result));
    }
}
