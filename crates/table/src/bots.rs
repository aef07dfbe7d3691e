//! The action that a table awaits from a seat, and when bots take their actions.

use croupier_rules::Seat;

use crate::open_round::Stage;
use crate::table::Table;
use crate::time::Time;

/// The start of a bot's id. No other player's id may start with it.
const BOT: &str = "bot-";

/// The least time that a bot thinks, and the most added to it, in milliseconds: as long as people
/// need to see the last action.
const THINKS: u32 = 700;
const THINKS_LONGER: u32 = 900;

/// Tells whether a player is a bot.
pub fn is_bot(player: &str) -> bool {
    player.starts_with(BOT)
}

/// The action that a table awaits from a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// To take the bank, or decline it.
    Bank,
    /// To wager.
    Wager,
    /// To show the seed that it committed to.
    Seed,
    /// To decide.
    Decision,
}

/// The next action of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotAction {
    /// Do what the table awaits.
    Act(Awaited),
    /// Stop sitting out.
    SitIn,
    /// Leave, because only bots are left.
    Leave,
}

impl Table {
    /// Returns the action that the table awaits from a seat, if any.
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

    /// Returns the first bot that has something to do, and its action.
    pub fn next_bot_action(&self) -> Option<(Seat, &str, BotAction)> {
        let deserted = self.seats.iter().all(|sitter| is_bot(&sitter.player));
        let mut bots = self.seats.iter().filter(|sitter| is_bot(&sitter.player) && !sitter.leaving);
        bots.find_map(|bot| {
            let action = match self.awaits(bot.seat) {
                _ if deserted => BotAction::Leave,
                _ if bot.out => BotAction::SitIn,
                awaited => BotAction::Act(awaited?),
            };
            Some((bot.seat, &*bot.player, action))
        })
    }

    /// Returns when a node has to wake the table, if ever: at [its
    /// deadline](Self::next_deadline), or when a bot has thought long enough.
    ///
    /// It depends only on the journal, so any node can do it, and no node has to remember it.
    pub fn next_wake(&self) -> Option<Time> {
        let thought = self.next_bot_action().map(|_| self.bot_action_time());
        self.next_deadline().into_iter().chain(thought).min()
    }

    /// Returns when a bot has thought long enough since the table last changed.
    pub fn bot_action_time(&self) -> Time {
        let longer = u32::from(self.hash.as_bytes()[0]) * THINKS_LONGER / 256;
        self.at.after(THINKS + longer)
    }
}
