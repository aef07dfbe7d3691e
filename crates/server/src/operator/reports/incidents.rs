//! Significant events: the actions of operators, failing tables, and the server itself.

use std::fmt::Write;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use croupier_store::Collection;
use croupier_table::Time;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Format, PAGE, Span, csv, field};
use crate::http::extract::{Json, Query};
use crate::http::problem::{Problem, Problems};
use crate::people::session::Operator;
use crate::state::AppState;

/// The collection of significant events. Their keys begin with the time.
pub(crate) const INCIDENTS: Collection<Incident> = Collection::new("incidents");

/// The maximum number of lines in a report.
const MAX_ROWS: usize = 100_000;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(incidents))
}

/// A significant event.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Incident {
    /// The time, in milliseconds since 1970.
    at: i64,
    /// The kind of event.
    #[schema(example = "table-void")]
    kind: String,
    /// The player, operator or server that caused it.
    who: String,
    /// Further details.
    #[schema(value_type = Object)]
    what: Value,
}

impl Incident {
    pub(crate) fn new(at: Time, kind: &str, who: &str, what: Value) -> Self {
        Self { at: at.as_millis(), kind: kind.to_owned(), who: who.to_owned(), what }
    }
}

/// Significant events
#[utoipa::path(
    get, path = "/api/operator/reports/events", tag = "operator", params(Span),
    responses(
        (status = 200, description = "One row per event, oldest first", content(
            (Vec<Incident> = "application/json"), (String = "text/csv")
        )),
        Problems
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn incidents(
    State(state): State<AppState>,
    _operator: Operator,
    Query(span): Query<Span>,
) -> Result<Response, Problem> {
    let (from, to) = span.bounds(&state)?;
    let (mut rows, mut after) = (Vec::new(), format!("{:015}", from.as_millis().max(0)));
    'pages: while rows.len() < MAX_ROWS {
        let page = INCIDENTS.documents(state.store(), &after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.key);
        for document in page {
            if document.at >= to {
                break 'pages;
            }
            rows.extend(document.contents());
        }
    }
    if span.format == Format::Json {
        return Ok(Json(rows).into_response());
    }
    let mut text = "time,kind,who,what\n".to_owned();
    for Incident { at, kind, who, what } in rows {
        let time = jiff::Timestamp::from_millisecond(at).unwrap_or_default();
        let what = what.to_string();
        writeln!(text, "{time:.3},{},{},{}", field(&kind), field(&who), field(&what))
            .expect("a string");
    }
    Ok(csv(text))
}
