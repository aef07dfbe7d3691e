//! The walk through the API that the page shows can be walked, as it stands.

#![expect(clippy::disallowed_methods, reason = "it runs a server, and a shell beside it")]

mod serving;

use std::process::Command;

use serving::Serving;

const PAGE: &str = include_str!("../../../docs/api.md");

/// What comes before the walk: it ends with the first thing that does not work.
const STRICT: &str = "set -euo pipefail\n";

#[test]
fn the_walk_from_guest_to_verified_round_can_be_walked() {
    let blocks = PAGE.split("```sh walk\n").skip(1);
    let walk: Vec<&str> =
        blocks.map(|block| block.split_once("```").expect("a block ends").0).collect();
    assert!(walk.len() > 5, "the page has {} steps of a walk", walk.len());
    let server = Serving::start("api-walk");
    let walked = Command::new("bash")
        .args(["-c", &format!("{STRICT}{}", walk.concat())])
        .current_dir(&server.folder)
        .env("CROUPIER", &server.url)
        .output()
        .expect("bash starts");
    let told = String::from_utf8_lossy(&walked.stdout);
    let wrong = String::from_utf8_lossy(&walked.stderr);
    assert!(walked.status.success(), "{told}\n{wrong}");
    for expected in [
        "\"kind\":\"guest\"",
        "\nseed\n",
        "\"round-over\"",
        "\"verified\":true",
        "\nThese are the seeds.\n",
        "\nevent: table\n",
    ] {
        assert!(told.contains(expected), "{expected} is not in\n{told}\n{wrong}");
    }
    // It sent a command twice, and left a table that closed with that.
    assert_eq!(told.matches("\ntrue\n").count(), 2, "{told}\n{wrong}");
}
