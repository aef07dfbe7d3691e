//! How many tables a player may have open: each takes one of so many numbered slots.
//!
//! Counting and then opening would let requests at the same moment all count the same. A slot is a
//! paper, and a store lets a paper be written by whoever knows its last revision, so that of all
//! requests on all nodes one gets it. A slot is free when its table is closed or was never opened;
//! it is not given back, but taken over.

use croupier_store::{Paper, Store, StoreError};

use crate::problem::{Code, Problem};
use crate::room::Shared;

/// The drawer of slots for all tables.
pub(crate) const SLOTS: &str = "table-slots";

/// The drawer of slots for public tables.
pub(crate) const PUBLIC_SLOTS: &str = "public-table-slots";

/// How long a table that has a slot may take to be opened, in milliseconds. A request does not take
/// so long.
const OPENING: i64 = 120_000;

/// How often a slot is looked for because another request was first.
const ATTEMPTS: usize = 64;

/// A slot that was taken for a table.
#[derive(Debug)]
pub(crate) struct Slot(Option<Paper>);

/// Takes a slot of a player for a table that is about to be opened; none, if there is no limit.
///
/// # Errors
///
/// [`Code::TooManyTables`], when all of them are in use.
pub(crate) async fn take(
    room: &Shared,
    drawer: &str,
    host: &str,
    table: &str,
    most: u32,
) -> Result<Slot, Problem> {
    if most == 0 {
        return Ok(Slot(None));
    }
    for _ in 0..ATTEMPTS {
        let known = room.store().papers_of(drawer, host, "", ATTEMPTS + most as usize).await?;
        // An earlier attempt at the same table may have one.
        let own = known.iter().find(|paper| paper.text == table);
        let place = match own {
            Some(own) => Some((own.key.clone(), own.revision)),
            None => free(room, &known, host, most).await?,
        };
        let Some((key, revision)) = place else { return Err(Code::TooManyTables.into()) };
        let mut paper = Paper {
            drawer: drawer.to_owned(),
            key,
            owner: host.to_owned(),
            at: room.now(),
            until: None,
            text: table.to_owned(),
            revision,
        };
        match room.store().file(paper.clone()).await {
            Ok(revision) => {
                paper.revision = revision;
                return Ok(Slot(Some(paper)));
            }
            Err(StoreError::Taken | StoreError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}

/// Gives a slot back whose table was not opened after all.
pub(crate) async fn give_back(room: &Shared, slot: Slot) {
    let Slot(Some(paper)) = slot else { return };
    // If that fails it is free after a while all the same.
    if let Err(error) = room.store().file(Paper { text: String::new(), ..paper }).await {
        tracing::debug!(%error, "a slot could not be given back");
    }
}

/// Returns the key and the revision of a slot that is free, if there is one and not as many are in
/// use as there may be.
async fn free(
    room: &Shared,
    known: &[Paper],
    host: &str,
    most: u32,
) -> Result<Option<(String, u64)>, Problem> {
    let (mut in_use, mut stale) = (0, Vec::new());
    for paper in known {
        if is_in_use(room, paper).await? {
            in_use += 1;
        } else {
            stale.push((paper.key.clone(), paper.revision));
        }
    }
    // There may be more than the limit is now.
    if in_use >= most {
        return Ok(None);
    }
    let mut keys = (0..most).map(|number| format!("{host}/{number:04}"));
    let fresh = keys.find(|key| known.iter().all(|paper| paper.key != *key));
    let within = |(key, _): &(String, u64)| *key < format!("{host}/{most:04}");
    Ok(stale.into_iter().find(within).or(fresh.map(|key| (key, 0))))
}

async fn is_in_use(room: &Shared, slot: &Paper) -> Result<bool, Problem> {
    if slot.text.is_empty() {
        return Ok(false);
    }
    Ok(match room.store().table(&slot.text).await? {
        Some(row) => !row.closed,
        // It is taken before the table is opened, if its node lives to do it.
        None => room.now().as_millis() - slot.at.as_millis() < OPENING,
    })
}
