//! Sees to it that every test which `docs/rulebook/clauses.md` names ran and passed:
//! `clauses PAGE CARGO WEB`. The logs are what `cargo test` and the tests of the page printed, both
//! streams together.

#[path = "../tests/clauses/log.rs"]
mod log;
#[path = "../tests/clauses/page.rs"]
mod page;

use std::process::ExitCode;

#[expect(clippy::disallowed_methods, reason = "it reads the three files that it is told")]
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "it tells what it found")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [page, cargo, web] = &arguments[..] else {
        eprintln!(
            "clauses: write the page and the logs, as in: clauses clauses.md tests.log page.log"
        );
        return ExitCode::from(2);
    };
    let read = |path: &String| {
        std::fs::read_to_string(path).map_err(|error| vec![format!("{path}: {error}")])
    };
    match read(page).and_then(|page| check(&page, &read(cargo)?, &read(web)?)) {
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
fn check(page: &str, cargo: &str, web: &str) -> Result<String, Vec<String>> {
    let clauses = page::read(page)?;
    let mut faults = Vec::new();
    let mut named: Vec<page::Test<'_>> = Vec::new();
    for clause in &clauses {
        for test in log::not_passed(&clause.tests, cargo, web) {
            let page::Clause { document, section, name, .. } = clause;
            faults.push(format!("{document}, {section} {name}: {test} did not run and pass"));
        }
        named.extend(&clause.tests);
    }
    let quotes = clauses.iter().map(|clause| clause.quotes.len()).sum::<usize>();
    let departs = clauses.iter().filter(|clause| clause.departs).count();
    let held = clauses.iter().filter(|clause| !clause.tests.is_empty()).count();
    named.sort();
    named.dedup();
    if named.is_empty() {
        faults.push("the page names no test at all".to_owned());
    }
    let told = format!(
        "{held} clauses are held by {} tests, which all ran, and shown by {quotes} quotes; \
         {departs} are departures; {} are about paper.",
        named.len(),
        clauses.len() - held
    );
    if faults.is_empty() { Ok(told) } else { Err(faults) }
}
