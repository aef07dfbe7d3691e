//! The same rows, written by plain statements without any checks: the code of a program that trusts
//! every client, and needs neither a tamper-proof journal nor a ledger that can't lose money.

use croupier_store::{Append, RoundRow};
use croupier_table::{Time, movements};
use futures_util::future::try_join_all;
use rusqlite::Connection;
use tokio_postgres::Client;
use tokio_postgres::types::ToSql;

/// A value of a row.
pub(crate) enum Value {
    Text(String),
    Number(i64),
    Bytes(Vec<u8>),
    Nothing,
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(i64::try_from(number).expect("not that large"))
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Number(i64::from(truth))
    }
}

/// A statement with its values.
pub(crate) type Row = (&'static str, Vec<Value>);

/// Returns the rows of an append, one statement each.
pub(crate) fn rows(append: &Append) -> Vec<Row> {
    let mut rows = journal_rows(append);
    rows.extend(ledger_rows(append));
    rows.extend(append.rounds.iter().flat_map(round_rows));
    if let Some(command) = &append.command {
        rows.push((
            "INSERT INTO commands VALUES ($1, $2, $3, $4, $5)",
            vec![
                command.key.sender.as_str().into(),
                command.key.key.as_str().into(),
                Value::Bytes(command.body.as_bytes().to_vec()),
                command.answer.as_str().into(),
                at(append).into(),
            ],
        ));
    }
    rows
}

fn at(append: &Append) -> i64 {
    append.entries.last().expect("an entry").at.as_millis()
}

fn journal_rows(append: &Append) -> Vec<Row> {
    let table = append.table.as_str();
    let entries = append.entries.iter().map(|entry| {
        let values = vec![
            table.into(),
            entry.version.into(),
            entry.at.as_millis().into(),
            entry.body.as_str().into(),
            Value::Bytes(entry.hash.as_bytes().to_vec()),
        ];
        ("INSERT INTO journal VALUES ($1, $2, $3, $4, $5)", values)
    });
    let deadline = append.deadline.map(Time::as_millis).map_or(Value::Nothing, Value::from);
    let head = (
        "INSERT INTO tables VALUES ($1, $2, $3, 0, $4, 0, $5)
         ON CONFLICT (name) DO UPDATE SET version = excluded.version,
         deadline = excluded.deadline, claimed = 0, closed = excluded.closed",
        vec![
            table.into(),
            append.opens.as_deref().unwrap_or_default().into(),
            append.entries.last().expect("an entry").version.into(),
            deadline,
            append.closes.into(),
        ],
    );
    entries.chain([head]).collect()
}

fn ledger_rows(append: &Append) -> Vec<Row> {
    let transfers = append.transfers.iter().map(|transfer| {
        let values = vec![
            transfer.key.as_str().into(),
            transfer.from.to_string().as_str().into(),
            transfer.to.to_string().as_str().into(),
            transfer.amount.as_cents().into(),
            at(append).into(),
        ];
        ("INSERT INTO transfers VALUES ($1, $2, $3, $4, $5)", values)
    });
    let movements = movements(&append.transfers).expect("good transfers").into_iter();
    let balances = movements.map(|(account, movement)| {
        // There is no check for sufficient funds.
        let values = vec![account.to_string().as_str().into(), movement.net.as_cents().into()];
        let sql = "INSERT INTO balances VALUES ($1, $2, 1)
                   ON CONFLICT (account)
                   DO UPDATE SET balance = balances.balance + excluded.balance";
        (sql, values)
    });
    transfers.chain(balances).collect()
}

fn round_rows(round: &RoundRow) -> Vec<Row> {
    let (table, number, at) = (round.table.as_str(), round.round, round.at.as_millis());
    let over = vec![
        table.into(),
        number.into(),
        round.version.into(),
        at.into(),
        round.house.as_str().into(),
        round.void.into(),
    ];
    let seats = round.seats.iter().map(|seat| {
        let values = vec![
            table.into(),
            number.into(),
            i64::from(seat.seat).into(),
            seat.player.as_str().into(),
            seat.banked.into(),
            seat.staked.as_cents().into(),
            seat.net.as_cents().into(),
            at.into(),
            seat.ante.as_cents().into(),
            seat.bonus.as_cents().into(),
        ];
        ("INSERT INTO round_seats VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", values)
    });
    [("INSERT INTO rounds VALUES ($1, $2, $3, $4, $5, $6)", over)]
        .into_iter()
        .chain(seats)
        .collect()
}

/// Writes appends into SQLite, several in one transaction.
pub(crate) fn write_sqlite(connection: &Connection, appends: &[Vec<Row>], group: usize) {
    for group in appends.chunks(group) {
        connection.execute_batch("BEGIN IMMEDIATE").expect("a transaction");
        for (sql, values) in group.iter().flatten() {
            let mut statement = connection.prepare_cached(sql).expect("good SQL");
            let values = values.iter().map(|value| match value {
                Value::Text(text) => rusqlite::types::ToSqlOutput::from(text.as_str()),
                Value::Number(number) => (*number).into(),
                Value::Bytes(bytes) => bytes.as_slice().into(),
                Value::Nothing => rusqlite::types::Null.into(),
            });
            statement.execute(rusqlite::params_from_iter(values)).expect("a good row");
        }
        connection.execute_batch("COMMIT").expect("it is written");
    }
}

/// Writes the appends of one table into PostgreSQL, one transaction each, whose statements are all
/// sent at once.
pub(crate) async fn write_postgres(client: &Client, appends: &[Vec<Row>]) {
    let mut known = std::collections::BTreeMap::new();
    for rows in appends {
        for (sql, _) in rows {
            if !known.contains_key(sql) {
                known.insert(*sql, client.prepare(sql).await.expect("good SQL"));
            }
        }
        let values: Vec<Vec<&(dyn ToSql + Sync)>> =
            rows.iter().map(|(_, values)| values.iter().map(parameter).collect()).collect();
        let statements = rows.iter().zip(&values);
        let (begun, written, committed) = futures_util::future::join3(
            client.batch_execute("BEGIN"),
            try_join_all(statements.map(|((sql, _), values)| client.execute(&known[sql], values))),
            client.batch_execute("COMMIT"),
        )
        .await;
        begun.expect("a transaction");
        written.expect("good rows");
        committed.expect("it is written");
    }
}

fn parameter(value: &Value) -> &(dyn ToSql + Sync) {
    match value {
        Value::Text(text) => text,
        Value::Number(number) => number,
        Value::Bytes(bytes) => bytes,
        Value::Nothing => &None::<i64>,
    }
}
