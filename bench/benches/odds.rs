//! Exact odds: whole games solved, and advice in a spot.
//!
//! The game must have its known value, to the last deal. Advice is compared with plain loops over
//! every card that can come, the usual alternative, and printed with the ratio to them.

#![expect(clippy::print_stdout, reason = "it prints measurements")]
#![expect(clippy::disallowed_methods, reason = "it reads the clock, and the memory used")]

use std::hint::black_box;
use std::num::NonZero;
use std::time::{Duration, Instant};

use croupier_cards::{Card, CardSet, Category, Hand};
use croupier_odds::{
    Fraction, HOLDEM_DEALS, Holdem, HoleKind, Known, MainSheet, THREE_CARD_DEALS, Terms, ThreeCard,
    advise,
};
use croupier_rules::{Catalog, Decision, Game, PayTable};

/// Passes are interleaved, and the best of each counts: noise only ever adds time.
const PASSES: usize = 9;
const RIVERS: usize = 5_000;
const FLOPS: usize = 2_000;
/// Plain loops take milliseconds for each.
const PLAIN_FLOPS: usize = 100;
const WITH_DEAD_CARDS: usize = 36;
/// A lookup is faster than the clock.
const LOOK_UPS: usize = 1_000;

fn blind(id: &str) -> PayTable {
    Catalog::shipped().paytable(id).expect("a table").clone()
}

/// Solves Texas Hold'em down to its sheet, checks the result, and returns how long it took: without
/// the outcomes, and in all.
fn sheet(terms: &Terms, threads: usize) -> [Duration; 2] {
    let threads = NonZero::new(threads).expect("some");
    let start = Instant::now();
    let solved = Holdem::solve(terms.clone(), threads);
    let values = start.elapsed();
    let sheet = MainSheet::new(terms, solved.outcomes());
    let all = start.elapsed();
    assert_eq!(solved.total(), Fraction::new(-607_723_787_676, 1));
    assert_eq!(
        (sheet.deals, sheet.ev),
        (HOLDEM_DEALS, Fraction::new(-607_723_787_676, HOLDEM_DEALS))
    );
    [values, all]
}

fn three_card(terms: &Terms) -> Duration {
    let start = Instant::now();
    let sheet = MainSheet::new(terms, ThreeCard::solve(terms.clone()).outcomes());
    let time = start.elapsed();
    assert_eq!(sheet.ev, Fraction::new(-22_082_688, THREE_CARD_DEALS));
    time
}

/// Returns the peak memory of this process, where the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

fn whole_games(terms: &Terms) {
    let before = peak_memory();
    sheet(terms, 2);
    let after = peak_memory();
    let mut best = [[Duration::MAX; 2]; 2];
    let mut best_three_card = Duration::MAX;
    let utcp = Terms::new(Game::Utcp, blind("UTCP")).expect("good terms");
    for _ in 0..PASSES {
        for (threads, best) in (1..).zip(&mut best) {
            let times = sheet(terms, threads);
            for (best, time) in best.iter_mut().zip(times) {
                *best = time.min(*best);
            }
        }
        best_three_card = best_three_card.min(three_card(&utcp));
    }
    let seconds = best.map(|times| times.map(|time| time.as_secs_f64()));
    for (threads, [values, all]) in ["one thread", "two threads"].into_iter().zip(seconds) {
        println!("UTH on {threads}: {values:.3} s for all values, {all:.3} s with the sheet");
    }
    println!("  two threads are {:.2} times as fast as one", seconds[0][1] / seconds[1][1]);
    match (before, after) {
        (Some(before), Some(after)) => {
            println!(
                "  at most {} MB of memory on two threads, {} MB of it before",
                after / 1_000,
                before / 1_000
            );
        }
        _ => println!("  this system does not report the memory used"),
    }
    println!("UTCP with the sheet: {:.1} ms", 1e3 * best_three_card.as_secs_f64());
}

/// Deals spots from a fixed seed: a board of a given size, and a number of dead cards.
fn spots(many: usize, board: usize, dead: usize) -> Vec<Known> {
    let mut state = 2_026_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        usize::try_from((u128::from(state) * bound as u128) >> 64).expect("below the bound")
    };
    let spot = |_| {
        let mut pack = Card::ALL;
        let seen = 2 + board + dead;
        for at in 0..seen {
            pack.swap(at, at + below(52 - at));
        }
        Known {
            hand: pack[..2].to_vec(),
            board: pack[2..2 + board].to_vec(),
            dead: pack[2 + board..seen].to_vec(),
            dealer: Vec::new(),
        }
    };
    (0..many).map(spot).collect()
}

/// Applies a function to every spot, and returns the results and the median of the times.
fn median<T>(spots: &[Known], each: impl Fn(&Known) -> T) -> (Vec<T>, Duration) {
    for known in spots.iter().take(spots.len() / 10) {
        black_box(each(known));
    }
    let mut times = Vec::with_capacity(spots.len());
    let mut results = Vec::with_capacity(spots.len());
    for known in spots {
        let start = Instant::now();
        let result = black_box(each(black_box(known)));
        times.push(start.elapsed());
        results.push(result);
    }
    times.sort_unstable();
    (results, times[times.len() / 2])
}

/// The plain way, in half antes: every card that can come, one by one.
struct Plain {
    pays: [i64; Category::ALL.len()],
}

impl Plain {
    fn new(blind: &PayTable) -> Self {
        let mut pays = [0; Category::ALL.len()];
        for (hand, ratio) in blind.lines(Game::Uth) {
            pays[hand as usize] = 2 * i64::from(ratio.pays()) / i64::from(ratio.per());
        }
        Self { pays }
    }

    /// Returns the winnings of Ante and Blind on a river, and those of a 1x Play bet.
    fn river(&self, hole: [Card; 2], board: Hand, deck: &[Card]) -> (i64, i64) {
        let hero = (board + hole[0] + hole[1]).five();
        // Counted without branches: the winner is as hard to predict for a processor as for a
        // player.
        let (mut wins, mut losses, mut ante) = (0, 0, 0);
        for (number, &one) in deck.iter().enumerate() {
            let with_one = board + one;
            for &other in &deck[..number] {
                let dealer = (with_one + other).five();
                let (win, loss) = (i64::from(hero > dealer), i64::from(hero < dealer));
                wins += win;
                losses += loss;
                ante += (win - loss) * i64::from(dealer.is_at_least(Category::Pair));
            }
        }
        let base = 2 * ante + self.pays[hero.category() as usize] * wins - 2 * losses;
        (base, 2 * (wins - losses))
    }

    fn on_river(&self, known: &Known) -> Fraction {
        let (base, play) =
            self.river([known.hand[0], known.hand[1]], hand(&known.board), &left(known));
        Fraction::new((base + play).into(), 2 * 990)
    }

    /// Returns the values of betting twice the ante on a flop, and of checking.
    fn on_flop(&self, known: &Known) -> [Fraction; 2] {
        let (flop, cards) = (hand(&known.board), left(known));
        let (mut bet, mut check) = (0, 0);
        for (number, &turn) in cards.iter().enumerate() {
            for (lower, &river) in cards[..number].iter().enumerate() {
                let mut deck = cards.clone();
                deck.swap_remove(number);
                deck.swap_remove(lower);
                let (base, play) =
                    self.river([known.hand[0], known.hand[1]], flop + turn + river, &deck);
                bet += base + 2 * play;
                check += (base + play).max(-4 * 990);
            }
        }
        [bet, check].map(|value: i64| Fraction::new(value.into(), 2 * 990 * 1_081))
    }
}

fn hand(cards: &[Card]) -> Hand {
    cards.iter().fold(Hand::EMPTY, |hand, &card| hand + card)
}

fn left(known: &Known) -> Vec<Card> {
    let seen: CardSet = known.hand.iter().chain(&known.board).copied().collect();
    (!seen).into_iter().collect()
}

fn advice(terms: &Terms, solved: &Holdem) {
    let plain = Plain::new(terms.blind());
    let values = |known: &Known| advise(terms, known).expect("a spot").actions;
    let report = |what: &str, time: Duration, plainly: Duration| {
        let ratio = plainly.as_secs_f64() / time.as_secs_f64();
        println!("{what}: {time:.1?}; plain loops {plainly:.1?}, {ratio:.1} times as long");
    };

    let rivers = spots(RIVERS, 5, 0);
    let (found, time) = median(&rivers, values);
    let (expected, plainly) = median(&rivers, |known| plain.on_river(known));
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found[0], (Decision::Bet(1), expected));
    }
    report("advice on a river", time, plainly);

    let flops = spots(FLOPS, 3, 0);
    let (found, time) = median(&flops, values);
    let (expected, plainly) = median(&flops[..PLAIN_FLOPS], |known| plain.on_flop(known));
    for (found, [bet, check]) in found.iter().zip(expected) {
        assert_eq!(found[..], [(Decision::Bet(2), bet), (Decision::Check, check)]);
    }
    report("advice on a flop", time, plainly);
    let flop = |known: &Known| {
        let flop = known.board.iter().copied().collect();
        solved.on_flop([known.hand[0], known.hand[1]], flop)
    };
    for (found, known) in found.iter().zip(&flops) {
        assert_eq!([found[1].1, found[0].1], flop(known), "the solved game agrees");
    }
    look_ups("  from a solved game", &flops, flop);
}

/// Times something so short that a thousand runs are timed at once.
fn look_ups<T>(what: &str, spots: &[Known], each: impl Fn(&Known) -> T) {
    let mut times: Vec<Duration> = spots
        .chunks_exact(LOOK_UPS)
        .cycle()
        .take(PASSES)
        .map(|chunk| {
            let start = Instant::now();
            for known in chunk {
                black_box(each(black_box(known)));
            }
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let nanoseconds = times[PASSES / 2].as_secs_f64() * 1e9 / 1e3;
    println!("{what}: {nanoseconds:.0} ns");
}

/// Gets advice on every flop that can follow, which is itself checked against plain loops, and
/// checks that the choices before the flop add up to the same.
fn check_by_flops(terms: &Terms, known: &Known, found: &[(Decision, Fraction)]) {
    let seen: CardSet = known.hand.iter().chain(&known.dead).copied().collect();
    let (mut flops, mut bet, mut check) = (0, 0, 0);
    let follow = 2 * 861 * 780;
    for flop in (!seen).subsets(3) {
        let known = Known { board: flop.into_iter().collect(), ..known.clone() };
        let actions = advise(terms, &known).expect("a spot").actions;
        let [twice, later] = [actions[0].1, actions[1].1]
            .map(|value| value.numerator() * (follow / value.denominator()));
        flops += 1;
        bet += twice;
        check += twice.max(later);
    }
    assert_eq!(flops, 14_190);
    assert_eq!(found[2], (Decision::Check, Fraction::new(check, flops * follow)));
    // Each additional ante on Play has the same value, so the value of a bet of 2 is known.
    let whole = |value: Fraction| value.numerator() * (flops * follow / value.denominator());
    assert_eq!(2 * whole(found[1].1) - whole(found[0].1), bet, "bets of 3 and 4");
}

fn before_flop(terms: &Terms, solved: &Holdem) {
    let with_dead = spots(WITH_DEAD_CARDS, 0, 5);
    let values = |known: &Known| advise(terms, known).expect("a spot").actions;
    let (found, time) = median(&with_dead, values);
    check_by_flops(terms, &with_dead[0], &found[0]);
    println!("advice before the flop, five cards dead: {time:.1?}");

    let kind = |known: &Known| HoleKind::of(known.hand[0], known.hand[1]);
    let holes = spots(LOOK_UPS, 0, 0);
    let some = &holes[..WITH_DEAD_CARDS];
    let (found, time) = median(some, values);
    for (found, known) in found.iter().zip(some) {
        let expected: Vec<_> = solved.before_flop(kind(known)).into_iter().rev().collect();
        assert_eq!(*found, expected, "the solved game agrees");
    }
    println!("  none dead: {time:.1?}");
    look_ups("  from a solved game", &holes, |known| solved.before_flop(kind(known)));
}

fn main() {
    let terms = Terms::new(Game::Uth, blind("UTH")).expect("good terms");
    whole_games(&terms);
    let solved = Holdem::solve(terms.clone(), NonZero::<usize>::MIN);
    advice(&terms, &solved);
    before_flop(&terms, &solved);
}
