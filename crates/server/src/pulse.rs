//! Whether the database takes what is written to it.
//!
//! A disk that is full answers every question, and takes no wager. So a node writes a little now
//! and then, whether or not there is anything to write, and `/readyz` tells what came of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use croupier_store::{Paper, Store, StoreError};

use crate::chance;
use crate::room::Room;

/// The drawer of what is written to see whether that works.
const PULSES: &str = "pulses";

/// How often it is tried while all is well, and how often while it is not.
const WELL: Duration = Duration::from_secs(10);
const UNWELL: Duration = Duration::from_secs(1);

/// How long it may take. A store that takes longer is as good as gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// For how many milliseconds a paper is of use. That of a node that has ended goes away.
const LASTS: u32 = 120_000;

/// How much is written to find out whether there is room again, in bytes: as much as a busy table
/// writes at once. A few bytes may find room where nothing else would.
const ROOM: usize = 16 * 1024;

/// Whether the last attempt to write worked out.
#[derive(Debug)]
pub(crate) struct Pulse(AtomicBool);

impl Default for Pulse {
    fn default() -> Self {
        Self(AtomicBool::new(true))
    }
}

impl Pulse {
    /// Tells whether the database took what was written last.
    pub(crate) fn is_felt(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Notes what came of an attempt, and says so if it is news.
    fn note(&self, outcome: Result<(), &StoreError>) {
        let was_felt = self.0.swap(outcome.is_ok(), Ordering::Relaxed);
        match outcome {
            Err(error) if was_felt => tracing::warn!(%error, "the database cannot be written to"),
            Ok(()) if !was_felt => tracing::info!("the database can be written to again"),
            Ok(()) | Err(_) => {}
        }
    }
}

/// Writes a little, again and again.
pub(crate) async fn feel(room: &Room) {
    let (mut key, mut revision) = (chance::name::<16>(), 0);
    loop {
        let is_well = room.pulse.is_felt();
        let now = room.now();
        let paper = Paper {
            drawer: PULSES.to_owned(),
            key: key.clone(),
            owner: String::new(),
            at: now,
            until: Some(now.after(LASTS)),
            text: if is_well { String::new() } else { "-".repeat(ROOM) },
            revision,
        };
        let written = tokio::time::timeout(PATIENCE, room.store().file(paper)).await;
        let late = |_| StoreError::Unavailable("it takes too long".to_owned());
        match written.unwrap_or_else(|elapsed| Err(late(elapsed))) {
            Ok(next) => {
                revision = next;
                room.pulse.note(Ok(()));
            }
            // It was thrown away meanwhile, or written without our being told.
            Err(StoreError::Conflict | StoreError::Taken) => {
                (key, revision) = (chance::name::<16>(), 0);
                continue;
            }
            Err(error) => room.pulse.note(Err(&error)),
        }
        tokio::time::sleep(if room.pulse.is_felt() { WELL } else { UNWELL }).await;
    }
}
