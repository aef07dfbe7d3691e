//! Tests that are specific to PostgreSQL: several programs on one database, and a database that
//! goes away.

mod sample;
mod trouble;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use croupier_rules::Amount;
use croupier_store::{
    Accounts, Documents, Journals, Postgres, PostgresOptions, StoreError, Written,
};
use croupier_table::{Account, LedgerError, Time};
use croupier_testing::{Cluster, Durability};
use sample::{append, command, document, opening, transfer};
use tokio_postgres::NoTls;

async fn connect(url: &str) -> Postgres {
    Postgres::connect(url, PostgresOptions::default()).await.expect("a database")
}

/// Runs statements outside of the store.
async fn run(url: &str, sql: &str) -> Vec<tokio_postgres::SimpleQueryMessage> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("a database");
    let connection = tokio::spawn(connection);
    let answer = client.simple_query(sql).await.expect("good SQL");
    drop(client);
    connection.await.expect("it ends").expect("it ends well");
    answer
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_one_of_two_writers_of_the_same_version_succeeds() {
    let url = Cluster::shared().fresh_database();
    let nodes = [connect(&url).await, connect(&url).await];
    nodes[0].append(opening("blue")).await.expect("it is new");
    for expected in 1..=50 {
        let previous = nodes[0].journal("blue", expected, 1).await.expect("an entry");
        let change = |who: &str| {
            let mut change = append("blue", &previous[0], &[&format!("{{\"by\":\"{who}\"}}")]);
            change.transfers = vec![transfer(&format!("{who}-{expected}"), who, 100)];
            change
        };
        let (one, other) =
            tokio::join!(nodes[0].append(change("ann")), nodes[1].append(change("bob")));
        let won = [&one, &other].iter().filter(|answer| ***answer == Ok(Written::Now)).count();
        let lost = [&one, &other].iter().filter(|a| ***a == Err(StoreError::Conflict)).count();
        assert_eq!((won, lost), (1, 1), "{one:?} {other:?}");
    }
    assert_eq!(nodes[0].journal("blue", 1, 100).await.expect("it is whole").len(), 51);
    let paid = async |name: &str| {
        nodes[1].balance(&Account::Player(name.to_owned())).await.expect("a balance").as_cents()
    };
    assert_eq!(paid("ann").await + paid("bob").await, 50 * 100);
    assert_eq!(nodes[1].transfers("", 100).await.expect("transfers").len(), 50);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_transfers_do_not_deadlock() {
    let url = Cluster::shared().fresh_database();
    let store = Arc::new(connect(&url).await);
    let names = ["ann", "bob", "cat", "dan"];
    for name in names {
        let issued = vec![transfer(&format!("issue-{name}"), name, 1_000)];
        store.transfer(issued, Time::from_millis(1), None).await.expect("chips are issued");
    }
    let mut tasks = Vec::new();
    for worker in 0..8_usize {
        let store = Arc::clone(&store);
        tasks.push(tokio::spawn(async move {
            for step in 0..25 {
                let [from, to] = [worker + step, worker + step + 1 + step % 3]
                    .map(|place| Account::Player(names[place % 4].to_owned()));
                let key = format!("{worker}-{step}");
                let paid = croupier_table::Transfer { key, from, to, amount: Amount::cents(7) };
                match store.transfer(vec![paid], Time::from_millis(2), None).await {
                    Ok(Written::Now)
                    | Err(StoreError::Ledger(LedgerError::Insufficient { .. })) => {}
                    other => panic!("{other:?}"),
                }
            }
        }));
    }
    for task in tasks {
        task.await.expect("all went well");
    }
    let mut sum = 0;
    for (_, balance) in store.balances("", 100).await.expect("balances") {
        sum += balance.as_cents();
    }
    assert_eq!(sum, 0);
}

/// Plays at a table whatever happens, until `over` is set. Without an answer, it retries with the
/// same key. Returns the number of steps.
async fn play(store: Arc<Postgres>, table: String, over: Arc<AtomicBool>) -> u64 {
    let mut change = opening(&table);
    for step in 0.. {
        if step > 0 {
            if over.load(Ordering::Relaxed) {
                return step - 1;
            }
            let previous = change.entries.last().expect("there is one");
            change = append(&table, previous, &[&format!("{{\"step\":{step}}}")]);
            change.transfers = vec![transfer(&format!("{table}-{step}"), "ann", 1)];
        }
        change.command = Some(command(&table, &format!("key-{step}")));
        loop {
            match store.append(change.clone()).await {
                Ok(Written::Now) => break,
                Ok(Written::Repeated(answer)) => {
                    assert_eq!(answer, format!("answer to key-{step}"));
                    break;
                }
                Err(StoreError::Unknown(_) | StoreError::Unavailable(_)) => {}
                Err(error) => panic!("{error}"),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    unreachable!("there is always another step")
}

/// Writes one document after the other whatever happens, until `over` is set. Without an answer, it
/// checks whether the document is stored. Returns how often it was written.
async fn write(store: Arc<Postgres>, over: Arc<AtomicBool>) -> u64 {
    let mut revision = 0;
    while !over.load(Ordering::Relaxed) {
        match store.put(document("a", revision)).await {
            Ok(next) => assert_eq!(next, revision + 1),
            Err(StoreError::Unavailable(_)) => continue,
            // A write that was lost before may have arrived since.
            Err(StoreError::Unknown(_) | StoreError::Conflict | StoreError::Taken) => {}
            Err(error) => panic!("{error}"),
        }
        let found = loop {
            match store.document("notes", "a").await {
                Ok(found) => break found,
                Err(StoreError::Unavailable(_)) => {}
                Err(error) => panic!("{error}"),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let found = found.map_or(0, |found| {
            assert_eq!(
                found.text,
                format!("after {}", found.revision - 1),
                "there is no other writer"
            );
            found.revision
        });
        assert!(found == revision || found == revision + 1, "{found} after {revision}");
        revision = found;
    }
    revision
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_crash_under_load_loses_and_repeats_nothing() {
    let cluster = Arc::new(Cluster::start(Durability::Full));
    let options =
        PostgresOptions { timeout: Duration::from_millis(300), ..PostgresOptions::default() };
    let store = Postgres::connect(&cluster.fresh_database(), options).await;
    let store = Arc::new(store.expect("a database"));
    let tables = ["blue", "green", "red"];
    let over = Arc::new(AtomicBool::new(false));
    let players = tables
        .map(|table| tokio::spawn(play(Arc::clone(&store), table.to_owned(), Arc::clone(&over))));
    let writer = tokio::spawn(write(Arc::clone(&store), Arc::clone(&over)));
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let crashing = Arc::clone(&cluster);
        let crash = move || {
            crashing.stop_hard();
            crashing.start_again();
        };
        tokio::task::spawn_blocking(crash).await.expect("it comes back");
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    over.store(true, Ordering::Relaxed);
    let mut all = 0;
    for (table, player) in tables.iter().zip(players) {
        let steps = player.await.expect("all went well");
        let row = store.table(table).await.expect("a database").expect("a table");
        assert_eq!(row.version, steps + 1, "every step was made once");
        all += i64::try_from(steps).expect("not that many");
    }
    assert!(all > 3, "no steps were played");
    assert!(writer.await.expect("all went well") > 3, "no documents were written");
    let ann = Account::Player("ann".to_owned());
    assert_eq!(store.balance(&ann).await, Ok(Amount::cents(all)));
}

#[tokio::test]
async fn a_database_is_unavailable_while_it_is_down() {
    let cluster = Cluster::start(Durability::None);
    let store = connect(&cluster.fresh_database()).await;
    store.append(opening("green")).await.expect("it is new");
    cluster.stop_hard();
    // Once the connections have noticed; before that, the outcome would be unknown.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let error = store.append(opening("gold")).await.expect_err("the database is down");
    assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
    let error = store.table("green").await.expect_err("the database is down");
    assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
    cluster.start_again();
    assert_eq!(store.append(opening("gold")).await, Ok(Written::Now));
    assert_eq!(store.table("green").await.expect("it is back").map(|row| row.version), Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_programs_may_migrate_a_database_at_once() {
    let url = Cluster::shared().fresh_database();
    let (a, b, c, d) = tokio::join!(connect(&url), connect(&url), connect(&url), connect(&url));
    for store in [a, b, c, d] {
        assert_eq!(store.tables("", 10).await, Ok(Vec::new()));
    }
}

#[tokio::test]
async fn a_database_of_a_newer_program_is_refused() {
    let url = Cluster::shared().fresh_database();
    connect(&url).await;
    run(&url, "INSERT INTO migrations VALUES (4, 'later', 'x', 0)").await;
    let error = Postgres::connect(&url, PostgresOptions::default()).await.expect_err("it is newer");
    assert!(matches!(&error, StoreError::Unusable(why) if why.contains("version 4")), "{error}");
}

#[tokio::test]
async fn a_database_with_another_migration_of_the_same_number_is_refused() {
    let url = Cluster::shared().fresh_database();
    connect(&url).await;
    run(&url, "UPDATE migrations SET checksum = 'x'").await;
    let error = Postgres::connect(&url, PostgresOptions::default()).await.expect_err("it differs");
    assert!(matches!(&error, StoreError::Unusable(why) if why.contains("changed")), "{error}");
}

#[tokio::test]
async fn address_errors_leave_out_the_password() {
    let right = Cluster::shared().url();
    let port = right.rsplit([':', '/']).nth(1).expect("there is a port").to_owned();
    let options = PostgresOptions { timeout: Duration::from_secs(2), ..PostgresOptions::default() };
    for (url, wanted) in [
        ("postgres://ann:secret@".to_owned(), "has no host"),
        ("postgres://ann:secret@host:port/x".to_owned(), "cannot be read"),
        ("postgres://ann:secret@host/x?colour=red".to_owned(), "cannot be read"),
        ("postgres://host/x".to_owned(), "has no user"),
        ("postgres://ann:secret@host/x?sslmode=require".to_owned(), "TLS"),
        ("postgres://ann:secret@127.0.0.1:1/x".to_owned(), "the database x at 127.0.0.1:1: "),
        ("postgres://ann:secret@no-such-host.invalid/x".to_owned(), "no-such-host.invalid:5432: "),
        (right.replace("chips", "secret"), "password authentication failed"),
        (format!("postgres://croupier:chips@127.0.0.1:{port}/secretx"), "does not exist"),
    ] {
        let error = Postgres::connect(&url, options).await.expect_err("it is wrong").to_string();
        assert!(error.contains(wanted), "{error}");
        assert!(!error.contains("secret@") && !error.contains(":secret"), "{error}");
        assert!(!error.contains("chips") && !error.contains("cret@"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_table_is_claimed_only_once() {
    let url = Cluster::shared().fresh_database();
    let store = Arc::new(connect(&url).await);
    for table in 0..60_i64 {
        let mut change = opening(&format!("table-{table:02}"));
        change.deadline = Some(Time::from_millis(100 + table));
        store.append(change).await.expect("it is new");
    }
    let claims = (0..8).map(|_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let (now, until) = (Time::from_millis(1_000), Time::from_millis(2_000));
            let mut mine = Vec::new();
            // A call may return nothing while other tasks have all tables locked.
            for _ in 0..20 {
                mine.extend(store.claim(now, until, 5).await.expect("a database"));
            }
            mine
        })
    });
    let mut all = Vec::new();
    for claim in claims.collect::<Vec<_>>() {
        all.extend(claim.await.expect("all went well"));
    }
    all.sort();
    let every: Vec<String> = (0..60).map(|table| format!("table-{table:02}")).collect();
    assert_eq!(all, every);
}

#[tokio::test]
async fn an_entry_after_a_different_one_of_the_same_version_is_refused() {
    let url = Cluster::shared().fresh_database();
    let store = connect(&url).await;
    let first = opening("blue");
    store.append(first.clone()).await.expect("it is new");
    store.append(append("blue", &first.entries[0], &["{\"a\":1}"])).await.expect("it follows");
    // This one was never written, but has the right version.
    let never = append("blue", &first.entries[0], &["{\"b\":1}"]);
    let next = append("blue", &never.entries[0], &["{\"c\":1}"]);
    for store in [&store, &connect(&url).await] {
        let error = store.append(next.clone()).await.expect_err("it does not follow");
        assert!(matches!(error, StoreError::Damaged(_)), "{error:?}");
    }
    // Nor can it follow a gap.
    let far = append("blue", &next.entries[0], &["{\"d\":1}"]);
    assert_eq!(store.append(far).await, Err(StoreError::Conflict));
}

#[tokio::test]
async fn synchronous_commit_is_turned_on() {
    let url = Cluster::shared().fresh_database();
    let name = url.rsplit('/').next().expect("there is a name");
    run(&url, &format!("ALTER DATABASE {name} SET synchronous_commit = off")).await;
    let store = connect(&url).await;
    // The tests' shared cluster is not durable, and the operator gets a warning.
    assert!(store.warnings()[0].contains("fsync"), "{:?}", store.warnings());
    store.append(opening("blue")).await.expect("it is new");
    run(&url, "CREATE TABLE seen (setting TEXT)").await;
    run(
        &url,
        "CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
        CREATE TRIGGER see AFTER INSERT ON tables FOR EACH ROW EXECUTE FUNCTION see()",
    )
    .await;
    store.append(opening("red")).await.expect("it is new");
    let seen = run(&url, "SELECT setting FROM seen").await;
    let seen = seen.iter().find_map(|message| match message {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    });
    assert_eq!(seen.as_deref(), Some("on"));
}
