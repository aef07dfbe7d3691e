//! An evening at a table, as players have it: the shortest path through everything.

use croupier_server::{Config, Server};
use croupier_store::{Database, Memory};
use croupier_testing::Client;
use serde_json::{Value, json};

async fn server() -> Server {
    let config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
    Server::start(Database::Memory(Memory::default()), config).await.expect("a server")
}

/// Plays a round at a table without clocks, with the first decision that is offered.
async fn play_round(player: &Client, table: &str) -> Value {
    player.command(table, &json!({"command": "wager", "seat": 1, "ante": 500})).await.good();
    let mut done = player.command(table, &json!({"command": "deal"})).await.good();
    while let Some(decision) = done["state"]["round"]["hands"][0]["decisions"][0].as_str() {
        let decide = json!({"command": "decide", "seat": 1, "decision": decision});
        done = player.command(table, &decide).await.good();
    }
    done
}

/// The record of such a round names its pay tables, which only that table knows.
#[tokio::test(flavor = "multi_thread")]
async fn a_round_with_own_pay_tables_is_narrated_by_its_table() {
    let server = server().await;
    let guest = Client::guest(server.address()).await;
    let mut house = guest.get("/api/houses/uth-standard").await.good();
    let fields = house.as_object_mut().expect("an object");
    fields.remove("placard");
    fields.remove("paytables");
    for (field, name) in [("id", "mine"), ("title", "Mine"), ("source", "me")] {
        fields.insert(field.to_owned(), json!(name));
    }
    fields.insert("blind_paytable".to_owned(), json!("MINE"));
    let own = json!({"id": "MINE", "title": "Mine", "source": "me", "bet": "blind", "pays": {}});
    let opening = json!({"house": house, "paytables": [own], "pace": "none"});
    let table = guest.post("/api/tables", &opening).await.good();
    let table = table["table"].as_str().expect("a name");
    guest.command(table, &json!({"command": "join", "seat": 1})).await.good();
    play_round(&guest, table).await;
    let telling = guest.get(&format!("/api/tables/{table}/rounds/1/telling")).await.good();
    assert_eq!(telling["seats"][0]["wagers"][2]["name"], "Blind", "{telling}");
    let mut watch = guest.watch(&format!("/api/tables/{table}/events"), None).await.expect("news");
    assert_eq!(watch.next().await.expect("news").data["telling"], telling);
    let none = guest.get(&format!("/api/tables/{table}/rounds/2/telling")).await;
    assert_eq!(none.code(), "no-such-round");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_plays_a_round_of_each_game_and_verifies_it() {
    let server = server().await;
    let guest = Client::guest(server.address()).await;
    for house in ["uth-washington", "uth-standard", "utcp-standard"] {
        let opening = json!({"house": house, "pace": "none"});
        let table = guest.post("/api/tables", &opening).await.good();
        let table = table["table"].as_str().expect("a name");
        let mut watch =
            guest.watch(&format!("/api/tables/{table}/events"), None).await.expect("news");
        guest.command(table, &json!({"command": "join", "seat": 1})).await.good();
        let done = play_round(&guest, table).await;
        let record = guest.get(&format!("/api/tables/{table}/rounds/1")).await.good();
        let verdict = guest.post("/api/verify", &record).await.good();
        assert_eq!(verdict["verified"], true, "{verdict}");
        // The stream sends the same at the end.
        let told = loop {
            let told = watch.next().await.expect("news");
            if told.data["record"].is_object() {
                break told;
            }
        };
        assert_eq!(told.data["record"], record);
        let telling = guest.get(&format!("/api/tables/{table}/rounds/1/telling")).await.good();
        assert_eq!(told.data["telling"], telling);
        assert_eq!(guest.post("/api/tell", &record).await.good(), telling);
        assert_eq!(telling["bank"]["net"], record["result"]["bank"]["net"]);
        assert!(told.version <= done["version"].as_u64().expect("a version"));
        let rounds = guest.get("/api/me/rounds").await.good();
        assert_eq!(rounds["rounds"][0]["table"], table);
    }
    server.stop().await;
}
