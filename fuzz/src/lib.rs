//! The fuzz targets, and the properties that must hold for any input.
//!
//! Each target is a function from bytes that panics when a property is violated. The programs in
//! `fuzz_targets` pass them to libFuzzer; `crates/rules/tests/corpus.rs` includes this file and
//! replays the committed corpus, so that past findings stay covered without a fuzzer.

mod houses;
mod records;
mod rounds;
mod watched;

pub use houses::houses;
pub use records::records;
pub use rounds::rounds;
