//! Transfers, and the balances they lead to.

use std::sync::Arc;

use croupier_rules::Amount;
use croupier_store::{AccountState, Append, RoundRow, Store, StoreError, Written};
use croupier_table::{Account, Ledger, LedgerError, MOST_CHIPS, Transfer};

use super::{Pen, chips, command, everything, moment, pay, player, round};

fn refused(error: LedgerError) -> Result<Written, StoreError> {
    Err(StoreError::Ledger(error))
}

async fn transfer(store: &impl Store, transfers: &[Transfer]) -> Result<Written, StoreError> {
    store.transfer(transfers.to_vec(), moment(1), None).await
}

pub(crate) async fn a_transfer_without_enough_chips_changes_nothing(store: impl Store) {
    let mut pen = Pen::new("seven");
    store.append(pen.write(1)).await.unwrap();
    transfer(&store, &[chips("issue", "ann", 100)]).await.unwrap();
    let before = everything(&store).await;

    let escrow = Account::Escrow("seven".to_owned());
    let sent = command("1", "stake");
    let append = Append {
        transfers: vec![
            pay("ante", player("ann"), escrow.clone(), 60),
            pay("blind", player("ann"), escrow.clone(), 60),
        ],
        rounds: vec![RoundRow { version: 2, ..round("seven", 1, moment(2), &[(1, "ann")]) }],
        deadline: Some(moment(5)),
        closes: true,
        command: Some(sent.clone()),
        ..pen.write(2)
    };
    let insufficient = LedgerError::Insufficient { account: player("ann") };
    assert_eq!(store.append(append.clone()).await, refused(insufficient.clone()));
    let outside = store.transfer(append.transfers.clone(), moment(2), Some(sent.clone())).await;
    assert_eq!(outside, refused(insufficient));
    assert_eq!(everything(&store).await, before);
    assert_eq!(store.answer(&sent.key, &sent.body).await, Ok(None));
    assert_eq!(store.round("seven", 1).await, Ok(None));
    assert_eq!(store.balance(&escrow).await, Ok(Amount::ZERO), "it was never used");

    // The same, once there are enough chips.
    transfer(&store, &[chips("more", "ann", 20)]).await.unwrap();
    assert_eq!(store.append(append).await, Ok(Written::Now));
    let after = everything(&store).await;
    assert_eq!(after.balances["player:ann"], Amount::ZERO);
    assert_eq!(after.balances["escrow:seven"], Amount::cents(120));
}

pub(crate) async fn a_player_with_too_many_chips_cannot_stake(store: impl Store) {
    let escrow = Account::Escrow("seven".to_owned());
    let most = MOST_CHIPS.as_cents();
    transfer(&store, &[chips("most", "ann", most), chips("more", "bob", most + 1)]).await.unwrap();
    let before = everything(&store).await;
    let too_many = LedgerError::TooMany { account: player("bob") };
    for to in [escrow.clone(), Account::Posted("seven".to_owned())] {
        let stake = pay("stake", player("bob"), to, 500);
        assert_eq!(transfer(&store, &[stake]).await, refused(too_many.clone()));
    }
    // One of several is enough.
    let both = [
        pay("ann", player("ann"), escrow.clone(), 500),
        pay("bob", player("bob"), escrow.clone(), 500),
    ];
    assert_eq!(transfer(&store, &both).await, refused(too_many));
    assert_eq!(everything(&store).await, before);

    // Other players continue, prizes are paid, and chips can be given back.
    transfer(&store, &both[..1]).await.unwrap();
    let house = Account::House("seven".to_owned());
    let prize = [
        pay("prize", house, player("ann"), 1_000_000_000),
        pay("return", escrow, player("ann"), 500),
        pay("back", player("bob"), Account::Issue("bob".to_owned()), 1),
    ];
    transfer(&store, &prize).await.unwrap();
    let after = everything(&store).await;
    assert_eq!(after.balances["player:ann"], Amount::cents(most + 1_000_000_000));
    assert_eq!(after.balances["player:bob"], MOST_CHIPS);
}

pub(crate) async fn an_amount_out_of_range_is_refused(store: impl Store) {
    transfer(&store, &[chips("all", "ann", i64::MAX)]).await.unwrap();
    let before = everything(&store).await;
    assert_eq!(before.balances["player:ann"], Amount::MAX);

    let one_more = pay("one", Account::Issue("bob".to_owned()), player("ann"), 1);
    assert_eq!(transfer(&store, &[one_more]).await, refused(LedgerError::Overflow));
    let at_once = [chips("much", "bob", i64::MAX), chips("little", "bob", 1)];
    assert_eq!(transfer(&store, &at_once).await, refused(LedgerError::Overflow));
    assert_eq!(everything(&store).await, before);

    // A debt can be one cent larger than a sum, and no more.
    let issue = Account::Issue("ann".to_owned());
    transfer(&store, &[pay("last", issue.clone(), player("bob"), 1)]).await.unwrap();
    assert_eq!(store.balance(&issue).await, Ok(Amount::cents(i64::MIN)));
    let before = everything(&store).await;
    let deeper = pay("deeper", issue, player("bob"), 1);
    assert_eq!(transfer(&store, &[deeper]).await, refused(LedgerError::Overflow));
    assert_eq!(everything(&store).await, before);
}

pub(crate) async fn a_transfer_of_nothing_is_refused(store: impl Store) {
    transfer(&store, &[chips("issue", "ann", 100)]).await.unwrap();
    let before = everything(&store).await;
    for cents in [0, -1, i64::MIN] {
        let transfers = [chips("good", "ann", 1), chips("bad", "ann", cents)];
        let not_positive = LedgerError::NotPositive { key: "bad".to_owned() };
        assert_eq!(transfer(&store, &transfers).await, refused(not_positive));
    }
    assert_eq!(everything(&store).await, before);
    assert_eq!(transfer(&store, &[]).await, Ok(Written::Now), "an empty list is fine");
    assert_eq!(everything(&store).await, before);
}

pub(crate) async fn a_transfer_is_made_once(store: impl Store) {
    transfer(&store, &[chips("issue", "ann", 100)]).await.unwrap();
    let before = everything(&store).await;
    let repeated = |key: &str| refused(LedgerError::Repeated { key: key.to_owned() });

    let again = [chips("new", "ann", 5), chips("issue", "ann", 100)];
    assert_eq!(transfer(&store, &again).await, repeated("issue"));
    let other = [pay("issue", player("ann"), player("bob"), 1)];
    assert_eq!(transfer(&store, &other).await, repeated("issue"), "whatever it moves");
    let twice = [chips("new", "ann", 5), chips("new", "bob", 5)];
    assert_eq!(transfer(&store, &twice).await, repeated("new"));
    let append = Append { transfers: vec![chips("issue", "ann", 1)], ..Pen::new("seven").write(1) };
    assert_eq!(store.append(append).await, repeated("issue"), "wherever it was made");

    // It is reported before any other problem.
    let worse = [chips("zero", "ann", 0), chips("issue", "ann", 100)];
    assert_eq!(transfer(&store, &worse).await, repeated("issue"));
    let worse = [pay("short", player("bob"), player("ann"), 7), chips("issue", "ann", 100)];
    assert_eq!(transfer(&store, &worse).await, repeated("issue"));
    assert_eq!(everything(&store).await, before);
}

pub(crate) async fn winnings_cannot_fund_their_own_stake(store: impl Store) {
    let escrow = Account::Escrow("seven".to_owned());
    let there_and_back = [
        pay("stake", player("ann"), escrow.clone(), 100),
        pay("won", Account::House("seven".to_owned()), escrow.clone(), 100),
        pay("paid", escrow, player("ann"), 200),
    ];
    let before = everything(&store).await;
    let insufficient = LedgerError::Insufficient { account: player("ann") };
    assert_eq!(transfer(&store, &there_and_back).await, refused(insufficient));
    let to_herself = [pay("herself", player("cat"), player("cat"), 5)];
    let insufficient = LedgerError::Insufficient { account: player("cat") };
    assert_eq!(transfer(&store, &to_herself).await, refused(insufficient));
    assert_eq!(everything(&store).await, before);

    // With enough chips, the same transfers are made.
    transfer(&store, &[chips("issue", "ann", 100), chips("more", "cat", 5)]).await.unwrap();
    assert_eq!(transfer(&store, &there_and_back).await, Ok(Written::Now));
    assert_eq!(transfer(&store, &to_herself).await, Ok(Written::Now));
    let after = everything(&store).await;
    let cents = |account: &str| after.balances[account].as_cents();
    assert_eq!(cents("player:ann"), 200);
    assert_eq!(cents("escrow:seven"), 0);
    assert_eq!(cents("house:seven"), -100);
    assert_eq!(cents("player:cat"), 5);
}

pub(crate) async fn accounts_and_transfers_are_listed_in_order(store: impl Store) {
    // Accounts and keys are ordered as they are written: by their bytes.
    let names = ["Zoë", "ann", "ann:b", "bob", "Änne", "🂡"];
    let made: Vec<_> = names.iter().map(|name| chips(&format!("key {name}"), name, 10)).collect();
    transfer(&store, &made).await.unwrap();
    let (mut accounts, mut keys): (Vec<String>, Vec<String>) = Default::default();
    loop {
        let after = accounts.last().cloned().unwrap_or_default();
        let page = store.balances(&after, 5).await.unwrap();
        if page.is_empty() {
            break;
        }
        accounts.extend(page.iter().map(|(account, _)| account.to_string()));
    }
    loop {
        let after = keys.last().cloned().unwrap_or_default();
        let page = store.transfers(&after, 4).await.unwrap();
        if page.is_empty() {
            break;
        }
        keys.extend(page.into_iter().map(|transfer| transfer.key));
    }
    assert!(accounts.is_sorted() && accounts.len() == 2 * names.len(), "{accounts:?}");
    assert!(keys.is_sorted() && keys.len() == names.len(), "{keys:?}");
    let first = store.balances("", 1).await.unwrap();
    assert_eq!(first[0].0, Account::Issue("Zoë".to_owned()));
    assert_eq!(store.balances("player:", 1).await.unwrap()[0].0, player("Zoë"));
    assert_eq!(store.transfers("key ann", 1).await.unwrap()[0], made[2]);
}

pub(crate) async fn chips_cannot_be_spent_twice_at_once(store: impl Store) {
    let store = Arc::new(store);
    transfer(&*store, &[chips("issue", "ann", 100)]).await.unwrap();
    // Each at its own table, so that they compete only for the chips.
    let tasks: Vec<_> = (0..10)
        .map(|task| {
            let (store, table) = (Arc::clone(&store), format!("table-{task}"));
            let escrow = Account::Escrow(table.clone());
            let stake = pay(&format!("stake {task}"), player("ann"), escrow, 30);
            let append = Append { transfers: vec![stake], ..Pen::new(&table).write(1) };
            tokio::spawn(async move { store.append(append).await })
        })
        .collect();
    let mut written = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(Written::Now) => written += 1,
            other => {
                let insufficient = LedgerError::Insufficient { account: player("ann") };
                assert_eq!(other, refused(insufficient));
            }
        }
    }
    let after = everything(&*store).await;
    assert_eq!((written, after.tables.len(), after.transfers.len()), (3, 3, 4));
    assert_eq!(after.balances["player:ann"], Amount::cents(10));
}

/// Makes transfers that are often refused, and compares every answer with the plain ledger's.
pub(crate) async fn balances_match_the_ledger(store: impl Store) {
    let mut ledger = Ledger::default();
    let mut state = 7_u64;
    let mut draw = |sides: u64| {
        // A plain linear congruential sequence; the high half is good enough to choose by.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % sides
    };
    let mut made = 0;
    for step in 0..300 {
        let mut account = || match (draw(5), format!("n{}", draw(3))) {
            (0, name) => Account::Player(name),
            (1, name) => Account::Escrow(name),
            (2, name) => Account::Posted(name),
            (3, name) => Account::House(name),
            (_, name) => Account::Issue(name),
        };
        let mut transfers = Vec::new();
        for _ in 0..3 {
            let (from, to) = (account(), account());
            transfers.push(pay("", from, to, 0));
        }
        transfers.truncate(usize::try_from(1 + draw(3)).unwrap());
        for (place, transfer) in transfers.iter_mut().enumerate() {
            transfer.key = match draw(20) {
                0 => "often".to_owned(),
                _ => format!("{step} {place}"),
            };
            transfer.amount = Amount::cents(match draw(40) {
                0 => i64::MAX,
                cents => i64::try_from(cents).unwrap() - 1,
            });
        }
        let wanted = ledger.post(&transfers).map(|()| Written::Now).map_err(StoreError::Ledger);
        made += u32::from(wanted.is_ok());
        assert_eq!(
            store.transfer(transfers.clone(), moment(1), None).await,
            wanted,
            "{transfers:?}"
        );
    }
    assert!(
        (50..250).contains(&made),
        "{made} were made: success and refusal should both be common"
    );
    let after = everything(&store).await;
    let wanted = ledger.balances().map(|(account, amount)| (account.to_string(), amount)).collect();
    assert_eq!(after.balances, wanted);
}

pub(crate) async fn a_transfer_can_depend_on_the_state_of_an_account(store: impl Store) {
    let ann = player("ann");
    let give = async |key: &str, cents: i64, seen: AccountState| {
        let transfers = vec![chips(key, "ann", cents)];
        store.transfer_unless_changed(transfers, moment(1), &ann, seen, None).await
    };
    let nothing = store.account_state(&ann).await.unwrap();
    assert_eq!(nothing, AccountState::default(), "it was never used");
    assert_eq!(give("first", 100, nothing).await, Ok(Written::Now));
    assert_eq!(give("late", 100, nothing).await, Err(StoreError::Conflict));
    let seen = store.account_state(&ann).await.unwrap();
    assert_eq!(seen.balance, Amount::cents(100));

    // A round trip counts as a change, even if the balance is the same.
    let escrow = Account::Escrow("seven".to_owned());
    transfer(&store, &[pay("out", ann.clone(), escrow.clone(), 100)]).await.unwrap();
    transfer(&store, &[pay("back", escrow.clone(), ann.clone(), 100)]).await.unwrap();
    let later = store.account_state(&ann).await.unwrap();
    assert_eq!(later.balance, seen.balance);
    assert!(later.changes > seen.changes);
    assert_eq!(give("late", 100, seen).await, Err(StoreError::Conflict));
    // So does one within a single change, and one by a table.
    let there_and_back =
        vec![pay("3", ann.clone(), escrow.clone(), 7), pay("4", escrow, ann.clone(), 7)];
    let append = Append { transfers: there_and_back, ..Pen::new("seven").write(1) };
    store.append(append).await.unwrap();
    assert_eq!(give("late", 100, later).await, Err(StoreError::Conflict));

    // Other accounts do not change it, and neither do refused transfers.
    let seen = store.account_state(&ann).await.unwrap();
    transfer(&store, &[chips("bob", "bob", 5)]).await.unwrap();
    let short = [pay("short", ann.clone(), player("bob"), 101)];
    transfer(&store, &short).await.unwrap_err();
    let repeated = || Err(StoreError::Ledger(LedgerError::Repeated { key: "first".to_owned() }));
    assert_eq!(give("first", 100, seen).await, repeated());
    assert_eq!(give("first", 100, nothing).await, repeated(), "it is reported before the conflict");
    let zero = LedgerError::NotPositive { key: "zero".to_owned() };
    assert_eq!(give("zero", 0, nothing).await, Err(StoreError::Conflict));
    assert_eq!(give("zero", 0, seen).await, Err(StoreError::Ledger(zero)));
    let others = vec![chips("others", "bob", 1)];
    let apart = store.transfer_unless_changed(others, moment(1), &ann, seen, None).await;
    assert!(matches!(apart, Err(StoreError::Unusable(_))), "{apart:?}");
    assert_eq!(store.account_state(&ann).await, Ok(seen));
    assert_eq!(give("second", 100, seen).await, Ok(Written::Now));
    assert_eq!(store.balance(&ann).await, Ok(Amount::cents(200)));

    // A repeated request gets the same answer, whatever has changed since.
    let seen = store.account_state(&ann).await.unwrap();
    let asked = async |key: &str| {
        let transfers = vec![chips(key, "ann", 100)];
        let command = Some(command("ask", "chips"));
        store.transfer_unless_changed(transfers, moment(1), &ann, seen, command).await
    };
    assert_eq!(asked("third").await, Ok(Written::Now));
    let Ok(Written::Repeated(_)) = asked("fourth").await else { panic!("it is a repeat") };
    assert_eq!(store.balance(&ann).await, Ok(Amount::cents(300)));
}

pub(crate) async fn only_one_of_many_transfers_from_the_same_state_is_made(store: impl Store) {
    let (store, ann) = (Arc::new(store), player("ann"));
    for turn in 0..20 {
        let seen = store.account_state(&ann).await.unwrap();
        let tries = (0..8).map(|number| {
            let (store, ann) = (Arc::clone(&store), ann.clone());
            tokio::spawn(async move {
                let transfers = vec![chips(&format!("{turn}/{number}"), "ann", 1)];
                store.transfer_unless_changed(transfers, moment(1), &ann, seen, None).await
            })
        });
        let mut made = 0;
        for attempt in tries.collect::<Vec<_>>() {
            match attempt.await.unwrap() {
                Ok(_) => made += 1,
                Err(error) => assert_eq!(error, StoreError::Conflict),
            }
        }
        assert_eq!(made, 1);
        assert_eq!(store.balance(&ann).await, Ok(Amount::cents(turn + 1)));
    }
}
