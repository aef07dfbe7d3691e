//! The promises of a store, checked for every store.
//!
//! Another store joins with one line: `conformance!`, with the name of a module and an async
//! function that opens a fresh store. It gets the name of the check.

#[macro_use]
mod kit;
mod on_disk;

use std::path::PathBuf;

use croupier_store::{Database, Memory};
use croupier_testing::Cluster;

// Each is wrapped in the database type that hides its kind, as in the server: so every check is
// compiled once.
conformance!(memory, async |_name: &str| Database::from(Memory::default()));
conformance!(sqlite, async |name: &str| {
    let database = Database::open(fresh(name).to_str().unwrap()).await.unwrap();
    assert!(!database.is_shared() && matches!(database, Database::Sqlite(_)));
    database
});
conformance!(postgres, async |_name: &str| {
    let database = Database::open(&Cluster::shared().fresh_database()).await.unwrap();
    assert!(database.is_shared() && matches!(database, Database::Postgres(_)));
    database
});

/// Returns the path of a database that does not exist.
#[expect(clippy::disallowed_methods, reason = "the database of an earlier run is removed")]
fn fresh(name: &str) -> PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance").join(name);
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join("croupier.db")
}

#[tokio::test]
async fn an_invalid_address_is_refused() {
    for address in ["", "mysql://ann:SECRET@host/db", "postgres://ann:SECRET@SECRET@host/db"] {
        let error = Database::open(address).await.unwrap_err().to_string();
        assert!(error.starts_with("the store cannot be used") && !error.contains("SECRET"));
    }
}
