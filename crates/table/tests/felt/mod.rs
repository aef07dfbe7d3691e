//! A table with everything around it that a test needs: a clock, seeds, chips and a journal. After
//! each step the journal is replayed, and must make the same table.

#![expect(dead_code, reason = "each test uses some of it")]

use std::sync::Arc;

use croupier_rules::{Amount, Catalog, Decision, Seat};
use croupier_table::{
    Account, Batch, Clocks, Command, Entry, Event, Ledger, Refusal, Seed, Shelf, Table, Terms,
    Time, Transfer, export, first_hash, replay,
};

/// What everybody begins with.
pub(crate) const CHIPS: i64 = 100_000;

pub(crate) const CLOCKS: Clocks =
    Clocks { offer: 10, betting: 20, reveal: 5, decision: 30, between: 4, empty: 60 };

pub(crate) struct Felt {
    pub(crate) table: Table,
    pub(crate) ledger: Ledger,
    pub(crate) journal: Vec<Entry>,
    pub(crate) now: Time,
    seeds: u8,
}

pub(crate) fn seat(number: u32) -> Seat {
    Seat::new(number).expect("a seat")
}

pub(crate) fn account(player: &str) -> Account {
    Account::Player(player.to_owned())
}

pub(crate) fn terms(house: &str, clocks: Option<Clocks>) -> Arc<Terms> {
    Arc::new(Terms::new(&Catalog::shipped(), house, None, clocks).expect("good terms"))
}

impl Felt {
    pub(crate) fn open(house: &str) -> Self {
        Self::on(terms(house, Some(CLOCKS)))
    }

    pub(crate) fn without_clocks(house: &str) -> Self {
        Self::on(terms(house, None))
    }

    pub(crate) fn on(terms: Arc<Terms>) -> Self {
        let now = Time::from_millis(1_000);
        let (table, batch) = Table::open("t1", terms, now).expect("a good name");
        let (ledger, journal) = (Ledger::default(), batch.entries);
        Self { table, ledger, journal, now, seeds: 0 }
    }

    /// Gives a player what everybody begins with.
    pub(crate) fn issue(&mut self, player: &str) {
        let (from, to) = (Account::Issue(player.to_owned()), account(player));
        let key = format!("issue/{player}");
        let transfer = Transfer { key, from, to, amount: Amount::cents(CHIPS) };
        self.ledger.post(&[transfer]).expect("fresh chips");
    }

    /// Lets players sit down, with chips, at seats 1, 2 and so on.
    pub(crate) fn seat_all(&mut self, players: &[&str]) {
        for (player, number) in players.iter().zip(1..) {
            self.issue(player);
            self.ok(Command::Join { seat: seat(number), player: (*player).to_owned() });
        }
    }

    /// Lets time pass, and the table do what it does then.
    pub(crate) fn wait(&mut self, millis: u32) -> Vec<Event> {
        self.now = self.now.after(millis);
        let mut table = self.table.clone();
        let batch = table.handle_timeout(self.now);
        self.keep(table, batch)
    }

    /// Waits for the next deadline, and no longer.
    pub(crate) fn run_out(&mut self) -> Vec<Event> {
        self.now = self.table.next_deadline().expect("a deadline").max(self.now);
        self.wait(0)
    }

    pub(crate) fn ok(&mut self, command: Command) -> Vec<Event> {
        let said = format!("{command:?}");
        self.try_to(command).unwrap_or_else(|refusal| panic!("{said}: {refusal}"))
    }

    pub(crate) fn refused(&mut self, command: Command) -> Refusal {
        let before = self.table.clone();
        let refusal = self.try_to(command).expect_err("it is taken");
        assert_eq!(self.table, before, "a refusal changes nothing");
        refusal
    }

    pub(crate) fn try_to(&mut self, command: Command) -> Result<Vec<Event>, Refusal> {
        let mut table = self.table.clone();
        let batch = table.handle(command, self.now)?;
        if self.ledger.clone().post(&batch.transfers).is_err() {
            return Err(Refusal::InsufficientChips);
        }
        Ok(self.keep(table, batch))
    }

    fn keep(&mut self, mut table: Table, mut batch: Batch) -> Vec<Event> {
        while table.needs_shoe(self.now) {
            self.seeds += 1;
            let shoe = Command::Shoe { seed: Seed::from_bytes([self.seeds; 32]) };
            batch.extend(table.handle(shoe, self.now).expect("a shoe that is needed"));
        }
        self.ledger.post(&batch.transfers).expect("money that is there");
        self.journal.extend(batch.entries);
        self.table = table;
        self.hold();
        batch.events
    }

    /// Holds what is always true.
    fn hold(&self) {
        let replayed = replay("t1", &self.journal, &mut Shelf::default()).expect("a good journal");
        assert_eq!(replayed, self.table, "a table is the sum of its journal");
        let total: i64 = self.ledger.balances().map(|(_, balance)| balance.as_cents()).sum();
        assert_eq!(total, 0, "the ledger sums to nothing");
        if self.table.round().is_none() {
            for account in [Account::Escrow("t1".to_owned()), Account::Posted("t1".to_owned())] {
                assert_eq!(self.ledger.balance(&account), Amount::ZERO, "{account}");
            }
        }
    }

    pub(crate) fn chips(&self, player: &str) -> i64 {
        self.ledger.balance(&account(player)).as_cents()
    }

    pub(crate) fn wager(&mut self, number: u32, player: &str, ante: i64, bonus: i64) -> Vec<Event> {
        self.ok(wager(number, player, ante, bonus))
    }

    pub(crate) fn decide(&mut self, number: u32, player: &str, decision: Decision) -> Vec<Event> {
        let player = player.to_owned();
        self.ok(Command::Decide { seat: seat(number), player, decision })
    }

    /// Returns the records of all rounds that were dealt, as they are exported.
    pub(crate) fn records(&self) -> Vec<String> {
        let before = [first_hash("t1")].into_iter().chain(self.journal.iter().map(|e| e.hash));
        before.zip(&self.journal).filter_map(|(hash, entry)| export(&hash, entry)).collect()
    }
}

pub(crate) fn wager(number: u32, player: &str, ante: i64, bonus: i64) -> Command {
    Command::Wager {
        seat: seat(number),
        player: player.to_owned(),
        ante: Amount::cents(ante),
        blind: None,
        bonus: Amount::cents(bonus),
    }
}
