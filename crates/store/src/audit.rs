//! Checks that the stored data is consistent: every journal whole and valid, every balance equal to
//! the sum of its transfers, and everything else as the journals say.

mod implied;

use std::collections::BTreeMap;

use croupier_rules::Amount;
use croupier_table::{Account, Entry, Hash, JournalFault, Transfer, first_hash};

use crate::accounts::Accounts;
use crate::error::StoreError;
use crate::journals::{Journals, TableRow, damaged};
use crate::rounds::{RoundRow, Rounds};
use implied::{Implied, Reading};

/// How many rows are requested at a time.
const PAGE: usize = 1_000;

/// The totals of an audit. Two stores with the same contents have the same totals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// The number of tables.
    pub tables: u64,
    /// The number of entries in their journals.
    pub entries: u64,
    /// The number of accounts that were ever used.
    pub accounts: u64,
    /// The number of transfers between them.
    pub transfers: u64,
    /// The chips that were issued to players, minus those that were handed in.
    pub issued: Amount,
    /// The fingerprint of all balances and transfers, and of the last hash of every journal.
    pub hash: Hash,
}

/// Audits a store that is not being written to.
///
/// Every journal must be whole from its first entry to its table's version, and must replay. The
/// table's row, its finished rounds and its transfers must match the journal, and no other transfer
/// may move a table's money. Every balance must equal the sum of its transfers, none may be below
/// zero that must not be, and all of them must add up to zero.
///
/// # Errors
///
/// [`StoreError::Damaged`], with the place of the damage, or the error that keeps the store from
/// being read.
pub async fn audit(store: &(impl Journals + Accounts + Rounds)) -> Result<Audit, StoreError> {
    let mut auditor = Auditor::default();
    let mut after = String::new();
    loop {
        let page = store.tables(&after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.table);
        for row in page {
            let (table, version) = (row.table.clone(), row.version);
            auditor.head(row);
            let mut from = 1;
            while from <= version {
                let entries = store.journal(&table, from, PAGE).await?;
                for entry in &entries {
                    auditor.entry(&table, entry)?;
                }
                let Some(last) = entries.last() else { break };
                from = last.version + 1;
            }
        }
    }
    for (table, rounds) in auditor.rounds()? {
        for round in 1..=rounds {
            if let Some(row) = store.round(&table, round).await? {
                auditor.round_row(&row)?;
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
            auditor.transfer(transfer)?;
        }
    }
    auditor.finish()
}

/// An audit in progress.
///
/// It takes tables, then the entries of each journal in order, then everything else. It keeps a
/// number for each account and two for each round, and of the current journal only the entries
/// after its last checkpoint.
#[derive(Debug, Default)]
pub(crate) struct Auditor {
    /// The tables whose journals have not begun.
    heads: BTreeMap<String, TableRow>,
    /// The journal that is being read.
    journal: Option<Journal>,
    implied: Implied,
    /// Each account's balance, minus the sum of its transfers.
    differences: BTreeMap<Account, i128>,
    issued: i128,
    tables: u64,
    entries: u64,
    accounts: u64,
    transfers: u64,
    /// Of journals, of balances, and of transfers.
    fingerprints: [Fingerprint; 3],
}

/// A journal in progress: its table, if that is known, and the last entry.
#[derive(Debug)]
struct Journal {
    table: String,
    /// The table's version.
    head: u64,
    version: u64,
    hash: Hash,
    reading: Option<Reading>,
}

/// A stored round: a row of `rounds`.
#[derive(Debug)]
pub(crate) struct RoundLine<'a> {
    pub(crate) table: &'a str,
    pub(crate) round: u64,
    pub(crate) version: u64,
    pub(crate) house: &'a str,
    pub(crate) void: bool,
}

/// A stored seat of a round: a row of `round_seats`.
#[derive(Debug)]
pub(crate) struct SeatLine<'a> {
    pub(crate) table: &'a str,
    pub(crate) round: u64,
    pub(crate) seat: u64,
    pub(crate) player: &'a str,
    pub(crate) banked: bool,
    pub(crate) ante: i64,
    pub(crate) bonus: i64,
    pub(crate) staked: i64,
    pub(crate) net: i64,
}

impl Auditor {
    /// Takes a table, before its entries.
    pub(crate) fn head(&mut self, row: TableRow) {
        self.tables += 1;
        self.heads.insert(row.table.clone(), row);
    }

    /// Takes an entry. Those of one table must be consecutive.
    pub(crate) fn entry(&mut self, table: &str, entry: &Entry) -> Result<(), StoreError> {
        self.entries += 1;
        if self.journal.as_ref().is_none_or(|journal| journal.table != table) {
            self.close_journal()?;
            let row = self.heads.remove(table);
            self.journal = Some(Journal {
                table: table.to_owned(),
                head: row.as_ref().map_or(0, |row| row.version),
                version: 0,
                hash: first_hash(table),
                reading: row.map(Reading::new),
            });
        }
        let Some(Journal { version, hash, reading, .. }) = &mut self.journal else {
            return Ok(());
        };
        *version += 1;
        if entry.version != *version {
            return Err(damaged(table, *version, JournalFault::Missing));
        }
        if !entry.is_sealed_after(hash) {
            return Err(damaged(table, *version, JournalFault::Altered));
        }
        *hash = entry.hash;
        reading.as_mut().map_or(Ok(()), |reading| self.implied.entry(reading, entry))
    }

    fn close_journal(&mut self) -> Result<(), StoreError> {
        let Some(journal) = self.journal.take() else { return Ok(()) };
        let Journal { table, head, version, hash, reading } = journal;
        if head > version {
            return Err(damaged(&table, version + 1, JournalFault::Missing));
        }
        let Some(reading) = reading.filter(|_| head == version) else {
            let entries = if version == 1 { "entry" } else { "entries" };
            return Err(StoreError::Damaged(format!(
                "the journal of table {table} has {version} {entries}, but the table's version is \
                 {head}"
            )));
        };
        self.implied.close(reading)?;
        let mut line = table.into_bytes();
        line.extend(hash.as_bytes());
        self.fingerprints[0].add(&line);
        Ok(())
    }

    /// Returns the tables whose journals were read, with the number of each one's last round.
    fn rounds(&mut self) -> Result<Vec<(String, u64)>, StoreError> {
        self.close_journal()?;
        Ok(self.implied.rounds().map(|(table, rounds)| (table.to_owned(), rounds)).collect())
    }

    fn round_row(&mut self, row: &RoundRow) -> Result<(), StoreError> {
        let RoundRow { table, round, version, house, void, seats, .. } = row;
        let (round, version, void) = (*round, *version, *void);
        self.round(&RoundLine { table, round, version, house, void })?;
        for seat in seats {
            self.seat(&SeatLine {
                table,
                round,
                seat: seat.seat.into(),
                player: &seat.player,
                banked: seat.banked,
                ante: seat.ante.as_cents(),
                bonus: seat.bonus.as_cents(),
                staked: seat.staked.as_cents(),
                net: seat.net.as_cents(),
            })?;
        }
        Ok(())
    }

    /// Takes a stored round, after all journals.
    pub(crate) fn round(&mut self, line: &RoundLine<'_>) -> Result<(), StoreError> {
        self.close_journal()?;
        self.implied.stored_round(line)
    }

    /// Takes a stored seat of a round, after all journals.
    pub(crate) fn seat(&mut self, line: &SeatLine<'_>) -> Result<(), StoreError> {
        self.close_journal()?;
        self.implied.stored_seat(line)
    }

    /// Takes a balance, in the order of the accounts' names.
    pub(crate) fn balance(&mut self, account: &Account, balance: Amount) -> Result<(), StoreError> {
        self.accounts += 1;
        if balance < Amount::ZERO && !account.may_owe() {
            return Err(StoreError::Damaged(format!("{account} has {balance}, but must not owe")));
        }
        let cents = i128::from(balance.as_cents());
        *self.differences.entry(account.clone()).or_default() += cents;
        if matches!(account, Account::Issue(_)) {
            self.issued -= cents;
        }
        self.fingerprints[1].add(format!("{cents} {account}").as_bytes());
        Ok(())
    }

    /// Takes a transfer, in the order of their keys and after all journals.
    pub(crate) fn transfer(&mut self, transfer: &Transfer) -> Result<(), StoreError> {
        self.close_journal()?;
        self.implied.transfer(transfer)?;
        self.transfers += 1;
        let Transfer { key, from, to, amount } = transfer;
        let cents = i128::from(amount.as_cents());
        *self.differences.entry(from.clone()).or_default() += cents;
        *self.differences.entry(to.clone()).or_default() -= cents;
        for part in [key, &from.to_string(), &to.to_string(), &cents.to_string()] {
            self.fingerprints[2].add(part.as_bytes());
        }
        Ok(())
    }

    /// Returns the totals, if the data is consistent.
    pub(crate) fn finish(mut self) -> Result<Audit, StoreError> {
        self.close_journal()?;
        if let Some((table, _)) = self.heads.first_key_value() {
            return Err(damaged(table, 1, JournalFault::Missing));
        }
        self.implied.finish()?;
        // A transfer adds to one account what it takes from another. If every balance equals the
        // sum of its transfers, all of them add up to zero.
        if let Some((account, difference)) = self.differences.iter().find(|(_, more)| **more != 0) {
            let more = if *difference > 0 { "more" } else { "less" };
            let difference = dollars(difference.abs());
            return Err(StoreError::Damaged(format!(
                "{account} has {difference} {more} than the sum of its transfers"
            )));
        }
        let issued = i64::try_from(self.issued).map_err(|_| {
            StoreError::Damaged("the amount of issued chips is out of range".to_owned())
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

fn dollars(cents: i128) -> String {
    i64::try_from(cents)
        .map_or_else(|_| format!("{cents} cents"), |cents| Amount::cents(cents).to_string())
}

/// A running fingerprint of a list.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint(pub(crate) Hash);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(Hash::of(b"croupier audit"))
    }
}

impl Fingerprint {
    /// Adds an item. The hash so far has a fixed length, so no two lists have the same input.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0 = Hash::of(&[self.0.as_bytes().as_slice(), bytes].concat());
    }
}

#[cfg(test)]
mod tests {
    use croupier_table::{Event, Time};

    use super::*;

    fn entries(table: &str, count: u64) -> Vec<Entry> {
        let mut before = first_hash(table);
        let mut entries = Vec::new();
        for version in 1..=count {
            let body = Event::Resumed.body();
            let entry = Entry::seal(&before, version, Time::from_millis(1), body);
            before = entry.hash;
            entries.push(entry);
        }
        entries
    }

    fn row(table: &str, version: u64) -> TableRow {
        let (table, house) = (table.to_owned(), "uth-standard".to_owned());
        TableRow { table, house, version, checkpoint: 0, deadline: None, closed: false }
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
    fn a_journal_that_contradicts_its_table_is_found() {
        let error = found(|auditor| {
            auditor.head(row("blue", 3));
            entries("blue", 2).iter().try_for_each(|entry| auditor.entry("blue", entry))
        });
        assert!(
            error.ends_with("table blue is damaged at entry 3: the entry is missing"),
            "{error}"
        );
        let error = found(|auditor| {
            auditor.head(row("blue", 1));
            entries("blue", 2).iter().try_for_each(|entry| auditor.entry("blue", entry))
        });
        assert!(error.contains("has 2 entries, but the table's version is 1"), "{error}");
        let error = found(|auditor| auditor.entry("blue", &entries("blue", 1)[0]));
        assert!(error.contains("has 1 entry, but the table's version is 0"), "{error}");
        let error = found(|auditor| auditor.entry("blue", &entries("red", 1)[0]));
        assert!(error.contains("altered"), "{error}");
        let error = found(|auditor| {
            auditor.head(row("blue", 1));
            Ok(())
        });
        assert!(error.contains("damaged at entry 1: the entry is missing"), "{error}");
    }

    #[test]
    fn an_account_that_must_not_owe_may_be_empty() {
        let mut auditor = Auditor::default();
        assert_eq!(auditor.balance(&player("ann"), Amount::ZERO), Ok(()));
        assert_eq!(auditor.finish().map(|found| found.accounts), Ok(1));
    }

    #[test]
    fn money_that_came_from_nowhere_is_found() {
        let error = found(|auditor| auditor.balance(&player("ann"), Amount::cents(5)));
        assert!(
            error.contains("player:ann has $0.05 more than the sum of its transfers"),
            "{error}"
        );
        let error = found(|auditor| auditor.balance(&player("ann"), Amount::cents(-5)));
        assert!(error.contains("player:ann has -$0.05, but must not owe"), "{error}");
        let error = found(|auditor| {
            let issue = Account::Issue("ann".to_owned());
            auditor.transfer(&Transfer {
                key: "1".to_owned(),
                from: issue.clone(),
                to: player("ann"),
                amount: Amount::cents(7),
            })?;
            auditor.balance(&issue, Amount::cents(-7))
        });
        assert!(error.contains("player:ann has $0.07 less than"), "{error}");
    }
}
