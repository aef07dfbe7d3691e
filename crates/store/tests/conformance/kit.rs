//! The checks, each of which gets a fresh store, and their common helpers.

pub(crate) mod appends;
pub(crate) mod claims;
pub(crate) mod commands;
pub(crate) mod documents;
pub(crate) mod money;
pub(crate) mod names;
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
                appends: a_writer_with_the_wrong_version_gets_a_conflict,
                appends: an_inconsistent_append_is_refused,
                appends: an_entry_is_sealed_after_the_last_one_stored,
                appends: errors_have_an_order,
                appends: a_journal_is_read_in_pages,
                appends: a_table_is_as_the_last_append_left_it,
                appends: tables_are_listed_in_the_order_of_their_bytes,
                appends: versions_of_many_tables_are_returned_at_once,
                appends: only_one_of_many_concurrent_appends_succeeds,
                commands: a_repeated_command_gets_the_same_answer,
                commands: a_repeated_transfer_gets_the_same_answer,
                commands: a_key_is_used_for_one_command,
                commands: a_refused_command_may_be_retried,
                commands: only_one_of_many_equal_commands_acts,
                money: a_transfer_without_enough_chips_changes_nothing,
                money: a_player_with_too_many_chips_cannot_stake,
                money: an_amount_out_of_range_is_refused,
                money: a_transfer_of_nothing_is_refused,
                money: a_transfer_is_made_once,
                money: winnings_cannot_fund_their_own_stake,
                money: accounts_and_transfers_are_listed_in_order,
                money: chips_cannot_be_spent_twice_at_once,
                money: balances_match_the_ledger,
                money: a_transfer_can_depend_on_the_state_of_an_account,
                money: only_one_of_many_transfers_from_the_same_state_is_made,
                claims: a_table_is_claimed_when_it_is_due,
                claims: a_claim_expires,
                claims: an_append_ends_a_claim,
                claims: a_table_without_a_deadline_is_never_claimed,
                claims: a_table_is_claimed_by_only_one_of_many,
                rounds: a_finished_round_is_stored,
                rounds: a_round_ends_once,
                rounds: a_history_is_read_in_pages,
                rounds: rounds_at_the_same_time_have_an_order,
                rounds: the_rounds_of_a_table_are_read_in_pages,
                rounds: takings_are_by_table_and_period,
                rounds: takings_out_of_range_are_marked,
                removals: an_unplayed_table_is_removed,
                removals: a_table_with_a_history_stays,
                removals: a_name_can_be_reused_after_a_removal,
                removals: stored_data_has_a_size,
                names: an_invalid_key_is_refused,
                names: an_invalid_name_is_refused,
                names: an_invalid_name_finds_nothing,
                names: the_longest_names_are_kept,
                people: a_name_is_taken_once,
                people: a_profile_is_replaced,
                people: only_one_of_many_concurrent_profile_changes_succeeds,
                people: removing_a_player_leaves_everything_else,
                documents: a_document_is_kept_until_it_is_deleted,
                documents: a_document_is_replaced_only_by_its_next_revision,
                documents: documents_are_written_together_or_not_at_all,
                documents: documents_are_read_in_the_order_of_their_keys,
                documents: documents_are_found_by_their_owner,
                documents: expired_documents_are_deleted,
                documents: only_one_of_many_concurrent_document_writes_succeeds,
                documents: an_invalid_document_is_refused,
                documents: collections_hold_values,
                documents: the_clock_advances,
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

/// The house of the tables here. A store does not interpret it.
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

    /// Returns this many more entries, to be added with nothing else.
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

/// Returns a moment in an arbitrary year.
pub(crate) fn moment(number: u64) -> Time {
    Time::from_millis(1_700_000_000_000 + i64::try_from(number).unwrap())
}

pub(crate) fn player(name: &str) -> Account {
    Account::Player(name.to_owned())
}

/// Returns a transfer of issued chips to a player.
pub(crate) fn chips(key: &str, name: &str, cents: i64) -> Transfer {
    pay(key, Account::Issue(name.to_owned()), player(name), cents)
}

pub(crate) fn pay(key: &str, from: Account, to: Account, cents: i64) -> Transfer {
    Transfer { key: key.to_owned(), from, to, amount: Amount::cents(cents) }
}

/// Returns a command from Ann, and its answer.
pub(crate) fn command(key: &str, body: &str) -> Answered {
    let key = CommandKey { sender: "ann".to_owned(), key: key.to_owned() };
    Answered { key, body: Hash::of(body.as_bytes()), answer: format!("answer to {body}") }
}

/// Returns a finished round of a table, with its players by seat. Its record is in the first entry.
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

/// Reads everything, and checks that no money was created, lost or owed.
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
    assert_eq!(total, 0, "money was created or lost");
    Everything { tables, journals, transfers, balances }
}
