//! The ways a command fails, and their exit codes.

use std::io::{self, Write};
use std::process::ExitCode;

/// The reason a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command was called with invalid arguments. Exit code 2.
    Usage(String),
    /// The request was valid, but the answer is a failure. Exit code 1.
    Answer(String),
    /// The answer is a failure that has already been reported. Exit code 1.
    Said,
    /// The reader of the output has gone. Exit code 0.
    BrokenPipe,
}

impl Failure {
    /// Reports the failure and returns its exit code.
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
            Self::BrokenPipe => ExitCode::SUCCESS,
        }
    }
}

/// Prints a message on standard error.
pub(crate) fn complain(message: &str) {
    // If standard error can't be written, the exit code still reports the failure.
    let _ = writeln!(io::stderr(), "croupier: {message}");
}
