//! The form of the tree: line lengths, words, and the map in ARCHITECTURE.md.

#![expect(clippy::disallowed_methods, reason = "it reads the tree")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold no text of ours.
const SKIPPED: [&str; 7] = [".git", "target", "node_modules", "vendor", "data", "corpus", "golden"];

/// The longest line of code, in characters. rustfmt leaves comments alone, so they are held here.
const WIDTH: usize = 100;

/// Words that say less than a plain one, or name no subject. CONTRIBUTING has the reasons.
const BANNED: [&str; 15] = [
    "anew", "beside", "he", "hers", "him", "himself", "his", "lest", "mend", "nobody", "seldom",
    "somebody", "stumble", "whoever", "whomever",
];

/// Starts of sentences without a subject.
const BARE: [&str; 5] = ["Nobody ", "Somebody ", "Who ", "Whoever ", "Whose "];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_path_buf()
}

/// Returns the files of the tree with one of these extensions, by their paths from the root.
fn files(extensions: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() {
                if !SKIPPED.contains(&name) {
                    folders.push(path);
                }
            } else if extensions.iter().any(|wanted| name.ends_with(wanted)) {
                let text = fs::read_to_string(&path).expect("text in UTF-8");
                let place = path.strip_prefix(root()).expect("a file of the tree");
                found.push((place.display().to_string(), text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 10, "there are files to look at");
    found
}

/// Fails with every fault at once: a person who tidies up wants the whole list.
#[track_caller]
fn hold(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn no_line_of_code_is_longer_than_a_screen_is_wide() {
    let mut faults = Vec::new();
    for (path, text) in files(&[".rs", ".js", ".mjs"]) {
        for (number, line) in text.lines().enumerate() {
            if line.chars().count() > WIDTH {
                faults.push(format!("{path}:{}: {} columns", number + 1, line.chars().count()));
            }
        }
    }
    hold(&faults);
}

#[test]
fn every_sentence_names_its_subject_in_plain_words() {
    let mut faults = Vec::new();
    for (path, text) in files(&[".rs", ".js", ".mjs", ".md", ".toml", ".html", ".sh"]) {
        // These quote the words.
        if path.ends_with("tests/tidy.rs") || path == "CONTRIBUTING.md" {
            continue;
        }
        let is_markdown = Path::new(&path).extension().is_some_and(|extension| extension == "md");
        for (number, line) in text.lines().enumerate() {
            let place = number + 1;
            // A quoted word is an id or test data.
            for word in line.split_whitespace() {
                let word = word.trim_matches(['.', ',', ';', ':', '!', '?', '(', ')', '*']);
                let word = word.to_lowercase();
                if BANNED.contains(&&*word) {
                    faults.push(format!("{path}:{place}: \"{word}\" in: {}", line.trim()));
                }
            }
            let said = line.trim_start_matches(|letter: char| !letter.is_alphabetic());
            let is_prose = line.trim_start().starts_with("//") || is_markdown;
            let bare = BARE.iter().find(|start| said.starts_with(**start));
            if let Some(bare) = bare.filter(|_| is_prose && !said.trim_end().ends_with('?')) {
                faults.push(format!("{path}:{place}: starts with \"{}\"", bare.trim()));
            }
        }
    }
    hold(&faults);
}

/// Returns the names in backquotes in a text.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_map_names_every_module_and_no_other() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the map");
    let sections: Vec<&str> = map.split("\n## ").collect();
    let mut faults = Vec::new();
    for (title, folder, extension) in [
        ("Inside `cards`", "crates/cards/src/", ".rs"),
        ("Inside `rules`", "crates/rules/src/", ".rs"),
        ("Inside `odds`", "crates/odds/src/", ".rs"),
        ("Inside `table`", "crates/table/src/", ".rs"),
        ("Inside `store`", "crates/store/src/", ".rs"),
        ("Inside `server`", "crates/server/src/", ".rs"),
        ("Inside the page", "web/page/", ".js"),
    ] {
        let section = sections.iter().find(|section| section.starts_with(title));
        let section = section.unwrap_or_else(|| panic!("a section \"{title}\""));
        let named = quoted(section);
        let modules: Vec<String> = files(&[extension])
            .iter()
            .filter_map(|(path, _)| path.strip_prefix(folder)?.strip_suffix(extension))
            .filter(|module| !matches!(*module, "lib" | "main"))
            .filter(|module| !module.split('/').any(|part| part == "tests"))
            .map(str::to_owned)
            .collect();
        for module in &modules {
            // A module is named by its path, or alone in a table about its folder.
            let stem = module.rsplit('/').next().unwrap_or(module);
            if !named.contains(&**module) && !named.contains(stem) {
                faults.push(format!("{title} does not name {folder}{module}{extension}"));
            }
        }
        let cells = section.lines().filter(|line| line.starts_with("| `"));
        let cells = cells.filter_map(|line| line.split('|').nth(1));
        for name in cells.flat_map(quoted) {
            let is_there = modules.iter().any(|module| {
                module == name || module.ends_with(&format!("/{name}")) || {
                    module.starts_with(&format!("{}/", name.trim_end_matches('/')))
                }
            });
            if !is_there {
                faults.push(format!("{title} names {name}, and {folder} has no such module"));
            }
        }
    }
    hold(&faults);
}
