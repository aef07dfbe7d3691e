//! Maps SQLite's errors to the store's.

use rusqlite::{Error, ErrorCode, ffi};

use crate::error::StoreError;

/// The reason why a job failed: one of ours, or one of SQLite's.
#[derive(Debug)]
pub(crate) enum Fault {
    Store(StoreError),
    Sqlite(Error),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Store(error) => error,
            Fault::Sqlite(Error::SqliteFailure(code, text)) => failure(code, text),
            Fault::Sqlite(
                error @ (Error::FromSqlConversionFailure(..)
                | Error::IntegralValueOutOfRange(..)
                | Error::InvalidColumnType(..)
                | Error::Utf8Error(..)),
            ) => Self::Damaged(error.to_string()),
            Fault::Sqlite(error) => Self::Unusable(error.to_string()),
        }
    }
}

fn failure(error: ffi::Error, text: Option<String>) -> StoreError {
    let why = text.unwrap_or_else(|| error.to_string());
    match (error.code, error.extended_code) {
        // File size limits and quotas are reported as failed writes, and so is a disk that rejects
        // a write: nothing has changed in either case.
        (ErrorCode::DiskFull, _) | (_, ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_SHMSIZE) => {
            StoreError::Full(why)
        }
        // The data may or may not be on the disk.
        (_, ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_DIR_FSYNC) => StoreError::Unknown(why),
        (ErrorCode::NotADatabase, _) => {
            StoreError::Unusable(format!("{why}: this is another kind of file"))
        }
        (ErrorCode::DatabaseCorrupt | ErrorCode::ConstraintViolation, _) => {
            StoreError::Damaged(why)
        }
        (
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::SystemIoFailure
            | ErrorCode::OutOfMemory,
            _,
        ) => StoreError::Unavailable(why),
        _ => StoreError::Unusable(why),
    }
}
