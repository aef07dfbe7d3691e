//! Backups, as an operator makes them.

#![expect(clippy::disallowed_methods, reason = "it runs the program, on files of its own")]

mod program;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use croupier_rules::{Amount, Catalog, Decision, Seat};
use croupier_store::{
    Answered, Audit, CommandKey, DocumentRow, Floor, Player, Postgres, PostgresOptions, Sqlite,
    SqliteOptions, Store, audit,
};
use croupier_table::{Account, Clocks, Hash, PlayerCommand, Seed, Terms, Time, Transfer};
use croupier_testing::Cluster;
use program::croupier;
use rusqlite::Connection;

/// Returns the path of a file that doesn't exist, in a folder that only this test uses.
fn path(test: &str, name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("backup").join(test);
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    let path = folder.join(name);
    for suffix in ["", "-wal", "-shm", "-journal", ".lock", ".part"] {
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
    Postgres::connect(url, PostgresOptions::default()).await.expect("the database exists")
}

fn at(millis: i64) -> Time {
    Time::from_millis(1_700_000_000_000 + millis)
}

/// Takes over a store, with the same decks every time.
fn floor<S: Store>(store: S) -> Floor<S> {
    let drawn = AtomicU64::new(0);
    let draw = move || {
        let number = drawn.fetch_add(1, Ordering::Relaxed);
        Some(Seed::from_bytes(*Hash::of(&number.to_be_bytes()).as_bytes()))
    };
    Floor::new(store, Box::new(draw))
}

/// Adds some data of every kind, and more entries than one read returns.
async fn fill(floor: &Floor<impl Store>) {
    let store = floor.store();
    for name in ["ann", "Bob", "čeněk"] {
        let profile = format!("{{\"name\":\"{name}\"}}");
        let player = Player { name: name.to_owned(), since: at(5), profile };
        store.add_player(player).await.expect("the name is free");
        let transfer = Transfer {
            key: format!("issue/{name}"),
            from: Account::Issue(name.to_owned()),
            to: Account::Player(name.to_owned()),
            amount: Amount::cents(100_000_000),
        };
        let key = CommandKey { sender: name.to_owned(), key: "chips".to_owned() };
        let command = Answered { key, body: Hash::of(b"chips"), answer: "{}".to_owned() };
        store.transfer(vec![transfer], at(6), Some(command)).await.expect("chips are issued");
        for (collection, owner, until) in [("names", "", None), ("sessions", name, Some(at(9)))] {
            let (collection, key) = (collection.to_owned(), format!("of {name}"));
            let (owner, text) = (owner.to_owned(), "{}".to_owned());
            let (at, revision) = (at(7), 0);
            let document = DocumentRow { collection, key, owner, at, until, text, revision };
            store.put(document).await.expect("there is none yet");
        }
    }
    // One that waits for its clock, one with a history, and one that is closed.
    sit_down(floor, "blue", Some(Clocks::default())).await;
    sit_down(floor, "red", None).await;
    play(floor, "red", 120).await;
    sit_down(floor, "grey", None).await;
    let (seat, player) = (seat(), "ann".to_owned());
    send(floor, "grey", PlayerCommand::Leave { seat }.by(player)).await;
}

/// Adds rows to a table that the program only copies, more than one read returns.
const CHOICES: &str = "INSERT INTO choices
    (player, key, at, game, street, spot, chosen, best, cost_ppm)
    WITH RECURSIVE numbers (number) AS (
        SELECT 1000 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1699
    )
    SELECT 'ann', 'choice ' || number, number, 'uth', 'flop', '{}', 'check', 'bet 2x', number * 7
    FROM numbers";

fn add_choices(path: &str) {
    let connection = Connection::open(path).expect("a database");
    assert_eq!(connection.execute(CHOICES, ()).expect("good SQL"), 700);
}

async fn add_choices_to_postgres(url: &str) {
    let connected = tokio_postgres::connect(url, tokio_postgres::NoTls).await;
    let (client, connection) = connected.expect("a connection");
    tokio::spawn(connection);
    assert_eq!(client.execute(CHOICES, &[]).await.expect("good SQL"), 700);
}

fn seat() -> Seat {
    Seat::new(3).expect("a seat")
}

async fn send(floor: &Floor<impl Store>, table: &str, command: croupier_table::Command) {
    floor.command(table, command, None, at(10)).await.expect("the table takes it");
}

/// Opens a table, at which Ann sits down.
async fn sit_down(floor: &Floor<impl Store>, table: &str, clocks: Option<Clocks>) {
    let terms = Terms::new(&Catalog::shipped(), "uth-standard", None, clocks);
    floor.open(table, terms.expect("good terms"), None, at(10)).await.expect("it is new");
    let (seat, player) = (seat(), "ann".to_owned());
    send(floor, table, PlayerCommand::Join { seat }.by(player)).await;
}

/// Plays rounds to the end.
async fn play(floor: &Floor<impl Store>, table: &str, rounds: usize) {
    let (seat, player) = (seat(), || "ann".to_owned());
    let (ante, bonus, blind) = (Amount::cents(500), Amount::ZERO, None);
    for _ in 0..rounds {
        let wager = PlayerCommand::Wager { seat, ante, blind, bonus }.by(player());
        send(floor, table, wager).await;
        send(floor, table, PlayerCommand::Deal {}.by(player())).await;
        let decision = Decision::Bet(4);
        let decide = PlayerCommand::Decide { seat, decision }.by(player());
        send(floor, table, decide).await;
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

/// Checks that a restored store is intact and works like any other.
async fn use_restored(store: impl Store, wanted: &Audit) {
    let floor = floor(store);
    let store = floor.store();
    assert_eq!(audit(store).await.as_ref(), Ok(wanted));
    let bob = Account::Player("Bob".to_owned());
    assert_eq!(store.balance(&bob).await, Ok(Amount::cents(100_000_000)));
    let sessions = store.documents_of("sessions", "Bob", "", 9).await;
    assert_eq!(sessions.map(|sessions| sessions.len()), Ok(1));
    assert_eq!(store.expire(at(9), 9).await, Ok(3));
    let claimed = store.claim(at(86_400_000), at(86_400_001), 9).await;
    assert_eq!(claimed, Ok(vec!["blue".to_owned()]));
    play(&floor, "red", 1).await;
    sit_down(&floor, "green", None).await;
}

#[test]
fn an_sqlite_database_in_use_is_copied_and_restored_intact() {
    let [live, file, back] = ["live.db", "copy.db", "back.db"].map(|name| path("sqlite", name));
    let floor = floor(sqlite(&live));
    let wanted = wait(async {
        fill(&floor).await;
        audit(floor.store()).await.expect("it is whole")
    });
    add_choices(&live);
    let copied = backup(&live, &file);
    assert_eq!(restore(&file, &back), copied);
    wait(use_restored(sqlite(&back), &wanted));
    // A store that was used after it was restored is a different store.
    let second = path("sqlite", "second.db");
    assert_ne!(backup(&back, &second), copied);
    // The source has not changed, and its copy is the same again.
    assert_eq!(backup(&live, &path("sqlite", "again.db")), copied);
    // No temporary file is left next to the copy.
    let folder = PathBuf::from(&file).parent().expect("it is in a folder").to_owned();
    let parts = std::fs::read_dir(folder).expect("it exists").flatten();
    assert_eq!(parts.filter(|part| part.path().to_string_lossy().contains("part")).count(), 0);
}

#[test]
fn a_store_moves_from_postgres_to_a_file_and_to_either_database() {
    let cluster = Cluster::shared();
    let [live, back, third] = [(); 3].map(|()| cluster.fresh_database());
    let [file, other, again] = ["copy.db", "other.db", "again.db"].map(|name| path("pg", name));
    let wanted = wait(async {
        let floor = floor(postgres(&live).await);
        fill(&floor).await;
        add_choices_to_postgres(&live).await;
        audit(floor.store()).await.expect("it is whole")
    });
    let copied = backup(&live, &file);
    assert_eq!(restore(&file, &back), copied);
    assert_eq!(restore(&file, &other), copied);
    // From SQLite to PostgreSQL again.
    assert_eq!(backup(&other, &again), copied);
    assert_eq!(restore(&again, &third), copied);
    wait(async {
        use_restored(postgres(&back).await, &wanted).await;
        use_restored(postgres(&third).await, &wanted).await;
    });
    wait(use_restored(sqlite(&other), &wanted));

    let run = croupier(&["restore", &file, "--db", &back]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("restore into an empty database"), "{}", run.stderr);
    assert!(!run.stderr.contains("chips"), "the password must not be shown: {}", run.stderr);
}

/// Plays until `stop` is set.
async fn play_until(floor: &Floor<impl Store>, stop: &AtomicBool) {
    let mut number = 0;
    while !stop.load(Ordering::Relaxed) {
        number += 1;
        let table = format!("table-{number}");
        sit_down(floor, &table, None).await;
        play(floor, &table, 1).await;
    }
    assert!(number > 1, "there were writes in the meantime");
}

#[test]
fn a_copy_is_a_snapshot_under_concurrent_writes() {
    let live = path("moment", "live.db");
    let url = Cluster::shared().fresh_database();
    let copies = |db: &str, name: &str, store: &(dyn Fn(&AtomicBool) + Sync)| {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| store(&stop));
            for number in 0..3 {
                // The audit in it would find the money of a half-written change.
                backup(db, &path("moment", &format!("{name}-{number}.db")));
            }
            stop.store(true, Ordering::Relaxed);
        });
    };
    let on_disk = floor(sqlite(&live));
    wait(fill(&on_disk));
    copies(&live, "sqlite", &|stop| wait(play_until(&on_disk, stop)));
    wait(async { fill(&floor(postgres(&url).await)).await });
    copies(&url, "postgres", &|stop| {
        wait(async { play_until(&floor(postgres(&url).await), stop).await });
    });
}

#[test]
fn a_copy_describes_its_contents_in_words() {
    let [live, file] = ["live.db", "copy.db"].map(|name| path("words", name));
    wait(fill(&floor(sqlite(&live))));
    add_choices(&live);
    let run = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["backup", &file])
        .env("CROUPIER_DB", &live)
        .output()
        .expect("the program starts");
    let text = String::from_utf8(run.stdout).expect("it prints text");
    let (said, fingerprint) = text.split_once("Fingerprint:\n").expect("there is one");
    let said: Vec<&str> = said.lines().skip(1).map(str::trim).collect();
    let wanted = [
        "3 tables",
        "735 entries in their journals, every hash checked",
        "120 finished rounds",
        "3 players",
        "8 accounts, each equal to the sum of its transfers",
        "848 transfers, with a sum of zero",
        "3 command responses",
        "700 choices",
        "6 documents",
        "Chips issued: $3,000,000.",
    ];
    assert_eq!(said, wanted);
    let fingerprint = fingerprint.trim_end();
    assert_eq!(fingerprint.len(), 64);

    let back = path("words", "back.db");
    let run = croupier(&["restore", &file, "--db", &back]);
    assert!(run.stdout.starts_with(&format!("{back} now contains\n")), "{}", run.stdout);
    let wanted = format!("{fingerprint}\nThis is the fingerprint of both {file} and {back}.\n");
    assert!(run.stdout.ends_with(&wanted), "{}", run.stdout);
}

#[test]
fn one_is_written_in_the_singular() {
    let [live, file] = ["live.db", "copy.db"].map(|name| path("one", name));
    wait(sit_down(&floor(sqlite(&live)), "red", None));
    let run = croupier(&["backup", "--db", &live, &file]);
    assert!(run.stdout.contains(" 1 table\n"), "{}", run.stdout);
    assert!(run.stdout.contains(" 0 finished rounds\n"), "{}", run.stdout);
}

#[test]
fn existing_files_are_never_overwritten() {
    let [live, file] = ["live.db", "copy.db"].map(|name| path("over", name));
    wait(fill(&floor(sqlite(&live))));
    backup(&live, &file);
    for (command, arguments) in
        [("backup", ["--db", &live, &file]), ("restore", ["--db", &live, &file])]
    {
        let run = croupier(&[&[command], &arguments[..]].concat());
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains("already exists"), "{}", run.stderr);
    }
}

/// Changes something in a copy of a file, and returns the path of the copy.
fn altered(file: &str, name: &str, sql: &str) -> String {
    let copy = path("altered", name);
    std::fs::copy(file, &copy).expect("there is room");
    let connection = Connection::open(&copy).expect("a database");
    assert!(connection.execute(sql, ()).expect("good SQL") > 0, "{sql}");
    copy
}

#[test]
fn data_that_contradicts_the_journals_is_refused() {
    let [live, file] = ["live.db", "copy.db"].map(|name| path("altered", name));
    wait(fill(&floor(sqlite(&live))));
    backup(&live, &file);
    let red = "the journal contradicts the stored result of round 7 of table red";
    let cases = [
        ("UPDATE tables SET checkpoint = 9 WHERE name = 'red'", "table red has its checkpoint at"),
        ("UPDATE tables SET house = 'x' WHERE name = 'red'", "table red plays the house x"),
        ("UPDATE tables SET closed = 1 WHERE name = 'red'", "table red is closed"),
        ("UPDATE tables SET closed = 0 WHERE name = 'grey'", "table grey is not closed"),
        ("UPDATE tables SET deadline = NULL WHERE name = 'blue'", "table blue has no deadline"),
        ("UPDATE rounds SET void = 1 WHERE round = 7", red),
        ("UPDATE rounds SET version = 2 WHERE round = 7", red),
        ("DELETE FROM rounds WHERE round = 7", red),
        ("UPDATE rounds SET round = 999 WHERE round = 7", "round 999 of table red is stored"),
        ("UPDATE round_seats SET net = net + 1 WHERE round = 7", red),
        ("UPDATE round_seats SET player = 'Bob' WHERE round = 7", red),
        ("UPDATE round_seats SET staked = 1 WHERE round = 7", red),
        ("UPDATE round_seats SET ante = 0 WHERE round = 7", red),
        ("UPDATE round_seats SET bonus = 1 WHERE round = 7", red),
        ("DELETE FROM round_seats WHERE round = 7", red),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE key LIKE 'red/7/3/ante/stake%'",
            "the transfers of round 7 of table red",
        ),
        ("DELETE FROM transfers WHERE key LIKE 'red/7/%'", "the transfers of round 7 of table red"),
        (
            "INSERT INTO transfers VALUES ('gift', 'house:red', 'player:ann', 100, 0)",
            "the transfer gift moves $1 from house:red to player:ann, but is in no journal",
        ),
        (
            "INSERT INTO transfers VALUES ('red/999/3/a/b', 'player:Bob', 'player:ann', 1, 0)",
            "the transfer red/999/3/a/b",
        ),
        (
            "INSERT INTO transfers VALUES ('gift', 'player:Bob', 'player:ann', 700, 0)",
            "player:Bob has $7 more than the sum of its transfers",
        ),
        ("UPDATE balances SET may_owe = 1 WHERE account = 'player:Bob'", "of balances"),
        (
            "UPDATE journal SET hash = x'00' WHERE table_name = 'red' AND version = 31",
            "table red is damaged at entry 31",
        ),
    ];
    for (number, (sql, wanted)) in cases.into_iter().enumerate() {
        let bad = altered(&file, &format!("bad-{number}.db"), sql);
        let target = path("altered", "target.db");
        for arguments in [["restore", &bad, "--db", &target], ["backup", "--db", &bad, &target]] {
            let run = croupier(&arguments);
            assert_eq!(run.code, Some(1), "{sql}: {}", run.stdout);
            assert!(run.stderr.contains(wanted), "{sql}: {}", run.stderr);
            assert!(!PathBuf::from(&target).exists(), "{sql}");
        }
        let store = Sqlite::open_read_only(&bad);
        let found = store.and_then(|store| wait(audit(&store)));
        // The store's own reading ignores one column, and rounds that were never opened.
        let is_seen = !sql.contains("may_owe") && !sql.contains("round = 999");
        assert!(found.is_err() || !is_seen, "{sql}: {found:?}");
    }
}

#[test]
fn a_damaged_backup_is_refused_with_the_place_of_the_damage() {
    let [live, file] = ["live.db", "copy.db"].map(|name| path("damage", name));
    wait(fill(&floor(sqlite(&live))));
    backup(&live, &file);
    let whole = std::fs::read(&file).expect("it was written");
    let found = whole.windows(9).position(|bytes| bytes == b"issue/Bob").expect("it is kept");
    let mut other = whole.clone();
    other[found + 3] = b'x';
    let cases = [
        (whole[..whole.len() / 2].to_vec(), 1, "is cut short"),
        (whole[..50].to_vec(), 1, "is cut short"),
        (Vec::new(), 2, "is empty"),
        (b"this is not a database..".repeat(9), 2, "is not a database, but another kind of file"),
        (other, 1, "damaged"),
    ];
    for (number, (bytes, code, wanted)) in cases.into_iter().enumerate() {
        let bad = path("damage", &format!("copy-{number}.db"));
        std::fs::write(&bad, bytes).expect("the folder can be written to");
        let target = path("damage", "target.db");
        let run = croupier(&["restore", &bad, "--db", &target]);
        assert_eq!(run.code, Some(code), "case {number}: {}", run.stderr);
        assert!(run.stderr.contains(wanted), "case {number}: {}", run.stderr);
        assert!(!run.stderr.contains("cannot be used"), "case {number}: {}", run.stderr);
        assert!(!PathBuf::from(&target).exists(), "case {number}");
    }
}

#[test]
fn nothing_is_restored_next_to_leftovers_of_another_database() {
    let [live, file, back] = ["live.db", "copy.db", "back.db"].map(|name| path("left", name));
    let store = sqlite(&live);
    backup(&live, &file);
    for suffix in ["-wal", "-shm", "-journal"] {
        let left = format!("{back}{suffix}");
        std::fs::write(&left, "the last writes").expect("the folder can be written to");
        for arguments in [["restore", &file, "--db", &back], ["backup", "--db", &live, &back]] {
            let run = croupier(&arguments);
            assert_eq!(run.code, Some(1));
            assert!(run.stderr.contains(&format!("{left} exists")), "{}", run.stderr);
            assert!(run.stderr.contains("Move it away"), "{}", run.stderr);
        }
        std::fs::remove_file(&left).expect("it exists");
    }
    drop(store);
    // A running server that has not created its database yet.
    let lock = std::fs::File::create(format!("{back}.lock")).expect("it can be created");
    lock.lock().expect("the lock is free");
    let run = croupier(&["restore", &file, "--db", &back]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("is in use"), "{}", run.stderr);
    drop(lock);
    restore(&file, &back);
}

#[cfg(unix)]
#[test]
fn copies_are_for_their_owner_and_links_are_not_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let [live, file, back] = ["live.db", "copy.db", "back.db"].map(|name| path("owner", name));
    drop(sqlite(&live));
    // The leftovers of an interrupted backup are overwritten.
    std::fs::write(format!("{file}.part"), "half of it").expect("the folder can be written to");
    let copied = backup(&live, &file);
    assert_eq!(restore(&file, &back), copied);
    for made in [&file, &back] {
        let mode = std::fs::metadata(made).expect("it exists").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{made}");
        assert!(!Path::new(&format!("{made}.part")).exists());
    }
    let link = path("owner", "link.db");
    symlink("nowhere.db", &link).expect("links can be created");
    for arguments in [["restore", &file, "--db", &link], ["backup", "--db", &live, &link]] {
        let run = croupier(&arguments);
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains("is a symbolic link"), "{}", run.stderr);
    }
    let part = std::fs::File::create(format!("{link}.x.part")).expect("it can be created");
    part.lock().expect("the lock is free");
    let run = croupier(&["backup", "--db", &live, &format!("{link}.x")]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("another process is writing"), "{}", run.stderr);
}

#[test]
fn missing_files_and_bad_addresses_are_named() {
    let [live, missing, file] = ["live.db", "no.db", "copy.db"].map(|name| path("missing", name));
    drop(sqlite(&live));
    let folder = Path::new(&live).parent().and_then(Path::to_str).expect("a folder");
    let nowhere = format!("{folder}/nowhere/copy.db");
    let cases = [
        (["backup", "--db", &missing, &file], 2, "does not exist"),
        (["backup", "--db", folder, &file], 2, "is a folder"),
        (["backup", "--db", &live, folder], 2, "is a folder"),
        (["backup", "--db", &live, &nowhere], 2, "the folder does not exist"),
        (["backup", "--db", &live, "-"], 2, "name a file"),
        (["backup", "--db", "-", &file], 2, "name a file"),
        (["backup", "--db", "", &file], 2, "no database is given"),
        (["backup", "--db", "mysql://ann:secret@h/x", &file], 2, "an address of another kind"),
        (["backup", "--db", "sqlite://secret", &file], 2, "the path alone"),
        (["backup", "--db", "postgres://ann:secret@secret@h/x", &file], 2, "%40 for @"),
        (["backup", "--db", "postgres://a@h/x?sslmode=require", &file], 2, "sslmode=require"),
        (["backup", "--db", "postgres://a@h/x?colour=1", &file], 2, "the unknown option colour"),
        (["backup", "--db", &live, "postgres://ann:secret@h/x"], 2, "give it with --db"),
        (["restore", "postgres://ann:secret@h/x", "--db", &file], 2, "give it with --db"),
        (
            ["backup", "--db", "POSTGRES://ann:secret@127.0.0.1:1/x", &file],
            1,
            "the database x at 127.0.0.1:1",
        ),
        (
            ["backup", "--db", "host=127.0.0.1 port=1 user=a password=secret dbname=x", &file],
            1,
            "the database x at 127.0.0.1:1",
        ),
    ];
    for (arguments, code, wanted) in cases {
        let run = croupier(&arguments);
        assert_eq!(run.code, Some(code), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(wanted), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.contains("secret"), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.contains("cannot be used"), "{arguments:?}: {}", run.stderr);
        assert!(!PathBuf::from(&file).exists());
    }
    let run = croupier(&["backup", "--db", &live, &file, "postgres://ann:secret@h/x"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("put it after --db"), "{}", run.stderr);
    assert!(!run.stderr.contains("secret"), "{}", run.stderr);
    let run = croupier(&["backup", &file]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("--db"), "{}", run.stderr);
}

#[test]
fn tables_of_another_program_are_in_the_way() {
    let [live, file] = ["live.db", "copy.db"].map(|name| path("others", name));
    drop(sqlite(&live));
    backup(&live, &file);
    let url = Cluster::shared().fresh_database();
    wait(async {
        let connected = tokio_postgres::connect(&url, tokio_postgres::NoTls).await;
        let (client, connection) = connected.expect("the database exists");
        tokio::spawn(connection);
        client.batch_execute("CREATE TABLE players (goals BIGINT)").await.expect("a table");
    });
    let run = croupier(&["restore", &file, "--db", &url]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("the database "), "{}", run.stderr);
    assert!(run.stderr.contains("a table players of another program"), "{}", run.stderr);
}

/// A server of the first edition of the rules wrote this backup. It is restored exactly, and its
/// journals and its money are valid under the rules of that time.
#[test]
fn a_backup_of_the_first_edition_is_restored_to_the_same_fingerprint() {
    const FINGERPRINT: &str = "7444caeeed5b1da5b66ebad37693a094822fff5284b526009b909f882d4a17c4";
    let packed = include_bytes!("data/edition-1.backup.gz");
    let (file, db) = (path("former", "edition-1.backup"), path("former", "croupier.db"));
    let mut unpacked = Vec::new();
    let mut reader = flate2::read::GzDecoder::new(&packed[..]);
    std::io::Read::read_to_end(&mut reader, &mut unpacked).expect("it is packed");
    std::fs::write(&file, unpacked).expect("the file can be written");

    let restored = croupier(&["restore", &file, "--db", &db]);
    assert_eq!((restored.stderr.as_str(), restored.code), ("", Some(0)));
    assert!(restored.stdout.contains("84 finished rounds"), "{}", restored.stdout);
    assert!(restored.stdout.contains(FINGERPRINT), "{}", restored.stdout);
    let again = path("former", "again.backup");
    let copied = croupier(&["backup", "--db", &db, &again]);
    assert!(copied.stdout.contains(FINGERPRINT), "{}{}", copied.stdout, copied.stderr);
    let Audit { tables, entries, transfers, .. } =
        wait(async { audit(&sqlite(&db)).await.expect("the books are correct") });
    assert_eq!((tables, entries, transfers), (6, 724, 1_044));
}
