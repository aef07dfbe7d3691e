//! Ultimate Texas Hold'em.

use croupier_cards::{CardSet, Category, Five};

use crate::game::{Deal, GameDef, Pass, Raises, Street, StreetName, Strength};

/// Two cards each, and five community cards. The earlier a player bets, the larger the bet can be:
/// what the house allows before the flop (three or four times the ante), twice the ante on the
/// flop, once on the river.
pub(crate) static GAME: GameDef = GameDef {
    title: "Ultimate Texas Hold'em",
    bonus: "Trips",
    hole_cards: 2,
    community_cards: 5,
    deals: &[Deal::Pairs, Deal::Singles, Deal::BoardFirst],
    hands: &Five::CATEGORIES,
    streets: &[
        Street {
            name: StreetName::BeforeFlop,
            community_shown: 0,
            pass: Pass::Check,
            raises: Raises::House { from: Category::HighCard },
        },
        Street {
            name: StreetName::Flop,
            community_shown: 3,
            pass: Pass::Check,
            raises: Raises::Fixed(&[2]),
        },
        Street {
            name: StreetName::River,
            community_shown: 5,
            pass: Pass::Fold,
            raises: Raises::Fixed(&[1]),
        },
    ],
    strength,
    qualifying_hand: "a pair or better",
    unqualified_hand: "no pair",
    qualifies,
};

/// Returns the best five of all seven cards, for player and dealer alike.
fn strength(hole: CardSet, community: CardSet) -> Strength {
    Strength::Five(Five::of(hole | community))
}

/// Tells whether the dealer has a pair or better.
fn qualifies(dealer: Strength) -> bool {
    dealer.category() != Category::HighCard
}

#[cfg(test)]
mod tests {
    use super::*;

    fn qualifies_with(hole: &str, board: &str) -> bool {
        (GAME.qualifies)((GAME.strength)(hole.parse().unwrap(), board.parse().unwrap()))
    }

    #[test]
    fn the_weakest_pair_qualifies() {
        assert!(qualifies_with("2c 2d", "8h 7s 5c 4d 3h"));
        assert!(qualifies_with("As Kd", "8h 8s 5c 4d 2h"));
    }

    #[test]
    fn the_best_hand_without_a_pair_does_not_qualify() {
        assert!(!qualifies_with("As Kd", "Qh Jc 9d 8c 7h"));
    }
}
