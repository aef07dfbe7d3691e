//! The features that rules depend on.

use std::cell::OnceCell;

use croupier_cards::{Card, CardSet, Five, Rank, Ranks, Suit};

use super::Board;
use crate::holdem::kinds::RANKS;
use crate::holdem::policy::RiverSpot;

/// The features of a hole on a flop.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlopFeatures {
    pub(super) five: Five,
    /// Whether a hole card is paired.
    pub(super) hidden_pair: bool,
    /// The highest hole card of a suit with four or five cards, if a hole card is of that suit.
    pub(super) four_flush: Option<Rank>,
    /// How many ranks would make a straight that needs a hole card.
    pub(super) straight_ranks: usize,
    pub(super) board: Board,
    /// How many hole cards are above the flop.
    pub(super) overcards: usize,
}

impl FlopFeatures {
    pub(super) fn new(hole: [Card; 2], flop: CardSet) -> Self {
        let all = flop | CardSet::of(hole[0]) | CardSet::of(hole[1]);
        let on_flop = |rank: Rank| flop.into_iter().filter(|card| card.rank() == rank).count();
        let ranks = hole.map(Card::rank);
        let most = flop.into_iter().map(|card| on_flop(card.rank())).max();
        let top = flop.into_iter().map(Card::rank).max();
        let four_flush = Suit::ALL.into_iter().filter(|&suit| all.of_suit(suit).len() >= 4);
        let in_hole = |suit: Suit| hole.iter().filter(move |card| card.suit() == suit);
        Self {
            five: Five::of(all),
            hidden_pair: ranks[0] == ranks[1] || ranks.iter().any(|&rank| on_flop(rank) > 0),
            four_flush: four_flush.flat_map(|suit| in_hole(suit).map(|card| card.rank())).max(),
            straight_ranks: straight_ranks(hole, flop),
            board: match most {
                Some(3) => Board::Trips,
                Some(2) => Board::Pair,
                _ => Board::Unpaired,
            },
            overcards: ranks.iter().filter(|&&rank| Some(rank) > top).count(),
        }
    }
}

/// Returns how many ranks would make a straight. It then needs a hole card, since three cards and
/// one more don't make a straight.
fn straight_ranks(hole: [Card; 2], flop: CardSet) -> usize {
    let bits = |cards: CardSet| cards.into_iter().fold(0_u16, |bits, card| bits | bit(card.rank()));
    let all = bits(flop | CardSet::of(hole[0]) | CardSet::of(hole[1]));
    let makes = |bits: u16| (0..10).any(|low| run(low) & !bits == 0);
    if makes(all) {
        return 0;
    }
    Rank::ALL.into_iter().filter(|&rank| makes(all | bit(rank))).count()
}

const fn bit(rank: Rank) -> u16 {
    1 << rank as u16
}

/// Returns the ranks of a straight, as bits, counted from the wheel.
const fn run(number: u16) -> u16 {
    if number == 0 { 0b1_0000_0000_1111 } else { 0b1_1111 << (number - 1) }
}

/// The features of a hole on the river. Most are computed only when a rule needs them.
#[derive(Clone, Debug)]
pub(super) struct RiverFeatures<'a> {
    spot: &'a RiverSpot<'a>,
    /// How many cards of each rank are on the board.
    on_board: [u8; RANKS],
    board: Ranks,
    /// The strength of the board by itself, and the number of outs, once a rule has used them: they
    /// take more time than all the rest, and there may be many rules.
    own: OnceCell<Five>,
    outs: OnceCell<u32>,
}

impl<'a> RiverFeatures<'a> {
    pub(super) fn new(spot: &'a RiverSpot<'a>) -> Self {
        let mut on_board = [0; RANKS];
        let mut board = Ranks::EMPTY;
        for &rank in spot.ranks {
            on_board[usize::from(rank)] += 1;
            board = board + Rank::ALL[usize::from(rank)];
        }
        Self { spot, on_board, board, own: OnceCell::new(), outs: OnceCell::new() }
    }

    /// Returns the player's hand.
    pub(super) const fn five(&self) -> Five {
        self.spot.holding.five
    }

    /// Returns the strength of the board by itself.
    pub(super) fn board(&self) -> Five {
        let suited = self.spot.suited;
        *self.own.get_or_init(|| {
            if suited.count_ones() == 5 { Five::suited(suited) } else { self.board.five() }
        })
    }

    /// Returns the ranks of the hole, and whether each card is in the marked suit.
    fn hole(&self) -> [(usize, bool); 2] {
        let holding = self.spot.holding;
        [holding.low, holding.high]
            .map(|kind| (usize::from(kind) % RANKS, usize::from(kind) >= RANKS))
    }

    /// Tells whether a hole card is paired.
    pub(super) fn hidden_pair(&self) -> bool {
        let [(one, _), (other, _)] = self.hole();
        one == other || self.on_board[one] > 0 || self.on_board[other] > 0
    }

    /// Returns how many unseen cards would beat the player if the dealer played one of them with
    /// the board.
    pub(super) fn outs(&self) -> u32 {
        *self.outs.get_or_init(|| self.count_outs())
    }

    fn count_outs(&self) -> u32 {
        let suited = self.spot.suited;
        let hole = self.hole();
        let mut outs = 0;
        for (rank, &on_board) in self.on_board.iter().enumerate() {
            let in_hole = hole.iter().filter(|(other, _)| *other == rank).count();
            let left = 4 - u32::from(on_board) - u32::try_from(in_hole).expect("at most two");
            let taken = suited >> rank & 1 == 1 || hole.contains(&(rank, true));
            let in_suit = u32::from(suited != 0 && !taken);
            let by_rank = (self.board + Rank::ALL[rank]).five();
            let best = |ranks: u16| {
                if ranks.count_ones() >= 5 { Five::suited(ranks) } else { by_rank }
            };
            if best(suited) > self.five() {
                outs += left - in_suit;
            }
            if best(suited | 1 << rank) > self.five() {
                outs += in_suit;
            }
        }
        outs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::holdem::kinds::ranks_of;
    use crate::holdem::policy::ranks_of_board;
    use croupier_cards::parse_cards;

    fn on_flop(hole: &str, flop: &str) -> FlopFeatures {
        let hole = parse_cards(hole).unwrap();
        FlopFeatures::new([hole[0], hole[1]], flop.parse().unwrap())
    }

    #[test]
    fn draws_are_seen_on_the_flop() {
        assert_eq!(on_flop("9s 8d", "7c 6h 2d").straight_ranks, 2);
        assert_eq!(on_flop("9s 8d", "7c 5h 2d").straight_ranks, 1);
        assert_eq!(on_flop("As 2d", "3c 4h Kd").straight_ranks, 1);
        assert_eq!(on_flop("Ks Qd", "9c 8h 7d").straight_ranks, 0, "the hole doesn't help");
        assert_eq!(on_flop("9s 8d", "7c 6h 5d").straight_ranks, 0, "it is already a straight");
        assert_eq!(on_flop("Ts 2s", "7s 6s 5d").four_flush, Some(Rank::Ten));
        assert_eq!(on_flop("Td 2h", "7s 6s 5s").four_flush, None);
        assert_eq!(on_flop("Td 2s", "7s 6s 5s").four_flush, Some(Rank::Two));
        assert_eq!(on_flop("Kd 2s", "7s 6s 5s").overcards, 1);
        assert!(on_flop("7d 2s", "7s 6s 5s").hidden_pair);
        assert!(!on_flop("7d 2s", "6h 6s 5s").hidden_pair);
    }

    #[test]
    fn ranks_are_bits() {
        assert_eq!(ranks_of(run(0)).collect::<Vec<_>>(), [0, 1, 2, 3, 12]);
        assert_eq!(ranks_of(run(9)).collect::<Vec<_>>(), [8, 9, 10, 11, 12]);
    }

    #[test]
    fn outs_match_a_card_by_card_count() {
        let (mut suited, mut tried) = (0, 0);
        for seven in CardSet::FULL.subsets(7).step_by(66_889) {
            let cards: Vec<Card> = seven.into_iter().collect();
            for (one, other) in [(0, 1), (2, 5), (3, 6), (0, 6)] {
                let hole = [cards[one], cards[other]];
                let board = seven - CardSet::from(hole);
                let ranks = ranks_of_board(board);
                let spot = RiverSpot::of(hole, board, &ranks);
                let seen = RiverFeatures::new(&spot);
                let beats = |&card: &Card| Five::of(board | CardSet::of(card)) > seen.five();
                let outs = (!seven).into_iter().filter(beats).count();
                assert_eq!(seen.outs() as usize, outs, "{hole:?} on {board}");
                assert_eq!(seen.board(), Five::of(board));
                let paired = |card: &Card| {
                    seven.into_iter().filter(|other| other.rank() == card.rank()).count() > 1
                };
                assert_eq!(seen.hidden_pair(), hole.iter().any(paired), "{hole:?} on {board}");
                suited += usize::from(spot.suited != 0);
                tried += 1;
            }
        }
        assert!(tried > 7_000 && suited > 2_000, "{suited} of {tried}");
    }

    #[test]
    fn a_published_example_has_its_published_outs() {
        let hole = ["9s", "8d"].map(|card| card.parse().unwrap());
        let board = "Ac Kd Th 7c 2d".parse().unwrap();
        let ranks = ranks_of_board(board);
        let spot = RiverSpot::of(hole, board, &ranks);
        assert_eq!(RiverFeatures::new(&spot).outs(), 23);
    }
}
