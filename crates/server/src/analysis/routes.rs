//! The endpoints.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRef, State};
use axum::http::{HeaderValue, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use croupier_odds::report::{AdviceReport, ChartReport, CostReport, OddsReport};
use croupier_rules::{Game, House, Narration, PayTable, Record};
use croupier_table::{Verdict, verify};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Solver;
use super::answers::{HousePage, LookupProblems, QuestionProblems, RoundRecord, StrategyPage};
use super::ask::{AdviceRequest, ChartRequest, CostRequest, OddsRequest, no_such};
use super::question::Question;
use crate::http::extract::{Json, JsonText, Path, Query};
use crate::http::gzip::compress_response;
use crate::http::problem::{Code, Problem, Problems};

/// Schemas that the endpoint descriptions refer to but do not include.
#[derive(OpenApi)]
#[openapi(components(schemas(Problem)))]
struct Described;

/// Returns the endpoints, with their description.
pub(crate) fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Arc<Solver>: FromRef<S>,
{
    OpenApiRouter::with_openapi(Described::openapi())
        .routes(routes!(houses))
        .routes(routes!(house))
        .routes(routes!(paytables))
        .routes(routes!(paytable))
        .routes(routes!(strategies))
        .routes(routes!(odds))
        .routes(routes!(advice))
        .routes(routes!(chart))
        .routes(routes!(cost))
        .routes(routes!(replay))
        .routes(routes!(telling))
        .routes(routes!(verdict))
        .layer(from_fn(compress_response))
}

/// JSON that is already serialized.
struct RawJson(Bytes);

impl IntoResponse for RawJson {
    fn into_response(self) -> Response {
        let kind = HeaderValue::from_static("application/json");
        ([(header::CONTENT_TYPE, kind)], self.0).into_response()
    }
}

/// List the houses
///
/// Each is a game with its limits, pay tables and rules.
#[utoipa::path(
    get,
    path = "/api/houses",
    tag = "analysis",
    responses((status = 200, description = "All houses.", body = [House]), Problems)
)]
async fn houses(State(solver): State<Arc<Solver>>) -> Response {
    Json(solver.catalog.houses().collect::<Vec<_>>()).into_response()
}

/// Show a house
///
/// Includes its rules in words and its pay tables.
#[utoipa::path(
    get,
    path = "/api/houses/{house}",
    tag = "analysis",
    params(("house" = String, Path, description = "Its id.", example = "uth-standard")),
    responses(
        (status = 200, description = "The house.", body = HousePage),
        LookupProblems,
        Problems,
    )
)]
async fn house(
    State(solver): State<Arc<Solver>>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let house = solver.catalog.house(&id).map_err(|unknown| no_such(&unknown))?;
    Ok(Json(HousePage::from(&**house)).into_response())
}

/// List the pay tables
#[utoipa::path(
    get,
    path = "/api/paytables",
    tag = "analysis",
    responses((status = 200, description = "All pay tables.", body = [PayTable]), Problems)
)]
async fn paytables(State(solver): State<Arc<Solver>>) -> Response {
    Json(solver.catalog.paytables()).into_response()
}

/// Show a pay table
#[utoipa::path(
    get,
    path = "/api/paytables/{paytable}",
    tag = "analysis",
    params(("paytable" = String, Path, description = "Its id.", example = "UTH-01")),
    responses(
        (status = 200, description = "The pay table.", body = PayTable),
        LookupProblems,
        Problems,
    )
)]
async fn paytable(
    State(solver): State<Arc<Solver>>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let table = solver.catalog.paytable(&id).map_err(|unknown| no_such(&unknown))?;
    Ok(Json(table).into_response())
}

/// List the strategies
///
/// The strategies that come with Croupier, simple enough to memorize.
#[utoipa::path(
    get,
    path = "/api/strategies",
    tag = "analysis",
    responses((status = 200, description = "All strategies.", body = [StrategyPage]), Problems)
)]
async fn strategies() -> Json<Vec<StrategyPage>> {
    Json(StrategyPage::all())
}

/// Compute the PAR sheet of a game: house edge, risk and every outcome
///
/// Every figure is exact, for any pay table. Takes about a second, unless it is cached.
#[utoipa::path(
    post,
    path = "/api/odds",
    tag = "analysis",
    request_body = OddsRequest,
    responses(
        (status = 200, description = "The PAR sheet.", body = OddsReport),
        QuestionProblems,
        Problems,
    )
)]
async fn odds(
    State(solver): State<Arc<Solver>>,
    Json(ask): Json<OddsRequest>,
) -> Result<RawJson, Problem> {
    let question = ask.question(&solver.catalog)?;
    answered(solver, question).await
}

/// Compute the value of every choice in a spot
///
/// Every value is exact, whatever cards are known. Takes up to a fifth of a second before the flop,
/// and almost no time after it.
#[utoipa::path(
    post,
    path = "/api/advise",
    tag = "analysis",
    request_body = AdviceRequest,
    responses(
        (status = 200, description = "The choices.", body = AdviceReport),
        QuestionProblems,
        Problems,
    )
)]
async fn advice(
    State(solver): State<Arc<Solver>>,
    Json(ask): Json<AdviceRequest>,
) -> Result<RawJson, Problem> {
    let question = ask.question(&solver.catalog)?;
    answered(solver, question).await
}

/// Show the best strategy, hand by hand
///
/// For `uth`, the best play for each of the 169 starting hands before the flop; for `utcp`, for
/// each hand of three cards. Takes about a second, unless it is cached.
#[utoipa::path(
    get,
    path = "/api/charts/{game}",
    tag = "analysis",
    params(("game" = Game, Path, description = "The game."), ChartRequest),
    responses(
        (status = 200, description = "The chart.", body = ChartReport),
        QuestionProblems,
        Problems,
    )
)]
async fn chart(
    State(solver): State<Arc<Solver>>,
    Path(game): Path<Game>,
    Query(ask): Query<ChartRequest>,
) -> Result<RawJson, Problem> {
    let question = ask.question(game, &solver.catalog)?;
    answered(solver, question).await
}

/// Compute the cost of a strategy
///
/// The cost is exact, and broken down by rule. Takes a second or two, unless it is cached.
#[utoipa::path(
    post,
    path = "/api/cost",
    tag = "analysis",
    request_body = CostRequest,
    responses(
        (status = 200, description = "The cost.", body = CostReport),
        QuestionProblems,
        Problems,
    )
)]
async fn cost(
    State(solver): State<Arc<Solver>>,
    Json(ask): Json<CostRequest>,
) -> Result<RawJson, Problem> {
    let question = ask.question(&solver.catalog)?;
    answered(solver, question).await
}

async fn answered(solver: Arc<Solver>, question: Question) -> Result<RawJson, Problem> {
    solver.answer(question).await.map(RawJson)
}

/// Replay a round
///
/// Returns the record with its result. If the record already has a result and the replay disagrees,
/// the difference is returned as a problem.
#[utoipa::path(
    post,
    path = "/api/replay",
    tag = "analysis",
    request_body = RoundRecord,
    responses(
        (status = 200, description = "The record with its result.", body = RoundRecord),
        QuestionProblems,
        Problems,
    )
)]
async fn replay(
    State(solver): State<Arc<Solver>>,
    JsonText(text): JsonText,
) -> Result<RawJson, Problem> {
    let replayed = Record::read(text.get(), &solver.catalog).and_then(|record| {
        let result = record.replay()?.result;
        Ok(record.with_result(&result))
    });
    match replayed {
        Ok(record) => Ok(RawJson(record.into())),
        Err(error) => Err(Problem::new(Code::BadRecord, error.to_string())),
    }
}

/// Describe a round in words
///
/// Returns the round step by step, as a dealer would call it; the call at the end; and the outcome
/// of every wager, with the reason. If the record has a result and the replay disagrees, the
/// difference is returned as a problem.
#[utoipa::path(
    post,
    path = "/api/tell",
    tag = "analysis",
    request_body = RoundRecord,
    responses(
        (status = 200, description = "The round in words.", body = Narration),
        QuestionProblems,
        Problems,
    )
)]
async fn telling(
    State(solver): State<Arc<Solver>>,
    JsonText(text): JsonText,
) -> Result<Json<Narration>, Problem> {
    let told = Record::read(text.get(), &solver.catalog).and_then(|record| Narration::of(&record));
    told.map(Json).map_err(|error| Problem::new(Code::BadRecord, error.to_string()))
}

/// Verify a round that a table exported
///
/// Checks commitment, deck, rules, settlement and journal hash, with nothing but the round itself.
/// If the round is wrong, the answer says so and names the first wrong field. For a round that was
/// not dealt, checks the seeds and the journal hash.
#[utoipa::path(
    post,
    path = "/api/verify",
    tag = "analysis",
    request_body = RoundRecord,
    responses(
        (status = 200, description = "The verdict.", body = Verdict),
        QuestionProblems,
        Problems,
    )
)]
async fn verdict(
    State(solver): State<Arc<Solver>>,
    JsonText(text): JsonText,
) -> Result<Json<Verdict>, Problem> {
    Ok(Json(Verdict::from(&verify(text.get(), &solver.catalog))))
}
