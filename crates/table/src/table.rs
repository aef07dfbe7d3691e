//! A table, from the first player who sits down to the last who leaves.

use std::fmt;
use std::sync::Arc;

use croupier_rules::{Amount, Banked, Banking, FinishedRound, Round, Seat, offers};

use crate::bots::is_bot;
use crate::command::Command;
use crate::event::{BankedRound, Event, SeatedPlayer};
use crate::hash::Hash;
use crate::journal::{Entry, first_hash};
use crate::ledger::Transfer;
use crate::names::is_table_name;
use crate::open_round::{OpenRound, Stage};
use crate::practice::Purses;
use crate::refusal::Refusal;
use crate::terms::{Clocks, Terms};
use crate::time::Time;

/// Many rounds at one table: the seats, the turn to bank, the time to decide, the source of the
/// deck, and the flow of money.
///
/// A table does nothing by itself. It uses no clock, no random source and no database, and has four
/// kinds of methods:
///
/// - *input*: [`handle`](Self::handle) takes a command and the time, [`handle_timeout`] the time
///   alone; each returns a [`Batch`] of events, or a refusal that changes nothing;
/// - *requests*: [`next_deadline`](Self::next_deadline) is when it has to be woken, and
///   [`needs_seed`](Self::needs_seed) tells whether it waits for a seed;
/// - *queries*, which change nothing;
/// - *replay*: [`replay`](crate::replay) rebuilds the same table from its journal, to the bit.
///
/// The caller stores the batch before sending it to any client. A caller that fails to store it
/// drops the table and reads it again.
///
/// [`handle_timeout`]: Self::handle_timeout
#[derive(Clone, PartialEq, Eq)]
pub struct Table {
    pub(crate) name: String,
    pub(crate) terms: Arc<Terms>,
    pub(crate) version: u64,
    pub(crate) hash: Hash,
    pub(crate) at: Time,
    /// The number of rounds opened.
    pub(crate) round: u64,
    /// The number of them that were dealt, settled or void.
    pub(crate) dealt: u64,
    /// The number of rounds opened at the last checkpoint.
    pub(crate) checkpoint: u64,
    /// The seated players, ordered by seat.
    pub(crate) seats: Vec<SeatedPlayer>,
    /// The players who banked the last rounds, as far back as it matters.
    pub(crate) banked: Vec<BankedRound>,
    pub(crate) paused: Option<String>,
    pub(crate) closing: Option<String>,
    /// The players' chips, where they play with practice chips.
    pub(crate) purses: Purses,
    pub(crate) phase: Phase,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// No round is open. At the deadline one opens; or an empty table closes; or another window has
    /// passed without enough players.
    Waiting {
        /// The end of the pause in which players look at the last result.
        rest: Time,
        /// The start of the wait: since then no player came or went, and the table was not paused.
        since: Time,
    },
    Open(Box<OpenRound>),
    Closed,
}

/// Leaves out the cards of an open round and its seed.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, version, hash, round, seats, .. } = self;
        let mut shown = f.debug_struct("Table");
        shown.field("name", name).field("version", version).field("hash", hash);
        shown.field("round", round).field("stage", &self.stage()).field("seats", seats);
        shown.finish_non_exhaustive()
    }
}

/// The events of one input, to be stored in one transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The events.
    pub events: Vec<Event>,
    /// The events as journal entries.
    pub entries: Vec<Entry>,
    /// The movements of money.
    pub transfers: Vec<Transfer>,
    /// The rounds that were dealt and are over.
    pub played: Vec<Played>,
    /// The version of the entry with a checkpoint, if there is one.
    pub checkpoint: Option<u64>,
}

impl Batch {
    /// Adds the batch that came right after this one.
    pub fn extend(&mut self, after: Self) {
        self.events.extend(after.events);
        self.entries.extend(after.entries);
        self.transfers.extend(after.transfers);
        self.played.extend(after.played);
        self.checkpoint = after.checkpoint.or(self.checkpoint);
    }
}

/// A round that is over, for statistics and history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The number of the round.
    pub round: u64,
    /// The version of the entry with its record.
    pub version: u64,
    /// Whether it was void.
    pub void: bool,
    /// The seats that played.
    pub seats: Vec<PlayedSeat>,
    /// Its events and its result.
    pub finished: Arc<FinishedRound>,
}

/// The result of a round for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedSeat {
    /// The seat.
    pub seat: Seat,
    /// The player in the seat.
    pub player: String,
    /// Whether the player banked.
    pub banked: bool,
    /// The stake on the Ante; zero if the player banked.
    pub ante: Amount,
    /// The stake on the bonus; zero if there was none, or the player banked.
    pub bonus: Amount,
    /// The total staked or posted.
    pub staked: Amount,
    /// The amount won, or lost if it is below zero.
    pub net: Amount,
}

/// The effects of an event outside the table.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub(crate) transfers: Vec<Transfer>,
    pub(crate) played: Option<Played>,
}

/// The reason why an event could not have happened.
pub(crate) type Impossible = String;

/// Input.
impl Table {
    /// Opens a table. Its name is part of every shuffle and every key of its ledger.
    ///
    /// # Errors
    ///
    /// [`Refusal::BadText`], when the name is not 1 to 64 letters, digits, `-` and `_`.
    ///
    /// # Panics
    ///
    /// Never: terms are JSON.
    pub fn open(name: &str, terms: Arc<Terms>, now: Time) -> Result<(Self, Batch), Refusal> {
        if !is_table_name(name) {
            return Err(Refusal::BadText);
        }
        let value = serde_json::from_str(terms.text()).expect("terms are JSON");
        let mut table = Self::unopened(name, terms);
        let mut batch = Batch::default();
        table.emit(Event::TableOpened { terms: value }, now, &mut batch);
        Ok((table, batch))
    }

    /// Returns a table without any event.
    pub(crate) fn unopened(name: &str, terms: Arc<Terms>) -> Self {
        Self {
            name: name.to_owned(),
            terms,
            version: 0,
            hash: first_hash(name),
            at: Time::default(),
            round: 0,
            dealt: 0,
            checkpoint: 0,
            seats: Vec::new(),
            banked: Vec::new(),
            paused: None,
            closing: None,
            purses: Purses::default(),
            phase: Phase::Waiting { rest: Time::default(), since: Time::default() },
        }
    }

    /// Carries out a command, and all events that follow from it at once.
    ///
    /// If the clock goes back, the table treats it as standing still.
    ///
    /// # Errors
    ///
    /// Returns the reason for refusing the command. A refused command changes nothing.
    pub fn handle(&mut self, command: Command, now: Time) -> Result<Batch, Refusal> {
        let events = self.decide(command, now)?;
        let mut batch = Batch::default();
        for event in events {
            self.emit(event, now, &mut batch);
        }
        self.follow(now, &mut batch);
        Ok(batch)
    }

    /// Acts on a deadline that has passed. If none has, nothing happens.
    pub fn handle_timeout(&mut self, now: Time) -> Batch {
        let mut batch = Batch::default();
        if self.next_deadline().is_some_and(|deadline| deadline <= now) {
            for event in self.time_out() {
                self.emit(event, now, &mut batch);
                self.follow(now, &mut batch);
            }
        }
        batch
    }

    fn emit(&mut self, event: Event, now: Time, batch: &mut Batch) {
        let at = now.max(self.at);
        let entry = Entry::seal(&self.hash, self.version + 1, at, event.body());
        let effects = self.apply(&event, &entry).expect("a table emits only possible events");
        if let Event::Checkpoint(_) = event {
            batch.checkpoint = Some(entry.version);
        }
        batch.events.push(event);
        batch.entries.push(entry);
        batch.transfers.extend(effects.transfers);
        batch.played.extend(effects.played);
    }

    fn follow(&mut self, now: Time, batch: &mut Batch) {
        while let Some(event) = self.follows() {
            self.emit(event, now, batch);
        }
    }
}

/// Requests and queries.
impl Table {
    /// Returns the time when the table has to be woken, if any.
    pub fn next_deadline(&self) -> Option<Time> {
        match &self.phase {
            Phase::Closed => None,
            Phase::Open(open) => open.until,
            Phase::Waiting { since, .. } if self.seats.is_empty() => {
                self.terms.clocks().map(|clocks| since.after(clocks.empty))
            }
            Phase::Waiting { .. } if self.paused.is_some() => None,
            Phase::Waiting { rest, .. } if self.can_open() => Some(*rest),
            Phase::Waiting { since, .. } => self.time(|clocks| clocks.betting, *since),
        }
    }

    /// Returns when a clock that started at this time runs out, if there are clocks. The only
    /// person at a table has no clock, and the table waits for them much longer.
    pub(crate) fn time(&self, clock: impl Fn(&Clocks) -> u32, since: Time) -> Option<Time> {
        let clocks = self.terms.clocks()?;
        let alone = self.terms.own_pace().filter(|_| self.has_one_person());
        Some(since.after(alone.unwrap_or_else(|| clock(clocks))))
    }

    /// Returns the deadline to show to people: that of a clock, and not the time after which the
    /// table gives up on the only person there.
    pub(crate) fn shown_deadline(&self) -> Option<Time> {
        let patient = self.terms.own_pace().is_some() && self.has_one_person();
        let by_clock = match &self.phase {
            Phase::Open(open) => open.stage == Stage::Revealing,
            Phase::Waiting { .. } => self.can_open(),
            Phase::Closed => true,
        };
        self.next_deadline().filter(|_| !patient || by_clock)
    }

    /// Tells whether exactly one person is there, bots aside, who is not about to leave.
    pub(crate) fn has_one_person(&self) -> bool {
        let there = self.seats.iter().filter(|seated| !seated.leaving && !is_bot(&seated.player));
        let mut people = there.map(|seated| &*seated.player);
        people.next().is_some_and(|one| people.all(|other| other == one))
    }

    /// Tells whether the table waits for a seed to open the next round with.
    pub fn needs_seed(&self, now: Time) -> bool {
        let Phase::Waiting { rest, .. } = self.phase else { return false };
        rest <= now && self.paused.is_none() && self.can_open()
    }

    /// Returns the table's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the terms that it plays by.
    pub const fn terms(&self) -> &Arc<Terms> {
        &self.terms
    }

    /// Returns the version of its journal: the number of entries.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Returns the hash of its journal.
    pub const fn hash(&self) -> &Hash {
        &self.hash
    }

    /// Returns the seated players, ordered by seat.
    pub fn seats(&self) -> &[SeatedPlayer] {
        &self.seats
    }

    /// Returns the reason why it is paused, if it is.
    pub fn paused(&self) -> Option<&str> {
        self.paused.as_deref()
    }

    /// Tells whether it is closed for good.
    pub fn is_closed(&self) -> bool {
        self.phase == Phase::Closed
    }

    /// Tells whether it closes when the round is over.
    pub const fn is_closing(&self) -> bool {
        self.closing.is_some()
    }

    /// Tells whether any other player is seated there, apart from bots.
    pub fn others_sit(&self, player: &str) -> bool {
        self.seats.iter().any(|seated| seated.player != player && !is_bot(&seated.player))
    }

    /// Returns the number of the open round, or of the last one.
    pub const fn round_number(&self) -> u64 {
        self.round
    }

    /// Returns the stage of the open round, if there is one.
    pub fn stage(&self) -> Option<Stage> {
        self.open_round().map(|open| open.stage)
    }

    /// Returns the open round, if there is one. Only its [view](croupier_rules::Round::view) may be
    /// sent to clients.
    pub fn round(&self) -> Option<&Round> {
        self.open_round().map(|open| &open.round)
    }

    /// Returns the commitment of the open round to its seed.
    pub fn commitment(&self) -> Option<&Hash> {
        self.open_round().map(|open| &open.commitment)
    }

    /// Returns the seat to which the bank is offered.
    pub fn offered(&self) -> Option<Seat> {
        self.open_round().filter(|open| open.stage == Stage::Offering)?.offered
    }

    /// Returns the next seat to offer the bank to: the first that has not declined it.
    pub(crate) fn next_offer(&self) -> Option<Seat> {
        let open = self.open_round()?;
        let declined = |seat: Seat| open.declined.iter().any(|&(of, _)| of == seat);
        self.offers().into_iter().find(|&seat| !declined(seat))
    }

    /// Returns the seat that banks the open round, if a player banks it.
    pub fn banker(&self) -> Option<Seat> {
        self.open_round()?.round.banker().map(|(banker, _)| banker.seat)
    }

    /// Tells whether a seat has wagered in the open round.
    pub fn has_wagered(&self, seat: Seat) -> bool {
        self.open_round().is_some_and(|open| open.wager(seat).is_some())
    }

    /// Tells whether a player may call for the cards now.
    pub fn may_deal(&self, player: &str) -> bool {
        !self.is_closed() && self.deal(player).is_ok()
    }

    /// Returns the seats that have yet to show their seeds.
    pub fn to_reveal(&self) -> Vec<Seat> {
        let open = self.open_round().filter(|open| open.stage == Stage::Revealing);
        // The table does not wait for a player who is leaving.
        let here = |seat: &Seat| self.player_at(*seat).is_some_and(|seated| !seated.leaving);
        open.map_or_else(Vec::new, |open| open.unrevealed().filter(here).collect())
    }

    pub(crate) fn open_round(&self) -> Option<&OpenRound> {
        match &self.phase {
            Phase::Open(open) => Some(open),
            Phase::Waiting { .. } | Phase::Closed => None,
        }
    }

    pub(crate) fn player_at(&self, seat: Seat) -> Option<&SeatedPlayer> {
        self.seats.iter().find(|seated| seated.seat == seat)
    }

    /// Returns the active players: those who neither sit out nor are about to leave.
    pub(crate) fn active(&self) -> impl Iterator<Item = &SeatedPlayer> {
        self.seats.iter().filter(|seated| !seated.out && !seated.leaving)
    }

    /// Returns the seats to which the bank is offered, in order.
    fn offers(&self) -> Vec<Seat> {
        let Banking::PlayerDealer { max_consecutive, .. } = self.terms.house().banking() else {
            return Vec::new();
        };
        let may_bank =
            |seated: &&SeatedPlayer| self.terms.bots_may_bank() || !is_bot(&seated.player);
        let seated = self.active().filter(may_bank).map(|seated| (seated.seat, &*seated.player));
        let seated: Vec<(Seat, &str)> = seated.collect();
        let banked = self.banked.iter();
        let history: Vec<Banked<'_>> =
            banked.map(|banked| Banked { seat: banked.seat, player: &banked.player }).collect();
        offers(&seated, &history, max_consecutive)
    }

    /// Tells whether no round opens although there are enough players, because none of them may
    /// bank: all are bots, or have banked as many hands in a row as they may.
    pub fn needs_banker(&self) -> bool {
        let waits = matches!(self.phase, Phase::Waiting { .. });
        let banked = self.terms.house().banking() != Banking::House;
        waits && banked && self.active().count() > 1 && self.offers().is_empty()
    }

    /// Tells whether there are enough players for a round.
    pub(crate) fn can_open(&self) -> bool {
        let mut active = self.active();
        let Some(first) = active.next() else { return false };
        // Bots don't play among themselves, at the speed of bots.
        let is_person = |seated: &SeatedPlayer| !is_bot(&seated.player);
        if self.terms.own_pace().is_some() && !self.active().any(is_person) {
            return false;
        }
        match self.terms.house().banking() {
            Banking::House => true,
            Banking::PlayerDealer { .. } => {
                active.any(|other| other.player != first.player) && !self.offers().is_empty()
            }
        }
    }
}
