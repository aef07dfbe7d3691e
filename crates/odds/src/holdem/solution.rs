//! The whole game, solved.

use std::num::NonZero;

use croupier_cards::{Canonical, Card, CardSet, Five, flops};
use croupier_rules::Decision;

use super::boards::{RankBoard, rank_lists};
use super::flops::{FlopValue, Flops};
use super::outcomes::Outcomes;
use super::policy::{FlopChoice, Policy, RiverChoice, RiverSpot};
use super::stakes::Stakes;
use crate::cost::{Cost, CostError, RuleTally};
use crate::fraction::Fraction;
use crate::hole_kind::HoleKind;
use crate::outcome::{Counted, Outcome};
use crate::parallel::{self, Queue, on_threads};
use crate::sheet::MainSheet;
use crate::strategy::Strategy;
use crate::terms::Terms;

/// Ultimate Texas Hold'em under some terms, with the exact value of every choice.
#[derive(Clone, Debug)]
pub struct Holdem {
    terms: Terms,
    stakes: Stakes,
    rank_boards: Vec<Option<RankBoard>>,
    flops: Flops,
    /// Indexed by the number of the kind.
    holes: Vec<HoleValue>,
    /// The best choices on each flop.
    choices: Vec<FlopChoice>,
    threads: NonZero<usize>,
}

/// The values of the choices before the flop, for one hole, summed over all runouts and dealer
/// hands.
#[derive(Clone, Debug)]
struct HoleValue {
    check: i64,
    /// Indexed by the raises that the terms allow.
    bets: Vec<i64>,
}

/// The number of flops, turns and rivers, and dealer hands that can follow a hole.
const DEALS_OF_A_HOLE: i128 = 19_600 * 1_081 * 990;

/// The number of all deals, with flop, turn and river told apart.
pub const HOLDEM_DEALS: i128 = 1_326 * DEALS_OF_A_HOLE;

impl HoleValue {
    /// Returns the best raise, if one beats a check. Among equal bets, the smallest.
    fn best(&self) -> Option<usize> {
        let mut best = (None, self.check);
        for (raise, &value) in self.bets.iter().enumerate() {
            if value > best.1 {
                best = (Some(raise), value);
            }
        }
        best.0
    }
}

impl Holdem {
    /// Solves the game on a number of threads. The answer does not depend on their number.
    ///
    /// # Panics
    ///
    /// When the terms are for another game.
    pub fn solve(terms: Terms, threads: NonZero<usize>) -> Self {
        assert_eq!(terms.game(), croupier_rules::Game::Uth, "this solves Texas Hold'em");
        let stakes = Stakes {
            scale: terms.scale(),
            pays: Five::CATEGORIES.map(|category| terms.pays(category)),
            qualifying: terms.qualifying(),
        };
        let lists: Vec<[u8; 5]> = rank_lists().collect();
        let mut rank_boards: Vec<Option<RankBoard>> = Vec::new();
        rank_boards.resize_with(lists.len(), || None);
        parallel::fill(threads, &mut rank_boards, |number, board| {
            *board = RankBoard::new(lists[number], &stakes);
        });
        let flops = Flops::new(&rank_boards, &stakes, threads);
        let (choices, holes) = choose(&flops, &terms, threads);
        Self { terms, stakes, rank_boards, flops, holes, choices, threads }
    }

    /// Returns the terms.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Returns the player's winnings with the best play, in antes, as a sum over all deals.
    pub fn total(&self) -> Fraction {
        let best = |kind: HoleKind| {
            let value = &self.holes[kind.number()];
            let best = value.best().map_or(value.check, |raise| value.bets[raise]);
            i128::from(best) * i128::from(kind.combinations())
        };
        Fraction::new(HoleKind::all().map(best).sum(), self.stakes.scale.into())
    }

    /// Returns the value of every choice before the flop, in antes: the check, and then each bet,
    /// the smallest first.
    pub fn before_flop(&self, kind: HoleKind) -> Vec<(Decision, Fraction)> {
        let value = &self.holes[kind.number()];
        let deals = DEALS_OF_A_HOLE * i128::from(self.stakes.scale);
        let exact = |value: i64| Fraction::new(value.into(), deals);
        let bets = self.terms.raises().iter().zip(&value.bets);
        let bets = bets.map(|(&times, &value)| (Decision::Bet(times), exact(value)));
        std::iter::once((Decision::Check, exact(value.check))).chain(bets).collect()
    }

    /// Returns the best decision before the flop.
    pub fn best_before_flop(&self, kind: HoleKind) -> Decision {
        let best = self.holes[kind.number()].best();
        best.map_or(Decision::Check, |raise| Decision::Bet(self.terms.raises()[raise]))
    }

    /// Returns the values of the two choices on a flop, in antes: the check, and the bet.
    pub fn on_flop(&self, hole: [Card; 2], flop: CardSet) -> [Fraction; 2] {
        let FlopValue { bet, check } = self.flops.flop(flop).value(hole[0], hole[1]);
        [check, bet]
            .map(|value| Fraction::new(value.into(), 1_081 * 990 * i128::from(self.stakes.scale)))
    }

    /// Counts every outcome with the best play.
    pub fn outcomes(&self) -> Vec<Outcome> {
        let fold = self.stakes.fold();
        let on_river = |spot: &RiverSpot<'_>| {
            let worth = self.stakes.worth(spot.holding.five.category(), spot.counts);
            RiverChoice { bets: worth.bet(1) > fold, rule: None }
        };
        let mut before_flop = [None; HoleKind::MANY];
        for kind in HoleKind::all() {
            before_flop[kind.number()] = self.holes[kind.number()].best();
        }
        let raises = self.used_raises(&mut before_flop);
        let reached = self.reached(&Policy {
            raises: &raises,
            qualifying: self.terms.qualifying(),
            before_flop,
            flops: &self.choices,
            on_river,
        });
        self.ends(&reached, &raises)
    }

    /// Returns the cost of a strategy.
    ///
    /// # Errors
    ///
    /// When it is for another game, or makes bets that the terms do not allow.
    pub fn cost(&self, strategy: &Strategy) -> Result<Cost, CostError> {
        let mut tallies = [RuleTally::default(), RuleTally::default(), RuleTally::default()];
        let mut before_flop = self.before_flop_of(strategy, &mut tallies[0])?;
        let raises = self.used_raises(&mut before_flop);
        let flops = self.flops_of(strategy, &before_flop, &mut tallies[1]);
        let fold = self.stakes.fold();
        let on_river = |spot: &RiverSpot<'_>| {
            let worth = self.stakes.worth(spot.holding.five.category(), spot.counts);
            let (bet, most) = (worth.bet(1), self.stakes.river(worth));
            match strategy.on_river(spot) {
                None => RiverChoice { bets: bet > fold, rule: None },
                Some((rule, Decision::Bet(_))) => {
                    RiverChoice { bets: true, rule: Some((rule, most - bet)) }
                }
                Some((rule, _)) => RiverChoice { bets: false, rule: Some((rule, most - fold)) },
            }
        };
        let qualifying = self.terms.qualifying();
        let policy = Policy { raises: &raises, qualifying, before_flop, flops: &flops, on_river };
        let reached = self.reached(&policy);
        // The river counts each spot once for all of the dealer's hands.
        let dealers = i128::from(super::sweep::DEALER_HANDS);
        for (rule, &(times, lost)) in reached.rules.0.iter().enumerate() {
            tallies[2].add(rule, times * dealers, lost);
        }
        let sheet = MainSheet::new(&self.terms, self.ends(&reached, &raises));
        let best =
            Fraction::new(self.total().numerator(), self.total().denominator() * HOLDEM_DEALS);
        Ok(Cost::new(strategy, sheet, best, self.stakes.scale, &tallies))
    }

    /// Returns the strategy's decisions before the flop.
    fn before_flop_of(
        &self,
        strategy: &Strategy,
        tally: &mut RuleTally,
    ) -> Result<[Option<usize>; HoleKind::MANY], CostError> {
        if strategy.game() != self.terms.game() {
            return Err(CostError::OtherGame(strategy.game()));
        }
        let raises = self.terms.raises();
        let mut before_flop = [None; HoleKind::MANY];
        for kind in HoleKind::all() {
            let value = &self.holes[kind.number()];
            let best = value.best();
            let Some((rule, decision)) = strategy.before_flop(kind) else {
                before_flop[kind.number()] = best;
                continue;
            };
            let choice = match decision {
                Decision::Bet(times) => {
                    let raise = raises.iter().position(|&raise| raise == times);
                    let refused = || CostError::Raise {
                        rule: strategy.rule_names(0)[rule].clone(),
                        times,
                        allowed: raises.to_vec(),
                    };
                    Some(raise.ok_or_else(refused)?)
                }
                Decision::Check | Decision::Fold => None,
            };
            let worth = |choice: Option<usize>| {
                i128::from(choice.map_or(value.check, |raise| value.bets[raise]))
            };
            let times = i128::from(kind.combinations());
            tally.add(rule, times * DEALS_OF_A_HOLE, times * (worth(best) - worth(choice)));
            before_flop[kind.number()] = choice;
        }
        Ok(before_flop)
    }

    /// Returns the strategy's decisions on all flops.
    fn flops_of(
        &self,
        strategy: &Strategy,
        before_flop: &[Option<usize>; HoleKind::MANY],
        tally: &mut RuleTally,
    ) -> Vec<FlopChoice> {
        let all: Vec<Canonical<1>> = flops().collect();
        let parts = parallel::map(self.threads, &all, |flop| {
            let Canonical { cards: [flop], multiplicity, .. } = *flop;
            let values = self.flops.flop(flop);
            let mut tally = RuleTally::default();
            let times = i128::from(multiplicity);
            let multiplicity = i32::try_from(multiplicity).expect("at most 24");
            let choice = FlopChoice::new(flop, multiplicity, |one, other| {
                if before_flop[HoleKind::of(one, other).number()].is_some() {
                    return false;
                }
                let FlopValue { bet, check } = values.value(one, other);
                let Some((rule, decision)) = strategy.on_flop([one, other], flop) else {
                    return bet > check;
                };
                let bets = decision == Decision::Bet(2);
                let lost = bet.max(check) - if bets { bet } else { check };
                tally.add(rule, times * 1_081 * 990, times * i128::from(lost));
                bets
            });
            (choice, tally)
        });
        let mut choices = Vec::with_capacity(parts.len());
        for (choice, part) in parts {
            choices.push(choice);
            tally.join(&part);
        }
        choices
    }

    /// Returns the raises that some hole makes, and renumbers them: counting takes memory for each.
    fn used_raises(&self, before_flop: &mut [Option<usize>; HoleKind::MANY]) -> Vec<u32> {
        let mut used: Vec<usize> = before_flop.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        for raise in before_flop.iter_mut().flatten() {
            *raise = used.binary_search(raise).expect("it is one of them");
        }
        used.into_iter().map(|raise| self.terms.raises()[raise]).collect()
    }

    fn reached<R: Fn(&RiverSpot<'_>) -> RiverChoice + Sync>(
        &self,
        policy: &Policy<'_, R>,
    ) -> Outcomes {
        Outcomes::new(&self.rank_boards, policy, self.threads)
    }

    /// Returns the outcomes of rounds, from the counts with these raises.
    fn ends(&self, reached: &Outcomes, raises: &[u32]) -> Vec<Outcome> {
        let later = [Decision::Bet(2), Decision::Bet(1), Decision::Fold];
        let actions = raises.iter().map(|&times| Decision::Bet(times)).chain(later);
        // A raise can be as large as a later bet; only the bet counts.
        let mut different: Vec<Decision> = Vec::new();
        let mut counted = Counted::new();
        for (action, by_category) in actions.zip(&reached.by_action) {
            let place = different.iter().position(|&other| other == action);
            let place = place.unwrap_or_else(|| {
                different.push(action);
                different.len() - 1
            });
            for (&hand, reached) in Five::CATEGORIES.iter().zip(by_category) {
                counted.add(place, hand, reached.results(hand, self.terms.qualifying()));
            }
        }
        let outcomes = counted.into_outcomes(&self.terms, &different, &Five::CATEGORIES);
        assert_eq!(
            outcomes.iter().map(|outcome| outcome.deals).sum::<i128>(),
            HOLDEM_DEALS,
            "every deal has an outcome"
        );
        outcomes
    }
}

/// Finds the best choices on all flops, and the values of holes before them.
fn choose(
    flops_values: &Flops,
    terms: &Terms,
    threads: NonZero<usize>,
) -> (Vec<FlopChoice>, Vec<HoleValue>) {
    let all: Vec<Canonical<1>> = flops().collect();
    let queue = Queue::new(&all);
    let parts = on_threads(threads, || {
        // The sum over all holes of a kind may overflow 64 bits; that of a single hole does not.
        let mut sums = [(0_i128, 0_i128); HoleKind::MANY];
        let mut choices = Vec::new();
        while let Some((number, &Canonical { cards: [flop], multiplicity, .. })) = queue.next() {
            let values = flops_values.flop(flop);
            let times = i64::from(multiplicity);
            let multiplicity = i32::try_from(multiplicity).expect("at most 24");
            let choice = FlopChoice::new(flop, multiplicity, |one, other| {
                let FlopValue { bet, check } = values.value(one, other);
                let (bets, checks) = &mut sums[HoleKind::of(one, other).number()];
                *bets += i128::from(times * bet);
                *checks += i128::from(times * bet.max(check));
                bet > check
            });
            choices.push((number, choice));
        }
        (sums, choices)
    });
    let mut sums = [(0_i128, 0_i128); HoleKind::MANY];
    let mut choices = Vec::with_capacity(all.len());
    for (part, chosen) in parts {
        choices.extend(chosen);
        for ((bets, checks), (more_bets, more_checks)) in sums.iter_mut().zip(part) {
            *bets += more_bets;
            *checks += more_checks;
        }
    }
    choices.sort_unstable_by_key(|&(number, _)| number);
    let choices = choices.into_iter().map(|(_, choice)| choice).collect();
    let holes = HoleKind::all().map(|kind| {
        let [one, other] = kind.cards();
        let of_one = |sum: i128| {
            let of_one = sum / i128::from(kind.combinations());
            i64::try_from(of_one).expect("the terms keep a hole within 64 bits")
        };
        // Every board comes after ten flops.
        let play = 10 * flops_values.play(one, other);
        let (bets, checks) = sums[kind.number()];
        let twice = of_one(bets);
        let bets = terms.raises().iter().map(|&times| twice + (i64::from(times) - 2) * play);
        HoleValue { check: of_one(checks), bets: bets.collect() }
    });
    let holes = holes.collect();
    (choices, holes)
}
