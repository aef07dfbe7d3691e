//! What changes the database. Each function is one piece of work in a savepoint of its own: when it
//! fails, all that it did is undone.

use std::collections::BTreeSet;

use croupier_table::{JournalFault, LedgerError, Time, Transfer, first_hash, movements};
use rusqlite::{Connection, Params};

use super::fault::Fault;
use super::reads::{self, limit};
use crate::journal::damaged;
use crate::names;
use crate::store::{
    Answered, Append, Choice, Player, RoundRow, RoundSeat, Standing, StoreError, Written,
};

/// Adds entries to a journal, with all that belongs to them.
pub(super) fn append(
    connection: &Connection,
    append: &Append,
    probe: fn(&'static str),
) -> Result<Written, Fault> {
    if let Some(answer) = answer_of(connection, append.command.as_ref())? {
        return Ok(Written::Before(answer));
    }
    let Append { table, expected, entries, .. } = append;
    if reads::version(connection, table)?.unwrap_or(0) != *expected {
        return Err(StoreError::Conflict.into());
    }
    let previous = match *expected {
        0 => first_hash(table),
        last => reads::hash(connection, table, last)?,
    };
    let (first, last) = (&entries[0], &entries[entries.len() - 1]);
    if !first.is_sealed_after(&previous) {
        return Err(damaged(table, first.version, JournalFault::Altered).into());
    }
    for entry in entries {
        let is_new = change(
            connection,
            "INSERT INTO journal (table_name, version, at, body, hash)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
            (table, entry.version, entry.at.as_millis(), &entry.body, entry.hash.as_bytes()),
        )?;
        if !is_new {
            let why = "it is there, and the table does not know of it".to_owned();
            return Err(damaged(table, entry.version, JournalFault::Impossible { why }).into());
        }
    }
    probe("entries-written");
    set_table(connection, append, last.version)?;
    for round in &append.rounds {
        add_round(connection, round)?;
    }
    post(connection, &append.transfers, last.at)?;
    remember(connection, append.command.as_ref(), last.at)?;
    Ok(Written::Now)
}

fn set_table(connection: &Connection, append: &Append, version: u64) -> Result<(), Fault> {
    let deadline = append.deadline.map(Time::as_millis);
    if let Some(house) = &append.opens {
        let checkpoint = append.checkpoint.unwrap_or(0);
        change(
            connection,
            "INSERT INTO tables (name, house, version, checkpoint, deadline, claimed, closed)
             VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)",
            (&append.table, house, version, checkpoint, deadline, append.closes),
        )?;
    } else {
        change(
            connection,
            "UPDATE tables SET version = ?2, checkpoint = coalesce(?3, checkpoint), deadline = ?4,
             claimed = 0, closed = ?5 WHERE name = ?1",
            (&append.table, version, append.checkpoint, deadline, append.closes),
        )?;
    }
    Ok(())
}

fn add_round(connection: &Connection, row: &RoundRow) -> Result<(), Fault> {
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

/// Makes transfers that belong to no table.
pub(super) fn transfer(
    connection: &Connection,
    transfers: &[Transfer],
    at: Time,
    command: Option<&Answered>,
) -> Result<Written, Fault> {
    if let Some(answer) = answer_of(connection, command)? {
        return Ok(Written::Before(answer));
    }
    post(connection, transfers, at)?;
    remember(connection, command, at)?;
    Ok(Written::Now)
}

/// Makes transfers that belong to no table, if an account has not changed.
pub(super) fn transfer_unless_changed(
    connection: &Connection,
    transfers: &[Transfer],
    at: Time,
    (account, seen): (&str, Standing),
    command: Option<&Answered>,
) -> Result<Written, Fault> {
    if let Some(answer) = answer_of(connection, command)? {
        return Ok(Written::Before(answer));
    }
    refuse_repeated(connection, transfers)?;
    if reads::standing(connection, account)?.unwrap_or_default().changes != seen.changes {
        return Err(StoreError::Conflict.into());
    }
    post(connection, transfers, at)?;
    remember(connection, command, at)?;
    Ok(Written::Now)
}

/// Makes transfers, and refuses them as [`croupier_table::Ledger`] does, in the same order.
fn post(connection: &Connection, transfers: &[Transfer], at: Time) -> Result<(), Fault> {
    let movements = match movements(transfers) {
        Ok(movements) => movements,
        Err(error) => {
            // They cannot be written, and still a key that was used is what is told first.
            refuse_repeated(connection, transfers)?;
            return Err(StoreError::Ledger(error).into());
        }
    };
    for Transfer { key, from, to, amount } in transfers {
        let is_new = change(
            connection,
            "INSERT INTO transfers (key, from_account, to_account, amount, at)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
            (key, from.to_string(), to.to_string(), amount.as_cents(), at.as_millis()),
        )?;
        if !is_new {
            return Err(repeated(key));
        }
    }
    for (account, movement) in movements {
        // The sum is taken here and not by SQLite, which makes a float of what is too large.
        let name = account.to_string();
        let balance = reads::balance(connection, &name)?.unwrap_or_default();
        let balance = movement.from(&account, balance).map_err(StoreError::Ledger)?;
        // The table has a constraint against debts as well, if all of the above were wrong.
        change(
            connection,
            "INSERT INTO balances (account, balance, may_owe, changes) VALUES (?1, ?2, ?3, 1)
             ON CONFLICT (account) DO UPDATE
             SET balance = excluded.balance, changes = changes + 1",
            (name, balance.as_cents(), account.may_owe()),
        )?;
    }
    Ok(())
}

fn refuse_repeated(connection: &Connection, transfers: &[Transfer]) -> Result<(), Fault> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM transfers WHERE key = ?1")?;
    let mut keys = BTreeSet::new();
    for Transfer { key, .. } in transfers {
        if !keys.insert(key) || statement.exists([key])? {
            return Err(repeated(key));
        }
    }
    Ok(())
}

fn repeated(key: &str) -> Fault {
    StoreError::Ledger(LedgerError::Repeated { key: key.to_owned() }).into()
}

fn answer_of(connection: &Connection, command: Option<&Answered>) -> Result<Option<String>, Fault> {
    command.map_or(Ok(None), |Answered { key, body, .. }| reads::answer(connection, key, body))
}

fn remember(connection: &Connection, command: Option<&Answered>, at: Time) -> Result<(), Fault> {
    if let Some(Answered { key, body, answer }) = command {
        change(
            connection,
            "INSERT INTO commands (sender, key, body, answer, at) VALUES (?1, ?2, ?3, ?4, ?5)",
            (&key.sender, &key.key, body.as_bytes(), answer, at.as_millis()),
        )?;
    }
    Ok(())
}

/// Claims tables that are due.
pub(super) fn claim(
    connection: &Connection,
    now: Time,
    until: Time,
    most: usize,
) -> Result<Vec<String>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT name FROM tables
         WHERE deadline IS NOT NULL AND deadline <= ?1 AND claimed <= ?1 AND closed = 0
         ORDER BY deadline, name LIMIT ?2",
    )?;
    let names = statement.query_map((now.as_millis(), limit(most)), |row| row.get(0))?;
    let names: Vec<String> = names.collect::<Result<_, _>>()?;
    for name in &names {
        let sql = "UPDATE tables SET claimed = ?2 WHERE name = ?1";
        change(connection, sql, (name, until.as_millis()))?;
    }
    Ok(names)
}

/// Removes a table that came to nothing, with its journal.
pub(super) fn remove_unplayed(
    connection: &Connection,
    table: &str,
    before: Time,
) -> Result<bool, Fault> {
    let [first, end] = names::transfers_of(table);
    let is_gone = change(
        connection,
        "DELETE FROM tables WHERE name = ?1 AND closed <> 0
             AND NOT EXISTS (SELECT 1 FROM rounds WHERE table_name = ?1)
             AND NOT EXISTS (SELECT 1 FROM transfers WHERE key >= ?2 AND key < ?3)
             AND NOT EXISTS (SELECT 1 FROM journal WHERE table_name = ?1
                 AND journal.version = tables.version AND at > ?4)",
        (table, first, end, before.as_millis()),
    )?;
    if is_gone {
        change(connection, "DELETE FROM journal WHERE table_name = ?1", [table])?;
    }
    Ok(is_gone)
}

/// Adds a player.
pub(super) fn add_player(connection: &Connection, player: &Player) -> Result<(), Fault> {
    let Player { name, since, profile } = player;
    let is_new = change(
        connection,
        "INSERT INTO players (name, since, profile) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        (name, since.as_millis(), profile),
    )?;
    if is_new { Ok(()) } else { Err(StoreError::Taken.into()) }
}

/// Writes a player's profile anew, if it is what was expected.
pub(super) fn set_profile(
    connection: &Connection,
    name: &str,
    expected: &str,
    profile: &str,
) -> Result<bool, Fault> {
    match reads::player(connection, name)? {
        None => Ok(false),
        Some(player) if player.profile != expected => Err(StoreError::Conflict.into()),
        Some(_) => {
            change(connection, "UPDATE players SET profile = ?2 WHERE name = ?1", (name, profile))
        }
    }
}

/// Removes a player.
pub(super) fn remove_player(connection: &Connection, name: &str) -> Result<bool, Fault> {
    change(connection, "DELETE FROM players WHERE name = ?1", [name])
}

/// Keeps choices that are not there yet.
pub(super) fn add_choices(connection: &Connection, choices: &[Choice]) -> Result<(), Fault> {
    for choice in choices {
        let Choice { player, key, at, game, street, spot, chosen, best, cost_ppm } = choice;
        change(
            connection,
            "INSERT INTO choices (player, key, at, game, street, spot, chosen, best, cost_ppm)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING",
            (player, key, at.as_millis(), game, street, spot, chosen, best, cost_ppm),
        )?;
    }
    Ok(())
}

/// Removes the choices of a player.
pub(super) fn forget_choices(connection: &Connection, player: &str) -> Result<u64, Fault> {
    count(connection, "DELETE FROM choices WHERE player = ?1", [player])
}

/// Runs a statement, and tells whether it changed something.
pub(super) fn change(
    connection: &Connection,
    sql: &str,
    values: impl Params,
) -> Result<bool, Fault> {
    Ok(count(connection, sql, values)? > 0)
}

/// Runs a statement, and returns how many rows it changed.
pub(super) fn count(connection: &Connection, sql: &str, values: impl Params) -> Result<u64, Fault> {
    Ok(connection.prepare_cached(sql)?.execute(values)? as u64)
}
