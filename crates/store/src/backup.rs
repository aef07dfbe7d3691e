//! Backups: the contents of a store, in one SQLite file with the usual tables.
//!
//! Whatever the source, it is read row by row in one snapshot, audited on the way, and read back
//! from where it was written. Only then does the file get its name.

mod address;
mod contents;
mod draft;
mod file;
mod server;

use std::path::Path;

use thiserror::Error;

use crate::error::StoreError;
use contents::{Contents, Rows, TABLES, Table, Tally, Value};
use draft::Draft;
use file::File;
use server::Server;

pub(crate) use address::Address;
pub use address::{describe, is_postgres};
pub use contents::Totals;

/// Copies everything that a store holds into a new file.
///
/// The source is the path of an SQLite database, or the address of one in PostgreSQL. Other
/// processes may write to it meanwhile: the copy is a snapshot of the moment at which it began.
/// This reads and writes files, and blocks its thread while it does.
///
/// The file holds the seeds of open rounds, and only its owner may read it.
///
/// # Errors
///
/// When the file already exists, the source cannot be read or is damaged, or there is no space.
/// Nothing is left behind then.
pub async fn backup(source: &str, to: &Path) -> Result<Totals, BackupError> {
    let source = Address::read(source)?;
    let to = address::file(to)?;
    if let Address::File(path) = source {
        file::look(path)?;
    }
    let draft = Draft::new(to)?;
    let target = File::create(draft.path())?;
    let mut contents = Contents::default();
    let mut copy = |place: usize, rows: &Rows| {
        contents.add(place, rows)?;
        target.add(&TABLES[place], rows)
    };
    match source {
        Address::Server(url) => {
            let server = Server::connect(&url).await?;
            server.begin_reading().await?;
            let page = async |table: &Table, after: After<'_>| server.page(table, after).await;
            walk(page, async |place, rows: Rows| copy(place, &rows)).await?;
        }
        Address::File(path) => {
            let file = File::open(path)?;
            file.begin_reading()?;
            walk_file(&file, copy).await?;
        }
    }
    let (totals, tally) = contents.finish()?;
    target.finish()?;
    agree(&tally, &tallied(draft.path()).await?)?;
    draft.publish()?;
    Ok(totals)
}

/// Copies everything that a backup holds into an empty store.
///
/// A backup by an earlier version of this program is migrated on the way. The file itself stays as
/// it is.
///
/// The target is a path that does not exist yet, or the address of a PostgreSQL database whose
/// tables are empty or not created yet.
///
/// # Errors
///
/// When the backup is damaged, with the place of the damage, or when the target is not empty or in
/// use. Nothing has changed then.
pub async fn restore(from: &Path, to: &str) -> Result<Totals, BackupError> {
    let from = address::file(from)?;
    let to = Address::read(to)?;
    file::look(from)?;
    file::check_length(from)?;
    let source = File::open_backup(from)?;
    let mut contents = Contents::default();
    walk_file(&source, |place, rows| contents.add(place, rows)).await?;
    let (totals, tally) = contents.finish()?;
    match to {
        Address::Server(url) => fill_server(&source, &tally, &url).await?,
        Address::File(path) => fill_file(&source, &tally, path).await?,
    }
    Ok(totals)
}

async fn fill_server(source: &File, tally: &Tally, url: &str) -> Result<(), BackupError> {
    let server = Server::connect(url).await?;
    server.begin_filling().await?;
    let page = async |table: &Table, after: After<'_>| source.page(table, after);
    walk(page, async |place: usize, rows: Rows| server.add(&TABLES[place], &rows).await).await?;
    let mut written = Tally::default();
    let page = async |table: &Table, after: After<'_>| server.page(table, after).await;
    let count = async |place, rows: Rows| {
        written.add(place, &rows);
        Ok(())
    };
    walk(page, count).await?;
    agree(tally, &written)?;
    Ok(server.commit().await?)
}

async fn fill_file(source: &File, tally: &Tally, path: &Path) -> Result<(), BackupError> {
    let draft = Draft::new(path)?;
    // No server may take the name meanwhile, and create its own database there.
    let lock = draft::lock(path)?;
    let target = File::create(draft.path())?;
    walk_file(source, |place, rows| target.add(&TABLES[place], rows)).await?;
    target.finish()?;
    agree(tally, &tallied(draft.path()).await?)?;
    draft.publish()?;
    // A leftover log next to it would show now.
    let checked = tallied(path).await.and_then(|written| agree(tally, &written));
    if checked.is_err() {
        draft::withdraw(path);
    }
    drop(lock);
    Ok(checked?)
}

/// The reason why a copy was not made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BackupError {
    /// The given source or target cannot be one.
    #[error("{0}")]
    Usage(String),
    /// The given source or target is in use or in the way.
    #[error("{0}")]
    Refused(String),
    /// A store refuses or fails.
    #[error("{}", message(.0))]
    Store(StoreError),
}

impl From<StoreError> for BackupError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Describes a store's error. An unusable store may not be a store at all; the reason says what it
/// is.
fn message(error: &StoreError) -> String {
    match error {
        StoreError::Unusable(why) => why.clone(),
        error => error.to_string(),
    }
}

/// The values after which the next page begins, unless it is the first.
type After<'a> = Option<&'a [Value]>;

/// Reads all rows of all tables in order, page by page.
async fn walk(
    page: impl AsyncFn(&Table, After<'_>) -> Result<Rows, StoreError>,
    mut each: impl AsyncFnMut(usize, Rows) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    for (place, table) in TABLES.iter().enumerate() {
        let mut after: Option<Vec<Value>> = None;
        loop {
            let rows = page(table, after.as_deref()).await?;
            let Some(last) = rows.last() else { break };
            after = Some(last[..table.key].to_vec());
            each(place, rows).await?;
        }
    }
    Ok(())
}

async fn walk_file(
    file: &File,
    mut each: impl FnMut(usize, &Rows) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let page = async |table: &Table, after: After<'_>| file.page(table, after);
    walk(page, async |place, rows: Rows| each(place, &rows)).await
}

async fn tallied(path: &Path) -> Result<Tally, StoreError> {
    let file = File::open(path)?;
    let mut tally = Tally::default();
    let count = |place, rows: &Rows| {
        tally.add(place, rows);
        Ok(())
    };
    walk_file(&file, count).await?;
    Ok(tally)
}

fn agree(read: &Tally, written: &Tally) -> Result<(), StoreError> {
    if read == written {
        return Ok(());
    }
    let why = "the data written differs from the data read: check the disk and the memory";
    Err(StoreError::Damaged(why.to_owned()))
}
