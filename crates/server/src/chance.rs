//! Names that nobody can guess, and others that need only be different.

use croupier_table::to_hex;

/// The alphabet of names that people may have to read out: without letters that look like others.
const PLAIN: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";

/// Draws bytes from the operating system.
///
/// # Panics
///
/// If there are none to be had: nothing that must be secret can be made up then.
#[expect(clippy::disallowed_methods, reason = "this is where chance comes in")]
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has random bytes");
    bytes
}

/// Makes up a secret of 256 bits, in hexadecimal digits.
pub(crate) fn secret() -> String {
    to_hex(&bytes::<32>())
}

/// Makes up a name with five bits in every character.
pub(crate) fn name<const N: usize>() -> String {
    bytes::<N>().iter().map(|byte| char::from(PLAIN[usize::from(byte % 32)])).collect()
}
