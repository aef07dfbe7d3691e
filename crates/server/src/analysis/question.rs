//! Validated questions, and how they are answered.

use std::num::NonZero;
use std::time::Instant;

use axum::body::Bytes;
use croupier_cards::{CardSet, canonical};
use croupier_odds::report::{AdviceReport, ChartReport, CostReport, OddsReport};
use croupier_odds::{BonusSheet, Holdem, Known, MainSheet, Strategy, Terms, ThreeCard, advise};
use croupier_rules::{Game, PayTable};
use serde::Serialize;

use super::Answer;
use crate::http::problem::{Code, Problem};

/// A question with valid terms.
#[derive(Debug)]
pub(super) enum Question {
    /// The PAR sheet of a game.
    Odds { terms: Terms, bonus: Box<PayTable> },
    /// The value of each choice in a spot. The cards are known to make a valid spot.
    Advice { terms: Terms, known: Known },
    /// The best play for every hand.
    Chart { terms: Terms },
    /// The cost of a strategy, which was parsed from this text.
    Cost { terms: Terms, strategy: Box<Strategy>, text: String },
}

/// A game is solved on the thread assigned to it, and no other.
const ONE_THREAD: NonZero<usize> = NonZero::<usize>::MIN;

impl Question {
    fn terms(&self) -> &Terms {
        match self {
            Self::Odds { terms, .. }
            | Self::Advice { terms, .. }
            | Self::Chart { terms }
            | Self::Cost { terms, .. } => terms,
        }
    }

    /// Tells whether the question needs no whole game to be solved.
    pub(super) const fn is_about_a_spot(&self) -> bool {
        matches!(self, Self::Advice { .. })
    }

    /// Returns the cache key: questions with the same answer share it, and no others do.
    pub(super) fn key(&self) -> String {
        let terms = self.terms();
        let on = (terms.game(), terms.blind(), terms.raises(), terms.qualifying());
        match self {
            Self::Odds { bonus, .. } => json(&("odds", on, bonus)),
            Self::Advice { known, .. } => {
                let cards = [&known.hand, &known.board, &known.dead, &known.dealer];
                let cards = cards.map(|cards| cards.iter().copied().collect::<CardSet>());
                // No suit is better than another, and the order of cards does not matter.
                json(&("advice", on, canonical(cards).cards.map(|cards| cards.to_string())))
            }
            Self::Chart { .. } => json(&("chart", on)),
            Self::Cost { text, .. } => json(&("cost", on, text)),
        }
    }

    /// Computes the answer. This blocks the thread.
    pub(super) fn answer(self) -> Answer {
        match self {
            Self::Odds { terms, bonus } => odds(&terms, &bonus).map(|report| body(&report)),
            Self::Advice { terms, known } => {
                let advice = advise(&terms, &known);
                let advice =
                    advice.map_err(|error| Problem::new(Code::BadSpot, error.to_string()))?;
                Ok(body(&AdviceReport::from(&advice)))
            }
            Self::Chart { terms } => Ok(body(&match terms.game() {
                Game::Uth => ChartReport::holdem(&Holdem::solve(terms, ONE_THREAD)),
                Game::Utcp => ChartReport::three_card(&ThreeCard::solve(terms)),
            })),
            Self::Cost { terms, strategy, .. } => {
                cost(&terms, &strategy).map(|report| body(&report))
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the shell reads the clock")]
fn odds(terms: &Terms, bonus_table: &PayTable) -> Result<OddsReport, Problem> {
    let start = Instant::now();
    let outcomes = match terms.game() {
        Game::Uth => Holdem::solve(terms.clone(), ONE_THREAD).outcomes(),
        Game::Utcp => ThreeCard::solve(terms.clone()).outcomes(),
    };
    let main = MainSheet::new(terms, outcomes);
    let bonus = BonusSheet::new(terms.game(), bonus_table, &main)
        .map_err(|error| Problem::new(Code::BadTerms, format!("bonus: {error}")))?;
    Ok(OddsReport::new(terms, bonus_table, &main, &bonus, start.elapsed().as_secs_f64()))
}

#[expect(clippy::disallowed_methods, reason = "the shell reads the clock")]
fn cost(terms: &Terms, strategy: &Strategy) -> Result<CostReport, Problem> {
    let start = Instant::now();
    let cost = match terms.game() {
        Game::Uth => Holdem::solve(terms.clone(), ONE_THREAD).cost(strategy),
        Game::Utcp => ThreeCard::solve(terms.clone()).cost(strategy),
    };
    let cost = cost.map_err(|error| Problem::new(Code::BadTerms, format!("strategy: {error}")))?;
    Ok(CostReport::new(strategy, terms, &cost, start.elapsed().as_secs_f64()))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}

fn body(value: &impl Serialize) -> Bytes {
    json(value).into()
}
