//! The journal and the ledger at rest.

mod floor;
mod store;

pub use floor::{Answer, Entropy, Floor, FloorError, os_entropy};
pub use store::{
    Answered, Append, Choice, CommandKey, PlayedRound, Player, RoundPlace, RoundRow, RoundSeat,
    Statistic, Store, StoreError, TableRow, Written,
};
