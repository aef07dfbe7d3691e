//! The payoff for every row of every pay table, in rounds that are dealt and settled: each line is
//! a hand, the cards that make it, and its payoff.

use croupier_rules::{Catalog, Record};
use serde_json::{Value, json};

/// Returns seat 1's wagers from a record's result, after a round with an Ante and a bonus of $10.
fn wagers(house: &str, bonus: &str, [cards, dealer, board]: [&str; 3], actions: &[&str]) -> Value {
    let first = croupier_cards::parse_cards(&[cards, dealer, board].join(" ")).expect("cards");
    let rest = croupier_cards::Card::ALL.into_iter().filter(|card| !first.contains(card));
    let deck: Vec<String> =
        first.iter().copied().chain(rest).map(|card| card.to_string()).collect();
    let mut record = json!({
        "format": "croupier-round/1", "house": house, "bonus_paytable": bonus, "deck": deck,
        "seats": [{"seat": 1, "ante": 1000, "bonus": 1000, "actions": actions}],
    });
    if house == "uth-california" {
        record["banker"] = json!({"seat": 8, "wager": 10_000_000});
    }
    let record = Record::read(&record.to_string(), &Catalog::shipped()).expect("a good record");
    let result = record.replay().expect("a good round").result;
    let mut seat = serde_json::to_value(&result.seats[0]).expect("plain data");
    let mut wagers = seat["wagers"].take();
    wagers["hand"] = seat["hand"].take();
    wagers["outcome"] = seat["outcome"].take();
    wagers
}

/// Returns what goes back for a $10 wager when a sheet prints these odds.
fn back(printed: &str) -> (i64, &'static str) {
    match printed.split_once(" to ") {
        Some((pays, per)) => {
            let [pays, per]: [i64; 2] = [pays, per].map(|number| number.parse().expect("a number"));
            (1000 + 1000 * pays / per, "win")
        }
        None if printed == "push" => (1000, "push"),
        None => (0, "lose"),
    }
}

fn assert_paid(wager: &Value, printed: &str, hand: &str) {
    let (returned, result) = back(printed);
    assert_eq!(wager["returned"], returned, "{hand} at {printed}");
    assert_eq!(wager["result"], result, "{hand} at {printed}");
}

/// The hand; the player's cards, the dealer's and the board; the Blind's payoff for a win, and
/// Trips payoffs by UTH-01, UTH-02, UTH-03 and UTH-04.
type Row = (&'static str, [&'static str; 3], &'static str, [&'static str; 4]);

const TEXAS: [Row; 10] = [
    (
        "royal-flush",
        ["Jh Th", "Ks 2d", "Ah Kh Qh 6d 4c"],
        "500 to 1",
        ["50 to 1", "50 to 1", "50 to 1", "50 to 1"],
    ),
    (
        "straight-flush",
        ["6h 5h", "Ks 3d", "9h 8h 7h Kd 2c"],
        "50 to 1",
        ["40 to 1", "40 to 1", "40 to 1", "40 to 1"],
    ),
    (
        "four-of-a-kind",
        ["9s 9c", "Ks 3d", "9h 9d 7h Kd 2c"],
        "10 to 1",
        ["30 to 1", "30 to 1", "30 to 1", "20 to 1"],
    ),
    (
        "full-house",
        ["9s 7c", "Ks 3d", "9h 9d 7h Kd 2c"],
        "3 to 1",
        ["9 to 1", "8 to 1", "8 to 1", "7 to 1"],
    ),
    (
        "flush",
        ["Ah 3h", "Ks 2d", "Kh Jh 9h 6d 4c"],
        "3 to 2",
        ["7 to 1", "6 to 1", "7 to 1", "6 to 1"],
    ),
    (
        "straight",
        ["Ah Ts", "Ks 2d", "Kh Qd Jc 6d 4c"],
        "1 to 1",
        ["4 to 1", "5 to 1", "4 to 1", "5 to 1"],
    ),
    (
        "three-of-a-kind",
        ["9s 7c", "Ks 3d", "9h 9d Kh 6d 2c"],
        "push",
        ["3 to 1", "3 to 1", "3 to 1", "3 to 1"],
    ),
    ("two-pair", ["As 9c", "Ks 3d", "Ah 9d Kh 6d 2c"], "push", ["lose"; 4]),
    ("pair", ["As 7c", "Ks 3d", "Ah 9d Kh 6d 2c"], "push", ["lose"; 4]),
    ("high-card", ["As 3d", "Qs 2d", "Kh Js 9c 6d 4h"], "push", ["lose"; 4]),
];

const TRIPS: [&str; 4] = ["UTH-01", "UTH-02", "UTH-03", "UTH-04"];
const TEXAS_HOUSES: [&str; 3] = ["uth-standard", "uth-washington", "uth-california"];

#[test]
fn every_row_of_the_blind_table_pays_a_winner() {
    for house in TEXAS_HOUSES {
        for (hand, cards, blind, _) in TEXAS {
            let wagers = wagers(house, "UTH-01", cards, &["bet 4"]);
            assert_eq!((&wagers["hand"], &wagers["outcome"]), (&json!(hand), &json!("win")));
            assert_paid(&wagers["blind"], blind, hand);
        }
    }
}

#[test]
fn every_row_of_the_four_trips_tables_pays() {
    for house in TEXAS_HOUSES {
        for (hand, cards, _, trips) in TEXAS {
            for (table, printed) in TRIPS.into_iter().zip(trips) {
                let wagers = wagers(house, table, cards, &["bet 4"]);
                assert_paid(&wagers["bonus"], printed, &format!("{hand} by {table}"));
            }
        }
    }
}

#[test]
fn trips_pays_the_same_after_a_fold() {
    for house in TEXAS_HOUSES {
        for (hand, cards, _, trips) in TEXAS {
            for (table, printed) in TRIPS.into_iter().zip(trips) {
                let wagers = wagers(house, table, cards, &["check", "check", "fold"]);
                assert_eq!(wagers["outcome"], "fold");
                assert_paid(&wagers["bonus"], printed, &format!("{hand} by {table}"));
                assert_paid(&wagers["blind"], "lose", hand);
            }
        }
    }
}

#[test]
fn a_blind_that_loses_or_ties_pays_nothing_whatever_the_hand() {
    for house in TEXAS_HOUSES {
        let straight_flush = ["6h 5h", "Th Jh", "9h 8h 7h Kd 2c"];
        let beaten = wagers(house, "UTH-01", straight_flush, &["bet 4"]);
        let (hand, outcome) = (&beaten["hand"], &beaten["outcome"]);
        assert_eq!((hand, outcome), (&json!("straight-flush"), &json!("lose")));
        assert_paid(&beaten["blind"], "lose", "a beaten straight flush");
        assert_paid(&beaten["bonus"], "40 to 1", "a beaten straight flush");

        let royal = ["3s 3d", "2s 2d", "Ah Kh Qh Jh Th"];
        let tied = wagers(house, "UTH-01", royal, &["bet 4"]);
        assert_paid(&tied["blind"], "push", "a tied royal flush");
        assert_paid(&tied["bonus"], "50 to 1", "a tied royal flush");
    }
}

/// The hand; the player's cards; the Blind's payoff for a win against king-high, and Pair Plus
/// payoffs by UTCP-01, UTCP-02 and UTCP-03.
type ThreeRow = (&'static str, &'static str, &'static str, [&'static str; 3]);

const THREE: [ThreeRow; 7] = [
    ("mini-royal", "As Ks Qs", "100 to 1", ["50 to 1", "50 to 1", "50 to 1"]),
    ("straight-flush", "9d 8d 7d", "20 to 1", ["40 to 1", "40 to 1", "40 to 1"]),
    ("three-of-a-kind", "6s 6d 6c", "10 to 1", ["30 to 1", "30 to 1", "30 to 1"]),
    ("straight", "Qs Jd Ts", "2 to 1", ["6 to 1", "5 to 1", "6 to 1"]),
    ("flush", "9c 7c 5c", "1 to 1", ["4 to 1", "4 to 1", "3 to 1"]),
    ("pair", "6s 6d 2c", "push", ["1 to 1", "1 to 1", "1 to 1"]),
    ("high-card", "Ah 6c 2d", "push", ["lose"; 3]),
];

const PAIR_PLUS: [&str; 3] = ["UTCP-01", "UTCP-02", "UTCP-03"];

#[test]
fn every_row_of_the_three_card_blind_table_pays_a_winner() {
    for (hand, cards, blind, _) in THREE {
        let wagers = wagers("utcp-standard", "UTCP-01", [cards, "Kc 9h 4d", ""], &["bet 1"]);
        assert_eq!((&wagers["hand"], &wagers["outcome"]), (&json!(hand), &json!("win")));
        assert_paid(&wagers["blind"], blind, hand);
    }
}

#[test]
fn every_row_of_the_three_pair_plus_tables_pays_after_a_bet_and_after_a_fold() {
    for (hand, cards, _, pair_plus) in THREE {
        for (table, printed) in PAIR_PLUS.into_iter().zip(pair_plus) {
            for action in ["bet 1", "fold"] {
                let wagers = wagers("utcp-standard", table, [cards, "Kc 9h 4d", ""], &[action]);
                assert_paid(&wagers["bonus"], printed, &format!("{hand} by {table}, {action}"));
            }
        }
    }
}

#[test]
fn antes_and_plays_are_paid_one_to_one() {
    let kings_and_aces = ["As Ac", "Ks 2d", "Kh Js 9c 6d 4h"];
    let plays = [
        (&["bet 4"][..], 8000),
        (&["bet 3"], 6000),
        (&["check", "bet 2"], 4000),
        (&["check", "check", "bet 1"], 2000),
    ];
    for (house, (actions, play)) in
        TEXAS_HOUSES.iter().flat_map(|house| plays.map(|play| (house, play)))
    {
        let wagers = wagers(house, "UTH-01", kings_and_aces, actions);
        assert_eq!(
            (&wagers["play"]["returned"], &wagers["ante"]["returned"]),
            (&json!(play), &json!(2000))
        );
    }
    for (action, play) in [("bet 1", 2000), ("bet 2", 4000), ("bet 3", 6000)] {
        let pair = ["6s 6d 2c", "Kc 9h 4d", ""];
        let wagers = wagers("utcp-standard", "UTCP-01", pair, &[action]);
        assert_eq!(
            (&wagers["play"]["returned"], &wagers["ante"]["returned"]),
            (&json!(play), &json!(2000))
        );
    }
}
