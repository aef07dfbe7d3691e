//! Spots in which the player always wins, always loses or always ties, with values computed by
//! hand.

use croupier_cards::parse_cards;
use croupier_odds::{Fraction, Known, Terms, advise};
use croupier_rules::{Catalog, Decision, Game};

use Decision::{Bet, Check, Fold};

/// Returns the values from the one that risks least, and the best choice.
fn values(game: Game, known: [&str; 3], left: Option<&str>) -> (Vec<(Decision, String)>, Decision) {
    let id = if game == Game::Uth { "UTH" } else { "UTCP" };
    let blind = Catalog::shipped().paytable(id).expect("a table").clone();
    let terms = Terms::new(game, blind).expect("good terms");
    let [hand, board, dealer] = known.map(|cards| parse_cards(cards).expect("cards"));
    // If the remaining cards are given, every other card is dead.
    let dead = left.map_or_else(Vec::new, |left| {
        let left = parse_cards(left).expect("cards");
        let seen = [&hand, &board, &dealer, &left];
        let is_dead = |card: &croupier_cards::Card| !seen.iter().any(|set| set.contains(card));
        croupier_cards::Card::ALL.into_iter().filter(is_dead).collect()
    });
    let advice = advise(&terms, &Known { hand, board, dead, dealer }).expect("a spot");
    let values = advice.actions.iter().rev();
    let values = values.map(|&(action, exact): &(_, Fraction)| (action, exact.to_string()));
    (values.collect(), advice.best)
}

fn expect(
    game: Game,
    known: [&str; 3],
    left: Option<&str>,
    values_by_hand: &[(Decision, &str)],
    best: Decision,
) {
    let by_hand: Vec<_> =
        values_by_hand.iter().map(|&(action, value)| (action, value.to_owned())).collect();
    assert_eq!(values(game, known, left), (by_hand, best), "{known:?}");
}

#[test]
fn a_royal_flush_on_the_board_ties_every_hand() {
    for hand in ["2c 2d", "Ah Ac", "9s 8s"] {
        let known = [hand, "As Ks Qs Js Ts", ""];
        expect(Game::Uth, known, None, &[(Fold, "-2"), (Bet(1), "0")], Bet(1));
    }
    // Before the flop, when exactly these five cards are left: nothing is won, so nothing is bet.
    let known = ["2c 3c", "", "2d 3d"];
    let values = [(Check, "0"), (Bet(3), "0"), (Bet(4), "0")];
    expect(Game::Uth, known, Some("As Ks Qs Js Ts"), &values, Check);
}

/// Play wins 1 and the Blind 500. The Ante wins 1 when the dealer qualifies. The dealer has two of
/// 45 cards: three each of A K Q J T 3 2, four each of 9 to 4. A dealer without a pair holds two
/// different ranks of A K 9 8 7 6 5 4: (30² − 2·3² − 6·4²) ÷ 2 = 393 hands. Straights with Q J T
/// are A K (9 hands), K 9 (12) and 9 8 (16); two spades of 9 to 4 are a flush, 15 less the one that
/// is a straight already. 393 − 37 − 14 = 342 of the dealer's 990 hands don't qualify: 501 +
/// 648/990.
#[test]
fn a_royal_flush_in_hand_beats_every_hand() {
    let known = ["As Ks", "Qs Js Ts 3d 2c", ""];
    expect(Game::Uth, known, None, &[(Fold, "-2"), (Bet(1), "27591/55")], Bet(1));
    // It is already made on the flop: Play wins 2, and a check loses just one of them.
    let (values, best) = values(Game::Uth, ["As Ks", "Qs Js Ts", ""], None);
    assert_eq!(best, Bet(2));
    let parts: Vec<(i128, i128)> = values
        .iter()
        .map(|(_, value)| {
            let (numerator, denominator) = value.split_once('/').expect("a fraction");
            (numerator.parse().expect("a number"), denominator.parse().expect("a number"))
        })
        .collect();
    assert_eq!(parts[0].1, parts[1].1);
    assert_eq!(parts[1].0 - parts[0].0, parts[0].1, "one more ante");
}

#[test]
fn against_a_known_dealer_the_result_is_certain() {
    // Four of a kind against four of a kind, in any order of the five cards.
    let left = Some("Ac Ad Kc Kd 2c");
    let values = [(Check, "13"), (Bet(3), "14"), (Bet(4), "15")];
    expect(Game::Uth, ["As Ah", "", "Ks Kh"], left, &values, Bet(4));
    // The other way around, the player checks down and folds.
    let values = [(Check, "-2"), (Bet(3), "-5"), (Bet(4), "-6")];
    expect(Game::Uth, ["Ks Kh", "", "As Ah"], left, &values, Check);

    // Three of a kind against two pairs: Play and Ante win 1 each, the Blind pushes.
    let known = ["7c 7d", "7h Kc Qd 4s 2h", "Kd Qs"];
    expect(Game::Uth, known, None, &[(Fold, "-2"), (Bet(1), "2")], Bet(1));
    // Against ace-high, which does not qualify, the Ante pushes as well.
    let known = ["7c 7d", "7h Kc Qd 4s 2h", "As 9d"];
    expect(Game::Uth, known, None, &[(Fold, "-2"), (Bet(1), "1")], Bet(1));
    let known = ["2c 3d", "Ac Ad Kc 8s 7h", "As Ah"];
    expect(Game::Uth, known, None, &[(Fold, "-2"), (Bet(1), "-3")], Fold);
    // Losing to a dealer that doesn't qualify costs as much as a fold: then the player folds.
    let known = ["2c 3d", "5h 7s 9d Jc Kh", "As Qd"];
    expect(Game::Uth, known, None, &[(Fold, "-2"), (Bet(1), "-2")], Fold);
}

#[test]
fn with_three_cards_certain_hands_have_the_value_of_their_payoff() {
    // Mini royal: 100 to 1 on the Blind. One known dealer card that qualifies the dealer.
    let known = ["As Ks Qs", "", "Qd"];
    let values = [(Fold, "-2"), (Bet(1), "102"), (Bet(2), "103"), (Bet(3), "104")];
    expect(Game::Utcp, known, Some("2c 3d 7h 9s"), &values, Bet(3));
    // Two identical hands always tie.
    let values = [(Fold, "-2"), (Bet(1), "0"), (Bet(2), "0"), (Bet(3), "0")];
    expect(Game::Utcp, ["As Ks Qs", "", "Ah Kh Qh"], None, &values, Bet(1));
    // A lost hand: a bet costs more against a dealer that qualifies, and the same if the dealer
    // doesn't.
    expect(Game::Utcp, ["2c 3d 5h", "", "Ah Kh Qh"], None, &[(Fold, "-2"), (Bet(1), "-3")], Fold);
    expect(Game::Utcp, ["2c 3d 5h", "", "Jh 9h 3c"], None, &[(Fold, "-2"), (Bet(1), "-2")], Fold);
}
