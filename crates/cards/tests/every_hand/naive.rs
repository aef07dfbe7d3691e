//! A hand evaluator that follows the rule book: slow, without tables, and easy to check.

use std::cmp::Reverse;

use croupier_cards::{Card, Category, Rank};

/// A hand's category by its place in the order of the game, and its ranks, most significant first.
/// Comparing two of these compares the hands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Naive {
    place: usize,
    /// From 2 to 14; an ace that ends the lowest straight is 1.
    pub(crate) ranks: Vec<u8>,
}

const FIVE_CARDS: [Category; 10] = [
    Category::HighCard,
    Category::Pair,
    Category::TwoPair,
    Category::ThreeOfAKind,
    Category::Straight,
    Category::Flush,
    Category::FullHouse,
    Category::FourOfAKind,
    Category::StraightFlush,
    Category::RoyalFlush,
];

const THREE_CARDS: [Category; 7] = [
    Category::HighCard,
    Category::Pair,
    Category::Flush,
    Category::Straight,
    Category::ThreeOfAKind,
    Category::StraightFlush,
    Category::MiniRoyal,
];

/// Returns a five-card hand.
pub(crate) fn five(cards: [Card; 5]) -> Naive {
    hand(&cards, &FIVE_CARDS)
}

/// Returns a three-card hand.
pub(crate) fn three(cards: [Card; 3]) -> Naive {
    hand(&cards, &THREE_CARDS)
}

/// Returns the best five of any number of cards, by trying every five.
pub(crate) fn best_five(cards: &[Card]) -> Naive {
    let mut fives = vec![vec![]];
    for &card in cards {
        for at in 0..fives.len() {
            let mut chosen = fives[at].clone();
            chosen.push(card);
            fives.push(chosen);
        }
    }
    let fives = fives.into_iter().filter_map(|chosen| chosen.try_into().ok());
    fives.map(five).max().expect("five cards or more")
}

impl Naive {
    pub(crate) fn five_category(&self) -> Category {
        FIVE_CARDS[self.place]
    }

    pub(crate) fn three_category(&self) -> Category {
        THREE_CARDS[self.place]
    }
}

fn hand(cards: &[Card], order: &[Category]) -> Naive {
    let mut ranks: Vec<u8> = cards.iter().map(|card| number(card.rank())).collect();
    let count = |rank: u8| cards.iter().filter(|card| number(card.rank()) == rank).count();
    // Fours before threes before pairs before single cards, and high before low.
    ranks.sort_by_key(|&rank| Reverse((count(rank), rank)));
    let shape: Vec<usize> = ranks.iter().map(|&rank| count(rank)).collect();

    let flush = cards.iter().all(|card| card.suit() == cards[0].suit());
    if ranks == [14, 5, 4, 3, 2] {
        ranks = vec![5, 4, 3, 2, 1];
    }
    if ranks == [14, 3, 2] {
        ranks = vec![3, 2, 1];
    }
    let straight = ranks.windows(2).all(|pair| pair[0] == pair[1] + 1);

    let category = match (straight, flush, &shape[..]) {
        (true, true, _) if ranks[0] == 14 && cards.len() == 5 => Category::RoyalFlush,
        (true, true, _) if ranks[0] == 14 => Category::MiniRoyal,
        (true, true, _) => Category::StraightFlush,
        (true, false, _) => Category::Straight,
        (false, true, _) => Category::Flush,
        (_, _, [4, 4, 4, 4, 1]) => Category::FourOfAKind,
        (_, _, [3, 3, 3, 2, 2]) => Category::FullHouse,
        (_, _, [3, 3, 3, ..]) => Category::ThreeOfAKind,
        (_, _, [2, 2, 2, 2, 1]) => Category::TwoPair,
        (_, _, [2, 2, ..]) => Category::Pair,
        _ => Category::HighCard,
    };
    let place = order.iter().position(|&each| each == category).expect("a hand of this game");
    Naive { place, ranks }
}

fn number(rank: Rank) -> u8 {
    rank as u8 + 2
}

/// Returns ranks as numbers, as in [`Naive`], with a low ace at the end of `5-4-3-2-A` and `3-2-A`.
pub(crate) fn numbers(ranks: &[Rank]) -> Vec<u8> {
    let mut numbers: Vec<u8> = ranks.iter().map(|&rank| number(rank)).collect();
    if let [5, 4, 3, 2, last] | [3, 2, last] = &mut numbers[..] {
        *last = 1;
    }
    numbers
}
