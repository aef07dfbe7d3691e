//! Why the better of two hands wins, down to the card that decides.

use std::cmp::Ordering;

use croupier_cards::Rank;

use super::reason::named;
use crate::game::Strength;

/// A seat's hand and the dealer's, at the showdown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub(super) hand: Strength,
    pub(super) dealer: Strength,
    /// The strength of the board by itself, where it is a hand.
    pub(super) board: Option<Strength>,
}

impl Comparison {
    /// Returns the comparison in words, given the owner of the seat's cards: `Your` or `Seat 1's`.
    pub(super) fn words(self, owner: &str) -> String {
        let (better, worse, owner) = match self.hand.cmp(&self.dealer) {
            Ordering::Equal => return self.tie(),
            Ordering::Greater => (self.hand, self.dealer, owner),
            Ordering::Less => (self.dealer, self.hand, "The dealer's"),
        };
        if better.to_string() != worse.to_string() {
            let (better, worse) = (named(better), named(worse));
            // A name with a comma in it ends with one: "two pair, kings and fours, beats …".
            let comma = if better.contains(',') { "," } else { "" };
            return format!("{}{comma} beats {worse}", capitalized(&better));
        }
        // Both hands have the same name, so a card that the name leaves out decides. The winner
        // holds it: the other hand would use a card of that rank on the board just as well.
        let (high, low) = (better.ranks(), worse.ranks());
        let decides = high.iter().zip(&low).find(|(one, other)| one != other);
        let card = decides.map_or("hand", |(rank, _)| rank.name());
        format!("{owner} {card} plays: {} beats {}", in_dashes(&high), in_dashes(&low))
    }

    fn tie(self) -> String {
        let cards = in_dashes(&self.hand.ranks());
        match self.board {
            Some(board) if board == self.hand => format!("Both play the board: {cards}"),
            _ => format!("Both have {}: {cards}", named(self.hand)),
        }
    }
}

/// Returns ranks as people write them: `8-8-A-K-10`.
fn in_dashes(ranks: &[Rank]) -> String {
    let letter = |rank: &Rank| match rank {
        Rank::Ten => "10".to_owned(),
        rank => rank.to_string(),
    };
    ranks.iter().map(letter).collect::<Vec<_>>().join("-")
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
