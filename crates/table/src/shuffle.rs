//! The provable shuffle, which every player can check afterwards.
//!
//! A round's deck is a function of a secret seed, of the table and the round, and of seeds from the
//! seats. Before any player wagers, the table shows a [commitment](Seed::commitment) to its seed. A
//! seat shows [a commitment](seat_commitment) to its own seed while betting is open, and the seed
//! itself after "no more bets". So neither the table nor a player can choose the deck, even the one
//! to speak last. When the round is over everything is published, and [`shuffle`] gives every
//! reader the same deck.
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

/// The version of the shuffle, as written in records.
pub const SHUFFLE_VERSION: u32 = 1;

/// The maximum length of a seat's seed, in bytes.
pub const SEAT_SEED_MAX: usize = 64;

/// The secret that a round's deck comes from: 32 bytes from the operating system, used once.
///
/// `Debug` does not show it, and it is wiped from memory when it is dropped.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct Seed([u8; 32]);

impl Seed {
    /// Returns the seed with these bytes.
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

    /// Returns the commitment, which the table shows before any player wagers.
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

/// Returns a seat's commitment to its own seed, which it shows while betting is open.
pub fn seat_commitment(table: &str, round: u64, seat: Seat, seed: &[u8]) -> Hash {
    let message = about(Message::new("croupier seat commitment"), table, round);
    message.number(u64::from(seat.number())).bytes(seed).hash()
}

/// Returns the deck of a round. The seats' seeds are used in seat order; a seed that was committed
/// to and not shown is included as empty.
///
/// # Examples
///
/// ```
/// use croupier_rules::Seat;
/// use croupier_table::{Seed, seat_commitment, shuffle};
///
/// // The table draws its seed, stores it, and shows this before any player wagers.
/// let seed = Seed::from_bytes([7; 32]);
/// let shown = seed.commitment("green", 12);
///
/// // A seat shows its commitment, and its seed after "no more bets".
/// let seat = Seat::new(3).expect("a seat");
/// let from_seat = b"only I know this".to_vec();
/// let shown_by_seat = seat_commitment("green", 12, seat, &from_seat);
/// let deck = shuffle("green", 12, &seed, &[(seat, from_seat.clone())]);
///
/// // When the round is over, every reader can repeat the shuffle.
/// let published = Seed::from_hex(&seed.reveal())?;
/// assert_eq!(published.commitment("green", 12), shown);
/// assert_eq!(seat_commitment("green", 12, seat, &from_seat), shown_by_seat);
/// assert_eq!(shuffle("green", 12, &published, &[(seat, from_seat)]), deck);
/// # Ok::<(), croupier_table::HexError>(())
/// ```
pub fn shuffle(table: &str, round: u64, seed: &Seed, seat_seeds: &[(Seat, Vec<u8>)]) -> Deck {
    let mut stream = Stream::new(shuffle_key(table, round, seed, seat_seeds));
    let mut deck = Deck::FRESH;
    for last in (1..52).rev() {
        deck.swap(usize::from(last), usize::from(stream.up_to(last)));
    }
    deck
}

/// Returns the key of the [`Stream`] that a round's deck is drawn from, which is as secret as the
/// seed until the round is over.
pub fn shuffle_key(
    table: &str,
    round: u64,
    seed: &Seed,
    seat_seeds: &[(Seat, Vec<u8>)],
) -> [u8; 32] {
    let mut seat_seeds: Vec<_> = seat_seeds.iter().collect();
    seat_seeds.sort();
    let mut message = about(Message::new("croupier shuffle"), table, round);
    for (seat, seed) in seat_seeds {
        message = message.number(u64::from(seat.number())).bytes(seed);
    }
    authenticate(&seed.0, message.as_bytes())
}

/// Adds the fields that every message of the shuffle has: version, table and round.
fn about(message: Message, table: &str, round: u64) -> Message {
    message.number(u64::from(SHUFFLE_VERSION)).bytes(table.as_bytes()).number(round)
}

fn authenticate(key: &[u8; 32], message: &[u8]) -> [u8; 32] {
    let mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.chain_update(message).finalize().into_bytes().into()
}

/// An endless stream of bytes that is unpredictable without the key.
#[derive(Clone)]
pub struct Stream {
    mac: Hmac<Sha256>,
    counter: u64,
    block: [u8; 32],
    used: usize,
}

impl Stream {
    /// Starts a stream.
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

    /// Returns a number from zero up to and including `largest`, each equally likely.
    ///
    /// Only as many bits of a byte are kept as the largest number needs. A value that is still too
    /// large is dropped, and the next byte is tried. A remainder would favor small numbers.
    pub fn up_to(&mut self, largest: u8) -> u8 {
        loop {
            if let Some(number) = number_in(self.byte(), largest) {
                return number;
            }
        }
    }
}

/// Returns the number from zero up to `largest` that a byte stands for, if it stands for one.
fn number_in(byte: u8, largest: u8) -> Option<u8> {
    let bits = u8::MAX.checked_shr(largest.leading_zeros()).unwrap_or(0);
    let number = byte & bits;
    (number <= largest).then_some(number)
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(number: u32) -> Seat {
        Seat::new(number).expect("a seat")
    }

    fn seed() -> Seed {
        Seed::from_bytes(*b"thirty-two bytes that are a seed")
    }

    /// Of all 256 bytes, each number has the same share, and more than half of them are used.
    #[test]
    fn every_number_up_to_the_largest_has_the_same_number_of_bytes() {
        for largest in 0..=u8::MAX {
            let mut bytes = [0_usize; 256];
            for number in (0..=u8::MAX).filter_map(|byte| number_in(byte, largest)) {
                bytes[usize::from(number)] += 1;
            }
            let numbers = usize::from(largest) + 1;
            let share = 256 / numbers.next_power_of_two();
            assert!(bytes[..numbers].iter().all(|&bytes| bytes == share), "up to {largest}");
            assert!(bytes[numbers..].iter().all(|&bytes| bytes == 0), "up to {largest}");
            assert!(share * numbers > 128, "up to {largest}");
        }
    }

    #[test]
    fn bytes_that_stand_for_no_number_are_skipped() {
        let mut stream = Stream::new([0; 32]);
        let bytes: Vec<u8> = (0..1000).map(|_| stream.byte()).collect();
        for largest in [0, 1, 2, 6, 12, 51, 127, 200, 255] {
            let mut stream = Stream::new([0; 32]);
            let wanted = bytes.iter().filter_map(|&byte| number_in(byte, largest));
            let wanted: Vec<u8> = wanted.take(100).collect();
            let found: Vec<u8> = (0..100).map(|_| stream.up_to(largest)).collect();
            assert_eq!(found, wanted, "up to {largest}");
        }
    }

    #[test]
    fn every_input_changes_the_deck() {
        let (one, two) = ((seat(1), vec![1, 2]), (seat(2), vec![3]));
        let both = [one.clone(), two.clone()];
        let mut other = [0; 32];
        let mut decks = vec![
            shuffle("t1", 1, &seed(), &[]),
            shuffle("t2", 1, &seed(), &[]),
            shuffle("t1", 2, &seed(), &[]),
            shuffle("t1", 1 << 53, &seed(), &[]),
            shuffle("t1", 1, &Seed::from_bytes(other), &[]),
            shuffle("t1", 1, &seed(), &both),
            shuffle("t1", 1, &seed(), &both[..1]),
            shuffle("t1", 1, &seed(), &both[1..]),
            // The same bytes when concatenated, and the same seeds in other seats.
            shuffle("t1", 1, &seed(), &[(seat(1), vec![1]), (seat(2), vec![2, 3])]),
            shuffle("t1", 1, &seed(), &[(seat(1), vec![3]), (seat(2), vec![1, 2])]),
            shuffle("t1", 1, &seed(), &[one, (seat(3), vec![3])]),
        ];
        for bit in 0..256 {
            other = seed().0;
            other[bit / 8] ^= 1 << (bit % 8);
            decks.push(shuffle("t1", 1, &Seed::from_bytes(other), &[]));
        }
        for (number, deck) in decks.iter().enumerate() {
            assert_eq!(Deck::try_from(*deck.cards()).as_ref(), Ok(deck));
            let same = decks[..number].iter().position(|earlier| earlier == deck);
            assert_eq!(same, None, "deck {number}");
        }
    }

    #[test]
    fn the_order_in_which_seats_are_listed_does_not_matter() {
        let seats: Vec<_> = (1..=8).map(|number| (seat(number), vec![1; 8])).collect();
        let deck = shuffle("t1", 1, &seed(), &seats);
        for turn in 1..8 {
            let mut turned = seats.clone();
            turned.rotate_left(turn);
            assert_eq!(shuffle("t1", 1, &seed(), &turned), deck);
            turned.reverse();
            assert_eq!(shuffle("t1", 1, &seed(), &turned), deck);
        }
    }

    #[test]
    fn a_seed_that_was_not_shown_is_not_one_that_was_never_committed_to() {
        let none = shuffle("t1", 1, &seed(), &[]);
        let silent = shuffle("t1", 1, &seed(), &[(seat(1), Vec::new())]);
        let other = shuffle("t1", 1, &seed(), &[(seat(2), Vec::new())]);
        let zero = shuffle("t1", 1, &seed(), &[(seat(1), vec![0])]);
        assert!(none != silent && silent != other && silent != zero);
    }

    #[test]
    fn a_commitment_is_about_one_table_one_round_and_one_seat() {
        let of_seat =
            |table, round, number| seat_commitment(table, round, seat(number), seed().0.as_slice());
        let hashes = [
            seed().commitment("t1", 1),
            seed().commitment("t1", 2),
            seed().commitment("t2", 1),
            of_seat("t1", 1, 1),
            of_seat("t1", 1, 2),
            of_seat("t1", 2, 1),
            of_seat("t2", 1, 1),
        ];
        for (number, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..number].contains(hash), "commitment {number}");
        }
    }

    #[test]
    fn debug_output_has_no_secrets() {
        assert_eq!(format!("{:?}", seed()), "Seed(…)");
        assert_eq!(format!("{:?}", Stream::new([7; 32])), "Stream(…)");
    }
}
