//! What a store promises, held by every store there is.
//!
//! Another store joins with one line: `conformance!`, with the name of a module and an async
//! function that opens a fresh store. It is told the name of the check.

#[macro_use]
mod kit;
mod on_disk;

use croupier_store::{Memory, Postgres, PostgresOptions, Sqlite, SqliteOptions};
use croupier_testing::Cluster;

conformance!(memory, async |_name: &str| Memory::default());
conformance!(sqlite, async |name: &str| fresh(name));
conformance!(postgres, async |_name: &str| {
    let url = Cluster::shared().fresh_database();
    Postgres::connect(&url, PostgresOptions::default()).await.unwrap()
});

#[expect(clippy::disallowed_methods, reason = "the database of an earlier run is removed")]
fn fresh(name: &str) -> Sqlite {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance").join(name);
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).unwrap();
    Sqlite::open(folder.join("croupier.db"), SqliteOptions::default()).unwrap()
}
