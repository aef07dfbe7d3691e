//! The writer thread.
//!
//! It takes the waiting jobs, runs them in one transaction with a savepoint for each, commits, and
//! only then answers. A job that fails leaves the others alone; when the commit itself fails,
//! nothing of the group has happened, and every caller gets the error.

use std::fs::File;
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::checkpointer::{Checkpointer, Log, checkpoint};
use super::fault::Fault;
use super::reader::no_thread;
use crate::error::StoreError;

/// The most jobs that are committed together.
const GROUP: usize = 128;

/// How many jobs may queue up before the next caller waits to enqueue.
const QUEUE: usize = 1024;

/// How many pages wait in the log before the writer requests a checkpoint.
const REQUEST: i64 = 1_000;

/// The length of the log, in pages, at which the writer checkpoints the last pages itself, if they
/// are few. The log restarts only when all of it is checkpointed, and that never happens in another
/// thread while writes continue.
const LONG: i64 = 8_000;

/// The length at which the writer checkpoints however many pages are left: the checkpointer is
/// behind.
const LONGEST: i64 = 64_000;

type Probe = fn(&'static str);

/// The writer thread and its queue.
pub(super) struct Writer {
    queue: Option<mpsc::Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
    probe: Probe,
    /// Keeps other processes from serving from the database while it is open. It is dropped last. A
    /// guest has none.
    _lock: Option<File>,
}

impl Writer {
    #[expect(clippy::disallowed_methods, reason = "writing blocks, so it has its own thread")]
    pub(super) fn start(
        connection: Connection,
        keeper: Option<(Checkpointer, File)>,
        probe: Probe,
    ) -> Result<Self, StoreError> {
        let (checkpointer, lock) = keeper.unzip();
        let (sender, mut receiver) = mpsc::channel(QUEUE);
        let worker = Worker { connection, checkpointer, probe, stopped: None };
        let builder = thread::Builder::new().name("croupier-write".to_owned());
        let thread = builder.spawn(move || worker.serve(&mut receiver));
        let thread = thread.map_err(|error| no_thread(&error))?;
        Ok(Self { queue: Some(sender), thread: Some(thread), probe, _lock: lock })
    }

    pub(super) const fn probe(&self) -> Probe {
        self.probe
    }

    /// Runs a job, and returns its result once it is durable.
    ///
    /// The job runs even if the caller goes away.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, receiver) = oneshot::channel();
        let job = Box::new(PendingJob { work: Some(work), result: None, answer });
        let stopped =
            || StoreError::Unusable("the writer thread has stopped: reopen the store".to_owned());
        let queue = self.queue.as_ref().ok_or_else(stopped)?;
        queue.send(job).await.map_err(|_| stopped())?;
        let lost = |_| StoreError::Unknown("the writer thread has stopped".to_owned());
        receiver.await.map_err(lost)?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has already reported it.
            drop(thread.join());
        }
    }
}

/// A job with any type of result.
trait Job: Send {
    /// Runs the job, and keeps its result.
    fn run(&mut self, connection: &Connection) -> Result<(), StoreError>;

    /// Sends the caller the job's result, or the error that failed the whole group.
    fn answer(self: Box<Self>, group: Result<(), StoreError>);
}

/// A job that waits for its turn, and its result.
struct PendingJob<T, F> {
    work: Option<F>,
    result: Option<Result<T, StoreError>>,
    answer: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Job for PendingJob<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<T, Fault> + Send,
{
    fn run(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let work = self.work.take().expect("a job runs once");
        let result = work(connection).map_err(StoreError::from);
        let refusal = result.as_ref().err().cloned();
        self.result = Some(result);
        refusal.map_or(Ok(()), Err)
    }

    fn answer(self: Box<Self>, group: Result<(), StoreError>) {
        // A result may depend on another job of the group: if the commit failed, no result stands.
        let answer = match group {
            Ok(()) => self.result.expect("all jobs run before the commit"),
            Err(error) => Err(error),
        };
        // The caller may have gone away.
        drop(self.answer.send(answer));
    }
}

/// The writer thread's state.
struct Worker {
    connection: Connection,
    /// Checkpoints the log. A guest leaves that to the serving process.
    checkpointer: Option<Checkpointer>,
    probe: Probe,
    /// The reason why writing has stopped.
    stopped: Option<StoreError>,
}

impl Worker {
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
        let Self { connection, checkpointer, stopped, .. } = self;
        let is_guest = checkpointer.is_none();
        drop(checkpointer);
        if stopped.is_none() && !is_guest {
            // If this fails, the log is read when the database is opened again.
            drop(checkpoint(&connection, "TRUNCATE"));
        }
    }

    fn write(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        if let Some(why) = &self.stopped {
            return Err(why.clone());
        }
        let outcome = self.transact(group);
        if outcome.is_err() && !self.connection.is_autocommit() {
            // SQLite has often rolled back on its own; if it cannot, the next BEGIN fails.
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
            self.run("SAVEPOINT job")?;
            let result = job.run(&self.connection);
            if self.connection.is_autocommit() {
                // The whole transaction is gone, with the work of the other jobs.
                let why =
                    || StoreError::Unavailable("SQLite rolled back the transaction".to_owned());
                return Err(result.err().unwrap_or_else(why));
            }
            if result.is_err() {
                self.run("ROLLBACK TO job")?;
            }
            self.run("RELEASE job")?;
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

    /// Has the log checkpointed, when it has become long.
    ///
    /// SQLite would do so on its own within a commit, but then the callers that wait for that
    /// commit would wait for this too, and a failure of the disk would go unnoticed.
    fn clean_up(&mut self) {
        let Some(checkpointer) = self.checkpointer.as_ref().filter(|_| self.stopped.is_none())
        else {
            return;
        };
        let outcome = match checkpointer.failure() {
            Some(error) => Err(error.clone()),
            None => checkpoint(&self.connection, "NOOP")
                .and_then(|log| self.move_pages(checkpointer, log)),
        };
        if let Err(error) = outcome {
            self.note(&error);
        }
    }

    fn move_pages(
        &self,
        checkpointer: &Checkpointer,
        Log { pages, moved }: Log,
    ) -> Result<(), StoreError> {
        let waiting = pages - moved;
        if waiting > 0 && (pages >= LONGEST || pages >= LONG && waiting < REQUEST) {
            checkpoint(&self.connection, "PASSIVE")?;
        } else if waiting >= REQUEST {
            checkpointer.request();
        }
        Ok(())
    }

    /// Stops writing when the disk failed to confirm a write. From then on it may confirm data that
    /// it does not have, because the system has dropped the pages it could not write.
    fn note(&mut self, error: &StoreError) {
        if let StoreError::Unknown(why) = error {
            let message = format!(
                "the disk failed to confirm a write ({why}): check it, and reopen the store"
            );
            self.stopped = Some(StoreError::Unusable(message));
        }
    }
}
