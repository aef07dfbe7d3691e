//! The state of a node, shared by all requests and background tasks.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axum::extract::FromRef;
use croupier_rules::{Catalog, Narration, Record};
use croupier_store::{Database, Document, Floor, StoreError, Timeouts, os_entropy};
use croupier_table::{Table, Time};
use quick_cache::sync::Cache;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::analysis::Solver;
use crate::background::heartbeat::Heartbeat;
use crate::clock::Clock;
use crate::config::Config;
use crate::http::problem::{Code, Problem};
use crate::http::rate_limits::RateLimits;
use crate::operator::reports::incidents::{INCIDENTS, Incident};
use crate::operator::reports::pricing::Theory;
use crate::people::password::Passwords;
use crate::people::session::Session;
use crate::random;
use crate::storage::{self, Storage};
use crate::tables::hub::Hub;
use crate::tables::listing::Listing;
use crate::tables::stacks::CachedStacks;

/// How many round records a node caches. They never change.
const RECORDS: usize = 2_000;

/// How many tellings (rounds in words) a node caches. All clients that watch a table want the last
/// one, and few want any other.
const TELLINGS: usize = 500;

/// How many sessions a node caches.
const SESSIONS: usize = 50_000;

/// How many player names a node caches.
const NAMES: usize = 50_000;

/// How many tables' stacks a node caches.
const STACKS: usize = 10_000;

/// How many table listings a node caches.
const LISTINGS: usize = 10_000;

/// How many solved games a node caches.
const THEORIES: usize = 200;

/// State shared by all requests. It is cheap to clone.
#[derive(Clone)]
pub(crate) struct AppState(Arc<Inner>);

/// The fields of [`AppState`]. Other modules reach them through it, and have no use for this name.
pub(crate) struct Inner {
    pub(crate) floor: Floor<Database>,
    pub(crate) clock: Clock,
    pub(crate) hub: Arc<Hub>,
    pub(crate) config: Config,
    pub(crate) solver: Arc<Solver>,
    pub(crate) rate_limits: RateLimits,
    pub(crate) passwords: Passwords,
    pub(crate) heartbeat: Heartbeat,
    pub(crate) storage: Storage,
    pub(crate) sessions: Cache<String, Arc<Session>>,
    /// How many times sessions were ended on this node.
    pub(crate) sessions_ended: AtomicU64,
    /// How many times a player was given chips on this node, or a balance was corrected.
    pub(crate) grants: AtomicU64,
    /// Player names by id, with the time of the lookup.
    pub(crate) names: Cache<String, (Arc<str>, Time)>,
    /// The stacks at tables, by the table's name.
    pub(crate) stacks: Cache<String, CachedStacks>,
    pub(crate) listings: Cache<String, Arc<Listing>>,
    /// Wakes tables, and knows those that fail on this node.
    pub(crate) table_timeouts: Timeouts,
    /// Solved games, by the version of their rules.
    pub(crate) theories: Cache<String, Theory>,
    /// Held by the report that prices rounds: one at a time.
    pub(crate) pricing_lock: tokio::sync::Mutex<()>,
    /// Cancelled when the server stops.
    pub(crate) stopping: CancellationToken,
    records: Cache<(String, u64), Arc<str>>,
    tellings: Cache<(String, u64), Arc<RawValue>>,
}

impl std::ops::Deref for AppState {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl FromRef<AppState> for Arc<Solver> {
    fn from_ref(state: &AppState) -> Self {
        Arc::clone(&state.solver)
    }
}

impl AppState {
    /// Returns the state of a node over a database.
    pub(crate) async fn new(store: Database, config: Config) -> Result<Self, StoreError> {
        let clock = Clock::new(&store).await?;
        let hub = Arc::new(Hub::default());
        let publisher = Arc::clone(&hub);
        let floor = Floor::new(store, Box::new(os_entropy))
            .with_listener(Box::new(move |update| publisher.publish(update)));
        let state = Self(Arc::new(Inner {
            floor,
            clock,
            hub,
            solver: Arc::new(Solver::new(Arc::new(Catalog::shipped()))),
            rate_limits: RateLimits::new(config.limits),
            passwords: Passwords::new(),
            heartbeat: Heartbeat::default(),
            storage: Storage::new(&config),
            config,
            sessions: Cache::new(SESSIONS),
            sessions_ended: AtomicU64::new(0),
            grants: AtomicU64::new(0),
            names: Cache::new(NAMES),
            stacks: Cache::new(STACKS),
            listings: Cache::new(LISTINGS),
            table_timeouts: Timeouts::default(),
            theories: Cache::new(THEORIES),
            pricing_lock: tokio::sync::Mutex::default(),
            stopping: CancellationToken::new(),
            records: Cache::new(RECORDS),
            tellings: Cache::new(TELLINGS),
        }));
        // The first request already knows whether the storage is full.
        storage::measure(&state).await;
        Ok(state)
    }

    /// Returns the store.
    pub(crate) fn store(&self) -> &Database {
        self.floor.store()
    }

    /// Returns the current time.
    pub(crate) fn now(&self) -> Time {
        self.clock.now()
    }

    /// Returns the current state of a table.
    ///
    /// If no other node can have changed it, the store is not queried.
    pub(crate) async fn table(&self, name: &str) -> Result<Arc<Table>, Problem> {
        if !self.store().is_shared()
            && let Some(table) = self.floor.cached(name).await
        {
            return Ok(table);
        }
        match self.floor.table(name).await {
            Ok(table) => Ok(table),
            Err(error) => {
                if error.is_table_fault() {
                    self.report_failure(name, &error.to_string()).await;
                }
                Err(error.into())
            }
        }
    }

    /// Reports a failing table to the operators: in the log, as a significant event, and in their
    /// list of tables.
    pub(crate) async fn report_failure(&self, table: &str, why: &str) {
        let is_new = self.table_timeouts.failing().record(table, why, self.now());
        self.announce_failure(table, why, is_new).await;
    }

    /// Counts a failure that was recorded, and reports it if it is new.
    pub(crate) async fn announce_failure(&self, table: &str, why: &str, is_new: bool) {
        metrics::counter!("croupier_table_failures_total").increment(1);
        self.count_failures();
        if is_new {
            tracing::error!(table, why, "a table failed");
            self.record_incident("table-failed", "server", json!({ "table": table, "why": why }))
                .await;
        }
    }

    /// Updates the number of failing tables in the metrics.
    pub(crate) fn count_failures(&self) {
        let count = u32::try_from(self.table_timeouts.failing().count()).unwrap_or(u32::MAX);
        metrics::gauge!("croupier_tables_failing").set(count);
    }

    /// Returns the record of a completed round.
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

    /// Returns the telling of a completed round, made from its record. It is made once, however
    /// many clients want it.
    pub(crate) fn telling(
        &self,
        table: &Table,
        round: u64,
        record: &str,
    ) -> Result<Arc<RawValue>, Problem> {
        self.tellings.get_or_insert_with(&(table.name().to_owned(), round), || {
            let record = Record::read(record, table.terms().catalog());
            let telling = record.and_then(|record| Narration::of(&record)).map_err(|error| {
                tracing::error!(%error, "a round cannot be told in words");
                Code::Internal
            })?;
            Ok(serde_json::value::to_raw_value(&telling).expect("plain data").into())
        })
    }

    /// Stores a significant event: its kind, its cause, and further details. A failed write is
    /// logged and not retried.
    pub(crate) async fn record_incident(&self, kind: &str, who: &str, what: Value) {
        let at = self.now();
        let incident = Incident::new(at, kind, who, what);
        tracing::info!(kind, who, "significant event");
        let key = format!("{:015}-{}", at.as_millis(), random::name::<12>());
        let document = Document::json(key, at, &incident).owned_by(kind);
        if let Err(error) = INCIDENTS.put(self.store(), document).await {
            tracing::error!(%error, kind, "a significant event could not be written");
        }
    }
}
