//! Nobody sees a card before his time: random rounds, looked at by every eye after every action.

use std::sync::Arc;

use croupier_cards::{Card, CardSet};
use croupier_rules::{
    Action, Actor, Amount, Catalog, Decision, Event, Place, Round, Seat, View, Viewer,
};

/// Random numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        usize::try_from((u128::from(self.0) * bound as u128) >> 64).expect("below the bound")
    }
}

/// What has been shown to whom so far, by the events alone.
#[derive(Default)]
struct Shown {
    seats: Vec<(Seat, CardSet)>,
    everybody: CardSet,
    all: CardSet,
    over: bool,
}

impl Shown {
    fn follow(&mut self, event: &Event) {
        match event {
            Event::Dealt { place, card } => {
                self.all.insert(*card);
                if let Place::Seat(seat) = place {
                    match self.seats.iter_mut().find(|(known, _)| known == seat) {
                        Some((_, cards)) => drop(cards.insert(*card)),
                        None => self.seats.push((*seat, CardSet::of(*card))),
                    }
                }
            }
            Event::Turned(cards) => self.everybody.extend(cards.iter().copied()),
            Event::DealerShown { .. } | Event::Voided(_) => self.over = true,
            _ => {}
        }
    }

    /// Returns the cards that a viewer may see now.
    fn to(&self, viewer: Viewer) -> CardSet {
        let own = self.seats.iter().filter(|(seat, _)| viewer == Viewer::Seat(*seat));
        let own = own.fold(CardSet::EMPTY, |all, (_, cards)| all | *cards);
        if self.over { self.all } else { self.everybody | own }
    }
}

/// Returns every card that is in a view, however it is written.
fn cards_in(view: &View) -> CardSet {
    let mut cards: CardSet = view.community.iter().copied().collect();
    cards |= view.dealer.unwrap_or_default();
    for seat in &view.seats {
        cards |= seat.cards.unwrap_or_default();
    }
    let text = format!("{view:?}");
    for card in !cards {
        assert!(!text.contains(&card.to_string()), "{card} is written in {text}");
    }
    cards
}

fn apply(round: &mut Round, shown: &mut Shown, action: Action) {
    let mut events = Vec::new();
    round.apply(action, &mut events).expect("a legal action");
    for event in &events {
        shown.follow(event);
    }
    let seats = (1..=8).filter_map(Seat::new).map(Viewer::Seat);
    for viewer in seats.chain([Viewer::Bank, Viewer::Rail, Viewer::Auditor]) {
        assert_eq!(cards_in(&round.view(viewer)), shown.to(viewer), "{viewer:?}");
    }
}

#[test]
fn no_view_has_a_card_that_its_viewer_may_not_see() {
    let catalog = Catalog::shipped();
    let houses: Vec<_> = catalog.houses().collect();
    for number in 0..400 {
        let mut random = Random(number);
        let house = houses[random.below(houses.len())];
        let mut round =
            Round::new(Arc::new(house.clone()), house.bonus_paytables().first().cloned());
        let mut shown = Shown::default();
        let seat = |number| Seat::new(number).expect("a seat");
        if house.decks() == 2 {
            let (player, wager) = ("bank".to_owned(), Amount::cents(50_000));
            apply(&mut round, &mut shown, Action::Bank { seat: seat(8), player, wager });
        }
        for number in 1..=1 + u32::try_from(random.below(4)).expect("small") {
            let (player, ante) = (format!("player {number}"), Amount::cents(500));
            let (seat, bonus) = (seat(number), Amount::ZERO);
            apply(&mut round, &mut shown, Action::Wager { seat, player, ante, blind: ante, bonus });
        }
        apply(&mut round, &mut shown, Action::NoMoreBets);
        let mut pack = Card::ALL.to_vec();
        while round.next_card().is_some() {
            let card = pack.swap_remove(random.below(pack.len()));
            apply(&mut round, &mut shown, Action::Deal(card));
        }
        loop {
            let Some(seat) = round.to_decide().next() else { break };
            let decisions: Vec<Decision> = round.decisions(seat);
            let decision = decisions[random.below(decisions.len())];
            let action = if random.below(30) == 0 {
                Action::Void("a test".to_owned())
            } else {
                let by = Actor::Player(format!("player {}", seat.number()));
                Action::Decide { seat, by, decision }
            };
            apply(&mut round, &mut shown, action);
        }
        assert!(shown.over && round.settlement().is_some());
    }
}
