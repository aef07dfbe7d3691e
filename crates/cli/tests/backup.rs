//! Backups, as an operator makes them.

#![expect(clippy::disallowed_methods, reason = "it runs the program, on files of its own")]

mod program;

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use croupier_rules::Amount;
use croupier_store::{
    Answered, Append, Audit, Choice, CommandKey, Player, Postgres, PostgresOptions, RoundRow,
    RoundSeat, Sqlite, SqliteOptions, Store, audit,
};
use croupier_table::{Account, Entry, Hash, Time, Transfer, first_hash};
use croupier_testing::Cluster;
use program::croupier;

/// Returns the path of a file that is not there, in a folder that only this test uses.
fn path(test: &str, name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("backup").join(test);
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    let path = folder.join(name);
    for suffix in ["", "-wal", "-shm", ".lock"] {
        drop(std::fs::remove_file(format!("{}{suffix}", path.display())));
    }
    path.to_str().expect("a path of plain letters").to_owned()
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(work)
}

fn sqlite(path: &str) -> Sqlite {
    Sqlite::open(path, SqliteOptions::default()).expect("the file can be opened")
}

async fn postgres(url: &str) -> Postgres {
    Postgres::connect(url, PostgresOptions::default()).await.expect("the database is there")
}

/// Adds a little of everything, and more entries than are read at a time.
async fn fill(store: &impl Store) {
    let at = Time::from_millis;
    for name in ["ann", "Bob", "čeněk"] {
        let profile = format!("{{\"name\":\"{name}\"}}");
        let player = Player { name: name.to_owned(), since: at(5), profile };
        store.add_player(player).await.expect("the name is free");
        let transfer = Transfer {
            key: format!("issue:{name}"),
            from: Account::Issue(name.to_owned()),
            to: Account::Player(name.to_owned()),
            amount: Amount::cents(100_000),
        };
        let key = CommandKey { sender: name.to_owned(), key: "chips".to_owned() };
        let command = Answered { key, body: Hash::of(b"chips"), answer: "{}".to_owned() };
        store.transfer(vec![transfer], at(6), Some(command)).await.expect("chips are issued");
    }
    for table in ["blue", "red"] {
        store.append(journal(table, 1_234)).await.expect("the table is new");
    }
    let choices = (0..700).map(|number| Choice {
        player: "ann".to_owned(),
        key: format!("{number:04}"),
        at: at(number),
        game: "uth".to_owned(),
        street: "flop".to_owned(),
        spot: "{}".to_owned(),
        chosen: "check".to_owned(),
        best: "bet 2x".to_owned(),
        cost_ppm: number.unsigned_abs() * 7,
    });
    store.add_choices(choices.collect()).await.expect("they can be kept");
}

fn journal(table: &str, length: u64) -> Append {
    let mut entries: Vec<Entry> = Vec::new();
    for version in 1..=length {
        let before = entries.last().map_or_else(|| first_hash(table), |entry| entry.hash);
        let body = format!("{{\"table\":\"{table}\",\"step\":\"step-{version}\"}}");
        entries.push(Entry::seal(&before, version, Time::from_millis(10), body));
    }
    let seat = RoundSeat {
        seat: 3,
        player: "ann".to_owned(),
        banked: false,
        staked: Amount::cents(2_500),
        net: Amount::cents(-2_500),
    };
    let round = RoundRow {
        table: table.to_owned(),
        round: 1,
        version: 9,
        at: Time::from_millis(10),
        house: "uth-standard".to_owned(),
        void: false,
        seats: vec![seat],
    };
    let lost = Transfer {
        key: format!("{table}:1:3:ante"),
        from: Account::Player("ann".to_owned()),
        to: Account::House(table.to_owned()),
        amount: Amount::cents(2_500),
    };
    Append {
        table: table.to_owned(),
        expected: 0,
        entries,
        transfers: vec![lost],
        deadline: (table == "blue").then(|| Time::from_millis(77)),
        opens: Some("uth-standard".to_owned()),
        closes: false,
        checkpoint: Some(1),
        rounds: vec![round],
        command: None,
    }
}

fn backup(db: &str, file: &str) -> String {
    let run = croupier(&["backup", "--db", db, file, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

fn restore(file: &str, db: &str) -> String {
    let run = croupier(&["restore", file, "--db", db, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

/// Makes sure that a restored store is whole and in use like any other.
async fn use_restored(store: &impl Store, wanted: &Audit) {
    assert_eq!(audit(store).await.as_ref(), Ok(wanted));
    let bob = Account::Player("Bob".to_owned());
    assert_eq!(store.balance(&bob).await, Ok(Amount::cents(100_000)));
    assert_eq!(store.mistakes("ann", 9_999).await.map(|mistakes| mistakes.len()), Ok(699));
    let claimed = store.claim(Time::from_millis(100), Time::from_millis(200), 9).await;
    assert_eq!(claimed, Ok(vec!["blue".to_owned()]));
    store.append(journal("green", 30)).await.expect("it takes another table");
}

#[test]
fn an_sqlite_database_is_copied_while_it_is_in_use_and_comes_back_whole() {
    let [live, file, back] = ["live.db", "copy.db", "back.db"].map(|name| path("sqlite", name));
    let store = sqlite(&live);
    let wanted = wait(async {
        fill(&store).await;
        audit(&store).await.expect("it is whole")
    });
    let copied = backup(&live, &file);
    assert_eq!(restore(&file, &back), copied);
    wait(use_restored(&sqlite(&back), &wanted));
    // What was restored and used since is another store.
    let second = path("sqlite", "second.db");
    assert_ne!(backup(&back, &second), copied);
    // The source has not changed, and is copied the same again.
    assert_eq!(backup(&live, &path("sqlite", "again.db")), copied);
    // Nothing is left beside the copy.
    let folder = PathBuf::from(&file).parent().expect("it is in a folder").to_owned();
    let parts = std::fs::read_dir(folder).expect("it is there").flatten();
    assert_eq!(parts.filter(|part| part.path().to_string_lossy().contains("part")).count(), 0);
}

#[test]
fn a_store_moves_from_postgres_to_a_file_and_to_either_database() {
    let cluster = Cluster::shared();
    let [live, back, third] = [(); 3].map(|()| cluster.fresh_database());
    let [file, other, again] = ["copy.db", "other.db", "again.db"].map(|name| path("pg", name));
    let wanted = wait(async {
        let store = postgres(&live).await;
        fill(&store).await;
        audit(&store).await.expect("it is whole")
    });
    let copied = backup(&live, &file);
    assert_eq!(restore(&file, &back), copied);
    assert_eq!(restore(&file, &other), copied);
    // From SQLite to PostgreSQL again.
    assert_eq!(backup(&other, &again), copied);
    assert_eq!(restore(&again, &third), copied);
    wait(async {
        use_restored(&postgres(&back).await, &wanted).await;
        use_restored(&postgres(&third).await, &wanted).await;
    });
    wait(use_restored(&sqlite(&other), &wanted));

    let run = croupier(&["restore", &file, "--db", &back]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("restore into an empty one"), "{}", run.stderr);
    assert!(!run.stderr.contains("chips"), "the password is nobody's business: {}", run.stderr);
}

/// Opens tables until told to stop; each has money in it.
async fn write_until(store: &impl Store, stop: &AtomicBool) {
    let mut number = 0;
    while !stop.load(Ordering::Relaxed) {
        number += 1;
        let mut change = journal(&format!("table-{number}"), 20);
        // The bank loses, because it may for as long as this takes.
        for Transfer { from, to, .. } in &mut change.transfers {
            std::mem::swap(from, to);
        }
        store.append(change).await.expect("it is new");
    }
    assert!(number > 1, "somebody wrote meanwhile");
}

#[test]
fn a_copy_is_of_one_moment_whoever_writes_meanwhile() {
    let live = path("moment", "live.db");
    let url = Cluster::shared().fresh_database();
    let copies = |db: &str, name: &str, store: &(dyn Fn(&AtomicBool) + Sync)| {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| store(&stop));
            for number in 0..3 {
                // The audit that comes with it would find the money of half a change.
                backup(db, &path("moment", &format!("{name}-{number}.db")));
            }
            stop.store(true, Ordering::Relaxed);
        });
    };
    let store = sqlite(&live);
    wait(fill(&store));
    copies(&live, "sqlite", &|stop| wait(write_until(&store, stop)));
    wait(async { fill(&postgres(&url).await).await });
    copies(&url, "postgres", &|stop| {
        wait(async { write_until(&postgres(&url).await, stop).await });
    });
}

#[test]
fn a_copy_says_in_words_what_it_has() {
    let [live, file] = ["live.db", "copy.db"].map(|name| path("words", name));
    wait(fill(&sqlite(&live)));
    let run = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["backup", &file])
        .env("CROUPIER_DB", &live)
        .output()
        .expect("the program starts");
    let text = String::from_utf8(run.stdout).expect("it prints text");
    let (said, fingerprint) = text.split_once("Fingerprint:\n").expect("there is one");
    let said: Vec<&str> = said.lines().skip(1).map(str::trim).collect();
    let wanted = [
        "2 tables",
        "2,468 entries in their journals, every hash checked",
        "2 rounds that are over",
        "3 players",
        "8 accounts, each what its transfers come to",
        "5 transfers, together nothing",
        "3 answers to commands",
        "700 choices",
        "$3,000 in chips were issued.",
    ];
    assert_eq!(said, wanted);
    assert_eq!(fingerprint.trim_end().len(), 64);
}

#[test]
fn nothing_is_written_over() {
    let [live, file] = ["live.db", "copy.db"].map(|name| path("over", name));
    wait(fill(&sqlite(&live)));
    backup(&live, &file);
    for (command, arguments) in
        [("backup", ["--db", &live, &file]), ("restore", ["--db", &live, &file])]
    {
        let run = croupier(&[&[command], &arguments[..]].concat());
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains("is there already"), "{}", run.stderr);
    }
}

#[test]
fn a_damaged_backup_is_refused_with_the_place_of_the_damage() {
    let [live, file] = ["live.db", "copy.db"].map(|name| path("damage", name));
    wait(fill(&sqlite(&live)));
    backup(&live, &file);
    let whole = std::fs::read(&file).expect("it was written");
    let at = |text: &str| {
        let found = whole.windows(text.len()).position(|bytes| bytes == text.as_bytes());
        found.expect("it is in the file")
    };
    let changed = |place: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[place] = byte;
        bytes
    };
    let entry = "{\"table\":\"red\",\"step\":\"step-777\"}";
    let cases = [
        (
            changed(at(entry) + entry.len() - 3, b'8'),
            "the journal of table red is damaged at entry 777",
        ),
        (whole[..whole.len() / 2].to_vec(), "copy-"),
        (
            b"not a database, but long enough to look at; there is nothing in it at all.".repeat(9),
            "file is not a database",
        ),
        (changed(at("issue:Bobissue:") + 3, b'x'), "damaged"),
    ];
    for (number, (bytes, wanted)) in cases.into_iter().enumerate() {
        let bad = path("damage", &format!("copy-{number}.db"));
        std::fs::write(&bad, bytes).expect("the folder can be written to");
        let target = path("damage", "target.db");
        let run = croupier(&["restore", &bad, "--db", &target]);
        assert_eq!(run.code, Some(1), "case {number}");
        assert!(run.stderr.contains(wanted), "case {number}: {}", run.stderr);
        assert!(!PathBuf::from(&target).exists(), "case {number}");
    }
}

#[test]
fn what_is_not_there_is_named() {
    let [missing, file] = ["missing.db", "copy.db"].map(|name| path("missing", name));
    let run = croupier(&["backup", "--db", &missing, &file]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("there is no file"), "{}", run.stderr);
    let run = croupier(&["backup", "--db", "postgres://ann:secret@127.0.0.1:1/x", &file]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("the database x at 127.0.0.1:1"), "{}", run.stderr);
    assert!(!run.stderr.contains("secret"), "{}", run.stderr);
    let run = croupier(&["backup", &file]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("--db"), "{}", run.stderr);
    assert!(!PathBuf::from(&file).exists());
}
