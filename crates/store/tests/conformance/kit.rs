//! The checks, each of which is given a fresh store, and what they have in common.

pub(crate) mod appends;
pub(crate) mod claims;
pub(crate) mod commands;
pub(crate) mod money;
pub(crate) mod names;
pub(crate) mod papers;
pub(crate) mod people;
pub(crate) mod removals;
pub(crate) mod rounds;

use std::collections::BTreeMap;

use croupier_rules::Amount;
use croupier_store::{Answered, Append, CommandKey, RoundRow, RoundSeat, Store, TableRow};
use croupier_table::{Account, Entry, Hash, Time, Transfer, first_hash};

/// Makes a module with a test for every check.
macro_rules! conformance {
    ($store:ident, $fresh:expr) => {
        mod $store {
            use super::*;

            conformance!(@ $fresh,
                appends: a_journal_grows_at_its_end,
                appends: who_expected_another_end_is_told,
                appends: what_does_not_belong_together_is_refused,
                appends: an_entry_is_sealed_after_the_last_one_stored,
                appends: errors_come_in_their_order,
                appends: a_journal_is_read_in_pages,
                appends: a_table_is_as_the_last_append_left_it,
                appends: tables_are_listed_in_the_order_of_their_bytes,
                appends: versions_of_many_tables_are_told_at_once,
                appends: of_many_that_append_at_once_one_does,
                commands: a_command_that_comes_again_is_answered_as_before,
                commands: a_transfer_that_comes_again_is_answered_as_before,
                commands: a_key_is_used_for_one_command,
                commands: a_command_that_was_refused_may_come_again,
                commands: of_many_equal_commands_at_once_one_acts,
                money: chips_that_are_not_there_leave_nothing_behind,
                money: who_has_too_many_chips_puts_none_down,
                money: what_cannot_be_counted_is_refused,
                money: a_transfer_moves_something,
                money: a_transfer_is_made_once,
                money: nobody_stakes_what_he_is_about_to_win,
                money: money_is_listed_in_the_order_of_its_names,
                money: nobody_spends_the_same_chips_twice_at_once,
                money: balances_are_those_of_the_ledger,
                money: a_transfer_can_depend_on_how_an_account_stands,
                money: of_many_that_depend_on_the_same_standing_one_is_made,
                claims: a_table_is_claimed_when_it_is_due,
                claims: a_claim_runs_out,
                claims: an_append_ends_a_claim,
                claims: a_table_without_a_deadline_is_never_claimed,
                claims: of_many_that_claim_at_once_one_is_given_a_table,
                rounds: a_round_that_is_over_is_kept,
                rounds: a_round_is_over_once,
                rounds: a_history_is_read_in_pages,
                rounds: rounds_of_one_moment_have_an_order,
                rounds: the_rounds_of_a_table_are_read_in_pages,
                rounds: takings_are_of_tables_in_some_time,
                rounds: takings_beyond_counting_say_so,
                removals: a_table_that_came_to_nothing_is_removed,
                removals: a_table_with_a_history_stays,
                removals: a_name_begins_anew_after_a_removal,
                removals: what_is_stored_has_a_size,
                names: a_key_that_cannot_be_is_refused,
                names: a_name_that_cannot_be_is_refused,
                names: there_is_nothing_of_a_name_that_cannot_be,
                names: the_longest_names_are_kept,
                people: a_name_is_taken_once,
                people: a_profile_is_written_anew,
                people: of_many_that_change_a_profile_at_once_one_does,
                people: a_player_who_is_removed_leaves_all_else_behind,
                people: choices_are_forgotten_by_player,
                people: a_choice_is_kept_once,
                people: the_dearest_mistakes_come_first,
                people: statistics_are_by_game_and_street,
                people: a_cost_beyond_counting_is_the_most_that_can_be_counted,
                papers: a_paper_is_kept_until_it_is_discarded,
                papers: a_paper_is_replaced_by_who_knows_it,
                papers: papers_are_filed_together_or_not_at_all,
                papers: papers_are_read_in_the_order_of_their_keys,
                papers: papers_are_found_by_their_owner,
                papers: papers_go_when_their_time_has_come,
                papers: of_many_that_file_a_paper_at_once_one_does,
                papers: a_paper_that_cannot_be_is_refused,
                papers: the_clock_does_not_stand,
            );
        }
    };
    (@ $fresh:expr, $($noun:ident: $check:ident,)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $check() {
                let fresh = $fresh;
                kit::$noun::$check(fresh(stringify!($check)).await).await;
            }
        )*
    };
}

/// The house of the tables here. A store does not ask what it is.
pub(crate) const HOUSE: &str = "some-house";

/// Writes the entries of a table, each after the one before.
#[derive(Clone, Debug)]
pub(crate) struct Pen {
    table: String,
    version: u64,
    hash: Hash,
}

impl Pen {
    pub(crate) fn new(table: &str) -> Self {
        Self { table: table.to_owned(), version: 0, hash: first_hash(table) }
    }

    /// Returns so many entries more, to be added with nothing else.
    pub(crate) fn write(&mut self, count: u64) -> Append {
        let expected = self.version;
        let entries = (0..count).map(|_| self.entry()).collect();
        Append {
            table: self.table.clone(),
            expected,
            entries,
            transfers: Vec::new(),
            deadline: None,
            opens: (expected == 0).then(|| HOUSE.to_owned()),
            closes: false,
            checkpoint: None,
            rounds: Vec::new(),
            command: None,
        }
    }

    fn entry(&mut self) -> Entry {
        self.version += 1;
        let body = format!(r#"{{"what":"entry {} of {}"}}"#, self.version, self.table);
        let entry = Entry::seal(&self.hash, self.version, moment(self.version), body);
        self.hash = entry.hash;
        entry
    }
}

/// Returns a moment in a year that does not matter.
pub(crate) fn moment(number: u64) -> Time {
    Time::from_millis(1_700_000_000_000 + i64::try_from(number).unwrap())
}

pub(crate) fn player(name: &str) -> Account {
    Account::Player(name.to_owned())
}

/// Returns chips for a player, from where his chips come from.
pub(crate) fn chips(key: &str, name: &str, cents: i64) -> Transfer {
    pay(key, Account::Issue(name.to_owned()), player(name), cents)
}

pub(crate) fn pay(key: &str, from: Account, to: Account, cents: i64) -> Transfer {
    Transfer { key: key.to_owned(), from, to, amount: Amount::cents(cents) }
}

/// Returns a command of Ann's, and its answer.
pub(crate) fn command(key: &str, body: &str) -> Answered {
    let key = CommandKey { sender: "ann".to_owned(), key: key.to_owned() };
    Answered { key, body: Hash::of(body.as_bytes()), answer: format!("answer to {body}") }
}

/// Returns a round of a table that is over, with who sat where. Its record is in the first entry.
pub(crate) fn round(table: &str, round: u64, at: Time, seats: &[(u32, &str)]) -> RoundRow {
    let seat = |&(seat, player): &(u32, &str)| RoundSeat {
        seat,
        player: player.to_owned(),
        banked: seat == 1,
        ante: Amount::cents(if seat == 1 { 0 } else { 200 }),
        bonus: Amount::cents(if seat == 3 { 50 } else { 0 }),
        staked: Amount::cents(1_000),
        net: Amount::cents(-250 * i64::from(seat)),
    };
    let (table, house) = (table.to_owned(), HOUSE.to_owned());
    let seats = seats.iter().map(seat).collect();
    RoundRow { table, round, version: 1, at, house, void: false, seats }
}

/// All tables, journals and money of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Everything {
    pub(crate) tables: Vec<TableRow>,
    pub(crate) journals: Vec<Vec<Entry>>,
    pub(crate) transfers: Vec<Transfer>,
    pub(crate) balances: BTreeMap<String, Amount>,
}

/// Reads all there is, and makes sure that no money was made, lost or owed.
pub(crate) async fn everything(store: &impl Store) -> Everything {
    let tables = store.tables("", usize::MAX).await.unwrap();
    let mut journals = Vec::new();
    for row in &tables {
        let journal = store.journal(&row.table, 1, usize::MAX).await.unwrap();
        assert_eq!(journal.len() as u64, row.version, "{row:?}");
        journals.push(journal);
    }
    let transfers = store.transfers("", usize::MAX).await.unwrap();
    let rows = store.balances("", usize::MAX).await.unwrap();
    let mut sums: BTreeMap<String, i128> = BTreeMap::new();
    for Transfer { from, to, amount, .. } in &transfers {
        *sums.entry(from.to_string()).or_default() -= i128::from(amount.as_cents());
        *sums.entry(to.to_string()).or_default() += i128::from(amount.as_cents());
    }
    let mut balances = BTreeMap::new();
    for (account, balance) in rows {
        assert_eq!(store.balance(&account).await, Ok(balance), "{account}");
        assert!(balance >= Amount::ZERO || account.may_owe(), "{account} owes {balance}");
        assert_eq!(sums.remove(&account.to_string()), Some(balance.as_cents().into()));
        balances.insert(account.to_string(), balance);
    }
    assert!(sums.is_empty(), "accounts without a balance: {sums:?}");
    let total: i128 = balances.values().map(|balance| i128::from(balance.as_cents())).sum();
    assert_eq!(total, 0, "money was made or lost");
    Everything { tables, journals, transfers, balances }
}
