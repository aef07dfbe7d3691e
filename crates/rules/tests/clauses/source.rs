//! Finds the tests in a test file, and the lines that belong to each.

/// A test in its file.
struct Found {
    /// The function, or the title in parts: the text between its placeholders.
    name: Vec<String>,
    skipped: bool,
    /// Its lines, from the first that names it to its end.
    lines: std::ops::Range<usize>,
}

impl Found {
    /// Returns whether a name is this test's. Placeholders in a title match any text: the log shows
    /// which titles actually ran.
    fn is(&self, name: &str) -> bool {
        let [first, between @ ..] = &self.name[..] else { return false };
        let Some(mut rest) = name.strip_prefix(first.as_str()) else { return false };
        let Some((last, between)) = between.split_last() else { return rest.is_empty() };
        for part in between {
            match rest.split_once(part.as_str()) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
        rest.ends_with(last.as_str())
    }
}

/// Returns the fault of a test in the text of its file, if it has one.
pub(crate) fn fault_in(file: &str, text: &str, name: &str) -> Option<&'static str> {
    match tests_in(file, text).iter().find(|found| found.is(name)) {
        Some(found) => found.skipped.then_some("it is ignored"),
        None if text.contains(&format!("fn {name}(")) => Some("it is not a test"),
        None => Some("it does not exist"),
    }
}

/// Returns the text of a file without the tests that have other names than these.
pub(crate) fn without_others(file: &str, text: &str, names: &[&str]) -> String {
    let mut others = tests_in(file, text);
    others.retain(|found| !names.iter().any(|name| found.is(name)));
    let is_kept = |at: usize| !others.iter().any(|found| found.lines.contains(&at));
    let lines = text.split_inclusive('\n').enumerate();
    lines.filter(|(at, _)| is_kept(*at)).map(|(_, line)| line).collect()
}

fn tests_in(file: &str, text: &str) -> Vec<Found> {
    let lines: Vec<&str> = text.lines().collect();
    let read = if file.strip_suffix(".js").is_some() { on_the_page } else { in_rust };
    (0..lines.len()).filter_map(|at| read(&lines, at)).collect()
}

/// Reads a Rust test: a function with `#[test]` or `#[tokio::test]` right above it.
fn in_rust(lines: &[&str], at: usize) -> Option<Found> {
    let line = lines[at].trim_start();
    let name = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ")?.split_once('(')?.0;
    let above = lines[..at].iter().rev().map(|line| line.trim_start());
    let above: Vec<&str> = above.take_while(|line| line.starts_with(['#', '/'])).collect();
    let is_test = |line: &&str| *line == "#[test]" || line.starts_with("#[tokio::test");
    above.iter().any(is_test).then(|| Found {
        name: vec![name.to_owned()],
        skipped: above.iter().any(|line| line.starts_with("#[ignore")),
        lines: at..end(lines, at, "}"),
    })
}

/// Reads a page test: `test("title", …)`, or `it` instead of `test`.
fn on_the_page(lines: &[&str], at: usize) -> Option<Found> {
    let line = lines[at].trim_start();
    let line = line.strip_prefix("here.").unwrap_or(line);
    let line = ["test", "it"].iter().find_map(|call| line.strip_prefix(call))?;
    let (mark, line) = line.split_once('(')?;
    let quote = line.chars().next().filter(|quote| ['"', '\'', '`'].contains(quote))?;
    let (mut name, mut escaped, mut length) = (String::new(), false, None);
    for (at, letter) in line.char_indices().skip(1) {
        match letter {
            '\\' if !escaped => escaped = true,
            _ if letter == quote && !escaped => {
                length = Some(at);
                break;
            }
            _ => {
                name.push(letter);
                escaped = false;
            }
        }
    }
    let rest = &line[length?..];
    let mut parts = name.split("${");
    let mut name = vec![parts.next().unwrap_or_default().to_owned()];
    name.extend(parts.map(|part| part.split_once('}').map_or("", |(_, after)| after).to_owned()));
    let skipped =
        [".skip", ".todo"].contains(&mark) || rest.contains("skip:") || rest.contains("todo:");
    (skipped || mark.is_empty()).then(|| Found { name, skipped, lines: at..end(lines, at, "});") })
}

/// Returns the line after a block that starts at a line. The block's end has the same indentation
/// as its start, or is on the same line.
fn end(lines: &[&str], start: usize, with: &str) -> usize {
    if lines[start].ends_with(with) {
        return start + 1;
    }
    let indent = lines[start].len() - lines[start].trim_start().len();
    let ends = |line: &&str| {
        line.len() >= indent && line[..indent].trim().is_empty() && &line[indent..] == with
    };
    lines[start..].iter().position(ends).map_or(lines.len(), |length| start + length + 1)
}
