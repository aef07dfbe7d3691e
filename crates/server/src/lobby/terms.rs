//! The settings of a table to open, and the terms that they lead to.

use croupier_rules::{Catalog, House, PayTable};
use croupier_table::{Clocks, Terms, TermsError};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::http::problem::{Code, Problem};
use crate::lobby::card_room;
use crate::state::AppState;

/// The most pay tables that a host may bring to a table.
const MAX_PAYTABLES: usize = 8;

/// The settings of a table to open.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TableSettings {
    /// The house: the id of one that comes with the program, or one of your own in full, as in a
    /// house file.
    #[schema(example = "uth-standard")]
    pub(super) house: Value,
    /// Pay tables of your own that the house names, each in full as in a pay table file.
    #[serde(default)]
    #[schema(max_items = 8)]
    pub(super) paytables: Vec<Value>,
    /// The id of one of the house's bonus pay tables; the first by default.
    #[schema(max_length = 64)]
    pub(super) bonus: Option<String>,
    /// Whether the table is public; otherwise it takes an invitation to enter.
    #[serde(default)]
    pub(super) public: bool,
    /// The title: up to 40 characters.
    #[serde(default)]
    #[schema(max_length = 40, pattern = "^[^\\x00-\\x1f\\x7f-\\x9f]*$")]
    pub(super) title: String,
    /// The pace: `usual`, `quick`, `slow`, or `none` for a table without clocks, which cannot be
    /// public.
    #[serde(default)]
    pub(super) pace: Pace,
    /// Whether bots may bank, for practice. The house never banks where players do, so only a
    /// private table may allow this, and its placard says so.
    #[serde(default)]
    pub(super) practice_bank: bool,
}

/// The pace of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Pace {
    /// The usual clocks.
    #[default]
    Usual,
    /// A third of the usual time to take the bank, to wager, to decide, and between rounds.
    Quick,
    /// Three times the usual time for the same.
    Slow,
    /// No clocks: the table deals when a player asks.
    None,
}

impl Pace {
    /// Returns the clocks of a table with this pace.
    ///
    /// A pace changes only the clocks for human decisions. Seeds are revealed by programs, whose
    /// connections are no faster at a quick table: a shorter `reveal` would count honest seats as
    /// silent. The time until an empty table closes does not affect players.
    pub(super) fn clocks(self, usual: Clocks) -> Option<Clocks> {
        let thinking = |change: fn(u32) -> u32| Clocks {
            offer: change(usual.offer),
            betting: change(usual.betting),
            reveal: usual.reveal,
            decision: change(usual.decision),
            between: change(usual.between),
            empty: usual.empty,
        };
        match self {
            Self::Usual => Some(usual),
            Self::Quick => Some(thinking(|millis| millis.div_ceil(3))),
            Self::Slow => Some(thinking(|millis| millis.saturating_mul(3))),
            Self::None => None,
        }
    }
}

impl TableSettings {
    /// Parses the terms of a table to open.
    pub(super) fn terms(&self, state: &AppState, clocks: Option<Clocks>) -> Result<Terms, Problem> {
        let faults = |what: &str, faults: &croupier_rules::Faults| {
            let all = faults.all().iter().map(ToString::to_string);
            Problem::new(Code::BadTerms, format!("{what} has faults")).with_faults(all)
        };
        if self.paytables.len() > MAX_PAYTABLES {
            let detail = format!("send at most {MAX_PAYTABLES} pay tables");
            return Err(Problem::new(Code::BadTerms, detail));
        }
        let mut catalog = Catalog::shipped();
        for paytable in &self.paytables {
            let paytable =
                PayTable::from_json(paytable).map_err(|found| faults("a pay table", &found))?;
            paytable.check_admission().map_err(|found| faults("a pay table", &found))?;
            let added = catalog.add_paytable(paytable);
            added.map_err(|error| Problem::new(Code::BadTerms, error.to_string()))?;
        }
        let house = match &self.house {
            Value::String(id) => id.clone(),
            value => {
                let paytables: Vec<PayTable> = catalog.paytables().to_vec();
                let house = House::from_json(value, &paytables)
                    .map_err(|found| faults("the house", &found))?;
                house.check_admission().map_err(|found| faults("the house", &found))?;
                let id = house.id().to_owned();
                let added = catalog.add_house(house);
                added.map_err(|error| Problem::new(Code::BadTerms, error.to_string()))?;
                id
            }
        };
        let found = catalog.house(&house);
        let found = found.map_err(|error| Problem::new(Code::NoSuchHouse, error.to_string()))?;
        let bonus = self.bonus.as_deref().or_else(|| card_room::bonus_for(&state.config, found));
        let bad = |error: TermsError| Problem::new(Code::BadTerms, error.to_string());
        let mut terms = Terms::new(&catalog, &house, bonus, clocks).map_err(bad)?;
        if let Some(millis) = state.config.own_pace {
            terms = terms.with_own_pace(millis).map_err(bad)?;
        }
        if self.practice_bank {
            terms = terms.with_practice_bank().map_err(bad)?;
        }
        // Chips won under a player's own terms must not be worth anything elsewhere.
        if !terms.are_shipped() {
            terms = terms.with_practice_chips().map_err(bad)?;
        }
        if self.public {
            card_room::check_public(state, &terms)?;
        }
        Ok(terms)
    }
}
