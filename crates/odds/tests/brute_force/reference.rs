//! The slow way, obviously right: every card that can come is dealt, and every choice tried.
//!
//! It uses nothing from the crate under test. It reads no pay table file either: a Blind is a list
//! here, and the file is written from it.

use std::cmp::Ordering;

use croupier_cards::{Card, CardSet, Category, Five, Three};

/// The Blind's payoffs on a win, hand by hand. A hand that is not listed pushes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blind(pub(crate) &'static [(Category, u32, u32)]);

impl Blind {
    /// Writes the equivalent pay table.
    pub(crate) fn to_toml(self) -> String {
        let head =
            "id = \"TOY\"\ntitle = \"Blind\"\nsource = \"a test\"\nbet = \"blind\"\n[pays]\n";
        let lines = self.0.iter().map(|(hand, pays, per)| {
            let hand = hand.id();
            format!("{hand} = \"{pays}:{per}\"\n")
        });
        head.to_owned() + &lines.collect::<String>()
    }

    fn pays(self, hand: Category) -> i128 {
        let line = self.0.iter().find(|line| line.0 == hand);
        line.map_or(0, |&(_, pays, per)| PARTS * i128::from(pays) / i128::from(per))
    }
}

/// The number of parts in an ante. Every payoff in the tests is a whole number of them.
pub(crate) const PARTS: i128 = 2 * 3 * 5 * 7;

/// The rules for a spot.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) blind: Blind,
    pub(crate) raises: Vec<u32>,
    pub(crate) qualifying: bool,
}

/// The known cards: the rest of the deck can still come.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) hand: CardSet,
    pub(crate) board: CardSet,
    pub(crate) dealer: CardSet,
    pub(crate) deck: CardSet,
}

/// A sum of parts of the ante, and the number of deals it was summed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) parts: i128,
    pub(crate) deals: i128,
}

impl Sum {
    /// Returns the loss of a fold in a number of deals.
    pub(crate) const fn fold(deals: i128) -> Self {
        Self { parts: -2 * PARTS * deals, deals }
    }

    fn add(&mut self, other: Self) {
        self.parts += other.parts;
        self.deals += other.deals;
    }

    /// Returns the better of two sums over the same deals.
    fn or_better(self, other: Self) -> Self {
        assert_eq!(self.deals, other.deals, "both choices lead to the same deals");
        if other.parts > self.parts { other } else { self }
    }

    /// Tells whether a fraction is the mean of the sum, in antes.
    pub(crate) fn is(self, numerator: i128, denominator: i128) -> bool {
        numerator * self.deals * PARTS == self.parts * denominator
    }
}

impl Rules {
    /// Settles Ante, Blind and Play.
    fn settle<H: Ord>(
        &self,
        player: &H,
        hand: Category,
        dealer: &H,
        qualifies: bool,
        bet: u32,
    ) -> Sum {
        let play = i128::from(bet) * PARTS;
        let ante = if qualifies || !self.qualifying { PARTS } else { 0 };
        let parts = match player.cmp(dealer) {
            Ordering::Greater => play + ante + self.blind.pays(hand),
            Ordering::Less => -play - ante - PARTS,
            Ordering::Equal => 0,
        };
        Sum { parts, deals: 1 }
    }

    /// Plays Texas Hold'em to the end: with a bet already made, or perfectly.
    pub(crate) fn holdem(&self, seen: &Seen, bet: Option<u32>) -> Sum {
        match (seen.board.len(), bet) {
            (5, Some(bet)) => self.showdown(seen, bet),
            (5, None) => {
                let once = self.showdown(seen, 1);
                Sum::fold(once.deals).or_better(once)
            }
            (3, None) => self.checked(seen, 2).or_better(self.turned(seen, 2, Some(2))),
            (3, Some(_)) => self.turned(seen, 2, bet),
            _ => self.turned(seen, 3, bet),
        }
    }

    /// Lets the player check now, turns a number of cards, and plays the rest perfectly.
    pub(crate) fn checked(&self, seen: &Seen, cards: usize) -> Sum {
        self.turned(seen, cards, None)
    }

    /// Turns a number of cards in every possible way.
    fn turned(&self, seen: &Seen, cards: usize, bet: Option<u32>) -> Sum {
        let mut sum = Sum::default();
        for turned in seen.deck.subsets(cards) {
            let board = seen.board | turned;
            let next = Seen { board, deck: seen.deck - turned, ..seen.clone() };
            sum.add(self.holdem(&next, bet));
        }
        sum
    }

    /// Gives the dealer every possible hand.
    fn showdown(&self, seen: &Seen, bet: u32) -> Sum {
        let player = Five::of(seen.hand | seen.board);
        let mut sum = Sum::default();
        for rest in seen.deck.subsets(2 - seen.dealer.len()) {
            let dealer = Five::of(seen.dealer | rest | seen.board);
            let qualifies = dealer.category() != Category::HighCard;
            sum.add(self.settle(&player, player.category(), &dealer, qualifies, bet));
        }
        sum
    }

    /// Plays Three Card Poker to the end after a bet.
    pub(crate) fn three_card(&self, seen: &Seen, bet: u32) -> Sum {
        let player = Three::of(seen.hand);
        let mut sum = Sum::default();
        for rest in seen.deck.subsets(3 - seen.dealer.len()) {
            let cards = seen.dealer | rest;
            let dealer = Three::of(cards);
            let queen = cards.iter().any(|card: Card| card.rank() >= croupier_cards::Rank::Queen);
            let qualifies = dealer.category() != Category::HighCard || queen;
            sum.add(self.settle(&player, player.category(), &dealer, qualifies, bet));
        }
        sum
    }
}
