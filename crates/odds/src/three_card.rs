//! Ultimate Three Card Poker, solved.
//!
//! All 22,100 hands are swept from the weakest to the strongest, keeping count of how many so far
//! hold a given card, and how many hold two given cards. Of the hands below {a, b, c}, those
//! without any of the three are: all, minus those with a, with b, with c, plus those with two of
//! them. (None below has all three.)

use croupier_cards::{Canonical, Card, CardSet, Category, Three, canonical};
use croupier_rules::{Decision, Game};

use crate::cost::{Cost, CostError, RuleTally};
use crate::fraction::Fraction;
use crate::outcome::{Counted, Outcome};
use crate::sheet::MainSheet;
use crate::strategy::Strategy;
use crate::terms::Terms;

/// The number of possible dealer hands against a given hand.
const DEALER_HANDS: i64 = 18_424;

/// The number of deals.
pub const THREE_CARD_DEALS: i128 = 22_100 * DEALER_HANDS as i128;

/// Ultimate Three Card Poker under some terms, with the exact value of every choice.
#[derive(Clone, Debug)]
pub struct ThreeCard {
    terms: Terms,
    hands: Vec<HandCounts>,
}

/// A hand of three cards, standing for all that differ only in the names of suits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreeCardForm {
    /// Its strength.
    pub three: Three,
    /// One of the hands.
    pub cards: CardSet,
    /// How many there are.
    pub multiplicity: u32,
    /// The value of every choice, in antes: the fold, and then each bet, the smallest first.
    pub actions: Vec<(Decision, Fraction)>,
    /// The best choice; among equals, the smallest.
    pub best: Decision,
}

/// The results of a hand against the dealer's hands.
#[derive(Clone, Copy, Debug)]
struct HandCounts {
    cards: CardSet,
    three: Three,
    wins: i64,
    ties: i64,
    /// How many of the dealer's hands don't qualify, and how many of those it beats and ties.
    unqualified: i64,
    unqualified_wins: i64,
    unqualified_ties: i64,
}

/// Hands so far: all, by a card, and by two cards.
struct Tally {
    all: i64,
    with: [i64; 52],
    with_two: Vec<[i64; 52]>,
}

impl Tally {
    fn new() -> Self {
        Self { all: 0, with: [0; 52], with_two: vec![[0; 52]; 52] }
    }

    fn add(&mut self, cards: [usize; 3]) {
        self.all += 1;
        let [a, b, c] = cards;
        for card in cards {
            self.with[card] += 1;
        }
        for (one, other) in [(a, b), (a, c), (b, c)] {
            self.with_two[one][other] += 1;
        }
    }

    /// Returns how many hands have none of the cards. The hand of exactly these cards counts, too,
    /// if it was added.
    fn without(&self, [a, b, c]: [usize; 3]) -> i64 {
        self.all - self.with[a] - self.with[b] - self.with[c]
            + self.with_two[a][b]
            + self.with_two[a][c]
            + self.with_two[b][c]
    }
}

impl ThreeCard {
    /// Solves the game.
    ///
    /// # Panics
    ///
    /// When the terms are for another game.
    pub fn solve(terms: Terms) -> Self {
        assert_eq!(terms.game(), Game::Utcp, "this solves three-card poker");
        let mut order: Vec<(Three, [usize; 3])> = CardSet::FULL
            .subsets(3)
            .map(|cards| {
                let mut numbers = cards.into_iter().map(Card::index);
                (Three::of(cards), [(); 3].map(|()| numbers.next().expect("three cards")))
            })
            .collect();
        order.sort_unstable();
        let qualifies = Game::Utcp.def().qualifies;
        let weak =
            |three: Three| terms.qualifying() && !qualifies(croupier_rules::Strength::Three(three));
        let mut unqualified = Tally::new();
        for &(_, cards) in order.iter().take_while(|&&(three, _)| weak(three)) {
            unqualified.add(cards);
        }
        let mut tally = Tally::new();
        let mut hands = Vec::with_capacity(order.len());
        for group in order.chunk_by(|one, other| one.0 == other.0) {
            let wins: Vec<i64> = group.iter().map(|&(_, cards)| tally.without(cards)).collect();
            for &(_, cards) in group {
                tally.add(cards);
            }
            for (&(three, cards), wins) in group.iter().zip(wins) {
                let ties = tally.without(cards) - 1 - wins;
                let is_weak = weak(three);
                let unqualified = unqualified.without(cards) - i64::from(is_weak);
                hands.push(HandCounts {
                    cards: cards.into_iter().map(|number| Card::ALL[number]).collect(),
                    three,
                    wins,
                    ties,
                    unqualified,
                    unqualified_wins: if is_weak { wins } else { unqualified },
                    unqualified_ties: if is_weak { ties } else { 0 },
                });
            }
        }
        Self { terms, hands }
    }

    /// Returns the terms.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Returns the player's winnings with the best play, in antes, as a sum over all deals.
    pub fn total(&self) -> Fraction {
        let total = self.hands.iter().map(|hand| i128::from(self.best(hand).1)).sum();
        Fraction::new(total, self.terms.scale().into())
    }

    /// Counts every outcome with the best play.
    pub fn outcomes(&self) -> Vec<Outcome> {
        self.ends(|hand| self.best(hand).0)
    }

    /// Returns the cost of a strategy.
    ///
    /// # Errors
    ///
    /// When it is for another game, or makes bets that the terms do not allow.
    pub fn cost(&self, strategy: &Strategy) -> Result<Cost, CostError> {
        if strategy.game() != Game::Utcp {
            return Err(CostError::OtherGame(strategy.game()));
        }
        let mut tally = RuleTally::default();
        for hand in &self.hands {
            let best = self.best(hand).1;
            if let Some((rule, decision)) = strategy.with_three(hand.three) {
                let found = self.values(hand).find(|(choice, _)| *choice == decision);
                let Some((_, value)) = found else {
                    let bets = self.values(hand).filter_map(|(choice, _)| match choice {
                        Decision::Bet(times) => Some(times),
                        Decision::Check | Decision::Fold => None,
                    });
                    let Decision::Bet(times) = decision else { unreachable!("folds are legal") };
                    let (rule, allowed) = (strategy.rule_names(0)[rule].clone(), bets.collect());
                    return Err(CostError::Raise { rule, times, allowed });
                };
                tally.add(rule, DEALER_HANDS.into(), (best - value).into());
            }
        }
        let decide = |hand: &HandCounts| match strategy.with_three(hand.three) {
            Some((_, decision)) => decision,
            None => self.best(hand).0,
        };
        let sheet = MainSheet::new(&self.terms, self.ends(decide));
        let total = self.total();
        let best = Fraction::new(total.numerator(), total.denominator() * THREE_CARD_DEALS);
        Ok(Cost::new(strategy, sheet, best, self.terms.scale(), &[tally]))
    }

    /// Counts every outcome with these decisions.
    fn ends(&self, decide: impl Fn(&HandCounts) -> Decision) -> Vec<Outcome> {
        let raises = self.terms.raises().iter().rev().map(|&times| Decision::Bet(times));
        // Hands below a pair bet 1x, whatever other hands may bet.
        let once = [Decision::Bet(1)].into_iter().filter(|_| !self.terms.raises().contains(&1));
        let actions: Vec<Decision> = raises.chain(once).chain([Decision::Fold]).collect();
        let mut counted = Counted::new();
        for hand in &self.hands {
            let decision = decide(hand);
            let action = actions.iter().position(|&action| action == decision);
            let action = action.expect("a decision that the terms allow");
            let category = hand.three.category();
            let losses = DEALER_HANDS - hand.wins - hand.ties;
            let unqualified_losses =
                hand.unqualified - hand.unqualified_wins - hand.unqualified_ties;
            let deals = [
                [hand.wins - hand.unqualified_wins, hand.unqualified_wins],
                [hand.ties - hand.unqualified_ties, hand.unqualified_ties],
                [losses - unqualified_losses, unqualified_losses],
            ];
            counted.add(action, category, deals);
        }
        counted.into_outcomes(&self.terms, &actions, &Three::CATEGORIES)
    }

    /// Returns all hands, the weakest first, with the value of every choice, in antes: the fold,
    /// and then each bet, the smallest first. The decision next to them is the best; among equals,
    /// the smallest.
    pub fn hands(
        &self,
    ) -> impl Iterator<Item = (CardSet, Vec<(Decision, Fraction)>, Decision)> + '_ {
        let deals = i128::from(self.terms.scale() * DEALER_HANDS);
        self.hands.iter().map(move |hand| {
            let values = self.values(hand);
            let exact = values.map(|(action, value)| (action, Fraction::new(value.into(), deals)));
            (hand.cards, exact.collect(), self.best(hand).0)
        })
    }

    /// Returns the hands that differ in more than the names of suits, the strongest first.
    pub fn forms(&self) -> Vec<ThreeCardForm> {
        let forms = self.hands().filter_map(|(cards, actions, best)| {
            let Canonical { cards: form, multiplicity, .. } = canonical([cards]);
            let three = Three::of(cards);
            (form == [cards]).then_some(ThreeCardForm { three, cards, multiplicity, actions, best })
        });
        let mut forms: Vec<ThreeCardForm> = forms.collect();
        forms.sort_by_key(|form| std::cmp::Reverse(form.three));
        forms
    }

    /// Returns the best decision with a hand and its value, over the dealer's hands. Among equals,
    /// the smallest.
    fn best(&self, hand: &HandCounts) -> (Decision, i64) {
        let better = |best: (Decision, i64), other: (Decision, i64)| {
            if other.1 > best.1 { other } else { best }
        };
        self.values(hand).reduce(better).expect("a fold is always possible")
    }

    /// Returns the value of every choice with a hand, over the dealer's hands: the fold, and then
    /// each bet, the smallest first.
    fn values(&self, hand: &HandCounts) -> impl Iterator<Item = (Decision, i64)> {
        let scale = self.terms.scale();
        let losses = DEALER_HANDS - hand.wins - hand.ties;
        let unqualified_losses = hand.unqualified - hand.unqualified_wins - hand.unqualified_ties;
        let play = hand.wins - losses;
        let ante = play - (hand.unqualified_wins - unqualified_losses);
        let base = scale * (ante - losses) + self.terms.pays(hand.three.category()) * hand.wins;
        let raises = self.terms.raises();
        let raises = if hand.three.is_at_least(Category::Pair) { raises } else { &[1] };
        let bets = raises
            .iter()
            .map(move |&times| (Decision::Bet(times), i64::from(times) * scale * play + base));
        std::iter::once((Decision::Fold, -2 * scale * DEALER_HANDS)).chain(bets)
    }
}

#[cfg(test)]
mod tests {
    use croupier_rules::Catalog;

    use super::*;
    use crate::{Known, advise};

    #[test]
    fn hand_values_agree_with_advice() {
        let blind = Catalog::shipped().paytable("UTCP").expect("a table").clone();
        let terms = Terms::new(Game::Utcp, blind).expect("good terms");
        let solved = ThreeCard::solve(terms.clone());
        assert_eq!(solved.hands().count(), 22_100);
        for (cards, mut values, best) in solved.hands().step_by(997) {
            let known = Known { hand: cards.into_iter().collect(), ..Known::default() };
            let advice = advise(&terms, &known).expect("a spot");
            values.reverse();
            assert_eq!((advice.actions, advice.best), (values, best), "{cards}");
        }
    }
}
