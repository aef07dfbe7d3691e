//! Tables and their journals in the database.

use croupier_table::{Entry, Hash, JournalFault, Time, first_hash};

use super::change::{Change, end, number};
use super::statement::{Statement, limit, sendable};
use super::{Postgres, rows};
use crate::accounts::keys_of_table;
use crate::commands::{CommandKey, Written};
use crate::error::StoreError;
use crate::journals::{Append, Journals, TableRow, damaged, sound};
use crate::limits::can_exist;

const TABLE: &str = "SELECT name, house, version, checkpoint, deadline, closed FROM tables
    WHERE name = $1";

const TABLES: &str = "SELECT name, house, version, checkpoint, deadline, closed FROM tables
    WHERE name > $1 ORDER BY name LIMIT $2";

const VERSION: &str = "SELECT version FROM tables WHERE name = $1";

const JOURNAL: &str = "SELECT version, at, body, hash FROM journal
    WHERE table_name = $1 AND version >= $2 ORDER BY version LIMIT $3";

// Concurrent claims skip the rows that this one has locked. Without its own step, the limit could
// be applied more than once.
const CLAIM: &str = "WITH due AS MATERIALIZED (
        SELECT name FROM tables
        WHERE deadline <= $1 AND claimed <= $1 AND closed = 0
        ORDER BY deadline, name LIMIT $3
        FOR UPDATE SKIP LOCKED
    ), taken AS (
        UPDATE tables SET claimed = $2 FROM due WHERE tables.name = due.name
        RETURNING tables.name, tables.deadline
    )
    SELECT name FROM taken ORDER BY deadline, name";

// A closed table never changes again, so these conditions stay true.
const REMOVE_UNPLAYED: &str = "WITH gone AS (
        DELETE FROM tables WHERE name = $1 AND closed <> 0
            AND NOT EXISTS (SELECT 1 FROM rounds WHERE table_name = $1)
            AND NOT EXISTS (SELECT 1 FROM transfers WHERE key >= $2 AND key < $3)
            AND NOT EXISTS (SELECT 1 FROM journal WHERE table_name = $1
                AND journal.version = tables.version AND at > $4)
        RETURNING name
    ), entries AS (
        DELETE FROM journal USING gone WHERE table_name = gone.name
    )
    SELECT count(*) FROM gone";

impl Journals for Postgres {
    async fn append(&self, append: Append) -> Result<Written, StoreError> {
        append.check()?;
        let previous = self.hash_at(&append.table, append.expected).await?;
        let change = Change::of_journal(&append);
        let written = self.write(&change, change.is_possible(previous.as_ref())).await?;
        if written == Written::Now {
            self.remember(&append.table, end(&append));
        }
        Ok(written)
    }

    async fn table(&self, table: &str) -> Result<Option<TableRow>, StoreError> {
        if !can_exist(table) {
            return Ok(None);
        }
        self.ask_one(Statement::new(TABLE).with(table), rows::table).await
    }

    async fn tables(&self, after: &str, most: usize) -> Result<Vec<TableRow>, StoreError> {
        let statement = Statement::new(TABLES).with(sendable(after)).with(limit(most));
        self.ask_all(statement, rows::table).await
    }

    async fn versions(&self, mut tables: Vec<String>) -> Result<Vec<(String, u64)>, StoreError> {
        tables.retain(|table| can_exist(table));
        let sql = "SELECT name, version FROM tables WHERE name = ANY ($1::text[]) ORDER BY name";
        let statement = Statement::new(sql).with(tables);
        self.ask_all(statement, |row| Ok((rows::get(row, 0)?, rows::count(row, 1)?))).await
    }

    async fn journal(&self, table: &str, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        if !can_exist(table) {
            return Ok(Vec::new());
        }
        let from = from.max(1);
        // The entry before the first is read, too: it has the hash that the first comes after.
        let head = Statement::new(VERSION).with(table);
        let entries = Statement::new(JOURNAL).with(table).with(number(from - 1));
        let entries = entries.with(limit(most.saturating_add(usize::from(from > 1))));
        let [head, entries] = self.session.ask_each([head, entries]).await?;
        let end = head.first().map(|row| rows::count(row, 0)).transpose()?.unwrap_or(0);
        if from > end {
            return Ok(Vec::new());
        }
        let mut entries: Vec<Entry> = entries.iter().map(rows::entry).collect::<Result<_, _>>()?;
        let before = if from == 1 {
            first_hash(table)
        } else if entries.first().is_some_and(|entry| entry.version == from - 1) {
            entries.remove(0).hash
        } else {
            return Err(damaged(table, from - 1, JournalFault::Missing));
        };
        sound(table, &before, (from, end), most, entries)
    }

    async fn claim(&self, now: Time, until: Time, most: usize) -> Result<Vec<String>, StoreError> {
        let statement = Statement::new(CLAIM).with(now.as_millis()).with(until.as_millis());
        let rows = self.change(statement.with(limit(most))).await?;
        rows.iter().map(|row| rows::get(row, 0)).collect()
    }

    async fn remove_unplayed(&self, table: &str, before: Time) -> Result<bool, StoreError> {
        if !can_exist(table) {
            return Ok(false);
        }
        let [first, end] = keys_of_table(table);
        let statement = Statement::new(REMOVE_UNPLAYED).with(table).with(first).with(end);
        let is_gone = self.count(statement.with(before.as_millis())).await? > 0;
        if is_gone {
            self.ends.lock().expect("no panic in between").remove(table);
        }
        Ok(is_gone)
    }

    async fn answer(&self, key: &CommandKey, body: &Hash) -> Result<Option<String>, StoreError> {
        key.check()?;
        let sql = "SELECT body, answer FROM commands WHERE sender = $1 AND key = $2";
        let rows = self.session.ask(Statement::new(sql).with(&key.sender).with(&key.key)).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        if rows::hash(row, 0)? != *body {
            return Err(StoreError::KeyReused);
        }
        rows::get(row, 1).map(Some)
    }
}
