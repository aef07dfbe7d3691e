//! Bots at a table: a person waits for them as little as possible, and never forever.

use std::time::Duration;

use croupier_testing::Client;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::harness::{config, join, private_table, server, text};

/// Waits until a table's state meets a condition.
async fn shows(viewer: &Client, table: &str, what: impl Fn(&Value) -> bool) -> Value {
    let mut state = Value::Null;
    for _ in 0..1_000 {
        state = viewer.get(&format!("/api/tables/{table}")).await.good();
        if what(&state) {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the condition is never met: {state}");
}

async fn add_bots(host: &Client, table: &str, bots: usize) {
    for _ in 0..bots {
        host.post(&format!("/api/tables/{table}/bots"), &json!({})).await.good();
    }
}

/// Tells whether no bot has anything to do.
fn bots_are_done(state: &Value) -> bool {
    let seats = state["seats"].as_array().expect("seats");
    seats.iter().all(|seat| seat["bot"] == false || seat["awaits"].is_null())
}

#[tokio::test]
async fn a_player_who_banks_against_bots_deals_or_leaves() {
    let house = server(config()).await;
    let ann = Client::guest(house.address()).await;
    for leaves in [false, true] {
        let before = ann.get("/api/me").await.good()["chips"].as_i64().expect("an amount");
        let (table, invite) = private_table(&ann, "uth-california").await;
        join(&ann, &table, &invite, 1).await.good();
        let alone = ann.get(&format!("/api/tables/{table}")).await.good();
        assert_eq!(alone["may_deal"], false, "no round is open");
        add_bots(&ann, &table, 3).await;
        let take = json!({"command": "take-bank", "seat": 1, "wager": 20_000});
        ann.command(&table, &take).await.good();
        let state = shows(&ann, &table, |state| {
            bots_are_done(state) && state["round"]["hands"].as_array().map(Vec::len) == Some(3)
        });
        let state = state.await;
        assert_eq!(state["may_deal"], true, "{state}");
        assert_eq!(state["seats"][0]["chips"], before - 20_000, "the rest is posted");
        if leaves {
            ann.command(&table, &json!({"command": "leave", "seat": 1})).await.good();
            shows(&ann, &table, |state| state["closed"] == true).await;
        } else {
            ann.command(&table, &json!({"command": "deal"})).await.good();
            shows(&ann, &table, |state| state["round_number"] == 2).await;
            ann.command(&table, &json!({"command": "leave", "seat": 1})).await.good();
        }
        let record = ann.get(&format!("/api/tables/{table}/rounds/1")).await.good();
        assert_eq!(record["banker"]["seat"], 1);
        assert_eq!(record["seats"].as_array().map(Vec::len), Some(3));
        let me = ann.get("/api/me").await.good();
        assert_eq!((&me["in_play"], &me["tables"]), (&json!(0), &json!([])), "nothing is stuck");
        let net = record["result"]["bank"]["net"].as_i64().expect("an amount");
        assert_eq!(me["chips"], before + net);
    }
}

#[tokio::test]
async fn a_banker_who_leaves_before_any_wager_gets_the_bank_back() {
    let house = server(config()).await;
    let ann = Client::guest(house.address()).await;
    let bea = Client::guest(house.address()).await;
    let (table, invite) = private_table(&ann, "uth-california").await;
    join(&ann, &table, &invite, 1).await.good();
    join(&bea, &table, &invite, 2).await.good();
    let take = json!({"command": "take-bank", "seat": 1, "wager": 50_000});
    ann.command(&table, &take).await.good();
    let done = ann.command(&table, &json!({"command": "leave", "seat": 1})).await.good();
    let events: Vec<&Value> =
        done["events"].as_array().expect("events").iter().map(|event| &event["event"]).collect();
    assert_eq!(events, ["player-leaving", "round-undealt", "player-left"]);
    assert_eq!(done["events"][1]["reason"], "the player with the bank left");
    assert_eq!(ann.get("/api/me").await.good()["chips"], 100_000);
}

#[tokio::test]
async fn a_round_with_six_bots_takes_seconds() {
    let house = server(config()).await;
    let ann = Client::guest(house.address()).await;
    let seated = ann.post("/api/play", &json!({})).await.good();
    let (table, seat) = (text(&seated["state"]["table"]), seated["seat"].clone());
    add_bots(&ann, &table, 6).await;
    let mut slowest = Duration::ZERO;
    for round in 1..=4 {
        let state = shows(&ann, &table, |state| state["round"]["stage"] == "betting").await;
        assert_eq!((&state["round_number"], &state["deadline"]), (&json!(round), &Value::Null));
        let start = Instant::now();
        let wager = json!({"command": "wager", "seat": seat, "ante": 500});
        ann.command(&table, &wager).await.good();
        // The first round is played to the river, and the others are bet at once.
        let mut streets = Vec::new();
        loop {
            let own = |state: &Value| -> Option<Value> {
                let mut hands = state["round"]["hands"].as_array()?.iter();
                hands.find(|hand| hand["choices"].is_array()).cloned()
            };
            let over = |state: &Value| state["round_number"].as_u64() > Some(round);
            let state = shows(&ann, &table, |state| over(state) || own(state).is_some()).await;
            let Some(hand) = own(&state).filter(|_| !over(&state)) else { break };
            streets.push(text(&state["round"]["street"]["id"]));
            assert!(hand["name"].is_string(), "{hand}");
            let choices = hand["choices"].as_array().expect("choices");
            let check = choices.iter().find(|choice| choice["decision"] == "check");
            let choice = check.filter(|_| round == 1).unwrap_or(&choices[0]);
            let decide = json!({"command": "decide", "seat": seat, "decision": choice["decision"]});
            ann.command(&table, &decide).await.good();
        }
        let streets: Vec<&str> = streets.iter().map(String::as_str).collect();
        let all = ["pre-flop", "flop", "river"];
        assert_eq!(streets, if round == 1 { &all[..] } else { &all[..1] });
        slowest = slowest.max(start.elapsed());
    }
    assert!(slowest < Duration::from_secs(8), "{slowest:?}");
}

#[tokio::test]
async fn every_stack_is_shown_and_a_bots_too() {
    let house = server(config()).await;
    let ann = Client::guest(house.address()).await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    add_bots(&ann, &table, 1).await;
    let state = shows(&ann, &table, bots_are_done).await;
    assert_eq!(state["seats"][0]["chips"], 100_000);
    assert_eq!(state["seats"][1]["chips"], 10_000_000 - 1_000, "the bot has wagered");
    let wager = json!({"command": "wager", "seat": 1, "ante": 1_000, "bonus": 500});
    let done = ann.command(&table, &wager).await.good();
    assert_eq!(done["state"]["seats"][0]["chips"], 97_500);
    assert_eq!(done["state"]["chips"], 97_500);
    let expected = json!({"play_min": 1, "play_max": 4});
    for (field, value) in expected.as_object().expect("fields") {
        assert_eq!(done["state"]["limits"][field], *value, "{field}");
    }
    assert_eq!((&done["state"]["hand_size"], &done["state"]["board_size"]), (&json!(2), &json!(5)));
    // A viewer without a seat sees the stacks too, and may not deal.
    let eve = Client::guest(house.address()).await;
    let seen = eve.get(&format!("/api/tables/{table}?invite={invite}")).await.good();
    assert_eq!(seen["seats"][0]["chips"], 97_500);
    assert_eq!((&seen["may_deal"], &done["state"]["may_deal"]), (&json!(false), &json!(true)));
}
