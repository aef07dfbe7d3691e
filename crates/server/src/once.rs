//! Requests with a key of the sender's: each is carried out once, however often it is sent.

use axum::http::HeaderMap;
use croupier_rules::Seat;
use croupier_store::{Answered, CommandKey, Request, Store, Written};
use croupier_table::Hash;
use serde_json::{Value, json};

use crate::problem::{Code, Problem};
use crate::room::Shared;
use crate::tables;

/// Returns what a request is known by, if its sender gave it a key. `what` is all that it asks for:
/// the same key for anything else is refused.
pub(crate) fn request(
    headers: &HeaderMap,
    sender: &str,
    what: &Value,
) -> Result<Option<Request>, Problem> {
    Ok(tables::key(headers, sender)?.map(|key| of(key, what)))
}

/// Returns the request that has this key and asks for this.
pub(crate) fn of(key: CommandKey, what: &Value) -> Request {
    Request { key, body: Hash::of(what.to_string().as_bytes()) }
}

/// Returns what a request was answered when it came before.
pub(crate) async fn before(
    room: &Shared,
    request: Option<&Request>,
) -> Result<Option<String>, Problem> {
    match request {
        None => Ok(None),
        Some(Request { key, body }) => Ok(room.store().answer(key, body).await?),
    }
}

/// Writes the answer to a request that has nothing else to write. Returns the answer that stands:
/// the same request may have been answered at the same moment.
pub(crate) async fn remember(
    room: &Shared,
    request: Option<&Request>,
    answer: String,
) -> Result<String, Problem> {
    let Some(Request { key, body }) = request.cloned() else { return Ok(answer) };
    let answered = Answered { key, body, answer: answer.clone() };
    match room.store().transfer(Vec::new(), room.now(), Some(answered)).await? {
        Written::Now => Ok(answer),
        Written::Before(answer) => Ok(answer),
    }
}

/// A seat that a request led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) table: String,
    pub(crate) seat: Seat,
}

impl Found {
    /// Writes it as the answer to a request.
    pub(crate) fn text(&self) -> String {
        json!({ "table": self.table, "seat": self.seat }).to_string()
    }

    /// Reads the answer to a request: as it was written here, or by the table at which a player sat
    /// down.
    pub(crate) fn read(answer: &str) -> Result<Self, Problem> {
        let answer: Value = serde_json::from_str(answer).map_err(|_| Code::Fault)?;
        let events = answer["events"].as_array().into_iter().flatten();
        let joined = events.filter(|event| event["event"] == "player-joined");
        let mut seats = joined.map(|event| &event["seat"]).chain([&answer["seat"]]);
        let seat = seats.find_map(Value::as_u64).and_then(|seat| u32::try_from(seat).ok());
        let (seat, table) = (seat.and_then(Seat::new), answer["table"].as_str());
        let found = table.zip(seat).map(|(table, seat)| Self { table: table.to_owned(), seat });
        found.ok_or_else(|| Code::Fault.into())
    }
}
