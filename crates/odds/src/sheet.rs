//! The PAR sheet (probability accounting report): the results of a game, in figures.
//!
//! All of it is computed from one table, the outcomes and the number of deals of each. Sums are
//! exact; floats come at the very end.

use std::collections::BTreeMap;

use croupier_cards::Category;
use croupier_rules::{Decision, Game, PayTable, PayTableBet};

use crate::fraction::Fraction;
use crate::outcome::Outcome;
use crate::terms::{Terms, TermsError, in_whole_parts};

/// The results of Ante, Blind and Play, per ante.
#[derive(Clone, Debug)]
pub struct MainSheet {
    /// The number of deals.
    pub deals: i128,
    /// The player's winnings.
    pub ev: Fraction,
    /// The player's winnings on the Ante, on the Blind, on Play.
    pub bets: [Fraction; 3],
    /// The average total of the player's wagers.
    pub average_wager: Fraction,
    /// The house edge as a share of the total wagered.
    pub element_of_risk: Fraction,
    /// The mean square of the net result.
    pub mean_square: Fraction,
    /// How often each action ends the player's decisions, the largest bet first and the fold last.
    pub frequency: Vec<(Decision, Fraction)>,
    /// Every net result and the number of deals that end with it, from the worst.
    pub distribution: Vec<(Fraction, i128)>,
    /// All outcomes.
    pub outcomes: Vec<Outcome>,
}

impl MainSheet {
    /// Sums up outcomes.
    pub fn new(terms: &Terms, outcomes: Vec<Outcome>) -> Self {
        let deals: i128 = outcomes.iter().map(|outcome| outcome.deals).sum();
        let scale = outcomes.first().map_or(1, |outcome| i128::from(outcome.scale));
        let sum = |each: &dyn Fn(&Outcome) -> i128| -> i128 {
            outcomes.iter().map(|outcome| outcome.deals * each(outcome)).sum()
        };
        let part =
            |bet: usize| Fraction::new(sum(&|outcome| outcome.parts[bet].into()), deals * scale);
        let net = |outcome: &Outcome| -> i128 {
            outcome.parts.iter().map(|&part| i128::from(part)).sum()
        };
        let total = sum(&net);
        let squares = sum(&|outcome| net(outcome) * net(outcome));
        let play = sum(&|outcome| outcome.play().into());
        let allowed = match terms.game() {
            Game::Uth => &[0, 1, 2][..],
            Game::Utcp => &[0, 1],
        };
        let allowed = allowed.iter().chain(terms.raises());
        let mut frequency: BTreeMap<u32, i128> = allowed.map(|&times| (times, 0)).collect();
        let mut distribution: BTreeMap<i128, i128> = BTreeMap::new();
        for outcome in &outcomes {
            *frequency.entry(outcome.play()).or_default() += outcome.deals;
            *distribution.entry(net(outcome)).or_default() += outcome.deals;
        }
        let action = |times: u32| if times == 0 { Decision::Fold } else { Decision::Bet(times) };
        Self {
            deals,
            ev: Fraction::new(total, deals * scale),
            bets: [0, 1, 2].map(part),
            average_wager: Fraction::new(2 * deals + play, deals),
            mean_square: Fraction::new(squares, deals * scale * scale),
            element_of_risk: Fraction::new(-total, scale * (2 * deals + play)),
            frequency: frequency
                .into_iter()
                .rev()
                .map(|(times, many)| (action(times), Fraction::new(many, deals)))
                .collect(),
            distribution: distribution
                .into_iter()
                .map(|(net, many)| (Fraction::new(net, scale), many))
                .collect(),
            outcomes,
        }
    }

    /// Returns the house edge per ante.
    pub const fn edge(&self) -> Fraction {
        Fraction::new(-self.ev.numerator(), self.ev.denominator())
    }

    /// Returns the standard deviation of a round, in antes.
    pub fn standard_deviation(&self) -> f64 {
        deviation(self.mean_square, self.ev)
    }
}

/// The results of the bonus bet, per unit, and together with the main game.
#[derive(Clone, Debug)]
pub struct BonusSheet {
    /// The player's winnings.
    pub ev: Fraction,
    /// How often it pays.
    pub hit_frequency: Fraction,
    /// The mean square of the net result.
    pub mean_square: Fraction,
    /// The share of all deals that make each named hand, the strongest first.
    pub hands: Vec<(Category, Fraction)>,
    /// The mean product with the net result of the main game, for a bonus of one ante.
    pub mean_product: Fraction,
}

impl BonusSheet {
    /// Sums up the payoffs of the bonus for the hands of a game.
    ///
    /// # Errors
    ///
    /// When the pay table pays more, or finer fractions, than sums can hold.
    ///
    /// # Panics
    ///
    /// When the pay table is not for a bonus of the game.
    pub fn new(game: Game, bonus: &PayTable, main: &MainSheet) -> Result<Self, TermsError> {
        assert_eq!(bonus.bet(), PayTableBet::bonus_of(game), "a pay table for the bonus");
        let (scale, pays) = in_whole_parts(game, bonus)?;
        let scale = i128::from(scale);
        let wins = |hand: Category| match bonus.pays(hand) {
            Some(_) => i128::from(pays[hand as usize]),
            None => -scale,
        };
        let sum = |each: &dyn Fn(&Outcome) -> i128| -> i128 {
            main.outcomes.iter().map(|outcome| outcome.deals * each(outcome)).sum()
        };
        let total = sum(&|outcome| wins(outcome.hand));
        let squares = sum(&|outcome| wins(outcome.hand) * wins(outcome.hand));
        let hits = sum(&|outcome| i128::from(wins(outcome.hand) > 0));
        let main_scale = main.outcomes.first().map_or(1, |outcome| i128::from(outcome.scale));
        let net = |outcome: &Outcome| -> i128 {
            outcome.parts.iter().map(|&part| i128::from(part)).sum()
        };
        let products = sum(&|outcome| wins(outcome.hand) * net(outcome));
        let hands = bonus.lines(game).map(|(hand, _)| {
            (hand, Fraction::new(sum(&|outcome| i128::from(outcome.hand == hand)), main.deals))
        });
        let deals = main.deals;
        Ok(Self {
            ev: Fraction::new(total, deals * scale),
            hit_frequency: Fraction::new(hits, deals),
            mean_square: Fraction::new(squares, deals * scale * scale),
            hands: hands.collect(),
            mean_product: Fraction::new(products, deals * scale * main_scale),
        })
    }

    /// Returns the house edge per unit.
    pub const fn edge(&self) -> Fraction {
        Fraction::new(-self.ev.numerator(), self.ev.denominator())
    }

    /// Returns the standard deviation of the bonus.
    pub fn standard_deviation(&self) -> f64 {
        deviation(self.mean_square, self.ev)
    }

    /// Returns the covariance of the bonus and the main game.
    fn covariance(&self, main: &MainSheet) -> f64 {
        self.mean_product.to_f64() - self.ev.to_f64() * main.ev.to_f64()
    }

    /// Returns the standard deviation of a round with a bonus of one ante.
    pub fn standard_deviation_together(&self, main: &MainSheet) -> f64 {
        let [one, other] = [self.standard_deviation(), main.standard_deviation()];
        (one * one + other * other + 2.0 * self.covariance(main)).max(0.0).sqrt()
    }

    /// Returns how closely the bonus follows the main game, from -1 to 1, if both vary at all.
    pub fn correlation(&self, main: &MainSheet) -> Option<f64> {
        let deviations = main.standard_deviation() * self.standard_deviation();
        (deviations > 0.0).then(|| self.covariance(main) / deviations)
    }
}

fn deviation(mean_square: Fraction, mean: Fraction) -> f64 {
    let mean = mean.to_f64();
    // A constant result may give a variance slightly below zero.
    (mean_square.to_f64() - mean * mean).max(0.0).sqrt()
}
