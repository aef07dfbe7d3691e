//! Tables and their journals in the database.

use croupier_table::{Entry, Hash, JournalFault, Time, first_hash};
use rusqlite::{Connection, Error, Row};

use super::fault::Fault;
use super::rows::{all, change, hash_at, integer, limit, one, time_at};
use super::{Sqlite, accounts, commands, rounds};
use crate::accounts::keys_of_table;
use crate::commands::{CommandKey, Written};
use crate::error::StoreError;
use crate::journals::{Append, Journals, TableRow, damaged, sound};

impl Journals for Sqlite {
    async fn append(&self, append: Append) -> Result<Written, StoreError> {
        append.check()?;
        let writer = self.writer()?;
        let probe = writer.probe();
        writer.write(move |connection| add_entries(connection, &append, probe)).await
    }

    async fn table(&self, table: &str) -> Result<Option<TableRow>, StoreError> {
        let table = table.to_owned();
        self.read(move |connection| find_table(connection, &table)).await
    }

    async fn tables(&self, after: &str, most: usize) -> Result<Vec<TableRow>, StoreError> {
        let after = after.to_owned();
        self.read(move |connection| tables(connection, &after, most)).await
    }

    async fn versions(&self, tables: Vec<String>) -> Result<Vec<(String, u64)>, StoreError> {
        self.read(move |connection| versions(connection, tables)).await
    }

    async fn journal(&self, table: &str, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        let table = table.to_owned();
        self.read(move |connection| journal(connection, &table, from, most)).await
    }

    async fn claim(&self, now: Time, until: Time, most: usize) -> Result<Vec<String>, StoreError> {
        self.write(move |connection| claim(connection, now, until, most)).await
    }

    async fn remove_unplayed(&self, table: &str, before: Time) -> Result<bool, StoreError> {
        let table = table.to_owned();
        self.write(move |connection| remove_unplayed(connection, &table, before)).await
    }

    async fn answer(&self, key: &CommandKey, body: &Hash) -> Result<Option<String>, StoreError> {
        key.check()?;
        let (key, body) = (key.clone(), *body);
        self.read(move |connection| commands::answer(connection, &key, &body)).await
    }
}

/// Adds entries to a journal, with all related rows.
fn add_entries(
    connection: &Connection,
    append: &Append,
    probe: fn(&'static str),
) -> Result<Written, Fault> {
    if let Some(answer) = commands::answer_of(connection, append.command.as_ref())? {
        return Ok(Written::Repeated(answer));
    }
    let Append { table, expected, entries, .. } = append;
    if version(connection, table)?.unwrap_or(0) != *expected {
        return Err(StoreError::Conflict.into());
    }
    let previous = match *expected {
        0 => first_hash(table),
        last => hash(connection, table, last)?,
    };
    let (first, last) = (&entries[0], &entries[entries.len() - 1]);
    if !first.is_sealed_after(&previous) {
        return Err(damaged(table, first.version, JournalFault::Altered).into());
    }
    for entry in entries {
        let is_new = change(
            connection,
            "INSERT INTO journal (table_name, version, at, body, hash)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
            (table, entry.version, entry.at.as_millis(), &entry.body, entry.hash.as_bytes()),
        )?;
        if !is_new {
            let why = "it is stored, but is past the table's version".to_owned();
            return Err(damaged(table, entry.version, JournalFault::Impossible { why }).into());
        }
    }
    probe("entries-written");
    set_table(connection, append, last.version)?;
    for round in &append.rounds {
        rounds::add(connection, round)?;
    }
    accounts::post(connection, &append.transfers, last.at)?;
    commands::remember(connection, append.command.as_ref(), last.at)?;
    Ok(Written::Now)
}

fn set_table(connection: &Connection, append: &Append, version: u64) -> Result<(), Fault> {
    let deadline = append.deadline.map(Time::as_millis);
    if let Some(house) = &append.opens {
        let checkpoint = append.checkpoint.unwrap_or(0);
        change(
            connection,
            "INSERT INTO tables (name, house, version, checkpoint, deadline, claimed, closed)
             VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)",
            (&append.table, house, version, checkpoint, deadline, append.closes),
        )?;
    } else {
        change(
            connection,
            "UPDATE tables SET version = ?2, checkpoint = coalesce(?3, checkpoint), deadline = ?4,
             claimed = 0, closed = ?5 WHERE name = ?1",
            (&append.table, version, append.checkpoint, deadline, append.closes),
        )?;
    }
    Ok(())
}

/// Returns the version of a table's journal.
fn version(connection: &Connection, table: &str) -> Result<Option<u64>, Fault> {
    one(connection, "SELECT version FROM tables WHERE name = ?1", [table], |row| row.get(0))
}

/// Returns the hash of an entry that must exist.
fn hash(connection: &Connection, table: &str, version: u64) -> Result<Hash, Fault> {
    let sql = "SELECT hash FROM journal WHERE table_name = ?1 AND version = ?2";
    let hash = one(connection, sql, (table, integer(version)), |row| hash_at(row, 0))?;
    hash.ok_or_else(|| damaged(table, version, JournalFault::Missing).into())
}

/// Returns a table.
fn find_table(connection: &Connection, table: &str) -> Result<Option<TableRow>, Fault> {
    let sql = "SELECT name, house, version, checkpoint, deadline, closed FROM tables
               WHERE name = ?1";
    one(connection, sql, [table], table_row)
}

/// Returns tables by their names.
fn tables(connection: &Connection, after: &str, most: usize) -> Result<Vec<TableRow>, Fault> {
    let sql = "SELECT name, house, version, checkpoint, deadline, closed FROM tables
               WHERE name > ?1 ORDER BY name LIMIT ?2";
    all(connection, sql, (after, limit(most)), table_row)
}

/// Returns the versions of tables that exist, by their names.
fn versions(connection: &Connection, mut tables: Vec<String>) -> Result<Vec<(String, u64)>, Fault> {
    tables.sort();
    tables.dedup();
    let mut found = Vec::new();
    for table in tables {
        if let Some(version) = version(connection, &table)? {
            found.push((table, version));
        }
    }
    Ok(found)
}

fn table_row(row: &Row<'_>) -> Result<TableRow, Error> {
    Ok(TableRow {
        table: row.get(0)?,
        house: row.get(1)?,
        version: row.get(2)?,
        checkpoint: row.get(3)?,
        deadline: row.get::<_, Option<i64>>(4)?.map(Time::from_millis),
        closed: row.get(5)?,
    })
}

/// Returns a part of a journal, if it is undamaged.
fn journal(
    connection: &Connection,
    table: &str,
    from: u64,
    most: usize,
) -> Result<Vec<Entry>, Fault> {
    let from = from.max(1);
    let end = version(connection, table)?.unwrap_or(0);
    if from > end || most == 0 {
        return Ok(Vec::new());
    }
    let before = match from {
        1 => first_hash(table),
        _ => hash(connection, table, from - 1)?,
    };
    let entries = all(
        connection,
        "SELECT version, at, body, hash FROM journal
         WHERE table_name = ?1 AND version BETWEEN ?2 AND ?3 ORDER BY version LIMIT ?4",
        (table, integer(from), integer(end), limit(most)),
        |row| {
            let (at, hash) = (time_at(row, 1)?, hash_at(row, 3)?);
            Ok(Entry { version: row.get(0)?, at, body: row.get(2)?, hash })
        },
    )?;
    Ok(sound(table, &before, (from, end), most, entries)?)
}

/// Claims tables whose deadline has passed.
fn claim(
    connection: &Connection,
    now: Time,
    until: Time,
    most: usize,
) -> Result<Vec<String>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT name FROM tables
         WHERE deadline IS NOT NULL AND deadline <= ?1 AND claimed <= ?1 AND closed = 0
         ORDER BY deadline, name LIMIT ?2",
    )?;
    let names = statement.query_map((now.as_millis(), limit(most)), |row| row.get(0))?;
    let names: Vec<String> = names.collect::<Result<_, _>>()?;
    for name in &names {
        let sql = "UPDATE tables SET claimed = ?2 WHERE name = ?1";
        change(connection, sql, (name, until.as_millis()))?;
    }
    Ok(names)
}

/// Removes a table that was never played, with its journal.
fn remove_unplayed(connection: &Connection, table: &str, before: Time) -> Result<bool, Fault> {
    let [first, end] = keys_of_table(table);
    let is_gone = change(
        connection,
        "DELETE FROM tables WHERE name = ?1 AND closed <> 0
             AND NOT EXISTS (SELECT 1 FROM rounds WHERE table_name = ?1)
             AND NOT EXISTS (SELECT 1 FROM transfers WHERE key >= ?2 AND key < ?3)
             AND NOT EXISTS (SELECT 1 FROM journal WHERE table_name = ?1
                 AND journal.version = tables.version AND at > ?4)",
        (table, first, end, before.as_millis()),
    )?;
    if is_gone {
        change(connection, "DELETE FROM journal WHERE table_name = ?1", [table])?;
    }
    Ok(is_gone)
}
