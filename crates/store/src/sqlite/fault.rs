//! What SQLite says when it does not do something, and what that means to whoever asked.

use rusqlite::{Error, ErrorCode, ffi};

use crate::store::StoreError;

/// Why a piece of work was not done: for a reason of ours, or of SQLite's.
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
        // A limit on the size of files and a used-up quota are told as failed writes, and so is a
        // disk that does not take what is written to it: nothing has changed in either case.
        (ErrorCode::DiskFull, _) | (_, ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_SHMSIZE) => {
            StoreError::Full(why)
        }
        // What was written may or may not be on the disk.
        (_, ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_DIR_FSYNC) => StoreError::Unknown(why),
        (ErrorCode::NotADatabase, _) => {
            StoreError::Unusable(format!("{why}: another kind of file"))
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
