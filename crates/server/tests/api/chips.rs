//! Free chips, only for players who have run out.

use croupier_testing::Client;
use serde_json::json;
use tokio::task::JoinSet;

use crate::harness::{TestDatabase, config, join, private_table};

/// Posts a high and a low bank in turn, and asks for chips at the same time: the player always has
/// $1,000, on the table or off it.
async fn posts_and_asks(database: TestDatabase) {
    let (server, _operator) = database.staffed(config()).await;
    let [ann, bea] = [(); 2].map(|()| Client::guest(server.address()));
    let (ann, bea) = (ann.await, bea.await);
    let (table, invite) = private_table(&ann, "uth-california").await;
    join(&ann, &table, &invite, 1).await.good();
    let state = join(&bea, &table, &invite, 2).await.good()["state"].clone();
    let (ann, seat) = if state["round"]["offered"] == 1 { (ann, 1) } else { (bea, 2) };
    let post = |wager: i64| json!({"command": "take-bank", "seat": seat, "wager": wager});
    ann.command(&table, &post(100_000)).await.good();
    let mut askers = JoinSet::new();
    for _ in 0..4 {
        let ann = ann.clone();
        askers.spawn(async move {
            let mut codes = Vec::new();
            for _ in 0..40 {
                codes.push(ann.post("/api/me/chips", &json!({})).await.code());
            }
            codes
        });
    }
    while !askers.is_empty() {
        for wager in [5_000, 100_000] {
            ann.command(&table, &post(wager)).await.good();
        }
        while let Some(codes) = askers.try_join_next() {
            let refused = |code: &String| code == "chips-left" || code == "busy";
            let codes = codes.expect("answers");
            assert!(codes.iter().all(refused), "{codes:?}");
        }
    }
    let me = ann.get("/api/me").await.good();
    let all = me["chips"].as_i64().expect("chips") + me["in_play"].as_i64().expect("chips");
    assert_eq!(all, 100_000);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn chips_that_move_between_table_and_account_are_counted() {
    posts_and_asks(TestDatabase::file("chips-move")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn chips_that_move_between_table_and_account_are_counted_over_postgresql() {
    posts_and_asks(TestDatabase::postgresql()).await;
}
