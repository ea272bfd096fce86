//! The tables of a crate, version by version, and how a database gets from one to the next.
//!
//! SQLite keeps the version in `user_version`, and each step sets it; PostgreSQL has a table `schema_version` in the schema.

use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection as _, Row as _};

use crate::location::Dialect;

/// The tables of a crate. Each step is the text of a file in `migrations/{sqlite,postgres}/`; the first makes version 1 of an empty database.
#[derive(Debug, Clone, Copy)]
pub struct Schema {
    /// What it is called: lower-case letters. In PostgreSQL the schema of that name has the tables.
    pub name: &'static str,
    /// The steps for SQLite. Each ends by setting `user_version`.
    pub sqlite: &'static [&'static str],
    /// The steps for PostgreSQL.
    pub postgres: &'static [&'static str],
    /// Tables that the steps put rows into.
    pub seeded: &'static [&'static str],
}

impl Schema {
    /// The version of the tables that this program makes and reads.
    #[must_use]
    pub fn version(&self, dialect: Dialect) -> i64 {
        let steps = match dialect {
            Dialect::Sqlite => self.sqlite,
            Dialect::Postgres => self.postgres,
        };
        i64::try_from(steps.len()).unwrap_or(i64::MAX)
    }

    /// The key of the lock that whoever writes to the schema on a server holds.
    pub(crate) fn lock_key(&self) -> i64 {
        // Any number that other programs do not use by chance: the letters of `varve`, then those of the name.
        let letters = "varve:".bytes().chain(self.name.bytes());
        letters.fold(0_i64, |key, letter| key.wrapping_mul(31).wrapping_add(i64::from(letter)))
    }
}

/// The version of a database's tables; 0 if nothing was ever put into it.
pub(crate) async fn sqlite_version(connection: &mut SqliteConnection) -> sqlx::Result<i64> {
    sqlx::query("PRAGMA user_version").fetch_one(connection).await?.try_get(0)
}

/// Executes the missing steps, all or none.
pub(crate) async fn migrate_sqlite(schema: &Schema, connection: &mut SqliteConnection) -> sqlx::Result<i64> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    // Read again under the lock: another process may have migrated in the meantime.
    let found = sqlite_version(&mut transaction).await?;
    let done = usize::try_from(found).unwrap_or(0);
    for step in schema.sqlite.iter().skip(done) {
        sqlx::raw_sql(*step).execute(&mut *transaction).await?;
    }
    let version = sqlite_version(&mut transaction).await?;
    transaction.commit().await?;
    Ok(version)
}

/// The version of a schema's tables; 0 if there are none.
pub(crate) async fn postgres_version(schema: &Schema, connection: &mut PgConnection) -> sqlx::Result<i64> {
    let known = sqlx::query("SELECT to_regclass($1) IS NOT NULL AS is_there");
    let known = known.bind(format!("{}.schema_version", schema.name));
    if !known.fetch_one(&mut *connection).await?.try_get::<bool, _>("is_there")? {
        return Ok(0);
    }
    let row = sqlx::query("SELECT version FROM schema_version").fetch_optional(connection).await?;
    row.map_or(Ok(0), |row| row.try_get("version"))
}

/// Executes the missing steps, all or none.
pub(crate) async fn migrate_postgres(schema: &Schema, connection: &mut PgConnection) -> sqlx::Result<i64> {
    let mut transaction = connection.begin().await?;
    let lock = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(schema.lock_key());
    lock.execute(&mut *transaction).await?;
    // The name is a constant of the program.
    let make = AssertSqlSafe(format!("CREATE SCHEMA IF NOT EXISTS {}", schema.name));
    sqlx::raw_sql(make).execute(&mut *transaction).await?;
    let found = postgres_version(schema, &mut transaction).await?;
    if found == 0 {
        let make =
            "CREATE TABLE schema_version (version BIGINT NOT NULL); INSERT INTO schema_version VALUES (0)";
        sqlx::raw_sql(make).execute(&mut *transaction).await?;
    }
    let done = usize::try_from(found).unwrap_or(0);
    for step in schema.postgres.iter().skip(done) {
        sqlx::raw_sql(*step).execute(&mut *transaction).await?;
    }
    let version = schema.version(Dialect::Postgres).max(found);
    let note = sqlx::query("UPDATE schema_version SET version = $1").bind(version);
    note.execute(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(version)
}
