//! Tables that came to nothing: they are closed if they are still open, and removed after an hour.
//!
//! A paper in a drawer of its own says when a table is to be looked at, and its key begins with
//! that time, so that a node reads what is due and nothing else. Any node may do it, and several at
//! once do no harm.

use std::collections::BTreeSet;
use std::time::Duration;

use croupier_store::{FloorError, Paper, Store, StoreError};
use croupier_table::{Command, Event, Time};

use crate::lobby::is_keyed;
use crate::problem::{Code, Problem};
use crate::room::Shared;
use crate::tables::{self, LISTINGS, OPEN, OPEN_BY_LINK};

/// The drawer of tables that are to be looked at, by the time when.
const UNPLAYED: &str = "unplayed-tables";

/// The drawer of tables that were removed and had been opened under a key.
const REMOVED: &str = "removed-tables";

/// How long it is remembered that the table of a key was removed, in milliseconds: a day.
const REMEMBERED: u32 = 24 * 3_600_000;

/// How many tables are looked at in one go.
const AT_A_TIME: usize = 200;

/// How many are looked at before anything else is tidied up.
const MOST: usize = 4_000;

/// How many entries of a journal are read at a time.
const PAGE: usize = 512;

/// The drawer that says whether the tables of older versions were noted, which had no such papers.
const ADOPTED: &str = "unplayed-tables-adopted";

/// How long a node waits from one page of those to the next.
const PAUSE: Duration = Duration::from_millis(100);

/// Returns the paper that has a new table looked at, to be filed with those that list it.
pub(crate) fn paper(room: &Shared, table: &str, host: &str) -> Paper {
    let due = due_after(room, room.now());
    Paper {
        drawer: UNPLAYED.to_owned(),
        key: key(due, table),
        owner: host.to_owned(),
        at: room.now(),
        until: None,
        text: table.to_owned(),
        revision: 0,
    }
}

fn key(due: Time, table: &str) -> String {
    format!("{:015}-{table}", due.as_millis())
}

fn due_after(room: &Shared, from: Time) -> Time {
    from.after(u32::try_from(room.config.times.unplayed.as_millis()).unwrap_or(u32::MAX))
}

/// Tells whether the table of this name was removed a short time ago.
pub(crate) async fn was_removed(room: &Shared, table: &str) -> Result<bool, Problem> {
    Ok(room.store().paper(REMOVED, table).await?.is_some())
}

/// Has all tables looked at that were opened by older versions, once for each database.
pub(crate) async fn adopt(room: &Shared) -> Result<(), Problem> {
    if room.store().paper(ADOPTED, "all").await?.is_some() {
        return Ok(());
    }
    let mut after = String::new();
    loop {
        let page = room.store().tables(&after, AT_A_TIME).await?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.table);
        let due = room.now();
        let papers = page
            .into_iter()
            .map(|row| Paper { key: key(due, &row.table), ..paper(room, &row.table, "") });
        match room.store().file_all(papers.collect()).await {
            // Another node does the same.
            Ok(()) | Err(StoreError::Taken) => {}
            Err(error) => return Err(error.into()),
        }
        tokio::time::sleep(PAUSE).await;
    }
    let done = Paper { drawer: ADOPTED.to_owned(), key: "all".to_owned(), ..paper(room, "", "") };
    match room.store().file(done).await {
        Ok(_) | Err(StoreError::Taken) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Looks at the tables whose time has come.
pub(crate) async fn sweep(room: &Shared) -> Result<(), Problem> {
    let end = key(room.now(), "");
    for _ in 0..MOST / AT_A_TIME {
        let page = room.store().papers(UNPLAYED, "", AT_A_TIME).await?;
        let due: Vec<Paper> = page.into_iter().take_while(|paper| paper.key < end).collect();
        for paper in &due {
            match look_at(room, paper).await {
                // A table that cannot be read is for an operator to look at, and holds up no other.
                Err(problem) if problem.code == Code::Fault.name() => {
                    tracing::error!(table = paper.text, "a table cannot be read");
                    put_off(room, paper, due_after(room, room.now())).await?;
                }
                looked_at => looked_at?,
            }
        }
        if due.len() < AT_A_TIME {
            return Ok(());
        }
    }
    Ok(())
}

/// Looks at a table: removes it, closes it, or lets it be.
async fn look_at(room: &Shared, paper: &Paper) -> Result<(), Problem> {
    let table = &*paper.text;
    let Some(row) = room.store().table(table).await? else {
        // It was listed and never opened, or a node did not live to finish what follows.
        forget(room, paper).await?;
        return Ok(());
    };
    let is_played = !room.store().rounds_at(table, u64::MAX, 1).await?.is_empty();
    let last = room.store().journal(table, row.version, 1).await?;
    let last = last.first().map_or(paper.at, |entry| entry.at);
    let now = room.now();
    if is_played {
        room.store().discard(UNPLAYED, &paper.key).await?;
    } else if due_after(room, last) > now {
        put_off(room, paper, due_after(room, last)).await?;
    } else if row.closed {
        let players = players(room, table).await?;
        if room.floor.remove_unplayed(table, last).await? {
            for player in players {
                tables::forget_seat(room, &player, table).await?;
            }
            forget(room, paper).await?;
            metrics::counter!("croupier_tables_removed_total").increment(1);
        } else {
            // Money moved there, and its journal tells of it for good.
            room.store().discard(UNPLAYED, &paper.key).await?;
        }
    } else {
        close_if_empty(room, table).await?;
        put_off(room, paper, due_after(room, now)).await?;
    }
    Ok(())
}

/// Has a table looked at again later.
async fn put_off(room: &Shared, paper: &Paper, until: Time) -> Result<(), Problem> {
    let later = Paper { key: key(until, &paper.text), revision: 0, ..paper.clone() };
    match room.store().file(later).await {
        // Another node did the same.
        Ok(_) | Err(StoreError::Taken) => {}
        Err(error) => return Err(error.into()),
    }
    room.store().discard(UNPLAYED, &paper.key).await?;
    Ok(())
}

/// Closes a table without clocks where no player sits: it would stay open for ever.
async fn close_if_empty(room: &Shared, table: &str) -> Result<(), Problem> {
    let open = room.table(table).await?;
    if open.terms().clocks().is_some() || !open.seats().is_empty() {
        return Ok(());
    }
    let close = Command::Close { reason: "no player came".to_owned(), alone: None };
    match room.floor.command(table, close, None, room.now()).await {
        // Another node, or its host, was first.
        Ok(_) | Err(FloorError::Refused(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Returns the players who sat at a table at some time.
async fn players(room: &Shared, table: &str) -> Result<BTreeSet<String>, Problem> {
    let (mut players, mut from) = (BTreeSet::new(), 1);
    loop {
        let page = room.store().journal(table, from, PAGE).await?;
        let Some(last) = page.last() else { return Ok(players) };
        from = last.version + 1;
        for entry in &page {
            if let Ok(Event::PlayerJoined { player, .. }) = Event::read(&entry.body) {
                players.insert(player);
            }
        }
    }
}

/// Discards the papers of a table that is gone. The one that has it looked at goes last: if this is
/// interrupted it is done again.
async fn forget(room: &Shared, paper: &Paper) -> Result<(), Problem> {
    let table = &*paper.text;
    let now = room.now();
    // A name that was drawn is not drawn again. One that comes from a key may be asked for again.
    let removed = Paper {
        drawer: REMOVED.to_owned(),
        key: table.to_owned(),
        at: now,
        until: Some(now.after(REMEMBERED)),
        text: String::new(),
        revision: 0,
        ..paper.clone()
    };
    if is_keyed(table) {
        match room.store().file(removed).await {
            Ok(_) | Err(StoreError::Taken) => {}
            Err(error) => return Err(error.into()),
        }
    }
    for drawer in [LISTINGS, OPEN, OPEN_BY_LINK] {
        room.store().discard(drawer, table).await?;
    }
    room.listings.remove(table);
    room.store().discard(UNPLAYED, &paper.key).await?;
    Ok(())
}
