//! One table: what a viewer may see of it, and what a player wants of it.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use croupier_rules::{Amount, Banking, Decision, House, Limits, Seat};
use croupier_store::{CommandKey, FloorError, Paper, Store, StoreError};
use croupier_table::{Awaited, Command, Hash, Refusal, RoundView, ShownEvent, Table, Time, is_bot};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use subtle::ConstantTimeEq;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::analysis::{GameName, LimitsFields, TablePlacard};
use crate::card_room;
use crate::departure;
use crate::extract::{Json, Path, Query, short};
use crate::guard::ClientAddress;
use crate::people;
use crate::problem::{Code, Problem, Problems};
use crate::room::{Room, Shared};
use crate::session::{Kind, Session, Visitor};
use crate::storage;

/// The drawer of who may enter which table. It keeps those of closed tables: their rounds can still
/// be looked at.
pub(crate) const LISTINGS: &str = "listings";

/// The drawer of public tables that are open, with the house they play. It may have some that have
/// just closed.
pub(crate) const OPEN: &str = "open-tables";

/// The same of tables that are entered by a link. There may be many of them, and the lobby has not
/// to look through them.
pub(crate) const OPEN_BY_LINK: &str = "open-tables-by-link";

/// The drawer of who sits at which table. It may name tables that somebody has left, and never
/// lacks one at which he sits.
const SEATS: &str = "seats";

/// How many tables somebody can sit at, and how many are read at a time.
const MOST_SEATS: usize = 32;

/// How often it is tried to write a seat down that others write at the same time.
const NOTE_ATTEMPTS: usize = 16;

/// How a table is found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Listing {
    /// Who opened it.
    #[serde(skip)]
    pub(crate) host: String,
    /// What it is called.
    pub(crate) title: String,
    /// Whether anybody may enter.
    pub(crate) public: bool,
    /// What others enter with, if not.
    pub(crate) invite: String,
    /// What it plays.
    pub(crate) house: String,
    pub(crate) bonus: Option<String>,
    /// The game of that. Listings of old do not have it.
    #[serde(default)]
    pub(crate) game: Option<String>,
}

impl Listing {
    pub(crate) fn read(paper: &Paper) -> Option<Self> {
        let listing: Self = serde_json::from_str(&paper.text).ok()?;
        Some(Self { host: paper.owner.clone(), ..listing })
    }

    /// Tells whether it lists what another does: the invitation alone is drawn for each attempt.
    pub(crate) fn is_for(&self, other: &Self) -> bool {
        let Self { host, title, public, invite: _, house, bonus, game: _ } = self;
        (host, title, public) == (&other.host, &other.title, &other.public)
            && (house, bonus) == (&other.house, &other.bonus)
    }

    /// Tells whether somebody may close the table: whoever opened it, unless it is public and
    /// others sit there.
    fn may_be_closed(&self, table: &Table, player: &str) -> bool {
        self.host == player && !table.is_closing() && !(self.public && table.others_sit(player))
    }

    /// Returns what is written down when a table is opened.
    pub(crate) fn papers(&self, table: &str, room: &Shared) -> [Paper; 2] {
        let paper = |drawer: &str, text: String| Paper {
            drawer: drawer.to_owned(),
            key: table.to_owned(),
            owner: self.host.clone(),
            at: room.now(),
            until: None,
            text,
            revision: 0,
        };
        let text = serde_json::to_string(self).expect("plain data");
        let open = if self.public { OPEN } else { OPEN_BY_LINK };
        [paper(LISTINGS, text), paper(open, self.house.clone())]
    }
}

/// Returns how a table is found. One that was never listed is nobody's but the operator's.
pub(crate) async fn listing(room: &Shared, table: &str) -> Result<Option<Arc<Listing>>, Problem> {
    if let Some(listing) = room.listings.get(table) {
        return Ok(Some(listing));
    }
    let Some(paper) = room.store().paper(LISTINGS, table).await? else { return Ok(None) };
    let Some(listing) = Listing::read(&paper).map(Arc::new) else {
        room.trouble(table, "its listing cannot be read").await;
        return Ok(None);
    };
    room.listings.insert(table.to_owned(), Arc::clone(&listing));
    Ok(Some(listing))
}

/// Tells whether somebody may look at a table, and sit down there.
pub(crate) async fn admits(
    room: &Shared,
    table: &str,
    visitor: Option<&Session>,
    invite: Option<&str>,
) -> Result<bool, Problem> {
    if visitor.is_some_and(|visitor| visitor.kind == Kind::Operator) {
        return Ok(true);
    }
    let Some(listing) = listing(room, table).await? else { return Ok(false) };
    let invited =
        || invite.is_some_and(|invite| invite.as_bytes().ct_eq(listing.invite.as_bytes()).into());
    let host = visitor.is_some_and(|visitor| visitor.player == listing.host);
    Ok(listing.public || host || invited())
}

/// Returns a table, if somebody may look at it. To who may not, there is no such table.
pub(crate) async fn enter(
    room: &Shared,
    name: &str,
    visitor: Option<&Session>,
    invite: Option<&str>,
) -> Result<Table, Problem> {
    let table = room.table(name).await?;
    if visitor.is_some_and(|visitor| sits(&table, &visitor.player))
        || admits(room, name, visitor, invite).await?
    {
        return Ok(table);
    }
    // Who has just left may ask again what came of it.
    if let Some(visitor) = visitor {
        let key = format!("{}/{name}", visitor.player);
        if room.store().paper(SEATS, &key).await?.is_some() {
            return Ok(table);
        }
    }
    Err(Code::NoSuchTable.into())
}

/// Tells whether somebody sits at a table.
pub(crate) fn sits(table: &Table, player: &str) -> bool {
    table.seats().iter().any(|sitter| sitter.player == player)
}

/// Where somebody sits.
pub(crate) struct SeatOf {
    pub(crate) table: String,
    /// What he has in play there.
    pub(crate) in_play: Amount,
}

/// Returns the tables at which somebody sits.
pub(crate) async fn seats_of(room: &Shared, player: &str) -> Result<Vec<SeatOf>, Problem> {
    let mut seats = Vec::new();
    for paper in seat_papers(room, player).await? {
        let name = paper.text.clone();
        let table = match room.table(&name).await {
            Ok(table) => Some(table).filter(|table| !table.is_closed()),
            Err(problem) if problem.code == Code::NoSuchTable.name() => None,
            // A table that cannot be read is for an operator to look at, and keeps no player from
            // the others.
            Err(problem) if problem.code == Code::Fault.name() => continue,
            Err(problem) => return Err(problem),
        };
        match table.filter(|table| sits(table, player)) {
            Some(table) => seats.push(SeatOf { in_play: in_play(&table, player), table: name }),
            None if room.now().as_millis() - paper.at.as_millis() > 60_000 => {
                let gone = Paper { until: Some(room.now()), text: name, ..paper };
                match room.store().file(gone).await {
                    // It goes when papers are tidied up, unless the player sits down before.
                    Ok(_) | Err(StoreError::Conflict) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            // He may be about to sit down.
            None => {}
        }
    }
    Ok(seats)
}

/// Returns what is written of where somebody sits. Those who sit down everywhere at once may have
/// more of it than there can be seats, and money at every one.
async fn seat_papers(room: &Shared, player: &str) -> Result<Vec<Paper>, Problem> {
    let mut all: Vec<Paper> = Vec::new();
    loop {
        let after = all.last().map_or("", |last| &last.key);
        let page = room.store().papers_of(SEATS, player, after, MOST_SEATS).await?;
        let more = page.len() == MOST_SEATS;
        all.extend(page);
        if !more {
            return Ok(all);
        }
    }
}

/// Returns what somebody has in play at a table, of the chips that count everywhere.
fn in_play(table: &Table, player: &str) -> Amount {
    if table.terms().practice_chips().is_some() {
        return Amount::ZERO;
    }
    let Some(round) = table.view(Some(player)).round else { return Amount::ZERO };
    let own: Vec<Seat> = table
        .seats()
        .iter()
        .filter(|sitter| sitter.player == player)
        .map(|sitter| sitter.seat)
        .collect();
    let staked = round.hands.iter().filter(|hand| own.contains(&hand.seat)).map(|hand| {
        let stakes = &hand.stakes;
        let all = [stakes.ante, stakes.blind, stakes.play, stakes.bonus];
        all.map(Amount::as_cents).iter().sum::<i64>()
    });
    let posted = round.banker.filter(|bank| own.contains(&bank.seat));
    let posted = posted.map_or(0, |bank| bank.wager.as_cents());
    Amount::cents(staked.sum::<i64>() + posted)
}

/// Writes down that somebody is about to sit at a table.
pub(crate) async fn note_seat(room: &Shared, player: &str, table: &str) -> Result<(), Problem> {
    let key = format!("{player}/{table}");
    for _ in 0..NOTE_ATTEMPTS {
        let revision = room.store().paper(SEATS, &key).await?.map_or(0, |paper| paper.revision);
        if revision == 0
            && room.store().papers_of(SEATS, player, "", MOST_SEATS).await?.len() == MOST_SEATS
            && seats_of(room, player).await?.len() >= MOST_SEATS
        {
            let words = format!("nobody sits at more than {MOST_SEATS} tables: leave one first");
            return Err(Problem::new(Code::TooManyTables, words));
        }
        let (drawer, owner) = (SEATS.to_owned(), player.to_owned());
        let (at, text, key) = (room.now(), table.to_owned(), key.clone());
        let paper = Paper { drawer, key, owner, at, until: None, text, revision };
        match room.store().file(paper).await {
            Ok(_) => return Ok(()),
            // Another request has just written it, or found it out of use: it may go away.
            Err(StoreError::Taken | StoreError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}

/// Makes a player leave all their seats at a table, each at once or after the round.
pub(crate) async fn leave(room: &Shared, table: &str, player: &str) -> Result<(), Problem> {
    let known = room.table(table).await?;
    for sitter in known.seats().iter().filter(|sitter| sitter.player == player) {
        let leave = Command::Leave { seat: sitter.seat, player: player.to_owned() };
        // The seat may be leaving already.
        if let Err(error) = room.floor.command(table, leave, None, room.now()).await {
            let problem = Problem::from(error);
            if problem.status != StatusCode::CONFLICT.as_u16() {
                return Err(problem);
            }
        }
    }
    Ok(())
}

/// Discards what is written of somebody's seat at a table.
pub(crate) async fn forget_seat(room: &Shared, player: &str, table: &str) -> Result<(), Problem> {
    room.store().discard(SEATS, &format!("{player}/{table}")).await?;
    Ok(())
}

pub(crate) fn router() -> OpenApiRouter<Room> {
    OpenApiRouter::new()
        .routes(routes!(state))
        .routes(routes!(terms))
        .routes(routes!(placard))
        .routes(routes!(command))
}

/// What opens a table that is not public.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Invite {
    /// The invitation to a table that is entered by a link.
    #[serde(default, deserialize_with = "short")]
    #[param(max_length = 64)]
    pub(crate) invite: Option<String>,
}

/// All that a viewer may see of a table.
#[derive(Debug, Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a plain fact about the table")]
pub(crate) struct TableState {
    /// What time it is, in milliseconds since 1970: deadlines are told by the same clock.
    now: i64,
    /// The table's name.
    #[schema(example = "k7m2xq4w9p3c")]
    table: String,
    /// What it is called.
    title: String,
    /// Whether anybody may enter.
    public: bool,
    /// What others enter with, for those who may ask them in.
    #[serde(skip_serializing_if = "Option::is_none")]
    invite: Option<String>,
    /// The version of its journal that this shows.
    pub(crate) version: u64,
    /// The house it plays.
    #[schema(example = "uth-standard")]
    house: String,
    /// What the house is called.
    house_title: String,
    /// Whether the house is the host's own, and none of those that come with the program.
    own_house: bool,
    /// Whether a bot of the room may bank: the table was opened for practice.
    practice_bank: bool,
    /// Whether it plays with practice chips. Every player gets some with a seat and has more when
    /// they run out. They never leave the table.
    practice_chips: bool,
    /// Whether it waits for another player because none of those who sit there may bank.
    needs_banker: bool,
    /// The card room's bonus pay table, where players bank and this table pays by another.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    card_room_paytable: Option<String>,
    /// What is printed on the felt: with which hands the dealer plays.
    #[schema(example = "The dealer needs a pair or better to qualify")]
    inscription: String,
    /// The game.
    #[schema(value_type = GameName)]
    game: &'static str,
    /// The bonus it offers.
    bonus_paytable: Option<String>,
    /// What the bonus is called on the felt.
    #[schema(value_type = String, example = "Trips")]
    bonus_name: &'static str,
    /// What may be wagered.
    #[schema(value_type = LimitsFields)]
    limits: Limits,
    /// Whether a player banks.
    player_banked: bool,
    /// How many seats it has.
    seat_count: u32,
    /// What you have beside what is in play, in cents, if you sit there: practice chips, where the
    /// table plays with those. What happened elsewhere may show some seconds later.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    chips: Option<i64>,
    /// Whether it has clocks.
    clocks: bool,
    /// Why it is paused, if it is.
    paused: Option<String>,
    /// Whether it is closed for good.
    closed: bool,
    /// Whether you may close it.
    may_close: bool,
    /// When it does something by itself: somebody is out of time, or the next round opens.
    deadline: Option<i64>,
    /// Who sits where.
    seats: Vec<SeatState>,
    /// The number of the open round, or of the last one.
    round_number: u64,
    /// The open round.
    round: Option<RoundView>,
}

/// Somebody at a table.
#[derive(Debug, Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a plain fact about the seat")]
struct SeatState {
    /// The seat.
    #[schema(minimum = 1, maximum = 8)]
    seat: u32,
    /// The id that records know him by.
    player: String,
    /// The name that others see.
    name: String,
    /// Whether it is a bot.
    bot: bool,
    /// Whether he sits out.
    out: bool,
    /// Whether he leaves after the round.
    leaving: bool,
    /// Whether he is who looks.
    you: bool,
    /// What the table waits for from this seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    awaits: Option<Awaits>,
}

/// What a table waits for from a seat.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Awaits {
    /// That it takes the bank, or passes.
    Bank,
    /// That it wagers.
    Wager,
    /// That it shows the seed that it committed to.
    Seed,
    /// That it decides.
    Decision,
}

impl From<Awaited> for Awaits {
    fn from(awaited: Awaited) -> Self {
        match awaited {
            Awaited::Bank => Self::Bank,
            Awaited::Wager => Self::Wager,
            Awaited::Seed => Self::Seed,
            Awaited::Decision => Self::Decision,
        }
    }
}

/// Tells whether a house is of a player's own making: it is not the one that comes with the program
/// under this id.
pub(crate) fn is_own(room: &Shared, house: &House) -> bool {
    let shipped = room.analyst.catalog().house_of(house.id(), house.edition());
    shipped.map_or(true, |shipped| *shipped != *house)
}

/// Returns a table as somebody may see it, or as anybody may who only watches.
pub(crate) async fn view(
    room: &Shared,
    table: &Table,
    player: Option<&str>,
) -> Result<TableState, Problem> {
    let chips = match player.filter(|player| sits(table, player)) {
        Some(player) => Some(chips_at(room, table, player).await?),
        None => None,
    };
    view_with(room, table, player, chips).await
}

/// Returns the chips that a player has to play with at a table: practice chips, where the table
/// plays with those, or the chips of the player's account.
pub(crate) async fn chips_at(
    room: &Shared,
    table: &Table,
    player: &str,
) -> Result<Amount, Problem> {
    match table.practice_chips(player) {
        Some(chips) => Ok(chips),
        None => people::chips(room, player).await,
    }
}

/// Returns the same for somebody of whom it is known what he has.
///
/// Whatever is told of a table comes from its own view, which has nothing in it that this viewer
/// may not see.
pub(crate) async fn view_with(
    room: &Shared,
    table: &Table,
    player: Option<&str>,
    chips: Option<Amount>,
) -> Result<TableState, Problem> {
    let view = table.view(player);
    let mut seats = Vec::new();
    for sitter in view.seats {
        seats.push(SeatState {
            seat: sitter.seat.number(),
            name: people::name_of(room, &sitter.player).await.to_string(),
            bot: is_bot(&sitter.player),
            player: sitter.player,
            out: sitter.out,
            leaving: sitter.leaving,
            you: sitter.you,
            awaits: table.awaits(sitter.seat).map(Awaits::from),
        });
    }
    let listing = listing(room, &view.table).await?;
    let may_invite = |listing: &Listing| {
        !listing.public && (seats.iter().any(|seat| seat.you) || player == Some(&listing.host))
    };
    let house = table.terms().house();
    let may_close = listing
        .as_ref()
        .zip(player)
        .is_some_and(|(listing, player)| listing.may_be_closed(table, player));
    Ok(TableState {
        now: room.now().as_millis(),
        table: view.table,
        title: listing.as_ref().map_or_else(String::new, |listing| listing.title.clone()),
        public: listing.as_ref().is_some_and(|listing| listing.public),
        invite: listing.filter(|listing| may_invite(listing)).map(|found| found.invite.clone()),
        version: view.version,
        house: view.house,
        house_title: house.title().to_owned(),
        own_house: is_own(room, house),
        practice_bank: table.terms().bots_may_bank(),
        practice_chips: table.terms().practice_chips().is_some(),
        needs_banker: table.needs_banker(),
        card_room_paytable: card_room::differs_from(&room.config, table.terms())
            .map(ToOwned::to_owned),
        inscription: house.inscription(),
        game: house.game().id(),
        bonus_paytable: view.bonus_paytable,
        bonus_name: house.game().def().bonus,
        limits: *house.limits(),
        player_banked: house.banking() != Banking::House,
        seat_count: house.seats(),
        chips: chips.map(Amount::as_cents),
        clocks: view.clocks,
        paused: view.paused,
        closed: view.closed,
        may_close,
        deadline: view.deadline.map(Time::as_millis),
        seats,
        round_number: view.round_number,
        round: view.round,
    })
}

/// A table
#[utoipa::path(
    get, path = "/api/tables/{table}", tag = "tables",
    params(("table" = String, Path, description = "The table's name"), Invite),
    responses((status = 200, body = TableState, description = "All that you may see"), Problems),
    security((), ("token" = []), ("cookie" = []))
)]
async fn state(
    State(room): State<Room>,
    visitor: Option<Visitor>,
    Path(name): Path<String>,
    Query(Invite { invite }): Query<Invite>,
) -> Result<Json<TableState>, Problem> {
    let visitor = visitor.as_deref();
    let table = enter(&room, &name, visitor, invite.as_deref()).await?;
    let player = visitor.map(|visitor| &*visitor.player);
    Ok(Json(view(&room, &table, player).await?))
}

/// What a table plays
///
/// The house in full, its pay tables, and the clocks: what a placard has.
#[utoipa::path(
    get, path = "/api/tables/{table}/terms", tag = "tables",
    params(("table" = String, Path, description = "The table's name"), Invite),
    responses((status = 200, body = Object, description = "The terms"), Problems),
    security((), ("token" = []), ("cookie" = []))
)]
async fn terms(
    State(room): State<Room>,
    visitor: Option<Visitor>,
    Path(name): Path<String>,
    Query(Invite { invite }): Query<Invite>,
) -> Result<Json<Value>, Problem> {
    let table = enter(&room, &name, visitor.as_deref(), invite.as_deref()).await?;
    let value: Value = serde_json::from_str(table.terms().text()).map_err(|_| Code::Fault)?;
    Ok(Json(value))
}

/// What hangs at a table
///
/// The house that it plays, its rules in words, and what the Blind and the bonus pay that are
/// offered here.
#[utoipa::path(
    get, path = "/api/tables/{table}/placard", tag = "tables",
    params(("table" = String, Path, description = "The table's name"), Invite),
    responses((status = 200, body = TablePlacard, description = "The placard"), Problems),
    security((), ("token" = []), ("cookie" = []))
)]
async fn placard(
    State(room): State<Room>,
    visitor: Option<Visitor>,
    Path(name): Path<String>,
    Query(Invite { invite }): Query<Invite>,
) -> Result<Response, Problem> {
    let table = enter(&room, &name, visitor.as_deref(), invite.as_deref()).await?;
    let notes = card_room::notes(&room, table.terms());
    Ok(Json(TablePlacard::new(table.terms(), notes)).into_response())
}

/// What a player wants of a table. Amounts are in cents.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
enum Order {
    /// Sit down.
    Join {
        /// Where.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
    },
    /// Leave: at once, or after the round.
    Leave {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
    },
    /// Keep the seat without being waited for.
    SitOut {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
    },
    /// Take part again.
    SitIn {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
    },
    /// Take the bank that is offered, or post something else.
    TakeBank {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
        /// What you post.
        #[schema(value_type = i64, minimum = 1, example = 50_000)]
        wager: Amount,
    },
    /// Pass the bank on.
    DeclineBank {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
    },
    /// Commit the seat to a seed of its own.
    CommitSeed {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
        /// What is shown of the seed.
        #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
        commitment: Hash,
    },
    /// Show the seed of the seat.
    RevealSeed {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
        /// The seed, in hexadecimal digits.
        #[schema(max_length = 128)]
        seed: String,
    },
    /// Give up the seed of the seat, so that the table does not wait for it. It counts as empty.
    GiveUpSeed {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
    },
    /// Wager, or wager something else.
    Wager {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
        /// The Ante.
        #[schema(value_type = i64, minimum = 1, example = 1000)]
        ante: Amount,
        /// The Blind; as much as the Ante, if it is not said.
        #[serde(default)]
        #[schema(value_type = Option<i64>)]
        blind: Option<Amount>,
        /// The bonus, or nothing.
        #[serde(default)]
        #[schema(value_type = i64, minimum = 0, example = 500)]
        bonus: Amount,
    },
    /// Take the wager back.
    Withdraw {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
    },
    /// Decide.
    Decide {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
        /// `check`, `fold` or `bet N`: one of the `decisions` that the table offers.
        #[schema(value_type = String, pattern = "^(check|fold|bet [1-9][0-9]{0,2})$")]
        decision: Decision,
    },
    /// Ask for the cards, at a table without clocks.
    Deal {},
    /// Want something only if the table has not moved on since.
    Expecting {
        /// The number of the round that you looked at.
        round: u64,
        /// How many decisions your seat had made in it, if that matters.
        #[serde(default)]
        turn: Option<usize>,
        /// What you want.
        #[schema(no_recursion)]
        then: Box<Self>,
    },
}

impl Order {
    /// Returns the command of a player who wants this. Whose word it is, nobody can choose.
    fn of(self, player: &str) -> Command {
        let name = player.to_owned();
        match self {
            Self::Join { seat } => Command::Join { seat, player: name },
            Self::Leave { seat } => Command::Leave { seat, player: name },
            Self::SitOut { seat } => Command::SitOut { seat, player: name },
            Self::SitIn { seat } => Command::SitIn { seat, player: name },
            Self::TakeBank { seat, wager } => Command::TakeBank { seat, player: name, wager },
            Self::DeclineBank { seat } => Command::DeclineBank { seat, player: name },
            Self::CommitSeed { seat, commitment } => {
                Command::CommitSeed { seat, player: name, commitment }
            }
            Self::RevealSeed { seat, seed } => Command::RevealSeed { seat, player: name, seed },
            Self::GiveUpSeed { seat } => Command::GiveUpSeed { seat, player: name },
            Self::Wager { seat, ante, blind, bonus } => {
                Command::Wager { seat, player: name, ante, blind, bonus }
            }
            Self::Withdraw { seat } => Command::Withdraw { seat, player: name },
            Self::Decide { seat, decision } => Command::Decide { seat, player: name, decision },
            Self::Deal {} => Command::Deal { player: name },
            Self::Expecting { round, turn, then } => {
                Command::Expecting { round, turn, then: Box::new(then.of(player)) }
            }
        }
    }

    const fn joins(&self) -> bool {
        matches!(self.wanted(), Self::Join { .. })
    }

    const fn wagers(&self) -> bool {
        matches!(self.wanted(), Self::Wager { .. } | Self::TakeBank { .. })
    }

    /// Returns what is wanted, whether or not something is expected before.
    const fn wanted(&self) -> &Self {
        match self {
            Self::Expecting { then, .. } => then,
            other => other,
        }
    }
}

/// What a command brought about.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Done {
    /// The version of the journal after it.
    version: u64,
    /// What happened, as every viewer may see it.
    #[schema(value_type = Vec<ShownEvent>)]
    events: Vec<Value>,
    /// Whether the command had been carried out before, and this is what was answered then.
    repeated: bool,
    /// The table as it is now.
    state: TableState,
}

/// Ask something of a table
///
/// With a header `Idempotency-Key`, made up by the sender for this command alone, it is carried out
/// once however often it is sent: the same key with the same body is answered as before.
#[utoipa::path(
    post, path = "/api/tables/{table}/commands", tag = "tables", request_body = Order,
    params(
        ("table" = String, Path, description = "The table's name"),
        Key,
        Invite,
    ),
    responses((status = 200, body = Done, description = "What it brought about"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn command(
    State(room): State<Room>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    Path(name): Path<String>,
    Query(Invite { invite }): Query<Invite>,
    headers: HeaderMap,
    Json(order): Json<Order>,
) -> Result<Json<Done>, Problem> {
    let key = key(&headers, &visitor.player)?;
    if visitor.kind == Kind::Operator {
        return Err(Code::NotPlayer.into());
    }
    room.gate.admit_command(&visitor.player)?;
    let joins = order.joins();
    if joins {
        let table = enter(&room, &name, Some(&visitor), invite.as_deref()).await?;
        crate::lobby::check_open(&room, table.terms().house().id()).await?;
        let who = Some(&*visitor.player);
        room.storage.admit(room.now(), address, who, storage::COMMAND)?;
        note_seat(&room, &visitor.player, &name).await?;
    } else {
        let known = room.floor.glance(&name).await;
        let table = match known.filter(|table| sits(table, &visitor.player)) {
            Some(table) => table,
            // Who does not sit there learns nothing of a table that he may not enter.
            None => enter(&room, &name, Some(&visitor), invite.as_deref()).await?,
        };
        let (now, who) = (room.now(), Some(&*visitor.player));
        if order.wagers() {
            let price = storage::price_of_wager(&room, &table);
            room.storage.admit(now, address, who, price)?;
        } else {
            room.storage.charge(now, address, who, storage::COMMAND);
        }
    }
    let command = order.of(&visitor.player);
    let done = carry_out(&room, &name, command, key, Some(&visitor.player)).await?;
    if joins {
        departure::confirm_seat(&room, &visitor.player, &name).await?;
    }
    Ok(Json(done))
}

/// Carries out a command, and tells what it brought about.
pub(crate) async fn carry_out(
    room: &Shared,
    name: &str,
    command: Command,
    key: Option<CommandKey>,
    player: Option<&str>,
) -> Result<Done, Problem> {
    #[derive(Deserialize)]
    struct Answered {
        version: u64,
        events: Vec<Value>,
    }
    let answer = room.floor.command(name, command, key, room.now()).await;
    let answer = answer.map_err(|error| refused(room, error))?;
    metrics::counter!("croupier_commands_total").increment(1);
    let table = match room.floor.glance(name).await {
        // What had been carried out before may have been elsewhere, and be news here.
        Some(table) if !answer.repeated => table,
        _ => room.table(name).await?,
    };
    let answered = match &*answer.text {
        // It changed nothing.
        "" => Answered { version: table.version(), events: Vec::new() },
        text => serde_json::from_str(text).map_err(|_| Code::Fault)?,
    };
    Ok(Done {
        version: answered.version,
        events: answered.events,
        repeated: answer.repeated,
        state: view(room, &table, player).await?,
    })
}

/// Returns why a command is not carried out, and when it is worth trying again if the table knows.
fn refused(room: &Shared, error: FloorError) -> Problem {
    let until = match &error {
        FloorError::Refused(Refusal::SeedsAwaited { until, .. }) => Some(*until),
        _ => None,
    };
    let problem = Problem::from(error);
    let Some(until) = until else { return problem };
    let millis = (until.as_millis() - room.now().as_millis()).max(0);
    problem.retry_after(millis.unsigned_abs().div_ceil(1_000))
}

/// The header that a request is known by.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it describes a header")]
pub(crate) struct Key {
    /// Made up by the sender for this request alone.
    #[param(rename = "Idempotency-Key", min_length = 1, max_length = 200, pattern = "^[!-~]+$")]
    key: Option<String>,
}

/// Returns the key that a request is known by, if it has one.
pub(crate) fn key(headers: &HeaderMap, sender: &str) -> Result<Option<CommandKey>, Problem> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().map_err(|_| Code::BadKey)?;
    if !(1..=200).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Code::BadKey.into());
    }
    Ok(Some(CommandKey { sender: sender.to_owned(), key: key.to_owned() }))
}
