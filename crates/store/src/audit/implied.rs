//! Compares the journals with the data that is stored next to them.

use std::collections::BTreeMap;

use croupier_table::{
    Account, Entry, Event, Hash, JournalFault, TermsCache, Transfer, replay_money,
};
use serde::Deserialize;

use super::{RoundLine, SeatLine};
use crate::error::StoreError;
use crate::journals::{TableRow, damaged};

/// The data that the journals imply, so far.
///
/// It keeps two numbers for each round, whatever happened in it: sums of fingerprints, to which the
/// journal adds and from which the stored rows subtract. One of them is not zero at the end if
/// anything is missing, extra or different.
#[derive(Debug, Default)]
pub(super) struct Implied {
    terms: TermsCache,
    tables: BTreeMap<String, Vec<Round>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Round {
    money: u64,
    outcome: u64,
}

/// A journal that is being read.
#[derive(Debug)]
pub(super) struct Reading {
    row: TableRow,
    /// The first entry, and those from the last checkpoint on.
    entries: Vec<Entry>,
    /// Whether the checkpoint in the table's row was among them.
    has_checkpoint: bool,
    rounds: Vec<Round>,
}

impl Reading {
    /// Begins a journal.
    pub(super) const fn new(row: TableRow) -> Self {
        let has_checkpoint = row.checkpoint == 0;
        Self { row, entries: Vec::new(), has_checkpoint, rounds: Vec::new() }
    }

    fn round(&mut self, number: u64) -> &mut Round {
        // The replay makes sure that rounds are consecutive, so this cannot grow without limit.
        let place = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        let place = place.min(self.rounds.len());
        if place == self.rounds.len() {
            self.rounds.push(Round::default());
        }
        &mut self.rounds[place]
    }
}

impl Implied {
    /// Takes the next entry of a journal. Its hash has been checked.
    pub(super) fn entry(&mut self, reading: &mut Reading, entry: &Entry) -> Result<(), StoreError> {
        let (table, version) = (reading.row.table.clone(), entry.version);
        let unreadable = |error: serde_json::Error| {
            damaged(&table, version, JournalFault::Unreadable { why: error.to_string() })
        };
        reading.entries.push(entry.clone());
        match Event::read(&entry.body).map_err(unreadable)? {
            Event::Checkpoint(_) => {
                reading.has_checkpoint |= version == reading.row.checkpoint;
                // Up to here the checkpoint is compared with the entries before it; from here on
                // the replay starts at it.
                self.replay(reading)?;
                reading.entries.truncate(1);
                reading.entries.push(entry.clone());
            }
            Event::RoundOver { record } => {
                let record: Record = serde_json::from_str(&record.0).map_err(unreadable)?;
                let house = &reading.row.house;
                let outcome = record.sum(version, house).ok_or_else(|| {
                    let why = "its record has no result for a seat".to_owned();
                    damaged(&table, version, JournalFault::Unreadable { why })
                })?;
                reading.round(record.shuffle.round).outcome = outcome;
            }
            Event::RoundOpened { round, .. } => {
                reading.round(round);
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes the end of a journal, and compares the result with the table's row.
    pub(super) fn close(&mut self, mut reading: Reading) -> Result<(), StoreError> {
        let folded = self.replay(&mut reading)?;
        let TableRow { table, house, checkpoint, deadline, closed, .. } = &reading.row;
        let wrong = |what: String| {
            let why = format!("table {table} {what}, but its journal says otherwise");
            Err(StoreError::Damaged(why))
        };
        if house != folded.terms().house().id() {
            return wrong(format!("plays the house {house}"));
        }
        if *closed != folded.is_closed() {
            return wrong(format!("is {}", if *closed { "closed" } else { "not closed" }));
        }
        if *deadline != folded.next_wake() {
            return wrong(match deadline {
                Some(at) => format!("has its deadline at {}", at.as_millis()),
                None => "has no deadline".to_owned(),
            });
        }
        if !reading.has_checkpoint {
            return wrong(format!("has its checkpoint at entry {checkpoint}"));
        }
        self.tables.insert(reading.row.table, reading.rounds);
        Ok(())
    }

    fn replay(&mut self, reading: &mut Reading) -> Result<croupier_table::Table, StoreError> {
        let table = &reading.row.table;
        let replayed = replay_money(table, &reading.entries, &mut self.terms);
        let (folded, transfers) =
            replayed.map_err(|error| StoreError::Damaged(error.to_string()))?;
        for transfer in transfers {
            let Some((_, round)) = place(&transfer.key) else { continue };
            let sum = &mut reading.round(round).money;
            *sum = sum.wrapping_add(money(&transfer));
        }
        Ok(folded)
    }

    /// Returns the tables, with the number of each one's last round.
    pub(super) fn rounds(&self) -> impl Iterator<Item = (&str, u64)> {
        self.tables.iter().map(|(table, rounds)| (table.as_str(), rounds.len() as u64))
    }

    fn known(&mut self, table: &str, round: u64) -> Option<&mut Round> {
        let place = usize::try_from(round.checked_sub(1)?).ok()?;
        self.tables.get_mut(table)?.get_mut(place)
    }

    /// Takes a stored transfer.
    pub(super) fn transfer(&mut self, transfer: &Transfer) -> Result<(), StoreError> {
        let place = place(&transfer.key);
        if let Some(round) = place.and_then(|(table, round)| self.known(table, round)) {
            round.money = round.money.wrapping_sub(money(transfer));
            return Ok(());
        }
        let of_table = place.is_some_and(|(table, _)| self.tables.contains_key(table))
            || [&transfer.from, &transfer.to].into_iter().any(is_tables_money);
        if !of_table {
            return Ok(());
        }
        let Transfer { key, from, to, amount } = transfer;
        Err(StoreError::Damaged(format!(
            "the transfer {key} moves {amount} from {from} to {to}, but is in no journal"
        )))
    }

    /// Takes a stored round.
    pub(super) fn stored_round(&mut self, line: &RoundLine<'_>) -> Result<(), StoreError> {
        self.stored(line.table, line.round, round_sum(line))
    }

    /// Takes a stored seat of a round.
    pub(super) fn stored_seat(&mut self, line: &SeatLine<'_>) -> Result<(), StoreError> {
        self.stored(line.table, line.round, seat_sum(line))
    }

    fn stored(&mut self, table: &str, number: u64, sum: u64) -> Result<(), StoreError> {
        let Some(round) = self.known(table, number) else {
            let why = format!("round {number} of table {table} is stored, but is in no journal");
            return Err(StoreError::Damaged(why));
        };
        round.outcome = round.outcome.wrapping_sub(sum);
        Ok(())
    }

    /// Checks that the stored rows are exactly those that the journals imply.
    pub(super) fn finish(&self) -> Result<(), StoreError> {
        for (table, rounds) in &self.tables {
            for (number, round) in (1..).zip(rounds) {
                let what = match round {
                    Round { money: 0, outcome: 0 } => continue,
                    Round { money: 0, .. } => "the stored result of",
                    Round { .. } => "the transfers of",
                };
                let why = format!("the journal contradicts {what} round {number} of table {table}");
                return Err(StoreError::Damaged(why));
            }
        }
        Ok(())
    }
}

/// Returns the table and the round of a journal's transfer: `table/round/seat/bet/what…`.
fn place(key: &str) -> Option<(&str, u64)> {
    let mut parts = key.split('/');
    let (table, round) = (parts.next()?, parts.next()?.parse().ok()?);
    let _: u32 = parts.next()?.parse().ok()?;
    parts.next().map(|_| (table, round))
}

/// Returns whether an account holds a table's money, which moves only in its journal.
const fn is_tables_money(account: &Account) -> bool {
    matches!(
        account,
        Account::Escrow(_) | Account::Posted(_) | Account::House(_) | Account::Practice(_)
    )
}

fn sum(text: &str) -> u64 {
    let hash = Hash::of(text.as_bytes());
    hash.as_bytes().first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

fn money(transfer: &Transfer) -> u64 {
    let Transfer { key, from, to, amount } = transfer;
    sum(&format!("{} {from}\n{to}\n{key}", amount.as_cents()))
}

fn round_sum(line: &RoundLine<'_>) -> u64 {
    let RoundLine { version, void, house, .. } = line;
    sum(&format!("round {version} {void} {house}"))
}

fn seat_sum(line: &SeatLine<'_>) -> u64 {
    let SeatLine { seat, banked, ante, bonus, staked, net, player, .. } = line;
    sum(&format!("seat {seat} {banked} {ante} {bonus} {staked} {net} {player}"))
}

/// A round's record, as far as it is stored outside the journal.
#[derive(Deserialize)]
struct Record {
    shuffle: Shuffle,
    banker: Option<Banker>,
    seats: Vec<Seat>,
    void: Option<String>,
    result: Outcome,
}

#[derive(Deserialize)]
struct Shuffle {
    round: u64,
}

#[derive(Deserialize)]
struct Banker {
    seat: u64,
    player: String,
    wager: i64,
}

#[derive(Deserialize)]
struct Seat {
    seat: u64,
    player: String,
}

#[derive(Deserialize)]
struct Outcome {
    seats: Vec<SeatOutcome>,
    bank: BankOutcome,
}

#[derive(Deserialize)]
struct SeatOutcome {
    seat: u64,
    wagers: BTreeMap<String, Wager>,
    net: i64,
}

#[derive(Deserialize)]
struct Wager {
    staked: i64,
}

#[derive(Deserialize)]
struct BankOutcome {
    net: i64,
}

impl Record {
    /// Returns the expected sum of the round's rows.
    fn sum(&self, version: u64, house: &str) -> Option<u64> {
        // The table and the number do not matter: the sum is stored under them.
        let (table, round) = ("", 0);
        let void = self.void.is_some();
        let mut total = round_sum(&RoundLine { table, round, version, house, void });
        let mut add = |line: &SeatLine<'_>| total = total.wrapping_add(seat_sum(line));
        for Seat { seat, player } in &self.seats {
            let outcome = self.result.seats.iter().find(|outcome| outcome.seat == *seat)?;
            let staked = outcome.wagers.values().map(|wager| wager.staked).sum();
            let on = |bet: &str| outcome.wagers.get(bet).map_or(0, |wager| wager.staked);
            let (ante, bonus) = (on("ante"), on("bonus"));
            let (seat, net, banked) = (*seat, outcome.net, false);
            add(&SeatLine { table, round, seat, player, banked, ante, bonus, staked, net });
        }
        if let Some(Banker { seat, player, wager }) = &self.banker {
            let (seat, staked, net, banked) = (*seat, *wager, self.result.bank.net, true);
            let (ante, bonus) = (0, 0);
            add(&SeatLine { table, round, seat, player, banked, ante, bonus, staked, net });
        }
        Some(total)
    }
}
