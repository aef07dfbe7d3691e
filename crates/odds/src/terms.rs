//! The terms of a game to solve.

use std::error::Error;
use std::fmt;

use croupier_cards::Category;
use croupier_rules::{Game, PayTable, PayTableBet};

/// The terms of a game, as far as they affect its odds.
#[derive(Clone, Debug)]
pub struct Terms {
    game: Game,
    blind: PayTable,
    raises: Vec<u32>,
    qualifying: bool,
    /// The number of parts in one ante, so that every payoff is whole.
    scale: i64,
    /// The Blind's payoff on a win, in those parts, by hand.
    pays: [i64; Category::ALL.len()],
}

/// One ante in the smallest parts that make all payoffs whole, and all payoffs over all hands, must
/// fit a 64-bit sum.
const LARGEST_PAYOFF: i64 = 10_000_000;

/// So must the largest raise: with Ante and Blind, 430 million parts over the 20,975,724,000 deals
/// of a hole are just below the largest 64-bit number.
const LARGEST_RAISE: i64 = 40 * LARGEST_PAYOFF;

impl Terms {
    /// Returns the terms of a game with this table for the Blind, the usual raises, and a dealer
    /// that has to qualify.
    ///
    /// # Errors
    ///
    /// When the table is not for the Blind of this game, or its payoffs are excessive.
    pub fn new(game: Game, blind: PayTable) -> Result<Self, TermsError> {
        if blind.bet() != PayTableBet::Blind {
            return Err(TermsError::NotForBlind { id: blind.id().to_owned(), bet: blind.bet() });
        }
        if !blind.fits(game) {
            return Err(TermsError::OtherGame { id: blind.id().to_owned(), game });
        }
        let raises = match game {
            Game::Uth => vec![3, 4],
            Game::Utcp => vec![1, 2, 3],
        };
        let (scale, pays) = in_whole_parts(game, &blind)?;
        Ok(Self { game, blind, raises, qualifying: true, scale, pays })
    }

    /// Returns the id of the Blind pay table in the rules of a game.
    pub const fn usual_blind(game: Game) -> &'static str {
        match game {
            Game::Uth => "UTH",
            Game::Utcp => "UTCP",
        }
    }

    /// Returns the id of a game's first bonus pay table.
    pub const fn usual_bonus(game: Game) -> &'static str {
        match game {
            Game::Uth => "UTH-01",
            Game::Utcp => "UTCP-01",
        }
    }

    /// Sets the multiples of the ante that may be bet before the flop, or with a pair in the
    /// three-card game.
    ///
    /// # Errors
    ///
    /// When there are none, or more than a house could mean or sums can hold.
    pub fn with_raises(mut self, mut raises: Vec<u32>) -> Result<Self, TermsError> {
        raises.sort_unstable();
        raises.dedup();
        if raises.is_empty()
            || raises.len() > MOST_RAISES
            || raises[0] == 0
            || raises.iter().any(|&raise| raise > MOST_RAISED)
        {
            return Err(TermsError::Raises);
        }
        if raises.iter().any(|&raise| i64::from(raise) * self.scale > LARGEST_RAISE) {
            let most = LARGEST_RAISE / self.scale;
            return Err(TermsError::RaisedTooFar { id: self.blind.id().to_owned(), most });
        }
        self.raises = raises;
        Ok(self)
    }

    /// Drops the rule that the dealer has to qualify.
    #[must_use]
    pub const fn without_qualifying(mut self) -> Self {
        self.qualifying = false;
        self
    }

    /// Returns the game.
    pub const fn game(&self) -> Game {
        self.game
    }

    /// Returns the pay table of the Blind.
    pub const fn blind(&self) -> &PayTable {
        &self.blind
    }

    /// Returns the multiples of the ante that may be bet before the flop, or with a pair.
    pub fn raises(&self) -> &[u32] {
        &self.raises
    }

    /// Tells whether the dealer has to qualify.
    pub const fn qualifying(&self) -> bool {
        self.qualifying
    }

    /// Returns the number of parts in one ante, so that every payoff is whole.
    pub(crate) const fn scale(&self) -> i64 {
        self.scale
    }

    /// Returns the Blind's payoff on a win with a hand, in parts of the ante.
    pub(crate) const fn pays(&self, hand: Category) -> i64 {
        self.pays[hand as usize]
    }
}

/// Returns the number of parts to split a stake into, and each hand's payoff in them.
///
/// # Errors
///
/// When that is more than sums can hold.
pub(crate) fn in_whole_parts(
    game: Game,
    table: &PayTable,
) -> Result<(i64, [i64; Category::ALL.len()]), TermsError> {
    let id = || table.id().to_owned();
    let mut scale = 1;
    for (_, ratio) in table.lines(game) {
        scale = least_multiple(scale, i64::from(ratio.per()));
        if scale > LARGEST_PAYOFF {
            return Err(TermsError::TooFine { id: id() });
        }
    }
    let mut pays = [0; Category::ALL.len()];
    for (hand, ratio) in table.lines(game) {
        let payoff = (scale / i64::from(ratio.per())).checked_mul(i64::from(ratio.pays()));
        let payoff = payoff.filter(|&payoff| payoff <= LARGEST_PAYOFF);
        pays[hand as usize] =
            payoff.ok_or_else(|| TermsError::TooMuch { id: id(), most: LARGEST_PAYOFF / scale })?;
    }
    Ok((scale, pays))
}

/// The largest multiple of the ante that can be bet at once.
const MOST_RAISED: u32 = 1_000;

/// The largest number of different multiples.
const MOST_RAISES: usize = 100;

const fn least_multiple(one: i64, other: i64) -> i64 {
    let (mut divisor, mut rest) = (one, other);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    one / divisor * other
}

/// The reason terms cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermsError {
    /// The pay table is for another wager.
    NotForBlind {
        /// The table.
        id: String,
        /// The wager it is for.
        bet: PayTableBet,
    },
    /// The pay table has hands that the game doesn't have.
    OtherGame {
        /// The table.
        id: String,
        /// The game.
        game: Game,
    },
    /// The pay table's fractions are too fine to count.
    TooFine {
        /// The table.
        id: String,
    },
    /// The pay table's payoffs are excessive.
    TooMuch {
        /// The table.
        id: String,
        /// The largest possible multiple of the stake.
        most: i64,
    },
    /// The raises are not valid multiples of the ante.
    Raises,
    /// The raises are too large for a pay table with such small fractions.
    RaisedTooFar {
        /// The table.
        id: String,
        /// The largest possible multiple of the ante.
        most: i64,
    },
}

impl fmt::Display for TermsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotForBlind { id, bet } => {
                write!(f, "{id} is a pay table for {}, not for blind", bet.id())
            }
            Self::OtherGame { id, game } => {
                write!(f, "{id} pays for hands that {} doesn't have", game.def().title)
            }
            Self::TooFine { id } => write!(
                f,
                "{id} pays fractions too fine to count: all of them must be whole in \
                 {LARGEST_PAYOFF} parts of a stake or fewer"
            ),
            Self::TooMuch { id, most } => {
                write!(f, "{id} pays too much to count: with its fractions, at most {most} to 1")
            }
            Self::Raises => write!(
                f,
                "write one to {MOST_RAISES} multiples of the ante, from 1 to {MOST_RAISED}, as in \
                 3,4"
            ),
            Self::RaisedTooFar { id, most } => write!(
                f,
                "{id} pays such small fractions that no more than {most} times the ante can be \
                 counted"
            ),
        }
    }
}

impl Error for TermsError {}
