//! Passwords and sessions: logging in, logging out, and changing a password.

use std::net::IpAddr;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::client_address::ClientAddress;
use crate::http::cookies;
use crate::http::extract::{Json, Path, short};
use crate::http::problem::{Code, Problem, Problems};
use crate::people::attempts::{self, Origin};
use crate::people::session::{self, PlayerKind, Visitor};
use crate::people::welcome::{Client, Welcome, welcome};
use crate::people::{device, names, profile};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
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
    /// The password: 8 to 256 characters of any kind.
    #[schema(example = "a long walk on a short pier", min_length = 8, max_length = 256)]
    pub(crate) password: String,
    /// Whether to return a token for `Authorization: Bearer` instead of setting a cookie.
    #[serde(default)]
    pub(crate) bearer: bool,
    /// Whether the session should be short: it ends half an hour after the last request, after a
    /// day at most, and in a page with the browser. Otherwise it lasts for weeks.
    #[serde(default)]
    pub(crate) short: bool,
}

/// A name, a password, and the device they come from.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LogIn {
    /// The name.
    #[schema(example = "ann", min_length = 2, max_length = 24)]
    name: String,
    /// The password: 8 to 256 characters of any kind.
    #[schema(example = "a long walk on a short pier", min_length = 8, max_length = 256)]
    password: String,
    /// Whether to return a token for `Authorization: Bearer` instead of setting a cookie.
    #[serde(default)]
    bearer: bool,
    /// Whether the session should be short: it ends half an hour after the last request, after a
    /// day at most, and in a page with the browser. Otherwise it lasts for weeks.
    #[serde(default)]
    short: bool,
    /// The `device` of an earlier login, from programs; browsers send a cookie.
    #[serde(default, deserialize_with = "short")]
    #[schema(max_length = 64)]
    device: Option<String>,
}

/// Log in
///
/// Always starts a new session. After three failures each further attempt must wait, twice as long
/// as the previous one, whether or not the player exists. A device that has logged in before waits
/// only for its own failures.
#[utoipa::path(
    post, path = "/api/sessions", tag = "people", request_body = LogIn,
    responses(
        (status = 201, body = Welcome, description = "The player and the session"),
        Problems,
    )
)]
async fn log_in(
    State(state): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    headers: HeaderMap,
    Json(request): Json<LogIn>,
) -> Result<Response, Problem> {
    let device = device::presented(&state, &headers, request.device);
    let presented = Presented::Device(device.as_deref());
    let Authenticated { player, stored_hash } =
        authenticate(&state, address, presented, &request.name, &request.password).await?;
    let now = state.now();
    let profile = profile::change(&state, &player, |profile| {
        profile.logged_in_before = profile.logged_in;
        profile.logged_in = Some(now);
        Ok(())
    })
    .await?;
    if profile.banned.is_some() {
        return Err(Code::Banned.into());
    }
    if profile.kind == PlayerKind::Operator {
        state.record_incident("operator-log-in", &player, json!({ "name": profile.name })).await;
    }
    let who = (&*player, &*profile.name, profile.kind);
    let client = Client { bearer: request.bearer, device, short: request.short };
    welcome(&state, StatusCode::CREATED, who, Some(&stored_hash), client).await
}

/// A player who has given the right password, with the stored hash.
pub(super) struct Authenticated {
    pub(super) player: String,
    pub(super) stored_hash: String,
}

/// The device or session that a client presents along with a password.
#[derive(Clone, Copy, Debug)]
pub(super) enum Presented<'a> {
    /// The secret of a device, if the client has one.
    Device(Option<&'a str>),
    /// A session of this player.
    Session(&'a str),
}

/// Returns the player with this name and password.
///
/// Neither the response nor its timing shows whether the name or the password is wrong.
pub(super) async fn authenticate(
    state: &AppState,
    address: IpAddr,
    presented: Presented<'_>,
    name: &str,
    password: &str,
) -> Result<Authenticated, Problem> {
    let key = name.to_ascii_lowercase();
    if password.len() > 1024 || !names::is_valid(name) {
        return Err(Code::WrongPassword.into());
    }
    let player = names::find(state, name).await?;
    // An unknown name leads to a lookup as well, so that it takes the same time.
    let profile = match profile::find(state, player.as_deref().unwrap_or("p-none")).await {
        Ok((_, profile)) => Some(profile),
        Err(problem) if problem.code == Code::NoSuchPlayer.name() => None,
        // A store error does not count as a failed attempt.
        Err(problem) => return Err(problem),
    };
    let device = match presented {
        Presented::Device(secret) => device::key_of(state, player.as_deref(), secret).await?,
        Presented::Session(_) => None,
    };
    let origin = match (presented, &player, &device) {
        (Presented::Session(player), ..) => Origin::Session { player },
        (Presented::Device(_), Some(player), Some(key)) => Origin::Device { player, key },
        (Presented::Device(_), ..) => Origin::Address(address),
    };
    let failures = attempts::admit(state, origin, &key).await?;
    let stored_hash = profile.and_then(|profile| profile.password);
    let right = match state.passwords.matches(address, password, stored_hash.clone()).await {
        Ok(right) => right,
        Err(problem) => {
            attempts::take_back(state, origin, &key, false).await?;
            return Err(problem);
        }
    };
    if right && let (Some(player), Some(stored_hash)) = (&player, stored_hash) {
        attempts::take_back(state, origin, &key, true).await?;
        return Ok(Authenticated { player: player.clone(), stored_hash });
    }
    if let Some(device) = device.filter(|_| failures >= device::MAX_FAILURES) {
        device::forget(state, &device).await?;
    }
    // These events are kept forever, and a client can fail under any number of names.
    if state.rate_limits.should_record_incident(address) {
        state.record_incident("log-in-failed", &key, json!({})).await;
    }
    Err(Code::WrongPassword.into())
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
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let own = id == "current" || id == visitor.id;
    let key = if own {
        visitor.key.clone()
    } else {
        let all = session::active(&state, &visitor.player).await?;
        let found = all.into_iter().find(|session| session.id == id);
        found.ok_or(Code::NoSuchSession)?.key
    };
    session::end(&state, &key).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    if own {
        let cookie = session::cookie(&state, None, false);
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
    State(state): State<AppState>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    session::end_all(&state, &visitor.player).await?;
    let cookie = session::cookie(&state, None, false);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

/// A session of the player.
#[derive(Debug, Serialize, ToSchema)]
struct SessionAnswer {
    /// The id of the session.
    session: String,
    /// The time when it started, in milliseconds since 1970.
    since: i64,
    /// The time when it expires if it is not used, in milliseconds since 1970.
    until: i64,
    /// Whether it is the session of this request.
    current: bool,
}

/// My sessions
#[utoipa::path(
    get, path = "/api/sessions", tag = "people",
    responses(
        (status = 200, body = Vec<SessionAnswer>, description = "Your sessions"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn sessions(
    State(state): State<AppState>,
    visitor: Visitor,
) -> Result<Json<Vec<SessionAnswer>>, Problem> {
    let all = session::active(&state, &visitor.player).await?;
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
    /// The current password.
    #[schema(max_length = 256)]
    old: String,
    /// The new password.
    #[schema(min_length = 8, max_length = 256)]
    new: String,
    /// Whether to return a token for `Authorization: Bearer` instead of setting a cookie.
    #[serde(default)]
    bearer: bool,
}

/// Change the password
///
/// All sessions end, and a new one starts.
#[utoipa::path(
    put, path = "/api/me/password", tag = "people", request_body = PasswordChange,
    responses(
        (status = 200, body = Welcome, description = "The password is changed"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn change_password(
    State(state): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    headers: HeaderMap,
    Json(request): Json<PasswordChange>,
) -> Result<Response, Problem> {
    if visitor.kind == PlayerKind::Guest {
        return Err(Code::NotAccount.into());
    }
    // The player may have another name since the session began.
    let name = profile::find(&state, &visitor.player).await?.1.name;
    state.passwords.check(address, &request.new, &name).await?;
    let presented = Presented::Session(&visitor.player);
    let Authenticated { player, .. } =
        authenticate(&state, address, presented, &name, &request.old).await?;
    set_password(&state, address, &player, &request.new).await?;
    let who = (&*player, &*name, visitor.kind);
    let bearer = request.bearer || !cookies::is_authenticated_by_cookie(&headers);
    let client = Client { bearer, device: None, short: visitor.short };
    welcome(&state, StatusCode::OK, who, None, client).await
}

/// Sets a new password for a player, and ends their sessions. Devices that logged in with the old
/// password are forgotten.
pub(crate) async fn set_password(
    state: &AppState,
    address: IpAddr,
    player: &str,
    new: &str,
) -> Result<(), Problem> {
    let hash = state.passwords.hash(address, new).await?;
    profile::change(state, player, |profile| {
        profile.password = Some(hash.clone());
        Ok(())
    })
    .await?;
    session::end_all(state, player).await?;
    device::forget_all(state, player).await
}
