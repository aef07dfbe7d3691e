//! What a strategy costs, exactly, and which of its rules costs how much.
//!
//! A rule costs, each time it decides, what the best choice is worth more than its own, both played
//! on as well as can be. Over all spots that the strategy comes to, these differences add up to
//! just what it loses more than the best play: what is lost later is charged to the rule that loses
//! it.

use std::error::Error;
use std::fmt;

use croupier_rules::Game;

use crate::fraction::Fraction;
use crate::sheet::MainSheet;
use crate::strategy::Strategy;

/// What a strategy comes to.
#[derive(Clone, Debug)]
pub struct Cost {
    /// What comes of it.
    pub sheet: MainSheet,
    /// What the best play wins more, per ante.
    pub cost: Fraction,
    /// What each rule costs, street by street.
    pub rules: Vec<RuleCost>,
}

/// What a rule costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleCost {
    /// The street, as files have it: `before-flop`, `flop`, `river`, or `three-cards`.
    pub street: &'static str,
    /// The rule's name.
    pub name: String,
    /// In what part of all rounds it decides.
    pub frequency: Fraction,
    /// What it costs, per ante.
    pub cost: Fraction,
}

/// How often each rule of a street decided, and what that lost against the best choice, both over
/// all deals.
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
    /// Puts together what was counted: for each street, in how many deals its rules decided, and
    /// what that lost in parts of the ante.
    ///
    /// # Panics
    ///
    /// When what the rules cost does not add up to what the strategy costs.
    pub(crate) fn new(
        strategy: &Strategy,
        sheet: MainSheet,
        best: Fraction,
        scale: i64,
        tallies: &[RuleTally],
    ) -> Self {
        let streets: &[&'static str] = match strategy.game() {
            Game::Uth => &["before-flop", "flop", "river"],
            Game::Utcp => &["three-cards"],
        };
        let mut rules = Vec::new();
        let mut lost_by_rules = 0;
        for (number, (&street, tally)) in streets.iter().zip(tallies).enumerate() {
            for (rule, name) in strategy.rule_names(number).into_iter().enumerate() {
                let (times, lost) = tally.0.get(rule).copied().unwrap_or_default();
                lost_by_rules += lost;
                rules.push(RuleCost {
                    street,
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
            "what the rules cost is what the strategy costs"
        );
        Self { sheet, cost, rules }
    }
}

/// Why a strategy cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CostError {
    /// It is for another game.
    OtherGame(Game),
    /// A rule bets what may not be bet.
    Raise {
        /// The rule.
        rule: String,
        /// How many times the ante it bets.
        times: u32,
        /// What may be bet where it decides.
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
                write!(f, "the rule \"{rule}\" bets {times}x where only {allowed} may be bet")
            }
        }
    }
}

impl Error for CostError {}
