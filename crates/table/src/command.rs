//! Commands that a table takes.

use croupier_rules::{Amount, Decision, Seat};
use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::shuffle::Seed;

/// A command to a table: from a player, from the operator, or from the shell that runs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// A player wants to sit down.
    Join {
        /// The seat.
        seat: Seat,
        /// The player's name.
        player: String,
    },
    /// A player wants to leave: at once, or after the current round if the seat is in it.
    Leave {
        /// The seat.
        seat: Seat,
        /// The player's name.
        player: String,
    },
    /// A player wants to keep the seat without the table waiting for it.
    SitOut {
        /// The seat.
        seat: Seat,
        /// The player's name.
        player: String,
    },
    /// A player wants to stop sitting out.
    SitIn {
        /// The seat.
        seat: Seat,
        /// The player's name.
        player: String,
    },
    /// A player takes the bank that is offered to the seat, or posts another amount.
    TakeBank {
        /// The seat.
        seat: Seat,
        /// The player's name.
        player: String,
        /// The amount posted.
        wager: Amount,
    },
    /// A player declines the bank.
    DeclineBank {
        /// The seat.
        seat: Seat,
        /// The player's name.
        player: String,
    },
    /// A player commits the seat to a seed of its own.
    CommitSeed {
        /// The seat.
        seat: Seat,
        /// The player's name.
        player: String,
        /// [The commitment to the seed](crate::seat_commitment).
        commitment: Hash,
    },
    /// A player shows the seed of the seat.
    RevealSeed {
        /// The seat.
        seat: Seat,
        /// The player's name.
        player: String,
        /// The seed, in hexadecimal digits.
        seed: String,
    },
    /// A player gives up the seed of the seat, so the table does not wait for it.
    GiveUpSeed {
        /// The seat.
        seat: Seat,
        /// The player's name.
        player: String,
    },
    /// A player wagers, or wagers another amount.
    Wager {
        /// The seat.
        seat: Seat,
        /// The player's name.
        player: String,
        /// The Ante.
        ante: Amount,
        /// The Blind; the same as the Ante if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        blind: Option<Amount>,
        /// The bonus, or zero.
        #[serde(default)]
        bonus: Amount,
    },
    /// A player takes the wager back.
    Withdraw {
        /// The seat.
        seat: Seat,
        /// The player's name.
        player: String,
    },
    /// A player decides.
    Decide {
        /// The seat.
        seat: Seat,
        /// The player's name.
        player: String,
        /// The decision.
        decision: Decision,
    },
    /// The sender wants the command carried out only if the table has not moved on since they
    /// looked: a decision that arrives after the table has already decided must not be taken for
    /// one on the next street.
    Expecting {
        /// The number of the round that the sender saw.
        round: u64,
        /// The number of decisions that the seat had made in it, if that matters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<usize>,
        /// The command.
        then: Box<Self>,
    },
    /// A player asks for the cards, at a table without clocks.
    Deal {
        /// The player's name.
        player: String,
    },
    /// The shell brings a seed, when [the table needs one](crate::Table::needs_shoe).
    Shoe {
        /// The seed, fresh from the operating system.
        seed: Seed,
    },
    /// The operator stops the round.
    Void {
        /// The reason.
        reason: String,
    },
    /// The operator pauses the table: no new round opens.
    Pause {
        /// The reason.
        reason: String,
    },
    /// The operator resumes the table.
    Resume,
    /// The operator closes the table: at once, or after the round if cards are out.
    Close {
        /// The reason.
        reason: String,
        /// A player who may close it only if no other player is seated there, apart from bots.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alone: Option<String>,
    },
}

/// The sender of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender<'a> {
    /// A player, by name.
    Player(&'a str),
    /// The operator.
    Operator,
    /// Only the shell that runs the table.
    Shell,
}

impl Command {
    /// Returns the only sender that this command may be accepted from.
    pub fn sender(&self) -> Sender<'_> {
        match self {
            Self::Deal { player } => Sender::Player(player),
            Self::Shoe { .. } => Sender::Shell,
            Self::Void { .. } | Self::Pause { .. } | Self::Resume | Self::Close { .. } => {
                Sender::Operator
            }
            Self::Expecting { then, .. } => then.sender(),
            _ => self.of_seat().map_or(Sender::Shell, |(_, player)| Sender::Player(player)),
        }
    }

    /// Returns the seat and the player of a command that is about a seat.
    pub fn of_seat(&self) -> Option<(Seat, &str)> {
        match self {
            Self::Join { seat, player }
            | Self::Leave { seat, player }
            | Self::SitOut { seat, player }
            | Self::SitIn { seat, player }
            | Self::TakeBank { seat, player, .. }
            | Self::DeclineBank { seat, player }
            | Self::CommitSeed { seat, player, .. }
            | Self::RevealSeed { seat, player, .. }
            | Self::GiveUpSeed { seat, player }
            | Self::Wager { seat, player, .. }
            | Self::Withdraw { seat, player }
            | Self::Decide { seat, player, .. } => Some((*seat, player)),
            Self::Expecting { then, .. } => then.of_seat(),
            Self::Deal { .. }
            | Self::Shoe { .. }
            | Self::Void { .. }
            | Self::Pause { .. }
            | Self::Resume
            | Self::Close { .. } => None,
        }
    }
}
