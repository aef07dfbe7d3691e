//! A store that records its writes.

use std::sync::{Arc, Mutex};

use croupier_rules::Amount;
use croupier_store::{
    AccountState, Accounts, Answered, Append, CommandKey, Journals, PlayedRound, RoundPlace,
    RoundRow, Rounds, Store, StoreError, TableRow, Takings, Written,
};
use croupier_table::{Account, Entry, Hash, Time, Transfer};

/// Forwards everything that a floor and an audit need to another store, and keeps the accepted
/// appends, in order.
pub(crate) struct Recorder<S> {
    pub(crate) store: S,
    pub(crate) taken: Arc<Mutex<Vec<Append>>>,
}

impl<S: Store> Journals for Recorder<S> {
    async fn append(&self, append: Append) -> Result<Written, StoreError> {
        let kept = append.clone();
        let written = self.store.append(append).await?;
        if written == Written::Now {
            self.taken.lock().expect("no thread panicked").push(kept);
        }
        Ok(written)
    }

    async fn table(&self, table: &str) -> Result<Option<TableRow>, StoreError> {
        self.store.table(table).await
    }

    async fn tables(&self, after: &str, most: usize) -> Result<Vec<TableRow>, StoreError> {
        self.store.tables(after, most).await
    }

    async fn versions(&self, tables: Vec<String>) -> Result<Vec<(String, u64)>, StoreError> {
        self.store.versions(tables).await
    }

    async fn journal(&self, table: &str, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        self.store.journal(table, from, most).await
    }

    async fn claim(&self, now: Time, until: Time, most: usize) -> Result<Vec<String>, StoreError> {
        self.store.claim(now, until, most).await
    }

    async fn remove_unplayed(&self, table: &str, before: Time) -> Result<bool, StoreError> {
        self.store.remove_unplayed(table, before).await
    }

    async fn answer(&self, key: &CommandKey, body: &Hash) -> Result<Option<String>, StoreError> {
        self.store.answer(key, body).await
    }
}

impl<S: Store> Accounts for Recorder<S> {
    async fn transfer(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        self.store.transfer(transfers, at, command).await
    }

    async fn transfer_unless_changed(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        account: &Account,
        seen: AccountState,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        self.store.transfer_unless_changed(transfers, at, account, seen, command).await
    }

    async fn balance(&self, account: &Account) -> Result<Amount, StoreError> {
        self.store.balance(account).await
    }

    async fn account_state(&self, account: &Account) -> Result<AccountState, StoreError> {
        self.store.account_state(account).await
    }

    async fn balances(
        &self,
        after: &str,
        most: usize,
    ) -> Result<Vec<(Account, Amount)>, StoreError> {
        self.store.balances(after, most).await
    }

    async fn transfers(&self, after: &str, most: usize) -> Result<Vec<Transfer>, StoreError> {
        self.store.transfers(after, most).await
    }
}

impl<S: Store> Rounds for Recorder<S> {
    async fn round(&self, table: &str, round: u64) -> Result<Option<RoundRow>, StoreError> {
        self.store.round(table, round).await
    }

    async fn rounds_at(
        &self,
        table: &str,
        before: u64,
        most: usize,
    ) -> Result<Vec<RoundRow>, StoreError> {
        self.store.rounds_at(table, before, most).await
    }

    async fn takings(&self, from: Time, to: Time) -> Result<Vec<Takings>, StoreError> {
        self.store.takings(from, to).await
    }

    async fn rounds_of(
        &self,
        player: &str,
        before: &RoundPlace,
        most: usize,
    ) -> Result<Vec<PlayedRound>, StoreError> {
        self.store.rounds_of(player, before, most).await
    }
}
