//! Which commands a floor accepts, and when it drops its caches.

use croupier_rules::{Amount, Catalog, Decision, Seat};
use croupier_store::{
    Accounts, CommandKey, Floor, FloorError, Memory, Rounds, Timeouts, os_entropy,
};
use croupier_table::{
    Account, Command, PlayerCommand, Refusal, Seed, Stage, Terms, Time, Transfer, seat_commitment,
};

#[tokio::test]
async fn a_client_cannot_supply_a_seed() {
    // The operating system supplies none, so the table waits for one.
    let floor = Floor::new(Memory::default(), Box::new(|| None));
    let now = Time::from_millis(1_700_000_000_000);
    let terms = Terms::new(&Catalog::shipped(), "uth-standard", None, None).expect("good terms");
    floor.open("t0", terms, None, now).await.expect("a table");
    let seat = Seat::new(1).expect("a seat");
    let join = PlayerCommand::Join { seat }.by("ann");
    floor.command("t0", join, None, now).await.expect("a free seat");
    assert!(floor.table("t0").await.expect("a table").needs_seed(now));

    let seeded = Command::OpenRound { seed: Seed::from_bytes([7; 32]) };
    let refused = floor.command("t0", seeded, None, now).await;
    assert_eq!(refused, Err(FloorError::Refused(Refusal::ShoeNotNeeded)));
    assert_eq!(floor.table("t0").await.expect("a table").round_number(), 0, "no round is dealt");
}

#[tokio::test]
async fn an_idle_table_is_dropped_and_read_again() {
    let floor = Floor::new(Memory::default(), Box::new(|| None));
    let now = Time::from_millis(1_700_000_000_000);
    for name in ["t0", "t1"] {
        let terms = Terms::new(&Catalog::shipped(), "uth-standard", None, None);
        floor.open(name, terms.expect("good terms"), None, now).await.expect("a table");
    }
    assert_eq!(floor.evict_idle(), 2, "they were just used");
    let version = floor.cached("t0").await.expect("it is cached").version();
    assert_eq!(floor.evict_idle(), 1, "the other was not used");
    assert!(floor.cached("t1").await.is_none());
    assert_eq!(floor.table("t1").await.expect("it is stored").version(), version);
    assert!(floor.table("t2").await.is_err());
    assert_eq!(floor.evict_idle(), 1, "a missing table is not cached");
}

/// A table with two seated players, whose bank owes so much that it cannot pay another cent.
async fn drained(seed: u8) -> (Floor<Memory>, Time) {
    let floor = Floor::new(Memory::default(), Box::new(move || Some(Seed::from_bytes([seed; 32]))));
    let now = Time::from_millis(1_700_000_000_000);
    let terms = Terms::new(&Catalog::shipped(), "uth-standard", None, None).expect("good terms");
    floor.open("t0", terms, None, now).await.expect("a table");
    let (house, owed) = (Account::House("t0".to_owned()), i64::MAX);
    let mut given = vec![("debt", house, "cy", owed)];
    for player in ["ann", "bea"] {
        given.push((player, Account::Issue(player.to_owned()), player, 100_000));
    }
    for (key, from, to, cents) in given {
        let (key, to) = (key.to_owned(), Account::Player(to.to_owned()));
        let transfer = Transfer { key, from, to, amount: Amount::cents(cents) };
        floor.store().transfer(vec![transfer], now, None).await.expect("chips");
    }
    for (number, player) in [(1, "ann"), (2, "bea")] {
        let (seat, player) = (seat(number), player.to_owned());
        floor
            .command("t0", PlayerCommand::Join { seat }.by(player), None, now)
            .await
            .expect("a seat");
    }
    (floor, now)
}

fn seat(number: u32) -> Seat {
    Seat::new(number).expect("a seat")
}

#[tokio::test]
async fn a_round_that_cannot_be_booked_is_void_and_reveals_no_hidden_cards() {
    let mut voids = 0;
    for seed in 0..40 {
        let (floor, now) = drained(seed).await;
        for (number, player) in [(1, "ann"), (2, "bea")] {
            let (ante, bonus) = (Amount::cents(500), Amount::ZERO);
            let (seat, player) = (seat(number), player.to_owned());
            let wager = PlayerCommand::Wager { seat, ante, blind: None, bonus }.by(player);
            floor.command("t0", wager, None, now).await.expect("enough chips");
        }
        let deal = PlayerCommand::Deal {}.by("ann");
        floor.command("t0", deal, None, now).await.expect("two wagers");
        let bet = PlayerCommand::Decide { seat: seat(1), decision: Decision::Bet(4) }.by("ann");
        floor.command("t0", bet, None, now).await.expect("her turn");
        // The other player's decision ends the round, and is accepted whether Ann beats the dealer
        // or not.
        for decision in [Decision::Check, Decision::Check, Decision::Fold] {
            let decide = PlayerCommand::Decide { seat: seat(2), decision }.by("bea");
            let answered = floor.command("t0", decide, None, now).await;
            assert!(answered.is_ok(), "deck {seed}: {decision} is refused: {answered:?}");
        }
        let table = floor.table("t0").await.expect("a table");
        assert_eq!(table.round_number(), 2, "the next round is open");
        let row = floor.store().round("t0", 1).await.expect("a store").expect("a round");
        let balance = async |account: Account| {
            floor.store().balance(&account).await.expect("a store").as_cents()
        };
        assert_eq!(balance(Account::Escrow("t0".to_owned())).await, 0);
        if row.void {
            voids += 1;
            for player in ["ann", "bea"] {
                let chips = balance(Account::Player(player.to_owned())).await;
                assert_eq!(chips, 100_000, "deck {seed}: every stake of {player} was returned");
            }
        }
    }
    assert!((5..35).contains(&voids), "both cases occur: {voids} of 40 rounds are void");
}

#[tokio::test]
async fn a_command_that_voided_its_round_gets_the_same_answer_again() {
    for seed in 0..40 {
        let (floor, now) = drained(seed).await;
        let (ante, bonus) = (Amount::cents(500), Amount::ZERO);
        let (first, player) = (seat(1), "ann".to_owned());
        let wager =
            PlayerCommand::Wager { seat: first, ante, blind: None, bonus }.by(player.clone());
        floor.command("t0", wager, None, now).await.expect("enough chips");
        floor
            .command("t0", PlayerCommand::Deal {}.by(player.clone()), None, now)
            .await
            .expect("one");
        let key = CommandKey { sender: player.clone(), key: "bet".to_owned() };
        let bet = PlayerCommand::Decide { seat: first, decision: Decision::Bet(4) }.by(player);
        let answer = floor.command("t0", bet.clone(), Some(key.clone()), now).await.expect("a bet");
        let again = floor.command("t0", bet, Some(key), now).await.expect("the same");
        assert_eq!((&again.text, again.repeated), (&answer.text, true));
        let row = floor.store().round("t0", 1).await.expect("a store").expect("a round");
        assert_eq!(row.void, answer.text.contains("the payoffs of the round"));
    }
}

#[tokio::test]
async fn a_table_without_clocks_is_woken_when_a_seed_is_missing() {
    let floor = Floor::new(Memory::default(), Box::new(os_entropy));
    let now = Time::from_millis(1_700_000_000_000);
    let terms = Terms::new(&Catalog::shipped(), "uth-standard", None, None).expect("good terms");
    floor.open("t0", terms, None, now).await.expect("a table");
    let (seat, player) = (Seat::new(1).expect("a seat"), "ann".to_owned());
    let chips = Transfer {
        key: "issue".to_owned(),
        from: Account::Issue(player.clone()),
        to: Account::Player(player.clone()),
        amount: Amount::cents(10_000),
    };
    floor.store().transfer(vec![chips], now, None).await.expect("chips");
    let (ante, bonus) = (Amount::cents(500), Amount::ZERO);
    let commitment = seat_commitment("t0", 1, seat, b"luck");
    for command in [
        PlayerCommand::Join { seat }.by(player.clone()),
        PlayerCommand::CommitSeed { seat, commitment }.by(player.clone()),
        PlayerCommand::Wager { seat, ante, blind: None, bonus }.by(player.clone()),
        PlayerCommand::Deal {}.by(player),
    ] {
        floor.command("t0", command, None, now).await.expect("a good command");
    }
    let timeouts = Timeouts::default();
    let run = async |millis: u32| timeouts.run_timeouts(&floor, now.after(millis)).await;
    assert_eq!(run(29_999).await, Ok(vec![]), "it waits");
    let woken = run(30_000).await;
    assert_eq!(woken, Ok(vec![("t0".to_owned(), Ok(()))]));
    let table = floor.table("t0").await.expect("a table");
    assert_eq!(table.stage(), Some(Stage::Deciding));
    assert_eq!(run(u32::MAX).await, Ok(vec![]), "and after that, forever");
}
