//! `croupier backup`

use std::fmt::Write;
use std::path::PathBuf;

use croupier_store::Totals;
use serde::Serialize;

use super::{json, thousands};
use crate::failure::Failure;

/// Copy all that a server has stored into one file, while it runs
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    database: Database,

    /// The file to write; it must not be there yet
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Where a server stores things.
#[derive(Debug, clap::Args)]
pub(super) struct Database {
    /// The database: the path of an SQLite file, or a postgres:// address
    #[arg(long, value_name = "PATH|URL", env = "CROUPIER_DB", hide_env_values = true)]
    pub(super) db: String,
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let copied = wait(croupier_store::backup(&args.database.db, &args.file))?;
    if args.json {
        return Ok(json(&Answer::new(&copied)));
    }
    Ok(format!("{} now has\n{}", args.file.display(), words(&copied)))
}

/// Waits for a copy to be made.
pub(super) fn wait(
    copy: impl Future<Output = Result<Totals, croupier_store::StoreError>>,
) -> Result<Totals, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Answer(error.to_string()))?;
    runtime.block_on(copy).map_err(|error| Failure::Answer(error.to_string()))
}

/// Says what was copied.
pub(super) fn words(totals: &Totals) -> String {
    let Totals { audit, players, rounds, commands, choices, hash } = totals;
    let line = |count: u64, what: &str| format!("  {:>12} {what}\n", thousands(count.into()));
    let mut text = String::new();
    text.push_str(&line(audit.tables, "tables"));
    text.push_str(&line(audit.entries, "entries in their journals, every hash checked"));
    text.push_str(&line(*rounds, "rounds that are over"));
    text.push_str(&line(*players, "players"));
    text.push_str(&line(audit.accounts, "accounts, each what its transfers come to"));
    text.push_str(&line(audit.transfers, "transfers, together nothing"));
    text.push_str(&line(*commands, "answers to commands"));
    text.push_str(&line(*choices, "choices"));
    writeln!(text, "{} in chips were issued. Fingerprint:\n{hash}", audit.issued)
        .expect("a string");
    text
}

/// What was copied, for programs.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    tables: u64,
    entries: u64,
    rounds: u64,
    players: u64,
    accounts: u64,
    transfers: u64,
    commands: u64,
    choices: u64,
    issued_cents: i64,
    fingerprint: String,
}

impl Answer {
    pub(super) fn new(totals: &Totals) -> Self {
        let Totals { audit, players, rounds, commands, choices, hash } = totals;
        Self {
            tables: audit.tables,
            entries: audit.entries,
            rounds: *rounds,
            players: *players,
            accounts: audit.accounts,
            transfers: audit.transfers,
            commands: *commands,
            choices: *choices,
            issued_cents: audit.issued.as_cents(),
            fingerprint: hash.to_string(),
        }
    }
}
