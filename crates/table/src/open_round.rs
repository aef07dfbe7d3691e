//! The round that is open at a table, with all that a round itself does not know: its number, its
//! seeds, its clock, and how its money is booked.

use std::sync::Arc;

use croupier_cards::Deck;
use croupier_rules::{
    Amount, Bet, ByBet, Decision, DeckColour, Edition, Round, Seat, Settled, Settlement,
};

use serde::Serialize;

use crate::event::{Event, SeatSeed};
use crate::hash::{Hash, to_hex};
use crate::ledger::{Account, Transfer};
use crate::shuffle::{Seed, shuffle};
use crate::terms::Terms;
use crate::time::Time;

/// How far an open round has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The bank is offered from player to player.
    Offering,
    /// Wagers are taken.
    Betting,
    /// Seats show the seeds that they committed to.
    Revealing,
    /// Cards are out, and seats decide.
    Deciding,
}

/// A round in progress at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenRound {
    table: String,
    pub(crate) number: u64,
    /// The color of the backs of its deck.
    pub(crate) deck_colour: DeckColour,
    pub(crate) seed: Seed,
    pub(crate) commitment: Hash,
    pub(crate) stage: Stage,
    /// When the table is out of patience; never, without clocks, except for seeds.
    pub(crate) until: Option<Time>,
    pub(crate) round: Round,
    /// To whom the bank is offered; to nobody, if there is nobody left to ask.
    pub(crate) offered: Option<Seat>,
    /// Who passed the bank on, and whether the table did it for him.
    pub(crate) declined: Vec<(Seat, bool)>,
    pub(crate) bank: Option<Bank>,
    /// Who wagered, by the numbers of the seats.
    pub(crate) wagers: Vec<Wager>,
    /// What seats committed to, in their order.
    pub(crate) commitments: Vec<(Seat, Hash)>,
    /// The seeds that they showed.
    pub(crate) seeds: Vec<(Seat, Vec<u8>)>,
    /// The seats that will show none, although they committed to one.
    pub(crate) given_up: Vec<Seat>,
    pub(crate) deck: Option<Deck>,
    pub(crate) stopped: Option<String>,
    /// How often a seat put money down, so that no two transfers have the same key.
    staked: Vec<(Seat, u32)>,
    /// What is in escrow for the round, by its own transfers.
    escrow: Amount,
    /// What is left of what the bank posted.
    posted: Amount,
}

/// A player who banks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bank {
    pub(crate) seat: Seat,
    pub(crate) player: String,
    pub(crate) wager: Amount,
}

/// A seat that wagered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wager {
    pub(crate) seat: Seat,
    pub(crate) player: String,
    pub(crate) stakes: ByBet<Amount>,
    pub(crate) actions: Vec<Decision>,
    /// Which of the actions the table made.
    pub(crate) by_table: Vec<usize>,
}

impl OpenRound {
    /// Opens a round, by its number and by how many rounds the table dealt before it.
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
            deck_colour: terms.house().deck_colour_after(before),
            commitment: seed.commitment(table, number),
            seed,
            stage,
            until: None,
            round: Round::new(Arc::clone(terms.house()), terms.bonus().cloned()),
            offered: None,
            declined: Vec::new(),
            bank: None,
            wagers: Vec::new(),
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
        self.bank.as_ref().is_some_and(|bank| bank.seat == seat)
    }

    /// Tells whether a seat is in the round, or cannot be because its player banks at another.
    pub(crate) fn accounts_for(&self, seat: Seat, player: &str) -> bool {
        self.has(seat) || self.bank.as_ref().is_some_and(|bank| bank.player == player)
    }

    pub(crate) fn wager(&self, seat: Seat) -> Option<&Wager> {
        self.wagers.iter().find(|wager| wager.seat == seat)
    }

    /// Returns the seats in the round that committed to a seed, and have neither shown it nor given
    /// it up.
    pub(crate) fn unrevealed(&self) -> impl Iterator<Item = Seat> {
        let seats = self.commitments.iter().map(|&(seat, _)| seat);
        let done = |seat: Seat| {
            self.seeds.iter().any(|&(of, _)| of == seat) || self.given_up.contains(&seat)
        };
        seats.filter(move |&seat| self.has(seat) && !done(seat))
    }

    /// Returns the seeds of the seats in the round that committed to one, in their order. One that
    /// was not shown is empty.
    pub(crate) fn seat_seeds(&self) -> Vec<(Seat, Vec<u8>)> {
        let committed = self.commitments.iter().map(|&(seat, _)| seat);
        let seed = |seat: Seat| {
            let shown = self.seeds.iter().find(|(of, _)| *of == seat);
            (seat, shown.map_or_else(Vec::new, |(_, seed)| seed.clone()))
        };
        committed.filter(|&seat| self.has(seat)).map(seed).collect()
    }

    /// Tells that the round ends before the deal, and shows its seeds.
    pub(crate) fn undealt(&self, reason: String) -> Event {
        let (seed, seat_seeds) = (self.seed.clone(), self.shown_seeds());
        Event::RoundUndealt { reason, seed, seat_seeds }
    }

    /// Returns what is published of the seats' seeds when the round has ended.
    pub(crate) fn shown_seeds(&self) -> Vec<SeatSeed> {
        let seeds = self.seat_seeds().into_iter();
        let shown = seeds.filter_map(|(seat, seed)| {
            let &(_, commitment) = self.commitments.iter().find(|(of, _)| *of == seat)?;
            Some(SeatSeed { seat, commitment, seed: to_hex(&seed) })
        });
        shown.collect()
    }

    /// Returns the deck that the seeds make.
    pub(crate) fn shuffled(&self) -> Deck {
        shuffle(&self.table, self.number, &self.seed, &self.seat_seeds())
    }

    /// Books what a seat wagers, instead of what it had wagered before.
    pub(crate) fn stake(&mut self, wager: Wager, transfers: &mut Vec<Transfer>) {
        self.unstake(wager.seat, transfers);
        let times = self.count(wager.seat);
        for &bet in Bet::ALL {
            self.stake_bet(&wager, bet, wager.stakes[bet], times, transfers);
        }
        self.wagers.push(wager);
        self.wagers.sort_by_key(|wager| wager.seat);
    }

    /// Books a Play wager.
    pub(crate) fn stake_play(&mut self, seat: Seat, play: Amount, transfers: &mut Vec<Transfer>) {
        let Some(place) = self.wagers.iter().position(|wager| wager.seat == seat) else { return };
        self.wagers[place].stakes.play = play;
        let wager = self.wagers[place].clone();
        self.stake_bet(&wager, Bet::Play, play, 1, transfers);
    }

    fn stake_bet(
        &mut self,
        wager: &Wager,
        bet: Bet,
        amount: Amount,
        times: u32,
        transfers: &mut Vec<Transfer>,
    ) {
        let key = format!("{}/stake/{times}", bet.id());
        let (from, to) = (player(&wager.player), self.escrow());
        self.book(wager.seat, &key, from, to, amount, transfers);
    }

    /// Books that a seat takes its wager back, if it has one.
    pub(crate) fn unstake(&mut self, seat: Seat, transfers: &mut Vec<Transfer>) {
        let Some(place) = self.wagers.iter().position(|wager| wager.seat == seat) else { return };
        let wager = self.wagers.remove(place);
        let times = self.counted(seat);
        for &bet in Bet::ALL {
            let key = format!("{}/withdraw/{times}", bet.id());
            let (from, to) = (self.escrow(), player(&wager.player));
            self.book(seat, &key, from, to, wager.stakes[bet], transfers);
        }
    }

    /// Books what a player posts to bank, instead of what he had posted before.
    pub(crate) fn post(&mut self, bank: Bank, transfers: &mut Vec<Transfer>) {
        self.unpost(transfers);
        let key = format!("bank/post/{}", self.count(bank.seat));
        let (from, to) = (player(&bank.player), self.posted());
        self.book(bank.seat, &key, from, to, bank.wager, transfers);
        self.bank = Some(bank);
    }

    /// Books that what is left of the bank's wager goes back, if there is a bank.
    fn unpost(&mut self, transfers: &mut Vec<Transfer>) {
        let Some(bank) = self.bank.take() else { return };
        let key = format!("bank/withdraw/{}", self.counted(bank.seat));
        let (from, to) = (self.posted(), player(&bank.player));
        self.book(bank.seat, &key, from, to, self.posted, transfers);
    }

    /// Books that the round ends before the deal: all money goes back.
    pub(crate) fn undo(&mut self, transfers: &mut Vec<Transfer>) {
        while let Some(seat) = self.wagers.first().map(|wager| wager.seat) {
            self.unstake(seat, transfers);
        }
        self.unpost(transfers);
        self.hold_nothing_is_left();
    }

    /// Books what a round came to, wager by wager in the order of settling.
    ///
    /// # Panics
    ///
    /// When money would be left over, or be missing.
    pub(crate) fn settle(&mut self, settlement: &Settlement, transfers: &mut Vec<Transfer>) {
        let bank = self.bank.clone();
        let collects = bank.as_ref().map_or_else(|| self.house(), |bank| player(&bank.player));
        let pays = bank.as_ref().map_or_else(|| self.house(), |_| self.posted());
        for turn in &settlement.order {
            let (seat, bet) = (turn.seat, turn.bet);
            let of_seat = settlement.seats.iter().find(|settled| settled.seat == seat);
            let Some(settled) = of_seat.and_then(|settled| settled.wagers[bet]) else { continue };
            let wager = self.wager(seat).expect("only a seat that wagered is settled");
            let Legs { back, paid, collected } = legs(settled);
            let winner = player(&wager.player);
            let (bet, escrow) = (bet.id(), self.escrow());
            let to = winner.clone();
            self.book(seat, &format!("{bet}/return"), escrow.clone(), to, back, transfers);
            self.book(seat, &format!("{bet}/pay"), pays.clone(), winner, paid, transfers);
            let to = collects.clone();
            self.book(seat, &format!("{bet}/collect"), escrow, to, collected, transfers);
        }
        if let Some(bank) = bank {
            let (from, to) = (self.posted(), player(&bank.player));
            self.book(bank.seat, "bank/return", from, to, self.posted, transfers);
        }
        self.hold_nothing_is_left();
    }

    /// Money that is in nobody's hands when a round is over has been lost: better to stop.
    fn hold_nothing_is_left(&self) {
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
            assert!(*balance >= Amount::ZERO, "{key}: {account} pays what it has not");
        }
        let key = format!("{}/{}/{}/{key}", self.table, self.number, seat.number());
        transfers.push(Transfer { key, from, to, amount });
    }

    /// Counts that a seat puts money down once more.
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

/// Where the money of a wager goes.
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
