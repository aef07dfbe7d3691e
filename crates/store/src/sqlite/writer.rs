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
use super::mover::{Log, Mover, checkpoint};
use super::reader::no_thread;
use crate::store::StoreError;

/// How many pieces of work are committed together, at most.
const GROUP: usize = 128;

/// How many may wait to write before whoever comes next waits to ask.
const QUEUE: usize = 1024;

/// How many pages wait in the log before the mover is called.
const CALL: i64 = 1_000;

/// How many pages the log has before the writer moves the last of them itself, if they are few.
/// The log begins anew only when all of it has been moved, and while it is written to that never
/// happens beside it.
const LONG: i64 = 8_000;

/// How many pages it has before the writer moves them, however many they are: the mover is behind.
const LONGEST: i64 = 64_000;

type Probe = fn(&'static str);

/// A thread that writes, and what is waiting for it.
pub(super) struct Writer {
    queue: Option<mpsc::Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
    probe: Probe,
    /// No other process serves from the database while this is open. It is the last to go. A guest
    /// beside such a process has none.
    _lock: Option<File>,
}

impl Writer {
    #[expect(clippy::disallowed_methods, reason = "writing blocks, so it has a thread of its own")]
    pub(super) fn start(
        connection: Connection,
        keeper: Option<(Mover, File)>,
        probe: Probe,
    ) -> Result<Self, StoreError> {
        let (mover, lock) = keeper.unzip();
        let (sender, mut receiver) = mpsc::channel(QUEUE);
        let desk = Desk { connection, mover, probe, stopped: None };
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
    /// Moves what is in the log. A guest leaves that to the process that it is a guest of.
    mover: Option<Mover>,
    probe: Probe,
    /// Why nothing is written any more.
    stopped: Option<StoreError>,
}

impl Desk {
    fn serve(mut self, queue: &mut mpsc::Receiver<Box<dyn Job>>) {
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
        let Self { connection, mover, stopped, .. } = self;
        let is_guest = mover.is_none();
        drop(mover);
        if stopped.is_none() && !is_guest {
            // If it does not work out, the log is read when the database is opened again.
            drop(checkpoint(&connection, "TRUNCATE"));
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

    /// Has what is in the log moved to where it belongs, when it has become long.
    ///
    /// SQLite would do so by itself within a commit, but then whoever waits for that commit waits
    /// for this too, and nobody hears of it when the disk fails.
    fn clean_up(&mut self) {
        let Some(mover) = self.mover.as_ref().filter(|_| self.stopped.is_none()) else { return };
        let outcome = match mover.failure() {
            Some(error) => Err(error.clone()),
            None => {
                checkpoint(&self.connection, "NOOP").and_then(|log| self.move_pages(mover, log))
            }
        };
        if let Err(error) = outcome {
            self.note(&error);
        }
    }

    fn move_pages(&self, mover: &Mover, Log { pages, moved }: Log) -> Result<(), StoreError> {
        let waiting = pages - moved;
        if waiting > 0 && (pages >= LONGEST || pages >= LONG && waiting < CALL) {
            checkpoint(&self.connection, "PASSIVE")?;
        } else if waiting >= CALL {
            mover.call();
        }
        Ok(())
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
