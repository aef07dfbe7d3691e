//! The reason a wager ended as it did.

use croupier_cards::Category;

use crate::bet::Bet;
use crate::game::{Game, Strength};
use crate::house::{Banking, House};
use crate::judge::Outcome;
use crate::paytable::PayTable;
use crate::ratio::Ratio;
use crate::settle::{Settled, WagerResult};

/// Everything that a seat's wagers depend on except the money.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts<'a> {
    pub(super) house: &'a House,
    /// The bonus that is in force.
    pub(super) bonus: Option<&'a PayTable>,
    pub(super) dealer: Strength,
    pub(super) qualifies: bool,
    pub(super) outcome: Outcome,
    pub(super) hand: Strength,
}

impl Facts<'_> {
    /// Returns the reason a wager ended as it did: first by the rules, then by what the bank could
    /// cover.
    pub(super) fn why(self, bet: Bet, settled: &Settled) -> String {
        let Settled { staked, returned, result, uncovered } = *settled;
        match result {
            WagerResult::Void => "returned: the round is void".to_owned(),
            WagerResult::Returned => "returned: the bank could not cover it".to_owned(),
            WagerResult::Win if uncovered.is_positive() => {
                let paid = if returned > staked { "paid in part" } else { "no action, returned" };
                match (self.house.banking(), self.house.limits().round_payout_max) {
                    (Banking::House, Some(most)) => {
                        format!("{paid}: capped by the aggregate of {most}")
                    }
                    _ => format!("{paid}: {uncovered} was not covered"),
                }
            }
            WagerResult::Lose if returned.is_positive() => {
                format!("{}; {returned} was not covered", self.by_the_rules(bet))
            }
            WagerResult::Win | WagerResult::Lose | WagerResult::Push => self.by_the_rules(bet),
        }
    }

    /// Returns the reason by the rules, checked in the order of the rules.
    fn by_the_rules(self, bet: Bet) -> String {
        let game = self.house.game();
        match (bet, self.outcome) {
            (_, Outcome::Void) => "returned: the round is void".to_owned(),
            (Bet::Bonus, _) => {
                self.bonus.map_or_else(String::new, |table| bonus(table, game, self.category()))
            }
            (_, Outcome::Fold) => "lost with the fold".to_owned(),
            (Bet::Ante, _) if !self.qualifies => {
                format!("pushes: the dealer has {}", game.def().unqualified_hand)
            }
            (_, Outcome::Push) => "pushes: the hands tie".to_owned(),
            (_, Outcome::Lose) => {
                let dealer = named(self.dealer);
                // Two hands with the same name differ in the cards that the name leaves out. A
                // flush has no kicker: all its cards play.
                let same_name = self.dealer.to_string() == self.hand.to_string();
                let by = match self.category() {
                    _ if !same_name => "",
                    Category::Flush => ", by a higher card",
                    _ => ", by a kicker",
                };
                format!("loses to {dealer}{by}")
            }
            (Bet::Blind, Outcome::Win) => blind(self.house.blind_paytable(), game, self.category()),
            (Bet::Ante | Bet::Play, Outcome::Win) => "pays even money".to_owned(),
        }
    }

    const fn category(self) -> Category {
        self.hand.category()
    }
}

/// Returns the reason a winning hand's Blind is paid or pushes.
fn blind(table: &PayTable, game: Game, hand: Category) -> String {
    match paid(table, hand) {
        Some(ratio) => format!("{hand} pays {ratio:#}"),
        None => format!("pushes: {}", unpaid(table, game, hand)),
    }
}

/// Returns the reason a bonus wager is paid, pushes or loses.
fn bonus(table: &PayTable, game: Game, hand: Category) -> String {
    match table.pays(hand) {
        Some(ratio) if ratio.pays() > 0 => format!("{hand} pays {ratio:#}"),
        Some(_) => format!("pushes: {} gets the stake back", with_article(hand)),
        None => format!("loses: {}", unpaid(table, game, hand)),
    }
}

/// Returns the reason a hand is not paid: the hands that are.
fn unpaid(table: &PayTable, game: Game, hand: Category) -> String {
    match weakest_paid(table, game) {
        None => "no hand pays".to_owned(),
        Some(weakest) if is_weaker(game, hand, weakest) => {
            let better: Vec<Category> = stronger(game, weakest).collect();
            let all = better.iter().all(|&hand| paid(table, hand).is_some());
            match (with_article(weakest), &better[..]) {
                (weakest, []) => format!("needs {weakest}"),
                (weakest, _) if all => format!("needs {weakest} or better"),
                (weakest, _) => format!("nothing below {weakest} pays"),
            }
        }
        Some(_) => format!("{} does not pay", with_article(hand)),
    }
}

/// Returns a hand's payoff, if it is above zero.
fn paid(table: &PayTable, hand: Category) -> Option<Ratio> {
    table.pays(hand).filter(|ratio| ratio.pays() > 0)
}

fn weakest_paid(table: &PayTable, game: Game) -> Option<Category> {
    game.def().hands.iter().copied().find(|&hand| paid(table, hand).is_some())
}

/// Returns the hands of a game that beat this one, the weakest first.
fn stronger(game: Game, hand: Category) -> impl Iterator<Item = Category> {
    let hands = game.def().hands.iter().copied();
    hands.skip_while(move |&other| other != hand).skip(1)
}

fn is_weaker(game: Game, hand: Category, other: Category) -> bool {
    stronger(game, hand).any(|stronger| stronger == other)
}

/// Returns a category with its article, for use in a sentence: `a straight`, `two pair`.
fn with_article(hand: Category) -> String {
    match hand {
        Category::TwoPair | Category::ThreeOfAKind | Category::FourOfAKind => hand.to_string(),
        _ => format!("a {hand}"),
    }
}

/// Returns a hand with its article, for use in a sentence: `a pair of kings`, `ace high`.
pub(super) fn named(hand: Strength) -> String {
    let name = hand.to_string();
    match hand.category() {
        // They are plurals, or named after a card.
        Category::HighCard
        | Category::TwoPair
        | Category::ThreeOfAKind
        | Category::FullHouse
        | Category::FourOfAKind => name,
        // An ace or an eight comes first.
        _ if name.starts_with(['a', 'e']) => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;

    /// Returns every possible pay table for a wager of the three-card game: each hand pays, gets
    /// the stake back, or is not listed.
    fn every_table(bet: &str) -> impl Iterator<Item = PayTable> {
        let hands = Game::Utcp.def().hands;
        let count = 3_usize.pow(u32::try_from(hands.len()).expect("few"));
        (0..count).map(move |mut number| {
            let mut pays = Map::new();
            for hand in hands {
                match number % 3 {
                    0 => {}
                    1 => drop(pays.insert(hand.id().to_owned(), Value::from("0:1"))),
                    _ => drop(pays.insert(hand.id().to_owned(), Value::from("3:2"))),
                }
                number /= 3;
            }
            let table = json!({"id": "T", "title": "T", "source": "T", "bet": bet, "pays": pays});
            PayTable::from_json(&table).expect("a pay table")
        })
    }

    /// Checks a sentence about a pay table against the table itself.
    fn hold(said: &str, table: &PayTable) {
        let game = Game::Utcp;
        let pays = |hand: Category| paid(table, hand).is_some();
        for &hand in game.def().hands {
            let name = with_article(hand);
            let better = || stronger(game, hand);
            let rest = || game.def().hands.iter().filter(move |&&other| other != hand);
            if said.ends_with(&format!(": needs {name}")) {
                assert!(pays(hand) && !rest().any(|&other| pays(other)), "{said}");
            }
            if said.ends_with(&format!(": needs {name} or better")) {
                assert!(pays(hand) && better().all(pays), "{said}");
            }
            if said.ends_with(&format!("needs {name}"))
                || said.ends_with(&format!("needs {name} or better"))
                || said.ends_with(&format!("nothing below {name} pays"))
            {
                let below = rest().filter(|&&other| is_weaker(game, other, hand));
                assert!(!below.copied().any(pays), "{said}");
            }
            if said.ends_with(&format!(": {name} does not pay")) {
                assert!(!pays(hand), "{said}");
            }
        }
        if said.contains("no hand pays") {
            assert!(!game.def().hands.iter().copied().any(pays), "{said}");
        }
    }

    #[test]
    fn the_reason_for_a_blind_is_true_for_every_pay_table() {
        for table in every_table("blind") {
            for &hand in Game::Utcp.def().hands {
                let said = blind(&table, Game::Utcp, hand);
                assert_eq!(said.ends_with("pays 3 to 2"), paid(&table, hand).is_some(), "{said}");
                assert_eq!(said.starts_with("pushes: "), paid(&table, hand).is_none(), "{said}");
                hold(&said, &table);
            }
        }
    }

    #[test]
    fn the_reason_for_a_bonus_is_true_for_every_pay_table() {
        for table in every_table("pair-plus") {
            for &hand in Game::Utcp.def().hands {
                let said = bonus(&table, Game::Utcp, hand);
                let pays = table.pays(hand).map(Ratio::pays);
                assert_eq!(said.ends_with("pays 3 to 2"), pays == Some(3), "{said}");
                assert_eq!(said.starts_with("pushes: "), pays == Some(0), "{said}");
                assert_eq!(said.starts_with("loses: "), pays.is_none(), "{said}");
                hold(&said, &table);
            }
        }
    }
}
