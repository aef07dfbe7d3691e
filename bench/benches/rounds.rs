//! Whole rounds per second through the engine: one seat of Ultimate Texas Hold'em, from prepared
//! decks, with events and settlement.

#![expect(clippy::print_stdout, reason = "it prints measurements")]
#![expect(clippy::disallowed_methods, reason = "it reads the clock")]
#![expect(clippy::cast_precision_loss, reason = "rates are printed with three digits")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use croupier_cards::{Card, CardSet, Category, Five};
use croupier_rules::{Action, Actor, Amount, Catalog, Decision, House, PayTable, Round, Seat};

const DECKS: usize = 100_000;
const PASSES: usize = 5;

/// Returns the first nine cards of random decks, from a fixed seed.
fn decks() -> Vec<[Card; 9]> {
    let mut state = 2_026_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        usize::try_from((u128::from(state) * bound as u128) >> 64).expect("below the bound")
    };
    let deck = |_| {
        let mut pack = Card::ALL;
        for at in 0..9 {
            pack.swap(at, at + below(52 - at));
        }
        std::array::from_fn(|at| pack[at])
    };
    (0..DECKS).map(deck).collect()
}

#[derive(Clone, Copy, Debug)]
enum Engine {
    Checked,
    Unchecked,
}

/// Plays a deck: check twice, and bet on the river with a pair or better.
fn play(engine: Engine, house: &Arc<House>, bonus: &Arc<PayTable>, cards: &[Card; 9]) -> i64 {
    let seat = Seat::new(1).expect("a seat");
    let ante = Amount::cents(500);
    let mut round = Round::new(Arc::clone(house), Some(Arc::clone(bonus)));
    let mut apply = |action| match engine {
        Engine::Checked => drop(round.apply(action).expect("a legal action").len()),
        Engine::Unchecked => drop(round.apply_unchecked(action).len()),
    };
    let player = || "ann".to_owned();
    apply(Action::Wager { seat, player: player(), ante, blind: ante, bonus: ante });
    apply(Action::NoMoreBets);
    for &card in cards {
        apply(Action::Deal(card));
    }
    let last = if bets(cards) { Decision::Bet(1) } else { Decision::Fold };
    for decision in [Decision::Check, Decision::Check, last] {
        apply(Action::Decide { seat, by: Actor::Player(player()), decision });
    }
    round.settlement().expect("the end").bank_net.as_cents()
}

fn bets(cards: &[Card; 9]) -> bool {
    hand(cards, 0).is_at_least(Category::Pair)
}

/// Returns the player's hand, whose cards come first, or the dealer's, whose cards come next.
fn hand(cards: &[Card; 9], from: usize) -> Five {
    let hole: CardSet = cards[from..from + 2].iter().copied().collect();
    Five::of(hole | cards[4..].iter().copied().collect())
}

/// Returns the bank's net result, computed in a shorter way than the engine's.
fn expected(house: &House, bonus: &PayTable, cards: &[Card; 9]) -> i64 {
    let [player, dealer] = [0, 2].map(|from| hand(cards, from));
    let trips = bonus.pays(player.category()).map_or(-500, |pays| 500 * i64::from(pays.pays()));
    if !bets(cards) {
        return 1_000 - trips;
    }
    let even = 500 * i64::from(player > dealer) - 500 * i64::from(player < dealer);
    let ante = if dealer.is_at_least(Category::Pair) { even } else { 0 };
    let blind = match house.blind_paytable().pays(player.category()) {
        Some(pays) if player > dealer => 500 * i64::from(pays.pays()) / i64::from(pays.per()),
        _ => even.min(0),
    };
    -(even + ante + blind + trips)
}

fn main() {
    let catalog = Catalog::shipped();
    let house = catalog.house("uth-standard").expect("a house");
    let bonus = &house.bonus_paytables()[0];
    let decks = decks();
    let right: i64 = decks.iter().map(|cards| expected(house, bonus, cards)).sum();
    for engine in [Engine::Checked, Engine::Unchecked] {
        let mut best = Duration::MAX;
        for _ in 0..PASSES {
            let start = Instant::now();
            let mut bank = 0;
            for cards in &decks {
                bank += play(engine, house, bonus, cards);
            }
            best = best.min(start.elapsed());
            assert_eq!(bank, right, "the bank's net result agrees with the short way");
        }
        let rate = DECKS as f64 / best.as_secs_f64();
        println!("{engine:?}: {rate:.0} one-seat rounds per second");
    }
}
