//! Seven-card hands ranked per second: this evaluator next to its alternatives.
//!
//! Two kinds of work. *Sequence*: all 133,784,560 hands in nested loops, with the seventh card
//! added to the six before it. *Random*: a million hands, each stored as seven cards and built from
//! nothing.
//!
//! Before anything is timed, every evaluator ranks all hands and must agree with the others on
//! each: the same number of different hands, in the same order. While it is timed, its results are
//! summed up, and the sum must be right.

#![expect(clippy::print_stdout, reason = "it prints measurements")]
#![expect(clippy::disallowed_methods, reason = "it reads the clock and identifies the machine")]
#![expect(clippy::inline_always, reason = "each evaluator must compile to one loop, at any cost")]
#![expect(clippy::cast_precision_loss, reason = "rates are printed with three digits")]

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use croupier_cards::{Card, Five, Rank, Suit};

const ALL_HANDS: u64 = 133_784_560;
const RANDOM_HANDS: usize = 1_000_000;
/// How often one pass repeats the random hands, so that a pass takes a while.
const RANDOM_REPEATS: usize = 20;
/// Passes are interleaved, and the best of each counts: noise only ever adds time.
const PASSES: usize = 9;

/// The common interface of all evaluators.
trait Evaluator {
    const NAME: &'static str;
    /// A card as a program would store it.
    type Card: Copy;
    /// A card in the form that is added fastest.
    type Step: Copy;
    type Partial: Copy;

    fn card(rank: Rank, suit: Suit) -> Self::Card;
    fn step(card: Self::Card) -> Self::Step;
    /// Looks up the step of a card; for evaluators whose cards are numbers, in a table so long that
    /// no number is too large for it, which saves a check.
    fn look_up(card: Self::Card, steps: &[Self::Step; 256]) -> Self::Step;
    fn empty() -> Self::Partial;
    fn add(partial: Self::Partial, step: Self::Step) -> Self::Partial;
    /// Greater is stronger.
    fn value(partial: Self::Partial) -> u16;
}

struct Croupier;

impl Evaluator for Croupier {
    const NAME: &'static str = "croupier-cards";
    type Card = Card;
    type Step = Card;
    type Partial = croupier_cards::Hand;

    fn card(rank: Rank, suit: Suit) -> Card {
        Card::new(rank, suit)
    }

    #[inline(always)]
    fn step(card: Card) -> Card {
        card
    }

    #[inline(always)]
    fn look_up(card: Card, _: &[Card; 256]) -> Card {
        card
    }

    fn empty() -> Self::Partial {
        croupier_cards::Hand::EMPTY
    }

    #[inline(always)]
    fn add(partial: Self::Partial, card: Card) -> Self::Partial {
        partial + card
    }

    #[inline(always)]
    fn value(partial: Self::Partial) -> u16 {
        partial.five().value()
    }
}

struct Pokers;

impl Evaluator for Pokers {
    const NAME: &'static str = "pokers 0.10";
    type Card = u8;
    type Step = pokers::Hand;
    type Partial = pokers::Hand;

    fn card(rank: Rank, suit: Suit) -> u8 {
        4 * rank as u8 + suit as u8
    }

    #[inline(always)]
    fn step(card: u8) -> pokers::Hand {
        pokers::CARDS[card as usize]
    }

    #[inline(always)]
    fn look_up(card: u8, steps: &[pokers::Hand; 256]) -> pokers::Hand {
        steps[card as usize]
    }

    fn empty() -> Self::Partial {
        pokers::Hand::default()
    }

    #[inline(always)]
    fn add(partial: Self::Partial, card: pokers::Hand) -> Self::Partial {
        partial + card
    }

    #[inline(always)]
    fn value(partial: Self::Partial) -> u16 {
        partial.evaluate()
    }
}

struct Aya;

impl Evaluator for Aya {
    const NAME: &'static str = "aya_poker 0.1";
    /// Its own cards have sixteen bytes; a million hands of them would measure memory.
    type Card = u8;
    type Step = aya_poker::base::Card;
    type Partial = aya_poker::base::Hand;

    fn card(rank: Rank, suit: Suit) -> u8 {
        4 * rank as u8 + suit as u8
    }

    #[inline(always)]
    fn step(card: u8) -> Self::Step {
        aya_poker::base::CARDS[card as usize]
    }

    #[inline(always)]
    fn look_up(card: u8, steps: &[Self::Step; 256]) -> Self::Step {
        steps[card as usize]
    }

    fn empty() -> Self::Partial {
        aya_poker::base::Hand::new()
    }

    #[inline(always)]
    fn add(mut partial: Self::Partial, card: Self::Step) -> Self::Partial {
        partial.insert_unchecked(&card);
        partial
    }

    #[inline(always)]
    fn value(partial: Self::Partial) -> u16 {
        aya_poker::poker_rank(&partial).0
    }
}

/// Returns the pack of an evaluator, in an order that is the same for all of them.
fn pack<E: Evaluator>() -> [E::Card; 52] {
    std::array::from_fn(|index| E::card(Rank::ALL[index / 4], Suit::ALL[index % 4]))
}

/// Calls `visit` with the value of every seven-card hand, in sequence.
#[inline(always)]
fn for_all_hands<E: Evaluator>(mut visit: impl FnMut(u16)) {
    let pack = black_box(pack::<E>().map(E::step));
    for (a, one) in up_from(&pack, 0, E::empty(), E::add) {
        for (b, two) in up_from(&pack, a, one, E::add) {
            for (c, three) in up_from(&pack, b, two, E::add) {
                for (d, four) in up_from(&pack, c, three, E::add) {
                    for (e, five) in up_from(&pack, d, four, E::add) {
                        for (f, six) in up_from(&pack, e, five, E::add) {
                            for &card in &pack[f..] {
                                visit(E::value(E::add(six, card)));
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Adds each card from an index on, and passes the index after it.
#[inline(always)]
fn up_from<C: Copy, P: Copy>(
    pack: &[C; 52],
    from: usize,
    partial: P,
    add: impl Fn(P, C) -> P,
) -> impl Iterator<Item = (usize, P)> {
    (from..52).map(move |at| (at + 1, add(partial, pack[at])))
}

/// Ranks all hands and returns the sum of their values.
#[inline(never)]
fn sequence<E: Evaluator>() -> u64 {
    let mut sum = 0;
    for_all_hands::<E>(|value| sum += u64::from(value));
    sum
}

/// Ranks hands that are stored as cards and returns the sum of their values.
#[inline(never)]
fn random<E: Evaluator>(hands: &[[E::Card; 7]], steps: &[E::Step; 256]) -> u64 {
    let mut sum = 0;
    for hand in hands {
        let add = |partial, &card| E::add(partial, E::look_up(card, steps));
        sum += u64::from(E::value(hand.iter().fold(E::empty(), add)));
    }
    sum
}

/// Returns the value of every hand, in sequence.
fn all_values<E: Evaluator>() -> Vec<u16> {
    let mut values = Vec::with_capacity(133_784_560);
    for_all_hands::<E>(|value| values.push(value));
    values
}

/// Returns the positions in the pack of the cards of random hands, from a fixed seed.
fn random_places() -> Vec<[usize; 7]> {
    let mut state = 2_026_u64;
    let mut below = |bound: usize| {
        // A linear congruential generator; the high half of the product with the bound is even
        // enough here.
        state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        usize::try_from((u128::from(state) * bound as u128) >> 64).expect("below the bound")
    };
    let hand = |_| {
        let mut places: [usize; 52] = std::array::from_fn(|place| place);
        for at in 0..7 {
            places.swap(at, at + below(52 - at));
        }
        std::array::from_fn(|at| places[at])
    };
    (0..RANDOM_HANDS).map(hand).collect()
}

/// One evaluator at work, with its expected sums and its best times so far.
struct Contest<E: Evaluator> {
    hands: Vec<[E::Card; 7]>,
    steps: [E::Step; 256],
    sequence_sum: u64,
    random_sum: u64,
    sequence_best: Duration,
    random_best: Duration,
}

impl<E: Evaluator> Contest<E> {
    /// Checks an evaluator against the reference values, and computes its expected sums: in
    /// sequence the sum of the checked values, and for the random hands that of the values that
    /// match ours.
    fn new(reference: &[u16], places: &[[usize; 7]]) -> Self {
        let values = all_values::<E>();
        let matched = check_agreement(E::NAME, reference, &values);
        let cards = pack::<Croupier>();
        let random_sum = places.iter().map(|places| {
            let ours = Five::of(places.map(|place| cards[place]).into());
            u64::from(matched[usize::from(ours.value())].expect("a hand that was checked"))
        });
        let pack = pack::<E>();
        let steps = pack.map(E::step);
        Self {
            hands: places.iter().map(|places| places.map(|place| pack[place])).collect(),
            // The numbers of both peers' cards are their positions in the pack.
            steps: std::array::from_fn(|number| steps[number.min(51)]),
            sequence_sum: values.iter().map(|&value| u64::from(value)).sum(),
            random_sum: random_sum.sum(),
            sequence_best: Duration::MAX,
            random_best: Duration::MAX,
        }
    }

    fn pass(&mut self) {
        let start = Instant::now();
        let sum = sequence::<E>();
        self.sequence_best = self.sequence_best.min(start.elapsed());
        assert_eq!(sum, self.sequence_sum, "{}", E::NAME);

        let start = Instant::now();
        let again = |_| random::<E>(black_box(&self.hands), &self.steps);
        let sum: u64 = (0..RANDOM_REPEATS).map(again).sum();
        self.random_best = self.random_best.min(start.elapsed());
        assert_eq!(sum, self.random_sum * RANDOM_REPEATS as u64, "{}", E::NAME);
    }

    /// Returns million hands per second, in sequence and at random.
    fn rates(&self) -> [f64; 2] {
        let random_hands = (RANDOM_HANDS * RANDOM_REPEATS) as f64;
        [
            ALL_HANDS as f64 / self.sequence_best.as_secs_f64() / 1e6,
            random_hands / self.random_best.as_secs_f64() / 1e6,
        ]
    }
}

/// Checks that two evaluators put all hands in the same order: the same value here is the same
/// value there, and a greater one a greater one. Returns their value for each of ours.
fn check_agreement(name: &str, reference: &[u16], values: &[u16]) -> Vec<Option<u16>> {
    assert_eq!(reference.len() as u64, ALL_HANDS);
    assert_eq!(values.len() as u64, ALL_HANDS);
    let mut matched: Vec<Option<u16>> = vec![None; 1 << 16];
    for (&ours, &theirs) in reference.iter().zip(values) {
        let known = *matched[usize::from(ours)].get_or_insert(theirs);
        assert_eq!(known, theirs, "{name}: hands that tie for us do not tie");
    }
    let different: Vec<u16> = matched.iter().copied().flatten().collect();
    assert_eq!(different.len(), 4_824, "{name}");
    assert!(different.is_sorted_by(|weaker, stronger| weaker < stronger), "{name}: order differs");
    matched
}

/// Checks the number of hands in each category.
fn check_totals(values: &[u16]) {
    let mut totals = [0_u64; 10];
    for value in values {
        totals[usize::from(value >> 12)] += 1;
    }
    let known = [
        23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848,
        37_260, 4_324,
    ];
    assert_eq!(totals, known, "weakest first: {:?}", Five::CATEGORIES);
}

/// Describes the machine and the compiler, as far as they can be identified.
fn machine() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("unknown processor", |name| name.trim_start_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let rustc = Command::new("rustc").arg("--version").output();
    let rustc = rustc.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    format!("{model}, {cores} cores, {}", rustc.unwrap_or_default())
}

fn main() {
    println!("Seven-card evaluators on one core, best of {PASSES} interleaved passes");
    println!("{}\n", machine());

    let places = random_places();
    let reference = all_values::<Croupier>();
    check_totals(&reference);
    let mut croupier = Contest::<Croupier>::new(&reference, &places);
    let mut pokers = Contest::<Pokers>::new(&reference, &places);
    let mut aya = Contest::<Aya>::new(&reference, &places);
    drop(reference);
    for _ in 0..PASSES {
        croupier.pass();
        pokers.pass();
        aya.pass();
    }

    let ours = (Croupier::NAME, croupier.rates());
    let peers = [(Pokers::NAME, pokers.rates()), (Aya::NAME, aya.rates())];
    let fastest = [0, 1].map(|work| peers.iter().map(|(_, rates)| rates[work]).fold(0.0, f64::max));
    println!("| evaluator | in sequence, M/s | ratio | random hands, M/s | ratio |");
    println!("|---|--:|--:|--:|--:|");
    for (name, rates) in [ours].iter().chain(&peers) {
        let [sequence, random] = *rates;
        let [sequence_ratio, random_ratio] = [0, 1].map(|work| rates[work] / fastest[work]);
        println!(
            "| {name} | {sequence:.0} | {sequence_ratio:.2} | {random:.0} | {random_ratio:.2} |"
        );
    }
    println!("\nThe ratio is to the fastest peer. All three agree on the order of all hands.");
}
