//! Checks the solver against advice, which counts in another way and is itself checked against
//! brute force, and the sheets against identities that hold for any game.

use std::num::NonZero;

use croupier_cards::{Card, CardSet, Category};
use croupier_odds::{
    Fraction, HOLDEM_DEALS, Holdem, HoleKind, Known, MainSheet, THREE_CARD_DEALS, Terms,
    TermsError, ThreeCard, advise,
};
use croupier_rules::{Catalog, Decision, Game, Outcome, PayTable};

const TWO: NonZero<usize> = NonZero::new(2).unwrap();

/// The number of deals that follow a hole.
const OF_A_HOLE: i128 = HOLDEM_DEALS / 1_326;

/// Writes a table for the Blind.
fn blind(pays: &str) -> PayTable {
    let head = "id = \"TOY\"\ntitle = \"Blind\"\nsource = \"a test\"\nbet = \"blind\"\n[pays]\n";
    PayTable::from_toml(&(head.to_owned() + pays)).expect("a good table")
}

fn nothing(game: Game) -> Terms {
    let best = if game == Game::Uth { "royal-flush" } else { "mini-royal" };
    Terms::new(game, blind(&format!("{best} = \"0:1\"\n"))).expect("good terms")
}

fn even_money(game: Game) -> Terms {
    let lines: Vec<String> =
        game.def().hands.iter().map(|hand| format!("{} = \"1:1\"\n", hand.id())).collect();
    Terms::new(game, blind(&lines.concat())).expect("good terms")
}

fn standard(game: Game) -> Terms {
    let id = if game == Game::Uth { "UTH" } else { "UTCP" };
    Terms::new(game, Catalog::shipped().paytable(id).expect("a table").clone()).expect("good terms")
}

/// A table that pays weak hands more than strong ones, in sevenths and thirds.
fn upside_down() -> Terms {
    let pays = "high-card = \"3:1\"\npair = \"1:7\"\nstraight = \"2:3\"\nflush = \"40:1\"\n";
    let terms = Terms::new(Game::Uth, blind(pays)).expect("good terms");
    terms.with_raises(vec![1, 2, 5]).expect("good raises")
}

fn holdem_games() -> [Terms; 4] {
    let three = nothing(Game::Uth).with_raises(vec![3]).expect("good raises");
    [
        standard(Game::Uth),
        upside_down(),
        three.without_qualifying(),
        even_money(Game::Uth).with_raises(vec![1, 2, 3, 4, 6]).expect("good raises"),
    ]
}

/// Returns numbers below a bound, from a seed.
fn chance(mut state: u64) -> impl FnMut(usize) -> usize {
    move |bound| {
        state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        usize::try_from((u128::from(state) * bound as u128) >> 64).expect("below the bound")
    }
}

/// Deals a hole and a flop.
fn hole_and_flop(below: &mut impl FnMut(usize) -> usize) -> ([Card; 2], [Card; 3]) {
    let mut pack = Card::ALL;
    for at in 0..5 {
        pack.swap(at, at + below(52 - at));
    }
    ([pack[0], pack[1]], [pack[2], pack[3], pack[4]])
}

/// Compares the solver's values for a hole with advice before the flop.
fn agree_before_flop(solved: &Holdem, kind: HoleKind) {
    let known = Known { hand: kind.cards().to_vec(), ..Known::default() };
    let advice = advise(solved.terms(), &known).expect("a spot");
    let mut values = advice.actions.clone();
    values.reverse();
    assert_eq!(solved.before_flop(kind), values, "{kind} {:?}", solved.terms());
    assert_eq!(solved.best_before_flop(kind), advice.best, "{kind} {:?}", solved.terms());
}

fn agree_on_flops(solved: &Holdem, flops: usize) {
    let mut below = chance(11);
    for _ in 0..flops {
        let (hole, flop) = hole_and_flop(&mut below);
        let known = Known { hand: hole.to_vec(), board: flop.to_vec(), ..Known::default() };
        let advice = advise(solved.terms(), &known).expect("a spot");
        let [check, bet] = solved.on_flop(hole, flop.into_iter().collect::<CardSet>());
        let expected = [(Decision::Bet(2), bet), (Decision::Check, check)];
        assert_eq!(advice.actions, expected, "{hole:?} {flop:?} {:?}", solved.terms());
    }
}

/// Checks the outcomes of a game against its value, bet by bet.
fn identities(terms: &Terms, total: Fraction, outcomes: Vec<croupier_odds::Outcome>, all: i128) {
    for outcome in &outcomes {
        assert_eq!(outcome.action == Decision::Fold, outcome.result == Outcome::Fold);
        assert!(outcome.deals > 0);
        assert!(outcome.dealer_qualifies || terms.qualifying());
    }
    let sheet = MainSheet::new(terms, outcomes);
    assert_eq!(sheet.deals, all, "every deal has an outcome");
    let ev = Fraction::new(total.numerator(), total.denominator() * all);
    assert_eq!(sheet.ev, ev, "the outcomes add up to the value of the choices");
    assert_eq!(sum(sheet.bets), ev, "Ante, Blind and Play add up to it as well");
    let edge = sheet.edge();
    assert_eq!((edge.numerator(), edge.denominator()), (-ev.numerator(), ev.denominator()));
    let shares = sheet.frequency.iter().map(|&(_, share)| share);
    assert_eq!(sum(shares), Fraction::new(1, 1), "every round has an action");
    let staked = sheet.frequency.iter().map(|&(action, share)| {
        let times = if let Decision::Bet(times) = action { times } else { 0 };
        Fraction::new(share.numerator() * i128::from(times), share.denominator())
    });
    let two = Fraction::new(2, 1);
    assert_eq!(sum(std::iter::once(two).chain(staked)), sheet.average_wager);
    assert_eq!(sheet.distribution.iter().map(|&(_, deals)| deals).sum::<i128>(), all);
    let won = sheet.distribution.iter();
    let won = won.map(|&(net, deals)| Fraction::new(net.numerator() * deals, net.denominator()));
    assert_eq!(sum(won), total, "the net results add up to it as well");
}

fn sum(fractions: impl IntoIterator<Item = Fraction>) -> Fraction {
    fractions.into_iter().fold(Fraction::ZERO, |one, other| {
        // The denominators share most of their factors; without their common part the sum fits.
        let common =
            one.denominator() / Fraction::new(other.denominator(), one.denominator()).denominator();
        let numerator = one.numerator() * (other.denominator() / common)
            + other.numerator() * (one.denominator() / common);
        Fraction::new(numerator, one.denominator() / common * other.denominator())
    })
}

#[test]
fn the_solver_agrees_with_advice_before_the_flop() {
    for terms in holdem_games() {
        let solved = Holdem::solve(terms, TWO);
        for name in ["AA", "K4o", "72o", "54s"] {
            let kind = HoleKind::all().find(|kind| kind.to_string() == name).expect("a hand");
            agree_before_flop(&solved, kind);
        }
    }
}

#[test]
#[ignore = "takes one or two minutes; ./check --long runs it"]
fn the_solver_agrees_with_advice_on_all_169_hands() {
    for terms in holdem_games() {
        let solved = Holdem::solve(terms, TWO);
        for kind in HoleKind::all() {
            agree_before_flop(&solved, kind);
        }
    }
}

#[test]
fn the_solver_agrees_with_advice_on_flops() {
    for terms in holdem_games() {
        agree_on_flops(&Holdem::solve(terms, TWO), 1_500);
    }
}

/// The largest payoffs, the smallest parts and the largest raises that terms allow: sums must not
/// overflow, neither in the solver nor in advice.
#[test]
fn terms_at_their_limits_are_solved_like_others() {
    let terms = |pays: &str, raises: &[u32]| {
        let terms = Terms::new(Game::Uth, blind(pays)).expect("good terms");
        terms.with_raises(raises.to_vec()).expect("good raises")
    };
    let hands = Game::Uth.def().hands.iter().filter(|&&hand| hand != Category::RoyalFlush);
    let even_in_small_parts: String = std::iter::once("royal-flush = \"1:9999991\"\n".to_owned())
        .chain(hands.map(|hand| format!("{} = \"1:1\"\n", hand.id())))
        .collect();
    let small = Terms::new(Game::Uth, blind("pair = \"1:9999991\"\n")).expect("good terms");
    let refused = TermsError::RaisedTooFar { id: "TOY".to_owned(), most: 40 };
    assert_eq!(small.with_raises(vec![41]).expect_err("too far"), refused);
    for terms in [
        terms("royal-flush = \"10000000:1\"\nhigh-card = \"10000000:1\"\n", &[1_000]),
        terms("pair = \"1:9999991\"\nflush = \"1:1\"\n", &[4, 40]),
        terms(&even_in_small_parts, &[2]),
    ] {
        let solved = Holdem::solve(terms, TWO);
        agree_before_flop(&solved, HoleKind::all().last().expect("a pair of aces"));
        agree_before_flop(&solved, HoleKind::all().next().expect("a pair of deuces"));
        agree_on_flops(&solved, 100);
        identities(solved.terms(), solved.total(), solved.outcomes(), HOLDEM_DEALS);
    }
}

#[test]
fn outcomes_add_up_to_the_value_of_the_choices() {
    let mut games = holdem_games().to_vec();
    games.push(standard(Game::Uth).without_qualifying());
    games.push(nothing(Game::Uth));
    for terms in games {
        let solved = Holdem::solve(terms, TWO);
        identities(solved.terms(), solved.total(), solved.outcomes(), HOLDEM_DEALS);
    }
    let odd = "pair = \"1:7\"\nhigh-card = \"3:1\"\n";
    let odd = Terms::new(Game::Utcp, blind(odd)).expect("good terms");
    for terms in [
        standard(Game::Utcp),
        standard(Game::Utcp).without_qualifying(),
        nothing(Game::Utcp).with_raises(vec![1]).expect("good raises"),
        even_money(Game::Utcp).without_qualifying().with_raises(vec![2, 9]).expect("good raises"),
        odd,
    ] {
        let solved = ThreeCard::solve(terms);
        identities(solved.terms(), solved.total(), solved.outcomes(), THREE_CARD_DEALS);
    }
}

/// With even money for every bet and a dealer that always plays, neither side has an advantage
/// except that the player may choose: a player who always raises breaks even, to the last deal.
#[test]
fn an_even_money_game_is_fair_to_a_player_who_always_raises() {
    let solved = Holdem::solve(even_money(Game::Uth).without_qualifying(), TWO);
    for raise in [1, 2] {
        let all = HoleKind::all().map(|kind| {
            let value = solved.before_flop(kind)[raise].1;
            value.numerator() * (OF_A_HOLE / value.denominator()) * i128::from(kind.combinations())
        });
        assert_eq!(all.sum::<i128>(), 0);
    }
    assert!(solved.total() > Fraction::ZERO, "a player who may choose has an advantage");
}

/// Three Card Poker solved at once has the value that advice finds hand by hand.
#[test]
fn the_value_of_three_card_poker_agrees_with_advice_hand_by_hand() {
    let odd = "pair = \"1:7\"\nflush = \"40:1\"\nhigh-card = \"1:2\"\n";
    let odd = Terms::new(Game::Utcp, blind(odd)).expect("good terms");
    let odd = odd.with_raises(vec![2, 9]).expect("good raises").without_qualifying();
    let classes = three_card_classes();
    assert_eq!(classes.iter().map(|&(_, many)| many).sum::<i128>(), 22_100);
    let values = classes.into_iter().map(|(hand, many)| {
        let known = Known { hand: hand.into_iter().collect(), ..Known::default() };
        let advice = advise(&odd, &known).expect("a spot");
        let best = advice.actions.iter().find(|action| action.0 == advice.best);
        let value = best.expect("the best is one of them").1;
        Fraction::new(value.numerator() * many * 18_424, value.denominator())
    });
    assert_eq!(sum(values), ThreeCard::solve(odd.clone()).total());
}

/// Returns one hand of each class of hands that differ only in the names of their suits, and how
/// many hands it stands for.
fn three_card_classes() -> Vec<(CardSet, i128)> {
    let mut classes = std::collections::BTreeMap::new();
    for hand in CardSet::FULL.subsets(3) {
        let mut suits = croupier_cards::Suit::ALL.map(|suit| hand.ranks_in(suit));
        suits.sort_unstable();
        classes.entry(suits).or_insert((hand, 0)).1 += 1;
    }
    assert_eq!(classes.len(), 1_755);
    classes.into_values().collect()
}
