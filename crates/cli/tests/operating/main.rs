//! The program as an operator meets it: commands beside a server that runs, a disk that is full, a
//! flood of logins.

#![expect(clippy::disallowed_methods, reason = "it starts processes, and ends what it started")]

mod flood;
mod place;

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use croupier_testing::{Cluster, Method, Reply, Visitor};
use serde_json::{Value, json};
use tokio_postgres::NoTls;

use self::place::Place;

const PATIENCE: Duration = Duration::from_mins(1);

/// How long a server may take to notice what was done to its database, as the documents promise,
/// and what a busy machine needs besides.
const NOTICED: Duration = Duration::from_secs(3);

const OLD: &str = "a long walk on a short pier";
const NEW: &str = "another walk on a longer pier";

fn run<T>(story: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(story)
}

#[expect(clippy::print_stdout, reason = "whoever runs the test sees what was measured")]
fn say(what: &str) {
    println!("{what}");
}

async fn log_in(place: &Place, name: &str, password: &str) -> Reply {
    let wish = json!({"name": name, "password": password, "bearer": true});
    Visitor::new(place.address).post("/api/sessions", &wish).await
}

/// Logs in with a password that must be right.
async fn visitor(place: &Place, name: &str, password: &str) -> Visitor {
    let mut visitor = Visitor::new(place.address);
    let welcome = log_in(place, name, password).await.good();
    visitor.token = welcome["token"].as_str().map(str::to_owned);
    visitor
}

/// Waits until a session is over, and returns how long that took.
async fn is_over(visitor: &Visitor) -> Duration {
    let start = Instant::now();
    loop {
        let reply = visitor.get("/api/me").await;
        if reply.code() == "session-over" {
            return start.elapsed();
        }
        assert_eq!(reply.status, 200);
        assert!(start.elapsed() < PATIENCE, "the session goes on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn operators_are_made_and_passwords_replaced_while_the_server_runs() {
    run(async {
        let place = Place::open("admin", "", &[]);
        place.admin(&["operator", "olga"], Some(OLD)).expect("beside a server");
        let olga = visitor(&place, "olga", OLD).await;
        olga.get("/api/operator/tables").await.good();
        let guest = Visitor::guest(place.address).await;
        let me = guest.get("/api/me").await.good();

        place.admin(&["password", "olga"], Some(NEW)).expect("beside a server");
        let took = is_over(&olga).await;
        assert!(took < NOTICED, "{took:?}");
        assert_eq!(log_in(&place, "olga", OLD).await.code(), "wrong-password");
        visitor(&place, "olga", NEW).await.get("/api/operator/tables").await.good();
        assert_eq!(guest.get("/api/me").await.good(), me, "others are not concerned");

        let id = me["player"].as_str().expect("an id");
        place.admin(&["ban", id, "a test"], None).expect("beside a server");
        assert!(is_over(&guest).await < NOTICED);
        let wrong = place.admin(&["password", "nobody-here"], Some(NEW)).expect_err("no player");
        assert!(wrong.contains("there is no such player"), "{wrong}");
        // The server goes on, and nothing else may serve from the same file.
        let other = place.second().expect_err("one serves");
        assert!(other.contains("is in use"), "{other}");
        Visitor::guest(place.address).await.get("/api/me").await.good();
        place.end();
    });
}

#[test]
fn a_command_that_is_killed_at_any_moment_does_a_server_no_harm() {
    run(async {
        let place = Place::open("admin-killed", "", &[]);
        let start = Instant::now();
        place.admin(&["operator", "olga"], Some(OLD)).expect("beside a server");
        let whole = start.elapsed();
        let guest = Visitor::guest(place.address).await;
        let mut known = OLD.to_owned();
        // Each may be a wrong password, and after ten of them a name is asked to come back.
        for number in 0..8 {
            let next = format!("{NEW} {number}");
            let mut child = place.begin_admin(&["password", "olga"], Stdio::null(), Some(&next));
            // Most of the time it hashes; what it writes comes toward the end.
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
        let reply = Visitor::new(place.address).get("/readyz").await;
        if reply.status.as_u16() == status {
            return start.elapsed();
        }
        assert!(start.elapsed() < PATIENCE, "it is still {}", reply.status);
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
        while Visitor::new(place.address).post("/api/guests", &wish).await.status != 503 {
            assert!(start.elapsed() < PATIENCE, "the limit is never reached");
        }
        let took = readiness(&place, 503).await;
        assert!(took < Duration::from_secs(15), "{took:?}");
        // It does not come and go.
        for _ in 0..20 {
            let reply = Visitor::new(place.address).get("/readyz").await;
            assert_eq!((reply.status.as_u16(), &*reply.code()), (503, "unavailable"));
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(Visitor::new(place.address).get("/healthz").await.status, 200, "it lives");
        place.lift_limit();
        let took = readiness(&place, 200).await;
        assert!(took < Duration::from_secs(10), "{took:?}");
        Visitor::new(place.address).post("/api/guests", &wish).await.good();
        place.end();
    });
}

/// Lets a PostgreSQL database be written to or not, for every connection from now on.
async fn set_writable(url: &str, is_writable: bool) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("it is there");
    let connection = tokio::spawn(connection);
    let name = url.rsplit('/').next().and_then(|name| name.split('?').next()).expect("a name");
    let word = if is_writable { "off" } else { "on" };
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let sql = format!("ALTER DATABASE \"{name}\" SET default_transaction_read_only = {word}");
    let session = "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE";
    for sql in [session, &sql, end] {
        client.batch_execute(sql).await.expect("it does so");
    }
    drop(client);
    connection.await.expect("it ends").expect("it ends well");
}

#[test]
fn a_server_whose_postgresql_takes_no_writes_is_not_ready_until_it_does() {
    run(async {
        let url = Cluster::shared().fresh_database();
        let place = Place::open("read-only", "", &["--db", &url]);
        readiness(&place, 200).await;
        set_writable(&url, false).await;
        let took = readiness(&place, 503).await;
        assert!(took < Duration::from_secs(20), "{took:?}");
        // That may have been a connection that was lost: what counts is that it stays so.
        tokio::time::sleep(Duration::from_secs(12)).await;
        assert_eq!(Visitor::new(place.address).get("/readyz").await.status, 503);
        set_writable(&url, true).await;
        let took = readiness(&place, 200).await;
        assert!(took < Duration::from_secs(20), "{took:?}");
        Visitor::guest(place.address).await;
        place.end();
    });
}

/// Floods a server with logins from many addresses for some time, while a player logs in from
/// another, and returns how long that player waited at most.
async fn flood(place: &Place, time: Duration) -> Duration {
    let over = Arc::new(AtomicBool::new(false));
    let flood: Vec<_> = (0..96)
        .map(|number| {
            let (over, at) = (Arc::clone(&over), place.address);
            tokio::spawn(async move {
                let visitor = Visitor::new(at);
                for attempt in 0.. {
                    if over.load(Ordering::Relaxed) {
                        break;
                    }
                    let from = format!("10.{number}.{}.{}", attempt / 200 % 200, attempt % 200);
                    let wish = json!({"name": format!("n-{number}-{attempt}"), "password": NEW});
                    // A connection may break: that is what a flood is.
                    drop(post_from(&visitor, &from, &wish).await);
                }
            })
        })
        .collect();
    let (start, mut longest) = (Instant::now(), Duration::ZERO);
    while start.elapsed() < time {
        let asked = Instant::now();
        let wish = json!({"name": "olga", "password": OLD, "bearer": true});
        let reply = post_from(&Visitor::new(place.address), "192.0.2.1", &wish).await;
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

async fn post_from(visitor: &Visitor, from: &str, wish: &Value) -> Result<Reply, String> {
    let headers = [("content-type", "application/json"), ("x-forwarded-for", from)];
    let body = wish.to_string().into_bytes();
    visitor.send(Method::POST, "/api/sessions", &headers, body).await
}

#[cfg(target_os = "linux")]
#[test]
fn a_flood_of_logins_takes_bounded_memory_and_others_log_in() {
    run(async {
        let place = Place::open("flood", "", &["--proxy", "127.0.0.1"]);
        place.admin(&["operator", "olga"], Some(OLD)).expect("beside a server");
        let before = place.memory("VmRSS");
        let longest = flood(&place, Duration::from_secs(10)).await;
        let (most, after) = (place.memory("VmHWM"), place.memory("VmRSS"));
        say(&format!(
            "memory: {before} MiB before, {most} MiB at most, {after} MiB after; \
             a login took {longest:?} at most"
        ));
        assert!(most < before + 128, "{before} MiB before, {most} MiB at most");
        // Eight seconds in a machine that does nothing else would be many.
        assert!(longest < Duration::from_secs(15), "{longest:?}");
        place.end();
    });
}
