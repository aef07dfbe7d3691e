//! Verification of every part of an exported round.

mod felt;

use croupier_cards::Card;
use croupier_rules::{Amount, Catalog, Decision, Record};
use croupier_table::{
    Clocks, Entry, Hash, OperatorCommand, PlayerCommand, Seed, Time, first_hash, seat_commitment,
    shuffle, to_hex, verify,
};
use serde_json::{Value, json};

use self::felt::{Felt, commit, own_terms, reveal, seat, take_bank, terms, void};

/// Plays rounds at a house with three players who all commit to seeds, and returns the records.
fn records(house: &str) -> Vec<String> {
    play(Felt::open(house))
}

fn play(mut felt: Felt) -> Vec<String> {
    felt.seat_all(&["ann", "bea", "cy"]);
    let table = felt.table.name().to_owned();
    for round in 1..=3_u64 {
        if let Some(banker) = felt.table.offered() {
            let player = felt.table.seats()[banker.number() as usize - 1].player.clone();
            felt.ok(
                PlayerCommand::TakeBank { seat: banker, wager: Amount::cents(3_000) }.by(player)
            );
        }
        let players: Vec<(u32, String)> =
            felt.table.seats().iter().map(|who| (who.seat.number(), who.player.clone())).collect();
        let seed = |player: &str| *Hash::of(format!("{player}, {round}").as_bytes()).as_bytes();
        for (number, player) in &players {
            let commitment = seat_commitment(&table, round, seat(*number), &seed(player));
            let player = player.clone();
            felt.ok(PlayerCommand::CommitSeed { seat: seat(*number), commitment }.by(player));
        }
        for (number, player) in &players {
            let bonus = if *number == 2 { 500 } else { 0 };
            let _ = felt.try_to(felt::wager(*number, player, 1_000, bonus));
        }
        for (number, player) in &players {
            // One of them does not show the seed in the second round.
            if !(round == 2 && *number == 2) {
                let (seat, seed) = (seat(*number), to_hex(&seed(player)));
                felt.ok(PlayerCommand::RevealSeed { seat, seed }.by(player.clone()));
            }
        }
        if round == 2 {
            felt.run_out();
        }
        if round == 3 {
            let open = felt.table.round().expect("a round");
            let number = open.to_decide().next().expect("a seat to decide");
            let best = open.decisions(number)[0];
            let player = felt.table.seats()[number.number() as usize - 1].player.clone();
            felt.ok(PlayerCommand::Decide { seat: number, decision: best }.by(player));
            felt.ok(OperatorCommand::Void { reason: "the shuffler jammed".to_owned() }.into());
        }
        while felt.table.round().is_some_and(|round| round.settlement().is_none()) {
            felt.run_out();
        }
        felt.run_out();
    }
    felt.records()
}

const HOUSES: [&str; 4] = ["uth-washington", "uth-standard", "uth-california", "utcp-standard"];

#[test]
fn a_true_record_of_every_house_is_accepted() {
    for house in HOUSES {
        let records = records(house);
        assert_eq!(records.len(), 3, "{house}");
        for (record, round) in records.iter().zip(1..) {
            let verified = verify(record, &Catalog::shipped()).expect("a valid record");
            assert_eq!((&*verified.table, verified.round), ("t1", round));
            let unrevealed = if round == 2 { vec![seat(2)] } else { Vec::new() };
            assert_eq!(verified.unrevealed, unrevealed);
            assert_eq!(record.contains("the shuffler jammed"), round == 3);
        }
    }
}

/// The file that the README verifies has a round of each house, exactly as tables write it.
///
/// With `CROUPIER_BLESS=1` it is rewritten. A difference means that records which were exported
/// before no longer verify.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test reads its own file")]
fn exported_rounds_are_unchanged() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/exported.jsonl");
    let names = ["washington-1", "standard-1", "california-1", "three-card-1"];
    // An evening in the spring of 2026.
    let evening = Time::from_millis(1_776_189_600_000);
    let rounds = HOUSES.iter().zip(names).zip([0, 1, 2, 0]).map(|((house, name), round)| {
        let terms = terms(house, Some(Clocks::default()));
        play(Felt::at(name, terms, evening).mixed()).remove(round)
    });
    let rounds = rounds.map(|record| record + "\n").collect::<String>();
    if std::env::var_os("CROUPIER_BLESS").is_some() {
        std::fs::write(path, &rounds).expect("the file can be written");
    }
    assert_eq!(std::fs::read_to_string(path).expect("the file is there"), rounds);
}

#[test]
fn a_record_with_any_single_field_changed_is_refused() {
    let (catalog, mut tried) = (Catalog::shipped(), 0);
    for house in HOUSES {
        for record in records(house) {
            let record: Value = serde_json::from_str(&record).expect("JSON");
            for path in paths(&record, &mut Vec::new()) {
                for changed in changes(&record, &path) {
                    let text = changed.to_string();
                    let answer = verify(&text, &catalog);
                    assert!(answer.is_err(), "{path:?} is changed and accepted: {text}");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 5_000, "only {tried} changes were tried");
}

#[test]
fn a_field_that_no_table_writes_is_refused() {
    for record in records("uth-california") {
        let mut record: Value = serde_json::from_str(&record).expect("JSON");
        record["remark"] = "true, I swear".into();
        let error = verify(&record.to_string(), &Catalog::shipped()).unwrap_err();
        assert_eq!(error.to_string(), "remark: no table writes this field");
    }
}

#[test]
fn a_round_with_custom_pay_tables_is_verified_without_knowing_them() {
    let terms = own_terms();
    let catalog = terms.catalog().clone();
    for record in play(Felt::on(terms)) {
        let fields: Value = serde_json::from_str(&record).expect("JSON");
        assert_eq!(
            fields["paytables"].as_array().map(Vec::len),
            Some(1),
            "the one that does not ship"
        );
        verify(&record, &Catalog::shipped()).expect("a valid round");
        verify(&record, &catalog).expect("a valid round");
        let mut generous = fields.clone();
        generous["paytables"][0]["pays"]["flush"] = json!("90:1");
        let error = verify(&generous.to_string(), &Catalog::shipped()).expect_err("it is sealed");
        assert_eq!(error.field(), "rules_version");
        // A table writes only the pay tables that do not ship.
        let shipped = serde_json::to_value(Catalog::shipped().paytables()).expect("plain data");
        let other = json!({"id": "OTHER", "title": "Other", "source": "me", "bet": "trips",
            "pays": {"flush": "1:1"}});
        let own = &fields["paytables"][0];
        for paytables in
            [json!([]), json!([own, own]), json!([own, other]), json!([own, shipped[0]])]
        {
            let mut more = fields.clone();
            more["paytables"] = paytables;
            let error = verify(&more.to_string(), &catalog).expect_err("too many");
            assert_eq!(error.field(), "paytables");
        }
    }
}

#[test]
fn a_fault_is_named_with_its_field() {
    let record = records("uth-standard").remove(0);
    let record: Value = serde_json::from_str(&record).expect("JSON");
    let error = |path: &str, value: Value| {
        let mut record = record.clone();
        *record.pointer_mut(path).expect("a field") = value;
        verify(&record.to_string(), &Catalog::shipped()).unwrap_err().to_string()
    };
    let zeros = "0".repeat(64);
    assert_eq!(
        error("/shuffle/seed", zeros.clone().into()),
        "shuffle.commitment: it does not match this seed: the seed, the table, the round or the \
         commitment was changed"
    );
    assert_eq!(
        error("/journal/previous", zeros.into()),
        "journal_hash: it is not the hash of this record after that entry: something was changed"
    );
    assert_eq!(error("/deck_colour", "blue".into()), "deck_colour: the deck of this round is red");
    let said = error("/result/bank/net", 1.into());
    assert!(said.starts_with("result.bank.net: the record says 1, but the replay"), "{said}");
}

/// Seals a record again, as a forger would do.
fn sealed(mut record: Value) -> String {
    let [journal, _] = ["journal", "journal_hash"].map(|name| {
        record.as_object_mut().expect("an object").shift_remove(name).expect("it is there")
    });
    let previous = journal["previous"].as_str().expect("a hash").parse().expect("a hash");
    let (version, at) = (journal["version"].as_u64(), journal["at"].as_i64());
    let body = format!("{{\"event\":\"round-over\",\"record\":{}}}", canonical(&record));
    let at = Time::from_millis(at.expect("a time"));
    let entry = Entry::seal(&previous, version.expect("a version"), at, body);
    record["journal"] = journal;
    record["journal_hash"] = json!(entry.hash);
    record.to_string()
}

/// Writes JSON in canonical form, with different code than tables use.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort();
            let write =
                |name: &String| format!("{}:{}", Value::from(&**name), canonical(&fields[name]));
            format!("{{{}}}", names.into_iter().map(write).collect::<Vec<_>>().join(","))
        }
        Value::Array(list) => {
            format!("[{}]", list.iter().map(canonical).collect::<Vec<_>>().join(","))
        }
        _ => value.to_string(),
    }
}

/// Recomputes the deck and the result of a record whose seeds were changed, and seals it.
fn dealt_again(mut record: Value) -> String {
    let shuffled = &record["shuffle"];
    let (table, round) = (shuffled["table"].as_str(), shuffled["round"].as_u64());
    let (table, round) = (table.expect("a name"), round.expect("a number"));
    let seeds = shuffled["seat_seeds"].as_array().expect("a list").iter().map(|of| {
        let number = u32::try_from(of["seat"].as_u64().expect("a number")).expect("a seat");
        let seed = croupier_table::from_hex(of["seed"].as_str().expect("a text"));
        (seat(number), seed.expect("digits"))
    });
    let seed = Seed::from_hex(shuffled["seed"].as_str().expect("a text")).expect("a seed");
    let deck = shuffle(table, round, &seed, &seeds.collect::<Vec<_>>());
    record["deck"] = json!(deck.cards().map(|card: Card| card.to_string()).to_vec());
    record.as_object_mut().expect("an object").shift_remove("result");
    let read = Record::read(&record.to_string(), &Catalog::shipped()).expect("a record");
    let result = read.replay().expect("it can be played").result;
    record["result"] = serde_json::to_value(result).expect("plain data");
    sealed(record)
}

fn refused(text: &str) -> String {
    verify(text, &Catalog::shipped()).expect_err("it is accepted").to_string()
}

/// Returns a record of one seat that commits to no seed, checks and folds.
fn lone() -> Value {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    felt.wager(1, "ann", 1_000, 0);
    felt.play_out();
    serde_json::from_str(&felt.records().remove(0)).expect("JSON")
}

fn seat_seed(number: u32, bytes: &[u8]) -> Value {
    let commitment = seat_commitment("t1", 1, seat(number), bytes);
    json!({ "commitment": commitment, "seat": number, "seed": to_hex(bytes) })
}

#[test]
fn only_seats_of_the_round_have_a_say_in_its_deck() {
    let with = |seeds: &[Value]| {
        let mut record = lone();
        record["shuffle"]["seat_seeds"] = json!(seeds);
        dealt_again(record)
    };
    // This forgery cannot be detected: the seat is in the round.
    let longest = [7; 64];
    let mut longer = lone();
    longer["journal"]["version"] = json!(20);
    longer["shuffle"]["seat_seeds"] = json!([seat_seed(1, &longest)]);
    assert!(verify(&dealt_again(longer), &Catalog::shipped()).is_ok());
    assert_eq!(
        refused(&with(&[seat_seed(7, b"for a deck that we like")])),
        "shuffle.seat_seeds[0].seat: seat 7 is not in the round, so its seed can't be part of the \
         shuffle"
    );
    assert_eq!(
        refused(&with(&[seat_seed(1, &[7; 65])])),
        "shuffle.seat_seeds[0].seed: a seat's seed is at most 64 bytes long"
    );
    let mut swapped: Value = serde_json::from_str(&records("uth-standard")[0]).expect("JSON");
    swapped["shuffle"]["seat_seeds"].as_array_mut().expect("a list").swap(0, 1);
    assert_eq!(
        refused(&sealed(swapped)),
        "shuffle.seat_seeds[1].seat: seats must be in ascending order, each listed once"
    );
    assert_eq!(
        refused(&with(&[seat_seed(1, b"1"), seat_seed(1, b"1")])),
        "shuffle.seat_seeds[1].seat: seats must be in ascending order, each listed once"
    );
}

/// The banker is in the round, although they do not wager.
#[test]
fn the_banker_has_a_say_in_the_deck() {
    let record: Value = serde_json::from_str(&records("uth-california")[0]).expect("JSON");
    let banker = &record["banker"]["seat"];
    let mut seeds = record["shuffle"]["seat_seeds"].as_array().expect("a list").iter();
    assert!(seeds.any(|seed| seed["seat"] == *banker));
}

#[test]
fn a_duplicate_name_is_refused_at_any_depth() {
    let record = lone().to_string();
    for (once, twice, field) in [
        ("\"net\":", "\"net\":999999,\"net\":", "result.bank.net"),
        ("\"result\":{", "\"result\":{\"bank\":{\"net\":7},", "result.bank"),
        ("\"seed\":\"", "\"seed\":\"ff\",\"seed\":\"", "shuffle.seed"),
        ("\"format\"", "\"format\":\"x\",\"format\"", "format"),
        ("\"ante\":", "\"ante\":5,\"ante\":", "seats[0].ante"),
        ("\"previous\":", "\"previous\":\"00\",\"previous\":", "journal.previous"),
        ("\"outcome\":", "\"outcome\":\"win\",\"outcome\":", "result.seats[0].outcome"),
    ] {
        let changed = record.replacen(once, twice, 1);
        assert_ne!(changed, record, "{once}");
        assert_eq!(refused(&changed), format!("{field}: it appears twice"));
    }
}

#[test]
fn names_that_no_table_accepts_are_refused() {
    let bad = ["", " ann", "a\nRound 2 of table t1 is true.", "\u{1b}[2J", "a\u{200b}", "\u{9b}"];
    let bad = bad.map(str::to_owned).into_iter().chain(["a".repeat(65)]);
    let unfit = "no table accepts this text: use 1 to 64 characters, none invisible, \
                 with no space at either end";
    for name in bad {
        let mut record = lone();
        record["seats"][0]["player"] = json!(name);
        assert_eq!(refused(&sealed(record)), format!("seats[0].player: {unfit}"));

        let mut record: Value = serde_json::from_str(&records("uth-california")[2]).expect("JSON");
        record["banker"]["player"] = json!(name);
        assert_eq!(refused(&sealed(record.clone())), format!("banker.player: {unfit}"));
        record["banker"]["player"] = json!("dan");
        if !name.is_empty() {
            record["void"] = json!(name);
            assert_eq!(refused(&sealed(record)), format!("void: {unfit}"));
        }

        let mut record = lone();
        let seed = Seed::from_bytes([1; 32]);
        record["shuffle"]["table"] = json!(name);
        record["shuffle"]["seed"] = json!(seed.reveal());
        record["shuffle"]["commitment"] = json!(seed.commitment(&name, 1));
        assert_eq!(
            refused(&dealt_again(record)),
            "shuffle.table: this is not a table name: use 1 to 64 letters, digits, - and _"
        );
    }
    let mut record = lone();
    record["seats"][0].as_object_mut().expect("a seat").shift_remove("player");
    assert_eq!(refused(&sealed(record)), "seats[0].player: it is missing");
}

#[test]
fn fields_that_the_format_allows_but_no_table_writes_are_refused() {
    for (path, name, value, message) in [
        ("", "void", Value::Null, "it is null, and no table writes null"),
        ("/seats/0", "bonus", Value::Null, "it is null, and no table writes null"),
        ("/seats/0", "blind", json!(1_000), "no table writes this field"),
        ("", "blind_paytable", json!("UTH"), "no table writes this field"),
        ("/shuffle", "salt", json!(1), "no table writes this field"),
        ("/journal", "node", json!("a"), "no table writes this field"),
    ] {
        let mut record = lone();
        record.pointer_mut(path).expect("it is there")[name] = value;
        let field = format!("{path}/{name}")[1..].replace("/0", "[0]").replace('/', ".");
        assert_eq!(refused(&sealed(record)), format!("{field}: {message}"));
    }
}

#[test]
fn a_round_needs_a_minimum_number_of_entries() {
    // Opened, joined, round opened, wagered, betting closed, dealt, checked twice, folded, over.
    let mut record = lone();
    assert_eq!(record["journal"]["version"], json!(10));
    assert!(verify(&sealed(record.clone()), &Catalog::shipped()).is_ok());
    for version in [0, 1, 9] {
        record["journal"]["version"] = json!(version);
        assert_eq!(
            refused(&sealed(record.clone())),
            "journal.version: it must be at least 10: the journal needs that many entries by then"
        );
    }
}

#[test]
fn a_round_needs_an_entry_for_everything_in_its_record() {
    let mut felt = Felt::open("uth-california");
    felt.seat_all(&["ann", "bea", "cy", "dee"]);
    // Two rounds that are not dealt, which have the fewest entries that a round can have.
    for _ in 0..2 {
        felt.ok(void("a card was exposed"));
        felt.run_out();
    }
    felt.ok(take_bank(1, "ann", 5_000));
    let players = [(1, "ann"), (2, "bea"), (3, "cy")];
    for (number, player) in players {
        let shown = seat_commitment("t1", 3, seat(number), player.as_bytes());
        felt.ok(commit(number, player, shown));
    }
    for (number, player) in [(2, "bea"), (3, "cy"), (4, "dee")] {
        felt.wager(number, player, 500, 0);
    }
    // The third player does not show the seed.
    for (number, player) in &players[..2] {
        felt.ok(reveal(*number, player, &to_hex(player.as_bytes())));
    }
    felt.run_out();
    for (number, player) in [(2, "bea"), (3, "cy"), (4, "dee"), (2, "bea"), (3, "cy")] {
        felt.decide(number, player, Decision::Check);
    }
    felt.ok(void("the shuffler jammed"));
    // Opened, 4 joined, 2 rounds of 2; opened, the bank taken, 3 commitments, 3 wagers, betting
    // closed, 2 seeds, dealt, 5 decisions, stopped, over.
    let mut record: Value = serde_json::from_str(&felt.records().remove(0)).expect("JSON");
    assert_eq!(record["journal"]["version"], json!(9 + 19));
    assert_eq!(verify(&record.to_string(), &Catalog::shipped()).map(|round| round.round), Ok(3));
    record["journal"]["version"] = json!(27);
    let said =
        "journal.version: it must be at least 28: the journal needs that many entries by then";
    assert_eq!(refused(&sealed(record.clone())), said);
    // There could be one more entry.
    record["journal"]["version"] = json!(29);
    assert!(verify(&sealed(record), &Catalog::shipped()).is_ok());
}

/// Every fault in a field of `shuffle` and `journal` is reported in plain words, with its place.
#[test]
fn faults_are_reported_in_plain_words() {
    let capitals = "AB".repeat(32);
    for (path, value, said) in [
        ("/journal", json!(3), "journal: write an object with version, at, previous"),
        ("/journal/version", json!("9"), "journal.version: write a whole number"),
        ("/journal/version", json!(9.5), "journal.version: write a whole number"),
        ("/journal/at", json!(true), "journal.at: write a whole number of milliseconds"),
        ("/journal/at", json!(1.5), "journal.at: write a whole number"),
        ("/journal/previous", json!(""), "journal.previous: write 64 hexadecimal digits"),
        ("/journal_hash", json!("ab"), "journal_hash: write 64 hexadecimal digits"),
        ("/shuffle/round", json!(-1), "shuffle.round: write a whole number"),
        ("/shuffle/round", json!(0), "shuffle.round: round numbers start at 1 and stay below 2^53"),
        ("/shuffle/table", json!(1), "shuffle.table: write a string"),
        ("/shuffle/seat_seeds", json!("none"), "shuffle.seat_seeds: write a list"),
        (
            "/shuffle/seed",
            json!(capitals),
            "shuffle.seed: write hexadecimal digits in lower case, 0 to 9 and a to f",
        ),
        ("/shuffle/seed", json!("abc"), "shuffle.seed: write an even number of hexadecimal digits"),
        ("/shuffle/seed", Value::Null, "shuffle.seed: it is null, and no table writes null"),
    ] {
        let mut record = lone();
        *record.pointer_mut(path).expect("it is there") = value;
        assert_eq!(refused(&record.to_string()), said);
    }
    for (path, name) in [("/shuffle", "seed"), ("/shuffle", "round"), ("/journal", "at")] {
        let mut record = lone();
        let object = record.pointer_mut(path).and_then(Value::as_object_mut);
        object.expect("an object").shift_remove(name);
        assert_eq!(refused(&record.to_string()), format!("{}.{name}: it is missing", &path[1..]));
    }
    let mut record = lone();
    record.as_object_mut().expect("an object").shift_remove("journal");
    let error = verify(&record.to_string(), &Catalog::shipped()).unwrap_err();
    assert_eq!(error.field(), "journal");
    assert_eq!(error.message(), "it is missing, so nothing seals the round");
    assert_eq!((error.table(), error.round()), (Some("t1"), Some(1)));
}

#[test]
fn a_fault_names_its_round_as_far_as_the_record_does() {
    let about = |record: &Value| {
        let error = verify(&record.to_string(), &Catalog::shipped()).expect_err("it is accepted");
        (error.table().map(str::to_owned), error.round())
    };
    let mut record: Value = serde_json::from_str(&records("uth-standard")[1]).expect("JSON");
    record["seats"][0]["ante"] = json!(7);
    assert_eq!(about(&record), (Some("t1".to_owned()), Some(2)));
    record["shuffle"]["table"] = json!("no such name");
    assert_eq!(about(&record), (None, Some(2)));
    record.as_object_mut().expect("an object").shift_remove("shuffle");
    assert_eq!(about(&record), (None, None));
}

#[test]
fn the_docs_show_how_a_hash_is_made() {
    let page = include_str!("../../../docs/table.md");
    let (before, version, at) = (first_hash("t1"), 1, Time::from_millis(-1));
    let entry = Entry::seal(&before, version, at, "{\"event\":\"resumed\"}".to_owned());
    for shown in [before, entry.hash] {
        assert!(page.contains(&shown.to_string()), "docs/table.md does not show {shown}");
    }
    let exported = include_str!("../../../docs/exported.jsonl");
    let first: Value =
        serde_json::from_str(exported.lines().next().expect("a round")).expect("JSON");
    let page = include_str!("../../../docs/record.md");
    for name in ["journal_hash", "rules_version"] {
        let shown = first[name].as_str().expect("a text");
        assert!(page.contains(shown), "docs/record.md does not show {shown}");
    }
}

/// Runs the Python program in the docs on a text.
#[expect(clippy::disallowed_methods, reason = "it runs another program on a file of its own")]
fn python(name: &str, text: &str) -> (String, Option<i32>) {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/shuffle.py");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the folder for tests");
    let run = std::process::Command::new("python3").arg(program).arg(path).output();
    let run = run.expect("python3 is there; on Debian or Ubuntu: apt-get install python3");
    assert_eq!(String::from_utf8_lossy(&run.stderr), "", "docs/shuffle.py");
    (String::from_utf8(run.stdout).expect("it prints text"), run.status.code())
}

#[test]
fn the_python_program_checks_exported_rounds() {
    let exported = include_str!("../../../docs/exported.jsonl");
    let wanted = "4 decks verified, 0 failed\n".to_owned();
    assert_eq!(python("exported.jsonl", exported), (wanted, Some(0)));

    let with = |seeds: &[Value]| {
        let mut record = lone();
        record["shuffle"]["seat_seeds"] = json!(seeds);
        dealt_again(record)
    };
    let mut renamed = lone();
    renamed["seats"][0]["player"] = json!("mallory");
    let mut swapped: Value = serde_json::from_str(&records("uth-standard")[0]).expect("JSON");
    swapped["shuffle"]["seat_seeds"].as_array_mut().expect("a list").swap(0, 1);
    let mut bare = lone();
    bare.as_object_mut().expect("an object").shift_remove("shuffle");
    let mut unsealed = lone();
    unsealed.as_object_mut().expect("an object").shift_remove("journal");
    for (name, record, fault) in [
        (
            "renamed.jsonl",
            renamed.to_string(),
            "journal_hash is not that of the record: something was changed",
        ),
        (
            "invented.jsonl",
            with(&[seat_seed(7, b"for a deck that we like")]),
            "seat 7 is not in the round, so its seed can't be part of the shuffle",
        ),
        (
            "longer.jsonl",
            with(&[seat_seed(1, &[7; 65])]),
            "the seed of seat 1 is longer than 64 bytes",
        ),
        (
            "swapped.jsonl",
            sealed(swapped),
            "the seats with seeds are not in the order of their numbers, each once",
        ),
        ("bare.jsonl", bare.to_string(), "it has no shuffle"),
        ("unsealed.jsonl", unsealed.to_string(), "'journal' is missing"),
        (
            "twice.jsonl",
            lone().to_string().replacen("\"net\":", "\"net\":7,\"net\":", 1),
            "it is malformed: net is a duplicate name",
        ),
    ] {
        let wanted = format!("round 2 of the file: {fault}\n1 decks verified, 1 failed\n");
        let first = lone();
        assert_eq!(python(name, &format!("{first}\n{record}\n")), (wanted, Some(1)), "{name}");
    }
}

/// Returns the path of every value inside a JSON value.
fn paths(value: &Value, here: &mut Vec<String>) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    if !here.is_empty() {
        found.push(here.clone());
    }
    let inside: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(list) => (0..).map(|place: usize| place.to_string()).zip(list).collect(),
        _ => Vec::new(),
    };
    for (name, value) in inside {
        here.push(name);
        found.extend(paths(value, here));
        here.pop();
    }
    found
}

/// Returns variants of a record: with one value removed, and with it slightly changed.
fn changes(record: &Value, path: &[String]) -> Vec<Value> {
    let (name, above) = path.split_last().expect("a path");
    let pointer = above.iter().fold(String::new(), |pointer, name| format!("{pointer}/{name}"));
    let mut without = record.clone();
    let taken = match without.pointer_mut(&pointer).expect("it is there") {
        Value::Object(fields) => fields.shift_remove(name).expect("it is there"),
        Value::Array(list) => list.remove(name.parse().expect("a place")),
        _ => unreachable!("nothing is inside of it"),
    };
    let others: Vec<Value> = match &taken {
        Value::Number(number) => {
            let number = number.as_i64().expect("a whole number");
            vec![(number + 1).into(), (number - 1).into(), number.to_string().into(), Value::Null]
        }
        Value::String(text) => {
            let mut changed = text.clone();
            let first = if changed.starts_with('1') { "2" } else { "1" };
            changed.replace_range(..changed.chars().next().map_or(0, char::len_utf8), first);
            vec![changed.into(), format!("{text} ").into(), text.to_uppercase().into(), Value::Null]
        }
        Value::Bool(truth) => vec![(!truth).into(), Value::Null],
        Value::Array(list) => {
            let mut twice = list.clone();
            twice.extend(list.first().cloned());
            vec![Value::Array(twice), Value::Null]
        }
        Value::Object(_) => vec![Value::Object(serde_json::Map::new()), Value::Null],
        Value::Null => vec![0.into()],
    };
    let put = |other: Value| {
        let mut changed = record.clone();
        let whole = format!("{pointer}/{name}");
        *changed.pointer_mut(&whole).expect("it is there") = other;
        changed
    };
    let others = others.into_iter().filter(|other| *other != taken).map(put);
    [without].into_iter().chain(others).collect()
}
