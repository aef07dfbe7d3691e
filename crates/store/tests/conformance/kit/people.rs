//! Players, and how they choose.

use std::sync::Arc;

use croupier_store::{Choice, Player, Statistic, Store, StoreError};

use super::{chips, everything, moment};

fn somebody(name: &str, profile: &str) -> Player {
    Player { name: name.to_owned(), since: moment(1), profile: profile.to_owned() }
}

fn choice(player: &str, key: &str, (game, street): (&str, &str), cost_ppm: u64) -> Choice {
    Choice {
        player: player.to_owned(),
        key: key.to_owned(),
        at: moment(2),
        game: game.to_owned(),
        street: street.to_owned(),
        spot: format!(r#"{{"hole":"{key}"}}"#),
        chosen: "check".to_owned(),
        best: "raise".to_owned(),
        cost_ppm,
    }
}

pub(crate) async fn a_name_is_taken_once(store: impl Store) {
    assert_eq!(store.player("ann").await, Ok(None));
    let ann = somebody("ann", "{}");
    assert_eq!(store.add_player(ann.clone()).await, Ok(()));
    assert_eq!(store.add_player(ann.clone()).await, Err(StoreError::Taken));
    let other = Player { since: moment(9), ..somebody("ann", r#"{"other":true}"#) };
    assert_eq!(store.add_player(other).await, Err(StoreError::Taken));
    assert_eq!(store.player("ann").await, Ok(Some(ann)));
    assert_eq!(store.add_player(somebody("Ann", "{}")).await, Ok(()), "another name");
}

pub(crate) async fn a_profile_is_written_anew(store: impl Store) {
    assert_eq!(store.set_profile("ann", "", "{}").await, Ok(false));
    assert_eq!(store.player("ann").await, Ok(None));
    store.add_player(somebody("ann", "{}")).await.unwrap();
    let profile = r#"{"motto":"all in","suit":"♠"}"#;
    assert_eq!(store.set_profile("ann", "{}", profile).await, Ok(true));
    assert_eq!(store.player("ann").await, Ok(Some(somebody("ann", profile))));
    assert_eq!(store.set_profile("ann", profile, profile).await, Ok(true), "the same once more");
    for expected in ["{}", "", "{ }"] {
        let late = store.set_profile("ann", expected, "{}").await;
        assert_eq!(late, Err(StoreError::Conflict), "somebody else was first");
    }
    assert_eq!(store.player("ann").await, Ok(Some(somebody("ann", profile))));
}

pub(crate) async fn of_many_that_change_a_profile_at_once_one_does(store: impl Store) {
    store.add_player(somebody("ann", "{}")).await.unwrap();
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

pub(crate) async fn a_player_who_is_removed_leaves_all_else_behind(store: impl Store) {
    assert_eq!(store.remove_player("ann").await, Ok(false));
    for name in ["ann", "bob"] {
        store.add_player(somebody(name, "{}")).await.unwrap();
        store.transfer(vec![chips(name, name, 5)], moment(1), None).await.unwrap();
        let flop = ("uth", "flop");
        let choices = ["1", "2", "3"].map(|key| choice(name, key, flop, 10));
        store.add_choices(choices.to_vec()).await.unwrap();
    }
    let before = everything(&store).await;
    assert_eq!(store.remove_player("ann").await, Ok(true));
    assert_eq!(store.remove_player("ann").await, Ok(false));
    assert_eq!(store.player("ann").await, Ok(None));
    assert_eq!(store.player("bob").await, Ok(Some(somebody("bob", "{}"))));
    assert_eq!(everything(&store).await, before);
    assert_eq!(store.mistakes("ann", 10).await.unwrap().len(), 3);
    assert_eq!(store.add_player(somebody("ann", "{}")).await, Ok(()), "the name is free");
}

pub(crate) async fn choices_are_forgotten_by_player(store: impl Store) {
    assert_eq!(store.forget_choices("ann").await, Ok(0));
    for name in ["ann", "bob"] {
        let choices = ["1", "2", "3"].map(|key| choice(name, key, ("uth", "flop"), 10));
        store.add_choices(choices.to_vec()).await.unwrap();
    }
    assert_eq!(store.forget_choices("ann").await, Ok(3));
    assert_eq!(store.forget_choices("ann").await, Ok(0));
    assert_eq!(store.statistics("ann").await, Ok(vec![]));
    assert_eq!(store.mistakes("bob", 10).await.unwrap().len(), 3);
}

pub(crate) async fn a_choice_is_kept_once(store: impl Store) {
    let flop = ("uth", "flop");
    let first = choice("ann", "1", flop, 500);
    store.add_choices(vec![first.clone()]).await.unwrap();
    let others = vec![
        choice("ann", "1", flop, 900),
        choice("ann", "2", flop, 100),
        choice("ann", "2", flop, 200),
        choice("bob", "1", flop, 300),
    ];
    store.add_choices(others.clone()).await.unwrap();
    store.add_choices(others.clone()).await.unwrap();
    store.add_choices(vec![]).await.unwrap();
    assert_eq!(store.mistakes("ann", 10).await, Ok(vec![first, others[1].clone()]));
    assert_eq!(store.mistakes("bob", 10).await, Ok(vec![others[3].clone()]));

    // What no database can count is refused with all that came with it.
    let too_dear = vec![choice("cat", "1", flop, 1), choice("cat", "2", flop, u64::MAX)];
    let refused = store.add_choices(too_dear).await;
    assert!(matches!(refused, Err(StoreError::Unusable(_))), "{refused:?}");
    assert_eq!(store.statistics("cat").await, Ok(vec![]));
}

pub(crate) async fn the_dearest_mistakes_come_first(store: impl Store) {
    let flop = ("uth", "flop");
    let costs = [("a", 70), ("b", 0), ("c", 900), ("ä", 70), ("B", 70), ("d", 5)];
    let choices = costs.map(|(key, cost)| choice("ann", key, flop, cost));
    store.add_choices(choices.to_vec()).await.unwrap();
    let mistakes = store.mistakes("ann", 10).await.unwrap();
    let keys: Vec<_> = mistakes.iter().map(|choice| choice.key.as_str()).collect();
    assert_eq!(keys, ["c", "B", "a", "ä", "d"], "what cost nothing is no mistake");
    assert_eq!(store.mistakes("ann", 2).await.unwrap(), mistakes[..2]);
    assert_eq!(store.mistakes("ann", 0).await, Ok(vec![]));
    assert_eq!(store.mistakes("bob", 10).await, Ok(vec![]));
}

pub(crate) async fn statistics_are_by_game_and_street(store: impl Store) {
    let places = [("uth", "flop"), ("uth", "river"), ("utcp", "play"), ("uth", "flop")];
    for (round, cost) in [0, 10, 300].into_iter().enumerate() {
        let choices = places.iter().enumerate().map(|(number, &place)| {
            let cost = if place.1 == "river" { 0 } else { cost };
            choice("ann", &format!("{round} {number}"), place, cost)
        });
        store.add_choices(choices.collect()).await.unwrap();
    }
    store.add_choices(vec![choice("bob", "1", places[0], 7)]).await.unwrap();
    let statistic = |(game, street): (&str, &str), choices, mistakes, cost_ppm| Statistic {
        game: game.to_owned(),
        street: street.to_owned(),
        choices,
        mistakes,
        cost_ppm,
    };
    let wanted = vec![
        statistic(("utcp", "play"), 3, 2, 310),
        statistic(("uth", "flop"), 6, 4, 620),
        statistic(("uth", "river"), 3, 0, 0),
    ];
    assert_eq!(store.statistics("ann").await, Ok(wanted));
    assert_eq!(store.statistics("cat").await, Ok(vec![]));
}

pub(crate) async fn a_cost_beyond_counting_is_the_most_that_can_be_counted(store: impl Store) {
    let (flop, river, most) = (("uth", "flop"), ("uth", "river"), i64::MAX as u64);
    let cost = async || {
        let rows = store.statistics("ann").await.unwrap();
        rows.iter().map(|row| row.cost_ppm).collect::<Vec<_>>()
    };
    let almost = vec![choice("ann", "1", flop, most - 5), choice("ann", "2", flop, 5)];
    store.add_choices(almost).await.unwrap();
    assert_eq!(cost().await, [most]);
    store.add_choices(vec![choice("ann", "3", flop, 1)]).await.unwrap();
    assert_eq!(cost().await, [most]);
    let more = ["4", "5", "6"].map(|key| choice("ann", key, flop, most));
    store.add_choices(more.to_vec()).await.unwrap();
    let few = vec![choice("ann", "7", river, 1 << 40), choice("ann", "8", river, u32::MAX.into())];
    store.add_choices(few).await.unwrap();
    assert_eq!(cost().await, [most, (1 << 40) + u64::from(u32::MAX)]);
}
