//! Players as an operator sees them: corrections of balances, and bans.

use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::HeaderMap;
use croupier_rules::Amount;
use croupier_store::{Accounts, People, Request, Written};
use croupier_table::{Account, Hash, MOST_CHIPS, Refusal, Time, Transfer};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::ObjectBuilder;
use utoipa::openapi::schema::{OneOfBuilder, Schema, Type};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::ActionReason;
use crate::http::extract::{Json, Path};
use crate::http::idempotency;
use crate::http::problem::{Code, Problem, Problems};
use crate::people::session::{self, Operator, PlayerKind};
use crate::people::{names, profile};
use crate::state::AppState;
use crate::tables::seats;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(player)).routes(routes!(adjust)).routes(routes!(ban, unban))
}

/// A player as seen by an operator.
#[derive(Debug, Serialize, ToSchema)]
struct PlayerAnswer {
    /// The player's id.
    player: String,
    /// The player's name.
    name: String,
    /// The kind of player.
    kind: PlayerKind,
    /// The player's chips, in cents.
    chips: i64,
    /// The amount in play, in cents.
    in_play: i64,
    /// The tables where the player sits.
    tables: Vec<String>,
    /// The time when the player was created, in milliseconds since 1970.
    since: i64,
    /// The time of the last login, in milliseconds since 1970.
    last_login: Option<i64>,
    /// The reason for the ban, if the player is banned.
    banned: Option<String>,
}

/// Finds a player by id or name.
async fn find(state: &AppState, who: &str) -> Result<String, Problem> {
    if let Some(found) = state.store().player(who).await? {
        return Ok(found.name);
    }
    Ok(names::find(state, who).await?.ok_or(Code::NoSuchPlayer)?)
}

async fn describe(state: &AppState, player: &str) -> Result<PlayerAnswer, Problem> {
    let (found, profile) = profile::find(state, player).await?;
    let chips = state.store().balance(&Account::Player(player.to_owned())).await?;
    let seats = seats::of_player(state, player).await?;
    Ok(PlayerAnswer {
        player: found.name,
        name: profile.name,
        kind: profile.kind,
        chips: chips.as_cents(),
        in_play: seats.iter().map(|seat| seat.in_play.as_cents()).sum(),
        tables: seats.into_iter().map(|seat| seat.table).collect(),
        since: found.since.as_millis(),
        last_login: profile.logged_in.map(Time::as_millis),
        banned: profile.banned,
    })
}

/// A player
#[utoipa::path(
    get, path = "/api/operator/players/{player}", tag = "operator",
    params(("player" = String, Path, description = "The player's id or name")),
    responses((status = 200, body = PlayerAnswer, description = "The player"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn player(
    State(state): State<AppState>,
    _operator: Operator,
    Path(who): Path<String>,
) -> Result<Json<PlayerAnswer>, Problem> {
    let player = find(&state, &who).await?;
    Ok(Json(describe(&state, &player).await?))
}

/// A correction of a balance.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Adjustment {
    /// The change of the balance in cents: negative to take chips away.
    #[schema(schema_with = not_zero)]
    amount: i64,
    /// The reason.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
    )]
    reason: String,
}

/// Returns the schema of a nonzero amount.
fn not_zero() -> Schema {
    let between = |least: isize, most: isize| {
        let whole = ObjectBuilder::new().schema_type(Type::Integer);
        whole.minimum(Some(least)).maximum(Some(most))
    };
    let detail = "The change of the balance in cents: negative to take chips away.";
    let either =
        OneOfBuilder::new().item(between(-1_000_000_000, -1)).item(between(1, 1_000_000_000));
    Schema::OneOf(either.description(Some(detail)).build())
}

/// Correct a balance
///
/// Adds an entry to the ledger: existing entries never change. Requires an `Idempotency-Key`, so
/// that a correction that is sent twice is made once.
#[utoipa::path(
    post, path = "/api/operator/players/{player}/adjustments", tag = "operator",
    request_body = Adjustment,
    params(
        ("player" = String, Path, description = "The player's id or name"),
        ("Idempotency-Key" = String, Header, description = "A unique key for this correction",
            min_length = 1, max_length = 200, pattern = "^[!-~]+$"),
    ),
    responses((status = 200, body = PlayerAnswer, description = "The new balance"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn adjust(
    State(state): State<AppState>,
    Operator(operator): Operator,
    Path(who): Path<String>,
    headers: HeaderMap,
    Json(adjustment): Json<Adjustment>,
) -> Result<Json<PlayerAnswer>, Problem> {
    let key = idempotency::key(&headers, &operator.player)?.ok_or_else(|| {
        Problem::new(Code::BadKey, "a correction needs an Idempotency-Key header")
    })?;
    let Adjustment { amount, reason } = adjustment;
    let reason = ActionReason { reason }.reason()?;
    if amount == 0 || amount.unsigned_abs() > 1_000_000_000 {
        let detail = "the amount must be nonzero, and at most 1000000000 either way";
        return Err(Problem::new(Code::Malformed, detail));
    }
    let player = find(&state, &who).await?;
    let before = state.store().balance(&Account::Player(player.clone())).await?;
    let issue = Account::Issue(player.clone());
    let own = Account::Player(player.clone());
    let (from, to) = if amount > 0 { (issue, own) } else { (own, issue) };
    if amount > 0 && before.as_cents().saturating_add(amount) > MOST_CHIPS.as_cents() {
        return Err(Refusal::TooManyChips.into());
    }
    let body = json!({ "player": player, "amount": amount, "reason": reason });
    let transfer = Transfer {
        key: format!("adjust/{player}/{}", Hash::of(format!("{key:?}").as_bytes())),
        from,
        to,
        amount: Amount::cents(amount.abs()),
    };
    let answered = Request::new(key, &body).answered("{}".to_owned());
    let written = state.store().transfer(vec![transfer], state.now(), Some(answered)).await;
    if written? == Written::Now {
        state.grants.fetch_add(1, Ordering::Relaxed);
        let what = json!({
            "player": player, "amount": amount, "before": before, "reason": reason,
            "operator": operator.name,
        });
        state.record_incident("balance-adjusted", &operator.player, what).await;
    }
    Ok(Json(describe(&state, &player).await?))
}

/// Ban a player
///
/// The player's sessions end, they leave their tables, and they can no longer log in. They keep
/// their chips.
#[utoipa::path(
    put, path = "/api/operator/players/{player}/ban", tag = "operator",
    request_body = ActionReason,
    params(("player" = String, Path, description = "The player's id or name")),
    responses((status = 200, body = PlayerAnswer, description = "The player"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn ban(
    State(state): State<AppState>,
    Operator(operator): Operator,
    Path(who): Path<String>,
    Json(reason): Json<ActionReason>,
) -> Result<Json<PlayerAnswer>, Problem> {
    let (player, reason) = (find(&state, &who).await?, reason.reason()?);
    if player == operator.player {
        return Err(Code::NotPlayer.into());
    }
    profile::change(&state, &player, |profile| {
        profile.banned = Some(reason.clone());
        Ok(())
    })
    .await?;
    session::end_all(&state, &player).await?;
    for seat in seats::of_player(&state, &player).await? {
        seats::leave(&state, &seat.table, &player).await?;
    }
    let what = json!({ "player": player, "reason": reason, "operator": operator.name });
    state.record_incident("player-banned", &operator.player, what).await;
    Ok(Json(describe(&state, &player).await?))
}

/// Lift a player's ban
#[utoipa::path(
    delete, path = "/api/operator/players/{player}/ban", tag = "operator",
    params(("player" = String, Path, description = "The player's id or name")),
    responses((status = 200, body = PlayerAnswer, description = "The player"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn unban(
    State(state): State<AppState>,
    Operator(operator): Operator,
    Path(who): Path<String>,
) -> Result<Json<PlayerAnswer>, Problem> {
    let player = find(&state, &who).await?;
    profile::change(&state, &player, |profile| {
        profile.banned = None;
        Ok(())
    })
    .await?;
    let what: Value = json!({ "player": player, "operator": operator.name });
    state.record_incident("player-unbanned", &operator.player, what).await;
    Ok(Json(describe(&state, &player).await?))
}
