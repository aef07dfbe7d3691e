//! Hand rankings in the order of the documents: the judge compares a player's cards with a
//! dealer's.

use croupier_rules::{Game, Judge, Outcome};

/// Judges a player's cards against the dealer's.
fn judged(game: Game, board: &str, player: &str, dealer: &str) -> Outcome {
    let [board, player, dealer] =
        [board, player, dealer].map(|cards| cards.parse().expect("cards"));
    Judge::new(game, true, board, dealer).judge(player, false).0
}

/// Asserts that the first of two hands wins whichever side of the table it is on.
fn assert_beats(game: Game, better: &str, worse: &str) {
    assert_eq!(judged(game, "", better, worse), Outcome::Win, "{better} against {worse}");
    assert_eq!(judged(game, "", worse, better), Outcome::Lose, "{worse} against {better}");
}

fn assert_tie(game: Game, one: &str, other: &str) {
    assert_eq!(judged(game, "", one, other), Outcome::Push, "{one} against {other}");
}

#[test]
fn five_card_hands_rank_as_listed() {
    let from_the_lowest = [
        "As Kd Qh Jc 9d", // high card
        "2s 2d 3h 4c 5d", // pair
        "3s 3d 2h 2c 4d", // two pair
        "2s 2h 2c 4h 3d", // three of a kind
        "As 5d 4h 3c 2d", // straight
        "7s 5s 4s 3s 2s", // flush
        "2s 2h 2c 3h 3d", // full house
        "2s 2h 2c 2d 3d", // four of a kind
        "Ad 5d 4d 3d 2d", // straight flush
        "As Ks Qs Js Ts", // royal flush
    ];
    for (index, worse) in from_the_lowest.iter().enumerate() {
        for better in &from_the_lowest[index + 1..] {
            assert_beats(Game::Uth, better, worse);
        }
    }
}

#[test]
fn three_card_hands_rank_as_listed() {
    let from_the_lowest = [
        "As Kd Jh", // high card
        "2s 2d 3h", // pair
        "5s 3s 2s", // flush
        "As 3d 2h", // straight
        "2s 2d 2h", // three of a kind
        "Ad 3d 2d", // straight flush
        "As Ks Qs", // mini royal
    ];
    for (index, worse) in from_the_lowest.iter().enumerate() {
        for better in &from_the_lowest[index + 1..] {
            assert_beats(Game::Utcp, better, worse);
        }
    }
}

#[test]
fn cards_rank_from_the_two_to_the_ace() {
    let ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"];
    let four = |rank: &str, kicker: &str| format!("{rank}s {rank}d {rank}h {rank}c {kicker}s");
    for pair in ranks.windows(2) {
        let (lower, higher) = (pair[0], pair[1]);
        assert_beats(Game::Uth, &four(higher, lower), &four(lower, higher));
        let [lower, higher] = [lower, higher].map(|rank| format!("{rank}s {rank}d {rank}h"));
        assert_beats(Game::Utcp, &higher, &lower);
    }
}

#[test]
fn suits_never_decide() {
    assert_tie(Game::Uth, "As Kd Qh Jc 9d", "Ad Kh Qc Js 9s");
    assert_tie(Game::Uth, "As Qs 9s 5s 3s", "Ac Qc 9c 5c 3c");
    assert_tie(Game::Uth, "As Ks Qs Js Ts", "Ac Kc Qc Jc Tc");
    assert_tie(Game::Utcp, "As Ks Qs", "Ac Kc Qc");
    assert_tie(Game::Utcp, "9s 9d 4h", "9h 9c 4d");
}

#[test]
fn a_higher_pair_beats_a_lower_one_whatever_the_kickers() {
    assert_beats(Game::Uth, "As Ad 4h 3c 2d", "Ks Kd Ah Qc Jd");
    assert_beats(Game::Uth, "9s 9d Ah 3c 2d", "9h 9c Ks Qd Jd");
    assert_beats(Game::Utcp, "3s 3d 2h", "2s 2c Ah");
    assert_beats(Game::Utcp, "9s 9d 4h", "9h 9c 3d");
}

#[test]
fn two_pairs_compare_the_higher_then_the_lower_then_the_fifth_card() {
    assert_beats(Game::Uth, "As Ad 2h 2c 3d", "Ks Kd Qh Qc Jd");
    assert_beats(Game::Uth, "As Ad 4h 4c 2d", "Ah Ac 3h 3c Kd");
    assert_beats(Game::Uth, "As Ad 4h 4c 3d", "Ah Ac 4s 4d 2d");
}

#[test]
fn threes_and_fours_of_a_kind_compare_their_value_first() {
    assert_beats(Game::Uth, "9s 9d 9h 3c 2d", "8s 8d 8h Ac Kd");
    assert_beats(Game::Uth, "9s 9d 9h 9c 2d", "8s 8d 8h 8c Ad");
    assert_beats(Game::Utcp, "9s 9d 9h", "8s 8d 8h");
}

#[test]
fn kickers_decide_between_equal_pairs_threes_and_fours() {
    assert_beats(Game::Uth, "9s 9d Ah 3c 2d", "9h 9c Ks Qd Jd");
    assert_beats(Game::Uth, "9s 9d Kh 4c 3d", "9h 9c Kd 4s 2d");
    assert_beats(Game::Uth, "9s 9d 9h Ac 2d", "9s 9d 9h Kc Qd");
    assert_beats(Game::Uth, "9s 9d 9h Kc 3d", "9s 9d 9h Kc 2d");
    assert_beats(Game::Uth, "9s 9d 9h 9c Ad", "9s 9d 9h 9c Kd");
    assert_beats(Game::Uth, "As Kd Qh Jc 9d", "Ad Kh Qc Js 8s");
    assert_beats(Game::Utcp, "As 9d 4h", "Ad 9h 3c");
}

#[test]
fn an_ace_is_the_high_or_the_low_end_of_a_straight_and_never_its_middle() {
    assert_beats(Game::Uth, "As Kd Qh Jc Td", "Ks Qd Jh Tc 9d");
    assert_beats(Game::Uth, "6s 5d 4h 3c 2d", "As 5h 4c 3d 2h");
    assert_beats(Game::Uth, "2s 2d 3h 4c 5d", "As Kd 3c 2h 4d");
    assert_beats(Game::Utcp, "As Kd Qh", "Ks Qd Jh");
    assert_beats(Game::Utcp, "4s 3d 2h", "As 3h 2c");
    assert_beats(Game::Utcp, "2s 2d 3h", "As Kd 2h");
}

#[test]
fn flushes_compare_card_by_card_from_the_highest() {
    assert_beats(Game::Uth, "As 6s 4s 3s 2s", "Kd Qd Jd Td 8d");
    assert_beats(Game::Uth, "As Qs 4s 3s 2s", "Ad Jd Td 9d 8d");
    assert_beats(Game::Uth, "As Qs 9s 5s 3s", "Ad Qd 9d 5d 2d");
    assert_beats(Game::Utcp, "As 9s 3s", "Ad 9d 2d");
}

#[test]
fn full_houses_compare_their_three_of_a_kind_first() {
    assert_beats(Game::Uth, "Ks Kd Kh 2c 2d", "Qs Qd Qh Ac Ad");
    assert_beats(Game::Uth, "Ks Kd Kh 3c 3d", "Ks Kd Kh 2c 2d");
}

#[test]
fn player_and_dealer_use_any_five_of_their_seven_cards() {
    // Both hole cards, one of them, and none.
    assert_eq!(judged(Game::Uth, "Kh Qd Jc 6d 4c", "Ah Ts", "Kd Ks"), Outcome::Win);
    assert_eq!(judged(Game::Uth, "Kh Jh 9h 4h 2c", "Ah Kd", "Kc Ks"), Outcome::Win);
    assert_eq!(judged(Game::Uth, "Ah Kd Qh Js Th", "2s 2d", "3s 3d"), Outcome::Push);
}
