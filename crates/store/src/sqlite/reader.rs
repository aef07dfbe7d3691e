//! The reader threads.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{mpsc, oneshot};

use super::fault::Fault;
use crate::error::StoreError;

/// How many reads may queue up before the next caller waits to enqueue.
const QUEUE: usize = 256;

/// A read job, which sends its own answer.
type Look = Box<dyn FnOnce(&Connection) + Send>;

/// Reader threads, each with its own connection.
pub(super) struct Readers {
    queue: Option<mpsc::Sender<Look>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    #[expect(clippy::disallowed_methods, reason = "reading blocks, so it has its own threads")]
    pub(super) fn start(connections: Vec<Connection>) -> Result<Self, StoreError> {
        let (sender, receiver) = mpsc::channel(QUEUE);
        let receiver = Arc::new(Mutex::new(receiver));
        let mut readers = Self { queue: Some(sender), threads: Vec::new() };
        for connection in connections {
            let receiver = Arc::clone(&receiver);
            let builder = thread::Builder::new().name("croupier-read".to_owned());
            let thread = builder.spawn(move || serve(&connection, &receiver));
            readers.threads.push(thread.map_err(|error| no_thread(&error))?);
        }
        Ok(readers)
    }

    /// Reads from the database as it is now. All queries of one job see the same snapshot.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let stopped = || StoreError::Unavailable("a reader thread has stopped".to_owned());
        let (sender, receiver) = oneshot::channel();
        let look: Look = Box::new(move |connection| {
            let found = at_one_moment(connection, look).map_err(StoreError::from);
            // The caller may have gone away.
            drop(sender.send(found));
        });
        let queue = self.queue.as_ref().ok_or_else(stopped)?;
        queue.send(look).await.map_err(|_| stopped())?;
        receiver.await.map_err(|_| stopped())?
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        drop(self.queue.take());
        for thread in self.threads.drain(..) {
            // A thread that panicked has already reported it.
            drop(thread.join());
        }
    }
}

fn serve(connection: &Connection, queue: &Mutex<mpsc::Receiver<Look>>) {
    loop {
        // The thread that waits for work holds the lock, and the others wait for the lock.
        let look = queue.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
        match look {
            Some(look) => look(connection),
            None => return,
        }
    }
}

fn at_one_moment<T>(
    connection: &Connection,
    look: impl FnOnce(&Connection) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let deferred = TransactionBehavior::Deferred;
    let moment = rusqlite::Transaction::new_unchecked(connection, deferred)?;
    let found = look(&moment)?;
    moment.finish()?;
    Ok(found)
}

/// Returns the error for a thread that cannot be started.
pub(super) fn no_thread(error: &std::io::Error) -> StoreError {
    StoreError::Unavailable(format!("no thread can be started: {error}"))
}
