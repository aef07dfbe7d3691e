//! Players who delete their accounts: whatever else they do at the same moment, no seat is left
//! without a player, and no chips are left over.

use std::time::Duration;

use croupier_server::Server;
use croupier_store::{Accounts, Database, DocumentRow, Documents, Status, audit};
use croupier_table::{Account, Time};
use croupier_testing::Client;
use hyper::Method;
use serde_json::{Value, json};

use crate::harness::{TestDatabase, config, join, private_table, text};

async fn delete(visitor: &Client) -> croupier_testing::Reply {
    visitor.send_json(Method::DELETE, "/api/me", &json!({})).await
}

/// Returns the id of a player.
async fn id(visitor: &Client) -> String {
    text(&visitor.get("/api/me").await.good()["player"])
}

async fn seated(visitor: &Client, table: &str, player: &str) -> bool {
    let state = visitor.get(&format!("/api/tables/{table}")).await.good();
    let seats = state["seats"].as_array().expect("seats").clone();
    seats.iter().any(|seat| seat["player"] == player)
}

/// Guests sit down, some of them wager, and all delete their accounts at the same moment.
async fn sits_down_and_goes(database: TestDatabase) {
    let (server, _operator) = database.staffed(config()).await;
    let host = Client::guest(server.address()).await;
    let (table, invite) = private_table(&host, "uth-standard").await;
    join(&host, &table, &invite, 1).await.good();
    let mut gone = Vec::new();
    for turn in 0..60 {
        let guest = Client::guest(server.address()).await;
        let player = id(&guest).await;
        // Either request may be first, by a little or by a lot.
        let after = |steps: u64| tokio::time::sleep(Duration::from_micros(steps * 400));
        let sits = async {
            after(turn % 10).await;
            let joined = join(&guest, &table, &invite, 2).await;
            if turn % 2 == 0 {
                let wager = json!({"command": "wager", "seat": 2, "ante": 500});
                guest.command(&table, &wager).await;
            }
            joined
        };
        let goes = async {
            after(turn / 10).await;
            delete(&guest).await
        };
        let (joined, deleted) = tokio::join!(sits, goes);
        if deleted.status.is_success() {
            assert!(!seated(&host, &table, &player).await, "{turn}: {:?}", joined.json());
            gone.push(player);
        } else {
            assert!(["still-seated", "changed"].contains(&&*deleted.code()), "{deleted:?}");
            assert_eq!(id(&guest).await, player, "they are still there");
            guest.command(&table, &json!({"command": "leave", "seat": 2})).await;
        }
    }
    assert!(!gone.is_empty(), "nothing was tried");
    server.stop().await;
    let store = database.open().await;
    for player in gone {
        let left = store.balance(&Account::Player(player.clone())).await.expect("a balance");
        assert_eq!(left.as_cents(), 0, "{player}");
    }
    audit(&store).await.expect("the books are right");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_seat_is_left_without_a_player() {
    sits_down_and_goes(TestDatabase::file("departures")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_seat_is_left_without_a_player_over_postgresql() {
    sits_down_and_goes(TestDatabase::postgresql()).await;
}

fn mark(player: &str, text: &str, at: Time) -> DocumentRow {
    let (collection, key, owner) = ("departures".to_owned(), player.to_owned(), player.to_owned());
    DocumentRow { collection, key, owner, at, until: None, text: text.to_owned(), revision: 0 }
}

async fn restarted(
    database: &TestDatabase,
    damage: impl AsyncFnOnce(&Database),
) -> (Server, Client) {
    let store = database.open().await;
    damage(&store).await;
    drop(store);
    database.again(config()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_deletion_is_finished() {
    let database = TestDatabase::file("departures-half-way");
    let (server, _operator) = database.staffed(config()).await;
    let [ann, bea, host] = [(); 3].map(|()| Client::guest(server.address()));
    let (ann, bea, host) = (ann.await, bea.await, host.await);
    let (of_ann, of_bea) = (id(&ann).await, id(&bea).await);
    let (table, invite) = private_table(&host, "uth-standard").await;
    join(&host, &table, &invite, 1).await.good();
    // She took a seat at the last moment, and has chips on the table.
    join(&ann, &table, &invite, 2).await.good();
    ann.command(&table, &json!({"command": "wager", "seat": 2, "ante": 500})).await.good();
    server.stop().await;

    let (server, operator) = restarted(&database, async |store| {
        let now = store.clock().await.expect("a clock");
        store.put(mark(&of_ann, "begun", now)).await.expect("a mark");
        // A request that died before it started deletes nothing.
        store.put(mark(&of_bea, "asked", Time::default())).await.expect("a mark");
    })
    .await;
    let (ann, bea, host) =
        (ann.at(server.address()), bea.at(server.address()), host.at(server.address()));
    let mut tries = 0;
    while seated(&host, &table, &of_ann).await {
        tries += 1;
        assert!(tries < 100, "the seat is still taken");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(ann.get("/api/me").await.status.as_u16(), 401);
    assert_eq!(id(&bea).await, of_bea);
    join(&bea, &table, &invite, 2).await.good();
    let is_noted = |events: &Value| {
        let events = events.as_array().expect("events").clone();
        events.iter().filter(|event| event["kind"] == "player-deleted").count()
    };
    let mut tries = 0;
    loop {
        let events = operator.get("/api/operator/reports/events").await.good();
        if is_noted(&events) == 1 {
            break;
        }
        tries += 1;
        assert!(tries < 100, "{events}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    server.stop().await;
    let store = database.open().await;
    let left = store.balance(&Account::Player(of_ann)).await.expect("a balance");
    assert_eq!(left.as_cents(), 0);
    audit(&store).await.expect("the books are right");
}
