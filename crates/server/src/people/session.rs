//! Sessions: which player sends a request.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use croupier_store::{Collection, Document};
use croupier_table::{Hash, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::config::Timeouts;
use crate::http::client_address::ClientAddress;
use crate::http::cookies;
use crate::http::problem::{Code, Problem};
use crate::random;
use crate::state::AppState;

/// The collection of sessions. The key of a document is the fingerprint of the token, so that the
/// database does not contain anything to log in with.
const SESSIONS: Collection<StoredSession> = Collection::new("sessions");

/// A kind of player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Kind)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PlayerKind {
    /// A player without a chosen name, identified only by a cookie or token.
    Guest,
    /// A player with a name and a password.
    Account,
    /// An operator of the site, who cannot play.
    Operator,
}

/// The stored form of a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredSession {
    /// The id that its owner sees.
    id: String,
    name: String,
    kind: PlayerKind,
    /// Whether the player asked for a short session.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    short: bool,
}

/// An active session.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    /// The fingerprint of its token.
    pub(crate) key: String,
    /// The id that its owner sees.
    pub(crate) id: String,
    pub(crate) player: String,
    pub(crate) name: String,
    pub(crate) kind: PlayerKind,
    pub(crate) short: bool,
    pub(crate) since: Time,
    pub(crate) until: Time,
    revision: u64,
}

impl Session {
    /// Reads a session from its document; `None` if the document is not a session.
    fn read(document: Document<StoredSession>) -> Option<Self> {
        let stored = document.contents().ok()?;
        Some(Self {
            key: document.key,
            id: stored.id,
            player: document.owner,
            name: stored.name,
            kind: stored.kind,
            short: stored.short,
            since: document.at,
            until: document.until?,
            revision: document.revision,
        })
    }

    fn document(&self) -> Document<StoredSession> {
        let Self { key, id, player, name, kind, short, since, until, revision } = self.clone();
        Document::json(key, since, &StoredSession { id, name, kind, short })
            .owned_by(player)
            .expiring(until)
            .replacing(revision)
    }

    /// Returns how many milliseconds it lasts without a request, and how many in total.
    fn lifetimes(&self, timeouts: &Timeouts) -> (i64, i64) {
        let long = lasts(self.kind, self.short);
        let (idle, longest) = if long { timeouts.guest_session } else { timeouts.session };
        let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        (millis(idle), millis(longest))
    }

    /// Returns the time it expires if it is used now.
    fn expiry(&self, now: Time, timeouts: &Timeouts) -> Time {
        let (idle, longest) = self.lifetimes(timeouts);
        let (now, since) = (now.as_millis(), self.since.as_millis());
        Time::from_millis(now.saturating_add(idle).min(since.saturating_add(longest)))
    }
}

/// Returns whether a session lasts for weeks: every player's does, unless they asked for a short
/// one. An operator's never does, because it can do more harm.
pub(super) const fn lasts(kind: PlayerKind, short: bool) -> bool {
    match kind {
        PlayerKind::Guest => true,
        PlayerKind::Account => !short,
        PlayerKind::Operator => false,
    }
}

/// Begins a session, and returns the only copy of its token.
pub(crate) async fn begin(
    state: &AppState,
    player: &str,
    name: &str,
    kind: PlayerKind,
    short: bool,
) -> Result<String, Problem> {
    let (token, now) = (random::secret(), state.now());
    let mut session = Session {
        key: fingerprint(&token),
        id: random::name::<10>(),
        player: player.to_owned(),
        name: name.to_owned(),
        kind,
        short,
        since: now,
        until: now,
        revision: 0,
    };
    session.until = session.expiry(now, &state.config.timeouts);
    SESSIONS.put(state.store(), session.document()).await?;
    Ok(token)
}

/// Ends a session.
pub(crate) async fn end(state: &AppState, key: &str) -> Result<(), Problem> {
    SESSIONS.delete(state.store(), key).await?;
    state.sessions_ended.fetch_add(1, Ordering::SeqCst);
    state.sessions.remove(key);
    Ok(())
}

/// Ends all sessions of a player, and returns how many there were.
pub(crate) async fn end_all(state: &AppState, player: &str) -> Result<u64, Problem> {
    let ended = SESSIONS.delete_of(state.store(), player).await?;
    state.sessions_ended.fetch_add(1, Ordering::SeqCst);
    state.sessions.retain(|_, session| session.player != player);
    Ok(ended)
}

/// Clears this node's session cache: other processes may have ended some sessions.
pub(crate) fn clear_cache(state: &AppState) {
    state.sessions_ended.fetch_add(1, Ordering::SeqCst);
    state.sessions.clear();
}

/// Returns the active sessions of a player.
pub(crate) async fn active(state: &AppState, player: &str) -> Result<Vec<Session>, Problem> {
    let now = state.now();
    let documents = SESSIONS.documents_of(state.store(), player, "", 1_000).await?;
    let is_active = |session: &Session| session.until > now;
    Ok(documents.into_iter().filter_map(Session::read).filter(is_active).collect())
}

/// Returns whether a session is still active, without extending it.
pub(crate) async fn is_active(state: &AppState, session: &Session) -> bool {
    match find(state, &session.key).await {
        Ok(found) => found.is_some_and(|found| found.until > state.now()),
        // A database outage does not disconnect viewers.
        Err(_) => true,
    }
}

/// Finds a session by the fingerprint of its token.
async fn find(state: &AppState, key: &str) -> Result<Option<Arc<Session>>, Problem> {
    // A session that another node has ended must be over here.
    let is_alone = !state.store().is_shared();
    if is_alone && let Some(session) = state.sessions.get(key) {
        return Ok(Some(session));
    }
    let sessions_ended = state.sessions_ended.load(Ordering::SeqCst);
    let Some(document) = SESSIONS.get(state.store(), key).await? else { return Ok(None) };
    let Some(session) = Session::read(document).map(Arc::new) else { return Ok(None) };
    cache(state, &session, sessions_ended);
    Ok(Some(session))
}

/// Caches a session that was found when the count of ended sessions was `sessions_ended`.
fn cache(state: &AppState, session: &Arc<Session>, sessions_ended: u64) {
    if state.store().is_shared() {
        return;
    }
    state.sessions.insert(session.key.clone(), Arc::clone(session));
    // It may have been ended after it was found, and evicted before it was cached.
    if state.sessions_ended.load(Ordering::SeqCst) != sessions_ended {
        state.sessions.remove(&session.key);
    }
}

/// Extends a session because it is used. The new expiry is written only from time to time.
async fn extend(state: &AppState, session: Arc<Session>) -> Arc<Session> {
    let now = state.now();
    let until = session.expiry(now, &state.config.timeouts);
    let gained = until.as_millis() - session.until.as_millis();
    if gained < session.lifetimes(&state.config.timeouts).0 / 30 {
        return session;
    }
    let mut longer = Session { until, ..Session::clone(&session) };
    let sessions_ended = state.sessions_ended.load(Ordering::SeqCst);
    // If another request has just done the same, that is enough; and if it is unknown what is
    // written now, the cached session may be out of date.
    let Ok(revision) = SESSIONS.put(state.store(), longer.document()).await else {
        state.sessions.remove(&session.key);
        return session;
    };
    longer.revision = revision;
    let longer = Arc::new(longer);
    cache(state, &longer, sessions_ended);
    longer
}

/// A player with a session: a guest, an account or an operator.
#[derive(Clone, Debug)]
pub(crate) struct Visitor(pub(crate) Arc<Session>);

impl std::ops::Deref for Visitor {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.0
    }
}

impl FromRequestParts<AppState> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let token = token(&parts.headers, state).ok_or(Code::NotLoggedIn)?;
        let found = find(state, &fingerprint(&token)).await?.ok_or(Code::SessionOver)?;
        if found.until <= state.now() {
            end(state, &found.key).await?;
            return Err(Code::SessionOver.into());
        }
        Ok(Self(extend(state, found).await))
    }
}

/// A request without a token is fine, but an ended session is an error.
impl OptionalFromRequestParts<AppState> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Option<Self>, Problem> {
        if token(&parts.headers, state).is_none() {
            return Ok(None);
        }
        <Self as FromRequestParts<AppState>>::from_request_parts(parts, state).await.map(Some)
    }
}

/// An operator of the site.
#[derive(Clone, Debug)]
pub(crate) struct Operator(pub(crate) Visitor);

impl FromRequestParts<AppState> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let visitor =
            <Visitor as FromRequestParts<AppState>>::from_request_parts(parts, state).await?;
        if visitor.kind != PlayerKind::Operator {
            let address = parts.extensions.get::<ClientAddress>();
            if address.is_none_or(|address| state.rate_limits.should_record_incident(address.0)) {
                let path = parts.uri.path().chars().take(100).collect::<String>();
                state.record_incident("not-operator", &visitor.player, path.into()).await;
            }
            return Err(Code::NotOperator.into());
        }
        Ok(Self(visitor))
    }
}

/// Returns the token of a request: from the bearer header, or from a cookie.
fn token(headers: &HeaderMap, state: &AppState) -> Option<String> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
        return scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned());
    }
    cookies::value(headers, cookie_name(state))
}

fn cookie_name(state: &AppState) -> &'static str {
    // The prefix binds the cookie to this host and to TLS, and browsers reject it otherwise.
    if state.config.is_secure() { "__Host-croupier" } else { "croupier" }
}

/// Returns the cookie that holds a token, or that clears it. A cookie that does not last ends with
/// the browser.
pub(crate) fn cookie(state: &AppState, token: Option<&str>, lasts: bool) -> HeaderValue {
    let (name, secure) =
        (cookie_name(state), if state.config.is_secure() { "; Secure" } else { "" });
    let (token, age) = match (token, lasts) {
        (None, _) => ("", "; Max-Age=0"),
        (Some(token), true) => (token, "; Max-Age=34560000"),
        (Some(token), false) => (token, ""),
    };
    let text = format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict{secure}{age}");
    let mut value = HeaderValue::try_from(text).expect("a cookie is plain");
    value.set_sensitive(true);
    value
}

pub(crate) fn fingerprint(token: &str) -> String {
    Hash::of(token.as_bytes()).to_string()
}
