//! Tests that are specific to the store in a file: which processes may open it, its contents after
//! a crash or on a full disk, and whether damage is noticed.

#![expect(clippy::disallowed_methods, reason = "files are damaged and processes ended on purpose")]

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Waker};

use croupier_store::{
    Append, DocumentRow, Documents, Journals, Sqlite, SqliteOptions, StoreError, Written,
};
use croupier_table::{Account, Time};
use rusqlite::Connection;

use crate::kit::{Pen, chips, command, everything, pay, player};

/// Tells a test that it is the victim process, and which database to use.
const VICTIM: &str = "CROUPIER_TEST_VICTIM";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("on_disk").join(name);
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn open(path: &Path) -> Sqlite {
    Sqlite::open(path, SqliteOptions::default()).unwrap()
}

/// Returns the reason why a database is not opened.
fn refusal(path: &Path) -> String {
    match Sqlite::open(path, SqliteOptions::default()) {
        Err(StoreError::Unusable(why) | StoreError::Damaged(why)) => {
            assert!(why.contains(path.file_name().unwrap().to_str().unwrap()), "which file? {why}");
            why
        }
        other => panic!("{other:?}"),
    }
}

/// Makes a database with a table of five entries, and closes it.
async fn example(path: &Path) -> Pen {
    let store = open(path);
    let mut pen = Pen::new("seven");
    let transfers = vec![chips("issue", "ann", 100)];
    store.append(Append { transfers, ..pen.write(5) }).await.unwrap();
    pen
}

/// Changes a database outside of the store.
fn tamper(path: &Path, sql: &str) {
    assert!(Connection::open(path).unwrap().execute(sql, ()).unwrap() > 0, "{sql}");
}

#[tokio::test]
async fn one_process_writes_at_a_time() {
    let folder = folder("one_process");
    let path = folder.join("croupier.db");
    let store = open(&path);
    assert!(refusal(&path).contains("is in use: another process writes to it"));
    #[cfg(unix)]
    {
        // Another name for the same file does not get around it.
        std::os::unix::fs::symlink(&path, folder.join("link.db")).unwrap();
        let link = Sqlite::open(folder.join("link.db"), SqliteOptions::default());
        assert!(matches!(link, Err(StoreError::Unusable(why)) if why.contains("is in use")));
    }
    drop(store);
    drop(open(&path));
}

#[tokio::test]
async fn others_may_read_while_one_writes() {
    let path = folder("others_read").join("croupier.db");
    let absent = Sqlite::open_read_only(&path);
    assert!(matches!(absent, Err(StoreError::Unusable(_))), "{absent:?}");
    let mut pen = example(&path).await;

    let (writer, reader) = (open(&path), Sqlite::open_read_only(&path).unwrap());
    assert_eq!(reader.table("seven").await.unwrap().unwrap().version, 5);
    writer.append(pen.write(1)).await.unwrap();
    assert_eq!(everything(&reader).await, everything(&writer).await);
    let refused = reader.append(pen.write(1)).await;
    assert!(matches!(refused, Err(StoreError::Unusable(why)) if why.contains("read-only")));
}

#[tokio::test]
async fn a_guest_writes_documents_next_to_the_server_and_is_noticed() {
    let path = folder("guest").join("croupier.db");
    let mut pen = example(&path).await;
    let store = open(&path);
    let document = |key: &str| DocumentRow {
        collection: "collection".to_owned(),
        key: key.to_owned(),
        owner: "ann".to_owned(),
        at: Time::from_millis(1),
        until: None,
        text: "-".repeat(10_000),
        revision: 0,
    };
    let before = store.external_version().await.unwrap();
    let open_guest = || Sqlite::open_as_guest(&path, SqliteOptions::default()).unwrap();
    let guest = open_guest();
    // Enough to checkpoint the log several times.
    for number in 0..2_000 {
        store.put(document(&format!("own-{number}"))).await.unwrap();
    }
    assert_eq!(
        store.external_version().await.unwrap(),
        before,
        "the store's own writes do not count"
    );
    guest.put(document("of the guest")).await.unwrap();
    let after = store.external_version().await.unwrap();
    assert_ne!(after, before, "another process wrote");
    assert!(store.document("collection", "of the guest").await.unwrap().is_some());
    assert_eq!(
        guest.put(document("own-7")).await,
        Err(StoreError::Taken),
        "it sees the store's writes"
    );
    drop(guest);
    store.append(pen.write(1)).await.unwrap();
    assert_eq!(store.external_version().await.unwrap(), after);
    assert!(refusal(&path).contains("is in use"));
    drop(store);
    // Without a serving process, it is not a guest.
    let host = open_guest();
    assert_eq!(everything(&host).await.tables[0].version, 6);
    assert!(refusal(&path).contains("is in use"));
}

#[tokio::test]
async fn a_database_of_another_version_is_refused() {
    let path = folder("another_version").join("croupier.db");
    example(&path).await;
    tamper(&path, "INSERT INTO migrations VALUES (4, 'later', 'abc', 0)");
    let why = refusal(&path);
    assert!(why.contains("has version 4, but this program knows versions up to 3"), "{why}");
    assert!(Sqlite::open_read_only(&path).is_err());

    tamper(&path, "DELETE FROM migrations WHERE version = 4");
    tamper(&path, "UPDATE migrations SET checksum = 'abc'");
    let why = refusal(&path);
    assert!(why.contains("migration 1 (begin) was changed after it was applied"), "{why}");
}

#[tokio::test]
async fn files_of_other_programs_are_left_alone() {
    let folder = folder("not_ours");
    let path = folder.join("notes.txt");
    let notes = "These are notes, and by no means a database. ".repeat(200);
    std::fs::write(&path, &notes).unwrap();
    assert!(refusal(&path).contains("not a database"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), notes);

    let path = folder.join("other.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE recipes (cake TEXT)").unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(refusal(&path).contains("the database of another program"));
    assert_eq!(std::fs::read(&path).unwrap(), before);

    let nowhere = Sqlite::open(folder.join("no/such/folder.db"), SqliteOptions::default());
    assert!(matches!(nowhere, Err(StoreError::Unusable(_))), "{nowhere:?}");
}

#[tokio::test]
async fn damage_is_noticed() {
    let folder = folder("damage");
    let row = "table_name = 'seven' AND version";
    for (number, (sql, entry)) in [
        (format!("UPDATE journal SET body = body || ' ' WHERE {row} = 3"), 3),
        (format!("UPDATE journal SET at = at + 1 WHERE {row} = 1"), 1),
        (format!("UPDATE journal SET hash = zeroblob(32) WHERE {row} = 2"), 2),
        (format!("DELETE FROM journal WHERE {row} = 4"), 4),
        (format!("DELETE FROM journal WHERE {row} = 5"), 5),
        ("UPDATE tables SET version = 6 WHERE name = 'seven'".to_owned(), 6),
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.join(format!("{number}.db"));
        example(&path).await;
        tamper(&path, &sql);
        let store = open(&path);
        for from in [1, entry] {
            let Err(StoreError::Damaged(why)) = store.journal("seven", from, 10).await else {
                panic!("not noticed from {from} on: {sql}");
            };
            let place = format!("the journal of table seven is damaged at entry {entry}");
            assert!(why.contains(&place), "{why}, after {sql}");
        }
    }

    // Nothing is written after an entry that is missing, or has another hash than expected.
    for (number, sql) in
        ["DELETE FROM journal", "UPDATE journal SET hash = zeroblob(32)"].into_iter().enumerate()
    {
        let path = folder.join(format!("last-{number}.db"));
        let mut pen = example(&path).await;
        tamper(&path, sql);
        let written = open(&path).append(pen.write(1)).await;
        assert!(matches!(written, Err(StoreError::Damaged(_))), "{written:?} after {sql}");
    }
}

#[tokio::test]
async fn a_damaged_file_is_noticed() {
    let path = folder("damaged_file").join("croupier.db");
    example(&path).await;
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[4096..].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    let why = refusal(&path);
    assert!(why.contains("malformed"), "{why}");
}

/// The number of commits in [`commits_are_shared`].
static COMMITS: AtomicU64 = AtomicU64::new(0);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn commits_are_shared() {
    const TABLES: u64 = 64;
    const APPENDS: u64 = 20;
    let path = folder("shared").join("croupier.db");
    let probe = |moment| {
        if moment == "after-commit" {
            COMMITS.fetch_add(1, Ordering::Relaxed);
        }
    };
    let store =
        Arc::new(Sqlite::open(&path, SqliteOptions { probe, ..SqliteOptions::default() }).unwrap());
    let tasks: Vec<_> = (0..TABLES)
        .map(|table| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let name = format!("table-{table}");
                let mut pen = Pen::new(&name);
                for round in 0..APPENDS {
                    let transfers = vec![chips(&format!("{name} {round}"), &name, 1)];
                    store.append(Append { transfers, ..pen.write(2) }).await.unwrap();
                    // An answered change is visible to the next reader.
                    let row = store.table(&name).await.unwrap().unwrap();
                    assert_eq!(row.version, 2 * (round + 1));
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let commits = COMMITS.load(Ordering::Relaxed);
    assert!(commits < TABLES * APPENDS / 2, "{commits} commits for {} jobs", TABLES * APPENDS);

    let before = everything(&*store).await;
    drop(store);
    let after = everything(&open(&path)).await;
    assert_eq!(after, before);
    assert_eq!(after.tables.len() as u64, TABLES);
    assert!(after.tables.iter().all(|row| row.version == 2 * APPENDS));
}

#[tokio::test]
async fn pending_writes_finish_before_the_store_closes() {
    let path = folder("the_end").join("croupier.db");
    let store = open(&path);
    let mut pen = Pen::new("seven");
    for _ in 0..100 {
        // The caller goes away before there is an answer.
        let asked = pin!(store.append(pen.write(1)));
        assert!(asked.poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    drop(store);
    assert_eq!(open(&path).table("seven").await.unwrap().unwrap().version, 100);
    let log = std::fs::metadata(path.with_extension("db-wal"));
    assert!(log.map_or(true, |log| log.len() == 0), "the log is in the database");
}

/// Runs a test of this file in its own process, as the victim.
fn victim(test: &str, before: &str, value: &str) -> ExitStatus {
    let program = std::env::current_exe().unwrap();
    let script = format!("{before} exec \"$0\" --exact on_disk::{test} --nocapture");
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(program).env(VICTIM, value);
    let output = command.output().expect("sh runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("panicked at"), "{said}");
    output.status
}

/// The moment at which the process ends.
static LAST: AtomicU64 = AtomicU64::new(u64::MAX);

const MOMENTS: [(&str, bool); 4] = [
    ("before-begin", false),
    ("entries-written", false),
    ("before-commit", false),
    ("after-commit", true),
];

#[tokio::test]
async fn a_crash_undoes_no_answer_and_leaves_nothing_half_done() {
    let stake = |pen: &mut Pen| {
        let escrow = Account::Escrow("seven".to_owned());
        let transfers = vec![pay("stake", player("ann"), escrow, 100)];
        Append { transfers, command: Some(command("1", "stake")), ..pen.write(3) }
    };
    if let Ok(value) = std::env::var(VICTIM) {
        let (number, path) = value.split_once(' ').unwrap();
        let probe = |moment| {
            let last = MOMENTS.get(usize::try_from(LAST.load(Ordering::Relaxed)).unwrap());
            if last.is_some_and(|(last, _)| *last == moment) {
                std::process::abort();
            }
        };
        let store =
            Sqlite::open(path, SqliteOptions { probe, ..SqliteOptions::default() }).unwrap();
        let mut pen = Pen::new("seven");
        let transfers = vec![chips("issue", "ann", 100)];
        store.append(Append { transfers, ..pen.write(5) }).await.unwrap();
        LAST.store(number.parse().unwrap(), Ordering::Relaxed);
        drop(store.append(stake(&mut pen)).await);
        unreachable!("the process ends before this");
    }
    let folder = folder("crash");
    for (number, (moment, is_written)) in MOMENTS.into_iter().enumerate() {
        let path = folder.join(format!("{moment}.db"));
        let value = format!("{number} {}", path.display());
        let status = victim("a_crash_undoes_no_answer_and_leaves_nothing_half_done", "", &value);
        assert!(!status.success(), "the process ended normally at {moment}");

        let store = open(&path);
        let found = everything(&store).await;
        let (version, cents) = if is_written { (8, 0) } else { (5, 100) };
        assert_eq!(found.tables[0].version, version, "{moment}");
        assert_eq!(found.balances["player:ann"].as_cents(), cents, "{moment}");

        // There was no answer, so it is sent again.
        let mut pen = Pen::new("seven");
        pen.write(5);
        let answer = command("1", "stake").answer;
        let again = if is_written { Written::Repeated(answer) } else { Written::Now };
        assert_eq!(store.append(stake(&mut pen)).await, Ok(again), "{moment}");
        assert_eq!(store.table("seven").await.unwrap().unwrap().version, 8, "{moment}");
    }
}

/// Fills a disk up to the system's file size limit, and continues when there is space.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_full_disk_refuses_and_nothing_is_lost() {
    let Ok(path) = std::env::var(VICTIM) else {
        let path = folder("full").join("croupier.db");
        // Without the trap the signal would end the process; with it, writing fails.
        let limit = "trap '' XFSZ; ulimit -S -f 2000;";
        let test = "a_full_disk_refuses_and_nothing_is_lost";
        let status = victim(test, limit, path.to_str().unwrap());
        assert!(status.success(), "{status}");
        let found = everything(&open(&path)).await;
        assert_eq!(found.tables.len(), 20);
        assert!(found.tables.iter().all(|row| row.version > 40), "all tables continued");
        return;
    };
    let store = Arc::new(open(Path::new(&path)));
    let mut tables: Vec<_> =
        (0..20).map(|table| (Pen::new(&format!("table-{table}")), 0)).collect();
    let mut is_full = false;
    for _ in 0..200 {
        let refused = append_to_all(&store, &mut tables).await;
        check_versions(&store, &tables).await;
        is_full = refused > 0;
        if is_full {
            break;
        }
    }
    assert!(is_full, "the limit was never reached");
    assert!(append_to_all(&store, &mut tables).await > 0, "it is still full");
    check_versions(&store, &tables).await;

    let mut lift = Command::new("prlimit");
    lift.args(["--fsize=unlimited", "--pid", &std::process::id().to_string()]);
    assert!(lift.status().expect("prlimit, of util-linux, runs").success());
    for _ in 0..20 {
        assert_eq!(append_to_all(&store, &mut tables).await, 0, "there is space again");
    }
    check_versions(&store, &tables).await;
}

/// Adds two entries to every table at once, and returns how many were refused for lack of space.
async fn append_to_all(store: &Arc<Sqlite>, tables: &mut [(Pen, u64)]) -> u32 {
    let mut tasks = Vec::new();
    for (pen, version) in &*tables {
        let (store, mut pen) = (Arc::clone(store), pen.clone());
        let append = pen.write(2);
        let name = append.table.clone();
        let transfers = vec![chips(&format!("{name} {version}"), &name, 1)];
        tasks.push(tokio::spawn(async move {
            let result = store.append(Append { transfers, ..append }).await;
            (pen, result)
        }));
    }
    let mut refused = 0;
    for (task, (pen, version)) in tasks.into_iter().zip(tables) {
        match task.await.unwrap() {
            (further, Ok(Written::Now)) => (*pen, *version) = (further, *version + 2),
            (_, Err(StoreError::Full(_))) => refused += 1,
            (_, other) => panic!("{other:?}"),
        }
    }
    refused
}

/// Checks that every answered change is stored, and nothing else.
async fn check_versions(store: &Sqlite, tables: &[(Pen, u64)]) {
    let found = everything(store).await;
    let total: u64 = found.tables.iter().map(|row| row.version).sum();
    assert_eq!(total, tables.iter().map(|(_, version)| version).sum::<u64>());
    assert_eq!(found.transfers.len() as u64 * 2, total);
}
