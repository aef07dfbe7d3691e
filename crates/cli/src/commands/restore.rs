//! `croupier restore`

use std::path::PathBuf;

use super::json;
use crate::database::{Answer, Database, wait, words};
use crate::failure::Failure;

/// Check all of a backup, and copy it into an empty database
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The backup
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    database: Database,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let copied = wait(croupier_store::restore(&args.file, &args.database.db))?;
    if args.json {
        return Ok(json(&Answer::new(&copied)));
    }
    let (file, database) = (args.file.display(), args.database.describe()?);
    let words = words(&copied);
    Ok(format!(
        "{database} now contains\n{words}This is the fingerprint of both {file} and {database}.\n"
    ))
}
