//! The fold of a journal into a table: how each event changes the table.

use std::sync::Arc;

use croupier_rules::{
    Action, Actor, Amount, Bank as BankBy, Banker, Banking, ByBet, Decision, Edition,
    Event as RoundEvent, Seat,
};

use crate::bots::is_bot;
use crate::event::{BankedRound, Checkpoint, Event, SeatedPlayer};
use crate::hash::from_hex;
use crate::journal::{Entry, JournalError, JournalFault, first_hash};
use crate::ledger::Transfer;
use crate::open_round::{OpenRound, Stage};
use crate::public_event::PublicEvent;
use crate::shuffle::Seed;
use crate::table::{Effects, Impossible, Phase, Played, PlayedSeat, Table};
use crate::terms::TermsCache;
use crate::time::Time;

/// Rebuilds a table from its journal, to the bit.
///
/// The entries are the whole journal, or its first entry, which has the terms, and all entries from
/// a [checkpoint](crate::Checkpoint) on. Every hash is checked, and so is every event: whether it
/// could have happened, and whether a round had the result that its record says.
///
/// # Errors
///
/// Returns the fault in the journal, and the entry that it is in.
pub fn replay(
    table: &str,
    entries: &[Entry],
    cache: &mut TermsCache,
) -> Result<Table, JournalError> {
    replay_money(table, entries, cache).map(|(table, _)| table)
}

/// Rebuilds a table as [`replay`] does, and also returns all transfers of the entries. If the
/// entries are the whole journal, these are the transfers that the ledger must have.
///
/// # Errors
///
/// Same as [`replay`].
pub fn replay_money(
    table: &str,
    entries: &[Entry],
    cache: &mut TermsCache,
) -> Result<(Table, Vec<Transfer>), JournalError> {
    let fault = |version: u64, fault: JournalFault| JournalError {
        table: table.to_owned(),
        version,
        fault,
    };
    let Some(first) = entries.first() else { return Err(fault(1, JournalFault::Empty)) };
    if first.version != 1 {
        return Err(fault(1, JournalFault::Missing));
    }
    if !first.is_sealed_after(&first_hash(table)) {
        return Err(fault(1, JournalFault::Altered));
    }
    let unreadable = |why: String| fault(1, JournalFault::Unreadable { why });
    let event = Event::read(&first.body).map_err(|error| unreadable(error.to_string()))?;
    let Event::TableOpened { terms } = &event else {
        return Err(unreadable("a journal must begin with a table-opened event".to_owned()));
    };
    let terms = cache.read(&crate::canonical::canonical(terms));
    let terms = terms.map_err(|error| unreadable(error.to_string()))?;
    let mut folded = Table::unopened(table, terms);
    let mut transfers = Vec::new();
    folded.fold(entries, |_, _, effects| transfers.extend(effects.transfers))?;
    Ok((folded, transfers))
}

impl Table {
    /// Folds entries that another node wrote into the table, and returns their events, with the
    /// rounds that ended.
    ///
    /// # Errors
    ///
    /// Returns the fault, and the entry that it is in. The table is unusable then.
    pub fn read_on(
        &mut self,
        entries: &[Entry],
    ) -> Result<(Vec<PublicEvent>, Vec<Played>), JournalError> {
        let (mut events, mut played) = (Vec::new(), Vec::new());
        self.fold(entries, |entry, event, effects| {
            events.push(PublicEvent::new(entry.version, event));
            played.extend(effects.played);
        })?;
        Ok((events, played))
    }

    fn fold(
        &mut self,
        entries: &[Entry],
        mut applied: impl FnMut(&Entry, Event, Effects),
    ) -> Result<(), JournalError> {
        for entry in entries {
            let fault = |version: u64, fault: JournalFault| JournalError {
                table: self.name.clone(),
                version,
                fault,
            };
            let event = Event::read(&entry.body).map_err(|error| {
                fault(entry.version, JournalFault::Unreadable { why: error.to_string() })
            })?;
            match &event {
                // All entries before it except the first are skipped: it contains their state.
                Event::Checkpoint(_) if self.version == 1 && entry.version > 2 => {}
                _ if entry.version != self.version + 1 => {
                    return Err(fault(self.version + 1, JournalFault::Missing));
                }
                _ if !entry.is_sealed_after(&self.hash) || entry.at < self.at => {
                    return Err(fault(entry.version, JournalFault::Altered));
                }
                _ => {}
            }
            let version = entry.version;
            match self.admit(&event, entry) {
                Ok(effects) => applied(entry, event, effects),
                Err(why) => {
                    let (table, fault) = (self.name.clone(), JournalFault::Impossible { why });
                    return Err(JournalError { table, version, fault });
                }
            }
        }
        Ok(())
    }

    /// Applies an event of a journal, if it could have happened.
    fn admit(&mut self, event: &Event, entry: &Entry) -> Result<Effects, Impossible> {
        let begins = match event {
            Event::TableOpened { .. } => self.version == 0,
            // The entries that led to it are not there to compare it with.
            Event::Checkpoint(_) => entry.version != self.version + 1,
            _ => false,
        };
        if !begins {
            self.could_happen(event, entry.at)?;
        }
        self.apply(event, entry)
    }

    /// Applies an event, and returns its effects outside the table.
    pub(crate) fn apply(&mut self, event: &Event, entry: &Entry) -> Result<Effects, Impossible> {
        let mut effects = Effects::default();
        self.version = entry.version;
        self.hash = entry.hash;
        self.at = entry.at;
        match event {
            Event::TableOpened { .. } => {
                self.phase = Phase::Waiting { rest: self.at, since: self.at };
            }
            Event::Checkpoint(checkpoint) => self.apply_checkpoint(checkpoint)?,
            Event::PlayerJoined { .. }
            | Event::PlayerLeaving { .. }
            | Event::PlayerLeft { .. }
            | Event::SatOut { .. }
            | Event::SatIn { .. } => {
                let had_one = self.has_one_person();
                self.apply_seat(event)?;
                self.pass_the_offer()?;
                if self.has_one_person() != had_one {
                    self.restart_clock();
                }
            }
            Event::RoundOpened { round, seed, commitment } => {
                self.open_a_round(*round, seed)?;
                if self.open_mut()?.commitment != *commitment {
                    return Err("the commitment does not match this seed".to_owned());
                }
            }
            Event::RoundUndealt { .. } => {
                let open = self.open_ref()?;
                match open.stage {
                    Stage::Offering => self.miss_offers()?,
                    // A round that is stopped before its window ends does not count as missed.
                    Stage::Betting if open.until.is_some_and(|until| until <= self.at) => {
                        self.miss();
                    }
                    _ => {}
                }
                self.open_mut()?.undo(&mut effects.transfers);
                self.wait();
            }
            Event::RoundOver { .. } => effects = self.settle_round()?,
            Event::WindowPassed => {
                self.miss();
                self.wait_again();
            }
            Event::Paused { reason } => self.paused = Some(reason.clone()),
            Event::Resumed => {
                self.paused = None;
                self.wait_again();
            }
            Event::Closing { reason } => self.closing = Some(reason.clone()),
            Event::TableClosed { .. } => {
                if self.open_ref().is_ok() {
                    return Err("a round is open".to_owned());
                }
                self.seats.clear();
                self.take_purses();
                self.phase = Phase::Closed;
            }
            _ => self.apply_in_round(event, &mut effects)?,
        }
        self.move_practice_chips(&mut effects.transfers)?;
        Ok(effects)
    }

    fn apply_checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), Impossible> {
        if checkpoint.terms != *self.terms.hash() {
            return Err("the table was opened on other terms".to_owned());
        }
        let Checkpoint { round, dealt, seats, banked, rest, since, paused, purses, .. } =
            checkpoint;
        if dealt.is_some() == (self.terms.house().edition() == Edition::First) {
            return Err("it has a count of dealt rounds exactly if its edition does".to_owned());
        }
        self.round = *round;
        self.dealt = dealt.unwrap_or_default();
        self.checkpoint = *round;
        self.seats.clone_from(seats);
        self.banked.clone_from(banked);
        self.paused.clone_from(paused);
        self.purses.clone_from(purses);
        self.phase = Phase::Waiting { rest: *rest, since: *since };
        Ok(())
    }

    /// Applies an event in which a player sits down, gets up, or sits out.
    fn apply_seat(&mut self, event: &Event) -> Result<(), Impossible> {
        match event {
            Event::PlayerJoined { seat, player } => {
                if self.player_at_mut(*seat).is_ok() {
                    return Err(format!("{seat} is taken"));
                }
                let (seat, player) = (*seat, player.clone());
                self.give_purse(&player);
                self.seats.push(SeatedPlayer {
                    seat,
                    player,
                    out: false,
                    leaving: false,
                    missed: 0,
                    waited: 0,
                });
                self.seats.sort_by_key(|seated| seated.seat);
                self.wait_again();
            }
            Event::PlayerLeaving { seat } => self.player_at_mut(*seat)?.leaving = true,
            Event::PlayerLeft { seat, .. } => {
                self.player_at_mut(*seat)?;
                self.seats.retain(|seated| seated.seat != *seat);
                self.take_purses();
                // The next player in the seat does not owe a seed that another committed to.
                if let Phase::Open(open) = &mut self.phase {
                    open.commitments.retain(|(of, _)| of != seat);
                }
                if self.seats.is_empty() && self.terms.clocks().is_none() {
                    self.closing = Some("the table is empty".to_owned());
                }
                self.wait_again();
            }
            Event::SatOut { seat, .. } => {
                self.player_at_mut(*seat)?.out = true;
                self.wait_again();
            }
            Event::SatIn { seat } => {
                let seated = self.player_at_mut(*seat)?;
                seated.out = false;
                seated.missed = 0;
                seated.waited = 0;
                self.wait_again();
            }
            _ => return Err("this event is not about a seat".to_owned()),
        }
        Ok(())
    }

    fn open_a_round(&mut self, number: u64, seed: &Seed) -> Result<(), Impossible> {
        if number != self.round + 1 || self.open_ref().is_ok() {
            return Err(format!("round {number} cannot open now"));
        }
        let stage = match self.terms.house().banking().by() {
            BankBy::House => Stage::Betting,
            BankBy::PlayerDealer => Stage::Offering,
        };
        self.round = number;
        for seated in &mut self.seats {
            seated.waited = 0;
        }
        self.fill_purses();
        let open = OpenRound::new(&self.name, &self.terms, number, self.dealt, seed.clone(), stage);
        self.phase = Phase::Open(Box::new(open));
        self.begin(stage)
    }

    /// Applies an event of the open round, before it is over.
    fn apply_in_round(&mut self, event: &Event, effects: &mut Effects) -> Result<(), Impossible> {
        let transfers = &mut effects.transfers;
        if let Event::BankDeclined { seat, .. }
        | Event::BankTaken { seat, .. }
        | Event::Wagered { seat, .. }
        | Event::Withdrawn { seat }
        | Event::Decided { seat, .. } = event
            && self.player_at(*seat).is_some_and(|seated| !is_bot(&seated.player))
        {
            let at = self.at;
            self.open_mut()?.acted = at;
        }
        match event {
            Event::BankDeclined { seat, by_table } => {
                self.open_mut()?.declined.push((*seat, *by_table));
                self.begin(Stage::Offering)?;
            }
            Event::BankTaken { seat, wager } => {
                let (seat, wager) = (*seat, *wager);
                let player = self.present(seat)?;
                self.open_mut()?.unpost(transfers);
                self.act(Action::Bank { seat, player, wager })?;
                let open = self.open_mut()?;
                open.post(transfers);
                if open.stage == Stage::Offering {
                    self.begin(Stage::Betting)?;
                }
            }
            Event::SeedCommitted { seat, commitment } => {
                let open = self.open_mut()?;
                open.commitments.retain(|(of, _)| of != seat);
                open.commitments.push((*seat, *commitment));
                open.commitments.sort();
            }
            Event::Wagered { seat, ante, bonus } => {
                let (seat, ante, bonus) = (*seat, *ante, *bonus);
                let player = self.present(seat)?;
                self.open_mut()?.unstake(seat, transfers);
                self.act(Action::Wager { seat, player, ante, blind: ante, bonus })?;
                self.open_mut()?.stake(seat, transfers);
            }
            Event::Withdrawn { seat } => {
                let player = self.present(*seat)?;
                self.open_mut()?.unstake(*seat, transfers);
                self.act(Action::Withdraw { seat: *seat, player })?;
            }
            Event::BettingClosed => {
                self.act(Action::NoMoreBets)?;
                self.miss();
                self.begin(Stage::Revealing)?;
            }
            Event::SeedRevealed { seat, seed } => {
                let seed = from_hex(seed).map_err(|error| error.to_string())?;
                self.open_mut()?.seeds.push((*seat, seed));
            }
            Event::SeedGivenUp { seat } => self.open_mut()?.given_up.push(*seat),
            Event::Dealt => self.deal_cards()?,
            Event::Decided { seat, decision, by_table } => {
                self.decided(*seat, *decision, *by_table, effects)?;
            }
            Event::Stopped { reason } => {
                self.act(Action::Void(reason.clone()))?;
                self.open_mut()?.stopped = Some(reason.clone());
            }
            _ => return Err("this event does not happen in a round".to_owned()),
        }
        Ok(())
    }

    fn deal_cards(&mut self) -> Result<(), Impossible> {
        let open = self.open_mut()?;
        let deck = open.shuffled();
        for &card in deck.cards() {
            if open.round.next_card().is_none() {
                break;
            }
            open.round.apply(Action::Deal(card)).map_err(|refusal| refusal.to_string())?;
        }
        open.deck = Some(deck);
        self.dealt += 1;
        self.begin(Stage::Deciding)
    }

    fn decided(
        &mut self,
        seat: Seat,
        decision: Decision,
        by_table: bool,
        effects: &mut Effects,
    ) -> Result<(), Impossible> {
        let by = if by_table { Actor::Table } else { Actor::Player(self.present(seat)?) };
        let happened = self.act(Action::Decide { seat, by, decision })?;
        let turned = happened.iter().any(|event| matches!(event, RoundEvent::Turned(_)));
        if let Decision::Bet(_) = decision {
            self.open_mut()?.stake_play(seat, &mut effects.transfers);
        }
        // Each street has the full time to decide.
        if turned {
            self.begin(Stage::Deciding)?;
        }
        Ok(())
    }

    /// Books a round that is over, and remembers the player who banked it.
    fn settle_round(&mut self) -> Result<Effects, Impossible> {
        let (round, version) = (self.round, self.version);
        let open = self.open_mut()?;
        let settlement = open.round.settlement().cloned().ok_or("the round is not over")?;
        let finished = open.round.finished().map(Arc::new).ok_or("the round is not over")?;
        let void = open.stopped.is_some();
        let bank = open.round.banker().map(|(banker, name)| (banker, name.to_owned()));
        let total = |stakes: &ByBet<Amount>| {
            let all = [stakes.ante, stakes.blind, stakes.play, stakes.bonus];
            all.into_iter().try_fold(Amount::ZERO, Amount::plus)
        };
        let mut seats = Vec::new();
        for (wager, settled) in open.round.players().iter().zip(&settlement.seats) {
            seats.push(PlayedSeat {
                seat: wager.seat,
                player: wager.name.clone(),
                banked: false,
                ante: wager.stakes.ante,
                bonus: wager.stakes.bonus,
                staked: total(&wager.stakes).ok_or("the stakes are too large")?,
                net: settled.net,
            });
        }
        if let Some((Banker { seat, wager }, player)) = bank {
            let (staked, net) = (wager, settlement.bank_net);
            let (ante, bonus) = (Amount::ZERO, Amount::ZERO);
            let player_dealer = player.clone();
            seats.push(PlayedSeat { seat, player, banked: true, ante, bonus, staked, net });
            // The first edition did not count a void round, so a player could bank forever.
            if !void || self.terms.house().edition() >= Edition::Second {
                self.remember(BankedRound { seat, player: player_dealer });
            }
        }
        let played = Some(Played { round, version, void, seats, finished });
        let mut transfers = Vec::new();
        self.open_mut()?.settle(&settlement, &mut transfers);
        self.wait();
        Ok(Effects { transfers, played })
    }

    /// Remembers the player who banked, only as far back as it matters for offering the bank.
    fn remember(&mut self, banked: BankedRound) {
        let Banking::PlayerDealer { max_consecutive, .. } = self.terms.house().banking() else {
            return;
        };
        self.banked.push(banked);
        let most = max_consecutive as usize;
        let extra = self.banked.len().saturating_sub(most.max(1));
        self.banked.drain(..extra);
    }

    /// Begins a stage of the open round, with its clock.
    fn begin(&mut self, stage: Stage) -> Result<(), Impossible> {
        let (since, until) = (self.at, self.stage_end(stage));
        let offered = self.next_offer().filter(|_| stage == Stage::Offering);
        let open = self.open_mut()?;
        open.stage = stage;
        open.since = since;
        open.until = until;
        open.offered = offered;
        Ok(())
    }

    /// Returns when a stage that begins now is over, if it has a clock.
    fn stage_end(&self, stage: Stage) -> Option<Time> {
        let now = self.at;
        match stage {
            Stage::Offering => self.time(|clocks| clocks.offer, now),
            Stage::Betting => self.time(|clocks| clocks.betting, now),
            Stage::Deciding => self.time(|clocks| clocks.decision, now),
            // Even at a table without clocks, and for a person alone, no seat may hold up the cards
            // of the others by not showing its seed.
            Stage::Revealing => {
                let reveal = self.terms.clocks().map(|clocks| clocks.reveal);
                reveal.or(self.terms.seed_wait()).map(|millis| now.after(millis))
            }
        }
    }

    /// Restarts the clock of the stage when a second person has come, or only one is left.
    fn restart_clock(&mut self) {
        if self.terms.own_pace().is_none() {
            return;
        }
        let (now, alone) = (self.at, self.has_one_person());
        let until = self.stage().and_then(|stage| self.stage_end(stage));
        match &mut self.phase {
            Phase::Open(open) if open.stage != Stage::Revealing => open.until = until,
            // There is no other person to show the last result to.
            Phase::Waiting { rest, .. } if alone => *rest = now.min(*rest),
            _ => {}
        }
    }

    /// Offers the bank to the next player, with a full clock, when the player it was offered to has
    /// left or sits out. A player who joins meanwhile does not take an offer away.
    fn pass_the_offer(&mut self) -> Result<(), Impossible> {
        let gone = |seat: Seat| self.active().all(|seated| seated.seat != seat);
        if self.offered().is_some_and(gone) {
            self.begin(Stage::Offering)?;
        }
        Ok(())
    }

    /// Counts a missed window for every seat that is not in the round.
    fn miss(&mut self) {
        if self.terms.clocks().is_none() {
            return;
        }
        let Self { seats, phase, .. } = self;
        for seated in seats {
            let playing = match phase {
                Phase::Open(open) => open.accounts_for(seated.seat, &seated.player),
                Phase::Waiting { .. } | Phase::Closed => false,
            };
            // Players who sit out miss a window without a round; the others wait for it.
            let waited = matches!(phase, Phase::Waiting { .. }) && !seated.out;
            if playing {
                seated.missed = 0;
            } else if waited {
                seated.waited += 1;
            } else {
                seated.missed += 1;
            }
        }
    }

    /// Counts a missed window for every player who let an offer of the bank time out; and, if no
    /// player is left to ask, for those who sit out. A player who declined it was there.
    fn miss_offers(&mut self) -> Result<(), Impossible> {
        if self.terms.clocks().is_none() {
            return Ok(());
        }
        let open = self.open_mut()?;
        let (declined, all_asked) = (std::mem::take(&mut open.declined), open.offered.is_none());
        for seated in &mut self.seats {
            match declined.iter().find(|(seat, _)| *seat == seated.seat) {
                Some((_, false)) => seated.missed = 0,
                Some((_, true)) => seated.missed += 1,
                None if all_asked && seated.out => seated.missed += 1,
                None => {}
            }
        }
        Ok(())
    }

    /// Waits for the next round.
    fn wait(&mut self) {
        // A person who plays alone has seen the result when they go on.
        let alone = self.terms.own_pace().is_some() && self.has_one_person();
        let between = self.terms.clocks().map(|clocks| clocks.between).filter(|_| !alone);
        let rest = between.map_or(self.at, |millis| self.at.after(millis));
        self.phase = Phase::Waiting { rest, since: self.at };
    }

    /// Restarts the wait, when a player comes or goes while no round is open, or the table resumes.
    fn wait_again(&mut self) {
        if let Phase::Waiting { since, .. } = &mut self.phase {
            *since = self.at;
        }
    }

    /// Performs an action of the open round. Whether it is legal was decided with the event, and is
    /// not asked again: a table emits only legal ones, and a replay checks each with the code that
    /// decides. A debug build does ask.
    fn act(&mut self, action: Action) -> Result<&[RoundEvent], Impossible> {
        Ok(self.open_mut()?.round.apply_unchecked(action))
    }

    fn present(&mut self, seat: Seat) -> Result<String, Impossible> {
        self.player_at_mut(seat).map(|seated| seated.player.clone())
    }

    fn player_at_mut(&mut self, seat: Seat) -> Result<&mut SeatedPlayer, Impossible> {
        let seated = self.seats.iter_mut().find(|seated| seated.seat == seat);
        seated.ok_or_else(|| format!("{seat} is empty"))
    }

    fn open_ref(&self) -> Result<&OpenRound, Impossible> {
        self.open_round().ok_or_else(|| "no round is open".to_owned())
    }

    fn open_mut(&mut self) -> Result<&mut OpenRound, Impossible> {
        match &mut self.phase {
            Phase::Open(open) => Ok(open),
            Phase::Waiting { .. } | Phase::Closed => Err("no round is open".to_owned()),
        }
    }
}
