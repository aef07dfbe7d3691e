//! Accounts, and the transfers between them.

use std::future::Future;

use croupier_rules::Amount;
#[cfg(doc)]
use croupier_table::LedgerError;
use croupier_table::{Account, Time, Transfer};

use crate::commands::{Answered, Written};
use crate::error::StoreError;
use crate::limits::check_name;

/// A store of accounts, and of the transfers between them.
pub trait Accounts: Send + Sync + 'static {
    /// Makes transfers that belong to no table: chips issued, or a correction.
    ///
    /// # Errors
    ///
    /// As [`Journals::append`](crate::Journals::append), without the conflict.
    fn transfer(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        command: Option<Answered>,
    ) -> impl Future<Output = Result<Written, StoreError>> + Send;

    /// Makes transfers that belong to no table, if an account that they move has not changed since
    /// the caller [read its state](Self::account_state).
    ///
    /// # Errors
    ///
    /// In this order: [`Unusable`](StoreError::Unusable), when no transfer moves the account;
    /// [`KeyReused`](StoreError::KeyReused); [`LedgerError::Repeated`], as a
    /// [`Ledger`](StoreError::Ledger) error; [`Conflict`](StoreError::Conflict), when the account
    /// has changed; then any other problem with the transfers.
    fn transfer_unless_changed(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        account: &Account,
        seen: AccountState,
        command: Option<Answered>,
    ) -> impl Future<Output = Result<Written, StoreError>> + Send;

    /// Returns an account's balance; zero, if it was never used.
    fn balance(&self, account: &Account)
    -> impl Future<Output = Result<Amount, StoreError>> + Send;

    /// Returns an account's balance, with a number that changes with every transfer.
    fn account_state(
        &self,
        account: &Account,
    ) -> impl Future<Output = Result<AccountState, StoreError>> + Send;

    /// Returns balances in the order of the accounts' names, starting after this one.
    fn balances(
        &self,
        after: &str,
        most: usize,
    ) -> impl Future<Output = Result<Vec<(Account, Amount)>, StoreError>> + Send;

    /// Returns transfers in the order of their keys, starting after this one.
    fn transfers(
        &self,
        after: &str,
        most: usize,
    ) -> impl Future<Output = Result<Vec<Transfer>, StoreError>> + Send;
}

/// An account's balance, and how often it has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccountState {
    /// The balance.
    pub balance: Amount,
    /// A number that grows with every change. Each store counts in its own way.
    pub changes: u64,
}

impl AccountState {
    /// Checks that transfers can depend on the state of an account: one of them moves it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], when none does.
    pub(crate) fn check(transfers: &[Transfer], account: &Account) -> Result<(), StoreError> {
        let moves = |transfer: &Transfer| transfer.from == *account || transfer.to == *account;
        if transfers.iter().any(moves) {
            return Ok(());
        }
        Err(StoreError::Unusable(format!(
            "the transfers depend on the balance of {account}, but none of them changes it"
        )))
    }
}

/// Checks the names in transfers, apart from the ledger's own checks, and the command that they
/// answer.
///
/// # Errors
///
/// [`StoreError::Unusable`], with the problem.
pub(crate) fn check_transfers(
    transfers: &[Transfer],
    command: Option<&Answered>,
) -> Result<(), StoreError> {
    for Transfer { key, from, to, .. } in transfers {
        check_name("a transfer's key", key)?;
        check_name("an account", &from.to_string())?;
        check_name("an account", &to.to_string())?;
    }
    command.map_or(Ok(()), Answered::check)
}

/// Returns the first possible key of a table's transfers, and the end of the range. The keys are
/// `table/round/…`, and the character after `/` is `0`.
pub(crate) fn keys_of_table(table: &str) -> [String; 2] {
    [format!("{table}/"), format!("{table}0")]
}
