//! What answers look like that other crates write.
//!
//! A house, a pay table, a record and a verdict write themselves as JSON; what is here says of what
//! they consist, and tests compare the two.

use croupier_odds::Strategy;
use croupier_rules::{House, PayRow, PayTable, PayTableBet};
use croupier_table::Terms;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::iter;
use utoipa::{IntoResponses, ToSchema};

use super::ask::GameName;
use crate::problem::Problem;

/// A pay table: which hand pays what.
#[derive(ToSchema)]
#[schema(as = PayTable)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "id": "MINE", "title": "Trips of my own", "source": "the back of an envelope",
    "bet": "trips", "pays": {"full-house": "9:1", "flush": "3:2"}
}))]
#[expect(dead_code, reason = "it describes what `PayTable` writes")]
pub(super) struct PayTableFields {
    /// The name by which houses and records know it.
    #[schema(min_length = 1, example = "UTH-01")]
    id: String,
    /// What it is called.
    #[schema(min_length = 1)]
    title: String,
    /// The document it comes from.
    #[schema(min_length = 1)]
    source: String,
    bet: BetName,
    /// What hands pay, such as `flush`: `3:2`.
    pays: BTreeMap<String, String>,
}

/// The wager that a pay table is for.
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "it describes what `PayTableBet` writes")]
enum BetName {
    Blind,
    Trips,
    PairPlus,
}

/// A game with its terms, and who banks it. Amounts are in cents.
#[derive(ToSchema)]
#[schema(as = House)]
#[expect(dead_code, reason = "it describes what `House` writes")]
pub(super) struct HouseFields {
    /// The name by which records know it.
    #[schema(example = "uth-standard")]
    id: String,
    /// What it is called.
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
    /// When Antes go back if the dealer does not qualify.
    #[schema(example = "first-pass")]
    ante_refund: String,
    /// How many seats there are, that of a player who banks included.
    #[schema(minimum = 1, maximum = 8)]
    seats: u32,
    /// How many decks take turns.
    #[schema(minimum = 1, maximum = 2)]
    decks: u32,
    /// How many times the ante may be bet before the flop, or with a pair.
    raises: Vec<u32>,
    /// Whether a dealer's hand may be too weak to qualify.
    qualifying: bool,
    /// How many games a player may wager on.
    games_per_player: u32,
    /// How many seats a player may have.
    seats_per_player: u32,
    /// The id of the pay table of the Blind.
    blind_paytable: String,
    /// The ids of the pay tables that the bonus may have, the usual one first.
    bonus_paytables: Vec<String>,
    limits: LimitsFields,
    banking: BankingFields,
}

/// What may be wagered, in cents.
#[derive(ToSchema)]
#[schema(as = Limits)]
#[expect(dead_code, reason = "it describes what `Limits` writes")]
pub(crate) struct LimitsFields {
    /// The step of every wager.
    unit: i64,
    /// The least Ante.
    ante_min: i64,
    /// The largest Ante.
    ante_max: i64,
    /// The least bonus wager.
    bonus_min: i64,
    /// The largest bonus wager.
    bonus_max: i64,
    /// The largest wager of any kind.
    #[schema(nullable = false)]
    single_wager_max: Option<i64>,
    /// The most that the house pays out in one round.
    #[schema(nullable = false)]
    round_payout_max: Option<i64>,
}

/// Who banks, and on what terms.
#[derive(ToSchema)]
#[schema(as = Banking)]
#[expect(dead_code, reason = "it describes what `House` writes")]
struct BankingFields {
    /// Who banks: `house` or `player-dealer`.
    #[schema(example = "player-dealer")]
    by: String,
    /// What the wager of a player who banks is used up by: `payoffs` or `action`.
    #[schema(nullable = false)]
    coverage: Option<String>,
    /// For how many rounds in a row a player may bank.
    #[schema(nullable = false)]
    max_consecutive: Option<u32>,
}

/// All about a house.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct HousePage<'a> {
    #[serde(flatten)]
    #[schema(value_type = HouseFields)]
    house: &'a House,
    /// Its rules in words, line by line, as the placard at the table has them.
    placard: Vec<PlacardLine>,
    /// What the Blind pays, and then what the bonus may pay.
    #[schema(value_type = Vec<PayTableFields>)]
    paytables: Vec<&'a PayTable>,
}

/// A line of a placard.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlacardLine {
    /// What it is about.
    #[schema(example = "Dealer")]
    name: &'static str,
    /// What it says.
    #[schema(example = "needs a pair or better to qualify, or the Ante goes back")]
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

/// What hangs at a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TablePlacard<'a> {
    /// The house that it plays.
    #[schema(value_type = HouseFields)]
    house: &'a House,
    /// Its rules in words, line by line.
    placard: Vec<PlacardLine>,
    /// What the Blind pays, and the bonus that is offered.
    #[schema(value_type = Vec<PayTableFields>)]
    paytables: Vec<&'a PayTable>,
    /// The same as they are printed: all rows of each of them.
    printed: Vec<PrintedPays<'a>>,
}

impl<'a> TablePlacard<'a> {
    /// Hangs up the terms of a table, with notes of the card room before the rules of the house.
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

/// A pay table as it is printed on the felt.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PrintedPays<'a> {
    /// The id of the pay table.
    #[schema(example = "UTH")]
    id: &'a str,
    /// What the wager is called on the felt.
    #[schema(value_type = String, example = "Blind")]
    name: &'static str,
    /// All rows, the strongest hand first. The last one has the hands that pay nothing, if there
    /// are any.
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
    /// The name by which it is known.
    #[schema(example = "short")]
    id: &'static str,
    /// What it is called.
    title: String,
    /// Where it comes from.
    source: String,
    /// The game that it is for.
    #[schema(value_type = GameName)]
    game: &'static str,
    /// Its rules, in TOML.
    text: &'static str,
}

impl StrategyPage {
    /// Returns all of them.
    pub(super) fn all() -> Vec<Self> {
        let page = |(id, text): (&'static str, &'static str)| {
            let strategy = Strategy::shipped(id)?;
            let (title, source) = (strategy.title().to_owned(), strategy.source().to_owned());
            Some(Self { id, title, source, game: strategy.game().id(), text })
        };
        Strategy::SHIPPED.into_iter().filter_map(page).collect()
    }
}

/// A round as it was written down, as `docs/record.md` specifies it: the house, the deck in the
/// order in which it was dealt, and what every seat wagered and did.
#[derive(ToSchema)]
#[schema(value_type = Object)]
#[expect(dead_code, reason = "it describes what `Record` reads and writes")]
pub(super) struct RoundRecord(Value);

/// What was found of a round.
#[derive(ToSchema)]
#[schema(as = Verdict)]
#[expect(dead_code, reason = "it describes what `Verdict` writes")]
pub(super) struct VerdictFields {
    /// Whether every field is true.
    verified: bool,
    /// The table, if the round says so.
    #[schema(nullable = false)]
    table: Option<String>,
    /// The number of the round, if it says so.
    #[schema(nullable = false)]
    round: Option<u64>,
    /// What the table must have shown before betting opened.
    #[schema(nullable = false, pattern = "^[0-9a-f]{64}$")]
    commitment: Option<String>,
    /// The hash of the journal after the round.
    #[schema(nullable = false, pattern = "^[0-9a-f]{64}$")]
    journal_hash: Option<String>,
    /// The seats that committed to a seed and did not show it.
    #[schema(nullable = false)]
    unrevealed: Option<Vec<u32>>,
    /// Why the round was not dealt, if it was not.
    #[schema(nullable = false)]
    undealt: Option<String>,
    /// The first field that is not true; empty if it is about no field in particular.
    #[schema(nullable = false)]
    field: Option<String>,
    /// What is not true of it.
    #[schema(nullable = false)]
    error: Option<String>,
}

/// Why a question is not answered.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it describes problems")]
pub(super) enum Unanswered {
    /// The request cannot be read.
    #[response(status = 400, content_type = "application/problem+json")]
    Malformed(Problem),
    /// There is no such house, pay table or strategy.
    #[response(status = 404, content_type = "application/problem+json")]
    Unknown(Problem),
    /// The body is too large.
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(Problem),
    /// The body is not JSON, or does not say that it is.
    #[response(status = 415, content_type = "application/problem+json")]
    NotJson(Problem),
    /// It can be read and means nothing: terms with faults, cards that make no spot, a record that
    /// is none.
    #[response(status = 422, content_type = "application/problem+json")]
    Meaningless(Problem),
    /// There are too many questions. The header `retry-after` says when to ask again.
    #[response(status = 503, content_type = "application/problem+json")]
    Busy(Problem),
}

/// Why there is no such thing to look at.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it describes problems")]
pub(super) enum NotThere {
    /// A part of the address cannot be read.
    #[response(status = 400, content_type = "application/problem+json")]
    BadParameter(Problem),
    /// There is none of this name.
    #[response(status = 404, content_type = "application/problem+json")]
    Unknown(Problem),
}
