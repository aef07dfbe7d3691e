//! Generates the tables, as explained in the parent module.

use super::{BUCKETS, FLUSHES, STRENGTHS_LEN, bucket, slot};
use crate::{Category, Five, Rank};

/// Generates the tables, in the form of [`TABLES`](super::TABLES).
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

/// The number of cards of each rank.
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

/// Returns the ranks of the highest straight, from the top down. An ace may be its low end.
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

/// The random numbers of the search. Any generator will do, as long as its output never changes.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}
