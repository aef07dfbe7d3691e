//! The reasons an action is refused.

use croupier_cards::{Card, Category};
use thiserror::Error;

use crate::amount::Amount;
use crate::placard::multiples_of_ante;

/// The reason an action is refused. A refused action changes nothing.
///
/// The order of declaration is the order of precedence: if several reasons apply, the first is
/// given.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
pub enum Refusal {
    /// The round is over.
    #[error("the round is over")]
    RoundOver,
    /// "No more bets" has been called.
    #[error("no more bets: betting is closed")]
    BettingClosed,
    /// "No more bets" has not been called yet.
    #[error("betting is still open")]
    BettingOpen,
    /// All cards have been dealt.
    #[error("all cards have been dealt")]
    CardsDealt,
    /// Not all cards have been dealt yet.
    #[error("not all cards have been dealt yet")]
    CardsNotDealt,
    /// The table doesn't have this seat.
    #[error("the table has seats 1 to {seats}")]
    NoSuchSeat {
        /// The number of seats at the table.
        seats: u32,
    },
    /// The house banks.
    #[error("the house banks here")]
    HouseBanks,
    /// Another player already has the bank.
    #[error("another player has the bank")]
    BankTaken,
    /// A player must take the bank first.
    #[error("a player must take the bank first")]
    NoBanker,
    /// The player/dealer must post more than zero.
    #[error("the player/dealer must post more than $0")]
    BankEmpty,
    /// A posted wager may not be lowered once another seat has wagered against it.
    #[error("other seats have wagered against {least}: you can post more, not less")]
    BankLowered {
        /// The posted wager.
        least: Amount,
    },
    /// The player/dealer can't make another wager.
    #[error("the player/dealer can't make another wager this round")]
    BankerWagers,
    /// No seat has wagered.
    #[error("no seat has wagered")]
    NobodyWagered,
    /// Another player has the seat.
    #[error("another player has this seat")]
    NotYourSeat,
    /// The seat has no wager.
    #[error("this seat has no wager in the round")]
    NotInRound,
    /// The player would have too many seats.
    #[error("{}", too_many_seats(*.most))]
    TooManySeats {
        /// The most seats a player can have.
        most: u32,
    },
    /// There is a bonus wager but no Ante.
    #[error("a bonus wager needs an Ante")]
    BonusWithoutAnte,
    /// The Ante is too small.
    #[error("the Ante must be at least {least}")]
    AnteTooSmall {
        /// The minimum.
        least: Amount,
    },
    /// The Ante is too large.
    #[error("the Ante must be at most {most}")]
    AnteTooLarge {
        /// The maximum.
        most: Amount,
    },
    /// The Ante is not a multiple of the unit.
    #[error("the Ante must be a multiple of {unit}")]
    AnteOffUnit {
        /// The unit.
        unit: Amount,
    },
    /// The Blind is not equal to the Ante.
    #[error("the Blind must be equal to the Ante")]
    BlindNotAnte,
    /// The table has no bonus.
    #[error("there is no bonus at this table")]
    NoBonus,
    /// The bonus is too small.
    #[error("the bonus must be at least {least}, or none")]
    BonusTooSmall {
        /// The minimum.
        least: Amount,
    },
    /// The bonus is too large.
    #[error("the bonus must be at most {most}")]
    BonusTooLarge {
        /// The maximum.
        most: Amount,
    },
    /// The bonus is not a multiple of the unit.
    #[error("the bonus must be a multiple of {unit}")]
    BonusOffUnit {
        /// The unit.
        unit: Amount,
    },
    /// The player would make too many wagers. An Ante counts as one, with its Blind and Play.
    #[error("{}", too_many_games(*.most))]
    TooManyGames {
        /// The most wagers a player can make.
        most: u32,
    },
    /// The card has already been dealt.
    #[error("{card} has already been dealt")]
    CardRepeated {
        /// The card.
        card: Card,
    },
    /// The seat has already bet or folded.
    #[error("this hand has already bet or folded")]
    AlreadyDecided,
    /// The seat has already acted on this street and must wait for the others.
    #[error("this seat has already acted: wait for the others")]
    AlreadyActed,
    /// A check is not allowed now.
    #[error("you can't check now: bet or fold")]
    CannotCheck,
    /// A fold is not allowed now.
    #[error("you can't fold yet: check or bet")]
    CannotFold,
    /// The table checks or folds for a player; it never bets.
    #[error("the table checks or folds for a player, and never bets")]
    TableCannotBet,
    /// A bet this large needs a better hand.
    #[error("you need a {needs} or better to bet that much")]
    HandTooWeak {
        /// The weakest hand that can make the bet.
        needs: Category,
    },
    /// A bet of this size is not allowed now.
    #[error("you can bet {} the Ante now", multiples_of_ante(.allowed))]
    CannotBet {
        /// The multiples of the Ante that are allowed.
        allowed: Vec<u32>,
    },
}

impl Refusal {
    /// Returns the code that identifies the refusal to programs.
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
            Self::NoBanker => "nobody-banks",
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

fn too_many_seats(most: u32) -> String {
    match most {
        1 => "each player can have only one seat".to_owned(),
        most => format!("each player can have at most {most} seats"),
    }
}

fn too_many_games(most: u32) -> String {
    match most {
        1 => "there are no side bets at this table".to_owned(),
        most => format!(
            "a player can make at most {most} wagers: an Ante counts as one, with Blind and Play"
        ),
    }
}
