//! `croupier restore`

use std::path::PathBuf;

use super::json;
use crate::database::{Answer, Database, wait, words};
use crate::failure::Failure;

/// Copy a backup into a database that is empty, after checking all of it
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
        "{database} now has\n{words}It is that of {file}, and of {database} as it is now.\n"
    ))
}
