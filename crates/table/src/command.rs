//! Commands that a table takes.

use croupier_rules::{Amount, Decision, Seat};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::hash::Hash;
use crate::shuffle::Seed;

/// A command to a table: from a player, from the operator, or from the shell that runs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    /// A player's command. The shell knows the player: a client names only the command.
    Player {
        /// The player's name.
        player: String,
        /// The command.
        command: PlayerCommand,
    },
    /// The operator's command.
    Operator(OperatorCommand),
    /// The shell opens a round, when [the table needs a seed](crate::Table::needs_seed).
    OpenRound {
        /// The seed, fresh from the operating system.
        seed: Seed,
    },
}

/// A player's command to a table. Amounts are in cents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Order))]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
pub enum PlayerCommand {
    /// Sit down.
    Join {
        /// The seat.
        seat: Seat,
    },
    /// Leave: at once, or after the round.
    Leave {
        /// Your seat.
        seat: Seat,
    },
    /// Keep the seat, but don't make the table wait for it.
    SitOut {
        /// Your seat.
        seat: Seat,
    },
    /// Take part again.
    SitIn {
        /// Your seat.
        seat: Seat,
    },
    /// Take the bank that is offered, or change the amount posted.
    TakeBank {
        /// Your seat.
        seat: Seat,
        /// The amount to post.
        #[cfg_attr(feature = "schema", schema(value_type = i64, minimum = 1, example = 50_000))]
        wager: Amount,
    },
    /// Pass the bank on.
    DeclineBank {
        /// Your seat.
        seat: Seat,
    },
    /// Commit the seat to a seed of its own.
    CommitSeed {
        /// Your seat.
        seat: Seat,
        /// The commitment to the seed.
        commitment: Hash,
    },
    /// Reveal the seed of the seat.
    RevealSeed {
        /// Your seat.
        seat: Seat,
        /// The seed, in hexadecimal digits.
        #[cfg_attr(feature = "schema", schema(max_length = 128))]
        seed: String,
    },
    /// Give up the seed of the seat, so that the table does not wait for it. It counts as empty.
    GiveUpSeed {
        /// Your seat.
        seat: Seat,
    },
    /// Wager, or change the wager.
    Wager {
        /// Your seat.
        seat: Seat,
        /// The Ante.
        #[cfg_attr(feature = "schema", schema(value_type = i64, minimum = 1, example = 1000))]
        ante: Amount,
        /// The Blind. The default is the amount of the Ante.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        blind: Option<Amount>,
        /// The bonus, or zero.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(value_type = i64, minimum = 0, example = 500))]
        bonus: Amount,
    },
    /// Take the wager back.
    Withdraw {
        /// Your seat.
        seat: Seat,
    },
    /// Decide.
    Decide {
        /// Your seat.
        seat: Seat,
        /// `check`, `fold` or `bet N`: one of the `decisions` that the table offers.
        decision: Decision,
    },
    /// Ask for the cards, at a table without clocks.
    Deal {},
    /// Carry out a command only if the table has not moved on.
    // A decision that arrives after the table has already decided must not be taken for one on the
    // next street.
    Expecting {
        /// The number of the round that you looked at.
        round: u64,
        /// How many decisions your seat had made in it, if that matters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<usize>,
        /// The command.
        #[cfg_attr(feature = "schema", schema(no_recursion))]
        then: Box<Self>,
    },
}

/// An operator's command to a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = OperatorOrder))]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
pub enum OperatorCommand {
    /// Void the round: every stake is returned.
    Void {
        /// The reason.
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64))]
        reason: String,
    },
    /// Open no further round.
    Pause {
        /// The reason.
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64))]
        reason: String,
    },
    /// Resume a paused table.
    Resume {},
    /// Close the table: at once, or after the round if cards are out.
    Close {
        /// The reason.
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64))]
        reason: String,
        /// The player for whom the shell closes it only if no other player is seated there, apart
        /// from bots. No client can send this.
        #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(ignore))]
        alone: Option<String>,
    },
}

impl PlayerCommand {
    /// Returns the command of a player.
    pub fn by(self, player: impl Into<String>) -> Command {
        Command::Player { player: player.into(), command: self }
    }

    /// Returns the seat that the command is about, if it is about one.
    pub fn seat(&self) -> Option<Seat> {
        match self {
            Self::Join { seat }
            | Self::Leave { seat }
            | Self::SitOut { seat }
            | Self::SitIn { seat }
            | Self::TakeBank { seat, .. }
            | Self::DeclineBank { seat }
            | Self::CommitSeed { seat, .. }
            | Self::RevealSeed { seat, .. }
            | Self::GiveUpSeed { seat }
            | Self::Wager { seat, .. }
            | Self::Withdraw { seat }
            | Self::Decide { seat, .. } => Some(*seat),
            Self::Deal {} => None,
            Self::Expecting { then, .. } => then.seat(),
        }
    }

    /// Returns the command itself, without an expectation around it.
    pub const fn expected(&self) -> &Self {
        match self {
            Self::Expecting { then, .. } => then,
            other => other,
        }
    }

    /// Returns the command in [keyed form](Command::keyed_form).
    fn keyed_form(&self, player: &str) -> Value {
        let mut form = serde_json::to_value(self).expect("plain data");
        if let Self::Expecting { then, .. } = self {
            form["then"] = then.keyed_form(player);
        } else if let Value::Object(fields) = &mut form {
            let place = 1 + usize::from(fields.contains_key("seat"));
            fields.shift_insert(place, "player".to_owned(), player.into());
        }
        form
    }
}

impl Command {
    /// Returns the command as one JSON object. A store keeps the hash of this form with the answer
    /// to a command that has a key, forever, so the form must never change: the player is a field
    /// of the command itself, after the seat.
    ///
    /// # Panics
    ///
    /// Never: a command is plain data.
    pub fn keyed_form(&self) -> Value {
        match self {
            Self::Player { player, command } => command.keyed_form(player),
            Self::Operator(command) => serde_json::to_value(command).expect("plain data"),
            // It has no key, and its seed is secret.
            Self::OpenRound { .. } => json!({ "command": "open-round" }),
        }
    }
}

impl From<OperatorCommand> for Command {
    fn from(command: OperatorCommand) -> Self {
        Self::Operator(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first version wrote these, and a retry must still find its answer under their hashes.
    #[test]
    fn the_form_that_keys_are_bound_to_does_not_change() {
        let seat = Seat::new(3).expect("a seat");
        let (ante, bonus) = (Amount::cents(1_000), Amount::ZERO);
        let wager = |blind| PlayerCommand::Wager { seat, ante, blind, bonus };
        let decide = PlayerCommand::Decide { seat, decision: Decision::Bet(4) };
        let expecting = |turn, then: PlayerCommand| PlayerCommand::Expecting {
            round: 7,
            turn,
            then: Box::new(then),
        };
        let close = |alone: Option<&str>| OperatorCommand::Close {
            reason: "late".to_owned(),
            alone: alone.map(str::to_owned),
        };
        for (command, form) in [
            (PlayerCommand::Join { seat }.by("ann"), r#"{"command":"join","seat":3,ANN}"#),
            (wager(None).by("ann"), r#"{"command":"wager","seat":3,ANN,"ante":1000,"bonus":0}"#),
            (
                wager(Some(ante)).by("ann"),
                r#"{"command":"wager","seat":3,ANN,"ante":1000,"blind":1000,"bonus":0}"#,
            ),
            (PlayerCommand::Deal {}.by("ann"), r#"{"command":"deal",ANN}"#),
            (
                expecting(Some(1), decide).by("ann"),
                concat!(
                    r#"{"command":"expecting","round":7,"turn":1,"then":"#,
                    r#"{"command":"decide","seat":3,ANN,"decision":"bet 4"}}"#,
                ),
            ),
            (
                expecting(None, PlayerCommand::Deal {}).by("ann"),
                r#"{"command":"expecting","round":7,"then":{"command":"deal",ANN}}"#,
            ),
            (OperatorCommand::Resume {}.into(), r#"{"command":"resume"}"#),
            (close(None).into(), r#"{"command":"close","reason":"late"}"#),
            (close(Some("ann")).into(), r#"{"command":"close","reason":"late","alone":"ann"}"#),
        ] {
            let form = form.replace("ANN", r#""player":"ann""#);
            assert_eq!(command.keyed_form().to_string(), form);
        }
    }

    #[test]
    fn a_client_names_neither_the_player_nor_the_lone_host() {
        for text in [
            r#"{"command":"leave","seat":3,"player":"ann"}"#,
            r#"{"command":"deal","player":"ann"}"#,
        ] {
            assert!(serde_json::from_str::<PlayerCommand>(text).is_err(), "{text}");
        }
        let close = r#"{"command":"close","reason":"late","alone":"ann"}"#;
        assert!(serde_json::from_str::<OperatorCommand>(close).is_err());
    }
}
