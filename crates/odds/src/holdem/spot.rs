//! One hole, with any other known cards.
//!
//! Here the hole is given, perhaps with dead cards and some of the dealer's cards, so there is
//! nothing to sweep: for a given board the dealer's hands are counted by their ranks, and, where
//! the board has three of a suit, by which of them are of that suit. Boards are counted the same
//! way as when all holes are solved at once: by ranks, plus the changes due to flushes in each
//! suit.

use croupier_cards::{Card, CardSet, Category, Five, Rank, Ranks, Suit};

use super::boards::rank_lists;
use super::flops::{marked_place, rank_flops, ranks_in_order};
use super::kinds::{
    KINDS_OF_CELL, MARKED_FLOPS, RANK_BOARDS, RANK_FLOPS, RANK_PAIRS, RANKS, cell_of, flop_of_one,
    flop_of_three, flop_of_two, list_place, pairs_of, ranks_of, sets,
};
use super::stakes::{Stakes, Worth};
use super::sweep::Counts;

/// A hole, and the cards that can still come.
#[derive(Clone, Debug)]
pub(crate) struct Spot<'a> {
    pub(crate) stakes: &'a Stakes,
    pub(crate) hole: [Card; 2],
    /// The dealer's known cards: at most two.
    pub(crate) dealer: CardSet,
    /// The unseen cards.
    pub(crate) deck: CardSet,
}

/// The cards that are left, by rank.
type RanksLeft = [u8; RANKS];

/// The values of the choices, each as a sum over everything that can still happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SpotValue {
    /// The value of not having bet, followed by perfect play.
    pub(crate) check: i64,
    /// The winnings of Ante and Blind after a bet.
    pub(crate) base: i64,
    /// The winnings of a 1x Play bet.
    pub(crate) play: i64,
}

impl SpotValue {
    /// Returns the value of betting a multiple of the ante.
    pub(crate) const fn bet(self, times: u32) -> i64 {
        self.base + self.play * times as i64
    }
}

/// A board seen from one suit: the cards left, and the cards on it.
struct Marked {
    /// How many cards of each rank are left in other suits.
    others: RanksLeft,
    /// The ranks that are left in the suit, as bits.
    suited: u16,
    /// The ranks on the board, in any suit.
    board: Ranks,
    /// The ranks on the board in the suit, at least three.
    on_board: u16,
}

impl Spot<'_> {
    /// Returns the number of possible dealer hands once the board is complete.
    pub(crate) fn dealer_hands(&self, left: usize) -> i64 {
        match self.dealer.len() {
            0 => many(left * (left - 1) / 2),
            1 => many(left),
            _ => 1,
        }
    }

    /// Returns the values of the choices on the river, over the dealer's hands.
    pub(crate) fn on_river(&self, board: CardSet) -> Worth {
        let ranks: Ranks = board.into_iter().map(Card::rank).collect();
        let suit = Suit::ALL.into_iter().find(|&suit| board.ranks_in(suit).count_ones() >= 3);
        match suit {
            Some(suit) => {
                let suited = self.deck.ranks_in(suit);
                let mut others = self.ranks_left();
                for rank in ranks_of(suited) {
                    others[rank] -= 1;
                }
                self.marked(
                    suit,
                    &Marked { others, suited, board: ranks, on_board: board.ranks_in(suit) },
                )
            }
            None => self.plain(&self.ranks_left(), ranks),
        }
    }

    fn ranks_left(&self) -> RanksLeft {
        let mut left = [0; RANKS];
        for card in self.deck {
            left[card.rank() as usize] += 1;
        }
        left
    }

    fn hole_ranks(&self) -> Ranks {
        Ranks::EMPTY + self.hole[0].rank() + self.hole[1].rank()
    }

    /// Returns the value of the hole on a board without a possible flush, or as if there were none.
    fn plain(&self, left: &RanksLeft, board: Ranks) -> Worth {
        let hero = (board + self.hole_ranks()).five();
        let mut tally = Tally::new(hero);
        let mut known = self.dealer.into_iter().map(Card::rank);
        match (known.next(), known.next()) {
            (Some(one), Some(other)) => tally.add(1, (board + one + other).five()),
            (Some(one), None) => {
                let with_one = board + one;
                for (&left, rank) in left.iter().zip(Rank::ALL) {
                    if left > 0 {
                        tally.add(left.into(), (with_one + rank).five());
                    }
                }
            }
            _ => tally.add_ranks(left, board, |_, _| 0),
        }
        tally.worth(self.stakes)
    }

    /// Returns the value of the hole on a board with three or more cards of a suit.
    fn marked(&self, suit: Suit, seen: &Marked) -> Worth {
        let bit = |card: Card| if card.suit() == suit { 1 << card.rank() as u16 } else { 0_u16 };
        let own = seen.on_board | bit(self.hole[0]) | bit(self.hole[1]);
        let hero = if own.count_ones() >= 5 {
            Five::suited(own)
        } else {
            (seen.board + self.hole_ranks()).five()
        };
        let mut tally = Tally::new(hero);
        let known: Vec<Card> = self.dealer.into_iter().collect();
        match known[..] {
            [] => tally.add_marked(seen),
            [one] => tally.add_marked_with(seen, one.rank(), bit(one)),
            _ => {
                let own = known.iter().fold(seen.on_board, |own, &card| own | bit(card));
                let ranks = known.iter().fold(seen.board, |ranks, card| ranks + card.rank());
                let five = if own.count_ones() >= 5 { Five::suited(own) } else { ranks.five() };
                tally.add(1, five);
            }
        }
        tally.worth(self.stakes)
    }

    fn value(&self, worth: Worth, dealer_hands: i64) -> SpotValue {
        let fold = -2 * self.stakes.scale * dealer_hands;
        let Worth { base, play } = worth;
        SpotValue { check: (base + play).max(fold), base, play }
    }

    /// Returns the values of the choices on a flop, over all turns, rivers and dealer hands.
    pub(crate) fn on_flop(&self, flop: CardSet) -> SpotValue {
        let left = self.ranks_left();
        let ranks: Ranks = flop.into_iter().map(Card::rank).collect();
        let dealer_hands = self.dealer_hands(self.deck.len() - 2);
        let mut sum = SpotValue::default();
        let mut plain = [SpotValue::default(); RANK_PAIRS];
        for (pair, &(low, high)) in KINDS_OF_CELL[..RANK_PAIRS].iter().enumerate() {
            let (low, high) = (usize::from(low), usize::from(high));
            let ways = ways(left[low], left[high], low == high);
            if ways > 0 {
                let mut after = left;
                after[low] -= 1;
                after[high] -= 1;
                let board = ranks + Rank::ALL[low] + Rank::ALL[high];
                plain[pair] = self.value(self.plain(&after, board), dealer_hands);
                sum.add(ways, plain[pair]);
            }
        }
        for suit in Suit::ALL {
            self.add_flushes(flop, ranks, suit, &plain, dealer_hands, &mut sum);
        }
        sum
    }

    /// Adds the changes due to flushes in a suit.
    fn add_flushes(
        &self,
        flop: CardSet,
        ranks: Ranks,
        suit: Suit,
        plain: &[SpotValue; RANK_PAIRS],
        dealer_hands: i64,
        sum: &mut SpotValue,
    ) {
        let (on_flop, suited) = (flop.ranks_in(suit), self.deck.ranks_in(suit));
        let mut others = self.ranks_left();
        for rank in ranks_of(suited) {
            others[rank] -= 1;
        }
        let mut add = |turned: [usize; 2], in_suit: u16, off: &[usize], ways: i64| {
            let mut others = others;
            for &rank in off {
                others[rank] -= 1;
            }
            let board = ranks + Rank::ALL[turned[0]] + Rank::ALL[turned[1]];
            let seen =
                Marked { others, suited: suited & !in_suit, board, on_board: on_flop | in_suit };
            let value = self.value(self.marked(suit, &seen), dealer_hands);
            sum.add(ways, value);
            sum.add(-ways, plain[cell_of(turned[0], turned[1])]);
        };
        let needed = 3_u32.saturating_sub(on_flop.count_ones());
        for both in pairs_of(suited) {
            if needed <= 2 {
                let mut turned = ranks_of(both);
                let turned = [(); 2].map(|()| turned.next().expect("two ranks"));
                add(turned, both, &[], 1);
            }
        }
        if needed <= 1 {
            for one in ranks_of(suited) {
                for other in (0..RANKS).filter(|&other| others[other] > 0) {
                    add([one, other], 1 << one, &[other], others[other].into());
                }
            }
        }
        if needed == 0 {
            for &(low, high) in &KINDS_OF_CELL[..RANK_PAIRS] {
                let (low, high) = (usize::from(low), usize::from(high));
                let ways = ways(others[low], others[high], low == high);
                if ways > 0 {
                    add([low, high], 0, &[low, high], ways);
                }
            }
        }
    }

    /// Returns the values of the choices before the flop, over all runouts and dealer hands.
    pub(crate) fn before_flop(&self) -> SpotValue {
        let dealer_hands = self.dealer_hands(self.deck.len() - 5);
        let left = self.ranks_left();
        let plain = self.plain_boards(&left, dealer_hands);
        let by_ranks = plain_flops(&left, &plain);
        let by_suits = Suit::ALL.map(|suit| self.marked_flops(suit, &plain, dealer_hands));
        let mut sum = SpotValue::default();
        for flop in self.deck.subsets(3) {
            let mut value = by_ranks[list_place(ranks_in_order(flop))];
            for suit in Suit::ALL.into_iter().filter(|&suit| !flop.of_suit(suit).is_empty()) {
                value.add(1, by_suits[suit as usize][marked_place(flop, suit)]);
            }
            value.check = value.check.max(value.bet(2));
            sum.add(1, value);
        }
        sum
    }

    /// Returns the values of all boards, as if no flush were possible, by the indexes of their
    /// ranks.
    fn plain_boards(&self, left: &RanksLeft, dealer_hands: i64) -> Vec<SpotValue> {
        let mut values = vec![SpotValue::default(); RANK_BOARDS];
        for (list, value) in rank_lists().zip(&mut values) {
            let mut after = *left;
            let enough = list.iter().all(|&rank| {
                let left = &mut after[usize::from(rank)];
                left.checked_sub(1).is_some_and(|less| {
                    *left = less;
                    true
                })
            });
            if enough {
                let board = list.into_iter().map(|rank| Rank::ALL[usize::from(rank)]).collect();
                *value = self.value(self.plain(&after, board), dealer_hands);
            }
        }
        values
    }

    /// Returns the changes due to flushes in a suit on each flop, by the flops' indexes with it
    /// marked.
    fn marked_flops(&self, suit: Suit, plain: &[SpotValue], dealer_hands: i64) -> Vec<SpotValue> {
        let suited = self.deck.ranks_in(suit);
        let mut others = self.ranks_left();
        for rank in ranks_of(suited) {
            others[rank] -= 1;
        }
        let mut flops = vec![SpotValue::default(); MARKED_FLOPS];
        for in_suit in (3..=5).flat_map(sets).filter(|set| set & !suited == 0) {
            let change = |off: &[usize]| {
                let mut after = others;
                let mut board: Ranks = ranks_of(in_suit).map(|rank| Rank::ALL[rank]).collect();
                let mut list: Vec<u8> = Vec::with_capacity(5);
                for &rank in off {
                    after[rank] -= 1;
                    board = board + Rank::ALL[rank];
                }
                for rank in ranks_of(in_suit).chain(off.iter().copied()) {
                    list.push(u8::try_from(rank).expect("below 13"));
                }
                list.sort_unstable();
                let place = list_place::<5>(list.try_into().expect("five ranks"));
                let seen =
                    Marked { others: after, suited: suited & !in_suit, board, on_board: in_suit };
                let mut value = self.value(self.marked(suit, &seen), dealer_hands);
                value.add(-1, plain[place]);
                value
            };
            spread(in_suit, &others, change, &mut flops);
        }
        flops
    }
}

/// Adds the changes of the boards with exactly these cards of the suit to all flops they follow.
fn spread(
    in_suit: u16,
    others: &RanksLeft,
    change: impl Fn(&[usize]) -> SpotValue,
    flops: &mut [SpotValue],
) {
    match in_suit.count_ones() {
        3 => {
            for (pair, &(low, high)) in KINDS_OF_CELL[..RANK_PAIRS].iter().enumerate() {
                let (low, high) = (usize::from(low), usize::from(high));
                let both = ways(others[low], others[high], low == high);
                if both == 0 {
                    continue;
                }
                let value = change(&[low, high]);
                flops[flop_of_three(in_suit)].add(both, value);
                for rank in ranks_of(in_suit) {
                    flops[flop_of_one(rank, pair)].add(1, value);
                    let without = in_suit & !(1 << rank);
                    let same = u8::from(low == high);
                    let ways = i64::from(others[high] - same);
                    flops[flop_of_two(without, low)].add(ways, value);
                    if low != high {
                        flops[flop_of_two(without, high)].add(others[low].into(), value);
                    }
                }
            }
        }
        4 => {
            for other in (0..RANKS).filter(|&other| others[other] > 0) {
                let value = change(&[other]);
                for turned in pairs_of(in_suit) {
                    flops[flop_of_two(in_suit & !turned, other)].add(1, value);
                }
                for turned in ranks_of(in_suit) {
                    let ways = others[other].into();
                    flops[flop_of_three(in_suit & !(1 << turned))].add(ways, value);
                }
            }
        }
        _ => {
            let value = change(&[]);
            for turned in pairs_of(in_suit) {
                flops[flop_of_three(in_suit & !turned)].add(1, value);
            }
        }
    }
}

/// Sums up the boards that follow each flop, as if no flush were possible.
fn plain_flops(left: &RanksLeft, boards: &[SpotValue]) -> Vec<SpotValue> {
    let mut flops = vec![SpotValue::default(); RANK_FLOPS];
    for (flop, sum) in rank_flops().zip(&mut flops) {
        let mut after = *left;
        for rank in flop {
            after[usize::from(rank)] = after[usize::from(rank)].saturating_sub(1);
        }
        for &(low, high) in &KINDS_OF_CELL[..RANK_PAIRS] {
            let ways = ways(after[usize::from(low)], after[usize::from(high)], low == high);
            if ways > 0 {
                let [a, b, c] = flop;
                sum.add(ways, boards[super::boards::board_place([a, b, c, low, high])]);
            }
        }
    }
    flops
}

impl SpotValue {
    fn add(&mut self, times: i64, other: Self) {
        self.check += times * other.check;
        self.base += times * other.base;
        self.play += times * other.play;
    }
}

fn many(number: usize) -> i64 {
    i64::try_from(number).expect("at most a few hundred")
}

/// Returns the number of ways to draw two cards, of two ranks or of one.
fn ways(one: u8, other: u8, same: bool) -> i64 {
    let (one, other) = (i64::from(one), i64::from(other));
    if same { one * (one - 1) / 2 } else { one * other }
}

/// The dealer's hands, counted against the player's.
struct Tally {
    hero: Five,
    all: i32,
    counts: Counts,
}

impl Tally {
    const fn new(hero: Five) -> Self {
        Self { hero, all: 0, counts: Counts { wins: 0, ties: 0, unqualified: 0 } }
    }

    #[inline]
    fn add(&mut self, many: i32, five: Five) {
        self.all += many;
        self.counts.wins += if five < self.hero { many } else { 0 };
        self.counts.ties += if five == self.hero { many } else { 0 };
        let unqualified = five.category() == Category::HighCard;
        self.counts.unqualified += if unqualified { many } else { 0 };
    }

    /// Adds all hands without a flush, minus those that other hands replace.
    #[inline]
    fn add_ranks(&mut self, left: &RanksLeft, board: Ranks, taken: impl Fn(usize, usize) -> i32) {
        for high in 0..RANKS {
            let many = i32::from(left[high]);
            if many == 0 {
                continue;
            }
            let with_one = board + Rank::ALL[high];
            for (low, &lower) in left[..high].iter().enumerate() {
                let ways = many * i32::from(lower) - taken(low, high);
                if ways > 0 {
                    self.add(ways, (with_one + Rank::ALL[low]).five());
                }
            }
            if many > 1 {
                self.add(many * (many - 1) / 2, (with_one + Rank::ALL[high]).five());
            }
        }
    }

    /// Adds all hands of a dealer with no known card.
    fn add_marked(&mut self, seen: &Marked) {
        let &Marked { others, suited, board, on_board } = seen;
        let in_suit = |rank: usize| suited >> rank & 1 == 1;
        let all_others: i32 = others.iter().map(|&left| i32::from(left)).sum();
        match on_board.count_ones() {
            3 => {
                let mut left = others;
                for rank in ranks_of(suited) {
                    left[rank] += 1;
                }
                self.add_ranks(&left, board, |low, high| i32::from(in_suit(low) && in_suit(high)));
            }
            4 => self.add_ranks(&others, board, |_, _| 0),
            _ => self.add(all_others * (all_others - 1) / 2, Five::suited(on_board)),
        }
        if on_board.count_ones() > 3 {
            for rank in ranks_of(suited) {
                self.add(all_others, Five::suited(on_board | 1 << rank));
            }
        }
        for both in pairs_of(suited) {
            self.add(1, Five::suited(on_board | both));
        }
    }

    /// Adds all hands of a dealer with a known card.
    fn add_marked_with(&mut self, seen: &Marked, known: Rank, bit: u16) {
        let &Marked { others, suited, board, on_board } = seen;
        let own = on_board | bit;
        for (&left, rank) in others.iter().zip(Rank::ALL) {
            if left > 0 {
                let flush = own.count_ones() >= 5;
                let five = if flush { Five::suited(own) } else { (board + known + rank).five() };
                self.add(left.into(), five);
            }
        }
        for rank in ranks_of(suited) {
            let all = own | 1 << rank;
            let flush = all.count_ones() >= 5;
            let five =
                if flush { Five::suited(all) } else { (board + known + Rank::ALL[rank]).five() };
            self.add(1, five);
        }
    }

    fn worth(self, stakes: &Stakes) -> Worth {
        stakes.worth_against(self.hero.category(), self.counts, self.all)
    }
}
