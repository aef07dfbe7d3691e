//! Authorization: access to other players' data is refused, and each refusal is tested here.

use std::collections::BTreeSet;
use std::time::Duration;

use croupier_server::{Config, Limits, Timeouts};
use croupier_testing::{Client, Reply};
use hyper::Method;
use serde_json::{Value, json};

use crate::harness::{
    LogCapture, PASSWORD, account, become_account, config, endpoints, join, log_in, play_round,
    private_table, server, staffed, text,
};

#[track_caller]
fn refused(reply: &Reply, status: u16, code: &str) {
    let said = String::from_utf8_lossy(&reply.body);
    assert_eq!((reply.status.as_u16(), &*reply.code()), (status, code), "{said}");
    assert_eq!(reply.headers["content-type"], "application/problem+json");
    assert!(reply.json()["detail"].as_str().is_some_and(|words| !words.is_empty()), "{said}");
}

/// Every command about a seat, for seat 1.
fn commands_about_a_seat() -> Vec<Value> {
    vec![
        json!({"command": "leave", "seat": 1}),
        json!({"command": "sit-out", "seat": 1}),
        json!({"command": "sit-in", "seat": 1}),
        json!({"command": "take-bank", "seat": 1, "wager": 500}),
        json!({"command": "decline-bank", "seat": 1}),
        json!({"command": "commit-seed", "seat": 1, "commitment": "0".repeat(64)}),
        json!({"command": "reveal-seed", "seat": 1, "seed": "00"}),
        json!({"command": "give-up-seed", "seat": 1}),
        json!({"command": "wager", "seat": 1, "ante": 500}),
        json!({"command": "withdraw", "seat": 1}),
        json!({"command": "decide", "seat": 1, "decision": "check"}),
    ]
}

/// The names of all player commands in the OpenAPI description.
fn described_commands() -> BTreeSet<String> {
    let api: Value = serde_json::from_str(&croupier_server::openapi()).expect("JSON");
    let order = api["components"]["schemas"]["Order"]["oneOf"].as_array().expect("commands");
    order.iter().map(|order| text(&order["properties"]["command"]["enum"][0])).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_cannot_act_for_another_seat() {
    let server = server(config()).await;
    let ann = Client::guest(server.address()).await;
    let bea = Client::guest(server.address()).await;
    let eve = Client::guest(server.address()).await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    join(&bea, &table, &invite, 2).await.good();
    let path = format!("/api/tables/{table}/commands?invite={invite}");
    let mut tried: BTreeSet<String> = ["join", "deal", "expecting"].map(str::to_owned).into();
    for command in commands_about_a_seat() {
        tried.insert(text(&command["command"]));
        let expecting = json!({"command": "expecting", "round": 1, "then": command});
        for wish in [command, expecting] {
            for other in [&bea, &eve] {
                refused(&other.post(&path, &wish).await, 409, "not-your-seat");
            }
        }
    }
    assert_eq!(tried, described_commands(), "every command is tried");
    refused(&eve.post(&path, &json!({"command": "join", "seat": 1})).await, 409, "seat-taken");
    refused(&eve.post(&path, &json!({"command": "deal"})).await, 409, "not-seated");
    // The player comes from the session, and from nowhere else.
    let ann_id = text(&ann.get("/api/me").await.good()["player"]);
    let forged = json!({"command": "leave", "seat": 1, "player": ann_id});
    refused(&eve.post(&path, &forged).await, 400, "malformed");
    for player_of_another in ["void", "pause", "close", "open-round"] {
        let forged = json!({"command": player_of_another, "reason": "x", "seed": "0".repeat(64)});
        refused(&ann.post(&path, &forged).await, 400, "malformed");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn history_records_statistics_and_export_are_private() {
    let server = server(config()).await;
    let ann = Client::guest(server.address()).await;
    let eve = Client::guest(server.address()).await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    play_round(&ann, &table, 1).await;
    let id = text(&ann.get("/api/me").await.good()["player"]);
    assert_eq!(ann.get("/api/me/rounds").await.good()["rounds"].as_array().map(Vec::len), Some(1));
    for path in ["/api/me/rounds", "/api/me/records", "/api/me/statistics", "/api/me/export"] {
        for extra in ["", &format!("?player={id}"), &format!("?name={id}")] {
            let reply = eve.get(&format!("{path}{extra}")).await;
            let body = String::from_utf8_lossy(&reply.body).into_owned();
            assert!(!body.contains(&table) && !body.contains(&id), "{path}{extra}: {body}");
        }
        refused(&Client::new(server.address()).get(path).await, 401, "not-logged-in");
    }
    assert_eq!(eve.get("/api/me/statistics").await.good()["rounds"], 0);
    // No endpoint takes another player's name, except for those of the operator.
    for endpoint in endpoints().iter().filter(|endpoint| endpoint.tag != "operator") {
        let parameters = endpoint.operation.get("parameters").and_then(Value::as_array);
        for parameter in parameters.into_iter().flatten() {
            let name = text(&parameter["name"]);
            let known = [
                "table",
                "round",
                "session",
                "invite",
                "before",
                "after",
                "since",
                "house",
                "game",
                "paytable",
                "blind",
                "raises",
                "qualifying",
                "Idempotency-Key",
                "Last-Event-ID",
            ];
            assert!(known.contains(&&*name), "{} takes {name}: what for?", endpoint.path);
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_of_others_can_neither_be_seen_nor_ended() {
    let server = server(config()).await;
    let ann = Client::guest(server.address()).await;
    let eve = Client::guest(server.address()).await;
    let of_ann = text(&ann.get("/api/sessions").await.good()[0]["session"]);
    let of_eve = eve.get("/api/sessions").await.good();
    assert_eq!(of_eve.as_array().map(Vec::len), Some(1));
    assert_ne!(of_eve[0]["session"], *of_ann);
    let path = format!("/api/sessions/{of_ann}");
    let other = eve.send(Method::DELETE, &path, &[], Vec::new()).await.expect("an answer");
    refused(&other, 404, "no-such-session");
    let unknown = eve.send(Method::DELETE, "/api/sessions/0000000000", &[], Vec::new()).await;
    assert_eq!(unknown.expect("an answer").body, other.body);
    ann.get("/api/me").await.good();
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_table_is_hidden_from_players_without_an_invitation() {
    let server = server(config()).await;
    let ann = Client::guest(server.address()).await;
    let eve = Client::guest(server.address()).await;
    let stranger = Client::new(server.address());
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    play_round(&ann, &table, 1).await;
    let about_tables = endpoints()
        .into_iter()
        .filter(|endpoint| endpoint.path.contains("{table}") && endpoint.tag != "operator");
    let mut tried = 0;
    for endpoint in about_tables {
        let path = |table: &str| endpoint.path.replace("{table}", table).replace("{round}", "1");
        let method = Method::from_bytes(endpoint.method.as_bytes()).expect("a method");
        for visitor in [&eve, &stranger] {
            let wrong = format!("?invite={}", "a".repeat(26));
            for query in ["", &wrong, "?invite=", &format!("?invite={}", &invite[1..])] {
                let wish = json!({"command": "join", "seat": 2});
                let there = format!("{}{query}", path(&table));
                let not_there = format!("{}{query}", path("k7m2xq4w9p3c"));
                let there = visitor.send_json(method.clone(), &there, &wish).await;
                let not_there = visitor.send_json(method.clone(), &not_there, &wish).await;
                let logged_in = visitor.token.is_some() || !endpoint.changes();
                let (status, code) =
                    if logged_in { (404, "no-such-table") } else { (401, "not-logged-in") };
                refused(&there, status, code);
                assert_eq!((there.status, &there.body), (not_there.status, &not_there.body));
                let names = |reply: &Reply| {
                    reply.headers.keys().map(ToString::to_string).collect::<Vec<_>>()
                };
                assert_eq!(names(&there), names(&not_there));
                tried += 1;
            }
        }
    }
    assert!(tried >= 7 * 8, "{tried}");
    let listed = stranger.get("/api/tables").await.good();
    assert_eq!(listed, json!([]), "it is not in the lobby");
    // With the invitation it is visible, and the invitation is shown only to seated players.
    let seen = eve.get(&format!("/api/tables/{table}?invite={invite}")).await.good();
    assert!(seen.get("invite").is_none(), "{seen}");
    assert_eq!(ann.get(&format!("/api/tables/{table}")).await.good()["invite"], *invite);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_of_a_private_round_is_for_its_players_only() {
    let server = server(config()).await;
    let ann = Client::guest(server.address()).await;
    let bea = Client::guest(server.address()).await;
    let eve = Client::guest(server.address()).await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&bea, &table, &invite, 1).await.good();
    play_round(&bea, &table, 1).await;
    bea.command(&table, &json!({"command": "leave", "seat": 1})).await.good();
    let path = format!("/api/tables/{table}/rounds/1");
    assert_eq!(bea.get(&path).await.good(), ann.get(&path).await.good());
    refused(&eve.get(&path).await, 404, "no-such-table");
    refused(&Client::new(server.address()).get(&path).await, 404, "no-such-table");
    eve.get(&format!("{path}?invite={invite}")).await.good();
    // A player who played one round has not played the others.
    let other = format!("/api/tables/{table}/rounds/2");
    refused(&eve.get(&other).await, 404, "no-such-table");
    // It was open when the table closed, and was not dealt.
    assert_eq!(ann.get(&other).await.good()["format"], "croupier-undealt/1");
    let none = format!("/api/tables/{table}/rounds/3");
    refused(&ann.get(&none).await, 404, "no-such-round");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn operator_endpoints_are_refused_to_other_players() {
    let (server, operator) = staffed(config()).await;
    let stranger = Client::new(server.address());
    let guest = Client::guest(server.address()).await;
    let ann = account(server.address(), "ann").await;
    let mut tried = 0;
    for endpoint in endpoints() {
        let named = endpoint.path.starts_with("/api/operator");
        assert_eq!(endpoint.tag == "operator", named, "{}", endpoint.path);
        if !named {
            continue;
        }
        let method = Method::from_bytes(endpoint.method.as_bytes()).expect("a method");
        for with in ["ann", "uth-standard"] {
            let path = endpoint.filled(with);
            let body = json!({"reason": "x", "command": "resume"});
            let reply = stranger.send_json(method.clone(), &path, &body).await;
            refused(&reply, 401, "not-logged-in");
            for player in [&guest, &ann] {
                let reply = player.send_json(method.clone(), &path, &body).await;
                refused(&reply, 403, "not-operator");
            }
            let reply = operator.send_json(method.clone(), &path, &json!({})).await;
            assert!(!["not-operator", "not-logged-in"].contains(&&*reply.code()), "{path}");
        }
        tried += 1;
    }
    assert!(tried >= 12, "{tried}");
    // The refusal is recorded, though not every time.
    let events = operator.get("/api/operator/reports/events").await.good();
    let kinds: Vec<_> = events.as_array().expect("events").iter().map(|it| &it["kind"]).collect();
    let refusals = kinds.iter().filter(|kind| **kind == "not-operator").count();
    assert!((1..=12).contains(&refusals), "{refusals}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_can_watch_but_not_play() {
    let (server, operator) = staffed(config()).await;
    let ann = Client::guest(server.address()).await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    for command in [json!({"command": "join", "seat": 2}), json!({"command": "deal"})] {
        let path = format!("/api/tables/{table}/commands?invite={invite}");
        refused(&operator.post(&path, &command).await, 403, "not-player");
    }
    refused(&operator.post("/api/play", &json!({})).await, 403, "not-player");
    join(&ann, &table, &invite, 1).await.good();
    ann.command(&table, &json!({"command": "wager", "seat": 1, "ante": 500})).await.good();
    ann.command(&table, &json!({"command": "deal"})).await.good();
    let path = format!("/api/tables/{table}");
    let hand = |state: &Value| state["round"]["hands"][0]["cards"].clone();
    assert!(!hand(&ann.get(&path).await.good()).is_null());
    assert!(hand(&operator.get(&path).await.good()).is_null(), "as for any viewer");
    let reply = operator.post(&format!("{path}/bots"), &json!({})).await;
    refused(&reply, 409, "not-seated");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_banned_player_is_logged_out() {
    let (server, operator) = staffed(config()).await;
    let ann = account(server.address(), "ann").await;
    let elsewhere = log_in(server.address(), "ann").await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    let because = json!({"reason": "counts cards"});
    let banned = operator.send_json(Method::PUT, "/api/operator/players/ann/ban", &because).await;
    assert_eq!(banned.good()["tables"], json!([]), "the player has left all tables");
    refused(&ann.get("/api/me").await, 401, "session-over");
    refused(&elsewhere.get("/api/me").await, 401, "session-over");
    let wish = json!({"name": "ann", "password": PASSWORD});
    let stranger = Client::new(server.address());
    refused(&stranger.post("/api/sessions", &wish).await, 403, "banned");
    let wrong = json!({"name": "ann", "password": "not the password"});
    refused(&stranger.post("/api/sessions", &wrong).await, 401, "wrong-password");
    let own_ban = operator.send_json(Method::PUT, "/api/operator/players/olga/ban", &because).await;
    refused(&own_ban, 403, "not-player");
    let path = "/api/operator/players/ann/ban";
    operator.send(Method::DELETE, path, &[], Vec::new()).await.expect("an answer").good();
    log_in(server.address(), "ann").await.get("/api/me").await.good();
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_token_is_issued_on_every_login_and_new_account() {
    let server = server(config()).await;
    let mut ann = Client::guest(server.address()).await;
    let as_guest = ann.clone();
    become_account(&mut ann, "ann").await;
    assert_ne!(as_guest.token, ann.token);
    refused(&as_guest.get("/api/me").await, 401, "session-over");
    let again = log_in(server.address(), "ANN").await;
    assert_ne!(again.token, ann.token);
    assert_eq!(ann.get("/api/sessions").await.good().as_array().map(Vec::len), Some(2));

    // Log out here, and there by session id.
    let here = again.send(Method::DELETE, "/api/sessions/current", &[], Vec::new()).await;
    assert_eq!(here.expect("an answer").status, 204);
    refused(&again.get("/api/me").await, 401, "session-over");
    let there = log_in(server.address(), "ann").await;
    let sessions = ann.get("/api/sessions").await.good();
    let other = sessions.as_array().expect("sessions").iter().find(|it| it["current"] == false);
    let path = format!("/api/sessions/{}", text(&other.expect("another")["session"]));
    let ended = ann.send(Method::DELETE, &path, &[], Vec::new()).await.expect("an answer");
    assert_eq!(ended.status, 204);
    refused(&there.get("/api/me").await, 401, "session-over");
    ann.get("/api/me").await.good();

    // Log out everywhere.
    let there = log_in(server.address(), "ann").await;
    let all = ann.send(Method::DELETE, "/api/sessions", &[], Vec::new()).await;
    assert_eq!(all.expect("an answer").status, 204);
    for over in [&ann, &there] {
        refused(&over.get("/api/me").await, 401, "session-over");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_change_ends_every_session() {
    let server = server(config()).await;
    let ann = account(server.address(), "ann").await;
    let there = log_in(server.address(), "ann").await;
    let change = |old: &str, new: &str| json!({"old": old, "new": new, "bearer": true});
    let new = "another long walk";
    let put = |visitor: Client, body: Value| async move {
        visitor.send_json(Method::PUT, "/api/me/password", &body).await
    };
    refused(&put(ann.clone(), change("wrong password", new)).await, 401, "wrong-password");
    refused(&put(ann.clone(), change(PASSWORD, "short")).await, 422, "bad-password");
    let guest = Client::guest(server.address()).await;
    refused(&put(guest, change(PASSWORD, new)).await, 403, "not-account");
    let changed = put(ann.clone(), change(PASSWORD, new)).await.good();
    for over in [&ann, &there] {
        refused(&over.get("/api/me").await, 401, "session-over");
    }
    let mut ann = ann;
    ann.token = changed["token"].as_str().map(str::to_owned);
    ann.get("/api/me").await.good();
    let old = json!({"name": "ann", "password": PASSWORD});
    refused(&ann.post("/api/sessions", &old).await, 401, "wrong-password");
    ann.post("/api/sessions", &json!({"name": "ann", "password": new})).await.good();
    server.stop().await;
}

/// A configuration with this idle timeout and this maximum duration of sessions.
fn lasting(idle: u64, longest: u64) -> Config {
    let lasts = (Duration::from_millis(idle), Duration::from_millis(longest));
    let timeouts = Timeouts { session: lasts, guest_session: lasts, ..Timeouts::default() };
    Config { timeouts, ..config() }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_session_ends() {
    let server = server(lasting(1_000, 3_600_000)).await;
    let guest = Client::guest(server.address()).await;
    guest.get("/api/me").await.good();
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    refused(&guest.get("/api/me").await, 401, "session-over");
    // Public endpoints refuse an ended session too, so that the client learns of it.
    refused(&guest.get("/api/tables/k7m2xq4w9p3c").await, 401, "session-over");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_active_session_lasts_but_not_forever() {
    let server = server(lasting(2_000, 4_000)).await;
    let guest = Client::guest(server.address()).await;
    for _ in 0..6 {
        tokio::time::sleep(Duration::from_millis(400)).await;
        guest.get("/api/me").await.good();
    }
    tokio::time::sleep(Duration::from_millis(1_700)).await;
    refused(&guest.get("/api/me").await, 401, "session-over");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_with_its_session_even_at_a_busy_table() {
    let timeouts = Timeouts { keepalive: Duration::from_millis(200), ..Timeouts::default() };
    let server = server(Config { timeouts, ..config() }).await;
    let ann = Client::guest(server.address()).await;
    let eve = Client::guest(server.address()).await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    join(&eve, &table, &invite, 2).await.good();
    let mut watch = eve.watch(&format!("/api/tables/{table}/events"), None).await.expect("news");
    eve.send(Method::DELETE, "/api/sessions", &[], Vec::new()).await.expect("an answer");
    let busy = async {
        for ante in (500..=10_000).step_by(500).cycle() {
            ann.command(&table, &json!({"command": "wager", "seat": 1, "ante": ante})).await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let over = async { while watch.next().await.is_some() {} };
    tokio::select! {
        () = busy => unreachable!("it never ends"),
        over = tokio::time::timeout(Duration::from_secs(10), over) => over.expect("an end"),
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cookie_is_hidden_from_scripts_and_other_sites() {
    let plain = server(config()).await;
    let public_url = Some("https://cards.example".to_owned());
    let secure = server(Config { public_url, ..config() }).await;
    for (server, name, ends) in [
        (plain, "croupier", "Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000"),
        (secure, "__Host-croupier", "Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=34560000"),
    ] {
        let stranger = Client::new(server.address());
        let reply = stranger.post("/api/guests", &json!({})).await;
        let cookie = reply.headers["set-cookie"].to_str().expect("a cookie").to_owned();
        let (pair, attributes) = cookie.split_once("; ").expect("attributes");
        let (key, token) = pair.split_once('=').expect("a value");
        assert_eq!((key, attributes), (name, ends));
        assert_eq!(token.len(), 64, "256 bits");
        assert!(reply.good().get("token").is_none(), "a page does not need it");
        assert!(!String::from_utf8_lossy(&reply.body).contains(token));
        // It is found among other cookies.
        let cookies = format!("a=b; {pair}; c");
        let send = |method, path, cookies: String| {
            let stranger = stranger.clone();
            async move {
                let headers = [("cookie", &*cookies)];
                stranger.send(method, path, &headers, Vec::new()).await.expect("an answer")
            }
        };
        send(Method::GET, "/api/me", cookies.clone()).await.good();
        // A cookie with another name is not ours.
        let other = format!("x{pair}");
        refused(&send(Method::GET, "/api/me", other).await, 401, "not-logged-in");
        let gone = send(Method::DELETE, "/api/sessions/current", cookies).await;
        let cookie = gone.headers["set-cookie"].to_str().expect("a cookie").to_owned();
        assert!(cookie.starts_with(&format!("{name}=; ")) && cookie.ends_with("Max-Age=0"));
        assert_eq!(gone.status, 204);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cookie_of_a_short_session_ends_with_the_browser() {
    let server = server(config()).await;
    account(server.address(), "ann").await;
    let wish = json!({"name": "ann", "password": PASSWORD, "short": true});
    let reply = Client::new(server.address()).post("/api/sessions", &wish).await;
    assert_eq!(reply.status, 201);
    let cookie = reply.headers["set-cookie"].to_str().expect("a cookie");
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_does_not_reveal_whether_a_player_exists() {
    let server = server(config()).await;
    account(server.address(), "ann").await;
    let stranger = Client::new(server.address());
    let mut answers = Vec::new();
    for name in ["ann", "bea"] {
        let wish = json!({"name": name, "password": "not the password"});
        let mut replies = Vec::new();
        for attempt in 0..4 {
            let reply = stranger.post("/api/sessions", &wish).await;
            let (status, code) =
                if attempt < 3 { (401, "wrong-password") } else { (429, "locked-out") };
            refused(&reply, status, code);
            if attempt == 3 {
                assert!(reply.headers.contains_key("retry-after"));
            }
            let mut body = reply.json();
            body["retry_after"].take();
            // It says how many seconds to wait.
            body["detail"].take();
            replies.push(body);
        }
        // Even the right password is refused, with the name in any case: a guess could be right.
        let right = json!({"name": name.to_uppercase(), "password": PASSWORD});
        refused(&stranger.post("/api/sessions", &right).await, 429, "locked-out");
        answers.push(replies);
    }
    assert_eq!(answers[0], answers[1]);
    // A string that is not a valid name belongs to no player.
    for name in ["", "a", "ann lee", "\u{0}", &"a".repeat(10_000)] {
        let wish = json!({"name": name, "password": "not the password"});
        refused(&stranger.post("/api/sessions", &wish).await, 401, "wrong-password");
    }
    let long = json!({"name": "cy", "password": "x".repeat(2_000)});
    refused(&stranger.post("/api/sessions", &long).await, 401, "wrong-password");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_guesses_at_once_only_three_are_checked() {
    let server = server(config()).await;
    let stranger = Client::new(server.address());
    let guesses = (0..12).map(|guess| {
        let stranger = stranger.clone();
        tokio::spawn(async move {
            let wish = json!({"name": "ann", "password": format!("guess number {guess}")});
            stranger.post("/api/sessions", &wish).await.code()
        })
    });
    let guesses: Vec<_> = guesses.collect();
    let mut looked_at = 0;
    for guess in guesses {
        let code = guess.await.expect("an answer");
        assert!(["wrong-password", "locked-out"].contains(&&*code), "{code}");
        looked_at += u32::from(code == "wrong-password");
    }
    assert!(looked_at <= 3, "{looked_at}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_keeps_chips_seats_and_history_as_an_account() {
    let server = server(config()).await;
    let mut ann = Client::guest(server.address()).await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    play_round(&ann, &table, 1).await;
    let before = ann.get("/api/me").await.good();
    let rounds = ann.get("/api/me/rounds").await.good();
    assert_eq!(before["kind"], "guest");
    let after = become_account(&mut ann, "Ann").await;
    for same in ["player", "chips", "in_play", "tables", "since"] {
        assert_eq!(before[same], after[same], "{same}");
    }
    assert_eq!((&after["kind"], &after["name"]), (&json!("account"), &json!("Ann")));
    assert_eq!(ann.get("/api/me/rounds").await.good(), rounds);
    let state = ann.get(&format!("/api/tables/{table}")).await.good();
    assert_eq!(
        (&state["seats"][0]["name"], &state["seats"][0]["you"]),
        (&json!("Ann"), &json!(true))
    );
    play_round(&ann, &table, 1).await;
    let wish = json!({"name": "other", "password": PASSWORD});
    refused(&ann.post("/api/me/account", &wish).await, 409, "not-guest");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_player_leaves_only_rounds_behind() {
    let server = server(config()).await;
    let ann = account(server.address(), "ann").await;
    let there = log_in(server.address(), "ann").await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    play_round(&ann, &table, 1).await;
    let id = text(&ann.get("/api/me").await.good()["player"]);
    let delete = |visitor: &Client, body: Value| {
        let visitor = visitor.clone();
        async move { visitor.send_json(Method::DELETE, "/api/me", &body).await }
    };
    refused(&delete(&ann, json!({})).await, 401, "wrong-password");
    refused(&delete(&ann, json!({"password": "no"})).await, 401, "wrong-password");
    refused(&delete(&ann, json!({"password": PASSWORD})).await, 409, "still-seated");
    ann.command(&table, &json!({"command": "leave", "seat": 1})).await.good();
    assert_eq!(delete(&ann, json!({"password": PASSWORD})).await.status, 204);
    for over in [&ann, &there] {
        refused(&over.get("/api/me").await, 401, "session-over");
    }
    let wish = json!({"name": "ann", "password": PASSWORD});
    let stranger = Client::new(server.address());
    refused(&stranger.post("/api/sessions", &wish).await, 401, "wrong-password");
    // The rounds are still there, under the id.
    let path = format!("/api/tables/{table}/rounds?invite={invite}");
    let rounds = stranger.get(&path).await.good();
    // The last round was open when the player left, and was not dealt.
    assert!(rounds[0]["undealt"].is_string(), "{rounds}");
    assert_eq!(rounds[1]["seats"][0]["player"], *id);
    assert!(!rounds.to_string().contains("\"ann\""));
    // The name is free again, and its next owner gets nothing of the old account.
    let other = account(server.address(), "Ann").await;
    let me = other.get("/api/me").await.good();
    assert_ne!(me["player"], *id);
    assert_eq!(other.get("/api/me/rounds").await.good()["rounds"], json!([]));
    let guest = Client::guest(server.address()).await;
    assert_eq!(delete(&guest, json!({})).await.status, 204);
    refused(&guest.get("/api/me").await, 401, "session-over");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_export_has_everything() {
    let server = server(config()).await;
    let ann = account(server.address(), "ann").await;
    log_in(server.address(), "ann").await;
    let (table, invite) = private_table(&ann, "utcp-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    for _ in 0..3 {
        play_round(&ann, &table, 1).await;
    }
    let export = ann.get("/api/me/export").await;
    assert_eq!(export.headers["content-type"], "application/x-ndjson");
    let body = String::from_utf8(export.body).expect("UTF-8");
    let lines: Vec<Value> =
        body.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0]["me"], ann.get("/api/me").await.good());
    assert_eq!(lines[0]["sessions"].as_array().map(Vec::len), Some(2));
    let rounds = ann.get("/api/me/rounds").await.good();
    assert_eq!(lines.len() - 1, rounds["rounds"].as_array().expect("rounds").len());
    for line in &lines[1..] {
        assert_eq!(ann.post("/api/verify", line).await.good()["verified"], true);
    }
    let records = String::from_utf8(ann.get("/api/me/records").await.body).expect("UTF-8");
    assert!(body.ends_with(&records));
    // It does not contain anything to log in with.
    assert!(!body.contains("argon2") && !body.contains(ann.token.as_deref().expect("a token")));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn taken_and_misleading_names_are_refused() {
    let server = server(config()).await;
    account(server.address(), "Ann").await;
    let guest = Client::guest(server.address()).await;
    let id = text(&guest.get("/api/me").await.good()["player"]);
    let wish = |name: &str| json!({"name": name, "password": PASSWORD});
    let taken = ["ann", "ANN", "Ann", "operator", "Admin-1", "House", "guest-7f3k2m", "somebody"];
    let bots = ["Ada", "ada", "SONJA", "e-m-m-y", "Thomas7", "bot-0-k7m2xq4w9p3c"];
    for name in taken.into_iter().chain(bots).chain([&*id]) {
        let reply = guest.post("/api/me/account", &wish(name)).await;
        refused(&reply, 409, "name-taken");
    }
    for name in ["", "a", "7up", "ann lee", "änn", "ann\u{200b}", "-ann", &"a".repeat(25)] {
        let reply = guest.post("/api/me/account", &wish(name)).await;
        refused(&reply, 422, "bad-name");
    }
    for password in ["", "short", "password", "qwertyuiop", "beatrice1", "aaaaaaaaaaaa"] {
        let wish = json!({"name": "beatrice", "password": password});
        refused(&guest.post("/api/me/account", &wish).await, 422, "bad-password");
    }
    let long = json!({"name": "beatrice", "password": "x y".repeat(100)});
    refused(&guest.post("/api/me/account", &long).await, 422, "bad-password");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_players_who_request_one_name_at_once_one_gets_it() {
    let server = server(config()).await;
    for round in 0..3 {
        let name = format!("ann{}", ["x", "y", "z"][round]);
        let mut wishes = Vec::new();
        for _ in 0..2 {
            let guest = Client::guest(server.address()).await;
            let wish = json!({"name": name, "password": PASSWORD});
            wishes.push(tokio::spawn(async move { guest.post("/api/me/account", &wish).await }));
        }
        let mut codes = Vec::new();
        for wish in wishes {
            let reply = wish.await.expect("an answer");
            codes.push((reply.status.as_u16(), reply.code()));
        }
        codes.sort();
        assert_eq!(codes, [(201, String::new()), (409, "name-taken".to_owned())]);
        log_in(server.address(), &name).await;
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_who_requests_two_names_at_once_gets_one() {
    let server = server(config()).await;
    for (first, second) in [("ann", "bea"), ("cyd", "CYD"), ("dot", "eve")] {
        let guest = Client::guest(server.address()).await;
        let wishes = [first, second].map(|name| {
            let (guest, wish) = (guest.clone(), json!({"name": name, "password": PASSWORD}));
            tokio::spawn(async move { guest.post("/api/me/account", &wish).await })
        });
        let mut got = Vec::new();
        for (wish, name) in wishes.into_iter().zip([first, second]) {
            let reply = wish.await.expect("an answer");
            if reply.status == 201 {
                got.push(name);
            } else {
                let code = reply.code();
                assert!(["not-guest", "session-over", "name-taken"].contains(&&*code), "{code}");
            }
        }
        assert_eq!(got.len(), 1, "{got:?}");
        log_in(server.address(), got[0]).await.get("/api/me").await.good();
        // The other name is free, unless it is the same.
        let other = if got[0] == first { second } else { first };
        if !other.eq_ignore_ascii_case(got[0]) {
            account(server.address(), other).await;
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_set_by_the_server_are_refused_in_requests() {
    let (server, operator) = staffed(config()).await;
    let ann = Client::guest(server.address()).await;
    let (table, _) = private_table(&ann, "uth-standard").await;
    let commands = format!("/api/tables/{table}/commands");
    let wishes = [
        (&ann, "POST", "/api/guests", json!({"chips": 1_000_000})),
        (&ann, "POST", "/api/guests", json!({"kind": "operator"})),
        (&ann, "POST", "/api/guests", json!({"player": "p-7f3k2m9x4t8r2w5y"})),
        (
            &ann,
            "POST",
            "/api/me/account",
            json!({"name": "ann", "password": PASSWORD, "kind": "operator"}),
        ),
        (&ann, "POST", "/api/sessions", json!({"name": "a", "password": "b", "kind": "operator"})),
        (&ann, "PUT", "/api/me/password", json!({"old": "a", "new": "b", "name": "olga"})),
        (&ann, "DELETE", "/api/me", json!({"player": "olga"})),
        (&ann, "POST", "/api/tables", json!({"house": "uth-standard", "host": "olga"})),
        (&ann, "POST", "/api/tables", json!({"house": "uth-standard", "invite": "a"})),
        (&ann, "POST", "/api/play", json!({"player": "olga"})),
        (&ann, "POST", &commands, json!({"command": "join", "seat": 1, "chips": 5})),
        (&operator, "PUT", "/api/operator/players/olga/ban", json!({"reason": "x", "by": "y"})),
    ];
    for (who, method, path, body) in wishes {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        refused(&who.send_json(method, path, &body).await, 400, "malformed");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_and_passwords_are_never_sent_or_logged() {
    let server = server(config()).await;
    let mut ann = Client::guest(server.address()).await;
    let as_guest = ann.token.clone().expect("a token");
    become_account(&mut ann, "ann").await;
    let token = ann.token.clone().expect("a token");
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    refused(&ann.get("/api/operator/tables").await, 403, "not-operator");
    ann.get("/api/nowhere").await;
    let wrong = json!({"name": "ann", "password": "the wrong password"});
    ann.clone().post("/api/sessions", &wrong).await;
    // In a URL the token is worth nothing.
    let stranger = Client::new(server.address());
    for key in ["token", "access_token", "session", "croupier"] {
        let reply = stranger.get(&format!("/api/me?{key}={token}")).await;
        refused(&reply, 401, "not-logged-in");
    }
    let sessions = ann.get("/api/sessions").await.good().to_string();
    let metrics = String::from_utf8(stranger.get("/metrics").await.body).expect("UTF-8");
    let log = LogCapture::text();
    assert!(log.contains("significant event"), "the log is captured");
    for secret in [&*as_guest, &token, PASSWORD, "the wrong password", "argon2id"] {
        for said in [&log, &sessions, &metrics] {
            assert!(!said.contains(secret), "{secret} is leaked");
        }
    }
    assert!(!metrics.contains(&table) && !metrics.contains("nowhere"), "{metrics}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_can_sit_at_many_tables() {
    let limits = Limits { tables_per_player: 0, ..config().limits };
    let server = server(Config { limits, ..config() }).await;
    let guest = Client::guest(server.address()).await;
    let mut tables = Vec::new();
    for _ in 0..33 {
        tables.push(private_table(&guest, "uth-standard").await.0);
    }
    for table in &tables[..32] {
        join(&guest, table, "", 1).await.good();
        guest.command(table, &json!({"command": "wager", "seat": 1, "ante": 500})).await.good();
    }
    let me = guest.get("/api/me").await.good();
    assert_eq!(me["tables"].as_array().map(Vec::len), Some(32));
    assert_eq!(me["in_play"], 32 * 1000, "Ante and Blind at each");
    refused(&join(&guest, &tables[32], "", 1).await, 429, "too-many-tables");
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_requests_for_chips_give_them_once() {
    let (server, operator) = staffed(config()).await;
    let guest = Client::guest(server.address()).await;
    let player = text(&guest.get("/api/me").await.good()["player"]);
    let path = format!("/api/operator/players/{player}/adjustments");
    let body = json!({"amount": -100_000, "reason": "to try it"}).to_string().into_bytes();
    let headers = [("content-type", "application/json"), ("idempotency-key", "k1")];
    operator.send(Method::POST, &path, &headers, body).await.expect("an answer").good();
    let asked = (0..5).map(|_| {
        let guest = guest.clone();
        tokio::spawn(async move { guest.post("/api/me/chips", &json!({})).await.status.as_u16() })
    });
    let mut given = 0;
    for asked in asked.collect::<Vec<_>>() {
        given += usize::from(asked.await.expect("an answer") == 200);
    }
    assert_eq!(given, 1);
    assert_eq!(guest.get("/api/me").await.good()["chips"], 100_000);
    refused(&operator.post("/api/me/chips", &json!({})).await, 403, "not-player");
}
