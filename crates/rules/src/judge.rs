//! Comparing hands. This module handles cards, and no money.

use croupier_cards::{Card, CardSet, Five, Three};

use crate::closed_set::closed_set;
use crate::game::{Game, Strength};

closed_set! {
    /// The outcome of a hand.
    Outcome {
        /// It beat the dealer's.
        Win = "win",
        /// The dealer's beat it.
        Lose = "lose",
        /// Neither beat the other.
        Push = "push",
        /// It was folded.
        Fold = "fold",
        /// The round was void.
        Void = "void",
    }
}

/// A hand that has been shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shown {
    /// The strength of the hand.
    pub strength: Strength,
    /// All the cards that the hand can be made from.
    pub cards: CardSet,
}

impl Shown {
    /// Returns the cards that make the hand, most significant first.
    pub fn best(&self) -> Vec<Card> {
        match self.strength {
            Strength::Five(_) => Five::best(self.cards).1.to_vec(),
            Strength::Three(_) => Three::best(self.cards).1.to_vec(),
        }
    }
}

/// The number of [`Judge`]s made so far.
#[cfg(feature = "counting")]
static JUDGED: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// Returns how many showdowns this process has judged, for a test that no round is judged twice.
#[cfg(feature = "counting")]
pub fn judged() -> u64 {
    JUDGED.load(std::sync::atomic::Ordering::Relaxed)
}

/// A dealer's hand and a board, to compare every player's hand with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judge {
    game: Game,
    community: CardSet,
    dealer: Shown,
    qualifies: bool,
}

impl Judge {
    /// Evaluates the dealer's hand. If `qualifying` is off, every hand qualifies.
    pub fn new(game: Game, qualifying: bool, community: CardSet, dealer: CardSet) -> Self {
        #[cfg(feature = "counting")]
        JUDGED.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let dealer = show(game, community, dealer);
        let qualifies = !qualifying || (game.def().qualifies)(dealer.strength);
        Self { game, community, dealer, qualifies }
    }

    /// Returns the dealer's hand.
    pub const fn dealer(&self) -> Shown {
        self.dealer
    }

    /// Tells whether the dealer qualifies.
    pub const fn qualifies(&self) -> bool {
        self.qualifies
    }

    /// Judges a player's hand. A dealer who does not qualify has not lost, and a folded hand is not
    /// compared at all, though it is shown.
    pub fn judge(&self, hole: CardSet, folded: bool) -> (Outcome, Shown) {
        let shown = show(self.game, self.community, hole);
        let outcome = match shown.strength.cmp(&self.dealer.strength) {
            _ if folded => Outcome::Fold,
            std::cmp::Ordering::Greater => Outcome::Win,
            std::cmp::Ordering::Less => Outcome::Lose,
            std::cmp::Ordering::Equal => Outcome::Push,
        };
        (outcome, shown)
    }
}

fn show(game: Game, community: CardSet, hole: CardSet) -> Shown {
    Shown { strength: (game.def().strength)(hole, community), cards: hole | community }
}
