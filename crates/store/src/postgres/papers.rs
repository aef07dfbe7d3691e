//! Papers, written one after the other in one transaction.

use std::collections::BTreeMap;

use croupier_table::Time;
use tokio_postgres::Row;

use super::change::{Attempt, number};
use super::rows;
use super::statement::Statement;
use crate::store::{Paper, StoreError, Written};

pub(super) const PAPER: &str = "SELECT drawer, key, owner, at, until, text, revision FROM papers
    WHERE drawer = $1 AND key = $2";

pub(super) const PAPERS: &str = "SELECT drawer, key, owner, at, until, text, revision FROM papers
    WHERE drawer = $1 AND key > $2 ORDER BY key LIMIT $3";

pub(super) const PAPERS_OF: &str = "SELECT drawer, key, owner, at, until, text, revision
    FROM papers WHERE drawer = $1 AND owner = $2 AND key > $3 ORDER BY key LIMIT $4";

pub(super) const DISCARD: &str = "DELETE FROM papers WHERE drawer = $1 AND key = $2 RETURNING 1";

pub(super) const DISCARD_OF: &str = "WITH gone AS (
        DELETE FROM papers WHERE drawer = $1 AND owner = $2 RETURNING 1
    )
    SELECT count(*) FROM gone";

// Whoever clears up at the same time passes over what this one has locked.
pub(super) const EXPIRE: &str = "WITH due AS MATERIALIZED (
        SELECT drawer, key FROM papers WHERE until <= $1
        ORDER BY until, drawer, key LIMIT $2
        FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM papers USING due
        WHERE papers.drawer = due.drawer AND papers.key = due.key
        RETURNING 1
    )
    SELECT count(*) FROM gone";

// If it is not what was expected nothing is written, and the division ends the whole transaction. A
// constraint would, too, but the server would then write the key into its log, and that may be what
// somebody is known by.
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

/// Papers that are to be written together.
pub(super) struct Filing<'a>(pub(super) &'a [Paper]);

impl Attempt for Filing<'_> {
    fn statements(&self) -> Vec<Statement<'_>> {
        let mut papers: Vec<&Paper> = self.0.iter().collect();
        // Everybody takes them in the same order, so that nobody waits in a circle.
        papers.sort_by_key(|paper| (&paper.drawer, &paper.key));
        papers.into_iter().map(statement).collect()
    }

    fn questions(&self) -> Vec<Statement<'_>> {
        let drawers = Statement::new(LOOK).column(self.0, |paper| paper.drawer.as_str());
        vec![drawers.column(self.0, |paper| paper.key.as_str())]
    }

    fn judge(&self, answers: &[Vec<Row>], unsure: bool) -> Result<Option<Written>, StoreError> {
        let mut found = BTreeMap::new();
        for row in answers.iter().flatten() {
            let paper = rows::paper(row)?;
            found.insert((paper.drawer.clone(), paper.key.clone()), paper);
        }
        let found = |paper: &Paper| found.get(&(paper.drawer.clone(), paper.key.clone()));
        let is_there = |paper: &Paper| {
            let written = Paper { revision: paper.revision + 1, ..paper.clone() };
            found(paper) == Some(&written)
        };
        if unsure && self.0.iter().all(is_there) {
            return Ok(Some(Written::Now));
        }
        for paper in self.0 {
            paper.may_replace(found(paper).map(|found| found.revision))?;
        }
        Ok(None)
    }
}

/// Returns what writes a paper.
fn statement(paper: &Paper) -> Statement<'_> {
    let Paper { drawer, key, owner, at, until, text, revision } = paper;
    Statement::new(if *revision == 0 { ADD } else { REPLACE })
        .with(drawer)
        .with(key)
        .with(owner)
        .with(at.as_millis())
        .with(until.map(Time::as_millis))
        .with(text)
        .with(number(*revision))
}
