//! A file on its way to its name.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use super::BackupError;
use crate::store::StoreError;

/// A file that has no name of its own yet, and goes away unless it gets one.
///
/// Until then it is called `NAME.part`. The process that writes it holds a lock, which ends with
/// the process: what an interrupted one left behind is taken over by the next.
#[derive(Debug)]
pub(super) struct Draft {
    name: PathBuf,
    path: PathBuf,
    file: File,
    is_published: bool,
}

#[expect(clippy::disallowed_methods, reason = "a backup is a file")]
impl Draft {
    /// Begins a file beside the name that is wanted, which must be free.
    pub(super) fn new(name: &Path) -> Result<Self, BackupError> {
        free(name)?;
        let path = beside(name, ".part");
        if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
            let why = format!("{} is in the way: move it elsewhere", path.display());
            return Err(BackupError::Refused(why));
        }
        loop {
            let file = private().open(&path).map_err(|error| unwritable(name, &error))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let path = path.display();
                    let why = format!("another process is writing {path}: wait for it");
                    return Err(BackupError::Refused(why));
                }
                Err(TryLockError::Error(error)) => return Err(said(&path, &error)),
            }
            // Whoever had it before may have given it its name since it was opened.
            if !is_same(&file, &path) {
                continue;
            }
            // From here on it goes away again.
            let draft = Self { name: name.to_owned(), path, file, is_published: false };
            draft.file.set_len(0).map_err(|error| said(&draft.path, &error))?;
            make_private(&draft.file).map_err(|error| said(&draft.path, &error))?;
            for suffix in SUFFIXES {
                drop(std::fs::remove_file(beside(&draft.path, suffix)));
            }
            return Ok(draft);
        }
    }

    /// Returns where it is meanwhile.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its name, once it is on the disk for good. Nothing is written over, even if
    /// it came a moment ago.
    pub(super) fn publish(mut self) -> Result<(), BackupError> {
        let failed = |error: Error| said(&self.name, &error);
        self.file.sync_all().map_err(failed)?;
        free(&self.name)?;
        match std::fs::hard_link(&self.path, &self.name) {
            Ok(()) => std::fs::remove_file(&self.path).map_err(failed)?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return free(&self.name),
            // Not every file system lets a file have two names. Then the name is taken first.
            Err(_) => {
                private().create_new(true).open(&self.name).map_err(failed)?;
                std::fs::rename(&self.path, &self.name).map_err(failed)?;
            }
        }
        let folder = self.name.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = File::open(folder.unwrap_or(Path::new(".")));
        folder.and_then(|folder| folder.sync_all()).map_err(failed)?;
        self.is_published = true;
        Ok(())
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

/// Takes a file away that was given its name a moment ago, and turned out wrong.
#[expect(clippy::disallowed_methods, reason = "a wrong database is worse than none")]
pub(super) fn withdraw(path: &Path) {
    drop(std::fs::remove_file(path));
}

/// What SQLite keeps beside a database: what was written last, and is not in the database itself
/// yet.
const SUFFIXES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Makes sure that a name is free, and that SQLite would find nothing beside it that belonged to
/// another database.
fn free(path: &Path) -> Result<(), BackupError> {
    let name = path.display();
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => {
            return Err(BackupError::Usage(format!("{name} is a folder: name a file in it")));
        }
        Ok(found) if found.is_symlink() => {
            let why = format!("{name} is a symbolic link, and is not followed: name another file");
            return Err(BackupError::Refused(why));
        }
        Ok(_) => {
            let why = format!("{name} is there already, and is not written over: name another");
            return Err(BackupError::Refused(why));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(unwritable(path, &error)),
    }
    let Some(left) = SUFFIXES
        .iter()
        .map(|suffix| beside(path, suffix))
        .find(|path| path.symlink_metadata().is_ok())
    else {
        return Ok(());
    };
    Err(BackupError::Refused(format!(
        "{} is there: it belongs to a database that was at {name}, and would damage a new one. \
         Move it away with the database it belongs to, or name another file",
        left.display()
    )))
}

/// Makes sure that no server uses the database at a path, nor begins to, for as long as what is
/// returned is kept.
pub(super) fn lock(path: &Path) -> Result<File, BackupError> {
    let path_of_lock = beside(path, ".lock");
    let file = private().open(&path_of_lock).map_err(|error| unwritable(path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(BackupError::Refused(format!(
            "{} is in use: a server has it, or is about to make it. Stop that one first",
            path.display()
        ))),
        Err(TryLockError::Error(error)) => Err(said(&path_of_lock, &error)),
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Returns how a file is made that only its owner may read.
#[expect(clippy::disallowed_methods, reason = "a backup is a file")]
fn private() -> OpenOptions {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Takes the file from everybody else, if an earlier one was not as careful.
fn make_private(file: &File) -> Result<(), Error> {
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Tells whether a path still leads to a file.
fn is_same(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |found: std::fs::Metadata| (found.dev(), found.ino());
        let found = path.symlink_metadata().map(place).ok();
        found.is_some() && file.metadata().map(place).ok() == found
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.is_file()
    }
}

/// Says why a file cannot be written where somebody wants it.
fn unwritable(path: &Path, error: &Error) -> BackupError {
    let name = path.display();
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            BackupError::Usage(format!("{name} cannot be written: there is no such folder"))
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => BackupError::Usage(format!(
            "{name} cannot be written: this user may not write to the folder"
        )),
        _ => said(path, error),
    }
}

/// Says what the matter is with a file.
fn said(path: &Path, error: &Error) -> BackupError {
    let why = format!("{}: {error}", path.display());
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full(why).into(),
        _ => BackupError::Refused(why),
    }
}
