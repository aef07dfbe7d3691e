//! Rounds that were not dealt: they have a number, a reason and a seed, and all of it can be read
//! and verified.

use croupier_testing::Client;
use serde_json::{Value, json};

use crate::harness::{
    config, join, play_round, private_table, staffed, staffed_over_postgresql, text,
};

/// Plays at a table whose rounds are sometimes stopped before the deal, and checks its list.
async fn rounds_have_no_gaps(staff: (croupier_server::Server, Client)) {
    let (server, operator) = staff;
    let ann = Client::guest(server.address()).await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    let path = format!("/api/operator/tables/{table}/commands");
    let void = json!({"command": "void", "reason": "the shuffler jammed"});
    let mut commitments = vec![Value::Null];
    for round in 1..=70_u64 {
        let state = ann.get(&format!("/api/tables/{table}")).await.good();
        assert_eq!(state["round_number"], round);
        commitments.push(state["round"]["commitment"].clone());
        if round.is_multiple_of(5) {
            play_round(&ann, &table, 1).await;
            continue;
        }
        for ante in [500, 1_000] {
            let wager = json!({"command": "wager", "seat": 1, "ante": ante, "bonus": 500});
            ann.command(&table, &wager).await.good();
        }
        if round % 5 == 1 {
            ann.command(&table, &json!({"command": "withdraw", "seat": 1})).await.good();
        }
        operator.post(&path, &void).await.good();
    }
    // The list has every number, newest first, page by page.
    let path = format!("/api/tables/{table}/rounds");
    let mut numbers = Vec::new();
    let mut before = String::new();
    loop {
        let page = ann.get(&format!("{path}{before}")).await.good();
        let page = page.as_array().expect("rounds");
        let Some(last) = page.last() else { break };
        before = format!("?before={}", last["round"]);
        for row in page {
            let round = row["round"].as_u64().expect("a number");
            numbers.push(round);
            look_at(&ann, &table, row, &commitments).await;
        }
    }
    assert_eq!(numbers, (1..=70).rev().collect::<Vec<_>>());
    // The open round cannot be read, nor can one that never existed.
    for round in [0, 71, 72, 1_000_000] {
        assert_eq!(ann.get(&format!("{path}/{round}")).await.code(), "no-such-round", "{round}");
    }
    // A stranger cannot read it, and a player of the round can.
    let bob = Client::guest(server.address()).await;
    assert_eq!(bob.get(&format!("{path}/2")).await.code(), "no-such-table");
    server.stop().await;
}

async fn look_at(ann: &Client, table: &str, row: &Value, commitments: &[Value]) {
    let round = row["round"].as_u64().expect("a number");
    let path = format!("/api/tables/{table}/rounds/{round}");
    let record = ann.get(&path).await.good();
    let number = usize::try_from(round).expect("small");
    assert_eq!(record["shuffle"]["commitment"], commitments[number], "round {round}");
    let verdict = ann.post("/api/verify", &record).await.good();
    assert_eq!(verdict["verified"], true, "{verdict}");
    if round.is_multiple_of(5) {
        assert_eq!(
            (row.get("undealt"), record["format"].as_str()),
            (None, Some("croupier-round/1"))
        );
        return;
    }
    assert_eq!([&row["undealt"], &verdict["undealt"]], ["the shuffler jammed"; 2]);
    assert_eq!(record["format"], "croupier-undealt/1");
    let staked: Vec<i64> = row["seats"]
        .as_array()
        .expect("seats")
        .iter()
        .map(|seat| {
            assert_eq!(seat["net"], 0);
            assert!(text(&seat["player"]).starts_with("p-"));
            seat["staked"].as_i64().expect("an amount")
        })
        .collect();
    assert_eq!(staked, if round % 5 == 1 { vec![] } else { vec![2_500] }, "round {round}");
    let told = ann.get(&format!("{path}/telling")).await;
    assert_eq!(told.code(), "no-such-round");
    // Any change is detected.
    let other = commitments[if number > 1 { number - 1 } else { number + 1 }].clone();
    for (place, forged) in [
        ("/reason", json!("no reason")),
        ("/shuffle/seed", other.clone()),
        ("/shuffle/commitment", other),
        ("/shuffle/round", json!(round + 1)),
        ("/journal/at", json!(1)),
        ("/journal_hash", record["journal"]["previous"].clone()),
    ] {
        let mut changed = record.clone();
        *changed.pointer_mut(place).expect("a field") = forged;
        let verdict = ann.post("/api/verify", &changed).await.good();
        assert_eq!(verdict["verified"], false, "{place}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_numbers_of_rounds_have_no_gaps() {
    rounds_have_no_gaps(staffed(config()).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_numbers_of_rounds_have_no_gaps_over_postgresql() {
    rounds_have_no_gaps(staffed_over_postgresql(config()).await).await;
}
