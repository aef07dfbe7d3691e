//! The operator stops a round, pauses a table, or closes it.

mod felt;

use croupier_rules::Decision;
use croupier_table::{Command, Event, OperatorCommand, Refusal, Stage};
use serde_json::Value;

use self::felt::{
    CHIPS, Felt, close, commit, join, leave, pause, resume, sit_in, take_bank, told, void, wager,
};

const HOUSES: [&str; 4] = ["uth-washington", "uth-standard", "uth-california", "utcp-standard"];

/// Opens a table of ann, bea and cy in betting: ann has wagered, or banks if a player does.
fn betting(house: &str) -> Felt {
    let mut felt = Felt::open(house);
    felt.seat_all(&["ann", "bea", "cy"]);
    if felt.offered().is_some() {
        felt.ok(take_bank(1, "ann", 5_000));
    } else {
        felt.wager(1, "ann", 500, 0);
    }
    felt
}

fn dealt(house: &str) -> Felt {
    let mut felt = betting(house);
    felt.wager(2, "bea", 500, 500);
    felt.wager(3, "cy", 500, 0);
    assert_eq!(felt.table.stage(), Some(Stage::Deciding));
    felt
}

fn assert_all_chips_are_back(felt: &Felt) {
    for player in ["ann", "bea", "cy"] {
        assert_eq!(felt.chips(player), CHIPS, "{player}");
    }
}

#[test]
fn a_round_stopped_before_the_deal_returns_every_stake() {
    for house in HOUSES {
        let mut felt = betting(house);
        felt.wager(2, "bea", 500, 500);
        let shown = *felt.table.commitment().expect("a round");
        let events = felt.ok(void("the shuffler jammed"));
        // Every viewer can see that the seed matches its commitment.
        let [Event::RoundUndealt { reason, seed, seat_seeds }] = &events[..] else {
            panic!("{events:?}");
        };
        assert_eq!((&**reason, seat_seeds.len()), ("the shuffler jammed", 0));
        assert_eq!(seed.commitment("t1", felt.table.round_number()), shown);
        assert_eq!(events[0].shown()["seed"], seed.reveal());
        assert_all_chips_are_back(&felt);
        assert!(felt.played.is_empty() && felt.records().is_empty(), "{house}");
        assert_eq!(felt.refused(void("again")), Refusal::NoRound);
        assert_eq!(told(&felt.run_out()), ["round-opened"]);
    }
}

#[test]
fn a_round_stopped_while_seeds_are_shown_was_not_dealt() {
    let mut felt = betting("uth-standard");
    felt.ok(commit(1, "ann", croupier_table::Hash::of(b"luck")));
    felt.wager(2, "bea", 500, 0);
    felt.wager(3, "cy", 500, 0);
    assert_eq!(felt.table.stage(), Some(Stage::Revealing));
    assert_eq!(told(&felt.ok(void("the shuffler jammed"))), ["round-undealt"]);
    assert_all_chips_are_back(&felt);
}

#[test]
fn a_round_stopped_while_the_bank_is_offered_was_not_dealt() {
    let mut felt = Felt::open("uth-california");
    felt.seat_all(&["ann", "bea", "cy"]);
    assert_eq!(told(&felt.ok(void("the shuffler jammed"))), ["round-undealt"]);
}

#[test]
fn a_round_stopped_after_the_deal_is_void_and_its_record_says_why() {
    for house in HOUSES {
        let mut felt = dealt(house);
        felt.decide(2, "bea", felt.table.round().expect("a round").decisions(felt::seat(2))[0]);
        let events = felt.ok(void("the shuffler jammed"));
        assert_eq!(told(&events), ["stopped", "round-over"]);
        assert_all_chips_are_back(&felt);
        assert!(felt.played[0].void, "{house}");
        assert!(felt.played[0].seats.iter().all(|played| played.net.as_cents() == 0));
        let record: Value = serde_json::from_str(&felt.records()[0]).expect("JSON");
        assert_eq!(record["void"], "the shuffler jammed");
        assert_eq!(felt.assert_records(), 1);
        assert_eq!(told(&felt.run_out()), ["round-opened"]);
    }
}

#[test]
fn a_pause_lets_the_round_finish_and_opens_no_other() {
    let mut felt = betting("uth-standard");
    felt.ok(pause("the lights went out"));
    assert_eq!(felt.table.paused(), Some("the lights went out"));
    assert_eq!(felt.refused(pause("again")), Refusal::PausedAlready);
    felt.wager(2, "bea", 500, 0);
    felt.wager(3, "cy", 500, 0);
    felt.decide(2, "bea", Decision::Bet(4));
    felt.play_out();
    assert_eq!(felt.played.len(), 1);
    assert_eq!(felt.table.next_deadline(), None);
    assert!(felt.wait(1_000_000).is_empty());
    // Players come and go meanwhile.
    felt.ok(leave(3, "cy"));
    felt.ok(join(4, "cy"));
    assert_eq!(told(&felt.ok(resume())), ["resumed", "round-opened"]);
    assert_eq!(felt.refused(resume()), Refusal::NotPaused);
    assert_eq!(felt.table.round_number(), 2);
}

#[test]
fn a_table_that_resumes_between_rounds_waits_for_the_full_break() {
    let mut felt = dealt("uth-standard");
    felt.ok(pause("lunch"));
    felt.ok(void("lunch"));
    felt.wait(1);
    assert_eq!(told(&felt.ok(resume())), ["resumed"]);
    assert!(felt.wait(2).is_empty());
    assert_eq!(told(&felt.wait(1)), ["round-opened"]);
}

#[test]
fn closing_for_a_player_who_must_be_alone_ignores_bots() {
    let close = |player: &str| {
        OperatorCommand::Close { reason: "by its host".to_owned(), alone: Some(player.to_owned()) }
            .into()
    };
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea", "bot-1"]);
    assert_eq!(felt.refused(close("ann")), Refusal::OthersSit);
    assert_eq!(felt.refused(close("cy")), Refusal::OthersSit);
    felt.ok(leave(2, "bea"));
    assert!(!felt.table.is_closing());
    felt.ok(close("ann"));
    assert!(felt.table.is_closed() && felt.table.is_closing());
}

#[test]
fn closing_waits_for_a_dealt_round() {
    for house in HOUSES {
        let mut felt = dealt(house);
        assert_eq!(told(&felt.ok(close("the room closes"))), ["closing"]);
        assert_eq!(felt.refused(close("again")), Refusal::TableClosing);
        assert_eq!(felt.refused(join(5, "dee")), Refusal::TableClosing);
        assert_eq!(felt.table.stage(), Some(Stage::Deciding), "{house}");
        let events = told(&felt.play_out());
        let last = ["round-over".to_owned(), "table-closed".to_owned()];
        assert!(events.ends_with(&last), "{events:?}");
        assert!(felt.table.seats().is_empty());
        assert_eq!(felt.assert_records(), 1);
    }
}

#[test]
fn closing_undoes_a_round_that_was_not_dealt() {
    for house in HOUSES {
        let mut felt = betting(house);
        felt.wager(2, "bea", 500, 500);
        let events = felt.ok(close("the room closes"));
        assert_eq!(told(&events), ["closing", "round-undealt", "table-closed"]);
        let reason = "the room closes".to_owned();
        assert_eq!(events[2], Event::TableClosed { reason });
        assert_all_chips_are_back(&felt);
    }
}

#[test]
fn closing_between_rounds_is_immediate_even_when_paused() {
    let mut felt = dealt("uth-standard");
    felt.play_out();
    felt.ok(pause("lunch"));
    assert_eq!(told(&felt.ok(close("the room closes"))), ["closing", "table-closed"]);
    assert_eq!(felt.table.next_deadline(), None);
    assert!(felt.wait(1_000_000).is_empty());
}

#[test]
fn a_closed_table_takes_no_command() {
    let mut felt = betting("uth-standard");
    felt.ok(close("the room closes"));
    for command in [
        join(1, "ann"),
        leave(1, "ann"),
        sit_in(1, "ann"),
        wager(1, "ann", 500, 0),
        void(""),
        pause("lunch"),
        resume(),
        close("again"),
        felt::deal("ann"),
        Command::OpenRound { seed: croupier_table::Seed::from_bytes([1; 32]) },
    ] {
        assert_eq!(felt.refused(command), Refusal::TableClosed);
    }
}

#[test]
fn a_round_that_is_closing_can_still_be_stopped() {
    let mut felt = dealt("uth-standard");
    felt.ok(close("the room closes"));
    let events = told(&felt.ok(void("the lights went out")));
    assert_eq!(events, ["stopped", "round-over", "table-closed"]);
    assert_all_chips_are_back(&felt);
}
