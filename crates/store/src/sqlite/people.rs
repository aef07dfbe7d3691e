//! Players in the database.

use rusqlite::Connection;

use super::Sqlite;
use super::fault::Fault;
use super::rows::{change, one, time_at};
use crate::error::StoreError;
use crate::people::{People, Player, check_profiles};

impl People for Sqlite {
    async fn add_player(&self, player: Player) -> Result<(), StoreError> {
        player.check()?;
        self.write(move |connection| add_player(connection, &player)).await
    }

    async fn player(&self, name: &str) -> Result<Option<Player>, StoreError> {
        let name = name.to_owned();
        self.read(move |connection| player(connection, &name)).await
    }

    async fn set_profile(
        &self,
        name: &str,
        expected: &str,
        profile: &str,
    ) -> Result<bool, StoreError> {
        check_profiles(expected, profile)?;
        let (name, expected, profile) = (name.to_owned(), expected.to_owned(), profile.to_owned());
        self.write(move |connection| set_profile(connection, &name, &expected, &profile)).await
    }

    async fn remove_player(&self, name: &str) -> Result<bool, StoreError> {
        let name = name.to_owned();
        self.write(move |connection| remove_player(connection, &name)).await
    }
}

/// Adds a player.
fn add_player(connection: &Connection, player: &Player) -> Result<(), Fault> {
    let Player { name, since, profile } = player;
    let is_new = change(
        connection,
        "INSERT INTO players (name, since, profile) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        (name, since.as_millis(), profile),
    )?;
    if is_new { Ok(()) } else { Err(StoreError::Taken.into()) }
}

/// Returns a player.
fn player(connection: &Connection, name: &str) -> Result<Option<Player>, Fault> {
    let sql = "SELECT name, since, profile FROM players WHERE name = ?1";
    one(connection, sql, [name], |row| {
        Ok(Player { name: row.get(0)?, since: time_at(row, 1)?, profile: row.get(2)? })
    })
}

/// Replaces a player's profile, if the current one is as expected.
fn set_profile(
    connection: &Connection,
    name: &str,
    expected: &str,
    profile: &str,
) -> Result<bool, Fault> {
    match player(connection, name)? {
        None => Ok(false),
        Some(player) if player.profile != expected => Err(StoreError::Conflict.into()),
        Some(_) => {
            change(connection, "UPDATE players SET profile = ?2 WHERE name = ?1", (name, profile))
        }
    }
}

/// Removes a player.
fn remove_player(connection: &Connection, name: &str) -> Result<bool, Fault> {
    change(connection, "DELETE FROM players WHERE name = ?1", [name])
}
