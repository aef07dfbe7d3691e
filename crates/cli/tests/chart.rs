//! Charts for people to print, and for programs to read.

#![expect(clippy::disallowed_methods, reason = "it runs the program, on files of its own")]

mod program;

use std::path::PathBuf;

use program::croupier;

/// Returns the output of a command that must succeed. It may print notes about a pay table.
fn printed(arguments: &[&str]) -> String {
    let run = croupier(arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    assert!(run.stderr.lines().all(|line| line.starts_with("croupier: note: ")), "{}", run.stderr);
    run.stdout
}

/// Returns a path that only this test uses.
fn path(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.to_str().expect("a path of plain letters").to_owned()
}

/// A Blind that pays a little for no pair, so that suits decide one hand.
const NO_PAIR: &str = "id = \"N\"\ntitle = \"Blind\"\nsource = \"a test\"\nbet = \"blind\"\n\
                       [pays]\nflush = \"1:1\"\nhigh-card = \"1:32\"\n";

fn no_pair() -> String {
    let path = path("no-pair.toml");
    std::fs::write(&path, NO_PAIR).expect("the folder for tests can be written to");
    path
}

#[test]
fn charts_are_unchanged() {
    for (game, golden) in [
        ("uth", include_str!("golden/chart-uth.txt")),
        ("utcp", include_str!("golden/chart-utcp.txt")),
    ] {
        let text = printed(&["chart", game]);
        assert_eq!(text, golden, "{game}");
        assert!(!text.contains('\x1b'), "colors are for terminals");
    }
}

#[test]
fn charts_fit_in_80_columns() {
    let blind = no_pair();
    for arguments in [
        vec!["chart", "--help"],
        vec!["chart", "uth", "--raise", "3,1000", "--no-qualify"],
        vec!["chart", "uth", "--raise", "1"],
        vec!["chart", "uth"],
        vec!["chart", "utcp"],
        vec!["chart", "utcp", "--blind", &blind],
    ] {
        let text = printed(&arguments);
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{arguments:?} prints\n{text}");
    }
}

#[test]
fn the_words_depend_on_the_terms() {
    let text = printed(&["chart", "uth", "--raise", "3"]);
    assert!(text.contains("416 of 1,326 combinations (31.37 %)"), "{text}");
    // The raises at 4x without J9s J8s JTo Q7s Q6s Q9o Q8o K3s K2s K6o K5o.
    assert!(text.contains("Raise 3x with: 33+; any ace; K4s+, K7o+; Q8s+, QTo+; JTs\n"), "{text}");
    let text = printed(&["chart", "uth", "--raise", "1"]);
    assert!(text.contains("Check with every hand\n"), "{text}");
    let text = printed(&["chart", "utcp", "--no-qualify"]);
    assert!(text.contains("Bet 1x with J-3-2 or better"), "{text}");
}

#[test]
fn where_suits_decide_the_chart_explains_how() {
    let text = printed(&["chart", "utcp", "--blind", &no_pair()]);
    assert!(text.contains("Decide with J-7-3, by suit"), "{text}");
    let mut words = text.split("Where suits decide:\n").nth(1).expect("it says so").lines();
    assert_eq!(
        [words.next(), words.next()].map(Option::unwrap_or_default),
        [
            "  J-7-3: bet 1x with three suits or J and 7 suited; fold with 7 and 3 suited",
            "  or J and 3 suited",
        ]
    );
}

#[test]
fn the_pictures_in_the_documentation_are_current() {
    for (game, picture) in [
        ("uth", include_str!("../../../docs/charts/uth.svg")),
        ("utcp", include_str!("../../../docs/charts/utcp.svg")),
    ] {
        let drawn = printed(&["chart", game, "--svg", "-"]);
        assert!(
            drawn == picture,
            "docs/charts/{game}.svg is old: cargo run -- chart {game} --svg docs/charts/{game}.svg"
        );
    }
}

/// Parses XML as far as these pictures use it, and returns the names of its elements.
fn elements(xml: &str) -> Vec<&str> {
    let (mut open, mut names, mut rest) = (Vec::new(), Vec::new(), xml);
    while let Some((text, tag)) = rest.split_once('<') {
        check_text(text);
        assert!(!open.is_empty() || text.trim().is_empty(), "text outside of the root: {text:?}");
        let (tag, after) = tag.split_once('>').expect("a tag ends");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "the element opened last is closed first");
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag.trim_end_matches('/'), ""));
        assert!(!open.is_empty() || names.is_empty(), "there is one root");
        assert!(name.chars().all(|letter| letter.is_ascii_alphabetic()), "<{tag}>");
        check_attributes(attributes.trim_end_matches('/'));
        names.push(name);
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "left open: {open:?}, left over: {rest:?}");
    names
}

fn check_text(text: &str) {
    assert!(!text.contains('>'), "{text:?}");
    for entity in text.split('&').skip(1) {
        let name = entity.split(';').next().unwrap_or_default();
        assert!(["amp", "lt", "gt", "quot"].contains(&name), "&{entity}");
    }
}

fn check_attributes(mut attributes: &str) {
    let mut seen = Vec::new();
    while let Some((name, rest)) = attributes.split_once("=\"") {
        let (value, after) = rest.split_once('"').expect("an attribute ends");
        let name = name.trim_start();
        assert!(!seen.contains(&name), "{name} appears twice");
        seen.push(name);
        check_text(value);
        attributes = after;
    }
    assert!(attributes.is_empty(), "{attributes:?}");
}

#[test]
fn pictures_are_well_formed_and_self_contained() {
    let odd = "id = \"N\"\ntitle = \"Blind\"\nsource = \"a <b> & \\\"c\\\"\"\nbet = \"blind\"\n\
               [pays]\nflush = \"7:1\"\n";
    let blind = path("odd.toml");
    std::fs::write(&blind, odd).expect("the folder for tests can be written to");
    let suits = no_pair();
    for (arguments, cells) in [
        (vec!["chart", "uth", "--svg", "-"], 169),
        (vec!["chart", "uth", "--raise", "1", "--blind", &blind, "--svg", "-"], 169),
        (vec!["chart", "utcp", "--svg", "-"], 64),
        (vec!["chart", "utcp", "--blind", &suits, "--svg", "-"], 64),
    ] {
        let svg = printed(&arguments);
        let names = elements(&svg);
        assert_eq!(names[0], "svg");
        assert_eq!(svg.matches("<g class=\"cell\"").count(), cells, "{arguments:?}");
        for banned in ["script", "image", "foreignObject", "use", "a"] {
            assert!(!names.contains(&banned), "{banned}");
        }
        assert!(!svg.contains("@import") && !svg.contains("@font-face"));
        // The namespace is the only address in it.
        assert_eq!(svg.matches("http").count(), 1);
    }
}

#[test]
fn json_has_every_hand_with_every_choice() {
    let json: serde_json::Value =
        serde_json::from_str(&printed(&["chart", "uth", "--json"])).expect("JSON");
    assert_eq!([&json["game"], &json["blind"], &json["deals"]], ["uth", "UTH", "27813810024000"]);
    let hands = json["hands"].as_array().expect("a list");
    assert_eq!(hands.len(), 169);
    assert_eq!(hands.iter().filter_map(|hand| hand["combinations"].as_u64()).sum::<u64>(), 1_326);
    let aces = &hands[0];
    assert_eq!([&aces["hand"], &aces["best"]], ["AA", "bet 4"]);
    let actions: Vec<&str> = aces["actions"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|action| action["action"].as_str())
        .collect();
    assert_eq!(actions, ["check", "bet 3", "bet 4"]);
    let ev = aces["actions"][2]["ev"].as_f64().expect("a number");
    assert_eq!(format!("{ev:.6}"), "3.601073");
    assert!(aces["actions"][2]["exact"]["numerator"].is_string());

    let json: serde_json::Value =
        serde_json::from_str(&printed(&["chart", "utcp", "--json"])).expect("JSON");
    let hands = json["hands"].as_array().expect("a list");
    assert_eq!(hands.len(), 1_755);
    assert_eq!(hands.iter().filter_map(|hand| hand["combinations"].as_u64()).sum::<u64>(), 22_100);
    assert_eq!([&hands[0]["hand"], &hands[0]["best"]], ["As Ks Qs", "bet 3"]);
}

#[test]
fn the_table_of_flops_is_complete() {
    let table = printed(&["chart", "uth", "--flops", "-"]);
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("flop,hole,multiplicity,check,bet,denominator,best"));
    assert_eq!(lines.next(), Some("2s 2h 2d,3c 2c,4,25681500,27821472,2140380,bet 2"));
    let (mut many, mut deals, mut total) = (0, 0, 0_i128);
    for line in lines.clone() {
        let columns: Vec<&str> = line.split(',').collect();
        let number = |at: usize| columns[at].parse::<i128>().expect("a whole number");
        let (times, check, bet) = (number(2), number(3), number(4));
        many += 1;
        deals += times;
        total += times * check.max(bet);
        assert_eq!(columns[6], if bet > check { "bet 2" } else { "check" }, "{line}");
    }
    assert_eq!((many + 1, deals + 4), (1_286_792, 25_989_600));
    total += 4 * 27_821_472;
    // The value of the game without raises before the flop: `croupier odds uth --raise 1`.
    assert_eq!(total * 496_675_179_000, -76_968_970_453 * 2 * 27_813_810_024_000);
}

#[test]
fn a_file_that_cannot_be_written_is_named_and_exits_1() {
    for option in ["--svg", "--flops"] {
        let run = croupier(&["chart", "uth", option, "no/such/folder/file"]);
        let message = "croupier: no/such/folder/file cannot be written: ";
        assert!(run.stderr.starts_with(message), "{}", run.stderr);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)));
    }
}

#[test]
fn bad_arguments_exit_2() {
    for (arguments, message) in [
        (vec!["chart", "utcp", "--flops", "-"], "croupier: --flops: only uth has a flop\n"),
        (
            vec!["chart", "uth", "--flops", "-", "--json"],
            "croupier: only one of --json, --svg - and --flops - can use standard output\n",
        ),
        (vec!["chart", "uth", "--raise", "0"], "error: invalid value '0' for '--raise <N,N>': use"),
    ] {
        let run = croupier(&arguments);
        assert!(run.stderr.starts_with(message), "{arguments:?}: {}", run.stderr);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{arguments:?}");
    }
}

#[test]
fn a_file_is_written_and_the_chart_is_printed() {
    let file = path("uth.svg");
    let text = printed(&["chart", "uth", "--svg", &file]);
    assert_eq!(text, include_str!("golden/chart-uth.txt"));
    let svg = std::fs::read_to_string(&file).expect("it was written");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
}
