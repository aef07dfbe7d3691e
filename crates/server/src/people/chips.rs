//! A player's chips: the balance, and more chips for a player who has run out.

use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::HeaderMap;
use croupier_rules::Amount;
use croupier_store::{Accounts, CommandKey, Request, StoreError, Written};
use croupier_table::{Account, LedgerError, Transfer};
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::extract::Json;
use crate::http::idempotency;
use crate::http::problem::{Code, Problem, Problems};
use crate::people::me::Me;
use crate::people::profile::{self, Profile};
use crate::people::session::{PlayerKind, Visitor};
use crate::state::AppState;
use crate::tables::seats;

/// The chips that a guest starts with, and that a player gets after running out.
const GRANT: Amount = Amount::cents(100_000);

/// A player with less than this has run out.
const RUN_OUT: Amount = Amount::cents(10_000);

const HOUR: i64 = 3_600_000;

/// How many times a grant is retried when other requests change the account at the same time.
const GRANT_ATTEMPTS: usize = 16;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(ask_for_chips))
}

/// Returns the chips that a player has, not counting chips in play.
pub(crate) async fn balance(state: &AppState, player: &str) -> Result<Amount, Problem> {
    Ok(state.store().balance(&Account::Player(player.to_owned())).await?)
}

/// Gives a player chips, once for each number however often it is called.
pub(super) async fn give(state: &AppState, player: &str, number: u64) -> Result<(), Problem> {
    match state.store().transfer(vec![issue(player, number)], state.now(), None).await {
        Ok(_) | Err(StoreError::Ledger(LedgerError::Repeated { .. })) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Returns the transfer that gives a player chips for the `number`th time.
fn issue(player: &str, number: u64) -> Transfer {
    Transfer {
        key: format!("issue/{player}/{number}"),
        from: Account::Issue(player.to_owned()),
        to: Account::Player(player.to_owned()),
        amount: GRANT,
    }
}

/// Returns the idempotent request for chips that a player made with a key.
fn chips_request(key: CommandKey) -> Request {
    let what = json!({ "chips": key.sender });
    Request::new(key, &what)
}

/// Get more chips
///
/// For a player who has run out: less than $100, counting chips in play. The number of grants per
/// hour is limited. Repeating the request with the same `Idempotency-Key` gives the chips once.
#[utoipa::path(
    post, path = "/api/me/chips", tag = "people", params(idempotency::KeyHeader),
    responses(
        (status = 200, body = Me, description = "You got $1,000"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn ask_for_chips(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Json<Me>, Problem> {
    if visitor.kind == PlayerKind::Operator {
        return Err(Code::NotPlayer.into());
    }
    let request = idempotency::key(&headers, &visitor.player)?.map(chips_request);
    for _ in 0..GRANT_ATTEMPTS {
        let granted = match idempotency::earlier_answer(&state, request.as_ref()).await? {
            Some(_) => true,
            None => match grant(&state, &visitor.player, request.as_ref()).await {
                // A copy of this request may have been carried out at the same moment.
                Err(_)
                    if idempotency::earlier_answer(&state, request.as_ref()).await?.is_some() =>
                {
                    true
                }
                granted => granted?,
            },
        };
        if granted {
            state.grants.fetch_add(1, Ordering::Relaxed);
            return Ok(Json(Me::load(&state, &visitor.player).await?));
        }
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}

/// Gives chips to a player who has run out. Returns false if the account changed in the meantime,
/// so that the caller reads it again.
///
/// Chips in play change without the account in one way only: a round takes them. So if the account
/// stays unchanged from before the tables are read until the chips are given, the player has no
/// more than was counted. The response to the request is stored in the same transaction.
async fn grant(state: &AppState, player: &str, request: Option<&Request>) -> Result<bool, Problem> {
    let (_, known) = profile::find(state, player).await?;
    let account = Account::Player(player.to_owned());
    let seen = state.store().account_state(&account).await?;
    let seats = seats::of_player(state, player).await?;
    let in_play: i64 = seats.iter().map(|seat| seat.in_play.as_cents()).sum();
    if seen.balance.as_cents().saturating_add(in_play) >= RUN_OUT.as_cents() {
        return Err(Code::ChipsLeft.into());
    }
    check_hourly_limit(state, &known)?;
    let number = known.given + 1;
    let answered = request.cloned().map(|request| request.answered(String::new()));
    let (grant, now) = (vec![issue(player, number)], state.now());
    let given = state.store().transfer_unless_changed(grant, now, &account, seen, answered).await;
    let is_given = match given {
        Ok(Written::Now) => true,
        Ok(Written::Repeated(_)) => return Ok(true),
        // Another request was first, or its node died before it could write that down.
        Err(StoreError::Ledger(LedgerError::Repeated { .. })) => false,
        Err(StoreError::Conflict) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    // The next number is not used before this one is written down.
    profile::change(state, player, |profile| {
        if profile.given < number {
            profile.given = number;
            profile.given_at.retain(|at| now.as_millis() - at.as_millis() < HOUR);
            profile.given_at.push(now);
        }
        Ok(())
    })
    .await?;
    Ok(is_given)
}

/// Refuses chips to a player who has had the maximum number of grants in the last hour.
fn check_hourly_limit(state: &AppState, known: &Profile) -> Result<(), Problem> {
    let (now, most) = (state.now().as_millis(), state.config.limits.chips_per_hour as usize);
    let recent = known.given_at.iter().filter(|at| now - at.as_millis() < HOUR);
    if most == 0 || recent.clone().count() < most {
        return Ok(());
    }
    let first = recent.map(|at| at.as_millis()).min().unwrap_or(now);
    let wait = (first + HOUR - now).max(0).unsigned_abs() / 1000 + 1;
    Err(Problem::from(Code::TooSoon).retry_after(wait))
}
