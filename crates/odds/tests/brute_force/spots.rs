//! Random spots over small decks, from a fixed seed.

use croupier_cards::{Card, CardSet, Rank, Suit};

use crate::reference::Seen;

/// Seeded random numbers, so that a failure can be reproduced.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        usize::try_from((u128::from(self.0) * bound as u128) >> 64).expect("below the bound")
    }

    /// Takes a number of cards from a pool.
    pub(crate) fn take(&mut self, pool: &mut Vec<Card>, many: usize) -> CardSet {
        (0..many).map(|_| pool.swap_remove(self.below(pool.len()))).collect()
    }
}

/// The decks that spots are dealt from: each makes its special case common.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pool {
    /// Any cards: few of them fit together.
    All,
    /// Two suits: flushes.
    TwoSuits,
    /// Six ranks in a row, in two suits, and aces: straights and straight flushes, the wheel.
    Row,
    /// The five highest ranks: full houses, and boards that all play.
    High,
    /// Four ranks: full houses, four of a kind, and many ties.
    FewRanks,
    /// One suit, and three cards more: five of a suit on the board.
    OneSuit,
    /// Ranks far apart: dealers that don't qualify.
    Scattered,
}

impl Pool {
    pub(crate) const ALL: [Self; 7] = [
        Self::All,
        Self::TwoSuits,
        Self::Row,
        Self::High,
        Self::FewRanks,
        Self::OneSuit,
        Self::Scattered,
    ];

    /// Returns the cards, at least sixteen.
    pub(crate) fn cards(self, chance: &mut Chance) -> Vec<Card> {
        let low = chance.below(9);
        let suits = [chance.below(4), chance.below(3)];
        let suits = [suits[0], (suits[0] + 1 + suits[1]) % 4].map(|suit| Suit::ALL[suit]);
        let wheel = |rank: Rank| rank == Rank::Ace && low == 0;
        let fits = |card: &Card| {
            let (rank, number) = (card.rank(), card.rank() as usize);
            match self {
                Self::All => true,
                Self::TwoSuits => suits.contains(&card.suit()),
                Self::Row => {
                    let near = (low..low + 6).contains(&number) || wheel(rank);
                    near && (suits.contains(&card.suit()) || number % 3 == 0)
                }
                Self::High => rank >= Rank::Ten,
                Self::FewRanks => [low, low + 1, low + 3, low + 4].contains(&number),
                Self::OneSuit => card.suit() == suits[0] || number == low,
                Self::Scattered => number % 2 == 0 || rank == Rank::King,
            }
        };
        Card::ALL.into_iter().filter(fits).collect()
    }
}

/// Deals a spot from a pool, and leaves a number of cards in the deck, or as many as there are.
pub(crate) fn deal(
    chance: &mut Chance,
    pool: Pool,
    [hand, board, dealer, left]: [usize; 4],
) -> Seen {
    let mut cards = pool.cards(chance);
    let [hand, board, dealer] = [hand, board, dealer].map(|many| chance.take(&mut cards, many));
    let left = left.min(cards.len());
    let deck = chance.take(&mut cards, left);
    Seen { hand, board, dealer, deck }
}
