//! Fuzzes the parsing and replay of round records.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| croupier_fuzz::records(data));
