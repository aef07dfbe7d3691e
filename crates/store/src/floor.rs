//! The floor of a card room: the tables of a store, as one node runs them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use croupier_table::{
    Account, Batch, Command, Entry, Event, Hash, JournalError, JournalFault, LedgerError, Refusal,
    Seed, Sender, Shelf, Table, Terms, Time, export, replay,
};
use serde_json::{Value, json};

use crate::store::{
    Answered, Append, CommandKey, Request, RoundRow, RoundSeat, Store, StoreError, TableRow,
    Written,
};

/// How often a command is decided anew because somebody else was first.
const ATTEMPTS: usize = 64;

/// How many entries are read at a time.
const PAGE: usize = 512;

/// Tables over a store. Any number of nodes have a floor each over one store, and none of them owns
/// a table: a node decides on what it knows of a table, and the store takes it only if that was all
/// there is to know. Otherwise the node reads on, and decides anew.
///
/// What is not in the store has not happened. So a node may stop at any moment, and another goes
/// on.
pub struct Floor<S> {
    store: S,
    entropy: Entropy,
    shelf: Mutex<Shelf>,
    slots: Mutex<BTreeMap<String, Slot>>,
    witness: Option<Witness>,
}

/// A table as this node knows it.
type Slot = Arc<Known>;

/// What this node knows of a table, for one command at a time.
#[derive(Default)]
struct Known {
    table: tokio::sync::Mutex<Option<Table>>,
    /// Whether somebody asked for it since it was last looked at.
    asked: AtomicBool,
    /// How often somebody began to read what others added, and the last time that it was done.
    begun: AtomicU64,
    done: AtomicU64,
}

/// Where seeds come from. If there are none to be had, nobody is dealt.
pub type Entropy = Box<dyn Fn() -> Option<Seed> + Send + Sync>;

/// Who is told whenever this node learns what happened at a table, in order: by its own doing, or
/// by reading what others did. He is told while the table is locked, and must not wait.
pub type Witness = Box<dyn Fn(&Table, &[Happened]) + Send + Sync>;

/// Something that happened at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happened {
    /// The version of the journal after it.
    pub version: u64,
    /// The event, as everybody may see it.
    pub event: Value,
}

/// Draws a seed from the operating system.
#[expect(clippy::disallowed_methods, reason = "this is where chance comes in")]
pub fn os_entropy() -> Option<Seed> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).ok()?;
    Some(Seed::from_bytes(bytes))
}

/// The answer to a command: what it brought about, as JSON that everybody may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// `{"table": "seven", "version": 17, "events": […]}`.
    pub text: String,
    /// Whether the command had been carried out before, and this is what was answered then.
    pub repeated: bool,
}

impl<S: Store> Floor<S> {
    /// Takes over the tables of a store.
    pub fn new(store: S, entropy: Entropy) -> Self {
        let (shelf, slots) = (Mutex::default(), Mutex::default());
        Self { store, entropy, shelf, slots, witness: None }
    }

    /// Tells somebody whatever this node learns of its tables.
    #[must_use]
    pub fn with_witness(mut self, witness: Witness) -> Self {
        self.witness = Some(witness);
        self
    }

    /// Returns the store.
    pub const fn store(&self) -> &S {
        &self.store
    }

    /// Opens a table.
    ///
    /// # Errors
    ///
    /// When the name is not fit or taken, or the store fails.
    pub async fn open(
        &self,
        name: &str,
        terms: Terms,
        key: Option<CommandKey>,
        now: Time,
    ) -> Result<Answer, FloorError> {
        let request = key.map(|key| {
            let body = fingerprint(&json!({ "open": name, "terms": terms.hash() }));
            Request { key, body }
        });
        if let Some(answer) = self.answered(request.as_ref()).await? {
            return Ok(answer);
        }
        let terms = lock(&self.shelf).keep(terms);
        let (table, batch) = Table::open(name, terms, now)?;
        let answer = answer_text(&table, &happened(&batch));
        let command = request.map(|request| request.answered(answer.clone()));
        let append = append(0, &table, batch, command);
        match self.store.append(append).await {
            Ok(Written::Now) => {
                *self.slot(name).table.lock().await = Some(table);
                Ok(Answer { text: answer, repeated: false })
            }
            Ok(Written::Before(text)) => Ok(Answer { text, repeated: true }),
            Err(StoreError::Conflict) => Err(FloorError::Store(StoreError::Taken)),
            Err(error) => Err(error.into()),
        }
    }

    /// Carries out a command, once for each key.
    ///
    /// If the table's deadline has come, what is to be done about it is done first: who is late is
    /// late, whether or not somebody has looked at the clock.
    ///
    /// # Errors
    ///
    /// Why it is not carried out. Nothing has changed then, unless the store [does not
    /// know](StoreError::Unknown).
    pub async fn command(
        &self,
        table: &str,
        command: Command,
        key: Option<CommandKey>,
        now: Time,
    ) -> Result<Answer, FloorError> {
        let request = key.map(|key| {
            let body = fingerprint(&json!({ "table": table, "command": command }));
            Request { key, body }
        });
        self.command_of(table, command, request, now).await
    }

    /// Carries out the command that a request came to, once for each request: when the same request
    /// comes again, it may come to another command, which is not carried out.
    ///
    /// # Errors
    ///
    /// As [`command`](Self::command).
    pub async fn command_of(
        &self,
        table: &str,
        command: Command,
        request: Option<Request>,
        now: Time,
    ) -> Result<Answer, FloorError> {
        // Seeds come from this floor's own source, and no client may bring one that it knows.
        if command.sender() == Sender::Shell {
            return Err(Refusal::ShoeNotNeeded.into());
        }
        let slot = self.slot(table);
        let mut known = slot.table.lock().await;
        for _ in 0..ATTEMPTS {
            let current = self.current(table, &mut known).await?;
            if current.next_deadline().is_some_and(|deadline| deadline <= now) {
                let mut next = current.clone();
                let batch = guarded(table, || next.handle_timeout(now))?;
                if !self.advance_or_void(&mut known, next, batch, None, now).await?.is_settled() {
                    continue;
                }
            }
            let current = self.current(table, &mut known).await?;
            let mut next = current.clone();
            let batch = match guarded(table, || next.handle(command.clone(), now))? {
                Ok(batch) => batch,
                // What this node knows may be old.
                Err(_) if self.read_on(table, &mut known).await? => continue,
                // A command that has been carried out is often refused when it comes again. That it
                // came before is looked up here, and not for those that the store will tell.
                Err(refusal) => match self.answered(request.as_ref()).await? {
                    Some(answer) => return Ok(answer),
                    None => return Err(refusal.into()),
                },
            };
            match self.advance_or_void(&mut known, next, batch, request.clone(), now).await? {
                Advance::Done(text) => return Ok(Answer { text, repeated: false }),
                Advance::Before(text) => return Ok(Answer { text, repeated: true }),
                Advance::Conflict => {}
            }
        }
        Err(StoreError::Unavailable("the table is too busy".to_owned()).into())
    }

    /// Does what is to be done about a table's deadline, if it has come.
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
                // What this node knows may be old.
                if self.read_on(table, &mut known).await? {
                    continue;
                }
                return Ok(());
            }
            let mut next = current.clone();
            let batch = guarded(table, || next.handle_timeout(now))?;
            if self.advance_or_void(&mut known, next, batch, None, now).await?.is_settled() {
                return Ok(());
            }
        }
        Err(StoreError::Unavailable("the table is too busy".to_owned()).into())
    }

    /// Claims tables whose deadline has come until some milliseconds from now, and does what is to
    /// be done about each. Returns the tables that it claimed.
    ///
    /// # Errors
    ///
    /// When the store fails. A table that fails by itself is claimed again later, and the others
    /// are woken all the same, one after the other.
    pub async fn wake(
        &self,
        now: Time,
        lease: u32,
        most: usize,
    ) -> Result<Vec<(String, Result<(), FloorError>)>, FloorError> {
        let mut woken = Vec::new();
        for table in self.store.claim(now, now.after(lease), most).await? {
            let result = self.time_out(&table, now).await;
            woken.push((table, result));
        }
        Ok(woken)
    }

    /// Returns a table as it is now.
    ///
    /// # Errors
    ///
    /// When there is none, the store fails, or the journal is damaged.
    pub async fn table(&self, table: &str) -> Result<Table, FloorError> {
        let slot = self.slot(table);
        let begun = slot.begun.load(Ordering::SeqCst);
        let mut known = slot.table.lock().await;
        // Who began to read after this one asked has read all that there was then. So a crowd that
        // looks at one table does not hold up those who play there, one question each.
        if known.is_some() && slot.done.load(Ordering::SeqCst) <= begun {
            let number = slot.begun.fetch_add(1, Ordering::SeqCst) + 1;
            self.read_on(table, &mut known).await?;
            slot.done.store(number, Ordering::SeqCst);
        }
        self.current(table, &mut known).await.cloned()
    }

    /// Returns what a table plays, by the first entry of its journal alone: enough to tell what a
    /// table with a damaged journal played.
    ///
    /// # Errors
    ///
    /// When there is no such table, the store fails, or that entry is damaged.
    pub async fn terms(&self, table: &str) -> Result<Arc<Terms>, FloorError> {
        let first = self.store.journal(table, 1, 1).await?;
        if first.is_empty() {
            return Err(FloorError::NoSuchTable);
        }
        let opened = guarded(table, || replay(table, &first, &mut lock(&self.shelf)))??;
        Ok(Arc::clone(opened.terms()))
    }

    /// Returns a table as this node knows it, without asking the store: it may be old, or not be
    /// known at all.
    pub async fn glance(&self, table: &str) -> Option<Table> {
        let slot = lock(&self.slots).get(table).map(Arc::clone)?;
        slot.asked.store(true, Ordering::Relaxed);
        slot.table.lock().await.clone()
    }

    /// Returns the record of a round that was dealt and is over, as [`export`] writes it.
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

    /// Removes a table that came to nothing, as [`Store::remove_unplayed`] does, and tells whether
    /// it did.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn remove_unplayed(&self, table: &str, before: Time) -> Result<bool, FloorError> {
        let is_gone = self.store.remove_unplayed(table, before).await?;
        if is_gone {
            self.forget(table);
        }
        Ok(is_gone)
    }

    /// Forgets what this node knows of a table: it is read again when somebody asks.
    pub fn forget(&self, table: &str) {
        lock(&self.slots).remove(table);
    }

    /// Forgets the tables that nobody asked for since the last time, and returns how many tables
    /// are still known. Others may have closed them long ago, and nobody here would be told.
    pub fn forget_idle(&self) -> usize {
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

    /// Forgets a table that is not to be had. Else anybody could fill the memory with names.
    ///
    /// Whoever waits for it goes on with what this node knows, and nobody may begin to know the
    /// same table a second time: the last of them forgets it.
    fn forget_missing(&self, table: &str) {
        let mut slots = lock(&self.slots);
        // One is here, and one is whoever asks.
        if slots.get(table).is_some_and(|slot| Arc::strong_count(slot) <= 2) {
            slots.remove(table);
        }
    }

    async fn answered(&self, request: Option<&Request>) -> Result<Option<Answer>, FloorError> {
        let Some(Request { key, body }) = request else { return Ok(None) };
        let text = self.store.answer(key, body).await?;
        Ok(text.map(|text| Answer { text, repeated: true }))
    }

    /// Returns the table, read from the store if this node does not know it.
    async fn current<'a>(
        &self,
        table: &str,
        known: &'a mut Option<Table>,
    ) -> Result<&'a Table, FloorError> {
        let current = match known.take() {
            Some(current) => current,
            None => match self.load(table).await {
                Ok(loaded) if loaded.is_closed() => {
                    self.forget(table);
                    loaded
                }
                Ok(loaded) => loaded,
                Err(error) => {
                    self.forget_missing(table);
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
        let loaded = guarded(table, || replay(table, &entries, &mut lock(&self.shelf)))??;
        if loaded.version() < version {
            // It was cut.
            return Err(damaged(table, loaded.version() + 1, JournalFault::Missing));
        }
        Ok(loaded)
    }

    /// Reads what others have added, and tells whether they have.
    async fn read_on(&self, table: &str, known: &mut Option<Table>) -> Result<bool, FloorError> {
        let Some(current) = known else { return Ok(true) };
        let before = current.version();
        loop {
            let page: Vec<Entry> = self.store.journal(table, current.version() + 1, PAGE).await?;
            if page.is_empty() {
                break;
            }
            let read = guarded(table, || current.read_on(&page));
            if let Err(error) = read.and_then(|read| read.map_err(FloorError::from)) {
                *known = None;
                return Err(error);
            }
            if let Some(witness) = &self.witness {
                let read = |entry: &Entry| {
                    let event = Event::read(&entry.body).ok()?.shown();
                    Some(Happened { version: entry.version, event })
                };
                witness(current, &page.iter().filter_map(read).collect::<Vec<_>>());
            }
        }
        Ok(current.version() > before)
    }

    /// Stores what a table has become; or, if the money of its round cannot be booked, that the
    /// round is void.
    ///
    /// Bounds on wagers and payoffs rule that out. If it happened all the same, a round that can
    /// neither end nor be stopped would keep the stakes of every player; and a decision that is
    /// refused because of what the round comes to would tell of cards that are still face down.
    async fn advance_or_void(
        &self,
        known: &mut Option<Table>,
        next: Table,
        batch: Batch,
        request: Option<Request>,
        now: Time,
    ) -> Result<Advance, FloorError> {
        let Some(current) = known.clone() else { return Ok(Advance::Conflict) };
        let ends = !batch.played.is_empty();
        match self.advance(known, next, batch, request.clone(), now).await {
            Err(FloorError::Store(StoreError::Ledger(_))) if ends => {
                let mut stopped = current.clone();
                let reason = "the payoffs of the round could not be booked".to_owned();
                let batch = stopped.handle(Command::Void { reason }, now)?;
                *known = Some(current);
                self.advance(known, stopped, batch, request, now).await
            }
            advanced => advanced,
        }
    }

    /// Stores what a table has become. If that fails, what was known stands, or nothing is known.
    async fn advance(
        &self,
        known: &mut Option<Table>,
        mut next: Table,
        mut batch: Batch,
        request: Option<Request>,
        now: Time,
    ) -> Result<Advance, FloorError> {
        let Some(before) = known.as_ref().map(Table::version) else { return Ok(Advance::Conflict) };
        while next.needs_shoe(now) {
            let Some(seed) = (self.entropy)() else { break };
            batch.extend(next.handle(Command::Shoe { seed }, now)?);
        }
        if batch.entries.is_empty() {
            return Ok(Advance::Done(String::new()));
        }
        let name = next.name().to_owned();
        let happened = happened(&batch);
        let text = answer_text(&next, &happened);
        let command = request.map(|request| request.answered(text.clone()));
        match self.store.append(append(before, &next, batch, command)).await {
            Ok(Written::Now) => {
                if let Some(witness) = &self.witness {
                    witness(&next, &happened);
                }
                if next.is_closed() {
                    // Nobody will ask for it again, or seldom.
                    self.forget(&name);
                }
                *known = Some(next);
                Ok(Advance::Done(text))
            }
            // What was known is old now, but true as far as it goes.
            Ok(Written::Before(text)) => Ok(Advance::Before(text)),
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
                // If the store has written all the same, the next attempt is told of a conflict.
                if !error.is_transient() {
                    *known = None;
                }
                Err(error.into())
            }
        }
    }
}

impl<S: fmt::Debug> fmt::Debug for Floor<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Floor").field("store", &self.store).finish_non_exhaustive()
    }
}

/// How an attempt to store something ended.
enum Advance {
    Done(String),
    Before(String),
    Conflict,
}

impl Advance {
    const fn is_settled(&self) -> bool {
        !matches!(self, Self::Conflict)
    }
}

/// Lets a table do something that leaves nothing behind if it panics: all that it changes is thrown
/// away then. A table with a fault must fail alone, and not with a list of tables.
fn guarded<T>(table: &str, act: impl FnOnce() -> T) -> Result<T, FloorError> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        FloorError::Broken { table: table.to_owned(), why: text.unwrap_or_default() }
    })
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

fn happened(batch: &Batch) -> Vec<Happened> {
    let entries = batch.entries.iter().zip(&batch.events);
    entries
        .map(|(entry, event)| Happened { version: entry.version, event: event.shown() })
        .collect()
}

fn answer_text(table: &Table, happened: &[Happened]) -> String {
    let events: Vec<&Value> = happened.iter().map(|happened| &happened.event).collect();
    json!({ "table": table.name(), "version": table.version(), "events": events }).to_string()
}

fn fingerprint(value: &Value) -> Hash {
    Hash::of(value.to_string().as_bytes())
}

pub(crate) fn damaged(table: &str, version: u64, fault: JournalFault) -> FloorError {
    FloorError::Damaged(JournalError { table: table.to_owned(), version, fault })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // What is behind it is a cache, and whole at any moment.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why something is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FloorError {
    /// There is no such table.
    NoSuchTable,
    /// The table refuses it.
    Refused(Refusal),
    /// The journal is not what was written.
    Damaged(JournalError),
    /// The table has a fault that nothing has foreseen.
    Broken {
        /// The table.
        table: String,
        /// What it said.
        why: String,
    },
    /// The store does not do it.
    Store(StoreError),
}

impl FloorError {
    /// Tells whether it is this table alone that fails, and not the store with all of them: trying
    /// again does not help, and others go on.
    pub const fn is_of_table(&self) -> bool {
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

impl From<Refusal> for FloorError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<JournalError> for FloorError {
    fn from(error: JournalError) -> Self {
        Self::Damaged(error)
    }
}

impl From<StoreError> for FloorError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for FloorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchTable => f.write_str("there is no such table"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Damaged(error) => error.fmt(f),
            Self::Broken { table, why } => write!(f, "table {table} has a fault: {why}"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl Error for FloorError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_panics_fails_alone_and_says_why() {
        let broken: Result<(), _> = guarded("seven", || panic!("{} is too much", 7));
        let error = broken.expect_err("it panicked");
        assert_eq!(error.to_string(), "table seven has a fault: 7 is too much");
        assert!(error.is_of_table());
        assert_eq!(guarded("seven", || 7), Ok(7));
        assert!(!FloorError::Store(StoreError::Unavailable(String::new())).is_of_table());
    }
}
