//! A store that forgets everything when it is dropped, and is plainly right.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use croupier_rules::Amount;
use croupier_table::{
    Account, Entry, Hash, JournalFault, Ledger, LedgerError, Time, Transfer, first_hash,
};

use crate::clock::system_time;
use crate::journal::damaged;
use crate::names;
use crate::store::{
    Answered, Append, Choice, CommandKey, Paper, PlayedRound, Player, RoundPlace, RoundRow,
    Standing, Statistic, Store, StoreError, TableRow, Takings, Written,
};
use crate::takings::Till;

/// A store in memory: for tests, for a table that nobody needs tomorrow, and as the measure of the
/// other stores.
///
/// ```
/// use croupier_store::{Memory, Store};
///
/// let store = Memory::default();
/// # let _ = |store: Memory| async move {
/// assert_eq!(store.table("table-7").await, Ok(None));
/// # };
/// ```
#[derive(Debug, Default)]
pub struct Memory(Mutex<Kept>);

/// All that is kept.
#[derive(Debug, Default)]
struct Kept {
    ledger: Ledger,
    /// How often each account has changed.
    changes: BTreeMap<Account, u64>,
    transfers: BTreeMap<String, Transfer>,
    answers: BTreeMap<CommandKey, (Hash, String)>,
    tables: BTreeMap<String, KeptTable>,
    players: BTreeMap<String, Player>,
    choices: BTreeMap<(String, String), Choice>,
    /// By drawer and key.
    papers: BTreeMap<(String, String), Paper>,
}

#[derive(Debug)]
struct KeptTable {
    row: TableRow,
    /// Until when it is claimed.
    claimed: Time,
    journal: Vec<Entry>,
    rounds: BTreeMap<u64, RoundRow>,
}

impl Memory {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Everything that can fail comes before the first change, so that a panic leaves nothing
        // half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Returns the answer that a command was given before.
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

    fn standing(&self, account: &Account) -> Standing {
        let changes = self.changes.get(account).copied().unwrap_or_default();
        Standing { balance: self.ledger.balance(account), changes }
    }

    /// Makes transfers, if an account has not changed.
    fn post_unless_changed(
        &mut self,
        transfers: Vec<Transfer>,
        account: &Account,
        seen: Standing,
    ) -> Result<(), StoreError> {
        let mut keys = BTreeSet::new();
        for Transfer { key, .. } in &transfers {
            if !keys.insert(key) || self.transfers.contains_key(key) {
                let key = key.clone();
                return Err(StoreError::Ledger(LedgerError::Repeated { key }));
            }
        }
        if self.standing(account).changes != seen.changes {
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
            return Ok(Written::Before(answer));
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

    /// Returns how many bytes the texts of everything have.
    fn size(&self) -> usize {
        let entries = self.tables.values().flat_map(|known| &known.journal);
        let rounds = self.tables.values().flat_map(|known| known.rounds.values());
        let seats = rounds.flat_map(|round| &round.seats);
        let transfer = |transfer: &Transfer| {
            let accounts = [&transfer.from, &transfer.to].map(|account| account.to_string().len());
            transfer.key.len() + accounts[0] + accounts[1] + size_of::<Amount>()
        };
        let paper = |paper: &Paper| {
            let Paper { drawer, key, owner, text, .. } = paper;
            drawer.len() + key.len() + owner.len() + text.len()
        };
        let choice = |choice: &Choice| choice.spot.len() + size_of::<Choice>();
        let answer = |(key, (hash, text)): (&CommandKey, &(Hash, String))| {
            key.sender.len() + key.key.len() + size_of_val(hash) + text.len()
        };
        let player = |player: &Player| player.name.len() + player.profile.len();
        entries.map(|entry| entry.body.len() + size_of::<Entry>()).sum::<usize>()
            + seats.map(|seat| seat.player.len() + size_of::<RoundRow>()).sum::<usize>()
            + self.transfers.values().map(transfer).sum::<usize>()
            + self.answers.iter().map(answer).sum::<usize>()
            + self.players.values().map(player).sum::<usize>()
            + self.choices.values().map(choice).sum::<usize>()
            + self.papers.values().map(paper).sum::<usize>()
    }

    fn file_all(&mut self, papers: Vec<Paper>) -> Result<(), StoreError> {
        let place = |paper: &Paper| (paper.drawer.clone(), paper.key.clone());
        for paper in &papers {
            paper.may_replace(self.papers.get(&place(paper)).map(|found| found.revision))?;
        }
        for mut paper in papers {
            paper.revision += 1;
            self.papers.insert(place(&paper), paper);
        }
        Ok(())
    }

    /// Returns the papers of a drawer from after this key.
    fn drawer(&self, drawer: &str, after: &str) -> impl Iterator<Item = &Paper> {
        let after = Bound::Excluded((drawer.to_owned(), after.to_owned()));
        let rest = self.papers.range((after, Bound::Unbounded)).map(|(_, paper)| paper);
        rest.take_while(move |paper| paper.drawer == drawer)
    }
}

impl Store for Memory {
    async fn append(&self, append: Append) -> Result<Written, StoreError> {
        self.lock().append(append)
    }

    async fn transfer(
        &self,
        transfers: Vec<Transfer>,
        _at: Time,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        names::check_transfers(&transfers)?;
        names::check_command(command.as_ref())?;
        let mut kept = self.lock();
        if let Some(answer) = kept.answer_of(command.as_ref())? {
            return Ok(Written::Before(answer));
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
        seen: Standing,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        names::check_transfers(&transfers)?;
        names::check_command(command.as_ref())?;
        Standing::check(&transfers, account)?;
        let mut kept = self.lock();
        if let Some(answer) = kept.answer_of(command.as_ref())? {
            return Ok(Written::Before(answer));
        }
        kept.post_unless_changed(transfers, account, seen)?;
        kept.remember(command);
        Ok(Written::Now)
    }

    async fn answer(&self, key: &CommandKey, body: &Hash) -> Result<Option<String>, StoreError> {
        names::check_key(key)?;
        self.lock().answer(key, body)
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
        // The sort is stable: of those that have waited equally long, the names decide.
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
        let [first, end] = names::transfers_of(table);
        let has_moved_money = kept.transfers.range(first..end).next().is_some();
        let is_old = known.journal.last().is_none_or(|last| last.at <= before);
        let is_gone = known.row.closed && known.rounds.is_empty() && is_old && !has_moved_money;
        if is_gone {
            kept.tables.remove(table);
        }
        Ok(is_gone)
    }

    async fn balance(&self, account: &Account) -> Result<Amount, StoreError> {
        Ok(self.lock().ledger.balance(account))
    }

    async fn standing(&self, account: &Account) -> Result<Standing, StoreError> {
        Ok(self.lock().standing(account))
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
        let mut till = Till::default();
        for round in kept.tables.values().flat_map(|known| known.rounds.values()) {
            if from <= round.at && round.at < to {
                till.round(&round.table, &round.house, round.void);
                for seat in round.seats.iter().filter(|seat| !seat.banked && !round.void) {
                    till.hand(&round.table, &round.house, seat);
                }
            }
        }
        Ok(till.takings())
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

    async fn add_player(&self, player: Player) -> Result<(), StoreError> {
        names::check_player(&player)?;
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
        names::check_profiles(expected, profile)?;
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

    async fn add_choices(&self, choices: Vec<Choice>) -> Result<(), StoreError> {
        choices.iter().try_for_each(Choice::check)?;
        let mut kept = self.lock();
        for choice in choices {
            let key = (choice.player.clone(), choice.key.clone());
            kept.choices.entry(key).or_insert(choice);
        }
        Ok(())
    }

    async fn forget_choices(&self, player: &str) -> Result<u64, StoreError> {
        let mut kept = self.lock();
        let before = kept.choices.len();
        kept.choices.retain(|(of, _), _| of != player);
        Ok((before - kept.choices.len()) as u64)
    }

    async fn mistakes(&self, player: &str, most: usize) -> Result<Vec<Choice>, StoreError> {
        let kept = self.lock();
        let is_mistake = |choice: &&Choice| choice.player == player && choice.cost_ppm > 0;
        let mut mistakes: Vec<_> = kept.choices.values().filter(is_mistake).cloned().collect();
        // The sort is stable: of those that cost the same, the keys decide.
        mistakes.sort_by_key(|choice| std::cmp::Reverse(choice.cost_ppm));
        mistakes.truncate(most);
        Ok(mistakes)
    }

    async fn statistics(&self, player: &str) -> Result<Vec<Statistic>, StoreError> {
        let kept = self.lock();
        let mut by_street = BTreeMap::new();
        for choice in kept.choices.values().filter(|choice| choice.player == player) {
            let (game, street) = (choice.game.clone(), choice.street.clone());
            let nothing = Statistic { game, street, choices: 0, mistakes: 0, cost_ppm: 0 };
            let place = (choice.game.clone(), choice.street.clone());
            let statistic = by_street.entry(place).or_insert(nothing);
            statistic.choices += 1;
            statistic.mistakes += u64::from(choice.cost_ppm > 0);
            // The databases can count no further.
            let cost = statistic.cost_ppm.saturating_add(choice.cost_ppm);
            statistic.cost_ppm = cost.min(i64::MAX as u64);
        }
        Ok(by_street.into_values().collect())
    }

    async fn paper(&self, drawer: &str, key: &str) -> Result<Option<Paper>, StoreError> {
        Ok(self.lock().papers.get(&(drawer.to_owned(), key.to_owned())).cloned())
    }

    async fn file_all(&self, papers: Vec<Paper>) -> Result<(), StoreError> {
        Paper::check_all(&papers)?;
        self.lock().file_all(papers)
    }

    async fn discard(&self, drawer: &str, key: &str) -> Result<bool, StoreError> {
        Ok(self.lock().papers.remove(&(drawer.to_owned(), key.to_owned())).is_some())
    }

    async fn papers(
        &self,
        drawer: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<Paper>, StoreError> {
        Ok(self.lock().drawer(drawer, after).take(most).cloned().collect())
    }

    async fn papers_of(
        &self,
        drawer: &str,
        owner: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<Paper>, StoreError> {
        let kept = self.lock();
        let own = kept.drawer(drawer, after).filter(|paper| paper.owner == owner);
        Ok(own.take(most).cloned().collect())
    }

    async fn discard_of(&self, drawer: &str, owner: &str) -> Result<u64, StoreError> {
        let mut kept = self.lock();
        let before = kept.papers.len();
        kept.papers.retain(|_, paper| paper.drawer != drawer || paper.owner != owner);
        Ok((before - kept.papers.len()) as u64)
    }

    async fn expire(&self, now: Time, most: usize) -> Result<u64, StoreError> {
        let mut kept = self.lock();
        let mut due: Vec<_> = kept
            .papers
            .iter()
            .filter_map(|(place, paper)| Some((paper.until?, place.clone())))
            .filter(|(until, _)| *until <= now)
            .collect();
        due.sort();
        due.truncate(most);
        for (_, place) in &due {
            kept.papers.remove(place);
        }
        Ok(due.len() as u64)
    }

    async fn size(&self) -> Result<u64, StoreError> {
        Ok(self.lock().size() as u64)
    }

    async fn clock(&self) -> Result<Time, StoreError> {
        Ok(system_time())
    }
}
