//! The laws that hold from one round of a table to the next. They use the wagers and the published
//! records only, and not the table's own decisions.

use serde_json::Value;

use crate::auditor::{Finding, Kind, finding};
use crate::reading::WrittenHouse;

/// The rounds that a table dealt, as far as they have to be remembered.
#[derive(Debug, Default)]
pub(crate) struct Dealt {
    /// How many there were, void ones included.
    count: u64,
    /// The players who banked them, where players do.
    banked: Vec<String>,
}

impl Dealt {
    /// Adds a round in which cards were dealt, settled or void, and its banker.
    pub(crate) fn round(
        &mut self,
        name: &str,
        house: &WrittenHouse,
        record: &Value,
        banker: Option<&str>,
    ) -> Result<(), Finding> {
        self.color(name, house, record)?;
        self.count += 1;
        banker.map_or(Ok(()), |player| self.rotation(name, house, player))
    }

    /// Checks that two decks alternate over the dealt rounds, or that a single one stays.
    fn color(&self, name: &str, house: &WrittenHouse, record: &Value) -> Result<(), Finding> {
        let due = match (house.decks(), self.count % 2) {
            (1, _) | (_, 0) => "red",
            _ => "blue",
        };
        if record["deck_colour"] == due {
            return Ok(());
        }
        let words = format!("{name} is dealt from {}, but {due} is next", record["deck_colour"]);
        finding(Kind::Color, words)
    }

    /// Checks that no player banks more dealt hands in a row than the house allows.
    fn rotation(&mut self, name: &str, house: &WrittenHouse, player: &str) -> Result<(), Finding> {
        self.banked.push(player.to_owned());
        let in_a_row = self.banked.iter().rev().take_while(|banked| *banked == player).count();
        if Some(in_a_row as u64) > house.max_consecutive() {
            return finding(Kind::Rotation, format!("{name}: {player} banks again"));
        }
        Ok(())
    }
}

/// Checks that a player/dealer plays for the posted wager and no more: payoffs never exceed it, nor
/// do payoffs and collections together, where collections use it up too.
pub(crate) fn coverage(
    name: &str,
    house: &WrittenHouse,
    posted: i64,
    paid: i64,
    collected: i64,
) -> Result<(), Finding> {
    let used = if house.covers_action() { paid + collected } else { paid };
    if used <= posted {
        return Ok(());
    }
    let words = format!("{name}: {posted} were posted, {paid} paid and {collected} collected");
    finding(Kind::Coverage, words)
}

/// Checks that a posted wager is not lowered once another seat has wagered.
pub(crate) fn posting(name: &str, before: i64, now: i64, wagers: usize) -> Result<(), Finding> {
    if wagers > 0 && now < before {
        let words = format!("{name}: the bank fell from {before} to {now} against {wagers} wagers");
        return finding(Kind::Coverage, words);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn california(coverage: &str) -> WrittenHouse {
        let banking = json!({"by": "player-dealer", "max_consecutive": 2, "coverage": coverage});
        WrittenHouse {
            house: json!({"id": "c", "decks": 2, "banking": banking}),
            bonus: String::new(),
        }
    }

    fn kind(law: Result<(), Finding>) -> Option<Kind> {
        law.err().map(|finding| finding.kind)
    }

    /// Deals rounds of these colors, banked by these players, and returns the findings.
    fn dealt(rounds: &[(&str, &str)]) -> Vec<Option<Kind>> {
        let (house, mut dealt) = (california("action"), Dealt::default());
        let rounds = rounds.iter().map(|&(color, banker)| {
            kind(dealt.round("a round", &house, &json!({ "deck_colour": color }), Some(banker)))
        });
        rounds.collect()
    }

    #[test]
    fn a_third_hand_in_a_row_is_noticed() {
        let (red, blue) = ("red", "blue");
        assert_eq!(dealt(&[(red, "ann"), (blue, "ann"), (red, "bea"), (blue, "ann")]), [None; 4]);
        let third = dealt(&[(red, "ann"), (blue, "ann"), (red, "ann")]);
        assert_eq!(third, [None, None, Some(Kind::Rotation)]);
    }

    #[test]
    fn a_deck_that_is_dealt_twice_in_a_row_is_noticed() {
        assert_eq!(dealt(&[("red", "ann"), ("red", "bea")]), [None, Some(Kind::Color)]);
        assert_eq!(dealt(&[("blue", "ann")]), [Some(Kind::Color)]);
    }

    #[test]
    fn a_bank_that_wins_or_pays_more_than_it_posted_is_noticed() {
        let of = |house: &WrittenHouse, paid, collected| {
            kind(coverage("a round", house, 1_000, paid, collected))
        };
        let (action, payoffs) = (california("action"), california("payoffs"));
        assert_eq!(of(&action, 400, 600), None);
        assert_eq!(of(&action, 400, 601), Some(Kind::Coverage));
        assert_eq!(of(&action, 0, 1_001), Some(Kind::Coverage));
        assert_eq!(of(&payoffs, 1_000, 90_000), None);
        assert_eq!(of(&payoffs, 1_001, 0), Some(Kind::Coverage));
    }

    #[test]
    fn a_bank_that_is_lowered_against_wagers_is_noticed() {
        assert_eq!(kind(posting("a round", 1_000, 1, 0)), None);
        assert_eq!(kind(posting("a round", 1_000, 1_000, 1)), None);
        assert_eq!(kind(posting("a round", 1_000, 999, 1)), Some(Kind::Coverage));
    }
}
