//! Compares the results of rounds with their expected values, given the decisions that were made.
//!
//! The value of a hand under best play changes for two reasons. A card is turned, which changes
//! nothing on average; or a decision is made, which costs the difference to the best decision. So
//! the win of a hand is the value of the game under best play, minus the exact cost of every
//! decision, plus chance. However players decide on the cards that they see, the chance part is
//! zero on average, round after round: it is a martingale. Its sum relative to its spread tells bad
//! luck from bad cards.
//!
//! The win of a hand is computed as if the bank covered every wager. Coverage depends on the
//! decisions of other seats and on the amount a player posts, and its value is unknown; with full
//! coverage the sum is exact for player-banked games, too.

use std::num::NonZero;
use std::sync::Arc;

use croupier_cards::{Card, CardSet};
use croupier_odds::{
    BonusSheet, Holdem, HoleKind, Known, MainSheet, Terms as OddsTerms, ThreeCard, advise,
};
use croupier_rules::{
    Amount, Bet, ByBet, Decision, Game, Judge, Record, RoundResult, SeatText, Staked, settle,
};
use croupier_table::Terms;

/// The expected values of a game: for an Ante of one, and for a bonus of one.
#[derive(Clone, Debug)]
pub(crate) struct Theory {
    /// The player's expected win from the Ante and the wagers that go with it, and the expected
    /// amount wagered.
    pub(crate) main: f64,
    pub(crate) wager: f64,
    /// The variance of that win.
    main_variance: f64,
    /// The same for the bonus.
    pub(crate) bonus: f64,
    bonus_variance: f64,
    odds: OddsTerms,
    /// The values of the choices before the flop, by class of hole cards.
    before_flop: Arc<[Choices]>,
}

/// Choices, with the value of each in Antes.
type Choices = Vec<(Decision, f64)>;

impl Theory {
    /// Solves a game. This takes a while.
    pub(crate) fn solve(terms: &Terms) -> Option<Self> {
        let house = terms.house();
        let game = house.game();
        let mut odds = OddsTerms::new(game, house.blind_paytable().clone()).ok()?;
        odds = odds.with_raises(house.raises().to_vec()).ok()?;
        if !house.qualifying() {
            odds = odds.without_qualifying();
        }
        let (outcomes, before_flop) = match game {
            Game::Uth => {
                let solved = Holdem::solve(odds.clone(), NonZero::<usize>::MIN);
                let worth = |kind: HoleKind| -> Choices {
                    let choices = solved.before_flop(kind).into_iter();
                    choices.map(|(decision, value)| (decision, value.to_f64())).collect()
                };
                (solved.outcomes(), HoleKind::all().map(worth).collect())
            }
            Game::Utcp => (ThreeCard::solve(odds.clone()).outcomes(), Arc::from([])),
        };
        let sheet = MainSheet::new(&odds, outcomes);
        let (main, wager) = (sheet.ev.to_f64(), sheet.average_wager.to_f64());
        let main_variance = sheet.mean_square.to_f64() - main * main;
        let (bonus, bonus_variance) = match terms.bonus() {
            None => (0.0, 0.0),
            Some(table) => {
                let sheet = BonusSheet::new(game, table, &sheet).ok()?;
                let ev = sheet.ev.to_f64();
                (ev, sheet.mean_square.to_f64() - ev * ev)
            }
        };
        Some(Self { main, wager, main_variance, bonus, bonus_variance, odds, before_flop })
    }

    /// Returns the choices in a spot, or `None` if there is no such spot.
    fn choices(&self, hand: &[Card], board: &[Card]) -> Option<Choices> {
        if let (Game::Uth, &[one, other], []) = (self.odds.game(), hand, board) {
            return self.before_flop.get(HoleKind::of(one, other).number()).cloned();
        }
        let known = Known { hand: hand.to_vec(), board: board.to_vec(), ..Known::default() };
        let actions = advise(&self.odds, &known).ok()?.actions.into_iter();
        Some(actions.map(|(decision, value)| (decision, value.to_f64())).collect())
    }

    /// Returns the cost of a decision relative to the best one, in Antes, or `None` if there is no
    /// such decision.
    fn cost(&self, hand: &[Card], board: &[Card], decision: Decision) -> Option<f64> {
        let choices = self.choices(hand, board)?;
        let best = choices.iter().map(|&(_, value)| value).fold(f64::MIN, f64::max);
        let chosen = choices.iter().find(|&&(choice, _)| choice == decision)?;
        Some(best - chosen.1)
    }
}

/// The results of rounds and their expected values. Amounts are in cents, for all players together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Priced {
    /// How many rounds, and how many hands in them.
    pub(crate) rounds: u64,
    pub(crate) hands: u64,
    /// The cost of the decisions, relative to the best ones.
    pub(crate) mistakes: f64,
    /// The players' expected win with the decisions that they made.
    pub(crate) expected: f64,
    /// Their win if the bank had covered every wager.
    pub(crate) result: f64,
    /// The sum of squares of the chance part, round by round: hands of a round share the board and
    /// the dealer, so they count together.
    squares: f64,
    /// The variance of these wagers under best play, as if the hands were independent.
    variance: f64,
}

impl Priced {
    /// Prices a completed round. Returns `None` for a void round, or one that cannot be read.
    pub(crate) fn round(record: &Record, theory: &Theory) -> Option<Self> {
        if record.text().void.is_some() {
            return None;
        }
        let result = record.replay().ok()?.result;
        let (game, house) = (record.house().game(), record.house());
        let set = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
        let (community, dealer) = (set(&result.community.0), set(&result.dealer.cards.0));
        let judge = Judge::new(game, house.qualifying(), community, dealer);
        let mut priced = Self { rounds: 1, ..Self::default() };
        let mut staked = Vec::new();
        for seat in &record.text().seats {
            staked.push(priced.add_hand(seat, &result, &judge, theory)?);
        }
        // Without a banker every payoff is paid in full, except for a house's maximum, which is
        // added back.
        let settled = settle(house, record.bonus(), judge.qualifies(), None, &staked);
        for seat in &settled.seats {
            let wagers = Bet::ALL.iter().filter_map(|&bet| seat.wagers[bet]);
            let uncovered: f64 = wagers.map(|wager| cents(wager.uncovered)).sum();
            priced.result += cents(seat.net) + uncovered;
        }
        priced.squares = (priced.result - priced.expected).powi(2);
        Some(priced)
    }

    /// Adds the expected value of a hand, and returns how it ended.
    fn add_hand(
        &mut self,
        text: &SeatText,
        result: &RoundResult,
        judge: &Judge,
        theory: &Theory,
    ) -> Option<Staked> {
        let seat = result.seats.iter().find(|seat| seat.seat.number() == text.seat)?;
        let (hand, community) = (&seat.cards.0, &result.community.0);
        let (mut cost, mut folded) = (0.0, false);
        for (action, street) in text.actions.iter().zip(theory.odds.game().def().streets) {
            let decision = action.parse::<Decision>().ok()?;
            let board = community.get(..street.community_shown)?;
            cost += theory.cost(hand, board, decision)?;
            folded = decision == Decision::Fold;
        }
        let amount_on = |bet: Bet| seat.wagers.of(bet).map_or(Amount::ZERO, |wager| wager.staked);
        let stakes = ByBet {
            ante: amount_on(Bet::Ante),
            blind: amount_on(Bet::Blind),
            play: amount_on(Bet::Play),
            bonus: amount_on(Bet::Bonus),
        };
        let (ante, bonus) = (cents(stakes.ante), cents(stakes.bonus));
        self.hands += 1;
        self.mistakes += ante * cost;
        self.expected += ante * (theory.main - cost) + bonus * theory.bonus;
        self.variance +=
            ante.powi(2) * theory.main_variance + bonus.powi(2) * theory.bonus_variance;
        let (outcome, shown) = judge.judge(hand.iter().copied().collect(), folded);
        Some(Staked { seat: seat.seat, stakes, outcome, hand: shown.strength.category() })
    }

    /// Adds the results of other rounds.
    pub(crate) fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.hands += other.hands;
        self.mistakes += other.mistakes;
        self.expected += other.expected;
        self.result += other.result;
        self.squares += other.squares;
        self.variance += other.variance;
    }

    /// Returns how many standard deviations the bank's result is above its expected value.
    ///
    /// The spread is the larger of two. The observed one counts hands of a round together and
    /// reflects how players bet, but lacks rare outcomes that have not happened yet; the one of
    /// best play includes those. A single royal flush is never more than one deviation by itself.
    pub(crate) fn deviations(&self) -> Option<f64> {
        let spread = self.squares.max(self.variance).sqrt();
        (spread > 0.0).then(|| (self.expected - self.result) / spread)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a report is read by people")]
fn cents(amount: Amount) -> f64 {
    amount.as_cents() as f64
}

#[cfg(test)]
mod tests;
