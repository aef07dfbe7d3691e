//! Houses that the operator closes and reopens.

use std::collections::BTreeMap;

use axum::extract::State;
use croupier_rules::Catalog;
use croupier_store::{Document, FloorError, Journals};
use croupier_table::{Command, OperatorCommand, Table};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{ActionReason, PAGE};
use crate::http::extract::{Json, Path};
use crate::http::problem::{Code, Problem, Problems};
use crate::lobby::card_room::CLOSED_HOUSES;
use crate::people::session::Operator;
use crate::state::AppState;

/// The reason of a table that is paused because its house is closed.
const HOUSE_CLOSED: &str = "the house is closed";

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(closed_houses)).routes(routes!(close_house, open_house))
}

/// A house that is closed.
#[derive(Debug, Serialize, ToSchema)]
struct ClosedHouse {
    /// The id of the house.
    house: String,
    /// The reason.
    reason: String,
    /// The time when it was closed, in milliseconds since 1970.
    since: i64,
}

/// Closed houses
#[utoipa::path(
    get, path = "/api/operator/houses", tag = "operator",
    responses((status = 200, body = Vec<ClosedHouse>, description = "The houses"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn closed_houses(
    State(state): State<AppState>,
    _operator: Operator,
) -> Result<Json<Vec<ClosedHouse>>, Problem> {
    let closed = CLOSED_HOUSES.documents(state.store(), "", 1_000).await?;
    let answer = closed.into_iter().map(|closed| ClosedHouse {
        reason: closed.text().to_owned(),
        house: closed.key,
        since: closed.at.as_millis(),
    });
    Ok(Json(answer.collect()))
}

/// The tables that an action reached.
#[derive(Debug, Default, Serialize, ToSchema)]
struct AffectedTables {
    /// The number of tables where it was done.
    tables: u64,
    /// The tables where it failed, with the reason.
    failed: BTreeMap<String, String>,
}

/// Close a house
///
/// Its tables finish their rounds and open no others. No player can sit down at its tables, and no
/// new table can be opened.
#[utoipa::path(
    put, path = "/api/operator/houses/{house}/closed", tag = "operator",
    request_body = ActionReason,
    params(("house" = String, Path, description = "The id of the house")),
    responses((status = 200, body = AffectedTables, description = "The tables paused"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn close_house(
    State(state): State<AppState>,
    Operator(operator): Operator,
    Path(house): Path<String>,
    Json(reason): Json<ActionReason>,
) -> Result<Json<AffectedTables>, Problem> {
    let reason = reason.reason()?;
    if !(1..=64).contains(&house.len()) {
        return Err(Code::NoSuchHouse.into());
    }
    check_known(&state, &house).await?;
    let known = CLOSED_HOUSES.get(state.store(), &house).await?;
    let closed = Document::plain(&*house, state.now(), &*reason)
        .owned_by(&*operator.player)
        .replacing(known.map_or(0, |known| known.revision));
    CLOSED_HOUSES.put(state.store(), closed).await?;
    let what = json!({ "house": house, "reason": reason, "operator": operator.name });
    state.record_incident("house-closed", &operator.player, what).await;
    let pause = OperatorCommand::Pause { reason: HOUSE_CLOSED.to_owned() }.into();
    let affected =
        command_tables_of(&state, &house, &pause, |table| table.paused().is_none()).await?;
    Ok(Json(affected))
}

/// Refuses a house that is not shipped and has no table: its name is misspelled, and the operator
/// would believe that play had stopped.
async fn check_known(state: &AppState, house: &str) -> Result<(), Problem> {
    let Err(unknown) = Catalog::shipped().house(house).map(|_| ()) else { return Ok(()) };
    let mut after = String::new();
    loop {
        let page = state.store().tables(&after, PAGE).await?;
        if page.iter().any(|row| row.house == house) {
            return Ok(());
        }
        match page.last() {
            Some(last) => after.clone_from(&last.table),
            None => return Err(Problem::new(Code::NoSuchHouse, unknown.to_string())),
        }
    }
}

/// Reopen a house
#[utoipa::path(
    delete, path = "/api/operator/houses/{house}/closed", tag = "operator",
    params(("house" = String, Path, description = "The id of the house")),
    responses((status = 200, body = AffectedTables, description = "The tables resumed"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn open_house(
    State(state): State<AppState>,
    Operator(operator): Operator,
    Path(house): Path<String>,
) -> Result<Json<AffectedTables>, Problem> {
    if !CLOSED_HOUSES.delete(state.store(), &house).await? {
        return Err(Problem::new(Code::NoSuchHouse, "this house is not closed"));
    }
    let what = json!({ "house": house, "operator": operator.name });
    state.record_incident("house-opened", &operator.player, what).await;
    let closed = |table: &Table| table.paused() == Some(HOUSE_CLOSED);
    Ok(Json(command_tables_of(&state, &house, &OperatorCommand::Resume {}.into(), closed).await?))
}

/// Sends a command to all open tables of a house that it applies to. A table where it fails does
/// not stop the others, and is reported.
async fn command_tables_of(
    state: &AppState,
    house: &str,
    command: &Command,
    right: impl Fn(&Table) -> bool,
) -> Result<AffectedTables, Problem> {
    let (mut after, mut affected) = (String::new(), AffectedTables::default());
    loop {
        let page = state.store().tables(&after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.table);
        for row in page.into_iter().filter(|row| row.house == house && !row.closed) {
            let done = match state.floor.table(&row.table).await {
                Ok(table) if !right(&table) => continue,
                Ok(_) => state.floor.command(&row.table, command.clone(), None, state.now()).await,
                Err(error) => Err(error),
            };
            match done {
                Ok(_) => affected.tables += 1,
                // It has just closed, or another request did the same.
                Err(FloorError::Refused(_)) => {}
                Err(error) => {
                    tracing::warn!(%error, table = row.table, "a table could not be reached");
                    if error.is_table_fault() {
                        state.report_failure(&row.table, &error.to_string()).await;
                    }
                    affected.failed.insert(row.table, Problem::from(error).detail);
                }
            }
        }
    }
    Ok(affected)
}
