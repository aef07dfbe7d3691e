//! A table is the fold of its journal: whole, from a checkpoint, and damaged.

mod felt;

use croupier_rules::{Amount, Catalog, Decision, House, PayTable};
use croupier_table::{
    Entry, Event, Hash, JournalFault, Record, Seed, Table, Terms, TermsCache, Time, first_hash,
    replay,
};
use serde_json::{Value, json};

use self::felt::{
    CLOCKS, Felt, commit, deal, join, leave, own_terms, pause, reveal, seat, sit_out, take_bank,
    terms, wager,
};

/// Plays a round at a table of ann, bea and cy with clocks, without waiting for windows.
fn play(felt: &mut Felt) {
    if felt.offered().is_some() {
        felt.offered_player_banks(1_000);
    }
    let seats = felt.table.seats().to_vec();
    for seated in &seats {
        let _ = felt.try_to(wager(seated.seat.number(), &seated.player, 500, 0));
    }
    felt.play_out();
    felt.run_out();
}

/// Returns the indexes of all checkpoints in a journal.
fn checkpoints(journal: &[Entry]) -> Vec<usize> {
    let places = (0..journal.len())
        .filter(|&place| matches!(Event::read(&journal[place].body), Ok(Event::Checkpoint(_))));
    places.collect()
}

/// Asserts that a table can be read from each of its checkpoints, and returns their number.
fn replays_from_checkpoints(felt: &Felt) -> usize {
    let places = checkpoints(&felt.journal);
    for &place in &places {
        let mut entries = vec![felt.journal[0].clone()];
        entries.extend_from_slice(&felt.journal[place..]);
        let table = replay("t1", &entries, &mut TermsCache::default()).expect("a good journal");
        assert_eq!(table, felt.table);
    }
    places.len()
}

#[test]
fn a_table_can_be_read_from_any_checkpoint() {
    for house in ["uth-standard", "uth-california"] {
        let mut felt = Felt::open(house).replaying_every(100);
        felt.seat_all(&["ann", "bea", "cy"]);
        while felt.table.round_number() < 66 {
            play(&mut felt);
        }
        assert_eq!(replays_from_checkpoints(&felt), 2, "{house}");
        // The later state is the same as well: who has banked, and who sits out.
        felt.ok(sit_out(2, "bea"));
        felt.ok(pause("lunch"));
        felt.play_out();
        replays_from_checkpoints(&felt);
        felt.assert_journal();
    }
}

#[test]
fn a_checkpoint_comes_every_32_rounds_dealt_or_not() {
    let mut felt = Felt::open("uth-standard").replaying_every(100);
    felt.seat_all(&["ann"]);
    while felt.table.round_number() < 97 {
        if felt.table.round_number().is_multiple_of(3) {
            felt.wager(1, "ann", 500, 0);
            felt.play_out();
        } else {
            felt.ok(felt::void("a test"));
        }
        felt.run_out();
    }
    assert_eq!(felt.played.len(), 32);
    let rounds: Vec<u64> = felt
        .journal
        .iter()
        .filter_map(|entry| match Event::read(&entry.body) {
            Ok(Event::Checkpoint(checkpoint)) => Some(checkpoint.round),
            _ => None,
        })
        .collect();
    assert_eq!(rounds, [32, 64, 96]);
    assert_eq!(replays_from_checkpoints(&felt), 3);
}

#[test]
fn the_batch_names_its_checkpoint() {
    let mut felt = Felt::without_clocks("uth-standard").replaying_every(100);
    felt.seat_all(&["ann"]);
    for _ in 1..32 {
        felt.ok(felt::void("a test"));
    }
    let mut table = felt.table.clone();
    let batch = table.handle(felt::void("a test"), felt.now).expect("a round");
    let place = batch.events.iter().position(|event| matches!(event, Event::Checkpoint(_)));
    let entry = &batch.entries[place.expect("a checkpoint")];
    assert_eq!(batch.checkpoint, Some(entry.version));
}

#[test]
fn a_table_reads_entries_that_another_node_wrote() {
    let mut felt = Felt::open("uth-california").replaying_every(100);
    felt.seat_all(&["ann", "bea", "cy"]);
    play(&mut felt);
    let mut follower = felt.table.clone();
    let known = felt.journal.len();
    play(&mut felt);
    follower.read_on(&felt.journal[known..]).expect("the next entries");
    assert_eq!(follower, felt.table);
    let error = follower.read_on(&felt.journal[known..]).expect_err("it already has them");
    assert_eq!((error.version, error.fault), (felt.table.version() + 1, JournalFault::Missing));
}

/// Returns a journal of some rounds, including seeds, a decision by the table and a void round.
fn journal() -> Vec<Entry> {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    let commitment = croupier_table::seat_commitment("t1", 1, seat(1), b"luck");
    felt.ok(commit(1, "ann", commitment));
    felt.wager(1, "ann", 500, 0);
    felt.wait(3);
    felt.wager(2, "bea", 500, 500);
    felt.ok(reveal(1, "ann", "6c75636b"));
    felt.decide(2, "bea", Decision::Bet(4));
    felt.play_out();
    felt.run_out();
    felt.wager(1, "ann", 500, 0);
    felt.wager(2, "bea", 500, 0);
    felt.ok(felt::void("the shuffler jammed"));
    felt.journal
}

fn fault(entries: &[Entry]) -> (u64, JournalFault) {
    let error = replay("t1", entries, &mut TermsCache::default()).expect_err("it is damaged");
    assert_eq!(error.table, "t1");
    let told = error.to_string();
    let place = format!("the journal of table t1 is damaged at entry {}: ", error.version);
    assert!(told.starts_with(&place), "{told}");
    (error.version, error.fault)
}

fn version(place: usize) -> u64 {
    u64::try_from(place).expect("a small number") + 1
}

#[test]
fn a_missing_entry_is_named() {
    let journal = journal();
    for place in 0..journal.len() - 1 {
        let mut damaged = journal.clone();
        damaged.remove(place);
        assert_eq!(fault(&damaged), (version(place), JournalFault::Missing));
    }
    assert_eq!(fault(&[]), (1, JournalFault::Empty));
    assert_eq!(
        replay("t1", &[], &mut TermsCache::default()).unwrap_err().to_string(),
        "the journal of table t1 is damaged at entry 1: it is empty"
    );
}

#[test]
fn a_truncated_journal_is_a_shorter_journal() {
    let journal = journal();
    for length in 1..journal.len() {
        let table =
            replay("t1", &journal[..length], &mut TermsCache::default()).expect("a journal");
        // Only a reader who knows the last hash notices: a store keeps it with the version.
        assert_eq!(*table.hash(), journal[length - 1].hash);
        assert_ne!(*table.hash(), journal[journal.len() - 1].hash);
        assert_eq!(table.version(), version(length - 1));
    }
}

#[test]
fn an_entry_with_another_body_time_or_hash_is_named() {
    let journal = journal();
    for place in 0..journal.len() {
        let with = |change: &dyn Fn(&mut Entry)| {
            let mut damaged = journal.clone();
            change(&mut damaged[place]);
            fault(&damaged)
        };
        let altered = (version(place), JournalFault::Altered);
        // The same event, except for a space.
        assert_eq!(with(&|entry| entry.body = entry.body.replacen(':', ": ", 1)), altered);
        assert_eq!(with(&|entry| entry.at = entry.at.after(1)), altered);
        assert_eq!(with(&|entry| entry.at = Time::from_millis(entry.at.as_millis() - 1)), altered);
        assert_eq!(with(&|entry| entry.hash = Hash::of(b"another")), altered);
        let (named, unreadable) = with(&|entry| entry.body.truncate(entry.body.len() / 2));
        let expected = matches!(unreadable, JournalFault::Unreadable { .. });
        assert!(named == version(place) && (expected || unreadable == JournalFault::Altered));
    }
}

#[test]
fn two_entries_that_are_swapped_are_noticed() {
    let journal = journal();
    for place in 1..journal.len() - 1 {
        let mut damaged = journal.clone();
        damaged.swap(place, place + 1);
        assert_eq!(fault(&damaged), (version(place), JournalFault::Missing));
        // With new numbers, the hashes still do not match.
        let (first, second) = (damaged[place].version, damaged[place + 1].version);
        damaged[place].version = second;
        damaged[place + 1].version = first;
        assert_eq!(fault(&damaged), (version(place), JournalFault::Altered));
    }
}

#[test]
fn an_entry_of_another_table_is_noticed() {
    let journal = journal();
    let (mut other, batch) =
        Table::open("t2", terms("uth-standard", Some(CLOCKS)), Time::from_millis(1_000))
            .expect("a good name");
    assert_eq!(fault(&batch.entries), (1, JournalFault::Altered));
    let joined = other.handle(join(1, "ann"), Time::from_millis(1_000)).expect("a free seat");
    let mut mixed = journal[..1].to_vec();
    mixed.extend(joined.entries);
    assert_eq!(fault(&mixed), (2, JournalFault::Altered));
}

/// Adds events to the journal of a table, each with a valid hash.
fn forged(felt: &Felt, events: &[Event]) -> Vec<Entry> {
    let mut journal = felt.journal.clone();
    for event in events {
        let last = journal.last().expect("a journal");
        journal.push(Entry::seal(&last.hash, last.version + 1, felt.now, event.body()));
    }
    journal
}

/// Asserts that an event could not happen at a table now, and returns the reason.
fn impossible(felt: &Felt, event: Event) -> String {
    let told = event.body();
    let (named, fault) = fault(&forged(felt, &[event]));
    assert_eq!(named, felt.table.version() + 1);
    match fault {
        JournalFault::Impossible { why } => why,
        other => panic!("{told}: {other:?}"),
    }
}

fn wagered(number: u32, cents: i64) -> Event {
    Event::Wagered { seat: seat(number), ante: Amount::cents(cents), bonus: Amount::ZERO }
}

fn decided(decision: Decision, by_table: bool) -> Event {
    Event::Decided { seat: seat(1), decision, by_table }
}

fn undealt() -> Event {
    let (reason, seed) = ("no player wagered".to_owned(), Seed::from_bytes([1; 32]));
    Event::RoundUndealt { reason, seed, seat_seeds: Vec::new() }
}

#[test]
fn impossible_events_while_betting_are_refused_even_with_valid_hashes() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 0);
    let player = || "cy".to_owned();
    let terms = serde_json::from_str(felt.table.terms().text()).expect("JSON");
    let (one, two, hash) = (seat(1), seat(2), Hash::of(b"luck"));
    let seed = || Seed::from_bytes([1; 32]);
    for (event, why) in [
        (Event::TableOpened { terms }, "nothing could have caused it"),
        (Event::PlayerJoined { seat: one, player: player() }, "this seat is taken"),
        (Event::PlayerJoined { seat: seat(8), player: player() }, "the table has seats 1 to 7"),
        (Event::PlayerLeft { seat: seat(3), by_table: false }, "this seat is empty"),
        (Event::PlayerLeft { seat: one, by_table: false }, "something else would have happened"),
        (Event::PlayerLeft { seat: two, by_table: true }, "nothing could have caused it"),
        (Event::PlayerLeaving { seat: one }, "something else would have happened"),
        (Event::SatOut { seat: two, by_table: true }, "nothing could have caused it"),
        (Event::SatIn { seat: two }, "this seat isn't sitting out"),
        (wagered(2, 501), "the Ante must be a multiple of $5"),
        (wagered(3, 500), "this seat is empty"),
        (Event::Withdrawn { seat: two }, "this seat has no wager in the round"),
        (Event::BettingClosed, "this table deals on a clock"),
        (Event::Dealt, "this table deals on a clock"),
        (decided(Decision::Check, false), "betting is still open"),
        (decided(Decision::Check, true), "nothing could have caused it"),
        (
            Event::RoundOpened { round: 2, commitment: seed().commitment("t1", 2), seed: seed() },
            "the table doesn't need a new deck now",
        ),
        (
            Event::SeedRevealed { seat: one, seed: "00".to_owned() },
            "a seed can be shown only after \"no more bets\" and before the deal",
        ),
        (Event::SeedCommitted { seat: seat(3), commitment: hash }, "this seat is empty"),
        (Event::BankTaken { seat: one, wager: Amount::cents(500) }, "the house banks here"),
        (
            Event::BankDeclined { seat: one, by_table: false },
            "the bank isn't offered to this seat now",
        ),
        (
            Event::RoundOver { record: Record("{}".to_owned()) },
            "the round had another result, or is not over",
        ),
        (Event::WindowPassed, "nothing could have caused it"),
        (Event::Resumed, "the table is not paused"),
        (
            Event::TableClosed { reason: "the table is empty".to_owned() },
            "nothing could have caused it",
        ),
    ] {
        let told = event.body();
        assert_eq!(impossible(&felt, event), why, "{told}");
    }
}

#[test]
fn impossible_events_of_a_hand_are_refused_even_with_valid_hashes() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    felt.wager(1, "ann", 500, 0);
    for (event, why) in [
        (wagered(1, 1_000), "no more bets: betting is closed"),
        (decided(Decision::Bet(2), false), "you can bet 3x or 4x the Ante now"),
        (decided(Decision::Fold, false), "you can't fold yet: check or bet"),
        // No player is out of time yet.
        (decided(Decision::Check, true), "nothing could have caused it"),
        (undealt(), "something else would have happened"),
        (Event::BettingClosed, "this table deals on a clock"),
        (
            Event::RoundOver { record: Record("{}".to_owned()) },
            "the round had another result, or is not over",
        ),
    ] {
        let told = event.body();
        assert_eq!(impossible(&felt, event), why, "{told}");
    }
    felt.now = felt.table.next_deadline().expect("a deadline");
    assert_eq!(impossible(&felt, decided(Decision::Fold, true)), "nothing could have caused it");
    let good = forged(&felt, &[decided(Decision::Check, true)]);
    replay("t1", &good, &mut TermsCache::default()).expect("the table would do the same");
}

#[test]
fn a_round_with_another_result_is_refused() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    felt.wager(1, "ann", 500, 0);
    felt.play_out();
    let over = felt.journal.pop().expect("an entry");
    let Ok(Event::RoundOver { record }) = Event::read(&over.body) else { panic!("{over:?}") };
    let other = record.0.replacen("\"net\":", "\"net\":1", 1);
    assert_ne!(other, record.0);
    let last = felt.journal.last().expect("an entry").clone();
    for (record, good) in [(record, true), (Record(other), false)] {
        let body = Event::RoundOver { record }.body();
        let mut journal = felt.journal.clone();
        journal.push(Entry::seal(&last.hash, over.version, over.at, body));
        if good {
            replay("t1", &journal, &mut TermsCache::default()).expect("the original round");
        } else {
            let why = "the round had another result, or is not over".to_owned();
            assert_eq!(fault(&journal), (over.version, JournalFault::Impossible { why }));
        }
    }
}

#[test]
fn a_seed_that_was_not_committed_to_opens_no_round() {
    let mut felt = Felt::without_clocks("uth-standard");
    felt.seat_all(&["ann"]);
    // Remove the last entry, which opened the round.
    let opened = felt.journal.pop().expect("an entry");
    let seed = Seed::from_bytes([7; 32]);
    let Ok(Event::RoundOpened { round, commitment, .. }) = Event::read(&opened.body) else {
        panic!("{opened:?}");
    };
    let journal = forged(&felt, &[Event::RoundOpened { round, seed, commitment }]);
    let why = "something else would have happened".to_owned();
    assert_eq!(fault(&journal), (opened.version, JournalFault::Impossible { why }));
}

#[test]
fn a_checkpoint_with_another_state_is_refused() {
    let mut felt = Felt::without_clocks("uth-standard").replaying_every(100);
    felt.seat_all(&["ann"]);
    while checkpoints(&felt.journal).is_empty() {
        felt.wager(1, "ann", 500, 0);
        felt.ok(deal("ann"));
        felt.decide(1, "ann", Decision::Bet(3));
    }
    let place = checkpoints(&felt.journal)[0];
    let Ok(Event::Checkpoint(mut checkpoint)) = Event::read(&felt.journal[place].body) else {
        panic!("it is a checkpoint");
    };
    checkpoint.seats[0].player = "mallory".to_owned();
    let mut journal = felt.journal[..place].to_vec();
    let last = journal[place - 1].clone();
    let body = Event::Checkpoint(checkpoint.clone()).body();
    journal.push(Entry::seal(&last.hash, last.version + 1, last.at, body));
    let why = "nothing could have caused it".to_owned();
    assert_eq!(fault(&journal), (version(place), JournalFault::Impossible { why }));
    // If the journal starts at the checkpoint, at least the terms are compared.
    checkpoint.terms = Hash::of(b"other terms");
    let body = Event::Checkpoint(checkpoint).body();
    let entry = Entry::seal(&last.hash, last.version + 1, last.at, body);
    let why = "the table was opened on other terms".to_owned();
    let expected = (version(place), JournalFault::Impossible { why });
    assert_eq!(fault(&[journal[0].clone(), entry]), expected);
}

#[test]
fn a_journal_skips_to_a_checkpoint_only_from_its_first_entry() {
    let mut felt = Felt::without_clocks("uth-standard").replaying_every(100);
    felt.seat_all(&["ann"]);
    while checkpoints(&felt.journal).is_empty() {
        felt.ok(felt::void("a test"));
    }
    let place = checkpoints(&felt.journal)[0];
    // A checkpoint does not replace an entry that is missing later in the journal.
    let mut gap = felt.journal.clone();
    gap.remove(place - 1);
    assert_eq!(fault(&gap), (version(place - 1), JournalFault::Missing));
    // Like any other entry, it is sealed after the previous one.
    let mut altered = felt.journal.clone();
    altered[place].hash = Hash::of(b"another");
    assert_eq!(fault(&altered), (version(place), JournalFault::Altered));
    // After the first entry, the second skips nothing.
    let second = Entry { version: 2, ..felt.journal[place].clone() };
    assert_eq!(fault(&[felt.journal[0].clone(), second]), (2, JournalFault::Altered));
}

#[test]
fn a_table_whose_rounds_could_not_be_read_is_not_opened() {
    let opened = |count: usize| {
        let mut catalog = Catalog::shipped();
        let ids: Vec<String> = (0..count).map(|number| format!("own-{number}")).collect();
        for id in &ids {
            let own = json!({"id": id, "title": "Own", "source": "me", "bet": "trips",
                "pays": {"pair": "1:1"}});
            catalog.add_paytable(PayTable::from_json(&own).expect("a pay table")).expect("new");
        }
        let house = catalog.house("uth-standard").expect("a house");
        let mut house = serde_json::to_value(&**house).expect("plain data");
        (house["id"], house["bonus_paytables"]) = (json!("own"), json!(ids));
        (house["title"], house["source"]) = (json!("Own"), json!("me"));
        let house = House::from_json(&house, catalog.paytables()).expect("a good house");
        catalog.add_house(house).expect("a new id");
        Terms::new(&catalog, "own", None, None)
    };
    let most = croupier_rules::Record::PAYTABLES_MAX;
    let error = opened(most + 1).expect_err("too many").to_string();
    assert_eq!(error, "the house has 17 pay tables of its own: the limit is 16");
    let mut felt = Felt::on(opened(most).expect("terms").into());
    felt.seat_all(&["ann"]);
    felt.ok(wager(1, "ann", 500, 500));
    felt.ok(deal("ann"));
    while let Some(decision) = felt.table.round().and_then(|it| it.decisions(seat(1)).pop()) {
        felt.decide(1, "ann", decision);
    }
    assert_eq!(felt.assert_records(), 1);
}

#[test]
fn a_journal_from_before_records_included_their_pay_tables_is_read() {
    let mut felt = Felt::on(own_terms());
    felt.seat_all(&["ann", "bea", "cy"]);
    play(&mut felt);
    let (mut hash, mut shorter) = (first_hash("t1"), 0);
    let seal = |entry: &Entry| {
        let mut body: Value = serde_json::from_str(&entry.body).expect("JSON");
        let record = body.get_mut("record").and_then(Value::as_object_mut);
        shorter += usize::from(record.is_some_and(|it| it.shift_remove("paytables").is_some()));
        let entry = Entry::seal(&hash, entry.version, entry.at, body.to_string());
        hash = entry.hash;
        entry
    };
    let before: Vec<Entry> = felt.journal.iter().map(seal).collect();
    assert_eq!(shorter, 1, "a round was played");
    let table =
        replay("t1", &before, &mut TermsCache::default()).expect("old journals stay readable");
    assert_eq!((table.version(), table.seats()), (felt.table.version(), felt.table.seats()));
}

#[test]
fn time_does_not_go_back_in_a_journal() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    felt.now = Time::from_millis(felt.now.as_millis() - 1);
    let journal = forged(&felt, &[wagered(1, 500)]);
    assert_eq!(fault(&journal), (felt.table.version() + 1, JournalFault::Altered));
}

#[test]
fn a_journal_begins_with_the_opening_of_its_table() {
    let at = Time::from_millis(1_000);
    let (first, terms) = (first_hash("t1"), terms("uth-standard", None));
    for (body, why) in [
        (Event::Resumed.body(), "a journal must begin with a table-opened event"),
        ("{}".to_owned(), "missing field `event` at line 1 column 2"),
    ] {
        let why = why.to_owned();
        let entries = [Entry::seal(&first, 1, at, body)];
        assert_eq!(fault(&entries), (1, JournalFault::Unreadable { why }));
    }
    // An unknown field.
    let text = terms.text().replacen("\"bonus\":", "\"cheat\":1,\"bonus\":", 1);
    let body = format!("{{\"event\":\"table-opened\",\"terms\":{text}}}");
    let (named, unreadable) = fault(&[Entry::seal(&first, 1, at, body)]);
    assert!(matches!(&unreadable, JournalFault::Unreadable { why } if why.contains("cheat")));
    assert_eq!(named, 1);
}

#[test]
fn every_event_is_read_as_it_is_written() {
    let mut felt = Felt::open("uth-california").replaying_every(100);
    felt.seat_all(&["ann", "bea", "cy"]);
    while felt.table.round_number() < 34 {
        play(&mut felt);
    }
    felt.ok(take_bank(felt.offered().expect("an offer"), &offered_player(&felt), 500));
    felt.ok(leave(1, "ann"));
    for entry in &felt.journal {
        let event = Event::read(&entry.body).expect("an event");
        assert_eq!(event.body(), entry.body);
        let through_serde: Event = serde_json::from_str(&entry.body).expect("an event");
        assert_eq!(through_serde, event);
    }
}

fn offered_player(felt: &Felt) -> String {
    let offered = felt.table.offered();
    let mut seats = felt.table.seats().iter();
    seats.find(|who| Some(who.seat) == offered).expect("a player").player.clone()
}
