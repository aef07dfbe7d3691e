//! The two games: what they share, and where they differ.

use std::fmt;

use croupier_cards::{Card, CardSet, Category, Five, Rank, Three};

use crate::closed_set::closed_set;
use crate::{utcp, uth};

closed_set! {
    /// A game: Ultimate Texas Hold'em (`uth`) or Ultimate Three Card Poker (`utcp`).
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    Game {
        /// Ultimate Texas Hold'em.
        Uth = "uth",
        /// Ultimate Three Card Poker.
        Utcp = "utcp",
    }
}

impl Game {
    /// Names a hand by the cards of it that are face up to its player, such as `pair of eights`, or
    /// returns `None` before there are any.
    ///
    /// The words are those of a hand at the showdown: two cards and a flop are already a hand of
    /// five, and two cards alone are a pair or their higher card.
    pub fn hand_so_far(self, hole: CardSet, community: CardSet) -> Option<String> {
        let def = self.def();
        if hole.len() < def.hole_cards {
            return None;
        }
        if def.community_cards == 0 || !community.is_empty() {
            return Some((def.strength)(hole, community).to_string());
        }
        let ranks = || hole.iter().map(Card::rank);
        let (high, low) = (ranks().max()?, ranks().min()?);
        Some(if high == low {
            format!("pair of {}", high.plural())
        } else {
            format!("{} high", high.name())
        })
    }

    /// Returns how the game is played.
    pub const fn def(self) -> &'static GameDef {
        match self {
            Self::Uth => &uth::GAME,
            Self::Utcp => &utcp::GAME,
        }
    }
}

/// The definition of a game: everything in which the two games differ.
#[derive(Debug)]
pub struct GameDef {
    /// The full name.
    pub title: &'static str,
    /// The name of the bonus on the felt.
    pub bonus: &'static str,
    /// The number of cards dealt to each player and to the dealer.
    pub hole_cards: usize,
    /// The number of community cards.
    pub community_cards: usize,
    /// The orders in which the cards may be dealt.
    pub deals: &'static [Deal],
    /// The hands of the game, weakest first.
    pub hands: &'static [Category],
    /// The decisions, in order.
    pub streets: &'static [Street],
    /// Returns the strength of a hand.
    pub strength: fn(hole: CardSet, community: CardSet) -> Strength,
    /// The dealer's minimum to qualify, in words.
    pub qualifying_hand: &'static str,
    /// The hand of a dealer who does not qualify, in words.
    pub unqualified_hand: &'static str,
    /// Tells whether a dealer with this hand qualifies.
    pub qualifies: fn(dealer: Strength) -> bool,
}

closed_set! {
    /// The order in which cards are dealt. Players come in seat order, and the dealer comes last.
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

closed_set! {
    /// The name of a street, of either game.
    StreetName {
        /// Before any community card is turned.
        BeforeFlop = "pre-flop",
        /// With three community cards.
        Flop = "flop",
        /// With all five.
        River = "river",
        /// With the three cards of the three-card game.
        ThreeCards = "three-cards",
    }
}

impl StreetName {
    /// Returns the street in words, such as `on the flop`.
    pub const fn title(self) -> &'static str {
        match self {
            Self::BeforeFlop => "before the flop",
            Self::Flop => "on the flop",
            Self::River => "on the river",
            Self::ThreeCards => "with three cards",
        }
    }
}

/// A point in the round at which seats decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Street {
    /// Its name.
    pub name: StreetName,
    /// The number of community cards that are face up.
    pub community_shown: usize,
    /// The alternative to betting.
    pub pass: Pass,
    /// The multiples of the ante that a seat may bet.
    pub raises: Raises,
}

/// The alternative to betting on a street.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Wait for the next street.
    Check,
    /// Give up the hand.
    Fold,
}

/// The multiples of the ante that a seat may bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raises {
    /// These multiples.
    Fixed(&'static [u32]),
    /// The multiples that the house allows, if the hand so far is of this category or better;
    /// otherwise only one times the ante.
    House {
        /// The weakest hand that may bet what the house allows.
        from: Category,
    },
}

/// The strength of a hand in its game. Hands of different games are never compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

    /// Returns the ranks of its cards, most significant first.
    pub fn ranks(self) -> Vec<Rank> {
        match self {
            Self::Five(five) => five.ranks().to_vec(),
            Self::Three(three) => three.ranks().to_vec(),
        }
    }

    /// Tells whether the hand is of this category or a better one of its game.
    ///
    /// # Panics
    ///
    /// If the game has no such category.
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
