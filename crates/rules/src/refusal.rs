//! Why an action is not taken.

use std::error::Error;
use std::fmt;

use croupier_cards::{Card, Category};

use crate::amount::Amount;

/// Why an action is refused. Nothing has changed then.
///
/// The order of declaration is the order of precedence: of several reasons, the first is given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The round is over.
    RoundOver,
    /// "No more bets" has been called.
    BettingClosed,
    /// "No more bets" has not been called yet.
    BettingOpen,
    /// All cards have been dealt.
    CardsDealt,
    /// Not all cards have been dealt yet.
    CardsNotDealt,
    /// The table has no such seat.
    NoSuchSeat {
        /// How many seats it has.
        seats: u32,
    },
    /// The house banks.
    HouseBanks,
    /// A player has the bank already.
    BankTaken,
    /// A player must take the bank first.
    NobodyBanks,
    /// Who banks posts more than nothing.
    BankEmpty,
    /// A posted wager may not be lowered once another seat has wagered against it.
    BankLowered {
        /// The posted wager.
        least: Amount,
    },
    /// Who banks makes no other wager.
    BankerWagers,
    /// Nobody has wagered.
    NobodyWagered,
    /// Somebody else has the seat.
    NotYourSeat,
    /// The seat has no wager.
    NotInRound,
    /// A player may not have so many seats.
    TooManySeats {
        /// How many he may have.
        most: u32,
    },
    /// There is a bonus and no Ante.
    BonusWithoutAnte,
    /// The Ante is too small.
    AnteTooSmall {
        /// The least.
        least: Amount,
    },
    /// The Ante is too large.
    AnteTooLarge {
        /// The most.
        most: Amount,
    },
    /// The Ante is not a multiple of the unit.
    AnteOffUnit {
        /// The unit.
        unit: Amount,
    },
    /// The Blind is not equal to the Ante.
    BlindNotAnte,
    /// The table has no bonus.
    NoBonus,
    /// The bonus is too small.
    BonusTooSmall {
        /// The least.
        least: Amount,
    },
    /// The bonus is too large.
    BonusTooLarge {
        /// The most.
        most: Amount,
    },
    /// The bonus is not a multiple of the unit.
    BonusOffUnit {
        /// The unit.
        unit: Amount,
    },
    /// A player may not wager on so many games.
    TooManyGames {
        /// On how many he may.
        most: u32,
    },
    /// The card has been dealt already.
    CardRepeated {
        /// The card.
        card: Card,
    },
    /// The seat has bet or folded already.
    AlreadyDecided,
    /// The seat has acted on this street and waits for the others.
    AlreadyActed,
    /// One cannot check now.
    CannotCheck,
    /// One cannot fold now.
    CannotFold,
    /// The table checks or folds for a player, and never bets.
    TableCannotBet,
    /// One could bet so much with a better hand.
    HandTooWeak {
        /// What the hand would have to be at least.
        needs: Category,
    },
    /// One cannot bet so much now.
    CannotBet {
        /// The multiples that one can.
        allowed: Vec<u32>,
    },
}

impl Refusal {
    /// Returns the code that programs know it by.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::RoundOver => "round-over",
            Self::BettingClosed => "betting-closed",
            Self::BettingOpen => "betting-open",
            Self::CardsDealt => "cards-dealt",
            Self::CardsNotDealt => "cards-not-dealt",
            Self::NoSuchSeat { .. } => "no-such-seat",
            Self::HouseBanks => "house-banks",
            Self::BankTaken => "bank-taken",
            Self::NobodyBanks => "nobody-banks",
            Self::BankEmpty => "bank-empty",
            Self::BankLowered { .. } => "bank-lowered",
            Self::BankerWagers => "banker-wagers",
            Self::NobodyWagered => "nobody-wagered",
            Self::NotYourSeat => "not-your-seat",
            Self::NotInRound => "not-in-round",
            Self::TooManySeats { .. } => "too-many-seats",
            Self::BonusWithoutAnte => "bonus-without-ante",
            Self::AnteTooSmall { .. } => "ante-too-small",
            Self::AnteTooLarge { .. } => "ante-too-large",
            Self::AnteOffUnit { .. } => "ante-off-unit",
            Self::BlindNotAnte => "blind-not-ante",
            Self::NoBonus => "no-bonus",
            Self::BonusTooSmall { .. } => "bonus-too-small",
            Self::BonusTooLarge { .. } => "bonus-too-large",
            Self::BonusOffUnit { .. } => "bonus-off-unit",
            Self::TooManyGames { .. } => "too-many-games",
            Self::CardRepeated { .. } => "card-repeated",
            Self::AlreadyDecided => "already-decided",
            Self::AlreadyActed => "already-acted",
            Self::CannotCheck => "cannot-check",
            Self::CannotFold => "cannot-fold",
            Self::TableCannotBet => "table-cannot-bet",
            Self::HandTooWeak { .. } => "hand-too-weak",
            Self::CannotBet { .. } => "cannot-bet",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RoundOver => write!(f, "the round is over"),
            Self::BettingClosed => write!(f, "no more bets: betting is closed"),
            Self::BettingOpen => write!(f, "betting is still open"),
            Self::CardsDealt => write!(f, "all cards have been dealt"),
            Self::CardsNotDealt => write!(f, "not all cards have been dealt yet"),
            Self::NoSuchSeat { seats } => write!(f, "the table has seats 1 to {seats}"),
            Self::HouseBanks => write!(f, "the house banks here"),
            Self::BankTaken => write!(f, "another player has the bank"),
            Self::NobodyBanks => write!(f, "a player must take the bank first"),
            Self::BankEmpty => write!(f, "who banks must post more than nothing"),
            Self::BankLowered { least } => {
                write!(f, "others have wagered against {least}: the bank may post more, not less")
            }
            Self::BankerWagers => write!(f, "who banks makes no other wager in the round"),
            Self::NobodyWagered => write!(f, "nobody has wagered"),
            Self::NotYourSeat => write!(f, "another player has this seat"),
            Self::NotInRound => write!(f, "this seat has no wager in the round"),
            Self::TooManySeats { most } => {
                write!(f, "a player may have {most} of the seats at most")
            }
            Self::BonusWithoutAnte => write!(f, "a bonus needs an Ante beside it"),
            Self::AnteTooSmall { least } => write!(f, "the Ante must be at least {least}"),
            Self::AnteTooLarge { most } => write!(f, "the Ante must be at most {most}"),
            Self::AnteOffUnit { unit } => write!(f, "the Ante must be a multiple of {unit}"),
            Self::BlindNotAnte => write!(f, "the Blind must be equal to the Ante"),
            Self::NoBonus => write!(f, "there is no bonus at this table"),
            Self::BonusTooSmall { least } => {
                write!(f, "the bonus must be at least {least}, or none")
            }
            Self::BonusTooLarge { most } => write!(f, "the bonus must be at most {most}"),
            Self::BonusOffUnit { unit } => write!(f, "the bonus must be a multiple of {unit}"),
            Self::TooManyGames { most: 1 } => {
                write!(f, "a player may wager on one game, which has no bonus")
            }
            Self::TooManyGames { most } => write!(f, "a player may wager on {most} games at most"),
            Self::CardRepeated { card } => write!(f, "{card} has been dealt already"),
            Self::AlreadyDecided => write!(f, "this hand has been bet or folded already"),
            Self::AlreadyActed => write!(f, "this seat has acted and waits for the others"),
            Self::CannotCheck => write!(f, "one cannot check any more: bet or fold"),
            Self::CannotFold => write!(f, "one cannot fold yet: check or bet"),
            Self::TableCannotBet => {
                write!(f, "the table checks or folds for a player, and never bets")
            }
            Self::HandTooWeak { needs } => {
                write!(f, "one needs a {needs} or better to bet so much")
            }
            Self::CannotBet { allowed } => {
                let allowed: Vec<String> =
                    allowed.iter().map(|times| format!("{times}x")).collect();
                write!(f, "one can bet {} the Ante now", allowed.join(" or "))
            }
        }
    }
}

impl Error for Refusal {}
