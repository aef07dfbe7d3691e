//! Rounds played action by action: which actions are allowed when, and which are refused.

use std::sync::Arc;

use croupier_cards::{Card, Deck};
use croupier_rules::{
    Action, Actor, Amount, Bet, Catalog, Decision, Edition, Event, House, Place, Refusal, Round,
    Seat, Viewer,
};

fn seat(number: u32) -> Seat {
    Seat::new(number).expect("a seat")
}

fn house(id: &str) -> House {
    House::clone(Catalog::shipped().house(id).expect("a house"))
}

fn open(house: &House) -> Round {
    Round::new(Arc::new(house.clone()), house.bonus_paytables().first().cloned())
}

fn wager(number: u32, player: &str, [ante, blind, bonus]: [i64; 3]) -> Action {
    let [ante, blind, bonus] = [ante, blind, bonus].map(Amount::cents);
    Action::Wager { seat: seat(number), player: player.to_owned(), ante, blind, bonus }
}

fn bank(number: u32, player: &str, cents: i64) -> Action {
    let wager = Amount::cents(cents);
    Action::Bank { seat: seat(number), player: player.to_owned(), wager }
}

fn decide(number: u32, player: &str, decision: Decision) -> Action {
    Action::Decide { seat: seat(number), by: Actor::Player(player.to_owned()), decision }
}

fn apply(round: &mut Round, action: Action) -> Vec<Event> {
    let tried = format!("{action:?}");
    round.apply(action).unwrap_or_else(|refusal| panic!("{tried}: {refusal}")).to_vec()
}

/// Tries an action that must be refused without changing the round's state or events.
fn refused(round: &Round, action: Action) -> Refusal {
    let mut tried = round.clone();
    let asked = round.refusal(&action);
    let refusal = tried.apply(action).expect_err("a refusal");
    assert_eq!(asked.as_ref(), Some(&refusal), "the prediction matches the refusal");
    assert_eq!(&tried, round, "a refusal changes nothing");
    refusal
}

/// Deals all cards that are still to come, starting with these, and returns where they went.
fn deal(round: &mut Round, first: &str) -> Vec<(Place, Card)> {
    let first = croupier_cards::parse_cards(first).expect("cards");
    let rest = Deck::FRESH.cards().iter().copied().filter(|card| !first.contains(card));
    let mut cards = first.iter().copied().chain(rest).collect::<Vec<_>>().into_iter();
    let mut places = Vec::new();
    while let Some(place) = round.next_card() {
        let card = cards.next().expect("enough cards");
        let events = apply(round, Action::Deal(card));
        assert_eq!(events, [Event::Dealt { place, card }]);
        places.push((place, card));
    }
    places
}

/// The houses of Texas Hold'em.
const TEXAS: [&str; 3] = ["uth-standard", "uth-washington", "uth-california"];

/// All shipped houses.
const ALL: [&str; 4] = ["uth-standard", "uth-washington", "uth-california", "utcp-standard"];

/// Returns a shipped house with these changes to its file.
fn changed(id: &str, changes: &[(&str, &str)]) -> House {
    let mut text = toml::to_string(&house(id)).expect("plain data");
    for (from, to) in changes {
        assert!(text.contains(from), "{from:?} is not in\n{text}");
        text = text.replace(from, to);
    }
    Catalog::shipped().read_house(&text).expect("a good house")
}

/// Opens a round at a house. Where a player banks, seat 8 does.
fn opened(id: &str) -> Round {
    opened_at(&house(id))
}

fn opened_at(house: &House) -> Round {
    let mut round = open(house);
    if house.seats() == 8 {
        apply(&mut round, bank(8, "bank", 1_000_000));
    }
    round
}

/// Returns a round of Texas Hold'em in which seat 1 has a decision to make before the flop.
fn before_the_flop(id: &str) -> Round {
    let mut round = opened(id);
    apply(&mut round, wager(1, "ann", [500, 500, 0]));
    apply(&mut round, Action::NoMoreBets);
    deal(&mut round, "Ah 3h Ks 2d Kh Jh 9h 6d 4c");
    round
}

#[test]
fn wagers_outside_the_limits_are_refused() {
    for id in ALL {
        let round = opened(id);
        let cents = Amount::cents;
        for (stakes, refusal) in [
            ([495, 495, 0], Refusal::AnteTooSmall { least: cents(500) }),
            ([0, 0, 0], Refusal::AnteTooSmall { least: cents(500) }),
            ([-500, -500, 0], Refusal::AnteTooSmall { least: cents(500) }),
            ([10_500, 10_500, 0], Refusal::AnteTooLarge { most: cents(10_000) }),
            ([i64::MAX, i64::MAX, 0], Refusal::AnteTooLarge { most: cents(10_000) }),
            ([750, 750, 0], Refusal::AnteOffUnit { unit: cents(500) }),
            ([500, 1_000, 0], Refusal::BlindNotAnte),
            ([0, 0, 500], Refusal::BonusWithoutAnte),
            ([500, 500, 100], Refusal::BonusTooSmall { least: cents(500) }),
            ([500, 500, -500], Refusal::BonusTooSmall { least: cents(500) }),
            ([500, 500, 10_500], Refusal::BonusTooLarge { most: cents(10_000) }),
            ([500, 500, 750], Refusal::BonusOffUnit { unit: cents(500) }),
        ] {
            assert_eq!(refused(&round, wager(1, "ann", stakes)), refusal, "{stakes:?}");
        }
    }
}

/// Asserts that actions, each with one fault less than the previous, are refused for these reasons,
/// and that the reasons are declared in this order.
fn assert_order(steps: &[(&Round, Action, &str)]) {
    let (_, declared) = include_str!("../src/refusal.rs")
        .split_once("pub enum Refusal {")
        .expect("the declaration of refusals");
    let mut last = 0;
    for (round, action, code) in steps {
        let refusal = refused(round, action.clone());
        assert_eq!(refusal.code(), *code, "{action:?}");
        let name = format!("{refusal:?}");
        let name = name.split(' ').next().expect("a name");
        let place = [",", " {"].iter().find_map(|end| declared.find(&format!("\n    {name}{end}")));
        let place = place.unwrap_or_else(|| panic!("{name} is not declared"));
        assert!(place >= last, "{name} is declared out of order");
        last = place;
    }
}

#[test]
fn of_several_reasons_to_refuse_a_wager_the_first_declared_is_given() {
    let house = changed(
        "uth-california",
        &[("seats = 8", "seats = 7"), ("games_per_player = 4", "games_per_player = 1")],
    );
    let fill = |mut round: Round| {
        apply(&mut round, bank(3, "bea", 500));
        apply(&mut round, wager(2, "cy", [500, 500, 0]));
        apply(&mut round, wager(4, "dot", [500, 500, 0]));
        round
    };
    let (empty, seated) = (open(&house), fill(open(&house)));
    let plain = fill(Round::new(Arc::new(house), None));
    let mut closed = seated.clone();
    apply(&mut closed, Action::NoMoreBets);
    let all_wrong = [0, 1, 99];
    assert_order(&[
        (&closed, wager(8, "bea", all_wrong), "betting-closed"),
        (&empty, wager(8, "bea", all_wrong), "no-such-seat"),
        (&empty, wager(1, "cy", all_wrong), "nobody-banks"),
        (&plain, wager(4, "bea", all_wrong), "banker-wagers"),
        (&plain, wager(3, "cy", all_wrong), "banker-wagers"),
        (&plain, wager(4, "cy", all_wrong), "not-your-seat"),
        (&plain, wager(1, "cy", all_wrong), "too-many-seats"),
        (&plain, wager(1, "ann", all_wrong), "bonus-without-ante"),
        (&plain, wager(1, "ann", [499, 1, 99]), "ante-too-small"),
        (&plain, wager(1, "ann", [10_001, 1, 99]), "ante-too-large"),
        (&plain, wager(1, "ann", [501, 1, 99]), "ante-off-unit"),
        (&plain, wager(1, "ann", [500, 1, 99]), "blind-not-ante"),
        (&plain, wager(1, "ann", [500, 500, 99]), "no-bonus"),
        (&seated, wager(1, "ann", [500, 500, 99]), "bonus-too-small"),
        (&seated, wager(1, "ann", [500, 500, 10_001]), "bonus-too-large"),
        (&seated, wager(1, "ann", [500, 500, 501]), "bonus-off-unit"),
        (&seated, wager(1, "ann", [500, 500, 500]), "too-many-games"),
    ]);
    assert_eq!(seated.refusal(&wager(1, "ann", [500, 500, 0])), None);
}

#[test]
fn of_several_reasons_to_refuse_a_bank_the_first_declared_is_given() {
    let mut closed = open(&house("uth-standard"));
    apply(&mut closed, wager(1, "ann", [500, 500, 0]));
    apply(&mut closed, Action::NoMoreBets);
    let mut over = closed.clone();
    apply(&mut over, Action::Void("a jam".to_owned()));
    let (banked, free) = (opened("uth-california"), open(&house("uth-california")));
    assert_order(&[
        (&over, bank(8, "ann", 0), "round-over"),
        (&closed, bank(8, "ann", 0), "betting-closed"),
        (&open(&house("uth-standard")), bank(8, "ann", 0), "no-such-seat"),
        (&open(&house("uth-standard")), bank(1, "ann", 0), "house-banks"),
        (&banked, bank(1, "ann", 0), "bank-taken"),
        (&free, bank(1, "ann", 0), "bank-empty"),
    ]);
    assert_eq!(free.refusal(&bank(1, "ann", 1)), None);
}

#[test]
fn of_several_reasons_to_refuse_a_decision_the_first_declared_is_given() {
    use Decision::{Bet, Check, Fold};
    let mut betting = open(&house("uth-standard"));
    for (number, player) in [(1, "ann"), (2, "bea"), (3, "cy")] {
        apply(&mut betting, wager(number, player, [500, 500, 0]));
    }
    let mut dealing = betting.clone();
    apply(&mut dealing, Action::NoMoreBets);
    let mut deciding = dealing.clone();
    deal(&mut deciding, "");
    apply(&mut deciding, decide(2, "bea", Bet(3)));
    apply(&mut deciding, decide(3, "cy", Check));
    let mut river = before_the_flop("uth-standard");
    apply(&mut river, decide(1, "ann", Check));
    apply(&mut river, decide(1, "ann", Check));
    let mut over = deciding.clone();
    apply(&mut over, Action::Void("a jam".to_owned()));
    let mut three = open(&house("utcp-standard"));
    apply(&mut three, wager(1, "ann", [500, 500, 0]));
    apply(&mut three, Action::NoMoreBets);
    deal(&mut three, "Ah Kd Js");
    let by_table = |times| Action::Decide { seat: seat(1), by: Actor::Table, decision: Bet(times) };
    assert_order(&[
        (&over, decide(8, "dot", Fold), "round-over"),
        (&betting, decide(8, "dot", Fold), "betting-open"),
        (&dealing, decide(8, "dot", Fold), "cards-not-dealt"),
        (&deciding, decide(8, "dot", Fold), "no-such-seat"),
        (&deciding, decide(2, "dot", Fold), "not-your-seat"),
        (&deciding, decide(5, "dot", Fold), "not-in-round"),
        (&deciding, decide(2, "bea", Fold), "already-decided"),
        (&deciding, decide(3, "cy", Fold), "already-acted"),
        (&river, decide(1, "ann", Check), "cannot-check"),
        (&deciding, decide(1, "ann", Fold), "cannot-fold"),
        (&three, by_table(9), "table-cannot-bet"),
        (&three, by_table(3), "table-cannot-bet"),
        (&three, decide(1, "ann", Bet(3)), "hand-too-weak"),
        (&three, decide(1, "ann", Bet(9)), "cannot-bet"),
    ]);
    assert_eq!(deciding.refusal(&decide(1, "ann", Check)), None);
}

#[test]
fn an_unpaid_win_of_a_folded_hand_is_reported_at_its_turn() {
    let mut round = open(&house("uth-california"));
    apply(&mut round, bank(8, "bank", 1));
    for number in [1, 2] {
        apply(&mut round, wager(number, &format!("player {number}"), [500, 500, 500]));
    }
    apply(&mut round, Action::NoMoreBets);
    deal(&mut round, "As Ac 9c 9d Ks 2d 9h Js Kc 6d 4h");
    apply(&mut round, decide(1, "player 1", Decision::Bet(4)));
    apply(&mut round, decide(2, "player 2", Decision::Check));
    apply(&mut round, decide(2, "player 2", Decision::Check));
    let events = apply(&mut round, decide(2, "player 2", Decision::Fold));
    let [.., Event::Judged { seat: judged, .. }, Event::Settled { seat: paid, bet, settled }] =
        &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!((*judged, *paid, *bet), (seat(2), seat(2), Bet::Bonus));
    assert_eq!((settled.result.id(), settled.uncovered), ("returned", Amount::cents(1_500)));
}

#[test]
fn a_limit_of_one_game_per_player_rules_out_the_bonus() {
    for id in ALL {
        let house = changed(id, &[("games_per_player = 4", "games_per_player = 1")]);
        let round = opened_at(&house);
        let refusal = refused(&round, wager(1, "ann", [500, 500, 500]));
        assert_eq!(refusal, Refusal::TooManyGames { most: 1 });
        assert_eq!(refusal.to_string(), "there are no side bets at this table");
    }
}

#[test]
fn games_are_counted_across_all_seats_of_a_player() {
    for id in ALL {
        let house = changed(id, &[("seats_per_player = 1", "seats_per_player = 3")]);
        let mut round = opened_at(&house);
        apply(&mut round, wager(1, "ann", [500, 500, 500]));
        apply(&mut round, wager(2, "ann", [500, 500, 500]));
        let fifth = wager(3, "ann", [500, 500, 0]);
        assert_eq!(refused(&round, fifth), Refusal::TooManyGames { most: 4 });
        apply(&mut round, wager(2, "ann", [500, 500, 0]));
        apply(&mut round, wager(3, "ann", [500, 500, 0]));
    }
}

#[test]
fn the_table_checks_or_folds_for_a_player_and_never_bets() {
    for id in TEXAS {
        let mut round = before_the_flop(id);
        let by_table = |decision| Action::Decide { seat: seat(1), by: Actor::Table, decision };
        assert_eq!(refused(&round, by_table(Decision::Bet(4))), Refusal::TableCannotBet);
        let events = apply(&mut round, by_table(Decision::Check));
        let (seat, decision) = (seat(1), Decision::Check);
        assert_eq!(events[0], Event::Decided { seat, decision, by_table: true });
    }
}

#[test]
fn antes_are_returned_before_any_hand_is_compared_where_the_house_says_so() {
    let settled_before_hands = |house: &House| {
        let mut round = open(house);
        if house.decks() == 2 {
            apply(&mut round, bank(8, "dot", 50_000));
        }
        for number in [1, 2, 3] {
            apply(&mut round, wager(number, &format!("player {number}"), [500, 500, 0]));
        }
        apply(&mut round, Action::NoMoreBets);
        deal(&mut round, "7s 3d 8s 5c 2c Ts Qs 2d Kh Js 9c 6d 4h");
        let mut last = Vec::new();
        for decisions in [
            [Decision::Check; 3],
            [Decision::Check; 3],
            [Decision::Fold, Decision::Bet(1), Decision::Bet(1)],
        ] {
            for (number, decision) in (1..).zip(decisions) {
                last = apply(&mut round, decide(number, &format!("player {number}"), decision));
            }
        }
        let shown = last.iter().position(|event| matches!(event, Event::DealerShown { .. }));
        let judged = last.iter().position(|event| matches!(event, Event::Judged { .. }));
        let between = &last[shown.expect("a showdown") + 1..judged.expect("a showdown")];
        let seats = between.iter().map(|event| match event {
            Event::Settled { seat, .. } => seat.number(),
            other => panic!("{other:?}"),
        });
        seats.collect::<Vec<_>>()
    };
    assert_eq!(settled_before_hands(&house("uth-washington")), [3, 2]);
    assert!(settled_before_hands(&house("uth-standard")).is_empty());
    assert!(settled_before_hands(&house("uth-california")).is_empty());
    // The same where a player banks, even though folded hands are collected before.
    let text = toml::to_string(&house("uth-california")).expect("plain data");
    let text = text.replace("\"by-seat\"", "\"first-pass\"");
    let banked = Catalog::shipped().read_house(&text).expect("a good house");
    assert_eq!(settled_before_hands(&banked), [2, 3]);
}

fn withdraw(number: u32, player: &str) -> Action {
    Action::Withdraw { seat: seat(number), player: player.to_owned() }
}

#[test]
fn nothing_is_wagered_raised_or_withdrawn_after_no_more_bets() {
    for id in ALL {
        let mut round = opened(id);
        assert_eq!(refused(&round, Action::NoMoreBets), Refusal::NobodyWagered);
        apply(&mut round, wager(1, "ann", [500, 500, 0]));
        apply(&mut round, wager(1, "ann", [1_000, 1_000, 0]));
        assert_eq!(refused(&round, withdraw(1, "bea")), Refusal::NotYourSeat);
        assert_eq!(refused(&round, withdraw(2, "bea")), Refusal::NotInRound);
        apply(&mut round, withdraw(1, "ann"));
        assert_eq!(refused(&round, Action::NoMoreBets), Refusal::NobodyWagered);
        apply(&mut round, wager(1, "ann", [1_000, 1_000, 0]));
        apply(&mut round, Action::NoMoreBets);
        assert_eq!(refused(&round, withdraw(1, "ann")), Refusal::BettingClosed);
        assert_eq!(refused(&round, wager(1, "ann", [1_500, 1_500, 0])), Refusal::BettingClosed);
        assert_eq!(refused(&round, wager(2, "bea", [500, 500, 0])), Refusal::BettingClosed);
        assert_eq!(refused(&round, Action::NoMoreBets), Refusal::BettingClosed);
    }
}

#[test]
fn cards_are_dealt_in_the_order_of_the_house() {
    let orders = [
        ("pairs", "2 2 5 5 D D C C C C C"),
        ("singles", "2 5 D 2 5 D C C C C C"),
        ("board-first", "C C C C C 2 2 5 5 D D"),
    ];
    for (id, (deal_order, expected)) in TEXAS.iter().flat_map(|id| orders.map(|order| (id, order)))
    {
        let house = changed(id, &[("\"pairs\"", &format!("\"{deal_order}\""))]);
        let mut round = opened_at(&house);
        // Wagers can be made in any order; cards are dealt in seat order.
        apply(&mut round, wager(5, "bea", [500, 500, 0]));
        apply(&mut round, wager(2, "ann", [500, 500, 0]));
        assert_eq!(refused(&round, Action::Deal(Card::ALL[0])), Refusal::BettingOpen);
        apply(&mut round, Action::NoMoreBets);
        let places: Vec<String> = deal(&mut round, "")
            .into_iter()
            .map(|(place, _)| match place {
                Place::Seat(seat) => seat.number().to_string(),
                Place::Dealer => "D".to_owned(),
                Place::Community => "C".to_owned(),
            })
            .collect();
        assert_eq!(places.join(" "), expected, "{id}");
        assert_eq!(refused(&round, Action::Deal(Card::ALL[51])), Refusal::CardsDealt);
    }
}

#[test]
fn a_card_is_dealt_once() {
    let mut round = open(&house("uth-standard"));
    apply(&mut round, wager(1, "ann", [500, 500, 0]));
    apply(&mut round, Action::NoMoreBets);
    let card = Card::ALL[7];
    apply(&mut round, Action::Deal(card));
    assert_eq!(refused(&round, Action::Deal(card)), Refusal::CardRepeated { card });
    assert_eq!(refused(&round, decide(1, "ann", Decision::Check)), Refusal::CardsNotDealt);
}

#[test]
fn before_the_flop_a_player_checks_or_bets_three_or_four_times_the_ante() {
    use Decision::{Bet, Check, Fold};
    for id in TEXAS {
        let round = before_the_flop(id);
        assert_eq!(round.decisions(seat(1)), [Bet(4), Bet(3), Check]);
        let allowed = vec![3, 4];
        for times in [0, 1, 2, 5, u32::MAX] {
            let refusal = Refusal::CannotBet { allowed: allowed.clone() };
            assert_eq!(refused(&round, decide(1, "ann", Bet(times))), refusal);
        }
        assert_eq!(refused(&round, decide(1, "ann", Fold)), Refusal::CannotFold);
        assert_eq!(refused(&round, decide(1, "bea", Check)), Refusal::NotYourSeat);
        assert_eq!(refused(&round, decide(2, "ann", Check)), Refusal::NotInRound);
    }
}

#[test]
fn the_largest_bet_shrinks_on_the_flop_and_on_the_river() {
    use Decision::{Bet, Check, Fold};
    for id in TEXAS {
        let mut round = before_the_flop(id);
        let events = apply(&mut round, decide(1, "ann", Check));
        let flop = croupier_cards::parse_cards("Kh Jh 9h").expect("cards");
        assert_eq!(events[1], Event::Turned(flop));
        assert_eq!(round.decisions(seat(1)), [Bet(2), Check]);

        let events = apply(&mut round, decide(1, "ann", Check));
        let turn_and_river = croupier_cards::parse_cards("6d 4c").expect("cards");
        assert_eq!(events[1], Event::Turned(turn_and_river));
        assert_eq!(round.view(Viewer::Rail).community.len(), 5);
        assert_eq!(round.decisions(seat(1)), [Bet(1), Fold]);
        assert_eq!(refused(&round, decide(1, "ann", Check)), Refusal::CannotCheck);
        assert_eq!(round.settlement(), None);

        apply(&mut round, decide(1, "ann", Bet(1)));
        let net = round.settlement().expect("the end").seats[0].net;
        assert_eq!(net, Amount::cents(500 + 500 + 750));
        assert_eq!(refused(&round, decide(1, "ann", Bet(1))), Refusal::RoundOver);
        assert_eq!(refused(&round, Action::Void("late".to_owned())), Refusal::RoundOver);
    }
}

#[test]
fn seats_act_in_any_order_and_the_street_closes_with_the_last() {
    use Decision::{Bet, Check};
    for id in TEXAS {
        let mut round = opened(id);
        apply(&mut round, wager(1, "ann", [500, 500, 0]));
        apply(&mut round, wager(2, "bea", [500, 500, 0]));
        apply(&mut round, Action::NoMoreBets);
        deal(&mut round, "");
        // The first decision turns no card; the last one turns the flop.
        assert_eq!(apply(&mut round, decide(2, "bea", Bet(3))).len(), 1);
        assert_eq!(refused(&round, decide(2, "bea", Bet(3))), Refusal::AlreadyDecided);
        assert_eq!(round.to_decide().collect::<Vec<_>>(), [seat(1)]);
        assert_eq!(round.view(Viewer::Rail).community.len(), 0);
        apply(&mut round, decide(1, "ann", Check));
        assert_eq!(round.view(Viewer::Rail).community.len(), 3);
        assert_eq!(round.decisions(seat(2)), []);

        let mut round = before_the_flop(id);
        let events = apply(&mut round, decide(1, "ann", Bet(4)));
        // No seat has anything left to decide: the board is turned and the round settled at once.
        let turned = events.iter().filter(|event| matches!(event, Event::Turned(_))).count();
        assert_eq!((turned, round.settlement().is_some()), (2, true));
    }
}

#[test]
fn with_three_cards_a_bet_above_the_ante_needs_a_pair() {
    use Decision::{Bet, Fold};
    for (cards, decisions) in [
        ("Ah Kd Js", vec![Bet(1), Fold]),
        ("2h 2d 3s", vec![Bet(3), Bet(2), Bet(1), Fold]),
        ("4h 3d 2s", vec![Bet(3), Bet(2), Bet(1), Fold]),
    ] {
        let mut round = open(&house("utcp-standard"));
        apply(&mut round, wager(1, "ann", [500, 500, 0]));
        apply(&mut round, Action::NoMoreBets);
        deal(&mut round, cards);
        assert_eq!(round.decisions(seat(1)), decisions, "{cards}");
        if decisions.len() == 2 {
            let refusal = refused(&round, decide(1, "ann", Bet(3)));
            assert_eq!(refusal.code(), "hand-too-weak");
            assert_eq!(refusal.to_string(), "you need a pair or better to bet that much");
            assert_eq!(refused(&round, decide(1, "ann", Bet(4))).code(), "cannot-bet");
        }
    }
}

#[test]
fn one_player_banks_posts_at_least_a_cent_and_cannot_wager() {
    let mut round = open(&house("uth-california"));
    assert_eq!(refused(&round, wager(1, "ann", [500, 500, 0])), Refusal::NoBanker);
    assert_eq!(refused(&round, Action::NoMoreBets), Refusal::NoBanker);
    assert_eq!(refused(&round, bank(3, "bea", 0)), Refusal::BankEmpty);
    apply(&mut round, bank(3, "bea", 1));
    for (number, player) in [(4, "cy"), (3, "cy"), (4, "bea")] {
        assert_eq!(refused(&round, bank(number, player, 500)), Refusal::BankTaken);
    }
    // The banker can change the posted wager while betting is open, as players can change theirs.
    assert_eq!(refused(&round, bank(3, "bea", -1)), Refusal::BankEmpty);
    apply(&mut round, bank(3, "bea", 2));
    assert_eq!(refused(&round, wager(3, "bea", [500, 500, 0])), Refusal::BankerWagers);
    assert_eq!(refused(&round, wager(4, "bea", [500, 500, 0])), Refusal::BankerWagers);
    for number in [1, 2, 4, 5, 6, 7, 8] {
        apply(&mut round, wager(number, &format!("player {number}"), [500, 500, 0]));
    }
    apply(&mut round, bank(3, "bea", 3));
    apply(&mut round, Action::NoMoreBets);
    assert_eq!(refused(&round, bank(3, "bea", 4)), Refusal::BettingClosed);
    assert_eq!(refused(&open(&house("uth-standard")), bank(1, "ann", 500)), Refusal::HouseBanks);
}

#[test]
fn a_void_round_returns_what_was_staked_so_far() {
    for id in TEXAS {
        let mut round = opened(id);
        apply(&mut round, wager(1, "ann", [500, 500, 500]));
        apply(&mut round, wager(2, "bea", [500, 500, 0]));
        apply(&mut round, Action::NoMoreBets);
        deal(&mut round, "");
        apply(&mut round, decide(1, "ann", Decision::Bet(4)));
        let events = apply(&mut round, Action::Void("the shuffler jammed".to_owned()));
        assert_eq!(events.len(), 1 + 4 + 2);
        let settlement = round.settlement().expect("the end");
        assert_eq!(settlement.bank_net, Amount::ZERO);
        let play = settlement.seats[0].wagers.play.expect("a Play wager");
        assert_eq!((play.returned, play.result.id()), (Amount::cents(2_000), "void"));
    }
}

#[test]
fn a_bet_is_made_once_and_cannot_be_changed() {
    use Decision::{Bet, Check};
    for id in TEXAS {
        let mut round = opened(id);
        apply(&mut round, wager(1, "ann", [500, 500, 0]));
        apply(&mut round, wager(2, "bea", [500, 500, 0]));
        apply(&mut round, Action::NoMoreBets);
        deal(&mut round, "");
        apply(&mut round, decide(1, "ann", Bet(3)));
        for changed in [Bet(4), Bet(3), Bet(2), Check] {
            assert_eq!(refused(&round, decide(1, "ann", changed)), Refusal::AlreadyDecided);
        }
        apply(&mut round, decide(2, "bea", Check));
        // On the flop, too, only the other seat has a decision.
        assert_eq!(refused(&round, decide(1, "ann", Bet(2))), Refusal::AlreadyDecided);
        assert_eq!(round.to_decide().collect::<Vec<_>>(), [seat(2)]);
    }
}

#[test]
fn a_player_wagers_on_their_own_hand_and_on_no_other() {
    for id in ALL {
        let mut round = opened(id);
        apply(&mut round, wager(1, "ann", [500, 500, 0]));
        assert_eq!(refused(&round, wager(1, "bea", [500, 500, 0])), Refusal::NotYourSeat);
        let banks = if house(id).seats() == 8 { Refusal::BankTaken } else { Refusal::HouseBanks };
        assert_eq!(refused(&round, bank(2, "bea", 500)), banks);
        let another = wager(2, "ann", [500, 500, 0]);
        assert_eq!(refused(&round, another), Refusal::TooManySeats { most: 1 });
        apply(&mut round, Action::NoMoreBets);
        deal(&mut round, "");
        assert_eq!(refused(&round, decide(1, "bea", Decision::Bet(4))), Refusal::NotYourSeat);
    }
}

#[test]
fn seven_players_wager_against_the_eighth_and_there_is_no_ninth_seat() {
    for banker in 1..=8 {
        let mut round = open(&house("uth-california"));
        apply(&mut round, bank(banker, "bank", 50_000));
        for number in (1..=8).filter(|&number| number != banker) {
            apply(&mut round, wager(number, &format!("player {number}"), [500, 500, 0]));
        }
        apply(&mut round, Action::NoMoreBets);
        assert_eq!(deal(&mut round, "").len(), 7 * 2 + 2 + 5);
    }
    assert_eq!(Seat::new(9), None);
    let round = open(&house("uth-standard"));
    let eighth = wager(8, "ann", [500, 500, 0]);
    assert_eq!(refused(&round, eighth), Refusal::NoSuchSeat { seats: 7 });
}

#[test]
fn cards_go_clockwise_from_the_casino_dealers_left_and_to_the_player_dealer_last() {
    let mut round = open(&house("uth-california"));
    apply(&mut round, bank(3, "bank", 50_000));
    for number in [7, 1, 4] {
        apply(&mut round, wager(number, &format!("player {number}"), [500, 500, 0]));
    }
    apply(&mut round, Action::NoMoreBets);
    let places: Vec<Place> = deal(&mut round, "").into_iter().map(|(place, _)| place).collect();
    let [first, fourth, seventh] = [1, 4, 7].map(|number| Place::Seat(seat(number)));
    let holes = [first, first, fourth, fourth, seventh, seventh, Place::Dealer, Place::Dealer];
    assert_eq!(places[..8], holes);
    assert_eq!(places[8..], [Place::Community; 5]);
}

#[test]
fn a_seat_without_an_ante_gets_no_cards() {
    for id in TEXAS {
        let mut round = opened(id);
        apply(&mut round, wager(4, "ann", [500, 500, 0]));
        apply(&mut round, Action::NoMoreBets);
        let places = deal(&mut round, "").into_iter().map(|(place, _)| place);
        let seats = places.filter(|place| matches!(place, Place::Seat(_))).collect::<Vec<_>>();
        assert_eq!(seats, [Place::Seat(seat(4)); 2]);
        assert_eq!(refused(&round, decide(5, "bea", Decision::Check)), Refusal::NotInRound);
    }
}

#[test]
fn the_wager_a_player_dealer_posts_has_no_maximum() {
    let mut round = open(&house("uth-california"));
    apply(&mut round, bank(3, "bea", i64::MAX));
}

#[test]
fn a_posted_wager_is_lowered_only_while_no_other_seat_has_wagered() {
    let mut round = open(&house("uth-california"));
    apply(&mut round, bank(3, "bea", 50_000));
    apply(&mut round, bank(3, "bea", 40_000));
    apply(&mut round, wager(1, "ann", [500, 500, 0]));
    let least = Amount::cents(40_000);
    assert_eq!(refused(&round, bank(3, "bea", 39_999)), Refusal::BankLowered { least });
    apply(&mut round, bank(3, "bea", 40_000));
    apply(&mut round, bank(3, "bea", 45_000));
    let least = Amount::cents(45_000);
    assert_eq!(refused(&round, bank(3, "bea", 40_000)), Refusal::BankLowered { least });
    // No wager depends on it anymore.
    apply(&mut round, Action::Withdraw { seat: seat(1), player: "ann".to_owned() });
    apply(&mut round, bank(3, "bea", 1));
}

#[test]
fn under_the_first_edition_a_posted_wager_may_be_lowered_at_any_time() {
    let catalog = Catalog::shipped();
    let former = catalog.house_of("uth-california", Edition::First).expect("a former house");
    let mut round = open(&former);
    apply(&mut round, bank(3, "bea", 50_000));
    apply(&mut round, wager(1, "ann", [500, 500, 0]));
    apply(&mut round, bank(3, "bea", 40_000));
}

#[test]
fn a_view_marks_the_seats_that_have_a_decision_to_make() {
    for id in TEXAS {
        let mut round = opened(id);
        let waiting = |round: &Round| -> Vec<bool> {
            round.view(Viewer::Rail).seats.iter().map(|seat| seat.to_decide).collect()
        };
        for (number, player) in [(1, "ann"), (2, "bea"), (3, "cy")] {
            apply(&mut round, wager(number, player, [500, 500, 0]));
        }
        assert_eq!(waiting(&round), [false; 3], "{id}");
        apply(&mut round, Action::NoMoreBets);
        deal(&mut round, "");
        assert_eq!(waiting(&round), [true; 3], "{id}");
        apply(&mut round, decide(2, "bea", Decision::Check));
        assert_eq!(waiting(&round), [true, false, true], "{id}");
        apply(&mut round, decide(1, "ann", Decision::Bet(4)));
        apply(&mut round, decide(3, "cy", Decision::Check));
        assert_eq!(waiting(&round), [false, true, true], "{id}");
    }
}

#[test]
fn all_cards_are_face_down_after_the_deal() {
    let board_first = TEXAS.map(|id| changed(id, &[("\"pairs\"", "\"board-first\"")]));
    for house in ALL.map(house).iter().chain(&board_first) {
        let mut round = opened_at(house);
        apply(&mut round, wager(1, "ann", [500, 500, 0]));
        apply(&mut round, wager(2, "bea", [500, 500, 0]));
        apply(&mut round, Action::NoMoreBets);
        deal(&mut round, "");
        let (id, order) = (house.id(), house.deal());
        let seen = round.view(Viewer::Rail);
        assert!(seen.community.is_empty() && seen.dealer.is_none(), "{id}, {order:?}");
        assert!(seen.seats.iter().all(|seat| seat.cards.is_none()), "{id}, {order:?}");
        // A player sees their own cards, and no others.
        let own = round.view(Viewer::Seat(seat(1)));
        let known: Vec<bool> = own.seats.iter().map(|seat| seat.cards.is_some()).collect();
        assert_eq!(known, [true, false], "{id}, {order:?}");
    }
}

#[test]
fn the_dealers_cards_are_turned_when_every_seat_has_decided() {
    for id in ALL {
        let mut round = opened(id);
        apply(&mut round, wager(1, "ann", [500, 500, 0]));
        apply(&mut round, wager(2, "bea", [500, 500, 0]));
        apply(&mut round, Action::NoMoreBets);
        deal(&mut round, "");
        let bet = round.decisions(seat(2))[0];
        apply(&mut round, decide(2, "bea", bet));
        while round.decisions(seat(1)).contains(&Decision::Check) {
            assert_eq!(round.view(Viewer::Rail).dealer, None, "{id}");
            apply(&mut round, decide(1, "ann", Decision::Check));
        }
        assert_eq!(round.view(Viewer::Rail).dealer, None, "{id}");
        let events = apply(&mut round, decide(1, "ann", Decision::Fold));
        // The wagers of the folded hand are collected first.
        assert!(matches!(events[1], Event::Settled { bet: Bet::Ante, .. }), "{events:?}");
        assert!(matches!(events[2], Event::Settled { bet: Bet::Blind, .. }), "{events:?}");
        assert!(matches!(events[3], Event::DealerShown { .. }), "{events:?}");
        let after = round.view(Viewer::Rail);
        assert!(after.dealer.is_some());
        // Folded hands are shown as well.
        assert!(after.seats.iter().all(|seat| seat.cards.is_some()));
    }
}

#[test]
fn a_round_ends_with_every_wager_paid_or_collected() {
    for id in TEXAS {
        let mut round = before_the_flop(id);
        apply(&mut round, decide(1, "ann", Decision::Bet(4)));
        let settlement = round.settlement().expect("the end");
        let wagers = settlement.seats[0].wagers;
        assert!(wagers.ante.is_some() && wagers.blind.is_some() && wagers.play.is_some());
        assert!(round.to_decide().next().is_none());
        assert_eq!(refused(&round, wager(2, "bea", [500, 500, 0])), Refusal::RoundOver);
    }
}

#[test]
fn the_bonus_is_optional() {
    for id in ALL {
        let mut round = opened(id);
        apply(&mut round, wager(1, "ann", [500, 500, 500]));
        apply(&mut round, wager(2, "bea", [500, 500, 0]));
        apply(&mut round, Action::NoMoreBets);
        deal(&mut round, "");
        loop {
            let Some(seat) = round.to_decide().next() else { break };
            let decision = *round.decisions(seat).last().expect("a decision");
            apply(&mut round, Action::Decide { seat, by: Actor::Table, decision });
        }
        let seats = &round.settlement().expect("the end").seats;
        assert_eq!(seats[0].wagers.bonus.map(|wager| wager.staked), Some(Amount::cents(500)));
        assert_eq!(seats[1].wagers.bonus, None);
    }
}

#[test]
fn three_cards_are_dealt_at_once_to_each_seat_and_last_to_the_dealer() {
    let mut round = open(&house("utcp-standard"));
    apply(&mut round, wager(6, "bea", [500, 500, 0]));
    apply(&mut round, wager(2, "ann", [500, 500, 0]));
    apply(&mut round, Action::NoMoreBets);
    let places: Vec<Place> = deal(&mut round, "").into_iter().map(|(place, _)| place).collect();
    let [second, sixth] = [2, 6].map(|number| Place::Seat(seat(number)));
    assert_eq!(places, [[second; 3], [sixth; 3], [Place::Dealer; 3]].concat());
}

#[test]
fn three_card_antes_are_returned_before_any_hand_is_compared() {
    let mut round = open(&house("utcp-standard"));
    for (number, player) in [(1, "ann"), (2, "bea"), (3, "cy")] {
        apply(&mut round, wager(number, player, [500, 500, 0]));
    }
    apply(&mut round, Action::NoMoreBets);
    deal(&mut round, "Ks 3d 2h 9s 4d 2c 7s 4h 3c Js Td 8h");
    apply(&mut round, decide(1, "ann", Decision::Bet(1)));
    apply(&mut round, decide(2, "bea", Decision::Bet(1)));
    let events = apply(&mut round, decide(3, "cy", Decision::Fold));
    assert!(matches!(events[3], Event::DealerShown { qualifies: false, .. }));
    let refunded = events[4..6].iter().map(|event| match event {
        Event::Settled { seat, bet: Bet::Ante, settled } => (seat.number(), settled.result.id()),
        other => panic!("{other:?}"),
    });
    assert_eq!(refunded.collect::<Vec<_>>(), [(2, "push"), (1, "push")]);
    assert!(matches!(events[6], Event::Judged { .. }));
}

/// Plays a round of three seats with bonuses at a house, and returns the calls from the first
/// collected chips on. Seat 2 folds and loses all; seat 3 folds, and its bonus wins.
fn called(id: &str, qualifies: bool) -> Vec<String> {
    let (house, mut round) = (house(id), opened(id));
    for number in [1, 2, 3] {
        apply(&mut round, wager(number, &format!("player {number}"), [500, 500, 500]));
    }
    apply(&mut round, Action::NoMoreBets);
    let texas = house.game() == croupier_rules::Game::Uth;
    deal(
        &mut round,
        match (texas, qualifies) {
            (true, true) => "As Ac 8s 3d 9c 9d Ks 2d 9h Js Kc 6d 4h",
            (true, false) => "As Tc 8s 3d Qc Td Qs 2d Kh Js 9c 6d 4h",
            (false, true) => "As Ac 5d 8s 4d 3d 9c 9d 9h Ks 2d 7c",
            (false, false) => "As Ac 5d 8s 4d 3d 9c 9d 9h Js 2d 7c",
        },
    );
    let mut events = Vec::new();
    loop {
        let Some(seat) = round.to_decide().next() else { break };
        let decisions = round.decisions(seat);
        let decision = match seat.number() {
            1 => decisions[0],
            _ => *decisions.last().expect("a decision"),
        };
        events = apply(&mut round, Action::Decide { seat, by: actor(seat), decision });
    }
    let lines = events.iter().filter_map(|event| match event {
        Event::DealerShown { .. } => Some("dealer".to_owned()),
        Event::Judged { seat, outcome, .. } => Some(format!("{} {}s", seat.number(), outcome.id())),
        Event::Settled { seat, bet, .. } => Some(format!("{} {}", seat.number(), bet.id())),
        _ => None,
    });
    lines.collect()
}

fn actor(seat: Seat) -> Actor {
    Actor::Player(format!("player {}", seat.number()))
}

#[test]
fn each_hand_is_called_and_settled_before_the_next_in_the_order_of_the_house() {
    let collected = ["3 ante", "3 blind", "2 ante", "2 blind", "2 bonus"];
    let (third, second) = (["3 folds", "3 bonus"], ["2 folds"]);
    let first = ["1 wins", "1 play", "1 ante", "1 blind", "1 bonus"];
    let from_the_right = [&collected[..], &["dealer"], &third, &second, &first].concat();
    for id in ["uth-standard", "uth-washington", "utcp-standard"] {
        assert_eq!(called(id, true), from_the_right, "{id}");
    }
    // Seat 8 banks, so its left is seat 1. A winner's Ante is paid before the Play.
    let collected = ["2 ante", "2 blind", "2 bonus", "3 ante", "3 blind"];
    let first = ["1 wins", "1 ante", "1 play", "1 blind", "1 bonus"];
    let from_the_left = [&collected[..], &["dealer"], &first, &second, &third].concat();
    assert_eq!(called("uth-california", true), from_the_left);
    assert_eq!(called("uth-california", false), from_the_left, "a returned Ante comes first");
}

#[test]
fn where_antes_are_returned_first_the_other_wagers_wait_for_their_seats_turn() {
    for (id, first_pass) in [
        ("uth-washington", true),
        ("uth-standard", false),
        ("uth-california", false),
        ("utcp-standard", true),
    ] {
        let called = called(id, false);
        let place = |line: &str| {
            let found = called.iter().position(|known| known == line);
            found.unwrap_or_else(|| panic!("{id} does not call {line}: {called:?}"))
        };
        assert_eq!(place("1 ante") == place("dealer") + 1, first_pass, "{id}: {called:?}");
        let first = if id == "uth-california" { "1 ante" } else { "1 play" };
        assert_eq!(place(first), place("1 wins") + 1, "{id}: {called:?}");
        // A folded hand is paid at its turn; its losing wagers were collected before.
        assert_eq!(place("3 bonus"), place("3 folds") + 1, "{id}: {called:?}");
    }
}

/// Lists the events at the end of a round: hands, and wagers with the amounts that go back.
fn transcript(events: &[Event]) -> Vec<String> {
    let lines = events.iter().filter_map(|event| match event {
        Event::Turned(cards) => {
            let cards: Vec<String> = cards.iter().map(ToString::to_string).collect();
            Some(format!("board {}", cards.join(" ")))
        }
        Event::DealerShown { qualifies, .. } => Some(format!("dealer qualifies {qualifies}")),
        Event::Judged { seat, outcome, .. } => Some(format!("{} {}", seat.number(), outcome.id())),
        Event::Settled { seat, bet, settled } => {
            let (result, back) = (settled.result.id(), settled.returned.as_cents());
            Some(format!("{} {} {result} {back}", seat.number(), bet.id()))
        }
        _ => None,
    });
    lines.collect()
}

/// Applies the seats' decisions, street by street, and returns the transcript.
fn played(round: &mut Round, streets: &[&[(u32, Decision)]]) -> Vec<String> {
    let mut lines = Vec::new();
    for &(number, decision) in streets.iter().copied().flatten() {
        let action = Action::Decide { seat: seat(number), by: actor(seat(number)), decision };
        lines.extend(transcript(&apply(round, action)));
    }
    lines
}

#[test]
fn the_second_washington_procedure_plays_like_the_first() {
    use Decision::{Bet, Check, Fold};
    let streets: [&[(u32, Decision)]; 3] = [
        &[(1, Check), (2, Bet(4)), (3, Check)],
        &[(1, Check), (3, Check)],
        &[(1, Fold), (3, Bet(1))],
    ];
    let play = |house: &House, deck: &str| {
        let mut round = open(house);
        for (number, ante, bonus) in [(1, 500, 0), (2, 2_500, 500), (3, 500, 0)] {
            apply(&mut round, wager(number, &format!("player {number}"), [ante, ante, bonus]));
        }
        apply(&mut round, Action::NoMoreBets);
        deal(&mut round, deck);
        played(&mut round, &streets)
    };
    let board_first = changed("uth-washington", &[("\"pairs\"", "\"board-first\"")]);
    let second = play(&board_first, "Kh Js 9c 6d 4h 7s 3d As 5c 2c Ts Qs 2d");
    assert_eq!(
        second,
        [
            "board Kh Js 9c",
            "board 6d 4h",
            "1 ante lose 0",
            "1 blind lose 0",
            "dealer qualifies false",
            "3 ante push 500",
            "2 ante push 2500",
            "3 lose",
            "3 play lose 0",
            "3 blind lose 0",
            "2 win",
            "2 play win 20000",
            "2 blind push 2500",
            "2 bonus lose 0",
            "1 fold",
        ]
    );
    let first = play(&house("uth-washington"), "7s 3d As 5c 2c Ts Qs 2d Kh Js 9c 6d 4h");
    assert_eq!(second, first);
}

#[test]
fn against_a_player_dealer_without_a_pair_each_seat_gets_its_ante_back_first_from_the_left() {
    use Decision::{Bet, Check};
    let mut round = open(&house("uth-california"));
    apply(&mut round, bank(3, "bea", 50_000));
    for (number, bonus) in [(1, 0), (4, 500), (7, 0)] {
        apply(&mut round, wager(number, &format!("player {number}"), [500, 500, bonus]));
    }
    apply(&mut round, Action::NoMoreBets);
    deal(&mut round, "7s 3d 9s 9d As Ts Qs 2d Kh Js 9c 6d 4h");
    let streets = [Check, Check, Bet(1)].map(|decision| [1, 4, 7].map(|number| (number, decision)));
    let streets = [&streets[0][..], &streets[1][..], &streets[2][..]];
    assert_eq!(
        played(&mut round, &streets),
        [
            "board Kh Js 9c",
            "board 6d 4h",
            "dealer qualifies false",
            "4 win",
            "4 ante push 500",
            "4 play win 1000",
            "4 blind push 500",
            "4 bonus win 2000",
            "7 win",
            "7 ante push 500",
            "7 play win 1000",
            "7 blind push 500",
            "1 lose",
            "1 ante push 500",
            "1 play lose 0",
            "1 blind lose 0",
        ]
    );
}

#[test]
fn a_folded_hand_that_wins_trips_is_shown_right_before_it_is_paid() {
    use Decision::{Bet, Check, Fold};
    let mut round = opened("uth-california");
    for number in [1, 2] {
        apply(&mut round, wager(number, &format!("player {number}"), [500, 500, 500]));
    }
    apply(&mut round, Action::NoMoreBets);
    deal(&mut round, "As Ac 9c 9d Ks 2d 9h Js Kc 6d 4h");
    apply(&mut round, decide(1, "player 1", Bet(4)));
    apply(&mut round, decide(2, "player 2", Check));
    apply(&mut round, decide(2, "player 2", Check));
    // Until then, the folded cards are hidden.
    assert!(round.view(Viewer::Rail).seats.iter().all(|seat| seat.cards.is_none()));
    let events = apply(&mut round, decide(2, "player 2", Fold));
    let lines = transcript(&events);
    assert_eq!(lines[lines.len() - 2..], ["2 fold", "2 bonus win 2000"]);
    let shown = round.view(Viewer::Rail).seats[1].cards;
    assert_eq!(shown, Some("9c 9d".parse().expect("cards")));
}
