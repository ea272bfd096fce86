//! Statements: the text, once for both databases or once for each, and the values of its parameters.
//!
//! Parameters are `$1`, `$2`, …, which both understand. The text is a constant of the program: nothing from outside can get into it.

use sqlx::postgres::{PgArguments, PgConnection, PgPool};
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqlitePool};
use sqlx::{Postgres, Sqlite};

use crate::database::{Database, Pools};
use crate::error::Error;
use crate::row::{Row, RowKind};
use crate::transaction::{Transaction, TransactionKind};
use crate::value::{self, Value};

/// The text of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sql {
    /// As SQLite wants it.
    pub sqlite: &'static str,
    /// As PostgreSQL wants it.
    pub postgres: &'static str,
}

impl From<&'static str> for Sql {
    /// A text that both understand.
    fn from(both: &'static str) -> Sql {
        Sql { sqlite: both, postgres: both }
    }
}

/// A statement with the values of its parameters.
#[derive(Debug, Clone)]
#[must_use = "a statement does nothing until it is executed"]
pub struct Statement {
    sql: Sql,
    values: Vec<Value>,
}

/// A statement without values yet.
pub fn query(sql: impl Into<Sql>) -> Statement {
    Statement { sql: sql.into(), values: Vec::new() }
}

impl Statement {
    /// The value of the next parameter.
    pub fn bind(mut self, value: impl Into<Value>) -> Statement {
        self.values.push(value.into());
        self
    }

    /// Executes it; returns how many rows it has written.
    ///
    /// # Errors
    /// When the database refuses it or cannot be reached.
    pub async fn execute<'a>(self, on: impl Into<Target<'a>>) -> Result<u64, Error> {
        Ok(match on.into().0 {
            TargetKind::SqlitePool(pool) => self.sqlite()?.execute(pool).await?.rows_affected(),
            TargetKind::Sqlite(connection) => self.sqlite()?.execute(connection).await?.rows_affected(),
            TargetKind::PostgresPool(pool) => self.postgres()?.execute(pool).await?.rows_affected(),
            TargetKind::Postgres(connection) => self.postgres()?.execute(connection).await?.rows_affected(),
        })
    }

    /// Executes it; returns the first row, if there is any.
    ///
    /// # Errors
    /// When the database refuses it or cannot be reached.
    pub async fn fetch_optional<'a>(self, on: impl Into<Target<'a>>) -> Result<Option<Row>, Error> {
        let row = match on.into().0 {
            TargetKind::SqlitePool(pool) => self.sqlite()?.fetch_optional(pool).await?.map(RowKind::Sqlite),
            TargetKind::Sqlite(connection) => {
                self.sqlite()?.fetch_optional(connection).await?.map(RowKind::Sqlite)
            }
            TargetKind::PostgresPool(pool) => {
                self.postgres()?.fetch_optional(pool).await?.map(RowKind::Postgres)
            }
            TargetKind::Postgres(connection) => {
                self.postgres()?.fetch_optional(connection).await?.map(RowKind::Postgres)
            }
        };
        Ok(row.map(Row))
    }

    /// Executes it; returns the first row.
    ///
    /// # Errors
    /// When the database refuses it or cannot be reached, or there is no row.
    pub async fn fetch_one<'a>(self, on: impl Into<Target<'a>>) -> Result<Row, Error> {
        self.fetch_optional(on).await?.ok_or(Error::Statement(sqlx::Error::RowNotFound))
    }

    /// Executes it; returns all rows. Statements that could return many have a `LIMIT`.
    ///
    /// # Errors
    /// When the database refuses it or cannot be reached.
    pub async fn fetch_all<'a>(self, on: impl Into<Target<'a>>) -> Result<Vec<Row>, Error> {
        let from_sqlite = |rows: Vec<_>| rows.into_iter().map(|row| Row(RowKind::Sqlite(row))).collect();
        let from_postgres = |rows: Vec<_>| rows.into_iter().map(|row| Row(RowKind::Postgres(row))).collect();
        Ok(match on.into().0 {
            TargetKind::SqlitePool(pool) => from_sqlite(self.sqlite()?.fetch_all(pool).await?),
            TargetKind::Sqlite(connection) => from_sqlite(self.sqlite()?.fetch_all(connection).await?),
            TargetKind::PostgresPool(pool) => from_postgres(self.postgres()?.fetch_all(pool).await?),
            TargetKind::Postgres(connection) => from_postgres(self.postgres()?.fetch_all(connection).await?),
        })
    }

    fn sqlite(self) -> Result<Query<'static, Sqlite, SqliteArguments>, Error> {
        Ok(sqlx::query_with(self.sql.sqlite, value::to_sqlite(self.values)?))
    }

    fn postgres(self) -> Result<Query<'static, Postgres, PgArguments>, Error> {
        Ok(sqlx::query_with(self.sql.postgres, value::to_postgres(self.values)?))
    }
}

/// Where a statement is executed: in a [`Transaction`], or by one of the reading connections of a [`Database`].
pub struct Target<'a>(TargetKind<'a>);

enum TargetKind<'a> {
    SqlitePool(&'a SqlitePool),
    Sqlite(&'a mut SqliteConnection),
    PostgresPool(&'a PgPool),
    Postgres(&'a mut PgConnection),
}

impl<'a> From<&'a Database> for Target<'a> {
    fn from(database: &'a Database) -> Target<'a> {
        match &database.pools {
            Pools::Sqlite { readers, .. } => Target(TargetKind::SqlitePool(readers)),
            Pools::Postgres { pool, .. } => Target(TargetKind::PostgresPool(pool)),
        }
    }
}

impl<'a> From<&'a SqlitePool> for Target<'a> {
    fn from(pool: &'a SqlitePool) -> Target<'a> {
        Target(TargetKind::SqlitePool(pool))
    }
}

impl<'a> From<&'a mut Transaction> for Target<'a> {
    fn from(transaction: &'a mut Transaction) -> Target<'a> {
        match &mut transaction.0 {
            TransactionKind::Sqlite(transaction) => Target(TargetKind::Sqlite(transaction)),
            TransactionKind::Postgres { transaction, .. } => Target(TargetKind::Postgres(transaction)),
        }
    }
}
