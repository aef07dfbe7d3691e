//! Administration directly on the database, next to a running server or without one: the first
//! operator, lost passwords, bans.
//!
//! It writes only documents and profiles, which a server reads whenever it needs them. A server
//! drops its session cache when it notices that another process has written.

use std::net::{IpAddr, Ipv4Addr};

use croupier_store::{Database, People};
use serde_json::json;

use crate::config::Config;
use crate::http::problem::{Code, Problem};
use crate::people::session::{self, PlayerKind};
use crate::people::{attempts, login, names, profile};
use crate::random;
use crate::state::AppState;

/// The address that administration counts as: the machine itself.
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Administrative access to a database.
pub struct Admin(AppState);

impl std::fmt::Debug for Admin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Admin")
    }
}

impl Admin {
    /// Opens a database for administration.
    ///
    /// # Errors
    ///
    /// When the database cannot be used.
    pub async fn open(store: Database) -> Result<Self, Problem> {
        Ok(Self(AppState::new(store, Config::default()).await?))
    }

    /// Generates a password that cannot be guessed.
    pub fn generated_password() -> String {
        let part = random::name::<5>;
        format!("{}-{}-{}-{}", part(), part(), part(), part())
    }

    /// Adds an operator.
    ///
    /// # Errors
    ///
    /// When the name is taken or invalid, or the password is invalid.
    pub async fn add_operator(&self, name: &str, password: &str) -> Result<(), Problem> {
        let state = &self.0;
        names::check(name)?;
        state.passwords.check(HERE, password, name).await?;
        let hash = state.passwords.hash(HERE, password).await?;
        let player = format!("p-{}", random::name::<16>());
        names::take(state, name, &player).await?;
        profile::add(state, &player, name, PlayerKind::Operator, Some(hash)).await?;
        state
            .record_incident("operator-added", &player, json!({ "name": name, "by": "admin" }))
            .await;
        Ok(())
    }

    /// Sets a new password for a player, and ends their sessions.
    ///
    /// # Errors
    ///
    /// When there is no such player, or the password is invalid.
    pub async fn set_password(&self, name: &str, password: &str) -> Result<(), Problem> {
        let player = self.find(name).await?;
        self.0.passwords.check(HERE, password, name).await?;
        login::set_password(&self.0, HERE, &player, password).await?;
        let (_, profile) = profile::find(&self.0, &player).await?;
        attempts::forgive(&self.0, &profile.name, &player).await?;
        self.0
            .record_incident("password-reset", &player, json!({ "name": name, "by": "admin" }))
            .await;
        Ok(())
    }

    /// Bans a player for a reason, or lifts the ban if there is no reason.
    ///
    /// # Errors
    ///
    /// When there is no such player.
    pub async fn ban(&self, name: &str, reason: Option<&str>) -> Result<(), Problem> {
        let player = self.find(name).await?;
        profile::change(&self.0, &player, |profile| {
            profile.banned = reason.map(str::to_owned);
            Ok(())
        })
        .await?;
        session::end_all(&self.0, &player).await?;
        let kind = if reason.is_some() { "player-banned" } else { "player-unbanned" };
        let what = json!({ "player": player, "reason": reason, "by": "admin" });
        self.0.record_incident(kind, &player, what).await;
        Ok(())
    }

    /// Finds a player by name or id.
    async fn find(&self, name: &str) -> Result<String, Problem> {
        if let Some(found) = self.0.store().player(name).await? {
            return Ok(found.name);
        }
        Ok(names::find(&self.0, name).await?.ok_or(Code::NoSuchPlayer)?)
    }
}
