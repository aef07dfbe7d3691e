//! Journals and their tables.

use std::sync::Arc;

use croupier_store::{Append, RoundRow, RoundSeat, Store, StoreError, TableRow, Written};
use croupier_table::{Account, Entry, Hash, LedgerError};

use super::{HOUSE, Pen, chips, command, everything, moment, pay, player, round};

pub(crate) async fn a_journal_grows_at_its_end(store: impl Store) {
    assert_eq!(store.table("seven").await, Ok(None));
    assert_eq!(store.journal("seven", 1, 10).await, Ok(vec![]));

    let mut pen = Pen::new("seven");
    let (first, more) = (pen.write(1), pen.write(3));
    assert_eq!(store.append(first.clone()).await, Ok(Written::Now));
    assert_eq!(store.table("seven").await.unwrap().unwrap().version, 1);
    assert_eq!(store.append(more.clone()).await, Ok(Written::Now));
    assert_eq!(store.table("seven").await.unwrap().unwrap().version, 4);

    let entries = [first.entries, more.entries].concat();
    assert_eq!(store.journal("seven", 1, 10).await, Ok(entries));
    assert_eq!(store.journal("eight", 1, 10).await, Ok(vec![]), "tables are independent");
}

pub(crate) async fn a_writer_with_the_wrong_version_gets_a_conflict(store: impl Store) {
    let mut pen = Pen::new("seven");
    let (first, second, third) = (pen.write(1), pen.write(1), pen.write(1));
    assert_eq!(
        store.append(second.clone()).await,
        Err(StoreError::Conflict),
        "the table does not exist"
    );
    store.append(first.clone()).await.unwrap();
    let before = everything(&store).await;
    assert_eq!(store.append(third).await, Err(StoreError::Conflict), "too far ahead");
    assert_eq!(store.append(first).await, Err(StoreError::Conflict), "the table is open already");
    assert_eq!(everything(&store).await, before);
    store.append(second.clone()).await.unwrap();
    assert_eq!(store.append(second).await, Err(StoreError::Conflict), "another writer was first");
}

pub(crate) async fn an_inconsistent_append_is_refused(store: impl Store) {
    let mut pen = Pen::new("seven");
    store.append(pen.write(2)).await.unwrap();
    let before = everything(&store).await;
    let ended = RoundRow { version: 4, ..round("seven", 1, moment(3), &[(1, "ann")]) };
    let good = Append { rounds: vec![ended], ..pen.write(3) };
    assert_eq!(good.check(), Ok(()));

    let with = |change: &dyn Fn(&mut Append)| {
        let mut append = good.clone();
        change(&mut append);
        append
    };
    let seal = |version| Entry::seal(&Hash::of(b"another"), version, moment(9), "{}".to_owned());
    let wrong = [
        with(&|append| append.table.clear()),
        with(&|append| append.entries.clear()),
        with(&|append| drop(append.entries.remove(1))),
        with(&|append| append.entries.reverse()),
        with(&|append| append.expected = 1),
        with(&|append| append.expected = u64::MAX),
        with(&|append| append.entries[1].body.push(' ')),
        with(&|append| append.entries[2] = seal(5)),
        with(&|append| append.opens = Some(HOUSE.to_owned())),
        with(&|append| append.checkpoint = Some(2)),
        with(&|append| append.checkpoint = Some(6)),
        with(&|append| append.rounds[0].table.push('s')),
        with(&|append| append.rounds.push(append.rounds[0].clone())),
        with(&|append| append.rounds[0].round = u64::MAX),
        with(&|append| append.rounds[0].version = 2),
        with(&|append| append.rounds[0].version = 6),
        with(&|append| {
            let twice = RoundSeat { player: "bob".to_owned(), ..append.rounds[0].seats[0].clone() };
            append.rounds[0].seats.push(twice);
        }),
        with(&|append| append.transfers = vec![chips("", "ann", 1)]),
        Append { opens: None, ..Pen::new("eight").write(1) },
    ];
    for append in wrong {
        let result = store.append(append.clone()).await;
        assert!(matches!(result, Err(StoreError::Unusable(_))), "{result:?} for {append:?}");
    }
    let result = store.transfer(vec![chips("", "ann", 1)], moment(1), None).await;
    assert!(matches!(result, Err(StoreError::Unusable(_))), "{result:?}");
    assert_eq!(everything(&store).await, before);
    assert_eq!(store.append(good).await, Ok(Written::Now));
}

pub(crate) async fn an_entry_is_sealed_after_the_last_one_stored(store: impl Store) {
    let elsewhere = Append { table: "seven".to_owned(), ..Pen::new("eight").write(1) };
    let is_damaged = |result: Result<Written, StoreError>, place: &str| match result {
        Err(StoreError::Damaged(why)) => {
            assert!(why.contains("table seven") && why.contains(place), "{why}");
        }
        other => panic!("{other:?}"),
    };
    is_damaged(store.append(elsewhere).await, "entry 1");
    assert_eq!(store.table("seven").await, Ok(None));

    let mut pen = Pen::new("seven");
    store.append(pen.write(2)).await.unwrap();
    let before = everything(&store).await;
    let mut other = pen.clone();
    other.hash = Hash::of(b"another past");
    is_damaged(store.append(other.write(2)).await, "entry 3");
    assert_eq!(everything(&store).await, before);
}

/// Fixes one fault after the other, and checks that the next one is reported.
pub(crate) async fn errors_have_an_order(store: impl Store) {
    let mut pen = Pen::new("seven");
    let opened = Append { command: Some(command("1", "open")), ..pen.write(1) };
    store.append(opened).await.unwrap();
    let made = vec![chips("made", "ann", 100)];
    store.transfer(made.clone(), moment(1), None).await.unwrap();
    let before = everything(&store).await;

    let short = pay("short", player("ann"), Account::Escrow("seven".to_owned()), 101);
    let mut append = Append {
        command: Some(command("1", "another")),
        transfers: vec![pay("zero", player("ann"), player("bob"), 0), made[0].clone(), short],
        rounds: vec![round("seven", 1, moment(2), &[])],
        ..Pen::new("seven").write(1)
    };
    append.entries.clear();
    assert!(matches!(store.append(append.clone()).await, Err(StoreError::Unusable(_))));
    let mut past = pen.clone();
    past.hash = Hash::of(b"another past");
    append.entries = Pen::new("seven").write(1).entries;
    assert_eq!(store.append(append.clone()).await, Err(StoreError::KeyReused));
    append.command = Some(command("2", "another"));
    assert_eq!(store.append(append.clone()).await, Err(StoreError::Conflict));
    (append.expected, append.opens, append.entries) = (1, None, past.write(1).entries);
    append.rounds[0].version = 2;
    assert!(matches!(store.append(append.clone()).await, Err(StoreError::Damaged(_))));
    append.entries = pen.write(1).entries;
    let ledger = |error| Err(StoreError::Ledger(error));
    let repeated = LedgerError::Repeated { key: "made".to_owned() };
    assert_eq!(store.append(append.clone()).await, ledger(repeated));
    append.transfers.remove(1);
    let zero = LedgerError::NotPositive { key: "zero".to_owned() };
    assert_eq!(store.append(append.clone()).await, ledger(zero));
    append.transfers.remove(0);
    let insufficient = LedgerError::Insufficient { account: player("ann") };
    assert_eq!(store.append(append.clone()).await, ledger(insufficient));
    assert_eq!(everything(&store).await, before);
    append.transfers.clear();
    assert_eq!(store.append(append).await, Ok(Written::Now));
}

pub(crate) async fn a_journal_is_read_in_pages(store: impl Store) {
    let mut pen = Pen::new("seven");
    let append = pen.write(10);
    let entries = append.entries.clone();
    store.append(append).await.unwrap();
    for (from, most, wanted) in [
        (0, 3, 0..3),
        (1, 3, 0..3),
        (4, 3, 3..6),
        (9, 3, 8..10),
        (10, 1, 9..10),
        (11, 3, 0..0),
        (u64::MAX, 3, 0..0),
        (3, 0, 0..0),
        (1, usize::MAX, 0..10),
    ] {
        let page = store.journal("seven", from, most).await;
        assert_eq!(page.as_deref(), Ok(&entries[wanted]), "{most} from {from}");
    }
}

pub(crate) async fn a_table_is_as_the_last_append_left_it(store: impl Store) {
    let mut pen = Pen::new("seven");
    let row = TableRow {
        table: "seven".to_owned(),
        house: HOUSE.to_owned(),
        version: 2,
        checkpoint: 0,
        deadline: None,
        closed: false,
    };
    store.append(pen.write(2)).await.unwrap();
    assert_eq!(store.table("seven").await, Ok(Some(row.clone())));

    let deadline = Some(moment(100));
    store.append(Append { deadline, checkpoint: Some(4), ..pen.write(2) }).await.unwrap();
    let row = TableRow { version: 4, checkpoint: 4, deadline, ..row };
    assert_eq!(store.table("seven").await, Ok(Some(row.clone())));

    store.append(Append { closes: true, ..pen.write(1) }).await.unwrap();
    let row = TableRow { version: 5, deadline: None, closed: true, ..row };
    assert_eq!(store.table("seven").await, Ok(Some(row.clone())), "the checkpoint stays");

    store.append(Append { checkpoint: Some(6), ..pen.write(2) }).await.unwrap();
    let row = TableRow { version: 7, checkpoint: 6, closed: false, ..row };
    assert_eq!(store.table("seven").await, Ok(Some(row)));
}

pub(crate) async fn tables_are_listed_in_the_order_of_their_bytes(store: impl Store) {
    // By bytes: not by any language's collation, nor by UTF-16.
    let names = ["10", "9", "B", "a", "a b", "a-b", "ab", "zebra", "Ärmel", "ä", "\u{ff5e}", "🂡"];
    assert!(names.is_sorted());
    for name in names.iter().rev() {
        store.append(Pen::new(name).write(1)).await.unwrap();
    }
    let mut listed: Vec<String> = Vec::new();
    loop {
        let after = listed.last().cloned().unwrap_or_default();
        let page = store.tables(&after, 5).await.unwrap();
        assert!(page.len() <= 5);
        if page.is_empty() {
            break;
        }
        listed.extend(page.into_iter().map(|row| row.table));
    }
    assert_eq!(listed, names);
    assert_eq!(store.tables("", 0).await, Ok(vec![]));
    assert_eq!(store.tables("a", 1).await.unwrap()[0].table, "a b");
    assert_eq!(store.tables("aa", 1).await.unwrap()[0].table, "ab", "the name need not exist");
}

pub(crate) async fn versions_of_many_tables_are_returned_at_once(store: impl Store) {
    assert_eq!(store.versions(vec!["a".to_owned()]).await, Ok(vec![]));
    for (name, count) in [("b", 2), ("a", 1), ("ä", 3), ("B", 4)] {
        store.append(Pen::new(name).write(count)).await.unwrap();
    }
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let found = store.versions(names(&["ä", "none", "a", "B", "", "a\0", "a"])).await.unwrap();
    let wanted = [("B", 4), ("a", 1), ("ä", 3)].map(|(name, version)| (name.to_owned(), version));
    assert_eq!(found, wanted, "in the order of their names, each once");
    assert_eq!(store.versions(vec![]).await, Ok(vec![]));
}

pub(crate) async fn only_one_of_many_concurrent_appends_succeeds(store: impl Store) {
    let store = Arc::new(store);
    let mut pen = Pen::new("seven");
    store.append(pen.write(1)).await.unwrap();
    let tasks: Vec<_> = (0..16)
        .map(|task| {
            let (store, mut pen) = (Arc::clone(&store), pen.clone());
            let command = Some(command(&task.to_string(), "play"));
            let append = Append { command, ..pen.write(1 + task % 3) };
            tokio::spawn(async move { store.append(append).await })
        })
        .collect();
    let mut written = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(Written::Now) => written += 1,
            other => assert_eq!(other, Err(StoreError::Conflict)),
        }
    }
    assert_eq!(written, 1);
    everything(&*store).await;
}
