//! The events at a table, as its journal stores them.

use croupier_rules::{Amount, Decision, Seat};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::hash::Hash;
use crate::practice::Purses;
use crate::public_event::ShownEvent;
use crate::shuffle::Seed;
use crate::time::Time;

/// An event at a table. A table is the fold of its events.
///
/// An event records a decision and never its consequences: cards, payoffs and deadlines are
/// recomputed by playing the events through the same rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event {
    /// The table was opened, on these terms.
    TableOpened {
        /// The terms, in full.
        terms: Value,
    },
    /// Nothing happened: this is the whole state of the table between two rounds. A reader of the
    /// journal may start here.
    Checkpoint(Checkpoint),
    /// A player sat down.
    PlayerJoined {
        /// The seat.
        seat: Seat,
        /// The player's name.
        player: String,
    },
    /// A player in the round asked to leave after it; from here on the table decides for the seat.
    PlayerLeaving {
        /// The seat.
        seat: Seat,
    },
    /// A seat became free.
    PlayerLeft {
        /// The seat.
        seat: Seat,
        /// Whether the table freed it, because its player was away for too long.
        by_table: bool,
    },
    /// A player sits out: the seat is kept, and no round waits for it.
    SatOut {
        /// The seat.
        seat: Seat,
        /// Whether the table did it, because the player missed betting twice.
        by_table: bool,
    },
    /// A player no longer sits out.
    SatIn {
        /// The seat.
        seat: Seat,
    },
    /// A round was opened. Viewers see all of this except the seed.
    RoundOpened {
        /// The number of the round.
        round: u64,
        /// The secret that its deck comes from.
        seed: Seed,
        /// The commitment to the seed.
        commitment: Hash,
    },
    /// A player declined the bank.
    BankDeclined {
        /// The seat.
        seat: Seat,
        /// Whether the table did it, because the player was out of time.
        by_table: bool,
    },
    /// A player took the bank, or posted another amount.
    BankTaken {
        /// The seat.
        seat: Seat,
        /// The amount posted.
        wager: Amount,
    },
    /// A seat committed to a seed of its own, or to another one.
    SeedCommitted {
        /// The seat.
        seat: Seat,
        /// The commitment to the seed.
        commitment: Hash,
    },
    /// A player wagered, or wagered another amount.
    Wagered {
        /// The seat.
        seat: Seat,
        /// The Ante; the Blind is the same amount.
        ante: Amount,
        /// The bonus, or zero.
        bonus: Amount,
    },
    /// A player took the wager back.
    Withdrawn {
        /// The seat.
        seat: Seat,
    },
    /// "No more bets." A seat without a wager has missed this round.
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
    /// All cards were dealt, from the deck that the seeds give.
    Dealt,
    /// A seat decided.
    Decided {
        /// The seat.
        seat: Seat,
        /// The decision.
        decision: Decision,
        /// Whether the table decided, because the player was out of time.
        by_table: bool,
    },
    /// The round was stopped after the deal.
    Stopped {
        /// The reason.
        reason: String,
    },
    /// The round is over, settled or void: this is its record, with the result.
    RoundOver {
        /// The record, in canonical JSON.
        record: Record,
    },
    /// The round ended before a card was dealt. Every stake goes back, and all seeds are shown, so
    /// viewers can see the deck that it would have been.
    RoundUndealt {
        /// The reason.
        reason: String,
        /// The secret that its deck would have come from.
        seed: Seed,
        /// The seeds of the seats in the round that committed to one.
        seat_seeds: Vec<SeatSeed>,
    },
    /// A betting window passed without a round, because there were too few players.
    WindowPassed,
    /// The operator paused the table: no new round opens.
    Paused {
        /// The reason.
        reason: String,
    },
    /// The operator resumed the table.
    Resumed,
    /// The table closes after the round.
    Closing {
        /// The reason.
        reason: String,
    },
    /// The table is closed for good, and all its seats are free.
    TableClosed {
        /// The reason.
        reason: String,
    },
}

impl Event {
    /// Serializes the event as a journal stores it.
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

    /// Reads an event as a journal stores it.
    ///
    /// # Errors
    ///
    /// When the text is not an event.
    pub fn read(body: &str) -> serde_json::Result<Self> {
        match body.strip_prefix(ROUND_OVER).and_then(|rest| rest.strip_suffix('}')) {
            Some(record) => Ok(Self::RoundOver { record: Record(record.to_owned()) }),
            None => serde_json::from_str(body),
        }
    }

    /// Returns the event as every viewer may see it while the round is still in progress.
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
    pub seat: Seat,
    /// Its commitment.
    pub commitment: Hash,
    /// The seed that it showed, in hexadecimal digits; empty if it showed none.
    pub seed: String,
}

/// The start of the body of a round's last entry.
pub(crate) const ROUND_OVER: &str = "{\"event\":\"round-over\",\"record\":";

/// A round's record in canonical JSON. The journal stores exactly these bytes, so every reader can
/// recompute their hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record(pub String);

impl Record {
    /// Returns the record as tables wrote it before records included their pay tables: journals
    /// from that time must always be readable.
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

/// The whole state of a table between two rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// The hash of the terms, which are in the first entry.
    pub terms: Hash,
    /// The number of rounds opened.
    pub round: u64,
    /// The number of them that were dealt. The first edition of the rules did not count them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealt: Option<u64>,
    /// The seated players, ordered by seat.
    pub seats: Vec<SeatedPlayer>,
    /// The players who banked the last rounds, in order, as far back as it matters.
    pub banked: Vec<BankedRound>,
    /// When the next round may open.
    pub rest: Time,
    /// The start of the current wait: since then no player came or went, and the table was not
    /// paused.
    pub since: Time,
    /// The reason why the table is paused, if it is.
    pub paused: Option<String>,
    /// The players' chips, where they play with practice chips.
    #[serde(default, skip_serializing_if = "Purses::is_empty")]
    pub purses: Purses,
}

/// A player at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SeatedPlayer {
    /// The seat.
    pub seat: Seat,
    /// The player's name.
    pub player: String,
    /// Whether the player sits out.
    pub out: bool,
    /// Whether the player leaves when the round is over.
    pub leaving: bool,
    /// The number of betting windows in a row that the player missed.
    pub missed: u32,
    /// The number of windows in a row that the player waited for other players.
    pub waited: u32,
}

/// A round that a player banked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BankedRound {
    /// The seat.
    pub seat: Seat,
    /// The player's name.
    pub player: String,
}
