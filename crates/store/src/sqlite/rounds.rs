//! Finished rounds in the database.

use croupier_table::Time;
use rusqlite::{Connection, Error, Row};

use super::Sqlite;
use super::fault::Fault;
use super::rows::{all, amount_at, change, integer, limit, one, time_at};
use crate::error::StoreError;
use crate::rounds::{PlayedRound, RoundPlace, RoundRow, RoundSeat, Rounds, Takings};
use crate::takings::Sums;

impl Rounds for Sqlite {
    async fn round(&self, table: &str, round: u64) -> Result<Option<RoundRow>, StoreError> {
        let table = table.to_owned();
        self.read(move |connection| find(connection, &table, round)).await
    }

    async fn rounds_at(
        &self,
        table: &str,
        before: u64,
        most: usize,
    ) -> Result<Vec<RoundRow>, StoreError> {
        let table = table.to_owned();
        self.read(move |connection| rounds_at(connection, &table, before, most)).await
    }

    async fn takings(&self, from: Time, to: Time) -> Result<Vec<Takings>, StoreError> {
        self.read(move |connection| takings(connection, from, to)).await
    }

    async fn rounds_of(
        &self,
        player: &str,
        before: &RoundPlace,
        most: usize,
    ) -> Result<Vec<PlayedRound>, StoreError> {
        let (player, before) = (player.to_owned(), before.clone());
        self.read(move |connection| rounds_of(connection, &player, &before, most)).await
    }
}

/// Adds a finished round.
pub(super) fn add(connection: &Connection, row: &RoundRow) -> Result<(), Fault> {
    let RoundRow { table, round, version, at, house, void, seats } = row;
    let is_new = change(
        connection,
        "INSERT INTO rounds (table_name, round, version, at, house, void)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
        (table, round, version, at.as_millis(), house, void),
    )?;
    if !is_new {
        return Err(row.repeated().into());
    }
    for seat in seats {
        let RoundSeat { seat, player, banked, ante, bonus, staked, net } = seat;
        let [ante, bonus, staked, net] = [ante, bonus, staked, net].map(|sum| sum.as_cents());
        let at = at.as_millis();
        change(
            connection,
            "INSERT INTO round_seats
             (table_name, round, seat, player, banked, ante, bonus, staked, net, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            (table, round, seat, player, banked, ante, bonus, staked, net, at),
        )?;
    }
    Ok(())
}

/// Returns a finished round.
fn find(connection: &Connection, table: &str, round: u64) -> Result<Option<RoundRow>, Fault> {
    let sql = "SELECT version, at, house, void FROM rounds WHERE table_name = ?1 AND round = ?2";
    let found = one(connection, sql, (table, integer(round)), |row| {
        let (version, at) = (row.get(0)?, time_at(row, 1)?);
        let (house, void, seats) = (row.get(2)?, row.get(3)?, Vec::new());
        Ok(RoundRow { table: table.to_owned(), round, version, at, house, void, seats })
    })?;
    let Some(mut found) = found else { return Ok(None) };
    let sql = "SELECT seat, player, banked, ante, bonus, staked, net FROM round_seats
               WHERE table_name = ?1 AND round = ?2 ORDER BY seat";
    found.seats = all(connection, sql, (table, integer(round)), seat_row)?;
    Ok(Some(found))
}

/// Returns a table's finished rounds, the latest first.
fn rounds_at(
    connection: &Connection,
    table: &str,
    before: u64,
    most: usize,
) -> Result<Vec<RoundRow>, Fault> {
    let Some(last) = before.checked_sub(1) else { return Ok(Vec::new()) };
    let sql = "SELECT round FROM rounds WHERE table_name = ?1 AND round <= ?2
               ORDER BY round DESC LIMIT ?3";
    let values = (table, integer(last), limit(most));
    let numbers: Vec<u64> = all(connection, sql, values, |row| row.get(0))?;
    let mut rounds = Vec::new();
    for number in numbers {
        rounds.extend(find(connection, table, number)?);
    }
    Ok(rounds)
}

/// Returns the tables' takings.
///
/// The sums are computed here and not by SQLite, which fails when a sum is too large.
fn takings(connection: &Connection, from: Time, to: Time) -> Result<Vec<Takings>, Fault> {
    let mut sums = Sums::default();
    let mut statement = connection.prepare_cached(
        "SELECT table_name, house, void, round FROM rounds WHERE at >= ?1 AND at < ?2",
    )?;
    let mut of_round = connection.prepare_cached(
        "SELECT seat, player, banked, ante, bonus, staked, net FROM round_seats
         WHERE table_name = ?1 AND round = ?2 AND banked = 0",
    )?;
    let mut rounds = statement.query((from.as_millis(), to.as_millis()))?;
    while let Some(row) = rounds.next()? {
        let (table, house): (String, String) = (row.get(0)?, row.get(1)?);
        let (void, round): (bool, i64) = (row.get(2)?, row.get(3)?);
        sums.round(&table, &house, void);
        if void {
            continue;
        }
        for seat in of_round.query_map((&table, round), seat_row)? {
            sums.hand(&table, &house, &seat?);
        }
    }
    Ok(sums.takings())
}

/// Returns a player's rounds, the latest first.
fn rounds_of(
    connection: &Connection,
    player: &str,
    before: &RoundPlace,
    most: usize,
) -> Result<Vec<PlayedRound>, Fault> {
    let RoundPlace { at, table, round, seat } = before;
    all(
        connection,
        "SELECT s.seat, s.player, s.banked, s.ante, s.bonus, s.staked, s.net, s.at, s.table_name,
                s.round, r.house, r.void
         FROM round_seats s
         JOIN rounds r ON r.table_name = s.table_name AND r.round = s.round
         WHERE s.player = ?1 AND (s.at, s.table_name, s.round, s.seat) < (?2, ?3, ?4, ?5)
         ORDER BY s.at DESC, s.table_name DESC, s.round DESC, s.seat DESC LIMIT ?6",
        (player, at.as_millis(), table, integer(*round), seat, limit(most)),
        |row| {
            let (at, table, round) = (time_at(row, 7)?, row.get(8)?, row.get(9)?);
            let seat = seat_row(row)?;
            let place = RoundPlace { at, table, round, seat: seat.seat };
            Ok(PlayedRound { place, seat, house: row.get(10)?, void: row.get(11)? })
        },
    )
}

fn seat_row(row: &Row<'_>) -> Result<RoundSeat, Error> {
    Ok(RoundSeat {
        seat: row.get(0)?,
        player: row.get(1)?,
        banked: row.get(2)?,
        ante: amount_at(row, 3)?,
        bonus: amount_at(row, 4)?,
        staked: amount_at(row, 5)?,
        net: amount_at(row, 6)?,
    })
}
