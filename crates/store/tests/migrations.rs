//! A database of an earlier version is migrated with its data.

#![expect(clippy::disallowed_methods, reason = "the database of an earlier run is removed")]

use std::path::{Path, PathBuf};

use croupier_rules::Amount;
use croupier_store::{
    Database, Floor, RoundRow, Sqlite, SqliteOptions, Store, audit, backup, os_entropy, restore,
};
use croupier_table::Time;
use croupier_testing::Cluster;
use croupier_testing::{Random, players};

/// One of each house.
const TABLES: [&str; 4] = ["t0", "t1", "t2", "t3"];

/// Reverts all migrations but the first.
const BACK: &str = "DROP TABLE papers;
    DROP INDEX rounds_by_time;
    ALTER TABLE round_seats DROP COLUMN ante;
    ALTER TABLE round_seats DROP COLUMN bonus;
    ALTER TABLE balances DROP COLUMN changes;
    DELETE FROM migrations WHERE version > 1;";

async fn play<S: Store>(floor: &Floor<S>) {
    let (now, mut random) = (Time::from_millis(1_700_000_000_000), Random::new(5));
    for (number, table) in TABLES.into_iter().enumerate() {
        floor.open(table, players::terms(number, None), None, now).await.expect("a table");
        players::issue(floor.store(), table, now).await.expect("chips");
        for _ in 0..120 {
            let known = floor.cached(table).await.expect("a table");
            let command = players::next(&known, &mut random).expect("a player's turn");
            floor.command(table, command, None, now).await.expect("a good command");
        }
    }
}

async fn rounds(store: &impl Store) -> Vec<RoundRow> {
    let mut rounds = Vec::new();
    for table in TABLES {
        rounds.extend(store.rounds_at(table, u64::MAX, usize::MAX).await.expect("stored rounds"));
    }
    let seats = || rounds.iter().flat_map(|round| &round.seats);
    assert!(seats().any(|seat| seat.bonus > Amount::ZERO), "no player bet the bonus");
    assert!(seats().any(|seat| seat.banked), "no player banked");
    assert!(seats().all(|seat| (seat.ante > Amount::ZERO) != seat.banked));
    rounds
}

/// Checks that a migrated database equals one that was always up to date.
async fn check(store: &impl Store, wanted: &[RoundRow]) {
    assert_eq!(rounds(store).await, wanted);
    audit(store).await.expect("it matches its journals");
}

/// Makes an empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[tokio::test]
async fn a_backup_of_the_first_version_is_restored_to_the_current_schema() {
    let folder = folder("forward-backup");
    let [played, file, restored] = ["played.db", "old.backup", "restored.db"]
        .map(|name| folder.join(name).to_str().expect("a path").to_owned());
    let open = |path: &str| Sqlite::open(path, SqliteOptions::default()).expect("a store");
    let floor = Floor::new(open(&played), Box::new(os_entropy));
    play(&floor).await;
    let wanted = rounds(floor.store()).await;
    drop(floor);
    let copied = backup(&played, Path::new(&file)).await.expect("a copy");
    let connection = rusqlite::Connection::open(&file).expect("a database");
    connection.execute_batch(BACK).expect("it is reverted");
    drop(connection);
    let bytes = std::fs::read(&file).expect("a file");

    assert_eq!(restore(Path::new(&file), &restored).await.as_ref(), Ok(&copied));
    check(&open(&restored), &wanted).await;
    let url = Cluster::shared().fresh_database();
    assert_eq!(restore(Path::new(&file), &url).await.as_ref(), Ok(&copied));
    check(&Database::open(&url).await.expect("a database"), &wanted).await;
    assert_eq!(std::fs::read(&file).expect("a file"), bytes, "the backup is unchanged");
}

#[tokio::test]
async fn a_file_of_the_first_version_gets_its_stakes() {
    let path = folder("forward").join("croupier.db");
    let open = || Database::from(Sqlite::open(&path, SqliteOptions::default()).expect("a store"));
    let floor = Floor::new(open(), Box::new(os_entropy));
    play(&floor).await;
    let wanted = rounds(floor.store()).await;
    drop(floor);
    let connection = rusqlite::Connection::open(&path).expect("a database");
    connection.execute_batch(BACK).expect("it is reverted");
    drop(connection);
    check(&open(), &wanted).await;
}

#[tokio::test]
async fn a_postgres_of_the_first_version_gets_its_stakes() {
    let url = Cluster::shared().fresh_database();
    let connect = async || Database::open(&url).await.expect("a database");
    let floor = Floor::new(connect().await, Box::new(os_entropy));
    play(&floor).await;
    let wanted = rounds(floor.store()).await;
    drop(floor);
    let (client, connection) =
        tokio_postgres::connect(&url, tokio_postgres::NoTls).await.expect("a database");
    tokio::spawn(connection);
    client.batch_execute(BACK).await.expect("it is reverted");
    check(&connect().await, &wanted).await;
}
