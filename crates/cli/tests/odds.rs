//! `croupier odds` and `croupier advise` as people and programs call them.

#![expect(clippy::disallowed_methods, reason = "it runs the program, on files of its own")]

mod program;

use std::path::PathBuf;

use serde_json::Value;

use program::croupier;

fn json(arguments: &[&str]) -> Value {
    let run = croupier(arguments);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{arguments:?}");
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// Writes a pay table for the Blind that only this test uses.
fn blind(name: &str, pays: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let head = "id = \"TOY\"\ntitle = \"Toy\"\nsource = \"a test\"\nbet = \"blind\"\n\n[pays]\n";
    std::fs::write(&path, head.to_owned() + pays).expect("the folder can be written to");
    path.to_str().expect("a path of plain letters").to_owned()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Returns the two parts of a fraction, which must be decimal strings and in lowest terms.
fn fraction(value: &Value) -> (i128, i128) {
    assert_eq!(keys(value), ["numerator", "denominator"]);
    let [numerator, denominator] = ["numerator", "denominator"].map(|part| whole(&value[part]));
    let (mut divisor, mut rest) = (denominator, numerator.abs());
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    assert!(denominator > 0 && divisor == 1, "{value} is not in lowest terms");
    (numerator, denominator)
}

/// Returns a number that is written as a decimal string.
fn whole(value: &Value) -> i128 {
    let text = value.as_str().unwrap_or_else(|| panic!("{value} should be a text"));
    let number: i128 = text.parse().expect("a decimal number");
    assert_eq!(number.to_string(), text, "no sign or zero too many");
    number
}

#[expect(clippy::cast_precision_loss, reason = "the printed value is a float")]
fn assert_near(value: &Value, numerator: i128, denominator: i128) {
    let number = value.as_f64().unwrap_or_else(|| panic!("{value} should be a number"));
    let expected = numerator as f64 / denominator as f64;
    assert!((number - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{number} {expected}");
}

/// Checks a sheet against its promises: names, types, and the relations of its figures.
fn check_sheet(sheet: &Value, deals: i128, actions: &[&str]) {
    for key in ["game", "blind", "bonus"] {
        assert!(sheet[key].is_string(), "{key}");
    }
    assert!(sheet["seconds"].is_f64());
    assert_eq!(whole(&sheet["deals"]), deals);

    let main = &sheet["main"];
    let (numerator, denominator) = fraction(&main["ev"]);
    assert_near(&main["edge"], -numerator, denominator);
    let number = |key: &str| main[key].as_f64().unwrap_or_else(|| panic!("{key} is not a number"));
    let (edge, wager) = (number("edge"), number("average_wager"));
    assert!((number("element_of_risk") - edge / wager).abs() < 1e-12);
    assert!(number("standard_deviation") > 0.0);

    assert_eq!(keys(&main["bets"]), ["ante", "blind", "play"]);
    let bets = main["bets"].as_object().expect("an object").values();
    let won: f64 = bets.map(|bet| bet.as_f64().expect("a number")).sum();
    assert!((won + edge).abs() < 1e-12, "the winnings of the bets add up to the total");

    assert_eq!(keys(&main["frequency"]), actions);
    let shares = main["frequency"].as_object().expect("an object").values();
    let shares: f64 = shares.map(|share| share.as_f64().expect("a number")).sum();
    assert!((shares - 1.0).abs() < 1e-12);
    check_outcomes(main, deals, actions);

    let bonus = &sheet["bonus_bet"];
    let (numerator, denominator) = fraction(&bonus["ev"]);
    assert_near(&bonus["edge"], -numerator, denominator);
    assert!(bonus["hit_frequency"].is_f64() && bonus["standard_deviation"].is_f64());
}

#[expect(clippy::cast_precision_loss, reason = "only rounded sums are compared")]
fn check_outcomes(main: &Value, deals: i128, actions: &[&str]) {
    let mut all = 0;
    let mut won = 0.0;
    for outcome in main["outcomes"].as_array().expect("a list") {
        let names = ["action", "result", "dealer_qualifies", "hand", "deals", "net"];
        assert_eq!(keys(outcome), names);
        let action = outcome["action"].as_str().expect("a text");
        assert!(actions.contains(&action), "{action}");
        let result = outcome["result"].as_str().expect("a text");
        assert!(["win", "push", "lose", "fold"].contains(&result), "{result}");
        assert_eq!(result == "fold", action == "fold");
        assert!(outcome["dealer_qualifies"].is_boolean() && outcome["hand"].is_string());
        let net = outcome["net"].as_f64().expect("a number");
        assert!(action != "fold" || (net + 2.0).abs() < 1e-12, "a fold loses two antes");
        all += whole(&outcome["deals"]);
        won += net * whole(&outcome["deals"]) as f64;
    }
    assert_eq!(all, deals, "every deal has an outcome");
    let (numerator, denominator) = fraction(&main["ev"]);
    let ev = numerator as f64 / denominator as f64;
    assert!((won / deals as f64 - ev).abs() < 1e-9, "outcomes add up to the value");
}

#[test]
fn the_sheet_of_texas_holdem_keeps_its_promises_to_programs() {
    let sheet = json(&["odds", "uth", "--json"]);
    assert_eq!([&sheet["game"], &sheet["blind"], &sheet["bonus"]], ["uth", "UTH", "UTH-01"]);
    let actions = ["bet 4", "bet 3", "bet 2", "bet 1", "fold"];
    check_sheet(&sheet, 27_813_810_024_000, &actions);
    let (numerator, denominator) = fraction(&sheet["main"]["ev"]);
    assert_eq!(numerator * (27_813_810_024_000 / denominator), -607_723_787_676);
    assert_eq!(fraction(&sheet["bonus_bet"]["ev"]), (-301_629, 33_446_140));
}

#[test]
fn the_sheet_of_three_card_poker_keeps_its_promises_to_programs() {
    let sheet = json(&["odds", "utcp", "--bonus", "UTCP-03", "--json"]);
    assert_eq!([&sheet["game"], &sheet["blind"], &sheet["bonus"]], ["utcp", "UTCP", "UTCP-03"]);
    check_sheet(&sheet, 407_170_400, &["bet 3", "bet 2", "bet 1", "fold"]);
    assert_eq!(fraction(&sheet["main"]["ev"]), (-690_084, 12_724_075));
    assert_eq!(fraction(&sheet["bonus_bet"]["ev"]), (-392, 5_525));
}

#[test]
fn other_terms_give_sheets_of_the_same_form() {
    let file = blind("sevenths.toml", "straight = \"8:7\"\npair = \"1:7\"\nhigh-card = \"1:7\"\n");
    let run = croupier(&["odds", "utcp", "--blind", &file, "--raise", "2,9", "--json"]);
    let sheet: Value = serde_json::from_str(&run.stdout).expect("JSON");
    check_sheet(&sheet, 407_170_400, &["bet 9", "bet 2", "bet 1", "fold"]);
    let sheet = json(&["odds", "uth", "--raise", "3", "--no-qualify", "--json"]);
    check_sheet(&sheet, 27_813_810_024_000, &["bet 3", "bet 2", "bet 1", "fold"]);
    let outcomes = sheet["main"]["outcomes"].as_array().expect("a list");
    assert!(outcomes.iter().all(|outcome| outcome["dealer_qualifies"] == true));
}

#[test]
fn advice_keeps_its_promises_to_programs() {
    for (arguments, street, actions) in [
        (&["uth", "--hand", "Kc4d"][..], "pre-flop", &["bet 4", "bet 3", "check"][..]),
        (&["uth", "--hand", "Kc4d", "--raise", "5"], "pre-flop", &["bet 5", "check"]),
        (&["uth", "--hand", "Kc 4d", "--board", "Kd 4c 4h"], "flop", &["bet 2", "check"]),
        (&["uth", "--hand", "Ad Jh", "--board", "4s5h6d8c9d"], "river", &["bet 1", "fold"]),
        (&["utcp", "--hand", "Q64"], "", &[]),
        (&["utcp", "--hand", "Qs 6d 4c"], "three-cards", &["bet 1", "fold"]),
        (
            &["utcp", "--hand", "Qs Qd 4c", "--dealer", "Ah", "--dead", "2c 2d"],
            "three-cards",
            &["bet 3", "bet 2", "bet 1", "fold"],
        ),
    ] {
        if street.is_empty() {
            let run = croupier(&[&["advise"], arguments].concat());
            assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "cards have suits");
            continue;
        }
        let advice = json(&[&["advise"], arguments, &["--json"]].concat());
        assert_eq!(keys(&advice), ["street", "actions", "best"]);
        assert_eq!(advice["street"], street);
        let list = advice["actions"].as_array().expect("a list");
        let mut best: Option<(&str, f64)> = None;
        for (action, name) in list.iter().zip(actions) {
            assert_eq!(keys(action), ["action", "ev", "exact"]);
            assert_eq!(action["action"], *name);
            let (numerator, denominator) = fraction(&action["exact"]);
            assert_near(&action["ev"], numerator, denominator);
            let ev = action["ev"].as_f64().expect("a number");
            if *name == "fold" {
                assert_eq!((numerator, denominator), (-2, 1));
            }
            if best.is_none_or(|best| ev > best.1) {
                best = Some((name, ev));
            }
        }
        assert_eq!(list.len(), actions.len());
        assert_eq!(advice["best"].as_str(), best.map(|best| best.0), "{arguments:?}");
    }
}

#[test]
fn sheets_and_advice_fit_in_80_columns() {
    let sevenths = "straight = \"8:7\"\npair = \"1:7\"\nhigh-card = \"1:7\"\n";
    let sevenths = blind("wide.toml", sevenths);
    let large = blind("large.toml", "mini-royal = \"10000000:1\"\nflush = \"1000000:1\"\n");
    let small = blind("small.toml", "royal-flush = \"9999989:9999991\"\n");
    for command in [
        &["odds", "uth"][..],
        &["odds", "uth", "--full"],
        &["odds", "uth", "--full", "--no-qualify", "--blind", &small, "--raise", "20,40"],
        &["odds", "utcp", "--full"],
        &["odds", "utcp", "--full", "--blind", &sevenths, "--raise", "10,1000"],
        &["odds", "utcp", "--full", "--blind", &large],
        &["odds", "utcp", "--raise", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20"],
        &["odds", "--help"],
        &["advise", "--help"],
        &["advise", "uth", "--hand", "Kc 4d", "--board", "Kd 4c 4h", "--dealer", "As"],
        &["advise", "utcp", "--hand", "Kc 4d 3s", "--dead", "As Ad Ac Ah"],
    ] {
        let run = croupier(command);
        assert_eq!(run.code, Some(0), "{command:?}: {}", run.stderr);
        let wide = run.stdout.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{command:?}");
        let trailing = run.stdout.lines().find(|line| line.ends_with(' '));
        assert_eq!(trailing, None, "{command:?}");
    }
}

#[test]
fn bad_questions_are_named_and_exit_2() {
    let pack = croupier_cards::Card::ALL.map(|card| card.to_string());
    let dead = |many: usize| pack[..many].join(" ");
    let (most_dead, all_dead) = (dead(44), dead(46));
    for (arguments, message) in [
        (
            "advise uth --hand AsKs --board 2c3c4c5c",
            "at a decision the board has no cards, three or five",
        ),
        ("advise uth --hand AsAs", "--hand: As (card 2, at character 3) is repeated"),
        (
            "advise uth --hand AsKs --board 2c2d2c",
            "--board: 2c (card 3, at character 5) is repeated",
        ),
        ("advise uth --hand AsKs --dead 3dKs", "Ks is in the hand and also among the dead cards"),
        ("advise uth --hand AsKs --board 2c2d2h --dealer 2d", "2d is in the board and also among"),
        ("advise uth --hand AsKsQs", "a hand has 2 cards, not 3"),
        ("advise uth --hand As", "a hand has 2 cards, not 1"),
        ("advise utcp --hand AsKs", "a hand has 3 cards, not 2"),
        ("advise utcp --hand AsKsQs --board 2c3c4c", "this game has no board"),
        ("advise uth --hand AsKs --dealer 2c3c4c", "the dealer has 2 cards"),
        ("advise uth --hand As1s", "--hand: \"1s\" (card 2, at character 3) is not a card"),
        ("odds uth --blind NOPE", "there is no pay table \"NOPE\": write one of UTH,"),
        ("odds uth --bonus NOPE", "there is no pay table \"NOPE\": write one of UTH,"),
        ("advise uth --hand AsKs --blind NOPE", "there is no pay table \"NOPE\""),
        ("odds uth --blind UTH-01", "--blind: UTH-01 is a pay table for trips, not for blind"),
        (
            "odds uth --blind UTCP",
            "--blind: UTCP pays for hands that Ultimate Texas Hold'em doesn't have",
        ),
        ("odds utcp --bonus UTH-01", "--bonus: UTH-01 is a pay table for trips, not for pair-plus"),
        ("odds uth --blind none.toml", "none.toml cannot be read"),
        ("odds uth --raise 0", "invalid value '0' for '--raise <N,N>': use multiples of"),
        ("odds uth --raise x", "invalid value 'x' for '--raise <N,N>': use multiples of"),
        ("odds uth --raise 3,-4", "invalid value '-4' for '--raise <N,N>': use multiples of"),
        ("odds uth --raise 1001", "--raise: write one to 100 multiples of the ante, from 1 to"),
        ("odds holdem", "invalid value 'holdem' for '<GAME>': use uth or utcp"),
        ("odds uth --threads 0", "invalid value '0' for '--threads <N>'"),
    ] {
        refuses(&arguments.split(' ').collect::<Vec<_>>(), message);
    }
    let seven = "--dead: 7 cards are still to be dealt, but only 4 left";
    refuses(&["advise", "uth", "--hand", "AsKs", "--dead", &all_dead], seven);
    let run = croupier(&["advise", "utcp", "--hand", "As Ks Qs", "--dead", &most_dead]);
    assert_eq!(run.code, Some(0), "five cards are enough for the dealer: {}", run.stderr);
}

fn refuses(arguments: &[&str], message: &str) {
    let run = croupier(arguments);
    assert!(run.stderr.contains(message), "{arguments:?}: {}", run.stderr);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{arguments:?}");
}

#[test]
fn a_table_that_pays_weak_hands_more_is_noted_and_solved() {
    let file = blind("odd.toml", "straight = \"1:1\"\nflush = \"1:2\"\n");
    for (command, printed) in [
        (&["odds", "utcp"][..], "Ultimate Three Card Poker"),
        (&["advise", "uth", "--hand", "AsKs", "--board", "2c3c4c"], "As Ks on the flop 2c 3c 4c"),
    ] {
        let run = croupier(&[command, &["--blind", &file]].concat());
        assert!(run.stdout.starts_with(printed), "{}", run.stdout);
        assert_eq!(run.code, Some(0));
        let notes: Vec<&str> = run.stderr.lines().collect();
        assert!(!notes.is_empty(), "{command:?}");
        assert!(notes.iter().all(|note| note.starts_with("croupier: note: TOY pays a ")));
    }
    let run = croupier(&["advise", "uth", "--hand", "AsKs", "--board", "2c3c4c", "--blind", &file]);
    assert_eq!(
        run.stderr,
        "croupier: note: TOY pays a flush more than a full house\n\
         croupier: note: TOY pays a straight more than a flush\n"
    );
    // A table in the usual order gets no note.
    assert_eq!(croupier(&["odds", "utcp"]).stderr, "");
}

#[test]
fn a_faulty_table_is_a_usage_error_with_every_fault_named() {
    let file = blind("faulty.toml", "flush = \"-3:2\"\nstraight = \"1:0\"\nflash = \"1:1\"\n");
    for command in [
        &["odds", "uth", "--blind", &file][..],
        &["odds", "uth", "--bonus", &file],
        &["advise", "uth", "--hand", "AsKs", "--blind", &file],
    ] {
        let run = croupier(command);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{command:?}");
        let lines: Vec<&str> = run.stderr.lines().collect();
        assert_eq!(lines.len(), 4, "{}", run.stderr);
        assert!(lines[0].ends_with("has 3 faults:"), "{}", run.stderr);
        assert!(lines[1].contains("line 7: pays.flush: \"-3:2\" is not a payoff"), "{}", lines[1]);
    }
}

/// Writes a pay table for a bonus.
fn trips(name: &str, pays: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let head = "id = \"T\"\ntitle = \"Trips\"\nsource = \"a test\"\nbet = \"trips\"\n[pays]\n";
    std::fs::write(&path, format!("{head}{pays}")).expect("a file");
    path.to_str().expect("a path of plain letters").to_owned()
}

#[test]
fn fractions_that_are_too_fine_are_refused_and_fine_ones_are_counted() {
    let fine = blind("fine.toml", "flush = \"1:4294967291\"\n");
    refuses(&["odds", "uth", "--blind", &fine], "--blind: TOY pays fractions too fine");
    let finest = blind("finest.toml", "flush = \"1:9999973\"\n");
    for command in ["chart uth", "cost uth --strategy short"] {
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.extend(["--blind", &finest]);
        let run = croupier(&arguments);
        assert_eq!(run.code, Some(0), "{command}: {}", run.stderr);
        assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
    }
    let bonus = trips("fine-trips.toml", "flush = \"1:1000003\"\nstraight = \"1:999983\"\n");
    refuses(&["odds", "uth", "--bonus", &bonus], "--bonus: T pays fractions too fine");
}

#[test]
fn a_bonus_that_never_pays_has_no_correlation() {
    let bonus = trips("no-trips.toml", "");
    let run = croupier(&["odds", "uth", "--bonus", &bonus, "--json"]);
    let answer: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(answer["bonus_bet"]["with_main"]["correlation"], Value::Null);
    assert_eq!(answer["bonus_bet"]["edge"], 1.0);
}

#[test]
fn costs_and_long_lists_fit_in_80_columns() {
    for command in [
        "cost uth --strategy short",
        "cost uth --strategy croupier",
        "odds utcp --no-qualify --raise 1,2,3,4",
        "odds uth --no-qualify --raise 100,200,300,400",
        "chart uth --raise 1,2,3,4,5,6,7,8,9,10,11,12",
        "advise uth --hand AsKs --dead 2c3c4c5c6c7c8c9cTcJcQcKc2d3d4d5d6d7d8d9dTd",
    ] {
        let run = croupier(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(run.code, Some(0), "{command}: {}", run.stderr);
        let wide = run.stdout.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{command}");
    }
}

#[test]
fn huge_numbers_of_threads_and_raises_stay_within_limits() {
    let raises: Vec<String> = (1..=100).map(|raise| raise.to_string()).collect();
    let run = croupier(&["odds", "uth", "--threads", "100000", "--raise", &raises.join(",")]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}
