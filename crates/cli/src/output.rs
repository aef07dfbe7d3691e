//! Where answers go.

use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};

use crate::failure::Failure;

/// The standard output, written in large pieces.
pub(crate) struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    pub(crate) fn new() -> Self {
        Self(BufWriter::new(io::stdout().lock()))
    }

    pub(crate) fn print(&mut self, text: &str) -> Result<(), Failure> {
        self.0.write_all(text.as_bytes()).map_err(|error| failure(&error))
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.0.flush().map_err(|error| failure(&error))
    }
}

/// That nobody listens any more is no fault of anybody.
fn failure(error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::NobodyListens,
        _ => Failure::Answer(format!("the answer cannot be printed: {error}")),
    }
}
