//! The actions of bots and their times, which depend only on the journal.

mod felt;

use croupier_rules::Decision;
use croupier_table::{Awaited, BotAction, Clocks, Stage, Terms, Time, is_bot};

use felt::{
    CLOCKS, Felt, deal, decline, join, leave, seat, sit_in, sit_out, take_bank, terms, told,
};

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
    let thought = felt.table.bot_action_time().expect("a bot has something to do");
    assert!(thought > felt.now, "it thinks");
    assert!(thought < felt.now.after(2_000), "but not for long");
    assert_eq!(felt.table.next_wake(), Some(thought));
    let mut felt = Felt::open("uth-standard");
    sit(&mut felt, 1, "ann");
    sit(&mut felt, 2, BOT);
    assert_eq!(felt.table.next_wake(), felt.table.next_deadline(), "its clock is shorter");
}

/// Longer than any clock.
const OWN_PACE: u32 = 600_000;

/// Opens a table where people set the pace, with clocks or without.
fn at_own_pace(house: &str, clocks: Option<Clocks>) -> Felt {
    let terms = Terms::clone(&terms(house, clocks)).with_own_pace(OWN_PACE);
    Felt::on(terms.expect("good terms").into())
}

/// Lets the next bot act when its time has come. Returns false if there is none.
fn let_one_act(felt: &mut Felt) -> bool {
    let Some((seat, bot, action)) = felt.table.next_bot_action() else { return false };
    let (player, number) = (bot.to_owned(), seat.number());
    let at = felt.table.bot_action_time().expect("a bot acts");
    felt.now = felt.now.max(at);
    match action {
        BotAction::Act(Awaited::Wager | Awaited::Seed) => drop(felt.wager(number, &player, 500, 0)),
        BotAction::Act(Awaited::Bank) => drop(felt.ok(take_bank(number, &player, 50_000))),
        BotAction::Act(Awaited::Decision) => {
            let round = felt.table.round().expect("a round");
            let decision = *round.decisions(seat).last().expect("a decision");
            felt.decide(number, &player, decision);
        }
        BotAction::SitIn => drop(felt.ok(sit_in(number, &player))),
        BotAction::Leave => drop(felt.ok(leave(number, &player))),
    }
    true
}

/// Lets the bots act until they have nothing more to do, and returns the time that it took.
fn let_bots_act(felt: &mut Felt) -> i64 {
    let start = felt.now;
    while let_one_act(felt) {}
    felt.now.as_millis() - start.as_millis()
}

/// Lets the bots act until the person at seat 1 is awaited, and returns the time that it took.
fn wait_for_bots(felt: &mut Felt) -> i64 {
    let start = felt.now;
    while felt.table.awaits(seat(1)).is_none() {
        assert!(let_one_act(felt), "the table waits for nothing");
    }
    felt.now.as_millis() - start.as_millis()
}

/// Seats a person at seat 1 and bots at the others.
fn with_bots(felt: &mut Felt, bots: u32) {
    sit(felt, 1, "ann");
    for number in 0..bots {
        sit(felt, number + 2, &format!("bot-{number}-t1"));
    }
}

#[test]
fn six_bots_make_a_round_no_longer_than_the_person_makes_it() {
    for clocks in [None, Some(Clocks::default())] {
        let mut felt = at_own_pace("uth-standard", clocks);
        with_bots(&mut felt, 6);
        let looked = let_bots_act(&mut felt);
        assert!(looked <= 500, "all six wager at once: {looked} ms");
        let start = felt.now;
        felt.wager(1, "ann", 500, 0);
        if clocks.is_none() {
            felt.ok(deal("ann"));
        }
        for decision in [Decision::Check, Decision::Check, Decision::Bet(1)] {
            assert_eq!(felt.table.stage(), Some(Stage::Deciding));
            felt.decide(1, "ann", decision);
            let waited = wait_for_bots(&mut felt);
            assert!(waited <= 500, "{decision}: {waited} ms");
        }
        let took = felt.now.as_millis() - start.as_millis();
        assert_eq!(felt.played.len(), 1, "the round is over");
        assert!(took <= 1_000, "{took} ms");
        assert_eq!(felt.table.stage(), Some(Stage::Betting), "the next round is open at once");
        felt.assert_journal();
    }
}

#[test]
fn bots_act_at_once_when_the_person_has_nothing_more_to_decide() {
    let mut felt = at_own_pace("uth-standard", Some(Clocks::default()));
    with_bots(&mut felt, 3);
    felt.wager(1, "ann", 500, 0);
    assert_eq!(felt.table.stage(), Some(Stage::Betting));
    assert_eq!(felt.table.bot_action_time(), Some(felt.now), "the person waits for nothing");
    let_bots_act(&mut felt);
    felt.decide(1, "ann", Decision::Bet(4));
    assert_eq!(let_bots_act(&mut felt), 500, "only the wagers of the next round come later");
    assert_eq!(felt.played.len(), 1);
    felt.assert_journal();
}

#[test]
fn bots_think_while_the_person_does() {
    let mut felt = at_own_pace("uth-standard", None);
    with_bots(&mut felt, 6);
    let_bots_act(&mut felt);
    felt.wager(1, "ann", 500, 0);
    felt.ok(deal("ann"));
    let first = felt.table.bot_action_time().expect("a bot decides");
    assert!(first > felt.now.after(500), "they do not all decide before the cards are seen");
    let thought = let_bots_act(&mut felt);
    assert!(thought < 2_000, "and they think at the same time: {thought} ms");
}

#[test]
fn no_clock_runs_for_a_person_alone() {
    let mut felt = at_own_pace("uth-standard", Some(CLOCKS));
    with_bots(&mut felt, 2);
    let_bots_act(&mut felt);
    let shown = |felt: &Felt| felt.table.view(Some("ann")).deadline;
    for _ in 0..3 {
        assert_eq!(felt.table.stage(), Some(Stage::Betting), "there is no pause between rounds");
        felt.wait(OWN_PACE / 2);
        assert_eq!((felt.table.stage(), shown(&felt)), (Some(Stage::Betting), None));
        felt.wager(1, "ann", 500, 0);
        let_bots_act(&mut felt);
        felt.wait(OWN_PACE / 2);
        assert_eq!((felt.table.stage(), shown(&felt)), (Some(Stage::Deciding), None));
        felt.decide(1, "ann", Decision::Bet(4));
        let_bots_act(&mut felt);
    }
    assert_eq!(felt.played.len(), 3);
    felt.assert_journal();
}

#[test]
fn the_clocks_run_while_a_second_person_is_there() {
    let mut felt = at_own_pace("uth-standard", Some(CLOCKS));
    with_bots(&mut felt, 1);
    let shown = |felt: &Felt| felt.table.view(None).deadline;
    felt.wait(1_000);
    sit(&mut felt, 5, "bea");
    assert_eq!(shown(&felt), Some(felt.now.after(CLOCKS.betting)), "the clock starts again");
    let_bots_act(&mut felt);
    felt.wager(1, "ann", 500, 0);
    felt.wager(5, "bea", 500, 0);
    assert_eq!(shown(&felt), Some(felt.now.after(CLOCKS.decision)));
    felt.ok(leave(5, "bea"));
    assert_eq!(shown(&felt), None, "ann is alone again");
    felt.assert_journal();
}

#[test]
fn a_person_who_is_gone_does_not_keep_a_table_open() {
    let mut felt = at_own_pace("uth-standard", Some(CLOCKS));
    with_bots(&mut felt, 2);
    let start: Time = felt.now;
    while !felt.table.is_closed() {
        let_bots_act(&mut felt);
        felt.run_out();
        assert!(felt.now < start.after(24 * OWN_PACE), "{:?}", felt.table);
    }
    felt.assert_journal();
}

#[test]
fn bots_do_not_play_while_every_person_sits_out() {
    let mut felt = at_own_pace("uth-standard", Some(Clocks::default()));
    with_bots(&mut felt, 2);
    felt.ok(sit_out(1, "ann"));
    let_bots_act(&mut felt);
    assert_eq!(felt.table.stage(), None, "no round is open");
    let rounds = felt.table.round_number();
    felt.wait(60_000);
    assert_eq!(felt.table.round_number(), rounds);
    felt.ok(sit_in(1, "ann"));
    assert_eq!(felt.table.stage(), Some(Stage::Betting));
    felt.assert_journal();
}
