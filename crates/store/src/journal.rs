//! Whether what was read from a journal is what was written.

use croupier_table::{Entry, Hash, JournalError, JournalFault};

use crate::store::StoreError;

/// Returns entries as they were read, if nothing is missing from them and every hash fits.
///
/// `before` is the hash that the first comes after. The entries should be those from version `from`
/// to `end`, or the first `most` of them.
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

/// Says where a journal is damaged.
pub(crate) fn damaged(table: &str, version: u64, fault: JournalFault) -> StoreError {
    StoreError::Damaged(JournalError { table: table.to_owned(), version, fault }.to_string())
}
