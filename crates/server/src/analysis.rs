//! Rules and numbers over HTTP: houses, pay tables, odds, advice, charts, the cost of a strategy,
//! and rounds replayed and verified. The answers are the same as those of the commands with
//! `--json`, so that a page needs no rules of its own.
//!
//! A whole game takes about a second to solve, a strategy two or three, and a spot up to a fifth of
//! a second. They run on threads separate from those that serve requests, in two lanes, so that a
//! player who is about to decide never waits for games to be solved. A lane has one thread fewer
//! than the machine has cores, and a queue so short that a question it admits is answered within
//! half a minute even on two cores; other clients are asked to retry. Answers are cached, and a
//! client that asks a question already being solved waits for the same answer. An admitted question
//! is always answered, even if its client is gone: the next client to ask gets the cached answer.

mod answers;
mod ask;
mod question;
mod routes;
#[cfg(test)]
mod tests;

use std::num::NonZero;
use std::sync::Arc;

use axum::body::Bytes;
use croupier_rules::Catalog;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tokio::sync::Semaphore;

pub(crate) use self::answers::TablePlacard;
pub(crate) use self::routes::router;

use self::question::Question;
use crate::http::problem::{Code, Problem};

/// Solves questions on background threads, and caches the answers.
#[derive(Debug)]
pub(crate) struct Solver {
    catalog: Arc<Catalog>,
    answers: Cache<String, Answer, Size>,
    games: Lane,
    spots: Lane,
}

/// An answer as JSON, or the problem with the question. It never changes, so it can be cached.
type Answer = Result<Bytes, Problem>;

/// The size of the cache, in bytes.
const CACHE_BYTES: u64 = 32 << 20;

/// The approximate number of answers that fit into the cache.
const CACHED_ANSWERS: usize = 4_096;

/// The number of games that may wait to be solved.
const GAMES_WAITING: usize = 8;

/// The number of spots that may wait to be solved.
const SPOTS_WAITING: usize = 64;

/// Measures the size of an answer together with its key.
#[derive(Clone, Debug)]
struct Size;

impl Weighter<String, Answer> for Size {
    fn weight(&self, key: &String, answer: &Answer) -> u64 {
        let found = match answer {
            Ok(found) => found.len(),
            Err(problem) => problem.detail.len(),
        };
        (key.len() + found) as u64
    }
}

/// Threads for one kind of question, with a queue in front of them.
#[derive(Debug)]
struct Lane {
    threads: Arc<Semaphore>,
    /// One permit for each thread, and one for each place in the queue.
    capacity: Arc<Semaphore>,
}

impl Lane {
    fn new(threads: usize, waiting: usize) -> Self {
        Self {
            threads: Arc::new(Semaphore::new(threads)),
            capacity: Arc::new(Semaphore::new(threads + waiting)),
        }
    }

    /// Answers a question as soon as a thread is free.
    async fn answer(&self, question: Question) -> Result<Answer, Problem> {
        let Ok(place) = Arc::clone(&self.capacity).try_acquire_owned() else {
            return Err(Problem::from(Code::Busy).retry_after(2));
        };
        let thread = Arc::clone(&self.threads).acquire_owned().await;
        let thread = thread.map_err(|_| Problem::from(Code::Busy))?;
        let answered = tokio::task::spawn_blocking(move || {
            let _until_answered = (place, thread);
            question.answer()
        });
        answered.await.map_err(|error| {
            tracing::error!(%error, "a question could not be answered");
            Problem::from(Code::Internal)
        })
    }
}

impl Solver {
    /// Returns the houses and pay tables that come with the program.
    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Returns a solver for these houses and pay tables, whose two lanes each have one thread
    /// fewer than the machine has cores, but at least one.
    pub(crate) fn new(catalog: Arc<Catalog>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self::with_threads(catalog, cores.saturating_sub(1).max(1))
    }

    fn with_threads(catalog: Arc<Catalog>, threads: usize) -> Self {
        Self {
            catalog,
            answers: Cache::with_weighter(CACHED_ANSWERS, CACHE_BYTES, Size),
            games: Lane::new(threads, GAMES_WAITING),
            spots: Lane::new(threads, SPOTS_WAITING),
        }
    }

    /// Answers a question in JSON, from the cache if it was asked before.
    async fn answer(self: Arc<Self>, question: Question) -> Answer {
        let key = question.key();
        if let Some(known) = self.answers.get(&key) {
            return known;
        }
        // In a task of its own, which goes on if the client disconnects.
        let found = tokio::spawn(async move {
            let lane = if question.is_about_a_spot() { &self.spots } else { &self.games };
            self.answers.get_or_insert_async(&key, lane.answer(question)).await
        });
        let found = found.await.map_err(|error| {
            tracing::error!(%error, "a question could not be answered");
            Problem::from(Code::Internal)
        });
        found??
    }
}
