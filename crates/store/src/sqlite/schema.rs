//! The schema of the database, and whether this program knows it.

use rusqlite::{Connection, TransactionBehavior};

use super::fault::Fault;
use crate::error::StoreError;
use crate::migration::{Applied, Migration, pending};

fn migrations() -> [Migration; 3] {
    [
        Migration::new(1, "begin", include_str!("../../migrations/sqlite/0001_begin.sql")),
        Migration::new(2, "papers", include_str!("../../migrations/sqlite/0002_papers.sql")),
        Migration::new(3, "changes", include_str!("../../migrations/sqlite/0003_changes.sql")),
    ]
}

/// Checks, without a change, that the database is empty or belongs to this program.
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

/// Migrates the database.
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
        // The time is informative only, so the database may supply it.
        transaction.execute(
            "INSERT INTO migrations (version, name, checksum, at)
             VALUES (?1, ?2, ?3, CAST(unixepoch('subsec') * 1000 AS INTEGER))",
            (version, name, checksum),
        )?;
    }
    transaction.commit()?;
    Ok(())
}

/// Checks that the database is up to date, for a caller that may not migrate it.
pub(crate) fn check(connection: &Connection) -> Result<(), Fault> {
    look(connection)?;
    let known = migrations();
    let rows = if is_begun(connection)? { applied(connection)? } else { Vec::new() };
    if pending(&known, &rows).map_err(StoreError::from)?.is_empty() {
        return Ok(());
    }
    let why = "it is not up to date, and this access cannot migrate it: open it for writing";
    Err(StoreError::Unusable(why.to_owned()).into())
}

/// Returns whether an earlier version of this program made the database.
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
