//! `croupier rng`: random decks and bytes, or repeatable ones.

#![expect(clippy::disallowed_methods, reason = "it runs the program")]

mod program;

use std::collections::BTreeSet;
use std::io::Read;
use std::process::{Command, Stdio};

use croupier_cards::{Deck, parse_cards};
use croupier_table::{Seed, Stream, shuffle, shuffle_key};
use program::croupier;

const SEED: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

fn deck(text: &str) -> Deck {
    Deck::try_from(&parse_cards(text).expect("cards")[..]).expect("a whole deck")
}

fn raw(arguments: &[&str]) -> Vec<u8> {
    let run = Command::new(env!("CARGO_BIN_EXE_croupier")).arg("rng").args(arguments).output();
    let run = run.expect("the program starts");
    assert_eq!((String::from_utf8_lossy(&run.stderr).as_ref(), run.status.code()), ("", Some(0)));
    run.stdout
}

#[test]
fn a_seed_gives_the_decks_of_the_rounds_of_a_table() {
    let run = croupier(&["rng", "--decks", "3", "--seed", SEED]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let seed = Seed::from_hex(SEED).expect("a seed");
    let decks: Vec<Deck> = run.stdout.lines().map(deck).collect();
    assert_eq!(decks, [1, 2, 3].map(|round| shuffle("rng", round, &seed, &[])));
    assert_eq!(croupier(&["rng", "--decks", "3", "--seed", SEED]).stdout, run.stdout);
    // Cards are written as everywhere else.
    let first = decks[0].cards().map(|card| card.to_string()).join(" ");
    assert_eq!(run.stdout.lines().next(), Some(first.as_str()));
}

#[test]
fn without_a_seed_no_two_decks_are_the_same() {
    let [one, two] = [(); 2].map(|()| croupier(&["rng", "--decks", "500"]).stdout);
    assert_eq!((one.lines().count(), two.lines().count()), (500, 500));
    let different: BTreeSet<&str> = one.lines().chain(two.lines()).collect();
    assert_eq!(different.len(), 1000);
    assert!(different.iter().all(|line| deck(line).cards().len() == 52));
}

#[test]
fn json_has_the_data_to_reproduce_the_deck() {
    let run = croupier(&["rng", "--decks", "20", "--json"]);
    let mut seeds = BTreeSet::new();
    for (line, number) in run.stdout.lines().zip(1..) {
        let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!((&json["table"], json["round"].as_u64()), (&"rng".into(), Some(number)));
        let seed = json["seed"].as_str().expect("a text");
        let commitment = Seed::from_hex(seed).expect("a seed").commitment("rng", number);
        assert_eq!(json["commitment"], commitment.to_string());
        let shuffled = shuffle("rng", number, &Seed::from_hex(seed).expect("a seed"), &[]);
        let cards = shuffled.cards().map(|card| card.to_string()).to_vec();
        assert_eq!(json["deck"], serde_json::json!(cards));
        seeds.insert(seed.to_owned());
    }
    assert_eq!(seeds.len(), 20);
}

#[test]
fn raw_bytes_match_the_stream_of_the_decks_and_the_requested_count() {
    let mut stream =
        Stream::new(shuffle_key("rng", 1, &Seed::from_hex(SEED).expect("a seed"), &[]));
    let wanted: Vec<u8> = (0..100_000).map(|_| stream.byte()).collect();
    for count in [0, 1, 31, 32, 33, 8191, 8192, 8193, 100_000] {
        let found = raw(&["--raw", &count.to_string(), "--seed", SEED]);
        assert!(found == wanted[..count], "{count} bytes");
    }
    let [one, two] = [(); 2].map(|()| raw(&["--raw", "64"]));
    assert!(one.len() == 64 && two.len() == 64 && one != two);
}

/// Output starts at once for any count, and a closed pipe is not an error.
#[test]
fn the_reader_may_close_the_pipe_early() {
    for option in ["--decks", "--raw"] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_croupier"))
            .args(["rng", option, &u64::MAX.to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut some = [0; 1000];
        run.stdout.take().expect("a pipe").read_exact(&mut some).expect("bytes");
        let run = run.wait_with_output().expect("it ends");
        assert_eq!((run.stderr.as_slice(), run.status.code()), (&b""[..], Some(0)), "{option}");
    }
}

#[test]
fn bad_arguments_are_named_and_exit_2() {
    let digits = "0".repeat(63);
    let capitals = SEED.to_uppercase();
    for (arguments, message) in [
        (vec![], "<--decks <N>|--raw <N>>"),
        (vec!["--decks", "1", "--raw", "1"], "'--decks <N>' cannot be used with '--raw <N>'"),
        (vec!["--raw", "1", "--json"], "cannot be used with"),
        (vec!["--decks", "-1"], "unexpected argument '-1' found"),
        (vec!["--decks", "many"], "invalid value 'many' for '--decks <N>': use a whole number"),
        (vec!["--decks", "1e6"], "invalid value '1e6' for '--decks <N>': use a whole number"),
        (vec!["--decks", "1,000"], "invalid value '1,000' for '--decks <N>': use a whole number"),
        (vec!["--raw", "+1"], "invalid value '+1' for '--raw <N>': use a whole number"),
        (vec!["--raw", "99999999999999999999"], "use at most 18446744073709551615"),
        (vec!["--decks", "1", "--seed", "00"], "write 64 hexadecimal digits"),
        (vec!["--decks", "1", "--seed", &digits], "write an even number of hexadecimal digits"),
        (vec!["--decks", "1", "--seed", &capitals], "write hexadecimal digits in lower case"),
    ] {
        let run = croupier(&[&["rng"], &arguments[..]].concat());
        assert!(run.stderr.contains(message), "{arguments:?}: {}", run.stderr);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{arguments:?}");
    }
}

/// Runs a program with a terminal as its standard output.
#[cfg(unix)]
const IN_A_TERMINAL: &str = "import pty, subprocess, sys
_, terminal = pty.openpty()
sys.exit(subprocess.run(sys.argv[1:], stdout=terminal).returncode)";

#[cfg(unix)]
#[test]
fn raw_bytes_do_not_go_to_a_terminal() {
    let run = Command::new("python3")
        .args(["-c", IN_A_TERMINAL, env!("CARGO_BIN_EXE_croupier"), "rng", "--raw", "8"])
        .output()
        .expect("python3 is installed; on Debian or Ubuntu: apt-get install python3");
    let message = "croupier: --raw: raw bytes can't go to a terminal: \
                   send them to a file or a program\n";
    assert_eq!(String::from_utf8_lossy(&run.stderr), message);
    assert_eq!(run.status.code(), Some(2));
}
