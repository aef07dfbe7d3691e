//! The work that one settled round costs. The only test in its process: the count of showdowns is
//! the process's own.

use croupier_rules::judged;
use croupier_server::{Config, Server};
use croupier_store::{Database, Memory};
use croupier_testing::Client;
use serde_json::json;

const WATCHERS: usize = 8;

#[tokio::test(flavor = "multi_thread")]
async fn a_settled_round_is_judged_once_however_many_watch() {
    let config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
    let store = Database::Memory(Memory::default());
    let server = Server::start(store, config).await.expect("a server");
    let player = Client::guest(server.address()).await;
    let opening = json!({"house": "uth-standard", "pace": "none"});
    let opened = player.post("/api/tables", &opening).await.good();
    let table = opened["table"].as_str().expect("a name");
    player.command(table, &json!({"command": "join", "seat": 1})).await.good();
    let mut watchers = Vec::new();
    for _ in 0..WATCHERS {
        let path = format!("/api/tables/{table}/events");
        let mut watch = player.watch(&path, None).await.expect("a stream");
        watch.next().await.expect("the state of the table");
        watchers.push(watch);
    }
    for round in 1..=3 {
        player.command(table, &json!({"command": "wager", "seat": 1, "ante": 500})).await.good();
        player.command(table, &json!({"command": "deal"})).await.good();
        let before = judged();
        let bet = json!({"command": "decide", "seat": 1, "decision": "bet 4"});
        player.command(table, &bet).await.good();
        for watch in &mut watchers {
            // Each shows the whole result, in figures and in words.
            while let event = watch.next().await.expect("the stream goes on")
                && event.data["record"]["shuffle"]["round"] != round
            {}
        }
        assert_eq!(judged() - before, 1, "round {round}");
    }
}
