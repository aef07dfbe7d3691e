//! What can be done in a round, and what happens when it is.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use croupier_cards::Card;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::amount::Amount;
use crate::bet::Bet;
use crate::judge::{Outcome, Shown};
use crate::seat::Seat;
use crate::settle::Settled;

/// Something that somebody does: a player, the dealer with the next card, or the table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A player takes the bank and posts what he pays from.
    Bank {
        /// His seat.
        seat: Seat,
        /// His name.
        player: String,
        /// What he posts.
        wager: Amount,
    },
    /// A player wagers, or wagers something else than before.
    Wager {
        /// His seat.
        seat: Seat,
        /// His name.
        player: String,
        /// The Ante.
        ante: Amount,
        /// The Blind.
        blind: Amount,
        /// The bonus, or nothing.
        bonus: Amount,
    },
    /// A player takes his wager back.
    Withdraw {
        /// His seat.
        seat: Seat,
        /// His name.
        player: String,
    },
    /// The dealer calls "no more bets".
    NoMoreBets,
    /// The next card is dealt to whoever is next.
    Deal(Card),
    /// A seat decides.
    Decide {
        /// The seat.
        seat: Seat,
        /// Who decides for it.
        by: Actor,
        /// What is decided.
        decision: Decision,
    },
    /// The round is stopped for a reason.
    Void(String),
}

/// Who decides for a seat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A player, by his name.
    Player(String),
    /// The table, for a player who is out of time.
    Table,
}

/// What a seat can decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// To wait for the next street.
    Check,
    /// To give up the hand.
    Fold,
    /// To bet so many times the Ante.
    Bet(u32),
}

/// A decision prints as records have it: `check`, `fold`, `bet 4`.
impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check => f.pad("check"),
            Self::Fold => f.pad("fold"),
            Self::Bet(times) => f.pad(&format!("bet {times}")),
        }
    }
}

/// A decision is read as it prints, and no other way: `bet 4`, and not `bet 04`.
impl FromStr for Decision {
    type Err = ParseDecisionError;

    fn from_str(text: &str) -> Result<Self, ParseDecisionError> {
        let times = text.strip_prefix("bet ").filter(|times| {
            let digits = times.bytes().all(|byte| byte.is_ascii_digit());
            digits && !times.is_empty() && (times.len() == 1 || !times.starts_with('0'))
        });
        match (text, times) {
            ("check", _) => Ok(Self::Check),
            ("fold", _) => Ok(Self::Fold),
            (_, Some(times)) => times
                .parse()
                .map(Self::Bet)
                .map_err(|_| ParseDecisionError::TooMuch { times: times.to_owned() }),
            (_, None) => Err(ParseDecisionError::Unknown { text: text.to_owned() }),
        }
    }
}

impl Serialize for Decision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Decision {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// A text is no decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseDecisionError {
    /// It is none of the words.
    Unknown {
        /// What was written.
        text: String,
    },
    /// It bets more than can be counted.
    TooMuch {
        /// How many times the Ante.
        times: String,
    },
}

impl fmt::Display for ParseDecisionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { text } => {
                write!(f, "\"{}\" is unknown: write check, fold, or bet N", text.escape_debug())
            }
            Self::TooMuch { times } => write!(f, "nobody can bet {times} times the Ante"),
        }
    }
}

impl Error for ParseDecisionError {}

/// Where a card goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// To a seat.
    Seat(Seat),
    /// To the dealer, or to the player who banks.
    Dealer,
    /// To the middle of the table.
    Community,
}

/// Something that happened, in the order in which a dealer would call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A player took the bank.
    Banked {
        /// His seat.
        seat: Seat,
        /// What he posted.
        wager: Amount,
    },
    /// A player wagered.
    Wagered {
        /// His seat.
        seat: Seat,
        /// The Ante, and the Blind beside it.
        ante: Amount,
        /// The bonus, or nothing.
        bonus: Amount,
    },
    /// A player took his wager back.
    Withdrawn {
        /// His seat.
        seat: Seat,
    },
    /// Betting is closed.
    BettingClosed,
    /// A card was dealt, face down.
    Dealt {
        /// Where it went.
        place: Place,
        /// The card.
        card: Card,
    },
    /// Community cards were turned.
    Turned(Vec<Card>),
    /// A seat decided.
    Decided {
        /// The seat.
        seat: Seat,
        /// What it decided.
        decision: Decision,
        /// Whether the table decided for it.
        by_table: bool,
    },
    /// The dealer's hand was turned.
    DealerShown {
        /// The hand.
        shown: Shown,
        /// Whether it qualifies.
        qualifies: bool,
    },
    /// A seat's hand was judged.
    Judged {
        /// The seat.
        seat: Seat,
        /// How it ended.
        outcome: Outcome,
        /// The hand.
        shown: Shown,
    },
    /// A wager was settled.
    Settled {
        /// The seat.
        seat: Seat,
        /// The wager.
        bet: Bet,
        /// What became of it.
        settled: Settled,
    },
    /// The round was stopped.
    Voided(String),
}
