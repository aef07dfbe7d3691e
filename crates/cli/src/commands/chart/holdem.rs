//! The 169 hands before the flop, and the best play with each.

use std::fmt::Write;

use croupier_cards::Rank;
use croupier_odds::report::ChartReport;
use croupier_odds::{Fraction, Holdem, HoleKind, MainSheet, Strategy, Terms};
use croupier_rules::{Decision, StreetName};

use super::ranges::ranges;
use super::{Choice, coloured, figures_lines, percent, spoken, terms_line, wrap};
use crate::commands::thousands;

/// The best play before the flop.
pub(super) struct HoldemChart {
    pub(super) terms: Terms,
    pub(super) sheet: MainSheet,
    /// Indexed by the number of the kind.
    hands: Vec<Hand>,
    /// The best play on the flop and on the river, in a few rules.
    pub(super) later: Later,
    /// The chart for programs.
    pub(super) report: ChartReport,
}

/// Rules for the streets that have too many spots for a chart.
pub(super) struct Later {
    flop: Vec<String>,
    river: Vec<String>,
    cost: Fraction,
}

impl Later {
    fn new(solved: &Holdem) -> Self {
        let strategy = Strategy::shipped("croupier").expect("it comes with the program");
        let cost =
            solved.cost(&strategy.with_best_start()).expect("its later bets are always legal");
        let rules = |street: StreetName| {
            let rules = cost.rules.iter().filter(|rule| rule.street == street);
            let names: Vec<String> = rules.map(|rule| rule.name.clone()).collect();
            // The last name stands for "no rule fits".
            names.split_last().map_or_else(Vec::new, |(_, rules)| rules.to_vec())
        };
        Self { flop: rules(StreetName::Flop), river: rules(StreetName::River), cost: cost.cost }
    }

    /// Returns the rules in sentences, followed by their cost.
    pub(super) fn words(&self) -> [String; 3] {
        let cost = percent(self.cost, 4);
        [
            format!("On the flop, bet 2x with {}; otherwise check.", self.flop.join("; ")),
            format!("On the river, bet 1x with {}; otherwise fold.", self.river.join("; ")),
            format!("These rules cost {cost} of the ante more than perfect play."),
        ]
    }
}

/// Definitions of the words in the rules.
pub(super) const GLOSSARY: &str = "A hidden pair uses a hole card. The dealer's outs are the \
                                   unseen cards any one of which, with the board, beats your hand.";

/// One of the 169 hands.
pub(super) struct Hand {
    pub(super) kind: HoleKind,
    pub(super) actions: Vec<(Decision, Fraction)>,
    pub(super) choice: Choice,
}

impl Hand {
    /// Returns the value of the hand under perfect play.
    pub(super) fn value(&self) -> Fraction {
        let best = self.actions.iter().find(|(action, _)| *action == self.choice.best);
        best.expect("the best is one of them").1
    }
}

impl HoldemChart {
    pub(super) fn new(solved: &Holdem) -> Self {
        let hands = HoleKind::all().map(|kind| {
            let actions = solved.before_flop(kind);
            let choice = Choice::of(solved.best_before_flop(kind), &actions);
            Hand { kind, actions, choice }
        });
        Self {
            terms: solved.terms().clone(),
            sheet: MainSheet::new(solved.terms(), solved.outcomes()),
            hands: hands.collect(),
            later: Later::new(solved),
            report: ChartReport::holdem(solved),
        }
    }

    /// Returns the hands in the usual order of a chart: aces first, suited hands above the
    /// diagonal.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Rank, impl Iterator<Item = &Hand>)> {
        let row =
            move |row: Rank| Rank::ALL.into_iter().rev().map(move |column| self.hand(row, column));
        Rank::ALL.into_iter().rev().map(move |rank| (rank, row(rank)))
    }

    fn hand(&self, row: Rank, column: Rank) -> &Hand {
        let fits = |hand: &&Hand| {
            hand.kind.ranks() == (row.max(column), row.min(column))
                && hand.kind.is_suited() == (column < row)
        };
        self.hands.iter().find(fits).expect("there is a hand in every place")
    }

    /// Returns the bets that are best with some hand, the largest first.
    pub(super) fn bets(&self) -> Vec<u32> {
        let raises = self.terms.raises().iter().rev().copied();
        raises.filter(|&times| self.many(Decision::Bet(times)).0 > 0).collect()
    }

    /// Returns the number of hands an action is best with, and their combinations.
    pub(super) fn many(&self, action: Decision) -> (usize, u32) {
        let hands = self.hands.iter().filter(|hand| hand.choice.best == action);
        hands.fold((0, 0), |(hands, all), hand| (hands + 1, all + hand.kind.combinations()))
    }

    /// Summarizes the hands with which an action is best.
    pub(super) fn ranges(&self, action: Decision) -> String {
        ranges(|kind| self.hands[kind.number()].choice.best == action)
    }

    /// Describes how many hands and combinations an action is for.
    pub(super) fn share(&self, action: Decision) -> String {
        let (hands, combinations) = self.many(action);
        let share = percent(Fraction::new(combinations.into(), 1_326), 2);
        let combinations = thousands(combinations.into());
        format!("{hands} of 169 hands, {combinations} of 1,326 combinations ({share})")
    }

    /// Returns the hands whose best choices gain the least, the closest first.
    pub(super) fn closest(&self, many: usize) -> Vec<&Hand> {
        let mut hands: Vec<&Hand> = self.hands.iter().collect();
        hands.sort_by_key(|hand| (hand.choice.margin, hand.kind.number()));
        hands.truncate(many);
        hands
    }

    pub(super) fn text(&self, colour: bool) -> String {
        let title = self.terms.game().def().title;
        let mut text = format!("{title}, before the flop\n{}.\n\n", terms_line(&self.terms));
        self.show_square(&mut text, colour);
        text.push('\n');
        for times in self.bets() {
            let action = Decision::Bet(times);
            let words = format!("Raise {times}x with: {}", self.ranges(action));
            for (number, line) in wrap(&words, 76).into_iter().enumerate() {
                let indent = if number == 0 { "" } else { "  " };
                writeln!(text, "{indent}{line}").expect("a string");
            }
            writeln!(text, "  {}", self.share(action)).expect("a string");
        }
        let words = if self.bets().is_empty() { "Check with every hand" } else { "Check the rest" };
        writeln!(text, "{words}\n  {}\n", self.share(Decision::Check)).expect("a string");
        for words in self.later.words().iter().map(String::as_str).chain([GLOSSARY]) {
            for (number, line) in wrap(words, 76).into_iter().enumerate() {
                let indent = if number == 0 { "" } else { "  " };
                writeln!(text, "{indent}{line}").expect("a string");
            }
        }
        text.push('\n');
        text.push_str("Closest decisions, with the gain over the next best choice, in antes\n");
        for Hand { kind, choice, .. } in self.closest(5) {
            let Choice { best, next, margin } = choice;
            let (best, next, margin) = (spoken(*best), spoken(*next), margin.to_f64());
            writeln!(text, "  {kind:<4} {best:<8} {margin:.6}  over {next}").expect("a string");
        }
        text.push('\n');
        figures_lines(&mut text, &self.sheet);
        text
    }

    fn show_square(&self, text: &mut String, colour: bool) {
        let largest = self.terms.raises().last().copied().unwrap_or_default();
        let digits = largest.to_string().len();
        let width = if digits < 3 { digits + 2 } else { digits + 1 };
        write!(text, "   ").expect("a string");
        for rank in Rank::ALL.into_iter().rev() {
            write!(text, "{:>width$}", rank.letter()).expect("a string");
        }
        text.push('\n');
        for (rank, hands) in self.rows() {
            write!(text, "  {}", rank.letter()).expect("a string");
            for hand in hands {
                let (mark, code) = match hand.choice.best {
                    Decision::Bet(times) if times == largest => (times.to_string(), "1;32"),
                    Decision::Bet(times) => (times.to_string(), "1;33"),
                    _ => ("·".to_owned(), "2"),
                };
                text.push_str(&coloured(&format!("{mark:>width$}"), code, colour));
            }
            text.push('\n');
        }
        text.push_str("  Suited above the diagonal of pairs, offsuit below; · is a check.\n");
    }
}
