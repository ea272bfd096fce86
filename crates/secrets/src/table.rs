//! The database: one connection for one piece of work, with a rollback journal, so that nothing stays beside the file.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteRow, SqliteSynchronous};
use sqlx::{Connection as _, Row as _, SqliteConnection};

use crate::error::Error;
use crate::key::KeyId;
use crate::key_file::{new_private, sync_folder};
use crate::schema;
use crate::sealed::Sealed;

/// How long a change waits for another process to end its own.
const PATIENCE: Duration = Duration::from_secs(30);

/// A row as it is stored.
pub(crate) struct SecretRow {
    pub(crate) origin: String,
    pub(crate) key: KeyId,
    pub(crate) sealed: Sealed,
    pub(crate) set_at: i64,
}

/// Opens the database for reading; `None` if there is none, or nothing was ever put into it.
pub(crate) async fn open_to_read(path: &Path) -> Result<Option<SqliteConnection>, Error> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found.map_err(Error::file(path))?,
    };
    private::protect_database(path);
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(false).busy_timeout(PATIENCE);
    let mut connection = connect(path, &options.clone().read_only(true)).await?;
    let found = match version(path, &mut connection).await {
        Err(Error::Open { .. }) => {
            // A process that was killed has left a journal, and only one that may write can take its change back.
            connection = connect(path, &options).await?;
            version(path, &mut connection).await?
        }
        found => found?,
    };
    Ok(if found == 0 { None } else { Some(connection) })
}

/// Opens the database for writing; makes it where there is none, with mode 0600.
pub(crate) async fn open_to_write(path: &Path) -> Result<SqliteConnection, Error> {
    match new_private().open(path) {
        Ok(file) => {
            File::sync_all(&file).map_err(Error::file(path))?;
            sync_folder(path)?;
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => private::protect_database(path),
        Err(error) => return Err(Error::file(path)(error)),
    }
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .journal_mode(SqliteJournalMode::Delete)
        .synchronous(SqliteSynchronous::Extra)
        // What is replaced or removed leaves no bytes in the file.
        .pragma("secure_delete", "ON")
        .busy_timeout(PATIENCE);
    let mut connection = connect(path, &options).await?;
    if version(path, &mut connection).await? < schema::VERSION {
        let migrated = schema::migrate(&mut connection).await;
        migrated.map_err(|source| Error::Open { path: path.to_owned(), source })?;
    }
    Ok(connection)
}

async fn connect(path: &Path, options: &SqliteConnectOptions) -> Result<SqliteConnection, Error> {
    let connected = SqliteConnection::connect_with(options).await;
    connected.map_err(|source| Error::Open { path: path.to_owned(), source })
}

async fn version(path: &Path, connection: &mut SqliteConnection) -> Result<i64, Error> {
    let found = schema::version(connection).await;
    let found = found.map_err(|source| Error::Open { path: path.to_owned(), source })?;
    if found > schema::VERSION {
        return Err(Error::Later { path: path.to_owned(), found, known: schema::VERSION });
    }
    Ok(found)
}

/// All rows, in the order of their origins.
pub(crate) async fn list(connection: &mut SqliteConnection) -> Result<Vec<SecretRow>, Error> {
    let asked = sqlx::query(include_str!("../sql/sqlite/secret_list.sql"));
    let rows = asked.fetch_all(connection).await.map_err(Error::database("list its rows"))?;
    rows.iter().map(row).collect()
}

fn row(row: &SqliteRow) -> Result<SecretRow, Error> {
    let failed = || Error::database("read a row");
    let nonce: Vec<u8> = row.try_get(2).map_err(failed())?;
    Ok(SecretRow {
        origin: row.try_get(0).map_err(failed())?,
        key: KeyId::new(row.try_get(1).map_err(failed())?),
        // One of another length opens nothing, and the table refuses it.
        sealed: Sealed {
            nonce: nonce.try_into().unwrap_or_default(),
            bytes: row.try_get(3).map_err(failed())?,
        },
        set_at: row.try_get(4).map_err(failed())?,
    })
}

/// Writes a row over one of the same origin.
pub(crate) async fn set(connection: &mut SqliteConnection, row: SecretRow) -> Result<(), Error> {
    let asked = sqlx::query(include_str!("../sql/sqlite/secret_set.sql"));
    let asked = asked.bind(row.origin).bind(row.key.as_str().to_owned()).bind(row.sealed.nonce.to_vec());
    let asked = asked.bind(row.sealed.bytes).bind(row.set_at);
    asked.execute(connection).await.map_err(Error::database("write a secret"))?;
    Ok(())
}

/// Says whether there was one.
pub(crate) async fn remove(connection: &mut SqliteConnection, origin: &str) -> Result<bool, Error> {
    let asked = sqlx::query(include_str!("../sql/sqlite/secret_remove.sql")).bind(origin.to_owned());
    let removed = asked.execute(connection).await.map_err(Error::database("remove a secret"))?;
    Ok(removed.rows_affected() > 0)
}

/// The key that new secrets are encrypted with.
pub(crate) async fn current_key(connection: &mut SqliteConnection) -> Result<Option<KeyId>, Error> {
    let failed = || Error::database("look for the key in use");
    let asked = sqlx::query(include_str!("../sql/sqlite/current_key_find.sql"));
    let found = asked.fetch_optional(connection).await.map_err(failed())?;
    found.map(|row| row.try_get(0).map(KeyId::new).map_err(failed())).transpose()
}

pub(crate) async fn set_current_key(connection: &mut SqliteConnection, id: &KeyId) -> Result<(), Error> {
    let failed = || Error::database("write down the key in use");
    let asked = sqlx::query(include_str!("../sql/sqlite/current_key_remove.sql"));
    asked.execute(&mut *connection).await.map_err(failed())?;
    let asked = sqlx::query(include_str!("../sql/sqlite/current_key_set.sql")).bind(id.as_str().to_owned());
    asked.execute(connection).await.map_err(failed())?;
    Ok(())
}
