//! Login attempts: attackers slow themselves down, and no other player.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use croupier_server::{Config, Server};
use croupier_testing::{Client, Method, Reply};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::harness::{
    PASSWORD, account, config, log_in, server, staffed, staffed_over_postgresql, text,
};

/// The documented limit on how long a player with the right password and a new device waits during
/// an attack.
const PROMISED: Duration = Duration::from_secs(10);

/// A server that trusts the client address in a proxy header.
fn behind_a_proxy() -> Config {
    Config { proxies: vec![[127, 0, 0, 1].into()], ..config() }
}

/// Tries to log in from an address.
async fn attempt(at: SocketAddr, from: &str, wish: &Value) -> Reply {
    let headers = [("content-type", "application/json"), ("x-forwarded-for", from)];
    let body = wish.to_string().into_bytes();
    let sent = Client::new(at).send(Method::POST, "/api/sessions", &headers, body).await;
    sent.expect("an answer")
}

fn wrong(name: &str) -> Value {
    json!({"name": name, "password": "not the password"})
}

fn right(name: &str) -> Value {
    json!({"name": name, "password": PASSWORD, "bearer": true})
}

/// Attacks a name from many addresses, until addresses have to announce themselves first.
async fn attack(at: SocketAddr, name: &str, network: &str) {
    for address in 1..=20 {
        let from = format!("{network}.{address}");
        for _ in 0..4 {
            let reply = attempt(at, &from, &wrong(name)).await;
            assert!([401, 429].contains(&reply.status.as_u16()), "{}", reply.status);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_slows_itself_down_and_no_other() {
    let server = server(behind_a_proxy()).await;
    let at = server.address();
    account(at, "ann").await;
    for _ in 0..3 {
        assert_eq!(attempt(at, "192.0.2.1", &wrong("ann")).await.code(), "wrong-password");
    }
    let slowed = attempt(at, "192.0.2.1", &right("ann")).await;
    assert_eq!((slowed.status.as_u16(), &*slowed.code()), (429, "locked-out"));
    let wait = slowed.json()["retry_after"].as_u64().expect("seconds");
    assert!((1..=5).contains(&wait) && slowed.headers["retry-after"] == wait.to_string());
    let words = text(&slowed.json()["detail"]);
    assert!(words.starts_with("too many attempts: try again in "), "{words}");
    attempt(at, "192.0.2.2", &right("ann")).await.good();
    // It is a wait, not a lock: it ends although there was an attempt in the meantime.
    tokio::time::sleep(Duration::from_secs(wait)).await;
    assert_eq!(attempt(at, "192.0.2.1", &wrong("ann")).await.code(), "wrong-password");
    let slowed = attempt(at, "192.0.2.1", &right("ann")).await;
    let wait = slowed.json()["retry_after"].as_u64().expect("seconds");
    assert!((6..=10).contains(&wait), "each wait is twice the one before: {wait}");
    tokio::time::sleep(Duration::from_secs(wait)).await;
    attempt(at, "192.0.2.1", &right("ann")).await.good();
    assert_eq!(
        attempt(at, "192.0.2.1", &wrong("ann")).await.code(),
        "wrong-password",
        "it is over"
    );
    server.stop().await;
}

/// Attacks the operator and a player from everywhere, and checks that both can log in.
async fn hold_up(server: Server) {
    let at = server.address();
    let ann = account(at, "ann").await;
    let known = attempt(at, "198.51.100.1", &right("ann")).await.good();
    let device = text(&known["device"]);
    let operator = attempt(at, "198.51.100.2", &right("olga")).await.good();
    for name in ["ann", "olga"] {
        attack(at, name, "203.0.113").await;
    }
    for (name, device) in [("ann", &device), ("olga", &text(&operator["device"]))] {
        let mut wish = right(name);
        // A device is worth nothing under another name, and an invented one is worth nothing at
        // all.
        wish["device"] = json!("0".repeat(64));
        assert_eq!(attempt(at, "198.51.100.3", &wish).await.code(), "locked-out");
        wish["device"] = json!(device);
        for _ in 0..3 {
            let welcome = attempt(at, "203.0.113.1", &wish).await.good();
            assert_eq!(welcome["device"], json!(device), "the device stays the same");
        }
    }
    let mut other = right("olga");
    other["device"] = json!(device);
    assert_eq!(attempt(at, "198.51.100.4", &other).await.code(), "locked-out");
    // A player who is already logged in does not have to wait either.
    let change = json!({"old": PASSWORD, "new": "another walk on a longer pier"});
    ann.send_json(Method::PUT, "/api/me/password", &change).await.good();
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attack_from_elsewhere_does_not_delay_a_known_device() {
    hold_up(staffed(behind_a_proxy()).await.0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attack_from_elsewhere_does_not_delay_a_known_device_over_postgresql() {
    hold_up(staffed_over_postgresql(behind_a_proxy()).await.0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_logged_in_before_is_recognized_by_a_cookie() {
    let server = server(behind_a_proxy()).await;
    let at = server.address();
    account(at, "ann").await;
    let wish = json!({"name": "ann", "password": PASSWORD});
    let reply = attempt(at, "198.51.100.1", &wish).await;
    assert_eq!(reply.status, 201);
    assert!(reply.json()["device"].is_null(), "no script can read it");
    let cookies: Vec<&str> = reply.headers.get_all("set-cookie").iter().map(text_of).collect();
    let device = cookies.iter().find(|cookie| cookie.starts_with("croupier-device="));
    let device = *device.expect("a cookie");
    assert!(device.ends_with("; Path=/; HttpOnly; SameSite=Strict; Max-Age=15552000"), "{device}");
    let pair = device.split(';').next().expect("a value");
    assert_eq!(pair.len(), "croupier-device=".len() + 64);
    attack(at, "ann", "203.0.113").await;
    assert_eq!(attempt(at, "198.51.100.9", &wish).await.code(), "locked-out");
    let headers = [("content-type", "application/json"), ("cookie", pair)];
    let body = wish.to_string().into_bytes();
    let browser = Client::new(at);
    let again = browser.send(Method::POST, "/api/sessions", &headers, body.clone()).await;
    let again = again.expect("an answer");
    assert_eq!(again.status, 201);
    assert!(again.headers.get_all("set-cookie").iter().any(|cookie| text_of(cookie) == device));
    // A password change makes all devices new ones.
    let change = json!({"old": PASSWORD, "new": "another walk on a longer pier"});
    let mut ann = Client::new(at);
    let wish = json!({"name": "ann", "password": PASSWORD, "bearer": true});
    let known = browser.send(Method::POST, "/api/sessions", &headers, wish.to_string().into());
    ann.token = known.await.expect("an answer").json()["token"].as_str().map(str::to_owned);
    ann.send_json(Method::PUT, "/api/me/password", &change).await.good();
    let late = browser.send(Method::POST, "/api/sessions", &headers, body).await;
    assert_eq!(late.expect("an answer").code(), "locked-out");
    server.stop().await;
}

fn text_of(value: &hyper::header::HeaderValue) -> &str {
    value.to_str().expect("text")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_device_with_the_right_password_logs_in_during_an_attack() {
    let server = server(behind_a_proxy()).await;
    let at = server.address();
    account(at, "ann").await;
    attack(at, "ann", "203.0.113").await;
    let over = Arc::new(AtomicBool::new(false));
    let attackers: Vec<_> = (0..4)
        .map(|number| {
            let over = Arc::clone(&over);
            tokio::spawn(async move {
                for address in (1..250).cycle() {
                    if over.load(Ordering::Relaxed) {
                        break;
                    }
                    let from = format!("10.{number}.{}.{address}", address % 7);
                    attempt(at, &from, &wrong("ann")).await;
                }
            })
        })
        .collect();
    let start = Instant::now();
    let first = attempt(at, "198.51.100.1", &right("ann")).await;
    assert_eq!(first.code(), "locked-out");
    let mut said = first.json()["retry_after"].as_u64().expect("seconds");
    loop {
        assert!((1..=PROMISED.as_secs()).contains(&said), "{said}");
        tokio::time::sleep(Duration::from_secs(said)).await;
        let reply = attempt(at, "198.51.100.1", &right("ann")).await;
        if reply.status == 201 {
            break;
        }
        assert_eq!(reply.code(), "locked-out");
        said = reply.json()["retry_after"].as_u64().expect("seconds");
    }
    let took = start.elapsed();
    // The server's response time is added to the wait.
    assert!(took < PROMISED + Duration::from_secs(5), "{took:?}");
    over.store(true, Ordering::Relaxed);
    for attacker in attackers {
        attacker.await.expect("it ends");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_tries_many_names_gets_few_guesses() {
    let server = server(behind_a_proxy()).await;
    let at = server.address();
    let mut looked_at = 0;
    for number in 0..60 {
        let reply = attempt(at, "192.0.2.1", &wrong(&format!("name-{number}"))).await;
        looked_at += u32::from(reply.code() == "wrong-password");
    }
    assert!((20..=25).contains(&looked_at), "{looked_at}");
    assert_eq!(attempt(at, "192.0.2.2", &wrong("name-1")).await.code(), "wrong-password");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_has_a_bounded_number_of_devices() {
    let server = server(behind_a_proxy()).await;
    let at = server.address();
    let ann = account(at, "ann").await;
    let mut devices = Vec::new();
    for _ in 0..18 {
        devices.push(attempt(at, "198.51.100.1", &right("ann")).await.good()["device"].take());
    }
    attack(at, "ann", "203.0.113").await;
    let mut wish = right("ann");
    wish["device"] = devices[0].clone();
    assert_eq!(attempt(at, "198.51.100.2", &wish).await.code(), "locked-out", "it is too long ago");
    wish["device"] = devices[17].clone();
    attempt(at, "198.51.100.2", &wish).await.good();
    drop(ann);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn logins_are_served_during_a_flood_of_others() {
    let server = server(behind_a_proxy()).await;
    let at = server.address();
    account(at, "ann").await;
    let device = attempt(at, "198.51.100.1", &right("ann")).await.good()["device"].take();
    let over = Arc::new(AtomicBool::new(false));
    // Two addresses that send as many requests as they can, with names that are not known yet.
    let flood: Vec<_> = (0..64)
        .map(|number| {
            let over = Arc::clone(&over);
            tokio::spawn(async move {
                let from = format!("10.0.{}.1", number % 2);
                for attempt_number in 0.. {
                    if over.load(Ordering::Relaxed) {
                        break;
                    }
                    let name = format!("n-{number}-{attempt_number}");
                    attempt(at, &from, &wrong(&name)).await;
                }
            })
        })
        .collect();
    let mut wish = right("ann");
    wish["device"] = device;
    let mut longest = Duration::ZERO;
    for _ in 0..10 {
        let start = Instant::now();
        attempt(at, "198.51.100.1", &wish).await.good();
        longest = longest.max(start.elapsed());
    }
    assert!(longest < Duration::from_secs(5), "{longest:?}");
    over.store(true, Ordering::Relaxed);
    for task in flood {
        task.await.expect("it ends");
    }
    log_in(at, "ann").await;
    server.stop().await;
}
