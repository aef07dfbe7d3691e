//! A change to money, and to a journal if it belongs to one: how it is written, and how to find out
//! why it was not.

use std::collections::{BTreeMap, BTreeSet};

use croupier_rules::Amount;
use croupier_table::{
    Account, Hash, JournalFault, LedgerError, Movement, Time, Transfer, first_hash, movements,
};
use tokio_postgres::Row;

use super::rows;
use super::statement::Statement;
use crate::accounts::AccountState;
use crate::commands::{Answered, Written};
use crate::error::StoreError;
use crate::journals::{Append, damaged};
use crate::rounds::RoundSeat;

const COMMAND: &str = "INSERT INTO commands (sender, key, body, answer, at)
    VALUES ($1, $2, $3, $4, $5)";

const OPEN: &str = "WITH head AS (
        INSERT INTO tables (name, house, version, checkpoint, deadline, claimed, closed)
        VALUES ($1, $6, $2, $3, $4, 0, $5)
        RETURNING name
    )
    INSERT INTO journal (table_name, version, at, body, hash)
    SELECT head.name, entry.*
    FROM head, unnest($7::bigint[], $8::bigint[], $9::text[], $10::bytea[]) AS entry";

// If the table has another version by now, there is no head, and the division by zero aborts the
// transaction. A constraint would abort it, too, but the server would then write the row to its
// log, and an entry may contain secrets.
const GROW: &str = "WITH head AS (
        UPDATE tables
        SET version = $2, checkpoint = coalesce($3, checkpoint), deadline = $4, claimed = 0,
            closed = $5
        WHERE name = $1 AND version = $6
        RETURNING name
    )
    INSERT INTO journal (table_name, version, at, body, hash)
    SELECT coalesce((SELECT name FROM head), (1 / (SELECT count(*) FROM head))::text), entry.*
    FROM unnest($7::bigint[], $8::bigint[], $9::text[], $10::bytea[]) AS entry";

const ROUNDS: &str = "INSERT INTO rounds (table_name, round, version, at, house, void)
    SELECT $1, round.*
    FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[]) AS round";

const SEATS: &str = "INSERT INTO round_seats
        (table_name, round, at, seat, player, banked, ante, bonus, staked, net)
    SELECT $1, seat.*
    FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[],
        $8::bigint[], $9::bigint[], $10::bigint[]) AS seat";

const TRANSFERS: &str = "INSERT INTO transfers (at, key, from_account, to_account, amount)
    SELECT $1, transfer.*
    FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[]) AS transfer";

// A new account is inserted with a zero balance, whatever comes next: a row that is inserted and
// changed in one statement would have to pass the check with the change alone.
const ACCOUNTS: &str = "INSERT INTO balances (account, balance, may_owe)
    SELECT account, 0, may_owe
    FROM unnest($1::text[], $2::bigint[]) AS new (account, may_owe)
    ORDER BY account COLLATE \"C\"
    ON CONFLICT (account) DO NOTHING";

// All transactions lock the accounts in the same order, so there are no deadlocks. If a player puts
// chips down and has too many to play with, a division by zero aborts the transaction.
const BALANCES: &str = "WITH own AS MATERIALIZED (
        SELECT account FROM balances WHERE account = ANY ($1::text[])
        ORDER BY account FOR UPDATE
    )
    UPDATE balances SET changes = changes + 1, balance = balances.balance + change.amount
        + 0 / (CASE WHEN balances.balance > change.most THEN 0 ELSE 1 END)
    FROM own, unnest($1::text[], $2::bigint[], $3::bigint[]) AS change (account, amount, most)
    WHERE balances.account = own.account AND change.account = own.account";

// If the account was changed by any other transaction, there is no such row, and the division by
// zero aborts the whole. It comes after the change, so that accounts are locked in the common
// order.
const UNCHANGED: &str = "SELECT 1 / count(*) FROM balances WHERE account = $1 AND changes = $2";

const LOOK_COMMAND: &str = "SELECT body, answer FROM commands WHERE sender = $1 AND key = $2";

const LOOK_HEAD: &str = "SELECT version,
        (SELECT hash FROM journal WHERE table_name = name AND journal.version = $2),
        (SELECT hash FROM journal WHERE table_name = name AND journal.version = $3)
    FROM tables WHERE name = $1";

const LOOK_ROUNDS: &str = "SELECT round FROM rounds
    WHERE table_name = $1 AND round = ANY ($2::bigint[])";

const LOOK_TRANSFERS: &str = "SELECT key, from_account, to_account, amount FROM transfers
    WHERE key = ANY ($1::text[])";

const LOOK_BALANCES: &str = "SELECT account, balance, changes FROM balances
    WHERE account = ANY ($1::text[])";

/// A write in one transaction; if it fails, the stored data shows the reason.
pub(super) trait Attempt {
    /// Returns the statements that write it.
    fn statements(&self) -> Vec<Statement<'_>>;

    /// Returns queries for everything that may have prevented it.
    fn questions(&self) -> Vec<Statement<'_>>;

    /// Returns the reason why it was not written, from the answers to the queries; nothing if the
    /// reason is gone.
    ///
    /// If it was sent before without an answer, `unsure`, the queries may find this very write.
    fn judge(&self, answers: &[Vec<Row>], unsure: bool) -> Result<Option<Written>, StoreError>;
}

/// A change to money, and to a journal if it belongs to one.
#[derive(Debug)]
pub(super) struct Change<'a> {
    append: Option<&'a Append>,
    transfers: &'a [Transfer],
    command: Option<&'a Answered>,
    at: Time,
    /// An account that must not have changed since the caller read it.
    unchanged: Option<(String, u64)>,
    /// The total movement of each account.
    movements: Result<BTreeMap<Account, Movement>, LedgerError>,
}

impl<'a> Change<'a> {
    /// Makes a change from entries of a journal, with all related rows.
    pub(super) fn of_journal(append: &'a Append) -> Self {
        let at = append.entries.last().map(|entry| entry.at).unwrap_or_default();
        let change = Self::of_money(&append.transfers, at, append.command.as_ref());
        Self { append: Some(append), ..change }
    }

    /// Makes a change from transfers that belong to no table.
    pub(super) fn of_money(
        transfers: &'a [Transfer],
        at: Time,
        command: Option<&'a Answered>,
    ) -> Self {
        let mut keys = BTreeSet::new();
        let repeated = transfers.iter().find(|transfer| !keys.insert(&transfer.key));
        let movements = match repeated {
            Some(Transfer { key, .. }) => Err(LedgerError::Repeated { key: key.clone() }),
            None => movements(transfers),
        };
        Self { append: None, transfers, command, at, unchanged: None, movements }
    }

    /// Makes it depend on the state of an account that one of its transfers moves.
    pub(super) fn unless_changed(self, account: &Account, seen: AccountState) -> Self {
        Self { unchanged: Some((account.to_string(), seen.changes)), ..self }
    }

    /// Returns whether it could be written, as far as that is known without a query.
    ///
    /// `previous` is the hash of the entry after which the first comes, if there is one.
    pub(super) fn is_possible(&self, previous: Option<&Hash>) -> bool {
        let fits = |append: &Append| previous.is_some_and(|hash| is_sealed(append, hash));
        self.movements.is_ok() && self.append.is_none_or(fits)
    }

    /// Returns whether it has been written, by any process: the same entries, or the same
    /// transfers.
    fn is_there(&self, head: &[Row], made: &[Transfer]) -> Result<bool, StoreError> {
        if let Some(append) = self.append {
            let Some(row) = head.first() else { return Ok(false) };
            let is_ours = |&bytes: &&[u8]| bytes == end(append).1.as_bytes();
            return Ok(rows::get::<Option<&[u8]>>(row, 2)?.as_ref().is_some_and(is_ours));
        }
        // With a command, the stored answer shows it; without one, only the transfers do.
        let all = || self.transfers.iter().all(|transfer| made.contains(transfer));
        Ok(self.command.is_none() && !self.transfers.is_empty() && all())
    }

    fn judge_balances(&self, rows: &[Row]) -> Result<(), StoreError> {
        let movements =
            self.movements.as_ref().map_err(|error| StoreError::Ledger(error.clone()))?;
        let mut balances = BTreeMap::new();
        for row in rows {
            balances.insert(rows::account(row, 0)?, rows::amount(row, 1)?);
        }
        for (account, movement) in movements {
            let balance = balances.get(account).copied().unwrap_or_default();
            movement.from(account, balance).map_err(StoreError::Ledger)?;
        }
        Ok(())
    }
}

impl Attempt for Change<'_> {
    fn statements(&self) -> Vec<Statement<'_>> {
        let mut statements = Vec::new();
        if let Some(Answered { key, body, answer }) = self.command {
            let statement = Statement::new(COMMAND).with(&key.sender).with(&key.key);
            let statement = statement.with(body.as_bytes().as_slice()).with(answer);
            statements.push(statement.with(self.at.as_millis()));
        }
        if let Some(append) = self.append {
            statements.push(journal(append));
            statements.extend(rounds(append));
        }
        if let Ok(movements) = &self.movements
            && !self.transfers.is_empty()
        {
            statements.push(transfers(self.transfers, self.at));
            let moves = balances(movements);
            // The first statement inserts new accounts, and each of the others changes all of them.
            let own = moves.len() as u64 - 1;
            statements.extend(moves);
            if let Some((account, changes)) = &self.unchanged {
                let changes = number(changes.saturating_add(own));
                statements.push(Statement::new(UNCHANGED).with(account).with(changes));
            }
        }
        statements
    }

    fn questions(&self) -> Vec<Statement<'_>> {
        let key = self.command.map(|command| &command.key);
        let command = Statement::new(LOOK_COMMAND)
            .with(key.map(|key| key.sender.as_str()))
            .with(key.map(|key| key.key.as_str()));
        let head = Statement::new(LOOK_HEAD)
            .with(self.append.map(|append| append.table.as_str()))
            .with(self.append.map(|append| number(append.expected)))
            .with(self.append.map(|append| number(end(append).0)));
        let played = self.append.map_or(&[][..], |append| &append.rounds);
        let rounds = Statement::new(LOOK_ROUNDS)
            .with(self.append.map(|append| append.table.as_str()))
            .column(played, |round| number(round.round));
        let keys: Vec<&str> = self.transfers.iter().map(|transfer| &*transfer.key).collect();
        let accounts: Vec<String> = self
            .movements
            .iter()
            .flat_map(|movements| movements.keys().map(ToString::to_string))
            // Transfers that cannot be made have no movements, but still depend on the account.
            .chain(self.unchanged.iter().map(|(account, _)| account.clone()))
            .collect();
        let transfers = Statement::new(LOOK_TRANSFERS).with(keys);
        vec![command, head, rounds, transfers, Statement::new(LOOK_BALANCES).with(accounts)]
    }

    fn judge(&self, answers: &[Vec<Row>], unsure: bool) -> Result<Option<Written>, StoreError> {
        let [command, head, rounds, transfers, balances] = answers else { return Ok(None) };
        let made: Vec<Transfer> = transfers.iter().map(rows::transfer).collect::<Result<_, _>>()?;
        if unsure && self.is_there(head, &made)? {
            return Ok(Some(Written::Now));
        }
        if let (Some(row), Some(sent)) = (command.first(), self.command) {
            if rows::hash(row, 0)? != sent.body {
                return Err(StoreError::KeyReused);
            }
            return Ok(Some(Written::Repeated(rows::get(row, 1)?)));
        }
        if let Some(append) = self.append {
            judge_head(append, head.first())?;
            judge_rounds(append, rounds)?;
        }
        let keys: BTreeSet<&str> = made.iter().map(|transfer| &*transfer.key).collect();
        let mut seen = BTreeSet::new();
        for Transfer { key, .. } in self.transfers {
            if keys.contains(&**key) || !seen.insert(key) {
                return Err(StoreError::Ledger(LedgerError::Repeated { key: key.clone() }));
            }
        }
        if let Some((account, changes)) = &self.unchanged {
            let mut rows = balances.iter();
            let row = rows.find(|row| rows::get::<&str>(row, 0).is_ok_and(|name| name == account));
            if row.map_or(Ok(0), |row| rows::count(row, 2))? != *changes {
                return Err(StoreError::Conflict);
            }
        }
        self.judge_balances(balances).map(|()| None)
    }
}

/// Checks that a journal ends as expected, in the row that [`LOOK_HEAD`] finds.
fn judge_head(append: &Append, head: Option<&Row>) -> Result<(), StoreError> {
    let version = head.map(|row| rows::count(row, 0)).transpose()?.unwrap_or(0);
    if version != append.expected {
        return Err(StoreError::Conflict);
    }
    let previous = match head {
        Some(row) if rows::get::<Option<&[u8]>>(row, 1)?.is_some() => rows::hash(row, 1)?,
        Some(_) => return Err(damaged(&append.table, version, JournalFault::Missing)),
        None => first_hash(&append.table),
    };
    if is_sealed(append, &previous) {
        Ok(())
    } else {
        Err(damaged(&append.table, version + 1, JournalFault::Altered))
    }
}

/// Checks that none of the rounds has already ended.
fn judge_rounds(append: &Append, rows: &[Row]) -> Result<(), StoreError> {
    let over: BTreeSet<u64> =
        rows.iter().map(|row| rows::count(row, 0)).collect::<Result<_, _>>()?;
    match append.rounds.iter().find(|round| over.contains(&round.round)) {
        Some(round) => Err(round.repeated()),
        None => Ok(()),
    }
}

fn is_sealed(append: &Append, previous: &Hash) -> bool {
    append.entries.first().is_some_and(|entry| entry.is_sealed_after(previous))
}

/// Returns the version and the hash of the last entry.
pub(super) fn end(append: &Append) -> (u64, Hash) {
    let last = append.entries.last().expect("checked: there are entries");
    (last.version, last.hash)
}

/// Returns a number as the database takes it. Larger ones were refused before.
pub(super) fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn journal(append: &Append) -> Statement<'_> {
    let Append { table, expected, entries, deadline, opens, closes, checkpoint, .. } = append;
    let (sql, checkpoint) = match opens {
        Some(_) => (OPEN, Some(number(checkpoint.unwrap_or(0)))),
        None => (GROW, checkpoint.map(number)),
    };
    let statement = Statement::new(sql)
        .with(table)
        .with(number(end(append).0))
        .with(checkpoint)
        .with(deadline.map(Time::as_millis))
        .with(i64::from(*closes));
    let statement = match opens {
        Some(house) => statement.with(house),
        None => statement.with(number(*expected)),
    };
    statement
        .column(entries, |entry| number(entry.version))
        .column(entries, |entry| entry.at.as_millis())
        .column(entries, |entry| entry.body.as_str())
        .column(entries, |entry| entry.hash.as_bytes().as_slice())
}

fn rounds(append: &Append) -> Vec<Statement<'_>> {
    let Append { table, rounds, .. } = append;
    if rounds.is_empty() {
        return Vec::new();
    }
    let headings = Statement::new(ROUNDS)
        .with(table)
        .column(rounds, |round| number(round.round))
        .column(rounds, |round| number(round.version))
        .column(rounds, |round| round.at.as_millis())
        .column(rounds, |round| round.house.as_str())
        .column(rounds, |round| i64::from(round.void));
    let seats: Vec<(i64, i64, &RoundSeat)> = rounds
        .iter()
        .flat_map(|round| {
            let place = (number(round.round), round.at.as_millis());
            round.seats.iter().map(move |seat| (place.0, place.1, seat))
        })
        .collect();
    let seats = Statement::new(SEATS)
        .with(table)
        .column(&seats, |&(round, _, _)| round)
        .column(&seats, |&(_, at, _)| at)
        .column(&seats, |(_, _, seat)| i64::from(seat.seat))
        .column(&seats, |(_, _, seat)| seat.player.clone())
        .column(&seats, |(_, _, seat)| i64::from(seat.banked))
        .column(&seats, |(_, _, seat)| seat.ante.as_cents())
        .column(&seats, |(_, _, seat)| seat.bonus.as_cents())
        .column(&seats, |(_, _, seat)| seat.staked.as_cents())
        .column(&seats, |(_, _, seat)| seat.net.as_cents());
    vec![headings, seats]
}

fn transfers(transfers: &[Transfer], at: Time) -> Statement<'_> {
    Statement::new(TRANSFERS)
        .with(at.as_millis())
        .column(transfers, |transfer| transfer.key.as_str())
        .column(transfers, |transfer| transfer.from.to_string())
        .column(transfers, |transfer| transfer.to.to_string())
        .column(transfers, |transfer| transfer.amount.as_cents())
}

/// Moves money between accounts. The database checks a balance after each statement, so an account
/// that goes down before it goes up takes two.
fn balances<'a>(movements: &BTreeMap<Account, Movement>) -> Vec<Statement<'a>> {
    struct Line {
        account: String,
        may_owe: i64,
        /// The largest balance that the account may have before.
        most: i64,
        down: i64,
        then: i64,
    }
    let down = |movement: &Movement| {
        let dips = movement.lowest < movement.net.min(Amount::ZERO);
        if dips { movement.lowest.as_cents() } else { 0 }
    };
    let rows: Vec<Line> = movements
        .iter()
        .map(|(account, movement)| Line {
            account: account.to_string(),
            may_owe: i64::from(account.may_owe()),
            most: movement.most().as_cents(),
            down: down(movement),
            then: movement.net.as_cents().saturating_sub(down(movement)),
        })
        .collect();
    let new = Statement::new(ACCOUNTS)
        .column(&rows, |row| row.account.clone())
        .column(&rows, |row| row.may_owe);
    let move_by = |amount: fn(&Line) -> i64| {
        let accounts = Statement::new(BALANCES).column(&rows, |row| row.account.clone());
        accounts.column(&rows, amount).column(&rows, |row| row.most)
    };
    let mut statements = vec![new];
    if rows.iter().any(|row| row.down != 0) {
        statements.push(move_by(|row| row.down));
    }
    statements.push(move_by(|row| row.then));
    statements
}
