//! Play now: finds a seat for a player at once, and seats bots.

use std::sync::Arc;

use std::net::IpAddr;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use croupier_rules::{Banking, Seat};
use croupier_store::{FloorError, Request};
use croupier_table::{PlayerCommand, Refusal, Table, is_bot};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::client_address::ClientAddress;
use crate::http::extract::{Json, Path, Query};
use crate::http::idempotency::{self, KeyHeader};
use crate::http::problem::{Code, Problem, Problems};
use crate::lobby::card_room;
use crate::lobby::list::{opened_by, public_tables};
use crate::lobby::open::{keyed_name, open_table};
use crate::lobby::terms::{Pace, TableSettings};
use crate::people::deletion;
use crate::people::session::{PlayerKind, Session, Visitor};
use crate::state::AppState;
use crate::tables::bots;
use crate::tables::listing::{self, Invite, Listing};
use crate::tables::seats::{self, TakenSeat};
use crate::tables::view::TableState;
use crate::{random, storage};

/// The most public tables searched for a seat.
const SEARCH_LIMIT: usize = 500;

/// The number of bots at a practice table: two, because neither may bank forever.
const PRACTICE_BOTS: usize = 2;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(play)).routes(routes!(add_bot))
}

/// The game that a player wants to play at once.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PlayNow {
    /// The id of the house.
    #[serde(default = "usual_house")]
    #[schema(example = "uth-standard", max_length = 64)]
    house: String,
    /// The id of a bonus pay table; any by default.
    #[schema(max_length = 64)]
    bonus: Option<String>,
}

fn usual_house() -> String {
    "uth-standard".to_owned()
}

/// A seat that was taken.
#[derive(Debug, Serialize, ToSchema)]
struct Seated {
    /// The number of the seat.
    seat: u32,
    /// The table.
    state: TableState,
}

/// Play now
///
/// Seats you at a public table of the house: where you already sit, or where other people sit, or
/// at a new table. If a player must bank and no other people are there, you get a private practice
/// table, whose bots take the bank when it is their turn. The same request with the same
/// `Idempotency-Key` returns the same seat.
#[utoipa::path(
    post, path = "/api/play", tag = "lobby", request_body = PlayNow, params(KeyHeader),
    responses((status = 200, body = Seated, description = "Your seat"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn play(
    State(state): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    headers: HeaderMap,
    Json(play_now): Json<PlayNow>,
) -> Result<Json<Seated>, Problem> {
    if visitor.kind == PlayerKind::Operator {
        return Err(Code::NotPlayer.into());
    }
    let what = json!({ "play": { "house": play_now.house, "bonus": play_now.bonus } });
    let request = idempotency::request(&headers, &visitor.player, &what)?;
    let found = match idempotency::earlier_answer(&state, request.as_ref()).await? {
        Some(answer) => TakenSeat::from_answer(&answer)?,
        None => match take_seat(&state, address, &visitor, &play_now, request.as_ref()).await {
            Ok(found) => found,
            // The same request may have succeeded at the same moment.
            Err(problem) => {
                let answer = idempotency::earlier_answer(&state, request.as_ref()).await?;
                TakenSeat::from_answer(&answer.ok_or(problem)?)?
            }
        },
    };
    let table = seat_practice_bots(&state, state.table(&found.table).await?).await?;
    let view = TableState::new(&state, &table, Some(&visitor.player)).await?;
    Ok(Json(Seated { seat: found.seat.number(), state: view }))
}

/// Seats a player somewhere, once for each request.
async fn take_seat(
    state: &AppState,
    address: IpAddr,
    visitor: &Session,
    play_now: &PlayNow,
    request: Option<&Request>,
) -> Result<TakenSeat, Problem> {
    card_room::check_house_open(state, &play_now.house).await?;
    state.storage.admit(state.now(), address, Some(&visitor.player), storage::COMMAND)?;
    match find_seat(state, visitor, play_now, request).await? {
        Some(found) => Ok(found),
        None => new_table(state, address, visitor, play_now, request).await,
    }
}

/// Finds a seat at an existing table.
async fn find_seat(
    state: &AppState,
    visitor: &Session,
    play_now: &PlayNow,
    request: Option<&Request>,
) -> Result<Option<TakenSeat>, Problem> {
    let suits = |table: &Table| {
        let bonus = table.terms().bonus().map(|bonus| bonus.id());
        table.paused().is_none()
            && !table.is_closing()
            && play_now.bonus.as_deref().is_none_or(|wanted| bonus == Some(wanted))
    };
    let public = public_tables(state, Some(&play_now.house), None, SEARCH_LIMIT).await?;
    let mut public: Vec<Arc<Table>> =
        public.into_iter().map(|(_, table)| table).filter(|table| suits(table)).collect();
    let mut practice = opened_by(state, &visitor.player).await?;
    practice.retain(|table| {
        table.terms().practice_bank()
            && table.terms().house().id() == play_now.house
            && suits(table)
    });
    for table in public.iter().chain(&practice) {
        let own = table.seats().iter().find(|sitter| sitter.player == visitor.player);
        if let Some(own) = own.filter(|own| !own.leaving) {
            let found = TakenSeat { table: table.name().to_owned(), seat: own.seat };
            let answer = idempotency::store_answer(state, request, found.to_answer()).await?;
            return TakenSeat::from_answer(&answer).map(Some);
        }
    }
    // The table with the most people that has room, or else a practice table of the player's own.
    let people =
        |table: &Table| table.seats().iter().filter(|sitter| !is_bot(&sitter.player)).count();
    public.sort_by_key(|table| std::cmp::Reverse(people(table)));
    public.retain(|table| people(table) > 0);
    for table in public.iter().chain(&practice) {
        if let Some(found) = sit(state, table, visitor, request).await? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Seats a player at the first free seat of a table, if there is one.
async fn sit(
    state: &AppState,
    table: &Table,
    visitor: &Session,
    request: Option<&Request>,
) -> Result<Option<TakenSeat>, Problem> {
    let taken = |seat: &Seat| table.seats().iter().any(|sitter| sitter.seat == *seat);
    let seats = (1..=table.terms().house().seats()).filter_map(Seat::new);
    for seat in seats.filter(|seat| !taken(seat)) {
        seats::register(state, &visitor.player, table.name()).await?;
        let join = PlayerCommand::Join { seat }.by(visitor.player.clone());
        let request = request.cloned();
        match state.floor.command_for_request(table.name(), join, request, state.now()).await {
            Ok(answer) => {
                deletion::confirm_seat(state, &visitor.player, table.name()).await?;
                return TakenSeat::from_answer(&answer.text).map(Some);
            }
            Err(FloorError::Refused(Refusal::SeatTaken)) => {}
            Err(FloorError::Refused(_)) => return Ok(None),
            // Another table may have a seat.
            Err(error) if error.is_table_fault() => {
                state.report_failure(table.name(), &error.to_string()).await;
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

/// Opens a table and seats a player there: a public table, or a private practice table where
/// players bank. Alone at a public table, the player would have to bank, and only for two hands.
async fn new_table(
    state: &AppState,
    address: IpAddr,
    visitor: &Session,
    play_now: &PlayNow,
    request: Option<&Request>,
) -> Result<TakenSeat, Problem> {
    let house = state.solver.catalog().house(&play_now.house);
    let house = house.map_err(|error| Problem::new(Code::NoSuchHouse, error.to_string()))?;
    let practice = house.banking() != Banking::House;
    let opening = TableSettings {
        house: Value::from(play_now.house.clone()),
        paytables: Vec::new(),
        bonus: play_now.bonus.clone(),
        public: !practice,
        title: String::new(),
        pace: Pace::Usual,
        practice_bank: practice,
    };
    let terms = opening.terms(state, Some(state.config.clocks))?;
    let listing = Listing {
        host: visitor.player.clone(),
        title: String::new(),
        public: opening.public,
        invite: random::name::<26>(),
        house: play_now.house.clone(),
        bonus: terms.bonus().map(|bonus| bonus.id().to_owned()),
        game: Some(terms.house().game().id().to_owned()),
    };
    // The same request with the same key opens one table.
    let name =
        request.map(|Request { key, .. }| keyed_name(&key.sender, &format!("play {}", key.key)));
    let name = name.unwrap_or_else(random::name::<12>);
    let mut table = open_table(state, address, &name, listing.clone(), terms.clone()).await?;
    if table.is_closed() {
        // An earlier attempt opened it and got no further, so long ago that it has closed.
        table = open_table(state, address, &random::name::<12>(), listing, terms).await?;
    }
    sit(state, &table, visitor, request).await?.ok_or_else(|| Code::NoSeat.into())
}

/// Seats bots at a practice table, if no other player is there to bank.
async fn seat_practice_bots(
    state: &AppState,
    mut table: Arc<Table>,
) -> Result<Arc<Table>, Problem> {
    if !table.terms().practice_bank() {
        return Ok(table);
    }
    // If there is no room for bots, or the table closes, it gets none.
    for _ in 0..2 * PRACTICE_BOTS {
        if table.seats().len() > PRACTICE_BOTS {
            break;
        }
        match bots::seat(state, &table, None).await {
            Ok(_) => {}
            // Another request has just taken the seat, or seated a bot.
            Err(problem) if problem.status == StatusCode::CONFLICT.as_u16() => {}
            Err(problem) => return Err(problem),
        }
        table = state.table(table.name()).await?;
    }
    Ok(table)
}

/// Add a bot
///
/// Seats a bot at a table where you sit. It is labeled as a bot, plays by a published strategy, and
/// leaves when only bots are left. It takes the bank only at a table that was opened with a
/// practice bank. The same request with the same `Idempotency-Key` adds one bot.
#[utoipa::path(
    post, path = "/api/tables/{table}/bots", tag = "lobby",
    params(("table" = String, Path, description = "The table's name"), KeyHeader, Invite),
    responses((status = 201, body = Seated, description = "The bot's seat"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn add_bot(
    State(state): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    Path(name): Path<String>,
    Query(Invite { invite }): Query<Invite>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let request = idempotency::request(&headers, &visitor.player, &json!({ "bots": name }))?;
    let seat = if let Some(answer) = idempotency::earlier_answer(&state, request.as_ref()).await? {
        TakenSeat::from_answer(&answer)?.seat
    } else {
        let table = listing::enter(&state, &name, Some(&visitor), invite.as_deref()).await?;
        if !seats::is_seated(&table, &visitor.player) {
            return Err(Refusal::NotSeated.into());
        }
        state.storage.admit(state.now(), address, Some(&visitor.player), storage::COMMAND)?;
        match bots::seat(&state, &table, request.clone()).await {
            Ok(seat) => seat,
            // The same request may have taken the last seat at the same moment.
            Err(problem) => {
                let answer = idempotency::earlier_answer(&state, request.as_ref()).await?;
                TakenSeat::from_answer(&answer.ok_or(problem)?)?.seat
            }
        }
    };
    let table = state.table(&name).await?;
    let view = TableState::new(&state, &table, Some(&visitor.player)).await?;
    Ok((StatusCode::CREATED, Json(Seated { seat: seat.number(), state: view })).into_response())
}
