//! A database of an earlier version is brought forward, with what is in it.

#![expect(clippy::disallowed_methods, reason = "the database of an earlier run is removed")]

mod regulars;

use croupier_rules::Amount;
use croupier_store::{Database, Floor, RoundRow, Sqlite, SqliteOptions, Store, audit, os_entropy};
use croupier_table::Time;
use croupier_testing::Cluster;
use regulars::Dice;

/// One of each house.
const TABLES: [&str; 4] = ["t0", "t1", "t2", "t3"];

/// What takes the second migration back.
const BACK: &str = "DROP TABLE papers;
    DROP INDEX rounds_by_time;
    ALTER TABLE round_seats DROP COLUMN ante;
    ALTER TABLE round_seats DROP COLUMN bonus;
    DELETE FROM migrations WHERE version = 2;";

async fn play<S: Store>(floor: &Floor<S>) {
    let (now, mut dice) = (Time::from_millis(1_700_000_000_000), Dice::new(5));
    for (number, table) in TABLES.into_iter().enumerate() {
        floor.open(table, regulars::terms(number, None), None, now).await.expect("a table");
        regulars::issue(floor.store(), table, now).await.expect("chips");
        for _ in 0..120 {
            let known = floor.glance(table).await.expect("a table");
            let command = regulars::next(&known, &mut dice).expect("somebody's turn");
            floor.command(table, command, None, now).await.expect("a good command");
        }
    }
}

async fn rounds(store: &impl Store) -> Vec<RoundRow> {
    let mut rounds = Vec::new();
    for table in TABLES {
        rounds.extend(store.rounds_at(table, u64::MAX, usize::MAX).await.expect("they are there"));
    }
    let seats = || rounds.iter().flat_map(|round| &round.seats);
    assert!(seats().any(|seat| seat.bonus > Amount::ZERO), "nobody played the bonus");
    assert!(seats().any(|seat| seat.banked), "nobody banked");
    assert!(seats().all(|seat| (seat.ante > Amount::ZERO) != seat.banked));
    rounds
}

/// Makes sure that a database that was brought forward is like the one that never was behind.
async fn check(store: &impl Store, wanted: &[RoundRow]) {
    assert_eq!(rounds(store).await, wanted);
    audit(store).await.expect("it is what its journals tell");
}

#[tokio::test]
async fn a_file_of_the_first_version_learns_what_was_staked() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("forward");
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("croupier.db");
    let open = || Database::from(Sqlite::open(&path, SqliteOptions::default()).expect("a store"));
    let floor = Floor::new(open(), Box::new(os_entropy));
    play(&floor).await;
    let wanted = rounds(floor.store()).await;
    drop(floor);
    let connection = rusqlite::Connection::open(&path).expect("a database");
    connection.execute_batch(BACK).expect("it is as it was");
    drop(connection);
    check(&open(), &wanted).await;
}

#[tokio::test]
async fn a_postgres_of_the_first_version_learns_what_was_staked() {
    let url = Cluster::shared().fresh_database();
    let connect = async || Database::open(&url).await.expect("the database is there");
    let floor = Floor::new(connect().await, Box::new(os_entropy));
    play(&floor).await;
    let wanted = rounds(floor.store()).await;
    drop(floor);
    let (client, connection) =
        tokio_postgres::connect(&url, tokio_postgres::NoTls).await.expect("the database is there");
    tokio::spawn(connection);
    client.batch_execute(BACK).await.expect("it is as it was");
    check(&connect().await, &wanted).await;
}
