//! The winnings and losses of a hand, in whole numbers.

use croupier_cards::Category;

use super::sweep::{Counts, DEALER_HANDS};

/// The terms of a game as integers: one ante is `scale` units, so that every payoff is whole.
#[derive(Clone, Debug)]
pub(crate) struct Stakes {
    pub(crate) scale: i64,
    /// The payoff of the Blind on a win, by hand.
    pub(crate) pays: [i64; 10],
    pub(crate) qualifying: bool,
}

/// The value of a hole on a board, summed over the dealer's 990 hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Worth {
    /// The winnings of a 1x Play bet.
    pub(crate) play: i64,
    /// The winnings of Ante and Blind.
    pub(crate) base: i64,
}

impl Stakes {
    /// Returns the loss of a fold, over the dealer's 990 hands.
    pub(crate) const fn fold(&self) -> i64 {
        -2 * DEALER_HANDS as i64 * self.scale
    }

    /// Returns an upper bound for the value of nine holes on a board.
    pub(crate) fn largest(&self) -> i64 {
        let pays = self.pays.iter().max().copied().unwrap_or_default();
        2 * 9 * i64::from(DEALER_HANDS) * (pays + 8 * self.scale)
    }

    /// Returns the value of a hand against the dealer's 990.
    #[inline]
    pub(crate) fn worth(&self, category: Category, counts: Counts) -> Worth {
        self.worth_against(category, counts, DEALER_HANDS)
    }

    /// Returns the value of a hand against a number of dealer hands.
    #[inline]
    pub(crate) fn worth_against(&self, category: Category, counts: Counts, hands: i32) -> Worth {
        let Counts { wins, ties, unqualified } = counts;
        let unqualified = if self.qualifying { unqualified } else { 0 };
        let losses = hands - wins - ties;
        let play = wins - losses;
        // An Ante is settled against hands that qualify. Below a pair, the player beats none of
        // those and loses to all of them; from a pair up, the player beats all that don't qualify.
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
    /// Returns the value of a hole on the river under perfect play.
    #[inline]
    pub(crate) fn river(&self, worth: Worth) -> i64 {
        worth.bet(1).max(self.fold())
    }
}

impl Worth {
    /// Returns the value of betting a multiple of the ante.
    #[inline]
    pub(crate) const fn bet(self, times: i64) -> i64 {
        self.play * times + self.base
    }
}
