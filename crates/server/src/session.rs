//! Who sends a request.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use croupier_store::{Paper, Store};
use croupier_table::{Hash, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::chance;
use crate::config::Times;
use crate::guard::ClientAddress;
use crate::problem::{Code, Problem};
use crate::room::{Room, Shared};

/// The drawer of sessions. A paper is found by the fingerprint of the token: whoever reads the
/// database cannot log in with it.
pub(crate) const SESSIONS: &str = "sessions";

/// What kind of player somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// Somebody without a name of his own, whom only his cookie knows.
    Guest,
    /// Somebody with a name and a password.
    Account,
    /// Somebody who runs the place, and does not play.
    Operator,
}

impl Kind {
    /// Returns how many milliseconds a session lasts without a request, and how many in all.
    fn lasts(self, times: &Times) -> (i64, i64) {
        let (idle, longest) = match self {
            Self::Guest => times.guest_session,
            Self::Account | Self::Operator => times.session,
        };
        let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        (millis(idle), millis(longest))
    }
}

/// What is written of a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Pass {
    /// What its owner knows it by.
    id: String,
    name: String,
    kind: Kind,
}

/// A session that is going on.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    /// The fingerprint of its token.
    pub(crate) key: String,
    /// What its owner knows it by.
    pub(crate) id: String,
    pub(crate) player: String,
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) since: Time,
    pub(crate) until: Time,
    revision: u64,
}

impl Session {
    /// Reads a session from its paper; nothing, if it is none.
    pub(crate) fn read(paper: Paper) -> Option<Self> {
        let pass: Pass = serde_json::from_str(&paper.text).ok()?;
        Some(Self {
            key: paper.key,
            id: pass.id,
            player: paper.owner,
            name: pass.name,
            kind: pass.kind,
            since: paper.at,
            until: paper.until?,
            revision: paper.revision,
        })
    }

    fn paper(&self) -> Paper {
        let Self { key, id, player, name, kind, since, until, revision } = self.clone();
        let text = serde_json::to_string(&Pass { id, name, kind }).expect("plain data");
        let drawer = SESSIONS.to_owned();
        Paper { drawer, key, owner: player, at: since, until: Some(until), text, revision }
    }

    /// Returns until when it lasts if it is used now.
    fn lasts_from(&self, now: Time, times: &Times) -> Time {
        let (idle, longest) = self.kind.lasts(times);
        let (now, since) = (now.as_millis(), self.since.as_millis());
        Time::from_millis(now.saturating_add(idle).min(since.saturating_add(longest)))
    }
}

/// Begins a session, and returns its token: the only copy there is.
pub(crate) async fn begin(
    room: &Shared,
    player: &str,
    name: &str,
    kind: Kind,
) -> Result<String, Problem> {
    let (token, now) = (chance::secret(), room.now());
    let mut session = Session {
        key: fingerprint(&token),
        id: chance::name::<10>(),
        player: player.to_owned(),
        name: name.to_owned(),
        kind,
        since: now,
        until: now,
        revision: 0,
    };
    session.until = session.lasts_from(now, &room.config.times);
    room.store().file(session.paper()).await?;
    Ok(token)
}

/// Ends a session.
pub(crate) async fn end(room: &Shared, key: &str) -> Result<(), Problem> {
    room.store().discard(SESSIONS, key).await?;
    room.endings.fetch_add(1, Ordering::SeqCst);
    room.sessions.remove(key);
    Ok(())
}

/// Ends all sessions of a player, and returns how many there were.
pub(crate) async fn end_all(room: &Shared, player: &str) -> Result<u64, Problem> {
    let ended = room.store().discard_of(SESSIONS, player).await?;
    room.endings.fetch_add(1, Ordering::SeqCst);
    room.sessions.retain(|_, session| session.player != player);
    Ok(ended)
}

/// Forgets what this node remembers of sessions: others may have ended some.
pub(crate) fn forget_all(room: &Shared) {
    room.endings.fetch_add(1, Ordering::SeqCst);
    room.sessions.clear();
}

/// Returns the sessions of a player that go on.
pub(crate) async fn all(room: &Shared, player: &str) -> Result<Vec<Session>, Problem> {
    let now = room.now();
    let papers = room.store().papers_of(SESSIONS, player, "", 1_000).await?;
    let going_on = |session: &Session| session.until > now;
    Ok(papers.into_iter().filter_map(Session::read).filter(going_on).collect())
}

/// Tells whether a session is still going on, without making it last longer.
pub(crate) async fn goes_on(room: &Shared, session: &Session) -> bool {
    match find(room, &session.key).await {
        Ok(found) => found.is_some_and(|found| found.until > room.now()),
        // Whoever watches is not sent away because the database is.
        Err(_) => true,
    }
}

/// Finds a session by the fingerprint of its token.
async fn find(room: &Shared, key: &str) -> Result<Option<Arc<Session>>, Problem> {
    // What another node has ended must be over here.
    let alone = !room.store().is_shared();
    if alone && let Some(session) = room.sessions.get(key) {
        return Ok(Some(session));
    }
    let endings = room.endings.load(Ordering::SeqCst);
    let Some(paper) = room.store().paper(SESSIONS, key).await? else { return Ok(None) };
    let Some(session) = Session::read(paper).map(Arc::new) else { return Ok(None) };
    remember(room, &session, endings);
    Ok(Some(session))
}

/// Remembers a session that was found when so many had been ended.
fn remember(room: &Shared, session: &Arc<Session>, endings: u64) {
    if room.store().is_shared() {
        return;
    }
    room.sessions.insert(session.key.clone(), Arc::clone(session));
    // It may have been ended after it was found, and forgotten before it was remembered.
    if room.endings.load(Ordering::SeqCst) != endings {
        room.sessions.remove(&session.key);
    }
}

/// Makes a session last longer because it is used. That is written down now and then only.
async fn prolong(room: &Shared, session: Arc<Session>) -> Arc<Session> {
    let now = room.now();
    let until = session.lasts_from(now, &room.config.times);
    let gained = until.as_millis() - session.until.as_millis();
    if gained < session.kind.lasts(&room.config.times).0 / 30 {
        return session;
    }
    let mut longer = Session { until, ..Session::clone(&session) };
    let endings = room.endings.load(Ordering::SeqCst);
    // If somebody else has just done the same, that will do; and if it is not known what is written
    // now, what is remembered may be old.
    let Ok(revision) = room.store().file(longer.paper()).await else {
        room.sessions.remove(&session.key);
        return session;
    };
    longer.revision = revision;
    let longer = Arc::new(longer);
    remember(room, &longer, endings);
    longer
}

/// Somebody who is logged in, as a guest or under his name.
#[derive(Clone, Debug)]
pub(crate) struct Visitor(pub(crate) Arc<Session>);

impl std::ops::Deref for Visitor {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.0
    }
}

impl FromRequestParts<Room> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, room: &Room) -> Result<Self, Problem> {
        let token = token(&parts.headers, room).ok_or(Code::NotLoggedIn)?;
        let found = find(room, &fingerprint(&token)).await?.ok_or(Code::SessionOver)?;
        if found.until <= room.now() {
            end(room, &found.key).await?;
            return Err(Code::SessionOver.into());
        }
        Ok(Self(prolong(room, found).await))
    }
}

/// Nobody is somebody too, but a session that is over is a mistake.
impl OptionalFromRequestParts<Room> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, room: &Room) -> Result<Option<Self>, Problem> {
        if token(&parts.headers, room).is_none() {
            return Ok(None);
        }
        <Self as FromRequestParts<Room>>::from_request_parts(parts, room).await.map(Some)
    }
}

/// Somebody who runs the place.
#[derive(Clone, Debug)]
pub(crate) struct Operator(pub(crate) Visitor);

impl FromRequestParts<Room> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, room: &Room) -> Result<Self, Problem> {
        let visitor = <Visitor as FromRequestParts<Room>>::from_request_parts(parts, room).await?;
        if visitor.kind != Kind::Operator {
            let address = parts.extensions.get::<ClientAddress>();
            if address.is_none_or(|address| room.gate.is_worth_a_note(address.0)) {
                let path = parts.uri.path().chars().take(100).collect::<String>();
                room.note("not-operator", &visitor.player, path.into()).await;
            }
            return Err(Code::NotOperator.into());
        }
        Ok(Self(visitor))
    }
}

/// Returns the token that a request brings: as a bearer, or in a cookie.
fn token(headers: &HeaderMap, room: &Shared) -> Option<String> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
        return scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned());
    }
    cookie_of(headers, cookie_name(room))
}

/// Returns the value of a cookie that a request brings.
pub(crate) fn cookie_of(headers: &HeaderMap, name: &str) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies.flat_map(|cookies| cookies.split(';')).find_map(|cookie| {
        let (key, value) = cookie.trim().split_once('=')?;
        (key == name && !value.is_empty()).then(|| value.to_owned())
    })
}

/// Tells whether a request is authenticated by a cookie, which a browser sends by itself.
pub(crate) fn has_cookie(headers: &HeaderMap) -> bool {
    headers.contains_key(header::COOKIE) && !headers.contains_key(header::AUTHORIZATION)
}

fn cookie_name(room: &Shared) -> &'static str {
    // The prefix binds it to this host and to TLS, and browsers refuse it without.
    if room.config.is_secure() { "__Host-croupier" } else { "croupier" }
}

/// Writes the cookie that keeps a token; none to take it back.
pub(crate) fn cookie(room: &Shared, token: Option<&str>, kind: Kind) -> HeaderValue {
    let (name, secure) = (cookie_name(room), if room.config.is_secure() { "; Secure" } else { "" });
    let (token, age) = match (token, kind) {
        (None, _) => ("", "; Max-Age=0"),
        // A guest comes back; an account's session ends with the browser.
        (Some(token), Kind::Guest) => (token, "; Max-Age=34560000"),
        (Some(token), _) => (token, ""),
    };
    let text = format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict{secure}{age}");
    let mut value = HeaderValue::try_from(text).expect("a cookie is plain");
    value.set_sensitive(true);
    value
}

pub(crate) fn fingerprint(token: &str) -> String {
    Hash::of(token.as_bytes()).to_string()
}
