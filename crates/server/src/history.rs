//! Rounds that are over: a player's rounds and statistics, and the rounds of a table.

pub(crate) mod my_rounds;
mod statistics;
mod table_rounds;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// The number of rounds in a page.
const PAGE: usize = 50;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(my_rounds::router())
        .merge(statistics::router())
        .merge(table_rounds::router())
}
