//! Names of players: their form, the names that are reserved, and which player has each one.

use std::sync::{Arc, Mutex, PoisonError};

use croupier_store::{Collection, Document, StoreError, Text};

use crate::http::problem::{Code, Problem};
use crate::people::profile::{self, Profile};
use crate::state::AppState;
use crate::tables::bots;

/// The collection of names: which player has each one. Names must differ in more than case.
pub(crate) const NAMES: Collection<Text> = Collection::new("names");

/// How long a name is cached, in milliseconds.
const CACHE_MILLIS: i64 = 60_000;

/// The name that is shown for a player whose name is not known. The space keeps players from
/// choosing it.
const UNKNOWN: &str = "unknown player";

/// Names that could be taken for staff, or for no player in particular.
const RESERVED: [&str; 13] = [
    "admin",
    "administrator",
    "bank",
    "bot",
    "croupier",
    "dealer",
    "guest",
    "house",
    "moderator",
    "operator",
    "somebody",
    "support",
    "system",
];

/// Returns the id of the player with this name, if there is one.
pub(crate) async fn find(state: &AppState, name: &str) -> Result<Option<String>, Problem> {
    if !is_valid(name) {
        return Ok(None);
    }
    let taken = NAMES.get(state.store(), &name.to_ascii_lowercase()).await?;
    Ok(taken.map(|taken| taken.owner))
}

/// Returns a player's name, as other players see it.
pub(crate) async fn of_player(state: &AppState, player: &str) -> Arc<str> {
    if let Some(name) = bots::name_of(player) {
        return name.into();
    }
    let now = state.now();
    if let Some((name, at)) = state.names.get(player)
        && now.as_millis() - at.as_millis() < CACHE_MILLIS
    {
        return name;
    }
    let name: Arc<str> = match profile::find(state, player).await {
        Ok((_, profile)) => profile.name.into(),
        Err(problem) if problem.code == Code::NoSuchPlayer.name() => UNKNOWN.into(),
        // The database is gone, not the player: use the last known name, and don't cache it.
        Err(_) => return state.names.get(player).map_or(UNKNOWN.into(), |(name, _)| name),
    };
    state.names.insert(player.to_owned(), (Arc::clone(&name), now));
    name
}

/// Returns whether a name has a valid form. All its characters are ASCII, so its length in bytes is
/// its length in characters, which the API description limits too.
pub(crate) fn is_valid(name: &str) -> bool {
    let fit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (2..=24).contains(&name.len())
        && name.bytes().all(fit)
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// Checks that a player may choose this name.
pub(crate) fn check(name: &str) -> Result<(), Problem> {
    if !is_valid(name) {
        let detail = "a name has 2 to 24 letters, digits, - and _, and starts with a letter";
        return Err(Problem::new(Code::BadName, detail));
    }
    let plain: String =
        name.to_ascii_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let stem = plain.trim_end_matches(|last: char| last.is_ascii_digit());
    // A name that looks like an id would be mistaken for the owner of that id.
    let is_id = ["p-", "bot-"].iter().any(|id| name.to_ascii_lowercase().starts_with(id));
    if RESERVED.contains(&stem) || bots::has_name(stem) || plain.starts_with("guest") || is_id {
        return Err(Code::NameTaken.into());
    }
    Ok(())
}

/// Takes a name for a player, who may have it already from an attempt that got no further.
pub(crate) async fn take(state: &AppState, name: &str, player: &str) -> Result<(), Problem> {
    let taken = Document::plain(name.to_ascii_lowercase(), state.now(), name).owned_by(player);
    match NAMES.put(state.store(), taken).await {
        Ok(_) => Ok(()),
        Err(StoreError::Taken) if find(state, name).await?.as_deref() == Some(player) => Ok(()),
        Err(StoreError::Taken) => Err(Code::NameTaken.into()),
        Err(error) => Err(error.into()),
    }
}

/// Gives a player a name, along with another change of the profile, and releases the name that the
/// player had.
pub(super) async fn change(
    state: &AppState,
    name: &str,
    player: &str,
    also: impl Fn(&mut Profile) -> Result<(), Problem>,
) -> Result<(), Problem> {
    take(state, name, player).await?;
    let former = Mutex::new(String::new());
    let changed = profile::change(state, player, |profile| {
        also(profile)?;
        let replaced = std::mem::replace(&mut profile.name, name.to_owned());
        *former.lock().unwrap_or_else(PoisonError::into_inner) = replaced;
        Ok(())
    });
    if let Err(problem) = changed.await {
        // The change may have been made after all, or may still be.
        if problem.code != Code::OutcomeUnknown.name() {
            release(state, name, player).await;
        }
        return Err(problem);
    }
    let former = former.into_inner().unwrap_or_else(PoisonError::into_inner);
    release(state, &former, player).await;
    state.names.remove(player);
    Ok(())
}

/// Releases a name that a player has taken, unless it is the name in the player's profile: another
/// request may have put it there. A name that cannot be released now goes when the player does.
async fn release(state: &AppState, name: &str, player: &str) {
    if let Ok((_, profile)) = profile::find(state, player).await
        && !profile.name.eq_ignore_ascii_case(name)
        && let Ok(Some(owner)) = find(state, name).await
        && owner == player
    {
        let released = NAMES.delete(state.store(), &name.to_ascii_lowercase()).await;
        if let Err(error) = released {
            tracing::warn!(%error, "a name could not be released");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn names_that_would_deceive_cannot_be_taken() {
        let shapes = ["a", "1ann", "ann lee", "anń", "", "abcdefghijklmnopqrstuvwxy"];
        let people = ["Operator", "Admin-1", "guest-77", "Some-Body", "A_d_a", "sonja2"];
        let ids = ["p-7f3k2m9x4t8r2w5y", "P-7F3K2M9X4T8R2W5Y", "bot-0-k7m2xq4w9p3c"];
        for bad in shapes.iter().chain(&people).chain(&ids) {
            assert!(check(bad).is_err(), "{bad}");
        }
        for good in ["the", "Ann_Lee-7", "pat", "botany"] {
            assert!(check(good).is_ok(), "{good}");
        }
    }
}
