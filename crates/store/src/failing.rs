//! Failing tables: which they are, why, and when they are retried.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use croupier_table::Time;

/// How long a table is left alone after a failure, in milliseconds: at first, and at most. The time
/// doubles with every failure.
const FIRST_BACKOFF: u32 = 5_000;
const LONGEST_BACKOFF: u32 = 600_000;

/// How many failing tables a node remembers. A table that it forgets is retried at once, and
/// remembered again.
const MAX_REMEMBERED: usize = 1_000;

/// The tables that fail on this node.
#[derive(Debug, Default)]
pub struct FailingTables(Mutex<BTreeMap<String, Failure>>);

#[derive(Debug)]
struct Failure {
    why: String,
    /// How long it is left alone, in milliseconds.
    backoff: u32,
    /// When it is retried.
    retry_at: Time,
}

impl FailingTables {
    /// Records a table's failure, and returns whether it is new.
    pub fn record(&self, table: &str, why: &str, now: Time) -> bool {
        let mut all = self.all();
        if let Some(known) = all.get_mut(table) {
            // A failure while the table is left alone comes from a client's request, and counts
            // once.
            if known.retry_at <= now {
                known.backoff = known.backoff.saturating_mul(2).min(LONGEST_BACKOFF);
                known.retry_at = now.after(known.backoff);
            }
            why.clone_into(&mut known.why);
            return false;
        }
        if all.len() >= MAX_REMEMBERED {
            all.pop_first();
        }
        let failure = Failure {
            why: why.to_owned(),
            backoff: FIRST_BACKOFF,
            retry_at: now.after(FIRST_BACKOFF),
        };
        all.insert(table.to_owned(), failure);
        true
    }

    /// Returns whether a table has failed and is left alone for now.
    pub fn is_resting(&self, table: &str, now: Time) -> bool {
        self.all().get(table).is_some_and(|failure| failure.retry_at > now)
    }

    /// Clears a table's failure.
    pub fn clear(&self, table: &str) {
        self.all().remove(table);
    }

    /// Returns why a table fails, if it does.
    pub fn reason(&self, table: &str) -> Option<String> {
        self.all().get(table).map(|failure| failure.why.clone())
    }

    /// Returns how many tables fail.
    pub fn count(&self) -> usize {
        self.all().len()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Failure>> {
        // The map is consistent at any moment.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_fails_again_is_left_alone_for_longer() {
        let (failing, start) = (FailingTables::default(), Time::from_millis(1_000));
        assert!(!failing.is_resting("seven", start));
        assert!(failing.record("seven", "it is damaged", start));
        assert!(!failing.record("seven", "it is damaged", start), "this is known");
        let (mut now, mut rests) = (start, Vec::new());
        for _ in 0..10 {
            let begun = now;
            while failing.is_resting("seven", now) {
                now = now.after(1_000);
            }
            rests.push((now.as_millis() - begun.as_millis()) / 1_000);
            assert!(!failing.record("seven", "it is damaged", now));
        }
        assert_eq!(rests, [5, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
        assert!(!failing.is_resting("eight", now), "others are not left alone");
        assert!(!failing.record("seven", "it is damaged elsewhere", now));
        assert_eq!(failing.reason("seven").as_deref(), Some("it is damaged elsewhere"));
        failing.clear("seven");
        assert!(!failing.is_resting("seven", now) && failing.reason("seven").is_none());
        assert!(failing.record("seven", "it is damaged", now), "it had recovered");
    }

    #[test]
    fn a_node_remembers_no_more_than_it_can_hold() {
        let failing = FailingTables::default();
        for number in 0..2 * MAX_REMEMBERED {
            failing.record(&format!("t{number}"), "it is damaged", Time::default());
        }
        assert_eq!(failing.count(), MAX_REMEMBERED);
    }
}
