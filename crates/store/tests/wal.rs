//! The log of an SQLite database does not grow forever, however long the writes continue.

use std::path::PathBuf;

use croupier_store::{DocumentRow, Documents, Sqlite, SqliteOptions};
use croupier_table::Time;

/// How many documents are written at a time, and how often. Each is longer than a page, and has
/// its own key.
const AT_A_TIME: usize = 64;
const TIMES: usize = 300;

/// The limit of the log: the writer restarts it after about eight thousand pages.
const MOST: u64 = 3 * 8_000 * 4_096;

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::disallowed_methods, reason = "a database is a file, in memory if there is space")]
async fn the_log_restarts_while_writes_continue() {
    let memory = PathBuf::from("/dev/shm");
    let folder = if memory.exists() { memory } else { std::env::temp_dir() };
    let folder = folder.join(format!("croupier-log-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("croupier.db");
    let store = Sqlite::open(&path, SqliteOptions::default()).expect("a database");
    let text = "x".repeat(6_000);
    for time in 0..TIMES {
        let document = |number: usize| DocumentRow {
            collection: "test".to_owned(),
            key: format!("{number}-{time}"),
            owner: String::new(),
            at: Time::from_millis(0),
            until: None,
            text: text.clone(),
            revision: 0,
        };
        store.put_all((0..AT_A_TIME).map(document).collect()).await.expect("documents");
    }
    let log = std::fs::metadata(folder.join("croupier.db-wal")).expect("a log").len();
    let written = (TIMES * AT_A_TIME * text.len()) as u64;
    assert!(written > MOST, "enough was written to show it");
    assert!(log < MOST, "the log has {log} bytes");
    drop(store);
    std::fs::remove_dir_all(&folder).expect("a folder");
}
