//! A second, literal implementation of the rule documents, with no concern for speed. It shares
//! nothing with the crate: hands, dealing, pay tables and settlement are written out again.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A card as a rank from 2 to 14 and a suit from 0 to 3.
pub type Card = (u8, u8);

/// A hand as the documents rank it: its name, its place, and the ranks that break ties.
pub type Ranked = (usize, Vec<u8>);

const FIVE: [&str; 10] = [
    "high-card",
    "pair",
    "two-pair",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
    "royal-flush",
];

const THREE: [&str; 7] =
    ["high-card", "pair", "flush", "straight", "three-of-a-kind", "straight-flush", "mini-royal"];

/// Ranks exactly five or exactly three cards.
fn rank(cards: &[Card]) -> Ranked {
    let mut ranks: Vec<u8> = cards.iter().map(|card| card.0).collect();
    let count = |rank: u8| cards.iter().filter(|card| card.0 == rank).count();
    ranks.sort_by_key(|&rank| std::cmp::Reverse((count(rank), rank)));
    if ranks == [14, 5, 4, 3, 2] {
        ranks = vec![5, 4, 3, 2, 1];
    }
    if ranks == [14, 3, 2] {
        ranks = vec![3, 2, 1];
    }
    let straight = ranks.windows(2).all(|pair| pair[0] == pair[1] + 1);
    let flush = cards.iter().all(|card| card.1 == cards[0].1);
    let counts: Vec<usize> = ranks.iter().map(|&rank| count(rank)).collect();
    let name = match (straight, flush, counts.as_slice()) {
        (true, true, _) if ranks[0] == 14 && cards.len() == 5 => "royal-flush",
        (true, true, _) if ranks[0] == 14 => "mini-royal",
        (true, true, _) => "straight-flush",
        (true, false, _) => "straight",
        (false, true, _) => "flush",
        (_, _, [4, ..]) => "four-of-a-kind",
        (_, _, [3, 3, 3, 2, 2]) => "full-house",
        (_, _, [3, ..]) => "three-of-a-kind",
        (_, _, [2, 2, 2, ..]) => "two-pair",
        (_, _, [2, ..]) => "pair",
        _ => "high-card",
    };
    let order: &[&str] = if cards.len() == 5 { &FIVE } else { &THREE };
    (order.iter().position(|each| *each == name).expect("a hand of the game"), ranks)
}

/// Ranks three cards, or the best five of seven.
pub fn best(cards: &[Card]) -> Ranked {
    if cards.len() == 3 {
        return rank(cards);
    }
    let mut all = Vec::new();
    for out in 0..cards.len() {
        for other in out + 1..cards.len() {
            let five = (0..cards.len()).filter(|&at| at != out && at != other);
            all.push(rank(&five.map(|at| cards[at]).collect::<Vec<_>>()));
        }
    }
    all.into_iter().max().expect("seven cards")
}

/// Returns the id of a hand.
pub fn name(hand: &Ranked, three: bool) -> &'static str {
    if three { THREE[hand.0] } else { FIVE[hand.0] }
}

/// Returns the odds that the sheets print, as payoff and stake.
pub fn paytable(id: &str) -> BTreeMap<&'static str, (i64, i64)> {
    let trips =
        ["royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush", "straight"];
    let plus = ["mini-royal", "straight-flush", "three-of-a-kind", "straight", "flush", "pair"];
    let with = |names: [&'static str; 6], pays: [i64; 6]| -> BTreeMap<&'static str, (i64, i64)> {
        names.into_iter().zip(pays.map(|pays| (pays, 1))).collect()
    };
    let mut table = match id {
        "UTH" => with(trips, [500, 50, 10, 3, 0, 1]),
        "UTH-01" => with(trips, [50, 40, 30, 9, 7, 4]),
        "UTH-02" => with(trips, [50, 40, 30, 8, 6, 5]),
        "UTH-03" => with(trips, [50, 40, 30, 8, 7, 4]),
        "UTH-04" => with(trips, [50, 40, 20, 7, 6, 5]),
        "UTCP" => with(plus, [100, 20, 10, 2, 1, 0]),
        "UTCP-01" => with(plus, [50, 40, 30, 6, 4, 1]),
        "UTCP-02" => with(plus, [50, 40, 30, 5, 4, 1]),
        "UTCP-03" => with(plus, [50, 40, 30, 6, 3, 1]),
        // On no sheet: a host's custom pay table may be as generous as this.
        "JACKPOT" => with(trips, [10_000; 6]),
        _ => panic!("{id} is on no sheet"),
    };
    match id {
        "UTH" => table.insert("flush", (3, 2)),
        "UTCP" => table.remove("pair"),
        _ if id.starts_with("UTH") => table.insert("three-of-a-kind", (3, 1)),
        _ => None,
    };
    table
}

/// The terms under which a round is settled.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Whether hands have three cards.
    pub three: bool,
    /// Whether the dealer needs a minimum hand to qualify.
    pub qualifying: bool,
    /// The order in which seats are paid.
    pub order: String,
    /// The banker's seat, what they posted, and whether collecting uses it up as well.
    pub banker: Option<(u32, i64, bool)>,
    /// The most that odds pay in one round, in cents.
    pub payout_max: Option<i64>,
    /// The id of the Blind's pay table.
    pub blind: String,
    /// The id of the bonus pay table.
    pub bonus: String,
}

/// A seat as it stands when the dealer's cards are turned.
#[derive(Clone, Debug)]
pub struct Player {
    /// The number of the seat.
    pub seat: u32,
    /// Its cards.
    pub cards: Vec<Card>,
    /// The Ante, in cents.
    pub ante: i64,
    /// The bonus, in cents; zero is none.
    pub bonus: i64,
    /// The Play wager in multiples of the Ante; zero is a fold.
    pub play: i64,
}

/// The outcome of a wager: the amount that went back, its result, and the uncovered amount.
pub type Went = (i64, &'static str, i64);

/// Settles a round. The outcomes are by seat and bet.
pub fn settle(
    terms: &Terms,
    board: &[Card],
    dealer: &[Card],
    players: &[Player],
) -> BTreeMap<(u32, &'static str), Went> {
    let full = |hole: &[Card]| best(&[hole, board].concat());
    let dealer = full(dealer);
    let dealer_name = name(&dealer, terms.three);
    let qualifies =
        !terms.qualifying || dealer_name != "high-card" || (terms.three && dealer.1[0] >= 12);
    let [blind_table, bonus_table] = [&terms.blind, &terms.bonus].map(|id| paytable(id));

    // The net of each wager, in the order in which the documents settle a seat.
    let mut due: Vec<Wager> = Vec::new();
    for player in players {
        let Player { seat, ante, bonus, play, .. } = *player;
        let hand = full(&player.cards);
        let hand_name = name(&hand, terms.three);
        let folded = play == 0;
        let mut say = |bet, stake, net| due.push(Wager { seat, bet, stake, net, folded });
        if folded {
            // Rule 6a: the Ante, the Blind, and a Trips that has lost.
            say("ante", ante, -ante);
            say("blind", ante, -ante);
        } else {
            let (stake, beats) = (play * ante, hand.cmp(&dealer));
            let even = |stake: i64| match beats {
                Ordering::Greater => stake,
                Ordering::Equal => 0,
                Ordering::Less => -stake,
            };
            let odds = blind_table.get(hand_name).map_or(0, |(pays, per)| ante * pays / per);
            let blind = if beats.is_gt() { odds } else { even(ante) };
            if !qualifies {
                // Rule 9: a) the Ante goes back; b) Play, Blind and Trips as usual.
                say("ante", ante, 0);
                say("play", stake, even(stake));
            } else if beats.is_lt() {
                // Rule 12a: "in order, the play, ante and blind".
                say("play", stake, -stake);
                say("ante", ante, -ante);
            } else {
                // Rule 13: a) the Ante and the Play, b) the Blind, c) Trips.
                say("ante", ante, even(ante));
                say("play", stake, even(stake));
            }
            say("blind", ante, blind);
        }
        if bonus > 0 {
            let pays = bonus_table.get(hand_name).map(|(pays, per)| bonus * pays / per);
            say("bonus", bonus, pays.unwrap_or(-bonus));
        }
    }

    // The order of action: clockwise from the banker's left, or from one end of the table.
    let distance = |seat: u32| match (terms.order.as_str(), terms.banker) {
        ("left-of-banker", Some((banker, ..))) => (seat + 8 - banker) % 8,
        ("highest-seat-first", _) => 100 - seat,
        _ => seat,
    };
    due.sort_by_key(|wager| distance(wager.seat));
    match terms.banker {
        Some((_, posted, action)) => from_a_wager(&due, posted, action),
        None => from_the_house(&due, terms.payout_max),
    }
}

/// A wager and its net: minus its stake, zero, or a payoff.
struct Wager {
    seat: u32,
    bet: &'static str,
    stake: i64,
    net: i64,
    folded: bool,
}

/// Settles against a house, which pays everything. An aggregate limit applies to odds, which are
/// the Blind and the bonus; even money, which is the Ante and the Play, is never limited.
fn from_the_house(due: &[Wager], payout_max: Option<i64>) -> BTreeMap<(u32, &'static str), Went> {
    let odds = |wager: &&Wager| (wager.bet == "blind" || wager.bet == "bonus") && wager.net > 0;
    let total: i64 = due.iter().filter(odds).map(|wager| wager.net).sum();
    let most = payout_max.unwrap_or(i64::MAX).min(total);
    // With the amounts of a table, the product stays far below the largest integer.
    let share = |payoff: i64| payoff * most / total;
    let mut cents = most - due.iter().filter(odds).map(|wager| share(wager.net)).sum::<i64>();
    let mut went = BTreeMap::new();
    for wager in due {
        let &Wager { seat, bet, stake, net, .. } = wager;
        let answer = if odds(&wager) {
            let extra = i64::from(cents > 0);
            cents -= extra;
            let paid = share(net) + extra;
            (stake + paid, "win", net - paid)
        } else if net > 0 {
            (stake + net, "win", 0)
        } else if net == 0 {
            (stake, "push", 0)
        } else {
            (0, "lose", 0)
        };
        went.insert((seat, bet), answer);
    }
    went
}

/// Settles against a player/dealer, who collects what folded hands lost, then goes from seat to
/// seat, and stops when the posted wager is used up.
fn from_a_wager(due: &[Wager], posted: i64, action: bool) -> BTreeMap<(u32, &'static str), Went> {
    let mut left = posted;
    let mut went = BTreeMap::new();
    let collected_first = |wager: &&Wager| wager.folded && wager.net < 0;
    let first = due.iter().filter(collected_first);
    let then = due.iter().filter(|wager| !collected_first(wager));
    for &Wager { seat, bet, stake, net, .. } in first.chain(then) {
        let answer = if net == 0 {
            (stake, "push", 0)
        } else if left == 0 {
            (stake, "returned", net.max(0))
        } else if net > 0 {
            let paid = net.min(left);
            left -= paid;
            (stake + paid, "win", net - paid)
        } else if action {
            let taken = stake.min(left);
            left -= taken;
            (stake - taken, "lose", 0)
        } else {
            (0, "lose", 0)
        };
        went.insert((seat, bet), answer);
    }
    went
}
