//! The stacks at a table: the chips of each seated player, apart from those in play.
//!
//! All viewers of a table see all its stacks, so a node reads them once for each version of the
//! table, and not once for each viewer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use croupier_rules::Amount;
use croupier_table::{Table, Time};
use futures_util::future::try_join_all;

use crate::http::problem::Problem;
use crate::people::chips;
use crate::state::AppState;

/// How long stacks are cached, in milliseconds: a player may also play at other tables.
const CACHE_MILLIS: i64 = 5_000;

/// The stacks at a table, by player.
pub(crate) type Stacks = BTreeMap<String, Amount>;

/// Stacks, and what they depend on.
#[derive(Clone, Debug)]
pub(crate) struct CachedStacks {
    stacks: Arc<Stacks>,
    version: u64,
    at: Time,
    /// The count of grants at that time.
    grants: u64,
}

/// Returns the stacks at a table: practice chips if it plays with those, and otherwise the chips of
/// the players' accounts.
pub(super) async fn at_table(state: &AppState, table: &Table) -> Result<Arc<Stacks>, Problem> {
    let players = table.seats().iter().map(|sitter| sitter.player.clone());
    if table.terms().practice_chips().is_some() {
        let purse = |player: String| Some((player.clone(), table.practice_chips(&player)?));
        return Ok(Arc::new(players.filter_map(purse).collect()));
    }
    let (now, version) = (state.now(), table.version());
    let grants = state.grants.load(Ordering::Relaxed);
    let good = |cached: &CachedStacks| {
        let age = now.as_millis() - cached.at.as_millis();
        cached.version == version && cached.grants == grants && age < CACHE_MILLIS
    };
    if let Some(cached) = state.stacks.get(table.name()).filter(good) {
        return Ok(cached.stacks);
    }
    let stacks = try_join_all(players.map(|player| async move {
        let chips = chips::balance(state, &player).await?;
        Ok::<_, Problem>((player, chips))
    }));
    let stacks: Arc<Stacks> = Arc::new(stacks.await?.into_iter().collect());
    let cached = CachedStacks { stacks: Arc::clone(&stacks), version, at: now, grants };
    state.stacks.insert(table.name().to_owned(), cached);
    Ok(stacks)
}
