//! Seeds and their commitments: when each is shown, and how they give the deck.

mod felt;

use std::sync::Arc;

use croupier_cards::Deck;
use croupier_rules::{Catalog, Decision};
use croupier_table::{
    Entry, Event, Hash, Refusal, SEAT_SEED_MAX, Seed, Stage, Terms, TermsCache, Time, first_hash,
    from_hex, replay, seat_commitment, shuffle, to_hex, verify,
};
use serde_json::Value;

use self::felt::{
    Felt, commit, deal, decide, decline, give_up, join, leave, reveal, seat, sit_out, take_bank,
    terms, told, void, withdraw,
};

/// Returns a seat's commitment.
fn commitment(round: u64, number: u32, seed: &[u8]) -> Hash {
    seat_commitment("t1", round, seat(number), seed)
}

/// Opens a table at which ann has committed to a seed and wagered, and bea has wagered.
fn revealing() -> Felt {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.ok(commit(1, "ann", commitment(1, 1, b"luck")));
    felt.wager(1, "ann", 500, 0);
    felt.wager(2, "bea", 500, 0);
    assert_eq!(felt.table.stage(), Some(Stage::Revealing));
    felt
}

fn record(felt: &Felt) -> Value {
    serde_json::from_str(&felt.records().pop().expect("a record")).expect("JSON")
}

/// Returns the deck that the shuffle gives from all seeds in a record.
fn deck_again(record: &Value) -> Deck {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let seed = Seed::from_hex(&text(&record["shuffle"]["seed"])).expect("a seed");
    let seat_seeds = record["shuffle"]["seat_seeds"].as_array().expect("a list").iter();
    let seat_seeds: Vec<_> = seat_seeds
        .map(|of| {
            let number = of["seat"].as_u64().expect("a seat");
            let bytes = from_hex(&text(&of["seed"])).expect("digits");
            (seat(u32::try_from(number).expect("a small number")), bytes)
        })
        .collect();
    shuffle("t1", record["shuffle"]["round"].as_u64().expect("a number"), &seed, &seat_seeds)
}

#[test]
fn the_commitment_is_shown_when_the_round_opens_and_the_seed_is_not() {
    let mut felt = Felt::open("uth-standard");
    felt.issue("ann");
    let events = felt.ok(join(1, "ann"));
    let opened = events.last().expect("an event");
    let Event::RoundOpened { round: 1, seed, commitment } = opened else {
        panic!("{opened:?}");
    };
    assert_eq!(*commitment, seed.commitment("t1", 1));
    assert_eq!(felt.table.commitment(), Some(commitment));
    let shown = opened.shown().to_string();
    assert!(shown.contains(&commitment.to_string()), "{shown}");
    assert!(!shown.contains(&seed.reveal()), "{shown}");
    assert!(!format!("{opened:?} {:?}", felt.table).contains(&seed.reveal()));
    felt.wager(1, "ann", 500, 0);
    felt.play_out();
    assert_eq!(record(&felt)["shuffle"]["seed"].as_str(), Some(&*seed.reveal()));
}

#[test]
fn a_shown_seed_affects_the_deck() {
    let mut felt = revealing();
    assert_eq!(felt.table.to_reveal(), [seat(1)]);
    let events = felt.ok(reveal(1, "ann", &to_hex(b"luck")));
    assert_eq!(told(&events), ["seed-revealed 1", "dealt"]);
    felt.play_out();
    let record = record(&felt);
    let deck = deck_again(&record);
    assert_eq!(
        record["deck"],
        serde_json::to_value(croupier_rules::DeckText::from(&deck)).unwrap()
    );
    // Without the seed, the deck is different.
    let seed = Seed::from_hex(record["shuffle"]["seed"].as_str().expect("a text")).expect("a seed");
    assert_ne!(shuffle("t1", 1, &seed, &[]), deck);
}

#[test]
fn a_seed_that_is_not_shown_counts_as_empty_and_the_record_says_so() {
    let mut felt = revealing();
    assert_eq!(felt.table.next_deadline(), Some(felt.now.after(5)));
    assert_eq!(told(&felt.run_out()), ["dealt"]);
    assert_eq!(felt.refused(reveal(1, "ann", &to_hex(b"luck"))), Refusal::SeedNotWanted);
    felt.play_out();
    let verified = verify(&felt.records()[0], &Catalog::shipped()).expect("a valid record");
    assert_eq!(verified.unrevealed, [seat(1)]);
    assert_eq!(record(&felt)["shuffle"]["seat_seeds"][0]["seed"], "");
}

#[test]
fn seeds_are_committed_to_while_betting_is_open_and_while_the_bank_is_offered() {
    let mut felt = Felt::open("uth-california");
    felt.seat_all(&["ann", "bea"]);
    felt.ok(commit(2, "bea", commitment(1, 2, b"bee")));
    felt.ok(take_bank(1, "ann", 5_000));
    felt.ok(commit(1, "ann", commitment(1, 1, b"old")));
    felt.ok(commit(1, "ann", commitment(1, 1, b"new")));
    felt.wager(2, "bea", 500, 0);
    assert_eq!(felt.table.to_reveal(), [seat(1), seat(2)], "the banker too");
    assert_eq!(felt.refused(commit(2, "bea", Hash::of(b""))), Refusal::SeedTooLate);
    assert_eq!(felt.refused(reveal(1, "ann", &to_hex(b"old"))), Refusal::SeedMismatch);
    felt.ok(reveal(1, "ann", &to_hex(b"new")));
    let events = felt.ok(reveal(2, "bea", &to_hex(b"bee")));
    assert_eq!(told(&events), ["seed-revealed 2", "dealt"]);
    felt.play_out();
    assert_eq!(felt.assert_records(), 1);
}

#[test]
fn a_commitment_is_for_one_round_one_seat_and_one_table() {
    for other in [
        seat_commitment("t2", 1, seat(1), b"luck"),
        seat_commitment("t1", 2, seat(1), b"luck"),
        seat_commitment("t1", 1, seat(2), b"luck"),
        Hash::of(b"luck"),
    ] {
        let mut felt = Felt::open("uth-standard");
        felt.seat_all(&["ann"]);
        felt.ok(commit(1, "ann", other));
        felt.wager(1, "ann", 500, 0);
        assert_eq!(felt.refused(reveal(1, "ann", &to_hex(b"luck"))), Refusal::SeedMismatch);
    }
}

#[test]
fn the_first_fault_of_a_seed_is_reported() {
    let mut felt = revealing();
    assert_eq!(felt.refused(reveal(2, "bea", "6c75636b")), Refusal::SeedNotCommitted);
    let long = "00".repeat(SEAT_SEED_MAX + 1);
    for seed in ["", "6", "xy", "6C75636B", " 6c75636b", &long] {
        assert_eq!(felt.refused(reveal(1, "ann", seed)), Refusal::SeedMalformed, "{seed:?}");
    }
    let longest = "00".repeat(SEAT_SEED_MAX);
    assert_eq!(felt.refused(reveal(1, "ann", &longest)), Refusal::SeedMismatch);
    assert_eq!(felt.refused(decide(1, "ann", Decision::Check)).code(), "cards-not-dealt");
    // While another seat is awaited, a second try gets its own reason.
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    for (number, player) in [(1, "ann"), (2, "bea")] {
        felt.ok(commit(number, player, commitment(1, number, b"luck")));
        assert_eq!(felt.refused(reveal(number, player, "6c75636b")), Refusal::SeedNotWanted);
        felt.wager(number, player, 500, 0);
    }
    felt.ok(reveal(1, "ann", "6c75636b"));
    assert_eq!(felt.refused(reveal(1, "ann", "x")), Refusal::SeedShown);
}

#[test]
fn the_longest_seed_is_accepted() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    let seed = [7; SEAT_SEED_MAX];
    felt.ok(commit(1, "ann", commitment(1, 1, &seed)));
    felt.wager(1, "ann", 500, 0);
    felt.ok(reveal(1, "ann", &to_hex(&seed)));
    felt.play_out();
    assert_eq!(felt.assert_records(), 1);
}

#[test]
fn only_seats_in_the_round_affect_the_deck() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.ok(commit(1, "ann", commitment(1, 1, b"luck")));
    felt.wager(1, "ann", 500, 0);
    felt.ok(withdraw(1, "ann"));
    felt.wager(2, "bea", 500, 0);
    assert_eq!(told(&felt.run_out()), ["betting-closed", "dealt"], "no seat has a seed to show");
    felt.play_out();
    assert_eq!(record(&felt)["shuffle"]["seat_seeds"], serde_json::json!([]));
}

#[test]
fn a_new_player_owes_no_seed_that_another_committed_to() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.ok(commit(1, "ann", commitment(1, 1, b"luck")));
    felt.ok(leave(1, "ann"));
    felt.issue("cy");
    felt.ok(join(1, "cy"));
    felt.wager(1, "cy", 500, 0);
    assert_eq!(told(&felt.wager(2, "bea", 500, 0)), ["wagered 2", "betting-closed", "dealt"]);
}

#[test]
fn the_table_does_not_wait_for_the_seed_of_a_player_who_leaves() {
    let mut felt = revealing();
    let events = told(&felt.ok(leave(1, "ann")));
    assert_eq!(events, ["player-leaving 1", "dealt", "decided 1 by table"]);
    let mut felt = Felt::without_clocks("utcp-standard");
    felt.seat_all(&["ann"]);
    felt.ok(commit(1, "ann", commitment(1, 1, b"luck")));
    felt.wager(1, "ann", 500, 0);
    felt.ok(deal("ann"));
    assert_eq!(felt.table.stage(), Some(Stage::Revealing));
    felt.ok(leave(1, "ann"));
    assert!(felt.table.is_closed());
    assert_eq!(felt.assert_records(), 1);
}

/// Lets ann and bea commit to seeds and wager at a table without clocks, and bea ask for cards.
fn revealing_without_clocks(mut felt: Felt) -> Felt {
    felt.seat_all(&["ann", "bea"]);
    for (number, player) in [(1, "ann"), (2, "bea")] {
        felt.ok(commit(number, player, commitment(1, number, b"luck")));
        felt.wager(number, player, 500, 0);
    }
    assert_eq!(told(&felt.ok(deal("bea"))), ["betting-closed"]);
    felt
}

/// Returns the seats that showed no seed, from the record of the first round.
fn unrevealed(felt: &mut Felt) -> Vec<croupier_rules::Seat> {
    felt.decide(1, "ann", Decision::Bet(3));
    felt.decide(2, "bea", Decision::Bet(3));
    verify(&felt.records()[0], &Catalog::shipped()).expect("a valid record").unrevealed
}

#[test]
fn no_player_leaves_the_seed_of_another_out_of_the_deck() {
    let mut felt = revealing_without_clocks(Felt::without_clocks("uth-standard"));
    let until = felt.now.after(30_000);
    assert_eq!(felt.table.next_deadline(), Some(until));
    let awaited = |seats: &[u32]| Refusal::SeedsAwaited {
        seats: seats.iter().map(|&number| seat(number)).collect(),
        until,
    };
    assert_eq!(felt.refused(deal("bea")), awaited(&[1, 2]));
    felt.ok(reveal(2, "bea", &to_hex(b"luck")));
    felt.wait(29_999);
    assert_eq!(felt.refused(deal("bea")), awaited(&[1]), "until the last moment");
    assert_eq!(
        felt.refused(deal("bea")).to_string(),
        "the table is waiting for the seed of seat 1, until 00:00:31 UTC"
    );
    assert_eq!(told(&felt.ok(reveal(1, "ann", &to_hex(b"luck")))), ["seed-revealed 1", "dealt"]);
    assert_eq!(felt.table.next_deadline(), None, "a decision has no time limit");
    assert_eq!(unrevealed(&mut felt), []);
}

#[test]
fn a_table_without_clocks_deals_by_itself_when_a_seed_is_not_shown() {
    let mut felt = revealing_without_clocks(Felt::without_clocks("uth-standard"));
    felt.ok(reveal(2, "bea", &to_hex(b"luck")));
    assert_eq!(told(&felt.run_out()), ["dealt"]);
    assert_eq!(unrevealed(&mut felt), [seat(1)]);
}

#[test]
fn the_table_does_not_wait_for_a_given_up_seed_which_counts_as_empty() {
    let mut felt = revealing_without_clocks(Felt::without_clocks("uth-standard"));
    assert_eq!(felt.refused(give_up(1, "bea")), Refusal::NotYourSeat);
    assert_eq!(told(&felt.ok(give_up(1, "ann"))), ["seed-given-up 1"]);
    assert_eq!(felt.refused(reveal(1, "ann", &to_hex(b"luck"))), Refusal::SeedGivenUp);
    assert_eq!(felt.refused(give_up(1, "ann")), Refusal::SeedGivenUp);
    felt.ok(reveal(2, "bea", &to_hex(b"luck")));
    assert_eq!(felt.refused(give_up(2, "bea")), Refusal::SeedNotWanted, "the cards are out");
    assert_eq!(unrevealed(&mut felt), [seat(1)]);
    // The same at a table with clocks.
    let mut felt = revealing();
    assert_eq!(felt.refused(give_up(2, "bea")), Refusal::SeedNotCommitted);
    assert_eq!(told(&felt.ok(give_up(1, "ann"))), ["seed-given-up 1", "dealt"]);
}

#[test]
fn a_table_from_before_the_seed_wait_deals_on_request() {
    // Its terms have no seed wait. The rest of its journal is the same as today.
    let terms = Terms::clone(&terms("uth-standard", None));
    let mut former: Value = serde_json::from_str(terms.text()).expect("JSON");
    assert_eq!(former.as_object_mut().expect("terms").remove("seed_wait"), Some(30_000.into()));
    let body = Event::TableOpened { terms: former }.body();
    let opened = Entry::seal(&first_hash("t1"), 1, Time::from_millis(1_000), body);
    let table = replay("t1", &[opened], &mut TermsCache::default()).expect("a good journal");
    assert_eq!(table.terms().seed_wait(), None);
    let mut felt = revealing_without_clocks(Felt::on(Arc::clone(table.terms())));
    assert_eq!(felt.table.next_deadline(), None);
    assert_eq!(told(&felt.ok(deal("bea"))), ["dealt"]);
    assert_eq!(unrevealed(&mut felt), [seat(1), seat(2)]);
    // No table with clocks ever wrote a seed wait.
    let timed = Terms::clone(&felt::terms("uth-standard", Some(felt::CLOCKS)));
    let mut value: Value = serde_json::from_str(timed.text()).expect("JSON");
    value["seed_wait"] = 30_000.into();
    let body = Event::TableOpened { terms: value }.body();
    let opened = Entry::seal(&first_hash("t1"), 1, Time::from_millis(1_000), body);
    assert!(replay("t1", &[opened], &mut TermsCache::default()).is_err());
}

#[test]
fn a_round_stopped_before_the_deal_refuses_seeds() {
    let mut felt = revealing();
    felt.ok(void("the shuffler jammed"));
    assert_eq!(felt.refused(reveal(1, "ann", "6c75636b")), Refusal::NoRound);
}

#[test]
fn the_table_takes_a_seed_only_when_it_needs_one() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    let seeded = || croupier_table::Command::OpenRound { seed: Seed::from_bytes([9; 32]) };
    assert_eq!(felt.refused(seeded()), Refusal::ShoeNotNeeded);
    felt.wager(1, "ann", 500, 0);
    felt.play_out();
    assert!(!felt.table.needs_seed(felt.now));
    assert_eq!(felt.refused(seeded()), Refusal::ShoeNotNeeded);
    felt.ok(felt::pause("lunch"));
    felt.wait(10);
    assert_eq!(felt.refused(seeded()), Refusal::ShoeNotNeeded);
}

/// Returns the view that is sent to a player, or to the rail.
fn sent(felt: &Felt, player: Option<&str>) -> String {
    serde_json::to_string(&felt.table.view(player)).expect("plain data")
}

#[test]
fn folded_cards_and_the_rest_of_the_deck_are_hidden_until_the_end_and_open_after_it() {
    for house in ["uth-standard", "uth-washington", "uth-california"] {
        let mut felt = Felt::open(house);
        felt.seat_all(&["ann", "bea", "cy"]);
        if house == "uth-california" {
            felt.ok(decline(1, "ann"));
            felt.ok(decline(2, "bea"));
            felt.ok(take_bank(3, "cy", 50_000));
        } else {
            felt.ok(sit_out(3, "cy"));
        }
        felt.wager(1, "ann", 500, 0);
        felt.wager(2, "bea", 500, 0);
        for _ in 0..2 {
            felt.decide(1, "ann", Decision::Check);
            felt.decide(2, "bea", Decision::Check);
        }
        felt.decide(1, "ann", Decision::Fold);
        // The board is face up, and ann and bea see their own cards; no other card is sent.
        let before = [Some("ann"), Some("bea"), Some("cy"), None].map(|who| sent(&felt, who));
        felt.decide(2, "bea", Decision::Bet(1));
        let record = record(&felt);
        let deck: Vec<String> = record["deck"]
            .as_array()
            .expect("a deck")
            .iter()
            .map(|card| card.as_str().expect("a card").to_owned())
            .collect();
        assert_eq!(deck.len(), 52, "{house}: the record has every card, including undealt ones");
        let [folded, rest] = [&deck[..2], &deck[11..]];
        for (who, sent) in ["ann", "bea", "cy", "the rail"].iter().zip(&before) {
            let hidden = if *who == "ann" { rest.to_vec() } else { [folded, rest].concat() };
            for card in hidden {
                assert!(!sent.contains(&format!("\"{card}\"")), "{house}: {who} sees {card}");
            }
        }
    }
}
