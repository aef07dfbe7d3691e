//! Replays the fuzzing corpus: every committed input goes through its target, with the stable
//! compiler and without a fuzzer.

use std::fs;
use std::path::{Path, PathBuf};

#[expect(unreachable_pub, reason = "it is also a library of its own")]
#[path = "../../../fuzz/src/lib.rs"]
mod fuzz;

/// Passes every file of a target's corpus to the target. A failure names the input.
#[expect(clippy::disallowed_methods, reason = "a corpus is made of files")]
fn replay(name: &str, target: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    let entries = fs::read_dir(&folder);
    let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    for file in files {
        let input = fs::read(&file).expect("a readable file");
        let held = std::panic::catch_unwind(|| target(&input));
        assert!(held.is_ok(), "{name} fails on {}", file.display());
    }
}

#[test]
fn records_of_the_corpus_never_panic_and_replay_to_the_same_result() {
    replay("records", fuzz::records);
}

#[test]
fn houses_of_the_corpus_are_refused_or_can_pay_their_largest_rounds() {
    replay("houses", fuzz::houses);
}

#[test]
fn rounds_of_the_corpus_keep_the_invariants_after_every_action() {
    replay("rounds", fuzz::rounds);
}
