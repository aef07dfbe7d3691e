//! The money in open rounds.

use std::collections::BTreeMap;
use std::fmt::Write;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use croupier_rules::Amount;
use croupier_store::Accounts;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Format, FormatParam, PAGE, csv, field};
use crate::http::extract::{Json, Query};
use crate::http::problem::{Problem, Problems};
use crate::people::session::Operator;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(interrupted))
}

/// The money in play at a table.
#[derive(Debug, Serialize, ToSchema)]
struct InPlay {
    /// The table.
    table: String,
    /// The stakes of its open round, in cents.
    staked: i64,
    /// The remainder of the amount a player/dealer posted, in cents.
    posted: i64,
}

/// Money in open rounds
///
/// At a table that is paused or unreachable, these are interrupted funds.
#[utoipa::path(
    get, path = "/api/operator/reports/in-play", tag = "operator", params(FormatParam),
    responses(
        (status = 200, description = "One row per table", content(
            (Vec<InPlay> = "application/json"), (String = "text/csv")
        )),
        Problems
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn interrupted(
    State(state): State<AppState>,
    _operator: Operator,
    Query(param): Query<FormatParam>,
) -> Result<Response, Problem> {
    let mut tables: BTreeMap<String, InPlay> = BTreeMap::new();
    for kind in ["escrow:", "posted:"] {
        for (table, amount) in balances(&state, kind).await? {
            let row = tables.entry(table.clone());
            let row = row.or_insert(InPlay { table, staked: 0, posted: 0 });
            let part = if kind == "escrow:" { &mut row.staked } else { &mut row.posted };
            *part = amount.as_cents();
        }
    }
    let rows: Vec<InPlay> = tables.into_values().collect();
    if param.format == Format::Json {
        return Ok(Json(rows).into_response());
    }
    let mut text = "table,staked_cents,posted_cents\n".to_owned();
    for InPlay { table, staked, posted } in rows {
        writeln!(text, "{},{staked},{posted}", field(&table)).expect("a string");
    }
    Ok(csv(text))
}

/// Returns the nonempty accounts of a kind, by name.
async fn balances(state: &AppState, kind: &str) -> Result<Vec<(String, Amount)>, Problem> {
    let (mut found, mut after) = (Vec::new(), kind.to_owned());
    loop {
        let page = state.store().balances(&after, PAGE).await?;
        let Some((last, _)) = page.last() else { return Ok(found) };
        after = last.to_string();
        for (account, amount) in page {
            let Some(name) = account.to_string().strip_prefix(kind).map(str::to_owned) else {
                return Ok(found);
            };
            if amount != Amount::ZERO {
                found.push((name, amount));
            }
        }
    }
}
