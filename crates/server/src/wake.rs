//! What a node does without being asked: it wakes tables whose time has come, follows those that
//! are watched here and changed elsewhere, and tidies up.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use croupier_store::Store;
use futures_util::{FutureExt, StreamExt};
use tokio::sync::Semaphore;
use tokio::time::{MissedTickBehavior, interval};

use crate::room::Room;
use crate::{bots, departure, health, pulse, session, storage, unplayed};

/// How often tables are looked for whose time has come.
const WAKE: Duration = Duration::from_millis(50);

/// How long another node leaves a table alone that this one has claimed, in milliseconds.
const LEASE: u32 = 5_000;

/// How many tables are claimed and woken at a time.
const AT_A_TIME: usize = 64;

/// How often a node asks whether others have changed what is watched here.
const FOLLOW: Duration = Duration::from_millis(100);

/// How many of those it reads at once.
const AT_ONCE: usize = 8;

/// How often it sets its clock.
const SET_CLOCK: Duration = Duration::from_secs(10);

/// How much of what has run out it throws away at a time.
const TIDY_MOST: usize = 1_000;

/// How often it looks whether another process has written to a database that it serves from alone.
const NOTICE: Duration = Duration::from_millis(250);

/// How long it waits before it begins again with what panicked.
const AGAIN: Duration = Duration::from_secs(1);

/// Does all of it until the room closes.
pub(crate) async fn run(room: Room) {
    tokio::join!(
        keep_on(&room, "waking", || wake(&room)),
        keep_on(&room, "following", || follow(&room)),
        keep_on(&room, "setting the clock", || set_clock(&room)),
        keep_on(&room, "tidying up", || tidy(&room)),
        keep_on(&room, "noticing", || notice(&room)),
        keep_on(&room, "feeling the pulse", || pulse::feel(&room)),
        keep_on(&room, "removing tables", || remove(&room)),
        keep_on(&room, "measuring", || measure(&room)),
    );
}

/// Does something until the room closes, and begins again if it panics: a node that answers, and
/// wakes no table any more, would look as if it were well.
async fn keep_on<F: Future<Output = ()>>(room: &Room, what: &str, task: impl Fn() -> F) {
    loop {
        // What a task knows is made anew when it begins again.
        let ended = AssertUnwindSafe(task()).catch_unwind();
        let ended = tokio::select! {
            biased;
            () = room.stopping.cancelled() => return,
            ended = ended => ended,
        };
        tracing::error!(what, panicked = ended.is_err(), "what must not end has ended");
        tokio::time::sleep(AGAIN).await;
    }
}

fn every(period: Duration) -> tokio::time::Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

async fn wake(room: &Room) {
    let workers = Arc::new(Semaphore::new(AT_A_TIME));
    let mut ticks = every(WAKE);
    let mut failed = false;
    loop {
        ticks.tick().await;
        loop {
            let free = workers.available_permits();
            if free == 0 {
                break;
            }
            let now = room.now();
            let claimed = match room.store().claim(now, now.after(LEASE), free).await {
                Ok(claimed) => claimed,
                Err(error) => {
                    // Said once, and not twenty times a second for as long as it lasts.
                    if !failed {
                        tracing::warn!(%error, "no tables can be woken");
                    }
                    failed = true;
                    break;
                }
            };
            if failed {
                tracing::info!("tables are woken again");
                failed = false;
            }
            let more = claimed.len() == free;
            for table in claimed {
                // One that fails again and again is left alone for longer than a claim lasts.
                if room.troubles.rests(&table, now) {
                    continue;
                }
                // Each has its worker before more are claimed: nobody else would look after a
                // table that only waits here.
                let Ok(worker) = Arc::clone(&workers).acquire_owned().await else { return };
                let room = room.clone();
                tokio::spawn(async move {
                    look_after(&room, &table).await;
                    drop(worker);
                });
            }
            if !more {
                break;
            }
        }
    }
}

/// Does what is to be done at a table whose time has come. If this node does not live to do it,
/// another will.
async fn look_after(room: &Room, table: &str) {
    let woken = async {
        room.floor.time_out(table, room.now()).await?;
        bots::play(room, table).await
    };
    match AssertUnwindSafe(woken).catch_unwind().await {
        Ok(Ok(())) => room.no_trouble(table),
        Ok(Err(error)) if error.is_of_table() => room.trouble(table, &error.to_string()).await,
        // It is the store that fails, and all tables with it.
        Ok(Err(error)) => tracing::warn!(%error, table, "a table could not be woken"),
        Err(_) => room.trouble(table, "it panicked").await,
    }
    metrics::counter!("croupier_tables_woken_total").increment(1);
}

/// Follows the tables that are watched here. What this node does itself, its watchers know.
async fn follow(room: &Room) {
    let mut ticks = every(FOLLOW);
    loop {
        ticks.tick().await;
        let watched = room.hub.watched();
        if watched.is_empty() || !room.store().is_shared() {
            continue;
        }
        let names = watched.iter().map(|(name, _)| name.clone()).collect();
        let Ok(versions) = room.store().versions(names).await else { continue };
        let known: std::collections::BTreeMap<_, _> = watched.into_iter().collect();
        let news = |(name, version): &(String, u64)| known.get(name) < Some(version);
        // A table that is busy must not hold the news of the others back.
        let news = futures_util::stream::iter(versions.into_iter().filter(news));
        news.for_each_concurrent(AT_ONCE, |(name, _)| async move {
            if let Ok(table) = room.floor.table(&name).await {
                room.hub.show(&table);
            }
        })
        .await;
    }
}

/// Notices when `croupier admin` has written to the database: it may have ended sessions that this
/// node remembers.
async fn notice(room: &Room) {
    let mut ticks = every(NOTICE);
    let mut known = None;
    loop {
        ticks.tick().await;
        if room.store().is_shared() {
            continue;
        }
        let version = room.store().outside_version().await.ok();
        if version.is_none() || version != known {
            session::forget_all(room);
        }
        known = version;
    }
}

async fn set_clock(room: &Room) {
    let mut ticks = every(SET_CLOCK);
    loop {
        ticks.tick().await;
        if let Err(error) = room.clock.set(room.store()).await {
            tracing::warn!(%error, "the clock could not be set");
        }
    }
}

async fn tidy(room: &Room) {
    let mut ticks = every(room.config.times.tidy);
    loop {
        ticks.tick().await;
        room.gate.tidy();
        room.storage.tidy(room.now());
        health::tidy();
        if let Err(problem) = departure::finish_all(room).await {
            tracing::warn!(problem.detail, "deletions could not be finished");
        }
        let known = room.floor.forget_idle();
        metrics::gauge!("croupier_tables_known").set(u32::try_from(known).unwrap_or(u32::MAX));
        loop {
            match room.store().expire(room.now(), TIDY_MOST).await {
                // More may run out in between two times than is thrown away at a time.
                Ok(gone) if gone >= TIDY_MOST as u64 => {}
                Ok(_) => break,
                Err(error) => {
                    tracing::warn!(%error, "what has run out could not be thrown away");
                    break;
                }
            }
        }
    }
}

/// Removes tables that came to nothing.
async fn remove(room: &Room) {
    let mut ticks = every(room.config.times.tidy);
    let mut adopted = false;
    loop {
        ticks.tick().await;
        if !adopted {
            adopted = unplayed::adopt(room).await.is_ok();
        }
        if let Err(problem) = unplayed::sweep(room).await {
            tracing::warn!(code = problem.code, "tables could not be removed");
        }
    }
}

/// Measures what is stored.
async fn measure(room: &Room) {
    let mut ticks = every(room.config.times.measure);
    loop {
        ticks.tick().await;
        storage::measure(room).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use croupier_store::{Database, Memory};

    use super::*;
    use crate::config::Config;

    #[tokio::test]
    async fn what_panics_begins_again() {
        let store = Database::from(Memory::default());
        let room = Room::new(store, Config::default()).await.expect("a room");
        let times = AtomicUsize::new(0);
        let task = || async {
            match times.fetch_add(1, Ordering::SeqCst) {
                0 => panic!("this is what is tried"),
                1 => {}
                _ => room.stopping.cancel(),
            }
        };
        keep_on(&room, "trying", task).await;
        assert_eq!(times.load(Ordering::SeqCst), 3);
    }
}
