//! A client written from the documents alone can play, and verify its rounds.

#![expect(clippy::disallowed_methods, reason = "it runs a server, and a client next to it")]

mod serving;

use std::process::Command;

use serving::Serving;

const CLIENT: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/client/croupier_client.py");

#[test]
fn a_client_in_another_language_plays_and_verifies_rounds_of_each_game() {
    let server = Serving::start("api-client");
    let played = Command::new("python3").args([CLIENT, &server.url]).output().expect("it starts");
    let told = String::from_utf8_lossy(&played.stdout);
    assert!(played.status.success(), "{told}\n{}", String::from_utf8_lossy(&played.stderr));
    assert!(told.starts_with("210 rounds played and verified twice"), "{told}");
}
