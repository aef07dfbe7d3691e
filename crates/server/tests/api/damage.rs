//! A table with a damaged journal, an unreadable profile and an unreadable listing: each fails
//! alone.

use std::time::Duration;

use croupier_store::{Append, Database, Documents, Journals, People};
use croupier_table::{Entry, Time};
use croupier_testing::Client;
use hyper::Method;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::harness::{LogCapture, TestDatabase, config, text};

/// Opens a public table, sits down and plays a round, and returns its name.
async fn public_table(player: &Client) -> String {
    let opening = json!({"house": "uth-standard", "public": true});
    let table = text(&player.post("/api/tables", &opening).await.good()["table"]);
    player.command(&table, &json!({"command": "join", "seat": 1})).await.good();
    let wager = json!({"command": "wager", "seat": 1, "ante": 500});
    let mut done = player.command(&table, &wager).await.good();
    while let Some(decision) = done["state"]["round"]["hands"][0]["decisions"][0].as_str() {
        let decide = json!({"command": "decide", "seat": 1, "decision": decision});
        done = player.command(&table, &decide).await.good();
    }
    table
}

/// Damages the journal of a table, and makes the table due.
async fn damage(database: &TestDatabase, table: &str) {
    if let Some(path) = database.path() {
        let connection = Connection::open(path).expect("a database");
        let alter = "UPDATE journal SET body = replace(body, '\"seat\":1', '\"seat\":2')
                     WHERE table_name = ?1 AND version = 2";
        assert_eq!(connection.execute(alter, [table]).expect("good SQL"), 1);
        let wake = "UPDATE tables SET deadline = 1 WHERE name = ?1";
        assert_eq!(connection.execute(wake, [table]).expect("good SQL"), 1);
        return;
    }
    // With PostgreSQL, the journal continues with an event that cannot have happened.
    let store = database.open().await;
    let row = store.table(table).await.expect("a store").expect("a table");
    let last = store.journal(table, row.version, 1).await.expect("a journal").remove(0);
    let body = "{\"event\":\"moonrise\"}".to_owned();
    let entry = Entry::seal(&last.hash, row.version + 1, last.at, body);
    let append = Append {
        table: table.to_owned(),
        expected: row.version,
        entries: vec![entry],
        transfers: Vec::new(),
        deadline: Some(Time::from_millis(1)),
        opens: None,
        closes: false,
        checkpoint: None,
        rounds: Vec::new(),
        command: None,
    };
    store.append(append).await.expect("a sealed entry");
}

/// Overwrites a profile and a listing with invalid data.
async fn garble(store: &Database, player: &str, table: &str) {
    let known = store.player(player).await.expect("a store").expect("a player");
    store.set_profile(player, &known.profile, "{\"name\":").await.expect("a profile");
    let mut document =
        store.document("listings", table).await.expect("a store").expect("a listing");
    "{\"title\":".clone_into(&mut document.text);
    store.put(document).await.expect("a listing");
}

async fn names(visitor: &Client, path: &str) -> Vec<String> {
    let all = visitor.get(path).await.good();
    all.as_array().expect("a list").iter().map(|row| text(&row["table"])).collect()
}

async fn fails_alone(database: TestDatabase) {
    let (server, _) = database.staffed(config()).await;
    let [ann, bea, cyd, eve] = [(); 4].map(|()| Client::guest(server.address()));
    let [mut ann, mut bea, mut cyd, mut eve] = [ann.await, bea.await, cyd.await, eve.await];
    let (bad, good, unlisted) =
        (public_table(&ann).await, public_table(&bea).await, public_table(&cyd).await);
    let of_cyd = text(&cyd.get("/api/me").await.good()["player"]);
    let number = async |bea: &Client| {
        let state = bea.get(&format!("/api/tables/{good}")).await.good();
        state["round_number"].as_u64().expect("a number")
    };
    let before = number(&bea).await;
    let of_ann = text(&ann.get("/api/me").await.good()["player"]);
    server.stop().await;
    for name in [&bad, &unlisted, &of_cyd] {
        LogCapture::expect_errors_about(name);
    }
    damage(&database, &bad).await;
    {
        let store = database.open().await;
        garble(&store, &of_cyd, &unlisted).await;
    }

    let (server, operator) = database.again(config()).await;
    for visitor in [&mut ann, &mut bea, &mut cyd, &mut eve] {
        *visitor = visitor.at(server.address());
    }
    // The lobby shows the tables that can be read, and "play now" finds a seat there.
    assert_eq!(names(&eve, "/api/tables").await, [&*good]);
    let seated = eve.post("/api/play", &json!({})).await.good();
    assert_eq!(seated["state"]["table"], json!(good));
    // Only the damaged table returns an error, and its player can use everything else.
    assert_eq!(ann.get(&format!("/api/tables/{bad}")).await.code(), "fault");
    let me = ann.get("/api/me").await.good();
    assert_eq!(me["player"], json!(of_ann));
    for path in ["/api/me/rounds", "/api/me/statistics"] {
        ann.get(path).await.good();
    }
    let export = ann.get("/api/me/export").await;
    assert!(export.status.is_success());
    // An unreadable profile affects only its player.
    assert_eq!(cyd.get("/api/me").await.code(), "fault");
    assert_eq!(bea.get("/api/me").await.good()["tables"], json!([good]));
    // The other table continues by its clocks.
    let mut tries = 0;
    while number(&bea).await <= before {
        tries += 1;
        assert!(tries < 600, "it is not woken");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    sees(&operator, &bad).await;
    server.stop().await;
}

/// Asserts that an operator gets all reports, and sees which table fails.
async fn sees(operator: &Client, bad: &str) {
    let games = operator.get("/api/operator/reports/takings").await.good();
    assert_eq!(games[0]["tables"], 3, "the rounds played there count: {games}");
    assert_eq!(games[0]["exceeds"], false);
    operator.get("/api/operator/reports/in-play").await.good();
    let tables = operator.get("/api/operator/tables").await.good();
    let failing: Vec<&Value> =
        tables.as_array().expect("tables").iter().filter(|row| row["fault"].is_string()).collect();
    assert!(failing.iter().any(|row| row["table"] == bad), "{tables}");
    let events = operator.get("/api/operator/reports/events").await.good();
    let of_table =
        |event: &&Value| event["kind"] == "table-failed" && event["what"]["table"] == bad;
    let told = events.as_array().expect("events").iter().filter(of_table).count();
    assert_eq!(told, 1, "it is reported once, not each time: {events}");
    let close = json!({"reason": "a test"});
    let path = "/api/operator/houses/uth-standard/closed";
    let closed = operator.send_json(Method::PUT, path, &close).await.good();
    assert_eq!(closed["tables"], 2, "the others are closed");
    assert!(closed["failed"][bad].is_string(), "{closed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_data_fails_alone() {
    fails_alone(TestDatabase::file("damage")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_data_fails_alone_over_postgresql() {
    fails_alone(TestDatabase::postgresql()).await;
}
