//! Hashes, and how the hashed messages are encoded.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// A SHA-256 hash. It is written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
pub struct Hash([u8; 32]);

impl Hash {
    /// Returns the hash of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the hash with these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&to_hex(&self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({self})")
    }
}

impl FromStr for Hash {
    type Err = HexError;

    fn from_str(text: &str) -> Result<Self, HexError> {
        fixed_hex(text).map(Self)
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// A fault in hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HexError {
    /// The number of digits is wrong.
    #[error("write {wanted} hexadecimal digits")]
    Length {
        /// The right number.
        wanted: usize,
    },
    /// The number of digits is odd.
    #[error("write an even number of hexadecimal digits")]
    Odd,
    /// A digit is a capital letter.
    #[error("write hexadecimal digits in lower case, 0 to 9 and a to f")]
    Capital,
    /// A character is not a hexadecimal digit.
    #[error("write hexadecimal digits, 0 to 9 and a to f")]
    Digit,
}

/// Writes bytes as lowercase hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Reads bytes from lowercase hexadecimal digits. Capitals are refused, so there is only one way to
/// write a value.
///
/// # Errors
///
/// When there is any other character, or an odd number of digits.
pub fn from_hex(text: &str) -> Result<Vec<u8>, HexError> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Ok(byte - b'0'),
        b'a'..=b'f' => Ok(byte - b'a' + 10),
        b'A'..=b'F' => Err(HexError::Capital),
        _ => Err(HexError::Digit),
    };
    let digits = text.bytes().map(digit).collect::<Result<Vec<u8>, HexError>>()?;
    let (pairs, odd) = digits.as_chunks::<2>();
    if !odd.is_empty() {
        return Err(HexError::Odd);
    }
    Ok(pairs.iter().map(|&[high, low]| high << 4 | low).collect())
}

/// Reads exactly 32 bytes.
pub(crate) fn fixed_hex(text: &str) -> Result<[u8; 32], HexError> {
    from_hex(text)?.try_into().map_err(|_| HexError::Length { wanted: 64 })
}

/// A message of several fields, encoded so that two different lists of fields never give the same
/// bytes: a text or a byte string comes after its length.
#[derive(Default)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    /// Starts a message of a kind. Messages of different kinds never have the same bytes.
    pub(crate) fn new(domain: &str) -> Self {
        Self::default().bytes(domain.as_bytes())
    }

    /// Adds bytes after their length, which is four bytes, big-endian.
    ///
    /// # Panics
    ///
    /// When the length does not fit in four bytes.
    pub(crate) fn bytes(mut self, bytes: &[u8]) -> Self {
        let length = u32::try_from(bytes.len()).expect("a field shorter than four gigabytes");
        self.0.extend(length.to_be_bytes());
        self.0.extend(bytes);
        self
    }

    /// Adds a number as eight bytes, big-endian.
    pub(crate) fn number(mut self, number: u64) -> Self {
        self.0.extend(number.to_be_bytes());
        self
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn hash(&self) -> Hash {
        Hash::of(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_sha_256_as_the_standard_specifies() {
        // The examples of FIPS 180.
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Hash::of(b"").to_string(), empty);
        assert_eq!(Hash::of(b"abc").to_string(), abc);
        assert_eq!(abc.parse(), Ok(Hash::of(b"abc")));
        let json = serde_json::to_string(&Hash::of(b"abc")).expect("a text");
        assert_eq!(json, format!("\"{abc}\""));
        assert_eq!(serde_json::from_str::<Hash>(&json).ok(), Some(Hash::of(b"abc")));
    }

    #[test]
    fn there_is_one_way_to_write_bytes() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        assert_eq!(from_hex(&to_hex(&all)), Ok(all));
        assert_eq!(from_hex(""), Ok(Vec::new()));
        for text in ["g", "0g", " 00", "0x00", "00 ", "é", "000g0"] {
            assert_eq!(from_hex(text), Err(HexError::Digit), "{text:?}");
        }
        for text in ["AB", "aB", "A", "0aF"] {
            assert_eq!(from_hex(text), Err(HexError::Capital), "{text:?}");
        }
        for text in ["0", "0af"] {
            assert_eq!(from_hex(text), Err(HexError::Odd), "{text:?}");
        }
        for length in [0, 62, 66] {
            let error = fixed_hex(&"0".repeat(length));
            assert_eq!(error, Err(HexError::Length { wanted: 64 }), "{length} digits");
        }
    }

    #[test]
    fn different_fields_give_different_messages() {
        let message = Message::new("d").number(258).bytes(b"abc");
        assert_eq!(message.as_bytes(), b"\0\0\0\x01d\0\0\0\0\0\0\x01\x02\0\0\0\x03abc");
        let of = |fields: &[&str]| {
            let add = |message: Message, field: &&str| message.bytes(field.as_bytes());
            fields.iter().fold(Message::new("d"), add).hash()
        };
        let lists: [&[&str]; 6] =
            [&[], &[""], &["", ""], &["ab", "c"], &["a", "bc"], &["\0\0\0\x01a"]];
        for (number, list) in lists.iter().enumerate() {
            assert!(lists[..number].iter().all(|other| of(other) != of(list)), "{list:?}");
        }
    }
}
