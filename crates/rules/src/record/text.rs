//! The fields of a record, with only their form checked.

use std::fmt;

use croupier_cards::{Card, Deck, ParseCardsError, parse_cards};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::RecordError;
use crate::amount::Amount;

/// The fields of a record. A program that writes a record builds this and serializes it; a program
/// that reads one gets a [`Record`](super::Record), which is checked.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(expecting = "a round record: an object with format, house, deck and seats")]
pub struct RecordText {
    /// [`FORMAT`](super::FORMAT).
    pub format: String,
    /// A house's id, or a whole house.
    pub house: Value,
    /// The pay tables that the house uses and that do not ship with Croupier.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Vec::is_empty")]
    pub paytables: Vec<Value>,
    /// Which of the house's bonus tables is in force; the first, if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus_paytable: Option<String>,
    /// The Blind's pay table, if not the house's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blind_paytable: Option<String>,
    /// The order of dealing, if not the house's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deal: Option<String>,
    /// All 52 cards, the first to be dealt first.
    pub deck: DeckText,
    /// The color of the deck's backs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deck_colour: Option<String>,
    /// The player who banks, where a player does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub banker: Option<BankerText>,
    /// The seats that wagered.
    pub seats: Vec<SeatText>,
    /// The reason the round was stopped, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void: Option<String>,
    /// The version of the rules that were in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules_version: Option<Value>,
    /// The proof of the shuffle. A replay ignores it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shuffle: Option<Value>,
    /// The round's place in its table's journal. A replay ignores it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<Value>,
    /// The hash of the journal after the round. A replay ignores it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal_hash: Option<String>,
    /// The result of the round, if it is recorded; null, if it is recorded as unknown.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
}

/// Distinguishes a field that is null from one that is absent.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Reads null as an empty list: a field that may be left out may also be null.
fn or_none<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// A player who banks.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(expecting = "a banker: an object with seat and wager")]
pub struct BankerText {
    /// The number of the player's seat.
    pub seat: u32,
    /// The posted wager.
    pub wager: Amount,
    /// The player's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
}

/// A seat that wagered.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(expecting = "a seat: an object with seat, ante and actions")]
pub struct SeatText {
    /// The number of the seat.
    pub seat: u32,
    /// The player's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The Ante.
    pub ante: Amount,
    /// The Blind; equal to the Ante, if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blind: Option<Amount>,
    /// The bonus wager, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Amount>,
    /// The decisions, in order.
    #[serde(default, deserialize_with = "or_none")]
    pub actions: Vec<String>,
    /// Which of them the table made, counted from zero.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Vec::is_empty")]
    pub by_table: Vec<usize>,
}

/// The cards of a deck, or the fault in one of them. Whether they are a complete deck is not
/// checked yet.
#[derive(Clone, Debug)]
pub struct DeckText(Result<Vec<Card>, RecordError>);

impl DeckText {
    /// Returns the deck, if the cards are a complete one.
    pub(super) fn deck(&self) -> Result<Deck, RecordError> {
        let cards = self.0.as_ref().map_err(Clone::clone)?;
        Deck::try_from(&cards[..]).map_err(|error| RecordError::new("deck", error.to_string()))
    }
}

impl From<&Deck> for DeckText {
    fn from(deck: &Deck) -> Self {
        Self(Ok(deck.cards().to_vec()))
    }
}

impl Serialize for DeckText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().flatten().map(ToString::to_string))
    }
}

impl<'de> Deserialize<'de> for DeckText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DeckVisitor).map(Self)
    }
}

/// Reads cards one by one or run together.
struct DeckVisitor;

impl<'de> Visitor<'de> for DeckVisitor {
    type Value = Result<Vec<Card>, RecordError>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("52 cards, as a list or as one string")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(parse_cards(text).map_err(|error| RecordError::new("deck", error.to_string())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut cards = Ok(Vec::with_capacity(52));
        let mut place = 0;
        while let Some(CardText(card)) = seq.next_element()? {
            let card =
                card.map_err(|error| RecordError::new(format!("deck[{place}]"), error.to_string()));
            // The rest is still read, since it may not be valid JSON.
            match (&mut cards, card) {
                (Ok(cards), Ok(card)) => cards.push(card),
                (Ok(_), Err(error)) => cards = Err(error),
                (Err(_), _) => {}
            }
            place += 1;
        }
        Ok(cards)
    }
}

struct CardText(Result<Card, ParseCardsError>);

impl<'de> Deserialize<'de> for CardText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(CardVisitor).map(Self)
    }
}

struct CardVisitor;

impl Visitor<'_> for CardVisitor {
    type Value = Result<Card, ParseCardsError>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a card, such as \"As\"")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(text.parse())
    }
}
