//! Players take another name, and sessions last as long as they asked for.

use croupier_testing::{Client, Method, Reply};
use serde_json::{Value, json};

use crate::harness::{PASSWORD, account, become_account, config, log_in, server, staffed};

async fn rename(player: &Client, name: &str) -> Reply {
    player.send_json(Method::PATCH, "/api/me", &json!({ "name": name })).await
}

#[tokio::test]
async fn a_player_takes_another_name_and_frees_the_former_one() {
    let house = server(config()).await;
    let guest = Client::guest(house.address()).await;
    assert_eq!(rename(&guest, "Ann").await.good()["name"], "Ann");
    assert_eq!(guest.get("/api/me").await.good()["name"], "Ann");
    let bea = account(house.address(), "bea").await;
    assert_eq!(rename(&bea, "ANN").await.code(), "name-taken", "names differ in more than case");
    assert_eq!(rename(&bea, "Sonja").await.code(), "name-taken", "it is a bot's");
    assert_eq!(rename(&bea, "a b").await.code(), "bad-name");
    assert_eq!(rename(&bea, &"x".repeat(25)).await.code(), "bad-name");
    assert_eq!(rename(&bea, &"x".repeat(24)).await.good()["name"], "x".repeat(24));
    // The former name is free, for a guest who makes an account too.
    let mut cy = Client::guest(house.address()).await;
    rename(&cy, "Cy").await.good();
    become_account(&mut cy, "bea").await;
    assert_eq!(rename(&bea, "cy").await.good()["name"], "cy");
    assert_eq!(rename(&bea, "Cy").await.good()["name"], "Cy", "the same name in another case");
    assert_eq!(rename(&bea, "Cy").await.good()["name"], "Cy", "the same name");
}

#[tokio::test]
async fn an_account_uses_its_new_name_with_its_password() {
    let house = server(config()).await;
    let ann = account(house.address(), "ann").await;
    rename(&ann, "anna").await.good();
    // Others see it at a table.
    let seated = ann.post("/api/play", &json!({})).await.good();
    assert_eq!(seated["state"]["seats"][0]["name"], "anna");
    let anna = log_in(house.address(), "anna").await;
    let old = json!({"name": "ann", "password": PASSWORD});
    assert_eq!(
        Client::new(house.address()).post("/api/sessions", &old).await.code(),
        "wrong-password"
    );
    // A session from before the change knows the new name.
    let change = json!({"old": PASSWORD, "new": "another walk on a longer pier"});
    ann.send_json(Method::PUT, "/api/me/password", &change).await.good();
    assert_eq!(anna.get("/api/me").await.code(), "session-over");
}

#[tokio::test]
async fn names_do_not_change_all_the_time() {
    let (house, operator) = staffed(config()).await;
    let ann = Client::guest(house.address()).await;
    for number in 0..5 {
        rename(&ann, &format!("ann{number}")).await.good();
    }
    let refused = rename(&ann, "anna").await;
    assert_eq!(refused.code(), "too-soon");
    let wait = refused.json()["retry_after"].as_u64().expect("seconds");
    assert!((3_500..=3_601).contains(&wait), "{wait}");
    // The name that was refused is free.
    let bea = Client::guest(house.address()).await;
    rename(&bea, "anna").await.good();
    assert_eq!(rename(&operator, "oli").await.code(), "not-player");
}

/// Returns the time from the beginning of the current session to its end, and its cookie.
async fn begun(address: std::net::SocketAddr, path: &str, wish: &Value) -> (i64, String) {
    let visitor = Client::new(address);
    let reply = visitor.post(path, wish).await;
    reply.good();
    let cookies: Vec<&str> = reply
        .headers
        .get_all("set-cookie")
        .iter()
        .map(|cookie| cookie.to_str().expect("plain"))
        .collect();
    let own = cookies.iter().find(|cookie| cookie.starts_with("croupier=")).expect("a cookie");
    let token = own.split([';', '=']).nth(1).expect("a token").to_owned();
    let mut visitor = Client::new(address);
    visitor.token = Some(token);
    let sessions = visitor.get("/api/sessions").await.good();
    let mut sessions = sessions.as_array().expect("sessions").iter();
    let session = sessions.find(|session| session["current"] == true).expect("this one");
    let at = |field: &str| session[field].as_i64().expect("a time");
    (at("until") - at("since"), (*own).to_owned())
}

#[tokio::test]
async fn a_session_lasts_for_weeks_unless_it_should_be_short() {
    const HALF_HOUR: i64 = 30 * 60_000;
    const WEEK: i64 = 7 * 24 * 60 * 60_000;
    let (house, _) = staffed(config()).await;
    account(house.address(), "ann").await;
    let wish =
        |name: &str, short: bool| json!({"name": name, "password": PASSWORD, "short": short});
    for (path, wish, long) in [
        ("/api/guests", json!({}), true),
        ("/api/sessions", json!({"name": "ann", "password": PASSWORD}), true),
        ("/api/sessions", wish("ann", false), true),
        ("/api/sessions", wish("ann", true), false),
        ("/api/sessions", wish("olga", false), false),
    ] {
        let (time, cookie) = begun(house.address(), path, &wish).await;
        assert_eq!(time > WEEK, long, "{wish}: {time}");
        assert_eq!(time < HALF_HOUR + 60_000, !long, "{wish}: {time}");
        assert_eq!(cookie.contains("Max-Age"), long, "{wish}: {cookie}");
    }
}
