//! Fuzzes what is read as a record of a round.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| croupier_fuzz::records(data));
