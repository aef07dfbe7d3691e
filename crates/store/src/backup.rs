//! Backups: all that a store holds, in one SQLite file with the tables of any other.
//!
//! Whatever the source, it is read row by row from one moment, audited on the way, and read again
//! where it was written to. Only then does the file get its name.

mod address;
mod contents;
mod draft;
mod file;
mod server;

use std::error::Error;
use std::fmt;
use std::path::Path;

use crate::store::StoreError;
use contents::{Contents, Rows, TABLES, Table, Tally, Value};
use draft::Draft;
use file::File;
use server::Server;

pub(crate) use address::Address;
pub use address::{describe, is_postgres};
pub use contents::Totals;

/// Copies everything that a store holds into a new file.
///
/// The source is the path of an SQLite database, or the address of one in PostgreSQL. Others may
/// write to it meanwhile: the copy is of the moment at which it began. It reads and writes files,
/// and blocks its thread while it does.
///
/// The file holds the seeds of open rounds, and only its owner may read it.
///
/// # Errors
///
/// When the file is there already, the source cannot be read or is damaged, or there is no room.
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

/// Copies everything that a backup holds into a store that holds nothing.
///
/// A backup by an earlier version of this program is brought forward on the way. The file itself
/// stays as it is.
///
/// The target is a path where nothing is yet, or the address of a PostgreSQL database whose tables
/// are empty or not made yet.
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
    // No server takes the name meanwhile, and makes a database of its own there.
    let lock = draft::lock(path)?;
    let target = File::create(draft.path())?;
    walk_file(source, |place, rows| target.add(&TABLES[place], rows)).await?;
    target.finish()?;
    agree(tally, &tallied(draft.path()).await?)?;
    draft.publish()?;
    // A log that somebody left beside it would show now.
    let checked = tallied(path).await.and_then(|written| agree(tally, &written));
    if checked.is_err() {
        draft::withdraw(path);
    }
    drop(lock);
    Ok(checked?)
}

/// Why a copy was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackupError {
    /// What was named is nothing that can be copied from or to.
    Usage(String),
    /// What was named is in use or in the way.
    Refused(String),
    /// A store does not do it.
    Store(StoreError),
}

impl From<StoreError> for BackupError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for BackupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // What cannot be used may be no store at all; the words say what it is.
            Self::Usage(why) | Self::Refused(why) | Self::Store(StoreError::Unusable(why)) => {
                f.write_str(why)
            }
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl Error for BackupError {}

/// The values after which the next page begins, if it is not the first.
type After<'a> = Option<&'a [Value]>;

/// Takes all rows of all tables in their order, page by page.
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
    let why = "what was written is not what was read: the disk or the memory is at fault";
    Err(StoreError::Damaged(why.to_owned()))
}
