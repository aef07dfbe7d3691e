//! Players and operators: their names and profiles, sessions and passwords, and their chips.

mod accounts;
pub(crate) mod attempts;
pub(crate) mod chips;
pub(crate) mod deletion;
mod device;
mod hashing;
pub(crate) mod login;
mod me;
pub(crate) mod names;
pub(crate) mod password;
pub(crate) mod profile;
pub(crate) mod session;
mod welcome;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(accounts::router())
        .merge(login::router())
        .merge(me::router())
        .merge(chips::router())
}
