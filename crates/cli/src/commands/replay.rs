//! `croupier replay`

use std::fmt::Write as _;

use croupier_rules::{
    Catalog, FinishedRound, Narration, Record, RecordError, Seat, Step, StepKind,
};

use super::catalog_with;
use crate::failure::Failure;
use crate::lines::{Answer, Line, answer_lines, visible};
use crate::output::Output;

/// Replay recorded rounds: deal and settle them again
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file of round records, one per line, or - for standard input
    file: String,

    /// A pay table of your own that the rounds use; repeat for several
    #[arg(long, value_name = "FILE")]
    paytable: Vec<String>,

    /// Print the records with their results, one per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let catalog = catalog_with(&args.paytable)?;
    let answerer = || |line: &Line| answer(line, &catalog, args.json);
    answer_lines(&args.file, output, answerer, |_| {})
}

fn answer(line: &Line, catalog: &Catalog, json: bool) -> Answer {
    let number = line.number;
    let replayed = match str::from_utf8(&line.text).map(str::trim) {
        Ok(text) => replay(text, catalog).map_err(|error| error.to_string()),
        Err(_) => Err("it is not UTF-8".to_owned()),
    };
    match replayed {
        Ok((record, replayed)) => {
            let notes = record
                .unknown_fields()
                .iter()
                .map(|field| format!("line {number}: note: {field} is not a field of a record"));
            let text = if json {
                let mut text = escaped(record.with_result(&replayed.result));
                text.push('\n');
                text
            } else {
                call(&record, &replayed)
            };
            Answer { notes: notes.collect(), said: Ok(text), bad: false, found: () }
        }
        Err(error) => {
            let said = Err(format!("line {number}: {error}"));
            Answer { notes: Vec::new(), said, bad: true, found: () }
        }
    }
}

fn replay(text: &str, catalog: &Catalog) -> Result<(Record, FinishedRound), RecordError> {
    let record = Record::read(text, catalog)?;
    let replayed = record.replay()?;
    Ok((record, replayed))
}

/// Escapes the control characters in JSON, which can only be in its strings. It means the same, and
/// does nothing to a terminal.
fn escaped(json: String) -> String {
    let control = |character: char| character.is_control() && character != '\t';
    if !json.contains(control) {
        return json;
    }
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if control(character) {
            let _ = write!(text, "\\u{:04x}", u32::from(character));
        } else {
            text.push(character);
        }
    }
    text
}

/// Describes a round the way a dealer would call it. Text in the record can't start a new line.
fn call(record: &Record, replayed: &FinishedRound) -> String {
    let house = record.house();
    let (title, id) = (visible(house.title()), visible(house.id()));
    let who = |seat: Seat| match record.player(seat) {
        Some(name) => format!("Seat {} ({name})", seat.number()),
        None => format!("Seat {}", seat.number()),
    };
    let mut told = Narration::with_names(replayed, &who);
    let mut lines = vec![format!("{title} ({id})")];
    for step in &told.steps {
        match step.kind {
            // The cards are still face down.
            StepKind::Dealt => {}
            StepKind::Settled => lines.extend(settlement(&told, step)),
            _ => lines.push(visible(&step.say)),
        }
    }
    told.seats.sort_by_key(|seat| seat.seat);
    lines.extend(told.seats.iter().map(|seat| visible(&seat.say)));
    lines.push(format!("{}\n\n", told.bank.say));
    lines.join("\n")
}

/// Describes how a wager was settled: the stake, the net result, and the reason.
fn settlement(told: &Narration, step: &Step) -> Option<String> {
    let seat = told.seats.iter().find(|seat| Some(seat.seat) == step.seat)?;
    let wager = seat.wagers.iter().find(|wager| Some(wager.bet) == step.bet)?;
    let net = wager.returned.minus(wager.staked)?;
    let sign = if net.is_positive() { "+" } else { "" };
    let (seat, name, staked) = (seat.seat.number(), wager.name, wager.staked);
    let net = format!("{sign}{net}");
    Some(format!("  Seat {seat} {name:<10}{staked:<7} {net:<7} {}", wager.why))
}
