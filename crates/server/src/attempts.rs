//! Attempts to log in: how many failed, and how long the next one waits.
//!
//! Nothing here locks a name. Failures are counted where they come from, so that they slow down
//! whoever makes them and no one else:
//!
//! - A device that has logged in before, or a session, has a count of its own. Only the person who
//!   has it can make it wait.
//! - Elsewhere, an address has a count for each name that it tries, and one for all names together.
//! - A name that fails often over all addresses makes every address announce itself first: its
//!   first attempt is put off for some seconds, and looked at after that. The wait is bounded, and
//!   no other address can make it longer.
//!
//! All of it is the same whether or not a player has the name. It is in the store, so that all
//! nodes count together, in one paper for an address and one for a name, which expire.

use std::net::IpAddr;

use croupier_store::{Paper, Store, StoreError};
use croupier_table::Time;
use serde::{Deserialize, Serialize};

use crate::problem::{Code, Problem};
use crate::room::Shared;
use crate::session::fingerprint;

/// The drawer of attempts.
const ATTEMPTS: &str = "attempts";

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;

/// How many attempts may fail in a row before the next one waits. Each wait is twice the one before
/// it, from the shortest to the longest.
const FREE: u32 = 3;
const SHORTEST: i64 = 5 * SECOND;
const LONGEST: i64 = 5 * MINUTE;

/// After how long without an attempt those that failed are forgotten.
const FORGOTTEN: i64 = 15 * MINUTE;

/// How many attempts of an address may fail under any names, and after how long one more may.
const ADDRESS_FREE: i64 = 20;
const ADDRESS_EACH: i64 = 30 * SECOND;

/// How many names an address has a count for at a time. The one that was tried longest ago goes
/// first; the count over all names is what stops an attacker from making use of that.
const NAMES: usize = 32;

/// How many attempts may fail under a name, from everywhere, before addresses announce themselves,
/// after how long one of them is forgotten, and how many are counted at most.
const NAME_FREE: i64 = 10;
const NAME_EACH: i64 = MINUTE;
const NAME_MOST: i64 = 30;

/// How long an address that has announced itself waits at most.
const ANNOUNCED: i64 = 10 * SECOND;

/// How often a count is read again because another attempt was counted at the same time.
const TRIES: usize = 64;

/// Attempts in a row that failed, and when the last one was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    failures: u32,
    last: i64,
}

impl Row {
    /// Returns how many milliseconds are left until the next attempt, which is at least this long
    /// after the last.
    fn wait(self, at_least: i64, now: i64) -> i64 {
        let doublings = self.failures.checked_sub(FREE);
        let pause = doublings.map_or(0, |times| (SHORTEST << times.min(20)).min(LONGEST));
        self.last + pause.max(at_least) - now
    }

    const fn is_forgotten(self, now: i64) -> bool {
        self.last + FORGOTTEN <= now
    }

    const fn add(&mut self, now: i64) {
        self.failures = self.failures.saturating_add(1);
        self.last = now;
    }
}

/// Failures that are forgotten one after the other: the time when the last of them will be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Tally(i64);

impl Tally {
    /// Returns how many are not forgotten.
    const fn count(self, each: i64, now: i64) -> i64 {
        let left = self.0 - now;
        if left <= 0 { 0 } else { (left + each - 1) / each }
    }

    fn add(&mut self, each: i64, most: i64, now: i64) {
        self.0 = (self.0.max(now) + each).min(now + most * each);
    }

    const fn take(&mut self, each: i64) {
        self.0 -= each;
    }
}

/// What is known of an address.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct OfAddress {
    all: Tally,
    names: Vec<(String, Row)>,
}

impl OfAddress {
    fn name(&mut self, name: &str) -> Option<&mut Row> {
        self.names.iter_mut().find(|(known, _)| known == name).map(|(_, row)| row)
    }

    fn insert(&mut self, name: &str, row: Row) {
        if self.names.len() >= NAMES
            && let Some((oldest, _)) =
                self.names.iter().enumerate().min_by_key(|(_, (_, row))| row.last)
        {
            self.names.swap_remove(oldest);
        }
        self.names.push((name.to_owned(), row));
    }

    /// Returns until when it is of use.
    fn until(&self) -> i64 {
        let last = self.names.iter().map(|(_, row)| row.last + FORGOTTEN).max();
        last.unwrap_or_default().max(self.all.0)
    }

    /// Counts an attempt as failed, or returns how long it has to wait. Whether anything has
    /// changed is told as well: an address that announces itself is remembered.
    fn admit(&mut self, name: &str, of_name: &OfName, now: i64) -> (Result<(), i64>, bool) {
        let forgiven = of_name.forgiven;
        self.names.retain(|(known, row)| {
            !row.is_forgotten(now) && (known != name || row.last >= forgiven)
        });
        let over = self.all.0 - now - (ADDRESS_FREE - 1) * ADDRESS_EACH;
        if over > 0 {
            return (Err(over), false);
        }
        let delay = of_name.delay(now);
        match self.name(name) {
            Some(row) if row.wait(delay, now) > 0 => return (Err(row.wait(delay, now)), false),
            Some(row) => row.add(now),
            None if delay > 0 => {
                self.insert(name, Row { failures: 0, last: now });
                return (Err(delay), true);
            }
            None => self.insert(name, Row { failures: 1, last: now }),
        }
        self.all.add(ADDRESS_EACH, ADDRESS_FREE, now);
        (Ok(()), true)
    }
}

/// What is known of a name, over all addresses.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct OfName {
    all: Tally,
    /// Failures before this time do not count any more.
    forgiven: i64,
}

impl OfName {
    /// Returns how long an address waits after it has announced itself.
    fn delay(&self, now: i64) -> i64 {
        match self.all.count(NAME_EACH, now) - NAME_FREE {
            over @ 1.. => (SECOND << (over - 1).min(20)).min(ANNOUNCED),
            _ => 0,
        }
    }

    fn until(&self) -> i64 {
        self.all.0.max(self.forgiven + FORGOTTEN)
    }
}

/// Where an attempt comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin<'a> {
    /// A device that has logged in as this player before, by its key.
    Device { player: &'a str, key: &'a str },
    /// A session of this player.
    Session { player: &'a str },
    /// An address that nothing else is known of.
    Address(IpAddr),
}

impl Origin<'_> {
    /// Returns what its failures are found by, and which player the paper goes with.
    fn place(&self) -> (String, &str) {
        match self {
            Self::Device { player, key } => (format!("device/{key}"), player),
            Self::Session { player } => (format!("session/{player}"), player),
            Self::Address(address) => {
                (format!("address/{}", fingerprint(&address.to_string())), "")
            }
        }
    }
}

/// Counts an attempt under a name as failed until it is known that it did not, so that many at once
/// are no more than one after the other. Returns how many have failed in a row where only the
/// player could have made them fail.
///
/// # Errors
///
/// `locked-out`, with the time to wait. Such an attempt is not counted, and makes no wait longer.
pub(crate) async fn admit(room: &Shared, origin: Origin<'_>, name: &str) -> Result<u32, Problem> {
    match origin {
        Origin::Address(_) => admit_address(room, origin, name).await.map(|()| 0),
        Origin::Device { .. } | Origin::Session { .. } => admit_known(room, origin).await,
    }
}

async fn admit_known(room: &Shared, origin: Origin<'_>) -> Result<u32, Problem> {
    for _ in 0..TRIES {
        let now = room.now().as_millis();
        let (found, mut row) = read::<Row>(room, &origin.place().0).await?;
        if row.is_forgotten(now) {
            row = Row::default();
        }
        if row.wait(0, now) > 0 {
            return Err(refused(row.wait(0, now)));
        }
        row.add(now);
        if write(room, origin.place(), found, &row, now + FORGOTTEN).await? {
            return Ok(row.failures);
        }
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}

async fn admit_address(room: &Shared, origin: Origin<'_>, name: &str) -> Result<(), Problem> {
    for _ in 0..TRIES {
        let now = room.now().as_millis();
        let (_, of_name) = read::<OfName>(room, &name_key(name)).await?;
        let (found, mut of_address) = read::<OfAddress>(room, &origin.place().0).await?;
        let (admitted, has_changed) = of_address.admit(name, &of_name, now);
        let until = of_address.until();
        if has_changed && !write(room, origin.place(), found, &of_address, until).await? {
            continue;
        }
        admitted.map_err(refused)?;
        return change_name(room, name, |of_name| of_name.all.add(NAME_EACH, NAME_MOST, now)).await;
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}

/// Takes back an attempt that did not fail: one that succeeded, which ends the row of failures, or
/// one that was not looked at.
pub(crate) async fn take_back(
    room: &Shared,
    origin: Origin<'_>,
    name: &str,
    succeeded: bool,
) -> Result<(), Problem> {
    let Origin::Address(_) = origin else { return take_back_known(room, origin, succeeded).await };
    let (key, _) = origin.place();
    change_name(room, name, |of_name| of_name.all.take(NAME_EACH)).await?;
    for _ in 0..TRIES {
        let (found, mut of_address) = read::<OfAddress>(room, &key).await?;
        of_address.all.take(ADDRESS_EACH);
        if succeeded {
            of_address.names.retain(|(known, _)| known != name);
        } else if let Some(row) = of_address.name(name) {
            row.failures = row.failures.saturating_sub(1);
        }
        let until = of_address.until();
        if write(room, origin.place(), found, &of_address, until).await? {
            break;
        }
    }
    Ok(())
}

async fn take_back_known(
    room: &Shared,
    origin: Origin<'_>,
    succeeded: bool,
) -> Result<(), Problem> {
    let (key, _) = origin.place();
    if succeeded {
        room.store().discard(ATTEMPTS, &key).await?;
        return Ok(());
    }
    let (found, mut row) = read::<Row>(room, &key).await?;
    row.failures = row.failures.saturating_sub(1);
    // If another attempt was counted meanwhile, this one stays counted: it waits a little longer.
    write(room, origin.place(), found, &row, row.last + FORGOTTEN).await?;
    Ok(())
}

/// Forgives a name all failures until now, wherever they came from.
pub(crate) async fn forgive(room: &Shared, name: &str, player: &str) -> Result<(), Problem> {
    room.store().discard_of(ATTEMPTS, player).await?;
    let now = room.now().as_millis();
    change_name(room, &name.to_ascii_lowercase(), |of_name| {
        *of_name = OfName { all: Tally::default(), forgiven: now };
    })
    .await
}

/// Forgets what failed at the devices and sessions of a player.
pub(crate) async fn forget(room: &Shared, player: &str) -> Result<(), Problem> {
    room.store().discard_of(ATTEMPTS, player).await?;
    Ok(())
}

fn name_key(name: &str) -> String {
    format!("name/{name}")
}

/// Changes what is known of a name. If others do the same at that moment, it is not insisted upon:
/// a name that is tried so often is counted often enough, and no attempt is held up by that.
async fn change_name(
    room: &Shared,
    name: &str,
    change: impl FnOnce(&mut OfName),
) -> Result<(), Problem> {
    let (found, mut of_name) = read::<OfName>(room, &name_key(name)).await?;
    change(&mut of_name);
    let until = of_name.until();
    write(room, (name_key(name), ""), found, &of_name, until).await?;
    Ok(())
}

/// Reads a paper, and returns the revision it has. One that cannot be read is as good as none.
async fn read<T>(room: &Shared, key: &str) -> Result<(u64, T), Problem>
where
    T: Default + for<'de> Deserialize<'de>,
{
    let Some(paper) = room.store().paper(ATTEMPTS, key).await? else {
        return Ok((0, T::default()));
    };
    Ok((paper.revision, serde_json::from_str(&paper.text).unwrap_or_default()))
}

/// Writes a paper over the one of a revision, and tells whether that was still there.
async fn write(
    room: &Shared,
    (key, owner): (String, &str),
    revision: u64,
    what: &impl Serialize,
    until: i64,
) -> Result<bool, Problem> {
    let paper = Paper {
        drawer: ATTEMPTS.to_owned(),
        key,
        owner: owner.to_owned(),
        at: room.now(),
        until: Some(Time::from_millis(until)),
        text: serde_json::to_string(what).expect("plain data"),
        revision,
    };
    match room.store().file(paper).await {
        Ok(_) => Ok(true),
        Err(StoreError::Conflict | StoreError::Taken) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Says how long to wait.
fn refused(millis: i64) -> Problem {
    let seconds = (millis.max(1).unsigned_abs()).div_ceil(1_000);
    let unit = if seconds == 1 { "second" } else { "seconds" };
    let words = format!("too many attempts: try again in {seconds} {unit}");
    Problem::new(Code::LockedOut, words).retry_after(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_700_000_000_000;

    /// Tries as soon as it may for some time, and returns when attempts were looked at.
    fn guesses(of_address: &mut OfAddress, names: &[&str], for_how_long: i64) -> Vec<i64> {
        let (mut now, mut looked_at, of_name) = (NOW, Vec::new(), OfName::default());
        while now < NOW + for_how_long {
            let mut next = i64::MAX;
            for name in names {
                match of_address.admit(name, &of_name, now).0 {
                    Ok(()) => {
                        looked_at.push(now);
                        next = 1;
                    }
                    Err(wait) => next = next.min(wait),
                }
            }
            now += next.max(1);
        }
        looked_at
    }

    #[test]
    fn waits_grow_to_their_longest_and_no_further() {
        let waits: Vec<i64> =
            (0..20).map(|failures| Row { failures, last: 0 }.wait(0, 0)).collect();
        assert_eq!(waits[..6], [0, 0, 0, 5_000, 10_000, 20_000]);
        assert!(waits[12..].iter().all(|wait| *wait == LONGEST), "{waits:?}");
        assert_eq!(Row { failures: u32::MAX, last: 0 }.wait(0, 0), LONGEST);
    }

    #[test]
    fn an_address_guesses_a_name_some_three_hundred_times_in_a_day() {
        let looked_at = guesses(&mut OfAddress::default(), &["ann"], 24 * 60 * MINUTE);
        assert!((250..320).contains(&looked_at.len()), "{}", looked_at.len());
    }

    #[test]
    fn an_address_that_tries_many_names_has_twenty_guesses_and_two_a_minute() {
        let names: Vec<String> = (0..2 * NAMES).map(|number| format!("name-{number}")).collect();
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let mut of_address = OfAddress::default();
        let looked_at = guesses(&mut of_address, &names, 60 * MINUTE);
        let most = usize::try_from(ADDRESS_FREE + 60 * MINUTE / ADDRESS_EACH).expect("few");
        assert!((most - 2..=most + 1).contains(&looked_at.len()), "{}", looked_at.len());
        let text = serde_json::to_string(&of_address).expect("plain data");
        assert!(of_address.names.len() <= NAMES && text.len() < 4_000, "{}", text.len());
    }

    #[test]
    fn an_address_that_is_new_to_an_attacked_name_waits_ten_seconds_at_most() {
        let mut of_name = OfName::default();
        for _ in 0..100_000 {
            of_name.all.add(NAME_EACH, NAME_MOST, NOW);
        }
        let mut of_address = OfAddress::default();
        let (admitted, has_changed) = of_address.admit("ann", &of_name, NOW);
        assert_eq!((admitted, has_changed), (Err(ANNOUNCED), true));
        // Whoever does not wait is not made to wait longer.
        let early = of_address.admit("ann", &of_name, NOW + ANNOUNCED - 1);
        assert_eq!(early, (Err(1), false));
        of_name.all.add(NAME_EACH, NAME_MOST, NOW + ANNOUNCED);
        assert_eq!(of_address.admit("ann", &of_name, NOW + ANNOUNCED).0, Ok(()));
        // It is over half an hour after the attack.
        assert_eq!(of_name.delay(NOW + ANNOUNCED + NAME_MOST * NAME_EACH), 0);
    }

    #[tokio::test]
    async fn an_address_that_tries_any_number_of_names_leaves_few_papers() {
        let store = croupier_store::Database::from(croupier_store::Memory::default());
        let room = crate::room::Room::new(store, crate::config::Config::default()).await;
        let room = room.expect("a room");
        let origin = Origin::Address([192, 0, 2, 1].into());
        let mut admitted = 0;
        for number in 0..500 {
            let attempt = admit(&room, origin, &format!("name-{number}")).await;
            admitted += usize::from(attempt.is_ok());
        }
        let papers = room.store().papers(ATTEMPTS, "", 1_000).await.expect("papers");
        assert!(papers.len() <= admitted + 1 && admitted <= 21, "{} {admitted}", papers.len());
        assert!(papers.iter().all(|paper| paper.until.is_some() && paper.text.len() < 4_000));
    }

    #[test]
    fn failures_before_a_name_was_forgiven_do_not_count() {
        let mut of_address = OfAddress::default();
        for _ in 0..FREE {
            assert_eq!(of_address.admit("ann", &OfName::default(), NOW).0, Ok(()));
        }
        assert!(of_address.clone().admit("ann", &OfName::default(), NOW + 1).0.is_err());
        let of_name = OfName { forgiven: NOW + 1, ..OfName::default() };
        assert_eq!(of_address.admit("ann", &of_name, NOW + 1).0, Ok(()));
    }
}
