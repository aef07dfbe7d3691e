//! Finds rounds in the journal that ended before a card was dealt.
//!
//! They have a number, but no record and no row of their own. The numbers of rounds grow with the
//! versions of a journal, so a binary search finds where a round opened, in old journals too.

use std::collections::BTreeMap;

use croupier_rules::{Amount, Seat};
use croupier_table::{
    Account, Entry, Event, Hash, JournalFault, Time, Transfer, export_undealt, first_hash,
};

use crate::accounts::Accounts;
use crate::floor::{Floor, FloorError, damaged};
use crate::journals::Journals;
use crate::rounds::Rounds;

/// How many entries are read at a time to find the next one with a round's number.
const LOOK: usize = 64;

/// How many entries are read at a time otherwise.
const PAGE: usize = 512;

/// A round that ended before a card was dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undealt {
    /// Its number.
    pub round: u64,
    /// When it ended.
    pub at: Time,
    /// The reason.
    pub reason: String,
    /// The round's public proof, as [`export_undealt`] writes it.
    pub export: String,
    /// The stakes that went back, in the order of the seats.
    pub stakes: Vec<ReturnedStake>,
}

/// A stake that went back because the round was not dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnedStake {
    /// The seat.
    pub seat: Seat,
    /// The player who sat there.
    pub player: String,
    /// Whether it was posted to bank.
    pub banked: bool,
    /// The amount.
    pub amount: Amount,
}

/// A round, as far as it has been read.
struct Opened {
    round: u64,
    commitment: Hash,
    /// Each seat's stake or bank, and whether the seat banks.
    stakes: BTreeMap<Seat, (Amount, bool)>,
    /// How often each seat staked or posted, as the keys of transfers count it.
    times: BTreeMap<Seat, u32>,
}

impl Opened {
    fn read(&mut self, event: &Event) {
        let (seat, stake) = match *event {
            Event::Wagered { seat, ante, bonus } => {
                let both = ante.times(2).and_then(|both| both.plus(bonus));
                (seat, Some((both.unwrap_or(Amount::ZERO), false)))
            }
            Event::BankTaken { seat, wager } => (seat, Some((wager, true))),
            Event::Withdrawn { seat } => (seat, None),
            _ => return,
        };
        match stake {
            Some(stake) => {
                self.stakes.insert(seat, stake);
                *self.times.entry(seat).or_default() += 1;
            }
            None => {
                self.stakes.remove(&seat);
            }
        }
    }
}

impl<S: Journals + Accounts + Rounds> Floor<S> {
    /// Returns the rounds from `first` to `last`, inclusive, that ended before a card was dealt, in
    /// order. An open round is not among them.
    ///
    /// # Errors
    ///
    /// When the store fails, or the journal is damaged.
    pub async fn undealt(
        &self,
        table: &str,
        first: u64,
        last: u64,
    ) -> Result<Vec<Undealt>, FloorError> {
        let Some(mut version) = self.opening_of(table, first).await? else {
            return Ok(Vec::new());
        };
        let (mut found, mut open) = (Vec::new(), None::<Opened>);
        let mut previous = match version.checked_sub(1).filter(|before| *before > 0) {
            None => first_hash(table),
            Some(before) => {
                let entries = self.store().journal(table, before, 1).await?;
                let missing = || damaged(table, before, JournalFault::Missing);
                entries.first().ok_or_else(missing)?.hash
            }
        };
        loop {
            let page = self.store().journal(table, version, PAGE).await?;
            let Some(end) = page.last() else { return Ok(found) };
            version = end.version + 1;
            for entry in page {
                let unreadable = |why: serde_json::Error| {
                    let fault = JournalFault::Unreadable { why: why.to_string() };
                    damaged(table, entry.version, fault)
                };
                let event = Event::read(&entry.body).map_err(unreadable)?;
                match &event {
                    Event::RoundOpened { round, .. } if *round > last => return Ok(found),
                    Event::RoundOpened { round, commitment, .. } => {
                        let (stakes, times) = (BTreeMap::new(), BTreeMap::new());
                        open =
                            Some(Opened { round: *round, commitment: *commitment, stakes, times });
                    }
                    Event::RoundUndealt { reason, .. } => {
                        if let Some(opened) = open.take() {
                            let reason = reason.clone();
                            found.push(self.ended(table, opened, reason, &previous, &entry).await?);
                        }
                    }
                    Event::RoundOver { .. } => open = None,
                    event => {
                        if let Some(open) = &mut open {
                            open.read(event);
                        }
                    }
                }
                previous = entry.hash;
            }
        }
    }

    /// Builds the result for a round whose last entry this is.
    async fn ended(
        &self,
        table: &str,
        opened: Opened,
        reason: String,
        previous: &Hash,
        entry: &Entry,
    ) -> Result<Undealt, FloorError> {
        let Opened { round, commitment, stakes, times } = opened;
        let altered = || damaged(table, entry.version, JournalFault::Altered);
        if !entry.is_sealed_after(previous) {
            return Err(altered());
        }
        let export = export_undealt(table, round, &commitment, previous, entry);
        let mut returned = Vec::with_capacity(stakes.len());
        for (seat, (amount, banked)) in stakes {
            let bet = if banked { "bank" } else { "ante" };
            let times = times.get(&seat).copied().unwrap_or(1);
            let key = format!("{table}/{round}/{}/{bet}/withdraw/{times}", seat.number());
            if let Some(player) = self.paid_to(&key).await? {
                returned.push(ReturnedStake { seat, player, banked, amount });
            }
        }
        let export = export.ok_or_else(altered)?;
        Ok(Undealt { round, at: entry.at, reason, export, stakes: returned })
    }

    /// Returns the player who received a transfer.
    async fn paid_to(&self, key: &str) -> Result<Option<String>, FloorError> {
        let found = self.store().transfers(&just_before(key), 1).await?;
        let found = found.into_iter().find(|transfer| transfer.key == key);
        Ok(found.and_then(|Transfer { to, .. }| match to {
            Account::Player(player) => Some(player),
            _ => None,
        }))
    }

    /// Returns the entry that opened a round, or the first one after it.
    async fn opening_of(&self, table: &str, round: u64) -> Result<Option<u64>, FloorError> {
        let Some(row) = self.store().table(table).await? else { return Ok(None) };
        let before = self.store().rounds_at(table, round, 1).await?;
        // No round opens before the entry that ended the previous one.
        let mut low = before.first().map_or(1, |before| before.version + 1);
        let mut high = row.version + 1;
        while low < high {
            let middle = low.midpoint(high);
            match self.named_from(table, middle, high).await? {
                Some((version, named)) if named < round => low = version + 1,
                _ => high = middle,
            }
        }
        Ok(Some(low))
    }

    /// Returns the first entry in this range that has a round's number, and the number.
    async fn named_from(
        &self,
        table: &str,
        mut from: u64,
        end: u64,
    ) -> Result<Option<(u64, u64)>, FloorError> {
        while from < end {
            let page = self.store().journal(table, from, LOOK).await?;
            let Some(last) = page.last() else { return Ok(None) };
            from = last.version + 1;
            for entry in page.iter().filter(|entry| entry.version < end) {
                match names_a_round(entry).then(|| Event::read(&entry.body)) {
                    Some(Ok(Event::RoundOpened { round, .. })) => {
                        return Ok(Some((entry.version, round)));
                    }
                    Some(Ok(Event::Checkpoint(all))) => {
                        return Ok(Some((entry.version, all.round)));
                    }
                    _ => {}
                }
            }
        }
        Ok(None)
    }
}

/// Returns whether an entry may have a round's number, without parsing all of it.
fn names_a_round(entry: &Entry) -> bool {
    let begins = ["{\"event\":\"round-opened\"", "{\"event\":\"checkpoint\""];
    begins.iter().any(|begin| entry.body.starts_with(begin))
}

/// Returns a text that sorts before a key that ends in a number, and after every smaller key that
/// ends in a number.
fn just_before(key: &str) -> String {
    let (rest, last) = key.split_at(key.len() - 1);
    match last.parse::<u8>() {
        Ok(digit) if digit > 0 => format!("{rest}{}~", digit - 1),
        _ => rest.to_owned(),
    }
}
