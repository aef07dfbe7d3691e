//! Sees to it that every test which `docs/rulebook/clauses.md` names ran and passed:
//! `clauses PAGE LOG`, the log being what `cargo test` printed, both streams together.

#[path = "../tests/clauses/log.rs"]
mod log;
#[path = "../tests/clauses/page.rs"]
mod page;

use std::process::ExitCode;

#[expect(clippy::disallowed_methods, reason = "it reads the two files that it is told")]
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "it tells what it found")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [page, log] = &arguments[..] else {
        eprintln!("clauses: write the page and the log, as in: clauses clauses.md tests.log");
        return ExitCode::from(2);
    };
    let read = |path: &String| {
        std::fs::read_to_string(path).map_err(|error| vec![format!("{path}: {error}")])
    };
    match read(page).and_then(|page| check(&page, &read(log)?)) {
        Ok(told) => {
            println!("{told}");
            ExitCode::SUCCESS
        }
        Err(faults) => {
            eprintln!("clauses: {}", faults.join("\nclauses: "));
            ExitCode::FAILURE
        }
    }
}

/// Says how many clauses are held by how many tests, or what is wrong.
fn check(page: &str, log: &str) -> Result<String, Vec<String>> {
    let clauses = page::read(page)?;
    let mut faults = Vec::new();
    let mut named: Vec<page::Test<'_>> = Vec::new();
    for clause in &clauses {
        for test in log::not_passed(&clause.tests, log) {
            let page::Clause { document, section, name, .. } = clause;
            let page::Test { folder, file, function } = test;
            faults.push(format!(
                "{document}, {section} {name}: {folder}/{file}::{function} did not run and pass"
            ));
        }
        named.extend(&clause.tests);
    }
    let held = clauses.iter().filter(|clause| !clause.tests.is_empty()).count();
    named.sort();
    named.dedup();
    if named.is_empty() {
        faults.push("the page names no test at all".to_owned());
    }
    let told = format!(
        "{held} clauses are held by {} tests, and all of them ran; {} are about paper.",
        named.len(),
        clauses.len() - held
    );
    if faults.is_empty() { Ok(told) } else { Err(faults) }
}
