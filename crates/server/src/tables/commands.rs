//! Commands to a table, and their results.

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use croupier_rules::{Amount, Decision, Seat};
use croupier_store::{CommandKey, FloorError};
use croupier_table::{Command, Hash, PublicEvent, Refusal, ShownEvent};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::client_address::ClientAddress;
use crate::http::extract::{Json, Path, Query};
use crate::http::idempotency::{self, KeyHeader};
use crate::http::problem::{Code, Problem, Problems};
use crate::lobby::card_room;
use crate::people::deletion;
use crate::people::session::{PlayerKind, Visitor};
use crate::state::AppState;
use crate::storage;
use crate::tables::listing::{self, Invite};
use crate::tables::seats;
use crate::tables::view::TableState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(command))
}

/// A player's command to a table. Amounts are in cents.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
enum Order {
    /// Sit down.
    Join {
        /// The seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
    },
    /// Leave: at once, or after the round.
    Leave {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
    },
    /// Keep the seat, but don't make the table wait for it.
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
    /// Take the bank that is offered, or change the amount posted.
    TakeBank {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
        /// The amount to post.
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
        /// The commitment to the seed.
        #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
        commitment: Hash,
    },
    /// Reveal the seed of the seat.
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
    /// Wager, or change the wager.
    Wager {
        /// Your seat.
        #[schema(value_type = u32, minimum = 1, maximum = 8)]
        seat: Seat,
        /// The Ante.
        #[schema(value_type = i64, minimum = 1, example = 1000)]
        ante: Amount,
        /// The Blind. The default is the amount of the Ante.
        #[serde(default)]
        #[schema(value_type = Option<i64>)]
        blind: Option<Amount>,
        /// The bonus, or zero.
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
    /// Carry out a command only if the table has not moved on.
    Expecting {
        /// The number of the round that you looked at.
        round: u64,
        /// How many decisions your seat had made in it, if that matters.
        #[serde(default)]
        turn: Option<usize>,
        /// The command.
        #[schema(no_recursion)]
        then: Box<Self>,
    },
}

impl Order {
    /// Returns the table command of this player. The client cannot choose the player.
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
        matches!(self.unwrapped(), Self::Join { .. })
    }

    const fn wagers(&self) -> bool {
        matches!(self.unwrapped(), Self::Wager { .. } | Self::TakeBank { .. })
    }

    /// Returns the command itself, with or without an expectation around it.
    const fn unwrapped(&self) -> &Self {
        match self {
            Self::Expecting { then, .. } => then,
            other => other,
        }
    }
}

/// The result of a command.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Done {
    /// The version of the journal after it.
    version: u64,
    /// The events, as every viewer may see them.
    #[schema(value_type = Vec<ShownEvent>)]
    events: Box<RawValue>,
    /// Whether the command was already carried out before, and this is the response from then.
    repeated: bool,
    /// The table as it is now.
    state: TableState,
}

/// Send a command to a table
///
/// With an `Idempotency-Key` header, chosen by the client for this command alone, the command is
/// carried out once however often it is sent: the same key with the same body gets the same
/// response.
#[utoipa::path(
    post, path = "/api/tables/{table}/commands", tag = "tables", request_body = Order,
    params(
        ("table" = String, Path, description = "The table's name"),
        KeyHeader,
        Invite,
    ),
    responses((status = 200, body = Done, description = "The result"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn command(
    State(state): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    visitor: Visitor,
    Path(name): Path<String>,
    Query(Invite { invite }): Query<Invite>,
    headers: HeaderMap,
    Json(order): Json<Order>,
) -> Result<Json<Done>, Problem> {
    let key = idempotency::key(&headers, &visitor.player)?;
    if visitor.kind == PlayerKind::Operator {
        return Err(Code::NotPlayer.into());
    }
    state.rate_limits.admit_command(&visitor.player)?;
    let joins = order.joins();
    if joins {
        let table = listing::enter(&state, &name, Some(&visitor), invite.as_deref()).await?;
        card_room::check_house_open(&state, table.terms().house().id()).await?;
        let who = Some(&*visitor.player);
        state.storage.admit(state.now(), address, who, storage::COMMAND)?;
        seats::register(&state, &visitor.player, &name).await?;
    } else {
        let known = state.floor.cached(&name).await;
        let table = match known.filter(|table| seats::is_seated(table, &visitor.player)) {
            Some(table) => table,
            // A player who is not seated there learns nothing about a table that they may not
            // enter.
            None => listing::enter(&state, &name, Some(&visitor), invite.as_deref()).await?,
        };
        let (now, who) = (state.now(), Some(&*visitor.player));
        if order.wagers() {
            let price = storage::price_of_wager(&state, &table);
            state.storage.admit(now, address, who, price)?;
        } else {
            state.storage.charge(now, address, who, storage::COMMAND);
        }
    }
    let command = order.of(&visitor.player);
    let done = carry_out(&state, &name, command, key, Some(&visitor.player)).await?;
    if joins {
        deletion::confirm_seat(&state, &visitor.player, &name).await?;
    }
    Ok(Json(done))
}

/// Carries out a command, and returns its result.
pub(crate) async fn carry_out(
    state: &AppState,
    name: &str,
    command: Command,
    key: Option<CommandKey>,
    player: Option<&str>,
) -> Result<Done, Problem> {
    #[derive(Deserialize)]
    struct StoredResult {
        version: u64,
        // They were serialized when they happened, and are sent as they are.
        events: Box<RawValue>,
    }
    let answer = state.floor.command(name, command, key, state.now()).await;
    let answer = answer.map_err(|error| refused(state, error))?;
    metrics::counter!("croupier_commands_total").increment(1);
    let table = match state.floor.cached(name).await {
        // An earlier command may have been carried out on another node, and be news here.
        Some(table) if !answer.repeated => table,
        _ => state.table(name).await?,
    };
    let result = match &*answer.text {
        // It changed nothing.
        "" => {
            let events = to_raw_value::<[PublicEvent]>(&[]).map_err(|_| Code::Internal)?;
            StoredResult { version: table.version(), events }
        }
        text => serde_json::from_str(text).map_err(|_| Code::Internal)?,
    };
    Ok(Done {
        version: result.version,
        events: result.events,
        repeated: answer.repeated,
        state: TableState::new(state, &table, player).await?,
    })
}

/// Returns why a command is refused, and when to retry if the table knows.
fn refused(state: &AppState, error: FloorError) -> Problem {
    let until = match &error {
        FloorError::Refused(Refusal::SeedsAwaited { until, .. }) => Some(*until),
        _ => None,
    };
    let problem = Problem::from(error);
    let Some(until) = until else { return problem };
    let millis = (until.as_millis() - state.now().as_millis()).max(0);
    problem.retry_after(millis.unsigned_abs().div_ceil(1_000))
}
