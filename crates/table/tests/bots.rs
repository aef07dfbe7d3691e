//! The actions of bots and their times, which depend only on the journal.

mod felt;

use croupier_rules::Decision;
use croupier_table::{Awaited, BotAction, Terms, is_bot};

use felt::{CLOCKS, Felt, deal, decline, join, leave, seat, take_bank, terms, told};

const BOT: &str = "bot-0-t1";

/// Seats a player with chips.
fn sit(felt: &mut Felt, number: u32, player: &str) {
    felt.issue(player);
    felt.ok(join(number, player));
}

/// Returns the first bot's action, without its seat and name.
fn action(felt: &Felt) -> Option<BotAction> {
    felt.table.next_bot_action().map(|(_, _, action)| action)
}

#[test]
fn only_bots_have_errands() {
    let mut felt = Felt::without_clocks("uth-standard");
    sit(&mut felt, 1, "ann");
    assert_eq!(action(&felt), None);
    assert_eq!(felt.table.awaits(seat(1)), Some(Awaited::Wager));
    sit(&mut felt, 2, BOT);
    assert!(is_bot(BOT) && !is_bot("ann") && !is_bot("robot-1"));
    assert_eq!(felt.table.next_bot_action(), Some((seat(2), BOT, BotAction::Act(Awaited::Wager))));
}

#[test]
fn the_table_waits_for_a_bot_at_every_step_of_a_round() {
    let mut felt = Felt::without_clocks("uth-standard");
    sit(&mut felt, 1, "ann");
    sit(&mut felt, 2, BOT);
    felt.wager(2, BOT, 500, 0);
    assert_eq!(action(&felt), None, "it has wagered");
    felt.wager(1, "ann", 500, 0);
    felt.ok(deal("ann"));
    for _ in 0..2 {
        assert_eq!(action(&felt), Some(BotAction::Act(Awaited::Decision)));
        felt.decide(2, BOT, Decision::Check);
        assert_eq!(action(&felt), None, "it has decided");
        felt.decide(1, "ann", Decision::Check);
    }
    felt.decide(2, BOT, Decision::Fold);
    felt.decide(1, "ann", Decision::Fold);
    assert_eq!(action(&felt), Some(BotAction::Act(Awaited::Wager)), "the next round is open");
}

#[test]
fn a_bot_of_the_room_is_not_offered_the_bank() {
    let mut felt = Felt::open("uth-california");
    sit(&mut felt, 1, BOT);
    sit(&mut felt, 2, "ann");
    sit(&mut felt, 3, "bea");
    assert_eq!(felt.offered(), Some(2), "the first person clockwise, not the bot");
    assert_eq!(felt.refused(take_bank(1, BOT, 50_000)).code(), "bank-not-offered");
    felt.ok(decline(2, "ann"));
    assert_eq!(felt.offered(), Some(3));
    assert_eq!(told(&felt.ok(decline(3, "bea"))), ["bank-declined 3", "round-undealt"]);
    assert!(felt.played.is_empty(), "all people declined, so there is no round");
    felt.assert_journal();
}

#[test]
fn where_only_bots_could_bank_no_round_opens() {
    let mut felt = Felt::open("uth-california");
    sit(&mut felt, 1, BOT);
    sit(&mut felt, 2, "bot-1-t1");
    assert_eq!(felt.table.round_number(), 0);
    assert!(felt.table.needs_banker());
    sit(&mut felt, 3, "ann");
    assert!(!felt.table.needs_banker());
    // Ann banks two hands against the bots, and then no player is left who may bank.
    for _ in 0..2 {
        felt.ok(take_bank(3, "ann", 50_000));
        felt.wager(1, BOT, 500, 0);
        felt.wager(2, "bot-1-t1", 500, 0);
        felt.play_out();
        felt.run_out();
    }
    assert_eq!(felt.offered(), None);
    assert_eq!(felt.table.stage(), None);
    assert!(felt.table.needs_banker(), "the table waits for another player");
    sit(&mut felt, 4, "bea");
    assert_eq!(felt.offered(), Some(4));
}

#[test]
fn at_a_practice_table_a_bot_takes_the_bank_that_is_offered_to_it() {
    let practice = terms("uth-california", Some(CLOCKS));
    let practice = Terms::clone(&practice).with_practice_bank().expect("players bank here");
    assert!(practice.practice_bank());
    let mut felt = Felt::on(practice.into());
    sit(&mut felt, 1, BOT);
    assert_eq!(action(&felt), Some(BotAction::Leave), "only bots are there");
    sit(&mut felt, 2, "ann");
    assert_eq!(felt.table.awaits(seat(1)), Some(Awaited::Bank));
    assert_eq!(action(&felt), Some(BotAction::Act(Awaited::Bank)));
    felt.ok(take_bank(1, BOT, 50_000));
    assert_eq!(action(&felt), None, "the banker has nothing else to do");
    felt.assert_journal();
}

#[test]
fn a_practice_bank_is_for_tables_where_players_bank() {
    let house_banked = Terms::clone(&terms("uth-standard", None));
    assert_eq!(
        house_banked.with_practice_bank().unwrap_err().to_string(),
        "the house banks here: a practice bank is for tables where players bank"
    );
}

#[test]
fn bots_leave_when_only_bots_are_left() {
    let mut felt = Felt::open("uth-standard");
    sit(&mut felt, 1, "ann");
    sit(&mut felt, 2, BOT);
    felt.ok(leave(1, "ann"));
    assert_eq!(action(&felt), Some(BotAction::Leave));
    felt.ok(leave(2, BOT));
    assert_eq!(action(&felt), None);
    assert_eq!(felt.table.next_wake(), felt.table.next_deadline());
}

#[test]
fn a_table_is_woken_for_its_bots_as_for_its_clocks() {
    let mut felt = Felt::without_clocks("uth-standard");
    sit(&mut felt, 1, "ann");
    assert_eq!(felt.table.next_wake(), None, "without clocks and bots it is never woken");
    sit(&mut felt, 2, BOT);
    let thought = felt.table.bot_action_time();
    assert!(thought > felt.now, "it thinks");
    assert!(thought < felt.now.after(2_000), "but not for long");
    assert_eq!(felt.table.next_wake(), Some(thought));
    let mut felt = Felt::open("uth-standard");
    sit(&mut felt, 1, "ann");
    sit(&mut felt, 2, BOT);
    assert_eq!(felt.table.next_wake(), felt.table.next_deadline(), "its clock is shorter");
}
