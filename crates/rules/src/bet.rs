//! The kinds of wager.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::Serialize;

use crate::closed_set::closed_set;

closed_set! {
    /// The kind of a wager, in layout order, which is the order in which a house settles a seat.
    Bet {
        /// The wager made once the cards have been seen.
        Play = "play",
        /// The wager that buys the cards.
        Ante = "ante",
        /// The wager next to the Ante, always equal to it.
        Blind = "blind",
        /// The optional wager on the player's own hand: Trips, or Pair Plus.
        Bonus = "bonus",
    }
}

impl Bet {
    /// Returns the wager's name. Each game has its own name for the bonus.
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

/// One value for each kind of wager, in the order in which they are serialized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ByBet<T> {
    /// The value for the Ante.
    pub ante: T,
    /// The value for the Blind.
    pub blind: T,
    /// The value for the Play wager.
    pub play: T,
    /// The value for the bonus.
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
