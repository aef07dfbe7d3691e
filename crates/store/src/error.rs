//! The reasons why a store refuses or fails.

use croupier_table::LedgerError;
use thiserror::Error;

/// The reason why a store refuses or fails.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StoreError {
    /// The key was used for another command.
    #[error("this key was used for another command")]
    KeyReused,
    /// The stored data is not as expected, such as a journal that ends elsewhere: read on, and
    /// decide again.
    #[error("another writer was first")]
    Conflict,
    /// The name is taken.
    #[error("this name is already taken")]
    Taken,
    /// The ledger refuses the transfers.
    #[error(transparent)]
    Ledger(LedgerError),
    /// There is no space to write. Nothing has changed, and a retry may help once there is space.
    #[error("there is no space to write: {0}")]
    Full(String),
    /// The store is unreachable or too busy. Nothing has changed, and a retry may help.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// The connection was lost during a write, which may or may not have happened. A retry with the
    /// same key resolves it.
    #[error("this may or may not have been written; retry with the same key: {0}")]
    Unknown(String),
    /// The stored data is not what was written.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The store cannot be used, for a reason that a retry does not fix.
    #[error("the store cannot be used: {0}")]
    Unusable(String),
}

impl StoreError {
    /// Returns whether a retry may help.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Conflict | Self::Full(_) | Self::Unavailable(_) | Self::Unknown(_))
    }
}
