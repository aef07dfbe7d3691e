//! Deletes expired data, and cached data that a node no longer needs.

use croupier_store::Documents;

use crate::background::every;
use crate::http::health;
use crate::people::deletion;
use crate::state::AppState;

/// How many expired documents are deleted at a time.
const BATCH: usize = 1_000;

/// Cleans up at regular intervals.
pub(super) async fn run(state: &AppState) {
    let mut ticks = every(state.config.timeouts.cleanup_interval);
    loop {
        ticks.tick().await;
        state.rate_limits.clean_up();
        state.storage.clean_up(state.now());
        health::run_upkeep();
        if let Err(problem) = deletion::finish_all(state).await {
            tracing::warn!(problem.detail, "deletions could not be finished");
        }
        let known = state.floor.evict_idle();
        metrics::gauge!("croupier_tables_known").set(u32::try_from(known).unwrap_or(u32::MAX));
        loop {
            match state.store().expire(state.now(), BATCH).await {
                // More documents may expire between two runs than are deleted at a time.
                Ok(gone) if gone >= BATCH as u64 => {}
                Ok(_) => break,
                Err(error) => {
                    tracing::warn!(%error, "expired documents could not be deleted");
                    break;
                }
            }
        }
    }
}
