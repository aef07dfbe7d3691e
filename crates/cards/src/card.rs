//! One card.

use std::fmt;

use crate::{Rank, Suit};

/// One of the 52 cards.
///
/// Cards are ordered as in a fresh pack: the clubs from deuce to ace, then diamonds, hearts and
/// spades. That order is for sets, indices and loops; it has nothing to do with which card wins.
///
/// A card prints as `As`, and with `{:#}` as `A♠`.
///
/// ```
/// use croupier_cards::{Card, Rank, Suit};
///
/// let card: Card = "10h".parse()?;
/// assert_eq!(card, Card::new(Rank::Ten, Suit::Hearts));
/// assert_eq!(format!("{card} {card:#}"), "Th T♥");
/// # Ok::<(), croupier_cards::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(
    /// The suit in the high four bits, the rank in the low four: the number of the card's bit in a
    /// `CardSet`, and the place of its key in the evaluator's table.
    u8,
);

impl Card {
    /// All 52 cards, in the order of a fresh pack.
    pub const ALL: [Self; 52] = {
        let mut pack = [Self(0); 52];
        let mut index = 0;
        while index < 52 {
            pack[index] = Self::new(Rank::ALL[index % 13], Suit::ALL[index / 13]);
            index += 1;
        }
        pack
    };

    /// Returns the card of this rank and suit.
    #[inline]
    pub const fn new(rank: Rank, suit: Suit) -> Self {
        Self((suit as u8) << 4 | rank as u8)
    }

    /// Returns the card's rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 & 15) as usize]
    }

    /// Returns the card's suit.
    #[inline]
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 >> 4) as usize]
    }

    /// Returns the card's place in a fresh pack, from 0 (deuce of clubs) to 51 (ace of spades).
    ///
    /// The inverse is [`Card::ALL`], by index.
    #[inline]
    pub const fn index(self) -> usize {
        self.suit() as usize * 13 + self.rank() as usize
    }

    /// Returns the card's bit number in a [`CardSet`](crate::CardSet).
    #[inline]
    pub(crate) const fn bit(self) -> u8 {
        self.0
    }

    /// Returns the card with this bit number, which must be a card's.
    #[inline]
    pub(crate) const fn from_bit(bit: u8) -> Self {
        debug_assert!(bit & 15 < 13 && bit < 64);
        Self(bit)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suit = if f.alternate() { self.suit().symbol() } else { self.suit().letter() };
        let mut text = [0; 4];
        let length = 1 + suit.encode_utf8(&mut text[1..]).len();
        self.rank().letter().encode_utf8(&mut text);
        f.pad(str::from_utf8(&text[..length]).expect("a letter and a symbol"))
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_string())
    }
}
