//! Nodes, tables, players and clocks, all in one thread and all driven by the steps of a history.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use croupier_rules::{Amount, Catalog, PayTable};
use croupier_store::{
    Accounts, Answered, CommandKey, Entropy, Floor, FloorError, StoreError, TimeoutOptions,
    Timeouts,
};
use croupier_table::{
    Account, Clocks, Command, Hash, MOST_CHIPS, OperatorCommand, Refusal, Seed, Table, Terms, Time,
    Transfer,
};

use crate::auditor::{Auditor, Finding, Kind as Wrong, finding};
use crate::chance::at_once;
use crate::faults::{Faulty, Mishap, Trouble, lock};
use crate::history::{Kind, Step, TABLES, nodes};
use crate::player::{self, Mind, PEOPLE, person};
use crate::reading::WrittenHouse;
use crate::saboteur::{Sabotage, Saboteur};
use crate::wire::Shared;
use croupier_testing::Random;

/// How long a node's claim on a table lasts, in milliseconds.
const LEASE: u32 = 5_000;

const HOUR: i64 = 3_600_000;

/// The houses to play.
#[derive(Debug)]
pub(crate) struct Ground {
    catalog: Catalog,
    offers: Vec<(Terms, WrittenHouse)>,
}

impl Ground {
    /// Builds every shipped house, some that differ in a clause, and some of hostile hosts, with
    /// the largest odds and limits that a table may have; each with slow clocks, with quick ones
    /// and without any.
    pub(crate) fn new() -> Self {
        let catalog = Catalog::shipped();
        let mut houses = Catalog::shipped();
        let capped = "bonus_max = 10000\nround_payout_max = 80001";
        houses.add_paytable(PayTable::from_toml(JACKPOT).expect("a pay table")).expect("a new id");
        for (id, text) in [
            ("jackpot", hostile(&standard())),
            ("jackpot-bank", hostile(&california())),
            ("payoffs", california().replace("\"action\"", "\"payoffs\"")),
            ("capped", washington().replace("bonus_max = 10000", capped)),
            ("two-seats", california().replace("seats_per_player = 1", "seats_per_player = 2")),
        ] {
            let named = |line: &str| !["id", "title", "source"].contains(&first_word(line));
            let rest: Vec<&str> = text.lines().filter(|line| named(line)).collect();
            let text = format!(
                "id = \"{id}\"\ntitle = \"{id}\"\nsource = \"a change\"\n{}",
                rest.join("\n")
            );
            let house = houses.read_house(&text).expect("a good house");
            houses.add_house(house).expect("a new id");
        }
        let quick = Clocks {
            offer: 1_500,
            betting: 2_000,
            reveal: 300,
            decision: 2_500,
            between: 50,
            empty: 5_000,
        };
        let mut offers = Vec::new();
        for house in houses.houses() {
            let tables = house.bonus_paytables();
            for (place, clocks) in
                [None, Some(Clocks::default()), None, Some(quick)].into_iter().enumerate()
            {
                let bonus = tables[place % tables.len()].id();
                let terms = Terms::new(&houses, house.id(), Some(bonus), clocks);
                let terms = match bonus {
                    "JACKPOT" => terms.and_then(Terms::with_practice_chips),
                    _ => terms,
                };
                let written = serde_json::to_value(house).expect("plain data");
                let written_house = WrittenHouse { house: written, bonus: bonus.to_owned() };
                offers.push((terms.expect("good terms"), written_house));
            }
        }
        Self { catalog, offers }
    }
}

/// Pays as much as a pay table may, on everything.
const JACKPOT: &str = r#"
id = "JACKPOT"
title = "Jackpot"
source = "a hostile host"
bet = "trips"

[pays]
royal-flush = "10000:1"
straight-flush = "10000:1"
four-of-a-kind = "10000:1"
full-house = "10000:1"
flush = "10000:1"
straight = "10000:1"
"#;

/// Makes a house pay by the jackpot, with the largest possible limits.
fn hostile(text: &str) -> String {
    let line = |line: &str| match first_word(line) {
        "bonus_paytables" => "bonus_paytables = [\"JACKPOT\"]".to_owned(),
        "ante_max" => "ante_max = 100000000".to_owned(),
        "bonus_max" => "bonus_max = 100000000".to_owned(),
        "single_wager_max" => String::new(),
        _ => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn standard() -> String {
    include_str!("../../../rules/data/houses/uth-standard.toml").to_owned()
}

fn california() -> String {
    include_str!("../../../rules/data/houses/uth-california.toml").to_owned()
}

fn washington() -> String {
    include_str!("../../../rules/data/houses/uth-washington.toml").to_owned()
}

fn first_word(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

/// Runs a history, and returns the number of finished rounds that were dealt, by house; or the
/// finding, with a transcript if `tell` is set.
pub(crate) fn run(
    ground: &Ground,
    seed: u64,
    steps: &[Step],
    bug: Option<Sabotage>,
    tell: bool,
) -> Result<BTreeMap<String, u64>, (Finding, Vec<String>)> {
    let mut world = World::new(ground, seed, bug, tell);
    let all = AssertUnwindSafe(|| {
        for step in steps {
            world.step(step)?;
        }
        world.finish()
    });
    let ended = catch_unwind(all).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        let words = words.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        finding(Wrong::Broken, words.unwrap_or_else(|| "a panic".to_owned()))
    });
    match ended {
        Ok(()) => Ok(world.auditor.finished),
        Err(finding) => Err((finding, world.story)),
    }
}

struct Node {
    floor: Floor<Faulty>,
    timeouts: Timeouts,
    /// The error of its clock.
    skew: i64,
}

/// A command on its way.
#[derive(Clone, Debug)]
struct Request {
    table: String,
    command: Command,
    key: CommandKey,
}

/// A purchase of chips.
#[derive(Clone, Debug)]
struct Purchase {
    player: String,
    amount: i64,
    key: CommandKey,
}

/// The source of seeds during a step.
#[derive(Debug)]
struct Source {
    random: Random,
    dry: bool,
}

struct World<'a> {
    ground: &'a Ground,
    store: Saboteur,
    trouble: Arc<Mutex<Trouble>>,
    source: Arc<Mutex<Source>>,
    nodes: Vec<Node>,
    /// A spectator's floor, with a view of the store without faults.
    rail: Floor<Shared>,
    auditor: Auditor,
    now: i64,
    /// The house that is played at each place, and the name of the table there.
    places: Vec<(usize, Option<String>)>,
    /// Commands that were carried out, with their answers.
    answered: Vec<(Request, String)>,
    doubts: Vec<Request>,
    unpaid: Vec<Purchase>,
    /// A player who could not pay for a wager.
    broke: Option<String>,
    /// For how many more steps the store is full.
    full: usize,
    /// When the last claim of a table expires.
    claimed: i64,
    /// Whether the store may fail now.
    troubled: bool,
    keys: (u64, u32),
    tell: bool,
    story: Vec<String>,
}

impl<'a> World<'a> {
    fn new(ground: &'a Ground, seed: u64, bug: Option<Sabotage>, tell: bool) -> Self {
        let mut random = Random::new(!seed);
        let shared = Shared::default();
        let source = Arc::new(Mutex::new(Source { random: Random::new(0), dry: false }));
        let mut world = Self {
            ground,
            store: Saboteur::new(shared.clone(), bug),
            trouble: Arc::default(),
            source,
            nodes: Vec::new(),
            rail: Floor::new(shared, Box::new(|| None)),
            auditor: Auditor::new(ground.catalog.clone()),
            now: 1_700_000_000_000,
            places: (0..TABLES).map(|_| (random.below(ground.offers.len()), None)).collect(),
            answered: Vec::new(),
            doubts: Vec::new(),
            unpaid: Vec::new(),
            broke: None,
            full: 0,
            claimed: 0,
            troubled: false,
            keys: (0, 0),
            tell,
            story: Vec::new(),
        };
        world.nodes = (0..nodes(seed)).map(|_| world.node(0)).collect();
        world
    }

    /// Starts a node with empty caches.
    fn node(&self, skew: i64) -> Node {
        let source = Arc::clone(&self.source);
        let entropy: Entropy = Box::new(move || {
            let mut source = lock(&source);
            let mut bytes = [0; 32];
            for chunk in bytes.chunks_mut(8) {
                chunk.copy_from_slice(&source.random.number().to_be_bytes());
            }
            (!source.dry).then(|| Seed::from_bytes(bytes))
        });
        let store = Faulty::new(self.store.clone(), Arc::clone(&self.trouble));
        let timeouts = Timeouts::new(TimeoutOptions { lease: LEASE, ..TimeoutOptions::default() });
        Node { floor: Floor::new(store, entropy), timeouts, skew }
    }

    fn tell(&mut self, words: impl FnOnce() -> String) {
        if self.tell {
            self.story.push(words());
        }
    }

    fn clock(&self, node: usize) -> Time {
        Time::from_millis(self.now + self.nodes[node].skew)
    }

    fn key(&mut self, sender: &str) -> CommandKey {
        self.keys.1 += 1;
        let (dice, number) = self.keys;
        CommandKey { sender: sender.to_owned(), key: format!("{dice:x}.{number}") }
    }

    fn arm(&mut self, mishap: Option<Mishap>) {
        self.troubled = mishap.is_some() || self.full > 0;
        *lock(&self.trouble) = Trouble { mishap, full: self.full > 0 };
        lock(&self.source).dry = mishap == Some(Mishap::NoEntropy);
    }

    fn step(&mut self, step: &Step) -> Result<(), Finding> {
        let mut random = Random::new(step.dice);
        self.keys = (step.dice, 0);
        lock(&self.source).random = Random::new(!step.dice);
        let mishap = Mishap::roll(&mut random);
        self.full = self.full.saturating_sub(1);
        self.arm(mishap);
        if let Some(mishap) = mishap {
            self.tell(|| format!("({})", mishap.words()));
        }
        self.now += random.below(300_i64);
        let (node, random) = (step.node, &mut random);
        match step.kind {
            Kind::Play => self.play(step, random),
            Kind::Wrong => self.wrong(step, random),
            Kind::Repeat => self.repeat(node, random),
            Kind::Reuse => self.reuse(node, random),
            Kind::Wake => self.wake(node),
            Kind::AskAgain => self.ask_again(node, random),
            Kind::Buy => {
                let player = person(random.below(PEOPLE));
                self.buy(node, &player, random)
            }
            Kind::Operate => match self.table_at(step.table)? {
                Some(table) => {
                    let command = player::operate(random);
                    self.send(node, table.name(), command, "operator")
                }
                None => Ok(()),
            },
            Kind::Audit => self.audit(),
            Kind::CatchUp => self.catch_up(),
            Kind::Pass | Kind::Jump | Kind::Crash | Kind::Skew | Kind::Fill => {
                self.weather(step, random);
                Ok(())
            }
        }
    }

    /// Runs a step that does not happen at a table.
    fn weather(&mut self, step: &Step, random: &mut Random) {
        let node = step.node;
        let below =
            |random: &mut Random, bound: usize| i64::try_from(random.below(bound)).expect("small");
        match step.kind {
            Kind::Pass => {
                let millis = below(random, 30_000);
                self.now += millis;
                self.tell(|| format!("{millis} ms pass"));
            }
            Kind::Jump => {
                let hours = below(random, 13) - 5;
                self.now += hours * HOUR;
                self.tell(|| format!("all clocks are set by {hours} hours"));
            }
            Kind::Crash => {
                self.nodes[node] = self.node(self.nodes[node].skew);
                self.tell(|| format!("node {node} loses its caches"));
            }
            Kind::Skew => {
                let skew = match random.below(4) {
                    0 => 0,
                    1 => below(random, 7_200_000) - HOUR,
                    _ => below(random, 20_000) - 10_000,
                };
                self.nodes[node].skew = skew;
                self.tell(|| format!("the clock of node {node} is wrong by {skew} ms"));
            }
            _ => {
                self.full = 2 + random.below(10);
                let steps = self.full - 1;
                self.tell(|| format!("the store is full for {steps} steps"));
            }
        }
    }

    /// Returns the table at a place, if one was opened there, as the public may see it.
    fn table_at(&mut self, place: usize) -> Result<Option<Arc<Table>>, Finding> {
        let Some(name) = self.places[place].1.clone() else { return Ok(None) };
        self.look(&name).map(Some)
    }

    /// Looks at a table, and tells the auditor its public state.
    fn look(&mut self, name: &str) -> Result<Arc<Table>, Finding> {
        let table = self.see(name)?;
        self.settle(name)?;
        Ok(table)
    }

    fn see(&mut self, name: &str) -> Result<Arc<Table>, Finding> {
        let table = at_once(self.rail.table(name));
        let table = table.or_else(|error| finding(Wrong::Journal, error.to_string()))?;
        self.auditor.saw(&table)?;
        Ok(table)
    }

    /// Lets the auditor settle finished rounds, unless the outcome of a command there is unknown.
    fn settle(&mut self, name: &str) -> Result<(), Finding> {
        if self.doubts.iter().all(|doubt| doubt.table != name) {
            self.auditor.settle(name, &self.rail)?;
        }
        Ok(())
    }

    fn play(&mut self, step: &Step, random: &mut Random) -> Result<(), Finding> {
        let table = self.table_at(step.table)?;
        let Some(table) = table.filter(|table| !table.is_closed()) else {
            return self.open(step);
        };
        match player::next(&table, random) {
            Mind::Send(command) => {
                let sender = sender(&command);
                self.send(step.node, table.name(), command, &sender)?;
                match self.broke.take() {
                    Some(player) if random.chance(800, 1000) => {
                        self.buy(step.node, &player, random)
                    }
                    _ => Ok(()),
                }
            }
            Mind::Wait => {
                let Some(deadline) = table.next_deadline() else { return Ok(()) };
                let ahead = deadline.as_millis() - self.clock(step.node).as_millis();
                // A clock that is hours ahead is not this table's problem.
                if ahead < HOUR {
                    self.now += ahead.max(0);
                }
                self.wake(step.node)
            }
        }
    }

    fn wrong(&mut self, step: &Step, random: &mut Random) -> Result<(), Finding> {
        let Some(table) = self.table_at(step.table)? else { return Ok(()) };
        let command = player::wrong(&table, random);
        let sender = sender(&command);
        self.send(step.node, table.name(), command, &sender)
    }

    fn open(&mut self, step: &Step) -> Result<(), Finding> {
        let name = format!("t{}-{:x}", step.table, step.dice >> 40);
        let (terms, written_house) = &self.ground.offers[self.places[step.table].0];
        let (terms, written_house) = (terms.clone(), written_house.clone());
        let key = self.key("operator");
        // A client that opens a table retries until it knows the outcome.
        for _ in 0..3 {
            let now = self.clock(step.node);
            let floor = &self.nodes[step.node].floor;
            let opened = at_once(floor.open(&name, terms.clone(), Some(key.clone()), now));
            match opened {
                Ok(_) => {
                    let house = terms.house().id();
                    self.tell(|| format!("{name} is opened, playing {house}"));
                    self.auditor.opened(&name, written_house, terms.practice_chips().is_some());
                    self.places[step.table].1 = Some(name.clone());
                    return self.look(&name).map(drop);
                }
                Err(error) => self.bear(&error)?,
            }
            self.arm(None);
        }
        Ok(())
    }

    fn send(
        &mut self,
        node: usize,
        table: &str,
        command: Command,
        sender: &str,
    ) -> Result<(), Finding> {
        let key = self.key(sender);
        self.carry_out(node, Request { table: table.to_owned(), command, key })
    }

    fn carry_out(&mut self, node: usize, request: Request) -> Result<(), Finding> {
        let now = self.clock(node);
        let Request { table, command, key } = request.clone();
        let result =
            at_once(self.nodes[node].floor.command(&table, command.clone(), Some(key), now));
        self.tell(|| {
            let said = match &result {
                Ok(answer) => answer.text.clone(),
                Err(error) => error.to_string(),
            };
            format!("at {table}, through node {node}: {command:?}\n        {said}")
        });
        // The auditor learns the command's result before any round is settled by it.
        self.see(&table)?;
        match result {
            Ok(answer) => {
                self.auditor.answered(&table, &command, &answer.text)?;
                if self.answered.len() == 64 {
                    self.answered.remove(0);
                }
                self.answered.push((request, answer.text));
            }
            Err(FloorError::Store(StoreError::Unknown(_))) => {
                self.doubts.push(request);
            }
            Err(FloorError::Refused(Refusal::InsufficientChips)) => {
                self.broke = Some(request.key.sender);
            }
            Err(error) => self.bear(&error)?,
        }
        self.settle(&table)
    }

    /// Decides whether a failure is expected.
    fn bear(&self, error: &FloorError) -> Result<(), Finding> {
        match error {
            FloorError::Refused(_) | FloorError::Store(StoreError::Unknown(_)) => Ok(()),
            FloorError::Store(StoreError::Unavailable(_) | StoreError::Full(_))
                if self.troubled =>
            {
                Ok(())
            }
            _ => finding(Wrong::Broken, error.to_string()),
        }
    }

    fn buy(&mut self, node: usize, player: &str, random: &mut Random) -> Result<(), Finding> {
        // The last player is so rich that sometimes they may not play.
        let amount = if *player == person(PEOPLE - 1) {
            random.pick(&[10_000, MOST_CHIPS.as_cents() / 4])
        } else {
            random.pick(&[10_000, 30_000, 60_000, 100_000])
        };
        let key = self.key(player);
        self.pay_in(node, Purchase { player: player.to_owned(), amount, key })
    }

    fn pay_in(&mut self, node: usize, purchase: Purchase) -> Result<(), Finding> {
        let Purchase { player, amount, key } = purchase.clone();
        let transfer = Transfer {
            key: format!("issue/{player}/{}", key.key),
            from: Account::Issue(player.clone()),
            to: Account::Player(player.clone()),
            amount: Amount::cents(amount),
        };
        let body = Hash::of(format!("{amount}").as_bytes());
        let command = Some(Answered { key, body, answer: amount.to_string() });
        let (now, store) = (self.clock(node), self.nodes[node].floor.store());
        let result = at_once(store.transfer(vec![transfer], now, command));
        self.tell(|| format!("{player} buys {amount}: {result:?}"));
        match result {
            Ok(_) => {
                self.auditor.issued(&player, amount);
                self.unpaid.retain(|doubt| doubt.key != purchase.key);
            }
            Err(StoreError::Unknown(_)) => {
                // A repeat without an answer is still the same unknown purchase, and not a second
                // one.
                self.unpaid.retain(|doubt| doubt.key != purchase.key);
                self.unpaid.push(purchase);
            }
            Err(error) => self.bear(&error.into())?,
        }
        Ok(())
    }

    fn repeat(&mut self, node: usize, random: &mut Random) -> Result<(), Finding> {
        if self.answered.is_empty() {
            return Ok(());
        }
        let (request, text) = self.answered[random.below(self.answered.len())].clone();
        let Request { table, command, key } = request;
        let now = self.clock(node);
        let floor = &self.nodes[node].floor;
        let result = at_once(floor.command(&table, command.clone(), Some(key), now));
        self.tell(|| format!("again, through node {node}: {command:?}"));
        self.look(&table)?;
        match result {
            Ok(answer) if answer.repeated && answer.text == text => Ok(()),
            Err(FloorError::Store(error)) if self.troubled && error.is_transient() => Ok(()),
            other => {
                let words = format!("{table} answered {command:?} with {text}, then {other:?}");
                finding(Wrong::Repetition, words)
            }
        }
    }

    fn reuse(&mut self, node: usize, random: &mut Random) -> Result<(), Finding> {
        if self.answered.is_empty() {
            return Ok(());
        }
        let (Request { table, key, .. }, _) =
            self.answered[random.below(self.answered.len())].clone();
        let command = OperatorCommand::Void { reason: "another body".to_owned() }.into();
        let now = self.clock(node);
        let result = at_once(self.nodes[node].floor.command(&table, command, Some(key), now));
        self.tell(|| format!("a key is reused at {table}, through node {node}"));
        self.look(&table)?;
        match result {
            Err(FloorError::Store(StoreError::KeyReused)) => Ok(()),
            Err(FloorError::Store(error)) if self.troubled && error.is_transient() => Ok(()),
            other => finding(Wrong::Repetition, format!("a key was used twice: {other:?}")),
        }
    }

    fn wake(&mut self, node: usize) -> Result<(), Finding> {
        let now = self.clock(node);
        let Node { floor, timeouts, .. } = &self.nodes[node];
        let woken = match at_once(timeouts.run_timeouts(floor, now)) {
            Ok(woken) => woken,
            Err(error) => return self.bear(&error.into()),
        };
        self.tell(|| {
            let names: Vec<&str> = woken.iter().map(|(table, _)| &**table).collect();
            format!("node {node} wakes {}", names.join(", "))
        });
        self.claimed = self.claimed.max(now.after(LEASE).as_millis());
        for (table, result) in woken {
            self.look(&table)?;
            if let Err(error) = result {
                self.bear(&error)?;
            }
        }
        Ok(())
    }

    fn ask_again(&mut self, node: usize, random: &mut Random) -> Result<(), Finding> {
        if !self.doubts.is_empty() {
            let place = random.below(self.doubts.len());
            return self.resolve(node, place);
        }
        match self.unpaid.first().cloned() {
            Some(purchase) => self.pay_in(node, purchase),
            None => Ok(()),
        }
    }

    /// Asks for the outcome of a command again; without an answer, it stays unknown.
    fn resolve(&mut self, node: usize, place: usize) -> Result<(), Finding> {
        let doubt = self.doubts[place].clone();
        let now = self.clock(node);
        let Request { table, command, key } = doubt.clone();
        let floor = &self.nodes[node].floor;
        let result = at_once(floor.command(&table, command, Some(key), now));
        self.tell(|| format!("what became of {:?}? {result:?}", doubt.command));
        self.see(&table)?;
        match result {
            Ok(answer) => {
                self.auditor.answered(&table, &doubt.command, &answer.text)?;
                self.doubts.remove(place);
            }
            // It was not carried out then, and is not now.
            Err(FloorError::Refused(_)) => drop(self.doubts.remove(place)),
            Err(error) => self.bear(&error)?,
        }
        self.settle(&table)
    }

    fn names(&self) -> Vec<String> {
        self.places.iter().filter_map(|(_, name)| name.clone()).collect()
    }

    /// Compares balances, if the outcome of every command is known.
    fn audit(&mut self) -> Result<(), Finding> {
        if !self.doubts.is_empty() || !self.unpaid.is_empty() {
            return Ok(());
        }
        for name in self.names() {
            self.look(&name)?;
        }
        self.auditor.compare(self.rail.store())
    }

    /// Lets all nodes handle their timeouts, and checks that nothing is overdue.
    fn catch_up(&mut self) -> Result<(), Finding> {
        self.full = 0;
        self.arm(None);
        // All claims have expired by then.
        self.now = self.now.max(self.claimed + HOUR);
        self.tell(|| "all nodes handle their timeouts".to_owned());
        for node in 0..self.nodes.len() {
            self.wake(node)?;
        }
        let now = self.clock(self.nodes.len() - 1);
        for name in self.names() {
            let table = self.look(&name)?;
            if let Some(deadline) = table.next_deadline().filter(|deadline| *deadline <= now) {
                let words = format!("{name} should have been woken at {deadline}, but it is {now}");
                return finding(Wrong::Overdue, words);
            }
        }
        Ok(())
    }

    /// Ends everything, and checks the final sums.
    fn finish(&mut self) -> Result<(), Finding> {
        self.keys = (0, 0);
        self.full = 0;
        self.arm(None);
        while !self.doubts.is_empty() {
            self.resolve(0, 0)?;
        }
        while let Some(purchase) = self.unpaid.first().cloned() {
            self.pay_in(0, purchase)?;
        }
        self.catch_up()?;
        let reason = || "the evening is over".to_owned();
        for name in self.names() {
            self.send(0, &name, OperatorCommand::Pause { reason: reason() }.into(), "operator")?;
            if self.look(&name)?.terms().clocks().is_none() {
                self.send(0, &name, OperatorCommand::Void { reason: reason() }.into(), "operator")?;
            }
        }
        // No more commands are sent: every round ends by its timeouts.
        for _ in 0..64 {
            let mut latest = None;
            for name in self.names() {
                let table = self.look(&name)?;
                latest = latest.max(table.round().and_then(|_| table.next_deadline()));
            }
            let Some(latest) = latest else { break };
            self.now = self.now.max(latest.as_millis() - self.nodes[1].skew);
            self.wake(1)?;
        }
        for name in self.names() {
            if self.look(&name)?.round().is_some() {
                return finding(Wrong::Overdue, format!("the round at {name} does not end"));
            }
        }
        self.auditor.compare(self.rail.store())?;
        self.auditor.read_journals(self.rail.store())
    }
}

fn sender(command: &Command) -> String {
    match command {
        Command::Player { player, .. } => player.clone(),
        Command::Operator(_) | Command::OpenRound { .. } => "operator".to_owned(),
    }
}
