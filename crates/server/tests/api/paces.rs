//! The pace of a table: its clocks are those that docs/table.md lists for the pace.

use std::collections::BTreeMap;

use croupier_testing::Client;
use serde_json::{Value, json};

use crate::harness::{config, server, text};

const PAGE: &str = include_str!("../../../../docs/table.md");

/// Returns the clocks listed for a pace, in milliseconds, by name.
fn listed(column: usize) -> BTreeMap<String, u64> {
    let head = "| clock | default | `quick` | `slow` |";
    let rows = PAGE.lines().skip_while(|line| *line != head).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let read = |row: &str| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].split('`').nth(1).expect("a name").to_owned();
        let seconds = cells[column + 2].strip_suffix(" s").expect("seconds");
        let (whole, part) = seconds.split_once('.').unwrap_or((seconds, "0"));
        let millis = format!("{whole}{part:0<3}");
        (name, millis.parse().expect("a number"))
    };
    rows.map(read).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_has_the_documented_clocks_of_its_pace() {
    let server = server(config()).await;
    let guest = Client::guest(server.address()).await;
    for (column, pace) in ["usual", "quick", "slow"].into_iter().enumerate() {
        let opening = json!({"house": "uth-standard", "pace": pace});
        let table = text(&guest.post("/api/tables", &opening).await.good()["table"]);
        let terms = guest.get(&format!("/api/tables/{table}/terms")).await.good();
        let clocks = terms["clocks"].as_object().expect("clocks").iter();
        let clocks: BTreeMap<String, u64> = clocks
            .map(|(name, millis)| (name.clone(), millis.as_u64().expect("milliseconds")))
            .collect();
        assert_eq!(clocks, listed(column), "{pace}");
    }
    let opening = json!({"house": "uth-standard", "pace": "none"});
    let table = text(&guest.post("/api/tables", &opening).await.good()["table"]);
    let terms = guest.get(&format!("/api/tables/{table}/terms")).await.good();
    assert_eq!(terms.get("clocks").unwrap_or(&Value::Null), &Value::Null);
    server.stop().await;
}
