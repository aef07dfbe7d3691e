//! A file that gets its name only when it is complete.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use super::BackupError;
use crate::error::StoreError;

/// A file that does not have its final name yet, and is removed unless it gets it.
///
/// Until then it is called `NAME.part`. The process that writes it holds a lock, which ends with
/// the process: the leftover of an interrupted process is taken over by the next.
#[derive(Debug)]
pub(super) struct Draft {
    name: PathBuf,
    path: PathBuf,
    file: File,
    is_published: bool,
}

#[expect(clippy::disallowed_methods, reason = "a backup is a file")]
impl Draft {
    /// Starts a file next to the final name, which must be free.
    pub(super) fn new(name: &Path) -> Result<Self, BackupError> {
        free(name)?;
        let path = sibling(name, ".part");
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
            // The previous owner may have given it its final name since it was opened.
            if !is_same(&file, &path) {
                continue;
            }
            // From here on it is removed again on failure.
            let draft = Self { name: name.to_owned(), path, file, is_published: false };
            draft.file.set_len(0).map_err(|error| said(&draft.path, &error))?;
            make_private(&draft.file).map_err(|error| said(&draft.path, &error))?;
            for suffix in SUFFIXES {
                drop(std::fs::remove_file(sibling(&draft.path, suffix)));
            }
            return Ok(draft);
        }
    }

    /// Returns its temporary path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its name, once it is durable on the disk. Nothing is overwritten, not even a
    /// file that was created a moment ago.
    pub(super) fn publish(mut self) -> Result<(), BackupError> {
        let failed = |error: Error| said(&self.name, &error);
        self.file.sync_all().map_err(failed)?;
        free(&self.name)?;
        match std::fs::hard_link(&self.path, &self.name) {
            Ok(()) => std::fs::remove_file(&self.path).map_err(failed)?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return free(&self.name),
            // Not every file system supports hard links. Without them, the name is taken first.
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
    #[expect(clippy::disallowed_methods, reason = "an unfinished file is useless")]
    fn drop(&mut self) {
        if !self.is_published {
            drop(std::fs::remove_file(&self.path));
        }
    }
}

/// Removes a file that got its name a moment ago, and turned out wrong.
#[expect(clippy::disallowed_methods, reason = "a wrong database is worse than none")]
pub(super) fn withdraw(path: &Path) {
    drop(std::fs::remove_file(path));
}

/// The files that SQLite keeps next to a database: recent writes that are not in the database
/// itself yet.
const SUFFIXES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Checks that a name is free, and that SQLite would find no files of another database next to it.
fn free(path: &Path) -> Result<(), BackupError> {
    let name = path.display();
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => {
            return Err(BackupError::Usage(format!("{name} is a folder: name a file in it")));
        }
        Ok(found) if found.is_symlink() => {
            let why = format!("{name} is a symbolic link, which is not allowed: name another file");
            return Err(BackupError::Refused(why));
        }
        Ok(_) => {
            let why = format!("{name} already exists, and is not overwritten: name another file");
            return Err(BackupError::Refused(why));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(unwritable(path, &error)),
    }
    let Some(left) = SUFFIXES
        .iter()
        .map(|suffix| sibling(path, suffix))
        .find(|path| path.symlink_metadata().is_ok())
    else {
        return Ok(());
    };
    Err(BackupError::Refused(format!(
        "{} exists: it belongs to a database that was at {name}, and would damage a new one. \
         Move it away with the database it belongs to, or name another file",
        left.display()
    )))
}

/// Checks that no server uses the database at a path, and keeps others out for as long as the
/// returned file is open.
pub(super) fn lock(path: &Path) -> Result<File, BackupError> {
    let path_of_lock = sibling(path, ".lock");
    let file = private().open(&path_of_lock).map_err(|error| unwritable(path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(BackupError::Refused(format!(
            "{} is in use: a server has it, or is about to create it. Stop that server first",
            path.display()
        ))),
        Err(TryLockError::Error(error)) => Err(said(&path_of_lock, &error)),
    }
}

fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Returns options to create a file that only its owner may read.
#[expect(clippy::disallowed_methods, reason = "a backup is a file")]
fn private() -> OpenOptions {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Restricts the file to its owner, in case an earlier process was less careful.
fn make_private(file: &File) -> Result<(), Error> {
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Returns whether a path still leads to a file.
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

/// Returns the error for a file that cannot be written at this path.
fn unwritable(path: &Path, error: &Error) -> BackupError {
    let name = path.display();
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            BackupError::Usage(format!("{name} cannot be written: the folder does not exist"))
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => BackupError::Usage(format!(
            "{name} cannot be written: no permission to write to the folder"
        )),
        _ => said(path, error),
    }
}

/// Returns the error for a file operation that failed.
fn said(path: &Path, error: &Error) -> BackupError {
    let why = format!("{}: {error}", path.display());
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full(why).into(),
        _ => BackupError::Refused(why),
    }
}
