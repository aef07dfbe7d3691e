//! The actions of a round, and the events they cause.

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

/// An action of a player, of the dealer with the next card, or of the table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A player takes the bank and posts the wager that covers payoffs.
    Bank {
        /// The player's seat.
        seat: Seat,
        /// The player's name.
        player: String,
        /// The posted wager.
        wager: Amount,
    },
    /// A player makes a wager, or changes it.
    Wager {
        /// The player's seat.
        seat: Seat,
        /// The player's name.
        player: String,
        /// The Ante.
        ante: Amount,
        /// The Blind.
        blind: Amount,
        /// The bonus wager, or zero.
        bonus: Amount,
    },
    /// A player withdraws a wager.
    Withdraw {
        /// The player's seat.
        seat: Seat,
        /// The player's name.
        player: String,
    },
    /// The dealer calls "no more bets".
    NoMoreBets,
    /// The next card is dealt, to the next place in the order of the deal.
    Deal(Card),
    /// A seat decides.
    Decide {
        /// The seat.
        seat: Seat,
        /// The player or the table that decides for it.
        by: Actor,
        /// The decision.
        decision: Decision,
    },
    /// The round is stopped for a reason.
    Void(String),
}

/// The player or the table that decides for a seat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A player, by name.
    Player(String),
    /// The table, for a player whose time ran out.
    Table,
}

/// A seat's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// To wait for the next street.
    Check,
    /// To give up the hand.
    Fold,
    /// To bet this many times the Ante.
    Bet(u32),
}

/// A decision prints as in records: `check`, `fold`, `bet 4`.
impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check => f.pad("check"),
            Self::Fold => f.pad("fold"),
            Self::Bet(times) => f.pad(&format!("bet {times}")),
        }
    }
}

/// A decision is read only in the form in which it prints: `bet 4`, not `bet 04`.
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

#[cfg(feature = "schema")]
mod schema {
    use utoipa::openapi::{Object, ObjectBuilder, RefOr, Schema, Type};
    use utoipa::{PartialSchema, ToSchema};

    impl PartialSchema for super::Decision {
        fn schema() -> RefOr<Schema> {
            let schema: Object = ObjectBuilder::new()
                .schema_type(Type::String)
                .description(Some("A decision: `check`, `fold` or `bet N`."))
                .pattern(Some("^(check|fold|bet [1-9][0-9]{0,2})$"))
                .examples(["check"])
                .build();
            schema.into()
        }
    }

    impl ToSchema for super::Decision {}
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

/// The reason a string is not a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseDecisionError {
    /// It is none of the known words.
    Unknown {
        /// The string.
        text: String,
    },
    /// It bets a multiple that is too large to represent.
    TooMuch {
        /// The multiple of the Ante.
        times: String,
    },
}

impl fmt::Display for ParseDecisionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { text } => {
                write!(f, "\"{}\" is unknown: write check, fold, or bet N", text.escape_debug())
            }
            Self::TooMuch { times } => write!(f, "{times} times the Ante is too much to bet"),
        }
    }
}

impl Error for ParseDecisionError {}

/// The place a card goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// To a seat.
    Seat(Seat),
    /// To the dealer, or to the player who banks.
    Dealer,
    /// To the middle of the table.
    Community,
}

/// An event of a round. Events come in the order in which a dealer would call them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A player took the bank.
    Banked {
        /// The player's seat.
        seat: Seat,
        /// The posted wager.
        wager: Amount,
    },
    /// A player wagered.
    Wagered {
        /// The player's seat.
        seat: Seat,
        /// The Ante, which the Blind equals.
        ante: Amount,
        /// The bonus wager, or zero.
        bonus: Amount,
    },
    /// A player withdrew a wager.
    Withdrawn {
        /// The player's seat.
        seat: Seat,
    },
    /// Betting is closed.
    BettingClosed,
    /// A card was dealt, face down.
    Dealt {
        /// The place it went to.
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
        /// The decision.
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
        /// The outcome.
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
        /// The wager's result.
        settled: Settled,
    },
    /// The round was stopped.
    Voided(String),
}
