//! `croupier replay`

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use croupier_rules::{
    Amount, Bet, Catalog, Decision, Event, Outcome, Record, RecordError, RoundResult, Seat,
    Settled, WagerResult,
};

use serde::de::IgnoredAny;

use super::catalog_with;
use crate::failure::{Failure, complain};
use crate::output::Output;

/// Re-deal and settle rounds that were written down
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file of round records, one a line, or - for the standard input
    file: String,

    /// A pay table of your own that the rounds use; may be given several times
    #[arg(long, value_name = "FILE")]
    paytable: Vec<String>,

    /// Print the records with their results, one a line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let catalog = catalog_with(&args.paytable)?;
    let mut failed = false;
    for_each_batch(open(&args.file)?, &args.file, |lines| {
        for answer in answers(lines, &catalog, args.json) {
            for note in &answer.notes {
                complain(note);
            }
            match answer.said {
                Ok(text) => output.print(&text)?,
                Err(error) => {
                    output.flush()?;
                    complain(&error);
                    failed = true;
                }
            }
        }
        output.flush()
    })?;
    if failed { Err(Failure::Said) } else { Ok(()) }
}

/// A line that has something on it.
struct Line {
    number: usize,
    text: Vec<u8>,
}

/// What there is to say of a line.
struct Answer {
    notes: Vec<String>,
    said: Result<String, String>,
}

/// Fewer lines than this are not worth a thread.
const LINES_FOR_A_THREAD: usize = 64;

/// Answers lines on all cores, in their order.
#[expect(clippy::disallowed_methods, reason = "the shell decides what runs where")]
fn answers(lines: &[Line], catalog: &Catalog, json: bool) -> Vec<Answer> {
    let threads = super::odds::threads().get().min(lines.len().div_ceil(LINES_FOR_A_THREAD));
    let answer = |lines: &[Line]| -> Vec<Answer> {
        let mut events = Vec::new();
        lines.iter().map(|line| answer(line, catalog, json, &mut events)).collect()
    };
    if threads < 2 {
        return answer(lines);
    }
    let answer = &answer;
    std::thread::scope(|scope| {
        let parts = lines.chunks(lines.len().div_ceil(threads));
        let parts: Vec<_> = parts.map(|part| scope.spawn(move || answer(part))).collect();
        let joined = parts.into_iter().map(|part| match part.join() {
            Ok(answers) => answers,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.flatten().collect()
    })
}

fn answer(line: &Line, catalog: &Catalog, json: bool, events: &mut Vec<Event>) -> Answer {
    events.clear();
    let number = line.number;
    let replayed = match str::from_utf8(&line.text).map(str::trim) {
        Ok(text) => replay(text, catalog, events).map_err(|error| error.to_string()),
        Err(_) => Err("it is not UTF-8".to_owned()),
    };
    match replayed {
        Ok((record, result)) => {
            let notes = record.unknown_fields().iter().map(|field| {
                let field = field.escape_debug();
                format!("line {number}: note: {field} means nothing in a record")
            });
            let text = if json {
                let mut text = record.with_result(&result);
                text.push('\n');
                text
            } else {
                call(&record, events, &result)
            };
            Answer { notes: notes.collect(), said: Ok(text) }
        }
        Err(error) => Answer { notes: Vec::new(), said: Err(format!("line {number}: {error}")) },
    }
}

/// Something to read from, in pieces large enough to keep several cores busy.
type Input = BufReader<Box<dyn Read>>;

fn buffered(input: impl Read + 'static) -> Input {
    BufReader::with_capacity(1 << 20, Box::new(input))
}

#[expect(clippy::disallowed_methods, reason = "this is the shell that reads files")]
fn open(file: &str) -> Result<Input, Failure> {
    if file == "-" {
        return Ok(buffered(io::stdin()));
    }
    match File::open(file) {
        Ok(opened) => Ok(buffered(opened)),
        Err(error) => Err(Failure::Usage(format!("{file} cannot be read: {error}"))),
    }
}

/// Calls `each` with all lines that are there to be read, again and again, so that whoever writes
/// lines one by one is answered one by one. If the first record does not end on its line and the
/// whole input is one object, it is that record; only then is it kept in memory as a whole.
fn for_each_batch(
    mut input: Input,
    file: &str,
    mut each: impl FnMut(&[Line]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let unreadable = |error: io::Error| Failure::Usage(format!("{file} cannot be read: {error}"));
    let (mut number, mut first, mut batch) = (0, true, Vec::new());
    loop {
        let mut text = Vec::new();
        if input.read_until(b'\n', &mut text).map_err(unreadable)? == 0 {
            return each(&batch);
        }
        number += 1;
        if number == 1 && text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len());
        }
        if !text.trim_ascii().is_empty() {
            if std::mem::take(&mut first) && is_unfinished(&text) {
                let end = text.len();
                input.read_to_end(&mut text).map_err(unreadable)?;
                if !is_object(&text) {
                    // A line was cut off, and the others stand alone.
                    input = buffered(io::Cursor::new(text.split_off(end)));
                }
            }
            batch.push(Line { number, text });
        }
        if !input.buffer().contains(&b'\n') {
            each(&batch)?;
            batch.clear();
        }
    }
}

/// What some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Tells whether a line is JSON that goes on.
fn is_unfinished(line: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(line).is_err_and(|error| error.is_eof())
}

/// Tells whether a text is one JSON object.
fn is_object(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(text).is_ok()
}

fn replay(
    text: &str,
    catalog: &Catalog,
    events: &mut Vec<Event>,
) -> Result<(Record, RoundResult), RecordError> {
    let record = Record::read(text, catalog)?;
    let result = record.replay(events)?;
    Ok((record, result))
}

/// Tells a round the way a dealer would call it.
fn call(record: &Record, events: &[Event], result: &RoundResult) -> String {
    let house = record.house();
    let mut lines = vec![format!("{} ({})", house.title(), house.id())];
    lines.extend(events.iter().filter_map(|event| say(event, record, result)));
    for seat in &result.seats {
        lines.push(format!("{} {}.", who(record, seat.seat), outcome_in_money(seat.net)));
    }
    lines.push(format!("The bank {}.\n\n", outcome_in_money(result.bank.net)));
    lines.join("\n")
}

/// Says what happened, if it is worth a word: cards that are dealt face down are not.
fn say(event: &Event, record: &Record, result: &RoundResult) -> Option<String> {
    let who = |seat: Seat| who(record, seat);
    Some(match event {
        Event::Banked { seat, wager } => format!("{} banks with {wager}.", who(*seat)),
        Event::Wagered { seat, ante, bonus: Amount::ZERO } => {
            format!("{}: Ante {ante}, Blind {ante}.", who(*seat))
        }
        Event::Wagered { seat, ante, bonus } => {
            let name = record.house().game().def().bonus;
            format!("{}: Ante {ante}, Blind {ante}, {name} {bonus}.", who(*seat))
        }
        Event::Withdrawn { seat } => format!("{} takes the wager back.", who(*seat)),
        Event::BettingClosed => "No more bets.".to_owned(),
        Event::Dealt { .. } => return None,
        Event::Turned(cards) => {
            let cards: Vec<String> = cards.iter().map(ToString::to_string).collect();
            format!("The board: {}.", cards.join(" "))
        }
        Event::Decided { seat, decision, by_table } => {
            let did = match decision {
                Decision::Check => "checks".to_owned(),
                Decision::Fold => "folds".to_owned(),
                Decision::Bet(times) => format!("bets {times}x"),
            };
            let by = if *by_table { ", out of time" } else { "" };
            format!("{} {did}{by}.", who(*seat))
        }
        Event::DealerShown { shown, qualifies } => {
            let cards = &result.dealer.cards;
            let but = if *qualifies { "" } else { ", and does not qualify" };
            format!("The dealer shows {cards}: {}{but}.", shown.strength)
        }
        Event::Judged { seat, outcome, shown } => {
            let of_seat = result.seats.iter().find(|settled| settled.seat == *seat);
            let cards = of_seat.map(|settled| settled.cards.to_string()).unwrap_or_default();
            let did = match outcome {
                Outcome::Fold => "folded",
                Outcome::Win => "wins with",
                Outcome::Lose => "loses with",
                Outcome::Push | Outcome::Void => "ties with",
            };
            format!("{} {did} {cards}: {}.", who(*seat), shown.strength)
        }
        Event::Settled { seat, bet, settled } => {
            let bet = match bet {
                Bet::Bonus => record.house().game().def().bonus.to_owned(),
                _ => bet.to_string(),
            };
            format!("  Seat {} {bet:<10}{}", seat.number(), settlement(settled))
        }
        Event::Voided(reason) => format!("The round is void: {}.", reason.escape_debug()),
    })
}

fn who(record: &Record, seat: Seat) -> String {
    match record.player(seat) {
        // Whatever somebody called himself, it stays on its line.
        Some(name) => format!("Seat {} ({})", seat.number(), name.escape_debug()),
        None => format!("Seat {}", seat.number()),
    }
}

fn outcome_in_money(net: Amount) -> String {
    match net.as_cents() {
        0 => "breaks even".to_owned(),
        1.. => format!("wins {net}"),
        _ => format!("loses {}", Amount::ZERO.minus(net).unwrap_or(net)),
    }
}

/// Says what became of a wager.
fn settlement(settled: &Settled) -> String {
    let Settled { staked, returned, result, uncovered } = *settled;
    let paid = returned.minus(staked).unwrap_or(Amount::ZERO);
    let said = match result {
        WagerResult::Win => format!("{staked} wins {paid}"),
        WagerResult::Lose if returned == Amount::ZERO => format!("{staked} loses"),
        WagerResult::Lose => format!("{staked} loses, {returned} goes back"),
        WagerResult::Push => format!("{staked} pushes"),
        WagerResult::Returned if uncovered == Amount::ZERO => {
            format!("{staked} goes back, not covered")
        }
        WagerResult::Returned | WagerResult::Void => format!("{staked} goes back"),
    };
    if uncovered == Amount::ZERO { said } else { format!("{said}; {uncovered} was not covered") }
}
