//! Random secrets that cannot be guessed, and random names that only have to be unique.

use croupier_table::to_hex;

/// The alphabet of names that people may have to read aloud, without letters that look alike.
const PLAIN: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";

/// Draws bytes from the operating system.
///
/// # Panics
///
/// If the operating system has no random bytes: without them, no secret can be generated.
#[expect(clippy::disallowed_methods, reason = "randomness enters the program here")]
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has random bytes");
    bytes
}

/// Generates a secret of 256 bits, in hexadecimal digits.
pub(crate) fn secret() -> String {
    to_hex(&bytes::<32>())
}

/// Generates a name with five random bits in every character.
pub(crate) fn name<const N: usize>() -> String {
    bytes::<N>().iter().map(|byte| char::from(PLAIN[usize::from(byte % 32)])).collect()
}
