//! The journal and the ledger at rest.

mod audit;
mod backup;
mod floor;
mod journal;
mod memory;
mod migration;
mod postgres;
mod sqlite;
mod store;

pub use audit::{Audit, audit};
pub use backup::{Totals, backup, is_postgres, restore};
pub use floor::{Answer, Entropy, Floor, FloorError, os_entropy};
pub use memory::Memory;
pub use postgres::{Postgres, PostgresOptions};
pub use sqlite::{Sqlite, SqliteOptions};
pub use store::{
    Answered, Append, Choice, CommandKey, PlayedRound, Player, RoundPlace, RoundRow, RoundSeat,
    Statistic, Store, StoreError, TableRow, Written,
};
