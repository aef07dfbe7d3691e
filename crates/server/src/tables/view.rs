//! A table as one viewer may see it: its state, its terms and its placard.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use croupier_rules::{Amount, Banking, Limits};
use croupier_table::{Awaited, RoundView, Table, Time, is_bot};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::analysis::{GameName, LimitsFields, TablePlacard};
use crate::http::extract::{Json, Path, Query};
use crate::http::problem::{Code, Problem, Problems};
use crate::lobby::card_room;
use crate::people::session::Visitor;
use crate::people::{chips, names};
use crate::state::AppState;
use crate::tables::listing::{self, Invite, Listing};
use crate::tables::seats;

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
    #[schema(value_type = GameName)]
    game: &'static str,
    /// The bonus it offers.
    bonus_paytable: Option<String>,
    /// The name of the bonus on the felt.
    #[schema(value_type = String, example = "Trips")]
    bonus_name: &'static str,
    /// The wager limits.
    #[schema(value_type = LimitsFields)]
    limits: Limits,
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
    /// When the table acts by itself: a player's time runs out, or the next round opens.
    deadline: Option<i64>,
    /// The seated players.
    seats: Vec<SeatState>,
    /// The number of the open round, or of the last one.
    round_number: u64,
    /// The open round.
    round: Option<RoundView>,
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
    pub(crate) async fn new(
        state: &AppState,
        table: &Table,
        player: Option<&str>,
    ) -> Result<Self, Problem> {
        let chips = match player.filter(|player| seats::is_seated(table, player)) {
            Some(player) => Some(chips_at(state, table, player).await?),
            None => None,
        };
        Self::with_chips(state, table, player, chips).await
    }

    /// Returns the same for a player whose chips are already known.
    ///
    /// Everything here comes from the table's own view, which does not contain anything that this
    /// viewer may not see.
    pub(super) async fn with_chips(
        state: &AppState,
        table: &Table,
        player: Option<&str>,
        chips: Option<Amount>,
    ) -> Result<Self, Problem> {
        let view = table.view(player);
        let mut seats = Vec::new();
        for sitter in view.seats {
            seats.push(SeatState {
                seat: sitter.seat.number(),
                name: names::of_player(state, &sitter.player).await.to_string(),
                bot: is_bot(&sitter.player),
                player: sitter.player,
                out: sitter.out,
                leaving: sitter.leaving,
                you: sitter.you,
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
}

/// Returns the chips that a player can play with at a table: practice chips if the table plays with
/// those, and otherwise the chips of the player's account.
pub(super) async fn chips_at(
    state: &AppState,
    table: &Table,
    player: &str,
) -> Result<Amount, Problem> {
    match table.practice_chips(player) {
        Some(chips) => Ok(chips),
        None => chips::balance(state, player).await,
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
