//! Many watchers of one table.

use croupier_testing::Client;
use serde_json::json;

use crate::place::Place;
use crate::run;

const WATCHERS: usize = 8;
const ROUNDS: u64 = 3;

/// Returns the number of finished rounds that the server wrote as JSON for watchers.
async fn serialized(client: &Client) -> Option<u64> {
    let metrics = String::from_utf8(client.get("/metrics").await.body).expect("text");
    let mut lines = metrics.lines();
    lines.find_map(|line| line.strip_prefix("croupier_rounds_serialized_total ")?.parse().ok())
}

#[test]
fn a_finished_round_is_serialized_once_for_all_watchers() {
    run(async {
        let place = Place::open("watchers", "", &[]);
        let player = Client::guest(place.address).await;
        let opening = json!({"house": "uth-standard", "pace": "none"});
        let opened = player.post("/api/tables", &opening).await.good();
        let text = |field: &str| opened[field].as_str().expect("a text").to_owned();
        let (table, invite) = (text("table"), text("invite"));
        player.command(&table, &json!({"command": "join", "seat": 1})).await.good();
        let mut watchers = Vec::new();
        for _ in 0..WATCHERS {
            let path = format!("/api/tables/{table}/events?invite={invite}");
            let mut watch = player.watch(&path, None).await.expect("a stream");
            watch.next().await.expect("the state of the table");
            watchers.push(watch);
        }
        for _ in 0..ROUNDS {
            let wager = json!({"command": "wager", "seat": 1, "ante": 500});
            player.command(&table, &wager).await.good();
            player.command(&table, &json!({"command": "deal"})).await.good();
            let bet = json!({"command": "decide", "seat": 1, "decision": "bet 4"});
            player.command(&table, &bet).await.good();
        }
        let last = player.get(&format!("/api/tables/{table}/rounds/{ROUNDS}")).await.good();
        for watch in &mut watchers {
            let record = loop {
                let event = watch.next().await.expect("the stream goes on");
                if event.data["record"]["shuffle"]["round"] == ROUNDS {
                    break event.data["record"].clone();
                }
            };
            assert_eq!(record, last, "the record of the round that just ended");
        }
        assert_eq!(serialized(&player).await, Some(ROUNDS));
        place.end();
    });
}
