//! The endpoints.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRef, State};
use axum::http::{HeaderValue, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use croupier_odds::report::{AdviceReport, ChartReport, CostReport, OddsReport};
use croupier_rules::{Record, Telling};
use croupier_table::{Verdict, verify};
use serde_json::value::RawValue;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Analyst;
use super::answers::{
    HouseFields, HousePage, NotThere, PayTableFields, RoundRecord, StrategyPage, Unanswered,
    VerdictFields,
};
use super::ask::{AdviseAsk, ChartAsk, CostAsk, GameName, OddsAsk, no_such};
use super::question::Question;
use crate::extract::{Json, Path, Query};
use crate::gzip::shorten;
use crate::problem::{Code, Problem, Problems};

/// What the descriptions of endpoints mention without bringing it along.
#[derive(OpenApi)]
#[openapi(components(schemas(Problem)))]
struct Described;

/// Returns the endpoints, with their description.
pub(crate) fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Arc<Analyst>: FromRef<S>,
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
        .layer(from_fn(shorten))
}

/// JSON that is written already.
struct Written(Bytes);

impl IntoResponse for Written {
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
    responses((status = 200, description = "All houses.", body = [HouseFields]), Problems)
)]
async fn houses(State(analyst): State<Arc<Analyst>>) -> Response {
    Json(analyst.catalog.houses().collect::<Vec<_>>()).into_response()
}

/// Show a house
///
/// With its rules in words and what its hands pay.
#[utoipa::path(
    get,
    path = "/api/houses/{house}",
    tag = "analysis",
    params(("house" = String, Path, description = "Its id.", example = "uth-standard")),
    responses((status = 200, description = "The house.", body = HousePage), NotThere, Problems)
)]
async fn house(
    State(analyst): State<Arc<Analyst>>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let house = analyst.catalog.house(&id).map_err(|unknown| no_such(&unknown))?;
    Ok(Json(HousePage::from(&**house)).into_response())
}

/// List the pay tables
#[utoipa::path(
    get,
    path = "/api/paytables",
    tag = "analysis",
    responses((status = 200, description = "All pay tables.", body = [PayTableFields]), Problems)
)]
async fn paytables(State(analyst): State<Arc<Analyst>>) -> Response {
    Json(analyst.catalog.paytables()).into_response()
}

/// Show a pay table
#[utoipa::path(
    get,
    path = "/api/paytables/{paytable}",
    tag = "analysis",
    params(("paytable" = String, Path, description = "Its id.", example = "UTH-01")),
    responses(
        (status = 200, description = "The pay table.", body = PayTableFields),
        NotThere,
        Problems,
    )
)]
async fn paytable(
    State(analyst): State<Arc<Analyst>>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let table = analyst.catalog.paytable(&id).map_err(|unknown| no_such(&unknown))?;
    Ok(Json(table).into_response())
}

/// List the strategies
///
/// The rules that come with Croupier, as people can keep them in mind.
#[utoipa::path(
    get,
    path = "/api/strategies",
    tag = "analysis",
    responses((status = 200, description = "All strategies.", body = [StrategyPage]), Problems)
)]
async fn strategies() -> Json<Vec<StrategyPage>> {
    Json(StrategyPage::all())
}

/// Compute the PAR sheet of a game
///
/// Every figure is exact, for any pay table. It takes about a second, unless it was asked before.
#[utoipa::path(
    post,
    path = "/api/odds",
    tag = "analysis",
    request_body = OddsAsk,
    responses(
        (status = 200, description = "The PAR sheet.", body = OddsReport),
        Unanswered,
        Problems,
    )
)]
async fn odds(
    State(analyst): State<Arc<Analyst>>,
    Json(ask): Json<OddsAsk>,
) -> Result<Written, Problem> {
    let question = ask.question(&analyst.catalog)?;
    answered(analyst, question).await
}

/// Say what every choice in a spot is worth
///
/// Exactly, whatever cards are known. It takes up to a fifth of a second before the flop, and next
/// to nothing after it.
#[utoipa::path(
    post,
    path = "/api/advise",
    tag = "analysis",
    request_body = AdviseAsk,
    responses(
        (status = 200, description = "The choices.", body = AdviceReport),
        Unanswered,
        Problems,
    )
)]
async fn advice(
    State(analyst): State<Arc<Analyst>>,
    Json(ask): Json<AdviseAsk>,
) -> Result<Written, Problem> {
    let question = ask.question(&analyst.catalog)?;
    answered(analyst, question).await
}

/// Show the best strategy, hand by hand
///
/// For `uth` it is what to do with each of the 169 hands before the flop; for `utcp`, with each
/// hand of three cards. It takes about a second, unless it was asked before.
#[utoipa::path(
    get,
    path = "/api/charts/{game}",
    tag = "analysis",
    params(("game" = GameName, Path, description = "The game."), ChartAsk),
    responses((status = 200, description = "The chart.", body = ChartReport), Unanswered, Problems)
)]
async fn chart(
    State(analyst): State<Arc<Analyst>>,
    Path(game): Path<GameName>,
    Query(ask): Query<ChartAsk>,
) -> Result<Written, Problem> {
    let question = ask.question(game, &analyst.catalog)?;
    answered(analyst, question).await
}

/// Compute what a strategy costs
///
/// Exactly, and rule by rule. It takes a second or two, unless it was asked before.
#[utoipa::path(
    post,
    path = "/api/cost",
    tag = "analysis",
    request_body = CostAsk,
    responses(
        (status = 200, description = "What it costs.", body = CostReport),
        Unanswered,
        Problems,
    )
)]
async fn cost(
    State(analyst): State<Arc<Analyst>>,
    Json(ask): Json<CostAsk>,
) -> Result<Written, Problem> {
    let question = ask.question(&analyst.catalog)?;
    answered(analyst, question).await
}

async fn answered(analyst: Arc<Analyst>, question: Question) -> Result<Written, Problem> {
    analyst.answer(question).await.map(Written)
}

/// Play a round again
///
/// The record comes back with its result. If it has a result already and that is not what it comes
/// to, the difference is told as a problem.
#[utoipa::path(
    post,
    path = "/api/replay",
    tag = "analysis",
    request_body = RoundRecord,
    responses(
        (status = 200, description = "The record with its result.", body = RoundRecord),
        Unanswered,
        Problems,
    )
)]
async fn replay(
    State(analyst): State<Arc<Analyst>>,
    Json(text): Json<Box<RawValue>>,
) -> Result<Written, Problem> {
    let replayed = Record::read(text.get(), &analyst.catalog).and_then(|record| {
        let result = record.replay(&mut Vec::new())?;
        Ok(record.with_result(&result))
    });
    match replayed {
        Ok(record) => Ok(Written(record.into())),
        Err(error) => Err(Problem::new(Code::BadRecord, error.to_string())),
    }
}

/// Tell a round in words
///
/// What happened, step by step, as a dealer would call it; what he would say at the end; and what
/// every wager came to, and why. If the record has a result that is not what it comes to, the
/// difference is told as a problem.
#[utoipa::path(
    post,
    path = "/api/tell",
    tag = "analysis",
    request_body = RoundRecord,
    responses(
        (status = 200, description = "The round in words.", body = Telling),
        Unanswered,
        Problems,
    )
)]
async fn telling(
    State(analyst): State<Arc<Analyst>>,
    Json(text): Json<Box<RawValue>>,
) -> Result<Json<Telling>, Problem> {
    let told = Record::read(text.get(), &analyst.catalog).and_then(|record| Telling::of(&record));
    told.map(Json).map_err(|error| Problem::new(Code::BadRecord, error.to_string()))
}

/// Check a round that a table exported
///
/// Commitment, deck, rules, settlement and journal hash, with nothing but the round. If it is not
/// true, the answer says so, and names the first field that is not. Of a round that was not dealt,
/// it checks the seeds and the journal hash.
#[utoipa::path(
    post,
    path = "/api/verify",
    tag = "analysis",
    request_body = RoundRecord,
    responses(
        (status = 200, description = "What was found.", body = VerdictFields),
        Unanswered,
        Problems,
    )
)]
async fn verdict(
    State(analyst): State<Arc<Analyst>>,
    Json(text): Json<Box<RawValue>>,
) -> Result<Json<Verdict>, Problem> {
    Ok(Json(Verdict::from(&verify(text.get(), &analyst.catalog))))
}
