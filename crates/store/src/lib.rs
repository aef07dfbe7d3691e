//! Stores for the journal and the ledger.
//!
//! A [`Store`] keeps tables' journals, the money that moves, the players it belongs to, and
//! documents that only a shell can interpret: each noun is a trait, and code asks only for those it
//! needs. There are three stores: [`Memory`], the reference; [`Sqlite`], a file that one process
//! writes; and [`Postgres`], which any number of processes share. One test kit holds all three to
//! the same promises, and a [`Database`] is any of them.
//!
//! A [`Floor`] runs the tables of a store, and [`Timeouts`] wakes them. Any number of floors do so
//! at the same time, and none owns a table. A shell keeps its own state in [`Collection`]s.
//! [`audit`] checks that the stored data is consistent, and [`backup`] and [`restore`] copy any
//! store into one file and back.
//!
//! ```
//! use croupier_rules::{Catalog, Seat};
//! use croupier_store::{CommandKey, Floor, Memory, os_entropy};
//! use croupier_table::{PlayerCommand, Terms, Time};
//!
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! let floor = Floor::new(Memory::default(), Box::new(os_entropy));
//! let now = Time::from_millis(1_700_000_000_000);
//! let terms = Terms::new(&Catalog::shipped(), "utcp-standard", None, None)?;
//! floor.open("seven", terms, None, now).await?;
//!
//! let join = PlayerCommand::Join { seat: Seat::new(1).expect("a seat") }.by("ann");
//! let key = CommandKey { sender: "ann".to_owned(), key: "my first".to_owned() };
//! let answer = floor.command("seven", join.clone(), Some(key.clone()), now).await?;
//! assert!(!answer.repeated);
//!
//! // A client that got no answer sends the command again: it is carried out once.
//! let again = floor.command("seven", join, Some(key), now).await?;
//! assert!(again.repeated);
//! assert_eq!(again.text, answer.text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accounts;
mod audit;
mod backup;
mod collection;
mod commands;
mod database;
mod documents;
mod error;
mod failing;
mod floor;
mod journals;
mod limits;
mod memory;
mod migration;
mod people;
mod postgres;
mod rounds;
mod sqlite;
mod status;
mod store;
mod takings;
mod timeouts;
mod undealt;

pub use accounts::{AccountState, Accounts};
pub use audit::{Audit, audit};
pub use backup::{BackupError, Totals, backup, describe, is_postgres, restore};
pub use collection::{Collection, Document, Text};
pub use commands::{Answered, CommandKey, Request, Written};
pub use database::Database;
pub use documents::{DocumentRow, Documents};
pub use error::StoreError;
pub use failing::FailingTables;
pub use floor::{Answer, EndedRound, Entropy, Floor, FloorError, Listener, Update, os_entropy};
pub use journals::{Append, Journals, TableRow};
pub use memory::Memory;
pub use people::{People, Player};
pub use postgres::{Postgres, PostgresOptions};
pub use rounds::{PlayedRound, RoundPlace, RoundRow, RoundSeat, Rounds, Takings};
pub use sqlite::{Sqlite, SqliteOptions};
pub use status::Status;
pub use store::Store;
pub use timeouts::{DueTable, TimeoutFailure, TimeoutOptions, Timeouts};
pub use undealt::{ReturnedStake, Undealt};
