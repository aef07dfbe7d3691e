//! Addresses of databases and paths of files, and messages about them: never with a password.

use std::path::Path;

use super::BackupError;
use crate::error::StoreError;
use crate::postgres;

/// The form of an address.
const FORM: &str = "write postgres://user:password@host:5432/database";

/// The options of an address that the driver knows; a list of settings begins with one of them.
const OPTIONS: [&str; 19] = [
    "user",
    "password",
    "dbname",
    "options",
    "application_name",
    "sslmode",
    "sslnegotiation",
    "host",
    "hostaddr",
    "port",
    "connect_timeout",
    "tcp_user_timeout",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "target_session_attrs",
    "channel_binding",
    "load_balance_hosts",
];

/// The address of a store.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Address<'a> {
    /// In this file.
    File(&'a Path),
    /// In PostgreSQL, at this address or with these settings.
    Server(String),
}

impl<'a> Address<'a> {
    /// Parses an address. Error messages leave it out, because it may contain a password.
    pub(crate) fn read(text: &'a str) -> Result<Self, BackupError> {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            let why = "no database is given: write the path of an SQLite file, or a postgres:// \
                       address";
            return Err(BackupError::Usage(why.to_owned()));
        }
        if is_settings(trimmed) {
            return server(trimmed.to_owned());
        }
        let Some((scheme, rest)) = trimmed.split_once("://") else {
            return file(Path::new(text)).map(Self::File);
        };
        match scheme.to_ascii_lowercase().as_str() {
            "postgres" | "postgresql" => {
                check(rest)?;
                server(format!("postgres://{rest}"))
            }
            "sqlite" | "file" => Err(BackupError::Usage(
                "for an SQLite database, write the path alone, without anything before it"
                    .to_owned(),
            )),
            _ => Err(BackupError::Usage(format!(
                "the database is the path of an SQLite file, or a PostgreSQL address; this is an \
                 address of another kind: {FORM}"
            ))),
        }
    }

    /// Describes the database.
    pub(super) fn describe(&self) -> Result<String, BackupError> {
        match self {
            Self::File(path) => Ok(path.display().to_string()),
            Self::Server(url) => Ok(postgres::place(&postgres::config(url)?)),
        }
    }
}

/// Returns whether an address is that of a PostgreSQL database, not a path.
pub fn is_postgres(address: &str) -> bool {
    matches!(Address::read(address), Ok(Address::Server(_)))
}

/// Describes the database at an address, without the password.
///
/// # Errors
///
/// When it is neither an address nor a path.
pub fn describe(address: &str) -> Result<String, BackupError> {
    Address::read(address)?.describe()
}

/// Checks that a path can be one.
pub(super) fn file(path: &Path) -> Result<&Path, BackupError> {
    let wrong = |why: &str| Err(BackupError::Usage(why.to_owned()));
    match path.to_str() {
        Some("") => wrong("no file is given"),
        Some("-") => wrong("- has no meaning here: name a file"),
        Some(text) if text.contains("://") || is_settings(text) => {
            wrong("a backup is a file, and this is an address: give it with --db")
        }
        _ => Ok(path),
    }
}

/// Checks that the driver can parse an address.
fn server<'a>(url: String) -> Result<Address<'a>, BackupError> {
    match postgres::config(&url) {
        Ok(_) => Ok(Address::Server(url)),
        Err(StoreError::Unusable(why)) => Err(BackupError::Usage(why)),
        Err(error) => Err(error.into()),
    }
}

/// Returns whether this is a list of settings, as in `host=db dbname=croupier`.
fn is_settings(text: &str) -> bool {
    let first = text.trim_start().split_once('=');
    first.is_some_and(|(name, _)| OPTIONS.contains(&name.trim_end()))
}

/// Rejects parts that would be taken for something else, and printed or left out.
fn check(rest: &str) -> Result<(), BackupError> {
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (front, back) = rest.split_at(end);
    if back.contains('@') || front.matches('@').count() > 1 {
        return Err(BackupError::Usage(format!(
            "the address of the database has one @ too many: {FORM}, and within a name or a \
             password %40 for @, %2F for / and %3F for ?"
        )));
    }
    let options = back.split_once('?').map_or("", |(_, options)| options);
    for option in options.split('&').filter(|option| !option.is_empty()) {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        if !OPTIONS.contains(&name) {
            return Err(BackupError::Usage(format!(
                "the address of the database has the unknown option {name}"
            )));
        }
        if name == "sslmode" && (value == "require" || value.starts_with("verify")) {
            return Err(BackupError::Usage(format!(
                "the address of the database has the option {name}={value}, but this program does \
                 not support TLS: use a local socket, a private network or a tunnel"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Address::read(text).expect_err("it is refused").to_string()
    }

    #[test]
    fn paths_and_addresses_are_told_apart() {
        for path in ["croupier.db", "/var/lib/croupier.db", "a=b.db", "postgres.db"] {
            assert_eq!(Address::read(path), Ok(Address::File(Path::new(path))), "{path}");
            assert!(!is_postgres(path), "{path}");
        }
        for address in ["postgres://a@h/d", "PostgreSQL://a@h/d", "host=h user=a dbname=d"] {
            assert!(is_postgres(address), "{address}");
            assert_eq!(describe(address).as_deref(), Ok("the database d at h:5432"));
        }
    }

    #[test]
    fn a_password_is_never_repeated() {
        for address in [
            "postgres://ann:SECRET@SECRET@host/db",
            "POSTGRES://ann:SECRET@SECRET@host/db",
            "postgres://ann:1/SECRET@host/db",
            "postgres://ann:1?SECRET@host/db",
            "mysql://ann:SECRET@host/db",
            "ann:SECRET://host/db",
            "sqlite://ann:SECRET@host/db",
            "postgres://ann:SECRET@host/db?colour=SECRET",
        ] {
            let said = refused(address);
            assert!(!said.contains("SECRET"), "{address}: {said}");
            let said = file(Path::new(address)).expect_err("no file").to_string();
            assert!(!said.contains("SECRET"), "{address}: {said}");
        }
        let url = "postgres://ann:SECRET%40SECRET@host/db";
        assert_eq!(describe(url).as_deref(), Ok("the database db at host:5432"));
    }

    #[test]
    fn errors_name_the_problem() {
        for (address, wanted) in [
            ("", "no database is given"),
            ("  ", "no database is given"),
            ("-", "name a file"),
            ("mysql://a@h/d", "an address of another kind"),
            ("sqlite://croupier.db", "the path alone"),
            ("postgres://a:b@c@h/d", "%40 for @"),
            ("postgres://h/d", "has no user"),
            ("host=h dbname=d", "has no user"),
            ("postgres://a@h/d?colour=red", "the unknown option colour"),
            ("postgres://a@h/d?sslmode=require", "sslmode=require, but this program does not"),
            ("postgres://a@h/d?port=1&sslmode=verify-full", "sslmode=verify-full"),
        ] {
            let said = refused(address);
            assert!(said.contains(wanted), "{address}: {said}");
        }
    }
}
