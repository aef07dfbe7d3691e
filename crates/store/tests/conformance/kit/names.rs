//! Valid and invalid names and keys.

use croupier_rules::Amount;
use croupier_store::{
    Answered, Append, CommandKey, DocumentRow, Player, RoundPlace, RoundRow, Store, StoreError,
    Written,
};
use croupier_table::{Account, Entry, Hash, Time, first_hash};

use super::{Pen, chips, command, everything, moment, pay, player, round};

fn is_unusable<T: std::fmt::Debug>(result: Result<T, StoreError>, what: &str) {
    match result {
        Err(StoreError::Unusable(_)) => {}
        other => panic!("{other:?} for {what:?}"),
    }
}

fn new_player(name: &str, profile: &str) -> Player {
    Player { name: name.to_owned(), since: moment(1), profile: profile.to_owned() }
}

/// Returns this many incompressible characters.
fn many(count: u32) -> String {
    (0..count).filter_map(|number| char::from_u32(0x4e00 + number * 7_919 % 20_000)).collect()
}

pub(crate) async fn an_invalid_key_is_refused(store: impl Store) {
    let mut pen = Pen::new("seven");
    store.append(pen.write(1)).await.unwrap();
    let before = everything(&store).await;
    for bad in ["", "a\0b", "\0", "two\nlines", "\u{85}", &many(201), &many(9_000)] {
        for (sender, key) in [("ann", bad), (bad, "key")] {
            let key = CommandKey { sender: sender.to_owned(), key: key.to_owned() };
            let (body, answer) = (Hash::of(b"body"), "{}".to_owned());
            is_unusable(store.answer(&key, &body).await, bad);
            let command = Some(Answered { key, body, answer });
            let append = Append { command: command.clone(), ..pen.clone().write(1) };
            is_unusable(store.append(append).await, bad);
            let made = vec![chips("issue", "ann", 1)];
            is_unusable(store.transfer(made, moment(1), command).await, bad);
        }
    }
    let command = Some(Answered { answer: "\0".to_owned(), ..command("1", "open") });
    is_unusable(store.append(Append { command, ..pen.clone().write(1) }).await, "an answer");
    assert_eq!(everything(&store).await, before);
    assert_eq!(store.append(pen.write(1)).await, Ok(Written::Now));
}

pub(crate) async fn an_invalid_name_is_refused(store: impl Store) {
    for bad in ["", "a\0b", &many(400)] {
        is_unusable(store.append(Pen::new(bad).write(1)).await, bad);
        is_unusable(store.transfer(vec![chips(bad, "ann", 1)], moment(1), None).await, bad);
        is_unusable(store.add_player(new_player(bad, "{}")).await, bad);
        let rounds = vec![round("seven", 1, moment(1), &[(1, bad)])];
        is_unusable(store.append(Append { rounds, ..Pen::new("seven").write(1) }).await, bad);
        if !bad.is_empty() {
            for (from, to) in [("ann", bad), (bad, "ann")] {
                let paid = pay("paid", Account::Issue(from.to_owned()), player(to), 1);
                is_unusable(store.transfer(vec![paid], moment(1), None).await, bad);
            }
        }
    }
    let zero = "a\0b".to_owned();
    let entry = Entry::seal(&first_hash("seven"), 1, moment(1), zero.clone());
    let entries = vec![entry];
    is_unusable(store.append(Append { entries, ..Pen::new("seven").write(1) }).await, "entry");
    let opens = Some(zero.clone());
    is_unusable(store.append(Append { opens, ..Pen::new("seven").write(1) }).await, "house");
    let rounds = vec![RoundRow { house: zero.clone(), ..round("seven", 1, moment(1), &[]) }];
    is_unusable(store.append(Append { rounds, ..Pen::new("seven").write(1) }).await, "house");
    is_unusable(store.add_player(new_player("ann", &zero)).await, "profile");
    is_unusable(store.set_profile("ann", "{}", &zero).await, "profile");
    is_unusable(store.set_profile("ann", &zero, "{}").await, "profile");

    let after = everything(&store).await;
    assert!(after.tables.is_empty() && after.transfers.is_empty(), "{after:?}");
    assert_eq!(store.player("ann").await, Ok(None));
}

pub(crate) async fn an_invalid_name_finds_nothing(store: impl Store) {
    let at = moment(5);
    for name in ["a", "b"] {
        let rounds = vec![round(name, 1, at, &[(1, "ann")])];
        store.append(Append { rounds, ..Pen::new(name).write(1) }).await.unwrap();
        store.transfer(vec![chips(name, name, 1)], at, None).await.unwrap();
    }
    let end = RoundPlace { at: Time::from_millis(i64::MAX), ..place("", at) };
    for bad in ["", "a\0", "a\0b", "\0", &many(9_000)] {
        assert_eq!(store.table(bad).await, Ok(None));
        assert_eq!(store.journal(bad, 1, 10).await, Ok(vec![]));
        assert_eq!(store.round(bad, 1).await, Ok(None));
        assert_eq!(store.balance(&player(bad)).await, Ok(Amount::ZERO));
        assert_eq!(store.player(bad).await, Ok(None));
        assert_eq!(store.set_profile(bad, "{}", "{}").await, Ok(false));
        assert_eq!(store.remove_player(bad).await, Ok(false));
        assert_eq!(store.versions(vec![bad.to_owned()]).await, Ok(vec![]));
        assert_eq!(store.rounds_at(bad, 9, 10).await, Ok(vec![]));
        assert_eq!(store.rounds_of(bad, &end, 10).await, Ok(vec![]));
    }
    // A caller that reads in pages may still start after such a name.
    for after in ["a\0", "a\0b"] {
        let tables = store.tables(after, 10).await.unwrap();
        assert_eq!(tables.into_iter().map(|row| row.table).collect::<Vec<_>>(), ["b"]);
        let transfers = store.transfers(after, 10).await.unwrap();
        assert_eq!(transfers.into_iter().map(|made| made.key).collect::<Vec<_>>(), ["b"]);
        let balances = store.balances(&format!("player:{after}"), 10).await.unwrap();
        assert_eq!(balances, [(player("b"), Amount::cents(1))]);
        let rounds = store.rounds_of("ann", &place(after, at), 10).await.unwrap();
        assert_eq!(rounds.into_iter().map(|row| row.place.table).collect::<Vec<_>>(), ["a"]);
    }
}

/// Returns the first place in the rounds of a table.
fn place(table: &str, at: Time) -> RoundPlace {
    RoundPlace { at, table: table.to_owned(), round: 0, seat: 0 }
}

pub(crate) async fn the_longest_names_are_kept(store: impl Store) {
    let (long, name) = (many(200), many(330));
    let key = CommandKey { sender: long.clone(), key: long };
    let command = Answered { key: key.clone(), body: Hash::of(b"body"), answer: "{}".to_owned() };
    let append = Append {
        command: Some(command.clone()),
        rounds: vec![round(&name, 1, moment(1), &[(1, &name)])],
        transfers: vec![chips(&name, &name, 5)],
        ..Pen::new(&name).write(1)
    };
    assert_eq!(store.append(append).await, Ok(Written::Now));
    assert_eq!(store.answer(&key, &command.body).await, Ok(Some(command.answer)));
    assert_eq!(store.table(&name).await.unwrap().unwrap().version, 1);
    assert_eq!(store.balance(&player(&name)).await, Ok(Amount::cents(5)));
    store.add_player(new_player(&name, "{}")).await.unwrap();
    let (collection, key, owner) = (many(66), name.clone(), name.clone());
    let (at, until, text) = (moment(1), Some(moment(1)), many(5_000));
    let document = DocumentRow { collection, key, owner, at, until, text, revision: 0 };
    assert_eq!(store.put(document.clone()).await, Ok(1));
    let found = store.documents_of(&document.collection, &name, "", 10).await;
    assert_eq!(found, Ok(vec![DocumentRow { revision: 1, ..document }]));
}
