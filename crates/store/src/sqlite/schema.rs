//! The tables of the database, and whether they are those that this program knows.

use rusqlite::{Connection, TransactionBehavior};

use super::fault::Fault;
use crate::migration::{Applied, Migration, pending};
use crate::store::StoreError;

fn migrations() -> [Migration; 3] {
    [
        Migration::new(1, "begin", include_str!("../../migrations/sqlite/0001_begin.sql")),
        Migration::new(2, "papers", include_str!("../../migrations/sqlite/0002_papers.sql")),
        Migration::new(3, "changes", include_str!("../../migrations/sqlite/0003_changes.sql")),
    ]
}

/// Makes sure, without a change, that the database is empty or one of this program's.
pub(super) fn look(connection: &Connection) -> Result<(), Fault> {
    let of_others: bool = connection.query_row(
        "SELECT count(*) > 0 AND sum(name = 'migrations') = 0 FROM sqlite_schema",
        (),
        |row| row.get::<_, Option<bool>>(0).map(Option::unwrap_or_default),
    )?;
    if of_others {
        let why = "this is the database of another program: name another file".to_owned();
        return Err(StoreError::Unusable(why).into());
    }
    if is_begun(connection)? {
        let known = migrations();
        pending(&known, &applied(connection)?).map_err(StoreError::from)?;
    }
    Ok(())
}

/// Brings the database up to date.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), Fault> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(
        "CREATE TABLE IF NOT EXISTS migrations (
            version INTEGER NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            checksum TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT",
    )?;
    let known = migrations();
    let rows = applied(&transaction)?;
    for Migration { version, name, sql, checksum } in
        pending(&known, &rows).map_err(StoreError::from)?
    {
        transaction.execute_batch(sql)?;
        // Only people read the time, so the database may say what it is.
        transaction.execute(
            "INSERT INTO migrations (version, name, checksum, at)
             VALUES (?1, ?2, ?3, CAST(unixepoch('subsec') * 1000 AS INTEGER))",
            (version, name, checksum),
        )?;
    }
    transaction.commit()?;
    Ok(())
}

/// Makes sure that the database is up to date, for somebody who may not bring it there.
pub(crate) fn check(connection: &Connection) -> Result<(), Fault> {
    look(connection)?;
    let known = migrations();
    let rows = if is_begun(connection)? { applied(connection)? } else { Vec::new() };
    if pending(&known, &rows).map_err(StoreError::from)?.is_empty() {
        return Ok(());
    }
    let why = "it is not up to date, and cannot be read like this: open it for writing once";
    Err(StoreError::Unusable(why.to_owned()).into())
}

/// Tells whether an earlier version of this program made the database.
pub(crate) fn is_behind(connection: &Connection) -> Result<bool, Fault> {
    look(connection)?;
    let known = migrations();
    let rows = if is_begun(connection)? { applied(connection)? } else { Vec::new() };
    let pending = pending(&known, &rows).map_err(StoreError::from)?;
    Ok(!rows.is_empty() && !pending.is_empty())
}

fn is_begun(connection: &Connection) -> Result<bool, Fault> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'migrations')";
    Ok(connection.query_row(sql, (), |row| row.get(0))?)
}

fn applied(connection: &Connection) -> Result<Vec<Applied>, Fault> {
    let sql = "SELECT version, name, checksum FROM migrations ORDER BY version";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map((), |row| {
        Ok(Applied { version: row.get(0)?, name: row.get(1)?, checksum: row.get(2)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
