//! The pay tables and houses that come with Croupier.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::definition::Faults;
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

/// The pay tables and houses that are known by their ids.
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
}

impl Catalog {
    /// Returns what comes with Croupier: nine pay tables and four houses.
    ///
    /// # Panics
    ///
    /// Never: what comes with Croupier has been checked.
    pub fn shipped() -> Self {
        let mut catalog = Self { paytables: Vec::new(), houses: Vec::new() };
        for text in PAYTABLES {
            let table = PayTable::from_toml(text).expect("a good pay table");
            catalog.add_paytable(table).expect("an id of its own");
        }
        for text in HOUSES {
            let house = catalog.read_house(text).expect("a good house");
            catalog.add_house(house).expect("an id of its own");
        }
        catalog
    }

    /// Adds a pay table.
    ///
    /// # Errors
    ///
    /// When its id is known already: an id means one table, to every house and record that has it.
    pub fn add_paytable(&mut self, table: PayTable) -> Result<(), KnownId> {
        if self.paytable(table.id()).is_ok() {
            return Err(KnownId { kind: "pay table", id: table.id().to_owned() });
        }
        self.paytables.push(table);
        Ok(())
    }

    /// Adds a house.
    ///
    /// # Errors
    ///
    /// When its id is known already.
    pub fn add_house(&mut self, house: House) -> Result<(), KnownId> {
        if self.house(house.id()).is_ok() {
            return Err(KnownId { kind: "house", id: house.id().to_owned() });
        }
        self.houses.push(Arc::new(house));
        Ok(())
    }

    /// Reads a house written in TOML that uses these pay tables, without adding it.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, with line numbers.
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
    /// When there is none.
    pub fn paytable(&self, id: &str) -> Result<&PayTable, UnknownId> {
        self.paytables.iter().find(|table| table.id() == id).ok_or_else(|| UnknownId {
            kind: "pay table",
            id: id.to_owned(),
            known: self.paytables.iter().map(|table| table.id().to_owned()).collect(),
        })
    }

    /// Returns the house with this id.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn house(&self, id: &str) -> Result<&Arc<House>, UnknownId> {
        self.houses.iter().find(|house| house.id() == id).ok_or_else(|| UnknownId {
            kind: "house",
            id: id.to_owned(),
            known: self.houses.iter().map(|house| house.id().to_owned()).collect(),
        })
    }
}

/// An id that the catalog does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownId {
    kind: &'static str,
    id: String,
    known: Vec<String>,
}

impl fmt::Display for UnknownId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no {} \"{}\": write one of {}",
            self.kind,
            self.id,
            self.known.join(", ")
        )
    }
}

impl Error for UnknownId {}

/// An id that the catalog has for something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownId {
    kind: &'static str,
    id: String,
}

impl fmt::Display for KnownId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, id } = self;
        write!(f, "there is a {kind} \"{id}\" already: give yours another id")
    }
}

impl Error for KnownId {}
