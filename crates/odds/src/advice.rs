//! The exact value of every choice in a spot.

use std::error::Error;
use std::fmt;

use croupier_cards::{Card, CardSet, Category, Five, Three};
use croupier_rules::{Decision, Game, StreetName, Strength};

use crate::fraction::Fraction;
use crate::holdem::spot::Spot;
use crate::holdem::stakes::Stakes;
use crate::terms::Terms;

/// The known cards in a spot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The player's own cards.
    pub hand: Vec<Card>,
    /// The community cards turned up so far.
    pub board: Vec<Card>,
    /// Cards seen elsewhere, which can no longer come.
    pub dead: Vec<Card>,
    /// The dealer's cards.
    pub dealer: Vec<Card>,
}

impl Known {
    /// Checks that a game has such a spot.
    ///
    /// # Errors
    ///
    /// When it has none.
    pub fn check(&self, game: Game) -> Result<(), AdviceError> {
        remaining(game, self).map(|_| ())
    }
}

/// The values of the choices in a spot, in antes, for Ante, Blind and Play together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The street of the decision.
    pub street: StreetName,
    /// Every choice and its value, the largest bet first.
    pub actions: Vec<(Decision, Fraction)>,
    /// The best choice. Among equals, the one that risks least.
    pub best: Decision,
}

impl Advice {
    fn new(street: StreetName, mut actions: Vec<(Decision, Fraction)>) -> Self {
        // The choices are sorted by risk, the least first.
        let mut best = actions[0];
        for &action in &actions[1..] {
            if action.1 > best.1 {
                best = action;
            }
        }
        actions.reverse();
        Self { street, actions, best: best.0 }
    }
}

/// Returns the value of every choice in a spot.
///
/// ```
/// use std::error::Error;
///
/// use croupier_cards::parse_cards;
/// use croupier_odds::{Known, Terms, advise};
/// use croupier_rules::{Catalog, Decision, Game};
///
/// let terms = Terms::new(Game::Uth, Catalog::shipped().paytable("UTH")?.clone())?;
/// let known = Known {
///     hand: parse_cards("Ad Jh")?,
///     board: parse_cards("4s 5h 6d 8c 9d")?,
///     ..Known::default()
/// };
/// let advice = advise(&terms, &known)?;
/// assert_eq!(advice.best, Decision::Bet(1));
/// assert_eq!(format!("{:.4}", advice.actions[0].1.to_f64()), "-1.9788");
/// # Ok::<(), Box<dyn Error>>(())
/// ```
///
/// # Errors
///
/// When the game has no such spot.
pub fn advise(terms: &Terms, known: &Known) -> Result<Advice, AdviceError> {
    let deck = remaining(terms.game(), known)?;
    Ok(match terms.game() {
        Game::Uth => advise_holdem(terms, known, deck),
        Game::Utcp => advise_three_card(terms, known, deck),
    })
}

/// Checks the cards, and returns those that are still unseen.
fn remaining(game: Game, known: &Known) -> Result<CardSet, AdviceError> {
    let def = game.def();
    if known.hand.len() != def.hole_cards {
        return Err(AdviceError::Hand { needs: def.hole_cards, found: known.hand.len() });
    }
    if !def.streets.iter().any(|street| street.community_shown == known.board.len()) {
        return Err(AdviceError::Board { game, found: known.board.len() });
    }
    if known.dealer.len() > def.hole_cards {
        return Err(AdviceError::Dealer { most: def.hole_cards, found: known.dealer.len() });
    }
    let places = [
        ("hand", &known.hand),
        ("board", &known.board),
        ("dead", &known.dead),
        ("dealer", &known.dealer),
    ];
    let mut deck = CardSet::FULL;
    for (again, cards) in places {
        for &card in cards {
            if !deck.contains(card) {
                let first = places.iter().find(|(_, cards)| cards.contains(&card));
                let first = first.map_or(again, |(first, _)| first);
                return Err(AdviceError::Repeated { card, first, again });
            }
            deck -= CardSet::of(card);
        }
    }
    let needs = def.community_cards - known.board.len() + def.hole_cards - known.dealer.len();
    if deck.len() < needs {
        return Err(AdviceError::TooFewLeft { needs, left: deck.len() });
    }
    Ok(deck)
}

fn advise_holdem(terms: &Terms, known: &Known, deck: CardSet) -> Advice {
    let stakes = Stakes {
        scale: terms.scale(),
        pays: Five::CATEGORIES.map(|category| terms.pays(category)),
        qualifying: terms.qualifying(),
    };
    let dealer = known.dealer.iter().copied().collect();
    let spot = Spot { stakes: &stakes, hole: [known.hand[0], known.hand[1]], dealer, deck };
    let board: CardSet = known.board.iter().copied().collect();
    let left = deck.len();
    let dealers = i128::from(spot.dealer_hands(left - (5 - board.len())));
    let scale = i128::from(stakes.scale);
    let exact = |value: i64, boards: i128| Fraction::new(value.into(), boards * dealers * scale);
    let two_of = |left: usize| (left * (left - 1) / 2) as i128;
    match board.len() {
        5 => {
            let bet = exact(spot.on_river(board).bet(1), 1);
            Advice::new(
                StreetName::River,
                vec![(Decision::Fold, Fraction::new(-2, 1)), (Decision::Bet(1), bet)],
            )
        }
        3 => {
            let value = spot.on_flop(board);
            let boards = two_of(left);
            let check = (Decision::Check, exact(value.check, boards));
            let bet = (Decision::Bet(2), exact(value.bet(2), boards));
            Advice::new(StreetName::Flop, vec![check, bet])
        }
        _ => {
            let value = spot.before_flop();
            let boards = two_of(left) * (left as i128 - 2) / 3 * two_of(left - 3);
            let check = (Decision::Check, exact(value.check, boards));
            let bets = terms.raises().iter();
            let bets = bets.map(|&times| (Decision::Bet(times), exact(value.bet(times), boards)));
            Advice::new(StreetName::BeforeFlop, std::iter::once(check).chain(bets).collect())
        }
    }
}

fn advise_three_card(terms: &Terms, known: &Known, deck: CardSet) -> Advice {
    let hero = Three::of(known.hand.iter().copied().collect());
    let own: CardSet = known.dealer.iter().copied().collect();
    let qualifies =
        |three: Three| !terms.qualifying() || (Game::Utcp.def().qualifies)(Strength::Three(three));
    let (mut dealers, mut play, mut ante, mut wins, mut losses) = (0_i128, 0, 0, 0, 0);
    for rest in deck.subsets(3 - own.len()) {
        let dealer = Three::of(own | rest);
        let won = i128::from(hero > dealer);
        let lost = i128::from(hero < dealer);
        dealers += 1;
        wins += won;
        losses += lost;
        play += won - lost;
        ante += if qualifies(dealer) { won - lost } else { 0 };
    }
    let scale = i128::from(terms.scale());
    let blind = i128::from(terms.pays(hero.category())) * wins - scale * losses;
    let raises = if hero.is_at_least(Category::Pair) { terms.raises() } else { &[1] };
    let bets = raises.iter().map(|&times| {
        let total = scale * (i128::from(times) * play + ante) + blind;
        (Decision::Bet(times), Fraction::new(total, scale * dealers))
    });
    let fold = (Decision::Fold, Fraction::new(-2, 1));
    Advice::new(StreetName::ThreeCards, std::iter::once(fold).chain(bets).collect())
}

/// The reason a spot is impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdviceError {
    /// The hand has the wrong number of cards.
    Hand {
        /// How many cards a hand has.
        needs: usize,
        /// How many were given.
        found: usize,
    },
    /// The board has a number of cards at which there is nothing to decide.
    Board {
        /// The game.
        game: Game,
        /// How many were given.
        found: usize,
    },
    /// The dealer was given too many cards.
    Dealer {
        /// How many cards the dealer has.
        most: usize,
        /// How many were given.
        found: usize,
    },
    /// A card appears in two places.
    Repeated {
        /// The card.
        card: Card,
        /// Where it appears first.
        first: &'static str,
        /// Where it appears again.
        again: &'static str,
    },
    /// So many cards are known that the round cannot be dealt.
    TooFewLeft {
        /// How many cards are still to be dealt.
        needs: usize,
        /// How many cards are left.
        left: usize,
    },
}

impl fmt::Display for AdviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hand { needs, found } => write!(f, "a hand has {needs} cards, not {found}"),
            Self::Board { game: Game::Utcp, found } => {
                write!(f, "this game has no board, but {found} board cards were given")
            }
            Self::Board { game: Game::Uth, found } => {
                write!(f, "at a decision the board has no cards, three or five, not {found}")
            }
            Self::Dealer { most, found } => {
                write!(f, "the dealer has {most} cards, not {found}")
            }
            Self::Repeated { card, first, again } if first == again => {
                write!(f, "{card} is in the {first} twice")
            }
            Self::Repeated { card, first, again } => {
                let place = |name: &str| match name {
                    "dead" => "among the dead cards".to_owned(),
                    "dealer" => "among the dealer's cards".to_owned(),
                    name => format!("in the {name}"),
                };
                write!(f, "{card} is {} and also {}", place(first), place(again))
            }
            Self::TooFewLeft { needs, left } => {
                let cards = if *needs == 1 { "card is" } else { "cards are" };
                write!(f, "{needs} {cards} still to be dealt, but only {left} left")
            }
        }
    }
}

impl Error for AdviceError {}
