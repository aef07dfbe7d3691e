//! The event stream of a table: server-sent events, one stream for each viewer.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use croupier_rules::Narration;
use croupier_table::{PublicEvent, ShownEvent};
use futures_util::FutureExt;
use futures_util::stream::{Stream, unfold};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::{Interval, interval};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::client_address::ClientAddress;
use crate::http::extract::{Path, Query, short};
use crate::http::problem::{Code, Problem, Problems};
use crate::http::rate_limits::StreamPermit;
use crate::people::session::{self, Visitor};
use crate::state::AppState;
use crate::tables::hub::Snapshot;
use crate::tables::listing;
use crate::tables::round_json::{RoundJson, SharedJson};
use crate::tables::view::TableState;

/// How long a browser that lost a stream waits before it reconnects, and how long to wait before a
/// failed database query is retried.
const RETRY: Duration = Duration::from_secs(1);

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(events))
}

/// The starting point of a stream.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct StreamStart {
    /// The invitation to a private table.
    #[serde(default, deserialize_with = "short")]
    #[param(max_length = 64)]
    invite: Option<String>,
    /// The last version that you have seen, if the header `Last-Event-ID` is not sent.
    since: Option<u64>,
}

/// The header that a browser sends when it reconnects.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it describes a header")]
struct LastEventId {
    /// The last version that you have seen: the id of the last event.
    #[param(rename = "Last-Event-ID", nullable = false, pattern = "^[0-9]{1,18}$")]
    id: Option<String>,
}

/// News of a table: the data of one event. Its id is the version.
#[derive(Debug, Serialize, ToSchema)]
struct News {
    /// The events since the version that you have seen, in order. Empty if that version is too long
    /// ago, or if this is the first message: then the state is all there is to know.
    events: Vec<PublicEvent>,
    /// Whether `events` lacks something that happened since.
    missed: bool,
    /// The record of a round that ended since then, with all players' cards and the result of each
    /// wager; the latest, if there were several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    record: Option<SharedJson>,
    /// The same round in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Narration>, nullable = false)]
    telling: Option<SharedJson>,
    /// The table as you may see it now.
    state: TableState,
}

/// Watch a table
///
/// A stream of server-sent events named `table`. The id of each is the version of the table, and
/// the data is a `News` object as JSON. The stream begins with the current state of the table,
/// unless you have seen that version. A client that reconnects with the header `Last-Event-ID` (as
/// browsers do) gets the events in between. The stream ends when the table closes or the session
/// ends.
#[utoipa::path(
    get, path = "/api/tables/{table}/events", tag = "tables",
    params(
        ("table" = String, Path, description = "The table's name"),
        LastEventId,
        StreamStart,
    ),
    responses(
        (status = 200, body = News, content_type = "text/event-stream",
            description = "News, one event each"),
        (status = 204, description = "The table is closed, and you have seen all of its events"),
        Problems
    ),
    security((), ("token" = []), ("cookie" = []))
)]
async fn events(
    State(state): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Option<Visitor>,
    Path(name): Path<String>,
    Query(since): Query<StreamStart>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let invite = since.invite.as_deref();
    let table = listing::enter(&state, &name, visitor.as_deref(), invite).await?;
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
        // This status tells a browser not to reconnect.
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let permit = state.rate_limits.admit_stream(address)?;
    let news = state.hub.watch(&name);
    // From here on, the hub receives everything that happens.
    state.hub.publish_state(&state.floor.table(&name).await?);
    let keepalive = state.config.timeouts.keepalive;
    let mut session_checks = interval(keepalive);
    // The first tick is immediate, and the watcher was just checked.
    session_checks.reset();
    let watcher =
        Watcher { state, visitor, seen, first: true, news, session_checks, _permit: permit };
    let sse = Sse::new(stream(watcher)).keep_alive(KeepAlive::new().interval(keepalive));
    let mut response = sse.into_response();
    // Proxies would buffer it.
    let headers = response.headers_mut();
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// A client that watches a table.
struct Watcher {
    state: AppState,
    visitor: Option<Visitor>,
    /// The last version that the watcher has seen.
    seen: Option<u64>,
    /// Whether the watcher has not been sent anything yet.
    first: bool,
    news: watch::Receiver<Option<Arc<Snapshot>>>,
    /// When the watcher's session is checked.
    session_checks: Interval,
    _permit: StreamPermit,
}

fn stream(watcher: Watcher) -> impl Stream<Item = Result<Event, Infallible>> {
    unfold(watcher, |mut watcher| async move {
        loop {
            let snapshot = watcher.next().await?;
            match watcher.event(&snapshot).await {
                Ok(event) => return Some((Ok(event), watcher)),
                // Data that cannot be read now is sent later, with everything that has happened by
                // then.
                Err(problem) if problem.code == Code::Unavailable.name() => watcher.pause().await?,
                Err(_) => return None,
            }
        }
    })
}

impl Watcher {
    /// Waits for something new to the watcher. Returns `None` when there will be nothing more.
    async fn next(&mut self) -> Option<Arc<Snapshot>> {
        loop {
            // At a busy table there is always something new, and the session is checked anyway.
            if self.session_checks.tick().now_or_never().is_some() {
                self.check_session().await?;
            }
            let snapshot = self.news.borrow_and_update().clone();
            if let Some(snapshot) = snapshot {
                let version = snapshot.table.version();
                // A client that has seen more than there is has seen another table.
                if self.seen.is_none_or(|seen| seen != version) {
                    return Some(snapshot);
                }
                if snapshot.table.is_closed() {
                    return None;
                }
            }
            tokio::select! {
                changed = self.news.changed() => changed.ok()?,
                () = self.state.stopping.cancelled() => return None,
                _ = self.session_checks.tick() => self.check_session().await?,
            }
        }
    }

    /// Checks the watcher's session. Returns `None` if it has ended.
    async fn check_session(&self) -> Option<()> {
        let Some(visitor) = &self.visitor else { return Some(()) };
        session::is_active(&self.state, visitor).await.then_some(())
    }

    /// Waits for the database to come back. Returns `None` if the server stops first.
    async fn pause(&self) -> Option<()> {
        tokio::select! {
            () = tokio::time::sleep(RETRY) => Some(()),
            () = self.state.stopping.cancelled() => None,
        }
    }

    async fn event(&mut self, snapshot: &Snapshot) -> Result<Event, Problem> {
        let table = &snapshot.table;
        let since = self.seen.and_then(|seen| snapshot.since(seen));
        let missed = since.is_none() && self.seen.is_some();
        let events: Vec<PublicEvent> = since.map_or_else(Vec::new, |news| news.cloned().collect());
        let over = |event: &PublicEvent| matches!(event.shown(), ShownEvent::RoundOver);
        let last = if events.iter().any(over) || missed || self.first {
            self.last_round(snapshot).await?
        } else {
            None
        };
        let (record, telling) =
            last.map(|last| (last.record.clone(), last.telling.clone())).unzip();
        let player = self.visitor.as_ref().map(|visitor| &*visitor.player);
        let view = TableState::new(&self.state, table, player).await?;
        (self.seen, self.first) = (Some(view.version), false);
        let event = Event::default().event("table").retry(RETRY).id(view.version.to_string());
        let news = News { events, missed, record, telling, state: view };
        event.json_data(news).map_err(|_| Code::Internal.into())
    }

    /// Returns the last completed round: as it was serialized when it ended, or from the store if
    /// that was before the table was watched here.
    async fn last_round(&self, snapshot: &Snapshot) -> Result<Option<Arc<RoundJson>>, Problem> {
        let table = &snapshot.table;
        let round = table.round_number() - u64::from(table.round().is_some());
        let known = snapshot.last_round.as_ref().filter(|last| last.round == round);
        if let Some(last) = known {
            return Ok(Some(Arc::clone(last)));
        }
        let Some(record) = self.state.record(table.name(), round).await? else { return Ok(None) };
        let telling = self.state.telling(table, round, &record)?;
        Ok(RoundJson::new(round, record.to_string(), telling).map(Arc::new))
    }
}
