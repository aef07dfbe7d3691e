//! Ranks poker hands, best first.

#![expect(clippy::print_stderr, reason = "a program prints")]

use std::cmp::Reverse;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use croupier_cards::{Card, CardSet, Five, Three, parse_cards};

const USAGE: &str = "\
Ranks poker hands, best first.

    rank HAND…     each hand in quotes: rank \"Kc Kd Kh 4s 4d 9c 2h\" \"Ah Qh 9h 5h 3h\"
    rank CARD…     or the cards of one hand: rank Kc Kd Kh 4s 4d

Three cards are ranked as three, five to seven as five.
";

#[expect(clippy::disallowed_methods, reason = "this is the shell that reads the arguments")]
fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    let arguments: Vec<String> =
        arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
    if arguments.iter().any(|argument| argument == "-h" || argument == "--help") {
        return print(USAGE);
    }
    match rank(&arguments) {
        Ok(lines) => print(&lines),
        Err(message) => {
            eprintln!("rank: {message}");
            ExitCode::from(2)
        }
    }
}

/// Prints the text, and ignores a closed pipe.
fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("rank: cannot print: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// A hand as given, and its rank.
struct Ranked {
    number: usize,
    dealt: usize,
    strength: u16,
    name: String,
    cards: Vec<Card>,
}

fn rank(arguments: &[String]) -> Result<String, String> {
    let mut hands = Vec::new();
    for hand in hands_of(arguments) {
        let number = hands.len() + 1;
        let cards = parse_cards(&hand).map_err(|error| format!("hand {number}: {error}"))?;
        hands.push(rank_one(number, cards.into_iter().collect())?);
    }
    let Some(first) = hands.first() else {
        return Err(format!("no hands given\n\n{USAGE}"));
    };
    let three = first.dealt == 3;
    if let Some(other) = hands.iter().find(|hand| (hand.dealt == 3) != three) {
        return Err(format!(
            "hand 1 has {} cards and hand {} has {}: three cards and five are different games",
            first.dealt, other.number, other.dealt
        ));
    }
    hands.sort_by_key(|hand| Reverse(hand.strength));

    let place = |hand: &Ranked| hands.iter().position(|best| best.strength == hand.strength);
    let lines = hands.iter().map(|hand| {
        let place = place(hand).map_or(0, |better| better + 1);
        let cards: Vec<String> = hand.cards.iter().map(Card::to_string).collect();
        format!("{place}. hand {}: {:<36} {}\n", hand.number, hand.name, cards.join(" "))
    });
    Ok(lines.collect())
}

/// Returns the hands: one per argument, unless each argument is a single card.
fn hands_of(arguments: &[String]) -> Vec<String> {
    let single = |argument: &String| argument.parse::<Card>().is_ok();
    if arguments.len() > 1 && arguments.iter().all(single) {
        vec![arguments.join(" ")]
    } else {
        arguments.to_vec()
    }
}

fn rank_one(number: usize, set: CardSet) -> Result<Ranked, String> {
    let dealt = set.len();
    let (strength, name, cards) = match dealt {
        3 => {
            let (three, cards) = Three::best(set);
            (three.value(), three.to_string(), cards.to_vec())
        }
        5..=7 => {
            let (five, cards) = Five::best(set);
            (five.value(), five.to_string(), cards.to_vec())
        }
        _ => {
            let cards = if dealt == 1 { "card" } else { "cards" };
            return Err(format!(
                "hand {number} has {dealt} {cards}: give it three, or five to seven"
            ));
        }
    };
    Ok(Ranked { number, dealt, strength, name, cards })
}
