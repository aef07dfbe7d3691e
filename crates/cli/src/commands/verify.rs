//! `croupier verify`

use croupier_rules::{Catalog, Seat};
use croupier_table::{Hash, Unverified, Verified, verify};
use serde::Serialize;

use super::catalog_with;
use crate::failure::Failure;
use crate::lines::{Answer, Line, answer_lines};
use crate::output::Output;

/// Check rounds that a table exported: commitment, deck, rules, settlement and journal hash
///
/// Nothing but the file is needed. If a single field of a round was changed, it is refused, and the
/// first field that is not true is named.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file of exported rounds, one a line, or - for the standard input
    file: String,

    /// A pay table of your own that the rounds use; may be given several times
    #[arg(long, value_name = "FILE")]
    paytable: Vec<String>,

    /// Print what was found of each round as JSON, one a line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let catalog = catalog_with(&args.paytable)?;
    answer_lines(&args.file, output, || |line: &Line| answer(line, &catalog, args.json))
}

fn answer(line: &Line, catalog: &Catalog, json: bool) -> Answer {
    let number = line.number;
    let found = match str::from_utf8(&line.text) {
        Ok(text) => verify(text, catalog),
        Err(_) => Err(Unverified::new("", "it is not UTF-8")),
    };
    let bad = found.is_err();
    let said = match found {
        _ if json => Ok(as_json(number, &found)),
        Ok(verified) => Ok(in_words(&verified)),
        Err(error) => Err(format!("line {number}: {error}")),
    };
    Answer { notes: Vec::new(), said, bad }
}

fn in_words(verified: &Verified) -> String {
    let Verified { table, round, journal_hash, unrevealed } = verified;
    let kept: Vec<String> = unrevealed.iter().map(ToString::to_string).collect();
    let kept = match kept.len() {
        0 => String::new(),
        _ => format!("  Not shown, and so counted as empty: the seed of {}.\n", kept.join(", ")),
    };
    // The whole hash is in the file; these digits are to find it by.
    let hash = &journal_hash.to_string()[..16];
    format!("Round {round} of table {table} is true. Journal hash {hash}…\n{kept}")
}

/// What was found of a round, with one line for each.
#[derive(Serialize)]
struct Found<'a> {
    line: usize,
    verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    journal_hash: Option<&'a Hash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unrevealed: Option<&'a [Seat]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

fn as_json(line: usize, found: &Result<Verified, Unverified>) -> String {
    let (verified, error) = (found.as_ref().ok(), found.as_ref().err());
    let found = Found {
        line,
        verified: verified.is_some(),
        table: verified.map(|verified| &*verified.table),
        round: verified.map(|verified| verified.round),
        journal_hash: verified.map(|verified| &verified.journal_hash),
        unrevealed: verified.map(|verified| &*verified.unrevealed),
        field: error.map(Unverified::field),
        error: error.map(ToString::to_string),
    };
    let mut text = serde_json::to_string(&found).expect("plain data");
    text.push('\n');
    text
}
