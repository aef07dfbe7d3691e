//! Commands to a table, and their results.

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use croupier_store::{CommandKey, FloorError};
use croupier_table::{Command, PlayerCommand, PublicEvent, Refusal, ShownEvent};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::client_address::ClientAddress;
use crate::http::extract::{Json, Path, Query};
use crate::http::idempotency::{self, KeyHeader};
use crate::http::problem::{Code, Problem, Problems};
use crate::lobby::card_room;
use crate::people::deletion;
use crate::people::session::{PlayerKind, Visitor};
use crate::state::AppState;
use crate::storage;
use crate::tables::listing::{self, Invite};
use crate::tables::seats;
use crate::tables::view::TableState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(command))
}

/// The result of a command.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CommandResult {
    /// The version of the journal after it.
    version: u64,
    /// The events, as every viewer may see them.
    #[schema(value_type = Vec<ShownEvent>)]
    events: Box<RawValue>,
    /// Whether the command was already carried out before, and this is the response from then.
    repeated: bool,
    /// The table as it is now.
    state: TableState,
}

/// Send a command to a table
///
/// With an `Idempotency-Key` header, chosen by the client for this command alone, the command is
/// carried out once however often it is sent: the same key with the same body gets the same
/// response.
#[utoipa::path(
    post, path = "/api/tables/{table}/commands", tag = "tables",
    request_body = PlayerCommand,
    params(
        ("table" = String, Path, description = "The table's name"),
        KeyHeader,
        Invite,
    ),
    responses((status = 200, body = CommandResult, description = "The result"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn command(
    State(state): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    Path(name): Path<String>,
    Query(Invite { invite }): Query<Invite>,
    headers: HeaderMap,
    Json(command): Json<PlayerCommand>,
) -> Result<Json<CommandResult>, Problem> {
    let key = idempotency::key(&headers, &visitor.player)?;
    if visitor.kind == PlayerKind::Operator {
        return Err(Code::NotPlayer.into());
    }
    state.rate_limits.admit_command(&visitor.player)?;
    let (joins, wagers) = match command.expected() {
        PlayerCommand::Join { .. } => (true, false),
        PlayerCommand::Wager { .. } | PlayerCommand::TakeBank { .. } => (false, true),
        _ => (false, false),
    };
    if joins {
        let table = listing::enter(&state, &name, Some(&visitor), invite.as_deref()).await?;
        card_room::check_house_open(&state, table.terms().house().id()).await?;
        let who = Some(&*visitor.player);
        state.storage.admit(state.now(), address, who, storage::COMMAND)?;
        seats::register(&state, &visitor.player, &name).await?;
    } else {
        let known = state.floor.cached(&name).await;
        let table = match known.filter(|table| seats::is_seated(table, &visitor.player)) {
            Some(table) => table,
            // A player who is not seated there learns nothing about a table that they may not
            // enter.
            None => listing::enter(&state, &name, Some(&visitor), invite.as_deref()).await?,
        };
        let (now, who) = (state.now(), Some(&*visitor.player));
        if wagers {
            let price = storage::price_of_wager(&state, &table);
            state.storage.admit(now, address, who, price)?;
        } else {
            state.storage.charge(now, address, who, storage::COMMAND);
        }
    }
    // The client names only the command: the player is the visitor.
    let command = command.by(&*visitor.player);
    let done = carry_out(&state, &name, command, key, Some(&visitor.player)).await?;
    if joins {
        deletion::confirm_seat(&state, &visitor.player, &name).await?;
    }
    Ok(Json(done))
}

/// Carries out a command, and returns its result.
pub(crate) async fn carry_out(
    state: &AppState,
    name: &str,
    command: Command,
    key: Option<CommandKey>,
    player: Option<&str>,
) -> Result<CommandResult, Problem> {
    #[derive(Deserialize)]
    struct StoredResult {
        version: u64,
        // They were serialized when they happened, and are sent as they are.
        events: Box<RawValue>,
    }
    let answer = state.floor.command(name, command, key, state.now()).await;
    let answer = answer.map_err(|error| refused(state, error))?;
    metrics::counter!("croupier_commands_total").increment(1);
    let table = match state.floor.cached(name).await {
        // An earlier command may have been carried out on another node, and be news here.
        Some(table) if !answer.repeated => table,
        _ => state.table(name).await?,
    };
    let result = match &*answer.text {
        // It changed nothing.
        "" => {
            let events = to_raw_value::<[PublicEvent]>(&[]).map_err(|_| Code::Internal)?;
            StoredResult { version: table.version(), events }
        }
        text => serde_json::from_str(text).map_err(|_| Code::Internal)?,
    };
    Ok(CommandResult {
        version: result.version,
        events: result.events,
        repeated: answer.repeated,
        state: TableState::new(state, &table, player).await?,
    })
}

/// Returns why a command is refused, and when to retry if the table knows.
fn refused(state: &AppState, error: FloorError) -> Problem {
    let until = match &error {
        FloorError::Refused(Refusal::SeedsAwaited { until, .. }) => Some(*until),
        _ => None,
    };
    let problem = Problem::from(error);
    let Some(until) = until else { return problem };
    let millis = (until.as_millis() - state.now().as_millis()).max(0);
    problem.retry_after(millis.unsigned_abs().div_ceil(1_000))
}
