//! `croupier rng`

use std::fmt;

use croupier_cards::{Card, Deck};
use croupier_table::{Hash, Seed, Stream, shuffle, shuffle_key};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;

/// Print shuffled decks, or the bytes they are drawn from, for testing
///
/// Every deck gets its own seed from the operating system and goes through the shuffle that tables
/// use, as a round of the table "rng" at which no seat brings a seed. Raw bytes all come from one
/// stream.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("what").args(["decks", "raw"]).required(true)))]
pub(crate) struct Args {
    /// Print this many decks, one per line, the first card first
    #[arg(long, value_name = "N", value_parser = count)]
    decks: Option<u64>,

    /// Write this many bytes of the stream that decks are drawn from
    #[arg(long, value_name = "N", value_parser = count)]
    raw: Option<u64>,

    /// A seed of 64 hexadecimal digits, for repeatable output. Deck 5 is then the deck of round 5,
    /// and bytes are those of round 1. Never use it for play
    #[arg(long, value_name = "HEX", value_parser = Seed::from_hex)]
    seed: Option<Seed>,

    /// Print each deck as JSON with its seed and commitment, one per line
    #[arg(long, conflicts_with = "raw")]
    json: bool,
}

/// The table these rounds belong to.
const TABLE: &str = "rng";

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    match args.raw {
        Some(_) if output.is_terminal() => Err(Failure::Usage(
            "--raw: raw bytes can't go to a terminal: send them to a file or a program".to_owned(),
        )),
        Some(count) => write_bytes(count, &seed(args)?, output),
        None => {
            for round in 1..=args.decks.unwrap_or_default() {
                let seed = seed(args)?;
                let deck = shuffle(TABLE, round, &seed, &[]);
                let line = if args.json { to_json(round, &seed, &deck) } else { to_text(&deck) };
                output.print(&line)?;
            }
            Ok(())
        }
    }
}

/// Parses a count.
fn count(text: &str) -> Result<u64, String> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("use a whole number, digits only, as in 1000000".to_owned());
    }
    text.parse().map_err(|_| format!("use at most {}", u64::MAX))
}

/// Returns the given seed, or a fresh one.
#[expect(clippy::disallowed_methods, reason = "the shell is where randomness comes in")]
fn seed(args: &Args) -> Result<Seed, Failure> {
    args.seed.clone().map_or_else(|| fresh_seed(getrandom::fill), Ok)
}

/// Draws a seed. Failing to draw one is an error: without randomness there are no decks.
fn fresh_seed<E: fmt::Display>(
    fill: impl FnOnce(&mut [u8]) -> Result<(), E>,
) -> Result<Seed, Failure> {
    let mut bytes = [0; 32];
    match fill(&mut bytes) {
        Ok(()) => Ok(Seed::from_bytes(bytes)),
        Err(error) => Err(Failure::Answer(format!(
            "the operating system returned no random bytes, so nothing is shuffled: {error}"
        ))),
    }
}

/// Writes any number of bytes, chunk by chunk.
fn write_bytes(count: u64, seed: &Seed, output: &mut Output) -> Result<(), Failure> {
    let mut stream = Stream::new(shuffle_key(TABLE, 1, seed, &[]));
    let mut piece = [0; 1 << 13];
    let mut left = count;
    while left > 0 {
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(piece.len());
        piece[..length].fill_with(|| stream.byte());
        output.write(&piece[..length])?;
        left -= length as u64;
    }
    Ok(())
}

fn to_text(deck: &Deck) -> String {
    let mut line = String::with_capacity(3 * deck.cards().len());
    for card in deck.cards() {
        line.push(card.rank().letter());
        line.push(card.suit().letter());
        line.push(' ');
    }
    line.pop();
    line.push('\n');
    line
}

/// A deck with the data needed to reproduce it. The names are those of a round record.
#[derive(Serialize)]
struct Answer<'a> {
    table: &'a str,
    round: u64,
    commitment: Hash,
    seed: String,
    deck: Vec<String>,
}

fn to_json(round: u64, seed: &Seed, deck: &Deck) -> String {
    let answer = Answer {
        table: TABLE,
        round,
        commitment: seed.commitment(TABLE, round),
        seed: seed.reveal(),
        deck: deck.cards().iter().map(Card::to_string).collect(),
    };
    let mut line = serde_json::to_string(&answer).expect("plain data");
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_randomness_nothing_is_shuffled() {
        let failed = fresh_seed(|bytes| {
            bytes[0] = 7;
            Err("none left")
        });
        let Err(Failure::Answer(message)) = failed else { panic!("a seed out of nothing") };
        assert!(message.starts_with("the operating system returned no random bytes"), "{message}");
        assert!(message.ends_with(": none left"), "{message}");
    }
}
