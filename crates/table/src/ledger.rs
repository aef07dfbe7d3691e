//! Double-entry bookkeeping: every movement of money is a transfer between two accounts.
//!
//! Money is never made, lost or edited. A transfer has a key of its own that says what it is for
//! ("the Ante of seat 3 in round 17, paid"), and a key is used once: nothing can be settled twice.
//! A correction is another transfer.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;
use std::str::FromStr;

use croupier_rules::Amount;

/// Where money is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// A player's chips.
    Player(String),
    /// The stakes of a table's open round.
    Escrow(String),
    /// What a player/dealer has posted at a table, and pays from.
    Posted(String),
    /// The house's bank at a table. There is one for each table, so that no two tables wait for
    /// each other.
    House(String),
    /// Where a player's chips come from, one for each player for the same reason.
    Issue(String),
}

impl Account {
    /// Tells whether the account may be below zero: only where chips come from, and a house's bank.
    pub const fn may_owe(&self) -> bool {
        matches!(self, Self::House(_) | Self::Issue(_))
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
            _ => Err(ParseAccountError),
        }
    }
}

/// A text is no account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseAccountError;

impl fmt::Display for ParseAccountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an account is player:, escrow:, posted:, house: or issue: and a name")
    }
}

impl Error for ParseAccountError {}

/// A movement of money from one account to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// What it is for; no two transfers have the same.
    pub key: String,
    /// Where the money comes from.
    pub from: Account,
    /// Where it goes.
    pub to: Account,
    /// How much it is: more than nothing.
    pub amount: Amount,
}

/// Balances, and the keys of all transfers that led to them.
///
/// This is the law of the ledger in its plainest form; every store keeps the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    balances: BTreeMap<Account, Amount>,
    keys: BTreeSet<String>,
}

impl Ledger {
    /// Returns what an account has.
    pub fn balance(&self, account: &Account) -> Amount {
        self.balances.get(account).copied().unwrap_or_default()
    }

    /// Returns all accounts that were ever used, with what they have.
    pub fn balances(&self) -> impl Iterator<Item = (&Account, Amount)> {
        self.balances.iter().map(|(account, &amount)| (account, amount))
    }

    /// Makes transfers, all of them or none.
    ///
    /// Only what an account has after all of them counts, not what it has in between.
    ///
    /// # Errors
    ///
    /// Why they are not made.
    pub fn post(&mut self, transfers: &[Transfer]) -> Result<(), LedgerError> {
        let mut keys = BTreeSet::new();
        for Transfer { key, .. } in transfers {
            if self.keys.contains(key) || !keys.insert(key.clone()) {
                return Err(LedgerError::Repeated { key: key.clone() });
            }
        }
        let mut after = BTreeMap::new();
        for (account, change) in changes(transfers)? {
            let balance = self.balance(&account).plus(change).ok_or(LedgerError::Overflow)?;
            if balance < Amount::ZERO && !account.may_owe() {
                return Err(LedgerError::Insufficient { account });
            }
            after.insert(account, balance);
        }
        self.balances.extend(after);
        self.keys.extend(keys);
        Ok(())
    }
}

/// Returns what transfers come to for each account that they touch, in the order of the accounts.
///
/// # Errors
///
/// When an amount is not above zero, or a sum is more than can be counted.
///
/// # Panics
///
/// If the changes did not add up to nothing, which double entry rules out.
pub fn changes(transfers: &[Transfer]) -> Result<BTreeMap<Account, Amount>, LedgerError> {
    let mut changes: BTreeMap<Account, Amount> = BTreeMap::new();
    for Transfer { key, from, to, amount } in transfers {
        if !amount.is_positive() {
            return Err(LedgerError::NotPositive { key: key.clone() });
        }
        let less = changes.entry(from.clone()).or_default();
        *less = less.minus(*amount).ok_or(LedgerError::Overflow)?;
        let more = changes.entry(to.clone()).or_default();
        *more = more.plus(*amount).ok_or(LedgerError::Overflow)?;
    }
    let total: i128 = changes.values().map(|change| i128::from(change.as_cents())).sum();
    assert_eq!(total, 0, "a transfer moves money and makes none");
    Ok(changes)
}

/// Why transfers are not made. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LedgerError {
    /// A transfer with this key was made before.
    Repeated {
        /// The key.
        key: String,
    },
    /// A transfer moves nothing, or less.
    NotPositive {
        /// Its key.
        key: String,
    },
    /// A balance would be more than can be counted.
    Overflow,
    /// An account has not so much.
    Insufficient {
        /// The account.
        account: Account,
    },
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repeated { key } => write!(f, "the transfer {key} was made before"),
            Self::NotPositive { key } => write!(f, "the transfer {key} moves nothing"),
            Self::Overflow => f.write_str("a balance would be more than can be counted"),
            Self::Insufficient { account } => write!(f, "{account} has not so much"),
        }
    }
}

impl Error for LedgerError {}
