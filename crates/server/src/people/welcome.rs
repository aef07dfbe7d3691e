//! The response to a client that has just started or logged in: the player, and a token or cookie.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::extract::Json;
use crate::http::problem::{Code, Problem};
use crate::people::me::Me;
use crate::people::session::{self, PlayerKind};
use crate::people::{device, profile};
use crate::state::AppState;

/// A player who has just started or logged in.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Welcome {
    #[serde(flatten)]
    me: Me,
    /// The token, if the client asked for one. It is not shown again.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    /// The device's secret, if the client asked for a token and the player is not a guest. A
    /// program that sends it with the next login is not locked out when other clients fail under
    /// the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<String>,
}

/// The client that starts or logs in.
#[derive(Debug)]
pub(super) struct Client {
    /// Whether it is a program, which wants a token and no cookie.
    pub(super) bearer: bool,
    /// The device secret in the request.
    pub(super) device: Option<String>,
    /// Whether it asked for a short session.
    pub(super) short: bool,
}

/// Starts a session and answers with a token or a cookie. After a login with a password,
/// `stored_hash` is the hash that it was checked against.
pub(super) async fn welcome(
    state: &AppState,
    status: StatusCode,
    (player, name, kind): (&str, &str, PlayerKind),
    stored_hash: Option<&str>,
    Client { bearer, device, short }: Client,
) -> Result<Response, Problem> {
    let token = session::begin(state, player, name, kind, short).await?;
    // A ban or a password change ends the existing sessions, and this one may have started after
    // the check that the player may log in.
    let (_, profile) = profile::find(state, player).await?;
    let why = match (&profile.banned, stored_hash) {
        (Some(_), _) => Some(Code::Banned),
        (None, Some(_)) if profile.password.as_deref() != stored_hash => Some(Code::WrongPassword),
        (None, _) => None,
    };
    if let Some(why) = why {
        session::end(state, &session::fingerprint(&token)).await?;
        return Err(why.into());
    }
    let me = Me::load(state, player).await?;
    let device = match kind {
        PlayerKind::Guest => None,
        PlayerKind::Account | PlayerKind::Operator => {
            Some(device::remember(state, player, device.as_deref()).await?)
        }
    };
    if bearer {
        return Ok((status, Json(Welcome { me, token: Some(token), device })).into_response());
    }
    let mut response = (status, Json(Welcome { me, token: None, device: None })).into_response();
    let headers = response.headers_mut();
    let lasts = session::lasts(kind, short);
    headers.insert(header::SET_COOKIE, session::cookie(state, Some(&token), lasts));
    if let Some(secret) = device {
        headers.append(header::SET_COOKIE, device::cookie(state, &secret));
    }
    Ok(response)
}
