//! The reasons for refusing a command.

use std::error::Error;
use std::fmt;

use croupier_rules::{Refusal as RoundRefusal, Seat};

use crate::ledger::MOST_CHIPS;
use crate::shuffle::SEAT_SEED_MAX;
use crate::time::Time;

/// The reason why a table refuses a command. A refused command changes nothing.
///
/// The order of declaration is the order of precedence: of several reasons, the first is given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The table is closed for good.
    TableClosed,
    /// The table is no longer in the round or turn that the sender expected.
    MovedOn,
    /// A player's name or a reason is empty, too long, or has characters that are not allowed.
    BadText,
    /// The table has no such seat.
    NoSuchSeat {
        /// The number of seats.
        seats: u32,
    },
    /// The seat is taken.
    SeatTaken,
    /// The seat is empty.
    SeatEmpty,
    /// Another player has the seat.
    NotYourSeat,
    /// The player is not seated at the table.
    NotSeated,
    /// The player has as many seats as the house allows.
    TooManySeats {
        /// The most seats that a player may have.
        most: u32,
    },
    /// Other players are seated at the table.
    OthersSit,
    /// The table is about to close.
    TableClosing,
    /// The player has asked to leave.
    Leaving,
    /// The player is already sitting out.
    SitsOut,
    /// The player is not sitting out.
    SitsIn,
    /// The table is already paused.
    PausedAlready,
    /// The table is not paused.
    NotPaused,
    /// The table does not need a seed.
    ShoeNotNeeded,
    /// No round is open.
    NoRound,
    /// The bank is not offered to this seat.
    BankNotOffered,
    /// The table deals on a clock, not on demand.
    DealsByClock,
    /// Some seats have yet to show the seeds that they committed to.
    SeedsAwaited {
        /// The seats.
        seats: Vec<Seat>,
        /// When the table stops waiting for them.
        until: Time,
    },
    /// Betting is closed, so the seat can no longer commit to a seed.
    SeedTooLate,
    /// The time to show a seed is after "no more bets" and before the deal.
    SeedNotWanted,
    /// The seat has not committed to a seed.
    SeedNotCommitted,
    /// The seat has already shown its seed.
    SeedShown,
    /// The seat has given up its seed.
    SeedGivenUp,
    /// The seed is empty, too long, or not hexadecimal.
    SeedMalformed,
    /// The seed is not the one that the seat committed to.
    SeedMismatch,
    /// The round refuses the command.
    Round(RoundRefusal),
    /// The player has more chips than the limit for entering a round.
    TooManyChips,
    /// The player does not have enough chips.
    InsufficientChips,
}

impl Refusal {
    /// Returns the code that identifies the reason to programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TableClosed => "table-closed",
            Self::MovedOn => "moved-on",
            Self::BadText => "bad-text",
            Self::NoSuchSeat { .. } => "no-such-seat",
            Self::SeatTaken => "seat-taken",
            Self::SeatEmpty => "seat-empty",
            Self::NotYourSeat => "not-your-seat",
            Self::NotSeated => "not-seated",
            Self::TooManySeats { .. } => "too-many-seats",
            Self::OthersSit => "others-sit",
            Self::TableClosing => "table-closing",
            Self::Leaving => "leaving",
            Self::SitsOut => "sits-out",
            Self::SitsIn => "sits-in",
            Self::PausedAlready => "paused-already",
            Self::NotPaused => "not-paused",
            Self::ShoeNotNeeded => "shoe-not-needed",
            Self::NoRound => "no-round",
            Self::BankNotOffered => "bank-not-offered",
            Self::DealsByClock => "deals-by-clock",
            Self::SeedsAwaited { .. } => "seeds-awaited",
            Self::SeedTooLate => "seed-too-late",
            Self::SeedNotWanted => "seed-not-wanted",
            Self::SeedNotCommitted => "seed-not-committed",
            Self::SeedShown => "seed-shown",
            Self::SeedGivenUp => "seed-given-up",
            Self::SeedMalformed => "seed-malformed",
            Self::SeedMismatch => "seed-mismatch",
            Self::Round(refusal) => refusal.code(),
            Self::TooManyChips => "too-many-chips",
            Self::InsufficientChips => "insufficient-chips",
        }
    }

    /// Tells whether the same command may succeed later, after actions of other players.
    pub const fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::SeatTaken
                | Self::NoRound
                | Self::BankNotOffered
                | Self::SeedsAwaited { .. }
                | Self::SeedTooLate
                | Self::SeedNotWanted
                | Self::InsufficientChips
                | Self::Round(
                    RoundRefusal::BettingClosed
                        | RoundRefusal::BettingOpen
                        | RoundRefusal::NoBanker
                        | RoundRefusal::NobodyWagered
                        | RoundRefusal::AlreadyActed
                        | RoundRefusal::RoundOver
                )
        )
    }
}

impl From<RoundRefusal> for Refusal {
    fn from(refusal: RoundRefusal) -> Self {
        match refusal {
            RoundRefusal::NoSuchSeat { seats } => Self::NoSuchSeat { seats },
            RoundRefusal::NotYourSeat => Self::NotYourSeat,
            RoundRefusal::TooManySeats { most } => Self::TooManySeats { most },
            other => Self::Round(other),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TableClosed => f.write_str("the table is closed"),
            Self::MovedOn => f.write_str("the table has moved on: check its state and try again"),
            Self::BadText => {
                f.write_str("write 1 to 64 characters, none invisible, with no space at either end")
            }
            Self::NoSuchSeat { seats } => write!(f, "the table has seats 1 to {seats}"),
            Self::SeatTaken => f.write_str("this seat is taken"),
            Self::SeatEmpty => f.write_str("this seat is empty"),
            Self::NotYourSeat => f.write_str("another player has this seat"),
            Self::NotSeated => f.write_str("only a seated player can do that"),
            Self::TooManySeats { most } => RoundRefusal::TooManySeats { most: *most }.fmt(f),
            Self::OthersSit => f.write_str("other players are seated at the table"),
            Self::TableClosing => f.write_str("the table is about to close"),
            Self::Leaving => {
                f.write_str("you asked to leave: you give up this seat when the round ends")
            }
            Self::SitsOut => f.write_str("this seat is already sitting out"),
            Self::SitsIn => f.write_str("this seat isn't sitting out"),
            Self::PausedAlready => f.write_str("the table is already paused"),
            Self::NotPaused => f.write_str("the table is not paused"),
            Self::ShoeNotNeeded => f.write_str("the table doesn't need a new deck now"),
            Self::NoRound => f.write_str("no round is open: wait for the next one"),
            Self::BankNotOffered => f.write_str("the bank isn't offered to this seat now"),
            Self::DealsByClock => f.write_str("this table deals on a clock"),
            Self::SeedsAwaited { seats, until } => {
                let numbers: Vec<String> =
                    seats.iter().map(|seat| seat.number().to_string()).collect();
                let is_one = seats.len() == 1;
                let whose = if is_one { "the seed of seat" } else { "the seeds of seats" };
                let seconds = until.as_millis().div_euclid(1_000).rem_euclid(86_400);
                let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
                write!(f, "the table is waiting for {whose} {}, until ", numbers.join(", "))?;
                write!(f, "{hours:02}:{minutes:02}:{seconds:02} UTC")
            }
            Self::SeedTooLate => {
                f.write_str("a seat can commit to a seed only while betting is open")
            }
            Self::SeedNotWanted => {
                f.write_str("a seed can be shown only after \"no more bets\" and before the deal")
            }
            Self::SeedNotCommitted => f.write_str("this seat has not committed to a seed"),
            Self::SeedShown => f.write_str("this seat has already shown its seed"),
            Self::SeedGivenUp => f.write_str("this seat has given up its seed"),
            Self::SeedMalformed => {
                write!(f, "a seed is 1 to {SEAT_SEED_MAX} bytes in hexadecimal digits")
            }
            Self::SeedMismatch => f.write_str("this is not the seed that the seat committed to"),
            Self::Round(refusal) => refusal.fmt(f),
            Self::TooManyChips => {
                write!(f, "you can't enter a round with more than {MOST_CHIPS}")
            }
            Self::InsufficientChips => f.write_str("you don't have enough chips for that"),
        }
    }
}

impl Error for Refusal {}
