//! The result of a replayed round, as written in a record.

use std::fmt;

use croupier_cards::Card;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::RecordError;
use crate::amount::Amount;
use crate::bet::{Bet, ByBet};
use crate::judge::Outcome;
use crate::seat::Seat;
use crate::settle::Settled;

/// The result of a replayed round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoundResult {
    /// The community cards.
    pub community: Cards,
    /// The dealer's hand.
    pub dealer: DealerResult,
    /// All seats, in order of their numbers.
    pub seats: Vec<SeatResult>,
    /// The bank's result.
    pub bank: BankResult,
}

/// The dealer's hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DealerResult {
    /// The cards, as they were dealt.
    pub cards: Cards,
    /// The category of the hand.
    pub hand: &'static str,
    /// The cards that make it.
    pub best: Cards,
    /// Whether it qualifies.
    pub qualifies: bool,
}

/// A seat's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatResult {
    /// The seat.
    pub seat: Seat,
    /// The cards, as they were dealt.
    pub cards: Cards,
    /// The category of the hand.
    pub hand: &'static str,
    /// The cards that make it.
    pub best: Cards,
    /// The outcome.
    pub outcome: Outcome,
    /// The result of each wager.
    pub wagers: WagersResult,
    /// The player's net win, negative for a loss.
    pub net: Amount,
}

/// The result of each wager; wagers that were not made are absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct WagersResult {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ante: Option<Settled>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blind: Option<Settled>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play: Option<Settled>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Settled>,
}

impl WagersResult {
    /// Returns a wager's result, if it was made.
    pub const fn of(&self, bet: Bet) -> Option<Settled> {
        match bet {
            Bet::Play => self.play,
            Bet::Ante => self.ante,
            Bet::Blind => self.blind,
            Bet::Bonus => self.bonus,
        }
    }
}

impl From<ByBet<Option<Settled>>> for WagersResult {
    fn from(by_bet: ByBet<Option<Settled>>) -> Self {
        let ByBet { ante, blind, play, bonus } = by_bet;
        Self { ante, blind, play, bonus }
    }
}

/// The bank's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BankResult {
    /// The net win, negative for a loss.
    pub net: Amount,
}

/// Cards in order. They print as `As Kd`, and serialize as a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "schema",
    schema(description = "Cards in order.", value_type = Vec<String>, example = json!(["As", "Kd"]))
)]
pub struct Cards(pub Vec<Card>);

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, card) in self.0.iter().enumerate() {
            let space = if place > 0 { " " } else { "" };
            write!(f, "{space}{card}")?;
        }
        Ok(())
    }
}

impl Serialize for Cards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Written(Card);

        impl Serialize for Written {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.0)
            }
        }

        serializer.collect_seq(self.0.iter().copied().map(Written))
    }
}

/// The fields of an object in a result, each with the shape of the object or list that it holds.
struct Shape(&'static [(&'static str, Option<&'static Shape>)]);

static RESULT: Shape = Shape(&[
    ("community", None),
    ("dealer", Some(&DEALER)),
    ("seats", Some(&SEAT)),
    ("bank", Some(&Shape(&[("net", None)]))),
]);

static DEALER: Shape =
    Shape(&[("cards", None), ("hand", None), ("best", None), ("qualifies", None)]);

static SEAT: Shape = Shape(&[
    ("seat", None),
    ("cards", None),
    ("hand", None),
    ("best", None),
    ("outcome", None),
    ("wagers", Some(&WAGERS)),
    ("net", None),
]);

static WAGERS: Shape = Shape(&[
    ("ante", Some(&SETTLED)),
    ("blind", Some(&SETTLED)),
    ("play", Some(&SETTLED)),
    ("bonus", Some(&SETTLED)),
]);

static SETTLED: Shape =
    Shape(&[("staked", None), ("returned", None), ("result", None), ("uncovered", None)]);

/// Collects the fields of a recorded result that this version does not know.
pub(super) fn collect_unknown(written: &Value, unknown: &mut Vec<String>) {
    collect_unlike(written, &RESULT, "result", unknown);
}

fn collect_unlike(written: &Value, shape: &Shape, path: &str, unknown: &mut Vec<String>) {
    match written {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = format!("{path}.{name}");
                match shape.0.iter().find(|(known, _)| known == name) {
                    Some((_, Some(inside))) => collect_unlike(value, inside, &path, unknown),
                    Some((_, None)) => {}
                    None => unknown.push(path),
                }
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                collect_unlike(value, shape, &format!("{path}[{index}]"), unknown);
            }
        }
        _ => {}
    }
}

impl RoundResult {
    /// Compares a recorded result with this one, and returns the first difference. Unknown fields
    /// are ignored.
    pub(super) fn difference_to(&self, written: &Value, unknown: &[String]) -> Option<RecordError> {
        let found = serde_json::to_value(self).expect("plain data");
        first_difference(written, &found, "result", unknown)
    }
}

fn first_difference(
    written: &Value,
    found: &Value,
    path: &str,
    unknown: &[String],
) -> Option<RecordError> {
    match (written, found) {
        (Value::Object(written), Value::Object(found)) => {
            let names =
                found.keys().chain(written.keys().filter(|name| !found.contains_key(*name)));
            let mut names = names.map(|name| (name, format!("{path}.{name}")));
            names.find_map(|(name, path)| {
                let known = found.contains_key(name) || !unknown.contains(&path);
                known.then(|| either(written.get(name), found.get(name), path, unknown)).flatten()
            })
        }
        (Value::Array(written), Value::Array(found)) => (0..written.len().max(found.len()))
            .find_map(|index| {
                let path = format!("{path}[{index}]");
                either(written.get(index), found.get(index), path, unknown)
            }),
        // A card may be spelled differently.
        (Value::String(written), Value::String(found))
            if written.parse::<Card>().is_ok_and(|card| found.parse() == Ok(card)) =>
        {
            None
        }
        _ => (written != found).then(|| differ(path.to_owned(), Some(written), Some(found))),
    }
}

/// Compares two values, either of which may be absent.
fn either(
    written: Option<&Value>,
    found: Option<&Value>,
    path: String,
    unknown: &[String],
) -> Option<RecordError> {
    match (written, found) {
        (Some(written), Some(found)) => first_difference(written, found, &path, unknown),
        (written, found) => Some(differ(path, written, found)),
    }
}

fn differ(path: String, written: Option<&Value>, found: Option<&Value>) -> RecordError {
    let show = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
    let message =
        format!("the record says {}, but the replay finds {}", show(written), show(found));
    RecordError::new(path, message)
}
