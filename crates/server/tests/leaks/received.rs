//! Messages that clients received, and whether they were allowed to.

use croupier_cards::{Card, Category};
use serde_json::Value;

use crate::search::{cards_in_prose, cards_in_value, quoted_cards};
use crate::truth::{Sight, Truth};

/// A message that a client received.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    /// The id of the player who received it; `None` for an anonymous client.
    pub(crate) who: Option<String>,
    /// The request.
    pub(crate) what: String,
    /// The cards in the request.
    pub(crate) asked: Vec<Card>,
    /// The headers of the response.
    pub(crate) head: Vec<u8>,
    /// The body.
    pub(crate) body: Vec<u8>,
    /// The version that the table had not passed when the message was sent, if the body does not
    /// say so.
    pub(crate) by: u64,
}

/// Something that the client should not have received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leak {
    /// A card that is face down for the client.
    Card(Card),
    /// The seed of a round that is not over.
    Seed(u64),
    /// The record of a round that is not over, or of another round.
    Record(u64),
    /// The allowed decisions of another player's seat.
    Decisions,
    /// Numbers that could be cards, or anything that reveals part of a hand.
    Hint(String),
}

/// Names of fields that reveal hands, and belong only in records.
const TELLING: [&str; 9] =
    ["dealer", "hand", "best", "qualifies", "outcome", "deck", "strength", "rank", "suit"];

/// Words that reveal hands, and belong only in completed rounds in words.
const WORDS: [&str; 4] = ["pair of ", "two pair", "of a kind", " high"];

/// Fields with small numbers that are not cards, but seats or multiples of the Ante.
const NUMBERS: [&str; 3] = ["to_reveal", "unrevealed", "raises"];

impl Received {
    /// Returns every leak in it.
    ///
    /// The truths are those of the tables where this player ever sat, the current one last.
    pub(crate) fn leaks(&self, truths: &[Truth]) -> Vec<Leak> {
        let mut leaks = Vec::new();
        for piece in self.pieces() {
            let json: Vec<Value> = documents(piece);
            self.judge(piece, &json, truths, &mut leaks);
        }
        leaks
    }

    /// Returns every leak in its headers.
    pub(crate) fn leaks_in_head(&self, truths: &[Truth]) -> Vec<Leak> {
        let mut leaks = Vec::new();
        self.judge(&self.head, &[], truths, &mut leaks);
        leaks
    }

    /// Returns the events of a stream one by one, and any other message whole.
    pub(crate) fn pieces(&self) -> Vec<&[u8]> {
        if self.what != "events" {
            return vec![&self.body];
        }
        let (mut pieces, mut rest) = (Vec::new(), &self.body[..]);
        while let Some(end) = rest.windows(2).position(|pair| pair == b"\n\n") {
            pieces.push(&rest[..end]);
            rest = &rest[end + 2..];
        }
        // A client that left in the middle of an event received all of it after reconnecting.
        pieces
    }

    fn judge(&self, text: &[u8], json: &[Value], truths: &[Truth], leaks: &mut Vec<Leak>) {
        let truth = truths.last().expect("a table");
        let version = json.iter().find_map(version_of).unwrap_or(self.by);
        let hidden = truth.open_at(version);
        let mut sight =
            hidden.map_or_else(Sight::default, |it| it.sight(version, self.who.as_deref()));
        for card in &self.asked {
            sight.cards.insert(*card);
        }
        let over = |round: &u64| !truth.is_over(*round, version);
        leaks.extend(truth.seeds.found_in(text).into_iter().filter(over).map(Leak::Seed));
        let shows = json.iter().any(|json| version_of(json).is_some());
        let (cards, records) = (Vec::new(), 0);
        let mut walk = Walk { truths, version, shows, sight, cards, records, leaks };
        for document in json {
            walk.value(document, "");
        }
        let (mut cards, records) = (walk.cards, walk.records);
        let sight = walk.sight;
        if json.is_empty() {
            cards.extend(cards_in_prose(&String::from_utf8_lossy(text)));
        }
        // Records also appear as plain text, and have been checked.
        if records == 0 {
            cards.extend(quoted_cards(text));
        }
        cards.sort_unstable();
        cards.dedup();
        let secret = |card: &Card| !sight.cards.contains(*card);
        leaks.extend(cards.into_iter().filter(secret).map(Leak::Card));
    }
}

/// Returns the version of the table in a response, if it shows a table.
fn version_of(json: &Value) -> Option<u64> {
    let state = if json["state"].is_object() { &json["state"] } else { json };
    state["version"].as_u64().filter(|_| state["round_number"].is_u64())
}

/// Reads JSON, the data of an event, or JSON lines.
fn documents(text: &[u8]) -> Vec<Value> {
    if let Ok(value) = serde_json::from_slice(text) {
        return vec![value];
    }
    let lines = text.split(|&byte| byte == b'\n');
    let data = |line: &[u8]| {
        let line = line.strip_prefix(b"data:").unwrap_or(line);
        serde_json::from_slice::<Value>(line).ok().filter(Value::is_object)
    };
    lines.filter_map(data).collect()
}

/// Checks every string and number of a response.
struct Walk<'a> {
    truths: &'a [Truth],
    version: u64,
    /// Whether it shows a table, where nothing may reveal hands.
    shows: bool,
    sight: Sight,
    cards: Vec<Card>,
    records: usize,
    leaks: &'a mut Vec<Leak>,
}

impl Walk<'_> {
    fn value(&mut self, value: &Value, name: &str) {
        match value {
            Value::String(text) => {
                self.cards.extend(cards_in_value(text));
                let named = || Category::ALL.iter().any(|hand| hand.id() == text);
                if self.shows && (named() || WORDS.iter().any(|words| text.contains(words))) {
                    self.leaks.push(Leak::Hint(format!("{name}: {text}")));
                }
            }
            Value::Array(values) => {
                let small = |value: &Value| value.as_u64().is_some_and(|number| number <= 52);
                let like_cards = values.len() > 1 && values.iter().all(small);
                if like_cards && !NUMBERS.contains(&name) {
                    self.leaks.push(Leak::Hint(format!("{name}: {value}")));
                }
                self.bytes(values);
                for value in values {
                    self.value(value, name);
                }
            }
            Value::Object(fields) if fields.get("format").is_some_and(|it| it == FORMAT) => {
                self.record(value);
            }
            Value::Object(fields) if fields.contains_key("steps") => self.telling(value),
            Value::Object(fields) => {
                let seat = fields.get("seat").and_then(Value::as_u64);
                let own = seat.is_some_and(|seat| self.sight.seats.contains(&seat));
                for (name, value) in fields {
                    // A player's own hand has a name, made from the cards that they see.
                    match own.then(|| self.sight.named(seat)).flatten() {
                        Some(hand) if name == "name" && *value == *hand => {}
                        _ => self.field(name, value, own),
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn field(&mut self, name: &str, value: &Value, own: bool) {
        self.cards.extend(cards_in_value(name));
        if matches!(name, "decisions" | "choices") && !own {
            self.leaks.push(Leak::Decisions);
        }
        if self.shows && TELLING.contains(&name) {
            self.leaks.push(Leak::Hint(name.to_owned()));
        }
        if self.shows && name == "community" {
            let board: Vec<String> = self.sight.board.iter().map(ToString::to_string).collect();
            if *value != Value::from(board) {
                self.leaks.push(Leak::Hint(format!("the board is {value}")));
            }
        }
        self.value(value, name);
    }

    /// Searches for seeds that are written as lists of bytes.
    fn bytes(&mut self, values: &[Value]) {
        let byte = |value: &Value| value.as_u64().and_then(|byte| u8::try_from(byte).ok());
        let Some(bytes) = values.iter().map(byte).collect::<Option<Vec<u8>>>() else { return };
        let truth = self.truths.last().expect("a table");
        let found = truth.seeds.found_in(&bytes).into_iter();
        let early = found.filter(|&round| !truth.is_over(round, self.version));
        self.leaks.extend(early.map(Leak::Seed));
    }

    /// Asserts that a record is that of a completed round, and contains nothing else.
    fn record(&mut self, record: &Value) {
        self.records += 1;
        let shuffle = &record["shuffle"];
        let round = shuffle["round"].as_u64().unwrap_or_default();
        let truth = self.truths.iter().rfind(|truth| shuffle["table"] == *truth.table);
        let present = self.truths.last().is_some_and(|last| shuffle["table"] == *last.table);
        let over = |truth: &&Truth| !present || truth.is_over(round, self.version);
        let known = truth.filter(over);
        let known = known.and_then(|it| it.rounds.iter().find(|known| known.number == round));
        let mut told = record.clone();
        if let Some(fields) = told.as_object_mut() {
            fields.remove("journal");
            fields.remove("journal_hash");
        }
        if known.is_none_or(|known| known.record != told) {
            self.leaks.push(Leak::Record(round));
        }
    }

    /// Asserts that a text describes a completed round, and nothing else.
    fn telling(&mut self, told: &Value) {
        self.records += 1;
        let known = |(place, truth): (usize, &Truth)| {
            let before = place + 1 < self.truths.len();
            let over = |number| before || truth.is_over(number, self.version);
            truth.rounds.iter().any(|round| round.telling == *told && over(round.number))
        };
        if !self.truths.iter().enumerate().any(known) {
            self.leaks.push(Leak::Hint("steps".to_owned()));
        }
    }
}

const FORMAT: &str = "croupier-round/1";
