//! Renamings of the suits.

use std::fmt;

use crate::{Card, CardSet, Suit};

/// A renaming of the suits: the suit that each suit becomes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SuitMap([Suit; 4]);

impl SuitMap {
    /// The renaming that leaves every suit as it is.
    pub const IDENTITY: Self = Self(Suit::ALL);

    /// All 24 renamings, starting with the identity.
    pub const ALL: [Self; 24] = {
        let mut all = [Self::IDENTITY; 24];
        let mut number = 0;
        while number < 24 {
            // Each place takes one of the suits that are left: four, three, two, one.
            let mut left = Suit::ALL;
            let mut digits = number;
            let mut place = 0;
            while place < 4 {
                let mut taken = place + digits % (4 - place);
                digits /= 4 - place;
                all[number].0[place] = left[taken];
                while taken > place {
                    left[taken] = left[taken - 1];
                    taken -= 1;
                }
                place += 1;
            }
            number += 1;
        }
        all
    };

    /// Returns the renaming that turns these suits, in this order, into those of a fresh pack. Each
    /// suit must appear once.
    pub(crate) fn from_order(suits: [Suit; 4]) -> Self {
        Self(suits).inverse()
    }

    /// Returns the renamed suit.
    pub const fn suit(self, suit: Suit) -> Suit {
        self.0[suit as usize]
    }

    /// Returns the card with its suit renamed.
    pub const fn card(self, card: Card) -> Card {
        Card::new(card.rank(), self.suit(card.suit()))
    }

    /// Returns the cards with their suits renamed.
    #[inline]
    pub fn cards(self, cards: CardSet) -> CardSet {
        let mut lanes = [0; 4];
        for suit in Suit::ALL {
            lanes[self.suit(suit) as usize] = cards.ranks_in(suit);
        }
        CardSet::from_lanes(lanes)
    }

    /// Returns the inverse renaming.
    #[must_use]
    pub fn inverse(self) -> Self {
        let mut back = Suit::ALL;
        for suit in Suit::ALL {
            back[self.suit(suit) as usize] = suit;
        }
        Self(back)
    }
}

impl fmt::Debug for SuitMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [c, d, h, s] = self.0;
        write!(f, "SuitMap(cdhs → {c}{d}{h}{s})")
    }
}
