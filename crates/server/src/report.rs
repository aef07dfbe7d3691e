//! Reports for those who run the place, as JSON or as a table for a spreadsheet.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::num::NonZero;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use croupier_odds::{BonusSheet, Holdem, MainSheet, Terms as OddsTerms, ThreeCard};
use croupier_rules::{Amount, Banking, Game};
use croupier_store::{Store, Takings};
use croupier_table::{Hash, Terms, Time};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{Json, Query};
use crate::problem::{Code, Problem, Problems};
use crate::room::{INCIDENTS, Room, Shared};
use crate::session::Operator;

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
    /// What it would keep of these Antes and bonuses on average, against the best play, in cents.
    theoretical_hold: f64,
    /// What players got back of the handle, as a share of it.
    actual_return: Option<f64>,
    /// What they would get back on average, with the best play.
    theoretical_return: Option<f64>,
    /// By how many standard deviations the hold is above the theoretical one. Within three of them
    /// either way is what chance does.
    deviations: Option<f64>,
}

/// What was taken in
///
/// Handle and hold of every game, beside what the mathematics says. A game with other pay tables is
/// another game.
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
        let table = room.table(&takings.table).await?;
        // Clocks make no other game.
        let key = Hash::of(table.terms().rules_version().as_bytes());
        let (_, sum) = games.entry(key).or_insert((Arc::clone(table.terms()), Sum::default()));
        sum.add(&takings);
    }
    let mut rows = Vec::new();
    for (terms, sum) in games.into_values() {
        rows.push(row(&room, &terms, &sum).await?);
    }
    Ok(match span.format {
        Format::Json => Json(rows).into_response(),
        Format::Csv => csv(takings_csv(&rows)),
    })
}

/// What several tables took in together.
#[derive(Debug, Default)]
struct Sum {
    tables: u64,
    rounds: u64,
    void: u64,
    hands: u64,
    ante: i64,
    bonus: i64,
    staked: i64,
    net: i64,
}

impl Sum {
    fn add(&mut self, takings: &Takings) {
        self.tables += 1;
        self.rounds += takings.rounds;
        self.void += takings.void;
        self.hands += takings.hands;
        let add = |sum: &mut i64, amount: Amount| *sum = sum.saturating_add(amount.as_cents());
        add(&mut self.ante, takings.ante);
        add(&mut self.bonus, takings.bonus);
        add(&mut self.staked, takings.staked);
        add(&mut self.net, takings.net);
    }
}

/// What a game comes to on average: for an Ante of one, and for a bonus of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theory {
    /// What the player wins by the Ante and what goes with it, and how much he puts down.
    main: f64,
    wager: f64,
    /// How far that strays.
    main_variance: f64,
    /// The same for the bonus.
    bonus: f64,
    bonus_variance: f64,
}

#[expect(clippy::cast_precision_loss, reason = "a report is read by people")]
async fn row(room: &Shared, terms: &Arc<Terms>, sum: &Sum) -> Result<GameTakings, Problem> {
    let theory = theory(room, terms).await?;
    let (ante, bonus, handle) = (sum.ante as f64, sum.bonus as f64, sum.staked as f64);
    let theoretical = -(ante * theory.main + bonus * theory.bonus);
    let expected_handle = ante * theory.wager + bonus;
    let hold = sum.net.saturating_neg();
    // As if all hands had wagered the same.
    let hands = (sum.hands as f64).max(1.0);
    let (each_ante, each_bonus) = (ante / hands, bonus / hands);
    let variance = hands
        * (each_ante.powi(2) * theory.main_variance + each_bonus.powi(2) * theory.bonus_variance);
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
        handle: sum.staked,
        hold,
        theoretical_hold: theoretical,
        actual_return: share(handle - hold as f64, handle),
        theoretical_return: share(expected_handle - theoretical, expected_handle),
        deviations: share(hold as f64 - theoretical, variance.sqrt()),
    })
}

/// Returns what a game comes to on average, solved once.
async fn theory(room: &Shared, terms: &Arc<Terms>) -> Result<Theory, Problem> {
    let key = terms.rules_version().to_owned();
    if let Some(theory) = room.theories.get(&key) {
        return Ok(theory);
    }
    let solved = Arc::clone(terms);
    let theory = tokio::task::spawn_blocking(move || solve(&solved)).await;
    let theory = theory.ok().flatten().ok_or(Code::Fault)?;
    room.theories.insert(key, theory);
    Ok(theory)
}

fn solve(terms: &Terms) -> Option<Theory> {
    let house = terms.house();
    let game = house.game();
    let mut odds = OddsTerms::new(game, house.blind_paytable().clone()).ok()?;
    odds = odds.with_raises(house.raises().to_vec()).ok()?;
    if !house.qualifying() {
        odds = odds.without_qualifying();
    }
    let outcomes = match game {
        Game::Uth => Holdem::solve(odds.clone(), NonZero::<usize>::MIN).outcomes(),
        Game::Utcp => ThreeCard::solve(odds.clone()).outcomes(),
    };
    let main = MainSheet::new(&odds, outcomes);
    let (ev, wager) = (main.ev.to_f64(), main.average_wager.to_f64());
    let main_variance = main.mean_square.to_f64() - ev * ev;
    let (bonus, bonus_variance) = match terms.bonus() {
        None => (0.0, 0.0),
        Some(table) => {
            let sheet = BonusSheet::new(game, table, &main).ok()?;
            let ev = sheet.ev.to_f64();
            (ev, sheet.mean_square.to_f64() - ev * ev)
        }
    };
    Some(Theory { main: ev, wager, main_variance, bonus, bonus_variance })
}

fn takings_csv(rows: &[GameTakings]) -> String {
    let mut text = "house,bonus_paytable,rules_version,bank,tables,rounds,void,hands,\
                    handle_cents,hold_cents,theoretical_hold_cents,actual_return,\
                    theoretical_return,deviations\n"
        .to_owned();
    let number = |number: Option<f64>| number.map_or_else(String::new, |is| format!("{is:.6}"));
    for row in rows {
        let bonus = row.bonus_paytable.as_deref().unwrap_or_default();
        writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{:.2},{},{},{}",
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
            row.theoretical_hold,
            number(row.actual_return),
            number(row.theoretical_return),
            number(row.deviations),
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

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn a_spreadsheet_takes_no_field_for_a_formula() {
        assert_eq!(field("=1+1"), "\"'=1+1\"");
        assert_eq!(field("a \"b\""), "\"a \"\"b\"\"\"");
    }
}
