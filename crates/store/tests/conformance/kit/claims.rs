//! Tables whose deadline has passed, and the claims on them.

use std::sync::Arc;

use croupier_store::{Append, Store};

use super::{Pen, moment};

/// Opens a table with a deadline, and returns its pen.
async fn due(store: &impl Store, table: &str, deadline: u64) -> Pen {
    let mut pen = Pen::new(table);
    let append = Append { deadline: Some(moment(deadline)), ..pen.write(1) };
    store.append(append).await.unwrap();
    pen
}

async fn claim(store: &impl Store, now: u64, until: u64, most: usize) -> Vec<String> {
    store.claim(moment(now), moment(until), most).await.unwrap()
}

pub(crate) async fn a_table_is_claimed_when_it_is_due(store: impl Store) {
    due(&store, "a late one", 200).await;
    due(&store, "early", 100).await;
    due(&store, "also early", 100).await;
    assert!(claim(&store, 99, 150, 10).await.is_empty(), "nothing is due");
    assert_eq!(claim(&store, 100, 150, 0).await, [""; 0]);
    assert_eq!(claim(&store, 100, 150, 1).await, ["also early"]);
    assert_eq!(claim(&store, 101, 150, 10).await, ["early"], "the other one is claimed");
    assert!(claim(&store, 149, 190, 10).await.is_empty(), "both are claimed");
    assert_eq!(claim(&store, 500, 600, 10).await, ["also early", "early", "a late one"]);
    let row = store.table("a late one").await.unwrap().unwrap();
    assert_eq!((row.version, row.deadline), (1, Some(moment(200))), "a claim changes nothing else");
}

pub(crate) async fn a_claim_expires(store: impl Store) {
    due(&store, "seven", 100).await;
    assert_eq!(claim(&store, 100, 150, 10).await, ["seven"]);
    assert!(claim(&store, 149, 250, 10).await.is_empty());
    assert_eq!(claim(&store, 150, 250, 10).await, ["seven"]);
    assert!(claim(&store, 249, 300, 10).await.is_empty(), "it is claimed again");
}

pub(crate) async fn an_append_ends_a_claim(store: impl Store) {
    let mut pen = due(&store, "seven", 100).await;
    assert_eq!(claim(&store, 100, 900, 10).await, ["seven"]);
    let append = Append { deadline: Some(moment(120)), ..pen.write(1) };
    store.append(append).await.unwrap();
    assert!(claim(&store, 119, 900, 10).await.is_empty(), "it is not due");
    assert_eq!(claim(&store, 120, 900, 10).await, ["seven"]);

    // An append that is refused does not end a claim.
    let conflict = Append { deadline: Some(moment(130)), ..Pen::new("seven").write(1) };
    store.append(conflict).await.unwrap_err();
    assert!(claim(&store, 140, 900, 10).await.is_empty());
}

pub(crate) async fn a_table_without_a_deadline_is_never_claimed(store: impl Store) {
    store.append(Pen::new("idle").write(1)).await.unwrap();
    let mut pen = due(&store, "closed", 100).await;
    let append = Append { deadline: Some(moment(100)), closes: true, ..pen.write(1) };
    store.append(append).await.unwrap();
    let mut pen = due(&store, "no more", 100).await;
    store.append(pen.write(1)).await.unwrap();
    assert!(claim(&store, 1_000_000, 1_000_001, 10).await.is_empty());
}

pub(crate) async fn a_table_is_claimed_by_only_one_of_many(store: impl Store) {
    let store = Arc::new(store);
    let mut names = Vec::new();
    for number in 10..42 {
        let name = format!("table-{number}");
        due(&*store, &name, 100).await;
        names.push(name);
    }
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let mut given = Vec::new();
                for _ in 0..4 {
                    given.extend(claim(&*store, 100, 900, 3).await);
                }
                given
            })
        })
        .collect();
    let mut given = Vec::new();
    for task in tasks {
        given.extend(task.await.unwrap());
    }
    // Tables that were skipped because another task had them locked can still be claimed.
    given.extend(claim(&*store, 100, 900, 100).await);
    given.sort();
    assert_eq!(given, names);
}
