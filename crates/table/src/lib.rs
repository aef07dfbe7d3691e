//! Many rounds at one table: seats, clocks, the bank's rotation, the provable shoe, the ledger and
//! the journal.
//!
//! This crate is pure: it uses no clock, no file, no database and no random source. A [`Table`]
//! takes commands and the time, and returns a [`Batch`] of events, to be stored before it is sent
//! to any client. The stored entries are the table's journal, and [`replay`] rebuilds the same
//! table from it, to the bit.
//!
//! # A table
//!
//! This table deals on demand, without clocks. When it needs a deck, the caller provides a seed:
//!
//! ```
//! use std::sync::Arc;
//!
//! use croupier_rules::{Amount, Catalog, Decision, Seat};
//! use croupier_table::{Command, PlayerCommand, Seed, Table, Terms, TermsCache, Time, replay};
//!
//! let terms = Terms::new(&Catalog::shipped(), "uth-standard", None, None)?;
//! let now = Time::from_millis(1_700_000_000_000);
//! let (mut table, mut batch) = Table::open("seven", Arc::new(terms), now)?;
//!
//! let (seat, player) = (Seat::new(1).expect("a seat"), "ann".to_owned());
//! batch.extend(table.handle(PlayerCommand::Join { seat }.by(player.clone()), now)?);
//! assert!(table.needs_seed(now));
//! // A real seed comes from the operating system, and is used once.
//! batch.extend(table.handle(Command::OpenRound { seed: Seed::from_bytes([7; 32]) }, now)?);
//!
//! let (ante, bonus) = (Amount::cents(1_000), Amount::ZERO);
//! let wager = PlayerCommand::Wager { seat, ante, blind: None, bonus }.by(player.clone());
//! batch.extend(table.handle(wager, now)?);
//! batch.extend(table.handle(PlayerCommand::Deal {}.by(player.clone()), now)?);
//! let bet = PlayerCommand::Decide { seat, decision: Decision::Bet(4) };
//! batch.extend(table.handle(bet.by(player), now)?);
//!
//! // The round is over: its money has moved, and its record is in the journal.
//! assert_eq!(batch.played[0].seats[0].staked, Amount::cents(6_000));
//! assert_eq!(replay("seven", &batch.entries, &mut TermsCache::default())?, table);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Money
//!
//! Every movement is a [`Transfer`] between two [`Account`]s, under a key that says what it is for
//! and is used once. A [`Ledger`] is the simplest implementation of these rules.
//!
//! # Proof
//!
//! The deck of a round is a function of seeds that were committed to before ([`shuffle`]). The last
//! entry of a round in the journal is its record, so the journal's hash seals it. [`export`] writes
//! the two together, and [`verify`] checks all of it from that text alone.

#![deny(clippy::float_arithmetic)]

mod bots;
mod canonical;
mod command;
mod decide;
mod event;
mod fold;
mod hash;
mod journal;
mod ledger;
mod names;
mod open_round;
mod practice;
mod public_event;
mod record;
mod refusal;
mod shuffle;
mod table;
mod terms;
mod time;
mod undealt;
mod verify;
mod view;

pub use bots::{Awaited, BotAction, is_bot};
pub use command::{Command, OperatorCommand, PlayerCommand};
pub use event::{BankedRound, Checkpoint, Event, Record, SeatSeed, SeatedPlayer};
pub use fold::{replay, replay_money};
pub use hash::{Hash, HexError, from_hex, to_hex};
pub use journal::{Entry, JournalError, JournalFault, first_hash};
pub use ledger::{
    Account, Ledger, LedgerError, MOST_CHIPS, Movement, ParseAccountError, Transfer, movements,
};
pub use names::is_valid_text;
pub use open_round::Stage;
pub use practice::Purses;
pub use public_event::{PublicEvent, ShownEvent};
pub use record::export;
pub use refusal::Refusal;
pub use shuffle::{
    SEAT_SEED_MAX, SHUFFLE_VERSION, Seed, Stream, seat_commitment, shuffle, shuffle_key,
};
pub use table::{Batch, Played, PlayedSeat, Table};
pub use terms::{Clocks, Terms, TermsCache, TermsError};
pub use time::Time;
pub use undealt::{UNDEALT_FORMAT, export_undealt};
pub use verify::{Unverified, Verdict, Verified, verify};
pub use view::{
    BankerView, ChoiceView, CommitmentView, HandView, RoundView, SeatedPlayerView, StreetView,
    TableView,
};
