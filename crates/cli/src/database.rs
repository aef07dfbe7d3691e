//! The database of a server: which it is, and what was copied from or to it.

use std::fmt::Write;

use croupier_store::{BackupError, Totals};
use serde::Serialize;

use crate::commands::thousands;
use crate::failure::Failure;

/// Where a server stores things.
#[derive(Debug, clap::Args)]
pub(crate) struct Database {
    /// The database: the path of an SQLite file, or a postgres:// address
    #[arg(long, value_name = "PATH|URL", env = "CROUPIER_DB", hide_env_values = true)]
    pub(crate) db: String,
}

impl Database {
    /// Says which database it is, without the password.
    pub(crate) fn describe(&self) -> Result<String, Failure> {
        croupier_store::describe(&self.db).map_err(|error| failure(&error))
    }
}

/// Waits for a copy to be made.
pub(crate) fn wait(
    copy: impl Future<Output = Result<Totals, BackupError>>,
) -> Result<Totals, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Answer(error.to_string()))?;
    runtime.block_on(copy).map_err(|error| failure(&error))
}

fn failure(error: &BackupError) -> Failure {
    match error {
        BackupError::Usage(why) => Failure::Usage(why.clone()),
        error => Failure::Answer(error.to_string()),
    }
}

/// Says what was copied.
pub(crate) fn words(totals: &Totals) -> String {
    let Totals { audit, players, rounds, commands, choices, papers, hash } = totals;
    let lines = [
        (audit.tables, "table", "tables"),
        (
            audit.entries,
            "entry in a journal, its hash checked",
            "entries in their journals, every hash checked",
        ),
        (*rounds, "round that is over", "rounds that are over"),
        (*players, "player", "players"),
        (
            audit.accounts,
            "account, what its transfers come to",
            "accounts, each what its transfers come to",
        ),
        (audit.transfers, "transfer", "transfers, together nothing"),
        (*commands, "answer to a command", "answers to commands"),
        (*choices, "choice", "choices"),
        (*papers, "paper", "papers"),
    ];
    let mut text = String::new();
    for (count, one, many) in lines {
        let what = if count == 1 { one } else { many };
        writeln!(text, "  {:>12} {what}", thousands(count.into())).expect("a string");
    }
    writeln!(text, "{} in chips were issued. Fingerprint:\n{hash}", audit.issued)
        .expect("a string");
    text
}

/// What was copied, for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    tables: u64,
    entries: u64,
    rounds: u64,
    players: u64,
    accounts: u64,
    transfers: u64,
    commands: u64,
    choices: u64,
    papers: u64,
    issued_cents: i64,
    fingerprint: String,
}

impl Answer {
    pub(crate) fn new(totals: &Totals) -> Self {
        let Totals { audit, players, rounds, commands, choices, papers, hash } = totals;
        Self {
            tables: audit.tables,
            entries: audit.entries,
            rounds: *rounds,
            players: *players,
            accounts: audit.accounts,
            transfers: audit.transfers,
            commands: *commands,
            choices: *choices,
            papers: *papers,
            issued_cents: audit.issued.as_cents(),
            fingerprint: hash.to_string(),
        }
    }
}
