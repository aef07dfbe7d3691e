//! Cards and boards, reduced to what matters for one suit.
//!
//! The value of a hole on a board depends on ranks alone, unless the board has three of a suit;
//! then it depends on ranks and on which cards are of that suit. So, with one suit marked, a card
//! is of one of 26 *kinds*: thirteen ranks in other suits, then thirteen in the marked one. A hole
//! is of one of 351 pairs of kinds, and its index among them is its *cell*. Where no suit is
//! marked, all cards count as other suits, and the cells of rank pairs are simply the first 91.

/// The number of ranks.
pub(crate) const RANKS: usize = 13;
/// The number of kinds of card.
const CARD_KINDS: usize = 2 * RANKS;
/// Room for all kinds, rounded up so that a masked index needs no check.
pub(crate) const KINDS: usize = CARD_KINDS.next_power_of_two();
/// The number of pairs of ranks, including a rank with itself.
pub(crate) const RANK_PAIRS: usize = 91;
/// The number of pairs of kinds, plus one to pad the row.
pub(crate) const CELLS: usize = 352;

/// The number of sets of two and of three different ranks.
pub(crate) const SETS_OF_2: usize = 78;
pub(crate) const SETS_OF_3: usize = 286;

/// The number of different flops by ranks.
pub(crate) const RANK_FLOPS: usize = 455;
/// The number of lists of five ranks, if a rank could appear five times.
pub(crate) const RANK_BOARDS: usize = 6_188;
/// The number of flops by ranks and by which of their cards are of the marked suit, if any are.
pub(crate) const MARKED_FLOPS: usize = RANKS * RANK_PAIRS + SETS_OF_2 * RANKS + SETS_OF_3;

/// Returns the index of two kinds, the lower one first.
#[inline]
pub(crate) const fn cell(low: usize, high: usize) -> usize {
    high * (high + 1) / 2 + low
}

/// Returns the index of two kinds in either order.
#[inline]
pub(crate) const fn cell_of(one: usize, other: usize) -> usize {
    if one < other { cell(one, other) } else { cell(other, one) }
}

/// The two kinds of each cell, the lower one first.
pub(crate) static KINDS_OF_CELL: [(u8, u8); CELLS] = {
    let mut kinds = [(0, 0); CELLS];
    let mut high = 0_u8;
    while (high as usize) < CARD_KINDS {
        let mut low = 0;
        while low <= high {
            kinds[cell(low as usize, high as usize)] = (low, high);
            low += 1;
        }
        high += 1;
    }
    kinds
};

/// The pair of ranks of each cell.
pub(crate) static RANK_CELL: [u8; CELLS] = {
    let mut cells = [0; CELLS];
    let mut at = 0;
    while at < CELLS {
        let (low, high) = KINDS_OF_CELL[at];
        #[expect(clippy::cast_possible_truncation, reason = "there are 91 pairs of ranks")]
        let rank_cell = cell_of(low as usize % RANKS, high as usize % RANKS) as u8;
        cells[at] = rank_cell;
        at += 1;
    }
    cells
};

/// Returns the binomial coefficient of small numbers.
const fn choose(n: usize, k: usize) -> usize {
    let (mut result, mut at) = (1, 0);
    while at < k {
        result = result * (n - at) / (at + 1);
        at += 1;
    }
    result
}

/// `CHOOSE[k][n]`, for indexes of sets and lists.
static CHOOSE: [[u16; 18]; 6] = {
    let mut table = [[0; 18]; 6];
    let mut k = 0;
    while k < 6 {
        let mut n = k;
        while n < 18 {
            #[expect(clippy::cast_possible_truncation, reason = "17 over 5 is 6,188")]
            let number = choose(n, k) as u16;
            table[k][n] = number;
            n += 1;
        }
        k += 1;
    }
    table
};

/// Returns the index of a set of ranks, as bits, among all sets of its size.
#[inline]
pub(crate) fn set_place(set: u16) -> usize {
    let (mut place, mut left, mut nth) = (0, set, 1);
    while left != 0 {
        place += usize::from(CHOOSE[nth][left.trailing_zeros() as usize]);
        left &= left - 1;
        nth += 1;
    }
    place
}

/// Returns the index of a list of ranks, lowest first, among all lists of its length, in which a
/// rank may be repeated.
#[inline]
pub(crate) fn list_place<const N: usize>(ranks: [u8; N]) -> usize {
    let mut place = 0;
    for (nth, &rank) in ranks.iter().enumerate() {
        place += usize::from(CHOOSE[nth + 1][rank as usize + nth]);
    }
    place
}

/// Returns all sets of a given size of ranks, as bits, by their indexes.
pub(crate) fn sets(size: u32) -> impl Iterator<Item = u16> {
    (0..1_u16 << RANKS).filter(move |set| set.count_ones() == size)
}

/// Returns all sets of three to five ranks, in tasks for threads. Neighbors share ranks, and with
/// them much of the memory they touch, so they go to one thread.
pub(crate) fn suited_sets() -> Vec<Vec<u16>> {
    let sets: Vec<u16> = (3..=5).flat_map(sets).collect();
    sets.chunks(16).map(<[u16]>::to_vec).collect()
}

/// Returns the ranks of a set, lowest first.
pub(crate) fn ranks_of(set: u16) -> impl Iterator<Item = usize> + Clone {
    (0..RANKS).filter(move |rank| set >> rank & 1 == 1)
}

/// Returns all sets of two ranks of a set.
pub(crate) fn pairs_of(set: u16) -> impl Iterator<Item = u16> {
    ranks_of(set).flat_map(move |high| {
        ranks_of(set).take_while(move |&low| low < high).map(move |low| 1 << low | 1 << high)
    })
}

/// Returns the index of a flop with one card of the marked suit and two others.
#[inline]
pub(crate) const fn flop_of_one(suited: usize, others: usize) -> usize {
    suited * RANK_PAIRS + others
}

/// Returns the index of a flop with two cards of the marked suit and one other.
#[inline]
pub(crate) fn flop_of_two(suited: u16, other: usize) -> usize {
    RANKS * RANK_PAIRS + set_place(suited) * RANKS + other
}

/// Returns the index of a flop with three cards of the marked suit.
#[inline]
pub(crate) fn flop_of_three(suited: u16) -> usize {
    RANKS * RANK_PAIRS + SETS_OF_2 * RANKS + set_place(suited)
}

/// How many cards of each kind are left; zero at the unused indexes.
pub(crate) type Left = [u8; KINDS];

/// Returns the number of holes in a cell.
#[inline]
pub(crate) fn holes(left: &Left, at: usize) -> i64 {
    let (low, high) = KINDS_OF_CELL[at];
    let [one, other] = [low, high].map(|kind| i64::from(left[usize::from(kind)]));
    if low == high { one * (one - 1) / 2 } else { one * other }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_dense() {
        for (size, many) in [(2, SETS_OF_2), (3, SETS_OF_3), (4, 715), (5, 1_287)] {
            assert!(sets(size).map(set_place).eq(0..many));
        }
        let mut place = 0;
        for c in 0..13 {
            for b in 0..=c {
                for a in 0..=b {
                    assert_eq!(list_place([a, b, c]), place);
                    place += 1;
                }
            }
        }
        assert_eq!(place, RANK_FLOPS);
        assert_eq!(list_place([12; 5]) + 1, RANK_BOARDS);
        assert_eq!(cell(25, 25) + 1, 351);
        assert_eq!(MARKED_FLOPS, 2_483);
    }
}
