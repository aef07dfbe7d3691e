//! Accounts and transfers in the database.

use std::collections::BTreeSet;

use croupier_rules::Amount;
use croupier_table::{Account, LedgerError, Time, Transfer, movements};
use rusqlite::{Connection, Row};

use super::fault::Fault;
use super::rows::{account_at, all, amount_at, change, limit, one};
use super::{Sqlite, commands};
use crate::accounts::{AccountState, Accounts, check_transfers};
use crate::commands::{Answered, Written};
use crate::error::StoreError;

impl Accounts for Sqlite {
    async fn transfer(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        check_transfers(&transfers, command.as_ref())?;
        self.write(move |connection| transfer(connection, &transfers, at, command.as_ref())).await
    }

    async fn transfer_unless_changed(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        account: &Account,
        seen: AccountState,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        check_transfers(&transfers, command.as_ref())?;
        AccountState::check(&transfers, account)?;
        let account = account.to_string();
        self.write(move |connection| {
            let unless = (&*account, seen);
            transfer_unless_changed(connection, &transfers, at, unless, command.as_ref())
        })
        .await
    }

    async fn balance(&self, account: &Account) -> Result<Amount, StoreError> {
        let account = account.to_string();
        self.read(move |connection| {
            let balance = balance(connection, &account)?;
            Ok(balance.unwrap_or_default())
        })
        .await
    }

    async fn account_state(&self, account: &Account) -> Result<AccountState, StoreError> {
        let account = account.to_string();
        self.read(move |connection| Ok(state(connection, &account)?.unwrap_or_default())).await
    }

    async fn balances(
        &self,
        after: &str,
        most: usize,
    ) -> Result<Vec<(Account, Amount)>, StoreError> {
        let after = after.to_owned();
        self.read(move |connection| balances(connection, &after, most)).await
    }

    async fn transfers(&self, after: &str, most: usize) -> Result<Vec<Transfer>, StoreError> {
        let after = after.to_owned();
        self.read(move |connection| transfers(connection, &after, most)).await
    }
}

/// Makes transfers that belong to no table.
fn transfer(
    connection: &Connection,
    transfers: &[Transfer],
    at: Time,
    command: Option<&Answered>,
) -> Result<Written, Fault> {
    if let Some(answer) = commands::answer_of(connection, command)? {
        return Ok(Written::Repeated(answer));
    }
    post(connection, transfers, at)?;
    commands::remember(connection, command, at)?;
    Ok(Written::Now)
}

/// Makes transfers that belong to no table, if an account has not changed.
fn transfer_unless_changed(
    connection: &Connection,
    transfers: &[Transfer],
    at: Time,
    (account, seen): (&str, AccountState),
    command: Option<&Answered>,
) -> Result<Written, Fault> {
    if let Some(answer) = commands::answer_of(connection, command)? {
        return Ok(Written::Repeated(answer));
    }
    refuse_repeated(connection, transfers)?;
    if state(connection, account)?.unwrap_or_default().changes != seen.changes {
        return Err(StoreError::Conflict.into());
    }
    post(connection, transfers, at)?;
    commands::remember(connection, command, at)?;
    Ok(Written::Now)
}

/// Makes transfers, and refuses them as [`croupier_table::Ledger`] does, in the same order.
pub(super) fn post(connection: &Connection, transfers: &[Transfer], at: Time) -> Result<(), Fault> {
    let movements = match movements(transfers) {
        Ok(movements) => movements,
        Err(error) => {
            // They cannot be written, but a repeated key is reported first.
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
        // The sum is computed here and not by SQLite, which turns a number that is too large into a
        // float.
        let name = account.to_string();
        let balance = balance(connection, &name)?.unwrap_or_default();
        let balance = movement.from(&account, balance).map_err(StoreError::Ledger)?;
        // The table also has a constraint against debts, in case the checks above were wrong.
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

/// Returns an account's balance, if it was ever used.
fn balance(connection: &Connection, account: &str) -> Result<Option<Amount>, Fault> {
    let sql = "SELECT balance FROM balances WHERE account = ?1";
    one(connection, sql, [account], |row| amount_at(row, 0))
}

/// Returns an account's state, if it was ever used.
fn state(connection: &Connection, account: &str) -> Result<Option<AccountState>, Fault> {
    let sql = "SELECT balance, changes FROM balances WHERE account = ?1";
    one(connection, sql, [account], |row| {
        Ok(AccountState { balance: amount_at(row, 0)?, changes: row.get(1)? })
    })
}

/// Returns balances by the names of the accounts.
fn balances(
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
fn transfers(connection: &Connection, after: &str, most: usize) -> Result<Vec<Transfer>, Fault> {
    let sql = "SELECT key, from_account, to_account, amount FROM transfers
               WHERE key > ?1 ORDER BY key LIMIT ?2";
    all(connection, sql, (after, limit(most)), |row| {
        let (from, to) = (account_at(row, 1)?, account_at(row, 2)?);
        Ok(Transfer { key: row.get(0)?, from, to, amount: amount_at(row, 3)? })
    })
}
