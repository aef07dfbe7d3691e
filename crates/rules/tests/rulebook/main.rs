//! Runs the rulebook: the engine plays every example on its pages, and the result must match the
//! text under the line exactly.
//!
//! A page has fenced blocks marked `round` (one round), `eyes` (a round in progress, as each viewer
//! sees it) and `turns` (many rounds at a table). The part above the `---` is played; the part
//! below is compared. With `CROUPIER_BLESS=1`, the lower parts are rewritten instead, for review
//! before they are committed.

#![expect(clippy::disallowed_methods, reason = "it reads pages, and writes them on request")]

mod eyes;
mod notation;
mod story;
mod turns;

use std::path::{Path, PathBuf};

use croupier_rules::Catalog;
use notation::Example;

/// The pages that must have examples, and the minimum number of each. So a page whose blocks are
/// marked incorrectly is noticed.
const PAGES: [(&str, usize); 5] = [
    ("README.md", 1),
    ("uth.md", 30),
    ("utcp.md", 15),
    ("house-banked.md", 20),
    ("player-banked.md", 20),
];

/// An example on a page.
struct Block {
    /// The line of the fence, counted from 1.
    line: usize,
    kind: Kind,
    played: String,
    expected: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Round,
    Eyes,
    Turns,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Round, Self::Eyes, Self::Turns];

    /// Returns the line that opens a block of this kind.
    const fn fence(self) -> &'static str {
        match self {
            Self::Round => "```round",
            Self::Eyes => "```eyes",
            Self::Turns => "```turns",
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rulebook")
}

/// Returns all examples of a page.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((index, fence)) = lines.next() {
        if !fence.starts_with("```") {
            continue;
        }
        let kind = Kind::ALL.into_iter().find(|kind| kind.fence() == fence);
        let inside: Vec<&str> =
            lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        let Some(kind) = kind else { continue };
        let half = inside.iter().position(|line| *line == "---").unwrap_or(inside.len());
        let below = inside.get(half + 1..).unwrap_or_default();
        blocks.push(Block {
            line: index + 1,
            kind,
            played: inside[..half].join("\n"),
            expected: below.join("\n"),
        });
    }
    blocks
}

fn play(block: &Block, catalog: &Catalog) -> Result<String, String> {
    let lines = match block.kind {
        Kind::Round => story::tell(&Example::read(&block.played)?, catalog)?,
        Kind::Eyes => eyes::tell(&Example::read(&block.played)?, catalog)?,
        Kind::Turns => turns::tell(&block.played, catalog)?,
    };
    Ok(lines.join("\n"))
}

/// Returns the differences on a page: the place, the page's text, and the engine's result.
fn differences(name: &str, page: &str, catalog: &Catalog) -> Vec<String> {
    let mut different = Vec::new();
    for block in blocks(page) {
        let found = play(&block, catalog).unwrap_or_else(|error| format!("cannot read: {error}"));
        if found != block.expected {
            let Block { line, played, expected, .. } = &block;
            different.push(format!(
                "docs/rulebook/{name}:{line}\n{played}\n--- the page says\n{expected}\n\
                 --- the engine finds\n{found}\n"
            ));
        }
    }
    different
}

/// Rewrites the lower half of every example.
fn bless(page: &str, catalog: &Catalog) -> Result<String, String> {
    let mut blessed = page.to_owned();
    for block in blocks(page) {
        let fence = block.kind.fence();
        let found =
            play(&block, catalog).map_err(|error| format!("line {}: {error}", block.line))?;
        let old = format!("{fence}\n{}\n---\n{}\n```", block.played, block.expected);
        let empty = format!("{fence}\n{}\n---\n```", block.played);
        let old = if page.contains(&old) { old } else { empty };
        blessed = blessed.replace(&old, &format!("{fence}\n{}\n---\n{found}\n```", block.played));
    }
    Ok(blessed)
}

#[test]
fn every_example_of_the_rulebook_ends_as_written() {
    let catalog = Catalog::shipped();
    let mut different = Vec::new();
    for (name, least) in PAGES {
        let path = folder().join(name);
        let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = blocks(&page).len();
        assert!(found >= least, "{name} has {found} examples, and should have at least {least}");
        if std::env::var_os("CROUPIER_BLESS").is_some() {
            let blessed = bless(&page, &catalog).unwrap_or_else(|error| panic!("{name}: {error}"));
            std::fs::write(&path, blessed).expect("the page can be written");
        } else {
            different.extend(differences(name, &page, &catalog));
        }
    }
    assert!(different.is_empty(), "\n{}", different.join("\n"));
}

#[test]
fn every_page_with_examples_is_played() {
    let pages = std::fs::read_dir(folder()).expect("the rulebook exists");
    for page in pages {
        let path = page.expect("a page").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a UTF-8 name");
        let text = std::fs::read_to_string(&path).expect("a page of text");
        let played = PAGES.iter().any(|(page, _)| *page == name);
        assert!(played || blocks(&text).is_empty(), "{name} has examples that no test plays");
    }
}

#[test]
fn a_wrong_example_is_shown_with_its_place() {
    let page = "# Wrong\n\n```round\nhouse utcp-standard\ndealer Qs 3c 2d\n\
                seat 1  Ks 3d 2h  ante $5  bet 1\n---\nnet     seat 1 +$5 · bank -$5\n```\n";
    let different = differences("wrong.md", page, &Catalog::shipped());
    assert_eq!(
        different,
        ["docs/rulebook/wrong.md:3\nhouse utcp-standard\ndealer Qs 3c 2d\n\
          seat 1  Ks 3d 2h  ante $5  bet 1\n--- the page says\nnet     seat 1 +$5 · bank -$5\n\
          --- the engine finds\ndealer  shows   Qs 3c 2d  queen high\n\
          seat 1  wins    Ks 3d 2h  king high\n\
          \x20       Play wins $5 · Ante wins $5 · Blind pushes\n\
          net     seat 1 +$10 · bank -$10\n"]
    );
}
