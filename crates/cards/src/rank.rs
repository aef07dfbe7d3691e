//! The ranks of cards.

use std::fmt;

/// The rank of a card, deuce lowest and ace highest.
///
/// An ace is also the low end of the lowest straight, but that is a matter of hands, not of ranks.
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
    /// `10` is two characters, so the parser of whole cards handles it.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|rank| rank.letter() == letter.to_ascii_uppercase())
    }

    /// Returns the rank's name as said at the table: `deuce`, `ten`, `queen`.
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

    /// Returns the article that the rank's name takes: `an` for ace and eight, `a` for the rest.
    pub const fn article(self) -> &'static str {
        match self {
            Self::Eight | Self::Ace => "an",
            _ => "a",
        }
    }

    /// Returns the rank's plural as said at the table: `deuces`, `sixes`.
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
