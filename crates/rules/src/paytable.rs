//! Pay tables.

use croupier_cards::Category;
use serde::{Serialize, Serializer};

use crate::closed_set::closed_set;
use crate::definition::{Definition, Faults};
use crate::game::Game;
use crate::ratio::Ratio;

closed_set! {
    /// The wager that a pay table is for.
    PayTableBet {
        /// The Blind of either game. It pays on a win; a hand that is not listed pushes.
        Blind = "blind",
        /// The bonus of Ultimate Texas Hold'em. A hand that is not listed loses.
        Trips = "trips",
        /// The bonus of Ultimate Three Card Poker. A hand that is not listed loses.
        PairPlus = "pair-plus",
    }
}

impl PayTableBet {
    /// Returns the games that have this wager.
    pub const fn games(self) -> &'static [Game] {
        match self {
            Self::Blind => &[Game::Uth, Game::Utcp],
            Self::Trips => &[Game::Uth],
            Self::PairPlus => &[Game::Utcp],
        }
    }

    /// Returns the bonus wager of a game.
    pub const fn bonus_of(game: Game) -> Self {
        match game {
            Game::Uth => Self::Trips,
            Game::Utcp => Self::PairPlus,
        }
    }

    /// Returns the result of the wager with a hand that its pay table does not list.
    pub const fn otherwise(self) -> &'static str {
        match self {
            Self::Blind => "push",
            Self::Trips | Self::PairPlus => "lose",
        }
    }
}

/// A row of a pay table as it is printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PayRow {
    /// The hand, or the hands.
    #[cfg_attr(feature = "schema", schema(example = "three of a kind or lower"))]
    pub hand: String,
    /// The payoff, such as `3 to 2`, or `push`, or `lose`.
    #[cfg_attr(feature = "schema", schema(example = "push"))]
    pub pays: String,
}

/// A pay table: what each hand pays.
///
/// ```
/// use croupier_cards::Category;
/// use croupier_rules::PayTable;
///
/// let table = PayTable::from_toml(
///     r#"
///         id = "MINE"
///         title = "Trips of my own"
///         source = "the back of an envelope"
///         bet = "trips"
///
///         [pays]
///         full-house = "9:1"
///         flush = "3:2"
///     "#,
/// )?;
/// assert_eq!(table.pays(Category::Flush).unwrap().to_string(), "3:2");
/// assert_eq!(table.pays(Category::Straight), None);
/// # Ok::<(), croupier_rules::Faults>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "schema",
    schema(
        description = "A pay table: the odds that each hand pays.",
        example = json!({
            "id": "MINE", "title": "Trips of my own", "source": "the back of an envelope",
            "bet": "trips", "pays": {"full-house": "9:1", "flush": "3:2"}
        })
    )
)]
#[serde(deny_unknown_fields)]
pub struct PayTable {
    /// The id, by which houses and records refer to it.
    #[cfg_attr(feature = "schema", schema(min_length = 1, example = "UTH-01"))]
    id: String,
    /// The title.
    #[cfg_attr(feature = "schema", schema(min_length = 1))]
    title: String,
    /// The document it comes from.
    #[cfg_attr(feature = "schema", schema(min_length = 1))]
    source: String,
    bet: PayTableBet,
    /// The odds that each hand pays, such as `flush`: `3:2`.
    #[serde(serialize_with = "write_pays")]
    #[cfg_attr(
        feature = "schema",
        schema(value_type = std::collections::BTreeMap<String, String>)
    )]
    pays: Pays,
}

/// The odds that each hand pays, by the place of its category in [`Category::ALL`].
type Pays = [Option<Ratio>; Category::ALL.len()];

impl PayTable {
    /// Reads a pay table written in TOML.
    ///
    /// # Errors
    ///
    /// All its faults, with line numbers.
    pub fn from_toml(text: &str) -> Result<Self, Faults> {
        let mut definition = Definition::from_toml(text);
        let table = Self::read(&mut definition);
        definition.finish(table)
    }

    /// Reads a pay table written in JSON, with the same fields.
    ///
    /// # Errors
    ///
    /// All its faults.
    pub fn from_json(value: &serde_json::Value) -> Result<Self, Faults> {
        let mut definition = Definition::from_json(value);
        let table = Self::read(&mut definition);
        definition.finish(table)
    }

    fn read(definition: &mut Definition) -> Option<Self> {
        let [id, title, source] =
            ["id", "title", "source"].map(|field| definition.filled_text(field));
        let bet = definition.word("bet");
        let mut pays = [None; Category::ALL.len()];
        let mut listed = Vec::new();
        let names = definition.names("pays").unwrap_or_default();
        // A name with a dot in it is not a path; it will be reported as unknown.
        for name in names.into_iter().filter(|name| !name.contains('.')) {
            let path = format!("pays.{name}");
            let ratio = definition.text(&path);
            match hand_named(&name, bet) {
                Ok(hand) if listed.contains(&hand) => {
                    definition
                        .fault(&path, "with three cards this is the mini royal, already listed");
                }
                Ok(hand) => {
                    listed.push(hand);
                    match ratio.map(|text| text.parse()) {
                        Some(Ok(ratio)) => pays[hand as usize] = Some(ratio),
                        Some(Err(error)) => definition.fault(&path, format!("{error}")),
                        None => {}
                    }
                }
                Err(message) => definition.fault(&path, message),
            }
        }
        // Checked before the other fields are needed: every fault is named at once.
        let games = bet.map_or(Game::ALL, PayTableBet::games);
        if !games.iter().any(|&game| listed.iter().all(|&hand| has(game, hand))) {
            definition.fault("pays", "no game has all of these hands");
        }
        Some(Self { id: id?, title: title?, source: source?, bet: bet?, pays })
    }

    /// Returns a pay table that lists no hands. It stands in for one that could not be read.
    pub(crate) fn blank(bet: PayTableBet) -> Self {
        let (id, title, source) = Default::default();
        Self { id, title, source, bet, pays: [None; Category::ALL.len()] }
    }

    /// Returns the name that houses and records use for the table.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the display name.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the document it comes from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the wager it is for.
    pub const fn bet(&self) -> PayTableBet {
        self.bet
    }

    /// Returns the payoff on a hand's own line, if the table has one.
    pub(crate) const fn line(&self, hand: Category) -> Option<Ratio> {
        self.pays[hand as usize]
    }

    /// Returns what a hand pays, or `None` if the table does not list it.
    ///
    /// With three cards, "royal flush" means the mini royal, whichever of the two words was
    /// written.
    pub fn pays(&self, hand: Category) -> Option<Ratio> {
        let also = (hand == Category::MiniRoyal).then_some(Category::RoyalFlush);
        [Some(hand), also].into_iter().flatten().find_map(|hand| self.pays[hand as usize])
    }

    /// Tells whether a game has all the hands that the table lists.
    pub fn fits(&self, game: Game) -> bool {
        let mut listed =
            Category::ALL.into_iter().filter(|&hand| self.pays[hand as usize].is_some());
        listed.all(|hand| has(game, hand))
    }

    /// Returns the hands that the table lists for a game, strongest first, and what they pay.
    pub fn lines(&self, game: Game) -> impl Iterator<Item = (Category, Ratio)> {
        let hands = game.def().hands.iter().rev();
        hands.filter_map(|&hand| Some((hand, self.pays(hand)?)))
    }

    /// Returns all rows of the table as printed for a game: the hands that it lists, and
    /// [the rest](Self::rest).
    ///
    /// ```
    /// let catalog = croupier_rules::Catalog::shipped();
    /// let rows = catalog.paytable("UTH")?.rows(croupier_rules::Game::Uth);
    /// assert_eq!((&*rows[4].hand, &*rows[4].pays), ("flush", "3 to 2"));
    /// assert_eq!((&*rows[6].hand, &*rows[6].pays), ("three of a kind or lower", "push"));
    /// # Ok::<(), croupier_rules::UnknownId>(())
    /// ```
    pub fn rows(&self, game: Game) -> Vec<PayRow> {
        let named = self
            .lines(game)
            .map(|(hand, pays)| PayRow { hand: hand.to_string(), pays: format!("{pays:#}") });
        named.chain(self.rest(game)).collect()
    }

    /// Returns the last row: the result of the hands of a game that the table does not list, or
    /// `None` if it lists them all.
    pub fn rest(&self, game: Game) -> Option<PayRow> {
        // Weakest first.
        let hands = game.def().hands;
        let below = hands.iter().take_while(|&&hand| self.pays(hand).is_none()).count();
        let unnamed = hands.iter().filter(|&&hand| self.pays(hand).is_none()).count();
        if unnamed == 0 {
            return None;
        }
        let hand = match self.bet {
            PayTableBet::Blind if unnamed == below && below < hands.len() => match below {
                1 => hands[0].to_string(),
                _ => format!("{} or lower", hands[below - 1]),
            },
            _ => "other".to_owned(),
        };
        Some(PayRow { hand, pays: self.bet.otherwise().to_owned() })
    }

    /// Returns the game, taken from the hands where the wager doesn't decide it.
    ///
    /// A Blind table that lists only hands common to both games fits both; it counts as Texas
    /// Hold'em's.
    pub fn game(&self) -> Game {
        match self.bet {
            PayTableBet::PairPlus => Game::Utcp,
            PayTableBet::Blind if self.pays[Category::MiniRoyal as usize].is_some() => Game::Utcp,
            PayTableBet::Blind | PayTableBet::Trips => Game::Uth,
        }
    }

    /// Returns hands of a game that pay less than the next weaker paying hand, each with that
    /// weaker hand: odd, but not wrong. Of several in a row that pay nothing, only the weakest is
    /// returned.
    pub fn oddities(&self, game: Game) -> Vec<(Category, Category)> {
        let pays = |hand: Category| self.pays(hand).filter(|ratio| ratio.pays() > 0);
        let hands = game.def().hands;
        let mut oddities = Vec::new();
        let mut weaker = None;
        for (place, &hand) in hands.iter().enumerate() {
            let next_to = place > 0 && weaker == Some(hands[place - 1]);
            match weaker {
                Some(weaker) if pays(hand) < pays(weaker) && (pays(hand).is_some() || next_to) => {
                    oddities.push((hand, weaker));
                }
                _ => {}
            }
            if pays(hand).is_some() {
                weaker = Some(hand);
            }
        }
        oddities.reverse();
        oddities
    }
}

/// Tells whether a game has a hand. The sheets of the three-card game call the mini royal a royal
/// flush.
fn has(game: Game, hand: Category) -> bool {
    let is_mini_royal = game == Game::Utcp && hand == Category::RoyalFlush;
    is_mini_royal || game.def().hands.contains(&hand)
}

/// Returns the hand with this name, or an error message if the wager has no such hand.
fn hand_named(name: &str, bet: Option<PayTableBet>) -> Result<Category, String> {
    let games = bet.map_or(Game::ALL, PayTableBet::games);
    let known = |hand: &Category| games.iter().any(|game| game.def().hands.contains(hand));
    let found = Category::ALL.into_iter().find(|hand| hand.id() == name);
    match found {
        // The sheets of the three-card game call it a royal flush.
        Some(Category::RoyalFlush) if games == [Game::Utcp] => Ok(Category::MiniRoyal),
        Some(hand) if known(&hand) => Ok(hand),
        _ => {
            let hands = Category::ALL.into_iter().filter(known).map(Category::id);
            Err(format!(
                "there is no such hand: write one of {}",
                hands.collect::<Vec<_>>().join(", ")
            ))
        }
    }
}

/// Writes what each hand pays by the names of the hands, strongest first.
fn write_pays<S: Serializer>(pays: &Pays, serializer: S) -> Result<S::Ok, S::Error> {
    let hands = Category::ALL.into_iter().rev();
    let lines = hands.filter_map(|hand| Some((hand.id(), pays[hand as usize]?.to_string())));
    serializer.collect_map(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
id = "MINE"
title = "Mine"
source = "me"
bet = "trips"

[pays]
royal-flush = "50:1"
flush = "3:2"
"#;

    fn faults(text: &str) -> Vec<String> {
        PayTable::from_toml(text).unwrap_err().all().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn hands_that_are_not_listed_do_not_pay() {
        let table = PayTable::from_toml(GOOD).unwrap();
        let lines: Vec<_> =
            table.lines(Game::Uth).map(|(hand, pays)| (hand, pays.to_string())).collect();
        assert_eq!(
            lines,
            [(Category::RoyalFlush, "50:1".to_owned()), (Category::Flush, "3:2".to_owned())]
        );
        assert_eq!(table.pays(Category::FullHouse), None);
    }

    /// The last row of a Blind that pays for these hands.
    fn rest_of_blind(game: Game, pays: &[&str]) -> Option<(String, String)> {
        let head = GOOD.split("royal-flush").next().expect("a head").replace("trips", "blind");
        let pays: Vec<String> = pays.iter().map(|hand| format!("{hand} = \"2:1\"\n")).collect();
        let table = PayTable::from_toml(&(head + &pays.concat())).unwrap();
        let rows = table.rows(game);
        assert_eq!(rows.len(), pays.len() + usize::from(table.rest(game).is_some()));
        table.rest(game).map(|row| (row.hand, row.pays))
    }

    #[test]
    fn the_last_row_has_the_hands_that_are_not_listed() {
        let push = |hand: &str| Some((hand.to_owned(), "push".to_owned()));
        assert_eq!(rest_of_blind(Game::Uth, &["flush", "full-house"]), push("other"));
        let better = ["four-of-a-kind", "straight-flush", "royal-flush"];
        let high = [&["flush", "full-house"], &better[..]].concat();
        assert_eq!(rest_of_blind(Game::Uth, &high), push("straight or lower"));
        let from_pair = [&["pair", "two-pair", "three-of-a-kind", "straight"], &high[..]].concat();
        assert_eq!(rest_of_blind(Game::Uth, &from_pair), push("high card"));
        assert_eq!(rest_of_blind(Game::Uth, &[&["high-card"], &from_pair[..]].concat()), None);
        // With three cards a flush is the next hand above a pair.
        let three =
            ["flush", "straight", "three-of-a-kind", "straight-flush", "mini-royal"].as_slice();
        assert_eq!(rest_of_blind(Game::Utcp, three), push("pair or lower"));
        let bonus = PayTable::from_toml(GOOD).unwrap().rest(Game::Uth).unwrap();
        assert_eq!((&*bonus.hand, &*bonus.pays), ("other", "lose"));
    }

    #[test]
    fn three_faults_get_three_messages_with_their_lines() {
        let text = GOOD
            .replace("\"trips\"", "\"tripps\"")
            .replace("\"50:1\"", "\"fifty\"")
            .replace("flush = \"3:2\"", "flsh = \"3:2\"");
        let faults = faults(&text);
        assert_eq!(faults.len(), 3);
        assert_eq!(
            faults[0],
            "line 5: bet: \"tripps\" is unknown: write one of blind, trips, pair-plus"
        );
        assert_eq!(
            faults[1],
            "line 8: pays.royal-flush: \"fifty\" is not a payoff: write two whole numbers, \
             as in 3:2"
        );
        assert!(
            faults[2]
                .starts_with("line 9: pays.flsh: there is no such hand: write one of high-card,")
        );
    }

    #[test]
    fn a_missing_or_unknown_field_is_a_fault() {
        let text = GOOD.replace("title = \"Mine\"", "titel = \"Mine\"").replace("[pays]", "[pay]");
        assert_eq!(
            faults(&text),
            [
                "line 3: titel: there is no such field",
                "line 7: pay: there is no such field",
                "pays: it is missing: write a table",
                "title: it is missing: write a string",
            ]
        );
        assert_eq!(
            faults(&GOOD.replace("\"3:2\"", "1.5").replace("id = \"MINE\"", "id = \"\"")),
            [
                "line 2: id: it is empty",
                "line 9: pays.flush: it is a number with a fraction and should be a string"
            ]
        );
    }

    #[test]
    fn hands_of_two_games_are_named_along_with_every_other_fault() {
        let text = GOOD.replace("\"trips\"", "\"blind\"").replace("id = \"MINE\"", "id = \"\"");
        let text = text
            .replace("royal-flush", "mini-royal")
            .replace("flush = \"3:2\"", "two-pair = \"x\"");
        assert_eq!(
            faults(&text),
            [
                "line 2: id: it is empty",
                "line 7: pays: no game has all of these hands",
                "line 9: pays.two-pair: \"x\" is not a payoff: write two whole numbers, as in 3:2",
            ]
        );
    }

    #[test]
    fn negative_and_infinite_payoffs_are_faults() {
        for wrong in ["-1:1", "1:0", "1", "1:-2"] {
            let faults = faults(&GOOD.replace("3:2", wrong));
            assert_eq!(faults.len(), 1);
            assert!(faults[0].contains("is not a payoff"), "{faults:?}");
        }
    }

    #[test]
    fn invalid_toml_gets_no_other_message() {
        let faults = faults(&GOOD.replace("title = \"Mine\"", "title = \"Mine"));
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].starts_with("line 3: this is not TOML: "), "{faults:?}");
    }

    #[test]
    fn dotted_names_and_control_characters_are_faults() {
        assert_eq!(
            faults(&GOOD.replace("flush = \"3:2\"", "\"a.flush\" = \"3:2\"")),
            [r#"line 9: pays."a.flush": there is no such field"#]
        );
        assert_eq!(
            faults(&GOOD.replace("\"MINE\"", r#""MI\u001b[2JNE""#)),
            ["line 2: id: it has a control character, such as a line break: write plain text"]
        );
    }

    #[test]
    fn the_royal_of_three_cards_has_two_names() {
        let text = GOOD.replace("\"trips\"", "\"pair-plus\"");
        let table = PayTable::from_toml(&text).unwrap();
        assert_eq!(table.pays(Category::MiniRoyal), Some(Ratio::new(50, 1).unwrap()));
        let twice =
            text.replace("royal-flush = \"50:1\"", "royal-flush = \"50:1\"\nmini-royal = \"9:1\"");
        assert_eq!(
            faults(&twice),
            ["line 8: pays.royal-flush: with three cards this is the mini royal, already listed"]
        );
    }

    #[test]
    fn a_weaker_hand_that_pays_more_is_odd_but_allowed() {
        let table = PayTable::from_toml(&GOOD.replace("50:1", "1:1")).unwrap();
        assert_eq!(
            table.oddities(Game::Uth),
            [
                (Category::RoyalFlush, Category::Flush),
                // It is not listed, so it loses.
                (Category::FullHouse, Category::Flush),
            ]
        );
    }
}
