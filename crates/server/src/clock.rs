//! What time it is, by the clock that all nodes share.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use croupier_store::{Database, Store, StoreError};
use croupier_table::Time;

/// A clock that is set by the store's, and goes by itself in between. It never goes back: what a
/// table was told once stays true.
#[derive(Debug)]
pub(crate) struct Clock {
    /// What the store said, and when.
    set: RwLock<(Time, Instant)>,
    latest: AtomicI64,
}

impl Clock {
    /// Sets a clock by the store's.
    pub(crate) async fn new(store: &Database) -> Result<Self, StoreError> {
        let set = ask(store).await?;
        Ok(Self { latest: AtomicI64::new(set.0.as_millis()), set: RwLock::new(set) })
    }

    /// Sets it again.
    pub(crate) async fn set(&self, store: &Database) -> Result<(), StoreError> {
        let set = ask(store).await?;
        *self.set.write().unwrap_or_else(PoisonError::into_inner) = set;
        Ok(())
    }

    /// Returns what time it is.
    #[expect(clippy::disallowed_methods, reason = "this is where time comes in")]
    pub(crate) fn now(&self) -> Time {
        let (said, at) = *self.set.read().unwrap_or_else(PoisonError::into_inner);
        let since = i64::try_from(at.elapsed().as_millis()).unwrap_or(i64::MAX);
        let now = said.as_millis().saturating_add(since);
        Time::from_millis(self.latest.fetch_max(now, Ordering::Relaxed).max(now))
    }
}

/// Asks the store. The answer is taken to be from the middle of the time that it took.
#[expect(clippy::disallowed_methods, reason = "this is where time comes in")]
async fn ask(store: &Database) -> Result<(Time, Instant), StoreError> {
    let before = Instant::now();
    let said = store.clock().await?;
    Ok((said, before + before.elapsed() / 2))
}
