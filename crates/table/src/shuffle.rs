//! The shuffle, which anybody can check afterwards.
//!
//! A round's deck is a function of a secret seed, of the table and the round, and of seeds that
//! seats bring along. Before anybody wagers, the table shows a [commitment](Seed::commitment) to
//! its seed; a seat shows [one](seat_commitment) to its own while betting is open, and the seed
//! itself when no more bets are taken. So nobody can choose the deck, whoever speaks last. When the
//! round is over everything is published, and [`shuffle`] gives the same deck again to everybody.
//!
//! `docs/shuffle.md` specifies it to the byte, and `docs/shuffle-vectors.json` has examples for
//! other implementations.

use std::fmt;

use croupier_cards::Deck;
use croupier_rules::Seat;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::hash::{Hash, HexError, Message, fixed_hex, to_hex};

/// The version of the shuffle, which a record names.
pub const SHUFFLE_VERSION: u32 = 1;

/// How long a seat's seed may be, in bytes.
pub const SEAT_SEED_MAX: usize = 64;

/// The secret that a round's deck comes from: 32 bytes from the operating system, used once.
///
/// It is not shown by `Debug` and is wiped from memory when it is dropped.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct Seed([u8; 32]);

impl Seed {
    /// Takes 32 bytes for a seed.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads a seed that was published.
    ///
    /// # Errors
    ///
    /// When it is not 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Result<Self, HexError> {
        fixed_hex(text).map(Self)
    }

    /// Writes the seed, to store it or to publish it.
    pub fn reveal(&self) -> String {
        to_hex(&self.0)
    }

    /// Returns what the table shows before anybody wagers.
    pub fn commitment(&self, table: &str, round: u64) -> Hash {
        let message = Message::new("croupier commitment");
        about(message, table, round).bytes(&self.0).hash()
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(…)")
    }
}

/// Returns what a seat shows of its own seed while betting is open.
pub fn seat_commitment(table: &str, round: u64, seat: Seat, seed: &[u8]) -> Hash {
    let message = about(Message::new("croupier seat commitment"), table, round);
    message.number(u64::from(seat.number())).bytes(seed).hash()
}

/// Returns the deck of a round. The seats' seeds are taken in the order of the seats; one that was
/// committed to and not shown is there, and empty.
pub fn shuffle(table: &str, round: u64, seed: &Seed, seat_seeds: &[(Seat, Vec<u8>)]) -> Deck {
    let mut seat_seeds: Vec<_> = seat_seeds.iter().collect();
    seat_seeds.sort();
    let mut message = about(Message::new("croupier shuffle"), table, round);
    for (seat, seed) in seat_seeds {
        message = message.number(u64::from(seat.number())).bytes(seed);
    }
    let key = authenticate(&seed.0, message.as_bytes());
    let mut stream = Stream::new(key);
    let mut deck = Deck::FRESH;
    for last in (1..52).rev() {
        deck.swap(usize::from(last), usize::from(stream.up_to(last)));
    }
    deck
}

/// Adds what every message of the shuffle is about.
fn about(message: Message, table: &str, round: u64) -> Message {
    message.number(u64::from(SHUFFLE_VERSION)).bytes(table.as_bytes()).number(round)
}

fn authenticate(key: &[u8; 32], message: &[u8]) -> [u8; 32] {
    let mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.chain_update(message).finalize().into_bytes().into()
}

/// An endless stream of bytes that nobody can foretell without the key.
#[derive(Clone)]
pub struct Stream {
    mac: Hmac<Sha256>,
    counter: u64,
    block: [u8; 32],
    used: usize,
}

impl Stream {
    /// Begins a stream.
    ///
    /// # Panics
    ///
    /// Never.
    pub fn new(key: [u8; 32]) -> Self {
        let mac = Hmac::new_from_slice(&key).expect("HMAC takes a key of any length");
        Self { mac, counter: 0, block: [0; 32], used: 32 }
    }

    /// Returns the next byte.
    pub fn byte(&mut self) -> u8 {
        if self.used == self.block.len() {
            let mac = self.mac.clone().chain_update(self.counter.to_be_bytes());
            self.block = mac.finalize().into_bytes().into();
            self.counter += 1;
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    /// Returns a number from zero up to this one, each as likely as any other.
    ///
    /// Of a byte, only as many bits are kept as the largest number needs; what is larger all the
    /// same is thrown away, and the next byte is looked at. A remainder would favour small numbers.
    pub fn up_to(&mut self, largest: u8) -> u8 {
        let bits = u8::MAX.checked_shr(largest.leading_zeros()).unwrap_or(0);
        loop {
            let number = self.byte() & bits;
            if number <= largest {
                return number;
            }
        }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream(…)")
    }
}
