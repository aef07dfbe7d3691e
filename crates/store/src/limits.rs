//! The limits on names, texts and numbers, the same in every store.
//!
//! A database may be unable to keep a text that another one can. So all of them refuse any text
//! that one of them would: a NUL character, which PostgreSQL cannot keep in any text, and names
//! that are too long for an index.

use crate::error::StoreError;

/// The most bytes in a name or key. An index has room for two of them.
const MOST_BYTES: usize = 1_000;

/// Returns whether anything can have this name.
pub(crate) fn can_exist(name: &str) -> bool {
    (1..=MOST_BYTES).contains(&name.len()) && is_text(name)
}

/// Returns whether every database can keep a text.
pub(crate) fn is_text(text: &str) -> bool {
    !text.contains('\0')
}

/// Returns whether a number is larger than a database integer.
pub(crate) const fn is_too_large(number: u64) -> bool {
    number > i64::MAX as u64
}

/// Checks a name or key; `what` says whose.
///
/// # Errors
///
/// [`StoreError::Unusable`], with the problem.
pub(crate) fn check_name(what: &str, name: &str) -> Result<(), StoreError> {
    if can_exist(name) {
        return Ok(());
    }
    unusable(format!("{what} must have 1 to {MOST_BYTES} bytes, and no NUL character"))
}

/// Checks a text that is stored as is, and never searched for.
///
/// # Errors
///
/// [`StoreError::Unusable`], with the problem.
pub(crate) fn check_text(what: &str, text: &str) -> Result<(), StoreError> {
    if is_text(text) { Ok(()) } else { unusable(format!("{what} must not have a NUL character")) }
}

/// Returns the error for data that no store can keep.
pub(crate) fn unusable<T>(why: String) -> Result<T, StoreError> {
    Err(StoreError::Unusable(why))
}
