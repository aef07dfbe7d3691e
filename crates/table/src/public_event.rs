//! Events as every viewer of a table sees them while the round is in progress.

use std::sync::Arc;

use croupier_rules::{Amount, Decision, Seat};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::event::{BankedRound, Event, SeatSeed, SeatedPlayer};
use crate::hash::Hash;
use crate::shuffle::Seed;
use crate::time::Time;

/// An event at a table that viewers are told of, with its place in the journal. It serializes as
/// [`ShownEvent`]: the parts that no viewer may see yet can't leave the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicEvent {
    version: u64,
    event: Arc<Event>,
}

impl PublicEvent {
    /// Makes an event of a journal public.
    pub fn new(version: u64, event: Event) -> Self {
        Self { version, event: Arc::new(event) }
    }

    /// Returns the version of the journal after the event.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Returns the event as every viewer may see it.
    pub fn shown(&self) -> ShownEvent<'_> {
        ShownEvent::from(&*self.event)
    }
}

impl Serialize for PublicEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.shown().serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for PublicEvent {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        ShownEvent::schema()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for PublicEvent {
    fn name() -> std::borrow::Cow<'static, str> {
        ShownEvent::name()
    }

    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        ShownEvent::schemas(schemas);
    }
}

/// An event at a table, as every viewer may see it. `event` is its kind; the other fields depend on
/// the kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = TableEvent))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum ShownEvent<'a> {
    /// The table was opened, on these terms.
    TableOpened {
        /// The terms, in full.
        #[cfg_attr(feature = "schema", schema(value_type = Object))]
        terms: &'a Value,
    },
    /// Nothing happened: the journal repeats the whole state of the table between two rounds.
    Checkpoint {
        /// The hash of the terms.
        terms: &'a Hash,
        /// The number of rounds opened.
        round: u64,
        /// The number of them that were dealt. Tables of the first edition do not count them.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        dealt: Option<u64>,
        /// The seated players, ordered by seat.
        seats: &'a [SeatedPlayer],
        /// The players who banked the last rounds, in order, as far back as it matters.
        banked: &'a [BankedRound],
        /// When the next round may open, in milliseconds since 1970.
        rest: Time,
        /// The start of the current wait, in milliseconds since 1970: since then no player came or
        /// went, and the table was not paused.
        since: Time,
        /// The reason why the table is paused, if it is.
        paused: Option<&'a str>,
    },
    /// A player sat down.
    PlayerJoined {
        /// The seat.
        seat: Seat,
        /// The player's id.
        player: &'a str,
    },
    /// A player in the round asked to leave after it. From here on the table decides for the seat.
    PlayerLeaving {
        /// The seat.
        seat: Seat,
    },
    /// A seat became free.
    PlayerLeft {
        /// The seat.
        seat: Seat,
        /// Whether the table freed it, because its player was away for too long.
        by_table: bool,
    },
    /// A player sits out: the seat is kept, and no round waits for it.
    SatOut {
        /// The seat.
        seat: Seat,
        /// Whether the table did it, because the player missed betting twice.
        by_table: bool,
    },
    /// A player no longer sits out.
    SatIn {
        /// The seat.
        seat: Seat,
    },
    /// A round was opened.
    RoundOpened {
        /// The number of the round.
        round: u64,
        /// The table's commitment to its seed.
        commitment: &'a Hash,
    },
    /// A player declined the bank.
    BankDeclined {
        /// The seat.
        seat: Seat,
        /// Whether the table did it, because the player was out of time.
        by_table: bool,
    },
    /// A player took the bank, or posted another amount.
    BankTaken {
        /// The seat.
        seat: Seat,
        /// The amount posted now, in cents.
        wager: Amount,
    },
    /// A seat committed to a seed of its own, or to another one.
    SeedCommitted {
        /// The seat.
        seat: Seat,
        /// The commitment to the seed.
        commitment: &'a Hash,
    },
    /// A player wagered, or wagered another amount.
    Wagered {
        /// The seat.
        seat: Seat,
        /// The Ante, in cents. The Blind is the same amount.
        ante: Amount,
        /// The bonus, in cents; 0 means none.
        bonus: Amount,
    },
    /// A player took the wager back.
    Withdrawn {
        /// The seat.
        seat: Seat,
    },
    /// "No more bets." A seat without a wager has missed this round.
    BettingClosed,
    /// A seat showed the seed that it had committed to.
    SeedRevealed {
        /// The seat.
        seat: Seat,
        /// The seed, in hexadecimal digits.
        seed: &'a str,
    },
    /// A seat gave up the seed that it had committed to: it counts as empty.
    SeedGivenUp {
        /// The seat.
        seat: Seat,
    },
    /// All cards were dealt, from the deck that the seeds give.
    Dealt,
    /// A seat decided.
    Decided {
        /// The seat.
        seat: Seat,
        /// The decision: `check`, `fold` or `bet N`.
        decision: Decision,
        /// Whether the table decided, because the player was out of time or is leaving.
        by_table: bool,
    },
    /// The round was stopped after the deal, and will be void.
    Stopped {
        /// The reason.
        reason: &'a str,
    },
    /// The round is over, settled or void. Its record can be requested.
    RoundOver,
    /// The round ended before a card was dealt. Every stake is returned, and all seeds are shown.
    RoundUndealt {
        /// The reason.
        reason: &'a str,
        /// The seed that its deck would have come from, in hexadecimal digits.
        #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
        seed: &'a Seed,
        /// The seats in the round that committed to seeds of their own.
        seat_seeds: &'a [SeatSeed],
    },
    /// A betting window passed without a round, because there were too few players.
    WindowPassed,
    /// The operator paused the table: no new round opens.
    Paused {
        /// The reason.
        reason: &'a str,
    },
    /// The operator resumed the table.
    Resumed,
    /// The table closes after the round.
    Closing {
        /// The reason.
        reason: &'a str,
    },
    /// The table is closed for good, and all its seats are free.
    TableClosed {
        /// The reason.
        reason: &'a str,
    },
}

impl ShownEvent<'_> {
    /// Returns the seat that the event is about, if it is about one.
    pub const fn seat(&self) -> Option<Seat> {
        match *self {
            Self::PlayerJoined { seat, .. }
            | Self::PlayerLeaving { seat }
            | Self::PlayerLeft { seat, .. }
            | Self::SatOut { seat, .. }
            | Self::SatIn { seat }
            | Self::BankDeclined { seat, .. }
            | Self::BankTaken { seat, .. }
            | Self::SeedCommitted { seat, .. }
            | Self::Wagered { seat, .. }
            | Self::Withdrawn { seat }
            | Self::SeedRevealed { seat, .. }
            | Self::SeedGivenUp { seat }
            | Self::Decided { seat, .. } => Some(seat),
            Self::TableOpened { .. }
            | Self::Checkpoint { .. }
            | Self::RoundOpened { .. }
            | Self::BettingClosed
            | Self::Dealt
            | Self::Stopped { .. }
            | Self::RoundOver
            | Self::RoundUndealt { .. }
            | Self::WindowPassed
            | Self::Paused { .. }
            | Self::Resumed
            | Self::Closing { .. }
            | Self::TableClosed { .. } => None,
        }
    }
}

impl<'a> From<&'a Event> for ShownEvent<'a> {
    /// Leaves out the seed of a round that opens, which no viewer may see yet, and records, which
    /// are long and can be requested.
    fn from(event: &'a Event) -> Self {
        match event {
            Event::TableOpened { terms } => Self::TableOpened { terms },
            Event::Checkpoint(all) => Self::Checkpoint {
                terms: &all.terms,
                round: all.round,
                dealt: all.dealt,
                seats: &all.seats,
                banked: &all.banked,
                rest: all.rest,
                since: all.since,
                paused: all.paused.as_deref(),
            },
            Event::PlayerJoined { seat, player } => Self::PlayerJoined { seat: *seat, player },
            &Event::PlayerLeaving { seat } => Self::PlayerLeaving { seat },
            &Event::PlayerLeft { seat, by_table } => Self::PlayerLeft { seat, by_table },
            &Event::SatOut { seat, by_table } => Self::SatOut { seat, by_table },
            &Event::SatIn { seat } => Self::SatIn { seat },
            Event::RoundOpened { round, seed: _, commitment } => {
                Self::RoundOpened { round: *round, commitment }
            }
            &Event::BankDeclined { seat, by_table } => Self::BankDeclined { seat, by_table },
            &Event::BankTaken { seat, wager } => Self::BankTaken { seat, wager },
            Event::SeedCommitted { seat, commitment } => {
                Self::SeedCommitted { seat: *seat, commitment }
            }
            &Event::Wagered { seat, ante, bonus } => Self::Wagered { seat, ante, bonus },
            &Event::Withdrawn { seat } => Self::Withdrawn { seat },
            Event::BettingClosed => Self::BettingClosed,
            Event::SeedRevealed { seat, seed } => Self::SeedRevealed { seat: *seat, seed },
            &Event::SeedGivenUp { seat } => Self::SeedGivenUp { seat },
            Event::Dealt => Self::Dealt,
            &Event::Decided { seat, decision, by_table } => {
                Self::Decided { seat, decision, by_table }
            }
            Event::Stopped { reason } => Self::Stopped { reason },
            Event::RoundOver { record: _ } => Self::RoundOver,
            Event::RoundUndealt { reason, seed, seat_seeds } => {
                Self::RoundUndealt { reason, seed, seat_seeds }
            }
            Event::WindowPassed => Self::WindowPassed,
            Event::Paused { reason } => Self::Paused { reason },
            Event::Resumed => Self::Resumed,
            Event::Closing { reason } => Self::Closing { reason },
            Event::TableClosed { reason } => Self::TableClosed { reason },
        }
    }
}
