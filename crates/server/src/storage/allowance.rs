//! An allowance that refills over time: how fast an address or a player may add to the stored data.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use croupier_table::Time;

const MIB: u64 = 1 << 20;

const HOUR_MILLIS: i128 = 3_600_000;

/// The part of an hour's allowance that can be used at once: a quarter.
const BURST: u64 = 4;

/// A write allowance per key: a number of bytes per hour, and a part of that at once.
///
/// Unlike a request limiter, it may be overdrawn: a request that must not be refused is charged
/// anyway, and the overdraft has to be paid off before anything else begins.
#[derive(Debug)]
pub(super) struct Allowance<K> {
    /// Bytes per hour; 0 if there is no limit.
    per_hour: i128,
    used: Mutex<BTreeMap<K, Used>>,
}

/// The used part of an allowance at some time. A byte is as many units as an hour has milliseconds,
/// so that every millisecond gives back whole units.
#[derive(Clone, Copy, Debug)]
struct Used {
    units: i128,
    at: Time,
}

impl<K: Ord> Allowance<K> {
    pub(super) fn new(mib_per_hour: u32) -> Self {
        let per_hour = i128::from(u64::from(mib_per_hour) * MIB);
        Self { per_hour, used: Mutex::default() }
    }

    /// Returns how many units can be used at once.
    fn whole(&self) -> i128 {
        self.per_hour / i128::from(BURST) * HOUR_MILLIS
    }

    /// Returns the used part of the allowance now.
    fn used(&self, used: Used, now: Time) -> i128 {
        let millis = now.as_millis().saturating_sub(used.at.as_millis()).max(0);
        (used.units - i128::from(millis) * self.per_hour).max(0)
    }

    /// Returns the milliseconds until some of the allowance is left, or `None` if some is left now.
    pub(super) fn wait(&self, key: &K, now: Time) -> Option<u64> {
        if self.per_hour == 0 {
            return None;
        }
        let used = *self.lock().get(key)?;
        let over = self.used(used, now) - self.whole();
        (over >= 0).then(|| u64::try_from(over / self.per_hour + 1).unwrap_or(u64::MAX))
    }

    pub(super) fn charge(&self, key: K, now: Time, bytes: u64) {
        if self.per_hour == 0 {
            return;
        }
        let mut all = self.lock();
        let used = all.entry(key).or_insert(Used { units: 0, at: now });
        let units = self.used(*used, now) + i128::from(bytes) * HOUR_MILLIS;
        *used = Used { units, at: now.max(used.at) };
    }

    pub(super) fn clean_up(&self, now: Time) {
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
    fn an_allowance_is_used_up_and_refills() {
        let allowance = Allowance::new(4);
        let wait = |millis| allowance.wait(&"ann", at(millis));
        assert_eq!(wait(0), None);
        allowance.charge("ann", at(0), MIB - 1);
        assert_eq!(wait(0), None, "a byte is left");
        allowance.charge("ann", at(0), 1);
        assert_eq!(wait(0), Some(1));
        assert_eq!(allowance.wait(&"bob", at(0)), None);
        // An overdraft is paid off at the hourly rate.
        allowance.charge("ann", at(0), 4 * MIB);
        assert_eq!(wait(0), Some(3_600_001));
        assert_eq!(wait(3_600_000), Some(1));
        assert_eq!(wait(3_600_001), None);
        // A clock that goes back gives nothing and takes nothing.
        allowance.charge("ann", at(-50), 0);
        assert_eq!(wait(3_600_001), None);
        assert_eq!(allowance.lock().len(), 1);
        allowance.clean_up(at(4_400_000));
        assert_eq!(allowance.lock().len(), 1, "some of it is still used");
        allowance.clean_up(at(4_500_000));
        assert_eq!(allowance.lock().len(), 0, "it is full again");
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
    fn zero_means_no_limit() {
        let allowance = Allowance::new(0);
        allowance.charge("ann", at(0), u64::MAX);
        assert_eq!(allowance.wait(&"ann", at(0)), None);
        assert_eq!(allowance.lock().len(), 0);
    }
}
