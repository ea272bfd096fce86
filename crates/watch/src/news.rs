//! What is worth telling of a watch.

use ::db::Row;
use jiff::Timestamp;

use crate::db::{get, number};
use crate::error::Error;
use crate::moment;

/// Something that is worth telling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// Counts up over all news, and is never given twice.
    pub id: i64,
    /// The watch.
    pub watch: i64,
    /// Whose it is.
    pub owner: String,
    /// What is watched.
    pub url: String,
    /// What people call it; may be empty.
    pub title: String,
    /// What happened.
    pub kind: NewsKind,
    /// When.
    pub at: Timestamp,
    /// Of a change: the version before, and since when that held.
    pub before: Option<(u32, Timestamp)>,
    /// Of a change: the version after. Neither is there if it is known by headers alone.
    pub after: Option<(u32, Timestamp)>,
    /// In a line.
    pub summary: String,
    /// What changed, shortened.
    pub text: String,
    /// The same as HTML.
    pub html: String,
}

/// What happened to a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NewsKind {
    /// It says something else.
    Changed,
    /// It has not been there for some checks.
    Gone,
    /// It is there again.
    Back,
}

impl NewsKind {
    /// Every kind.
    pub const ALL: [NewsKind; 3] = [NewsKind::Changed, NewsKind::Gone, NewsKind::Back];

    /// Its word in the database, in events and in JSON; it never changes.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            NewsKind::Changed => "changed",
            NewsKind::Gone => "gone",
            NewsKind::Back => "back",
        }
    }

    fn parse(text: &str) -> Result<NewsKind, Error> {
        let found = NewsKind::ALL.into_iter().find(|kind| kind.code() == text);
        found.ok_or_else(|| Error::Damaged { what: "kind", found: text.to_owned() })
    }
}

impl News {
    pub(crate) fn of(row: &Row) -> Result<News, Error> {
        let version = |number_at: &str, time_at: &str| -> Result<Option<(u32, Timestamp)>, Error> {
            let (found, at): (Option<i64>, Option<i64>) = (get(row, number_at)?, get(row, time_at)?);
            let Some((found, at)) = found.zip(at) else { return Ok(None) };
            Ok(Some((number("version", found)?, moment::parse("at", at)?)))
        };
        Ok(News {
            id: get(row, "id")?,
            watch: get(row, "watch")?,
            owner: get(row, "owner")?,
            url: get(row, "url")?,
            title: get(row, "title")?,
            kind: NewsKind::parse(&get::<String>(row, "kind")?)?,
            at: moment::parse("at", get(row, "at")?)?,
            before: version("before", "before_at")?,
            after: version("after", "after_at")?,
            summary: get(row, "summary")?,
            text: get(row, "text")?,
            html: get(row, "html")?,
        })
    }
}
