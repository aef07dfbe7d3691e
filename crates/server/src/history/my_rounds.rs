//! The rounds that a player was in, and their records.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use croupier_rules::Game;
use croupier_store::{PlayedRound, RoundPlace, Rounds};
use croupier_table::Time;
use futures_util::stream::{Stream, unfold};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::PAGE;
use crate::http::extract::{Json, Query};
use crate::http::problem::{Code, Problem, Problems};
use crate::people::session::Visitor;
use crate::state::AppState;
use crate::tables::listing;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(my_rounds)).routes(routes!(my_records))
}

/// The start of a page.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PageStart {
    /// The `next` of the previous page.
    #[param(pattern = "^[0-9]{1,18}\\.[0-9A-Za-z_-]{1,64}\\.[0-9]{1,18}\\.[0-9]{1,9}$")]
    before: Option<String>,
}

/// A round that the player was in.
#[derive(Debug, Serialize, ToSchema)]
struct MyRound {
    /// The table.
    table: String,
    /// The number of the round at that table.
    round: u64,
    /// The player's seat.
    seat: u32,
    /// The time when it ended, in milliseconds since 1970.
    at: i64,
    /// The house it was played by.
    #[schema(example = "uth-standard")]
    house: String,
    /// The game, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    game: Option<Game>,
    /// Whether the round was void.
    void: bool,
    /// Whether the player banked.
    banked: bool,
    /// The total that the player staked or posted, in cents.
    staked: i64,
    /// The player's win in cents, or loss if negative.
    net: i64,
}

impl MyRound {
    async fn new(state: &AppState, played: PlayedRound) -> Result<Self, Problem> {
        let PlayedRound { place, seat, house, void } = played;
        let listing = listing::find(state, &place.table).await?;
        let listed = listing.and_then(|listing| Game::from_id(listing.game.as_deref()?));
        let known = || state.solver.catalog().house(&house).ok().map(|house| house.game());
        Ok(Self {
            game: listed.or_else(known),
            table: place.table,
            round: place.round,
            seat: place.seat,
            at: place.at.as_millis(),
            house,
            void,
            banked: seat.banked,
            staked: seat.staked.as_cents(),
            net: seat.net.as_cents(),
        })
    }
}

/// A page of rounds, the latest first.
#[derive(Debug, Serialize, ToSchema)]
struct MyRounds {
    /// The rounds.
    rounds: Vec<MyRound>,
    /// The `before` of the next page; `null` on the last page.
    next: Option<String>,
}

/// Returns a place after all rounds.
pub(super) fn latest() -> RoundPlace {
    let (at, table) = (Time::from_millis(i64::MAX), "~".to_owned());
    RoundPlace { at, table, round: i64::MAX.unsigned_abs(), seat: u32::MAX }
}

fn write_place(place: &RoundPlace) -> String {
    format!("{}.{}.{}.{}", place.at.as_millis(), place.table, place.round, place.seat)
}

fn read_place(text: &str) -> Option<RoundPlace> {
    let digits = |text: &&str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let name = |text: &&str| (1..=64).contains(&text.len()) && text.bytes().all(letter);
    let mut parts = text.split('.');
    let at = parts.next().filter(|text| digits(text, 18))?.parse().ok()?;
    let table = parts.next().filter(name)?.to_owned();
    let round = parts.next().filter(|text| digits(text, 18))?.parse().ok()?;
    let seat = parts.next().filter(|text| digits(text, 9))?.parse().ok()?;
    let place = RoundPlace { at: Time::from_millis(at), table, round, seat };
    parts.next().is_none().then_some(place)
}

/// My rounds
#[utoipa::path(
    get, path = "/api/me/rounds", tag = "history", params(PageStart),
    responses((status = 200, body = MyRounds, description = "The latest first"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn my_rounds(
    State(state): State<AppState>,
    visitor: Visitor,
    Query(PageStart { before }): Query<PageStart>,
) -> Result<Json<MyRounds>, Problem> {
    let before = match before {
        None => latest(),
        Some(text) => read_place(&text).ok_or_else(|| {
            Problem::new(Code::BadParameter, "before must be the `next` of the previous page")
        })?,
    };
    let page = state.store().rounds_of(&visitor.player, &before, PAGE).await?;
    let next = page.last().filter(|_| page.len() == PAGE).map(|last| write_place(&last.place));
    let mut rounds = Vec::with_capacity(page.len());
    for played in page {
        rounds.push(MyRound::new(&state, played).await?);
    }
    Ok(Json(MyRounds { rounds, next }))
}

/// The records of my rounds
///
/// One exported round per line, the latest first, as `croupier verify` and `/api/verify` take them.
#[utoipa::path(
    get, path = "/api/me/records", tag = "history",
    responses(
        (status = 200, body = String, content_type = "application/x-ndjson",
            description = "One record per line"),
        Problems
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn my_records(State(state): State<AppState>, visitor: Visitor) -> Response {
    let lines = record_lines(state, visitor.player.clone(), String::new());
    let kind = HeaderValue::from_static("application/x-ndjson");
    ([(header::CONTENT_TYPE, kind)], Body::from_stream(lines)).into_response()
}

/// Streams the records of a player's rounds, page by page, after some leading text.
pub(crate) fn record_lines(
    state: AppState,
    player: String,
    head: String,
) -> impl Stream<Item = Result<String, std::io::Error>> {
    let start = (state, player, Some(latest()), head);
    unfold(start, |(state, player, before, head)| async move {
        let before = before?;
        let mut text = head;
        match page_of_records(&state, &player, &before, &mut text).await {
            Ok(next) => Some((Ok(text), (state, player, next, String::new()))),
            // A partial export must not look complete.
            Err(problem) => {
                let error = std::io::Error::other(problem.detail);
                Some((Err(error), (state, player, None, String::new())))
            }
        }
    })
}

async fn page_of_records(
    state: &AppState,
    player: &str,
    before: &RoundPlace,
    text: &mut String,
) -> Result<Option<RoundPlace>, Problem> {
    let page = state.store().rounds_of(player, before, PAGE).await?;
    let mut last: Option<(&str, u64)> = None;
    for PlayedRound { place, .. } in &page {
        // A player with two seats has played one round.
        if last.replace((&place.table, place.round)) == Some((&place.table, place.round)) {
            continue;
        }
        match state.record(&place.table, place.round).await {
            Ok(Some(record)) => text.push_str(&record),
            Ok(None) => continue,
            // A damaged table does not end the export, and its line does not look like a record.
            Err(problem) if problem.code == Code::Internal.name() => {
                let line = json!({ "table": place.table, "round": place.round, "damaged": true });
                text.push_str(&line.to_string());
            }
            Err(problem) => return Err(problem),
        }
        text.push('\n');
    }
    Ok(page.last().filter(|_| page.len() == PAGE).map(|last| last.place.clone()))
}

#[cfg(test)]
mod tests {
    use croupier_store::RoundPlace;
    use croupier_table::Time;

    use super::{read_place, write_place};

    #[test]
    fn places_are_read_as_they_are_written() {
        let (at, table) = (Time::from_millis(1_794_806_576_837), "t37f8fedps89".to_owned());
        let place = RoundPlace { at, table, round: 77, seat: 8 };
        assert_eq!(read_place(&write_place(&place)), Some(place));
        for bad in ["", "1", "1.t.2", "1.t.2.3.4", "x.t.1.1", "1..1.1", "1.t.-1.1"] {
            assert_eq!(read_place(bad), None, "{bad}");
        }
    }
}
