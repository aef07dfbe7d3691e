//! Players who are always there and play sensibly: for tests of stores that need active tables.

use croupier_rules::{Amount, Catalog, Seat};
use croupier_store::{Accounts, StoreError};
use croupier_table::{
    Account, Clocks, Command, Hash, Stage, Table, Terms, Time, Transfer, seat_commitment, to_hex,
};

/// The chips that every player gets.
pub(crate) const CHIPS: Amount = Amount::cents(100_000_000_000);

/// The number of players at a table.
pub(crate) const PLAYERS: u32 = 3;

const HOUSES: [&str; 4] = ["uth-standard", "uth-california", "utcp-standard", "uth-washington"];

/// Pseudorandom numbers, the same again from the same seed.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) const fn below(&mut self, sides: u64) -> u64 {
        self.next() % sides
    }

    pub(crate) fn cents(&mut self, unit: i64, most: u64) -> Amount {
        Amount::cents(unit * (1 + i64::try_from(self.below(most)).expect("small")))
    }
}

/// Returns the terms of a table by its number: all houses in turn.
pub(crate) fn terms(number: usize, clocks: Option<Clocks>) -> Terms {
    let house = HOUSES[number % HOUSES.len()];
    Terms::new(&Catalog::shipped(), house, None, clocks).expect("good terms")
}

/// Returns the name of the player in a seat.
pub(crate) fn name(table: &str, seat: Seat) -> String {
    format!("{table}-{}", seat.number())
}

pub(crate) fn seats() -> impl Iterator<Item = Seat> {
    (1..=PLAYERS).map(|number| Seat::new(number).expect("a seat"))
}

/// Issues chips to the players of a table, unless they have them already.
pub(crate) async fn issue(store: &impl Accounts, table: &str, now: Time) -> Result<(), StoreError> {
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
pub(crate) fn next(table: &Table, dice: &mut Dice) -> Option<Command> {
    let free = seats().find(|&seat| table.seats().iter().all(|sitter| sitter.seat != seat));
    if let Some(seat) = free {
        return Some(Command::Join { seat, player: name(table.name(), seat) });
    }
    let out = table.seats().iter().find(|sitter| sitter.out);
    if let Some(sitter) = out {
        return Some(Command::SitIn { seat: sitter.seat, player: sitter.player.clone() });
    }
    match table.stage()? {
        Stage::Offering => {
            let seat = table.offered()?;
            let player = name(table.name(), seat);
            Some(match dice.below(4) {
                0 => Command::DeclineBank { seat, player },
                _ => Command::TakeBank { seat, player, wager: dice.cents(500, 100) },
            })
        }
        Stage::Betting => Some(wager(table, dice)),
        Stage::Revealing => {
            let seat = *table.to_reveal().first()?;
            let (player, seed) = (name(table.name(), seat), to_hex(&seed(table, seat)));
            Some(Command::RevealSeed { seat, player, seed })
        }
        Stage::Deciding => {
            let round = table.round()?;
            if dice.below(400) == 0 {
                return Some(Command::Void { reason: "the shuffler jammed".to_owned() });
            }
            let seat = round.to_decide().next()?;
            let decisions = round.decisions(seat);
            let count = u64::try_from(decisions.len()).expect("a few");
            let choice = usize::try_from(dice.below(count)).expect("a few");
            let (player, decision) = (name(table.name(), seat), decisions[choice]);
            Some(Command::Decide { seat, player, decision })
        }
    }
}

fn wager(table: &Table, dice: &mut Dice) -> Command {
    let banker = table.banker();
    let waiting = seats().find(|&seat| Some(seat) != banker && !table.has_wagered(seat));
    let Some(seat) = waiting else {
        let player = name(table.name(), Seat::new(1).expect("a seat"));
        return Command::Deal { player };
    };
    let player = name(table.name(), seat);
    match dice.below(10) {
        0 => {
            let round = table.round_number();
            let commitment = seat_commitment(table.name(), round, seat, &seed(table, seat));
            Command::CommitSeed { seat, player, commitment }
        }
        roll => {
            let bonus = if roll < 4 { dice.cents(500, 4) } else { Amount::ZERO };
            Command::Wager { seat, player, ante: dice.cents(500, 20), blind: None, bonus }
        }
    }
}

/// Returns a seat's seed, which is the same again after a crash.
fn seed(table: &Table, seat: Seat) -> [u8; 16] {
    let text = format!("{} {} {}", table.name(), table.round_number(), seat.number());
    let hash = Hash::of(text.as_bytes());
    let mut seed = [0; 16];
    seed.copy_from_slice(&hash.as_bytes()[..16]);
    seed
}
