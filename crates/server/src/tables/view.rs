//! A table as one viewer may see it: its state, its terms and its placard.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use croupier_rules::{Banking, Game, House, Limits};
use croupier_table::{Awaited, RoundView, Table, Time, is_bot};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::analysis::TablePlacard;
use crate::http::extract::{Json, Path, Query};
use crate::http::problem::{Code, Problem, Problems};
use crate::lobby::card_room;
use crate::people::names;
use crate::people::session::Visitor;
use crate::state::AppState;
use crate::tables::listing::{self, Invite, Listing};
use crate::tables::{seats, stacks};

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(state)).routes(routes!(terms)).routes(routes!(placard))
}

/// The state of a table, as a viewer may see it.
#[derive(Debug, Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a plain fact about the table")]
pub(crate) struct TableState {
    /// The current time, in milliseconds since 1970: deadlines use the same clock.
    now: i64,
    /// The table's name.
    #[schema(example = "k7m2xq4w9p3c")]
    table: String,
    /// The table's title.
    title: String,
    /// Whether any player may enter.
    public: bool,
    /// The invitation, for viewers who may invite others.
    #[serde(skip_serializing_if = "Option::is_none")]
    invite: Option<String>,
    /// The version of its journal that this shows.
    pub(crate) version: u64,
    /// The house it plays.
    #[schema(example = "uth-standard")]
    house: String,
    /// The title of the house.
    house_title: String,
    /// Whether the house is the host's own, and not one that ships with the program.
    own_house: bool,
    /// Whether a bot of the card room may bank: the table was opened for practice.
    practice_bank: bool,
    /// Whether it plays with practice chips. Every player gets some with a seat and gets more after
    /// running out. They never leave the table.
    practice_chips: bool,
    /// Whether it waits for another player because no seated player may bank.
    needs_banker: bool,
    /// The card room's bonus pay table, if players bank and this table uses another.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    card_room_paytable: Option<String>,
    /// The inscription on the felt: which hands the dealer qualifies with.
    #[schema(example = "The dealer needs a pair or better to qualify")]
    inscription: String,
    /// The game.
    game: Game,
    /// How many cards a hand has.
    #[schema(minimum = 2, maximum = 3, example = 2)]
    hand_size: usize,
    /// How many cards the board has.
    #[schema(minimum = 0, maximum = 5, example = 5)]
    board_size: usize,
    /// The bonus it offers.
    bonus_paytable: Option<String>,
    /// The name of the bonus on the felt.
    #[schema(example = "Trips")]
    bonus_name: &'static str,
    /// The wager limits.
    limits: TableLimits,
    /// Whether a player banks.
    player_banked: bool,
    /// How many seats it has.
    seat_count: u32,
    /// Your chips in cents, not counting chips in play, if you are seated there: practice chips, if
    /// the table plays with those. Changes from other tables may show some seconds later.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    chips: Option<i64>,
    /// Whether it has clocks.
    clocks: bool,
    /// Why it is paused, if it is.
    paused: Option<String>,
    /// Whether it is permanently closed.
    closed: bool,
    /// Whether you may close it.
    may_close: bool,
    /// Whether you may call for the cards now, with the command `deal`.
    may_deal: bool,
    /// When the table acts by itself: a player's time runs out, or the next round opens. No clock
    /// runs for a person who plays alone.
    deadline: Option<i64>,
    /// The seated players.
    seats: Vec<SeatState>,
    /// The number of the open round, or of the last one.
    round_number: u64,
    /// The open round.
    round: Option<RoundView>,
}

/// Limits on wagers at a table.
#[derive(Debug, Serialize, ToSchema)]
struct TableLimits {
    #[serde(flatten)]
    limits: Limits,
    /// The smallest Play wager, in Antes.
    #[schema(minimum = 1, example = 1)]
    play_min: u32,
    /// The largest Play wager, in Antes.
    #[schema(minimum = 1, example = 4)]
    play_max: u32,
}

impl From<&House> for TableLimits {
    fn from(house: &House) -> Self {
        let (play_min, play_max) = house.play_range();
        Self { limits: *house.limits(), play_min, play_max }
    }
}

/// A player at a table.
#[derive(Debug, Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a plain fact about the seat")]
struct SeatState {
    /// The seat.
    #[schema(minimum = 1, maximum = 8)]
    seat: u32,
    /// The player's id in records.
    player: String,
    /// The name that other players see.
    name: String,
    /// Whether it is a bot.
    bot: bool,
    /// Whether the player sits out.
    out: bool,
    /// Whether the player leaves after the round.
    leaving: bool,
    /// Whether the player is you.
    you: bool,
    /// The player's chips in cents, not counting chips in play: practice chips, if the table plays
    /// with those. Changes from other tables may show some seconds later.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    chips: Option<i64>,
    /// The consequences of the last round that you missed, in words, if the player is you.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    notice: Option<String>,
    /// The action that the table waits for from this seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    awaits: Option<Awaits>,
}

/// An action that a table waits for from a seat.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Awaits {
    /// Take the bank, or pass.
    Bank,
    /// Wager.
    Wager,
    /// Reveal the seed that the seat committed to.
    Seed,
    /// Decide.
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

impl TableState {
    /// Returns a table as a player may see it, or as any viewer may see it.
    ///
    /// Everything about the round comes from the table's own view, which does not contain anything
    /// that this viewer may not see.
    pub(crate) async fn new(
        state: &AppState,
        table: &Table,
        player: Option<&str>,
    ) -> Result<Self, Problem> {
        let stacks = match stacks::at_table(state, table).await {
            // A player who only watches does not need them.
            Err(_) if !player.is_some_and(|player| seats::is_seated(table, player)) => None,
            stacks => Some(stacks?),
        };
        let stack = |player: &str| Some(stacks.as_ref()?.get(player)?.as_cents());
        let view = table.view(player);
        let mut seats = Vec::new();
        for sitter in view.seats {
            seats.push(SeatState {
                seat: sitter.seat.number(),
                name: names::of_player(state, &sitter.player).await.to_string(),
                bot: is_bot(&sitter.player),
                chips: stack(&sitter.player),
                player: sitter.player,
                out: sitter.out,
                leaving: sitter.leaving,
                you: sitter.you,
                notice: table.missed_notice(sitter.seat).filter(|_| sitter.you),
                awaits: table.awaits(sitter.seat).map(Awaits::from),
            });
        }
        let listing = listing::find(state, &view.table).await?;
        let may_invite = |listing: &Listing| {
            !listing.public && (seats.iter().any(|seat| seat.you) || player == Some(&listing.host))
        };
        let house = table.terms().house();
        let may_close = listing
            .as_ref()
            .zip(player)
            .is_some_and(|(listing, player)| listing.may_be_closed(table, player));
        Ok(Self {
            now: state.now().as_millis(),
            table: view.table,
            title: listing.as_ref().map_or_else(String::new, |listing| listing.title.clone()),
            public: listing.as_ref().is_some_and(|listing| listing.public),
            invite: listing.filter(|listing| may_invite(listing)).map(|found| found.invite.clone()),
            version: view.version,
            house: view.house,
            house_title: house.title().to_owned(),
            own_house: card_room::is_own_house(state, house),
            practice_bank: table.terms().bots_may_bank(),
            practice_chips: table.terms().practice_chips().is_some(),
            needs_banker: table.needs_banker(),
            card_room_paytable: card_room::differs_from(&state.config, table.terms())
                .map(ToOwned::to_owned),
            inscription: house.inscription(),
            game: house.game(),
            hand_size: house.game().def().hole_cards,
            board_size: house.game().def().community_cards,
            bonus_paytable: view.bonus_paytable,
            bonus_name: house.game().def().bonus,
            limits: TableLimits::from(&**house),
            player_banked: house.banking() != Banking::House,
            seat_count: house.seats(),
            chips: player.and_then(stack),
            clocks: view.clocks,
            paused: view.paused,
            closed: view.closed,
            may_close,
            may_deal: player.is_some_and(|player| table.may_deal(player)),
            deadline: view.deadline.map(Time::as_millis),
            seats,
            round_number: view.round_number,
            round: view.round,
        })
    }
}

/// A table
#[utoipa::path(
    get, path = "/api/tables/{table}", tag = "tables",
    params(("table" = String, Path, description = "The table's name"), Invite),
    responses((status = 200, body = TableState, description = "The state you may see"), Problems),
    security((), ("token" = []), ("cookie" = []))
)]
async fn state(
    State(state): State<AppState>,
    visitor: Option<Visitor>,
    Path(name): Path<String>,
    Query(Invite { invite }): Query<Invite>,
) -> Result<Json<TableState>, Problem> {
    let visitor = visitor.as_deref();
    let table = listing::enter(&state, &name, visitor, invite.as_deref()).await?;
    let player = visitor.map(|visitor| &*visitor.player);
    Ok(Json(TableState::new(&state, &table, player).await?))
}

/// A table's terms
///
/// The full house, its pay tables, and the clocks: the contents of a placard.
#[utoipa::path(
    get, path = "/api/tables/{table}/terms", tag = "tables",
    params(("table" = String, Path, description = "The table's name"), Invite),
    responses((status = 200, body = Object, description = "The terms"), Problems),
    security((), ("token" = []), ("cookie" = []))
)]
async fn terms(
    State(state): State<AppState>,
    visitor: Option<Visitor>,
    Path(name): Path<String>,
    Query(Invite { invite }): Query<Invite>,
) -> Result<Json<Value>, Problem> {
    let table = listing::enter(&state, &name, visitor.as_deref(), invite.as_deref()).await?;
    let value: Value = serde_json::from_str(table.terms().text()).map_err(|_| Code::Internal)?;
    Ok(Json(value))
}

/// A table's placard
///
/// The house it plays, its rules in words, and the payouts of the Blind and the bonus offered here.
#[utoipa::path(
    get, path = "/api/tables/{table}/placard", tag = "tables",
    params(("table" = String, Path, description = "The table's name"), Invite),
    responses((status = 200, body = TablePlacard, description = "The placard"), Problems),
    security((), ("token" = []), ("cookie" = []))
)]
async fn placard(
    State(state): State<AppState>,
    visitor: Option<Visitor>,
    Path(name): Path<String>,
    Query(Invite { invite }): Query<Invite>,
) -> Result<Response, Problem> {
    let table = listing::enter(&state, &name, visitor.as_deref(), invite.as_deref()).await?;
    let notes = card_room::notes(&state, table.terms());
    Ok(Json(TablePlacard::new(table.terms(), notes)).into_response())
}
