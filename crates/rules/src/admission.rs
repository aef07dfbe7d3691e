//! The limits that a new house or pay table must meet before a table, a file or a catalog accepts
//! it.
//!
//! Journals, backups and records may hold definitions from before these limits, and must stay
//! readable forever: [`House::from_json`] and [`PayTable::from_json`] don't check them. The limits
//! apply only to new definitions.
//!
//! # How large admitted terms can be
//!
//! A journal begins with the full terms of its table, and the record of every round at a
//! player-defined house repeats the house and the pay tables. So the size of a definition is
//! bounded, in bytes of JSON. A character takes at most four bytes; one that JSON escapes takes
//! two.
//!
//! - An id takes 64 bytes, a title 80 × 4 = 320, a source 160 × 4 = 640: 1,024 together.
//! - A pay table has those, 12 hands × 45, and its field names: 1,024 + 540 + 100 = 1,664.
//! - The pay tables are the Blind and 12 bonuses, with commas: 13 × 1,665 = 21,645.
//! - A house has its strings, the ids of 13 pay tables, 8 raises, 7 limits, and the rest: 1,024 +
//!   13 × 67 + 8 × 11 + 7 × 41 + 700 = 2,970.
//! - Clocks, the bonus and the JSON around them take 300.
//!
//! That is 24,915 bytes for the terms, less than 25 × 1,024 = [`TERMS_BYTES_MAX`].

//!
//! # How much an admitted house can pay
//!
//! A settlement must never overflow an [`Amount`], so the figures are bounded as well:
//!
//! | part | cents at most |
//! |---|---|
//! | an Ante, a Blind, or a bonus wager: [`STAKE_MAX`] | 10⁸ |
//! | the Play wager: [`RAISE_MAX`] times the Ante | 10¹⁰ |
//! | Ante and Play with what they win | 2 × (10⁸ + 10¹⁰) = 2.02 × 10¹⁰ |
//! | the Blind, or the bonus, with its win: [`RATIO_MAX`] to 1 | 10⁸ × 10,001 = 1.0001 × 10¹² |
//! | a seat | 2.0204 × 10¹² |
//! | a round of 8 seats | 1.62 × 10¹³, which is less than 2 × 10¹³ = [`ROUND_MAX`] |
//!
//! An amount ends at 9.2 × 10¹⁸ cents. A player who enters a round has at most 10¹⁵, which leaves
//! room for 450,000 such rounds on top of it.

use croupier_cards::Category;

use crate::amount::Amount;
use crate::catalog::{SHIPPED, looks_like};
use crate::definition::{Definition, Fault, Faults};
use crate::house::House;
use crate::paytable::PayTable;

/// The maximum length of an id, in characters.
pub const ID_MAX: usize = 64;

/// The maximum length of a title, in characters.
pub const TITLE_MAX: usize = 80;

/// The maximum length of a source, in characters.
pub const SOURCE_MAX: usize = 160;

/// The maximum number of raises (multiples of the Ante) that a house can allow.
pub const RAISES_MAX: usize = 8;

/// The maximum number of bonus pay tables in a house: the four that ship, and eight more.
pub const BONUSES_MAX: usize = 12;

/// The maximum size of a table's terms in bytes, if all their parts were admitted.
pub const TERMS_BYTES_MAX: usize = 25 * 1024;

/// The largest Ante or bonus wager that a new house may allow: a million dollars.
pub const STAKE_MAX: Amount = Amount::cents(100_000_000);

/// The largest multiple of the Ante that a new house may allow.
pub const RAISE_MAX: u32 = 100;

/// The most that a new pay table may pay, to one.
pub const RATIO_MAX: u32 = 10_000;

/// The most that a round at an admitted house can pay out over all seats, including stakes.
pub const ROUND_MAX: Amount = Amount::cents(20_000_000_000_000);

/// The faults of a definition, as fields and messages.
type Found = Vec<(&'static str, String)>;

impl House {
    /// Checks that a new house can be admitted, along with the pay tables it uses.
    ///
    /// A house that ships with Croupier always can.
    ///
    /// # Errors
    ///
    /// All reasons it can't be admitted, each with a fix.
    pub fn check_admission(&self) -> Result<(), Faults> {
        faults(self.admission_faults())
    }

    /// Returns all reasons the house can't be admitted: strings and lists first, then bounds on
    /// figures.
    pub(crate) fn admission_faults(&self) -> Found {
        if SHIPPED.houses().any(|shipped| shipped == self) {
            return Vec::new();
        }
        let mut found = texts(self.id(), self.title(), self.source());
        for (field, own) in self.names() {
            // A string that is too long is not repeated in a message.
            if own.chars().count() <= SOURCE_MAX
                && let Some(known) = SHIPPED.houses().find_map(|house| house.has_name(field, own))
            {
                found.push((field, known.to_string()));
            }
        }
        let raises = self.raises().len();
        if raises > RAISES_MAX {
            found.push(("raises", format!("there are {raises}: the limit is {RAISES_MAX}")));
        }
        let bonuses = self.bonus_paytables().len();
        if bonuses > BONUSES_MAX {
            let message = format!("there are {bonuses}: the limit is {BONUSES_MAX}");
            found.push(("bonus_paytables", message));
        }
        if let Some(raise) = self.raises().iter().find(|&&raise| raise > RAISE_MAX) {
            let message = format!("{raise} is too many: the limit is {RAISE_MAX} times the Ante");
            found.push(("raises", message));
        }
        let limits = self.limits();
        for (field, stake) in
            [("limits.ante_max", limits.ante_max), ("limits.bonus_max", limits.bonus_max)]
        {
            if stake > STAKE_MAX {
                found.push((field, format!("{stake} is too much: the limit is {STAKE_MAX}")));
            }
        }
        for (_, message) in self.blind_paytable().admission_faults() {
            found.push(("blind_paytable", message));
        }
        for table in self.bonus_paytables() {
            let messages = table.admission_faults().into_iter();
            found.extend(messages.map(|(_, message)| ("bonus_paytables", message)));
        }
        found
    }
}

impl PayTable {
    /// Checks that a new pay table can be admitted.
    ///
    /// A pay table that ships with Croupier always can.
    ///
    /// # Errors
    ///
    /// All reasons it can't be admitted, each with a fix.
    pub fn check_admission(&self) -> Result<(), Faults> {
        faults(self.admission_faults())
    }

    /// Reads a user's pay table from TOML and checks that it can be admitted.
    ///
    /// # Errors
    ///
    /// All its faults, with line numbers.
    pub fn from_own_toml(text: &str) -> Result<Self, Faults> {
        let table = Self::from_toml(text)?;
        let mut definition = Definition::from_toml(text);
        definition.refuse(table.admission_faults());
        definition.refused_or(table)
    }

    /// Returns all reasons the pay table can't be admitted: strings first, then bounds on figures.
    fn admission_faults(&self) -> Found {
        if SHIPPED.paytables().contains(self) {
            return Vec::new();
        }
        let mut found = texts(self.id(), self.title(), self.source());
        let is_like = |shipped: &&Self| looks_like(shipped.id(), self.id());
        if self.id().chars().count() <= ID_MAX
            && let Some(shipped) = SHIPPED.paytables().iter().find(is_like)
        {
            let (own, shipped) = (self.id(), shipped.id());
            let message = format!(
                "\"{own}\" looks like {shipped}, which ships with Croupier: choose another id"
            );
            found.push(("id", message));
        }
        let lines = Category::ALL.into_iter().filter_map(|hand| Some((hand, self.line(hand)?)));
        for (hand, pays) in lines {
            if u64::from(pays.pays()) > u64::from(RATIO_MAX) * u64::from(pays.per()) {
                let message =
                    format!("{pays:#} for a {hand} is too much: the limit is {RATIO_MAX} to 1");
                found.push(("pays", message));
            }
        }
        found
    }
}

fn faults(found: Found) -> Result<(), Faults> {
    let fault =
        |(field, message): (&str, String)| Fault { line: None, field: field.to_owned(), message };
    Faults::none_or(found.into_iter().map(fault).collect(), Some(()))
}

/// Returns the faults in the strings of a definition.
fn texts(id: &str, title: &str, source: &str) -> Found {
    let mut found = Vec::new();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !(1..=ID_MAX).contains(&id.len()) || !id.bytes().all(plain) {
        let message = format!("use 1 to {ID_MAX} characters of a-z, A-Z, 0-9, - and _");
        found.push(("id", message));
    }
    for (field, text, most) in [("title", title, TITLE_MAX), ("source", source, SOURCE_MAX)] {
        let count = text.chars().count();
        if count > most {
            found.push((field, format!("it has {count} characters: the limit is {most}")));
        }
        if text.trim() != text {
            found.push((field, "it begins or ends with a space: remove it".to_owned()));
        }
        if let Some(hidden) = text.chars().find(|&character| is_invisible(character)) {
            let code = u32::from(hidden);
            let message = format!("it has U+{code:04X}, which is invisible: remove it");
            found.push((field, message));
        }
    }
    found
}

/// Tells whether a character is invisible or only changes how others look: a control character, a
/// space other than the plain one, or a character that joins, hides or reverses others. A string
/// with one in it could look like another string, or like an empty one.
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || (character.is_whitespace() && character != ' ')
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::catalog::Catalog;

    fn house(changes: &[(&str, Value)]) -> House {
        let catalog = Catalog::shipped();
        let mut value = json!(&**catalog.house("uth-standard").expect("it ships"));
        for (field, own) in [("id", "mine"), ("title", "Mine"), ("source", "me")] {
            value[field] = json!(own);
        }
        for (field, own) in changes {
            value[*field] = own.clone();
        }
        House::from_json(&value, catalog.paytables()).expect("it can be read")
    }

    fn paytable(changes: &[(&str, Value)]) -> PayTable {
        let pays = json!({"flush": "3:2"});
        let mut value =
            json!({"id": "MINE", "title": "Mine", "source": "me", "bet": "trips", "pays": pays});
        for (field, own) in changes {
            value[*field] = own.clone();
        }
        PayTable::from_json(&value).expect("it can be read")
    }

    fn fields(result: Result<(), Faults>) -> Vec<String> {
        let faults = result.map_or_else(|faults| faults.all().to_vec(), |()| Vec::new());
        faults.into_iter().map(|fault| fault.field).collect()
    }

    #[test]
    fn shipped_definitions_are_admitted() {
        let catalog = Catalog::shipped();
        assert!(catalog.houses().all(|house| house.check_admission().is_ok()));
        assert!(catalog.paytables().iter().all(|table| table.check_admission().is_ok()));
        assert_eq!(house(&[]).check_admission(), Ok(()));
        assert_eq!(paytable(&[]).check_admission(), Ok(()));
    }

    #[test]
    fn ids_use_one_plain_alphabet_and_cannot_look_like_a_shipped_id() {
        let long = "a".repeat(ID_MAX + 1);
        let plain = ["uth-standard ", "\u{202e}mine", "m\u{ef}ne", "a b", "a/b", "a.b", &long];
        for id in plain {
            let faults = house(&[("id", json!(id))]).check_admission().expect_err(id).to_string();
            assert!(faults.contains("id: use 1 to 64 characters of a-z"), "{id:?}: {faults}");
            assert!(
                fields(paytable(&[("id", json!(id))]).check_admission()).contains(&"id".into())
            );
        }
        for id in ["UTH-STANDARD", "uth-standard ", "\u{202e}uth-standard", "uth_standard"] {
            let faults = house(&[("id", json!(id))]).check_admission().expect_err(id).to_string();
            assert!(faults.contains("is the id of uth-standard"), "{id:?}: {faults}");
        }
        for id in ["uth-01", "UTH-01 ", "UTH_O1", "UTH\u{202e}-01", "UTH-01"] {
            let faults =
                paytable(&[("id", json!(id))]).check_admission().expect_err(id).to_string();
            assert!(faults.contains("looks like UTH-01"), "{id:?}: {faults}");
        }
        assert_eq!(house(&[("id", json!("a".repeat(ID_MAX)))]).check_admission(), Ok(()));
    }

    #[test]
    fn strings_are_bounded_and_visible() {
        for (field, most) in [("title", TITLE_MAX), ("source", SOURCE_MAX)] {
            for (count, is_good) in [(most, true), (most + 1, false), (60_000, false)] {
                let text = json!("\u{1f0a1}".repeat(count));
                let found = house(&[(field, text.clone())]).check_admission();
                assert_eq!(found.is_ok(), is_good, "{field} of {count}");
                assert!(found.map_or_else(|faults| faults.to_string().len(), |()| 0) < 200);
                assert_eq!(paytable(&[(field, text)]).check_admission().is_ok(), is_good);
            }
            for text in [" a", "a ", "a\u{202e}b", "a\u{200b}b", "a\u{a0}b", "\u{feff}"] {
                let found = fields(house(&[(field, json!(text))]).check_admission());
                assert!(found.iter().all(|of| of == field) && !found.is_empty(), "{text:?}");
            }
        }
    }

    #[test]
    fn figures_are_bounded() {
        let limits = |limit: &str, cents: i64| {
            let mut value = json!(house(&[]).limits());
            value[limit] = json!(cents);
            fields(house(&[("limits", value)]).check_admission())
        };
        for limit in ["ante_max", "bonus_max"] {
            assert_eq!(limits(limit, STAKE_MAX.as_cents()), Vec::<String>::new());
            assert_eq!(limits(limit, STAKE_MAX.as_cents() + 500), [format!("limits.{limit}")]);
        }
        for (raise, found) in [(RAISE_MAX, vec![]), (RAISE_MAX + 1, vec!["raises"])] {
            let raises = json!([3, raise]);
            assert_eq!(fields(house(&[("raises", raises)]).check_admission()), found);
        }
        for (pays, is_good) in [("10000:1", true), ("10001:1", false), ("30000:2", false)] {
            let own = paytable(&[("pays", json!({"high-card": pays, "royal-flush": "20000:2"}))]);
            assert_eq!(own.check_admission().is_ok(), is_good, "{pays}");
        }
        let faults = paytable(&[("pays", json!({"pair": "10000000:1"}))]).check_admission();
        let wanted = "pays: 10000000 to 1 for a pair is too much: the limit is 10000 to 1";
        assert_eq!(faults.expect_err("it pays too much").to_string(), wanted);
    }

    #[test]
    fn the_most_generous_admitted_house_pays_within_the_bound() {
        let pays = json!({"high-card": "10000:1", "pair": "9999:1"});
        let bonus = paytable(&[("pays", pays.clone())]);
        let blind = paytable(&[("id", json!("BEST")), ("bet", json!("blind")), ("pays", pays)]);
        let catalog = Catalog::shipped();
        let tables = [catalog.paytables(), &[bonus, blind]].concat();
        let mut largest = Amount::ZERO;
        for shipped in catalog.houses().filter(|house| house.game() == crate::Game::Uth) {
            let mut value = json!(shipped);
            (value["id"], value["title"]) = (json!("mine"), json!("Mine"));
            (value["source"], value["raises"]) = (json!("me"), json!([RAISE_MAX]));
            (value["bonus_paytables"], value["blind_paytable"]) = (json!(["MINE"]), json!("BEST"));
            value["limits"]["single_wager_max"] = json!(STAKE_MAX.as_cents() * 100);
            for limit in ["ante_max", "bonus_max"] {
                value["limits"][limit] = json!(STAKE_MAX.as_cents());
            }
            let house = House::from_json(&value, &tables).expect("it can be read");
            assert_eq!(house.check_admission(), Ok(()));
            largest = largest.max(house.most_paid());
        }
        assert_eq!(largest, Amount::cents(16_163_200_000_000));
        assert!(largest < ROUND_MAX);
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let raises: Vec<u32> = (1..=9).collect();
        let changes = [
            ("id", json!("a b")),
            ("title", json!(" a")),
            ("source", json!("\u{202e}")),
            ("raises", json!(raises)),
        ];
        let found = fields(house(&changes).check_admission());
        assert_eq!(found, ["id", "raises", "source", "title"]);
        // The pay tables of a house are checked along with it.
        let own = paytable(&[("id", json!("a b"))]);
        let mut value = json!(house(&[]));
        value["bonus_paytables"] = json!(["a b"]);
        let tables = [Catalog::shipped().paytables(), &[own]].concat();
        let found = House::from_json(&value, &tables).expect("it can be read").check_admission();
        assert_eq!(fields(found), ["bonus_paytables"]);
    }

    #[test]
    fn faults_in_a_file_have_line_numbers() {
        let text = "id = \"MINE\"\ntitle = \"Mine \"\nsource = \"me\"\nbet = \"trips\"\n\n\
                    [pays]\nflush = \"3:2\"\n";
        let faults = PayTable::from_own_toml(text).expect_err("it has faults");
        assert_eq!(faults.to_string(), "line 2: title: it begins or ends with a space: remove it");
        assert!(PayTable::from_own_toml(&text.replace("Mine ", "Mine")).is_ok());
        let house = include_str!("../data/houses/uth-standard.toml");
        let own = house.replacen("uth-standard", "a b", 1);
        let own = own.replacen("Ultimate Texas Hold'em\"", "Mine\u{202e}\"", 1);
        let own = own.replacen("Ultimate Texas Hold'em rules of play", "me", 1);
        let faults = Catalog::shipped().read_own_house(&own).expect_err("it has faults");
        assert_eq!(
            faults.to_string(),
            "line 1: id: use 1 to 64 characters of a-z, A-Z, 0-9, - and _\n\
             line 2: title: it has U+202E, which is invisible: remove it"
        );
    }
}
