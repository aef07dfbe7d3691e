//! Limits how many tables a player may have open: each takes one of a fixed number of slots.
//!
//! If requests counted tables and then opened one, simultaneous requests would all see the same
//! count. A slot is a document, and a store accepts a write only from a caller that knows the
//! document's last revision, so that exactly one request on all nodes gets it. A slot is free when
//! its table is closed or was never opened; it is not given back, but taken over.

use croupier_store::{Collection, Document, Journals, StoreError, Text};

use crate::http::problem::{Code, Problem};
use crate::state::AppState;

/// The collection of slots for all tables.
pub(crate) const SLOTS: Collection<Text> = Collection::new("table-slots");

/// The collection of slots for public tables.
pub(crate) const PUBLIC_SLOTS: Collection<Text> = Collection::new("public-table-slots");

/// How long opening a table may take after its slot is taken, in milliseconds. No request takes
/// that long.
const OPENING_MILLIS: i64 = 120_000;

/// How many times a slot is searched for when other requests are faster.
const ATTEMPTS: usize = 64;

/// A slot that was taken for a table.
#[derive(Debug)]
pub(super) struct Slot(Option<(Collection<Text>, Document<Text>)>);

/// Takes one of a player's slots for a table that is about to be opened; an empty slot if there is
/// no limit.
///
/// # Errors
///
/// [`Code::TooManyTables`] when all of them are in use.
pub(super) async fn take(
    state: &AppState,
    collection: Collection<Text>,
    host: &str,
    table: &str,
    most: u32,
) -> Result<Slot, Problem> {
    if most == 0 {
        return Ok(Slot(None));
    }
    for _ in 0..ATTEMPTS {
        let known =
            collection.documents_of(state.store(), host, "", ATTEMPTS + most as usize).await?;
        // An earlier attempt at the same table may have one.
        let own = known.iter().find(|slot| slot.text() == table);
        let place = match own {
            Some(own) => Some((own.key.clone(), own.revision)),
            None => free(state, &known, host, most).await?,
        };
        let Some((key, revision)) = place else { return Err(Code::TooManyTables.into()) };
        let slot = Document::plain(key, state.now(), table).owned_by(host).replacing(revision);
        match collection.put(state.store(), slot.clone()).await {
            Ok(revision) => return Ok(Slot(Some((collection, slot.replacing(revision))))),
            Err(StoreError::Taken | StoreError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}

/// Releases a slot whose table was not opened after all.
pub(super) async fn release(state: &AppState, slot: Slot) {
    let Slot(Some((collection, slot))) = slot else { return };
    // If this fails, the slot becomes free after a while anyway.
    if let Err(error) = collection.put(state.store(), slot.with_text("")).await {
        tracing::debug!(%error, "a slot could not be released");
    }
}

/// Returns the key and the revision of a free slot, if there is one and fewer than the maximum are
/// in use.
async fn free(
    state: &AppState,
    known: &[Document<Text>],
    host: &str,
    most: u32,
) -> Result<Option<(String, u64)>, Problem> {
    let (mut in_use, mut unused) = (0, Vec::new());
    for slot in known {
        if is_in_use(state, slot).await? {
            in_use += 1;
        } else {
            unused.push((slot.key.clone(), slot.revision));
        }
    }
    // More may be in use than the current limit.
    if in_use >= most {
        return Ok(None);
    }
    let mut keys = (0..most).map(|number| format!("{host}/{number:04}"));
    let fresh = keys.find(|key| known.iter().all(|slot| slot.key != *key));
    let within = |(key, _): &(String, u64)| *key < format!("{host}/{most:04}");
    Ok(unused.into_iter().find(within).or(fresh.map(|key| (key, 0))))
}

async fn is_in_use(state: &AppState, slot: &Document<Text>) -> Result<bool, Problem> {
    if slot.text().is_empty() {
        return Ok(false);
    }
    Ok(match state.store().table(slot.text()).await? {
        Some(row) => !row.closed,
        // The slot is taken before the table is opened; the node may have died in between.
        None => state.now().as_millis() - slot.at.as_millis() < OPENING_MILLIS,
    })
}
