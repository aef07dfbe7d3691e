//! Finished rounds, and their sums.

use std::future::Future;

use croupier_rules::Amount;
use croupier_table::Time;

use crate::error::StoreError;

/// A store of finished rounds. They are written with the [journal](crate::Journals) of their table.
pub trait Rounds: Send + Sync + 'static {
    /// Returns a finished round.
    fn round(
        &self,
        table: &str,
        round: u64,
    ) -> impl Future<Output = Result<Option<RoundRow>, StoreError>> + Send;

    /// Returns a table's finished rounds, the latest first, starting before this number.
    fn rounds_at(
        &self,
        table: &str,
        before: u64,
        most: usize,
    ) -> impl Future<Output = Result<Vec<RoundRow>, StoreError>> + Send;

    /// Returns the takings of each table where a round ended between `from` (inclusive) and `to`
    /// (exclusive), in the order of the tables' names.
    fn takings(
        &self,
        from: Time,
        to: Time,
    ) -> impl Future<Output = Result<Vec<Takings>, StoreError>> + Send;

    /// Returns a player's rounds, the latest first, starting before this place.
    fn rounds_of(
        &self,
        player: &str,
        before: &RoundPlace,
        most: usize,
    ) -> impl Future<Output = Result<Vec<PlayedRound>, StoreError>> + Send;
}

/// A finished round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRow {
    /// The table.
    pub table: String,
    /// The number of the round.
    pub round: u64,
    /// The entry of the journal that has its record.
    pub version: u64,
    /// When it ended.
    pub at: Time,
    /// The house it was played at.
    pub house: String,
    /// Whether it was void.
    pub void: bool,
    /// The seats that played. A store returns them in order.
    pub seats: Vec<RoundSeat>,
}

impl RoundRow {
    /// Returns the error for a round that has already ended.
    pub(crate) fn repeated(&self) -> StoreError {
        let Self { table, round, .. } = self;
        StoreError::Unusable(format!("round {round} of table \"{table}\" has already ended"))
    }
}

/// A seat in a finished round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundSeat {
    /// The number of the seat.
    pub seat: u32,
    /// The player in the seat.
    pub player: String,
    /// Whether the player banked.
    pub banked: bool,
    /// The player's stake on the Ante; zero, if they banked.
    pub ante: Amount,
    /// The player's stake on the bonus; zero, if they banked or left it out.
    pub bonus: Amount,
    /// Everything the player staked or posted.
    pub staked: Amount,
    /// The player's win, or loss if it is below zero.
    pub net: Amount,
}

/// A table's takings in some period.
///
/// Amounts are those of players who wagered in rounds that counted, not of bankers.
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
    /// The stakes on the Ante.
    pub ante: Amount,
    /// The stakes on the bonus.
    pub bonus: Amount,
    /// All stakes.
    pub staked: Amount,
    /// The players' total win, or loss if it is below zero.
    pub net: Amount,
    /// Whether an amount is out of range. It is the largest possible amount then.
    pub exceeds: bool,
}

/// A round's place in a player's history. A player with two seats has two places in a round.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RoundPlace {
    /// When it ended.
    pub at: Time,
    /// The table.
    pub table: String,
    /// The number of the round.
    pub round: u64,
    /// The number of the seat.
    pub seat: u32,
}

/// A round in a player's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedRound {
    /// Its place.
    pub place: RoundPlace,
    /// The player's seat and result.
    pub seat: RoundSeat,
    /// The house it was played at.
    pub house: String,
    /// Whether it was void.
    pub void: bool,
}
