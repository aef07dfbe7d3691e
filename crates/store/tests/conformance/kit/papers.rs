//! Papers, and who was first to write them.

use std::sync::Arc;

use croupier_store::{Paper, Store, StoreError};

use super::moment;

fn paper(drawer: &str, key: &str, text: &str) -> Paper {
    Paper {
        drawer: drawer.to_owned(),
        key: key.to_owned(),
        owner: String::new(),
        at: moment(1),
        until: None,
        text: text.to_owned(),
        revision: 0,
    }
}

fn owned(key: &str, owner: &str) -> Paper {
    Paper { owner: owner.to_owned(), ..paper("sessions", key, "{}") }
}

fn keys(papers: Result<Vec<Paper>, StoreError>) -> Vec<String> {
    papers.unwrap().into_iter().map(|paper| paper.key).collect()
}

pub(crate) async fn a_paper_is_kept_until_it_is_discarded(store: impl Store) {
    assert_eq!(store.paper("notes", "a").await, Ok(None));
    assert_eq!(store.discard("notes", "a").await, Ok(false));
    let until = Some(moment(9));
    let written = Paper { until, owner: "ann".to_owned(), ..paper("notes", "a", "♠ and\nmore") };
    assert_eq!(store.file(written.clone()).await, Ok(1));
    let kept = Paper { revision: 1, ..written };
    assert_eq!(store.paper("notes", "a").await, Ok(Some(kept.clone())));
    for (drawer, key) in [("note", "a"), ("notes", "A"), ("notes", "aa"), ("a", "notes")] {
        assert_eq!(store.paper(drawer, key).await, Ok(None));
        assert_eq!(store.discard(drawer, key).await, Ok(false));
    }
    let empty = paper("notes", "empty", "");
    assert_eq!(store.file(empty.clone()).await, Ok(1));
    let found = store.paper("notes", "empty").await;
    assert_eq!(found, Ok(Some(Paper { revision: 1, ..empty })), "nothing is on it");
    assert_eq!(store.paper("notes", "a").await, Ok(Some(kept)));
    assert_eq!(store.discard("notes", "a").await, Ok(true));
    assert_eq!(store.paper("notes", "a").await, Ok(None));
    assert_eq!(store.discard("notes", "a").await, Ok(false));
}

pub(crate) async fn a_paper_is_replaced_by_who_knows_it(store: impl Store) {
    let first = paper("notes", "a", "first");
    let none = Paper { revision: 1, ..first.clone() };
    assert_eq!(store.file(none).await, Err(StoreError::Conflict), "there is none");
    assert_eq!(store.file(first.clone()).await, Ok(1));
    assert_eq!(store.file(first.clone()).await, Err(StoreError::Taken), "there is one");

    let (at, until, owner) = (moment(5), Some(moment(8)), "bob".to_owned());
    let second = Paper { at, until, owner, revision: 1, ..paper("notes", "a", "second") };
    assert_eq!(store.file(second.clone()).await, Ok(2));
    let kept = Paper { revision: 2, ..second.clone() };
    assert_eq!(store.paper("notes", "a").await, Ok(Some(kept.clone())));
    for revision in [1, 3, 9_999] {
        let late = Paper { revision, text: "late".to_owned(), ..second.clone() };
        assert_eq!(store.file(late).await, Err(StoreError::Conflict), "{revision}");
    }
    assert_eq!(store.paper("notes", "a").await, Ok(Some(kept)));
    assert_eq!(keys(store.papers_of("notes", "", "", 9).await), [""; 0], "it changed its owner");
    assert_eq!(keys(store.papers_of("notes", "bob", "", 9).await), ["a"]);

    store.discard("notes", "a").await.unwrap();
    let gone = Paper { revision: 2, ..second };
    assert_eq!(store.file(gone).await, Err(StoreError::Conflict), "it is gone");
    assert_eq!(store.file(first).await, Ok(1), "and begins anew");
}

pub(crate) async fn papers_are_filed_together_or_not_at_all(store: impl Store) {
    assert_eq!(store.file_all(vec![]).await, Ok(()));
    let [name, account] = [paper("names", "ann", "1"), paper("accounts", "1", "ann")];
    store.file_all(vec![name.clone(), account.clone()]).await.unwrap();
    let kept = Paper { revision: 1, ..name.clone() };
    assert_eq!(store.paper("names", "ann").await, Ok(Some(kept.clone())));

    let other = paper("accounts", "2", "ann");
    for papers in [vec![other.clone(), name.clone()], vec![name.clone(), other.clone()]] {
        assert_eq!(store.file_all(papers).await, Err(StoreError::Taken));
    }
    // Why the first fails is what is told.
    let unknown = Paper { revision: 7, ..paper("names", "bob", "2") };
    let both = vec![other.clone(), unknown.clone(), name.clone()];
    assert_eq!(store.file_all(both).await, Err(StoreError::Conflict));
    assert_eq!(store.file_all(vec![other.clone(), name, unknown]).await, Err(StoreError::Taken));
    assert_eq!(keys(store.papers("accounts", "", 9).await), ["1"]);
    assert_eq!(keys(store.papers("names", "", 9).await), ["ann"]);

    // One may come and another go on in the same step; nothing may be there twice.
    let renamed = Paper { revision: 1, text: "new".to_owned(), ..account };
    store.file_all(vec![renamed.clone(), paper("names", "new", "1")]).await.unwrap();
    assert_eq!(store.paper("accounts", "1").await.unwrap().unwrap().revision, 2);
    let twice = vec![other.clone(), Paper { revision: 1, ..other.clone() }];
    let refused = store.file_all(twice).await;
    assert!(matches!(refused, Err(StoreError::Unusable(_))), "{refused:?}");
    assert_eq!(store.paper("accounts", "2").await, Ok(None));
    assert_eq!(store.paper("names", "ann").await, Ok(Some(kept)));
}

pub(crate) async fn papers_are_read_in_the_order_of_their_keys(store: impl Store) {
    let papers = ["b", "a", "ä", "B", "aa", "10", "9"].map(|key| paper("notes", key, key));
    store.file_all(papers.to_vec()).await.unwrap();
    for drawer in ["note", "notes ", "notesa", "aaa", "zzz"] {
        store.file(paper(drawer, "b", "of another drawer")).await.unwrap();
    }
    let all = store.papers("notes", "", usize::MAX).await.unwrap();
    assert!(all.iter().all(|paper| paper.drawer == "notes" && paper.text == paper.key));
    assert_eq!(keys(Ok(all.clone())), ["10", "9", "B", "a", "aa", "b", "ä"]);
    for most in [1, 3, 7] {
        let (mut paged, mut after) = (Vec::new(), String::new());
        loop {
            let page = store.papers("notes", &after, most).await.unwrap();
            let Some(last) = page.last() else { break };
            assert!(page.len() <= most);
            after.clone_from(&last.key);
            paged.extend(page);
        }
        assert_eq!(paged, all, "in pages of {most}");
    }
    assert_eq!(keys(store.papers("notes", "a", 2).await), ["aa", "b"], "after it");
    assert_eq!(keys(store.papers("notes", "aaa", 9).await), ["b", "ä"], "whether it is there");
    assert_eq!(store.papers("notes", "", 0).await, Ok(vec![]));
    assert_eq!(store.papers("nothing", "", 9).await, Ok(vec![]));
}

pub(crate) async fn papers_are_found_by_their_owner(store: impl Store) {
    let owners =
        [("1", "ann"), ("2", "bob"), ("3", "ann"), ("4", ""), ("5", "ann"), ("6", "annabel")];
    let papers = owners.map(|(key, owner)| owned(key, owner));
    store.file_all(papers.to_vec()).await.unwrap();
    let elsewhere = Paper { drawer: "notes".to_owned(), ..owned("1", "ann") };
    store.file(elsewhere).await.unwrap();
    assert_eq!(keys(store.papers_of("sessions", "ann", "", 9).await), ["1", "3", "5"]);
    assert_eq!(keys(store.papers_of("sessions", "ann", "1", 1).await), ["3"]);
    assert_eq!(keys(store.papers_of("sessions", "ann", "5", 9).await), [""; 0]);
    assert_eq!(keys(store.papers_of("sessions", "", "", 9).await), ["4"], "nobody's");
    assert_eq!(store.papers_of("sessions", "cat", "", 9).await, Ok(vec![]));

    assert_eq!(store.discard_of("sessions", "cat").await, Ok(0));
    assert_eq!(store.discard_of("sessions", "ann").await, Ok(3));
    assert_eq!(store.discard_of("sessions", "ann").await, Ok(0));
    assert_eq!(keys(store.papers("sessions", "", 9).await), ["2", "4", "6"]);
    assert_eq!(keys(store.papers_of("notes", "ann", "", 9).await), ["1"]);
    assert_eq!(store.discard_of("sessions", "").await, Ok(1), "nobody's");
    assert_eq!(keys(store.papers("sessions", "", 9).await), ["2", "6"]);
}

pub(crate) async fn papers_go_when_their_time_has_come(store: impl Store) {
    let untils = [("d", 5), ("c", 7), ("b", 5), ("a", 9)];
    for (key, until) in untils {
        let until = Some(moment(until));
        store.file(Paper { until, ..paper("notes", key, "") }).await.unwrap();
    }
    store.file(Paper { until: Some(moment(5)), ..paper("more", "z", "") }).await.unwrap();
    store.file(paper("notes", "kept", "")).await.unwrap();
    assert_eq!(store.expire(moment(4), 9).await, Ok(0));
    assert_eq!(store.expire(moment(9), 0).await, Ok(0));
    let past = store.paper("notes", "d").await.unwrap();
    assert!(past.is_some(), "whoever asks for it may look at its time himself");

    // Those that are longest past go first; of those that are equal, by drawer and key.
    assert_eq!(store.expire(moment(8), 2).await, Ok(2));
    assert_eq!(keys(store.papers("more", "", 9).await), [""; 0]);
    assert_eq!(keys(store.papers("notes", "", 9).await), ["a", "c", "d", "kept"]);
    assert_eq!(store.expire(moment(8), 9).await, Ok(2));
    assert_eq!(keys(store.papers("notes", "", 9).await), ["a", "kept"]);

    // One that is written anew has another time.
    let until = Some(moment(90));
    let again = Paper { until, revision: 1, ..paper("notes", "a", "") };
    store.file(again.clone()).await.unwrap();
    assert_eq!(store.expire(moment(9), 9).await, Ok(0));
    store.file(Paper { until: None, revision: 2, ..again }).await.unwrap();
    assert_eq!(store.expire(moment(9_999), usize::MAX).await, Ok(0));
    assert_eq!(keys(store.papers("notes", "", 9).await), ["a", "kept"]);
}

pub(crate) async fn of_many_that_file_a_paper_at_once_one_does(store: impl Store) {
    let store = Arc::new(store);
    for revision in 0..4 {
        let tasks: Vec<_> = (0..8)
            .map(|number| {
                let store = Arc::clone(&store);
                let text = number.to_string();
                let mut papers =
                    vec![Paper { revision, ..paper("a", "1", &text) }, paper("c", "1", &text)];
                papers[1].revision = revision;
                if number % 2 == 0 {
                    papers.reverse();
                }
                tokio::spawn(async move { (text, store.file_all(papers).await) })
            })
            .collect();
        let mut written = Vec::new();
        for task in tasks {
            match task.await.unwrap() {
                (text, Ok(())) => written.push(text),
                (_, Err(StoreError::Taken)) if revision == 0 => {}
                (_, other) => assert_eq!(other, Err(StoreError::Conflict)),
            }
        }
        assert_eq!(written.len(), 1, "{written:?}");
        for drawer in ["a", "c"] {
            let kept = store.paper(drawer, "1").await.unwrap().unwrap();
            assert_eq!((kept.revision, &kept.text), (revision + 1, &written[0]));
        }
    }
}

pub(crate) async fn a_paper_that_cannot_be_is_refused(store: impl Store) {
    let long = "e".repeat(1_001);
    let good = paper("notes", "a", "");
    let name = |name: &str| name.to_owned();
    let mut bad = Vec::new();
    for text in ["", "a\0b", &long] {
        bad.push(Paper { drawer: name(text), ..good.clone() });
        bad.push(Paper { key: name(text), ..good.clone() });
        if !text.is_empty() {
            bad.push(Paper { owner: name(text), ..good.clone() });
        }
    }
    bad.push(Paper { drawer: "e".repeat(201), ..good.clone() });
    bad.push(Paper { text: name("a\0b"), ..good.clone() });
    bad.push(Paper { revision: i64::MAX as u64, ..good.clone() });
    bad.push(Paper { revision: u64::MAX, ..good.clone() });
    for bad in bad {
        let refused = store.file_all(vec![paper("notes", "b", ""), bad.clone()]).await;
        assert!(matches!(refused, Err(StoreError::Unusable(_))), "{refused:?} for {bad:?}");
        assert!(matches!(store.file(bad).await, Err(StoreError::Unusable(_))));
    }
    assert_eq!(store.papers("notes", "", 9).await, Ok(vec![]));

    // There is nothing of such names, and what comes after them is found.
    store.file(good).await.unwrap();
    for bad in ["", "a\0b", "\0", &long] {
        assert_eq!(store.paper(bad, "a").await, Ok(None));
        assert_eq!(store.paper("notes", bad).await, Ok(None));
        assert_eq!(store.discard(bad, "a").await, Ok(false));
        assert_eq!(store.discard("notes", bad).await, Ok(false));
        assert_eq!(store.papers(bad, "", 9).await, Ok(vec![]));
        assert_eq!(store.papers_of(bad, "", "", 9).await, Ok(vec![]));
        assert_eq!(store.discard_of(bad, "").await, Ok(0));
        if !bad.is_empty() {
            assert_eq!(store.papers_of("notes", bad, "", 9).await, Ok(vec![]));
            assert_eq!(store.discard_of("notes", bad).await, Ok(0));
        }
    }
    for after in ["\0", "A\0b", "A"] {
        assert_eq!(keys(store.papers("notes", after, 9).await), ["a"]);
        assert_eq!(keys(store.papers_of("notes", "", after, 9).await), ["a"]);
    }
    assert_eq!(keys(store.papers("notes", "a\0", 9).await), [""; 0]);
}

pub(crate) async fn the_clock_does_not_stand(store: impl Store) {
    let first = store.clock().await.unwrap();
    assert!(first > moment(0), "it is later than 2023");
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    let second = store.clock().await.unwrap();
    assert!(second > first, "{first:?} {second:?}");
}
