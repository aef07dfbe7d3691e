//! Many rounds at one table.

#![deny(clippy::float_arithmetic)]

mod canonical;
mod command;
mod decide;
mod event;
mod fold;
mod hash;
mod journal;
mod ledger;
mod open_round;
mod record;
mod refusal;
mod shuffle;
mod table;
mod terms;
mod time;
mod verify;

pub use command::Command;
pub use event::{BankedRound, Checkpoint, Event, Record, Sitter};
pub use fold::{replay, replay_money};
pub use hash::{Hash, HexError, from_hex, to_hex};
pub use journal::{Entry, JournalError, JournalFault, first_hash};
pub use ledger::{Account, Ledger, LedgerError, Movement, ParseAccountError, Transfer, movements};
pub use open_round::Stage;
pub use record::export;
pub use refusal::Refusal;
pub use shuffle::{
    SEAT_SEED_MAX, SHUFFLE_VERSION, Seed, Stream, seat_commitment, shuffle, shuffle_key,
};
pub use table::{Batch, Played, PlayedSeat, Table};
pub use terms::{Clocks, Shelf, Terms, TermsError};
pub use time::Time;
pub use verify::{Unverified, Verified, verify};
