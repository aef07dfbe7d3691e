//! Checks advice against brute force: on small decks every flop, turn, river and dealer hand is
//! dealt one by one, and every choice tried.

mod extremes;
mod reference;
mod spots;

use std::ops::RangeInclusive;

use croupier_cards::{Card, CardSet, Category};
use croupier_odds::{Advice, Known, Terms, advise};
use croupier_rules::{Decision, Game, PayTable, StreetName};

use reference::{Blind, Rules, Seen, Sum};
use spots::{Chance, Pool, deal};

/// The Blind of the game, and odd ones: fractions, payoffs for weak hands, the order reversed.
const HOLDEM_BLINDS: [Blind; 5] = [
    Blind(&[
        (Category::RoyalFlush, 500, 1),
        (Category::StraightFlush, 50, 1),
        (Category::FourOfAKind, 10, 1),
        (Category::FullHouse, 3, 1),
        (Category::Flush, 3, 2),
        (Category::Straight, 1, 1),
    ]),
    Blind(&[(Category::RoyalFlush, 0, 1)]),
    Blind(&[(Category::Pair, 1, 7), (Category::HighCard, 3, 1), (Category::Flush, 2, 3)]),
    Blind(&[
        (Category::HighCard, 40, 1),
        (Category::Pair, 9, 1),
        (Category::TwoPair, 7, 2),
        (Category::ThreeOfAKind, 11, 5),
        (Category::Straight, 1, 3),
    ]),
    Blind(&[(Category::FullHouse, 1_000, 1), (Category::StraightFlush, 5, 7)]),
];

const THREE_CARD_BLINDS: [Blind; 3] = [
    Blind(&[
        (Category::MiniRoyal, 200, 1),
        (Category::StraightFlush, 50, 1),
        (Category::ThreeOfAKind, 30, 1),
        (Category::Straight, 2, 1),
        (Category::Flush, 1, 2),
    ]),
    Blind(&[(Category::Pair, 1, 7), (Category::HighCard, 3, 1)]),
    Blind(&[(Category::MiniRoyal, 0, 1)]),
];

fn terms(game: Game, rules: &Rules) -> Terms {
    let blind = PayTable::from_toml(&rules.blind.to_toml()).expect("a good table");
    let terms = Terms::new(game, blind).expect("good terms");
    let terms = terms.with_raises(rules.raises.clone()).expect("good raises");
    if rules.qualifying { terms } else { terms.without_qualifying() }
}

/// Returns the known cards as the crate's type: every card that is not in sight and not in the deck
/// is dead.
fn known(seen: &Seen) -> Known {
    let list = |set: CardSet| set.into_iter().collect::<Vec<Card>>();
    let Seen { hand, board, dealer, deck } = *seen;
    let dead = CardSet::FULL - hand - board - dealer - deck;
    Known { hand: list(hand), board: list(board), dead: list(dead), dealer: list(dealer) }
}

/// Compares every choice and the best one with the results of brute force, from the one that risks
/// least.
fn compare(advice: &Advice, expected: &[(Decision, Sum)], spot: &str) {
    let found: Vec<Decision> = advice.actions.iter().rev().map(|action| action.0).collect();
    let choices: Vec<Decision> = expected.iter().map(|action| action.0).collect();
    assert_eq!(found, choices, "{spot}");
    for (&(action, exact), (_, sum)) in advice.actions.iter().rev().zip(expected) {
        let right = sum.is(exact.numerator(), exact.denominator());
        assert!(right, "{action} is worth {exact}, not {sum:?}: {spot}");
    }
    let most = expected.iter().map(|(_, sum)| sum.parts).max();
    let best = expected.iter().find(|(_, sum)| Some(sum.parts) == most).map(|action| action.0);
    assert_eq!(Some(advice.best), best, "{spot}");
}

fn check_holdem(rules: &Rules, seen: &Seen) {
    let advice = advise(&terms(Game::Uth, rules), &known(seen)).expect("a spot");
    let bet = |times: u32| (Decision::Bet(times), rules.holdem(seen, Some(times)));
    let check = |street: StreetName| {
        assert_eq!(advice.street, street);
        let cards = if street == StreetName::Flop { 2 } else { 3 };
        (Decision::Check, rules.checked(seen, cards))
    };
    let expected = match seen.board.len() {
        5 => {
            let bet = bet(1);
            vec![(Decision::Fold, Sum::fold(bet.1.deals)), bet]
        }
        3 => vec![check(StreetName::Flop), bet(2)],
        _ => {
            let bets = rules.raises.iter().map(|&times| bet(times));
            std::iter::once(check(StreetName::BeforeFlop)).chain(bets).collect()
        }
    };
    compare(&advice, &expected, &format!("{rules:?} {seen:?}"));
}

fn holdem_rules(chance: &mut Chance) -> Rules {
    let raises: [&[u32]; 3] = [&[3], &[3, 4], &[1, 2, 5]];
    Rules {
        blind: HOLDEM_BLINDS[chance.below(HOLDEM_BLINDS.len())],
        raises: raises[chance.below(raises.len())].to_vec(),
        qualifying: chance.below(3) > 0,
    }
}

/// Deals a number of spots from each pool with a board of some size, with the dealer showing none,
/// one or two cards and a number of cards left, and checks each against brute force.
fn hold(seed: u64, spots: usize, board: usize, decks: RangeInclusive<usize>) {
    let mut chance = Chance::new(seed);
    for pool in Pool::ALL {
        for number in 0..spots {
            let left = decks.start() + chance.below(decks.end() - decks.start() + 1);
            let spot = deal(&mut chance, pool, [2, board, number % 3, left]);
            let rules = holdem_rules(&mut chance);
            check_holdem(&rules, &spot);
        }
    }
}

#[test]
fn before_the_flop_every_value_agrees_with_brute_force() {
    hold(1, 150, 0, 7..=9);
}

#[test]
fn before_the_flop_on_larger_decks_too() {
    hold(2, 24, 0, 10..=13);
}

#[test]
#[ignore = "takes a minute; ./check --long runs it"]
fn before_the_flop_on_many_decks() {
    hold(3, 3_000, 0, 7..=10);
    hold(4, 300, 0, 11..=13);
}

#[test]
fn on_the_flop_every_value_agrees_with_brute_force() {
    hold(5, 300, 3, 4..=20);
}

#[test]
fn on_the_flop_of_a_full_deck_too() {
    let mut chance = Chance::new(6);
    for dealer in [0, 1, 2] {
        let seen = deal(&mut chance, Pool::All, [2, 3, dealer, 52]);
        let rules = holdem_rules(&mut chance);
        check_holdem(&rules, &seen);
    }
}

#[test]
fn on_the_river_every_value_agrees_with_brute_force() {
    hold(7, 1_000, 5, 2..=45);
}

fn check_three_card(rules: &Rules, seen: &Seen) {
    let advice = advise(&terms(Game::Utcp, rules), &known(seen)).expect("a spot");
    assert_eq!(advice.street, StreetName::ThreeCards);
    let hand = croupier_cards::Three::of(seen.hand).category();
    // Only a pair or better may bet more than the ante.
    let raises = if hand == Category::HighCard { &[1][..] } else { &rules.raises };
    let bets: Vec<_> =
        raises.iter().map(|&times| (Decision::Bet(times), rules.three_card(seen, times))).collect();
    let mut expected = vec![(Decision::Fold, Sum::fold(bets[0].1.deals))];
    expected.extend(bets);
    compare(&advice, &expected, &format!("{rules:?} {seen:?}"));
}

#[test]
fn with_three_cards_every_value_agrees_with_brute_force() {
    let mut chance = Chance::new(8);
    for pool in Pool::ALL {
        for number in 0..40 {
            let dealer = number % 4;
            // Every tenth time all cards of the pool are left: 52, if it is the whole pack.
            let left = if number % 10 == 0 { 52 } else { 3 + chance.below(12) };
            let seen = deal(&mut chance, pool, [3, 0, dealer, left]);
            let raises: [&[u32]; 3] = [&[1, 2, 3], &[1], &[2, 7]];
            let rules = Rules {
                blind: THREE_CARD_BLINDS[chance.below(THREE_CARD_BLINDS.len())],
                raises: raises[chance.below(raises.len())].to_vec(),
                qualifying: chance.below(3) > 0,
            };
            check_three_card(&rules, &seen);
        }
    }
}

#[test]
fn every_category_of_hand_occurs_in_these_decks() {
    let mut chance = Chance::new(9);
    let mut found = [false; Category::ALL.len()];
    for number in 0..2_000 {
        let pool = Pool::ALL[number % Pool::ALL.len()];
        let seen = deal(&mut chance, pool, [2, 5, 0, 2]);
        found[croupier_cards::Five::of(seen.hand | seen.board).category() as usize] = true;
        let seen = deal(&mut chance, pool, [3, 0, 0, 3]);
        found[croupier_cards::Three::of(seen.hand).category() as usize] = true;
    }
    assert!(found.iter().all(|&found| found), "{found:?}");
}
