//! Small sample changes.

use croupier_rules::Amount;
use croupier_store::{Answered, Append, CommandKey, DocumentRow};
use croupier_table::{Account, Entry, Hash, Time, Transfer, first_hash};

/// Returns the first entry of a table.
pub(crate) fn opening(table: &str) -> Append {
    let body = "{\"opened\":true}".to_owned();
    let entry = Entry::seal(&first_hash(table), 1, Time::from_millis(1), body);
    Append {
        table: table.to_owned(),
        expected: 0,
        entries: vec![entry],
        transfers: Vec::new(),
        deadline: None,
        opens: Some("uth-standard".to_owned()),
        closes: false,
        checkpoint: Some(1),
        rounds: Vec::new(),
        command: None,
    }
}

/// Returns entries that come after this one.
pub(crate) fn append(table: &str, last: &Entry, bodies: &[&str]) -> Append {
    let mut entries: Vec<Entry> = Vec::new();
    for &body in bodies {
        let before = entries.last().unwrap_or(last);
        let at = before.at.after(1);
        entries.push(Entry::seal(&before.hash, before.version + 1, at, body.to_owned()));
    }
    let mut append = opening(table);
    (append.expected, append.entries) = (last.version, entries);
    (append.opens, append.checkpoint) = (None, None);
    append
}

/// Returns a transfer of chips to a player, in cents.
pub(crate) fn transfer(key: &str, to: &str, cents: i64) -> Transfer {
    let (from, to) = (Account::Issue(to.to_owned()), Account::Player(to.to_owned()));
    Transfer { key: key.to_owned(), from, to, amount: Amount::cents(cents) }
}

/// Returns a command with its answer.
pub(crate) fn command(sender: &str, key: &str) -> Answered {
    Answered {
        key: CommandKey { sender: sender.to_owned(), key: key.to_owned() },
        body: Hash::of(key.as_bytes()),
        answer: format!("answer to {key}"),
    }
}

/// Returns a document that replaces the one of this revision, with the revision in its text.
pub(crate) fn document(key: &str, revision: u64) -> DocumentRow {
    DocumentRow {
        collection: "notes".to_owned(),
        key: key.to_owned(),
        owner: String::new(),
        at: Time::from_millis(1),
        until: None,
        text: format!("after {revision}"),
        revision,
    }
}
