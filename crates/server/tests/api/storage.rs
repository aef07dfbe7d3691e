//! Stored data: how long texts may be, how much a player and an address may add, how unplayed
//! tables are removed, and what happens when the storage is full.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the database of an earlier run is removed, and measurements are printed"
)]

use std::time::Duration;

use croupier_rules::{Catalog, SOURCE_MAX, TITLE_MAX};
use croupier_server::{Config, Limits, Server, Timeouts};
use croupier_store::{Database, Documents, Journals, Sqlite, Status, audit};
use croupier_testing::{Client, Cluster, Reply};
use hyper::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::harness::{config, join, play_round, private_table, server, staffed, text};

/// Long enough for anything that should happen, however busy the machine is.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Returns the address of an SQLite file that does not exist.
fn fresh_file(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for end in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(format!("{}{end}", path.display()));
    }
    path.display().to_string()
}

async fn node(address: &str, config: Config) -> Server {
    let store = Database::open(address).await.expect("a database");
    Server::start(store, config).await.expect("a server")
}

/// Returns a player's own house.
fn house(changes: &[(&str, Value)]) -> Value {
    let catalog = Catalog::shipped();
    let mut house = json!(**catalog.house("utcp-standard").expect("it comes along"));
    for (field, own) in [("id", "mine"), ("title", "Mine"), ("source", "me")] {
        house[field] = json!(own);
    }
    for (field, own) in changes {
        house[*field] = own.clone();
    }
    house
}

async fn open(host: &Client, house: Value) -> Reply {
    host.post("/api/tables", &json!({"house": house, "pace": "none"})).await
}

async fn close(host: &Client, table: &str) {
    host.send_json(Method::DELETE, &format!("/api/tables/{table}"), &json!({})).await.good();
}

/// Waits until a condition is met.
async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let end = Instant::now() + TIMEOUT;
    while !is_so().await {
        assert!(Instant::now() < end, "{what}");
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn texts_of_houses_and_pay_tables_are_bounded() {
    let server = server(config()).await;
    let guest = Client::guest(server.address()).await;
    let long = "x".repeat(25_000);
    for (field, bad) in [
        ("id", &*long),
        ("id", "UTCP-STANDARD"),
        ("id", "utcp-standard "),
        ("id", "\u{202e}dradnats-pctu"),
        ("id", "a b"),
        ("title", &long),
        ("title", "Mine\u{202e}"),
        ("source", &long),
        ("source", " me"),
    ] {
        let reply = open(&guest, house(&[(field, json!(bad))])).await;
        assert_eq!(reply.code(), "bad-terms", "{field} {bad:.20}");
        let said = reply.json()["faults"].to_string();
        assert!(said.contains(&format!("{field}: ")) && said.len() < 1_000, "{said:.300}");
    }
    let raises: Vec<u32> = (1..=9).collect();
    assert_eq!(open(&guest, house(&[("raises", json!(raises))])).await.code(), "bad-terms");
    for (field, bad) in
        [("id", &*long), ("id", "utcp-01"), ("title", &long), ("source", "a\u{200b}")]
    {
        let pays = json!({"pair": "1:1"});
        let mut own = json!({"id": "own", "title": "Own", "source": "me", "bet": "pair-plus",
            "pays": pays});
        own[field] = json!(bad);
        let house = house(&[("bonus_paytables", json!([own["id"]]))]);
        let opening = json!({"house": house, "paytables": [own], "pace": "none"});
        let reply = guest.post("/api/tables", &opening).await;
        assert_eq!(reply.code(), "bad-terms", "{field}");
        assert!(reply.body.len() < 1_000);
    }
    open(&guest, house(&[])).await.good();
    server.stop().await;
}

/// The lobby has at most a hundred tables on a page, and a table in it takes at most 819 bytes: its
/// title 40 × 4, the house's title 80 × 2, since public tables use plain letters, two ids of 64,
/// and about 350 for the rest.
#[tokio::test(flavor = "multi_thread")]
async fn the_largest_page_of_the_lobby_is_bounded() {
    let limits = Limits { public_tables_per_player: 4, ..config().limits };
    let server = server(Config { limits, ..config() }).await;
    let wide = |count: usize| "\u{1f0a1}".repeat(count);
    let id = "i".repeat(64);
    let pays = json!({"pair": "1:1"});
    let own = json!({"id": "b".repeat(64), "title": wide(TITLE_MAX), "source": wide(SOURCE_MAX),
        "bet": "pair-plus", "pays": pays});
    let house = house(&[
        ("id", json!(id)),
        ("title", json!("T".repeat(TITLE_MAX))),
        ("source", json!("S".repeat(SOURCE_MAX))),
        ("bonus_paytables", json!([own["id"]])),
    ]);
    let opening = json!({"house": house, "paytables": [own], "public": true, "title": wide(40)});
    let mut hosts = JoinSet::new();
    for _ in 0..26 {
        let (address, opening) = (server.address(), opening.clone());
        hosts.spawn(async move {
            let host = Client::guest(address).await;
            for _ in 0..4 {
                host.post("/api/tables", &opening).await.good();
            }
            assert_eq!(host.post("/api/tables", &opening).await.code(), "too-many-tables");
        });
    }
    hosts.join_all().await;
    let page = Client::new(server.address()).get("/api/tables").await;
    assert_eq!(page.good().as_array().map(Vec::len), Some(100));
    assert!(page.body.len() <= 80 * 1_024, "{} bytes", page.body.len());
    assert!(page.body.len() > 50 * 1_024, "{} bytes", page.body.len());
    server.stop().await;
}

/// Opens this many tables at the same moment, and returns those that were opened.
async fn open_at_once(host: &[Client], count: usize, public: bool) -> Vec<String> {
    let mut crowd = JoinSet::new();
    for visitor in host.iter().cycle().take(count) {
        let visitor = visitor.clone();
        crowd.spawn(async move {
            let opening = json!({"house": "uth-standard", "public": public});
            visitor.post("/api/tables", &opening).await
        });
    }
    let mut opened = Vec::new();
    for reply in crowd.join_all().await {
        if reply.status.is_success() {
            opened.push(text(&reply.json()["table"]));
        } else {
            assert_eq!(reply.code(), "too-many-tables");
        }
    }
    opened
}

/// Opens tables on several nodes at the same moment: there are never more than the limit.
async fn are_exactly_so_many(address: &str, nodes: usize) {
    let limits = Limits { public_tables_per_player: 3, ..config().limits };
    let config = Config { limits, ..config() };
    let mut servers = Vec::new();
    for _ in 0..nodes {
        servers.push(node(address, config.clone()).await);
    }
    let guest = Client::guest(servers[0].address()).await;
    let host: Vec<Client> = servers.iter().map(|node| guest.at(node.address())).collect();
    let opened = open_at_once(&host, 24, true).await;
    assert_eq!(opened.len(), 3);
    let opened = open_at_once(&host, 24, false).await;
    assert_eq!(opened.len(), 5, "there are 8 in all");
    let me = guest.get("/api/me").await.good();
    assert_eq!(me["opened"].as_array().map(Vec::len), Some(8));
    for table in &opened[..2] {
        close(&guest, table).await;
    }
    assert_eq!(open_at_once(&host, 24, true).await.len(), 0, "none of those is public");
    assert_eq!(open_at_once(&host, 24, false).await.len(), 2);
    for server in servers {
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_requests_cannot_exceed_the_table_limit() {
    are_exactly_so_many(&fresh_file("slots"), 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_requests_cannot_exceed_the_table_limit_over_postgresql() {
    are_exactly_so_many(&Cluster::shared().fresh_database(), 2).await;
}

#[tokio::test]
async fn a_players_stored_data_per_hour_is_bounded() {
    let limits = Limits { player_mib_per_hour: 1, address_mib_per_hour: 4, ..config().limits };
    let server = server(Config { limits, ..config() }).await;
    let guest = Client::guest(server.address()).await;
    let (table, invite) = private_table(&guest, "uth-standard").await;
    join(&guest, &table, &invite, 1).await.good();
    guest.command(&table, &json!({"command": "wager", "seat": 1, "ante": 500})).await.good();
    let mut opened = 0;
    let refused = loop {
        let reply = open(&guest, house(&[])).await;
        if !reply.status.is_success() {
            break reply;
        }
        opened += 1;
        close(&guest, &text(&reply.json()["table"])).await;
    };
    // A quarter of the hourly allowance is 262,144 bytes, and a table is at least 4,096.
    assert!((20..64).contains(&opened), "{opened} tables");
    assert_eq!((refused.code(), refused.status.as_u16()), ("storage-quota".to_owned(), 429));
    let wait = refused.headers["retry-after"].to_str().expect("seconds");
    assert!((1..3_600).contains(&wait.parse().unwrap_or(0)), "{wait}");
    // The open round is played to its end, and only then nothing new can begin.
    let mut done = guest.command(&table, &json!({"command": "deal"})).await.good();
    while let Some(decision) = done["state"]["round"]["hands"][0]["decisions"][0].as_str() {
        let decide = json!({"command": "decide", "seat": 1, "decision": decision});
        done = guest.command(&table, &decide).await.good();
    }
    let wager = guest.command(&table, &json!({"command": "wager", "seat": 1, "ante": 500})).await;
    assert_eq!(wager.code(), "storage-quota");
    assert_eq!(guest.post("/api/play", &json!({})).await.code(), "storage-quota");
    guest.command(&table, &json!({"command": "leave", "seat": 1})).await.good();
    // Other players from the same address can play, until the address has used its share.
    let other = Client::guest(server.address()).await;
    let (table, invite) = private_table(&other, "uth-standard").await;
    join(&other, &table, &invite, 1).await.good();
    play_round(&other, &table, 1).await;
    let stranger = Client::new(server.address());
    let mut guests = 0;
    let refused = loop {
        let reply = stranger.post("/api/guests", &json!({"bearer": true})).await;
        if !reply.status.is_success() {
            break reply;
        }
        guests += 1;
    };
    assert_eq!(refused.code(), "storage-quota");
    assert!((100..500).contains(&guests), "{guests} guests");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_storage_is_full_nothing_new_begins_but_rounds_are_finished() {
    let timeouts = Timeouts { measure_interval: Duration::from_millis(50), ..Timeouts::default() };
    let limits = Limits { tables_per_player: 0, ..config().limits };
    let config = Config { storage_max: 400_000, timeouts, limits, ..config() };
    let (server, operator) = staffed(config).await;
    let guest = Client::guest(server.address()).await;
    let (table, invite) = private_table(&guest, "uth-standard").await;
    join(&guest, &table, &invite, 1).await.good();
    guest.command(&table, &json!({"command": "wager", "seat": 1, "ante": 500})).await.good();
    let mut refused = None;
    until("it is full", async || {
        let reply = open(&guest, house(&[])).await;
        let is_full = !reply.status.is_success();
        refused = Some(reply);
        is_full
    })
    .await;
    let refused = refused.expect("a refusal");
    assert_eq!((refused.code(), refused.status.as_u16()), ("storage-full".to_owned(), 503));
    assert!(refused.headers.contains_key("retry-after"));
    let stranger = Client::new(server.address());
    assert_eq!(stranger.post("/api/guests", &json!({})).await.code(), "storage-full");
    let wish = json!({"name": "ann", "password": crate::harness::PASSWORD});
    assert_eq!(guest.post("/api/me/account", &wish).await.code(), "storage-full");
    guest.command(&table, &json!({"command": "deal"})).await.good();
    for decision in ["check", "check", "fold"] {
        let decide = json!({"command": "decide", "seat": 1, "decision": decision});
        guest.command(&table, &decide).await.good();
    }
    assert_eq!(guest.get("/api/me").await.good()["chips"], 99_000);

    let stored = operator.get("/api/operator/reports/storage").await.good();
    assert_eq!(stored["max"], 400_000);
    assert!(stored["bytes"].as_u64() >= Some(400_000), "{stored}");
    assert!(stored["measured"].as_i64() > Some(1_600_000_000_000), "{stored}");
    let events = operator.get("/api/operator/reports/events").await.good();
    let count = |kind: &str| {
        events.as_array().into_iter().flatten().filter(|event| event["kind"] == kind).count()
    };
    assert_eq!((count("storage-full"), count("storage-nearly-full") <= 1), (1, true), "{events}");
    let metrics = stranger.get("/metrics").await;
    let metrics = String::from_utf8_lossy(&metrics.body);
    assert!(metrics.contains("croupier_storage_bytes ") && metrics.contains("_max_bytes "));
    server.stop().await;
}

/// Does something this many times, and returns the growth of the file per repetition, in bytes.
async fn growth(file: &str, times: u64, mut what: impl AsyncFnMut()) -> u64 {
    let store = Sqlite::open_read_only(file).expect("a database");
    let before = store.size().await.expect("a size");
    for _ in 0..times {
        what().await;
    }
    (store.size().await.expect("a size") - before) / times
}

#[tokio::test(flavor = "multi_thread")]
async fn charges_cover_the_bytes_written() {
    let file = fresh_file("prices");
    let server = node(&file, config()).await;
    let stranger = Client::new(server.address());
    let guest = growth(&file, 300, async || {
        stranger.post("/api/guests", &json!({"bearer": true})).await.good();
    })
    .await;
    let host = Client::guest(server.address()).await;
    let terms = |table: Value| {
        let host = host.clone();
        async move {
            let path = format!("/api/tables/{}/terms", text(&table["table"]));
            host.get(&path).await.body.len() as u64
        }
    };
    let (mut longest, mut opened) = (0, Vec::new());
    let table = growth(&file, 300, async || {
        let state = open(&host, json!("uth-california")).await.good();
        opened.push(text(&state["table"]));
        close(&host, &opened[opened.len() - 1]).await;
        longest = terms(state).await;
    })
    .await;
    let mut rounds = Vec::new();
    for own in [json!("uth-standard"), house(&[])] {
        let state = open(&host, own.clone()).await.good();
        let (table, invite) = (text(&state["table"]), text(&state["invite"]));
        join(&host, &table, &invite, 1).await.good();
        let round = growth(&file, 80, async || play_round(&host, &table, 1).await).await;
        rounds.push((round, if own.is_string() { 0 } else { terms(state).await }));
    }
    println!("bytes: a guest {guest}, a table {table} ({longest} of terms), rounds {rounds:?}");
    assert!(guest <= 2_048, "{guest} bytes a guest");
    assert!(table <= 3_072 + 1_024 + longest, "{table} bytes a table");
    // A round is at least a wager and three other commands.
    for (round, terms) in rounds {
        assert!(round <= 6_144 + 2_048 + terms, "{round} bytes a round, {terms} of terms");
    }
    server.stop().await;
}

/// One guest opens and closes the largest tables as fast as possible, until nothing new begins. The
/// allowance is a sixteenth of the default, so that a slow machine gets there.
#[tokio::test(flavor = "multi_thread")]
async fn one_guest_cannot_fill_the_disk() {
    let file = fresh_file("flood");
    let limits = Limits { player_mib_per_hour: 4, ..Limits::default() };
    let listen = ([127, 0, 0, 1], 0).into();
    let server = node(&file, Config { listen, limits, ..Config::default() }).await;
    let guest = Client::guest(server.address()).await;
    let own = |number: usize| {
        let wide = |count: usize| "\u{1f0a1}".repeat(count);
        let pays = json!({"pair": "1:1"});
        json!({"id": format!("{number:x<64}"), "title": wide(TITLE_MAX),
            "source": wide(SOURCE_MAX), "bet": "pair-plus", "pays": pays})
    };
    let paytables: Vec<Value> = (0..8).map(own).collect();
    let ids: Value = paytables.iter().map(|table| table["id"].clone()).collect();
    let house = house(&[("bonus_paytables", ids)]);
    let opening = json!({"house": house, "paytables": paytables, "pace": "none"});
    let store = Sqlite::open_read_only(&file).expect("a database");
    let (before, start) = (store.size().await.expect("a size"), Instant::now());
    let mut crowd = JoinSet::new();
    for _ in 0..4 {
        let (guest, opening) = (guest.clone(), opening.clone());
        crowd.spawn(async move {
            let (mut opened, mut refused) = (0_u64, 0_u64);
            while refused < 20 {
                let reply = guest.post("/api/tables", &opening).await;
                if reply.status.is_success() {
                    opened += 1;
                    close(&guest, &text(&reply.json()["table"])).await;
                } else {
                    assert_eq!(reply.code(), "storage-quota");
                    refused += 1;
                }
            }
            opened
        });
    }
    let opened: u64 = crowd.join_all().await.into_iter().sum();
    let grown = store.size().await.expect("a size") - before;
    let seconds = start.elapsed().as_secs();
    println!("{seconds} s: {opened} tables of {} bytes each, then none", grown / opened);
    // A quarter of an hour's allowance at once, the refill during that time, and each of the four
    // may overdraw it by a table.
    let most = (1 << 20) + seconds * (4 << 20) / 3_600 + 4 * 20_000;
    assert!(grown <= most, "{grown} bytes of {most}");
    assert!(opened * 20_000 > 1 << 20, "{opened} tables");
    server.stop().await;
}

/// Opens a table with a key.
async fn open_with(host: &Client, key: &str) -> Reply {
    let headers = [("content-type", "application/json"), ("idempotency-key", key)];
    let body = json!({"house": "uth-standard", "pace": "none"}).to_string().into_bytes();
    host.send(Method::POST, "/api/tables", &headers, body).await.expect("an answer")
}

/// Opens tables of all kinds, and waits until the unplayed ones are gone.
async fn come_to_nothing(address: &str) {
    let timeouts = Timeouts {
        cleanup_interval: Duration::from_millis(100),
        unplayed: Duration::from_secs(1),
        ..Timeouts::default()
    };
    let server = node(address, Config { timeouts, ..config() }).await;
    let guest = Client::guest(server.address()).await;
    let other = Client::guest(server.address()).await;
    // One that was closed, one where no player ever sat, and one that all players left.
    let closed = text(&open_with(&guest, "closed").await.good()["table"]);
    close(&guest, &closed).await;
    let (alone, _) = private_table(&guest, "uth-standard").await;
    let (left, invite) = private_table(&guest, "utcp-standard").await;
    join(&other, &left, &invite, 2).await.good();
    other.command(&left, &json!({"command": "leave", "seat": 2})).await.good();
    // One with a completed round, one where money moved, and one where a player sits.
    let (played, invite) = private_table(&guest, "uth-standard").await;
    join(&guest, &played, &invite, 1).await.good();
    play_round(&guest, &played, 1).await;
    close(&guest, &played).await;
    let (moved, invite) = private_table(&guest, "uth-standard").await;
    join(&guest, &moved, &invite, 1).await.good();
    guest.command(&moved, &json!({"command": "wager", "seat": 1, "ante": 500})).await.good();
    close(&guest, &moved).await;
    let (taken, invite) = private_table(&guest, "uth-standard").await;
    join(&guest, &taken, &invite, 1).await.good();

    for gone in [&closed, &alone, &left] {
        until("it is removed", async || {
            guest.get(&format!("/api/tables/{gone}")).await.code() == "no-such-table"
        })
        .await;
    }
    for stays in [&played, &moved, &taken] {
        guest.get(&format!("/api/tables/{stays}")).await.good();
    }
    let again = open_with(&guest, "closed").await;
    assert_eq!(again.code(), "no-such-table", "it is not opened again with the same key");
    let me = guest.get("/api/me").await.good();
    assert_eq!((&me["opened"], &me["tables"]), (&json!([taken]), &json!([taken])));
    server.stop().await;

    let store = Database::open(address).await.expect("a database");
    let tables = store.tables("", 99).await.expect("tables");
    let mut names: Vec<String> = tables.into_iter().map(|row| row.table).collect();
    let mut left = vec![played, moved, taken.clone()];
    names.sort();
    left.sort();
    assert_eq!(names, left);
    for collection in ["listings", "seats"] {
        let documents = store.documents(collection, "", 99).await.expect("documents");
        assert!(documents.iter().all(|document| left.iter().any(|it| document.key.ends_with(it))));
    }
    assert_eq!(store.documents("open-tables-by-link", "", 99).await.expect("documents").len(), 1);
    let sum = audit(&store).await.expect("the remaining data is consistent");
    assert_eq!(sum.tables, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn unplayed_tables_are_removed() {
    come_to_nothing(&fresh_file("unplayed")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unplayed_tables_are_removed_over_postgresql() {
    come_to_nothing(&Cluster::shared().fresh_database()).await;
}
