//! One table: who may enter it, its state as a viewer may see it, commands to it, and live updates.

pub(crate) mod bots;
pub(crate) mod commands;
pub(crate) mod hub;
pub(crate) mod listing;
pub(crate) mod round_json;
pub(crate) mod seats;
pub(crate) mod stacks;
mod stream;
pub(crate) mod view;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().merge(view::router()).merge(commands::router()).merge(stream::router())
}
