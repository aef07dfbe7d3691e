//! Players who are always there and play sensibly: for tests of stores that need active tables.

use croupier_rules::{Amount, Catalog, Seat};
use croupier_store::{Accounts, StoreError};
use croupier_table::{
    Account, Clocks, Command, Hash, OperatorCommand, PlayerCommand, Stage, Table, Terms, Time,
    Transfer, seat_commitment, to_hex,
};

use crate::Random;

/// The chips that every player gets.
pub const CHIPS: Amount = Amount::cents(100_000_000_000);

/// The number of players at a table.
pub const PLAYERS: u32 = 3;

const HOUSES: [&str; 4] = ["uth-standard", "uth-california", "utcp-standard", "uth-washington"];

/// Returns the terms of a table by its number: all houses in turn.
pub fn terms(number: usize, clocks: Option<Clocks>) -> Terms {
    let house = HOUSES[number % HOUSES.len()];
    Terms::new(&Catalog::shipped(), house, None, clocks).expect("good terms")
}

/// Returns the name of the player in a seat.
pub fn name(table: &str, seat: Seat) -> String {
    format!("{table}-{}", seat.number())
}

/// Returns the seats that are taken at a table.
pub fn seats() -> impl Iterator<Item = Seat> {
    (1..=PLAYERS).map(|number| Seat::new(number).expect("a seat"))
}

/// Issues chips to the players of a table, unless they have them already.
///
/// # Errors
///
/// The store's, except that the chips were issued already.
pub async fn issue(store: &impl Accounts, table: &str, now: Time) -> Result<(), StoreError> {
    for seat in seats() {
        let player = name(table, seat);
        let transfer = Transfer {
            key: format!("issue/{player}"),
            from: Account::Issue(player.clone()),
            to: Account::Player(player),
            amount: CHIPS,
        };
        match store.transfer(vec![transfer], now, None).await {
            Ok(_) | Err(StoreError::Ledger(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns the players' next command, if it is a player's turn.
pub fn next(table: &Table, random: &mut Random) -> Option<Command> {
    let free = seats().find(|&seat| table.seats().iter().all(|sitter| sitter.seat != seat));
    if let Some(seat) = free {
        return Some(PlayerCommand::Join { seat }.by(name(table.name(), seat)));
    }
    let out = table.seats().iter().find(|sitter| sitter.out);
    if let Some(sitter) = out {
        return Some(PlayerCommand::SitIn { seat: sitter.seat }.by(sitter.player.clone()));
    }
    match table.stage()? {
        Stage::Offering => {
            let seat = table.offered()?;
            let player = name(table.name(), seat);
            Some(match random.below(4_u8) {
                0 => PlayerCommand::DeclineBank { seat }.by(player),
                _ => PlayerCommand::TakeBank { seat, wager: cents(random, 500, 100) }.by(player),
            })
        }
        Stage::Betting => Some(wager(table, random)),
        Stage::Revealing => {
            let seat = *table.to_reveal().first()?;
            let (player, seed) = (name(table.name(), seat), to_hex(&seed(table, seat)));
            Some(PlayerCommand::RevealSeed { seat, seed }.by(player))
        }
        Stage::Deciding => {
            let round = table.round()?;
            if random.chance(1, 400) {
                return Some(
                    OperatorCommand::Void { reason: "the shuffler jammed".to_owned() }.into(),
                );
            }
            let seat = round.to_decide().next()?;
            let decisions = round.decisions(seat);
            let (player, decision) = (name(table.name(), seat), random.pick(&decisions));
            Some(PlayerCommand::Decide { seat, decision }.by(player))
        }
    }
}

fn wager(table: &Table, random: &mut Random) -> Command {
    let banker = table.banker();
    let waiting = seats().find(|&seat| Some(seat) != banker && !table.has_wagered(seat));
    let Some(seat) = waiting else {
        let player = name(table.name(), Seat::new(1).expect("a seat"));
        return PlayerCommand::Deal {}.by(player);
    };
    let player = name(table.name(), seat);
    match random.below(10_u8) {
        0 => {
            let round = table.round_number();
            let commitment = seat_commitment(table.name(), round, seat, &seed(table, seat));
            PlayerCommand::CommitSeed { seat, commitment }.by(player)
        }
        roll => {
            let bonus = if roll < 4 { cents(random, 500, 4) } else { Amount::ZERO };
            PlayerCommand::Wager { seat, ante: cents(random, 500, 20), blind: None, bonus }
                .by(player)
        }
    }
}

fn cents(random: &mut Random, unit: i64, most: i64) -> Amount {
    Amount::cents(unit * (1 + random.below(most)))
}

/// Returns a seat's seed, which is the same again after a crash.
fn seed(table: &Table, seat: Seat) -> [u8; 16] {
    let text = format!("{} {} {}", table.name(), table.round_number(), seat.number());
    let hash = Hash::of(text.as_bytes());
    let mut seed = [0; 16];
    seed.copy_from_slice(&hash.as_bytes()[..16]);
    seed
}
