//! The process that is killed: it plays at tables of a real store, and logs each request and each
//! answer before it continues.

use std::fs::File;
use std::future::Future;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use croupier_store::{
    Accounts, CommandKey, Database, Floor, FloorError, Journals, Postgres, PostgresOptions, Sqlite,
    SqliteOptions, StoreError, TimeoutOptions, Timeouts, is_postgres, os_entropy,
};
use croupier_table::{Clocks, Command, Time};
use serde::{Deserialize, Serialize};

use croupier_testing::{Random, players};

/// A child's instructions, passed through its environment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Orders {
    /// The store's address.
    pub(crate) store: String,
    /// The path of its log.
    pub(crate) log: String,
    /// A name that distinguishes its commands from those of others.
    pub(crate) name: String,
    pub(crate) seed: u64,
    pub(crate) tables: usize,
    /// The moment to die at, and which occurrence of it; never, if it is empty.
    pub(crate) dies_at: String,
    pub(crate) dies_after: u64,
}

pub(crate) const ORDERS: &str = "CROUPIER_CRASH_ORDERS";

/// Tables with clocks have to be woken, and those without continue on request.
const CLOCKS: Clocks =
    Clocks { offer: 60, betting: 60, reveal: 30, decision: 60, between: 2, empty: 1_000_000 };

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Said {
    /// The store is open.
    Ready,
    /// This is about to be requested.
    Asks { key: String, table: String, command: Command },
    /// This was answered.
    Answered { key: String, text: String, repeated: bool },
    /// This was refused.
    Refused { key: String, code: String },
    /// This should not have happened.
    Broken { why: String },
}

struct Log(File);

impl Log {
    /// Writes a line at once: written lines survive the process.
    fn say(&self, said: &Said) {
        let line = serde_json::to_string(said).expect("plain data") + "\n";
        (&self.0).write_all(line.as_bytes()).expect("the log can be written");
    }
}

static DIES: OnceLock<(String, AtomicU64)> = OnceLock::new();

/// Ends the process at the moment in its instructions.
fn probe(moment: &'static str) {
    if let Some((at, left)) = DIES.get()
        && at == moment
        && left.fetch_sub(1, Ordering::Relaxed) == 1
    {
        std::process::abort();
    }
}

pub(crate) fn now() -> Time {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("later than 1970");
    Time::from_millis(i64::try_from(since.as_millis()).expect("in range"))
}

pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

pub(crate) fn run(orders: &Orders) {
    if !orders.dies_at.is_empty() {
        let dies = (orders.dies_at.clone(), AtomicU64::new(orders.dies_after));
        DIES.set(dies).expect("once");
    }
    let log = Log(File::options().append(true).create(true).open(&orders.log).expect("a log"));
    block_on(async {
        if is_postgres(&orders.store) {
            let options = || PostgresOptions { probe, ..PostgresOptions::default() };
            let connect = || Postgres::connect(&orders.store, options());
            let store = again(connect).await.expect("a store");
            play(Database::from(store), orders, &log).await;
        } else {
            let options = SqliteOptions { probe, ..SqliteOptions::default() };
            let store = Sqlite::open(&orders.store, options).expect("a store");
            play(Database::from(store), orders, &log).await;
        }
    });
}

/// Retries for as long as it may help.
async fn again<T, F: Future<Output = Result<T, StoreError>>>(
    attempt: impl Fn() -> F,
) -> Result<T, StoreError> {
    loop {
        match attempt().await {
            Err(error) if error.is_transient() => tokio::time::sleep(PAUSE).await,
            result => return result,
        }
    }
}

const PAUSE: Duration = Duration::from_millis(3);

/// Plays until the process is ended.
async fn play<S: Journals + Accounts>(store: S, orders: &Orders, log: &Log) {
    let floor = Floor::new(store, Box::new(os_entropy));
    for number in 0..orders.tables {
        let name = table_name(number);
        let clocks = (number % 2 == 1).then_some(CLOCKS);
        loop {
            let opened = floor.open(&name, players::terms(number, clocks), None, now()).await;
            match opened {
                Ok(_) | Err(FloorError::Store(StoreError::Taken)) => break,
                Err(FloorError::Store(error)) if error.is_transient() => {
                    tokio::time::sleep(PAUSE).await;
                }
                Err(error) => return log.say(&Said::Broken { why: error.to_string() }),
            }
        }
        again(|| players::issue(floor.store(), &name, now())).await.expect("chips");
    }
    log.say(&Said::Ready);
    let mut tables = Vec::new();
    for number in 0..orders.tables {
        tables.push(play_table(&floor, number, orders, log));
    }
    let all = futures_util::future::join_all(tables);
    let () = tokio::select! {
        _ = all => (),
        () = wake(&floor, log) => (),
    };
}

pub(crate) fn table_name(number: usize) -> String {
    format!("t{number}")
}

/// Wakes tables whose deadline has passed.
async fn wake<S: Journals>(floor: &Floor<S>, log: &Log) {
    let options = TimeoutOptions { lease: 500, concurrent: 8, interval: PAUSE };
    let timeouts = Timeouts::new(options);
    loop {
        match timeouts.run_timeouts(floor, now()).await {
            Ok(woken) => {
                for (table, result) in woken {
                    if let Err(error) = result.or_else(is_broken) {
                        let why = format!("{table} cannot be woken: {error}");
                        log.say(&Said::Broken { why });
                    }
                }
            }
            Err(error) => {
                if let Err(error) = is_broken(error.into()) {
                    log.say(&Said::Broken { why: error.to_string() });
                }
            }
        }
        tokio::time::sleep(timeouts.interval()).await;
    }
}

/// Passes on an error that a retry does not fix.
fn is_broken(error: FloorError) -> Result<(), FloorError> {
    match error {
        FloorError::Store(error) if error.is_transient() => Ok(()),
        error => Err(error),
    }
}

async fn play_table<S: Journals>(floor: &Floor<S>, number: usize, orders: &Orders, log: &Log) {
    let name = table_name(number);
    let mut random = Random::new(orders.seed ^ u64::try_from(number).expect("small") << 32);
    for count in 0_u64.. {
        let table = match floor.table(&name).await {
            Ok(table) => table,
            Err(error) => {
                if let Err(error) = is_broken(error) {
                    return log.say(&Said::Broken { why: error.to_string() });
                }
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let Some(command) = players::next(&table, &mut random) else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let key = format!("{}-{number}-{count}", orders.name);
        log.say(&Said::Asks { key: key.clone(), table: name.clone(), command: command.clone() });
        log.say(&ask(floor, &name, &key, &command).await);
    }
}

/// Sends a request with the same key until there is an answer.
pub(crate) async fn ask<S: Journals>(
    floor: &Floor<S>,
    table: &str,
    key: &str,
    command: &Command,
) -> Said {
    let (key, text) = (key.to_owned(), key);
    loop {
        let id = CommandKey { sender: "players".to_owned(), key: text.to_owned() };
        match floor.command(table, command.clone(), Some(id), now()).await {
            Ok(answer) => {
                let (text, repeated) = (answer.text, answer.repeated);
                return Said::Answered { key, text, repeated };
            }
            Err(FloorError::Refused(refusal)) => {
                return Said::Refused { key, code: refusal.code().to_owned() };
            }
            Err(FloorError::Store(error)) if error.is_transient() => {
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) => return Said::Broken { why: error.to_string() },
        }
    }
}
