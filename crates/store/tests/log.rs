//! The log of an SQLite database does not grow for ever, however long it is written to.

use std::path::PathBuf;

use croupier_store::{Paper, Sqlite, SqliteOptions, Store};
use croupier_table::Time;

/// How many papers are filed at a time, and how often. Each is longer than a page, and is filed in
/// a place of its own.
const AT_A_TIME: usize = 64;
const TIMES: usize = 300;

/// What the log may come to: the writer begins it anew after some eight thousand pages.
const MOST: u64 = 3 * 8_000 * 4_096;

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::disallowed_methods, reason = "a database is a file, in memory if there is room")]
async fn a_log_begins_anew_while_it_is_written_to() {
    let memory = PathBuf::from("/dev/shm");
    let folder = if memory.exists() { memory } else { std::env::temp_dir() };
    let folder = folder.join(format!("croupier-log-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("croupier.db");
    let store = Sqlite::open(&path, SqliteOptions::default()).expect("a database");
    let text = "x".repeat(6_000);
    for time in 0..TIMES {
        let paper = |number: usize| Paper {
            drawer: "test".to_owned(),
            key: format!("{number}-{time}"),
            owner: String::new(),
            at: Time::from_millis(0),
            until: None,
            text: text.clone(),
            revision: 0,
        };
        store.file_all((0..AT_A_TIME).map(paper).collect()).await.expect("papers");
    }
    let log = std::fs::metadata(folder.join("croupier.db-wal")).expect("a log").len();
    let written = (TIMES * AT_A_TIME * text.len()) as u64;
    assert!(written > MOST, "enough is written to see it");
    assert!(log < MOST, "the log has {log} bytes");
    drop(store);
    std::fs::remove_dir_all(&folder).expect("a folder");
}
