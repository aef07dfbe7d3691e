//! Seeds of seats: a table waits for them, and says so.

use croupier_rules::Seat;
use croupier_table::seat_commitment;
use croupier_testing::Client;
use serde_json::json;

use crate::harness::{config, join, private_table, server, text};

#[tokio::test(flavor = "multi_thread")]
async fn a_request_for_cards_says_which_seeds_are_awaited_and_until_when() {
    let server = server(config()).await;
    let [ann, bea] = [(); 2].map(|()| Client::guest(server.address()));
    let (ann, bea) = (ann.await, bea.await);
    let (table, invite) = private_table(&ann, "uth-standard").await;
    for (player, seat) in [(&ann, 1), (&bea, 2)] {
        join(player, &table, &invite, seat).await.good();
        let own = Seat::new(seat).expect("a seat");
        let commitment = seat_commitment(&table, 1, own, b"luck").to_string();
        let commit = json!({"command": "commit-seed", "seat": seat, "commitment": commitment});
        player.command(&table, &commit).await.good();
        let wager = json!({"command": "wager", "seat": seat, "ante": 500});
        player.command(&table, &wager).await.good();
    }
    let deal = json!({"command": "deal"});
    let closed = bea.command(&table, &deal).await.good();
    let (now, deadline) = (&closed["state"]["now"], &closed["state"]["deadline"]);
    let wait = deadline.as_i64().expect("a deadline") - now.as_i64().expect("a time");
    assert!((29_000..=30_000).contains(&wait), "{wait}");

    let refused = bea.command(&table, &deal).await;
    assert_eq!(refused.code(), "seeds-awaited");
    let said = refused.json();
    assert!(text(&said["detail"]).contains("the seeds of seats 1, 2, until "), "{said}");
    let again = said["retry_after"].as_u64().expect("a number of seconds");
    assert!((29..=30).contains(&again), "{said}");
    let reveal = json!({"command": "reveal-seed", "seat": 2, "seed": "6c75636b"});
    bea.command(&table, &reveal).await.good();
    let state = ann.get(&format!("/api/tables/{table}")).await.good();
    assert_eq!(state["round"]["to_reveal"], json!([1]));
    // Only ann can give up her seed, and then the table deals.
    let give_up = json!({"command": "give-up-seed", "seat": 1});
    assert_eq!(bea.command(&table, &give_up).await.code(), "not-your-seat");
    let done = ann.command(&table, &give_up).await.good();
    assert_eq!(done["events"][0], json!({"event": "seed-given-up", "seat": 1}));
    assert_eq!(done["events"][1]["event"], "dealt");
    assert_eq!(ann.command(&table, &give_up).await.code(), "seed-not-wanted");
    server.stop().await;
}
