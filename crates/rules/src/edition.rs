//! Editions of the rules.
//!
//! When the rules change, older rounds must replay, verify and read as they did before. So the
//! edition is data: a house carries it, and code that differs between editions asks the house.

use serde_json::Value;

/// The version of the rules that a round was played by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edition {
    /// The rules as first published.
    First,
    /// The rules after a review, clause by clause. The changes:
    ///
    /// - A player/dealer's wager is also used up by what it collects, unless the house says
    ///   otherwise, and cannot be lowered once another seat has wagered.
    /// - A player/dealer settles a seat's wagers in the order of the California document.
    /// - A payout maximum limits what odds pay and does not affect even money.
    /// - A void hand counts toward the hands that a player banks in a row, once cards were dealt.
    /// - Two decks alternate over the rounds that were dealt.
    #[default]
    Second,
}

impl Edition {
    /// All editions, oldest first.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// The edition that new rounds are played by.
    pub const CURRENT: Self = Self::Second;

    /// Returns the number of the edition, counted from 1.
    pub const fn number(self) -> u32 {
        match self {
            Self::First => 1,
            Self::Second => 2,
        }
    }

    /// Returns the edition with a number, if this program knows it.
    pub fn numbered(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|edition| edition.number() == number)
    }

    /// Returns the name of the edition in a record.
    pub fn name(self) -> String {
        format!("{PREFIX}{}", self.number())
    }

    /// Returns the edition that a record's `rules_version` names: `croupier-rules/1`, alone or
    /// followed by a fingerprint. A record that names none is played by the current one.
    pub(crate) fn of_record(rules_version: Option<&Value>) -> Result<Self, String> {
        let named =
            rules_version.and_then(Value::as_str).and_then(|text| text.strip_prefix(PREFIX));
        let Some(named) = named else { return Ok(Self::CURRENT) };
        let number = named.split(' ').next().unwrap_or_default();
        let known = number.parse().ok().and_then(Self::numbered);
        known.filter(|known| known.number().to_string() == number).ok_or_else(|| {
            let known: Vec<String> = Self::ALL.into_iter().map(Self::name).collect();
            format!("\"{PREFIX}{number}\" is unknown: write one of {}", known.join(", "))
        })
    }
}

const PREFIX: &str = "croupier-rules/";

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_record_names_its_edition_or_is_played_by_the_current_one() {
        let edition = |text: &str| Edition::of_record(Some(&json!(text)));
        assert_eq!(edition("croupier-rules/1"), Ok(Edition::First));
        assert_eq!(edition("croupier-rules/1 09ab"), Ok(Edition::First));
        assert_eq!(edition("croupier-rules/2 09ab"), Ok(Edition::Second));
        assert_eq!(edition("the rules of another program"), Ok(Edition::CURRENT));
        assert_eq!(Edition::of_record(None), Ok(Edition::CURRENT));
        for unknown in
            ["croupier-rules/3", "croupier-rules/", "croupier-rules/01", "croupier-rules/12"]
        {
            let message = edition(unknown).expect_err("an unknown edition");
            assert!(
                message.contains("write one of croupier-rules/1, croupier-rules/2"),
                "{message}"
            );
        }
    }

    #[test]
    fn editions_are_numbered_from_one_and_the_current_one_is_the_last() {
        let numbers = Edition::ALL.map(Edition::number);
        assert_eq!(numbers, [1, 2]);
        assert_eq!(Edition::ALL.last(), Some(&Edition::CURRENT));
        assert_eq!(Edition::default(), Edition::CURRENT);
        for edition in Edition::ALL {
            assert_eq!(Edition::numbered(edition.number()), Some(edition));
        }
        assert_eq!(Edition::numbered(3), None);
    }
}
