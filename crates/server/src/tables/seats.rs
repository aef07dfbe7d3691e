//! The seats of players: the tables where a player sits, and the chips in play there.

use axum::http::StatusCode;
use croupier_rules::{Amount, Seat};
use croupier_store::{Collection, Document, StoreError, Text};
use croupier_table::{PlayerCommand, Table};
use serde_json::{Value, json};

use crate::http::problem::{Code, Problem};
use crate::state::AppState;

/// The collection of seats: which players sit at which table. It may name tables that a player has
/// left, but always names the tables where the player is seated.
const SEATS: Collection<Text> = Collection::new("seats");

/// The maximum number of tables where a player can sit, and how many are read at a time.
const MAX_SEATS: usize = 32;

/// How many times writing a seat is retried when other requests write it at the same time.
const REGISTER_ATTEMPTS: usize = 16;

/// A seat that a player has taken.
pub(crate) struct OccupiedSeat {
    pub(crate) table: String,
    /// The player's chips in play there.
    pub(crate) in_play: Amount,
}

/// Returns the tables where a player sits.
pub(crate) async fn of_player(
    state: &AppState,
    player: &str,
) -> Result<Vec<OccupiedSeat>, Problem> {
    let mut seats = Vec::new();
    for noted in seat_documents(state, player).await? {
        let name = noted.text().to_owned();
        let table = match state.table(&name).await {
            Ok(table) => Some(table).filter(|table| !table.is_closed()),
            Err(problem) if problem.code == Code::NoSuchTable.name() => None,
            // A table that cannot be read is for an operator to examine, and does not keep players
            // from the others.
            Err(problem) if problem.code == Code::Internal.name() => continue,
            Err(problem) => return Err(problem),
        };
        match table.filter(|table| is_seated(table, player)) {
            Some(table) => {
                seats.push(OccupiedSeat { in_play: in_play(&table, player), table: name });
            }
            None if state.now().as_millis() - noted.at.as_millis() > 60_000 => {
                match SEATS.put(state.store(), noted.expiring(state.now())).await {
                    // The cleanup deletes the document, unless the player sits down first.
                    Ok(_) | Err(StoreError::Conflict) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            // The player may be about to sit down.
            None => {}
        }
    }
    Ok(seats)
}

/// Returns the documents of a player's seats. A player who sits down everywhere at once may have
/// more of them than the maximum number of seats, and money at every one.
async fn seat_documents(state: &AppState, player: &str) -> Result<Vec<Document<Text>>, Problem> {
    let mut all: Vec<Document<Text>> = Vec::new();
    loop {
        let after = all.last().map_or("", |last| &last.key);
        let page = SEATS.documents_of(state.store(), player, after, MAX_SEATS).await?;
        let more = page.len() == MAX_SEATS;
        all.extend(page);
        if !more {
            return Ok(all);
        }
    }
}

/// Returns whether a player sits at a table.
pub(crate) fn is_seated(table: &Table, player: &str) -> bool {
    table.seats().iter().any(|sitter| sitter.player == player)
}

/// Returns a player's chips in play at a table, not counting practice chips.
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

/// Writes down that a player is about to sit at a table.
pub(crate) async fn register(state: &AppState, player: &str, table: &str) -> Result<(), Problem> {
    let key = format!("{player}/{table}");
    for _ in 0..REGISTER_ATTEMPTS {
        let revision = SEATS.get(state.store(), &key).await?.map_or(0, |noted| noted.revision);
        if revision == 0
            && SEATS.documents_of(state.store(), player, "", MAX_SEATS).await?.len() == MAX_SEATS
            && of_player(state, player).await?.len() >= MAX_SEATS
        {
            let detail = format!("you can't sit at more than {MAX_SEATS} tables: leave one first");
            return Err(Problem::new(Code::TooManyTables, detail));
        }
        let seat = Document::plain(&*key, state.now(), table).owned_by(player).replacing(revision);
        match SEATS.put(state.store(), seat).await {
            Ok(_) => return Ok(()),
            // Another request has just written it, or found it unused: it may go away.
            Err(StoreError::Taken | StoreError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}

/// Returns whether a player is noted as seated at a table, or about to sit there. A player who has
/// just left still is.
pub(crate) async fn is_registered(
    state: &AppState,
    player: &str,
    table: &str,
) -> Result<bool, Problem> {
    Ok(SEATS.get(state.store(), &format!("{player}/{table}")).await?.is_some())
}

/// Makes a player leave all their seats at a table, each at once or after the round.
pub(crate) async fn leave(state: &AppState, table: &str, player: &str) -> Result<(), Problem> {
    let known = state.table(table).await?;
    for sitter in known.seats().iter().filter(|sitter| sitter.player == player) {
        let leave = PlayerCommand::Leave { seat: sitter.seat }.by(player);
        // The seat may be leaving already.
        if let Err(error) = state.floor.command(table, leave, None, state.now()).await {
            let problem = Problem::from(error);
            if problem.status != StatusCode::CONFLICT.as_u16() {
                return Err(problem);
            }
        }
    }
    Ok(())
}

/// Deletes the document of a player's seat at a table.
pub(crate) async fn forget(state: &AppState, player: &str, table: &str) -> Result<(), Problem> {
    SEATS.delete(state.store(), &format!("{player}/{table}")).await?;
    Ok(())
}

/// The seat that a request led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TakenSeat {
    pub(crate) table: String,
    pub(crate) seat: Seat,
}

impl TakenSeat {
    /// Serializes the seat as the answer to a request.
    pub(crate) fn to_answer(&self) -> String {
        json!({ "table": self.table, "seat": self.seat }).to_string()
    }

    /// Parses the answer to a request: as serialized here, or by the table where a player sat down.
    pub(crate) fn from_answer(answer: &str) -> Result<Self, Problem> {
        let answer: Value = serde_json::from_str(answer).map_err(|_| Code::Internal)?;
        let events = answer["events"].as_array().into_iter().flatten();
        let joined = events.filter(|event| event["event"] == "player-joined");
        let mut seats = joined.map(|event| &event["seat"]).chain([&answer["seat"]]);
        let seat = seats.find_map(Value::as_u64).and_then(|seat| u32::try_from(seat).ok());
        let (seat, table) = (seat.and_then(Seat::new), answer["table"].as_str());
        let found = table.zip(seat).map(|(table, seat)| Self { table: table.to_owned(), seat });
        found.ok_or_else(|| Code::Internal.into())
    }
}
