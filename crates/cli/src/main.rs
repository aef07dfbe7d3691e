//! The program `croupier`.

mod commands;
mod database;
mod failure;
mod lines;
mod output;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ContextKind;

use commands::Command;
use failure::Failure;
use output::Output;

/// Deals, banks, settles and solves Ultimate Texas Hold'em and Ultimate Three Card Poker. Play
/// money only.
#[derive(Debug, Parser)]
#[command(name = "croupier", version, max_term_width = 80)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(error) if is_about_an_address(&error) => {
            let why = "unexpected address: put it after --db";
            return Failure::Usage(why.to_owned()).report();
        }
        Err(error) => error.exit(),
    };
    let mut output = Output::new();
    match command.run(&mut output).and_then(|()| output.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Tells whether an error message would repeat an address, which may contain a password.
fn is_about_an_address(error: &clap::Error) -> bool {
    let kinds =
        [ContextKind::InvalidArg, ContextKind::InvalidSubcommand, ContextKind::InvalidValue];
    kinds.iter().filter_map(|&kind| error.get(kind)).any(|what| what.to_string().contains("://"))
}
