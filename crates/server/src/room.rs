//! The card room: what all requests share.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axum::extract::FromRef;
use croupier_rules::{Catalog, Record, Telling};
use croupier_store::{Database, Floor, Paper, Store, StoreError, os_entropy};
use croupier_table::{Table, Time};
use quick_cache::sync::Cache;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::analysis::Analyst;
use crate::chance;
use crate::clock::Clock;
use crate::config::Config;
use crate::guard::Gate;
use crate::hub::Hub;
use crate::password::Passwords;
use crate::pricing::Theory;
use crate::problem::{Code, Problem};
use crate::pulse::Pulse;
use crate::session::Session;
use crate::storage::{self, Storage};
use crate::tables::Listing;
use crate::trouble::Troubles;

/// How many records of rounds a node remembers. They never change.
const RECORDS: usize = 2_000;

/// How many rounds that were told in words a node remembers. Those that watch a table all want the
/// last one, and few want any other.
const TELLINGS: usize = 500;

/// How many sessions a node remembers.
const SESSIONS: usize = 50_000;

/// How many names of players a node remembers.
const NAMES: usize = 50_000;

/// How many tables a node remembers how to find.
const LISTINGS: usize = 10_000;

/// How many solved games a node remembers.
const THEORIES: usize = 200;

/// The drawer of significant events.
pub(crate) const INCIDENTS: &str = "incidents";

/// What all requests share. It is cheap to clone.
#[derive(Clone)]
pub(crate) struct Room(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) floor: Floor<Database>,
    pub(crate) clock: Clock,
    pub(crate) hub: Arc<Hub>,
    pub(crate) config: Config,
    pub(crate) analyst: Arc<Analyst>,
    pub(crate) gate: Gate,
    pub(crate) passwords: Passwords,
    pub(crate) pulse: Pulse,
    pub(crate) storage: Storage,
    pub(crate) sessions: Cache<String, Arc<Session>>,
    /// How many times sessions were ended here.
    pub(crate) endings: AtomicU64,
    /// How many times somebody was given chips here, or a balance was corrected.
    pub(crate) grants: AtomicU64,
    /// Names of players by their ids, with the time when they were looked up.
    pub(crate) names: Cache<String, (Arc<str>, Time)>,
    pub(crate) listings: Cache<String, Arc<Listing>>,
    pub(crate) troubles: Troubles,
    /// What games come to on average, by the version of their rules.
    pub(crate) theories: Cache<String, Theory>,
    /// Held by the report that prices rounds: one at a time.
    pub(crate) pricing: tokio::sync::Mutex<()>,
    /// Is cancelled when the server is to stop.
    pub(crate) stopping: CancellationToken,
    records: Cache<(String, u64), Arc<str>>,
    tellings: Cache<(String, u64), Arc<RawValue>>,
}

impl std::ops::Deref for Room {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl FromRef<Room> for Arc<Analyst> {
    fn from_ref(room: &Room) -> Self {
        Arc::clone(&room.analyst)
    }
}

impl Room {
    /// Opens a card room over a database.
    pub(crate) async fn new(store: Database, config: Config) -> Result<Self, StoreError> {
        let clock = Clock::new(&store).await?;
        let hub = Arc::new(Hub::default());
        let told = Arc::clone(&hub);
        let floor = Floor::new(store, Box::new(os_entropy))
            .with_witness(Box::new(move |table, happened| told.tell(table, happened)));
        let room = Self(Arc::new(Shared {
            floor,
            clock,
            hub,
            analyst: Arc::new(Analyst::new(Arc::new(Catalog::shipped()))),
            gate: Gate::new(config.limits),
            passwords: Passwords::new(),
            pulse: Pulse::default(),
            storage: Storage::new(&config),
            config,
            sessions: Cache::new(SESSIONS),
            endings: AtomicU64::new(0),
            grants: AtomicU64::new(0),
            names: Cache::new(NAMES),
            listings: Cache::new(LISTINGS),
            troubles: Troubles::default(),
            theories: Cache::new(THEORIES),
            pricing: tokio::sync::Mutex::default(),
            stopping: CancellationToken::new(),
            records: Cache::new(RECORDS),
            tellings: Cache::new(TELLINGS),
        }));
        // Whether it is full is known before the first request.
        storage::measure(&room).await;
        Ok(room)
    }
}

impl Shared {
    /// Returns the store.
    pub(crate) const fn store(&self) -> &Database {
        self.floor.store()
    }

    /// Returns what time it is.
    pub(crate) fn now(&self) -> Time {
        self.clock.now()
    }

    /// Returns a table as it is now.
    ///
    /// If no other node can have changed it, there is no need to ask the store.
    pub(crate) async fn table(&self, name: &str) -> Result<Table, Problem> {
        if !self.store().is_shared()
            && let Some(table) = self.floor.glance(name).await
        {
            return Ok(table);
        }
        match self.floor.table(name).await {
            Ok(table) => Ok(table),
            Err(error) => {
                if error.is_of_table() {
                    self.trouble(name, &error.to_string()).await;
                }
                Err(error.into())
            }
        }
    }

    /// Notes that a table fails by itself, for those who run the place: in the log, as a
    /// significant event, and in their list of tables.
    pub(crate) async fn trouble(&self, table: &str, why: &str) {
        metrics::counter!("croupier_table_failures_total").increment(1);
        let is_news = self.troubles.note(table, why, self.now());
        self.count_troubles();
        if is_news {
            tracing::error!(table, why, "a table fails by itself");
            self.note("table-failed", "server", json!({ "table": table, "why": why })).await;
        }
    }

    /// Forgets that a table fails.
    pub(crate) fn no_trouble(&self, table: &str) {
        self.troubles.clear(table);
        self.count_troubles();
    }

    fn count_troubles(&self) {
        let count = u32::try_from(self.troubles.len()).unwrap_or(u32::MAX);
        metrics::gauge!("croupier_tables_failing").set(count);
    }

    /// Returns the record of a round that is over.
    pub(crate) async fn record(
        &self,
        table: &str,
        round: u64,
    ) -> Result<Option<Arc<str>>, Problem> {
        let key = (table.to_owned(), round);
        if let Some(record) = self.records.get(&key) {
            return Ok(Some(record));
        }
        let Some(record) = self.floor.record(table, round).await? else { return Ok(None) };
        let record: Arc<str> = record.into();
        self.records.insert(key, Arc::clone(&record));
        Ok(Some(record))
    }

    /// Returns a round that is over, told in words, from its record. It is told once, however many
    /// want to hear it.
    pub(crate) fn telling(
        &self,
        table: &Table,
        round: u64,
        record: &str,
    ) -> Result<Arc<RawValue>, Problem> {
        self.tellings.get_or_insert_with(&(table.name().to_owned(), round), || {
            let record = Record::read(record, table.terms().catalog());
            let told = record.and_then(|record| Telling::of(&record)).map_err(|error| {
                tracing::error!(%error, "a round cannot be told");
                Code::Fault
            })?;
            Ok(serde_json::value::to_raw_value(&told).expect("plain data").into())
        })
    }

    /// Writes a significant event down: what kind it is, who brought it about, and whatever else
    /// there is to say. It is done with whether or not it can be written.
    pub(crate) async fn note(&self, kind: &str, who: &str, what: Value) {
        let at = self.now();
        let text = json!({ "at": at, "kind": kind, "who": who, "what": what }).to_string();
        tracing::info!(kind, who, "significant event");
        let key = format!("{:015}-{}", at.as_millis(), chance::name::<12>());
        let (drawer, owner) = (INCIDENTS.to_owned(), kind.to_owned());
        let paper = Paper { drawer, key, owner, at, until: None, text, revision: 0 };
        if let Err(error) = self.store().file(paper).await {
            tracing::error!(%error, kind, "a significant event could not be written");
        }
    }
}
