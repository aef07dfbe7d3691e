//! Generated houses, wagers, cards and decisions.

use std::sync::Arc;

use croupier_cards::{Card, Deck};
use croupier_rules::{
    Action, Actor, Amount, Banking, Catalog, Decision, Game, House, PayTable, PayTableBet, Seat,
};
use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::{Index, Selector, select, subsequence};
use serde_json::json;

/// The initial state of a round.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) house: Arc<House>,
    pub(crate) bonus: Option<Arc<PayTable>>,
    pub(crate) banker: Option<(Seat, Amount)>,
    pub(crate) players: Vec<Player>,
    pub(crate) deck: Deck,
}

/// A seat that wagers.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    pub(crate) seat: Seat,
    pub(crate) name: String,
    pub(crate) ante: Amount,
    pub(crate) bonus: Amount,
}

/// The decisions in a round.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// The choices when a seat has to decide, repeated in a cycle.
    pub(crate) choices: Vec<Choice>,
    /// The number of actions after which the round is stopped.
    pub(crate) void_after: Option<usize>,
}

/// The seat that decides, out of those that have to, and its decision.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) seat: Index,
    pub(crate) decision: Index,
    pub(crate) by_table: bool,
}

impl Case {
    /// Returns the actions before the first card.
    pub(crate) fn wagers(&self) -> Vec<Action> {
        let player = "bank".to_owned();
        let bank = self.banker.map(|(seat, wager)| Action::Bank { seat, player, wager });
        let wagers = self.players.iter().map(|player| Action::Wager {
            seat: player.seat,
            player: player.name.clone(),
            ante: player.ante,
            blind: player.ante,
            bonus: player.bonus,
        });
        bank.into_iter().chain(wagers).chain([Action::NoMoreBets]).collect()
    }
}

pub(crate) fn case() -> impl Strategy<Value = Case> {
    let house = prop_oneof![select(shipped()), house()].prop_map(Arc::new);
    house.prop_flat_map(|house| {
        let banked = house.banking() != Banking::House;
        let least = if banked { 2 } else { 1 };
        let numbers: Vec<u32> = (1..=house.seats()).collect();
        let most = numbers.len();
        let seats = subsequence(numbers, least..=most).prop_shuffle();
        let stakes = vec((stake(), weighted(0.6, stake())), most);
        let posted = prop_oneof![1_i64..5_000, 1_i64..500_000];
        let deck = Just(Card::ALL.to_vec()).prop_shuffle();
        (Just(house), any::<Selector>(), seats, stakes, posted, deck).prop_map(
            |(house, bonus, seats, stakes, posted, deck)| {
                let bonus = bonus.try_select(house.bonus_paytables().iter().cloned());
                build(house, bonus, &seats, &stakes, posted, &deck)
            },
        )
    })
}

/// A stake, as a position between the minimum and the maximum.
fn stake() -> impl Strategy<Value = Index> {
    any::<Index>()
}

fn build(
    house: Arc<House>,
    bonus: Option<Arc<PayTable>>,
    seats: &[u32],
    stakes: &[(Index, Option<Index>)],
    posted: i64,
    deck: &[Card],
) -> Case {
    let place = |number: u32| Seat::new(number).expect("a seat");
    let by_player = house.banking() != Banking::House;
    let (bank, others) = if by_player { seats.split_at(1) } else { (&[][..], seats) };
    let limits = *house.limits();
    let players = others.iter().zip(stakes).map(|(&number, (ante, extra))| Player {
        seat: place(number),
        // Neighboring seats may belong to one player, where the house allows two seats.
        name: format!("player {}", if house.seats_per_player() > 1 { number / 2 } else { number }),
        ante: within(limits.unit, limits.ante_min, limits.ante_max, *ante),
        bonus: match extra {
            Some(at) if bonus.is_some() => {
                within(limits.unit, limits.bonus_min, limits.bonus_max, *at)
            }
            _ => Amount::ZERO,
        },
    });
    let players = players.collect();
    let banker = bank.first().map(|&number| (place(number), Amount::cents(posted)));
    let deck = Deck::try_from(deck).expect("a whole pack");
    Case { house, bonus, banker, players, deck }
}

/// Returns a multiple of the unit between two limits.
fn within(unit: Amount, least: Amount, most: Amount, at: Index) -> Amount {
    let [unit, least, most] = [unit, least, most].map(Amount::as_cents);
    let (first, end) = ((least + unit - 1) / unit, most / unit + 1);
    let steps = usize::try_from(end - first).expect("the limits allow a wager");
    Amount::cents(unit * (first + i64::try_from(at.index(steps)).expect("small")))
}

pub(crate) fn script() -> impl Strategy<Value = Script> {
    let choice = (any::<Index>(), any::<Index>(), weighted(0.2, Just(())));
    let choice = choice.prop_map(|(seat, decision, by_table)| Choice {
        seat,
        decision,
        by_table: by_table.is_some(),
    });
    let void_after = weighted(0.1, 0_usize..60);
    (vec(choice, 1..24), void_after)
        .prop_map(|(choices, void_after)| Script { choices, void_after })
}

/// An arbitrary action, legal or not.
pub(crate) fn any_action() -> impl Strategy<Value = Action> {
    let seat = || (1_u32..=8).prop_map(|number| Seat::new(number).expect("a seat"));
    let name = || prop_oneof![(0_u32..9).prop_map(|n| format!("player {n}")), Just("bank".into())];
    let odd = select(vec![i64::MIN, -500, -1, 0, 1, 2, i64::MAX]);
    let amount = || prop_oneof![odd.clone(), (0_i64..30).prop_map(|units| units * 500)];
    let amount = || amount().prop_map(Amount::cents);
    let by = prop_oneof![Just(Actor::Table), name().prop_map(Actor::Player)];
    let decision = prop_oneof![
        Just(Decision::Check),
        Just(Decision::Fold),
        (0_u32..10).prop_map(Decision::Bet),
        Just(Decision::Bet(u32::MAX)),
    ];
    prop_oneof![
        (seat(), name(), amount(), of(amount()), amount()).prop_map(
            |(seat, player, ante, blind, bonus)| {
                let blind = blind.unwrap_or(ante);
                Action::Wager { seat, player, ante, blind, bonus }
            }
        ),
        (seat(), name(), amount()).prop_map(|(seat, player, wager)| Action::Bank {
            seat,
            player,
            wager
        }),
        (seat(), name()).prop_map(|(seat, player)| Action::Withdraw { seat, player }),
        Just(Action::NoMoreBets),
        select(&Card::ALL[..]).prop_map(Action::Deal),
        (seat(), by, decision).prop_map(|(seat, by, decision)| Action::Decide {
            seat,
            by,
            decision
        }),
        Just(Action::Void("a test".to_owned())),
    ]
}

fn shipped() -> Vec<House> {
    Catalog::shipped().houses().cloned().collect()
}

/// A generated house: other raises, deals, orders, limits and banks.
fn house() -> impl Strategy<Value = House> {
    let game = select(Game::ALL);
    let raises = subsequence((1_u32..=9).collect::<Vec<_>>(), 1..=4);
    let order = (any::<Selector>(), any::<bool>(), any::<bool>(), any::<Selector>());
    let limits = (1_i64..=400, 1_i64..5, 0_i64..30, weighted(0.4, 1_i64..20_000));
    let bank = (any::<bool>(), any::<bool>());
    let seats = (2_u32..=7, 1_u32..=2, of(0_usize..4));
    (game, raises, order, limits, bank, seats).prop_map(
        |(game, raises, order, limits, (banked, action), (seats, seats_each, tables))| {
            let catalog = Catalog::shipped();
            let (deal, first_pass, qualifying, payoff_order) = order;
            let (unit, least, more, payout_max) = limits;
            let three = game == Game::Utcp;
            let orders = ["lowest-seat-first", "highest-seat-first", "left-of-banker"];
            let orders = &orders[..if banked { 3 } else { 2 }];
            // A flush is paid 3 to 2, so the unit is even.
            let (unit, least, most) = (unit * 2, unit * 2 * least, unit * 2 * (least + more));
            let bonus = PayTableBet::bonus_of(game);
            let bonuses = catalog.paytables().iter().filter(|table| table.bet() == bonus);
            let bonuses: Vec<&str> = bonuses.map(PayTable::id).take(tables.unwrap_or(3)).collect();
            let raises: Vec<u32> = if three { (1..=raises[0]).collect() } else { raises };
            let mut house = json!({
                "id": "made-up", "title": "Made up", "source": "chance",
                "game": game, "deal": deal.select(game.def().deals),
                "payoff_order": payoff_order.select(orders),
                "ante_refund": if first_pass { "first-pass" } else { "by-seat" },
                "seats": seats + u32::from(banked), "decks": 1, "raises": raises,
                "qualifying": qualifying, "games_per_player": 2 * seats_each,
                "seats_per_player": seats_each,
                "blind_paytable": if three { "UTCP" } else { "UTH" }, "bonus_paytables": bonuses,
                "limits": {"unit": unit, "ante_min": least, "ante_max": most, "bonus_min": least,
                    "bonus_max": most},
                "banking": {"by": "house"},
            });
            if banked {
                let coverage = if action { "action" } else { "payoffs" };
                house["banking"] =
                    json!({"by": "player-dealer", "coverage": coverage, "max_consecutive": 2});
            } else if let Some(payout_max) = payout_max {
                let largest = most * i64::from((*raises.iter().max().expect("a raise")).max(2));
                house["limits"]["round_payout_max"] = json!(2 * largest + payout_max);
            }
            House::from_json(&house, catalog.paytables()).expect("a good house")
        },
    )
}
