//! The lobby: which tables there are, how one is opened, and where somebody can play at once.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use croupier_rules::{Banking, Catalog, House, PayTable, Seat};
use croupier_store::{FloorError, Paper, Request, Store, StoreError};
use croupier_table::{Clocks, Command, Refusal, Table, Terms, TermsError, is_bot, is_fit};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::config::Limits;
use crate::extract::{Json, Path, Query, short};
use crate::guard::ClientAddress;
use crate::once::{self, Found};
use crate::problem::{Code, Problem, Problems};
use crate::room::{Room, Shared};
use crate::session::{Kind, Session, Visitor};
use crate::slots::{self, PUBLIC_SLOTS, SLOTS};
use crate::tables::{self, Done, Invite, Listing, OPEN, OPEN_BY_LINK, TableState};
use crate::{bots, card_room, chance, departure, storage, unplayed};

/// The drawer of houses that the operator has closed.
pub(crate) const CLOSED_HOUSES: &str = "closed-houses";

/// How many tables are listed at most.
const PAGE: usize = 100;

/// How many public tables are looked at to find a seat.
const LOOK_AT: usize = 500;

/// How many pay tables somebody may bring to a table of his own.
const PAYTABLES: usize = 8;

/// How many characters the name of a table has that comes from a key.
const KEYED: usize = 24;

/// How many bots sit down at a practice table: two, because neither may bank forever.
const BANKERS: usize = 2;

/// Tells whether the name of a table comes from a key, and was not drawn.
pub(crate) const fn is_keyed(table: &str) -> bool {
    table.len() == KEYED
}

pub(crate) fn router() -> OpenApiRouter<Room> {
    OpenApiRouter::new()
        .routes(routes!(list, open))
        .routes(routes!(close))
        .routes(routes!(play))
        .routes(routes!(add_bot))
}

/// Which tables are meant.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// Only tables of this house.
    #[serde(default, deserialize_with = "short")]
    #[param(max_length = 64, example = "uth-standard")]
    house: Option<String>,
    /// Only tables whose names come after this one: the last of the page before.
    #[serde(default, deserialize_with = "short")]
    #[param(max_length = 64)]
    after: Option<String>,
}

/// A table in the lobby.
#[derive(Debug, Serialize, ToSchema)]
struct TableListing {
    /// Its name.
    table: String,
    /// What it is called.
    title: String,
    /// The house it plays.
    house: String,
    /// What the house is called.
    house_title: String,
    /// Whether the house is the host's own, and none of those that come with the program.
    own_house: bool,
    /// The game.
    #[schema(example = "uth")]
    game: String,
    /// The bonus it offers.
    bonus_paytable: Option<String>,
    /// Whether a player banks.
    player_banked: bool,
    /// How many seats it has.
    seat_count: u32,
    /// How many people sit there.
    players: usize,
    /// How many bots sit there.
    bots: usize,
    /// The least Ante, in cents.
    ante_min: i64,
    /// The largest Ante, in cents.
    ante_max: i64,
    /// Whether it is paused.
    paused: bool,
}

/// Public tables
///
/// At most a hundred at a time, in the order of their names.
#[utoipa::path(
    get, path = "/api/tables", tag = "lobby", params(Wanted),
    responses((status = 200, body = Vec<TableListing>, description = "The tables"), Problems)
)]
async fn list(
    State(room): State<Room>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<Vec<TableListing>>, Problem> {
    let tables = public_tables(&room, wanted.house.as_deref(), wanted.after, PAGE).await?;
    Ok(Json(tables.into_iter().map(|(listing, table)| describe(&room, &listing, &table)).collect()))
}

fn describe(room: &Shared, listing: &Listing, table: &Table) -> TableListing {
    let house = table.terms().house();
    let bots = table.seats().iter().filter(|sitter| is_bot(&sitter.player)).count();
    TableListing {
        table: table.name().to_owned(),
        title: listing.title.clone(),
        house: house.id().to_owned(),
        house_title: house.title().to_owned(),
        own_house: tables::is_own(room, house),
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

/// Returns public tables that are open, in the order of their names.
async fn public_tables(
    room: &Shared,
    house: Option<&str>,
    after: Option<String>,
    most: usize,
) -> Result<Vec<(Arc<Listing>, Table)>, Problem> {
    let (mut found, mut after) = (Vec::new(), after.unwrap_or_default());
    loop {
        let page = room.store().papers(OPEN, &after, most).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after.clone_from(&last.key);
        for paper in page {
            if house.is_some_and(|house| paper.text != house) {
                continue;
            }
            let listing = tables::listing(room, &paper.key).await?;
            let Some(listing) = listing.filter(|listing| listing.public) else { continue };
            match open_table_of(room, &paper).await {
                Ok(table) => found.extend(table.map(|table| (listing, table))),
                // One that cannot be read is for an operator to look at.
                Err(problem) if problem.code == Code::Fault.name() => {}
                Err(problem) => return Err(problem),
            }
            if found.len() == most {
                return Ok(found);
            }
        }
    }
}

/// Returns the table of a paper that says it is open, if it is. Else the paper goes away.
async fn open_table_of(room: &Shared, paper: &Paper) -> Result<Option<Table>, Problem> {
    let gone = match room.table(&paper.key).await {
        Ok(table) if table.is_closed() => true,
        Ok(table) => return Ok(Some(table)),
        // It is listed before it is opened, if its node lives to do it.
        Err(problem) if problem.code == Code::NoSuchTable.name() => {
            room.now().as_millis() - paper.at.as_millis() > 60_000
        }
        Err(problem) => return Err(problem),
    };
    if gone {
        room.store().discard(&paper.drawer, &paper.key).await?;
    }
    Ok(None)
}

/// What somebody wants to open.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Opening {
    /// The house: the id of one that comes with the program, or one of your own in full, as a house
    /// file has it.
    #[schema(example = "uth-standard")]
    house: Value,
    /// Pay tables of your own that the house names, each in full as a pay table file has it.
    #[serde(default)]
    #[schema(max_items = 8)]
    paytables: Vec<Value>,
    /// Which of the house's bonuses; the first, if it is not said.
    #[schema(max_length = 64)]
    bonus: Option<String>,
    /// Whether anybody may enter; else it takes the invitation.
    #[serde(default)]
    public: bool,
    /// What it is called: up to 40 characters.
    #[serde(default)]
    #[schema(max_length = 40, pattern = "^[^\\x00-\\x1f\\x7f-\\x9f]*$")]
    title: String,
    /// How fast it is: `usual`, `quick`, `slow`, or `none` for a table without clocks, which cannot
    /// be public.
    #[serde(default)]
    pace: Pace,
    /// Whether bots of the room may bank, for practice. The house never banks where players do, so
    /// only a private table may have this, and its placard says so.
    #[serde(default)]
    practice_bank: bool,
}

/// How fast a table is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Pace {
    /// By the usual clocks.
    #[default]
    Usual,
    /// A third of the usual time to take the bank, to wager, to decide, and between two rounds.
    Quick,
    /// Three times as long for the same.
    Slow,
    /// Without clocks: it deals when somebody asks.
    None,
}

impl Pace {
    /// Returns the clocks of a table with this pace.
    ///
    /// A pace changes the clocks by which people think. Seeds are shown by programs, whose lines
    /// are no faster at a quick table: a shorter `reveal` would count honest seats as silent. When
    /// an empty table closes is no player's concern.
    fn clocks(self, usual: Clocks) -> Option<Clocks> {
        let thinking = |change: fn(u32) -> u32| Clocks {
            offer: change(usual.offer),
            betting: change(usual.betting),
            reveal: usual.reveal,
            decision: change(usual.decision),
            between: change(usual.between),
            empty: usual.empty,
        };
        match self {
            Self::Usual => Some(usual),
            Self::Quick => Some(thinking(|millis| millis.div_ceil(3))),
            Self::Slow => Some(thinking(|millis| millis.saturating_mul(3))),
            Self::None => None,
        }
    }
}

/// Open a table
///
/// Whoever opens a table that is not public finds the invitation in the answer, and so does
/// everybody who sits there.
#[utoipa::path(
    post, path = "/api/tables", tag = "lobby", request_body = Opening,
    params(tables::Key),
    responses((status = 201, body = TableState, description = "The table"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn open(
    State(room): State<Room>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    headers: HeaderMap,
    Json(opening): Json<Opening>,
) -> Result<Response, Problem> {
    let key = tables::key(&headers, &visitor.player)?;
    let title = opening.title.trim().to_owned();
    if title.chars().count() > 40 || !(title.is_empty() || is_fit(&title)) {
        let words = "a title has at most 40 characters, none of them invisible";
        return Err(Problem::new(Code::Malformed, words));
    }
    if opening.public && opening.pace == Pace::None {
        let words = "a public table has clocks: nobody there waits for ever";
        return Err(Problem::new(Code::BadTerms, words));
    }
    let terms = terms(&room, &opening, opening.pace.clocks(room.config.clocks))?;
    let is_own = tables::is_own(&room, terms.house());
    if is_own && room.analyst.catalog().houses().any(|shipped| shipped.is_called(&title)) {
        let words = format!("\"{title}\" is the title of another house: give your table its own");
        return Err(Problem::new(Code::BadTerms, words));
    }
    check_open(&room, terms.house().id()).await?;
    let listing = Listing {
        host: visitor.player.clone(),
        title,
        public: opening.public,
        invite: chance::name::<26>(),
        house: terms.house().id().to_owned(),
        bonus: terms.bonus().map(|bonus| bonus.id().to_owned()),
        game: Some(terms.house().game().id().to_owned()),
    };
    // The same request with the same key is the same table.
    let name = match key {
        Some(key) => name_of(&visitor.player, &key.key),
        None => chance::name::<12>(),
    };
    let table = open_table(&room, address, &name, listing, terms).await?;
    let state = tables::view(&room, &table, Some(&visitor.player)).await?;
    Ok((StatusCode::CREATED, Json(state)).into_response())
}

/// Reads what is to be played.
fn terms(room: &Shared, opening: &Opening, clocks: Option<Clocks>) -> Result<Terms, Problem> {
    let faults = |what: &str, faults: &croupier_rules::Faults| {
        let all = faults.all().iter().map(ToString::to_string);
        Problem::new(Code::BadTerms, format!("{what} has faults")).with_faults(all)
    };
    if opening.paytables.len() > PAYTABLES {
        let words = format!("bring {PAYTABLES} pay tables at most");
        return Err(Problem::new(Code::BadTerms, words));
    }
    let mut catalog = Catalog::shipped();
    for paytable in &opening.paytables {
        let paytable =
            PayTable::from_json(paytable).map_err(|found| faults("a pay table", &found))?;
        paytable.check_admission().map_err(|found| faults("a pay table", &found))?;
        let added = catalog.add_paytable(paytable);
        added.map_err(|error| Problem::new(Code::BadTerms, error.to_string()))?;
    }
    let house = match &opening.house {
        Value::String(id) => id.clone(),
        value => {
            let paytables: Vec<PayTable> = catalog.paytables().to_vec();
            let house =
                House::from_json(value, &paytables).map_err(|found| faults("the house", &found))?;
            house.check_admission().map_err(|found| faults("the house", &found))?;
            let id = house.id().to_owned();
            let added = catalog.add_house(house);
            added.map_err(|error| Problem::new(Code::BadTerms, error.to_string()))?;
            id
        }
    };
    let found = catalog.house(&house);
    let found = found.map_err(|error| Problem::new(Code::NoSuchHouse, error.to_string()))?;
    let bonus = opening.bonus.as_deref().or_else(|| card_room::bonus_for(&room.config, found));
    let bad = |error: TermsError| Problem::new(Code::BadTerms, error.to_string());
    let mut terms = Terms::new(&catalog, &house, bonus, clocks).map_err(bad)?;
    if opening.practice_bank {
        terms = terms.with_practice_bank().map_err(bad)?;
    }
    // Chips that are won under a player's own terms must not count anywhere else.
    if !terms.are_shipped() {
        terms = terms.with_practice_chips().map_err(bad)?;
    }
    if opening.public {
        card_room::check_public(room, &terms)?;
    }
    Ok(terms)
}

/// Opens a table, if its host may have another.
async fn open_table(
    room: &Shared,
    address: IpAddr,
    name: &str,
    listing: Listing,
    terms: Terms,
) -> Result<Table, Problem> {
    if let Some(known) = opened_before(room, name, &listing, &terms).await? {
        return Ok(known);
    }
    if is_keyed(name) && unplayed::was_removed(room, name).await? {
        let words = "the table of this key came to nothing and was removed: use another key";
        return Err(Problem::new(Code::NoSuchTable, words));
    }
    room.storage.check_total()?;
    let Limits { tables_per_player, public_tables_per_player, .. } = room.config.limits;
    // Slots make it exact. Tables of older versions have none, and are counted.
    // A request that was sent twice at once does not ask for more.
    if tables_per_player > 0
        && room.store().table(name).await?.is_none()
        && opened_by(room, &listing.host).await?.len() >= tables_per_player as usize
    {
        return Err(Code::TooManyTables.into());
    }
    let (host, price) = (listing.host.clone(), storage::price_of_table(&terms));
    room.storage.admit(room.now(), address, Some(&host), price)?;
    let slot = slots::take(room, SLOTS, &host, name, tables_per_player).await?;
    let most = if listing.public { public_tables_per_player } else { 0 };
    let public = match slots::take(room, PUBLIC_SLOTS, &host, name, most).await {
        Ok(public) => public,
        Err(problem) => {
            slots::give_back(room, slot).await;
            return Err(problem);
        }
    };
    let opened = list_and_open(room, name, listing, terms).await;
    // Whether it was opened may not be known. Then the slots stay with the table, if there is one.
    if opened.as_ref().is_err_and(|problem| problem.code == Code::KeyReused.name()) {
        slots::give_back(room, slot).await;
        slots::give_back(room, public).await;
    }
    opened
}

/// Lists a table and then opens it: one that is open can be found.
async fn list_and_open(
    room: &Shared,
    name: &str,
    listing: Listing,
    terms: Terms,
) -> Result<Table, Problem> {
    let [listed, open] = listing.papers(name, room);
    let unplayed = unplayed::paper(room, name, &listing.host);
    match room.store().file_all(vec![listed, open.clone(), unplayed]).await {
        Ok(()) => {}
        // An attempt before got so far and no further, maybe so long ago that it is not among those
        // that are open any more. It must have been for the same table.
        Err(StoreError::Taken) => {
            let known = tables::listing(room, name).await?;
            if !known.is_some_and(|known| known.is_for(&listing)) {
                return Err(Code::KeyReused.into());
            }
            match room.store().file(open).await {
                Ok(_) | Err(StoreError::Taken) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(error) => return Err(error.into()),
    }
    match room.floor.open(name, terms.clone(), None, room.now()).await {
        Ok(_) => {}
        Err(FloorError::Store(StoreError::Taken)) => {
            let known = opened_before(room, name, &listing, &terms).await?;
            return known.ok_or_else(|| Code::Changed.into());
        }
        Err(error) => return Err(error.into()),
    }
    room.table(name).await
}

/// Returns the table that was opened under the same key, if there is one, and it is the same.
async fn opened_before(
    room: &Shared,
    name: &str,
    listing: &Listing,
    terms: &Terms,
) -> Result<Option<Table>, Problem> {
    let known = match room.table(name).await {
        Ok(known) => known,
        Err(problem) if problem.code == Code::NoSuchTable.name() => return Ok(None),
        Err(problem) => return Err(problem),
    };
    let listed = tables::listing(room, name).await?;
    let is_same = listed.is_some_and(|listed| listed.is_for(listing));
    if known.terms().hash() == terms.hash() && is_same {
        return Ok(Some(known));
    }
    Err(Code::KeyReused.into())
}

/// Returns the tables that somebody has opened and that are open.
pub(crate) async fn opened_by(room: &Shared, host: &str) -> Result<Vec<Table>, Problem> {
    // Some of those that are written down may have closed since.
    let most = (2 * room.config.limits.tables_per_player as usize).max(PAGE);
    let mut open = Vec::new();
    for drawer in [OPEN, OPEN_BY_LINK] {
        for paper in room.store().papers_of(drawer, host, "", most).await? {
            match open_table_of(room, &paper).await {
                Ok(table) => open.extend(table),
                // One that cannot be read is for an operator to look at, and keeps nobody out.
                Err(problem) if problem.code == Code::Fault.name() => {}
                Err(problem) => return Err(problem),
            }
        }
    }
    Ok(open)
}

/// Close a table
///
/// At once, or when the round is over if cards are out. Whoever opened it may: a table by link at
/// any time, and a public one as long as nobody else sits there.
#[utoipa::path(
    delete, path = "/api/tables/{table}", tag = "lobby",
    params(("table" = String, Path, description = "The table's name"), tables::Key),
    responses((status = 200, body = Done, description = "What it brought about"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn close(
    State(room): State<Room>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Done>, Problem> {
    let key = tables::key(&headers, &visitor.player)?;
    room.gate.admit_command(&visitor.player)?;
    room.storage.charge(room.now(), address, Some(&visitor.player), storage::COMMAND);
    tables::enter(&room, &name, Some(&visitor), None).await?;
    let listing = tables::listing(&room, &name).await?;
    let listing = listing.filter(|listing| listing.host == visitor.player).ok_or(Code::NotHost)?;
    let alone = listing.public.then(|| visitor.player.clone());
    let command = Command::Close { reason: "closed by its host".to_owned(), alone };
    Ok(Json(tables::carry_out(&room, &name, command, key, Some(&visitor.player)).await?))
}

/// Refuses to open or to enter a table of a house that the operator has closed.
pub(crate) async fn check_open(room: &Shared, house: &str) -> Result<(), Problem> {
    match room.store().paper(CLOSED_HOUSES, house).await? {
        None => Ok(()),
        Some(paper) => {
            Err(Problem::new(Code::HouseClosed, format!("this house is closed: {}", paper.text)))
        }
    }
}

/// What somebody wants to play at once.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PlayNow {
    /// The house.
    #[serde(default = "usual_house")]
    #[schema(example = "uth-standard", max_length = 64)]
    house: String,
    /// Which of its bonuses; any, if it is not said.
    #[schema(max_length = 64)]
    bonus: Option<String>,
}

fn usual_house() -> String {
    "uth-standard".to_owned()
}

/// Where somebody sits now.
#[derive(Debug, Serialize, ToSchema)]
struct Seated {
    /// His seat.
    seat: u32,
    /// The table.
    state: TableState,
}

/// Play now
///
/// Seats you at a public table of the house: where you sit already, else where others sit, else at
/// a new one. Where a player has to bank and no other person is there, it seats you at a private
/// table for practice, whose bots take the bank when it is their turn. The same request with the
/// same `Idempotency-Key` is answered with the same seat.
#[utoipa::path(
    post, path = "/api/play", tag = "lobby", request_body = PlayNow, params(tables::Key),
    responses((status = 200, body = Seated, description = "Where you sit"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn play(
    State(room): State<Room>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    headers: HeaderMap,
    Json(wish): Json<PlayNow>,
) -> Result<Json<Seated>, Problem> {
    if visitor.kind == Kind::Operator {
        return Err(Code::NotPlayer.into());
    }
    let what = json!({ "play": { "house": wish.house, "bonus": wish.bonus } });
    let request = once::request(&headers, &visitor.player, &what)?;
    let found = match once::before(&room, request.as_ref()).await? {
        Some(answer) => Found::read(&answer)?,
        None => match take_seat(&room, address, &visitor, &wish, request.as_ref()).await {
            Ok(found) => found,
            // The same request may have been carried out at the same moment.
            Err(problem) => {
                let answer = once::before(&room, request.as_ref()).await?;
                Found::read(&answer.ok_or(problem)?)?
            }
        },
    };
    let table = add_company(&room, room.table(&found.table).await?).await?;
    let state = tables::view(&room, &table, Some(&visitor.player)).await?;
    Ok(Json(Seated { seat: found.seat.number(), state }))
}

/// Seats a player somewhere, once for each request.
async fn take_seat(
    room: &Shared,
    address: IpAddr,
    visitor: &Session,
    wish: &PlayNow,
    request: Option<&Request>,
) -> Result<Found, Problem> {
    check_open(room, &wish.house).await?;
    room.storage.admit(room.now(), address, Some(&visitor.player), storage::COMMAND)?;
    match find_seat(room, visitor, wish, request).await? {
        Some(found) => Ok(found),
        None => new_table(room, address, visitor, wish, request).await,
    }
}

/// Finds a seat at a table that is there already.
async fn find_seat(
    room: &Shared,
    visitor: &Session,
    wish: &PlayNow,
    request: Option<&Request>,
) -> Result<Option<Found>, Problem> {
    let suits = |table: &Table| {
        let bonus = table.terms().bonus().map(|bonus| bonus.id());
        table.paused().is_none()
            && !table.is_closing()
            && wish.bonus.as_deref().is_none_or(|wanted| bonus == Some(wanted))
    };
    let public = public_tables(room, Some(&wish.house), None, LOOK_AT).await?;
    let mut public: Vec<Table> =
        public.into_iter().map(|(_, table)| table).filter(|table| suits(table)).collect();
    let mut practice = opened_by(room, &visitor.player).await?;
    practice.retain(|table| {
        table.terms().practice_bank() && table.terms().house().id() == wish.house && suits(table)
    });
    for table in public.iter().chain(&practice) {
        let own = table.seats().iter().find(|sitter| sitter.player == visitor.player);
        if let Some(own) = own.filter(|own| !own.leaving) {
            let found = Found { table: table.name().to_owned(), seat: own.seat };
            let answer = once::remember(room, request, found.text()).await?;
            return Found::read(&answer).map(Some);
        }
    }
    // Where most people sit, as long as there is room; else at a practice table of their own.
    let people =
        |table: &Table| table.seats().iter().filter(|sitter| !is_bot(&sitter.player)).count();
    public.sort_by_key(|table| std::cmp::Reverse(people(table)));
    public.retain(|table| people(table) > 0);
    for table in public.iter().chain(&practice) {
        if let Some(found) = sit(room, table, visitor, request).await? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Sits somebody down at the first free seat of a table, if there is one.
async fn sit(
    room: &Shared,
    table: &Table,
    visitor: &Session,
    request: Option<&Request>,
) -> Result<Option<Found>, Problem> {
    let taken = |seat: &Seat| table.seats().iter().any(|sitter| sitter.seat == *seat);
    let seats = (1..=table.terms().house().seats()).filter_map(Seat::new);
    for seat in seats.filter(|seat| !taken(seat)) {
        tables::note_seat(room, &visitor.player, table.name()).await?;
        let join = Command::Join { seat, player: visitor.player.clone() };
        let request = request.cloned();
        match room.floor.command_of(table.name(), join, request, room.now()).await {
            Ok(answer) => {
                departure::confirm_seat(room, &visitor.player, table.name()).await?;
                return Found::read(&answer.text).map(Some);
            }
            Err(FloorError::Refused(Refusal::SeatTaken)) => {}
            Err(FloorError::Refused(_)) => return Ok(None),
            // There may be a seat elsewhere.
            Err(error) if error.is_of_table() => {
                room.trouble(table.name(), &error.to_string()).await;
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

/// Opens a table and sits a player down there: a public one, or where players bank a private one
/// for practice. Alone at a public table, they would have to bank themselves, and only for two
/// hands.
async fn new_table(
    room: &Shared,
    address: IpAddr,
    visitor: &Session,
    wish: &PlayNow,
    request: Option<&Request>,
) -> Result<Found, Problem> {
    let house = room.analyst.catalog().house(&wish.house);
    let house = house.map_err(|error| Problem::new(Code::NoSuchHouse, error.to_string()))?;
    let practice = house.banking() != Banking::House;
    let opening = Opening {
        house: Value::from(wish.house.clone()),
        paytables: Vec::new(),
        bonus: wish.bonus.clone(),
        public: !practice,
        title: String::new(),
        pace: Pace::Usual,
        practice_bank: practice,
    };
    let terms = terms(room, &opening, Some(room.config.clocks))?;
    let listing = Listing {
        host: visitor.player.clone(),
        title: String::new(),
        public: opening.public,
        invite: chance::name::<26>(),
        house: wish.house.clone(),
        bonus: terms.bonus().map(|bonus| bonus.id().to_owned()),
        game: Some(terms.house().game().id().to_owned()),
    };
    // The same request with the same key opens one table.
    let name =
        request.map(|Request { key, .. }| name_of(&key.sender, &format!("play {}", key.key)));
    let name = name.unwrap_or_else(chance::name::<12>);
    let mut table = open_table(room, address, &name, listing.clone(), terms.clone()).await?;
    if table.is_closed() {
        // An attempt before opened it and got no further, so long ago that it has closed.
        table = open_table(room, address, &chance::name::<12>(), listing, terms).await?;
    }
    sit(room, &table, visitor, request).await?.ok_or_else(|| Code::NoSeat.into())
}

/// Returns the name of the table that a player opens under a key.
fn name_of(player: &str, key: &str) -> String {
    let hash = croupier_table::Hash::of(format!("{player}\0{key}").as_bytes());
    hash.to_string()[..KEYED].to_owned()
}

/// Sits bots down at a practice table, if no one else is there to bank.
async fn add_company(room: &Shared, mut table: Table) -> Result<Table, Problem> {
    if !table.terms().practice_bank() {
        return Ok(table);
    }
    // If there is no room for bots, or the table closes, there are none.
    for _ in 0..2 * BANKERS {
        if table.seats().len() > BANKERS {
            break;
        }
        match bots::seat(room, &table, None).await {
            Ok(_) => {}
            // Another request has just taken the seat, or sat a bot down.
            Err(problem) if problem.status == StatusCode::CONFLICT.as_u16() => {}
            Err(problem) => return Err(problem),
        }
        table = room.table(table.name()).await?;
    }
    Ok(table)
}

/// Add a bot
///
/// Sits a bot down at a table where you sit. It is labeled as one, plays by a published strategy,
/// and leaves when only bots are left. It takes the bank at a table that was opened with a practice
/// bank, and at no other. The same request with the same `Idempotency-Key` adds one bot.
#[utoipa::path(
    post, path = "/api/tables/{table}/bots", tag = "lobby",
    params(("table" = String, Path, description = "The table's name"), tables::Key, Invite),
    responses((status = 201, body = Seated, description = "Where it sits"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn add_bot(
    State(room): State<Room>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    Path(name): Path<String>,
    Query(Invite { invite }): Query<Invite>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let request = once::request(&headers, &visitor.player, &json!({ "bots": name }))?;
    let seat = if let Some(answer) = once::before(&room, request.as_ref()).await? {
        Found::read(&answer)?.seat
    } else {
        let table = tables::enter(&room, &name, Some(&visitor), invite.as_deref()).await?;
        if !tables::sits(&table, &visitor.player) {
            return Err(Refusal::NotSeated.into());
        }
        room.storage.admit(room.now(), address, Some(&visitor.player), storage::COMMAND)?;
        match bots::seat(&room, &table, request.clone()).await {
            Ok(seat) => seat,
            // The same request may have taken the last seat at the same moment.
            Err(problem) => {
                let answer = once::before(&room, request.as_ref()).await?;
                Found::read(&answer.ok_or(problem)?)?.seat
            }
        }
    };
    let table = room.table(&name).await?;
    let state = tables::view(&room, &table, Some(&visitor.player)).await?;
    Ok((StatusCode::CREATED, Json(Seated { seat: seat.number(), state })).into_response())
}
