//! The page `docs/rulebook/clauses.md` is whole: every clause of the four documents is on it once,
//! and what is said to hold it is a test that exists. That each of them also ran is seen to by
//! `./check`, with the example `clauses`, from what `cargo test` printed.

#![expect(clippy::disallowed_methods, reason = "it reads the page, and the tests that it names")]

mod log;
mod page;

use std::path::{Path, PathBuf};

use page::{Clause, Test};

const PAGE: &str = include_str!("../../../../docs/rulebook/clauses.md");

/// How many clauses are about paper only. One more is a decision, and shows here.
const PAPER: usize = 15;

/// The clauses of the documents, section by section: numbered as they are, and by paragraph and
/// sentence or by the name of the row where they are not.
const DOCUMENTS: &str = include_str!("documents.txt");

fn clauses() -> Vec<Clause<'static>> {
    page::read(PAGE).unwrap_or_else(|faults| panic!("clauses.md:\n{}", faults.join("\n")))
}

/// Returns all tests that the page names, each once.
fn named() -> Vec<Test<'static>> {
    let mut named: Vec<Test<'_>> = clauses().into_iter().flat_map(|clause| clause.tests).collect();
    named.sort();
    named.dedup();
    named
}

/// Returns all clauses that there must be: document, section and name.
fn expected() -> Vec<(&'static str, &'static str, &'static str)> {
    let (mut document, mut section) = ("", "");
    let mut clauses = Vec::new();
    for line in DOCUMENTS.lines() {
        let names = match line.trim().split_once(": ") {
            _ if !line.starts_with(' ') => {
                document = line;
                continue;
            }
            Some((heading, names)) => {
                section = heading;
                names
            }
            // The section goes on.
            None => line.trim(),
        };
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        clauses.extend(names.map(|name| (document, section, name)));
    }
    clauses
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Tells what is wrong with a test in the text of its file, if anything is.
fn fault_in(text: &str, function: &str) -> Option<&'static str> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let start = format!("fn {function}(");
    let Some(at) = lines.iter().position(|line| line.starts_with(&start)) else {
        return Some("it is not there");
    };
    let above = lines[..at].iter().rev();
    let above: Vec<&&str> = above.take_while(|line| line.starts_with(['#', '/'])).collect();
    if !above.iter().any(|line| **line == "#[test]") {
        return Some("it is not a test");
    }
    above.iter().any(|line| line.starts_with("#[ignore")).then_some("it is ignored")
}

#[test]
fn every_clause_of_the_documents_is_there_once_and_in_order() {
    let expected = expected();
    let clauses = clauses();
    let found = clauses.iter().map(|clause| (clause.document, clause.section, clause.name));
    for (found, expected) in found.zip(&expected) {
        assert_eq!(&found, expected, "a clause is missing, or not where it should be");
    }
    assert_eq!(clauses.len(), expected.len());
    let paper = clauses.iter().filter(|clause| clause.tests.is_empty()).count();
    assert_eq!(paper, PAPER, "clauses about paper");
}

#[test]
fn every_test_that_a_clause_names_exists() {
    let mut faults = Vec::new();
    for Test { folder, file, function } in named() {
        let path = crates().join(folder).join(file);
        let fault = match std::fs::read_to_string(&path) {
            Ok(text) => fault_in(&text, function),
            Err(_) => Some("there is no such file"),
        };
        // The tests of other modules would be listed with the module's name.
        let nested = file.matches('/').count() > 1 && !file.ends_with("/main.rs");
        let nested = file.starts_with("tests/") && nested;
        let fault = fault.or(nested.then_some("it is not in tests/x.rs or tests/x/main.rs"));
        faults.extend(fault.map(|fault| format!("{folder}/{file}::{function}: {fault}")));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// A log names integration tests by file and function, without their crate.
#[test]
fn no_other_crate_has_a_test_of_the_same_file_and_name() {
    let folders = std::fs::read_dir(crates()).expect("the crates are there");
    let folders: Vec<_> = folders.map(|folder| folder.expect("a crate").file_name()).collect();
    for Test { folder, file, function } in named() {
        if file.starts_with("src/") {
            continue;
        }
        for other in folders.iter().filter(|other| other.to_str() != Some(folder)) {
            let text = std::fs::read_to_string(crates().join(other).join(file));
            let same = text.is_ok_and(|text| fault_in(&text, function).is_none());
            assert!(!same, "{file}::{function} is in {other:?}, too");
        }
    }
}

#[test]
fn a_test_that_is_gone_renamed_or_ignored_is_found() {
    let text = "#[test]\nfn good() {}\n\n/// Late.\n#[test]\n#[ignore = \"slow\"]\nfn late() {}\n\n\
                fn helper() {}\n";
    assert_eq!(fault_in(text, "good"), None);
    assert_eq!(fault_in(text, "late"), Some("it is ignored"));
    assert_eq!(fault_in(text, "helper"), Some("it is not a test"));
    assert_eq!(fault_in(text, "goo"), Some("it is not there"));
}

#[test]
fn a_row_that_names_nothing_or_is_there_twice_is_a_fault() {
    let row = |held: &str| format!("## A\n\n### B\n\n| 1 | It says. | {held} |\n");
    for (held, fault) in [
        ("", "line 5: \"1\" says nothing, or nothing holds it"),
        ("paper: ", "line 5: \"1\" has no reason"),
        ("to come", "line 5: to come is not `crate/file::name`"),
        ("`rules/rounds.rs::x`", "line 5: `rules/rounds.rs::x` is not `crate/file::name`"),
        ("`rules/tests/rounds.rs`", "line 5: `rules/tests/rounds.rs` is not `crate/file::name`"),
        ("`x` | more", "line 5: a row has three cells"),
    ] {
        assert_eq!(page::read(&row(held)), Err(vec![fault.to_owned()]));
    }
    let good = row("`rules/tests/rounds.rs::x`, `cards/src/five.rs::y`");
    assert_eq!(page::read(&good).map(|clauses| clauses[0].tests.len()), Ok(2));
    let twice = format!("{good}| 1 | Again. | paper: it is. |\n");
    assert_eq!(page::read(&twice), Err(vec!["line 6: A, B 1 again".to_owned()]));
}

#[test]
fn a_log_must_show_each_named_test_as_passed_in_its_own_binary() {
    let test = |folder, file, function| Test { folder, file, function };
    let rounds = test("rules", "tests/rounds.rs", "a_card");
    let unit = test("rules", "src/rotation.rs", "a_turn");
    let log = "     Running unittests src/lib.rs (target/debug/deps/croupier_rules-4071)\n\
               test rotation::tests::a_turn ... ok\n\
               \x20    Running tests/rounds.rs (target/debug/deps/rounds-86a5)\n\
               test a_card ... ok\n";
    assert_eq!(log::not_passed(&[rounds, unit], log), []);
    for changed in [
        log.replace("a_card ... ok", "a_card ... FAILED"),
        log.replace("a_card ... ok", "a_card ... ignored"),
        log.replace("test a_card", "test another_card"),
        log.replace("tests/rounds.rs", "tests/houses.rs"),
    ] {
        assert_eq!(log::not_passed(&[rounds, unit], &changed), [rounds], "{changed}");
    }
    let elsewhere = log.replace("croupier_rules-", "croupier_cards-");
    assert_eq!(log::not_passed(&[rounds, unit], &elsewhere), [unit]);
    // Nothing in the log, and nothing has run.
    assert_eq!(log::not_passed(&named(), ""), named());
    assert!(!named().is_empty());
}

#[test]
fn check_looks_into_the_log_of_the_tests() {
    let check = include_str!("../../../../check");
    let log = "target/check-tests.log";
    let keeps =
        check.lines().any(|line| line.contains("cargo test --workspace") && line.contains(log));
    let looks = check.lines().any(|line| {
        line.contains("examples/clauses")
            && line.contains("docs/rulebook/clauses.md")
            && line.contains(log)
    });
    assert!(keeps && looks, "./check must keep the log of the tests and look into it");
}
