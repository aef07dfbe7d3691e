//! The open round at a table, with the state that a round itself does not have: its number, its
//! seeds, its clock, and the bookkeeping of its money.

use std::sync::Arc;

use croupier_cards::Deck;
use croupier_rules::{Amount, Bet, DeckColor, Edition, Player, Round, Seat, Settled, Settlement};

use serde::Serialize;

use crate::event::{Event, SeatSeed};
use crate::hash::{Hash, to_hex};
use crate::ledger::{Account, Transfer};
use crate::shuffle::{Seed, shuffle};
use crate::terms::Terms;
use crate::time::Time;

/// The stage of an open round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The bank is offered from player to player.
    Offering,
    /// Betting is open.
    Betting,
    /// Seats show the seeds that they committed to.
    Revealing,
    /// The cards are out, and seats decide.
    Deciding,
}

/// A round in progress at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenRound {
    table: String,
    pub(crate) number: u64,
    /// The color of the backs of its deck.
    pub(crate) deck_colour: DeckColor,
    pub(crate) seed: Seed,
    pub(crate) commitment: Hash,
    pub(crate) stage: Stage,
    /// When the stage, or its current street or offer, began.
    pub(crate) since: Time,
    /// When a person last acted in the round.
    pub(crate) acted: Time,
    /// The deadline of the stage; without clocks there is none, except for seeds.
    pub(crate) until: Option<Time>,
    pub(crate) round: Round,
    /// The seat that the bank is offered to; none if no seat is left to ask.
    pub(crate) offered: Option<Seat>,
    /// The seats that declined the bank, and whether the table did it for them.
    pub(crate) declined: Vec<(Seat, bool)>,
    /// The commitments of seats, ordered by seat.
    pub(crate) commitments: Vec<(Seat, Hash)>,
    /// The seeds that seats showed.
    pub(crate) seeds: Vec<(Seat, Vec<u8>)>,
    /// The seats that gave up the seeds that they committed to.
    pub(crate) given_up: Vec<Seat>,
    pub(crate) deck: Option<Deck>,
    pub(crate) stopped: Option<String>,
    /// The number of times that a seat put money down, so no two transfers have the same key.
    staked: Vec<(Seat, u32)>,
    /// The balance in escrow for the round, by its own transfers.
    escrow: Amount,
    /// The rest of the bank's posted amount.
    posted: Amount,
}

impl OpenRound {
    /// Opens a round, given its number and the number of rounds that the table dealt before it.
    pub(crate) fn new(
        table: &str,
        terms: &Terms,
        number: u64,
        dealt: u64,
        seed: Seed,
        stage: Stage,
    ) -> Self {
        // The first edition counted the rounds that were opened.
        let before = match terms.house().edition() {
            Edition::First => number - 1,
            Edition::Second => dealt,
        };
        Self {
            table: table.to_owned(),
            number,
            deck_colour: terms.house().deck_color_after(before),
            commitment: seed.commitment(table, number),
            seed,
            stage,
            since: Time::default(),
            acted: Time::default(),
            until: None,
            round: Round::new(Arc::clone(terms.house()), terms.bonus().cloned()),
            offered: None,
            declined: Vec::new(),
            commitments: Vec::new(),
            seeds: Vec::new(),
            given_up: Vec::new(),
            deck: None,
            stopped: None,
            staked: Vec::new(),
            escrow: Amount::ZERO,
            posted: Amount::ZERO,
        }
    }

    pub(crate) fn table(&self) -> &str {
        &self.table
    }

    /// Tells whether a seat is in the round: it has wagered, or banks.
    pub(crate) fn has(&self, seat: Seat) -> bool {
        self.banks(seat) || self.wager(seat).is_some()
    }

    pub(crate) fn banks(&self, seat: Seat) -> bool {
        self.round.banker().is_some_and(|(banker, _)| banker.seat == seat)
    }

    /// Tells whether a seat is in the round, or can't be because its player banks at another seat.
    pub(crate) fn accounts_for(&self, seat: Seat, player: &str) -> bool {
        self.has(seat) || self.round.banker().is_some_and(|(_, name)| name == player)
    }

    pub(crate) fn wager(&self, seat: Seat) -> Option<&Player> {
        self.round.player(seat)
    }

    /// Returns the seats in the round that committed to a seed and have neither shown it nor given
    /// it up.
    pub(crate) fn unrevealed(&self) -> impl Iterator<Item = Seat> {
        let seats = self.commitments.iter().map(|&(seat, _)| seat);
        let done = |seat: Seat| {
            self.seeds.iter().any(|&(of, _)| of == seat) || self.given_up.contains(&seat)
        };
        seats.filter(move |&seat| self.has(seat) && !done(seat))
    }

    /// Returns the seeds of the seats in the round that committed to one, ordered by seat. A seed
    /// that was not shown is empty.
    pub(crate) fn seat_seeds(&self) -> Vec<(Seat, Vec<u8>)> {
        let committed = self.commitments.iter().map(|&(seat, _)| seat);
        let seed = |seat: Seat| {
            let shown = self.seeds.iter().find(|(of, _)| *of == seat);
            (seat, shown.map_or_else(Vec::new, |(_, seed)| seed.clone()))
        };
        committed.filter(|&seat| self.has(seat)).map(seed).collect()
    }

    /// Returns the event that ends the round before the deal and shows its seeds.
    pub(crate) fn undealt(&self, reason: String) -> Event {
        let (seed, seat_seeds) = (self.seed.clone(), self.shown_seeds());
        Event::RoundUndealt { reason, seed, seat_seeds }
    }

    /// Returns the seats' seeds as they are published when the round has ended.
    pub(crate) fn shown_seeds(&self) -> Vec<SeatSeed> {
        let seeds = self.seat_seeds().into_iter();
        let shown = seeds.filter_map(|(seat, seed)| {
            let &(_, commitment) = self.commitments.iter().find(|(of, _)| *of == seat)?;
            Some(SeatSeed { seat, commitment, seed: to_hex(&seed) })
        });
        shown.collect()
    }

    /// Returns the deck that the seeds give.
    pub(crate) fn shuffled(&self) -> Deck {
        shuffle(&self.table, self.number, &self.seed, &self.seat_seeds())
    }

    /// Books the wager that a seat has made.
    pub(crate) fn stake(&mut self, seat: Seat, transfers: &mut Vec<Transfer>) {
        let times = self.count(seat);
        for &bet in Bet::ALL {
            self.stake_bet(seat, bet, times, transfers);
        }
    }

    /// Books the Play wager that a seat has made.
    pub(crate) fn stake_play(&mut self, seat: Seat, transfers: &mut Vec<Transfer>) {
        self.stake_bet(seat, Bet::Play, 1, transfers);
    }

    fn stake_bet(&mut self, seat: Seat, bet: Bet, times: u32, transfers: &mut Vec<Transfer>) {
        let Some(wager) = self.wager(seat) else { return };
        let key = format!("{}/stake/{times}", bet.id());
        let (from, to, amount) = (player(&wager.name), self.escrow(), wager.stakes[bet]);
        self.book(seat, &key, from, to, amount, transfers);
    }

    /// Books the return of a seat's wager, if it has one.
    pub(crate) fn unstake(&mut self, seat: Seat, transfers: &mut Vec<Transfer>) {
        let Some(wager) = self.wager(seat) else { return };
        let (to, stakes, times) = (player(&wager.name), wager.stakes, self.counted(seat));
        for &bet in Bet::ALL {
            let key = format!("{}/withdraw/{times}", bet.id());
            self.book(seat, &key, self.escrow(), to.clone(), stakes[bet], transfers);
        }
    }

    /// Books the amount that the banker has posted.
    pub(crate) fn post(&mut self, transfers: &mut Vec<Transfer>) {
        let Some((banker, name)) = self.round.banker() else { return };
        let (from, to) = (player(name), self.posted());
        let key = format!("bank/post/{}", self.count(banker.seat));
        self.book(banker.seat, &key, from, to, banker.wager, transfers);
    }

    /// Books the return of the rest of the bank's wager, if there is a bank.
    pub(crate) fn unpost(&mut self, transfers: &mut Vec<Transfer>) {
        let Some((banker, name)) = self.round.banker() else { return };
        let key = format!("bank/withdraw/{}", self.counted(banker.seat));
        let (from, to) = (self.posted(), player(name));
        self.book(banker.seat, &key, from, to, self.posted, transfers);
    }

    /// Books the end of the round before the deal: all money goes back.
    pub(crate) fn undo(&mut self, transfers: &mut Vec<Transfer>) {
        let seats: Vec<Seat> = self.round.players().iter().map(|player| player.seat).collect();
        for seat in seats {
            self.unstake(seat, transfers);
        }
        self.unpost(transfers);
        self.assert_nothing_is_left();
    }

    /// Books the result of a round, wager by wager in the order of settling.
    ///
    /// # Panics
    ///
    /// When money would be left over, or be missing.
    pub(crate) fn settle(&mut self, settlement: &Settlement, transfers: &mut Vec<Transfer>) {
        let bank = self.round.banker().map(|(banker, name)| (banker.seat, player(name)));
        let collects = bank.as_ref().map_or_else(|| self.house(), |(_, account)| account.clone());
        let pays = bank.as_ref().map_or_else(|| self.house(), |_| self.posted());
        for turn in &settlement.order {
            let (seat, bet) = (turn.seat, turn.bet);
            let of_seat = settlement.seats.iter().find(|settled| settled.seat == seat);
            let Some(settled) = of_seat.and_then(|settled| settled.wagers[bet]) else { continue };
            let wager = self.wager(seat).expect("only a seat that wagered is settled");
            let Legs { back, paid, collected } = legs(settled);
            let winner = player(&wager.name);
            let (bet, escrow) = (bet.id(), self.escrow());
            let to = winner.clone();
            self.book(seat, &format!("{bet}/return"), escrow.clone(), to, back, transfers);
            self.book(seat, &format!("{bet}/pay"), pays.clone(), winner, paid, transfers);
            let to = collects.clone();
            self.book(seat, &format!("{bet}/collect"), escrow, to, collected, transfers);
        }
        if let Some((seat, account)) = bank {
            self.book(seat, "bank/return", self.posted(), account, self.posted, transfers);
        }
        self.assert_nothing_is_left();
    }

    /// Asserts that no money is left in the round. Money without an owner would be lost: better to
    /// stop.
    fn assert_nothing_is_left(&self) {
        let left = (self.escrow, self.posted);
        assert_eq!(left, (Amount::ZERO, Amount::ZERO), "a round leaves no money behind");
    }

    fn book(
        &mut self,
        seat: Seat,
        key: &str,
        from: Account,
        to: Account,
        amount: Amount,
        transfers: &mut Vec<Transfer>,
    ) {
        if amount == Amount::ZERO {
            return;
        }
        let fits = "a house's limits keep its rounds within an amount";
        for (account, sign) in [(&from, -1), (&to, 1)] {
            let change = Amount::cents(sign * amount.as_cents());
            let balance = match account {
                Account::Escrow(_) => &mut self.escrow,
                Account::Posted(_) => &mut self.posted,
                _ => continue,
            };
            *balance = balance.plus(change).expect(fits);
            assert!(*balance >= Amount::ZERO, "{key}: {account} pays more than it has");
        }
        let key = format!("{}/{}/{}/{key}", self.table, self.number, seat.number());
        transfers.push(Transfer { key, from, to, amount });
    }

    /// Counts one more time that a seat puts money down.
    fn count(&mut self, seat: Seat) -> u32 {
        if let Some((_, times)) = self.staked.iter_mut().find(|(of, _)| *of == seat) {
            *times += 1;
            return *times;
        }
        self.staked.push((seat, 1));
        1
    }

    fn counted(&self, seat: Seat) -> u32 {
        self.staked.iter().find(|(of, _)| *of == seat).map_or(0, |(_, times)| *times)
    }

    fn escrow(&self) -> Account {
        Account::Escrow(self.table.clone())
    }

    fn posted(&self) -> Account {
        Account::Posted(self.table.clone())
    }

    fn house(&self) -> Account {
        Account::House(self.table.clone())
    }
}

fn player(name: &str) -> Account {
    Account::Player(name.to_owned())
}

/// The parts of a wager's money, by destination.
struct Legs {
    /// From the stake back to the player.
    back: Amount,
    /// From the bank to the player.
    paid: Amount,
    /// From the stake to the bank.
    collected: Amount,
}

fn legs(settled: Settled) -> Legs {
    let Settled { staked, returned, .. } = settled;
    let less = |more: Amount, less: Amount| {
        if more > less { more.minus(less).expect("both are above zero") } else { Amount::ZERO }
    };
    Legs {
        back: returned.min(staked),
        paid: less(returned, staked),
        collected: less(staked, returned),
    }
}
