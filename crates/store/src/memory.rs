//! A store that keeps nothing after it is dropped, and is simple enough to be obviously correct.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use croupier_rules::Amount;
use croupier_table::{
    Account, Entry, Hash, JournalFault, Ledger, LedgerError, Time, Transfer, first_hash,
};

use crate::accounts::{AccountState, Accounts, check_transfers, keys_of_table};
use crate::commands::{Answered, CommandKey, Written};
use crate::documents::{DocumentRow, Documents};
use crate::error::StoreError;
use crate::journals::{Append, Journals, TableRow, damaged};
use crate::people::{People, Player, check_profiles};
use crate::rounds::{PlayedRound, RoundPlace, RoundRow, Rounds, Takings};
use crate::status::{Status, system_time};
use crate::takings::Sums;

/// A store in memory: for tests, for temporary tables, and as the reference for the other stores.
///
/// ```
/// use croupier_store::{Journals, Memory};
///
/// let store = Memory::default();
/// # let _ = |store: Memory| async move {
/// assert_eq!(store.table("table-7").await, Ok(None));
/// # };
/// ```
#[derive(Debug, Default)]
pub struct Memory(Mutex<Kept>);

/// All stored data.
#[derive(Debug, Default)]
struct Kept {
    ledger: Ledger,
    /// How often each account has changed.
    changes: BTreeMap<Account, u64>,
    transfers: BTreeMap<String, Transfer>,
    answers: BTreeMap<CommandKey, (Hash, String)>,
    tables: BTreeMap<String, KeptTable>,
    players: BTreeMap<String, Player>,
    /// By collection and key.
    documents: BTreeMap<(String, String), DocumentRow>,
}

#[derive(Debug)]
struct KeptTable {
    row: TableRow,
    /// When its claim expires.
    claimed: Time,
    journal: Vec<Entry>,
    rounds: BTreeMap<u64, RoundRow>,
}

impl Memory {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Everything that can fail comes before the first change, so a panic leaves nothing half
        // done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Returns a command's earlier answer.
    fn answer(&self, key: &CommandKey, body: &Hash) -> Result<Option<String>, StoreError> {
        match self.answers.get(key) {
            Some((known, _)) if known != body => Err(StoreError::KeyReused),
            Some((_, answer)) => Ok(Some(answer.clone())),
            None => Ok(None),
        }
    }

    fn answer_of(&self, command: Option<&Answered>) -> Result<Option<String>, StoreError> {
        command.map_or(Ok(None), |Answered { key, body, .. }| self.answer(key, body))
    }

    fn post(&mut self, transfers: Vec<Transfer>) -> Result<(), StoreError> {
        self.ledger.post(&transfers).map_err(StoreError::Ledger)?;
        let moved: BTreeSet<&Account> =
            transfers.iter().flat_map(|transfer| [&transfer.from, &transfer.to]).collect();
        for account in moved {
            *self.changes.entry(account.clone()).or_default() += 1;
        }
        let with_key = |transfer: Transfer| (transfer.key.clone(), transfer);
        self.transfers.extend(transfers.into_iter().map(with_key));
        Ok(())
    }

    fn account_state(&self, account: &Account) -> AccountState {
        let changes = self.changes.get(account).copied().unwrap_or_default();
        AccountState { balance: self.ledger.balance(account), changes }
    }

    /// Makes transfers, if an account has not changed.
    fn post_unless_changed(
        &mut self,
        transfers: Vec<Transfer>,
        account: &Account,
        seen: AccountState,
    ) -> Result<(), StoreError> {
        let mut keys = BTreeSet::new();
        for Transfer { key, .. } in &transfers {
            if !keys.insert(key) || self.transfers.contains_key(key) {
                let key = key.clone();
                return Err(StoreError::Ledger(LedgerError::Repeated { key }));
            }
        }
        if self.account_state(account).changes != seen.changes {
            return Err(StoreError::Conflict);
        }
        self.post(transfers)
    }

    fn remember(&mut self, command: Option<Answered>) {
        if let Some(Answered { key, body, answer }) = command {
            self.answers.insert(key, (body, answer));
        }
    }

    fn append(&mut self, append: Append) -> Result<Written, StoreError> {
        append.check()?;
        if let Some(answer) = self.answer_of(append.command.as_ref())? {
            return Ok(Written::Repeated(answer));
        }
        let Append { table, expected, entries, transfers, .. } = append;
        let known = self.tables.get(&table);
        if known.map_or(0, |known| known.row.version) != expected {
            return Err(StoreError::Conflict);
        }
        let last = known.and_then(|known| known.journal.last());
        let previous = last.map_or_else(|| first_hash(&table), |entry| entry.hash);
        if !entries[0].is_sealed_after(&previous) {
            return Err(damaged(&table, entries[0].version, JournalFault::Altered));
        }
        for round in &append.rounds {
            if known.is_some_and(|known| known.rounds.contains_key(&round.round)) {
                return Err(round.repeated());
            }
        }
        self.post(transfers)?;

        let known = self.tables.entry(table.clone()).or_insert_with(|| {
            let house = append.opens.unwrap_or_default();
            let (deadline, closed) = (None, false);
            let row = TableRow { table, house, version: 0, checkpoint: 0, deadline, closed };
            let (claimed, journal, rounds) = (Time::default(), Vec::new(), BTreeMap::new());
            KeptTable { row, claimed, journal, rounds }
        });
        known.row.version += entries.len() as u64;
        known.row.checkpoint = append.checkpoint.unwrap_or(known.row.checkpoint);
        known.row.deadline = append.deadline;
        known.row.closed = append.closes;
        known.claimed = Time::default();
        known.journal.extend(entries);
        for mut round in append.rounds {
            round.seats.sort_by_key(|seat| seat.seat);
            known.rounds.insert(round.round, round);
        }
        self.remember(append.command);
        Ok(Written::Now)
    }

    /// Returns the size of all texts in bytes.
    fn size(&self) -> usize {
        let entries = self.tables.values().flat_map(|known| &known.journal);
        let rounds = self.tables.values().flat_map(|known| known.rounds.values());
        let seats = rounds.flat_map(|round| &round.seats);
        let transfer = |transfer: &Transfer| {
            let accounts = [&transfer.from, &transfer.to].map(|account| account.to_string().len());
            transfer.key.len() + accounts[0] + accounts[1] + size_of::<Amount>()
        };
        let document = |document: &DocumentRow| {
            let DocumentRow { collection, key, owner, text, .. } = document;
            collection.len() + key.len() + owner.len() + text.len()
        };
        let answer = |(key, (hash, text)): (&CommandKey, &(Hash, String))| {
            key.sender.len() + key.key.len() + size_of_val(hash) + text.len()
        };
        let player = |player: &Player| player.name.len() + player.profile.len();
        entries.map(|entry| entry.body.len() + size_of::<Entry>()).sum::<usize>()
            + seats.map(|seat| seat.player.len() + size_of::<RoundRow>()).sum::<usize>()
            + self.transfers.values().map(transfer).sum::<usize>()
            + self.answers.iter().map(answer).sum::<usize>()
            + self.players.values().map(player).sum::<usize>()
            + self.documents.values().map(document).sum::<usize>()
    }

    fn put_all(&mut self, documents: Vec<DocumentRow>) -> Result<(), StoreError> {
        let place = |document: &DocumentRow| (document.collection.clone(), document.key.clone());
        for document in &documents {
            let found = self.documents.get(&place(document));
            document.may_replace(found.map(|found| found.revision))?;
        }
        for mut document in documents {
            document.revision += 1;
            self.documents.insert(place(&document), document);
        }
        Ok(())
    }

    /// Returns the documents of a collection, starting after this key.
    fn collection(&self, collection: &str, after: &str) -> impl Iterator<Item = &DocumentRow> {
        let after = Bound::Excluded((collection.to_owned(), after.to_owned()));
        let rest = self.documents.range((after, Bound::Unbounded)).map(|(_, document)| document);
        rest.take_while(move |document| document.collection == collection)
    }
}

impl Journals for Memory {
    async fn append(&self, append: Append) -> Result<Written, StoreError> {
        self.lock().append(append)
    }

    async fn table(&self, table: &str) -> Result<Option<TableRow>, StoreError> {
        Ok(self.lock().tables.get(table).map(|known| known.row.clone()))
    }

    async fn tables(&self, after: &str, most: usize) -> Result<Vec<TableRow>, StoreError> {
        let kept = self.lock();
        let rest = kept.tables.range::<str, _>((Bound::Excluded(after), Bound::Unbounded));
        Ok(rest.take(most).map(|(_, known)| known.row.clone()).collect())
    }

    async fn versions(&self, tables: Vec<String>) -> Result<Vec<(String, u64)>, StoreError> {
        let kept = self.lock();
        let names: BTreeSet<String> = tables.into_iter().collect();
        let found = |name: String| {
            let version = kept.tables.get(&name)?.row.version;
            Some((name, version))
        };
        Ok(names.into_iter().filter_map(found).collect())
    }

    async fn journal(&self, table: &str, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        let kept = self.lock();
        let entries = kept.tables.get(table).map_or(&[][..], |known| &known.journal);
        // Versions begin at 1 and have no gaps.
        let before = usize::try_from(from.saturating_sub(1)).unwrap_or(usize::MAX);
        Ok(entries.iter().skip(before).take(most).cloned().collect())
    }

    async fn claim(&self, now: Time, until: Time, most: usize) -> Result<Vec<String>, StoreError> {
        let mut kept = self.lock();
        let is_due = |known: &&mut KeptTable| {
            let has_come = known.row.deadline.is_some_and(|deadline| deadline <= now);
            has_come && known.claimed <= now && !known.row.closed
        };
        let mut due: Vec<_> = kept.tables.values_mut().filter(is_due).collect();
        // The sort is stable: equal deadlines stay in the order of the names.
        due.sort_by_key(|known| known.row.deadline);
        due.truncate(most);
        for known in &mut due {
            known.claimed = until;
        }
        Ok(due.into_iter().map(|known| known.row.table.clone()).collect())
    }

    async fn remove_unplayed(&self, table: &str, before: Time) -> Result<bool, StoreError> {
        let mut kept = self.lock();
        let Some(known) = kept.tables.get(table) else { return Ok(false) };
        let [first, end] = keys_of_table(table);
        let has_moved_money = kept.transfers.range(first..end).next().is_some();
        let is_old = known.journal.last().is_none_or(|last| last.at <= before);
        let is_gone = known.row.closed && known.rounds.is_empty() && is_old && !has_moved_money;
        if is_gone {
            kept.tables.remove(table);
        }
        Ok(is_gone)
    }

    async fn answer(&self, key: &CommandKey, body: &Hash) -> Result<Option<String>, StoreError> {
        key.check()?;
        self.lock().answer(key, body)
    }
}

impl Accounts for Memory {
    async fn transfer(
        &self,
        transfers: Vec<Transfer>,
        _at: Time,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        check_transfers(&transfers, command.as_ref())?;
        let mut kept = self.lock();
        if let Some(answer) = kept.answer_of(command.as_ref())? {
            return Ok(Written::Repeated(answer));
        }
        kept.post(transfers)?;
        kept.remember(command);
        Ok(Written::Now)
    }

    async fn transfer_unless_changed(
        &self,
        transfers: Vec<Transfer>,
        _at: Time,
        account: &Account,
        seen: AccountState,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        check_transfers(&transfers, command.as_ref())?;
        AccountState::check(&transfers, account)?;
        let mut kept = self.lock();
        if let Some(answer) = kept.answer_of(command.as_ref())? {
            return Ok(Written::Repeated(answer));
        }
        kept.post_unless_changed(transfers, account, seen)?;
        kept.remember(command);
        Ok(Written::Now)
    }

    async fn balance(&self, account: &Account) -> Result<Amount, StoreError> {
        Ok(self.lock().ledger.balance(account))
    }

    async fn account_state(&self, account: &Account) -> Result<AccountState, StoreError> {
        Ok(self.lock().account_state(account))
    }

    async fn balances(
        &self,
        after: &str,
        most: usize,
    ) -> Result<Vec<(Account, Amount)>, StoreError> {
        let kept = self.lock();
        let named = |(account, amount): (&Account, Amount)| {
            (account.to_string(), (account.clone(), amount))
        };
        let by_name: BTreeMap<_, _> = kept.ledger.balances().map(named).collect();
        let rest = by_name.range::<str, _>((Bound::Excluded(after), Bound::Unbounded));
        Ok(rest.take(most).map(|(_, row)| row.clone()).collect())
    }

    async fn transfers(&self, after: &str, most: usize) -> Result<Vec<Transfer>, StoreError> {
        let kept = self.lock();
        let rest = kept.transfers.range::<str, _>((Bound::Excluded(after), Bound::Unbounded));
        Ok(rest.take(most).map(|(_, transfer)| transfer.clone()).collect())
    }
}

impl Rounds for Memory {
    async fn round(&self, table: &str, round: u64) -> Result<Option<RoundRow>, StoreError> {
        let kept = self.lock();
        Ok(kept.tables.get(table).and_then(|known| known.rounds.get(&round).cloned()))
    }

    async fn rounds_at(
        &self,
        table: &str,
        before: u64,
        most: usize,
    ) -> Result<Vec<RoundRow>, StoreError> {
        let kept = self.lock();
        let Some(known) = kept.tables.get(table) else { return Ok(Vec::new()) };
        let rounds = known.rounds.range(..before).rev();
        Ok(rounds.take(most).map(|(_, round)| round.clone()).collect())
    }

    async fn takings(&self, from: Time, to: Time) -> Result<Vec<Takings>, StoreError> {
        let kept = self.lock();
        let mut sums = Sums::default();
        for round in kept.tables.values().flat_map(|known| known.rounds.values()) {
            if from <= round.at && round.at < to {
                sums.round(&round.table, &round.house, round.void);
                for seat in round.seats.iter().filter(|seat| !seat.banked && !round.void) {
                    sums.hand(&round.table, &round.house, seat);
                }
            }
        }
        Ok(sums.takings())
    }

    async fn rounds_of(
        &self,
        player: &str,
        before: &RoundPlace,
        most: usize,
    ) -> Result<Vec<PlayedRound>, StoreError> {
        let kept = self.lock();
        let mut history = Vec::new();
        for round in kept.tables.values().flat_map(|known| known.rounds.values()) {
            for seat in round.seats.iter().filter(|seat| seat.player == player) {
                let (at, table) = (round.at, round.table.clone());
                let place = RoundPlace { at, table, round: round.round, seat: seat.seat };
                let (seat, house) = (seat.clone(), round.house.clone());
                history.push(PlayedRound { place, seat, house, void: round.void });
            }
        }
        history.retain(|round| round.place < *before);
        history.sort_by(|one, other| other.place.cmp(&one.place));
        history.truncate(most);
        Ok(history)
    }
}

impl People for Memory {
    async fn add_player(&self, player: Player) -> Result<(), StoreError> {
        player.check()?;
        let mut kept = self.lock();
        if kept.players.contains_key(&player.name) {
            return Err(StoreError::Taken);
        }
        kept.players.insert(player.name.clone(), player);
        Ok(())
    }

    async fn player(&self, name: &str) -> Result<Option<Player>, StoreError> {
        Ok(self.lock().players.get(name).cloned())
    }

    async fn set_profile(
        &self,
        name: &str,
        expected: &str,
        profile: &str,
    ) -> Result<bool, StoreError> {
        check_profiles(expected, profile)?;
        let mut kept = self.lock();
        let Some(player) = kept.players.get_mut(name) else { return Ok(false) };
        if player.profile != expected {
            return Err(StoreError::Conflict);
        }
        profile.clone_into(&mut player.profile);
        Ok(true)
    }

    async fn remove_player(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.lock().players.remove(name).is_some())
    }
}

impl Documents for Memory {
    async fn document(
        &self,
        collection: &str,
        key: &str,
    ) -> Result<Option<DocumentRow>, StoreError> {
        Ok(self.lock().documents.get(&(collection.to_owned(), key.to_owned())).cloned())
    }

    async fn documents(
        &self,
        collection: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<DocumentRow>, StoreError> {
        Ok(self.lock().collection(collection, after).take(most).cloned().collect())
    }

    async fn documents_of(
        &self,
        collection: &str,
        owner: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<DocumentRow>, StoreError> {
        let kept = self.lock();
        let own = kept.collection(collection, after).filter(|document| document.owner == owner);
        Ok(own.take(most).cloned().collect())
    }

    async fn put_all(&self, documents: Vec<DocumentRow>) -> Result<(), StoreError> {
        DocumentRow::check_all(&documents)?;
        self.lock().put_all(documents)
    }

    async fn delete(&self, collection: &str, key: &str) -> Result<bool, StoreError> {
        Ok(self.lock().documents.remove(&(collection.to_owned(), key.to_owned())).is_some())
    }

    async fn delete_of(&self, collection: &str, owner: &str) -> Result<u64, StoreError> {
        let mut kept = self.lock();
        let before = kept.documents.len();
        kept.documents.retain(|_, known| known.collection != collection || known.owner != owner);
        Ok((before - kept.documents.len()) as u64)
    }

    async fn expire(&self, now: Time, most: usize) -> Result<u64, StoreError> {
        let mut kept = self.lock();
        let mut due: Vec<_> = kept
            .documents
            .iter()
            .filter_map(|(place, document)| Some((document.until?, place.clone())))
            .filter(|(until, _)| *until <= now)
            .collect();
        due.sort();
        due.truncate(most);
        for (_, place) in &due {
            kept.documents.remove(place);
        }
        Ok(due.len() as u64)
    }
}

impl Status for Memory {
    async fn size(&self) -> Result<u64, StoreError> {
        Ok(self.lock().size() as u64)
    }

    async fn clock(&self) -> Result<Time, StoreError> {
        Ok(system_time())
    }
}
