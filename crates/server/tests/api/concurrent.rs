//! Many simultaneous requests: an action that can happen once happens once, all responses agree,
//! and the money is right.

use std::collections::BTreeSet;

use croupier_server::{Config, Limits, Server};
use croupier_store::{Database, Memory};
use croupier_testing::{Client, Reply};
use hyper::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// The number of simultaneous requests.
const CROWD: usize = 20;

async fn server() -> Server {
    let limits = Limits {
        requests_per_second: 0,
        commands_per_second: 0,
        guests_per_hour: 0,
        public_tables_per_player: 0,
        player_mib_per_hour: 0,
        address_mib_per_hour: 0,
        ..Limits::default()
    };
    let config = Config { listen: ([127, 0, 0, 1], 0).into(), limits, ..Config::default() };
    Server::start(Database::Memory(Memory::default()), config).await.expect("a server")
}

async fn send(visitor: &Client, table: &str, invite: &str, key: &str, command: &Value) -> Reply {
    let path = format!("/api/tables/{table}/commands?invite={invite}");
    let headers = [("content-type", "application/json"), ("idempotency-key", key)];
    let body = command.to_string().into_bytes();
    visitor.send(Method::POST, &path, &headers, body).await.expect("an answer")
}

/// Opens a table without clocks. Returns its name and the invitation.
async fn table(host: &Client) -> (String, String) {
    let opening = json!({"house": "uth-standard", "pace": "none"});
    let opened = host.post("/api/tables", &opening).await.good();
    let text = |name: &str| opened[name].as_str().expect("a text").to_owned();
    (text("table"), text("invite"))
}

/// Sends commands at the same moment, each with its sender and key.
async fn at_once(
    table: &(String, String),
    all: impl IntoIterator<Item = (Client, String, Value)>,
) -> Vec<Reply> {
    let mut crowd = JoinSet::new();
    for (visitor, key, command) in all {
        let (table, invite) = table.clone();
        crowd.spawn(async move { send(&visitor, &table, &invite, &key, &command).await });
    }
    crowd.join_all().await
}

async fn money(visitor: &Client) -> (i64, i64) {
    let me = visitor.get("/api/me").await.good();
    let amount = |name: &str| me[name].as_i64().expect("an amount");
    (amount("chips"), amount("in_play"))
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_commands_with_one_key_act_once() {
    let server = server().await;
    let guest = Client::guest(server.address()).await;
    let place = table(&guest).await;
    let join = json!({"command": "join", "seat": 1});
    let wager = json!({"command": "wager", "seat": 1, "ante": 1_000, "bonus": 500});
    let deal = json!({"command": "deal"});
    let bet = json!({"command": "decide", "seat": 1, "decision": "bet 4"});
    for (command, key) in [join, wager, deal, bet].iter().zip(["a", "b", "c", "d"]) {
        let all = (0..CROWD).map(|_| (guest.clone(), key.to_owned(), command.clone()));
        let replies = at_once(&place, all).await;
        let first: Vec<&Reply> =
            replies.iter().filter(|reply| reply.good()["repeated"] == false).collect();
        assert_eq!(first.len(), 1, "{command}");
        let told =
            |reply: &Reply| (reply.json()["version"].clone(), reply.json()["events"].clone());
        for reply in &replies {
            assert_eq!(told(reply), told(first[0]), "{command}");
        }
        let (chips, in_play) = money(&guest).await;
        match key {
            "b" | "c" => assert_eq!((chips, in_play), (97_500, 2_500), "{command}"),
            "a" => assert_eq!((chips, in_play), (100_000, 0), "{command}"),
            _ => assert_eq!(in_play, 0, "{command}"),
        }
    }
    // The balance is the starting balance plus the result of the only round.
    let rounds = guest.get("/api/me/rounds").await.good();
    let rounds = rounds["rounds"].as_array().expect("rounds").clone();
    assert_eq!(rounds.len(), 1);
    assert_eq!(rounds[0]["staked"], 6_500);
    let net = rounds[0]["net"].as_i64().expect("an amount");
    assert_eq!(money(&guest).await, (100_000 + net, 0));
    // The same key for another command is refused, whatever happens at the same time.
    let others = (0..CROWD).map(|_| {
        (guest.clone(), "b".to_owned(), json!({"command": "wager", "seat": 1, "ante": 500}))
    });
    for reply in at_once(&place, others).await {
        assert_eq!(reply.code(), "key-reused");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_simultaneous_wagers_the_last_one_stands_and_is_paid_once() {
    let server = server().await;
    let guest = Client::guest(server.address()).await;
    let place = table(&guest).await;
    send(&guest, &place.0, &place.1, "join", &json!({"command": "join", "seat": 1})).await.good();
    let wagers = (1..=CROWD).map(|times| {
        let ante = i64::try_from(times).expect("small") * 500;
        (guest.clone(), format!("w{times}"), json!({"command": "wager", "seat": 1, "ante": ante}))
    });
    let replies = at_once(&place, wagers).await;
    let versions: BTreeSet<u64> =
        replies.iter().map(|reply| reply.good()["version"].as_u64().expect("a version")).collect();
    assert_eq!(versions.len(), CROWD, "each has a different version");
    let last = replies.iter().max_by_key(|reply| reply.json()["version"].as_u64());
    let event = last.expect("a last one").json()["events"][0].clone();
    let ante = event["ante"].as_i64().expect("an amount");
    let state = guest.get(&format!("/api/tables/{}", place.0)).await.good();
    assert_eq!(state["round"]["hands"][0]["stakes"]["ante"], ante);
    assert_eq!(money(&guest).await, (100_000 - 2 * ante, 2 * ante));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_players_who_sit_down_at_once_one_gets_the_seat() {
    let server = server().await;
    let mut guests = Vec::new();
    for _ in 0..CROWD {
        guests.push(Client::guest(server.address()).await);
    }
    let place = table(&guests[0]).await;
    let join = json!({"command": "join", "seat": 3});
    let joins = guests.iter().map(|guest| (guest.clone(), "join".to_owned(), join.clone()));
    let replies = at_once(&place, joins).await;
    let (seated, refused): (Vec<&Reply>, Vec<&Reply>) =
        replies.iter().partition(|reply| reply.status.is_success());
    assert_eq!(seated.len(), 1);
    assert!(refused.iter().all(|reply| reply.code() == "seat-taken"));
    let state = guests[0].get(&format!("/api/tables/{}?invite={}", place.0, place.1)).await.good();
    assert_eq!(state["seats"].as_array().map(Vec::len), Some(1));
    // No chips have moved, and one of the players can wager.
    let wager = json!({"command": "wager", "seat": 3, "ante": 500});
    let wagers = guests.iter().map(|guest| (guest.clone(), "wager".to_owned(), wager.clone()));
    let replies = at_once(&place, wagers).await;
    assert_eq!(replies.iter().filter(|reply| reply.status.is_success()).count(), 1);
    let mut all = 0;
    for guest in &guests {
        let (chips, in_play) = money(guest).await;
        all += chips + in_play;
    }
    assert_eq!(all, 100_000 * i64::try_from(CROWD).expect("small"));
    server.stop().await;
}
