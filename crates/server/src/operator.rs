//! What somebody may do who runs the place. Everything that he does is written down as a
//! significant event, with his name and his reason.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::HeaderMap;
use croupier_rules::{Amount, Catalog};
use croupier_store::{Answered, FloorError, Paper, Store, Written};
use croupier_table::{Account, Command, Hash, MOST_CHIPS, Refusal, Table, Time, Transfer};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::openapi::ObjectBuilder;
use utoipa::openapi::schema::{OneOfBuilder, Schema, Type};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{Json, Path, Query, short};
use crate::lobby::CLOSED_HOUSES;
use crate::people;
use crate::problem::{Code, Problem, Problems};
use crate::room::{Room, Shared};
use crate::session::{self, Kind, Operator};
use crate::tables::{self, Done};

/// How many tables are looked at at a time.
const PAGE: usize = 200;

/// How a table says that it is paused because its house is closed.
const HOUSE_CLOSED: &str = "the house is closed";

pub(crate) fn router() -> OpenApiRouter<Room> {
    OpenApiRouter::new()
        .routes(routes!(all_tables))
        .routes(routes!(order))
        .routes(routes!(closed_houses))
        .routes(routes!(close_house, open_house))
        .routes(routes!(player))
        .routes(routes!(adjust))
        .routes(routes!(ban, unban))
}

/// Where a page begins.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct After {
    /// The last name of the page before.
    #[serde(default, deserialize_with = "short")]
    #[param(max_length = 64)]
    after: Option<String>,
}

/// A table, as the store has it.
#[derive(Debug, Serialize, ToSchema)]
struct TableAnswer {
    /// Its name.
    table: String,
    /// The house it plays.
    house: String,
    /// The version of its journal.
    version: u64,
    /// When it is to be woken next, in milliseconds since 1970.
    deadline: Option<i64>,
    /// Whether it is closed.
    closed: bool,
    /// Why it fails, if the node that answers has seen it fail: its journal is damaged, say.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fault: Option<String>,
}

/// All tables
///
/// Two hundred at a time, in the order of their names, public or not, open or closed. One that
/// fails by itself says why.
#[utoipa::path(
    get, path = "/api/operator/tables", tag = "operator", params(After),
    responses((status = 200, body = Vec<TableAnswer>, description = "The tables"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn all_tables(
    State(room): State<Room>,
    _operator: Operator,
    Query(After { after }): Query<After>,
) -> Result<Json<Vec<TableAnswer>>, Problem> {
    let rows = room.store().tables(&after.unwrap_or_default(), PAGE).await?;
    let answer = rows.into_iter().map(|row| TableAnswer {
        fault: room.troubles.of(&row.table),
        table: row.table,
        house: row.house,
        version: row.version,
        deadline: row.deadline.map(Time::as_millis),
        closed: row.closed,
    });
    Ok(Json(answer.collect()))
}

/// What an operator wants of a table.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
enum OperatorOrder {
    /// Stop the round: every stake goes back.
    Void {
        /// Why.
        #[schema(min_length = 1, max_length = 64)]
        reason: String,
    },
    /// Let no other round open.
    Pause {
        /// Why.
        #[schema(min_length = 1, max_length = 64)]
        reason: String,
    },
    /// Let the table go on.
    Resume {},
    /// Close the table: at once, or after the round if cards are out.
    Close {
        /// Why.
        #[schema(min_length = 1, max_length = 64)]
        reason: String,
    },
}

/// Order something at a table
#[utoipa::path(
    post, path = "/api/operator/tables/{table}/commands", tag = "operator",
    request_body = OperatorOrder,
    params(
        ("table" = String, Path, description = "The table's name"),
        tables::Key,
    ),
    responses((status = 200, body = Done, description = "What it brought about"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn order(
    State(room): State<Room>,
    Operator(operator): Operator,
    Path(name): Path<String>,
    headers: HeaderMap,
    Json(order): Json<OperatorOrder>,
) -> Result<Json<Done>, Problem> {
    let key = tables::key(&headers, &operator.player)?;
    let (kind, command) = match order.clone() {
        OperatorOrder::Void { reason } => ("table-void", Command::Void { reason }),
        OperatorOrder::Pause { reason } => ("table-paused", Command::Pause { reason }),
        OperatorOrder::Resume {} => ("table-resumed", Command::Resume),
        OperatorOrder::Close { reason } => ("table-closed", Command::Close { reason, alone: None }),
    };
    let done = tables::carry_out(&room, &name, command.clone(), key, None).await?;
    let what = json!({ "table": name, "order": command, "operator": operator.name });
    room.note(kind, &operator.player, what).await;
    Ok(Json(done))
}

/// A house that is closed.
#[derive(Debug, Serialize, ToSchema)]
struct ClosedHouse {
    /// The house.
    house: String,
    /// Why.
    reason: String,
    /// Since when, in milliseconds since 1970.
    since: i64,
}

/// Closed houses
#[utoipa::path(
    get, path = "/api/operator/houses", tag = "operator",
    responses((status = 200, body = Vec<ClosedHouse>, description = "The houses"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn closed_houses(
    State(room): State<Room>,
    _operator: Operator,
) -> Result<Json<Vec<ClosedHouse>>, Problem> {
    let papers = room.store().papers(CLOSED_HOUSES, "", 1_000).await?;
    let answer = papers.into_iter().map(|paper| ClosedHouse {
        house: paper.key,
        reason: paper.text,
        since: paper.at.as_millis(),
    });
    Ok(Json(answer.collect()))
}

/// Why something is done.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Because {
    /// Why.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
    )]
    reason: String,
}

impl Because {
    fn reason(self) -> Result<String, Problem> {
        let (given, reason) = (&self.reason, self.reason.trim());
        if !reason.is_empty() && given.chars().count() <= 200 && !given.contains(char::is_control) {
            return Ok(reason.to_owned());
        }
        Err(Problem::new(Code::Malformed, "give a reason, in up to 200 characters"))
    }
}

/// Where something was done.
#[derive(Debug, Default, Serialize, ToSchema)]
struct Touched {
    /// At how many tables.
    tables: u64,
    /// The tables at which it could not be done, and why.
    failed: BTreeMap<String, String>,
}

/// Close a house
///
/// Its tables let their rounds come to an end and open no others; nobody sits down at one, and no
/// other is opened.
#[utoipa::path(
    put, path = "/api/operator/houses/{house}/closed", tag = "operator", request_body = Because,
    params(("house" = String, Path, description = "The id of the house")),
    responses((status = 200, body = Touched, description = "Tables paused"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn close_house(
    State(room): State<Room>,
    Operator(operator): Operator,
    Path(house): Path<String>,
    Json(because): Json<Because>,
) -> Result<Json<Touched>, Problem> {
    let reason = because.reason()?;
    if !(1..=64).contains(&house.len()) {
        return Err(Code::NoSuchHouse.into());
    }
    check_known(&room, &house).await?;
    let known = room.store().paper(CLOSED_HOUSES, &house).await?;
    let paper = Paper {
        drawer: CLOSED_HOUSES.to_owned(),
        key: house.clone(),
        owner: operator.player.clone(),
        at: room.now(),
        until: None,
        text: reason.clone(),
        revision: known.map_or(0, |paper| paper.revision),
    };
    room.store().file(paper).await?;
    let what = json!({ "house": house, "reason": reason, "operator": operator.name });
    room.note("house-closed", &operator.player, what).await;
    let pause = Command::Pause { reason: HOUSE_CLOSED.to_owned() };
    let touched = at_tables_of(&room, &house, &pause, |table| table.paused().is_none()).await?;
    Ok(Json(touched))
}

/// Refuses a house that neither comes along nor has a table: its name is misspelt, and whoever
/// closes it would believe that something had stopped.
async fn check_known(room: &Shared, house: &str) -> Result<(), Problem> {
    let Err(unknown) = Catalog::shipped().house(house).map(|_| ()) else { return Ok(()) };
    let mut after = String::new();
    loop {
        let page = room.store().tables(&after, PAGE).await?;
        if page.iter().any(|row| row.house == house) {
            return Ok(());
        }
        match page.last() {
            Some(last) => after.clone_from(&last.table),
            None => return Err(Problem::new(Code::NoSuchHouse, unknown.to_string())),
        }
    }
}

/// Open a house again
#[utoipa::path(
    delete, path = "/api/operator/houses/{house}/closed", tag = "operator",
    params(("house" = String, Path, description = "The id of the house")),
    responses((status = 200, body = Touched, description = "How many tables go on"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn open_house(
    State(room): State<Room>,
    Operator(operator): Operator,
    Path(house): Path<String>,
) -> Result<Json<Touched>, Problem> {
    if !room.store().discard(CLOSED_HOUSES, &house).await? {
        return Err(Problem::new(Code::NoSuchHouse, "this house is not closed"));
    }
    let what = json!({ "house": house, "operator": operator.name });
    room.note("house-opened", &operator.player, what).await;
    let closed = |table: &Table| table.paused() == Some(HOUSE_CLOSED);
    Ok(Json(at_tables_of(&room, &house, &Command::Resume, closed).await?))
}

/// Orders something at all open tables of a house that it is right for. A table where it fails
/// keeps it from none of the others, and is told of.
async fn at_tables_of(
    room: &Shared,
    house: &str,
    command: &Command,
    right: impl Fn(&Table) -> bool,
) -> Result<Touched, Problem> {
    let (mut after, mut touched) = (String::new(), Touched::default());
    loop {
        let page = room.store().tables(&after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.table);
        for row in page.into_iter().filter(|row| row.house == house && !row.closed) {
            let done = match room.floor.table(&row.table).await {
                Ok(table) if !right(&table) => continue,
                Ok(_) => room.floor.command(&row.table, command.clone(), None, room.now()).await,
                Err(error) => Err(error),
            };
            match done {
                Ok(_) => touched.tables += 1,
                // It has just closed, or somebody else did the same.
                Err(FloorError::Refused(_)) => {}
                Err(error) => {
                    tracing::warn!(%error, table = row.table, "a table could not be reached");
                    if error.is_of_table() {
                        room.trouble(&row.table, &error.to_string()).await;
                    }
                    touched.failed.insert(row.table, Problem::from(error).detail);
                }
            }
        }
    }
    Ok(touched)
}

/// Somebody, as an operator sees him.
#[derive(Debug, Serialize, ToSchema)]
struct PlayerAnswer {
    /// His id.
    player: String,
    /// His name.
    name: String,
    /// What kind of player he is.
    kind: Kind,
    /// His chips, in cents.
    chips: i64,
    /// What he has in play, in cents.
    in_play: i64,
    /// The tables he sits at.
    tables: Vec<String>,
    /// Since when he is known, in milliseconds since 1970.
    since: i64,
    /// When he logged in last.
    last_login: Option<i64>,
    /// Why he may not play any more.
    banned: Option<String>,
}

/// Finds a player by his id or his name.
async fn find(room: &Shared, who: &str) -> Result<String, Problem> {
    if let Some(found) = room.store().player(who).await? {
        return Ok(found.name);
    }
    Ok(people::named(room, who).await?.ok_or(Code::NoSuchPlayer)?)
}

async fn describe(room: &Shared, player: &str) -> Result<PlayerAnswer, Problem> {
    let (found, profile) = people::find(room, player).await?;
    let chips = room.store().balance(&Account::Player(player.to_owned())).await?;
    let seats = tables::seats_of(room, player).await?;
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
    params(("player" = String, Path, description = "His id or his name")),
    responses((status = 200, body = PlayerAnswer, description = "What is known of him"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn player(
    State(room): State<Room>,
    _operator: Operator,
    Path(who): Path<String>,
) -> Result<Json<PlayerAnswer>, Problem> {
    let player = find(&room, &who).await?;
    Ok(Json(describe(&room, &player).await?))
}

/// A correction.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Adjustment {
    /// By how much he has more, or less if it is below zero, in cents.
    #[schema(schema_with = not_zero)]
    amount: i64,
    /// Why.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
    )]
    reason: String,
}

/// Describes an amount that corrects something.
fn not_zero() -> Schema {
    let between = |least: isize, most: isize| {
        let whole = ObjectBuilder::new().schema_type(Type::Integer);
        whole.minimum(Some(least)).maximum(Some(most))
    };
    let words = "By how much he has more, or less if it is below zero, in cents.";
    let either =
        OneOfBuilder::new().item(between(-1_000_000_000, -1)).item(between(1, 1_000_000_000));
    Schema::OneOf(either.description(Some(words)).build())
}

/// Correct a balance
///
/// By another entry in the ledger: none is ever changed. It takes an `Idempotency-Key`, so that a
/// correction that is sent twice is made once.
#[utoipa::path(
    post, path = "/api/operator/players/{player}/adjustments", tag = "operator",
    request_body = Adjustment,
    params(
        ("player" = String, Path, description = "His id or his name"),
        ("Idempotency-Key" = String, Header, description = "Made up for this correction alone",
            min_length = 1, max_length = 200, pattern = "^[!-~]+$"),
    ),
    responses((status = 200, body = PlayerAnswer, description = "What he has now"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn adjust(
    State(room): State<Room>,
    Operator(operator): Operator,
    Path(who): Path<String>,
    headers: HeaderMap,
    Json(adjustment): Json<Adjustment>,
) -> Result<Json<PlayerAnswer>, Problem> {
    let key = tables::key(&headers, &operator.player)?
        .ok_or_else(|| Problem::new(Code::BadKey, "a correction takes a header Idempotency-Key"))?;
    let Adjustment { amount, reason } = adjustment;
    let reason = Because { reason }.reason()?;
    if amount == 0 || amount.unsigned_abs() > 1_000_000_000 {
        let words = "the amount is not zero, and at most 1000000000 either way";
        return Err(Problem::new(Code::Malformed, words));
    }
    let player = find(&room, &who).await?;
    let before = room.store().balance(&Account::Player(player.clone())).await?;
    let issue = Account::Issue(player.clone());
    let own = Account::Player(player.clone());
    let (from, to) = if amount > 0 { (issue, own) } else { (own, issue) };
    if amount > 0 && before.as_cents().saturating_add(amount) > MOST_CHIPS.as_cents() {
        return Err(Refusal::TooManyChips.into());
    }
    let body = json!({ "player": player, "amount": amount, "reason": reason }).to_string();
    let transfer = Transfer {
        key: format!("adjust/{player}/{}", Hash::of(format!("{key:?}").as_bytes())),
        from,
        to,
        amount: Amount::cents(amount.abs()),
    };
    let answered = Answered { key, body: Hash::of(body.as_bytes()), answer: "{}".to_owned() };
    let written = room.store().transfer(vec![transfer], room.now(), Some(answered)).await;
    if written? == Written::Now {
        room.grants.fetch_add(1, Ordering::Relaxed);
        let what = json!({
            "player": player, "amount": amount, "before": before, "reason": reason,
            "operator": operator.name,
        });
        room.note("balance-adjusted", &operator.player, what).await;
    }
    Ok(Json(describe(&room, &player).await?))
}

/// Ban a player
///
/// His sessions end, he leaves his tables, and he cannot log in any more. His chips stay his.
#[utoipa::path(
    put, path = "/api/operator/players/{player}/ban", tag = "operator", request_body = Because,
    params(("player" = String, Path, description = "His id or his name")),
    responses((status = 200, body = PlayerAnswer, description = "What is known of him"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn ban(
    State(room): State<Room>,
    Operator(operator): Operator,
    Path(who): Path<String>,
    Json(because): Json<Because>,
) -> Result<Json<PlayerAnswer>, Problem> {
    let (player, reason) = (find(&room, &who).await?, because.reason()?);
    if player == operator.player {
        return Err(Code::NotPlayer.into());
    }
    people::change(&room, &player, |profile| {
        profile.banned = Some(reason.clone());
        Ok(())
    })
    .await?;
    session::end_all(&room, &player).await?;
    for seat in tables::seats_of(&room, &player).await? {
        tables::leave(&room, &seat.table, &player).await?;
    }
    let what = json!({ "player": player, "reason": reason, "operator": operator.name });
    room.note("player-banned", &operator.player, what).await;
    Ok(Json(describe(&room, &player).await?))
}

/// Let a player play again
#[utoipa::path(
    delete, path = "/api/operator/players/{player}/ban", tag = "operator",
    params(("player" = String, Path, description = "His id or his name")),
    responses((status = 200, body = PlayerAnswer, description = "What is known of him"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn unban(
    State(room): State<Room>,
    Operator(operator): Operator,
    Path(who): Path<String>,
) -> Result<Json<PlayerAnswer>, Problem> {
    let player = find(&room, &who).await?;
    people::change(&room, &player, |profile| {
        profile.banned = None;
        Ok(())
    })
    .await?;
    let what: Value = json!({ "player": player, "operator": operator.name });
    room.note("player-unbanned", &operator.player, what).await;
    Ok(Json(describe(&room, &player).await?))
}
