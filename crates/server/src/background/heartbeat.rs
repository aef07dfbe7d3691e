//! A heartbeat that checks whether the database accepts writes.
//!
//! A database on a full disk answers every query but takes no wager. So a node writes a little at
//! regular intervals, whether or not it has anything to write, and `/readyz` reports the result.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use croupier_store::{Collection, Document, StoreError, Text};

use crate::random;
use crate::state::AppState;

/// The collection of the test writes.
const HEARTBEATS: Collection<Text> = Collection::new("pulses");

/// How often it writes while all is well, and while it is not.
const HEALTHY_INTERVAL: Duration = Duration::from_secs(10);
const FAILING_INTERVAL: Duration = Duration::from_secs(1);

/// The write timeout. A slower store is as good as gone.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a heartbeat document lasts, in milliseconds. That of a node that has stopped expires.
const LIFETIME_MILLIS: u32 = 120_000;

/// How much is written to check whether there is room again, in bytes: as much as a busy table
/// writes at once. A few bytes might find room when nothing else would.
const PROBE_SIZE: usize = 16 * 1024;

/// Whether the last write succeeded.
#[derive(Debug)]
pub(crate) struct Heartbeat(AtomicBool);

impl Default for Heartbeat {
    fn default() -> Self {
        Self(AtomicBool::new(true))
    }
}

impl Heartbeat {
    /// Returns whether the last write succeeded.
    pub(crate) fn is_healthy(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Records the result of a write, and logs it if it changed.
    fn record(&self, outcome: Result<(), &StoreError>) {
        let was_healthy = self.0.swap(outcome.is_ok(), Ordering::Relaxed);
        match outcome {
            Err(error) if was_healthy => {
                tracing::warn!(%error, "the database cannot be written to");
            }
            Ok(()) if !was_healthy => tracing::info!("the database can be written to again"),
            Ok(()) | Err(_) => {}
        }
    }
}

/// Writes a little, again and again.
pub(super) async fn run(state: &AppState) {
    let (mut key, mut revision) = (random::name::<16>(), 0);
    loop {
        let is_healthy = state.heartbeat.is_healthy();
        let now = state.now();
        let text = if is_healthy { String::new() } else { "-".repeat(PROBE_SIZE) };
        let document = Document::plain(&*key, now, text)
            .expiring(now.after(LIFETIME_MILLIS))
            .replacing(revision);
        let write = HEARTBEATS.put(state.store(), document);
        let written = tokio::time::timeout(WRITE_TIMEOUT, write).await;
        let late = |_| StoreError::Unavailable("timed out".to_owned());
        match written.unwrap_or_else(|elapsed| Err(late(elapsed))) {
            Ok(next) => {
                revision = next;
                state.heartbeat.record(Ok(()));
            }
            // It expired in the meantime, or was written without confirmation.
            Err(StoreError::Conflict | StoreError::Taken) => {
                (key, revision) = (random::name::<16>(), 0);
                continue;
            }
            Err(error) => state.heartbeat.record(Err(&error)),
        }
        let is_healthy = state.heartbeat.is_healthy();
        tokio::time::sleep(if is_healthy { HEALTHY_INTERVAL } else { FAILING_INTERVAL }).await;
    }
}
