//! Documents, and concurrent writes to them.

use std::sync::Arc;

use croupier_store::{Collection, Document, DocumentRow, Store, StoreError, Text};

use super::moment;

fn document(collection: &str, key: &str, text: &str) -> DocumentRow {
    DocumentRow {
        collection: collection.to_owned(),
        key: key.to_owned(),
        owner: String::new(),
        at: moment(1),
        until: None,
        text: text.to_owned(),
        revision: 0,
    }
}

fn owned(key: &str, owner: &str) -> DocumentRow {
    DocumentRow { owner: owner.to_owned(), ..document("sessions", key, "{}") }
}

fn keys(documents: Result<Vec<DocumentRow>, StoreError>) -> Vec<String> {
    documents.unwrap().into_iter().map(|document| document.key).collect()
}

pub(crate) async fn a_document_is_kept_until_it_is_deleted(store: impl Store) {
    assert_eq!(store.document("notes", "a").await, Ok(None));
    assert_eq!(store.delete("notes", "a").await, Ok(false));
    let until = Some(moment(9));
    let written =
        DocumentRow { until, owner: "ann".to_owned(), ..document("notes", "a", "♠ and\nmore") };
    assert_eq!(store.put(written.clone()).await, Ok(1));
    let kept = DocumentRow { revision: 1, ..written };
    assert_eq!(store.document("notes", "a").await, Ok(Some(kept.clone())));
    for (collection, key) in [("note", "a"), ("notes", "A"), ("notes", "aa"), ("a", "notes")] {
        assert_eq!(store.document(collection, key).await, Ok(None));
        assert_eq!(store.delete(collection, key).await, Ok(false));
    }
    let empty = document("notes", "empty", "");
    assert_eq!(store.put(empty.clone()).await, Ok(1));
    let found = store.document("notes", "empty").await;
    assert_eq!(found, Ok(Some(DocumentRow { revision: 1, ..empty })), "its text is empty");
    assert_eq!(store.document("notes", "a").await, Ok(Some(kept)));
    assert_eq!(store.delete("notes", "a").await, Ok(true));
    assert_eq!(store.document("notes", "a").await, Ok(None));
    assert_eq!(store.delete("notes", "a").await, Ok(false));
}

pub(crate) async fn a_document_is_replaced_only_by_its_next_revision(store: impl Store) {
    let first = document("notes", "a", "first");
    let none = DocumentRow { revision: 1, ..first.clone() };
    assert_eq!(store.put(none).await, Err(StoreError::Conflict), "it does not exist");
    assert_eq!(store.put(first.clone()).await, Ok(1));
    assert_eq!(store.put(first.clone()).await, Err(StoreError::Taken), "it exists");

    let (at, until, owner) = (moment(5), Some(moment(8)), "bob".to_owned());
    let second = DocumentRow { at, until, owner, revision: 1, ..document("notes", "a", "second") };
    assert_eq!(store.put(second.clone()).await, Ok(2));
    let kept = DocumentRow { revision: 2, ..second.clone() };
    assert_eq!(store.document("notes", "a").await, Ok(Some(kept.clone())));
    for revision in [1, 3, 9_999] {
        let late = DocumentRow { revision, text: "late".to_owned(), ..second.clone() };
        assert_eq!(store.put(late).await, Err(StoreError::Conflict), "{revision}");
    }
    assert_eq!(store.document("notes", "a").await, Ok(Some(kept)));
    assert_eq!(keys(store.documents_of("notes", "", "", 9).await), [""; 0], "it changed its owner");
    assert_eq!(keys(store.documents_of("notes", "bob", "", 9).await), ["a"]);

    store.delete("notes", "a").await.unwrap();
    let gone = DocumentRow { revision: 2, ..second };
    assert_eq!(store.put(gone).await, Err(StoreError::Conflict), "it is gone");
    assert_eq!(store.put(first).await, Ok(1), "and starts over");
}

pub(crate) async fn documents_are_written_together_or_not_at_all(store: impl Store) {
    assert_eq!(store.put_all(vec![]).await, Ok(()));
    let [name, account] = [document("names", "ann", "1"), document("accounts", "1", "ann")];
    store.put_all(vec![name.clone(), account.clone()]).await.unwrap();
    let kept = DocumentRow { revision: 1, ..name.clone() };
    assert_eq!(store.document("names", "ann").await, Ok(Some(kept.clone())));

    let other = document("accounts", "2", "ann");
    for documents in [vec![other.clone(), name.clone()], vec![name.clone(), other.clone()]] {
        assert_eq!(store.put_all(documents).await, Err(StoreError::Taken));
    }
    // The error of the first document that fails is reported.
    let unknown = DocumentRow { revision: 7, ..document("names", "bob", "2") };
    let both = vec![other.clone(), unknown.clone(), name.clone()];
    assert_eq!(store.put_all(both).await, Err(StoreError::Conflict));
    assert_eq!(store.put_all(vec![other.clone(), name, unknown]).await, Err(StoreError::Taken));
    assert_eq!(keys(store.documents("accounts", "", 9).await), ["1"]);
    assert_eq!(keys(store.documents("names", "", 9).await), ["ann"]);

    // One call may add one document and replace another, but none may appear twice.
    let renamed = DocumentRow { revision: 1, text: "new".to_owned(), ..account };
    store.put_all(vec![renamed.clone(), document("names", "new", "1")]).await.unwrap();
    assert_eq!(store.document("accounts", "1").await.unwrap().unwrap().revision, 2);
    let twice = vec![other.clone(), DocumentRow { revision: 1, ..other.clone() }];
    let refused = store.put_all(twice).await;
    assert!(matches!(refused, Err(StoreError::Unusable(_))), "{refused:?}");
    assert_eq!(store.document("accounts", "2").await, Ok(None));
    assert_eq!(store.document("names", "ann").await, Ok(Some(kept)));
}

pub(crate) async fn documents_are_read_in_the_order_of_their_keys(store: impl Store) {
    let documents = ["b", "a", "ä", "B", "aa", "10", "9"].map(|key| document("notes", key, key));
    store.put_all(documents.to_vec()).await.unwrap();
    for collection in ["note", "notes ", "notesa", "aaa", "zzz"] {
        store.put(document(collection, "b", "of another collection")).await.unwrap();
    }
    let all = store.documents("notes", "", usize::MAX).await.unwrap();
    assert!(
        all.iter().all(|document| document.collection == "notes" && document.text == document.key)
    );
    assert_eq!(keys(Ok(all.clone())), ["10", "9", "B", "a", "aa", "b", "ä"]);
    for most in [1, 3, 7] {
        let (mut paged, mut after) = (Vec::new(), String::new());
        loop {
            let page = store.documents("notes", &after, most).await.unwrap();
            let Some(last) = page.last() else { break };
            assert!(page.len() <= most);
            after.clone_from(&last.key);
            paged.extend(page);
        }
        assert_eq!(paged, all, "in pages of {most}");
    }
    assert_eq!(keys(store.documents("notes", "a", 2).await), ["aa", "b"], "after it");
    assert_eq!(
        keys(store.documents("notes", "aaa", 9).await),
        ["b", "ä"],
        "the key need not exist"
    );
    assert_eq!(store.documents("notes", "", 0).await, Ok(vec![]));
    assert_eq!(store.documents("nothing", "", 9).await, Ok(vec![]));
}

pub(crate) async fn documents_are_found_by_their_owner(store: impl Store) {
    let owners =
        [("1", "ann"), ("2", "bob"), ("3", "ann"), ("4", ""), ("5", "ann"), ("6", "annabel")];
    let documents = owners.map(|(key, owner)| owned(key, owner));
    store.put_all(documents.to_vec()).await.unwrap();
    let elsewhere = DocumentRow { collection: "notes".to_owned(), ..owned("1", "ann") };
    store.put(elsewhere).await.unwrap();
    assert_eq!(keys(store.documents_of("sessions", "ann", "", 9).await), ["1", "3", "5"]);
    assert_eq!(keys(store.documents_of("sessions", "ann", "1", 1).await), ["3"]);
    assert_eq!(keys(store.documents_of("sessions", "ann", "5", 9).await), [""; 0]);
    assert_eq!(keys(store.documents_of("sessions", "", "", 9).await), ["4"], "no owner");
    assert_eq!(store.documents_of("sessions", "cat", "", 9).await, Ok(vec![]));

    assert_eq!(store.delete_of("sessions", "cat").await, Ok(0));
    assert_eq!(store.delete_of("sessions", "ann").await, Ok(3));
    assert_eq!(store.delete_of("sessions", "ann").await, Ok(0));
    assert_eq!(keys(store.documents("sessions", "", 9).await), ["2", "4", "6"]);
    assert_eq!(keys(store.documents_of("notes", "ann", "", 9).await), ["1"]);
    assert_eq!(store.delete_of("sessions", "").await, Ok(1), "no owner");
    assert_eq!(keys(store.documents("sessions", "", 9).await), ["2", "6"]);
}

pub(crate) async fn expired_documents_are_deleted(store: impl Store) {
    let untils = [("d", 5), ("c", 7), ("b", 5), ("a", 9)];
    for (key, until) in untils {
        let until = Some(moment(until));
        store.put(DocumentRow { until, ..document("notes", key, "") }).await.unwrap();
    }
    store.put(DocumentRow { until: Some(moment(5)), ..document("more", "z", "") }).await.unwrap();
    store.put(document("notes", "kept", "")).await.unwrap();
    assert_eq!(store.expire(moment(4), 9).await, Ok(0));
    assert_eq!(store.expire(moment(9), 0).await, Ok(0));
    let past = store.document("notes", "d").await.unwrap();
    assert!(past.is_some(), "a reader may check the time itself");

    // The longest expired go first, then by collection and key.
    assert_eq!(store.expire(moment(8), 2).await, Ok(2));
    assert_eq!(keys(store.documents("more", "", 9).await), [""; 0]);
    assert_eq!(keys(store.documents("notes", "", 9).await), ["a", "c", "d", "kept"]);
    assert_eq!(store.expire(moment(8), 9).await, Ok(2));
    assert_eq!(keys(store.documents("notes", "", 9).await), ["a", "kept"]);

    // A replaced document has a new time.
    let until = Some(moment(90));
    let again = DocumentRow { until, revision: 1, ..document("notes", "a", "") };
    store.put(again.clone()).await.unwrap();
    assert_eq!(store.expire(moment(9), 9).await, Ok(0));
    store.put(DocumentRow { until: None, revision: 2, ..again }).await.unwrap();
    assert_eq!(store.expire(moment(9_999), usize::MAX).await, Ok(0));
    assert_eq!(keys(store.documents("notes", "", 9).await), ["a", "kept"]);
}

pub(crate) async fn only_one_of_many_concurrent_document_writes_succeeds(store: impl Store) {
    let store = Arc::new(store);
    for revision in 0..4 {
        let tasks: Vec<_> = (0..8)
            .map(|number| {
                let store = Arc::clone(&store);
                let text = number.to_string();
                let mut documents = vec![
                    DocumentRow { revision, ..document("a", "1", &text) },
                    document("c", "1", &text),
                ];
                documents[1].revision = revision;
                if number % 2 == 0 {
                    documents.reverse();
                }
                tokio::spawn(async move { (text, store.put_all(documents).await) })
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
        for collection in ["a", "c"] {
            let kept = store.document(collection, "1").await.unwrap().unwrap();
            assert_eq!((kept.revision, &kept.text), (revision + 1, &written[0]));
        }
    }
}

pub(crate) async fn an_invalid_document_is_refused(store: impl Store) {
    let long = "e".repeat(1_001);
    let good = document("notes", "a", "");
    let name = |name: &str| name.to_owned();
    let mut bad = Vec::new();
    for text in ["", "a\0b", &long] {
        bad.push(DocumentRow { collection: name(text), ..good.clone() });
        bad.push(DocumentRow { key: name(text), ..good.clone() });
        if !text.is_empty() {
            bad.push(DocumentRow { owner: name(text), ..good.clone() });
        }
    }
    bad.push(DocumentRow { collection: "e".repeat(201), ..good.clone() });
    bad.push(DocumentRow { text: name("a\0b"), ..good.clone() });
    bad.push(DocumentRow { revision: i64::MAX as u64, ..good.clone() });
    bad.push(DocumentRow { revision: u64::MAX, ..good.clone() });
    for bad in bad {
        let refused = store.put_all(vec![document("notes", "b", ""), bad.clone()]).await;
        assert!(matches!(refused, Err(StoreError::Unusable(_))), "{refused:?} for {bad:?}");
        assert!(matches!(store.put(bad).await, Err(StoreError::Unusable(_))));
    }
    assert_eq!(store.documents("notes", "", 9).await, Ok(vec![]));

    // Reads find nothing under such names, and still find the keys that come after them.
    store.put(good).await.unwrap();
    for bad in ["", "a\0b", "\0", &long] {
        assert_eq!(store.document(bad, "a").await, Ok(None));
        assert_eq!(store.document("notes", bad).await, Ok(None));
        assert_eq!(store.delete(bad, "a").await, Ok(false));
        assert_eq!(store.delete("notes", bad).await, Ok(false));
        assert_eq!(store.documents(bad, "", 9).await, Ok(vec![]));
        assert_eq!(store.documents_of(bad, "", "", 9).await, Ok(vec![]));
        assert_eq!(store.delete_of(bad, "").await, Ok(0));
        if !bad.is_empty() {
            assert_eq!(store.documents_of("notes", bad, "", 9).await, Ok(vec![]));
            assert_eq!(store.delete_of("notes", bad).await, Ok(0));
        }
    }
    for after in ["\0", "A\0b", "A"] {
        assert_eq!(keys(store.documents("notes", after, 9).await), ["a"]);
        assert_eq!(keys(store.documents_of("notes", "", after, 9).await), ["a"]);
    }
    assert_eq!(keys(store.documents("notes", "a\0", 9).await), [""; 0]);
}

pub(crate) async fn collections_hold_values(store: impl Store) {
    const SCORES: Collection<Vec<u32>> = Collection::new("scores");
    const NAMES: Collection<Text> = Collection::new("names");
    assert_eq!(SCORES.get(&store, "ann").await, Ok(None));
    let scores = Document::json("ann", moment(1), &vec![7, 9]);
    assert_eq!(SCORES.put(&store, scores.clone()).await, Ok(1));
    assert_eq!(SCORES.put(&store, scores.clone()).await, Err(StoreError::Taken));
    let found = SCORES.get(&store, "ann").await.unwrap().unwrap();
    assert_eq!((found.contents().unwrap(), found.revision), (vec![7, 9], 1));
    let more = Document::json("ann", moment(2), &vec![7, 9, 4]).owned_by("ann");
    let more = more.expiring(moment(9)).replacing(found.revision);
    assert_eq!(SCORES.put(&store, more).await, Ok(2));
    let [found] = &SCORES.documents_of(&store, "ann", "", 9).await.unwrap()[..] else { panic!() };
    assert_eq!(found.contents().unwrap(), [7, 9, 4]);
    assert_eq!((found.at, found.until), (moment(2), Some(moment(9))));

    // Documents of several collections are written together, and texts as they are.
    let name = Document::plain("1", moment(1), "Ann \"A\"");
    let rows = vec![SCORES.row(scores.clone()), NAMES.row(name.clone())];
    assert_eq!(store.put_all(rows).await, Err(StoreError::Taken));
    assert_eq!(NAMES.documents(&store, "", 9).await, Ok(vec![]));
    store.put_all(vec![NAMES.row(name.clone())]).await.unwrap();
    assert_eq!(store.document("names", "1").await.unwrap().unwrap().text, "Ann \"A\"");
    let found = NAMES.get(&store, "1").await.unwrap().unwrap();
    assert_eq!(found.text(), "Ann \"A\"");
    assert_eq!(NAMES.put(&store, found.with_text("Bob")).await, Ok(2));
    assert_eq!(NAMES.documents(&store, "", 9).await.unwrap()[0].text(), "Bob");

    // A text that is something else is found, but has no value.
    store.put(document("scores", "bob", "seven")).await.unwrap();
    assert!(SCORES.get(&store, "bob").await.unwrap().unwrap().contents().is_err());
    assert_eq!(SCORES.delete(&store, "bob").await, Ok(true));
    assert_eq!(SCORES.delete_of(&store, "ann").await, Ok(1));
    assert_eq!(SCORES.get(&store, "ann").await, Ok(None));
}

pub(crate) async fn the_clock_advances(store: impl Store) {
    let first = store.clock().await.unwrap();
    assert!(first > moment(0), "later than 2023");
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    let second = store.clock().await.unwrap();
    assert!(second > first, "{first:?} {second:?}");
}
