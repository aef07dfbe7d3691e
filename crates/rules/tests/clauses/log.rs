//! Finds the tests that ran and passed in the output of the test runs.

use std::collections::BTreeSet;

use crate::page::Test;

/// Returns the tests that the logs do not show as passed. The logs are that of `cargo test`, and
/// that of the page tests.
pub(crate) fn not_passed<'a>(tests: &[Test<'a>], cargo: &str, page: &str) -> Vec<Test<'a>> {
    let (cargo, page) = (passed(cargo), passed_on_the_page(page));
    let shown = |test: &Test<'_>| {
        if test.is_of_the_page() {
            page.contains(test.name)
        } else {
            cargo.contains(&(binary_of(test), name_of(test)))
        }
    };
    tests.iter().copied().filter(|test| !shown(test)).collect()
}

/// Returns the tests that passed, each with its binary: the file of an integration test, or the
/// crate of a unit test.
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

/// Returns the titles of the page tests that passed and never failed.
fn passed_on_the_page(log: &str) -> BTreeSet<String> {
    let titles = |mark: &str| -> BTreeSet<String> {
        let lines = log.lines().map(plain);
        let titles = lines.filter_map(|line| Some(title(line.trim().strip_prefix(mark)?)?.into()));
        titles.collect()
    };
    let failed = titles("✖ ");
    titles("✔ ").into_iter().filter(|title| !failed.contains(title)).collect()
}

/// Reads `a title (1.5ms)`. A skipped test is marked after the time, and yields no title.
fn title(line: &str) -> Option<&str> {
    let (title, time) = line.rsplit_once(" (")?;
    time.strip_suffix("ms)")?.parse::<f64>().is_ok().then_some(title)
}

/// Returns a line without its colors.
fn plain(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or(part, |(_, text)| text));
    }
    plain
}

/// Reads `tests/rounds.rs (target/debug/deps/rounds-86a5)`, possibly after `unittests`.
fn running_binary(text: &str) -> Option<String> {
    let (file, path) = text.split_once(" (")?;
    if !file.starts_with("unittests ") {
        return Some(file.to_owned());
    }
    let binary = path.rsplit(['/', '\\']).next()?;
    Some(binary.rsplit_once('-')?.0.to_owned())
}

/// Returns the folder and the module of a test in `tests/folder/module.rs`.
fn nested<'a>(test: &Test<'a>) -> Option<(&'a str, &'a str)> {
    let (folder, module) = test.file.strip_prefix("tests/")?.split_once('/')?;
    (module != "main.rs").then_some((folder, module))
}

fn binary_of(test: &Test<'_>) -> String {
    if let Some((folder, _)) = nested(test) {
        return format!("tests/{folder}/main.rs");
    }
    match (test.file.starts_with("tests/"), test.folder) {
        (true, _) => test.file.to_owned(),
        (false, "cli") => "croupier".to_owned(),
        (false, folder) => format!("croupier_{folder}"),
    }
}

/// Returns the name of a test in the log, which starts with its module.
fn name_of(test: &Test<'_>) -> String {
    let own = test.file.strip_prefix("src/");
    let Some(file) = nested(test).map(|(_, module)| module).or(own) else {
        return test.name.to_owned();
    };
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let mut modules: Vec<&str> = path.split('/').filter(|&module| module != "mod").collect();
    if own.is_some() {
        if let ["lib" | "main"] = modules[..] {
            modules.clear();
        }
        // Unit tests are in a module `tests`, which may have its own file.
        if !modules.contains(&"tests") {
            modules.push("tests");
        }
    }
    modules.push(test.name);
    modules.join("::")
}
