//! Documents in the database, whose table calls them papers, and a collection a drawer.

use croupier_table::Time;
use rusqlite::{Connection, Error, Row};

use super::Sqlite;
use super::fault::Fault;
use super::rows::{all, change, count, limit, one, time_at};
use crate::documents::{DocumentRow, Documents};
use crate::error::StoreError;

impl Documents for Sqlite {
    async fn document(
        &self,
        collection: &str,
        key: &str,
    ) -> Result<Option<DocumentRow>, StoreError> {
        let (collection, key) = (collection.to_owned(), key.to_owned());
        self.read(move |connection| document(connection, &collection, &key)).await
    }

    async fn documents(
        &self,
        collection: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<DocumentRow>, StoreError> {
        let (collection, after) = (collection.to_owned(), after.to_owned());
        self.read(move |connection| documents(connection, &collection, &after, most)).await
    }

    async fn documents_of(
        &self,
        collection: &str,
        owner: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<DocumentRow>, StoreError> {
        let (collection, owner) = (collection.to_owned(), owner.to_owned());
        let after = after.to_owned();
        self.read(move |connection| documents_of(connection, &collection, &owner, &after, most))
            .await
    }

    async fn put_all(&self, documents: Vec<DocumentRow>) -> Result<(), StoreError> {
        DocumentRow::check_all(&documents)?;
        self.write(move |connection| put_all(connection, &documents)).await
    }

    async fn delete(&self, collection: &str, key: &str) -> Result<bool, StoreError> {
        let (collection, key) = (collection.to_owned(), key.to_owned());
        self.write(move |connection| delete(connection, &collection, &key)).await
    }

    async fn delete_of(&self, collection: &str, owner: &str) -> Result<u64, StoreError> {
        let (collection, owner) = (collection.to_owned(), owner.to_owned());
        self.write(move |connection| delete_of(connection, &collection, &owner)).await
    }

    async fn expire(&self, now: Time, most: usize) -> Result<u64, StoreError> {
        self.write(move |connection| expire(connection, now, most)).await
    }
}

/// Returns a document.
fn document(
    connection: &Connection,
    collection: &str,
    key: &str,
) -> Result<Option<DocumentRow>, Fault> {
    let sql = "SELECT drawer, key, owner, at, until, text, revision FROM papers
               WHERE drawer = ?1 AND key = ?2";
    one(connection, sql, (collection, key), document_row)
}

/// Returns the documents of a collection by their keys.
fn documents(
    connection: &Connection,
    collection: &str,
    after: &str,
    most: usize,
) -> Result<Vec<DocumentRow>, Fault> {
    let sql = "SELECT drawer, key, owner, at, until, text, revision FROM papers
               WHERE drawer = ?1 AND key > ?2 ORDER BY key LIMIT ?3";
    all(connection, sql, (collection, after, limit(most)), document_row)
}

/// Returns an owner's documents of a collection by their keys.
fn documents_of(
    connection: &Connection,
    collection: &str,
    owner: &str,
    after: &str,
    most: usize,
) -> Result<Vec<DocumentRow>, Fault> {
    // Without statistics, SQLite would scan the whole collection.
    let sql = "SELECT drawer, key, owner, at, until, text, revision
               FROM papers INDEXED BY papers_by_owner
               WHERE drawer = ?1 AND owner = ?2 AND key > ?3 ORDER BY key LIMIT ?4";
    all(connection, sql, (collection, owner, after, limit(most)), document_row)
}

fn document_row(row: &Row<'_>) -> Result<DocumentRow, Error> {
    Ok(DocumentRow {
        collection: row.get(0)?,
        key: row.get(1)?,
        owner: row.get(2)?,
        at: time_at(row, 3)?,
        until: row.get::<_, Option<i64>>(4)?.map(Time::from_millis),
        text: row.get(5)?,
        revision: row.get(6)?,
    })
}

/// Writes documents, if each of them replaces the expected revision.
fn put_all(connection: &Connection, documents: &[DocumentRow]) -> Result<(), Fault> {
    for document in documents {
        let DocumentRow { collection, key, owner, at, until, text, revision } = document;
        let sql = "SELECT revision FROM papers WHERE drawer = ?1 AND key = ?2";
        let found = one(connection, sql, (collection, key), |row| row.get(0))?;
        document.may_replace(found)?;
        let (at, until) = (at.as_millis(), until.map(Time::as_millis));
        change(
            connection,
            "INSERT INTO papers (drawer, key, owner, at, until, text, revision)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (drawer, key) DO UPDATE
             SET owner = excluded.owner, at = excluded.at, until = excluded.until,
                 text = excluded.text, revision = excluded.revision",
            (collection, key, owner, at, until, text, revision + 1),
        )?;
    }
    Ok(())
}

/// Deletes a document.
fn delete(connection: &Connection, collection: &str, key: &str) -> Result<bool, Fault> {
    change(connection, "DELETE FROM papers WHERE drawer = ?1 AND key = ?2", (collection, key))
}

/// Deletes an owner's documents of a collection.
fn delete_of(connection: &Connection, collection: &str, owner: &str) -> Result<u64, Fault> {
    count(connection, "DELETE FROM papers WHERE drawer = ?1 AND owner = ?2", (collection, owner))
}

/// Deletes expired documents.
fn expire(connection: &Connection, now: Time, most: usize) -> Result<u64, Fault> {
    let sql = "DELETE FROM papers WHERE (drawer, key) IN
                   (SELECT drawer, key FROM papers WHERE until IS NOT NULL AND until <= ?1
                    ORDER BY until, drawer, key LIMIT ?2)";
    count(connection, sql, (now.as_millis(), limit(most)))
}
