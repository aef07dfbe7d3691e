//! Players who delete themselves, from the moment they ask until nothing of them is left.
//!
//! A request may die at any point, and other requests of the same player may be under way, on this
//! node or another. So a deletion begins with a mark, and both sides look after they have written:
//!
//! - the deletion files the mark, and *then* looks whether the player sits at a table;
//! - a player who sits down is [written down](tables::note_seat), takes the seat, and *then* it is
//!   [looked](confirm_seat) whether there is a mark, or no player any more.
//!
//! If the seat was taken before the deletion looked, the deletion sees it and is refused. Otherwise
//! the mark was there before the seat was taken, whoever sat down sees it, and the seat is given
//! back. A node that dies in between leaves a mark, and [`finish_all`] goes through those: it
//! finishes what has begun, and for some time after that gives back seats and chips that requests
//! under way have left.

use croupier_rules::Amount;
use croupier_store::{Paper, Store, StoreError};
use croupier_table::{Account, LedgerError, Transfer};
use serde_json::json;

use crate::people::NAMES;
use crate::problem::{Code, Problem};
use crate::room::Shared;
use crate::{attempts, chance, device, session, slots, tables};

/// The drawer of marks, one for each player.
const DEPARTURES: &str = "departures";

/// How long a deletion that was asked for and has not begun is waited for, in milliseconds. No
/// request takes that long.
const ASKED: i64 = 60_000;

/// How long a player who is gone is looked after, in milliseconds. No request takes that long.
const GONE: u32 = 3_600_000;

/// How many marks are read at a time.
const PAGE: usize = 100;

/// How often chips are taken back that others move at the same time.
const ATTEMPTS: usize = 8;

/// How far a deletion has come, as its mark says.
mod stage {
    /// It was asked for, and may be refused.
    pub(super) const ASKED: &str = "asked";
    /// It was refused, or its request died before it began.
    pub(super) const REFUSED: &str = "refused";
    /// It has begun, and will be finished.
    pub(super) const BEGUN: &str = "begun";
    /// The player is gone.
    pub(super) const GONE: &str = "gone";
}

/// Deletes a player, unless they sit at a table.
///
/// # Errors
///
/// [`Code::StillSeated`], when they do; or what keeps the store from being used. What has begun is
/// finished later then.
pub(crate) async fn depart(room: &Shared, player: &str) -> Result<(), Problem> {
    let mark = match room.store().paper(DEPARTURES, player).await? {
        // Another request has begun, and this one does what is left to do.
        Some(known) if known.text == stage::BEGUN || known.text == stage::GONE => known,
        known => {
            let revision = known.map_or(0, |known| known.revision);
            let asked = file(room, player, revision, stage::ASKED).await?;
            if !tables::seats_of(room, player).await?.is_empty() {
                file(room, player, asked.revision, stage::REFUSED).await?;
                return Err(Code::StillSeated.into());
            }
            file(room, player, asked.revision, stage::BEGUN).await?
        }
    };
    finish(room, &mark).await
}

/// Gives a seat that was just taken back, if its player is being deleted, is gone, or is banned.
///
/// # Errors
///
/// When it was given back, or the store fails.
pub(crate) async fn confirm_seat(room: &Shared, player: &str, table: &str) -> Result<(), Problem> {
    let mark = room.store().paper(DEPARTURES, player).await?;
    let departs = mark.is_some_and(|mark| mark.text != stage::REFUSED);
    let why = match crate::people::find(room, player).await {
        _ if departs => Code::SessionOver,
        Ok((_, profile)) if profile.banned.is_some() => Code::Banned,
        Ok(_) => return Ok(()),
        Err(problem) if problem.code == Code::NoSuchPlayer.name() => Code::SessionOver,
        Err(problem) => return Err(problem),
    };
    tables::leave(room, table, player).await?;
    Err(why.into())
}

/// Goes on with all deletions that are not over.
pub(crate) async fn finish_all(room: &Shared) -> Result<(), Problem> {
    let mut after = String::new();
    loop {
        let page = room.store().papers(DEPARTURES, &after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.key);
        for mark in page {
            let player = mark.key.clone();
            let done = match &*mark.text {
                stage::BEGUN => finish(room, &mark).await,
                stage::GONE => look_after(room, &mark).await,
                stage::ASKED if room.now().as_millis() - mark.at.as_millis() > ASKED => {
                    file(room, &player, mark.revision, stage::REFUSED).await.map(|_| ())
                }
                _ => Ok(()),
            };
            match done {
                // Another node, or the request itself, goes on with it.
                Err(problem) if problem.code == Code::Changed.name() => {}
                // One player's deletion must not hold up the next.
                Err(problem) => {
                    tracing::warn!(player, problem.detail, "a deletion could not be finished");
                }
                Ok(()) => {}
            }
        }
    }
}

/// Writes how far a deletion has come over the mark of this revision, and returns the new mark.
async fn file(room: &Shared, player: &str, revision: u64, text: &str) -> Result<Paper, Problem> {
    let (now, name) = (room.now(), player.to_owned());
    let until = match text {
        stage::REFUSED => Some(now),
        stage::GONE => Some(now.after(GONE)),
        _ => None,
    };
    let mark = Paper {
        drawer: DEPARTURES.to_owned(),
        key: name.clone(),
        owner: name,
        at: now,
        until,
        text: text.to_owned(),
        revision,
    };
    let revision = room.store().file(mark.clone()).await?;
    Ok(Paper { revision, ..mark })
}

/// Removes a player and what is theirs. Whatever was done before is found done.
async fn finish(room: &Shared, mark: &Paper) -> Result<(), Problem> {
    let player = &mark.key;
    room.store().forget_choices(player).await?;
    room.store().remove_player(player).await?;
    room.store().discard_of(NAMES, player).await?;
    device::forget_all(room, player).await?;
    attempts::forget(room, player).await?;
    for drawer in [slots::SLOTS, slots::PUBLIC_SLOTS] {
        room.store().discard_of(drawer, player).await?;
    }
    room.names.remove(player);
    session::end_all(room, player).await?;
    give_back(room, player).await?;
    if mark.text != stage::GONE {
        // Of several that come here, one writes it.
        file(room, player, mark.revision, stage::GONE).await?;
        room.note("player-deleted", player, json!({})).await;
    }
    Ok(())
}

/// Gives back what requests under way have left of a player who is gone, and waits for as long as
/// one of their seats has still a round to finish.
async fn look_after(room: &Shared, mark: &Paper) -> Result<(), Problem> {
    let seated = give_back(room, &mark.key).await?;
    let left = mark.until.map_or(0, |until| until.as_millis() - room.now().as_millis());
    if seated && left < i64::from(GONE / 2) {
        file(room, &mark.key, mark.revision, stage::GONE).await?;
    }
    Ok(())
}

/// Leaves all seats of a player, and takes their chips back. Tells whether there was a seat.
async fn give_back(room: &Shared, player: &str) -> Result<bool, Problem> {
    let seats = tables::seats_of(room, player).await?;
    for seat in &seats {
        tables::leave(room, &seat.table, player).await?;
    }
    take_chips_back(room, player).await?;
    session::end_all(room, player).await?;
    Ok(!seats.is_empty())
}

/// Takes a player's chips back to where they came from.
async fn take_chips_back(room: &Shared, player: &str) -> Result<(), Problem> {
    let account = Account::Player(player.to_owned());
    for _ in 0..ATTEMPTS {
        let left: Amount = room.store().balance(&account).await?;
        if !left.is_positive() {
            return Ok(());
        }
        let transfer = Transfer {
            // It may have been done before, and more have come since.
            key: format!("return/{player}/{}", chance::name::<12>()),
            from: account.clone(),
            to: Account::Issue(player.to_owned()),
            amount: left,
        };
        match room.store().transfer(vec![transfer], room.now(), None).await {
            // Another node takes them back at the same time, or a seat has staked them.
            Ok(_) | Err(StoreError::Ledger(LedgerError::Insufficient { .. })) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}
