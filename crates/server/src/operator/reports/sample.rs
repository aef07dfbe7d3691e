//! The rounds that a report prices: all of them, or as many as can be priced in bounded time.

use std::sync::Arc;

use croupier_rules::Record;
use croupier_store::{Journals, RoundRow, Rounds};
use croupier_table::{Event, Hash, Terms, Time};

use super::pricing::{Priced, Theory};
use crate::http::problem::{Code, Problem};
use crate::state::AppState;

/// How many rounds and hands a report prices on average. A decision on the flop takes up to a sixth
/// of a millisecond.
const TARGET_ROUNDS: u64 = 4_000;
const TARGET_HANDS: u64 = 8_000;

/// How many rounds are read at a time when none is skipped.
const PAGE: usize = 100;

/// How many rounds are priced before the node yields to other work.
const CHUNK: usize = 50;

/// A sample of the rounds in a time span: every nth round of each table, by round number alone.
///
/// Whether a round is in the sample must not depend on how it ended, nor on what players did after
/// it. The last rounds of every table, for instance, would be the ones after which players like to
/// leave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    from: Time,
    to: Time,
    /// The distance between sampled rounds.
    step: u64,
}

impl Sample {
    /// Creates a sample of games with these numbers of rounds and hands.
    pub(crate) fn new(games: impl Iterator<Item = (u64, u64)>, from: Time, to: Time) -> Self {
        let (mut rounds, mut hands) = (0_u64, 0_u64);
        for (more_rounds, more_hands) in games {
            rounds = rounds.saturating_add(more_rounds);
            hands = hands.saturating_add(more_hands);
        }
        let step = rounds.div_ceil(TARGET_ROUNDS).max(hands.div_ceil(TARGET_HANDS)).max(1);
        // The bank rotates every two rounds, so that an even step would hit the same banker each
        // time.
        Self { from, to, step: step | 1 }
    }

    /// Returns the number of a table's first round in the sample. Each table has its own, so that
    /// tables with few rounds are sampled as often as others.
    fn first(&self, table: &str) -> u64 {
        let hash = Hash::of(table.as_bytes());
        let number = hash
            .as_bytes()
            .iter()
            .take(8)
            .fold(0, |number: u64, &byte| (number << 8) | u64::from(byte));
        number % self.step
    }

    /// Prices the rounds of these tables that are in the sample.
    pub(crate) async fn price(
        &self,
        state: &AppState,
        terms: &Arc<Terms>,
        theory: &Theory,
        tables: &[String],
    ) -> Result<Priced, Problem> {
        let mut sum = Priced::default();
        for table in tables {
            match self.price_table(state, terms, theory, table).await {
                Ok(priced) => sum.add(&priced),
                // A table that cannot be read is for an audit to examine, and does not stop the
                // report.
                Err(problem) if problem.code == Code::Internal.name() => {
                    tracing::warn!(table, "the rounds of a table cannot be priced");
                }
                Err(problem) => return Err(problem),
            }
        }
        Ok(sum)
    }

    async fn price_table(
        &self,
        state: &AppState,
        terms: &Arc<Terms>,
        theory: &Theory,
        table: &str,
    ) -> Result<Priced, Problem> {
        let (mut sum, mut end) = (Priced::default(), self.end(state, table).await?);
        loop {
            let rows = self.page(state, table, &mut end).await?;
            if rows.is_empty() {
                return Ok(sum);
            }
            let priced = price_all(state, terms, theory, rows).await?;
            sum.add(&priced);
        }
    }

    /// Returns the number of a table's first round that ended after the time span. Rounds end in
    /// the order of their numbers.
    async fn end(&self, state: &AppState, table: &str) -> Result<u64, Problem> {
        let (mut low, mut high) = (0, state.table(table).await?.round_number() + 1);
        if self.to > state.now() {
            return Ok(high);
        }
        while low + 1 < high {
            let middle = low.midpoint(high);
            let latest = state.store().rounds_at(table, middle + 1, 1).await?;
            match latest.first() {
                Some(row) if row.at >= self.to => high = row.round,
                _ => low = middle,
            }
        }
        Ok(high)
    }

    /// Returns some sampled rounds before `end`, and moves `end` back past them. An empty
    /// result is the end.
    async fn page(
        &self,
        state: &AppState,
        table: &str,
        end: &mut u64,
    ) -> Result<Vec<RoundRow>, Problem> {
        let first = self.first(table);
        let mut rows = Vec::new();
        while rows.len() < CHUNK {
            // The largest sampled number before the end.
            let Some(beyond) = end.checked_sub(first + 1) else { break };
            let number = first + beyond / self.step * self.step;
            let most = if self.step == 1 { PAGE } else { 1 };
            let mut page = state.store().rounds_at(table, number + 1, most).await?;
            let Some(&RoundRow { round: last, at, .. }) = page.last() else { break };
            if self.step == 1 {
                *end = last;
            } else if last == number {
                *end = number;
            } else {
                // This round was not dealt.
                *end = last + 1;
                page.clear();
            }
            let in_time = |row: &RoundRow| row.at >= self.from && row.at < self.to;
            rows.extend(page.into_iter().filter(|row| !row.void && in_time(row)));
            if at < self.from {
                *end = 0;
            }
        }
        Ok(rows)
    }
}

/// Prices rounds on a blocking thread.
async fn price_all(
    state: &AppState,
    terms: &Arc<Terms>,
    theory: &Theory,
    rows: Vec<RoundRow>,
) -> Result<Priced, Problem> {
    let mut bodies = Vec::with_capacity(rows.len());
    for row in rows {
        let entry = state.store().journal(&row.table, row.version, 1).await?.pop();
        bodies.extend(entry.map(|entry| (row, entry.body)));
    }
    let (terms, theory) = (Arc::clone(terms), theory.clone());
    let price = move || {
        let mut sum = Priced::default();
        for (row, body) in bodies {
            let Ok(Event::RoundOver { record }) = Event::read(&body) else { continue };
            let record = Record::read(&record.0, terms.catalog()).ok();
            if let Some(priced) = record.and_then(|record| Priced::round(&record, &theory)) {
                sum.add(&priced);
            } else {
                // An audit determines what is wrong with it; it does not stop the report.
                tracing::error!(row.table, row.round, "a round cannot be priced");
            }
        }
        sum
    };
    tokio::task::spawn_blocking(price).await.map_err(|_| Code::Internal.into())
}
