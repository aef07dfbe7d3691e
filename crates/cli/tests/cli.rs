//! The program as people call it.

#![expect(clippy::disallowed_methods, reason = "it runs the program, on files of its own")]

mod program;

use std::path::PathBuf;
use std::process::Command;

use program::croupier;

/// Writes a file that only this test uses.
fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the folder for tests can be written to");
    path.to_str().expect("a path of plain letters").to_owned()
}

const MINE: &str = r#"id = "MINE"
title = "My Trips"
source = "the back of an envelope"
bet = "trips"

[pays]
full-house = "5:1"
flush = "6:1"
"#;

#[test]
fn all_output_fits_in_80_columns() {
    let known = ["uth-standard", "uth-washington", "uth-california", "utcp-standard"];
    let mut commands = vec![vec!["houses"], vec!["paytables"], vec!["paytables", "UTH"]];
    commands.extend(known.map(|id| vec!["houses", id]));
    commands
        .extend(["houses", "paytables", "replay", "rng"].map(|command| vec![command, "--help"]));
    commands.push(vec!["--help"]);
    for command in commands {
        let run = croupier(&command);
        assert_eq!(run.code, Some(0), "{command:?}");
        let widest = run.stdout.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{command:?} prints\n{}", run.stdout);
    }
}

const TEXAS_PAYS: [&str; 8] = [
    "royal flush       500 to 1   50 to 1   50 to 1   50 to 1   50 to 1",
    "straight flush     50 to 1   40 to 1   40 to 1   40 to 1   40 to 1",
    "four of a kind     10 to 1   30 to 1   30 to 1   30 to 1   20 to 1",
    "full house          3 to 1    9 to 1    8 to 1    8 to 1    7 to 1",
    "flush               3 to 2    7 to 1    6 to 1    7 to 1    6 to 1",
    "straight            1 to 1    4 to 1    5 to 1    4 to 1    5 to 1",
    "three of a kind       push    3 to 1    3 to 1    3 to 1    3 to 1",
    "other                 push      lose      lose      lose      lose",
];

const THREE_CARDS_PAY: [&str; 7] = [
    "mini royal        100 to 1   50 to 1   50 to 1   50 to 1",
    "straight flush     20 to 1   40 to 1   40 to 1   40 to 1",
    "three of a kind    10 to 1   30 to 1   30 to 1   30 to 1",
    "straight            2 to 1    6 to 1    5 to 1    6 to 1",
    "flush               1 to 1    4 to 1    4 to 1    3 to 1",
    "pair                  push    1 to 1    1 to 1    1 to 1",
    "other                 push      lose      lose      lose",
];

#[test]
fn the_placard_shows_all_that_a_table_must_post() {
    for (id, own, pays) in [
        ("uth-standard", &["needs a pair or better to qualify"][..], &TEXAS_PAYS[..]),
        (
            "uth-washington",
            &["at most $400, of any kind", "needs a pair or better to qualify"],
            &TEXAS_PAYS,
        ),
        (
            "uth-california",
            &[
                "a player/dealer, for at most 2 hands in a row",
                "the most the bank can win or lose; uncovered wagers are returned",
                "needs a pair or better to qualify",
                "two decks, alternating",
                "House rule unlike in California, folds and stub are shown, to prove the shuffle",
            ],
            &TEXAS_PAYS,
        ),
        ("utcp-standard", &["needs queen-high or better to qualify"], &THREE_CARDS_PAY),
    ] {
        let placard = croupier(&["houses", id]).stdout;
        let every = [
            "one spot per player, four wagers at most",
            "$5 to $100, in increments of $5",
            "all are shown once the round is settled, folds and stub too",
        ];
        for line in every.iter().chain(own) {
            assert!(placard.contains(line), "{id} does not say {line:?}:\n{placard}");
        }
        // The odds of the Blind and of the bonus are there, row by row, and no other rows.
        let rows: Vec<&str> = placard.lines().rev().take(pays.len()).collect();
        assert!(rows.iter().rev().eq(pays), "{id} prints\n{placard}");
        assert_eq!(placard.contains("House rule"), id == "uth-california", "{id}");
    }
}

#[test]
fn the_json_of_a_house_can_be_read_back() {
    let run = croupier(&["houses", "uth-california", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(json["banking"]["coverage"], "action");
    let catalog = croupier_rules::Catalog::shipped();
    let house = croupier_rules::House::from_json(&json, catalog.paytables()).expect("a good house");
    assert_eq!(house.id(), "uth-california");

    let all: serde_json::Value =
        serde_json::from_str(&croupier(&["paytables", "--json"]).stdout).expect("JSON");
    assert_eq!(all.as_array().map(Vec::len), Some(9));
    assert_eq!(all[0]["pays"]["flush"], "3:2");
}

#[test]
fn a_good_file_is_shown_with_notes_on_oddities() {
    let run = croupier(&["paytables", &file("good.toml", MINE)]);
    assert_eq!(
        run.stdout,
        "My Trips (MINE), Ultimate Texas Hold'em\n\
         Source: the back of an envelope\n\
         Pays whether the hand wins or not.\n\
         \n\
         \x20 full house                  5 to 1\n\
         \x20 flush                       6 to 1\n\
         \x20 other                         lose\n\
         \n\
         Note: a full house pays more than a four of a kind.\n\
         Note: a flush pays more than a full house.\n"
    );
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
}

#[test]
fn a_bad_file_gets_a_message_for_each_fault_and_exit_1() {
    let text = MINE.replace("trips", "tripps").replace("5:1", "5").replace("flush", "flash");
    let path = file("bad.toml", &text);
    let run = croupier(&["paytables", &path]);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0], format!("croupier: {path} has 3 faults:"));
    assert_eq!(
        lines[1],
        "  bad.toml, line 4: bet: \"tripps\" is unknown: write one of blind, trips, pair-plus"
    );
    assert!(lines[3].starts_with("  bad.toml, line 8: pays.flash: there is no such hand"));
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
}

#[test]
fn a_house_may_use_a_custom_pay_table() {
    let house = croupier(&["houses", "uth-standard", "--json"]).stdout;
    let house: serde_json::Value = serde_json::from_str(&house).expect("JSON");
    let text = toml::to_string(&house).expect("plain data").replace("\"UTH-01\"", "\"MINE\"");
    let text = text.replace("uth-standard", "mine").replace("Ultimate Texas Hold'em", "Mine");
    let (house, table) = (file("house.toml", &text), file("mine.toml", MINE));

    let alone = croupier(&["houses", &house]);
    assert_eq!(alone.code, Some(1));
    assert!(alone.stderr.contains("bonus_paytables: \"MINE\" is unknown"), "{}", alone.stderr);

    let together = croupier(&["houses", &house, "--paytable", &table]);
    assert_eq!(together.code, Some(0), "{}", together.stderr);
    assert!(together.stdout.contains("MINE"));
}

/// Returns the two files shown on the page about houses: a pay table, and a house that uses it.
fn page_files() -> (&'static str, &'static str) {
    let page = include_str!("../../../docs/houses.md");
    let mut blocks = page.split("```toml\n").skip(1);
    let mut block = || {
        let block = blocks.next().and_then(|block| block.split_once("```"));
        block.expect("the page shows a pay table and a house").0
    };
    (block(), block())
}

#[test]
fn the_files_on_the_page_about_houses_work_and_rounds_can_be_played() {
    let (table, house) = page_files();
    let (table, house) = (file("trips-mine.toml", table), file("uth-mine.toml", house));
    let shown = croupier(&["paytables", &table]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert!(shown.stdout.contains("three of a kind             0 to 1"), "{}", shown.stdout);
    let printed = croupier(&["houses", &house, "--paytable", &table, "--json"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);

    // The first round, at this house; its pay table pays the flush 3 to 2.
    let mut record: serde_json::Value =
        serde_json::from_str(ROUNDS.lines().next().expect("a round")).expect("JSON");
    record["house"] = serde_json::from_str(&printed.stdout).expect("JSON");
    record["bonus_paytable"] = "TRIPS-MINE".into();
    record["deal"] = "pairs".into();
    record["banker"] = serde_json::json!({"seat": 6, "wager": 100_000});
    record["seats"][0]["bonus"] = 1000.into();
    let rounds = file("mine.jsonl", &record.to_string());
    let run = croupier(&["replay", &rounds, "--paytable", &table]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stdout.contains("Seat 1 Trips     $10     +$15    flush pays 3 to 2"),
        "{}",
        run.stdout
    );
    assert_eq!(croupier(&["replay", &rounds]).code, Some(1), "the pay table is not known alone");
}

#[test]
fn the_page_about_houses_names_every_field() {
    let page = include_str!("../../../docs/houses.md");
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../../docs/record.schema.json")).expect("JSON");
    let house = &schema["$defs"]["house"]["properties"];
    for (table, fields) in [
        ("", house),
        ("limits.", &house["limits"]["properties"]),
        ("banking.", &house["banking"]["properties"]),
    ] {
        for field in fields.as_object().expect("fields").keys() {
            let named = page.contains(&format!("`{table}{field}`"))
                || page.contains(&format!("`{field}`"))
                || matches!(field.as_str(), "limits" | "banking");
            assert!(named, "the page does not explain {table}{field}");
        }
    }
}

#[test]
fn a_placard_of_few_choices_reads_well() {
    let house = croupier(&["houses", "utcp-standard", "--json"]).stdout;
    let house: serde_json::Value = serde_json::from_str(&house).expect("JSON");
    let text = toml::to_string(&house).expect("plain data");
    let text = text.replace("raises = [1, 2, 3]", "raises = [1]");
    let text = text.replace("games_per_player = 4", "games_per_player = 1");
    let text = text.replace("utcp-standard", "few").replace("Ultimate Three Card Poker", "Few");
    let shown = croupier(&["houses", &file("few.toml", &text)]).stdout;
    assert!(shown.contains("Play       1x, or fold\n"), "{shown}");
    assert!(shown.contains("one spot per player, no side bets\n"), "{shown}");
    assert!(shown.contains("Pair Plus  none\n"), "{shown}");
}

#[test]
fn an_uncovered_amount_is_mentioned_once() {
    let golden = include_str!("golden/uth-california.jsonl");
    let run = croupier(&["replay", &file("short.jsonl", &golden.replace("3200", "1800"))]);
    for line in [
        "  Seat 4 Ante      $5      +$3     paid in part: $2 was not covered\n",
        "  Seat 4 Play      $20     $0      returned: the bank could not cover it\n",
        "  Seat 1 Ante      $5      $0      returned: the bank could not cover it\n",
    ] {
        assert_eq!(run.stdout.matches(line).count(), 1, "{}", run.stdout);
    }
}

/// Three good rounds, and one that bets more than its hand allows.
const ROUNDS: &str = include_str!("rounds.jsonl");

#[test]
fn replay_describes_a_round_the_way_a_dealer_calls_it() {
    let first = ROUNDS.lines().next().expect("a round");
    let run = croupier(&["replay", &file("first.jsonl", first)]);
    assert_eq!(
        run.stdout,
        "Ultimate Texas Hold'em (uth-standard)\n\
         Seat 1 (ann): Ante $10, Blind $10, Trips $5.\n\
         No more bets.\n\
         Seat 1 (ann) checks.\n\
         The flop: Kh Jh 9h.\n\
         Seat 1 (ann) checks.\n\
         The turn and river: 6d 4c.\n\
         Seat 1 (ann) bets 1x.\n\
         The dealer shows Ks 2d: pair of kings.\n\
         Seat 1 (ann) wins with Ah 3h: ace-high flush.\n\
         \x20 Seat 1 Play      $10     +$10    pays even money\n\
         \x20 Seat 1 Ante      $10     +$10    pays even money\n\
         \x20 Seat 1 Blind     $10     +$15    flush pays 3 to 2\n\
         \x20 Seat 1 Trips     $5      +$30    flush pays 6 to 1\n\
         Seat 1 (ann) wins $65.\n\
         The bank loses $65.\n\n"
    );
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
}

/// One round per house, as a transcript that casino staff could read. A change of the rules shows
/// here as a change of words.
#[test]
fn every_house_plays_its_golden_round() {
    for (id, transcript) in [
        ("uth-standard", include_str!("golden/uth-standard.txt")),
        ("uth-washington", include_str!("golden/uth-washington.txt")),
        ("uth-california", include_str!("golden/uth-california.txt")),
        ("utcp-standard", include_str!("golden/utcp-standard.txt")),
    ] {
        let run = croupier(&["replay", &format!("crates/cli/tests/golden/{id}.jsonl")]);
        assert_eq!((run.stdout.as_str(), run.code), (transcript, Some(0)), "{id}: {}", run.stderr);
    }
}

#[test]
fn replay_keeps_the_order_of_lines_and_continues_after_a_bad_one() {
    let mut lines: Vec<&str> = ROUNDS.lines().collect();
    lines.swap(1, 3);
    lines.insert(1, "");
    lines.insert(0, "not json");
    let path = file("rounds.jsonl", &lines.join("\n"));
    let run = croupier(&["replay", &path, "--json"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stdout.lines().count(), 3);
    for (line, house) in run.stdout.lines().zip(["uth-standard", "utcp-standard", "uth-california"])
    {
        let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(record["house"], house);
        assert!(record["result"]["bank"]["net"].is_i64());
    }
    let errors: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(errors.len(), 2);
    assert!(errors[0].starts_with("croupier: line 1: this is not JSON: "), "{}", errors[0]);
    assert_eq!(
        errors[1],
        "croupier: line 4: seats[0].actions[0]: you need a pair or better to bet that much"
    );

    // The printed results match a second replay.
    let again = croupier(&["replay", &file("again.jsonl", &run.stdout), "--json"]);
    assert_eq!((again.stdout, again.code), (run.stdout, Some(0)));
}

#[test]
fn replay_continues_after_a_line_that_is_not_text_and_ignores_a_byte_order_mark() {
    let lines: Vec<&str> = ROUNDS.lines().collect();
    let mut bytes = "\u{feff}".as_bytes().to_vec();
    bytes.extend([lines[0].as_bytes(), b"\r\n\xff\xfe\n\r\n", lines[1].as_bytes()].concat());
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bytes.jsonl");
    std::fs::write(&path, bytes).expect("the folder for tests can be written to");
    let run = croupier(&["replay", path.to_str().expect("plain letters"), "--json"]);
    assert_eq!((run.stdout.lines().count(), run.code), (2, Some(1)));
    assert_eq!(run.stderr, "croupier: line 2: it is not UTF-8\n");
}

#[test]
fn replay_reads_a_record_on_many_lines() {
    let first: serde_json::Value =
        serde_json::from_str(ROUNDS.lines().next().expect("a round")).expect("JSON");
    let pretty = serde_json::to_string_pretty(&first).expect("plain data");
    let two = pretty.replacen("{\n", "\n{", 1);
    for text in [&pretty, &two] {
        let run = croupier(&["replay", &file("pretty.json", text), "--json"]);
        assert_eq!((run.stdout.lines().count(), run.code), (1, Some(0)), "{}", run.stderr);
    }
}

#[test]
fn a_truncated_first_line_is_reported_and_the_rest_continues() {
    let lines: Vec<&str> = ROUNDS.lines().collect();
    let cut = &lines[0][..lines[0].len() / 2];
    let text = [cut, lines[1], "", lines[2]].join("\n");
    let run = croupier(&["replay", &file("cut.jsonl", &text), "--json"]);
    assert_eq!((run.stdout.lines().count(), run.code), (2, Some(1)), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(run.stderr.starts_with("croupier: line 1: "), "{}", run.stderr);
}

#[test]
fn a_pay_table_cannot_take_the_id_of_another() {
    let table = file("over.toml", &MINE.replace("\"MINE\"", "\"UTH-01\""));
    let rounds = file("over.jsonl", ROUNDS);
    for command in [vec!["replay", &rounds], vec!["houses", "uth-standard"]] {
        let run = croupier(&[&command[..], &["--paytable", &table]].concat());
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)));
        let message = format!(
            "croupier: --paytable {table}: a pay table \"UTH-01\" already exists: choose \
             another id\n"
        );
        assert_eq!(run.stderr, message);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn without_standard_error_the_exit_code_still_reports_the_failure() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
    let status = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["houses", "uth-nevada"])
        .stderr(full)
        .status()
        .expect("the program starts");
    assert_eq!(status.code(), Some(2));
}

#[test]
fn refused_input_gets_no_notes() {
    let odd = file("odd.toml", &MINE.replace("trips", "blind"));
    let run = croupier(&["odds", "utcp", "--blind", &odd]);
    assert_eq!((run.stderr.lines().count(), run.code), (1, Some(2)), "{}", run.stderr);
}

#[test]
fn bad_arguments_are_named_and_exit_2() {
    for (arguments, message) in [
        (vec!["houses", "uth-nevada"], "croupier: there is no house \"uth-nevada\": write one of"),
        (
            vec!["paytables", "UTH-09"],
            "croupier: there is no pay table \"UTH-09\": write one of UTH,",
        ),
        (vec!["paytables", "none.toml"], "croupier: none.toml cannot be read: "),
        (vec!["replay", "none.jsonl"], "croupier: none.jsonl cannot be read: "),
        (vec!["deal"], "error: unrecognized subcommand 'deal'"),
        (vec!["houses", "--jsn"], "error: unexpected argument '--jsn' found"),
    ] {
        let run = croupier(&arguments);
        assert!(run.stderr.starts_with(message), "{arguments:?}: {}", run.stderr);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{arguments:?}");
    }
}

#[test]
fn completions_and_man_pages_name_every_command() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.to_str().expect("a path of plain letters");
    let run = croupier(&["generate", "man", path]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let completions = croupier(&["generate", "completions", "bash"]).stdout;
    for command in ["odds", "advise", "chart", "cost", "houses", "paytables", "replay", "rng"] {
        assert!(completions.contains(command), "{command}");
        let page = folder.join(format!("croupier-{command}.1"));
        let page = std::fs::read_to_string(page).expect("a page");
        assert!(page.contains("SYNOPSIS"), "{command}");
    }
    let run = croupier(&["generate", "man", "no/such/folder"]);
    assert!(run.stderr.starts_with("croupier: no/such/folder cannot be written to: "));
    assert_eq!(run.code, Some(1));
}
