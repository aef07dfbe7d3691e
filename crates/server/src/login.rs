//! Passwords and sessions: how somebody proves who he is, comes in, and goes out again.

use std::net::IpAddr;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use croupier_store::{Paper, Store};
use croupier_table::Time;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::chance;
use crate::extract::{Json, Path};
use crate::guard::ClientAddress;
use crate::people::{Welcome, change, find, is_name, named, welcome};
use crate::problem::{Code, Problem, Problems};
use crate::room::{Room, Shared};
use crate::session::{self, Kind, Visitor};

/// The drawer of attempts to log in that failed.
pub(crate) const FAILURES: &str = "failures";

/// How often somebody may fail to log in, and for how long that is remembered.
const ATTEMPTS: usize = 3;
const LOCKED: i64 = 5 * 60_000;

pub(crate) fn router() -> OpenApiRouter<Room> {
    OpenApiRouter::new()
        .routes(routes!(sessions, log_in, log_out_everywhere))
        .routes(routes!(log_out))
        .routes(routes!(change_password))
}

/// A name and a password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Credentials {
    /// The name.
    #[schema(example = "ann", min_length = 2, max_length = 24)]
    pub(crate) name: String,
    /// The password: 8 to 256 characters, whatever they are.
    #[schema(example = "a long walk on a short pier", min_length = 8, max_length = 256)]
    pub(crate) password: String,
    /// As for guests.
    #[serde(default)]
    pub(crate) bearer: bool,
}

/// Log in
///
/// Always begins a new session. After three failures the name is locked for five minutes, whether
/// or not there is such a player.
#[utoipa::path(
    post, path = "/api/sessions", tag = "people", request_body = Credentials,
    responses(
        (status = 201, body = Welcome, description = "Who has come in"),
        Problems,
    )
)]
async fn log_in(
    State(room): State<Room>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    Json(request): Json<Credentials>,
) -> Result<Response, Problem> {
    let Proof { player, kept } = prove(&room, address, &request.name, &request.password).await?;
    let now = room.now();
    let profile = change(&room, &player, |profile| {
        profile.logged_in_before = profile.logged_in;
        profile.logged_in = Some(now);
        Ok(())
    })
    .await?;
    if profile.banned.is_some() {
        return Err(Code::Banned.into());
    }
    if profile.kind == Kind::Operator {
        room.note("operator-log-in", &player, json!({ "name": profile.name })).await;
    }
    let who = (&*player, &*profile.name, profile.kind);
    welcome(&room, StatusCode::CREATED, who, Some(&kept), request.bearer).await
}

/// Somebody who has given the right password, and what is kept of that.
pub(crate) struct Proof {
    pub(crate) player: String,
    pub(crate) kept: String,
}

/// Returns the player to whom a name and a password belong.
///
/// Whether it is the name or the password that is wrong can neither be read nor measured.
pub(crate) async fn prove(
    room: &Shared,
    address: IpAddr,
    name: &str,
    password: &str,
) -> Result<Proof, Problem> {
    let key = name.to_ascii_lowercase();
    if password.len() > 1024 || !is_name(name) {
        return Err(Code::WrongPassword.into());
    }
    let attempt = admit_attempt(room, &key).await?;
    let player = named(room, name).await?;
    let profile = match &player {
        Some(player) => match find(room, player).await {
            Ok((_, profile)) => Some(profile),
            Err(problem) if problem.code == Code::NoSuchPlayer.name() => None,
            // That is no attempt that failed.
            Err(problem) => return Err(problem),
        },
        None => None,
    };
    let kept = profile.and_then(|profile| profile.password);
    let right = match room.passwords.is(password, kept.clone()).await {
        Ok(right) => right,
        Err(problem) => {
            room.store().discard(FAILURES, &attempt).await?;
            return Err(problem);
        }
    };
    if right && let (Some(player), Some(kept)) = (player, kept) {
        room.store().discard_of(FAILURES, &key).await?;
        return Ok(Proof { player, kept });
    }
    // They are kept for ever, and anybody can fail under any number of names.
    if room.gate.is_worth_a_note(address) {
        room.note("log-in-failed", &key, json!({})).await;
    }
    Err(Code::WrongPassword.into())
}

/// Lets somebody try to log in under a name, and returns the key of what is written of it.
///
/// An attempt counts as failed until it has not: who makes many at once has no more of them.
async fn admit_attempt(room: &Shared, name: &str) -> Result<String, Problem> {
    let now = room.now();
    let until = now.as_millis() + LOCKED;
    let key = format!("{until:015}-{}", chance::name::<16>());
    let attempt = Paper {
        drawer: FAILURES.to_owned(),
        key: key.clone(),
        owner: name.to_owned(),
        at: now,
        until: Some(Time::from_millis(until)),
        text: String::new(),
        revision: 0,
    };
    room.store().file(attempt).await?;
    // They are in the order of their ends: those that are forgotten already come before.
    let forgotten = format!("{:015}", now.as_millis());
    let recent = room.store().papers_of(FAILURES, name, &forgotten, ATTEMPTS + 1).await?;
    if recent.len() <= ATTEMPTS {
        return Ok(key);
    }
    room.store().discard(FAILURES, &key).await?;
    let until = recent.first().and_then(|first| first.until).unwrap_or(now);
    let wait = (until.as_millis() - now.as_millis()).max(0) / 1000 + 1;
    Err(Problem::from(Code::LockedOut).retry_after(wait.unsigned_abs()))
}

/// Log out
#[utoipa::path(
    delete, path = "/api/sessions/{session}", tag = "people",
    params(("session" = String, Path, description = "The id of a session, or `current`")),
    responses(
        (status = 204, description = "The session is over"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn log_out(
    State(room): State<Room>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let own = id == "current" || id == visitor.id;
    let key = if own {
        visitor.key.clone()
    } else {
        let all = session::all(&room, &visitor.player).await?;
        let found = all.into_iter().find(|session| session.id == id);
        found.ok_or(Code::NoSuchSession)?.key
    };
    session::end(&room, &key).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    if own {
        let cookie = session::cookie(&room, None, visitor.kind);
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Log out everywhere
#[utoipa::path(
    delete, path = "/api/sessions", tag = "people",
    responses(
        (status = 204, description = "All sessions are over, this one too"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn log_out_everywhere(
    State(room): State<Room>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    session::end_all(&room, &visitor.player).await?;
    let cookie = session::cookie(&room, None, visitor.kind);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

/// A session of somebody's.
#[derive(Debug, Serialize, ToSchema)]
struct SessionAnswer {
    /// What it is known by.
    session: String,
    /// Since when it goes on.
    since: i64,
    /// Until when it lasts if it is not used.
    until: i64,
    /// Whether it is the one of this request.
    current: bool,
}

/// My sessions
#[utoipa::path(
    get, path = "/api/sessions", tag = "people",
    responses(
        (status = 200, body = Vec<SessionAnswer>, description = "Where you are logged in"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn sessions(
    State(room): State<Room>,
    visitor: Visitor,
) -> Result<Json<Vec<SessionAnswer>>, Problem> {
    let all = session::all(&room, &visitor.player).await?;
    let answer = all.into_iter().map(|session| SessionAnswer {
        since: session.since.as_millis(),
        until: session.until.as_millis(),
        current: session.key == visitor.key,
        session: session.id,
    });
    Ok(Json(answer.collect()))
}

/// An old password and a new one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PasswordChange {
    /// The password until now.
    #[schema(max_length = 256)]
    old: String,
    /// The password from now on.
    #[schema(min_length = 8, max_length = 256)]
    new: String,
    /// As for guests.
    #[serde(default)]
    bearer: bool,
}

/// Change the password
///
/// All sessions end, and a new one begins.
#[utoipa::path(
    put, path = "/api/me/password", tag = "people", request_body = PasswordChange,
    responses(
        (status = 200, body = Welcome, description = "The password is changed"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn change_password(
    State(room): State<Room>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    headers: HeaderMap,
    Json(request): Json<PasswordChange>,
) -> Result<Response, Problem> {
    if visitor.kind == Kind::Guest {
        return Err(Code::NotAccount.into());
    }
    room.passwords.check(&request.new, &visitor.name).await?;
    let Proof { player, .. } = prove(&room, address, &visitor.name, &request.old).await?;
    set_password(&room, &player, &request.new).await?;
    let who = (&*player, &*visitor.name, visitor.kind);
    let bearer = request.bearer || !session::has_cookie(&headers);
    welcome(&room, StatusCode::OK, who, None, bearer).await
}

/// Gives somebody another password, and ends his sessions.
pub(crate) async fn set_password(room: &Shared, player: &str, new: &str) -> Result<(), Problem> {
    let hash = room.passwords.hash(new).await?;
    change(room, player, |profile| {
        profile.password = Some(hash.clone());
        Ok(())
    })
    .await?;
    session::end_all(room, player).await?;
    Ok(())
}
