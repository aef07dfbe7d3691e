//! What can be asked of a table.

use croupier_rules::{Amount, Decision, Seat};
use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::shuffle::Seed;

/// Something that is asked of a table: by a player, by the operator, or by the shell that runs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// A player wants to sit down.
    Join {
        /// Where.
        seat: Seat,
        /// His name.
        player: String,
    },
    /// A player wants to leave: at once, or after the round that he is in.
    Leave {
        /// His seat.
        seat: Seat,
        /// His name.
        player: String,
    },
    /// A player wants to keep his seat without being waited for.
    SitOut {
        /// His seat.
        seat: Seat,
        /// His name.
        player: String,
    },
    /// A player wants to take part again.
    SitIn {
        /// His seat.
        seat: Seat,
        /// His name.
        player: String,
    },
    /// A player takes the bank that is offered to him, or posts something else.
    TakeBank {
        /// His seat.
        seat: Seat,
        /// His name.
        player: String,
        /// What he posts.
        wager: Amount,
    },
    /// A player passes the bank on.
    DeclineBank {
        /// His seat.
        seat: Seat,
        /// His name.
        player: String,
    },
    /// A player commits his seat to a seed of its own.
    CommitSeed {
        /// His seat.
        seat: Seat,
        /// His name.
        player: String,
        /// [What is shown of the seed](crate::seat_commitment).
        commitment: Hash,
    },
    /// A player shows the seed of his seat.
    RevealSeed {
        /// His seat.
        seat: Seat,
        /// His name.
        player: String,
        /// The seed, in hexadecimal digits.
        seed: String,
    },
    /// A player gives up the seed of their seat, so that the table does not wait for it.
    GiveUpSeed {
        /// Their seat.
        seat: Seat,
        /// Their name.
        player: String,
    },
    /// A player wagers, or wagers something else.
    Wager {
        /// His seat.
        seat: Seat,
        /// His name.
        player: String,
        /// The Ante.
        ante: Amount,
        /// The Blind; as much as the Ante, if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        blind: Option<Amount>,
        /// The bonus, or nothing.
        #[serde(default)]
        bonus: Amount,
    },
    /// A player takes his wager back.
    Withdraw {
        /// His seat.
        seat: Seat,
        /// His name.
        player: String,
    },
    /// A player decides.
    Decide {
        /// His seat.
        seat: Seat,
        /// His name.
        player: String,
        /// What he decides.
        decision: Decision,
    },
    /// Somebody wants something only if the table has not moved on since he looked: a decision that
    /// arrives when the table has already decided must not be taken for one on the next street.
    Expecting {
        /// The number of the round that he looked at.
        round: u64,
        /// How many decisions his seat had made in it, if that matters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<usize>,
        /// What he wants.
        then: Box<Self>,
    },
    /// A player asks for the cards, at a table without clocks.
    Deal {
        /// His name.
        player: String,
    },
    /// The shell brings a seed, when [the table needs one](crate::Table::needs_shoe).
    Shoe {
        /// The seed, fresh from the operating system.
        seed: Seed,
    },
    /// The operator stops the round.
    Void {
        /// Why.
        reason: String,
    },
    /// The operator wants no other round to open.
    Pause {
        /// Why.
        reason: String,
    },
    /// The operator lets the table go on.
    Resume,
    /// The operator closes the table: at once, or after the round if cards are out.
    Close {
        /// Why.
        reason: String,
        /// A player who may have it closed only if nobody else sits there, bots aside.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alone: Option<String>,
    },
}

/// Whose word a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender<'a> {
    /// A player's, by his name.
    Player(&'a str),
    /// The operator's.
    Operator,
    /// That of the shell that runs the table, and of nobody else.
    Shell,
}

impl Command {
    /// Returns whose word it is: nobody else's may be taken for it.
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
