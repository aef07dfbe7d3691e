//! The storage used.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::extract::Json;
use crate::http::problem::Problems;
use crate::people::session::Operator;
use crate::state::AppState;
use crate::storage::Measured;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(stored))
}

/// The amount of stored data.
#[derive(Debug, Serialize, ToSchema)]
struct Stored {
    /// The number of bytes, as the database counts them.
    #[schema(example = 1_048_576)]
    bytes: u64,
    /// The limit, at which nothing new can begin; 0 if there is no limit.
    #[schema(example = 10_000_000_000_u64)]
    max: u64,
    /// The time of the measurement, in milliseconds since 1970.
    measured: i64,
}

/// Storage used
///
/// Measured every ten seconds. When it reaches `max`, no tables can be opened and no guests or
/// accounts created until there is room again. Seated players can play on.
#[utoipa::path(
    get, path = "/api/operator/reports/storage", tag = "operator",
    responses((status = 200, body = Stored, description = "The bytes, and the limit"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn stored(State(state): State<AppState>, _operator: Operator) -> Json<Stored> {
    let Measured { bytes, max, at } = state.storage.measured();
    Json(Stored { bytes, max, measured: at.as_millis() })
}
