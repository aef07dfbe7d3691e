//! Finds cards and seeds in bytes, in any notation.

use std::collections::BTreeMap;

use croupier_cards::{Card, parse_cards};

/// The number of bytes of a seed that must not be seen: half of it already counts as a leaked
/// secret.
const HALF: usize = 16;

/// The seeds to search for, with the numbers of their rounds, by either half.
#[derive(Debug)]
pub(crate) struct Seeds {
    halves: BTreeMap<[u8; HALF], u64>,
    /// The first bytes of all halves: most positions don't match one, which is cheaper to check.
    begins: [bool; 256],
}

impl Default for Seeds {
    fn default() -> Self {
        Self { halves: BTreeMap::new(), begins: [false; 256] }
    }
}

impl Seeds {
    pub(crate) fn add(&mut self, seed: &[u8; 32], round: u64) {
        for half in seed.chunks_exact(HALF) {
            self.halves.insert(half.try_into().expect("a half"), round);
            self.begins[usize::from(half[0])] = true;
        }
    }

    /// Returns the rounds whose seeds, or halves of them, are in some bytes: raw, in hexadecimal
    /// digits of either case, or in any kind of base64, at any offset.
    pub(crate) fn found_in(&self, bytes: &[u8]) -> Vec<u64> {
        let mut found = Vec::new();
        self.look(bytes, &mut found);
        for run in runs(bytes, |byte| byte.is_ascii_hexdigit(), 2 * HALF) {
            for start in 0..2 {
                self.look(&from_digits(&run[start..]), &mut found);
            }
        }
        for run in runs(bytes, |byte| sextet(byte).is_some(), HALF * 4 / 3) {
            for start in 0..4 {
                self.look(&from_base64(&run[start..]), &mut found);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn look(&self, bytes: &[u8], found: &mut Vec<u64>) {
        let windows = bytes.windows(HALF).filter(|window| self.begins[usize::from(window[0])]);
        found.extend(windows.filter_map(|window| self.halves.get(window)).copied());
    }
}

/// Returns the longest runs of bytes of a kind that have at least this length.
fn runs(bytes: &[u8], kind: impl Fn(u8) -> bool, least: usize) -> impl Iterator<Item = &[u8]> {
    bytes.split(move |&byte| !kind(byte)).filter(move |run| run.len() >= least)
}

fn from_digits(digits: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pair = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(pair[1])?);
    digits.chunks_exact(2).filter_map(pair).collect()
}

/// Returns the value of a base64 character, in the standard or the URL-safe alphabet.
const fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

fn from_base64(letters: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(letters.len() * 3 / 4);
    for group in letters.chunks(4) {
        let mut bits: u32 = 0;
        for place in 0..4 {
            let letter = group.get(place).copied().and_then(sextet).unwrap_or_default();
            bits = bits << 6 | u32::from(letter);
        }
        let whole = group.len() * 6 / 8;
        bytes.extend_from_slice(&bits.to_be_bytes()[1..=whole]);
    }
    bytes
}

/// Returns the cards in a text that a program would read as one value: a card, or several in any
/// notation, and otherwise the cards that stand alone in it.
pub(crate) fn cards_in_value(text: &str) -> Vec<Card> {
    // A single word that does not begin like a card is not a card.
    let word = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if word && !text.starts_with(is_rank) {
        return Vec::new();
    }
    match parse_cards(text) {
        Ok(cards) => cards,
        Err(_) => cards_in_prose(text),
    }
}

/// Returns whether a character is a rank, or begins a ten.
const fn is_rank(letter: char) -> bool {
    matches!(letter.to_ascii_uppercase(), '1'..='9' | 'T' | 'J' | 'Q' | 'K' | 'A')
}

/// Returns the cards in a text for people: tokens that are cards and nothing else, with capital
/// letters for ranks, because `as` is a word; and suits as symbols anywhere.
pub(crate) fn cards_in_prose(text: &str) -> Vec<Card> {
    let tokens = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let mut found: Vec<Card> = tokens.filter_map(exact).flatten().collect();
    if !text.is_ascii() {
        let letters: Vec<char> = text.chars().collect();
        for end in 0..letters.len() {
            // A card of one character, a rank with a symbol, or a ten with one.
            for start in end.saturating_sub(2)..=end {
                let piece: String = letters[start..=end].iter().collect();
                if piece.is_ascii() {
                    continue;
                }
                if let Ok(cards) = parse_cards(&piece) {
                    found.extend(cards);
                }
            }
        }
    }
    found
}

/// Reads a token that is cards and nothing else, in our notation.
fn exact(token: &str) -> Option<Vec<Card>> {
    // A quick check avoids building an error for tokens that are clearly not cards.
    let ends_well = token.ends_with(['c', 'd', 'h', 's']) && token.starts_with(is_rank);
    let shape = ends_well && (2..=2 * 52 + 4).contains(&token.len());
    let cards = Some(token).filter(|_| shape).and_then(|it| parse_cards(it).ok())?;
    let written: String = cards.iter().map(ToString::to_string).collect();
    (!cards.is_empty() && token.replace("10", "T") == written).then_some(cards)
}

/// Returns the cards in quotation marks in a text, whether or not it is valid JSON.
pub(crate) fn quoted_cards(bytes: &[u8]) -> Vec<Card> {
    let quoted = bytes.windows(4).filter(|four| four[0] == b'"' && four[3] == b'"');
    let card = |four: &[u8]| exact(std::str::from_utf8(&four[1..3]).ok()?)?.first().copied();
    quoted.filter_map(card).collect()
}
