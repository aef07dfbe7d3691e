//! The background tasks of a node: it wakes tables at their deadlines, follows tables that are
//! watched here and changed elsewhere, and cleans up.

mod cleanup;
mod follow;
pub(crate) mod heartbeat;
pub(crate) mod retirement;
pub(crate) mod unplayed;
mod wake;

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::time::{MissedTickBehavior, interval};

use crate::people::session;
use crate::state::AppState;
use crate::storage;

/// How often a node sets its clock.
const CLOCK_INTERVAL: Duration = Duration::from_secs(10);

/// How often a node checks whether another process has written to a database that it serves alone.
const OUTSIDE_WRITES_INTERVAL: Duration = Duration::from_millis(250);

/// The delay before a task that panicked is restarted.
const RESTART_DELAY: Duration = Duration::from_secs(1);

/// Runs all background tasks until the server stops.
pub(crate) async fn run(state: AppState) {
    tokio::join!(
        supervise(&state, "waking tables", || wake::run(&state)),
        supervise(&state, "following tables", || follow::run(&state)),
        supervise(&state, "setting the clock", || set_clock(&state)),
        supervise(&state, "cleaning up", || cleanup::run(&state)),
        supervise(&state, "detecting outside writes", || detect_outside_writes(&state)),
        supervise(&state, "checking the database", || heartbeat::run(&state)),
        supervise(&state, "removing tables", || unplayed::run(&state)),
        supervise(&state, "measuring storage", || measure_storage(&state)),
    );
}

/// Runs a task until the server stops, and restarts it if it panics: a node that answers requests
/// but no longer wakes tables would look healthy.
async fn supervise<F: Future<Output = ()>>(state: &AppState, what: &str, task: impl Fn() -> F) {
    loop {
        // A task's state is rebuilt when it restarts.
        let ended = AssertUnwindSafe(task()).catch_unwind();
        let ended = tokio::select! {
            biased;
            () = state.stopping.cancelled() => return,
            ended = ended => ended,
        };
        tracing::error!(what, panicked = ended.is_err(), "a background task ended");
        tokio::time::sleep(RESTART_DELAY).await;
    }
}

fn every(period: Duration) -> tokio::time::Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Detects that `croupier admin` has written to the database: it may have ended sessions that this
/// node has cached.
async fn detect_outside_writes(state: &AppState) {
    let mut ticks = every(OUTSIDE_WRITES_INTERVAL);
    let mut known = None;
    loop {
        ticks.tick().await;
        if state.store().is_shared() {
            continue;
        }
        let version = state.store().external_version().await.ok();
        if version.is_none() || version != known {
            session::clear_cache(state);
        }
        known = version;
    }
}

async fn set_clock(state: &AppState) {
    let mut ticks = every(CLOCK_INTERVAL);
    loop {
        ticks.tick().await;
        if let Err(error) = state.clock.set(state.store()).await {
            tracing::warn!(%error, "the clock could not be set");
        }
    }
}

/// Measures the stored data.
async fn measure_storage(state: &AppState) {
    let mut ticks = every(state.config.timeouts.measure_interval);
    loop {
        ticks.tick().await;
        storage::measure(state).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use croupier_store::{Database, Memory};

    use super::*;
    use crate::config::Config;

    #[tokio::test]
    async fn a_task_that_panics_is_restarted() {
        let store = Database::from(Memory::default());
        let state = AppState::new(store, Config::default()).await.expect("a state");
        let times = AtomicUsize::new(0);
        let task = || async {
            match times.fetch_add(1, Ordering::SeqCst) {
                0 => panic!("a deliberate panic"),
                1 => {}
                _ => state.stopping.cancel(),
            }
        };
        supervise(&state, "trying", task).await;
        assert_eq!(times.load(Ordering::SeqCst), 3);
    }
}
