//! Deliberate bugs. A saboteur sits between a node and the store and does what a bug would do; the
//! auditor has to notice.

use std::sync::{Arc, Mutex};

use croupier_rules::Amount;
use croupier_store::{
    AccountState, Accounts, Answered, Append, CommandKey, Journals, PlayedRound, RoundPlace,
    RoundRow, Rounds, StoreError, TableRow, Takings, Written,
};
use croupier_table::{Account, Entry, Event, Hash, Seed, Time, Transfer, movements};

use crate::chance::at_once;
use crate::faults::lock;
use crate::wire::Shared;

/// A bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sabotage {
    /// A payoff is paid once more, under another key.
    PaidTwice,
    /// When a round is void, a stake is not returned.
    StakeKeptOnVoid,
    /// When a round is not dealt, a stake is not returned.
    StakeKept,
    /// The part that the bank's wager does not cover is taken from the banker anyway.
    CoverageOverrun,
    /// A payoff goes to the wrong player.
    PaidToAnother,
    /// A table is stored without its deadline.
    DeadlineForgotten,
    /// Claims never return tables that are in betting.
    WakeUpSwallowed,
    /// A wager is acknowledged but not stored.
    WagerForgotten,
    /// A command is carried out, but its answer is not stored.
    AnswerForgotten,
    /// A node crashes, and the round comes back with another seed than the one it committed to.
    DeckChanged,
    /// A node crashes, and a wager comes back larger than it was.
    WagerRaised,
}

/// The saboteur's state.
#[derive(Debug, Default)]
pub(crate) struct Plot {
    pub(crate) bug: Option<Sabotage>,
    /// How many payoffs were paid twice, so that each has its own key.
    payoffs: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Saboteur {
    store: Shared,
    plot: Arc<Mutex<Plot>>,
}

impl Saboteur {
    pub(crate) fn new(store: Shared, bug: Option<Sabotage>) -> Self {
        Self { store, plot: Arc::new(Mutex::new(Plot { bug, payoffs: 0 })) }
    }

    fn bug(&self) -> Option<Sabotage> {
        lock(&self.plot).bug
    }

    async fn on_append(&self, mut append: Append) -> Result<Written, StoreError> {
        match self.bug() {
            None | Some(Sabotage::WakeUpSwallowed) => {}
            Some(Sabotage::PaidTwice) => self.pay_twice(&mut append.transfers),
            Some(Sabotage::StakeKeptOnVoid) => keep_a_stake(&mut append, "stopped"),
            Some(Sabotage::StakeKept) => keep_a_stake(&mut append, "round-undealt"),
            Some(Sabotage::CoverageOverrun) => self.overrun(&mut append.transfers),
            Some(Sabotage::PaidToAnother) => pay_another(&mut append.transfers),
            Some(Sabotage::DeadlineForgotten) => {
                let is_dealt = |entry: &Entry| entry.body.contains(r#""event":"dealt""#);
                if append.entries.iter().any(is_dealt) {
                    append.deadline = None;
                }
            }
            Some(Sabotage::WagerForgotten) => {
                let is_wager = |entry: &Entry| entry.body.contains(r#""event":"wagered""#);
                if append.entries.len() == 1 && is_wager(&append.entries[0]) {
                    return Ok(Written::Now);
                }
            }
            Some(Sabotage::AnswerForgotten) => append.command = None,
            Some(Sabotage::DeckChanged) => {
                if self.rewrite(&mut append, change_deck) {
                    return self.crash_after(append).await;
                }
            }
            Some(Sabotage::WagerRaised) => {
                if self.raise(&mut append) {
                    return self.crash_after(append).await;
                }
            }
        }
        self.store.append(append).await
    }

    async fn on_transfer(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        self.store.transfer(transfers, at, command).await
    }

    async fn on_claim(
        &self,
        now: Time,
        until: Time,
        most: usize,
    ) -> Result<Vec<String>, StoreError> {
        let mut claimed = self.store.claim(now, until, most).await?;
        if self.bug() == Some(Sabotage::WakeUpSwallowed) {
            claimed.retain(|table| !self.is_betting(table));
        }
        Ok(claimed)
    }

    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "other wrappers may fail")]
    const fn on_read(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Returns whether the last event at a table is a wager.
    fn is_betting(&self, table: &str) -> bool {
        let row = at_once(self.store.table(table)).expect("the store works");
        let version = row.map_or(0, |row| row.version);
        let last = at_once(self.store.journal(table, version, 1)).expect("the store works");
        last.iter().any(|entry| entry.body.contains(r#""event":"wagered""#))
    }

    fn pay_twice(&self, transfers: &mut Vec<Transfer>) {
        let is_payoff = |transfer: &&Transfer| {
            transfer.key.ends_with("/pay") && matches!(transfer.from, Account::House(_))
        };
        let Some(mut again) = transfers.iter().find(is_payoff).cloned() else { return };
        let mut plot = lock(&self.plot);
        plot.payoffs += 1;
        again.key = format!("correction/{}", plot.payoffs);
        transfers.push(again);
    }

    /// Makes the banker pay more than they posted, if they have it.
    fn overrun(&self, transfers: &mut Vec<Transfer>) {
        let is_payoff = |transfer: &&Transfer| {
            matches!(transfer.from, Account::Posted(_)) && transfer.key.ends_with("/pay")
        };
        let is_rest = |transfer: &Transfer| transfer.key.ends_with("/bank/return");
        // If something is returned to the banker, all that was due has been paid.
        if transfers.iter().any(is_rest) {
            return;
        }
        let Some(last) = transfers.iter().rfind(is_payoff).cloned() else { return };
        let is_collected = |transfer: &&Transfer| transfer.key.ends_with("/collect");
        let collected = transfers.iter().find(is_collected);
        let Some(banker) = collected.map(|transfer| transfer.to.clone()) else { return };
        let key = format!("{}/rest", last.key);
        let more = Transfer { key, from: banker.clone(), to: last.to, amount: Amount::cents(100) };
        let mut with_more = transfers.clone();
        with_more.push(more);
        let moved = movements(&with_more).ok().and_then(|moved| moved.get(&banker).copied());
        let has = at_once(self.store.balance(&banker)).expect("the store works");
        if moved.is_some_and(|moved| moved.from(&banker, has).is_ok()) {
            *transfers = with_more;
        }
    }

    /// Writes a change without telling the node, so that it reads it again.
    async fn crash_after(&self, append: Append) -> Result<Written, StoreError> {
        match self.store.append(append).await? {
            Written::Now => Err(StoreError::Unknown("the node has crashed".to_owned())),
            before @ Written::Repeated(_) => Ok(before),
        }
    }

    /// Rewrites entries, and seals them again; returns whether anything changed.
    fn rewrite(&self, append: &mut Append, other: impl Fn(&str, Event) -> Event) -> bool {
        let last = at_once(self.store.journal(&append.table, append.expected, 1));
        let last = last.expect("the store works");
        let Some(mut previous) = last.first().map(|entry| entry.hash) else { return false };
        if !append.entries[0].is_sealed_after(&previous) {
            return false;
        }
        let before = append.entries.clone();
        for entry in &mut append.entries {
            let event = other(&append.table, Event::read(&entry.body).expect("an event"));
            *entry = Entry::seal(&previous, entry.version, entry.at, event.body());
            previous = entry.hash;
        }
        append.entries != before
    }

    fn raise(&self, append: &mut Append) -> bool {
        let is_stake = |transfer: &Transfer| transfer.key.contains("/stake/");
        // Anything that depends on the wager would have to change too: so only a lone wager is
        // raised.
        if append.entries.len() > 1 || !append.transfers.iter().all(is_stake) {
            return false;
        }
        let raised = self.rewrite(append, |_, event| match event {
            Event::Wagered { seat, ante, bonus } if ante == Amount::cents(500) => {
                Event::Wagered { seat, ante: Amount::cents(1000), bonus }
            }
            other => other,
        });
        let of_ante = |key: &str| key.contains("/ante/") || key.contains("/blind/");
        for transfer in append.transfers.iter_mut().filter(|_| raised) {
            if of_ante(&transfer.key) {
                transfer.amount = Amount::cents(1000);
            }
        }
        raised
    }
}

/// Drops a refund of a round that ended in this way.
fn keep_a_stake(append: &mut Append, end: &str) {
    let name = format!(r#""event":"{end}""#);
    let was_stopped = append.entries.iter().any(|entry| entry.body.contains(&name));
    let is_refund = |transfer: &Transfer| {
        matches!(transfer.from, Account::Escrow(_)) && matches!(transfer.to, Account::Player(_))
    };
    if was_stopped && let Some(place) = append.transfers.iter().position(is_refund) {
        append.transfers.remove(place);
    }
}

/// Pays a payoff to another player who was paid or refunded in the round.
fn pay_another(transfers: &mut [Transfer]) {
    let Some(place) = transfers.iter().position(|transfer| transfer.key.ends_with("/pay")) else {
        return;
    };
    let other = transfers.iter().find_map(|transfer| match &transfer.to {
        Account::Player(_) if transfer.to != transfers[place].to => Some(transfer.to.clone()),
        _ => None,
    });
    if let Some(other) = other {
        transfers[place].to = other;
    }
}

fn change_deck(table: &str, event: Event) -> Event {
    match event {
        Event::RoundOpened { round, .. } => {
            let seed = Seed::from_bytes([7; 32]);
            let commitment = seed.commitment(table, round);
            Event::RoundOpened { round, seed, commitment }
        }
        other => other,
    }
}

around!(Saboteur, store);
