//! Double-entry bookkeeping: every movement of money is a transfer between two accounts.
//!
//! Money is never made, lost or edited. A transfer has its own key that says what it is for ("the
//! Ante of seat 3 in round 17, paid"), and a key is used once, so nothing can be settled twice. A
//! correction is another transfer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use croupier_rules::Amount;
use thiserror::Error;

/// The most chips that a player may have when entering a round: ten trillion dollars.
///
/// This keeps every balance from overflowing, whatever the cards are, so no settlement ever fails.
/// Only tables of houses that ship with Croupier touch a player's account. One of their rounds pays
/// out less than $10,000,000, which is 10⁹ cents. A player who has 10¹⁵ cents would have to be in
/// 9·10⁹ rounds at the same time to reach 9.2·10¹⁸ cents, where the amount overflows.
pub const MOST_CHIPS: Amount = Amount::cents(1_000_000_000_000_000);

/// An account that holds money.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// A player's chips.
    Player(String),
    /// The stakes of a table's open round.
    Escrow(String),
    /// The amount that a player/dealer has posted at a table and pays from.
    Posted(String),
    /// The house's bank at a table. Each table has its own, so tables do not block each other.
    House(String),
    /// The source of a player's chips. Each player has their own, for the same reason.
    Issue(String),
    /// The practice chips of a table, which never leave it. The table itself keeps count of each
    /// player's share.
    Practice(String),
}

impl Account {
    /// Tells whether the account may be below zero: only a source of chips, and a house's bank.
    pub const fn may_owe(&self) -> bool {
        matches!(self, Self::House(_) | Self::Issue(_) | Self::Practice(_))
    }
}

/// An account is written as its kind and a name: `player:ann`, `escrow:table-7`.
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, name) = match self {
            Self::Player(name) => ("player", name),
            Self::Escrow(name) => ("escrow", name),
            Self::Posted(name) => ("posted", name),
            Self::House(name) => ("house", name),
            Self::Issue(name) => ("issue", name),
            Self::Practice(name) => ("practice", name),
        };
        write!(f, "{kind}:{name}")
    }
}

impl FromStr for Account {
    type Err = ParseAccountError;

    fn from_str(text: &str) -> Result<Self, ParseAccountError> {
        let (kind, name) = text.split_once(':').ok_or(ParseAccountError)?;
        let name = name.to_owned();
        match kind {
            "player" => Ok(Self::Player(name)),
            "escrow" => Ok(Self::Escrow(name)),
            "posted" => Ok(Self::Posted(name)),
            "house" => Ok(Self::House(name)),
            "issue" => Ok(Self::Issue(name)),
            "practice" => Ok(Self::Practice(name)),
            _ => Err(ParseAccountError),
        }
    }
}

/// The error for a text that is not an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("an account is player:, escrow:, posted:, house:, issue: or practice: and a name")]
pub struct ParseAccountError;

/// A movement of money from one account to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// The purpose of the transfer, unique among all transfers.
    pub key: String,
    /// The account that the money comes from.
    pub from: Account,
    /// The account that it goes to.
    pub to: Account,
    /// The amount, above zero.
    pub amount: Amount,
}

/// Balances, and the keys of all transfers that led to them.
///
/// This is the reference implementation of the ledger; every store follows the same rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    balances: BTreeMap<Account, Amount>,
    keys: BTreeSet<String>,
}

impl Ledger {
    /// Returns the balance of an account.
    pub fn balance(&self, account: &Account) -> Amount {
        self.balances.get(account).copied().unwrap_or_default()
    }

    /// Returns all accounts that were ever used, with their balances.
    pub fn balances(&self) -> impl Iterator<Item = (&Account, Amount)> {
        self.balances.iter().map(|(account, &amount)| (account, amount))
    }

    /// Makes transfers, all of them or none.
    ///
    /// They are made in order, and no account may owe in between: no player stakes chips that they
    /// are only about to win.
    ///
    /// # Errors
    ///
    /// Returns the reason why the transfers are not made.
    pub fn post(&mut self, transfers: &[Transfer]) -> Result<(), LedgerError> {
        let mut keys = BTreeSet::new();
        for Transfer { key, .. } in transfers {
            if self.keys.contains(key) || !keys.insert(key.clone()) {
                return Err(LedgerError::Repeated { key: key.clone() });
            }
        }
        let mut after = BTreeMap::new();
        for (account, movement) in movements(transfers)? {
            let balance = movement.from(&account, self.balance(&account))?;
            after.insert(account, balance);
        }
        self.balances.extend(after);
        self.keys.extend(keys);
        Ok(())
    }
}

/// The net effect of transfers on an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Movement {
    /// The change of the balance after all of them.
    pub net: Amount,
    /// The lowest change on the way: zero or less.
    pub lowest: Amount,
    /// Whether a player enters a round with chips from it.
    pub stakes: bool,
}

impl Movement {
    /// Returns the balance of an account after the transfers, from the balance before them.
    ///
    /// # Errors
    ///
    /// When the balance is insufficient, overflows, or is above the limit for entering a round.
    pub fn from(self, account: &Account, balance: Amount) -> Result<Amount, LedgerError> {
        if balance > self.most() {
            return Err(LedgerError::TooMany { account: account.clone() });
        }
        let after = balance.plus(self.net).ok_or(LedgerError::Overflow)?;
        let lowest = balance.plus(self.lowest).ok_or(LedgerError::Overflow)?;
        if lowest < Amount::ZERO && !account.may_owe() {
            return Err(LedgerError::Insufficient { account: account.clone() });
        }
        Ok(after)
    }

    /// Returns the highest balance that the account may have before the transfers.
    pub const fn most(self) -> Amount {
        if self.stakes { MOST_CHIPS } else { Amount::MAX }
    }

    fn add(&mut self, amount: Amount) -> Result<(), LedgerError> {
        self.net = self.net.plus(amount).ok_or(LedgerError::Overflow)?;
        self.lowest = self.lowest.min(self.net);
        Ok(())
    }
}

/// Returns the net effect of transfers on each account that they touch, ordered by account.
///
/// # Errors
///
/// When an amount is not above zero, or a sum overflows.
///
/// # Panics
///
/// If the effects did not add up to zero, which double entry rules out.
pub fn movements(transfers: &[Transfer]) -> Result<BTreeMap<Account, Movement>, LedgerError> {
    let mut movements: BTreeMap<Account, Movement> = BTreeMap::new();
    for transfer in transfers {
        let Transfer { key, from, to, amount } = transfer;
        if !amount.is_positive() {
            return Err(LedgerError::NotPositive { key: key.clone() });
        }
        let less = Amount::cents(-amount.as_cents());
        let moved = movements.entry(from.clone()).or_default();
        moved.add(less)?;
        moved.stakes |= is_wager(transfer);
        movements.entry(to.clone()).or_default().add(*amount)?;
    }
    let total: i128 = movements.values().map(|moved| i128::from(moved.net.as_cents())).sum();
    assert_eq!(total, 0, "a transfer moves money and makes none");
    Ok(movements)
}

/// Tells whether a player enters a round with this transfer: a wager before the deal, or the amount
/// that a player/dealer posts. A Play wager does not count: the player is already in the round, and
/// a decision is never refused because of chips won elsewhere.
fn is_wager(Transfer { key, from, to, .. }: &Transfer) -> bool {
    let enters =
        matches!((from, to), (Account::Player(_), Account::Escrow(_) | Account::Posted(_)));
    enters && !key.contains("/play/stake/")
}

/// The reason why transfers are not made. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LedgerError {
    /// A transfer with this key was already made.
    #[error("the transfer {key} was already made")]
    Repeated {
        /// The key.
        key: String,
    },
    /// The amount of a transfer is zero or less.
    #[error("the transfer {key} must move more than $0")]
    NotPositive {
        /// Its key.
        key: String,
    },
    /// A balance would overflow.
    #[error("a balance would overflow")]
    Overflow,
    /// A player has more chips than the limit for entering a round.
    #[error("{account} has more than {MOST_CHIPS}, the limit for entering a round")]
    TooMany {
        /// The player's account.
        account: Account,
    },
    /// The balance of an account is insufficient.
    #[error("{account} has an insufficient balance")]
    Insufficient {
        /// The account.
        account: Account,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ann() -> Account {
        Account::Player("ann".to_owned())
    }

    fn issue() -> Account {
        Account::Issue("ann".to_owned())
    }

    fn escrow() -> Account {
        Account::Escrow("t1".to_owned())
    }

    fn transfer(key: &str, from: Account, to: Account, cents: i64) -> Transfer {
        Transfer { key: key.to_owned(), from, to, amount: Amount::cents(cents) }
    }

    /// A ledger in which ann has ten dollars.
    fn ledger() -> Ledger {
        let mut ledger = Ledger::default();
        ledger.post(&[transfer("issue", issue(), ann(), 1_000)]).expect("fresh chips");
        ledger
    }

    fn refused(transfers: &[Transfer]) -> String {
        let mut ledger = ledger();
        let error = ledger.post(transfers).expect_err("it is refused");
        assert_eq!(ledger, self::ledger(), "a refusal changes nothing");
        error.to_string()
    }

    #[test]
    fn an_account_is_written_as_its_kind_and_a_name_and_read_again() {
        let name = || "a:b".to_owned();
        for (account, text) in [
            (Account::Player(name()), "player:a:b"),
            (Account::Escrow(name()), "escrow:a:b"),
            (Account::Posted(name()), "posted:a:b"),
            (Account::House(name()), "house:a:b"),
            (Account::Issue(name()), "issue:a:b"),
            (Account::Practice(name()), "practice:a:b"),
        ] {
            assert_eq!(account.to_string(), text);
            assert_eq!(text.parse(), Ok(account));
        }
        for text in ["", "ann", "players:ann", "Player:ann", ":ann"] {
            let error = text.parse::<Account>().expect_err("not an account");
            let wanted = "an account is player:, escrow:, posted:, house:, issue: or practice:";
            assert_eq!(error.to_string(), format!("{wanted} and a name"), "{text}");
        }
    }

    #[test]
    fn every_used_account_is_listed_with_its_balance() {
        let mut ledger = ledger();
        ledger.post(&[transfer("stake", ann(), escrow(), 1_000)]).expect("enough chips");
        let listed: Vec<(String, i64)> = ledger
            .balances()
            .map(|(account, balance)| (account.to_string(), balance.as_cents()))
            .collect();
        let wanted = [("player:ann", 0), ("escrow:t1", 1_000), ("issue:ann", -1_000)];
        assert_eq!(listed, wanted.map(|(account, cents)| (account.to_owned(), cents)));
    }

    #[test]
    fn nothing_is_paid_twice() {
        let stake = |key| transfer(key, ann(), escrow(), 100);
        // Not by two batches, and not by one.
        assert_eq!(refused(&[stake("issue")]), "the transfer issue was already made");
        assert_eq!(refused(&[stake("a"), stake("a")]), "the transfer a was already made");
        assert_eq!(refused(&[stake("a"), stake("issue")]), "the transfer issue was already made");
        let mut ledger = ledger();
        ledger.post(&[stake("a"), stake("b")]).expect("two transfers");
        assert_eq!(ledger.balance(&escrow()), Amount::cents(200));
    }

    #[test]
    fn nothing_is_staked_before_it_is_won() {
        let stake = transfer("stake", ann(), escrow(), 1_001);
        let prize = transfer("prize", Account::House("t1".to_owned()), ann(), 1);
        assert_eq!(refused(std::slice::from_ref(&stake)), "player:ann has an insufficient balance");
        assert_eq!(
            refused(&[stake.clone(), prize.clone()]),
            "player:ann has an insufficient balance"
        );
        let mut ledger = ledger();
        ledger.post(&[prize, stake]).expect("enough chips by then");
        // A house's bank may owe, and a player may have nothing.
        assert_eq!(ledger.balance(&Account::House("t1".to_owned())), Amount::cents(-1));
        assert_eq!(ledger.balance(&ann()), Amount::ZERO);
    }

    #[test]
    fn a_transfer_moves_more_than_zero_and_a_balance_never_overflows() {
        for cents in [0, -1, i64::MIN] {
            let moved = transfer("stake", ann(), escrow(), cents);
            assert_eq!(refused(&[moved]), "the transfer stake must move more than $0", "{cents}");
        }
        let fortune = transfer("fortune", issue(), ann(), i64::MAX);
        assert_eq!(refused(&[fortune]), "a balance would overflow");
    }

    #[test]
    fn a_player_at_the_chip_limit_may_wager_and_one_above_it_may_not() {
        let most = MOST_CHIPS.as_cents();
        let give = |cents: i64| {
            let mut ledger = Ledger::default();
            ledger.post(&[transfer("issue", issue(), ann(), cents)]).expect("fresh chips");
            ledger
        };
        for to in [escrow(), Account::Posted("t1".to_owned())] {
            let stake = transfer("stake", ann(), to, 500);
            assert_eq!(give(most).post(std::slice::from_ref(&stake)), Ok(()));
            let refused = give(most + 1).post(&[stake]).expect_err("too many chips");
            let words = "player:ann has more than $10,000,000,000,000, \
                         the limit for entering a round";
            assert_eq!(refused.to_string(), words);
        }
        // A Play wager is still allowed: the player is in the round.
        let play = transfer("t1/7/3/play/stake/1", ann(), escrow(), 500);
        assert_eq!(give(most + 1).post(&[play]), Ok(()));
        // A player can win chips above the limit, and chips can be taken away.
        let mut ledger = give(most);
        let prize = transfer("prize", Account::House("t1".to_owned()), ann(), 1_000_000_000);
        ledger.post(&[prize]).expect("a prize is always paid");
        let back = transfer("back", ann(), issue(), 1_000_000_000);
        ledger.post(&[back]).expect("chips can always be taken away");
        assert_eq!(ledger.balance(&ann()), MOST_CHIPS);
    }
}
