//! What a hand wins and loses, in whole numbers.

use croupier_cards::Category;

use super::sweep::{Counts, DEALER_HANDS};

/// The terms of a game as numbers: one ante is `scale` of them, so that every payoff is whole.
#[derive(Clone, Debug)]
pub(crate) struct Stakes {
    pub(crate) scale: i64,
    /// What the Blind pays on a win, by the hand.
    pub(crate) pays: [i64; 10],
    pub(crate) qualifying: bool,
}

/// What a hole is worth on a board, summed over the dealer's 990 hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Worth {
    /// What once the ante on Play wins.
    pub(crate) play: i64,
    /// What Ante and Blind win.
    pub(crate) base: i64,
}

impl Stakes {
    /// What a fold loses, over the dealer's 990 hands.
    pub(crate) const fn fold(&self) -> i64 {
        -2 * DEALER_HANDS as i64 * self.scale
    }

    /// Returns a number that nothing that nine holes are worth on a board is larger than.
    pub(crate) fn largest(&self) -> i64 {
        let pays = self.pays.iter().max().copied().unwrap_or_default();
        2 * 9 * i64::from(DEALER_HANDS) * (pays + 8 * self.scale)
    }

    /// Returns what a hand is worth against the dealer's 990.
    #[inline]
    pub(crate) fn worth(&self, category: Category, counts: Counts) -> Worth {
        self.worth_against(category, counts, DEALER_HANDS)
    }

    /// Returns what a hand is worth against so many hands of the dealer's.
    #[inline]
    pub(crate) fn worth_against(&self, category: Category, counts: Counts, hands: i32) -> Worth {
        let Counts { wins, ties, unqualified } = counts;
        let unqualified = if self.qualifying { unqualified } else { 0 };
        let losses = hands - wins - ties;
        let play = wins - losses;
        // An Ante is settled against hands that qualify. Below a pair, the player beats none of
        // those and loses to all of them; from a pair on, he beats all that do not.
        let ante = if self.qualifying && category == Category::HighCard {
            unqualified - hands
        } else {
            play - unqualified
        };
        Worth {
            play: self.scale * i64::from(play),
            base: self.scale * i64::from(ante - losses)
                + self.pays[category as usize] * i64::from(wins),
        }
    }
}

impl Stakes {
    /// Returns what a hole is worth on the river, played as well as can be.
    #[inline]
    pub(crate) fn river(&self, worth: Worth) -> i64 {
        worth.bet(1).max(self.fold())
    }
}

impl Worth {
    /// Returns what it is worth to bet so many times the ante.
    #[inline]
    pub(crate) const fn bet(self, times: i64) -> i64 {
        self.play * times + self.base
    }
}
