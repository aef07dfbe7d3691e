//! Follows tables that are watched on this node and changed on another.

use std::collections::BTreeMap;
use std::time::Duration;

use croupier_store::Journals;
use futures_util::StreamExt;

use crate::background::every;
use crate::state::AppState;

/// How often a node checks whether others have changed the tables watched here.
const INTERVAL: Duration = Duration::from_millis(100);

/// How many of those it reads at once.
const MAX_CONCURRENT: usize = 8;

/// Follows the tables that are watched here. Watchers already know of this node's own changes.
pub(super) async fn run(state: &AppState) {
    let mut ticks = every(INTERVAL);
    loop {
        ticks.tick().await;
        let watched = state.hub.watched();
        if watched.is_empty() || !state.store().is_shared() {
            continue;
        }
        let names = watched.iter().map(|(name, _)| name.clone()).collect();
        let Ok(versions) = state.store().versions(names).await else { continue };
        let known: BTreeMap<_, _> = watched.into_iter().collect();
        let news = |(name, version): &(String, u64)| known.get(name) < Some(version);
        // A busy table must not delay the news of the others.
        let news = futures_util::stream::iter(versions.into_iter().filter(news));
        news.for_each_concurrent(MAX_CONCURRENT, |(name, _)| async move {
            if let Ok(table) = state.floor.table(&name).await {
                state.hub.publish_state(&table);
            }
        })
        .await;
    }
}
