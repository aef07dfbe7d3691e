//! Tables that were never played, and the size of the stored data.

use croupier_store::{DocumentRow, Store};
use croupier_table::Account;

use super::{Pen, chips, command, everything, moment, pay, player, round};

/// Opens a table and closes it, with this many entries.
async fn closed(store: &impl Store, table: &str, entries: u64) {
    let mut append = Pen::new(table).write(entries);
    append.closes = true;
    store.append(append).await.unwrap();
}

pub(crate) async fn an_unplayed_table_is_removed(store: impl Store) {
    for table in ["blue", "blue-2", "blu"] {
        closed(&store, table, 3).await;
    }
    assert_eq!(store.remove_unplayed("red", moment(9)).await, Ok(false), "it does not exist");
    assert_eq!(store.remove_unplayed("", moment(9)).await, Ok(false));
    assert_eq!(store.remove_unplayed("blue", moment(2)).await, Ok(false), "it is too young");
    assert_eq!(store.journal("blue", 1, 9).await.unwrap().len(), 3);
    assert_eq!(store.remove_unplayed("blue", moment(3)).await, Ok(true));
    assert_eq!(store.table("blue").await, Ok(None));
    assert_eq!(store.journal("blue", 1, 9).await, Ok(Vec::new()));
    assert_eq!(store.remove_unplayed("blue", moment(3)).await, Ok(false), "it is gone");
    let left = everything(&store).await;
    assert_eq!(left.tables.iter().map(|row| &*row.table).collect::<Vec<_>>(), ["blu", "blue-2"]);
    assert!(left.journals.iter().all(|journal| journal.len() == 3));
}

pub(crate) async fn a_table_with_a_history_stays(store: impl Store) {
    store.append(Pen::new("open").write(2)).await.unwrap();
    let mut dealt = Pen::new("dealt").write(2);
    dealt.rounds = vec![round("dealt", 1, moment(1), &[(2, "ann")])];
    dealt.closes = true;
    store.append(dealt).await.unwrap();
    // Money that was returned has moved, and the journal has it.
    store.transfer(vec![chips("issue/ann/1", "ann", 500)], moment(1), None).await.unwrap();
    let escrow = || Account::Escrow("moved".to_owned());
    let mut moved = Pen::new("moved").write(2);
    moved.transfers = vec![
        pay("moved/1/2/ante/stake", player("ann"), escrow(), 500),
        pay("moved/1/2/ante/return", escrow(), player("ann"), 500),
    ];
    moved.closes = true;
    store.append(moved).await.unwrap();
    let before = everything(&store).await;
    for table in ["open", "dealt", "moved"] {
        assert_eq!(store.remove_unplayed(table, moment(99)).await, Ok(false), "{table}");
    }
    assert_eq!(everything(&store).await, before);
    // A table's transfers are not those of another table whose name starts the same.
    closed(&store, "mov", 1).await;
    assert_eq!(store.remove_unplayed("mov", moment(99)).await, Ok(true));
    assert_eq!(everything(&store).await, before);
}

pub(crate) async fn a_name_can_be_reused_after_a_removal(store: impl Store) {
    let mut append = Pen::new("blue").write(4);
    append.closes = true;
    append.command = Some(command("close", "it"));
    store.append(append).await.unwrap();
    assert_eq!(store.remove_unplayed("blue", moment(9)).await, Ok(true));
    let again = command("close", "it");
    assert_eq!(store.answer(&again.key, &again.body).await, Ok(Some(again.answer)));
    let mut pen = Pen::new("blue");
    store.append(pen.write(1)).await.unwrap();
    store.append(pen.write(2)).await.unwrap();
    let row = store.table("blue").await.unwrap().unwrap();
    assert_eq!((row.version, row.closed), (3, false));
    assert_eq!(store.journal("blue", 1, 9).await.unwrap().len(), 3);
}

pub(crate) async fn stored_data_has_a_size(store: impl Store) {
    let empty = store.size().await.unwrap();
    let (collection, key, owner) = ("notes".to_owned(), "a".to_owned(), String::new());
    let (at, until, revision) = (moment(1), None, 0);
    // Letters without a pattern, because some databases compress patterns.
    let mut state = 1_u64;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        char::from(b'a' + u8::try_from(state >> 59).unwrap() % 26)
    };
    let text: String = (0..1_000_000).map(|_| letter()).collect();
    store.put(DocumentRow { collection, key, owner, at, until, text, revision }).await.unwrap();
    let full = store.size().await.unwrap();
    assert!(full > empty + 900_000, "{empty} bytes, then {full}");
    assert!(full < empty + 2_000_000, "{empty} bytes, then {full}");
}
