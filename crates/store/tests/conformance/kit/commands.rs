//! Repeated commands.

use std::sync::Arc;

use croupier_store::{Answered, Append, CommandKey, Store, StoreError, Written};
use croupier_table::{Account, Hash, LedgerError};

use super::{Pen, chips, command, everything, moment, pay, player};

pub(crate) async fn a_repeated_command_gets_the_same_answer(store: impl Store) {
    let mut pen = Pen::new("seven");
    let sent = command("1", "open");
    let append = Append {
        transfers: vec![chips("issue", "ann", 100)],
        command: Some(sent.clone()),
        ..pen.write(1)
    };
    assert_eq!(store.answer(&sent.key, &sent.body).await, Ok(None));
    assert_eq!(store.append(append.clone()).await, Ok(Written::Now));
    assert_eq!(store.answer(&sent.key, &sent.body).await, Ok(Some(sent.answer.clone())));

    store.append(pen.write(1)).await.unwrap();
    let before = everything(&store).await;
    assert_eq!(store.append(append).await, Ok(Written::Repeated(sent.answer.clone())));

    // Decided again, it may differ and get another answer; the first one stands.
    let answer = "another answer".to_owned();
    let decided_again =
        Append { command: Some(Answered { answer, ..sent.clone() }), ..pen.write(2) };
    assert_eq!(store.append(decided_again).await, Ok(Written::Repeated(sent.answer)));
    assert_eq!(everything(&store).await, before);
}

pub(crate) async fn a_repeated_transfer_gets_the_same_answer(store: impl Store) {
    let sent = command("1", "issue");
    let made = vec![chips("issue", "ann", 100)];
    let first = store.transfer(made.clone(), moment(1), Some(sent.clone())).await;
    assert_eq!(first, Ok(Written::Now));
    let before = everything(&store).await;
    let again = store.transfer(made.clone(), moment(2), Some(sent.clone())).await;
    assert_eq!(again, Ok(Written::Repeated(sent.answer)));
    assert_eq!(everything(&store).await, before);

    // Without a key it is a new command, and the ledger refuses it.
    let repeated = LedgerError::Repeated { key: "issue".to_owned() };
    let unnamed = store.transfer(made, moment(2), None).await;
    assert_eq!(unnamed, Err(StoreError::Ledger(repeated)));
}

pub(crate) async fn a_key_is_used_for_one_command(store: impl Store) {
    let mut pen = Pen::new("seven");
    let opened = Append { command: Some(command("1", "open")), ..pen.write(1) };
    store.append(opened).await.unwrap();
    store.transfer(vec![], moment(1), Some(command("2", "issue"))).await.unwrap();
    let before = everything(&store).await;

    for key in ["1", "2"] {
        let other = command(key, "something else");
        let append = Append { command: Some(other.clone()), ..pen.clone().write(1) };
        assert_eq!(store.append(append).await, Err(StoreError::KeyReused));
        let made = vec![chips("issue", "ann", 1)];
        let transfer = store.transfer(made, moment(2), Some(other.clone())).await;
        assert_eq!(transfer, Err(StoreError::KeyReused));
        assert_eq!(store.answer(&other.key, &other.body).await, Err(StoreError::KeyReused));
    }
    assert_eq!(everything(&store).await, before);

    // The sender matters, and so does the boundary between sender and key.
    for (sender, key) in [("bob", "1"), ("an", "n1"), ("ann1", "1")] {
        let key = CommandKey { sender: sender.to_owned(), key: key.to_owned() };
        let body = Hash::of(b"something else");
        assert_eq!(store.answer(&key, &body).await, Ok(None));
        let other = Answered { key: key.clone(), body, answer: sender.to_owned() };
        let append = Append { command: Some(other), ..pen.write(1) };
        assert_eq!(store.append(append).await, Ok(Written::Now));
        assert_eq!(store.answer(&key, &body).await, Ok(Some(sender.to_owned())));
    }
}

pub(crate) async fn a_refused_command_may_be_retried(store: impl Store) {
    let mut pen = Pen::new("seven");
    store.append(pen.write(1)).await.unwrap();
    let sent = command("1", "stake");
    let stake = pay("stake", player("ann"), Account::Escrow("seven".to_owned()), 100);
    let append =
        Append { transfers: vec![stake], command: Some(sent.clone()), ..pen.clone().write(1) };
    let insufficient = LedgerError::Insufficient { account: player("ann") };
    let refused = store.append(append.clone()).await;
    assert_eq!(refused, Err(StoreError::Ledger(insufficient)));
    let mut ahead = pen.clone();
    ahead.write(1);
    let early = Append { command: Some(sent.clone()), ..ahead.write(1) };
    assert_eq!(store.append(early).await, Err(StoreError::Conflict));
    assert_eq!(store.answer(&sent.key, &sent.body).await, Ok(None));

    store.transfer(vec![chips("issue", "ann", 100)], moment(1), None).await.unwrap();
    assert_eq!(store.append(append).await, Ok(Written::Now));
}

pub(crate) async fn only_one_of_many_equal_commands_acts(store: impl Store) {
    let store = Arc::new(store);
    store.transfer(vec![chips("issue", "ann", 100)], moment(1), None).await.unwrap();
    let mut pen = Pen::new("seven");
    store.append(pen.write(1)).await.unwrap();
    let sent = command("1", "stake");
    let stake = pay("stake", player("ann"), Account::Escrow("seven".to_owned()), 60);
    let append = Append { transfers: vec![stake], command: Some(sent.clone()), ..pen.write(1) };
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let (store, append) = (Arc::clone(&store), append.clone());
            tokio::spawn(async move { store.append(append).await })
        })
        .collect();
    let mut written = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(Written::Now) => written += 1,
            other => assert_eq!(other, Ok(Written::Repeated(sent.answer.clone()))),
        }
    }
    assert_eq!(written, 1);
    let after = everything(&*store).await;
    assert_eq!(after.tables[0].version, 2);
    assert_eq!(after.balances["player:ann"].as_cents(), 40);
}
