//! What is to be solved.

use std::error::Error;
use std::fmt;

use croupier_cards::Category;
use croupier_rules::{Game, PayTable, PayTableBet};

/// The terms of a game, as far as they matter to its odds.
#[derive(Clone, Debug)]
pub struct Terms {
    game: Game,
    blind: PayTable,
    raises: Vec<u32>,
    qualifying: bool,
    /// In how many parts one ante is counted, so that every payoff is whole.
    scale: i64,
    /// What the Blind pays on a win, in those parts, by the hand.
    pays: [i64; Category::ALL.len()],
}

/// One ante in the smallest parts that all payoffs are whole in, and all payoffs over all hands,
/// must fit a sum of 64 bits.
const LARGEST_PAYOFF: i64 = 10_000_000;

/// So must the largest raise: with Ante and Blind, 430 million parts over the 20,975,724,000 deals
/// of a hole are just below the largest number of 64 bits.
const LARGEST_RAISE: i64 = 40 * LARGEST_PAYOFF;

impl Terms {
    /// Returns the terms of a game with this table for the Blind, the usual raises, and a dealer
    /// who has to qualify.
    ///
    /// # Errors
    ///
    /// When the table is not for the Blind of this game, or pays out of all proportion.
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
        let Some((scale, pays)) = in_whole_parts(game, &blind) else {
            return Err(TermsError::TooMuch { id: blind.id().to_owned() });
        };
        Ok(Self { game, blind, raises, qualifying: true, scale, pays })
    }

    /// Changes how many times the ante may be bet before the flop, or with a pair in the three-card
    /// game.
    ///
    /// # Errors
    ///
    /// When there are none, or more than a house could mean or sums can hold.
    pub fn with_raises(mut self, mut raises: Vec<u32>) -> Result<Self, TermsError> {
        raises.sort_unstable();
        raises.dedup();
        if raises.is_empty() || raises[0] == 0 || raises.iter().any(|&raise| raise > MOST_RAISED) {
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

    /// Returns what the Blind pays.
    pub const fn blind(&self) -> &PayTable {
        &self.blind
    }

    /// Returns how many times the ante may be bet before the flop, or with a pair.
    pub fn raises(&self) -> &[u32] {
        &self.raises
    }

    /// Tells whether the dealer has to qualify.
    pub const fn qualifying(&self) -> bool {
        self.qualifying
    }

    /// Returns in how many parts one ante is counted, so that every payoff is whole.
    pub(crate) const fn scale(&self) -> i64 {
        self.scale
    }

    /// Returns what the Blind pays on a win with a hand, in parts of the ante.
    pub(crate) const fn pays(&self, hand: Category) -> i64 {
        self.pays[hand as usize]
    }
}

/// Returns in how many parts an ante has to be counted, and what each hand then pays, unless that
/// is too much.
fn in_whole_parts(game: Game, blind: &PayTable) -> Option<(i64, [i64; Category::ALL.len()])> {
    let scale = blind.lines(game).try_fold(1, |scale, (_, ratio)| {
        let scale = least_multiple(scale, i64::from(ratio.per()));
        (scale <= LARGEST_PAYOFF).then_some(scale)
    })?;
    let mut pays = [0; Category::ALL.len()];
    for (hand, ratio) in blind.lines(game) {
        let payoff = (scale / i64::from(ratio.per())).checked_mul(i64::from(ratio.pays()))?;
        pays[hand as usize] = Some(payoff).filter(|&payoff| payoff <= LARGEST_PAYOFF)?;
    }
    Some((scale, pays))
}

/// The largest multiple of the ante that can be bet at once.
const MOST_RAISED: u32 = 1_000;

const fn least_multiple(one: i64, other: i64) -> i64 {
    let (mut divisor, mut rest) = (one, other);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    one / divisor * other
}

/// Why terms cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermsError {
    /// The pay table is for another wager.
    NotForBlind {
        /// The table.
        id: String,
        /// What it is for.
        bet: PayTableBet,
    },
    /// The pay table has hands that the game has not.
    OtherGame {
        /// The table.
        id: String,
        /// The game.
        game: Game,
    },
    /// The pay table pays out of all proportion, or needs parts too fine for a raise.
    TooMuch {
        /// The table.
        id: String,
    },
    /// These are no multiples of the ante.
    Raises,
    /// With a pay table of such small fractions the raises cannot be so large.
    RaisedTooFar {
        /// The table.
        id: String,
        /// The largest multiple of the ante that can be.
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
                write!(f, "{id} pays for hands that {} has not", game.def().title)
            }
            Self::TooMuch { id } => write!(
                f,
                "{id} pays too much to be counted: in the smallest parts that all its payoffs are \
                 whole in, none may be more than {LARGEST_PAYOFF} parts for an ante, and no raise \
                 more than {LARGEST_RAISE}"
            ),
            Self::Raises => {
                write!(f, "write multiples of the ante from 1 to {MOST_RAISED}, as in 3,4")
            }
            Self::RaisedTooFar { id, most } => write!(
                f,
                "{id} pays such small fractions that no more than {most} times the ante can be \
                 counted"
            ),
        }
    }
}

impl Error for TermsError {}
