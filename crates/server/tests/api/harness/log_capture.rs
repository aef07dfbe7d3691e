//! Captures the server's log.

use std::fmt::{Debug, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

static LINES: Mutex<Vec<(Level, String)>> = Mutex::new(Vec::new());
static EXPECTED: Mutex<Vec<String>> = Mutex::new(Vec::new());
static PANICS: AtomicU64 = AtomicU64::new(0);

/// Captures log lines of every level, and every panic on any thread.
pub(crate) struct LogCapture;

impl LogCapture {
    /// Starts the capture, once per process.
    pub(crate) fn start() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            tracing::subscriber::set_global_default(Self).expect("no other subscriber is set");
            let print_panic = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                // A failing test panics on its own thread.
                let thread = std::thread::current();
                if thread.name().is_some_and(|name| name.starts_with("tokio")) {
                    PANICS.fetch_add(1, Ordering::SeqCst);
                }
                print_panic(panic);
            }));
        });
    }

    /// Expects errors that mention data which a test has damaged.
    pub(crate) fn expect_errors_about(name: &str) {
        EXPECTED.lock().unwrap_or_else(PoisonError::into_inner).push(name.to_owned());
    }

    /// Returns everything logged so far, one line each.
    pub(crate) fn text() -> String {
        let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Asserts that nothing went wrong in the server, whatever it was sent.
    #[track_caller]
    pub(crate) fn assert_no_errors() {
        let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
        let expected = EXPECTED.lock().unwrap_or_else(PoisonError::into_inner);
        let is_error = |(level, line): &&(Level, String)| {
            *level == Level::ERROR && !expected.iter().any(|name| line.contains(name))
        };
        let errors: Vec<_> = lines.iter().filter(is_error).collect();
        assert!(errors.is_empty(), "{errors:?}");
        drop(lines);
        assert_eq!(PANICS.load(Ordering::SeqCst), 0, "something panicked");
    }
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {}={value:?}", field.name()).expect("a string");
    }
}

impl Subscriber for LogCapture {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut line = Line(span.metadata().name().to_owned());
        span.record(&mut line);
        keep(*span.metadata().level(), line);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        let mut line = Line(String::new());
        values.record(&mut line);
        keep(Level::TRACE, line);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().target().to_owned());
        event.record(&mut line);
        keep(*event.metadata().level(), line);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

fn keep(level: Level, line: Line) {
    LINES.lock().unwrap_or_else(PoisonError::into_inner).push((level, line.0));
}
