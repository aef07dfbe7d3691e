//! All 52 cards in order.

use std::error::Error;
use std::fmt;
use std::ops::Index;

use crate::{Card, CardSet};

/// All 52 cards in the order in which they are dealt, the first card first.
///
/// A deck is complete by construction: code that has one doesn't need to check it again. Shuffling
/// is left to other code.
///
/// ```
/// use croupier_cards::{Card, Deck};
///
/// let deck = Deck::FRESH;
/// assert_eq!(deck[0].to_string(), "2c");
///
/// let mut cards = Card::ALL;
/// cards[7] = cards[3];
/// let error = Deck::try_from(&cards[..]).unwrap_err();
/// assert_eq!(error.to_string(), "5c is repeated: it is card 4 and card 8 of the deck");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Deck([Card; 52]);

impl Deck {
    /// A fresh pack.
    pub const FRESH: Self = Self(Card::ALL);

    /// Returns the cards in order.
    pub const fn cards(&self) -> &[Card; 52] {
        &self.0
    }

    /// Swaps two cards, counted from zero: the only operation that a shuffle needs.
    ///
    /// # Panics
    ///
    /// If an index is out of range.
    pub fn swap(&mut self, one: usize, other: usize) {
        self.0.swap(one, other);
    }
}

impl Index<usize> for Deck {
    type Output = Card;

    fn index(&self, place: usize) -> &Card {
        &self.0[place]
    }
}

impl TryFrom<&[Card]> for Deck {
    type Error = DeckError;

    fn try_from(cards: &[Card]) -> Result<Self, DeckError> {
        let mut seen = CardSet::EMPTY;
        for (place, &card) in cards.iter().enumerate() {
            if !seen.insert(card) {
                let first = cards.iter().position(|&other| other == card).unwrap_or(place);
                return Err(DeckError::Repeated { card, places: [first + 1, place + 1] });
            }
        }
        cards.try_into().map(Self).map_err(|_| DeckError::Missing { cards: !seen })
    }
}

impl TryFrom<[Card; 52]> for Deck {
    type Error = DeckError;

    fn try_from(cards: [Card; 52]) -> Result<Self, DeckError> {
        Self::try_from(&cards[..])
    }
}

impl fmt::Debug for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Deck").field(&self.0.map(|card| card.to_string()).join(" ")).finish()
    }
}

/// The reason cards are not a deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeckError {
    /// A card appears twice.
    Repeated {
        /// The card.
        card: Card,
        /// Its two positions, counted from one.
        places: [usize; 2],
    },
    /// Cards are missing.
    Missing {
        /// The cards.
        cards: CardSet,
    },
}

impl fmt::Display for DeckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repeated { card, places: [first, second] } => {
                write!(f, "{card} is repeated: it is card {first} and card {second} of the deck")
            }
            Self::Missing { cards } => {
                write!(f, "the deck has {} cards instead of 52: missing {cards}", 52 - cards.len())
            }
        }
    }
}

impl Error for DeckError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deck_has_every_card_once() {
        assert_eq!(Deck::try_from(&Card::ALL[..]), Ok(Deck::FRESH));

        let short = Deck::try_from(&Card::ALL[2..]).unwrap_err();
        assert_eq!(short.to_string(), "the deck has 50 cards instead of 52: missing 3c 2c");

        let mut double = Card::ALL.to_vec();
        double.push(Card::ALL[51]);
        let double = Deck::try_from(&double[..]).unwrap_err();
        assert_eq!(double.to_string(), "As is repeated: it is card 52 and card 53 of the deck");
    }

    #[test]
    fn swapping_keeps_a_deck_whole() {
        let mut deck = Deck::FRESH;
        deck.swap(0, 51);
        assert_eq!([deck[0], deck[51]], [Card::ALL[51], Card::ALL[0]]);
        assert_eq!(Deck::try_from(&deck.cards()[..]), Ok(deck));
    }
}
