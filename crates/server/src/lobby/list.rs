//! Lists of open tables: the public ones, and those of a host.

use std::sync::Arc;

use axum::extract::State;
use croupier_rules::Banking;
use croupier_store::{Collection, Document, Text};
use croupier_table::{Table, is_bot};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::extract::{Json, Query, short};
use crate::http::problem::{Code, Problem, Problems};
use crate::lobby::card_room;
use crate::state::AppState;
use crate::tables::listing::{self, Listing, OPEN, OPEN_BY_LINK};

/// The most tables in a page.
const PAGE: usize = 100;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list))
}

/// A filter on tables.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TableFilter {
    /// Only tables of this house.
    #[serde(default, deserialize_with = "short")]
    #[param(max_length = 64, example = "uth-standard")]
    house: Option<String>,
    /// Only tables whose names come after this one: the last name of the previous page.
    #[serde(default, deserialize_with = "short")]
    #[param(max_length = 64)]
    after: Option<String>,
}

/// A table in the lobby.
#[derive(Debug, Serialize, ToSchema)]
struct TableListing {
    /// Its name.
    table: String,
    /// The title of the table.
    title: String,
    /// The id of the house it plays by.
    house: String,
    /// The title of the house.
    house_title: String,
    /// Whether the house is the host's own, not one that comes with the program.
    own_house: bool,
    /// The game.
    #[schema(example = "uth")]
    game: String,
    /// The id of the bonus pay table, if the table offers a bonus.
    bonus_paytable: Option<String>,
    /// Whether a player banks.
    player_banked: bool,
    /// The number of seats.
    seat_count: u32,
    /// The number of people seated.
    players: usize,
    /// The number of bots seated.
    bots: usize,
    /// The smallest Ante, in cents.
    ante_min: i64,
    /// The largest Ante, in cents.
    ante_max: i64,
    /// Whether the table is paused.
    paused: bool,
}

/// Public tables
///
/// At most a hundred at a time, ordered by name.
#[utoipa::path(
    get, path = "/api/tables", tag = "lobby", params(TableFilter),
    responses((status = 200, body = Vec<TableListing>, description = "The tables"), Problems)
)]
async fn list(
    State(state): State<AppState>,
    Query(filter): Query<TableFilter>,
) -> Result<Json<Vec<TableListing>>, Problem> {
    let tables = public_tables(&state, filter.house.as_deref(), filter.after, PAGE).await?;
    Ok(Json(
        tables.into_iter().map(|(listing, table)| describe(&state, &listing, &table)).collect(),
    ))
}

fn describe(state: &AppState, listing: &Listing, table: &Table) -> TableListing {
    let house = table.terms().house();
    let bots = table.seats().iter().filter(|sitter| is_bot(&sitter.player)).count();
    TableListing {
        table: table.name().to_owned(),
        title: listing.title.clone(),
        house: house.id().to_owned(),
        house_title: house.title().to_owned(),
        own_house: card_room::is_own_house(state, house),
        game: house.game().id().to_owned(),
        bonus_paytable: table.terms().bonus().map(|bonus| bonus.id().to_owned()),
        player_banked: house.banking() != Banking::House,
        seat_count: house.seats(),
        players: table.seats().len() - bots,
        bots,
        ante_min: house.limits().ante_min.as_cents(),
        ante_max: house.limits().ante_max.as_cents(),
        paused: table.paused().is_some(),
    }
}

/// Returns open public tables, ordered by name.
pub(super) async fn public_tables(
    state: &AppState,
    house: Option<&str>,
    after: Option<String>,
    limit: usize,
) -> Result<Vec<(Arc<Listing>, Arc<Table>)>, Problem> {
    let (mut found, mut after) = (Vec::new(), after.unwrap_or_default());
    loop {
        let page = OPEN.documents(state.store(), &after, limit).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after.clone_from(&last.key);
        for open in page {
            if house.is_some_and(|house| open.text() != house) {
                continue;
            }
            let listing = listing::find(state, &open.key).await?;
            let Some(listing) = listing.filter(|listing| listing.public) else { continue };
            match still_open(state, OPEN, &open).await {
                Ok(table) => found.extend(table.map(|table| (listing, table))),
                // A damaged table needs an operator's attention.
                Err(problem) if problem.code == Code::Internal.name() => {}
                Err(problem) => return Err(problem),
            }
            if found.len() == limit {
                return Ok(found);
            }
        }
    }
}

/// Returns the table of a document in a collection of open tables, if it is still open; otherwise
/// deletes the document.
async fn still_open(
    state: &AppState,
    collection: Collection<Text>,
    document: &Document<Text>,
) -> Result<Option<Arc<Table>>, Problem> {
    let gone = match state.table(&document.key).await {
        Ok(table) if table.is_closed() => true,
        Ok(table) => return Ok(Some(table)),
        // A table is listed before it is opened. Its node may have died in between.
        Err(problem) if problem.code == Code::NoSuchTable.name() => {
            state.now().as_millis() - document.at.as_millis() > 60_000
        }
        Err(problem) => return Err(problem),
    };
    if gone {
        collection.delete(state.store(), &document.key).await?;
    }
    Ok(None)
}

/// Returns the open tables of a host.
pub(crate) async fn opened_by(state: &AppState, host: &str) -> Result<Vec<Arc<Table>>, Problem> {
    // Some of the listed tables may have closed since.
    let most = (2 * state.config.limits.tables_per_player as usize).max(PAGE);
    let mut open = Vec::new();
    for collection in [OPEN, OPEN_BY_LINK] {
        for document in collection.documents_of(state.store(), host, "", most).await? {
            match still_open(state, collection, &document).await {
                Ok(table) => open.extend(table),
                // A damaged table needs an operator's attention, and does not count.
                Err(problem) if problem.code == Code::Internal.name() => {}
                Err(problem) => return Err(problem),
            }
        }
    }
    Ok(open)
}
