//! Players as the store keeps them, with their profiles.

use croupier_store::{People, Player, StoreError};
use croupier_table::Time;
use serde::{Deserialize, Serialize};

use crate::http::problem::{Code, Problem};
use crate::people::session::PlayerKind;
use crate::state::AppState;

/// A player's profile, as the store keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Profile {
    pub(crate) name: String,
    pub(crate) kind: PlayerKind,
    /// The hash of the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) password: Option<String>,
    /// Why the player is banned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) banned: Option<String>,
    /// How many times the player was given chips, and when in the last hour.
    #[serde(default)]
    pub(crate) given: u64,
    #[serde(default)]
    pub(crate) given_at: Vec<Time>,
    /// When the player took another name, in the last hour.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) renamed_at: Vec<Time>,
    /// The time of the last login, and of the one before.
    #[serde(default)]
    pub(crate) logged_in: Option<Time>,
    #[serde(default)]
    pub(crate) logged_in_before: Option<Time>,
}

impl Profile {
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }
}

/// Returns a player as the store has them, with the profile.
pub(crate) async fn find(state: &AppState, player: &str) -> Result<(Player, Profile), Problem> {
    let found = state.store().player(player).await?.ok_or(Code::NoSuchPlayer)?;
    let profile = serde_json::from_str(&found.profile).map_err(|error| {
        tracing::error!(%error, player, "a profile cannot be read");
        Problem::from(Code::Internal)
    })?;
    Ok((found, profile))
}

/// Changes a player's profile, unless another request just did.
pub(crate) async fn change(
    state: &AppState,
    player: &str,
    change: impl Fn(&mut Profile) -> Result<(), Problem>,
) -> Result<Profile, Problem> {
    for _ in 0..8 {
        let (found, mut profile) = find(state, player).await?;
        change(&mut profile)?;
        match state.store().set_profile(player, &found.profile, &profile.text()).await {
            Err(StoreError::Conflict) => {}
            Err(error) => return Err(error.into()),
            Ok(false) => return Err(Code::NoSuchPlayer.into()),
            Ok(true) => return Ok(profile),
        }
    }
    Err(Problem::from(Code::Busy).retry_after(1))
}

/// Adds a player.
pub(crate) async fn add(
    state: &AppState,
    player: &str,
    name: &str,
    kind: PlayerKind,
    password: Option<String>,
) -> Result<(), Problem> {
    let since = state.now();
    let profile = Profile {
        name: name.to_owned(),
        kind,
        password,
        banned: None,
        given: 1,
        given_at: vec![since],
        renamed_at: Vec::new(),
        logged_in: Some(since),
        logged_in_before: None,
    };
    let added = Player { name: player.to_owned(), since, profile: profile.text() };
    Ok(state.store().add_player(added).await?)
}
