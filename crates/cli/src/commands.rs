//! The commands, one file each.

mod houses;
mod paytables;
mod replay;

use std::path::Path;

use croupier_rules::{Catalog, Faults, PayTable};

use crate::failure::Failure;
use crate::output::Output;

/// What the program can do.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Houses(houses::Args),
    Paytables(paytables::Args),
    Replay(replay::Args),
}

impl Command {
    /// Answers.
    pub(crate) fn run(self, output: &mut Output) -> Result<(), Failure> {
        match self {
            Self::Houses(args) => output.print(&houses::run(&args)?),
            Self::Paytables(args) => output.print(&paytables::run(&args)?),
            Self::Replay(args) => replay::run(&args, output),
        }
    }
}

/// Tells whether an argument names a file rather than something that comes with the program.
fn is_file(argument: &str) -> bool {
    argument.contains(['/', '\\', '.'])
}

#[expect(clippy::disallowed_methods, reason = "this is the shell that reads files")]
fn read_file(path: &str) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("{path} cannot be read: {error}")))
}

/// Says what is wrong with a file, fault by fault.
fn bad_file(path: &str, faults: &Faults) -> Failure {
    let name = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
    let lines: Vec<String> =
        faults.all().iter().map(|fault| format!("  {name}, {fault}")).collect();
    let count = match lines.len() {
        1 => "one fault".to_owned(),
        faults => format!("{faults} faults"),
    };
    Failure::Answer(format!("{path} has {count}:\n{}", lines.join("\n")))
}

/// Returns a pay table by its id, or from a file.
fn paytable(catalog: &Catalog, name: &str) -> Result<PayTable, Failure> {
    if is_file(name) {
        return PayTable::from_toml(&read_file(name)?).map_err(|faults| bad_file(name, &faults));
    }
    catalog.paytable(name).cloned().map_err(|unknown| Failure::Usage(unknown.to_string()))
}

/// Writes plain data as JSON that people can read, too.
fn json(value: &impl serde::Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("plain data");
    text.push('\n');
    text
}
