//! Rounds from the cards on the felt to the chips that change hands, as transcripts: each line is a
//! wager and the amount that went back for it.

use croupier_rules::{
    Amount, Bank, Banker, Bet, ByBet, Catalog, House, Judge, Seat, Settlement, Staked, WagerResult,
    settle, settle_void,
};

/// A seat: its number, its cards, its Ante and bonus, and the Play wager in antes, or a fold.
type Player<'a> = (u32, &'a str, i64, i64, Option<i64>);

const FOLD: Option<i64> = None;

fn seat(number: u32) -> Seat {
    Seat::new(number).expect("a seat")
}

fn staked(player: &Player<'_>, judge: &Judge) -> Staked {
    let &(number, hole, ante, bonus, play) = player;
    let (outcome, shown) = judge.judge(hole.parse().expect("cards"), play.is_none());
    let stakes = ByBet {
        ante: Amount::cents(ante),
        blind: Amount::cents(ante),
        play: Amount::cents(ante * play.unwrap_or(0)),
        bonus: Amount::cents(bonus),
    };
    Staked { seat: seat(number), stakes, outcome, hand: shown.strength.category() }
}

/// Plays a round at a house and returns the settlement.
fn play(
    house: &House,
    bonus: &str,
    banker: Option<(u32, i64)>,
    [board, dealer]: [&str; 2],
    players: &[Player<'_>],
) -> Settlement {
    let catalog = Catalog::shipped();
    let judge = Judge::new(
        house.game(),
        house.qualifying(),
        board.parse().expect("cards"),
        dealer.parse().expect("cards"),
    );
    let staked: Vec<Staked> = players.iter().map(|player| staked(player, &judge)).collect();
    let banker =
        banker.map(|(number, wager)| Banker { seat: seat(number), wager: Amount::cents(wager) });
    let bonus = Some(catalog.paytable(bonus).expect("a pay table"));
    settle(house, bonus, judge.qualifies(), banker, &staked)
}

fn house(id: &str) -> House {
    House::clone(Catalog::shipped().house(id).expect("a house"))
}

/// Returns a shipped house with these changes to its file.
fn changed(id: &str, changes: &[(&str, &str)]) -> House {
    let catalog = Catalog::shipped();
    let mut text = toml::to_string(&house(id)).expect("plain data");
    for (from, to) in changes {
        assert!(text.contains(from), "{from:?} is not in\n{text}");
        text = text.replacen(from, to, 1);
    }
    catalog.read_house(&text).expect("a good house")
}

/// Lists a settlement: seat, wager, result, and the amount that went back; then the bank's net.
fn transcript(settlement: &Settlement) -> Vec<String> {
    let mut lines = Vec::new();
    for seat in &settlement.seats {
        for (name, wager) in [
            ("ante", seat.wagers.ante),
            ("blind", seat.wagers.blind),
            ("play", seat.wagers.play),
            ("bonus", seat.wagers.bonus),
        ] {
            let Some(wager) = wager else { continue };
            let uncovered = match wager.uncovered {
                Amount::ZERO => String::new(),
                amount => format!(" uncovered {}", amount.as_cents()),
            };
            let line = format!(
                "{} {name} {} {} {}{uncovered}",
                seat.seat.number(),
                wager.staked.as_cents(),
                wager.result.id(),
                wager.returned.as_cents()
            );
            lines.push(line);
        }
    }
    lines.push(format!("bank {}", settlement.bank_net.as_cents()));
    lines
}

/// Plays a round of Texas Hold'em at each of its houses. It must end the same way everywhere.
fn texas(cards: [&str; 2], player: Player<'_>) -> Vec<String> {
    let standard = transcript(&play(&house("uth-standard"), "UTH-01", None, cards, &[player]));
    for (id, banker) in [("uth-washington", None), ("uth-california", Some((8, 1_000_000)))] {
        let other = transcript(&play(&house(id), "UTH-01", banker, cards, &[player]));
        assert_eq!(other, standard, "{id}");
    }
    standard
}

fn three_cards(dealer: &str, player: Player<'_>) -> Vec<String> {
    transcript(&play(&house("utcp-standard"), "UTCP-01", None, ["", dealer], &[player]))
}

#[test]
fn the_ante_pushes_although_the_player_loses_to_an_unqualified_dealer() {
    assert_eq!(
        texas(["Kh Js 9c 6d 4h", "As 2d"], (1, "Qs 3d", 500, 0, Some(1))),
        ["1 ante 500 push 500", "1 blind 500 lose 0", "1 play 500 lose 0", "bank 1000"]
    );
}

#[test]
fn an_unqualified_dealer_is_not_a_win_and_a_win_below_a_straight_pushes_the_blind() {
    assert_eq!(
        texas(["Kh Js 9c 6d 4h", "Qs 2d"], (1, "As 3d", 500, 0, Some(2))),
        ["1 ante 500 push 500", "1 blind 500 push 500", "1 play 1000 win 2000", "bank -1000"]
    );
}

#[test]
fn an_unqualified_dealer_does_not_affect_trips_or_a_winning_blind() {
    // Three nines, then a straight to the king, against king high.
    assert_eq!(
        texas(["Kh Js 9c 6d 4h", "Qs 2d"], (1, "9s 9d", 500, 500, Some(4))),
        [
            "1 ante 500 push 500",
            "1 blind 500 push 500",
            "1 play 2000 win 4000",
            "1 bonus 500 win 2000",
            "bank -3500"
        ]
    );
    assert_eq!(
        texas(["Kh Js 9c 6d 4h", "Qd 2d"], (1, "Qs Ts", 500, 500, Some(4))),
        [
            "1 ante 500 push 500",
            "1 blind 500 win 1000",
            "1 play 2000 win 4000",
            "1 bonus 500 win 2500",
            "bank -4500"
        ]
    );
}

#[test]
fn three_to_two_is_paid_exactly() {
    assert_eq!(
        texas(["Kh Jh 9h 6d 4c", "Ks 2d"], (1, "Ah 3h", 500, 0, Some(4))),
        ["1 ante 500 win 1000", "1 blind 500 win 1250", "1 play 2000 win 4000", "bank -3250"]
    );
}

#[test]
fn trips_pays_after_a_fold_and_after_a_loss_and_a_folded_hand_is_not_settled_again() {
    assert_eq!(
        texas(["9h 9s Kc 6d 4h", "As Ad"], (1, "9c 2d", 500, 500, FOLD)),
        ["1 ante 500 lose 0", "1 blind 500 lose 0", "1 bonus 500 win 2000", "bank -500"]
    );
    assert_eq!(
        texas(["9h 9s Kc Kd 4h", "Ks 9d"], (1, "9c 2d", 500, 500, Some(1))),
        [
            "1 ante 500 lose 0",
            "1 blind 500 lose 0",
            "1 play 500 lose 0",
            "1 bonus 500 win 5000",
            "bank -3000"
        ]
    );
}

#[test]
fn no_ante_goes_back_to_a_folded_hand_when_the_dealer_does_not_qualify() {
    assert_eq!(
        texas(["Kh Js 9c 6d 4h", "Qs 2d"], (1, "7s 3d", 500, 0, FOLD)),
        ["1 ante 500 lose 0", "1 blind 500 lose 0", "bank 1000"]
    );
}

#[test]
fn a_board_that_plays_for_both_is_a_push() {
    assert_eq!(
        texas(["Ah Kh Qh Jh Th", "2s 2d"], (1, "3s 3d", 500, 0, Some(1))),
        ["1 ante 500 push 500", "1 blind 500 push 500", "1 play 500 push 500", "bank 0"]
    );
}

#[test]
fn a_pair_of_fours_beats_a_pair_of_threes_with_an_ace() {
    assert_eq!(
        texas(["Kh Js 9c 4d 3h", "As 3d"], (1, "4s 2c", 500, 0, Some(1))),
        ["1 ante 500 win 1000", "1 blind 500 push 500", "1 play 500 win 1000", "bank -1000"]
    );
}

#[test]
fn a_wheel_is_a_five_high_straight() {
    assert_eq!(
        texas(["2h 3s 4c 5d Kh", "6s Jd"], (1, "As Qc", 500, 0, Some(4))),
        ["1 ante 500 lose 0", "1 blind 500 lose 0", "1 play 2000 lose 0", "bank 3000"]
    );
}

#[test]
fn a_three_card_straight_beats_a_flush_and_pays_the_blind_two_to_one() {
    assert_eq!(
        three_cards("As Ks 2s", (1, "4s 3d 2h", 500, 500, Some(3))),
        [
            "1 ante 500 win 1000",
            "1 blind 500 win 1500",
            "1 play 1500 win 3000",
            "1 bonus 500 win 3500",
            "bank -6000"
        ]
    );
}

#[test]
fn a_three_card_dealer_qualifies_with_a_queen_and_not_with_a_jack() {
    assert_eq!(
        three_cards("Js Td 8h", (1, "Ks 3d 2h", 500, 0, Some(1))),
        ["1 ante 500 push 500", "1 blind 500 push 500", "1 play 500 win 1000", "bank -500"]
    );
    assert_eq!(
        three_cards("Qs 3c 2d", (1, "Ks 3d 2h", 500, 0, Some(1))),
        ["1 ante 500 win 1000", "1 blind 500 push 500", "1 play 500 win 1000", "bank -1000"]
    );
}

/// A California table where seat 3 banks: seat 4 wins 2,000 on Play and 500 on the Ante, seat 1
/// loses, seat 2 has folded.
fn california(house: &House, posted: i64) -> Vec<String> {
    let players = [
        (1, "7s 2c", 500, 0, Some(1)),
        (2, "8s 3d", 500, 500, FOLD),
        (4, "As Ac", 500, 0, Some(4)),
    ];
    transcript(&play(house, "UTH-02", Some((3, posted)), ["Kh Js 9c 6d 4h", "Ks 2d"], &players))
}

#[test]
fn a_player_dealer_pays_and_collects_up_to_the_posted_wager() {
    let house = house("uth-california");
    // Folds bring 1,500, seat 4 is paid 2,500 and seat 1 loses 1,500: $55 covers all of it.
    assert_eq!(
        california(&house, 5_500),
        [
            "1 ante 500 lose 0",
            "1 blind 500 lose 0",
            "1 play 500 lose 0",
            "2 ante 500 lose 0",
            "2 blind 500 lose 0",
            "2 bonus 500 lose 0",
            "4 ante 500 win 1000",
            "4 blind 500 push 500",
            "4 play 2000 win 4000",
            "bank 500"
        ]
    );
    // 700 is left for seat 1: its Play is taken first, then part of the Ante; the Blind is not
    // covered.
    assert_eq!(
        california(&house, 4_700)[..3],
        ["1 ante 500 lose 300", "1 blind 500 returned 500", "1 play 500 lose 0"]
    );
    // 1,700 is left for seat 4: its Ante is paid first, then part of the Play. Seat 1 loses
    // nothing, because nothing is left to cover its wagers.
    assert_eq!(
        california(&house, 3_200),
        [
            "1 ante 500 returned 500",
            "1 blind 500 returned 500",
            "1 play 500 returned 500",
            "2 ante 500 lose 0",
            "2 blind 500 lose 0",
            "2 bonus 500 lose 0",
            "4 ante 500 win 1000",
            "4 blind 500 push 500",
            "4 play 2000 win 3200 uncovered 800",
            "bank -200"
        ]
    );
    // The Ante takes the rest: the Play that would have won goes back, a push stays a push.
    assert_eq!(
        california(&house, 1_800)[6..],
        [
            "4 ante 500 win 800 uncovered 200",
            "4 blind 500 push 500",
            "4 play 2000 returned 2000 uncovered 2000",
            "bank 1200"
        ]
    );
    // The folded hands alone use up the posted wager.
    assert_eq!(
        california(&house, 1_200)[3..],
        [
            "2 ante 500 lose 0",
            "2 blind 500 lose 0",
            "2 bonus 500 lose 300",
            "4 ante 500 returned 500 uncovered 500",
            "4 blind 500 push 500",
            "4 play 2000 returned 2000 uncovered 2000",
            "bank 1200"
        ]
    );
}

#[test]
fn a_bank_of_one_cent_wins_one_cent() {
    let losers = [1, 4, 7].map(|number| (number, "7s 2c", 10_000, 0, Some(4)));
    let cards = ["Kh Js 9c 6d 4h", "Ks 2d"];
    let settlement = play(&house("uth-california"), "UTH-01", Some((3, 1)), cards, &losers);
    assert_eq!(
        transcript(&settlement)[3..6],
        ["4 ante 10000 returned 10000", "4 blind 10000 returned 10000", "4 play 40000 lose 39999"]
    );
    assert_eq!(settlement.bank_net.as_cents(), 1);
}

#[test]
fn where_only_payoffs_use_up_the_posted_wager_losers_are_collected_while_it_lasts() {
    let house = changed("uth-california", &[("\"action\"", "\"payoffs\"")]);
    let enough = california(&house, 2_501);
    assert_eq!(
        enough[enough.len() - 4..],
        [
            "4 ante 500 win 1000".to_owned(),
            "4 blind 500 push 500".to_owned(),
            "4 play 2000 win 4000".to_owned(),
            "bank 500".to_owned(),
        ]
    );
    // The posted wager is used up before seat 1's turn, so its losing wagers go back.
    assert_eq!(
        california(&house, 2_200),
        [
            "1 ante 500 returned 500",
            "1 blind 500 returned 500",
            "1 play 500 returned 500",
            "2 ante 500 lose 0",
            "2 blind 500 lose 0",
            "2 bonus 500 lose 0",
            "4 ante 500 win 1000",
            "4 blind 500 push 500",
            "4 play 2000 win 3700 uncovered 300",
            "bank -700"
        ]
    );
    assert_eq!(
        california(&house, 500)[6..],
        [
            "4 ante 500 win 1000",
            "4 blind 500 push 500",
            "4 play 2000 returned 2000 uncovered 2000",
            "bank 1000"
        ]
    );
}

#[test]
fn a_payout_maximum_is_prorated_among_odds_and_never_cuts_even_money_or_a_stake() {
    let maximum = [("bonus_max = 10000", "bonus_max = 10000\nround_payout_max = 80000")];
    let houses = ["uth-standard", "uth-washington"].map(|id| changed(id, &maximum));
    assert!(houses.iter().all(|house| house.banking().by() == Bank::House));
    let players = [(1, "Th 3d", 10_000, 10_000, Some(4)), (7, "5h 4d", 1_000, 500, Some(1))];
    // Two straight flushes. Odds of 500,000 and 400,000 for seat 1, 50,000 and 20,000 for seat 7
    // make 970,000, of which 80,000 is paid; the two leftover cents go to seat 7, which is first.
    for house in &houses {
        assert_eq!(
            transcript(&play(house, "UTH-02", None, ["9h 8h 7h 6h 2c", "As Ad"], &players)),
            [
                "1 ante 10000 win 20000",
                "1 blind 10000 win 51237 uncovered 458763",
                "1 play 40000 win 80000",
                "1 bonus 10000 win 42989 uncovered 367011",
                "7 ante 1000 win 2000",
                "7 blind 1000 win 5124 uncovered 45876",
                "7 play 1000 win 2000",
                "7 bonus 500 win 2150 uncovered 18350",
                "bank -132000"
            ]
        );
    }
    // Even money alone is never limited, whatever the total.
    let seats = [1, 2, 3, 4, 5, 6, 7].map(|seat| (seat, "As Ac", 10_000, 0, Some(4)));
    let all = play(&houses[0], "UTH-02", None, ["Kh Js 9c 6d 4h", "6s 2d"], &seats);
    assert_eq!(all.bank_net.as_cents(), -7 * 50_000);
}

#[test]
fn a_void_round_returns_every_stake_once() {
    let stakes = ByBet {
        ante: Amount::cents(500),
        blind: Amount::cents(500),
        play: Amount::cents(2_000),
        bonus: Amount::ZERO,
    };
    let settlement = settle_void(&[(seat(4), stakes)]);
    assert_eq!(
        transcript(&settlement),
        ["4 ante 500 void 500", "4 blind 500 void 500", "4 play 2000 void 2000", "bank 0"]
    );
    assert_eq!(settlement.seats[0].wagers.ante.map(|wager| wager.result), Some(WagerResult::Void));
}

#[test]
fn seats_are_settled_in_the_order_of_the_house() {
    let players = [1, 3, 7].map(|number| (number, "As Ac", 500, 0, Some(1)));
    let cards = ["Kh Js 9c 6d 4h", "6s 2d"];
    let order = |house: &House, banker| -> Vec<u32> {
        let settlement = play(house, "UTH-02", banker, cards, &players);
        let mut seats: Vec<u32> = settlement.order.iter().map(|turn| turn.seat.number()).collect();
        seats.dedup();
        seats
    };
    assert_eq!(order(&house("uth-standard"), None), [7, 3, 1]);
    assert_eq!(order(&house("uth-washington"), None), [7, 3, 1]);
    let three = [1, 3, 7].map(|number| (number, "As Ac 5d", 500, 0, Some(1)));
    let three = play(&house("utcp-standard"), "UTCP-01", None, ["", "6s 2d Kh"], &three);
    let three: Vec<u32> = three.order.iter().map(|turn| turn.seat.number()).collect();
    assert_eq!(three, [[7; 3], [3; 3], [1; 3]].concat());
    // The house can choose the order.
    for id in ["uth-standard", "uth-washington"] {
        let lowest = changed(id, &[("highest-seat-first", "lowest-seat-first")]);
        assert_eq!(order(&lowest, None), [1, 3, 7], "{id}");
    }
    assert_eq!(order(&house("uth-california"), Some((2, 90_000))), [3, 7, 1]);
    assert_eq!(order(&house("uth-california"), Some((8, 90_000))), [1, 3, 7]);
}

/// Returns the order in which the wagers of one seat are settled.
fn order(house: &House, banker: Option<(u32, i64)>, cards: [&str; 2], hole: &str) -> Vec<Bet> {
    let players = [(1, hole, 500, 500, Some(1))];
    let settlement = play(house, "UTH-02", banker, cards, &players);
    settlement.order.iter().map(|turn| turn.bet).collect()
}

#[test]
fn a_player_dealer_pays_a_winner_ante_play_blind_and_bonus_in_this_order() {
    let california = house("uth-california");
    let cards = ["Kh Js 9c 6d 4h", "Ks 2d"];
    assert_eq!(
        order(&california, Some((3, 90_000)), cards, "As Ac"),
        [Bet::Ante, Bet::Play, Bet::Blind, Bet::Bonus]
    );
    // A pair of kings qualifies, a straight beats it: Ante 500, Play 500, Blind 500, Trips 2,500.
    let straight = |posted: i64| {
        let players = [(1, "Qs Td", 500, 500, Some(1))];
        transcript(&play(&california, "UTH-02", Some((3, posted)), cards, &players))
    };
    assert_eq!(
        straight(1_700),
        [
            "1 ante 500 win 1000",
            "1 blind 500 win 1000",
            "1 play 500 win 1000",
            "1 bonus 500 win 700 uncovered 2300",
            "bank -1700"
        ]
    );
    assert_eq!(
        straight(1_100)[1..],
        [
            "1 blind 500 win 600 uncovered 400",
            "1 play 500 win 1000",
            "1 bonus 500 returned 500 uncovered 2500",
            "bank -1100"
        ]
    );
}

#[test]
fn a_player_dealer_collects_a_losers_play_ante_and_blind_in_this_order_and_then_the_bonus() {
    let california = house("uth-california");
    let cards = ["Kh Js 9c 6d 4h", "Ks 2d"];
    let loser = [Bet::Play, Bet::Ante, Bet::Blind, Bet::Bonus];
    assert_eq!(order(&california, Some((3, 90_000)), cards, "7s 2c"), loser);
    let lost = |posted: i64| {
        let players = [(1, "7s 2c", 500, 500, Some(1))];
        transcript(&play(&california, "UTH-02", Some((3, posted)), cards, &players))
    };
    assert_eq!(
        lost(1_700),
        [
            "1 ante 500 lose 0",
            "1 blind 500 lose 0",
            "1 play 500 lose 0",
            "1 bonus 500 lose 300",
            "bank 1700"
        ]
    );
    assert_eq!(
        lost(700)[..3],
        ["1 ante 500 lose 300", "1 blind 500 returned 500", "1 play 500 lose 0"]
    );
}

#[test]
fn a_returned_ante_comes_first_at_a_player_dealers_table() {
    let california = house("uth-california");
    // King-jack high does not qualify. Win or lose, the Ante goes back before the rest is settled.
    let cards = ["Kh Js 9c 6d 4h", "Qs 2d"];
    let returned_first = [Bet::Ante, Bet::Play, Bet::Blind, Bet::Bonus];
    for hole in ["As 3d", "7s 3d"] {
        assert_eq!(order(&california, Some((3, 90_000)), cards, hole), returned_first, "{hole}");
    }
}

#[test]
fn a_house_settles_the_wagers_of_a_seat_in_layout_order() {
    let layout = [Bet::Play, Bet::Ante, Bet::Blind, Bet::Bonus];
    for id in ["uth-standard", "uth-washington"] {
        for hole in ["As Ac", "7s 2c"] {
            let cards = ["Kh Js 9c 6d 4h", "Ks 2d"];
            assert_eq!(order(&house(id), None, cards, hole), layout, "{id} with {hole}");
        }
    }
}

#[test]
fn a_player_dealer_collects_from_folded_hands_before_the_others_are_settled() {
    // Seat 2 folds three nines, so its Trips wins and waits for its turn; seat 6's Trips loses.
    let players = [
        (1, "7s 2c", 500, 0, Some(1)),
        (2, "9c 3d", 500, 500, FOLD),
        (4, "As Ac", 500, 0, Some(4)),
        (6, "8s 3c", 500, 500, FOLD),
    ];
    let banker = Some((3, 10_000));
    let cards = ["9h 9s Kc 6d 4h", "Ks 2d"];
    let settlement = play(&house("uth-california"), "UTH-01", banker, cards, &players);
    let order =
        settlement.order.iter().map(|turn| format!("{} {}", turn.seat.number(), turn.bet.id()));
    assert_eq!(
        order.collect::<Vec<_>>(),
        [
            "6 ante", "6 blind", "6 bonus", "2 ante", "2 blind", // folded
            "4 ante", "4 play", "4 blind", // from the player/dealer's left
            "1 play", "1 ante", "1 blind", "2 bonus",
        ]
    );
}

#[test]
fn no_chips_move_between_players() {
    // A seat wins the same without the others: each seat plays only against the bank.
    let texas = ["As Ac", "7s 2c", "8s 3d"];
    let three = ["As Ac 5d", "7s 4d 2c", "8s 8d 3d"];
    for (id, bonus, banker, cards, holes) in [
        ("uth-standard", "UTH-01", None, ["Kh Js 9c 6d 4h", "Ks 2d"], texas),
        ("uth-washington", "UTH-01", None, ["Kh Js 9c 6d 4h", "Ks 2d"], texas),
        ("uth-california", "UTH-01", Some((8, 1_000_000)), ["Kh Js 9c 6d 4h", "Ks 2d"], texas),
        ("utcp-standard", "UTCP-01", None, ["", "Ks 9d 2h"], three),
    ] {
        let house = house(id);
        let players = [
            (1, holes[0], 500, 500, Some(1)),
            (2, holes[1], 2_500, 0, Some(1)),
            (5, holes[2], 1_000, 500, FOLD),
        ];
        let together = play(&house, bonus, banker, cards, &players);
        let mut bank = 0;
        for (index, player) in players.iter().enumerate() {
            let alone = play(&house, bonus, banker, cards, &[*player]);
            assert_eq!(alone.seats[0], together.seats[index], "{id}");
            bank += alone.bank_net.as_cents();
        }
        assert_eq!(together.bank_net.as_cents(), bank, "{id}");
    }
}

#[test]
fn the_bank_wins_exactly_what_players_lose_without_a_rake() {
    for (id, banker) in [
        ("uth-standard", None),
        ("uth-california", Some((3, 90_000))),
        ("uth-california", Some((3, 700))),
    ] {
        let players = [
            (1, "As Ac", 500, 500, Some(4)),
            (2, "7s 2c", 2_500, 0, Some(1)),
            (5, "8s 3d", 1_000, 500, FOLD),
        ];
        let cards = ["Kh Js 9c 6d 4h", "Ks 2d"];
        let settlement = play(&house(id), "UTH-01", banker, cards, &players);
        let nets = settlement.seats.iter().map(|seat| seat.net.as_cents());
        assert_eq!(nets.sum::<i64>() + settlement.bank_net.as_cents(), 0, "{id} {banker:?}");
    }
}

#[test]
fn a_player_dealer_does_not_have_to_cover_every_player() {
    // The posted cent goes to the seat on the banker's left.
    let players = [4, 5].map(|number| (number, "As Ac", 500, 0, Some(1)));
    let cards = ["Kh Js 9c 6d 4h", "Ks 2d"];
    let banker = Some((3, 1));
    assert_eq!(
        transcript(&play(&house("uth-california"), "UTH-01", banker, cards, &players)),
        [
            "4 ante 500 win 501 uncovered 499",
            "4 blind 500 push 500",
            "4 play 500 returned 500 uncovered 500",
            "5 ante 500 returned 500 uncovered 500",
            "5 blind 500 push 500",
            "5 play 500 returned 500 uncovered 500",
            "bank -1"
        ]
    );
}

#[test]
fn a_losing_player_loses_play_ante_and_blind() {
    assert_eq!(
        texas(["Kh Js 9c 6d 4h", "Ks 2d"], (1, "Qs Qd", 500, 0, Some(4))),
        ["1 ante 500 lose 0", "1 blind 500 lose 0", "1 play 2000 lose 0", "bank 3000"]
    );
    assert_eq!(
        three_cards("Ks 9h 4d", (1, "Qd 9c 4h", 500, 0, Some(1))),
        ["1 ante 500 lose 0", "1 blind 500 lose 0", "1 play 500 lose 0", "bank 1500"]
    );
}

#[test]
fn a_three_card_tie_pushes_ante_play_and_blind() {
    assert_eq!(
        three_cards("Ks 9h 4d", (1, "Kd 9c 4h", 500, 0, Some(1))),
        ["1 ante 500 push 500", "1 blind 500 push 500", "1 play 500 push 500", "bank 0"]
    );
}

#[test]
fn a_three_card_fold_loses_ante_and_blind_and_keeps_pair_plus_alive() {
    assert_eq!(
        three_cards("As Ks 2s", (1, "7d 7c 5d", 500, 500, FOLD)),
        ["1 ante 500 lose 0", "1 blind 500 lose 0", "1 bonus 500 win 1000", "bank 500"]
    );
}

#[test]
fn pair_plus_is_paid_after_a_loss_and_after_a_tie() {
    assert_eq!(
        three_cards("As Ah Ad", (1, "7d 7c 5d", 500, 500, Some(3))),
        [
            "1 ante 500 lose 0",
            "1 blind 500 lose 0",
            "1 play 1500 lose 0",
            "1 bonus 500 win 1000",
            "bank 2000"
        ]
    );
    assert_eq!(
        three_cards("7s 7h 5c", (1, "7d 7c 5d", 500, 500, Some(3))),
        [
            "1 ante 500 push 500",
            "1 blind 500 push 500",
            "1 play 1500 push 1500",
            "1 bonus 500 win 1000",
            "bank -500"
        ]
    );
}
