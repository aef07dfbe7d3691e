//! Registered players.

use std::future::Future;

use croupier_table::Time;

use crate::error::StoreError;
use crate::limits::{check_name, check_text};

/// A store of registered players.
pub trait People: Send + Sync + 'static {
    /// Adds a player.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`], when a player has this name.
    fn add_player(&self, player: Player) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Returns a player.
    fn player(&self, name: &str)
    -> impl Future<Output = Result<Option<Player>, StoreError>> + Send;

    /// Replaces a player's profile if the current one is as expected, and returns whether the
    /// player exists.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`], when the current profile is a different one.
    fn set_profile(
        &self,
        name: &str,
        expected: &str,
        profile: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Removes a player, and returns whether there was one.
    ///
    /// Nothing else is removed: journals, money and rounds keep the player's name, and so do their
    /// documents.
    fn remove_player(&self, name: &str) -> impl Future<Output = Result<bool, StoreError>> + Send;
}

/// A registered player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The player's name, which is also that of their account.
    pub name: String,
    /// When the player was added.
    pub since: Time,
    /// Other data about the player, as JSON.
    pub profile: String,
}

impl Player {
    /// Checks that this can be stored at all.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], with the problem.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        check_name("a player's name", &self.name)?;
        check_text("a profile", &self.profile)
    }
}

/// Checks a player's new profile, and the expected one.
///
/// # Errors
///
/// [`StoreError::Unusable`], with the problem.
pub(crate) fn check_profiles(expected: &str, profile: &str) -> Result<(), StoreError> {
    check_text("a profile", expected)?;
    check_text("a profile", profile)
}
