//! Commands and their answers in the database.

use croupier_table::{Hash, Time};
use rusqlite::Connection;

use super::fault::Fault;
use super::rows::{change, hash_at, one};
use crate::commands::{Answered, CommandKey};
use crate::error::StoreError;

/// Returns a command's earlier answer.
pub(super) fn answer(
    connection: &Connection,
    key: &CommandKey,
    body: &Hash,
) -> Result<Option<String>, Fault> {
    let row = one(
        connection,
        "SELECT body, answer FROM commands WHERE sender = ?1 AND key = ?2",
        (&key.sender, &key.key),
        |row| Ok((hash_at(row, 0)?, row.get(1)?)),
    )?;
    match row {
        Some((known, _)) if known != *body => Err(StoreError::KeyReused.into()),
        Some((_, answer)) => Ok(Some(answer)),
        None => Ok(None),
    }
}

/// Returns the earlier answer of a command, if it is one.
pub(super) fn answer_of(
    connection: &Connection,
    command: Option<&Answered>,
) -> Result<Option<String>, Fault> {
    command.map_or(Ok(None), |Answered { key, body, .. }| answer(connection, key, body))
}

/// Stores the answer to a command.
pub(super) fn remember(
    connection: &Connection,
    command: Option<&Answered>,
    at: Time,
) -> Result<(), Fault> {
    if let Some(Answered { key, body, answer }) = command {
        change(
            connection,
            "INSERT INTO commands (sender, key, body, answer, at) VALUES (?1, ?2, ?3, ?4, ?5)",
            (&key.sender, &key.key, body.as_bytes(), answer, at.as_millis()),
        )?;
    }
    Ok(())
}
