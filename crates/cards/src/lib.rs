//! Cards, sets of cards, and how strong poker hands are.
//!
//! This crate knows the pack and nothing of any game played with it: no wagers, no dealer, no
//! random source. It has no dependencies and no unsafe code.
//!
//! # Cards and sets
//!
//! A [`Card`] has a [`Rank`] and a [`Suit`]. It prints as `As`, or with its symbol as `A♠`, and is
//! read in the spellings that people use. [`parse_cards`] keeps the order; a [`CardSet`] does not,
//! but it is a single word and has the algebra of sets.
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
//!     "As (card 3, at character 7) is repeated: it is card 1 already"
//! );
//! # Ok::<(), croupier_cards::ParseCardsError>(())
//! ```
//!
//! # How strong a hand is
//!
//! [`Five::of`] ranks the best five of five, six or seven cards. What it returns is one comparable
//! number that knows its [`Category`] and its name; [`Five::best`] returns the five cards as well.
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
//! assert_eq!(hand.to_string(), "full house, kings over fours");
//! # Ok::<(), croupier_cards::ParseCardsError>(())
//! ```
//!
//! [`Three::of`] does the same for three cards, whose order is another: a straight beats a flush.
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
//! A [`Hand`] takes cards one at a time and can be ranked from the fifth to the seventh, so a loop
//! adds only what changes. [`CardSet::subsets`] goes through all choices of some cards, and
//! [`CardSet::number`] numbers them. Here is the chance that the dealer shows no pair on a board:
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
//! # Suits renamed
//!
//! No suit beats another, so most spots are the same spot with other suits. [`canonical`] maps
//! a spot to the form that it shares with others and says how many do; [`holes`], [`flops`],
//! [`boards`] and [`flops_with_holes`] list all forms there are.
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
//! A card is one addition, a hand two look-ups. [`lookup`] explains the tables and makes them.

// The law of the pure crates: exact numbers only.
#![deny(clippy::float_arithmetic)]

mod canonical;
mod card;
mod category;
mod deck;
mod five;
mod hand;
pub mod lookup;
mod rank;
mod ranks;
mod set;
mod strength;
mod subsets;
mod suit;
mod suit_map;
mod text;
mod three;

pub use canonical::{Canonical, boards, canonical, flops, flops_with_holes, holes};
pub use card::Card;
pub use category::{Category, ParseCategoryError};
pub use deck::{Deck, DeckError};
pub use five::Five;
pub use hand::Hand;
pub use rank::Rank;
pub use ranks::Ranks;
pub use set::{CardSet, Cards};
pub use subsets::{Subsets, choose};
pub use suit::Suit;
pub use suit_map::SuitMap;
pub use text::{ParseCardsError, Place, parse_cards};
pub use three::Three;

/// The README's program runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
