//! Checks the costs of strategies against figures that were published or recomputed elsewhere.

use std::num::NonZero;

use croupier_odds::{Cost, CostError, Fraction, Holdem, Strategy, Terms, ThreeCard};
use croupier_rules::{Catalog, Decision, Game, StreetName};

fn holdem() -> Holdem {
    let catalog = Catalog::shipped();
    let blind = catalog.paytable("UTH").expect("a table").clone();
    let terms = Terms::new(Game::Uth, blind).expect("good terms");
    Holdem::solve(terms, NonZero::new(2).expect("two"))
}

fn written(streets: &str) -> Strategy {
    let head = "id = \"x\"\ntitle = \"x\"\nsource = \"a test\"\ngame = \"uth\"\n";
    Strategy::from_toml(&format!("{head}{streets}")).expect("a strategy")
}

fn sum(fractions: impl Iterator<Item = Fraction>) -> Fraction {
    fractions.fold(Fraction::ZERO, |sum, fraction| sum - (Fraction::ZERO - fraction))
}

fn percent(cost: &Cost) -> String {
    format!("{:.4}", 100.0 * cost.sheet.edge().to_f64())
}

#[test]
fn habits_before_the_flop_have_the_published_costs() {
    let solved = holdem();
    for (holes, bet, edge) in [
        ("33+ A2+ K2s+ K5o+ Q6s+ Q8o+ J8s+ JTo", 4, "2.1850"),
        ("22+ A2+ K2s+ K5o+ Q6s+ Q8o+ J8s+ JTo", 4, "2.2340"),
        ("33+ A2+ K5+ Q8+ JT", 4, "2.2855"),
        ("33+ A2+ K2+", 4, "3.3491"),
        ("33+ A2+", 4, "5.5982"),
        ("33+ A2+ K2s+ K5o+ Q6s+ Q8o+ J8s+ JTo", 3, "9.8585"),
        ("TT+ AJ+", 4, "10.6668"),
        ("", 4, "15.4968"),
    ] {
        let rules = format!(
            "flop = \"best\"\nriver = \"best\"\n[[before-flop]]\nholes = \"{holes}\"\n\
             then = \"bet {bet}\"\n"
        );
        let cost = solved.cost(&written(&rules)).expect("it can be played");
        assert_eq!(percent(&cost), edge, "{holes}");
    }
    let all = written("flop = \"best\"\nriver = \"best\"\n[[before-flop]]\nthen = \"bet 4\"\n");
    assert_eq!(percent(&solved.cost(&all).expect("it can be played")), "40.7047");
}

#[test]
fn the_best_play_costs_nothing() {
    let best = written("before-flop = \"best\"\nflop = \"best\"\nriver = \"best\"\n");
    let cost = holdem().cost(&best).expect("it can be played");
    assert_eq!(cost.cost.to_string(), "0");
    assert!(cost.rules.is_empty());
}

#[test]
fn shipped_strategies_have_the_documented_costs() {
    let solved = holdem();
    for (id, edge) in [("short", "2.4536"), ("croupier", "2.2903")] {
        let strategy = Strategy::shipped(id).expect("a strategy");
        assert_eq!(strategy.id(), id);
        let cost = solved.cost(&strategy).expect("it can be played");
        assert_eq!(percent(&cost), edge, "{id}");
        // The costs of the rules add up: that is asserted where they are assembled.
        assert!(cost.rules.iter().all(|rule| rule.cost.numerator() >= 0), "{id}");
        // A rule decides every round that reaches the river.
        let river = cost.rules.iter().filter(|rule| rule.street == StreetName::River);
        let ended = cost.sheet.frequency.iter();
        let ended = ended.filter(|(action, _)| ![4, 3, 2].map(Decision::Bet).contains(action));
        assert_eq!(
            sum(river.map(|rule| rule.frequency)),
            sum(ended.map(|&(_, frequency)| frequency)),
            "{id}"
        );
    }
    let catalog = Catalog::shipped();
    let blind = catalog.paytable("UTCP").expect("a table").clone();
    let solved = ThreeCard::solve(Terms::new(Game::Utcp, blind).expect("good terms"));
    let strategy = Strategy::shipped("utcp-short").expect("a strategy");
    assert_eq!(solved.cost(&strategy).expect("it can be played").cost.to_string(), "0");
}

#[test]
fn a_strategy_that_cannot_be_played_is_refused() {
    let solved = holdem();
    let other = Strategy::shipped("utcp-short").expect("a strategy");
    assert_eq!(solved.cost(&other).expect_err("an error"), CostError::OtherGame(Game::Utcp));
    let raise = written("flop = \"best\"\nriver = \"best\"\n[[before-flop]]\nthen = \"bet 5\"\n");
    let error = solved.cost(&raise).expect_err("an error").to_string();
    assert_eq!(error, "the rule \"rule 1\" bets 5x where only 3x or 4x is allowed");
}

#[test]
fn the_error_in_a_strategy_is_named() {
    let head = "id = \"x\"\ntitle = \"x\"\nsource = \"a test\"\n";
    for (rest, message) in [
        ("game = \"bridge\"", "\"bridge\" is unknown: write uth or utcp"),
        ("game = \"uth\"", "before-flop is missing: write rules, or \"best\""),
        ("game = \"utcp\"\nflop = \"best\"", "Ultimate Three Card Poker has no flop"),
        (
            "game = \"utcp\"\nthree-cards = \"well\"",
            "three-cards: \"well\" is unknown: write rules",
        ),
        (
            "game = \"utcp\"\n[[three-cards]]\nouts-at-most = 3\nthen = \"bet 1\"",
            "three-cards, rule 1: outs-at-most applies to river only",
        ),
        (
            "game = \"utcp\"\n[[three-cards]]\nthen = \"check\"",
            "three-cards, rule 1: you can't check there",
        ),
        (
            "game = \"utcp\"\n[[three-cards]]\nthen = \"call\"",
            "\"call\" is unknown: write check, fold, or bet N",
        ),
        (
            "game = \"utcp\"\n[[three-cards]]\nhand = \"two-pair\"\nthen = \"bet 1\"",
            "rule 1: Ultimate Three Card Poker has no two-pair: write one of high-card, pair,",
        ),
        (
            "game = \"uth\"\n[[before-flop]]\nholes = \"ZZ\"\nthen = \"bet 4\"",
            "\"ZZ\" is not a hole: write one like 33+",
        ),
        (
            "game = \"uth\"\n[[before-flop]]\nhols = \"33+\"\nthen = \"bet 4\"",
            "unknown field `hols`, expected one of `name`, `holes`,",
        ),
    ] {
        let error = Strategy::from_toml(&format!("{head}{rest}\n")).expect_err("an error");
        assert!(error.to_string().contains(message), "{rest}: {error}");
    }
}
