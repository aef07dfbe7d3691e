//! Wakes tables at their deadlines: the core of every loop that does so, without a timer.

use std::future::{Future, ready};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use croupier_table::Time;
use futures_util::FutureExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::StoreError;
use crate::failing::FailingTables;
use crate::floor::{Floor, FloorError, broken};
use crate::journals::Journals;

/// Options for waking tables.
#[derive(Clone, Copy, Debug)]
pub struct TimeoutOptions {
    /// How long other nodes leave a table alone that this one has claimed, in milliseconds.
    pub lease: u32,
    /// The most tables that are woken at a time.
    pub concurrent: usize,
    /// The pause after a step that found no more tables.
    pub interval: Duration,
}

impl Default for TimeoutOptions {
    fn default() -> Self {
        Self { lease: 5_000, concurrent: 64, interval: Duration::from_millis(50) }
    }
}

/// Wakes the tables of a floor at their deadlines.
///
/// It has neither a clock nor a timer. Its driver calls [`step`](Self::step) with the time, starts
/// the tables it gets, and comes back after the pause that the step returns.
///
/// ```
/// use croupier_store::{Floor, Memory, Timeouts, os_entropy};
/// use croupier_table::Time;
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let floor = Floor::new(Memory::default(), Box::new(os_entropy));
/// let timeouts = Timeouts::default();
/// let now = Time::from_millis(1_700_000_000_000);
/// let mut due = Vec::new();
/// let pause = timeouts.step(&floor, now, |table| due.push(table)).await?;
/// assert!(due.is_empty() && !pause.is_zero());
/// # Ok::<(), croupier_store::StoreError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Timeouts {
    options: TimeoutOptions,
    places: Arc<Semaphore>,
    failing: FailingTables,
}

/// A table whose deadline has passed, claimed for this node. Until it is dropped, it takes one of
/// the places for tables that are woken at the same time.
#[derive(Debug)]
pub struct DueTable {
    name: String,
    _place: OwnedSemaphorePermit,
}

impl DueTable {
    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The reason why a table could not be woken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeoutFailure {
    /// The error. If it is a [fault of the table](FloorError::is_table_fault), the table is left
    /// alone for a while.
    pub error: FloorError,
    /// Whether it is a fault of the table that had none before.
    pub is_new: bool,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self::new(TimeoutOptions::default())
    }
}

impl Timeouts {
    /// Makes the timeouts of a node.
    pub fn new(options: TimeoutOptions) -> Self {
        let places = Arc::new(Semaphore::new(options.concurrent));
        Self { options, places, failing: FailingTables::default() }
    }

    /// Returns the tables that fail on this node.
    pub const fn failing(&self) -> &FailingTables {
        &self.failing
    }

    /// Returns the pause after a step that failed, or found no more tables.
    pub const fn interval(&self) -> Duration {
        self.options.interval
    }

    /// Claims the tables that are due, as many as there are places for, and hands each of them to
    /// `start`. Returns the pause before the next step, which is zero if more tables may be due.
    ///
    /// The caller [runs](Self::run) each table, and may do so after this has returned: then a slow
    /// table does not delay the others. Steps come one after the other.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn step<S: Journals>(
        &self,
        floor: &Floor<S>,
        now: Time,
        mut start: impl FnMut(DueTable),
    ) -> Result<Duration, StoreError> {
        let free = self.places.available_permits();
        if free == 0 {
            return Ok(self.options.interval);
        }
        let claimed = floor.store().claim(now, now.after(self.options.lease), free).await?;
        let more = claimed.len() == free;
        for name in claimed {
            // A table that fails repeatedly is left alone for longer than a claim lasts.
            if self.failing.is_resting(&name, now) {
                continue;
            }
            // Each table gets its place before more are claimed: no other node would wake a table
            // that only waits here.
            let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else { break };
            start(DueTable { name, _place: place });
        }
        Ok(if more { Duration::ZERO } else { self.options.interval })
    }

    /// Runs the timeouts of a table that is due, and then `then`. If this node dies first, another
    /// node claims the table.
    ///
    /// # Errors
    ///
    /// The first failure of either, or a panic. A table that fails on its own is left alone, for
    /// longer each time; if the store fails, and with it all tables, nothing is remembered.
    pub async fn run<S: Journals>(
        &self,
        floor: &Floor<S>,
        due: DueTable,
        now: Time,
        then: impl Future<Output = Result<(), FloorError>>,
    ) -> Result<(), TimeoutFailure> {
        let table = due.name();
        let woken = async {
            floor.time_out(table, now).await?;
            then.await
        };
        let woken = AssertUnwindSafe(woken).catch_unwind().await;
        match woken.unwrap_or_else(|panic| Err(broken(table, &*panic))) {
            Ok(()) => {
                self.failing.clear(table);
                Ok(())
            }
            Err(error) => {
                let is_new =
                    error.is_table_fault() && self.failing.record(table, &error.to_string(), now);
                Err(TimeoutFailure { error, is_new })
            }
        }
    }

    /// Makes a step, and runs the tables that are due one after the other. Returns each of them
    /// with its result.
    ///
    /// # Errors
    ///
    /// When the store fails before a table is claimed.
    pub async fn run_timeouts<S: Journals>(
        &self,
        floor: &Floor<S>,
        now: Time,
    ) -> Result<Vec<(String, Result<(), FloorError>)>, StoreError> {
        let (mut due, mut woken) = (Vec::new(), Vec::new());
        self.step(floor, now, |table| due.push(table)).await?;
        for table in due {
            let name = table.name().to_owned();
            let result = self.run(floor, table, now, ready(Ok(()))).await;
            woken.push((name, result.map_err(|failure| failure.error)));
        }
        Ok(woken)
    }
}
