//! A store that several nodes share, and a macro for wrappers between a node and the store.

use std::sync::Arc;

use croupier_rules::Amount;
use croupier_store::{
    AccountState, Accounts, Answered, Append, CommandKey, Journals, Memory, PlayedRound,
    RoundPlace, RoundRow, Rounds, StoreError, TableRow, Takings, Written,
};
use croupier_table::{Account, Entry, Hash, Time, Transfer};

/// The store itself, as all nodes see it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared(Arc<Memory>);

/// Implements the parts of a store that a floor and the auditor use, for a type that wraps another
/// store: `around!(type, store)`, where `store` is the field. The type overrides behavior with its
/// own methods `on_append`, `on_transfer`, `on_claim` and `on_read`, which runs before everything
/// else.
macro_rules! around {
    ($type:ty, $store:tt) => {
        impl Journals for $type {
            async fn append(&self, append: Append) -> Result<Written, StoreError> {
                self.on_append(append).await
            }

            async fn table(&self, table: &str) -> Result<Option<TableRow>, StoreError> {
                self.on_read()?;
                self.$store.table(table).await
            }

            async fn tables(&self, after: &str, most: usize) -> Result<Vec<TableRow>, StoreError> {
                self.on_read()?;
                self.$store.tables(after, most).await
            }

            async fn versions(
                &self,
                tables: Vec<String>,
            ) -> Result<Vec<(String, u64)>, StoreError> {
                self.on_read()?;
                self.$store.versions(tables).await
            }

            async fn journal(
                &self,
                table: &str,
                from: u64,
                most: usize,
            ) -> Result<Vec<Entry>, StoreError> {
                self.on_read()?;
                self.$store.journal(table, from, most).await
            }

            async fn claim(
                &self,
                now: Time,
                until: Time,
                most: usize,
            ) -> Result<Vec<String>, StoreError> {
                self.on_claim(now, until, most).await
            }

            async fn remove_unplayed(&self, table: &str, before: Time) -> Result<bool, StoreError> {
                self.$store.remove_unplayed(table, before).await
            }

            async fn answer(
                &self,
                key: &CommandKey,
                body: &Hash,
            ) -> Result<Option<String>, StoreError> {
                self.on_read()?;
                self.$store.answer(key, body).await
            }
        }

        impl Accounts for $type {
            async fn transfer(
                &self,
                transfers: Vec<Transfer>,
                at: Time,
                command: Option<Answered>,
            ) -> Result<Written, StoreError> {
                self.on_transfer(transfers, at, command).await
            }

            async fn transfer_unless_changed(
                &self,
                transfers: Vec<Transfer>,
                at: Time,
                account: &Account,
                seen: AccountState,
                command: Option<Answered>,
            ) -> Result<Written, StoreError> {
                self.on_read()?;
                self.$store.transfer_unless_changed(transfers, at, account, seen, command).await
            }

            async fn balance(&self, account: &Account) -> Result<Amount, StoreError> {
                self.on_read()?;
                self.$store.balance(account).await
            }

            async fn account_state(&self, account: &Account) -> Result<AccountState, StoreError> {
                self.on_read()?;
                self.$store.account_state(account).await
            }

            async fn balances(
                &self,
                after: &str,
                most: usize,
            ) -> Result<Vec<(Account, Amount)>, StoreError> {
                self.on_read()?;
                self.$store.balances(after, most).await
            }

            async fn transfers(
                &self,
                after: &str,
                most: usize,
            ) -> Result<Vec<Transfer>, StoreError> {
                self.on_read()?;
                self.$store.transfers(after, most).await
            }
        }

        impl Rounds for $type {
            async fn round(&self, table: &str, round: u64) -> Result<Option<RoundRow>, StoreError> {
                self.on_read()?;
                self.$store.round(table, round).await
            }

            async fn rounds_at(
                &self,
                table: &str,
                before: u64,
                most: usize,
            ) -> Result<Vec<RoundRow>, StoreError> {
                self.on_read()?;
                self.$store.rounds_at(table, before, most).await
            }

            async fn takings(&self, from: Time, to: Time) -> Result<Vec<Takings>, StoreError> {
                self.on_read()?;
                self.$store.takings(from, to).await
            }

            async fn rounds_of(
                &self,
                player: &str,
                before: &RoundPlace,
                most: usize,
            ) -> Result<Vec<PlayedRound>, StoreError> {
                self.$store.rounds_of(player, before, most).await
            }
        }
    };
}

impl Shared {
    async fn on_append(&self, append: Append) -> Result<Written, StoreError> {
        self.0.append(append).await
    }

    async fn on_transfer(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        self.0.transfer(transfers, at, command).await
    }

    async fn on_claim(
        &self,
        now: Time,
        until: Time,
        most: usize,
    ) -> Result<Vec<String>, StoreError> {
        self.0.claim(now, until, most).await
    }

    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "other wrappers may fail")]
    const fn on_read(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

around!(Shared, 0);
