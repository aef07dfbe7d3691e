//! An audit counts everything in a store, and finds every difference from the journals.

#![expect(clippy::disallowed_methods, reason = "it damages its own databases")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use croupier_rules::Amount;
use croupier_store::{
    Accounts, Audit, Floor, Memory, Sqlite, SqliteOptions, Store, StoreError, audit,
};
use croupier_table::{
    Account, Clocks, Command, Hash, OperatorCommand, PlayerCommand, Seed, Time, Transfer,
};
use croupier_testing::Random;
use croupier_testing::players::{self, PLAYERS};
use rusqlite::Connection;

fn now() -> Time {
    Time::from_millis(1_700_000_000_000)
}

/// Makes a floor over a store, with decks that are the same every time.
fn floor<S: Store>(store: S) -> Floor<S> {
    let drawn = AtomicU64::new(0);
    let draw = move || {
        let number = drawn.fetch_add(1, Ordering::Relaxed);
        Some(Seed::from_bytes(*Hash::of(&number.to_be_bytes()).as_bytes()))
    };
    Floor::new(store, Box::new(draw))
}

async fn send(floor: &Floor<impl Store>, table: &str, command: Command) {
    floor.command(table, command, None, now()).await.expect("a good command");
}

/// Plays at a table with a checkpoint and at one where players bank, whose first round is not
/// dealt: it uses up a number, and leaves nothing else. Sits down at a table that waits for its
/// clock, and closes another.
async fn play(floor: &Floor<impl Store>) {
    let mut random = Random::new(5);
    for (number, (table, commands)) in
        [("red", 480), ("blue", 60), ("gold", 3), ("grey", 3)].into_iter().enumerate()
    {
        let clocks = (table == "gold").then(Clocks::default);
        floor.open(table, players::terms(number, clocks), None, now()).await.expect("a table");
        players::issue(floor.store(), table, now()).await.expect("chips");
        for _ in 0..commands {
            let known = floor.cached(table).await.expect("a table");
            let offered = known.offered().filter(|_| known.round_number() == 1);
            let command = match offered {
                Some(seat) => PlayerCommand::DeclineBank { seat }.by(players::name(table, seat)),
                None => players::next(&known, &mut random).expect("a player's turn"),
            };
            send(floor, table, command).await;
        }
    }
    send(
        floor,
        "grey",
        OperatorCommand::Close { reason: "it is late".to_owned(), alone: None }.into(),
    )
    .await;
}

fn path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    for suffix in ["", "-wal", "-shm"] {
        drop(std::fs::remove_file(format!("{}{suffix}", path.display())));
    }
    path
}

fn sqlite(path: &Path) -> Sqlite {
    Sqlite::open(path, SqliteOptions::default()).expect("a store")
}

fn query(path: &Path, sql: &str) -> u64 {
    let connection = Connection::open(path).expect("a database");
    connection.query_row(sql, (), |row| row.get(0)).expect("a number")
}

#[tokio::test]
async fn an_audit_counts_everything() {
    let path = path("counted.db");
    let floor = floor(sqlite(&path));
    play(&floor).await;
    let found = audit(floor.store()).await.expect("it matches its journals");
    drop(floor);
    let count = |table: &str| query(&path, &format!("SELECT count(*) FROM {table}"));
    let counted = ["tables", "journal", "balances", "transfers"].map(count);
    let Audit { tables, entries, accounts, transfers, issued, .. } = found;
    assert_eq!([tables, entries, accounts, transfers], counted);
    assert_eq!(tables, 4);
    assert_eq!(query(&path, "SELECT min(round) FROM rounds WHERE table_name = 'blue'"), 2);
    assert!(entries > 500 && transfers > 500, "{counted:?}");
    let chips = players::CHIPS.as_cents() * i64::from(4 * PLAYERS);
    assert_eq!(issued, Amount::cents(chips));
}

#[tokio::test]
async fn stores_with_the_same_contents_have_the_same_fingerprint() {
    let [one, other] = [Memory::default(), Memory::default()].map(floor);
    let third = floor(sqlite(&path("same.db")));
    play(&one).await;
    play(&other).await;
    play(&third).await;
    let found = audit(one.store()).await;
    assert!(found.is_ok(), "{found:?}");
    assert_eq!(audit(other.store()).await, found);
    assert_eq!(audit(third.store()).await, found);
    // A journal that is longer, and a gift.
    let seat = players::seats().next().expect("a seat");
    let player = players::name("gold", seat);
    send(&other, "gold", PlayerCommand::SitOut { seat }.by(player.clone())).await;
    let gift = Transfer {
        key: "gift".to_owned(),
        from: Account::Player(player),
        to: Account::Player("ann".to_owned()),
        amount: Amount::cents(1),
    };
    third.store().transfer(vec![gift], now(), None).await.expect("enough chips");
    let hash = |found: Result<Audit, StoreError>| found.expect("a consistent store").hash;
    let before = hash(found);
    assert_ne!(hash(audit(other.store()).await), before);
    assert_ne!(hash(audit(third.store()).await), before);
}

#[tokio::test]
async fn every_difference_from_the_journals_is_found() {
    let whole = path("whole.db");
    let floor = floor(sqlite(&whole));
    play(&floor).await;
    drop(floor);
    let banked = "SELECT min(round) FROM round_seats WHERE table_name = 'blue' AND banked = 1";
    let round = query(&whole, banked).to_string();
    let stored = "the journal contradicts the stored result of round ? of table blue";
    let moved = "the journal contradicts the transfers of round ? of table blue";
    for (number, (sql, wanted)) in [
        ("DELETE FROM journal WHERE version = 20", "damaged at entry 20: the entry is missing"),
        ("UPDATE journal SET hash = zeroblob(32) WHERE version = 20", "altered"),
        ("UPDATE tables SET house = 'x' WHERE name = 'red'", "table red plays the house x"),
        ("UPDATE tables SET closed = 1 WHERE name = 'red'", "table red is closed"),
        ("UPDATE tables SET closed = 0 WHERE name = 'grey'", "table grey is not closed"),
        ("UPDATE tables SET deadline = 7 WHERE name = 'gold'", "table gold has its deadline at 7"),
        ("UPDATE tables SET deadline = NULL WHERE name = 'gold'", "table gold has no deadline"),
        ("UPDATE tables SET checkpoint = 9 WHERE name = 'red'", "table red has its checkpoint at"),
        ("UPDATE rounds SET void = 1 - void WHERE table_name = 'blue' AND round = ?", stored),
        ("UPDATE rounds SET version = 2 WHERE table_name = 'blue' AND round = ?", stored),
        ("DELETE FROM rounds WHERE table_name = 'blue' AND round = ?", stored),
        ("UPDATE round_seats SET player = 'x' WHERE table_name = 'blue' AND round = ?", stored),
        ("UPDATE round_seats SET net = net + 1 WHERE table_name = 'blue' AND round = ?", stored),
        ("UPDATE round_seats SET ante = ante + 1 WHERE table_name = 'blue' AND round = ?", stored),
        ("UPDATE round_seats SET banked = 0 WHERE table_name = 'blue' AND round = ?", stored),
        ("DELETE FROM round_seats WHERE table_name = 'blue' AND round = ?", stored),
        ("UPDATE transfers SET amount = amount + 1 WHERE key LIKE 'blue/?/%'", moved),
        ("DELETE FROM transfers WHERE key LIKE 'blue/?/%'", moved),
        (
            "INSERT INTO transfers VALUES ('gift', 'house:red', 'player:ann', 100, 0)",
            "the transfer gift moves $1 from house:red to player:ann, but is in no journal",
        ),
        (
            "INSERT INTO transfers VALUES ('red/999/1/a/b', 'player:ann', 'player:bea', 100, 0)",
            "the transfer red/999/1/a/b moves $1 from player:ann to player:bea",
        ),
        (
            "INSERT INTO transfers VALUES ('gift', 'player:red-1', 'player:ann', 700, 0)",
            "player:ann has $7 less than the sum of its transfers",
        ),
        (
            "UPDATE balances SET balance = balance + 5 WHERE account = 'player:red-1'",
            "player:red-1 has $0.05 more than the sum of its transfers",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let [sql, wanted] = [sql, wanted].map(|text| text.replace('?', &round));
        let damaged = path(&format!("damaged-{number}.db"));
        std::fs::copy(&whole, &damaged).expect("there is space");
        let connection = Connection::open(&damaged).expect("a database");
        assert!(connection.execute(&sql, ()).expect("good SQL") > 0, "{sql}");
        drop(connection);
        let said = audit(&sqlite(&damaged)).await.expect_err(&sql).to_string();
        assert!(said.contains(&wanted), "{sql}: {said}");
    }
}
