//! An evening at one table: random players, people who only watch, and every byte that any of them
//! receives.

use std::time::Duration;

use croupier_cards::{Card, parse_cards};
use croupier_rules::Seat;
use croupier_table::{seat_commitment, to_hex};
use croupier_testing::{Client, Reply, fresh_key};
use hyper::Method;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::received::Received;
use croupier_testing::Random;

/// The four houses.
pub(crate) const HOUSES: [&str; 4] =
    ["uth-washington", "uth-standard", "uth-california", "utcp-standard"];

/// How long a stream may take to end after its table has closed.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A person, with the player id and the seat.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) visitor: Client,
    pub(crate) id: Option<String>,
    pub(crate) seat: Option<u64>,
}

impl Person {
    pub(crate) async fn guest(stranger: &Client) -> Self {
        let mut visitor = stranger.clone();
        let welcome = visitor.post("/api/guests", &json!({ "bearer": true })).await.good();
        visitor.token = welcome["token"].as_str().map(str::to_owned);
        let id = welcome["player"].as_str().map(str::to_owned);
        Self { visitor, id, seat: None }
    }
}

/// A kind of evening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// At a private table without clocks, which is as fast as its players.
    Private,
    /// At a public table, whose clocks leave a few milliseconds.
    Clocked,
    /// At a private table with bots, who take their time.
    Bots,
}

/// An evening at one table.
#[derive(Debug)]
pub(crate) struct Evening {
    kind: Kind,
    random: Random,
    house: &'static str,
    pub(crate) table: String,
    invite: String,
    /// The players, then an anonymous client, a guest who only watches, and the operator.
    people: Vec<Person>,
    players: usize,
    pub(crate) received: Vec<Received>,
    /// Responses without a version: the next response with a version bounds the version of these.
    loose: Vec<usize>,
    state: Value,
    last: Option<(usize, Value, String)>,
    streams: Vec<JoinHandle<Vec<Received>>>,
}

impl Evening {
    /// Opens a table and lets people in.
    pub(crate) async fn begin(kind: Kind, seed: u64, stranger: &Client, operator: &Person) -> Self {
        let mut random = Random::new(seed);
        let house = random.pick(&HOUSES);
        let wanted = random.pick(&[2, 2, 2, 2, 3, 3, 3, 4, 5, 7]);
        let mut people = Vec::new();
        for _ in 0..wanted {
            people.push(Person::guest(stranger).await);
        }
        let players = people.len();
        people.push(Person { visitor: stranger.clone(), id: None, seat: None });
        people.push(Person::guest(stranger).await);
        people.push(operator.clone());
        let mut evening = Self {
            kind,
            random,
            house,
            table: String::new(),
            invite: String::new(),
            people,
            players,
            received: Vec::new(),
            loose: Vec::new(),
            state: Value::Null,
            last: None,
            streams: Vec::new(),
        };
        evening.open().await;
        evening
    }

    async fn open(&mut self) {
        for player in 0..self.players {
            let id = self.people[player].id.clone().expect("a player");
            let path = format!("/api/operator/players/{id}/adjustments");
            let gift = json!({"amount": 500_000_000, "reason": "for a long evening"});
            self.ask(self.players + 2, Method::POST, &path, Some(&gift)).await.good();
        }
        let pace = if self.kind == Kind::Clocked { "usual" } else { "none" };
        let public = self.kind == Kind::Clocked;
        let mut opening = json!({"house": self.house, "pace": pace, "public": public});
        if self.kind == Kind::Bots && self.house == "uth-california" {
            opening["practice_bank"] = true.into();
        }
        let opened = self.ask(0, Method::POST, "/api/tables", Some(&opening)).await.good();
        opened["table"].as_str().expect("a name").clone_into(&mut self.table);
        opened["invite"].as_str().unwrap_or_default().clone_into(&mut self.invite);
        self.watch();
    }

    /// Connects one or two of the people as viewers. A client without the invitation is refused.
    fn watch(&mut self) {
        let first = self.random.below(self.players);
        let second = self.players + self.random.below(3);
        let watchers =
            vec![vec![first, second], vec![first], vec![second]].swap_remove(self.random.below(3));
        for who in watchers {
            let invite = if self.random.chance(1, 5) { "" } else { &self.invite };
            let path = format!("/api/tables/{}/events?invite={invite}", self.table);
            let Person { visitor, id, .. } = self.people[who].clone();
            let random = Random::new(self.random.number());
            self.streams.push(tokio::spawn(watch(visitor, id, path, random)));
        }
    }

    /// Sends a request, and keeps the response.
    async fn ask(&mut self, who: usize, how: Method, path: &str, body: Option<&Value>) -> Reply {
        let key = fresh_key();
        self.ask_again(who, how, path, body, &key).await
    }

    async fn ask_again(
        &mut self,
        who: usize,
        how: Method,
        path: &str,
        body: Option<&Value>,
        key: &str,
    ) -> Reply {
        let text = body.map(Value::to_string).unwrap_or_default();
        let headers = [("content-type", "application/json"), ("idempotency-key", key)];
        let headers = if body.is_some() { &headers[..] } else { &[] };
        let Person { visitor, id, .. } = &self.people[who];
        let sent = visitor.send(how.clone(), path, headers, text.clone().into_bytes()).await;
        let reply = sent.expect("an answer");
        self.received.push(Received {
            who: id.clone(),
            what: format!("{how} {path} {text}: {}", reply.status),
            asked: body.map(cards_of).unwrap_or_default(),
            head: format!("{:?}", reply.headers).into_bytes(),
            body: reply.body.clone(),
            by: 0,
        });
        self.loose.push(self.received.len() - 1);
        let json = reply.json();
        let state = if json["state"].is_object() { &json["state"] } else { &json };
        if state["round_number"].is_u64() {
            self.take(state.clone());
        }
        reply
    }

    /// Stores the current state of the table.
    fn take(&mut self, state: Value) {
        let version = state["version"].as_u64().expect("a version");
        for place in self.loose.drain(..) {
            self.received[place].by = version;
        }
        for person in &mut self.people {
            let own = |seat: &&Value| person.id.as_deref() == seat["player"].as_str();
            let seats = state["seats"].as_array().expect("seats");
            person.seat = seats.iter().find(own).and_then(|seat| seat["seat"].as_u64());
        }
        self.state = state;
    }

    /// Plays until this many rounds are over, then ends the evening.
    pub(crate) async fn play(&mut self, rounds: u64) {
        for _ in 0..rounds * 120 {
            if self.state["round_number"].as_u64() > Some(rounds) || self.state["closed"] == true {
                break;
            }
            match self.random.below(120) {
                0 => self.order("void").await,
                1 => self.leave().await,
                2..=4 => self.meddle().await,
                5..=20 => self.look().await,
                21..=23 => self.repeat().await,
                _ => self.step().await,
            }
            if self.kind == Kind::Clocked && self.random.chance(1, 3) {
                tokio::time::sleep(Duration::from_millis(self.random.below(40))).await;
                self.refresh().await;
            }
        }
        self.end().await;
    }

    async fn end(&mut self) {
        // A table with clocks may open another round in between.
        for _ in 0..100 {
            self.order("close").await;
            self.order("void").await;
            self.refresh_as(self.players + 2).await;
            if self.state["closed"] == true {
                break;
            }
        }
        assert_eq!(self.state["closed"], true, "{}", self.state);
        for stream in std::mem::take(&mut self.streams) {
            let watched = tokio::time::timeout(TIMEOUT, stream).await;
            self.received.extend(watched.expect("the stream ends").expect("a watcher"));
        }
    }

    async fn refresh(&mut self) {
        let who = self.random.below(self.people.len());
        self.refresh_as(who).await;
    }

    async fn refresh_as(&mut self, who: usize) {
        let path = format!("/api/tables/{}?invite={}", self.table, self.invite);
        self.ask(who, Method::GET, &path, None).await;
    }

    async fn command(&mut self, who: usize, command: Value) {
        let path = format!("/api/tables/{}/commands?invite={}", self.table, self.invite);
        let key = fresh_key();
        let reply = self.ask_again(who, Method::POST, &path, Some(&command), &key).await;
        self.last = Some((who, command, key));
        if !reply.status.is_success() {
            self.refresh().await;
        }
    }

    /// Sends the last command again, with the same key.
    async fn repeat(&mut self) {
        let Some((who, command, key)) = self.last.clone() else { return };
        let path = format!("/api/tables/{}/commands?invite={}", self.table, self.invite);
        self.ask_again(who, Method::POST, &path, Some(&command), &key).await;
    }

    async fn order(&mut self, order: &str) {
        let path = format!("/api/operator/tables/{}/commands", self.table);
        let body = json!({"command": order, "reason": "by chance"});
        self.ask(self.players + 2, Method::POST, &path, Some(&body)).await;
    }

    async fn leave(&mut self) {
        let who = self.random.below(self.players);
        if let Some(seat) = self.people[who].seat {
            self.command(who, json!({"command": "leave", "seat": seat})).await;
        }
    }

    /// Tries something that is not allowed.
    async fn meddle(&mut self) {
        let who = self.random.below(self.people.len());
        let seat = 1 + self.random.below(8);
        let (table, invite) = (self.table.clone(), self.invite.clone());
        match self.random.below(5) {
            0 => self.command(who, json!({"command": "decide", "seat": seat, "decision": "bet 3"})),
            1 => self.command(who, json!({"command": "decide", "seat": seat, "decision": "bet 9"})),
            2 => self.command(who, json!({"command": "open-round", "seed": "00"})),
            3 => self.command(who, json!({"command": "reveal-seed", "seat": seat, "seed": "ab"})),
            _ => {
                let path = format!("/api/tables/{table}/rounds?invite={invite}");
                self.ask(who, Method::DELETE, &path, None).await;
                return;
            }
        }
        .await;
    }

    fn person_at(&self, seat: u64) -> Option<usize> {
        self.people.iter().position(|person| person.seat == Some(seat))
    }

    /// Does something that the table waits for.
    async fn step(&mut self) {
        let seated = self.people.iter().filter(|person| person.seat.is_some()).count();
        if seated < self.players {
            return self.join().await;
        }
        let seats = self.state["seats"].as_array().cloned().unwrap_or_default();
        if self.kind == Kind::Bots && seats.len() == seated && seats.len() < 6 {
            let path = format!("/api/tables/{}/bots", self.table);
            self.ask(0, Method::POST, &path, Some(&json!({}))).await;
            return;
        }
        let out = seats.iter().filter(|seat| seat["out"] == true && seat["bot"] == false);
        let out: Vec<u64> = out.filter_map(|seat| seat["seat"].as_u64()).collect();
        if let Some(who) = out.first().and_then(|&seat| self.person_at(seat)) {
            return self.command(who, json!({"command": "sit-in", "seat": out[0]})).await;
        }
        let stage = self.state["round"]["stage"].as_str().unwrap_or_default().to_owned();
        match &*stage {
            "offering" => self.bank().await,
            "betting" => self.wager().await,
            "revealing" => self.reveal().await,
            "deciding" => self.decide().await,
            _ => self.wait().await,
        }
    }

    /// Waits for bots or clocks.
    async fn wait(&mut self) {
        let pause = if self.kind == Kind::Bots { 100 } else { 4 };
        tokio::time::sleep(Duration::from_millis(pause)).await;
        self.refresh().await;
    }

    async fn join(&mut self) {
        let seats = self.state["seats"].as_array().cloned().unwrap_or_default();
        let taken = |seat: u64| seats.iter().any(|sitter| sitter["seat"] == seat);
        let free: Vec<u64> = (1..=7).filter(|&seat| !taken(seat)).collect();
        let away = (0..self.players).find(|&who| self.people[who].seat.is_none());
        let (Some(who), false) = (away, free.is_empty()) else { return self.wait().await };
        let seat = self.random.pick(&free);
        self.command(who, json!({"command": "join", "seat": seat})).await;
    }

    async fn bank(&mut self) {
        let offered = self.state["round"]["offered"].as_u64().unwrap_or_default();
        let Some(who) = self.person_at(offered) else { return self.wait().await };
        let wager = self.random.pick(&[5_000, 50_000, 500_000]);
        let command = match self.random.below(5) {
            0 => json!({"command": "decline-bank", "seat": offered}),
            _ => json!({"command": "take-bank", "seat": offered, "wager": wager}),
        };
        self.command(who, command).await;
    }

    fn seed(&self, seat: u64) -> Vec<u8> {
        format!("{}/{}/{seat}", self.table, self.state["round_number"]).into_bytes()
    }

    async fn wager(&mut self) {
        let seats = self.state["seats"].as_array().cloned().unwrap_or_default();
        let awaited = seats.iter().filter(|seat| seat["awaits"] == "wager");
        let awaited: Vec<u64> = awaited.filter_map(|seat| seat["seat"].as_u64()).collect();
        let own: Vec<u64> =
            awaited.into_iter().filter(|&seat| self.person_at(seat).is_some()).collect();
        if own.is_empty() || (self.kind == Kind::Private && self.random.chance(1, 25)) {
            if self.kind == Kind::Clocked {
                return self.wait().await;
            }
            let who = self.random.below(self.players);
            return self.command(who, json!({"command": "deal"})).await;
        }
        let seat = self.random.pick(&own);
        let who = self.person_at(seat).expect("a person");
        let committed = self.state["round"]["commitments"].as_array().cloned().unwrap_or_default();
        let committed = committed.iter().any(|known| known["seat"] == seat);
        if !committed && self.random.chance(1, 6) {
            let round = self.state["round_number"].as_u64().expect("a round");
            let place = Seat::new(u32::try_from(seat).expect("a seat")).expect("a seat");
            let commitment = seat_commitment(&self.table, round, place, &self.seed(seat));
            let commit = json!({"command": "commit-seed", "seat": seat, "commitment": commitment});
            return self.command(who, commit).await;
        }
        let bonus = self.random.pick(&[0, 0, 500, 1_000]);
        let ante = self.random.pick(&[500, 500, 1_500]);
        self.command(who, json!({"command": "wager", "seat": seat, "ante": ante, "bonus": bonus}))
            .await;
    }

    /// Reveals a seed, or a wrong one; or gives it up, so that the table deals without it.
    async fn reveal(&mut self) {
        let seat = self.state["round"]["to_reveal"][0].as_u64().unwrap_or_default();
        let Some(who) = self.person_at(seat) else { return self.wait().await };
        let seed = self.seed(seat);
        let command = match self.random.below(5) {
            0 => json!({"command": "give-up-seed", "seat": seat}),
            1 => json!({"command": "reveal-seed", "seat": seat, "seed": to_hex(b"another")}),
            _ => json!({"command": "reveal-seed", "seat": seat, "seed": to_hex(&seed)}),
        };
        self.command(who, command).await;
    }

    async fn decide(&mut self) {
        let hands = self.state["round"]["hands"].as_array().cloned().unwrap_or_default();
        let own = |hand: &&Value| {
            let seat = hand["seat"].as_u64().unwrap_or_default();
            hand["to_decide"] == true && self.person_at(seat).is_some()
        };
        let own: Vec<&Value> = hands.iter().filter(own).collect();
        if own.is_empty() {
            return self.wait().await;
        }
        let hand = own[self.random.below(own.len())];
        let seat = hand["seat"].as_u64().expect("a seat");
        let street = hand["actions"].as_array().map_or(0, Vec::len);
        let decision = match street {
            _ if self.house == "utcp-standard" => {
                self.random.pick(&["bet 1", "bet 1", "fold", "bet 3", "bet 2"])
            }
            0 => self.random.pick(&["check", "check", "bet 4", "bet 3"]),
            1 => self.random.pick(&["check", "bet 2"]),
            _ => self.random.pick(&["bet 1", "fold"]),
        };
        let who = self.person_at(seat).expect("a person");
        let mut command = json!({"command": "decide", "seat": seat, "decision": decision});
        if self.random.chance(1, 3) {
            let round = self.state["round_number"].as_u64();
            command = json!({"command": "expecting", "round": round, "then": command});
        }
        self.command(who, command).await;
    }

    /// Lets a person read something.
    async fn look(&mut self) {
        let who = self.random.below(self.people.len());
        let (table, invite) = (self.table.clone(), self.invite.clone());
        let invite = if self.random.chance(1, 4) { String::new() } else { invite };
        let round = self.state["round_number"].as_u64().unwrap_or(1).max(1);
        let player = self.people[0].id.clone().unwrap_or_default();
        let house = self.house;
        let path = match self.random.below(24) {
            0 | 1 => format!("/api/tables/{table}/rounds?invite={invite}"),
            2..=5 => format!("/api/tables/{table}/rounds/{round}?invite={invite}"),
            6 => format!("/api/tables/{table}/rounds/{}?invite={invite}", round - 1),
            7 => {
                let round = round - self.random.below(2);
                format!("/api/tables/{table}/rounds/{round}/telling?invite={invite}")
            }
            8 => format!("/api/tables/{table}/terms?invite={invite}"),
            9 => format!("/api/tables?house={house}"),
            10 => "/api/me".to_owned(),
            11 => "/api/me/rounds".to_owned(),
            12 => "/api/me/records".to_owned(),
            13 => "/api/me/statistics".to_owned(),
            14 => "/api/me/export".to_owned(),
            15 => "/api/sessions".to_owned(),
            16 => "/api/operator/tables".to_owned(),
            17 => "/api/operator/reports/in-play?format=csv".to_owned(),
            18 => format!("/api/operator/players/{player}"),
            19 => return self.advise(who).await,
            20 => return self.verify(who, round - 1).await,
            21 if self.random.chance(1, 10) => "/metrics".to_owned(),
            21 if self.random.chance(1, 10) => "/api/operator/reports/events".to_owned(),
            _ => format!("/api/tables/{table}?invite={invite}"),
        };
        self.ask(who, Method::GET, &path, None).await;
    }

    /// Asks for advice on the hand that a person holds.
    async fn advise(&mut self, who: usize) {
        self.refresh_as(who).await;
        let (state, own) = (self.state.clone(), self.people[who].seat);
        let hands = state["round"]["hands"].as_array().cloned().unwrap_or_default();
        let hand = hands.iter().find(|hand| hand["seat"].as_u64() == own && own.is_some());
        let words = |cards: &Value| {
            let cards = cards.as_array().into_iter().flatten().filter_map(Value::as_str);
            cards.collect::<Vec<_>>().join(" ")
        };
        let Some(hand) = hand.map(|hand| words(&hand["cards"])) else { return };
        let board = words(&state["round"]["community"]);
        // Before the flop it takes too long.
        if hand.is_empty() || (board.is_empty() && self.house != "utcp-standard") {
            return;
        }
        let mut body = json!({"house": self.house, "hand": hand});
        if !board.is_empty() {
            body["board"] = Value::from(board);
        }
        self.ask(who, Method::POST, "/api/advise", Some(&body)).await;
    }

    /// Verifies the last round.
    async fn verify(&mut self, who: usize, round: u64) {
        let path = format!("/api/tables/{}/rounds/{round}?invite={}", self.table, self.invite);
        let reply = self.ask(who, Method::GET, &path, None).await;
        if reply.status.is_success() {
            self.ask(who, Method::POST, "/api/verify", Some(&reply.json())).await;
        }
    }
}

/// Returns the cards in a request: its sender knows them.
fn cards_of(question: &Value) -> Vec<Card> {
    let fields = ["hand", "board"].into_iter().filter_map(|name| question[name].as_str());
    fields.filter_map(|text| parse_cards(text).ok()).flatten().collect()
}

/// Watches a table until it closes, and sometimes reconnects as a browser does.
async fn watch(
    visitor: Client,
    who: Option<String>,
    path: String,
    mut random: Random,
) -> Vec<Received> {
    let (mut received, mut seen) = (Vec::new(), None);
    loop {
        let Ok(mut watch) = visitor.watch(&path, seen).await else { return received };
        let leaves_after = 5 + random.below(300);
        let mut closed = false;
        for _ in 0..leaves_after {
            let Some(told) = watch.next().await else {
                closed = true;
                break;
            };
            seen = Some(told.version.saturating_sub(random.below(4)).max(1));
        }
        received.push(Received {
            who: who.clone(),
            what: "events".to_owned(),
            asked: Vec::new(),
            head: format!("{:?}", watch.headers).into_bytes(),
            body: std::mem::take(&mut watch.raw),
            by: 0,
        });
        if closed {
            return received;
        }
    }
}
