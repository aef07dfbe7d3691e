//! Migrates a PostgreSQL database.

use deadpool_postgres::ClientWrapper;
use tokio_postgres::{Error, GenericClient};

use super::fault::Fault;
use super::rows;
use crate::error::StoreError;
use crate::migration::{Applied, Migration, pending};

/// The lock of a migrating transaction, so that two programs that start at once migrate one after
/// the other. The number is arbitrary, as long as no other program uses it.
const LOCK: &str = "SELECT pg_advisory_xact_lock(7238164509)";

const NOTES: &str = "CREATE TABLE IF NOT EXISTS migrations (
    version BIGINT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    at BIGINT NOT NULL
)";

const NOTE: &str = "INSERT INTO migrations (version, name, checksum, at)
    VALUES ($1, $2, $3, (extract(epoch FROM now()) * 1000)::bigint)";

/// Returns all migrations.
fn known() -> Vec<Migration> {
    vec![
        Migration::new(1, "begin", include_str!("../../migrations/postgres/0001_begin.sql")),
        Migration::new(2, "papers", include_str!("../../migrations/postgres/0002_papers.sql")),
        Migration::new(3, "changes", include_str!("../../migrations/postgres/0003_changes.sql")),
    ]
}

/// Applies a database's missing migrations, all in one transaction.
pub(super) async fn migrate(client: &mut ClientWrapper) -> Result<(), StoreError> {
    let said = |error: Error| Fault::of(&error).for_reader();
    let transaction = client.transaction().await.map_err(said)?;
    transaction.batch_execute(LOCK).await.map_err(said)?;
    transaction.batch_execute(NOTES).await.map_err(said)?;
    let known = known();
    for migration in pending(&known, &applied(&*transaction).await?)? {
        transaction.batch_execute(migration.sql).await.map_err(said)?;
        let Migration { version, name, checksum, .. } = migration;
        transaction.execute(NOTE, &[version, name, checksum]).await.map_err(said)?;
    }
    transaction.commit().await.map_err(said)
}

/// Checks that a database belongs to this program, and is up to date.
///
/// # Errors
///
/// A description of the database that was found instead.
pub(crate) async fn check(client: &impl GenericClient) -> Result<(), StoreError> {
    let row = client.query_one("SELECT to_regclass('migrations') IS NOT NULL", &[]).await;
    let row = row.map_err(|error| Fault::of(&error).for_reader())?;
    if !rows::get::<bool>(&row, 0)? {
        return Err(StoreError::Unusable("it is not a croupier database".to_owned()));
    }
    match pending(&known(), &applied(client).await?)? {
        [] => Ok(()),
        [next, ..] => Err(StoreError::Unusable(format!(
            "the database lacks migration {}: start the server on it once",
            next.version
        ))),
    }
}

async fn applied(client: &impl GenericClient) -> Result<Vec<Applied>, StoreError> {
    let sql = "SELECT version, name, checksum FROM migrations ORDER BY version";
    let rows = client.query(sql, &[]).await.map_err(|error| Fault::of(&error).for_reader())?;
    let read = |row| {
        let (version, name, checksum) =
            (rows::get(row, 0)?, rows::get(row, 1)?, rows::get(row, 2)?);
        Ok(Applied { version, name, checksum })
    };
    rows.iter().map(read).collect()
}
