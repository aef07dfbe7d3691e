//! What can be a name or a key, in every store alike.
//!
//! A database may be unable to keep a text that another one keeps, so that all of them refuse what
//! one of them would: a zero character, which PostgreSQL has no room for in any text, and names
//! that are too long for an index.

use croupier_table::Transfer;

use crate::store::{Answered, Append, Choice, CommandKey, Paper, Player, StoreError};

/// How many characters the sender and the key of a command may have.
const MOST_CHARACTERS: usize = 200;

/// How many bytes any other name or key may have. An index has room for two of them.
const MOST_BYTES: usize = 1_000;

/// How many bytes the name of a drawer may have. An index has room for one beside two others.
const MOST_OF_DRAWER: usize = 200;

/// Tells whether there can be anything of this name.
pub(crate) fn can_exist(name: &str) -> bool {
    (1..=MOST_BYTES).contains(&name.len()) && is_text(name)
}

/// Tells whether every database can keep a text.
pub(crate) fn is_text(text: &str) -> bool {
    !text.contains('\0')
}

/// Returns where the keys of a table's transfers begin, and before what they end. They are
/// `table/round/…`, and after `/` comes `0`.
pub(crate) fn transfers_of(table: &str) -> [String; 2] {
    [format!("{table}/"), format!("{table}0")]
}

/// Checks a command's key.
///
/// # Errors
///
/// [`StoreError::Unusable`], with what is wrong.
pub(crate) fn check_key(key: &CommandKey) -> Result<(), StoreError> {
    for (what, text) in [("sender", &key.sender), ("key", &key.key)] {
        if !(1..=MOST_CHARACTERS).contains(&text.chars().count()) {
            return unusable(format!("a command's {what} has 1 to {MOST_CHARACTERS} characters"));
        }
        if text.contains(char::is_control) {
            return unusable(format!("a command's {what} has no control characters"));
        }
    }
    Ok(())
}

/// Checks a command and its answer, if there is one.
pub(crate) fn check_command(command: Option<&Answered>) -> Result<(), StoreError> {
    let Some(Answered { key, answer, .. }) = command else { return Ok(()) };
    check_key(key)?;
    check_text("the answer to a command", answer)
}

/// Checks transfers, whatever the ledger says of them.
pub(crate) fn check_transfers(transfers: &[Transfer]) -> Result<(), StoreError> {
    for Transfer { key, from, to, .. } in transfers {
        check_name("a transfer's key", key)?;
        check_name("an account", &from.to_string())?;
        check_name("an account", &to.to_string())?;
    }
    Ok(())
}

/// Checks the names and texts of what is added to a journal.
pub(crate) fn check_append(append: &Append) -> Result<(), StoreError> {
    check_name("a table's name", &append.table)?;
    check_text("a house", append.opens.as_deref().unwrap_or_default())?;
    for entry in &append.entries {
        check_text("an entry", &entry.body)?;
    }
    for round in &append.rounds {
        check_text("a house", &round.house)?;
        for seat in &round.seats {
            check_name("a player's name", &seat.player)?;
        }
    }
    check_transfers(&append.transfers)?;
    check_command(append.command.as_ref())
}

/// Checks a player.
pub(crate) fn check_player(player: &Player) -> Result<(), StoreError> {
    check_name("a player's name", &player.name)?;
    check_text("a profile", &player.profile)
}

/// Checks the names and texts of a choice.
pub(crate) fn check_choice(choice: &Choice) -> Result<(), StoreError> {
    check_name("a player's name", &choice.player)?;
    check_name("a choice's key", &choice.key)?;
    let Choice { game, street, spot, chosen, best, .. } = choice;
    [game, street, spot, chosen, best].into_iter().try_for_each(|text| check_text("a choice", text))
}

/// Checks the names and the text of a paper.
pub(crate) fn check_paper(paper: &Paper) -> Result<(), StoreError> {
    let Paper { drawer, key, owner, text, .. } = paper;
    check_name("a drawer", drawer)?;
    if drawer.len() > MOST_OF_DRAWER {
        return unusable(format!("a drawer has 1 to {MOST_OF_DRAWER} bytes"));
    }
    check_name("a paper's key", key)?;
    if !owner.is_empty() {
        check_name("a paper's owner", owner)?;
    }
    check_text("a paper", text)
}

/// Checks what is known of a player, and what was thought to be.
pub(crate) fn check_profiles(expected: &str, profile: &str) -> Result<(), StoreError> {
    check_text("a profile", expected)?;
    check_text("a profile", profile)
}

/// Checks something that is kept as it is, and not found by.
pub(crate) fn check_text(what: &str, text: &str) -> Result<(), StoreError> {
    if is_text(text) { Ok(()) } else { unusable(format!("{what} has no zero character in it")) }
}

fn check_name(what: &str, name: &str) -> Result<(), StoreError> {
    if can_exist(name) {
        return Ok(());
    }
    unusable(format!("{what} has 1 to {MOST_BYTES} bytes, and no zero character among them"))
}

fn unusable(why: String) -> Result<(), StoreError> {
    Err(StoreError::Unusable(why))
}
