//! How a command fails, and what the shell is told.

use std::process::ExitCode;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command was called with something that it cannot take. Exit code 2.
    Usage(String),
    /// What was asked for turned out wrong. Exit code 1.
    Answer(String),
}

impl Failure {
    /// Says what went wrong, and returns the exit code for it.
    #[expect(clippy::print_stderr, reason = "this is where the program complains")]
    pub(crate) fn report(&self) -> ExitCode {
        let (Self::Usage(message) | Self::Answer(message)) = self;
        eprintln!("croupier: {message}");
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::Answer(_) => ExitCode::FAILURE,
        }
    }
}
