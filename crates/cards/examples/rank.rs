//! Says what hands are worth, the best one first.
//!
//! ```text
//! cargo run --release --example rank -- "Kc Kd Kh 4s 4d 9c 2h" "Ah Qh 9h 5h 3h 3c 3d"
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program prints")]

use std::process::ExitCode;

use croupier_cards::{Card, CardSet, Five, Three, parse_cards};

/// A hand that has been ranked: its strength, its name, and the cards that make it.
type Ranked = (u16, String, Vec<Card>);

#[expect(clippy::disallowed_methods, reason = "this is the shell that reads the arguments")]
fn main() -> ExitCode {
    let hands: Vec<String> = std::env::args().skip(1).collect();
    match rank(&hands) {
        Ok(lines) => {
            print!("{lines}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("rank: {message}");
            ExitCode::from(2)
        }
    }
}

fn rank(hands: &[String]) -> Result<String, String> {
    if hands.is_empty() {
        return Err("which cards? As in: rank \"Kc Kd Kh 4s 4d 9c 2h\"".to_owned());
    }
    let mut ranked = Vec::new();
    for (number, hand) in (1..).zip(hands) {
        let cards = parse_cards(hand).map_err(|error| format!("hand {number}: {error}"))?;
        let hand = rank_one(&cards).ok_or_else(|| {
            format!(
                "hand {number} has {} cards: three are ranked as three, five to seven as five",
                cards.len()
            )
        })?;
        ranked.push((cards.len() == 3, hand));
    }
    if ranked.iter().any(|(three, _)| *three != ranked[0].0) {
        return Err("hands of three cards are not compared with hands of five".to_owned());
    }
    ranked.sort_by_key(|(_, (value, ..))| std::cmp::Reverse(*value));
    let lines = ranked.into_iter().map(|(_, (_, name, cards))| {
        let cards: Vec<String> = cards.iter().map(Card::to_string).collect();
        format!("{name:<36} {}\n", cards.join(" "))
    });
    Ok(lines.collect())
}

/// Ranks the cards, if there are three, or five to seven.
fn rank_one(cards: &[Card]) -> Option<Ranked> {
    let set: CardSet = cards.iter().copied().collect();
    match *cards {
        [a, b, c] => {
            let three = Three::of([a, b, c]);
            let mut cards = cards.to_vec();
            let place = |card: &Card| three.ranks().iter().position(|&rank| rank == card.rank());
            cards.sort_by_key(place);
            Some((three.value(), three.to_string(), cards))
        }
        _ if (5..=7).contains(&set.len()) => {
            let five = Five::of(set);
            Some((five.value(), five.to_string(), five.cards_among(set)?.to_vec()))
        }
        _ => None,
    }
}
