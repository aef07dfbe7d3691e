//! A store in a file, for one machine.
//!
//! SQLite allows only one writer at a time, so one thread writes: the waiting jobs are committed
//! together, with one wait for the disk. Another thread checkpoints the log. Readers have their own
//! connections, and see every change that was answered before they asked.

mod accounts;
mod checkpointer;
mod commands;
mod documents;
mod fault;
mod journals;
mod people;
mod reader;
mod rounds;
mod rows;
mod schema;
mod writer;

use std::fmt;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use croupier_table::Time;
use rusqlite::{Connection, OpenFlags};

use crate::error::StoreError;
use crate::status::{Status, system_time};
use checkpointer::Checkpointer;
use reader::Readers;
use rows::one;
use writer::Writer;

pub(crate) use fault::Fault;
pub(crate) use schema::{check as check_tables, is_behind, migrate as make_tables};

/// The oldest SQLite that may be used: earlier versions can damage a database in WAL mode when two
/// connections write and checkpoint at the wrong moment.
const OLDEST: i32 = 3_051_003;

/// How long a connection waits for another one, such as a backup or an operator's SQLite shell.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The capacity of a connection's statement cache: more than there are statements.
const STATEMENTS: usize = 64;

/// Every answered change is on the disk, and checkpoints run only when we start them.
const CAREFUL: &str = "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0";

/// Options for opening a database.
#[derive(Clone, Copy, Debug)]
pub struct SqliteOptions {
    /// The number of reader threads, at least one.
    pub readers: usize,
    /// A hook where a test ends the process, to check what is there when the database is opened
    /// again.
    ///
    /// The writer calls it with the name of the moment: `before-begin`; `entries-written`, in the
    /// middle of a change; `before-commit`, with a whole group written; and `after-commit`, before
    /// any caller gets its answer.
    pub probe: fn(&'static str),
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { readers: 2, probe: |_| () }
    }
}

/// A store in an SQLite database.
///
/// One process at a time [serves](Self::open) from the file; another one is refused. A
/// [guest](Self::open_as_guest) may write documents and profiles meanwhile. When the store is
/// dropped, it finishes its pending work, which may block for a moment.
///
/// ```
/// use croupier_store::{Journals, Sqlite, SqliteOptions};
///
/// # let folder = std::env::temp_dir().join(format!("croupier-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("croupier.db");
/// let store = Sqlite::open(&path, SqliteOptions::default())?;
/// # let _ = |store: Sqlite| async move {
/// assert_eq!(store.table("table-7").await, Ok(None));
/// # };
/// assert!(Sqlite::open(&path, SqliteOptions::default()).is_err(), "one process serves");
/// assert!(Sqlite::open_read_only(&path).is_ok(), "others may read");
/// # drop(store);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct Sqlite {
    path: PathBuf,
    // The readers are dropped before the writer, so that no reader blocks its last checkpoint.
    readers: Readers,
    writer: Option<Writer>,
}

impl Sqlite {
    /// Opens a database, creates it if it does not exist, and migrates it.
    ///
    /// # Errors
    ///
    /// When another process writes to it, when it is not a database of this program or belongs to a
    /// newer version, or when the disk does not allow it.
    pub fn open(path: impl AsRef<Path>, options: SqliteOptions) -> Result<Self, StoreError> {
        check_version(rusqlite::version_number())?;
        let path = resolve(path.as_ref())?;
        let lock = lock(&path)?.ok_or_else(|| {
            let path = path.display();
            StoreError::Unusable(format!(
                "{path} is in use: another process writes to it, and only one may. Stop that \
                 process first"
            ))
        })?;
        Self::open_locked(path, lock, options)
    }

    /// Opens a database as a guest if another process serves from it, and otherwise as
    /// [`open`](Self::open) does.
    ///
    /// A guest must leave tables and money alone: the other process may have newer state of them in
    /// memory. Documents and profiles are safe: each change to them is one transaction that SQLite
    /// isolates from all others, even when a process is killed in the middle of it. The other
    /// process notices the change through [`external_version`](Self::external_version).
    ///
    /// # Errors
    ///
    /// As `open`; and when the other process uses another version of the database.
    pub fn open_as_guest(
        path: impl AsRef<Path>,
        options: SqliteOptions,
    ) -> Result<Self, StoreError> {
        check_version(rusqlite::version_number())?;
        let path = resolve(path.as_ref())?;
        if let Some(lock) = lock(&path)? {
            return Self::open_locked(path, lock, options);
        }
        let open = || -> Result<Connection, Fault> {
            let connection = connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
            schema::check(&connection)?;
            connection.execute_batch(CAREFUL)?;
            Ok(connection)
        };
        let connection = open().map_err(|fault| at(&path, fault))?;
        let readers = Self::readers(&path, options.readers)?;
        let writer = Some(Writer::start(connection, None, options.probe)?);
        Ok(Self { path, readers, writer })
    }

    fn open_locked(path: PathBuf, lock: File, options: SqliteOptions) -> Result<Self, StoreError> {
        make_private(&path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let open = || -> Result<Connection, Fault> {
            let mut connection = connect(&path, flags)?;
            // The header is read before anything is written, so no file of another program is
            // touched.
            schema::look(&connection)?;
            let mode: String =
                connection.query_row("PRAGMA journal_mode = WAL", (), |row| row.get(0))?;
            if mode != "wal" {
                let message = format!("its journal mode is {mode}, but WAL is needed");
                return Err(StoreError::Unusable(message).into());
            }
            connection.execute_batch(CAREFUL)?;
            schema::migrate(&mut connection)?;
            Ok(connection)
        };
        let connection = open().map_err(|fault| at(&path, fault))?;
        let open_again = || -> Result<Connection, Fault> {
            let connection = connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
            connection.execute_batch(CAREFUL)?;
            Ok(connection)
        };
        let checkpointer = Checkpointer::start(open_again().map_err(|fault| at(&path, fault))?)?;
        let readers = Self::readers(&path, options.readers)?;
        let writer = Some(Writer::start(connection, Some((checkpointer, lock)), options.probe)?);
        Ok(Self { path, readers, writer })
    }

    /// Returns a number that changes when a [guest](Self::open_as_guest) process has written, but
    /// not when this store writes.
    ///
    /// # Errors
    ///
    /// When the database was opened read-only, or cannot be written to.
    pub async fn external_version(&self) -> Result<i64, StoreError> {
        let look = |connection: &Connection| -> Result<i64, Fault> {
            let mut statement = connection.prepare_cached("PRAGMA data_version")?;
            Ok(statement.query_row((), |row| row.get(0))?)
        };
        // Each connection has its own numbers, and the writer's notices all other connections.
        self.write(look).await
    }

    /// Opens a database read-only. Another process may be writing to it.
    ///
    /// # Errors
    ///
    /// When it does not exist, or has another version than this program writes.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        check_version(rusqlite::version_number())?;
        let path = resolve(path.as_ref())?;
        let readers = Self::readers(&path, 1)?;
        Ok(Self { path, readers, writer: None })
    }

    fn readers(path: &Path, count: usize) -> Result<Readers, StoreError> {
        let open = || -> Result<Connection, Fault> {
            let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            schema::check(&connection)?;
            Ok(connection)
        };
        let connections: Result<Vec<_>, Fault> = (0..count.max(1)).map(|_| open()).collect();
        Readers::start(connections.map_err(|fault| at(path, fault))?)
    }

    async fn read<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.readers.read(look).await
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer()?.write(work).await
    }

    fn writer(&self) -> Result<&Writer, StoreError> {
        self.writer.as_ref().ok_or_else(|| {
            let path = self.path.display();
            StoreError::Unusable(format!("{path} was opened read-only"))
        })
    }
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, is_writable) = (&self.path, self.writer.is_some());
        f.debug_struct("Sqlite")
            .field("path", path)
            .field("is_writable", &is_writable)
            .finish_non_exhaustive()
    }
}

/// Refuses an SQLite that is known to damage databases.
fn check_version(number: i32) -> Result<(), StoreError> {
    let name = |number: i32| {
        format!("{}.{}.{}", number / 1_000_000, number / 1_000 % 1_000, number % 1_000)
    };
    if number >= OLDEST {
        return Ok(());
    }
    let (found, oldest) = (name(number), name(OLDEST));
    Err(StoreError::Unusable(format!(
        "this program was built with SQLite {found}, which can damage a database; build it with \
         {oldest} or later"
    )))
}

/// Creates the file, if it does not exist, so that only its owner may read it: it holds the seeds
/// of future rounds. SQLite gives the same permissions to the files it creates next to it.
#[expect(clippy::disallowed_methods, reason = "this is where files are created")]
fn make_private(path: &Path) -> Result<(), StoreError> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) => {
            let path = path.display();
            Err(StoreError::Unusable(format!("{path} cannot be written: {error}")))
        }
    }
}

/// Returns the canonical path of a file that may not exist yet, so that no process gets around the
/// lock with another name for it.
fn resolve(path: &Path) -> Result<PathBuf, StoreError> {
    let refused = |why: &dyn fmt::Display| {
        StoreError::Unusable(format!("{} can't be a database: {why}", path.display()))
    };
    if let Ok(path) = path.canonicalize() {
        return Ok(path);
    }
    let name = path.file_name().ok_or_else(|| refused(&"it is not the name of a file"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    Ok(folder.canonicalize().map_err(|error| refused(&error))?.join(name))
}

/// How often a lock is tried, and the wait in between.
const TRIES: usize = 50;
const TRY_AGAIN: Duration = Duration::from_millis(10);

/// Locks the database against other processes that would serve from it, for as long as the file is
/// open; returns nothing, if another process holds the lock.
///
/// The system releases the lock when the process ends, however it ends. A process that is just
/// ending gets a moment to do so, and so does a forked child that has not run exec yet.
#[expect(clippy::disallowed_methods, reason = "a store opens files, and waits for locks")]
fn lock(path: &Path) -> Result<Option<File>, StoreError> {
    let mut sibling = path.as_os_str().to_owned();
    sibling.push(".lock");
    let sibling = PathBuf::from(sibling);
    let refused = |why: &dyn fmt::Display| {
        StoreError::Unusable(format!("{} cannot be locked: {why}", sibling.display()))
    };
    let file = File::options().write(true).create(true).truncate(false).open(&sibling);
    let file = file.map_err(|error| refused(&error))?;
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) => std::thread::sleep(TRY_AGAIN),
            Err(TryLockError::Error(error)) => return Err(refused(&error)),
        }
    }
    Ok(None)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, Fault> {
    // A connection belongs to one thread, and needs no internal locks.
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.execute_batch("PRAGMA mmap_size = 0")?;
    Ok(connection)
}

/// Adds the path of the file to an error.
pub(crate) fn at(path: &Path, fault: Fault) -> StoreError {
    let path = path.display();
    match StoreError::from(fault) {
        StoreError::Unusable(why) => StoreError::Unusable(format!("{path}: {why}")),
        StoreError::Damaged(why) => StoreError::Damaged(format!("{path}: {why}")),
        StoreError::Full(why) => StoreError::Full(format!("{path}: {why}")),
        StoreError::Unavailable(why) => StoreError::Unavailable(format!("{path}: {why}")),
        other => other,
    }
}

impl Status for Sqlite {
    async fn size(&self) -> Result<u64, StoreError> {
        self.read(size).await
    }

    async fn clock(&self) -> Result<Time, StoreError> {
        Ok(system_time())
    }
}

/// Returns the size of all pages in use, in bytes. Free pages are reused.
fn size(connection: &Connection) -> Result<u64, Fault> {
    let pages = "SELECT (page_count - freelist_count) * page_size
                 FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
    Ok(one(connection, pages, (), |row| row.get(0))?.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Crashing a process does not show whether a database would survive a crash of the machine.
    #[tokio::test]
    #[expect(clippy::disallowed_methods, reason = "the database of an earlier run is removed")]
    async fn the_writer_waits_for_the_disk() {
        let folder = std::env::temp_dir().join(format!("croupier-sync-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder can be created");
        let store = Sqlite::open(folder.join("croupier.db"), SqliteOptions::default());
        let store = store.expect("it is new");
        let read = store.write(|connection| {
            let synchronous: i64 =
                connection.query_row("PRAGMA synchronous", (), |row| row.get(0))?;
            let mode: String = connection.query_row("PRAGMA journal_mode", (), |row| row.get(0))?;
            Ok((synchronous, mode))
        });
        let full = 2;
        assert_eq!(read.await, Ok((full, "wal".to_owned())));
        drop(store);
        std::fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn an_sqlite_that_can_damage_a_database_is_refused() {
        assert_eq!(check_version(rusqlite::version_number()), Ok(()));
        assert_eq!(check_version(3_051_003), Ok(()));
        assert_eq!(check_version(4_000_000), Ok(()));
        for old in [3_051_002, 3_050_004, 3_040_001] {
            let Err(StoreError::Unusable(why)) = check_version(old) else { panic!("{old}") };
            assert!(why.contains("3.51.3 or later"), "{why}");
        }
    }
}
