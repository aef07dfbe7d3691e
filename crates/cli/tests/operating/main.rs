//! The program as an operator sees it: commands next to a running server, a full disk, a flood of
//! logins.

#![expect(clippy::disallowed_methods, reason = "it starts processes, and ends those it started")]

mod flood;
mod place;
mod watchers;

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use croupier_testing::{Client, Cluster, Method, Reply};
use serde_json::{Value, json};
use tokio_postgres::NoTls;

use self::place::Place;

const TIMEOUT: Duration = Duration::from_mins(1);

/// How long a server may take to notice a change in its database, as documented, plus some time for
/// a busy machine.
const NOTICED: Duration = Duration::from_secs(3);

const OLD: &str = "a long walk on a short pier";
const NEW: &str = "another walk on a longer pier";

fn run<T>(story: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(story)
}

#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
fn say(what: &str) {
    println!("{what}");
}

async fn log_in(place: &Place, name: &str, password: &str) -> Reply {
    let wish = json!({"name": name, "password": password, "bearer": true});
    Client::new(place.address).post("/api/sessions", &wish).await
}

/// Logs in with a password that must be right.
async fn visitor(place: &Place, name: &str, password: &str) -> Client {
    let mut visitor = Client::new(place.address);
    let welcome = log_in(place, name, password).await.good();
    visitor.token = welcome["token"].as_str().map(str::to_owned);
    visitor
}

/// Waits until a session is over, and returns how long that took.
async fn is_over(visitor: &Client) -> Duration {
    let start = Instant::now();
    loop {
        let reply = visitor.get("/api/me").await;
        if reply.code() == "session-over" {
            return start.elapsed();
        }
        assert_eq!(reply.status, 200);
        assert!(start.elapsed() < TIMEOUT, "the session continues");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn operators_are_created_and_passwords_replaced_while_the_server_runs() {
    run(async {
        let place = Place::open("admin", "", &[]);
        place.admin(&["operator", "olga"], Some(OLD)).expect("next to a server");
        let olga = visitor(&place, "olga", OLD).await;
        olga.get("/api/operator/tables").await.good();
        let guest = Client::guest(place.address).await;
        let me = guest.get("/api/me").await.good();

        place.admin(&["password", "olga"], Some(NEW)).expect("next to a server");
        let took = is_over(&olga).await;
        assert!(took < NOTICED, "{took:?}");
        assert_eq!(log_in(&place, "olga", OLD).await.code(), "wrong-password");
        visitor(&place, "olga", NEW).await.get("/api/operator/tables").await.good();
        assert_eq!(guest.get("/api/me").await.good(), me, "other sessions are not affected");

        let id = me["player"].as_str().expect("an id");
        place.admin(&["ban", id, "a test"], None).expect("next to a server");
        assert!(is_over(&guest).await < NOTICED);
        let wrong = place.admin(&["password", "unknown-name"], Some(NEW)).expect_err("no player");
        assert!(wrong.contains("there is no such player"), "{wrong}");
        // The server continues, and no other process may serve from the same file.
        let other = place.second().expect_err("one serves");
        assert!(other.contains("is in use"), "{other}");
        Client::guest(place.address).await.get("/api/me").await.good();
        place.end();
    });
}

#[test]
fn a_command_killed_at_any_moment_does_not_harm_a_server() {
    run(async {
        let place = Place::open("admin-killed", "", &[]);
        let start = Instant::now();
        place.admin(&["operator", "olga"], Some(OLD)).expect("next to a server");
        let whole = start.elapsed();
        let guest = Client::guest(place.address).await;
        let mut known = OLD.to_owned();
        // Each may be a wrong password, and after ten of them logins to a name are delayed.
        for number in 0..8 {
            let next = format!("{NEW} {number}");
            let mut child = place.begin_admin(&["password", "olga"], Stdio::null(), Some(&next));
            // Most of the time it hashes; it writes only toward the end.
            tokio::time::sleep(whole * (number + 5) / 10).await;
            child.kill().expect("it can be killed");
            child.wait().expect("it is dead");
            guest.post("/api/play", &json!({})).await.good();
            let changed = log_in(&place, "olga", &next).await;
            if changed.status == 201 {
                known = next;
            } else {
                assert_eq!(changed.code(), "wrong-password");
                log_in(&place, "olga", &known).await.good();
            }
        }
        place.admin(&["password", "olga"], Some(OLD)).expect("it can still be done");
        log_in(&place, "olga", OLD).await.good();
        place.end();
    });
}

/// Waits until `/readyz` has a status, and returns how long that took.
async fn readiness(place: &Place, status: u16) -> Duration {
    let start = Instant::now();
    loop {
        let reply = Client::new(place.address).get("/readyz").await;
        if reply.status.as_u16() == status {
            return start.elapsed();
        }
        assert!(start.elapsed() < TIMEOUT, "it is still {}", reply.status);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[test]
fn a_server_whose_disk_is_full_is_not_ready_until_there_is_room() {
    run(async {
        // Without the trap the signal would end the process; with it, writing fails.
        let place = Place::open("full", "trap '' XFSZ; ulimit -S -f 3000;", &[]);
        readiness(&place, 200).await;
        let wish = json!({"bearer": true});
        let start = Instant::now();
        while Client::new(place.address).post("/api/guests", &wish).await.status != 503 {
            assert!(start.elapsed() < TIMEOUT, "the limit is never reached");
        }
        let took = readiness(&place, 503).await;
        assert!(took < Duration::from_secs(15), "{took:?}");
        // It doesn't flap.
        for _ in 0..20 {
            let reply = Client::new(place.address).get("/readyz").await;
            assert_eq!((reply.status.as_u16(), &*reply.code()), (503, "unavailable"));
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(Client::new(place.address).get("/healthz").await.status, 200, "it lives");
        place.lift_limit();
        let took = readiness(&place, 200).await;
        assert!(took < Duration::from_secs(10), "{took:?}");
        Client::new(place.address).post("/api/guests", &wish).await.good();
        place.end();
    });
}

/// Lets a PostgreSQL database be written to or not, for every connection from now on.
async fn set_writable(url: &str, is_writable: bool) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("a database");
    let connection = tokio::spawn(connection);
    let name = url.rsplit('/').next().and_then(|name| name.split('?').next()).expect("a name");
    let word = if is_writable { "off" } else { "on" };
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let sql = format!("ALTER DATABASE \"{name}\" SET default_transaction_read_only = {word}");
    let session = "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE";
    for sql in [session, &sql, end] {
        client.batch_execute(sql).await.expect("the statement succeeds");
    }
    drop(client);
    connection.await.expect("it ends").expect("it ends without an error");
}

#[test]
fn a_server_with_a_read_only_postgresql_is_not_ready_until_it_is_writable() {
    run(async {
        let url = Cluster::shared().fresh_database();
        let place = Place::open("read-only", "", &["--db", &url]);
        readiness(&place, 200).await;
        set_writable(&url, false).await;
        let took = readiness(&place, 503).await;
        assert!(took < Duration::from_secs(20), "{took:?}");
        // That may have been a lost connection: it must stay unready.
        tokio::time::sleep(Duration::from_secs(12)).await;
        assert_eq!(Client::new(place.address).get("/readyz").await.status, 503);
        set_writable(&url, true).await;
        let took = readiness(&place, 200).await;
        assert!(took < Duration::from_secs(20), "{took:?}");
        Client::guest(place.address).await;
        place.end();
    });
}

/// Floods a server with logins from many addresses for some time, while a player logs in from
/// another, and returns that player's longest wait.
async fn flood(place: &Place, time: Duration) -> Duration {
    let over = Arc::new(AtomicBool::new(false));
    let flood: Vec<_> = (0..96)
        .map(|number| {
            let (over, at) = (Arc::clone(&over), place.address);
            tokio::spawn(async move {
                let visitor = Client::new(at);
                for attempt in 0.. {
                    if over.load(Ordering::Relaxed) {
                        break;
                    }
                    let from = format!("10.{number}.{}.{}", attempt / 200 % 200, attempt % 200);
                    let wish = json!({"name": format!("n-{number}-{attempt}"), "password": NEW});
                    // A connection may break: that is normal in a flood.
                    drop(post_from(&visitor, &from, &wish).await);
                }
            })
        })
        .collect();
    let (start, mut longest) = (Instant::now(), Duration::ZERO);
    while start.elapsed() < time {
        let asked = Instant::now();
        let wish = json!({"name": "olga", "password": OLD, "bearer": true});
        let reply = post_from(&Client::new(place.address), "192.0.2.1", &wish).await;
        reply.expect("an answer").good();
        longest = longest.max(asked.elapsed());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    over.store(true, Ordering::Relaxed);
    for task in flood {
        task.await.expect("it ends");
    }
    longest
}

async fn post_from(visitor: &Client, from: &str, wish: &Value) -> Result<Reply, String> {
    let headers = [("content-type", "application/json"), ("x-forwarded-for", from)];
    let body = wish.to_string().into_bytes();
    visitor.send(Method::POST, "/api/sessions", &headers, body).await
}

#[cfg(target_os = "linux")]
#[test]
fn a_flood_of_logins_takes_bounded_memory_and_others_log_in() {
    run(async {
        let place = Place::open("flood", "", &["--proxy", "127.0.0.1"]);
        place.admin(&["operator", "olga"], Some(OLD)).expect("next to a server");
        let before = place.memory("VmRSS");
        let longest = flood(&place, Duration::from_secs(10)).await;
        let (most, after) = (place.memory("VmHWM"), place.memory("VmRSS"));
        say(&format!(
            "memory: {before} MiB before, at most {most} MiB, {after} MiB after; \
             a login took at most {longest:?}"
        ));
        assert!(most < before + 128, "{before} MiB before, at most {most} MiB");
        // Eight seconds would be a lot on an idle machine.
        assert!(longest < Duration::from_secs(15), "{longest:?}");
        place.end();
    });
}
