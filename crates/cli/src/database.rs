//! The database of a server: its location, and the totals of a copy.

use std::fmt::Write;

use croupier_store::{BackupError, Totals};
use serde::Serialize;

use crate::commands::thousands;
use crate::failure::Failure;

/// The database option.
#[derive(Debug, clap::Args)]
pub(crate) struct Database {
    /// The database: the path of an SQLite file, or a postgres:// address
    #[arg(long, value_name = "PATH|URL", env = "CROUPIER_DB", hide_env_values = true)]
    pub(crate) db: String,
}

impl Database {
    /// Describes the database, without the password.
    pub(crate) fn describe(&self) -> Result<String, Failure> {
        croupier_store::describe(&self.db).map_err(|error| failure(&error))
    }
}

/// Waits for a copy to finish.
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

/// Describes the totals of a copy.
pub(crate) fn words(totals: &Totals) -> String {
    let Totals { audit, players, rounds, commands, choices, documents, hash } = totals;
    let lines = [
        (audit.tables, "table", "tables"),
        (
            audit.entries,
            "entry in a journal, its hash checked",
            "entries in their journals, every hash checked",
        ),
        (*rounds, "finished round", "finished rounds"),
        (*players, "player", "players"),
        (
            audit.accounts,
            "account, equal to the sum of its transfers",
            "accounts, each equal to the sum of its transfers",
        ),
        (audit.transfers, "transfer", "transfers, with a sum of zero"),
        (*commands, "command response", "command responses"),
        (*choices, "choice", "choices"),
        (*documents, "document", "documents"),
    ];
    let mut text = String::new();
    for (count, one, many) in lines {
        let what = if count == 1 { one } else { many };
        writeln!(text, "  {:>12} {what}", thousands(count.into())).expect("a string");
    }
    writeln!(text, "Chips issued: {}. Fingerprint:\n{hash}", audit.issued).expect("a string");
    text
}

/// The totals of a copy, for programs.
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
    /// The documents, under the name that the field has had from the start.
    papers: u64,
    issued_cents: i64,
    fingerprint: String,
}

impl Answer {
    pub(crate) fn new(totals: &Totals) -> Self {
        let Totals { audit, players, rounds, commands, choices, documents, hash } = totals;
        Self {
            tables: audit.tables,
            entries: audit.entries,
            rounds: *rounds,
            players: *players,
            accounts: audit.accounts,
            transfers: audit.transfers,
            commands: *commands,
            choices: *choices,
            papers: *documents,
            issued_cents: audit.issued.as_cents(),
            fingerprint: hash.to_string(),
        }
    }
}
