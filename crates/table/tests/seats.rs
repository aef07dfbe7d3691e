//! Seats: joining, leaving, and sitting out.

mod felt;

use std::sync::Arc;

use croupier_rules::{Amount, Catalog, Decision, House};
use croupier_table::{Clocks, Refusal, Stage, Terms};

use self::felt::{
    CHIPS, CLOCKS, Felt, close, deal, decide, decline, join, leave, pause, sit_in, sit_out,
    take_bank, told, wager, withdraw,
};

/// Returns the terms of a shipped house at which a player may have two seats.
fn two_seats_each(house: &str, clocks: Option<Clocks>) -> Arc<Terms> {
    seats_each(2, house, clocks)
}

/// Returns the terms of a shipped house at which a player may have several seats.
fn seats_each(most: u32, house: &str, clocks: Option<Clocks>) -> Arc<Terms> {
    let mut catalog = Catalog::shipped();
    let shipped = catalog.house(house).expect("a house");
    let mut fields = serde_json::to_value(&**shipped).expect("plain data");
    fields["id"] = "more-seats-each".into();
    (fields["title"], fields["source"]) = ("More seats each".into(), "me".into());
    fields["seats_per_player"] = most.into();
    let house = House::from_json(&fields, catalog.paytables()).expect("a good house");
    catalog.add_house(house).expect("another id");
    Arc::new(Terms::new(&catalog, "more-seats-each", None, clocks).expect("good terms"))
}

#[test]
fn a_player_who_is_not_in_the_round_leaves_at_once() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea", "cy"]);
    // Betting is open, and cy has not wagered.
    assert_eq!(told(&felt.ok(leave(3, "cy"))), ["player-left 3"]);
    felt.wager(1, "ann", 500, 0);
    felt.ok(sit_out(2, "bea"));
    assert_eq!(felt.table.stage(), Some(Stage::Deciding));
    // Cards are out, and bea has none.
    assert_eq!(told(&felt.ok(leave(2, "bea"))), ["player-left 2"]);
    assert_eq!(felt.refused(leave(2, "bea")), Refusal::SeatEmpty);
}

#[test]
fn a_player_who_leaves_while_betting_is_open_gets_the_wager_back() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 500);
    assert_eq!(felt.chips("ann"), CHIPS - 1_500);
    assert_eq!(told(&felt.ok(leave(1, "ann"))), ["withdrawn 1", "player-left 1"]);
    assert_eq!(felt.chips("ann"), CHIPS);
    assert_eq!(felt.table.stage(), Some(Stage::Betting));
}

#[test]
fn betting_closes_when_the_last_player_without_a_wager_leaves() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 0);
    assert_eq!(told(&felt.ok(leave(2, "bea"))), ["player-left 2", "betting-closed", "dealt"]);
}

#[test]
fn the_table_decides_for_a_player_who_leaves_a_dealt_round() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 0);
    felt.wager(2, "bea", 500, 0);
    assert_eq!(told(&felt.ok(leave(1, "ann"))), ["player-leaving 1", "decided 1 by table"]);
    assert_eq!(felt.refused(leave(1, "ann")), Refusal::Leaving);
    // On the flop, the table checks for ann before any other player can act.
    let events = felt.decide(2, "bea", Decision::Check);
    assert_eq!(told(&events), ["decided 2", "decided 1 by table"]);
    let events = felt.decide(2, "bea", Decision::Check);
    assert_eq!(told(&events), ["decided 2", "decided 1 by table"]);
    let events = felt.decide(2, "bea", Decision::Bet(1));
    assert_eq!(told(&events), ["decided 2", "round-over", "player-left 1"]);
    assert_eq!(felt.chips("ann"), CHIPS - 1_000, "the table folded for her");
    let seats = felt.table.seats();
    assert_eq!(seats.iter().map(|seated| &*seated.player).collect::<Vec<_>>(), ["bea"]);
}

#[test]
fn a_banker_stays_for_the_round_and_leaves_after_it() {
    let mut felt = Felt::open("uth-california");
    felt.seat_all(&["ann", "bea", "cy"]);
    felt.ok(take_bank(1, "ann", 5_000));
    felt.wager(2, "bea", 500, 0);
    assert_eq!(told(&felt.ok(leave(1, "ann"))), ["player-leaving 1"]);
    assert_eq!(felt.chips("ann"), CHIPS - 5_000, "the posted amount stays");
    assert_eq!(felt.refused(take_bank(1, "ann", 5_500)), Refusal::Leaving);
    felt.wager(3, "cy", 500, 0);
    assert_eq!(felt.table.stage(), Some(Stage::Deciding));
    let events = told(&felt.play_out());
    assert!(events.ends_with(&["round-over".to_owned(), "player-left 1".to_owned()]), "{events:?}");
}

#[test]
fn a_player_has_one_seat_unless_the_house_says_otherwise() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    assert_eq!(felt.refused(join(2, "ann")), Refusal::TooManySeats { most: 1 });
    felt.ok(leave(1, "ann"));
    felt.ok(join(2, "ann"));

    let mut felt = Felt::on(two_seats_each("uth-standard", Some(CLOCKS)));
    felt.seat_all(&["ann"]);
    felt.ok(join(2, "ann"));
    assert_eq!(felt.refused(join(3, "ann")), Refusal::TooManySeats { most: 2 });
    felt.wager(1, "ann", 500, 500);
    felt.wager(2, "ann", 1_000, 500);
    assert_eq!(felt.table.stage(), Some(Stage::Deciding));
    felt.play_out();
    assert_eq!(felt.assert_records(), 1);
}

#[test]
fn four_games_are_the_limit_and_one_seat_has_two() {
    let mut felt = Felt::open("uth-washington");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 500);
    assert_eq!(felt.refused(join(3, "ann")), Refusal::TooManySeats { most: 1 });

    let mut felt = Felt::on(seats_each(3, "uth-washington", Some(CLOCKS)));
    felt.seat_all(&["ann"]);
    felt.ok(join(2, "ann"));
    felt.ok(join(3, "ann"));
    felt.wager(1, "ann", 500, 500);
    felt.wager(2, "ann", 500, 500);
    assert_eq!(felt.refused(wager(3, "ann", 500, 0)).code(), "too-many-games");
    assert_eq!(felt.chips("ann"), CHIPS - 3_000, "four games, and no chip on a fifth");
    felt.wager(2, "ann", 500, 0);
    assert_eq!(told(&felt.wager(3, "ann", 500, 0)), ["wagered 3", "betting-closed", "dealt"]);
}

#[test]
fn eight_players_sit_at_a_california_table_one_banks_and_seven_wager() {
    let players = ["ann", "bea", "cy", "dee", "eve", "flo", "gus", "hal"];
    for banks in [1, 8] {
        let mut felt = Felt::open("uth-california");
        felt.seat_all(&players);
        felt.issue("ida");
        for number in 1..=8 {
            assert_eq!(felt.refused(join(number, "ida")), Refusal::SeatTaken);
        }
        for (number, player) in (1..banks).zip(players) {
            felt.ok(decline(number, player));
        }
        let seated = (1..).zip(players).collect::<Vec<_>>();
        let (_, banker) = seated[banks as usize - 1];
        felt.ok(take_bank(banks, banker, 50_000));
        assert_eq!(felt.refused(wager(banks, banker, 500, 0)).code(), "banker-wagers");
        let mut last = Vec::new();
        for &(number, player) in seated.iter().filter(|(number, _)| *number != banks) {
            last = told(&felt.wager(number, player, 500, 0));
        }
        assert_eq!(last[1..], ["betting-closed", "dealt"], "with the seventh wager");
        felt.play_out();
        let record = felt.records().pop().expect("a record");
        let record: serde_json::Value = serde_json::from_str(&record).expect("JSON");
        assert_eq!(record["banker"]["seat"], banks);
        assert_eq!(record["seats"].as_array().map(Vec::len), Some(7));
    }
    let mut felt = Felt::open("uth-standard");
    assert_eq!(felt.refused(join(8, "ann")), Refusal::NoSuchSeat { seats: 7 });
}

#[test]
fn a_table_has_the_seats_of_its_house_and_none_beyond_them() {
    let mut felt = Felt::open("uth-standard");
    felt.ok(join(7, "ann"));
    assert_eq!(felt.refused(join(8, "bea")), Refusal::NoSuchSeat { seats: 7 });
    assert_eq!(felt.refused(sit_out(8, "ann")), Refusal::NoSuchSeat { seats: 7 });
    // The last seat is a seat like the others.
    assert_eq!(felt.refused(join(7, "bea")), Refusal::SeatTaken);
    assert_eq!(felt.refused(sit_out(7, "bea")), Refusal::NotYourSeat);
    felt.ok(sit_out(7, "ann"));

    let mut felt = Felt::open("uth-california");
    felt.ok(join(8, "ann"));
}

#[test]
fn no_player_plays_against_themselves() {
    let mut felt = Felt::on(two_seats_each("uth-california", Some(CLOCKS)));
    felt.seat_all(&["ann"]);
    felt.ok(join(2, "ann"));
    assert_eq!(felt.table.round_number(), 0, "two seats are one player");
    felt.issue("bea");
    felt.ok(join(3, "bea"));
    felt.ok(take_bank(1, "ann", 5_000));
    // The table does not wait for ann's other seat, because she may not wager there.
    let events = felt.wager(3, "bea", 500, 0);
    assert_eq!(told(&events), ["wagered 3", "betting-closed", "dealt"]);
    felt.play_out();
    assert_eq!((felt.missed(1), felt.missed(2)), (Some(0), Some(0)));
}

#[test]
fn a_player_who_sits_out_keeps_the_seat_and_no_round_waits_for_it() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.ok(sit_out(2, "bea"));
    assert_eq!(felt.refused(sit_out(2, "bea")), Refusal::SitsOut);
    let events = felt.wager(1, "ann", 500, 0);
    assert_eq!(told(&events), ["wagered 1", "betting-closed", "dealt"]);
    assert_eq!(felt.refused(join(2, "cy")), Refusal::SeatTaken);
    felt.play_out();
    felt.run_out();
    felt.ok(sit_in(2, "bea"));
    assert_eq!(felt.refused(sit_in(2, "bea")), Refusal::SitsIn);
    assert_eq!(told(&felt.wager(1, "ann", 500, 0)), ["wagered 1"], "the table waits for bea again");
}

#[test]
fn a_player_who_sits_out_with_a_wager_plays_it() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 0);
    felt.ok(sit_out(1, "ann"));
    felt.wager(2, "bea", 500, 0);
    felt.decide(1, "ann", Decision::Bet(4));
    felt.play_out();
    assert_eq!(felt.played[0].seats[0].staked, Amount::cents(3_000));
}

#[test]
fn a_round_that_all_players_sit_out_is_not_dealt() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    assert_eq!(told(&felt.ok(sit_out(1, "ann"))), ["sat-out 1", "round-undealt"]);
    felt.wait(4);
    assert_eq!(felt.table.stage(), None, "no player is there to open a round for");
    assert_eq!(told(&felt.ok(sit_in(1, "ann"))), ["sat-in 1", "round-opened"]);
}

#[test]
fn a_seat_takes_commands_only_from_its_player() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 0);
    for command in [
        wager(1, "bea", 500, 0),
        withdraw(1, "bea"),
        leave(1, "bea"),
        sit_out(1, "bea"),
        decide(1, "bea", Decision::Check),
    ] {
        assert_eq!(felt.refused(command), Refusal::NotYourSeat);
    }
    assert_eq!(felt.refused(wager(3, "bea", 500, 0)), Refusal::SeatEmpty);
    assert_eq!(felt.refused(wager(8, "bea", 500, 0)), Refusal::NoSuchSeat { seats: 7 });
}

#[test]
fn a_player_who_joins_while_cards_are_out_plays_the_next_round() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    felt.wager(1, "ann", 500, 0);
    felt.issue("bea");
    felt.ok(join(2, "bea"));
    assert_eq!(felt.refused(wager(2, "bea", 500, 0)).code(), "betting-closed");
    felt.play_out();
    felt.run_out();
    assert_eq!(felt.missed(2), Some(0));
    felt.wager(2, "bea", 500, 0);
}

#[test]
fn a_name_is_1_to_64_visible_characters() {
    let mut felt = Felt::open("uth-standard");
    let long = "x".repeat(65);
    for name in [
        "",
        " ",
        " ann",
        "ann ",
        "an\nn",
        "an\tn",
        "an\0n",
        "\u{7f}",
        "\u{9b}ann",
        "\u{202e}nna",
        "an\u{2066}n",
        "ann\u{200f}",
        "an\u{200d}n",
        "an\u{ad}n",
        "an\u{a0}n",
        "an\u{2003}n",
        "\u{feff}ann",
        "\u{3164}",
        "\u{2800}",
        "ann\u{fe0f}",
        "ann\u{e0041}",
        &long,
    ] {
        assert_eq!(felt.refused(join(1, name)), Refusal::BadText, "{name:?}");
        assert_eq!(felt.refused(pause(name)), Refusal::BadText, "{name:?}");
        assert_eq!(felt.refused(close(name)), Refusal::BadText, "{name:?}");
    }
    let most = "ü".repeat(64);
    for name in ["a", "Ann Lee", "Анна", "安", "أنا", "O'Neil / 2", &most] {
        felt.ok(join(1, name));
        felt.ok(leave(1, name));
    }
}

#[test]
fn two_names_that_differ_are_two_players() {
    let mut felt = Felt::open("uth-standard");
    felt.ok(join(1, "ann"));
    felt.ok(join(2, "Ann"));
    assert_eq!(felt.refused(sit_out(1, "Ann")), Refusal::NotYourSeat);
}

#[test]
fn a_private_table_closes_when_its_last_player_leaves() {
    for house in ["uth-standard", "uth-california"] {
        let mut felt = Felt::without_clocks(house);
        felt.seat_all(&["ann", "bea"]);
        felt.ok(leave(1, "ann"));
        assert!(!felt.table.is_closed());
        felt.ok(leave(2, "bea"));
        assert!(felt.table.is_closed());
        assert_eq!(felt.refused(join(1, "ann")), Refusal::TableClosed);
    }
}

#[test]
fn a_private_table_plays_the_hand_of_its_last_player_and_closes() {
    let mut felt = Felt::without_clocks("utcp-standard");
    felt.seat_all(&["ann"]);
    felt.wager(1, "ann", 500, 500);
    felt.ok(deal("ann"));
    let events = told(&felt.ok(leave(1, "ann")));
    let all = ["player-leaving 1", "decided 1 by table", "round-over"];
    assert_eq!(events, [&all[..], &["player-left 1", "table-closed"]].concat());
    assert_eq!(felt.assert_records(), 1);
}
