//! Documents in the database, whose table calls them papers, and a collection a drawer.

use std::collections::BTreeMap;

use croupier_table::Time;
use tokio_postgres::Row;

use super::change::{Attempt, number};
use super::statement::{Statement, limit, sendable};
use super::{Postgres, rows};
use crate::commands::Written;
use crate::documents::{DocumentRow, Documents};
use crate::error::StoreError;
use crate::limits::{can_exist, is_text};

const DOCUMENT: &str = "SELECT drawer, key, owner, at, until, text, revision FROM papers
    WHERE drawer = $1 AND key = $2";

const DOCUMENTS: &str = "SELECT drawer, key, owner, at, until, text, revision FROM papers
    WHERE drawer = $1 AND key > $2 ORDER BY key LIMIT $3";

const DOCUMENTS_OF: &str = "SELECT drawer, key, owner, at, until, text, revision
    FROM papers WHERE drawer = $1 AND owner = $2 AND key > $3 ORDER BY key LIMIT $4";

const DELETE: &str = "DELETE FROM papers WHERE drawer = $1 AND key = $2 RETURNING 1";

const DELETE_OF: &str = "WITH gone AS (
        DELETE FROM papers WHERE drawer = $1 AND owner = $2 RETURNING 1
    )
    SELECT count(*) FROM gone";

// Concurrent cleanups skip the rows that this one has locked.
const EXPIRE: &str = "WITH due AS MATERIALIZED (
        SELECT drawer, key FROM papers WHERE until <= $1
        ORDER BY until, drawer, key LIMIT $2
        FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM papers USING due
        WHERE papers.drawer = due.drawer AND papers.key = due.key
        RETURNING 1
    )
    SELECT count(*) FROM gone";

// If the revision is not as expected, nothing is written, and the division by zero aborts the
// transaction. A constraint would abort it, too, but the server would then write the key to its
// log, and the key may identify a player.
const ADD: &str = "WITH written AS (
        INSERT INTO papers (drawer, key, owner, at, until, text, revision)
        VALUES ($1, $2, $3, $4, $5, $6, $7::bigint + 1)
        ON CONFLICT (drawer, key) DO NOTHING RETURNING 1
    )
    SELECT 1 / count(*) FROM written";

const REPLACE: &str = "WITH written AS (
        UPDATE papers
        SET owner = $3, at = $4, until = $5, text = $6, revision = $7::bigint + 1
        WHERE drawer = $1 AND key = $2 AND revision = $7 RETURNING 1
    )
    SELECT 1 / count(*) FROM written";

const LOOK: &str = "SELECT drawer, key, owner, at, until, text, revision FROM papers
    WHERE (drawer, key) IN (SELECT * FROM unnest($1::text[], $2::text[]))";

impl Documents for Postgres {
    async fn document(
        &self,
        collection: &str,
        key: &str,
    ) -> Result<Option<DocumentRow>, StoreError> {
        if !can_exist(collection) || !can_exist(key) {
            return Ok(None);
        }
        let statement = Statement::new(DOCUMENT).with(collection).with(key);
        self.ask_one(statement, rows::document).await
    }

    async fn documents(
        &self,
        collection: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<DocumentRow>, StoreError> {
        if !can_exist(collection) {
            return Ok(Vec::new());
        }
        let statement = Statement::new(DOCUMENTS).with(collection).with(sendable(after));
        self.ask_all(statement.with(limit(most)), rows::document).await
    }

    async fn documents_of(
        &self,
        collection: &str,
        owner: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<DocumentRow>, StoreError> {
        if !can_exist(collection) || !is_text(owner) {
            return Ok(Vec::new());
        }
        let statement = Statement::new(DOCUMENTS_OF).with(collection).with(owner);
        self.ask_all(statement.with(sendable(after)).with(limit(most)), rows::document).await
    }

    async fn put_all(&self, documents: Vec<DocumentRow>) -> Result<(), StoreError> {
        DocumentRow::check_all(&documents)?;
        self.write(&Batch(&documents), true).await.map(drop)
    }

    async fn delete(&self, collection: &str, key: &str) -> Result<bool, StoreError> {
        if !can_exist(collection) || !can_exist(key) {
            return Ok(false);
        }
        let statement = Statement::new(DELETE).with(collection).with(key);
        Ok(!self.change(statement).await?.is_empty())
    }

    async fn delete_of(&self, collection: &str, owner: &str) -> Result<u64, StoreError> {
        if !can_exist(collection) || !is_text(owner) {
            return Ok(0);
        }
        self.count(Statement::new(DELETE_OF).with(collection).with(owner)).await
    }

    async fn expire(&self, now: Time, most: usize) -> Result<u64, StoreError> {
        let statement = Statement::new(EXPIRE).with(now.as_millis());
        self.count(statement.with(limit(most))).await
    }
}

/// Documents that are to be written together, one after the other in one transaction.
struct Batch<'a>(&'a [DocumentRow]);

impl Attempt for Batch<'_> {
    fn statements(&self) -> Vec<Statement<'_>> {
        let mut documents: Vec<&DocumentRow> = self.0.iter().collect();
        // All transactions lock documents in the same order, so there are no deadlocks.
        documents.sort_by_key(|document| (&document.collection, &document.key));
        documents.into_iter().map(statement).collect()
    }

    fn questions(&self) -> Vec<Statement<'_>> {
        let collections = Statement::new(LOOK).column(self.0, |known| known.collection.as_str());
        vec![collections.column(self.0, |known| known.key.as_str())]
    }

    fn judge(&self, answers: &[Vec<Row>], unsure: bool) -> Result<Option<Written>, StoreError> {
        let mut found = BTreeMap::new();
        for row in answers.iter().flatten() {
            let known = rows::document(row)?;
            found.insert((known.collection.clone(), known.key.clone()), known);
        }
        let found = |document: &DocumentRow| {
            found.get(&(document.collection.clone(), document.key.clone()))
        };
        let is_there = |document: &DocumentRow| {
            let written = DocumentRow { revision: document.revision + 1, ..document.clone() };
            found(document) == Some(&written)
        };
        if unsure && self.0.iter().all(is_there) {
            return Ok(Some(Written::Now));
        }
        for document in self.0 {
            document.may_replace(found(document).map(|found| found.revision))?;
        }
        Ok(None)
    }
}

/// Returns the statement that writes a document.
fn statement(document: &DocumentRow) -> Statement<'_> {
    let DocumentRow { collection, key, owner, at, until, text, revision } = document;
    Statement::new(if *revision == 0 { ADD } else { REPLACE })
        .with(collection)
        .with(key)
        .with(owner)
        .with(at.as_millis())
        .with(until.map(Time::as_millis))
        .with(text)
        .with(number(*revision))
}
