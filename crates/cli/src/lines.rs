//! Files whose lines are processed one by one.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use serde::de::IgnoredAny;

use crate::commands::threads;
use crate::failure::{Failure, complain};
use crate::output::Output;

/// A line that is not blank.
pub(crate) struct Line {
    pub(crate) number: usize,
    pub(crate) text: Vec<u8>,
}

/// The result for one line.
pub(crate) struct Answer<T = ()> {
    /// Notes to show with the answer.
    pub(crate) notes: Vec<String>,
    /// The answer, or the error.
    pub(crate) said: Result<String, String>,
    /// Whether the answer reports a failure.
    pub(crate) bad: bool,
    /// The finding, for a caller that looks at all lines together.
    pub(crate) found: T,
}

/// Answers every line of a file, or of standard input for `-`, in order and on all cores. Each core
/// calls `answerer` to make its own closure. A bad line is reported, and the others continue.
/// `look` sees each answer before it is printed.
///
/// Errors and notes are shown with every invisible character escaped: a file must not be able to
/// forge a line of output, or to control the terminal. Answers do their own escaping.
pub(crate) fn answer_lines<T: Send, A: FnMut(&Line) -> Answer<T>>(
    file: &str,
    output: &mut Output,
    answerer: impl Fn() -> A + Sync,
    mut look: impl FnMut(&mut Answer<T>),
) -> Result<(), Failure> {
    let (mut failed, mut strange, mut known) = (false, 0, false);
    for_each_batch(open(file)?, file, |lines| {
        for (line, mut answer) in lines.iter().zip(answers(lines, &answerer)) {
            look(&mut answer);
            let bad = answer.bad || answer.said.is_err();
            if !answer.notes.is_empty() {
                output.flush()?;
            }
            for note in &answer.notes {
                complain(&visible(note));
            }
            failed |= bad;
            match answer.said {
                Ok(text) => output.print(&text)?,
                Err(error) => {
                    output.flush()?;
                    complain(&visible(&error));
                }
            }
            known = known || !bad || is_object(&line.text);
            strange += usize::from(!known);
            if strange == STRANGE_LINES {
                output.flush()?;
                return Err(Failure::Answer(format!(
                    "{}: none of the first {strange} lines is a round; not a file of rounds",
                    called(file)
                )));
            }
        }
        output.flush()
    })?;
    if failed { Err(Failure::Said) } else { Ok(()) }
}

/// This many lines at the start of a file without a single object are enough.
const STRANGE_LINES: usize = 20;

/// Returns the name of a file for messages.
pub(crate) fn called(file: &str) -> &str {
    if file == "-" { "standard input" } else { file }
}

/// Escapes invisible characters, and replaces newlines.
pub(crate) fn visible(text: &str) -> String {
    let one_line = text.replace('\n', "; ");
    // Quotes are harmless.
    one_line.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'")
}

/// Fewer lines than this are not worth a thread.
const LINES_FOR_A_THREAD: usize = 64;

#[expect(clippy::disallowed_methods, reason = "the shell decides what runs where")]
fn answers<T: Send, A: FnMut(&Line) -> Answer<T>>(
    lines: &[Line],
    answerer: &(impl Fn() -> A + Sync),
) -> Vec<Answer<T>> {
    let threads = threads().get().min(lines.len().div_ceil(LINES_FOR_A_THREAD));
    let answer = |lines: &[Line]| -> Vec<Answer<T>> { lines.iter().map(answerer()).collect() };
    if threads < 2 {
        return answer(lines);
    }
    let answer = &answer;
    std::thread::scope(|scope| {
        let parts = lines.chunks(lines.len().div_ceil(threads));
        let parts: Vec<_> = parts.map(|part| scope.spawn(move || answer(part))).collect();
        let joined = parts.into_iter().map(|part| match part.join() {
            Ok(answers) => answers,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.flatten().collect()
    })
}

/// A reader with a buffer large enough to keep several cores busy.
type Input = BufReader<Box<dyn Read>>;

fn buffered(input: impl Read + 'static) -> Input {
    BufReader::with_capacity(1 << 20, Box::new(input))
}

#[expect(clippy::disallowed_methods, reason = "this is the shell that reads files")]
fn open(file: &str) -> Result<Input, Failure> {
    if file == "-" {
        return Ok(buffered(io::stdin()));
    }
    match File::open(file) {
        Ok(opened) => Ok(buffered(opened)),
        Err(error) => Err(Failure::Usage(format!("{file} cannot be read: {error}"))),
    }
}

/// Calls `each` with all lines available so far, again and again, so that a program that writes
/// lines one by one is answered one by one. If the first record does not end on its line and the
/// whole input is one object, it is that record; only then is the input kept in memory as a whole.
fn for_each_batch(
    mut input: Input,
    file: &str,
    mut each: impl FnMut(&[Line]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let unreadable = |error: io::Error| Failure::Usage(format!("{file} cannot be read: {error}"));
    let (mut number, mut first, mut batch) = (0, true, Vec::new());
    loop {
        let mut text = Vec::new();
        if input.read_until(b'\n', &mut text).map_err(unreadable)? == 0 {
            return each(&batch);
        }
        number += 1;
        if number == 1 && text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len());
        }
        if !text.trim_ascii().is_empty() {
            if std::mem::take(&mut first) && is_unfinished(&text) {
                let end = text.len();
                input.read_to_end(&mut text).map_err(unreadable)?;
                if !is_object(&text) {
                    // The first line was cut off; the others stand alone.
                    input = buffered(io::Cursor::new(text.split_off(end)));
                }
            }
            batch.push(Line { number, text });
        }
        if !input.buffer().contains(&b'\n') {
            each(&batch)?;
            batch.clear();
        }
    }
}

/// The mark that some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Tells whether a line is JSON that continues on the next line.
fn is_unfinished(line: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(line).is_err_and(|error| error.is_eof())
}

/// Tells whether a text is one JSON object.
fn is_object(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_escaped() {
        assert_eq!(visible("say \"é\", 'Gru\u{308}n'"), "say \"é\", 'Gru\u{308}n'");
        assert_eq!(visible("\u{1b}[2J\u{9b}\r\t"), "\\u{1b}[2J\\u{9b}\\r\\t");
        assert_eq!(visible("a\u{202e}b\u{200b}\u{2028}"), "a\\u{202e}b\\u{200b}\\u{2028}");
        assert_eq!(visible("one\ntwo"), "one; two");
        assert_eq!(visible("\\u{1b}"), "\\\\u{1b}");
    }
}
