//! The hands of three cards, and the best play with each.

use std::fmt::Write;

use croupier_cards::{CardSet, Category, Rank, Three};
use croupier_odds::report::ChartReport;
use croupier_odds::{Fraction, MainSheet, Terms, ThreeCard, ThreeCardForm};
use croupier_rules::Decision;

use super::{Choice, coloured, figures_lines, percent, spoken, terms_line, wrap};
use crate::commands::thousands;

/// The best play with three cards.
pub(super) struct ThreeCardChart {
    pub(super) terms: Terms,
    pub(super) sheet: MainSheet,
    /// The 741 classes of equal strength, the strongest first.
    classes: Vec<Class>,
    /// The chart for programs.
    pub(super) report: ChartReport,
}

/// All hands of one strength. They differ in their suits, and therefore a little in value: cards in
/// the player's hand are not in the dealer's.
struct Class {
    three: Three,
    hands: Vec<Hand>,
}

/// A hand, standing for all that differ only in the names of suits.
struct Hand {
    cards: CardSet,
    multiplicity: u32,
    choice: Choice,
}

/// Neighboring classes with the same best action.
pub(super) struct Rung {
    /// The best action, or `None` for a single class where suits decide.
    pub(super) action: Option<Decision>,
    worst: Three,
    combinations: u32,
}

/// A close decision, in words.
pub(super) struct Close {
    pub(super) hand: String,
    pub(super) best: String,
    /// The gain, from the smallest to the largest, depending on the suits of the hand.
    pub(super) margins: String,
    pub(super) over: String,
}

/// An entry in the table of high cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kicker {
    /// No hand below a pair has these cards.
    Nothing,
    All,
    Never,
    From(Rank),
    /// No simple rule; see the lines above the table.
    Mixed,
}

impl Rung {
    /// Returns the number of its hands, and their share of all.
    pub(super) fn share(&self) -> (String, String) {
        let share = Fraction::new(self.combinations.into(), 22_100);
        (thousands(self.combinations.into()), percent(share, 2))
    }
}

impl Class {
    /// Returns the best action, unless it depends on suits.
    fn action(&self) -> Option<Decision> {
        let first = self.hands[0].choice.best;
        self.hands.iter().all(|hand| hand.choice.best == first).then_some(first)
    }

    fn combinations(&self) -> u32 {
        self.hands.iter().map(|hand| hand.multiplicity).sum()
    }

    /// Returns the smallest and the largest gain of the best choices.
    fn margins(&self) -> [Fraction; 2] {
        let margins = || self.hands.iter().map(|hand| hand.choice.margin);
        [margins().min(), margins().max()].map(|margin| margin.expect("a class has hands"))
    }
}

impl ThreeCardChart {
    pub(super) fn new(terms: Terms) -> Self {
        let solved = ThreeCard::solve(terms.clone());
        let sheet = MainSheet::new(&terms, solved.outcomes());
        let mut classes: Vec<Class> = Vec::new();
        for form in solved.forms() {
            let choice = Choice::of(form.best, &form.actions);
            let ThreeCardForm { three, cards, multiplicity, .. } = form;
            let hand = Hand { cards, multiplicity, choice };
            match classes.last_mut() {
                Some(class) if class.three == three => class.hands.push(hand),
                _ => classes.push(Class { three, hands: vec![hand] }),
            }
        }
        let report = ChartReport::three_card(&solved);
        Self { terms, sheet, classes, report }
    }

    /// Returns the line from the strongest hand to the weakest.
    pub(super) fn rungs(&self) -> Vec<Rung> {
        let mut rungs: Vec<Rung> = Vec::new();
        for class in &self.classes {
            let (action, worst, combinations) = (class.action(), class.three, class.combinations());
            match rungs.last_mut() {
                Some(rung) if action.is_some() && rung.action == action => {
                    rung.worst = worst;
                    rung.combinations += combinations;
                }
                _ => rungs.push(Rung { action, worst, combinations }),
            }
        }
        rungs
    }

    /// Describes the hands of a rung. Rungs are read from the top, and the first that fits counts.
    pub(super) fn hands_of(&self, rung: &Rung) -> String {
        let weakest = self.classes.last().map(|class| class.three);
        let all: u32 = self.classes.iter().map(Class::combinations).sum();
        if rung.action.is_none() {
            return format!("with {}, by suit", name(rung.worst));
        }
        if rung.combinations == all {
            return "with every hand".to_owned();
        }
        if Some(rung.worst) == weakest {
            return "the rest".to_owned();
        }
        let next = self.classes.iter().find(|class| class.three < rung.worst);
        let lowest = next.is_some_and(|class| class.three.category() != rung.worst.category());
        let category = rung.worst.category();
        match category {
            Category::ThreeOfAKind if lowest => format!("with {category} or better"),
            _ if lowest => format!("with a {category} or better"),
            _ => format!("with {} or better", name(rung.worst)),
        }
    }

    /// Describes exactly how suits decide, where they do.
    pub(super) fn by_suits(&self) -> Vec<String> {
        let mixed = self.classes.iter().filter(|class| class.action().is_none());
        let lines = mixed.map(|class| {
            let mut actions: Vec<Decision> = Vec::new();
            for hand in &class.hands {
                if !actions.contains(&hand.choice.best) {
                    actions.push(hand.choice.best);
                }
            }
            let parts: Vec<String> = actions
                .into_iter()
                .map(|action| {
                    let hands = class.hands.iter().filter(|hand| hand.choice.best == action);
                    let suits: Vec<String> = hands.map(|hand| pattern(hand.cards)).collect();
                    format!("{} with {}", spoken(action), suits.join(" or "))
                })
                .collect();
            format!("{}: {}", name(class.three), parts.join("; "))
        });
        lines.collect()
    }

    /// Returns the entry in the table of high cards for two higher cards.
    pub(super) fn kicker(&self, high: Rank, middle: Rank) -> Kicker {
        let classes = self.classes.iter().filter(|class| {
            class.three.category() == Category::HighCard
                && class.three.ranks()[..2] == [high, middle]
        });
        let mut from = None;
        let (mut many, mut bets, mut folded) = (0, 0, false);
        for class in classes {
            many += 1;
            match class.action() {
                None => return Kicker::Mixed,
                Some(Decision::Bet(_)) if folded => return Kicker::Mixed,
                Some(Decision::Bet(_)) => {
                    bets += 1;
                    from = Some(class.three.ranks()[2]);
                }
                Some(_) => folded = true,
            }
        }
        match from {
            None if many == 0 => Kicker::Nothing,
            None => Kicker::Never,
            Some(_) if bets == many => Kicker::All,
            Some(rank) => Kicker::From(rank),
        }
    }

    /// Returns the classes whose best choices gain the least, the closest first.
    pub(super) fn closest(&self, many: usize) -> Vec<Close> {
        let mut classes: Vec<&Class> = self.classes.iter().collect();
        classes.sort_by_key(|class| (class.margins()[0], class.three));
        let line = |class: &&Class| {
            let [least, most] = class.margins().map(Fraction::to_f64);
            let next = class.hands[0].choice.next;
            let (best, over) = match class.action() {
                Some(best) => (spoken(best), format!("over {}", spoken(next))),
                // The suits determine which choice gains over which.
                None => ("by suit".to_owned(), String::new()),
            };
            let margins = format!("{least:.6} to {most:.6}");
            Close { hand: name(class.three), best, margins, over }
        };
        classes.iter().take(many).map(line).collect()
    }

    pub(super) fn text(&self, colour: bool) -> String {
        let title = self.terms.game().def().title;
        let mut text = format!("{title}\n{}.\n\n", terms_line(&self.terms));
        for rung in self.rungs() {
            let (many, share) = rung.share();
            let (action, code) = match rung.action {
                Some(Decision::Fold) => ("Fold".to_owned(), "2"),
                Some(action) => (spoken(action).replacen('b', "B", 1), "1;32"),
                None => ("Decide".to_owned(), "1;33"),
            };
            let line = format!("{action} {}", self.hands_of(&rung));
            let line = coloured(&format!("{line:<36}"), code, colour);
            writeln!(text, "{line}{many:>7} of 22,100 hands ({share})").expect("a string");
        }
        text.push('\n');
        let by_suits = self.by_suits();
        if by_suits.is_empty() {
            text.push_str("Suits change no decision.\n\n");
        } else {
            text.push_str("Where suits decide:\n");
            for line in by_suits.iter().flat_map(|line| wrap(line, 76)) {
                writeln!(text, "  {line}").expect("a string");
            }
            text.push('\n');
        }
        self.show_table(&mut text, colour);
        text.push_str("\nClosest decisions, with the gain over the next best choice, in antes\n");
        for Close { hand, best, margins, over } in self.closest(5) {
            let line = format!("  {hand:<8} {best:<8} {margins}  {over}");
            writeln!(text, "{}", line.trim_end()).expect("a string");
        }
        text.push_str("  smallest to largest, depending on the suits of the hand\n");
        text.push('\n');
        figures_lines(&mut text, &self.sheet);
        text
    }

    fn show_table(&self, text: &mut String, colour: bool) {
        text.push_str("Below a pair, by the two higher cards: the lowest third card that bets\n");
        write!(text, "   ").expect("a string");
        for middle in middles() {
            write!(text, "{:>5}", middle.letter()).expect("a string");
        }
        text.push('\n');
        for high in highs() {
            let mut line = format!("  {}", high.letter());
            for middle in middles().filter(|&middle| middle < high) {
                let (mark, code) = match self.kicker(high, middle) {
                    Kicker::Nothing => (String::new(), "0"),
                    Kicker::All => ("all".to_owned(), "1;32"),
                    Kicker::Never => ("·".to_owned(), "2"),
                    Kicker::From(rank) => (format!("{}+", rank.letter()), "1;33"),
                    Kicker::Mixed => ("*".to_owned(), "1;33"),
                };
                // The columns before it are for cards that are not lower.
                let skipped = middles().filter(|&other| other >= high).count();
                let width = if line.len() == 3 { 5 * (skipped + 1) } else { 5 };
                line.push_str(&coloured(&format!("{mark:>width$}"), code, colour));
            }
            writeln!(text, "{}", line.trim_end()).expect("a string");
        }
        let legend = if text.contains('*') { "· fold, * see above" } else { "· fold" };
        writeln!(text, "  {legend}").expect("a string");
    }
}

/// Returns the highest cards that hands below a pair can have, ace first.
pub(super) fn highs() -> impl Iterator<Item = Rank> {
    Rank::ALL.into_iter().rev().filter(|&rank| rank >= Rank::Five)
}

/// Returns the middle cards that hands below a pair can have, king first.
pub(super) fn middles() -> impl Iterator<Item = Rank> {
    Rank::ALL.into_iter().rev().filter(|&rank| (Rank::Three..Rank::Ace).contains(&rank))
}

/// Names a strength by its ranks.
fn name(three: Three) -> String {
    let ranks: Vec<String> = three.ranks().map(|rank| rank.letter().to_string()).into();
    let ranks = ranks.join("-");
    match three.category() {
        Category::HighCard | Category::Pair | Category::ThreeOfAKind => ranks,
        category => format!("{category} {ranks}"),
    }
}

/// Describes which cards share a suit.
fn pattern(cards: CardSet) -> String {
    let (_, best) = Three::best(cards);
    for (number, one) in best.iter().enumerate() {
        for other in &best[number + 1..] {
            if one.suit() == other.suit() {
                return format!("{} and {} suited", one.rank().letter(), other.rank().letter());
            }
        }
    }
    "three suits".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_the_cards_that_share_a_suit() {
        let of = |cards: &str| pattern(cards.parse().expect("cards"));
        assert_eq!(of("Js 7s 4h"), "J and 7 suited");
        assert_eq!(of("Js 7h 4h"), "7 and 4 suited");
        assert_eq!(of("Js 7h 4d"), "three suits");
    }
}
