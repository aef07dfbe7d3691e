//! The actual win of each game, next to its theoretical win.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use croupier_rules::{Amount, Banking};
use croupier_store::{Rounds, Takings};
use croupier_table::{Hash, Terms};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::pricing::{Priced, Theory};
use super::sample::Sample;
use super::{Format, Span, csv, field};
use crate::http::extract::{Json, Query};
use crate::http::problem::{Code, Problem, Problems};
use crate::people::session::Operator;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(takings))
}

/// The actual and theoretical win of a game: one row for each house and bonus, that is, for each
/// set of pay tables.
#[derive(Debug, Serialize, ToSchema)]
struct GameTakings {
    /// The house.
    house: String,
    /// Its bonus pay table.
    bonus_paytable: Option<String>,
    /// The version of the rules, with the fingerprint of house and pay tables.
    rules_version: String,
    /// The bank: `house` or `player-dealer`.
    bank: String,
    /// The number of tables.
    tables: u64,
    /// The number of rounds that counted.
    rounds: u64,
    /// The number of void rounds.
    void: u64,
    /// The number of hands with a wager.
    hands: u64,
    /// The total amount wagered, in cents.
    handle: i64,
    /// The actual win: the part of it that the bank kept, in cents.
    hold: i64,
    /// The theoretical win (theo) on these Antes and bonuses against the best play, if the bank
    /// covers every wager, in cents. Players who play badly lose more, which does not mean that
    /// something is wrong. Null if it cannot be computed.
    theoretical_hold: Option<f64>,
    /// The share of the handle that was returned to players.
    actual_return: Option<f64>,
    /// The expected return with best play.
    theoretical_return: Option<f64>,
    /// How many rounds were priced: all that counted, or an evenly spaced sample.
    priced_rounds: u64,
    /// The number of hands in them.
    priced_hands: u64,
    /// The expected cost of the decisions in them, relative to the best ones, in cents.
    mistakes: f64,
    /// The bank's expected win in them with the decisions that were made, in cents.
    expected_hold: f64,
    /// The bank's win in them if it had covered every wager, in cents. A house does cover every
    /// wager, up to its maximum aggregate payout.
    covered_hold: f64,
    /// How many standard deviations the covered win is above the expected win. Within three
    /// either way is normal chance, however well or badly players play.
    deviations: Option<f64>,
    /// Whether a sum exceeds the largest amount that can be counted. Then `handle` and `hold` are
    /// that largest amount, and there is no comparison.
    exceeds: bool,
}

/// Actual and theoretical win
///
/// Handle, actual win and theoretical win (theo) of every game. A game with other pay tables is
/// another game. Whether the cards were fair is judged by the decisions that were made: see
/// `deviations`.
#[utoipa::path(
    get, path = "/api/operator/reports/takings", tag = "operator", params(Span),
    responses(
        (status = 200, description = "One row per game", content(
            (Vec<GameTakings> = "application/json"), (String = "text/csv")
        )),
        Problems
    ),
    security(("token" = []), ("cookie" = []))
)]
async fn takings(
    State(state): State<AppState>,
    _operator: Operator,
    Query(span): Query<Span>,
) -> Result<Response, Problem> {
    let (from, to) = span.bounds(&state)?;
    let mut games: BTreeMap<Hash, (Arc<Terms>, GameSum)> = BTreeMap::new();
    for takings in state.store().takings(from, to).await? {
        let Some(terms) = terms_of(&state, &takings.table).await? else { continue };
        // Tables that differ only in their clocks play the same game.
        let key = Hash::of(terms.rules_version().as_bytes());
        let (_, sum) = games.entry(key).or_insert((terms, GameSum::default()));
        sum.add(&takings);
        sum.names.push(takings.table);
    }
    let counts = games.values().map(|(_, sum)| (sum.rounds + sum.void, sum.hands));
    let sample = Sample::new(counts, from, to);
    let _one_at_a_time = state.pricing_lock.lock().await;
    let mut rows = Vec::new();
    for (terms, sum) in games.into_values() {
        rows.push(row(&state, &terms, &sum, &sample).await?);
    }
    Ok(match span.format {
        Format::Json => Json(rows).into_response(),
        Format::Csv => csv(takings_csv(&rows)),
    })
}

/// The takings of several tables together.
#[derive(Debug, Default)]
struct GameSum {
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
    /// Whether a table's takings exceed the largest amount that can be counted.
    exceeds: bool,
}

impl GameSum {
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

    /// Returns handle and hold in cents, and whether one of them exceeds the largest amount that
    /// can be counted.
    fn handle_and_hold(&self) -> (i64, i64, bool) {
        let fit = |cents: i128| {
            let most = if cents < 0 { i64::MIN } else { i64::MAX };
            (i64::try_from(cents).unwrap_or(most), i64::try_from(cents).is_err())
        };
        let ((handle, more), (hold, most)) = (fit(self.staked), fit(-self.net));
        (handle, hold, self.exceeds || more || most)
    }
}

/// Returns a table's terms, from its first entry if the journal is damaged. A table that cannot be
/// read at all is left out, and reported to the operator.
async fn terms_of(state: &AppState, table: &str) -> Result<Option<Arc<Terms>>, Problem> {
    match state.table(table).await {
        Ok(table) => return Ok(Some(Arc::clone(table.terms()))),
        Err(problem) if problem.code == Code::Internal.name() => {}
        Err(problem) => return Err(problem),
    }
    match state.floor.terms(table).await {
        Ok(terms) => Ok(Some(terms)),
        Err(error) if error.is_table_fault() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a report is read by people")]
async fn row(
    state: &AppState,
    terms: &Arc<Terms>,
    sum: &GameSum,
    sample: &Sample,
) -> Result<GameTakings, Problem> {
    let (handle_cents, hold_cents, exceeds) = sum.handle_and_hold();
    // A game that cannot be solved, or whose sums overflow, has no comparison.
    let theory = theory(state, terms).await.filter(|_| !exceeds);
    let (ante, bonus, handle) = (sum.ante as f64, sum.bonus as f64, sum.staked as f64);
    let theoretical = theory.as_ref().map(|it| -(ante * it.main + bonus * it.bonus));
    let expected_handle = theory.as_ref().map(|it| ante * it.wager + bonus);
    let hold = -sum.net as f64;
    let priced = match &theory {
        Some(theory) => sample.price(state, terms, theory, &sum.names).await?,
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
        handle: handle_cents,
        hold: hold_cents,
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

/// Returns the solved game, cached; `None` if it cannot be solved.
async fn theory(state: &AppState, terms: &Arc<Terms>) -> Option<Theory> {
    let key = terms.rules_version().to_owned();
    if let Some(theory) = state.theories.get(&key) {
        return Some(theory);
    }
    let solved = Arc::clone(terms);
    let theory = tokio::task::spawn_blocking(move || Theory::solve(&solved)).await;
    let Some(theory) = theory.ok().flatten() else {
        tracing::warn!(house = terms.house().id(), "a game cannot be solved");
        return None;
    };
    state.theories.insert(key, theory.clone());
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
