//! How a watch stands, for people who look at it.

use ::db::Row;
use jiff::Timestamp;

use crate::check::{Check, Outcome};
use crate::db::{get, number};
use crate::error::Error;
use crate::moment;

/// How a watch stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The newest version; 0 if there has never been one.
    pub newest: u32,
    /// The last check.
    pub last: Option<Check>,
    /// News of it, and when the last came.
    pub news: u64,
    /// When the last of them came.
    pub last_news: Option<Timestamp>,
    /// How the last checks ended, the oldest first.
    pub recent: Vec<Outcome>,
    /// Messages that wait, or could not be sent.
    pub untold: Vec<Untold>,
    pub(crate) last_check: Option<i64>,
}

/// A message that somebody has not got yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untold {
    /// Where to.
    pub to: String,
    /// How often it was tried.
    pub tries: u32,
    /// When it is tried next.
    pub due_at: Timestamp,
    /// Why it could not be sent.
    pub why: Option<String>,
    /// It is not tried again.
    pub is_given_up: bool,
}

impl State {
    pub(crate) fn of(row: &Row) -> Result<State, Error> {
        let last_news: Option<i64> = get(row, "last_news")?;
        Ok(State {
            newest: number("newest", get(row, "newest")?)?,
            last: None,
            news: number("news", get(row, "news")?)?,
            last_news: last_news.map(|at| moment::parse("at", at)).transpose()?,
            recent: Vec::new(),
            untold: Vec::new(),
            last_check: get(row, "last_check")?,
        })
    }
}

impl Untold {
    pub(crate) fn of(row: &Row) -> Result<Untold, Error> {
        Ok(Untold {
            to: get(row, "address")?,
            tries: number("tries", get(row, "tries")?)?,
            due_at: moment::parse("due_at", get(row, "due_at")?)?,
            why: get(row, "why")?,
            is_given_up: get::<i64>(row, "is_given_up")? != 0,
        })
    }
}
