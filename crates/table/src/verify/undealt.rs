//! Verification of the export of a round that was not dealt.

use serde_json::Value;

use super::fields::{Fields, plain};
use super::{NOT_WRITTEN, Proof, UNFIT, Unverified, Verified, verify_seal, verify_seeds};
use crate::event::{Event, SeatSeed};
use crate::names::is_valid_text;
use crate::undealt::UNDEALT_FORMAT;

/// Tells whether a text claims to be such a round.
pub(super) fn is_one(text: &str) -> bool {
    let fields = serde_json::from_str::<Value>(text.trim());
    // Any version counts: an unknown one is refused later because of its format.
    let is_format = |format: &str| format.starts_with("croupier-undealt/");
    fields.is_ok_and(|fields| fields["format"].as_str().is_some_and(is_format))
}

/// Checks that the seeds match their commitments, and that the journal's hash seals them with the
/// reason. There is no deck and no result to check.
pub(super) fn check(text: &str) -> Result<Verified, Unverified> {
    let fields = plain(text)?;
    let known = ["format", "shuffle", "reason", "journal", "journal_hash"];
    let names = fields.as_object().into_iter().flat_map(|fields| fields.keys());
    if let Some(unknown) = names.into_iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Unverified::new(unknown.as_str(), NOT_WRITTEN));
    }
    if fields["format"] != UNDEALT_FORMAT {
        let words = format!("this version reads only {UNDEALT_FORMAT}");
        return Err(Unverified::new("format", words));
    }
    // Any seat may have committed: a round that was not dealt has no list of the seats that were in
    // it.
    let proof = verify_seeds(&fields, |_| true)?;
    let reason = match fields.get("reason").map(Value::as_str) {
        None => return Err(Unverified::new("reason", "it is missing")),
        Some(reason) => reason.filter(|reason| is_valid_text(reason)),
    };
    let reason = reason.ok_or_else(|| Unverified::new("reason", UNFIT))?.to_owned();
    let seat_seeds = seat_seeds(&fields)?;
    let ended =
        Event::RoundUndealt { reason: reason.clone(), seed: proof.seed.clone(), seat_seeds };
    let journal_hash = verify_seal(fields, least_version(&proof), |_| ended.body())?;
    Ok(proof.verified(journal_hash, Some(reason)))
}

/// Returns the seeds of the seats as the journal stores them. They were checked before.
fn seat_seeds(fields: &Value) -> Result<Vec<SeatSeed>, Unverified> {
    let shuffle = Fields::of("shuffle", &fields["shuffle"], &super::SHUFFLE_FIELDS)?;
    let seeds = shuffle.list("seat_seeds")?.iter();
    let read = |seed: &Value| serde_json::from_value(seed.clone()).ok();
    let seeds: Option<Vec<SeatSeed>> = seeds.map(read).collect();
    seeds.ok_or_else(|| shuffle.wrong("seat_seeds", "each needs seat, commitment and seed"))
}

/// Returns the least number of entries that a journal has when this round has ended: the table was
/// opened, a player sat down, every round began and ended, and seats committed to seeds and showed
/// them.
fn least_version(proof: &Proof) -> u64 {
    let shown = proof.seat_seeds.iter().filter(|(_, seed)| !seed.is_empty()).count();
    2 + 2 * proof.round + (proof.seat_seeds.len() + shown) as u64
}
