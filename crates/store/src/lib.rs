//! The journal and the ledger at rest.
//!
//! A [`Store`] keeps tables' journals, the money that moves, the people it belongs to, and papers
//! of which only a shell knows what they mean. There are three: [`Memory`], the reference;
//! [`Sqlite`], a file that one process writes; and [`Postgres`], which any number of processes
//! share. One kit of tests holds all three to the same promises, and a [`Database`] is any of them.
//!
//! A [`Floor`] runs the tables of a store. Any number of them do so at the same time, and none owns
//! a table. [`audit`] looks whether what is stored can be true, and [`backup`] and [`restore`] copy
//! any store into one file and back.
//!
//! ```
//! use croupier_rules::{Catalog, Seat};
//! use croupier_store::{CommandKey, Floor, Memory, os_entropy};
//! use croupier_table::{Command, Terms, Time};
//!
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! let floor = Floor::new(Memory::default(), Box::new(os_entropy));
//! let now = Time::from_millis(1_700_000_000_000);
//! let terms = Terms::new(&Catalog::shipped(), "utcp-standard", None, None)?;
//! floor.open("seven", terms, None, now).await?;
//!
//! let join = Command::Join { seat: Seat::new(1).expect("a seat"), player: "ann".to_owned() };
//! let key = CommandKey { sender: "ann".to_owned(), key: "my first".to_owned() };
//! let answer = floor.command("seven", join.clone(), Some(key.clone()), now).await?;
//! assert!(!answer.repeated);
//!
//! // Who does not know whether it arrived sends it again: it is done once.
//! let again = floor.command("seven", join, Some(key), now).await?;
//! assert!(again.repeated);
//! assert_eq!(again.text, answer.text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod audit;
mod backup;
mod clock;
mod database;
mod floor;
mod journal;
mod memory;
mod migration;
mod names;
mod postgres;
mod sqlite;
mod store;
mod takings;
mod undealt;

pub use audit::{Audit, audit};
pub use backup::{BackupError, Totals, backup, describe, is_postgres, restore};
pub use database::Database;
pub use floor::{Answer, Entropy, Floor, FloorError, Happened, Witness, os_entropy};
pub use memory::Memory;
pub use postgres::{Postgres, PostgresOptions};
pub use sqlite::{Sqlite, SqliteOptions};
pub use store::{
    Answered, Append, Choice, CommandKey, Paper, PlayedRound, Player, Request, RoundPlace,
    RoundRow, RoundSeat, Standing, Statistic, Store, StoreError, TableRow, Takings, Written,
};
pub use undealt::{ReturnedStake, Undealt};
