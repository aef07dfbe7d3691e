//! The strength of five cards.

use std::fmt;

use crate::strength::{
    self, THREE_RANKS, TWO_RANKS, number_of_ranks, pick, rank, ranks_of_number, straight,
};
use crate::{Card, CardSet, Category, Hand, Rank, Suit, lookup};

/// The strength of a five-card poker hand: the better hand is the greater value.
///
/// Two hands are equal exactly when they tie. Suits make flushes and decide nothing else; an ace
/// counts low in `5-4-3-2-A` only, which is the lowest straight.
///
/// ```
/// use croupier_cards::{Category, Five};
///
/// let player = Five::of("Kc Kd Kh 4s 4d 9c 2h".parse()?);
/// let dealer = Five::of("Ah Qh 9h 5h 3h 3c 3d".parse()?);
/// assert!(player > dealer);
/// assert_eq!(player.category(), Category::FullHouse);
/// assert_eq!(player.to_string(), "kings full of fours");
/// # Ok::<(), croupier_cards::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Five(
    /// As [`strength`] packs it.
    u16,
);

impl Five {
    /// The categories of five-card hands, weakest first.
    pub const CATEGORIES: [Category; 10] = [
        Category::HighCard,
        Category::Pair,
        Category::TwoPair,
        Category::ThreeOfAKind,
        Category::Straight,
        Category::Flush,
        Category::FullHouse,
        Category::FourOfAKind,
        Category::StraightFlush,
        Category::RoyalFlush,
    ];

    /// Returns the strength of the best five of five, six or seven cards.
    ///
    /// # Panics
    ///
    /// If there are fewer cards or more.
    pub fn of(cards: CardSet) -> Self {
        assert!(
            (5..=7).contains(&cards.len()),
            "the best five are chosen from five, six or seven cards, not from {}",
            cards.len()
        );
        Hand::from(cards).five()
    }

    /// Returns the strength of the best five of five, six or seven cards of one suit, given their
    /// ranks as bits, deuce lowest, as [`CardSet::ranks_in`] returns them.
    ///
    /// ```
    /// use croupier_cards::{CardSet, Five, Suit};
    ///
    /// let cards: CardSet = "Ah Kh 9h 5h 3h 2h".parse()?;
    /// assert_eq!(Five::suited(cards.ranks_in(Suit::Hearts)), Five::of(cards));
    /// # Ok::<(), croupier_cards::ParseCardsError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If there are fewer than five ranks.
    #[inline]
    pub fn suited(ranks: u16) -> Self {
        let strength = lookup::suited(ranks);
        assert!(strength != 0, "a flush has five cards");
        Self(strength)
    }

    /// Returns the strength of the best five of five, six or seven cards, and those five cards,
    /// most significant first.
    ///
    /// If either of two cards fits, it is the one of the later suit.
    ///
    /// ```
    /// use croupier_cards::Five;
    ///
    /// let (five, cards) = Five::best("Ah 2c 3c 4d 5s Kc Kd".parse()?);
    /// assert_eq!(five.to_string(), "five-high straight");
    /// assert_eq!(cards.map(|card| card.to_string()).join(" "), "5s 4d 3c 2c Ah");
    /// # Ok::<(), croupier_cards::ParseCardsError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If there are fewer cards or more.
    pub fn best(cards: CardSet) -> (Self, [Card; 5]) {
        let five = Self::of(cards);
        let ranks = five.ranks();
        let picked = if five.is_suited() {
            Suit::ALL.into_iter().find_map(|suit| pick(ranks, cards.of_suit(suit)))
        } else {
            pick(ranks, cards)
        };
        (five, picked.expect("the best five are among the cards"))
    }

    /// Tells whether all five cards are of one suit.
    fn is_suited(self) -> bool {
        let category = self.category();
        matches!(category, Category::Flush | Category::StraightFlush | Category::RoyalFlush)
    }

    /// Returns the hand's category.
    #[inline]
    pub const fn category(self) -> Category {
        Self::CATEGORIES[strength::place(self.0)]
    }

    /// Tells whether the hand is of this category or a better one.
    ///
    /// ```
    /// use croupier_cards::{Category, Five};
    ///
    /// let dealer = Five::of("2c 2d 8h 7s 5c 4d Jh".parse()?);
    /// assert!(dealer.is_at_least(Category::Pair));
    /// # Ok::<(), croupier_cards::ParseCardsError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If five cards cannot be of this category.
    pub fn is_at_least(self, category: Category) -> bool {
        self.0 >= strength::pack(&Self::CATEGORIES, category, 0)
    }

    /// Returns the strength as a bare number, category in the high four bits.
    ///
    /// Greater is stronger; equal is a tie. Nothing else about the number is promised.
    pub const fn value(self) -> u16 {
        self.0
    }

    /// Returns the ranks of the five cards, most significant first.
    ///
    /// A pair of fours with an ace is `4 4 A …`; the lowest straight is `5 4 3 2 A`.
    pub fn ranks(self) -> [Rank; 5] {
        let detail = strength::detail(self.0);
        match self.category() {
            Category::HighCard | Category::Flush => ranks_of_number(detail),
            Category::Pair => {
                let pair = rank(detail / THREE_RANKS);
                let [a, b, c] = ranks_of_number(detail % THREE_RANKS);
                [pair, pair, a, b, c]
            }
            Category::TwoPair => {
                let [high, low] = ranks_of_number(detail / 13);
                [high, high, low, low, rank(detail % 13)]
            }
            Category::ThreeOfAKind => {
                let three = rank(detail / TWO_RANKS);
                let [a, b] = ranks_of_number(detail % TWO_RANKS);
                [three, three, three, a, b]
            }
            Category::FullHouse => {
                let (three, pair) = (rank(detail / 13), rank(detail % 13));
                [three, three, three, pair, pair]
            }
            Category::FourOfAKind => {
                let (four, kicker) = (rank(detail / 13), rank(detail % 13));
                [four, four, four, four, kicker]
            }
            _ => straight(detail),
        }
    }

    /// Returns the hand of this category with these ranks, most significant first.
    pub(crate) fn new(category: Category, ranks: [Rank; 5]) -> Self {
        let [a, _, _, d, e] = ranks.map(|rank| rank as u16);
        let detail = match category {
            Category::HighCard | Category::Flush => number_of_ranks(&ranks),
            Category::Pair => a * THREE_RANKS + number_of_ranks(&ranks[2..]),
            Category::TwoPair => number_of_ranks(&[ranks[0], ranks[2]]) * 13 + e,
            Category::ThreeOfAKind => a * TWO_RANKS + number_of_ranks(&ranks[3..]),
            Category::FullHouse => a * 13 + d,
            Category::FourOfAKind => a * 13 + e,
            _ => a,
        };
        let five = Self::from_value(strength::pack(&Self::CATEGORIES, category, detail));
        debug_assert_eq!(five.ranks(), ranks, "the deciding ranks come first");
        five
    }

    /// Returns the hand with this value, which must be a hand's.
    pub(crate) const fn from_value(value: u16) -> Self {
        Self(value)
    }
}

impl fmt::Display for Five {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, _, c, d, e] = self.ranks();
        let category = self.category();
        f.pad(&match category {
            Category::HighCard => format!("{} high", a.name()),
            Category::Pair => format!("pair of {}", a.plural()),
            Category::TwoPair => {
                let (article, kicker) = (e.article(), e.name());
                format!("{} and {}, with {article} {kicker}", a.plural(), c.plural())
            }
            Category::FullHouse => format!("{} full of {}", a.plural(), d.plural()),
            Category::ThreeOfAKind => format!("three {}", a.plural()),
            Category::FourOfAKind => format!("four {}", a.plural()),
            Category::RoyalFlush => category.to_string(),
            _ => format!("{}-high {category}", a.name()),
        })
    }
}

impl fmt::Debug for Five {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks = self.ranks().map(Rank::letter).iter().collect::<String>();
        write!(f, "Five({ranks}: {self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn five(cards: &str) -> Five {
        Five::of(cards.parse().unwrap())
    }

    #[test]
    fn hands_have_names() {
        for (cards, name) in [
            ("As Kd Th 7c 2d", "ace high"),
            ("7s 5d 4h 3c 2d", "seven high"),
            ("As Kd Th 2c 2d", "pair of deuces"),
            ("6s 6d Th Tc 2d 2c 4h", "tens and sixes, with a four"),
            ("Ks Kd 8h 8c Ad", "kings and eights, with an ace"),
            ("6s 6d 6h Tc 2d 4c 9h", "three sixes"),
            ("As 2d 3h 4c 5d Kc Qh", "five-high straight"),
            ("As Kd Qh Jc Td 4c 9h", "ace-high straight"),
            ("Qs 2s 3s 4s 7s 5d 6c", "queen-high flush"),
            ("Kc Kd Kh 4s 4d 4h As", "kings full of fours"),
            ("9c 9d 9h 9s 4d 4h 4s", "four nines"),
            ("Ac 2c 3c 4c 5c Ad As", "five-high straight flush"),
            ("Ah Kh Qh Jh Th 9h 8h", "royal flush"),
        ] {
            assert_eq!(five(cards).to_string(), name, "{cards}");
        }
    }

    #[test]
    fn kickers_decide_and_suits_do_not() {
        assert!(five("4s 4d Ah 3c 2d") > five("3s 3d Ah Kc Qd"));
        assert!(five("4s 4d Ah 5c 3d") > five("4h 4c Ad 5d 2s"));
        assert_eq!(five("4s 4d Ah 5c 3d"), five("4h 4c Ad 5d 3s"));
        assert!(five("6s 2d 3h 4c 5d") > five("As 2d 3h 4c 5d"));
        assert!(five("Ks Kd Kh 2c 2d") > five("Qs Qd Qh Ac Ad"));
        assert!(five("Ks Qs 9s 3s 2s") > five("Kd Qd 8d 7d 6d"));
    }

    #[test]
    fn seven_cards_play_their_best_five() {
        // Two trips make a full house, three pairs leave the third pair's card as kicker, and a
        // sixth suited card below the straight flush changes nothing.
        assert_eq!(five("Ks Kd Kh 4c 4d 4h 9s"), five("Ks Kd Kh 4c 4d"));
        assert_eq!(five("As Ad Ks Kd Qh Qc 2s"), five("As Ad Ks Kd Qh"));
        assert_eq!(five("9s 8s 7s 6s 5s 3s Ad"), five("9s 8s 7s 6s 5s"));
        assert_eq!(five("As Kd Qh Jc 9d 8c 7h"), five("As Kd Qh Jc 9d"));
    }

    #[test]
    fn the_best_cards_are_shown_in_the_order_that_decides() {
        for (cards, best) in [
            ("2c 9d As 9h Kd 3c 4s", "9h 9d As Kd 4s"),
            ("Ks Kd 4h 4c Qd Qs 2h", "Ks Kd Qs Qd 4h"),
            ("Qs 2s 3s 4s 7s 9s Qd", "Qs 9s 7s 4s 3s"),
            ("Ah Kh Qh Jh Th As Ks", "Ah Kh Qh Jh Th"),
            ("5c 6d 7h 8s 9c 9d 9h", "9h 8s 7h 6d 5c"),
        ] {
            let (_, shown) = Five::best(cards.parse().unwrap());
            assert_eq!(shown.map(|card| card.to_string()).join(" "), best);
        }
    }

    #[test]
    fn a_category_begins_with_its_weakest_hand() {
        assert!(five("2s 2d 8h 7c 5d").is_at_least(Category::Pair));
        assert!(!five("As Kd Qh Jc 9d").is_at_least(Category::Pair));
        assert!(five("6s 2d 3h 4c 5d").is_at_least(Category::Straight));
        assert!(!five("6s 2d 3h 4c 5d").is_at_least(Category::Flush));
    }

    #[test]
    #[should_panic(expected = "not from 4")]
    fn four_cards_are_not_a_hand() {
        five("As Kd Th 9c");
    }
}
