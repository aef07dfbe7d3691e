//! Requests with a key: a seat, a bot or chips, once, however often they are sent and on however
//! many nodes.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use croupier_server::Server;
use croupier_store::Database;
use croupier_testing::{Client, Cluster, Reply};
use hyper::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::{config, join, private_table, server, text};

/// How many copies of a request are sent at the same moment.
const CROWD: usize = 12;

/// Sends a request with a key.
async fn send(who: &Client, path: &str, key: &str, body: Option<&Value>) -> Reply {
    let json = [("content-type", "application/json"), ("idempotency-key", key)];
    let headers = if body.is_some() { &json[..] } else { &json[1..] };
    let body = body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
    who.send(Method::POST, path, headers, body).await.expect("an answer")
}

/// Sends a request many times at the same moment, to these nodes in turn.
async fn at_once(
    who: &Client,
    nodes: &[SocketAddr],
    path: &str,
    key: &str,
    body: Option<&Value>,
) -> Vec<Reply> {
    let mut crowd = JoinSet::new();
    for number in 0..CROWD {
        let who = who.at(nodes[number % nodes.len()]);
        let (path, key, body) = (path.to_owned(), key.to_owned(), body.cloned());
        crowd.spawn(async move { send(&who, &path, &key, body.as_ref()).await });
    }
    crowd.join_all().await
}

/// Returns the table and the seat that all responses agree on.
#[track_caller]
fn same_seat(replies: &[Reply]) -> (String, u64) {
    let seat = |reply: &Reply| {
        let seated = reply.good();
        (text(&seated["state"]["table"]), seated["seat"].as_u64().expect("a seat"))
    };
    let seats: BTreeSet<(String, u64)> = replies.iter().map(seat).collect();
    assert_eq!(seats.len(), 1, "{seats:?}");
    seats.into_iter().next().expect("a seat")
}

async fn bots_at(who: &Client, table: &str) -> usize {
    let state = who.get(&format!("/api/tables/{table}")).await.good();
    let seats = state["seats"].as_array().expect("seats");
    seats.iter().filter(|seat| seat["bot"] == true).count()
}

async fn play_over(nodes: &[SocketAddr]) {
    let ann = Client::guest(nodes[0]).await;
    let wish = json!({"house": "uth-standard"});
    let (table, seat) = same_seat(&at_once(&ann, nodes, "/api/play", "sit", Some(&wish)).await);
    let me = ann.get("/api/me").await.good();
    assert_eq!((&me["tables"], &me["opened"]), (&json!([table]), &json!([table])));
    // The same later: the player has left, and is not seated again.
    ann.command(&table, &json!({"command": "leave", "seat": seat})).await.good();
    let again = send(&ann, "/api/play", "sit", Some(&wish)).await;
    assert_eq!(same_seat(&[again]), (table.clone(), seat));
    assert_eq!(ann.get("/api/me").await.good()["tables"], json!([]));
    // Another key is another request; the first key is refused for another house.
    let other = send(&ann, "/api/play", "sit", Some(&json!({"house": "utcp-standard"}))).await;
    assert_eq!(other.code(), "key-reused");
    let (table, seat) = same_seat(&[send(&ann, "/api/play", "more", Some(&wish)).await]);
    // A player who is already seated gets that seat as the response, and the response stays.
    same_seat(&[send(&ann, "/api/play", "there", Some(&wish)).await]);
    ann.command(&table, &json!({"command": "leave", "seat": seat})).await.good();
    let there = send(&ann, "/api/play", "there", Some(&wish)).await;
    assert_eq!(same_seat(&[there]), (table, seat));
    assert_eq!(ann.get("/api/me").await.good()["tables"], json!([]));
}

async fn bots_over(nodes: &[SocketAddr]) {
    let ann = Client::guest(nodes[0]).await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    let path = format!("/api/tables/{table}/bots");
    for (number, key) in ["a", "b", "c", "d", "e", "f"].into_iter().enumerate() {
        // The last one fills the table.
        let (_, seat) = same_seat(&at_once(&ann, nodes, &path, key, None).await);
        assert_eq!(bots_at(&ann, &table).await, number + 1, "{key}");
        let later = send(&ann, &path, key, None).await;
        assert_eq!(same_seat(&[later]), (table.clone(), seat));
    }
    assert_eq!(send(&ann, &path, "g", None).await.code(), "no-seat");
    // The keys of a sender are one set, whatever they are for.
    let wish = json!({"house": "uth-standard"});
    assert_eq!(send(&ann, "/api/play", "a", Some(&wish)).await.code(), "key-reused");
    assert_eq!(send(&ann, "/api/me/chips", "a", None).await.code(), "key-reused");
    let (elsewhere, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &elsewhere, &invite, 1).await.good();
    let path = format!("/api/tables/{elsewhere}/bots");
    assert_eq!(send(&ann, &path, "a", None).await.code(), "key-reused");
    assert_eq!(bots_at(&ann, &elsewhere).await, 0);
}

/// Loses chips until less than $100 is left.
async fn lose(who: &Client) {
    let (table, invite) = private_table(who, "uth-standard").await;
    join(who, &table, &invite, 1).await.good();
    for _ in 0..200 {
        let chips = who.get("/api/me").await.good()["chips"].as_i64().expect("chips");
        if chips < 10_000 {
            break;
        }
        let ante = (chips / 2 / 500 * 500).clamp(500, 10_000);
        let wager = json!({"command": "wager", "seat": 1, "ante": ante});
        who.command(&table, &wager).await.good();
        who.command(&table, &json!({"command": "deal"})).await.good();
        for decision in ["check", "check", "fold"] {
            let decide = json!({"command": "decide", "seat": 1, "decision": decision});
            who.command(&table, &decide).await.good();
        }
    }
    who.command(&table, &json!({"command": "leave", "seat": 1})).await.good();
}

async fn chips_over(nodes: &[SocketAddr]) {
    let ann = Client::guest(nodes[0]).await;
    lose(&ann).await;
    let chips = async || ann.get("/api/me").await.good()["chips"].as_i64().expect("chips");
    let before = chips().await;
    for reply in at_once(&ann, nodes, "/api/me/chips", "more", None).await {
        assert_eq!(reply.good()["chips"], before + 100_000);
    }
    assert_eq!(chips().await, before + 100_000);
    lose(&ann).await;
    // The same request gets the same response, though there is nothing left.
    let before = chips().await;
    assert_eq!(send(&ann, "/api/me/chips", "more", None).await.good()["chips"], before);
    assert_eq!(chips().await, before);
    let more = send(&ann, "/api/me/chips", "another", None).await.good();
    assert_eq!(more["chips"], before + 100_000);
    // A refused request was not carried out, and can be sent again.
    assert_eq!(send(&ann, "/api/me/chips", "third", None).await.code(), "chips-left");
    lose(&ann).await;
    let before = chips().await;
    let third = send(&ann, "/api/me/chips", "third", None).await.good();
    assert_eq!(third["chips"], before + 100_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_with_a_key_seats_a_player_once() {
    let server = server(config()).await;
    play_over(&[server.address()]).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_with_a_key_adds_one_bot() {
    let server = server(config()).await;
    bots_over(&[server.address()]).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_with_a_key_gives_chips_once() {
    let server = server(config()).await;
    chips_over(&[server.address()]).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_with_a_key_is_carried_out_once_over_several_nodes() {
    let url = Cluster::shared().fresh_database();
    let node = async || {
        let store = Database::open(&url).await.expect("a database");
        Server::start(store, config()).await.expect("a server")
    };
    let servers = [node().await, node().await];
    let nodes = servers.each_ref().map(Server::address);
    play_over(&nodes).await;
    bots_over(&nodes).await;
    chips_over(&nodes).await;
    for server in servers {
        server.stop().await;
    }
}
