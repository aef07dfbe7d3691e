//! A store in an SQLite file, as rows.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::BackupError;
use super::contents::{PAGE, Rows, Table, Value};
use crate::error::StoreError;
use crate::sqlite::{Fault, at, check_tables, is_behind, make_tables};

/// An SQLite file that is read or written row by row.
pub(super) struct File {
    connection: Connection,
    path: PathBuf,
}

impl File {
    /// Opens a file for reading. Other processes may write to it.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let file = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        file.said(check_tables(&file.connection))?;
        Ok(file)
    }

    /// Opens a backup for reading, after checking that it is whole. A backup by an earlier version
    /// of this program is migrated in a copy, and stays as it is.
    pub(super) fn open_backup(path: &Path) -> Result<Self, StoreError> {
        let file = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        if !file.said(is_behind(&file.connection))? {
            file.said(check_tables(&file.connection))?;
            file.begin_reading()?;
            file.check_integrity()?;
            return Ok(file);
        }
        file.check_integrity()?;
        let copy = file.said(file.copy())?;
        let mut copy = Self { connection: copy, path: file.path };
        let migrated = make_tables(&mut copy.connection);
        copy.said(migrated)?;
        copy.begin_reading()?;
        Ok(copy)
    }

    /// Copies everything into a nameless database. SQLite keeps it in memory as far as there is
    /// room, otherwise in a file that only this process can open, and it goes away with the
    /// connection.
    fn copy(&self) -> rusqlite::Result<Connection> {
        let mut copy = Connection::open("")?;
        let pages = i32::MAX;
        Backup::new(&self.connection, &mut copy)?.run_to_completion(pages, Duration::ZERO, None)?;
        Ok(copy)
    }

    /// Creates a file with empty tables, and begins to fill them.
    pub(super) fn create(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut file = Self::connect(path, flags)?;
        // No process sees the file before it is whole, so only the end must reach the disk.
        file.run("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")?;
        let migrated = make_tables(&mut file.connection);
        file.said(migrated)?;
        file.run("BEGIN")?;
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

    /// Begins a snapshot: everything is read as it is now.
    pub(super) fn begin_reading(&self) -> Result<(), StoreError> {
        // The snapshot is taken by the first query, not by BEGIN.
        self.run("BEGIN; SELECT count(*) FROM migrations")
    }

    /// Runs SQLite's own check of the file.
    fn check_integrity(&self) -> Result<(), StoreError> {
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

    /// Commits the rows.
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

/// The first bytes of every SQLite database.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// Checks that a file can be a database, and otherwise describes what it is.
pub(super) fn look(path: &Path) -> Result<(), BackupError> {
    let (name, header) = (path.display(), header(path)?);
    if header.is_empty() {
        return Err(BackupError::Usage(format!("{name} is empty: there is no database in it")));
    }
    if !header.starts_with(MAGIC) {
        let why = format!("{name} is not a database, but another kind of file");
        return Err(BackupError::Usage(why));
    }
    Ok(())
}

/// Checks that a file without writers is not truncated.
pub(super) fn check_length(path: &Path) -> Result<(), BackupError> {
    let header = header(path)?;
    let found = path.metadata().map_err(|error| unreadable(path, &error))?.len();
    let number = |from: usize, length: usize| {
        let bytes = header.get(from..from + length).unwrap_or_default();
        bytes.iter().fold(0, |number: u64, &byte| number << 8 | u64::from(byte))
    };
    let page = match number(16, 2) {
        1 => 65_536,
        size => size,
    };
    // The page count is valid only if it was written by the last change.
    let is_known = number(24, 4) == number(92, 4);
    let wanted = page * number(28, 4);
    if header.len() < HEADER || is_known && found < wanted {
        let wanted = wanted.max(HEADER as u64);
        let why = format!("{} is cut short: it has {found} bytes of {wanted}", path.display());
        return Err(StoreError::Damaged(why).into());
    }
    Ok(())
}

/// The length of an SQLite database's header.
const HEADER: usize = 100;

/// Returns the first bytes of a file.
#[expect(clippy::disallowed_methods, reason = "a backup is a file")]
fn header(path: &Path) -> Result<Vec<u8>, BackupError> {
    let failed = |error| unreadable(path, &error);
    let found = path.metadata().map_err(failed)?;
    if found.is_dir() {
        let why = format!("{} is a folder: name the file in it", path.display());
        return Err(BackupError::Usage(why));
    }
    if !found.is_file() {
        return Err(BackupError::Usage(format!("{} is not a file", path.display())));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(HEADER as u64).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

fn unreadable(path: &Path, error: &std::io::Error) -> BackupError {
    let name = path.display();
    BackupError::Usage(match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => format!("{name} does not exist"),
        ErrorKind::PermissionDenied => format!("{name} cannot be read: permission denied"),
        _ => format!("{name} cannot be read: {error}"),
    })
}

fn marks(count: usize) -> String {
    vec!["?"; count].join(", ")
}
