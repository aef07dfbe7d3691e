//! A table with everything that a test needs around it: a clock, seeds, chips and a journal. After
//! each step the books are checked, and the journal is replayed and must give the same table.

#![expect(dead_code, reason = "each test uses some of it")]

use std::collections::BTreeMap;
use std::sync::Arc;

use croupier_rules::{Amount, Catalog, Decision, House, PayTable, Record, Seat};
use croupier_table::{
    Account, Batch, Clocks, Command, Entry, Event, Hash, Ledger, LedgerError, OperatorCommand,
    Played, PlayerCommand, Refusal, Seed, Table, Terms, TermsCache, Time, Transfer, export,
    first_hash, replay, verify,
};
use serde_json::{Value, json};

/// The chips that every player starts with.
pub(crate) const CHIPS: i64 = 100_000;

pub(crate) const CLOCKS: Clocks =
    Clocks { offer: 10, betting: 20, reveal: 5, decision: 30, between: 4, empty: 60 };

pub(crate) struct Felt {
    pub(crate) table: Table,
    pub(crate) ledger: Ledger,
    pub(crate) journal: Vec<Entry>,
    pub(crate) now: Time,
    pub(crate) played: Vec<Played>,
    /// The chips of every player between rounds, by the records of the rounds played.
    due: BTreeMap<String, i64>,
    /// The number of steps between replays of the journal: replaying a long one each time is slow.
    every: u32,
    steps: u32,
    seeds: u64,
    /// Whether seeds look random.
    mixed: bool,
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

/// Returns the terms of a custom house with a custom pay table, neither of which ships.
pub(crate) fn own_terms() -> Arc<Terms> {
    let mut catalog = Catalog::shipped();
    let mine = "id = \"MINE\"\ntitle = \"Mine\"\nsource = \"me\"\nbet = \"trips\"\n\n\
                [pays]\nflush = \"9:1\"\nstraight = \"3:2\"\n";
    catalog.add_paytable(PayTable::from_toml(mine).expect("a good pay table")).expect("a new id");
    let house = catalog.house("uth-standard").expect("a house");
    let mut house = serde_json::to_value(&**house).expect("plain data");
    (house["id"], house["bonus_paytables"]) = (json!("own"), json!(["UTH-02", "MINE"]));
    (house["title"], house["source"]) = (json!("Mine"), json!("me"));
    let house = House::from_json(&house, catalog.paytables()).expect("a good house");
    catalog.add_house(house).expect("a new id");
    Terms::new(&catalog, "own", Some("MINE"), Some(CLOCKS)).expect("terms").into()
}

impl Felt {
    pub(crate) fn open(house: &str) -> Self {
        Self::on(terms(house, Some(CLOCKS)))
    }

    pub(crate) fn without_clocks(house: &str) -> Self {
        Self::on(terms(house, None))
    }

    pub(crate) fn on(terms: Arc<Terms>) -> Self {
        Self::at("t1", terms, Time::from_millis(1_000))
    }

    /// Opens a table with this name, at this time.
    pub(crate) fn at(name: &str, terms: Arc<Terms>, now: Time) -> Self {
        let (table, batch) = Table::open(name, terms, now).expect("a good name");
        let (ledger, journal) = (Ledger::default(), batch.entries);
        let (played, due) = (Vec::new(), BTreeMap::new());
        Self {
            table,
            ledger,
            journal,
            now,
            played,
            due,
            every: 1,
            steps: 0,
            seeds: 0,
            mixed: false,
        }
    }

    /// Replays the journal only after this many steps.
    pub(crate) fn replaying_every(mut self, steps: u32) -> Self {
        self.every = steps;
        self
    }

    /// Starts with another seed.
    pub(crate) fn seeded(mut self, seeds: u64) -> Self {
        self.seeds = seeds;
        self
    }

    /// Uses seeds that look random.
    pub(crate) fn mixed(mut self) -> Self {
        self.mixed = true;
        self
    }

    /// Gives a player the chips that every player starts with.
    pub(crate) fn issue(&mut self, player: &str) {
        self.issue_only(player, CHIPS);
    }

    pub(crate) fn issue_only(&mut self, player: &str, chips: i64) {
        let (from, to) = (Account::Issue(player.to_owned()), account(player));
        let key = format!("issue/{player}");
        let transfer = Transfer { key, from, to, amount: Amount::cents(chips) };
        self.ledger.post(&[transfer]).expect("fresh chips");
        self.due.insert(player.to_owned(), chips);
    }

    /// Seats players, with chips, at seats 1, 2 and so on.
    pub(crate) fn seat_all(&mut self, players: &[&str]) {
        for (player, number) in players.iter().zip(1..) {
            self.issue(player);
            self.ok(PlayerCommand::Join { seat: seat(number) }.by(*player));
        }
    }

    /// Lets time pass, and wakes the table.
    pub(crate) fn wait(&mut self, millis: u32) -> Vec<Event> {
        self.now = self.now.after(millis);
        let mut table = self.table.clone();
        let batch = table.handle_timeout(self.now);
        self.keep(table, batch).expect("enough money")
    }

    /// Waits for the next deadline, and no longer.
    pub(crate) fn run_out(&mut self) -> Vec<Event> {
        self.now = self.table.next_deadline().expect("a deadline").max(self.now);
        self.wait(0)
    }

    pub(crate) fn ok(&mut self, command: Command) -> Vec<Event> {
        let shown = format!("{command:?}");
        self.try_to(command).unwrap_or_else(|refusal| panic!("{shown}: {refusal}"))
    }

    pub(crate) fn refused(&mut self, command: Command) -> Refusal {
        let before = self.table.clone();
        let refusal = self.try_to(command).expect_err("it is accepted");
        assert_eq!(self.table, before, "a refusal changes nothing");
        refusal
    }

    pub(crate) fn try_to(&mut self, command: Command) -> Result<Vec<Event>, Refusal> {
        let mut table = self.table.clone();
        let batch = table.handle(command, self.now)?;
        self.keep(table, batch)
    }

    /// Provides the seeds that the table needs, and stores the batch if there is enough money for
    /// it.
    fn keep(&mut self, mut table: Table, mut batch: Batch) -> Result<Vec<Event>, Refusal> {
        let mut seeds = self.seeds;
        while table.needs_seed(self.now) {
            seeds += 1;
            let [low, high @ ..] = seeds.to_le_bytes();
            let mut seed = [low; 32];
            for (byte, high) in seed.iter_mut().zip(high) {
                *byte ^= high;
            }
            if self.mixed {
                let text = format!("seed {seeds} of table {}", table.name());
                seed = *Hash::of(text.as_bytes()).as_bytes();
            }
            let seeded = Command::OpenRound { seed: Seed::from_bytes(seed) };
            batch.extend(table.handle(seeded, self.now).expect("a seed that is needed"));
        }
        self.ledger.post(&batch.transfers).map_err(|error| match error {
            LedgerError::TooMany { .. } => Refusal::TooManyChips,
            _ => Refusal::InsufficientChips,
        })?;
        assert_replays(&table, &batch);
        self.journal.extend(batch.entries);
        self.played.extend(batch.played);
        self.table = table;
        self.seeds = seeds;
        for event in &batch.events {
            self.read_result(event);
        }
        self.assert_books();
        self.steps += 1;
        if self.steps.is_multiple_of(self.every) {
            self.assert_journal();
        }
        Ok(batch.events)
    }

    /// Reads the result of a round for each player from its record.
    fn read_result(&mut self, event: &Event) {
        let Event::RoundOver { record } = event else { return };
        let record: Value = serde_json::from_str(&record.0).expect("JSON");
        let nets = record["result"]["seats"].as_array().expect("results").iter();
        let names = record["seats"].as_array().expect("seats").iter();
        let mut nets: Vec<(&Value, &Value)> =
            names.zip(nets).map(|(seat, result)| (&seat["player"], &result["net"])).collect();
        if let Some(banker) = record.get("banker") {
            nets.push((&banker["player"], &record["result"]["bank"]["net"]));
        }
        for (player, net) in nets {
            let player = player.as_str().expect("a name").to_owned();
            *self.due.entry(player).or_default() += net.as_i64().expect("cents");
        }
    }

    /// Asserts that the journal gives the same table.
    pub(crate) fn assert_journal(&self) {
        let replayed = replay(self.table.name(), &self.journal, &mut TermsCache::default());
        let replayed = replayed.expect("a good journal");
        assert_eq!(replayed, self.table, "a table is the fold of its journal");
    }

    /// Asserts the invariants of the money.
    fn assert_books(&self) {
        let total: i64 = self.ledger.balances().map(|(_, balance)| balance.as_cents()).sum();
        assert_eq!(total, 0, "the ledger sums to zero");
        if self.table.round().is_none() {
            let name = || self.table.name().to_owned();
            for account in [Account::Escrow(name()), Account::Posted(name())] {
                assert_eq!(self.ledger.balance(&account), Amount::ZERO, "{account}");
            }
            // Practice chips are in no account.
            let due = self.due.iter().filter(|_| self.table.terms().practice_chips().is_none());
            for (player, due) in due {
                assert_eq!(self.chips(player), *due, "{player} has what the records say");
            }
        }
    }

    /// Asserts that every dealt round can be verified, and returns the number of them.
    pub(crate) fn assert_records(&self) -> usize {
        let records = self.records();
        for record in &records {
            let verified = verify(record, &Catalog::shipped());
            assert!(verified.is_ok(), "{verified:?}: {record}");
        }
        records.len()
    }

    /// Returns the number of the seat to which the bank is offered.
    pub(crate) fn offered(&self) -> Option<u32> {
        self.table.offered().map(Seat::number)
    }

    /// Takes the bank for the player it is offered to, and returns the seat and the name.
    pub(crate) fn offered_player_banks(&mut self, cents: i64) -> (u32, String) {
        let offered = self.table.offered().expect("an offer");
        let seated = self.table.seats().iter().find(|seated| seated.seat == offered);
        let player = seated.expect("a player").player.clone();
        self.ok(take_bank(offered.number(), &player, cents));
        (offered.number(), player)
    }

    /// Lets time run out until the round is over.
    pub(crate) fn play_out(&mut self) -> Vec<Event> {
        let (mut events, round) = (Vec::new(), self.table.round_number());
        while self.table.round().is_some() && self.table.round_number() == round {
            events.extend(self.run_out());
        }
        events
    }

    /// Returns the number of windows in a row that the player at a seat has missed.
    pub(crate) fn missed(&self, number: u32) -> Option<u32> {
        let mut seats = self.table.seats().iter();
        seats.find(|seated| seated.seat == seat(number)).map(|seated| seated.missed)
    }

    pub(crate) fn chips(&self, player: &str) -> i64 {
        self.ledger.balance(&account(player)).as_cents()
    }

    pub(crate) fn wager(&mut self, number: u32, player: &str, ante: i64, bonus: i64) -> Vec<Event> {
        self.ok(wager(number, player, ante, bonus))
    }

    pub(crate) fn decide(&mut self, number: u32, player: &str, decision: Decision) -> Vec<Event> {
        let player = player.to_owned();
        self.ok(PlayerCommand::Decide { seat: seat(number), decision }.by(player))
    }

    /// Returns the exported records of all dealt rounds.
    pub(crate) fn records(&self) -> Vec<String> {
        let before =
            [first_hash(self.table.name())].into_iter().chain(self.journal.iter().map(|e| e.hash));
        before.zip(&self.journal).filter_map(|(hash, entry)| export(&hash, entry)).collect()
    }
}

pub(crate) fn wager(number: u32, player: &str, ante: i64, bonus: i64) -> Command {
    PlayerCommand::Wager {
        seat: seat(number),
        ante: Amount::cents(ante),
        blind: None,
        bonus: Amount::cents(bonus),
    }
    .by(player)
}

pub(crate) fn join(number: u32, player: &str) -> Command {
    PlayerCommand::Join { seat: seat(number) }.by(player)
}

pub(crate) fn leave(number: u32, player: &str) -> Command {
    PlayerCommand::Leave { seat: seat(number) }.by(player)
}

pub(crate) fn sit_out(number: u32, player: &str) -> Command {
    PlayerCommand::SitOut { seat: seat(number) }.by(player)
}

pub(crate) fn sit_in(number: u32, player: &str) -> Command {
    PlayerCommand::SitIn { seat: seat(number) }.by(player)
}

pub(crate) fn take_bank(number: u32, player: &str, cents: i64) -> Command {
    PlayerCommand::TakeBank { seat: seat(number), wager: Amount::cents(cents) }.by(player)
}

pub(crate) fn decline(number: u32, player: &str) -> Command {
    PlayerCommand::DeclineBank { seat: seat(number) }.by(player)
}

pub(crate) fn commit(number: u32, player: &str, commitment: Hash) -> Command {
    PlayerCommand::CommitSeed { seat: seat(number), commitment }.by(player)
}

pub(crate) fn reveal(number: u32, player: &str, seed: &str) -> Command {
    PlayerCommand::RevealSeed { seat: seat(number), seed: seed.to_owned() }.by(player)
}

pub(crate) fn withdraw(number: u32, player: &str) -> Command {
    PlayerCommand::Withdraw { seat: seat(number) }.by(player)
}

pub(crate) fn decide(number: u32, player: &str, decision: Decision) -> Command {
    PlayerCommand::Decide { seat: seat(number), decision }.by(player)
}

pub(crate) fn give_up(number: u32, player: &str) -> Command {
    PlayerCommand::GiveUpSeed { seat: seat(number) }.by(player)
}

pub(crate) fn deal(player: &str) -> Command {
    PlayerCommand::Deal {}.by(player)
}

pub(crate) fn void(reason: &str) -> Command {
    OperatorCommand::Void { reason: reason.to_owned() }.into()
}

pub(crate) fn pause(reason: &str) -> Command {
    OperatorCommand::Pause { reason: reason.to_owned() }.into()
}

pub(crate) fn resume() -> Command {
    OperatorCommand::Resume {}.into()
}

pub(crate) fn close(reason: &str) -> Command {
    OperatorCommand::Close { reason: reason.to_owned(), alone: None }.into()
}

/// Asserts that a replay of each record in a batch is the round that was played, to the last event.
fn assert_replays(table: &Table, batch: &Batch) {
    let records = batch.events.iter().filter_map(|event| match event {
        Event::RoundOver { record } => Some(&*record.0),
        _ => None,
    });
    let replayed = records.map(|text| {
        let record = Record::read(text, table.terms().catalog()).expect("a record");
        record.replay().expect("it replays")
    });
    let played = batch.played.iter().map(|played| (*played.finished).clone());
    assert_eq!(replayed.collect::<Vec<_>>(), played.collect::<Vec<_>>());
}

/// Returns the names of events, as in a journal, with the seat if there is one.
pub(crate) fn told(events: &[Event]) -> Vec<String> {
    let name = |event: &Event| {
        let shown = event.shown();
        let name = shown["event"].as_str().expect("a name").to_owned();
        let seat = shown.get("seat").map(|seat| format!(" {seat}"));
        let by_table = shown["by_table"] == Value::Bool(true);
        let by_table = if by_table { " by table" } else { "" };
        format!("{name}{}{by_table}", seat.unwrap_or_default())
    };
    events.iter().map(name).collect()
}
