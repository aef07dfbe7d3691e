//! The terms of a table: its house, bonus and clocks.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Weak};

use croupier_rules::{Amount, Bank, Catalog, Edition, House, PayTable, Record};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;

use crate::canonical::canonical;
use crate::hash::Hash;
use crate::ledger::MOST_CHIPS;
use crate::practice::purse_at;

/// The shipped catalog, read once: a node reads the terms of every table that it runs.
static SHIPPED: LazyLock<Catalog> = LazyLock::new(Catalog::shipped);

/// How long a table without clocks waits for seats to show the seeds that they committed to, in
/// milliseconds. Even a client on a slow connection needs less.
const SEED_WAIT: u32 = 30_000;

/// How long a table waits, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clocks {
    /// For a player to take or decline the bank.
    pub offer: u32,
    /// For wagers.
    pub betting: u32,
    /// For seats to show the seeds that they committed to.
    pub reveal: u32,
    /// For a decision.
    pub decision: u32,
    /// From the end of a round to the next.
    pub between: u32,
    /// For a player to sit down at an empty table, before it closes.
    pub empty: u32,
}

impl Default for Clocks {
    fn default() -> Self {
        Self {
            offer: 15_000,
            betting: 20_000,
            reveal: 3_000,
            decision: 25_000,
            between: 6_000,
            empty: 60_000,
        }
    }
}

/// The terms of a table: a house, one of its bonuses, and clocks. They are fixed when the table
/// opens, and written into the journal in full, including pay tables, so the journal means the same
/// whatever happens to the files that the table was opened from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    house: Arc<House>,
    bonus: Option<Arc<PayTable>>,
    clocks: Option<Clocks>,
    options: Options,
    /// The house and its pay tables, to replay rounds with.
    catalog: Catalog,
    /// The house as a record names it: by its id if it ships with Croupier, otherwise in full.
    recorded_house: Value,
    /// The pay tables that a record includes: those that do not ship with Croupier.
    own_paytables: Vec<Value>,
    rules_version: String,
    text: String,
    hash: Hash,
}

/// Options that differ between tables of the same house, bonus and clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Options {
    /// Whether bots of the room may bank.
    practice_bank: bool,
    /// The chips that every player gets with a seat, where account chips are not used.
    practice_chips: Option<Amount>,
    /// How long a table without clocks waits for seeds, in milliseconds.
    seed_wait: Option<u32>,
    /// How long a table waits for the only person there, in milliseconds.
    own_pace: Option<u32>,
}

impl Terms {
    /// Returns terms with a house of a catalog, one of its bonuses by id (the first, if none is
    /// named), and clocks, or none for a table that deals on demand.
    ///
    /// # Errors
    ///
    /// When there is no such house or bonus, or the house has more pay tables of its own than the
    /// record of a round can include.
    ///
    /// # Panics
    ///
    /// Never: the catalog's ids are distinct.
    pub fn new(
        catalog: &Catalog,
        house: &str,
        bonus: Option<&str>,
        clocks: Option<Clocks>,
    ) -> Result<Self, TermsError> {
        let found = catalog.house(house).map_err(|error| TermsError(error.to_string()))?;
        let seed_wait = clocks.is_none().then_some(SEED_WAIT);
        let options = Options { seed_wait, ..Options::default() };
        let terms = Self::of(Arc::clone(found), bonus, clocks, options)?;
        let (own, most) = (terms.own_paytables.len(), Record::PAYTABLES_MAX);
        if own > most {
            let message = format!("the house has {own} pay tables of its own: the limit is {most}");
            return Err(TermsError(message));
        }
        Ok(terms)
    }

    /// Returns the terms with a practice bank: bots of the room may bank.
    ///
    /// # Errors
    ///
    /// When the house banks.
    pub fn with_practice_bank(self) -> Result<Self, TermsError> {
        if self.house.banking().by() == Bank::House {
            let message = "the house banks here: a practice bank is for tables where players bank";
            return Err(TermsError(message.to_owned()));
        }
        let options = Options { practice_bank: true, ..self.options };
        self.with_options(options)
    }

    /// Returns the terms with practice chips: every player gets a purse with a seat, and the table
    /// touches no player's account. It is for a player's own houses and pay tables.
    ///
    /// # Errors
    ///
    /// Never: the terms were valid before.
    pub fn with_practice_chips(self) -> Result<Self, TermsError> {
        let practice_chips = Some(purse_at(&self.house));
        let options = Options { practice_chips, ..self.options };
        self.with_options(options)
    }

    /// Returns the terms with people at their own pace: bots don't keep people waiting, and no
    /// clock runs while only one person is there. After this many milliseconds the table goes on
    /// anyway, so that a person who is gone does not keep it open.
    ///
    /// # Errors
    ///
    /// Never: the terms were valid before.
    pub fn with_own_pace(self, millis: u32) -> Result<Self, TermsError> {
        let options = Options { own_pace: Some(millis), ..self.options };
        self.with_options(options)
    }

    fn with_options(self, options: Options) -> Result<Self, TermsError> {
        let bonus = self.bonus.as_ref().map(|bonus| bonus.id().to_owned());
        Self::of(self.house, bonus.as_deref(), self.clocks, options)
    }

    fn of(
        house: Arc<House>,
        bonus: Option<&str>,
        clocks: Option<Clocks>,
        options: Options,
    ) -> Result<Self, TermsError> {
        if clocks.is_some() && options.seed_wait.is_some() {
            let message = "seed_wait is for tables without clocks";
            return Err(TermsError(message.to_owned()));
        }
        let tables = house.bonus_paytables();
        let bonus = match bonus {
            None => tables.first().cloned(),
            Some(id) => {
                let found = tables.iter().find(|table| table.id() == id).cloned();
                let known: Vec<&str> = tables.iter().map(|table| table.id()).collect();
                let known = known.join(", ");
                let message = || match &*known {
                    "" => "the house has no bonus: leave it out".to_owned(),
                    known => format!("the house has no bonus \"{id}\": write one of {known}"),
                };
                Some(found.ok_or_else(|| TermsError(message()))?)
            }
        };
        let mut catalog = Catalog::default();
        let paytables = [house.blind_paytable()].into_iter().chain(tables.iter().map(|t| &**t));
        for table in paytables.clone() {
            catalog.add_paytable(table.clone()).expect("a house's pay tables have different ids");
        }
        catalog.add_house(House::clone(&house)).expect("the only house");
        let own_paytables = own_paytables(&house);
        let recorded_house = if is_shipped(&house) && own_paytables.is_empty() {
            Value::from(house.id())
        } else {
            serde_json::to_value(&*house).expect("plain data")
        };
        let mut value = json!({
            "bonus": bonus.as_ref().map(|table| table.id()),
            "clocks": clocks,
            "house": &*house,
            "paytables": paytables.collect::<Vec<_>>(),
        });
        // These fields are left out where they don't apply: the first edition never wrote `rules`,
        // and tables without a practice bank write nothing about it.
        if house.edition() > Edition::First {
            value["rules"] = json!(house.edition().number());
        }
        if options.practice_bank {
            value["practice_bank"] = json!(true);
        }
        if let Some(chips) = options.practice_chips {
            value["practice_chips"] = json!(chips);
        }
        // Journals from before tables waited for seeds do not have this field.
        if let Some(millis) = options.seed_wait {
            value["seed_wait"] = json!(millis);
        }
        // Nor do those from before people set the pace.
        if let Some(millis) = options.own_pace {
            value["own_pace"] = json!(millis);
        }
        let text = canonical(&value);
        let (rules_version, hash) =
            (rules_version_of(&house, bonus.as_deref()), Hash::of(text.as_bytes()));
        Ok(Self {
            house,
            bonus,
            clocks,
            options,
            catalog,
            recorded_house,
            own_paytables,
            rules_version,
            text,
            hash,
        })
    }

    /// Reads terms as a journal stores them.
    fn read(text: &str) -> Result<Self, TermsError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields {
            bonus: Option<String>,
            clocks: Option<Clocks>,
            house: Value,
            paytables: Vec<Value>,
            #[serde(default)]
            practice_bank: bool,
            practice_chips: Option<Amount>,
            rules: Option<u32>,
            seed_wait: Option<u32>,
            own_pace: Option<u32>,
        }
        let wrong = |error: &dyn fmt::Display| TermsError(error.to_string());
        let fields: Fields = serde_json::from_str(text).map_err(|error| wrong(&error))?;
        let paytables: Result<Vec<PayTable>, _> =
            fields.paytables.iter().map(PayTable::from_json).collect();
        let paytables = paytables.map_err(|faults| wrong(&faults))?;
        let number = fields.rules.unwrap_or(Edition::First.number());
        let unknown = || TermsError(format!("edition {number} of the rules is unknown"));
        let edition = Edition::numbered(number).ok_or_else(unknown)?;
        let house = House::from_json_of(&fields.house, &paytables, edition);
        let house = house.map_err(|faults| wrong(&faults))?;
        let Fields { bonus, clocks, practice_bank, practice_chips, seed_wait, own_pace, .. } =
            fields;
        if practice_chips.is_some_and(|chips| chips < Amount::ZERO || chips > MOST_CHIPS) {
            let message = format!("practice_chips must be between $0 and {MOST_CHIPS}");
            return Err(TermsError(message));
        }
        let options = Options { practice_bank, practice_chips, seed_wait, own_pace };
        Self::of(Arc::new(house), bonus.as_deref(), clocks, options)
    }

    /// Returns the house.
    pub const fn house(&self) -> &Arc<House> {
        &self.house
    }

    /// Returns the bonus that the table offers.
    pub const fn bonus(&self) -> Option<&Arc<PayTable>> {
        self.bonus.as_ref()
    }

    /// Returns the clocks, unless the table deals on demand.
    pub const fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// Tells whether the table was opened with a practice bank.
    pub const fn practice_bank(&self) -> bool {
        self.options.practice_bank
    }

    /// Returns the practice chips that every player gets with a seat. Without them, the table plays
    /// with the chips of the players' accounts.
    pub const fn practice_chips(&self) -> Option<Amount> {
        self.options.practice_chips
    }

    /// Tells whether the house and all its pay tables ship with Croupier.
    pub fn are_shipped(&self) -> bool {
        self.recorded_house.is_string()
    }

    /// Returns the number of rounds that the table can open before its bank's balance could
    /// overflow, if every round cost the bank the maximum.
    pub fn most_rounds(&self) -> u64 {
        // Half of the largest amount, so the last round fits as well.
        let counted = i64::MAX / 2;
        (counted / self.house.most_paid().as_cents().max(1)).unsigned_abs()
    }

    /// Returns how long a table without clocks waits for seats to show their seeds, in
    /// milliseconds. A table that was opened before this limit existed has none: there, `deal` ends
    /// the wait.
    pub const fn seed_wait(&self) -> Option<u32> {
        self.options.seed_wait
    }

    /// Returns how long the table waits for the only person there, in milliseconds. A table that
    /// was opened before people set the pace has no such time: its clocks run for one person too.
    pub const fn own_pace(&self) -> Option<u32> {
        self.options.own_pace
    }

    /// Tells whether a bot of the room may bank. The house never banks where players do, so a bot
    /// may bank only at a table that was opened with a practice bank, or under the first edition of
    /// the rules, which did not check.
    pub fn bots_may_bank(&self) -> bool {
        let is_former = self.house.edition() == Edition::First;
        self.house.banking().by() == Bank::PlayerDealer && (self.options.practice_bank || is_former)
    }

    /// Returns the house and its pay tables, to replay rounds with.
    pub const fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Returns the house as a record names it.
    pub(crate) const fn recorded_house(&self) -> &Value {
        &self.recorded_house
    }

    /// Returns the pay tables that a record includes, as it writes them.
    pub(crate) fn own_paytables(&self) -> &[Value] {
        &self.own_paytables
    }

    /// Returns the version of the rules that every round is stamped with.
    pub fn rules_version(&self) -> &str {
        &self.rules_version
    }

    /// Returns the terms as a journal stores them: canonical JSON.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the hash of the text.
    pub const fn hash(&self) -> &Hash {
        &self.hash
    }
}

/// Tells whether a house ships with Croupier, in the version of its edition.
pub(crate) fn is_shipped(house: &House) -> bool {
    SHIPPED.house_of(house.id(), house.edition()).is_ok_and(|shipped| *shipped == *house)
}

/// Returns the pay tables of a house that do not ship with Croupier, as a record includes them.
pub(crate) fn own_paytables(house: &House) -> Vec<Value> {
    let bonuses = house.bonus_paytables().iter().map(|table| &**table);
    let is_shipped_table =
        |table: &PayTable| SHIPPED.paytable(table.id()).is_ok_and(|shipped| shipped == table);
    let others = [house.blind_paytable()].into_iter().chain(bonuses);
    let others = others.filter(|table| !is_shipped_table(table));
    others.map(|table| serde_json::to_value(table).expect("plain data")).collect()
}

/// Returns the version of the rules of a round: the edition of the engine, and the hash of the
/// house with the pay tables in force. A reader with other files under the same names will notice.
pub(crate) fn rules_version_of(house: &House, bonus: Option<&PayTable>) -> String {
    let value = json!({ "blind": house.blind_paytable(), "bonus": bonus, "house": house });
    format!("{} {}", house.edition().name(), Hash::of(canonical(&value).as_bytes()))
}

/// A cache of terms in use, so a thousand tables of a house share one copy.
#[derive(Clone, Debug, Default)]
pub struct TermsCache(BTreeMap<Hash, Weak<Terms>>);

impl TermsCache {
    /// Caches terms, and returns the shared copy.
    pub fn keep(&mut self, terms: Terms) -> Arc<Terms> {
        if let Some(kept) = self.find(&terms.hash) {
            return kept;
        }
        // Drop the terms of tables that are gone.
        self.0.retain(|_, terms| terms.strong_count() > 0);
        let (hash, terms) = (terms.hash, Arc::new(terms));
        self.0.insert(hash, Arc::downgrade(&terms));
        terms
    }

    /// Reads terms as a journal stores them, unless they are cached.
    pub(crate) fn read(&mut self, text: &str) -> Result<Arc<Terms>, TermsError> {
        match self.find(&Hash::of(text.as_bytes())) {
            Some(terms) => Ok(terms),
            None => Terms::read(text).map(|terms| self.keep(terms)),
        }
    }

    fn find(&self, hash: &Hash) -> Option<Arc<Terms>> {
        self.0.get(hash).and_then(Weak::upgrade)
    }
}

/// The error for invalid terms.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct TermsError(String);

#[cfg(test)]
mod tests {
    use croupier_rules::{BONUSES_MAX, ID_MAX, RAISES_MAX, SOURCE_MAX, TERMS_BYTES_MAX, TITLE_MAX};

    use super::*;

    /// The arithmetic is in `crates/rules/src/admission.rs`.
    #[test]
    fn the_largest_terms_that_can_be_admitted_are_bounded() {
        let wide = |count: usize| "\u{1f0a1}".repeat(count);
        let id = |number: usize| format!("{number:x<ID_MAX$}");
        let hands = ["royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush"];
        let hands = hands.into_iter().chain(["straight", "three-of-a-kind", "two-pair", "pair"]);
        let hands = hands.chain(["high-card"]);
        let paytable = |number: usize| {
            let bet = if number == 0 { "blind" } else { "trips" };
            let pays: serde_json::Map<_, _> =
                hands.clone().map(|hand| (hand.to_owned(), json!("1:1"))).collect();
            PayTable::from_json(&json!({"id": id(number), "title": wide(TITLE_MAX),
                "source": wide(SOURCE_MAX), "bet": bet, "pays": pays}))
            .expect("a pay table")
        };
        let mut catalog = Catalog::default();
        for number in 0..=BONUSES_MAX {
            catalog.add_paytable(paytable(number)).expect("new");
        }
        let mut house = json!(&**SHIPPED.house("uth-california").expect("it ships"));
        (house["id"], house["title"]) = (json!(id(99)), json!(wide(TITLE_MAX)));
        (house["source"], house["blind_paytable"]) = (json!(wide(SOURCE_MAX)), json!(id(0)));
        house["bonus_paytables"] = (1..=BONUSES_MAX).map(id).collect();
        house["raises"] = (90..90 + RAISES_MAX).collect();
        let house = House::from_json(&house, catalog.paytables()).expect("a house");
        assert_eq!(house.check_admission(), Ok(()));
        catalog.add_house(house).expect("new");
        let clocks = Clocks { offer: u32::MAX, betting: u32::MAX, ..Clocks::default() };
        let terms = Terms::new(&catalog, &id(99), Some(&id(1)), Some(clocks)).expect("terms");
        let terms = terms.with_practice_bank().expect("players bank");
        // A ratio of two numbers may have 18 characters more than `1:1`, for each of the 10 hands.
        let (bytes, figures) = (terms.text().len(), 18 * 10 * (1 + BONUSES_MAX));
        assert!(bytes + figures + 500 < TERMS_BYTES_MAX, "{bytes} bytes, and {figures}");
        assert!(bytes + figures + 4_500 > TERMS_BYTES_MAX, "the bound is too wide: {bytes}");
    }
}
