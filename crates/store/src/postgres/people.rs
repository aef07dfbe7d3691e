//! Players in the database.

use super::fault::Fault;
use super::statement::Statement;
use super::{Postgres, rows};
use crate::error::StoreError;
use crate::limits::can_exist;
use crate::people::{People, Player, check_profiles};

// The whole statement sees the row as it was before, whatever the statement writes.
const SET_PROFILE: &str = "WITH written AS (
        UPDATE players SET profile = $3 WHERE name = $1 AND profile = $2 RETURNING 1
    )
    SELECT EXISTS (SELECT 1 FROM written), EXISTS (SELECT 1 FROM players WHERE name = $1)";

impl People for Postgres {
    async fn add_player(&self, player: Player) -> Result<(), StoreError> {
        player.check()?;
        let sql = "INSERT INTO players (name, since, profile) VALUES ($1, $2, $3)";
        let statement = Statement::new(sql).with(&player.name).with(player.since.as_millis());
        match self.session.change_alone(statement.with(&player.profile)).await {
            Ok(_) => Ok(()),
            Err(Fault::Refused(_)) => Err(StoreError::Taken),
            Err(fault) => Err(fault.for_writer()),
        }
    }

    async fn player(&self, name: &str) -> Result<Option<Player>, StoreError> {
        if !can_exist(name) {
            return Ok(None);
        }
        let sql = "SELECT name, since, profile FROM players WHERE name = $1";
        self.ask_one(Statement::new(sql).with(name), rows::player).await
    }

    async fn set_profile(
        &self,
        name: &str,
        expected: &str,
        profile: &str,
    ) -> Result<bool, StoreError> {
        check_profiles(expected, profile)?;
        if !can_exist(name) {
            return Ok(false);
        }
        let statement = Statement::new(SET_PROFILE).with(name).with(expected).with(profile);
        let rows = self.change(statement).await?;
        let Some(row) = rows.first() else { return Ok(false) };
        match (rows::get(row, 0)?, rows::get(row, 1)?) {
            (true, _) => Ok(true),
            (false, true) => Err(StoreError::Conflict),
            (false, false) => Ok(false),
        }
    }

    async fn remove_player(&self, name: &str) -> Result<bool, StoreError> {
        if !can_exist(name) {
            return Ok(false);
        }
        let sql = "DELETE FROM players WHERE name = $1 RETURNING 1";
        Ok(!self.change(Statement::new(sql).with(name)).await?.is_empty())
    }
}
