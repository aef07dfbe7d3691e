//! Interference from other programs on the same database.

use std::sync::Arc;
use std::time::Duration;

use croupier_rules::Amount;
use croupier_store::{
    Accounts, Documents, Journals, Postgres, PostgresOptions, StoreError, Written,
};
use croupier_table::Account;
use croupier_testing::{Cluster, Durability};
use tokio::time::Instant;
use tokio_postgres::NoTls;

use super::sample::{append, command, document, opening, transfer};
use super::{connect, run};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_value_that_no_longer_fits_its_column_leaves_nothing_behind() {
    let url = Cluster::shared().fresh_database();
    let store = connect(&url).await;
    let first = opening("blue");
    store.append(first.clone()).await.expect("it is new");
    let mut change = append("blue", &first.entries[0], &["{}"]);
    change.transfers = vec![transfer("paid", "ann", 100)];
    change.command = Some(command("ann", "key"));
    let sent = change.command.clone().expect("it was just set");
    // The first statement of the change, and one in the middle of it.
    for table in ["commands", "transfers"] {
        run(&url, &format!("ALTER TABLE {table} ALTER COLUMN at TYPE integer")).await;
        let store = connect(&url).await;
        let answer = store.append(change.clone()).await;
        assert!(matches!(answer, Err(StoreError::Unusable(_))), "{table}: {answer:?}");
        let row = store.table("blue").await.expect("a database").expect("it is open");
        assert_eq!(row.version, 1, "{table}");
        assert_eq!(store.transfers("", 10).await, Ok(Vec::new()), "{table}");
        assert_eq!(store.balances("", 10).await, Ok(Vec::new()), "{table}");
        assert_eq!(store.answer(&sent.key, &sent.body).await, Ok(None), "{table}");
        run(&url, &format!("ALTER TABLE {table} ALTER COLUMN at TYPE bigint")).await;
    }
    assert_eq!(store.append(change.clone()).await, Ok(Written::Now));
    let ann = Account::Player("ann".to_owned());
    assert_eq!(store.balance(&ann).await, Ok(Amount::cents(100)));
    assert_eq!(store.append(change).await, Ok(Written::Repeated(sent.answer)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_connection_reads_a_changed_column() {
    let url = Cluster::shared().fresh_database();
    let store = Arc::new(connect(&url).await);
    store.append(opening("blue")).await.expect("it is new");
    let ask = async || {
        let asked = (0..8).map(|_| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.table("blue").await.map(|row| row.is_some()) })
        });
        let mut answers = Vec::new();
        for task in asked.collect::<Vec<_>>() {
            answers.push(task.await.expect("it ends"));
        }
        answers
    };
    assert_eq!(ask().await, vec![Ok(true); 8]);
    run(&url, "ALTER TABLE tables ALTER COLUMN house TYPE varchar(64)").await;
    for _ in 0..8 {
        assert_eq!(store.table("blue").await.map(|row| row.is_some()), Ok(true));
    }
    assert_eq!(ask().await, vec![Ok(true); 8]);
}

/// Returns how many connections the store has to this database, as another client sees them.
async fn connections(client: &tokio_postgres::Client) -> i64 {
    // Within a transaction, the server would repeat its first answer.
    client.batch_execute("SELECT pg_stat_clear_snapshot()").await.expect("it can be asked");
    let sql = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'croupier'";
    client.query_one(sql, &[]).await.expect("it can be asked").get(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_lock_does_not_accumulate_connections() {
    let url = Cluster::shared().fresh_database();
    let timeout = Duration::from_millis(400);
    let options = PostgresOptions { connections: 3, timeout, ..PostgresOptions::default() };
    let store = Arc::new(Postgres::connect(&url, options).await.expect("a database"));
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await.expect("a database");
    let connection = tokio::spawn(connection);
    let mut changes = Vec::new();
    for table in ["blue", "green", "red"] {
        let first = opening(table);
        store.append(first.clone()).await.expect("it is new");
        changes.push(append(table, &first.entries[0], &["{}"]));
        store.append(changes[changes.len() - 1].clone()).await.expect("it follows");
        changes.push(append(table, &changes[changes.len() - 1].entries[0], &["{}"]));
    }
    client.batch_execute("BEGIN; LOCK TABLE tables").await.expect("the lock is free");
    let until = Instant::now() + 8 * timeout;
    let tasks = changes.into_iter().enumerate().map(|(place, change)| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            while Instant::now() < until {
                let error = if place % 2 == 0 {
                    store.table(&change.table).await.err()
                } else {
                    store.append(change.clone()).await.err()
                };
                assert!(matches!(error, Some(StoreError::Unavailable(_))), "{error:?}");
            }
            (place % 2 == 1).then_some(change)
        })
    });
    let tasks: Vec<_> = tasks.collect();
    let mut most = 0;
    while Instant::now() < until {
        most = most.max(connections(&client).await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // Those that were abandoned a moment ago may still be there.
    assert!(most <= 6, "{most} connections");
    let mut waiting = Vec::new();
    for task in tasks {
        waiting.extend(task.await.expect("all went well"));
    }
    client.batch_execute("ROLLBACK").await.expect("the lock is released");
    for change in waiting {
        assert_eq!(store.append(change).await, Ok(Written::Now));
    }
    drop(client);
    connection.await.expect("it ends").expect("it ends well");
}

#[tokio::test]
async fn a_conflict_leaves_no_entry_or_document_in_the_servers_log() {
    let cluster = Cluster::start(Durability::None);
    let url = cluster.fresh_database();
    let (store, other) = (connect(&url).await, connect(&url).await);
    let first = opening("blue");
    store.append(first.clone()).await.expect("it is new");
    let change = append("blue", &first.entries[0], &["{\"by\":\"ann\"}"]);
    store.append(change).await.expect("it follows");
    let late = append("blue", &first.entries[0], &["{\"by\":\"hush-hush\"}"]);
    // The first store has cached the end of the journal, and the second has to query it.
    for store in [&store, &other] {
        assert_eq!(store.append(late.clone()).await, Err(StoreError::Conflict));
    }
    let again = opening("blue");
    assert_eq!(store.append(again).await, Err(StoreError::Conflict));
    // A document's key may identify a player.
    let hidden = document("hush-hush", 0);
    assert_eq!(store.put(hidden.clone()).await, Ok(1));
    assert_eq!(other.put(hidden).await, Err(StoreError::Taken));
    assert_eq!(other.put(document("hush-hush", 7)).await, Err(StoreError::Conflict));
    let log = cluster.log();
    assert!(log.contains("division by zero"), "the conflict is in the log: {log}");
    assert!(!log.contains("hush") && !log.contains("Failing row"), "{log}");
}
