//! The bodies of requests, and the questions they are parsed into.

use croupier_cards::{Card, parse_cards};
use croupier_odds::{Known, Strategy, Terms};
use croupier_rules::{Catalog, Faults, Game, PayTable, PayTableBet, UnknownId};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value};
use utoipa::{IntoParams, ToSchema};

use super::question::Question;
use crate::http::problem::{Code, Problem};

/// A pay table: the id of one that comes with Croupier, or one of your own in full.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "a pay table is an id or an object")]
pub(super) enum PayTableChoice {
    /// An id.
    #[schema(example = "UTH")]
    Id(String),
    /// A pay table of your own.
    #[schema(value_type = PayTable)]
    Own(Map<String, Value>),
}

/// The terms of a PAR sheet. Without a house, a game is required. A field that is left out is as in
/// the house, or the game's default.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"game": "uth", "bonus": "UTH-02"}))]
pub(super) struct OddsRequest {
    game: Option<Game>,
    /// The house whose terms apply.
    #[schema(example = "uth-standard")]
    house: Option<String>,
    /// The Blind's pay table.
    #[schema(example = "UTH")]
    blind: Option<PayTableChoice>,
    /// The bonus pay table.
    #[schema(example = "UTH-02")]
    bonus: Option<PayTableChoice>,
    /// The multiples of the Ante that may be bet before the flop, or with a pair in `utcp`.
    #[serde(default, deserialize_with = "whole_numbers")]
    #[schema(min_items = 1, max_items = 10, minimum = 1, maximum = 1000, example = json!([3, 4]))]
    raises: Option<Vec<u32>>,
    /// Whether the dealer has to qualify.
    qualifying: Option<bool>,
}

/// A spot. Cards are written as in `As Kd Th 2c`. Without a house, a game is required. A field that
/// is left out is as in the house, or the game's default.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"game": "uth", "hand": "Ad Jh", "board": "4s 5h 6d 8c 9d"}))]
pub(super) struct AdviceRequest {
    game: Option<Game>,
    /// The house whose terms apply.
    #[schema(example = "uth-standard")]
    house: Option<String>,
    /// The Blind's pay table.
    #[schema(example = "UTH")]
    blind: Option<PayTableChoice>,
    /// The multiples of the Ante that may be bet before the flop, or with a pair in `utcp`.
    #[serde(default, deserialize_with = "whole_numbers")]
    #[schema(min_items = 1, max_items = 10, minimum = 1, maximum = 1000, example = json!([3, 4]))]
    raises: Option<Vec<u32>>,
    /// Whether the dealer has to qualify.
    qualifying: Option<bool>,
    /// Your cards: two, or three in `utcp`.
    #[schema(max_length = 256, example = "Ad Jh")]
    hand: String,
    /// The community cards that are face up: none, three or five.
    #[schema(max_length = 256, example = "4s 5h 6d")]
    board: Option<String>,
    /// Other cards that you have seen.
    #[schema(max_length = 256, example = "Kc")]
    dead: Option<String>,
    /// The dealer's cards that you have seen.
    #[schema(max_length = 256, example = "2h")]
    dealer: Option<String>,
}

/// A strategy, and the terms it is played on. A field that is left out is as in the house, or the
/// default of the strategy's game.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"strategy": "short"}))]
pub(super) struct CostRequest {
    /// The id of a strategy that comes with Croupier, or the text of one of your own in TOML, with
    /// at most 32 rules.
    #[schema(max_length = 16384, example = "short")]
    strategy: String,
    /// The house whose terms apply.
    #[schema(example = "uth-standard")]
    house: Option<String>,
    /// The Blind's pay table.
    #[schema(example = "UTH")]
    blind: Option<PayTableChoice>,
    /// The multiples of the Ante that may be bet before the flop, or with a pair in `utcp`.
    #[serde(default, deserialize_with = "whole_numbers")]
    #[schema(min_items = 1, max_items = 10, minimum = 1, maximum = 1000, example = json!([3, 4]))]
    raises: Option<Vec<u32>>,
    /// Whether the dealer has to qualify.
    qualifying: Option<bool>,
}

/// The terms of a chart. A parameter that is left out is as in the house, or the game's default.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ChartRequest {
    /// The house whose terms apply.
    house: Option<String>,
    /// The id of the Blind's pay table.
    blind: Option<String>,
    /// The multiples of the Ante that may be bet before the flop, or with a pair in `utcp`.
    #[param(pattern = "^[0-9]{1,4}(,[0-9]{1,4}){0,9}$", example = "1,2")]
    raises: Option<String>,
    /// Whether the dealer has to qualify.
    qualifying: Option<bool>,
}

/// The most raises in one request: every hand has a value for each of them.
const MOST_RAISES: usize = 10;

/// The most rules in a strategy: each of them may be evaluated on every possible river.
const MOST_RULES: usize = 32;

/// The longest texts of a strategy and of a list of cards, in characters.
const LONGEST_STRATEGY: usize = 16_384;
const LONGEST_CARDS: usize = 256;

/// The terms as a request gives them.
#[derive(Default)]
struct GivenTerms {
    game: Option<Game>,
    house: Option<String>,
    blind: Option<PayTableChoice>,
    raises: Option<Vec<u32>>,
    qualifying: Option<bool>,
}

impl GivenTerms {
    fn terms(self, catalog: &Catalog) -> Result<Terms, Problem> {
        let bad = |message: String| Problem::new(Code::BadTerms, message);
        let house = self.house.as_deref().map(|id| catalog.house(id));
        let house = house.transpose().map_err(|unknown| no_such(&unknown))?;
        let game = match (self.game, house) {
            (Some(game), Some(house)) if game != house.game() => {
                return Err(bad(format!("{} plays {}", house.id(), house.game().id())));
            }
            (Some(game), _) => game,
            (None, Some(house)) => house.game(),
            (None, None) => return Err(bad("name a game or a house".to_owned())),
        };
        let blind = match (self.blind, house) {
            (Some(choice), _) => paytable(catalog, "blind", choice)?,
            (None, Some(house)) => house.blind_paytable().clone(),
            (None, None) => {
                let usual = PayTableChoice::Id(Terms::usual_blind(game).to_owned());
                paytable(catalog, "blind", usual)?
            }
        };
        let terms = Terms::new(game, blind).map_err(|error| bad(format!("blind: {error}")))?;
        let raises = self.raises.or_else(|| house.map(|house| house.raises().to_vec()));
        let terms = match raises {
            Some(raises) if raises.len() > MOST_RAISES => {
                return Err(bad(format!("raises: give at most {MOST_RAISES}")));
            }
            Some(raises) => {
                terms.with_raises(raises).map_err(|error| bad(format!("raises: {error}")))?
            }
            None => terms,
        };
        let usual = house.is_none_or(|house| house.qualifying());
        let qualifying = self.qualifying.unwrap_or(usual);
        Ok(if qualifying { terms } else { terms.without_qualifying() })
    }
}

impl OddsRequest {
    pub(super) fn question(self, catalog: &Catalog) -> Result<Question, Problem> {
        let Self { game, house, blind, bonus, raises, qualifying } = self;
        let of_house = house.as_deref().and_then(|id| catalog.house(id).ok());
        let of_house = of_house.and_then(|house| house.bonus_paytables().first());
        let of_house = of_house.map(|table| PayTable::clone(table));
        let terms = GivenTerms { game, house, blind, raises, qualifying };
        let terms = terms.terms(catalog)?;
        let bonus = match (bonus, of_house) {
            (Some(choice), _) => paytable(catalog, "bonus", choice)?,
            (None, Some(table)) => table,
            (None, None) => {
                let usual = PayTableChoice::Id(Terms::usual_bonus(terms.game()).to_owned());
                paytable(catalog, "bonus", usual)?
            }
        };
        let bet = PayTableBet::bonus_of(terms.game());
        if bonus.bet() != bet {
            let (id, other) = (bonus.id(), bonus.bet().id());
            let message = format!("bonus: {id} is a pay table for {other}, not for {}", bet.id());
            return Err(Problem::new(Code::BadTerms, message));
        }
        Ok(Question::Odds { terms, bonus: Box::new(bonus) })
    }
}

impl AdviceRequest {
    pub(super) fn question(self, catalog: &Catalog) -> Result<Question, Problem> {
        let Self { game, house, blind, raises, qualifying, .. } = self;
        let terms = GivenTerms { game, house, blind, raises, qualifying };
        let terms = terms.terms(catalog)?;
        let known = Known {
            hand: cards("hand", Some(&self.hand))?,
            board: cards("board", self.board.as_deref())?,
            dead: cards("dead", self.dead.as_deref())?,
            dealer: cards("dealer", self.dealer.as_deref())?,
        };
        match known.check(terms.game()) {
            Ok(()) => Ok(Question::Advice { terms, known }),
            Err(error) => Err(Problem::new(Code::BadSpot, error.to_string())),
        }
    }
}

impl CostRequest {
    pub(super) fn question(self, catalog: &Catalog) -> Result<Question, Problem> {
        let Self { strategy: text, house, blind, raises, qualifying } = self;
        let strategy = strategy(&text)?;
        let game = Some(strategy.game());
        let terms = GivenTerms { game, house, blind, raises, qualifying }.terms(catalog)?;
        Ok(Question::Cost { terms, strategy: Box::new(strategy), text })
    }
}

impl ChartRequest {
    pub(super) fn question(self, game: Game, catalog: &Catalog) -> Result<Question, Problem> {
        let Self { house, blind, raises, qualifying } = self;
        let raises = raises.as_deref().map(numbers).transpose()?;
        let blind = blind.map(PayTableChoice::Id);
        let given = GivenTerms { game: Some(game), house, blind, raises, qualifying };
        Ok(Question::Chart { terms: given.terms(catalog)? })
    }
}

/// Reads whole numbers, which JSON may also write as `3.0`.
fn whole_numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u32>>, D::Error> {
    let Some(numbers) = Option::<Vec<Number>>::deserialize(deserializer)? else { return Ok(None) };
    let whole = |number: Number| {
        // A float without a fraction prints as an integer.
        let text = number.as_f64().map_or_else(String::new, |float| float.to_string());
        text.parse()
            .map_err(|_| D::Error::custom(format!("{number} is not a positive whole number")))
    };
    numbers.into_iter().map(whole).collect::<Result<_, _>>().map(Some)
}

/// Reads whole numbers, as in `3,4`.
fn numbers(text: &str) -> Result<Vec<u32>, Problem> {
    let number = |text: &str| {
        let digits = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| digits)
    };
    let numbers: Option<Vec<u32>> = text.split(',').map(number).collect();
    let wrong = || Problem::new(Code::BadParameter, "raises: write multiples, as in 3,4");
    numbers.ok_or_else(wrong)
}

fn cards(field: &str, text: Option<&str>) -> Result<Vec<Card>, Problem> {
    let text = text.unwrap_or_default();
    let wrong = |message: String| Problem::new(Code::BadSpot, format!("{field}: {message}"));
    if text.chars().count() > LONGEST_CARDS {
        return Err(wrong(format!("write at most {LONGEST_CARDS} characters")));
    }
    parse_cards(text).map_err(|error| wrong(error.to_string()))
}

fn paytable(catalog: &Catalog, field: &str, choice: PayTableChoice) -> Result<PayTable, Problem> {
    match choice {
        PayTableChoice::Id(id) => {
            catalog.paytable(&id).cloned().map_err(|unknown| no_such(&unknown))
        }
        PayTableChoice::Own(fields) => PayTable::from_json(&Value::Object(fields))
            .map_err(|faults| with_faults(field, &faults)),
    }
}

/// Returns the strategy with this id, or parses the text if it is more than an id.
fn strategy(text: &str) -> Result<Strategy, Problem> {
    let bad = |message: String| Problem::new(Code::BadTerms, format!("strategy: {message}"));
    if text.chars().count() > LONGEST_STRATEGY {
        return Err(bad(format!("write at most {LONGEST_STRATEGY} characters")));
    }
    if !text.contains(['\n', '=']) {
        let known = Strategy::SHIPPED.map(|(id, _)| id).join(", ");
        let message = format!("there is no such strategy: write one of {known}, or one in TOML");
        let unknown = || Problem::new(Code::NoSuchHouse, message);
        return Strategy::shipped(text).ok_or_else(unknown);
    }
    let strategy = Strategy::from_toml(text).map_err(|error| bad(error.to_string()))?;
    if strategy.rules() > MOST_RULES {
        return Err(bad(format!("write at most {MOST_RULES} rules")));
    }
    Ok(strategy)
}

/// Returns the problem for an unknown house or pay table.
pub(super) fn no_such(unknown: &UnknownId) -> Problem {
    Problem::new(Code::NoSuchHouse, unknown.to_string())
}

/// Returns the problem that lists the faults of a definition.
fn with_faults(field: &str, faults: &Faults) -> Problem {
    let faults = faults.all().iter().map(ToString::to_string);
    Problem::new(Code::BadTerms, format!("{field}: the pay table has faults")).with_faults(faults)
}
