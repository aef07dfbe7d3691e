//! `croupier chart`

mod flops;
mod holdem;
mod holdem_page;
mod page;
mod ranges;
mod three_card;
mod three_card_page;

use std::fmt::Write;
use std::fs::File;
use std::io::{BufWriter, Write as _};

use croupier_odds::{Fraction, Holdem, MainSheet, Terms};
use croupier_rules::{Catalog, Decision, Game};

use super::odds::threads;
use super::{GameArgs, json, raises, thousands, wrap};
use crate::failure::Failure;
use crate::output::Output;
use holdem::HoldemChart;
use three_card::ThreeCardChart;

/// Show the best strategy as a chart, for any pay table
///
/// For uth, the chart covers each of the 169 hands before the flop; for utcp, each hand of three
/// cards. If a FILE is "-", it goes to standard output instead of the chart.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// Write the chart as an image for printing (SVG)
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,

    /// Write every flop with every pair of hole cards, for uth, as CSV: one line for each of the
    /// 1,286,792 that differ in more than the names of suits
    ///
    /// Columns: flop and hole; multiplicity, the number of deals that differ only in the names of
    /// suits; check and bet, the exact values of the two choices in antes, over the denominator in
    /// the next column; best, "check" or "bet 2".
    #[arg(long, value_name = "FILE")]
    flops: Option<String>,

    /// Print JSON: every hand, and the exact value of every choice
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let to_output = [&args.svg, &args.flops].map(|file| file.as_deref() == Some("-"));
    let answers = to_output.iter().filter(|&&it| it).count() + usize::from(args.json);
    if answers > 1 {
        let message = "only one of --json, --svg - and --flops - can use standard output";
        return Err(Failure::Usage(message.to_owned()));
    }
    let terms = args.game.terms(&Catalog::shipped())?;
    if args.flops.is_some() && terms.game() != Game::Uth {
        return Err(Failure::Usage("--flops: only uth has a flop".to_owned()));
    }
    let chart = match terms.game() {
        Game::Uth => {
            let solved = Holdem::solve(terms, threads());
            if let Some(file) = &args.flops {
                let mut sink = Sink::open(file, output)?;
                flops::write(&solved, |line| sink.write(line))?;
                sink.close()?;
            }
            Chart::Holdem(HoldemChart::new(&solved))
        }
        Game::Utcp => Chart::ThreeCard(ThreeCardChart::new(terms)),
    };
    if let Some(file) = &args.svg {
        let mut sink = Sink::open(file, output)?;
        sink.write(&chart.svg())?;
        sink.close()?;
    }
    match (args.json, to_output) {
        (true, _) => output.print(&chart.json()),
        (_, [false, false]) => {
            let colour = output.takes_colour();
            output.print(&chart.text(colour))
        }
        _ => Ok(()),
    }
}

/// The chart of one of the games.
enum Chart {
    Holdem(HoldemChart),
    ThreeCard(ThreeCardChart),
}

impl Chart {
    fn text(&self, colour: bool) -> String {
        match self {
            Self::Holdem(chart) => chart.text(colour),
            Self::ThreeCard(chart) => chart.text(colour),
        }
    }

    fn svg(&self) -> String {
        match self {
            Self::Holdem(chart) => holdem_page::draw(chart),
            Self::ThreeCard(chart) => three_card_page::draw(chart),
        }
    }

    fn json(&self) -> String {
        match self {
            Self::Holdem(chart) => json(&chart.report),
            Self::ThreeCard(chart) => json(&chart.report),
        }
    }
}

/// The destination of a file.
enum Sink<'a> {
    File { path: &'a str, file: BufWriter<File> },
    Output(&'a mut Output),
}

impl<'a> Sink<'a> {
    #[expect(clippy::disallowed_methods, reason = "this is the shell that writes files")]
    fn open(path: &'a str, output: &'a mut Output) -> Result<Self, Failure> {
        if path == "-" {
            return Ok(Self::Output(output));
        }
        let file = File::create(path).map_err(|error| unwritable(path, &error))?;
        Ok(Self::File { path, file: BufWriter::new(file) })
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        match self {
            Self::File { path, file } => {
                file.write_all(text.as_bytes()).map_err(|error| unwritable(path, &error))
            }
            Self::Output(output) => output.print(text),
        }
    }

    /// Closes the file. Buffered data may fail to be written here; dropping the file would hide
    /// that.
    fn close(&mut self) -> Result<(), Failure> {
        match self {
            Self::File { path, file } => file.flush().map_err(|error| unwritable(path, &error)),
            Self::Output(_) => Ok(()),
        }
    }
}

fn unwritable(path: &str, error: &std::io::Error) -> Failure {
    Failure::Answer(format!("{path} cannot be written: {error}"))
}

/// Writes a decision as a player says it.
fn spoken(action: Decision) -> String {
    match action {
        Decision::Bet(times) => format!("bet {times}x"),
        action => action.to_string(),
    }
}

/// Describes the terms in one line.
fn terms_line(terms: &Terms) -> String {
    let qualifying = if terms.qualifying() { "" } else { ", the dealer always qualifies" };
    let line = format!("Blind {}, raise {}{qualifying}", terms.blind().id(), raises(terms));
    wrap(&line, 79).join("\n")
}

/// Writes the figures of the game in two lines.
fn figures_lines(text: &mut String, sheet: &MainSheet) {
    writeln!(
        text,
        "House edge {} of the ante, {} of the amount wagered.\n{} deals, all counted.",
        percent(sheet.edge(), 6),
        percent(sheet.element_of_risk, 6),
        thousands(sheet.deals)
    )
    .expect("a string");
}

fn percent(share: Fraction, digits: usize) -> String {
    format!("{:.digits$} %", 100.0 * share.to_f64())
}

/// Returns one value minus another.
fn difference(one: Fraction, other: Fraction) -> Fraction {
    Fraction::new(
        one.numerator() * other.denominator() - other.numerator() * one.denominator(),
        one.denominator() * other.denominator(),
    )
}

/// The best of several choices, and its gain over the next best.
#[derive(Clone, Copy, Debug)]
struct Choice {
    best: Decision,
    next: Decision,
    margin: Fraction,
}

impl Choice {
    /// Compares the choices in a spot with the best one.
    fn of(best: Decision, actions: &[(Decision, Fraction)]) -> Self {
        let value = actions.iter().find(|(action, _)| *action == best).expect("it is there").1;
        let others = actions.iter().filter(|(action, _)| *action != best);
        let &(next, second) =
            others.max_by_key(|(_, value)| *value).expect("there is always a choice");
        Self { best, next, margin: difference(value, second) }
    }
}

/// Colors text for a terminal.
fn coloured(text: &str, code: &str, colour: bool) -> String {
    if colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}
