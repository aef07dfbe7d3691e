//! Bots: players who are labelled as such, and play by published strategies.
//!
//! A bot is its id and nothing else: which one it is, and at which table. What it does next follows
//! from the table's journal, so that any node can do it, and none has to remember it. Each has an
//! account for each table, so that no two tables wait for each other.

use std::sync::LazyLock;

use croupier_cards::Card;
use croupier_odds::Strategy;
use croupier_rules::{Amount, Game, Seat, Viewer};
use croupier_store::{FloorError, Request, Store, StoreError};
use croupier_table::{
    Account, Awaited, Command, Errand, LedgerError, Refusal, Table, Time, Transfer, is_bot,
};

use crate::once::Found;
use crate::problem::{Code, Problem};
use crate::room::Shared;

/// The names of bots, which nobody else can take.
const NAMES: [&str; 7] = ["Ada", "Blaise", "Carl", "Emmy", "Pierre", "Sonja", "Thomas"];

/// What a bot begins with, and is given when it runs out.
const CHIPS: Amount = Amount::cents(10_000_000);

/// What a bot posts when it banks: so many times the largest Ante, if it has as much.
const BANK: u32 = 100;

/// How many things bots do at a table before somebody else is looked after.
const ERRANDS: usize = 16;

/// How bots play: as has been published.
static HOLDEM: LazyLock<Strategy> = LazyLock::new(|| shipped("short"));
static THREE_CARD: LazyLock<Strategy> = LazyLock::new(|| shipped("utcp-short"));

fn shipped(id: &str) -> Strategy {
    Strategy::shipped(id).expect("the strategy comes along")
}

/// Returns the id of a bot at a table.
fn id(number: usize, table: &str) -> String {
    format!("bot-{number}-{table}")
}

/// Returns the name of a bot by its id; nothing, if it is none.
pub(crate) fn name_of(player: &str) -> Option<&'static str> {
    let number = player.strip_prefix("bot-")?.split('-').next()?;
    NAMES.get(number.parse::<usize>().ok()?).copied()
}

/// Tells whether a name, in small letters, is a bot's.
pub(crate) fn has_name(name: &str) -> bool {
    NAMES.iter().any(|bot| bot.eq_ignore_ascii_case(name))
}

/// Seats another bot at a table, once for each request, and returns where.
pub(crate) async fn seat(
    room: &Shared,
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
    let join = Command::Join { seat, player: bot };
    let answer = room.floor.command_of(name, join, request, room.now()).await?;
    if answer.repeated { Ok(Found::read(&answer.text)?.seat) } else { Ok(seat) }
}

/// Does what bots have to do at a table, if they have thought long enough.
pub(crate) async fn play(room: &Shared, name: &str) -> Result<(), FloorError> {
    for _ in 0..ERRANDS {
        let (table, now) = (room.floor.table(name).await?, room.now());
        let Some((seat, bot, errand)) = table.errand() else { break };
        if table.bots_move() > now {
            break;
        }
        let command = command(&table, seat, bot, errand);
        let command =
            Command::Expecting { round: table.round_number(), turn: None, then: Box::new(command) };
        match room.floor.command(name, command, None, now).await {
            Ok(_) => {}
            Err(FloorError::Refused(Refusal::InsufficientChips)) => {
                give(room, &table, bot, now).await?;
            }
            // Another node was first, or the table has moved on.
            Err(FloorError::Refused(_)) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns what a bot does.
fn command(table: &Table, seat: Seat, bot: &str, errand: Errand) -> Command {
    let (player, limits) = (bot.to_owned(), *table.terms().house().limits());
    match errand {
        Errand::Leave => Command::Leave { seat, player },
        Errand::SitIn => Command::SitIn { seat, player },
        Errand::Give(Awaited::Bank) => {
            let wager = bank_wager(table);
            let wager = table.practice_chips(bot).map_or(wager, |chips| chips.min(wager));
            Command::TakeBank { seat, player, wager }
        }
        // It never commits to a seed.
        Errand::Give(Awaited::Wager | Awaited::Seed) => {
            let (ante, bonus) = (limits.ante_min, Amount::ZERO);
            Command::Wager { seat, player, ante, blind: None, bonus }
        }
        Errand::Give(Awaited::Decision) => {
            let decision = decide(table, seat);
            Command::Decide { seat, player, decision }
        }
    }
}

fn bank_wager(table: &Table) -> Amount {
    let most = table.terms().house().limits().ante_max;
    most.times(BANK).unwrap_or(most)
}

/// Returns what a bot decides on the cards that it may see.
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

/// Gives a bot chips, enough for whatever it may want next. Two nodes that do so at the same
/// version do it once.
async fn give(room: &Shared, table: &Table, bot: &str, now: Time) -> Result<(), FloorError> {
    debug_assert!(is_bot(bot), "others are given chips when they ask");
    let transfer = Transfer {
        key: format!("issue/{bot}/{}", table.version()),
        from: Account::Issue(bot.to_owned()),
        to: Account::Player(bot.to_owned()),
        amount: bank_wager(table).max(CHIPS),
    };
    match room.store().transfer(vec![transfer], now, None).await {
        Ok(_) | Err(StoreError::Ledger(LedgerError::Repeated { .. })) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
