//! The page `docs/rulebook/clauses.md` is complete: every clause of the four documents appears
//! once, the tests it names exist, and its quotes are in them. `./check` also verifies that each
//! test ran, with the example `clauses`, from the output of the tests.

#![expect(clippy::disallowed_methods, reason = "it reads the page and the tests it names")]

mod log;
mod page;
mod source;

use std::path::{Path, PathBuf};

use page::{Clause, Test};
use source::{fault_in, without_others};

const PAGE: &str = include_str!("../../../../docs/rulebook/clauses.md");

/// The number of clauses that are only about paper. Adding another is a decision, and changes this.
const PAPER: usize = 14;

/// The number of rows in which Croupier departs from a document.
const DEPARTURES: usize = 8;

/// The clauses of the documents, section by section: by their numbers, or by paragraph and sentence
/// or the name of the row where they have none.
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

/// Returns all required clauses: document, section and name.
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
            // The section continues.
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

/// Returns the path of a test's file, which may not exist.
fn path_of(test: &Test<'_>) -> PathBuf {
    let root = if test.is_of_the_page() { crates().join("..") } else { crates() };
    root.join(test.folder).join(test.file)
}

/// Returns the texts in which a clause's quotes may be: each file without the tests that the clause
/// does not name, and the transcripts it is compared with.
fn texts(clause: &Clause<'_>) -> Vec<String> {
    let mut texts = Vec::new();
    for test in &clause.tests {
        let path = path_of(test);
        let same = clause.tests.iter().filter(|other| path_of(other) == path);
        let names: Vec<&str> = same.map(|other| other.name).collect();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        texts.push(without_others(test.file, &text, &names));
        let golden = std::fs::read_dir(path.with_file_name("golden"));
        let golden = golden.into_iter().flatten().map(|file| file.expect("a file").path());
        let golden = golden.filter(|file| file.extension().is_some_and(|end| end == "txt"));
        texts.extend(golden.map(|file| std::fs::read_to_string(file).expect("a transcript")));
    }
    texts
}

#[test]
fn every_clause_of_the_documents_appears_once_and_in_order() {
    let expected = expected();
    let clauses = clauses();
    let found = clauses.iter().map(|clause| (clause.document, clause.section, clause.name));
    for (found, expected) in found.zip(&expected) {
        assert_eq!(&found, expected, "a clause is missing or out of order");
    }
    assert_eq!(clauses.len(), expected.len());
    let paper = clauses.iter().filter(|clause| clause.tests.is_empty()).count();
    assert_eq!(paper, PAPER, "clauses about paper");
    let departures = clauses.iter().filter(|clause| clause.departs).count();
    assert_eq!(departures, DEPARTURES, "clauses from which Croupier departs");
}

#[test]
fn every_test_that_a_clause_names_exists() {
    let mut faults = Vec::new();
    for test in named() {
        let fault = match std::fs::read_to_string(path_of(&test)) {
            Ok(text) => fault_in(test.file, &text, test.name),
            Err(_) => Some("its file does not exist"),
        };
        faults.extend(fault.map(|fault| format!("{test}: {fault}")));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_quote_of_a_clause_is_in_its_tests_or_their_transcripts() {
    let mut faults = Vec::new();
    for clause in clauses() {
        let texts = texts(&clause);
        let Clause { document, section, name, quotes, .. } = &clause;
        for quote in quotes.iter().filter(|quote| !texts.iter().any(|text| text.contains(*quote))) {
            faults.push(format!("{document}, {section} {name}: `{quote}` is not in its tests"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// A log names an integration test by file and function, without its crate.
#[test]
fn no_other_crate_has_a_test_of_the_same_file_and_name() {
    let folders = std::fs::read_dir(crates()).expect("the folder of crates");
    let folders: Vec<_> = folders.map(|folder| folder.expect("a crate").file_name()).collect();
    for test @ Test { folder, file, name } in named() {
        if file.starts_with("src/") || test.is_of_the_page() {
            continue;
        }
        for other in folders.iter().filter(|other| other.to_str() != Some(folder)) {
            let text = std::fs::read_to_string(crates().join(other).join(file));
            let same = text.is_ok_and(|text| fault_in(file, &text, name).is_none());
            assert!(!same, "{file}::{name} is also in {other:?}");
        }
    }
}

/// A log names a page test by its title, without its file.
#[test]
fn no_other_file_of_the_page_has_a_test_of_the_same_title() {
    let tests = crates().join("../web/tests");
    let files = [tests.clone(), tests.join("browser")].into_iter().flat_map(|folder| {
        let files = std::fs::read_dir(folder).expect("the folder of page tests");
        files.map(|file| file.expect("a file").path())
    });
    let files: Vec<PathBuf> =
        files.filter(|file| file.to_str().is_some_and(|name| name.ends_with(".test.js"))).collect();
    for test in named().into_iter().filter(Test::is_of_the_page) {
        let with_it = files.iter().filter(|file| {
            let text = std::fs::read_to_string(file).expect("a test file");
            fault_in(test.file, &text, test.name) != Some("it does not exist")
        });
        assert_eq!(with_it.count(), 1, "files with a test {:?}", test.name);
    }
}

#[test]
fn a_missing_renamed_or_ignored_test_is_reported() {
    let text = "#[test]\nfn good() {}\n\n/// Late.\n#[test]\n#[ignore = \"slow\"]\nfn late() {}\n\n\
                fn helper() {}\n\n\
                #[tokio::test(flavor = \"multi_thread\")]\nasync fn served() {}\n";
    let fault = |name| fault_in("tests/x.rs", text, name);
    assert_eq!(fault("good"), None);
    assert_eq!(fault("served"), None);
    assert_eq!(fault("late"), Some("it is ignored"));
    assert_eq!(fault("helper"), Some("it is not a test"));
    assert_eq!(fault("goo"), Some("it does not exist"));
}

#[test]
fn a_test_of_the_page_is_found_by_its_title() {
    let text = "test(\"it says \\\"yes\\\"\", () => {\n});\n\
                browserTests(\"felts\", (here) => {\n\
                \x20 here.it(`of ${house.id} shows it on ${screen}, always`, async () => {\n  });\n\
                \x20 here.it(\"has a call\", async () => {\n  });\n\
                \x20 it.skip(\"comes late\", async () => {\n  });\n\
                \x20 it(\"is slow\", { skip: true }, async () => {\n  });\n});\n";
    let fault = |title| fault_in("tests/x.test.js", text, title);
    assert_eq!(fault("it says \"yes\""), None);
    assert_eq!(fault("of uth-standard shows it on a phone, always"), None);
    assert_eq!(fault("has a call"), None);
    assert_eq!(fault("comes late"), Some("it is ignored"));
    assert_eq!(fault("is slow"), Some("it is ignored"));
    for other in
        ["felts", "has a cal", "a call", "of uth-standard shows it", "shows it on , always"]
    {
        assert_eq!(fault(other), Some("it does not exist"), "{other}");
    }
}

#[test]
fn a_quote_from_another_test_does_not_count() {
    let rust = "fn helper() {\n    \"for both\";\n}\n\n\
                #[test]\nfn one() {\n    \"the first\";\n}\n\n\
                #[test]\nfn two() {\n    \"the second\";\n}\n";
    let page = "const BOTH = \"for both\";\n\ntest(\"one\", () => {\n  \"the first\";\n});\n\
                test(\"two\", () => {\n  \"the second\";\n});\n";
    for (file, text) in [("tests/x.rs", rust), ("tests/x.test.js", page)] {
        let kept = without_others(file, text, &["one"]);
        assert!(kept.contains("for both") && kept.contains("the first"), "{kept}");
        assert!(!kept.contains("the second"), "{kept}");
        assert_eq!(without_others(file, text, &["one", "two"]), text);
    }
}

#[test]
fn a_row_without_a_test_or_a_quote_and_a_repeated_row_are_faults() {
    let row = |cells: &str| format!("## A\n\n### B\n\n| 1 | It says. | {cells} |\n");
    for (cells, fault) in [
        (" | `a = 1;;;`", "line 5: \"1\" has no text or no test"),
        ("paper: | –", "line 5: \"1\" has no reason"),
        ("paper: it is. | `let a = 1`", "line 5: \"1\" is about paper, so it quotes no test"),
        ("to come | –", "line 5: to come is not `crate/file::name`"),
        ("`rules/rounds.rs::x` | –", "line 5: `rules/rounds.rs::x` is not `crate/file::name`"),
        ("`rules/tests/a.rs` | –", "line 5: `rules/tests/a.rs` is not `crate/file::name`"),
        ("`web/tests/a.js::x` | –", "line 5: `web/tests/a.js::x` is not `crate/file::name`"),
        (
            "`rules/tests/a.rs::x y` | –",
            "line 5: `rules/tests/a.rs::x y` is not `crate/file::name`",
        ),
        ("`rules/tests/a.rs::x` | –", "line 5: \"1\" has no quote"),
        ("`rules/tests/a.rs::x` | words", "line 5: \"1\" has no quote"),
        ("`rules/tests/a.rs::x` | `let a`", "line 5: \"1\" quotes \"let a\", which is too short"),
        ("`rules/tests/a.rs::x` | `let a = 1", "line 5: \"1\" has an unclosed quote"),
        ("`rules/tests/a.rs::x`", "line 5: a row has four cells"),
        ("`x` | more | and more", "line 5: a row has four cells"),
    ] {
        assert_eq!(page::read(&row(cells)), Err(vec![fault.to_owned()]));
    }
    let good = row(
        "`rules/tests/rounds.rs::x`, `web/tests/a.test.js::y, always` | `a \\|\\| b == 1` twice",
    );
    let clauses = page::read(&good).expect("a good row");
    let names: Vec<&str> = clauses[0].tests.iter().map(|test| test.name).collect();
    assert_eq!(
        (names, &clauses[0].quotes[..]),
        (vec!["x", "y, always"], &["a || b == 1".to_owned()][..])
    );
    let twice = format!("{good}| 1 | Again. | paper: it is. | – |\n");
    assert_eq!(page::read(&twice), Err(vec!["line 6: A, B 1 appears twice".to_owned()]));
}

#[test]
fn a_log_must_show_each_named_test_as_passed_in_its_own_binary() {
    let test = |folder, file, name| Test { folder, file, name };
    let rounds = test("rules", "tests/rounds.rs", "a_card");
    let unit = test("rules", "src/rotation.rs", "a_turn");
    let api = test("server", "tests/api/tables.rs", "a_table");
    let deep = test("server", "src/analysis/tests.rs", "an_answer");
    let all = [rounds, unit, api, deep];
    let log = "     Running unittests src/lib.rs (target/debug/deps/croupier_rules-4071)\n\
               test rotation::tests::a_turn ... ok\n\
               \x20    Running tests/rounds.rs (target/debug/deps/rounds-86a5)\n\
               test a_card ... ok\n\
               \x20    Running unittests src/lib.rs (target/debug/deps/croupier_server-4071)\n\
               test analysis::tests::an_answer ... ok\n\
               \x20    Running tests/api/main.rs (target/debug/deps/api-86a5)\n\
               test tables::a_table ... ok\n";
    assert_eq!(log::not_passed(&all, log, ""), []);
    for changed in [
        log.replace("a_card ... ok", "a_card ... FAILED"),
        log.replace("a_card ... ok", "a_card ... ignored"),
        log.replace("test a_card", "test another_card"),
        log.replace("tests/rounds.rs", "tests/houses.rs"),
    ] {
        assert_eq!(log::not_passed(&all, &changed, ""), [rounds], "{changed}");
    }
    let elsewhere = log.replace("croupier_rules-", "croupier_cards-");
    assert_eq!(log::not_passed(&all, &elsewhere, ""), [unit]);
    assert_eq!(log::not_passed(&all, &log.replace("tables::", "door::"), ""), [api]);
    assert_eq!(log::not_passed(&all, &log.replace("analysis::", ""), ""), [deep]);
    // With empty logs, no test has passed.
    assert_eq!(log::not_passed(&named(), "", ""), named());
    assert!(!named().is_empty());
}

#[test]
fn a_log_must_show_each_named_test_of_the_page_as_passed() {
    let test = |name| Test { folder: "web", file: "tests/browser/felt.test.js", name };
    let (call, phone) = (test("has a call (twice)"), test("of uth-standard, on a phone"));
    let log = "▶ every felt\n\
               \x20 ✔ has a call (twice) (1203.5ms)\n\
               \x20 \u{1b}[32m✔ of uth-standard, on a phone \u{1b}[90m(12ms)\u{1b}[39m\u{1b}[39m\n\
               ▶ every felt (1300.1ms)\n";
    assert_eq!(log::not_passed(&[call, phone], "", log), []);
    // It is not a Rust test, whatever its name.
    assert_eq!(log::not_passed(&[call, phone], log, ""), [call, phone]);
    for changed in [
        log.replace("✔ has", "✖ has"),
        log.replace("✔ has a call (twice) (1203.5ms)", "﹣ has a call (twice) (0.1ms) # SKIP"),
        log.replace("(1203.5ms)", "(1203.5ms) # SKIP"),
        log.replace("has a call", "had a call"),
        format!("{log}✖ has a call (twice) (3ms)\n"),
    ] {
        assert_eq!(log::not_passed(&[call, phone], "", &changed), [call], "{changed}");
    }
}

#[test]
fn check_reads_the_logs_of_all_tests() {
    let check = include_str!("../../../../check");
    let place = |words: &[&str]| {
        let line = check.lines().position(|line| words.iter().all(|word| line.contains(word)));
        line.unwrap_or_else(|| panic!("./check has no line with {words:?}"))
    };
    let cargo = place(&["cargo test --workspace", "tee -a target/check-tests.log"]);
    let page = place(&["page 2>&1", "tee target/check-page.log"]);
    let logs = ["target/check-tests.log", "target/check-page.log"];
    let reads = place(&["examples/clauses docs/rulebook/clauses.md", logs[0], logs[1]]);
    assert!(cargo < reads && page < reads, "./check reads a log before it is written");
}
