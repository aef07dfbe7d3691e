//! Player banking: the seats that the bank is offered to, for how long, and the source of payoffs.

mod felt;

use croupier_rules::Decision;
use croupier_table::{Account, Event, Refusal, Stage};

use self::felt::{
    CHIPS, Felt, close, deal, decide, decline, join, leave, pause, resume, seat, sit_in, sit_out,
    take_bank, told, void, wager, withdraw,
};

fn california(players: &[&str]) -> Felt {
    let mut felt = Felt::open("uth-california");
    felt.seat_all(players);
    felt
}

/// Plays a round that the first player asked banks, and returns the seat.
fn a_banked_round(felt: &mut Felt) -> u32 {
    let (banker, _) = felt.offered_player_banks(2_000);
    wager_all(felt, 500);
    felt.play_out();
    felt.run_out();
    banker
}

fn wager_all(felt: &mut Felt, ante: i64) {
    let seats = felt.table.seats().to_vec();
    for seated in seats {
        let _ = felt.try_to(wager(seated.seat.number(), &seated.player, ante, 0));
    }
}

fn posted(felt: &Felt) -> i64 {
    felt.ledger.balance(&Account::Posted("t1".to_owned())).as_cents()
}

#[test]
fn the_bank_is_offered_clockwise_to_one_player_at_a_time() {
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
fn each_offer_has_its_own_clock_and_times_out_as_declined() {
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
fn the_next_player_gets_a_full_clock_when_the_one_before_leaves_or_sits_out() {
    let mut felt = california(&["ann", "bea", "cy", "dee"]);
    felt.wait(9);
    felt.ok(leave(1, "ann"));
    assert_eq!(felt.offered(), Some(2));
    assert_eq!(felt.table.next_deadline(), Some(felt.now.after(10)));
    felt.wait(9);
    felt.ok(sit_out(2, "bea"));
    assert_eq!(felt.offered(), Some(3));
    assert_eq!(felt.table.next_deadline(), Some(felt.now.after(10)));
    // Another player who leaves does not extend the clock.
    felt.wait(4);
    felt.ok(leave(4, "dee"));
    assert_eq!(felt.table.next_deadline(), Some(felt.now.after(6)));
}

#[test]
fn a_player_who_joins_does_not_take_an_offer_away() {
    let mut felt = california(&["ann", "bea", "cy"]);
    felt.ok(sit_out(1, "ann"));
    assert_eq!(felt.offered(), Some(2));
    felt.ok(sit_in(1, "ann"));
    assert_eq!(felt.offered(), Some(2), "it stays with bea until she answers");
    felt.ok(leave(1, "ann"));
    felt.issue("dee");
    felt.ok(join(1, "dee"));
    assert_eq!(felt.offered(), Some(2));
    felt.ok(decline(2, "bea"));
    assert_eq!(felt.offered(), Some(1), "then the first player not yet asked");
    felt.ok(decline(1, "dee"));
    assert_eq!(told(&felt.ok(decline(3, "cy"))), ["bank-declined 3", "round-undealt"]);
}

#[test]
fn no_player_banks_more_than_two_rounds_in_a_row() {
    let mut felt = california(&["ann", "bea", "cy"]);
    let bankers: Vec<u32> = (0..8).map(|_| a_banked_round(&mut felt)).collect();
    assert_eq!(bankers, [1, 1, 2, 2, 3, 3, 1, 1]);
    assert_eq!(felt.assert_records(), 8);
}

#[test]
fn a_player_who_banked_twice_is_not_asked_even_if_all_others_decline() {
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
    assert_eq!(a_banked_round(&mut felt), 1, "ann's first hand");
    // One round is stopped before the deal, and one is declined by all.
    felt.ok(take_bank(1, "ann", 2_000));
    felt.ok(void("the shuffler jammed"));
    felt.run_out();
    felt.ok(decline(1, "ann"));
    felt.ok(decline(2, "bea"));
    felt.ok(pause("lunch"));
    felt.wait(1_000);
    felt.ok(resume());
    assert_eq!(felt.offered(), Some(1), "none of these was a hand");
    assert_eq!(a_banked_round(&mut felt), 1, "ann's second hand");
    felt.ok(decline(2, "bea"));
    felt.ok(leave(1, "ann"));
    felt.ok(join(5, "ann"));
    felt.run_out();
    assert_eq!(felt.offered(), Some(2), "ann has had it twice, whatever her seat");
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
    // Bea's void hand resets ann's count, as any dealt hand does.
    felt.ok(take_bank(2, "bea", 2_000));
    felt.wager(1, "ann", 500, 0);
    felt.ok(void("the shuffler jammed"));
    felt.run_out();
    felt.ok(decline(2, "bea"));
    assert_eq!(felt.offered(), Some(1));
    felt.assert_journal();
}

#[test]
fn a_posted_wager_is_not_lowered_once_another_seat_has_wagered() {
    let mut felt = california(&["ann", "bea", "cy"]);
    felt.ok(take_bank(1, "ann", 2_000));
    felt.ok(take_bank(1, "ann", 1_000));
    assert_eq!(felt.chips("ann"), CHIPS - 1_000, "before any wager it can go up or down");
    felt.wager(2, "bea", 500, 0);
    let refusal = felt.refused(take_bank(1, "ann", 999));
    assert_eq!(refusal.code(), "bank-lowered");
    assert_eq!(
        refusal.to_string(),
        "other seats have wagered against $10: you can post more, not less"
    );
    assert_eq!(felt.chips("ann"), CHIPS - 1_000, "nothing has changed");
    felt.ok(take_bank(1, "ann", 1_000));
    felt.ok(take_bank(1, "ann", 5_000));
    assert_eq!(felt.refused(take_bank(1, "ann", 4_999)).code(), "bank-lowered");
    // With no wager left against it, ann can lower it again.
    felt.ok(withdraw(2, "bea"));
    felt.ok(take_bank(1, "ann", 1));
    assert_eq!(felt.chips("ann"), CHIPS - 1);
    felt.assert_journal();
}

#[test]
fn a_round_needs_two_different_players() {
    let mut felt = california(&["ann"]);
    // Ann waits for another player, window after window.
    for _ in 0..5 {
        assert_eq!(told(&felt.run_out()), ["window-passed"]);
    }
    assert_eq!(felt.table.round_number(), 0);
    felt.issue("bea");
    assert_eq!(told(&felt.ok(join(5, "bea"))), ["player-joined 5", "round-opened"]);
    felt.ok(take_bank(1, "ann", 1_000));
    // The only other player leaves, so no player is left to play against.
    let events = told(&felt.ok(leave(5, "bea")));
    assert_eq!(events, ["player-left 5", "round-undealt"]);
    assert_eq!(felt.chips("ann"), CHIPS);
}

#[test]
fn no_player_waits_for_others_forever() {
    let mut felt = california(&["ann"]);
    for window in 1..90 {
        assert_eq!(told(&felt.run_out()), ["window-passed"], "window {window}");
    }
    assert_eq!(told(&felt.run_out()), ["window-passed", "player-left 1 by table"]);
    assert_eq!(told(&felt.run_out()), ["table-closed"]);
}

#[test]
fn a_lone_player_may_take_the_bank_and_gets_it_back() {
    let mut felt = california(&["ann", "bea"]);
    felt.ok(leave(2, "bea"));
    assert_eq!(felt.offered(), Some(1));
    assert_eq!(told(&felt.ok(take_bank(1, "ann", 1_000))), ["bank-taken 1", "round-undealt"]);
    assert_eq!(felt.chips("ann"), CHIPS);
}

#[test]
fn no_player_wagers_before_there_is_a_bank_and_the_banker_never_does() {
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
fn a_private_table_deals_no_cards_before_there_is_a_bank() {
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
    assert_eq!(felt.assert_records(), 1);
}

#[test]
fn the_banker_may_post_more_or_less_until_no_more_bets() {
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
    felt.offered_player_banks(5_000);
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
fn no_player_banks_where_the_house_does() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    assert_eq!(felt.refused(take_bank(1, "ann", 1_000)).code(), "house-banks");
    assert_eq!(felt.refused(decline(1, "ann")), Refusal::BankNotOffered);
}

/// Posts so little, round after round, that it runs out before every winner is paid.
#[test]
fn a_bank_that_runs_out_pays_up_to_the_amount_posted() {
    let mut felt = california(&["ann", "bea", "cy", "dee", "eve"]).replaying_every(50);
    let mut ran_out = 0;
    for _ in 0..60 {
        if felt.table.seats().iter().any(|who| felt.chips(&who.player) < 10_000) {
            break;
        }
        let (banker, _) = felt.offered_player_banks(600);
        wager_all(&mut felt, 500);
        while felt.table.stage() == Some(Stage::Deciding) {
            let round = felt.table.round().expect("a round");
            let deciding = round.to_decide().next().expect("a seat to decide");
            let seated = felt.table.seats().iter().find(|who| who.seat == deciding);
            let player = seated.expect("a player").player.clone();
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
    assert!(ran_out > 5, "it ran out only {ran_out} times");
    felt.assert_journal();
    felt.assert_records();
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

    // A checkpoint keeps the count.
    for _ in 0..CHECKPOINT {
        a_banked_round(&mut felt);
    }
    let colours: Vec<String> = felt.records().iter().map(|record| colour(record)).collect();
    for (dealt, colour) in colours.iter().enumerate() {
        assert_eq!(colour, ["red", "blue"][dealt % 2], "dealt round {}", dealt + 1);
    }
    felt.assert_journal();

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

/// More rounds than from one checkpoint to the next.
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

const BOTS: [&str; 3] = ["bot-0-t1", "bot-1-t1", "bot-2-t1"];

/// Opens a table without clocks where ann, at seat 1, may bank against three bots.
fn against_bots() -> Felt {
    let mut felt = Felt::without_clocks("uth-california");
    felt.seat_all(&["ann", BOTS[0], BOTS[1], BOTS[2]]);
    felt.ok(take_bank(1, "ann", 50_000));
    felt
}

#[test]
fn the_banker_may_call_for_the_cards_once_a_seat_has_wagered() {
    let mut felt = against_bots();
    assert!(!felt.table.may_deal("ann"), "no seat has wagered");
    assert!(!felt.table.may_deal("bea"), "only a seated player may");
    for (number, bot) in (2..).zip(BOTS) {
        felt.wager(number, bot, 500, 0);
    }
    assert!(felt.table.may_deal("ann"));
    felt.ok(deal("ann"));
    assert_eq!(felt.table.stage(), Some(Stage::Deciding));
    assert!(!felt.table.may_deal("ann"), "the cards are out");
    for (number, bot) in (2..).zip(BOTS) {
        felt.decide(number, bot, Decision::Bet(4));
    }
    assert_eq!(felt.played.len(), 1);
    felt.assert_journal();
}

#[test]
fn a_banker_who_leaves_before_any_wager_takes_the_bank_along() {
    for mut felt in [against_bots(), {
        let mut felt = Felt::open("uth-california");
        felt.seat_all(&["ann", BOTS[0], BOTS[1], BOTS[2]]);
        felt.ok(take_bank(1, "ann", 50_000));
        felt
    }] {
        let events = told(&felt.ok(leave(1, "ann")));
        assert_eq!(events[..3], ["player-leaving 1", "round-undealt", "player-left 1"]);
        assert_eq!(felt.chips("ann"), CHIPS, "the bank is back");
        felt.assert_journal();
    }
}

#[test]
fn a_banker_who_leaves_after_a_wager_plays_the_round_and_then_leaves() {
    let mut felt = against_bots();
    felt.wager(2, BOTS[0], 500, 0);
    let events = told(&felt.ok(leave(1, "ann")));
    assert_eq!(events, ["player-leaving 1", "betting-closed", "dealt"]);
    felt.decide(2, BOTS[0], Decision::Bet(4));
    assert_eq!(felt.played.len(), 1, "the round is settled");
    assert!(felt.table.seats().iter().all(|sitter| sitter.player != "ann"), "and ann is gone");
    felt.assert_journal();
}
