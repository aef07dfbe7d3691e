//! One round, from the wagers to the payoffs.

use std::sync::Arc;

use croupier_cards::{Card, CardSet, Category};

use crate::action::{Action, Actor, Decision, Event, Place};
use crate::amount::Amount;
use crate::bet::ByBet;
use crate::edition::Edition;
use crate::game::{Deal, Pass, Raises, Street};
use crate::house::{Banking, House};
use crate::judge::Judge;
use crate::paytable::PayTable;
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::settle::{Banker, Moment, Settlement, Staked, Turn, settle, settle_void};
use crate::view::{SeatView, View, Viewer};

/// A round in progress: a plain value that has no clock and never shuffles. Cards are dealt by
/// actions like any other, so that play, replay and simulation share one engine.
///
/// - [`refusal`](Self::refusal) returns the reason an action would be refused, if it would be;
/// - [`decisions`](Self::decisions) lists what a seat may decide, by the same checks;
/// - [`view`](Self::view) is everything that a viewer may see;
/// - [`apply`](Self::apply) performs the action and returns its events, or refuses and changes
///   nothing; [`apply_unchecked`](Self::apply_unchecked) skips the checks;
/// - [`events`](Self::events) has everything that happened, and
///   [`finished`](Self::finished) the result, once the round is over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Round {
    house: Arc<House>,
    bonus: Option<Arc<PayTable>>,
    phase: Phase,
    banker: Option<(Banker, String)>,
    /// The seats that wagered, by their numbers.
    players: Vec<Player>,
    dealer: CardSet,
    community: Vec<Card>,
    dealt: CardSet,
    /// Whether the showdown is held back.
    held: bool,
    events: Vec<Event>,
}

/// The phase of the round.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Betting,
    /// The number of cards dealt so far.
    Dealing(usize),
    /// The number of the street.
    Deciding(usize),
    Settled(Settlement),
    Void(Settlement),
}

/// A seat that wagered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Player {
    /// The seat.
    pub seat: Seat,
    /// The player's name.
    pub name: String,
    /// The stake on each bet.
    pub stakes: ByBet<Amount>,
    hole: CardSet,
    folded: bool,
    /// Whether it has acted on the street that is open.
    acted: bool,
}

impl Player {
    /// Tells whether the hand has been bet or folded.
    const fn decided(&self) -> bool {
        self.folded || self.stakes.play.is_positive()
    }
}

impl Round {
    /// Opens a round at a house, with the bonus that the table offers.
    ///
    /// # Panics
    ///
    /// If the bonus is not one of the house's: only those are known to pay whole cents.
    pub fn new(house: Arc<House>, bonus: Option<Arc<PayTable>>) -> Self {
        let known = |table: &Arc<PayTable>| house.bonus_paytables().contains(table);
        assert!(bonus.as_ref().is_none_or(known), "the house does not offer this bonus");
        Self {
            house,
            bonus,
            phase: Phase::Betting,
            banker: None,
            players: Vec::new(),
            dealer: CardSet::EMPTY,
            community: Vec::new(),
            dealt: CardSet::EMPTY,
            held: false,
            events: Vec::new(),
        }
    }

    /// Holds the showdown back, for a round that is known to be stopped before it.
    pub(crate) const fn hold(&mut self) {
        self.held = true;
    }

    /// Tells whether a seat has bet or folded.
    pub(crate) fn has_decided(&self, seat: Seat) -> bool {
        self.players.iter().any(|player| player.seat == seat && player.decided())
    }

    /// Tells whether a seat is in the round and has neither bet nor folded.
    pub fn is_undecided(&self, seat: Seat) -> bool {
        self.players.iter().any(|player| player.seat == seat && !player.decided())
    }

    /// Returns the house.
    pub const fn house(&self) -> &Arc<House> {
        &self.house
    }

    /// Returns the bonus pay table, if the table offers a bonus.
    pub const fn bonus(&self) -> Option<&Arc<PayTable>> {
        self.bonus.as_ref()
    }

    /// Returns the player who banks, by seat, name and posted wager.
    pub fn banker(&self) -> Option<(Banker, &str)> {
        self.banker.as_ref().map(|(banker, name)| (*banker, &**name))
    }

    /// Returns the seats that wagered, in order of their numbers.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// Returns the wagers of a seat, if it made any.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.players.iter().find(|player| player.seat == seat)
    }

    /// Returns a seat's decisions so far, each with whether the table made it.
    pub fn actions(&self, seat: Seat) -> impl Iterator<Item = (Decision, bool)> {
        self.events.iter().filter_map(move |event| match *event {
            Event::Decided { seat: of, decision, by_table } if of == seat => {
                Some((decision, by_table))
            }
            _ => None,
        })
    }

    /// Returns everything that happened so far, hidden cards included: a viewer may see only a
    /// [view](Self::view).
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns the settlement, once the round is over.
    pub const fn settlement(&self) -> Option<&Settlement> {
        match &self.phase {
            Phase::Settled(settlement) | Phase::Void(settlement) => Some(settlement),
            Phase::Betting | Phase::Dealing(_) | Phase::Deciding(_) => None,
        }
    }

    /// Returns where the next card goes, while cards are being dealt.
    pub fn next_card(&self) -> Option<Place> {
        match self.phase {
            Phase::Dealing(dealt) => self.place(dealt),
            _ => None,
        }
    }

    /// Returns the seats that have a decision to make now.
    pub fn to_decide(&self) -> impl Iterator<Item = Seat> {
        let deciding = matches!(self.phase, Phase::Deciding(_));
        let waiting = self.players.iter().filter(|player| !player.decided() && !player.acted);
        waiting.filter(move |_| deciding).map(|player| player.seat)
    }

    /// Returns what a seat may decide now.
    ///
    /// Show it only to that seat: where the raises depend on the hand, as with three cards, the
    /// list reveals whether there is a pair.
    pub fn decisions(&self, seat: Seat) -> Vec<Decision> {
        let Some(player) = self.players.iter().find(|player| player.seat == seat) else {
            return Vec::new();
        };
        let bets = self.street().map_or(&[][..], |street| self.multiples(street, player));
        let actor = Actor::Player(player.name.clone());
        bets.iter()
            .rev()
            .map(|&times| Decision::Bet(times))
            .chain([Decision::Check, Decision::Fold])
            .filter(|&decision| self.refuse_decision(seat, &actor, decision).is_none())
            .collect()
    }

    /// Returns the round as a viewer may see it.
    pub fn view(&self, viewer: Viewer) -> View {
        let over = self.settlement().is_some();
        let turned = match self.phase {
            Phase::Betting | Phase::Dealing(_) => 0,
            Phase::Deciding(_) => self.street().map_or(0, |street| street.community_shown),
            Phase::Settled(_) | Phase::Void(_) => self.community.len(),
        };
        let seats = self.players.iter().map(|player| SeatView {
            seat: player.seat,
            stakes: player.stakes,
            folded: player.folded,
            to_decide: self.to_decide().any(|seat| seat == player.seat),
            cards: (over || viewer == Viewer::Seat(player.seat)).then_some(player.hole),
        });
        View {
            community: self.community[..turned].to_vec(),
            dealer: over.then_some(self.dealer),
            seats: seats.collect(),
            settlement: self.settlement().cloned(),
        }
    }

    /// Returns the reason an action would be refused, if it would be.
    pub fn refusal(&self, action: &Action) -> Option<Refusal> {
        if self.settlement().is_some() {
            return Some(Refusal::RoundOver);
        }
        match action {
            Action::Bank { seat, player, wager } => self.refuse_bank(*seat, player, *wager),
            Action::Wager { seat, player, ante, blind, bonus } => {
                self.refuse_wager(*seat, player, *ante, *blind, *bonus)
            }
            Action::Withdraw { seat, player } => self.refuse_withdrawal(*seat, player),
            Action::NoMoreBets => match self.phase {
                Phase::Betting if self.needs_bank() => Some(Refusal::NoBanker),
                Phase::Betting if self.players.is_empty() => Some(Refusal::NobodyWagered),
                Phase::Betting => None,
                _ => Some(Refusal::BettingClosed),
            },
            Action::Deal(card) => match self.phase {
                Phase::Betting => Some(Refusal::BettingOpen),
                Phase::Dealing(_) if self.dealt.contains(*card) => {
                    Some(Refusal::CardRepeated { card: *card })
                }
                Phase::Dealing(_) => None,
                _ => Some(Refusal::CardsDealt),
            },
            Action::Decide { seat, by, decision } => self.refuse_decision(*seat, by, *decision),
            Action::Void(_) => None,
        }
    }

    /// Performs an action, and returns its events.
    ///
    /// # Errors
    ///
    /// The reason it is refused, in which case nothing has changed.
    ///
    /// # Panics
    ///
    /// Never: an action that would make [`apply_unchecked`](Self::apply_unchecked) panic is
    /// refused.
    pub fn apply(&mut self, action: Action) -> Result<&[Event], Refusal> {
        match self.refusal(&action) {
            Some(refusal) => Err(refusal),
            None => Ok(self.apply_unchecked(action)),
        }
    }

    /// Performs an action that is known to be legal, and returns its events.
    ///
    /// This is for hot loops that choose among legal actions themselves.
    ///
    /// # Panics
    ///
    /// Possibly, for an action that [`refusal`](Self::refusal) would refuse: a debug build always
    /// panics at once; a release build may panic now or later, or continue with a meaningless
    /// round.
    pub fn apply_unchecked(&mut self, action: Action) -> &[Event] {
        debug_assert_eq!(self.refusal(&action), None, "{action:?} is not legal");
        let before = self.events.len();
        match action {
            Action::Bank { seat, player, wager } => {
                self.banker = Some((Banker { seat, wager }, player));
                self.events.push(Event::Banked { seat, wager });
            }
            Action::Wager { seat, player, ante, bonus, .. } => {
                self.wager(seat, player, ante, bonus);
            }
            Action::Withdraw { seat, .. } => {
                self.players.retain(|player| player.seat != seat);
                self.events.push(Event::Withdrawn { seat });
            }
            Action::NoMoreBets => {
                self.phase = Phase::Dealing(0);
                self.events.push(Event::BettingClosed);
            }
            Action::Deal(card) => self.deal(card),
            Action::Decide { seat, by, decision } => self.decide(seat, &by, decision),
            Action::Void(reason) => {
                self.events.push(Event::Voided(reason));
                let staked = self.players.iter().map(|player| (player.seat, player.stakes));
                let settlement = settle_void(&staked.collect::<Vec<_>>());
                tell(&settlement, |_| true, &mut self.events);
                self.phase = Phase::Void(settlement);
            }
        }
        &self.events[before..]
    }

    fn needs_bank(&self) -> bool {
        self.house.banking() != Banking::House && self.banker.is_none()
    }

    fn refuse_seat(&self, seat: Seat) -> Option<Refusal> {
        let seats = self.house.seats();
        (seat.number() > seats).then_some(Refusal::NoSuchSeat { seats })
    }

    fn refuse_bank(&self, seat: Seat, player: &str, wager: Amount) -> Option<Refusal> {
        match self.phase {
            Phase::Betting => {}
            _ => return Some(Refusal::BettingClosed),
        }
        // The player who banks may change the posted wager, as a player may change a wager. There
        // is no need to check that they have no other wager: no seat can wager before there is a
        // banker, and the banker can't wager after that.
        let banks = |(banker, name): &(Banker, String)| banker.seat == seat && name == player;
        let taken = self.banker.as_ref().is_some_and(|bank| !banks(bank));
        // Other seats have wagered against the posted wager, and rely on it.
        let least = match &self.banker {
            Some((banker, _)) if !self.players.is_empty() => banker.wager,
            _ => Amount::ZERO,
        };
        let lowered = wager < least && self.house.edition() >= Edition::Second;
        let reasons = [
            self.refuse_seat(seat),
            (self.house.banking() == Banking::House).then_some(Refusal::HouseBanks),
            taken.then_some(Refusal::BankTaken),
            (!wager.is_positive()).then_some(Refusal::BankEmpty),
            lowered.then_some(Refusal::BankLowered { least }),
        ];
        reasons.into_iter().flatten().next()
    }

    fn refuse_wager(
        &self,
        seat: Seat,
        player: &str,
        ante: Amount,
        blind: Amount,
        bonus: Amount,
    ) -> Option<Refusal> {
        match self.phase {
            Phase::Betting => {}
            _ => return Some(Refusal::BettingClosed),
        }
        let limits = self.house.limits();
        let (unit, seats_each) = (limits.unit, self.house.seats_per_player());
        let banks = self
            .banker
            .as_ref()
            .is_some_and(|(banker, name)| banker.seat == seat || name == player);
        let own: Vec<&Player> = self
            .players
            .iter()
            .filter(|other| other.seat != seat && other.name == player)
            .collect();
        let own_seats = own.len();
        let games_of = |bonus: Amount| if bonus == Amount::ZERO { 1 } else { 2 };
        let off_unit = |amount: Amount| amount.as_cents() % unit.as_cents() != 0;
        let elsewhere: u32 = own.iter().map(|other| games_of(other.stakes.bonus)).sum();
        let games = elsewhere + games_of(bonus);
        let bonus_made = bonus != Amount::ZERO;
        let reasons = [
            self.refuse_seat(seat),
            self.needs_bank().then_some(Refusal::NoBanker),
            banks.then_some(Refusal::BankerWagers),
            self.players
                .iter()
                .any(|other| other.seat == seat && other.name != player)
                .then_some(Refusal::NotYourSeat),
            (own_seats >= seats_each as usize)
                .then_some(Refusal::TooManySeats { most: seats_each }),
            (bonus_made && ante == Amount::ZERO).then_some(Refusal::BonusWithoutAnte),
            (ante < limits.ante_min).then_some(Refusal::AnteTooSmall { least: limits.ante_min }),
            (ante > limits.ante_max).then_some(Refusal::AnteTooLarge { most: limits.ante_max }),
            off_unit(ante).then_some(Refusal::AnteOffUnit { unit }),
            (blind != ante).then_some(Refusal::BlindNotAnte),
            (bonus_made && self.bonus.is_none()).then_some(Refusal::NoBonus),
            (bonus_made && bonus < limits.bonus_min)
                .then_some(Refusal::BonusTooSmall { least: limits.bonus_min }),
            (bonus > limits.bonus_max).then_some(Refusal::BonusTooLarge { most: limits.bonus_max }),
            off_unit(bonus).then_some(Refusal::BonusOffUnit { unit }),
            (games > self.house.games_per_player())
                .then_some(Refusal::TooManyGames { most: self.house.games_per_player() }),
        ];
        reasons.into_iter().flatten().next()
    }

    fn refuse_withdrawal(&self, seat: Seat, player: &str) -> Option<Refusal> {
        match self.phase {
            Phase::Betting => {}
            _ => return Some(Refusal::BettingClosed),
        }
        let wagered = self.players.iter().find(|other| other.seat == seat);
        let reasons = [
            self.refuse_seat(seat),
            wagered.is_some_and(|other| other.name != player).then_some(Refusal::NotYourSeat),
            wagered.is_none().then_some(Refusal::NotInRound),
        ];
        reasons.into_iter().flatten().next()
    }

    fn refuse_decision(&self, seat: Seat, by: &Actor, decision: Decision) -> Option<Refusal> {
        match self.phase {
            Phase::Betting => return Some(Refusal::BettingOpen),
            Phase::Dealing(_) => return Some(Refusal::CardsNotDealt),
            Phase::Settled(_) | Phase::Void(_) => return Some(Refusal::RoundOver),
            Phase::Deciding(_) => {}
        }
        if let Some(refusal) = self.refuse_seat(seat) {
            return Some(refusal);
        }
        let Some(player) = self.players.iter().find(|player| player.seat == seat) else {
            return Some(Refusal::NotInRound);
        };
        let street = self.street()?;
        match (by, decision) {
            (Actor::Player(name), _) if *name != player.name => Some(Refusal::NotYourSeat),
            _ if player.decided() => Some(Refusal::AlreadyDecided),
            _ if player.acted => Some(Refusal::AlreadyActed),
            (_, Decision::Check) if street.pass != Pass::Check => Some(Refusal::CannotCheck),
            (_, Decision::Fold) if street.pass != Pass::Fold => Some(Refusal::CannotFold),
            (Actor::Table, Decision::Bet(_)) => Some(Refusal::TableCannotBet),
            (_, Decision::Bet(times)) => {
                let allowed = self.multiples(street, player);
                match street.raises {
                    _ if allowed.contains(&times) => None,
                    Raises::House { from } if self.house.raises().contains(&times) => {
                        Some(Refusal::HandTooWeak { needs: from })
                    }
                    _ => Some(Refusal::CannotBet { allowed: allowed.to_vec() }),
                }
            }
            _ => None,
        }
    }

    /// Returns the street on which seats decide now, if they do.
    pub fn street(&self) -> Option<&'static Street> {
        match self.phase {
            Phase::Deciding(number) => self.house.game().def().streets.get(number),
            _ => None,
        }
    }

    /// Returns the multiples of the Ante that a player may bet on a street.
    fn multiples(&self, street: &Street, player: &Player) -> &[u32] {
        match street.raises {
            Raises::Fixed(multiples) => multiples,
            Raises::House { from: Category::HighCard } => self.house.raises(),
            Raises::House { from } => {
                let strength = (self.house.game().def().strength)(player.hole, CardSet::EMPTY);
                if strength.is_at_least(from) { self.house.raises() } else { &[1] }
            }
        }
    }

    /// Returns where a card goes, given how many were dealt before it, or `None` if all are dealt.
    fn place(&self, dealt: usize) -> Option<Place> {
        let def = self.house.game().def();
        // The players by their seats, and the dealer last.
        let hands = self.players.len() + 1;
        let to_hands = hands * def.hole_cards;
        let hand = |number: usize| {
            let player = self.players.get(number);
            player.map_or(Place::Dealer, |player| Place::Seat(player.seat))
        };
        if dealt >= to_hands + def.community_cards {
            return None;
        }
        Some(match self.house.deal() {
            Deal::BoardFirst if dealt < def.community_cards => Place::Community,
            Deal::BoardFirst => hand((dealt - def.community_cards) / def.hole_cards),
            _ if dealt >= to_hands => Place::Community,
            Deal::Singles => hand(dealt % hands),
            Deal::Pairs | Deal::Threes => hand(dealt / def.hole_cards),
        })
    }

    fn wager(&mut self, seat: Seat, name: String, ante: Amount, bonus: Amount) {
        let stakes = ByBet { ante, blind: ante, play: Amount::ZERO, bonus };
        let (hole, folded, acted) = (CardSet::EMPTY, false, false);
        self.players.retain(|other| other.seat != seat);
        self.players.push(Player { seat, name, stakes, hole, folded, acted });
        self.players.sort_by_key(|player| player.seat);
        self.events.push(Event::Wagered { seat, ante, bonus });
    }

    fn deal(&mut self, card: Card) {
        let Phase::Dealing(dealt) = self.phase else { return };
        let Some(place) = self.place(dealt) else { return };
        match place {
            Place::Seat(seat) => {
                let player = self.players.iter_mut().find(|player| player.seat == seat);
                player.expect("cards go to seats that wagered").hole.insert(card);
            }
            Place::Dealer => {
                self.dealer.insert(card);
            }
            Place::Community => self.community.push(card),
        }
        self.dealt.insert(card);
        self.events.push(Event::Dealt { place, card });
        self.phase = match self.place(dealt + 1) {
            Some(_) => Phase::Dealing(dealt + 1),
            None => Phase::Deciding(0),
        };
    }

    fn decide(&mut self, seat: Seat, by: &Actor, decision: Decision) {
        let player = self.players.iter_mut().find(|player| player.seat == seat);
        let player = player.expect("a seat that wagered");
        player.acted = true;
        match decision {
            Decision::Check => {}
            Decision::Fold => player.folded = true,
            Decision::Bet(times) => {
                let play = player.stakes.ante.times(times);
                player.stakes.play = play.expect("a house's limits keep wagers within an amount");
            }
        }
        self.events.push(Event::Decided { seat, decision, by_table: *by == Actor::Table });
        while self.to_decide().next().is_none() && self.next_street() {}
    }

    /// Opens the next street, or settles if there is none. Tells whether a street was opened.
    fn next_street(&mut self) -> bool {
        let Phase::Deciding(number) = self.phase else { return false };
        let streets = self.house.game().def().streets;
        let Some(next) = streets.get(number + 1) else {
            if !self.held {
                self.finish();
            }
            return false;
        };
        let turned = streets[number].community_shown..next.community_shown;
        self.events.push(Event::Turned(self.community[turned].to_vec()));
        self.phase = Phase::Deciding(number + 1);
        for player in &mut self.players {
            player.acted = false;
        }
        true
    }

    /// Turns the dealer's hand; then, seat by seat in payoff order, shows each hand and settles its
    /// wagers.
    fn finish(&mut self) {
        let house = &self.house;
        let judge = self.judge();
        let qualifies = judge.qualifies();
        let mut judged: Vec<_> = self
            .players
            .iter()
            .map(|player| (player, judge.judge(player.hole, player.folded)))
            .collect();
        let staked = judged.iter().map(|(player, (outcome, shown))| Staked {
            seat: player.seat,
            stakes: player.stakes,
            outcome: *outcome,
            hand: shown.strength.category(),
        });
        let staked: Vec<_> = staked.collect();
        let banker = self.banker.as_ref().map(|(banker, _)| *banker);
        let settlement = settle(house, self.bonus.as_deref(), qualifies, banker, &staked);
        tell(&settlement, |turn| turn.moment == Moment::BeforeShowdown, &mut self.events);
        self.events.push(Event::DealerShown { shown: judge.dealer(), qualifies });
        tell(&settlement, |turn| turn.moment == Moment::FirstPass, &mut self.events);
        let (order, bank_seat) = (house.payoff_order(), banker.map(|banker| banker.seat));
        judged.sort_by_key(|(player, _)| order.place(bank_seat, player.seat));
        for (player, (outcome, shown)) in judged {
            let seat = player.seat;
            self.events.push(Event::Judged { seat, outcome, shown });
            let in_turn = |turn: &Turn| turn.seat == seat && turn.moment == Moment::InTurn;
            tell(&settlement, in_turn, &mut self.events);
        }
        self.phase = Phase::Settled(settlement);
    }

    /// Evaluates the dealer's hand, to compare the others with.
    pub(crate) fn judge(&self) -> Judge {
        let (house, community) = (&self.house, self.community.iter().copied().collect());
        Judge::new(house.game(), house.qualifying(), community, self.dealer)
    }
}

/// Appends the results of the selected wagers, in the order in which they were settled.
fn tell(settlement: &Settlement, which: impl Fn(&Turn) -> bool, events: &mut Vec<Event>) {
    for &Turn { seat, bet, .. } in settlement.order.iter().filter(|turn| which(turn)) {
        let of_seat = settlement.seats.iter().find(|settled| settled.seat == seat);
        if let Some(settled) = of_seat.and_then(|settled| settled.wagers[bet]) {
            events.push(Event::Settled { seat, bet, settled });
        }
    }
}
