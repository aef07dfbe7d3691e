//! Human strategies: rules that a player can remember.
//!
//! A strategy is a list of rules for each street. The first rule whose conditions all hold decides;
//! if none does, the player checks, or folds where a check isn't possible. A street may also be
//! left to the best play, to see the cost of the others by themselves.
//!
//! Conditions depend on nothing that changes with the names of suits, and on the river on nothing
//! that a suit with fewer than three cards on the board could change. That is why the cost of a
//! strategy can be counted exactly.

mod features;
mod range;

use std::error::Error;
use std::fmt;

use croupier_cards::{Card, CardSet, Category, Rank, Three};
use croupier_rules::{Decision, Game, StreetName};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

pub use range::{ParseRangeError, Range};

use crate::holdem::policy::{RiverSpot, ranks_of_board};
use crate::hole_kind::HoleKind;
use features::{FlopFeatures, RiverFeatures};

/// A strategy, read from TOML.
#[derive(Clone, Debug)]
pub struct Strategy {
    id: String,
    title: String,
    source: String,
    game: Game,
    streets: Vec<StreetRules>,
}

/// Returns the key of a street in files, and in reports about them.
pub const fn street_key(street: StreetName) -> &'static str {
    match street {
        // Files have had this key from the beginning.
        StreetName::BeforeFlop => "before-flop",
        street => street.id(),
    }
}

/// The decisions on a street.
#[derive(Clone, Debug)]
enum StreetRules {
    /// The best play.
    Best,
    /// The action of the first rule that fits.
    Rules(Vec<Rule>),
}

/// A strategy as it appears in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Text {
    id: String,
    title: String,
    source: String,
    #[serde(deserialize_with = "game")]
    game: Game,
    before_flop: Option<StreetText>,
    flop: Option<StreetText>,
    river: Option<StreetText>,
    three_cards: Option<StreetText>,
}

/// A street as it appears in a file.
enum StreetText {
    Best(String),
    Rules(Vec<Rule>),
}

impl<'de> Deserialize<'de> for StreetText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Street;

        // Implemented by hand, to report an error in a rule exactly.
        impl<'de> Visitor<'de> for Street {
            type Value = StreetText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("rules, or \"best\"")
            }

            fn visit_str<E>(self, word: &str) -> Result<StreetText, E> {
                Ok(StreetText::Best(word.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<StreetText, A::Error> {
                let mut rules = Vec::new();
                while let Some(rule) = seq.next_element()? {
                    rules.push(rule);
                }
                Ok(StreetText::Rules(rules))
            }
        }

        deserializer.deserialize_any(Street)
    }
}

/// A rule: an action under some conditions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Rule {
    /// Its name.
    name: Option<String>,
    /// The holes it is for.
    #[serde(default, deserialize_with = "range")]
    holes: Option<Range>,
    /// The holes it is not for.
    #[serde(default, deserialize_with = "range")]
    not_holes: Option<Range>,
    /// The minimum hand, of all cards so far.
    #[serde(default, deserialize_with = "category")]
    hand: Option<Category>,
    /// Whether a hole card is paired, by the other or by the board.
    hidden_pair: Option<bool>,
    /// Four of a suit, with the highest hole card among them being at least of this rank.
    #[serde(default, deserialize_with = "rank")]
    four_flush: Option<Rank>,
    /// How many ranks would make a straight with a hole card.
    straight_ranks_at_least: Option<usize>,
    /// The kind of flop.
    board: Option<Board>,
    /// How many hole cards are above the whole flop.
    overcards_at_least: Option<usize>,
    /// Whether the hand is better than the board by itself.
    beats_board: Option<bool>,
    /// How many single cards, in the dealer's hand, would beat the player.
    outs_at_most: Option<u32>,
    /// Three ranks that the hand must match or beat.
    #[serde(default, deserialize_with = "cards")]
    cards: Option<Three>,
    /// The action.
    #[serde(deserialize_with = "decision")]
    then: Decision,
}

/// The kinds of flop by rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Board {
    Unpaired,
    Pair,
    Trips,
}

/// A rule's number on its street, and its action; the last number means that no rule fits.
pub(crate) type Choice = (usize, Decision);

impl Strategy {
    /// The built-in strategies, by their ids.
    pub const SHIPPED: [(&'static str, &'static str); 3] = [
        ("short", include_str!("../data/strategies/short.toml")),
        ("croupier", include_str!("../data/strategies/croupier.toml")),
        ("utcp-short", include_str!("../data/strategies/utcp-short.toml")),
    ];

    /// Returns a built-in strategy.
    ///
    /// # Panics
    ///
    /// Never: a test reads those files.
    pub fn shipped(id: &str) -> Option<Self> {
        let (_, text) = Self::SHIPPED.iter().find(|(known, _)| *known == id)?;
        Some(Self::from_toml(text).expect("a test reads it"))
    }

    /// Parses a strategy.
    ///
    /// # Errors
    ///
    /// When the text is not a valid strategy; the error names the place.
    pub fn from_toml(text: &str) -> Result<Self, StrategyError> {
        let read: Text = toml::from_str(text)
            .map_err(|error| StrategyError(error.to_string().trim_end().to_owned()))?;
        let streets = [
            (StreetName::BeforeFlop, Game::Uth, read.before_flop),
            (StreetName::Flop, Game::Uth, read.flop),
            (StreetName::River, Game::Uth, read.river),
            (StreetName::ThreeCards, Game::Utcp, read.three_cards),
        ];
        let mut rules = Vec::new();
        for (name, game, street) in streets {
            let key = street_key(name);
            match street {
                None if game == read.game => {
                    let message = format!("{key} is missing: write rules, or \"best\"");
                    return Err(StrategyError(message));
                }
                None => {}
                Some(_) if game != read.game => {
                    let title = read.game.def().title;
                    return Err(StrategyError(format!("{title} has no {key}")));
                }
                Some(street) => rules.push(street.check(name, read.game)?),
            }
        }
        let Text { id, title, source, game, .. } = read;
        for (field, text) in [("id", &id), ("title", &title), ("source", &source)] {
            if text.trim().is_empty() || text.contains(char::is_control) {
                return Err(StrategyError(format!("{field}: write a text on one line")));
            }
        }
        Ok(Self { id, title, source, game, streets: rules })
    }

    /// Leaves the first street to the best play, so that only the later streets cost something.
    #[must_use]
    pub fn with_best_start(mut self) -> Self {
        self.streets[0] = StreetRules::Best;
        self
    }

    /// Returns the name that commands use for it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns its title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns its source.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the game it is for.
    pub const fn game(&self) -> Game {
        self.game
    }

    /// Returns its action in a spot, out of the allowed ones. It takes the player's cards, and the
    /// community cards turned up so far. It looks the rules up and solves nothing.
    ///
    /// If a rule's action is not allowed, it is the nearest allowed bet, and the smaller of two
    /// equally near ones; if no bet is allowed, a check, and otherwise a fold. Where there are no
    /// rules, because a street is left to the best play or the cards don't belong to a street of
    /// its game, it checks, or folds where a check isn't allowed. If nothing is allowed, it is the
    /// rule's action.
    ///
    /// ```
    /// use croupier_cards::parse_cards;
    /// use croupier_odds::Strategy;
    /// use croupier_rules::Decision;
    ///
    /// let short = Strategy::shipped("short").expect("it is built in");
    /// let hand = parse_cards("Kd 5s")?;
    /// let bets = [Decision::Check, Decision::Bet(3), Decision::Bet(4)];
    /// assert_eq!(short.decide(&hand, &[], &bets), Decision::Bet(4));
    /// assert_eq!(short.decide(&hand, &[], &bets[..2]), Decision::Bet(3));
    /// # Ok::<(), croupier_cards::ParseCardsError>(())
    /// ```
    pub fn decide(&self, hand: &[Card], board: &[Card], allowed: &[Decision]) -> Decision {
        let wanted = self.wanted(hand, board);
        if let Some(wanted) = wanted.filter(|wanted| allowed.contains(wanted)) {
            return wanted;
        }
        let bets = allowed.iter().filter_map(|&decision| match decision {
            Decision::Bet(times) => Some(times),
            Decision::Check | Decision::Fold => None,
        });
        let nearest = match wanted {
            Some(Decision::Bet(wanted)) => {
                bets.min_by_key(|&times| (times.abs_diff(wanted), times))
            }
            _ => None,
        };
        let passes = [Decision::Check, Decision::Fold].into_iter();
        nearest
            .map(Decision::Bet)
            .or_else(|| passes.into_iter().find(|pass| allowed.contains(pass)))
            .or_else(|| allowed.first().copied())
            .or(wanted)
            .unwrap_or(Decision::Fold)
    }

    /// Returns the action of the rules, if there are rules for such cards.
    fn wanted(&self, hand: &[Card], board: &[Card]) -> Option<Decision> {
        let [hand_set, board_set] = [hand, board].map(|cards| cards.iter().copied().collect());
        let all: CardSet = hand_set | board_set;
        if all.len() != hand.len() + board.len() {
            return None;
        }
        let choice = match (self.game, hand, board.len()) {
            (Game::Uth, &[one, other], 0) => self.before_flop(HoleKind::of(one, other)),
            (Game::Uth, &[one, other], 3) => self.on_flop([one, other], board_set),
            (Game::Uth, &[one, other], 5) => {
                let ranks = ranks_of_board(board_set);
                self.on_river(&RiverSpot::of([one, other], board_set, &ranks))
            }
            (Game::Utcp, [_, _, _], 0) => self.with_three(Three::of(hand_set)),
            _ => None,
        };
        choice.map(|(_, decision)| decision)
    }

    /// Returns the number of all its rules.
    pub fn rules(&self) -> usize {
        let many = |street: &StreetRules| match street {
            StreetRules::Best => 0,
            StreetRules::Rules(rules) => rules.len(),
        };
        self.streets.iter().map(many).sum()
    }

    /// Returns the names of the rules of a street, plus one for when none fits. A street that is
    /// left to the best play has none.
    pub(crate) fn rule_names(&self, street: usize) -> Vec<String> {
        let StreetRules::Rules(rules) = &self.streets[street] else { return Vec::new() };
        let names = rules.iter().enumerate().map(|(number, rule)| {
            rule.name.clone().unwrap_or_else(|| format!("rule {}", number + 1))
        });
        names.chain(["no rule".to_owned()]).collect()
    }

    /// Returns its choice before the flop, unless that is left to the best play.
    pub(crate) fn before_flop(&self, kind: HoleKind) -> Option<Choice> {
        self.first(0, Decision::Check, |rule| rule.fits_hole(kind))
    }

    /// Returns its choice on the flop, unless that is left to the best play.
    pub(crate) fn on_flop(&self, hole: [Card; 2], flop: CardSet) -> Option<Choice> {
        if matches!(self.streets[1], StreetRules::Best) {
            return None;
        }
        let kind = HoleKind::of(hole[0], hole[1]);
        let features = FlopFeatures::new(hole, flop);
        self.first(1, Decision::Check, |rule| rule.fits_hole(kind) && rule.fits_flop(&features))
    }

    /// Returns its choice on the river, unless that is left to the best play.
    pub(crate) fn on_river(&self, spot: &RiverSpot<'_>) -> Option<Choice> {
        if matches!(self.streets[2], StreetRules::Best) {
            return None;
        }
        let features = RiverFeatures::new(spot);
        self.first(2, Decision::Fold, |rule| rule.fits_river(&features))
    }

    /// Returns its choice with three cards, unless that is left to the best play.
    pub(crate) fn with_three(&self, three: Three) -> Option<Choice> {
        self.first(0, Decision::Fold, |rule| {
            rule.hand.is_none_or(|hand| three.is_at_least(hand))
                && rule.cards.is_none_or(|cards| three >= cards)
        })
    }

    fn first(
        &self,
        street: usize,
        otherwise: Decision,
        fits: impl Fn(&Rule) -> bool,
    ) -> Option<Choice> {
        let StreetRules::Rules(rules) = &self.streets[street] else { return None };
        let found = rules.iter().position(fits);
        Some(found.map_or((rules.len(), otherwise), |number| (number, rules[number].then)))
    }
}

impl StreetText {
    fn check(self, street: StreetName, game: Game) -> Result<StreetRules, StrategyError> {
        let key = street_key(street);
        let mut rules = match self {
            Self::Best(word) if word == "best" => return Ok(StreetRules::Best),
            Self::Best(word) => {
                let message = format!("{key}: \"{word}\" is unknown: write rules, or \"best\"");
                return Err(StrategyError(message));
            }
            Self::Rules(rules) => rules,
        };
        for (number, rule) in (1..).zip(&mut rules) {
            rule.check(street, game)
                .map_err(|message| StrategyError(format!("{key}, rule {number}: {message}")))?;
        }
        Ok(StreetRules::Rules(rules))
    }
}

impl Rule {
    /// Checks that every part of it applies to a street of a game.
    fn check(&mut self, street: StreetName, game: Game) -> Result<(), String> {
        let mut conditions = self.conditions().into_iter();
        if let Some((condition, on)) = conditions.find(|(_, streets)| !streets.contains(&street)) {
            let on: Vec<&str> = on.iter().copied().map(street_key).collect();
            return Err(format!("{condition} applies to {} only", on.join(" and ")));
        }
        // As in pay tables, the mini royal may be called a royal flush.
        if game == Game::Utcp && self.hand == Some(Category::RoyalFlush) {
            self.hand = Some(Category::MiniRoyal);
        }
        let hands = game.def().hands;
        if let Some(hand) = self.hand.filter(|hand| !hands.contains(hand)) {
            let known: Vec<&str> = hands.iter().map(|hand| hand.id()).collect();
            let (title, known) = (game.def().title, known.join(", "));
            return Err(format!("{title} has no {}: write one of {known}", hand.id()));
        }
        let allowed = match (street, self.then) {
            (StreetName::BeforeFlop, decision) => decision != Decision::Fold,
            (StreetName::Flop, decision) => matches!(decision, Decision::Check | Decision::Bet(2)),
            (StreetName::River, decision) => matches!(decision, Decision::Fold | Decision::Bet(1)),
            (StreetName::ThreeCards, decision) => decision != Decision::Check,
        };
        if allowed { Ok(()) } else { Err(format!("you can't {} there", self.then)) }
    }

    /// Returns its conditions, each with the streets it applies to.
    fn conditions(&self) -> Vec<(&'static str, &'static [StreetName])> {
        use StreetName::{BeforeFlop, Flop, River, ThreeCards};
        let conditions: [(&str, bool, &[StreetName]); 11] = [
            ("holes", self.holes.is_some(), &[BeforeFlop, Flop]),
            ("not-holes", self.not_holes.is_some(), &[BeforeFlop, Flop]),
            ("hand", self.hand.is_some(), &[Flop, River, ThreeCards]),
            ("hidden-pair", self.hidden_pair.is_some(), &[Flop, River]),
            ("four-flush", self.four_flush.is_some(), &[Flop]),
            ("straight-ranks-at-least", self.straight_ranks_at_least.is_some(), &[Flop]),
            ("board", self.board.is_some(), &[Flop]),
            ("overcards-at-least", self.overcards_at_least.is_some(), &[Flop]),
            ("beats-board", self.beats_board.is_some(), &[River]),
            ("outs-at-most", self.outs_at_most.is_some(), &[River]),
            ("cards", self.cards.is_some(), &[ThreeCards]),
        ];
        let there = conditions.into_iter().filter(|(_, there, _)| *there);
        there.map(|(name, _, streets)| (name, streets)).collect()
    }

    fn fits_hole(&self, kind: HoleKind) -> bool {
        self.holes.as_ref().is_none_or(|holes| holes.contains(kind))
            && self.not_holes.as_ref().is_none_or(|holes| !holes.contains(kind))
    }

    fn fits_flop(&self, seen: &FlopFeatures) -> bool {
        self.hand.is_none_or(|hand| seen.five.is_at_least(hand))
            && self.hidden_pair.is_none_or(|hidden| hidden == seen.hidden_pair)
            && self.four_flush.is_none_or(|least| seen.four_flush.is_some_and(|high| high >= least))
            && self.straight_ranks_at_least.is_none_or(|least| seen.straight_ranks >= least)
            && self.board.is_none_or(|board| board == seen.board)
            && self.overcards_at_least.is_none_or(|least| seen.overcards >= least)
    }

    fn fits_river(&self, seen: &RiverFeatures<'_>) -> bool {
        self.hand.is_none_or(|hand| seen.five().is_at_least(hand))
            && self.hidden_pair.is_none_or(|hidden| hidden == seen.hidden_pair())
            && self.beats_board.is_none_or(|beats| beats == (seen.five() > seen.board()))
            && self.outs_at_most.is_none_or(|most| seen.outs() <= most)
    }
}

/// An error in a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyError(String);

impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for StrategyError {}

fn game<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
    let id = String::deserialize(deserializer)?;
    let found = Game::ALL.iter().copied().find(|game| game.id() == id);
    found.ok_or_else(|| serde::de::Error::custom(format!("\"{id}\" is unknown: write uth or utcp")))
}

fn range<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Range>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

fn category<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Category>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

fn rank<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Rank>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let letter = text.replace("10", "T");
    let mut letters = letter.chars();
    match (letters.next().and_then(Rank::from_letter), letters.next()) {
        (Some(rank), None) => Ok(Some(rank)),
        _ => Err(serde::de::Error::custom(format!(
            "\"{text}\" is not a rank: write 2 to 9, T, J, Q, K, A"
        ))),
    }
}

fn decision<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decision, D::Error> {
    let text = String::deserialize(deserializer)?;
    let bet = || text.strip_prefix("bet ")?.parse().ok().map(Decision::Bet);
    let found = match text.as_str() {
        "check" => Some(Decision::Check),
        "fold" => Some(Decision::Fold),
        _ => bet(),
    };
    let message = || format!("\"{text}\" is unknown: write check, fold, or bet N");
    found.ok_or_else(|| serde::de::Error::custom(message()))
}

/// Parses three ranks, such as `J-7-4` or `QQ2`, as the weakest hand that they make.
fn cards<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Three>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let letters = text.replace("10", "T");
    let ranks: Option<Vec<Rank>> =
        letters.chars().filter(|letter| !"- ".contains(*letter)).map(Rank::from_letter).collect();
    let suits = croupier_cards::Suit::ALL;
    let cards = ranks.filter(|ranks| ranks.len() == 3).map(|ranks| {
        ranks.into_iter().zip(suits).map(|(rank, suit)| Card::new(rank, suit)).collect::<CardSet>()
    });
    match cards {
        Some(cards) => Ok(Some(Three::of(cards))),
        None => {
            Err(serde::de::Error::custom(format!("\"{text}\" is not a hand: write one like J-7-4")))
        }
    }
}
