//! A round that is over.

use std::collections::BTreeMap;
use std::sync::Arc;

use croupier_cards::{Card, CardSet};

use crate::action::{Event, Place};
use crate::house::House;
use crate::judge::{Outcome, Shown};
use crate::paytable::PayTable;
use crate::record::{BankResult, Cards, DealerResult, RoundResult, SeatResult};
use crate::round::Round;
use crate::seat::Seat;

/// A round that is over, as values: what happened and the result. A record, a narration and a view
/// are made from it without playing the round again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedRound {
    /// The house it was played at.
    pub house: Arc<House>,
    /// The bonus pay table, if the table offered a bonus.
    pub bonus: Option<Arc<PayTable>>,
    /// Everything that happened.
    pub events: Vec<Event>,
    /// The result.
    pub result: RoundResult,
}

impl Round {
    /// Returns the round with its result, once it is over.
    ///
    /// Its events are in the order in which a [record](crate::Record) replays them. At a table,
    /// players change their wagers and decide in any order; a record has only the final wagers, and
    /// the decisions of each street by seat. So the round reads the same whether it was just played
    /// or is replayed from its record.
    pub fn finished(&self) -> Option<FinishedRound> {
        self.with_events(in_record_order(self.events()))
    }

    /// Returns the round with its result, once it is over, and its events as they happened.
    pub(crate) fn replayed(&self) -> Option<FinishedRound> {
        self.with_events(self.events().to_vec())
    }

    fn with_events(&self, events: Vec<Event>) -> Option<FinishedRound> {
        let result = self.result()?;
        let (house, bonus) = (Arc::clone(self.house()), self.bonus().cloned());
        Some(FinishedRound { house, bonus, events, result })
    }

    /// Returns the result, once the round is over. The hands are those that were judged at the
    /// showdown; a void round has none, so its hands are evaluated here.
    fn result(&self) -> Option<RoundResult> {
        let settlement = self.settlement()?;
        let showdown = self.events().iter().find_map(|event| match *event {
            Event::DealerShown { shown, qualifies } => Some((shown, qualifies)),
            _ => None,
        });
        let judge = showdown.is_none().then(|| self.judge());
        let (dealer, qualifies) =
            judge.as_ref().map(|judge| (judge.dealer(), judge.qualifies())).or(showdown)?;
        let hand_of = |seat: Seat, cards: &[Card]| match &judge {
            Some(judge) => Some((Outcome::Void, judge.judge(set(cards), false).1)),
            None => self.events().iter().find_map(|event| match *event {
                Event::Judged { seat: of, outcome, shown } if of == seat => Some((outcome, shown)),
                _ => None,
            }),
        };
        let mut seats = Vec::new();
        for settled in &settlement.seats {
            let cards = self.dealt(Place::Seat(settled.seat));
            let (outcome, shown) = hand_of(settled.seat, &cards)?;
            let (hand, best) = hand_and_best(shown);
            seats.push(SeatResult {
                seat: settled.seat,
                cards: Cards(cards),
                hand,
                best,
                outcome,
                wagers: settled.wagers.into(),
                net: settled.net,
            });
        }
        let (hand, best) = hand_and_best(dealer);
        let cards = Cards(self.dealt(Place::Dealer));
        Some(RoundResult {
            community: Cards(self.dealt(Place::Community)),
            dealer: DealerResult { cards, hand, best, qualifies },
            seats,
            bank: BankResult { net: settlement.bank_net },
        })
    }

    /// Returns the cards dealt to a place, in order.
    fn dealt(&self, wanted: Place) -> Vec<Card> {
        let cards = self.events().iter().filter_map(|event| match *event {
            Event::Dealt { place, card } if place == wanted => Some(card),
            _ => None,
        });
        cards.collect()
    }
}

fn set(cards: &[Card]) -> CardSet {
    cards.iter().copied().collect()
}

fn hand_and_best(shown: Shown) -> (&'static str, Cards) {
    (shown.strength.category().id(), Cards(shown.best()))
}

/// Returns the events in the order in which a record replays them.
fn in_record_order(events: &[Event]) -> Vec<Event> {
    let closed = events.iter().position(|event| *event == Event::BettingClosed);
    let (betting, play) = events.split_at(closed.unwrap_or(events.len()));
    let (mut bank, mut wagers) = (None, BTreeMap::new());
    for event in betting {
        match event {
            Event::Wagered { seat, .. } => drop(wagers.insert(*seat, event.clone())),
            Event::Withdrawn { seat } => drop(wagers.remove(seat)),
            _ => bank = Some(event.clone()),
        }
    }
    let mut play = play.to_vec();
    // The decisions of a street stand together: the next ones come after cards are turned.
    let seat = |event: &Event| match *event {
        Event::Decided { seat, .. } => Some(seat),
        _ => None,
    };
    let streets = play.chunk_by_mut(|a, b| seat(a).is_some() && seat(b).is_some());
    for street in streets {
        street.sort_by_key(seat);
    }
    bank.into_iter().chain(wagers.into_values()).chain(play).collect()
}
