//! A round as it is written down, before anything is checked but its form.

use std::fmt;

use croupier_cards::{Card, Deck, ParseCardsError, parse_cards};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::RecordError;
use crate::amount::Amount;

/// The fields of a record. Who writes one puts this together and serializes it; who reads one gets
/// a [`Record`](super::Record), which is checked.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(expecting = "a round record: an object with format, house, deck and seats")]
pub struct RecordText {
    /// [`FORMAT`](super::FORMAT).
    pub format: String,
    /// A house's id, or a whole house.
    pub house: Value,
    /// The pay tables that the house names and that do not come with Croupier.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Vec::is_empty")]
    pub paytables: Vec<Value>,
    /// Which of the house's bonus tables is in force; the first, if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus_paytable: Option<String>,
    /// What the Blind pays, if not what the house says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blind_paytable: Option<String>,
    /// The order of dealing, if not the house's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deal: Option<String>,
    /// All 52 cards, the first to be dealt first.
    pub deck: DeckText,
    /// The colour of the deck's backs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deck_colour: Option<String>,
    /// Who banks, where a player does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub banker: Option<BankerText>,
    /// The seats that wagered.
    pub seats: Vec<SeatText>,
    /// Why the round was stopped, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void: Option<String>,
    /// The version of the rules that were in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules_version: Option<Value>,
    /// How the deck came to its order. A replay does not look at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shuffle: Option<Value>,
    /// Where the round stands in its table's journal. A replay does not look at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<Value>,
    /// The hash of the journal after the round. A replay does not look at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal_hash: Option<String>,
    /// What the round came to, if it is written down; null, if somebody wrote that he does not
    /// know.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
}

/// Tells a field that is null from one that is not there.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Takes null for an empty list: a field that may be left out may also say nothing.
fn or_none<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// A player who banks.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(expecting = "a banker: an object with seat and wager")]
pub struct BankerText {
    /// The number of his seat.
    pub seat: u32,
    /// What he posted.
    pub wager: Amount,
    /// His name.
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
    /// The Blind; the Ante, if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blind: Option<Amount>,
    /// The bonus, or nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Amount>,
    /// The decisions, in order.
    #[serde(default, deserialize_with = "or_none")]
    pub actions: Vec<String>,
    /// Which of them the table made, counted from zero.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Vec::is_empty")]
    pub by_table: Vec<usize>,
}

/// The cards of a deck, or what is wrong with one of them. Whether they are a whole deck is not
/// known yet.
#[derive(Clone, Debug)]
pub struct DeckText(Result<Vec<Card>, RecordError>);

impl DeckText {
    /// Returns the deck, if it is one.
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
        f.write_str("52 cards, as a list or as one text")
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
            // The rest is read all the same, since it may not be JSON.
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
