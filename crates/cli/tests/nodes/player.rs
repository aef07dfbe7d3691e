//! Somebody who plays, at whichever node answers, and remembers what he was told.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use croupier_testing::{Method, Reply, Told, Visitor, Watch, fresh_key};
use serde_json::{Value, json};

use super::node::{Board, PATIENCE};

/// How long he waits before he tries another node.
const PAUSE: Duration = Duration::from_millis(40);

/// What he posts when he banks, in cents.
const BANK: u64 = 20_000;

/// How many versions later nobody speaks of one any more.
const LATE: u64 = 500;

/// Numbers that look random and are the same every time.
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

/// What all players together were told, each by his node: the same, or it is noticed here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes(Arc<Mutex<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    /// What everybody may see of a table at a version, and when the first heard of it.
    states: BTreeMap<(String, u64), (Value, Instant)>,
    records: BTreeMap<(String, u64), Value>,
    /// How much later the others heard.
    lags: Vec<Duration>,
    /// How often two nodes told of the same version.
    compared: usize,
}

impl Notes {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what somebody was shown of a table.
    fn state(&self, state: &Value, by_stream: bool) {
        let (now, shown) = (Instant::now(), public(state));
        let key = (text(&state["table"]), number(&state["version"]));
        let mut seen = self.seen();
        let Some((known, first)) = seen.states.get(&key) else {
            // Nobody is so late that what is long past need be kept.
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

    /// Returns the rounds of a table that somebody was told the record of.
    pub(crate) fn rounds(&self, table: &str) -> Vec<(u64, Value)> {
        let seen = self.seen();
        let rounds = seen.records.iter().filter(|((name, _), _)| name == table);
        rounds.map(|((_, round), record)| (*round, record.clone())).collect()
    }

    /// Returns how much later than the first the others heard: half of them, nearly all of them,
    /// and the last; and how often two nodes told of the same version.
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
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Returns what everybody may see of what one player sees.
fn public(state: &Value) -> Value {
    let mut state = state.clone();
    let fields = state.as_object_mut().expect("a table");
    fields.remove("now");
    fields.remove("invite");
    fields.remove("chips");
    for seat in state["seats"].as_array_mut().into_iter().flatten() {
        seat.as_object_mut().expect("a seat").remove("you");
    }
    for hand in state["round"]["hands"].as_array_mut().into_iter().flatten() {
        let hand = hand.as_object_mut().expect("a hand");
        hand.remove("cards");
        hand.remove("decisions");
    }
    state
}

/// A command that was carried out, with what was answered.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(crate) table: String,
    pub(crate) key: String,
    pub(crate) command: Value,
    pub(crate) version: u64,
    pub(crate) events: Value,
}

/// Somebody who plays at one table.
pub(crate) struct Player {
    board: Board,
    /// The node that he talks to as long as it lives.
    home: usize,
    pub(crate) visitor: Visitor,
    pub(crate) id: String,
    pub(crate) table: String,
    pub(crate) seat: u64,
    dice: Dice,
    /// Whether he goes to another node for every command, if he plays by himself.
    pub(crate) roams: bool,
    /// Whether he takes the bank now and then.
    pub(crate) banks: bool,
    notes: Notes,
    /// Every command of his that was carried out.
    pub(crate) done: Vec<Done>,
    /// The version that his stream has shown, and the one that his last command led to.
    seen: Option<u64>,
    acted: u64,
    /// The number of the round that he was shown last, and how many he saw the end of.
    pub(crate) round: u64,
    pub(crate) over: usize,
    /// How often he had to go elsewhere.
    pub(crate) moves: usize,
}

impl Player {
    /// Comes in as a guest at a node.
    pub(crate) async fn guest(board: &Board, home: usize, notes: &Notes) -> Self {
        let address = board.from(home).expect("a node lives");
        let visitor = Visitor::guest(address).await;
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

    /// Sends a request until there is an answer that tells, at one node after the other.
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
        while start.elapsed() < PATIENCE {
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
        panic!("nobody answers {path}: {why}");
    }

    /// Asks for something.
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

    /// Asks something of the table, under one key wherever it is sent. Returns the table, or why it
    /// is refused.
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
        assert!(number(&shown["version"]) >= version, "an answer comes with an older table");
        self.notes.state(&shown, false);
        self.acted = version;
        let (table, events) = (self.table.clone(), answer["events"].clone());
        self.done.push(Done { table, key, command, version, events });
        Ok(shown)
    }

    /// Begins to watch the table after what he has seen, at the first node that lets him.
    async fn watch(&mut self) -> Watch {
        let path = format!("/api/tables/{}/events", self.table);
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
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

    /// Takes news, and returns the table.
    fn hear(&mut self, told: Told) -> Value {
        let Told { version, mut data } = told;
        let events = data["events"].as_array().expect("a list");
        if let Some(seen) = self.seen {
            assert!(version > seen, "version {version} comes after {seen}");
            if data["missed"] == false {
                let since = usize::try_from(version - seen).expect("a few");
                assert_eq!(events.len(), since, "what happened from {seen} to {version}");
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

    /// Plays until he has had enough of it, and then leaves the table as it is.
    pub(crate) async fn play(&mut self, enough: impl Fn(&Self) -> bool) {
        while !enough(self) {
            let mut watch = self.watch().await;
            let mut heard = Instant::now();
            while !enough(self) {
                // What would end this may have happened elsewhere.
                match tokio::time::timeout(Duration::from_millis(100), watch.next()).await {
                    Ok(Some(told)) => {
                        heard = Instant::now();
                        let state = self.hear(told);
                        self.act(&state).await;
                    }
                    // The node is gone: another goes on where it stopped.
                    Ok(None) => break,
                    Err(_) => {
                        let table = &self.table;
                        assert!(heard.elapsed() < PATIENCE, "nothing happens at {table} any more");
                    }
                }
            }
        }
    }

    /// Does what the table waits for, more often than not.
    async fn act(&mut self, state: &Value) {
        if number(&state["version"]) < self.acted || state["closed"] == true {
            return;
        }
        let seats = state["seats"].as_array().expect("a list");
        let seat = self.seat;
        let Some(own) = seats.iter().find(|own| own["you"] == true) else { return };
        // Who sleeps now and then leaves something to be done about deadlines.
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
            // The table has moved on: he will hear of it.
            _ => {}
        }
    }

    /// Plays by himself, at a table without clocks and without a thought, until he has had enough
    /// of it. Nobody else is there, so that nothing he asks for is ever refused, wherever it
    /// was sent and sent again.
    pub(crate) async fn grind(&mut self, house: &str, enough: impl Fn(&Self) -> bool) {
        self.open_as(&json!({"house": house, "pace": "none"})).await;
        let mut next = json!({"command": "wager", "seat": 1, "ante": 500});
        while !enough(self) {
            if self.roams {
                self.home += 1;
            }
            // The others must get a word in.
            tokio::time::sleep(Duration::from_millis(15)).await;
            let state = match self.ask(next.clone()).await {
                Ok(state) => state,
                Err(code) if code == "no-round" && next["command"] == "wager" => continue,
                Err(code) => {
                    assert_eq!(code, "insufficient-chips", "{next}");
                    // If it was asked for twice, he has some already.
                    self.send(Method::POST, "/api/me/chips", &[], Some(&json!({}))).await;
                    continue;
                }
            };
            // If the clock of this node is a little behind that of the one before, the next round
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

    /// Returns what he has, as a node says.
    pub(crate) async fn chips(&mut self) -> i64 {
        let me = self.get("/api/me").await.good();
        assert_eq!(me["in_play"], 0, "no round is open");
        me["chips"].as_i64().expect("a number")
    }

    /// Returns what he won and lost in all his rounds together, and how many there were.
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

    /// Sends everything again that was carried out, to some node: it is answered as before.
    pub(crate) async fn ask_again(&self, address: SocketAddr) {
        let here = self.visitor.at(address);
        // What changed nothing is not kept.
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
