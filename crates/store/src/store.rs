//! What is kept, and what a store promises about it.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::future::Future;

use croupier_rules::Amount;
use croupier_table::{Account, Entry, Hash, LedgerError, Time, Transfer};

use crate::names;

/// A place where journals, money and people are kept.
///
/// Every change is one transaction: all of it or none. When a change is answered with success it
/// has been written so that neither a crash of the process nor of the machine undoes it.
///
/// Three kinds of promise hold whatever happens beside it:
///
/// - a journal grows at its end only, and by one writer at a time: who expected another end is told
///   [`StoreError::Conflict`], reads on, and decides anew;
/// - no account that must not owe is ever below zero, not even between two transfers of a change,
///   and no transfer is made twice;
/// - a command that comes again with the same key is answered as before, and does nothing.
///
/// Names and keys are the same in every store. A command's sender and key have 1 to 200 characters,
/// and no control characters; a drawer has 1 to 200 bytes, every other name or key 1 to 1000, and
/// no text has a zero character in it. What does not keep to that is refused as
/// [`StoreError::Unusable`]; there is nothing of such a name, for whoever asks.
pub trait Store: Send + Sync + 'static {
    /// Adds entries to a table's journal, with the money that they move.
    ///
    /// Entries, transfers, rounds, deadline and the answer to the command are written together.
    /// The first entry of a table (`expected` 0) comes with [`Append::opens`].
    ///
    /// # Errors
    ///
    /// In this order, if several would do: [`Unusable`](StoreError::Unusable), when
    /// [`Append::check`] finds something; [`KeyReused`](StoreError::KeyReused);
    /// [`Conflict`](StoreError::Conflict); [`Damaged`](StoreError::Damaged), when the first entry
    /// is not sealed after the last one that is stored; `Unusable` again, when a round was over
    /// before; then [`Ledger`](StoreError::Ledger).
    fn append(&self, append: Append) -> impl Future<Output = Result<Written, StoreError>> + Send;

    /// Makes transfers that belong to no table: chips issued, or a correction.
    ///
    /// # Errors
    ///
    /// As [`append`](Self::append), without the conflict.
    fn transfer(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        command: Option<Answered>,
    ) -> impl Future<Output = Result<Written, StoreError>> + Send;

    /// Makes transfers that belong to no table, if an account that they move has not changed since
    /// somebody [looked at it](Self::standing).
    ///
    /// # Errors
    ///
    /// In this order: [`Unusable`](StoreError::Unusable), when no transfer moves the account;
    /// [`KeyReused`](StoreError::KeyReused); [`LedgerError::Repeated`];
    /// [`Conflict`](StoreError::Conflict), when the account has changed; then what else is wrong
    /// with the transfers.
    fn transfer_unless_changed(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        account: &Account,
        seen: Standing,
        command: Option<Answered>,
    ) -> impl Future<Output = Result<Written, StoreError>> + Send;

    /// Returns the answer to a command that was carried out before.
    ///
    /// # Errors
    ///
    /// [`StoreError::KeyReused`], when the body is not the one that was answered, and
    /// [`StoreError::Unusable`], when no command can have this key.
    fn answer(
        &self,
        key: &CommandKey,
        body: &Hash,
    ) -> impl Future<Output = Result<Option<String>, StoreError>> + Send;

    /// Returns what is known of a table.
    fn table(
        &self,
        table: &str,
    ) -> impl Future<Output = Result<Option<TableRow>, StoreError>> + Send;

    /// Returns tables in the order of their names, from after this one.
    fn tables(
        &self,
        after: &str,
        most: usize,
    ) -> impl Future<Output = Result<Vec<TableRow>, StoreError>> + Send;

    /// Returns the versions of those of these tables that there are, in the order of their names.
    fn versions(
        &self,
        tables: Vec<String>,
    ) -> impl Future<Output = Result<Vec<(String, u64)>, StoreError>> + Send;

    /// Returns a table's entries from this version on, in order.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`], when one is missing or was altered.
    fn journal(
        &self,
        table: &str,
        from: u64,
        most: usize,
    ) -> impl Future<Output = Result<Vec<Entry>, StoreError>> + Send;

    /// Claims tables whose deadline has come, until another time.
    ///
    /// Nobody else is given them before that; whoever has one wakes the table and appends, which
    /// ends the claim. If he does not live to do so, the claim runs out. Those that have waited
    /// longest come first; a table that is closed or has no deadline is never among them.
    fn claim(
        &self,
        now: Time,
        until: Time,
        most: usize,
    ) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send;

    /// Removes a table that came to nothing, with its journal, and tells whether it did: one that
    /// is closed, where no round was dealt and no money moved, and whose last entry is of this time
    /// or earlier.
    ///
    /// A table where money moved stays, even if all of it went back: its transfers are told by its
    /// journal. Papers about the table, and answers to commands, are not a journal, and stay.
    fn remove_unplayed(
        &self,
        table: &str,
        before: Time,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Returns what an account has; nothing, if it was never used.
    fn balance(&self, account: &Account)
    -> impl Future<Output = Result<Amount, StoreError>> + Send;

    /// Returns what an account has, with a number that is another one after every transfer.
    fn standing(
        &self,
        account: &Account,
    ) -> impl Future<Output = Result<Standing, StoreError>> + Send;

    /// Returns balances in the order of the accounts' names, from after this one.
    fn balances(
        &self,
        after: &str,
        most: usize,
    ) -> impl Future<Output = Result<Vec<(Account, Amount)>, StoreError>> + Send;

    /// Returns transfers in the order of their keys, from after this one.
    fn transfers(
        &self,
        after: &str,
        most: usize,
    ) -> impl Future<Output = Result<Vec<Transfer>, StoreError>> + Send;

    /// Returns a round that is over.
    fn round(
        &self,
        table: &str,
        round: u64,
    ) -> impl Future<Output = Result<Option<RoundRow>, StoreError>> + Send;

    /// Returns the rounds of a table that are over, the latest first, from before this number.
    fn rounds_at(
        &self,
        table: &str,
        before: u64,
        most: usize,
    ) -> impl Future<Output = Result<Vec<RoundRow>, StoreError>> + Send;

    /// Returns what tables took in some time, from its beginning to just before its end, in the
    /// order of their names: those at which a round was over in it.
    fn takings(
        &self,
        from: Time,
        to: Time,
    ) -> impl Future<Output = Result<Vec<Takings>, StoreError>> + Send;

    /// Returns a player's rounds, the latest first, from before this place.
    fn rounds_of(
        &self,
        player: &str,
        before: &RoundPlace,
        most: usize,
    ) -> impl Future<Output = Result<Vec<PlayedRound>, StoreError>> + Send;

    /// Adds a player.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`], when there is one of this name.
    fn add_player(&self, player: Player) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Returns a player.
    fn player(&self, name: &str)
    -> impl Future<Output = Result<Option<Player>, StoreError>> + Send;

    /// Writes what is known of a player anew, if what was known is what was expected; tells whether
    /// there is such a player.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`], when something else is known of him.
    fn set_profile(
        &self,
        name: &str,
        expected: &str,
        profile: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Removes a player, and tells whether there was one.
    ///
    /// Nothing else goes with him: journals, money and rounds keep his name, and so do his choices
    /// and papers.
    fn remove_player(&self, name: &str) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Keeps choices that players made. One that is there already, by player and key, stays as it
    /// is.
    fn add_choices(
        &self,
        choices: Vec<Choice>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Removes all choices of a player, and returns how many there were.
    fn forget_choices(&self, player: &str) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Returns the choices of a player that cost something, the dearest first; of those that cost
    /// the same, in the order of their keys.
    fn mistakes(
        &self,
        player: &str,
        most: usize,
    ) -> impl Future<Output = Result<Vec<Choice>, StoreError>> + Send;

    /// Returns how a player chose, by game and street, in their order.
    fn statistics(
        &self,
        player: &str,
    ) -> impl Future<Output = Result<Vec<Statistic>, StoreError>> + Send;

    /// Returns a paper, be it past its time or not.
    fn paper(
        &self,
        drawer: &str,
        key: &str,
    ) -> impl Future<Output = Result<Option<Paper>, StoreError>> + Send;

    /// Writes a paper, and returns its revision from now on.
    ///
    /// [`Paper::revision`] says which one it replaces: 0, if there must be none yet.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`], when there is one and should be none, and [`StoreError::Conflict`],
    /// when the one to be replaced has another revision or is gone.
    fn file(&self, paper: Paper) -> impl Future<Output = Result<u64, StoreError>> + Send {
        async move {
            let next = paper.revision.saturating_add(1);
            self.file_all(vec![paper]).await.map(|()| next)
        }
    }

    /// Writes papers, all of them or none.
    ///
    /// # Errors
    ///
    /// As [`file`](Self::file), for the first that cannot be written;
    /// [`StoreError::Unusable`], when one of them is there twice.
    fn file_all(&self, papers: Vec<Paper>) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Discards a paper, and tells whether there was one.
    fn discard(
        &self,
        drawer: &str,
        key: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Returns the papers of a drawer in the order of their keys, from after this one.
    fn papers(
        &self,
        drawer: &str,
        after: &str,
        most: usize,
    ) -> impl Future<Output = Result<Vec<Paper>, StoreError>> + Send;

    /// Returns an owner's papers of a drawer in the order of their keys, from after this one.
    fn papers_of(
        &self,
        drawer: &str,
        owner: &str,
        after: &str,
        most: usize,
    ) -> impl Future<Output = Result<Vec<Paper>, StoreError>> + Send;

    /// Discards all of an owner's papers of a drawer, and returns how many there were.
    fn discard_of(
        &self,
        drawer: &str,
        owner: &str,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Discards papers whose time has come, at most so many, and returns how many. Those that are
    /// longest past it go first.
    fn expire(
        &self,
        now: Time,
        most: usize,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Returns how many bytes everything takes that is stored.
    ///
    /// SQLite counts the pages in use, and not what is left of a larger file; PostgreSQL counts its
    /// tables and indexes with the space that a `VACUUM` has yet to find; memory counts texts
    /// alone.
    fn size(&self) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Returns what time it is, for all who share the store alike.
    ///
    /// Theirs may be several clocks that disagree; that of the store is one.
    fn clock(&self) -> impl Future<Output = Result<Time, StoreError>> + Send;
}

/// What is added to a table's journal in one go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The table.
    pub table: String,
    /// The version after which the entries come; 0 for a new table.
    pub expected: u64,
    /// The entries; at least one, with versions that follow each other.
    pub entries: Vec<Entry>,
    /// The money they move.
    pub transfers: Vec<Transfer>,
    /// When the table is to be woken next.
    pub deadline: Option<Time>,
    /// For the first entry: the house that the table plays.
    pub opens: Option<String>,
    /// Whether the table is closed now.
    pub closes: bool,
    /// The latest entry that tells the whole table, if it is among these.
    pub checkpoint: Option<u64>,
    /// The rounds that came to their end.
    pub rounds: Vec<RoundRow>,
    /// The command that this answers.
    pub command: Option<Answered>,
}

impl Append {
    /// Tells whether this can be added to any journal at all; every store asks before it writes.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], with what is wrong: whoever put it together made a mistake, and
    /// trying again does not mend it.
    pub fn check(&self) -> Result<(), StoreError> {
        let wrong = |what: &str| {
            let Self { table, expected, .. } = self;
            let message = format!("entries for table \"{table}\" after {expected}: {what}");
            Err(StoreError::Unusable(message))
        };
        names::check_append(self)?;
        let Some(last) = self.entries.last() else { return wrong("there are none") };
        if is_too_large(last.version) || is_too_large(self.expected) {
            return wrong("there are no such versions");
        }
        let mut versions = (self.expected + 1..).zip(&self.entries);
        if !versions.all(|(version, entry)| entry.version == version) {
            return wrong("their versions do not follow each other");
        }
        if !self.entries.windows(2).all(|pair| pair[1].is_sealed_after(&pair[0].hash)) {
            return wrong("one is not sealed after the one before it");
        }
        if self.opens.is_some() != (self.expected == 0) {
            return wrong("the first names the house, and only the first");
        }
        let first = self.expected + 1;
        if self.checkpoint.is_some_and(|version| version < first || version > last.version) {
            return wrong("the checkpoint is not among them");
        }
        for (place, round) in self.rounds.iter().enumerate() {
            let is_same = |other: &RoundRow| other.round == round.round;
            if round.table != self.table || self.rounds[..place].iter().any(is_same) {
                return wrong("a round is of another table, or is there twice");
            }
            if is_too_large(round.round) {
                return wrong("a round has a number that no round can have");
            }
            if round.version < first || round.version > last.version {
                return wrong("the record of a round is not among them");
            }
            let seats: BTreeSet<u32> = round.seats.iter().map(|seat| seat.seat).collect();
            if seats.len() != round.seats.len() {
                return wrong("a seat is in a round twice");
            }
        }
        Ok(())
    }
}

impl RoundRow {
    /// Says that the round was over before.
    pub(crate) fn repeated(&self) -> StoreError {
        let Self { table, round, .. } = self;
        StoreError::Unusable(format!("round {round} of table \"{table}\" was over before"))
    }
}

impl Choice {
    /// Tells whether this can be kept at all.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], when it cost more than can be counted, or has a name that cannot
    /// be.
    pub fn check(&self) -> Result<(), StoreError> {
        names::check_choice(self)?;
        if is_too_large(self.cost_ppm) {
            let Self { player, key, .. } = self;
            let message = format!("choice \"{key}\" of {player} costs more than can be counted");
            return Err(StoreError::Unusable(message));
        }
        Ok(())
    }
}

impl Paper {
    /// Tells whether this can be kept at all.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], when it has a name that cannot be, or no revision can come after
    /// its own.
    pub fn check(&self) -> Result<(), StoreError> {
        names::check_paper(self)?;
        if is_too_large(self.revision.saturating_add(1)) {
            let Self { drawer, key, .. } = self;
            let message = format!("paper \"{key}\" in {drawer} has a revision that none can have");
            return Err(StoreError::Unusable(message));
        }
        Ok(())
    }

    /// Tells whether these can be written together.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], when one of them [cannot be kept](Self::check), or is there twice.
    pub(crate) fn check_all(papers: &[Self]) -> Result<(), StoreError> {
        let mut places = BTreeSet::new();
        for paper in papers {
            paper.check()?;
            let Self { drawer, key, .. } = paper;
            if !places.insert((drawer, key)) {
                let message = format!("paper \"{key}\" in {drawer} is there twice");
                return Err(StoreError::Unusable(message));
            }
        }
        Ok(())
    }

    /// Tells whether this may be written where a paper of this revision is, or none.
    ///
    /// # Errors
    ///
    /// As [`Store::file`].
    pub(crate) fn may_replace(&self, found: Option<u64>) -> Result<(), StoreError> {
        match (self.revision, found) {
            (0, None) => Ok(()),
            (0, Some(_)) => Err(StoreError::Taken),
            (expected, Some(found)) if expected == found => Ok(()),
            _ => Err(StoreError::Conflict),
        }
    }
}

/// Tells whether a number is more than the databases can count.
const fn is_too_large(number: u64) -> bool {
    number > i64::MAX as u64
}

/// A command's key: who sent it, and what he calls it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommandKey {
    /// Who sent it.
    pub sender: String,
    /// His name for it, which he uses once.
    pub key: String,
}

/// What a client asked for under a key, whatever it comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its key.
    pub key: CommandKey,
    /// The fingerprint of what it said.
    pub body: Hash,
}

impl Request {
    /// Returns it with its answer.
    pub fn answered(self, answer: String) -> Answered {
        Answered { key: self.key, body: self.body, answer }
    }
}

/// A command and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The command's key.
    pub key: CommandKey,
    /// The fingerprint of what it said.
    pub body: Hash,
    /// What was answered.
    pub answer: String,
}

/// That something is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// It is written now.
    Now,
    /// It was written before: the command had come already, and this was the answer.
    Before(String),
}

/// What an account has, and how often that has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// What it has.
    pub balance: Amount,
    /// A number that is larger after every change. What it counts is the store's own business.
    pub changes: u64,
}

impl Standing {
    /// Tells whether transfers can depend on how an account stands: one of them moves it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], when none does.
    pub(crate) fn check(transfers: &[Transfer], account: &Account) -> Result<(), StoreError> {
        let moves = |transfer: &Transfer| transfer.from == *account || transfer.to == *account;
        if transfers.iter().any(moves) {
            return Ok(());
        }
        Err(StoreError::Unusable(format!("no transfer moves {account}, on which it depends")))
    }
}

/// A table, as far as a store knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Its name.
    pub table: String,
    /// The house that it plays.
    pub house: String,
    /// The version of its journal.
    pub version: u64,
    /// The latest entry that tells the whole table.
    pub checkpoint: u64,
    /// When it is to be woken next.
    pub deadline: Option<Time>,
    /// Whether it is closed.
    pub closed: bool,
}

/// A round that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRow {
    /// The table.
    pub table: String,
    /// The number of the round.
    pub round: u64,
    /// The entry of the journal that has its record.
    pub version: u64,
    /// When it was over.
    pub at: Time,
    /// The house it was played at.
    pub house: String,
    /// Whether it was void.
    pub void: bool,
    /// Who played. A store returns them in the order of their seats.
    pub seats: Vec<RoundSeat>,
}

/// A seat in a round that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundSeat {
    /// The number of the seat.
    pub seat: u32,
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

/// What a table took in some time.
///
/// Amounts are of those who wagered in rounds that counted, not of who banked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Takings {
    /// The table.
    pub table: String,
    /// The house that it played.
    pub house: String,
    /// How many rounds counted.
    pub rounds: u64,
    /// How many rounds were void.
    pub void: u64,
    /// How many hands were wagered on.
    pub hands: u64,
    /// What was staked on the Ante.
    pub ante: Amount,
    /// What was staked on the bonus.
    pub bonus: Amount,
    /// All that was staked.
    pub staked: Amount,
    /// What the players won together, or lost if it is below zero.
    pub net: Amount,
    /// Whether an amount is more than can be counted. It is the most that can be, then.
    pub exceeds: bool,
}

/// Where a round stands in somebody's history. A player with two seats has two places in a round.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RoundPlace {
    /// When it was over.
    pub at: Time,
    /// The table.
    pub table: String,
    /// The number of the round.
    pub round: u64,
    /// The number of the seat.
    pub seat: u32,
}

/// A round in somebody's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedRound {
    /// Where it stands.
    pub place: RoundPlace,
    /// What became of it for him.
    pub seat: RoundSeat,
    /// The house it was played at.
    pub house: String,
    /// Whether it was void.
    pub void: bool,
}

/// Somebody who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// His name, which is also that of his account.
    pub name: String,
    /// Since when.
    pub since: Time,
    /// What else is known of him, as JSON.
    pub profile: String,
}

/// A choice that somebody made, and what it cost him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Who made it.
    pub player: String,
    /// What tells it from his other choices.
    pub key: String,
    /// When he made it.
    pub at: Time,
    /// The game.
    pub game: String,
    /// The street.
    pub street: String,
    /// The spot, as JSON.
    pub spot: String,
    /// What he chose.
    pub chosen: String,
    /// What would have been best.
    pub best: String,
    /// What the difference is worth, in millionths of an Ante; nothing, if he chose well.
    pub cost_ppm: u64,
}

/// How somebody chose on a street.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistic {
    /// The game.
    pub game: String,
    /// The street.
    pub street: String,
    /// How many choices he made.
    pub choices: u64,
    /// How many of them cost something.
    pub mistakes: u64,
    /// What they cost together, in millionths of an Ante; what is more than the databases can count
    /// is as good as the most that they can.
    pub cost_ppm: u64,
}

/// Something that a shell keeps in a store, which does not ask what it means: who is logged in,
/// what a name belongs to, what happened and should be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// The drawer it is in, with others of its kind.
    pub drawer: String,
    /// What tells it from the others in the drawer.
    pub key: String,
    /// Who it belongs to; empty, if to nobody.
    pub owner: String,
    /// When it was written.
    pub at: Time,
    /// Until when it is of use; it stays until somebody [clears up](Store::expire).
    pub until: Option<Time>,
    /// What is on it.
    pub text: String,
    /// How often it has been written. One that is to be written has the revision of the one that
    /// it replaces.
    pub revision: u64,
}

/// Why a store does not do something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// The key was used for another command.
    KeyReused,
    /// What is stored is not what was expected, as a journal that ends elsewhere: read on, and
    /// decide anew.
    Conflict,
    /// There is one of this name.
    Taken,
    /// The money does not move so.
    Ledger(LedgerError),
    /// There is no room to write. Nothing has changed, and it may be tried again when there is.
    Full(String),
    /// The store is not there or too busy. Nothing has changed, and it may be tried again.
    Unavailable(String),
    /// The store went away while it was writing: nobody knows whether it did. Asking again with the
    /// same key tells.
    Unknown(String),
    /// What is stored is not what was written.
    Damaged(String),
    /// The store cannot be used, for a reason that trying again does not mend.
    Unusable(String),
}

impl StoreError {
    /// Tells whether trying the same again may help.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Conflict | Self::Full(_) | Self::Unavailable(_) | Self::Unknown(_))
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KeyReused => f.write_str("this key was used for another command"),
            Self::Conflict => f.write_str("somebody else was first"),
            Self::Taken => f.write_str("there is one of this name already"),
            Self::Ledger(error) => error.fmt(f),
            Self::Full(why) => write!(f, "there is no room to write: {why}"),
            Self::Unavailable(why) => write!(f, "the store is not available: {why}"),
            Self::Unknown(why) => {
                write!(f, "it is not known whether this was written; ask again: {why}")
            }
            Self::Damaged(why) => write!(f, "the store is damaged: {why}"),
            Self::Unusable(why) => write!(f, "the store cannot be used: {why}"),
        }
    }
}

impl Error for StoreError {}
