//! Answers made of more than one value: a house with its placard, a strategy with its text.

use croupier_odds::Strategy;
use croupier_rules::{Game, House, PayRow, PayTable, PayTableBet};
use croupier_table::Terms;
use serde::Serialize;
use serde_json::Value;
use std::iter;
use utoipa::{IntoResponses, ToSchema};

use crate::http::problem::Problem;

/// A house with its rules in words and its pay tables.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct HousePage<'a> {
    #[serde(flatten)]
    house: &'a House,
    /// The rules in words, line by line, as on the placard at the table.
    placard: Vec<PlacardLine>,
    /// The Blind's pay table, and then those that the bonus may use.
    paytables: Vec<&'a PayTable>,
}

/// A line of a placard.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlacardLine {
    /// The subject of the line.
    #[schema(example = "Dealer")]
    name: &'static str,
    /// The text of the line.
    #[schema(example = "needs a pair or better to qualify; if not, the Ante pushes")]
    text: String,
}

impl From<(&'static str, String)> for PlacardLine {
    fn from((name, text): (&'static str, String)) -> Self {
        Self { name, text }
    }
}

impl<'a> From<&'a House> for HousePage<'a> {
    fn from(house: &'a House) -> Self {
        let bonuses = house.bonus_paytables().iter().map(|table| &**table);
        let placard = house.placard().into_iter();
        Self {
            house,
            placard: placard.map(PlacardLine::from).collect(),
            paytables: iter::once(house.blind_paytable()).chain(bonuses).collect(),
        }
    }
}

/// The placard of a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TablePlacard<'a> {
    /// The house that the table plays by.
    house: &'a House,
    /// The rules in words, line by line.
    placard: Vec<PlacardLine>,
    /// The pay tables of the Blind and of the bonus on offer.
    paytables: Vec<&'a PayTable>,
    /// The same pay tables as printed, with all rows.
    printed: Vec<PrintedPays<'a>>,
}

impl<'a> TablePlacard<'a> {
    /// Returns the placard for a table's terms, with the card room's notes before the house rules.
    pub(crate) fn new(terms: &'a Terms, notes: Vec<(&'static str, String)>) -> Self {
        let HousePage { house, placard: rules, .. } = HousePage::from(&**terms.house());
        let placard = notes.into_iter().map(PlacardLine::from).chain(rules).collect();
        let bonus = terms.bonus().map(|table| &**table);
        let paytables: Vec<_> = iter::once(house.blind_paytable()).chain(bonus).collect();
        Self {
            house,
            placard,
            printed: paytables.iter().map(|table| PrintedPays::new(table, house)).collect(),
            paytables,
        }
    }
}

/// A pay table as printed on the felt.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PrintedPays<'a> {
    /// The id of the pay table.
    #[schema(example = "UTH")]
    id: &'a str,
    /// The name of the wager on the felt.
    #[schema(example = "Blind")]
    name: &'static str,
    /// All rows, the strongest hand first. The last row has the hands that pay nothing, if any.
    rows: Vec<PayRow>,
}

impl<'a> PrintedPays<'a> {
    fn new(table: &'a PayTable, house: &House) -> Self {
        let name = match table.bet() {
            PayTableBet::Blind => "Blind",
            PayTableBet::Trips | PayTableBet::PairPlus => house.game().def().bonus,
        };
        Self { id: table.id(), name, rows: table.rows(house.game()) }
    }
}

/// A strategy that comes with Croupier.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct StrategyPage {
    /// The id.
    #[schema(example = "short")]
    id: &'static str,
    /// The title.
    title: String,
    /// The source it comes from.
    source: String,
    /// The game it is for.
    game: Game,
    /// The rules, in TOML.
    text: &'static str,
}

impl StrategyPage {
    /// Returns all strategies that come with Croupier.
    pub(super) fn all() -> Vec<Self> {
        let page = |(id, text): (&'static str, &'static str)| {
            let strategy = Strategy::shipped(id)?;
            let (title, source) = (strategy.title().to_owned(), strategy.source().to_owned());
            Some(Self { id, title, source, game: strategy.game(), text })
        };
        Strategy::SHIPPED.into_iter().filter_map(page).collect()
    }
}

/// The record of a round, as specified in `docs/record.md`: the house, the deck in the order in
/// which it was dealt, and the wagers and decisions of every seat.
#[derive(ToSchema)]
#[schema(value_type = Object)]
#[expect(dead_code, reason = "it describes the JSON of `Record`")]
pub(super) struct RoundRecord(Value);

/// The problems that a question may be answered with.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it describes problems")]
pub(super) enum QuestionProblems {
    /// The request cannot be read.
    #[response(status = 400, content_type = "application/problem+json")]
    Malformed(Problem),
    /// No such house, pay table or strategy.
    #[response(status = 404, content_type = "application/problem+json")]
    Unknown(Problem),
    /// The body is too large.
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(Problem),
    /// The body is not JSON, or is not labeled as JSON.
    #[response(status = 415, content_type = "application/problem+json")]
    NotJson(Problem),
    /// The request can be read but is invalid: terms with faults, cards that make no spot, or a
    /// bad record.
    #[response(status = 422, content_type = "application/problem+json")]
    Meaningless(Problem),
    /// Too many questions. The `retry-after` header says when to ask again.
    #[response(status = 503, content_type = "application/problem+json")]
    Busy(Problem),
}

/// The problems that a lookup by id may be answered with.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it describes problems")]
pub(super) enum LookupProblems {
    /// A part of the path cannot be read.
    #[response(status = 400, content_type = "application/problem+json")]
    BadParameter(Problem),
    /// Nothing has this id.
    #[response(status = 404, content_type = "application/problem+json")]
    Unknown(Problem),
}
