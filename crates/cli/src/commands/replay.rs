//! `croupier replay`

use std::fmt::Write as _;

use croupier_rules::{
    Amount, Bet, Catalog, Decision, Event, Outcome, Record, RecordError, RoundResult, Seat,
    Settled, WagerResult,
};

use super::catalog_with;
use crate::failure::Failure;
use crate::lines::{Answer, Line, answer_lines, visible};
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
    let somebody = || {
        let (catalog, mut events) = (&catalog, Vec::new());
        move |line: &Line| answer(line, catalog, args.json, &mut events)
    };
    answer_lines(&args.file, output, somebody, |_| {})
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
            let notes = record
                .unknown_fields()
                .iter()
                .map(|field| format!("line {number}: note: {field} means nothing in a record"));
            let text = if json {
                let mut text = escaped(record.with_result(&result));
                text.push('\n');
                text
            } else {
                call(&record, events, &result)
            };
            Answer { notes: notes.collect(), said: Ok(text), bad: false, found: () }
        }
        Err(error) => {
            let said = Err(format!("line {number}: {error}"));
            Answer { notes: Vec::new(), said, bad: true, found: () }
        }
    }
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

/// Writes control characters of JSON, which can only be in its texts, as escapes: it means the
/// same, and does nothing to a terminal.
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

/// Tells a round the way a dealer would call it.
fn call(record: &Record, events: &[Event], result: &RoundResult) -> String {
    let house = record.house();
    let (title, id) = (visible(house.title()), visible(house.id()));
    let mut lines = vec![format!("{title} ({id})")];
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
