//! Papers in the database.

use croupier_table::Time;
use rusqlite::{Connection, Error, Row};

use super::fault::Fault;
use super::reads::{all, limit, one, time_at};
use super::writes::{change, count};
use crate::store::Paper;

/// Returns a paper.
pub(super) fn paper(
    connection: &Connection,
    drawer: &str,
    key: &str,
) -> Result<Option<Paper>, Fault> {
    let sql = "SELECT drawer, key, owner, at, until, text, revision FROM papers
               WHERE drawer = ?1 AND key = ?2";
    one(connection, sql, (drawer, key), paper_row)
}

/// Returns the papers of a drawer by their keys.
pub(super) fn papers(
    connection: &Connection,
    drawer: &str,
    after: &str,
    most: usize,
) -> Result<Vec<Paper>, Fault> {
    let sql = "SELECT drawer, key, owner, at, until, text, revision FROM papers
               WHERE drawer = ?1 AND key > ?2 ORDER BY key LIMIT ?3";
    all(connection, sql, (drawer, after, limit(most)), paper_row)
}

/// Returns an owner's papers of a drawer by their keys.
pub(super) fn papers_of(
    connection: &Connection,
    drawer: &str,
    owner: &str,
    after: &str,
    most: usize,
) -> Result<Vec<Paper>, Fault> {
    // SQLite would rather look through the whole drawer, for want of statistics.
    let sql = "SELECT drawer, key, owner, at, until, text, revision
               FROM papers INDEXED BY papers_by_owner
               WHERE drawer = ?1 AND owner = ?2 AND key > ?3 ORDER BY key LIMIT ?4";
    all(connection, sql, (drawer, owner, after, limit(most)), paper_row)
}

fn paper_row(row: &Row<'_>) -> Result<Paper, Error> {
    Ok(Paper {
        drawer: row.get(0)?,
        key: row.get(1)?,
        owner: row.get(2)?,
        at: time_at(row, 3)?,
        until: row.get::<_, Option<i64>>(4)?.map(Time::from_millis),
        text: row.get(5)?,
        revision: row.get(6)?,
    })
}

/// Writes papers, if each of them is to replace what is there.
pub(super) fn file_all(connection: &Connection, papers: &[Paper]) -> Result<(), Fault> {
    for paper in papers {
        let Paper { drawer, key, owner, at, until, text, revision } = paper;
        let sql = "SELECT revision FROM papers WHERE drawer = ?1 AND key = ?2";
        let found = one(connection, sql, (drawer, key), |row| row.get(0))?;
        paper.may_replace(found)?;
        let (at, until) = (at.as_millis(), until.map(Time::as_millis));
        change(
            connection,
            "INSERT INTO papers (drawer, key, owner, at, until, text, revision)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (drawer, key) DO UPDATE
             SET owner = excluded.owner, at = excluded.at, until = excluded.until,
                 text = excluded.text, revision = excluded.revision",
            (drawer, key, owner, at, until, text, revision + 1),
        )?;
    }
    Ok(())
}

/// Discards a paper.
pub(super) fn discard(connection: &Connection, drawer: &str, key: &str) -> Result<bool, Fault> {
    change(connection, "DELETE FROM papers WHERE drawer = ?1 AND key = ?2", (drawer, key))
}

/// Discards an owner's papers of a drawer.
pub(super) fn discard_of(connection: &Connection, drawer: &str, owner: &str) -> Result<u64, Fault> {
    count(connection, "DELETE FROM papers WHERE drawer = ?1 AND owner = ?2", (drawer, owner))
}

/// Discards papers whose time has come.
pub(super) fn expire(connection: &Connection, now: Time, most: usize) -> Result<u64, Fault> {
    let sql = "DELETE FROM papers WHERE (drawer, key) IN
                   (SELECT drawer, key FROM papers WHERE until IS NOT NULL AND until <= ?1
                    ORDER BY until, drawer, key LIMIT ?2)";
    count(connection, sql, (now.as_millis(), limit(most)))
}
