//! Maps PostgreSQL's errors to the store's.

use std::error::Error as _;

use deadpool_postgres::PoolError;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::error::StoreError;

/// The reason why a transaction failed, or may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A constraint prevented it. Nothing was written; the stored data shows the reason.
    Refused(String),
    /// It conflicted with other transactions. Nothing was written, and a retry may help.
    Busy(String),
    /// The connection's prepared statements are out of date. Nothing was written, and a retry with
    /// newly prepared statements may help.
    Stale(String),
    /// The database was unreachable before anything was sent.
    Unreachable(String),
    /// The connection was lost after everything was sent. The outcome is unknown.
    Lost(String),
    /// A retry does not help, or is not our decision.
    Final(StoreError),
}

impl Fault {
    /// Classifies an error during a transaction.
    pub(super) fn of(error: &Error) -> Self {
        let why = describe(error);
        let Some(code) = error.code() else {
            // An error that is not from the database is from the connection, or from this program:
            // a value that PostgreSQL's types cannot hold.
            let ours = error.source().is_some_and(|source| {
                !source.is::<std::io::Error>() && !source.is::<tokio_postgres::error::DbError>()
            });
            return if ours { Self::Final(StoreError::Unusable(why)) } else { Self::Lost(why) };
        };
        match *code {
            // The division by zero means that a journal does not end where it was expected to.
            SqlState::UNIQUE_VIOLATION
            | SqlState::CHECK_VIOLATION
            | SqlState::NOT_NULL_VIOLATION
            | SqlState::NUMERIC_VALUE_OUT_OF_RANGE
            | SqlState::DIVISION_BY_ZERO => Self::Refused(why),
            SqlState::T_R_SERIALIZATION_FAILURE
            | SqlState::T_R_DEADLOCK_DETECTED
            | SqlState::LOCK_NOT_AVAILABLE => Self::Busy(why),
            // A proxy gave our prepared statements to another client.
            SqlState::INVALID_SQL_STATEMENT_NAME => Self::Stale(why),
            SqlState::FEATURE_NOT_SUPPORTED if is_changed_result(error) => Self::Stale(why),
            SqlState::DISK_FULL => Self::Final(StoreError::Full(why)),
            SqlState::OUT_OF_MEMORY
            | SqlState::TOO_MANY_CONNECTIONS
            | SqlState::QUERY_CANCELED
            | SqlState::READ_ONLY_SQL_TRANSACTION => Self::Final(StoreError::Unavailable(why)),
            SqlState::ADMIN_SHUTDOWN
            | SqlState::CRASH_SHUTDOWN
            | SqlState::CANNOT_CONNECT_NOW
            | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
            | SqlState::T_R_STATEMENT_COMPLETION_UNKNOWN => Self::Lost(why),
            SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => {
                Self::Final(StoreError::Damaged(why))
            }
            _ if code.code().starts_with("08") => Self::Lost(why),
            _ => Self::Final(StoreError::Unusable(why)),
        }
    }

    /// Classifies an error before anything was sent.
    pub(super) fn before(error: &Error) -> Self {
        match Self::of(error) {
            Self::Lost(why) => Self::Unreachable(why),
            fault => fault,
        }
    }

    /// Classifies a failure to get a connection from the pool.
    pub(super) fn of_pool(error: &PoolError) -> Self {
        match error {
            PoolError::Backend(error) => Self::before(error),
            PoolError::Timeout(_) => Self::Unreachable("no connection was free in time".to_owned()),
            error => Self::Final(StoreError::Unusable(error.to_string())),
        }
    }

    /// Returns the error for a reader, which cannot have changed anything.
    pub(super) fn for_reader(self) -> StoreError {
        match self {
            Self::Refused(why)
            | Self::Busy(why)
            | Self::Stale(why)
            | Self::Unreachable(why)
            | Self::Lost(why) => StoreError::Unavailable(why),
            Self::Final(error) => error,
        }
    }

    /// Returns the error for a writer.
    pub(super) fn for_writer(self) -> StoreError {
        match self {
            Self::Refused(why) => StoreError::Unusable(why),
            Self::Busy(why) | Self::Stale(why) | Self::Unreachable(why) => {
                StoreError::Unavailable(why)
            }
            Self::Lost(why) => StoreError::Unknown(why),
            Self::Final(error) => error,
        }
    }
}

/// Returns whether a prepared statement would now return another type than it promised.
fn is_changed_result(error: &Error) -> bool {
    // The message may be in any language; the place in PostgreSQL that raises it has one name.
    error.as_db_error().is_some_and(|error| {
        error.routine() == Some("RevalidateCachedQuery")
            || error.message().contains("cached plan must not change result type")
    })
}

/// Describes an error. The driver keeps the details in the error's sources.
pub(super) fn describe(error: &Error) -> String {
    if let Some(error) = error.as_db_error() {
        return format!("{} ({})", error.message(), error.code().code());
    }
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
