//! The tables to copy, and running totals of the rows that are copied.

use croupier_rules::Amount;
use croupier_table::{Account, Entry, Hash, JournalFault, Time, Transfer};
pub(super) use rusqlite::types::Value;

use crate::audit::{Audit, Auditor, Fingerprint, RoundLine, SeatLine};
use crate::error::StoreError;
use crate::journals::{TableRow, damaged};

/// How many rows are read at a time.
pub(super) const PAGE: usize = 500;

/// Rows of a table, with their columns in its order.
pub(super) type Rows = Vec<Vec<Value>>;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Number,
    Bytes,
}

/// A table to copy. The columns of its key come first.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: &'static [(&'static str, Kind)],
    /// The number of columns in its key.
    pub(super) key: usize,
}

impl Table {
    /// Returns the names of its columns, for statements.
    pub(super) fn names(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        names.join(", ")
    }

    /// Returns the names of its key columns.
    pub(super) fn keys(&self) -> String {
        let names: Vec<&str> = self.columns[..self.key].iter().map(|(name, _)| *name).collect();
        names.join(", ")
    }
}

use Kind::{Bytes, Number, Text};

/// All tables, in the order in which they are copied: a table comes before its journal.
pub(super) const TABLES: [Table; 10] = [
    Table { name: "players", columns: PLAYERS, key: 1 },
    Table { name: "tables", columns: HEADS, key: 1 },
    Table { name: "journal", columns: JOURNAL, key: 2 },
    Table { name: "transfers", columns: TRANSFERS, key: 1 },
    Table { name: "balances", columns: BALANCES, key: 1 },
    Table { name: "commands", columns: COMMANDS, key: 2 },
    Table { name: "rounds", columns: ROUNDS, key: 2 },
    Table { name: "round_seats", columns: ROUND_SEATS, key: 3 },
    Table { name: "choices", columns: CHOICES, key: 2 },
    Table { name: "papers", columns: DOCUMENTS, key: 2 },
];

const PLAYERS: &[(&str, Kind)] = &[("name", Text), ("since", Number), ("profile", Text)];

const HEADS: &[(&str, Kind)] = &[
    ("name", Text),
    ("house", Text),
    ("version", Number),
    ("checkpoint", Number),
    ("deadline", Number),
    ("claimed", Number),
    ("closed", Number),
];

const JOURNAL: &[(&str, Kind)] =
    &[("table_name", Text), ("version", Number), ("at", Number), ("body", Text), ("hash", Bytes)];

const TRANSFERS: &[(&str, Kind)] = &[
    ("key", Text),
    ("from_account", Text),
    ("to_account", Text),
    ("amount", Number),
    ("at", Number),
];

const BALANCES: &[(&str, Kind)] = &[("account", Text), ("balance", Number), ("may_owe", Number)];

const COMMANDS: &[(&str, Kind)] =
    &[("sender", Text), ("key", Text), ("body", Bytes), ("answer", Text), ("at", Number)];

const ROUNDS: &[(&str, Kind)] = &[
    ("table_name", Text),
    ("round", Number),
    ("version", Number),
    ("at", Number),
    ("house", Text),
    ("void", Number),
];

const ROUND_SEATS: &[(&str, Kind)] = &[
    ("table_name", Text),
    ("round", Number),
    ("seat", Number),
    ("player", Text),
    ("banked", Number),
    ("ante", Number),
    ("bonus", Number),
    ("staked", Number),
    ("net", Number),
    ("at", Number),
];

const CHOICES: &[(&str, Kind)] = &[
    ("player", Text),
    ("key", Text),
    ("at", Number),
    ("game", Text),
    ("street", Text),
    ("spot", Text),
    ("chosen", Text),
    ("best", Text),
    ("cost_ppm", Number),
];

const DOCUMENTS: &[(&str, Kind)] = &[
    ("drawer", Text),
    ("key", Text),
    ("owner", Text),
    ("at", Number),
    ("until", Number),
    ("text", Text),
    ("revision", Number),
];

/// The totals of a backup. Two backups with the same contents have the same totals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// The audit's totals.
    pub audit: Audit,
    /// The number of players.
    pub players: u64,
    /// The number of finished rounds.
    pub rounds: u64,
    /// The number of answered commands.
    pub commands: u64,
    /// The number of choices. No program writes any, but the schema has a table for them, and a
    /// copy leaves no table out.
    pub choices: u64,
    /// The number of documents.
    pub documents: u64,
    /// The fingerprint of everything, to the last column.
    pub hash: Hash,
}

/// A running fingerprint of the rows so far, to be compared with another one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    counts: [u64; TABLES.len()],
    fingerprint: Fingerprint,
}

impl Tally {
    /// Takes the next rows of the table at this index.
    pub(super) fn add(&mut self, place: usize, rows: &[Vec<Value>]) {
        for row in rows {
            self.add_row(place, row);
        }
    }

    fn add_row(&mut self, place: usize, row: &[Value]) {
        self.counts[place] += 1;
        self.fingerprint.add(&bytes(TABLES[place].name, row));
    }
}

/// The rows so far, audited.
#[derive(Debug, Default)]
pub(super) struct Contents {
    auditor: Auditor,
    tally: Tally,
}

impl Contents {
    /// Takes the next rows of the table at this index.
    pub(super) fn add(&mut self, place: usize, rows: &[Vec<Value>]) -> Result<(), StoreError> {
        let name = TABLES[place].name;
        for row in rows {
            self.tally.add_row(place, row);
            self.audit(name, row).map_err(|error| match error {
                Wrong::Row => {
                    let number = self.tally.counts[place];
                    StoreError::Damaged(format!("row {number} of {name} cannot be read"))
                }
                Wrong::Audit(error) => error,
            })?;
        }
        Ok(())
    }

    fn audit(&mut self, table: &str, row: &[Value]) -> Result<(), Wrong> {
        let audited = match table {
            "tables" => {
                self.auditor.head(head(row)?);
                Ok(())
            }
            "journal" => self.auditor.entry(text(row, 0)?, &entry(row)?),
            "transfers" => self.auditor.transfer(&Transfer {
                key: text(row, 0)?.to_owned(),
                from: account(row, 1)?,
                to: account(row, 2)?,
                amount: Amount::cents(number(row, 3)?),
            }),
            "balances" => {
                let (account, balance) = (account(row, 0)?, Amount::cents(number(row, 1)?));
                if flag(row, 2)? != account.may_owe() {
                    return Err(Wrong::Row);
                }
                self.auditor.balance(&account, balance)
            }
            "rounds" => self.auditor.round(&RoundLine {
                table: text(row, 0)?,
                round: count(row, 1)?,
                version: count(row, 2)?,
                house: text(row, 4)?,
                void: flag(row, 5)?,
            }),
            "round_seats" => self.auditor.seat(&SeatLine {
                table: text(row, 0)?,
                round: count(row, 1)?,
                seat: count(row, 2)?,
                player: text(row, 3)?,
                banked: flag(row, 4)?,
                ante: number(row, 5)?,
                bonus: number(row, 6)?,
                staked: number(row, 7)?,
                net: number(row, 8)?,
            }),
            _ => Ok(()),
        };
        audited.map_err(Wrong::Audit)
    }

    /// Returns the totals, if the data is consistent.
    pub(super) fn finish(self) -> Result<(Totals, Tally), StoreError> {
        let of = |name: &str| {
            let place = TABLES.iter().position(|table| table.name == name);
            place.map_or(0, |place| self.tally.counts[place])
        };
        let [players, rounds] = ["players", "rounds"].map(of);
        let [commands, choices, documents] = ["commands", "choices", "papers"].map(of);
        let audit = self.auditor.finish()?;
        let hash = self.tally.fingerprint.0;
        Ok((Totals { audit, players, rounds, commands, choices, documents, hash }, self.tally))
    }
}

/// The problem with a row: it cannot be read, or its contents are wrong.
enum Wrong {
    Row,
    Audit(StoreError),
}

fn text(row: &[Value], column: usize) -> Result<&str, Wrong> {
    match row.get(column) {
        Some(Value::Text(text)) => Ok(text),
        _ => Err(Wrong::Row),
    }
}

fn number(row: &[Value], column: usize) -> Result<i64, Wrong> {
    match row.get(column) {
        Some(&Value::Integer(number)) => Ok(number),
        _ => Err(Wrong::Row),
    }
}

fn count(row: &[Value], column: usize) -> Result<u64, Wrong> {
    number(row, column)?.try_into().map_err(|_| Wrong::Row)
}

fn account(row: &[Value], column: usize) -> Result<Account, Wrong> {
    text(row, column)?.parse().map_err(|_| Wrong::Row)
}

fn flag(row: &[Value], column: usize) -> Result<bool, Wrong> {
    match number(row, column)? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Wrong::Row),
    }
}

fn head(row: &[Value]) -> Result<TableRow, Wrong> {
    let deadline = match row.get(4) {
        Some(Value::Null) => None,
        _ => Some(Time::from_millis(number(row, 4)?)),
    };
    Ok(TableRow {
        table: text(row, 0)?.to_owned(),
        house: text(row, 1)?.to_owned(),
        version: count(row, 2)?,
        checkpoint: count(row, 3)?,
        deadline,
        closed: flag(row, 6)?,
    })
}

fn entry(row: &[Value]) -> Result<Entry, Wrong> {
    let (table, version) = (text(row, 0)?, count(row, 1)?);
    let hash = match row.get(4) {
        Some(Value::Blob(hash)) => hash.as_slice().try_into().ok(),
        _ => None,
    };
    let Some(hash) = hash else {
        let why = "its hash does not have 32 bytes".to_owned();
        return Err(Wrong::Audit(damaged(table, version, JournalFault::Unreadable { why })));
    };
    let (at, body) = (Time::from_millis(number(row, 2)?), text(row, 3)?.to_owned());
    Ok(Entry { version, at, body, hash: Hash::from_bytes(hash) })
}

/// Serializes a row so that no two rows have the same bytes: a value comes after its kind and
/// length.
fn bytes(table: &str, row: &[Value]) -> Vec<u8> {
    let mut bytes = table.as_bytes().to_vec();
    let mut add = |kind: u8, value: &[u8]| {
        bytes.push(kind);
        bytes.extend((value.len() as u64).to_be_bytes());
        bytes.extend(value);
    };
    for value in row {
        match value {
            Value::Null => add(0, &[]),
            Value::Integer(number) => add(1, &number.to_be_bytes()),
            Value::Real(number) => add(2, &number.to_be_bytes()),
            Value::Text(text) => add(3, text.as_bytes()),
            Value::Blob(blob) => add(4, blob),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rusqlite::Connection;

    use super::*;
    use crate::sqlite::make_tables;

    /// Returns the first column of a query's rows.
    fn all(connection: &Connection, sql: &str) -> Vec<String> {
        let mut statement = connection.prepare(sql).expect("a statement");
        let rows = statement.query_map((), |row| row.get(0)).expect("rows");
        rows.collect::<Result<_, _>>().expect("text")
    }

    #[test]
    fn every_column_of_every_table_is_copied() {
        let mut connection = Connection::open_in_memory().expect("memory");
        make_tables(&mut connection).expect("the tables are made");
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migrations'";
        let found: BTreeSet<String> = all(&connection, sql).into_iter().collect();
        assert_eq!(found, TABLES.iter().map(|table| table.name.to_owned()).collect());
        for table in &TABLES {
            let of = |rest: &str| {
                let name = table.name;
                all(&connection, &format!("SELECT name FROM pragma_table_info('{name}') {rest}"))
            };
            // The number of an account's changes matters within one database only, and starts from
            // zero in another.
            let is_copied = |column: &String| (table.name, &**column) != ("balances", "changes");
            let names: BTreeSet<String> = of("").into_iter().filter(is_copied).collect();
            let copied: BTreeSet<String> =
                table.columns.iter().map(|(name, _)| (*name).to_owned()).collect();
            assert_eq!(names, copied, "{}", table.name);
            assert_eq!(of("WHERE pk > 0 ORDER BY pk").join(", "), table.keys(), "{}", table.name);
        }
    }
}
