//! Tables that play by a player's own house or pay tables use practice chips.

mod felt;

use croupier_rules::{Amount, Catalog, Decision, House, PayTable};
use croupier_table::{Account, Event, MOST_CHIPS, Refusal, Terms, TermsCache, replay};
use serde_json::{Value, json};

use self::felt::{CLOCKS, Felt, decide, join, leave, take_bank, wager};

/// Returns the terms of a player's own house, which pays this many to one for any bonus hand.
fn generous(base: &str, pays: u32, change: impl Fn(&mut Value)) -> Terms {
    let mut catalog = Catalog::shipped();
    let mine = format!(
        "id = \"MINE\"\ntitle = \"Mine\"\nsource = \"me\"\nbet = \"trips\"\n\n\
         [pays]\nhigh-card = \"{pays}:1\"\npair = \"{pays}:1\"\n"
    );
    catalog.add_paytable(PayTable::from_toml(&mine).expect("a pay table")).expect("a new id");
    let house = catalog.house(base).expect("a house");
    let mut house = serde_json::to_value(&**house).expect("plain data");
    (house["id"], house["bonus_paytables"]) = (json!("own"), json!(["MINE"]));
    (house["title"], house["source"]) = (json!("Mine"), json!("me"));
    change(&mut house);
    let house = House::from_json(&house, catalog.paytables()).expect("a good house");
    catalog.add_house(house).expect("a new id");
    Terms::new(&catalog, "own", None, Some(CLOCKS)).expect("terms")
}

fn practice(base: &str, pays: u32) -> Felt {
    let terms = generous(base, pays, |_| {}).with_practice_chips().expect("good terms");
    assert!(!terms.are_shipped());
    Felt::on(terms.into())
}

fn purse(felt: &Felt, player: &str) -> i64 {
    felt.table.practice_chips(player).expect("a practice table").as_cents()
}

#[test]
fn no_player_account_is_touched() {
    let mut felt = practice("uth-standard", 1_000);
    felt.issue("ann");
    felt.ok(join(1, "ann"));
    felt.ok(join(2, "bea"));
    assert_eq!((purse(&felt, "ann"), purse(&felt, "bea")), (100_000, 100_000));
    for _ in 0..20 {
        felt.wager(1, "ann", 500, 500);
        felt.wager(2, "bea", 500, 0);
        assert_eq!(purse(&felt, "bea") % 500, 0);
        felt.play_out();
        felt.run_out();
    }
    assert!(purse(&felt, "ann") > 1_000_000, "a bonus of 1,000 to 1 was won");
    assert_eq!(felt.chips("ann"), 100_000, "the account is unchanged");
    let kinds: Vec<String> =
        felt.ledger.balances().map(|(account, _)| account.to_string()).collect();
    let wanted = ["player:ann", "escrow:t1", "house:t1", "issue:ann", "practice:t1"];
    assert_eq!(kinds, wanted);
    let house = felt.ledger.balance(&Account::House("t1".to_owned())).as_cents();
    assert!(house < -1_000_000, "the bank of the table paid");
    felt.assert_journal();
    // A purse changes only by the results of rounds.
    let nets = |player: &str| -> i64 {
        let seats = felt.played.iter().flat_map(|played| &played.seats);
        seats.filter(|seat| seat.player == player).map(|seat| seat.net.as_cents()).sum()
    };
    assert_eq!(purse(&felt, "ann"), 100_000 + nets("ann"));
}

#[test]
fn a_purse_comes_and_goes_with_the_seat() {
    let mut felt = practice("uth-standard", 2);
    felt.ok(join(1, "ann"));
    felt.wager(1, "ann", 10_000, 0);
    assert_eq!(purse(&felt, "ann"), 80_000);
    felt.ok(decide(1, "ann", Decision::Bet(4)));
    assert!(felt.table.round().is_none());
    felt.ok(leave(1, "ann"));
    assert_eq!(purse(&felt, "ann"), 0);
    felt.ok(join(3, "ann"));
    assert_eq!(purse(&felt, "ann"), 100_000);
}

#[test]
fn no_player_stakes_more_than_the_purse_has() {
    let mut felt = practice("uth-standard", 2);
    felt.ok(join(1, "ann"));
    // The table waits for a second player, so betting stays open.
    felt.ok(join(2, "bea"));
    felt.wager(1, "ann", 10_000, 10_000);
    // $300 of $1,000 is down. Wagering again takes that back first.
    assert_eq!(purse(&felt, "ann"), 70_000);
    felt.wager(1, "ann", 10_000, 0);
    assert_eq!(purse(&felt, "ann"), 80_000);
    let mut lost = 0;
    while purse(&felt, "ann") >= 40_000 {
        felt.play_out();
        felt.run_out();
        felt.ok(wager(1, "ann", 10_000, 10_000));
        lost += 1;
        assert!(lost < 100, "folding costs $200 a round");
    }
    let refused = felt.refused(decide(1, "ann", Decision::Bet(4)));
    assert_eq!(refused, Refusal::InsufficientChips);
    felt.assert_journal();
}

#[test]
fn an_empty_purse_is_filled_when_the_next_round_opens() {
    let mut felt = practice("uth-standard", 2);
    felt.ok(join(1, "ann"));
    let mut filled = false;
    for _ in 0..40 {
        let before = purse(&felt, "ann");
        assert!(before >= 3_000, "the smallest game is always paid for: {before}");
        let ante = (before / 3 / 500 * 500).min(10_000);
        felt.wager(1, "ann", ante, 0);
        felt.play_out();
        let after = purse(&felt, "ann");
        felt.run_out();
        if after < 3_000 {
            assert_eq!(purse(&felt, "ann"), 100_000);
            filled = true;
        } else {
            assert_eq!(purse(&felt, "ann"), after, "it is refilled only when it is empty");
        }
    }
    assert!(filled);
    felt.assert_journal();
}

#[test]
fn a_checkpoint_contains_the_purses() {
    let mut felt = practice("uth-standard", 3).replaying_every(50);
    felt.ok(join(1, "ann"));
    for _ in 0..70 {
        felt.wager(1, "ann", 500, 500);
        felt.play_out();
        felt.run_out();
    }
    let checkpoint = felt.journal.iter().rposition(|entry| {
        matches!(Event::read(&entry.body), Ok(Event::Checkpoint(told)) if !told.purses.is_empty())
    });
    let checkpoint = checkpoint.expect("a checkpoint with purses");
    let entries = [&felt.journal[..1], &felt.journal[checkpoint..]].concat();
    let replayed = replay("t1", &entries, &mut TermsCache::default()).expect("a good journal");
    assert_eq!(replayed, felt.table);
}

#[test]
fn a_player_banks_with_practice_chips() {
    let mut felt = practice("uth-california", 2);
    felt.ok(join(1, "ann"));
    felt.ok(join(2, "bea"));
    assert_eq!(felt.refused(take_bank(1, "ann", 100_001)), Refusal::InsufficientChips);
    felt.ok(take_bank(1, "ann", 60_000));
    assert_eq!(purse(&felt, "ann"), 40_000);
    felt.ok(take_bank(1, "ann", 90_000));
    assert_eq!(purse(&felt, "ann"), 10_000);
    felt.wager(2, "bea", 5_000, 5_000);
    felt.play_out();
    assert_eq!(purse(&felt, "ann") + purse(&felt, "bea"), 200_000, "one wins what the other loses");
    felt.assert_journal();
}

#[test]
fn a_purse_is_large_enough_for_the_limits() {
    let high = |house: &mut Value| {
        for (limit, cents) in [("unit", 100_000), ("ante_min", 100_000), ("ante_max", 500_000)] {
            house["limits"][limit] = json!(cents);
        }
        (house["limits"]["bonus_min"], house["limits"]["bonus_max"]) =
            (json!(100_000), json!(100_000));
    };
    let terms = generous("uth-standard", 2, high).with_practice_chips().expect("good terms");
    assert_eq!(terms.practice_chips(), Some(Amount::cents(20_000_000)));
    let mut felt = Felt::on(terms.into());
    felt.ok(join(1, "ann"));
    felt.wager(1, "ann", 500_000, 100_000);
}

#[test]
fn a_player_over_the_chip_limit_cannot_wager() {
    let rich = |house: &mut Value| {
        for limit in ["unit", "ante_min", "bonus_min"] {
            house["limits"][limit] = json!(1_000_000_000);
        }
        for limit in ["ante_max", "bonus_max"] {
            house["limits"][limit] = json!(100_000_000_000_i64);
        }
    };
    let terms = generous("uth-standard", 2_000, rich).with_practice_chips().expect("good terms");
    let mut felt = Felt::on(terms.into()).replaying_every(20);
    felt.ok(join(1, "ann"));
    let mut rounds = 0;
    while purse(&felt, "ann") <= MOST_CHIPS.as_cents() {
        felt.wager(1, "ann", 1_000_000_000, 50_000_000_000);
        felt.play_out();
        felt.run_out();
        rounds += 1;
        assert!(rounds < 200, "a bonus of 2,000 to 1 is won often");
    }
    let refused = felt.refused(wager(1, "ann", 1_000_000_000, 0));
    assert_eq!(refused, Refusal::TooManyChips);
    felt.assert_journal();
}

#[test]
fn a_table_closes_before_its_bank_can_overflow() {
    // Such a house can't be opened today. It can be read, and allows only a few rounds.
    let wild = |house: &mut Value| house["limits"]["bonus_max"] = json!(300_000_000_000_i64);
    let terms = generous("uth-standard", 1_000_000, wild);
    let most = terms.most_rounds();
    assert!((1..4).contains(&most), "{most}");
    let mut felt = Felt::on(terms.into());
    felt.seat_all(&["ann"]);
    for _ in 0..most {
        assert!(!felt.table.is_closed());
        felt.wager(1, "ann", 500, 0);
        let events = felt.play_out();
        if felt.table.round_number() == most {
            assert!(matches!(events.last(), Some(Event::TableClosed { .. })), "{events:?}");
        } else {
            felt.run_out();
        }
    }
    assert!(felt.table.is_closed());
    felt.assert_journal();
}

#[test]
fn at_shipped_houses_the_bank_never_overflows() {
    let catalog = Catalog::shipped();
    for house in catalog.houses() {
        let terms = Terms::new(&catalog, house.id(), None, None).expect("terms");
        assert!(terms.are_shipped());
        // A round takes a kilobyte, so these would fill a disk of a hundred terabytes.
        assert!(terms.most_rounds() > 100_000_000_000, "{}", house.id());
        let largest = house.most_paid().as_cents();
        assert!(largest < 1_000_000_000, "the bound of MOST_CHIPS holds for {}", house.id());
    }
}
