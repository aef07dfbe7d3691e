//! Counts every possible hand, and compares each with a slow evaluator or with its own subsets.

mod naive;

use std::collections::BTreeMap;

use croupier_cards::{Card, CardSet, Category, Five, Hand, Three, choose};

/// Calls `visit` with every hand that adds `left` of these cards.
fn visit_hands(hand: Hand, cards: &[Card], left: usize, visit: &mut impl FnMut(Hand)) {
    if left == 0 {
        return visit(hand);
    }
    for (at, &card) in cards.iter().enumerate() {
        visit_hands(hand + card, &cards[at + 1..], left - 1, visit);
    }
}

/// The counts of a pass over all hands of one size.
struct Count {
    by_category: Vec<(Category, u64)>,
    different: usize,
}

/// Counts all hands of a size, and calls `check` for each.
fn count_hands(size: usize, mut check: impl FnMut(Hand, Five)) -> Count {
    let mut by_value = vec![0_u64; 1 << 16];
    visit_hands(Hand::EMPTY, &Card::ALL, size, &mut |hand| {
        let five = hand.five();
        by_value[usize::from(five.value())] += 1;
        check(hand, five);
    });
    let of_category = |place: usize| by_value[place << 12..(place + 1) << 12].iter().sum();
    Count {
        by_category: (0..10).map(|place| (Five::CATEGORIES[place], of_category(place))).collect(),
        different: by_value.iter().filter(|&&hands| hands > 0).count(),
    }
}

/// Tells whether the strength equals that of the best hand with one card fewer.
fn is_best_with_one_less(hand: Hand, five: Five) -> bool {
    hand.cards().iter().map(|card| (hand - card).five()).max() == Some(five)
}

#[test]
fn all_2_598_960_five_card_hands_match_the_naive_evaluator() {
    let mut order = BTreeMap::new();
    let count = count_hands(5, |hand, five| {
        let cards: Vec<Card> = hand.cards().iter().collect();
        let naive = naive::five(cards.try_into().unwrap());
        assert_eq!(five.category(), naive.five_category(), "{hand:?}");
        assert_eq!(naive::numbers(&five.ranks()), naive.ranks, "{hand:?}");
        order.insert(naive, five);
    });
    assert_eq!(
        count.by_category,
        [
            (Category::HighCard, 1_302_540),
            (Category::Pair, 1_098_240),
            (Category::TwoPair, 123_552),
            (Category::ThreeOfAKind, 54_912),
            (Category::Straight, 10_200),
            (Category::Flush, 5_108),
            (Category::FullHouse, 3_744),
            (Category::FourOfAKind, 624),
            (Category::StraightFlush, 36),
            (Category::RoyalFlush, 4),
        ]
    );
    assert_eq!(count.different, 7_462);
    // Both put the 7,462 different hands in the same order.
    assert_eq!(order.len(), 7_462);
    assert!(order.values().is_sorted_by(|weaker, stronger| weaker < stronger));
}

#[test]
fn all_20_358_520_six_card_hands_are_the_best_of_their_five() {
    let count = count_hands(6, |hand, five| {
        assert!(is_best_with_one_less(hand, five), "{hand:?}");
    });
    assert_eq!(
        count.by_category,
        [
            (Category::HighCard, 6_612_900),
            (Category::Pair, 9_730_740),
            (Category::TwoPair, 2_532_816),
            (Category::ThreeOfAKind, 732_160),
            (Category::Straight, 361_620),
            (Category::Flush, 205_792),
            (Category::FullHouse, 165_984),
            (Category::FourOfAKind, 14_664),
            (Category::StraightFlush, 1_656),
            (Category::RoyalFlush, 188),
        ]
    );
}

/// With the two tests above, this proves that all seven-card hands match the naive evaluator: each
/// is checked against its seven hands of six, and each of those against its six hands of five.
#[test]
fn all_133_784_560_seven_card_hands_are_the_best_of_their_six() {
    let count = count_hands(7, |hand, five| {
        assert!(is_best_with_one_less(hand, five), "{hand:?}");
    });
    assert_eq!(
        count.by_category,
        [
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
        ]
    );
    assert_eq!(count.different, 4_824);
}

#[test]
fn a_sample_of_six_and_seven_card_hands_matches_the_naive_evaluator() {
    compare_sample(6, 50_000);
    compare_sample(7, 100_000);
}

#[test]
#[ignore = "takes a minute; ./check --long runs it"]
fn millions_of_six_and_seven_card_hands_match_the_naive_evaluator() {
    compare_sample(6, 1_000_000);
    compare_sample(7, 5_000_000);
}

/// Compares `hands` hands of a size, evenly spaced over all of them, with the naive evaluator.
fn compare_sample(size: usize, hands: u64) {
    let all = choose(52, size);
    for number in (0..all).step_by(usize::try_from(all / hands).unwrap()) {
        let set = CardSet::from_number(size, number).unwrap();
        let cards: Vec<Card> = set.iter().collect();
        let ((five, best), naive) = (Five::best(set), naive::best_five(&cards));
        assert_eq!(five.category(), naive.five_category(), "{set}");
        assert_eq!(naive::numbers(&five.ranks()), naive.ranks, "{set}");

        assert!(set.contains_all(CardSet::from(best)));
        assert_eq!(naive::five(best), naive, "{set}");
    }
}

#[test]
fn all_22_100_three_card_hands_match_the_naive_evaluator() {
    let mut order = BTreeMap::new();
    let mut counts = [0; 7];
    for set in CardSet::FULL.subsets(3) {
        let (three, cards) = Three::best(set);
        let naive = naive::three(cards);
        assert_eq!(CardSet::from(cards), set);
        assert_eq!(three.category(), naive.three_category(), "{set}");
        assert_eq!(naive::numbers(&three.ranks()), naive.ranks, "{set}");
        assert_eq!(three.ranks(), cards.map(Card::rank), "{set}");
        order.insert(naive, three);
        counts[usize::from(three.value() >> 12)] += 1;
    }
    assert_eq!(
        Three::CATEGORIES.into_iter().zip(counts).collect::<Vec<_>>(),
        [
            (Category::HighCard, 16_440),
            (Category::Pair, 3_744),
            (Category::Flush, 1_096),
            (Category::Straight, 720),
            (Category::ThreeOfAKind, 52),
            (Category::StraightFlush, 44),
            (Category::MiniRoyal, 4),
        ]
    );
    assert_eq!(order.len(), 741);
    assert!(order.values().is_sorted_by(|weaker, stronger| weaker < stronger));
}
