//! A store that fails as stores do: before a write, after a write, or for lack of space.

use std::sync::{Arc, Mutex, PoisonError};

use croupier_rules::Amount;
use croupier_store::{
    AccountState, Accounts, Answered, Append, CommandKey, Journals, PlayedRound, RoundPlace,
    RoundRow, Rounds, StoreError, TableRow, Takings, Written,
};
use croupier_table::{Account, Entry, Hash, LedgerError, Time, Transfer};

use crate::saboteur::Saboteur;
use croupier_testing::Random;

/// A fault during a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mishap {
    /// The first write does not happen, and the writer gets an error.
    NotWritten,
    /// The first write happens, but the writer gets no answer: a process crashed between the commit
    /// and the answer.
    WrittenUntold,
    /// The first write does not happen, and the writer gets no answer.
    NotWrittenUntold,
    /// The store is unreachable.
    Outage,
    /// There are no seeds.
    NoEntropy,
    /// No settlement of a round can be booked.
    Unbookable,
}

impl Mishap {
    /// Decides whether a step has a fault, and which.
    pub(crate) fn roll(random: &mut Random) -> Option<Self> {
        match random.below(1000) {
            0..6 => Some(Self::NotWritten),
            6..12 => Some(Self::WrittenUntold),
            12..15 => Some(Self::NotWrittenUntold),
            15..17 => Some(Self::Outage),
            17..22 => Some(Self::NoEntropy),
            22..26 => Some(Self::Unbookable),
            _ => None,
        }
    }

    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::NotWritten => "the store fails before the commit",
            Self::WrittenUntold => "the store goes away after the commit",
            Self::NotWrittenUntold => "the store goes away before the commit",
            Self::Outage => "the store is unreachable",
            Self::NoEntropy => "there is no entropy",
            Self::Unbookable => "no settlement can be booked",
        }
    }
}

/// The faults at the moment.
#[derive(Debug, Default)]
pub(crate) struct Trouble {
    pub(crate) mishap: Option<Mishap>,
    pub(crate) full: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Faulty {
    store: Saboteur,
    trouble: Arc<Mutex<Trouble>>,
}

impl Faulty {
    pub(crate) const fn new(store: Saboteur, trouble: Arc<Mutex<Trouble>>) -> Self {
        Self { store, trouble }
    }

    /// Returns the fault of the current write.
    fn strike(&self) -> Result<Option<Mishap>, StoreError> {
        let mut trouble = lock(&self.trouble);
        if trouble.full {
            return Err(StoreError::Full("the disk is full".to_owned()));
        }
        match trouble.mishap {
            Some(Mishap::NotWritten) => {
                trouble.mishap = None;
                Err(StoreError::Unavailable("it fails before the commit".to_owned()))
            }
            Some(Mishap::Outage) => Err(away()),
            Some(Mishap::NotWrittenUntold) => {
                trouble.mishap = None;
                Err(untold())
            }
            Some(Mishap::WrittenUntold) => Ok(trouble.mishap.take()),
            Some(Mishap::NoEntropy | Mishap::Unbookable) | None => Ok(None),
        }
    }

    /// Returns whether a write settles a round that cannot be booked.
    fn is_unbookable(&self, append: &Append) -> bool {
        let struck = lock(&self.trouble).mishap == Some(Mishap::Unbookable);
        struck && append.rounds.iter().any(|round| !round.void)
    }

    async fn on_append(&self, append: Append) -> Result<Written, StoreError> {
        let struck = self.strike()?;
        if self.is_unbookable(&append) {
            return Err(StoreError::Ledger(LedgerError::Overflow));
        }
        let written = self.store.append(append).await?;
        struck.map_or(Ok(written), |_| Err(untold()))
    }

    async fn on_transfer(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        let struck = self.strike()?;
        let written = self.store.transfer(transfers, at, command).await?;
        struck.map_or(Ok(written), |_| Err(untold()))
    }

    async fn on_claim(
        &self,
        now: Time,
        until: Time,
        most: usize,
    ) -> Result<Vec<String>, StoreError> {
        self.on_read()?;
        self.store.claim(now, until, most).await
    }

    fn on_read(&self) -> Result<(), StoreError> {
        if lock(&self.trouble).mishap == Some(Mishap::Outage) { Err(away()) } else { Ok(()) }
    }
}

fn away() -> StoreError {
    StoreError::Unavailable("it is unreachable".to_owned())
}

fn untold() -> StoreError {
    StoreError::Unknown("it went away".to_owned())
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

around!(Faulty, store);
