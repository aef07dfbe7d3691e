//! Access to the database: addresses, connections, transactions.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::str::FromStr;
use std::task::Poll;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime, Timeouts};
use futures_util::future::{MaybeDone, join_all, join3, maybe_done, try_join_all};
use tokio::time::{sleep, timeout};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Config, Error, NoTls, Row};

use super::PostgresOptions;
use super::fault::{Fault, describe};
use super::statement::Statement;
use crate::error::StoreError;

/// Parses an address.
///
/// # Errors
///
/// The problem with it. The address is not repeated, because it may contain a password.
pub(crate) fn config(url: &str) -> Result<Config, StoreError> {
    let wrong = |why: &str| {
        let right = "write postgres://user:password@host:5432/database";
        StoreError::Unusable(format!("the address of the database {why}: {right}"))
    };
    let mut config = Config::from_str(url).map_err(|_| wrong("cannot be read"))?;
    if config.get_hosts().is_empty() {
        return Err(wrong("has no host"));
    }
    if config.get_user().is_none() {
        return Err(wrong("has no user"));
    }
    if config.get_ssl_mode() == SslMode::Require {
        return Err(wrong("asks for TLS, which this program does not support"));
    }
    if config.get_application_name().is_none() {
        config.application_name("croupier");
    }
    Ok(config)
}

/// Describes a database, without the password.
pub(crate) fn place(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(host)) => host.clone(),
        #[cfg(unix)]
        Some(Host::Unix(path)) => path.display().to_string(),
        _ => "?".to_owned(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let database = config.get_dbname().or(config.get_user()).unwrap_or("?");
    format!("the database {database} at {host}:{port}")
}

/// Connections to one database.
#[derive(Clone)]
pub(super) struct Session {
    pool: Pool,
    place: String,
    timeout: Duration,
    probe: fn(&'static str),
    /// The statements that begin a change.
    begin: String,
    /// The statements that begin queries in one snapshot.
    begin_snapshot: String,
}

impl Session {
    /// Prepares connections, without opening one.
    pub(super) fn new(url: &str, options: &PostgresOptions) -> Result<Self, StoreError> {
        let mut config = config(url)?;
        let place = place(&config);
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(options.timeout);
        }
        // A peer that vanishes without a disconnect is noticed no later than a silent one.
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(options.timeout);
        }
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let wait = Some(options.timeout);
        let pool = Pool::builder(Manager::from_config(config, NoTls, recycling))
            .max_size(options.connections.max(1))
            .runtime(Runtime::Tokio1)
            .timeouts(Timeouts { wait, create: wait, recycle: wait })
            .build()
            .map_err(|error| StoreError::Unusable(error.to_string()))?;
        let (timeout, probe) = (options.timeout, options.probe);
        // The server reports a lock timeout before this side gives up and does not know the
        // outcome. Nothing else is limited: a commit that has begun to wait for another server must
        // not be canceled.
        let limit = format!("SET LOCAL lock_timeout = {}", lock_timeout_millis(timeout));
        let begin = format!("BEGIN; {limit}");
        let begin_snapshot = format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {limit}");
        Ok(Self { pool, place, timeout, probe, begin, begin_snapshot })
    }

    /// Returns the timeout of a change.
    pub(super) const fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Makes every change wait until it is on the disk, where the server would not.
    pub(super) fn insist_on_durability(&mut self) {
        self.begin.push_str("; SET LOCAL synchronous_commit = on");
    }

    /// Returns a connection.
    pub(super) async fn client(&self) -> Result<Object, Fault> {
        self.pool.get().await.map_err(|error| self.placed(Fault::of_pool(&error)))
    }

    /// Adds the name of the database to a fault.
    fn placed(&self, fault: Fault) -> Fault {
        let placed = |why: String| format!("{}: {why}", self.place);
        match fault {
            Fault::Unreachable(why) => Fault::Unreachable(placed(why)),
            Fault::Lost(why) => Fault::Lost(placed(why)),
            Fault::Final(StoreError::Unusable(why)) => {
                Fault::Final(StoreError::Unusable(placed(why)))
            }
            fault => fault,
        }
    }

    /// Runs a change in one transaction, and in one round trip if the connection has its statements
    /// prepared: everything is sent at once, and a failure makes the rest fail.
    ///
    /// If this is dropped halfway, either everything is sent or nothing is.
    pub(super) async fn change(
        &self,
        statements: &[Statement<'_>],
    ) -> Result<Vec<Vec<Row>>, Fault> {
        (self.probe)("before-begin");
        let answers = self.transact(&self.begin, statements, self.probe).await?;
        (self.probe)("after-commit");
        Ok(answers)
    }

    /// Runs several queries in one snapshot.
    pub(super) async fn query_snapshot(
        &self,
        statements: &[Statement<'_>],
    ) -> Result<Vec<Vec<Row>>, Fault> {
        self.transact(&self.begin_snapshot, statements, |_| {}).await
    }

    async fn transact(
        &self,
        begin: &str,
        statements: &[Statement<'_>],
        probe: fn(&'static str),
    ) -> Result<Vec<Vec<Row>>, Fault> {
        let client = self.client().await?;
        let prepared = timeout(
            self.timeout,
            try_join_all(statements.iter().map(|statement| client.prepare_cached(statement.sql))),
        );
        let Ok(prepared) = prepared.await else { return Err(self.cancel(client)) };
        let prepared = prepared.map_err(|error| self.fault(Fault::before(&error)))?;
        if client.is_closed() {
            return Err(self.placed(Fault::Unreachable("the connection is closed".to_owned())));
        }
        let values: Vec<_> = statements.iter().map(Statement::values).collect();
        let queries = prepared.iter().zip(&values);
        let queries = queries.map(|(statement, values)| client.query(statement, values));
        probe("before-commit");
        let all = all_or_none(
            client.batch_execute(begin),
            queries,
            || client.batch_execute("COMMIT"),
            || client.batch_execute("ROLLBACK"),
        );
        match timeout(self.timeout, all).await {
            Ok(answers) => answers.map_err(|error| self.fault(Fault::of(&error))),
            Err(_) => Err(self.abandon(client, Fault::Lost)),
        }
    }

    /// Adds the name of the database to a fault, and drops caches that it shows to be out of date.
    fn fault(&self, fault: Fault) -> Fault {
        if matches!(fault, Fault::Stale(_)) {
            // A statement that is out of date on one connection is so on the others, too.
            self.pool.manager().statement_caches.clear();
        }
        self.placed(fault)
    }

    /// Abandons a connection that does not answer: its next user would wait, too.
    fn abandon(&self, client: Object, fault: fn(String) -> Fault) -> Fault {
        drop(Object::take(client));
        self.placed(fault("the server does not answer".to_owned()))
    }

    /// Abandons a connection that does not answer a query. The server is asked to cancel it, too:
    /// otherwise it would collect connections without a client.
    fn cancel(&self, client: Object) -> Fault {
        let (token, longest) = (client.cancel_token(), self.timeout);
        tokio::spawn(async move {
            // If the server does not receive this either, nothing more can be done.
            drop(timeout(longest, token.cancel_query(NoTls)).await);
        });
        self.abandon(client, Fault::Unreachable)
    }

    /// Runs a query.
    pub(super) async fn ask(&self, statement: Statement<'_>) -> Result<Vec<Row>, StoreError> {
        let [rows] = self.ask_each([statement]).await?;
        Ok(rows)
    }

    /// Runs several queries, each no earlier than the one before. A broken connection is replaced
    /// once.
    pub(super) async fn ask_each<const N: usize>(
        &self,
        statements: [Statement<'_>; N],
    ) -> Result<[Vec<Row>; N], StoreError> {
        let answer = match self.try_ask(&statements).await {
            Err(Fault::Lost(_) | Fault::Unreachable(_) | Fault::Busy(_) | Fault::Stale(_)) => {
                self.try_ask(&statements).await
            }
            answer => answer,
        };
        let rows = answer.map_err(Fault::for_reader)?;
        Ok(rows.try_into().expect("as many answers as questions"))
    }

    async fn try_ask(&self, statements: &[Statement<'_>]) -> Result<Vec<Vec<Row>>, Fault> {
        let client = self.client().await?;
        let answer = timeout(self.timeout, async {
            let prepared = statements.iter().map(|statement| client.prepare_cached(statement.sql));
            let prepared = try_join_all(prepared).await?;
            let values: Vec<_> = statements.iter().map(Statement::values).collect();
            let queries = prepared.iter().zip(&values);
            try_join_all(queries.map(|(statement, values)| client.query(statement, values))).await
        });
        match answer.await {
            Ok(answer) => answer.map_err(|error| self.fault(Fault::of(&error))),
            Err(_) => Err(self.cancel(client)),
        }
    }

    /// Runs a change that is idempotent, or whose caller tolerates an unknown outcome.
    pub(super) async fn change_alone(&self, statement: Statement<'_>) -> Result<Vec<Row>, Fault> {
        let statements = [statement];
        let mut pause = Pause::default();
        loop {
            match self.change(&statements).await {
                Ok(mut answers) => return Ok(answers.pop().unwrap_or_default()),
                Err(Fault::Busy(_) | Fault::Stale(_) | Fault::Unreachable(_))
                    if pause.wait(3).await => {}
                Err(fault) => return Err(fault),
            }
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Session").field(&self.place).finish()
    }
}

/// Sends everything at once: the start of a transaction, its queries, and its end. It is committed
/// only if every query could be sent.
///
/// A query may fail before it is sent, because a value does not fit the type that the database has
/// for it by now. The rest must not happen without it.
async fn all_or_none<F, Q, E>(
    begin: F,
    queries: impl Iterator<Item = Q>,
    commit: impl FnOnce() -> E,
    roll_back: impl FnOnce() -> E,
) -> Result<Vec<Vec<Row>>, Error>
where
    F: Future<Output = Result<(), Error>>,
    Q: Future<Output = Result<Vec<Row>, Error>>,
    E: Future<Output = Result<(), Error>>,
{
    let mut begin = pin!(maybe_done(begin));
    let mut queries: Vec<_> = queries.map(|query| Box::pin(maybe_done(query))).collect();
    // Each is sent when it is first polled. This waits for nothing, so a caller that goes away
    // leaves no transaction without an end.
    poll_fn(|context| {
        let _ = begin.as_mut().poll(context);
        for query in &mut queries {
            let _ = query.as_mut().poll(context);
        }
        Poll::Ready(())
    })
    .await;
    let failed = |query: &Pin<Box<MaybeDone<Q>>>| matches!(**query, MaybeDone::Done(Err(_)));
    let fails = matches!(*begin, MaybeDone::Done(Err(_))) || queries.iter().any(failed);
    let end = if fails { roll_back() } else { commit() };
    let ((), _, ended) =
        join3(begin.as_mut(), join_all(queries.iter_mut().map(Pin::as_mut)), end).await;
    // The first failure is the reason for those after it. A commit after a failure is a rollback,
    // and not an error itself.
    begin.take_output().expect("it is done")?;
    let answers = queries.iter_mut().map(|query| query.as_mut().take_output());
    let answers = answers.map(|answer| answer.expect("it is done")).collect::<Result<_, _>>()?;
    ended.map(|()| answers)
}

/// Returns the server's lock timeout, in milliseconds: less than ours.
fn lock_timeout_millis(timeout: Duration) -> u128 {
    (timeout.as_millis() / 2).clamp(1, 1_000_000_000)
}

/// Returns the error for a failed connection outside the pool.
pub(crate) fn broken(place: &str, error: &Error) -> StoreError {
    match Fault::of(error).for_reader() {
        StoreError::Unavailable(_) => {
            StoreError::Unavailable(format!("{place}: {}", describe(error)))
        }
        StoreError::Unusable(why) => StoreError::Unusable(format!("{place}: {why}")),
        error => error,
    }
}

/// The wait between retries, which doubles each time.
#[derive(Debug, Default)]
pub(super) struct Pause {
    attempts: u32,
}

impl Pause {
    const FIRST: Duration = Duration::from_millis(2);

    /// Waits; returns whether there are attempts left, out of this many.
    pub(super) async fn wait(&mut self, most: u32) -> bool {
        if self.attempts >= most {
            return false;
        }
        sleep(Self::FIRST * (1 << self.attempts.min(6))).await;
        self.attempts += 1;
        true
    }
}
