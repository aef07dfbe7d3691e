//! How a database comes to have the tables that this program expects.
//!
//! Migrations go forward only, one file each, numbered from 1 without gaps. A database notes which
//! it has had, in a table that it makes itself if there is none:
//!
//! ```sql
//! migrations(version, name, checksum, at)
//! ```
//!
//! The checksum is what tells that a file was edited after some database had it, which would leave
//! two databases of the same version that are not the same.

use std::error::Error;
use std::fmt;

use croupier_table::Hash;

use crate::store::StoreError;

/// A step from one version of a database to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Migration {
    /// The version that it leads to; the first is 1.
    pub(crate) version: i64,
    /// What the file is called, after its number.
    pub(crate) name: &'static str,
    /// What is to be run.
    pub(crate) sql: &'static str,
    /// The fingerprint of that, in hexadecimal digits.
    pub(crate) checksum: String,
}

impl Migration {
    /// Takes the text of a file for a migration.
    pub(crate) fn new(version: i64, name: &'static str, sql: &'static str) -> Self {
        // Some checkouts end lines in another way, and that changes nothing in the database.
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

/// Returns the migrations that a database has still to be given, in order.
///
/// `known` has all that there are, and `applied` the rows of the database, both by version.
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

/// Why a database is not brought up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MigrationError {
    /// It was made by a newer program.
    Newer {
        /// The version of the database.
        found: i64,
        /// The newest version that this program knows.
        known: i64,
    },
    /// What it was given is not what this program has under the same number.
    Changed {
        /// The version.
        version: i64,
        /// What it was called in the database.
        name: String,
    },
    /// One that came before this one is missing, or this one is there twice.
    OutOfOrder {
        /// The version.
        version: i64,
    },
}

impl fmt::Display for MigrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newer { found, known } => write!(
                f,
                "the database has version {found}, and this program knows versions up to {known}: \
                 use the program that wrote it, or a newer one"
            ),
            Self::Changed { version, name } => write!(
                f,
                "migration {version} ({name}) was changed after it was applied to the database: \
                 use a program with the migration as it was"
            ),
            Self::OutOfOrder { version } => write!(
                f,
                "migration {version} was applied to the database without the one before it: \
                 restore the table migrations from a backup"
            ),
        }
    }
}

impl Error for MigrationError {}

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
    fn what_is_not_there_yet_is_to_be_applied() {
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
            "the database has version 2, and this program knows versions up to 1: use the program \
             that wrote it, or a newer one"
        );
    }

    #[test]
    fn a_migration_is_never_changed_once_it_was_applied() {
        let known = known();
        let mut rows = applied(&known);
        rows[1].checksum = Hash::of(b"something else").to_string();
        let error = pending(&known, &rows).unwrap_err();
        assert_eq!(error, MigrationError::Changed { version: 2, name: "more".to_owned() });
        assert!(error.to_string().contains("was changed after it was applied"), "{error}");
    }

    #[test]
    fn no_migration_is_left_out() {
        let known = known();
        let error = pending(&known, &applied(&known)[1..]).unwrap_err();
        assert_eq!(error, MigrationError::OutOfOrder { version: 2 });
    }

    #[test]
    fn how_lines_end_does_not_matter() {
        let (unix, other) = ("SELECT 1;\nSELECT 2;\n", "SELECT 1;\r\nSELECT 2;\r\n");
        let migration = |sql| Migration::new(1, "begin", sql);
        assert_eq!(migration(unix).checksum, migration(other).checksum);
    }
}
