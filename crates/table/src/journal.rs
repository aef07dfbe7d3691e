//! The journal at rest: a chain of entries, each of which seals all that came before it.

use std::error::Error;
use std::fmt;

use crate::hash::{Hash, Message};
use crate::time::Time;

/// One line of a table's journal.
///
/// Its hash covers the hash before it and its own bytes, so that no entry can be changed, left out
/// or put elsewhere without everybody noticing who knows a later hash. Every exported round carries
/// one.
#[derive(Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number in the journal; the first is 1.
    pub version: u64,
    /// When it was made. Times never go back.
    pub at: Time,
    /// What happened, as JSON.
    pub body: String,
    /// The hash of the journal up to here.
    pub hash: Hash,
}

impl Entry {
    /// Writes an entry after the one with this hash.
    pub fn seal(previous: &Hash, version: u64, at: Time, body: String) -> Self {
        let hash = Self::hash(previous, version, at, &body);
        Self { version, at, body, hash }
    }

    /// Tells whether the entry is what was sealed after the one with this hash.
    pub fn is_sealed_after(&self, previous: &Hash) -> bool {
        Self::hash(previous, self.version, self.at, &self.body) == self.hash
    }

    fn hash(previous: &Hash, version: u64, at: Time, body: &str) -> Hash {
        let message = Message::new("croupier journal").bytes(previous.as_bytes());
        // Times before 1970 are of no use to anybody, but have a number of their own all the same.
        message.number(version).number(at.as_millis().cast_unsigned()).bytes(body.as_bytes()).hash()
    }
}

/// What is in it is not shown: it may be the seed of an open round.
impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, at, hash, .. } = self;
        write!(f, "Entry({version} at {at}, {hash})")
    }
}

/// Returns the hash that a table's first entry comes after.
pub fn first_hash(table: &str) -> Hash {
    Message::new("croupier table").bytes(table.as_bytes()).hash()
}

/// What is wrong with a journal, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalError {
    /// The table whose journal it is.
    pub table: String,
    /// The entry at which it was noticed.
    pub version: u64,
    /// What was noticed.
    pub fault: JournalFault,
}

/// What can be wrong with a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalFault {
    /// There is nothing in it.
    Empty,
    /// This entry is not there; the journal goes on after it.
    Missing,
    /// The hash is not that of the entry after the one before it: one of the two was changed.
    Altered,
    /// It cannot be read.
    Unreadable {
        /// Why.
        why: String,
    },
    /// It could not have happened.
    Impossible {
        /// Why.
        why: String,
    },
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, version, fault } = self;
        write!(f, "the journal of table {table} is damaged at entry {version}: ")?;
        match fault {
            JournalFault::Empty => f.write_str("there is nothing in it"),
            JournalFault::Missing => f.write_str("the entry is missing"),
            JournalFault::Altered => {
                f.write_str("it or the one before it was altered, for the hash does not fit")
            }
            JournalFault::Unreadable { why } => write!(f, "it cannot be read: {why}"),
            JournalFault::Impossible { why } => write!(f, "it could not have happened: {why}"),
        }
    }
}

impl Error for JournalError {}
