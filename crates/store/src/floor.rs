//! The floor of a card room: the tables of a store, as one node runs them.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use croupier_rules::FinishedRound;
use croupier_table::{
    Account, Batch, Command, Entry, Hash, JournalError, JournalFault, LedgerError, OperatorCommand,
    Played, PublicEvent, Refusal, Seed, Table, Terms, TermsCache, Time, export, replay,
};
use serde_json::json;
use thiserror::Error;

use crate::commands::{Answered, CommandKey, Request, Written};
use crate::error::StoreError;
use crate::journals::{Append, Journals, TableRow};
use crate::rounds::{RoundRow, RoundSeat, Rounds};

/// How often a command is decided again because another writer was first.
const ATTEMPTS: usize = 64;

/// How many entries are read at a time.
const PAGE: usize = 512;

/// The tables of a store, as one node runs them.
///
/// Any number of nodes each have a floor over the same store, and none of them owns a table. A node
/// decides from its cached state of a table, and the store accepts the result only if that state
/// was current. Otherwise the node reads on, and decides again.
///
/// An event that is not in the store has not happened. So a node may stop at any moment, and
/// another one continues.
pub struct Floor<S> {
    store: S,
    entropy: Entropy,
    terms: Mutex<TermsCache>,
    slots: Mutex<BTreeMap<String, Slot>>,
    listener: Option<Listener>,
}

/// A table as this node knows it.
type Slot = Arc<Known>;

/// A node's cached state of a table, for one command at a time.
#[derive(Default)]
struct Known {
    table: tokio::sync::Mutex<Option<Arc<Table>>>,
    /// Whether it was used since the last [`Floor::evict_idle`].
    asked: AtomicBool,
    /// How many reads of other nodes' entries have begun, and the last one that is done.
    begun: AtomicU64,
    done: AtomicU64,
}

/// The source of seeds. If it returns none, no round is dealt.
pub type Entropy = Box<dyn Fn() -> Option<Seed> + Send + Sync>;

/// A listener for everything that happens at this node's tables, in order: by its own commands, or
/// by reading other nodes' entries. Called with the table locked; must not block.
pub type Listener = Box<dyn Fn(&Update<'_>) + Send + Sync>;

/// A change of a table that this node made or read.
#[derive(Clone, Debug)]
pub struct Update<'a> {
    /// The table after the change.
    pub table: &'a Arc<Table>,
    /// The events, in order.
    pub events: &'a [PublicEvent],
    /// The last round that ended with them, if one did.
    pub ended: Option<EndedRound>,
}

/// A round that just ended, as values: nothing has to be read or replayed to show it.
#[derive(Clone, Debug)]
pub struct EndedRound {
    /// Its number.
    pub round: u64,
    /// Its events and its result.
    pub finished: Arc<FinishedRound>,
    /// The entry that ends it, and the hash of the entry before.
    entry: Entry,
    previous: Hash,
}

impl EndedRound {
    /// Finds the last of the rounds that ended among the entries that follow a hash.
    fn last(played: &[Played], before: &Hash, entries: &[Entry]) -> Option<Self> {
        let played = played.last()?;
        let place = entries.iter().position(|entry| entry.version == played.version)?;
        let previous = place.checked_sub(1).map_or(before, |place| &entries[place].hash);
        Some(Self {
            round: played.round,
            finished: Arc::clone(&played.finished),
            entry: entries[place].clone(),
            previous: *previous,
        })
    }

    /// Returns its record, as [`export`] writes it.
    pub fn record(&self) -> Option<String> {
        export(&self.previous, &self.entry)
    }
}

/// Draws a seed from the operating system.
#[expect(clippy::disallowed_methods, reason = "this is where chance comes in")]
pub fn os_entropy() -> Option<Seed> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).ok()?;
    Some(Seed::from_bytes(bytes))
}

/// The answer to a command: the events it caused, as JSON that the public may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// `{"table": "seven", "version": 17, "events": […]}`.
    pub text: String,
    /// Whether the command is a repeat, and this is the answer from the first time.
    pub repeated: bool,
}

impl<S> Floor<S> {
    /// Makes a floor over a store.
    pub fn new(store: S, entropy: Entropy) -> Self {
        let (terms, slots) = (Mutex::default(), Mutex::default());
        Self { store, entropy, terms, slots, listener: None }
    }

    /// Adds a listener for everything this node learns about its tables.
    #[must_use]
    pub fn with_listener(mut self, listener: Listener) -> Self {
        self.listener = Some(listener);
        self
    }

    /// Returns the store.
    pub const fn store(&self) -> &S {
        &self.store
    }
}

impl<S: Journals> Floor<S> {
    /// Opens a table.
    ///
    /// # Errors
    ///
    /// When the name is invalid or taken, or the store fails.
    pub async fn open(
        &self,
        name: &str,
        terms: Terms,
        key: Option<CommandKey>,
        now: Time,
    ) -> Result<Answer, FloorError> {
        let request =
            key.map(|key| Request::new(key, &json!({ "open": name, "terms": terms.hash() })));
        if let Some(answer) = self.answered(request.as_ref()).await? {
            return Ok(answer);
        }
        let terms = lock(&self.terms).keep(terms);
        let (table, mut batch) = Table::open(name, terms, now)?;
        let answer = answer_text(&table, &public_events(&mut batch));
        let command = request.map(|request| request.answered(answer.clone()));
        let append = append(0, &table, batch, command);
        match self.store.append(append).await {
            Ok(Written::Now) => {
                *self.slot(name).table.lock().await = Some(Arc::new(table));
                Ok(Answer { text: answer, repeated: false })
            }
            Ok(Written::Repeated(text)) => Ok(Answer { text, repeated: true }),
            Err(StoreError::Conflict) => Err(FloorError::Store(StoreError::Taken)),
            Err(error) => Err(error.into()),
        }
    }

    /// Carries out a command, once for each key.
    ///
    /// If the table's deadline has passed, its timeout is handled first: a late command is late,
    /// whether or not a node has checked the clock.
    ///
    /// # Errors
    ///
    /// The reason why it is not carried out. Nothing has changed then, unless the store returns
    /// [`StoreError::Unknown`].
    pub async fn command(
        &self,
        table: &str,
        command: Command,
        key: Option<CommandKey>,
        now: Time,
    ) -> Result<Answer, FloorError> {
        let request = key.map(|key| {
            Request::new(key, &json!({ "table": table, "command": command.keyed_form() }))
        });
        self.command_for_request(table, command, request, now).await
    }

    /// Carries out the command that a request led to, once for each request: when the same request
    /// is repeated, it may lead to another command, which is not carried out.
    ///
    /// # Errors
    ///
    /// As [`command`](Self::command).
    pub async fn command_for_request(
        &self,
        table: &str,
        command: Command,
        request: Option<Request>,
        now: Time,
    ) -> Result<Answer, FloorError> {
        // Seeds come from this floor's own source: a client must not supply one that it knows.
        if let Command::OpenRound { .. } = command {
            return Err(Refusal::ShoeNotNeeded.into());
        }
        let slot = self.slot(table);
        let mut known = slot.table.lock().await;
        for _ in 0..ATTEMPTS {
            let current = self.current(table, &mut known).await?;
            if current.next_deadline().is_some_and(|deadline| deadline <= now) {
                let mut next = Table::clone(current);
                let batch = guarded(table, || next.handle_timeout(now))?;
                if !self.advance_or_void(&mut known, next, batch, None, now).await?.is_settled() {
                    continue;
                }
            }
            let mut next = Table::clone(self.current(table, &mut known).await?);
            let batch = match guarded(table, || next.handle(command.clone(), now))? {
                Ok(batch) => batch,
                // This node's cached state may be old.
                Err(_) if self.read_on(table, &mut known).await? => continue,
                // A repeated command is often refused, because it was carried out the first time.
                // Only here is the first answer looked up: for accepted commands, the store finds
                // it.
                Err(refusal) => match self.answered(request.as_ref()).await? {
                    Some(answer) => return Ok(answer),
                    None => return Err(refusal.into()),
                },
            };
            match self.advance_or_void(&mut known, next, batch, request.clone(), now).await? {
                Advance::Done(text) => return Ok(Answer { text, repeated: false }),
                Advance::Repeated(text) => return Ok(Answer { text, repeated: true }),
                Advance::Conflict => {}
            }
        }
        Err(StoreError::Unavailable("the table is too busy".to_owned()).into())
    }

    /// Handles a table's timeout, if its deadline has passed.
    ///
    /// # Errors
    ///
    /// When the store fails, or the journal is damaged.
    pub async fn time_out(&self, table: &str, now: Time) -> Result<(), FloorError> {
        let slot = self.slot(table);
        let mut known = slot.table.lock().await;
        for _ in 0..ATTEMPTS {
            let current = self.current(table, &mut known).await?;
            if current.next_deadline().is_none_or(|deadline| deadline > now) {
                // This node's cached state may be old.
                if self.read_on(table, &mut known).await? {
                    continue;
                }
                return Ok(());
            }
            let mut next = Table::clone(current);
            let batch = guarded(table, || next.handle_timeout(now))?;
            if self.advance_or_void(&mut known, next, batch, None, now).await?.is_settled() {
                return Ok(());
            }
        }
        Err(StoreError::Unavailable("the table is too busy".to_owned()).into())
    }

    /// Returns a table as it is now.
    ///
    /// # Errors
    ///
    /// When there is none, the store fails, or the journal is damaged.
    pub async fn table(&self, table: &str) -> Result<Arc<Table>, FloorError> {
        let slot = self.slot(table);
        let begun = slot.begun.load(Ordering::SeqCst);
        let mut known = slot.table.lock().await;
        // A read that began after this call has seen everything this call needs. So a crowd of
        // spectators does not delay the players at a table with one query each.
        if known.is_some() && slot.done.load(Ordering::SeqCst) <= begun {
            let number = slot.begun.fetch_add(1, Ordering::SeqCst) + 1;
            self.read_on(table, &mut known).await?;
            slot.done.store(number, Ordering::SeqCst);
        }
        self.current(table, &mut known).await.cloned()
    }

    /// Returns a table's terms from the first entry of its journal alone, which works even for a
    /// table with a damaged journal.
    ///
    /// # Errors
    ///
    /// When there is no such table, the store fails, or that entry is damaged.
    pub async fn terms(&self, table: &str) -> Result<Arc<Terms>, FloorError> {
        let first = self.store.journal(table, 1, 1).await?;
        if first.is_empty() {
            return Err(FloorError::NoSuchTable);
        }
        let opened = guarded(table, || replay(table, &first, &mut lock(&self.terms)))??;
        Ok(Arc::clone(opened.terms()))
    }

    /// Returns this node's cached state of a table, without querying the store: it may be old, or
    /// missing.
    pub async fn cached(&self, table: &str) -> Option<Arc<Table>> {
        let slot = lock(&self.slots).get(table).map(Arc::clone)?;
        slot.asked.store(true, Ordering::Relaxed);
        slot.table.lock().await.clone()
    }

    /// Removes a table that was never played, as [`Journals::remove_unplayed`] does, and returns
    /// whether it did.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn remove_unplayed(&self, table: &str, before: Time) -> Result<bool, FloorError> {
        let is_gone = self.store.remove_unplayed(table, before).await?;
        if is_gone {
            self.evict(table);
        }
        Ok(is_gone)
    }

    /// Drops the cached state of a table: the next request reads it again.
    pub fn evict(&self, table: &str) {
        lock(&self.slots).remove(table);
    }

    /// Drops the tables that were not used since the last call, and returns how many are still
    /// cached. Another node may have closed them long ago without this one noticing.
    pub fn evict_idle(&self) -> usize {
        let mut slots = lock(&self.slots);
        slots.retain(|_, slot| {
            slot.asked.swap(false, Ordering::Relaxed) || Arc::strong_count(slot) > 1
        });
        slots.len()
    }

    fn slot(&self, table: &str) -> Slot {
        let mut slots = lock(&self.slots);
        let slot = match slots.get(table) {
            Some(slot) => Arc::clone(slot),
            None => Arc::clone(slots.entry(table.to_owned()).or_default()),
        };
        slot.asked.store(true, Ordering::Relaxed);
        slot
    }

    /// Drops a table that could not be loaded. Otherwise, requests for made-up names would fill the
    /// memory.
    ///
    /// Callers that wait for the slot continue with it, and no second slot for the same table may
    /// appear meanwhile: so the last of them drops it.
    fn evict_missing(&self, table: &str) {
        let mut slots = lock(&self.slots);
        // One reference is in the map, and one is the caller's.
        if slots.get(table).is_some_and(|slot| Arc::strong_count(slot) <= 2) {
            slots.remove(table);
        }
    }

    async fn answered(&self, request: Option<&Request>) -> Result<Option<Answer>, FloorError> {
        let Some(Request { key, body }) = request else { return Ok(None) };
        let text = self.store.answer(key, body).await?;
        Ok(text.map(|text| Answer { text, repeated: true }))
    }

    fn publish(&self, update: &Update<'_>) {
        if let Some(listener) = &self.listener {
            listener(update);
        }
    }

    /// Returns the table, read from the store if this node does not know it.
    async fn current<'a>(
        &self,
        table: &str,
        known: &'a mut Option<Arc<Table>>,
    ) -> Result<&'a Arc<Table>, FloorError> {
        let current = match known.take() {
            Some(current) => current,
            None => match self.load(table).await {
                Ok(loaded) => {
                    if loaded.is_closed() {
                        self.evict(table);
                    }
                    Arc::new(loaded)
                }
                Err(error) => {
                    self.evict_missing(table);
                    return Err(error);
                }
            },
        };
        Ok(known.insert(current))
    }

    async fn load(&self, table: &str) -> Result<Table, FloorError> {
        let row = self.store.table(table).await?;
        let TableRow { version, checkpoint, .. } = row.ok_or(FloorError::NoSuchTable)?;
        let mut entries = self.store.journal(table, 1, 1).await?;
        let mut from = 2;
        if checkpoint > 2 {
            from = checkpoint;
            let pair = self.store.journal(table, checkpoint - 1, 2).await?;
            let [before, entry] = &pair[..] else {
                return Err(damaged(table, checkpoint, JournalFault::Missing));
            };
            if !entry.is_sealed_after(&before.hash) {
                return Err(damaged(table, checkpoint, JournalFault::Altered));
            }
        }
        loop {
            let page = self.store.journal(table, from, PAGE).await?;
            let Some(last) = page.last() else { break };
            from = last.version + 1;
            entries.extend(page);
        }
        let loaded = guarded(table, || replay(table, &entries, &mut lock(&self.terms)))??;
        if loaded.version() < version {
            // The journal was cut.
            return Err(damaged(table, loaded.version() + 1, JournalFault::Missing));
        }
        Ok(loaded)
    }

    /// Reads the entries that other nodes have added, and returns whether there are any.
    async fn read_on(
        &self,
        table: &str,
        known: &mut Option<Arc<Table>>,
    ) -> Result<bool, FloorError> {
        let Some(current) = known else { return Ok(true) };
        let before = current.version();
        loop {
            let page: Vec<Entry> = self.store.journal(table, current.version() + 1, PAGE).await?;
            if page.is_empty() {
                break;
            }
            let hash = *current.hash();
            let read = guarded(table, || Arc::make_mut(current).read_on(&page));
            let (events, played) = match read.and_then(|read| read.map_err(FloorError::from)) {
                Ok(read) => read,
                Err(error) => {
                    *known = None;
                    return Err(error);
                }
            };
            let ended = EndedRound::last(&played, &hash, &page);
            self.publish(&Update { table: current, events: &events, ended });
        }
        Ok(current.version() > before)
    }

    /// Stores a table's next state; or, if the money of its round cannot be booked, that the round
    /// is void.
    ///
    /// Bounds on wagers and payoffs rule that out. If it happened anyway, a round that can neither
    /// end nor be stopped would keep every player's stakes; and refusing a decision because of the
    /// round's result would reveal cards that are still face down.
    async fn advance_or_void(
        &self,
        known: &mut Option<Arc<Table>>,
        next: Table,
        batch: Batch,
        request: Option<Request>,
        now: Time,
    ) -> Result<Advance, FloorError> {
        let Some(current) = known.clone() else { return Ok(Advance::Conflict) };
        let ends = !batch.played.is_empty();
        match self.advance(known, next, batch, request.clone(), now).await {
            Err(FloorError::Store(StoreError::Ledger(_))) if ends => {
                let mut stopped = Table::clone(&current);
                let reason = "the payoffs of the round could not be booked".to_owned();
                let batch = stopped.handle(OperatorCommand::Void { reason }.into(), now)?;
                *known = Some(current);
                self.advance(known, stopped, batch, request, now).await
            }
            advanced => advanced,
        }
    }

    /// Stores a table's next state. On failure, the cached state stays or is dropped.
    async fn advance(
        &self,
        known: &mut Option<Arc<Table>>,
        mut next: Table,
        mut batch: Batch,
        request: Option<Request>,
        now: Time,
    ) -> Result<Advance, FloorError> {
        let Some(before) = known.clone() else { return Ok(Advance::Conflict) };
        while next.needs_seed(now) {
            let Some(seed) = (self.entropy)() else { break };
            batch.extend(next.handle(Command::OpenRound { seed }, now)?);
        }
        if batch.entries.is_empty() {
            return Ok(Advance::Done(String::new()));
        }
        let name = next.name().to_owned();
        let events = public_events(&mut batch);
        let text = answer_text(&next, &events);
        let command = request.map(|request| request.answered(text.clone()));
        let ended = EndedRound::last(&batch.played, before.hash(), &batch.entries);
        match self.store.append(append(before.version(), &next, batch, command)).await {
            Ok(Written::Now) => {
                let next = Arc::new(next);
                self.publish(&Update { table: &next, events: &events, ended });
                if next.is_closed() {
                    // Requests for a closed table are rare.
                    self.evict(&name);
                }
                *known = Some(next);
                Ok(Advance::Done(text))
            }
            // The cached state is old now, but correct up to its version.
            Ok(Written::Repeated(text)) => Ok(Advance::Repeated(text)),
            Err(StoreError::Conflict) => {
                self.read_on(&name, known).await?;
                Ok(Advance::Conflict)
            }
            Err(StoreError::Ledger(LedgerError::Insufficient { account: Account::Player(_) })) => {
                Err(Refusal::InsufficientChips.into())
            }
            Err(StoreError::Ledger(LedgerError::TooMany { .. })) => {
                Err(Refusal::TooManyChips.into())
            }
            Err(error) => {
                // If the store has written it anyway, the next attempt gets a conflict.
                if !error.is_transient() {
                    *known = None;
                }
                Err(error.into())
            }
        }
    }
}

impl<S: Journals + Rounds> Floor<S> {
    /// Returns the record of a finished round that was dealt, as [`export`] writes it.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn record(&self, table: &str, round: u64) -> Result<Option<String>, FloorError> {
        let Some(row) = self.store.round(table, round).await? else { return Ok(None) };
        let entries = self.store.journal(table, row.version.saturating_sub(1), 2).await?;
        let [before, entry] = &entries[..] else {
            return Err(damaged(table, row.version, JournalFault::Missing));
        };
        if !entry.is_sealed_after(&before.hash) {
            return Err(damaged(table, row.version, JournalFault::Altered));
        }
        Ok(export(&before.hash, entry))
    }
}

impl<S: fmt::Debug> fmt::Debug for Floor<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Floor").field("store", &self.store).finish_non_exhaustive()
    }
}

/// The outcome of an attempt to store a change.
enum Advance {
    Done(String),
    Repeated(String),
    Conflict,
}

impl Advance {
    const fn is_settled(&self) -> bool {
        !matches!(self, Self::Conflict)
    }
}

/// Runs code on a table and catches its panics; everything it changed is thrown away then. A table
/// with a bug must fail alone, and not with a whole list of tables.
fn guarded<T>(table: &str, act: impl FnOnce() -> T) -> Result<T, FloorError> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|panic| broken(table, &*panic))
}

/// Returns the error for a table that panicked.
pub(crate) fn broken(table: &str, panic: &(dyn Any + Send)) -> FloorError {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    FloorError::Broken { table: table.to_owned(), why: text.unwrap_or_default() }
}

fn append(expected: u64, table: &Table, batch: Batch, command: Option<Answered>) -> Append {
    let house = table.terms().house().id();
    let at = batch.entries.last().map_or_else(Time::default, |entry| entry.at);
    let rounds = batch.played.iter().map(|played| RoundRow {
        table: table.name().to_owned(),
        round: played.round,
        version: played.version,
        at,
        house: house.to_owned(),
        void: played.void,
        seats: played
            .seats
            .iter()
            .map(|seat| RoundSeat {
                seat: seat.seat.number(),
                player: seat.player.clone(),
                banked: seat.banked,
                ante: seat.ante,
                bonus: seat.bonus,
                staked: seat.staked,
                net: seat.net,
            })
            .collect(),
    });
    Append {
        table: table.name().to_owned(),
        expected,
        deadline: table.next_wake(),
        opens: (expected == 0).then(|| house.to_owned()),
        closes: table.is_closed(),
        checkpoint: batch.checkpoint,
        rounds: rounds.collect(),
        command,
        entries: batch.entries,
        transfers: batch.transfers,
    }
}

/// Takes the events out of a batch: their entries are all that is stored of them.
fn public_events(batch: &mut Batch) -> Vec<PublicEvent> {
    let events = std::mem::take(&mut batch.events).into_iter();
    let versions = batch.entries.iter().map(|entry| entry.version);
    versions.zip(events).map(|(version, event)| PublicEvent::new(version, event)).collect()
}

fn answer_text(table: &Table, events: &[PublicEvent]) -> String {
    json!({ "table": table.name(), "version": table.version(), "events": events }).to_string()
}

pub(crate) fn damaged(table: &str, version: u64, fault: JournalFault) -> FloorError {
    FloorError::Damaged(JournalError { table: table.to_owned(), version, fault })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // The mutex guards a cache that is consistent at any moment.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The reason why a command or a query fails.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FloorError {
    /// There is no such table.
    #[error("there is no such table")]
    NoSuchTable,
    /// The table refuses it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The journal is not what was written.
    #[error(transparent)]
    Damaged(#[from] JournalError),
    /// The table has an unforeseen bug.
    #[error("table {table} has a fault: {why}")]
    Broken {
        /// The table.
        table: String,
        /// The panic message.
        why: String,
    },
    /// The store refuses or fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl FloorError {
    /// Returns whether only this table fails, and not the whole store: a retry does not help, and
    /// other tables continue.
    pub const fn is_table_fault(&self) -> bool {
        match self {
            Self::Damaged(_) | Self::Broken { .. } => true,
            Self::Store(error) => matches!(
                error,
                StoreError::Damaged(_) | StoreError::Unusable(_) | StoreError::Ledger(_)
            ),
            Self::NoSuchTable | Self::Refused(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panicking_table_fails_alone_with_its_message() {
        let broken: Result<(), _> = guarded("seven", || panic!("{} is too much", 7));
        let error = broken.expect_err("it panicked");
        assert_eq!(error.to_string(), "table seven has a fault: 7 is too much");
        assert!(error.is_table_fault());
        assert_eq!(guarded("seven", || 7), Ok(7));
        assert!(!FloorError::Store(StoreError::Unavailable(String::new())).is_table_fault());
    }
}
