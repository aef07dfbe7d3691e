//! The exact cost of a strategy, and of each of its rules.
//!
//! Each time a rule decides, it costs the difference between the value of the best choice and the
//! value of its own, both followed by perfect play. Over all spots that the strategy reaches, these
//! differences add up to exactly the strategy's loss compared with the best play: a later loss is
//! charged to the rule that causes it.

use std::error::Error;
use std::fmt;

use croupier_rules::{Game, StreetName};

use crate::fraction::Fraction;
use crate::sheet::MainSheet;
use crate::strategy::Strategy;

/// The results of a strategy.
#[derive(Clone, Debug)]
pub struct Cost {
    /// The figures of the game under the strategy.
    pub sheet: MainSheet,
    /// How much more the best play wins, per ante.
    pub cost: Fraction,
    /// The cost of each rule, street by street.
    pub rules: Vec<RuleCost>,
}

/// The cost of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleCost {
    /// The street.
    pub street: StreetName,
    /// The rule's name.
    pub name: String,
    /// The share of all rounds in which it decides.
    pub frequency: Fraction,
    /// Its cost, per ante.
    pub cost: Fraction,
}

/// How often each rule of a street decided, and how much that lost against the best choice, both
/// over all deals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RuleTally(pub(crate) Vec<(i128, i128)>);

impl RuleTally {
    pub(crate) fn add(&mut self, rule: usize, times: i128, lost: i128) {
        if self.0.len() <= rule {
            self.0.resize(rule + 1, (0, 0));
        }
        let (sum, losses) = &mut self.0[rule];
        *sum += times;
        *losses += lost;
    }

    pub(crate) fn join(&mut self, other: &Self) {
        for (rule, &(times, lost)) in other.0.iter().enumerate() {
            self.add(rule, times, lost);
        }
    }
}

impl Cost {
    /// Assembles the counts: for each street, the number of deals its rules decided, and the loss
    /// in parts of the ante.
    ///
    /// # Panics
    ///
    /// When the costs of the rules do not add up to the cost of the strategy.
    pub(crate) fn new(
        strategy: &Strategy,
        sheet: MainSheet,
        best: Fraction,
        scale: i64,
        tallies: &[RuleTally],
    ) -> Self {
        let streets = strategy.game().def().streets;
        let mut rules = Vec::new();
        let mut lost_by_rules = 0;
        for (number, (street, tally)) in streets.iter().zip(tallies).enumerate() {
            for (rule, name) in strategy.rule_names(number).into_iter().enumerate() {
                let (times, lost) = tally.0.get(rule).copied().unwrap_or_default();
                lost_by_rules += lost;
                rules.push(RuleCost {
                    street: street.name,
                    name,
                    frequency: Fraction::new(times, sheet.deals),
                    cost: Fraction::new(lost, sheet.deals * i128::from(scale)),
                });
            }
        }
        let cost = best - sheet.ev;
        assert_eq!(
            cost,
            Fraction::new(lost_by_rules, sheet.deals * i128::from(scale)),
            "the costs of the rules add up to the cost of the strategy"
        );
        Self { sheet, cost, rules }
    }
}

/// The reason a strategy cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CostError {
    /// It is for another game.
    OtherGame(Game),
    /// A rule makes a bet that is not allowed.
    Raise {
        /// The rule.
        rule: String,
        /// The multiple of the ante it bets.
        times: u32,
        /// The bets allowed where it decides.
        allowed: Vec<u32>,
    },
}

impl fmt::Display for CostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherGame(game) => {
                write!(f, "the strategy is for {} ({})", game.def().title, game.id())
            }
            Self::Raise { rule, times, allowed } => {
                let allowed: Vec<String> =
                    allowed.iter().map(|times| format!("{times}x")).collect();
                let allowed = allowed.join(" or ");
                write!(f, "the rule \"{rule}\" bets {times}x where only {allowed} is allowed")
            }
        }
    }
}

impl Error for CostError {}
