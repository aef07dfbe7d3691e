//! Reasons for refusing commands: each has a code, and the first of several is given.

mod felt;

use std::collections::{BTreeMap, BTreeSet};

use croupier_rules::{Amount, Decision};
use croupier_table::{
    Command, Hash, MOST_CHIPS, OperatorCommand, PlayerCommand, Refusal, Seed, Time, seat_commitment,
};

use self::felt::{
    Felt, close, commit, deal, decide, decline, give_up, join, leave, pause, resume, reveal, seat,
    sit_in, sit_out, take_bank, void, wager, withdraw,
};

/// Returns one refusal of each kind, in the order of declaration.
fn declared() -> Vec<Refusal> {
    let all = vec![
        Refusal::TableClosed,
        Refusal::MovedOn,
        Refusal::BadText,
        Refusal::NoSuchSeat { seats: 7 },
        Refusal::SeatTaken,
        Refusal::SeatEmpty,
        Refusal::NotYourSeat,
        Refusal::NotSeated,
        Refusal::TooManySeats { most: 1 },
        Refusal::OthersSit,
        Refusal::TableClosing,
        Refusal::Leaving,
        Refusal::SitsOut,
        Refusal::SitsIn,
        Refusal::PausedAlready,
        Refusal::NotPaused,
        Refusal::ShoeNotNeeded,
        Refusal::NoRound,
        Refusal::BankNotOffered,
        Refusal::DealsByClock,
        Refusal::SeedsAwaited { seats: vec![seat(2)], until: Time::from_millis(43_230_000) },
        Refusal::SeedTooLate,
        Refusal::SeedNotWanted,
        Refusal::SeedNotCommitted,
        Refusal::SeedShown,
        Refusal::SeedGivenUp,
        Refusal::SeedMalformed,
        Refusal::SeedMismatch,
        Refusal::Round(croupier_rules::Refusal::BettingClosed),
        Refusal::TooManyChips,
        Refusal::InsufficientChips,
    ];
    for refusal in &all {
        // If you add a reason, the compiler makes you add it here: add it above as well.
        match refusal {
            Refusal::TableClosed
            | Refusal::MovedOn
            | Refusal::BadText
            | Refusal::NoSuchSeat { .. }
            | Refusal::SeatTaken
            | Refusal::SeatEmpty
            | Refusal::NotYourSeat
            | Refusal::NotSeated
            | Refusal::TooManySeats { .. }
            | Refusal::OthersSit
            | Refusal::TableClosing
            | Refusal::Leaving
            | Refusal::SitsOut
            | Refusal::SitsIn
            | Refusal::PausedAlready
            | Refusal::NotPaused
            | Refusal::ShoeNotNeeded
            | Refusal::NoRound
            | Refusal::BankNotOffered
            | Refusal::DealsByClock
            | Refusal::SeedsAwaited { .. }
            | Refusal::SeedTooLate
            | Refusal::SeedNotWanted
            | Refusal::SeedNotCommitted
            | Refusal::SeedShown
            | Refusal::SeedGivenUp
            | Refusal::SeedMalformed
            | Refusal::SeedMismatch
            | Refusal::Round(_)
            | Refusal::TooManyChips
            | Refusal::InsufficientChips => {}
        }
    }
    all
}

/// The reasons of a round that can occur at a table.
const OF_A_ROUND: [&str; 22] = [
    "betting-closed",
    "betting-open",
    "cards-not-dealt",
    "house-banks",
    "nobody-banks",
    "bank-empty",
    "bank-lowered",
    "banker-wagers",
    "nobody-wagered",
    "not-in-round",
    "bonus-without-ante",
    "ante-too-small",
    "ante-too-large",
    "ante-off-unit",
    "blind-not-ante",
    "bonus-too-small",
    "bonus-too-large",
    "bonus-off-unit",
    "already-decided",
    "already-acted",
    "cannot-check",
    "cannot-fold",
];

fn open_round() -> Command {
    Command::OpenRound { seed: Seed::from_bytes([1; 32]) }
}

/// Collects refusals by their codes.
#[derive(Default)]
struct Met(BTreeMap<&'static str, Refusal>);

impl Met {
    fn at(&mut self, felt: &mut Felt, commands: impl IntoIterator<Item = Command>) {
        for command in commands {
            let refusal = felt.refused(command);
            self.0.insert(refusal.code(), refusal);
        }
    }
}

/// Collects the refusals before the deal where the house banks.
fn before_the_deal(met: &mut Met) {
    let mut felt = Felt::open("uth-standard");
    let commands = [join(8, "ann"), join(1, ""), leave(1, "ann"), resume(), void("x")];
    met.at(&mut felt, commands);
    felt.seat_all(&["ann", "bea"]);
    met.at(
        &mut felt,
        [OperatorCommand::Close { reason: "x".to_owned(), alone: Some("ann".to_owned()) }.into()],
    );
    let blind = Some(Amount::cents(1_000));
    let (player, ante, bonus) = ("ann".to_owned(), Amount::cents(500), Amount::ZERO);
    met.at(&mut felt, [PlayerCommand::Wager { seat: seat(1), ante, blind, bonus }.by(player)]);
    let wagers = [(0, 500), (100, 0), (20_000, 0), (501, 0), (500, 1), (500, 20_000), (500, 501)];
    met.at(&mut felt, wagers.map(|(ante, bonus)| wager(1, "ann", ante, bonus)));
    let commands = [
        join(2, "cy"),
        join(3, "ann"),
        leave(2, "ann"),
        sit_in(1, "ann"),
        take_bank(1, "ann", 1),
        decline(1, "ann"),
        deal("cy"),
        deal("ann"),
        open_round(),
        reveal(1, "ann", "00"),
        withdraw(1, "ann"),
        decide(1, "ann", Decision::Check),
    ];
    met.at(&mut felt, commands);
    felt.ok(pause("lunch"));
    met.at(&mut felt, [pause("again")]);
    felt.ok(sit_out(2, "bea"));
    met.at(&mut felt, [sit_out(2, "bea")]);
    felt.ok(void("a test"));
    met.at(&mut felt, [wager(1, "ann", 500, 0)]);
}

/// Collects the refusals after "no more bets" where the house banks.
fn after_no_more_bets(met: &mut Met) {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea", "cy"]);
    for (number, player) in [(1, "ann"), (2, "bea")] {
        felt.ok(commit(number, player, seat_commitment("t1", 1, seat(number), b"luck")));
    }
    for (number, player) in [(1, "ann"), (2, "bea"), (3, "cy")] {
        felt.wager(number, player, 500, 0);
    }
    let commands = [
        reveal(1, "ann", "x"),
        reveal(1, "ann", "00"),
        reveal(3, "cy", "00"),
        commit(1, "ann", Hash::of(b"")),
        decide(1, "ann", Decision::Check),
        wager(1, "ann", 500, 0),
    ];
    met.at(&mut felt, commands);
    felt.ok(reveal(1, "ann", "6c75636b"));
    met.at(&mut felt, [reveal(1, "ann", "6c75636b")]);
    felt.run_out();
    met.at(&mut felt, [decide(1, "ann", Decision::Fold), decide(1, "ann", Decision::Bet(2))]);
    felt.decide(1, "ann", Decision::Check);
    felt.decide(2, "bea", Decision::Bet(4));
    let commands = [decide(1, "ann", Decision::Check), decide(2, "bea", Decision::Check)];
    met.at(&mut felt, commands);
    felt.run_out();
    felt.run_out();
    met.at(&mut felt, [decide(1, "ann", Decision::Check)]);
    felt.ok(leave(1, "ann"));
    met.at(&mut felt, [leave(1, "ann")]);
    felt.ok(close("the room closes"));
    met.at(&mut felt, [close("again")]);
    felt.play_out();
    met.at(&mut felt, [open_round()]);
}

/// Collects the refusals where a player banks, where a table deals on demand, or for lack of chips.
fn elsewhere(met: &mut Met) {
    let mut felt = Felt::without_clocks("uth-california");
    felt.seat_all(&["ann", "bea"]);
    let commands = [take_bank(1, "ann", 0), wager(2, "bea", 500, 0), take_bank(1, "ann", i64::MAX)];
    met.at(&mut felt, commands);
    felt.ok(take_bank(1, "ann", 500));
    met.at(&mut felt, [wager(1, "ann", 500, 0), deal("ann")]);
    felt.wager(2, "bea", 500, 0);
    met.at(&mut felt, [take_bank(1, "ann", 499)]);

    let mut felt = Felt::open("utcp-standard");
    felt.seat_all(&["ann"]);
    felt.wager(1, "ann", 500, 0);
    met.at(&mut felt, [decide(1, "ann", Decision::Bet(9))]);
    met.at(&mut felt, [expecting(9, None, deal("ann"))]);

    let mut felt = Felt::open("utcp-standard");
    felt.issue_only("cy", MOST_CHIPS.as_cents() + 1);
    felt.ok(join(1, "cy"));
    met.at(&mut felt, [wager(1, "cy", 500, 0)]);
    let mut felt = Felt::without_clocks("utcp-standard");
    felt.seat_all(&["ann", "bea"]);
    for (number, player) in [(1, "ann"), (2, "bea")] {
        felt.ok(commit(number, player, seat_commitment("t1", 1, seat(number), b"luck")));
        felt.wager(number, player, 500, 0);
    }
    felt.ok(deal("ann"));
    felt.ok(give_up(1, "ann"));
    met.at(&mut felt, [deal("ann"), give_up(1, "ann")]);
}

/// Returns a player's command that is meant for one moment.
fn expecting(round: u64, turn: Option<usize>, command: Command) -> Command {
    let Command::Player { player, command } = command else { panic!("a player's command") };
    PlayerCommand::Expecting { round, turn, then: Box::new(command) }.by(player)
}

#[test]
fn a_command_meant_for_another_moment_is_refused() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.ok(expecting(1, None, wager(1, "ann", 500, 0)));
    felt.wager(2, "bea", 500, 0);
    let check = |turn| expecting(1, Some(turn), decide(1, "ann", Decision::Check));
    felt.ok(check(0));
    // A second click is not taken for a decision on the flop.
    assert_eq!(felt.refused(check(0)), Refusal::MovedOn);
    felt.run_out();
    felt.ok(check(1));
    felt.run_out();
    // Ann's decision on the river comes after the table has decided for her: it is refused.
    felt.run_out();
    assert_eq!(felt.refused(check(2)), Refusal::MovedOn);
    felt.run_out();
    assert_eq!(felt.table.round_number(), 2);
    assert_eq!(felt.refused(check(2)), Refusal::MovedOn);
    let late = expecting(1, None, wager(1, "ann", 500, 0));
    assert_eq!(felt.refused(late), Refusal::MovedOn);
    let nested = expecting(2, None, expecting(2, None, wager(1, "ann", 500, 0)));
    assert_eq!(felt.refused(nested), Refusal::MovedOn);
}

#[test]
fn every_reason_is_given_by_some_command() {
    let mut met = Met::default();
    before_the_deal(&mut met);
    after_no_more_bets(&mut met);
    elsewhere(&mut met);
    for refusal in declared() {
        assert!(met.0.contains_key(refusal.code()), "{refusal:?} is never given");
    }
    for code in OF_A_ROUND {
        assert!(matches!(met.0.get(code), Some(Refusal::Round(_))), "{code} is never given");
    }
}

#[test]
fn codes_are_kebab_case_and_every_reason_has_its_own() {
    let codes: Vec<&str> =
        declared().iter().map(Refusal::code).chain(OF_A_ROUND.into_iter().skip(1)).collect();
    let different: BTreeSet<&str> = codes.iter().copied().collect();
    assert_eq!(codes.len(), different.len(), "{codes:?}");
    for code in codes {
        let kebab = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
        assert!(code.split('-').all(kebab), "{code}");
    }
}

#[test]
fn every_reason_is_one_line_of_plain_words() {
    let mut told = BTreeSet::new();
    for refusal in declared() {
        let text = refusal.to_string();
        assert!((10..80).contains(&text.len()) && !text.contains('\n'), "{text}");
        assert!(!text.ends_with('.') && text.starts_with(|c: char| c.is_lowercase()), "{text}");
        assert!(told.insert(text), "{refusal:?} has the text of another");
    }
}

#[test]
fn the_table_docs_list_every_reason_in_order() {
    let page = include_str!("../../../docs/table.md");
    let rows = page.lines().skip_while(|line| *line != "| code | says |").skip(2);
    let rows = rows.take_while(|line| line.starts_with('|')).map(str::to_owned);
    let expected = declared().into_iter().map(|refusal| {
        let others = if matches!(refusal, Refusal::Round(_)) { " and others" } else { "" };
        format!("| `{}`{others} | {refusal} |", refusal.code())
    });
    assert_eq!(rows.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn only_refusals_that_others_can_change_are_transient() {
    let transient: Vec<&str> =
        declared().iter().filter(|why| why.is_transient()).map(Refusal::code).collect();
    let expected = ["seat-taken", "no-round", "bank-not-offered", "seeds-awaited", "seed-too-late"];
    let more = ["seed-not-wanted", "betting-closed", "insufficient-chips"];
    assert_eq!(transient, [&expected[..], &more].concat());
}

/// Asserts that fixing one fault after the other gives the reasons in the order of declaration.
fn repaired(felt: &mut Felt, commands: Vec<Command>, reasons: &[Refusal]) {
    let order = |refusal: &Refusal| {
        let place = declared().iter().position(|other| other.code() == refusal.code());
        place.unwrap_or(declared().len() - 3)
    };
    assert!(reasons.is_sorted_by_key(order), "{reasons:?} are in another order");
    let given: Vec<Refusal> = commands.into_iter().map(|command| felt.refused(command)).collect();
    assert_eq!(given, reasons);
}

#[test]
fn faults_of_joining_are_reported_in_order() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 0);
    felt.wager(2, "bea", 500, 0);
    felt.ok(close("the room closes"));
    repaired(
        &mut felt,
        vec![join(8, "ann "), join(8, "ann"), join(2, "ann"), join(3, "ann"), join(3, "cy")],
        &[
            Refusal::BadText,
            Refusal::NoSuchSeat { seats: 7 },
            Refusal::SeatTaken,
            Refusal::TooManySeats { most: 1 },
            Refusal::TableClosing,
        ],
    );
    felt.play_out();
    assert_eq!(felt.refused(join(8, "ann ")), Refusal::TableClosed);
}

#[test]
fn faults_about_a_seat_are_reported_in_order() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.ok(void("a test"));
    felt.ok(sit_out(2, "bea"));
    repaired(
        &mut felt,
        vec![sit_out(8, "cy"), sit_out(7, "cy"), sit_out(2, "cy"), sit_out(2, "bea")],
        &[
            Refusal::NoSuchSeat { seats: 7 },
            Refusal::SeatEmpty,
            Refusal::NotYourSeat,
            Refusal::SitsOut,
        ],
    );
    repaired(
        &mut felt,
        vec![
            wager(8, "cy", 1, 1),
            wager(7, "cy", 1, 1),
            wager(2, "cy", 1, 1),
            wager(2, "bea", 1, 1),
        ],
        &[
            Refusal::NoSuchSeat { seats: 7 },
            Refusal::SeatEmpty,
            Refusal::NotYourSeat,
            Refusal::NoRound,
        ],
    );
}

#[test]
fn faults_of_asking_for_cards_are_reported_in_order() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.ok(void("a test"));
    assert_eq!(felt.refused(deal("cy")), Refusal::NotSeated);
    assert_eq!(felt.refused(deal("ann")), Refusal::NoRound);
    felt.run_out();
    assert_eq!(felt.refused(deal("ann")), Refusal::DealsByClock);
}

#[test]
fn faults_of_a_seed_are_reported_in_order() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.ok(void("a test"));
    let mut told = vec![felt.refused(reveal(1, "ann", "x"))];
    felt.run_out();
    told.push(felt.refused(reveal(1, "ann", "x")));
    for (number, player) in [(1, "ann"), (2, "bea")] {
        felt.ok(commit(number, player, seat_commitment("t1", 2, seat(number), b"luck")));
    }
    felt.wager(1, "ann", 500, 0);
    felt.issue("cy");
    felt.ok(join(3, "cy"));
    felt.wager(3, "cy", 500, 0);
    felt.wager(2, "bea", 500, 0);
    told.push(felt.refused(reveal(3, "cy", "x")));
    felt.ok(reveal(1, "ann", "6c75636b"));
    told.push(felt.refused(reveal(1, "ann", "x")));
    told.push(felt.refused(reveal(2, "bea", "x")));
    told.push(felt.refused(reveal(2, "bea", "00")));
    let expected = [
        Refusal::NoRound,
        Refusal::SeedNotWanted,
        Refusal::SeedNotCommitted,
        Refusal::SeedShown,
        Refusal::SeedMalformed,
        Refusal::SeedMismatch,
    ];
    assert_eq!(told, expected);
    felt.ok(leave(2, "bea"));
    assert_ne!(felt.table.to_reveal(), [seat(2)]);
}

#[test]
fn faults_of_the_operator_are_reported_in_order() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann"]);
    felt.ok(pause("lunch"));
    assert_eq!(felt.refused(pause("\n")), Refusal::BadText);
    assert_eq!(felt.refused(pause("lunch")), Refusal::PausedAlready);
    felt.ok(void("a test"));
    assert_eq!(felt.refused(void("\n")), Refusal::BadText);
    assert_eq!(felt.refused(void("x")), Refusal::NoRound);
    assert_eq!(felt.refused(close("\n")), Refusal::BadText);
}

#[test]
fn a_leaving_player_is_refused_for_leaving_before_any_other_reason() {
    let mut felt = Felt::open("uth-standard");
    felt.seat_all(&["ann", "bea"]);
    felt.wager(1, "ann", 500, 0);
    felt.wager(2, "bea", 500, 0);
    felt.ok(leave(1, "ann"));
    for command in [
        leave(1, "ann"),
        sit_in(1, "ann"),
        sit_out(1, "ann"),
        decide(1, "ann", Decision::Bet(9)),
        reveal(1, "ann", "x"),
        wager(1, "ann", 1, 1),
    ] {
        assert_eq!(felt.refused(command), Refusal::Leaving);
    }
}

#[test]
fn a_wager_that_the_rules_refuse_is_refused_before_chips_are_counted() {
    let mut felt = Felt::open("uth-standard");
    felt.issue_only("ann", 500);
    felt.ok(join(1, "ann"));
    assert_eq!(felt.refused(wager(1, "ann", 501, 0)).code(), "ante-off-unit");
    assert_eq!(felt.refused(wager(1, "ann", 500, 0)), Refusal::InsufficientChips);
}
