//! How a command fails, and what the shell is told.

use std::io::{self, Write};
use std::process::ExitCode;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command was called with something that it cannot take. Exit code 2.
    Usage(String),
    /// What was asked for turned out wrong. Exit code 1.
    Answer(String),
    /// What was asked for turned out wrong, and everything has been said. Exit code 1.
    Said,
    /// Whoever asked has gone. Exit code 0.
    NobodyListens,
}

impl Failure {
    /// Says what went wrong, and returns the exit code for it.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Usage(message) => {
                complain(message);
                ExitCode::from(2)
            }
            Self::Answer(message) => {
                complain(message);
                ExitCode::FAILURE
            }
            Self::Said => ExitCode::FAILURE,
            Self::NobodyListens => ExitCode::SUCCESS,
        }
    }
}

/// Says something on the standard error.
pub(crate) fn complain(message: &str) {
    // If nobody can be told, the exit code still says it.
    let _ = writeln!(io::stderr(), "croupier: {message}");
}
