//! Second opinions on who wins, from evaluators that others wrote.
//!
//! Hands can be counted right in every category and still be ranked in the wrong order. So these
//! tests compare the order.

use croupier_cards::{Card, CardSet, Five, Three, choose};
use poker::Evaluator;

fn peer(card: Card) -> poker::Card {
    card.to_string().parse().expect("both write cards the same way")
}

fn peers(cards: CardSet) -> Vec<poker::Card> {
    cards.iter().map(peer).collect()
}

#[test]
fn all_three_card_hands_are_in_the_order_of_poker_0_7() {
    let evaluator = Evaluator::new();
    let mut hands: Vec<_> = CardSet::FULL
        .subsets(3)
        .map(|set| (Three::of(set), evaluator.evaluate_three(peers(set)).expect("three cards")))
        .collect();
    hands.sort_by_key(|&(ours, _)| ours);
    for pair in hands.windows(2) {
        let [(weaker, their_weaker), (stronger, their_stronger)] = [pair[0], pair[1]];
        assert_eq!(weaker == stronger, their_weaker.is_equal_to(their_stronger), "{pair:?}");
        assert_eq!(weaker < stronger, their_weaker.is_worse_than(their_stronger), "{pair:?}");
    }
}

#[test]
fn pairs_of_seven_card_hands_end_as_in_three_other_evaluators() {
    let evaluator = Evaluator::new();
    // A step that shares no divisor with the number of hands, so that the walk is spread evenly.
    let all = choose(52, 7);
    let sets = (0..50_000).map(|n| CardSet::from_number(7, n * 1_337_863 % all).expect("a hand"));
    let hands: Vec<_> = sets
        .map(|set| {
            let cards: Vec<Card> = set.iter().collect();
            let pokers = cards.iter().fold(pokers::Hand::default(), |hand, card| {
                hand + pokers::CARDS[4 * card.rank() as usize + card.suit() as usize]
            });
            let aya = set.to_string().parse().expect("both write cards the same way");
            let poker = evaluator.evaluate_five(peers(set)).expect("seven cards");
            (Five::of(set), pokers.evaluate(), aya_poker::poker_rank(&aya), poker)
        })
        .collect();
    for pair in hands.windows(2) {
        let [one, other] = [pair[0], pair[1]];
        let ours = one.0.cmp(&other.0);
        assert_eq!(ours, one.1.cmp(&other.1), "pokers: {pair:?}");
        assert_eq!(ours, one.2.cmp(&other.2), "aya_poker: {pair:?}");
        assert_eq!(ours.is_gt(), one.3.is_better_than(other.3), "poker: {pair:?}");
        assert_eq!(ours.is_eq(), one.3.is_equal_to(other.3), "poker: {pair:?}");
    }
}
