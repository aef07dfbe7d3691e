//! The outcomes of a round, and their frequencies.

use croupier_cards::Category;
use croupier_rules::{Decision, Outcome as Result};

use crate::fraction::Fraction;
use crate::terms::Terms;

/// All deals with the same outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The player's last action: a bet, or the fold.
    pub action: Decision,
    /// The result.
    pub result: Result,
    /// Whether the dealer qualified.
    pub dealer_qualifies: bool,
    /// The player's hand.
    pub hand: Category,
    /// The number of deals.
    pub deals: i128,
    /// The winnings or losses on Ante, Blind and Play, in parts of the ante.
    pub(crate) parts: [i64; 3],
    /// The number of parts in an ante.
    pub(crate) scale: i64,
}

impl Outcome {
    /// Builds an outcome.
    pub(crate) fn new(
        terms: &Terms,
        action: Decision,
        result: Result,
        dealer_qualifies: bool,
        hand: Category,
        deals: i128,
    ) -> Self {
        let scale = terms.scale();
        let Decision::Bet(times) = action else {
            let parts = [-scale, -scale, 0];
            return Self { action, result, dealer_qualifies, hand, deals, parts, scale };
        };
        let even = match result {
            Result::Win => scale,
            Result::Lose => -scale,
            Result::Push | Result::Fold | Result::Void => 0,
        };
        let ante = if dealer_qualifies { even } else { 0 };
        let blind = if result == Result::Win { terms.pays(hand) } else { even };
        let parts = [ante, blind, i64::from(times) * even];
        Self { action, result, dealer_qualifies, hand, deals, parts, scale }
    }

    /// Returns the player's net result, in antes.
    pub fn net(&self) -> Fraction {
        Fraction::new(self.parts.iter().map(|&part| i128::from(part)).sum(), self.scale.into())
    }

    /// Returns the multiple of the ante on Play.
    pub const fn play(&self) -> u32 {
        match self.action {
            Decision::Bet(times) => times,
            Decision::Check | Decision::Fold => 0,
        }
    }
}

/// Deals counted by action, hand, result (win, push, lose) and whether the dealer qualifies.
pub(crate) struct Counted(Vec<[[[i128; 2]; 3]; Category::ALL.len()]>);

impl Counted {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn add(&mut self, action: usize, hand: Category, deals: [[i64; 2]; 3]) {
        while self.0.len() <= action {
            self.0.push([[[0; 2]; 3]; Category::ALL.len()]);
        }
        let sums = self.0[action][hand as usize].iter_mut().flatten();
        for (sum, deals) in sums.zip(deals.into_iter().flatten()) {
            *sum += i128::from(deals);
        }
    }

    /// Returns all outcomes, by action, the strongest hands first.
    pub(crate) fn into_outcomes(
        self,
        terms: &Terms,
        actions: &[Decision],
        hands: &[Category],
    ) -> Vec<Outcome> {
        let mut outcomes: Vec<Outcome> = Vec::new();
        for (&action, counted) in actions.iter().zip(&self.0) {
            for &hand in hands.iter().rev() {
                let mut deals = counted[hand as usize];
                let mut results = [Result::Win, Result::Push, Result::Lose];
                if action == Decision::Fold {
                    // After a fold, the would-be result makes no difference.
                    let sum = |qualifies: usize| deals.iter().map(|deals| deals[qualifies]).sum();
                    deals = [[sum(0), sum(1)], [0; 2], [0; 2]];
                    results = [Result::Fold; 3];
                }
                for (result, deals) in results.into_iter().zip(deals) {
                    for (qualifies, deals) in [true, false].into_iter().zip(deals) {
                        if deals > 0 {
                            outcomes
                                .push(Outcome::new(terms, action, result, qualifies, hand, deals));
                        }
                    }
                }
            }
        }
        outcomes
    }
}
