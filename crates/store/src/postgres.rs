//! A store in PostgreSQL, which any number of processes share.
//!
//! None of them owns anything: a journal grows where its last version is the expected one, whoever
//! adds to it, and what would break a promise breaks a constraint of the tables. There are no
//! session locks, no sequences and no notifications, so that it works through a proxy that shares
//! connections out by the transaction, and on databases that only speak like PostgreSQL.
//!
//! A change is sent at once, from `BEGIN` to `COMMIT`. If it is refused, what is stored tells why
//! ([`change`]); if the connection breaks, it is sent again, which is safe because nothing can be
//! written twice.

mod change;
mod fault;
mod migrate;
mod papers;
mod rows;
mod session;
mod statement;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use croupier_rules::Amount;
use croupier_table::{Account, Entry, Hash, JournalFault, Time, Transfer, first_hash};
use tokio::time::Instant;
use tokio_postgres::Row;

use crate::journal::{damaged, sound};
use crate::names;
use crate::store::{
    Answered, Append, Choice, CommandKey, Paper, PlayedRound, Player, RoundPlace, RoundRow,
    Standing, Statistic, Store, StoreError, TableRow, Takings, Written,
};
use change::{Attempt, Change, end, number};
use fault::Fault;
use papers::Filing;
use session::{Pause, Session};
use statement::Statement;

pub(crate) use migrate::check as check_version;
pub(crate) use session::{broken, config, place};

/// How a PostgreSQL database is used.
#[derive(Clone, Copy, Debug)]
pub struct PostgresOptions {
    /// How many connections there may be at a time.
    pub connections: usize,
    /// How long to wait for the database before it counts as not there.
    pub patience: Duration,
    /// Told where a change has got to: "before-begin", "before-commit", "after-commit". Tests end
    /// the process there.
    pub probe: fn(&'static str),
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self { connections: 16, patience: Duration::from_secs(5), probe: |_| {} }
    }
}

/// How many journals' ends are remembered.
const ENDS: usize = 10_000;

/// A store in PostgreSQL.
#[derive(Debug)]
pub struct Postgres {
    session: Session,
    warnings: Vec<String>,
    /// The last known entry of some journals, by table. An entry never changes, so that what was
    /// once read stays true; it saves asking for the hash that the next entry must come after.
    ends: Mutex<BTreeMap<String, (u64, Hash)>>,
}

impl Postgres {
    /// Connects to a database, and brings it up to date.
    ///
    /// The address is a URL, `postgres://user:password@host:5432/database`, or a list of settings,
    /// `host=… user=… dbname=…`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] when there is nobody, and [`StoreError::Unusable`] when the
    /// address is wrong, the password is refused, or the database belongs to a newer program.
    pub async fn connect(url: &str, options: PostgresOptions) -> Result<Self, StoreError> {
        let mut session = Session::new(url, &options)?;
        let mut client = session.client().await.map_err(Fault::for_reader)?;
        migrate::migrate(&mut client).await?;
        let settings = "SELECT current_setting('synchronous_commit'), current_setting('fsync')";
        let row = client.query_one(settings, &[]).await;
        let row = row.map_err(|error| Fault::of(&error).for_reader())?;
        if rows::get::<&str>(&row, 0)? == "off" {
            session.insist_on_durability();
        }
        let mut warnings = Vec::new();
        if rows::get::<&str>(&row, 1)? == "off" {
            let warning = "fsync is off: when the server's machine crashes, all may be lost";
            warnings.push(warning.to_owned());
        }
        Ok(Self { session, warnings, ends: Mutex::default() })
    }

    /// Returns what the operator should know about the server.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Writes a change, or finds out why not.
    ///
    /// One that is known not to be possible is not sent, and only the reason is looked for.
    async fn write(
        &self,
        change: &(impl Attempt + Sync),
        possible: bool,
    ) -> Result<Written, StoreError> {
        let statements = change.statements();
        let until = Instant::now() + self.session.patience();
        let mut pause = Pause::default();
        // That it may have been written already, and why nobody knows.
        let mut unsure: Option<String> = None;
        loop {
            let refused = Fault::Refused("somebody else was first".to_owned());
            let sent = if possible { self.session.change(&statements).await } else { Err(refused) };
            let fault = match sent {
                Ok(_) => return Ok(Written::Now),
                Err(Fault::Refused(why)) => match self.look(change, unsure.is_some()).await {
                    // What was lost may still arrive, and find what this one did not.
                    Ok(Err(StoreError::Ledger(_))) if unsure.is_some() => Fault::Refused(why),
                    Ok(Err(error)) => return Err(error),
                    Ok(Ok(Some(written))) => return Ok(written),
                    // It was looked at before somebody else wrote.
                    Ok(Ok(None)) if !possible => return Err(StoreError::Conflict),
                    // What was in the way is gone, or is nothing that should ever be in the way.
                    Ok(Ok(None)) => Fault::Refused(why),
                    Err(Fault::Lost(why)) => Fault::Away(why),
                    Err(fault) => fault,
                },
                Err(fault) => fault,
            };
            if let Fault::Lost(why) = &fault {
                unsure = Some(why.clone());
            }
            let attempts = match fault {
                _ if unsure.is_some() => u32::MAX,
                Fault::Final(_) => 0,
                _ => 6,
            };
            if Instant::now() >= until || !pause.again(attempts).await {
                return Err(unsure.map_or_else(|| fault.for_writer(), StoreError::Unknown));
            }
        }
    }

    /// Finds out why a change was refused; nothing, if there is no reason any more.
    async fn look(
        &self,
        change: &(impl Attempt + Sync),
        unsure: bool,
    ) -> Result<Result<Option<Written>, StoreError>, Fault> {
        let answers = self.session.look(&change.questions()).await?;
        Ok(change.judge(&answers, unsure))
    }

    /// Returns the hash of an entry, if it is there.
    async fn hash_at(&self, table: &str, version: u64) -> Result<Option<Hash>, StoreError> {
        if version == 0 {
            return Ok(Some(first_hash(table)));
        }
        if let Some(&(known, hash)) = self.ends.lock().expect("no panic in between").get(table)
            && known == version
        {
            return Ok(Some(hash));
        }
        let sql = "SELECT hash FROM journal WHERE table_name = $1 AND version = $2";
        let rows = self.session.ask(Statement::new(sql).with(table).with(number(version))).await?;
        rows.first().map(|row| rows::hash(row, 0)).transpose()
    }

    fn remember(&self, table: &str, end: (u64, Hash)) {
        let mut ends = self.ends.lock().expect("no panic in between");
        if ends.len() >= ENDS {
            ends.clear();
        }
        ends.insert(table.to_owned(), end);
    }

    async fn ask_all<T>(
        &self,
        statement: Statement<'_>,
        read: fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.session.ask(statement).await?.iter().map(read).collect()
    }

    async fn ask_one<T>(
        &self,
        statement: Statement<'_>,
        read: fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        self.session.ask(statement).await?.first().map(read).transpose()
    }

    /// Carries out a change in one statement.
    async fn change(&self, statement: Statement<'_>) -> Result<Vec<Row>, StoreError> {
        self.session.change_simply(statement).await.map_err(Fault::for_writer)
    }

    /// Carries out a change in one statement, which returns how much it changed.
    async fn count(&self, statement: Statement<'_>) -> Result<u64, StoreError> {
        let rows = self.change(statement).await?;
        rows.first().map_or(Ok(0), |row| rows::count(row, 0))
    }
}

const TABLE: &str = "SELECT name, house, version, checkpoint, deadline, closed FROM tables
    WHERE name = $1";

const TABLES: &str = "SELECT name, house, version, checkpoint, deadline, closed FROM tables
    WHERE name > $1 ORDER BY name LIMIT $2";

const VERSION: &str = "SELECT version FROM tables WHERE name = $1";

const JOURNAL: &str = "SELECT version, at, body, hash FROM journal
    WHERE table_name = $1 AND version >= $2 ORDER BY version LIMIT $3";

// Whoever is claiming at the same time passes over what this one has locked. Without its own step
// the limit could be applied more than once.
const CLAIM: &str = "WITH due AS MATERIALIZED (
        SELECT name FROM tables
        WHERE deadline <= $1 AND claimed <= $1 AND closed = 0
        ORDER BY deadline, name LIMIT $3
        FOR UPDATE SKIP LOCKED
    ), taken AS (
        UPDATE tables SET claimed = $2 FROM due WHERE tables.name = due.name
        RETURNING tables.name, tables.deadline
    )
    SELECT name FROM taken ORDER BY deadline, name";

// A table that is closed does not change any more, so that what is looked at here stays true.
const REMOVE_UNPLAYED: &str = "WITH gone AS (
        DELETE FROM tables WHERE name = $1 AND closed <> 0
            AND NOT EXISTS (SELECT 1 FROM rounds WHERE table_name = $1)
            AND NOT EXISTS (SELECT 1 FROM transfers WHERE key >= $2 AND key < $3)
            AND NOT EXISTS (SELECT 1 FROM journal WHERE table_name = $1
                AND journal.version = tables.version AND at > $4)
        RETURNING name
    ), entries AS (
        DELETE FROM journal USING gone WHERE table_name = gone.name
    )
    SELECT count(*) FROM gone";

const SIZE: &str = "SELECT coalesce(sum(pg_total_relation_size(to_regclass(name))), 0)::bigint
    FROM unnest(ARRAY['players', 'tables', 'journal', 'transfers', 'balances', 'commands',
        'rounds', 'round_seats', 'choices', 'papers']) AS ours (name)";

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

// What there was before is seen by the whole statement, whatever is written in it.
const SET_PROFILE: &str = "WITH written AS (
        UPDATE players SET profile = $3 WHERE name = $1 AND profile = $2 RETURNING 1
    )
    SELECT EXISTS (SELECT 1 FROM written), EXISTS (SELECT 1 FROM players WHERE name = $1)";

const ADD_CHOICES: &str = "INSERT INTO choices
        (player, key, at, game, street, spot, chosen, best, cost_ppm)
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[],
        $7::text[], $8::text[], $9::bigint[]) AS choice (player, key)
    ORDER BY player COLLATE \"C\", key COLLATE \"C\"
    ON CONFLICT (player, key) DO NOTHING";

const FORGET_CHOICES: &str = "WITH gone AS (
        DELETE FROM choices WHERE player = $1 RETURNING 1
    )
    SELECT count(*) FROM gone";

const MISTAKES: &str = "SELECT player, key, at, game, street, spot, chosen, best, cost_ppm
    FROM choices WHERE player = $1 AND cost_ppm > 0
    ORDER BY cost_ppm DESC, key LIMIT $2";

const STATISTICS: &str = "SELECT game, street, count(*), count(*) FILTER (WHERE cost_ppm > 0),
        least(sum(cost_ppm), 9223372036854775807)::bigint
    FROM choices WHERE player = $1 GROUP BY game, street ORDER BY game, street";

/// Returns a limit as the database takes it.
fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

/// Returns a text after which the same names come as after this one, and which can be sent: nothing
/// has a zero character in its name.
fn sendable(after: &str) -> &str {
    after.split('\0').next().unwrap_or_default()
}

impl Store for Postgres {
    async fn append(&self, append: Append) -> Result<Written, StoreError> {
        append.check()?;
        let previous = self.hash_at(&append.table, append.expected).await?;
        let change = Change::of_journal(&append);
        let written = self.write(&change, change.is_possible(previous.as_ref())).await?;
        if written == Written::Now {
            self.remember(&append.table, end(&append));
        }
        Ok(written)
    }

    async fn transfer(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        names::check_transfers(&transfers)?;
        names::check_command(command.as_ref())?;
        let change = Change::of_money(&transfers, at, command.as_ref());
        self.write(&change, change.is_possible(None)).await
    }

    async fn transfer_unless_changed(
        &self,
        transfers: Vec<Transfer>,
        at: Time,
        account: &Account,
        seen: Standing,
        command: Option<Answered>,
    ) -> Result<Written, StoreError> {
        names::check_transfers(&transfers)?;
        names::check_command(command.as_ref())?;
        Standing::check(&transfers, account)?;
        let change = Change::of_money(&transfers, at, command.as_ref());
        let change = change.unless_changed(account, seen);
        self.write(&change, change.is_possible(None)).await
    }

    async fn answer(&self, key: &CommandKey, body: &Hash) -> Result<Option<String>, StoreError> {
        names::check_key(key)?;
        let sql = "SELECT body, answer FROM commands WHERE sender = $1 AND key = $2";
        let rows = self.session.ask(Statement::new(sql).with(&key.sender).with(&key.key)).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        if rows::hash(row, 0)? != *body {
            return Err(StoreError::KeyReused);
        }
        rows::get(row, 1).map(Some)
    }

    async fn table(&self, table: &str) -> Result<Option<TableRow>, StoreError> {
        if !names::can_exist(table) {
            return Ok(None);
        }
        self.ask_one(Statement::new(TABLE).with(table), rows::table).await
    }

    async fn tables(&self, after: &str, most: usize) -> Result<Vec<TableRow>, StoreError> {
        let statement = Statement::new(TABLES).with(sendable(after)).with(limit(most));
        self.ask_all(statement, rows::table).await
    }

    async fn versions(&self, mut tables: Vec<String>) -> Result<Vec<(String, u64)>, StoreError> {
        tables.retain(|table| names::can_exist(table));
        let sql = "SELECT name, version FROM tables WHERE name = ANY ($1::text[]) ORDER BY name";
        let statement = Statement::new(sql).with(tables);
        self.ask_all(statement, |row| Ok((rows::get(row, 0)?, rows::count(row, 1)?))).await
    }

    async fn journal(&self, table: &str, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        if !names::can_exist(table) {
            return Ok(Vec::new());
        }
        let from = from.max(1);
        // The entry before the first is read, too: it has the hash that the first comes after.
        let head = Statement::new(VERSION).with(table);
        let entries = Statement::new(JOURNAL).with(table).with(number(from - 1));
        let entries = entries.with(limit(most.saturating_add(usize::from(from > 1))));
        let [head, entries] = self.session.ask_each([head, entries]).await?;
        let end = head.first().map(|row| rows::count(row, 0)).transpose()?.unwrap_or(0);
        if from > end {
            return Ok(Vec::new());
        }
        let mut entries: Vec<Entry> = entries.iter().map(rows::entry).collect::<Result<_, _>>()?;
        let before = if from == 1 {
            first_hash(table)
        } else if entries.first().is_some_and(|entry| entry.version == from - 1) {
            entries.remove(0).hash
        } else {
            return Err(damaged(table, from - 1, JournalFault::Missing));
        };
        sound(table, &before, (from, end), most, entries)
    }

    async fn claim(&self, now: Time, until: Time, most: usize) -> Result<Vec<String>, StoreError> {
        let statement = Statement::new(CLAIM).with(now.as_millis()).with(until.as_millis());
        let rows = self.change(statement.with(limit(most))).await?;
        rows.iter().map(|row| rows::get(row, 0)).collect()
    }

    async fn remove_unplayed(&self, table: &str, before: Time) -> Result<bool, StoreError> {
        if !names::can_exist(table) {
            return Ok(false);
        }
        let [first, end] = names::transfers_of(table);
        let statement = Statement::new(REMOVE_UNPLAYED).with(table).with(first).with(end);
        let is_gone = self.count(statement.with(before.as_millis())).await? > 0;
        if is_gone {
            self.ends.lock().expect("no panic in between").remove(table);
        }
        Ok(is_gone)
    }

    async fn balance(&self, account: &Account) -> Result<Amount, StoreError> {
        let account = account.to_string();
        if !names::can_exist(&account) {
            return Ok(Amount::ZERO);
        }
        let sql = "SELECT balance FROM balances WHERE account = $1";
        let statement = Statement::new(sql).with(account);
        let balance = self.ask_one(statement, |row| rows::amount(row, 0)).await?;
        Ok(balance.unwrap_or_default())
    }

    async fn standing(&self, account: &Account) -> Result<Standing, StoreError> {
        let account = account.to_string();
        if !names::can_exist(&account) {
            return Ok(Standing::default());
        }
        let sql = "SELECT balance, changes FROM balances WHERE account = $1";
        let standing = |row: &Row| {
            Ok(Standing { balance: rows::amount(row, 0)?, changes: rows::count(row, 1)? })
        };
        Ok(self.ask_one(Statement::new(sql).with(account), standing).await?.unwrap_or_default())
    }

    async fn balances(
        &self,
        after: &str,
        most: usize,
    ) -> Result<Vec<(Account, Amount)>, StoreError> {
        let sql = "SELECT account, balance FROM balances
            WHERE account > $1 ORDER BY account LIMIT $2";
        let statement = Statement::new(sql).with(sendable(after)).with(limit(most));
        self.ask_all(statement, |row| Ok((rows::account(row, 0)?, rows::amount(row, 1)?))).await
    }

    async fn transfers(&self, after: &str, most: usize) -> Result<Vec<Transfer>, StoreError> {
        let sql = "SELECT key, from_account, to_account, amount FROM transfers
            WHERE key > $1 ORDER BY key LIMIT $2";
        let statement = Statement::new(sql).with(sendable(after)).with(limit(most));
        self.ask_all(statement, rows::transfer).await
    }

    async fn round(&self, table: &str, round: u64) -> Result<Option<RoundRow>, StoreError> {
        if !names::can_exist(table) {
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
        if !names::can_exist(table) {
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
        if !names::can_exist(player) {
            return Ok(Vec::new());
        }
        let table = sendable(&before.table);
        // After all rounds of the table is where a longer name comes.
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

    async fn add_player(&self, player: Player) -> Result<(), StoreError> {
        names::check_player(&player)?;
        let sql = "INSERT INTO players (name, since, profile) VALUES ($1, $2, $3)";
        let statement = Statement::new(sql).with(&player.name).with(player.since.as_millis());
        match self.session.change_simply(statement.with(&player.profile)).await {
            Ok(_) => Ok(()),
            Err(Fault::Refused(_)) => Err(StoreError::Taken),
            Err(fault) => Err(fault.for_writer()),
        }
    }

    async fn player(&self, name: &str) -> Result<Option<Player>, StoreError> {
        if !names::can_exist(name) {
            return Ok(None);
        }
        let sql = "SELECT name, since, profile FROM players WHERE name = $1";
        self.ask_one(Statement::new(sql).with(name), rows::player).await
    }

    async fn set_profile(
        &self,
        name: &str,
        expected: &str,
        profile: &str,
    ) -> Result<bool, StoreError> {
        names::check_profiles(expected, profile)?;
        if !names::can_exist(name) {
            return Ok(false);
        }
        let statement = Statement::new(SET_PROFILE).with(name).with(expected).with(profile);
        let rows = self.change(statement).await?;
        let Some(row) = rows.first() else { return Ok(false) };
        match (rows::get(row, 0)?, rows::get(row, 1)?) {
            (true, _) => Ok(true),
            (false, true) => Err(StoreError::Conflict),
            (false, false) => Ok(false),
        }
    }

    async fn remove_player(&self, name: &str) -> Result<bool, StoreError> {
        if !names::can_exist(name) {
            return Ok(false);
        }
        let sql = "DELETE FROM players WHERE name = $1 RETURNING 1";
        Ok(!self.change(Statement::new(sql).with(name)).await?.is_empty())
    }

    async fn add_choices(&self, choices: Vec<Choice>) -> Result<(), StoreError> {
        choices.iter().try_for_each(Choice::check)?;
        let statement = Statement::new(ADD_CHOICES)
            .column(&choices, |choice| choice.player.as_str())
            .column(&choices, |choice| choice.key.as_str())
            .column(&choices, |choice| choice.at.as_millis())
            .column(&choices, |choice| choice.game.as_str())
            .column(&choices, |choice| choice.street.as_str())
            .column(&choices, |choice| choice.spot.as_str())
            .column(&choices, |choice| choice.chosen.as_str())
            .column(&choices, |choice| choice.best.as_str())
            .column(&choices, |choice| number(choice.cost_ppm));
        self.change(statement).await.map(drop)
    }

    async fn forget_choices(&self, player: &str) -> Result<u64, StoreError> {
        if !names::can_exist(player) {
            return Ok(0);
        }
        self.count(Statement::new(FORGET_CHOICES).with(player)).await
    }

    async fn mistakes(&self, player: &str, most: usize) -> Result<Vec<Choice>, StoreError> {
        if !names::can_exist(player) {
            return Ok(Vec::new());
        }
        let statement = Statement::new(MISTAKES).with(player).with(limit(most));
        self.ask_all(statement, rows::choice).await
    }

    async fn statistics(&self, player: &str) -> Result<Vec<Statistic>, StoreError> {
        if !names::can_exist(player) {
            return Ok(Vec::new());
        }
        self.ask_all(Statement::new(STATISTICS).with(player), rows::statistic).await
    }

    async fn paper(&self, drawer: &str, key: &str) -> Result<Option<Paper>, StoreError> {
        if !names::can_exist(drawer) || !names::can_exist(key) {
            return Ok(None);
        }
        self.ask_one(Statement::new(papers::PAPER).with(drawer).with(key), rows::paper).await
    }

    async fn file_all(&self, papers: Vec<Paper>) -> Result<(), StoreError> {
        Paper::check_all(&papers)?;
        self.write(&Filing(&papers), true).await.map(drop)
    }

    async fn discard(&self, drawer: &str, key: &str) -> Result<bool, StoreError> {
        if !names::can_exist(drawer) || !names::can_exist(key) {
            return Ok(false);
        }
        let statement = Statement::new(papers::DISCARD).with(drawer).with(key);
        Ok(!self.change(statement).await?.is_empty())
    }

    async fn papers(
        &self,
        drawer: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<Paper>, StoreError> {
        if !names::can_exist(drawer) {
            return Ok(Vec::new());
        }
        let statement = Statement::new(papers::PAPERS).with(drawer).with(sendable(after));
        self.ask_all(statement.with(limit(most)), rows::paper).await
    }

    async fn papers_of(
        &self,
        drawer: &str,
        owner: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<Paper>, StoreError> {
        if !names::can_exist(drawer) || !names::is_text(owner) {
            return Ok(Vec::new());
        }
        let statement = Statement::new(papers::PAPERS_OF).with(drawer).with(owner);
        self.ask_all(statement.with(sendable(after)).with(limit(most)), rows::paper).await
    }

    async fn discard_of(&self, drawer: &str, owner: &str) -> Result<u64, StoreError> {
        if !names::can_exist(drawer) || !names::is_text(owner) {
            return Ok(0);
        }
        self.count(Statement::new(papers::DISCARD_OF).with(drawer).with(owner)).await
    }

    async fn expire(&self, now: Time, most: usize) -> Result<u64, StoreError> {
        let statement = Statement::new(papers::EXPIRE).with(now.as_millis());
        self.count(statement.with(limit(most))).await
    }

    async fn size(&self) -> Result<u64, StoreError> {
        let size = self.ask_one(Statement::new(SIZE), |row| rows::count(row, 0)).await?;
        Ok(size.unwrap_or(0))
    }

    async fn clock(&self) -> Result<Time, StoreError> {
        let sql = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
        let time = self.ask_one(Statement::new(sql), |row| rows::time(row, 0)).await?;
        time.ok_or_else(|| StoreError::Damaged("the database does not know the time".to_owned()))
    }
}
