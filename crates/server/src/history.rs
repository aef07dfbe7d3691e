//! Rounds that are over: whose they were, what they came to, and their records.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use croupier_rules::{Game, Telling};
use croupier_store::{PlayedRound, RoundPlace, RoundRow, Store, Undealt};
use croupier_table::{Time, is_bot};
use futures_util::stream::{Stream, unfold};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::analysis::GameName;
use crate::extract::{Json, Path, Query, short};
use crate::people;
use crate::problem::{Code, Problem, Problems};
use crate::room::{Room, Shared};
use crate::session::{Session, Visitor};
use crate::tables::{self, Invite};

/// How many rounds are told at a time.
const PAGE: usize = 50;

/// How many rounds are added up: so many pages, each so long.
const LOOK_BACK: usize = 10;
const LONG_PAGE: usize = 1_000;

pub(crate) fn router() -> OpenApiRouter<Room> {
    OpenApiRouter::new()
        .routes(routes!(my_rounds))
        .routes(routes!(my_records))
        .routes(routes!(my_statistics))
        .routes(routes!(table_rounds))
        .routes(routes!(record))
        .routes(routes!(told_round))
}

/// Where a page begins.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Before {
    /// The `next` of the page before.
    #[param(pattern = "^[0-9]{1,18}\\.[0-9A-Za-z_-]{1,64}\\.[0-9]{1,18}\\.[0-9]{1,9}$")]
    before: Option<String>,
}

/// A round that somebody played.
#[derive(Debug, Serialize, ToSchema)]
struct MyRound {
    /// The table.
    table: String,
    /// The number of the round there.
    round: u64,
    /// His seat.
    seat: u32,
    /// When it was over, in milliseconds since 1970.
    at: i64,
    /// The house it was played at.
    #[schema(example = "uth-standard")]
    house: String,
    /// The game, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<GameName>, nullable = false)]
    game: Option<&'static str>,
    /// Whether it was void.
    void: bool,
    /// Whether he banked.
    banked: bool,
    /// All that he staked or posted, in cents.
    staked: i64,
    /// What he won, or lost if it is below zero, in cents.
    net: i64,
}

impl MyRound {
    async fn new(room: &Shared, played: PlayedRound) -> Result<Self, Problem> {
        let PlayedRound { place, seat, house, void } = played;
        let listing = tables::listing(room, &place.table).await?;
        let listed = listing.and_then(|listing| Game::from_id(listing.game.as_deref()?));
        let known = || room.analyst.catalog().house(&house).ok().map(|house| house.game());
        Ok(Self {
            game: listed.or_else(known).map(Game::id),
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
    /// What the next page begins before; nothing, if there is none.
    next: Option<String>,
}

/// The end of time, before which all rounds are.
fn latest() -> RoundPlace {
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
    get, path = "/api/me/rounds", tag = "history", params(Before),
    responses((status = 200, body = MyRounds, description = "The latest first"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn my_rounds(
    State(room): State<Room>,
    visitor: Visitor,
    Query(Before { before }): Query<Before>,
) -> Result<Json<MyRounds>, Problem> {
    let before = match before {
        None => latest(),
        Some(text) => read_place(&text).ok_or_else(|| {
            Problem::new(Code::BadParameter, "before is the `next` of the page before")
        })?,
    };
    let page = room.store().rounds_of(&visitor.player, &before, PAGE).await?;
    let next = page.last().filter(|_| page.len() == PAGE).map(|last| write_place(&last.place));
    let mut rounds = Vec::with_capacity(page.len());
    for played in page {
        rounds.push(MyRound::new(&room, played).await?);
    }
    Ok(Json(MyRounds { rounds, next }))
}

/// The records of my rounds
///
/// One exported round a line, the latest first, as `croupier verify` and `/api/verify` take them.
#[utoipa::path(
    get, path = "/api/me/records", tag = "history",
    responses(
        (status = 200, body = String, content_type = "application/x-ndjson",
            description = "A record a line"),
        Problems
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn my_records(State(room): State<Room>, visitor: Visitor) -> Response {
    let lines = lines(room, visitor.player.clone(), String::new());
    let kind = HeaderValue::from_static("application/x-ndjson");
    ([(header::CONTENT_TYPE, kind)], Body::from_stream(lines)).into_response()
}

/// Returns the records of somebody's rounds, page by page, after a beginning.
pub(crate) fn lines(
    room: Room,
    player: String,
    head: String,
) -> impl Stream<Item = Result<String, std::io::Error>> {
    let start = (room, player, Some(latest()), head);
    unfold(start, |(room, player, before, head)| async move {
        let before = before?;
        let mut text = head;
        match page_of_records(&room, &player, &before, &mut text).await {
            Ok(next) => Some((Ok(text), (room, player, next, String::new()))),
            // What was sent so far must not pass for the whole.
            Err(problem) => {
                let error = std::io::Error::other(problem.detail);
                Some((Err(error), (room, player, None, String::new())))
            }
        }
    })
}

async fn page_of_records(
    room: &Shared,
    player: &str,
    before: &RoundPlace,
    text: &mut String,
) -> Result<Option<RoundPlace>, Problem> {
    let page = room.store().rounds_of(player, before, PAGE).await?;
    let mut last: Option<(&str, u64)> = None;
    for PlayedRound { place, .. } in &page {
        // Somebody with two seats has played one round.
        if last.replace((&place.table, place.round)) == Some((&place.table, place.round)) {
            continue;
        }
        match room.record(&place.table, place.round).await {
            Ok(Some(record)) => text.push_str(&record),
            Ok(None) => continue,
            // The damage of one table takes nothing else away, and does not pass for the record.
            Err(problem) if problem.code == Code::Fault.name() => {
                let line = json!({ "table": place.table, "round": place.round, "damaged": true });
                text.push_str(&line.to_string());
            }
            Err(problem) => return Err(problem),
        }
        text.push('\n');
    }
    Ok(page.last().filter(|_| page.len() == PAGE).map(|last| last.place.clone()))
}

/// What somebody's last ten thousand rounds came to.
#[derive(Debug, Default, Serialize, ToSchema)]
struct Statistics {
    /// The rounds he wagered in.
    rounds: u64,
    /// Those that he won something in.
    won: u64,
    /// The rounds he banked.
    banked: u64,
    /// All that he wagered, in cents.
    staked: i64,
    /// What he won or lost by it, in cents.
    net: i64,
    /// What he won or lost by banking, in cents.
    bank_net: i64,
    /// What the best of them came to, in cents: below zero, if all were lost.
    best: i64,
    /// What the worst of them came to, in cents.
    worst: i64,
}

/// My statistics
#[utoipa::path(
    get, path = "/api/me/statistics", tag = "history",
    responses((status = 200, body = Statistics, description = "What it came to"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn my_statistics(
    State(room): State<Room>,
    visitor: Visitor,
) -> Result<Json<Statistics>, Problem> {
    let mut sum = Statistics::default();
    let mut before = latest();
    for _ in 0..LOOK_BACK {
        let page = room.store().rounds_of(&visitor.player, &before, LONG_PAGE).await?;
        for played in &page {
            sum.add(played);
        }
        match page.last().filter(|_| page.len() == LONG_PAGE) {
            Some(last) => before = last.place.clone(),
            None => break,
        }
    }
    Ok(Json(sum))
}

impl Statistics {
    fn add(&mut self, PlayedRound { seat, .. }: &PlayedRound) {
        let (staked, net) = (seat.staked.as_cents(), seat.net.as_cents());
        if seat.banked {
            self.banked += 1;
            self.bank_net = self.bank_net.saturating_add(net);
            return;
        }
        if self.rounds == 0 {
            (self.best, self.worst) = (net, net);
        }
        self.rounds += 1;
        self.won += u64::from(net > 0);
        self.staked = self.staked.saturating_add(staked);
        self.net = self.net.saturating_add(net);
        self.best = self.best.max(net);
        self.worst = self.worst.min(net);
    }
}

/// A round of a table.
#[derive(Debug, Serialize, ToSchema)]
struct TableRound {
    /// The number of the round.
    round: u64,
    /// When it was over, in milliseconds since 1970.
    at: i64,
    /// Whether it was void.
    void: bool,
    /// Why no card was dealt, if none was. Then every stake went back, and there is no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    undealt: Option<String>,
    /// Who played.
    seats: Vec<TableRoundSeat>,
}

/// A seat in a round that is over.
#[derive(Debug, Serialize, ToSchema)]
struct TableRoundSeat {
    /// The seat.
    seat: u32,
    /// The id of who sat there.
    player: String,
    /// The name that others see.
    name: String,
    /// Whether it is a bot.
    bot: bool,
    /// Whether he banked.
    banked: bool,
    /// All that he staked or posted, in cents.
    staked: i64,
    /// What he won, or lost if it is below zero, in cents.
    net: i64,
}

/// Which rounds of a table.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RoundsBefore {
    /// Only rounds with a smaller number.
    #[param(minimum = 0)]
    before: Option<i64>,
    /// The invitation to a table that is entered by a link.
    #[serde(default, deserialize_with = "short")]
    #[param(max_length = 64)]
    invite: Option<String>,
}

/// The rounds of a table
///
/// At most fifty at a time. Every number is there up to the last round that has ended: a round that
/// ended before a card was dealt says why.
#[utoipa::path(
    get, path = "/api/tables/{table}/rounds", tag = "history",
    params(("table" = String, Path, description = "The table's name"), RoundsBefore),
    responses((status = 200, body = Vec<TableRound>, description = "The latest first"), Problems),
    security((), ("token" = []), ("cookie" = []))
)]
async fn table_rounds(
    State(room): State<Room>,
    visitor: Option<Visitor>,
    Path(name): Path<String>,
    Query(query): Query<RoundsBefore>,
) -> Result<Json<Vec<TableRound>>, Problem> {
    let table = tables::enter(&room, &name, visitor.as_deref(), query.invite.as_deref()).await?;
    let before = u64::try_from(query.before.unwrap_or(i64::MAX))
        .map_err(|_| Problem::new(Code::BadParameter, "before is the number of a round"))?;
    let end = before.min(table.round_number() + 1);
    let first = end.saturating_sub(PAGE as u64).max(1);
    let mut rounds = room.store().rounds_at(&name, end, PAGE).await?;
    rounds.retain(|row| row.round >= first);
    let dealt: BTreeSet<u64> = rounds.iter().map(|row| row.round).collect();
    let others: Vec<u64> = (first..end).filter(|number| !dealt.contains(number)).collect();
    let mut answer = Vec::with_capacity(PAGE);
    for row in rounds {
        answer.push(TableRound::dealt(&room, row).await);
    }
    if let (Some(&first), Some(&last)) = (others.first(), others.last()) {
        for undealt in room.floor.undealt(&name, first, last).await? {
            answer.push(TableRound::undealt(&room, undealt).await);
        }
    }
    answer.sort_by_key(|round| std::cmp::Reverse(round.round));
    Ok(Json(answer))
}

impl TableRound {
    async fn dealt(room: &Shared, row: RoundRow) -> Self {
        let RoundRow { round, at, void, seats: played, .. } = row;
        let mut seats = Vec::with_capacity(played.len());
        for seat in played {
            seats.push(TableRoundSeat {
                seat: seat.seat,
                name: people::name_of(room, &seat.player).await.to_string(),
                bot: is_bot(&seat.player),
                player: seat.player,
                banked: seat.banked,
                staked: seat.staked.as_cents(),
                net: seat.net.as_cents(),
            });
        }
        Self { round, at: at.as_millis(), void, undealt: None, seats }
    }

    async fn undealt(room: &Shared, undealt: Undealt) -> Self {
        let Undealt { round, at, reason, stakes, .. } = undealt;
        let mut seats = Vec::with_capacity(stakes.len());
        for stake in stakes {
            seats.push(TableRoundSeat {
                seat: stake.seat.number(),
                name: people::name_of(room, &stake.player).await.to_string(),
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
/// can be verified with nothing but itself. Of a round that ended before a card was dealt, it has
/// the seeds and the reason, in the format `croupier-undealt/1`. Every viewer of the table may have
/// it, and every player who was in the round.
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
    State(room): State<Room>,
    visitor: Option<Visitor>,
    Path((name, round)): Path<(String, u64)>,
    Query(Invite { invite }): Query<Invite>,
) -> Result<Response, Problem> {
    let found = find_round(&room, visitor.as_deref(), &name, round, invite.as_deref()).await?;
    let kind = HeaderValue::from_static("application/json");
    let text = match found {
        Ended::Dealt(record) => record.to_string(),
        Ended::Undealt(undealt) => undealt.export,
    };
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

/// A round in words
///
/// What happened, step by step, as a dealer would call it; what he would say at the end; and what
/// every wager came to, and why. Whoever may have the record may have it.
#[utoipa::path(
    get, path = "/api/tables/{table}/rounds/{round}/telling", tag = "history",
    params(
        ("table" = String, Path, description = "The table's name"),
        ("round" = u64, Path, description = "The number of the round"),
        Invite,
    ),
    responses((status = 200, body = Telling, description = "The round in words"), Problems),
    security((), ("token" = []), ("cookie" = []))
)]
async fn told_round(
    State(room): State<Room>,
    visitor: Option<Visitor>,
    Path((name, round)): Path<(String, u64)>,
    Query(Invite { invite }): Query<Invite>,
) -> Result<Response, Problem> {
    let found = find_round(&room, visitor.as_deref(), &name, round, invite.as_deref()).await?;
    let Ended::Dealt(found) = found else {
        let words = format!("round {round} was not dealt, so that there is nothing to tell");
        return Err(Problem::new(Code::NoSuchRound, words));
    };
    let told = room.telling(&room.table(&name).await?, round, &found)?;
    let kind = HeaderValue::from_static("application/json");
    Ok(([(header::CONTENT_TYPE, kind)], told.get().to_owned()).into_response())
}

/// A round that has ended.
enum Ended {
    /// This is its record.
    Dealt(Arc<str>),
    /// It ended before a card was dealt.
    Undealt(Undealt),
}

async fn find_round(
    room: &Shared,
    visitor: Option<&Session>,
    table: &str,
    round: u64,
    invite: Option<&str>,
) -> Result<Ended, Problem> {
    let round = Some(round).filter(|&round| i64::try_from(round).is_ok());
    let round = round.ok_or(Code::NoSuchRound)?;
    let admitted = tables::admits(room, table, visitor, invite).await?;
    if !admitted {
        let visitor = visitor.ok_or(Code::NoSuchTable)?;
        let played = match room.store().round(table, round).await? {
            Some(row) => row.seats.iter().any(|seat| seat.player == visitor.player),
            None => undealt(room, table, round).await?.is_some_and(|undealt| {
                undealt.stakes.iter().any(|stake| stake.player == visitor.player)
            }),
        };
        if !played {
            return Err(Code::NoSuchTable.into());
        }
    }
    if let Some(record) = room.record(table, round).await? {
        return Ok(Ended::Dealt(record));
    }
    match undealt(room, table, round).await? {
        Some(undealt) => Ok(Ended::Undealt(undealt)),
        None if room.store().table(table).await?.is_some() => Err(Code::NoSuchRound.into()),
        None => Err(Code::NoSuchTable.into()),
    }
}

/// Returns a round that ended before a card was dealt.
async fn undealt(room: &Shared, table: &str, round: u64) -> Result<Option<Undealt>, Problem> {
    Ok(room.floor.undealt(table, round, round).await?.pop())
}

#[cfg(test)]
mod tests {
    use croupier_rules::Amount;
    use croupier_store::{PlayedRound, RoundPlace, RoundSeat};
    use croupier_table::Time;

    use super::{Statistics, latest, read_place, write_place};

    #[test]
    fn the_best_round_of_a_player_who_only_lost_is_the_smallest_loss() {
        let mut sum = Statistics::default();
        for net in [-3_000, -1_000, -2_000] {
            let [ante, bonus, staked, net] = [500, 0, 1_000, net].map(Amount::cents);
            let player = "p-1".to_owned();
            let seat = RoundSeat { seat: 1, player, banked: false, ante, bonus, staked, net };
            let house = "uth-standard".to_owned();
            sum.add(&PlayedRound { place: latest(), seat, house, void: false });
        }
        assert_eq!((sum.best, sum.worst), (-1_000, -3_000));
    }

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
