//! Bytes that are interpreted as actions in a round, legal or not.

use std::sync::Arc;

use croupier_cards::Card;
use croupier_rules::{Action, Actor, Amount, Catalog, Decision, House, Seat};

use super::watched::Watched;

/// The longest script that is played: later actions do nothing new.
const ACTIONS: usize = 200;

/// Takes bytes as a house and the actions there, and checks the invariants after every action.
pub fn rounds(data: &[u8]) {
    thread_local! {
        static HOUSES: Vec<Arc<House>> = houses();
    }
    let mut script = Script(data);
    let house = HOUSES.with(|houses| Arc::clone(script.pick(houses)));
    let mut tables: Vec<_> = house.bonus_paytables().iter().cloned().map(Some).collect();
    tables.push(None);
    let bonus = script.pick(&tables).clone();
    let mut watched = Watched::new(Arc::clone(&house), bonus);
    watched.assert_all();
    for _ in 0..ACTIONS {
        if script.0.is_empty() {
            break;
        }
        // Dealt one by one, the cards of a round would take most of a script.
        if script.below(16) == 0 {
            while watched.round.next_card().is_some() {
                let deal = Action::Deal(*script.pick(&Card::ALL));
                if watched.act(&deal).is_err() {
                    let stub = Card::ALL.into_iter();
                    let stub = stub.map(Action::Deal).find(|deal| watched.act(deal).is_ok());
                    assert!(stub.is_some(), "the pack has a card left");
                }
            }
        } else {
            let action = script.action(&watched);
            if watched.act(&action).is_err() {
                continue;
            }
        }
        watched.assert_all();
    }
}

/// Returns the shipped houses, and one of each other kind of bank and raise.
fn houses() -> Vec<Arc<House>> {
    let catalog = Catalog::shipped();
    let mut houses: Vec<House> = catalog.houses().cloned().collect();
    for (id, change) in [
        (
            "uth-california",
            r#"{"banking": {"by": "player-dealer", "coverage": "action",
            "max_consecutive": 2}, "ante_refund": "first-pass", "deal": "singles"}"#,
        ),
        (
            "utcp-standard",
            r#"{"banking": {"by": "player-dealer", "max_consecutive": 1},
            "payoff_order": "left-of-banker", "raises": [1, 5], "seats_per_player": 3}"#,
        ),
        (
            "uth-standard",
            r#"{"deal": "board-first", "raises": [1, 2, 9], "seats_per_player": 2,
            "games_per_player": 2, "limits": {"unit": 2, "ante_min": 2, "ante_max": 100,
            "bonus_min": 2, "bonus_max": 100, "round_payout_max": 1801}}"#,
        ),
        ("utcp-standard", r#"{"qualifying": false, "bonus_paytables": []}"#),
    ] {
        let house = catalog.house(id).expect("a shipped house");
        let mut house = serde_json::to_value(&**house).expect("plain data");
        let change: serde_json::Value = serde_json::from_str(change).expect("JSON");
        for (field, value) in change.as_object().expect("an object") {
            house[field] = value.clone();
        }
        houses.push(House::from_json(&house, catalog.paytables()).expect("a good house"));
    }
    houses.into_iter().map(Arc::new).collect()
}

/// Bytes, taken one at a time. After the last, all are zero.
struct Script<'a>(&'a [u8]);

impl Script<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    fn amount(&mut self, house: &House) -> Amount {
        let limits = house.limits();
        let unit = limits.unit.as_cents();
        let more = limits.ante_max.as_cents() + unit;
        let odd = [0, 1, -unit, more, i64::MAX, i64::MIN];
        // Mostly legal actions.
        match self.below(24) {
            at if at < odd.len() => Amount::cents(odd[at]),
            at => Amount::cents(unit * i64::try_from(at - odd.len() + 1).expect("small")),
        }
    }

    fn name(&mut self) -> String {
        (*self.pick(&["ann", "bea", "cy", "dot", "eve", "", "table"])).to_owned()
    }

    fn seat(&mut self) -> Seat {
        Seat::new(1 + u32::from(self.byte() % 8)).expect("a seat")
    }

    fn action(&mut self, watched: &Watched) -> Action {
        match self.below(16) {
            0..=3 => {
                let (seat, player) = (self.seat(), self.name());
                let ante = self.amount(&watched.house);
                let blind = if self.below(16) == 0 { self.amount(&watched.house) } else { ante };
                let bonus =
                    if self.below(2) == 0 { Amount::ZERO } else { self.amount(&watched.house) };
                Action::Wager { seat, player, ante, blind, bonus }
            }
            4 | 5 => {
                let (seat, player) = (self.seat(), self.name());
                Action::Bank { seat, player, wager: self.amount(&watched.house) }
            }
            6 => Action::NoMoreBets,
            7 if self.below(4) == 0 => {
                let (seat, player) = (self.seat(), self.name());
                Action::Withdraw { seat, player }
            }
            7 => Action::Deal(*self.pick(&Card::ALL)),
            8 if self.below(8) == 0 => Action::Void("a reason".to_owned()),
            _ => {
                let seat = match watched.round.to_decide().next() {
                    Some(seat) if self.below(4) != 0 => seat,
                    _ => self.seat(),
                };
                let by = match self.below(8) {
                    0 => Actor::Table,
                    1 => Actor::Player(self.name()),
                    _ => watched.player(seat),
                };
                let decision = match self.below(12) {
                    0 => Decision::Check,
                    1 => Decision::Fold,
                    times => Decision::Bet(u32::try_from(times - 2).expect("small")),
                };
                Action::Decide { seat, by, decision }
            }
        }
    }
}
