//! Backups and how they are restored: a copy of the SQLite file, or a dump of the schema's rows.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::database::{Database, Pools, Settings};
use crate::dump;
use crate::error::Error;
use crate::location::Location;
use crate::schema::Schema;

impl Database {
    /// Copies the whole database, as of now, to a file that does not exist yet; others read and write meanwhile. The file has its name only
    /// when all of it is on the disk. From SQLite it is a database, from PostgreSQL a [dump](https://www.postgresql.org/docs/current/sql-copy.html) of all rows.
    ///
    /// # Errors
    /// When there is such a file, or it cannot be written; then nothing of it is left.
    pub async fn back_up(&self, to: &Path) -> Result<(), Error> {
        if to.exists() {
            return Err(Error::Exists(to.to_owned()));
        }
        let mut part = to.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let copied = match self.copy_to(&part).await {
            // SQLite does not bring such a copy to the disk.
            Ok(()) => finish(&part, to).map_err(Error::file(to)),
            failed => failed,
        };
        if copied.is_err() {
            let _ = fs::remove_file(&part);
        }
        copied
    }

    /// Copies into a file that a crash may have left.
    async fn copy_to(&self, part: &Path) -> Result<(), Error> {
        remove(part).map_err(Error::file(part))?;
        private::protect_database(part);
        match &self.pools {
            Pools::Sqlite { readers, writer } => {
                let copying = sqlx::query("VACUUM INTO $1").bind(part.to_string_lossy().into_owned());
                copying.execute(writer.as_ref().unwrap_or(readers)).await?;
                Ok(())
            }
            Pools::Postgres { pool, .. } => dump::write(pool, &self.schema, part).await,
        }
    }

    /// Makes a database of a backup, where there is none yet, and opens it. A backup of an older version is brought up to date.
    ///
    /// # Errors
    /// When the database has rows already, or the backup is damaged, or of another kind of database. Then the database stays empty.
    pub async fn restore(
        from: &Path,
        location: &Location,
        schema: Schema,
        settings: Settings,
    ) -> Result<Database, Error> {
        if let Location::Sqlite(path) = location {
            restore_file(from, path).await?;
        }
        let database = Database::open(location, schema, settings).await?;
        if let Pools::Postgres { .. } = &database.pools {
            dump::read(&database, from).await?;
        }
        Ok(database)
    }
}

async fn restore_file(from: &Path, path: &Path) -> Result<(), Error> {
    use std::io::Read as _;

    if path.exists() {
        return Err(Error::NotEmpty { place: path.display().to_string() });
    }
    let mut magic = [0; 15];
    let read = fs::File::open(from).and_then(|mut file| file.read_exact(&mut magic));
    match read {
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(Error::file(from)(error)),
        _ if magic != *b"SQLite format 3" => {
            let why = "it is no copy of an SQLite database".to_owned();
            return Err(Error::Dump { path: from.to_owned(), why });
        }
        _ => {}
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let copied = async {
        remove(&part).map_err(Error::file(&part))?;
        private::protect_database(&part);
        copy_bytes(from, &part).map_err(Error::file(&part))?;
        check_pages(&part, from).await?;
        finish(&part, path).map_err(Error::file(path))
    };
    let copied = copied.await;
    if copied.is_err() {
        let _ = fs::remove_file(&part);
    }
    copied
}

fn copy_bytes(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = fs::File::open(from)?;
    let mut to = fs::File::options().write(true).open(to)?;
    io::copy(&mut from, &mut to).map(drop)
}

/// Refuses a copy whose pages are damaged.
async fn check_pages(part: &Path, from: &Path) -> Result<(), Error> {
    use sqlx::{Connection as _, Row as _};

    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(part).read_only(true).immutable(true);
    let checked = async {
        let mut connection = sqlx::SqliteConnection::connect_with(&options).await?;
        let row = sqlx::query("PRAGMA quick_check(1)").fetch_one(&mut connection).await?;
        let said: String = row.try_get(0)?;
        connection.close().await?;
        Ok(said)
    };
    let why = match checked.await.map_err(Error::Statement) {
        Ok(said) if said == "ok" => return Ok(()),
        Ok(said) => said,
        Err(error) if error.is_damaged() => "it is damaged".to_owned(),
        Err(error) => return Err(error),
    };
    Err(Error::Dump { path: from.to_owned(), why })
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Brings a file to the disk and gives it its name.
fn finish(part: &Path, to: &Path) -> io::Result<()> {
    fs::File::open(part)?.sync_all()?;
    fs::rename(part, to)?;
    let above = to.parent().filter(|above| *above != Path::new("")).unwrap_or(Path::new("."));
    fs::File::open(above)?.sync_all()
}
