//! Cards as people write them.
//!
//! Output has one form, `As Kd Th`. Input is flexible: `10h`, `A♠`, lower case, any separators
//! between the cards or none.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::{Card, CardSet, Rank, Suit};

/// Reads cards in the order in which they are written, each at most once.
///
/// A card is a rank (`2` to `9`, `T` or `10`, `J`, `Q`, `K`, `A`) and a suit (`c`, `d`, `h`, `s`,
/// or its symbol), in either case, or a single character such as `🂡`. Spaces and punctuation may
/// separate cards, but none is needed; `?` and `*` don't, because they stand for unknown cards. A
/// text without cards gives an empty list.
///
/// # Errors
///
/// The first thing that is not a card, or the first repeated card, with its position.
///
/// # Examples
///
/// ```
/// use croupier_cards::parse_cards;
///
/// let cards = parse_cards("As Kd Th")?;
/// assert_eq!(parse_cards("askd10h")?, cards);
/// assert_eq!(parse_cards("[A♠, K♦ | T♥]")?, cards);
///
/// let error = parse_cards("As Kd Xh").unwrap_err();
/// assert!(error.to_string().starts_with("\"Xh\" (card 3, at character 7) is not a card"));
/// # Ok::<(), croupier_cards::ParseCardsError>(())
/// ```
pub fn parse_cards(text: &str) -> Result<Vec<Card>, ParseCardsError> {
    let mut found: Vec<(Card, Place)> = Vec::new();
    let mut rest = skip_separators(text);
    while !rest.is_empty() {
        let start = text.len() - rest.len();
        let place = Place { card: found.len() + 1, character: text[..start].chars().count() + 1 };
        let Some((card, after)) = read_card(rest) else {
            return Err(ParseCardsError::NotACard { text: wrong_text(rest), place });
        };
        if let Some(&(_, first)) = found.iter().find(|(earlier, _)| *earlier == card) {
            return Err(ParseCardsError::Repeated { card, place, first });
        }
        found.push((card, place));
        rest = skip_separators(after);
    }
    Ok(found.into_iter().map(|(card, _)| card).collect())
}

/// Reads one card at the start of the text and returns it with the rest of the text.
fn read_card(text: &str) -> Option<(Card, &str)> {
    if let Some(found) = split_first(text, from_picture) {
        return Some(found);
    }
    let (rank, text) = match text.strip_prefix("10") {
        Some(text) => (Rank::Ten, text),
        None => split_first(text, Rank::from_letter)?,
    };
    let (suit, text) = split_first(text, Suit::from_letter)?;
    Some((Card::new(rank, suit), text))
}

fn split_first<T>(text: &str, read: impl Fn(char) -> Option<T>) -> Option<(T, &str)> {
    let mut letters = text.chars();
    let value = read(letters.next()?)?;
    Some((value, letters.as_str()))
}

/// Returns the card that a single character shows, such as `🂡`. The backs, knights and jokers among
/// those characters are not in the pack.
fn from_picture(picture: char) -> Option<Card> {
    let code = u32::from(picture);
    let suit = match code >> 4 {
        0x1f0a => Suit::Spades,
        0x1f0b => Suit::Hearts,
        0x1f0c => Suit::Diamonds,
        0x1f0d => Suit::Clubs,
        _ => return None,
    };
    let rank = match code & 15 {
        1 => Rank::Ace,
        place @ 2..=11 => Rank::ALL[place as usize - 2],
        13 => Rank::Queen,
        14 => Rank::King,
        _ => return None,
    };
    Some(Card::new(rank, suit))
}

fn is_separator(letter: char) -> bool {
    let picture = ('\u{1f0a0}'..='\u{1f0ff}').contains(&letter);
    let unknown = matches!(letter, '?' | '*');
    !letter.is_alphanumeric() && !picture && !unknown && Suit::from_letter(letter).is_none()
}

fn skip_separators(text: &str) -> &str {
    text.trim_start_matches(is_separator)
}

/// Returns the part to show of a text that does not start with a card: up to a space, a comma or a
/// valid card, and short enough for a line.
fn wrong_text(text: &str) -> String {
    const SHOWN: usize = 12;
    let ends = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '|');
    let end = text
        .char_indices()
        .skip(1)
        .find(|&(at, letter)| ends(letter) || read_card(&text[at..]).is_some())
        .map_or(text.len(), |(at, _)| at);
    let wrong = &text[..end];
    match wrong.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &wrong[..at]),
        None => wrong.to_owned(),
    }
}

/// A card's position in a text, both parts counted from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of cards up to this one, including it.
    pub card: usize,
    /// The number of characters up to this card's first one, including it.
    pub character: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "card {}, at character {}", self.card, self.character)
    }
}

/// The reason a text could not be read as cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseCardsError {
    /// Something is not a card.
    NotACard {
        /// The text found instead, shortened if it is long.
        text: String,
        /// Its position.
        place: Place,
    },
    /// A card appears twice.
    Repeated {
        /// The card.
        card: Card,
        /// The position of the second one.
        place: Place,
        /// The position of the first one.
        first: Place,
    },
    /// A single card was expected, but the text has none or several.
    NotOneCard {
        /// The number of cards in the text.
        found: usize,
    },
}

impl fmt::Display for ParseCardsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotACard { text, place } => write!(
                f,
                "\"{text}\" ({place}) is not a card: write a rank (2 to 9, T or 10, J, Q, K, A) \
                 and a suit (c, d, h, s), as in As or 10h"
            ),
            Self::Repeated { card, place, first } => {
                write!(f, "{card} ({place}) is repeated: it is already card {}", first.card)
            }
            Self::NotOneCard { found: 0 } => {
                write!(f, "there is no card: write a rank and a suit, as in As or 10h")
            }
            Self::NotOneCard { found } => write!(f, "there are {found} cards: write just one"),
        }
    }
}

impl Error for ParseCardsError {}

impl FromStr for Card {
    type Err = ParseCardsError;

    /// Reads exactly one card.
    fn from_str(text: &str) -> Result<Self, ParseCardsError> {
        // The spelling that Croupier itself writes is read without allocating a list.
        if let Some((card, "")) = read_card(text) {
            return Ok(card);
        }
        match *parse_cards(text)? {
            [card] => Ok(card),
            ref cards => Err(ParseCardsError::NotOneCard { found: cards.len() }),
        }
    }
}

impl FromStr for CardSet {
    type Err = ParseCardsError;

    /// Reads any number of cards, each at most once.
    fn from_str(text: &str) -> Result<Self, ParseCardsError> {
        Ok(parse_cards(text)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the one character that shows the card.
    fn picture(card: Card) -> char {
        let rows = [0x1f0d0, 0x1f0c0, 0x1f0b0, 0x1f0a0];
        let places = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 1];
        char::from_u32(rows[card.suit() as usize] + places[card.rank() as usize]).unwrap()
    }

    fn message(text: &str) -> String {
        parse_cards(text).unwrap_err().to_string()
    }

    #[test]
    fn every_card_is_read_in_every_spelling() {
        for card in Card::ALL {
            let (rank, suit) = (card.rank(), card.suit());
            let outlined = ['♧', '♢', '♡', '♤'][suit as usize];
            let mut spellings = vec![
                card.to_string(),
                format!("{card:#}"),
                card.to_string().to_lowercase(),
                card.to_string().to_uppercase(),
                format!("{rank}{outlined}"),
                format!(" {card}, "),
                // An emoji is the symbol followed by a variation selector.
                format!("{card:#}\u{fe0f}"),
                picture(card).to_string(),
            ];
            if suit == Suit::Hearts {
                spellings.push(format!("{rank}❤\u{fe0f}"));
            }
            if rank == Rank::Ten {
                spellings.extend([format!("10{suit}"), format!("10{}", suit.symbol())]);
            }
            for spelling in spellings {
                assert_eq!(spelling.parse(), Ok(card), "{spelling:?}");
            }
        }
    }

    #[test]
    fn cards_keep_their_order() {
        let cards = ["Th", "9h", "2c", "4d", "Ks"].map(|card| card.parse::<Card>().unwrap());
        for text in [
            "Th 9h 2c 4d Ks",
            "Th9h2c 4d Ks",
            "10h9h2c4dks",
            "T♥,9♥,2♣ / 4♦ / K♠",
            "\t(TH-9H-2C)\n[4D] «KS»",
            "10♥️9♥️2♣️4♦️K♠️",
        ] {
            assert_eq!(parse_cards(text).unwrap(), cards, "{text:?}");
        }
        assert_eq!(parse_cards("").unwrap(), []);
        assert_eq!(parse_cards(" , ").unwrap(), []);
    }

    #[test]
    fn a_wrong_card_is_named_with_its_place() {
        for (text, start) in [
            ("1h", "\"1h\" (card 1, at character 1) is not a card: write"),
            ("As Kx", "\"Kx\" (card 2, at character 4) is not a card: write"),
            ("A♠K♦Xd2c", "\"Xd\" (card 3, at character 5) is not a card: write"),
            ("As, K, 2c", "\"K\" (card 2, at character 5) is not a card: write"),
            ("A s", "\"A\" (card 1, at character 1) is not a card: write"),
            ("A-s", "\"A-s\" (card 1, at character 1) is not a card: write"),
            ("As ?? Kd", "\"??\" (card 2, at character 4) is not a card: write"),
            ("🂡 🂠 🂮", "\"🂠\" (card 2, at character 3) is not a card: write"),
            ("🃏", "\"🃏\" (card 1, at character 1) is not a card: write"),
            ("As 10", "\"10\" (card 2, at character 4) is not a card: write"),
            ("sA", "\"sA\" (card 1, at character 1) is not a card: write"),
            ("♠", "\"♠\" (card 1, at character 1) is not a card: write"),
            ("queen of hearts", "\"queen\" (card 1, at character 1) is not a card: write"),
            ("nosuchcardcanbe", "\"nosuchcardca…\" (card 1, at character 1) is not"),
        ] {
            assert!(message(text).starts_with(start), "{text:?}: {}", message(text));
        }
    }

    #[test]
    fn a_repeated_card_is_named_with_both_places() {
        assert_eq!(
            message("As Kd 10h a♠"),
            "As (card 4, at character 11) is repeated: it is already card 1"
        );
        assert!("AsAs".parse::<CardSet>().is_err());
    }

    #[test]
    fn a_single_card_must_be_exactly_one() {
        for (text, found) in [("", 0), ("-", 0), ("As Kd", 2), ("AsKdQh", 3)] {
            assert_eq!(text.parse::<Card>(), Err(ParseCardsError::NotOneCard { found }));
        }
    }
}
