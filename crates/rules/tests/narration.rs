//! Rounds in words: every reason for the result of a wager, at every house.

use croupier_cards::{Card, Five, Rank, Three, parse_cards};
use croupier_rules::{
    Bet, Catalog, FinishedRound, Game, House, Narration, PayTable, Record, StepKind, Strength,
    WagerResult,
};
use serde_json::{Value, json};

/// A seat: its number, cards, Ante, bonus, and decisions.
type Sitter<'a> = (u32, &'a str, i64, i64, &'a [&'a str]);

/// A round to put into words.
struct Script<'a> {
    house: Value,
    board: &'a str,
    dealer: &'a str,
    banker: Option<(u32, i64)>,
    seats: &'a [Sitter<'a>],
    void: Option<&'a str>,
    paytables: Vec<PayTable>,
}

impl<'a> Script<'a> {
    fn new(house: &str, board: &'a str, dealer: &'a str, seats: &'a [Sitter<'a>]) -> Self {
        let (banker, void) = (None, None);
        Self { house: house.into(), board, dealer, banker, seats, void, paytables: Vec::new() }
    }

    /// Changes some fields of the house.
    fn with(mut self, changes: &Value) -> Self {
        let catalog = Catalog::shipped();
        let house = catalog.house(self.house.as_str().expect("an id")).expect("a house");
        let mut fields = serde_json::to_value(&**house).expect("plain data");
        fields["id"] = json!("changed");
        for (path, value) in changes.as_object().expect("changes") {
            match path.split_once('.') {
                Some((part, field)) => fields[part][field] = value.clone(),
                None => fields[path] = value.clone(),
            }
        }
        self.house = fields;
        self
    }

    fn told(&self) -> Narration {
        let cards = |text: &str| parse_cards(text).expect("cards");
        let mut deck: Vec<Card> = self.seats.iter().flat_map(|seat| cards(seat.1)).collect();
        deck.extend(cards(self.dealer));
        deck.extend(cards(self.board));
        let rest: Vec<Card> = Card::ALL.into_iter().filter(|card| !deck.contains(card)).collect();
        deck.extend(rest);
        let seats = self.seats.iter().map(|(seat, _, ante, bonus, actions)| {
            json!({"seat": seat, "ante": ante, "bonus": bonus, "actions": actions})
        });
        let mut record = json!({
            "format": "croupier-round/1",
            "house": self.house,
            "deck": deck.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "seats": seats.collect::<Vec<_>>(),
        });
        if let Some((seat, wager)) = self.banker {
            record["banker"] = json!({"seat": seat, "wager": wager});
        }
        if let Some(reason) = self.void {
            record["void"] = reason.into();
        }
        let mut catalog = Catalog::shipped();
        for table in &self.paytables {
            catalog.add_paytable(table.clone()).expect("another id");
        }
        Narration::new(&replay(&record, &catalog))
    }

    /// Returns the results of a seat's wagers with their reasons: Play, Ante, Blind, bonus, in
    /// whatever order they were settled.
    fn why(&self, seat: u32) -> Vec<(Bet, WagerResult, String)> {
        let told = self.told();
        let seat = told.seats.iter().find(|told| told.seat.number() == seat).expect("the seat");
        let why = seat.wagers.iter().map(|wager| (wager.bet, wager.result, wager.why.clone()));
        let mut why: Vec<_> = why.collect();
        why.sort_by_key(|(bet, ..)| *bet);
        why
    }

    /// Returns the wagers of a seat in the order in which they are listed.
    fn order(&self, seat: u32) -> Vec<Bet> {
        let told = self.told();
        let seat = told.seats.iter().find(|told| told.seat.number() == seat).expect("the seat");
        seat.wagers.iter().map(|wager| wager.bet).collect()
    }
}

fn replay(record: &Value, catalog: &Catalog) -> FinishedRound {
    let record = Record::read(&record.to_string(), catalog).expect("a record");
    record.replay().expect("a good round")
}

#[track_caller]
fn assert_reasons(script: &Script<'_>, seat: u32, expected: &[(Bet, WagerResult, &str)]) {
    let found = script.why(seat);
    let found: Vec<_> = found.iter().map(|(bet, result, why)| (*bet, *result, &**why)).collect();
    assert_eq!(found, expected);
}

use Bet::{Ante, Blind, Bonus, Play};
use WagerResult::{Lose, Push, Returned, Void, Win};

const HOLDEM: [&str; 3] = ["uth-standard", "uth-washington", "uth-california"];

/// Plays at a house. Where a player banks, they post a large wager.
fn holdem<'a>(house: &str, board: &'a str, dealer: &'a str, seats: &'a [Sitter<'a>]) -> Script<'a> {
    let banker = (house == "uth-california").then_some((8, 1_000_000));
    Script { banker, ..Script::new(house, board, dealer, seats) }
}

#[test]
fn the_wagers_of_a_seat_are_listed_in_the_order_they_were_settled() {
    let seats: [Sitter<'_>; 2] =
        [(1, "Ah 3h", 1_000, 500, &["bet 4"]), (2, "7s 2c", 1_000, 500, &["bet 4"])];
    for (house, winner, loser) in [
        ("uth-standard", [Play, Ante, Blind, Bonus], [Play, Ante, Blind, Bonus]),
        ("uth-california", [Ante, Play, Blind, Bonus], [Play, Ante, Blind, Bonus]),
    ] {
        let script = holdem(house, "Kh Jh 9h 6d 4c", "Qs Qd", &seats);
        assert_eq!(script.order(1), winner, "{house}");
        assert_eq!(script.order(2), loser, "{house}");
    }
    // A dealer without a pair: Washington returns all Antes first, California the seat's own.
    for house in ["uth-washington", "uth-california"] {
        let script = holdem(house, "Kh Jh 9c 6d 4c", "Qs 2d", &seats);
        for seat in [1, 2] {
            assert_eq!(script.order(seat), [Ante, Play, Blind, Bonus], "{house}, seat {seat}");
        }
    }
}

#[test]
fn a_winner_is_paid_even_money_and_by_the_tables() {
    for house in HOLDEM {
        let seats: [Sitter<'_>; 2] =
            [(1, "Ah 3h", 1_000, 500, &["bet 4"]), (2, "Ks Kc", 1_000, 500, &["bet 3"])];
        let script = holdem(house, "Kh Jh 9h 6d 4c", "Qs Qd", &seats);
        assert_reasons(
            &script,
            1,
            &[
                (Play, Win, "pays even money"),
                (Ante, Win, "pays even money"),
                (Blind, Win, "flush pays 3 to 2"),
                (Bonus, Win, "flush pays 7 to 1"),
            ],
        );
        assert_reasons(
            &script,
            2,
            &[
                (Play, Win, "pays even money"),
                (Ante, Win, "pays even money"),
                (Blind, Push, "pushes: needs a straight or better"),
                (Bonus, Win, "three of a kind pays 3 to 1"),
            ],
        );
    }
}

#[test]
fn a_dealer_without_a_pair_pushes_only_the_ante() {
    for house in HOLDEM {
        let seats: [Sitter<'_>; 3] = [
            (1, "As 7c", 1_000, 500, &["bet 4"]),
            (2, "Td 3c", 1_000, 0, &["check", "check", "bet 1"]),
            (3, "Ad 5c", 1_000, 0, &["check", "check", "fold"]),
        ];
        let script = holdem(house, "Kh Jh 9s 6d 4c", "Qs 2d", &seats);
        assert_reasons(
            &script,
            1,
            &[
                (Play, Win, "pays even money"),
                (Ante, Push, "pushes: the dealer has no pair"),
                (Blind, Push, "pushes: needs a straight or better"),
                (Bonus, Lose, "loses: needs three of a kind or better"),
            ],
        );
        assert_reasons(
            &script,
            2,
            &[
                (Play, Lose, "loses to king high, by a kicker"),
                (Ante, Push, "pushes: the dealer has no pair"),
                (Blind, Lose, "loses to king high, by a kicker"),
            ],
        );
        let fold = [(Ante, Lose, "lost with the fold"), (Blind, Lose, "lost with the fold")];
        assert_reasons(&script, 3, &fold);
        assert_eq!(script.told().call, "The dealer has king high and does not qualify.");
    }
}

#[test]
fn a_losing_wager_names_the_hand_it_lost_to() {
    for house in HOLDEM {
        let seats: [Sitter<'_>; 2] =
            [(1, "As Js", 1_000, 500, &["bet 4"]), (2, "Kd 3c", 1_000, 0, &["bet 4"])];
        let script = holdem(house, "Kh Jh 9s 6d 4c", "Ks Qd", &seats);
        assert_reasons(
            &script,
            1,
            &[
                (Play, Lose, "loses to a pair of kings"),
                (Ante, Lose, "loses to a pair of kings"),
                (Blind, Lose, "loses to a pair of kings"),
                (Bonus, Lose, "loses: needs three of a kind or better"),
            ],
        );
        let kicker = "loses to a pair of kings, by a kicker";
        assert_reasons(
            &script,
            2,
            &[(Play, Lose, kicker), (Ante, Lose, kicker), (Blind, Lose, kicker)],
        );
        assert_eq!(script.told().call, "The dealer has a pair of kings.");
    }
}

#[test]
fn a_lower_flush_of_the_same_name_loses_by_a_higher_card() {
    for house in HOLDEM {
        let seats: [Sitter<'_>; 1] = [(1, "8h 7h", 500, 0, &["bet 4"])];
        let script = holdem(house, "Kh Jh 9h 6d 4c", "Qh 5h", &seats);
        let higher = "loses to a king-high flush, by a higher card";
        assert_reasons(
            &script,
            1,
            &[(Play, Lose, higher), (Ante, Lose, higher), (Blind, Lose, higher)],
        );
    }
}

#[test]
fn two_equal_hands_tie_and_the_bonus_has_its_own_reason() {
    for house in HOLDEM {
        let seats: [Sitter<'_>; 1] = [(1, "As 2s", 1_000, 500, &["bet 4"])];
        let script = holdem(house, "Kh Kd 9s 9d 4c", "Ad 2d", &seats);
        assert_reasons(
            &script,
            1,
            &[
                (Play, Push, "pushes: the hands tie"),
                (Ante, Push, "pushes: the hands tie"),
                (Blind, Push, "pushes: the hands tie"),
                (Bonus, Lose, "loses: needs three of a kind or better"),
            ],
        );
    }
}

#[test]
fn three_card_rounds_have_their_own_words() {
    let seats: [Sitter<'_>; 4] = [
        (1, "4s 3d 2h", 1_000, 500, &["bet 3"]),
        (2, "7d 7c 5d", 1_000, 500, &["fold"]),
        (3, "Td 8c 5h", 1_000, 500, &["bet 1"]),
        (4, "Ad Kc 5s", 1_000, 500, &["bet 1"]),
    ];
    let script = Script::new("utcp-standard", "", "Js Th 8d", &seats);
    assert_reasons(
        &script,
        1,
        &[
            (Play, Win, "pays even money"),
            (Ante, Push, "pushes: the dealer has less than queen high"),
            (Blind, Win, "straight pays 2 to 1"),
            (Bonus, Win, "straight pays 6 to 1"),
        ],
    );
    assert_reasons(
        &script,
        2,
        &[
            (Ante, Lose, "lost with the fold"),
            (Blind, Lose, "lost with the fold"),
            (Bonus, Win, "pair pays 1 to 1"),
        ],
    );
    assert_reasons(
        &script,
        3,
        &[
            (Play, Lose, "loses to jack high"),
            (Ante, Push, "pushes: the dealer has less than queen high"),
            (Blind, Lose, "loses to jack high"),
            (Bonus, Lose, "loses: needs a pair or better"),
        ],
    );
    assert_reasons(
        &script,
        4,
        &[
            (Play, Win, "pays even money"),
            (Ante, Push, "pushes: the dealer has less than queen high"),
            (Blind, Push, "pushes: needs a flush or better"),
            (Bonus, Lose, "loses: needs a pair or better"),
        ],
    );
    assert_eq!(script.told().call, "The dealer has jack high and does not qualify.");
}

#[test]
fn where_the_dealer_always_qualifies_no_ante_pushes_for_lack_of_a_pair() {
    let seats: [Sitter<'_>; 1] = [(1, "As 7c", 1_000, 0, &["bet 4"])];
    let script = Script::new("uth-standard", "Kh Jh 9s 6d 4c", "Qs 2d", &seats)
        .with(&json!({"qualifying": false}));
    let (even, push) = ("pays even money", "pushes: needs a straight or better");
    assert_reasons(&script, 1, &[(Play, Win, even), (Ante, Win, even), (Blind, Push, push)]);
    assert_eq!(script.told().call, "The dealer has king high.");
}

#[test]
fn amounts_the_bank_could_not_cover_are_reported() {
    let seats: [Sitter<'_>; 2] =
        [(1, "7s 2c", 500, 0, &["check", "check", "bet 1"]), (4, "As Ac", 500, 0, &["bet 4"])];
    let script = |coverage: &str, wager| {
        let script = Script::new("uth-california", "Kh Js 9c 6d 4h", "Ks 2d", &seats);
        Script { banker: Some((3, wager)), ..script.with(&json!({"banking.coverage": coverage})) }
    };
    let push = "pushes: needs a straight or better";
    let short = script("payoffs", 2_200);
    assert_reasons(
        &short,
        4,
        &[
            (Play, Win, "paid in part: $3 was not covered"),
            (Ante, Win, "pays even money"),
            (Blind, Push, push),
        ],
    );
    let back = "returned: the bank could not cover it";
    assert_reasons(
        &short,
        1,
        &[(Play, Returned, back), (Ante, Returned, back), (Blind, Returned, back)],
    );
    let shorter = script("payoffs", 200);
    assert_reasons(
        &shorter,
        4,
        &[
            (Play, Returned, back),
            (Ante, Win, "paid in part: $3 was not covered"),
            (Blind, Push, push),
        ],
    );
    // With action coverage, collections also use up the posted wager.
    let action = script("action", 2_850);
    assert_reasons(
        &action,
        1,
        &[
            (Play, Lose, "loses to a pair of kings; $1.50 was not covered"),
            (Ante, Returned, back),
            (Blind, Returned, back),
        ],
    );
}

#[test]
fn odds_above_the_payout_maximum_say_so() {
    let seats: [Sitter<'_>; 2] =
        [(1, "Th 3d", 10_000, 10_000, &["bet 4"]), (2, "As Ac", 1_000, 0, &["bet 4"])];
    let script = Script::new("uth-standard", "9h 8h 7h 6h 2c", "Qs Qd", &seats);
    let script = script.with(&json!({"limits.round_payout_max": 80_000}));
    let (even, part) = ("pays even money", "paid in part: capped by the aggregate of $800");
    assert_reasons(
        &script,
        1,
        &[(Play, Win, even), (Ante, Win, even), (Blind, Win, part), (Bonus, Win, part)],
    );
    let push = "pushes: needs a straight or better";
    assert_reasons(&script, 2, &[(Play, Win, even), (Ante, Win, even), (Blind, Push, push)]);
}

#[test]
fn a_custom_pay_table_is_described_as_written() {
    let table = |id: &str, bet: &str, pays: &Value| {
        let table = json!({"id": id, "title": id, "source": "me", "bet": bet, "pays": pays});
        PayTable::from_json(&table).expect("a pay table")
    };
    let seats: [Sitter<'_>; 3] = [
        (1, "Ah 3h", 1_000, 500, &["bet 4"]),
        (2, "As Ac", 1_000, 500, &["bet 4"]),
        (3, "Kc Jc", 1_000, 500, &["bet 4"]),
    ];
    let told = |blind: Value, trips: Value| {
        let script = Script::new("uth-standard", "Kh Jh 9h 6d 4c", "Qs Qd", &seats);
        let own = json!({"blind_paytable": "MY-BLIND", "bonus_paytables": ["MY-TRIPS"]});
        let paytables =
            vec![table("MY-BLIND", "blind", &blind), table("MY-TRIPS", "trips", &trips)];
        Script { paytables, ..script.with(&own) }
    };
    let of = |script: &Script<'_>, seat, bet| {
        let found = script.why(seat).into_iter().find(|(found, ..)| *found == bet);
        found.expect("the wager").2
    };
    let odd = told(
        json!({"royal-flush": "500:1", "straight": "1:1"}),
        json!({"straight": "4:1", "pair": "0:1", "two-pair": "2:1"}),
    );
    assert_eq!(of(&odd, 1, Blind), "pushes: a flush does not pay");
    assert_eq!(of(&odd, 2, Blind), "pushes: nothing below a straight pays");
    assert_eq!(of(&odd, 1, Bonus), "loses: a flush does not pay");
    assert_eq!(of(&odd, 2, Bonus), "pushes: a pair gets the stake back");
    assert_eq!(of(&odd, 3, Bonus), "two pair pays 2 to 1");
    let rare = told(json!({"royal-flush": "500:1"}), json!({}));
    assert_eq!(of(&rare, 1, Blind), "pushes: needs a royal flush");
    assert_eq!(of(&rare, 1, Bonus), "loses: no hand pays");
    let none = told(json!({}), json!({"two-pair": "2:1"}));
    assert_eq!(of(&none, 1, Blind), "pushes: no hand pays");
    assert_eq!(of(&none, 2, Bonus), "loses: nothing below two pair pays");
}

#[test]
fn a_void_round_says_why_and_returns_every_stake() {
    let seats: [Sitter<'_>; 1] = [(2, "Ah 3h", 1_000, 500, &["check"])];
    let script = Script::new("uth-standard", "Kh Jh 9h 6d 4c", "Qs Qd", &seats);
    let script = Script { void: Some("a card was exposed"), ..script };
    let back = "returned: the round is void";
    assert_reasons(&script, 2, &[(Ante, Void, back), (Blind, Void, back), (Bonus, Void, back)]);
    let told = script.told();
    assert_eq!(told.call, "The round is void: a card was exposed.");
    assert_eq!(told.bank.say, "The bank breaks even.");
    let kinds: Vec<&str> = told.steps.iter().map(|step| step.kind.id()).collect();
    let void = ["wagered", "no-more-bets", "dealt", "decided", "turned", "void"];
    assert_eq!(kinds[..6], void);
    assert_eq!(kinds[6..], ["settled"; 3]);
}

#[test]
fn a_round_is_narrated_step_by_step_with_seats_in_settlement_order() {
    let seats: [Sitter<'_>; 2] = [
        (1, "Ah 3h", 1_000, 500, &["check", "check", "bet 1"]),
        (4, "8s 5d", 500, 0, &["check", "check", "fold"]),
    ];
    let told = Script::new("uth-standard", "Kh Jh 9h 6d 4c", "Ks 2d", &seats).told();
    let said: Vec<&str> = told.steps.iter().map(|step| &*step.say).collect();
    assert_eq!(
        said,
        [
            "Seat 1: Ante $10, Blind $10, Trips $5.",
            "Seat 4: Ante $5, Blind $5.",
            "No more bets.",
            "The cards are dealt.",
            "Seat 1 checks.",
            "Seat 4 checks.",
            "The flop: Kh Jh 9h.",
            "Seat 1 checks.",
            "Seat 4 checks.",
            "The turn and river: 6d 4c.",
            "Seat 1 bets 1x.",
            "Seat 4 folds.",
            "Seat 4's Ante loses $5.",
            "Seat 4's Blind loses $5.",
            "The dealer shows Ks 2d: pair of kings.",
            "Seat 4 had 8s 5d: king high.",
            "Seat 1 wins with Ah 3h: ace-high flush.",
            "Seat 1's Play wins $10.",
            "Seat 1's Ante wins $10.",
            "Seat 1's Blind wins $15.",
            "Seat 1's Trips wins $35.",
        ]
    );
    let json = serde_json::to_value(&told).expect("plain data");
    assert_eq!(json["steps"][6]["cards"], json!(["Kh", "Jh", "9h"]));
    assert_eq!(
        json["steps"][10],
        json!({"kind": "decided", "say": "Seat 1 bets 1x.", "seat": 1, "decision": "bet 1"})
    );
    assert_eq!(
        json["steps"][16],
        json!({
            "kind": "judged", "say": "Seat 1 wins with Ah 3h: ace-high flush.", "seat": 1,
            "cards": ["Ah", "3h"], "outcome": "win",
        })
    );
    assert_eq!(
        json["steps"][19],
        json!({
            "kind": "settled", "say": "Seat 1's Blind wins $15.", "seat": 1, "bet": "blind",
            "outcome": "win",
        })
    );
    assert_eq!(
        (json["seats"][0]["seat"].as_u64(), json["seats"][1]["seat"].as_u64()),
        (Some(4), Some(1))
    );
    assert_eq!(json["seats"][1]["hand"], "ace-high flush");
    assert_eq!(json["seats"][1]["say"], "Seat 1 wins $70.");
    assert_eq!(
        json["seats"][1]["wagers"][3],
        json!({
            "bet": "bonus", "name": "Trips", "staked": 500, "returned": 4_000, "result": "win",
            "uncovered": 0, "why": "flush pays 7 to 1",
        })
    );
    assert_eq!(json["bank"], json!({"net": -6_000, "say": "The bank loses $60."}));
}

#[test]
fn the_banker_and_a_player_out_of_time_appear_in_the_steps() {
    let seats: [Sitter<'_>; 1] = [(1, "Ah 3h", 500, 0, &["check", "check", "fold"])];
    let script = holdem("uth-california", "Kh Jh 9h 6d 4c", "Ks 2d", &seats);
    let told = script.told();
    assert_eq!(told.steps[0].say, "Seat 8 banks with $10,000.");
    assert_eq!(told.steps[0].kind, StepKind::Banked);
    let record = json!({
        "format": "croupier-round/1", "house": "uth-standard",
        "deck": Card::ALL.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "seats": [{"seat": 1, "ante": 500, "actions": ["check", "check", "fold"], "by_table": [2]}],
    });
    let told = Narration::new(&replay(&record, &Catalog::shipped()));
    let last = told.steps.iter().rfind(|step| step.kind == StepKind::Decided).expect("a step");
    assert_eq!((&*last.say, last.by_table), ("Seat 1 folds, out of time.", true));
}

#[test]
fn every_shipped_house_is_covered_above() {
    let catalog = Catalog::shipped();
    let ids: Vec<&str> = catalog.houses().map(House::id).collect();
    let told = HOLDEM.into_iter().chain(["utcp-standard"]);
    assert_eq!(ids, told.collect::<Vec<_>>());
}

/// Returns what a seat's player and all others are told about the comparison of two hands.
fn compared(house: &str, board: &str, dealer: &str, hole: &str) -> [Option<String>; 2] {
    let bet: &[&str] = if house == "utcp-standard" { &["bet 1"] } else { &["bet 4"] };
    let seats: [Sitter<'_>; 1] = [(1, hole, 500, 0, bet)];
    let [seat] =
        <[_; 1]>::try_from(holdem(house, board, dealer, &seats).told().seats).expect("one");
    [seat.comparison, seat.comparison_for_others]
}

#[test]
fn a_comparison_says_why_the_better_hand_wins() {
    let said = |board: &str, dealer: &str, hole: &str| {
        let house = if board.is_empty() { "utcp-standard" } else { "uth-standard" };
        compared(house, board, dealer, hole).map(|text| text.expect("it was compared"))
    };
    for (board, dealer, hole, yours, others) in [
        (
            "8s 8d Ah Kc 2c",
            "6s 4d",
            "9s 3d",
            "Your nine plays: 8-8-A-K-9 beats 8-8-A-K-6",
            "Seat 1's nine plays: 8-8-A-K-9 beats 8-8-A-K-6",
        ),
        (
            "8s 8d Ah Kc 2c",
            "Ts 4d",
            "9s 3d",
            "The dealer's ten plays: 8-8-A-K-10 beats 8-8-A-K-9",
            "The dealer's ten plays: 8-8-A-K-10 beats 8-8-A-K-9",
        ),
        (
            "As Kd Qh Jc Tc",
            "2s 3d",
            "2h 3h",
            "Both play the board: A-K-Q-J-10",
            "Both play the board: A-K-Q-J-10",
        ),
        (
            "As Ad 7h 5c 2c",
            "Ks 3d",
            "Kh 4h",
            "Both have a pair of aces: A-A-K-7-5",
            "Both have a pair of aces: A-A-K-7-5",
        ),
        (
            "As 9d 7h 5c 2c",
            "Ks 3d",
            "8h 8d",
            "A pair of eights beats ace high",
            "A pair of eights beats ace high",
        ),
        (
            "As Ad 7h 5c 2c",
            "7s 3d",
            "Kh Jd",
            "Aces and sevens, with a five, beats a pair of aces",
            "Aces and sevens, with a five, beats a pair of aces",
        ),
        (
            "",
            "Qs 9d 4c",
            "Qh 9c 5d",
            "Your five plays: Q-9-5 beats Q-9-4",
            "Seat 1's five plays: Q-9-5 beats Q-9-4",
        ),
        ("", "Qs 9d 4c", "Qh 9c 4d", "Both have queen high: Q-9-4", "Both have queen high: Q-9-4"),
    ] {
        assert_eq!(said(board, dealer, hole), [yours, others], "{hole} and {dealer} on {board}");
    }
    let seats: [Sitter<'_>; 1] = [(1, "Ah 3h", 500, 0, &["check", "check", "fold"])];
    let folded = holdem("uth-standard", "Kh Jh 9h 6d 4c", "Ks 2d", &seats);
    assert_eq!(folded.told().seats[0].comparison, None, "a folded hand is not compared");
    let void = Script { void: Some("a test"), ..folded };
    assert_eq!(void.told().seats[0].comparison, None, "a void hand is not compared");
}

/// Checks a comparison against the strengths of the two hands, and returns its form.
fn hold(said: &str, hand: Strength, dealer: Strength, hole: &str, board: &str) -> &'static str {
    let ranks = |text: &str| -> Vec<Rank> {
        let letters = text.replace("10", "T");
        let letters = letters.split('-').map(|letter| letter.parse().expect("a letter"));
        letters.map(|letter| Rank::from_letter(letter).expect("a rank")).collect()
    };
    let name = |hand: Strength| hand.to_string();
    let plain = |text: &str| {
        let text = text.to_lowercase();
        let name = text.strip_prefix("a ").or(text.strip_prefix("an ")).unwrap_or(&text);
        name.trim_end_matches(',').to_owned()
    };
    if let Some((both, cards)) = said.split_once(": ").filter(|_| said.starts_with("Both")) {
        assert_eq!((hand, ranks(cards)), (dealer, hand.ranks()), "{said}");
        let by_itself = parse_cards(board).expect("cards").into_iter().collect();
        if both == "Both play the board" {
            assert_eq!(Strength::Five(Five::of(by_itself)), hand, "{said}");
            return "the board";
        }
        assert_eq!(plain(both.strip_prefix("Both have ").expect("a hand")), name(hand), "{said}");
        assert!(board.is_empty() || Strength::Five(Five::of(by_itself)) != hand, "{said}");
        return "a tie";
    }
    let (better, worse) = (hand.max(dealer), hand.min(dealer));
    assert!(better > worse, "{said}");
    let (winner, loser) = said.split_once(" beats ").expect("a comparison");
    let Some((plays, cards)) = winner.split_once(" plays: ") else {
        assert_eq!((plain(winner), plain(loser)), (name(better), name(worse)), "{said}");
        assert_ne!(name(better), name(worse), "{said}");
        return "a name";
    };
    assert_eq!((ranks(cards), ranks(loser)), (better.ranks(), worse.ranks()), "{said}");
    let decides = better.ranks().into_iter().zip(worse.ranks()).find(|(one, other)| one != other);
    let (high, low) = decides.expect("a card that decides");
    assert!(high > low, "{said}");
    let (owner, card) = plays.rsplit_once(' ').expect("an owner");
    assert_eq!(card, high.name(), "{said}");
    assert_eq!(owner, if hand > dealer { "Your" } else { "The dealer's" }, "{said}");
    if hand > dealer {
        let hole = parse_cards(hole).expect("cards");
        assert!(hole.iter().any(|card| card.rank() == high), "{said}: not with {hole:?}");
    }
    "a kicker"
}

#[test]
fn no_comparison_contradicts_the_strengths_of_the_hands() {
    let mut forms = std::collections::BTreeMap::<(Game, &str), u32>::new();
    let mut state = 0x5eed_u64;
    let mut below = |most: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("small") % most
    };
    for round in 0..2_000 {
        let mut deck = Card::ALL.to_vec();
        // Few ranks make many hands with the same name.
        deck.retain(|card| round % 3 == 0 || card.rank() >= Rank::Nine);
        for place in (1..deck.len()).rev() {
            deck.swap(place, below(place + 1));
        }
        let text =
            |cards: &[Card]| cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let set = |cards: &[Card]| cards.iter().copied().collect();
        let game = if round % 2 == 0 { Game::Uth } else { Game::Utcp };
        let (board, dealer, hole) = match game {
            Game::Uth => (&deck[..5], &deck[5..7], &deck[7..9]),
            Game::Utcp => (&deck[..0], &deck[..3], &deck[3..6]),
        };
        let strength = |cards: &[Card]| match game {
            Game::Uth => Strength::Five(Five::of(set(&[cards, board].concat()))),
            Game::Utcp => Strength::Three(Three::of(set(cards))),
        };
        let house = if game == Game::Uth { "uth-standard" } else { "utcp-standard" };
        let (board_text, hole_text) = (text(board), text(hole));
        let [yours, others] = compared(house, &board_text, &text(dealer), &hole_text);
        let (yours, others) = (yours.expect("compared"), others.expect("compared"));
        assert_eq!(others, yours.replace("Your ", "Seat 1's "));
        let form = hold(&yours, strength(hole), strength(dealer), &hole_text, &board_text);
        *forms.entry((game, form)).or_default() += 1;
    }
    let seen: Vec<_> = forms.keys().copied().collect();
    let holdem = ["a kicker", "a name", "a tie", "the board"].map(|form| (Game::Uth, form));
    let three = ["a kicker", "a name", "a tie"].map(|form| (Game::Utcp, form));
    assert_eq!(seen, [&holdem[..], &three].concat(), "{forms:?}");
}

#[test]
fn a_hand_has_a_name_from_its_first_cards_on() {
    let cards = |text: &str| parse_cards(text).expect("cards").into_iter().collect();
    for (game, hole, board, name) in [
        (Game::Uth, "8s 8d", "", Some("pair of eights")),
        (Game::Uth, "8s Ad", "", Some("ace high")),
        (Game::Uth, "8s Ad", "8d 2c 3c", Some("pair of eights")),
        (Game::Uth, "8s Ad", "8d 2c 3c 8h 2d", Some("eights full of deuces")),
        (Game::Utcp, "8s 8d 2c", "", Some("pair of eights")),
        (Game::Utcp, "", "", None),
        (Game::Uth, "", "", None),
    ] {
        assert_eq!(game.hand_so_far(cards(hole), cards(board)).as_deref(), name, "{hole} {board}");
    }
}
