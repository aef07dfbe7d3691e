//! Settlement: payoffs and collections. This module handles money, and no cards.
//!
//! First every wager is decided by the rules of the game, with either kind of bank: it loses, it
//! pushes, or a payoff is due. Then the bank covers what is due: a house in full, or up to its
//! payout maximum; a player/dealer up to the posted wager, seat by seat.

use croupier_cards::Category;
use serde::Serialize;

use crate::amount::Amount;
use crate::bet::{Bet, ByBet};
use crate::closed_set::closed_set;
use crate::edition::Edition;
use crate::house::{AnteRefund, Banking, Coverage, House};
use crate::judge::Outcome;
use crate::paytable::PayTable;
use crate::ratio::Ratio;
use crate::seat::Seat;

/// A seat's wagers and how its hand ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Staked {
    /// The seat.
    pub seat: Seat,
    /// The stake on each bet; zero where none was made.
    pub stakes: ByBet<Amount>,
    /// The outcome of the hand.
    pub outcome: Outcome,
    /// The category of the hand.
    pub hand: Category,
}

/// A player who banks: their seat and their posted wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Banker {
    /// Their seat.
    pub seat: Seat,
    /// Their posted wager.
    pub wager: Amount,
}

closed_set! {
    /// The result of a wager.
    WagerResult {
        /// It was paid.
        Win = "win",
        /// It was collected.
        Lose = "lose",
        /// It was returned.
        Push = "push",
        /// It was returned because the bank could not cover it.
        Returned = "returned",
        /// It was returned because the round was void.
        Void = "void",
    }
}

/// A settled wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Settled {
    /// The stake.
    pub staked: Amount,
    /// The total returned to the player, including the stake.
    pub returned: Amount,
    /// The result.
    pub result: WagerResult,
    /// The part of the payoff that was due but not paid.
    pub uncovered: Amount,
}

/// A seat's settled wagers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SeatSettlement {
    /// The seat.
    pub seat: Seat,
    /// Each wager that was made, settled.
    pub wagers: ByBet<Option<Settled>>,
    /// The player's net win, negative for a loss.
    pub net: Amount,
}

/// The moment when a wager is settled, earliest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// Before the dealer's hand is turned: the wagers that a folded hand loses.
    BeforeShowdown,
    /// Right after the dealer's hand is turned, before any other hand is compared: an Ante that
    /// is returned because the dealer does not qualify, where the house returns all Antes first.
    FirstPass,
    /// On its seat's turn.
    InTurn,
}

/// A wager's place in the order of settlement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The seat.
    pub seat: Seat,
    /// The wager.
    pub bet: Bet,
    /// When it is settled.
    pub moment: Moment,
}

/// The settlement of a round.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settlement {
    /// All seats that wagered, in order of their numbers.
    pub seats: Vec<SeatSettlement>,
    /// The bank's net win, negative for a loss.
    pub bank_net: Amount,
    /// The wagers in the order in which they were settled.
    pub order: Vec<Turn>,
}

/// The result that is due on a wager, if the bank can cover it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    Collect,
    Push,
    Pay(Amount),
}

/// A wager that is decided but not settled yet.
#[derive(Clone, Copy, Debug)]
struct Wager {
    seat: Seat,
    bet: Bet,
    stake: Amount,
    due: Due,
    moment: Moment,
}

impl Wager {
    /// Returns its turn among its seat's wagers where a player banks. The order matters because
    /// the posted wager may run out: an Ante that pushes goes first, a winner is paid the Ante
    /// before the Play, and a loser's Play is collected before the Ante. Then come the Blind and
    /// the bonus.
    const fn rank(&self) -> u8 {
        match (self.bet, self.due) {
            (Bet::Ante, Due::Push | Due::Pay(_)) => 0,
            (Bet::Play, _) => 1,
            (Bet::Ante, Due::Collect) => 2,
            (Bet::Blind, _) => 3,
            (Bet::Bonus, _) => 4,
        }
    }
}

/// Settles a round.
///
/// # Panics
///
/// If a payoff on a stake is not a whole number of cents, or does not fit an amount. A checked
/// [`House`] rules both out for stakes within its limits.
pub fn settle(
    house: &House,
    bonus: Option<&PayTable>,
    qualifies: bool,
    banker: Option<Banker>,
    seats: &[Staked],
) -> Settlement {
    let first_pass = house.ante_refund() == AnteRefund::FirstPass && !qualifies;
    let mut wagers: Vec<Wager> = seats
        .iter()
        .flat_map(|staked| wagers_of(staked, house.blind_paytable(), bonus, qualifies, first_pass))
        .collect();
    let bank_seat = banker.map(|bank| bank.seat);
    let place = |seat: Seat| house.payoff_order().place(bank_seat, seat);
    // A house pays every wager, so the order within a seat is that of its layout.
    let ranked = banker.is_some() && house.edition() >= Edition::Second;
    let within_seat = |wager: &Wager| if ranked { wager.rank() } else { wager.bet as u8 };
    wagers.sort_by_key(|wager| (wager.moment, place(wager.seat), within_seat(wager)));

    let settled =
        if let (Banking::PlayerDealer { coverage, .. }, Some(banker)) = (house.banking(), banker) {
            cover(&wagers, coverage, banker.wager)
        } else {
            let limited = |wager: &Wager| match house.edition() {
                Edition::First => true,
                Edition::Second => matches!(wager.bet, Bet::Blind | Bet::Bonus),
            };
            pay_all(&wagers, house.limits().round_payout_max, limited)
        };
    assemble(seats.iter().map(|staked| staked.seat), &wagers, &settled)
}

/// Settles a void round: every stake of these seats is returned.
///
/// # Panics
///
/// If the stakes of a seat do not fit an amount, which a [`House`]'s limits rule out.
pub fn settle_void(seats: &[(Seat, ByBet<Amount>)]) -> Settlement {
    let mut wagers = Vec::new();
    for &(seat, stakes) in seats {
        for &bet in Bet::ALL {
            let stake = stakes[bet];
            if stake.is_positive() {
                wagers.push(Wager { seat, bet, stake, due: Due::Push, moment: Moment::InTurn });
            }
        }
    }
    let settled: Vec<Settled> =
        wagers.iter().map(|wager| back(wager.stake, WagerResult::Void)).collect();
    assemble(seats.iter().map(|&(seat, _)| seat), &wagers, &settled)
}

/// Decides every wager of a seat by the rules of the game.
fn wagers_of(
    staked: &Staked,
    blind: &PayTable,
    bonus: Option<&PayTable>,
    qualifies: bool,
    first_pass: bool,
) -> impl Iterator<Item = Wager> {
    let Staked { seat, stakes, outcome, hand } = *staked;
    let pay = |ratio: Ratio, stake: Amount| match ratio.of(stake) {
        Some(Amount::ZERO) => Due::Push,
        Some(payoff) => Due::Pay(payoff),
        None => panic!("{ratio:#} on {stake} is not a whole number of cents"),
    };
    let decide = move |bet: Bet, stake: Amount| match (bet, outcome) {
        (_, Outcome::Void) => Due::Push,
        (Bet::Bonus, _) => {
            bonus.and_then(|table| table.pays(hand)).map_or(Due::Collect, |ratio| pay(ratio, stake))
        }
        (_, Outcome::Fold) => Due::Collect,
        (Bet::Ante, _) if !qualifies => Due::Push,
        (_, Outcome::Push) => Due::Push,
        (_, Outcome::Lose) => Due::Collect,
        (Bet::Blind, Outcome::Win) => blind.pays(hand).map_or(Due::Push, |ratio| pay(ratio, stake)),
        (Bet::Ante | Bet::Play, Outcome::Win) => pay(Ratio::EVEN, stake),
    };
    Bet::ALL
        .iter()
        .map(move |&bet| (bet, stakes[bet]))
        .filter(|(_, stake)| stake.is_positive())
        .map(move |(bet, stake)| {
            let due = decide(bet, stake);
            let moment = match (bet, outcome) {
                (_, Outcome::Fold) if due == Due::Collect => Moment::BeforeShowdown,
                (Bet::Ante, _) if first_pass => Moment::FirstPass,
                _ => Moment::InTurn,
            };
            Wager { seat, bet, stake, due, moment }
        })
}

const fn back(stake: Amount, result: WagerResult) -> Settled {
    Settled { staked: stake, returned: stake, result, uncovered: Amount::ZERO }
}

fn lost(stake: Amount, returned: Amount) -> Settled {
    Settled { staked: stake, returned, result: WagerResult::Lose, uncovered: Amount::ZERO }
}

fn won(stake: Amount, payoff: Amount, paid: Amount) -> Settled {
    Settled {
        staked: stake,
        returned: sum(stake, paid),
        result: WagerResult::Win,
        uncovered: difference(payoff, paid),
    }
}

/// Settles for a house: it pays in full, or divides its maximum in proportion among the wagers that
/// it limits. Cents left over from rounding down go out one by one, in the order of payoffs.
fn pay_all(
    wagers: &[Wager],
    payout_max: Option<Amount>,
    limited: impl Fn(&Wager) -> bool,
) -> Vec<Settled> {
    let payoff_of = |wager: &Wager| match wager.due {
        Due::Pay(payoff) => payoff,
        Due::Collect | Due::Push => Amount::ZERO,
    };
    let due = |wager: &Wager| if limited(wager) { payoff_of(wager) } else { Amount::ZERO };
    let odds = wagers.iter().map(due);
    let total = odds.clone().fold(Amount::ZERO, sum);
    let shares: Vec<Amount> = match payout_max {
        Some(most) if total > most => share_out(odds, total, most),
        _ => odds.collect(),
    };
    let settle = |(wager, share): (&Wager, Amount)| match wager.due {
        Due::Collect => lost(wager.stake, Amount::ZERO),
        Due::Push => back(wager.stake, WagerResult::Push),
        Due::Pay(payoff) if limited(wager) => won(wager.stake, payoff, share),
        Due::Pay(payoff) => won(wager.stake, payoff, payoff),
    };
    wagers.iter().zip(shares).map(settle).collect()
}

fn share_out(payoffs: impl Iterator<Item = Amount>, total: Amount, most: Amount) -> Vec<Amount> {
    let share = |payoff: Amount| {
        let cents = i128::from(payoff.as_cents()) * i128::from(most.as_cents());
        let cents = cents / i128::from(total.as_cents());
        (payoff, Amount::cents(i64::try_from(cents).expect("a share is less than the whole")))
    };
    let mut shares: Vec<(Amount, Amount)> = payoffs.map(share).collect();
    let given = shares.iter().fold(Amount::ZERO, |given, &(_, share)| sum(given, share));
    let mut left = difference(most, given);
    for (payoff, share) in &mut shares {
        if left.is_positive() && payoff.is_positive() {
            *share = sum(*share, Amount::cents(1));
            left = difference(left, Amount::cents(1));
        }
    }
    shares.into_iter().map(|(_, share)| share).collect()
}

/// Settles for a player/dealer: the wagers are covered in order, up to the posted wager.
fn cover(wagers: &[Wager], coverage: Coverage, posted: Amount) -> Vec<Settled> {
    let mut left = posted;
    let mut meet = |wager: &Wager| {
        let stake = wager.stake;
        match wager.due {
            Due::Push => back(stake, WagerResult::Push),
            Due::Pay(payoff) if left == Amount::ZERO => {
                Settled { uncovered: payoff, ..back(stake, WagerResult::Returned) }
            }
            Due::Collect if left == Amount::ZERO => back(stake, WagerResult::Returned),
            Due::Pay(payoff) => {
                let paid = payoff.min(left);
                left = difference(left, paid);
                won(stake, payoff, paid)
            }
            Due::Collect => match coverage {
                Coverage::Payoffs => lost(stake, Amount::ZERO),
                Coverage::Action => {
                    let taken = stake.min(left);
                    left = difference(left, taken);
                    lost(stake, difference(stake, taken))
                }
            },
        }
    };
    wagers.iter().map(&mut meet).collect()
}

/// Groups the settled wagers by seat, and checks that no cent was created or lost.
fn assemble(
    seats: impl Iterator<Item = Seat>,
    wagers: &[Wager],
    settled: &[Settled],
) -> Settlement {
    let mut bank_net = Amount::ZERO;
    let mut result: Vec<SeatSettlement> = seats
        .map(|seat| SeatSettlement { seat, wagers: ByBet::default(), net: Amount::ZERO })
        .collect();
    for (wager, settled) in wagers.iter().zip(settled) {
        let seat =
            result.iter_mut().find(|seat| seat.seat == wager.seat).expect("a seat that staked");
        let net = difference(settled.returned, settled.staked);
        seat.wagers[wager.bet] = Some(*settled);
        seat.net = sum(seat.net, net);
        bank_net = difference(bank_net, net);
    }
    result.sort_by_key(|seat| seat.seat);
    let total = result.iter().fold(bank_net, |total, seat| sum(total, seat.net));
    assert_eq!(total, Amount::ZERO, "a settlement moves money and creates none");
    let turn = |wager: &Wager| Turn { seat: wager.seat, bet: wager.bet, moment: wager.moment };
    let order = wagers.iter().map(turn).collect();
    Settlement { seats: result, bank_net, order }
}

fn sum(one: Amount, other: Amount) -> Amount {
    one.plus(other).expect("a house's limits keep its rounds within an amount")
}

fn difference(one: Amount, other: Amount) -> Amount {
    one.minus(other).expect("a house's limits keep its rounds within an amount")
}
