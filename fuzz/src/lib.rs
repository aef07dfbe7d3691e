//! What is fuzzed, and what must hold whatever comes in.
//!
//! Each target is a function from bytes that panics where something is wrong. The programs in
//! `fuzz_targets` hand them to libFuzzer; `crates/rules/tests/corpus.rs` includes this file and
//! replays the committed corpus, so that no fuzzer is needed to keep what one has found.

mod houses;
mod records;
mod rounds;
mod watched;

pub use houses::houses;
pub use records::records;
pub use rounds::rounds;
