//! The lobby: listing and opening tables, and finding a seat for a player at once.

pub(crate) mod card_room;
pub(crate) mod list;
pub(crate) mod open;
mod play;
pub(crate) mod slots;
mod terms;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().merge(list::router()).merge(open::router()).merge(play::router())
}
