//! The rules for the whole card room when players bank: one bonus pay table, and a house that never
//! banks. Also a player's own house, which may not pass for another.

use std::time::Duration;

use croupier_rules::{Amount, Catalog};
use croupier_server::{Config, Server};
use croupier_store::{Database, Sqlite, SqliteOptions};
use croupier_table::Clocks;
use croupier_testing::Client;
use serde_json::{Value, json};

use crate::harness::{config, join, server, text};

const HOUSE: &str = "uth-california";

async fn open(host: &Client, opening: Value) -> Result<Value, Value> {
    let reply = host.post("/api/tables", &opening).await;
    let body = serde_json::from_slice(&reply.body).expect("JSON");
    if reply.status == 201 { Ok(body) } else { Err(body) }
}

fn detail(problem: &Value) -> &str {
    problem["detail"].as_str().expect("words")
}

/// Returns the lines of a table's placard under a name.
async fn placard(viewer: &Client, table: &Value, name: &str) -> Vec<String> {
    let (table_name, invite) =
        (text(&table["table"]), table["invite"].as_str().unwrap_or_default());
    let path = format!("/api/tables/{table_name}/placard?invite={invite}");
    let placard = viewer.get(&path).await.good();
    let lines = placard["placard"].as_array().expect("lines").iter();
    let named = lines.filter(|line| line["name"] == name).map(|line| text(&line["text"]));
    named.collect()
}

#[tokio::test]
async fn one_pay_table_serves_the_card_room() {
    let house = server(Config { card_room_paytable: "UTH-03".to_owned(), ..config() }).await;
    let host = Client::guest(house.address()).await;
    // It is the default of every table, public or not.
    for public in [true, false] {
        let table = open(&host, json!({"house": HOUSE, "public": public})).await.expect("a table");
        assert_eq!(table["bonus_paytable"], "UTH-03");
        assert_eq!(table.get("card_room_paytable"), None);
        assert!(placard(&host, &table, "Practice").await.is_empty());
    }
    let same = json!({"house": HOUSE, "public": true, "bonus": "UTH-03"});
    assert!(open(&host, same).await.is_ok());
    // No public table may use another pay table.
    for other in ["UTH-01", "UTH-02", "UTH-04"] {
        let public = json!({"house": HOUSE, "public": true, "bonus": other});
        let problem = open(&host, public).await.expect_err("the room has one table");
        assert_eq!(problem["code"], "bad-terms");
        assert_eq!(
            detail(&problem),
            format!(
                "this card room uses UTH-03 at all public tables that players bank, not {other}: \
                 leave the bonus out, or open a private table"
            )
        );
    }
    // A private table may, and says so.
    let private = open(&host, json!({"house": HOUSE, "bonus": "UTH-01"})).await.expect("a table");
    assert_eq!(private["bonus_paytable"], "UTH-01");
    assert_eq!(private["card_room_paytable"], "UTH-03");
    let said = placard(&host, &private, "Practice").await;
    assert_eq!(said, ["Trips pays by UTH-01; the card room uses UTH-03"]);
    // When the house banks, every public table may choose.
    for bonus in ["UTH-01", "UTH-04"] {
        let table = json!({"house": "uth-washington", "public": true, "bonus": bonus});
        assert_eq!(open(&host, table).await.expect("a table")["bonus_paytable"], bonus);
    }
    let listed = host.get("/api/tables?house=uth-california").await.good();
    let listed: Vec<&Value> =
        listed.as_array().expect("tables").iter().map(|table| &table["bonus_paytable"]).collect();
    assert_eq!(listed, ["UTH-03", "UTH-03"]);
}

/// A house that differs from California's in its names, and in the given fields.
fn own(changes: &Value) -> Value {
    let mut house = serde_json::to_value(&**Catalog::shipped().house(HOUSE).expect("a house"));
    let house = house.as_mut().expect("plain data");
    (house["id"], house["title"], house["source"]) =
        ("kitchen".into(), "Kitchen rules".into(), "my kitchen".into());
    for (field, value) in changes.as_object().expect("changes") {
        house[field] = value.clone();
    }
    house.take()
}

#[tokio::test]
async fn a_public_table_with_an_own_house_uses_the_card_rooms_pay_table() {
    let house = server(config()).await;
    let host = Client::guest(house.address()).await;
    let other = json!({"house": own(&json!({"bonus_paytables": ["UTH-02"]})), "public": true});
    assert_eq!(
        detail(&open(&host, other).await.expect_err("another table")),
        "this card room uses UTH-01 at all public tables that players bank, not UTH-02: \
         the house must offer UTH-01 or no bonus, or open a private table"
    );
    // Nor does it let a player bank for longer than other houses do.
    let banking = json!({"by": "player-dealer", "coverage": "action", "max_consecutive": 3});
    let longer = json!({"house": own(&json!({ "banking": banking })), "public": true});
    let words = detail(&open(&host, longer).await.expect_err("three hands")).to_owned();
    assert!(words.contains("no player banks more than two hands in a row"), "{words}");
    let good = json!({"house": own(&json!({})), "public": true});
    let table = open(&host, good).await.expect("a table");
    assert_eq!((&table["bonus_paytable"], &table["own_house"]), (&"UTH-01".into(), &true.into()));
    let said = placard(&host, &table, "House").await;
    assert_eq!(said, ["the host's own, not one of Croupier's"]);
}

#[tokio::test]
async fn an_own_house_does_not_pass_for_a_shipped_one() {
    let house = server(config()).await;
    let host = Client::guest(house.address()).await;
    let limits = json!({"unit": 500, "ante_min": 500, "ante_max": 1_000_000, "bonus_min": 500,
        "bonus_max": 10_000});
    for (field, name, of) in [
        ("id", "UTH-Washington", "uth-washington"),
        ("title", "Ultimate Texas Hold'em, Washington", "uth-washington"),
        ("title", "Ultimate Texas Hold’em  WASHINGTON", "uth-washington"),
        ("title", "U1timate Texas Ho1d'em, Washingt0n", "uth-washington"),
        ("source", "California standards of play", "uth-california"),
    ] {
        for public in [true, false] {
            let mut fields = own(&json!({"limits": limits, "banking": {"by": "house"}, "seats": 7,
                "payoff_order": "highest-seat-first"}));
            fields[field] = name.into();
            let problem = open(&host, json!({"house": fields, "public": public})).await;
            let problem = problem.expect_err("it is another's name");
            assert_eq!(problem["code"], "bad-terms");
            let words =
                format!("\"{name}\" is the {field} of {of}: give your house another {field}");
            assert_eq!(problem["faults"], json!([format!("{field}: {words}")]));
        }
    }
    // Letters of other scripts can look like Latin letters, so they are not allowed in public
    // names.
    let mut foreign = own(&json!({}));
    foreign["title"] = "Ultim\u{430}te Texas Hold'em, Washington".into();
    let problem = open(&host, json!({"house": foreign, "public": true})).await;
    assert!(detail(&problem.expect_err("a Cyrillic letter")).contains("plain letters, A to Z"));
    // The table's title may not imitate one either.
    let title = "ULTIMATE TEXAS HOLD'EM, Washington";
    let titled = |house: Value| json!({"house": house, "public": true, "title": title});
    let problem = open(&host, titled(own(&json!({})))).await.expect_err("it is another's name");
    assert_eq!(
        detail(&problem),
        "\"ULTIMATE TEXAS HOLD'EM, Washington\" is the title of another house: \
         give your table its own"
    );
    assert!(open(&host, titled("uth-washington".into())).await.is_ok());
}

#[tokio::test]
async fn a_practice_bank_is_for_private_tables_and_says_so() {
    let house = server(config()).await;
    let host = Client::guest(house.address()).await;
    let public = json!({"house": HOUSE, "public": true, "practice_bank": true});
    let problem = open(&host, public).await.expect_err("the house never banks");
    assert_eq!(
        detail(&problem),
        "a practice bank is for private tables: at a public table the house never banks"
    );
    let standard = json!({"house": "uth-standard", "practice_bank": true});
    assert!(detail(&open(&host, standard).await.expect_err("no bank")).contains("the house banks"));
    let private = json!({"house": HOUSE, "practice_bank": true, "pace": "none"});
    let table = open(&host, private).await.expect("a table");
    assert_eq!(table["practice_bank"], true);
    assert_eq!(placard(&host, &table, "Practice").await, ["a bot may bank at this table"]);
    let usual = open(&host, json!({"house": HOUSE, "pace": "none"})).await.expect("a table");
    assert_eq!(usual["practice_bank"], false);
}

/// Clocks that would let bots bank soon, while no other clock runs out.
fn patient() -> Clocks {
    Clocks { between: 0, offer: 60_000, betting: 60_000, ..Clocks::default() }
}

/// Waits until a table's state meets a condition.
async fn shows(viewer: &Client, table: &str, what: impl Fn(&Value) -> bool) -> Value {
    let mut state = Value::Null;
    for _ in 0..200 {
        state = viewer.get(&format!("/api/tables/{table}")).await.good();
        if what(&state) {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the condition is never met: {state}");
}

fn offered(state: &Value) -> Option<u64> {
    let seats = state["seats"].as_array().expect("seats").iter();
    let mut asked = seats.filter(|seat| seat["awaits"] == "bank");
    asked.next().and_then(|seat| seat["seat"].as_u64())
}

#[tokio::test]
async fn a_bot_never_banks_at_a_public_table() {
    let house = server(Config { clocks: patient(), ..config() }).await;
    let ann = Client::guest(house.address()).await;
    let table = open(&ann, json!({"house": HOUSE, "public": true})).await.expect("a table");
    let name = text(&table["table"]);
    join(&ann, &name, "", 4).await.good();
    for _ in 0..3 {
        ann.post(&format!("/api/tables/{name}/bots"), &json!({})).await.good();
    }
    let seats =
        shows(&ann, &name, |state| state["seats"].as_array().map(Vec::len) == Some(4)).await;
    let bots = seats["seats"].as_array().expect("seats").iter().filter(|seat| seat["bot"] == true);
    assert_eq!(bots.count(), 3);
    // Only the player is asked. When she passes there is no round, and she is asked again.
    for _ in 0..2 {
        let state = shows(&ann, &name, |state| offered(state).is_some()).await;
        assert_eq!(offered(&state), Some(4), "bots sit at seats 1 to 3");
        let round = state["round_number"].as_u64().expect("a number");
        ann.command(&name, &json!({"command": "decline-bank", "seat": 4})).await.good();
        shows(&ann, &name, |state| state["round_number"].as_u64() > Some(round)).await;
    }
    // She takes the bank, and the bots play against her.
    shows(&ann, &name, |state| offered(state) == Some(4)).await;
    let take = json!({"command": "take-bank", "seat": 4, "wager": 50_000});
    ann.command(&name, &take).await.good();
    let round = 3;
    shows(&ann, &name, |state| state["round_number"].as_u64() > Some(round)).await;
    let record = ann.get(&format!("/api/tables/{name}/rounds/{round}")).await.good();
    assert_eq!(record["banker"]["seat"], 4);
    assert_eq!(record["seats"].as_array().map(Vec::len), Some(3), "the bots play against her");
}

#[tokio::test]
async fn play_now_without_other_players_is_a_practice_table() {
    let house = server(Config { clocks: patient(), ..config() }).await;
    let ann = Client::guest(house.address()).await;
    let seated = ann.post("/api/play", &json!({"house": HOUSE})).await.good();
    let state = &seated["state"];
    assert_eq!((&state["public"], &state["practice_bank"]), (&false.into(), &true.into()));
    assert_eq!(state["seats"].as_array().map(Vec::len), Some(3), "two bots keep her company");
    let name = text(&state["table"]);
    // A repeated request returns the same seat.
    let again = ann.post("/api/play", &json!({"house": HOUSE})).await.good();
    assert_eq!((&again["seat"], text(&again["state"]["table"])), (&seated["seat"], name.clone()));
    // When she passes, a bot takes the bank.
    let seat = seated["seat"].as_u64().expect("a seat");
    shows(&ann, &name, |state| offered(state) == Some(seat)).await;
    ann.command(&name, &json!({"command": "decline-bank", "seat": seat})).await.good();
    let state = shows(&ann, &name, |state| state["round"]["banker"].is_object()).await;
    assert_ne!(state["round"]["banker"]["seat"], seat);
    // The lobby lists no table, and another player who asks gets a separate table.
    assert_eq!(ann.get("/api/tables").await.good(), json!([]));
    let bea = Client::guest(house.address()).await;
    let other = bea.post("/api/play", &json!({"house": HOUSE})).await.good();
    assert_ne!(text(&other["state"]["table"]), name);
    // If people sit at a public table, "play now" joins them.
    let open_to_all = open(&bea, json!({"house": HOUSE, "public": true})).await.expect("a table");
    let public = text(&open_to_all["table"]);
    join(&bea, &public, "", 1).await.good();
    let cy = Client::guest(house.address()).await;
    let joined = cy.post("/api/play", &json!({"house": HOUSE})).await.good();
    assert_eq!(text(&joined["state"]["table"]), public);
    assert_eq!(joined["state"]["seats"].as_array().map(Vec::len), Some(2), "and no bot joins");
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test restarts a server on its own file")]
async fn a_public_table_closes_when_the_pay_table_setting_changes() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("card-room");
    for end in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(format!("{}{end}", path.display()));
    }
    let start = async |paytable: &str| {
        let config = Config { card_room_paytable: paytable.to_owned(), ..config() };
        let store = Sqlite::open(&path, SqliteOptions::default()).expect("a database");
        Server::start(Database::Sqlite(store), config).await.expect("a server")
    };
    let first = start("UTH-01").await;
    let ann = Client::guest(first.address()).await;
    let public = open(&ann, json!({"house": HOUSE, "public": true})).await.expect("a table");
    let private = open(&ann, json!({"house": HOUSE})).await.expect("a table");
    let standard = json!({"house": "uth-standard", "public": true, "bonus": "UTH-04"});
    let standard = open(&ann, standard).await.expect("a table");
    let token = ann.token.clone();
    first.stop().await;

    let second = start("UTH-02").await;
    let mut ann = Client::new(second.address());
    ann.token = token;
    shows(&ann, &text(&public["table"]), |state| state["closed"] == true).await;
    for open in [&private, &standard] {
        let state = ann.get(&format!("/api/tables/{}", text(&open["table"]))).await.good();
        assert_eq!(state["closed"], false);
    }
    let chips = ann.get("/api/me").await.good()["chips"].as_i64().map(Amount::cents);
    assert_eq!(chips, Some(Amount::cents(100_000)));
}
