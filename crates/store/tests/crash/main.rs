//! Playing processes are killed at any moment, and so is the database: nothing that was
//! acknowledged is lost, and nothing happens twice.
//!
//! `CROUPIER_KILLS` overrides how often each of them is killed.

#![expect(clippy::disallowed_methods, reason = "it starts processes, and ends them")]

mod checker;
mod child;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use croupier_store::{Database, Sqlite, SqliteOptions, audit, backup, restore};
use croupier_testing::{Cluster, Durability};

use self::checker::{Checker, finish};
use self::child::{ORDERS, Orders, block_on};
use croupier_testing::Random;

const TABLES: usize = 4;

/// A timeout that is long enough even for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(90);

/// Not a test: the code of a child, when a test has started it.
#[test]
fn child() {
    if let Ok(orders) = std::env::var(ORDERS) {
        child::run(&serde_json::from_str(&orders).expect("orders"));
    }
}

fn kills() -> u64 {
    let kills = std::env::var("CROUPIER_KILLS").ok();
    kills.map_or(50, |kills| kills.parse().expect("CROUPIER_KILLS is a number"))
}

/// Returns a test's own folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("an old folder goes away");
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A process that plays. It ends with the test.
struct Player {
    process: Child,
    log: String,
}

impl Player {
    fn start(orders: &Orders) -> Self {
        let process = Command::new(std::env::current_exe().expect("a test"))
            .args(["--exact", "child", "--nocapture"])
            .env(ORDERS, serde_json::to_string(orders).expect("plain data"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a process");
        Self { process, log: orders.log.clone() }
    }

    fn said(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Waits until it plays, or is dead.
    fn wait_until_ready(&mut self) {
        let start = Instant::now();
        while !self.said().contains("ready") && self.process.try_wait().expect("a child").is_none()
        {
            assert!(start.elapsed() < TIMEOUT, "it does not begin to play");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn answers(&self) -> usize {
        self.said().matches("answered").count()
    }

    /// Waits until it has this many answers.
    fn wait_for_answers(&self, count: usize) {
        let start = Instant::now();
        while self.answers() < count {
            assert!(start.elapsed() < TIMEOUT, "it gets no more answers");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits until it has died on its own, or for this long.
    fn wait(&mut self, long: Duration) -> bool {
        let start = Instant::now();
        while start.elapsed() < long {
            if self.process.try_wait().expect("a child").is_some() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        false
    }

    /// Kills it, and returns its log.
    fn kill(mut self) -> String {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it is dead");
        self.said()
    }

    fn signal(&self, signal: &str) {
        let id = self.process.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().expect("kill");
        assert!(sent.success());
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // It may have died before.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Kills a player repeatedly, half of the time at a named moment, and calls `look` with its log.
fn kill_again_and_again(
    store: &str,
    folder: &Path,
    moments: &[&str],
    mut disturb: impl FnMut(u64),
    mut look: impl FnMut(u64, &[String]),
) {
    let mut random = Random::new(20_260_101);
    for kill in 0..kills() {
        let count = u64::try_from(moments.len()).expect("a few");
        let moment = moments[usize::try_from(kill / 2 % count).expect("a few")];
        let mut orders = Orders {
            store: store.to_owned(),
            log: folder.join(format!("log-{kill}")).display().to_string(),
            name: format!("k{kill}"),
            seed: random.number(),
            tables: TABLES,
            dies_at: String::new(),
            dies_after: 1 + random.below(60),
        };
        if kill % 2 == 1 {
            moment.clone_into(&mut orders.dies_at);
        }
        let mut player = Player::start(&orders);
        player.wait_until_ready();
        disturb(kill);
        if orders.dies_at.is_empty() {
            std::thread::sleep(Duration::from_millis(5 + random.below(120)));
        } else {
            assert!(player.wait(TIMEOUT), "{moment} does not happen");
        }
        look(kill, &[player.kill()]);
    }
}

#[test]
fn sqlite_loses_nothing_when_its_process_is_killed() {
    let folder = folder("crash-sqlite");
    let path = folder.join("croupier.db").display().to_string();
    let open = || Database::from(Sqlite::open(&path, SqliteOptions::default()).expect("a store"));
    let mut checker = Checker::default();
    let moments = ["before-begin", "entries-written", "before-commit", "after-commit"];
    kill_again_and_again(
        &path,
        &folder,
        &moments,
        |_| {},
        |kill, logs| {
            block_on(checker.look(open(), logs));
            if kill % 10 == 9 {
                block_on(checker.audit(&open()));
            }
        },
    );
    block_on(finish(open()));
    block_on(checker.audit(&open()));
    report("SQLite", &checker, kills());
}

#[test]
fn postgresql_loses_nothing_when_its_client_or_itself_is_killed() {
    let (folder, cluster) = (folder("crash-postgresql"), Cluster::start(Durability::Full));
    let url = cluster.fresh_database();
    let connect = || Database::open(&url);
    let mut checker = Checker::default();
    let moments = ["before-begin", "before-commit", "after-commit"];
    let disturb = |kill: u64| {
        if kill % 7 == 3 {
            std::thread::sleep(Duration::from_millis(30));
            cluster.stop_hard();
            std::thread::sleep(Duration::from_millis(20));
            cluster.start_again();
        }
    };
    kill_again_and_again(&url, &folder, &moments, disturb, |kill, logs| {
        block_on(async { checker.look(connect().await.expect("a store"), logs).await });
        if kill % 10 == 9 {
            block_on(async { checker.audit(&connect().await.expect("a store")).await });
        }
    });
    block_on(async {
        finish(connect().await.expect("a store")).await;
        checker.audit(&connect().await.expect("a store")).await;
    });
    report("PostgreSQL", &checker, kills());
}

/// Backs up a store while a process plays, and restores the copy in both kinds of database, where
/// the tables continue.
fn drill(store: &str, folder: &Path, cluster: &Cluster) {
    let log = folder.join("log").display().to_string();
    let (name, dies_at) = ("drill".to_owned(), String::new());
    let orders = Orders {
        store: store.to_owned(),
        log,
        name,
        seed: 1,
        tables: TABLES,
        dies_at,
        dies_after: 0,
    };
    let mut player = Player::start(&orders);
    player.wait_until_ready();
    player.wait_for_answers(50);
    let before = player.answers();
    let file = folder.join("backup.db");
    let copied = block_on(backup(store, &file)).expect("a backup");
    // The process played before the backup, and continues after it.
    player.wait_for_answers(before + 5);
    drop(player.kill());

    let path = folder.join("restored.db").display().to_string();
    let url = cluster.fresh_database();
    for target in [&path, &url] {
        let restored = block_on(restore(&file, target)).expect("a restored store");
        assert_eq!(restored, copied, "totals and chains are the same");
    }
    let open = || Database::from(Sqlite::open(&path, SqliteOptions::default()).expect("a store"));
    let connect = || Database::open(&url);
    block_on(async {
        let mut checker = Checker::default();
        checker.audit(&open()).await;
        let store = connect().await.expect("a store");
        let whole = audit(&store).await.expect("a consistent store");
        assert_eq!(audit(&open()).await.expect("a consistent store"), whole);
        finish(open()).await;
        checker.audit(&open()).await;
        finish(store).await;
        checker.audit(&connect().await.expect("a store")).await;
        assert!(checker.rounds > 0, "rounds were played");
    });
}

#[test]
fn sqlite_is_backed_up_under_load_and_restored_elsewhere() {
    let folder = folder("drill-sqlite");
    let path = folder.join("croupier.db").display().to_string();
    drill(&path, &folder, Cluster::shared());
}

#[test]
fn postgresql_is_backed_up_under_load_and_restored_elsewhere() {
    let (folder, cluster) = (folder("drill-postgresql"), Cluster::shared());
    drill(&cluster.fresh_database(), &folder, cluster);
}

#[test]
fn two_processes_on_the_same_tables_do_everything_once() {
    let (folder, cluster) = (folder("crash-two"), Cluster::start(Durability::Full));
    let url = cluster.fresh_database();
    let connect = || Database::open(&url);
    let mut checker = Checker::default();
    for turn in 0..3_u64 {
        let orders = |name: char| Orders {
            store: url.clone(),
            log: folder.join(format!("log-{turn}{name}")).display().to_string(),
            name: format!("{turn}{name}"),
            seed: turn,
            tables: TABLES,
            dies_at: String::new(),
            dies_after: 0,
        };
        // Both play the same commands, so they conflict all the time.
        let mut players = ['a', 'b'].map(|name| Player::start(&orders(name)));
        for player in &mut players {
            player.wait_until_ready();
        }
        players[0].wait_for_answers(20);
        // One of them sleeps for longer than any claim or clock lasts, and continues.
        players[0].signal("-STOP");
        std::thread::sleep(Duration::from_millis(1_200));
        players[0].signal("-CONT");
        let before = players[0].answers();
        players[0].wait_for_answers(before + 20);
        let logs = players.map(Player::kill);
        assert!(logs.iter().all(|log| log.contains("answered")), "both processes play");
        block_on(async { checker.look(connect().await.expect("a store"), &logs).await });
    }
    block_on(async { checker.audit(&connect().await.expect("a store")).await });
    report("two processes on PostgreSQL", &checker, 6);
}

#[expect(clippy::print_stdout, reason = "the output shows how much happened")]
fn report(what: &str, checker: &Checker, kills: u64) {
    let Checker { answered, in_doubt, were_done, open_rounds, rounds, .. } = checker;
    println!(
        "{what}: {answered} commands acknowledged and kept, {in_doubt} in doubt, {were_done} of \
         them done; {open_rounds} open rounds continued, {rounds} rounds settled once"
    );
    let kills = usize::try_from(kills).expect("a few");
    assert!(*answered > 2 * kills && *rounds > kills / 4, "too little happened");
    assert!(*open_rounds > kills / 4, "too little was interrupted");
}
