//! The threads that read.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{mpsc, oneshot};

use super::fault::Fault;
use crate::store::StoreError;

/// How many may wait to read before whoever comes next waits to ask.
const QUEUE: usize = 256;

/// A look at the database, which answers by itself.
type Look = Box<dyn FnOnce(&Connection) + Send>;

/// Some threads that read, each with a connection of its own.
pub(super) struct Readers {
    queue: Option<mpsc::Sender<Look>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    #[expect(clippy::disallowed_methods, reason = "reading blocks, so it has threads of its own")]
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

    /// Looks at the database as it is now. All of one look sees the same moment.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let stopped = || StoreError::Unavailable("a thread that reads has stopped".to_owned());
        let (sender, receiver) = oneshot::channel();
        let look: Look = Box::new(move |connection| {
            let found = at_one_moment(connection, look).map_err(StoreError::from);
            // Whoever asked may have gone away.
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
            // A thread that panicked has said so already.
            drop(thread.join());
        }
    }
}

fn serve(connection: &Connection, queue: &Mutex<mpsc::Receiver<Look>>) {
    loop {
        // The thread that waits for work holds the lock, and the others wait for it.
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

/// Says that the system has no thread to give.
pub(super) fn no_thread(error: &std::io::Error) -> StoreError {
    StoreError::Unavailable(format!("no thread can be started: {error}"))
}
