//! What `cargo test` printed, searched for the tests that ran and passed.

use std::collections::BTreeSet;

use crate::page::Test;

/// Returns those of the tests that the log does not show as passed.
pub(crate) fn not_passed<'a>(tests: &[Test<'a>], log: &str) -> Vec<Test<'a>> {
    let passed = passed(log);
    let shown = |test: &Test<'_>| passed.contains(&(binary_of(test), name_of(test)));
    tests.iter().copied().filter(|test| !shown(test)).collect()
}

/// Returns the tests that passed, each with the binary it is in: the file of an integration test,
/// or the crate whose own tests it is among.
fn passed(log: &str) -> BTreeSet<(String, String)> {
    let mut binary = None;
    let mut passed = BTreeSet::new();
    for line in log.lines().map(str::trim) {
        if let Some(running) = line.strip_prefix("Running ") {
            binary = running_binary(running);
        } else if line.starts_with("Doc-tests ") {
            binary = None;
        }
        let name = line.strip_prefix("test ").and_then(|line| line.strip_suffix(" ... ok"));
        if let (Some(binary), Some(name)) = (&binary, name) {
            let name = name.strip_suffix(" - should panic").unwrap_or(name);
            passed.insert((binary.clone(), name.to_owned()));
        }
    }
    passed
}

/// Reads `tests/rounds.rs (target/debug/deps/rounds-86a5)`, or with `unittests` before it.
fn running_binary(text: &str) -> Option<String> {
    let (file, path) = text.split_once(" (")?;
    if !file.starts_with("unittests ") {
        return Some(file.to_owned());
    }
    let binary = path.rsplit(['/', '\\']).next()?;
    Some(binary.rsplit_once('-')?.0.to_owned())
}

fn binary_of(test: &Test<'_>) -> String {
    match (test.file.starts_with("tests/"), test.folder) {
        (true, _) => test.file.to_owned(),
        (false, "cli") => "croupier".to_owned(),
        (false, folder) => format!("croupier_{folder}"),
    }
}

/// Returns the name by which a test is listed: within a crate, that of its module is before it.
fn name_of(test: &Test<'_>) -> String {
    let module = test.file.strip_prefix("src/").and_then(|file| file.strip_suffix(".rs"));
    match module {
        None => test.function.to_owned(),
        Some("lib" | "main") => format!("tests::{}", test.function),
        Some(module) => format!("{}::tests::{}", module.replace('/', "::"), test.function),
    }
}
