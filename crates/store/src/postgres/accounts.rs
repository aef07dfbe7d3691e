//! Accounts and transfers in the database.

use croupier_rules::Amount;
use croupier_table::{Account, Time, Transfer};
use tokio_postgres::Row;

use super::change::Change;
use super::statement::{Statement, limit, sendable};
use super::{Postgres, rows};
use crate::accounts::{AccountState, Accounts, check_transfers};
use crate::commands::{Answered, Written};
use crate::error::StoreError;
use crate::limits::can_exist;

impl Accounts for Postgres {
    async fn transfer(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        check_transfers(&transfers, command.as_ref())?;
        let change = Change::of_money(&transfers, at, command.as_ref());
        self.write(&change, change.is_possible(None)).await
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
        let change = Change::of_money(&transfers, at, command.as_ref());
        let change = change.unless_changed(account, seen);
        self.write(&change, change.is_possible(None)).await
    }

    async fn balance(&self, account: &Account) -> Result<Amount, StoreError> {
        let account = account.to_string();
        if !can_exist(&account) {
            return Ok(Amount::ZERO);
        }
        let sql = "SELECT balance FROM balances WHERE account = $1";
        let statement = Statement::new(sql).with(account);
        let balance = self.ask_one(statement, |row| rows::amount(row, 0)).await?;
        Ok(balance.unwrap_or_default())
    }

    async fn account_state(&self, account: &Account) -> Result<AccountState, StoreError> {
        let account = account.to_string();
        if !can_exist(&account) {
            return Ok(AccountState::default());
        }
        let sql = "SELECT balance, changes FROM balances WHERE account = $1";
        let state = |row: &Row| {
            Ok(AccountState { balance: rows::amount(row, 0)?, changes: rows::count(row, 1)? })
        };
        Ok(self.ask_one(Statement::new(sql).with(account), state).await?.unwrap_or_default())
    }

    async fn balances(
        &self,
        after: &str,
        most: usize,
    ) -> Result<Vec<(Account, Amount)>, StoreError> {
        let sql = "SELECT account, balance FROM balances
            WHERE account > $1 ORDER BY account LIMIT $2";
        let statement = Statement::new(sql).with(sendable(after)).with(limit(most));
        self.ask_all(statement, |row| Ok((rows::account(row, 0)?, rows::amount(row, 1)?))).await
    }

    async fn transfers(&self, after: &str, most: usize) -> Result<Vec<Transfer>, StoreError> {
        let sql = "SELECT key, from_account, to_account, amount FROM transfers
            WHERE key > $1 ORDER BY key LIMIT $2";
        let statement = Statement::new(sql).with(sendable(after)).with(limit(most));
        self.ask_all(statement, rows::transfer).await
    }
}
