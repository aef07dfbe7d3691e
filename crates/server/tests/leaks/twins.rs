//! Two tables where the same players do the same things, with different cards: each view differs in
//! the cards that the viewer may see, and in nothing else. So nothing else can reveal the other
//! cards.

use std::sync::Arc;

use croupier_cards::Card;
use croupier_rules::{Amount, Catalog, Decision, Seat};
use croupier_table::{
    Command, Event, OperatorCommand, PlayerCommand, Refusal, Seed, Stage, Table, Terms, Time,
    seat_commitment, to_hex,
};
use serde_json::{Value, json};

use crate::evening::HOUSES;
use crate::truth::named as named_hand;
use croupier_testing::Random;

const PEOPLE: [&str; 4] = ["ann", "bea", "cy", "dee"];

const STEPS: u64 = 6_000;

fn seat(number: usize) -> Seat {
    Seat::new(u32::try_from(number).expect("small")).expect("a seat")
}

/// Returns a random command, chosen only by what every viewer can see.
fn command(table: &Table, random: &mut Random) -> Command {
    let who = random.below(PEOPLE.len());
    let (own, player) = (seat(who + 1), PEOPLE[who].to_owned());
    if !table.seats().iter().any(|sitter| sitter.seat == own) {
        return PlayerCommand::Join { seat: own }.by(player);
    }
    let seed = format!("{}/{}", table.round_number(), own.number()).into_bytes();
    match random.below(150) {
        0 => return PlayerCommand::Leave { seat: own }.by(player),
        1 => return OperatorCommand::Void { reason: "chance".to_owned() }.into(),
        2 => {
            let commitment = seat_commitment(table.name(), table.round_number(), own, &seed);
            return PlayerCommand::CommitSeed { seat: own, commitment }.by(player);
        }
        3 => {
            // A seat of another player: a refusal must not reveal anything either.
            let (seat, decision) = (seat((who + 1) % PEOPLE.len() + 1), Decision::Bet(3));
            return PlayerCommand::Decide { seat, decision }.by(player);
        }
        _ => {}
    }
    match table.stage() {
        Some(Stage::Offering) => {
            let wager = Amount::cents(random.pick(&[1_000, 100_000]));
            PlayerCommand::TakeBank { seat: own, wager }.by(player)
        }
        Some(Stage::Betting | Stage::Revealing) if random.chance(1, 5) => {
            PlayerCommand::Deal {}.by(player)
        }
        Some(Stage::Revealing) => {
            PlayerCommand::RevealSeed { seat: own, seed: to_hex(&seed) }.by(player)
        }
        Some(Stage::Deciding) => {
            let holdem = table.terms().house().id().starts_with("uth");
            let times = if holdem { random.pick(&[4, 3, 2, 1]) } else { 1 };
            let decision = random.pick(&[Decision::Check, Decision::Fold, Decision::Bet(times)]);
            PlayerCommand::Decide { seat: own, decision }.by(player)
        }
        Some(Stage::Betting) | None => {
            let (ante, bonus) = (Amount::cents(500), Amount::cents(random.pick(&[0, 500])));
            PlayerCommand::Wager { seat: own, ante, blind: None, bonus }.by(player)
        }
    }
}

/// Carries out a command, with seeds of this table's own, and returns the events that every viewer
/// receives.
fn carry_out(
    table: &mut Table,
    command: Command,
    now: Time,
    seeds: &mut Random,
) -> Result<Vec<Value>, Refusal> {
    let mut batch = table.handle(command, now)?;
    while table.needs_seed(now) {
        let mut bytes = [0; 32];
        for chunk in bytes.chunks_exact_mut(8) {
            chunk.copy_from_slice(&seeds.number().to_be_bytes());
        }
        let seed = Seed::from_bytes(bytes);
        batch.extend(table.handle(Command::OpenRound { seed }, now).expect("it needs one"));
    }
    Ok(batch.events.iter().map(Event::shown).collect())
}

/// Returns a player's view, without the cards that the player may see and without the seed's
/// commitment.
fn shown(table: &Table, player: Option<&str>) -> String {
    let mut view = serde_json::to_value(table.view(player)).expect("plain data");
    let round = &mut view["round"];
    let board = round["community"].clone();
    if round.is_object() {
        round["commitment"] = Value::Null;
        let turned = round["community"].as_array().map(Vec::len);
        round["community"] = Value::from(turned);
    }
    for hand in round["hands"].as_array_mut().into_iter().flatten() {
        let own = table
            .seats()
            .iter()
            .any(|sitter| hand["seat"] == sitter.seat.number() && Some(&*sitter.player) == player);
        if own && let Some(fields) = hand.as_object_mut() {
            let (cards, name) = (fields.remove("cards"), fields.remove("name"));
            assert_eq!(name, cards.map(|cards| named(&cards, &board)), "the name of a hand");
            let decisions = fields.remove("decisions");
            let choices = fields.remove("choices");
            assert_eq!(choices, decisions.map(|decisions| priced(&decisions, &fields["stakes"])));
        }
    }
    view.to_string()
}

/// Names a hand by the cards in a view, as a player would.
fn named(cards: &Value, board: &Value) -> Value {
    let read = |cards: &Value| -> Vec<Card> {
        let cards = cards.as_array().into_iter().flatten();
        cards.map(|card| card.as_str().expect("a card").parse().expect("a card")).collect()
    };
    Value::from(named_hand(&read(cards), &read(board)))
}

/// Returns decisions with the amounts that they put in.
fn priced(decisions: &Value, stakes: &Value) -> Value {
    let ante = stakes["ante"].as_i64().expect("an amount");
    let decisions = decisions.as_array().into_iter().flatten();
    let priced = decisions.map(|decision| {
        let times = decision.as_str().and_then(|text| text.strip_prefix("bet "));
        let times: i64 = times.map_or(0, |times| times.parse().expect("a number"));
        json!({"decision": decision, "amount": times * ante})
    });
    priced.collect()
}

/// Returns events without the parts that must differ: commitments, and the seeds of completed
/// rounds.
fn told(events: Result<Vec<Value>, Refusal>) -> String {
    let mut events = events.map_err(|refusal| refusal.to_string());
    for event in events.iter_mut().flatten() {
        match event["event"].as_str() {
            Some("round-opened") => event["commitment"] = Value::Null,
            Some("round-undealt") => event["seed"] = Value::Null,
            _ => {}
        }
    }
    format!("{events:?}")
}

#[test]
fn views_differ_only_in_the_viewers_own_cards() {
    for (house, start) in HOUSES.into_iter().zip(1..) {
        let terms = Terms::new(&Catalog::shipped(), house, None, None).expect("good terms");
        let (terms, mut now) = (Arc::new(terms), Time::from_millis(1_000));
        let open = |now| Table::open("t1", Arc::clone(&terms), now).expect("a table").0;
        let (mut one, mut other) = (open(now), open(now));
        let (mut random, mut rounds) = (Random::new(start), 0);
        let (mut seeds, mut others) = (Random::new(start + 100), Random::new(start + 200));
        for step in 0..STEPS {
            now = now.after(1_000);
            let command = command(&one, &mut random);
            let happened = told(carry_out(&mut one, command.clone(), now, &mut seeds));
            let happened_there = told(carry_out(&mut other, command.clone(), now, &mut others));
            assert_eq!(happened, happened_there, "{house}, step {step}: {command:?}");
            for player in PEOPLE.map(Some).into_iter().chain([None]) {
                let (here, there) = (shown(&one, player), shown(&other, player));
                assert_eq!(here, there, "{house}, step {step}: {player:?} after {command:?}");
            }
            rounds += u32::from(happened.contains("round-over"));
            if one.is_closed() {
                (one, other) = (open(now), open(now));
            }
        }
        assert!(rounds > 100, "{house}: only {rounds} rounds were dealt");
    }
}
