//! An attack on a public table, as a story: a guest writes a pay table, wins more chips than anyone
//! has, and takes a seat among honest players.

use croupier_rules::Catalog;
use croupier_server::Server;
use croupier_testing::Client;
use serde_json::{Value, json};

use crate::harness::{LogCapture, config, staffed, staffed_over_postgresql, text};

/// Returns a request to open a table with these odds for every hand.
fn generous(pays: &str) -> Value {
    let house = Catalog::shipped().house("uth-standard").map(|house| json!(**house));
    let mut house = house.expect("it comes along");
    (house["id"], house["bonus_paytables"]) = (json!("mine"), json!(["MINE"]));
    (house["title"], house["source"]) = (json!("My own"), json!("me"));
    let hands = ["high-card", "pair", "two-pair", "three-of-a-kind", "straight", "flush"];
    let pays: Value = hands.into_iter().map(|hand| (hand.to_owned(), json!(pays))).collect();
    let paytable =
        json!({"id": "MINE", "title": "Mine", "source": "me", "bet": "trips", "pays": pays});
    json!({"house": house, "paytables": [paytable], "pace": "none"})
}

/// Makes the first decision offered to a seat until the round is over, and returns the final state.
async fn play_out(player: &Client, table: &str, seat: u64, mut state: Value) -> Value {
    loop {
        let hands = state["round"]["hands"].as_array().cloned().unwrap_or_default();
        let own = hands.into_iter().find(|hand| hand["seat"] == seat).unwrap_or_default();
        let Some(decision) = own["decisions"][0].as_str() else { return state };
        let decide = json!({"command": "decide", "seat": seat, "decision": decision});
        state = player.command(table, &decide).await.good()["state"].take();
    }
}

async fn chips(player: &Client) -> Value {
    let me = player.get("/api/me").await.good();
    json!([me["chips"], me["in_play"]])
}

async fn story((server, operator): (Server, Client)) {
    let address = server.address();
    let mallory = Client::guest(address).await;

    // Ten million to one is more than a table may pay.
    let refused = mallory.post("/api/tables", &generous("10000000:1")).await;
    assert_eq!(refused.code(), "bad-terms");
    let faults = refused.json()["faults"].to_string();
    assert!(faults.contains("10000000 to 1 for a pair is too much"), "{faults}");

    // Ten thousand to one is allowed, and wins again and again: with chips that stay at the table.
    let opened = mallory.post("/api/tables", &generous("10000:1")).await.good();
    let own = text(&opened["table"]);
    mallory.command(&own, &json!({"command": "join", "seat": 1})).await.good();
    let mut state = Value::Null;
    for _ in 0..20 {
        let wager = json!({"command": "wager", "seat": 1, "ante": 500, "bonus": 10_000});
        mallory.command(&own, &wager).await.good();
        let dealt = mallory.command(&own, &json!({"command": "deal"})).await.good();
        state = play_out(&mallory, &own, 1, dealt["state"].clone()).await;
    }
    assert_eq!(state["practice_chips"], true);
    assert!(state["chips"].as_i64() > Some(1_000_000_000), "{}", state["chips"]);
    assert_eq!(chips(&mallory).await, json!([100_000, 0]), "the account is unchanged");

    // Honest players and the attacker at one public table: the round is settled.
    let ann = Client::guest(address).await;
    let seated = ann.post("/api/play", &json!({"house": "uth-standard"})).await.good();
    let table = text(&seated["state"]["table"]);
    let among = mallory.post("/api/play", &json!({"house": "uth-standard"})).await.good();
    assert_eq!(among["state"]["table"], *table);
    assert_eq!(among["state"]["chips"], 100_000, "practice chips can't be spent elsewhere");
    let seats = [&seated, &among].map(|seated| seated["seat"].as_u64().expect("a seat"));
    let mut states = Vec::new();
    for (player, seat) in [(&ann, seats[0]), (&mallory, seats[1])] {
        let wager = json!({"command": "wager", "seat": seat, "ante": 500, "bonus": 500});
        states.push(player.command(&table, &wager).await.good()["state"].take());
    }
    // All players have wagered, so that the cards are dealt at once. The first player reloads.
    states[0] = ann.get(&format!("/api/tables/{table}")).await.good();
    while let Some(first) = states.iter().position(|state| state["round"].is_object()) {
        let player = [&ann, &mallory][first];
        play_out(player, &table, seats[first], states[first].clone()).await;
        for (state, player) in states.iter_mut().zip([&ann, &mallory]) {
            *state = player.get(&format!("/api/tables/{table}")).await.good();
        }
    }
    let round = ann.get(&format!("/api/tables/{table}/rounds/1")).await.good();
    assert_eq!(round["result"]["seats"].as_array().map(Vec::len), Some(2), "{round}");
    for player in [&ann, &mallory] {
        assert_eq!(chips(player).await[1], 0, "no stake is left");
    }

    // The operator's commands work, and so does "play now" for every other player.
    let path = format!("/api/operator/tables/{own}/commands");
    let close = json!({"command": "close", "reason": "enough"});
    operator.post(&path, &close).await.good();
    let bob = Client::guest(address).await;
    let seated = bob.post("/api/play", &json!({"house": "uth-standard"})).await.good();
    assert_eq!(seated["state"]["table"], *table);
    assert_eq!(chips(&mallory).await[1], 0);
    server.stop().await;
    LogCapture::assert_no_errors();
}

#[tokio::test(flavor = "multi_thread")]
async fn chips_won_under_own_terms_cannot_jam_a_public_table() {
    story(staffed(config()).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn chips_won_under_own_terms_cannot_jam_a_public_table_over_postgresql() {
    story(staffed_over_postgresql(config()).await).await;
}
