//! The program `croupier`.

mod commands;
mod database;
mod failure;
mod lines;
mod output;

use std::process::ExitCode;

use clap::Parser;

use commands::Command;
use output::Output;

/// Ultimate Texas Hold'em and Ultimate Three Card Poker, exactly. Play money only.
#[derive(Debug, Parser)]
#[command(name = "croupier", version, max_term_width = 80)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    let mut output = Output::new();
    match command.run(&mut output).and_then(|()| output.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
