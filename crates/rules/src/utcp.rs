//! Ultimate Three Card Poker.

use croupier_cards::{CardSet, Category, Rank, Three};

use crate::game::{Deal, GameDef, Pass, Raises, Street, StreetName, Strength};

/// Three cards each, and one decision: fold, or bet the ante once; with a pair or better, up to
/// three times. All the dealer's cards stay down until the showdown.
pub(crate) static GAME: GameDef = GameDef {
    title: "Ultimate Three Card Poker",
    bonus: "Pair Plus",
    hole_cards: 3,
    community_cards: 0,
    deals: &[Deal::Threes],
    hands: &Three::CATEGORIES,
    streets: &[Street {
        name: StreetName::ThreeCards,
        community_shown: 0,
        pass: Pass::Fold,
        raises: Raises::House { from: Category::Pair },
    }],
    strength,
    qualifying_hand: "queen-high or better",
    unqualified_hand: "less than queen high",
    qualifies,
};

fn strength(hole: CardSet, _: CardSet) -> Strength {
    Strength::Three(Three::of(hole))
}

/// Tells whether the dealer has queen-high or better.
fn qualifies(dealer: Strength) -> bool {
    match dealer {
        Strength::Three(three) => {
            three.is_at_least(Category::Pair) || three.ranks()[0] >= Rank::Queen
        }
        Strength::Five(_) => unreachable!("five cards are another game"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn qualifies_with(hole: &str) -> bool {
        (GAME.qualifies)((GAME.strength)(hole.parse().unwrap(), CardSet::EMPTY))
    }

    #[test]
    fn queen_high_qualifies_and_jack_high_does_not() {
        assert!(qualifies_with("Qs 3d 2h"));
        assert!(!qualifies_with("Js Td 8h"));
        assert!(qualifies_with("2s 2d 3h"));
        assert!(qualifies_with("As 3d 2h"));
        assert!(qualifies_with("5s 3s 2s"));
    }

    #[test]
    fn a_straight_beats_a_flush() {
        let [straight, flush] = ["4s 3d 2h", "As Ks Js"]
            .map(|hole| (GAME.strength)(hole.parse().unwrap(), CardSet::EMPTY));
        assert!(straight > flush);
    }
}
