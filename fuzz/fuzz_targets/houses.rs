//! Fuzzes the parsing of houses and pay tables.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| croupier_fuzz::houses(data));
