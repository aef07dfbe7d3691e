//! A store whose backend is chosen at run time.

use std::path::Path;

use croupier_rules::Amount;
use croupier_table::{Account, Entry, Hash, Time, Transfer};

use crate::accounts::{AccountState, Accounts};
use crate::backup::{Address, BackupError};
use crate::commands::{Answered, CommandKey, Written};
use crate::documents::{DocumentRow, Documents};
use crate::error::StoreError;
use crate::journals::{Append, Journals, TableRow};
use crate::memory::Memory;
use crate::people::{People, Player};
use crate::postgres::{Postgres, PostgresOptions};
use crate::rounds::{PlayedRound, RoundPlace, RoundRow, Rounds, Takings};
use crate::sqlite::{Sqlite, SqliteOptions};
use crate::status::Status;

/// A store of any kind.
///
/// ```
/// use croupier_store::{Database, Journals, Memory};
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
    /// Opens the database at an address, creates it if it does not exist, and migrates it.
    ///
    /// The address is the path of an SQLite file, or that of a PostgreSQL database, as for
    /// [`Postgres::connect`]. A file is opened at once, which blocks the thread for a moment.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], when the address is not valid; the message leaves it out, because
    /// it may contain a password. Otherwise as [`Sqlite::open`] and [`Postgres::connect`].
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        Self::open_by(address, |path| Sqlite::open(path, SqliteOptions::default())).await
    }

    /// Opens a database that another process may be serving from, for documents and profiles only:
    /// see [`Sqlite::open_as_guest`]. PostgreSQL is opened as usual.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub async fn open_as_guest(address: &str) -> Result<Self, StoreError> {
        Self::open_by(address, |path| Sqlite::open_as_guest(path, SqliteOptions::default())).await
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

    /// Returns a number that changes when a guest has written to a database that is not
    /// [shared](Self::is_shared): see [`Sqlite::external_version`].
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn external_version(&self) -> Result<i64, StoreError> {
        match self {
            Self::Memory(_) | Self::Postgres(_) => Ok(0),
            Self::Sqlite(store) => store.external_version().await,
        }
    }

    /// Returns whether other processes may write to it at the same time.
    pub const fn is_shared(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// Returns warnings for the operator.
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

/// Implements traits by forwarding every method to the store inside.
macro_rules! forward {
    ($($part:ident {
        $($question:ident($($name:ident: $type:ty),*) -> $answer:ty;)*
    })*) => {
        $(
            impl $part for Database {
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
        )*
    };
}

forward! {
    Journals {
        append(append: Append) -> Written;
        table(table: &str) -> Option<TableRow>;
        tables(after: &str, most: usize) -> Vec<TableRow>;
        versions(tables: Vec<String>) -> Vec<(String, u64)>;
        journal(table: &str, from: u64, most: usize) -> Vec<Entry>;
        claim(now: Time, until: Time, most: usize) -> Vec<String>;
        remove_unplayed(table: &str, before: Time) -> bool;
        answer(key: &CommandKey, body: &Hash) -> Option<String>;
    }
    Accounts {
        transfer(transfers: Vec<Transfer>, at: Time, command: Option<Answered>) -> Written;
        transfer_unless_changed(
            transfers: Vec<Transfer>, at: Time, account: &Account, seen: AccountState,
            command: Option<Answered>
        ) -> Written;
        balance(account: &Account) -> Amount;
        account_state(account: &Account) -> AccountState;
        balances(after: &str, most: usize) -> Vec<(Account, Amount)>;
        transfers(after: &str, most: usize) -> Vec<Transfer>;
    }
    Rounds {
        round(table: &str, round: u64) -> Option<RoundRow>;
        rounds_at(table: &str, before: u64, most: usize) -> Vec<RoundRow>;
        takings(from: Time, to: Time) -> Vec<Takings>;
        rounds_of(player: &str, before: &RoundPlace, most: usize) -> Vec<PlayedRound>;
    }
    People {
        add_player(player: Player) -> ();
        player(name: &str) -> Option<Player>;
        set_profile(name: &str, expected: &str, profile: &str) -> bool;
        remove_player(name: &str) -> bool;
    }
    Documents {
        document(collection: &str, key: &str) -> Option<DocumentRow>;
        documents(collection: &str, after: &str, most: usize) -> Vec<DocumentRow>;
        documents_of(
            collection: &str, owner: &str, after: &str, most: usize
        ) -> Vec<DocumentRow>;
        put_all(documents: Vec<DocumentRow>) -> ();
        delete(collection: &str, key: &str) -> bool;
        delete_of(collection: &str, owner: &str) -> u64;
        expire(now: Time, most: usize) -> u64;
    }
    Status {
        size() -> u64;
        clock() -> Time;
    }
}
