//! The program as several processes over one database, as clients see them: any node can answer, a
//! node that dies loses nothing, and a viewer at one node sees what happens at another.
//!
//! `CROUPIER_KILLS` overrides the number of times nodes are killed.

#![expect(clippy::disallowed_methods, reason = "it starts processes, and ends those it started")]

mod line;
mod node;
mod player;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use croupier_testing::{Client, Cluster, Durability, Method};
use rusqlite::Connection;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use self::line::Line;
use self::node::{House, Node, TIMEOUT, folder};
use self::player::{Dice, Notes, Player};

const HOUSES: [&str; 4] = ["uth-washington", "uth-standard", "utcp-standard", "uth-california"];

/// The number of players at a table, each at their own node.
const PLAYERS: usize = 3;

fn run<T>(story: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(story)
}

#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
fn say(what: &str) {
    println!("{what}");
}

/// Opens a table of each house, where players from all nodes sit down: each joins, at their own
/// node, a table that another has just opened.
async fn seat_people(house: &House, houses: &[&str], notes: &Notes) -> Vec<Player> {
    let mut players = Vec::new();
    for (number, name) in houses.iter().enumerate() {
        let mut host = Player::guest(&house.board, number, notes).await;
        host.open(name).await;
        let table = host.table.clone();
        players.push(host);
        for step in 1..PLAYERS {
            let mut player = Player::guest(&house.board, number + step, notes).await;
            player.join(&table, 1 + step as u64).await;
            players.push(player);
        }
    }
    players
}

/// Returns the tables where players sit.
fn tables(players: &[Player]) -> Vec<String> {
    let mut tables: Vec<String> = players.iter().map(|player| player.table.clone()).collect();
    tables.dedup();
    tables
}

/// Lets a player play in the background until `stop` is set.
fn let_play(mut player: Player, stop: &Arc<AtomicBool>) -> JoinHandle<Player> {
    let stop = Arc::clone(stop);
    tokio::spawn(async move {
        player.play(|_| stop.load(Ordering::Relaxed)).await;
        player
    })
}

/// Waits until a condition holds.
async fn until<F: Future<Output = bool>>(what: &str, is_so: impl Fn() -> F) -> Duration {
    let start = Instant::now();
    while !is_so().await {
        assert!(start.elapsed() < TIMEOUT, "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    start.elapsed()
}

/// Waits until a number of further rounds at each table are over. Returns how long that took.
async fn more_rounds(tables: &[String], notes: &Notes, count: usize) -> Duration {
    let before: Vec<usize> = tables.iter().map(|table| notes.rounds(table).len()).collect();
    until("rounds don't continue", || async {
        let mut each = tables.iter().zip(&before);
        each.all(|(table, before)| notes.rounds(table).len() >= before + count)
    })
    .await
}

/// Checks that all nodes return the same records, and that the records can be verified.
async fn compare_records(house: &House, table: &str, notes: &Notes) -> usize {
    let visitors: Vec<Client> = house.board.all().into_iter().map(Client::new).collect();
    let rounds = notes.rounds(table);
    for (round, told) in &rounds {
        let path = format!("/api/tables/{table}/rounds/{round}");
        let first = visitors[0].get(&path).await;
        assert_eq!(first.good(), *told, "a stream sent another record");
        for visitor in &visitors {
            assert_eq!(visitor.get(&path).await.body, first.body, "{path}");
        }
        let verdict = visitors[1].post("/api/verify", &first.json()).await.good();
        assert_eq!(verdict["verified"], true, "{verdict}");
    }
    rounds.len()
}

/// Lets all players leave, and waits until no round is open.
async fn leave(players: &mut [Player]) {
    for player in players.iter_mut() {
        let leave = json!({"command": "leave", "seat": player.seat});
        drop(player.ask(leave).await);
    }
    let start = Instant::now();
    for player in players.iter_mut() {
        let path = format!("/api/tables/{}", player.table);
        while !player.get(&path).await.good()["round"].is_null() {
            assert!(start.elapsed() < TIMEOUT, "a round doesn't end");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Checks that responses match the stored data: every acknowledged command, sent again to any node
/// and looked up in an audited copy, and every chip.
async fn settle_up(house: House, mut players: Vec<Player>) -> (usize, usize) {
    leave(&mut players).await;
    let nodes = house.board.all();
    let asking = players.into_iter().enumerate().map(|(number, mut player)| {
        let node = nodes[number % nodes.len()];
        tokio::spawn(async move {
            player.ask_again(node).await;
            let (chips, winnings) = (player.chips().await, player.winnings().await);
            (player, chips, winnings)
        })
    });
    let (mut players, mut chips, mut hands) = (Vec::new(), BTreeMap::new(), 0);
    for asked in asking.collect::<Vec<_>>() {
        let (player, has, (won, rounds)) = asked.await.expect("the same responses");
        chips.insert(player.id.clone(), (has, won));
        hands += rounds;
        players.push(player);
    }
    let (file, totals) = house.close().await;
    let copy = Connection::open(&file).expect("a database");
    let balance = |account: String| -> i64 {
        let sql = "SELECT balance FROM balances WHERE account = ?1";
        copy.query_row(sql, [account], |row| row.get(0)).expect("an account")
    };
    for (id, (chips, won)) in chips {
        assert_eq!(balance(format!("player:{id}")), chips, "the chips reported to {id}");
        assert_eq!(balance(format!("issue:{id}")) + chips, won, "the winnings reported to {id}");
    }
    let done: Vec<_> = players.iter().flat_map(|player| &player.done).collect();
    for done in done.iter().filter(|done| done.events != json!([])) {
        let sql = "SELECT answer FROM commands WHERE key = ?1";
        let kept: String = copy.query_row(sql, [&done.key], |row| row.get(0)).expect("an answer");
        let kept: Value = serde_json::from_str(&kept).expect("JSON");
        let answer = json!({"table": done.table, "version": done.version, "events": done.events});
        assert_eq!(kept, answer);
        let sql = "SELECT count(*) FROM journal WHERE table_name = ?1 AND version = ?2";
        let found = copy.query_row(sql, (&done.table, done.version), |row| row.get::<_, i64>(0));
        assert_eq!(found, Ok(1), "{done:?}");
    }
    assert!(totals["rounds"].as_u64() >= Some(1), "{totals}");
    (done.len(), hands)
}

#[test]
fn players_at_three_nodes_play_together_and_see_the_same() {
    run(async {
        let house = House::open("together", &Cluster::shared().fresh_database(), 3);
        let notes = Notes::default();
        let players = seat_people(&house, &HOUSES, &notes).await;
        let (tables, stop) = (tables(&players), Arc::new(AtomicBool::new(false)));
        let playing: Vec<_> = players.into_iter().map(|one| let_play(one, &stop)).collect();
        more_rounds(&tables, &notes, 3).await;
        stop.store(true, Ordering::Relaxed);
        let mut players = Vec::new();
        for player in playing {
            players.push(player.await.expect("the player finishes"));
        }
        assert!(players.iter().all(|player| player.moves == 0), "no node was ever down");
        let mut rounds = 0;
        for table in &tables {
            rounds += compare_records(&house, table, &notes).await;
        }
        let ([half, most, last], compared) = notes.lags();
        assert!(compared > 100, "too few states were compared: {compared}");
        assert!(half < Duration::from_millis(500), "news takes {half:?} from node to node");
        let (commands, _) = settle_up(house, players).await;
        say(&format!(
            "{rounds} rounds at three nodes, {commands} commands, {compared} states compared; \
             others hear {half:?} later, 95 % within {most:?}, all within {last:?}"
        ));
    });
}

#[test]
fn a_lone_player_in_california_gets_bots_that_bank_even_if_the_node_dies() {
    run(async {
        let mut house = House::open("alone", &Cluster::shared().fresh_database(), 3);
        for dies in [false, true] {
            let notes = Notes::default();
            let mut player = Player::guest(&house.board, 0, &notes).await;
            player.banks = false;
            player.play_now("uth-california").await;
            let start = Instant::now();
            if dies {
                house.kill(0);
            }
            let is_in = |player: &Player, record: &Value| {
                let seats = record["seats"].as_array().expect("a list");
                seats.iter().any(|seat| seat["player"] == player.id)
            };
            let settled = |player: &Player| {
                let rounds = notes.rounds(&player.table);
                rounds.into_iter().map(|(_, record)| record).find(|record| is_in(player, record))
            };
            player.play(|player| settled(player).is_some()).await;
            let record = settled(&player).expect("a round with the player in it");
            let banker = record["banker"]["player"].as_str().expect("a banker");
            assert!(banker.starts_with("bot-"), "{banker} banks");
            say(&format!("alone in California: settled after {:?}", start.elapsed()));
            leave(&mut [player]).await;
        }
        house.revive(0);
        house.close().await;
    });
}

fn kills() -> usize {
    let kills = std::env::var("CROUPIER_KILLS").ok();
    kills.map_or(24, |kills| kills.parse().expect("CROUPIER_KILLS is a number"))
}

/// Kills nodes at random moments, sometimes two of them, and starts them again.
async fn kill_again_and_again(house: &mut House) {
    let mut dice = Dice::new(20_261_116);
    let mut left = kills();
    while left > 0 {
        tokio::time::sleep(Duration::from_millis(100 + dice.below(300) as u64)).await;
        let first = dice.below(PLAYERS);
        let count = if dice.below(4) == 0 { left.min(2) } else { 1 };
        let dead: Vec<usize> = (first..first + count).map(|number| number % PLAYERS).collect();
        for &number in &dead {
            house.kill(number);
        }
        left -= count;
        tokio::time::sleep(Duration::from_millis(dice.below(200) as u64)).await;
        for &number in &dead {
            house.revive(number);
        }
    }
}

#[test]
fn nodes_are_killed_repeatedly_and_nothing_is_lost() {
    run(async {
        let start = Instant::now();
        let mut house = House::open("kills", &Cluster::shared().fresh_database(), PLAYERS);
        let notes = Notes::default();
        let houses = ["uth-standard", "utcp-standard", "uth-california"];
        let mut players = seat_people(&house, &houses, &notes).await;
        players.last_mut().expect("a player").add_bot().await;
        let (tables, stop) = (tables(&players), Arc::new(AtomicBool::new(false)));
        let mut playing: Vec<_> = players.into_iter().map(|one| let_play(one, &stop)).collect();
        for number in 0..PLAYERS {
            let (mut player, stop) =
                (Player::guest(&house.board, number, &notes).await, Arc::clone(&stop));
            playing.push(tokio::spawn(async move {
                player.grind(houses[number % 2], |_| stop.load(Ordering::Relaxed)).await;
                player
            }));
        }
        kill_again_and_again(&mut house).await;
        // The last node finishes whatever the dead ones had started.
        house.kill(0);
        house.kill(2);
        let alone = more_rounds(&tables, &notes, 1).await;
        house.revive(0);
        house.revive(2);
        stop.store(true, Ordering::Relaxed);
        let mut players = Vec::new();
        for player in playing {
            players.push(player.await.expect("the player finishes"));
        }
        let moves: usize = players.iter().map(|player| player.moves).sum();
        let mut rounds = 0;
        for table in &tables {
            rounds += compare_records(&house, table, &notes).await;
        }
        let (commands, hands) = settle_up(house, players).await;
        let kills = kills() + 2;
        say(&format!(
            "{kills} kills in {:?}: {commands} commands acknowledged and kept, {moves} sent on to \
             another node, {rounds} rounds seen and {hands} hands settled once; a round at each \
             table at the last node took {alone:?}",
            start.elapsed()
        ));
        assert!(commands > 2 * kills && moves >= kills / 4 && rounds > kills / 4, "too little");
    });
}

#[test]
fn when_the_database_comes_back_rounds_resume_by_themselves() {
    run(async {
        let cluster = Cluster::start(Durability::Full);
        let house = House::open("outage", &cluster.fresh_database(), 3);
        let notes = Notes::default();
        let players = seat_people(&house, &["uth-standard", "uth-california"], &notes).await;
        let (tables, stop) = (tables(&players), Arc::new(AtomicBool::new(false)));
        let mut others = Vec::new();
        for number in 0..3 {
            others.push(Client::guest(house.address(number)).await);
        }
        let playing: Vec<_> = players.into_iter().map(|one| let_play(one, &stop)).collect();
        for _ in 0..2 {
            more_rounds(&tables, &notes, 1).await;
            tokio::task::block_in_place(|| cluster.stop_hard());
            assert_eq!(house.statuses("/readyz").await, [503; 3]);
            assert_eq!(house.statuses("/healthz").await, [200; 3]);
            for other in &others {
                let path = format!("/api/tables/{}", tables[0]);
                let reply = other.get(&path).await;
                assert_eq!((reply.status.as_u16(), &*reply.code()), (503, "unavailable"));
                let path = format!("{path}/commands");
                let reply = other.post(&path, &json!({"command": "join", "seat": 7})).await;
                assert_eq!(reply.status.as_u16(), 503);
                let code = reply.code();
                assert!(code == "unavailable" || code == "outcome-unknown", "{code}");
            }
            tokio::task::block_in_place(|| cluster.start_again());
            let ready = until("nodes don't recover", || async {
                house.statuses("/readyz").await == [200; 3]
            });
            let (ready, played) = (ready.await, more_rounds(&tables, &notes, 1).await);
            say(&format!("after the outage: ready within {ready:?}, a round within {played:?}"));
        }
        stop.store(true, Ordering::Relaxed);
        let mut players = Vec::new();
        for player in playing {
            players.push(player.await.expect("the player finishes"));
        }
        settle_up(house, players).await;
    });
}

/// Sends part of a request, and returns the connection and the rest of the request.
fn begin_request(node: &Node) -> (TcpStream, &'static [u8]) {
    let mut connection = TcpStream::connect(node.address).expect("it listens");
    connection.set_read_timeout(Some(TIMEOUT)).expect("a time");
    let head = "POST /api/guests HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                content-length: 15\r\n\r\n{\"bearer\":";
    connection.write_all(head.as_bytes()).expect("it listens");
    (connection, b"true}")
}

#[test]
fn a_node_that_is_asked_to_stop_finishes_its_requests() {
    run(async {
        let mut house = House::open("end", &Cluster::shared().fresh_database(), 2);
        let notes = Notes::default();
        let mut player = Player::guest(&house.board, 0, &notes).await;
        player.open("uth-standard").await;
        let node = house.take(0);
        let path = format!("/api/tables/{}/events", player.table);
        let mut watch = Client::new(node.address).watch(&path, None).await.expect("news");
        watch.next().await.expect("the table as it is");
        let (mut connection, rest) = begin_request(&node);
        // An idle connection does not delay the stop.
        let _idle = TcpStream::connect(node.address).expect("it listens");
        tokio::time::sleep(Duration::from_millis(200)).await;

        let start = Instant::now();
        node.ask_to_end();
        let ended = async { while watch.next().await.is_some() {} };
        tokio::time::timeout(TIMEOUT, ended).await.expect("the stream ends");
        let address = node.address;
        until("it still listens", || async { TcpStream::connect(address).is_err() }).await;
        connection.write_all(rest).expect("it still listens to this one");
        let mut answer = String::new();
        tokio::task::block_in_place(|| connection.read_to_string(&mut answer)).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 201 Created"), "{answer}");
        let log = node.log();
        let (status, said) = node.end().await;
        let took = start.elapsed();
        assert!(status.success(), "{status}:\n{log}");
        assert!(said.ends_with("Stopped.\n"), "{said}");
        assert!(took < Duration::from_secs(5), "it took {took:?}");
        say(&format!("asked to stop, a node stopped after {took:?}"));
        // The other node is not affected.
        player.play(|player| player.over > 0).await;
        settle_up(house, vec![player]).await;
    });
}

fn start_alone(data: &Path) -> Node {
    Node::start(data, None).unwrap_or_else(|(_, said)| panic!("{said}"))
}

#[test]
fn a_server_with_its_own_file_starts_fast_and_exclusively_and_survives_a_crash() {
    run(async {
        let data = folder("file").join("data");
        let mut node = start_alone(&data);
        let mut guest = Client::guest(node.address).await;
        let took = node.since.elapsed();
        say(&format!("from nothing to the first answer: {took:?}"));
        assert!(took < Duration::from_secs(3), "it took {took:?} to serve");

        let (status, said) = Node::start(&data, None).err().expect("the file is in use");
        assert_eq!(status.code(), Some(1), "{said}");
        assert!(said.contains("croupier.db is in use"), "{said}");
        assert!(said.contains("Stop that process first"), "{said}");

        let opening = json!({"house": "uth-standard", "pace": "none"});
        let table = guest.post("/api/tables", &opening).await.good()["table"].clone();
        let table = table.as_str().expect("a name");
        let path = format!("/api/tables/{table}");
        guest.command(table, &json!({"command": "join", "seat": 1})).await.good();
        guest.command(table, &json!({"command": "wager", "seat": 1, "ante": 500})).await.good();
        guest.command(table, &json!({"command": "deal"})).await.good();
        // The server dies on every street, and comes back with the same cards for the same players.
        loop {
            let mut before = guest.get(&path).await.good();
            node.kill();
            node = start_alone(&data);
            guest = guest.at(node.address);
            let mut after = guest.get(&path).await.good();
            (before["now"], after["now"]) = (Value::Null, Value::Null);
            assert_eq!(before, after);
            let Some(decision) = after["round"]["hands"][0]["decisions"][0].as_str() else { break };
            let decide = json!({"command": "decide", "seat": 1, "decision": decision});
            guest.command(table, &decide).await.good();
        }
        let record = guest.get(&format!("{path}/rounds/1")).await.good();
        let verdict = guest.post("/api/verify", &record).await.good();
        assert_eq!(verdict["verified"], true, "{verdict}");
    });
}

#[test]
fn any_node_takes_the_next_command() {
    run(async {
        let house = House::open("any", &Cluster::shared().fresh_database(), 3);
        let notes = Notes::default();
        let mut player = Player::guest(&house.board, 0, &notes).await;
        player.roams = true;
        for name in ["uth-standard", "utcp-standard"] {
            let before = player.done.len();
            // A command carried out at another node a moment ago is known here, or this one would
            // be refused.
            player.grind(name, |player| player.done.len() >= before + 50).await;
            leave(std::slice::from_mut(&mut player)).await;
        }
        // A player logged out at one node is logged out at the others.
        let (visitor, all) = (player.visitor, house.board.all());
        let here = visitor.at(all[0]);
        assert_eq!(here.send_json(Method::DELETE, "/api/sessions", &json!({})).await.status, 204);
        for node in all {
            assert_eq!(visitor.at(node).get("/api/me").await.code(), "session-over");
        }
        house.close().await;
    });
}

/// How long a line is dead: longer than a node waits for the database.
const DEAD: Duration = Duration::from_secs(8);

#[test]
fn a_node_cut_off_from_the_database_delays_no_player_and_catches_up() {
    run(async {
        let db = Cluster::shared().fresh_database();
        let line = Line::to(&db);
        let house = House::open_with("cut", vec![db.clone(), db.clone(), line.url.clone()]);
        let notes = Notes::default();
        let players = seat_people(&house, &["uth-standard"], &notes).await;
        let (tables, stop) = (tables(&players), Arc::new(AtomicBool::new(false)));
        let playing: Vec<_> = players.into_iter().map(|one| let_play(one, &stop)).collect();
        more_rounds(&tables, &notes, 1).await;

        let path = format!("/api/tables/{}", tables[0]);
        let cut_off = Client::new(house.address(2));
        let mut watch = cut_off.watch(&format!("{path}/events"), None).await.expect("news");
        line.set_dead(true);
        let start = Instant::now();
        assert_eq!(house.statuses("/readyz").await, [200, 200, 503]);
        more_rounds(&tables, &notes, 1).await;
        let reply = cut_off.get(&path).await;
        assert_eq!((reply.status.as_u16(), &*reply.code()), (503, "unavailable"));
        tokio::time::sleep(DEAD.saturating_sub(start.elapsed())).await;
        line.set_dead(false);

        let back = Instant::now();
        let current = Client::new(house.address(0)).get(&path).await.good()["version"].clone();
        let caught_up = async {
            while Some(watch.next().await.expect("the stream lives").version) < current.as_u64() {}
        };
        tokio::time::timeout(TIMEOUT, caught_up).await.expect("it catches up");
        say(&format!("cut off for {DEAD:?}, a node has caught up after {:?}", back.elapsed()));
        more_rounds(&tables, &notes, 1).await;
        stop.store(true, Ordering::Relaxed);
        let mut players = Vec::new();
        for player in playing {
            players.push(player.await.expect("the player finishes"));
        }
        settle_up(house, players).await;
    });
}
