//! What is stored: how much there is and may be, and how fast an address or a player may add to it.
//!
//! Whatever a client gets written is charged to the client's address and to the player, in bytes.
//! Each of the two has an allowance that fills again with time. A request that begins something is
//! refused while an allowance is used up: a guest, an account, a table, a seat, a wager. A request
//! that goes on with something is charged and never refused, so that no round stops half-way.
//!
//! The prices are what requests take in an SQLite file with its indexes, rounded up. A test in
//! `tests/api/storage.rs` writes hundreds of each and compares.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use croupier_store::Store;
use croupier_table::{Table, Terms, Time, is_bot};
use serde_json::json;

use crate::config::{Config, Limits};
use crate::problem::{Code, Problem};
use crate::room::Shared;
use crate::tables;

/// A guest: the player, the first chips, and a session.
pub(crate) const GUEST: u64 = 2_048;

/// An account: a name, a password, and another session.
pub(crate) const ACCOUNT: u64 = 1_024;

/// A table beside its terms: its first and last entries, and the papers that it is found by.
const TABLE: u64 = 3_072;

/// A hand that is wagered on: its entries, transfers and answers, and its part of the record.
const HAND: u64 = 6_144;

/// Any other command: an entry and an answer.
pub(crate) const COMMAND: u64 = 1_024;

const MIB: u64 = 1 << 20;

const HOUR_MILLIS: i128 = 3_600_000;

/// How much of an hour's allowance can be used at once: a quarter.
const BURST: u64 = 4;

/// From how much of the total on the operator is told.
const NEARLY_FULL_PERCENT: u128 = 80;

/// Returns what a table costs that plays by these terms.
pub(crate) fn price_of_table(terms: &Terms) -> u64 {
    TABLE + terms.text().len() as u64
}

/// Returns what a wager at a table costs: a hand of the player and of every bot there, and what the
/// record says of a house that does not come with the program.
pub(crate) fn price_of_wager(room: &Shared, table: &Table) -> u64 {
    let bots = table.seats().iter().filter(|sitter| is_bot(&sitter.player)).count() as u64;
    let is_own = tables::is_own(room, table.terms().house());
    let house = if is_own { table.terms().text().len() as u64 } else { 0 };
    HAND * (1 + bots) + house
}

/// What is stored, and what may be.
#[derive(Debug)]
pub(crate) struct Storage {
    addresses: Allowance<IpAddr>,
    players: Allowance<String>,
    /// How many bytes there may be in all; 0 if there is no limit.
    max: u64,
    /// How many there were when it was last measured.
    bytes: AtomicU64,
    /// When that was, in milliseconds since 1970.
    measured: AtomicU64,
    level: AtomicU8,
}

/// How full the storage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// There is room.
    Roomy,
    /// Most of it is used.
    NearlyFull,
    /// All of it is used.
    Full,
}

/// What a report tells of the storage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) bytes: u64,
    pub(crate) max: u64,
    pub(crate) at: Time,
}

impl Storage {
    pub(crate) fn new(config: &Config) -> Self {
        let Limits { address_mib_per_hour, player_mib_per_hour, .. } = config.limits;
        Self {
            addresses: Allowance::new(address_mib_per_hour),
            players: Allowance::new(player_mib_per_hour),
            max: config.storage_max,
            bytes: AtomicU64::new(0),
            measured: AtomicU64::new(0),
            level: AtomicU8::new(Level::Roomy as u8),
        }
    }

    /// Charges what a request begins, unless an allowance is used up.
    ///
    /// A request that is admitted may overdraw the allowance by its own price, and by no more.
    pub(crate) fn admit(
        &self,
        now: Time,
        address: IpAddr,
        player: Option<&str>,
        bytes: u64,
    ) -> Result<(), Problem> {
        let player = player.map(ToOwned::to_owned);
        let used_up = self.addresses.wait(&address, now);
        let used_up = used_up.or_else(|| self.players.wait(player.as_ref()?, now));
        if let Some(millis) = used_up {
            return Err(Problem::from(Code::StorageQuota).retry_after(millis.div_ceil(1_000)));
        }
        self.charge(now, address, player.as_deref(), bytes);
        Ok(())
    }

    /// Charges what goes on with something, and refuses nothing.
    pub(crate) fn charge(&self, now: Time, address: IpAddr, player: Option<&str>, bytes: u64) {
        self.addresses.charge(address, now, bytes);
        if let Some(player) = player {
            self.players.charge(player.to_owned(), now, bytes);
        }
    }

    /// Refuses what would begin something while the storage is full.
    pub(crate) fn check_total(&self) -> Result<(), Problem> {
        if self.level() < Level::Full {
            return Ok(());
        }
        Err(Problem::from(Code::StorageFull).retry_after(60))
    }

    /// Forgets those whose allowance is whole.
    pub(crate) fn tidy(&self, now: Time) {
        self.addresses.tidy(now);
        self.players.tidy(now);
    }

    /// Returns what was measured last.
    pub(crate) fn measured(&self) -> Measured {
        let at = i64::try_from(self.measured.load(Ordering::Relaxed)).unwrap_or(i64::MAX);
        let (bytes, max) = (self.bytes.load(Ordering::Relaxed), self.max);
        Measured { bytes, max, at: Time::from_millis(at) }
    }

    fn level(&self) -> Level {
        match self.level.load(Ordering::Relaxed) {
            0 => Level::Roomy,
            1 => Level::NearlyFull,
            _ => Level::Full,
        }
    }

    /// Returns how full so many bytes are.
    fn level_of(&self, bytes: u64) -> Level {
        let (bytes, max) = (u128::from(bytes) * 100, u128::from(self.max));
        match max {
            0 => Level::Roomy,
            max if bytes >= max * 100 => Level::Full,
            max if bytes >= max * NEARLY_FULL_PERCENT => Level::NearlyFull,
            _ => Level::Roomy,
        }
    }
}

/// Measures what is stored. When it is nearly full or full and was not before, the operator is
/// told.
pub(crate) async fn measure(room: &Shared) {
    let bytes = match room.store().size().await {
        Ok(bytes) => bytes,
        Err(error) => {
            tracing::warn!(%error, "what is stored could not be measured");
            return;
        }
    };
    let storage = &room.storage;
    let at = u64::try_from(room.now().as_millis()).unwrap_or(0);
    storage.bytes.store(bytes, Ordering::Relaxed);
    storage.measured.store(at, Ordering::Relaxed);
    // A gauge is a float, and is exact up to nine petabytes.
    #[expect(clippy::cast_precision_loss, reason = "metrics are floats")]
    {
        metrics::gauge!("croupier_storage_bytes").set(bytes as f64);
        metrics::gauge!("croupier_storage_max_bytes").set(storage.max as f64);
    }
    let level = storage.level_of(bytes);
    let before = storage.level();
    storage.level.store(level as u8, Ordering::Relaxed);
    if level > before {
        let kind = if level == Level::Full { "storage-full" } else { "storage-nearly-full" };
        room.note(kind, "server", json!({ "bytes": bytes, "max": storage.max })).await;
    }
}

/// What each of some may write: so many bytes in an hour, and a part of that at once.
///
/// It may be overdrawn, which a limiter of requests cannot be: what must not be refused is charged
/// all the same, and has to be made up for before anything else begins.
#[derive(Debug)]
struct Allowance<K> {
    /// Bytes in an hour; 0 if there is no limit.
    per_hour: i128,
    used: Mutex<BTreeMap<K, Used>>,
}

/// What was used of an allowance at some time. A byte is as many units as an hour has milliseconds,
/// so that every millisecond gives back whole units.
#[derive(Clone, Copy, Debug)]
struct Used {
    units: i128,
    at: Time,
}

impl<K: Ord> Allowance<K> {
    fn new(mib_per_hour: u32) -> Self {
        let per_hour = i128::from(u64::from(mib_per_hour) * MIB);
        Self { per_hour, used: Mutex::default() }
    }

    /// Returns how many units can be used at once.
    fn whole(&self) -> i128 {
        self.per_hour / i128::from(BURST) * HOUR_MILLIS
    }

    /// Returns what is used of the allowance by now.
    fn used(&self, used: Used, now: Time) -> i128 {
        let millis = now.as_millis().saturating_sub(used.at.as_millis()).max(0);
        (used.units - i128::from(millis) * self.per_hour).max(0)
    }

    /// Returns after how many milliseconds there is some left, unless there is now.
    fn wait(&self, key: &K, now: Time) -> Option<u64> {
        if self.per_hour == 0 {
            return None;
        }
        let used = *self.lock().get(key)?;
        let over = self.used(used, now) - self.whole();
        (over >= 0).then(|| u64::try_from(over / self.per_hour + 1).unwrap_or(u64::MAX))
    }

    fn charge(&self, key: K, now: Time, bytes: u64) {
        if self.per_hour == 0 {
            return;
        }
        let mut all = self.lock();
        let used = all.entry(key).or_insert(Used { units: 0, at: now });
        let units = self.used(*used, now) + i128::from(bytes) * HOUR_MILLIS;
        *used = Used { units, at: now.max(used.at) };
    }

    fn tidy(&self, now: Time) {
        self.lock().retain(|_, used| self.used(*used, now) > 0);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<K, Used>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Time {
        Time::from_millis(1_700_000_000_000 + millis)
    }

    #[test]
    fn an_allowance_is_used_up_and_fills_again() {
        let allowance = Allowance::new(4);
        let wait = |millis| allowance.wait(&"ann", at(millis));
        assert_eq!(wait(0), None);
        allowance.charge("ann", at(0), MIB - 1);
        assert_eq!(wait(0), None, "a byte is left");
        allowance.charge("ann", at(0), 1);
        assert_eq!(wait(0), Some(1));
        assert_eq!(allowance.wait(&"bob", at(0)), None);
        // An overdraft is made up for at the rate of the hour.
        allowance.charge("ann", at(0), 4 * MIB);
        assert_eq!(wait(0), Some(3_600_001));
        assert_eq!(wait(3_600_000), Some(1));
        assert_eq!(wait(3_600_001), None);
        // A clock that goes back gives nothing and takes nothing.
        allowance.charge("ann", at(-50), 0);
        assert_eq!(wait(3_600_001), None);
        assert_eq!(allowance.lock().len(), 1);
        allowance.tidy(at(4_400_000));
        assert_eq!(allowance.lock().len(), 1, "some of it is still used");
        allowance.tidy(at(4_500_000));
        assert_eq!(allowance.lock().len(), 0, "it is whole");
    }

    #[test]
    fn small_charges_in_quick_succession_are_not_rounded_away() {
        let allowance = Allowance::new(1);
        // A byte every millisecond is three and a half times what an hour gives.
        for millis in 0..400_000 {
            allowance.charge((), at(millis), 1);
        }
        assert!(allowance.wait(&(), at(400_000)).is_some());
        let slow = Allowance::new(4);
        for millis in 0..400_000 {
            slow.charge((), at(millis), 1);
        }
        assert_eq!(slow.wait(&(), at(400_000)), None);
    }

    #[test]
    fn none_is_no_limit() {
        let allowance = Allowance::new(0);
        allowance.charge("ann", at(0), u64::MAX);
        assert_eq!(allowance.wait(&"ann", at(0)), None);
        assert_eq!(allowance.lock().len(), 0);
    }

    #[test]
    fn a_total_is_nearly_full_before_it_is_full() {
        let storage = Storage::new(&Config { storage_max: 1_000, ..Config::default() });
        for (bytes, level) in [
            (0, Level::Roomy),
            (799, Level::Roomy),
            (800, Level::NearlyFull),
            (999, Level::NearlyFull),
            (1_000, Level::Full),
            (u64::MAX, Level::Full),
        ] {
            assert_eq!(storage.level_of(bytes), level, "{bytes}");
        }
        let endless = Storage::new(&Config::default());
        assert_eq!(endless.level_of(u64::MAX), Level::Roomy);
    }
}
