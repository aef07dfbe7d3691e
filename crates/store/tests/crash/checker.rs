//! Reads every log, and checks the store after a crash.

use std::collections::{BTreeMap, BTreeSet};

use croupier_rules::Catalog;
use croupier_store::{Accounts, Floor, Journals, Rounds, audit, os_entropy};
use croupier_table::{
    Account, Command, Entry, Event, PlayerCommand, Table, TermsCache, Transfer, export, replay,
    replay_money, verify,
};

use crate::child::{Said, ask, now};

/// The state of all tables so far.
#[derive(Default)]
pub(crate) struct Checker {
    tables: BTreeMap<String, Table>,
    pub(crate) answered: usize,
    pub(crate) in_doubt: usize,
    /// How many of those had been carried out.
    pub(crate) were_done: usize,
    pub(crate) open_rounds: usize,
    pub(crate) rounds: usize,
}

impl Checker {
    /// Checks a store after a crash, with the logs of the killed processes.
    pub(crate) async fn look<S: Journals>(&mut self, store: S, logs: &[String]) {
        let floor = Floor::new(store, Box::new(os_entropy));
        let mut commands: BTreeMap<String, (String, Command)> = BTreeMap::new();
        let mut answers: BTreeMap<String, String> = BTreeMap::new();
        let mut refused: BTreeSet<String> = BTreeSet::new();
        for said in logs.iter().flat_map(|log| read(log)) {
            match said {
                Said::Ready => {}
                Said::Asks { key, table, command } => drop(commands.insert(key, (table, command))),
                Said::Answered { key, text, .. } => drop(answers.insert(key, text)),
                Said::Refused { key, .. } => drop(refused.insert(key)),
                Said::Broken { why } => panic!("a child says: {why}"),
            }
        }
        self.look_for_open_rounds(&floor).await;
        for (key, text) in &answers {
            let (table, command) = &commands[key];
            let again = ask(&floor, table, key, command).await;
            let said = Said::Answered { key: key.clone(), text: text.clone(), repeated: true };
            assert_eq!(again, said, "an acknowledged command is stored");
        }
        self.answered += answers.len();
        for (key, (table, command)) in &commands {
            if answers.contains_key(key) || refused.contains(key) {
                continue;
            }
            // The outcome is unknown. A retry with the same key resolves it, and does it once.
            self.in_doubt += 1;
            let first = ask(&floor, table, key, command).await;
            if let Said::Answered { repeated, ref text, .. } = first {
                self.were_done += usize::from(repeated);
                let again = ask(&floor, table, key, command).await;
                let said = Said::Answered { key: key.clone(), text: text.clone(), repeated: true };
                assert_eq!(again, said, "it is done once, with the same answer");
            }
        }
    }

    /// Checks that the open rounds still exist, with the same seeds.
    async fn look_for_open_rounds<S: Journals>(&mut self, floor: &Floor<S>) {
        let rows = floor.store().tables("", 1_000).await.expect("tables");
        for row in rows {
            let loaded = floor.table(&row.table).await.expect("a whole journal");
            self.open_rounds += usize::from(loaded.round().is_some());
            if let Some(seen) = self.tables.get_mut(&row.table) {
                // A server may still carry out a command that a client sent before it died.
                read_on(floor, seen, loaded.version()).await;
                assert!(*seen == *loaded, "{} continues where it was", row.table);
            }
            self.tables.insert(row.table, Table::clone(&loaded));
        }
    }

    /// Checks everything from the beginning: journals, money, rounds.
    pub(crate) async fn audit<S: Journals + Accounts + Rounds>(&mut self, store: &S) {
        let found = audit(store).await.expect("a consistent store");
        assert!(found.tables > 0 && found.transfers > 0);
        let mut ledger = all_transfers(store).await;
        self.rounds = 0;
        for row in store.tables("", 1_000).await.expect("tables") {
            let entries = all_entries(store, &row.table).await;
            let versions = entries.iter().map(|entry| entry.version);
            assert!(versions.eq(1..=row.version), "{} has a gap", row.table);
            let whole = replay_money(&row.table, &entries, &mut TermsCache::default());
            let (table, moved) = whole.expect("a good journal");
            if let Some(from) = entries.iter().position(|entry| entry.version == row.checkpoint) {
                let mut short = vec![entries[0].clone()];
                short.extend_from_slice(&entries[from..]);
                let again = replay(&row.table, &short, &mut TermsCache::default());
                assert_eq!(again.expect("a good journal"), table, "a checkpoint is complete");
            }
            for transfer in moved {
                let stored = ledger.remove(&transfer.key);
                assert_eq!(stored.as_ref(), Some(&transfer), "the journal moved this");
            }
            self.rounds += hold_rounds(&entries);
            if table.round().is_none() {
                for account in [Account::Escrow(row.table.clone()), Account::Posted(row.table)] {
                    let balance = store.balance(&account).await.expect("a balance");
                    assert_eq!(balance.as_cents(), 0, "{account} is empty between rounds");
                }
            }
        }
        let issued = |key: &String| key.starts_with("issue/");
        assert!(ledger.keys().all(issued), "money moves only through a journal");
    }
}

/// Checks that every round opened once, ended once, and kept its commitment.
fn hold_rounds(entries: &[Entry]) -> usize {
    let catalog = Catalog::shipped();
    let mut shown = BTreeMap::new();
    let mut over = BTreeSet::new();
    let mut dealt = 0;
    for (at, entry) in entries.iter().enumerate() {
        match Event::read(&entry.body).expect("an event") {
            Event::RoundOpened { round, commitment, .. } => {
                assert!(shown.insert(round, commitment).is_none(), "round {round} opened twice");
            }
            Event::RoundOver { .. } => {
                let record = export(&entries[at - 1].hash, entry).expect("a record");
                let verified = verify(&record, &catalog).expect("a true record");
                assert!(record.contains(&shown[&verified.round].to_string()), "another seed");
                assert!(over.insert(verified.round), "round {} ended twice", verified.round);
                dealt += 1;
            }
            _ => {}
        }
    }
    dealt
}

/// Reads on from the state before a crash: the next entry must come after the last one.
async fn read_on<S: Journals>(floor: &Floor<S>, table: &mut Table, version: u64) {
    while table.version() < version {
        let (name, from) = (table.name().to_owned(), table.version() + 1);
        let most = usize::try_from(version - table.version()).expect("not that many").min(500);
        let page = floor.store().journal(&name, from, most).await.expect("a journal");
        table.read_on(&page).expect("a journal that continues where it was");
    }
}

async fn all_entries<S: Journals>(store: &S, table: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let from = entries.last().map_or(1, |entry| entry.version + 1);
        let page = store.journal(table, from, 1_000).await.expect("a journal");
        if page.is_empty() {
            return entries;
        }
        entries.extend(page);
    }
}

async fn all_transfers<S: Accounts>(store: &S) -> BTreeMap<String, Transfer> {
    let mut transfers = BTreeMap::new();
    let mut after = String::new();
    loop {
        let page = store.transfers(&after, 1_000).await.expect("transfers");
        let Some(last) = page.last() else { return transfers };
        after.clone_from(&last.key);
        transfers.extend(page.into_iter().map(|transfer| (transfer.key.clone(), transfer)));
    }
}

/// Reads a log up to the line that was cut off.
fn read(log: &str) -> Vec<Said> {
    let whole = log.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().map(|line| serde_json::from_str(line).expect("a line of the log")).collect()
}

/// Ends all play: open rounds end, and all tables close.
pub(crate) async fn finish<S: Journals>(store: S) {
    let floor = Floor::new(store, Box::new(os_entropy));
    for row in floor.store().tables("", 1_000).await.expect("tables") {
        let name = row.table;
        let sitters = floor.table(&name).await.expect("a table").seats().to_vec();
        for sitter in sitters {
            let (seat, player) = (sitter.seat, sitter.player);
            let key = format!("{player} goes home");
            let said = ask(&floor, &name, &key, &PlayerCommand::Leave { seat }.by(player)).await;
            assert!(!matches!(said, Said::Broken { .. }), "{said:?}");
        }
        let mut later = now();
        for _ in 0..50 {
            let table = floor.table(&name).await.expect("a table");
            let Some(deadline) = table.next_deadline() else { break };
            later = later.max(deadline);
            floor.time_out(&name, later).await.expect("time passes");
        }
        assert!(floor.table(&name).await.expect("a table").is_closed(), "{name} does not close");
    }
}
