//! Rows: columns are read by their names.

use jiff::Timestamp;
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;

use crate::error::Error;

/// A row of an answer.
pub struct Row(pub(crate) RowKind);

pub(crate) enum RowKind {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    /// The value of a column.
    ///
    /// # Errors
    /// When there is no such column, or it holds a value of another type.
    pub fn get<T: FromColumn>(&self, column: &str) -> Result<T, Error> {
        T::from_column(self, column)
    }
}

/// A type that a column can be read as.
pub trait FromColumn: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// When there is no such column, or it holds a value of another type.
    fn from_column(row: &Row, column: &str) -> Result<Self, Error>;
}

macro_rules! stored {
    ($($type:ty),*) => {$(
        impl FromColumn for $type {
            fn from_column(row: &Row, column: &str) -> Result<$type, Error> {
                // SQLite's driver reads an absent number as 0.
                let absent = || Error::Column { column: column.to_owned(), wanted: "value" };
                row.get::<Option<$type>>(column)?.ok_or_else(absent)
            }
        }

        impl FromColumn for Option<$type> {
            fn from_column(row: &Row, column: &str) -> Result<Option<$type>, Error> {
                match &row.0 {
                    RowKind::Sqlite(row) => Ok(row.try_get(column)?),
                    RowKind::Postgres(row) => Ok(row.try_get(column)?),
                }
            }
        }
    )*};
}

stored!(i64, f64, String, Vec<u8>);

/// Types that are stored as whole numbers.
macro_rules! converted {
    ($($type:ty, $wanted:literal, $convert:expr;)*) => {$(
        impl FromColumn for $type {
            fn from_column(row: &Row, column: &str) -> Result<$type, Error> {
                let convert: fn(i64) -> Option<$type> = $convert;
                let failed = || Error::Column { column: column.to_owned(), wanted: $wanted };
                convert(row.get(column)?).ok_or_else(failed)
            }
        }

        impl FromColumn for Option<$type> {
            fn from_column(row: &Row, column: &str) -> Result<Option<$type>, Error> {
                match row.get::<Option<i64>>(column)? {
                    Some(_) => <$type>::from_column(row, column).map(Some),
                    None => Ok(None),
                }
            }
        }
    )*};
}

converted! {
    u64, "count", |number| u64::try_from(number).ok();
    u32, "count of 32 bits", |number| u32::try_from(number).ok();
    bool, "truth value", |number| match number { 0 => Some(false), 1 => Some(true), _ => None };
    Timestamp, "time", |number| Timestamp::from_microsecond(number).ok();
}
