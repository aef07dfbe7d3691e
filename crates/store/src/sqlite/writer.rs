//! The thread that writes.
//!
//! It takes what is waiting, does it in one transaction with a savepoint for each piece of work,
//! commits, and only then answers. A piece that is refused leaves the others alone; when the commit
//! itself fails, nothing of the group has happened, and everybody is told so.

use std::fs::File;
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::fault::Fault;
use super::reader::no_thread;
use crate::store::StoreError;

/// How many pieces of work are committed together, at most.
const GROUP: usize = 128;

/// How many may wait to write before whoever comes next waits to ask.
const QUEUE: usize = 1024;

/// How many pages are written to the log before they are moved to where they belong.
const LOG_PAGES: i64 = 1000;

type Probe = fn(&'static str);

/// A thread that writes, and what is waiting for it.
pub(super) struct Writer {
    queue: Option<mpsc::Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
    probe: Probe,
    /// Nobody else writes while this is open. It is the last to go.
    _lock: File,
}

impl Writer {
    #[expect(clippy::disallowed_methods, reason = "writing blocks, so it has a thread of its own")]
    pub(super) fn start(
        connection: Connection,
        lock: File,
        probe: Probe,
    ) -> Result<Self, StoreError> {
        let (sender, mut receiver) = mpsc::channel(QUEUE);
        let mut desk = Desk { connection, probe, stopped: None };
        let builder = thread::Builder::new().name("croupier-write".to_owned());
        let thread = builder.spawn(move || desk.serve(&mut receiver));
        let thread = thread.map_err(|error| no_thread(&error))?;
        Ok(Self { queue: Some(sender), thread: Some(thread), probe, _lock: lock })
    }

    pub(super) const fn probe(&self) -> Probe {
        self.probe
    }

    /// Does a piece of work, and returns what came of it when it can no longer be lost.
    ///
    /// It is done even if nobody waits for the answer any more.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, receiver) = oneshot::channel();
        let job = Box::new(Piece { work: Some(work), result: None, answer });
        let stopped =
            || StoreError::Unusable("the thread that writes has stopped: open it anew".to_owned());
        let queue = self.queue.as_ref().ok_or_else(stopped)?;
        queue.send(job).await.map_err(|_| stopped())?;
        let lost = |_| StoreError::Unknown("the thread that writes has stopped".to_owned());
        receiver.await.map_err(lost)?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so already.
            drop(thread.join());
        }
    }
}

/// A piece of work, whatever comes of it.
trait Job: Send {
    /// Does it, and keeps what came of it.
    fn run(&mut self, connection: &Connection) -> Result<(), StoreError>;

    /// Tells whoever waits what came of it, or why the whole group failed.
    fn answer(self: Box<Self>, group: Result<(), StoreError>);
}

struct Piece<T, F> {
    work: Option<F>,
    result: Option<Result<T, StoreError>>,
    answer: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Job for Piece<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<T, Fault> + Send,
{
    fn run(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let work = self.work.take().expect("work is done once");
        let result = work(connection).map_err(StoreError::from);
        let refusal = result.as_ref().err().cloned();
        self.result = Some(result);
        refusal.map_or(Ok(()), Err)
    }

    fn answer(self: Box<Self>, group: Result<(), StoreError>) {
        // What a piece found may be due to another one of its group: if that did not happen, no
        // answer stands.
        let answer = match group {
            Ok(()) => self.result.expect("all work is done before a group is committed"),
            Err(error) => Err(error),
        };
        // Whoever asked may have gone away.
        drop(self.answer.send(answer));
    }
}

/// What the thread has before it.
struct Desk {
    connection: Connection,
    probe: Probe,
    /// Why nothing is written any more.
    stopped: Option<StoreError>,
}

impl Desk {
    fn serve(&mut self, queue: &mut mpsc::Receiver<Box<dyn Job>>) {
        while let Some(first) = queue.blocking_recv() {
            let mut group = vec![first];
            while group.len() < GROUP
                && let Ok(job) = queue.try_recv()
            {
                group.push(job);
            }
            let outcome = self.write(&mut group);
            for job in group {
                job.answer(outcome.clone());
            }
            self.clean_up();
        }
        if self.stopped.is_none() {
            // If it does not work out, the log is read when the database is opened again.
            drop(self.checkpoint("PRAGMA wal_checkpoint(TRUNCATE)"));
        }
    }

    fn write(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        if let Some(why) = &self.stopped {
            return Err(why.clone());
        }
        let outcome = self.transact(group);
        if outcome.is_err() && !self.connection.is_autocommit() {
            // SQLite has often rolled back by itself; if it cannot, the next BEGIN says so.
            drop(self.run("ROLLBACK"));
        }
        if let Err(error) = &outcome {
            self.note(error);
        }
        outcome
    }

    fn transact(&self, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        (self.probe)("before-begin");
        self.run("BEGIN IMMEDIATE")?;
        for job in group {
            self.run("SAVEPOINT piece")?;
            let result = job.run(&self.connection);
            if self.connection.is_autocommit() {
                // The whole transaction is gone, with what the others had done.
                let why = || StoreError::Unavailable("SQLite gave up the transaction".to_owned());
                return Err(result.err().unwrap_or_else(why));
            }
            if result.is_err() {
                self.run("ROLLBACK TO piece")?;
            }
            self.run("RELEASE piece")?;
        }
        (self.probe)("before-commit");
        self.run("COMMIT")?;
        (self.probe)("after-commit");
        Ok(())
    }

    fn run(&self, sql: &str) -> Result<(), StoreError> {
        let run = || self.connection.prepare_cached(sql)?.execute(());
        run().map(|_| ()).map_err(|error| Fault::from(error).into())
    }

    /// Moves what is in the log to where it belongs, when it has become long.
    ///
    /// SQLite would do so by itself within a commit, but then whoever waits for that commit waits
    /// for this too, and nobody hears of it when the disk fails.
    fn clean_up(&mut self) {
        if self.stopped.is_some() {
            return;
        }
        let outcome = self.checkpoint("PRAGMA wal_checkpoint(NOOP)").and_then(|(pages, moved)| {
            let is_long = pages >= LOG_PAGES && moved < pages;
            if is_long { self.checkpoint("PRAGMA wal_checkpoint(PASSIVE)") } else { Ok((0, 0)) }
        });
        if let Err(error) = outcome {
            self.note(&error);
        }
    }

    /// Returns how many pages the log has, and how many of them have been moved.
    fn checkpoint(&self, sql: &str) -> Result<(i64, i64), StoreError> {
        let run = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.query_row((), |row| Ok((row.get(1)?, row.get(2)?)))
        };
        run().map_err(|error| Fault::from(error).into())
    }

    /// Stops writing when the disk has failed to say whether it has what was written: from then on
    /// it may say yes and be wrong, for the system has forgotten what it did not write.
    fn note(&mut self, error: &StoreError) {
        if let StoreError::Unknown(why) = error {
            let message =
                format!("the disk failed to keep what was written ({why}): check it, open it anew");
            self.stopped = Some(StoreError::Unusable(message));
        }
    }
}
