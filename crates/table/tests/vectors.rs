//! Test vectors of the shuffle for other implementations, and a test of the Python one.
//!
//! With `CROUPIER_BLESS=1` the file is rewritten instead, which should never be needed: a deck that
//! was dealt once must always come out the same.

#![expect(clippy::disallowed_methods, reason = "it writes the file, and runs another program")]

use std::process::Command;

use croupier_cards::Card;
use croupier_rules::Seat;
use croupier_table::{
    Hash, SEAT_SEED_MAX, SHUFFLE_VERSION, Seed, Stream, seat_commitment, shuffle, shuffle_key,
    to_hex,
};
use serde_json::{Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/shuffle-vectors.json");

/// A seat, its seed, and whether it showed it.
type SeatSeed = (u32, Vec<u8>, bool);

/// The input of an example.
struct Case {
    name: &'static str,
    table: String,
    round: u64,
    seed: [u8; 32],
    seats: Vec<SeatSeed>,
}

impl Case {
    fn new(name: &'static str, table: &str, round: u64, seats: Vec<SeatSeed>) -> Self {
        let seed = *Hash::of(name.as_bytes()).as_bytes();
        Self { name, table: table.to_owned(), round, seed, seats }
    }

    /// Returns the whole example, with the same fields as a round record where possible.
    fn worked_out(&self) -> Value {
        let (table, round, seed) = (&self.table, self.round, Seed::from_bytes(self.seed));
        let seat = |number| Seat::new(number).expect("a seat");
        let shown = |&(number, ref seed, shown): &SeatSeed| {
            (seat(number), if shown { seed.clone() } else { Vec::new() })
        };
        let seeds: Vec<(Seat, Vec<u8>)> = self.seats.iter().map(shown).collect();
        let committed =
            self.seats.iter().zip(&seeds).map(|((number, committed, _), (_, shown))| {
                let commitment = seat_commitment(table, round, seat(*number), committed);
                json!({ "seat": number, "commitment": commitment, "seed": to_hex(shown) })
            });
        let key = shuffle_key(table, round, &seed, &seeds);
        let mut stream = Stream::new(key);
        let stream: Vec<u8> = (0..32).map(|_| stream.byte()).collect();
        let deck = shuffle(table, round, &seed, &seeds);
        json!({
            "name": self.name,
            "shuffle": {
                "version": SHUFFLE_VERSION,
                "table": table,
                "round": round,
                "commitment": seed.commitment(table, round),
                "seed": seed.reveal(),
                "seat_seeds": committed.collect::<Vec<_>>(),
            },
            "key": to_hex(&key),
            "stream": to_hex(&stream),
            "deck": deck.cards().map(|card| card.to_string()).to_vec(),
        })
    }
}

fn cases() -> Vec<Case> {
    let shown = |seat: u32, seed: &[u8]| (seat, seed.to_vec(), true);
    let hidden = |seat: u32, seed: &[u8]| (seat, seed.to_vec(), false);
    let three = vec![shown(1, b"ann"), shown(4, b"bea"), shown(6, b"carl")];
    let swapped = vec![three[2].clone(), three[0].clone(), three[1].clone()];
    let all = (1..=8).map(|seat| shown(seat, Hash::of(&[1]).as_bytes())).collect();
    let longest: Vec<u8> = (0..=u8::MAX).rev().take(SEAT_SEED_MAX).collect();
    let last_round = (1 << 53) - 1;
    let mut cases = vec![
        Case::new("no seat brings a seed", "t1", 1, vec![]),
        Case::new("another round", "t1", 2, vec![]),
        Case::new("another table", "t2", 1, vec![]),
        Case::new("round zero", "t1", 0, vec![]),
        Case::new("a round of four bytes", "t1", 0x0102_0304, vec![]),
        Case::new("the last round that every JSON reader knows", "t1", last_round, vec![]),
        Case::new("a seed of zeros", "t1", 1, vec![]),
        Case::new("a seed of ones", "t1", 1, vec![]),
        Case::new("a table with a space and a quote", "The \"Green\" table", 7, vec![]),
        Case::new("letters of two bytes", "Grüner Tisch", 7, vec![]),
        Case::new("an accent of its own, which stays so", "Gru\u{308}ner Tisch", 7, vec![]),
        Case::new("letters of three bytes", "緑の卓", 7, vec![]),
        Case::new("letters of four bytes", "🂡🂱", 7, vec![]),
        Case::new("a long name", &"table ".repeat(50), 7, vec![]),
        Case::new("one seat", "t1", 3, vec![shown(5, b"\x00")]),
        Case::new("three seats", "t1", 3, three),
        Case::new("three seats, out of order", "t1", 3, swapped),
        Case::new("eight seats with the same seed", "t1", 3, all),
        Case::new("the longest seed", "t1", 3, vec![shown(8, &longest)]),
        Case::new("one seat that keeps silent", "t1", 3, vec![hidden(5, b"\x00")]),
        Case::new(
            "some keep silent",
            "t1",
            3,
            vec![shown(2, b"two"), hidden(3, b"three"), shown(7, b"seven"), hidden(8, b"eight")],
        ),
        Case::new(
            "all in a far round at a table far away",
            "卓 №7",
            last_round - 1,
            vec![shown(7, &longest), hidden(1, b"one"), shown(3, &[0; 32])],
        ),
    ];
    for case in &mut cases {
        match case.name {
            "a seed of zeros" => case.seed = [0; 32],
            "a seed of ones" => case.seed = [0xff; 32],
            // The same seats give the same deck, in whatever order they are listed.
            "three seats, out of order" => {
                case.seed = *Hash::of(b"three seats").as_bytes();
            }
            _ => {}
        }
    }
    cases
}

/// Writes the examples, one per line.
fn written() -> String {
    let lines: Vec<String> = cases().iter().map(|case| case.worked_out().to_string()).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

#[test]
fn the_examples_are_what_the_shuffle_gives() {
    if std::env::var_os("CROUPIER_BLESS").is_some() {
        std::fs::write(FILE, written()).expect("the file can be written");
    }
    let file = std::fs::read_to_string(FILE).expect("the file can be read");
    for (line, (case, wanted)) in
        file.lines().skip(1).zip(cases().iter().zip(written().lines().skip(1)))
    {
        assert_eq!(line, wanted, "{}", case.name);
    }
    assert_eq!(file, written());
}

#[test]
fn seats_out_of_order_get_the_deck_of_seats_in_order() {
    let cases = cases();
    let of = |name| {
        let case = cases.iter().find(|case| case.name == name).expect("an example");
        case.worked_out()["deck"].clone()
    };
    assert_eq!(of("three seats"), of("three seats, out of order"));
}

#[test]
fn the_page_shows_the_first_example() {
    let page = include_str!("../../../docs/shuffle.md");
    let (_, page) = page.split_once("## An example").expect("an example");
    let bare: String = page.split_whitespace().collect();
    let example = cases()[0].worked_out();
    let deck = example["deck"].as_array().expect("cards").iter().filter_map(Value::as_str);
    let deck: String = deck.collect();
    let text = |place: &str| example.pointer(place).and_then(Value::as_str).expect("a text");
    for shown in [
        &format!("seed{}", text("/shuffle/seed")),
        &format!("commitment{}", text("/shuffle/commitment")),
        &format!("key{}", text("/key")),
        &format!("stream{}…", text("/stream")),
        &deck,
        // The key's message in full: there is nothing after this.
        &format!(
            "00000010{}0000000000000001000000027431{}",
            to_hex(b"croupier shuffle"),
            "0000000000000001"
        ),
    ] {
        assert!(bare.contains(shown), "the page does not show {shown}");
    }
}

/// Runs the Python program in the docs on a file.
fn python(file: &str) -> (String, Option<i32>) {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/shuffle.py");
    let run = Command::new("python3").args([program, file]).output();
    let run = run.expect("python3 is there; on Debian or Ubuntu: apt-get install python3");
    let stderr = String::from_utf8(run.stderr).expect("it prints text");
    assert_eq!(stderr, "", "docs/shuffle.py");
    (String::from_utf8(run.stdout).expect("it prints text"), run.status.code())
}

#[test]
fn the_python_program_finds_the_same_decks() {
    let count = cases().len();
    let wanted = format!("{count} decks verified, 0 failed\n");
    assert_eq!(python(FILE), (wanted, Some(0)));
}

#[test]
fn the_python_program_notices_every_change() {
    let case = cases().iter().find(|case| case.name == "some keep silent").map(Case::worked_out);
    let case = case.expect("an example");
    let other = json!("0123456789abcdef".repeat(4));
    let not_committed = "is not the one that it committed to";
    let seed = format!("the table's seed {not_committed}");
    let seat = format!("the seed of seat 2 {not_committed}");
    let third = format!("the seed of seat 7 {not_committed}");
    let deck = "the deck does not follow from the seeds".to_owned();
    for (place, value, faults) in [
        ("/shuffle/commitment", other.clone(), vec![&seed]),
        ("/shuffle/seed", other.clone(), vec![&seed, &deck]),
        ("/shuffle/table", json!("t2"), vec![&seed, &seat, &third, &deck]),
        ("/shuffle/round", json!(4), vec![&seed, &seat, &third, &deck]),
        ("/shuffle/seat_seeds/0/commitment", other.clone(), vec![&seat]),
        ("/shuffle/seat_seeds/0/seed", json!("00"), vec![&seat, &deck]),
        // Leaving out a seat that was there, or leaving its seed empty, changes the deck.
        ("/shuffle/seat_seeds/0/seed", json!(""), vec![&deck]),
        ("/shuffle/seat_seeds", json!([]), vec![&deck]),
        ("/deck", json!(Card::ALL.map(|card| card.to_string()).to_vec()), vec![&deck]),
    ] {
        let mut changed = case.clone();
        *changed.pointer_mut(place).expect("a field") = value;
        let faults = faults.iter().map(|fault| format!("round 2 of the file: {fault}\n"));
        let faults = faults.collect::<Vec<_>>().concat();
        let wanted = format!("{faults}1 decks verified, 1 failed\n");
        let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/changed.jsonl");
        std::fs::write(path, format!("{case}\n{changed}\n")).expect("the folder for tests");
        assert_eq!(python(path), (wanted, Some(1)), "{place}");
    }
}
