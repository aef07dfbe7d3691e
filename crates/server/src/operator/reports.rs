//! Reports for operators, as JSON or as CSV for a spreadsheet.

mod in_play;
pub(crate) mod incidents;
pub(crate) mod pricing;
mod sample;
mod storage;
mod takings;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use croupier_table::Time;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::http::problem::{Code, Problem};
use crate::state::AppState;

/// How many documents or accounts are read at a time.
const PAGE: usize = 1_000;

const DAY: i64 = 86_400_000;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(takings::router())
        .merge(in_play::router())
        .merge(incidents::router())
        .merge(storage::router())
}

/// The time span of a report, and its format.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Span {
    /// The start, in milliseconds since 1970. The default is the start of the last day (UTC).
    from: Option<i64>,
    /// The end, in milliseconds since 1970. The default is now.
    to: Option<i64>,
    /// `json` or `csv`.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Format {
    /// As JSON.
    #[default]
    Json,
    /// As comma-separated values.
    Csv,
}

impl Span {
    fn bounds(&self, state: &AppState) -> Result<(Time, Time), Problem> {
        let to = self.to.unwrap_or_else(|| state.now().as_millis().saturating_add(1));
        let day = to.saturating_sub(1).div_euclid(DAY).saturating_mul(DAY);
        let from = self.from.unwrap_or(day);
        if from > to {
            return Err(Code::BadSpan.into());
        }
        Ok((Time::from_millis(from), Time::from_millis(to)))
    }
}

/// The format of a report.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct FormatParam {
    /// `json` or `csv`.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

fn csv(text: String) -> Response {
    let kind = HeaderValue::from_static("text/csv; charset=utf-8");
    let name = HeaderValue::from_static("attachment; filename=\"report.csv\"");
    ([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)], text).into_response()
}

/// Escapes a field for a spreadsheet, which must not read it as a formula.
fn field(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let quote = if formula { "'" } else { "" };
    format!("\"{quote}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn no_csv_field_is_read_as_a_formula() {
        assert_eq!(field("=1+1"), "\"'=1+1\"");
        assert_eq!(field("a \"b\""), "\"a \"\"b\"\"\"");
    }
}
