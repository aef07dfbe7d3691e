//! The flow of money: stakes, payoffs, and refusals for lack of chips.

mod felt;

use std::collections::BTreeSet;

use croupier_rules::{Amount, Decision};
use croupier_table::{Account, Command, PlayerCommand, Refusal, Stage, Transfer};

use self::felt::{
    CHIPS, Felt, account, decide, decline, join, leave, seat, take_bank, told, wager, withdraw,
};

/// Carries out a command at a copy of the table, and returns the transfers that it would make.
fn moves(felt: &Felt, command: Command) -> Vec<Transfer> {
    felt.table.clone().handle(command, felt.now).expect("a good command").transfers
}

fn escrow(felt: &Felt) -> i64 {
    felt.ledger.balance(&Account::Escrow("t1".to_owned())).as_cents()
}

#[test]
fn a_wager_goes_from_the_player_into_escrow_bet_by_bet() {
    for house in ["uth-standard", "uth-washington", "uth-california", "utcp-standard"] {
        let mut felt = Felt::open(house);
        felt.seat_all(&["ann", "bea", "cy"]);
        if house == "uth-california" {
            felt.ok(decline(1, "ann"));
            felt.ok(take_bank(2, "bea", 5_000));
        }
        let transfers = moves(&felt, wager(1, "ann", 1_000, 500));
        let told: Vec<(&str, i64)> =
            transfers.iter().map(|moved| (&*moved.key, moved.amount.as_cents())).collect();
        let ante = [("t1/1/1/ante/stake/1", 1_000), ("t1/1/1/blind/stake/1", 1_000)];
        assert_eq!(told, [&ante[..], &[("t1/1/1/bonus/stake/1", 500)]].concat(), "{house}");
        for moved in &transfers {
            let ways = (&moved.from, moved.to.to_string());
            assert_eq!(ways, (&account("ann"), "escrow:t1".to_owned()), "{house}");
        }
        felt.wager(1, "ann", 1_000, 500);
        assert_eq!((escrow(&felt), felt.chips("ann")), (2_500, CHIPS - 2_500), "{house}");
    }
}

#[test]
fn a_wager_can_be_changed_and_taken_back_any_number_of_times() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    let mut keys = BTreeSet::new();
    for step in 0..40 {
        let command = match step % 4 {
            3 => withdraw(1, "ann"),
            change => wager(1, "ann", 500 * (change + 1), 500 * (change % 2)),
        };
        for moved in moves(&felt, command.clone()) {
            assert!(keys.insert(moved.key.clone()), "{} again", moved.key);
        }
        felt.ok(command);
    }
    assert_eq!((escrow(&felt), felt.chips("ann")), (0, CHIPS));
    assert_eq!(felt.refused(withdraw(1, "ann")).code(), "not-in-round");
}

#[test]
fn keys_stay_unique_when_a_seat_changes_hands_during_betting() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.issue("cy");
    for _ in 0..3 {
        felt.wager(1, "ann", 500, 0);
        felt.ok(leave(1, "ann"));
        felt.ok(join(1, "cy"));
        felt.wager(1, "cy", 500, 0);
        felt.ok(leave(1, "cy"));
        felt.ok(join(1, "ann"));
    }
    assert_eq!((felt.chips("ann"), felt.chips("cy")), (CHIPS, CHIPS));
}

#[test]
fn invalid_wager_amounts_are_refused() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    let most = i64::MAX;
    for (ante, bonus, code) in [
        (0, 0, "ante-too-small"),
        (0, 500, "bonus-without-ante"),
        (-500, 0, "ante-too-small"),
        (i64::MIN, 0, "ante-too-small"),
        (i64::MIN, i64::MIN, "ante-too-small"),
        (499, 0, "ante-too-small"),
        (501, 0, "ante-off-unit"),
        (10_500, 0, "ante-too-large"),
        (most, 0, "ante-too-large"),
        (most, most, "ante-too-large"),
        (500, -500, "bonus-too-small"),
        (500, i64::MIN, "bonus-too-small"),
        (500, 499, "bonus-too-small"),
        (500, 501, "bonus-off-unit"),
        (500, most, "bonus-too-large"),
    ] {
        assert_eq!(felt.refused(wager(1, "ann", ante, bonus)).code(), code, "{ante} and {bonus}");
    }
    for blind in [Amount::ZERO, Amount::cents(i64::MIN), Amount::MAX, Amount::cents(1_000)] {
        let (player, ante) = ("ann".to_owned(), Amount::cents(500));
        let (seat, bonus) = (seat(1), Amount::ZERO);
        let command = PlayerCommand::Wager { seat, ante, blind: Some(blind), bonus }.by(player);
        assert_eq!(felt.refused(command).code(), "blind-not-ante");
    }
    assert_eq!(felt.chips("ann"), CHIPS);
}

#[test]
fn a_wager_needs_its_chips() {
    let mut felt = Felt::open("uth-standard");
    felt.issue_only("ann", 2_400);
    felt.issue("bea");
    felt.ok(join(1, "ann"));
    felt.ok(join(2, "bea"));
    assert_eq!(felt.refused(wager(1, "ann", 1_500, 0)), Refusal::InsufficientChips);
    assert_eq!(felt.refused(wager(1, "ann", 1_000, 500)), Refusal::InsufficientChips);
    felt.wager(1, "ann", 1_000, 0);
    // Changing a wager can use the chips that it already has on the table.
    felt.wager(1, "ann", 500, 1_000);
    assert_eq!(felt.refused(wager(1, "ann", 1_000, 500)), Refusal::InsufficientChips);
    assert_eq!(felt.chips("ann"), 400, "and the old wager stands");
}

#[test]
fn a_player_without_chips_to_bet_stays_in_and_is_folded_on_timeout() {
    let mut felt = Felt::open("uth-standard");
    felt.issue_only("ann", 2_300);
    felt.issue("bea");
    felt.ok(join(1, "ann"));
    felt.ok(join(2, "bea"));
    felt.wager(1, "ann", 1_000, 0);
    felt.wager(2, "bea", 500, 0);
    for times in [4, 3] {
        let bet = decide(1, "ann", Decision::Bet(times));
        assert_eq!(felt.refused(bet), Refusal::InsufficientChips);
    }
    felt.decide(1, "ann", Decision::Check);
    felt.decide(2, "bea", Decision::Check);
    assert_eq!(felt.refused(decide(1, "ann", Decision::Bet(2))), Refusal::InsufficientChips);
    felt.decide(1, "ann", Decision::Check);
    felt.decide(2, "bea", Decision::Check);
    assert_eq!(felt.refused(decide(1, "ann", Decision::Bet(1))), Refusal::InsufficientChips);
    let events = told(&felt.run_out());
    assert_eq!(events, ["decided 1 by table", "decided 2 by table", "round-over"]);
    assert_eq!(felt.chips("ann"), 300);
}

#[test]
fn no_player_bets_chips_that_they_are_only_about_to_win() {
    // Alone at the table, the bet is settled at once. It must not matter whether ann would win.
    for seed in 0..60 {
        let mut felt = Felt::open("uth-standard").seeded(seed);
        felt.issue_only("ann", 2_300);
        felt.ok(join(1, "ann"));
        felt.wager(1, "ann", 1_000, 0);
        assert_eq!(
            felt.refused(decide(1, "ann", Decision::Bet(4))),
            Refusal::InsufficientChips,
            "seed {seed}"
        );
        assert_eq!(felt.chips("ann"), 300);
    }
}

#[test]
fn a_bank_needs_its_chips() {
    let mut felt = Felt::open("uth-california");
    felt.seat_all(&["ann", "bea"]);
    assert_eq!(felt.refused(take_bank(1, "ann", CHIPS + 1)), Refusal::InsufficientChips);
    assert_eq!(felt.refused(take_bank(1, "ann", i64::MAX)), Refusal::InsufficientChips);
    assert_eq!(felt.refused(take_bank(1, "ann", 0)).code(), "bank-empty");
    assert_eq!(felt.refused(take_bank(1, "ann", i64::MIN)).code(), "bank-empty");
    assert_eq!(felt.offered(), Some(1), "the bank is still offered to ann");
    felt.ok(take_bank(1, "ann", CHIPS));
    assert_eq!(felt.chips("ann"), 0);
}

#[test]
fn no_chips_go_from_one_player_to_another_where_the_house_banks() {
    let mut felt = Felt::open("uth-washington").replaying_every(20);
    felt.seat_all(&["ann", "bea", "cy"]);
    for _ in 0..20 {
        for (number, player) in [(1, "ann"), (2, "bea"), (3, "cy")] {
            felt.wager(number, player, 500, 500);
        }
        for (number, player) in [(1, "ann"), (2, "bea")] {
            felt.decide(number, player, Decision::Bet(4));
        }
        while felt.table.stage() == Some(Stage::Deciding) {
            let mut table = felt.table.clone();
            let deadline = table.next_deadline().expect("a deadline");
            for moved in table.handle_timeout(deadline).transfers {
                let players = [&moved.from, &moved.to].map(|of| matches!(of, Account::Player(_)));
                assert_ne!(players, [true, true], "{moved:?}");
            }
            felt.run_out();
        }
        felt.run_out();
    }
    let house = felt.ledger.balance(&Account::House("t1".to_owned())).as_cents();
    let players: i64 = ["ann", "bea", "cy"].iter().map(|player| felt.chips(player)).sum();
    assert_eq!(house + players, 3 * CHIPS);
    assert_ne!(house, 0);
}

#[test]
fn the_reported_result_of_a_round_is_the_booked_one() {
    let mut felt = Felt::open("uth-california");
    felt.seat_all(&["ann", "bea", "cy"]);
    felt.ok(take_bank(1, "ann", 5_000));
    felt.wager(2, "bea", 500, 500);
    felt.wager(3, "cy", 1_000, 0);
    felt.decide(2, "bea", Decision::Bet(4));
    felt.play_out();
    let played = felt.played.pop().expect("a round");
    assert_eq!((played.round, played.void), (1, false));
    let entry = &felt.journal[usize::try_from(played.version).expect("small") - 1];
    assert!(entry.body.starts_with("{\"event\":\"round-over\""), "{}", entry.body);
    let staked: Vec<(&str, bool, [i64; 3])> = played
        .seats
        .iter()
        .map(|seat| {
            let staked = [seat.ante, seat.bonus, seat.staked].map(Amount::as_cents);
            (&*seat.player, seat.banked, staked)
        })
        .collect();
    let wanted = [
        ("bea", false, [500, 500, 3_500]),
        ("cy", false, [1_000, 0, 2_000]),
        ("ann", true, [0, 0, 5_000]),
    ];
    assert_eq!(staked, wanted);
    for seat in &played.seats {
        assert_eq!(felt.chips(&seat.player), CHIPS + seat.net.as_cents());
    }
}
