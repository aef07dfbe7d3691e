//! Login attempts: how many failed, and how long the next one must wait.
//!
//! Nothing here locks a name. Failures are counted by origin, so that they slow down the client
//! that makes them and no other client:
//!
//! - A device that has logged in before, or a session, has a count of its own. Only the person who
//!   has it can make it wait.
//! - Otherwise, an address has a count for each name that it tries, and one for all names together.
//! - A name that fails often across all addresses makes every address announce itself first: its
//!   first attempt is refused, and the next is accepted a few seconds later. The wait is bounded,
//!   and no other address can make it longer.
//!
//! All of it is the same whether or not a player has the name. The counts are in the store, so that
//! all nodes share them: one document for an address and one for a name, which expire.

use std::net::IpAddr;

use croupier_store::{Collection, Document, StoreError};
use croupier_table::Time;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::http::problem::{Code, Problem};
use crate::people::session::fingerprint;
use crate::state::AppState;

/// The collection of login attempts, whose contents depend on the origin.
const fn attempts<T>() -> Collection<T> {
    Collection::new("attempts")
}

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;

/// The number of attempts that may fail in a row before the next one must wait. Each wait is twice
/// the previous one, from the shortest to the longest.
const FREE_FAILURES: u32 = 3;
const SHORTEST_WAIT: i64 = 5 * SECOND;
const LONGEST_WAIT: i64 = 5 * MINUTE;

/// The time without an attempt after which failures are forgotten.
const FORGOTTEN_AFTER: i64 = 15 * MINUTE;

/// The number of failures allowed to an address over all names, and the time until one is
/// forgotten.
const ADDRESS_FREE: i64 = 20;
const ADDRESS_DECAY: i64 = 30 * SECOND;

/// The number of names that an address has a count for at a time. The name tried longest ago is
/// dropped first; the count over all names stops an attacker from exploiting that.
const MAX_NAMES: usize = 32;

/// The number of failures under a name, from all addresses, before addresses must announce
/// themselves; how long until one failure is forgotten; and the most that are counted.
const NAME_FREE: i64 = 10;
const NAME_DECAY: i64 = MINUTE;
const NAME_MOST: i64 = 30;

/// The longest wait of an address that has announced itself.
const ANNOUNCED_WAIT: i64 = 10 * SECOND;

/// The number of retries when another attempt is counted at the same time.
const RETRIES: usize = 64;

/// Attempts that failed in a row, and the time of the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct FailureStreak {
    failures: u32,
    last: i64,
}

impl FailureStreak {
    /// Returns the milliseconds left until the next attempt, which is at least this long after the
    /// last.
    fn wait(self, at_least: i64, now: i64) -> i64 {
        let doublings = self.failures.checked_sub(FREE_FAILURES);
        let pause = doublings.map_or(0, |times| (SHORTEST_WAIT << times.min(20)).min(LONGEST_WAIT));
        self.last + pause.max(at_least) - now
    }

    const fn is_forgotten(self, now: i64) -> bool {
        self.last + FORGOTTEN_AFTER <= now
    }

    const fn add_failure(&mut self, now: i64) {
        self.failures = self.failures.saturating_add(1);
        self.last = now;
    }
}

/// Failures that are forgotten one by one: the time when the last of them will be forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct DecayingCount(i64);

impl DecayingCount {
    /// Returns the number of failures that are not yet forgotten.
    const fn count(self, decay: i64, now: i64) -> i64 {
        let left = self.0 - now;
        if left <= 0 { 0 } else { (left + decay - 1) / decay }
    }

    fn add_one(&mut self, decay: i64, most: i64, now: i64) {
        self.0 = (self.0.max(now) + decay).min(now + most * decay);
    }

    const fn remove_one(&mut self, decay: i64) {
        self.0 -= decay;
    }
}

/// The counts of an address.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct AddressFailures {
    all: DecayingCount,
    names: Vec<(String, FailureStreak)>,
}

impl AddressFailures {
    fn name(&mut self, name: &str) -> Option<&mut FailureStreak> {
        self.names.iter_mut().find(|(known, _)| known == name).map(|(_, streak)| streak)
    }

    fn insert(&mut self, name: &str, streak: FailureStreak) {
        if self.names.len() >= MAX_NAMES
            && let Some((oldest, _)) =
                self.names.iter().enumerate().min_by_key(|(_, (_, streak))| streak.last)
        {
            self.names.swap_remove(oldest);
        }
        self.names.push((name.to_owned(), streak));
    }

    /// Returns when the counts expire.
    fn until(&self) -> i64 {
        let last = self.names.iter().map(|(_, streak)| streak.last + FORGOTTEN_AFTER).max();
        last.unwrap_or_default().max(self.all.0)
    }

    /// Counts an attempt as failed, or returns how long it must wait. Also returns whether anything
    /// has changed: an address that announces itself is remembered.
    fn admit(&mut self, name: &str, by_name: &NameFailures, now: i64) -> (Result<(), i64>, bool) {
        let forgiven = by_name.forgiven;
        self.names.retain(|(known, streak)| {
            !streak.is_forgotten(now) && (known != name || streak.last >= forgiven)
        });
        let over = self.all.0 - now - (ADDRESS_FREE - 1) * ADDRESS_DECAY;
        if over > 0 {
            return (Err(over), false);
        }
        let delay = by_name.delay(now);
        match self.name(name) {
            Some(streak) if streak.wait(delay, now) > 0 => {
                return (Err(streak.wait(delay, now)), false);
            }
            Some(streak) => streak.add_failure(now),
            None if delay > 0 => {
                self.insert(name, FailureStreak { failures: 0, last: now });
                return (Err(delay), true);
            }
            None => self.insert(name, FailureStreak { failures: 1, last: now }),
        }
        self.all.add_one(ADDRESS_DECAY, ADDRESS_FREE, now);
        (Ok(()), true)
    }
}

/// The counts of a name, across all addresses.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct NameFailures {
    all: DecayingCount,
    /// Failures before this time no longer count.
    forgiven: i64,
}

impl NameFailures {
    /// Returns how long an address must wait after it has announced itself.
    fn delay(&self, now: i64) -> i64 {
        match self.all.count(NAME_DECAY, now) - NAME_FREE {
            over @ 1.. => (SECOND << (over - 1).min(20)).min(ANNOUNCED_WAIT),
            _ => 0,
        }
    }

    fn until(&self) -> i64 {
        self.all.0.max(self.forgiven + FORGOTTEN_AFTER)
    }
}

/// Where an attempt comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin<'a> {
    /// A device that has logged in as this player before, by its key.
    Device { player: &'a str, key: &'a str },
    /// A session of this player.
    Session { player: &'a str },
    /// An address, if there is neither a known device nor a session.
    Address(IpAddr),
}

impl Origin<'_> {
    /// Returns the key of the document with its failures, and the player who owns the document.
    fn key_and_owner(&self) -> (String, &str) {
        match self {
            Self::Device { player, key } => (format!("device/{key}"), player),
            Self::Session { player } => (format!("session/{player}"), player),
            Self::Address(address) => {
                (format!("address/{}", fingerprint(&address.to_string())), "")
            }
        }
    }
}

/// Counts an attempt under a name as failed until it succeeds, so that concurrent attempts get no
/// more guesses than sequential ones. Returns the number of failures in a row for a device or a
/// session, where only the player can fail.
///
/// # Errors
///
/// `locked-out`, with the time to wait. Such an attempt is not counted, and makes no wait longer.
pub(crate) async fn admit(
    state: &AppState,
    origin: Origin<'_>,
    name: &str,
) -> Result<u32, Problem> {
    match origin {
        Origin::Address(_) => admit_address(state, origin, name).await.map(|()| 0),
        Origin::Device { .. } | Origin::Session { .. } => admit_known_origin(state, origin).await,
    }
}

async fn admit_known_origin(state: &AppState, origin: Origin<'_>) -> Result<u32, Problem> {
    for _ in 0..RETRIES {
        let now = state.now().as_millis();
        let (found, mut streak) = read::<FailureStreak>(state, &origin.key_and_owner().0).await?;
        if streak.is_forgotten(now) {
            streak = FailureStreak::default();
        }
        if streak.wait(0, now) > 0 {
            return Err(refused(streak.wait(0, now)));
        }
        streak.add_failure(now);
        if write(state, origin.key_and_owner(), found, &streak, now + FORGOTTEN_AFTER).await? {
            return Ok(streak.failures);
        }
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}

async fn admit_address(state: &AppState, origin: Origin<'_>, name: &str) -> Result<(), Problem> {
    for _ in 0..RETRIES {
        let now = state.now().as_millis();
        let (_, by_name) = read::<NameFailures>(state, &name_key(name)).await?;
        let (found, mut by_address) =
            read::<AddressFailures>(state, &origin.key_and_owner().0).await?;
        let (admitted, has_changed) = by_address.admit(name, &by_name, now);
        let until = by_address.until();
        if has_changed && !write(state, origin.key_and_owner(), found, &by_address, until).await? {
            continue;
        }
        admitted.map_err(refused)?;
        return change_name(state, name, |by_name| by_name.all.add_one(NAME_DECAY, NAME_MOST, now))
            .await;
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}

/// Takes back an attempt that did not fail: one that succeeded, which ends the streak of failures,
/// or one whose password was never checked.
pub(crate) async fn take_back(
    state: &AppState,
    origin: Origin<'_>,
    name: &str,
    succeeded: bool,
) -> Result<(), Problem> {
    let Origin::Address(_) = origin else { return take_back_known(state, origin, succeeded).await };
    let (key, _) = origin.key_and_owner();
    change_name(state, name, |by_name| by_name.all.remove_one(NAME_DECAY)).await?;
    for _ in 0..RETRIES {
        let (found, mut by_address) = read::<AddressFailures>(state, &key).await?;
        by_address.all.remove_one(ADDRESS_DECAY);
        if succeeded {
            by_address.names.retain(|(known, _)| known != name);
        } else if let Some(streak) = by_address.name(name) {
            streak.failures = streak.failures.saturating_sub(1);
        }
        let until = by_address.until();
        if write(state, origin.key_and_owner(), found, &by_address, until).await? {
            break;
        }
    }
    Ok(())
}

async fn take_back_known(
    state: &AppState,
    origin: Origin<'_>,
    succeeded: bool,
) -> Result<(), Problem> {
    let (key, _) = origin.key_and_owner();
    if succeeded {
        attempts::<FailureStreak>().delete(state.store(), &key).await?;
        return Ok(());
    }
    let (found, mut streak) = read::<FailureStreak>(state, &key).await?;
    streak.failures = streak.failures.saturating_sub(1);
    // If another attempt was counted meanwhile, this one stays counted: the wait is a bit longer.
    write(state, origin.key_and_owner(), found, &streak, streak.last + FORGOTTEN_AFTER).await?;
    Ok(())
}

/// Clears all failures of a name until now, from all origins.
pub(crate) async fn forgive(state: &AppState, name: &str, player: &str) -> Result<(), Problem> {
    attempts::<FailureStreak>().delete_of(state.store(), player).await?;
    let now = state.now().as_millis();
    change_name(state, &name.to_ascii_lowercase(), |by_name| {
        *by_name = NameFailures { all: DecayingCount::default(), forgiven: now };
    })
    .await
}

/// Deletes the failures of a player's devices and sessions.
pub(crate) async fn forget(state: &AppState, player: &str) -> Result<(), Problem> {
    attempts::<FailureStreak>().delete_of(state.store(), player).await?;
    Ok(())
}

fn name_key(name: &str) -> String {
    format!("name/{name}")
}

/// Updates the counts of a name. A conflict with another update is not retried: a name that is
/// tried so often is counted often enough, and no attempt is delayed by it.
async fn change_name(
    state: &AppState,
    name: &str,
    change: impl FnOnce(&mut NameFailures),
) -> Result<(), Problem> {
    let (found, mut by_name) = read::<NameFailures>(state, &name_key(name)).await?;
    change(&mut by_name);
    let until = by_name.until();
    write(state, (name_key(name), ""), found, &by_name, until).await?;
    Ok(())
}

/// Reads a document and its revision. A document that cannot be parsed counts as missing.
async fn read<T>(state: &AppState, key: &str) -> Result<(u64, T), Problem>
where
    T: Default + Serialize + DeserializeOwned,
{
    let Some(document) = attempts::<T>().get(state.store(), key).await? else {
        return Ok((0, T::default()));
    };
    Ok((document.revision, document.contents().unwrap_or_default()))
}

/// Writes a document over this revision, and tells whether the revision was still current.
async fn write<T>(
    state: &AppState,
    (key, owner): (String, &str),
    revision: u64,
    failures: &T,
    until: i64,
) -> Result<bool, Problem>
where
    T: Serialize + DeserializeOwned,
{
    let document = Document::json(key, state.now(), failures)
        .owned_by(owner)
        .expiring(Time::from_millis(until))
        .replacing(revision);
    match attempts::<T>().put(state.store(), document).await {
        Ok(_) => Ok(true),
        Err(StoreError::Conflict | StoreError::Taken) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns the problem that says how long to wait.
fn refused(millis: i64) -> Problem {
    let seconds = (millis.max(1).unsigned_abs()).div_ceil(1_000);
    let unit = if seconds == 1 { "second" } else { "seconds" };
    let detail = format!("too many attempts: try again in {seconds} {unit}");
    Problem::new(Code::LockedOut, detail).retry_after(seconds)
}

#[cfg(test)]
mod tests {
    use croupier_store::Documents;

    use super::*;

    const NOW: i64 = 1_700_000_000_000;

    /// Tries as often as allowed for some time, and returns when attempts were accepted.
    fn guesses(by_address: &mut AddressFailures, names: &[&str], for_how_long: i64) -> Vec<i64> {
        let (mut now, mut accepted, by_name) = (NOW, Vec::new(), NameFailures::default());
        while now < NOW + for_how_long {
            let mut next = i64::MAX;
            for name in names {
                match by_address.admit(name, &by_name, now).0 {
                    Ok(()) => {
                        accepted.push(now);
                        next = 1;
                    }
                    Err(wait) => next = next.min(wait),
                }
            }
            now += next.max(1);
        }
        accepted
    }

    #[test]
    fn waits_double_up_to_the_longest() {
        let waits: Vec<i64> =
            (0..20).map(|failures| FailureStreak { failures, last: 0 }.wait(0, 0)).collect();
        assert_eq!(waits[..6], [0, 0, 0, 5_000, 10_000, 20_000]);
        assert!(waits[12..].iter().all(|wait| *wait == LONGEST_WAIT), "{waits:?}");
        assert_eq!(FailureStreak { failures: u32::MAX, last: 0 }.wait(0, 0), LONGEST_WAIT);
    }

    #[test]
    fn an_address_gets_about_three_hundred_guesses_a_day_at_one_name() {
        let accepted = guesses(&mut AddressFailures::default(), &["ann"], 24 * 60 * MINUTE);
        assert!((250..320).contains(&accepted.len()), "{}", accepted.len());
    }

    #[test]
    fn an_address_that_tries_many_names_gets_twenty_guesses_then_two_a_minute() {
        let names: Vec<String> =
            (0..2 * MAX_NAMES).map(|number| format!("name-{number}")).collect();
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let mut by_address = AddressFailures::default();
        let accepted = guesses(&mut by_address, &names, 60 * MINUTE);
        let most = usize::try_from(ADDRESS_FREE + 60 * MINUTE / ADDRESS_DECAY).expect("few");
        assert!((most - 2..=most + 1).contains(&accepted.len()), "{}", accepted.len());
        let text = serde_json::to_string(&by_address).expect("plain data");
        assert!(by_address.names.len() <= MAX_NAMES && text.len() < 4_000, "{}", text.len());
    }

    #[test]
    fn an_address_that_is_new_to_an_attacked_name_waits_at_most_ten_seconds() {
        let mut by_name = NameFailures::default();
        for _ in 0..100_000 {
            by_name.all.add_one(NAME_DECAY, NAME_MOST, NOW);
        }
        let mut by_address = AddressFailures::default();
        let (admitted, has_changed) = by_address.admit("ann", &by_name, NOW);
        assert_eq!((admitted, has_changed), (Err(ANNOUNCED_WAIT), true));
        // An attempt that comes too early does not extend the wait.
        let early = by_address.admit("ann", &by_name, NOW + ANNOUNCED_WAIT - 1);
        assert_eq!(early, (Err(1), false));
        by_name.all.add_one(NAME_DECAY, NAME_MOST, NOW + ANNOUNCED_WAIT);
        assert_eq!(by_address.admit("ann", &by_name, NOW + ANNOUNCED_WAIT).0, Ok(()));
        // The delay ends half an hour after the attack.
        assert_eq!(by_name.delay(NOW + ANNOUNCED_WAIT + NAME_MOST * NAME_DECAY), 0);
    }

    #[tokio::test]
    async fn an_address_that_tries_any_number_of_names_leaves_few_documents() {
        let store = croupier_store::Database::from(croupier_store::Memory::default());
        let state = AppState::new(store, crate::config::Config::default()).await;
        let state = state.expect("a state");
        let origin = Origin::Address([192, 0, 2, 1].into());
        let mut admitted = 0;
        for number in 0..500 {
            let attempt = admit(&state, origin, &format!("name-{number}")).await;
            admitted += usize::from(attempt.is_ok());
        }
        let documents = state.store().documents("attempts", "", 1_000).await.expect("documents");
        assert!(
            documents.len() <= admitted + 1 && admitted <= 21,
            "{} {admitted}",
            documents.len()
        );
        assert!(
            documents
                .iter()
                .all(|document| document.until.is_some() && document.text.len() < 4_000)
        );
    }

    #[test]
    fn failures_before_a_name_was_forgiven_do_not_count() {
        let mut by_address = AddressFailures::default();
        for _ in 0..FREE_FAILURES {
            assert_eq!(by_address.admit("ann", &NameFailures::default(), NOW).0, Ok(()));
        }
        assert!(by_address.clone().admit("ann", &NameFailures::default(), NOW + 1).0.is_err());
        let by_name = NameFailures { forgiven: NOW + 1, ..NameFailures::default() };
        assert_eq!(by_address.admit("ann", &by_name, NOW + 1).0, Ok(()));
    }
}
