//! The database of an archive that cannot be written: on a read-only mount, or in a folder of somebody else.
//!
//! SQLite wants to write a file beside a database in WAL mode even for reading. Where it cannot, there are three ways:
//!
//! ```text
//! 1 neither WAL nor shared memory exists, so no process has it open: the file alone is read, as one that nobody changes (`immutable`)
//! 2 another process has it open, and its shared memory exists: it is read along
//! 3 a crash has left a WAL, the tables are of an older version, or there is no database yet: a copy is opened
//! ```

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection as _, SqliteConnection};
use tempfile::TempDir;

use crate::error::Error;
use crate::logins::KeepLogins;
use crate::schema;

/// How to open a database without writing to its folder.
pub(crate) struct ReadOnlyDatabase {
    pub(crate) path: PathBuf,
    /// Whether nobody changes it meanwhile.
    pub(crate) is_quiet: bool,
    /// Where the copy lies, if there is one.
    pub(crate) copy: Option<Arc<TempDir>>,
}

/// Whether nothing can be written to a database or the folder of its lock. Where one of them does not exist, it cannot be created either.
pub(crate) fn is_read_only(database: &Path, lock: &Path) -> bool {
    let refuses = |opened: io::Result<File>| {
        let is_refusal = |error: io::Error| {
            matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
        };
        opened.err().is_some_and(is_refusal)
    };
    let has_both = database.exists() && lock.parent().is_some_and(Path::is_dir);
    // A file without a name, which leaves nothing behind.
    let refuses_new_files = || database.parent().is_some_and(|folder| refuses(tempfile::tempfile_in(folder)));
    // The database is asked for without being opened: closing it would drop the locks that SQLite holds in this process.
    let refuses_database = rustix::fs::access(database, rustix::fs::Access::WRITE_OK)
        .is_err_and(|error| matches!(error, rustix::io::Errno::ACCESS | rustix::io::Errno::ROFS));
    (!has_both && refuses_new_files())
        || refuses_database
        || refuses(private::options().append(true).create(true).open(lock))
}

/// Finds the way to read a database.
pub(crate) async fn find(database: &Path) -> Result<ReadOnlyDatabase, Error> {
    let failed = |source| Error::opening(::db::Error::Open { place: database.display().to_string(), source });
    // A process that has opened the database has made both, even if it has written nothing yet.
    let is_quiet = !beside(database, "-wal").exists() && !beside(database, "-shm").exists();
    let options =
        SqliteConnectOptions::new().filename(database).read_only(true).immutable(is_quiet).foreign_keys(true);
    let found = match version(&options).await {
        Err(error) if is_quiet && database.exists() => return Err(failed(error)),
        found => found.ok(),
    };
    match found {
        Some(schema::VERSION) => {
            return Ok(ReadOnlyDatabase { path: database.to_owned(), is_quiet, copy: None });
        }
        Some(found) if found > schema::VERSION => {
            let place = database.display().to_string();
            return Err(Error::Later { place, found, known: schema::VERSION });
        }
        // What is of an older version is brought up to date in a copy.
        Some(_) | None => {}
    }
    let (copy, path) = copied(database).map_err(Error::file(database))?;
    let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true).foreign_keys(true);
    let migrated = async {
        let mut connection = SqliteConnection::connect_with(&options).await?;
        // Passwords in its URLs stay where they are, in the database itself, and are not shown.
        let drop_logins: KeepLogins = Arc::new(|_| Ok(()));
        schema::migrate(&mut connection, Some(&drop_logins)).await?;
        connection.close().await
    };
    migrated.await.map_err(failed)?;
    Ok(ReadOnlyDatabase { path, is_quiet: false, copy: Some(Arc::new(copy)) })
}

async fn version(options: &SqliteConnectOptions) -> sqlx::Result<i64> {
    let mut connection = SqliteConnection::connect_with(options).await?;
    let found = schema::version(&mut connection).await?;
    connection.close().await?;
    Ok(found)
}

fn copied(database: &Path) -> io::Result<(TempDir, PathBuf)> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("watch.db");
    // Not `fs::copy`: a file that may only be read stays so when it is copied, and SQLite must write here.
    for (from, to) in [(database.to_owned(), path.clone()), (beside(database, "-wal"), beside(&path, "-wal"))]
    {
        match File::open(from) {
            Ok(mut from) => drop(io::copy(&mut from, &mut File::create(to)?)?),
            // SQLite makes an empty database where there is none.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok((folder, path))
}

/// A file that SQLite has beside a database.
fn beside(database: &Path, end: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests;
