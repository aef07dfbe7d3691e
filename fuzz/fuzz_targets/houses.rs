//! Fuzzes what is read as a house or a pay table.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| croupier_fuzz::houses(data));
