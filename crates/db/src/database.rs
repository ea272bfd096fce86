//! A database: opened, brought up to date, read and written through pools of connections.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{Connection as _, Row as _};
use tokio::sync::Mutex;

use crate::error::Error;
use crate::location::{Dialect, Location};
use crate::row::Row;
use crate::schema::{self, Schema};
use crate::statement::Statement;
use crate::transaction::{Transaction, TransactionKind};

/// How many connections there are, and how long anybody waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Connections that read at once.
    pub readers: u32,
    /// How long a change waits until another one has ended.
    pub patience: Duration,
    /// How long anybody waits for a connection to a server.
    pub connect_time: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { readers: 4, patience: Duration::from_secs(30), connect_time: Duration::from_secs(5) }
    }
}

/// A database with the tables of one [`Schema`]. A clone is cheap and is the same database; other processes may have it open, too.
#[derive(Debug, Clone)]
pub struct Database {
    pub(crate) schema: Schema,
    pub(crate) location: Location,
    settings: Settings,
    pub(crate) pools: Pools,
}

#[derive(Debug, Clone)]
pub(crate) enum Pools {
    Sqlite {
        readers: SqlitePool,
        /// `None` where it was opened for reading only.
        writer: Option<SqlitePool>,
    },
    Postgres {
        pool: PgPool,
        /// Held by the one in this process who writes.
        turn: Arc<Mutex<()>>,
        patience: Duration,
    },
}

impl Database {
    /// Opens a database; makes it where there is none, and brings the tables of an older version up to date, all steps or none.
    ///
    /// # Errors
    /// When it cannot be reached or opened, is something else, or was made by a later version of the program; then it is left as it is.
    pub async fn open(location: &Location, schema: Schema, settings: Settings) -> Result<Database, Error> {
        let pools = match location {
            Location::Sqlite(path) => open_sqlite(path, &schema, settings).await?,
            Location::Postgres(address) => {
                open_postgres(location, &address.options, &schema, settings).await?
            }
        };
        Ok(Database { schema, location: location.clone(), settings, pools })
    }

    /// Opens an SQLite database of the newest version for reading where nothing can be written, not even beside it. With `is_unchanging` SQLite
    /// takes it for a file that nobody changes meanwhile.
    #[must_use]
    pub fn open_read_only(path: &Path, schema: Schema, settings: Settings, is_unchanging: bool) -> Database {
        let options = SqliteConnectOptions::new().filename(path).read_only(true).immutable(is_unchanging);
        let pool = SqlitePoolOptions::new().max_connections(settings.readers);
        let readers = pool.connect_lazy_with(options.foreign_keys(true));
        let pools = Pools::Sqlite { readers, writer: None };
        Database { schema, location: Location::from(path), settings, pools }
    }

    /// The same database by connections of its own, for another runtime: connections to a server belong to the one that they were opened in.
    #[must_use]
    pub fn separate(&self) -> Database {
        let pools = match &self.pools {
            Pools::Sqlite { writer: Some(writer), .. } => {
                sqlite_pools((*writer.connect_options()).clone(), self.settings)
            }
            Pools::Sqlite { readers, writer: None } => {
                let options = (*readers.connect_options()).clone();
                Pools::Sqlite { readers: readers.options().clone().connect_lazy_with(options), writer: None }
            }
            Pools::Postgres { pool, .. } => postgres_pools((*pool.connect_options()).clone(), self.settings),
        };
        Database { pools, ..self.clone() }
    }

    /// Where it is.
    #[must_use]
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Which kind of database it is.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.location.dialect()
    }

    /// Begins a change, as soon as no other one is under way, in this process or another.
    ///
    /// # Errors
    /// When others take too long, or the database cannot be reached.
    pub async fn begin(&self) -> Result<Transaction, Error> {
        match &self.pools {
            Pools::Sqlite { writer, .. } => {
                let writer = writer.as_ref().ok_or_else(|| self.read_only())?;
                let transaction = writer.begin_with("BEGIN IMMEDIATE").await?;
                Ok(Transaction(TransactionKind::Sqlite(transaction)))
            }
            Pools::Postgres { pool, turn, patience } => {
                let waited = tokio::time::timeout(*patience, Arc::clone(turn).lock_owned()).await;
                let turn = waited.map_err(|_| Error::Statement(sqlx::Error::PoolTimedOut))?;
                let mut transaction = pool.begin().await?;
                let lock = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(self.schema.lock_key());
                lock.execute(&mut *transaction).await?;
                Ok(Transaction(TransactionKind::Postgres { transaction, _turn: turn }))
            }
        }
    }

    /// Makes a change of one statement; returns how many rows it has written.
    ///
    /// # Errors
    /// As [`begin`](Database::begin), and when the database refuses the statement.
    pub async fn write(&self, statement: Statement) -> Result<u64, Error> {
        if let Pools::Sqlite { writer, .. } = &self.pools {
            return statement.execute(writer.as_ref().ok_or_else(|| self.read_only())?).await;
        }
        let mut change = self.begin().await?;
        let written = statement.execute(&mut change).await?;
        change.commit().await?;
        Ok(written)
    }

    /// Makes a change of one statement that has a `RETURNING`; returns the first row, if there is any.
    ///
    /// # Errors
    /// As [`write`](Database::write).
    pub async fn write_returning(&self, statement: Statement) -> Result<Option<Row>, Error> {
        let mut change = self.begin().await?;
        let row = statement.fetch_optional(&mut change).await?;
        change.commit().await?;
        Ok(row)
    }

    fn read_only(&self) -> Error {
        Error::ReadOnly { place: self.location.to_string() }
    }

    /// Checks whether the database is whole: SQLite checks the structure of all pages, a server reads every row.
    ///
    /// # Errors
    /// When the check could not run; the database may be whole or damaged.
    pub async fn is_whole(&self) -> Result<bool, Error> {
        let looked = match &self.pools {
            Pools::Sqlite { readers, .. } => {
                let row = sqlx::query("PRAGMA quick_check(1)").fetch_one(readers).await;
                row.and_then(|row| row.try_get::<String, _>(0)).map(|said| said == "ok").map_err(Error::from)
            }
            Pools::Postgres { pool, .. } => read_all(pool, self.schema.name).await.map(|()| true),
        };
        match looked {
            Err(error) if error.is_damaged() => Ok(false),
            looked => looked,
        }
    }

    /// Closes all connections. The last process that closes an SQLite database brings everything into the one file.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite { readers, writer } => {
                readers.close().await;
                if let Some(writer) = writer {
                    writer.close().await;
                }
            }
            Pools::Postgres { pool, .. } => pool.close().await,
        }
    }
}

async fn open_sqlite(path: &Path, schema: &Schema, settings: Settings) -> Result<Pools, Error> {
    let place = || path.display().to_string();
    private::protect_database(path);
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // Acknowledged writes survive a power loss.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(settings.patience);
    let known = schema.version(Dialect::Sqlite);
    let found = async {
        let mut connection = SqliteConnection::connect_with(&options).await?;
        let mut found = schema::sqlite_version(&mut connection).await?;
        if found < known {
            found = schema::migrate_sqlite(schema, &mut connection).await?;
        }
        connection.close().await?;
        Ok(found)
    };
    let found = found.await.map_err(|source| Error::Open { place: place(), source })?;
    check_version(found, known, place)?;
    Ok(sqlite_pools(options, settings))
}

fn sqlite_pools(options: SqliteConnectOptions, settings: Settings) -> Pools {
    let pool = |most: u32| SqlitePoolOptions::new().max_connections(most);
    let reading = options.clone().read_only(true).create_if_missing(false);
    Pools::Sqlite {
        readers: pool(settings.readers).connect_lazy_with(reading),
        writer: Some(pool(1).connect_lazy_with(options)),
    }
}

async fn open_postgres(
    location: &Location,
    options: &PgConnectOptions,
    schema: &Schema,
    settings: Settings,
) -> Result<Pools, Error> {
    let place = || location.to_string();
    let patience = format!("{}ms", settings.patience.as_millis());
    let options =
        options.clone().options([("search_path", schema.name), ("lock_timeout", patience.as_str())]);
    let known = schema.version(Dialect::Postgres);
    let found = async {
        let connecting = tokio::time::timeout(settings.connect_time, PgConnection::connect_with(&options));
        let mut connection = connecting.await.map_err(|_| sqlx::Error::PoolTimedOut)??;
        let mut found = schema::postgres_version(schema, &mut connection).await?;
        if found < known {
            found = schema::migrate_postgres(schema, &mut connection).await?;
        }
        connection.close().await?;
        Ok(found)
    };
    let found = found.await.map_err(|source| Error::Open { place: place(), source })?;
    check_version(found, known, place)?;
    Ok(postgres_pools(options, settings))
}

fn postgres_pools(options: PgConnectOptions, settings: Settings) -> Pools {
    // One of them is for who writes.
    let pool =
        PgPoolOptions::new().max_connections(settings.readers + 1).acquire_timeout(settings.connect_time);
    Pools::Postgres {
        pool: pool.connect_lazy_with(options),
        turn: Arc::default(),
        patience: settings.patience,
    }
}

fn check_version(found: i64, known: i64, place: impl Fn() -> String) -> Result<(), Error> {
    match found {
        _ if found > known => Err(Error::Later { place: place(), found, known }),
        _ if found < known => Err(Error::Migration { place: place(), wanted: known, found }),
        _ => Ok(()),
    }
}

/// Reads every row of a schema: a page whose checksum differs is an error.
async fn read_all(pool: &PgPool, schema: &str) -> Result<(), Error> {
    let mut connection = pool.acquire().await?;
    for table in crate::dump::tables(&mut connection, schema).await? {
        // Read as texts, so that long values outside the rows are read, too. The name is quoted.
        let read = format!("SELECT count(length(t::text)) FROM {} AS t", table.quoted());
        sqlx::query(sqlx::AssertSqlSafe(read)).execute(&mut *connection).await?;
    }
    Ok(())
}
