//! What was found of a round, for programs.

use croupier_rules::Seat;
use serde::Serialize;

use super::{Unverified, Verified};
use crate::hash::Hash;

/// What was found of a round, as plain data: `croupier verify --json`. The names of the fields are
/// a promise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Whether every field is true.
    pub verified: bool,
    /// The table, if it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The number of the round, if it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u64>,
    /// What the table must have shown before betting opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Hash>,
    /// The hash of the journal after the round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal_hash: Option<Hash>,
    /// The seats that committed to a seed and did not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unrevealed: Option<Vec<Seat>>,
    /// Why the round was not dealt, if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undealt: Option<String>,
    /// The first field that is not true; empty if it is about no field in particular.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What is not true of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl From<&Result<Verified, Unverified>> for Verdict {
    fn from(found: &Result<Verified, Unverified>) -> Self {
        match found {
            Ok(verified) => Self {
                verified: true,
                table: Some(verified.table.clone()),
                round: Some(verified.round),
                commitment: Some(verified.commitment),
                journal_hash: Some(verified.journal_hash),
                unrevealed: Some(verified.unrevealed.clone()),
                undealt: verified.undealt.clone(),
                field: None,
                error: None,
            },
            Err(error) => Self {
                verified: false,
                table: error.table().map(ToOwned::to_owned),
                round: error.round(),
                commitment: None,
                journal_hash: None,
                unrevealed: None,
                undealt: None,
                field: Some(error.field().to_owned()),
                error: Some(error.message().to_owned()),
            },
        }
    }
}
