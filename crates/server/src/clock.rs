//! The time, by the clock that all nodes share.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use croupier_store::{Database, Status, StoreError};
use croupier_table::Time;

/// The longest that the store may take to return the time. A slow answer may include a reconnect
/// before the store read its clock, and that delay is unknown.
const MAX_DELAY: Duration = Duration::from_millis(500);

/// The number of attempts at startup, when any answer is better than none.
const ATTEMPTS: usize = 3;

/// A clock that is set by the store's, and runs by itself in between. It never goes back: the time
/// that a table was given stays true.
#[derive(Debug)]
pub(crate) struct Clock {
    /// The store's time, and when it was read.
    set: RwLock<(Time, Instant)>,
    latest: AtomicI64,
}

impl Clock {
    /// Returns a clock set by the store's.
    pub(crate) async fn new(store: &Database) -> Result<Self, StoreError> {
        let mut reading = read_store(store).await?;
        for _ in 1..ATTEMPTS {
            if reading.took <= MAX_DELAY {
                break;
            }
            reading = read_store(store).await?;
        }
        Ok(Self::from_reading(reading))
    }

    const fn from_reading(reading: ClockReading) -> Self {
        let set = (reading.time, reading.at);
        Self { latest: AtomicI64::new(reading.time.as_millis()), set: RwLock::new(set) }
    }

    /// Sets the clock again.
    pub(crate) async fn set(&self, store: &Database) -> Result<(), StoreError> {
        self.adjust(read_store(store).await?);
        Ok(())
    }

    /// Sets the clock by a reading of the store's, if it did not take too long.
    fn adjust(&self, reading: ClockReading) {
        if reading.took <= MAX_DELAY {
            let set = (reading.time, reading.at);
            *self.set.write().unwrap_or_else(PoisonError::into_inner) = set;
        }
    }

    /// Returns the current time.
    #[expect(clippy::disallowed_methods, reason = "time enters the program here")]
    pub(crate) fn now(&self) -> Time {
        let (time, at) = *self.set.read().unwrap_or_else(PoisonError::into_inner);
        let since = i64::try_from(at.elapsed().as_millis()).unwrap_or(i64::MAX);
        let now = time.as_millis().saturating_add(since);
        Time::from_millis(self.latest.fetch_max(now, Ordering::Relaxed).max(now))
    }
}

/// Asks the store for its time, which is assumed to be from the middle of the request.
#[expect(clippy::disallowed_methods, reason = "time enters the program here")]
async fn read_store(store: &Database) -> Result<ClockReading, StoreError> {
    let before = Instant::now();
    let time = store.clock().await?;
    let took = before.elapsed();
    Ok(ClockReading { time, at: before + took / 2, took })
}

/// The store's time, when it was read, and how long the request took.
#[derive(Clone, Copy, Debug)]
struct ClockReading {
    time: Time,
    at: Instant,
    took: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: i64 = 3_600_000;

    #[expect(clippy::disallowed_methods, reason = "time enters the program here")]
    fn reading(time: i64, took: Duration) -> ClockReading {
        ClockReading { time: Time::from_millis(time), at: Instant::now(), took }
    }

    fn is_about(clock: &Clock, millis: i64) -> bool {
        (millis..millis + LONG / 2).contains(&clock.now().as_millis())
    }

    #[test]
    fn the_clock_follows_the_store_and_not_the_system() {
        let clock = Clock::from_reading(reading(LONG, Duration::ZERO));
        assert!(is_about(&clock, LONG), "1970, whatever this machine's clock says");
        clock.adjust(reading(3 * LONG, MAX_DELAY));
        assert!(is_about(&clock, 3 * LONG));
    }

    #[test]
    fn the_clock_never_goes_back() {
        let clock = Clock::from_reading(reading(2 * LONG, Duration::ZERO));
        let before = clock.now();
        clock.adjust(reading(LONG, Duration::ZERO));
        assert!(clock.now() >= before);
        assert!(is_about(&clock, 2 * LONG));
    }

    #[test]
    fn a_slow_answer_is_ignored() {
        let clock = Clock::from_reading(reading(LONG, Duration::ZERO));
        clock.adjust(reading(9 * LONG, MAX_DELAY + Duration::from_millis(1)));
        assert!(is_about(&clock, LONG));
    }
}
