//! The two games: what they have in common, and in what they differ.

use std::fmt;

use croupier_cards::{CardSet, Category, Five, Three};

use crate::words::words;
use crate::{utcp, uth};

words! {
    /// One of the two games.
    Game {
        /// Ultimate Texas Hold'em.
        Uth = "uth",
        /// Ultimate Three Card Poker.
        Utcp = "utcp",
    }
}

impl Game {
    /// Returns how the game is played.
    pub const fn def(self) -> &'static GameDef {
        match self {
            Self::Uth => &uth::GAME,
            Self::Utcp => &utcp::GAME,
        }
    }
}

/// How a game is played: all in which one differs from the other.
#[derive(Debug)]
pub struct GameDef {
    /// The name in full.
    pub title: &'static str,
    /// What the bonus is called on the felt.
    pub bonus: &'static str,
    /// How many cards each player and the dealer get.
    pub hole_cards: usize,
    /// How many cards all of them share.
    pub community_cards: usize,
    /// How the cards may be dealt.
    pub deals: &'static [Deal],
    /// The hands there are, weakest first.
    pub hands: &'static [Category],
    /// The decisions, in order.
    pub streets: &'static [Street],
    /// Returns the strength of a hand.
    pub strength: fn(hole: CardSet, community: CardSet) -> Strength,
    /// The weakest hand with which a dealer qualifies, and that a better one does too.
    pub needs: &'static str,
    /// What a dealer has who does not qualify.
    pub lacks: &'static str,
    /// Tells whether a dealer with this hand qualifies.
    pub qualifies: fn(dealer: Strength) -> bool,
}

words! {
    /// The order in which cards are dealt. Players come in the order of their seats, and the dealer
    /// last.
    Deal {
        /// Two cards to each, then the board.
        Pairs = "pairs",
        /// One card to each, then another, then the board.
        Singles = "singles",
        /// The board, then two cards to each.
        BoardFirst = "board-first",
        /// Three cards to each.
        Threes = "threes",
    }
}

/// A moment at which seats decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Street {
    /// When it is, as one says it.
    pub name: &'static str,
    /// How many of the community cards lie open.
    pub community_shown: usize,
    /// What a seat may do instead of betting.
    pub pass: Pass,
    /// How many times the ante a seat may bet.
    pub raises: Raises,
}

/// What a seat may do instead of betting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Wait for the next street.
    Check,
    /// Give up the hand.
    Fold,
}

/// How many times the ante a seat may bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raises {
    /// These multiples.
    Fixed(&'static [u32]),
    /// The multiples that the house allows, if the hand so far is of this category or better; else
    /// just once the ante.
    House {
        /// The weakest hand that may bet what the house allows.
        from: Category,
    },
}

/// The strength of a hand in its game. Hands of different games are never compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Of five cards.
    Five(Five),
    /// Of three cards.
    Three(Three),
}

impl Strength {
    /// Returns the hand's category.
    pub const fn category(self) -> Category {
        match self {
            Self::Five(five) => five.category(),
            Self::Three(three) => three.category(),
        }
    }

    /// Tells whether the hand is of this category or a better one of its game.
    ///
    /// # Panics
    ///
    /// When the game has no such category.
    pub fn is_at_least(self, category: Category) -> bool {
        match self {
            Self::Five(five) => five.is_at_least(category),
            Self::Three(three) => three.is_at_least(category),
        }
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Five(five) => five.fmt(f),
            Self::Three(three) => three.fmt(f),
        }
    }
}
