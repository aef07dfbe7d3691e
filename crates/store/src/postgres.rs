//! A store in PostgreSQL, which any number of processes share.
//!
//! No process owns anything: a journal grows only if its last version is the expected one,
//! whichever process appends, and a change that would break a promise violates a constraint of the
//! tables. There are no session locks, no sequences and no notifications, so it works through a
//! proxy that pools connections by transaction, and on databases that only speak PostgreSQL's
//! protocol.
//!
//! A change is sent at once, from `BEGIN` to `COMMIT`. If it is refused, the stored data shows the
//! reason ([`change`]); if the connection breaks, it is sent again, which is safe because nothing
//! can be written twice.

mod accounts;
mod change;
mod documents;
mod fault;
mod journals;
mod migrate;
mod people;
mod rounds;
mod rows;
mod session;
mod statement;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use croupier_table::{Hash, Time, first_hash};
use tokio::time::Instant;
use tokio_postgres::Row;

use crate::commands::Written;
use crate::error::StoreError;
use crate::status::Status;
use change::{Attempt, number};
use fault::Fault;
use session::{Pause, Session};
use statement::Statement;

pub(crate) use migrate::check as check_version;
pub(crate) use session::{broken, config, place};

/// Options for using a PostgreSQL database.
#[derive(Clone, Copy, Debug)]
pub struct PostgresOptions {
    /// The most connections at a time.
    pub connections: usize,
    /// The timeout after which the database counts as unreachable.
    pub timeout: Duration,
    /// A hook that is called as a change progresses: "before-begin", "before-commit",
    /// "after-commit". Tests end the process there.
    pub probe: fn(&'static str),
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self { connections: 16, timeout: Duration::from_secs(5), probe: |_| {} }
    }
}

/// How many journals' last hashes are cached.
const ENDS: usize = 10_000;

/// A store in PostgreSQL.
#[derive(Debug)]
pub struct Postgres {
    session: Session,
    warnings: Vec<String>,
    /// The last known entry of some journals, by table. An entry never changes, so a cached hash
    /// stays correct; it saves a query for the hash that the next entry must come after.
    ends: Mutex<BTreeMap<String, (u64, Hash)>>,
}

impl Postgres {
    /// Connects to a database, and migrates it.
    ///
    /// The address is a URL, `postgres://user:password@host:5432/database`, or a list of settings,
    /// `host=… user=… dbname=…`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] when no server answers, and [`StoreError::Unusable`] when the
    /// address is wrong, the password is refused, or the database belongs to a newer program.
    pub async fn connect(url: &str, options: PostgresOptions) -> Result<Self, StoreError> {
        let mut session = Session::new(url, &options)?;
        let mut client = session.client().await.map_err(Fault::for_reader)?;
        migrate::migrate(&mut client).await?;
        let settings = "SELECT current_setting('synchronous_commit'), current_setting('fsync')";
        let row = client.query_one(settings, &[]).await;
        let row = row.map_err(|error| Fault::of(&error).for_reader())?;
        if rows::get::<&str>(&row, 0)? == "off" {
            session.insist_on_durability();
        }
        let mut warnings = Vec::new();
        if rows::get::<&str>(&row, 1)? == "off" {
            let warning = "fsync is off: if the server's machine crashes, all data may be lost";
            warnings.push(warning.to_owned());
        }
        Ok(Self { session, warnings, ends: Mutex::default() })
    }

    /// Returns warnings about the server for the operator.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Writes a change, or finds out why it failed.
    ///
    /// A change that is known to be impossible is not sent: only the reason is looked up.
    async fn write(
        &self,
        change: &(impl Attempt + Sync),
        possible: bool,
    ) -> Result<Written, StoreError> {
        let statements = change.statements();
        let until = Instant::now() + self.session.timeout();
        let mut pause = Pause::default();
        // Why an earlier attempt may have been written already.
        let mut unsure: Option<String> = None;
        loop {
            let refused = Fault::Refused("another writer was first".to_owned());
            let sent = if possible { self.session.change(&statements).await } else { Err(refused) };
            let fault = match sent {
                Ok(_) => return Ok(Written::Now),
                Err(Fault::Refused(why)) => {
                    match self.find_reason(change, unsure.is_some()).await {
                        // The lost attempt may still arrive, and succeed where this one failed.
                        Ok(Err(StoreError::Ledger(_))) if unsure.is_some() => Fault::Refused(why),
                        Ok(Err(error)) => return Err(error),
                        Ok(Ok(Some(written))) => return Ok(written),
                        // Whether it is possible was checked before another writer's change.
                        Ok(Ok(None)) if !possible => return Err(StoreError::Conflict),
                        // The obstacle is gone, or should never be one.
                        Ok(Ok(None)) => Fault::Refused(why),
                        Err(Fault::Lost(why)) => Fault::Unreachable(why),
                        Err(fault) => fault,
                    }
                }
                Err(fault) => fault,
            };
            if let Fault::Lost(why) = &fault {
                unsure = Some(why.clone());
            }
            let attempts = match fault {
                _ if unsure.is_some() => u32::MAX,
                Fault::Final(_) => 0,
                _ => 6,
            };
            if Instant::now() >= until || !pause.wait(attempts).await {
                return Err(unsure.map_or_else(|| fault.for_writer(), StoreError::Unknown));
            }
        }
    }

    /// Finds out why a change was refused; returns nothing, if the reason is gone.
    async fn find_reason(
        &self,
        change: &(impl Attempt + Sync),
        unsure: bool,
    ) -> Result<Result<Option<Written>, StoreError>, Fault> {
        let answers = self.session.query_snapshot(&change.questions()).await?;
        Ok(change.judge(&answers, unsure))
    }

    /// Returns the hash of an entry, if it exists.
    async fn hash_at(&self, table: &str, version: u64) -> Result<Option<Hash>, StoreError> {
        if version == 0 {
            return Ok(Some(first_hash(table)));
        }
        if let Some(&(known, hash)) = self.ends.lock().expect("no panic in between").get(table)
            && known == version
        {
            return Ok(Some(hash));
        }
        let sql = "SELECT hash FROM journal WHERE table_name = $1 AND version = $2";
        let rows = self.session.ask(Statement::new(sql).with(table).with(number(version))).await?;
        rows.first().map(|row| rows::hash(row, 0)).transpose()
    }

    fn remember(&self, table: &str, end: (u64, Hash)) {
        let mut ends = self.ends.lock().expect("no panic in between");
        if ends.len() >= ENDS {
            ends.clear();
        }
        ends.insert(table.to_owned(), end);
    }

    async fn ask_all<T>(
        &self,
        statement: Statement<'_>,
        read: fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.session.ask(statement).await?.iter().map(read).collect()
    }

    async fn ask_one<T>(
        &self,
        statement: Statement<'_>,
        read: fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        self.session.ask(statement).await?.first().map(read).transpose()
    }

    /// Runs a change of one statement.
    async fn change(&self, statement: Statement<'_>) -> Result<Vec<Row>, StoreError> {
        self.session.change_alone(statement).await.map_err(Fault::for_writer)
    }

    /// Runs a change of one statement, which returns how many rows it changed.
    async fn count(&self, statement: Statement<'_>) -> Result<u64, StoreError> {
        let rows = self.change(statement).await?;
        rows.first().map_or(Ok(0), |row| rows::count(row, 0))
    }
}

const SIZE: &str = "SELECT coalesce(sum(pg_total_relation_size(to_regclass(name))), 0)::bigint
    FROM unnest(ARRAY['players', 'tables', 'journal', 'transfers', 'balances', 'commands',
        'rounds', 'round_seats', 'choices', 'papers']) AS ours (name)";

impl Status for Postgres {
    async fn size(&self) -> Result<u64, StoreError> {
        let size = self.ask_one(Statement::new(SIZE), |row| rows::count(row, 0)).await?;
        Ok(size.unwrap_or(0))
    }

    async fn clock(&self) -> Result<Time, StoreError> {
        let sql = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
        let time = self.ask_one(Statement::new(sql), |row| rows::time(row, 0)).await?;
        time.ok_or_else(|| StoreError::Damaged("the database returned no time".to_owned()))
    }
}
