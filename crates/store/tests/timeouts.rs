//! Tables are woken at their deadlines, and a table that fails leaves the others alone.

use std::future::ready;
use std::time::Duration;

use croupier_rules::{Catalog, Seat};
use croupier_store::{
    Append, DueTable, Floor, FloorError, Journals, Memory, TimeoutFailure, TimeoutOptions,
    Timeouts, os_entropy,
};
use croupier_table::{Clocks, Entry, PlayerCommand, Terms, Time, first_hash};

const INTERVAL: Duration = Duration::from_millis(50);

fn now() -> Time {
    Time::from_millis(1_700_000_000_000)
}

/// Opens tables that close when they stay empty, and returns when that is.
async fn floor(tables: &[&str]) -> (Floor<Memory>, Time) {
    let floor = Floor::new(Memory::default(), Box::new(os_entropy));
    let clocks = Clocks::default();
    for table in tables {
        let terms = Terms::new(&Catalog::shipped(), "uth-standard", None, Some(clocks));
        floor.open(table, terms.expect("good terms"), None, now()).await.expect("a table");
        let (seat, player) = (Seat::new(1).expect("a seat"), format!("of {table}"));
        for command in [
            PlayerCommand::Join { seat }.by(player.clone()),
            PlayerCommand::Leave { seat }.by(player),
        ] {
            floor.command(table, command, None, now()).await.expect("a good command");
        }
    }
    (floor, now().after(clocks.empty))
}

/// Adds a table whose journal cannot be read.
async fn damage(floor: &Floor<Memory>, table: &str) {
    let append = Append {
        table: table.to_owned(),
        expected: 0,
        entries: vec![Entry::seal(&first_hash(table), 1, now(), "{}".to_owned())],
        transfers: Vec::new(),
        deadline: Some(now()),
        opens: Some("uth-standard".to_owned()),
        closes: false,
        checkpoint: None,
        rounds: Vec::new(),
        command: None,
    };
    floor.store().append(append).await.expect("it is new");
}

fn timeouts(concurrent: usize) -> Timeouts {
    Timeouts::new(TimeoutOptions { lease: 1_000, concurrent, interval: INTERVAL })
}

/// Makes a step, and returns the names of the tables it starts, and whether to come back at once.
async fn step(timeouts: &Timeouts, floor: &Floor<Memory>, at: Time) -> (Vec<String>, bool) {
    let mut names = Vec::new();
    let pause = timeouts.step(floor, at, |due| names.push(due.name().to_owned())).await;
    let pause = pause.expect("the store works");
    assert!(pause.is_zero() || pause == INTERVAL);
    (names, pause.is_zero())
}

#[tokio::test]
async fn no_more_tables_are_claimed_than_there_are_places() {
    let (floor, end) = floor(&["a", "b", "c"]).await;
    let timeouts = timeouts(2);
    assert_eq!(step(&timeouts, &floor, now()).await, (vec![], false), "nothing is due");
    let mut due = Vec::new();
    let pause = timeouts.step(&floor, end, |table| due.push(table)).await;
    assert_eq!(pause, Ok(Duration::ZERO), "more may be due");
    assert_eq!(due.iter().map(DueTable::name).collect::<Vec<_>>(), ["a", "b"]);
    // Both are still being woken.
    assert_eq!(step(&timeouts, &floor, end).await, (vec![], false));
    due.pop();
    assert_eq!(step(&timeouts, &floor, end).await, (vec!["c".to_owned()], true));
    due.clear();
    // No table was run, so all claims expire.
    let later = end.after(1_000);
    assert_eq!(step(&timeouts, &floor, later).await.0, ["a", "b"]);
}

#[tokio::test]
async fn a_failing_table_is_left_alone_and_the_others_are_woken() {
    let (floor, end) = floor(&["good"]).await;
    damage(&floor, "bad").await;
    let timeouts = timeouts(64);
    let woken = timeouts.run_timeouts(&floor, end).await.expect("the store works");
    let [(bad, Err(error)), (good, Ok(()))] = &woken[..] else { panic!("{woken:?}") };
    assert_eq!((&**bad, &**good), ("bad", "good"));
    assert!(error.is_table_fault(), "{error}");
    assert!(floor.table("good").await.expect("a table").is_closed());
    let reason = timeouts.failing().reason("bad");
    assert!(reason.is_some_and(|why| why.contains("table bad is damaged")));
    assert_eq!(timeouts.failing().count(), 1);
    // The claim expires long before the table is tried again.
    for (millis, tried) in [(1_000, false), (4_999, false), (6_000, true), (7_000, false)] {
        let woken = timeouts.run_timeouts(&floor, end.after(millis)).await;
        assert_eq!(woken.expect("the store works").len(), usize::from(tried), "{millis}");
    }
}

#[tokio::test]
async fn a_panic_is_a_fault_of_the_table() {
    let (floor, end) = floor(&["seven"]).await;
    let timeouts = timeouts(64);
    let mut due = Vec::new();
    timeouts.step(&floor, end, |table| due.push(table)).await.expect("the store works");
    let then = async { panic!("{} is too much", 7) };
    let ended = timeouts.run(&floor, due.remove(0), end, then).await;
    let (table, why) = ("seven".to_owned(), "7 is too much".to_owned());
    let error = FloorError::Broken { table, why };
    assert_eq!(ended, Err(TimeoutFailure { error, is_new: true }));
    assert_eq!(timeouts.failing().count(), 1);
}

#[tokio::test]
async fn a_table_that_is_woken_again_fails_no_more() {
    let (floor, end) = floor(&["seven"]).await;
    let timeouts = timeouts(64);
    assert!(timeouts.failing().record("seven", "it is damaged", now()));
    let mut due = Vec::new();
    timeouts.step(&floor, end, |table| due.push(table)).await.expect("the store works");
    assert_eq!(timeouts.run(&floor, due.remove(0), end, ready(Ok(()))).await, Ok(()));
    assert_eq!(timeouts.failing().count(), 0);
}
