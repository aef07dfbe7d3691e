//! The current player, as the player sees it: the overview, the export, and the deletion.

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use croupier_table::Time;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::history::my_rounds;
use crate::http::client_address::ClientAddress;
use crate::http::extract::Json;
use crate::http::problem::{Code, Problem, Problems};
use crate::lobby::list;
use crate::people::login::{Presented, authenticate};
use crate::people::session::{self, PlayerKind, Visitor};
use crate::people::{chips, deletion, device, names, profile};
use crate::state::AppState;
use crate::storage;
use crate::tables::seats;

/// The number of names that a player may take in an hour.
const NAMES_PER_HOUR: usize = 5;

const HOUR: i64 = 3_600_000;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(me, rename_me, delete_me)).routes(routes!(export_me))
}

/// The current player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Me {
    /// The id in tables and records.
    #[schema(example = "p-7f3k2m9x4t8r2w5y")]
    player: String,
    /// The name that others see.
    #[schema(example = "guest-7f3k2m")]
    name: String,
    /// The kind of player.
    kind: PlayerKind,
    /// Your chips, in cents.
    #[schema(example = 100_000)]
    chips: i64,
    /// The chips you have in play at tables, in cents.
    in_play: i64,
    /// The tables where you are seated.
    tables: Vec<String>,
    /// The tables you opened that are still open.
    opened: Vec<String>,
    /// When you first came, in milliseconds since 1970.
    since: i64,
    /// When you logged in the time before, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_login: Option<i64>,
}

impl Me {
    /// Returns the overview of a player.
    pub(super) async fn load(state: &AppState, player: &str) -> Result<Self, Problem> {
        let (found, profile) = profile::find(state, player).await?;
        let chips = chips::balance(state, player).await?;
        let seats = seats::of_player(state, player).await?;
        let opened = list::opened_by(state, player).await?;
        Ok(Self {
            player: found.name,
            name: profile.name,
            kind: profile.kind,
            chips: chips.as_cents(),
            in_play: seats.iter().map(|seat| seat.in_play.as_cents()).sum(),
            tables: seats.into_iter().map(|seat| seat.table).collect(),
            opened: opened.iter().map(|table| table.name().to_owned()).collect(),
            since: found.since.as_millis(),
            previous_login: profile.logged_in_before.map(Time::as_millis),
        })
    }
}

/// The current player
#[utoipa::path(
    get, path = "/api/me", tag = "people",
    responses(
        (status = 200, body = Me, description = "Your name, chips and tables"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn me(State(state): State<AppState>, visitor: Visitor) -> Result<Json<Me>, Problem> {
    Ok(Json(Me::load(&state, &visitor.player).await?))
}

/// Another name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Rename {
    /// The name: letters, digits, `-` and `_`, beginning with a letter.
    #[schema(example = "ann", min_length = 2, max_length = 24)]
    name: String,
}

/// Take another name
///
/// Others see it from then on, in old rounds too. An account logs in with it. No two players have
/// the same name, and some names are reserved. A player may take five names an hour.
#[utoipa::path(
    patch, path = "/api/me", tag = "people", request_body = Rename,
    responses(
        (status = 200, body = Me, description = "The same player, with the new name"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn rename_me(
    State(state): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    Json(Rename { name }): Json<Rename>,
) -> Result<Json<Me>, Problem> {
    if visitor.kind == PlayerKind::Operator {
        return Err(Code::NotPlayer.into());
    }
    let player = &visitor.player;
    if profile::find(&state, player).await?.1.name != name {
        names::check(&name)?;
        state.storage.admit(state.now(), address, Some(player), storage::COMMAND)?;
        let now = state.now();
        let age = |at: &Time| now.as_millis() - at.as_millis();
        names::change(&state, &name, player, |profile| {
            profile.renamed_at.retain(|at| age(at) < HOUR);
            match profile.renamed_at.first() {
                Some(first) if profile.renamed_at.len() >= NAMES_PER_HOUR => {
                    let wait = (HOUR - age(first)).max(0).unsigned_abs() / 1000 + 1;
                    let detail = "you have just had several names: keep this one for a while";
                    Err(Problem::new(Code::TooSoon, detail).retry_after(wait))
                }
                _ => {
                    profile.renamed_at.push(now);
                    Ok(())
                }
            }
        })
        .await?;
    }
    Ok(Json(Me::load(&state, player).await?))
}

/// Export my data
///
/// One JSON object per line: your profile, your sessions, your devices, and every round that you
/// played, with its record.
#[utoipa::path(
    get, path = "/api/me/export", tag = "people",
    responses(
        (status = 200, body = String, content_type = "application/x-ndjson",
            description = "One JSON object per line"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn export_me(State(state): State<AppState>, visitor: Visitor) -> Result<Response, Problem> {
    let me = Me::load(&state, &visitor.player).await?;
    let sessions = session::active(&state, &visitor.player).await?;
    let sessions: Vec<_> = sessions
        .iter()
        .map(|session| json!({ "since": session.since, "until": session.until }))
        .collect();
    let devices = device::all(&state, &visitor.player).await?;
    let devices: Vec<_> = devices
        .iter()
        .map(|device| json!({ "logged_in": device.at, "until": device.until }))
        .collect();
    let head = format!("{}\n", json!({ "me": me, "sessions": sessions, "devices": devices }));
    let lines = my_rounds::record_lines(state, visitor.player.clone(), head);
    let kind = HeaderValue::from_static("application/x-ndjson");
    Ok(([(header::CONTENT_TYPE, kind)], axum::body::Body::from_stream(lines)).into_response())
}

/// Confirmation of a deletion.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DeletionRequest {
    /// The password. Guests leave it out.
    #[schema(max_length = 256)]
    password: Option<String>,
}

/// Delete me
///
/// Your name, password, sessions and statistics are deleted, and so are your chips. Rounds stay in
/// the journals of their tables, under an id that can no longer be linked to a name.
#[utoipa::path(
    delete, path = "/api/me", tag = "people", request_body = DeletionRequest,
    responses(
        (status = 204, description = "Your account is deleted"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn delete_me(
    State(state): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    Json(request): Json<DeletionRequest>,
) -> Result<Response, Problem> {
    let password = request.password.unwrap_or_default();
    if password.chars().count() > 256 {
        return Err(Code::BadPassword.into());
    }
    let player = &visitor.player;
    // A player whose deletion is half done has no password anymore, and nothing to lose but this
    // session.
    let name = match profile::find(&state, player).await {
        Ok((_, profile)) => Some(profile.name),
        Err(problem) if problem.code == Code::NoSuchPlayer.name() => None,
        Err(problem) => return Err(problem),
    };
    if let Some(name) = name.filter(|_| visitor.kind != PlayerKind::Guest) {
        authenticate(&state, address, Presented::Session(player), &name, &password).await?;
    }
    deletion::delete(&state, player).await?;
    let cookie = session::cookie(&state, None, false);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}
