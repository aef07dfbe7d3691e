//! A table, from the first player who sits down to the last who leaves.

use std::fmt;
use std::sync::Arc;

use croupier_rules::{Amount, Banked, Banking, Round, Seat, offers};

use crate::command::Command;
use crate::errand::is_bot;
use crate::event::{BankedRound, Event, Sitter};
use crate::hash::Hash;
use crate::journal::{Entry, first_hash};
use crate::ledger::Transfer;
use crate::open_round::{OpenRound, Stage};
use crate::practice::Purses;
use crate::refusal::Refusal;
use crate::terms::Terms;
use crate::text::is_table_name;
use crate::time::Time;

/// Many rounds at one table: who sits where, whose turn it is to bank, how long there is to decide,
/// what the deck comes from, and where the money goes.
///
/// A table does nothing by itself. It knows no clock, no random source and no database, and has
/// four kinds of methods:
///
/// - *input*: [`handle`](Self::handle) takes a command and the time, [`handle_timeout`] the time
///   alone; each gives a [`Batch`] of what happened, or a refusal, and then nothing has changed;
/// - *wishes*: [`next_deadline`](Self::next_deadline) is when it wants to be woken, and
///   [`needs_shoe`](Self::needs_shoe) tells whether it waits for a seed;
/// - *questions*, which change nothing;
/// - *replay*: [`replay`](crate::replay) makes the same table again from its journal, to the bit.
///
/// The batch is to be stored before anybody is told of it. Who cannot store it throws the table
/// away, and reads it again.
///
/// [`handle_timeout`]: Self::handle_timeout
#[derive(Clone, PartialEq, Eq)]
pub struct Table {
    pub(crate) name: String,
    pub(crate) terms: Arc<Terms>,
    pub(crate) version: u64,
    pub(crate) hash: Hash,
    pub(crate) at: Time,
    /// How many rounds were opened.
    pub(crate) round: u64,
    /// How many of them were dealt, settled or void.
    pub(crate) dealt: u64,
    /// How many there were at the last checkpoint.
    pub(crate) checkpoint: u64,
    /// Who sits where, by the numbers of the seats.
    pub(crate) seats: Vec<Sitter>,
    /// Who banked the last rounds, as far back as it matters.
    pub(crate) banked: Vec<BankedRound>,
    pub(crate) paused: Option<String>,
    pub(crate) closing: Option<String>,
    /// What players have, where they play with practice chips.
    pub(crate) purses: Purses,
    pub(crate) phase: Phase,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// No round is open. When the time comes, one is; or an empty table closes; or another window
    /// has passed without enough players.
    Waiting {
        /// Before then, players look at how the last round ended.
        rest: Time,
        /// Since when nobody came or went, and the table was not paused.
        since: Time,
    },
    Open(Box<OpenRound>),
    Closed,
}

/// The cards of an open round and its seed are not shown.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, version, hash, round, seats, .. } = self;
        let mut shown = f.debug_struct("Table");
        shown.field("name", name).field("version", version).field("hash", hash);
        shown.field("round", round).field("stage", &self.stage()).field("seats", seats);
        shown.finish_non_exhaustive()
    }
}

/// What happened, to be stored in one go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The events.
    pub events: Vec<Event>,
    /// The same as entries of the journal.
    pub entries: Vec<Entry>,
    /// The money that moved.
    pub transfers: Vec<Transfer>,
    /// The rounds that were dealt and are over.
    pub played: Vec<Played>,
    /// The entry that tells the whole table, if one of these does.
    pub checkpoint: Option<u64>,
}

impl Batch {
    /// Adds what happened right after it.
    pub fn extend(&mut self, after: Self) {
        self.events.extend(after.events);
        self.entries.extend(after.entries);
        self.transfers.extend(after.transfers);
        self.played.extend(after.played);
        self.checkpoint = after.checkpoint.or(self.checkpoint);
    }
}

/// A round that is over, for the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Its number.
    pub round: u64,
    /// The entry that has its record.
    pub version: u64,
    /// Whether it was void.
    pub void: bool,
    /// Who played.
    pub seats: Vec<PlayedSeat>,
}

/// What a round came to for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedSeat {
    /// The seat.
    pub seat: Seat,
    /// Who sat there.
    pub player: String,
    /// Whether he banked.
    pub banked: bool,
    /// What he staked on the Ante; nothing, if he banked.
    pub ante: Amount,
    /// What he staked on the bonus; nothing, if he banked or left it out.
    pub bonus: Amount,
    /// All that he staked or posted.
    pub staked: Amount,
    /// What he won, or lost if it is below zero.
    pub net: Amount,
}

/// What an event brings about beside the table itself.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub(crate) transfers: Vec<Transfer>,
    pub(crate) played: Option<Played>,
}

/// Why an event could not have happened.
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

    /// Returns a table to which nothing has happened.
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

    /// Carries out a command, with all that follows from it at once.
    ///
    /// A clock that goes back is taken to stand still.
    ///
    /// # Errors
    ///
    /// Why it is refused, in which case nothing has changed.
    pub fn handle(&mut self, command: Command, now: Time) -> Result<Batch, Refusal> {
        let events = self.decide(command, now)?;
        let mut batch = Batch::default();
        for event in events {
            self.emit(event, now, &mut batch);
        }
        self.follow(now, &mut batch);
        Ok(batch)
    }

    /// Does what is to be done when somebody is out of time. If nobody is, nothing happens.
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
        let effects = self.apply(&event, &entry).expect("a table does what is possible");
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

/// Wishes and questions.
impl Table {
    /// Returns when the table wants to be woken, if it does.
    pub fn next_deadline(&self) -> Option<Time> {
        match &self.phase {
            Phase::Closed => None,
            Phase::Open(open) => open.until,
            Phase::Waiting { since, .. } if self.seats.is_empty() => {
                self.terms.clocks().map(|clocks| since.after(clocks.empty))
            }
            Phase::Waiting { .. } if self.paused.is_some() => None,
            Phase::Waiting { rest, .. } if self.can_open() => Some(*rest),
            Phase::Waiting { since, .. } => {
                self.terms.clocks().map(|clocks| since.after(clocks.betting))
            }
        }
    }

    /// Tells whether the table waits for a seed to open the next round with.
    pub fn needs_shoe(&self, now: Time) -> bool {
        let Phase::Waiting { rest, .. } = self.phase else { return false };
        rest <= now && self.paused.is_none() && self.can_open()
    }

    /// Returns the table's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what it plays.
    pub const fn terms(&self) -> &Arc<Terms> {
        &self.terms
    }

    /// Returns the version of its journal: how many entries it has.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Returns the hash of its journal.
    pub const fn hash(&self) -> &Hash {
        &self.hash
    }

    /// Returns who sits where, by the numbers of the seats.
    pub fn seats(&self) -> &[Sitter] {
        &self.seats
    }

    /// Returns why it is paused, if it is.
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

    /// Tells whether anybody sits there beside a player, bots aside.
    pub fn others_sit(&self, player: &str) -> bool {
        self.seats.iter().any(|sitter| sitter.player != player && !is_bot(&sitter.player))
    }

    /// Returns the number of the open round, or of the last one.
    pub const fn round_number(&self) -> u64 {
        self.round
    }

    /// Returns how far the open round has come, if there is one.
    pub fn stage(&self) -> Option<Stage> {
        self.open_round().map(|open| open.stage)
    }

    /// Returns the open round, if there is one. What may be shown of it is its
    /// [view](croupier_rules::Round::view).
    pub fn round(&self) -> Option<&Round> {
        self.open_round().map(|open| &open.round)
    }

    /// Returns what the open round has shown of its seed.
    pub fn commitment(&self) -> Option<&Hash> {
        self.open_round().map(|open| &open.commitment)
    }

    /// Returns the seat to which the bank is offered.
    pub fn offered(&self) -> Option<Seat> {
        self.open_round().filter(|open| open.stage == Stage::Offering)?.offered
    }

    /// Returns the first seat to which the bank would be offered, and has not been.
    pub(crate) fn next_offer(&self) -> Option<Seat> {
        let open = self.open_round()?;
        let declined = |seat: Seat| open.declined.iter().any(|&(of, _)| of == seat);
        self.offers().into_iter().find(|&seat| !declined(seat))
    }

    /// Returns the seat that banks the open round, where a player does.
    pub fn banker(&self) -> Option<Seat> {
        self.open_round()?.bank.as_ref().map(|bank| bank.seat)
    }

    /// Tells whether a seat has wagered in the open round.
    pub fn has_wagered(&self, seat: Seat) -> bool {
        self.open_round().is_some_and(|open| open.wager(seat).is_some())
    }

    /// Returns the seats that have still to show their seeds.
    pub fn to_reveal(&self) -> Vec<Seat> {
        let open = self.open_round().filter(|open| open.stage == Stage::Revealing);
        // Who leaves is not waited for.
        let here = |seat: &Seat| self.sitter(*seat).is_some_and(|sitter| !sitter.leaving);
        open.map_or_else(Vec::new, |open| open.unrevealed().filter(here).collect())
    }

    pub(crate) fn open_round(&self) -> Option<&OpenRound> {
        match &self.phase {
            Phase::Open(open) => Some(open),
            Phase::Waiting { .. } | Phase::Closed => None,
        }
    }

    pub(crate) fn sitter(&self, seat: Seat) -> Option<&Sitter> {
        self.seats.iter().find(|sitter| sitter.seat == seat)
    }

    /// Returns who takes part: who does not sit out, and is not about to leave.
    pub(crate) fn active(&self) -> impl Iterator<Item = &Sitter> {
        self.seats.iter().filter(|sitter| !sitter.out && !sitter.leaving)
    }

    /// Returns the seats to which the bank is offered, in order.
    fn offers(&self) -> Vec<Seat> {
        let Banking::PlayerDealer { max_consecutive, .. } = self.terms.house().banking() else {
            return Vec::new();
        };
        let may_bank = |sitter: &&Sitter| self.terms.bots_may_bank() || !is_bot(&sitter.player);
        let seated = self.active().filter(may_bank).map(|sitter| (sitter.seat, &*sitter.player));
        let seated: Vec<(Seat, &str)> = seated.collect();
        let banked = self.banked.iter();
        let history: Vec<Banked<'_>> =
            banked.map(|banked| Banked { seat: banked.seat, player: &banked.player }).collect();
        offers(&seated, &history, max_consecutive)
    }

    /// Tells whether no round opens although there are players enough, because none of them may
    /// bank: all are bots, or have banked as many hands in a row as they may.
    pub fn needs_banker(&self) -> bool {
        let waits = matches!(self.phase, Phase::Waiting { .. });
        let banked = self.terms.house().banking() != Banking::House;
        waits && banked && self.active().count() > 1 && self.offers().is_empty()
    }

    /// Tells whether there are players enough for a round.
    pub(crate) fn can_open(&self) -> bool {
        let mut active = self.active();
        let Some(first) = active.next() else { return false };
        match self.terms.house().banking() {
            Banking::House => true,
            Banking::PlayerDealer { .. } => {
                active.any(|other| other.player != first.player) && !self.offers().is_empty()
            }
        }
    }
}
