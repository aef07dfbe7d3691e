//! The state of a table apart from its cards: its terms, and a player's chips.

use croupier_rules::Catalog;
use croupier_testing::{Client, Reply};
use hyper::Method;
use serde_json::{Value, json};

use crate::harness::{account, config, join, play_round, private_table, server, staffed, text};

/// Returns the table as a player sees it.
async fn look(who: &Client, table: &str, invite: &str) -> Value {
    who.get(&format!("/api/tables/{table}?invite={invite}")).await.good()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_shows_its_house_and_game() {
    let server = server(config()).await;
    let guest = Client::guest(server.address()).await;
    for (house, title, game, bonus) in [
        ("uth-standard", "Ultimate Texas Hold'em", "uth", "Trips"),
        ("uth-california", "Ultimate Texas Hold'em, California", "uth", "Trips"),
        ("utcp-standard", "Ultimate Three Card Poker", "utcp", "Pair Plus"),
    ] {
        let (table, invite) = private_table(&guest, house).await;
        let state = look(&guest, &table, &invite).await;
        assert_eq!(state["house_title"], title);
        assert_eq!([&state["game"], &state["bonus_name"]], [game, bonus]);
        let shown = guest.get(&format!("/api/houses/{house}")).await.good();
        let mut limits = state["limits"].clone();
        let play = limits.as_object_mut().map(|fields| {
            (fields.remove("play_min").expect("a bet"), fields.remove("play_max").expect("a bet"))
        });
        assert_eq!(limits, shown["limits"]);
        assert_eq!(limits["ante_min"], 500);
        let largest = if game == "uth" { 4 } else { 3 };
        assert_eq!(play, Some((json!(1), json!(largest))), "{house}");
        let cards = if game == "uth" { [2, 5] } else { [3, 0] };
        assert_eq!([&state["hand_size"], &state["board_size"]], cards.map(Value::from).each_ref());
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_shows_its_felt_inscription_and_own_house() {
    let server = server(config()).await;
    let guest = Client::guest(server.address()).await;
    let catalog = Catalog::shipped();
    for house in catalog.houses() {
        let (table, invite) = private_table(&guest, house.id()).await;
        let state = look(&guest, &table, &invite).await;
        assert_eq!(state["inscription"], house.inscription());
        assert_eq!(state["own_house"], false, "{}", house.id());
        let placard =
            guest.get(&format!("/api/tables/{table}/placard?invite={invite}")).await.good();
        let printed = placard["printed"].as_array().expect("pay tables");
        assert_eq!([&printed[0]["name"], &printed[1]["name"]], ["Blind", bonus_of(house)]);
        let last = |table: &Value| table["rows"].as_array().and_then(|rows| rows.last()).cloned();
        let blind = house.blind_paytable().rest(house.game()).expect("a last row");
        assert_eq!(last(&printed[0]), Some(json!({"hand": blind.hand, "pays": "push"})));
        assert_eq!(last(&printed[1]), Some(json!({"hand": "other", "pays": "lose"})));
    }
    // The host's own house is marked, at the table and in the lobby.
    let own = json!({"house": own_house(&guest).await, "public": true});
    let state = guest.post("/api/tables", &own).await.good();
    assert_eq!(state["own_house"], true);
    let open = json!({"house": "utcp-standard", "public": true});
    guest.post("/api/tables", &open).await.good();
    for listed in guest.get("/api/tables").await.good().as_array().expect("tables") {
        assert_eq!(listed["own_house"], listed["house"] == "mine", "{listed}");
    }
    server.stop().await;
}

fn bonus_of(house: &croupier_rules::House) -> &'static str {
    house.game().def().bonus
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seated_player_sees_their_chips() {
    let (server, operator) = staffed(config()).await;
    let [ann, bob] = [Client::guest(server.address()).await, Client::guest(server.address()).await];
    let (table, invite) = private_table(&ann, "uth-standard").await;
    // A player who is not seated does not see chips, and no player sees those of others.
    assert_eq!(look(&ann, &table, &invite).await.get("chips"), None);
    let done = join(&ann, &table, &invite, 1).await.good();
    assert_eq!(done["state"]["chips"], 100_000);
    join(&bob, &table, &invite, 2).await.good();
    let path = format!("/api/tables/{table}/events?invite={invite}");
    let mut watch = ann.watch(&path, None).await.expect("news");
    let wager = json!({"command": "wager", "seat": 1, "ante": 1_000, "bonus": 500});
    let done = ann.command(&table, &wager).await.good();
    assert_eq!(done["state"]["chips"], 97_500);
    let wager = json!({"command": "wager", "seat": 2, "ante": 2_000});
    assert_eq!(bob.command(&table, &wager).await.good()["state"]["chips"], 96_000);
    let version = look(&ann, &table, &invite).await["version"].as_u64().expect("a version");
    let told = loop {
        let news = watch.next().await.expect("news");
        if news.version == version {
            break news;
        }
    };
    assert_eq!(told.data["state"]["chips"], 97_500);
    for (who, chips) in [(&Client::new(server.address()), None), (&operator, None)] {
        assert_eq!(look(who, &table, &invite).await.get("chips"), chips);
    }
    // A gift from an operator shows with the next news, whatever they are about.
    let me = ann.get("/api/me").await.good();
    let path =
        format!("/api/operator/players/{}/adjustments", me["player"].as_str().expect("an id"));
    let gift = json!({"amount": 1_000, "reason": "a gift"});
    let key = [("content-type", "application/json"), ("idempotency-key", "gift")];
    let body = gift.to_string().into_bytes();
    operator.send(Method::POST, &path, &key, body).await.expect("an answer").good();
    bob.command(&table, &json!({"command": "withdraw", "seat": 2})).await.good();
    let news = watch.next().await.expect("news");
    assert_eq!(news.data["state"]["chips"], 98_500, "{}", news.data);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_history_shows_games_and_players() {
    let (server, operator) = staffed(config()).await;
    let ann = account(server.address(), "ann").await;
    for (house, game) in [("uth-standard", "uth"), ("utcp-standard", "utcp")] {
        let (table, invite) = private_table(&ann, house).await;
        join(&ann, &table, &invite, 1).await.good();
        play_round(&ann, &table, 1).await;
        let mine = &ann.get("/api/me/rounds").await.good()["rounds"][0];
        assert_eq!([&mine["table"], &mine["house"], &mine["game"]], [&*table, house, game]);
        assert_eq!(mine["void"], false);
        let path = format!("/api/tables/{table}/rounds?invite={invite}");
        let seat = ann.get(&path).await.good()[0]["seats"][0].clone();
        assert_eq!([&seat["name"], &seat["bot"]], [&json!("ann"), &json!(false)]);
    }
    // An own house has a game, too.
    let own = own_house(&ann).await;
    let opening = json!({"house": own, "pace": "none"});
    let table = text(&ann.post("/api/tables", &opening).await.good()["table"]);
    ann.command(&table, &json!({"command": "join", "seat": 1})).await.good();
    ann.command(&table, &json!({"command": "wager", "seat": 1, "ante": 500})).await.good();
    ann.command(&table, &json!({"command": "deal"})).await.good();
    let path = format!("/api/operator/tables/{table}/commands");
    let void = json!({"command": "void", "reason": "a card was exposed"});
    operator.post(&path, &void).await.good();
    let mine = &ann.get("/api/me/rounds").await.good()["rounds"][0];
    assert_eq!(
        [&mine["house"], &mine["game"], &mine["void"]],
        [&json!("mine"), &json!("utcp"), &json!(true)]
    );
    server.stop().await;
}

/// Returns a copy of a house with a different name.
async fn own_house(who: &Client) -> Value {
    let mut house = who.get("/api/houses/utcp-standard").await.good();
    let fields = house.as_object_mut().expect("an object");
    fields.remove("placard");
    fields.remove("paytables");
    for (field, name) in [("id", "mine"), ("title", "Mine"), ("source", "me")] {
        fields.insert(field.to_owned(), json!(name));
    }
    house
}

#[tokio::test(flavor = "multi_thread")]
async fn the_result_of_a_round_is_sent_with_its_end() {
    let server = server(config()).await;
    let ann = Client::guest(server.address()).await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    join(&ann, &table, &invite, 1).await.good();
    let mut watch = ann.watch(&format!("/api/tables/{table}/events"), None).await.expect("news");
    play_round(&ann, &table, 1).await;
    let told = loop {
        let news = watch.next().await.expect("news");
        if news.data["telling"].is_object() {
            break news.data;
        }
    };
    let net = told["telling"]["seats"][0]["net"].as_i64().expect("cents");
    assert_eq!(told["state"]["chips"], 100_000 + net);
    assert_eq!(ann.get("/api/me").await.good()["chips"], 100_000 + net);
    server.stop().await;
}

/// Closes a table, or tries to.
async fn close(visitor: &Client, table: &str) -> Reply {
    visitor.send_json(Method::DELETE, &format!("/api/tables/{table}"), &json!({})).await
}

#[tokio::test]
async fn a_private_table_can_be_closed_by_its_host_at_any_time() {
    let server = server(config()).await;
    let ann = account(server.address(), "ann").await;
    let bea = account(server.address(), "bea").await;
    let (table, invite) = private_table(&ann, "uth-standard").await;
    assert_eq!(ann.get("/api/me").await.good()["opened"], json!([table]));
    assert_eq!(close(&bea, &table).await.code(), "no-such-table", "not invited");
    let joined = join(&bea, &table, &invite, 2).await.good();
    assert_eq!(joined["state"]["may_close"], false);
    assert_eq!(close(&bea, &table).await.code(), "not-host");
    join(&ann, &table, &invite, 1).await.good();

    // Cards are out: the round goes on, and the table closes after it.
    let wager = json!({"command": "wager", "seat": 1, "ante": 500});
    ann.command(&table, &wager).await.good();
    ann.command(&table, &json!({"command": "deal"})).await.good();
    let done = close(&ann, &table).await.good();
    let told = (&done["state"]["closed"], &done["state"]["may_close"]);
    assert_eq!(told, (&json!(false), &json!(false)));
    assert_eq!(close(&ann, &table).await.code(), "table-closing");
    let fold = ["check", "check", "fold"];
    for decision in fold {
        let decide = json!({"command": "decide", "seat": 1, "decision": decision});
        ann.command(&table, &decide).await.good();
    }
    let path = format!("/api/tables/{table}");
    let after = ann.get(&path).await.good();
    assert_eq!((&after["closed"], &after["may_close"]), (&json!(true), &json!(false)));
    let me = ann.get("/api/me").await.good();
    assert_eq!((&me["opened"], &me["chips"]), (&json!([]), &json!(99_000)));
    assert_eq!(close(&ann, &table).await.code(), "table-closed");
    server.stop().await;
}

#[tokio::test]
async fn a_public_table_can_be_closed_by_its_host_while_no_other_player_sits_there() {
    let server = server(config()).await;
    let ann = account(server.address(), "ann").await;
    let bea = account(server.address(), "bea").await;
    let wish = json!({"house": "utcp-standard"});
    let opened = ann.post("/api/play", &wish).await.good();
    assert_eq!(opened["state"]["may_close"], true);
    let table = text(&opened["state"]["table"]);
    ann.post(&format!("/api/tables/{table}/bots"), &json!({})).await.good();
    let joined = bea.post("/api/play", &wish).await.good();
    assert_eq!(text(&joined["state"]["table"]), table);
    assert_eq!(close(&ann, &table).await.code(), "others-sit");
    assert_eq!(ann.get(&format!("/api/tables/{table}")).await.good()["may_close"], false);
    bea.command(&table, &json!({"command": "leave", "seat": joined["seat"]})).await.good();
    // A repeated request gets the same response, though there is nothing left to close.
    let path = format!("/api/tables/{table}");
    let key = [("idempotency-key", "once"), ("content-type", "application/json")];
    for repeated in [false, true] {
        let done =
            ann.send(Method::DELETE, &path, &key, Vec::new()).await.expect("an answer").good();
        assert_eq!((&done["state"]["closed"], &done["repeated"]), (&json!(true), &json!(repeated)));
    }
    server.stop().await;
}

#[tokio::test]
async fn a_host_can_bring_up_to_the_limit_of_own_pay_tables() {
    let server = server(config()).await;
    let ann = account(server.address(), "ann").await;
    let opening = |count: usize| {
        let ids: Vec<String> = (0..count).map(|number| format!("own-{number}")).collect();
        let own = ids.iter().map(|id| {
            let pays = json!({"pair": "1:1"});
            json!({"id": id, "title": "Own", "source": "me", "bet": "trips", "pays": pays})
        });
        let house = Catalog::shipped().house("uth-standard").map(|it| json!(**it));
        let mut house = house.expect("a house");
        (house["id"], house["bonus_paytables"]) = (json!("own"), json!(ids));
        (house["title"], house["source"]) = (json!("My own"), json!("me"));
        json!({"house": house, "paytables": own.collect::<Vec<_>>(), "pace": "none"})
    };
    assert_eq!(ann.post("/api/tables", &opening(9)).await.code(), "bad-terms");
    let table = ann.post("/api/tables", &opening(8)).await.good();
    let (table, invite) = (text(&table["table"]), text(&table["invite"]));
    join(&ann, &table, &invite, 1).await.good();
    play_round(&ann, &table, 1).await;
    let record = ann.get(&format!("/api/tables/{table}/rounds/1")).await.good();
    let verdict = ann.post("/api/verify", &record).await.good();
    assert_eq!(verdict["verified"], true, "{verdict}");
    server.stop().await;
}
