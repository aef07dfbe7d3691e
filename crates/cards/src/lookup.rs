//! How a hand is ranked by two look-ups, and how the tables behind them are made.
//!
//! # The idea
//!
//! If five of the cards share a suit, those cards are the hand: with seven cards there is no room left
//! for four of a kind or a full house beside a flush. The strength is then a function of the
//! *ranks in that suit*, a set of thirteen bits, of which there are 8,192.
//!
//! Otherwise suits do not matter, and the strength is a function of the *ranks, counted*. There are
//! 6,175 ways to hold five ranks, each at most four times, 18,395 to hold six and 49,205 to hold
//! seven: 73,775 in all. The problem is to get from the cards to a place in a table of about that
//! size in next to no time.
//!
//! # The key
//!
//! Every card has a key, a 64-bit number; the key of a hand is the sum of its cards' keys. So a card
//! is added, or taken away, by one instruction, in any order. Three numbers travel in the key
//! without touching each other:
//!
//! ```text
//!  63         51       47   44 43   40 39   36 35   32         19                0
//! ┌────────────┬───────┬──────┬──────┬────────┬──────┬─────────┬─────────────────┐
//! │   bucket   │       │spades│hearts│diamonds│clubs │         │      slot       │
//! └────────────┴───────┴──────┴──────┴────────┴──────┴─────────┴─────────────────┘
//! ```
//!
//! - *Four suit counters* of four bits. Each starts at three, so that the fifth card of a suit sets
//!   the counter's highest bit: one mask tells whether there is a flush.
//! - *The bucket*, thirteen bits: the sum of a random number for each rank, modulo 8,192. It
//!   stands at the top, where what overflows is gone.
//! - *The slot*, seventeen bits: the sum of another random number for each rank, modulo 131,072.
//!   Seven of them stay below bit 20, clear of the counters.
//!
//! # The tables
//!
//! All strengths are in one table of 131,072 places. Its last 8,192 places belong to the flushes, by
//! the ranks in the suit. For all other hands, bucket and slot together are a hash of the counted
//! ranks, and an additive one. To make it perfect, every bucket gets a *displacement*, sixteen bits
//! that are exclusive-ored with the slots of all its hands, chosen so that no two hands of different
//! strength meet in one place:
//!
//! ```text
//! strength = STRENGTHS[slot ^ DISPLACED[bucket]]
//! ```
//!
//! That is all there is to it: 16 KiB of displacements, which stay in the first-level cache, and
//! 256 KiB of strengths, which stay in the second. Nothing has to be checked on the way, because
//! each index is as wide as its table; so there is no unsafe code, and none would be faster.
//!
//! # The search
//!
//! [`generate`] draws the random numbers from a fixed seed, sorts the 73,775 hands into their
//! buckets, nine a bucket on average, and places the buckets, fullest first, each at the first
//! displacement that fits. If one does not fit anywhere, or two hands of different strength have
//! bucket and slot in common, it tries the next seed.
//!
//! The result is the file `tables/lookup.bin`, compiled into the library. To make it anew:
//!
//! ```text
//! cargo run --release --package croupier-cards --example tables
//! ```
//!
//! A test makes the tables again and compares them with the file, and others rank every hand there is
//! against a slow evaluator that has no tables at all.

use crate::{Card, CardSet, Category, Five, Rank};

/// The tables as they are in the file: little-endian numbers, one table after the other.
///
/// Thirteen keys of 8 bytes, one a rank; then numbers of 2 bytes: 8,192 displacements and 131,072
/// strengths. A strength of zero stands where no hand is.
pub const TABLES: &[u8; TABLES_LEN] = include_bytes!("../tables/lookup.bin");

const BUCKETS: usize = 1 << 13;
const STRENGTHS_LEN: usize = 1 << 17;

/// Where the strengths of flushes begin.
const FLUSHES: usize = STRENGTHS_LEN - (1 << 13);

const KEYS_AT: usize = 0;
const DISPLACED_AT: usize = KEYS_AT + 13 * size_of::<u64>();
const STRENGTHS_AT: usize = DISPLACED_AT + BUCKETS * size_of::<u16>();
const TABLES_LEN: usize = STRENGTHS_AT + STRENGTHS_LEN * size_of::<u16>();

/// Where in a key the counter of the first suit begins.
const SUITS_BIT: u32 = 32;

/// The key of a hand without cards: each suit's counter at three.
pub(crate) const NO_CARDS: u64 = 0x3333 << SUITS_BIT;

/// The highest bit of each suit's counter, set from the fifth card on.
const FLUSH: u64 = 0x8888 << SUITS_BIT;

/// The key of each card, by its bit number. There are only 52, but an index of eight bits into 256
/// places needs no check.
static CARD_KEYS: [u64; 256] = card_keys();
static DISPLACED: [u16; BUCKETS] = numbers(DISPLACED_AT);
static STRENGTHS: [u16; STRENGTHS_LEN] = numbers(STRENGTHS_AT);

/// Reads the ranks' keys from the file while compiling, and makes the cards' keys of them.
const fn card_keys() -> [u64; 256] {
    let mut keys = [0; 256];
    let mut index = 0;
    while index < 52 {
        let card = Card::ALL[index];
        let (rank, suit) = (card.rank() as usize, card.suit() as u32);
        let Some((bytes, _)) = TABLES.split_at(KEYS_AT + 8 * rank).1.split_first_chunk() else {
            panic!("the file has a key for every rank");
        };
        keys[card.bit() as usize] = u64::from_le_bytes(*bytes) + (1 << (SUITS_BIT + 4 * suit));
        index += 1;
    }
    keys
}

/// Reads a table from the file while compiling.
const fn numbers<const N: usize>(at: usize) -> [u16; N] {
    let mut numbers = [0; N];
    let mut index = 0;
    while index < N {
        let byte = at + 2 * index;
        numbers[index] = u16::from_le_bytes([TABLES[byte], TABLES[byte + 1]]);
        index += 1;
    }
    numbers
}

/// Returns what a card adds to the key of a hand.
#[inline]
pub(crate) fn card_key(card: Card) -> u64 {
    CARD_KEYS[card.bit() as usize]
}

/// Returns the strength of the best five of the cards, whose keys add up to this one.
#[inline]
pub(crate) fn five(key: u64, cards: CardSet) -> Five {
    let place = if key & FLUSH == 0 {
        slot(key) ^ usize::from(DISPLACED[bucket(key)])
    } else {
        // Three hands in a hundred. Said to be cold, it leaves the straight road to the others.
        std::hint::cold_path();
        FLUSHES | flush_ranks(key, cards)
    };
    Five::from_value(STRENGTHS[place])
}

#[expect(clippy::cast_possible_truncation, reason = "only the highest thirteen bits are left")]
const fn bucket(key: u64) -> usize {
    (key >> (u64::BITS - BUCKETS.ilog2())) as usize
}

#[expect(clippy::cast_possible_truncation, reason = "only the lowest seventeen bits are kept")]
const fn slot(key: u64) -> usize {
    key as usize & (STRENGTHS_LEN - 1)
}

/// Returns the ranks in the suit that has five cards or more.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "only the lowest thirteen bits are kept")]
const fn flush_ranks(key: u64, cards: CardSet) -> usize {
    let suit = (key >> (SUITS_BIT + 3) & 0x1111).trailing_zeros() / 4;
    (cards.bits() >> (16 * suit)) as usize & 0x1fff
}

/// Makes the tables anew, in the form of [`TABLES`].
///
/// # Panics
///
/// Never: some seed leaves room for all hands.
pub fn generate() -> Vec<u8> {
    let hands: Vec<(Counts, u16)> =
        all_counts().into_iter().map(|counts| (counts, of_counts(&counts).value())).collect();
    let (keys, displaced, mut strengths) =
        (SEED..).find_map(|seed| place(&hands, seed)).expect("some seed leaves room for all");
    for (place, ranks) in strengths[FLUSHES..].iter_mut().zip(0..) {
        *place = of_suit(ranks).map_or(0, Five::value);
    }
    let mut tables: Vec<u8> = keys.into_iter().flat_map(u64::to_le_bytes).collect();
    tables.extend(displaced.into_iter().chain(strengths).flat_map(u16::to_le_bytes));
    tables
}

/// How many cards of each rank there are.
type Counts = [u8; 13];

/// Returns every way to hold five, six or seven ranks.
fn all_counts() -> Vec<Counts> {
    let mut all = vec![[0; 13]];
    for rank in 0..13 {
        let held = |counts: &Counts| counts.iter().sum::<u8>();
        all = all
            .into_iter()
            .flat_map(|counts| {
                (0..=4.min(7 - held(&counts))).map(move |count| {
                    let mut counts = counts;
                    counts[rank] = count;
                    counts
                })
            })
            .collect();
    }
    all.retain(|counts| counts.iter().sum::<u8>() >= 5);
    all
}

/// Returns the strength of cards of these ranks when no five share a suit.
fn of_counts(counts: &Counts) -> Five {
    let down = || Rank::ALL.into_iter().rev();
    let count = |rank: Rank| counts[rank as usize];
    let held = |least: u8| move |rank: &Rank| count(*rank) >= least;

    let mut fours = down().filter(held(4));
    let mut threes = down().filter(held(3));
    let mut twos = down().filter(held(2));
    if let Some(four) = fours.next() {
        let kicker = down().filter(held(1)).find(|&rank| rank != four).expect("a fifth card");
        return Five::new(Category::FourOfAKind, [four, four, four, four, kicker]);
    }
    let three = threes.next();
    let beside_three = down().filter(held(2)).find(|&rank| Some(rank) != three);
    if let (Some(three), Some(two)) = (three, beside_three) {
        return Five::new(Category::FullHouse, [three, three, three, two, two]);
    }
    let ranks = down().filter(held(1)).fold(0, |ranks, rank| ranks | 1 << rank as u16);
    if let Some(straight) = straight(ranks) {
        return Five::new(Category::Straight, straight);
    }
    if let Some(three) = three {
        let mut kickers = down().filter(held(1)).filter(|&rank| rank != three);
        let mut kicker = || kickers.next().expect("a fourth and a fifth card");
        return Five::new(Category::ThreeOfAKind, [three, three, three, kicker(), kicker()]);
    }
    match (twos.next(), twos.next()) {
        (Some(high), Some(low)) => {
            let others = |rank: &Rank| *rank != high && *rank != low;
            let kicker = down().filter(held(1)).find(others).expect("a fifth card");
            Five::new(Category::TwoPair, [high, high, low, low, kicker])
        }
        (Some(two), None) => {
            let mut kickers = down().filter(held(1)).filter(|&rank| rank != two);
            let mut kicker = || kickers.next().expect("three more cards");
            Five::new(Category::Pair, [two, two, kicker(), kicker(), kicker()])
        }
        _ => Five::new(Category::HighCard, highest(ranks)),
    }
}

/// Returns the strength of cards of one suit with these ranks, if they are five or more.
fn of_suit(ranks: u16) -> Option<Five> {
    if ranks.count_ones() < 5 {
        return None;
    }
    Some(match straight(ranks) {
        Some(ranks @ [Rank::Ace, ..]) => Five::new(Category::RoyalFlush, ranks),
        Some(ranks) => Five::new(Category::StraightFlush, ranks),
        None => Five::new(Category::Flush, highest(ranks)),
    })
}

/// Returns the ranks of the highest straight, from its top, where an ace may end the lowest.
fn straight(ranks: u16) -> Option<[Rank; 5]> {
    (3..13_usize).rev().find_map(|top| {
        let run = [0, 1, 2, 3, 4].map(|below| Rank::ALL[(top + 13 - below) % 13]);
        run.iter().all(|&rank| ranks >> rank as u16 & 1 == 1).then_some(run)
    })
}

/// Returns the five highest of at least five ranks.
fn highest(ranks: u16) -> [Rank; 5] {
    let mut down = Rank::ALL.into_iter().rev().filter(|&rank| ranks >> rank as u16 & 1 == 1);
    [(); 5].map(|()| down.next().expect("five ranks"))
}

/// The first seed that leaves room for all.
const SEED: u64 = 133;

/// Tries to give every hand a place before those of the flushes. Returns the ranks' keys, the
/// displacements, and the strengths in their places.
fn place(hands: &[(Counts, u16)], seed: u64) -> Option<([u64; 13], Vec<u16>, Vec<u16>)> {
    let mut random = SplitMix(seed);
    let keys = [(); 13].map(|()| {
        let bucket = random.next() << (u64::BITS - BUCKETS.ilog2());
        bucket | slot(random.next()) as u64
    });

    let mut buckets = vec![Vec::new(); BUCKETS];
    for (counts, strength) in hands {
        let each = counts.iter().zip(keys).map(|(&count, key)| key.wrapping_mul(u64::from(count)));
        let key = each.fold(0, u64::wrapping_add);
        buckets[bucket(key)].push((slot(key), *strength));
    }
    for hands in &mut buckets {
        hands.sort_unstable();
        hands.dedup();
        if hands.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
    }
    let mut order: Vec<usize> = (0..BUCKETS).collect();
    order.sort_by_key(|&bucket| std::cmp::Reverse(buckets[bucket].len()));

    let mut displaced = vec![0; BUCKETS];
    let mut strengths = vec![0; STRENGTHS_LEN];
    for bucket in order {
        let hands = &buckets[bucket];
        let fits = |by: &u16| {
            hands.iter().all(|&(slot, strength)| {
                let place = slot ^ usize::from(*by);
                place < FLUSHES && (strengths[place] == 0 || strengths[place] == strength)
            })
        };
        let by = (0..=u16::MAX).find(fits)?;
        for &(slot, strength) in hands {
            strengths[slot ^ usize::from(by)] = strength;
        }
        displaced[bucket] = by;
    }
    Some((keys, displaced, strengths))
}

/// The random numbers of the search. Any will do, as long as they are the same tomorrow.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}
