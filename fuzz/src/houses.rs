//! Text that is parsed as houses and pay tables, and played if it is valid.

use std::sync::Arc;

use croupier_cards::Card;
use croupier_rules::{
    Action, Amount, Banker, Banking, ByBet, Catalog, Decision, House, Outcome, PayTable, Raises,
    Seat, Staked, settle,
};

use super::watched::{Watched, assert_sum, seats};

/// The separator between the pay tables in a text and the house that uses them.
const BETWEEN: &str = "\n+++\n";

/// Parses every part of a text as a pay table and as a house. An accepted one must be equal after
/// it is written and read again, and a house must be able to pay its largest rounds.
pub fn houses(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut catalog = Catalog::shipped();
    for part in text.split(BETWEEN) {
        match PayTable::from_toml(part) {
            Ok(table) => {
                let written = toml::to_string(&table).expect("plain data");
                assert_eq!(PayTable::from_toml(&written), Ok(table.clone()), "{written}");
                let known = catalog.paytable(table.id()).is_ok();
                assert_eq!(catalog.add_paytable(table).is_err(), known);
            }
            Err(faults) => assert!(!faults.to_string().is_empty()),
        }
        match catalog.read_house(part) {
            Ok(house) => {
                let written = serde_json::to_value(&house).expect("plain data");
                let read = House::from_json(&written, catalog.paytables());
                assert_eq!(read, Ok(house.clone()), "{written}");
                largest_settlements(&house);
                let house = Arc::new(house);
                for decision in [Decision::Bet(house.raises()[0]), Decision::Fold] {
                    simple_round(&house, decision);
                }
            }
            Err(faults) => assert!(!faults.to_string().is_empty()),
        }
    }
}

/// Returns the largest wager within a limit, in whole units.
fn largest(house: &House, most: Amount) -> Amount {
    let (unit, most) = (house.limits().unit.as_cents(), most.as_cents());
    Amount::cents(most / unit * unit)
}

/// Settles the worst case for the bank: all seats with the same hand and the most on every bet.
fn largest_settlements(house: &House) {
    let limits = house.limits();
    let (ante, bonus) = (largest(house, limits.ante_max), largest(house, limits.bonus_max));
    let raises = house.game().def().streets.iter().flat_map(|street| match street.raises {
        Raises::Fixed(multiples) => multiples,
        Raises::House { .. } => house.raises(),
    });
    let raise = *raises.max().expect("a game has some raise");
    let play = ante.times(raise).expect("a house's limits keep wagers within an amount");
    let stakes = ByBet { ante, blind: ante, play, bonus };
    let banked = house.banking() != Banking::House;
    let players = seats().take(house.seats() as usize - usize::from(banked));
    let players: Vec<Seat> = players.collect();
    let wagers = [Amount::cents(1), Amount::MAX];
    let bankers = wagers.map(|wager| Seat::new(house.seats()).map(|seat| Banker { seat, wager }));
    let bankers: &[Option<Banker>] = if banked { &bankers } else { &[None] };
    let tables = house.bonus_paytables().iter().map(|table| Some(&**table)).chain([None]);
    for table in tables {
        for &hand in house.game().def().hands {
            for &outcome in Outcome::ALL {
                let hands = players.iter().map(|&seat| Staked { seat, stakes, outcome, hand });
                let hands: Vec<Staked> = hands.collect();
                for &banker in bankers {
                    for qualifies in [true, false] {
                        assert_sum(&settle(house, table, qualifies, banker, &hands));
                    }
                }
            }
        }
    }
}

/// Plays a round with the largest Antes and the cards in the order of a fresh pack. A seat that
/// can't make this decision takes the first one it can.
fn simple_round(house: &Arc<House>, decision: Decision) {
    let limits = house.limits();
    let mut watched = Watched::new(Arc::clone(house), house.bonus_paytables().first().cloned());
    if house.banking() != Banking::House {
        let seat = Seat::new(house.seats()).expect("a table has at most eight seats");
        let (player, wager) = ("bank".to_owned(), limits.ante_max);
        watched.act(&Action::Bank { seat, player, wager }).expect("the bank is free");
    }
    let ante = largest(house, limits.ante_max);
    for seat in seats().take(house.seats() as usize).take(3) {
        let player = seat.to_string();
        let wager = Action::Wager { seat, player, ante, blind: ante, bonus: Amount::ZERO };
        // The banker's seat is refused, and that is fine.
        let _ = watched.act(&wager);
    }
    watched.act(&Action::NoMoreBets).expect("a seat has wagered");
    for card in Card::ALL {
        if watched.round.next_card().is_none() {
            break;
        }
        watched.act(&Action::Deal(card)).expect("a card of a fresh pack");
    }
    loop {
        let Some(seat) = watched.round.to_decide().next() else { break };
        let decisions = watched.round.decisions(seat);
        let decision = if decisions.contains(&decision) { decision } else { decisions[0] };
        let by = watched.player(seat);
        watched.act(&Action::Decide { seat, by, decision }).expect("a decision of the list");
        watched.assert_all();
    }
    assert!(watched.round.settlement().is_some(), "the round ends");
}
