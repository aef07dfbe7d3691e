//! What a table waits for from a seat, and when the bots among its players see to it.

use croupier_rules::Seat;

use crate::open_round::Stage;
use crate::table::Table;
use crate::time::Time;

/// How the ids of bots begin. Nobody else's may.
const BOT: &str = "bot-";

/// How long a bot thinks at least, and how much longer at most, in milliseconds: as long as people
/// need to see what happened.
const THINKS: u32 = 700;
const THINKS_LONGER: u32 = 900;

/// Tells whether a player is a bot.
pub fn is_bot(player: &str) -> bool {
    player.starts_with(BOT)
}

/// What a table waits for from a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// That it takes the bank, or passes.
    Bank,
    /// That it wagers.
    Wager,
    /// That it shows the seed that it committed to.
    Seed,
    /// That it decides.
    Decision,
}

/// What a bot does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errand {
    /// It gives the table what that waits for.
    Give(Awaited),
    /// It takes part again, after it sat out.
    SitIn,
    /// It leaves, because nobody but bots is left.
    Leave,
}

impl Table {
    /// Returns what the table waits for from a seat, if it does.
    pub fn awaits(&self, seat: Seat) -> Option<Awaited> {
        let sitter = self.active().find(|sitter| sitter.seat == seat)?;
        let open = self.open_round()?;
        match open.stage {
            Stage::Offering => (self.offered() == Some(seat)).then_some(Awaited::Bank),
            Stage::Betting => (!open.accounts_for(seat, &sitter.player)).then_some(Awaited::Wager),
            Stage::Revealing => self.to_reveal().contains(&seat).then_some(Awaited::Seed),
            Stage::Deciding => {
                let decides = !open.round.decisions(seat).is_empty();
                decides.then_some(Awaited::Decision)
            }
        }
    }

    /// Returns the first bot that has something to do, and what it is.
    pub fn errand(&self) -> Option<(Seat, &str, Errand)> {
        let deserted = self.seats.iter().all(|sitter| is_bot(&sitter.player));
        let mut bots = self.seats.iter().filter(|sitter| is_bot(&sitter.player) && !sitter.leaving);
        bots.find_map(|bot| {
            let errand = match self.awaits(bot.seat) {
                _ if deserted => Errand::Leave,
                _ if bot.out => Errand::SitIn,
                awaited => Errand::Give(awaited?),
            };
            Some((bot.seat, &*bot.player, errand))
        })
    }

    /// Returns when somebody has to look after the table, if ever: because [it wants to be
    /// woken](Self::next_deadline), or because a bot has thought long enough.
    ///
    /// It follows from the journal alone, so that any node can do it, and none has to remember it.
    pub fn next_wake(&self) -> Option<Time> {
        let thought = self.errand().map(|_| self.bots_move());
        self.next_deadline().into_iter().chain(thought).min()
    }

    /// Returns when a bot has thought long enough since the table last changed.
    pub fn bots_move(&self) -> Time {
        let longer = u32::from(self.hash.as_bytes()[0]) * THINKS_LONGER / 256;
        self.at.after(THINKS + longer)
    }
}
