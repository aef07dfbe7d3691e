//! Players.

use std::sync::Arc;

use croupier_store::{Player, Store, StoreError};

use super::{chips, everything, moment};

fn new_player(name: &str, profile: &str) -> Player {
    Player { name: name.to_owned(), since: moment(1), profile: profile.to_owned() }
}

pub(crate) async fn a_name_is_taken_once(store: impl Store) {
    assert_eq!(store.player("ann").await, Ok(None));
    let ann = new_player("ann", "{}");
    assert_eq!(store.add_player(ann.clone()).await, Ok(()));
    assert_eq!(store.add_player(ann.clone()).await, Err(StoreError::Taken));
    let other = Player { since: moment(9), ..new_player("ann", r#"{"other":true}"#) };
    assert_eq!(store.add_player(other).await, Err(StoreError::Taken));
    assert_eq!(store.player("ann").await, Ok(Some(ann)));
    assert_eq!(store.add_player(new_player("Ann", "{}")).await, Ok(()), "another name");
}

pub(crate) async fn a_profile_is_replaced(store: impl Store) {
    assert_eq!(store.set_profile("ann", "", "{}").await, Ok(false));
    assert_eq!(store.player("ann").await, Ok(None));
    store.add_player(new_player("ann", "{}")).await.unwrap();
    let profile = r#"{"motto":"all in","suit":"♠"}"#;
    assert_eq!(store.set_profile("ann", "{}", profile).await, Ok(true));
    assert_eq!(store.player("ann").await, Ok(Some(new_player("ann", profile))));
    assert_eq!(store.set_profile("ann", profile, profile).await, Ok(true), "the same once more");
    for expected in ["{}", "", "{ }"] {
        let late = store.set_profile("ann", expected, "{}").await;
        assert_eq!(late, Err(StoreError::Conflict), "another writer was first");
    }
    assert_eq!(store.player("ann").await, Ok(Some(new_player("ann", profile))));
}

pub(crate) async fn only_one_of_many_concurrent_profile_changes_succeeds(store: impl Store) {
    store.add_player(new_player("ann", "{}")).await.unwrap();
    let store = Arc::new(store);
    let tasks: Vec<_> = (0..8)
        .map(|number| {
            let store = Arc::clone(&store);
            let profile = format!(r#"{{"number":{number}}}"#);
            tokio::spawn(async move { store.set_profile("ann", "{}", &profile).await })
        })
        .collect();
    let mut written = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(true) => written += 1,
            other => assert_eq!(other, Err(StoreError::Conflict)),
        }
    }
    assert_eq!(written, 1);
}

pub(crate) async fn removing_a_player_leaves_everything_else(store: impl Store) {
    assert_eq!(store.remove_player("ann").await, Ok(false));
    for name in ["ann", "bob"] {
        store.add_player(new_player(name, "{}")).await.unwrap();
        store.transfer(vec![chips(name, name, 5)], moment(1), None).await.unwrap();
    }
    let before = everything(&store).await;
    assert_eq!(store.remove_player("ann").await, Ok(true));
    assert_eq!(store.remove_player("ann").await, Ok(false));
    assert_eq!(store.player("ann").await, Ok(None));
    assert_eq!(store.player("bob").await, Ok(Some(new_player("bob", "{}"))));
    assert_eq!(everything(&store).await, before);
    assert_eq!(store.add_player(new_player("ann", "{}")).await, Ok(()), "the name is free");
}
