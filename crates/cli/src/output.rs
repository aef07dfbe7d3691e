//! The program's output.

use std::ffi::OsStr;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};

use crate::failure::Failure;

/// Standard output, written in large chunks.
pub(crate) struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    pub(crate) fn new() -> Self {
        Self(BufWriter::new(io::stdout().lock()))
    }

    pub(crate) fn print(&mut self, text: &str) -> Result<(), Failure> {
        self.write(text.as_bytes())
    }

    /// Writes bytes that are not text.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.0.write_all(bytes).map_err(|error| failure(&error))
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.0.flush().map_err(|error| failure(&error))
    }

    /// Tells whether it is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.0.get_ref().is_terminal()
    }

    /// Tells whether output may be colored.
    #[expect(clippy::disallowed_methods, reason = "the shell reads the environment")]
    pub(crate) fn takes_colour(&self) -> bool {
        let [no_color, term] = ["NO_COLOR", "TERM"].map(std::env::var_os);
        is_coloured(self.is_terminal(), no_color.as_deref(), term.as_deref())
    }
}

/// Decides about color: only for a terminal that can show it, and only if `NO_COLOR` is off.
///
/// `NO_COLOR` counts if it is set and not empty, as <https://no-color.org> defines it.
fn is_coloured(terminal: bool, no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    terminal && no_color.is_none_or(OsStr::is_empty) && term.is_none_or(|term| term != "dumb")
}

/// A reader that has gone away is not an error.
fn failure(error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => Failure::Answer(format!("the output cannot be written: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn color_needs_a_capable_terminal_and_no_opt_out() {
        let is = |terminal, no_color: Option<&str>, term: Option<&str>| {
            is_coloured(terminal, no_color.map(OsStr::new), term.map(OsStr::new))
        };
        assert!(is(true, None, Some("xterm-256color")));
        assert!(is(true, None, None));
        assert!(is(true, Some(""), Some("xterm")));
        assert!(!is(true, Some("1"), Some("xterm")));
        assert!(!is(true, Some("0"), None));
        assert!(!is(true, None, Some("dumb")));
        assert!(!is(false, None, Some("xterm")));
    }
}
