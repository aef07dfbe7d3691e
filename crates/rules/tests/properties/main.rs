//! Properties of every round, at shipped houses and at generated ones.
//!
//! The cases come from a fixed seed, 256 per test; `PROPTEST_CASES=10000` runs more. A failing case
//! is shrunk as far as possible and printed.

mod cases;
#[expect(dead_code, reason = "the fuzz targets check everything at once")]
#[expect(unreachable_pub, reason = "it is also part of a library")]
#[path = "../../../../fuzz/src/watched.rs"]
mod watched;

use std::sync::Arc;

use cases::{Case, Script, any_action, case, script};
use croupier_rules::{
    Action, Bet, Catalog, Decision, Event, FinishedRound, NarratedWager, Narration, Ratio, Record,
    WagerResult,
};
use croupier_testing::{record_schema, schema_faults};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use watched::{Watched, assert_sum};

fn config() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(0x0c20_0919),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Plays a round, stops it where the script says so, and calls `look` after every action.
fn play(case: &Case, script: &Script, mut look: impl FnMut(&Watched)) -> Watched {
    let mut watched = Watched::new(Arc::clone(&case.house), case.bonus.clone());
    let mut left = script.void_after.unwrap_or(usize::MAX);
    look(&watched);
    let mut act = |watched: &mut Watched, action: Action| {
        // A stop replaces the action that was next.
        let action = if left == 0 { Action::Void("a test".to_owned()) } else { action };
        left = left.saturating_sub(1);
        watched.act(&action).unwrap_or_else(|refusal| panic!("{action:?}: {refusal}"));
        look(watched);
        watched.round.settlement().is_none()
    };
    for wager in case.wagers() {
        if !act(&mut watched, wager) {
            return watched;
        }
    }
    for &card in case.deck.cards() {
        if watched.round.next_card().is_some() && !act(&mut watched, Action::Deal(card)) {
            return watched;
        }
    }
    for choice in script.choices.iter().cycle() {
        let waiting: Vec<_> = watched.round.to_decide().collect();
        let seat = waiting[choice.seat.index(waiting.len())];
        let decisions = watched.round.decisions(seat);
        let decision = decisions[choice.decision.index(decisions.len())];
        let by_table = choice.by_table && !matches!(decision, Decision::Bet(_));
        let by = if by_table { croupier_rules::Actor::Table } else { watched.player(seat) };
        if !act(&mut watched, Action::Decide { seat, by, decision }) {
            break;
        }
    }
    watched
}

/// Writes the record of a round from its wagers and decisions.
fn write(case: &Case, watched: &Watched) -> Value {
    let seats: Vec<Value> = case.players.iter().map(|player| write_seat(player, watched)).collect();
    let deck: Vec<String> = case.deck.cards().iter().map(ToString::to_string).collect();
    let mut record = json!({
        "format": croupier_rules::FORMAT,
        "house": serde_json::to_value(&*case.house).expect("plain data"),
        "deck": deck,
        "seats": seats,
    });
    if let Some(bonus) = &case.bonus {
        record["bonus_paytable"] = json!(bonus.id());
    }
    if let Some((seat, wager)) = case.banker {
        record["banker"] = json!({"seat": seat, "wager": wager, "player": "bank"});
    }
    let void = watched.events().iter().find_map(|event| match event {
        Event::Voided(reason) => Some(reason),
        _ => None,
    });
    if let Some(reason) = void {
        record["void"] = json!(reason);
    }
    record
}

fn write_seat(player: &cases::Player, watched: &Watched) -> Value {
    let decided = watched.events().iter().filter_map(|event| match event {
        Event::Decided { seat, decision, by_table } if *seat == player.seat => {
            let word = match decision {
                Decision::Check => "check".to_owned(),
                Decision::Fold => "fold".to_owned(),
                Decision::Bet(times) => format!("bet {times}"),
            };
            Some((word, *by_table))
        }
        _ => None,
    });
    let (actions, by_table): (Vec<String>, Vec<bool>) = decided.unzip();
    let by_table: Vec<usize> = (0..by_table.len()).filter(|&index| by_table[index]).collect();
    json!({
        "seat": player.seat, "player": player.name, "ante": player.ante, "bonus": player.bonus,
        "actions": actions, "by_table": by_table,
    })
}

/// Sorts the decisions of each street by seat: a record doesn't say which seat acted first.
fn by_street(events: &[Event]) -> Vec<Event> {
    let decided = |event: &Event| match event {
        Event::Decided { seat, .. } => Some(*seat),
        _ => None,
    };
    let mut events = events.to_vec();
    for street in
        events.chunk_by_mut(|one, other| decided(one).is_some() == decided(other).is_some())
    {
        street.sort_by_key(decided);
    }
    events
}

/// Asserts that a reason matches the wager's result and that its amounts are right.
fn assert_why(wager: &NarratedWager) {
    let NarratedWager { why, staked, returned, uncovered, .. } = wager;
    let begins = |words: &[&str]| words.iter().any(|words| why.starts_with(words));
    let agrees = match wager.result {
        WagerResult::Win if uncovered.is_positive() => {
            begins(&["paid in part: ", "no action, returned: "])
        }
        WagerResult::Win => why == "pays even money" || why.contains(" pays "),
        WagerResult::Lose if returned.is_positive() => {
            why.ends_with(&format!("; {returned} was not covered"))
        }
        WagerResult::Lose => begins(&["loses to ", "lost with the fold", "loses: "]),
        WagerResult::Push => begins(&["pushes: "]),
        WagerResult::Returned | WagerResult::Void => begins(&["returned: "]),
    };
    assert!(agrees, "{wager:?}");
    let odds = why.split_once(" pays ").and_then(|(_, odds)| odds.parse::<Ratio>().ok());
    let odds = odds.or_else(|| (why == "pays even money").then_some(Ratio::EVEN));
    if let Some(ratio) = odds {
        assert_eq!(ratio.of(*staked), returned.minus(*staked), "{wager:?}");
    }
    assert_eq!(why.starts_with("paid in part"), uncovered.is_positive() && returned > staked);
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_list_of_decisions_has_exactly_the_legal_ones(case in case(), script in script()) {
        play(&case, &script, Watched::assert_legal_list);
    }

    #[test]
    fn a_refused_action_matches_the_prediction_and_changes_nothing(
        case in case(),
        script in script(),
        attempts in vec(any_action(), 1..6),
    ) {
        play(&case, &script, |watched| {
            for attempt in &attempts {
                // Whether it is taken doesn't matter: `act` has the assertions.
                let _ = watched.clone().act(attempt);
            }
        });
    }

    #[test]
    fn a_record_replays_to_the_round_it_was_written_from(case in case(), script in script()) {
        // A record says that a round was stopped, but not at which card.
        let played = play(&case, &script, |_| {});
        let dealt = played.events().iter().any(|event| matches!(event, Event::Decided { .. }));
        prop_assume!(dealt);
        let settlement = played.round.settlement().expect("the round ends");
        let catalog = Catalog::shipped();
        let record = Record::read(&write(&case, &played).to_string(), &catalog)?;
        let replayed = record.replay()?;
        // The round that was just played says the same as its record, which lists seats in any
        // order.
        let mut expected = replayed.clone();
        expected.events.sort_by_key(|event| match *event {
            Event::Wagered { seat, .. } => (1, Some(seat)),
            Event::Banked { .. } => (0, None),
            _ => (2, None),
        });
        prop_assert_eq!(played.round.finished(), Some(expected));
        let FinishedRound { events, result, .. } = replayed;
        prop_assert_eq!(by_street(&events), by_street(played.events()));
        prop_assert_eq!(result.bank.net, settlement.bank_net);
        prop_assert_eq!(result.seats.len(), settlement.seats.len());
        for (found, settled) in result.seats.iter().zip(&settlement.seats) {
            prop_assert_eq!((found.seat, found.net), (settled.seat, settled.net));
            prop_assert_eq!(found.wagers, settled.wagers.into());
        }
        let printed = record.with_result(&result);
        let faults = schema_faults(&record_schema(), &serde_json::from_str(&printed)?);
        prop_assert!(faults.is_empty(), "{:?}", faults);
        let printed = Record::read(&printed, &catalog)?;
        prop_assert_eq!(printed.replay()?.result, result);
    }

    #[test]
    fn every_wager_has_a_reason_that_matches_its_result(case in case(), script in script()) {
        let played = play(&case, &script, |_| {});
        let dealt = played.events().iter().any(|event| matches!(event, Event::Decided { .. }));
        prop_assume!(dealt);
        let record = Record::read(&write(&case, &played).to_string(), &Catalog::shipped())?;
        let replayed = record.replay()?;
        let (told, result) = (Narration::new(&replayed), &replayed.result);
        prop_assert!(told.steps.iter().all(|step| step.say.ends_with('.')));
        prop_assert_eq!(told.bank.net, result.bank.net);
        prop_assert_eq!(told.seats.len(), result.seats.len());
        for seat in &told.seats {
            let found = result.seats.iter().find(|found| found.seat == seat.seat);
            let found = found.expect("a seat of the round");
            prop_assert_eq!((seat.net, seat.outcome), (found.net, found.outcome));
            let made = Bet::ALL.iter().filter_map(|&bet| found.wagers.of(bet));
            prop_assert_eq!(seat.wagers.len(), made.count());
            seat.wagers.iter().for_each(assert_why);
        }
    }

    #[test]
    fn a_settlement_sums_to_zero_and_never_overpays(
        case in case(),
        script in script(),
    ) {
        let played = play(&case, &script, |_| {});
        let settlement = played.round.settlement().expect("the round ends");
        assert_sum(settlement);
        played.assert_wagers(settlement);
    }

    #[test]
    fn no_view_has_a_card_that_its_viewer_may_not_see(case in case(), script in script()) {
        play(&case, &script, Watched::assert_views);
    }

    #[test]
    fn a_player_dealer_risks_no_more_than_they_posted(
        case in case().prop_filter("a player banks", |case| case.banker.is_some()),
        script in script(),
    ) {
        let played = play(&case, &script, |_| {});
        played.assert_bank(played.round.settlement().expect("the round ends"));
    }

    #[test]
    fn a_void_round_returns_every_stake(
        case in case(),
        script in script(),
        void_after in 0_usize..50,
    ) {
        let script = Script { void_after: Some(void_after), ..script };
        let played = play(&case, &script, |_| {});
        let settlement = played.round.settlement().expect("the round ends");
        // It may have ended before it was stopped.
        if played.events().iter().any(|event| matches!(event, Event::Voided(_))) {
            played.assert_wagers(settlement);
            prop_assert!(settlement.seats.iter().all(|seat| seat.net.as_cents() == 0));
            prop_assert_eq!(settlement.bank_net.as_cents(), 0);
        }
    }
}
