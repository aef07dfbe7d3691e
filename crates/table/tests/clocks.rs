//! How long a table waits, and what it does on a timeout.

mod felt;

use croupier_rules::Decision;
use croupier_table::{Event, Refusal, Stage, Time};
use serde_json::Value;

use self::felt::{
    CHIPS, CLOCKS, Felt, deal, decline, join, leave, pause, resume, seat, sit_in, sit_out,
    take_bank, told, void, wager, withdraw,
};

#[test]
fn betting_closes_when_every_active_seat_has_wagered() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea", "cy"]);
    felt.ok(sit_out(3, "cy"));
    assert_eq!(told(&felt.wager(1, "ann", 500, 0)), ["wagered 1"]);
    // A player who changes the wager still counts once.
    assert_eq!(told(&felt.wager(1, "ann", 1_000, 0)), ["wagered 1"]);
    assert_eq!(told(&felt.wager(2, "bea", 500, 0)), ["wagered 2", "betting-closed", "dealt"]);
    assert_eq!(felt.missed(3), Some(1), "a player who sits out has missed it");
}

#[test]
fn betting_closes_when_its_window_ends() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 0);
    assert_eq!(felt.table.next_deadline(), Some(felt.now.after(20)));
    assert!(felt.wait(19).is_empty());
    felt.wager(1, "ann", 1_000, 0);
    assert_eq!(told(&felt.wait(1)), ["betting-closed", "dealt"]);
    for late in [wager(2, "bea", 500, 0), wager(1, "ann", 1_500, 0), withdraw(1, "ann")] {
        assert_eq!(felt.refused(late).code(), "betting-closed");
    }
    assert_eq!((felt.missed(1), felt.missed(2)), (Some(0), Some(1)));
}

#[test]
fn wagering_again_does_not_extend_the_window() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    let deadline = felt.table.next_deadline();
    for _ in 0..19 {
        felt.wait(1);
        felt.wager(1, "ann", 500, 0);
        assert_eq!(felt.table.next_deadline(), deadline);
    }
}

#[test]
fn a_betting_window_without_wagers_ends_its_round() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    assert_eq!(told(&felt.run_out()), ["round-undealt"]);
    assert!(felt.wait(3).is_empty(), "there is a break between rounds");
    assert_eq!(told(&felt.wait(1)), ["round-opened"]);
    assert_eq!(felt.table.round_number(), 2);
}

#[test]
fn every_street_has_its_own_window() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 0);
    felt.wager(2, "bea", 500, 0);
    for _ in 0..2 {
        assert_eq!(felt.table.next_deadline(), Some(felt.now.after(30)));
        felt.wait(20);
        felt.decide(1, "ann", Decision::Check);
        assert_eq!(
            felt.table.next_deadline(),
            Some(felt.now.after(10)),
            "for the other player too"
        );
        felt.decide(2, "bea", Decision::Check);
    }
    assert_eq!(felt.table.next_deadline(), Some(felt.now.after(30)));
}

#[test]
fn a_timeout_checks_and_folds_where_a_check_is_not_allowed() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 0);
    felt.wager(2, "bea", 500, 0);
    felt.decide(2, "bea", Decision::Check);
    assert_eq!(told(&felt.run_out()), ["decided 1 by table"]);
    assert_eq!(told(&felt.run_out()), ["decided 1 by table", "decided 2 by table"]);
    felt.decide(2, "bea", Decision::Bet(1));
    assert_eq!(told(&felt.run_out()), ["decided 1 by table", "round-over"]);
    assert_eq!(felt.chips("ann"), CHIPS - 1_000);
    let record: Value = serde_json::from_str(&felt.records()[0]).expect("JSON");
    let [ann, bea] = [&record["seats"][0], &record["seats"][1]];
    assert_eq!(ann["actions"], serde_json::json!(["check", "check", "fold"]));
    assert_eq!(ann["by_table"], serde_json::json!([0, 1, 2]));
    assert_eq!(bea["actions"], serde_json::json!(["check", "check", "bet 1"]));
    assert_eq!(bea["by_table"], serde_json::json!([1]));
}

#[test]
fn a_timeout_with_three_cards_folds() {
    let mut felt = Felt::open("utcp-standard");
    felt.seat_all(&["ann"]);
    felt.wager(1, "ann", 500, 0);
    let fold = Event::Decided { seat: seat(1), decision: Decision::Fold, by_table: true };
    let events = felt.run_out();
    assert_eq!(events[0], fold);
    assert_eq!(told(&events), ["decided 1 by table", "round-over"]);
}

#[test]
fn two_missed_windows_sit_a_player_out_and_ten_free_the_seat() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    for missed in 1..=10 {
        let events = told(&felt.wager(1, "ann", 500, 0));
        // From the third on, the table does not wait for bea.
        let waited = missed <= 2;
        let mut events = if waited { told(&felt.run_out()) } else { events[1..].to_vec() };
        events.retain(|event| event.ends_with("by table"));
        let expected: &[&str] = match missed {
            2 => &["sat-out 2 by table"],
            10 => &["player-left 2 by table"],
            _ => &[],
        };
        assert_eq!(events, expected, "after {missed}");
        assert_eq!(felt.missed(2), (missed < 10).then_some(missed));
        felt.play_out();
        felt.run_out();
    }
    assert_eq!(felt.missed(1), Some(0));
}

#[test]
fn wagering_or_sitting_in_resets_the_missed_windows() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 0);
    felt.play_out();
    felt.run_out();
    assert_eq!(felt.missed(2), Some(1));
    felt.wager(2, "bea", 500, 0);
    felt.wager(1, "ann", 500, 0);
    assert_eq!(felt.missed(2), Some(0));
    felt.play_out();
    for _ in 0..2 {
        felt.run_out();
        felt.wager(1, "ann", 500, 0);
        felt.play_out();
    }
    assert_eq!(felt.missed(2), Some(2));
    felt.ok(sit_in(2, "bea"));
    assert_eq!(felt.missed(2), Some(0));
}

#[test]
fn windows_pass_for_a_player_who_sits_out_at_a_table_without_rounds() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    felt.ok(sit_out(1, "ann"));
    assert_eq!(felt.missed(1), Some(0), "its window had not ended");
    for missed in 1..10 {
        assert_eq!(told(&felt.run_out()), ["window-passed"]);
        assert_eq!(felt.missed(1), Some(missed));
    }
    assert_eq!(told(&felt.run_out()), ["window-passed", "player-left 1 by table"]);
    assert_eq!(felt.table.next_deadline(), Some(felt.now.after(CLOCKS.empty)));
    assert_eq!(told(&felt.run_out()), ["table-closed"]);
}

#[test]
fn a_player_who_waits_for_a_second_player_misses_nothing() {
    let mut felt = Felt::open("uth-california");
    felt.seat_all(&["ann"]);
    assert_eq!(told(&felt.run_out()), ["window-passed"]);
    assert_eq!(felt.missed(1), Some(0));
    felt.issue("bea");
    felt.ok(join(2, "bea"));
    felt.ok(sit_out(2, "bea"));
    assert_eq!(told(&felt.run_out()), ["bank-declined 1 by table", "round-undealt"]);
    let missed = felt.missed(1);
    assert_eq!(told(&felt.run_out()), ["window-passed"]);
    assert_eq!((felt.missed(1), felt.missed(2)), (missed, Some(2)));
}

#[test]
fn a_stopped_or_paused_window_does_not_count_as_missed() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea", "cy"]);
    felt.wager(1, "ann", 500, 0);
    felt.ok(sit_out(3, "cy"));
    felt.ok(void("the shuffler jammed"));
    assert_eq!([1, 2, 3].map(|number| felt.missed(number)), [Some(0); 3]);
    felt.ok(sit_out(1, "ann"));
    felt.ok(sit_out(2, "bea"));
    felt.ok(pause("a fire drill"));
    assert_eq!(felt.table.next_deadline(), None);
    assert!(felt.wait(1_000_000).is_empty());
    felt.ok(resume());
    assert!(felt.wait(19).is_empty(), "the window starts over");
    assert_eq!(told(&felt.wait(1)), ["window-passed"]);
    assert_eq!([1, 2, 3].map(|number| felt.missed(number)), [Some(1); 3]);
}

#[test]
fn a_round_stopped_after_no_more_bets_is_missed_once() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    let commitment = croupier_table::Hash::of(b"something");
    felt.ok(felt::commit(1, "ann", commitment));
    felt.wager(1, "ann", 500, 0);
    felt.run_out();
    assert_eq!(felt.table.stage(), Some(Stage::Revealing));
    felt.ok(void("the shuffler jammed"));
    assert_eq!((felt.missed(1), felt.missed(2)), (Some(0), Some(1)));
}

#[test]
fn letting_the_bank_time_out_misses_a_window_and_declining_it_does_not() {
    let mut felt = Felt::open("uth-california");
    felt.seat_all(&["ann", "bea", "cy"]);
    felt.run_out();
    felt.ok(decline(2, "bea"));
    assert_eq!(told(&felt.ok(decline(3, "cy"))), ["bank-declined 3", "round-undealt"]);
    assert_eq!([1, 2, 3].map(|number| felt.missed(number)), [Some(1), Some(0), Some(0)]);
    felt.run_out();
    felt.run_out();
    // Two players have not been asked yet when the round is stopped.
    felt.ok(void("the shuffler jammed"));
    assert_eq!([1, 2, 3].map(|number| felt.missed(number)), [Some(2), Some(0), Some(0)]);
}

#[test]
fn an_empty_table_closes() {
    let mut felt = Felt::open("uth-standard");
    assert_eq!(felt.table.next_deadline(), Some(felt.now.after(60)));
    felt.wait(59);
    felt.seat_all(&["ann"]);
    felt.ok(leave(1, "ann"));
    assert!(felt.wait(59).is_empty(), "it has not been empty for long");
    assert_eq!(told(&felt.wait(1)), ["table-closed"]);
    assert_eq!(felt.table.next_deadline(), None);
    assert_eq!(felt.refused(join(1, "ann")), Refusal::TableClosed);
}

#[test]
fn an_empty_table_closes_even_if_it_is_paused() {
    let mut felt = Felt::open("uth-standard");
    felt.ok(pause("no players"));
    assert_eq!(told(&felt.run_out()), ["table-closed"]);
}

#[test]
fn without_clocks_there_are_no_deadlines_and_players_ask_for_cards() {
    let mut felt = Felt::without_clocks("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    assert_eq!(felt.refused(deal("ann")).code(), "nobody-wagered");
    assert_eq!(felt.refused(deal("cy")), Refusal::NotSeated);
    felt.wager(1, "ann", 500, 0);
    felt.wager(2, "bea", 500, 0);
    assert_eq!(felt.table.stage(), Some(Stage::Betting), "a player may still change a wager");
    assert_eq!(felt.table.next_deadline(), None);
    assert!(felt.wait(u32::MAX).is_empty());
    assert_eq!(told(&felt.ok(deal("bea"))), ["betting-closed", "dealt"]);
    assert_eq!(felt.table.next_deadline(), None);
    assert_eq!(felt.refused(deal("bea")).code(), "betting-closed");
    assert_eq!(felt.refused(wager(1, "ann", 500, 0)).code(), "betting-closed");
    felt.decide(1, "ann", Decision::Bet(3));
    let events = felt.decide(2, "bea", Decision::Bet(3));
    assert_eq!(told(&events), ["decided 2", "round-over", "round-opened"], "and no break");
}

#[test]
fn without_clocks_windows_are_not_counted() {
    let mut felt = Felt::without_clocks("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    for _ in 0..12 {
        felt.wager(1, "ann", 500, 0);
        felt.ok(deal("ann"));
        felt.decide(1, "ann", Decision::Bet(3));
    }
    assert_eq!(felt.missed(2), Some(0));
    felt.ok(void("a test"));
    assert_eq!(felt.missed(2), Some(0));
}

#[test]
fn a_table_with_clocks_does_not_deal_on_demand() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 0);
    assert_eq!(felt.refused(deal("ann")), Refusal::DealsByClock);
}

#[test]
fn a_clock_that_goes_back_stands_still() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wait(10);
    felt.wager(1, "ann", 500, 0);
    let at = felt.journal.last().expect("an entry").at;
    felt.now = Time::from_millis(i64::MIN);
    felt.wager(1, "ann", 1_000, 0);
    felt.wager(2, "bea", 500, 0);
    assert!(felt.journal.iter().rev().take(4).all(|entry| entry.at == at));
    assert_eq!(felt.table.next_deadline(), Some(at.after(30)));
    assert!(felt.wait(0).is_empty(), "no player is out of time before the clock is back");
    felt.now = at.after(30);
    assert_eq!(told(&felt.wait(0)), ["decided 1 by table", "decided 2 by table"]);
}

#[test]
fn a_clock_that_jumps_ends_one_window_and_no_more() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 0);
    felt.now = Time::from_millis(1 << 50);
    assert_eq!(told(&felt.wait(0)), ["betting-closed", "dealt"]);
    assert_eq!(felt.table.next_deadline(), Some(felt.now.after(30)));
    assert!(felt.wait(29).is_empty());
    // At the end of time every deadline has passed.
    felt.now = Time::from_millis(i64::MAX);
    while !felt.table.is_closed() {
        felt.run_out();
    }
    assert_eq!(felt.played.len(), 1);
}

#[test]
fn waking_a_table_too_early_changes_nothing() {
    for house in ["uth-standard", "uth-california"] {
        let mut felt = Felt::open(house);
        felt.seat_all(&["ann", "bea"]);
        if felt.offered().is_some() {
            felt.ok(take_bank(1, "ann", 1_000));
        } else {
            felt.wager(1, "ann", 500, 0);
        }
        let before = felt.table.clone();
        for _ in 0..3 {
            assert!(felt.wait(5).is_empty());
        }
        assert_eq!(felt.table, before);
    }
}
