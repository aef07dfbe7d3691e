//! A place at the table.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};

/// The number of a seat: 1 at the casino dealer's left, rising clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 8, example = 1))]
#[serde(transparent)]
pub struct Seat(u32);

impl Seat {
    /// Returns the seat with this number, if any table has one.
    pub const fn new(number: u32) -> Option<Self> {
        if number >= 1 && number <= 8 { Some(Self(number)) } else { None }
    }

    /// Returns the number of the seat.
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("seat {}", self.0))
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u32::deserialize(deserializer)?;
        let unknown = || de::Error::custom(format_args!("there is no seat {number} at any table"));
        Self::new(number).ok_or_else(unknown)
    }
}
