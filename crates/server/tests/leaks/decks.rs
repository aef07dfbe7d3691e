//! Two tables with different decks where the same players do the same things: until cards are
//! shown, they get the same responses.
//!
//! The rule is that no response depends on a hidden card: neither its contents, nor whether a
//! command is refused. Each player has a twin at the other table. Both send the same requests over
//! HTTP, and responses and events are compared after removing the parts that may differ:
//! identities, the cards that the reader may see, and the commitments to seeds.

use std::collections::BTreeMap;
use std::time::Duration;

use croupier_rules::Seat;
use croupier_table::{seat_commitment, to_hex};
use croupier_testing::{Client, Reply, Watch, fresh_key};
use hyper::Method;
use serde_json::{Value, json};

use crate::evening::Person;
use croupier_testing::Random;

/// How many players sit at each table. One more client only watches.
const PLAYERS: usize = 2;

/// How long news may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A response, without the parts that may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

/// A table with its people.
struct Side {
    table: String,
    invite: String,
    people: Vec<Person>,
    /// Replacements in every text: ids and names, by names that both sides share.
    names: Vec<(String, String)>,
    /// Each player's chips and stakes together when last seen before cards were out, and the round
    /// of that reading.
    fortunes: BTreeMap<(usize, u64), (Value, i64)>,
    stream: Option<Stream>,
}

/// A table's event stream, as one person receives it.
struct Stream {
    who: usize,
    watch: Watch,
    version: u64,
    /// Events that were received and not compared yet.
    events: Vec<Value>,
    state: Value,
}

impl Side {
    async fn open(house: &str, stranger: &Client, operator: &Client) -> Self {
        let (mut people, mut names) = (Vec::new(), Vec::new());
        for number in 0..=PLAYERS {
            let person = Person::guest(stranger).await;
            let id = person.id.clone().expect("a player");
            // The name of a guest is made from the id.
            names.push((id[2..8].to_owned(), format!("name-{number}")));
            names.push((id[8..].to_owned(), format!("rest-{number}")));
            let path = format!("/api/operator/players/{id}/adjustments");
            let gift = json!({"amount": 900_000_000, "reason": "for a long evening"});
            let key = fresh_key();
            let headers = [("content-type", "application/json"), ("idempotency-key", &*key)];
            let body = gift.to_string().into_bytes();
            operator.send(Method::POST, &path, &headers, body).await.expect("an answer").good();
            people.push(person);
        }
        let opening = json!({"house": house, "pace": "none"});
        let opened = people[0].visitor.post("/api/tables", &opening).await.good();
        let text = |field: &str| opened[field].as_str().expect("a text").to_owned();
        let (table, invite) = (text("table"), text("invite"));
        names.push((table.clone(), "table".to_owned()));
        names.push((invite.clone(), "invite".to_owned()));
        let fortunes = BTreeMap::new();
        Self { table, invite, people, names, fortunes, stream: None }
    }

    /// Connects a person to the table's stream.
    async fn watch(&mut self, who: usize) {
        let path = format!("/api/tables/{}/events?invite={}", self.table, self.invite);
        let watch = self.people[who].visitor.watch(&path, None).await.expect("a stream");
        let (events, state) = (Vec::new(), Value::Null);
        self.stream = Some(Stream { who, watch, version: 0, events, state });
    }

    /// Sends a command of a player, or of the operator.
    async fn send(&self, who: usize, command: &Value) -> Reply {
        let invite = &self.invite;
        let path = format!("/api/tables/{}/commands?invite={invite}", self.table);
        self.people[who].visitor.post(&path, command).await
    }

    /// Returns a response without the parts that may differ.
    fn plain(&mut self, who: usize, reply: &Reply) -> Answer {
        let mut body = self.anonymous(&String::from_utf8_lossy(&reply.body));
        if body["state"].is_object() {
            self.hide(who, &mut body["state"]);
        }
        hide_events(&mut body["events"]);
        // A refusal may name a deadline to the second, and the tables may be a second apart.
        let detail = body["detail"].as_str().and_then(|detail| detail.split_once(", until "));
        if let Some((reason, _)) = detail {
            body["detail"] = reason.into();
            body["retry_after"] = Value::Null;
        }
        Answer { status: reply.status.as_u16(), body }
    }

    fn anonymous(&self, text: &str) -> Value {
        let replace = |text: String, (from, to): &(String, String)| text.replace(from, to);
        let text = self.names.iter().fold(text.to_owned(), replace);
        serde_json::from_str(&text).expect("JSON")
    }

    /// Removes from a state the cards that a person may see and the parts that must differ.
    fn hide(&mut self, who: usize, state: &mut Value) {
        for field in ["now", "deadline"] {
            state[field] = Value::Null;
        }
        let deciding = state["round"]["stage"] == "deciding";
        let own: Vec<Value> = state["seats"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|seat| seat["you"] == true)
            .map(|seat| seat["seat"].clone())
            .collect();
        // Chips differ by the results of earlier rounds. While cards are out, they may not.
        if let Some(chips) = state["chips"].as_i64() {
            let fortune = chips + in_play(&state["round"], &own);
            state["chips"] = self.gained((who, 0), deciding, &state["round_number"], fortune);
        }
        let (round, number) = (state["round"].clone(), state["round_number"].clone());
        for seat in state["seats"].as_array_mut().into_iter().flatten() {
            let place = seat["seat"].as_u64().expect("a number");
            let chips = seat["chips"].as_i64().expect("a stack");
            let fortune = chips + in_play(&round, &[seat["seat"].clone()]);
            seat["chips"] = self.gained((who, place), deciding, &number, fortune);
        }
        let round = &mut state["round"];
        if !round.is_object() {
            return;
        }
        round["commitment"] = Value::Null;
        for commitment in round["commitments"].as_array_mut().into_iter().flatten() {
            commitment["commitment"] = Value::Null;
        }
        round["community"] = json!(round["community"].as_array().map(Vec::len));
        for hand in round["hands"].as_array_mut().into_iter().flatten() {
            if own.contains(&hand["seat"]) {
                hand["cards"] = json!(hand["cards"].as_array().map(Vec::len));
                // With three cards, the allowed bets depend on the player's own hand.
                hand["decisions"] = json!(hand["decisions"].is_array());
                hand["choices"] = json!(hand["choices"].is_array());
                hand["name"] = json!(hand["name"].is_string());
            }
        }
    }

    /// Returns how much a fortune has changed since a viewer first saw it in this round.
    fn gained(
        &mut self,
        whose: (usize, u64),
        deciding: bool,
        round: &Value,
        fortune: i64,
    ) -> Value {
        let known = self.fortunes.entry(whose).or_default();
        // A player seen for the first time in a round is compared from here on.
        if !deciding || known.0 != *round {
            *known = (round.clone(), fortune);
        }
        json!(fortune - known.1)
    }

    /// Waits until the person who watches the table has received a version, and returns everything
    /// received.
    async fn told(&mut self, version: u64) -> (Vec<Value>, Value) {
        let mut stream = self.stream.take().expect("a stream");
        while stream.version < version {
            let next = tokio::time::timeout(TIMEOUT, stream.watch.next()).await;
            let mut news = next.expect("news in time").expect("the stream goes on");
            // A completed round is visible to all.
            for shown in ["record", "telling"] {
                news.data.as_object_mut().map(|fields| fields.remove(shown));
            }
            let mut data = self.anonymous(&news.data.to_string());
            self.hide(stream.who, &mut data["state"]);
            hide_events(&mut data["events"]);
            stream.version = news.version;
            stream.events.extend(data["events"].as_array().into_iter().flatten().cloned());
            stream.state = data["state"].take();
        }
        let told = (std::mem::take(&mut stream.events), stream.state.clone());
        self.stream = Some(stream);
        told
    }
}

/// Returns the chips in play of the player at some seats.
fn in_play(round: &Value, own: &[Value]) -> i64 {
    let hands = round["hands"].as_array().into_iter().flatten();
    let hands = hands.filter(|hand| own.contains(&hand["seat"]));
    let bets = hands.flat_map(|hand| hand["stakes"].as_object().into_iter().flatten());
    let staked: i64 = bets.filter_map(|(_, stake)| stake.as_i64()).sum();
    let posted = if own.contains(&round["banker"]["seat"]) {
        round["banker"]["wager"].as_i64().unwrap_or_default()
    } else {
        0
    };
    staked + posted
}

/// Removes from events the parts that must differ: commitments, times, and the seeds of completed
/// rounds.
fn hide_events(events: &mut Value) {
    for event in events.as_array_mut().into_iter().flatten() {
        for field in ["commitment", "rest", "since", "until"] {
            if let Some(value) = event.get_mut(field) {
                *value = Value::Null;
            }
        }
        if event["event"] == "round-undealt" {
            (event["seed"], event["seat_seeds"]) = (Value::Null, Value::Null);
        }
    }
}

/// Describes how two responses differ, if they do.
pub(crate) fn difference(one: &Answer, other: &Answer) -> Option<String> {
    (one != other).then(|| format!("{} {}\n{} {}", one.status, one.body, other.status, other.body))
}

/// Random players who act only on what every viewer of the table can see.
struct Players {
    random: Random,
    house: &'static str,
}

/// An action that is taken at both tables.
enum Deed {
    Send(usize, Value),
    /// A seat commits to a seed: the commitment depends on the name of the table.
    Commit(usize),
    Void,
}

impl Players {
    /// Returns the next action, from the state that a player sees.
    fn next(&mut self, state: &Value) -> Deed {
        let random = &mut self.random;
        for who in 0..PLAYERS {
            if !is_seated(state, who) {
                return Deed::Send(who, json!({"command": "join", "seat": who + 1}));
            }
        }
        let who = random.below(PLAYERS);
        match random.below(200) {
            0 => return Deed::Send(who, json!({"command": "leave", "seat": who + 1})),
            1 => return Deed::Void,
            2..5 => return Deed::Commit(who),
            5 | 6 => {
                // Another player's seat: a refusal must not reveal anything either.
                let seat = (who + 1) % PLAYERS + 1;
                return Deed::Send(
                    who,
                    json!({"command": "decide", "seat": seat, "decision": "fold"}),
                );
            }
            7 | 8 => {
                // With three cards, whether a larger bet is allowed depends on the player's own
                // hand.
                let most = if self.house.starts_with("uth") { 5 } else { 3 };
                let decision = random.pick(&["check", "fold", "bet 1", "bet 4", "bet 2"][..most]);
                let decide = json!({"command": "decide", "seat": who + 1, "decision": decision});
                return Deed::Send(who, decide);
            }
            9 => return Deed::Send(who, json!({"command": "withdraw", "seat": who + 1})),
            10 => return Deed::Send(who, json!({"command": "deal"})),
            11 => {
                // More than any player has, and an amount that no table accepts.
                let wager = json!({"command": "wager", "seat": who + 1, "ante": 10_500});
                return Deed::Send(who, wager);
            }
            _ => {}
        }
        let awaited = |who: &usize| !seat_of(state, *who)["awaits"].is_null();
        let Some(who) = (0..PLAYERS).find(awaited) else {
            return Deed::Send(who, json!({"command": "deal"}));
        };
        let seat = who + 1;
        match seat_of(state, who)["awaits"].as_str() {
            Some("bank") => {
                let wager = self.random.pick(&[1_000, 100_000, 1_000_000]);
                Deed::Send(who, json!({"command": "take-bank", "seat": seat, "wager": wager}))
            }
            Some("wager") => {
                let bonus = self.random.pick(&[0, 500]);
                let wager = json!({"command": "wager", "seat": seat, "ante": 500, "bonus": bonus});
                Deed::Send(who, wager)
            }
            Some("seed") => {
                let seed = to_hex(&own_seed(state, who));
                Deed::Send(who, json!({"command": "reveal-seed", "seat": seat, "seed": seed}))
            }
            _ => {
                let turned = state["round"]["community"].as_array().map_or(0, Vec::len);
                let decision = self.decision(turned);
                Deed::Send(who, json!({"command": "decide", "seat": seat, "decision": decision}))
            }
        }
    }

    /// Returns a decision that is allowed with this many cards turned, whatever they are.
    fn decision(&mut self, turned: usize) -> &'static str {
        self.random.pick(match turned {
            _ if !self.house.starts_with("uth") => &["fold", "bet 1", "bet 1"],
            0 => &["check", "bet 4", "bet 3"],
            3 => &["check", "bet 2", "bet 2"],
            _ => &["fold", "bet 1", "bet 1"],
        })
    }
}

fn seat_of(state: &Value, who: usize) -> &Value {
    let mut seats = state["seats"].as_array().into_iter().flatten();
    seats.find(|seat| seat["seat"] == who + 1).unwrap_or(&Value::Null)
}

fn is_seated(state: &Value, who: usize) -> bool {
    !seat_of(state, who).is_null()
}

fn own_seed(state: &Value, who: usize) -> Vec<u8> {
    format!("{}/{who}", state["round_number"]).into_bytes()
}

/// The amount of play that was compared.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    pub(crate) rounds: u64,
    answers: u64,
    refusals: BTreeMap<String, u64>,
    events: u64,
    /// Some responses while cards were out, to plant leaks in.
    pub(crate) samples: Vec<Answer>,
}

impl std::fmt::Display for Compared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rounds, answers, refusals, events, .. } = self;
        write!(f, "{rounds} rounds, {answers} answers, {events} events; refused: {refusals:?}")
    }
}

/// Plays the same at two tables of a house, and compares everything that is sent.
pub(crate) async fn compare(
    house: &'static str,
    rounds: u64,
    (stranger, operator): (&Client, &Client),
) -> Compared {
    let mut players = Players { random: Random::new(rounds ^ house.len() as u64), house };
    let mut compared = Compared::default();
    while compared.rounds < rounds {
        let mut one = Side::open(house, stranger, operator).await;
        let mut other = Side::open(house, stranger, operator).await;
        // A player sees more than a viewer, and either may see too much.
        let watcher = players.random.pick(&[0, PLAYERS]);
        one.watch(watcher).await;
        other.watch(watcher).await;
        let mut state = json!({});
        // A table closes when all players have left.
        for _ in 0..10_000 {
            let deed = players.next(&state);
            let both = both(&mut one, &mut other, &deed, &state, operator).await;
            let (who, [here, there], raw) = both;
            if let Some(difference) = difference(&here, &there) {
                panic!("{house}: {who} gets a different response at the other table\n{difference}");
            }
            compared.answers += 1;
            if here.status != 200 {
                *compared.refusals.entry(here.body["code"].to_string()).or_default() += 1;
                continue;
            }
            let version = here.body["version"].as_u64().expect("a version");
            let (received, received_there) = (one.told(version).await, other.told(version).await);
            assert_eq!(received, received_there, "{house}: the other table sends different events");
            compared.events += received.0.len() as u64;
            let over = |event: &&Value| event["event"] == "round-over";
            let events = here.body["events"].as_array().expect("events");
            compared.rounds += events.iter().filter(over).count() as u64;
            state = raw;
            if state["round"]["stage"] == "deciding" && compared.samples.len() < 20 {
                compared.samples.push(here);
            }
            if state["closed"] == true || compared.rounds >= rounds {
                break;
            }
        }
    }
    compared
}

/// Does the same at both tables, and returns the actor, both responses without the parts that may
/// differ, and the state of the first table.
async fn both(
    one: &mut Side,
    other: &mut Side,
    deed: &Deed,
    state: &Value,
    operator: &Client,
) -> (usize, [Answer; 2], Value) {
    let who = match deed {
        Deed::Send(who, _) | Deed::Commit(who) => *who,
        Deed::Void => PLAYERS,
    };
    let mut replies = Vec::new();
    for side in [&*one, &*other] {
        replies.push(match deed {
            Deed::Send(who, command) => side.send(*who, command).await,
            Deed::Commit(who) => {
                let seat = Seat::new(u32::try_from(who + 1).expect("small")).expect("a seat");
                let round = state["round_number"].as_u64().unwrap_or_default();
                let seed = own_seed(state, *who);
                let commitment = seat_commitment(&side.table, round, seat, &seed);
                let commit =
                    json!({"command": "commit-seed", "seat": who + 1, "commitment": commitment});
                side.send(*who, &commit).await
            }
            Deed::Void => {
                let path = format!("/api/operator/tables/{}/commands", side.table);
                operator.post(&path, &json!({"command": "void", "reason": "chance"})).await
            }
        });
    }
    let answers = [one.plain(who, &replies[0]), other.plain(who, &replies[1])];
    // Both states agree on everything that the next action depends on.
    let raw = one.anonymous(&String::from_utf8_lossy(&replies[0].body))["state"].take();
    (who, answers, raw)
}

/// Leaks that might be in a response, each in a copy that is otherwise the same.
pub(crate) fn planted(answer: &Answer) -> Vec<(&'static str, Answer)> {
    let plant = |change: fn(&mut Answer)| {
        let mut planted = answer.clone();
        change(&mut planted);
        planted
    };
    vec![
        ("a refusal", plant(|it| it.status = 409)),
        ("another version", plant(|it| it.body["version"] = json!(0))),
        ("an event too many", {
            let mut planted = answer.clone();
            let events = planted.body["events"].as_array_mut().expect("events");
            events.push(json!({"event": "dealt"}));
            planted
        }),
        ("a payoff too early", plant(|it| it.body["state"]["chips"] = json!(500))),
        (
            "a payoff to a stack too early",
            plant(|it| it.body["state"]["seats"][0]["chips"] = json!(500)),
        ),
        ("a wrong turn", plant(|it| it.body["state"]["seats"][0]["awaits"] = json!("x"))),
        ("a card too many", plant(|it| it.body["state"]["round"]["community"] = json!(4))),
        ("a hint", plant(|it| it.body["state"]["round"]["hands"][0]["strong"] = json!(true))),
        ("an extra field", plant(|it| it.body["dealer"] = json!("Ks 2d"))),
    ]
}
