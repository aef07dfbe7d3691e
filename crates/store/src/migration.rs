//! Brings a database to the schema that this program expects.
//!
//! Migrations go forward only, one file each, numbered from 1 without gaps. A database records the
//! ones it has had, in a table that is created first:
//!
//! ```sql
//! migrations(version, name, checksum, at)
//! ```
//!
//! The checksum shows whether a file was edited after a database had it, which would leave two
//! databases of the same version with different schemas.

use croupier_table::Hash;
use thiserror::Error;

use crate::error::StoreError;

/// A step from one version of a database to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Migration {
    /// The version that it leads to; the first is 1.
    pub(crate) version: i64,
    /// The name of the file, after its number.
    pub(crate) name: &'static str,
    /// The SQL to run.
    pub(crate) sql: &'static str,
    /// The fingerprint of the SQL, in hexadecimal digits.
    pub(crate) checksum: String,
}

impl Migration {
    /// Makes a migration from the text of a file.
    pub(crate) fn new(version: i64, name: &'static str, sql: &'static str) -> Self {
        // Some checkouts use other line endings, which changes nothing in the database.
        let checksum = Hash::of(sql.replace("\r\n", "\n").as_bytes()).to_string();
        Self { version, name, sql, checksum }
    }
}

/// A migration that a database has had: a row of its table `migrations`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Applied {
    pub(crate) version: i64,
    pub(crate) name: String,
    pub(crate) checksum: String,
}

/// Returns the migrations that a database has yet to get, in order.
///
/// `known` has all migrations, and `applied` the rows of the database, both by version.
///
/// # Errors
///
/// When the database is not one that these migrations led to.
pub(crate) fn pending<'a>(
    known: &'a [Migration],
    applied: &[Applied],
) -> Result<&'a [Migration], MigrationError> {
    let newest = known.last().map_or(0, |migration| migration.version);
    if let Some(last) = applied.last()
        && last.version > newest
    {
        return Err(MigrationError::Newer { found: last.version, known: newest });
    }
    for (place, row) in applied.iter().enumerate() {
        match known.get(place) {
            Some(migration) if migration.version == row.version => {
                if migration.checksum != row.checksum || migration.name != row.name {
                    let (version, name) = (row.version, row.name.clone());
                    return Err(MigrationError::Changed { version, name });
                }
            }
            _ => return Err(MigrationError::OutOfOrder { version: row.version }),
        }
    }
    Ok(&known[applied.len()..])
}

/// The reason why a database is not migrated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum MigrationError {
    /// It was made by a newer program.
    #[error(
        "the database has version {found}, but this program knows versions up to {known}: use the \
         program that wrote it, or a newer one"
    )]
    Newer {
        /// The version of the database.
        found: i64,
        /// The newest version that this program knows.
        known: i64,
    },
    /// A migration that it had differs from this program's under the same number.
    #[error(
        "migration {version} ({name}) was changed after it was applied to the database: use a \
         program with the migration as it was"
    )]
    Changed {
        /// The version.
        version: i64,
        /// Its name in the database.
        name: String,
    },
    /// One that came before this one is missing, or this one appears twice.
    #[error(
        "migration {version} was applied to the database without the one before it: restore the \
         table migrations from a backup"
    )]
    OutOfOrder {
        /// The version.
        version: i64,
    },
}

impl From<MigrationError> for StoreError {
    fn from(error: MigrationError) -> Self {
        Self::Unusable(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<Migration> {
        vec![
            Migration::new(1, "begin", "CREATE TABLE a (b TEXT);\n"),
            Migration::new(2, "more", "CREATE TABLE c (d TEXT);\n"),
        ]
    }

    fn applied(migrations: &[Migration]) -> Vec<Applied> {
        let row = |migration: &Migration| Applied {
            version: migration.version,
            name: migration.name.to_owned(),
            checksum: migration.checksum.clone(),
        };
        migrations.iter().map(row).collect()
    }

    #[test]
    fn missing_migrations_are_pending() {
        let known = known();
        for had in 0..=2 {
            assert_eq!(pending(&known, &applied(&known[..had])), Ok(&known[had..]));
        }
    }

    #[test]
    fn a_newer_database_is_refused() {
        let known = known();
        let error = pending(&known[..1], &applied(&known)).unwrap_err();
        assert_eq!(error, MigrationError::Newer { found: 2, known: 1 });
        assert_eq!(
            error.to_string(),
            "the database has version 2, but this program knows versions up to 1: use the program \
             that wrote it, or a newer one"
        );
    }

    #[test]
    fn a_migration_that_changed_after_it_was_applied_is_refused() {
        let known = known();
        let mut rows = applied(&known);
        rows[1].checksum = Hash::of(b"something else").to_string();
        let error = pending(&known, &rows).unwrap_err();
        assert_eq!(error, MigrationError::Changed { version: 2, name: "more".to_owned() });
        assert!(error.to_string().contains("was changed after it was applied"), "{error}");
    }

    #[test]
    fn a_skipped_migration_is_refused() {
        let known = known();
        let error = pending(&known, &applied(&known)[1..]).unwrap_err();
        assert_eq!(error, MigrationError::OutOfOrder { version: 2 });
    }

    #[test]
    fn line_endings_do_not_matter() {
        let (unix, other) = ("SELECT 1;\nSELECT 2;\n", "SELECT 1;\r\nSELECT 2;\r\n");
        let migration = |sql| Migration::new(1, "begin", sql);
        assert_eq!(migration(unix).checksum, migration(other).checksum);
    }
}
