//! What a store promises, held by every store there is.
//!
//! Another store joins with one line: `conformance!`, with the name of a module and an async
//! function that opens a fresh store. It is told the name of the check.

#[macro_use]
mod kit;
mod on_disk;

use std::path::PathBuf;

use croupier_store::{Database, Memory};
use croupier_testing::Cluster;

// Each is asked through the database that hides which it is, as the server asks it: every check is
// compiled once then.
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

/// Returns the path of a database that is not there.
#[expect(clippy::disallowed_methods, reason = "the database of an earlier run is removed")]
fn fresh(name: &str) -> PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance").join(name);
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join("croupier.db")
}

#[tokio::test]
async fn what_is_no_address_is_no_database() {
    for address in ["", "mysql://ann:SECRET@host/db", "postgres://ann:SECRET@SECRET@host/db"] {
        let error = Database::open(address).await.unwrap_err().to_string();
        assert!(error.starts_with("the store cannot be used") && !error.contains("SECRET"));
    }
}
