//! The thread that checkpoints the log into the database.
//!
//! It runs alongside the writer, with its own connection: a checkpoint waits for the disk twice,
//! and callers that wait for a commit should not wait for that too.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

use super::fault::Fault;
use super::reader::no_thread;
use crate::error::StoreError;

/// The size of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Log {
    /// The number of pages in it.
    pub(super) pages: i64,
    /// The number of pages that are in the database as well.
    pub(super) moved: i64,
}

/// Inspects the log, or checkpoints it: `NOOP`, `PASSIVE` or `TRUNCATE`.
pub(super) fn checkpoint(connection: &Connection, how: &str) -> Result<Log, StoreError> {
    let run = || {
        let mut statement = connection.prepare_cached(&format!("PRAGMA wal_checkpoint({how})"))?;
        statement.query_row((), |row| Ok(Log { pages: row.get(1)?, moved: row.get(2)? }))
    };
    run().map_err(|error| Fault::from(error).into())
}

/// A thread that checkpoints on request.
pub(super) struct Checkpointer {
    requests: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    failure: Arc<OnceLock<StoreError>>,
}

impl Checkpointer {
    #[expect(clippy::disallowed_methods, reason = "checkpoints block, so they have a thread")]
    pub(super) fn start(connection: Connection) -> Result<Self, StoreError> {
        // One pending request is enough while a checkpoint runs.
        let (requests, receiver) = sync_channel(1);
        let failure = Arc::new(OnceLock::new());
        let noted = Arc::clone(&failure);
        let builder = thread::Builder::new().name("croupier-wal".to_owned());
        let thread = builder.spawn(move || serve(&connection, &receiver, &noted));
        let thread = thread.map_err(|error| no_thread(&error))?;
        Ok(Self { requests: Some(requests), thread: Some(thread), failure })
    }

    /// Requests a checkpoint, unless one is pending.
    pub(super) fn request(&self) {
        if let Some(requests) = &self.requests {
            // If there is no room, a request is pending; if the thread has stopped, its failure
            // says why.
            requests.try_send(()).ok();
        }
    }

    /// Returns the reason why it has stopped.
    pub(super) fn failure(&self) -> Option<&StoreError> {
        self.failure.get()
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        drop(self.requests.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has already reported it.
            drop(thread.join());
        }
    }
}

fn serve(connection: &Connection, requests: &Receiver<()>, failure: &OnceLock<StoreError>) {
    while requests.recv().is_ok() {
        if let Err(error @ StoreError::Unknown(_)) = checkpoint(connection, "PASSIVE") {
            drop(failure.set(error));
            return;
        }
    }
}
