//! All tables as an operator sees them, and an operator's commands to them.

use axum::extract::State;
use axum::http::HeaderMap;
use croupier_store::Journals;
use croupier_table::{OperatorCommand, Time};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::PAGE;
use crate::http::extract::{Json, Path, Query, short};
use crate::http::idempotency::{self, KeyHeader};
use crate::http::problem::{Problem, Problems};
use crate::people::session::Operator;
use crate::state::AppState;
use crate::tables::commands::{self, CommandResult};

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(all_tables)).routes(routes!(order))
}

/// The start of a page.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PageStart {
    /// The last name of the previous page.
    #[serde(default, deserialize_with = "short")]
    #[param(max_length = 64)]
    after: Option<String>,
}

/// A table as it is stored.
#[derive(Debug, Serialize, ToSchema)]
struct TableAnswer {
    /// Its name.
    table: String,
    /// The id of the house it plays by.
    house: String,
    /// The version of its journal.
    version: u64,
    /// The time of its next wake-up, in milliseconds since 1970.
    deadline: Option<i64>,
    /// Whether the table is closed.
    closed: bool,
    /// The reason why it fails, such as a damaged journal, if the node that answers has seen it
    /// fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fault: Option<String>,
}

/// All tables
///
/// Two hundred at a time, ordered by name, public or not, open or closed. A table that fails on its
/// own says why.
#[utoipa::path(
    get, path = "/api/operator/tables", tag = "operator", params(PageStart),
    responses((status = 200, body = Vec<TableAnswer>, description = "The tables"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn all_tables(
    State(state): State<AppState>,
    _operator: Operator,
    Query(PageStart { after }): Query<PageStart>,
) -> Result<Json<Vec<TableAnswer>>, Problem> {
    let rows = state.store().tables(&after.unwrap_or_default(), PAGE).await?;
    let answer = rows.into_iter().map(|row| TableAnswer {
        fault: state.table_timeouts.failing().reason(&row.table),
        table: row.table,
        house: row.house,
        version: row.version,
        deadline: row.deadline.map(Time::as_millis),
        closed: row.closed,
    });
    Ok(Json(answer.collect()))
}

/// Send a command to a table
#[utoipa::path(
    post, path = "/api/operator/tables/{table}/commands", tag = "operator",
    request_body = OperatorCommand,
    params(
        ("table" = String, Path, description = "The table's name"),
        KeyHeader,
    ),
    responses((status = 200, body = CommandResult, description = "The result"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn order(
    State(state): State<AppState>,
    Operator(operator): Operator,
    Path(name): Path<String>,
    headers: HeaderMap,
    Json(command): Json<OperatorCommand>,
) -> Result<Json<CommandResult>, Problem> {
    let key = idempotency::key(&headers, &operator.player)?;
    let kind = match command {
        OperatorCommand::Void { .. } => "table-void",
        OperatorCommand::Pause { .. } => "table-paused",
        OperatorCommand::Resume {} => "table-resumed",
        OperatorCommand::Close { .. } => "table-closed",
    };
    let done = commands::carry_out(&state, &name, command.clone().into(), key, None).await?;
    let what = json!({ "table": name, "order": command, "operator": operator.name });
    state.record_incident(kind, &operator.player, what).await;
    Ok(Json(done))
}
