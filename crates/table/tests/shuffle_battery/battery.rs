//! Counts over many decks, and the statistics of the counts.
//!
//! Each count becomes one number whose distribution over fair shuffles is known, most of them
//! chi-squares. A test fails when its number is too large, and also when it is too small: decks
//! that are spread more evenly than by chance are not random either.

use std::fmt;

use croupier_cards::{Card, CardSet, Category, Deck, Five, Three};

use crate::chi_square::tails;

/// The probability that a fair shuffle passes the whole battery.
pub(crate) const LEVEL: f64 = 0.99;

/// The number of tests. Each alone must be milder than the whole battery.
const TESTS: i32 = 8;

/// The number of seven-card hands by kind, of 133,784,560. A test of the cards crate counts them.
const SEVENS: [(Category, u32); 10] = [
    (Category::HighCard, 23_294_460),
    (Category::Pair, 58_627_800),
    (Category::TwoPair, 31_433_400),
    (Category::ThreeOfAKind, 6_461_620),
    (Category::Straight, 6_180_020),
    (Category::Flush, 4_047_644),
    (Category::FullHouse, 3_473_184),
    (Category::FourOfAKind, 224_848),
    (Category::StraightFlush, 37_260),
    (Category::RoyalFlush, 4_324),
];

/// The number of three-card hands by kind, of 22,100.
const THREES: [(Category, u32); 7] = [
    (Category::HighCard, 16_440),
    (Category::Pair, 3_744),
    (Category::Flush, 1_096),
    (Category::Straight, 720),
    (Category::ThreeOfAKind, 52),
    (Category::StraightFlush, 44),
    (Category::MiniRoyal, 4),
];

/// The counts over all decks so far.
pub(crate) struct Battery {
    /// Cards by place.
    places: Vec<[u32; 52]>,
    /// Cards by the card right before them. The end of the deck counts as a 53rd card, so the cards
    /// form a ring in which no place is special.
    follows: Vec<[u32; 53]>,
    /// The place of a card, and its place in the next deck.
    moves: Vec<[u32; 52]>,
    /// The first two cards, by their index among all pairs.
    holes: Vec<u32>,
    /// The first seven cards.
    sevens: [u32; 10],
    /// The last three cards.
    threes: [u32; 7],
    /// Every deck, to find duplicates.
    decks: Vec<[u8; 52]>,
}

/// The result of a test.
pub(crate) struct Finding {
    pub(crate) test: &'static str,
    /// The measured value.
    pub(crate) measured: f64,
    /// The expected value: the degrees of freedom, for a chi-square.
    expected: f64,
    /// The probability of a value at least this unusual.
    chance: f64,
}

impl Finding {
    /// Tells whether the test passed. The battery passes if all tests do.
    pub(crate) fn is_passed(&self) -> bool {
        self.chance > 1.0 - LEVEL.powf(1.0 / f64::from(TESTS))
    }
}

impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { test, measured, expected, chance } = self;
        let said = if self.is_passed() { "passed" } else { "failed" };
        write!(f, "{test} {said}: {measured:.2}, expected {expected}, chance {chance:.6}")
    }
}

impl Battery {
    /// Counts all of these decks.
    pub(crate) fn of(decks: impl Iterator<Item = Deck>) -> Self {
        let mut battery = Self {
            places: vec![[0; 52]; 52],
            follows: vec![[0; 53]; 53],
            moves: vec![[0; 52]; 52],
            holes: vec![0; 1326],
            sevens: [0; 10],
            threes: [0; 7],
            decks: Vec::new(),
        };
        for deck in decks {
            battery.count(&deck);
        }
        battery
    }

    fn count(&mut self, deck: &Deck) {
        let cards = deck.cards().map(Card::index);
        for (place, &card) in cards.iter().enumerate() {
            self.places[place][card] += 1;
        }
        let mut before = 52;
        for &card in cards.iter().chain(&[52]) {
            self.follows[before][card] += 1;
            before = card;
        }
        if let Some(last) = self.decks.last() {
            let mut places = [0; 52];
            for (place, &card) in cards.iter().enumerate() {
                places[card] = place;
            }
            for (place, &card) in last.iter().enumerate() {
                self.moves[place][places[usize::from(card)]] += 1;
            }
        }
        let set = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
        let hole = usize::try_from(set(&deck.cards()[..2]).number()).expect("one of 1,326");
        self.holes[hole] += 1;
        let seven = Five::of(set(&deck.cards()[..7])).category();
        self.sevens[kind(&SEVENS, seven)] += 1;
        let three = Three::of(set(&deck.cards()[49..])).category();
        self.threes[kind(&THREES, three)] += 1;
        self.decks.push(cards.map(|card| u8::try_from(card).expect("one of 52")));
    }

    /// Returns the result of each test.
    pub(crate) fn findings(mut self) -> Vec<Finding> {
        let decks = number(self.decks.len());
        let [sevens, threes] = [kinds(&self.sevens, &SEVENS), kinds(&self.threes, &THREES)];
        let (neighbors, directions) = ring(&self.follows, decks);
        let findings = vec![
            chi_square("places", square(&self.places, decks), 51.0 * 51.0),
            chi_square("neighbors", neighbors, 1325.0),
            chi_square("directions", directions, 1326.0),
            chi_square("next deck", square(&self.moves, decks - 1.0), 51.0 * 51.0),
            chi_square("holes", spread(&self.holes, &[1; 1326]), 1325.0),
            chi_square("seven cards", sevens, 9.0),
            chi_square("three cards", threes, 6.0),
            duplicates(&mut self.decks),
        ];
        assert_eq!(i32::try_from(findings.len()), Ok(TESTS));
        findings
    }
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("fewer than four billion"))
}

fn kind(kinds: &[(Category, u32)], category: Category) -> usize {
    kinds.iter().position(|&(kind, _)| kind == category).expect("a kind of such hands")
}

fn kinds(counts: &[u32], kinds: &[(Category, u32)]) -> f64 {
    spread(counts, &kinds.iter().map(|&(_, ways)| ways).collect::<Vec<_>>())
}

/// Returns Pearson's chi-square of counts, given the number of ways for each.
fn spread(counts: &[u32], ways: &[u32]) -> f64 {
    let sum = |list: &[u32]| list.iter().copied().map(f64::from).sum::<f64>();
    let (all, all_ways) = (sum(counts), sum(ways));
    let part = |(&count, &ways): (&u32, &u32)| {
        let expected = all * f64::from(ways) / all_ways;
        (f64::from(count) - expected).powi(2) / expected
    };
    counts.iter().zip(ways).map(part).sum()
}

/// Returns the chi-square of a matrix that a permutation was added to for each deck.
///
/// A permutation adds exactly one to every row and every column. So 51 times 51 of the deviations
/// are free, and by symmetry all have the same variance. Their total variance is 52² · 1/52 · 51/52
/// = 51 per deck, which makes 1/51 for each.
fn square(counts: &[[u32; 52]], decks: f64) -> f64 {
    let expected = decks / 52.0;
    let deviation = |&count: &u32| (f64::from(count) - expected).powi(2);
    counts.iter().flatten().map(deviation).sum::<f64>() / (decks / 51.0)
}

/// Returns two chi-squares of a ring of 53: one of neighbors in either order, and one of their
/// order.
///
/// Renaming the 53 changes nothing about fair rings. So all free deviations of the first kind have
/// the same variance, and so do all of the second, but the two kinds differ. Each of the 1,378
/// pairs is in one out of 26 rings; each card has two neighbors, which leaves 1,378 − 53 free, and
/// 1,378 · 1/26 · 25/26 over 1,325 makes 1/26. The differences have a variance of 1/26 each; each
/// card comes after others exactly as often as before, which leaves 1,378 − 52 free, and 1,378/26
/// over 1,326 makes 53/1,326.
fn ring(follows: &[[u32; 53]], decks: f64) -> (f64, f64) {
    let (mut neighbors, mut directions) = (0.0, 0.0);
    for (one, row) in follows.iter().enumerate() {
        for (other, &after) in row.iter().enumerate().skip(one + 1) {
            let [after, before] = [after, follows[other][one]].map(f64::from);
            neighbors += (after + before - decks / 26.0).powi(2);
            directions += (after - before).powi(2);
        }
    }
    (neighbors / (decks / 26.0), directions / (decks * 53.0 / 1326.0))
}

fn chi_square(test: &'static str, measured: f64, freedom: f64) -> Finding {
    let (below, above) = tails(measured, freedom);
    Finding { test, measured, expected: freedom, chance: below.min(above) * 2.0 }
}

/// Counts duplicate decks. Of 52! orders, no two of these decks should ever be the same: for half a
/// million fair decks the chance of a duplicate is less than 1 in 10⁵⁶.
fn duplicates(decks: &mut [[u8; 52]]) -> Finding {
    decks.sort_unstable();
    let twice = decks.windows(2).filter(|pair| pair[0] == pair[1]).count();
    let chance = if twice == 0 { 1.0 } else { 0.0 };
    Finding { test: "duplicates", measured: number(twice), expected: 0.0, chance }
}
