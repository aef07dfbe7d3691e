//! Active tables on a store, compared with the same rows written by bare statements.
//!
//! The measurement covers everything from a command to its response: deciding, sealing the journal,
//! checking the ledger, writing. The bare statements write the resulting rows, and check nothing.
//! Both must produce the same rows.

#![expect(clippy::disallowed_methods, reason = "it measures time, and creates databases to do so")]
#![expect(clippy::print_stdout, reason = "it prints measurements")]

mod bare;
mod recorder;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use croupier_store::{
    Append, CommandKey, Floor, FloorError, Journals, Memory, Postgres, PostgresOptions, Sqlite,
    SqliteOptions, Store, audit, os_entropy,
};
use croupier_table::{Table, Time};
use croupier_testing::{Cluster, Durability};
use futures_util::future::join_all;

use self::recorder::Recorder;
use croupier_testing::{Random, players};

const TABLES: usize = 64;
const ROUNDS: u64 = 120;
/// The number of connections that write at the same time.
const CONNECTIONS: usize = 16;
/// The number of idle tables to weigh, and how often each: much more than the memory freed before.
const IDLE: usize = 2_000;
const COPIES: usize = 100;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    // `cargo test` runs benches to check that they work.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    // A word after `--` picks a part.
    let picked: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let wanted = |part: &str| picked.is_empty() || picked.iter().any(|word| word == part);
    runtime.block_on(async {
        if wanted("memory") {
            report("memory", &measure(Memory::default()).await);
        }
        if wanted("sqlite") {
            sqlite().await;
        }
        if wanted("postgres") {
            postgres().await;
        }
        if wanted("idle") {
            weigh_idle_tables().await;
        }
    });
}

/// A measurement: the work done, and the time it took.
struct Measured {
    seconds: f64,
    commands: usize,
    rounds: usize,
    taken: Vec<Append>,
}

fn report(what: &str, measured: &Measured) {
    let Measured { seconds, commands, rounds, .. } = measured;
    let per_second = |count: usize| {
        let count = u32::try_from(count).expect("not that many");
        (f64::from(count) / seconds).round()
    };
    println!(
        "{what:16} {:>8} commands/s {:>7} settled rounds/s ({commands} commands, {rounds} rounds)",
        per_second(*commands),
        per_second(*rounds),
    );
}

/// Plays at all tables at once, and returns the measurement.
async fn measure<S: Store>(store: S) -> Measured {
    let taken = Arc::new(Mutex::new(Vec::new()));
    let floor =
        Arc::new(Floor::new(Recorder { store, taken: Arc::clone(&taken) }, Box::new(os_entropy)));
    for number in 0..TABLES {
        let name = format!("t{number}");
        let opened = floor.open(&name, players::terms(number, None), None, now(0)).await;
        opened.expect("a new table");
        players::issue(floor.store(), &name, now(0)).await.expect("chips");
    }
    let start = Instant::now();
    let tables = (0..TABLES).map(|number| {
        let floor = Arc::clone(&floor);
        tokio::spawn(async move { play(&floor, number).await })
    });
    let commands = join_all(tables).await.into_iter().map(|table| table.expect("it plays")).sum();
    let seconds = start.elapsed().as_secs_f64();
    let found = audit(floor.store()).await.expect("a store that adds up");
    assert_eq!(found.tables, u64::try_from(TABLES).expect("a few"));
    let taken = std::mem::take(&mut *taken.lock().expect("no thread panicked"));
    let rounds = taken.iter().map(|append| append.rounds.len()).sum();
    assert!(rounds >= TABLES * usize::try_from(ROUNDS - 1).expect("a few"), "{rounds} rounds");
    Measured { seconds, commands, rounds, taken }
}

/// Plays at a table, and returns the number of commands that took.
async fn play<S: Journals>(floor: &Floor<S>, number: usize) -> usize {
    let name = format!("t{number}");
    let mut random = Random::new(u64::try_from(number).expect("a few"));
    let mut commands = 0;
    loop {
        let table = floor.cached(&name).await.expect("a table that is known");
        // A round without a bank doesn't count.
        let over = dealt(&table) >= ROUNDS;
        if over {
            return commands;
        }
        let command = players::next(&table, &mut random).expect("it is always some seat's turn");
        let key = CommandKey { sender: name.clone(), key: commands.to_string() };
        match floor.command(&name, command, Some(key), now(commands)).await {
            Ok(_) => commands += 1,
            Err(FloorError::Refused(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// Returns a lower bound for the number of finished rounds.
fn dealt(table: &Table) -> u64 {
    // The bank is passed on one time in four, so three passes in a row are rare.
    table.round_number().saturating_sub(table.round_number() / 32)
}

fn now(count: usize) -> Time {
    Time::from_millis(1_700_000_000_000 + i64::try_from(count).expect("not that many"))
}

fn ratio(what: &str, bare_seconds: f64, measured: &Measured) {
    let bare = Measured { seconds: bare_seconds, taken: Vec::new(), ..*measured };
    report(&format!("{what}, bare"), &bare);
    println!("{what:16} {:.2} of the bare statements' speed", bare_seconds / measured.seconds);
}

async fn sqlite() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-store");
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("croupier.db");
    let open = |path: &Path| Sqlite::open(path, SqliteOptions::default()).expect("a store");
    let measured = measure(open(&path)).await;
    report("SQLite", &measured);

    let bare = folder.join("bare.db");
    drop(open(&bare));
    let connection = rusqlite::Connection::open(&bare).expect("a database");
    let pragmas = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL";
    connection.execute_batch(pragmas).expect("good SQL");
    let rows: Vec<_> = measured.taken.iter().map(bare::rows).collect();
    let start = Instant::now();
    // Each table waits for its response before it continues, so no group can be larger.
    bare::write_sqlite(&connection, &rows, TABLES);
    ratio("SQLite", start.elapsed().as_secs_f64(), &measured);
    let original = rusqlite::Connection::open(&path).expect("a database");
    for table in TABLES_OF_A_STORE {
        let count = |connection: &rusqlite::Connection| -> i64 {
            let sql = format!("SELECT count(*) FROM {table}");
            connection.query_row(&sql, [], |row| row.get(0)).expect("a count")
        };
        let issued = if table == "transfers" { issued() } else { 0 };
        assert_eq!(count(&original), count(&connection) + issued, "{table}");
    }
}

/// The tables that must have as many rows in both.
const TABLES_OF_A_STORE: [&str; 6] =
    ["journal", "transfers", "rounds", "round_seats", "commands", "tables"];

/// Returns how many transfers issued chips to players, before the measurement.
fn issued() -> i64 {
    i64::try_from(TABLES).expect("a few") * i64::from(players::PLAYERS)
}

async fn postgres() {
    let cluster = Cluster::start(Durability::Full);
    let url = cluster.fresh_database();
    let options = || PostgresOptions { connections: CONNECTIONS, ..PostgresOptions::default() };
    let store = Postgres::connect(&url, options()).await.expect("a store");
    let measured = measure(store).await;
    report("PostgreSQL", &measured);

    let bare = cluster.fresh_database();
    drop(Postgres::connect(&bare, options()).await.expect("a store"));
    let mut by_connection: Vec<Vec<_>> = (0..CONNECTIONS).map(|_| Vec::new()).collect();
    for append in &measured.taken {
        let number: usize = append.table[1..].parse().expect("a number");
        by_connection[number % CONNECTIONS].push(bare::rows(append));
    }
    let mut clients = Vec::new();
    for _ in 0..CONNECTIONS {
        clients.push(connect(&bare).await);
    }
    let start = Instant::now();
    let writing = clients.into_iter().zip(by_connection).map(|(client, appends)| {
        tokio::spawn(async move { bare::write_postgres(&client, &appends).await })
    });
    for written in join_all(writing).await {
        written.expect("it is written");
    }
    ratio("PostgreSQL", start.elapsed().as_secs_f64(), &measured);
    let [original, bare] = [connect(&url).await, connect(&bare).await];
    for table in TABLES_OF_A_STORE {
        let sql = format!("SELECT count(*) FROM {table}");
        let count = async |client: &tokio_postgres::Client| -> i64 {
            client.query_one(&sql, &[]).await.expect("a count").get(0)
        };
        let issued = if table == "transfers" { issued() } else { 0 };
        assert_eq!(count(&original).await, count(&bare).await + issued, "{table}");
    }
}

async fn connect(url: &str) -> tokio_postgres::Client {
    let connected = tokio_postgres::connect(url, tokio_postgres::NoTls).await;
    let (client, connection) = connected.expect("a connection");
    tokio::spawn(connection);
    client
}

/// Measures the memory cost of a table without players.
async fn weigh_idle_tables() {
    let floor = Floor::new(Memory::default(), Box::new(os_entropy));
    let name = |number: usize| format!("idle-{number}");
    for number in 0..IDLE {
        let opened = floor.open(&name(number), players::terms(number, None), None, now(0)).await;
        opened.expect("a new table");
    }
    // A node keeps a copy of each; these are copies of those.
    let before = resident_bytes();
    let mut tables = Vec::new();
    for number in (0..COPIES).flat_map(|_| 0..IDLE) {
        tables.push(floor.cached(&name(number)).await.expect("a table that is known"));
    }
    let bytes = resident_bytes().saturating_sub(before) / tables.len();
    assert!(tables.iter().all(|table| table.seats().is_empty()));
    println!("idle table       {bytes} bytes of a node's memory");
}

fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages: usize =
        status.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("pages");
    pages * 4096
}
