//! Why a command is not carried out.

use std::error::Error;
use std::fmt;

use croupier_rules::{Refusal as RoundRefusal, Seat};

use crate::ledger::MOST_CHIPS;
use crate::shuffle::SEAT_SEED_MAX;
use crate::time::Time;

/// Why a table refuses a command. Nothing has changed then.
///
/// The order of declaration is the order of precedence: of several reasons, the first is given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The table is closed for good.
    TableClosed,
    /// The table is not where the sender expected it to be.
    MovedOn,
    /// A player's name or a reason is not fit to be written down.
    BadText,
    /// The table has no such seat.
    NoSuchSeat {
        /// How many seats it has.
        seats: u32,
    },
    /// Somebody sits there.
    SeatTaken,
    /// Nobody sits there.
    SeatEmpty,
    /// Somebody else sits there.
    NotYourSeat,
    /// The player sits at no seat of the table.
    NotSeated,
    /// A player may not have so many seats.
    TooManySeats {
        /// How many he may have.
        most: u32,
    },
    /// Others sit at the table.
    OthersSit,
    /// The table is about to close.
    TableClosing,
    /// The player has asked to leave.
    Leaving,
    /// The player sits out already.
    SitsOut,
    /// The player does not sit out.
    SitsIn,
    /// The table is paused already.
    PausedAlready,
    /// The table is not paused.
    NotPaused,
    /// The table needs no seed.
    ShoeNotNeeded,
    /// No round is open.
    NoRound,
    /// The bank is not offered to this seat.
    BankNotOffered,
    /// The table deals by its clocks.
    DealsByClock,
    /// Seats have still to show the seeds that they committed to.
    SeedsAwaited {
        /// Which seats.
        seats: Vec<Seat>,
        /// Until when the table waits for them.
        until: Time,
    },
    /// Seeds are committed to while betting is open.
    SeedTooLate,
    /// Seeds are shown after "no more bets", and before the deal.
    SeedNotWanted,
    /// The seat has committed to no seed.
    SeedNotCommitted,
    /// The seat has shown its seed.
    SeedShown,
    /// The seat has given its seed up.
    SeedGivenUp,
    /// The seed is empty, too long, or not hexadecimal.
    SeedMalformed,
    /// The seed is not the one that the seat committed to.
    SeedMismatch,
    /// The round refuses it.
    Round(RoundRefusal),
    /// The player has more chips than can be played with.
    TooManyChips,
    /// The player has not so many chips.
    InsufficientChips,
}

impl Refusal {
    /// Returns the code that programs know it by.
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

    /// Tells whether the same command may be carried out later, if others do something first.
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
                        | RoundRefusal::NobodyBanks
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
            Self::MovedOn => f.write_str("the table has moved on since: look again"),
            Self::BadText => {
                f.write_str("write 1 to 64 characters, none of them invisible, and no space around")
            }
            Self::NoSuchSeat { seats } => write!(f, "the table has seats 1 to {seats}"),
            Self::SeatTaken => f.write_str("somebody sits there"),
            Self::SeatEmpty => f.write_str("nobody sits there"),
            Self::NotYourSeat => f.write_str("another player has this seat"),
            Self::NotSeated => f.write_str("only who sits at the table may ask for that"),
            Self::TooManySeats { most } => {
                write!(f, "a player may have {most} of the seats at most")
            }
            Self::OthersSit => f.write_str("others sit at the table"),
            Self::TableClosing => f.write_str("the table is about to close"),
            Self::Leaving => f.write_str("this seat leaves after the round"),
            Self::SitsOut => f.write_str("this seat sits out already"),
            Self::SitsIn => f.write_str("this seat takes part already"),
            Self::PausedAlready => f.write_str("the table is paused already"),
            Self::NotPaused => f.write_str("the table is not paused"),
            Self::ShoeNotNeeded => f.write_str("the table needs no other deck now"),
            Self::NoRound => f.write_str("no round is open: wait for the next"),
            Self::BankNotOffered => f.write_str("the bank is not offered to this seat now"),
            Self::DealsByClock => f.write_str("this table deals by its clocks"),
            Self::SeedsAwaited { seats, until } => {
                let numbers: Vec<String> =
                    seats.iter().map(|seat| seat.number().to_string()).collect();
                let is_one = seats.len() == 1;
                let whose = if is_one { "the seed of seat" } else { "the seeds of seats" };
                let seconds = until.as_millis().div_euclid(1_000).rem_euclid(86_400);
                let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
                write!(f, "the table waits for {whose} {}, until ", numbers.join(", "))?;
                write!(f, "{hours:02}:{minutes:02}:{seconds:02} UTC")
            }
            Self::SeedTooLate => f.write_str("a seed is committed to while betting is open"),
            Self::SeedNotWanted => {
                f.write_str("a seed is shown after \"no more bets\" and before the deal")
            }
            Self::SeedNotCommitted => f.write_str("this seat has committed to no seed"),
            Self::SeedShown => f.write_str("this seat has shown its seed already"),
            Self::SeedGivenUp => f.write_str("this seat has given its seed up"),
            Self::SeedMalformed => {
                write!(f, "a seed is 1 to {SEAT_SEED_MAX} bytes in hexadecimal digits")
            }
            Self::SeedMismatch => f.write_str("this is not the seed that was committed to"),
            Self::Round(refusal) => refusal.fmt(f),
            Self::TooManyChips => {
                write!(f, "no player enters a round with more than {MOST_CHIPS}")
            }
            Self::InsufficientChips => f.write_str("there are not enough chips for that"),
        }
    }
}

impl Error for Refusal {}
