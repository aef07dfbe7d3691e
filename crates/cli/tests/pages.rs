//! Checks that pages show exactly what the program prints.

#![expect(clippy::disallowed_methods, reason = "it runs the program that the page shows")]

use std::process::Command;

const PAGES: [(&str, &str); 3] = [
    ("README.md", include_str!("../../../README.md")),
    ("docs/odds.md", include_str!("../../../docs/odds.md")),
    ("docs/shuffle.md", include_str!("../../../docs/shuffle.md")),
];
const RUN: &str = "$ cargo run --release -- ";

/// Splits a line into arguments, as a shell would. Those with spaces are in double quotes.
fn arguments(line: &str) -> Vec<&str> {
    let parts = line.split('"').enumerate();
    parts
        .flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        })
        .collect()
}

/// Removes the elapsed time.
fn timeless(line: &str) -> &str {
    line.split_once(", all counted, in ").map_or(line, |(before, _)| before)
}

#[test]
fn pages_show_what_the_program_prints() {
    for (page, text) in PAGES {
        let blocks = text.split("```console\n").skip(1);
        let shown: usize = blocks.map(|block| usize::from(is_current(block))).sum();
        assert!(shown > 0, "{page} shows nothing of the program");
    }
}

/// Runs the command of a block, if it is the program's, and compares its output.
fn is_current(block: &str) -> bool {
    let (block, _) = block.split_once("```").expect("a block ends");
    let (command, output) = block.split_once('\n').expect("a command has output");
    let Some(line) = command.strip_prefix(RUN) else {
        assert!(command.contains("--example"), "nothing runs {command}");
        return false;
    };
    let (line, lines) = match line.split_once(" | head -n ") {
        Some((line, lines)) => (line, lines.parse().expect("a number of lines")),
        None => (line, usize::MAX),
    };
    let run = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .args(arguments(line))
        .output()
        .expect("the program starts");
    let printed = String::from_utf8(run.stdout).expect("it prints text");
    let printed: Vec<&str> = printed.lines().take(lines).map(timeless).collect();
    let written: Vec<&str> = output.lines().map(timeless).collect();
    assert_eq!(printed, written, "{command}");
    true
}

#[test]
fn arguments_are_split_as_in_a_shell() {
    assert_eq!(
        arguments("advise --hand \"As Kd\" --json"),
        ["advise", "--hand", "As Kd", "--json"]
    );
}
