//! Checks a strategy's decisions at a table against the decisions that `cost` counts.

use std::num::NonZero;

use croupier_cards::{Card, CardSet, Category, Five, Rank, flops_with_holes};
use croupier_odds::{Cost, Fraction, Holdem, HoleKind, Strategy, Terms, ThreeCard};
use croupier_rules::{Catalog, Decision, Game, StreetName};

const BEFORE_FLOP: [Decision; 3] = [Decision::Bet(4), Decision::Bet(3), Decision::Check];
const ON_FLOP: [Decision; 2] = [Decision::Bet(2), Decision::Check];
const ON_RIVER: [Decision; 2] = [Decision::Bet(1), Decision::Fold];

fn shipped(id: &str) -> Strategy {
    Strategy::shipped(id).expect("it is built in")
}

fn terms(game: Game) -> Terms {
    let blind = Terms::usual_blind(game);
    Terms::new(game, Catalog::shipped().paytable(blind).expect("a table").clone()).expect("terms")
}

fn listed(cards: CardSet) -> Vec<Card> {
    cards.into_iter().collect()
}

/// Returns the share of all rounds in which one of the rules of a street decides, except the last,
/// which means that none fits.
fn decided(cost: &Cost, street: StreetName) -> Fraction {
    let rules: Vec<Fraction> =
        cost.rules.iter().filter(|rule| rule.street == street).map(|rule| rule.frequency).collect();
    let (_, rules) = rules.split_last().expect("a street has rules");
    rules.iter().fold(Fraction::ZERO, |sum, &share| sum - (Fraction::ZERO - share))
}

#[test]
fn holes_and_flops_are_bet_as_often_as_cost_counts() {
    let solved = Holdem::solve(terms(Game::Uth), NonZero::new(2).expect("two"));
    for id in ["short", "croupier"] {
        let strategy = shipped(id);
        let cost = solved.cost(&strategy).expect("it can be played");
        let bets = |hole: &[Card], board: &[Card], allowed: &[Decision]| {
            matches!(strategy.decide(hole, board, allowed), Decision::Bet(_))
        };
        let holes = HoleKind::all().filter(|kind| bets(&kind.cards(), &[], &BEFORE_FLOP));
        let holes: u32 = holes.map(HoleKind::combinations).sum();
        assert_eq!(
            Fraction::new(holes.into(), 1_326),
            decided(&cost, StreetName::BeforeFlop),
            "{id}"
        );
        let mut on_flop = 0;
        for form in flops_with_holes() {
            let [flop, hole] = form.cards.map(listed);
            if !bets(&hole, &[], &BEFORE_FLOP) && bets(&hole, &flop, &ON_FLOP) {
                on_flop += i128::from(form.multiplicity);
            }
        }
        assert_eq!(Fraction::new(on_flop, 25_989_600), decided(&cost, StreetName::Flop), "{id}");
    }
}

#[test]
fn three_cards_are_bet_as_often_as_cost_counts() {
    let strategy = shipped("utcp-short");
    let cost = ThreeCard::solve(terms(Game::Utcp)).cost(&strategy).expect("it can be played");
    let allowed = [Decision::Fold, Decision::Bet(1), Decision::Bet(2), Decision::Bet(3)];
    let decisions = CardSet::FULL
        .subsets(3)
        .map(|hand| strategy.decide(&listed(hand), &[], &allowed))
        .collect::<Vec<_>>();
    for (action, share) in cost.sheet.frequency {
        let many = decisions.iter().filter(|&&decision| decision == action).count();
        assert_eq!(Fraction::new(many as i128, 22_100), share, "{action}");
    }
}

/// Returns the action of the short strategy on the river, card by card.
fn short_on_river(hole: CardSet, board: CardSet) -> Decision {
    let (all, five) = (hole | board, Five::of(hole | board));
    let paired = |card: Card| all.of_rank(card.rank()).len() > 1;
    let outs = (!all).into_iter().filter(|&card| Five::of(board | CardSet::of(card)) > five);
    let bets = hole.into_iter().any(paired)
        || five.is_at_least(Category::Straight) && five > Five::of(board)
        || outs.count() <= 20;
    if bets { Decision::Bet(1) } else { Decision::Fold }
}

#[test]
fn rivers_are_bet_as_the_rules_say() {
    let strategy = shipped("short");
    let (mut bets, mut spots) = (0, 0);
    for seven in CardSet::FULL.subsets(7).step_by(9_973) {
        let cards = listed(seven);
        for (one, other) in [(0, 1), (2, 5), (0, 6)] {
            let hole = CardSet::from([cards[one], cards[other]]);
            let board = seven - hole;
            let decision = strategy.decide(&listed(hole), &listed(board), &ON_RIVER);
            assert_eq!(decision, short_on_river(hole, board), "{hole} on {board}");
            bets += usize::from(decision == Decision::Bet(1));
            spots += 1;
        }
    }
    assert!(spots > 40_000 && bets > spots / 2 && bets < spots, "{bets} of {spots}");
}

#[test]
fn a_bet_that_is_not_allowed_becomes_the_nearest_allowed_action() {
    let strategy = shipped("short");
    let (aces, rags) = (HoleKind::of(ace(0), ace(1)).cards(), "7s 2h");
    let rags: Vec<Card> = croupier_cards::parse_cards(rags).expect("cards");
    let [check, fold] = [Decision::Check, Decision::Fold];
    let bet = Decision::Bet;
    for (allowed, aces_do, rags_do) in [
        (&[bet(3), bet(5), check][..], bet(3), check),
        (&[bet(1), bet(2), fold], bet(2), fold),
        (&[check, fold], check, check),
        (&[fold], fold, fold),
        (&[bet(9)], bet(9), bet(9)),
        (&[], bet(4), check),
    ] {
        assert_eq!(strategy.decide(&aces, &[], allowed), aces_do, "{allowed:?}");
        assert_eq!(strategy.decide(&rags, &[], allowed), rags_do, "{allowed:?}");
    }
}

fn ace(suit: usize) -> Card {
    Card::new(Rank::Ace, croupier_cards::Suit::ALL[suit])
}

#[test]
fn impossible_spots_do_not_bet() {
    let strategy = shipped("short");
    let [one, other] = [ace(0), ace(1)];
    for (hand, board) in [
        (&[][..], &[][..]),
        (&[one], &[]),
        (&[one, one], &[]),
        (&[one, other], &[one, other, other]),
        (&[one, other], &[ace(2)]),
    ] {
        assert_eq!(strategy.decide(hand, board, &BEFORE_FLOP), Decision::Check);
        assert_eq!(strategy.decide(hand, board, &ON_RIVER), Decision::Fold);
    }
    let started = strategy.with_best_start();
    assert_eq!(started.decide(&[one, other], &[], &BEFORE_FLOP), Decision::Check);
}
