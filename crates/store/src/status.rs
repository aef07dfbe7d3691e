//! A store's size and time.

use std::future::Future;
use std::time::{SystemTime, UNIX_EPOCH};

use croupier_table::Time;

use crate::error::StoreError;

/// A store's size and time.
pub trait Status: Send + Sync + 'static {
    /// Returns the size of all stored data in bytes.
    ///
    /// SQLite counts the pages in use, and not the free rest of a larger file. PostgreSQL counts
    /// its tables and indexes, including the space that a `VACUUM` has yet to reclaim. Memory
    /// counts texts alone.
    fn size(&self) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Returns the current time, the same for all nodes that share the store.
    ///
    /// Their own clocks may disagree; the store has only one.
    fn clock(&self) -> impl Future<Output = Result<Time, StoreError>> + Send;
}

/// Returns the system time, for stores that only one machine uses.
#[expect(clippy::disallowed_methods, reason = "a store is a source of time")]
pub(crate) fn system_time() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
