//! The journal and the ledger at rest.

mod floor;
mod audit;
mod backup;
mod journal;
mod memory;
mod migration;
mod postgres;
mod sqlite;
mod store;

pub use floor::{Answer, Entropy, Floor, FloorError, os_entropy};
pub use audit::{Audit, audit};
pub use backup::{Totals, backup, is_postgres, restore};
pub use memory::Memory;
pub use postgres::{Postgres, PostgresOptions};
pub use sqlite::{Options, Sqlite};
pub use store::{
    Answered, Append, Choice, CommandKey, PlayedRound, Player, RoundPlace, RoundRow, RoundSeat,
    Statistic, Store, StoreError, TableRow, Written,
};
