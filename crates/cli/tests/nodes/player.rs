//! A player who plays at any node that answers, and remembers every response.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use croupier_testing::{Client, Method, Reply, StreamEvent, Watch, fresh_key};
use serde_json::{Value, json};

use super::node::{Board, TIMEOUT};

/// How long the player waits before trying another node.
const PAUSE: Duration = Duration::from_millis(40);

/// The amount the player posts as the bank, in cents.
const BANK: u64 = 20_000;

/// The number of versions after which no node still reports one.
const LATE: u64 = 500;

/// Pseudorandom numbers that are the same every time.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below another: splitmix64, which is enough for a test.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mixed = usize::try_from((mixed ^ (mixed >> 31)) >> 32).expect("32 bits");
        mixed % count
    }
}

/// Everything that all players were sent, each by their own node: a difference is noticed here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes(Arc<Mutex<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    /// The public view of a table at a version, and when the first player got it.
    states: BTreeMap<(String, u64), (Value, Instant)>,
    records: BTreeMap<(String, u64), Value>,
    /// How much later the others got it.
    lags: Vec<Duration>,
    /// How often two nodes reported the same version.
    compared: usize,
}

impl Notes {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a player's view of a table.
    fn state(&self, state: &Value, by_stream: bool) {
        let (now, shown) = (Instant::now(), public(state));
        let key = (text(&state["table"]), number(&state["version"]));
        let mut seen = self.seen();
        let Some((known, first)) = seen.states.get(&key) else {
            // No player is so late that old versions need to be kept.
            let past = (key.0.clone(), key.1.saturating_sub(LATE));
            seen.states.remove(&past);
            seen.states.insert(key, (shown, now));
            return;
        };
        assert_eq!(*known, shown, "two nodes show version {} of {} differently", key.1, key.0);
        let lag = now - *first;
        seen.compared += 1;
        if by_stream {
            seen.lags.push(lag);
        }
    }

    /// Takes the record of a round.
    fn record(&self, record: &Value) {
        let key = (text(&record["shuffle"]["table"]), number(&record["shuffle"]["round"]));
        let mut seen = self.seen();
        let known = seen.records.entry(key).or_insert_with(|| record.clone());
        assert_eq!(known, record, "a round has two records");
    }

    /// Returns the rounds of a table whose record was sent to any player.
    pub(crate) fn rounds(&self, table: &str) -> Vec<(u64, Value)> {
        let seen = self.seen();
        let rounds = seen.records.iter().filter(|((name, _), _)| name == table);
        rounds.map(|((_, round), record)| (*round, record.clone())).collect()
    }

    /// Returns how much later than the first the others got a version: half of them, nearly all of
    /// them, and the last; and how often two nodes reported the same version.
    pub(crate) fn lags(&self) -> ([Duration; 3], usize) {
        let seen = self.seen();
        let mut lags = seen.lags.clone();
        lags.sort();
        let at = |percent: usize| lags.get((lags.len() * percent / 100).min(lags.len() - 1));
        let found = [50, 95, 100].map(|percent| at(percent).copied().unwrap_or_default());
        (found, seen.compared)
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a text")).to_owned()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// Returns the public part of a player's view.
fn public(state: &Value) -> Value {
    let mut state = state.clone();
    let without = |value: &mut Value, private: &[&str]| {
        let fields = value.as_object_mut().expect("an object");
        fields.retain(|name, _| !private.contains(&&**name));
    };
    without(&mut state, &["now", "invite", "chips", "may_deal"]);
    for seat in state["seats"].as_array_mut().into_iter().flatten() {
        // A player may win or lose chips elsewhere between two looks at a table.
        without(seat, &["you", "notice", "chips"]);
    }
    for hand in state["round"]["hands"].as_array_mut().into_iter().flatten() {
        without(hand, &["cards", "decisions", "choices", "name"]);
    }
    state
}

/// A command that was carried out, with its response.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(crate) table: String,
    pub(crate) key: String,
    pub(crate) command: Value,
    pub(crate) version: u64,
    pub(crate) events: Value,
}

/// A player at one table.
pub(crate) struct Player {
    board: Board,
    /// The node that the player uses while it is alive.
    home: usize,
    pub(crate) visitor: Client,
    pub(crate) id: String,
    pub(crate) table: String,
    pub(crate) seat: u64,
    dice: Dice,
    /// Whether the player switches nodes for every command, when playing alone.
    pub(crate) roams: bool,
    /// Whether the player takes the bank now and then.
    pub(crate) banks: bool,
    notes: Notes,
    /// Every command of the player that was carried out.
    pub(crate) done: Vec<Done>,
    /// The version that the player's stream has shown, and the one that the last command led to.
    seen: Option<u64>,
    acted: u64,
    /// The number of the last round the player was shown, and how many the player saw the end of.
    pub(crate) round: u64,
    pub(crate) over: usize,
    /// How often the player had to switch nodes.
    pub(crate) moves: usize,
}

impl Player {
    /// Enters as a guest at a node.
    pub(crate) async fn guest(board: &Board, home: usize, notes: &Notes) -> Self {
        let address = board.from(home).expect("a node lives");
        let visitor = Client::guest(address).await;
        let me = visitor.get("/api/me").await.good();
        Self {
            board: board.clone(),
            home,
            visitor,
            id: text(&me["player"]),
            table: String::new(),
            seat: 0,
            dice: Dice::new(0xdea1 + home as u64),
            roams: false,
            banks: true,
            notes: notes.clone(),
            done: Vec::new(),
            seen: None,
            acted: 0,
            round: 0,
            over: 0,
            moves: 0,
        }
    }

    /// Sends a request to one node after another until it gets a definite response.
    async fn send(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Reply {
        let start = Instant::now();
        let headers = [headers, &[("content-type", "application/json")]].concat();
        let body = body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
        let mut why = String::new();
        while start.elapsed() < TIMEOUT {
            if let Some(address) = self.board.from(self.home) {
                let here = self.visitor.at(address);
                match here.send(method.clone(), path, &headers, body.clone()).await {
                    Ok(reply) if reply.status.as_u16() != 503 => return reply,
                    Ok(reply) => why = String::from_utf8_lossy(&reply.body).into_owned(),
                    Err(error) => why = error,
                }
                self.home += 1;
                self.moves += 1;
            }
            tokio::time::sleep(PAUSE).await;
        }
        panic!("no node answers {path}: {why}");
    }

    /// Sends a GET request.
    pub(crate) async fn get(&mut self, path: &str) -> Reply {
        self.send(Method::GET, path, &[], None).await
    }

    /// Opens a public table of a house, and sits down there.
    pub(crate) async fn open(&mut self, house: &str) {
        self.open_as(&json!({"house": house, "public": true})).await;
    }

    async fn open_as(&mut self, opening: &Value) {
        let key = fresh_key();
        let headers = [("idempotency-key", &*key)];
        let opened = self.send(Method::POST, "/api/tables", &headers, Some(opening)).await;
        let table = text(&opened.good()["table"]);
        self.join(&table, 1).await;
    }

    /// Sits down at a table.
    pub(crate) async fn join(&mut self, table: &str, seat: u64) {
        (self.table, self.seat) = (table.to_owned(), seat);
        let joined = self.ask(json!({"command": "join", "seat": seat})).await;
        joined.unwrap_or_else(|code| panic!("no seat {seat} at {table}: {code}"));
    }

    /// Asks to play at once.
    pub(crate) async fn play_now(&mut self, house: &str) {
        let wish = json!({ "house": house });
        let seated = self.send(Method::POST, "/api/play", &[], Some(&wish)).await.good();
        (self.table, self.seat) = (text(&seated["state"]["table"]), number(&seated["seat"]));
        self.notes.state(&seated["state"], false);
    }

    /// Asks a bot to the table.
    pub(crate) async fn add_bot(&mut self) {
        let path = format!("/api/tables/{}/bots", self.table);
        self.send(Method::POST, &path, &[], Some(&json!({}))).await.good();
    }

    /// Sends a command to the table, with the same key at every node. Returns the table, or the
    /// code of the refusal.
    pub(crate) async fn ask(&mut self, command: Value) -> Result<Value, String> {
        let key = fresh_key();
        let path = format!("/api/tables/{}/commands", self.table);
        let headers = [("idempotency-key", &*key)];
        let reply = self.send(Method::POST, &path, &headers, Some(&command)).await;
        if reply.status.as_u16() == 409 {
            return Err(reply.code());
        }
        let mut answer = reply.good();
        let (version, shown) = (number(&answer["version"]), answer["state"].take());
        assert!(number(&shown["version"]) >= version, "a response has an older table");
        self.notes.state(&shown, false);
        self.acted = version;
        let (table, events) = (self.table.clone(), answer["events"].clone());
        self.done.push(Done { table, key, command, version, events });
        Ok(shown)
    }

    /// Starts watching the table from the last version seen, at the first node that allows it.
    async fn watch(&mut self) -> Watch {
        let path = format!("/api/tables/{}/events", self.table);
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            if let Some(address) = self.board.from(self.home) {
                if let Ok(watch) = self.visitor.at(address).watch(&path, self.seen).await {
                    return watch;
                }
                self.home += 1;
            }
            tokio::time::sleep(PAUSE).await;
        }
        panic!("{path} cannot be watched");
    }

    /// Takes a message of the stream, and returns the table.
    fn hear(&mut self, told: StreamEvent) -> Value {
        let StreamEvent { version, mut data } = told;
        let events = data["events"].as_array().expect("a list");
        if let Some(seen) = self.seen {
            assert!(version > seen, "version {version} comes after {seen}");
            if data["missed"] == false {
                let since = usize::try_from(version - seen).expect("a few");
                assert_eq!(events.len(), since, "the events from {seen} to {version}");
            }
        }
        if data["missed"] == false && events.iter().any(|event| event["event"] == "round-over") {
            assert!(data["record"].is_object(), "a round is over without a record");
        }
        if data["record"].is_object() {
            self.notes.record(&data["record"]);
            self.over += 1;
        }
        let state = data["state"].take();
        assert_eq!(number(&state["version"]), version);
        self.notes.state(&state, true);
        self.seen = Some(version);
        self.round = number(&state["round_number"]);
        state
    }

    /// Plays until `enough` holds, and then leaves the table as it is.
    pub(crate) async fn play(&mut self, enough: impl Fn(&Self) -> bool) {
        while !enough(self) {
            let mut watch = self.watch().await;
            let mut heard = Instant::now();
            while !enough(self) {
                // The condition may have come true elsewhere.
                match tokio::time::timeout(Duration::from_millis(100), watch.next()).await {
                    Ok(Some(told)) => {
                        heard = Instant::now();
                        let state = self.hear(told);
                        self.act(&state).await;
                    }
                    // The node is gone: another continues where it stopped.
                    Ok(None) => break,
                    Err(_) => {
                        let table = &self.table;
                        assert!(heard.elapsed() < TIMEOUT, "nothing happens at {table} anymore");
                    }
                }
            }
        }
    }

    /// Does what the table waits for, most of the time.
    async fn act(&mut self, state: &Value) {
        if number(&state["version"]) < self.acted || state["closed"] == true {
            return;
        }
        let seats = state["seats"].as_array().expect("a list");
        let seat = self.seat;
        let Some(own) = seats.iter().find(|own| own["you"] == true) else { return };
        // Missing a turn now and then exercises the deadlines.
        let sleeps = self.dice.below(12) == 0;
        let command = match own["awaits"].as_str() {
            _ if own["out"] == true => json!({"command": "sit-in", "seat": seat}),
            _ if sleeps => return,
            Some("bank") if !self.banks || self.dice.below(3) == 0 => {
                json!({"command": "decline-bank", "seat": seat})
            }
            Some("bank") => json!({"command": "take-bank", "seat": seat, "wager": BANK}),
            Some("wager") => json!({"command": "wager", "seat": seat, "ante": 500}),
            Some("decision") => {
                let hands = state["round"]["hands"].as_array().expect("a list");
                let hand = hands.iter().find(|hand| hand["seat"] == seat).expect("a hand");
                let choices = hand["decisions"].as_array().expect("something to decide");
                let decision = &choices[self.dice.below(choices.len())];
                let decide = json!({"command": "decide", "seat": seat, "decision": decision});
                let turn = hand["actions"].as_array().map(Vec::len);
                json!({"command": "expecting", "round": self.round, "turn": turn, "then": decide})
            }
            _ => return,
        };
        let refused = self.ask(command).await.err();
        match refused.as_deref() {
            Some("insufficient-chips") if own["awaits"] == "bank" => {
                drop(self.ask(json!({"command": "decline-bank", "seat": seat})).await);
            }
            Some("insufficient-chips") => {
                self.send(Method::POST, "/api/me/chips", &[], Some(&json!({}))).await;
            }
            // The table has moved on: the stream will report it.
            _ => {}
        }
    }

    /// Plays alone, at a table without clocks and without thinking, until `enough` holds. No other
    /// player is there, so nothing the player asks for is ever refused, wherever it was sent and
    /// resent.
    pub(crate) async fn grind(&mut self, house: &str, enough: impl Fn(&Self) -> bool) {
        self.open_as(&json!({"house": house, "pace": "none"})).await;
        let mut next = json!({"command": "wager", "seat": 1, "ante": 500});
        while !enough(self) {
            if self.roams {
                self.home += 1;
            }
            // The other tasks must get a turn.
            tokio::time::sleep(Duration::from_millis(15)).await;
            let state = match self.ask(next.clone()).await {
                Ok(state) => state,
                Err(code) if code == "no-round" && next["command"] == "wager" => continue,
                Err(code) => {
                    assert_eq!(code, "insufficient-chips", "{next}");
                    // If the request was sent twice, the player already has some.
                    self.send(Method::POST, "/api/me/chips", &[], Some(&json!({}))).await;
                    continue;
                }
            };
            // If the clock of this node is a little behind that of the previous one, the next round
            // opens a moment later.
            let between = state["round"].is_null();
            let own = &state["seats"][0]["awaits"];
            next = match own.as_str() {
                Some("decision") => {
                    let choices = state["round"]["hands"][0]["decisions"].as_array();
                    let choices = choices.expect("something to decide");
                    let decision = &choices[self.dice.below(choices.len())];
                    json!({"command": "decide", "seat": 1, "decision": decision})
                }
                None if !between => json!({"command": "deal"}),
                _ => json!({"command": "wager", "seat": 1, "ante": 500}),
            };
        }
    }

    /// Returns the player's chips, as reported by a node.
    pub(crate) async fn chips(&mut self) -> i64 {
        let me = self.get("/api/me").await.good();
        assert_eq!(me["in_play"], 0, "no round is open");
        me["chips"].as_i64().expect("a number")
    }

    /// Returns the player's total winnings over all rounds, and the number of rounds.
    pub(crate) async fn winnings(&mut self) -> (i64, usize) {
        let (mut won, mut count, mut before) = (0, 0, String::new());
        loop {
            let page = self.get(&format!("/api/me/rounds{before}")).await.good();
            let rounds = page["rounds"].as_array().expect("a list");
            count += rounds.len();
            won += rounds.iter().map(|round| round["net"].as_i64().expect("cents")).sum::<i64>();
            let Some(next) = page["next"].as_str() else { return (won, count) };
            before = format!("?before={next}");
        }
    }

    /// Resends every command that was carried out, to a node: the responses are the same as before.
    pub(crate) async fn ask_again(&self, address: SocketAddr) {
        let here = self.visitor.at(address);
        // Commands that changed nothing are not stored.
        for done in self.done.iter().filter(|done| done.events != json!([])) {
            let path = format!("/api/tables/{}/commands", done.table);
            let headers = [("content-type", "application/json"), ("idempotency-key", &*done.key)];
            let body = done.command.to_string().into_bytes();
            let answer = here.send(Method::POST, &path, &headers, body).await.expect("an answer");
            let answer = answer.good();
            assert_eq!(answer["repeated"], true, "{done:?}");
            assert_eq!(number(&answer["version"]), done.version, "{done:?}");
            assert_eq!(answer["events"], done.events, "{done:?}");
        }
    }
}
