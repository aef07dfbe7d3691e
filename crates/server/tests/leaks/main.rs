//! No secret is sent too early: no card that is face down for the client, no seed of an open round.
//!
//! Random players play over HTTP while others watch, and every byte sent to any of them is kept
//! with the request. When a table has closed, its journal tells the whole truth, and every byte is
//! checked again: did it contain anything that its reader was not allowed to know at that moment?
//! The allowed knowledge is derived from the rules, by code that the server does not contain.
//!
//! `CROUPIER_LEAK_ROUNDS` sets the number of rounds; a failure prints the seed of its evening, with
//! which people act the same again, though not with the same cards.

mod decks;
mod evening;
mod logs;
mod planted;
mod received;
mod search;
mod truth;
mod twins;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use croupier_server::{Admin, Config, Limits, Server};
use croupier_store::{Database, Sqlite, SqliteOptions, audit};
use croupier_table::Clocks;
use croupier_testing::Client;
use serde_json::json;

use crate::evening::{Evening, Kind, Person};
use crate::logs::Log;
use crate::search::{Seeds, cards_in_prose};
use crate::truth::Truth;

/// The default number of rounds.
const ROUNDS: u64 = 2_500;

/// How many evenings run at a time at tables without clocks, with them, and with bots.
const AT_A_TIME: [(Kind, u64); 3] = [(Kind::Private, 5), (Kind::Clocked, 3), (Kind::Bots, 3)];

/// How many rounds an evening has, at a table without clocks and at any other.
const LENGTH: u64 = 40;
const SHORT: u64 = 30;

/// Clocks that people are sometimes too slow for.
const CLOCKS: Clocks =
    Clocks { offer: 60, betting: 90, reveal: 40, decision: 60, between: 5, empty: 60_000 };

const PASSWORD: &str = "five cards on the board";

/// A server with an operator, over a database that the test can read.
struct House {
    server: Server,
    path: PathBuf,
    operator: Person,
}

#[expect(clippy::disallowed_methods, reason = "a database is a file, in memory if there is room")]
async fn house(name: &str) -> House {
    let memory = PathBuf::from("/dev/shm");
    let folder = if memory.exists() { memory } else { std::env::temp_dir() };
    let folder = folder.join(format!("croupier-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("croupier.db");
    let open = || Sqlite::open(&path, SqliteOptions::default()).map(Database::Sqlite);
    let admin = Admin::open(open().expect("a database")).await.expect("an admin");
    admin.add_operator("Olive", PASSWORD).await.expect("an operator");
    drop(admin);
    let limits = Limits {
        requests_per_second: 0,
        commands_per_second: 0,
        guests_per_hour: 0,
        public_tables_per_player: 0,
        player_mib_per_hour: 0,
        address_mib_per_hour: 0,
        streams_per_address: 0,
        connections: 0,
        connections_per_address: 0,
        tables_per_player: 0,
        chips_per_hour: 0,
    };
    let listen = ([127, 0, 0, 1], 0).into();
    // A person who is alone at a table is not waited for much longer.
    let own_pace = Some(100);
    let config = Config { listen, limits, clocks: CLOCKS, own_pace, ..Config::default() };
    let server = Server::start(open().expect("a database"), config).await.expect("a server");
    let mut visitor = Client::new(server.address());
    let credentials = json!({"name": "Olive", "password": PASSWORD, "bearer": true});
    let welcome = visitor.post("/api/sessions", &credentials).await.good();
    visitor.token = welcome["token"].as_str().map(str::to_owned);
    let id = welcome["player"].as_str().map(str::to_owned);
    House { server, path, operator: Person { visitor, id, seat: None } }
}

impl House {
    #[expect(clippy::disallowed_methods, reason = "the files of the database go away")]
    async fn close(self) {
        self.server.stop().await;
        let store = Sqlite::open_read_only(&self.path).expect("a database");
        audit(&store).await.expect("books that are right");
        drop(store);
        let folder = self.path.parent().expect("a folder");
        std::fs::remove_dir_all(folder).expect("a folder");
    }
}

/// The amount of play that was checked.
#[derive(Debug, Default)]
struct Count {
    rounds: AtomicU64,
    evenings: AtomicU64,
    told: AtomicU64,
    bytes: AtomicU64,
}

#[expect(clippy::disallowed_methods, reason = "an environment variable sets the number")]
fn wanted() -> u64 {
    let asked = std::env::var("CROUPIER_LEAK_ROUNDS").ok();
    asked.map_or(ROUNDS, |rounds| rounds.parse().expect("CROUPIER_LEAK_ROUNDS is a number"))
}

/// Plays an evening, and checks everything that was sent. Returns the truth, with its seeds.
async fn evening(kind: Kind, seed: u64, house: &House, count: &Count) -> Truth {
    let stranger = Client::new(house.server.address());
    let mut evening = Evening::begin(kind, seed, &stranger, &house.operator).await;
    let rounds = match kind {
        Kind::Private => LENGTH,
        Kind::Clocked => SHORT,
        // Every step of a bot takes a second.
        Kind::Bots => 2,
    };
    evening.play(rounds).await;
    let store = Sqlite::open_read_only(&house.path).expect("a database");
    let truths = [Truth::read(&store, &evening.table).await];
    // Headers repeat, and are checked once for each reader and round.
    let mut heads = BTreeSet::new();
    for received in &evening.received {
        let mut leaks = received.leaks(&truths);
        let round = truths[0].open_at(received.by).map(|round| round.number);
        if heads.insert((&received.head, &received.who, round)) {
            leaks.extend(received.leaks_in_head(&truths));
        }
        let body = String::from_utf8_lossy(&received.body);
        assert!(
            leaks.is_empty(),
            "{kind:?} evening {seed}: {:?} received {leaks:?} from {}, version {}\n{body}",
            received.who,
            received.what,
            received.by,
        );
        let pieces = received.pieces().len() as u64;
        let bytes = (received.head.len() + received.body.len()) as u64;
        count.told.fetch_add(pieces, Ordering::Relaxed);
        count.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
    let [truth] = truths;
    count.rounds.fetch_add(truth.dealt() as u64, Ordering::Relaxed);
    truth
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::print_stderr, reason = "the amount checked is worth knowing")]
async fn no_secret_is_sent_too_early() {
    let log = Log::keep();
    let house = std::sync::Arc::new(house("leaks").await);
    let count = std::sync::Arc::new(Count::default());
    let wanted = wanted();
    let mut tables = tokio::task::JoinSet::new();
    for (kind, at_a_time) in AT_A_TIME {
        for _ in 0..at_a_time {
            let (house, count) = (house.clone(), count.clone());
            tables.spawn(async move {
                let mut seeds = Vec::new();
                while count.rounds.load(Ordering::Relaxed) < wanted {
                    let seed = count.evenings.fetch_add(1, Ordering::Relaxed);
                    let truth = evening(kind, seed, &house, &count).await;
                    seeds.extend(truth.rounds.into_iter().map(|round| round.seed));
                }
                seeds
            });
        }
    }
    let mut seeds = Seeds::default();
    for (seed, number) in tables.join_all().await.concat().iter().zip(1..) {
        seeds.add(seed, number);
    }
    let house = std::sync::Arc::into_inner(house).expect("no task holds it");
    house.close().await;
    let logged = log.text();
    assert!(!logged.is_empty(), "the log is captured");
    assert_eq!(seeds.found_in(&logged), Vec::<u64>::new(), "the log contains seeds");
    assert_eq!(cards_in_prose(&String::from_utf8_lossy(&logged)), [], "the log contains cards");
    eprintln!("{count:?}, and {} bytes of log", logged.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn planted_leaks_are_found() {
    let house = house("planted").await;
    let stranger = Client::new(house.server.address());
    let (mut holdem, mut three_card) = (0, 0);
    for seed in 0..40 {
        let mut evening = Evening::begin(Kind::Private, seed, &stranger, &house.operator).await;
        evening.play(6).await;
        let store = Sqlite::open_read_only(&house.path).expect("a database");
        let truths = [Truth::read(&store, &evening.table).await];
        let Some((received, round)) = planted::spot(&evening.received, &truths[0]) else {
            continue;
        };
        assert_eq!(received.leaks(&truths), [], "evening {seed}: {}", received.what);
        for planted::PlantedLeak { name, received, leak } in planted::all(received, round) {
            let found = [received.leaks(&truths), received.leaks_in_head(&truths)].concat();
            assert!(found.contains(&leak), "evening {seed}: {name}, {leak:?}: {found:?}");
        }
        let count = if round.board.is_empty() { &mut three_card } else { &mut holdem };
        *count += 1;
        if holdem > 1 && three_card > 1 {
            break;
        }
    }
    house.close().await;
    assert!(holdem > 0 && three_card > 0, "leaks were planted {holdem} and {three_card} times");
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::print_stderr, reason = "the amount compared is worth knowing")]
async fn no_response_depends_on_a_hidden_card() {
    let house = std::sync::Arc::new(house("decks").await);
    let rounds = twin_rounds().div_ceil(evening::HOUSES.len() as u64);
    let mut tables = tokio::task::JoinSet::new();
    for name in evening::HOUSES {
        let house = house.clone();
        tables.spawn(async move {
            let stranger = Client::new(house.server.address());
            decks::compare(name, rounds, (&stranger, &house.operator.visitor)).await
        });
    }
    let compared = tables.join_all().await;
    let mut planted = 0;
    for answer in compared.iter().flat_map(|compared| &compared.samples) {
        for (leak, other) in decks::planted(answer) {
            assert!(decks::difference(answer, &other).is_some(), "{leak} is not found");
            planted += 1;
        }
    }
    assert!(planted > 100, "only {planted} leaks were planted");
    for compared in &compared {
        assert!(compared.rounds >= rounds);
        eprintln!("{compared}");
    }
    std::sync::Arc::into_inner(house).expect("all tables are done").close().await;
}

/// The default number of rounds at twin tables.
const TWIN_ROUNDS: u64 = 10_000;

#[expect(clippy::disallowed_methods, reason = "an environment variable sets the number")]
fn twin_rounds() -> u64 {
    let asked = std::env::var("CROUPIER_TWIN_ROUNDS").ok();
    asked.map_or(TWIN_ROUNDS, |rounds| rounds.parse().expect("CROUPIER_TWIN_ROUNDS is a number"))
}
