//! Unplayed tables: they are closed if they are still open, and removed after an hour.
//!
//! A document in a separate collection says when a table is due for a check, and its key begins
//! with that time, so that a node reads only what is due. Any node may do it, and several at once
//! do no harm.

use std::collections::BTreeSet;
use std::time::Duration;

use croupier_store::{
    Collection, Document, DocumentRow, Documents, FloorError, Journals, Rounds, StoreError, Text,
};
use croupier_table::{Event, OperatorCommand, Time};

use crate::background::every;
use crate::http::problem::{Code, Problem};
use crate::lobby::open::is_keyed;
use crate::state::AppState;
use crate::tables::listing::{LISTINGS, OPEN, OPEN_BY_LINK};
use crate::tables::seats;

/// The collection of tables to check, by the time they are due.
const UNPLAYED: Collection<Text> = Collection::new("unplayed-tables");

/// The collection of removed tables that were opened with a key.
const REMOVED: Collection<Text> = Collection::new("removed-tables");

/// How long the removal of a table with a key is remembered, in milliseconds: a day.
const REMEMBERED_MILLIS: u32 = 24 * 3_600_000;

/// How many tables are checked in one batch.
const BATCH: usize = 200;

/// How many are checked before any other cleanup.
const MAX_PER_SWEEP: usize = 4_000;

/// How many entries of a journal are read at a time.
const PAGE: usize = 512;

/// The collection that records whether the tables of older versions, which had no such documents,
/// were added.
const EARLIER_ADDED: Collection<Text> = Collection::new("unplayed-tables-adopted");

/// The pause between pages of those tables.
const PAUSE: Duration = Duration::from_millis(100);

/// Removes unplayed tables at regular intervals.
pub(super) async fn run(state: &AppState) {
    let mut ticks = every(state.config.timeouts.cleanup_interval);
    let mut earlier_added = false;
    loop {
        ticks.tick().await;
        if !earlier_added {
            earlier_added = add_earlier(state).await.is_ok();
        }
        if let Err(problem) = sweep(state).await {
            tracing::warn!(code = problem.code, "tables could not be removed");
        }
    }
}

/// Returns the document that schedules a check of a new table, to be stored with its listing.
pub(crate) fn schedule(state: &AppState, table: &str, host: &str) -> DocumentRow {
    let now = state.now();
    UNPLAYED.row(check_at(due_after(state, now), table, now).owned_by(host))
}

fn check_at(due: Time, table: &str, at: Time) -> Document<Text> {
    Document::plain(key(due, table), at, table)
}

fn key(due: Time, table: &str) -> String {
    format!("{:015}-{table}", due.as_millis())
}

fn due_after(state: &AppState, from: Time) -> Time {
    from.after(u32::try_from(state.config.timeouts.unplayed.as_millis()).unwrap_or(u32::MAX))
}

/// Returns whether the table with this name was removed recently.
pub(crate) async fn was_removed(state: &AppState, table: &str) -> Result<bool, Problem> {
    Ok(REMOVED.get(state.store(), table).await?.is_some())
}

/// Schedules a check of all tables that were opened by older versions, once for each database.
async fn add_earlier(state: &AppState) -> Result<(), Problem> {
    if EARLIER_ADDED.get(state.store(), "all").await?.is_some() {
        return Ok(());
    }
    let mut after = String::new();
    loop {
        let page = state.store().tables(&after, BATCH).await?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.table);
        let now = state.now();
        let checks = page.iter().map(|row| UNPLAYED.row(check_at(now, &row.table, now)));
        match state.store().put_all(checks.collect()).await {
            // Another node does the same.
            Ok(()) | Err(StoreError::Taken) => {}
            Err(error) => return Err(error.into()),
        }
        tokio::time::sleep(PAUSE).await;
    }
    match EARLIER_ADDED.put(state.store(), Document::plain("all", state.now(), "")).await {
        Ok(_) | Err(StoreError::Taken) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Checks the tables that are due.
async fn sweep(state: &AppState) -> Result<(), Problem> {
    let end = key(state.now(), "");
    for _ in 0..MAX_PER_SWEEP / BATCH {
        let page = UNPLAYED.documents(state.store(), "", BATCH).await?;
        let due: Vec<_> = page.into_iter().take_while(|check| check.key < end).collect();
        for check in &due {
            match check_table(state, check).await {
                // A table that cannot be read is for an operator to examine, and does not hold up
                // the others.
                Err(problem) if problem.code == Code::Internal.name() => {
                    tracing::error!(table = check.text(), "a table cannot be read");
                    reschedule(state, check, due_after(state, state.now())).await?;
                }
                checked => checked?,
            }
        }
        if due.len() < BATCH {
            return Ok(());
        }
    }
    Ok(())
}

/// Checks a table: removes it, closes it, or leaves it alone.
async fn check_table(state: &AppState, check: &Document<Text>) -> Result<(), Problem> {
    let table = check.text();
    let Some(row) = state.store().table(table).await? else {
        // It was listed and never opened, or a node died before it could finish the steps below.
        forget_table(state, check).await?;
        return Ok(());
    };
    let is_played = !state.store().rounds_at(table, u64::MAX, 1).await?.is_empty();
    let last = state.store().journal(table, row.version, 1).await?;
    let last = last.first().map_or(check.at, |entry| entry.at);
    let now = state.now();
    if is_played {
        UNPLAYED.delete(state.store(), &check.key).await?;
    } else if due_after(state, last) > now {
        reschedule(state, check, due_after(state, last)).await?;
    } else if row.closed {
        let players = players(state, table).await?;
        if state.floor.remove_unplayed(table, last).await? {
            for player in players {
                seats::forget(state, &player, table).await?;
            }
            forget_table(state, check).await?;
            metrics::counter!("croupier_tables_removed_total").increment(1);
        } else {
            // Money moved there, and its journal is kept permanently.
            UNPLAYED.delete(state.store(), &check.key).await?;
        }
    } else {
        close_if_empty(state, table).await?;
        reschedule(state, check, due_after(state, now)).await?;
    }
    Ok(())
}

/// Schedules another check of a table.
async fn reschedule(state: &AppState, check: &Document<Text>, due: Time) -> Result<(), Problem> {
    let later = check_at(due, check.text(), check.at).owned_by(&*check.owner);
    match UNPLAYED.put(state.store(), later).await {
        // Another node did the same.
        Ok(_) | Err(StoreError::Taken) => {}
        Err(error) => return Err(error.into()),
    }
    UNPLAYED.delete(state.store(), &check.key).await?;
    Ok(())
}

/// Closes a table without clocks and without players: it would stay open forever.
async fn close_if_empty(state: &AppState, table: &str) -> Result<(), Problem> {
    let open = state.table(table).await?;
    if open.terms().clocks().is_some() || !open.seats().is_empty() {
        return Ok(());
    }
    let close = OperatorCommand::Close { reason: "no player came".to_owned(), alone: None }.into();
    match state.floor.command(table, close, None, state.now()).await {
        // Another node or the host closed it first.
        Ok(_) | Err(FloorError::Refused(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Returns all players who ever sat at a table.
async fn players(state: &AppState, table: &str) -> Result<BTreeSet<String>, Problem> {
    let (mut players, mut from) = (BTreeSet::new(), 1);
    loop {
        let page = state.store().journal(table, from, PAGE).await?;
        let Some(last) = page.last() else { return Ok(players) };
        from = last.version + 1;
        for entry in &page {
            if let Ok(Event::PlayerJoined { player, .. }) = Event::read(&entry.body) {
                players.insert(player);
            }
        }
    }
}

/// Deletes the documents of a table that is gone. The one that schedules the check goes last: if
/// this is interrupted, it is done again.
async fn forget_table(state: &AppState, check: &Document<Text>) -> Result<(), Problem> {
    let (table, now) = (check.text(), state.now());
    // A random name is never drawn again. A name derived from a key may be requested again.
    if is_keyed(table) {
        let removed = Document::plain(table, now, "").owned_by(&*check.owner);
        let removed = removed.expiring(now.after(REMEMBERED_MILLIS));
        match REMOVED.put(state.store(), removed).await {
            Ok(_) | Err(StoreError::Taken) => {}
            Err(error) => return Err(error.into()),
        }
    }
    LISTINGS.delete(state.store(), table).await?;
    OPEN.delete(state.store(), table).await?;
    OPEN_BY_LINK.delete(state.store(), table).await?;
    state.listings.remove(table);
    UNPLAYED.delete(state.store(), &check.key).await?;
    Ok(())
}
