//! Files of which every line is answered by itself.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use serde::de::IgnoredAny;

use crate::commands::threads;
use crate::failure::{Failure, complain};
use crate::output::Output;

/// A line that has something on it.
pub(crate) struct Line {
    pub(crate) number: usize,
    pub(crate) text: Vec<u8>,
}

/// What there is to say of a line.
pub(crate) struct Answer {
    /// What is worth a word beside the answer.
    pub(crate) notes: Vec<String>,
    /// What is answered, or what is wrong.
    pub(crate) said: Result<String, String>,
    /// Whether the answer is that something is wrong.
    pub(crate) bad: bool,
}

/// Answers every line of a file, or of the standard input if it is `-`, in their order and on all
/// cores. Each of them makes somebody who answers by calling `somebody`. A bad line is reported,
/// and the others go on.
pub(crate) fn answer_lines<A: FnMut(&Line) -> Answer>(
    file: &str,
    output: &mut Output,
    somebody: impl Fn() -> A + Sync,
) -> Result<(), Failure> {
    let mut failed = false;
    for_each_batch(open(file)?, file, |lines| {
        for answer in answers(lines, &somebody) {
            for note in &answer.notes {
                complain(note);
            }
            failed |= answer.bad || answer.said.is_err();
            match answer.said {
                Ok(text) => output.print(&text)?,
                Err(error) => {
                    output.flush()?;
                    complain(&error);
                }
            }
        }
        output.flush()
    })?;
    if failed { Err(Failure::Said) } else { Ok(()) }
}

/// Fewer lines than this are not worth a thread.
const LINES_FOR_A_THREAD: usize = 64;

#[expect(clippy::disallowed_methods, reason = "the shell decides what runs where")]
fn answers<A: FnMut(&Line) -> Answer>(
    lines: &[Line],
    somebody: &(impl Fn() -> A + Sync),
) -> Vec<Answer> {
    let threads = threads().get().min(lines.len().div_ceil(LINES_FOR_A_THREAD));
    let answer = |lines: &[Line]| -> Vec<Answer> { lines.iter().map(somebody()).collect() };
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

/// Something to read from, in pieces large enough to keep several cores busy.
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

/// Calls `each` with all lines that are there to be read, again and again, so that whoever writes
/// lines one by one is answered one by one. If the first record does not end on its line and the
/// whole input is one object, it is that record; only then is it kept in memory as a whole.
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
                    // A line was cut off, and the others stand alone.
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

/// What some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Tells whether a line is JSON that goes on.
fn is_unfinished(line: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(line).is_err_and(|error| error.is_eof())
}

/// Tells whether a text is one JSON object.
fn is_object(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(text).is_ok()
}
