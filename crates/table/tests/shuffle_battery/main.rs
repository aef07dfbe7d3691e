//! Half a million decks of the shuffle pass a battery of statistical tests, and decks of broken
//! shuffles do not.
//!
//! A fair shuffle passes the whole battery 99 times out of 100. The seeds are fixed, so it passes
//! always or never. Each broken shuffle has a bug that real shuffles have had, and shows that the
//! battery would have noticed.

mod battery;
mod chi_square;

use battery::{Battery, Finding, LEVEL};
use croupier_cards::Deck;
use croupier_table::{Hash, Seed, Stream, shuffle};

const DECKS: u64 = 500_000;

/// Returns the seed with this number, of a series unrelated to the shuffle's own.
fn seed(number: u64) -> [u8; 32] {
    *Hash::of(format!("seed {number} of the battery").as_bytes()).as_bytes()
}

/// Runs the battery on the decks that a function makes from numbers.
fn findings(deck: impl Fn(u64) -> Deck) -> Vec<Finding> {
    Battery::of((0..DECKS).map(deck)).findings()
}

/// Returns the tests that a shuffle fails.
fn failed(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().filter(|finding| !finding.is_passed()).map(|finding| finding.test).collect()
}

/// Shuffles with a custom loop, from the stream that the shuffle would use.
fn with_loop(number: u64, shuffle: impl Fn(&mut Deck, &mut Stream)) -> Deck {
    let (mut deck, mut stream) = (Deck::FRESH, Stream::new(seed(number)));
    shuffle(&mut deck, &mut stream);
    deck
}

#[test]
fn the_shuffle_passes_with_a_fresh_seed_for_every_deck() {
    let found = findings(|number| shuffle("battery", 1, &Seed::from_bytes(seed(number)), &[]));
    assert!(failed(&found).is_empty(), "at {LEVEL}: {found:#?}");
}

#[test]
fn the_shuffle_passes_with_one_seed_for_many_rounds() {
    let seed = Seed::from_bytes(seed(DECKS));
    let found = findings(|number| shuffle("battery", number, &seed, &[]));
    assert!(failed(&found).is_empty(), "at {LEVEL}: {found:#?}");
}

/// A remainder of 256 favors the small numbers.
#[test]
fn remainders_of_single_bytes_are_noticed() {
    let found = findings(|number| {
        with_loop(number, |deck, stream| {
            for last in (1..52).rev() {
                deck.swap(last, usize::from(stream.byte()) % (last + 1));
            }
        })
    });
    assert!(failed(&found).contains(&"places"), "{found:#?}");
    assert!(failed(&found).contains(&"neighbors"), "{found:#?}");
}

/// There are 52⁵² ways through this loop, which 52! orders cannot share evenly.
#[test]
fn swapping_every_card_with_any_other_is_noticed() {
    let found = findings(|number| {
        with_loop(number, |deck, stream| {
            for place in 0..52 {
                deck.swap(place, usize::from(stream.up_to(51)));
            }
        })
    });
    assert!(failed(&found).contains(&"places"), "{found:#?}");
    assert!(failed(&found).contains(&"holes"), "{found:#?}");
}

/// One number too few, so no card ever stays in place.
#[test]
fn an_index_that_is_off_by_one_is_noticed() {
    let found = findings(|number| {
        with_loop(number, |deck, stream| {
            for last in (1..52).rev() {
                deck.swap(usize::from(last), usize::from(stream.up_to(last - 1)));
            }
        })
    });
    assert!(failed(&found).contains(&"places"), "{found:#?}");
}

/// With four billion seeds, about 29 pairs of half a million decks are the same. Nothing else is
/// wrong with them, and no other test notices.
#[test]
fn a_seed_of_32_bits_is_noticed() {
    let found = findings(|number| {
        let mut short = [0; 32];
        short[..4].copy_from_slice(&seed(number)[..4]);
        shuffle("battery", 1, &Seed::from_bytes(short), &[])
    });
    assert_eq!(failed(&found), ["duplicates"], "{found:#?}");
    let twice = found.last().map(|finding| finding.measured);
    assert!(twice > Some(10.0) && twice < Some(50.0), "{found:#?}");
}
