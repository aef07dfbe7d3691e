//! A full card room, driven from a separate process: seven seats at each of many tables, over HTTP.
//!
//! ```text
//! cargo build --release
//! cargo run --release --package croupier-bench --example load -- sqlite
//! cargo run --release --package croupier-bench --example load -- postgres --tables 100
//! cargo run --release --package croupier-bench --example load -- streams
//! ```
//!
//! It starts the server that was built, or the one in `CROUPIER_PROGRAM`, plays as fast as the
//! server responds, then at half that speed, prints the results, and audits the ledger afterwards:
//! every acknowledged command must be there. `bench/compare` runs it for two servers.

#![expect(clippy::disallowed_methods, reason = "it measures time, and starts servers to do so")]
#![expect(clippy::print_stdout, reason = "it prints measurements")]

mod http;
mod node;
mod seats;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use croupier_testing::{Cluster, Durability};
use futures_util::future::join_all;

use self::http::Connection;
use self::node::{Node, cpu_seconds};
use self::seats::Seats;

/// How long a measurement takes.
const MEASURE: Duration = Duration::from_secs(15);

/// How long tables play before anything is measured.
const WARM_UP: Duration = Duration::from_secs(3);

fn main() {
    let mut words = std::env::args().skip(1);
    let what = words.next().unwrap_or_default();
    let mut tables = None;
    while let Some(word) = words.next() {
        assert_eq!(word, "--tables", "the only option is --tables");
        tables = words.next().and_then(|number| number.parse::<usize>().ok());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let cluster = (what == "postgres").then(|| Cluster::start(Durability::Full));
    let database = cluster.as_ref().map(Cluster::fresh_database);
    match &*what {
        "sqlite" | "postgres" => {
            runtime.block_on(play(&what, database.as_deref(), tables.unwrap_or(1_000)));
        }
        "streams" => runtime.block_on(streams(tables.unwrap_or(1_000), 10)),
        _ => println!("use sqlite, postgres or streams, and --tables N"),
    }
}

/// Plays at all tables at once: as fast as the server responds, and then at half that speed.
async fn play(what: &str, database: Option<&str>, tables: usize) {
    let node = Node::start(database);
    let start = Instant::now();
    let seats = seat_all(&node, tables).await;
    let taken = start.elapsed();
    println!(
        "{what}: {tables} tables with seven players each, seated in {:.1} s",
        taken.as_secs_f64()
    );
    let answered = Arc::new(AtomicU64::new(0));
    let (seats, full) = run(&node, seats, None, &answered).await;
    full.print("as fast as it answers");
    let (seats, half) = run(&node, seats, Some(full.per_second / 2.0), &answered).await;
    half.print("at half that speed");
    drop(seats);
    let answered = answered.load(Ordering::Relaxed);
    let kept = node.stop_and_audit();
    assert!(kept >= answered, "{answered} commands were answered, and {kept} are stored");
    println!("the ledger adds up; all {answered} commands that were answered are in the database");
}

/// Seats seven guests at each table.
async fn seat_all(node: &Node, tables: usize) -> Vec<Seats> {
    let address = node.address;
    let mut all = Vec::new();
    // A few at a time, as players arrive.
    let lanes = (0..32).map(|lane| async move {
        let mut seated = Vec::new();
        for number in (lane..tables).step_by(32) {
            let connection = Connection::open(address).await.expect("a connection");
            seated.push(Seats::take(connection, number).await);
        }
        seated
    });
    for seated in join_all(lanes.map(tokio::spawn)).await {
        all.extend(seated.expect("seats"));
    }
    all
}

/// The figures of a measurement.
struct Figures {
    per_second: f64,
    rounds_per_second: f64,
    p50: f64,
    p99: f64,
    worst: f64,
    server_cpu: f64,
    own_cpu: f64,
    memory: f64,
}

impl Figures {
    fn print(&self, how: &str) {
        println!(
            "  {how}: {:.0} commands/s, {:.0} rounds/s; p50 {:.1} ms, p99 {:.1} ms, worst {:.0} ms",
            self.per_second, self.rounds_per_second, self.p50, self.p99, self.worst,
        );
        println!(
            "    server {:.0} MB, {:.2} cores, {:.0} µs per command; driver {:.2} cores ({:.0} %)",
            self.memory,
            self.server_cpu,
            1e6 * self.server_cpu / self.per_second,
            self.own_cpu,
            100.0 * self.own_cpu / (self.own_cpu + self.server_cpu),
        );
    }
}

/// Plays for a while, at a given rate if there is one, and measures.
async fn run(
    node: &Node,
    seats: Vec<Seats>,
    rate: Option<f64>,
    answered: &Arc<AtomicU64>,
) -> (Vec<Seats>, Figures) {
    let begin = Instant::now() + WARM_UP;
    let end = begin + MEASURE;
    let every = rate.map(|rate| Duration::from_secs_f64(count(seats.len()) / rate));
    let playing = seats.into_iter().map(|mut seats| {
        let answered = Arc::clone(answered);
        tokio::spawn(async move {
            let played = seats.play(begin, end, every, &answered).await;
            (seats, played)
        })
    });
    let playing: Vec<_> = playing.collect();
    tokio::time::sleep_until(begin.into()).await;
    let cpu = (cpu_seconds(node.pid()), cpu_seconds(std::process::id()));
    tokio::time::sleep_until(end.into()).await;
    let seconds = MEASURE.as_secs_f64();
    let server_cpu = (cpu_seconds(node.pid()) - cpu.0) / seconds;
    let own_cpu = (cpu_seconds(std::process::id()) - cpu.1) / seconds;
    let memory = node.memory();
    let (mut back, mut latencies, mut rounds) = (Vec::new(), Vec::new(), 0);
    for played in join_all(playing).await {
        let (seats, of_table) = played.expect("a table that plays");
        rounds += of_table.rounds;
        latencies.extend(of_table.latencies);
        back.push(seats);
    }
    latencies.sort_unstable();
    assert!(!latencies.is_empty(), "nothing was answered");
    let at = |share: usize| latencies[(latencies.len() - 1) * share / 100].as_secs_f64() * 1_000.0;
    let figures = Figures {
        per_second: count(latencies.len()) / seconds,
        rounds_per_second: count(rounds) / seconds,
        p50: at(50),
        p99: at(99),
        worst: at(100),
        server_cpu,
        own_cpu,
        memory,
    };
    (back, figures)
}

/// Opens idle event streams, and measures the server's memory.
async fn streams(tables: usize, each: usize) {
    let node = Node::start(None);
    let seats = seat_all(&node, tables).await;
    let before = node.memory();
    let start = Instant::now();
    let mut open = Vec::new();
    for seats in &seats {
        for number in 0..each {
            let mut stream = Connection::open(node.address).await.expect("a connection");
            let first = stream.watch(&seats.table, seats.token(number % 7)).await;
            assert!(first.contains("event: table"), "{first}");
            open.push(stream);
        }
    }
    println!(
        "{} event streams opened in {:.1} s: the server has {:.0} MB, {:.0} before",
        open.len(),
        start.elapsed().as_secs_f64(),
        node.memory(),
        before
    );
    // They are alive: a viewer of the first table gets an event.
    let mut first = seats.into_iter().next().expect("a table");
    let start = Instant::now();
    first.wager(0).await;
    let told = open[0].more().await;
    assert!(told.contains("wagered"), "{told}");
    println!(
        "an event takes {:.1} ms to reach one of them",
        start.elapsed().as_secs_f64() * 1_000.0
    );
    tokio::time::sleep(Duration::from_secs(20)).await;
    println!("after 20 s: {:.0} MB", node.memory());
    drop(open);
    node.stop_and_audit();
}

/// Converts a count for arithmetic.
fn count(many: usize) -> f64 {
    f64::from(u32::try_from(many).expect("not that many"))
}
