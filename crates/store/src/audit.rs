//! Whether what is stored can be true: every journal whole, every balance what its transfers say.

use std::collections::BTreeMap;

use croupier_rules::Amount;
use croupier_table::{Account, Entry, Hash, JournalFault, Transfer, first_hash};

use crate::journal::damaged;
use crate::store::{Store, StoreError};

/// How much is asked for at a time.
const PAGE: usize = 1_000;

/// What an audit counted. Two stores that hold the same have the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// How many tables there are.
    pub tables: u64,
    /// How many entries their journals have together.
    pub entries: u64,
    /// How many accounts were ever used.
    pub accounts: u64,
    /// How many transfers were made between them.
    pub transfers: u64,
    /// The chips that were issued to players, as far as they were not handed in.
    pub issued: Amount,
    /// The fingerprint of all balances and transfers, and of the last hash of every journal.
    pub hash: Hash,
}

/// Audits a store that nobody is writing to.
///
/// Every journal must be whole from its first entry to the version that its table has, every
/// balance what its transfers come to, none below zero that must not be, and all of them together
/// nothing.
///
/// # Errors
///
/// [`StoreError::Damaged`], with the place of the damage, or what keeps the store from being read.
pub async fn audit(store: &impl Store) -> Result<Audit, StoreError> {
    let mut auditor = Auditor::default();
    let mut after = String::new();
    loop {
        let page = store.tables(&after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.table);
        for row in page {
            auditor.head(&row.table, row.version);
            let mut from = 1;
            while from <= row.version {
                let entries = store.journal(&row.table, from, PAGE).await?;
                for entry in &entries {
                    auditor.entry(&row.table, entry)?;
                }
                let Some(last) = entries.last() else { break };
                from = last.version + 1;
            }
        }
    }
    after.clear();
    loop {
        let page = store.balances(&after, PAGE).await?;
        let Some((last, _)) = page.last() else { break };
        after = last.to_string();
        for (account, balance) in &page {
            auditor.balance(account, *balance)?;
        }
    }
    after.clear();
    loop {
        let page = store.transfers(&after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.key);
        for transfer in &page {
            auditor.transfer(transfer);
        }
    }
    auditor.finish()
}

/// An audit in progress.
///
/// It is told of tables, of the entries of each journal in order, of balances and of transfers. It
/// keeps one number for each table and each account.
#[derive(Debug, Default)]
pub(crate) struct Auditor {
    /// The versions of tables whose journals have not been seen to the end.
    heads: BTreeMap<String, u64>,
    /// The journal that is being read: its table, and its last entry.
    journal: Option<(String, u64, Hash)>,
    /// What each account has, less what its transfers come to.
    differences: BTreeMap<Account, i128>,
    sum: i128,
    issued: i128,
    tables: u64,
    entries: u64,
    accounts: u64,
    transfers: u64,
    /// Of journals, of balances, and of transfers.
    fingerprints: [Fingerprint; 3],
}

impl Auditor {
    /// Takes a table, before its entries.
    pub(crate) fn head(&mut self, table: &str, version: u64) {
        self.tables += 1;
        self.heads.insert(table.to_owned(), version);
    }

    /// Takes an entry. Those of one table come one after the other.
    pub(crate) fn entry(&mut self, table: &str, entry: &Entry) -> Result<(), StoreError> {
        self.entries += 1;
        if self.journal.as_ref().is_none_or(|(name, _, _)| name != table) {
            self.close_journal()?;
            self.journal = Some((table.to_owned(), 0, first_hash(table)));
        }
        let Some((_, version, hash)) = &mut self.journal else { return Ok(()) };
        *version += 1;
        if entry.version != *version {
            return Err(damaged(table, *version, JournalFault::Missing));
        }
        if !entry.is_sealed_after(hash) {
            return Err(damaged(table, *version, JournalFault::Altered));
        }
        *hash = entry.hash;
        Ok(())
    }

    fn close_journal(&mut self) -> Result<(), StoreError> {
        let Some((table, version, hash)) = self.journal.take() else { return Ok(()) };
        match self.heads.remove(&table) {
            Some(head) if head == version => {
                let mut line = table.into_bytes();
                line.extend(hash.as_bytes());
                self.fingerprints[0].add(&line);
                Ok(())
            }
            Some(head) if head > version => {
                Err(damaged(&table, version + 1, JournalFault::Missing))
            }
            head => Err(StoreError::Damaged(format!(
                "the journal of table {table} has {version} entries, and the table knows of {}",
                head.unwrap_or(0)
            ))),
        }
    }

    /// Takes a balance, in the order of the accounts' names.
    pub(crate) fn balance(&mut self, account: &Account, balance: Amount) -> Result<(), StoreError> {
        self.accounts += 1;
        if balance < Amount::ZERO && !account.may_owe() {
            return Err(StoreError::Damaged(format!("{account} has {balance}, and must not owe")));
        }
        let cents = i128::from(balance.as_cents());
        *self.differences.entry(account.clone()).or_default() += cents;
        self.sum += cents;
        if matches!(account, Account::Issue(_)) {
            self.issued -= cents;
        }
        self.fingerprints[1].add(format!("{cents} {account}").as_bytes());
        Ok(())
    }

    /// Takes a transfer, in the order of their keys.
    pub(crate) fn transfer(&mut self, transfer: &Transfer) {
        self.transfers += 1;
        let Transfer { key, from, to, amount } = transfer;
        let cents = i128::from(amount.as_cents());
        *self.differences.entry(from.clone()).or_default() += cents;
        *self.differences.entry(to.clone()).or_default() -= cents;
        for part in [key, &from.to_string(), &to.to_string(), &cents.to_string()] {
            self.fingerprints[2].add(part.as_bytes());
        }
    }

    /// Returns what was counted, if all of it fits together.
    pub(crate) fn finish(mut self) -> Result<Audit, StoreError> {
        self.close_journal()?;
        if let Some((table, _)) = self.heads.first_key_value() {
            return Err(damaged(table, 1, JournalFault::Missing));
        }
        if let Some((account, difference)) = self.differences.iter().find(|(_, more)| **more != 0) {
            return Err(StoreError::Damaged(format!(
                "{account} has {difference} cents more than its transfers come to"
            )));
        }
        if self.sum != 0 {
            let why = format!("all balances together are {} cents, not nothing", self.sum);
            return Err(StoreError::Damaged(why));
        }
        let issued = i64::try_from(self.issued).map_err(|_| {
            StoreError::Damaged("more chips were issued than can be counted".to_owned())
        })?;
        let mut whole = Fingerprint::default();
        for part in &self.fingerprints {
            whole.add(part.0.as_bytes());
        }
        let Self { tables, entries, accounts, transfers, .. } = self;
        let issued = Amount::cents(issued);
        Ok(Audit { tables, entries, accounts, transfers, issued, hash: whole.0 })
    }
}

/// A fingerprint of one thing after another.
#[derive(Debug)]
pub(crate) struct Fingerprint(pub(crate) Hash);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(Hash::of(b"croupier audit"))
    }
}

impl Fingerprint {
    /// Goes on with this. What came before has a fixed length, so that no two lists are the same.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0 = Hash::of(&[self.0.as_bytes().as_slice(), bytes].concat());
    }
}

#[cfg(test)]
mod tests {
    use croupier_table::Time;

    use super::*;

    fn entries(table: &str, count: u64) -> Vec<Entry> {
        let mut before = first_hash(table);
        let mut entries = Vec::new();
        for version in 1..=count {
            let entry = Entry::seal(&before, version, Time::from_millis(1), "{}".to_owned());
            before = entry.hash;
            entries.push(entry);
        }
        entries
    }

    fn player(name: &str) -> Account {
        Account::Player(name.to_owned())
    }

    fn found(audit: impl FnOnce(&mut Auditor) -> Result<(), StoreError>) -> String {
        let mut auditor = Auditor::default();
        let result = audit(&mut auditor).and_then(|()| auditor.finish());
        result.expect_err("something is wrong").to_string()
    }

    #[test]
    fn a_journal_that_does_not_fit_its_table_is_found() {
        let error = found(|auditor| {
            auditor.head("blue", 3);
            entries("blue", 2).iter().try_for_each(|entry| auditor.entry("blue", entry))
        });
        assert!(
            error.ends_with("table blue is damaged at entry 3: the entry is missing"),
            "{error}"
        );
        let error = found(|auditor| {
            auditor.head("blue", 1);
            entries("blue", 2).iter().try_for_each(|entry| auditor.entry("blue", entry))
        });
        assert!(error.contains("has 2 entries, and the table knows of 1"), "{error}");
        let error = found(|auditor| auditor.entry("blue", &entries("blue", 1)[0]));
        assert!(error.contains("has 1 entries, and the table knows of 0"), "{error}");
        let error = found(|auditor| auditor.entry("blue", &entries("red", 1)[0]));
        assert!(error.contains("altered"), "{error}");
        let error = found(|auditor| {
            auditor.head("blue", 1);
            Ok(())
        });
        assert!(error.contains("damaged at entry 1: the entry is missing"), "{error}");
    }

    #[test]
    fn money_that_came_from_nowhere_is_found() {
        let error = found(|auditor| auditor.balance(&player("ann"), Amount::cents(5)));
        assert!(error.contains("player:ann has 5 cents more than its transfers"), "{error}");
        let error = found(|auditor| auditor.balance(&player("ann"), Amount::cents(-5)));
        assert!(error.contains("player:ann has -$0.05, and must not owe"), "{error}");
        let error = found(|auditor| {
            let issue = Account::Issue("ann".to_owned());
            auditor.transfer(&Transfer {
                key: "1".to_owned(),
                from: issue.clone(),
                to: player("ann"),
                amount: Amount::cents(7),
            });
            auditor.balance(&issue, Amount::cents(-7))
        });
        assert!(error.contains("player:ann has -7 cents more"), "{error}");
    }
}
