//! The stored journal: a chain of entries, each of which seals all entries before it.

use std::fmt;

use thiserror::Error;

use crate::hash::{Hash, Message};
use crate::time::Time;

/// An entry of a table's journal.
///
/// Its hash covers the previous hash and its own bytes, so no entry can be changed, left out or
/// moved without being noticed by every reader who knows a later hash. Every exported round has
/// one.
#[derive(Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number in the journal; the first is 1.
    pub version: u64,
    /// When it was written. Times never go back.
    pub at: Time,
    /// The event, as JSON.
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

    /// Tells whether the entry was sealed after the one with this hash.
    pub fn is_sealed_after(&self, previous: &Hash) -> bool {
        Self::hash(previous, self.version, self.at, &self.body) == self.hash
    }

    fn hash(previous: &Hash, version: u64, at: Time, body: &str) -> Hash {
        let message = Message::new("croupier journal").bytes(previous.as_bytes());
        // Times before 1970 are useless in practice, but each still has a distinct number.
        message.number(version).number(at.as_millis().cast_unsigned()).bytes(body.as_bytes()).hash()
    }
}

/// Leaves out the body: it may contain the seed of an open round.
impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, at, hash, .. } = self;
        write!(f, "Entry({version} at {at}, {hash})")
    }
}

/// Returns the previous hash of a table's first entry.
pub fn first_hash(table: &str) -> Hash {
    Message::new("croupier table").bytes(table.as_bytes()).hash()
}

/// A fault in a journal, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the journal of table {table} is damaged at entry {version}: {fault}")]
pub struct JournalError {
    /// The table whose journal it is.
    pub table: String,
    /// The version of the entry with the fault.
    pub version: u64,
    /// The fault.
    pub fault: JournalFault,
}

/// The kinds of faults in a journal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JournalFault {
    /// The journal is empty.
    #[error("it is empty")]
    Empty,
    /// The entry is missing; the journal continues after it.
    #[error("the entry is missing")]
    Missing,
    /// The hash does not match the entry and the one before it: one of the two was changed.
    #[error("it or the entry before it was altered: the hash does not match")]
    Altered,
    /// The entry cannot be read.
    #[error("it cannot be read: {why}")]
    Unreadable {
        /// The reason.
        why: String,
    },
    /// The event could not have happened.
    #[error("it could not have happened: {why}")]
    Impossible {
        /// The reason.
        why: String,
    },
}
