//! The tables, version by version. A database of an older version is brought up to date when it is opened.

use std::path::Path;
use std::time::Duration;

use ::db::Schema;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{Connection as _, Row as _, SqliteConnection};

use crate::error::Error;
use crate::logins::{self, KeepLogins};

/// The steps of SQLite from each version to the next.
const STEPS: [&str; 3] = [
    include_str!("../migrations/sqlite/0001_watch.sql"),
    include_str!("../migrations/sqlite/0002_news.sql"),
    include_str!("../migrations/sqlite/0003_clock.sql"),
];

/// The last step, which says no more than that user names and passwords have left the URLs.
const WITHOUT_LOGINS: &str = include_str!("../migrations/sqlite/0004_logins.sql");

/// The tables.
pub(crate) const SCHEMA: Schema = Schema {
    name: "watch",
    sqlite: &[STEPS[0], STEPS[1], STEPS[2], WITHOUT_LOGINS],
    postgres: &[include_str!("../migrations/postgres/0001_watch.sql")],
    seeded: &["given"],
};

/// The tables where user names and passwords stay in the URLs because nobody keeps them.
const SCHEMA_WITH_LOGINS: Schema = Schema { sqlite: &STEPS, ..SCHEMA };

/// The version that this program makes and reads.
pub(crate) const VERSION: i64 = STEPS.len() as i64 + 1;

/// How long a change waits for another process to end its own.
const PATIENCE: Duration = Duration::from_secs(30);

/// Brings a file of an earlier version up to date, with the step that is no SQL; the tables that it has then.
pub(crate) async fn prepare(path: &Path, keep: Option<&KeepLogins>) -> Result<Schema, Error> {
    let failed = |source| Error::opening(::db::Error::Open { place: path.display().to_string(), source });
    private::protect_database(path);
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(PATIENCE);
    let prepared = async {
        let mut connection = SqliteConnection::connect_with(&options).await?;
        if version(&mut connection).await? < VERSION {
            migrate(&mut connection, keep).await?;
        }
        let found = version(&mut connection).await?;
        connection.close().await?;
        Ok(found)
    };
    let found = prepared.await.map_err(failed)?;
    Ok(if found < VERSION { SCHEMA_WITH_LOGINS } else { SCHEMA })
}

/// Which version a database is of; 0 if nothing was ever put into it.
pub(crate) async fn version(connection: &mut SqliteConnection) -> sqlx::Result<i64> {
    let row = sqlx::query(include_str!("../sql/sqlite/schema_version.sql")).fetch_one(connection).await?;
    row.try_get(0)
}

/// Makes the steps that are missing. User names and passwords in URLs stay where they are until somebody keeps them; the database can be
/// used meanwhile, and is of the version before the last.
pub(crate) async fn migrate(
    connection: &mut SqliteConnection,
    keep: Option<&KeepLogins>,
) -> sqlx::Result<()> {
    migrate_tables(connection).await?;
    if logins::move_out(connection, keep).await? {
        sqlx::raw_sql(WITHOUT_LOGINS).execute(connection).await?;
    }
    Ok(())
}

/// Makes the steps that change tables, all or none.
async fn migrate_tables(connection: &mut SqliteConnection) -> sqlx::Result<()> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    // Asked again: another process may have done it meanwhile.
    let found = version(&mut transaction).await?;
    let done = usize::try_from(found).unwrap_or(0);
    for step in STEPS.iter().skip(done) {
        sqlx::raw_sql(*step).execute(&mut *transaction).await?;
    }
    transaction.commit().await
}
