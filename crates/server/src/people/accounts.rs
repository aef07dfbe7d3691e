//! How players begin: as a guest, and later with an account.

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::client_address::ClientAddress;
use crate::http::cookies;
use crate::http::extract::Json;
use crate::http::problem::{Code, Problem, Problems};
use crate::people::login::Credentials;
use crate::people::session::{self, PlayerKind, Visitor};
use crate::people::welcome::{Client, Welcome, welcome};
use crate::people::{chips, device, names, profile};
use crate::state::AppState;
use crate::{random, storage};

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(begin_as_guest)).routes(routes!(make_account))
}

/// How the client wants to be identified from one request to the next.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct GuestRequest {
    /// Programs send true and get a token to send as `Authorization: Bearer`; browsers get a cookie
    /// that no script can read.
    #[serde(default)]
    bearer: bool,
}

/// Start as a guest
///
/// A guest has $1,000 in play chips and is identified only by a cookie or token.
#[utoipa::path(
    post, path = "/api/guests", tag = "people", request_body = GuestRequest,
    responses(
        (status = 201, body = Welcome, description = "A new guest, with a token or a cookie"),
        Problems,
    )
)]
async fn begin_as_guest(
    State(state): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    Json(request): Json<GuestRequest>,
) -> Result<Response, Problem> {
    state.storage.check_total()?;
    state.rate_limits.admit_guest(address)?;
    state.storage.admit(state.now(), address, None, storage::GUEST)?;
    let player = format!("p-{}", random::name::<16>());
    let name = format!("guest-{}", &player[2..8]);
    profile::add(&state, &player, &name, PlayerKind::Guest, None).await?;
    chips::give(&state, &player, 1).await?;
    let client = Client { bearer: request.bearer, device: None, short: false };
    welcome(&state, StatusCode::CREATED, (&player, &name, PlayerKind::Guest), None, client).await
}

/// Create an account
///
/// A guest gets a name and a password, and keeps chips, seats and history. All of the guest's
/// sessions end, and a new one begins.
#[utoipa::path(
    post, path = "/api/me/account", tag = "people", request_body = Credentials,
    responses(
        (status = 201, body = Welcome, description = "The same player, with the new name"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn make_account(
    State(state): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    headers: HeaderMap,
    Json(request): Json<Credentials>,
) -> Result<Response, Problem> {
    if visitor.kind != PlayerKind::Guest {
        return Err(Code::NotGuest.into());
    }
    names::check(&request.name)?;
    state.storage.check_total()?;
    state.storage.admit(state.now(), address, Some(&visitor.player), storage::ACCOUNT)?;
    state.passwords.check(address, &request.password, &request.name).await?;
    let hash = state.passwords.hash(address, &request.password).await?;
    let player = visitor.player.clone();
    names::change(&state, &request.name, &player, |profile| {
        if profile.kind != PlayerKind::Guest {
            return Err(Code::NotGuest.into());
        }
        profile.kind = PlayerKind::Account;
        profile.password = Some(hash.clone());
        Ok(())
    })
    .await?;
    session::end_all(&state, &player).await?;
    let who = (&*player, &*request.name, PlayerKind::Account);
    // A client that came with a token gets a new token.
    let bearer = request.bearer || !cookies::is_authenticated_by_cookie(&headers);
    let device = device::presented(&state, &headers, None);
    let client = Client { bearer, device, short: request.short };
    welcome(&state, StatusCode::CREATED, who, Some(&hash), client).await
}
