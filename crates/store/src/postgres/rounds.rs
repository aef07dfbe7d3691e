//! Finished rounds in the database.

use croupier_table::Time;

use super::change::number;
use super::statement::{Statement, limit, sendable};
use super::{Postgres, rows};
use crate::error::StoreError;
use crate::limits::can_exist;
use crate::rounds::{PlayedRound, RoundPlace, RoundRow, Rounds, Takings};

const ROUND: &str = "SELECT table_name, round, version, at, house, void FROM rounds
    WHERE table_name = $1 AND round = $2";

const ROUND_SEATS: &str = "SELECT seat, player, banked, ante, bonus, staked, net FROM round_seats
    WHERE table_name = $1 AND round = $2 ORDER BY seat";

const ROUNDS_AT: &str = "SELECT over.table_name, over.round, version, over.at, house, void,
        seat, player, banked, ante, bonus, staked, net
    FROM (
        SELECT table_name, round, version, at, house, void FROM rounds
        WHERE table_name = $1 AND round <= $2 ORDER BY round DESC LIMIT $3
    ) AS over
    LEFT JOIN round_seats
        ON round_seats.table_name = over.table_name AND round_seats.round = over.round
    ORDER BY over.round DESC, seat";

const TAKINGS: &str = "WITH over AS (
        SELECT table_name, round, house, void FROM rounds WHERE at >= $1 AND at < $2
    ), heads AS (
        SELECT table_name, house, count(*) FILTER (WHERE void = 0) AS rounds,
            count(*) FILTER (WHERE void <> 0) AS void
        FROM over GROUP BY table_name, house
    ), hands AS (
        SELECT over.table_name, over.house, count(*) AS hands, sum(ante) AS ante,
            sum(bonus) AS bonus, sum(staked) AS staked, sum(net) AS net
        FROM over
        JOIN round_seats
            ON round_seats.table_name = over.table_name AND round_seats.round = over.round
        WHERE over.void = 0 AND banked = 0
        GROUP BY over.table_name, over.house
    )
    SELECT table_name, house, rounds, void, coalesce(hands, 0),
        least(coalesce(ante, 0), 9223372036854775807)::bigint,
        least(coalesce(bonus, 0), 9223372036854775807)::bigint,
        least(coalesce(staked, 0), 9223372036854775807)::bigint,
        greatest(least(coalesce(net, 0), 9223372036854775807), -9223372036854775808)::bigint,
        coalesce(greatest(ante, bonus, staked, net) > 9223372036854775807
            OR net < -9223372036854775808, false)
    FROM heads LEFT JOIN hands USING (table_name, house)
    ORDER BY table_name, house COLLATE \"C\"";

const ROUNDS_OF: &str = "SELECT s.seat, s.player, s.banked, s.ante, s.bonus, s.staked, s.net, s.at,
        s.table_name, s.round, r.house, r.void
    FROM round_seats s
    JOIN rounds r ON r.table_name = s.table_name AND r.round = s.round
    WHERE s.player = $1 AND (s.at, s.table_name, s.round, s.seat) < ($2, $3, $4, $5)
    ORDER BY s.at DESC, s.table_name DESC, s.round DESC, s.seat DESC LIMIT $6";

impl Rounds for Postgres {
    async fn round(&self, table: &str, round: u64) -> Result<Option<RoundRow>, StoreError> {
        if !can_exist(table) {
            return Ok(None);
        }
        let Ok(round) = i64::try_from(round) else { return Ok(None) };
        let of = |sql| Statement::new(sql).with(table).with(round);
        let [rows, seats] = self.session.ask_each([of(ROUND), of(ROUND_SEATS)]).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let seats = seats.iter().map(rows::seat).collect::<Result<_, _>>()?;
        rows::round(row, seats).map(Some)
    }

    async fn rounds_at(
        &self,
        table: &str,
        before: u64,
        most: usize,
    ) -> Result<Vec<RoundRow>, StoreError> {
        let Some(last) = before.checked_sub(1) else { return Ok(Vec::new()) };
        if !can_exist(table) {
            return Ok(Vec::new());
        }
        let statement = Statement::new(ROUNDS_AT).with(table).with(number(last)).with(limit(most));
        rows::rounds(&self.session.ask(statement).await?)
    }

    async fn takings(&self, from: Time, to: Time) -> Result<Vec<Takings>, StoreError> {
        let statement = Statement::new(TAKINGS).with(from.as_millis()).with(to.as_millis());
        self.ask_all(statement, rows::takings).await
    }

    async fn rounds_of(
        &self,
        player: &str,
        before: &RoundPlace,
        most: usize,
    ) -> Result<Vec<PlayedRound>, StoreError> {
        if !can_exist(player) {
            return Ok(Vec::new());
        }
        let table = sendable(&before.table);
        // A longer name comes after all rounds of the table.
        let (round, seat) = if table == before.table {
            (number(before.round), i64::from(before.seat))
        } else {
            (i64::MAX, i64::MAX)
        };
        let statement = Statement::new(ROUNDS_OF)
            .with(player)
            .with(before.at.as_millis())
            .with(table)
            .with(round)
            .with(seat)
            .with(limit(most));
        self.ask_all(statement, rows::played).await
    }
}
