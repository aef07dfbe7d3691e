//! An auditor that knows the requests, the answers and the published records, and computes its own
//! sums. It does not look into tables, and trusts no record's result.

use std::collections::BTreeMap;
use std::fmt;

use croupier_rules::{Amount, Catalog};
use croupier_store::{Accounts, Floor, Journals};
use croupier_table::{
    Account, Command, Entry, PlayerCommand, Table, TermsCache, Transfer, replay_money, verify,
};
use serde_json::Value;

use crate::chance::at_once;
use crate::laws::{self, Dealt};
use crate::reading::{Returns, WrittenHouse, cents, seat_number};
use crate::wire::Shared;

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An account has more than is due to it.
    TooMuch,
    /// An account has less than is due to it.
    TooLittle,
    /// A bank paid or collected more than was posted, or was lowered against others' wagers.
    Coverage,
    /// A wager was settled twice, or not as the documents say.
    Settlement,
    /// The record's wagers are not those that were made.
    Wager,
    /// A request was answered, but did not happen.
    Lost,
    /// A repeated command did not get the same answer as before.
    Repetition,
    /// Something is overdue.
    Overdue,
    /// The deck is not the one that was committed to.
    Deck,
    /// A record does not verify.
    Record,
    /// The journal and the ledger differ, or the journal is damaged.
    Journal,
    /// A player banked for too long.
    Rotation,
    /// A round was dealt from the wrong deck of two.
    Color,
    /// A failure that must not happen.
    Broken,
}

/// A finding, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) kind: Kind,
    pub(crate) words: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.words)
    }
}

pub(crate) fn finding<T>(kind: Kind, words: impl Into<String>) -> Result<T, Finding> {
    Err(Finding { kind, words: words.into() })
}

/// The auditor's data about a table.
#[derive(Debug)]
struct Book {
    house: WrittenHouse,
    /// Whether the table plays with practice chips.
    practice: bool,
    /// The round that the table showed, by the version of its journal.
    shown: BTreeMap<u64, u64>,
    /// The last version that was seen, and whether a round was open then.
    latest: (u64, bool),
    rounds: BTreeMap<u64, Pages>,
    /// The number of the last settled round.
    settled: u64,
    /// The rounds that were dealt.
    dealt: Dealt,
}

/// A round's answered commands, by the version of the answer.
#[derive(Debug, Default)]
struct Pages {
    acts: BTreeMap<u64, Act>,
    commitment: Option<String>,
}

#[derive(Clone, Debug)]
enum Act {
    Wager { seat: u32, player: String, ante: i64, bonus: i64 },
    Withdraw { seat: u32 },
    Post { seat: u32, player: String, wager: i64 },
    Decide { seat: u32, decision: String },
}

/// The chips on the table, according to the answers.
#[derive(Debug, Default)]
struct Felt {
    wagers: BTreeMap<u32, OnFelt>,
    bank: Option<(u32, String, i64)>,
}

#[derive(Debug)]
struct OnFelt {
    player: String,
    ante: i64,
    bonus: i64,
    play: i64,
    decisions: Vec<String>,
}

impl Pages {
    fn felt(&self, name: &str) -> Result<Felt, Finding> {
        let mut felt = Felt::default();
        for act in self.acts.values().cloned() {
            match act {
                Act::Wager { seat, player, ante, bonus } => {
                    let decisions = Vec::new();
                    let on_felt = OnFelt { player, ante, bonus, play: 0, decisions };
                    felt.wagers.insert(seat, on_felt);
                }
                Act::Withdraw { seat } => drop(felt.wagers.remove(&seat)),
                Act::Post { seat, player, wager } => {
                    let before = felt.bank.as_ref().map_or(0, |(_, _, wager)| *wager);
                    laws::posting(name, before, wager, felt.wagers.len())?;
                    felt.bank = Some((seat, player, wager));
                }
                Act::Decide { seat, decision } => {
                    if let Some(wager) = felt.wagers.get_mut(&seat) {
                        let times = decision
                            .strip_prefix("bet ")
                            .map_or(0, |times| times.parse().expect("a number"));
                        wager.play += times * wager.ante;
                        wager.decisions.push(decision);
                    }
                }
            }
        }
        Ok(felt)
    }
}

impl OnFelt {
    const fn staked(&self) -> i64 {
        2 * self.ante + self.bonus + self.play
    }
}

#[derive(Debug)]
pub(crate) struct Auditor {
    catalog: Catalog,
    tables: BTreeMap<String, Book>,
    /// The amount due to each account when no table has chips on it.
    due: BTreeMap<Account, i64>,
    /// The finished rounds that were dealt, by house.
    pub(crate) finished: BTreeMap<String, u64>,
}

impl Auditor {
    pub(crate) fn new(catalog: Catalog) -> Self {
        let (tables, due, finished) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { catalog, tables, due, finished }
    }

    /// Records that a table was opened.
    pub(crate) fn opened(&mut self, table: &str, house: WrittenHouse, practice: bool) {
        let book = Book {
            house,
            practice,
            shown: BTreeMap::new(),
            latest: (0, false),
            rounds: BTreeMap::new(),
            settled: 0,
            dealt: Dealt::default(),
        };
        self.tables.insert(table.to_owned(), book);
    }

    /// Records that chips were issued to a player.
    pub(crate) fn issued(&mut self, player: &str, amount: i64) {
        *self.due.entry(Account::Player(player.to_owned())).or_default() += amount;
        *self.due.entry(Account::Issue(player.to_owned())).or_default() -= amount;
    }

    /// Records the public state of a table: its version, the number of its round, and the round's
    /// commitment.
    pub(crate) fn saw(&mut self, table: &Table) -> Result<(), Finding> {
        let book = self.tables.get_mut(table.name()).expect("a table that was opened");
        let (version, round) = (table.version(), table.round_number());
        book.shown.insert(version, round);
        book.latest = (version, table.round().is_some());
        let shown = table.commitment().map(ToString::to_string);
        if let Some(shown) = shown {
            commit(table.name(), book, round, &shown)?;
        }
        Ok(())
    }

    /// Records that a command was carried out, and its answer.
    pub(crate) fn answered(
        &mut self,
        table: &str,
        command: &Command,
        text: &str,
    ) -> Result<(), Finding> {
        let answer: Value = serde_json::from_str(text).expect("an answer is JSON");
        let version = answer["version"].as_u64().expect("an answer has a version");
        let events = answer["events"].as_array().expect("an answer has events");
        let book = self.tables.get_mut(table).expect("a table that was opened");
        let Some(&shown) = book.shown.get(&version) else {
            let words = format!("{table} answered {command:?}, but has no version {version}");
            return finding(Kind::Lost, words);
        };
        let is = |event: &&Value, name: &str| event["event"] == name;
        // The command comes before any round that opens because of it.
        let opened = events.iter().filter(|event| is(event, "round-opened"));
        let round = shown - opened.clone().count() as u64;
        for event in opened {
            let number = event["round"].as_u64().expect("a round has a number");
            let commitment = event["commitment"].as_str().expect("a round has a commitment");
            commit(table, book, number, commitment)?;
        }
        let happened = |name: &str| events.iter().any(|event| is(&event, name));
        if let Some(act) = act(command, happened) {
            book.rounds.entry(round).or_default().acts.insert(version, act);
        }
        Ok(())
    }

    /// Settles the finished rounds of a table from their records.
    ///
    /// The outcome of every command at the table must be known.
    pub(crate) fn settle(&mut self, table: &str, floor: &Floor<Shared>) -> Result<(), Finding> {
        loop {
            let book = self.tables.get_mut(table).expect("a table that was opened");
            let (version, open) = book.latest;
            let over = book.shown[&version] - u64::from(open);
            if book.settled == over {
                return Ok(());
            }
            book.settled += 1;
            let round = book.settled;
            let pages = book.rounds.remove(&round).unwrap_or_default();
            book.shown = book.shown.split_off(&version.saturating_sub(2000));
            match at_once(floor.record(table, round)) {
                Ok(Some(text)) => self.settle_round(table, round, &pages, &text, floor.store())?,
                // It was not dealt: all chips are returned.
                Ok(None) => {}
                Err(error) => return finding(Kind::Journal, error.to_string()),
            }
        }
    }

    fn settle_round(
        &mut self,
        table: &str,
        round: u64,
        pages: &Pages,
        text: &str,
        store: &Shared,
    ) -> Result<(), Finding> {
        let name = format!("round {round} of {table}");
        let verified = verify(text, &self.catalog);
        let verified = verified.or_else(|error| finding(Kind::Record, format!("{name}: {error}")));
        let verified = verified?;
        if (&*verified.table, verified.round) != (table, round) {
            return finding(Kind::Record, format!("{name} has the number of another round"));
        }
        let record: Value = serde_json::from_str(text).expect("it was verified");
        let shown = record["shuffle"]["commitment"].as_str().map(ToOwned::to_owned);
        if pages.commitment.is_some() && pages.commitment != shown {
            return finding(Kind::Deck, format!("{name} had shown another commitment"));
        }
        let felt = pages.felt(&name)?;
        compare_wagers(&name, &felt, &record)?;
        let book = self.tables.get_mut(table).expect("a table that was opened");
        let returns = book.house.settle(&record);
        *self.finished.entry(book.house.id().to_owned()).or_default() += 1;
        let banker = felt.bank.as_ref().map(|(_, player, _)| &**player);
        book.dealt.round(&name, &book.house, &record, banker)?;
        let transfers = of_round(store, table, round);
        let purse = |player: &str| purse(table, book, player);
        compare_transfers(&name, (&book.house, &felt), &returns, &transfers, purse)?;
        self.book(table, &felt, &returns);
        Ok(())
    }

    /// Books a round's result to the accounts.
    fn book(&mut self, table: &str, felt: &Felt, returns: &Returns) {
        let book = &self.tables[table];
        let mut net = 0;
        for (seat, wager) in &felt.wagers {
            let of_seat = returns.iter().filter(|((of, _), _)| of == seat);
            let returned: i64 = of_seat.map(|(_, (_, returned))| returned).sum();
            let won = returned - wager.staked();
            net -= won;
            *self.due.entry(purse(table, book, &wager.player)).or_default() += won;
        }
        let bank = felt.bank.as_ref().map_or_else(
            || Account::House(table.to_owned()),
            |(_, player, _)| purse(table, book, player),
        );
        *self.due.entry(bank).or_default() += net;
    }

    /// Compares each account's balance with the amount that is due.
    ///
    /// The outcome of every command must be known, and all finished rounds must be settled.
    pub(crate) fn compare(&self, store: &Shared) -> Result<(), Finding> {
        let mut due = self.due.clone();
        for (table, book) in &self.tables {
            let open = book.rounds.iter().filter(|(round, _)| **round > book.settled);
            for (round, pages) in open {
                let felt = pages.felt(&format!("round {round} of {table}"))?;
                for wager in felt.wagers.values() {
                    let staked = wager.staked();
                    *due.entry(purse(table, book, &wager.player)).or_default() -= staked;
                    *due.entry(Account::Escrow(table.clone())).or_default() += staked;
                }
                if let Some((_, player, wager)) = felt.bank {
                    *due.entry(purse(table, book, &player)).or_default() -= wager;
                    *due.entry(Account::Posted(table.clone())).or_default() += wager;
                }
            }
        }
        let found = at_once(store.balances("", usize::MAX)).expect("memory does not fail");
        let total: i64 = found.iter().map(|(_, amount)| amount.as_cents()).sum();
        if total != 0 {
            return finding(Kind::TooMuch, format!("all accounts together have {total}"));
        }
        let found: BTreeMap<Account, Amount> = found.into_iter().collect();
        let accounts = due.keys().chain(found.keys().filter(|account| !due.contains_key(account)));
        for account in accounts {
            let has = found.get(account).map_or(0, |amount| amount.as_cents());
            let should = due.get(account).copied().unwrap_or(0);
            let words = format!("{account} has {has}, but {should} is due to it");
            match has.cmp(&should) {
                std::cmp::Ordering::Less => return finding(Kind::TooLittle, words),
                std::cmp::Ordering::Greater => return finding(Kind::TooMuch, words),
                std::cmp::Ordering::Equal if has < 0 && !account.may_owe() => {
                    return finding(Kind::TooLittle, words);
                }
                std::cmp::Ordering::Equal => {}
            }
        }
        Ok(())
    }

    /// Reads the journals from start to end, and compares them with the ledger.
    pub(crate) fn read_journals(&self, store: &Shared) -> Result<(), Finding> {
        let mut known_terms = TermsCache::default();
        let mut kept = transfers(store, "");
        kept.retain(|transfer| !transfer.key.starts_with("issue/"));
        let mut told = Vec::new();
        for table in self.tables.keys() {
            let entries: Vec<Entry> =
                at_once(store.journal(table, 1, usize::MAX)).expect("memory does not fail");
            match replay_money(table, &entries, &mut known_terms) {
                Ok((_, transfers)) => told.extend(transfers),
                Err(error) => return finding(Kind::Journal, error.to_string()),
            }
        }
        told.sort_by(|one, other| one.key.cmp(&other.key));
        if let Some((kept, told)) = kept.iter().zip(&told).find(|(kept, told)| kept != told) {
            let words = format!("the ledger has {kept:?}, but the journals have {told:?}");
            return finding(Kind::Journal, words);
        }
        if kept.len() != told.len() {
            let words =
                format!("{} transfers were made, but the journals have {}", kept.len(), told.len());
            return finding(Kind::Journal, words);
        }
        Ok(())
    }
}

/// Returns the account with a player's chips at a table. Practice chips never leave the table.
fn purse(table: &str, book: &Book, player: &str) -> Account {
    if book.practice {
        Account::Practice(table.to_owned())
    } else {
        Account::Player(player.to_owned())
    }
}

fn commit(table: &str, book: &mut Book, round: u64, shown: &str) -> Result<(), Finding> {
    if round <= book.settled {
        return Ok(());
    }
    let known = &mut book.rounds.entry(round).or_default().commitment;
    if known.as_deref().is_some_and(|known| known != shown) {
        return finding(Kind::Deck, format!("round {round} of {table} shows two commitments"));
    }
    *known = Some(shown.to_owned());
    Ok(())
}

/// Returns the effect of a carried-out command on the chips on the table, given its events.
fn act(command: &Command, happened: impl Fn(&str) -> bool) -> Option<Act> {
    let Command::Player { player, command } = command else { return None };
    Some(match command {
        PlayerCommand::Wager { seat, ante, bonus, .. } => Act::Wager {
            seat: seat.number(),
            player: player.clone(),
            ante: ante.as_cents(),
            bonus: bonus.as_cents(),
        },
        PlayerCommand::Withdraw { seat } => Act::Withdraw { seat: seat.number() },
        PlayerCommand::Leave { seat } if happened("withdrawn") => {
            Act::Withdraw { seat: seat.number() }
        }
        PlayerCommand::TakeBank { seat, wager } => {
            let (seat, player) = (seat.number(), player.clone());
            Act::Post { seat, player, wager: wager.as_cents() }
        }
        // A decision that would end a round that cannot be booked voids it instead.
        PlayerCommand::Decide { seat, decision } if happened("decided") => {
            Act::Decide { seat: seat.number(), decision: decision.to_string() }
        }
        _ => return None,
    })
}

/// Compares the wagers and decisions with those in the record.
fn compare_wagers(name: &str, felt: &Felt, record: &Value) -> Result<(), Finding> {
    let seats = record["seats"].as_array().expect("it was verified");
    let numbers = seats.iter().map(|seat| seat_number(&seat["seat"]));
    if !numbers.eq(felt.wagers.keys().copied()) {
        let words = format!("{name} has other seats than those that wagered: {:?}", felt.wagers);
        return finding(Kind::Wager, words);
    }
    for (seat, wager) in seats.iter().zip(felt.wagers.values()) {
        let bonus = seat["bonus"].as_i64().unwrap_or(0);
        let by_table = |place: usize| {
            let places = seat["by_table"].as_array();
            places.is_some_and(|places| places.contains(&Value::from(place)))
        };
        let actions = seat["actions"].as_array().expect("it was verified");
        let own = (0..actions.len()).filter(|&place| !by_table(place)).map(|at| &actions[at]);
        let same = seat["player"] == *wager.player
            && (cents(&seat["ante"]), bonus) == (wager.ante, wager.bonus)
            && own.eq(wager.decisions.iter());
        if !same {
            return finding(Kind::Wager, format!("{name} has {seat}, not {wager:?}"));
        }
    }
    let banker = &record["banker"];
    let same = match &felt.bank {
        Some((seat, player, wager)) => {
            banker["seat"] == *seat && banker["player"] == **player && banker["wager"] == *wager
        }
        None => banker.is_null(),
    };
    if same { Ok(()) } else { finding(Kind::Wager, format!("{name} is banked by {banker}")) }
}

/// Compares the transfers of a round with its expected result.
fn compare_transfers(
    name: &str,
    (house, felt): (&WrittenHouse, &Felt),
    returns: &Returns,
    transfers: &[Transfer],
    purse: impl Fn(&str) -> Account,
) -> Result<(), Finding> {
    let mut closed: BTreeMap<(u32, &str), (i64, i64, i64)> = BTreeMap::new();
    let (mut paid_by_bank, mut collected) = (0, 0);
    for transfer in transfers {
        let amount = transfer.amount.as_cents();
        let mut path = transfer.key.split('/').skip(2);
        let seat = path.next().and_then(|seat| seat.parse().ok()).expect("a seat");
        let (bet, what) = (path.next().unwrap_or(""), path.next().unwrap_or(""));
        if bet == "bank" {
            continue;
        }
        let legs = closed.entry((seat, bet)).or_default();
        let leg = match what {
            "return" => &mut legs.0,
            "pay" => &mut legs.1,
            "collect" => &mut legs.2,
            _ => continue,
        };
        match what {
            "pay" => paid_by_bank += amount,
            "collect" => collected += amount,
            _ => {}
        }
        *leg += amount;
        let player = felt.wagers.get(&seat).map(|wager| purse(&wager.player));
        if what != "collect" && Some(&transfer.to) != player.as_ref() {
            let words = format!("{name}: {} went to {}", transfer.key, transfer.to);
            return finding(Kind::Settlement, words);
        }
    }
    if let Some((_, _, posted)) = felt.bank {
        laws::coverage(name, house, posted, paid_by_bank, collected)?;
    }
    for (&(seat, bet), &(staked, returned)) in returns {
        let legs = closed.remove(&(seat, bet)).unwrap_or_default();
        let due = (returned.min(staked), (returned - staked).max(0), (staked - returned).max(0));
        if legs != due {
            let words = format!(
                "{name}: {bet} of seat {seat} should return, be paid and be collected as {due:?}, \
                 but was as {legs:?}"
            );
            return finding(Kind::Settlement, words);
        }
    }
    match closed.into_iter().find(|(_, legs)| *legs != (0, 0, 0)) {
        Some(((seat, bet), legs)) => {
            finding(Kind::Settlement, format!("{name}: {bet} of seat {seat} was {legs:?}"))
        }
        None => Ok(()),
    }
}

fn of_round(store: &Shared, table: &str, round: u64) -> Vec<Transfer> {
    transfers(store, &format!("{table}/{round}/"))
}

fn transfers(store: &Shared, prefix: &str) -> Vec<Transfer> {
    let mut found: Vec<Transfer> = Vec::new();
    loop {
        let after = found.last().map_or(prefix, |transfer| &transfer.key);
        let page = at_once(store.transfers(after, 48)).expect("memory does not fail");
        let full = page.len() == 48;
        let before = found.len();
        found.extend(page.into_iter().take_while(|transfer| transfer.key.starts_with(prefix)));
        if !full || found.len() < before + 48 {
            return found;
        }
    }
}
