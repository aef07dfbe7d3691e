//! `croupier verify`

use std::collections::BTreeMap;

use croupier_rules::Catalog;
use croupier_table::{Hash, Unverified, Verdict, Verified, verify};
use serde::Serialize;

use super::catalog_with;
use crate::failure::{Failure, complain};
use crate::lines::{Answer, Line, answer_lines, called, visible};
use crate::output::Output;

/// Verify rounds that a table exported: commitment, deck, rules, settlement and journal hash
///
/// Only the file is needed. If any field of a round was changed, the round is rejected, and the
/// first wrong field is named.
///
/// "Verified" does not mean that the table dealt the round: a round that was invented as a whole,
/// hashes included, also verifies. So compare the commitment with the one the table showed before
/// betting, and the journal hash with the one it showed after the round, or with a later export of
/// the same table's journal.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file of exported rounds, one per line, or - for standard input
    file: String,

    /// A pay table of your own that the rounds use; repeat for several
    #[arg(long, value_name = "FILE")]
    paytable: Vec<String>,

    /// Print the verdict on each round as JSON, one per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let catalog = catalog_with(&args.paytable)?;
    let mut seen = Seen::default();
    let answerer = || |line: &Line| answer(line, &catalog, args.json);
    let outcome = answer_lines(&args.file, output, answerer, |answer| seen.look(answer));
    match &outcome {
        Ok(()) | Err(Failure::Said) => {}
        Err(_) => return outcome,
    }
    if seen.lines == 0 {
        complain(&format!("{}: it contains no rounds", called(&args.file)));
        return Err(Failure::Said);
    }
    if seen.lines > 1 && !args.json {
        output.print(&seen.in_words())?;
    }
    outcome
}

/// A verified round, by its table and its number.
type Dealt = Option<((String, u64), Hash)>;

/// The lines seen so far.
#[derive(Default)]
struct Seen {
    lines: usize,
    bad: usize,
    /// The number of rounds seen before with different contents.
    twice: usize,
    rounds: BTreeMap<(String, u64), Hash>,
}

impl Seen {
    fn look(&mut self, answer: &mut Answer<Dealt>) {
        self.lines += 1;
        self.bad += usize::from(answer.bad);
        let Some((dealt, hash)) = answer.found.take() else { return };
        let note = format!(
            "round {} of table {} appears twice with different contents: \
             a table deals only one round under each number",
            dealt.1, dealt.0
        );
        // The hash covers the whole round.
        if *self.rounds.entry(dealt).or_insert(hash) != hash {
            self.twice += 1;
            answer.bad = true;
            answer.notes.push(note);
        }
    }

    fn in_words(&self) -> String {
        let Self { lines, bad, twice, .. } = self;
        match (bad, twice) {
            (0, 0) => format!("{lines} rounds, all verified.\n"),
            (0, _) => format!("{lines} rounds, each verified on its own, but they conflict.\n"),
            (bad, _) => format!("{lines} rounds: {} verified, {bad} not.\n", lines - bad),
        }
    }
}

fn answer(line: &Line, catalog: &Catalog, json: bool) -> Answer<Dealt> {
    let number = line.number;
    let found = match str::from_utf8(&line.text) {
        Ok(text) => verify(text, catalog),
        Err(_) => Err(Unverified::new("", "it is not UTF-8")),
    };
    let bad = found.is_err();
    let dealt = found
        .as_ref()
        .ok()
        .map(|true_one| ((true_one.table.clone(), true_one.round), true_one.journal_hash));
    let said = match found {
        _ if json => Ok(as_json(number, &found)),
        Ok(verified) => Ok(in_words(&verified)),
        Err(error) => Err(format!("line {number}{}: {error}", which(&error))),
    };
    Answer { notes: Vec::new(), said, bad, found: dealt }
}

/// Describes which round the error is about, if known.
fn which(error: &Unverified) -> String {
    match (error.table(), error.round()) {
        (Some(table), Some(round)) => format!(" (round {round} of table {table})"),
        (Some(table), None) => format!(" (table {table})"),
        (None, Some(round)) => format!(" (round {round})"),
        (None, None) => String::new(),
    }
}

fn in_words(verified: &Verified) -> String {
    let Verified { table, round, commitment, journal_hash, unrevealed, undealt } = verified;
    let kept: Vec<String> = unrevealed.iter().map(ToString::to_string).collect();
    let kept = match kept.len() {
        0 => String::new(),
        _ => format!("  Not revealed, so counted as empty: the seed of {}.\n", kept.join(", ")),
    };
    let first = match undealt {
        None => format!("Round {round} of table {table} is verified.\n"),
        Some(reason) => format!(
            "Round {round} of table {table} was not dealt: {}. This and its seed are verified.\n",
            visible(reason)
        ),
    };
    format!(
        "{first}{kept}  \
         Commitment   {commitment}\n  Journal hash {journal_hash}\n"
    )
}

/// The verdict on one line.
#[derive(Serialize)]
struct Found {
    line: usize,
    #[serde(flatten)]
    verdict: Verdict,
}

fn as_json(line: usize, found: &Result<Verified, Unverified>) -> String {
    let mut verdict = Verdict::from(found);
    for text in [&mut verdict.field, &mut verdict.error] {
        *text = text.as_deref().map(visible);
    }
    let mut text = serde_json::to_string(&Found { line, verdict }).expect("plain data");
    text.push('\n');
    text
}
