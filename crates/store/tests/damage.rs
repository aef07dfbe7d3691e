//! Truncated, altered or missing data in a database is noticed when a table is loaded, with its
//! place.

#![expect(clippy::disallowed_methods, reason = "it damages its own databases")]

use std::path::{Path, PathBuf};

use croupier_store::{Floor, FloorError, Sqlite, SqliteOptions, StoreError, os_entropy};
use croupier_table::Time;
use croupier_testing::{Random, players};
use rusqlite::Connection;

const TABLE: &str = "t0";

fn now() -> Time {
    Time::from_millis(1_700_000_000_000)
}

fn floor(path: &Path) -> Floor<Sqlite> {
    let store = Sqlite::open(path, SqliteOptions::default()).expect("a store");
    Floor::new(store, Box::new(os_entropy))
}

/// Plays some rounds, and returns the path of the database and the length of the journal.
async fn played(name: &str, commands: usize) -> (PathBuf, u64) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("damage-{name}"));
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("croupier.db");
    let (floor, mut random) = (floor(&path), Random::new(5));
    floor.open(TABLE, players::terms(0, None), None, now()).await.expect("a table");
    players::issue(floor.store(), TABLE, now()).await.expect("chips");
    for _ in 0..commands {
        let table = floor.cached(TABLE).await.expect("a table");
        let command = players::next(&table, &mut random).expect("a player's turn");
        floor.command(TABLE, command, None, now()).await.expect("a good command");
    }
    let version = floor.cached(TABLE).await.expect("a table").version();
    assert!(version > 20, "too little happened");
    (path, version)
}

/// Damages the database with a statement, and returns the error when the table is loaded.
async fn damaged(name: &str, commands: usize, damage: impl Fn(u64) -> String) -> (u64, String) {
    let (path, version) = played(name, commands).await;
    {
        let connection = Connection::open(&path).expect("a database");
        let changed = connection.execute(&damage(version), ()).expect("good SQL");
        assert!(changed > 0, "it is damaged");
    }
    let loaded = floor(&path).table(TABLE).await;
    let error = loaded.expect_err("a damaged journal is not loaded");
    let damage =
        matches!(error, FloorError::Damaged(_) | FloorError::Store(StoreError::Damaged(_)));
    assert!(damage, "{error:?}");
    (version, error.to_string())
}

#[tokio::test]
async fn a_truncated_journal_is_refused() {
    let (version, said) = damaged("cut", 40, |version| {
        format!("DELETE FROM journal WHERE version > {}", version - 3)
    })
    .await;
    assert!(said.contains(&format!("at entry {}", version - 2)), "{said}");
    assert!(said.contains("missing"), "{said}");
}

#[tokio::test]
async fn a_journal_with_a_gap_is_refused() {
    let hole = |_| "DELETE FROM journal WHERE version = 9".to_owned();
    let (_, said) = damaged("hole", 40, hole).await;
    assert!(said.contains("at entry 9: the entry is missing"), "{said}");
}

#[tokio::test]
async fn an_altered_entry_is_refused() {
    let alter = |_| {
        "UPDATE journal SET body = replace(body, 'wagered', 'Wagered') WHERE version = \
         (SELECT min(version) FROM journal WHERE body LIKE '%wagered%')"
            .to_owned()
    };
    let (_, said) = damaged("altered", 40, alter).await;
    assert!(said.contains("it or the entry before it was altered"), "{said}");
}

#[tokio::test]
async fn a_checkpoint_seals_the_entry_before_it() {
    // Of all entries before a checkpoint, only the last one is read.
    let (version, said) = damaged("checkpoint", 500, |_| {
        "UPDATE journal SET hash = zeroblob(32) WHERE version = \
         (SELECT checkpoint - 1 FROM tables)"
            .to_owned()
    })
    .await;
    assert!(version > 300 && said.contains("altered"), "{said}");
}
