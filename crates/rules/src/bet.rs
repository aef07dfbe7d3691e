//! The kinds of wager.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::Serialize;

use crate::words::words;

words! {
    /// The kind of a wager, in the order of a house's layout, by which it settles a seat.
    Bet {
        /// The wager made once the cards have been seen.
        Play = "play",
        /// The wager that buys the cards.
        Ante = "ante",
        /// The wager beside the Ante, always equal to it.
        Blind = "blind",
        /// The optional wager on the player's own hand: Trips, or Pair Plus.
        Bonus = "bonus",
    }
}

impl Bet {
    /// Returns what it is called. The bonus has another name at each game.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Play => "Play",
            Self::Ante => "Ante",
            Self::Blind => "Blind",
            Self::Bonus => "Bonus",
        }
    }
}

impl fmt::Display for Bet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One thing for each kind of wager, in the order in which they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct ByBet<T> {
    /// That of the Ante.
    pub ante: T,
    /// That of the Blind.
    pub blind: T,
    /// That of the Play wager.
    pub play: T,
    /// That of the bonus.
    pub bonus: T,
}

impl<T> Index<Bet> for ByBet<T> {
    type Output = T;

    fn index(&self, bet: Bet) -> &T {
        match bet {
            Bet::Play => &self.play,
            Bet::Ante => &self.ante,
            Bet::Blind => &self.blind,
            Bet::Bonus => &self.bonus,
        }
    }
}

impl<T> IndexMut<Bet> for ByBet<T> {
    fn index_mut(&mut self, bet: Bet) -> &mut T {
        match bet {
            Bet::Play => &mut self.play,
            Bet::Ante => &mut self.ante,
            Bet::Blind => &mut self.blind,
            Bet::Bonus => &mut self.bonus,
        }
    }
}
