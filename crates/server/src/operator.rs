//! The operator's endpoints. Every action is recorded as a significant event, with the operator's
//! name and reason.

pub(crate) mod admin;
mod houses;
mod players;
pub(crate) mod reports;
mod tables;

use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::http::problem::{Code, Problem};
use crate::state::AppState;

/// The number of tables read at a time.
const PAGE: usize = 200;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(tables::router())
        .merge(houses::router())
        .merge(players::router())
        .merge(reports::router())
}

/// The reason for an action.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ActionReason {
    /// The reason.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
    )]
    reason: String,
}

impl ActionReason {
    fn reason(self) -> Result<String, Problem> {
        let (given, reason) = (&self.reason, self.reason.trim());
        if !reason.is_empty() && given.chars().count() <= 200 && !given.contains(char::is_control) {
            return Ok(reason.to_owned());
        }
        Err(Problem::new(Code::Malformed, "give a reason of up to 200 characters"))
    }
}
