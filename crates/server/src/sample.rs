//! Rounds that a report prices: all of them, or as many as are priced in bounded time.

use std::sync::Arc;

use croupier_rules::Record;
use croupier_store::{RoundRow, Store};
use croupier_table::{Event, Hash, Terms, Time};

use crate::pricing::{Priced, Theory};
use crate::problem::{Code, Problem};
use crate::room::Shared;

/// How many rounds a report prices, and how many hands, on average. A decision on the flop takes up
/// to a sixth of a millisecond.
const ROUNDS: u64 = 4_000;
const HANDS: u64 = 8_000;

/// How many rounds are read at a time where none is left out.
const PAGE: usize = 100;

/// How many rounds are priced before the node does something else.
const CHUNK: usize = 50;

/// Which rounds of a time are priced: every so many of each table, by their numbers alone.
///
/// Whether a round is among them must not depend on how it ended, nor on what players did after
/// it: the last rounds of every table, for instance, would be those after which players like to
/// leave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    from: Time,
    to: Time,
    /// One round in so many.
    step: u64,
}

impl Sample {
    /// Takes a sample of games that have so many rounds and hands each.
    pub(crate) fn new(games: impl Iterator<Item = (u64, u64)>, from: Time, to: Time) -> Self {
        let (mut rounds, mut hands) = (0_u64, 0_u64);
        for (more_rounds, more_hands) in games {
            rounds = rounds.saturating_add(more_rounds);
            hands = hands.saturating_add(more_hands);
        }
        let step = rounds.div_ceil(ROUNDS).max(hands.div_ceil(HANDS)).max(1);
        // The bank goes around in twos, so that an even step would meet the same banker each time.
        Self { from, to, step: step | 1 }
    }

    /// Returns which number of a table is the first of the sample: each table has its own, so that
    /// tables with few rounds are met as often as others.
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
        room: &Shared,
        terms: &Arc<Terms>,
        theory: &Theory,
        tables: &[String],
    ) -> Result<Priced, Problem> {
        let mut sum = Priced::default();
        for table in tables {
            match self.price_table(room, terms, theory, table).await {
                Ok(priced) => sum.add(&priced),
                // A table that cannot be read is for an audit to look at, and stops no report.
                Err(problem) if problem.code == Code::Fault.name() => {
                    tracing::warn!(table, "the rounds of a table cannot be priced");
                }
                Err(problem) => return Err(problem),
            }
        }
        Ok(sum)
    }

    async fn price_table(
        &self,
        room: &Shared,
        terms: &Arc<Terms>,
        theory: &Theory,
        table: &str,
    ) -> Result<Priced, Problem> {
        let (mut sum, mut end) = (Priced::default(), self.end(room, table).await?);
        loop {
            let rows = self.page(room, table, &mut end).await?;
            if rows.is_empty() {
                return Ok(sum);
            }
            let priced = price_all(room, terms, theory, rows).await?;
            sum.add(&priced);
        }
    }

    /// Returns the number of the first round of a table that was over after the time. Rounds are
    /// over in the order of their numbers.
    async fn end(&self, room: &Shared, table: &str) -> Result<u64, Problem> {
        let (mut low, mut high) = (0, room.table(table).await?.round_number() + 1);
        if self.to > room.now() {
            return Ok(high);
        }
        while low + 1 < high {
            let middle = low.midpoint(high);
            let latest = room.store().rounds_at(table, middle + 1, 1).await?;
            match latest.first() {
                Some(row) if row.at >= self.to => high = row.round,
                _ => low = middle,
            }
        }
        Ok(high)
    }

    /// Returns some rounds of the sample before a number, which moves on to the last of them. No
    /// rounds are the end.
    async fn page(
        &self,
        room: &Shared,
        table: &str,
        end: &mut u64,
    ) -> Result<Vec<RoundRow>, Problem> {
        let first = self.first(table);
        let mut rows = Vec::new();
        while rows.len() < CHUNK {
            // The largest number before the end that is in the sample.
            let Some(beyond) = end.checked_sub(first + 1) else { break };
            let number = first + beyond / self.step * self.step;
            let most = if self.step == 1 { PAGE } else { 1 };
            let mut page = room.store().rounds_at(table, number + 1, most).await?;
            let Some(&RoundRow { round: last, at, .. }) = page.last() else { break };
            if self.step == 1 {
                *end = last;
            } else if last == number {
                *end = number;
            } else {
                // This one was not dealt.
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

/// Prices rounds on a thread of their own.
async fn price_all(
    room: &Shared,
    terms: &Arc<Terms>,
    theory: &Theory,
    rows: Vec<RoundRow>,
) -> Result<Priced, Problem> {
    let mut bodies = Vec::with_capacity(rows.len());
    for row in rows {
        let entry = room.store().journal(&row.table, row.version, 1).await?.pop();
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
                // It is for an audit to say what is wrong with it, and stops no report.
                tracing::error!(row.table, row.round, "a round cannot be priced");
            }
        }
        sum
    };
    tokio::task::spawn_blocking(price).await.map_err(|_| Code::Fault.into())
}
