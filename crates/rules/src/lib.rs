//! The rules of Ultimate Texas Hold'em and Ultimate Three Card Poker.
//!
//! This crate is pure: it uses no clock, no files and no randomness, and money is whole cents. A
//! [`Round`] is a round in progress; a [`Record`] is a round as text.
//!
//! # Houses
//!
//! A [`House`] is a [`Game`] with its terms and its bank; a [`PayTable`] lists what hands pay. Both
//! are data, read from TOML and checked once. Four houses and nine pay tables ship in a
//! [`Catalog`]; you can write more.
//!
//! ```
//! use croupier_cards::Category;
//! use croupier_rules::{Amount, Catalog};
//!
//! let catalog = Catalog::shipped();
//! let house = catalog.house("uth-california")?;
//! assert_eq!(house.source(), "California standards of play");
//!
//! let pays = house.blind_paytable().pays(Category::Flush).unwrap();
//! assert_eq!(pays.to_string(), "3:2");
//! assert_eq!(pays.of(Amount::cents(500)), Some(Amount::cents(750)));
//! # Ok::<(), croupier_rules::UnknownId>(())
//! ```
//!
//! A file with three mistakes gets three messages, each with its line:
//!
//! ```
//! use croupier_rules::PayTable;
//!
//! let text = r#"id = "MINE"
//! title = ""
//! source = "me"
//! bet = "trips"
//!
//! [pays]
//! flush = "3 for 2"
//! straigth = "1:1"
//! "#;
//! let faults = PayTable::from_toml(text).unwrap_err();
//! let lines: Vec<_> = faults.all().iter().map(|fault| fault.line).collect();
//! assert_eq!(lines, [Some(2), Some(7), Some(8)]);
//! assert_eq!(faults.all()[0].to_string(), "line 2: title: it is empty");
//! ```
//!
//! # Judging and settling
//!
//! A [`Judge`] handles cards and no money; [`settle`] handles money and no cards. Here a player has
//! bet four times an Ante of $5 and wins with a flush:
//!
//! ```
//! use croupier_rules::{Amount, ByBet, Catalog, Judge, Outcome, Seat, Staked, settle};
//!
//! let catalog = Catalog::shipped();
//! let house = catalog.house("uth-standard")?;
//! let [board, dealer, player] = ["Kh Jh 9h 6d 4c", "Ks 2d", "Ah 3h"]
//!     .map(|cards| cards.parse().expect("cards"));
//!
//! let judge = Judge::new(house.game(), house.qualifying(), board, dealer);
//! let (outcome, shown) = judge.judge(player, false);
//! assert_eq!(outcome, Outcome::Win);
//!
//! let [ante, play] = [500, 2_000].map(Amount::cents);
//! let staked = Staked {
//!     seat: Seat::new(1).expect("a seat"),
//!     stakes: ByBet { ante, blind: ante, play, bonus: Amount::ZERO },
//!     outcome,
//!     hand: shown.strength.category(),
//! };
//! let settlement = settle(house, None, judge.qualifies(), None, &[staked]);
//! assert_eq!(settlement.seats[0].net.to_string(), "$32.50");
//! assert_eq!(settlement.bank_net.to_string(), "-$32.50");
//! # Ok::<(), croupier_rules::UnknownId>(())
//! ```
//!
//! # Money
//!
//! An [`Amount`] is a whole number of cents and a [`Ratio`] pays whole cents or nothing: there is
//! no rounding anywhere. That is why a house whose unit cannot be paid exactly is refused when it
//! is read.

// A rule for the pure crates: exact numbers only.
#![deny(clippy::float_arithmetic)]

mod action;
mod admission;
mod amount;
mod bet;
mod catalog;
mod closed_set;
mod definition;
mod edition;
mod finished;
mod game;
mod house;
mod judge;
mod narration;
mod paytable;
mod placard;
mod ratio;
mod record;
mod refusal;
mod rotation;
mod round;
mod seat;
mod settle;
mod utcp;
mod uth;
mod view;

pub use action::{Action, Actor, Decision, Event, ParseDecisionError, Place};
pub use admission::{
    BONUSES_MAX, ID_MAX, RAISE_MAX, RAISES_MAX, RATIO_MAX, ROUND_MAX, SOURCE_MAX, STAKE_MAX,
    TERMS_BYTES_MAX, TITLE_MAX, is_invisible,
};
pub use amount::Amount;
pub use bet::{Bet, ByBet};
pub use catalog::{Catalog, KnownId, UnknownId};
pub use definition::{Fault, Faults};
pub use edition::Edition;
pub use finished::FinishedRound;
pub use game::{Deal, Game, GameDef, Pass, Raises, Street, StreetName, Strength};
pub use house::{AnteRefund, Bank, Banking, Coverage, DeckColor, House, Limits, PayoffOrder};
#[cfg(feature = "counting")]
pub use judge::judged;
pub use judge::{Judge, Outcome, Shown};
pub use narration::{NarratedBank, NarratedSeat, NarratedWager, Narration, Step, StepKind};
pub use paytable::{PayRow, PayTable, PayTableBet};
pub use placard::multiples_of_ante;
pub use ratio::{ParseRatioError, Ratio};
pub use record::{
    BankResult, BankerText, Cards, DealerResult, DeckText, FORMAT, Record, RecordError, RecordText,
    RoundResult, SeatResult, SeatText, WagersResult,
};
pub use refusal::Refusal;
pub use rotation::{Banked, offers};
pub use round::{Player, Round};
pub use seat::Seat;
pub use settle::{
    Banker, Moment, SeatSettlement, Settled, Settlement, Staked, Turn, WagerResult, settle,
    settle_void,
};
pub use view::{SeatView, View, Viewer};
