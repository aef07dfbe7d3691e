//! The export of a round that ended before a card was dealt, and its place in the journal.

use serde_json::json;

use crate::event::Event;
use crate::hash::Hash;
use crate::journal::Entry;
use crate::shuffle::SHUFFLE_VERSION;

/// The format of the export of a round that was not dealt.
pub const UNDEALT_FORMAT: &str = "croupier-undealt/1";

/// Exports a round that was not dealt with its place in the journal, in the form that
/// [`verify`](crate::verify) checks.
///
/// The commitment is the one that the table showed when the round opened. The entry is the one that
/// ends the round, and the hash is that of the entry before it. Returns `None` for any other entry.
pub fn export_undealt(
    table: &str,
    round: u64,
    commitment: &Hash,
    previous: &Hash,
    entry: &Entry,
) -> Option<String> {
    let Ok(Event::RoundUndealt { reason, seed, seat_seeds }) = Event::read(&entry.body) else {
        return None;
    };
    let fields = json!({
        "format": UNDEALT_FORMAT,
        "shuffle": {
            "version": SHUFFLE_VERSION,
            "table": table,
            "round": round,
            "commitment": commitment,
            "seed": seed,
            "seat_seeds": seat_seeds,
        },
        "reason": reason,
        "journal": { "version": entry.version, "at": entry.at, "previous": previous },
        "journal_hash": entry.hash,
    });
    Some(fields.to_string())
}
