//! Statements, and the conversion of their rows.

use std::str::FromStr;

use croupier_rules::Amount;
use croupier_table::{Account, Hash, Time};
use rusqlite::types::Type;
use rusqlite::{Connection, Error, OptionalExtension, Params, Row};

use super::fault::Fault;

/// Returns the first row of a query, if there is one.
pub(super) fn one<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T, Error>,
) -> Result<Option<T>, Fault> {
    Ok(connection.prepare_cached(sql)?.query_row(values, read).optional()?)
}

/// Returns all rows of a query.
pub(super) fn all<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Fault> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(values, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Runs a statement, and returns whether it changed something.
pub(super) fn change(
    connection: &Connection,
    sql: &str,
    values: impl Params,
) -> Result<bool, Fault> {
    Ok(count(connection, sql, values)? > 0)
}

/// Runs a statement, and returns how many rows it changed.
pub(super) fn count(connection: &Connection, sql: &str, values: impl Params) -> Result<u64, Fault> {
    Ok(connection.prepare_cached(sql)?.execute(values)? as u64)
}

pub(super) fn time_at(row: &Row<'_>, column: usize) -> Result<Time, Error> {
    row.get(column).map(Time::from_millis)
}

pub(super) fn amount_at(row: &Row<'_>, column: usize) -> Result<Amount, Error> {
    row.get(column).map(Amount::cents)
}

pub(super) fn hash_at(row: &Row<'_>, column: usize) -> Result<Hash, Error> {
    row.get(column).map(Hash::from_bytes)
}

pub(super) fn account_at(row: &Row<'_>, column: usize) -> Result<Account, Error> {
    let text: String = row.get(column)?;
    Account::from_str(&text)
        .map_err(|error| Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}

/// Returns a row limit as the database takes it.
pub(super) fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

/// Returns a number as the database takes it. A number out of range becomes the largest: nothing
/// was ever written under such a number.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
