//! How a hand is ranked with two lookups, and how the tables behind them are generated.
//!
//! # The idea
//!
//! If five of the cards share a suit, those cards are the hand: with seven cards there is no room
//! left for four of a kind or a full house next to a flush. The strength is then a function of the
//! *ranks in that suit*, a set of thirteen bits, of which there are 8,192.
//!
//! Otherwise suits do not matter, and the strength is a function of the *ranks, counted*. There are
//! 6,175 ways to hold five ranks, each at most four times, 18,395 to hold six and 49,205 to hold
//! seven: 73,775 in all. The problem is to get from the cards to a place in a table of about that
//! size, fast.
//!
//! # The key
//!
//! Every card has a key, a 64-bit number; the key of a hand is the sum of its cards' keys. So a
//! card is added or removed by one instruction, in any order. The key holds three numbers that
//! never overlap:
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
//!   is at the top, where overflow is discarded.
//! - *The slot*, seventeen bits: the sum of another random number for each rank, modulo 131,072.
//!   Seven of them stay below bit 20, clear of the counters.
//!
//! # The tables
//!
//! All strengths are in one table of 131,072 places. Its last 8,192 places belong to the flushes,
//! by the ranks in the suit. For all other hands, bucket and slot together are an additive hash of
//! the counted ranks. To make it perfect, every bucket gets a *displacement*, sixteen bits that are
//! exclusive-ored with the slots of all its hands, chosen so that no two hands of different
//! strength share a place:
//!
//! ```text
//! strength = STRENGTHS[slot ^ DISPLACED[bucket]]
//! ```
//!
//! That is all: 16 KiB of displacements, which stay in the L1 cache, and 256 KiB of strengths,
//! which stay in L2. No bounds checks are needed, because each index is as wide as its table; so
//! there is no unsafe code, and unsafe code would not be faster.
//!
//! # The search
//!
//! [`generate()`] draws the random numbers from a fixed seed, sorts the 73,775 hands into their
//! buckets, nine per bucket on average, and places the buckets, fullest first, each at the first
//! displacement that fits. If a bucket does not fit anywhere, or two hands of different strength
//! share a bucket and a slot, it tries the next seed.
//!
//! The result is the file `tables/lookup.bin`, compiled into the library. To regenerate it:
//!
//! ```text
//! cargo run --release --package croupier-cards --example tables
//! ```
//!
//! A test regenerates the tables and compares them with the file. Other tests rank every possible
//! hand and compare it with a slow evaluator that uses no tables.

mod generate;

use crate::{Card, CardSet, Five, Rank};

pub use generate::generate;

/// The tables as stored in the file: little-endian numbers, one table after the other.
///
/// Thirteen keys of 8 bytes, one per rank; then numbers of 2 bytes: 8,192 displacements and 131,072
/// strengths. A strength of zero marks a place without a hand.
///
/// If the file is shorter, the missing part counts as zeros, so that the generator compiles and
/// runs when the layout has just changed. A test compares the file with the generator's output.
pub const TABLES: &[u8] = include_bytes!("../tables/lookup.bin");

const BUCKETS: usize = 1 << 13;
const STRENGTHS_LEN: usize = 1 << 17;

/// The index where the strengths of flushes begin.
const FLUSHES: usize = STRENGTHS_LEN - (1 << 13);

const KEYS_AT: usize = 0;
const DISPLACED_AT: usize = KEYS_AT + 13 * size_of::<u64>();
const STRENGTHS_AT: usize = DISPLACED_AT + BUCKETS * size_of::<u16>();

/// The bit of a key where the counter of the first suit begins.
const SUITS_BIT: u32 = 32;

/// The key of a hand without cards: each suit's counter at three.
pub(crate) const NO_CARDS: u64 = 0x3333 << SUITS_BIT;

/// The highest bit of each suit's counter, set from the fifth card on.
const FLUSH: u64 = 0x8888 << SUITS_BIT;

/// The key of each card, by its bit number. There are only 52, but an index of eight bits into 256
/// places needs no check.
static CARD_KEYS: [u64; 256] = card_keys();
static RANK_KEYS: [u64; 13] = rank_keys();
static DISPLACED: [u16; BUCKETS] = numbers(DISPLACED_AT);
static STRENGTHS: [u16; STRENGTHS_LEN] = numbers(STRENGTHS_AT);

/// Reads the ranks' keys from the file at compile time.
const fn rank_keys() -> [u64; 13] {
    let mut keys = [0; 13];
    let mut rank = 0;
    while rank < 13 {
        keys[rank] = number(KEYS_AT + size_of::<u64>() * rank, size_of::<u64>());
        rank += 1;
    }
    keys
}

/// Derives the cards' keys from those of the ranks.
const fn card_keys() -> [u64; 256] {
    let mut keys = [0; 256];
    let mut index = 0;
    while index < 52 {
        let card = Card::ALL[index];
        let key = rank_keys()[card.rank() as usize];
        keys[card.bit() as usize] = key + (1 << (SUITS_BIT + 4 * card.suit() as u32));
        index += 1;
    }
    keys
}

/// Reads a table from the file at compile time.
#[expect(clippy::cast_possible_truncation, reason = "two bytes make a u16")]
const fn numbers<const N: usize>(at: usize) -> [u16; N] {
    let mut numbers = [0; N];
    let mut index = 0;
    while index < N {
        numbers[index] = number(at + size_of::<u16>() * index, size_of::<u16>()) as u16;
        index += 1;
    }
    numbers
}

/// Reads a little-endian number of `bytes` bytes from the file at compile time.
const fn number(at: usize, bytes: usize) -> u64 {
    let mut number = 0;
    let mut byte = bytes;
    while byte > 0 {
        byte -= 1;
        let value = if at + byte < TABLES.len() { TABLES[at + byte] } else { 0 };
        number = number << 8 | value as u64;
    }
    number
}

/// Returns a rank's contribution to a key without suits.
#[inline]
pub(crate) fn rank_key(rank: Rank) -> u64 {
    RANK_KEYS[rank as usize]
}

/// Returns the strength of the best five cards whose ranks' keys add up to this one, as if no flush
/// were possible.
#[inline]
pub(crate) fn unsuited(key: u64) -> Five {
    Five::from_value(STRENGTHS[slot(key) ^ usize::from(DISPLACED[bucket(key)])])
}

/// Returns the strength of the best five cards of one suit, or zero if there are fewer.
#[inline]
pub(crate) fn suited(ranks: u16) -> u16 {
    STRENGTHS[FLUSHES | usize::from(ranks) & 0x1fff]
}

/// Returns a card's contribution to the key of a hand.
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
        // Three hands in a hundred. Marking it cold keeps the other hands on the fast path.
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
