//! The watchers of each table, and the latest state for them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use croupier_store::Update;
use croupier_table::{PublicEvent, Table};
use tokio::sync::watch;

use crate::tables::round_json::RoundJson;

/// The number of past events kept for a watcher that reconnects.
const MAX_RECENT: usize = 64;

/// The tables that are being watched on this node.
///
/// A watcher is notified of a change, and takes the latest state when it is ready: a slow watcher
/// misses states in between, and costs nothing.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    channels: Mutex<BTreeMap<String, watch::Sender<Option<Arc<Snapshot>>>>>,
}

/// A table at one version, with its latest events.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) table: Arc<Table>,
    recent: VecDeque<PublicEvent>,
    /// The last round that ended while the table was watched here.
    pub(crate) last_round: Option<Arc<RoundJson>>,
}

impl Snapshot {
    /// Returns the events since a version, or `None` if the version is too old.
    pub(crate) fn since(&self, version: u64) -> Option<impl Iterator<Item = &PublicEvent>> {
        let news = move |event: &&PublicEvent| event.version() > version;
        let known = match self.recent.front() {
            Some(first) => first.version() <= version.saturating_add(1),
            None => self.table.version() <= version,
        };
        known.then(|| self.recent.iter().filter(news))
    }
}

impl Hub {
    /// Starts to watch a table.
    pub(crate) fn watch(&self, table: &str) -> watch::Receiver<Option<Arc<Snapshot>>> {
        let mut channels = self.channels();
        match channels.get(table) {
            Some(channel) => channel.subscribe(),
            None => {
                channels.entry(table.to_owned()).or_insert(watch::Sender::new(None)).subscribe()
            }
        }
    }

    /// Sends new events to the watchers of a table. A round that ended is serialized here, once,
    /// if there are any.
    pub(crate) fn publish(&self, update: &Update<'_>) {
        let Update { table, events, ended } = update;
        let channels = self.channels();
        let Some(channel) = channels.get(table.name()) else { return };
        channel.send_modify(|snapshot| {
            let known = snapshot.as_ref();
            if known.is_some_and(|known| known.table.version() >= table.version()) {
                return;
            }
            let seen = known.map_or(0, |known| known.table.version());
            let mut recent = known.map_or_else(VecDeque::new, |known| known.recent.clone());
            let mut news = events.iter().filter(|event| event.version() > seen).peekable();
            // A table that was reloaded has not sent its events up to that point.
            if news.peek().is_some_and(|first| first.version() > seen + 1) {
                recent.clear();
            }
            recent.extend(news.cloned());
            let first = recent.len().saturating_sub(MAX_RECENT);
            recent.drain(..first);
            let last_round = match ended {
                Some(ended) => RoundJson::of(ended).map(Arc::new),
                None => known.and_then(|known| known.last_round.clone()),
            };
            let table = Arc::clone(table);
            *snapshot = Some(Arc::new(Snapshot { table, recent, last_round }));
        });
    }

    /// Sends the state of a table to its watchers, without the events that led to it.
    pub(crate) fn publish_state(&self, table: &Arc<Table>) {
        let channels = self.channels();
        let Some(channel) = channels.get(table.name()) else { return };
        channel.send_if_modified(|snapshot| {
            let known = snapshot.as_ref().map(|known| known.table.version());
            let news = known.is_none_or(|version| version < table.version());
            if news {
                let (table, recent) = (Arc::clone(table), VecDeque::new());
                *snapshot = Some(Arc::new(Snapshot { table, recent, last_round: None }));
            }
            news
        });
    }

    /// Returns the watched tables with their versions, and drops those without watchers.
    pub(crate) fn watched(&self) -> Vec<(String, u64)> {
        let mut channels = self.channels();
        channels.retain(|_, channel| channel.receiver_count() > 0);
        let version = |channel: &watch::Sender<Option<Arc<Snapshot>>>| {
            channel.borrow().as_ref().map_or(0, |snapshot| snapshot.table.version())
        };
        channels.iter().map(|(name, channel)| (name.clone(), version(channel))).collect()
    }

    fn channels(&self) -> MutexGuard<'_, BTreeMap<String, watch::Sender<Option<Arc<Snapshot>>>>> {
        // The data is consistent at any moment, even after a panic.
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use croupier_rules::{Catalog, Seat};
    use croupier_table::{Event, PlayerCommand, Terms, Time};

    use super::*;

    /// Returns a table at each of its first versions, with the event of each.
    fn history() -> Vec<(Arc<Table>, PublicEvent)> {
        let terms = Terms::new(&Catalog::shipped(), "uth-standard", None, None);
        let opened = Table::open("blue", terms.expect("good terms").into(), Time::default());
        let mut table = opened.expect("a good name").0;
        let mut history = Vec::new();
        for number in 1..=7 {
            let event = PublicEvent::new(table.version(), Event::Resumed);
            history.push((Arc::new(table.clone()), event));
            let seat = Seat::new(number).expect("a seat");
            let join = PlayerCommand::Join { seat }.by(format!("p{number}"));
            table.handle(join, Time::default()).expect("the seat is free");
            assert_eq!(table.version(), u64::from(number) + 1);
        }
        history
    }

    fn received(watch: &watch::Receiver<Option<Arc<Snapshot>>>, since: u64) -> Option<Vec<u64>> {
        let snapshot = watch.borrow().clone().expect("a snapshot was sent");
        Some(snapshot.since(since)?.map(PublicEvent::version).collect())
    }

    #[test]
    fn no_event_is_sent_twice_and_no_gap_goes_unnoticed() {
        let (hub, history) = (Hub::default(), history());
        let watch = hub.watch("blue");
        let publish = |from: usize, to: usize| {
            let events: Vec<PublicEvent> =
                history[from - 1..to].iter().map(|(_, event)| event.clone()).collect();
            hub.publish(&Update { table: &history[to - 1].0, events: &events, ended: None });
        };
        hub.publish_state(&history[0].0);
        publish(2, 3);
        assert_eq!(received(&watch, 1), Some(vec![2, 3]));
        // Another task on this node has read the same events, and one more.
        publish(2, 3);
        publish(2, 4);
        assert_eq!(received(&watch, 1), Some(vec![2, 3, 4]));
        assert_eq!(received(&watch, 3), Some(vec![4]));
        // The fifth event was not sent.
        publish(6, 6);
        assert_eq!(received(&watch, 4), None);
        assert_eq!(received(&watch, 5), Some(vec![6]));
    }
}
