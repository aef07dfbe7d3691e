//! Passwords and sessions: how somebody proves who he is, comes in, and goes out again.

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

use crate::attempts::{self, Origin};
use crate::device;
use crate::extract::{Json, Path, short};
use crate::guard::ClientAddress;
use crate::people::{Way, Welcome, change, find, is_name, named, welcome};
use crate::problem::{Code, Problem, Problems};
use crate::room::{Room, Shared};
use crate::session::{self, Kind, Visitor};

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

/// A name, a password, and where they come from.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LogIn {
    /// The name.
    #[schema(example = "ann", min_length = 2, max_length = 24)]
    name: String,
    /// The password: 8 to 256 characters, whatever they are.
    #[schema(example = "a long walk on a short pier", min_length = 8, max_length = 256)]
    password: String,
    /// As for guests.
    #[serde(default)]
    bearer: bool,
    /// The `device` of an earlier login, from programs; browsers send a cookie.
    #[serde(default, deserialize_with = "short")]
    #[schema(max_length = 64)]
    device: Option<String>,
}

/// Log in
///
/// Always begins a new session. After three failures the next attempts wait, each twice as long as
/// the one before, whether or not there is such a player. A device that has logged in before waits
/// for its own failures only.
#[utoipa::path(
    post, path = "/api/sessions", tag = "people", request_body = LogIn,
    responses(
        (status = 201, body = Welcome, description = "Who has come in"),
        Problems,
    )
)]
async fn log_in(
    State(room): State<Room>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    headers: HeaderMap,
    Json(request): Json<LogIn>,
) -> Result<Response, Problem> {
    let device = device::presented(&room, &headers, request.device);
    let by = By::Device(device.as_deref());
    let Proof { player, kept } =
        prove(&room, address, by, &request.name, &request.password).await?;
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
    let way = Way { bearer: request.bearer, device };
    welcome(&room, StatusCode::CREATED, who, Some(&kept), way).await
}

/// A person who has given the right password, and what is kept of that.
pub(crate) struct Proof {
    pub(crate) player: String,
    pub(crate) kept: String,
}

/// What a person who gives a password is known by already.
#[derive(Clone, Copy, Debug)]
pub(crate) enum By<'a> {
    /// The secret of a device, if there is one.
    Device(Option<&'a str>),
    /// A session of this player.
    Session(&'a str),
}

/// Returns the player to whom a name and a password belong.
///
/// Whether it is the name or the password that is wrong can neither be read nor measured.
pub(crate) async fn prove(
    room: &Shared,
    address: IpAddr,
    by: By<'_>,
    name: &str,
    password: &str,
) -> Result<Proof, Problem> {
    let key = name.to_ascii_lowercase();
    if password.len() > 1024 || !is_name(name) {
        return Err(Code::WrongPassword.into());
    }
    let player = named(room, name).await?;
    // A name that no player has is looked up all the same, so that it takes as long.
    let profile = match find(room, player.as_deref().unwrap_or("p-none")).await {
        Ok((_, profile)) => Some(profile),
        Err(problem) if problem.code == Code::NoSuchPlayer.name() => None,
        // That is no attempt that failed.
        Err(problem) => return Err(problem),
    };
    let device = match by {
        By::Device(secret) => device::key_of(room, player.as_deref(), secret).await?,
        By::Session(_) => None,
    };
    let origin = match (by, &player, &device) {
        (By::Session(player), ..) => Origin::Session { player },
        (By::Device(_), Some(player), Some(key)) => Origin::Device { player, key },
        (By::Device(_), ..) => Origin::Address(address),
    };
    let failures = attempts::admit(room, origin, &key).await?;
    let kept = profile.and_then(|profile| profile.password);
    let right = match room.passwords.is(address, password, kept.clone()).await {
        Ok(right) => right,
        Err(problem) => {
            attempts::take_back(room, origin, &key, false).await?;
            return Err(problem);
        }
    };
    if right && let (Some(player), Some(kept)) = (&player, kept) {
        attempts::take_back(room, origin, &key, true).await?;
        return Ok(Proof { player: player.clone(), kept });
    }
    if let Some(device) = device.filter(|_| failures >= device::FAILURES) {
        device::forget(room, &device).await?;
    }
    // They are kept for ever, and anybody can fail under any number of names.
    if room.gate.is_worth_a_note(address) {
        room.note("log-in-failed", &key, json!({})).await;
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
    room.passwords.check(address, &request.new, &visitor.name).await?;
    let by = By::Session(&visitor.player);
    let Proof { player, .. } = prove(&room, address, by, &visitor.name, &request.old).await?;
    set_password(&room, address, &player, &request.new).await?;
    let who = (&*player, &*visitor.name, visitor.kind);
    let bearer = request.bearer || !session::has_cookie(&headers);
    welcome(&room, StatusCode::OK, who, None, Way { bearer, device: None }).await
}

/// Gives a player another password, and ends their sessions. Devices that logged in with the old
/// one are not known any more.
pub(crate) async fn set_password(
    room: &Shared,
    address: IpAddr,
    player: &str,
    new: &str,
) -> Result<(), Problem> {
    let hash = room.passwords.hash(address, new).await?;
    change(room, player, |profile| {
        profile.password = Some(hash.clone());
        Ok(())
    })
    .await?;
    session::end_all(room, player).await?;
    device::forget_all(room, player).await
}
