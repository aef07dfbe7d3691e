//! A statement with its values, and values as the database takes them.

use std::fmt;

use tokio_postgres::types::ToSql;

/// A statement with its values.
pub(super) struct Statement<'a> {
    pub(super) sql: &'static str,
    values: Vec<Box<dyn ToSql + Sync + Send + 'a>>,
}

impl<'a> Statement<'a> {
    pub(super) const fn new(sql: &'static str) -> Self {
        Self { sql, values: Vec::new() }
    }

    /// Adds a value.
    pub(super) fn with(mut self, value: impl ToSql + Sync + Send + 'a) -> Self {
        self.values.push(Box::new(value));
        self
    }

    /// Adds one value of each row, as an array: many rows are one statement.
    pub(super) fn column<'b, Row, T: ToSql + Sync + Send + 'a>(
        self,
        rows: &'b [Row],
        value: impl FnMut(&'b Row) -> T,
    ) -> Self {
        self.with(rows.iter().map(value).collect::<Vec<T>>())
    }

    /// Returns the values as the driver takes them.
    pub(super) fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect()
    }
}

/// Hides the values, which may be private.
impl fmt::Debug for Statement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Statement").field(&self.sql).finish()
    }
}

/// Returns a row limit as the database takes it.
pub(super) fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

/// Returns a text that the same names follow as this one, and that can be sent: no name has a NUL
/// character in it.
pub(super) fn sendable(after: &str) -> &str {
    after.split('\0').next().unwrap_or_default()
}
