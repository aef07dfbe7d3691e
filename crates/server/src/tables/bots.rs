//! Bots: players labeled as bots, which play by published strategies.
//!
//! A bot has no state but its id, which names the bot and its table. Its next move follows from the
//! table's journal, so that any node can make it, and no node has to remember it. Each bot has a
//! separate account for each table, so that no two tables wait for each other.

use std::sync::LazyLock;

use croupier_cards::Card;
use croupier_odds::Strategy;
use croupier_rules::{Amount, Game, Seat, Viewer};
use croupier_store::{Accounts, FloorError, Request, StoreError};
use croupier_table::{
    Account, Awaited, BotAction, LedgerError, PlayerCommand, Refusal, Table, Time, Transfer, is_bot,
};

use crate::http::problem::{Code, Problem};
use crate::people::chips;
use crate::state::AppState;
use crate::tables::seats::TakenSeat;

/// The names of bots, which no player can take.
const NAMES: [&str; 7] = ["Ada", "Blaise", "Carl", "Emmy", "Pierre", "Sonja", "Thomas"];

/// The chips that a bot starts with, and gets again when it runs out.
const CHIPS: Amount = Amount::cents(10_000_000);

/// The wager of a bot that banks, as a multiple of the largest Ante, if it has enough chips.
const BANK_MULTIPLE: u32 = 100;

/// The most moves that bots make at a table before the next table gets its turn.
const MAX_MOVES: usize = 16;

/// The strategies of bots, which are published.
static HOLDEM: LazyLock<Strategy> = LazyLock::new(|| shipped("short"));
static THREE_CARD: LazyLock<Strategy> = LazyLock::new(|| shipped("utcp-short"));

fn shipped(id: &str) -> Strategy {
    Strategy::shipped(id).expect("the strategy is built in")
}

/// Returns the id of a bot at a table.
fn id(number: usize, table: &str) -> String {
    format!("bot-{number}-{table}")
}

/// Returns the name of a bot by its id, or `None` if the id is not a bot's.
pub(crate) fn name_of(player: &str) -> Option<&'static str> {
    let number = player.strip_prefix("bot-")?.split('-').next()?;
    NAMES.get(number.parse::<usize>().ok()?).copied()
}

/// Tells whether a name is a bot's, ignoring case.
pub(crate) fn has_name(name: &str) -> bool {
    NAMES.iter().any(|bot| bot.eq_ignore_ascii_case(name))
}

/// Seats another bot at a table, once for each request, and returns its seat.
pub(crate) async fn seat(
    state: &AppState,
    table: &Table,
    request: Option<Request>,
) -> Result<Seat, Problem> {
    let name = table.name();
    let here = |id: &str| table.seats().iter().any(|sitter| sitter.player == id);
    let bot = (0..NAMES.len()).map(|number| id(number, name)).find(|id| !here(id));
    let bot = bot.ok_or(Code::NoSeat)?;
    let taken = |seat: &Seat| table.seats().iter().any(|sitter| sitter.seat == *seat);
    let mut seats = (1..=table.terms().house().seats()).filter_map(Seat::new);
    let seat = seats.find(|seat| !taken(seat)).ok_or(Code::NoSeat)?;
    if table.practice_chips(&bot).is_none() && chips::balance(state, &bot).await? == Amount::ZERO {
        // It could get them with its first wager too, but players see its stack before that.
        give(state, table, &bot, state.now()).await?;
    }
    let join = PlayerCommand::Join { seat }.by(bot);
    let answer = state.floor.command_for_request(name, join, request, state.now()).await?;
    if answer.repeated { Ok(TakenSeat::from_answer(&answer.text)?.seat) } else { Ok(seat) }
}

/// Makes the moves of the bots at a table, if they have waited long enough.
pub(crate) async fn play(state: &AppState, name: &str) -> Result<(), FloorError> {
    for _ in 0..MAX_MOVES {
        let (table, now) = (state.floor.table(name).await?, state.now());
        if table.bot_action_time().is_none_or(|at| at > now) {
            break;
        }
        let Some((seat, bot, action)) = table.next_bot_action() else { break };
        let then = Box::new(command(&table, seat, bot, action));
        let expecting = PlayerCommand::Expecting { round: table.round_number(), turn: None, then };
        match state.floor.command(name, expecting.by(bot), None, now).await {
            Ok(_) => {}
            Err(FloorError::Refused(Refusal::InsufficientChips)) => {
                give(state, &table, bot, now).await?;
            }
            // Another node was first, or the table has moved on.
            Err(FloorError::Refused(_)) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns the command with which a bot does an action.
fn command(table: &Table, seat: Seat, bot: &str, action: BotAction) -> PlayerCommand {
    match action {
        BotAction::Leave => PlayerCommand::Leave { seat },
        BotAction::SitIn => PlayerCommand::SitIn { seat },
        BotAction::Act(Awaited::Bank) => {
            let wager = bank_wager(table);
            let wager = table.practice_chips(bot).map_or(wager, |chips| chips.min(wager));
            PlayerCommand::TakeBank { seat, wager }
        }
        // A bot never commits to a seed.
        BotAction::Act(Awaited::Wager | Awaited::Seed) => {
            let ante = table.terms().house().limits().ante_min;
            PlayerCommand::Wager { seat, ante, blind: None, bonus: Amount::ZERO }
        }
        BotAction::Act(Awaited::Decision) => {
            PlayerCommand::Decide { seat, decision: decide(table, seat) }
        }
    }
}

fn bank_wager(table: &Table) -> Amount {
    let most = table.terms().house().limits().ante_max;
    most.times(BANK_MULTIPLE).unwrap_or(most)
}

/// Returns a bot's decision, based only on the cards that it may see.
fn decide(table: &Table, seat: Seat) -> croupier_rules::Decision {
    let round = table.round().expect("a round is open");
    let seen = round.view(Viewer::Seat(seat));
    let own = seen.seats.iter().find(|hand| hand.seat == seat).and_then(|hand| hand.cards);
    let hand: Vec<Card> = own.unwrap_or_default().into_iter().collect();
    let strategy = match table.terms().house().game() {
        Game::Uth => &*HOLDEM,
        Game::Utcp => &*THREE_CARD,
    };
    strategy.decide(&hand, &seen.community, &round.decisions(seat))
}

/// Gives a bot enough chips for any next move. If two nodes do so at the same version, it happens
/// once.
async fn give(state: &AppState, table: &Table, bot: &str, now: Time) -> Result<(), FloorError> {
    debug_assert!(is_bot(bot), "players get chips only when they ask");
    let transfer = Transfer {
        key: format!("issue/{bot}/{}", table.version()),
        from: Account::Issue(bot.to_owned()),
        to: Account::Player(bot.to_owned()),
        amount: bank_wager(table).max(CHIPS),
    };
    match state.store().transfer(vec![transfer], now, None).await {
        Ok(_) | Err(StoreError::Ledger(LedgerError::Repeated { .. })) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
