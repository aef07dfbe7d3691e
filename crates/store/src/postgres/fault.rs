//! What PostgreSQL says when it does not do something, and what that means here.

use std::error::Error as _;

use deadpool_postgres::PoolError;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::store::StoreError;

/// Why a transaction came to nothing, or may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A constraint was in the way. Nothing was written; what is stored tells why.
    Refused(String),
    /// Transactions were in each other's way. Nothing was written, and trying again may do.
    Busy(String),
    /// What the connection had prepared is no longer so. Nothing was written, and trying again with
    /// statements prepared anew may do.
    Stale(String),
    /// The database was not there before anything was sent.
    Away(String),
    /// The database went away after everything was sent. Nobody knows what it did.
    Lost(String),
    /// Trying again is of no use, or not for us to decide.
    Final(StoreError),
}

impl Fault {
    /// Returns what an error means that came while something was under way.
    pub(super) fn of(error: &Error) -> Self {
        let why = describe(error);
        let Some(code) = error.code() else {
            // What is not from the database is from the connection, or from this program: a value
            // that PostgreSQL's types cannot hold.
            let ours = error.source().is_some_and(|source| {
                !source.is::<std::io::Error>() && !source.is::<tokio_postgres::error::DbError>()
            });
            return if ours { Self::Final(StoreError::Unusable(why)) } else { Self::Lost(why) };
        };
        match *code {
            // The division is how a journal says that it does not end where it was expected to.
            SqlState::UNIQUE_VIOLATION
            | SqlState::CHECK_VIOLATION
            | SqlState::NOT_NULL_VIOLATION
            | SqlState::NUMERIC_VALUE_OUT_OF_RANGE
            | SqlState::DIVISION_BY_ZERO => Self::Refused(why),
            SqlState::T_R_SERIALIZATION_FAILURE
            | SqlState::T_R_DEADLOCK_DETECTED
            | SqlState::LOCK_NOT_AVAILABLE => Self::Busy(why),
            // A proxy gave our prepared statements to somebody else.
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

    /// Returns what an error means that came before anything was sent.
    pub(super) fn before(error: &Error) -> Self {
        match Self::of(error) {
            Self::Lost(why) => Self::Away(why),
            fault => fault,
        }
    }

    /// Returns what it means that no connection was to be had.
    pub(super) fn of_pool(error: &PoolError) -> Self {
        match error {
            PoolError::Backend(error) => Self::before(error),
            PoolError::Timeout(_) => Self::Away("no connection was free in time".to_owned()),
            error => Self::Final(StoreError::Unusable(error.to_string())),
        }
    }

    /// Returns what a reader is told, who cannot have changed anything.
    pub(super) fn for_reader(self) -> StoreError {
        match self {
            Self::Refused(why)
            | Self::Busy(why)
            | Self::Stale(why)
            | Self::Away(why)
            | Self::Lost(why) => StoreError::Unavailable(why),
            Self::Final(error) => error,
        }
    }

    /// Returns what a writer is told.
    pub(super) fn for_writer(self) -> StoreError {
        match self {
            Self::Refused(why) => StoreError::Unusable(why),
            Self::Busy(why) | Self::Stale(why) | Self::Away(why) => StoreError::Unavailable(why),
            Self::Lost(why) => StoreError::Unknown(why),
            Self::Final(error) => error,
        }
    }
}

/// Tells whether a prepared statement would now return something of another type than it promised.
fn is_changed_result(error: &Error) -> bool {
    // The message may be in any language; where PostgreSQL raises it has one name.
    error.as_db_error().is_some_and(|error| {
        error.routine() == Some("RevalidateCachedQuery")
            || error.message().contains("cached plan must not change result type")
    })
}

/// Says what an error is about. The driver keeps that in the error's sources.
pub(super) fn describe(error: &Error) -> String {
    if let Some(error) = error.as_db_error() {
        return format!("{} ({})", error.message(), error.code().code());
    }
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
