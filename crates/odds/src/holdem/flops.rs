//! The value of every hole on every flop.
//!
//! The value of a hole on a flop, summed over all 1,081 turns and rivers, is a sum over the ranks
//! of turn and river, as if no flush were possible, plus, for each suit on the flop, a sum of the
//! changes due to flushes in that suit: the difference between a board with three or more cards of
//! the suit and the same board without suits.
//!
//! Sums are kept by cells, over all holes of a cell at once, because then how often a board follows
//! a flop does not depend on the hole: the number of holes that the board leaves accounts for the
//! cards they have in common. In the end the sums are divided by the number of holes that the flop
//! leaves.

use std::num::NonZero;
use std::ops::AddAssign;

use croupier_cards::{Card, CardSet, Suit};

use super::boards::{MarkedBoard, MarkedBoards, RankBoard, board_place};
use super::kinds::{
    CELLS, KINDS, KINDS_OF_CELL, Left, MARKED_FLOPS, RANK_CELL, RANK_PAIRS, RANKS, cell_of,
    flop_of_one, flop_of_three, flop_of_two, holes, list_place, pairs_of, ranks_of, sets,
    suited_sets,
};
use super::stakes::{Stakes, Worth};
use super::sweep::sweep;
use crate::parallel::{self, Queue, on_threads};

/// The value of a hole on a flop, summed over turns, rivers and dealer hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FlopValue {
    /// The value of betting twice the ante.
    pub(crate) bet: i64,
    /// The value of checking to the river, and making the best choice there.
    pub(crate) check: i64,
}

impl AddAssign for FlopValue {
    fn add_assign(&mut self, other: Self) {
        self.bet += other.bet;
        self.check += other.check;
    }
}

/// The values of all flops and holes, in their parts, and Play's winnings over all boards.
#[derive(Clone, Debug)]
pub(crate) struct Flops {
    ranks: Vec<[FlopValue; RANK_PAIRS]>,
    marked: Vec<[FlopValue; CELLS]>,
    rank_play: [i64; RANK_PAIRS],
    marked_play: [i64; CELLS],
}

/// One flop, ready to look up holes.
#[derive(Debug)]
pub(crate) struct Flop<'a> {
    ranks: &'a [FlopValue; RANK_PAIRS],
    /// The suits on the flop.
    marked: Vec<(Suit, &'a [FlopValue; CELLS])>,
}

impl Flops {
    /// Sums up the values of all boards.
    pub(crate) fn new(
        rank_boards: &[Option<RankBoard>],
        stakes: &Stakes,
        threads: NonZero<usize>,
    ) -> Self {
        let (marked, marked_play) = match MarkedSums::<i32>::of_all(rank_boards, stakes, threads) {
            Some(sums) => sums.into_values(threads),
            // A pay table with huge payoffs needs wider sums.
            None => MarkedSums::<i64>::of_all(rank_boards, stakes, threads)
                .expect("the stakes are limited so that sums of 64 bits suffice")
                .into_values(threads),
        };
        let (ranks, rank_play) = rank_sums(rank_boards, stakes, threads);
        Self { ranks, marked, rank_play, marked_play }
    }

    /// Returns a flop.
    pub(crate) fn flop(&self, flop: CardSet) -> Flop<'_> {
        let suits = Suit::ALL.into_iter().filter(|&suit| !flop.of_suit(suit).is_empty());
        Flop {
            ranks: &self.ranks[list_place(ranks_in_order(flop))],
            marked: suits.map(|suit| (suit, &self.marked[marked_place(flop, suit)])).collect(),
        }
    }

    /// Returns the winnings of a 1x Play bet with a hole, summed over all boards and dealer hands.
    pub(crate) fn play(&self, one: Card, other: Card) -> i64 {
        let mut play = self.rank_play[rank_cell(one, other)];
        for suit in Suit::ALL {
            play += self.marked_play[marked_cell(one, other, suit)];
        }
        play
    }
}

impl Flop<'_> {
    /// Returns the value of a hole.
    #[inline]
    pub(crate) fn value(&self, one: Card, other: Card) -> FlopValue {
        let mut value = self.ranks[rank_cell(one, other)];
        for &(suit, row) in &self.marked {
            value += row[marked_cell(one, other, suit)];
        }
        value
    }
}

/// Returns the index of a hole by its ranks.
#[inline]
pub(crate) fn rank_cell(one: Card, other: Card) -> usize {
    cell_of(one.rank() as usize, other.rank() as usize)
}

/// Returns the index of a hole with one suit marked.
#[inline]
pub(crate) fn marked_cell(one: Card, other: Card, suit: Suit) -> usize {
    let kind = |card: Card| card.rank() as usize + RANKS * usize::from(card.suit() == suit);
    cell_of(kind(one), kind(other))
}

/// Returns the ranks of three cards, lowest first.
pub(crate) fn ranks_in_order(flop: CardSet) -> [u8; 3] {
    let mut ranks = [0; 3];
    for (place, card) in ranks.iter_mut().zip(flop) {
        *place = card.rank() as u8;
    }
    ranks.sort_unstable();
    ranks
}

/// Returns the index of a flop with one suit marked, which must be on it.
pub(crate) fn marked_place(flop: CardSet, suit: Suit) -> usize {
    let suited = flop.ranks_in(suit);
    let mut others = (flop - flop.of_suit(suit)).into_iter().map(|card| card.rank() as usize);
    match (others.next(), others.next()) {
        (None, _) => flop_of_three(suited),
        (Some(other), None) => flop_of_two(suited, other),
        (Some(one), Some(other)) => {
            flop_of_one(suited.trailing_zeros() as usize, cell_of(one, other))
        }
    }
}

/// An integer of a certain width.
trait Number: Copy + Default + Send + Sync + Into<i64> {
    /// Returns the number, which must fit.
    fn of(number: i64) -> Self;

    /// Adds a number several times, wrapping around; overflow is checked elsewhere.
    fn add_times(&mut self, other: Self, times: Self);

    /// Returns a number that is at least as far from zero as both, and not negative.
    fn or(self, other: Self) -> Self;

    /// Tells whether numbers up to this one fit.
    fn fits(largest: i64) -> bool;
}

macro_rules! number {
    ($number:ty) => {
        impl Number for $number {
            #[inline]
            #[expect(clippy::allow_attributes, reason = "only one of the two widths truncates")]
            #[allow(clippy::cast_possible_truncation, reason = "the caller checked the range")]
            fn of(number: i64) -> Self {
                number as Self
            }

            #[inline]
            fn add_times(&mut self, other: Self, times: Self) {
                *self = self.wrapping_add(other.wrapping_mul(times));
            }

            #[inline]
            fn or(self, other: Self) -> Self {
                // The complement of a negative number is closer to zero by one.
                self | (other ^ (other >> (Self::BITS - 1)))
            }

            fn fits(largest: i64) -> bool {
                Self::try_from(largest).is_ok()
            }
        }
    };
}

number!(i32);
number!(i64);

/// The values of pairs of ranks on a board without suits: betting twice the ante, checking to the
/// river, and 1x on Play. It is read so often that it is kept small.
type Plain<N> = [[N; 3]; RANK_PAIRS];

fn plain<N: Number>(board: Option<&RankBoard>, stakes: &Stakes) -> Plain<N> {
    let numbers = |worth: Worth| [worth.bet(2), stakes.river(worth), worth.play].map(N::of);
    board.map_or([[N::default(); 3]; RANK_PAIRS], |board| board.worth.map(numbers))
}

/// Sums for all holes of each cell.
#[derive(Clone, Debug)]
struct Row<N> {
    bet: [N; CELLS],
    check: [N; CELLS],
    /// No sum is further from zero.
    largest: i64,
}

impl<N: Number> Row<N> {
    fn new() -> Self {
        Self { bet: [N::default(); CELLS], check: [N::default(); CELLS], largest: 0 }
    }

    fn find_largest(&mut self) {
        let largest = |sums: &[N; CELLS]| sums.iter().fold(N::default(), |most, sum| most.or(*sum));
        self.largest = largest(&self.bet).into().max(largest(&self.check).into()) + 1;
    }

    #[inline]
    fn add<const TIMES: i64>(&mut self, other: &Self) {
        for (sums, others) in [(&mut self.bet, &other.bet), (&mut self.check, &other.check)] {
            for (sum, &other) in sums.iter_mut().zip(others) {
                sum.add_times(other, N::of(TIMES));
            }
        }
        self.largest = self.largest.saturating_add(other.largest.saturating_mul(TIMES));
    }
}

/// The changes that boards with a possible flush make to each flop.
struct MarkedSums<N> {
    flops: Vec<Row<N>>,
    play: [i64; CELLS],
}

impl<N: Number> MarkedSums<N> {
    /// Sums up all boards, unless the numbers have too few bits.
    fn of_all(
        rank_boards: &[Option<RankBoard>],
        stakes: &Stakes,
        threads: NonZero<usize>,
    ) -> Option<Self> {
        let largest = stakes.largest();
        if !N::fits(largest) {
            return None;
        }
        let plain: Vec<Plain<N>> =
            rank_boards.iter().map(|board| plain(board.as_ref(), stakes)).collect();
        let suits = suited_sets();
        let queue = Queue::new(&suits);
        let parts = on_threads(threads, || {
            let mut sums = Self { flops: vec![Row::new(); MARKED_FLOPS], play: [0; CELLS] };
            while let Some((_, sets)) = queue.next() {
                for &suited in sets {
                    sums.add_boards(suited, rank_boards, &plain, stakes);
                }
            }
            sums
        });
        let join = |mut sums: Self, part: Self| {
            for (sum, part) in sums.flops.iter_mut().zip(&part.flops) {
                sum.add::<1>(part);
            }
            for (sum, part) in sums.play.iter_mut().zip(part.play) {
                *sum += part;
            }
            sums
        };
        let sums = parts.reduce(join).expect("there is at least one thread");
        sums.flops.iter().all(|row| N::fits(row.largest)).then_some(sums)
    }

    /// Adds all boards with exactly these cards of the marked suit.
    fn add_boards(
        &mut self,
        suited: u16,
        rank_boards: &[Option<RankBoard>],
        plain: &[Plain<N>],
        stakes: &Stakes,
    ) {
        let mut boards = MarkedBoards::new(suited);
        let play = &mut self.play;
        let mut row_of = |others: &[u8]| {
            let board = boards.board(others, rank_boards);
            row_of_board(&board, &plain[board.place], stakes, play)
        };
        let flops = &mut self.flops;
        match suited.count_ones() {
            3 => {
                // Indexed by one of the other two cards, over all values of the second.
                let mut by_other = vec![Row::new(); RANKS];
                for (pair, &(low, high)) in KINDS_OF_CELL[..RANK_PAIRS].iter().enumerate() {
                    let row = row_of(&[low, high]);
                    for rank in ranks_of(suited) {
                        flops[flop_of_one(rank, pair)].add::<1>(&row);
                    }
                    if low == high {
                        by_other[usize::from(low)].add::<2>(&row);
                    } else {
                        by_other[usize::from(low)].add::<3>(&row);
                        by_other[usize::from(high)].add::<3>(&row);
                    }
                }
                let mut both = Row::new();
                for (other, row) in by_other.iter().enumerate() {
                    for turned in ranks_of(suited) {
                        flops[flop_of_two(suited & !(1 << turned), other)].add::<1>(row);
                    }
                    both.add::<1>(row);
                }
                // Two different cards were counted three times from either side instead of nine
                // times, two alike twice instead of three times.
                halve(&mut both);
                flops[flop_of_three(suited)].add::<3>(&both);
            }
            4 => {
                let mut all = Row::new();
                for other in 0..13_u8 {
                    let row = row_of(&[other]);
                    all.add::<3>(&row);
                    for turned in pairs_of(suited) {
                        flops[flop_of_two(suited & !turned, usize::from(other))].add::<1>(&row);
                    }
                }
                for turned in ranks_of(suited) {
                    flops[flop_of_three(suited & !(1 << turned))].add::<1>(&all);
                }
            }
            _ => {
                let row = row_of(&[]);
                for turned in pairs_of(suited) {
                    flops[flop_of_three(suited & !turned)].add::<1>(&row);
                }
            }
        }
    }

    /// Divides the sums among the holes.
    fn into_values(self, threads: NonZero<usize>) -> (Vec<[FlopValue; CELLS]>, [i64; CELLS]) {
        let mut left = vec![[0; KINDS]; MARKED_FLOPS];
        each_marked_flop(|flop, cards| left[flop] = *cards);
        let mut values = vec![[FlopValue::default(); CELLS]; MARKED_FLOPS];
        parallel::fill(threads, &mut values, |flop, values| {
            let row = &self.flops[flop];
            for (at, value) in values.iter_mut().enumerate() {
                *value = FlopValue { bet: row.bet[at].into(), check: row.check[at].into() };
            }
            // The cell that pads the row has nothing to divide.
            share_among(&left[flop], values);
        });
        let mut play = self.play;
        // A fresh deck, with one suit marked.
        let mut left = [0; KINDS];
        left[..RANKS].fill(3);
        left[RANKS..2 * RANKS].fill(1);
        for (at, play) in play.iter_mut().enumerate() {
            *play = quotient(*play, holes(&left, at));
        }
        (values, play)
    }
}

/// Returns the changes that a board makes, compared with the same board without suits.
fn row_of_board<N: Number>(
    board: &MarkedBoard<'_>,
    plain: &Plain<N>,
    stakes: &Stakes,
    play: &mut [i64; CELLS],
) -> Row<N> {
    let mut row = Row::new();
    sweep(&board.left, board.order, stakes.qualifying, |holding, category, counts| {
        let at = holding.cell() % CELLS;
        let worth = stakes.worth(category, counts);
        let [plain_bet, plain_check, plain_play] =
            plain[usize::from(RANK_CELL[at]) % RANK_PAIRS].map(Into::into);
        let holes = holding.holes();
        row.bet[at] = N::of(holes * (worth.bet(2) - plain_bet));
        row.check[at] = N::of(holes * (stakes.river(worth) - plain_check));
        play[at] += board.many * holes * (worth.play - plain_play);
    });
    row.find_largest();
    row
}

fn halve<N: Number>(row: &mut Row<N>) {
    for sum in row.bet.iter_mut().chain(&mut row.check) {
        *sum = N::of(quotient((*sum).into(), 2));
    }
    row.largest /= 2;
}

/// Divides numbers that must divide evenly. A divisor of zero gives zero.
fn quotient(number: i64, divisor: i64) -> i64 {
    if divisor == 0 {
        return 0;
    }
    debug_assert_eq!(number % divisor, 0, "{number} over {divisor} holes");
    number / divisor
}

/// Calls `each` with the index of every flop with one suit marked, and the cards that it leaves.
pub(crate) fn each_marked_flop(mut each: impl FnMut(usize, &Left)) {
    let mut call = |flop: usize, suited: u16, others: &[u8]| {
        let mut left = [0; KINDS];
        for rank in 0..RANKS {
            left[rank] = 3;
            left[RANKS + rank] = u8::from(suited >> rank & 1 == 0);
        }
        for &rank in others {
            left[usize::from(rank)] -= 1;
        }
        each(flop, &left);
    };
    for suited in sets(1) {
        for (pair, &(low, high)) in KINDS_OF_CELL[..RANK_PAIRS].iter().enumerate() {
            call(flop_of_one(suited.trailing_zeros() as usize, pair), suited, &[low, high]);
        }
    }
    for suited in sets(2) {
        for other in 0..13_u8 {
            call(flop_of_two(suited, usize::from(other)), suited, &[other]);
        }
    }
    for suited in sets(3) {
        call(flop_of_three(suited), suited, &[]);
    }
}

fn share_among(left: &Left, values: &mut [FlopValue]) {
    for (at, value) in values.iter_mut().enumerate() {
        let holes = holes(left, at);
        value.bet = quotient(value.bet, holes);
        value.check = quotient(value.check, holes);
    }
}

/// Sums up the boards that follow each flop by ranks, and Play's winnings over all of them.
fn rank_sums(
    rank_boards: &[Option<RankBoard>],
    stakes: &Stakes,
    threads: NonZero<usize>,
) -> (Vec<[FlopValue; RANK_PAIRS]>, [i64; RANK_PAIRS]) {
    let mut fresh: Left = [0; KINDS];
    fresh[..RANKS].fill(4);
    let flops: Vec<[u8; 3]> = rank_flops().collect();
    let values = parallel::map(threads, &flops, |&[a, b, c]| {
        let mut left = fresh;
        for rank in [a, b, c] {
            left[usize::from(rank)] -= 1;
        }
        let mut values = [FlopValue::default(); RANK_PAIRS];
        for (pair, &(low, high)) in KINDS_OF_CELL[..RANK_PAIRS].iter().enumerate() {
            let ways = holes(&left, pair);
            let board = &rank_boards[board_place([a, b, c, low, high])];
            let Some(board) = board else { continue };
            for holding in board.holdings() {
                let (at, times) = (holding.cell(), ways * holding.holes());
                values[at].bet += times * board.worth[at].bet(2);
                values[at].check += times * stakes.river(board.worth[at]);
            }
        }
        share_among(&left, &mut values);
        values
    });
    let mut play = [0; RANK_PAIRS];
    for board in rank_boards.iter().flatten() {
        let boards = board.many();
        for holding in board.holdings() {
            let at = holding.cell();
            play[at] += boards * holding.holes() * board.worth[at].play;
        }
    }
    for (at, play) in play.iter_mut().enumerate() {
        *play = quotient(*play, holes(&fresh, at));
    }
    (values, play)
}

/// Returns the ranks of all flops, lowest first, by their indexes.
pub(crate) fn rank_flops() -> impl Iterator<Item = [u8; 3]> {
    (0..13).flat_map(|c| (0..=c).flat_map(move |b| (0..=b).map(move |a| [a, b, c])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sum_is_further_from_zero_than_the_largest_of_its_row() {
        for sum in [0, 1, -1, 7, 8, -8, i32::MAX, i32::MIN] {
            for bet in [true, false] {
                let mut row = Row::new();
                *(if bet { &mut row.bet[5] } else { &mut row.check[5] }) = sum;
                row.find_largest();
                let beyond = row.largest - i64::from(sum).abs();
                assert!((0..=1).contains(&beyond), "{sum}: {}", row.largest);
            }
        }
    }

    #[test]
    fn the_largest_of_a_row_grows_and_shrinks_with_its_sums() {
        let (mut row, mut sums) = (Row::<i32>::new(), Row::new());
        (row.bet[0], row.check[1]) = (-8, 6);
        row.find_largest();
        sums.add::<3>(&row);
        sums.add::<1>(&row);
        assert_eq!((sums.bet[0], sums.check[1], sums.largest), (-32, 24, 32));
        halve(&mut sums);
        assert_eq!((sums.bet[0], sums.check[1], sums.largest), (-16, 12, 16));
    }
}
