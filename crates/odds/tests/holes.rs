//! The values of all 169 hands before the flop, kept in a file: a change of the solver that moves a
//! single deal shows there.
//!
//! `data/uth-holes.csv` has, for each hand, the values of a check, a bet of 3 and a bet of 4 under
//! the usual terms: in half antes, summed over the 20,975,724,000 flops, turns with rivers, and
//! dealer hands that can follow. With `CROUPIER_BLESS=1` the file is rewritten instead.

use std::fmt::Write;
use std::num::NonZero;
use std::path::Path;

use croupier_odds::{HOLDEM_DEALS, Holdem, HoleKind, Terms};
use croupier_rules::{Catalog, Decision, Game};

const HALF_ANTES: i128 = 2 * HOLDEM_DEALS / 1_326;

fn solved() -> Holdem {
    let blind = Catalog::shipped().paytable("UTH").expect("a table").clone();
    let terms = Terms::new(Game::Uth, blind).expect("good terms");
    Holdem::solve(terms, NonZero::new(2).expect("two"))
}

/// Returns the values of the choices of a hand, in half antes over all deals.
fn values(solved: &Holdem, kind: HoleKind) -> [i128; 3] {
    let values = solved.before_flop(kind);
    let actions: Vec<Decision> = values.iter().map(|&(action, _)| action).collect();
    assert_eq!(actions, [Decision::Check, Decision::Bet(3), Decision::Bet(4)]);
    [0, 1, 2].map(|action| {
        let value = values[action].1;
        assert_eq!(HALF_ANTES % value.denominator(), 0, "whole half antes");
        value.numerator() * (HALF_ANTES / value.denominator())
    })
}

#[test]
#[expect(clippy::disallowed_methods, reason = "it reads the file, and writes it on request")]
fn all_169_hands_have_the_values_in_the_file() {
    let solved = solved();
    let mut text = "hand,check,bet3,bet4\n".to_owned();
    let mut kinds: Vec<HoleKind> = HoleKind::all().collect();
    // In the order of a chart: the high card first, then the low one, suited before offsuit.
    kinds.sort_by_key(|kind| (std::cmp::Reverse(kind.ranks()), !kind.is_suited()));
    for kind in kinds {
        let [check, bet3, bet4] = values(&solved, kind);
        writeln!(text, "{kind},{check},{bet3},{bet4}").expect("a string");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/uth-holes.csv");
    if std::env::var_os("CROUPIER_BLESS").is_some() {
        std::fs::write(&path, &text).expect("the file can be written");
    }
    let kept = std::fs::read_to_string(&path).expect("tests/data/uth-holes.csv exists");
    for (found, kept) in text.lines().zip(kept.lines()) {
        assert_eq!(found, kept);
    }
    assert_eq!(text, kept);
}

/// One line of the file: the hand, the number of holes of its kind, and their values.
struct Line {
    hand: &'static str,
    combinations: i128,
    check: i128,
    bet3: i128,
    bet4: i128,
}

fn lines() -> impl Iterator<Item = Line> {
    include_str!("data/uth-holes.csv").lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let [hand, check, bet3, bet4] = fields[..] else { panic!("{line:?} has four fields") };
        let combinations = match (hand.len(), hand.ends_with('s')) {
            (2, _) => 6,
            (_, true) => 4,
            (_, false) => 12,
        };
        let [check, bet3, bet4] =
            [check, bet3, bet4].map(|value| value.parse().expect("a whole number"));
        Line { hand, combinations, check, bet3, bet4 }
    })
}

/// Checks the file on its own, without any solver.
#[test]
#[expect(clippy::cast_precision_loss, reason = "published figures are rounded")]
fn the_values_in_the_file_add_up_to_published_figures() {
    assert_eq!(lines().map(|line| line.combinations).sum::<i128>(), 1_326);
    let total = |value: &dyn Fn(&Line) -> i128| -> i128 {
        lines().map(|line| line.combinations * value(&line)).sum()
    };
    let best = |line: &Line| line.check.max(line.bet3).max(line.bet4);
    assert_eq!(total(&best), 2 * -607_723_787_676);
    let edge = |value: &dyn Fn(&Line) -> i128| {
        format!("{:.4}", -100.0 * total(value) as f64 / (2.0 * HOLDEM_DEALS as f64))
    };
    assert_eq!(edge(&|line| line.bet4), "40.7047", "a player who raises with everything");
    let three = |line: &Line| if line.bet4 > line.check { line.bet3 } else { line.check };
    assert_eq!(edge(&three), "9.8585", "a player who raises 3x with the right hands");

    let positive = lines().filter(|line| best(line) > 0);
    assert_eq!(positive.map(|line| line.combinations).sum::<i128>(), 468);
    let value = |hand| {
        let line = lines().find(|line| line.hand == hand).expect("a hand");
        format!("{:.6}", best(&line) as f64 / HALF_ANTES as f64)
    };
    assert_eq!([value("AA"), value("32o")], ["3.601073", "-0.925837"]);
}
