//! A store in PostgreSQL, as rows.

use std::time::Duration;

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, NoTls, Row};

use super::contents::{Kind, PAGE, Rows, TABLES, Table, Value};
use crate::error::StoreError;
use crate::postgres::{Postgres, PostgresOptions, broken, check_version, config, place};

/// A PostgreSQL database that is read or written row by row, in one transaction.
pub(super) struct Server {
    client: Client,
    place: String,
    url: String,
}

impl Server {
    /// Connects.
    pub(super) async fn connect(url: &str) -> Result<Self, StoreError> {
        let mut config = config(url)?;
        let place = place(&config);
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(10));
        }
        let connected = config.connect(NoTls).await;
        let (client, connection) = connected.map_err(|error| broken(&place, &error))?;
        // The next user of the connection gets the error that ended it.
        tokio::spawn(async move { drop(connection.await) });
        Ok(Self { client, place, url: url.to_owned() })
    }

    /// Begins a snapshot: everything is read as it is now.
    pub(super) async fn begin_reading(&self) -> Result<(), StoreError> {
        self.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        check_version(&self.client).await.map_err(|error| self.named(error))
    }

    /// Checks that the tables exist and are empty, and keeps other processes from writing.
    pub(super) async fn begin_filling(&self) -> Result<(), StoreError> {
        let options = PostgresOptions { connections: 1, ..PostgresOptions::default() };
        let names = TABLES.map(|table| table.name);
        self.look_for_others(&names).await?;
        drop(Postgres::connect(&self.url, options).await.map_err(|error| self.named(error))?);
        self.run("BEGIN; SET LOCAL synchronous_commit = on").await?;
        self.run(&format!("LOCK TABLE {} IN EXCLUSIVE MODE", names.join(", "))).await?;
        for name in names {
            let sql = format!("SELECT EXISTS (SELECT 1 FROM {name})");
            let row = self.client.query_one(&sql, &[]).await.map_err(|error| self.said(&error))?;
            if row.get(0) {
                return Err(StoreError::Unusable(format!(
                    "{} has rows in its table {name}: restore into an empty database",
                    self.place
                )));
            }
        }
        Ok(())
    }

    /// Checks that no table of another program is in the way.
    async fn look_for_others(&self, names: &[&str]) -> Result<(), StoreError> {
        let sql = "SELECT name FROM unnest($1::text[]) AS name
            WHERE to_regclass('migrations') IS NULL AND to_regclass(name) IS NOT NULL LIMIT 1";
        let found = self.client.query_opt(sql, &[&names]).await;
        let Some(row) = found.map_err(|error| self.said(&error))? else { return Ok(()) };
        let name: &str = row.get(0);
        Err(StoreError::Unusable(format!(
            "{} has a table {name} of another program: restore into a separate database",
            self.place
        )))
    }

    /// Adds the name of the database to an error.
    fn named(&self, error: StoreError) -> StoreError {
        match error {
            StoreError::Unusable(why) if !why.starts_with(&self.place) => {
                StoreError::Unusable(format!("{}: {why}", self.place))
            }
            error => error,
        }
    }

    /// Returns the rows of a table that come after these values.
    pub(super) async fn page(
        &self,
        table: &Table,
        after: Option<&[Value]>,
    ) -> Result<Rows, StoreError> {
        let (name, names, keys) = (table.name, table.names(), table.keys());
        let after: Vec<Box<dyn ToSql + Sync>> = after.into_iter().flatten().map(value).collect();
        let marks: Vec<String> = (1..=after.len()).map(|mark| format!("${mark}")).collect();
        let place = match marks.as_slice() {
            [] => String::new(),
            marks => format!("WHERE ({keys}) > ({})", marks.join(", ")),
        };
        let sql = format!("SELECT {names} FROM {name} {place} ORDER BY {keys} LIMIT {PAGE}");
        let values: Vec<&(dyn ToSql + Sync)> = after.iter().map(|value| &**value).collect();
        let rows = self.client.query(&sql, &values).await.map_err(|error| self.said(&error))?;
        let read = |row: &Row| -> Result<Vec<Value>, Error> {
            table.columns.iter().enumerate().map(|(at, &(_, kind))| column(row, at, kind)).collect()
        };
        rows.iter().map(|row| read(row).map_err(|error| self.said(&error))).collect()
    }

    /// Adds rows to a table.
    pub(super) async fn add(&self, table: &Table, rows: &[Vec<Value>]) -> Result<(), StoreError> {
        let columns: Vec<Box<dyn ToSql + Sync>> =
            (0..table.columns.len()).map(|at| array(rows, at, table.columns[at].1)).collect();
        let arrays: Vec<String> = (1..)
            .zip(table.columns)
            .map(|(mark, (_, kind))| {
                let kind = match kind {
                    Kind::Text => "text",
                    Kind::Number => "bigint",
                    Kind::Bytes => "bytea",
                };
                format!("${mark}::{kind}[]")
            })
            .collect();
        let (name, names, arrays) = (table.name, table.names(), arrays.join(", "));
        let sql = format!("INSERT INTO {name} ({names}) SELECT * FROM unnest({arrays})");
        let values: Vec<&(dyn ToSql + Sync)> = columns.iter().map(|column| &**column).collect();
        self.client.execute(&sql, &values).await.map(drop).map_err(|error| self.said(&error))
    }

    /// Commits the rows.
    pub(super) async fn commit(&self) -> Result<(), StoreError> {
        self.run("COMMIT").await
    }

    async fn run(&self, sql: &str) -> Result<(), StoreError> {
        self.client.batch_execute(sql).await.map_err(|error| self.said(&error))
    }

    fn said(&self, error: &Error) -> StoreError {
        broken(&self.place, error)
    }
}

fn value(value: &Value) -> Box<dyn ToSql + Sync> {
    match value {
        Value::Integer(number) => Box::new(*number),
        Value::Text(text) => Box::new(text.clone()),
        Value::Blob(blob) => Box::new(blob.clone()),
        Value::Null | Value::Real(_) => Box::new(None::<i64>),
    }
}

fn column(row: &Row, at: usize, kind: Kind) -> Result<Value, Error> {
    Ok(match kind {
        Kind::Text => row.try_get::<_, Option<String>>(at)?.map_or(Value::Null, Value::Text),
        Kind::Number => row.try_get::<_, Option<i64>>(at)?.map_or(Value::Null, Value::Integer),
        Kind::Bytes => row.try_get::<_, Option<Vec<u8>>>(at)?.map_or(Value::Null, Value::Blob),
    })
}

/// Returns one column of many rows. Values of another kind become null, and the database refuses
/// them.
fn array(rows: &[Vec<Value>], at: usize, kind: Kind) -> Box<dyn ToSql + Sync> {
    let column = rows.iter().map(|row| &row[at]);
    match kind {
        Kind::Text => Box::new(
            column
                .map(|value| match value {
                    Value::Text(text) => Some(text.clone()),
                    _ => None,
                })
                .collect::<Vec<_>>(),
        ),
        Kind::Number => Box::new(
            column
                .map(|value| match value {
                    Value::Integer(number) => Some(*number),
                    _ => None,
                })
                .collect::<Vec<_>>(),
        ),
        Kind::Bytes => Box::new(
            column
                .map(|value| match value {
                    Value::Blob(blob) => Some(blob.clone()),
                    _ => None,
                })
                .collect::<Vec<_>>(),
        ),
    }
}
