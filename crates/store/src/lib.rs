//! The journal and the ledger at rest.

mod floor;
#[expect(dead_code, reason = "the stores that use it are made one after the other")]
mod journal;
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "the stores that use it are made one after the other")
)]
mod migration;
mod store;

pub use floor::{Answer, Entropy, Floor, FloorError, os_entropy};
pub use store::{
    Answered, Append, Choice, CommandKey, PlayedRound, Player, RoundPlace, RoundRow, RoundSeat,
    Statistic, Store, StoreError, TableRow, Written,
};
