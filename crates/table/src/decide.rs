//! The events that follow from a command, the clock, or the state of the table. Nothing changes
//! here: the result is the next events, or a refusal.

use croupier_rules::{Action, Actor, Amount, Decision, Edition, Refusal as No, Round, Seat};

use crate::command::Command;
use crate::event::{Checkpoint, Event, Sitter};
use crate::hash::{Hash, from_hex};
use crate::names::is_fit;
use crate::open_round::{OpenRound, Stage};
use crate::practice::{price, taken_back};
use crate::record::record;
use crate::refusal::Refusal;
use crate::shuffle::{SEAT_SEED_MAX, Seed, seat_commitment};
use crate::table::{Impossible, Phase, Table};
use crate::time::Time;

/// The number of betting windows missed in a row after which a player sits out.
const MISSED_SITS_OUT: u32 = 2;

/// The number of betting windows missed in a row after which the seat becomes free.
const MISSED_LEAVES: u32 = 10;

/// The number of windows in a row that a player may wait for others before the seat becomes free:
/// half an hour, with the default clocks.
const WAITED_LEAVES: u32 = 90;

/// The number of rounds from one checkpoint to the next.
const CHECKPOINT_ROUNDS: u64 = 32;

/// Responses to commands.
impl Table {
    pub(crate) fn decide(&self, command: Command, now: Time) -> Result<Vec<Event>, Refusal> {
        if self.is_closed() {
            return Err(Refusal::TableClosed);
        }
        if let Command::Expecting { round, turn, then } = command {
            self.expect(round, turn, &then)?;
            return self.decide(*then, now);
        }
        if let Command::Join { seat, player } = command {
            return self.join(seat, player).map(|event| vec![event]);
        }
        if let Some((seat, player)) = command.of_seat() {
            let sitter = self.own_seat(seat, player)?;
            return self.decide_for(sitter, &command);
        }
        let event = match command {
            Command::Deal { player } => self.deal(&player)?,
            Command::Shoe { seed } => self.shoe(seed, now)?,
            Command::Void { reason } => self.void(reason)?,
            Command::Pause { reason } => match self.paused {
                _ if !is_fit(&reason) => return Err(Refusal::BadText),
                Some(_) => return Err(Refusal::PausedAlready),
                None => Event::Paused { reason },
            },
            Command::Resume if self.paused.is_none() => return Err(Refusal::NotPaused),
            Command::Resume => Event::Resumed,
            Command::Close { reason, alone } => match self.closing {
                _ if !is_fit(&reason) => return Err(Refusal::BadText),
                _ if alone.is_some_and(|player| self.others_sit(&player)) => {
                    return Err(Refusal::OthersSit);
                }
                Some(_) => return Err(Refusal::TableClosing),
                None => Event::Closing { reason },
            },
            _ => unreachable!("the others are about a seat"),
        };
        Ok(vec![event])
    }

    /// Refuses a command that was meant for another moment.
    fn expect(&self, round: u64, turn: Option<usize>, then: &Command) -> Result<(), Refusal> {
        let seat = then.of_seat().map(|(seat, _)| seat);
        let open = self.open_round().zip(seat);
        let turns = open.map_or(0, |(open, seat)| open.round.actions(seat).count());
        let nested = matches!(then, Command::Expecting { .. });
        let there = round == self.round && turn.is_none_or(|turn| turn == turns) && !nested;
        if there { Ok(()) } else { Err(Refusal::MovedOn) }
    }

    fn join(&self, seat: Seat, player: String) -> Result<Event, Refusal> {
        let house = self.terms.house();
        let (seats, most) = (house.seats(), house.seats_per_player());
        let own = self.seats.iter().filter(|sitter| sitter.player == player).count();
        let reasons = [
            (!is_fit(&player)).then_some(Refusal::BadText),
            (seat.number() > seats).then_some(Refusal::NoSuchSeat { seats }),
            self.sitter(seat).is_some().then_some(Refusal::SeatTaken),
            (own >= most as usize).then_some(Refusal::TooManySeats { most }),
            self.closing.is_some().then_some(Refusal::TableClosing),
        ];
        let refusal = reasons.into_iter().flatten().next();
        refusal.map_or(Ok(Event::PlayerJoined { seat, player }), Err)
    }

    fn own_seat(&self, seat: Seat, player: &str) -> Result<&Sitter, Refusal> {
        let seats = self.terms.house().seats();
        match self.sitter(seat) {
            _ if seat.number() > seats => Err(Refusal::NoSuchSeat { seats }),
            None => Err(Refusal::SeatEmpty),
            Some(sitter) if sitter.player != player => Err(Refusal::NotYourSeat),
            Some(sitter) => Ok(sitter),
        }
    }

    fn decide_for(&self, sitter: &Sitter, command: &Command) -> Result<Vec<Event>, Refusal> {
        let seat = sitter.seat;
        if sitter.leaving {
            return Err(Refusal::Leaving);
        }
        let event = match command {
            Command::Leave { .. } => return Ok(self.leave(seat)),
            Command::SitOut { .. } if sitter.out => return Err(Refusal::SitsOut),
            Command::SitOut { .. } => Event::SatOut { seat, by_table: false },
            Command::SitIn { .. } if !sitter.out => return Err(Refusal::SitsIn),
            Command::SitIn { .. } => Event::SatIn { seat },
            _ => {
                let open = self.open_round().ok_or(Refusal::NoRound)?;
                self.decide_in_round(open, sitter, command)?
            }
        };
        Ok(vec![event])
    }

    /// Returns the events of a player who leaves: at once, with the wager, or after the round.
    fn leave(&self, seat: Seat) -> Vec<Event> {
        let left = Event::PlayerLeft { seat, by_table: false };
        match self.open_round() {
            Some(open) if open.banks(seat) => vec![Event::PlayerLeaving { seat }],
            Some(open) if open.has(seat) && open.stage <= Stage::Betting => {
                vec![Event::Withdrawn { seat }, left]
            }
            Some(open) if open.has(seat) => vec![Event::PlayerLeaving { seat }],
            _ => vec![left],
        }
    }

    fn decide_in_round(
        &self,
        open: &OpenRound,
        sitter: &Sitter,
        command: &Command,
    ) -> Result<Event, Refusal> {
        let Sitter { seat, ref player, .. } = *sitter;
        let allowed = |action: Action| open.round.refusal(&action).map_or(Ok(()), Err);
        let player = player.clone();
        match *command {
            Command::TakeBank { wager, .. } => {
                let offered = open.banks(seat) || self.offered() == Some(seat);
                // A reason why the bank is not available at all comes before whose turn it is.
                match open.round.refusal(&Action::Bank { seat, player, wager }) {
                    Some(refusal @ (No::BettingClosed | No::RoundOver | No::HouseBanks)) => {
                        Err(refusal.into())
                    }
                    _ if !offered => Err(Refusal::BankNotOffered),
                    Some(refusal) => Err(refusal.into()),
                    None => {
                        self.check_fullness(&sitter.player)?;
                        self.check_purse(&sitter.player, Some(wager), taken_back(open, seat))?;
                        Ok(Event::BankTaken { seat, wager })
                    }
                }
            }
            Command::DeclineBank { .. } if self.offered() == Some(seat) => {
                Ok(Event::BankDeclined { seat, by_table: false })
            }
            Command::DeclineBank { .. } => Err(Refusal::BankNotOffered),
            Command::CommitSeed { .. } if open.stage > Stage::Betting => Err(Refusal::SeedTooLate),
            Command::CommitSeed { commitment, .. } => Ok(Event::SeedCommitted { seat, commitment }),
            Command::RevealSeed { ref seed, .. } => self.reveal(open, seat, seed),
            Command::GiveUpSeed { .. } => {
                Self::owed_seed(open, seat)?;
                Ok(Event::SeedGivenUp { seat })
            }
            Command::Wager { ante, blind, bonus, .. } => {
                let blind = blind.unwrap_or(ante);
                allowed(Action::Wager { seat, player, ante, blind, bonus })?;
                self.check_fullness(&sitter.player)?;
                let back = taken_back(open, seat);
                self.check_purse(&sitter.player, price(ante, bonus), back)?;
                Ok(Event::Wagered { seat, ante, bonus })
            }
            Command::Withdraw { .. } => {
                allowed(Action::Withdraw { seat, player })?;
                Ok(Event::Withdrawn { seat })
            }
            Command::Decide { decision, .. } => {
                // Cards come at once, or after seeds are shown; until then betting is just closed.
                allowed(Action::Decide { seat, by: Actor::Player(player), decision })?;
                if let Decision::Bet(times) = decision {
                    let ante = open.wager(seat).map(|wager| wager.stakes.ante);
                    let play = ante.and_then(|ante| ante.times(times));
                    self.check_purse(&sitter.player, play, Amount::ZERO)?;
                }
                Ok(Event::Decided { seat, decision, by_table: false })
            }
            _ => unreachable!("the others need no round"),
        }
    }

    /// Returns a seat's commitment, if the seat has to show its seed now.
    fn owed_seed(open: &OpenRound, seat: Seat) -> Result<&Hash, Refusal> {
        if open.stage != Stage::Revealing {
            return Err(Refusal::SeedNotWanted);
        }
        let committed = open.commitments.iter().find(|(of, _)| *of == seat);
        let Some((_, commitment)) = committed.filter(|_| open.has(seat)) else {
            return Err(Refusal::SeedNotCommitted);
        };
        if open.seeds.iter().any(|(of, _)| *of == seat) {
            return Err(Refusal::SeedShown);
        }
        if open.given_up.contains(&seat) {
            return Err(Refusal::SeedGivenUp);
        }
        Ok(commitment)
    }

    fn reveal(&self, open: &OpenRound, seat: Seat, seed: &str) -> Result<Event, Refusal> {
        let commitment = Self::owed_seed(open, seat)?;
        let bytes = from_hex(seed).map_err(|_| Refusal::SeedMalformed)?;
        if !(1..=SEAT_SEED_MAX).contains(&bytes.len()) {
            return Err(Refusal::SeedMalformed);
        }
        if seat_commitment(&self.name, open.number, seat, &bytes) != *commitment {
            return Err(Refusal::SeedMismatch);
        }
        Ok(Event::SeedRevealed { seat, seed: seed.to_owned() })
    }

    fn deal(&self, player: &str) -> Result<Event, Refusal> {
        let seated = self.seats.iter().any(|sitter| sitter.player == player);
        let reasons = [
            (!seated).then_some(Refusal::NotSeated),
            self.open_round().is_none().then_some(Refusal::NoRound),
            self.terms.clocks().is_some().then_some(Refusal::DealsByClock),
        ];
        if let Some(refusal) = reasons.into_iter().flatten().next() {
            return Err(refusal);
        }
        let open = self.open_round().ok_or(Refusal::NoRound)?;
        match open.stage {
            // No player may leave another's seed out of the deck. If nothing is left to wait for,
            // the cards are out already.
            Stage::Revealing => match open.until {
                Some(until) => Err(Refusal::SeedsAwaited { seats: self.to_reveal(), until }),
                // At a table from before this time limit existed, the request ends the wait.
                None => Ok(Event::Dealt),
            },
            _ => match open.round.refusal(&Action::NoMoreBets) {
                Some(refusal) => Err(refusal.into()),
                None => Ok(Event::BettingClosed),
            },
        }
    }

    fn shoe(&self, seed: Seed, now: Time) -> Result<Event, Refusal> {
        if !self.needs_shoe(now) {
            return Err(Refusal::ShoeNotNeeded);
        }
        let round = self.round + 1;
        let commitment = seed.commitment(&self.name, round);
        Ok(Event::RoundOpened { round, seed, commitment })
    }

    fn void(&self, reason: String) -> Result<Event, Refusal> {
        let open = self.open_round();
        match open.map(|open| open.stage) {
            _ if !is_fit(&reason) => Err(Refusal::BadText),
            None => Err(Refusal::NoRound),
            Some(Stage::Deciding) => Ok(Event::Stopped { reason }),
            Some(_) => open.map(|open| open.undealt(reason)).ok_or(Refusal::NoRound),
        }
    }

    /// Returns the events of the table when its deadline has passed.
    pub(crate) fn time_out(&self) -> Vec<Event> {
        let open = match &self.phase {
            Phase::Closed => return Vec::new(),
            Phase::Waiting { .. } if self.seats.is_empty() => {
                let reason = "the table is empty".to_owned();
                return vec![Event::TableClosed { reason }];
            }
            Phase::Waiting { .. } if self.can_open() => return Vec::new(),
            Phase::Waiting { .. } => return vec![Event::WindowPassed],
            Phase::Open(open) => open,
        };
        match open.stage {
            Stage::Offering => {
                let offered = self.offered().into_iter();
                offered.map(|seat| Event::BankDeclined { seat, by_table: true }).collect()
            }
            Stage::Betting if open.round.players().is_empty() => {
                vec![open.undealt("no player wagered".to_owned())]
            }
            Stage::Betting => vec![Event::BettingClosed],
            Stage::Revealing => vec![Event::Dealt],
            Stage::Deciding => {
                open.round.to_decide().map(|seat| Self::pass(&open.round, seat)).collect()
            }
        }
    }

    /// Decides for a player who is out of time: a check if allowed, otherwise a fold.
    fn pass(round: &Round, seat: Seat) -> Event {
        let action = |decision| Action::Decide { seat, by: Actor::Table, decision };
        let may_check = round.refusal(&action(Decision::Check)).is_none();
        let decision = if may_check { Decision::Check } else { Decision::Fold };
        Event::Decided { seat, decision, by_table: true }
    }

    /// Returns the event that follows at once from the current state, if any.
    pub(crate) fn follows(&self) -> Option<Event> {
        if self.is_closed() {
            return None;
        }
        self.sitter_follows().or_else(|| match &self.phase {
            Phase::Open(open) => self.round_follows(open),
            Phase::Waiting { .. } => self.waiting_follows(),
            Phase::Closed => None,
        })
    }

    /// Returns the next event of a seat that is not in a round.
    fn sitter_follows(&self) -> Option<Event> {
        let open = self.open_round();
        let mut free = self.seats.iter().filter(|sitter| open.is_none_or(|o| !o.has(sitter.seat)));
        free.find_map(|&Sitter { seat, out, leaving, missed, waited, .. }| {
            if leaving {
                Some(Event::PlayerLeft { seat, by_table: false })
            } else if missed >= MISSED_LEAVES || waited >= WAITED_LEAVES {
                Some(Event::PlayerLeft { seat, by_table: true })
            } else if missed >= MISSED_SITS_OUT && !out {
                Some(Event::SatOut { seat, by_table: true })
            } else {
                None
            }
        })
    }

    fn round_follows(&self, open: &OpenRound) -> Option<Event> {
        if let Some(reason) = self.closing.clone().filter(|_| open.stage < Stage::Deciding) {
            return Some(open.undealt(reason));
        }
        let undealt = |reason: &str| Some(open.undealt(reason.to_owned()));
        match open.stage {
            Stage::Offering if self.offered().is_none() => undealt("no player took the bank"),
            Stage::Offering => None,
            Stage::Betting => {
                let mut active = self.active();
                let all_in = active.all(|who| open.accounts_for(who.seat, &who.player));
                match open.round.players().is_empty() {
                    true if all_in => undealt("no player is left to wager"),
                    false if all_in && self.terms.clocks().is_some() => Some(Event::BettingClosed),
                    _ => None,
                }
            }
            Stage::Revealing => self.to_reveal().is_empty().then_some(Event::Dealt),
            Stage::Deciding if open.round.settlement().is_some() => {
                Some(Event::RoundOver { record: record(&self.terms, open) })
            }
            Stage::Deciding => {
                let leaving = |seat: &Seat| self.sitter(*seat).is_some_and(|who| who.leaving);
                let seat = open.round.to_decide().find(leaving);
                seat.map(|seat| Self::pass(&open.round, seat))
            }
        }
    }

    fn waiting_follows(&self) -> Option<Event> {
        if let Some(reason) = self.closing.clone() {
            return Some(Event::TableClosed { reason });
        }
        if self.round > self.checkpoint && self.round.is_multiple_of(CHECKPOINT_ROUNDS) {
            return Some(Event::Checkpoint(self.as_checkpoint()));
        }
        // Another round could make the bank's balance overflow.
        (self.round >= self.terms.most_rounds()).then(|| Event::TableClosed {
            reason: "the table has dealt as many rounds as its bank can count".to_owned(),
        })
    }

    fn as_checkpoint(&self) -> Checkpoint {
        let (rest, since) = match self.phase {
            Phase::Waiting { rest, since } => (rest, since),
            Phase::Open(_) | Phase::Closed => (self.at, self.at),
        };
        Checkpoint {
            terms: *self.terms.hash(),
            round: self.round,
            dealt: (self.terms.house().edition() >= Edition::Second).then_some(self.dealt),
            seats: self.seats.clone(),
            banked: self.banked.clone(),
            rest,
            since,
            paused: self.paused.clone(),
            purses: self.purses.clone(),
        }
    }
}

/// Checks of events in a journal.
impl Table {
    /// Checks whether an event could happen now: it follows from the current state, its time has
    /// come, or there is a command that leads to it.
    pub(crate) fn could_happen(&self, event: &Event, at: Time) -> Result<(), Impossible> {
        let due = self.next_deadline().is_some_and(|deadline| deadline <= at);
        let follows = self.follows();
        if due && self.time_out().contains(event) || follows.as_ref() == Some(event) {
            return Ok(());
        }
        if let Event::RoundOver { record } = event {
            let same = match &follows {
                Some(Event::RoundOver { record: now }) => *record == now.as_it_was_written(),
                _ => false,
            };
            let other = || "the round had another result, or is not over".to_owned();
            return same.then_some(()).ok_or_else(other);
        }
        let command = self.command_for(event).ok_or("nothing could have caused it")?;
        match self.decide(command, at) {
            Ok(events) if events.first() == Some(event) => Ok(()),
            Ok(_) => Err("something else would have happened".to_owned()),
            Err(refusal) => Err(refusal.to_string()),
        }
    }

    /// Returns the command that leads to an event, if there is one.
    fn command_for(&self, event: &Event) -> Option<Command> {
        let of = |seat: Seat| self.sitter(seat).map_or_else(String::new, |who| who.player.clone());
        Some(match event.clone() {
            Event::PlayerJoined { seat, player } => Command::Join { seat, player },
            Event::PlayerLeaving { seat } | Event::PlayerLeft { seat, by_table: false } => {
                Command::Leave { seat, player: of(seat) }
            }
            Event::SatOut { seat, by_table: false } => Command::SitOut { seat, player: of(seat) },
            Event::SatIn { seat } => Command::SitIn { seat, player: of(seat) },
            Event::RoundOpened { seed, .. } => Command::Shoe { seed },
            Event::BankDeclined { seat, by_table: false } => {
                Command::DeclineBank { seat, player: of(seat) }
            }
            Event::BankTaken { seat, wager } => Command::TakeBank { seat, player: of(seat), wager },
            Event::SeedCommitted { seat, commitment } => {
                Command::CommitSeed { seat, player: of(seat), commitment }
            }
            Event::SeedRevealed { seat, seed } => {
                Command::RevealSeed { seat, player: of(seat), seed }
            }
            Event::SeedGivenUp { seat } => Command::GiveUpSeed { seat, player: of(seat) },
            Event::Wagered { seat, ante, bonus } => {
                Command::Wager { seat, player: of(seat), ante, blind: None, bonus }
            }
            Event::Withdrawn { seat } => Command::Withdraw { seat, player: of(seat) },
            Event::Decided { seat, decision, by_table: false } => {
                Command::Decide { seat, player: of(seat), decision }
            }
            // Any player at the table may have asked for it.
            Event::BettingClosed | Event::Dealt => {
                Command::Deal { player: self.seats.first()?.player.clone() }
            }
            Event::Stopped { reason } | Event::RoundUndealt { reason, .. } => {
                Command::Void { reason }
            }
            Event::Paused { reason } => Command::Pause { reason },
            Event::Resumed => Command::Resume,
            Event::Closing { reason } => Command::Close { reason, alone: None },
            _ => return None,
        })
    }
}
