//! Tables that fail by themselves: which they are, why, and when they are tried again.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use croupier_table::Time;

/// How long a table is left alone after it has failed, in milliseconds: at first, and at most. The
/// time doubles with every failure.
const FIRST: u32 = 5_000;
const LONGEST: u32 = 600_000;

/// How many such tables a node remembers. One that it forgets is tried at once, and remembered
/// again.
const MOST: usize = 1_000;

/// The tables that fail on this node.
#[derive(Debug, Default)]
pub(crate) struct Troubles(Mutex<BTreeMap<String, Trouble>>);

#[derive(Debug)]
struct Trouble {
    why: String,
    /// How long it is left alone.
    rest: u32,
    /// When it is tried again.
    again: Time,
}

impl Troubles {
    /// Notes that a table has failed, and tells whether that is news.
    pub(crate) fn note(&self, table: &str, why: &str, now: Time) -> bool {
        let mut all = self.all();
        if let Some(known) = all.get_mut(table) {
            // What fails while it is left alone was asked for by a person, and counts once.
            if known.again <= now {
                known.rest = known.rest.saturating_mul(2).min(LONGEST);
                known.again = now.after(known.rest);
            }
            why.clone_into(&mut known.why);
            return false;
        }
        if all.len() >= MOST {
            all.pop_first();
        }
        let trouble = Trouble { why: why.to_owned(), rest: FIRST, again: now.after(FIRST) };
        all.insert(table.to_owned(), trouble);
        true
    }

    /// Tells whether a table has failed and is left alone for now.
    pub(crate) fn rests(&self, table: &str, now: Time) -> bool {
        self.all().get(table).is_some_and(|trouble| trouble.again > now)
    }

    /// Forgets that a table has failed.
    pub(crate) fn clear(&self, table: &str) {
        self.all().remove(table);
    }

    /// Returns why a table fails, if it does.
    pub(crate) fn of(&self, table: &str) -> Option<String> {
        self.all().get(table).map(|trouble| trouble.why.clone())
    }

    /// Returns how many tables fail.
    pub(crate) fn len(&self) -> usize {
        self.all().len()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Trouble>> {
        // What is behind it is whole at any moment.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_fails_again_is_left_alone_for_longer() {
        let (troubles, start) = (Troubles::default(), Time::from_millis(1_000));
        assert!(!troubles.rests("seven", start));
        assert!(troubles.note("seven", "it is damaged", start));
        assert!(!troubles.note("seven", "it is damaged", start), "this is known");
        let (mut now, mut rests) = (start, Vec::new());
        for _ in 0..10 {
            let begun = now;
            while troubles.rests("seven", now) {
                now = now.after(1_000);
            }
            rests.push((now.as_millis() - begun.as_millis()) / 1_000);
            assert!(!troubles.note("seven", "it is damaged", now));
        }
        assert_eq!(rests, [5, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
        assert!(!troubles.rests("eight", now), "others are not left alone");
        assert!(!troubles.note("seven", "it is damaged elsewhere", now));
        assert_eq!(troubles.of("seven").as_deref(), Some("it is damaged elsewhere"));
        troubles.clear("seven");
        assert!(!troubles.rests("seven", now) && troubles.of("seven").is_none());
        assert!(troubles.note("seven", "it is damaged", now), "it had recovered");
    }

    #[test]
    fn a_node_remembers_no_more_than_it_can_hold() {
        let troubles = Troubles::default();
        for number in 0..2 * MOST {
            troubles.note(&format!("t{number}"), "it is damaged", Time::default());
        }
        assert_eq!(troubles.len(), MOST);
    }
}
