//! `croupier generate`

use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::Cli;
use crate::failure::Failure;
use crate::output::Output;

/// Generate shell completions, man pages or the API description
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the man pages into a folder
    Man {
        /// The folder; it must exist
        folder: String,
    },
    /// Print the machine-readable description of the server's API
    Openapi,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let mut command = Cli::command();
    match &args.what {
        What::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(*shell, &mut command, "croupier", &mut text);
            output.print(&String::from_utf8_lossy(&text))
        }
        What::Openapi => output.print(&croupier_server::openapi()),
        What::Man { folder } => clap_mangen::generate_to(command, Path::new(folder))
            .map_err(|error| Failure::Answer(format!("{folder} cannot be written to: {error}"))),
    }
}
