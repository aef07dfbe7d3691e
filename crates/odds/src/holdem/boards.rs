//! All boards that differ in a way that matters.
//!
//! There are 6,175 boards by ranks, and, with at least three cards of the marked suit, 36,608 by
//! ranks and by which of their cards are of that suit.

use croupier_cards::{Five, Rank, Ranks};

use super::kinds::{CELLS, KINDS, KINDS_OF_CELL, Left, RANK_PAIRS, RANKS, list_place, ranks_of};
use super::stakes::{Stakes, Worth};
use super::sweep::{Counts, Holding, sweep};

/// A board of which only the ranks matter.
#[derive(Clone, Debug)]
pub(crate) struct RankBoard {
    /// How many cards of each rank are left.
    pub(crate) left: Left,
    /// The pairs of ranks that are left, from the weakest to the strongest, with their strengths.
    pub(crate) order: Vec<(Five, u8, u8)>,
    /// The counts for each pair of ranks.
    pub(crate) counts: [Counts; RANK_PAIRS],
    pub(crate) worth: [Worth; RANK_PAIRS],
}

impl RankBoard {
    /// Returns the board with these ranks, if there is one.
    pub(crate) fn new(ranks: [u8; 5], stakes: &Stakes) -> Option<Self> {
        let mut left = [0; KINDS];
        left[..RANKS].fill(4_u8);
        for rank in ranks {
            let left = &mut left[usize::from(rank)];
            *left = left.checked_sub(1)?;
        }
        let on_board: Ranks = ranks.into_iter().map(rank).collect();
        let mut order = Vec::with_capacity(RANK_PAIRS);
        for &(low, high) in &KINDS_OF_CELL[..RANK_PAIRS] {
            let enough = left[usize::from(low)] > u8::from(low == high);
            if enough && left[usize::from(high)] > 0 {
                let five = (on_board + rank(low) + rank(high)).five();
                order.push((five, low, high));
            }
        }
        order.sort_unstable();
        let mut counts = [Counts::default(); RANK_PAIRS];
        let mut worth = [Worth::default(); RANK_PAIRS];
        let holdings: Vec<Holding> =
            order.iter().map(|&(five, low, high)| Holding::new(five, low, high, &left)).collect();
        sweep(&left, &holdings, stakes.qualifying, |holding, category, found| {
            counts[holding.cell()] = found;
            worth[holding.cell()] = stakes.worth(category, found);
        });
        Some(Self { left, order, counts, worth })
    }

    /// Returns the pairs of ranks that are left, from the weakest to the strongest.
    pub(crate) fn holdings(&self) -> impl Iterator<Item = Holding> {
        self.order.iter().map(|&(five, low, high)| Holding::new(five, low, high, &self.left))
    }

    /// Returns the number of boards with these ranks.
    pub(crate) fn many(&self) -> i64 {
        let ways = |&left: &u8| [1, 4, 6, 4, 1][usize::from(left)];
        self.left[..RANKS].iter().map(ways).product()
    }
}

fn rank(number: u8) -> Rank {
    Rank::ALL[usize::from(number)]
}

/// Returns all lists of five ranks, lowest first, by their indexes. A rank may appear five times.
pub(crate) fn rank_lists() -> impl Iterator<Item = [u8; 5]> {
    (0..13).flat_map(|e| {
        (0..=e).flat_map(move |d| {
            (0..=d)
                .flat_map(move |c| (0..=c).flat_map(move |b| (0..=b).map(move |a| [a, b, c, d, e])))
        })
    })
}

/// Returns the index of a board with these ranks, in any order.
pub(crate) fn board_place(mut ranks: [u8; 5]) -> usize {
    ranks.sort_unstable();
    list_place(ranks)
}

/// All boards with exactly these cards of the marked suit, at least three.
#[derive(Debug)]
pub(crate) struct MarkedBoards {
    /// The ranks in the suit, as bits.
    suited: u16,
    /// The holes that make a flush, from the weakest to the strongest. The other cards on the board
    /// make no difference to them.
    flushes: Vec<(Five, u8, u8)>,
    /// A buffer for the holes of a board, reused for each.
    order: Box<[Holding; ROOM]>,
    holes: usize,
}

/// Room for all cells, rounded up so that a masked index needs no check.
const ROOM: usize = CELLS.next_power_of_two();

/// One of these boards.
#[derive(Debug)]
pub(crate) struct MarkedBoard<'a> {
    /// How many cards of each kind are left.
    pub(crate) left: Left,
    /// How many boards are like this one, for a given marked suit.
    pub(crate) many: i64,
    /// The index of the same board without its suits.
    pub(crate) place: usize,
    /// Its ranks, lowest first.
    pub(crate) list: [u8; 5],
    /// All holes, from the weakest to the strongest.
    pub(crate) order: &'a [Holding],
}

impl MarkedBoards {
    pub(crate) fn new(suited: u16) -> Self {
        let mut flushes = Vec::with_capacity(CELLS);
        for &(low, high) in &KINDS_OF_CELL[..CELLS - 1] {
            let [one, other] = [low, high].map(suit_bit);
            let twice = one == other && one != 0;
            let all = suited | one | other;
            if !twice && suited & (one | other) == 0 && all.count_ones() >= 5 {
                flushes.push((Five::suited(all), low, high));
            }
        }
        flushes.sort_unstable();
        let (five, low, high) = flushes[0];
        let order = Box::new([Holding::new(five, low, high, &[0; KINDS]); ROOM]);
        Self { suited, flushes, order, holes: 0 }
    }

    /// Returns the ranks in the marked suit, as bits.
    pub(crate) const fn suited(&self) -> u16 {
        self.suited
    }

    /// Returns the board with these ranks in other suits, lowest first: two, one or none.
    pub(crate) fn board<'a>(
        &'a mut self,
        others: &[u8],
        rank_boards: &'a [Option<RankBoard>],
    ) -> MarkedBoard<'a> {
        let mut ranks = [0; 5];
        let (off_suit, in_suit) = ranks.split_at_mut(others.len());
        off_suit.copy_from_slice(others);
        for (place, rank) in in_suit.iter_mut().zip(ranks_of(self.suited)) {
            *place = u8::try_from(rank).expect("a rank is below 13");
        }
        ranks.sort_unstable();
        let (place, list) = (list_place(ranks), ranks);
        let ranks = rank_boards[place].as_ref().expect("no rank is there five times");

        let mut left = [0; KINDS];
        for rank in 0..RANKS {
            left[rank] = 3;
            left[RANKS + rank] = u8::from(self.suited >> rank & 1 == 0);
        }
        for &rank in others {
            left[usize::from(rank)] -= 1;
        }
        let many = match others {
            [one, other] if one == other => 3,
            [_, _] => 9,
            [_] => 3,
            _ => 1,
        };
        self.put_in_order(others.len(), &left, &ranks.order);
        MarkedBoard { left, many, place, list, order: &self.order[..self.holes] }
    }

    /// Merges the holes without a flush, whose strength depends on their ranks alone, with those
    /// that have one.
    fn put_in_order(&mut self, others: usize, left: &Left, by_rank: &[(Five, u8, u8)]) {
        let (order, mut many) = (&mut self.order, 0);
        let mut flushes = self.flushes.iter().peekable();
        // Cells with no hole left are written, too, and then overwritten: that is faster than
        // checking.
        let mut push = |five: Five, low: u8, high: u8| {
            let holding = Holding::new(five, low, high, left);
            order[many % ROOM] = holding;
            many += usize::from(holding.holes > 0);
        };
        for &(five, low, high) in by_rank {
            while let Some(&(flush, low, high)) = flushes.next_if(|(flush, ..)| *flush < five) {
                push(flush, low, high);
            }
            // With five in the suit every hole has a flush; with four, every hole with a card in
            // the suit; with three, a hole can have one card in it without a flush.
            if others == 2 {
                push(five, low, in_suit(high));
                if low != high {
                    push(five, high, in_suit(low));
                }
            }
            if others > 0 {
                push(five, low, high);
            }
        }
        for &(flush, low, high) in flushes {
            push(flush, low, high);
        }
        self.holes = many;
    }
}

/// Returns the kind of a rank in the marked suit.
const fn in_suit(rank: u8) -> u8 {
    rank + 13
}

/// Returns the bit of a kind's rank if it is in the marked suit.
fn suit_bit(kind: u8) -> u16 {
    usize::from(kind).checked_sub(RANKS).map_or(0, |rank| 1 << rank)
}
