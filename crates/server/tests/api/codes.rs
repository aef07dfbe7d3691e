//! Every code in the server's responses: a test triggers each over HTTP, or it is listed with the
//! reason why it cannot be triggered, and docs/api.md lists all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::Duration;

use croupier_cards::Category;
use croupier_rules::{Amount, Refusal as RoundRefusal, Seat};
use croupier_server::{Code, Config, Limits, Problem, Timeouts};
use croupier_store::StoreError;
use croupier_table::{Refusal, Time, seat_commitment};
use croupier_testing::{Client, Reply};
use hyper::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::harness::{
    LogCapture, PASSWORD, account, become_account, config, join, private_table, server, staffed,
    text,
};

/// Codes that need a failing store, with the store's error.
fn of_a_store() -> [(Code, StoreError); 3] {
    let why = || "why".to_owned();
    [
        (Code::Changed, StoreError::Conflict),
        (Code::Unavailable, StoreError::Unavailable(why())),
        (Code::Internal, StoreError::Damaged(why())),
    ]
}

/// Refusals that cannot be triggered over HTTP, and why.
const NOT_OVER_HTTP: [(&str, &str); 7] = [
    ("too-many-chips", "an operator would have to give a million gifts first"),
    ("shoe-not-needed", "the server shuffles automatically"),
    ("round-over", "a completed round is not open, and `no-round` is returned first"),
    ("cards-dealt", "only the table deals"),
    ("bank-taken", "a taken bank is not offered, and that error is returned first"),
    ("card-repeated", "cards come from the table's deck"),
    ("table-cannot-bet", "no client decides for the table"),
];

/// Returns all codes in a source file of refusals, in its order. Unlike texts, they have no spaces.
fn codes_in(source: &'static str) -> Vec<&'static str> {
    let code = |line: &'static str| Some(line.split_once(" => \"")?.1.split_once('"')?.0);
    source.lines().filter_map(code).filter(|code| !code.contains(' ')).collect()
}

fn table_codes() -> Vec<&'static str> {
    codes_in(include_str!("../../../table/src/refusal.rs"))
}

fn round_codes() -> Vec<&'static str> {
    codes_in(include_str!("../../../rules/src/refusal.rs"))
}

/// Collects codes with their statuses.
#[derive(Debug, Default)]
struct Met(BTreeMap<String, u16>);

impl Met {
    #[track_caller]
    fn add(&mut self, reply: &Reply, code: &str) {
        let said = String::from_utf8_lossy(&reply.body);
        assert_eq!(reply.code(), code, "{said}");
        assert_eq!(reply.headers["content-type"], "application/problem+json");
        assert_eq!(reply.json()["status"], reply.status.as_u16(), "{said}");
        let known = Code::ALL.iter().find(|known| known.name() == code);
        let status = known.map_or(409, |known| known.status().as_u16());
        assert_eq!(reply.status.as_u16(), status, "{said}");
        self.0.insert(code.to_owned(), status);
    }

    async fn at(&mut self, player: &Client, table: &str, command: Value, code: &str) {
        self.add(&player.command(table, &command).await, code);
    }
}

async fn delete(visitor: &Client, path: &str) -> Reply {
    visitor.send_json(Method::DELETE, path, &json!({})).await
}

async fn with(visitor: &Client, path: &str, header: (&str, &str), body: &[u8]) -> Reply {
    let headers = [("content-type", "application/json"), header];
    visitor.send(Method::POST, path, &headers, body.to_vec()).await.expect("an answer")
}

/// Triggers the codes about requests and their senders.
async fn at_the_door(met: &mut Met) {
    let limits = Limits { chips_per_hour: 1, tables_per_player: 1, ..config().limits };
    let (server, operator) = staffed(Config { limits, ..config() }).await;
    let stranger = Client::new(server.address());
    let mut ann = Client::guest(server.address()).await;
    met.add(&ann.post("/api/guests", &json!({"x": 1})).await, "malformed");
    met.add(&ann.get("/api/tables?x=1").await, "bad-parameter");
    let plain = ann.send(Method::POST, "/api/guests", &[], b"{}".to_vec()).await;
    met.add(&plain.expect("an answer"), "not-json");
    let large = ann.send(Method::GET, "/healthz", &[("content-length", "99999")], vec![]).await;
    if let Ok(large) = large {
        met.add(&large, "too-large");
    }
    met.add(&ann.post("/api/guests", &json!({"x": "y".repeat(65_536)})).await, "too-large");
    met.add(&ann.get("/api/nothing").await, "no-such-endpoint");
    met.add(&delete(&ann, "/api/guests").await, "wrong-method");
    let origin = ("origin", "https://evil.example");
    met.add(&with(&ann, "/api/guests", origin, b"{}").await, "wrong-origin");
    met.add(&stranger.get("/api/me").await, "not-logged-in");
    met.add(&ann.get("/api/operator/tables").await, "not-operator");
    met.add(&operator.post("/api/play", &json!({})).await, "not-player");
    let change = json!({"old": "a", "new": "a new password"});
    let changed = ann.send_json(Method::PUT, "/api/me/password", &change).await;
    met.add(&changed, "not-account");
    let wish = |name: &str, password: &str| json!({"name": name, "password": password});
    let as_guest = ann.clone();
    met.add(&ann.post("/api/me/account", &wish("olga", PASSWORD)).await, "name-taken");
    met.add(&ann.post("/api/me/account", &wish("1", PASSWORD)).await, "bad-name");
    met.add(&ann.post("/api/me/account", &wish("ann", "short")).await, "bad-password");
    become_account(&mut ann, "ann").await;
    met.add(&ann.post("/api/me/account", &wish("bea", PASSWORD)).await, "not-guest");
    met.add(&as_guest.get("/api/me").await, "session-over");
    for code in ["wrong-password", "wrong-password", "wrong-password", "locked-out"] {
        met.add(&stranger.post("/api/sessions", &wish("cyd", "wrong")).await, code);
    }
    met.add(&delete(&ann, "/api/sessions/x").await, "no-such-session");
    met.add(&ann.post("/api/me/chips", &json!({})).await, "chips-left");
    let adjust = "/api/operator/players/ann/adjustments";
    let less = json!({"amount": -95_000, "reason": "a test"}).to_string();
    let key = ("idempotency-key", "one");
    met.add(&with(&operator, adjust, ("x", "y"), less.as_bytes()).await, "bad-key");
    with(&operator, adjust, key, less.as_bytes()).await.good();
    let more = json!({"amount": -5_000, "reason": "a test"}).to_string();
    met.add(&with(&operator, adjust, key, more.as_bytes()).await, "key-reused");
    let other = ("idempotency-key", "two");
    let much = json!({"amount": -1_000_000, "reason": "a test"}).to_string();
    met.add(&with(&operator, adjust, other, much.as_bytes()).await, "not-enough");
    met.add(&ann.post("/api/me/chips", &json!({})).await, "too-soon");
    let backwards = "/api/operator/reports/takings?from=2&to=1";
    met.add(&operator.get(backwards).await, "bad-span");
    met.add(&operator.get("/api/operator/players/nobody").await, "no-such-player");
    let because = json!({"reason": "a test"});
    let closed = "/api/operator/houses/utcp-standard/closed";
    operator.send_json(Method::PUT, closed, &because).await.good();
    met.add(&ann.post("/api/play", &json!({"house": "utcp-standard"})).await, "house-closed");
    let ban = "/api/operator/players/ann/ban";
    operator.send_json(Method::PUT, ban, &because).await.good();
    met.add(&stranger.post("/api/sessions", &wish("ann", PASSWORD)).await, "banned");
    server.stop().await;
}

/// Triggers the codes about finding tables, and about numbers.
async fn around_the_tables(met: &mut Met) {
    let limits = Limits { tables_per_player: 1, streams_per_address: 1, ..config().limits };
    let server = server(Config { limits, ..config() }).await;
    let ann = account(server.address(), "ann").await;
    met.add(&ann.get("/api/tables/k7m2xq4w9p3c").await, "no-such-table");
    met.add(&ann.get("/api/houses/nowhere").await, "no-such-house");
    let endless = json!({"house": "uth-standard", "public": true, "pace": "none"});
    met.add(&ann.post("/api/tables", &endless).await, "bad-terms");
    met.add(&ann.post("/api/advise", &json!({"game": "uth", "hand": "As As"})).await, "bad-spot");
    met.add(&ann.post("/api/replay", &json!({})).await, "bad-record");
    let (table, invite) = private_table(&ann, "uth-standard").await;
    let another = json!({"house": "uth-standard"});
    met.add(&ann.post("/api/tables", &another).await, "too-many-tables");
    met.add(&ann.get(&format!("/api/tables/{table}/rounds/9")).await, "no-such-round");
    join(&ann, &table, &invite, 1).await.good();
    let goodbye = json!({"password": PASSWORD});
    met.add(&ann.send_json(Method::DELETE, "/api/me", &goodbye).await, "still-seated");
    let bea = Client::guest(server.address()).await;
    join(&bea, &table, &invite, 2).await.good();
    let closing = format!("/api/tables/{table}");
    met.add(&bea.send_json(Method::DELETE, &closing, &json!({})).await, "not-host");
    let cy = Client::guest(server.address()).await;
    let open = cy.post("/api/play", &json!({})).await.good()["state"]["table"].clone();
    bea.post("/api/play", &json!({})).await.good();
    let closing = format!("/api/tables/{}", text(&open));
    met.add(&cy.send_json(Method::DELETE, &closing, &json!({})).await, "others-sit");
    let bots = format!("/api/tables/{table}/bots");
    for _ in 3..=7 {
        ann.post(&bots, &json!({})).await.good();
    }
    met.add(&ann.post(&bots, &json!({})).await, "no-seat");
    let events = format!("/api/tables/{table}/events");
    let _watch = ann.watch(&events, None).await.expect("news");
    met.add(&ann.get(&events).await, "too-many-streams");
    server.stop().await;
}

/// Triggers the codes for too much load and for timeouts.
async fn in_a_hurry(met: &mut Met) {
    let limits = Limits { requests_per_second: 1, ..config().limits };
    let (server, stranger) = {
        let server = server(Config { limits, ..config() }).await;
        let stranger = Client::new(server.address());
        (server, stranger)
    };
    let mut last = stranger.get("/healthz").await;
    for _ in 0..100 {
        if last.status == 429 {
            break;
        }
        last = stranger.get("/healthz").await;
    }
    met.add(&last, "too-many-requests");
    server.stop().await;

    let timeouts = Timeouts { response: Duration::from_millis(1), ..Timeouts::default() };
    let server = crate::harness::server(Config { timeouts, ..config() }).await;
    let stranger = Client::new(server.address());
    met.add(&stranger.get("/api/charts/uth").await, "busy");
    // Not every request is a command, but the outcome of any request can be unknown.
    let odds = json!({"game": "uth", "bonus": "UTH-02"});
    met.add(&stranger.post("/api/odds", &odds).await, "outcome-unknown");
    server.stop().await;

    let timeouts = Timeouts { request_body: Duration::from_millis(100), ..Timeouts::default() };
    let server = crate::harness::server(Config { timeouts, ..config() }).await;
    let mut stream = tokio::net::TcpStream::connect(server.address()).await.expect("a connection");
    let half = "POST /api/guests HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                content-length: 2\r\n\r\n{";
    stream.write_all(half.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("\"too-slow\""), "{answer}");
    met.0.insert("too-slow".to_owned(), 408);
    server.stop().await;
    without_room(met).await;
}

/// Triggers the codes for too much stored data.
async fn without_room(met: &mut Met) {
    let limits = Limits { address_mib_per_hour: 1, ..config().limits };
    let server = server(Config { limits, ..config() }).await;
    let stranger = Client::new(server.address());
    let mut last = stranger.post("/api/guests", &json!({})).await;
    for _ in 0..1_000 {
        if last.status == 429 {
            break;
        }
        last = stranger.post("/api/guests", &json!({})).await;
    }
    met.add(&last, "storage-quota");
    server.stop().await;
    let timeouts = Timeouts { measure_interval: Duration::from_millis(20), ..Timeouts::default() };
    let server = crate::harness::server(Config { storage_max: 1, timeouts, ..config() }).await;
    let stranger = Client::new(server.address());
    let mut last = stranger.post("/api/guests", &json!({})).await;
    for _ in 0..1_000 {
        if last.status == 503 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
        last = stranger.post("/api/guests", &json!({})).await;
    }
    met.add(&last, "storage-full");
    server.stop().await;
}

fn seat(command: &str, seat: u32) -> Value {
    json!({"command": command, "seat": seat})
}

fn wager(ante: i64, bonus: i64) -> Value {
    json!({"command": "wager", "seat": 1, "ante": ante, "bonus": bonus})
}

fn decide(decision: &str) -> Value {
    json!({"command": "decide", "seat": 1, "decision": decision})
}

/// Triggers the refusals before the deal at a house-banked table.
async fn before_the_deal(met: &mut Met) {
    let (server, operator) = staffed(config()).await;
    let [ann, bea, eve] = [(); 3].map(|()| Client::guest(server.address()));
    let (ann, bea, eve) = (ann.await, bea.await, eve.await);
    let (table, invite) = private_table(&ann, "uth-standard").await;
    met.at(&ann, &table, seat("join", 8), "no-such-seat").await;
    met.at(&ann, &table, seat("leave", 1), "seat-empty").await;
    join(&ann, &table, &invite, 1).await.good();
    join(&bea, &table, &invite, 2).await.good();
    met.add(&join(&eve, &table, &invite, 2).await, "seat-taken");
    let deal = json!({"command": "deal"});
    let path = format!("/api/tables/{table}/commands?invite={invite}");
    met.add(&eve.post(&path, &deal).await, "not-seated");
    let late = json!({"command": "expecting", "round": 9, "then": deal});
    let blind = json!({"command": "wager", "seat": 1, "ante": 500, "blind": 1_000});
    let bank = json!({"command": "take-bank", "seat": 1, "wager": 500});
    let reveal = json!({"command": "reveal-seed", "seat": 1, "seed": "00"});
    for (command, code) in [
        (late, "moved-on"),
        (seat("join", 3), "too-many-seats"),
        (seat("leave", 2), "not-your-seat"),
        (seat("sit-in", 1), "sits-in"),
        (bank, "house-banks"),
        (seat("decline-bank", 1), "bank-not-offered"),
        (reveal, "seed-not-wanted"),
        (seat("withdraw", 1), "not-in-round"),
        (decide("check"), "betting-open"),
        (blind, "blind-not-ante"),
        (wager(0, 500), "bonus-without-ante"),
        (wager(100, 0), "ante-too-small"),
        (wager(20_000, 0), "ante-too-large"),
        (wager(501, 0), "ante-off-unit"),
        (wager(500, 1), "bonus-too-small"),
        (wager(500, 20_000), "bonus-too-large"),
        (wager(500, 501), "bonus-off-unit"),
        (wager(500, 0), ""),
        (seat("sit-out", 1), ""),
        (seat("sit-out", 1), "sits-out"),
    ] {
        let reply = ann.command(&table, &command).await;
        if code.is_empty() { drop(reply.good()) } else { met.add(&reply, code) }
    }
    ann.command(&table, &seat("sit-in", 1)).await.good();
    let orders = format!("/api/operator/tables/{table}/commands");
    let order = |what: &str, reason: &str| json!({"command": what, "reason": reason});
    met.add(&operator.post(&orders, &order("pause", "\n")).await, "bad-text");
    let resume = json!({"command": "resume"});
    met.add(&operator.post(&orders, &resume).await, "not-paused");
    operator.post(&orders, &order("pause", "lunch")).await.good();
    met.add(&operator.post(&orders, &order("pause", "lunch")).await, "paused-already");
    operator.post(&orders, &order("void", "a test")).await.good();
    met.at(&ann, &table, wager(500, 0), "no-round").await;
    operator.post(&orders, &order("close", "a test")).await.good();
    met.at(&ann, &table, wager(500, 0), "table-closed").await;
    let clocked = ann.post("/api/tables", &json!({"house": "uth-standard"})).await.good();
    let clocked = text(&clocked["table"]);
    ann.command(&clocked, &seat("join", 1)).await.good();
    met.at(&ann, &clocked, json!({"command": "deal"}), "deals-by-clock").await;
    server.stop().await;
}

/// Triggers the refusals after betting closes at a house-banked table.
async fn after_no_more_bets(met: &mut Met) {
    let (server, operator) = staffed(config()).await;
    let mut players = Vec::new();
    for _ in 0..5 {
        players.push(Client::guest(server.address()).await);
    }
    let (table, invite) = private_table(&players[0], "uth-standard").await;
    let number = |place: usize| u32::try_from(place + 1).expect("a seat");
    for (place, player) in players[..4].iter().enumerate() {
        join(player, &table, &invite, number(place)).await.good();
    }
    for (place, player) in players[..4].iter().enumerate() {
        let mut bet = wager(500, 0);
        bet["seat"] = json!(number(place));
        if place != 2 {
            let own = Seat::new(number(place)).expect("a seat");
            let mut commit = seat("commit-seed", number(place));
            commit["commitment"] = json!(seat_commitment(&table, 1, own, b"luck").to_string());
            player.command(&table, &commit).await.good();
        }
        player.command(&table, &bet).await.good();
    }
    let [ann, bea, cyd, dot, eve] = &players[..] else { panic!("five players") };
    ann.command(&table, &json!({"command": "deal"})).await.good();
    let reveal =
        |seat: u32, seed: &str| json!({"command": "reveal-seed", "seat": seat, "seed": seed});
    let mut commit = seat("commit-seed", 1);
    commit["commitment"] = json!("0".repeat(64));
    met.at(ann, &table, reveal(1, "x"), "seed-malformed").await;
    met.at(ann, &table, reveal(1, "00"), "seed-mismatch").await;
    met.at(cyd, &table, reveal(3, "00"), "seed-not-committed").await;
    met.at(ann, &table, commit, "seed-too-late").await;
    met.at(ann, &table, decide("check"), "cards-not-dealt").await;
    met.at(ann, &table, wager(500, 0), "betting-closed").await;
    ann.command(&table, &reveal(1, "6c75636b")).await.good();
    met.at(ann, &table, reveal(1, "6c75636b"), "seed-shown").await;
    met.at(cyd, &table, json!({"command": "deal"}), "seeds-awaited").await;
    dot.command(&table, &seat("give-up-seed", 4)).await.good();
    met.at(dot, &table, seat("give-up-seed", 4), "seed-given-up").await;
    bea.command(&table, &reveal(2, "6c75636b")).await.good();
    met.at(ann, &table, decide("fold"), "cannot-fold").await;
    met.at(ann, &table, decide("bet 2"), "cannot-bet").await;
    ann.command(&table, &decide("check")).await.good();
    met.at(ann, &table, decide("check"), "already-acted").await;
    let of_bea = json!({"command": "decide", "seat": 2, "decision": "bet 4"});
    bea.command(&table, &of_bea).await.good();
    met.at(bea, &table, of_bea, "already-decided").await;
    ann.command(&table, &seat("leave", 1)).await.good();
    met.at(ann, &table, seat("leave", 1), "leaving").await;
    let orders = format!("/api/operator/tables/{table}/commands");
    let close = json!({"command": "close", "reason": "a test"});
    operator.post(&orders, &close).await.good();
    met.add(&join(eve, &table, &invite, 5).await, "table-closing");
    server.stop().await;
}

/// Triggers the refusals at a player-banked table, and in the other game.
async fn elsewhere(met: &mut Met) {
    let server = server(config()).await;
    let ann = Client::guest(server.address()).await;
    let bea = Client::guest(server.address()).await;
    let (table, invite) = private_table(&ann, "uth-california").await;
    join(&ann, &table, &invite, 1).await.good();
    let offered = join(&bea, &table, &invite, 2).await.good()["state"]["seats"]
        .as_array()
        .and_then(|seats| seats.iter().position(|seat| seat["awaits"] == "bank"));
    let (banker, other) = if offered == Some(0) { (&ann, &bea) } else { (&bea, &ann) };
    let (own, others) = if offered == Some(0) { (1, 2) } else { (2, 1) };
    let bank = |wager: i64| json!({"command": "take-bank", "seat": own, "wager": wager});
    let bet = |seat: u32| json!({"command": "wager", "seat": seat, "ante": 500});
    met.at(banker, &table, bank(0), "bank-empty").await;
    met.at(other, &table, bet(others), "nobody-banks").await;
    met.at(banker, &table, bank(i64::MAX), "insufficient-chips").await;
    banker.command(&table, &bank(500)).await.good();
    met.at(banker, &table, bet(own), "banker-wagers").await;
    met.at(banker, &table, json!({"command": "deal"}), "nobody-wagered").await;
    other.command(&table, &bet(others)).await.good();
    met.at(banker, &table, bank(499), "bank-lowered").await;

    let (table, invite) = private_table(&ann, "utcp-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    // Three hands in four are too weak for the large bet.
    for _ in 0..100 {
        ann.command(&table, &wager(500, 0)).await.good();
        ann.command(&table, &json!({"command": "deal"})).await.good();
        let reply = ann.command(&table, &decide("bet 3")).await;
        met.at_once(&ann, &table, &reply).await;
        if met.0.contains_key("hand-too-weak") {
            break;
        }
    }
    server.stop().await;
}

impl Met {
    /// Checks the response to a large bet, and the refusal of a check in its place.
    async fn at_once(&mut self, player: &Client, table: &str, reply: &Reply) {
        if reply.status.is_success() {
            return;
        }
        self.add(reply, "hand-too-weak");
        self.at(player, table, decide("check"), "cannot-check").await;
    }
}

/// Triggers the refusals that only a player's own house can give.
async fn at_home(met: &mut Met) {
    let server = server(config()).await;
    let ann = Client::guest(server.address()).await;
    let houses = ann.get("/api/houses").await.good();
    let usual = houses.as_array().expect("houses").iter().find(|it| it["id"] == "uth-standard");
    let usual = usual.expect("a house").clone();
    for (changed, value, code) in [
        ("bonus_paytables", json!([]), "no-bonus"),
        ("games_per_player", json!(1), "too-many-games"),
    ] {
        let mut own = usual.clone();
        own["id"] = json!(format!("own-{code}"));
        (own["title"], own["source"]) = (json!("My own"), json!("me"));
        own[changed] = value;
        let opening = json!({"house": own, "pace": "none"});
        let table = text(&ann.post("/api/tables", &opening).await.good()["table"]);
        ann.command(&table, &seat("join", 1)).await.good();
        met.at(&ann, &table, wager(500, 500), code).await;
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_code_is_triggered_or_cannot_be() {
    let mut met = Met::default();
    at_the_door(&mut met).await;
    around_the_tables(&mut met).await;
    in_a_hurry(&mut met).await;
    before_the_deal(&mut met).await;
    after_no_more_bets(&mut met).await;
    elsewhere(&mut met).await;
    at_home(&mut met).await;
    LogCapture::assert_no_errors();
    for (code, error) in of_a_store() {
        let problem = Problem::from(error);
        assert_eq!((&*problem.code, problem.status), (code.name(), code.status().as_u16()));
        assert!(!met.0.contains_key(code.name()), "{} can be triggered", code.name());
        met.0.insert(problem.code, problem.status);
    }
    for (code, why) in NOT_OVER_HTTP {
        assert!(!met.0.contains_key(code), "{code} can be triggered, although {why}");
        met.0.insert(code.to_owned(), 409);
    }
    let server = Code::ALL.iter().map(|code| code.name());
    let all: BTreeSet<&str> = server.chain(table_codes()).chain(round_codes()).collect();
    let met: BTreeSet<&str> = met.0.keys().map(String::as_str).collect();
    assert_eq!(all, met, "left: all codes; right: codes that are triggered, or cannot be");
}

#[test]
fn server_codes_and_table_codes_differ() {
    let tables: BTreeSet<&str> = table_codes().into_iter().chain(round_codes()).collect();
    assert!(tables.len() > 50, "{tables:?}");
    let mut seen = BTreeSet::new();
    for code in Code::ALL {
        assert!(!tables.contains(code.name()) && seen.insert(code.name()), "{}", code.name());
        assert!(!code.default_detail().is_empty());
    }
}

/// The refusals of tables that come before those of rounds.
fn table_refusals() -> Vec<Refusal> {
    vec![
        Refusal::TableClosed,
        Refusal::MovedOn,
        Refusal::BadText,
        Refusal::NoSuchSeat { seats: 7 },
        Refusal::SeatTaken,
        Refusal::SeatEmpty,
        Refusal::NotYourSeat,
        Refusal::NotSeated,
        Refusal::TooManySeats { most: 1 },
        Refusal::OthersSit,
        Refusal::TableClosing,
        Refusal::Leaving,
        Refusal::SitsOut,
        Refusal::SitsIn,
        Refusal::PausedAlready,
        Refusal::NotPaused,
        Refusal::ShoeNotNeeded,
        Refusal::NoRound,
        Refusal::BankNotOffered,
        Refusal::DealsByClock,
        Refusal::SeedsAwaited {
            seats: vec![Seat::new(2).expect("a seat")],
            until: Time::from_millis(43_230_000),
        },
        Refusal::SeedTooLate,
        Refusal::SeedNotWanted,
        Refusal::SeedNotCommitted,
        Refusal::SeedShown,
        Refusal::SeedGivenUp,
        Refusal::SeedMalformed,
        Refusal::SeedMismatch,
    ]
}

/// All refusals of tables and rounds, with typical numbers, in their order.
fn refusals() -> Vec<Refusal> {
    let (least, most, unit) = (Amount::cents(500), Amount::cents(10_000), Amount::cents(500));
    let card = "As".parse().expect("a card");
    let round = [
        RoundRefusal::RoundOver,
        RoundRefusal::BettingClosed,
        RoundRefusal::BettingOpen,
        RoundRefusal::CardsDealt,
        RoundRefusal::CardsNotDealt,
        RoundRefusal::HouseBanks,
        RoundRefusal::BankTaken,
        RoundRefusal::NoBanker,
        RoundRefusal::BankEmpty,
        RoundRefusal::BankLowered { least },
        RoundRefusal::BankerWagers,
        RoundRefusal::NobodyWagered,
        RoundRefusal::NotInRound,
        RoundRefusal::BonusWithoutAnte,
        RoundRefusal::AnteTooSmall { least },
        RoundRefusal::AnteTooLarge { most },
        RoundRefusal::AnteOffUnit { unit },
        RoundRefusal::BlindNotAnte,
        RoundRefusal::NoBonus,
        RoundRefusal::BonusTooSmall { least },
        RoundRefusal::BonusTooLarge { most },
        RoundRefusal::BonusOffUnit { unit },
        RoundRefusal::TooManyGames { most: 4 },
        RoundRefusal::CardRepeated { card },
        RoundRefusal::AlreadyDecided,
        RoundRefusal::AlreadyActed,
        RoundRefusal::CannotCheck,
        RoundRefusal::CannotFold,
        RoundRefusal::TableCannotBet,
        RoundRefusal::HandTooWeak { needs: Category::Pair },
        RoundRefusal::CannotBet { allowed: vec![3, 4] },
    ];
    let round = round.into_iter().map(Refusal::Round);
    table_refusals()
        .into_iter()
        .chain(round)
        .chain([Refusal::TooManyChips, Refusal::InsufficientChips])
        .collect()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the documentation is regenerated on request")]
fn the_documentation_lists_every_code() {
    let (begin, end) = ("<!-- codes -->\n", "<!-- /codes -->");
    let mut table = "| code | status | says |\n|---|---|---|\n".to_owned();
    for code in Code::ALL {
        let status = code.status().as_u16();
        writeln!(table, "| `{}` | {status} | {} |", code.name(), code.default_detail())
            .expect("a string");
    }
    let refusals = refusals();
    for refusal in &refusals {
        writeln!(table, "| `{}` | 409 | {refusal} |", refusal.code()).expect("a string");
    }
    let listed: BTreeSet<&str> = refusals.iter().map(Refusal::code).collect();
    let all: BTreeSet<&str> = table_codes().into_iter().chain(round_codes()).collect();
    assert_eq!(listed, all, "left: listed above; right: in the sources");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/api.md");
    let page = std::fs::read_to_string(path).expect("docs/api.md");
    let (before, rest) = page.split_once(begin).expect("a line <!-- codes -->");
    let (found, after) = rest.split_once(end).expect("a line <!-- /codes -->");
    if std::env::var_os("CROUPIER_BLESS").is_some() {
        let page = format!("{before}{begin}{table}{end}{after}");
        std::fs::write(path, page).expect("docs/api.md can be written");
        return;
    }
    assert_eq!(found, table, "CROUPIER_BLESS=1 regenerates it");
}
