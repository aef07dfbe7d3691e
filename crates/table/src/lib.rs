//! Many rounds at one table.

#![deny(clippy::float_arithmetic)]

mod hash;
mod journal;
mod ledger;
mod shuffle;
mod time;

pub use hash::{Hash, HexError, from_hex, to_hex};
pub use journal::{Entry, JournalError, JournalFault, first_hash};
pub use ledger::{Account, Ledger, LedgerError, ParseAccountError, Transfer, changes};
pub use shuffle::{SEAT_SEED_MAX, SHUFFLE_VERSION, Seed, Stream, seat_commitment, shuffle};
pub use time::Time;
