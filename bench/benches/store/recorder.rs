//! A store that writes down what it is asked to write.

use std::sync::{Arc, Mutex};

use croupier_rules::Amount;
use croupier_store::{
    Answered, Append, Choice, CommandKey, Paper, PlayedRound, Player, RoundPlace, RoundRow,
    Standing, Statistic, Store, StoreError, TableRow, Takings, Written,
};
use croupier_table::{Account, Entry, Hash, Time, Transfer};

/// Passes everything on to another store, and keeps the appends that it took, in their order.
pub(crate) struct Recorder<S> {
    pub(crate) store: S,
    pub(crate) taken: Arc<Mutex<Vec<Append>>>,
}

impl<S: Store> Store for Recorder<S> {
    async fn append(&self, append: Append) -> Result<Written, StoreError> {
        let kept = append.clone();
        let written = self.store.append(append).await?;
        if written == Written::Now {
            self.taken.lock().expect("nobody panics here").push(kept);
        }
        Ok(written)
    }

    async fn transfer(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        self.store.transfer(transfers, at, command).await
    }

    async fn answer(&self, key: &CommandKey, body: &Hash) -> Result<Option<String>, StoreError> {
        self.store.answer(key, body).await
    }

    async fn table(&self, table: &str) -> Result<Option<TableRow>, StoreError> {
        self.store.table(table).await
    }

    async fn tables(&self, after: &str, most: usize) -> Result<Vec<TableRow>, StoreError> {
        self.store.tables(after, most).await
    }

    async fn journal(&self, table: &str, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        self.store.journal(table, from, most).await
    }

    async fn claim(&self, now: Time, until: Time, most: usize) -> Result<Vec<String>, StoreError> {
        self.store.claim(now, until, most).await
    }

    async fn transfer_unless_changed(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        account: &Account,
        seen: Standing,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        self.store.transfer_unless_changed(transfers, at, account, seen, command).await
    }

    async fn standing(&self, account: &Account) -> Result<Standing, StoreError> {
        self.store.standing(account).await
    }

    async fn balance(&self, account: &Account) -> Result<Amount, StoreError> {
        self.store.balance(account).await
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

    async fn round(&self, table: &str, round: u64) -> Result<Option<RoundRow>, StoreError> {
        self.store.round(table, round).await
    }

    async fn rounds_of(
        &self,
        player: &str,
        before: &RoundPlace,
        most: usize,
    ) -> Result<Vec<PlayedRound>, StoreError> {
        self.store.rounds_of(player, before, most).await
    }

    async fn add_player(&self, player: Player) -> Result<(), StoreError> {
        self.store.add_player(player).await
    }

    async fn player(&self, name: &str) -> Result<Option<Player>, StoreError> {
        self.store.player(name).await
    }

    async fn set_profile(
        &self,
        name: &str,
        expected: &str,
        profile: &str,
    ) -> Result<bool, StoreError> {
        self.store.set_profile(name, expected, profile).await
    }

    async fn add_choices(&self, choices: Vec<Choice>) -> Result<(), StoreError> {
        self.store.add_choices(choices).await
    }

    async fn mistakes(&self, player: &str, most: usize) -> Result<Vec<Choice>, StoreError> {
        self.store.mistakes(player, most).await
    }

    async fn statistics(&self, player: &str) -> Result<Vec<Statistic>, StoreError> {
        self.store.statistics(player).await
    }

    async fn versions(&self, tables: Vec<String>) -> Result<Vec<(String, u64)>, StoreError> {
        self.store.versions(tables).await
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

    async fn remove_player(&self, name: &str) -> Result<bool, StoreError> {
        self.store.remove_player(name).await
    }

    async fn forget_choices(&self, player: &str) -> Result<u64, StoreError> {
        self.store.forget_choices(player).await
    }

    async fn paper(&self, drawer: &str, key: &str) -> Result<Option<Paper>, StoreError> {
        self.store.paper(drawer, key).await
    }

    async fn file_all(&self, papers: Vec<Paper>) -> Result<(), StoreError> {
        self.store.file_all(papers).await
    }

    async fn discard(&self, drawer: &str, key: &str) -> Result<bool, StoreError> {
        self.store.discard(drawer, key).await
    }

    async fn papers(
        &self,
        drawer: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<Paper>, StoreError> {
        self.store.papers(drawer, after, most).await
    }

    async fn papers_of(
        &self,
        drawer: &str,
        owner: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<Paper>, StoreError> {
        self.store.papers_of(drawer, owner, after, most).await
    }

    async fn discard_of(&self, drawer: &str, owner: &str) -> Result<u64, StoreError> {
        self.store.discard_of(drawer, owner).await
    }

    async fn expire(&self, now: Time, most: usize) -> Result<u64, StoreError> {
        self.store.expire(now, most).await
    }

    async fn clock(&self) -> Result<Time, StoreError> {
        self.store.clock().await
    }

    async fn remove_unplayed(&self, table: &str, before: Time) -> Result<bool, StoreError> {
        self.store.remove_unplayed(table, before).await
    }

    async fn size(&self) -> Result<u64, StoreError> {
        self.store.size().await
    }
}
