//! Tables and their journals.

use std::collections::BTreeSet;
use std::future::Future;

use croupier_table::{Entry, Hash, JournalError, JournalFault, Time, Transfer};

use crate::accounts::check_transfers;
use crate::commands::{Answered, CommandKey, Written};
use crate::error::StoreError;
use crate::limits::{check_name, check_text, is_too_large};
use crate::rounds::RoundRow;

/// A store of tables and their journals.
pub trait Journals: Send + Sync + 'static {
    /// Adds entries to a table's journal, with the money that they move.
    ///
    /// Entries, transfers, rounds, deadline and the answer to the command are written together.
    /// The first entry of a table (`expected` 0) comes with [`Append::opens`].
    ///
    /// # Errors
    ///
    /// In this order, if several apply: [`Unusable`](StoreError::Unusable), when [`Append::check`]
    /// fails; [`KeyReused`](StoreError::KeyReused); [`Conflict`](StoreError::Conflict);
    /// [`Damaged`](StoreError::Damaged), when the first entry is not sealed after the last stored
    /// one; `Unusable` again, when a round has already ended; then [`Ledger`](StoreError::Ledger).
    fn append(&self, append: Append) -> impl Future<Output = Result<Written, StoreError>> + Send;

    /// Returns a table's row.
    fn table(
        &self,
        table: &str,
    ) -> impl Future<Output = Result<Option<TableRow>, StoreError>> + Send;

    /// Returns tables in the order of their names, starting after this one.
    fn tables(
        &self,
        after: &str,
        most: usize,
    ) -> impl Future<Output = Result<Vec<TableRow>, StoreError>> + Send;

    /// Returns the versions of those of these tables that exist, in the order of their names.
    fn versions(
        &self,
        tables: Vec<String>,
    ) -> impl Future<Output = Result<Vec<(String, u64)>, StoreError>> + Send;

    /// Returns a table's entries from this version on, in order.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], when one is missing or was altered.
    fn journal(
        &self,
        table: &str,
        from: u64,
        most: usize,
    ) -> impl Future<Output = Result<Vec<Entry>, StoreError>> + Send;

    /// Claims tables whose deadline has passed, until another time.
    ///
    /// No other caller gets them before that. The claimant wakes the table and appends, which ends
    /// the claim; if it dies first, the claim expires. The tables that have waited longest come
    /// first. A table that is closed or has no deadline is never among them.
    fn claim(
        &self,
        now: Time,
        until: Time,
        most: usize,
    ) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send;

    /// Removes a table that was never played, with its journal, and returns whether it did.
    ///
    /// That is a closed table where no round was dealt and no money moved, and whose last entry is
    /// from this time or earlier. A table where money moved stays, even if all of it went back: its
    /// journal explains its transfers. Documents about the table and answers to commands are not
    /// part of the journal, and stay.
    fn remove_unplayed(
        &self,
        table: &str,
        before: Time,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Returns the answer to a command that was carried out before.
    ///
    /// # Errors
    ///
    /// [`StoreError::KeyReused`], when the body differs from the one that was answered, and
    /// [`StoreError::Unusable`], when no command can have this key.
    fn answer(
        &self,
        key: &CommandKey,
        body: &Hash,
    ) -> impl Future<Output = Result<Option<String>, StoreError>> + Send;
}

/// A batch that is added to a table's journal in one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The table.
    pub table: String,
    /// The version after which the entries come; 0 for a new table.
    pub expected: u64,
    /// The entries; at least one, with consecutive versions.
    pub entries: Vec<Entry>,
    /// The money they move.
    pub transfers: Vec<Transfer>,
    /// When the table is to be woken next.
    pub deadline: Option<Time>,
    /// For the first entry: the house that the table plays.
    pub opens: Option<String>,
    /// Whether the table is closed now.
    pub closes: bool,
    /// The latest entry that holds the table's whole state, if it is among these.
    pub checkpoint: Option<u64>,
    /// The rounds that ended.
    pub rounds: Vec<RoundRow>,
    /// The command that this answers.
    pub command: Option<Answered>,
}

impl Append {
    /// Checks that this can be added to a journal at all; every store calls it before writing.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], with the problem: the caller made a mistake, and a retry does not
    /// help.
    pub fn check(&self) -> Result<(), StoreError> {
        let wrong = |what: &str| {
            let Self { table, expected, .. } = self;
            let message = format!("entries for table \"{table}\" after {expected}: {what}");
            Err(StoreError::Unusable(message))
        };
        self.check_texts()?;
        let Some(last) = self.entries.last() else { return wrong("there are no entries") };
        if is_too_large(last.version) || is_too_large(self.expected) {
            return wrong("a version is out of range");
        }
        let mut versions = (self.expected + 1..).zip(&self.entries);
        if !versions.all(|(version, entry)| entry.version == version) {
            return wrong("their versions are not consecutive");
        }
        if !self.entries.windows(2).all(|pair| pair[1].is_sealed_after(&pair[0].hash)) {
            return wrong("an entry is not sealed after the one before it");
        }
        if self.opens.is_some() != (self.expected == 0) {
            return wrong("the house must be given with the first entry, and only then");
        }
        let first = self.expected + 1;
        if self.checkpoint.is_some_and(|version| version < first || version > last.version) {
            return wrong("the checkpoint is not one of them");
        }
        for (place, round) in self.rounds.iter().enumerate() {
            let is_same = |other: &RoundRow| other.round == round.round;
            if round.table != self.table || self.rounds[..place].iter().any(is_same) {
                return wrong("a round belongs to another table or appears twice");
            }
            if is_too_large(round.round) {
                return wrong("a round's number is out of range");
            }
            if round.version < first || round.version > last.version {
                return wrong("the record of a round is not in one of them");
            }
            let seats: BTreeSet<u32> = round.seats.iter().map(|seat| seat.seat).collect();
            if seats.len() != round.seats.len() {
                return wrong("a seat appears twice in a round");
            }
        }
        Ok(())
    }
    /// Checks names and texts.
    fn check_texts(&self) -> Result<(), StoreError> {
        check_name("a table's name", &self.table)?;
        check_text("a house", self.opens.as_deref().unwrap_or_default())?;
        for entry in &self.entries {
            check_text("an entry", &entry.body)?;
        }
        for round in &self.rounds {
            check_text("a house", &round.house)?;
            for seat in &round.seats {
                check_name("a player's name", &seat.player)?;
            }
        }
        check_transfers(&self.transfers, self.command.as_ref())
    }
}

/// A table's row in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Its name.
    pub table: String,
    /// The house that it plays.
    pub house: String,
    /// The version of its journal.
    pub version: u64,
    /// The latest entry that holds the table's whole state.
    pub checkpoint: u64,
    /// When it is to be woken next.
    pub deadline: Option<Time>,
    /// Whether it is closed.
    pub closed: bool,
}

/// Returns the entries, if none is missing and every hash fits.
///
/// `before` is the hash of the entry before the first. The entries should be those from version
/// `from` to `end`, or the first `most` of them.
///
/// # Errors
///
/// [`StoreError::Damaged`], with the table and the version.
pub(crate) fn sound(
    table: &str,
    before: &Hash,
    (from, end): (u64, u64),
    most: usize,
    entries: Vec<Entry>,
) -> Result<Vec<Entry>, StoreError> {
    let mut previous = before;
    let mut version = from;
    for entry in &entries {
        if entry.version != version {
            return Err(damaged(table, version, JournalFault::Missing));
        }
        if !entry.is_sealed_after(previous) {
            return Err(damaged(table, version, JournalFault::Altered));
        }
        previous = &entry.hash;
        version += 1;
    }
    if version <= end && entries.len() < most {
        return Err(damaged(table, version, JournalFault::Missing));
    }
    Ok(entries)
}

/// Returns the error for a journal that is damaged at this version.
pub(crate) fn damaged(table: &str, version: u64, fault: JournalFault) -> StoreError {
    StoreError::Damaged(JournalError { table: table.to_owned(), version, fault }.to_string())
}
