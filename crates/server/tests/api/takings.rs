//! The operator's takings report, with the expected value of the decisions.

use croupier_testing::Client;
use serde_json::{Value, json};

use crate::harness::{config, join, private_table, staffed, text};

const ROUNDS: u64 = 12;

/// Plays a round with the last decision that is offered, alone at a table without clocks.
async fn give_up(player: &Client, table: &str) {
    let wager = json!({"command": "wager", "seat": 1, "ante": 500, "bonus": 500});
    player.command(table, &wager).await.good();
    let mut done = player.command(table, &json!({"command": "deal"})).await.good();
    while let Some(decisions) = done["state"]["round"]["hands"][0]["decisions"].as_array() {
        let decide = json!({"command": "decide", "seat": 1, "decision": decisions.last()});
        done = player.command(table, &decide).await.good();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn takings_are_reported_with_the_expected_value_of_decisions() {
    let (server, operator) = staffed(config()).await;
    let ann = Client::guest(server.address()).await;
    let (table, invite) = private_table(&ann, "utcp-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    for _ in 0..ROUNDS {
        give_up(&ann, &table).await;
    }
    let rows = operator.get("/api/operator/reports/takings").await.good();
    let row = &rows[0];
    let number = |name: &str| row[name].as_f64().unwrap_or_else(|| panic!("{name} of {row}"));
    assert_eq!(row["priced_rounds"], ROUNDS);
    assert_eq!((&row["priced_hands"], &row["rounds"]), (&json!(ROUNDS), &json!(ROUNDS)));
    // The house covers everything, so that its hold equals the covered hold.
    assert!((number("covered_hold") - number("hold")).abs() < 1e-6, "{row}");
    let expected = number("theoretical_hold") + number("mistakes");
    assert!((number("expected_hold") - expected).abs() < 1e-6, "{row}");
    // Folding every hand costs more than half an Ante each.
    assert!(number("mistakes") > 250.0 * 12.0, "{row}");
    assert!(number("deviations").abs() < 3.0, "{row}");
    let reply = operator.get("/api/operator/reports/takings?format=csv").await;
    let csv = String::from_utf8(reply.body).expect("text");
    let lines: Vec<&str> = csv.lines().collect();
    let columns = lines[0].split(',').count();
    assert_eq!((lines.len(), lines[1].split(',').count()), (2, columns), "{csv}");
    // A time span without play has no rows, and a later one has none of these rounds.
    let none = operator.get("/api/operator/reports/takings?from=0&to=1").await.good();
    assert_eq!(none, Value::Array(Vec::new()));
    assert_eq!(text(&row["house"]), "utcp-standard");
    server.stop().await;
}
