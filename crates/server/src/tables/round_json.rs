//! A finished round as JSON, serialized once for all watchers.

use std::sync::Arc;

use croupier_rules::Narration;
use croupier_store::EndedRound;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// Serialized JSON that is sent to many clients.
#[derive(Clone, Debug)]
pub(crate) struct SharedJson(pub(crate) Arc<RawValue>);

impl Serialize for SharedJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// The record of a finished round, and the round in words.
#[derive(Clone, Debug)]
pub(crate) struct RoundJson {
    pub(crate) round: u64,
    pub(crate) record: SharedJson,
    pub(crate) telling: SharedJson,
}

impl RoundJson {
    /// Serializes a round that just ended.
    pub(crate) fn of(ended: &EndedRound) -> Option<Self> {
        metrics::counter!("croupier_rounds_serialized_total").increment(1);
        let telling = to_raw_value(&Narration::new(&ended.finished)).expect("plain data");
        Self::new(ended.round, ended.record()?, telling.into())
    }

    /// Puts together a round whose record was read from the store.
    pub(crate) fn new(round: u64, record: String, telling: Arc<RawValue>) -> Option<Self> {
        let record = RawValue::from_string(record).ok()?;
        Some(Self { round, record: SharedJson(record.into()), telling: SharedJson(telling) })
    }
}
