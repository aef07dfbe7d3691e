//! Reports for those who run the place, as JSON or as a table for a spreadsheet.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use croupier_rules::{Amount, Banking};
use croupier_store::{Store, Takings};
use croupier_table::{Hash, Terms, Time};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{Json, Query};
use crate::pricing::{Priced, Theory};
use crate::problem::{Code, Problem, Problems};
use crate::room::{INCIDENTS, Room, Shared};
use crate::sample::Sample;
use crate::session::Operator;
use crate::storage::Measured;

/// How many papers or accounts are read at a time.
const PAGE: usize = 1_000;

/// How many lines a report has at most.
const MOST: usize = 100_000;

const DAY: i64 = 86_400_000;

pub(crate) fn router() -> OpenApiRouter<Room> {
    OpenApiRouter::new()
        .routes(routes!(takings))
        .routes(routes!(interrupted))
        .routes(routes!(incidents))
        .routes(routes!(stored))
}

/// Which time a report is about, and how it is written.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Span {
    /// From when, in milliseconds since 1970; the beginning of the last day (UTC), if it is not
    /// said.
    from: Option<i64>,
    /// Until when, in milliseconds since 1970; now, if it is not said.
    to: Option<i64>,
    /// `json` or `csv`.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Format {
    /// As JSON.
    #[default]
    Json,
    /// As comma-separated values.
    Csv,
}

impl Span {
    fn times(&self, room: &Shared) -> Result<(Time, Time), Problem> {
        let to = self.to.unwrap_or_else(|| room.now().as_millis().saturating_add(1));
        let day = to.saturating_sub(1).div_euclid(DAY).saturating_mul(DAY);
        let from = self.from.unwrap_or(day);
        if from > to {
            return Err(Code::BadSpan.into());
        }
        Ok((Time::from_millis(from), Time::from_millis(to)))
    }
}

fn csv(text: String) -> Response {
    let kind = HeaderValue::from_static("text/csv; charset=utf-8");
    let name = HeaderValue::from_static("attachment; filename=\"report.csv\"");
    ([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)], text).into_response()
}

/// Writes a field for a spreadsheet, which must not take it for a formula.
fn field(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let quote = if formula { "'" } else { "" };
    format!("\"{quote}{}\"", text.replace('"', "\"\""))
}

/// What a game took in: one row for each house and bonus, that is, for each set of pay tables.
#[derive(Debug, Serialize, ToSchema)]
struct GameTakings {
    /// The house.
    house: String,
    /// Its bonus pay table.
    bonus_paytable: Option<String>,
    /// The version of the rules, with the fingerprint of house and pay tables.
    rules_version: String,
    /// Who banks: `house` or `player-dealer`.
    bank: String,
    /// How many tables.
    tables: u64,
    /// How many rounds counted.
    rounds: u64,
    /// How many rounds were void.
    void: u64,
    /// How many hands were wagered on.
    hands: u64,
    /// All that was wagered, in cents.
    handle: i64,
    /// What the bank kept of it, in cents.
    hold: i64,
    /// What it would keep of these Antes and bonuses on average, against the best play and if it
    /// covers every wager, in cents. Players who play badly lose more, without any fault. Nothing,
    /// where that cannot be worked out.
    theoretical_hold: Option<f64>,
    /// What players got back of the handle, as a share of it.
    actual_return: Option<f64>,
    /// What they would get back on average, with the best play.
    theoretical_return: Option<f64>,
    /// How many rounds were priced: all that counted, or so many of them at even distances.
    priced_rounds: u64,
    /// How many hands were in them.
    priced_hands: u64,
    /// What the decisions in them cost the players on average, beside the best ones, in cents.
    mistakes: f64,
    /// What the bank keeps of them on average with the decisions that were made, in cents.
    expected_hold: f64,
    /// What it kept of them, had it covered every wager, in cents. Where a house banks it does,
    /// but for its largest payout.
    covered_hold: f64,
    /// By how many standard deviations the covered hold is above the expected one. Within three of
    /// them either way is what chance does, however well or badly players play.
    deviations: Option<f64>,
    /// Whether a sum is more than can be counted. `handle` and `hold` are then the most that can
    /// be, and there is nothing to compare.
    exceeds: bool,
}

/// What was taken in
///
/// Handle and hold of every game, beside what the mathematics says. A game with other pay tables is
/// another game. Whether the cards were fair is judged by the decisions that were made: see
/// `deviations`.
#[utoipa::path(
    get, path = "/api/operator/reports/takings", tag = "operator", params(Span),
    responses(
        (status = 200, description = "One row for each game", content(
            (Vec<GameTakings> = "application/json"), (String = "text/csv")
        )),
        Problems
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn takings(
    State(room): State<Room>,
    _operator: Operator,
    Query(span): Query<Span>,
) -> Result<Response, Problem> {
    let (from, to) = span.times(&room)?;
    let mut games: BTreeMap<Hash, (Arc<Terms>, Sum)> = BTreeMap::new();
    for takings in room.store().takings(from, to).await? {
        let Some(terms) = terms_of(&room, &takings.table).await? else { continue };
        // Clocks make no other game.
        let key = Hash::of(terms.rules_version().as_bytes());
        let (_, sum) = games.entry(key).or_insert((terms, Sum::default()));
        sum.add(&takings);
        sum.names.push(takings.table);
    }
    let counts = games.values().map(|(_, sum)| (sum.rounds + sum.void, sum.hands));
    let sample = Sample::new(counts, from, to);
    let _one_at_a_time = room.pricing.lock().await;
    let mut rows = Vec::new();
    for (terms, sum) in games.into_values() {
        rows.push(row(&room, &terms, &sum, &sample).await?);
    }
    Ok(match span.format {
        Format::Json => Json(rows).into_response(),
        Format::Csv => csv(takings_csv(&rows)),
    })
}

/// What several tables took in together.
#[derive(Debug, Default)]
struct Sum {
    /// The names of the tables.
    names: Vec<String>,
    tables: u64,
    rounds: u64,
    void: u64,
    hands: u64,
    ante: i128,
    bonus: i128,
    staked: i128,
    net: i128,
    /// Whether what a table took is more than could be counted.
    exceeds: bool,
}

impl Sum {
    fn add(&mut self, takings: &Takings) {
        self.tables += 1;
        self.rounds += takings.rounds;
        self.void += takings.void;
        self.hands += takings.hands;
        let add = |sum: &mut i128, amount: Amount| *sum += i128::from(amount.as_cents());
        add(&mut self.ante, takings.ante);
        add(&mut self.bonus, takings.bonus);
        add(&mut self.staked, takings.staked);
        add(&mut self.net, takings.net);
        self.exceeds |= takings.exceeds;
    }

    /// Returns handle and hold in cents, and whether one of them is more than can be counted.
    fn told(&self) -> (i64, i64, bool) {
        let fit = |cents: i128| {
            let most = if cents < 0 { i64::MIN } else { i64::MAX };
            (i64::try_from(cents).unwrap_or(most), i64::try_from(cents).is_err())
        };
        let ((handle, more), (hold, most)) = (fit(self.staked), fit(-self.net));
        (handle, hold, self.exceeds || more || most)
    }
}

/// Returns what a table plays: if its journal is damaged, by its first entry. One that cannot be
/// read at all is left out, and an operator is told of it.
async fn terms_of(room: &Shared, table: &str) -> Result<Option<Arc<Terms>>, Problem> {
    match room.table(table).await {
        Ok(table) => return Ok(Some(Arc::clone(table.terms()))),
        Err(problem) if problem.code == Code::Fault.name() => {}
        Err(problem) => return Err(problem),
    }
    match room.floor.terms(table).await {
        Ok(terms) => Ok(Some(terms)),
        Err(error) if error.is_of_table() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a report is read by people")]
async fn row(
    room: &Shared,
    terms: &Arc<Terms>,
    sum: &Sum,
    sample: &Sample,
) -> Result<GameTakings, Problem> {
    let (told_handle, told_hold, exceeds) = sum.told();
    // A game that cannot be worked out, or was counted in part, is told without a comparison.
    let theory = theory(room, terms).await.filter(|_| !exceeds);
    let (ante, bonus, handle) = (sum.ante as f64, sum.bonus as f64, sum.staked as f64);
    let theoretical = theory.as_ref().map(|it| -(ante * it.main + bonus * it.bonus));
    let expected_handle = theory.as_ref().map(|it| ante * it.wager + bonus);
    let hold = -sum.net as f64;
    let priced = match &theory {
        Some(theory) => sample.price(room, terms, theory, &sum.names).await?,
        None => Priced::default(),
    };
    let share = |part: f64, whole: f64| (whole > 0.0).then(|| part / whole);
    let house = terms.house();
    Ok(GameTakings {
        house: house.id().to_owned(),
        bonus_paytable: terms.bonus().map(|bonus| bonus.id().to_owned()),
        rules_version: terms.rules_version().to_owned(),
        bank: match house.banking() {
            Banking::House => "house".to_owned(),
            Banking::PlayerDealer { .. } => "player-dealer".to_owned(),
        },
        tables: sum.tables,
        rounds: sum.rounds,
        void: sum.void,
        hands: sum.hands,
        handle: told_handle,
        hold: told_hold,
        theoretical_hold: theoretical,
        actual_return: share(handle - hold, handle).filter(|_| !exceeds),
        theoretical_return: theoretical
            .zip(expected_handle)
            .and_then(|(theoretical, expected)| share(expected - theoretical, expected)),
        priced_rounds: priced.rounds,
        priced_hands: priced.hands,
        mistakes: priced.mistakes,
        expected_hold: -priced.expected,
        covered_hold: -priced.result,
        deviations: priced.deviations(),
        exceeds,
    })
}

/// Returns what a game comes to on average, solved once; nothing, if it cannot be solved.
async fn theory(room: &Shared, terms: &Arc<Terms>) -> Option<Theory> {
    let key = terms.rules_version().to_owned();
    if let Some(theory) = room.theories.get(&key) {
        return Some(theory);
    }
    let solved = Arc::clone(terms);
    let theory = tokio::task::spawn_blocking(move || Theory::solve(&solved)).await;
    let Some(theory) = theory.ok().flatten() else {
        tracing::warn!(house = terms.house().id(), "a game cannot be worked out");
        return None;
    };
    room.theories.insert(key, theory.clone());
    Some(theory)
}

fn takings_csv(rows: &[GameTakings]) -> String {
    let mut text = "house,bonus_paytable,rules_version,bank,tables,rounds,void,hands,\
                    handle_cents,hold_cents,theoretical_hold_cents,actual_return,\
                    theoretical_return,priced_rounds,priced_hands,mistakes_cents,\
                    expected_hold_cents,covered_hold_cents,deviations,exceeds\n"
        .to_owned();
    let number = |number: Option<f64>| number.map_or_else(String::new, |is| format!("{is:.6}"));
    for row in rows {
        let bonus = row.bonus_paytable.as_deref().unwrap_or_default();
        writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.2},{:.2},{:.2},{},{}",
            field(&row.house),
            field(bonus),
            field(&row.rules_version),
            row.bank,
            row.tables,
            row.rounds,
            row.void,
            row.hands,
            row.handle,
            row.hold,
            row.theoretical_hold.map_or_else(String::new, |cents| format!("{cents:.2}")),
            number(row.actual_return),
            number(row.theoretical_return),
            row.priced_rounds,
            row.priced_hands,
            row.mistakes,
            row.expected_hold,
            row.covered_hold,
            number(row.deviations),
            row.exceeds,
        )
        .expect("a string");
    }
    text
}

/// How a report is written.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Written {
    /// `json` or `csv`.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// What is in play at a table.
#[derive(Debug, Serialize, ToSchema)]
struct InPlay {
    /// The table.
    table: String,
    /// Stakes of its open round, in cents.
    staked: i64,
    /// What is left of what a player/dealer posted, in cents.
    posted: i64,
}

/// Money in rounds that are not over
///
/// At a table that is paused or cannot be reached it is money that waits: interrupted funds.
#[utoipa::path(
    get, path = "/api/operator/reports/in-play", tag = "operator", params(Written),
    responses(
        (status = 200, description = "One row for each table", content(
            (Vec<InPlay> = "application/json"), (String = "text/csv")
        )),
        Problems
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn interrupted(
    State(room): State<Room>,
    _operator: Operator,
    Query(written): Query<Written>,
) -> Result<Response, Problem> {
    let mut tables: BTreeMap<String, InPlay> = BTreeMap::new();
    for kind in ["escrow:", "posted:"] {
        for (table, amount) in balances(&room, kind).await? {
            let row = tables.entry(table.clone());
            let row = row.or_insert(InPlay { table, staked: 0, posted: 0 });
            let part = if kind == "escrow:" { &mut row.staked } else { &mut row.posted };
            *part = amount.as_cents();
        }
    }
    let rows: Vec<InPlay> = tables.into_values().collect();
    if written.format == Format::Json {
        return Ok(Json(rows).into_response());
    }
    let mut text = "table,staked_cents,posted_cents\n".to_owned();
    for InPlay { table, staked, posted } in rows {
        writeln!(text, "{},{staked},{posted}", field(&table)).expect("a string");
    }
    Ok(csv(text))
}

/// Returns the accounts of a kind that are not empty, by their names.
async fn balances(room: &Shared, kind: &str) -> Result<Vec<(String, Amount)>, Problem> {
    let (mut found, mut after) = (Vec::new(), kind.to_owned());
    loop {
        let page = room.store().balances(&after, PAGE).await?;
        let Some((last, _)) = page.last() else { return Ok(found) };
        after = last.to_string();
        for (account, amount) in page {
            let Some(name) = account.to_string().strip_prefix(kind).map(str::to_owned) else {
                return Ok(found);
            };
            if amount != Amount::ZERO {
                found.push((name, amount));
            }
        }
    }
}

/// A significant event.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct Incident {
    /// When, in milliseconds since 1970.
    at: i64,
    /// What kind of event it is.
    #[schema(example = "table-void")]
    kind: String,
    /// Who brought it about.
    who: String,
    /// What else there is to say.
    #[schema(value_type = Object)]
    what: Value,
}

/// Significant events
#[utoipa::path(
    get, path = "/api/operator/reports/events", tag = "operator", params(Span),
    responses(
        (status = 200, description = "One row for each event, the first first", content(
            (Vec<Incident> = "application/json"), (String = "text/csv")
        )),
        Problems
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn incidents(
    State(room): State<Room>,
    _operator: Operator,
    Query(span): Query<Span>,
) -> Result<Response, Problem> {
    let (from, to) = span.times(&room)?;
    let (mut rows, mut after) = (Vec::new(), format!("{:015}", from.as_millis().max(0)));
    'pages: while rows.len() < MOST {
        let page = room.store().papers(INCIDENTS, &after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.key);
        for paper in page {
            if paper.at >= to {
                break 'pages;
            }
            rows.extend(serde_json::from_str::<Incident>(&paper.text));
        }
    }
    if span.format == Format::Json {
        return Ok(Json(rows).into_response());
    }
    let mut text = "time,kind,who,what\n".to_owned();
    for Incident { at, kind, who, what } in rows {
        let time = jiff::Timestamp::from_millisecond(at).unwrap_or_default();
        let what = what.to_string();
        writeln!(text, "{time:.3},{},{},{}", field(&kind), field(&who), field(&what))
            .expect("a string");
    }
    Ok(csv(text))
}

/// How much is stored.
#[derive(Debug, Serialize, ToSchema)]
struct Stored {
    /// How many bytes, as the database counts them.
    #[schema(example = 1_048_576)]
    bytes: u64,
    /// How many there may be before nothing new begins; 0 if there is no limit.
    #[schema(example = 10_000_000_000_u64)]
    max: u64,
    /// When it was measured, in milliseconds since 1970.
    measured: i64,
}

/// How much is stored
///
/// Measured every ten seconds. When it reaches `max`, no tables are opened and no guests or
/// accounts made until there is room again; those who sit at tables play on.
#[utoipa::path(
    get, path = "/api/operator/reports/storage", tag = "operator",
    responses((status = 200, body = Stored, description = "The bytes, and the limit"), Problems),
    security(("token" = []), ("cookie" = []))
)]
async fn stored(State(room): State<Room>, _operator: Operator) -> Json<Stored> {
    let Measured { bytes, max, at } = room.storage.measured();
    Json(Stored { bytes, max, measured: at.as_millis() })
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn a_spreadsheet_takes_no_field_for_a_formula() {
        assert_eq!(field("=1+1"), "\"'=1+1\"");
        assert_eq!(field("a \"b\""), "\"a \"\"b\"\"\"");
    }
}
