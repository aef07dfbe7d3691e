//! Conversions from the database's rows.

use croupier_rules::Amount;
use croupier_table::{Account, Entry, Hash, Time, Transfer};
use tokio_postgres::Row;
use tokio_postgres::types::FromSql;

use crate::documents::DocumentRow;
use crate::error::StoreError;
use crate::journals::TableRow;
use crate::people::Player;
use crate::rounds::{PlayedRound, RoundPlace, RoundRow, RoundSeat, Takings};

/// Returns a column of a row.
pub(super) fn get<'a, T: FromSql<'a>>(row: &'a Row, column: usize) -> Result<T, StoreError> {
    row.try_get(column).map_err(|error| {
        let name = row.columns().get(column).map_or("?", |column| column.name());
        StoreError::Damaged(format!("column {name} has an unexpected value: {error}"))
    })
}

/// Returns a number that is not below zero.
pub(super) fn count(row: &Row, column: usize) -> Result<u64, StoreError> {
    let number: i64 = get(row, column)?;
    let name = row.columns()[column].name();
    number.try_into().map_err(|_| StoreError::Damaged(format!("{name} is {number}")))
}

pub(super) fn hash(row: &Row, column: usize) -> Result<Hash, StoreError> {
    let bytes: &[u8] = get(row, column)?;
    let bytes = bytes.try_into();
    bytes
        .map(Hash::from_bytes)
        .map_err(|_| StoreError::Damaged("a hash must have 32 bytes".to_owned()))
}

pub(super) fn account(row: &Row, column: usize) -> Result<Account, StoreError> {
    let name: &str = get(row, column)?;
    name.parse().map_err(|error| StoreError::Damaged(format!("account \"{name}\": {error}")))
}

pub(super) fn amount(row: &Row, column: usize) -> Result<Amount, StoreError> {
    get(row, column).map(Amount::cents)
}

pub(super) fn time(row: &Row, column: usize) -> Result<Time, StoreError> {
    get(row, column).map(Time::from_millis)
}

fn flag(row: &Row, column: usize) -> Result<bool, StoreError> {
    get::<i64>(row, column).map(|flag| flag != 0)
}

fn seat_number(row: &Row, column: usize) -> Result<u32, StoreError> {
    let seat = count(row, column)?;
    seat.try_into().map_err(|_| StoreError::Damaged(format!("there is no seat {seat}")))
}

/// Reads `name, house, version, checkpoint, deadline, closed`.
pub(super) fn table(row: &Row) -> Result<TableRow, StoreError> {
    Ok(TableRow {
        table: get(row, 0)?,
        house: get(row, 1)?,
        version: count(row, 2)?,
        checkpoint: count(row, 3)?,
        deadline: get::<Option<i64>>(row, 4)?.map(Time::from_millis),
        closed: flag(row, 5)?,
    })
}

/// Reads `version, at, body, hash`.
pub(super) fn entry(row: &Row) -> Result<Entry, StoreError> {
    let (version, at) = (count(row, 0)?, time(row, 1)?);
    Ok(Entry { version, at, body: get(row, 2)?, hash: hash(row, 3)? })
}

/// Reads `key, from_account, to_account, amount`.
pub(super) fn transfer(row: &Row) -> Result<Transfer, StoreError> {
    let (from, to) = (account(row, 1)?, account(row, 2)?);
    Ok(Transfer { key: get(row, 0)?, from, to, amount: amount(row, 3)? })
}

/// Reads `table_name, round, version, at, house, void`, with the seats from elsewhere.
pub(super) fn round(row: &Row, seats: Vec<RoundSeat>) -> Result<RoundRow, StoreError> {
    Ok(RoundRow {
        table: get(row, 0)?,
        round: count(row, 1)?,
        version: count(row, 2)?,
        at: time(row, 3)?,
        house: get(row, 4)?,
        void: flag(row, 5)?,
        seats,
    })
}

/// Reads `seat, player, banked, ante, bonus, staked, net`.
pub(super) fn seat(row: &Row) -> Result<RoundSeat, StoreError> {
    seat_from(row, 0)
}

fn seat_from(row: &Row, first: usize) -> Result<RoundSeat, StoreError> {
    Ok(RoundSeat {
        seat: seat_number(row, first)?,
        player: get(row, first + 1)?,
        banked: flag(row, first + 2)?,
        ante: amount(row, first + 3)?,
        bonus: amount(row, first + 4)?,
        staked: amount(row, first + 5)?,
        net: amount(row, first + 6)?,
    })
}

/// Reads rounds, each in as many rows as it has seats, or in one if it has none: the columns of
/// [`round`], then those of a seat.
pub(super) fn rounds(rows: &[Row]) -> Result<Vec<RoundRow>, StoreError> {
    let mut rounds: Vec<RoundRow> = Vec::new();
    for row in rows {
        let number = count(row, 1)?;
        if rounds.last().is_none_or(|last| last.round != number) {
            rounds.push(round(row, Vec::new())?);
        }
        if let (Some(last), Some(_)) = (rounds.last_mut(), get::<Option<i64>>(row, 6)?) {
            last.seats.push(seat_from(row, 6)?);
        }
    }
    Ok(rounds)
}

/// Reads `table, house, rounds, void, hands, ante, bonus, staked, net, exceeds`.
pub(super) fn takings(row: &Row) -> Result<Takings, StoreError> {
    Ok(Takings {
        table: get(row, 0)?,
        house: get(row, 1)?,
        rounds: count(row, 2)?,
        void: count(row, 3)?,
        hands: count(row, 4)?,
        ante: amount(row, 5)?,
        bonus: amount(row, 6)?,
        staked: amount(row, 7)?,
        net: amount(row, 8)?,
        exceeds: get(row, 9)?,
    })
}

/// Reads a seat, and `at, table_name, round, house, void` after it.
pub(super) fn played(row: &Row) -> Result<PlayedRound, StoreError> {
    let seat = seat(row)?;
    let (at, table, round) = (time(row, 7)?, get(row, 8)?, count(row, 9)?);
    let place = RoundPlace { at, table, round, seat: seat.seat };
    Ok(PlayedRound { place, seat, house: get(row, 10)?, void: flag(row, 11)? })
}

/// Reads `name, since, profile`.
pub(super) fn player(row: &Row) -> Result<Player, StoreError> {
    Ok(Player { name: get(row, 0)?, since: time(row, 1)?, profile: get(row, 2)? })
}

/// Reads `drawer, key, owner, at, until, text, revision`.
pub(super) fn document(row: &Row) -> Result<DocumentRow, StoreError> {
    Ok(DocumentRow {
        collection: get(row, 0)?,
        key: get(row, 1)?,
        owner: get(row, 2)?,
        at: time(row, 3)?,
        until: get::<Option<i64>>(row, 4)?.map(Time::from_millis),
        text: get(row, 5)?,
        revision: count(row, 6)?,
    })
}
