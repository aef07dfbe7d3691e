//! The README shows the program's real output.

#![expect(clippy::disallowed_methods, reason = "it runs the program that the README shows")]

use std::path::{Path, PathBuf};
use std::process::Command;

const README: &str = include_str!("../../../README.md");
const EXAMPLE: &str = "$ cargo run --release --example rank -- ";

/// Returns the example that was built along with this test.
fn example() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let profile = test.parent().and_then(Path::parent).expect("target/<profile>/deps");
    let example = profile.join("examples/rank").with_extension(std::env::consts::EXE_EXTENSION);
    assert!(example.exists(), "{} is missing: run `cargo build --examples`", example.display());
    example
}

/// Splits arguments that are all in double quotes.
fn arguments(line: &str) -> Vec<&str> {
    line.split('"').skip(1).step_by(2).collect()
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    let mut shown = 0;
    for block in README.split("```console\n").skip(1) {
        let (block, _) = block.split_once("```").expect("a block ends");
        let (command, output) = block.split_once('\n').expect("a command has output");
        // Other commands are tested with the `croupier` program.
        let Some(line) = command.strip_prefix(EXAMPLE) else { continue };
        let run = Command::new(example()).args(arguments(line)).output().expect("it runs");
        let printed = [run.stdout, run.stderr].concat();
        assert_eq!(String::from_utf8(printed).expect("it prints text"), output, "{command}");
        let expected = if output.starts_with("rank: ") { 2 } else { 0 };
        assert_eq!(run.status.code(), Some(expected), "{command}");
        shown += 1;
    }
    assert!(shown > 0, "the README does not show the example");
}
