//! The pay tables and houses that ship with Croupier.

use std::sync::{Arc, LazyLock};

use thiserror::Error;

use crate::definition::Faults;
use crate::edition::Edition;
use crate::house::House;
use crate::paytable::PayTable;

const PAYTABLES: [&str; 9] = [
    include_str!("../data/paytables/UTH.toml"),
    include_str!("../data/paytables/UTH-01.toml"),
    include_str!("../data/paytables/UTH-02.toml"),
    include_str!("../data/paytables/UTH-03.toml"),
    include_str!("../data/paytables/UTH-04.toml"),
    include_str!("../data/paytables/UTCP.toml"),
    include_str!("../data/paytables/UTCP-01.toml"),
    include_str!("../data/paytables/UTCP-02.toml"),
    include_str!("../data/paytables/UTCP-03.toml"),
];

const HOUSES: [&str; 4] = [
    include_str!("../data/houses/uth-standard.toml"),
    include_str!("../data/houses/uth-washington.toml"),
    include_str!("../data/houses/uth-california.toml"),
    include_str!("../data/houses/utcp-standard.toml"),
];

/// Houses of earlier editions of the rules, where they differ from today's in more than the
/// edition: rounds that name them are replayed as they were played then.
const FORMER_HOUSES: [(Edition, &str); 1] =
    [(Edition::First, include_str!("../data/houses/former/uth-california-1.toml"))];

/// The catalog that ships with Croupier, read once: new definitions are compared with it.
pub(crate) static SHIPPED: LazyLock<Catalog> = LazyLock::new(Catalog::shipped);

/// The known pay tables and houses, by id.
///
/// ```
/// use croupier_rules::{Amount, Catalog};
///
/// let catalog = Catalog::shipped();
/// let house = catalog.house("uth-washington")?;
/// assert_eq!(house.limits().single_wager_max, Some(Amount::cents(40_000)));
/// assert_eq!(house.blind_paytable().id(), "UTH");
/// # Ok::<(), croupier_rules::UnknownId>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    paytables: Vec<PayTable>,
    houses: Vec<Arc<House>>,
    /// The number of houses that ship with Croupier; they come first.
    shipped: usize,
    /// Houses of earlier editions.
    former: Vec<Arc<House>>,
}

impl Catalog {
    /// Returns the catalog that ships with Croupier: nine pay tables and four houses.
    ///
    /// # Panics
    ///
    /// Never: the shipped definitions have been checked.
    pub fn shipped() -> Self {
        let mut catalog = Self::default();
        for text in PAYTABLES {
            let table = PayTable::from_toml(text).expect("a good pay table");
            catalog.add_paytable(table).expect("an id of its own");
        }
        for text in HOUSES {
            let house = catalog.read_house(text).expect("a good house");
            catalog.add_house(house).expect("an id of its own");
        }
        catalog.shipped = catalog.houses.len();
        for (edition, text) in FORMER_HOUSES {
            let house = House::from_toml_of(text, &catalog.paytables, edition);
            catalog.former.push(Arc::new(house.expect("a good house")));
        }
        catalog
    }

    /// Adds a pay table.
    ///
    /// # Errors
    ///
    /// If its id is already known: an id means one table, in every house and record that uses it.
    pub fn add_paytable(&mut self, table: PayTable) -> Result<(), KnownId> {
        if self.paytable(table.id()).is_ok() {
            return Err(KnownId::PayTable { id: table.id().to_owned() });
        }
        self.paytables.push(table);
        Ok(())
    }

    /// Adds a house.
    ///
    /// # Errors
    ///
    /// If its id is already known, or if it has the id, the title or the source of a shipped house:
    /// a house can't pose as another one.
    pub fn add_house(&mut self, house: House) -> Result<(), KnownId> {
        if self.house(house.id()).is_ok() {
            return Err(KnownId::House { id: house.id().to_owned() });
        }
        let shipped = &self.houses[..self.shipped];
        let known = |(field, own)| shipped.iter().find_map(|house| house.has_name(field, own));
        if let Some(known) = house.names().into_iter().find_map(known) {
            return Err(known);
        }
        self.houses.push(Arc::new(house));
        Ok(())
    }

    /// Reads a user's house from TOML, without adding it.
    ///
    /// # Errors
    ///
    /// All its faults, with line numbers. Unless it is a shipped house, that includes every reason
    /// it can't be [admitted](House::check_admission), such as a name taken from a shipped house.
    pub fn read_own_house(&self, text: &str) -> Result<House, Faults> {
        let shipped = &self.houses[..self.shipped];
        match self.read_house(text) {
            Ok(house) if shipped.iter().any(|known| **known == house) => Ok(house),
            _ => House::from_own_toml(text, &self.paytables, shipped),
        }
    }

    /// Reads a house written in TOML that uses the catalog's pay tables, without adding it.
    ///
    /// # Errors
    ///
    /// All its faults, with line numbers.
    pub fn read_house(&self, text: &str) -> Result<House, Faults> {
        House::from_toml(text, &self.paytables)
    }

    /// Returns all pay tables.
    pub fn paytables(&self) -> &[PayTable] {
        &self.paytables
    }

    /// Returns all houses.
    pub fn houses(&self) -> impl ExactSizeIterator<Item = &House> {
        self.houses.iter().map(|house| &**house)
    }

    /// Returns the pay table with this id.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn paytable(&self, id: &str) -> Result<&PayTable, UnknownId> {
        self.paytables.iter().find(|table| table.id() == id).ok_or_else(|| UnknownId {
            kind: "pay table",
            id: id.to_owned(),
            known: self.paytables.iter().map(|table| table.id().to_owned()).collect(),
        })
    }

    /// Returns the house with this id, under an edition of the rules.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn house_of(&self, id: &str, edition: Edition) -> Result<Arc<House>, UnknownId> {
        let former =
            self.former.iter().find(|house| house.id() == id && house.edition() == edition);
        match former {
            Some(house) => Ok(Arc::clone(house)),
            None => self.house(id).map(|house| match house.edition() {
                same if same == edition => Arc::clone(house),
                _ => Arc::new(house.in_edition(edition)),
            }),
        }
    }

    /// Returns the house with this id.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn house(&self, id: &str) -> Result<&Arc<House>, UnknownId> {
        self.houses.iter().find(|house| house.id() == id).ok_or_else(|| UnknownId {
            kind: "house",
            id: id.to_owned(),
            known: self.houses.iter().map(|house| house.id().to_owned()).collect(),
        })
    }
}

/// An id that the catalog does not know.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no {kind} \"{id}\": write one of {}", .known.join(", "))]
pub struct UnknownId {
    kind: &'static str,
    id: String,
    known: Vec<String>,
}

/// A name that the catalog already uses for another definition.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KnownId {
    /// A pay table's id.
    #[error("a pay table \"{id}\" already exists: choose another id")]
    PayTable {
        /// The id.
        id: String,
    },
    /// A house's id.
    #[error("a house \"{id}\" already exists: choose another id")]
    House {
        /// The id.
        id: String,
    },
    /// The id, title or source of a shipped house.
    #[error("\"{text}\" is the {theirs} of {of}: give your house another {field}")]
    Shipped {
        /// The field of the new house that has the name.
        field: &'static str,
        /// The name as written.
        text: String,
        /// The field of the shipped house that has the name.
        theirs: &'static str,
        /// The id of the shipped house.
        of: String,
    },
}

/// Tells whether two names look the same to a reader: letters and digits count; case, spaces and
/// punctuation do not. Characters that look alike, such as a zero and an O, count as the same.
pub(crate) fn looks_like(one: &str, other: &str) -> bool {
    let drawn = |char: char| match char {
        '0' => 'o',
        '1' | 'l' | '|' => 'i',
        other => other,
    };
    let plain = |text: &str| -> String {
        let small = text.chars().flat_map(char::to_lowercase).map(drawn);
        small.filter(|char| char.is_alphanumeric()).collect()
    };
    one == other || plain(one) == plain(other) && !plain(one).is_empty()
}
