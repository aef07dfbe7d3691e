//! Guests and accounts: who somebody is, what he has, and what is known of him.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use croupier_rules::Amount;
use croupier_store::{CommandKey, Paper, Player, Request, Store, StoreError, Written};
use croupier_table::{Account, LedgerError, Time, Transfer};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::chance;
use crate::extract::Json;
use crate::guard::ClientAddress;
use crate::login::{By, Credentials, prove};
use crate::problem::{Code, Problem, Problems};
use crate::room::{Room, Shared};
use crate::session::{self, Kind, Visitor};
use crate::{bots, departure, device, history, lobby, once, storage, tables};

/// What a guest begins with, and what somebody is given who has run out.
const CHIPS: Amount = Amount::cents(100_000);

/// Below how much somebody has run out.
const RUN_OUT: Amount = Amount::cents(10_000);

const HOUR: i64 = 3_600_000;

/// How often an account that others move at the same time is looked at again.
const GRANT_ATTEMPTS: usize = 16;

/// The drawer of names: which player has one. Names differ in more than capitals.
pub(crate) const NAMES: &str = "names";

/// How long a name is remembered without looking it up again.
const NAME_LASTS: i64 = 60_000;

/// Names that would pass for somebody who runs the place, or for nobody in particular.
const RESERVED: [&str; 13] = [
    "admin",
    "administrator",
    "bank",
    "bot",
    "croupier",
    "dealer",
    "guest",
    "house",
    "moderator",
    "operator",
    "somebody",
    "support",
    "system",
];

/// What is known of a player, as the store keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Profile {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// What is kept of the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) password: Option<String>,
    /// Why he may not play any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) banned: Option<String>,
    /// How often he was given chips, and when in the last hour.
    #[serde(default)]
    pub(crate) given: u64,
    #[serde(default)]
    pub(crate) given_at: Vec<Time>,
    /// When he logged in last, and the time before that.
    #[serde(default)]
    pub(crate) logged_in: Option<Time>,
    #[serde(default)]
    pub(crate) logged_in_before: Option<Time>,
}

impl Profile {
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }
}

/// Somebody, as the store has him and as it is read.
pub(crate) async fn find(room: &Shared, player: &str) -> Result<(Player, Profile), Problem> {
    let found = room.store().player(player).await?.ok_or(Code::NoSuchPlayer)?;
    let profile = serde_json::from_str(&found.profile).map_err(|error| {
        tracing::error!(%error, player, "a profile cannot be read");
        Problem::from(Code::Fault)
    })?;
    Ok((found, profile))
}

/// Changes what is known of somebody, unless somebody else just did.
pub(crate) async fn change(
    room: &Shared,
    player: &str,
    change: impl Fn(&mut Profile) -> Result<(), Problem>,
) -> Result<Profile, Problem> {
    for _ in 0..8 {
        let (found, mut profile) = find(room, player).await?;
        change(&mut profile)?;
        match room.store().set_profile(player, &found.profile, &profile.text()).await {
            Err(StoreError::Conflict) => {}
            Err(error) => return Err(error.into()),
            Ok(false) => return Err(Code::NoSuchPlayer.into()),
            Ok(true) => return Ok(profile),
        }
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}

/// Returns the player who has a name, if there is one.
pub(crate) async fn named(room: &Shared, name: &str) -> Result<Option<String>, Problem> {
    if !is_name(name) {
        return Ok(None);
    }
    let paper = room.store().paper(NAMES, &name.to_ascii_lowercase()).await?;
    Ok(paper.map(|paper| paper.owner))
}

/// Returns the name of a player, to be shown to others.
pub(crate) async fn name_of(room: &Shared, player: &str) -> Arc<str> {
    if let Some(name) = bots::name_of(player) {
        return name.into();
    }
    let now = room.now();
    if let Some((name, at)) = room.names.get(player)
        && now.as_millis() - at.as_millis() < NAME_LASTS
    {
        return name;
    }
    let name: Arc<str> = match find(room, player).await {
        Ok((_, profile)) => profile.name.into(),
        Err(problem) if problem.code == Code::NoSuchPlayer.name() => "somebody".into(),
        // It is the database that is gone, and not he: what was known will do, and is not kept.
        Err(_) => return room.names.get(player).map_or("somebody".into(), |(name, _)| name),
    };
    room.names.insert(player.to_owned(), (Arc::clone(&name), now));
    name
}

/// Tells whether somebody can have this name.
pub(crate) fn is_name(name: &str) -> bool {
    let fit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (2..=24).contains(&name.len())
        && name.bytes().all(fit)
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// Tells whether somebody may choose this name.
pub(crate) fn check_name(name: &str) -> Result<(), Problem> {
    if !is_name(name) {
        let words = "a name has 2 to 24 letters, digits, - and _, and begins with a letter";
        return Err(Problem::new(Code::BadName, words));
    }
    let plain: String =
        name.to_ascii_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let stem = plain.trim_end_matches(|last: char| last.is_ascii_digit());
    // A name that looks like an id would be taken for whom it belongs to.
    let is_id = ["p-", "bot-"].iter().any(|id| name.to_ascii_lowercase().starts_with(id));
    if RESERVED.contains(&stem) || bots::has_name(stem) || plain.starts_with("guest") || is_id {
        return Err(Code::NameTaken.into());
    }
    Ok(())
}

pub(crate) fn router() -> OpenApiRouter<Room> {
    OpenApiRouter::new()
        .routes(routes!(begin_as_guest))
        .routes(routes!(me, delete_me))
        .routes(routes!(make_account))
        .routes(routes!(ask_for_chips))
        .routes(routes!(export_me))
}

/// How somebody wants to be known from one request to the next.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct GuestRequest {
    /// Programs say true and get a token to send as `Authorization: Bearer`; browsers get a cookie
    /// that no script can read.
    #[serde(default)]
    bearer: bool,
}

/// Somebody who has just come in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Welcome {
    #[serde(flatten)]
    me: Me,
    /// The token, if it was asked for. It is not shown again.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    /// What the device is known by, if a token was asked for and it is no guest's. A program that
    /// sends it along at the next login is not held up by others who fail under the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<String>,
}

/// How a person comes in.
#[derive(Debug)]
pub(crate) struct Way {
    /// Whether it is a program, which wants a token and no cookie.
    pub(crate) bearer: bool,
    /// The secret of a device that came along.
    pub(crate) device: Option<String>,
}

/// Who somebody is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Me {
    /// The id that tables and records know him by.
    #[schema(example = "p-7f3k2m9x4t8r2w5y")]
    player: String,
    /// The name that others see.
    #[schema(example = "guest-7f3k2m")]
    name: String,
    /// What kind of player he is.
    kind: Kind,
    /// His chips, in cents.
    #[schema(example = 100_000)]
    chips: i64,
    /// What he has in play at tables, in cents.
    in_play: i64,
    /// The tables he sits at.
    tables: Vec<String>,
    /// The tables that he opened and that are open.
    opened: Vec<String>,
    /// Since when he is known, in milliseconds since 1970.
    since: i64,
    /// When he logged in the time before.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_login: Option<i64>,
}

/// Returns what somebody has beside what is in play.
pub(crate) async fn chips(room: &Shared, player: &str) -> Result<Amount, Problem> {
    Ok(room.store().balance(&Account::Player(player.to_owned())).await?)
}

async fn describe(room: &Shared, player: &str) -> Result<Me, Problem> {
    let (found, profile) = find(room, player).await?;
    let chips = chips(room, player).await?;
    let seats = tables::seats_of(room, player).await?;
    let opened = lobby::opened_by(room, player).await?;
    Ok(Me {
        player: found.name,
        name: profile.name,
        kind: profile.kind,
        chips: chips.as_cents(),
        in_play: seats.iter().map(|seat| seat.in_play.as_cents()).sum(),
        tables: seats.into_iter().map(|seat| seat.table).collect(),
        opened: opened.iter().map(|table| table.name().to_owned()).collect(),
        since: found.since.as_millis(),
        previous_login: profile.logged_in_before.map(Time::as_millis),
    })
}

/// Answers somebody who has just come in, with a token or a cookie. If it was by a password, this
/// is what is kept of it.
pub(crate) async fn welcome(
    room: &Shared,
    status: StatusCode,
    (player, name, kind): (&str, &str, Kind),
    kept: Option<&str>,
    Way { bearer, device }: Way,
) -> Result<Response, Problem> {
    let token = session::begin(room, player, name, kind).await?;
    // A ban or another password ends the sessions that there are, and this one may have begun since
    // it was looked whether he may come in.
    let (_, profile) = find(room, player).await?;
    let why = match (&profile.banned, kept) {
        (Some(_), _) => Some(Code::Banned),
        (None, Some(_)) if profile.password.as_deref() != kept => Some(Code::WrongPassword),
        (None, _) => None,
    };
    if let Some(why) = why {
        session::end(room, &session::fingerprint(&token)).await?;
        return Err(why.into());
    }
    let me = describe(room, player).await?;
    let device = match kind {
        Kind::Guest => None,
        Kind::Account | Kind::Operator => {
            Some(device::remember(room, player, device.as_deref()).await?)
        }
    };
    if bearer {
        return Ok((status, Json(Welcome { me, token: Some(token), device })).into_response());
    }
    let mut response = (status, Json(Welcome { me, token: None, device: None })).into_response();
    let headers = response.headers_mut();
    headers.insert(header::SET_COOKIE, session::cookie(room, Some(&token), kind));
    if let Some(secret) = device {
        headers.append(header::SET_COOKIE, device::cookie(room, &secret));
    }
    Ok(response)
}

/// Begin as a guest
///
/// A guest has $1,000 in play chips, and is known by a cookie or token only.
#[utoipa::path(
    post, path = "/api/guests", tag = "people", request_body = GuestRequest,
    responses(
        (status = 201, body = Welcome, description = "Somebody new, and how he is known"),
        Problems,
    )
)]
async fn begin_as_guest(
    State(room): State<Room>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    Json(request): Json<GuestRequest>,
) -> Result<Response, Problem> {
    room.storage.check_total()?;
    room.gate.admit_guest(address)?;
    room.storage.admit(room.now(), address, None, storage::GUEST)?;
    let player = format!("p-{}", chance::name::<16>());
    let name = format!("guest-{}", &player[2..8]);
    add(&room, &player, &name, Kind::Guest, None).await?;
    give(&room, &player, 1).await?;
    let way = Way { bearer: request.bearer, device: None };
    welcome(&room, StatusCode::CREATED, (&player, &name, Kind::Guest), None, way).await
}

/// Adds a player.
pub(crate) async fn add(
    room: &Shared,
    player: &str,
    name: &str,
    kind: Kind,
    password: Option<String>,
) -> Result<(), Problem> {
    let since = room.now();
    let profile = Profile {
        name: name.to_owned(),
        kind,
        password,
        banned: None,
        given: 1,
        given_at: vec![since],
        logged_in: Some(since),
        logged_in_before: None,
    };
    let added = Player { name: player.to_owned(), since, profile: profile.text() };
    Ok(room.store().add_player(added).await?)
}

/// Gives somebody chips, once for each number however often it is asked.
async fn give(room: &Shared, player: &str, number: u64) -> Result<(), Problem> {
    match room.store().transfer(vec![issue(player, number)], room.now(), None).await {
        Ok(_) | Err(StoreError::Ledger(LedgerError::Repeated { .. })) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Returns what gives a player chips, by the number of times they were given any.
fn issue(player: &str, number: u64) -> Transfer {
    Transfer {
        key: format!("issue/{player}/{number}"),
        from: Account::Issue(player.to_owned()),
        to: Account::Player(player.to_owned()),
        amount: CHIPS,
    }
}

/// Who am I?
#[utoipa::path(
    get, path = "/api/me", tag = "people",
    responses(
        (status = 200, body = Me, description = "Who you are and what you have"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn me(State(room): State<Room>, visitor: Visitor) -> Result<Json<Me>, Problem> {
    Ok(Json(describe(&room, &visitor.player).await?))
}

/// Make an account
///
/// A guest becomes somebody with a name and a password, and keeps chips, seats and history. All his
/// sessions end, and a new one begins.
#[utoipa::path(
    post, path = "/api/me/account", tag = "people", request_body = Credentials,
    responses(
        (status = 201, body = Welcome, description = "The same player, under his name"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn make_account(
    State(room): State<Room>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    headers: HeaderMap,
    Json(request): Json<Credentials>,
) -> Result<Response, Problem> {
    if visitor.kind != Kind::Guest {
        return Err(Code::NotGuest.into());
    }
    check_name(&request.name)?;
    room.storage.check_total()?;
    room.storage.admit(room.now(), address, Some(&visitor.player), storage::ACCOUNT)?;
    room.passwords.check(address, &request.password, &request.name).await?;
    let hash = room.passwords.hash(address, &request.password).await?;
    take_name(&room, &request.name, &visitor.player).await?;
    let player = visitor.player.clone();
    let changed = change(&room, &player, |profile| {
        if profile.kind != Kind::Guest {
            return Err(Code::NotGuest.into());
        }
        profile.name.clone_from(&request.name);
        profile.kind = Kind::Account;
        profile.password = Some(hash.clone());
        Ok(())
    });
    if let Err(problem) = changed.await {
        return Err(give_back(&room, &request.name, &player, problem).await);
    }
    room.names.remove(&player);
    session::end_all(&room, &player).await?;
    let who = (&*player, &*request.name, Kind::Account);
    // Who came with a token goes on with one.
    let bearer = request.bearer || !session::has_cookie(&headers);
    let device = device::presented(&room, &headers, None);
    welcome(&room, StatusCode::CREATED, who, Some(&hash), Way { bearer, device }).await
}

/// Gives a name back that was taken for an account which was not made, and returns why that was.
async fn give_back(room: &Shared, name: &str, player: &str, why: Problem) -> Problem {
    // It may have been made after all, by this request or by another at the same time.
    if why.code != Code::OutcomeUnknown.name()
        && let Ok((_, profile)) = find(room, player).await
        && !profile.name.eq_ignore_ascii_case(name)
    {
        let given_back = room.store().discard(NAMES, &name.to_ascii_lowercase()).await;
        if let Err(error) = given_back {
            tracing::warn!(%error, "a name could not be given back");
        }
    }
    why
}

/// Takes a name for a player. He may have it already, from an attempt that did not get further.
pub(crate) async fn take_name(room: &Shared, name: &str, player: &str) -> Result<(), Problem> {
    let paper = Paper {
        drawer: NAMES.to_owned(),
        key: name.to_ascii_lowercase(),
        owner: player.to_owned(),
        at: room.now(),
        until: None,
        text: name.to_owned(),
        revision: 0,
    };
    match room.store().file(paper).await {
        Ok(_) => Ok(()),
        Err(StoreError::Taken) if named(room, name).await?.as_deref() == Some(player) => Ok(()),
        Err(StoreError::Taken) => Err(Code::NameTaken.into()),
        Err(error) => Err(error.into()),
    }
}

/// Returns the request for chips that a player made under a key.
fn chips_request(key: CommandKey) -> Request {
    let what = json!({ "chips": key.sender });
    once::of(key, &what)
}

/// Fresh chips
///
/// For a player who has run out: less than $100, with what is in play. So often in an hour, and no
/// more. The same request with the same `Idempotency-Key` gives them once.
#[utoipa::path(
    post, path = "/api/me/chips", tag = "people", params(tables::Key),
    responses(
        (status = 200, body = Me, description = "You have $1,000 more"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn ask_for_chips(
    State(room): State<Room>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Json<Me>, Problem> {
    if visitor.kind == Kind::Operator {
        return Err(Code::NotPlayer.into());
    }
    let request = tables::key(&headers, &visitor.player)?.map(chips_request);
    for _ in 0..GRANT_ATTEMPTS {
        let granted = match once::before(&room, request.as_ref()).await? {
            Some(_) => true,
            None => match grant(&room, &visitor.player, request.as_ref()).await {
                // The same request may have been carried out at the same moment.
                Err(_) if once::before(&room, request.as_ref()).await?.is_some() => true,
                granted => granted?,
            },
        };
        if granted {
            room.grants.fetch_add(1, Ordering::Relaxed);
            return Ok(Json(describe(&room, &visitor.player).await?));
        }
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}

/// Gives chips to a player who has run out, and tells whether it did: their account may have
/// changed meanwhile, and then it has to be looked at again.
///
/// What they have in play changes without their account in one way only: a round takes it. So if
/// the account has not changed from before their tables were looked at until the chips are given,
/// they have no more then than was counted. The request is answered in the same transaction.
async fn grant(room: &Shared, player: &str, request: Option<&Request>) -> Result<bool, Problem> {
    let (_, known) = find(room, player).await?;
    let account = Account::Player(player.to_owned());
    let seen = room.store().standing(&account).await?;
    let seats = tables::seats_of(room, player).await?;
    let in_play: i64 = seats.iter().map(|seat| seat.in_play.as_cents()).sum();
    if seen.balance.as_cents().saturating_add(in_play) >= RUN_OUT.as_cents() {
        return Err(Code::ChipsLeft.into());
    }
    check_hour(room, &known)?;
    let number = known.given + 1;
    let answered = request.cloned().map(|request| request.answered(String::new()));
    let (grant, now) = (vec![issue(player, number)], room.now());
    let given = room.store().transfer_unless_changed(grant, now, &account, seen, answered).await;
    let is_given = match given {
        Ok(Written::Now) => true,
        Ok(Written::Before(_)) => return Ok(true),
        // Another request was first, or its node died before it could write it down.
        Err(StoreError::Ledger(LedgerError::Repeated { .. })) => false,
        Err(StoreError::Conflict) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    // There is no next number before this one is written down.
    change(room, player, |profile| {
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

/// Refuses chips to a player who was given as many times in the last hour as a player may be.
fn check_hour(room: &Shared, known: &Profile) -> Result<(), Problem> {
    let (now, most) = (room.now().as_millis(), room.config.limits.chips_per_hour as usize);
    let recent = known.given_at.iter().filter(|at| now - at.as_millis() < HOUR);
    if most == 0 || recent.clone().count() < most {
        return Ok(());
    }
    let first = recent.map(|at| at.as_millis()).min().unwrap_or(now);
    let wait = (first + HOUR - now).max(0).unsigned_abs() / 1000 + 1;
    Err(Problem::from(Code::TooSoon).retry_after(wait))
}

/// Everything that is known of me
///
/// One JSON object a line: who you are, your sessions, your devices, and every round that you
/// played, with its record.
#[utoipa::path(
    get, path = "/api/me/export", tag = "people",
    responses(
        (status = 200, body = String, content_type = "application/x-ndjson",
            description = "One JSON object a line"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn export_me(State(room): State<Room>, visitor: Visitor) -> Result<Response, Problem> {
    let me = describe(&room, &visitor.player).await?;
    let all = session::all(&room, &visitor.player).await?;
    let all: Vec<_> = all
        .iter()
        .map(|session| json!({ "since": session.since, "until": session.until }))
        .collect();
    let devices = device::all(&room, &visitor.player).await?;
    let devices: Vec<_> = devices
        .iter()
        .map(|paper| json!({ "logged_in": paper.at, "until": paper.until }))
        .collect();
    let head = format!("{}\n", json!({ "me": me, "sessions": all, "devices": devices }));
    let lines = history::lines(room, visitor.player.clone(), head);
    let kind = HeaderValue::from_static("application/x-ndjson");
    Ok(([(header::CONTENT_TYPE, kind)], axum::body::Body::from_stream(lines)).into_response())
}

/// What proves that somebody means it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Goodbye {
    /// The password, unless he is a guest.
    #[schema(max_length = 256)]
    password: Option<String>,
}

/// Delete me
///
/// Name, password, sessions and statistics are gone, and so are the chips. Rounds stay in the
/// journals of their tables, under an id that nobody can tell a name from any more.
#[utoipa::path(
    delete, path = "/api/me", tag = "people", request_body = Goodbye,
    responses(
        (status = 204, description = "You are gone"),
        Problems,
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn delete_me(
    State(room): State<Room>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    Json(request): Json<Goodbye>,
) -> Result<Response, Problem> {
    let password = request.password.unwrap_or_default();
    if password.chars().count() > 256 {
        return Err(Code::BadPassword.into());
    }
    let player = &visitor.player;
    // Who is half gone has no password any more, and nothing to lose but this session.
    let is_there = match find(&room, player).await {
        Ok(_) => true,
        Err(problem) if problem.code == Code::NoSuchPlayer.name() => false,
        Err(problem) => return Err(problem),
    };
    if is_there && visitor.kind != Kind::Guest {
        prove(&room, address, By::Session(player), &visitor.name, &password).await?;
    }
    departure::depart(&room, player).await?;
    let cookie = session::cookie(&room, None, visitor.kind);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

#[cfg(test)]
mod tests {
    use super::check_name;

    #[test]
    fn names_that_would_deceive_cannot_be_taken() {
        let shapes = ["a", "1ann", "ann lee", "anń", "", "abcdefghijklmnopqrstuvwxy"];
        let people = ["Operator", "Admin-1", "guest-77", "Some-Body", "A_d_a", "sonja2"];
        let ids = ["p-7f3k2m9x4t8r2w5y", "P-7F3K2M9X4T8R2W5Y", "bot-0-k7m2xq4w9p3c"];
        for bad in shapes.iter().chain(&people).chain(&ids) {
            assert!(check_name(bad).is_err(), "{bad}");
        }
        for good in ["the", "Ann_Lee-7", "pat", "botany"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
    }
}
