//! What happens at a table, as its journal tells it.

use croupier_rules::{Amount, Decision, Seat};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::hash::Hash;
use crate::practice::Purses;
use crate::shown::ShownEvent;
use crate::shuffle::Seed;
use crate::time::Time;

/// Something that happened at a table. All that a table is, is the sum of these.
///
/// An event tells what was decided and never what follows from it: cards, payoffs and deadlines are
/// found again by playing the events through the same rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event {
    /// The table was opened, on these terms.
    TableOpened {
        /// The terms, in full.
        terms: Value,
    },
    /// Nothing happened: between two rounds, this is all there is to know of the table. Whoever
    /// reads the journal may begin here.
    Checkpoint(Checkpoint),
    /// A player sat down.
    PlayerJoined {
        /// The seat.
        seat: Seat,
        /// His name.
        player: String,
    },
    /// A player in the round asked to leave after it; from here on the table decides for him.
    PlayerLeaving {
        /// His seat.
        seat: Seat,
    },
    /// A seat became free.
    PlayerLeft {
        /// The seat.
        seat: Seat,
        /// Whether the table freed it, because its player was away for too long.
        by_table: bool,
    },
    /// A player sits out: he keeps his seat and is not waited for.
    SatOut {
        /// His seat.
        seat: Seat,
        /// Whether the table did it, because he missed betting twice.
        by_table: bool,
    },
    /// A player takes part again.
    SatIn {
        /// His seat.
        seat: Seat,
    },
    /// A round was opened. Of this, everything but the seed is shown.
    RoundOpened {
        /// Its number.
        round: u64,
        /// The secret that its deck comes from.
        seed: Seed,
        /// What is shown of it.
        commitment: Hash,
    },
    /// A player passed when the bank was offered to him.
    BankDeclined {
        /// His seat.
        seat: Seat,
        /// Whether the table did it, because he was out of time.
        by_table: bool,
    },
    /// A player took the bank, or posted something else.
    BankTaken {
        /// His seat.
        seat: Seat,
        /// What he posted.
        wager: Amount,
    },
    /// A seat committed to a seed of its own, or to another one.
    SeedCommitted {
        /// The seat.
        seat: Seat,
        /// What is shown of the seed.
        commitment: Hash,
    },
    /// A player wagered, or wagered something else.
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
    /// "No more bets." Who has none has missed this round.
    BettingClosed,
    /// A seat showed the seed that it had committed to.
    SeedRevealed {
        /// The seat.
        seat: Seat,
        /// The seed, in hexadecimal digits.
        seed: String,
    },
    /// A seat gave up the seed that it had committed to: it counts as empty.
    SeedGivenUp {
        /// The seat.
        seat: Seat,
    },
    /// The cards were dealt, all of them, from the deck that the seeds make.
    Dealt,
    /// A seat decided.
    Decided {
        /// The seat.
        seat: Seat,
        /// What it decided.
        decision: Decision,
        /// Whether the table decided, because the player was out of time.
        by_table: bool,
    },
    /// The round was stopped after the deal.
    Stopped {
        /// Why.
        reason: String,
    },
    /// The round is over, settled or void: this is its record, with its result.
    RoundOver {
        /// The record, in canonical JSON.
        record: Record,
    },
    /// The round ended before a card was dealt. Every stake goes back, and all seeds are shown: who
    /// wonders what deck it would have been can see.
    RoundUndealt {
        /// Why.
        reason: String,
        /// The secret that its deck would have come from.
        seed: Seed,
        /// The seeds of the seats in the round that committed to one.
        seat_seeds: Vec<SeatSeed>,
    },
    /// A betting window passed without a round, for want of players.
    WindowPassed,
    /// The operator paused the table: no other round is opened.
    Paused {
        /// Why.
        reason: String,
    },
    /// The operator lets the table go on.
    Resumed,
    /// The table is to close after the round.
    Closing {
        /// Why.
        reason: String,
    },
    /// The table is closed for good, and all its seats are free.
    TableClosed {
        /// Why.
        reason: String,
    },
}

impl Event {
    /// Writes the event as a journal has it.
    ///
    /// # Panics
    ///
    /// Never: an event is plain data.
    pub fn body(&self) -> String {
        match self {
            Self::RoundOver { record } => [ROUND_OVER, &record.0, "}"].concat(),
            _ => serde_json::to_string(self).expect("plain data"),
        }
    }

    /// Reads an event as a journal has it.
    ///
    /// # Errors
    ///
    /// When it is none.
    pub fn read(body: &str) -> serde_json::Result<Self> {
        match body.strip_prefix(ROUND_OVER).and_then(|rest| rest.strip_suffix('}')) {
            Some(record) => Ok(Self::RoundOver { record: Record(record.to_owned()) }),
            None => serde_json::from_str(body),
        }
    }

    /// Returns the event as everybody may see it, while the round is still going on.
    ///
    /// # Panics
    ///
    /// Never: an event is plain data.
    pub fn shown(&self) -> Value {
        serde_json::to_value(ShownEvent::from(self)).expect("plain data")
    }
}

/// A seat's own seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SeatSeed {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1, maximum = 8, example = 1))]
    pub seat: Seat,
    /// What it committed to.
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub commitment: Hash,
    /// What it showed, in hexadecimal digits; empty if nothing.
    pub seed: String,
}

/// How the body of a round's last entry begins.
pub(crate) const ROUND_OVER: &str = "{\"event\":\"round-over\",\"record\":";

/// A round's record in canonical JSON. The journal has these very bytes, so that anybody can take
/// their fingerprint again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record(pub String);

impl Record {
    /// Returns it as tables wrote it before records brought their pay tables along: journals of
    /// that time are read for ever.
    pub(crate) fn as_it_was_written(&self) -> Self {
        let mut fields: Value = serde_json::from_str(&self.0).unwrap_or_default();
        let without = fields.as_object_mut().and_then(|fields| fields.remove("paytables"));
        without.map_or_else(|| self.clone(), |_| Self(crate::canonical::canonical(&fields)))
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: Value = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok(Self(crate::canonical::canonical(&value)))
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.reveal())
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_hex(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// All there is to know of a table between two rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// The fingerprint of the terms, which the first entry has.
    pub terms: Hash,
    /// How many rounds were opened.
    pub round: u64,
    /// How many of them were dealt. The first edition of the rules did not count them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealt: Option<u64>,
    /// Who sits where, by the numbers of the seats.
    pub seats: Vec<Sitter>,
    /// Who banked the last rounds, in order, as far as it matters.
    pub banked: Vec<BankedRound>,
    /// When the next round may open.
    pub rest: Time,
    /// Since when nobody came or went, and the table was not paused.
    pub since: Time,
    /// Why the table is paused, if it is.
    pub paused: Option<String>,
    /// What players have, where they play with practice chips.
    #[serde(default, skip_serializing_if = "Purses::is_empty")]
    pub purses: Purses,
}

/// Somebody at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Sitter {
    /// His seat.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1, maximum = 8, example = 1))]
    pub seat: Seat,
    /// His name.
    pub player: String,
    /// Whether he sits out.
    pub out: bool,
    /// Whether he leaves when the round is over.
    pub leaving: bool,
    /// How many betting windows in a row he missed.
    pub missed: u32,
    /// For how many windows in a row he waited for others.
    pub waited: u32,
}

/// A round that somebody banked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BankedRound {
    /// His seat.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1, maximum = 8, example = 1))]
    pub seat: Seat,
    /// His name.
    pub player: String,
}
