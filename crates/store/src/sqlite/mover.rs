//! The thread that moves what is in the log to where it belongs.
//!
//! It does so beside the one that writes, with a connection of its own: moving waits for the disk
//! twice, and nobody who waits for a commit should wait for that too.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

use super::fault::Fault;
use super::reader::no_thread;
use crate::store::StoreError;

/// How much there is in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Log {
    /// How many pages it has.
    pub(super) pages: i64,
    /// How many of them are where they belong as well.
    pub(super) moved: i64,
}

/// Looks at the log, or moves what is in it: `NOOP`, `PASSIVE` or `TRUNCATE`.
pub(super) fn checkpoint(connection: &Connection, how: &str) -> Result<Log, StoreError> {
    let run = || {
        let mut statement = connection.prepare_cached(&format!("PRAGMA wal_checkpoint({how})"))?;
        statement.query_row((), |row| Ok(Log { pages: row.get(1)?, moved: row.get(2)? }))
    };
    run().map_err(|error| Fault::from(error).into())
}

/// A thread that moves pages when it is called.
pub(super) struct Mover {
    bell: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    failure: Arc<OnceLock<StoreError>>,
}

impl Mover {
    #[expect(clippy::disallowed_methods, reason = "moving blocks, so it has a thread of its own")]
    pub(super) fn start(connection: Connection) -> Result<Self, StoreError> {
        // Who has been called once more while he works needs no third call.
        let (bell, calls) = sync_channel(1);
        let failure = Arc::new(OnceLock::new());
        let noted = Arc::clone(&failure);
        let builder = thread::Builder::new().name("croupier-move".to_owned());
        let thread = builder.spawn(move || serve(&connection, &calls, &noted));
        let thread = thread.map_err(|error| no_thread(&error))?;
        Ok(Self { bell: Some(bell), thread: Some(thread), failure })
    }

    /// Has it move what is in the log, unless it is about to.
    pub(super) fn call(&self) {
        if let Some(bell) = &self.bell {
            // It is about to, if there is no room for the call; and if it has stopped, its failure
            // says why.
            bell.try_send(()).ok();
        }
    }

    /// Returns why it moves nothing any more.
    pub(super) fn failure(&self) -> Option<&StoreError> {
        self.failure.get()
    }
}

impl Drop for Mover {
    fn drop(&mut self) {
        drop(self.bell.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so already.
            drop(thread.join());
        }
    }
}

fn serve(connection: &Connection, calls: &Receiver<()>, failure: &OnceLock<StoreError>) {
    while calls.recv().is_ok() {
        if let Err(error @ StoreError::Unknown(_)) = checkpoint(connection, "PASSIVE") {
            drop(failure.set(error));
            return;
        }
    }
}
