//! The verdict on a round, for programs.

use croupier_rules::Seat;
use serde::Serialize;

use super::{Unverified, Verified};
use crate::hash::Hash;

/// The verdict on a round, as plain data: the output of `croupier verify --json`. The field names
/// are stable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// Whether every field was verified.
    pub verified: bool,
    /// The table, if the record names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub table: Option<String>,
    /// The number of the round, if the record has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub round: Option<u64>,
    /// The commitment that the table must have shown before betting opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub commitment: Option<Hash>,
    /// The hash of the journal after the round.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub journal_hash: Option<Hash>,
    /// The seats that committed to a seed and did not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub unrevealed: Option<Vec<Seat>>,
    /// The reason why the round was not dealt, if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub undealt: Option<String>,
    /// The first field with a fault; empty if the fault is not in any particular field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub field: Option<String>,
    /// The description of the fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
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
