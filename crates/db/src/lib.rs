#![doc = include_str!("../README.md")]

// What goes into a statement and comes out of it.
mod error;
mod row;
mod statement;
mod value;
// Where the rows are, and how they get there.
mod database;
mod location;
mod schema;
mod transaction;
// The whole of it at once.
mod copying;
mod dump;
mod retry;

pub use database::{Database, Settings};
pub use error::Error;
pub use location::{Dialect, Location};
pub use retry::{Attempts, retry};
pub use row::{FromColumn, Row};
pub use schema::Schema;
pub use statement::{Sql, Statement, Target, query};
pub use transaction::Transaction;
pub use value::Value;
