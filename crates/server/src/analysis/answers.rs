//! Schemas of answers that other crates serialize.
//!
//! A house, a pay table, a record and a verdict serialize themselves as JSON. This module describes
//! their fields, and tests compare the two.

use croupier_odds::Strategy;
use croupier_rules::{House, PayRow, PayTable, PayTableBet};
use croupier_table::Terms;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::iter;
use utoipa::{IntoResponses, ToSchema};

use super::ask::GameName;
use crate::http::problem::Problem;

/// A pay table: the odds that each hand pays.
#[derive(ToSchema)]
#[schema(as = PayTable)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "id": "MINE", "title": "Trips of my own", "source": "the back of an envelope",
    "bet": "trips", "pays": {"full-house": "9:1", "flush": "3:2"}
}))]
#[expect(dead_code, reason = "it describes the JSON of `PayTable`")]
pub(super) struct PayTableFields {
    /// The id, by which houses and records refer to it.
    #[schema(min_length = 1, example = "UTH-01")]
    id: String,
    /// The title.
    #[schema(min_length = 1)]
    title: String,
    /// The document it comes from.
    #[schema(min_length = 1)]
    source: String,
    bet: BetName,
    /// The odds that each hand pays, such as `flush`: `3:2`.
    pays: BTreeMap<String, String>,
}

/// The wager that a pay table applies to.
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "it describes the JSON of `PayTableBet`")]
enum BetName {
    Blind,
    Trips,
    PairPlus,
}

/// A game with its terms and its banking. Amounts are in cents.
#[derive(ToSchema)]
#[schema(as = House)]
#[expect(dead_code, reason = "it describes the JSON of `House`")]
pub(super) struct HouseFields {
    /// The id, by which records refer to it.
    #[schema(example = "uth-standard")]
    id: String,
    /// The title.
    title: String,
    /// The document it comes from.
    source: String,
    game: GameName,
    /// The order in which cards are dealt.
    #[schema(example = "pairs")]
    deal: String,
    /// The order in which seats are paid.
    #[schema(example = "highest-seat-first")]
    payoff_order: String,
    /// When Antes are returned if the dealer does not qualify.
    #[schema(example = "first-pass")]
    ante_refund: String,
    /// The number of seats, including that of a player who banks.
    #[schema(minimum = 1, maximum = 8)]
    seats: u32,
    /// The number of decks that alternate.
    #[schema(minimum = 1, maximum = 2)]
    decks: u32,
    /// The multiples of the Ante that may be bet before the flop, or with a pair.
    raises: Vec<u32>,
    /// Whether the dealer needs a minimum hand to qualify.
    qualifying: bool,
    /// The number of games that a player may wager on.
    games_per_player: u32,
    /// The number of seats that a player may have.
    seats_per_player: u32,
    /// The id of the Blind's pay table.
    blind_paytable: String,
    /// The ids of the pay tables that the bonus may use, the default first.
    bonus_paytables: Vec<String>,
    limits: LimitsFields,
    banking: BankingFields,
}

/// Limits on wagers, in cents.
#[derive(ToSchema)]
#[schema(as = Limits)]
#[expect(dead_code, reason = "it describes the JSON of `Limits`")]
pub(crate) struct LimitsFields {
    /// The unit: every wager is a multiple of it.
    unit: i64,
    /// The smallest Ante.
    ante_min: i64,
    /// The largest Ante.
    ante_max: i64,
    /// The smallest bonus wager.
    bonus_min: i64,
    /// The largest bonus wager.
    bonus_max: i64,
    /// The largest wager of any kind.
    #[schema(nullable = false)]
    single_wager_max: Option<i64>,
    /// The maximum payout of the house in one round.
    #[schema(nullable = false)]
    round_payout_max: Option<i64>,
}

/// The bank of a game: its owner and its terms.
#[derive(ToSchema)]
#[schema(as = Banking)]
#[expect(dead_code, reason = "it describes the JSON of `House`")]
struct BankingFields {
    /// The owner of the bank: `house` or `player-dealer`.
    #[schema(example = "player-dealer")]
    by: String,
    /// How a banking player's wager is used up: by `payoffs` or by `action`.
    #[schema(nullable = false)]
    coverage: Option<String>,
    /// The number of rounds in a row that a player may bank.
    #[schema(nullable = false)]
    max_consecutive: Option<u32>,
}

/// A house with its rules in words and its pay tables.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct HousePage<'a> {
    #[serde(flatten)]
    #[schema(value_type = HouseFields)]
    house: &'a House,
    /// The rules in words, line by line, as on the placard at the table.
    placard: Vec<PlacardLine>,
    /// The Blind's pay table, and then those that the bonus may use.
    #[schema(value_type = Vec<PayTableFields>)]
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
    #[schema(value_type = HouseFields)]
    house: &'a House,
    /// The rules in words, line by line.
    placard: Vec<PlacardLine>,
    /// The pay tables of the Blind and of the bonus on offer.
    #[schema(value_type = Vec<PayTableFields>)]
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
    #[schema(value_type = String, example = "Blind")]
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
    #[schema(value_type = GameName)]
    game: &'static str,
    /// The rules, in TOML.
    text: &'static str,
}

impl StrategyPage {
    /// Returns all strategies that come with Croupier.
    pub(super) fn all() -> Vec<Self> {
        let page = |(id, text): (&'static str, &'static str)| {
            let strategy = Strategy::shipped(id)?;
            let (title, source) = (strategy.title().to_owned(), strategy.source().to_owned());
            Some(Self { id, title, source, game: strategy.game().id(), text })
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

/// The result of verifying a round.
#[derive(ToSchema)]
#[schema(as = Verdict)]
#[expect(dead_code, reason = "it describes the JSON of `Verdict`")]
pub(super) struct VerdictFields {
    /// Whether every field is correct.
    verified: bool,
    /// The table, if the round names it.
    #[schema(nullable = false)]
    table: Option<String>,
    /// The number of the round, if it has one.
    #[schema(nullable = false)]
    round: Option<u64>,
    /// The commitment that the table must have shown before betting opened.
    #[schema(nullable = false, pattern = "^[0-9a-f]{64}$")]
    commitment: Option<String>,
    /// The hash of the journal after the round.
    #[schema(nullable = false, pattern = "^[0-9a-f]{64}$")]
    journal_hash: Option<String>,
    /// The seats that committed to a seed and did not reveal it.
    #[schema(nullable = false)]
    unrevealed: Option<Vec<u32>>,
    /// The reason why the round was not dealt, if it was not.
    #[schema(nullable = false)]
    undealt: Option<String>,
    /// The first field that is wrong; empty if the error concerns no particular field.
    #[schema(nullable = false)]
    field: Option<String>,
    /// The error in that field.
    #[schema(nullable = false)]
    error: Option<String>,
}

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
