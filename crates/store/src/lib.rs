//! The journal and the ledger at rest.

mod store;

pub use store::{
    Answered, Append, Choice, CommandKey, PlayedRound, Player, RoundPlace, RoundRow, RoundSeat,
    Statistic, Store, StoreError, TableRow, Written,
};
