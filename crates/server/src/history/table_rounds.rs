//! The rounds of a table, each with its record and its telling.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use croupier_rules::Narration;
use croupier_store::{Journals, RoundRow, Rounds, Undealt};
use croupier_table::is_bot;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::PAGE;
use crate::http::extract::{Json, Path, Query, short};
use crate::http::problem::{Code, Problem, Problems};
use crate::people::names;
use crate::people::session::{Session, Visitor};
use crate::state::AppState;
use crate::tables::listing::{self, Invite};

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(table_rounds))
        .routes(routes!(record))
        .routes(routes!(told_round))
}

/// A round of a table.
#[derive(Debug, Serialize, ToSchema)]
struct TableRound {
    /// The number of the round.
    round: u64,
    /// The time when it ended, in milliseconds since 1970.
    at: i64,
    /// Whether the round was void.
    void: bool,
    /// The reason why no card was dealt, if none was. Every stake was returned, and there is no
    /// result.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    undealt: Option<String>,
    /// The seats that played.
    seats: Vec<TableRoundSeat>,
}

/// A seat in a round that is over.
#[derive(Debug, Serialize, ToSchema)]
struct TableRoundSeat {
    /// The seat.
    seat: u32,
    /// The id of the player.
    player: String,
    /// The name that other players see.
    name: String,
    /// Whether the player is a bot.
    bot: bool,
    /// Whether the player banked.
    banked: bool,
    /// The total that the player staked or posted, in cents.
    staked: i64,
    /// The player's win in cents, or loss if negative.
    net: i64,
}

/// The selection of a table's rounds.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RoundsBefore {
    /// Only rounds with a lower number.
    #[param(minimum = 0)]
    before: Option<i64>,
    /// The invitation, for a table that is entered by link.
    #[serde(default, deserialize_with = "short")]
    #[param(max_length = 64)]
    invite: Option<String>,
}

/// The rounds of a table
///
/// At most fifty at a time. No number is missing up to the last round that has ended: a round that
/// ended before a card was dealt says why.
#[utoipa::path(
    get, path = "/api/tables/{table}/rounds", tag = "history",
    params(("table" = String, Path, description = "The table's name"), RoundsBefore),
    responses((status = 200, body = Vec<TableRound>, description = "The latest first"), Problems),
    security((), ("token" = []), ("cookie" = []))
)]
async fn table_rounds(
    State(state): State<AppState>,
    visitor: Option<Visitor>,
    Path(name): Path<String>,
    Query(query): Query<RoundsBefore>,
) -> Result<Json<Vec<TableRound>>, Problem> {
    let table = listing::enter(&state, &name, visitor.as_deref(), query.invite.as_deref()).await?;
    let before = u64::try_from(query.before.unwrap_or(i64::MAX))
        .map_err(|_| Problem::new(Code::BadParameter, "before must be a round number"))?;
    let end = before.min(table.round_number() + 1);
    let first = end.saturating_sub(PAGE as u64).max(1);
    let mut rounds = state.store().rounds_at(&name, end, PAGE).await?;
    rounds.retain(|row| row.round >= first);
    let dealt: BTreeSet<u64> = rounds.iter().map(|row| row.round).collect();
    let others: Vec<u64> = (first..end).filter(|number| !dealt.contains(number)).collect();
    let mut answer = Vec::with_capacity(PAGE);
    for row in rounds {
        answer.push(TableRound::dealt(&state, row).await);
    }
    if let (Some(&first), Some(&last)) = (others.first(), others.last()) {
        for undealt in state.floor.undealt(&name, first, last).await? {
            answer.push(TableRound::undealt(&state, undealt).await);
        }
    }
    answer.sort_by_key(|round| std::cmp::Reverse(round.round));
    Ok(Json(answer))
}

impl TableRound {
    async fn dealt(state: &AppState, row: RoundRow) -> Self {
        let RoundRow { round, at, void, seats: played, .. } = row;
        let mut seats = Vec::with_capacity(played.len());
        for seat in played {
            seats.push(TableRoundSeat {
                seat: seat.seat,
                name: names::of_player(state, &seat.player).await.to_string(),
                bot: is_bot(&seat.player),
                player: seat.player,
                banked: seat.banked,
                staked: seat.staked.as_cents(),
                net: seat.net.as_cents(),
            });
        }
        Self { round, at: at.as_millis(), void, undealt: None, seats }
    }

    async fn undealt(state: &AppState, undealt: Undealt) -> Self {
        let Undealt { round, at, reason, stakes, .. } = undealt;
        let mut seats = Vec::with_capacity(stakes.len());
        for stake in stakes {
            seats.push(TableRoundSeat {
                seat: stake.seat.number(),
                name: names::of_player(state, &stake.player).await.to_string(),
                bot: is_bot(&stake.player),
                player: stake.player,
                banked: stake.banked,
                staked: stake.amount.as_cents(),
                net: 0,
            });
        }
        Self { round, at: at.as_millis(), void: false, undealt: Some(reason), seats }
    }
}

/// The record of a round
///
/// As the table exports it: seeds, deck, decisions and results, sealed by the journal's hash. It
/// can be verified with nothing but itself. For a round that ended before a card was dealt, it has
/// the seeds and the reason, in the format `croupier-undealt/1`. Every viewer of the table may read
/// it, and so may every player who was in the round.
#[utoipa::path(
    get, path = "/api/tables/{table}/rounds/{round}", tag = "history",
    params(
        ("table" = String, Path, description = "The table's name"),
        ("round" = u64, Path, description = "The number of the round"),
        Invite,
    ),
    responses((status = 200, body = Object, description = "The exported round"), Problems),
    security((), ("token" = []), ("cookie" = []))
)]
async fn record(
    State(state): State<AppState>,
    visitor: Option<Visitor>,
    Path((name, round)): Path<(String, u64)>,
    Query(Invite { invite }): Query<Invite>,
) -> Result<Response, Problem> {
    let found = find_round(&state, visitor.as_deref(), &name, round, invite.as_deref()).await?;
    let kind = HeaderValue::from_static("application/json");
    let text = match found {
        StoredRound::Dealt(record) => record.to_string(),
        StoredRound::Undealt(undealt) => undealt.export,
    };
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

/// A round in words
///
/// The round step by step, as a dealer would call it; the call at the end; and the outcome of every
/// wager, with the reason. It has the same readers as the record.
#[utoipa::path(
    get, path = "/api/tables/{table}/rounds/{round}/telling", tag = "history",
    params(
        ("table" = String, Path, description = "The table's name"),
        ("round" = u64, Path, description = "The number of the round"),
        Invite,
    ),
    responses((status = 200, body = Narration, description = "The round in words"), Problems),
    security((), ("token" = []), ("cookie" = []))
)]
async fn told_round(
    State(state): State<AppState>,
    visitor: Option<Visitor>,
    Path((name, round)): Path<(String, u64)>,
    Query(Invite { invite }): Query<Invite>,
) -> Result<Response, Problem> {
    let found = find_round(&state, visitor.as_deref(), &name, round, invite.as_deref()).await?;
    let StoredRound::Dealt(found) = found else {
        let detail = format!("round {round} was not dealt: there is nothing to describe");
        return Err(Problem::new(Code::NoSuchRound, detail));
    };
    let table = state.table(&name).await?;
    let told = state.telling(&table, round, &found)?;
    let kind = HeaderValue::from_static("application/json");
    Ok(([(header::CONTENT_TYPE, kind)], told.get().to_owned()).into_response())
}

/// A round that has ended.
enum StoredRound {
    /// The record of a dealt round.
    Dealt(Arc<str>),
    /// A round that ended before a card was dealt.
    Undealt(Undealt),
}

async fn find_round(
    state: &AppState,
    visitor: Option<&Session>,
    table: &str,
    round: u64,
    invite: Option<&str>,
) -> Result<StoredRound, Problem> {
    let round = Some(round).filter(|&round| i64::try_from(round).is_ok());
    let round = round.ok_or(Code::NoSuchRound)?;
    let admitted = listing::may_enter(state, table, visitor, invite).await?;
    if !admitted {
        let visitor = visitor.ok_or(Code::NoSuchTable)?;
        let played = match state.store().round(table, round).await? {
            Some(row) => row.seats.iter().any(|seat| seat.player == visitor.player),
            None => undealt(state, table, round).await?.is_some_and(|undealt| {
                undealt.stakes.iter().any(|stake| stake.player == visitor.player)
            }),
        };
        if !played {
            return Err(Code::NoSuchTable.into());
        }
    }
    if let Some(record) = state.record(table, round).await? {
        return Ok(StoredRound::Dealt(record));
    }
    match undealt(state, table, round).await? {
        Some(undealt) => Ok(StoredRound::Undealt(undealt)),
        None if state.store().table(table).await?.is_some() => Err(Code::NoSuchRound.into()),
        None => Err(Code::NoSuchTable.into()),
    }
}

/// Returns a round that ended before a card was dealt.
async fn undealt(state: &AppState, table: &str, round: u64) -> Result<Option<Undealt>, Problem> {
    Ok(state.floor.undealt(table, round, round).await?.pop())
}
