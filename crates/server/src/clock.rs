//! What time it is, by the clock that all nodes share.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use croupier_store::{Database, Store, StoreError};
use croupier_table::Time;

/// How long the store may take to say what time it is. One that had to be reached anew first took
/// its time before it looked at the clock, and nobody knows how much.
const PROMPT: Duration = Duration::from_millis(500);

/// How often it is asked at the beginning, when any answer is better than none.
const ATTEMPTS: usize = 3;

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
        let mut answer = ask(store).await?;
        for _ in 1..ATTEMPTS {
            if answer.took <= PROMPT {
                break;
            }
            answer = ask(store).await?;
        }
        Ok(Self::set_by(answer))
    }

    const fn set_by(answer: Answer) -> Self {
        let set = (answer.said, answer.at);
        Self { latest: AtomicI64::new(answer.said.as_millis()), set: RwLock::new(set) }
    }

    /// Sets it again.
    pub(crate) async fn set(&self, store: &Database) -> Result<(), StoreError> {
        self.hear(ask(store).await?);
        Ok(())
    }

    /// Goes by what the store said, if it did not take too long.
    fn hear(&self, answer: Answer) {
        if answer.took <= PROMPT {
            let set = (answer.said, answer.at);
            *self.set.write().unwrap_or_else(PoisonError::into_inner) = set;
        }
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
async fn ask(store: &Database) -> Result<Answer, StoreError> {
    let before = Instant::now();
    let said = store.clock().await?;
    let took = before.elapsed();
    Ok(Answer { said, at: before + took / 2, took })
}

/// What the store said, when that was, and how long it took.
#[derive(Clone, Copy, Debug)]
struct Answer {
    said: Time,
    at: Instant,
    took: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: i64 = 3_600_000;

    #[expect(clippy::disallowed_methods, reason = "this is where time comes in")]
    fn answer(said: i64, took: Duration) -> Answer {
        Answer { said: Time::from_millis(said), at: Instant::now(), took }
    }

    fn is_about(clock: &Clock, millis: i64) -> bool {
        (millis..millis + LONG / 2).contains(&clock.now().as_millis())
    }

    #[test]
    fn it_goes_by_the_store_and_not_by_the_system() {
        let clock = Clock::set_by(answer(LONG, Duration::ZERO));
        assert!(is_about(&clock, LONG), "1970, whatever this machine thinks");
        clock.hear(answer(3 * LONG, PROMPT));
        assert!(is_about(&clock, 3 * LONG));
    }

    #[test]
    fn it_never_goes_back() {
        let clock = Clock::set_by(answer(2 * LONG, Duration::ZERO));
        let before = clock.now();
        clock.hear(answer(LONG, Duration::ZERO));
        assert!(clock.now() >= before);
        assert!(is_about(&clock, 2 * LONG));
    }

    #[test]
    fn what_was_long_in_coming_is_not_believed() {
        let clock = Clock::set_by(answer(LONG, Duration::ZERO));
        clock.hear(answer(9 * LONG, PROMPT + Duration::from_millis(1)));
        assert!(is_about(&clock, LONG));
    }
}
