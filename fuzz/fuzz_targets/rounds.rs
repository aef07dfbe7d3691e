//! Fuzzes the actions in a round.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| croupier_fuzz::rounds(data));
