//! How strong three cards are.

use std::fmt;

use crate::five::{number_of_ranks, ranks_of_number};
use crate::{Card, Category, Rank};

/// The strength of a three-card poker hand: the better hand is the greater value.
///
/// With three cards a straight is rarer than a flush and beats it, and three of a kind beats both.
/// Otherwise things are as with five cards: all cards count, suits decide nothing, and an
/// ace counts low in `3-2-A` only, which is the lowest straight.
///
/// ```
/// use croupier_cards::{Card, Category, Three};
///
/// let cards = |text: &str| -> [Card; 3] {
///     croupier_cards::parse_cards(text).unwrap().try_into().unwrap()
/// };
/// let player = Three::of(cards("3c 2d Ah"));
/// let dealer = Three::of(cards("As Qs 9s"));
/// assert_eq!(player.category(), Category::Straight);
/// assert_eq!(player.to_string(), "straight, three high");
/// assert!(player > dealer);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Three(
    /// The category's place in [`Three::CATEGORIES`] in the high four bits; below it, what decides
    /// between hands of the category.
    u16,
);

impl Three {
    /// The categories of three-card hands, weakest first.
    pub const CATEGORIES: [Category; 7] = [
        Category::HighCard,
        Category::Pair,
        Category::Flush,
        Category::Straight,
        Category::ThreeOfAKind,
        Category::StraightFlush,
        Category::MiniRoyal,
    ];

    /// Returns the strength of three different cards.
    pub fn of(cards: [Card; 3]) -> Self {
        let mut ranks = cards.map(Card::rank);
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        let suited = cards.iter().all(|card| card.suit() == cards[0].suit());
        // Where the last of the three is the lowest straight's ace, the three leads.
        if ranks == [Rank::Ace, Rank::Three, Rank::Two] {
            ranks.rotate_left(1);
        }
        let [a, b, c] = ranks;
        let below = |rank: Rank, other: Rank| (rank as u16 + 12) % 13 == other as u16;
        let straight = below(a, b) && below(b, c);
        match (straight, suited) {
            (true, true) if a == Rank::Ace => Self::new(Category::MiniRoyal, ranks),
            (true, true) => Self::new(Category::StraightFlush, ranks),
            (true, false) => Self::new(Category::Straight, ranks),
            (false, true) => Self::new(Category::Flush, ranks),
            _ if a == c => Self::new(Category::ThreeOfAKind, ranks),
            _ if a == b => Self::new(Category::Pair, ranks),
            _ if b == c => Self::new(Category::Pair, [b, c, a]),
            _ => Self::new(Category::HighCard, ranks),
        }
    }

    /// Returns the hand's category.
    pub const fn category(self) -> Category {
        Self::CATEGORIES[(self.0 >> 12) as usize]
    }

    /// Returns the strength as a bare number, category in the high four bits.
    ///
    /// Greater is stronger; equal is a tie. Nothing else about the number is promised.
    pub const fn value(self) -> u16 {
        self.0
    }

    /// Returns the ranks of the three cards, those that decide first coming first.
    ///
    /// A pair of fours with an ace is `4 4 A`; the lowest straight is `3 2 A`.
    pub fn ranks(self) -> [Rank; 3] {
        let detail = self.0 & 0xfff;
        let rank = |index: u16| Rank::ALL[usize::from(index)];
        match self.category() {
            Category::HighCard | Category::Flush => ranks_of_number(detail),
            Category::Pair => [rank(detail / 13), rank(detail / 13), rank(detail % 13)],
            Category::ThreeOfAKind => [rank(detail); 3],
            // The ace stands below the deuce, thirteen places round.
            _ => [0, 1, 2].map(|below| rank((detail + 13 - below) % 13)),
        }
    }

    /// Returns the hand of this category with these ranks, those that decide first coming first.
    fn new(category: Category, ranks: [Rank; 3]) -> Self {
        let [a, _, c] = ranks.map(|rank| rank as u16);
        let detail = match category {
            Category::HighCard | Category::Flush => number_of_ranks(&ranks),
            Category::Pair => a * 13 + c,
            _ => a,
        };
        let place = (0..).zip(Self::CATEGORIES).find(|&(_, each)| each == category);
        let (place, _) = place.expect("a category of three-card hands");
        let three = Self(place << 12 | detail);
        debug_assert_eq!(three.ranks(), ranks, "the deciding ranks come first");
        three
    }
}

impl fmt::Display for Three {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, ..] = self.ranks();
        let category = self.category();
        f.pad(&match category {
            Category::HighCard => format!("{} high", a.name()),
            Category::Pair => format!("pair of {}", a.plural()),
            Category::ThreeOfAKind => format!("{category}, {}", a.plural()),
            Category::MiniRoyal => category.to_string(),
            _ => format!("{category}, {} high", a.name()),
        })
    }
}

impl fmt::Debug for Three {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks = self.ranks().map(Rank::letter).iter().collect::<String>();
        write!(f, "Three({ranks}: {self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three(cards: &str) -> Three {
        Three::of(crate::parse_cards(cards).unwrap().try_into().unwrap())
    }

    #[test]
    fn hands_have_names() {
        for (cards, name) in [
            ("Qs 3d 2h", "queen high"),
            ("6s Td 6h", "pair of sixes"),
            ("As Ks 2s", "flush, ace high"),
            ("As Kd Qh", "straight, ace high"),
            ("3s Ad 2h", "straight, three high"),
            ("6s 6d 6h", "three of a kind, sixes"),
            ("3s 2s As", "straight flush, three high"),
            ("Kd Ad Qd", "mini royal"),
        ] {
            assert_eq!(three(cards).to_string(), name, "{cards}");
        }
    }

    #[test]
    fn a_straight_beats_a_flush_and_three_of_a_kind_beats_both() {
        assert!(three("3s Ad 2h") > three("As Ks Js"));
        assert!(three("2s 2d 2h") > three("As Kd Qh"));
        assert!(three("3s 2s As") > three("As Ad Ah"));
        assert!(three("As Ks Qs") > three("Ks Qs Js"));
        assert!(three("4s 3d 2h") > three("3s 2d Ah"));
    }

    #[test]
    fn kickers_decide_and_suits_do_not() {
        assert!(three("4s 4d 2h") > three("3s 3d Ah"));
        assert!(three("4s 4d Ah") > three("4h 4c Kd"));
        assert_eq!(three("4s 4d Ah"), three("4h 4c Ad"));
        assert!(three("Qs 3d 2h") > three("Js Td 8h"));
        assert!(three("As Kd 3h") > three("Ac Kh 2d"));
    }
}
