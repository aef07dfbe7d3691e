//! A round with somebody who watches it, and knows what must always be true of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use croupier_cards::{Card, CardSet, Category};
use croupier_rules::{
    Action, Actor, Amount, Banking, Bet, Coverage, Decision, Event, House, Outcome, PayTable,
    Place, Refusal, Round, Seat, Settled, Settlement, View, Viewer, WagerResult,
};

/// A round, and all that somebody beside the table has seen of it.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The house it is played at.
    pub house: Arc<House>,
    /// The bonus that the table offers.
    pub bonus: Option<Arc<PayTable>>,
    /// The round itself.
    pub round: Round,
    /// All that has happened.
    pub events: Vec<Event>,
    names: BTreeMap<Seat, String>,
    posted: Option<Amount>,
}

impl Watched {
    /// Opens a round.
    pub fn new(house: Arc<House>, bonus: Option<Arc<PayTable>>) -> Self {
        let round = Round::new(Arc::clone(&house), bonus.clone());
        Self { house, bonus, round, events: Vec::new(), names: BTreeMap::new(), posted: None }
    }

    /// Takes an action, or refuses it as was foretold and leaves everything as it was.
    pub fn act(&mut self, action: &Action) -> Result<(), Refusal> {
        let (before, happened) = (self.round.clone(), self.events.len());
        let foretold = self.round.refusal(action);
        let taken = self.round.apply(action.clone(), &mut self.events);
        assert_eq!(taken.as_ref().err(), foretold.as_ref(), "{action:?} is not as foretold");
        if taken.is_err() {
            assert_eq!(self.round, before, "{action:?} is refused and changes something");
            assert_eq!(self.events.len(), happened, "{action:?} is refused and happens");
            return taken;
        }
        assert!(self.events.len() > happened, "{action:?} is taken and nothing happens");
        match action {
            Action::Wager { seat, player, .. } => drop(self.names.insert(*seat, player.clone())),
            Action::Withdraw { seat, .. } => drop(self.names.remove(seat)),
            Action::Bank { wager, .. } => self.posted = Some(*wager),
            _ => {}
        }
        Ok(())
    }

    /// Returns who plays at a seat.
    pub fn player(&self, seat: Seat) -> Actor {
        Actor::Player(self.names.get(&seat).cloned().unwrap_or_default())
    }

    /// Holds all that must be true of a round at any time.
    pub fn hold_everything(&self) {
        self.hold_legal_list();
        self.hold_views();
        if let Some(settlement) = self.round.settlement() {
            hold_sum(settlement);
            self.hold_wagers(settlement);
            self.hold_bank(settlement);
        }
    }

    /// Holds that the list of what a seat may decide is what would be taken, and nothing else.
    pub fn hold_legal_list(&self) {
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
            assert_eq!(listed, expected, "what {seat} may decide");
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

    /// Returns all that anybody could think of deciding.
    fn conceivable(&self) -> Vec<Decision> {
        let mut multiples: Vec<u32> = (0..=9).chain(self.house.raises().iter().copied()).collect();
        multiples.sort_unstable();
        multiples.dedup();
        let bets = multiples.into_iter().map(Decision::Bet);
        [Decision::Check, Decision::Fold].into_iter().chain(bets).collect()
    }

    /// Holds that every viewer sees the cards that he may see, and no others.
    pub fn hold_views(&self) {
        for viewer in seats().map(Viewer::Seat).chain([Viewer::Bank, Viewer::Rail, Viewer::Auditor])
        {
            let view = self.round.view(viewer);
            assert_eq!(cards_in(&view), self.shown_to(viewer), "{viewer:?}");
        }
    }

    /// Returns the cards that a viewer may see now, by the events alone.
    fn shown_to(&self, viewer: Viewer) -> CardSet {
        let (mut all, mut shown, mut over) = (CardSet::EMPTY, CardSet::EMPTY, false);
        for event in &self.events {
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

    /// Holds that no wager gets back less than nothing, or more than its stake and its payoff; and
    /// in a void round its stake, neither more nor less.
    pub fn hold_wagers(&self, settlement: &Settlement) {
        let void = self.events.iter().any(|event| matches!(event, Event::Voided(_)));
        for (seat, settled) in settlement.seats.iter().map(|seat| (seat.seat, seat.wagers)) {
            for &bet in Bet::ALL {
                let Some(wager) = settled[bet] else { continue };
                assert_eq!(wager.staked, self.staked(seat, bet), "{bet} of {seat}");
                if void {
                    let Settled { staked, returned, result, uncovered } = wager;
                    assert_eq!((returned, result), (staked, WagerResult::Void));
                    assert_eq!(uncovered, Amount::ZERO);
                } else {
                    self.hold_wager(seat, bet, wager);
                }
            }
            let made = Bet::ALL.iter().filter(|&&bet| settled[bet].is_some()).count();
            let staked = Bet::ALL.iter().filter(|&&bet| self.staked(seat, bet).is_positive());
            assert_eq!(made, staked.count(), "every wager of {seat} is settled");
        }
    }

    fn hold_wager(&self, seat: Seat, bet: Bet, wager: Settled) {
        let judged = self.events.iter().find_map(|event| match event {
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

    /// Returns what a wager pays if it wins.
    fn payoff(&self, bet: Bet, hand: Category, staked: Amount) -> Amount {
        let table = match bet {
            Bet::Ante | Bet::Play => return staked,
            Bet::Blind => Some(self.house.blind_paytable()),
            Bet::Bonus => self.bonus.as_deref(),
        };
        let ratio = table.and_then(|table| table.pays(hand));
        ratio.map_or(Amount::ZERO, |ratio| ratio.of(staked).expect("whole cents"))
    }

    /// Returns what a seat has put on a bet, by the events alone.
    fn staked(&self, seat: Seat, bet: Bet) -> Amount {
        let wagered = self.events.iter().rev().find_map(|event| match event {
            Event::Wagered { seat: of, ante, bonus } if *of == seat => Some((*ante, *bonus)),
            _ => None,
        });
        let (ante, bonus) = wagered.expect("the seat wagered");
        let times = self.events.iter().find_map(|event| match event {
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

    /// Holds that a player who banks pays no more than he posted, and where what he collects uses
    /// it up as well, that he wins no more either.
    pub fn hold_bank(&self, settlement: &Settlement) {
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

/// Holds that a settlement moves money and makes none.
pub fn hold_sum(settlement: &Settlement) {
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

/// Returns every card that is in a view, however it is written.
fn cards_in(view: &View) -> CardSet {
    let mut cards: CardSet = view.community.iter().copied().collect();
    cards |= view.dealer.unwrap_or_default();
    for seat in &view.seats {
        cards |= seat.cards.unwrap_or_default();
    }
    // A card of two letters may be anywhere in the text, so every two letters are looked at.
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
