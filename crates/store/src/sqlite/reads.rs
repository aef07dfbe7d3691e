//! What is read from the database. Each function sees one moment of it.

use std::str::FromStr;

use croupier_rules::Amount;
use croupier_table::{Account, Entry, Hash, JournalFault, Time, Transfer, first_hash};
use rusqlite::types::Type;
use rusqlite::{Connection, Error, OptionalExtension, Params, Row};

use super::fault::Fault;
use crate::journal::{damaged, sound};
use crate::store::{
    Choice, CommandKey, PlayedRound, Player, RoundPlace, RoundRow, RoundSeat, Standing, Statistic,
    StoreError, TableRow, Takings,
};
use crate::takings::Till;

/// Returns the answer that a command was given before.
pub(super) fn answer(
    connection: &Connection,
    key: &CommandKey,
    body: &Hash,
) -> Result<Option<String>, Fault> {
    let row = one(
        connection,
        "SELECT body, answer FROM commands WHERE sender = ?1 AND key = ?2",
        (&key.sender, &key.key),
        |row| Ok((hash_at(row, 0)?, row.get(1)?)),
    )?;
    match row {
        Some((known, _)) if known != *body => Err(StoreError::KeyReused.into()),
        Some((_, answer)) => Ok(Some(answer)),
        None => Ok(None),
    }
}

/// Returns the version of a table's journal.
pub(super) fn version(connection: &Connection, table: &str) -> Result<Option<u64>, Fault> {
    one(connection, "SELECT version FROM tables WHERE name = ?1", [table], |row| row.get(0))
}

/// Returns the hash of an entry that must be there.
pub(super) fn hash(connection: &Connection, table: &str, version: u64) -> Result<Hash, Fault> {
    let sql = "SELECT hash FROM journal WHERE table_name = ?1 AND version = ?2";
    let hash = one(connection, sql, (table, integer(version)), |row| hash_at(row, 0))?;
    hash.ok_or_else(|| damaged(table, version, JournalFault::Missing).into())
}

/// Returns a table.
pub(super) fn table(connection: &Connection, table: &str) -> Result<Option<TableRow>, Fault> {
    let sql = "SELECT name, house, version, checkpoint, deadline, closed FROM tables
               WHERE name = ?1";
    one(connection, sql, [table], table_row)
}

/// Returns tables by their names.
pub(super) fn tables(
    connection: &Connection,
    after: &str,
    most: usize,
) -> Result<Vec<TableRow>, Fault> {
    let sql = "SELECT name, house, version, checkpoint, deadline, closed FROM tables
               WHERE name > ?1 ORDER BY name LIMIT ?2";
    all(connection, sql, (after, limit(most)), table_row)
}

/// Returns the versions of tables that are there, by their names.
pub(super) fn versions(
    connection: &Connection,
    mut tables: Vec<String>,
) -> Result<Vec<(String, u64)>, Fault> {
    tables.sort();
    tables.dedup();
    let mut found = Vec::new();
    for table in tables {
        if let Some(version) = version(connection, &table)? {
            found.push((table, version));
        }
    }
    Ok(found)
}

fn table_row(row: &Row<'_>) -> Result<TableRow, Error> {
    Ok(TableRow {
        table: row.get(0)?,
        house: row.get(1)?,
        version: row.get(2)?,
        checkpoint: row.get(3)?,
        deadline: row.get::<_, Option<i64>>(4)?.map(Time::from_millis),
        closed: row.get(5)?,
    })
}

/// Returns a part of a journal, if it is what was written.
pub(super) fn journal(
    connection: &Connection,
    table: &str,
    from: u64,
    most: usize,
) -> Result<Vec<Entry>, Fault> {
    let from = from.max(1);
    let end = version(connection, table)?.unwrap_or(0);
    if from > end || most == 0 {
        return Ok(Vec::new());
    }
    let before = match from {
        1 => first_hash(table),
        _ => hash(connection, table, from - 1)?,
    };
    let entries = all(
        connection,
        "SELECT version, at, body, hash FROM journal
         WHERE table_name = ?1 AND version BETWEEN ?2 AND ?3 ORDER BY version LIMIT ?4",
        (table, integer(from), integer(end), limit(most)),
        |row| {
            let (at, hash) = (time_at(row, 1)?, hash_at(row, 3)?);
            Ok(Entry { version: row.get(0)?, at, body: row.get(2)?, hash })
        },
    )?;
    Ok(sound(table, &before, (from, end), most, entries)?)
}

/// Returns how many bytes the pages have that are in use. Those that are free are used again.
pub(super) fn size(connection: &Connection) -> Result<u64, Fault> {
    let pages = "SELECT (page_count - freelist_count) * page_size
                 FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
    Ok(one(connection, pages, (), |row| row.get(0))?.unwrap_or(0))
}

/// Returns what an account has, if it was ever used.
pub(super) fn balance(connection: &Connection, account: &str) -> Result<Option<Amount>, Fault> {
    let sql = "SELECT balance FROM balances WHERE account = ?1";
    one(connection, sql, [account], |row| amount_at(row, 0))
}

/// Returns how an account stands, if it was ever used.
pub(super) fn standing(connection: &Connection, account: &str) -> Result<Option<Standing>, Fault> {
    let sql = "SELECT balance, changes FROM balances WHERE account = ?1";
    one(connection, sql, [account], |row| {
        Ok(Standing { balance: amount_at(row, 0)?, changes: row.get(1)? })
    })
}

/// Returns balances by the names of the accounts.
pub(super) fn balances(
    connection: &Connection,
    after: &str,
    most: usize,
) -> Result<Vec<(Account, Amount)>, Fault> {
    let sql = "SELECT account, balance FROM balances
               WHERE account > ?1 ORDER BY account LIMIT ?2";
    let row = |row: &Row<'_>| Ok((account_at(row, 0)?, amount_at(row, 1)?));
    all(connection, sql, (after, limit(most)), row)
}

/// Returns transfers by their keys.
pub(super) fn transfers(
    connection: &Connection,
    after: &str,
    most: usize,
) -> Result<Vec<Transfer>, Fault> {
    let sql = "SELECT key, from_account, to_account, amount FROM transfers
               WHERE key > ?1 ORDER BY key LIMIT ?2";
    all(connection, sql, (after, limit(most)), |row| {
        let (from, to) = (account_at(row, 1)?, account_at(row, 2)?);
        Ok(Transfer { key: row.get(0)?, from, to, amount: amount_at(row, 3)? })
    })
}

/// Returns a round that is over.
pub(super) fn round(
    connection: &Connection,
    table: &str,
    round: u64,
) -> Result<Option<RoundRow>, Fault> {
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

/// Returns the rounds of a table that are over, the latest first.
pub(super) fn rounds_at(
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
        rounds.extend(round(connection, table, number)?);
    }
    Ok(rounds)
}

/// Returns what tables took.
///
/// They are added up here and not by SQLite, which gives up when a sum is too large.
pub(super) fn takings(
    connection: &Connection,
    from: Time,
    to: Time,
) -> Result<Vec<Takings>, Fault> {
    let mut till = Till::default();
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
        till.round(&table, &house, void);
        if void {
            continue;
        }
        for seat in of_round.query_map((&table, round), seat_row)? {
            till.hand(&table, &house, &seat?);
        }
    }
    Ok(till.takings())
}

/// Returns a player's rounds, the latest first.
pub(super) fn rounds_of(
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

/// Returns a player.
pub(super) fn player(connection: &Connection, name: &str) -> Result<Option<Player>, Fault> {
    let sql = "SELECT name, since, profile FROM players WHERE name = ?1";
    one(connection, sql, [name], |row| {
        Ok(Player { name: row.get(0)?, since: time_at(row, 1)?, profile: row.get(2)? })
    })
}

/// Returns the choices of a player that cost something.
pub(super) fn mistakes(
    connection: &Connection,
    player: &str,
    most: usize,
) -> Result<Vec<Choice>, Fault> {
    all(
        connection,
        "SELECT player, key, at, game, street, spot, chosen, best, cost_ppm FROM choices
         WHERE player = ?1 AND cost_ppm > 0 ORDER BY cost_ppm DESC, key LIMIT ?2",
        (player, limit(most)),
        |row| {
            Ok(Choice {
                player: row.get(0)?,
                key: row.get(1)?,
                at: time_at(row, 2)?,
                game: row.get(3)?,
                street: row.get(4)?,
                spot: row.get(5)?,
                chosen: row.get(6)?,
                best: row.get(7)?,
                cost_ppm: row.get(8)?,
            })
        },
    )
}

/// Returns how a player chose, by game and street.
///
/// SQLite gives up when a sum is too large, so that the halves of the numbers are added up.
pub(super) fn statistics(connection: &Connection, player: &str) -> Result<Vec<Statistic>, Fault> {
    all(
        connection,
        "SELECT game, street, count(*), sum(cost_ppm > 0), sum(cost_ppm >> 32),
             sum(cost_ppm & 4294967295)
         FROM choices WHERE player = ?1 GROUP BY game, street ORDER BY game, street",
        [player],
        |row| {
            let (choices, mistakes) = (row.get(2)?, row.get(3)?);
            let (high, low): (u64, u64) = (row.get(4)?, row.get(5)?);
            let most = i64::MAX as u64;
            let high = high.checked_mul(1 << 32);
            let cost_ppm = high.and_then(|high| high.checked_add(low)).unwrap_or(most).min(most);
            let (game, street) = (row.get(0)?, row.get(1)?);
            Ok(Statistic { game, street, choices, mistakes, cost_ppm })
        },
    )
}

pub(super) fn one<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T, Error>,
) -> Result<Option<T>, Fault> {
    Ok(connection.prepare_cached(sql)?.query_row(values, read).optional()?)
}

pub(super) fn all<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Fault> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(values, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn time_at(row: &Row<'_>, column: usize) -> Result<Time, Error> {
    row.get(column).map(Time::from_millis)
}

fn amount_at(row: &Row<'_>, column: usize) -> Result<Amount, Error> {
    row.get(column).map(Amount::cents)
}

fn hash_at(row: &Row<'_>, column: usize) -> Result<Hash, Error> {
    row.get(column).map(Hash::from_bytes)
}

fn account_at(row: &Row<'_>, column: usize) -> Result<Account, Error> {
    let text: String = row.get(column)?;
    Account::from_str(&text)
        .map_err(|error| Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}

/// Returns how many rows a query may have.
pub(super) fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

/// Returns a number as the database has it. What is larger than it can be is as good as the
/// largest: nothing was ever written under such a number.
fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
