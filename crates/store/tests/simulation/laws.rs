//! The laws that hold from one round of a table to the next. They know what was wagered and what
//! was published, and nothing of how a table decides.

use serde_json::Value;

use crate::auditor::{Finding, Kind, finding};
use crate::reading::Paper;

/// The rounds that a table dealt, as far as they have to be remembered.
#[derive(Debug, Default)]
pub(crate) struct Dealt {
    /// How many there were, void ones included.
    count: u64,
    /// The players who banked them, where players do.
    banked: Vec<String>,
}

impl Dealt {
    /// Takes note of a round in which cards were dealt, settled or void, and of who banked it.
    pub(crate) fn round(
        &mut self,
        name: &str,
        paper: &Paper,
        record: &Value,
        banker: Option<&str>,
    ) -> Result<(), Finding> {
        self.color(name, paper, record)?;
        self.count += 1;
        banker.map_or(Ok(()), |player| self.rotation(name, paper, player))
    }

    /// Two decks take turns over the rounds that were dealt, and one stays.
    fn color(&self, name: &str, paper: &Paper, record: &Value) -> Result<(), Finding> {
        let due = match (paper.decks(), self.count % 2) {
            (1, _) | (_, 0) => "red",
            _ => "blue",
        };
        if record["deck_colour"] == due {
            return Ok(());
        }
        let words = format!("{name} is dealt from {}, and {due} is next", record["deck_colour"]);
        finding(Kind::Color, words)
    }

    /// No player banks more dealt hands in a row than the house allows.
    fn rotation(&mut self, name: &str, paper: &Paper, player: &str) -> Result<(), Finding> {
        self.banked.push(player.to_owned());
        let in_a_row = self.banked.iter().rev().take_while(|banked| *banked == player).count();
        if Some(in_a_row as u64) > paper.max_consecutive() {
            return finding(Kind::Rotation, format!("{name}: {player} banks again"));
        }
        Ok(())
    }
}

/// A player/dealer plays for the posted wager and no more: payoffs never come to more, nor do,
/// where collecting uses it up too, payoffs and collections together.
pub(crate) fn coverage(
    name: &str,
    paper: &Paper,
    posted: i64,
    paid: i64,
    collected: i64,
) -> Result<(), Finding> {
    let used = if paper.covers_action() { paid + collected } else { paid };
    if used <= posted {
        return Ok(());
    }
    let words = format!("{name}: {posted} were posted, {paid} paid and {collected} collected");
    finding(Kind::Coverage, words)
}

/// A posted wager is not lowered once another seat has wagered.
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

    fn california(coverage: &str) -> Paper {
        let banking = json!({"by": "player-dealer", "max_consecutive": 2, "coverage": coverage});
        Paper { house: json!({"id": "c", "decks": 2, "banking": banking}), bonus: String::new() }
    }

    fn kind(law: Result<(), Finding>) -> Option<Kind> {
        law.err().map(|finding| finding.kind)
    }

    /// Deals rounds of these colors, banked by these players, and returns what is noticed.
    fn dealt(rounds: &[(&str, &str)]) -> Vec<Option<Kind>> {
        let (paper, mut dealt) = (california("action"), Dealt::default());
        let rounds = rounds.iter().map(|&(color, banker)| {
            kind(dealt.round("a round", &paper, &json!({ "deck_colour": color }), Some(banker)))
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
        let of = |paper: &Paper, paid, collected| {
            kind(coverage("a round", paper, 1_000, paid, collected))
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
