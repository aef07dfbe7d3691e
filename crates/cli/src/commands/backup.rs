//! `croupier backup`

use std::path::PathBuf;

use super::json;
use crate::database::{Answer, Database, wait, words};
use crate::failure::Failure;

/// Copy everything a server has stored into one file, while it runs
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    database: Database,

    /// The file to write; it must not exist yet
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let copied = wait(croupier_store::backup(&args.database.db, &args.file))?;
    if args.json {
        return Ok(json(&Answer::new(&copied)));
    }
    Ok(format!("{} now contains\n{}", args.file.display(), words(&copied)))
}
