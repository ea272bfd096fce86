//! The tables, version by version. A database of an older version is brought up to date when it is opened.

use sqlx::{Connection as _, Row as _, SqliteConnection};

use crate::logins::{self, KeepLogins};

/// The statements that lead from each version to the next and end by saying which that is; the first makes an empty database one of
/// version 1.
const STEPS: [&str; 3] = [
    include_str!("../migrations/sqlite/0001_watch.sql"),
    include_str!("../migrations/sqlite/0002_news.sql"),
    include_str!("../migrations/sqlite/0003_clock.sql"),
];

/// The last step, which says no more than that user names and passwords have left the URLs.
const WITHOUT_LOGINS: &str = include_str!("../migrations/sqlite/0004_logins.sql");

/// The version that this program makes and reads.
pub(crate) const VERSION: i64 = STEPS.len() as i64 + 1;

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
