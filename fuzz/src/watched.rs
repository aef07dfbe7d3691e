//! A round with an observer that checks its invariants.

use std::collections::BTreeMap;
use std::sync::Arc;

use croupier_cards::{Card, CardSet, Category};
use croupier_rules::{
    Action, Actor, Amount, Banking, Bet, Coverage, Decision, Event, House, Outcome, PayTable,
    Place, Refusal, Round, Seat, Settled, Settlement, View, Viewer, WagerResult,
};

/// A round, and everything an observer at the table has seen of it.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The house it is played at.
    pub house: Arc<House>,
    /// The bonus that the table offers.
    pub bonus: Option<Arc<PayTable>>,
    /// The round itself.
    pub round: Round,
    names: BTreeMap<Seat, String>,
    posted: Option<Amount>,
}

impl Watched {
    /// Opens a round.
    pub fn new(house: Arc<House>, bonus: Option<Arc<PayTable>>) -> Self {
        let round = Round::new(Arc::clone(&house), bonus.clone());
        Self { house, bonus, round, names: BTreeMap::new(), posted: None }
    }

    /// Takes an action, or refuses it as predicted and changes nothing.
    pub fn act(&mut self, action: &Action) -> Result<(), Refusal> {
        let before = self.round.clone();
        let predicted = self.round.refusal(action);
        let taken = self.round.apply(action.clone()).map(<[Event]>::to_vec);
        assert_eq!(taken.as_ref().err(), predicted.as_ref(), "{action:?} is not as predicted");
        let events = match taken {
            Ok(events) => events,
            Err(refusal) => {
                assert_eq!(self.round, before, "{action:?} is refused but changes something");
                return Err(refusal);
            }
        };
        assert!(!events.is_empty(), "{action:?} is taken but nothing happens");
        let all = [before.events(), &events].concat();
        assert_eq!(self.round.events(), all, "{action:?} changes what happened before");
        match action {
            Action::Wager { seat, player, .. } => drop(self.names.insert(*seat, player.clone())),
            Action::Withdraw { seat, .. } => drop(self.names.remove(seat)),
            Action::Bank { wager, .. } => self.posted = Some(*wager),
            _ => {}
        }
        Ok(())
    }

    /// Returns all events so far.
    pub fn events(&self) -> &[Event] {
        self.round.events()
    }

    /// Returns the player at a seat.
    pub fn player(&self, seat: Seat) -> Actor {
        Actor::Player(self.names.get(&seat).cloned().unwrap_or_default())
    }

    /// Asserts all invariants of a round.
    pub fn assert_all(&self) {
        self.assert_legal_list();
        self.assert_views();
        if let Some(settlement) = self.round.settlement() {
            assert_sum(settlement);
            self.assert_wagers(settlement);
            self.assert_bank(settlement);
        }
    }

    /// Asserts that the list of a seat's legal decisions has exactly those that would be taken.
    pub fn assert_legal_list(&self) {
        let to_decide: Vec<Seat> = self.round.to_decide().collect();
        for seat in seats() {
            let taken = |by: &Actor, decision: Decision| {
                let action = Action::Decide { seat, by: by.clone(), decision };
                self.round.refusal(&action).is_none()
            };
            let player = self.player(seat);
            let mut expected = self.conceivable();
            expected.retain(|&decision| taken(&player, decision));
            let mut listed = self.round.decisions(seat);
            listed.sort_by_key(|&decision| by_size(decision));
            assert_eq!(listed, expected, "the legal decisions of {seat}");
            assert_eq!(!listed.is_empty(), to_decide.contains(&seat), "whether {seat} may decide");
            for decision in self.conceivable() {
                let passes = !matches!(decision, Decision::Bet(_));
                let by_table = taken(&Actor::Table, decision);
                assert_eq!(by_table, passes && listed.contains(&decision), "{decision:?}");
                let stranger = Actor::Player("a stranger".to_owned());
                assert!(!taken(&stranger, decision), "a stranger decides for {seat}");
            }
        }
    }

    /// Returns every conceivable decision.
    fn conceivable(&self) -> Vec<Decision> {
        let mut multiples: Vec<u32> = (0..=9).chain(self.house.raises().iter().copied()).collect();
        multiples.sort_unstable();
        multiples.dedup();
        let bets = multiples.into_iter().map(Decision::Bet);
        [Decision::Check, Decision::Fold].into_iter().chain(bets).collect()
    }

    /// Asserts that every viewer sees exactly the cards they may see.
    pub fn assert_views(&self) {
        for viewer in seats().map(Viewer::Seat).chain([Viewer::Bank, Viewer::Rail, Viewer::Auditor])
        {
            let view = self.round.view(viewer);
            assert_eq!(cards_in(&view), self.shown_to(viewer), "{viewer:?}");
        }
    }

    /// Returns the cards that a viewer may see now, computed from the events alone.
    fn shown_to(&self, viewer: Viewer) -> CardSet {
        let (mut all, mut shown, mut over) = (CardSet::EMPTY, CardSet::EMPTY, false);
        for event in self.events() {
            match event {
                Event::Dealt { place, card } => {
                    all.insert(*card);
                    if matches!(place, Place::Seat(seat) if viewer == Viewer::Seat(*seat)) {
                        shown.insert(*card);
                    }
                }
                Event::Turned(cards) => shown.extend(cards.iter().copied()),
                Event::DealerShown { .. } | Event::Voided(_) => over = true,
                _ => {}
            }
        }
        if over { all } else { shown }
    }

    /// Asserts that no wager gets back less than zero, or more than its stake and its payoff, and
    /// that in a void round it gets back exactly its stake.
    pub fn assert_wagers(&self, settlement: &Settlement) {
        let void = self.events().iter().any(|event| matches!(event, Event::Voided(_)));
        for (seat, settled) in settlement.seats.iter().map(|seat| (seat.seat, seat.wagers)) {
            for &bet in Bet::ALL {
                let Some(wager) = settled[bet] else { continue };
                assert_eq!(wager.staked, self.staked(seat, bet), "{bet} of {seat}");
                if void {
                    let Settled { staked, returned, result, uncovered } = wager;
                    assert_eq!((returned, result), (staked, WagerResult::Void));
                    assert_eq!(uncovered, Amount::ZERO);
                } else {
                    self.assert_wager(seat, bet, wager);
                }
            }
            let made = Bet::ALL.iter().filter(|&&bet| settled[bet].is_some()).count();
            let staked = Bet::ALL.iter().filter(|&&bet| self.staked(seat, bet).is_positive());
            assert_eq!(made, staked.count(), "every wager of {seat} is settled");
        }
    }

    fn assert_wager(&self, seat: Seat, bet: Bet, wager: Settled) {
        let judged = self.events().iter().find_map(|event| match event {
            Event::Judged { seat: of, outcome, shown } if *of == seat => {
                Some((*outcome, shown.strength.category()))
            }
            _ => None,
        });
        let (outcome, hand) = judged.expect("every seat is judged");
        let Settled { staked, returned, result, uncovered } = wager;
        let payoff = self.payoff(bet, hand, staked);
        let most = staked.plus(payoff).expect("it fits");
        assert!(returned >= Amount::ZERO && returned <= most, "{bet} of {seat}: {wager:?}");
        assert!(uncovered >= Amount::ZERO && uncovered <= payoff, "{bet} of {seat}: {wager:?}");
        match result {
            WagerResult::Win => assert_eq!(returned.plus(uncovered), Some(most), "{wager:?}"),
            WagerResult::Lose => assert!(returned < staked, "{wager:?}"),
            WagerResult::Push | WagerResult::Returned => assert_eq!(returned, staked, "{wager:?}"),
            WagerResult::Void => panic!("the round was not void"),
        }
        if outcome == Outcome::Fold && bet != Bet::Bonus {
            assert!(
                matches!(result, WagerResult::Lose | WagerResult::Returned),
                "a folded {bet}: {wager:?}"
            );
        }
    }

    /// Returns the payoff of a winning wager.
    fn payoff(&self, bet: Bet, hand: Category, staked: Amount) -> Amount {
        let table = match bet {
            Bet::Ante | Bet::Play => return staked,
            Bet::Blind => Some(self.house.blind_paytable()),
            Bet::Bonus => self.bonus.as_deref(),
        };
        let ratio = table.and_then(|table| table.pays(hand));
        ratio.map_or(Amount::ZERO, |ratio| ratio.of(staked).expect("whole cents"))
    }

    /// Returns a seat's stake on a bet, computed from the events alone.
    fn staked(&self, seat: Seat, bet: Bet) -> Amount {
        let wagered = self.events().iter().rev().find_map(|event| match event {
            Event::Wagered { seat: of, ante, bonus } if *of == seat => Some((*ante, *bonus)),
            _ => None,
        });
        let (ante, bonus) = wagered.expect("the seat wagered");
        let times = self.events().iter().find_map(|event| match event {
            Event::Decided { seat: of, decision: Decision::Bet(times), .. } if *of == seat => {
                Some(*times)
            }
            _ => None,
        });
        match bet {
            Bet::Ante | Bet::Blind => ante,
            Bet::Play => ante.times(times.unwrap_or(0)).expect("it fits"),
            Bet::Bonus => bonus,
        }
    }

    /// Asserts that a player/dealer pays no more than they posted, and, where their winnings use up
    /// the posted amount as well, that they also win no more.
    pub fn assert_bank(&self, settlement: &Settlement) {
        let Banking::PlayerDealer { coverage, .. } = self.house.banking() else { return };
        let posted = self.posted.map_or(0, Amount::as_cents);
        let net = settlement.bank_net.as_cents();
        assert!(net >= -posted, "the bank posted {posted} and pays {}", -net);
        let wagers =
            settlement.seats.iter().flat_map(|seat| Bet::ALL.iter().map(|&bet| seat.wagers[bet]));
        let paid =
            wagers.flatten().map(|wager| wager.returned.as_cents() - wager.staked.as_cents());
        let paid: i64 = paid.filter(|&cents| cents > 0).sum();
        assert!(paid <= posted, "the bank posted {posted} and pays out {paid}");
        if coverage == Coverage::Action {
            assert!(net <= posted, "the bank posted {posted} and wins {net}");
        }
    }
}

/// Asserts that a settlement moves money and creates none.
pub fn assert_sum(settlement: &Settlement) {
    let mut sum = i128::from(settlement.bank_net.as_cents());
    for seat in &settlement.seats {
        sum += i128::from(seat.net.as_cents());
        let wagers = Bet::ALL.iter().filter_map(|&bet| seat.wagers[bet]);
        let net = wagers.map(|wager| wager.returned.as_cents() - wager.staked.as_cents());
        assert_eq!(net.sum::<i64>(), seat.net.as_cents(), "the net of {}", seat.seat);
    }
    assert_eq!(sum, 0, "{settlement:?}");
}

/// Returns all seats that any table has.
pub fn seats() -> impl Iterator<Item = Seat> {
    (1..=8).filter_map(Seat::new)
}

/// Returns every card in a view, in whatever form it is written.
fn cards_in(view: &View) -> CardSet {
    let mut cards: CardSet = view.community.iter().copied().collect();
    cards |= view.dealer.unwrap_or_default();
    for seat in &view.seats {
        cards |= seat.cards.unwrap_or_default();
    }
    // A two-letter card may be anywhere in the text, so every two letters are checked.
    let text = format!("{view:?}");
    let written = text.as_bytes().windows(2).filter_map(|letters| match letters {
        [b'2'..=b'9' | b'T' | b'J' | b'Q' | b'K' | b'A', b'c' | b'd' | b'h' | b's'] => {
            std::str::from_utf8(letters).ok()?.parse::<Card>().ok()
        }
        _ => None,
    });
    let hidden = written.filter(|&card| !cards.contains(card)).collect::<CardSet>();
    assert!(hidden.is_empty(), "{hidden} is written in {text}");
    cards
}

/// Check, fold, then the bets by their size.
const fn by_size(decision: Decision) -> (u8, u32) {
    match decision {
        Decision::Check => (0, 0),
        Decision::Fold => (1, 0),
        Decision::Bet(times) => (2, times),
    }
}
