//! All that is a rule or a number, over HTTP: houses, pay tables, odds, advice, charts, what a
//! strategy costs, and rounds replayed and verified. The answers are those of the commands with
//! `--json`, and a page needs no rules of its own.
//!
//! A whole game takes about a second to solve, a strategy two or three, and a spot up to a fifth of
//! one. They are counted on threads beside those that answer requests, in two lanes, so that nobody
//! who is about to decide waits for somebody who solves games. A lane has one thread less than the
//! machine has cores, and so much room to wait in that whoever is let in is answered within half a
//! minute even on two cores; the others are told to come back. Answers are kept, and who asks what
//! is being counted waits for the same answer. A question that was let in is answered, even if
//! nobody is there to hear it: whoever asks again finds the answer.

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

pub(crate) use self::answers::{LimitsFields, TablePlacard};
pub(crate) use self::ask::GameName;
pub(crate) use self::routes::router;

use self::question::Question;
use crate::problem::{Code, Problem};

/// Who answers questions that take some counting.
#[derive(Debug)]
pub(crate) struct Analyst {
    catalog: Arc<Catalog>,
    answers: Cache<String, Answer, Size>,
    games: Lane,
    spots: Lane,
}

/// What was found, as JSON, or why there is nothing to find. It is the same whenever it is asked.
type Answer = Result<Bytes, Problem>;

/// How many bytes of answers are kept.
const KEPT: u64 = 32 << 20;

/// About how many answers those are.
const KEPT_ANSWERS: usize = 4_096;

/// How many games may wait to be solved.
const GAMES_WAITING: usize = 8;

/// How many spots may wait to be looked at.
const SPOTS_WAITING: usize = 64;

/// Measures an answer, with its question.
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

/// Threads for questions of a kind, and room to wait for one.
#[derive(Debug)]
struct Lane {
    threads: Arc<Semaphore>,
    /// One for each thread, and one for each that may wait.
    room: Arc<Semaphore>,
}

impl Lane {
    fn new(threads: usize, waiting: usize) -> Self {
        Self {
            threads: Arc::new(Semaphore::new(threads)),
            room: Arc::new(Semaphore::new(threads + waiting)),
        }
    }

    /// Answers a question as soon as there is a thread for it.
    async fn answer(&self, question: Question) -> Result<Answer, Problem> {
        let Ok(place) = Arc::clone(&self.room).try_acquire_owned() else {
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
            Problem::from(Code::Fault)
        })
    }
}

impl Analyst {
    /// Returns the houses and pay tables that come with the program.
    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Returns somebody who knows these houses and pay tables, and has as many threads for games,
    /// and for spots, as the machine can do without.
    pub(crate) fn new(catalog: Arc<Catalog>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self::with_threads(catalog, cores.saturating_sub(1).max(1))
    }

    fn with_threads(catalog: Arc<Catalog>, threads: usize) -> Self {
        Self {
            catalog,
            answers: Cache::with_weighter(KEPT_ANSWERS, KEPT, Size),
            games: Lane::new(threads, GAMES_WAITING),
            spots: Lane::new(threads, SPOTS_WAITING),
        }
    }

    /// Answers a question in JSON, from memory if it was asked before.
    async fn answer(self: Arc<Self>, question: Question) -> Answer {
        let key = question.key();
        if let Some(known) = self.answers.get(&key) {
            return known;
        }
        // By itself, so that it goes on if nobody waits for it any more.
        let found = tokio::spawn(async move {
            let lane = if question.is_about_a_spot() { &self.spots } else { &self.games };
            self.answers.get_or_insert_async(&key, lane.answer(question)).await
        });
        let found = found.await.map_err(|error| {
            tracing::error!(%error, "a question could not be answered");
            Problem::from(Code::Fault)
        });
        found??
    }
}
