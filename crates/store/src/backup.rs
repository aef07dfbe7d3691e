//! Backups: all that a store holds, in one SQLite file with the tables of any other.
//!
//! Whatever the source, it is read row by row from one moment, audited on the way, and read again
//! where it was written to. Only then does the file get its name.

mod contents;
mod file;
mod server;

use std::path::{Path, PathBuf};

use crate::store::StoreError;
use contents::{Contents, Rows, TABLES, Table, Value};
use file::File;
use server::Server;

pub use contents::Totals;

/// Tells whether an address is that of a PostgreSQL database, not a path.
pub fn is_postgres(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}

/// Copies everything that a store holds into a new file.
///
/// The source is the path of an SQLite database, or the address of one in PostgreSQL. Others may
/// write to it meanwhile: the copy is of the moment at which it began. It reads and writes files,
/// and blocks its thread while it does.
///
/// # Errors
///
/// When the file is there already, the source cannot be read or is damaged, or there is no room.
/// Nothing is left behind then.
pub async fn backup(source: &str, to: &Path) -> Result<Totals, StoreError> {
    let mut draft = Draft::new(to)?;
    let target = File::create(&draft.path)?;
    let mut contents = Contents::default();
    let mut copy = |place: usize, rows: &Rows| {
        contents.add(place, rows)?;
        target.add(&TABLES[place], rows)
    };
    if is_postgres(source) {
        let server = Server::connect(source).await?;
        server.begin_reading().await?;
        let page = async |table: &Table, after: After<'_>| server.page(table, after).await;
        walk(page, async |place, rows: Rows| copy(place, &rows)).await?;
    } else {
        let file = File::open(Path::new(source))?;
        file.begin_reading()?;
        walk_file(&file, copy).await?;
    }
    let totals = contents.finish()?;
    target.finish()?;
    agree(&totals, &audited(&File::open(&draft.path)?).await?)?;
    draft.publish(to)?;
    Ok(totals)
}

/// Copies everything that a backup holds into a store that holds nothing.
///
/// The target is a path where nothing is yet, or the address of a PostgreSQL database whose tables
/// are empty or not made yet.
///
/// # Errors
///
/// When the backup is damaged, with the place of the damage, or when the target is not empty.
/// Nothing has changed then.
pub async fn restore(from: &Path, to: &str) -> Result<Totals, StoreError> {
    let source = File::open(from)?;
    source.begin_reading()?;
    source.check_integrity()?;
    let totals = audited(&source).await?;
    if is_postgres(to) {
        let server = Server::connect(to).await?;
        server.begin_filling().await?;
        let page = async |table: &Table, after: After<'_>| source.page(table, after);
        walk(page, async |place: usize, rows: Rows| server.add(&TABLES[place], &rows).await)
            .await?;
        let mut contents = Contents::default();
        let page = async |table: &Table, after: After<'_>| server.page(table, after).await;
        walk(page, async |place, rows: Rows| contents.add(place, &rows)).await?;
        agree(&totals, &contents.finish()?)?;
        server.commit().await?;
    } else {
        let to = Path::new(to);
        let mut draft = Draft::new(to)?;
        let target = File::create(&draft.path)?;
        walk_file(&source, |place, rows| target.add(&TABLES[place], rows)).await?;
        target.finish()?;
        agree(&totals, &audited(&File::open(&draft.path)?).await?)?;
        draft.publish(to)?;
    }
    Ok(totals)
}

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

async fn audited(file: &File) -> Result<Totals, StoreError> {
    let mut contents = Contents::default();
    walk_file(file, |place, rows| contents.add(place, rows)).await?;
    contents.finish()
}

fn agree(read: &Totals, written: &Totals) -> Result<(), StoreError> {
    if read == written {
        return Ok(());
    }
    let why = "what was written is not what was read: the disk or the memory is at fault";
    Err(StoreError::Damaged(why.to_owned()))
}

/// A file that has no name of its own yet, and goes away unless it gets one.
struct Draft {
    path: PathBuf,
    is_published: bool,
}

#[expect(clippy::disallowed_methods, reason = "a backup is a file")]
impl Draft {
    /// Thinks of a name beside the one that is wanted, which must be free.
    fn new(wanted: &Path) -> Result<Self, StoreError> {
        free(wanted)?;
        let mut path = wanted.as_os_str().to_owned();
        path.push(format!(".{}.part", std::process::id()));
        let path = PathBuf::from(path);
        // What is there is of a process that had the same number once.
        drop(std::fs::remove_file(&path));
        Ok(Self { path, is_published: false })
    }

    /// Gives the file its name, once it is on the disk for good.
    fn publish(&mut self, name: &Path) -> Result<(), StoreError> {
        let failed = |error| said(name, &error);
        std::fs::File::open(&self.path).and_then(|file| file.sync_all()).map_err(failed)?;
        free(name)?;
        std::fs::rename(&self.path, name).map_err(failed)?;
        self.is_published = true;
        let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = std::fs::File::open(folder.unwrap_or(Path::new(".")));
        folder.and_then(|folder| folder.sync_all()).map_err(failed)
    }
}

impl Drop for Draft {
    #[expect(clippy::disallowed_methods, reason = "what was not finished is of no use")]
    fn drop(&mut self) {
        if !self.is_published {
            drop(std::fs::remove_file(&self.path));
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "nobody's file is written over")]
fn free(path: &Path) -> Result<(), StoreError> {
    if path.exists() {
        let path = path.display();
        let why = format!("{path} is there already, and is not written over: name another file");
        return Err(StoreError::Unusable(why));
    }
    Ok(())
}

/// Says what the matter is with a file.
fn said(path: &Path, error: &std::io::Error) -> StoreError {
    let why = format!("{}: {error}", path.display());
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
            StoreError::Full(why)
        }
        _ => StoreError::Unusable(why),
    }
}
