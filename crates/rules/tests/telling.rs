//! Rounds in words: every reason for the result of a wager, at every house.

use croupier_cards::{Card, parse_cards};
use croupier_rules::{
    Bet, Catalog, FinishedRound, House, PayTable, Record, StepKind, Telling, WagerResult,
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

    fn told(&self) -> Telling {
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
        Telling::new(&replay(&record, &catalog))
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
                (Play, Win, "wins 1 to 1"),
                (Ante, Win, "wins 1 to 1"),
                (Blind, Win, "flush pays 3 to 2"),
                (Bonus, Win, "flush pays 7 to 1"),
            ],
        );
        assert_reasons(
            &script,
            2,
            &[
                (Play, Win, "wins 1 to 1"),
                (Ante, Win, "wins 1 to 1"),
                (Blind, Push, "pushes: a straight or better is paid"),
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
                (Play, Win, "wins 1 to 1"),
                (Ante, Push, "pushes: the dealer has no pair"),
                (Blind, Push, "pushes: a straight or better is paid"),
                (Bonus, Lose, "high card: nothing below three of a kind is paid"),
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
                (Bonus, Lose, "pair: nothing below three of a kind is paid"),
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
        let higher = "loses to a flush, king high, by a higher card";
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
                (Play, Push, "ties"),
                (Ante, Push, "ties"),
                (Blind, Push, "ties"),
                (Bonus, Lose, "two pair: nothing below three of a kind is paid"),
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
            (Play, Win, "wins 1 to 1"),
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
            (Bonus, Lose, "high card: nothing below a pair is paid"),
        ],
    );
    assert_reasons(
        &script,
        4,
        &[
            (Play, Win, "wins 1 to 1"),
            (Ante, Push, "pushes: the dealer has less than queen high"),
            (Blind, Push, "pushes: a flush or better is paid"),
            (Bonus, Lose, "high card: nothing below a pair is paid"),
        ],
    );
    assert_eq!(script.told().call, "The dealer has jack high and does not qualify.");
}

#[test]
fn where_the_dealer_always_qualifies_no_ante_pushes_for_lack_of_a_pair() {
    let seats: [Sitter<'_>; 1] = [(1, "As 7c", 1_000, 0, &["bet 4"])];
    let script = Script::new("uth-standard", "Kh Jh 9s 6d 4c", "Qs 2d", &seats)
        .with(&json!({"qualifying": false}));
    let (even, push) = ("wins 1 to 1", "pushes: a straight or better is paid");
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
    let push = "pushes: a straight or better is paid";
    let short = script("payoffs", 2_200);
    assert_reasons(
        &short,
        4,
        &[
            (Play, Win, "paid in part: $3 was not covered"),
            (Ante, Win, "wins 1 to 1"),
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
    let (even, part) = ("wins 1 to 1", "paid in part: odds pay at most $800");
    assert_reasons(
        &script,
        1,
        &[(Play, Win, even), (Ante, Win, even), (Blind, Win, part), (Bonus, Win, part)],
    );
    let push = "pushes: a straight or better is paid";
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
    assert_eq!(of(&odd, 1, Blind), "pushes: a flush is not paid");
    assert_eq!(of(&odd, 2, Blind), "pushes: nothing below a straight is paid");
    assert_eq!(of(&odd, 1, Bonus), "flush is not paid");
    assert_eq!(of(&odd, 2, Bonus), "pushes: a pair gets the stake back");
    assert_eq!(of(&odd, 3, Bonus), "two pair pays 2 to 1");
    let rare = told(json!({"royal-flush": "500:1"}), json!({}));
    assert_eq!(of(&rare, 1, Blind), "pushes: only a royal flush is paid");
    assert_eq!(of(&rare, 1, Bonus), "flush: no hand is paid");
    let none = told(json!({}), json!({"two-pair": "2:1"}));
    assert_eq!(of(&none, 1, Blind), "pushes: no hand is paid");
    assert_eq!(of(&none, 2, Bonus), "pair: nothing below two pair is paid");
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
            "The board: Kh Jh 9h.",
            "Seat 1 checks.",
            "Seat 4 checks.",
            "The board: 6d 4c.",
            "Seat 1 bets 1x.",
            "Seat 4 folds.",
            "Seat 4's Ante loses $5.",
            "Seat 4's Blind loses $5.",
            "The dealer shows Ks 2d: pair of kings.",
            "Seat 4 folded 8s 5d: king high.",
            "Seat 1 wins with Ah 3h: flush, ace high.",
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
            "kind": "judged", "say": "Seat 1 wins with Ah 3h: flush, ace high.", "seat": 1,
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
    assert_eq!(json["seats"][1]["hand"], "flush, ace high");
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
    let told = Telling::new(&replay(&record, &Catalog::shipped()));
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
