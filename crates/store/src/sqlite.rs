//! A store in a file, for one machine.
//!
//! SQLite has one writer at a time whatever one does, so there is one thread that writes: what is
//! waiting for it is committed together, with one wait for the disk. What it wrote to the log is
//! moved to its place by another thread. Readers have connections of their own, and see everything
//! that was answered before they asked.

mod fault;
mod mover;
mod papers;
mod reader;
mod reads;
mod schema;
mod writer;
mod writes;

use std::fmt;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use croupier_rules::Amount;
use croupier_table::{Account, Entry, Hash, Time, Transfer};
use rusqlite::{Connection, OpenFlags};

use crate::clock::system_time;
use crate::names;
use crate::store::{
    Answered, Append, Choice, CommandKey, Paper, PlayedRound, Player, RoundPlace, RoundRow,
    Standing, Statistic, Store, StoreError, TableRow, Takings, Written,
};
use mover::Mover;
use reader::Readers;
use writer::Writer;

pub(crate) use fault::Fault;
pub(crate) use schema::{check as check_tables, is_behind, migrate as make_tables};

/// The oldest SQLite that may be used: those before it can damage a database in WAL mode when two
/// connections write and clean up at the wrong moment.
const OLDEST: i32 = 3_051_003;

/// How long a connection waits for another one, which is a backup or somebody with a shell.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many statements a connection keeps ready: more than there are.
const STATEMENTS: usize = 64;

/// What is answered for is on the disk, and the log is moved when we say so.
const CAREFUL: &str = "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0";

/// How a database is opened.
#[derive(Clone, Copy, Debug)]
pub struct SqliteOptions {
    /// How many threads read, at least one.
    pub readers: usize,
    /// Where a test ends the process, to see what is there when it is opened again.
    ///
    /// The writer calls it with the name of the moment: `before-begin`; `entries-written`, in the
    /// midst of a change; `before-commit`, with a whole group written; and `after-commit`, before
    /// anybody is answered.
    pub probe: fn(&'static str),
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { readers: 2, probe: |_| () }
    }
}

/// A store in an SQLite database.
///
/// One process at a time [serves](Self::open) from the file; another one is refused at once. A
/// [guest](Self::open_beside) may write papers and profiles meanwhile. When the store is dropped,
/// it finishes what was asked of it, which may block for a moment.
///
/// ```
/// use croupier_store::{SqliteOptions, Sqlite, Store};
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
    // The readers are dropped before the writer, so that nobody looks at what it wants to clean up.
    readers: Readers,
    writer: Option<Writer>,
}

impl Sqlite {
    /// Opens a database, makes it if there is none, and brings it up to date.
    ///
    /// # Errors
    ///
    /// When somebody else writes to it, when it is not a database of this program or of a newer
    /// one, or when the disk does not let it.
    pub fn open(path: impl AsRef<Path>, options: SqliteOptions) -> Result<Self, StoreError> {
        check_version(rusqlite::version_number())?;
        let path = resolve(path.as_ref())?;
        let lock = lock(&path)?.ok_or_else(|| {
            let path = path.display();
            StoreError::Unusable(format!(
                "{path} is in use: another process writes to it, and only one may. Stop that one \
                 first"
            ))
        })?;
        Self::open_locked(path, lock, options)
    }

    /// Opens a database as a guest, if another process serves from it, and else as
    /// [`open`](Self::open) does.
    ///
    /// A guest must leave tables and money alone, of which the other process may know more than is
    /// written. Papers and profiles are safe: each change of them is one transaction that SQLite
    /// keeps apart from those of others, also when a process is killed in the midst of it. The
    /// other process learns from [`outside_version`](Self::outside_version) that there was one.
    ///
    /// # Errors
    ///
    /// As `open`; and when the other process has a database of another version.
    pub fn open_beside(path: impl AsRef<Path>, options: SqliteOptions) -> Result<Self, StoreError> {
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
            // The header is read before anything is written, so that no other file is touched.
            schema::look(&connection)?;
            let mode: String =
                connection.query_row("PRAGMA journal_mode = WAL", (), |row| row.get(0))?;
            if mode != "wal" {
                let message = format!("its journal mode is {mode}, and WAL is not possible");
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
        let mover = Mover::start(open_again().map_err(|fault| at(&path, fault))?)?;
        let readers = Self::readers(&path, options.readers)?;
        let writer = Some(Writer::start(connection, Some((mover, lock)), options.probe)?);
        Ok(Self { path, readers, writer })
    }

    /// Returns a number that is another one after a process that is a [guest](Self::open_beside)
    /// has written, and the same whatever this store wrote.
    ///
    /// # Errors
    ///
    /// When the database was opened for reading only, or cannot be written to.
    pub async fn outside_version(&self) -> Result<i64, StoreError> {
        let look = |connection: &Connection| -> Result<i64, Fault> {
            let mut statement = connection.prepare_cached("PRAGMA data_version")?;
            Ok(statement.query_row((), |row| row.get(0))?)
        };
        // Each connection has numbers of its own, and the one that writes notices all others.
        self.write(look).await
    }

    /// Opens a database that another process may be writing to. Nothing can be changed.
    ///
    /// # Errors
    ///
    /// When there is none, or it is of another version than this program writes.
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
            StoreError::Unusable(format!("{path} was opened for reading only"))
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

/// Makes the file, if it is not there, so that only its owner may read it: it has the seeds of
/// rounds to come. What SQLite makes beside it is like it.
#[expect(clippy::disallowed_methods, reason = "this is where files are made")]
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

/// Returns the one name of a file that may not be there yet, so that nobody gets around the lock
/// with another name for it.
fn resolve(path: &Path) -> Result<PathBuf, StoreError> {
    let refused = |why: &dyn fmt::Display| {
        StoreError::Unusable(format!("no database can be at {}: {why}", path.display()))
    };
    if let Ok(path) = path.canonicalize() {
        return Ok(path);
    }
    let name = path.file_name().ok_or_else(|| refused(&"it names no file"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    Ok(folder.canonicalize().map_err(|error| refused(&error))?.join(name))
}

/// How often a lock is tried, and how long it waits in between.
const TRIES: usize = 50;
const TRY_AGAIN: Duration = Duration::from_millis(10);

/// Makes sure that no other process serves from the database, for as long as the file is open;
/// nothing, if another one does. The system lets go of the lock when the process ends, however it
/// ends; one that is just ending is given a moment, and so is a child that has not become another
/// program yet.
#[expect(clippy::disallowed_methods, reason = "a store keeps files, and waits for who had them")]
fn lock(path: &Path) -> Result<Option<File>, StoreError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    let beside = PathBuf::from(beside);
    let refused = |why: &dyn fmt::Display| {
        StoreError::Unusable(format!("{} cannot be locked: {why}", beside.display()))
    };
    let file = File::options().write(true).create(true).truncate(false).open(&beside);
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
    // A connection belongs to one thread, and needs no locks of its own.
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.execute_batch("PRAGMA mmap_size = 0")?;
    Ok(connection)
}

/// Says which file it is that cannot be opened.
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

impl Store for Sqlite {
    async fn append(&self, append: Append) -> Result<Written, StoreError> {
        append.check()?;
        let writer = self.writer()?;
        let probe = writer.probe();
        writer.write(move |connection| writes::append(connection, &append, probe)).await
    }

    async fn transfer(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        names::check_transfers(&transfers)?;
        names::check_command(command.as_ref())?;
        self.write(move |connection| writes::transfer(connection, &transfers, at, command.as_ref()))
            .await
    }

    async fn transfer_unless_changed(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        account: &Account,
        seen: Standing,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        names::check_transfers(&transfers)?;
        names::check_command(command.as_ref())?;
        Standing::check(&transfers, account)?;
        let account = account.to_string();
        self.write(move |connection| {
            let unless = (&*account, seen);
            writes::transfer_unless_changed(connection, &transfers, at, unless, command.as_ref())
        })
        .await
    }

    async fn answer(&self, key: &CommandKey, body: &Hash) -> Result<Option<String>, StoreError> {
        names::check_key(key)?;
        let (key, body) = (key.clone(), *body);
        self.read(move |connection| reads::answer(connection, &key, &body)).await
    }

    async fn table(&self, table: &str) -> Result<Option<TableRow>, StoreError> {
        let table = table.to_owned();
        self.read(move |connection| reads::table(connection, &table)).await
    }

    async fn tables(&self, after: &str, most: usize) -> Result<Vec<TableRow>, StoreError> {
        let after = after.to_owned();
        self.read(move |connection| reads::tables(connection, &after, most)).await
    }

    async fn versions(&self, tables: Vec<String>) -> Result<Vec<(String, u64)>, StoreError> {
        self.read(move |connection| reads::versions(connection, tables)).await
    }

    async fn journal(&self, table: &str, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        let table = table.to_owned();
        self.read(move |connection| reads::journal(connection, &table, from, most)).await
    }

    async fn claim(&self, now: Time, until: Time, most: usize) -> Result<Vec<String>, StoreError> {
        self.write(move |connection| writes::claim(connection, now, until, most)).await
    }

    async fn remove_unplayed(&self, table: &str, before: Time) -> Result<bool, StoreError> {
        let table = table.to_owned();
        self.write(move |connection| writes::remove_unplayed(connection, &table, before)).await
    }

    async fn balance(&self, account: &Account) -> Result<Amount, StoreError> {
        let account = account.to_string();
        self.read(move |connection| {
            let balance = reads::balance(connection, &account)?;
            Ok(balance.unwrap_or_default())
        })
        .await
    }

    async fn standing(&self, account: &Account) -> Result<Standing, StoreError> {
        let account = account.to_string();
        self.read(move |connection| Ok(reads::standing(connection, &account)?.unwrap_or_default()))
            .await
    }

    async fn balances(
        &self,
        after: &str,
        most: usize,
    ) -> Result<Vec<(Account, Amount)>, StoreError> {
        let after = after.to_owned();
        self.read(move |connection| reads::balances(connection, &after, most)).await
    }

    async fn transfers(&self, after: &str, most: usize) -> Result<Vec<Transfer>, StoreError> {
        let after = after.to_owned();
        self.read(move |connection| reads::transfers(connection, &after, most)).await
    }

    async fn round(&self, table: &str, round: u64) -> Result<Option<RoundRow>, StoreError> {
        let table = table.to_owned();
        self.read(move |connection| reads::round(connection, &table, round)).await
    }

    async fn rounds_at(
        &self,
        table: &str,
        before: u64,
        most: usize,
    ) -> Result<Vec<RoundRow>, StoreError> {
        let table = table.to_owned();
        self.read(move |connection| reads::rounds_at(connection, &table, before, most)).await
    }

    async fn takings(&self, from: Time, to: Time) -> Result<Vec<Takings>, StoreError> {
        self.read(move |connection| reads::takings(connection, from, to)).await
    }

    async fn rounds_of(
        &self,
        player: &str,
        before: &RoundPlace,
        most: usize,
    ) -> Result<Vec<PlayedRound>, StoreError> {
        let (player, before) = (player.to_owned(), before.clone());
        self.read(move |connection| reads::rounds_of(connection, &player, &before, most)).await
    }

    async fn add_player(&self, player: Player) -> Result<(), StoreError> {
        names::check_player(&player)?;
        self.write(move |connection| writes::add_player(connection, &player)).await
    }

    async fn player(&self, name: &str) -> Result<Option<Player>, StoreError> {
        let name = name.to_owned();
        self.read(move |connection| reads::player(connection, &name)).await
    }

    async fn set_profile(
        &self,
        name: &str,
        expected: &str,
        profile: &str,
    ) -> Result<bool, StoreError> {
        names::check_profiles(expected, profile)?;
        let (name, expected, profile) = (name.to_owned(), expected.to_owned(), profile.to_owned());
        self.write(move |connection| writes::set_profile(connection, &name, &expected, &profile))
            .await
    }

    async fn remove_player(&self, name: &str) -> Result<bool, StoreError> {
        let name = name.to_owned();
        self.write(move |connection| writes::remove_player(connection, &name)).await
    }

    async fn add_choices(&self, choices: Vec<Choice>) -> Result<(), StoreError> {
        choices.iter().try_for_each(Choice::check)?;
        self.write(move |connection| writes::add_choices(connection, &choices)).await
    }

    async fn forget_choices(&self, player: &str) -> Result<u64, StoreError> {
        let player = player.to_owned();
        self.write(move |connection| writes::forget_choices(connection, &player)).await
    }

    async fn mistakes(&self, player: &str, most: usize) -> Result<Vec<Choice>, StoreError> {
        let player = player.to_owned();
        self.read(move |connection| reads::mistakes(connection, &player, most)).await
    }

    async fn statistics(&self, player: &str) -> Result<Vec<Statistic>, StoreError> {
        let player = player.to_owned();
        self.read(move |connection| reads::statistics(connection, &player)).await
    }

    async fn paper(&self, drawer: &str, key: &str) -> Result<Option<Paper>, StoreError> {
        let (drawer, key) = (drawer.to_owned(), key.to_owned());
        self.read(move |connection| papers::paper(connection, &drawer, &key)).await
    }

    async fn file_all(&self, papers: Vec<Paper>) -> Result<(), StoreError> {
        Paper::check_all(&papers)?;
        self.write(move |connection| papers::file_all(connection, &papers)).await
    }

    async fn discard(&self, drawer: &str, key: &str) -> Result<bool, StoreError> {
        let (drawer, key) = (drawer.to_owned(), key.to_owned());
        self.write(move |connection| papers::discard(connection, &drawer, &key)).await
    }

    async fn papers(
        &self,
        drawer: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<Paper>, StoreError> {
        let (drawer, after) = (drawer.to_owned(), after.to_owned());
        self.read(move |connection| papers::papers(connection, &drawer, &after, most)).await
    }

    async fn papers_of(
        &self,
        drawer: &str,
        owner: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<Paper>, StoreError> {
        let (drawer, owner, after) = (drawer.to_owned(), owner.to_owned(), after.to_owned());
        self.read(move |connection| papers::papers_of(connection, &drawer, &owner, &after, most))
            .await
    }

    async fn discard_of(&self, drawer: &str, owner: &str) -> Result<u64, StoreError> {
        let (drawer, owner) = (drawer.to_owned(), owner.to_owned());
        self.write(move |connection| papers::discard_of(connection, &drawer, &owner)).await
    }

    async fn expire(&self, now: Time, most: usize) -> Result<u64, StoreError> {
        self.write(move |connection| papers::expire(connection, now, most)).await
    }

    async fn size(&self) -> Result<u64, StoreError> {
        self.read(reads::size).await
    }

    async fn clock(&self) -> Result<Time, StoreError> {
        Ok(system_time())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No crash of a process shows whether a database would outlive that of a machine.
    #[tokio::test]
    #[expect(clippy::disallowed_methods, reason = "the database of an earlier run is removed")]
    async fn the_writer_waits_for_the_disk() {
        let folder = std::env::temp_dir().join(format!("croupier-sync-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder can be made");
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
