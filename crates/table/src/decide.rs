//! The events that follow from a command, the clock, or the state of the table. Nothing changes
//! here: the result is the next events, or a refusal.

use croupier_rules::{Action, Actor, Amount, Decision, Edition, Refusal as No, Round, Seat};

use crate::command::{Command, OperatorCommand, PlayerCommand};
use crate::event::{Checkpoint, Event, SeatedPlayer};
use crate::hash::{Hash, from_hex};
use crate::names::is_valid_text;
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
        let event = match command {
            Command::Player { player, command } => return self.decide_for(&player, command),
            Command::Operator(OperatorCommand::Void { reason }) => self.void(reason),
            Command::Operator(OperatorCommand::Pause { reason }) => self.pause(reason),
            Command::Operator(OperatorCommand::Resume {}) => self.resume(),
            Command::Operator(OperatorCommand::Close { reason, alone }) => {
                self.close(reason, alone.as_deref())
            }
            Command::OpenRound { seed } => self.open_round_with(seed, now),
        };
        Ok(vec![event?])
    }

    /// Returns the events of a player's command.
    ///
    /// Every command about a seat has the same first reasons for refusal, and every one in a round
    /// has the same next ones.
    fn decide_for(&self, player: &str, command: PlayerCommand) -> Result<Vec<Event>, Refusal> {
        let seated = |seat| self.seated(seat, player);
        let in_round = |seat| self.seated_in_round(seat, player);
        let event = match command {
            PlayerCommand::Join { seat } => self.join(seat, player),
            PlayerCommand::Leave { seat } => return Ok(self.leave(seated(seat)?.seat)),
            PlayerCommand::SitOut { seat } => Self::sit_out(seated(seat)?),
            PlayerCommand::SitIn { seat } => Self::sit_in(seated(seat)?),
            PlayerCommand::TakeBank { seat, wager } => self.take_bank(in_round(seat)?, wager),
            PlayerCommand::DeclineBank { seat } => self.decline_bank(in_round(seat)?),
            PlayerCommand::CommitSeed { seat, commitment } => {
                Self::commit_seed(in_round(seat)?, commitment)
            }
            PlayerCommand::RevealSeed { seat, seed } => self.reveal_seed(in_round(seat)?, seed),
            PlayerCommand::GiveUpSeed { seat } => Self::give_up_seed(in_round(seat)?),
            PlayerCommand::Wager { seat, ante, blind, bonus } => {
                self.wager(in_round(seat)?, ante, blind, bonus)
            }
            PlayerCommand::Withdraw { seat } => Self::withdraw(in_round(seat)?),
            PlayerCommand::Decide { seat, decision } => self.decide_hand(in_round(seat)?, decision),
            PlayerCommand::Deal {} => self.deal(player),
            PlayerCommand::Expecting { round, turn, then } => {
                self.expect(round, turn, &then)?;
                return self.decide_for(player, *then);
            }
        };
        Ok(vec![event?])
    }

    /// Refuses a command that was meant for another moment.
    fn expect(&self, round: u64, turn: Option<usize>, then: &PlayerCommand) -> Result<(), Refusal> {
        let open = self.open_round().zip(then.seat());
        let turns = open.map_or(0, |(open, seat)| open.round.actions(seat).count());
        let nested = matches!(then, PlayerCommand::Expecting { .. });
        let there = round == self.round && turn.is_none_or(|turn| turn == turns) && !nested;
        if there { Ok(()) } else { Err(Refusal::MovedOn) }
    }

    /// Returns the player in a seat, if it is this player and they are not about to leave.
    fn seated(&self, seat: Seat, player: &str) -> Result<&SeatedPlayer, Refusal> {
        let seats = self.terms.house().seats();
        match self.player_at(seat) {
            _ if seat.number() > seats => Err(Refusal::NoSuchSeat { seats }),
            None => Err(Refusal::SeatEmpty),
            Some(seated) if seated.player != player => Err(Refusal::NotYourSeat),
            Some(seated) if seated.leaving => Err(Refusal::Leaving),
            Some(seated) => Ok(seated),
        }
    }

    /// Returns the same player, and the open round.
    fn seated_in_round(&self, seat: Seat, player: &str) -> Result<InRound<'_>, Refusal> {
        let SeatedPlayer { seat, player, .. } = self.seated(seat, player)?;
        let open = self.open_round().ok_or(Refusal::NoRound)?;
        Ok(InRound { seat: *seat, player, open })
    }

    fn join(&self, seat: Seat, player: &str) -> Result<Event, Refusal> {
        let house = self.terms.house();
        let (seats, most) = (house.seats(), house.seats_per_player());
        let own = self.seats.iter().filter(|seated| seated.player == player).count();
        let reasons = [
            (!is_valid_text(player)).then_some(Refusal::BadText),
            (seat.number() > seats).then_some(Refusal::NoSuchSeat { seats }),
            self.player_at(seat).is_some().then_some(Refusal::SeatTaken),
            (own >= most as usize).then_some(Refusal::TooManySeats { most }),
            self.closing.is_some().then_some(Refusal::TableClosing),
        ];
        let refusal = reasons.into_iter().flatten().next();
        refusal.map_or_else(|| Ok(Event::PlayerJoined { seat, player: player.to_owned() }), Err)
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

    const fn sit_out(seated: &SeatedPlayer) -> Result<Event, Refusal> {
        if seated.out {
            Err(Refusal::SitsOut)
        } else {
            Ok(Event::SatOut { seat: seated.seat, by_table: false })
        }
    }

    const fn sit_in(seated: &SeatedPlayer) -> Result<Event, Refusal> {
        if seated.out { Ok(Event::SatIn { seat: seated.seat }) } else { Err(Refusal::SitsIn) }
    }

    fn take_bank(&self, at: InRound<'_>, wager: Amount) -> Result<Event, Refusal> {
        let InRound { seat, player, open } = at;
        let offered = open.banks(seat) || self.offered() == Some(seat);
        // A reason why the bank is not available at all comes before whose turn it is.
        match open.round.refusal(&Action::Bank { seat, player: player.to_owned(), wager }) {
            Some(refusal @ (No::BettingClosed | No::RoundOver | No::HouseBanks)) => {
                Err(refusal.into())
            }
            _ if !offered => Err(Refusal::BankNotOffered),
            Some(refusal) => Err(refusal.into()),
            None => {
                self.check_fullness(player)?;
                self.check_purse(player, Some(wager), taken_back(open, seat))?;
                Ok(Event::BankTaken { seat, wager })
            }
        }
    }

    fn decline_bank(&self, InRound { seat, .. }: InRound<'_>) -> Result<Event, Refusal> {
        if self.offered() == Some(seat) {
            Ok(Event::BankDeclined { seat, by_table: false })
        } else {
            Err(Refusal::BankNotOffered)
        }
    }

    fn wager(
        &self,
        at: InRound<'_>,
        ante: Amount,
        blind: Option<Amount>,
        bonus: Amount,
    ) -> Result<Event, Refusal> {
        let InRound { seat, player, open } = at;
        let (player_name, blind) = (player.to_owned(), blind.unwrap_or(ante));
        at.check(&Action::Wager { seat, player: player_name, ante, blind, bonus })?;
        self.check_fullness(player)?;
        self.check_purse(player, price(ante, bonus), taken_back(open, seat))?;
        Ok(Event::Wagered { seat, ante, bonus })
    }

    fn withdraw(at: InRound<'_>) -> Result<Event, Refusal> {
        let InRound { seat, player, .. } = at;
        at.check(&Action::Withdraw { seat, player: player.to_owned() })?;
        Ok(Event::Withdrawn { seat })
    }

    fn decide_hand(&self, at: InRound<'_>, decision: Decision) -> Result<Event, Refusal> {
        let InRound { seat, player, open } = at;
        // Cards come at once, or after seeds are shown; until then betting is just closed.
        at.check(&Action::Decide { seat, by: Actor::Player(player.to_owned()), decision })?;
        if let Decision::Bet(times) = decision {
            let ante = open.wager(seat).map(|wager| wager.stakes.ante);
            let play = ante.and_then(|ante| ante.times(times));
            self.check_purse(player, play, Amount::ZERO)?;
        }
        Ok(Event::Decided { seat, decision, by_table: false })
    }

    fn commit_seed(at: InRound<'_>, commitment: Hash) -> Result<Event, Refusal> {
        if at.open.stage > Stage::Betting {
            Err(Refusal::SeedTooLate)
        } else {
            Ok(Event::SeedCommitted { seat: at.seat, commitment })
        }
    }

    fn reveal_seed(&self, at: InRound<'_>, seed: String) -> Result<Event, Refusal> {
        let InRound { seat, open, .. } = at;
        let commitment = at.owed_seed()?;
        let bytes = from_hex(&seed).map_err(|_| Refusal::SeedMalformed)?;
        if !(1..=SEAT_SEED_MAX).contains(&bytes.len()) {
            return Err(Refusal::SeedMalformed);
        }
        if seat_commitment(&self.name, open.number, seat, &bytes) != *commitment {
            return Err(Refusal::SeedMismatch);
        }
        Ok(Event::SeedRevealed { seat, seed })
    }

    fn give_up_seed(at: InRound<'_>) -> Result<Event, Refusal> {
        at.owed_seed()?;
        Ok(Event::SeedGivenUp { seat: at.seat })
    }

    pub(crate) fn deal(&self, player: &str) -> Result<Event, Refusal> {
        let seated = self.seats.iter().any(|seated| seated.player == player);
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

    fn open_round_with(&self, seed: Seed, now: Time) -> Result<Event, Refusal> {
        if !self.needs_seed(now) {
            return Err(Refusal::ShoeNotNeeded);
        }
        let round = self.round + 1;
        let commitment = seed.commitment(&self.name, round);
        Ok(Event::RoundOpened { round, seed, commitment })
    }

    fn void(&self, reason: String) -> Result<Event, Refusal> {
        match self.open_round() {
            _ if !is_valid_text(&reason) => Err(Refusal::BadText),
            None => Err(Refusal::NoRound),
            Some(open) if open.stage == Stage::Deciding => Ok(Event::Stopped { reason }),
            Some(open) => Ok(open.undealt(reason)),
        }
    }

    fn pause(&self, reason: String) -> Result<Event, Refusal> {
        match self.paused {
            _ if !is_valid_text(&reason) => Err(Refusal::BadText),
            Some(_) => Err(Refusal::PausedAlready),
            None => Ok(Event::Paused { reason }),
        }
    }

    fn resume(&self) -> Result<Event, Refusal> {
        self.paused.as_ref().map(|_| Event::Resumed).ok_or(Refusal::NotPaused)
    }

    fn close(&self, reason: String, alone: Option<&str>) -> Result<Event, Refusal> {
        match self.closing {
            _ if !is_valid_text(&reason) => Err(Refusal::BadText),
            _ if alone.is_some_and(|player| self.others_sit(player)) => Err(Refusal::OthersSit),
            Some(_) => Err(Refusal::TableClosing),
            None => Ok(Event::Closing { reason }),
        }
    }

    /// Returns what it means for the player of a seat that the betting time ran out without them,
    /// in words. Returns `None` if they have not missed the last round.
    pub fn missed_notice(&self, seat: Seat) -> Option<String> {
        let SeatedPlayer { missed, out, .. } = *self.player_at(seat)?;
        let s = if missed == 1 { "" } else { "s" };
        match missed {
            0 => None,
            _ if out => Some(format!(
                "You sit out, and have missed {missed} round{s} in a row. Sit in to play again: \
                 after {MISSED_LEAVES}, your seat is free for others."
            )),
            _ => Some(
                "You didn't bet in time, so that round was dealt without you. If you miss the next \
                 one too, you sit out: you keep your seat, and the table stops waiting for you."
                    .to_owned(),
            ),
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
        self.seat_follows().or_else(|| match &self.phase {
            Phase::Open(open) => self.round_follows(open),
            Phase::Waiting { .. } => self.waiting_follows(),
            Phase::Closed => None,
        })
    }

    /// Returns the next event of a seat that is not in a round.
    fn seat_follows(&self) -> Option<Event> {
        let open = self.open_round();
        let mut free = self.seats.iter().filter(|seated| open.is_none_or(|o| !o.has(seated.seat)));
        free.find_map(|&SeatedPlayer { seat, out, leaving, missed, waited, .. }| {
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
            // Without a wager against it, the bank goes with its player.
            Stage::Betting if self.banker_leaves(open) && open.round.players().is_empty() => {
                undealt("the player with the bank left")
            }
            Stage::Betting => {
                let mut active = self.active();
                let all_in = active.all(|who| open.accounts_for(who.seat, &who.player));
                match open.round.players().is_empty() {
                    true if all_in => undealt("no player is left to wager"),
                    false if all_in && self.terms.clocks().is_some() => Some(Event::BettingClosed),
                    // Seats have wagered against the bank, so the round is played. The banker may
                    // be the only person there, and can no longer call for the cards.
                    false if self.banker_leaves(open) && self.terms.clocks().is_none() => {
                        Some(Event::BettingClosed)
                    }
                    _ => None,
                }
            }
            Stage::Revealing => self.to_reveal().is_empty().then_some(Event::Dealt),
            Stage::Deciding if open.round.settlement().is_some() => {
                Some(Event::RoundOver { record: record(&self.terms, open) })
            }
            Stage::Deciding => {
                let leaving = |seat: &Seat| self.player_at(*seat).is_some_and(|who| who.leaving);
                let seat = open.round.to_decide().find(leaving);
                seat.map(|seat| Self::pass(&open.round, seat))
            }
        }
    }

    /// Tells whether the player who banks is about to leave.
    fn banker_leaves(&self, open: &OpenRound) -> bool {
        let banker = open.round.banker().and_then(|(banker, _)| self.player_at(banker.seat));
        banker.is_some_and(|seated| seated.leaving)
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
        let by_seated = |command: PlayerCommand| {
            let seated = command.seat().and_then(|seat| self.player_at(seat));
            command.by(seated.map_or("", |seated| &*seated.player))
        };
        Some(match event.clone() {
            Event::PlayerJoined { seat, player } => PlayerCommand::Join { seat }.by(player),
            Event::PlayerLeaving { seat } | Event::PlayerLeft { seat, by_table: false } => {
                by_seated(PlayerCommand::Leave { seat })
            }
            Event::SatOut { seat, by_table: false } => by_seated(PlayerCommand::SitOut { seat }),
            Event::SatIn { seat } => by_seated(PlayerCommand::SitIn { seat }),
            Event::RoundOpened { seed, .. } => Command::OpenRound { seed },
            Event::BankDeclined { seat, by_table: false } => {
                by_seated(PlayerCommand::DeclineBank { seat })
            }
            Event::BankTaken { seat, wager } => by_seated(PlayerCommand::TakeBank { seat, wager }),
            Event::SeedCommitted { seat, commitment } => {
                by_seated(PlayerCommand::CommitSeed { seat, commitment })
            }
            Event::SeedRevealed { seat, seed } => {
                by_seated(PlayerCommand::RevealSeed { seat, seed })
            }
            Event::SeedGivenUp { seat } => by_seated(PlayerCommand::GiveUpSeed { seat }),
            Event::Wagered { seat, ante, bonus } => {
                by_seated(PlayerCommand::Wager { seat, ante, blind: None, bonus })
            }
            Event::Withdrawn { seat } => by_seated(PlayerCommand::Withdraw { seat }),
            Event::Decided { seat, decision, by_table: false } => {
                by_seated(PlayerCommand::Decide { seat, decision })
            }
            // Any player at the table may have asked for it.
            Event::BettingClosed | Event::Dealt => {
                PlayerCommand::Deal {}.by(&*self.seats.first()?.player)
            }
            Event::Stopped { reason } | Event::RoundUndealt { reason, .. } => {
                OperatorCommand::Void { reason }.into()
            }
            Event::Paused { reason } => OperatorCommand::Pause { reason }.into(),
            Event::Resumed => OperatorCommand::Resume {}.into(),
            Event::Closing { reason } => OperatorCommand::Close { reason, alone: None }.into(),
            _ => return None,
        })
    }
}

/// A player's seat, and the open round that a command of theirs is about.
#[derive(Clone, Copy)]
struct InRound<'a> {
    seat: Seat,
    player: &'a str,
    open: &'a OpenRound,
}

impl<'a> InRound<'a> {
    /// Checks that the round allows an action.
    fn check(&self, action: &Action) -> Result<(), Refusal> {
        self.open.round.refusal(action).map_or(Ok(()), |refusal| Err(refusal.into()))
    }

    /// Returns the seat's commitment, if the seat has to show its seed now.
    fn owed_seed(&self) -> Result<&'a Hash, Refusal> {
        let Self { seat, open, .. } = *self;
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
}
