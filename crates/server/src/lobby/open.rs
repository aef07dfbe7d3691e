//! Opening and closing a table.

use std::sync::Arc;

use std::net::IpAddr;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use croupier_store::{Documents, FloorError, Journals, StoreError};
use croupier_table::{Hash, OperatorCommand, Table, Terms, is_valid_text};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::background::unplayed;
use crate::config::Limits;
use crate::http::client_address::ClientAddress;
use crate::http::extract::{Json, Path};
use crate::http::idempotency::{self, KeyHeader};
use crate::http::problem::{Code, Problem, Problems};
use crate::lobby::card_room;
use crate::lobby::list::opened_by;
use crate::lobby::slots::{self, PUBLIC_SLOTS, SLOTS};
use crate::lobby::terms::{Pace, TableSettings};
use crate::people::session::Visitor;
use crate::state::AppState;
use crate::tables::commands::{self, CommandResult};
use crate::tables::listing::{self, Listing};
use crate::tables::view::TableState;
use crate::{random, storage};

/// The length of a table name that is derived from a key.
const KEYED_NAME_LENGTH: usize = 24;

/// Tells whether the name of a table was derived from a key, and not random.
pub(crate) const fn is_keyed(table: &str) -> bool {
    table.len() == KEYED_NAME_LENGTH
}

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(open)).routes(routes!(close))
}

/// Open a table
///
/// For a table that is not public, the response has the invitation. Every player seated there sees
/// it too.
#[utoipa::path(
    post, path = "/api/tables", tag = "lobby", request_body = TableSettings,
    params(KeyHeader),
    responses((status = 201, body = TableState, description = "The table"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn open(
    State(state): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    headers: HeaderMap,
    Json(opening): Json<TableSettings>,
) -> Result<Response, Problem> {
    let key = idempotency::key(&headers, &visitor.player)?;
    let title = opening.title.trim().to_owned();
    if title.chars().count() > 40 || !(title.is_empty() || is_valid_text(&title)) {
        let detail = "a title has at most 40 characters, none of them invisible";
        return Err(Problem::new(Code::Malformed, detail));
    }
    if opening.public && opening.pace == Pace::None {
        let detail = "a public table needs clocks, so that no player waits forever";
        return Err(Problem::new(Code::BadTerms, detail));
    }
    let terms = opening.terms(&state, opening.pace.clocks(state.config.clocks))?;
    let is_own = card_room::is_own_house(&state, terms.house());
    if is_own && state.solver.catalog().houses().any(|shipped| shipped.is_called(&title)) {
        let detail = format!("\"{title}\" is the title of another house: give your table its own");
        return Err(Problem::new(Code::BadTerms, detail));
    }
    card_room::check_house_open(&state, terms.house().id()).await?;
    let listing = Listing {
        host: visitor.player.clone(),
        title,
        public: opening.public,
        invite: random::name::<26>(),
        house: terms.house().id().to_owned(),
        bonus: terms.bonus().map(|bonus| bonus.id().to_owned()),
        game: Some(terms.house().game().id().to_owned()),
    };
    // The same request with the same key is the same table.
    let name = match key {
        Some(key) => keyed_name(&visitor.player, &key.key),
        None => random::name::<12>(),
    };
    let table = open_table(&state, address, &name, listing, terms).await?;
    let view = TableState::new(&state, &table, Some(&visitor.player)).await?;
    Ok((StatusCode::CREATED, Json(view)).into_response())
}

/// Opens a table, if its host may open another.
pub(super) async fn open_table(
    state: &AppState,
    address: IpAddr,
    name: &str,
    listing: Listing,
    terms: Terms,
) -> Result<Arc<Table>, Problem> {
    if let Some(known) = opened_before(state, name, &listing, &terms).await? {
        return Ok(known);
    }
    if is_keyed(name) && unplayed::was_removed(state, name).await? {
        let detail = "the table with this key was never played and was removed: use another key";
        return Err(Problem::new(Code::NoSuchTable, detail));
    }
    state.storage.check_total()?;
    let Limits { tables_per_player, public_tables_per_player, .. } = state.config.limits;
    // Slots make the limit exact. Tables of older versions have no slots, so they are counted.
    // A request that is sent twice at once does not ask for a second table.
    if tables_per_player > 0
        && state.store().table(name).await?.is_none()
        && opened_by(state, &listing.host).await?.len() >= tables_per_player as usize
    {
        return Err(Code::TooManyTables.into());
    }
    let (host, price) = (listing.host.clone(), storage::price_of_table(&terms));
    state.storage.admit(state.now(), address, Some(&host), price)?;
    let slot = slots::take(state, SLOTS, &host, name, tables_per_player).await?;
    let most = if listing.public { public_tables_per_player } else { 0 };
    let public = match slots::take(state, PUBLIC_SLOTS, &host, name, most).await {
        Ok(public) => public,
        Err(problem) => {
            slots::release(state, slot).await;
            return Err(problem);
        }
    };
    let opened = list_and_open(state, name, listing, terms).await;
    // It may be unknown whether the table was opened. If it was, it keeps its slots.
    if opened.as_ref().is_err_and(|problem| problem.code == Code::KeyReused.name()) {
        slots::release(state, slot).await;
        slots::release(state, public).await;
    }
    opened
}

/// Lists a table and then opens it, so that every open table can be found.
async fn list_and_open(
    state: &AppState,
    name: &str,
    listing: Listing,
    terms: Terms,
) -> Result<Arc<Table>, Problem> {
    let [listed, open] = listing.documents(name, state);
    let unplayed = unplayed::schedule(state, name, &listing.host);
    match state.store().put_all(vec![listed, open.clone(), unplayed]).await {
        Ok(()) => {}
        // An earlier attempt listed the table and got no further, perhaps so long ago that its
        // `open` document is gone. It must have been for the same table.
        Err(StoreError::Taken) => {
            let known = listing::find(state, name).await?;
            if !known.is_some_and(|known| known.is_for(&listing)) {
                return Err(Code::KeyReused.into());
            }
            match state.store().put(open).await {
                Ok(_) | Err(StoreError::Taken) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(error) => return Err(error.into()),
    }
    match state.floor.open(name, terms.clone(), None, state.now()).await {
        Ok(_) => {}
        Err(FloorError::Store(StoreError::Taken)) => {
            let known = opened_before(state, name, &listing, &terms).await?;
            return known.ok_or_else(|| Code::Changed.into());
        }
        Err(error) => return Err(error.into()),
    }
    state.table(name).await
}

/// Returns the table that was opened before under the same key, if it has the same terms.
async fn opened_before(
    state: &AppState,
    name: &str,
    listing: &Listing,
    terms: &Terms,
) -> Result<Option<Arc<Table>>, Problem> {
    let known = match state.table(name).await {
        Ok(known) => known,
        Err(problem) if problem.code == Code::NoSuchTable.name() => return Ok(None),
        Err(problem) => return Err(problem),
    };
    let listed = listing::find(state, name).await?;
    let is_same = listed.is_some_and(|listed| listed.is_for(listing));
    if known.terms().hash() == terms.hash() && is_same {
        return Ok(Some(known));
    }
    Err(Code::KeyReused.into())
}

/// Returns the name of the table that a player opens under a key.
pub(super) fn keyed_name(player: &str, key: &str) -> String {
    let hash = Hash::of(format!("{player}\0{key}").as_bytes());
    hash.to_string()[..KEYED_NAME_LENGTH].to_owned()
}

/// Close a table
///
/// Closes at once, or after the round if cards are out. Only the host may close a table: a table
/// entered by link at any time, and a public table while no other player sits there.
#[utoipa::path(
    delete, path = "/api/tables/{table}", tag = "lobby",
    params(("table" = String, Path, description = "The table's name"), KeyHeader),
    responses((status = 200, body = CommandResult, description = "The result"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn close(
    State(state): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Json<CommandResult>, Problem> {
    let key = idempotency::key(&headers, &visitor.player)?;
    state.rate_limits.admit_command(&visitor.player)?;
    state.storage.charge(state.now(), address, Some(&visitor.player), storage::COMMAND);
    listing::enter(&state, &name, Some(&visitor), None).await?;
    let listing = listing::find(&state, &name).await?;
    let listing = listing.filter(|listing| listing.host == visitor.player).ok_or(Code::NotHost)?;
    let alone = listing.public.then(|| visitor.player.clone());
    let command = OperatorCommand::Close { reason: "closed by its host".to_owned(), alone }.into();
    Ok(Json(commands::carry_out(&state, &name, command, key, Some(&visitor.player)).await?))
}
