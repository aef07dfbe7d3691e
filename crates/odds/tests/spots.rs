//! Checks the values of spots against every dealer hand, one by one.

use std::num::NonZero;

use croupier_cards::{Card, CardSet, Category, Five, parse_cards};
use croupier_odds::{Fraction, Holdem, Known, Terms, advise};
use croupier_rules::{Catalog, Decision, Game};

fn terms() -> Terms {
    let blind = Catalog::shipped().paytable("UTH").expect("a table").clone();
    Terms::new(Game::Uth, blind).expect("good terms")
}

/// The payoff of the usual Blind on a win, in halves of the ante.
fn pays(hand: Category) -> i128 {
    match hand {
        Category::RoyalFlush => 1_000,
        Category::StraightFlush => 100,
        Category::FourOfAKind => 20,
        Category::FullHouse => 6,
        Category::Flush => 3,
        Category::Straight => 2,
        _ => 0,
    }
}

/// Plays a bet out against every possible dealer hand, and returns the winnings in halves of an
/// ante, and the number of hands.
fn played(times: i128, hole: CardSet, board: CardSet, dealer: CardSet, deck: CardSet) -> [i128; 2] {
    let hero = Five::of(hole | board);
    let (mut won, mut hands) = (0, 0);
    for rest in deck.subsets(2 - dealer.len()) {
        let other = Five::of(board | dealer | rest);
        let ante = i128::from(other.category() != Category::HighCard);
        won += match hero.cmp(&other) {
            std::cmp::Ordering::Greater => 2 * (times + ante) + pays(hero.category()),
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => -2 * (times + ante + 1),
        };
        hands += 1;
    }
    [won, hands]
}

/// Returns the values of checking and betting on a flop, by playing it out.
fn slowly(hole: CardSet, flop: CardSet, dealer: CardSet, deck: CardSet) -> [Fraction; 2] {
    let (mut check, mut bet, mut deals) = (0, 0, 0);
    for rest in deck.subsets(2) {
        let (board, deck) = (flop | rest, deck - rest);
        let [twice, hands] = played(2, hole, board, dealer, deck);
        let [once, _] = played(1, hole, board, dealer, deck);
        check += once.max(-4 * hands);
        bet += twice;
        deals += hands;
    }
    [check, bet].map(|value| Fraction::new(value, 2 * deals))
}

fn cards(text: &str) -> Vec<Card> {
    parse_cards(text).expect("cards")
}

fn set(cards: &[Card]) -> CardSet {
    cards.iter().copied().collect()
}

#[test]
fn the_values_of_rivers_and_flops_agree_with_playing_them_out() {
    for (hand, board, dead, dealer) in [
        ("Kc 4d", "Kd 8c 4s 4h 2s", "", ""),
        ("Ah 3h", "Kh Jh 9h 6d 4c", "", ""),
        ("2c 2d", "Ah Kh Qh Jh Th", "9h", ""),
        ("7s 2d", "8s 9s Ts Js Kd", "Qd 3h", "6s"),
        ("Qd Jd", "Td 9d 2c", "", ""),
        ("Kc 5d", "7h 7d 2h", "Kh 5s Ah", ""),
        ("9c 8c", "7c 6c 2h", "", "Tc"),
        ("Ac Kd", "5s 4s 3s", "2d", "As 9h"),
    ] {
        let known = Known {
            hand: cards(hand),
            board: cards(board),
            dead: cards(dead),
            dealer: cards(dealer),
        };
        let [hole, board, dead, dealer] =
            [&known.hand, &known.board, &known.dead, &known.dealer].map(|cards| set(cards));
        let deck = !(hole | board | dead | dealer);
        let expected = if board.len() == 5 {
            let [won, hands] = played(1, hole, board, dealer, deck);
            let bet = Fraction::new(won, 2 * hands);
            vec![(Decision::Bet(1), bet), (Decision::Fold, Fraction::new(-2, 1))]
        } else {
            let [check, bet] = slowly(hole, board, dealer, deck);
            vec![(Decision::Bet(2), bet), (Decision::Check, check)]
        };
        let advice = advise(&terms(), &known).expect("a spot");
        assert_eq!(advice.actions, expected, "{known:?}");
    }
}

#[test]
fn the_values_of_solved_flops_agree_with_playing_them_out() {
    let solved = Holdem::solve(terms(), NonZero::<usize>::MIN);
    for (hole, flop) in [
        ("Qd Jd", "Td 9d 2c"),
        ("2c 2d", "Ah Kh 3h"),
        ("Kc 4s", "4d 4h 4c"),
        ("9h 8s", "7c 6d 2h"),
        ("As 3d", "Ks Qs Js"),
    ] {
        let (hole, flop) = (cards(hole), set(&cards(flop)));
        let expected = slowly(set(&hole), flop, CardSet::EMPTY, !(set(&hole) | flop));
        assert_eq!(solved.on_flop([hole[0], hole[1]], flop), expected, "{hole:?} on {flop}");
    }
}
