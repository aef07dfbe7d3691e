//! A store in an SQLite file, as rows.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::contents::{PAGE, Rows, Table, Value};
use crate::sqlite::{Fault, at, check_tables, make_tables};
use crate::store::StoreError;

/// An SQLite file that is read or written row by row.
pub(super) struct File {
    connection: Connection,
    path: PathBuf,
}

impl File {
    /// Opens a file for reading. Others may write to it.
    #[expect(clippy::disallowed_methods, reason = "a backup is a file")]
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Unusable(format!("there is no file {}", path.display())));
        }
        let file = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        file.said(check_tables(&file.connection))?;
        Ok(file)
    }

    /// Makes a file with empty tables, and begins to fill them.
    pub(super) fn create(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut file = Self::connect(path, flags)?;
        let migrated = make_tables(&mut file.connection);
        file.said(migrated)?;
        // Nobody sees the file before it is whole, so that only the end must reach the disk.
        file.run("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN")?;
        Ok(file)
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let connection = Connection::open_with_flags(path, flags).and_then(|connection| {
            connection.busy_timeout(Duration::from_secs(5))?;
            Ok(connection)
        });
        match connection {
            Ok(connection) => Ok(Self { connection, path: path.to_owned() }),
            Err(error) => Err(at(path, Fault::from(error))),
        }
    }

    /// Sees everything as it is now from here on.
    pub(super) fn begin_reading(&self) -> Result<(), StoreError> {
        // The moment is that of the first look, not that of the word.
        self.run("BEGIN; SELECT count(*) FROM migrations")
    }

    /// Makes sure that the file is one that SQLite would have written.
    pub(super) fn check_integrity(&self) -> Result<(), StoreError> {
        let answer = self.connection.query_row("PRAGMA integrity_check(1)", (), |row| row.get(0));
        let answer: String = self.said(answer)?;
        if answer == "ok" {
            return Ok(());
        }
        Err(StoreError::Damaged(format!("{}: {answer}", self.path.display())))
    }

    /// Returns the rows of a table that come after these values.
    pub(super) fn page(&self, table: &Table, after: Option<&[Value]>) -> Result<Rows, StoreError> {
        let (name, names, keys) = (table.name, table.names(), table.keys());
        let place = match after {
            Some(_) => format!("WHERE ({keys}) > ({})", marks(table.key)),
            None => String::new(),
        };
        let sql = format!("SELECT {names} FROM {name} {place} ORDER BY {keys} LIMIT {PAGE}");
        let read = || -> rusqlite::Result<Rows> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let values = params_from_iter(after.into_iter().flatten());
            let rows = statement.query_map(values, |row| {
                (0..table.columns.len()).map(|column| row.get(column)).collect()
            })?;
            rows.collect()
        };
        self.said(read())
    }

    /// Adds rows to a table.
    pub(super) fn add(&self, table: &Table, rows: &[Vec<Value>]) -> Result<(), StoreError> {
        let (name, names) = (table.name, table.names());
        let marks = marks(table.columns.len());
        let sql = format!("INSERT INTO {name} ({names}) VALUES ({marks})");
        let write = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            for row in rows {
                statement.execute(params_from_iter(row))?;
            }
            Ok(())
        };
        self.said(write())
    }

    /// Ends the filling.
    pub(super) fn finish(self) -> Result<(), StoreError> {
        self.run("COMMIT; PRAGMA journal_mode = DELETE")?;
        let Self { connection, path } = self;
        connection.close().map_err(|(_, error)| at(&path, Fault::from(error)))
    }

    fn run(&self, sql: &str) -> Result<(), StoreError> {
        self.said(self.connection.execute_batch(sql))
    }

    fn said<T, E: Into<Fault>>(&self, answer: Result<T, E>) -> Result<T, StoreError> {
        answer.map_err(|error| at(&self.path, error.into()))
    }
}

fn marks(count: usize) -> String {
    vec!["?"; count].join(", ")
}
