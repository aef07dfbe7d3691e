//! Who watches which table, and what there is to see.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use croupier_store::Happened;
use croupier_table::Table;
use tokio::sync::watch;

/// How many events of the past are kept for somebody who comes back.
const RECENT: usize = 64;

/// The tables that somebody watches on this node.
///
/// A watcher is told that there is something new, and takes what there is when he is ready: one who
/// is slow misses moments in between, and costs nothing.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    rails: Mutex<BTreeMap<String, watch::Sender<Option<Arc<Moment>>>>>,
}

/// A table at a moment, with what happened last.
#[derive(Debug)]
pub(crate) struct Moment {
    pub(crate) table: Table,
    recent: VecDeque<Arc<Happened>>,
}

impl Moment {
    /// Returns what happened since a version, or nothing if that is too long ago to be known.
    pub(crate) fn since(&self, version: u64) -> Option<impl Iterator<Item = &Happened>> {
        let news = move |happened: &&Arc<Happened>| happened.version > version;
        let known = match self.recent.front() {
            Some(first) => first.version <= version.saturating_add(1),
            None => self.table.version() <= version,
        };
        known.then(|| self.recent.iter().filter(news).map(|happened| &**happened))
    }
}

impl Hub {
    /// Begins to watch a table.
    pub(crate) fn watch(&self, table: &str) -> watch::Receiver<Option<Arc<Moment>>> {
        let mut rails = self.rails();
        match rails.get(table) {
            Some(rail) => rail.subscribe(),
            None => rails.entry(table.to_owned()).or_insert(watch::Sender::new(None)).subscribe(),
        }
    }

    /// Tells the watchers of a table what happened.
    pub(crate) fn tell(&self, table: &Table, happened: &[Happened]) {
        let rails = self.rails();
        let Some(rail) = rails.get(table.name()) else { return };
        rail.send_modify(|moment| {
            let known = moment.as_ref();
            if known.is_some_and(|known| known.table.version() >= table.version()) {
                return;
            }
            let seen = known.map_or(0, |known| known.table.version());
            let mut recent = known.map_or_else(VecDeque::new, |known| known.recent.clone());
            let news: Vec<_> = happened.iter().filter(|news| news.version > seen).collect();
            // A table that was loaded anew has not told what happened until then.
            if news.first().is_some_and(|first| first.version > seen + 1) {
                recent.clear();
            }
            recent.extend(news.into_iter().cloned().map(Arc::new));
            let first = recent.len().saturating_sub(RECENT);
            recent.drain(..first);
            *moment = Some(Arc::new(Moment { table: table.clone(), recent }));
        });
    }

    /// Shows the watchers of a table how it is, without what led to it.
    pub(crate) fn show(&self, table: &Table) {
        let rails = self.rails();
        let Some(rail) = rails.get(table.name()) else { return };
        rail.send_if_modified(|moment| {
            let known = moment.as_ref().map(|known| known.table.version());
            let news = known.is_none_or(|version| version < table.version());
            if news {
                let recent = VecDeque::new();
                *moment = Some(Arc::new(Moment { table: table.clone(), recent }));
            }
            news
        });
    }

    /// Returns the watched tables with their versions, and forgets those that nobody watches.
    pub(crate) fn watched(&self) -> Vec<(String, u64)> {
        let mut rails = self.rails();
        rails.retain(|_, rail| rail.receiver_count() > 0);
        let version = |rail: &watch::Sender<Option<Arc<Moment>>>| {
            rail.borrow().as_ref().map_or(0, |moment| moment.table.version())
        };
        rails.iter().map(|(name, rail)| (name.clone(), version(rail))).collect()
    }

    fn rails(&self) -> MutexGuard<'_, BTreeMap<String, watch::Sender<Option<Arc<Moment>>>>> {
        // What is behind it is whole at any moment.
        self.rails.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use croupier_rules::{Catalog, Seat};
    use croupier_table::{Command, Terms, Time};
    use serde_json::Value;

    use super::*;

    /// Returns a table at each of its first versions, with what happened at each.
    fn history() -> Vec<(Table, Happened)> {
        let terms = Terms::new(&Catalog::shipped(), "uth-standard", None, None);
        let opened = Table::open("blue", terms.expect("good terms").into(), Time::default());
        let mut table = opened.expect("a good name").0;
        let mut history = Vec::new();
        for number in 1..=7 {
            let happened = Happened { version: table.version(), event: Value::Null };
            history.push((table.clone(), happened));
            let seat = Seat::new(number).expect("a seat");
            let join = Command::Join { seat, player: format!("p{number}") };
            table.handle(join, Time::default()).expect("the seat is free");
            assert_eq!(table.version(), u64::from(number) + 1);
        }
        history
    }

    fn told(watch: &watch::Receiver<Option<Arc<Moment>>>, since: u64) -> Option<Vec<u64>> {
        let moment = watch.borrow().clone().expect("something was told");
        Some(moment.since(since)?.map(|happened| happened.version).collect())
    }

    #[test]
    fn nothing_is_told_twice_and_nothing_is_left_out_in_silence() {
        let (hub, history) = (Hub::default(), history());
        let watch = hub.watch("blue");
        let tell = |from: usize, to: usize| {
            let happened: Vec<Happened> =
                history[from - 1..to].iter().map(|(_, happened)| happened.clone()).collect();
            hub.tell(&history[to - 1].0, &happened);
        };
        hub.show(&history[0].0);
        tell(2, 3);
        assert_eq!(told(&watch, 1), Some(vec![2, 3]));
        // Somebody else on this node has read the same, and one more.
        tell(2, 3);
        tell(2, 4);
        assert_eq!(told(&watch, 1), Some(vec![2, 3, 4]));
        assert_eq!(told(&watch, 3), Some(vec![4]));
        // The fifth was not told.
        tell(6, 6);
        assert_eq!(told(&watch, 4), None);
        assert_eq!(told(&watch, 5), Some(vec![6]));
    }
}
