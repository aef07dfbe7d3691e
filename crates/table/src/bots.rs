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

/// How long bots look at a new round before they wager, in milliseconds, while people have yet to.
const LOOKS: u32 = 500;

/// How long after the last person on a street bots decide, in milliseconds, if that person has more
/// to decide in the round.
const FOLLOWS: u32 = 350;

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
        let seated = self.active().find(|seated| seated.seat == seat)?;
        let open = self.open_round()?;
        match open.stage {
            Stage::Offering => (self.offered() == Some(seat)).then_some(Awaited::Bank),
            Stage::Betting => (!open.accounts_for(seat, &seated.player)).then_some(Awaited::Wager),
            Stage::Revealing => self.to_reveal().contains(&seat).then_some(Awaited::Seed),
            Stage::Deciding => {
                let decides = !open.round.decisions(seat).is_empty();
                decides.then_some(Awaited::Decision)
            }
        }
    }

    /// Returns the bot that acts next, and its action.
    pub fn next_bot_action(&self) -> Option<(Seat, &str, BotAction)> {
        let next = self.bot_actions().min_by_key(|(at, ..)| *at);
        next.map(|(_, seat, bot, action)| (seat, bot, action))
    }

    /// Returns when the bot that acts next has thought long enough, if there is one.
    pub fn bot_action_time(&self) -> Option<Time> {
        self.bot_actions().map(|(at, ..)| at).min()
    }

    /// Returns when a node has to wake the table, if ever: at [its
    /// deadline](Self::next_deadline), or when a bot has thought long enough.
    ///
    /// It depends only on the journal, so any node can do it, and no node has to remember it.
    pub fn next_wake(&self) -> Option<Time> {
        self.next_deadline().into_iter().chain(self.bot_action_time()).min()
    }

    /// Returns the bots that have something to do, with the times and the actions.
    fn bot_actions(&self) -> impl Iterator<Item = (Time, Seat, &str, BotAction)> {
        let deserted = self.seats.iter().all(|seated| is_bot(&seated.player));
        let bots = self.seats.iter().filter(|seated| is_bot(&seated.player) && !seated.leaving);
        bots.filter_map(move |bot| {
            let action = match self.awaits(bot.seat) {
                _ if deserted => BotAction::Leave,
                _ if bot.out => BotAction::SitIn,
                awaited => BotAction::Act(awaited?),
            };
            Some((self.time_of(bot.seat, action), bot.seat, &*bot.player, action))
        })
    }

    /// Returns when a bot takes an action.
    ///
    /// Bots act at the same time, and not one after the other. People who have acted wait for them
    /// only as long as it takes to see what happened, and not at all once they have nothing more
    /// to decide.
    fn time_of(&self, seat: Seat, action: BotAction) -> Time {
        let open = match self.open_round() {
            // Bots of a table from before people set the pace think one after the other.
            _ if self.terms.own_pace().is_none() => {
                let longer = u32::from(self.hash.as_bytes()[0]) * THINKS_LONGER / 256;
                return self.at.after(THINKS + longer);
            }
            Some(open) => open,
            None => return self.at,
        };
        let mut people = self.seats.iter().filter(|seated| !is_bot(&seated.player));
        let awaited = people.clone().any(|person| self.awaits(person.seat).is_some());
        let (looked, acted) = (open.since.after(LOOKS), open.since.max(open.acted));
        match action {
            BotAction::Leave | BotAction::SitIn => self.at,
            BotAction::Act(Awaited::Bank | Awaited::Seed) => looked,
            BotAction::Act(Awaited::Wager) => {
                if awaited {
                    looked
                } else {
                    acted
                }
            }
            BotAction::Act(Awaited::Decision) => {
                let byte = open.commitment.as_bytes()[seat.number() as usize];
                let thought = open.since.after(THINKS + u32::from(byte) * THINKS_LONGER / 256);
                if awaited {
                    thought
                } else if people.any(|person| open.round.is_undecided(person.seat)) {
                    thought.min(acted.after(FOLLOWS))
                } else {
                    acted
                }
            }
        }
    }
}
