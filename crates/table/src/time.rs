//! Time, as passed in by the shell.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A moment, in milliseconds since the beginning of 1970 (UTC).
///
/// A table never reads a clock: every command comes with the time, so a replay sees the same times.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(description = "A time, in milliseconds since 1970."))]
#[serde(transparent)]
pub struct Time(i64);

impl Time {
    /// Returns the moment this many milliseconds after the beginning of 1970.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns the number of milliseconds since the beginning of 1970.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Returns the moment this many milliseconds later, or the last possible moment.
    #[must_use]
    pub const fn after(self, millis: u32) -> Self {
        Self(self.0.saturating_add(millis as i64))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}
