//! The number of deals for every outcome.
//!
//! The same counting as for the values, transposed: the choices on all flops give how often each
//! board is reached with each hole and with each bet; that is multiplied by the counts from the
//! sweep of that board. Again boards are first taken without suits, and the changes due to flushes
//! are added for each suit.

use std::num::NonZero;

use croupier_cards::{Card, Category, Five, Suit};

use super::boards::{MarkedBoards, RankBoard, rank_lists};
use super::flops::{
    each_marked_flop, marked_cell, marked_place, rank_cell, rank_flops, ranks_in_order,
};
use super::kinds::{
    CELLS, KINDS, KINDS_OF_CELL, Left, MARKED_FLOPS, RANK_BOARDS, RANK_CELL, RANK_FLOPS,
    RANK_PAIRS, RANKS, cell_of, flop_of_one, flop_of_three, flop_of_two, holes, list_place,
    pairs_of, ranks_of, suited_sets,
};
use super::policy::{FlopChoice, Policy, RiverChoice, RiverSpot};
use super::sweep::{Counts, DEALER_HANDS, sweep};
use crate::cost::RuleTally;
use crate::hole_kind::HoleKind;
use crate::parallel::{self, Queue, on_threads};

/// How often hands of a category were reached, and their results, summed over the dealer's hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reached {
    times: i64,
    wins: i64,
    ties: i64,
    unqualified: i64,
}

impl Reached {
    #[inline]
    fn add(&mut self, times: i64, counts: Counts) {
        self.times += times;
        self.wins += times * i64::from(counts.wins);
        self.ties += times * i64::from(counts.ties);
        self.unqualified += times * i64::from(counts.unqualified);
    }

    /// Returns how often hands of the category won, tied and lost, each against dealers that
    /// qualify and against those that don't.
    pub(crate) fn results(self, category: Category, qualifying: bool) -> [[i64; 2]; 3] {
        let Self { times, wins, ties, unqualified } = self;
        let all = times * i64::from(DEALER_HANDS);
        if qualifying && category == Category::HighCard {
            [[0, wins], [0, ties], [all - unqualified, unqualified - wins - ties]]
        } else {
            [[wins - unqualified, unqualified], [ties, 0], [all - wins - ties, 0]]
        }
    }
}

/// How often each action was reached, by category. The actions are the bets before the flop in the
/// order of the policy's raises, then the bets on the flop and on the river, then the fold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcomes {
    pub(crate) by_action: Vec<[Reached; Five::CATEGORIES.len()]>,
    /// How often each rule decided on the river, and its loss over the dealer's hands.
    pub(crate) rules: RuleTally,
}

/// The number of ways to see three of the five cards first.
const FLOPS_OF_A_BOARD: i32 = 10;

/// A multiple of every possible number of holes in a cell. Counts are scaled by it, and divided
/// among the holes in the end.
const SHARE: i32 = 144;

impl Outcomes {
    /// Counts every outcome under a policy.
    pub(crate) fn new<R: Fn(&RiverSpot<'_>) -> RiverChoice + Sync>(
        rank_boards: &[Option<RankBoard>],
        policy: &Policy<'_, R>,
        threads: NonZero<usize>,
    ) -> Self {
        let used = |raise: usize| policy.before_flop.contains(&Some(raise));
        let counting = Counting {
            raises_used: (0..policy.raises.len()).map(used).collect(),
            rank_boards,
            policy,
            bets: FlopBets::new(policy, threads),
            rank_holes: shares(policy, rank_cell),
            marked_holes: shares(policy, |one, other| marked_cell(one, other, Suit::Spades)),
        };
        let suits = suited_sets();
        let queue = Queue::new(&suits);
        let parts = on_threads(threads, || {
            let mut tally = Tally::new(policy.raises.len());
            while let Some((_, sets)) = queue.next() {
                for &suited in sets {
                    match suited.count_ones() {
                        3 => counting.add_boards_of_three(suited, &mut tally),
                        4 => counting.add_boards_of_four(suited, &mut tally),
                        _ => counting.add_board_of_five(suited, &mut tally),
                    }
                }
            }
            tally
        });
        let Tally { outcomes, taken } = parts.reduce(Tally::join).expect("at least one thread");
        let lists: Vec<(usize, [u8; 5])> = rank_lists().enumerate().collect();
        let chunks: Vec<_> = lists.chunks(100).collect();
        let parts = parallel::map(threads, &chunks, |chunk| {
            let mut outcomes = Self::new_empty(policy.raises.len());
            for &(place, ranks) in *chunk {
                counting.add_rank_board(place, ranks, &taken[place], &mut outcomes);
            }
            outcomes
        });
        parts.iter().fold(outcomes, Self::join).shared_out()
    }

    fn new_empty(raises: usize) -> Self {
        Self {
            by_action: vec![[Reached::default(); Five::CATEGORIES.len()]; raises + 3],
            rules: RuleTally::default(),
        }
    }

    fn join(mut self, other: &Self) -> Self {
        self.rules.join(&other.rules);
        let others = other.by_action.iter().flatten();
        for (sum, other) in self.by_action.iter_mut().flatten().zip(others) {
            sum.times += other.times;
            sum.wins += other.wins;
            sum.ties += other.ties;
            sum.unqualified += other.unqualified;
        }
        self
    }

    fn shared_out(mut self) -> Self {
        for Reached { times, wins, ties, unqualified } in self.by_action.iter_mut().flatten() {
            for sum in [times, wins, ties, unqualified] {
                debug_assert_eq!(*sum % i64::from(SHARE), 0, "every hole was counted equally");
                *sum /= i64::from(SHARE);
            }
        }
        for (times, lost) in &mut self.rules.0 {
            *times /= i128::from(SHARE);
            *lost /= i128::from(SHARE);
        }
        self
    }
}

/// Returns for each action before the flop, the last one being a check, how many of the holes in
/// each cell take it, divided among the holes in a fresh deck.
fn shares<R>(policy: &Policy<'_, R>, cell: impl Fn(Card, Card) -> usize) -> Vec<[i32; CELLS]> {
    let mut taken = vec![[0; CELLS]; policy.raises.len() + 1];
    let mut all = [0; CELLS];
    for (number, &one) in Card::ALL.iter().enumerate() {
        for &other in &Card::ALL[..number] {
            let choice = policy.before_flop[HoleKind::of(one, other).number()];
            let at = cell(one, other);
            taken[choice.unwrap_or(policy.raises.len())][at] += 1;
            all[at] += 1;
        }
    }
    for taken in &mut taken {
        for (taken, all) in taken.iter_mut().zip(&all).filter(|(_, all)| **all > 0) {
            *taken *= SHARE / all;
        }
    }
    taken
}

/// How often holes bet on each flop, divided among those that the flop leaves in a cell.
struct FlopBets {
    ranks: Vec<[i32; RANK_PAIRS]>,
    marked: Vec<[i32; CELLS]>,
}

impl FlopBets {
    fn new<R: Sync>(policy: &Policy<'_, R>, threads: NonZero<usize>) -> Self {
        let queue = Queue::new(policy.flops);
        let parts = on_threads(threads, || {
            let mut bets = Self {
                ranks: vec![[0; RANK_PAIRS]; RANK_FLOPS],
                marked: vec![[0; CELLS]; MARKED_FLOPS],
            };
            while let Some((_, choice)) = queue.next() {
                bets.add(choice, policy);
            }
            bets
        });
        let join = |mut sum: Self, part: Self| {
            let parts = part.ranks.iter().flatten().chain(part.marked.iter().flatten());
            let sums = sum.ranks.iter_mut().flatten().chain(sum.marked.iter_mut().flatten());
            for (sum, part) in sums.zip(parts) {
                *sum += part;
            }
            sum
        };
        let Self { mut ranks, mut marked } = parts.reduce(join).expect("at least one thread");
        for (flop, bets) in rank_flops().zip(&mut ranks) {
            share(&rank_left(&flop), bets);
        }
        each_marked_flop(|place, left| share(left, &mut marked[place]));
        Self { ranks, marked }
    }

    /// Adds the bets on one flop.
    fn add<R>(&mut self, choice: &FlopChoice, policy: &Policy<'_, R>) {
        let flop = choice.flop;
        let by_rank = &mut self.ranks[list_place(ranks_in_order(flop))];
        let suits = Suit::ALL.into_iter().filter(|&suit| !flop.of_suit(suit).is_empty());
        let suits: Vec<_> = suits.map(|suit| (suit, marked_place(flop, suit))).collect();
        for (one, other) in choice.bets() {
            if policy.before_flop[HoleKind::of(one, other).number()].is_none() {
                by_rank[rank_cell(one, other)] += choice.multiplicity;
                for &(suit, place) in &suits {
                    self.marked[place][marked_cell(one, other, suit)] += choice.multiplicity;
                }
            }
        }
    }
}

fn share(left: &Left, bets: &mut [i32]) {
    for (at, bets) in bets.iter_mut().enumerate() {
        if let Ok(holes @ 1..) = i32::try_from(holes(left, at)) {
            *bets *= SHARE / holes;
        }
    }
}

/// Returns how many cards of each rank are left without these.
fn rank_left(ranks: &[u8]) -> Left {
    let mut left = [0; KINDS];
    left[..RANKS].fill(4);
    for &rank in ranks {
        left[usize::from(rank)] -= 1;
    }
    left
}

/// How often the holes of a cell reach a board, having bet on the flop or not at all yet.
#[derive(Clone, Copy, Debug, Default)]
struct Reach {
    bet: i64,
    check: i64,
}

/// The counts of one thread.
struct Tally {
    outcomes: Outcomes,
    /// The counts that boards with a possible flush have taken over, by the same boards without
    /// suits.
    taken: Vec<Taken>,
}

/// How often pairs of ranks were reached on boards with a possible flush: by action before the
/// flop, the check being the last, and by bets on the flop after that.
type Taken = Vec<[i32; RANK_PAIRS]>;

impl Tally {
    fn new(raises: usize) -> Self {
        let taken = vec![vec![[0; RANK_PAIRS]; raises + 2]; RANK_BOARDS];
        Self { outcomes: Outcomes::new_empty(raises), taken }
    }

    #[expect(clippy::needless_pass_by_value, reason = "it is the function of a fold")]
    fn join(mut self, other: Self) -> Self {
        let others = other.taken.iter().flatten().flatten();
        for (sum, other) in self.taken.iter_mut().flatten().flatten().zip(others) {
            *sum += other;
        }
        Self { outcomes: self.outcomes.join(&other.outcomes), ..self }
    }
}

struct Counting<'a, R> {
    /// Whether any hole makes each raise.
    raises_used: Vec<bool>,
    rank_boards: &'a [Option<RankBoard>],
    policy: &'a Policy<'a, R>,
    bets: FlopBets,
    rank_holes: Vec<[i32; CELLS]>,
    marked_holes: Vec<[i32; CELLS]>,
}

impl<R: Fn(&RiverSpot<'_>) -> RiverChoice> Counting<'_, R> {
    /// Adds a board without suits, minus the counts that boards with a possible flush have taken
    /// over.
    fn add_rank_board(&self, place: usize, ranks: [u8; 5], taken: &Taken, outcomes: &mut Outcomes) {
        let Some(board) = &self.rank_boards[place] else { return };
        let raises = self.policy.raises.len();
        let bets = self.bets_on(ranks);
        let boards = board.many() * i64::from(FLOPS_OF_A_BOARD);
        for holding in board.holdings() {
            let (at, holes) = (holding.cell(), holding.holes());
            let (category, counts) = (holding.five.category(), board.counts[at]);
            let reach = |action: usize| {
                let all = holes * boards * i64::from(self.rank_holes[action][at]);
                all - i64::from(taken[action][at])
            };
            for action in 0..raises {
                outcomes.by_action[action][category as usize].add(reach(action), counts);
            }
            let bet = holes * i64::from(bets[at]) - i64::from(taken[raises + 1][at]);
            let reach = Reach { bet, check: reach(raises) - bet };
            let spot = RiverSpot { suited: 0, ranks: &ranks, holding, counts };
            self.add(outcomes, category, reach, &spot);
        }
    }

    /// Returns how often holes bet on the flops of a board without suits.
    fn bets_on(&self, ranks: [u8; 5]) -> [i32; RANK_PAIRS] {
        let mut bets = [0; RANK_PAIRS];
        for (flop, turned) in splits(ranks) {
            let turned = cell_of(usize::from(turned[0]), usize::from(turned[1]));
            let ways = i32::try_from(holes(&rank_left(&flop), turned)).expect("at most sixteen");
            for (sum, more) in bets.iter_mut().zip(&self.bets.ranks[list_place(flop)]) {
                *sum += ways * more;
            }
        }
        bets
    }

    fn add_boards_of_three(&self, suited: u16, tally: &mut Tally) {
        let (mut boards, bets) = (MarkedBoards::new(suited), &self.bets.marked);
        let by_other: Vec<_> = (0..RANKS)
            .map(|other| {
                let without = |turned: usize| flop_of_two(suited & !(1 << turned), other);
                sum(ranks_of(suited).map(|turned| &bets[without(turned)]))
            })
            .collect();
        for (pair, &(low, high)) in KINDS_OF_CELL[..RANK_PAIRS].iter().enumerate() {
            let mut row = sum(ranks_of(suited).map(|rank| &bets[flop_of_one(rank, pair)]));
            let [one, other] = [low, high].map(|rank| &by_other[usize::from(rank)]);
            if low == high {
                add::<2>(&mut row, one);
                add::<3>(&mut row, &bets[flop_of_three(suited)]);
            } else {
                add::<3>(&mut row, one);
                add::<3>(&mut row, other);
                add::<9>(&mut row, &bets[flop_of_three(suited)]);
            }
            self.add_board(&mut boards, &[low, high], &row, tally);
        }
    }

    fn add_boards_of_four(&self, suited: u16, tally: &mut Tally) {
        let (mut boards, bets) = (MarkedBoards::new(suited), &self.bets.marked);
        let without = |turned: usize| flop_of_three(suited & !(1 << turned));
        let threes = sum(ranks_of(suited).map(|turned| &bets[without(turned)]));
        for other in 0..13_u8 {
            let without = |turned: u16| flop_of_two(suited & !turned, usize::from(other));
            let mut row = sum(pairs_of(suited).map(|turned| &bets[without(turned)]));
            add::<3>(&mut row, &threes);
            self.add_board(&mut boards, &[other], &row, tally);
        }
    }

    fn add_board_of_five(&self, suited: u16, tally: &mut Tally) {
        let (mut boards, bets) = (MarkedBoards::new(suited), &self.bets.marked);
        let row = sum(pairs_of(suited).map(|turned| &bets[flop_of_three(suited & !turned)]));
        self.add_board(&mut boards, &[], &row, tally);
    }

    /// Adds the counts of a board with a possible flush, and takes them over from the board without
    /// suits.
    fn add_board(
        &self,
        boards: &mut MarkedBoards,
        others: &[u8],
        bets: &[i32; CELLS],
        tally: &mut Tally,
    ) {
        let suited = boards.suited();
        let board = boards.board(others, self.rank_boards);
        // Each of the four suits can be the marked one. On the flops, all of them were.
        let many = i32::try_from(board.many).expect("at most nine") * 4 * FLOPS_OF_A_BOARD;
        let Tally { outcomes, taken } = tally;
        let [raised @ .., checked, bet_later] = &mut taken[board.place][..] else {
            unreachable!("there are at least these two")
        };
        let (check_shares, raise_shares) = self.marked_holes.split_last().expect("a check is one");
        // Most raises are made by no hole.
        let mut used: Vec<_> = (0..).zip(raise_shares.iter().zip(raised)).collect();
        used.retain(|(action, _)| self.raises_used[*action]);
        sweep(&board.left, board.order, self.policy.qualifying, |holding, category, counts| {
            let at = holding.cell() % CELLS;
            let plain = usize::from(RANK_CELL[at]) % RANK_PAIRS;
            let holes = i32::from(holding.holes);
            for (action, (shares, taken)) in &mut used {
                let times = holes * many * shares[at];
                if times != 0 {
                    taken[plain] += times;
                    outcomes.by_action[*action][category as usize].add(i64::from(times), counts);
                }
            }
            let (all, bet) = (holes * many * check_shares[at], holes * bets[at]);
            if all != 0 {
                checked[plain] += all;
                bet_later[plain] += bet;
                let reach = Reach { bet: i64::from(bet), check: i64::from(all - bet) };
                let spot = RiverSpot { suited, ranks: &board.list, holding, counts };
                self.add(outcomes, category, reach, &spot);
            }
        });
    }

    /// Adds the results of holes without a bet before the flop.
    #[inline]
    fn add(&self, tally: &mut Outcomes, category: Category, reach: Reach, spot: &RiverSpot<'_>) {
        let on_flop = self.policy.raises.len();
        if reach.bet != 0 {
            tally.by_action[on_flop][category as usize].add(reach.bet, spot.counts);
        }
        if reach.check != 0 {
            let RiverChoice { bets, rule } = (self.policy.on_river)(spot);
            let action = on_flop + if bets { 1 } else { 2 };
            tally.by_action[action][category as usize].add(reach.check, spot.counts);
            if let Some((rule, lost)) = rule {
                let (times, lost) = (i128::from(reach.check), i128::from(lost));
                tally.rules.add(rule, times, times * lost);
            }
        }
    }
}

fn add<const TIMES: i32>(to: &mut [i32; CELLS], from: &[i32; CELLS]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += TIMES * from;
    }
}

fn sum<'a>(rows: impl Iterator<Item = &'a [i32; CELLS]>) -> [i32; CELLS] {
    let mut sum = [0; CELLS];
    for row in rows {
        add::<1>(&mut sum, row);
    }
    sum
}

/// Returns the different ways to split five ranks, lowest first, into a flop and the two cards
/// turned after it.
fn splits(ranks: [u8; 5]) -> impl Iterator<Item = ([u8; 3], [u8; 2])> {
    let mut splits: Vec<([u8; 3], [u8; 2])> = Vec::with_capacity(10);
    for high in 0..5 {
        for low in 0..high {
            let mut rest = (0..5).filter(|&at| at != low && at != high).map(|at| ranks[at]);
            let flop = [(); 3].map(|()| rest.next().expect("three are left"));
            let split = (flop, [ranks[low], ranks[high]]);
            if !splits.contains(&split) {
                splits.push(split);
            }
        }
    }
    splits.into_iter()
}
