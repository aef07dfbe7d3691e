//! Closes tables that could not be opened today.

use std::time::Duration;

use croupier_rules::Edition;
use croupier_store::{Collection, StoreError, Text};
use croupier_table::{OperatorCommand, Table};

use crate::lobby::card_room;
use crate::state::AppState;
use crate::tables::listing::{OPEN, OPEN_BY_LINK};

/// The number of tables read at a time.
const PAGE: usize = 100;

/// The time between two checks of all open tables, and the time to a retry if a check failed.
const INTERVAL: Duration = Duration::from_hours(1);
const RETRY_DELAY: Duration = Duration::from_mins(1);

/// Closes tables that could not be opened today: public tables under an earlier edition of the
/// rules or with another pay table than the room uses now, and any table that would pay account
/// chips under a player's own terms. Each finishes its round first.
///
/// It repeats the check periodically: another node may be configured differently, and the database
/// may have been unavailable.
pub(crate) async fn run(state: AppState) {
    loop {
        let pause = match retire_all(&state).await {
            Ok(()) => INTERVAL,
            Err(error) => {
                tracing::error!(%error, "could not check the open tables");
                RETRY_DELAY
            }
        };
        tokio::select! {
            () = state.stopping.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

async fn retire_all(state: &AppState) -> Result<(), StoreError> {
    retire_in(state, OPEN, true).await?;
    retire_in(state, OPEN_BY_LINK, false).await
}

async fn retire_in(
    state: &AppState,
    collection: Collection<Text>,
    public: bool,
) -> Result<(), StoreError> {
    let mut after = String::new();
    loop {
        let page = collection.documents(state.store(), &after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.key);
        for document in page {
            if state.stopping.is_cancelled() {
                return Ok(());
            }
            // A table that cannot be loaded needs an operator's attention.
            let Ok(table) = state.table(&document.key).await else { continue };
            let Some(reason) = reason_to_close(state, &table, public) else { continue };
            let command = OperatorCommand::Close { reason: reason.to_owned(), alone: None }.into();
            match state.floor.command(&document.key, command, None, state.now()).await {
                Ok(_) => tracing::info!(table = document.key, reason, "closing a table"),
                Err(error) => {
                    tracing::warn!(table = document.key, %error, "could not close a table");
                }
            }
        }
    }
}

/// Returns the reason to close a table, if there is one.
fn reason_to_close(state: &AppState, table: &Table, public: bool) -> Option<&'static str> {
    let terms = table.terms();
    if table.is_closed() || table.is_closing() {
        None
    } else if !terms.are_shipped() && terms.practice_chips().is_none() {
        Some("custom terms now use practice chips: open the table again")
    } else if !public {
        None
    } else if terms.house().edition() < Edition::CURRENT {
        Some("the rules have changed: open another table")
    } else {
        card_room::check_public(state, terms)
            .is_err()
            .then_some("the card room's terms have changed")
    }
}
