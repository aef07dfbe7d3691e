//! Bad play is not mistaken for bad cards, and bad cards are detected however players play.

use std::sync::{LazyLock, OnceLock};

use croupier_cards::{Card, Category, Deck};
use croupier_odds::Strategy;
use croupier_rules::{Action, Actor, Amount, Catalog, Decision, Game, Record, Round, Seat, Viewer};
use croupier_table::{Seed, Terms, shuffle};
use serde_json::{Value, json};

use super::{Priced, Theory};

const ANTE: i64 = 1_000;

/// Returns the solved game of a house, solved once for all tests.
fn theory(house: &str) -> &'static Theory {
    static HOLDEM: OnceLock<Theory> = OnceLock::new();
    static THREE_CARD: OnceLock<Theory> = OnceLock::new();
    let catalog = Catalog::shipped();
    let known = match catalog.house(house).expect("a house").game() {
        Game::Uth => &HOLDEM,
        Game::Utcp => &THREE_CARD,
    };
    known.get_or_init(|| {
        let terms = Terms::new(&catalog, house, None, None).expect("good terms");
        Theory::solve(&terms).expect("it can be solved")
    })
}

fn deck(number: u64) -> Deck {
    shuffle("luck", number, &Seed::from_bytes([16; 32]), &[])
}

/// A strategy: decides on the hand, the board and the allowed decisions.
type Player = fn(&[Card], &[Card], &[Decision]) -> Decision;

/// Plays by a published strategy.
fn well(hand: &[Card], board: &[Card], allowed: &[Decision]) -> Decision {
    static HOLDEM: LazyLock<Strategy> = LazyLock::new(|| shipped("short"));
    static THREE_CARD: LazyLock<Strategy> = LazyLock::new(|| shipped("utcp-short"));
    let strategy = if hand.len() == 2 { &*HOLDEM } else { &*THREE_CARD };
    strategy.decide(hand, board, allowed)
}

fn shipped(id: &str) -> Strategy {
    Strategy::shipped(id).expect("it comes along")
}

/// Folds every hand, as late as possible.
fn hopelessly(_: &[Card], _: &[Card], allowed: &[Decision]) -> Decision {
    if allowed.contains(&Decision::Check) { Decision::Check } else { Decision::Fold }
}

/// Checks as long as possible, and then bets once with two pair or better, or a pair of three
/// cards.
fn timidly(hand: &[Card], board: &[Card], allowed: &[Decision]) -> Decision {
    if allowed.contains(&Decision::Check) {
        return Decision::Check;
    }
    let (game, least) = match hand.len() {
        2 => (Game::Uth, Category::TwoPair),
        _ => (Game::Utcp, Category::Pair),
    };
    let cards = |cards: &[Card]| cards.iter().copied().collect();
    let strength = (game.def().strength)(cards(hand), cards(board));
    if strength.is_at_least(least) { Decision::Bet(1) } else { Decision::Fold }
}

/// Makes the largest bet, whatever the cards.
fn wildly(_: &[Card], _: &[Card], allowed: &[Decision]) -> Decision {
    let times = |decision: &&Decision| match decision {
        Decision::Bet(times) => *times,
        Decision::Check | Decision::Fold => 0,
    };
    *allowed.iter().max_by_key(times).expect("something may be decided")
}

/// A round to play: the house, the number of seats, and the bank.
#[derive(Clone, Copy)]
struct Setting {
    house: &'static str,
    seats: u32,
    bonus: i64,
    posted: Option<i64>,
}

/// Plays a round with this deck, and returns its record.
fn play(setting: Setting, deck: &Deck, how: Player) -> Record {
    let Setting { house, seats, bonus, posted } = setting;
    let catalog = Catalog::shipped();
    let found = catalog.house(house).expect("a house").clone();
    let paytable = found.bonus_paytables().first().cloned();
    let mut round = Round::new(found, paytable);
    let apply = |round: &mut Round, action: Action| {
        round.apply(action).expect("it is allowed");
    };
    let banker = Seat::new(7).expect("a seat");
    if let Some(posted) = posted {
        let (player, wager) = ("bea".to_owned(), Amount::cents(posted));
        apply(&mut round, Action::Bank { seat: banker, player, wager });
    }
    let wagered: Vec<Seat> = (1..=seats).filter_map(Seat::new).collect();
    for &seat in &wagered {
        let (ante, bonus) = (Amount::cents(ANTE), Amount::cents(bonus));
        let player = seat.to_string();
        apply(&mut round, Action::Wager { seat, player, ante, blind: ante, bonus });
    }
    apply(&mut round, Action::NoMoreBets);
    for &card in deck.cards() {
        if round.next_card().is_none() {
            break;
        }
        apply(&mut round, Action::Deal(card));
    }
    let mut actions = vec![Vec::<String>::new(); wagered.len()];
    loop {
        let Some(seat) = round.to_decide().next() else { break };
        let seen = round.view(Viewer::Seat(seat));
        let own = seen.seats.iter().find(|hand| hand.seat == seat).and_then(|hand| hand.cards);
        let hand: Vec<Card> = own.expect("cards").into_iter().collect();
        let decision = how(&hand, &seen.community, &round.decisions(seat));
        let by = Actor::Player(seat.to_string());
        apply(&mut round, Action::Decide { seat, by, decision });
        actions[seat.number() as usize - 1].push(decision.to_string());
    }
    let cards: Vec<String> = deck.cards().iter().map(ToString::to_string).collect();
    let seats: Vec<Value> = wagered
        .iter()
        .zip(&actions)
        .map(|(seat, actions)| {
            let (seat, player) = (seat.number(), seat.to_string());
            let mut hand = json!({"seat": seat, "player": player, "ante": ANTE, "bonus": bonus});
            hand["actions"] = json!(actions);
            hand
        })
        .collect();
    let mut record =
        json!({"format": "croupier-round/1", "house": house, "deck": cards, "seats": seats});
    if let Some(posted) = posted {
        record["banker"] = json!({"seat": 7, "player": "bea", "wager": posted});
    }
    Record::read(&record.to_string(), &catalog).expect("a record")
}

/// Plays a number of rounds, and prices them.
fn priced(
    theory: &Theory,
    setting: Setting,
    rounds: u64,
    how: Player,
    dealt: impl Fn(u64) -> Deck,
) -> Priced {
    let mut sum = Priced::default();
    for number in 1..=rounds {
        let record = play(setting, &dealt(number), how);
        sum.add(&Priced::round(&record, theory).expect("it can be priced"));
    }
    assert_eq!(sum.rounds, rounds);
    sum
}

/// Returns how many deviations the bank did better than against best play, a measure that counts
/// mistakes as luck.
fn against_best_play(sum: &Priced, theory: &Theory, bonus: i64) -> f64 {
    let hands = f64::from(u32::try_from(sum.hands).expect("few"));
    let (ante, bonus) = (1_000.0, f64::from(u32::try_from(bonus).expect("small")));
    let best = hands * (ante * theory.main + bonus * theory.bonus);
    (best - sum.result) / sum.variance.sqrt()
}

const HOLDEM: Setting = Setting { house: "uth-standard", seats: 1, bonus: 500, posted: None };
const THREE: Setting = Setting { house: "utcp-standard", seats: 2, bonus: 500, posted: None };

#[test]
fn bad_play_is_not_mistaken_for_bad_cards() {
    for (setting, rounds) in [(HOLDEM, 400), (THREE, 200)] {
        let theory = theory(setting.house);
        for how in [timidly as Player, hopelessly, wildly, well] {
            let sum = priced(theory, setting, rounds, how, deck);
            let deviations = sum.deviations().expect("a spread");
            assert!(deviations.abs() < 3.0, "{}: {deviations}", setting.house);
            // No play is better than the best.
            assert!(sum.mistakes >= 0.0);
        }
        // Compared with best play, the same rounds look like bad cards.
        let sum = priced(theory, setting, rounds, hopelessly, deck);
        let old = against_best_play(&sum, theory, setting.bonus);
        assert!(old > 4.0, "{}: {old}", setting.house);
    }
}

#[test]
fn bad_cards_are_detected_however_players_play() {
    // Each of three decks is as random as any other; the dealer takes the one that is worst for the
    // players.
    for (setting, rounds) in [(HOLDEM, 300), (THREE, 150)] {
        let theory = theory(setting.house);
        for how in [timidly as Player, well] {
            let worst = |number: u64| {
                let decks = [3 * number, 3 * number + 1, 3 * number + 2].map(deck);
                let bank = |deck: &Deck| {
                    let result = play(setting, deck, how).replay();
                    result.expect("it was played").result.bank.net
                };
                decks.into_iter().max_by_key(bank).expect("three decks")
            };
            let sum = priced(theory, setting, rounds, how, worst);
            let deviations = sum.deviations().expect("a spread");
            assert!(deviations > 3.0, "{}: {deviations}", setting.house);
        }
    }
}

#[test]
fn an_uncovered_payoff_is_not_mistaken_for_luck() {
    let setting = Setting { house: "uth-california", seats: 3, bonus: 0, posted: Some(3_000) };
    let theory = theory(setting.house);
    let sum = priced(theory, setting, 150, timidly, deck);
    assert!(sum.deviations().expect("a spread").abs() < 3.0, "{sum:?}");
    // The same rounds with a bank that covers everything have the same result.
    let rich = Setting { posted: Some(50_000_000), ..setting };
    let rich = priced(theory, rich, 150, timidly, deck);
    assert_eq!(rich, sum);
}

#[test]
fn the_cost_of_a_decision_is_exact() {
    // Over all dealer hands and boards together, chance adds up to zero: for a three-card hand, all
    // 18,424 dealer hands are few enough to deal.
    let theory = theory("utcp-standard");
    let hand: Vec<Card> = deck(1).cards()[..3].to_vec();
    let choices = theory.choices(&hand, &[]).expect("a hand");
    let best = choices.iter().map(|&(_, value)| value).fold(f64::MIN, f64::max);
    for &(decision, value) in &choices {
        let cost = theory.cost(&hand, &[], decision).expect("a decision");
        assert!((best - cost - value).abs() < 1e-12, "{decision}");
    }
    let least = choices.iter().map(|&(decision, _)| theory.cost(&hand, &[], decision));
    assert!(least.flatten().any(|cost| cost < 1e-12), "one decision is the best");
    assert_eq!(theory.cost(&hand, &[], Decision::Check), None);
}
