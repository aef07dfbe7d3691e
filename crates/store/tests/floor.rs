//! What a floor lets in.

use croupier_rules::{Catalog, Seat};
use croupier_store::{Floor, FloorError, Memory};
use croupier_table::{Command, Refusal, Seed, Terms, Time};

#[tokio::test]
async fn nobody_brings_a_seed_that_he_knows() {
    // The operating system gives none, so that the table waits for one.
    let floor = Floor::new(Memory::default(), Box::new(|| None));
    let now = Time::from_millis(1_700_000_000_000);
    let terms = Terms::new(&Catalog::shipped(), "uth-standard", None, None).expect("good terms");
    floor.open("t0", terms, None, now).await.expect("a table");
    let seat = Seat::new(1).expect("a seat");
    let join = Command::Join { seat, player: "ann".to_owned() };
    floor.command("t0", join, None, now).await.expect("a free seat");
    assert!(floor.table("t0").await.expect("a table").needs_shoe(now));

    let shoe = Command::Shoe { seed: Seed::from_bytes([7; 32]) };
    let wrapped = Command::Expecting { round: 0, turn: None, then: Box::new(shoe.clone()) };
    for command in [shoe, wrapped] {
        let refused = floor.command("t0", command, None, now).await;
        assert_eq!(refused, Err(FloorError::Refused(Refusal::ShoeNotNeeded)));
    }
    assert_eq!(floor.table("t0").await.expect("a table").round_number(), 0, "nobody is dealt");
}

#[tokio::test]
async fn a_table_that_nobody_asks_for_is_forgotten_and_read_again() {
    let floor = Floor::new(Memory::default(), Box::new(|| None));
    let now = Time::from_millis(1_700_000_000_000);
    for name in ["t0", "t1"] {
        let terms = Terms::new(&Catalog::shipped(), "uth-standard", None, None);
        floor.open(name, terms.expect("good terms"), None, now).await.expect("a table");
    }
    assert_eq!(floor.forget_idle(), 2, "they were just asked for");
    let version = floor.glance("t0").await.expect("it is known").version();
    assert_eq!(floor.forget_idle(), 1, "nobody asked for the other");
    assert!(floor.glance("t1").await.is_none());
    assert_eq!(floor.table("t1").await.expect("it is there").version(), version);
    assert!(floor.table("t2").await.is_err());
    assert_eq!(floor.forget_idle(), 1, "and nothing is kept of what is not there");
}
