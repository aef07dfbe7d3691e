//! One address attacks with all it can at the usual limits, while players elsewhere continue.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use croupier_testing::{Client, Method};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::place::Place;
use crate::{run, say};

/// How long the flood lasts.
const TIME: Duration = Duration::from_secs(6);

/// The number of players who continue in the meantime, each from their own address.
const PLAYERS: u8 = 4;

/// How many connections the attacker tries to hold.
const CONNECTIONS: usize = 600;

/// The number of attempts, and how many the server carried out.
#[derive(Debug, Default)]
struct Tries {
    asked: AtomicU64,
    done: AtomicU64,
}

impl Tries {
    fn count(&self, done: bool) {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.done.fetch_add(u64::from(done), Ordering::Relaxed);
    }
}

/// The repeated action of an attacker.
#[derive(Clone, Copy, Debug)]
enum Attack {
    Guests,
    Tables,
    Texts,
    Logins,
    Streams,
}

const ATTACKS: [Attack; 5] =
    [Attack::Guests, Attack::Tables, Attack::Texts, Attack::Logins, Attack::Streams];

/// Returns a player's own house with the largest texts allowed.
fn large_house() -> Value {
    let text = include_str!("../../../rules/data/houses/uth-standard.toml");
    let mut house: toml::Table = text.parse().expect("a house");
    house.insert("id".to_owned(), "a".repeat(64).into());
    house.insert("title".to_owned(), "b".repeat(80).into());
    house.insert("source".to_owned(), "c".repeat(160).into());
    serde_json::to_value(house).expect("plain data")
}

/// Attacks until `over` is set.
async fn attack(what: Attack, at: SocketAddr, over: Arc<AtomicBool>, tries: Arc<Tries>) {
    let attacker = Client::from(Ipv4Addr::LOCALHOST.into(), at).as_guest().await;
    let mut large = json!({"house": large_house(), "pace": "none"});
    if matches!(what, Attack::Texts) {
        large["house"]["id"] = json!("x".repeat(60_000));
    }
    let watched = attacker.post("/api/tables", &json!({"house": "utcp-standard"})).await.json();
    let watched = watched["table"].as_str().unwrap_or_default().to_owned();
    let mut streams = Vec::new();
    for number in 0.. {
        if over.load(Ordering::Relaxed) {
            break;
        }
        let done = match what {
            Attack::Guests => {
                attacker.post("/api/guests", &json!({"bearer": true})).await.status.is_success()
            }
            Attack::Texts => attacker.post("/api/tables", &large).await.status.is_success(),
            Attack::Tables => {
                let opened = attacker.post("/api/tables", &large).await;
                let table = opened.json()["table"].as_str().unwrap_or_default().to_owned();
                let close = format!("/api/tables/{table}");
                drop(attacker.send(Method::DELETE, &close, &[], Vec::new()).await);
                opened.status.is_success()
            }
            Attack::Logins => {
                let name = format!("n-{number}");
                let wish = json!({"name": name, "password": "not the right one"});
                attacker.post("/api/sessions", &wish).await.code() == "wrong-password"
            }
            Attack::Streams => {
                let stream = attacker.watch(&format!("/api/tables/{watched}/events"), None).await;
                let is_open = stream.is_ok();
                streams.extend(stream);
                is_open
            }
        };
        tries.count(done);
    }
}

/// Opens connections and sends nothing.
async fn hold_connections(at: SocketAddr) -> Vec<TcpStream> {
    let mut held = Vec::new();
    for _ in 0..CONNECTIONS {
        held.extend(TcpStream::connect(at).await);
    }
    held
}

/// Plays alone at a table without clocks until `over` is set, and returns how long every command
/// took.
async fn play(local: IpAddr, at: SocketAddr, over: Arc<AtomicBool>) -> Vec<Duration> {
    let player = Client::from(local, at).as_guest().await;
    let opening = json!({"house": "uth-standard", "pace": "none"});
    let table = player.post("/api/tables", &opening).await.good();
    let table = table["table"].as_str().expect("a table").to_owned();
    let mut took = Vec::new();
    let mut ask = async |command: Value| {
        let asked = Instant::now();
        let done = player.command(&table, &command).await.good();
        took.push(asked.elapsed());
        // A person looks at the cards for longer.
        tokio::time::sleep(Duration::from_millis(10)).await;
        done
    };
    ask(json!({"command": "join", "seat": 1})).await;
    while !over.load(Ordering::Relaxed) {
        ask(json!({"command": "wager", "seat": 1, "ante": 500})).await;
        ask(json!({"command": "deal"})).await;
        let mut bet = ask(json!({"command": "decide", "seat": 1, "decision": "check"})).await;
        while let Some(decision) = bet["state"]["round"]["hands"][0]["decisions"][0].as_str() {
            let decide = json!({"command": "decide", "seat": 1, "decision": decision});
            bet = ask(decide).await;
        }
        if bet["state"]["chips"].as_i64().is_some_and(|chips| chips < 5_000) {
            break;
        }
    }
    took
}

fn percentile(took: &mut [Duration], share: usize) -> Duration {
    took.sort();
    took[(took.len() * share / 100).min(took.len() - 1)]
}

#[cfg(target_os = "linux")]
#[test]
fn one_address_cannot_keep_others_from_playing_or_fill_the_disk() {
    run(async {
        let place = Place::open_with("one-address", "", "", &[]);
        let (at, over) = (place.address, Arc::new(AtomicBool::new(false)));
        let (memory, stored) = (place.memory("VmRSS"), place.stored());
        let mut players = JoinSet::new();
        for number in 0..PLAYERS {
            let local = IpAddr::from([127, 0, 0, 10 + number]);
            players.spawn(play(local, at, Arc::clone(&over)));
        }
        let (mut attackers, mut all) = (JoinSet::new(), Vec::new());
        for what in ATTACKS {
            let tries = Arc::new(Tries::default());
            all.push((what, Arc::clone(&tries)));
            attackers.spawn(attack(what, at, Arc::clone(&over), tries));
        }
        tokio::time::sleep(TIME / 2).await;
        let held = hold_connections(at).await;
        tokio::time::sleep(TIME / 2).await;
        over.store(true, Ordering::Relaxed);
        let mut took = players.join_all().await.concat();
        drop(held);
        while let Some(ended) = attackers.join_next().await {
            // The attacker's own connections may be refused by now.
            drop(ended);
        }
        let (half, most) = (percentile(&mut took, 50), percentile(&mut took, 99));
        let (peak, grown) = (place.memory("VmHWM"), place.stored() - stored);
        for (what, tries) in &all {
            let [asked, done] = [&tries.asked, &tries.done].map(|it| it.load(Ordering::Relaxed));
            say(&format!("{what:?}: {asked} tries, {done} were carried out"));
        }
        say(&format!(
            "others: {} commands, half within {half:?}, 99 of 100 within {most:?}; \
             memory {memory} MiB, at most {peak} MiB; stored {grown} KiB more",
            took.len()
        ));
        assert!(took.len() > 100, "others play on: {} commands", took.len());
        assert!(peak < memory + 128, "{memory} MiB before, at most {peak} MiB");
        // A quarter of an hour's allowance at once, the same again for indexes and the log, and the
        // data of honest players.
        assert!(grown < 160 * 1024, "{grown} KiB more are stored");
        assert!(most < bound(), "99 of 100 commands took at most {most:?}");
        place.end();
    });
}

/// Returns how long a command of another player may take, 99 times out of 100. The test binary is
/// not optimized, and shares the machine with the attacker.
const fn bound() -> Duration {
    if cfg!(debug_assertions) { Duration::from_secs(1) } else { Duration::from_millis(50) }
}
