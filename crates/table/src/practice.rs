//! Practice chips: the chips at a table that plays by a player's own house or pay tables.
//!
//! Such a table pays whatever its host wrote into the pay table, so its chips must not count
//! anywhere else. Every player gets a purse with the seat and loses it with the seat. The table
//! touches no player's account: in the ledger, all its players are one account that belongs to the
//! table ([`Account::Practice`]), and the purses are part of the table's own state.

use std::collections::BTreeMap;

use croupier_rules::{Amount, Game, House, Seat};
use serde::{Deserialize, Serialize};

use crate::ledger::{Account, MOST_CHIPS, Transfer};
use crate::open_round::OpenRound;
use crate::refusal::Refusal;
use crate::table::{Impossible, Table};

/// The least that a purse starts with.
const LEAST: Amount = Amount::cents(100_000);

/// A purse starts with at least this many times the smallest Ante.
const ANTES: u32 = 200;

/// Returns the chips that a purse starts with at a house.
pub(crate) fn purse_at(house: &House) -> Amount {
    house.limits().ante_min.times(ANTES).unwrap_or(LEAST).max(LEAST)
}

/// The practice chips of every player at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Purses(BTreeMap<String, Amount>);

impl Purses {
    /// Tells whether no player has a purse.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn of(&self, player: &str) -> Amount {
        self.0.get(player).copied().unwrap_or_default()
    }

    /// Changes a player's purse. No purse is ever below zero.
    fn change(&mut self, player: &str, by: Amount) -> Result<(), Impossible> {
        let after = self.of(player).plus(by).filter(|&after| after >= Amount::ZERO);
        let after = after.ok_or_else(|| format!("{player} has too few practice chips"))?;
        self.0.insert(player.to_owned(), after);
        Ok(())
    }
}

impl Table {
    /// Returns the practice chips that a player has at the table, apart from those in play. Returns
    /// `None` at a table where players play with the chips of their accounts.
    pub fn practice_chips(&self, player: &str) -> Option<Amount> {
        self.terms.practice_chips().map(|_| self.purses.of(player))
    }

    /// Gives a player who sits down a purse, unless the player has one at another seat.
    pub(crate) fn give_purse(&mut self, player: &str) {
        if let Some(chips) = self.terms.practice_chips() {
            self.purses.0.entry(player.to_owned()).or_insert(chips);
        }
    }

    /// Removes the purses of players who have left.
    pub(crate) fn take_purses(&mut self) {
        let Self { purses, seats, .. } = self;
        purses.0.retain(|player, _| seats.iter().any(|seated| seated.player == *player));
    }

    /// Refills the purses that no longer pay for the smallest game, so practice can continue.
    pub(crate) fn fill_purses(&mut self) {
        let Some(chips) = self.terms.practice_chips() else { return };
        let least = smallest_game(self.terms.house());
        for purse in self.purses.0.values_mut().filter(|purse| **purse < least) {
            *purse = chips;
        }
    }

    /// Refuses a player who puts down more practice chips than they have. `back` is the amount that
    /// the player takes back first.
    pub(crate) fn check_purse(
        &self,
        player: &str,
        price: Option<Amount>,
        back: Amount,
    ) -> Result<(), Refusal> {
        let Some(purse) = self.practice_chips(player) else { return Ok(()) };
        match (price, purse.plus(back)) {
            (Some(price), Some(has)) if price <= has => Ok(()),
            _ => Err(Refusal::InsufficientChips),
        }
    }

    /// Refuses a wager of a player who has more practice chips than the limit. A decision in the
    /// middle of a round is never refused for that.
    pub(crate) fn check_fullness(&self, player: &str) -> Result<(), Refusal> {
        match self.practice_chips(player) {
            Some(purse) if purse > MOST_CHIPS => Err(Refusal::TooManyChips),
            _ => Ok(()),
        }
    }

    /// Moves practice chips between purses as the transfers say, and replaces the players' accounts
    /// in the transfers with the table's own account.
    pub(crate) fn move_practice_chips(
        &mut self,
        transfers: &mut [Transfer],
    ) -> Result<(), Impossible> {
        if self.terms.practice_chips().is_none() {
            return Ok(());
        }
        let own = Account::Practice(self.name.clone());
        for Transfer { from, to, amount, .. } in transfers {
            if let Account::Player(player) = from {
                self.purses.change(player, Amount::cents(-amount.as_cents()))?;
                *from = own.clone();
            }
            if let Account::Player(player) = to {
                self.purses.change(player, *amount)?;
                *to = own.clone();
            }
        }
        Ok(())
    }
}

/// Returns the most that the smallest game can cost: the smallest Ante, its Blind, and the largest
/// Play wager.
fn smallest_game(house: &House) -> Amount {
    // The single bet on the river and the double bet on the flop are never more than this.
    let raise = house.raises().iter().copied().max().unwrap_or(1).max(match house.game() {
        Game::Uth => 2,
        Game::Utcp => 1,
    });
    let bets = raise.saturating_add(2);
    house.limits().ante_min.times(bets).unwrap_or(house.limits().ante_min)
}

/// Returns the cost of a seat's wager: Ante, Blind and bonus.
pub(crate) fn price(ante: Amount, bonus: Amount) -> Option<Amount> {
    ante.times(2)?.plus(bonus)
}

/// Returns the amount that a seat takes back when it wagers or posts another amount.
pub(crate) fn taken_back(open: &OpenRound, seat: Seat) -> Amount {
    let staked = open.wager(seat).and_then(|wager| price(wager.stakes.ante, wager.stakes.bonus));
    let banker = open.round.banker().filter(|(banker, _)| banker.seat == seat);
    let posted = banker.map(|(banker, _)| banker.wager);
    staked.or(posted).unwrap_or_default()
}
