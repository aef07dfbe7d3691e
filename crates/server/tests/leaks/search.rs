//! What can be found in bytes: cards and seeds, however they are written.

use std::collections::BTreeMap;

use croupier_cards::{Card, parse_cards};

/// How many bytes of a seed must not be seen: half of one is enough to be a secret told.
const HALF: usize = 16;

/// The seeds to look for, with the numbers of their rounds, by either half.
#[derive(Debug)]
pub(crate) struct Seeds {
    halves: BTreeMap<[u8; HALF], u64>,
    /// The bytes that a half begins with: most others do not, which is cheaper to see.
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

    /// Returns the rounds whose seeds, or halves of them, are in some bytes: as they are, in
    /// hexadecimal digits of either case, or in any kind of base64, wherever it begins.
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

/// Returns the longest runs of bytes of a kind that are at least so long.
fn runs(bytes: &[u8], kind: impl Fn(u8) -> bool, least: usize) -> impl Iterator<Item = &[u8]> {
    bytes.split(move |&byte| !kind(byte)).filter(move |run| run.len() >= least)
}

fn from_digits(digits: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pair = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(pair[1])?);
    digits.chunks_exact(2).filter_map(pair).collect()
}

/// Returns what a letter of base64 stands for, in the usual alphabet or the one for addresses.
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
/// notation, and else those that stand in it by themselves.
pub(crate) fn cards_in_value(text: &str) -> Vec<Card> {
    // A word that nothing in it parts is no card if it does not begin like one.
    let word = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if word && !text.starts_with(is_rank) {
        return Vec::new();
    }
    match parse_cards(text) {
        Ok(cards) => cards,
        Err(_) => cards_in_prose(text),
    }
}

/// Tells whether a rank is written so, or a ten begins so.
const fn is_rank(letter: char) -> bool {
    matches!(letter.to_ascii_uppercase(), '1'..='9' | 'T' | 'J' | 'Q' | 'K' | 'A')
}

/// Returns the cards in a text for people: tokens that are cards and nothing else, with capitals
/// where ranks have them, because `as` is a word; and suits as symbols anywhere.
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

/// Reads a token that is cards and nothing else, written as we write them.
fn exact(token: &str) -> Option<Vec<Card>> {
    // What is plainly no card is not worth an error that says so.
    let ends_well = token.ends_with(['c', 'd', 'h', 's']) && token.starts_with(is_rank);
    let shape = ends_well && (2..=2 * 52 + 4).contains(&token.len());
    let cards = Some(token).filter(|_| shape).and_then(|it| parse_cards(it).ok())?;
    let written: String = cards.iter().map(ToString::to_string).collect();
    (!cards.is_empty() && token.replace("10", "T") == written).then_some(cards)
}

/// Returns the cards that stand in quotation marks in a text, whether or not it is good JSON.
pub(crate) fn quoted_cards(bytes: &[u8]) -> Vec<Card> {
    let quoted = bytes.windows(4).filter(|four| four[0] == b'"' && four[3] == b'"');
    let card = |four: &[u8]| exact(std::str::from_utf8(&four[1..3]).ok()?)?.first().copied();
    quoted.filter_map(card).collect()
}
