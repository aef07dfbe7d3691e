//! The program `croupier`.

mod commands;
mod failure;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

use commands::Command;
use failure::Failure;

/// Ultimate Texas Hold'em and Ultimate Three Card Poker, exactly. Play money only.
#[derive(Debug, Parser)]
#[command(name = "croupier", version, max_term_width = 80)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    match Cli::parse().command.run().and_then(|answer| print(&answer)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Prints an answer, and takes it calmly if nobody listens any more.
fn print(answer: &str) -> Result<(), Failure> {
    match io::stdout().write_all(answer.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Answer(format!("the answer cannot be printed: {error}")))
        }
        _ => Ok(()),
    }
}
