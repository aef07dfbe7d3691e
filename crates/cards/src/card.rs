//! One card: its rank, its suit, and how both are written.

use std::fmt;

/// The rank of a card, deuce lowest and ace highest.
///
/// That an ace also ends the lowest straight is a matter of hands, not of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rank {
    /// All thirteen ranks, lowest first.
    pub const ALL: [Self; 13] = [
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
        Self::Ace,
    ];

    /// Returns the letter or digit that stands for the rank: `2` to `9`, `T`, `J`, `Q`, `K`, `A`.
    pub const fn letter(self) -> char {
        b"23456789TJQKA"[self as usize] as char
    }

    /// Returns the rank that a letter or digit stands for, in either case.
    ///
    /// `10` is two characters and therefore the business of whoever reads whole cards.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|rank| rank.letter() == letter.to_ascii_uppercase())
    }

    /// Returns the rank as one says it at the table: `deuce`, `ten`, `queen`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Two => "deuce",
            Self::Three => "three",
            Self::Four => "four",
            Self::Five => "five",
            Self::Six => "six",
            Self::Seven => "seven",
            Self::Eight => "eight",
            Self::Nine => "nine",
            Self::Ten => "ten",
            Self::Jack => "jack",
            Self::Queen => "queen",
            Self::King => "king",
            Self::Ace => "ace",
        }
    }

    /// Returns several cards of the rank as one says it at the table: `deuces`, `sixes`.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Two => "deuces",
            Self::Three => "threes",
            Self::Four => "fours",
            Self::Five => "fives",
            Self::Six => "sixes",
            Self::Seven => "sevens",
            Self::Eight => "eights",
            Self::Nine => "nines",
            Self::Ten => "tens",
            Self::Jack => "jacks",
            Self::Queen => "queens",
            Self::King => "kings",
            Self::Ace => "aces",
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.letter().encode_utf8(&mut [0; 4]))
    }
}

/// The suit of a card. No suit beats another; the order is that of a fresh pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// All four suits, in the order of a fresh pack.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// Returns the letter that stands for the suit: `c`, `d`, `h`, `s`.
    pub const fn letter(self) -> char {
        b"cdhs"[self as usize] as char
    }

    /// Returns the suit's symbol: `♣`, `♦`, `♥`, `♠`.
    pub const fn symbol(self) -> char {
        ['♣', '♦', '♥', '♠'][self as usize]
    }

    /// Returns the suit that a letter (in either case) or a symbol (filled or outlined) stands for.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'c' | 'C' | '♣' | '♧' => Some(Self::Clubs),
            'd' | 'D' | '♦' | '♢' => Some(Self::Diamonds),
            'h' | 'H' | '♥' | '♡' => Some(Self::Hearts),
            's' | 'S' | '♠' | '♤' => Some(Self::Spades),
            _ => None,
        }
    }

    /// Returns the suit as one says it at the table: `clubs`, `diamonds`, `hearts`, `spades`.
    pub const fn name(self) -> &'static str {
        ["clubs", "diamonds", "hearts", "spades"][self as usize]
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.letter().encode_utf8(&mut [0; 4]))
    }
}

/// One of the 52 cards.
///
/// Cards are ordered as in a fresh pack: the clubs from deuce to ace, then diamonds, hearts and
/// spades. That order is for sets, indices and loops; it says nothing about which card wins.
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
    pub const fn new(rank: Rank, suit: Suit) -> Self {
        Self((suit as u8) << 4 | rank as u8)
    }

    /// Returns the card's rank.
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 & 15) as usize]
    }

    /// Returns the card's suit.
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 >> 4) as usize]
    }

    /// Returns the card's place in a fresh pack, from 0 (deuce of clubs) to 51 (ace of spades).
    pub const fn index(self) -> usize {
        self.suit() as usize * 13 + self.rank() as usize
    }

    /// Returns the card's bit number in a [`CardSet`](crate::CardSet).
    pub(crate) const fn bit(self) -> u8 {
        self.0
    }

    /// Returns the card with this bit number, which must be one.
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
        fmt::Display::fmt(self, f)
    }
}
