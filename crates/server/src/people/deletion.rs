//! Players who delete themselves, from the request until no data of theirs is left.
//!
//! A request may die at any point, and other requests of the same player may be in flight, on this
//! node or another. So a deletion begins with a mark, and both sides write before they read:
//!
//! - the deletion writes the mark, and *then* checks whether the player sits at a table;
//! - the request that seats a player [registers the seat](seats::register), takes it, and *then*
//!   [checks](confirm_seat) whether there is a mark, or whether the player is gone.
//!
//! If the seat was taken before the deletion checked, the deletion sees it and is refused. If not,
//! the mark was there before the seat was taken, the seating request sees it, and the seat is given
//! back. A node that dies in between leaves a mark, and [`finish_all`] processes those marks: it
//! finishes deletions that have begun, and for some time afterward returns seats and chips that
//! requests in flight have left behind.

use croupier_rules::Amount;
use croupier_store::{Accounts, Collection, Document, People, StoreError, Text};
use croupier_table::{Account, LedgerError, Transfer};
use serde_json::json;

use crate::http::problem::{Code, Problem};
use crate::lobby::slots;
use crate::people::names::NAMES;
use crate::people::{attempts, device, profile, session};
use crate::random;
use crate::state::AppState;
use crate::tables::seats;

/// The collection of marks, one for each player.
const DELETIONS: Collection<Text> = Collection::new("departures");

/// How long a requested deletion may take to begin, in milliseconds. No request takes that long.
const REQUEST_MILLIS: i64 = 60_000;

/// How long the leftovers of a deleted player are cleaned up, in milliseconds. No request takes
/// that long.
const CLEANUP_MILLIS: u32 = 3_600_000;

/// The number of marks read at a time.
const PAGE: usize = 100;

/// The number of attempts to take chips back while other requests move them.
const RETURN_ATTEMPTS: usize = 8;

/// The stages of a deletion, as written in its mark.
mod stage {
    /// The deletion was requested, and may be refused.
    pub(super) const ASKED: &str = "asked";
    /// The deletion was refused, or its request died before it began.
    pub(super) const REFUSED: &str = "refused";
    /// The deletion has begun, and will be finished.
    pub(super) const BEGUN: &str = "begun";
    /// The player is gone.
    pub(super) const GONE: &str = "gone";
}

/// Deletes a player, unless they sit at a table.
///
/// # Errors
///
/// [`Code::StillSeated`], when they do; or the error of the store. In that case a deletion that has
/// begun is finished later.
pub(super) async fn delete(state: &AppState, player: &str) -> Result<(), Problem> {
    let mark = match DELETIONS.get(state.store(), player).await? {
        // Another request has begun the deletion, and this one finishes it.
        Some(known) if [stage::BEGUN, stage::GONE].contains(&known.text()) => known,
        known => {
            let revision = known.map_or(0, |known| known.revision);
            let asked = write_mark(state, player, revision, stage::ASKED).await?;
            if !seats::of_player(state, player).await?.is_empty() {
                write_mark(state, player, asked.revision, stage::REFUSED).await?;
                return Err(Code::StillSeated.into());
            }
            write_mark(state, player, asked.revision, stage::BEGUN).await?
        }
    };
    finish(state, &mark).await
}

/// Gives back a seat that was just taken, if its player is being deleted, is gone, or is banned.
///
/// # Errors
///
/// When the seat was given back, or the store fails.
pub(crate) async fn confirm_seat(
    state: &AppState,
    player: &str,
    table: &str,
) -> Result<(), Problem> {
    let mark = DELETIONS.get(state.store(), player).await?;
    let is_deleting = mark.is_some_and(|mark| mark.text() != stage::REFUSED);
    let why = match profile::find(state, player).await {
        _ if is_deleting => Code::SessionOver,
        Ok((_, profile)) if profile.banned.is_some() => Code::Banned,
        Ok(_) => return Ok(()),
        Err(problem) if problem.code == Code::NoSuchPlayer.name() => Code::SessionOver,
        Err(problem) => return Err(problem),
    };
    seats::leave(state, table, player).await?;
    Err(why.into())
}

/// Continues all deletions that are not finished.
pub(crate) async fn finish_all(state: &AppState) -> Result<(), Problem> {
    let mut after = String::new();
    loop {
        let page = DELETIONS.documents(state.store(), &after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.key);
        for mark in page {
            let player = mark.key.clone();
            let done = match mark.text() {
                stage::BEGUN => finish(state, &mark).await,
                stage::GONE => clean_up(state, &mark).await,
                stage::ASKED if state.now().as_millis() - mark.at.as_millis() > REQUEST_MILLIS => {
                    write_mark(state, &player, mark.revision, stage::REFUSED).await.map(|_| ())
                }
                _ => Ok(()),
            };
            match done {
                // Another node, or the request itself, continues it.
                Err(problem) if problem.code == Code::Changed.name() => {}
                // A deletion that fails must not delay the next one.
                Err(problem) => {
                    tracing::warn!(player, problem.detail, "a deletion could not be finished");
                }
                Ok(()) => {}
            }
        }
    }
}

/// Writes the stage of a deletion over the mark of this revision, and returns the new mark.
async fn write_mark(
    state: &AppState,
    player: &str,
    revision: u64,
    text: &str,
) -> Result<Document<Text>, Problem> {
    let now = state.now();
    let until = match text {
        stage::REFUSED => Some(now),
        stage::GONE => Some(now.after(CLEANUP_MILLIS)),
        _ => None,
    };
    let mut mark = Document::plain(player, now, text).owned_by(player).replacing(revision);
    mark.until = until;
    let revision = DELETIONS.put(state.store(), mark.clone()).await?;
    Ok(mark.replacing(revision))
}

/// Removes a player and their data. Every step is idempotent.
async fn finish(state: &AppState, mark: &Document<Text>) -> Result<(), Problem> {
    let player = &mark.key;
    state.store().remove_player(player).await?;
    NAMES.delete_of(state.store(), player).await?;
    device::forget_all(state, player).await?;
    attempts::forget(state, player).await?;
    for collection in [slots::SLOTS, slots::PUBLIC_SLOTS] {
        collection.delete_of(state.store(), player).await?;
    }
    state.names.remove(player);
    session::end_all(state, player).await?;
    return_seats_and_chips(state, player).await?;
    if mark.text() != stage::GONE {
        // If several requests get here, only one of them writes it.
        write_mark(state, player, mark.revision, stage::GONE).await?;
        state.record_incident("player-deleted", player, json!({})).await;
    }
    Ok(())
}

/// Gives back the seats and chips that requests in flight have left to a deleted player, and keeps
/// the mark as long as one of the seats still has a round to finish.
async fn clean_up(state: &AppState, mark: &Document<Text>) -> Result<(), Problem> {
    let seated = return_seats_and_chips(state, &mark.key).await?;
    let left = mark.until.map_or(0, |until| until.as_millis() - state.now().as_millis());
    if seated && left < i64::from(CLEANUP_MILLIS / 2) {
        write_mark(state, &mark.key, mark.revision, stage::GONE).await?;
    }
    Ok(())
}

/// Leaves all seats of a player, and takes their chips back. Returns whether there was a seat.
async fn return_seats_and_chips(state: &AppState, player: &str) -> Result<bool, Problem> {
    let seats = seats::of_player(state, player).await?;
    for seat in &seats {
        seats::leave(state, &seat.table, player).await?;
    }
    return_chips(state, player).await?;
    session::end_all(state, player).await?;
    Ok(!seats.is_empty())
}

/// Takes a player's chips back to where they came from.
async fn return_chips(state: &AppState, player: &str) -> Result<(), Problem> {
    let account = Account::Player(player.to_owned());
    for _ in 0..RETURN_ATTEMPTS {
        let left: Amount = state.store().balance(&account).await?;
        if !left.is_positive() {
            return Ok(());
        }
        let transfer = Transfer {
            // Chips may have been taken back before, and more have arrived since.
            key: format!("return/{player}/{}", random::name::<12>()),
            from: account.clone(),
            to: Account::Issue(player.to_owned()),
            amount: left,
        };
        match state.store().transfer(vec![transfer], state.now(), None).await {
            // Another node takes the chips back at the same time, or a seat has staked them.
            Ok(_) | Err(StoreError::Ledger(LedgerError::Insufficient { .. })) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}
