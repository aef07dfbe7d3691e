//! Any of the stores, for who learns only when he starts which it is.

use std::path::Path;

use croupier_rules::Amount;
use croupier_table::{Account, Entry, Hash, Time, Transfer};

use crate::backup::{Address, BackupError};
use crate::memory::Memory;
use crate::postgres::{Postgres, PostgresOptions};
use crate::sqlite::{Sqlite, SqliteOptions};
use crate::store::{
    Answered, Append, Choice, CommandKey, Paper, PlayedRound, Player, RoundPlace, RoundRow,
    Standing, Statistic, Store, StoreError, TableRow, Takings, Written,
};

/// A store of any kind.
///
/// ```
/// use croupier_store::{Database, Memory, Store};
///
/// let store = Database::from(Memory::default());
/// assert!(!store.is_shared());
/// # let _ = |store: Database| async move {
/// assert_eq!(store.table("table-7").await, Ok(None));
/// # };
/// ```
#[derive(Debug)]
pub enum Database {
    /// In memory.
    Memory(Memory),
    /// In an SQLite file.
    Sqlite(Sqlite),
    /// In PostgreSQL.
    Postgres(Postgres),
}

impl Database {
    /// Opens the database at an address, makes it if there is none, and brings it up to date.
    ///
    /// The address is the path of an SQLite file, or that of a PostgreSQL database, as for
    /// [`Postgres::connect`]. A file is opened at once, which blocks the thread for a moment.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], when it is no address, without the address in it, for the sake of
    /// passwords; and as [`Sqlite::open`] and [`Postgres::connect`].
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        Self::open_by(address, |path| Sqlite::open(path, SqliteOptions::default())).await
    }

    /// Opens the database at an address beside a process that may serve from it, for papers and
    /// profiles only: see [`Sqlite::open_beside`]. PostgreSQL is opened as ever.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub async fn open_beside(address: &str) -> Result<Self, StoreError> {
        Self::open_by(address, |path| Sqlite::open_beside(path, SqliteOptions::default())).await
    }

    async fn open_by(
        address: &str,
        open: impl FnOnce(&Path) -> Result<Sqlite, StoreError>,
    ) -> Result<Self, StoreError> {
        let address = Address::read(address).map_err(|error| match error {
            BackupError::Usage(why) | BackupError::Refused(why) => StoreError::Unusable(why),
            BackupError::Store(error) => error,
        })?;
        match address {
            Address::File(path) => open(path).map(Self::Sqlite),
            Address::Server(url) => {
                Postgres::connect(&url, PostgresOptions::default()).await.map(Self::Postgres)
            }
        }
    }

    /// Returns a number that is another one after a guest has written to a database that is not
    /// [shared](Self::is_shared): see [`Sqlite::outside_version`].
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn outside_version(&self) -> Result<i64, StoreError> {
        match self {
            Self::Memory(_) | Self::Postgres(_) => Ok(0),
            Self::Sqlite(store) => store.outside_version().await,
        }
    }

    /// Tells whether others may write to it at the same time.
    pub const fn is_shared(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// Returns what the operator should know about it.
    pub fn warnings(&self) -> &[String] {
        match self {
            Self::Memory(_) | Self::Sqlite(_) => &[],
            Self::Postgres(store) => store.warnings(),
        }
    }
}

impl From<Memory> for Database {
    fn from(store: Memory) -> Self {
        Self::Memory(store)
    }
}

impl From<Sqlite> for Database {
    fn from(store: Sqlite) -> Self {
        Self::Sqlite(store)
    }
}

impl From<Postgres> for Database {
    fn from(store: Postgres) -> Self {
        Self::Postgres(store)
    }
}

/// Passes every question on to the store that there is.
macro_rules! pass_on {
    ($($question:ident($($name:ident: $type:ty),*) -> $answer:ty;)*) => {
        impl Store for Database {
            $(
                async fn $question(&self, $($name: $type),*) -> Result<$answer, StoreError> {
                    match self {
                        Self::Memory(store) => store.$question($($name),*).await,
                        Self::Sqlite(store) => store.$question($($name),*).await,
                        Self::Postgres(store) => store.$question($($name),*).await,
                    }
                }
            )*
        }
    };
}

pass_on! {
    append(append: Append) -> Written;
    transfer(transfers: Vec<Transfer>, at: Time, command: Option<Answered>) -> Written;
    transfer_unless_changed(
        transfers: Vec<Transfer>, at: Time, account: &Account, seen: Standing,
        command: Option<Answered>
    ) -> Written;
    answer(key: &CommandKey, body: &Hash) -> Option<String>;
    table(table: &str) -> Option<TableRow>;
    tables(after: &str, most: usize) -> Vec<TableRow>;
    versions(tables: Vec<String>) -> Vec<(String, u64)>;
    journal(table: &str, from: u64, most: usize) -> Vec<Entry>;
    claim(now: Time, until: Time, most: usize) -> Vec<String>;
    remove_unplayed(table: &str, before: Time) -> bool;
    balance(account: &Account) -> Amount;
    standing(account: &Account) -> Standing;
    balances(after: &str, most: usize) -> Vec<(Account, Amount)>;
    transfers(after: &str, most: usize) -> Vec<Transfer>;
    round(table: &str, round: u64) -> Option<RoundRow>;
    rounds_at(table: &str, before: u64, most: usize) -> Vec<RoundRow>;
    takings(from: Time, to: Time) -> Vec<Takings>;
    rounds_of(player: &str, before: &RoundPlace, most: usize) -> Vec<PlayedRound>;
    add_player(player: Player) -> ();
    player(name: &str) -> Option<Player>;
    set_profile(name: &str, expected: &str, profile: &str) -> bool;
    remove_player(name: &str) -> bool;
    add_choices(choices: Vec<Choice>) -> ();
    forget_choices(player: &str) -> u64;
    mistakes(player: &str, most: usize) -> Vec<Choice>;
    statistics(player: &str) -> Vec<Statistic>;
    paper(drawer: &str, key: &str) -> Option<Paper>;
    file_all(papers: Vec<Paper>) -> ();
    discard(drawer: &str, key: &str) -> bool;
    papers(drawer: &str, after: &str, most: usize) -> Vec<Paper>;
    papers_of(drawer: &str, owner: &str, after: &str, most: usize) -> Vec<Paper>;
    discard_of(drawer: &str, owner: &str) -> u64;
    expire(now: Time, most: usize) -> u64;
    size() -> u64;
    clock() -> Time;
}
