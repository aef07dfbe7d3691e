//! Exact odds of Ultimate Texas Hold'em and Ultimate Three Card Poker, for any pay table.
//!
//! Nothing is sampled: every value is a whole number over a known number of deals, and becomes a
//! float only when it is printed. `docs/odds.md` explains the method so that it can be checked.
//!
//! # A whole game
//!
//! [`Holdem`] and [`ThreeCard`] solve a game under some [`Terms`]. A [`MainSheet`] and a
//! [`BonusSheet`] sum up the results of the best play.
//!
//! ```
//! use croupier_odds::{BonusSheet, MainSheet, Terms, ThreeCard};
//! use croupier_rules::{Catalog, Game};
//!
//! let catalog = Catalog::shipped();
//! let terms = Terms::new(Game::Utcp, catalog.paytable("UTCP")?.clone())?;
//! let main = MainSheet::new(&terms, ThreeCard::solve(terms.clone()).outcomes());
//! assert_eq!(main.ev.to_string(), "-690084/12724075");
//!
//! let bonus = BonusSheet::new(Game::Utcp, catalog.paytable("UTCP-03")?, &main)?;
//! assert_eq!(format!("{:.4}", 100.0 * bonus.edge().to_f64()), "7.0950");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Human strategies
//!
//! A [`Strategy`] is a file of rules, and [`Holdem::cost`] and [`ThreeCard::cost`] return its exact
//! cost, rule by rule.
//!
//! # One spot
//!
//! [`advise`] returns the exact value of every choice in a spot, given any known cards: cards seen
//! at other seats, or the dealer's. It doesn't need a solved game.
//!
//! # For programs
//!
//! [`report`] has all of it as plain data that serializes to JSON. With the feature `schema` it
//! also describes itself.

mod advice;
mod cost;
mod fraction;
mod holdem;
mod hole_kind;
mod outcome;
mod parallel;
pub mod report;
mod sheet;
mod strategy;
mod terms;
mod three_card;

pub use advice::{Advice, AdviceError, Known, advise};
pub use cost::{Cost, CostError, RuleCost};
pub use fraction::Fraction;
pub use holdem::{HOLDEM_DEALS, Holdem};
pub use hole_kind::HoleKind;
pub use outcome::Outcome;
pub use sheet::{BonusSheet, MainSheet};
pub use strategy::{ParseRangeError, Range, Strategy, StrategyError, street_key};
pub use terms::{Terms, TermsError};
pub use three_card::{THREE_CARD_DEALS, ThreeCard, ThreeCardForm};
