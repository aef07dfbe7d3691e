//! What happens at a table, told as it happens: server-sent events, one stream for each viewer.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use croupier_rules::{Amount, Telling};
use croupier_table::{ShownEvent, Table, Time};
use futures_util::FutureExt;
use futures_util::stream::{Stream, unfold};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::time::{Interval, interval};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{Path, Query, short};
use crate::guard::{ClientAddress, StreamPlace};
use crate::hub::Moment;
use crate::problem::{Code, Problem, Problems};
use crate::room::Room;
use crate::session::{self, Visitor};
use crate::tables::{self, TableState};

/// How long it is good to know what somebody has, in milliseconds: he may play elsewhere, too.
const PURSE: i64 = 5_000;

/// After how long a browser that lost a stream comes back, and a database is asked again that could
/// not be reached.
const RETRY: Duration = Duration::from_secs(1);

pub(crate) fn router() -> OpenApiRouter<Room> {
    OpenApiRouter::new().routes(routes!(events))
}

/// Where a stream begins.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Since {
    /// The invitation to a table that is entered by a link.
    #[serde(default, deserialize_with = "short")]
    #[param(max_length = 64)]
    invite: Option<String>,
    /// The version that you have seen last, if the header `Last-Event-ID` does not say so.
    since: Option<u64>,
}

/// The header with which a browser comes back.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it describes a header")]
struct Last {
    /// The version that you have seen last: the id of the last event.
    #[param(rename = "Last-Event-ID", nullable = false, pattern = "^[0-9]{1,18}$")]
    id: Option<String>,
}

/// News of a table: the data of one event. Its id is the version.
#[derive(Debug, Serialize, ToSchema)]
struct News {
    /// What happened since the version that you have seen, in order. If that is too long ago, or
    /// this is the first, there is nothing here, and the state is all there is to know.
    #[schema(value_type = Vec<ShownEvent>)]
    events: Vec<Value>,
    /// Whether `events` lacks something that happened since.
    missed: bool,
    /// The record of a round that came to its end since, with the cards of everybody and what each
    /// wager came to; the latest, if there were several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    record: Option<Box<RawValue>>,
    /// The same round in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Telling>, nullable = false)]
    telling: Option<Shared>,
    /// The table as you may see it now.
    state: TableState,
}

/// JSON that is written already, and sent to many.
#[derive(Debug)]
struct Shared(Arc<RawValue>);

impl Serialize for Shared {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Watch a table
///
/// A stream of server-sent events, each named `table`, whose id is the version of the table and
/// whose data are `News` as JSON. It begins with the table as it is, unless you have seen that. Who
/// comes back with the header `Last-Event-ID` (as browsers do) is told what happened in between.
/// The stream ends when the table closes or the session does.
#[utoipa::path(
    get, path = "/api/tables/{table}/events", tag = "tables",
    params(
        ("table" = String, Path, description = "The table's name"),
        Last,
        Since,
    ),
    responses(
        (status = 200, body = News, content_type = "text/event-stream",
            description = "News, one event each"),
        (status = 204, description = "The table is closed, and you have seen all of it"),
        Problems
    ),
    security((), ("token" = []), ("cookie" = []))
)]
async fn events(
    State(room): State<Room>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Option<Visitor>,
    Path(name): Path<String>,
    Query(since): Query<Since>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let invite = since.invite.as_deref();
    let table = tables::enter(&room, &name, visitor.as_deref(), invite).await?;
    let seen = match headers.get("last-event-id") {
        None => since.since,
        Some(id) => {
            let id = id.to_str().ok().and_then(|id| id.parse().ok());
            Some(id.ok_or_else(|| {
                Problem::new(Code::BadParameter, "Last-Event-ID is the version of a table")
            })?)
        }
    };
    if table.is_closed() && seen == Some(table.version()) {
        // This is how a browser is told not to come back.
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let place = room.gate.admit_stream(address)?;
    let news = room.hub.watch(&name);
    // Whatever happens from here on is told to the hub.
    room.hub.show(&room.floor.table(&name).await?);
    let alive = room.config.times.alive;
    let mut looks = interval(alive);
    // The first is at once, and he has just been looked at.
    looks.reset();
    let (first, purse) = (true, None);
    let viewer = Viewer { room, visitor, seen, first, news, purse, looks, _place: place };
    let sse = Sse::new(stream(viewer)).keep_alive(KeepAlive::new().interval(alive));
    let mut response = sse.into_response();
    // Proxies would hold it back.
    let headers = response.headers_mut();
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// The record of a round, and the round in words.
type LastRound = (Box<RawValue>, Shared);

/// Somebody who watches a table.
struct Viewer {
    room: Room,
    visitor: Option<Visitor>,
    /// The version that he has seen.
    seen: Option<u64>,
    /// Whether he has been told nothing yet.
    first: bool,
    news: watch::Receiver<Option<Arc<Moment>>>,
    /// What he has, as far as it is known.
    purse: Option<Purse>,
    /// When it is looked whether he is still logged in.
    looks: Interval,
    _place: StreamPlace,
}

/// What somebody has, and when that was so.
#[derive(Clone, Copy, Debug)]
struct Purse {
    chips: Amount,
    at: Time,
    /// How many grants there had been.
    grants: u64,
}

fn stream(viewer: Viewer) -> impl Stream<Item = Result<Event, Infallible>> {
    unfold(viewer, |mut viewer| async move {
        loop {
            let moment = viewer.next().await?;
            match viewer.tell(&moment).await {
                Ok(event) => return Some((Ok(event), viewer)),
                // What cannot be read now is told later, with all that has happened by then.
                Err(problem) if problem.code == Code::Unavailable.name() => viewer.pause().await?,
                Err(_) => return None,
            }
        }
    })
}

impl Viewer {
    /// Waits for something that he has not seen. Returns nothing when there will be nothing more.
    async fn next(&mut self) -> Option<Arc<Moment>> {
        loop {
            // At a busy table there is always something new, and he is looked at all the same.
            if self.looks.tick().now_or_never().is_some() {
                self.look().await?;
            }
            let moment = self.news.borrow_and_update().clone();
            if let Some(moment) = moment {
                let version = moment.table.version();
                // A client that has seen more than there is has seen another table.
                if self.seen.is_none_or(|seen| seen != version) {
                    return Some(moment);
                }
                if moment.table.is_closed() {
                    return None;
                }
            }
            tokio::select! {
                changed = self.news.changed() => changed.ok()?,
                () = self.room.stopping.cancelled() => return None,
                _ = self.looks.tick() => self.look().await?,
            }
        }
    }

    /// Looks whether he is still logged in. Returns nothing if he is not.
    async fn look(&self) -> Option<()> {
        let Some(visitor) = &self.visitor else { return Some(()) };
        session::goes_on(&self.room, visitor).await.then_some(())
    }

    /// Waits for the database to come back. Returns nothing if the server stops before.
    async fn pause(&self) -> Option<()> {
        tokio::select! {
            () = tokio::time::sleep(RETRY) => Some(()),
            () = self.room.stopping.cancelled() => None,
        }
    }

    async fn tell(&mut self, moment: &Moment) -> Result<Event, Problem> {
        let table = &moment.table;
        let since = self.seen.and_then(|seen| moment.since(seen));
        let since_known = since.is_some();
        let missed = !since_known && self.seen.is_some();
        let events: Vec<Value> =
            since.map_or_else(Vec::new, |news| news.map(|news| news.event.clone()).collect());
        let over = |event: &Value| event["event"] == "round-over";
        let last = if events.iter().any(over) || missed || self.first {
            self.last_round(table).await?
        } else {
            None
        };
        let (record, telling) = last.unzip();
        let chips = self.chips(table, &events, since_known).await?;
        let player = self.visitor.as_ref().map(|visitor| &*visitor.player);
        let state = tables::view_with(&self.room, table, player, chips).await?;
        (self.seen, self.first) = (Some(state.version), false);
        let event = Event::default().event("table").retry(RETRY).id(state.version.to_string());
        let news = News { events, missed, record, telling, state };
        event.json_data(news).map_err(|_| Code::Fault.into())
    }

    /// Returns what somebody has who sits at the table. It is read when something here may have
    /// changed it, and now and then: others do at the table what is not about his money.
    async fn chips(
        &mut self,
        table: &Table,
        events: &[Value],
        all: bool,
    ) -> Result<Option<Amount>, Problem> {
        let Some(player) = self.visitor.as_ref().map(|visitor| &*visitor.player) else {
            return Ok(None);
        };
        let seats: Vec<u64> = table
            .seats()
            .iter()
            .filter(|sitter| sitter.player == player)
            .map(|sitter| u64::from(sitter.seat.number()))
            .collect();
        if seats.is_empty() {
            return Ok(None);
        }
        let own = |event: &Value| {
            let over = event["event"] == "round-over" || event["event"] == "round-undealt";
            over || event["seat"].as_u64().is_some_and(|seat| seats.contains(&seat))
        };
        let (now, grants) = (self.room.now(), self.room.grants.load(Ordering::Relaxed));
        let good = |purse: &Purse| {
            let age = now.as_millis() - purse.at.as_millis();
            all && !events.iter().any(own) && purse.grants == grants && age < PURSE
        };
        if let Some(purse) = self.purse.filter(good) {
            return Ok(Some(purse.chips));
        }
        let chips = tables::chips_at(&self.room, table, player).await?;
        self.purse = Some(Purse { chips, at: now, grants });
        Ok(Some(chips))
    }

    /// Returns the record of the last round that is over, and the round in words.
    async fn last_round(&self, table: &Table) -> Result<Option<LastRound>, Problem> {
        let round = table.round_number() - u64::from(table.round().is_some());
        let Some(record) = self.room.record(table.name(), round).await? else { return Ok(None) };
        let telling = Shared(self.room.telling(table, round, &record)?);
        Ok(RawValue::from_string(record.to_string()).ok().zip(Some(telling)))
    }
}
