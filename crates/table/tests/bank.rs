//! A player banks: to whom it is offered, for how long, and what he pays from.

mod felt;

use croupier_rules::Decision;
use croupier_table::{Account, Event, Refusal, Stage};

use self::felt::{
    CHIPS, Felt, close, deal, decide, decline, join, leave, pause, seat, sit_in, sit_out,
    take_bank, told, void, wager, withdraw,
};

fn california(players: &[&str]) -> Felt {
    let mut felt = Felt::open("uth-california");
    felt.seat_all(players);
    felt
}

/// Plays a round that whoever is asked first banks, and returns his seat.
fn a_banked_round(felt: &mut Felt) -> u32 {
    let (banker, _) = felt.somebody_banks(2_000);
    wager_all(felt, 500);
    felt.play_out();
    felt.run_out();
    banker
}

fn wager_all(felt: &mut Felt, ante: i64) {
    let seats = felt.table.seats().to_vec();
    for sitter in seats {
        let _ = felt.try_to(wager(sitter.seat.number(), &sitter.player, ante, 0));
    }
}

fn posted(felt: &Felt) -> i64 {
    felt.ledger.balance(&Account::Posted("t1".to_owned())).as_cents()
}

#[test]
fn the_bank_is_offered_clockwise_to_one_at_a_time() {
    let mut felt = california(&["ann", "bea", "cy"]);
    assert_eq!(felt.offered(), Some(1));
    assert_eq!(felt.refused(take_bank(2, "bea", 1_000)), Refusal::BankNotOffered);
    assert_eq!(felt.refused(decline(2, "bea")), Refusal::BankNotOffered);
    felt.ok(decline(1, "ann"));
    assert_eq!(felt.offered(), Some(2));
    assert_eq!(felt.refused(take_bank(1, "ann", 1_000)), Refusal::BankNotOffered);
    felt.ok(decline(2, "bea"));
    assert_eq!(felt.offered(), Some(3));
    felt.ok(take_bank(3, "cy", 1_000));
    assert_eq!((felt.offered(), felt.table.stage()), (None, Some(Stage::Betting)));
}

#[test]
fn each_offer_has_a_clock_of_its_own_and_who_lets_it_lapse_has_declined() {
    let mut felt = california(&["ann", "bea"]);
    felt.wait(4);
    felt.ok(decline(1, "ann"));
    assert_eq!(felt.table.next_deadline(), Some(felt.now.after(10)));
    assert!(felt.wait(9).is_empty());
    let events = felt.wait(1);
    assert_eq!(events[0], Event::BankDeclined { seat: seat(2), by_table: true });
    assert_eq!(told(&events), ["bank-declined 2 by table", "round-undealt"]);
    assert!(felt.played.is_empty(), "if all decline there is no round");
}

#[test]
fn the_next_has_a_whole_clock_when_the_one_before_gets_up_or_sits_out() {
    let mut felt = california(&["ann", "bea", "cy", "dee"]);
    felt.wait(9);
    felt.ok(leave(1, "ann"));
    assert_eq!(felt.offered(), Some(2));
    assert_eq!(felt.table.next_deadline(), Some(felt.now.after(10)));
    felt.wait(9);
    felt.ok(sit_out(2, "bea"));
    assert_eq!(felt.offered(), Some(3));
    assert_eq!(felt.table.next_deadline(), Some(felt.now.after(10)));
    // Somebody else who goes makes no clock longer.
    felt.wait(4);
    felt.ok(leave(4, "dee"));
    assert_eq!(felt.table.next_deadline(), Some(felt.now.after(6)));
}

#[test]
fn who_comes_does_not_take_an_offer_away() {
    let mut felt = california(&["ann", "bea", "cy"]);
    felt.ok(sit_out(1, "ann"));
    assert_eq!(felt.offered(), Some(2));
    felt.ok(sit_in(1, "ann"));
    assert_eq!(felt.offered(), Some(2), "it is hers until she answers");
    felt.ok(leave(1, "ann"));
    felt.issue("dee");
    felt.ok(join(1, "dee"));
    assert_eq!(felt.offered(), Some(2));
    felt.ok(decline(2, "bea"));
    assert_eq!(felt.offered(), Some(1), "then the first who was not asked is");
    felt.ok(decline(1, "dee"));
    assert_eq!(told(&felt.ok(decline(3, "cy"))), ["bank-declined 3", "round-undealt"]);
}

#[test]
fn nobody_banks_more_than_two_rounds_in_a_row() {
    let mut felt = california(&["ann", "bea", "cy"]);
    let bankers: Vec<u32> = (0..8).map(|_| a_banked_round(&mut felt)).collect();
    assert_eq!(bankers, [1, 1, 2, 2, 3, 3, 1, 1]);
    assert_eq!(felt.hold_records(), 8);
}

#[test]
fn who_has_banked_twice_is_not_asked_though_all_others_decline() {
    let mut felt = california(&["ann", "bea"]);
    a_banked_round(&mut felt);
    a_banked_round(&mut felt);
    for _ in 0..3 {
        assert_eq!(felt.offered(), Some(2));
        assert_eq!(told(&felt.ok(decline(2, "bea"))), ["bank-declined 2", "round-undealt"]);
        felt.run_out();
    }
    assert_eq!(felt.played.len(), 2);
}

#[test]
fn changing_seats_pauses_and_undealt_rounds_neither_count_nor_reset() {
    let mut felt = california(&["ann", "bea"]);
    assert_eq!(a_banked_round(&mut felt), 1, "her first hand");
    // Stopped before the deal, and passed by all.
    felt.ok(take_bank(1, "ann", 2_000));
    felt.ok(void("the shuffler jammed"));
    felt.run_out();
    felt.ok(decline(1, "ann"));
    felt.ok(decline(2, "bea"));
    felt.ok(pause("lunch"));
    felt.wait(1_000);
    felt.ok(croupier_table::Command::Resume);
    assert_eq!(felt.offered(), Some(1), "none of these was a hand");
    assert_eq!(a_banked_round(&mut felt), 1, "her second hand");
    felt.ok(decline(2, "bea"));
    felt.ok(leave(1, "ann"));
    felt.ok(join(5, "ann"));
    felt.run_out();
    assert_eq!(felt.offered(), Some(2), "she has had it twice, wherever she sits");
    felt.ok(decline(2, "bea"));
    felt.run_out();
    assert_eq!(felt.offered(), Some(2), "a round that bea declined is not a hand that she banked");
    assert_eq!(a_banked_round(&mut felt), 2);
    assert_eq!(a_banked_round(&mut felt), 2);
    assert_eq!(felt.offered(), Some(5));
}

#[test]
fn a_void_hand_counts_as_banked_once_cards_were_dealt() {
    let mut felt = california(&["ann", "bea"]);
    for hand in [1, 2] {
        assert_eq!(felt.offered(), Some(1), "hand {hand} is ann's");
        felt.ok(take_bank(1, "ann", 2_000));
        felt.wager(2, "bea", 500, 0);
        assert_eq!(felt.table.stage(), Some(Stage::Deciding), "cards are out");
        felt.ok(void("the shuffler jammed"));
        felt.run_out();
    }
    assert_eq!(felt.offered(), Some(2), "two void hands are two hands");
    // Her own void hand resets the count of another, as any dealt hand does.
    felt.ok(take_bank(2, "bea", 2_000));
    felt.wager(1, "ann", 500, 0);
    felt.ok(void("the shuffler jammed"));
    felt.run_out();
    felt.ok(decline(2, "bea"));
    assert_eq!(felt.offered(), Some(1));
    felt.hold_journal();
}

#[test]
fn a_posted_wager_is_not_lowered_once_another_seat_has_wagered() {
    let mut felt = california(&["ann", "bea", "cy"]);
    felt.ok(take_bank(1, "ann", 2_000));
    felt.ok(take_bank(1, "ann", 1_000));
    assert_eq!(felt.chips("ann"), CHIPS - 1_000, "before any wager it may be more or less");
    felt.wager(2, "bea", 500, 0);
    let refusal = felt.refused(take_bank(1, "ann", 999));
    assert_eq!(refusal.code(), "bank-lowered");
    assert_eq!(
        refusal.to_string(),
        "others have wagered against $10: the bank may post more, not less"
    );
    assert_eq!(felt.chips("ann"), CHIPS - 1_000, "nothing has changed");
    felt.ok(take_bank(1, "ann", 1_000));
    felt.ok(take_bank(1, "ann", 5_000));
    assert_eq!(felt.refused(take_bank(1, "ann", 4_999)).code(), "bank-lowered");
    // With no wager left against it, it is hers to lower again.
    felt.ok(withdraw(2, "bea"));
    felt.ok(take_bank(1, "ann", 1));
    assert_eq!(felt.chips("ann"), CHIPS - 1);
    felt.hold_journal();
}

#[test]
fn a_round_needs_two_different_players() {
    let mut felt = california(&["ann"]);
    // She waits for somebody, window after window.
    for _ in 0..5 {
        assert_eq!(told(&felt.run_out()), ["window-passed"]);
    }
    assert_eq!(felt.table.round_number(), 0);
    felt.issue("bea");
    assert_eq!(told(&felt.ok(join(5, "bea"))), ["player-joined 5", "round-opened"]);
    felt.ok(take_bank(1, "ann", 1_000));
    // The only other player goes: nobody is left to play against.
    let events = told(&felt.ok(leave(5, "bea")));
    assert_eq!(events, ["player-left 5", "round-undealt"]);
    assert_eq!(felt.chips("ann"), CHIPS);
}

#[test]
fn nobody_waits_for_company_for_ever() {
    let mut felt = california(&["ann"]);
    for window in 1..90 {
        assert_eq!(told(&felt.run_out()), ["window-passed"], "window {window}");
    }
    assert_eq!(told(&felt.run_out()), ["window-passed", "player-left 1 by table"]);
    assert_eq!(told(&felt.run_out()), ["table-closed"]);
}

#[test]
fn who_is_alone_may_take_the_bank_and_has_it_back() {
    let mut felt = california(&["ann", "bea"]);
    felt.ok(leave(2, "bea"));
    assert_eq!(felt.offered(), Some(1));
    assert_eq!(told(&felt.ok(take_bank(1, "ann", 1_000))), ["bank-taken 1", "round-undealt"]);
    assert_eq!(felt.chips("ann"), CHIPS);
}

#[test]
fn nobody_wagers_before_there_is_a_bank_and_the_bank_not_at_all() {
    let mut felt = california(&["ann", "bea"]);
    assert_eq!(felt.refused(wager(2, "bea", 500, 0)).code(), "nobody-banks");
    felt.ok(take_bank(1, "ann", 1_000));
    assert_eq!(felt.refused(wager(1, "ann", 500, 0)).code(), "banker-wagers");
    assert_eq!(felt.refused(withdraw(1, "ann")).code(), "not-in-round");
    felt.wager(2, "bea", 500, 0);
    assert_eq!(felt.refused(take_bank(2, "bea", 500)).code(), "betting-closed");
    assert_eq!(felt.refused(decide(1, "ann", Decision::Check)).code(), "not-in-round");
}

#[test]
fn a_private_table_has_no_cards_before_there_is_a_bank() {
    let mut felt = Felt::without_clocks("uth-california");
    felt.seat_all(&["ann", "bea"]);
    assert_eq!(felt.table.next_deadline(), None);
    assert_eq!(felt.refused(deal("bea")).code(), "nobody-banks");
    felt.ok(decline(1, "ann"));
    let events = told(&felt.ok(decline(2, "bea")));
    assert_eq!(events, ["bank-declined 2", "round-undealt", "round-opened"]);
    felt.ok(take_bank(1, "ann", 1_000));
    assert_eq!(felt.refused(deal("bea")).code(), "nobody-wagered");
    felt.wager(2, "bea", 500, 0);
    felt.ok(deal("ann"));
    felt.decide(2, "bea", Decision::Bet(4));
    assert_eq!(felt.hold_records(), 1);
}

#[test]
fn who_banks_may_post_more_or_less_until_no_more_bets() {
    let mut felt = california(&["ann", "bea"]);
    felt.ok(take_bank(1, "ann", 1_000));
    for cents in [3_000, 1, 50_000, CHIPS, 700] {
        felt.ok(take_bank(1, "ann", cents));
        assert_eq!((posted(&felt), felt.chips("ann")), (cents, CHIPS - cents));
    }
    assert_eq!(felt.refused(take_bank(1, "ann", CHIPS + 1)), Refusal::InsufficientChips);
    assert_eq!(felt.refused(take_bank(1, "ann", i64::MAX)), Refusal::InsufficientChips);
    for cents in [0, -1, i64::MIN] {
        assert_eq!(felt.refused(take_bank(1, "ann", cents)).code(), "bank-empty");
    }
    assert_eq!(posted(&felt), 700);
    felt.wager(2, "bea", 500, 0);
    assert_eq!(felt.refused(take_bank(1, "ann", 5_000)).code(), "betting-closed");
    felt.play_out();
    assert_eq!(posted(&felt), 0);
}

#[test]
fn no_more_bets_closes_a_california_table() {
    let mut felt = california(&["ann", "bea", "cy"]);
    felt.ok(take_bank(1, "ann", 5_000));
    assert_eq!(told(&felt.wager(2, "bea", 500, 0)), ["wagered 2"]);
    assert_eq!(told(&felt.wager(3, "cy", 500, 500)), ["wagered 3", "betting-closed", "dealt"]);
    let late = |felt: &mut Felt| {
        let chips = ["ann", "bea", "cy"].map(|player| felt.chips(player));
        for command in [
            wager(2, "bea", 1_000, 0),
            wager(2, "bea", 500, 500),
            withdraw(2, "bea"),
            wager(3, "cy", 500, 0),
            withdraw(3, "cy"),
            take_bank(1, "ann", 6_000),
        ] {
            assert_eq!(felt.refused(command).code(), "betting-closed");
        }
        assert_eq!(["ann", "bea", "cy"].map(|player| felt.chips(player)), chips);
    };
    late(&mut felt);
    felt.play_out();
    felt.run_out();

    // The window ends, although cy has not wagered.
    felt.somebody_banks(5_000);
    felt.wager(2, "bea", 500, 0);
    assert_eq!(told(&felt.run_out()), ["betting-closed", "dealt"]);
    late(&mut felt);
}

#[test]
fn the_house_never_banks_where_players_do_and_takes_nothing() {
    let mut felt = california(&["ann", "bea", "cy"]);
    for _ in 0..10 {
        a_banked_round(&mut felt);
    }
    let total: i64 = ["ann", "bea", "cy"].iter().map(|player| felt.chips(player)).sum();
    assert_eq!(total, 3 * CHIPS);
    let house = Account::House("t1".to_owned());
    assert!(felt.ledger.balances().all(|(account, _)| *account != house));
}

#[test]
fn nobody_banks_where_the_house_does() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    assert_eq!(felt.refused(take_bank(1, "ann", 1_000)).code(), "house-banks");
    assert_eq!(felt.refused(decline(1, "ann")), Refusal::BankNotOffered);
}

/// Posts so little that it runs out before every winner is paid, round after round.
#[test]
fn a_bank_that_runs_out_pays_as_far_as_it_goes_and_never_more() {
    let mut felt = california(&["ann", "bea", "cy", "dee", "eve"]).replaying_every(50);
    let mut ran_out = 0;
    for _ in 0..60 {
        if felt.table.seats().iter().any(|who| felt.chips(&who.player) < 10_000) {
            break;
        }
        let (banker, _) = felt.somebody_banks(600);
        wager_all(&mut felt, 500);
        while felt.table.stage() == Some(Stage::Deciding) {
            let round = felt.table.round().expect("a round");
            let deciding = round.to_decide().next().expect("somebody");
            let sitter = felt.table.seats().iter().find(|who| who.seat == deciding);
            let player = sitter.expect("a player").player.clone();
            felt.decide(deciding.number(), &player, Decision::Bet(4));
        }
        let played = felt.played.last().expect("a round");
        let bank = played.seats.iter().find(|played| played.banked).expect("a bank");
        assert_eq!((bank.seat.number(), bank.staked.as_cents()), (banker, 600));
        assert!(bank.net.as_cents() >= -600, "{bank:?}");
        assert!(bank.net.as_cents() <= 600, "{bank:?}");
        let total: i64 = played.seats.iter().map(|played| played.net.as_cents()).sum();
        assert_eq!(total, 0);
        let record = felt.records().pop().expect("a record");
        let record: serde_json::Value = serde_json::from_str(&record).expect("JSON");
        ran_out += u32::from(record["result"].to_string().contains("uncovered"));
        felt.run_out();
    }
    assert!(ran_out > 5, "it ran out {ran_out} times only");
    felt.hold_journal();
    felt.hold_records();
}

#[test]
fn two_decks_take_turns_over_the_rounds_that_were_dealt() {
    let mut felt = california(&["ann", "bea"]);
    let undealt = |felt: &mut Felt| {
        let banks = felt.offered().expect("an offer");
        felt.ok(take_bank(banks, ["ann", "bea"][banks as usize - 1], 2_000));
        felt.ok(void("a spilled drink"));
        felt.run_out();
    };
    a_banked_round(&mut felt);
    undealt(&mut felt);
    a_banked_round(&mut felt);
    undealt(&mut felt);
    undealt(&mut felt);
    undealt(&mut felt);
    // A void round in which cards were dealt has used its deck.
    felt.ok(take_bank(2, "bea", 2_000));
    felt.wager(1, "ann", 500, 0);
    assert_eq!(felt.table.view(None).round.map(|round| round.deck_colour.id()), Some("red"));
    felt.ok(void("the shuffler jammed"));
    felt.run_out();
    undealt(&mut felt);
    a_banked_round(&mut felt);
    let colours: Vec<String> = felt.records().iter().map(|record| colour(record)).collect();
    assert_eq!(colours, ["red", "blue", "red", "blue"]);

    // It is known after a checkpoint, too.
    for _ in 0..CHECKPOINT {
        a_banked_round(&mut felt);
    }
    let colours: Vec<String> = felt.records().iter().map(|record| colour(record)).collect();
    for (dealt, colour) in colours.iter().enumerate() {
        assert_eq!(colour, ["red", "blue"][dealt % 2], "dealt round {}", dealt + 1);
    }
    felt.hold_journal();

    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    for _ in 0..2 {
        felt.wager(1, "ann", 500, 0);
        felt.play_out();
        felt.run_out();
    }
    let colours: Vec<String> = felt.records().iter().map(|record| colour(record)).collect();
    assert_eq!(colours[0], colours[1], "one deck stays");
}

/// More rounds than there are from one checkpoint to the next.
const CHECKPOINT: u32 = 35;

fn colour(record: &str) -> String {
    let record: serde_json::Value = serde_json::from_str(record).expect("JSON");
    record["deck_colour"].as_str().expect("a colour").to_owned()
}

#[test]
fn a_table_that_closes_gives_the_bank_back() {
    let mut felt = california(&["ann", "bea"]);
    felt.ok(take_bank(1, "ann", 1_000));
    felt.ok(close("the room closes"));
    assert_eq!(felt.chips("ann"), CHIPS);
    assert!(felt.table.is_closed());
}
