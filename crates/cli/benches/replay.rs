//! Measures rounds per second through `croupier replay`, from JSON Lines to JSON Lines, including
//! process startup.

#![expect(clippy::print_stdout, reason = "it prints measurements")]
#![expect(clippy::disallowed_methods, reason = "it reads the clock, and starts the program")]
#![expect(clippy::cast_precision_loss, reason = "rates are printed with three digits")]

use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs, process};

use croupier_cards::Deck;
use croupier_rules::{Amount, Catalog, DeckText, FORMAT, Record, RecordText, SeatText};
use serde_json::Value;

const ROUNDS: usize = 100_000;
const PASSES: usize = 5;

/// Returns a record: one seat that checks twice and bets on the river, from a random deck.
fn record(state: &mut u64) -> RecordText {
    let mut below = |bound: usize| {
        *state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        usize::try_from((u128::from(*state) * bound as u128) >> 64).expect("below the bound")
    };
    let mut deck = Deck::FRESH;
    for at in 0..52 {
        deck.swap(at, at + below(52 - at));
    }
    RecordText {
        format: FORMAT.to_owned(),
        house: "uth-standard".into(),
        paytables: Vec::new(),
        bonus_paytable: None,
        blind_paytable: None,
        deal: None,
        deck: DeckText::from(&deck),
        deck_colour: None,
        banker: None,
        seats: vec![SeatText {
            seat: 1,
            player: Some("ann".to_owned()),
            ante: Amount::cents(1_000),
            blind: None,
            bonus: Some(Amount::cents(500)),
            actions: ["check", "check", "bet 1"].map(str::to_owned).to_vec(),
            by_table: Vec::new(),
        }],
        void: None,
        rules_version: None,
        shuffle: None,
        journal: None,
        journal_hash: None,
        result: None,
    }
}

/// Returns the bank's net result in a round, according to the engine in this process.
fn bank(line: &str, catalog: &Catalog) -> i64 {
    let record = Record::read(line, catalog).expect("a good record");
    record.replay().expect("a good record").result.bank.net.as_cents()
}

fn main() {
    let catalog = Catalog::shipped();
    let mut state = 2_026;
    let line = |_| serde_json::to_string(&record(&mut state)).expect("plain data");
    let lines: Vec<String> = (0..ROUNDS).map(line).collect();
    let right: i64 = lines.iter().map(|line| bank(line, &catalog)).sum();
    let file = env::temp_dir().join(format!("croupier-replay-{}.jsonl", process::id()));
    fs::write(&file, lines.join("\n")).expect("a file for the records");
    let mut best = Duration::MAX;
    for _ in 0..PASSES {
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        let output = command.arg("replay").arg(&file).arg("--json").output().expect("an answer");
        best = best.min(start.elapsed());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8(output.stdout).expect("text");
        let nets = printed.lines().map(|line| {
            let record: Value = serde_json::from_str(line).expect("JSON");
            record["result"]["bank"]["net"].as_i64().expect("cents")
        });
        let nets: Vec<i64> = nets.collect();
        assert_eq!((nets.len(), nets.iter().sum()), (ROUNDS, right), "every round, and its money");
    }
    fs::remove_file(&file).expect("the file still exists");
    let rate = ROUNDS as f64 / best.as_secs_f64();
    println!("rounds per second through croupier replay --json: {rate:.0}");
}
