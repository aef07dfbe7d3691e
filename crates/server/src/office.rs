//! What is done to the database itself, beside a server or without one: the first operator, lost
//! passwords, bans.
//!
//! It touches papers and profiles only, which a server reads whenever it needs them; what a server
//! remembers of sessions it forgets when it notices that another process has written.

use std::net::{IpAddr, Ipv4Addr};

use croupier_store::{Database, Store};
use serde_json::json;

use crate::chance;
use crate::config::Config;
use crate::problem::{Code, Problem};
use crate::room::Room;
use crate::session::{self, Kind};
use crate::{attempts, login, people};

/// The address that this is asked from: the machine itself.
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Somebody with the keys to the database.
pub struct Office(Room);

impl std::fmt::Debug for Office {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Office")
    }
}

impl Office {
    /// Opens the office of a database.
    ///
    /// # Errors
    ///
    /// When the database cannot be used.
    pub async fn open(store: Database) -> Result<Self, Problem> {
        Ok(Self(Room::new(store, Config::default()).await?))
    }

    /// Makes up a password that nobody can guess.
    pub fn made_up_password() -> String {
        let part = chance::name::<5>;
        format!("{}-{}-{}-{}", part(), part(), part(), part())
    }

    /// Adds an operator.
    ///
    /// # Errors
    ///
    /// When the name is taken or not fit, or the password is not.
    pub async fn add_operator(&self, name: &str, password: &str) -> Result<(), Problem> {
        let room = &self.0;
        people::check_name(name)?;
        room.passwords.check(HERE, password, name).await?;
        let hash = room.passwords.hash(HERE, password).await?;
        let player = format!("p-{}", chance::name::<16>());
        people::take_name(room, name, &player).await?;
        people::add(room, &player, name, Kind::Operator, Some(hash)).await?;
        room.note("operator-added", &player, json!({ "name": name, "by": "admin" })).await;
        Ok(())
    }

    /// Gives somebody another password, and ends his sessions.
    ///
    /// # Errors
    ///
    /// When there is nobody of this name, or the password is not fit.
    pub async fn set_password(&self, name: &str, password: &str) -> Result<(), Problem> {
        let player = self.find(name).await?;
        self.0.passwords.check(HERE, password, name).await?;
        login::set_password(&self.0, HERE, &player, password).await?;
        let (_, profile) = people::find(&self.0, &player).await?;
        attempts::forgive(&self.0, &profile.name, &player).await?;
        self.0.note("password-reset", &player, json!({ "name": name, "by": "admin" })).await;
        Ok(())
    }

    /// Bans somebody, for a reason, or lets him play again.
    ///
    /// # Errors
    ///
    /// When there is nobody of this name.
    pub async fn ban(&self, name: &str, reason: Option<&str>) -> Result<(), Problem> {
        let player = self.find(name).await?;
        people::change(&self.0, &player, |profile| {
            profile.banned = reason.map(str::to_owned);
            Ok(())
        })
        .await?;
        session::end_all(&self.0, &player).await?;
        let kind = if reason.is_some() { "player-banned" } else { "player-unbanned" };
        let what = json!({ "player": player, "reason": reason, "by": "admin" });
        self.0.note(kind, &player, what).await;
        Ok(())
    }

    /// Finds somebody by his name or his id.
    async fn find(&self, name: &str) -> Result<String, Problem> {
        if let Some(found) = self.0.store().player(name).await? {
            return Ok(found.name);
        }
        Ok(people::named(&self.0, name).await?.ok_or(Code::NoSuchPlayer)?)
    }
}
