//! The strength of three cards.

use std::fmt;

use crate::strength::{self, number_of_ranks, pick, rank, ranks_of_number, straight};
use crate::{Card, CardSet, Category, Rank, Suit};

/// The strength of a three-card poker hand: the better hand is the greater value.
///
/// With three cards a straight is rarer than a flush and beats it, and three of a kind beats both.
/// The rest is as with five cards: all cards count, suits decide nothing, and an ace counts low in
/// `3-2-A` only, which is the lowest straight.
///
/// ```
/// use croupier_cards::{Category, Three};
///
/// let player = Three::of("3c 2d Ah".parse()?);
/// let dealer = Three::of("As Qs 9s".parse()?);
/// assert_eq!(player.category(), Category::Straight);
/// assert_eq!(player.to_string(), "three-high straight");
/// assert!(player > dealer);
/// # Ok::<(), croupier_cards::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Three(
    /// As [`strength`] packs it.
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

    /// Returns the strength of three cards.
    ///
    /// # Panics
    ///
    /// If there are fewer cards or more.
    pub fn of(cards: CardSet) -> Self {
        assert!(cards.len() == 3, "a hand is three cards, not {}", cards.len());
        let mut dealt = cards.iter();
        let mut ranks = [(); 3].map(|()| dealt.next().map_or(Rank::Two, Card::rank));
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        if ranks == [Rank::Ace, Rank::Three, Rank::Two] {
            ranks = [Rank::Three, Rank::Two, Rank::Ace];
        }
        let suited = Suit::ALL.into_iter().any(|suit| cards.of_suit(suit) == cards);
        let straight = straight(ranks[0] as u16) == ranks;
        let [a, b, c] = ranks;
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

    /// Returns the strength of three cards, and the cards, most significant first.
    ///
    /// # Panics
    ///
    /// If there are fewer cards or more.
    pub fn best(cards: CardSet) -> (Self, [Card; 3]) {
        let three = Self::of(cards);
        (three, pick(three.ranks(), cards).expect("the hand has these ranks"))
    }

    /// Returns the hand's category.
    #[inline]
    pub const fn category(self) -> Category {
        Self::CATEGORIES[strength::place(self.0)]
    }

    /// Tells whether the hand is of this category or a better one.
    ///
    /// # Panics
    ///
    /// If three cards cannot be of this category.
    pub fn is_at_least(self, category: Category) -> bool {
        self.0 >= strength::pack(&Self::CATEGORIES, category, 0)
    }

    /// Returns the strength as a bare number, category in the high four bits.
    ///
    /// Greater is stronger; equal is a tie. Nothing else about the number is promised.
    pub const fn value(self) -> u16 {
        self.0
    }

    /// Returns the ranks of the three cards, most significant first.
    ///
    /// A pair of fours with an ace is `4 4 A`; the lowest straight is `3 2 A`.
    pub fn ranks(self) -> [Rank; 3] {
        let detail = strength::detail(self.0);
        match self.category() {
            Category::HighCard | Category::Flush => ranks_of_number(detail),
            Category::Pair => [rank(detail / 13), rank(detail / 13), rank(detail % 13)],
            Category::ThreeOfAKind => [rank(detail); 3],
            _ => straight(detail),
        }
    }

    /// Returns the hand of this category with these ranks, most significant first.
    fn new(category: Category, ranks: [Rank; 3]) -> Self {
        let [a, _, c] = ranks.map(|rank| rank as u16);
        let detail = match category {
            Category::HighCard | Category::Flush => number_of_ranks(&ranks),
            Category::Pair => a * 13 + c,
            _ => a,
        };
        let three = Self(strength::pack(&Self::CATEGORIES, category, detail));
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
            Category::ThreeOfAKind => format!("three {}", a.plural()),
            Category::MiniRoyal => category.to_string(),
            _ => format!("{}-high {category}", a.name()),
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
        Three::of(cards.parse().unwrap())
    }

    #[test]
    fn hands_have_names() {
        for (cards, name) in [
            ("Qs 3d 2h", "queen high"),
            ("6s Td 6h", "pair of sixes"),
            ("As Ks 2s", "ace-high flush"),
            ("As Kd Qh", "ace-high straight"),
            ("3s Ad 2h", "three-high straight"),
            ("6s 6d 6h", "three sixes"),
            ("3s 2s As", "three-high straight flush"),
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
    #[test]
    fn the_cards_are_shown_in_the_order_that_decides() {
        for (cards, shown) in [("2c 10d 10h", "Th Td 2c"), ("Ad 3c 2h", "3c 2h Ad")] {
            let (_, best) = Three::best(cards.parse().unwrap());
            assert_eq!(best.map(|card| card.to_string()).join(" "), shown);
        }
    }

    #[test]
    fn a_straight_or_better_beats_every_flush() {
        assert!(three("3s Ad 2h").is_at_least(Category::Straight));
        assert!(!three("As Ks Js").is_at_least(Category::Straight));
    }

    #[test]
    #[should_panic(expected = "a hand is three cards, not 2")]
    fn a_repeated_card_is_not_a_hand() {
        let ace = Card::ALL[51];
        Three::of(CardSet::from([ace, ace, Card::ALL[0]]));
    }
}
