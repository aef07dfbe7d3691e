//! Wakes tables at their deadlines.

use croupier_store::{DueTable, TimeoutFailure};

use crate::state::AppState;
use crate::tables::bots;

/// Wakes the tables that are due, each in its own task: a slow one does not delay the others.
pub(super) async fn run(state: &AppState) {
    let mut has_failed = false;
    loop {
        let start = |due| drop(tokio::spawn(wake_table(state.clone(), due)));
        let step = state.table_timeouts.step(&state.floor, state.now(), start).await;
        match &step {
            // Logged once, not twenty times a second while it lasts.
            Err(error) if !has_failed => tracing::warn!(%error, "tables cannot be woken"),
            Ok(_) if has_failed => tracing::info!("tables are woken again"),
            Ok(_) | Err(_) => {}
        }
        has_failed = step.is_err();
        tokio::time::sleep(step.unwrap_or_else(|_| state.table_timeouts.interval())).await;
    }
}

/// Does what is due at a table. If this node dies first, another node does it.
async fn wake_table(state: AppState, due: DueTable) {
    let table = due.name().to_owned();
    let play = bots::play(&state, &table);
    let woken = Box::pin(state.table_timeouts.run(&state.floor, due, state.now(), play)).await;
    match woken {
        Ok(()) => state.count_failures(),
        Err(TimeoutFailure { error, is_new }) if error.is_table_fault() => {
            state.announce_failure(&table, &error.to_string(), is_new).await;
        }
        // The store fails, and with it all tables.
        Err(TimeoutFailure { error, .. }) => {
            tracing::warn!(%error, table, "a table could not be woken");
        }
    }
    metrics::counter!("croupier_tables_woken_total").increment(1);
}
