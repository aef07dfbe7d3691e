//! Limits on stored data: in total, and how fast an address or a player may add to it.
//!
//! Every write is charged in bytes to the client's address and to the player. Each of the two has
//! an allowance that refills over time. While an allowance is used up, a request that begins
//! something is refused: a guest, an account, a table, a seat, a wager. A request that continues
//! something is charged and never refused, so that no round stops halfway.
//!
//! The prices are the sizes of requests in an SQLite file with its indexes, rounded up. A test in
//! `tests/api/storage.rs` writes hundreds of each and compares.

mod allowance;

use std::net::IpAddr;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use croupier_store::Status;
use croupier_table::{Table, Terms, Time, is_bot};
use serde_json::json;

use self::allowance::Allowance;
use crate::config::{Config, Limits};
use crate::http::problem::{Code, Problem};
use crate::lobby::card_room;
use crate::state::AppState;

/// A guest: the player, the first chips, and a session.
pub(crate) const GUEST: u64 = 2_048;

/// An account: a name, a password, and another session.
pub(crate) const ACCOUNT: u64 = 1_024;

/// A table, not counting its terms: its first and last entries, and the documents of its listing.
const TABLE: u64 = 3_072;

/// A hand with a wager: its entries, transfers and responses, and its part of the record.
const HAND: u64 = 6_144;

/// Any other command: an entry and a response.
pub(crate) const COMMAND: u64 = 1_024;

/// The share of the total at which the operator is notified.
const NEARLY_FULL_PERCENT: u128 = 80;

/// Returns the price of a table with these terms.
pub(crate) fn price_of_table(terms: &Terms) -> u64 {
    TABLE + terms.text().len() as u64
}

/// Returns the price of a wager at a table: a hand of the player and of every bot there, and the
/// part of the record for a house that does not ship with the program.
pub(crate) fn price_of_wager(state: &AppState, table: &Table) -> u64 {
    let bots = table.seats().iter().filter(|sitter| is_bot(&sitter.player)).count() as u64;
    let is_own = card_room::is_own_house(state, table.terms().house());
    let house = if is_own { table.terms().text().len() as u64 } else { 0 };
    HAND * (1 + bots) + house
}

/// The amount of stored data, and its limits.
#[derive(Debug)]
pub(crate) struct Storage {
    addresses: Allowance<IpAddr>,
    players: Allowance<String>,
    /// The maximum total number of bytes; 0 if there is no limit.
    max: u64,
    /// The number of bytes at the last measurement.
    bytes: AtomicU64,
    /// The time of that measurement, in milliseconds since 1970.
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

/// The figures for the storage report.
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

    /// Charges a request that begins something, unless an allowance is used up.
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

    /// Charges a request that continues something, and never refuses it.
    pub(crate) fn charge(&self, now: Time, address: IpAddr, player: Option<&str>, bytes: u64) {
        self.addresses.charge(address, now, bytes);
        if let Some(player) = player {
            self.players.charge(player.to_owned(), now, bytes);
        }
    }

    /// Refuses a request that begins something while the storage is full.
    pub(crate) fn check_total(&self) -> Result<(), Problem> {
        if self.level() < Level::Full {
            return Ok(());
        }
        Err(Problem::from(Code::StorageFull).retry_after(60))
    }

    /// Removes the entries whose allowance is full again.
    pub(crate) fn clean_up(&self, now: Time) {
        self.addresses.clean_up(now);
        self.players.clean_up(now);
    }

    /// Returns the last measurement.
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

    /// Returns the level for a number of bytes.
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

/// Measures the stored data. Notifies the operator when it becomes nearly full or full.
pub(crate) async fn measure(state: &AppState) {
    let bytes = match state.store().size().await {
        Ok(bytes) => bytes,
        Err(error) => {
            tracing::warn!(%error, "the stored data could not be measured");
            return;
        }
    };
    let storage = &state.storage;
    let at = u64::try_from(state.now().as_millis()).unwrap_or(0);
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
        state.record_incident(kind, "server", json!({ "bytes": bytes, "max": storage.max })).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
