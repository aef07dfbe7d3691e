//! Cards, sets of cards, and the strength of poker hands.
//!
//! This crate covers the pack and no game played with it: no wagers, no dealer, no randomness. It
//! has no dependencies and no unsafe code.
//!
//! # Cards and sets
//!
//! A [`Card`] has a [`Rank`] and a [`Suit`]. It prints as `As`, or with its symbol as `A♠`, and
//! parses from the common spellings. [`parse_cards`] keeps the order; a [`CardSet`] does not, but
//! it is a single machine word with the usual set operations.
//!
//! ```
//! use croupier_cards::{Card, CardSet, Rank, Suit, parse_cards};
//!
//! let card: Card = "10h".parse()?;
//! assert_eq!((card.rank(), card.suit()), (Rank::Ten, Suit::Hearts));
//!
//! let board = parse_cards("T♥ 9♥ 2♣ | 4d | ks")?;
//! assert_eq!(board[4], "Ks".parse()?);
//!
//! let dead: CardSet = board.into_iter().collect();
//! assert_eq!((!dead).len(), 47);
//! assert_eq!(dead.of_suit(Suit::Hearts).to_string(), "Th 9h");
//!
//! let mistake = "As Kd as".parse::<CardSet>().unwrap_err();
//! assert_eq!(
//!     mistake.to_string(),
//!     "As (card 3, at character 7) is repeated: it is already card 1"
//! );
//! # Ok::<(), croupier_cards::ParseCardsError>(())
//! ```
//!
//! # Hand strength
//!
//! [`Five::of`] ranks the best five of five, six or seven cards. It returns one comparable number
//! with a [`Category`] and a name; [`Five::best`] returns the five cards as well.
//!
//! ```
//! use croupier_cards::{CardSet, Category, Five};
//!
//! let board: CardSet = "4d 4h 9c Kd 2s".parse()?;
//! let player: CardSet = "Kc Kh".parse()?;
//! let dealer: CardSet = "Ad 4c".parse()?;
//!
//! let (hand, cards) = Five::best(board | player);
//! assert_eq!(cards.map(|card| card.to_string()).join(" "), "Kh Kd Kc 4h 4d");
//! assert!(hand > Five::of(board | dealer));
//! assert_eq!(hand.category(), Category::FullHouse);
//! assert_eq!(hand.to_string(), "kings full of fours");
//! # Ok::<(), croupier_cards::ParseCardsError>(())
//! ```
//!
//! [`Three::of`] does the same for three cards, which rank differently: a straight beats a flush.
//!
//! ```
//! use croupier_cards::Three;
//!
//! assert!(Three::of("3c 2d Ah".parse()?) > Three::of("As Qs 9s".parse()?));
//! assert_eq!(Three::of("Ad Qd Kd".parse()?).to_string(), "mini royal");
//! # Ok::<(), croupier_cards::ParseCardsError>(())
//! ```
//!
//! # Many hands
//!
//! A [`Hand`] takes cards one at a time and can be ranked with five to seven cards, so a loop adds
//! only the cards that change. [`CardSet::subsets`] iterates over all combinations of a size, and
//! [`CardSet::number`] numbers them. Here is the chance that the dealer has no pair on a board:
//!
//! ```
//! use croupier_cards::{CardSet, Category, Hand};
//!
//! let board: CardSet = "Th 9h 2c 4d Ks".parse()?;
//! let player: CardSet = "Ah Qs".parse()?;
//!
//! let on_board = Hand::from(board);
//! let dealers = (!(board | player)).subsets(2);
//! let all = dealers.len();
//! let unqualified = dealers
//!     .filter(|&dealer| (on_board + Hand::from(dealer)).five().category() == Category::HighCard)
//!     .count();
//! assert_eq!((unqualified, all), (381, 990));
//! # Ok::<(), croupier_cards::ParseCardsError>(())
//! ```
//!
//! # Suit symmetry
//!
//! No suit beats another, so most spots are the same spot with other suits. [`canonical`] maps a
//! spot to the form that all of them share and counts them; [`holes`], [`flops`], [`boards`] and
//! [`flops_with_holes`] list all forms.
//!
//! ```
//! use croupier_cards::{canonical, flops};
//!
//! assert_eq!(flops().count(), 1_755);
//! assert_eq!(flops().map(|flop| flop.multiplicity).sum::<u32>(), 22_100);
//!
//! let one = canonical(["Td 9d 2c".parse()?]);
//! let other = canonical(["Tc 9c 2s".parse()?]);
//! assert_eq!(one.cards, other.cards);
//! assert_eq!(one.cards[0].to_string(), "Ts 9s 2h");
//! # Ok::<(), croupier_cards::ParseCardsError>(())
//! ```
//!
//! # Why it is fast
//!
//! Adding a card is one addition; ranking a hand is two lookups. [`lookup`] explains the tables and
//! generates them.

// A rule for the pure crates: exact numbers only.
#![deny(clippy::float_arithmetic)]

mod canonical;
mod card;
mod category;
mod deck;
mod five;
mod hand;
pub mod lookup;
mod notation;
mod rank;
mod ranks;
mod set;
mod strength;
mod subsets;
mod suit;
mod suit_map;
mod three;

pub use canonical::{Canonical, boards, canonical, flops, flops_with_holes, holes};
pub use card::Card;
pub use category::{Category, ParseCategoryError};
pub use deck::{Deck, DeckError};
pub use five::Five;
pub use hand::Hand;
pub use notation::{ParseCardsError, Place, parse_cards};
pub use rank::Rank;
pub use ranks::Ranks;
pub use set::{CardSet, Cards};
pub use subsets::{Subsets, choose};
pub use suit::Suit;
pub use suit_map::SuitMap;
pub use three::Three;

/// The README's program runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
