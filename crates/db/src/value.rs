//! Values of parameters: the few types that both databases store alike.

use jiff::Timestamp;
use sqlx::Arguments as _;
use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;

use crate::error::Error;

/// The value of a parameter. An absent one has a type, too: PostgreSQL wants to know it.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number, a truth value (0 or 1), or a time (microseconds since 1970 in UTC).
    Integer(Option<i64>),
    /// A floating-point number.
    Real(Option<f64>),
    /// A text.
    Text(Option<String>),
    /// Bytes.
    Bytes(Option<Vec<u8>>),
}

macro_rules! from {
    ($($type:ty => $kind:ident($convert:expr);)*) => {$(
        impl From<$type> for Value {
            fn from(value: $type) -> Value {
                Value::$kind(Some($convert(value)))
            }
        }

        impl From<Option<$type>> for Value {
            fn from(value: Option<$type>) -> Value {
                Value::$kind(value.map($convert))
            }
        }
    )*};
}

from! {
    i64 => Integer(|number| number);
    i32 => Integer(i64::from);
    u32 => Integer(i64::from);
    u16 => Integer(i64::from);
    bool => Integer(i64::from);
    Timestamp => Integer(|time: Timestamp| time.as_microsecond());
    f64 => Real(|number| number);
    String => Text(|text| text);
    &str => Text(str::to_owned);
    Vec<u8> => Bytes(|bytes| bytes);
    &[u8] => Bytes(<[u8]>::to_vec);
}

pub(crate) fn to_sqlite(values: Vec<Value>) -> Result<SqliteArguments, Error> {
    let mut arguments = SqliteArguments::default();
    for value in values {
        let added = match value {
            Value::Integer(value) => arguments.add(value),
            Value::Real(value) => arguments.add(value),
            Value::Text(value) => arguments.add(value),
            Value::Bytes(value) => arguments.add(value),
        };
        added.map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

pub(crate) fn to_postgres(values: Vec<Value>) -> Result<PgArguments, Error> {
    let mut arguments = PgArguments::default();
    for value in values {
        let added = match value {
            Value::Integer(value) => arguments.add(value),
            Value::Real(value) => arguments.add(value),
            // PostgreSQL stores no zero bytes in texts, and servers send headers with them.
            Value::Text(Some(text)) if text.contains('\0') => arguments.add(text.replace('\0', "\u{fffd}")),
            Value::Text(value) => arguments.add(value),
            Value::Bytes(value) => arguments.add(value),
        };
        added.map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}
