//! Long lists, some rows at a time.

use serde::Serialize;

use super::rows::{CheckRow, NewsRow, VersionRow, WatchRow};

/// Some of the watches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WatchPage {
    /// The watches.
    pub watches: Vec<WatchRow>,
    /// Further ones are those behind this number; `None` at the end.
    pub next: Option<i64>,
}

/// Some of the news, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NewsPage {
    /// The news.
    pub news: Vec<NewsRow>,
    /// Older ones are those before this number; `None` at the end.
    pub next: Option<i64>,
}

/// Some of the versions, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VersionPage {
    /// The versions.
    pub versions: Vec<VersionRow>,
    /// Older ones are those before this number; `None` at the end.
    pub next: Option<u32>,
}

/// Some of the checks, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckPage {
    /// The checks.
    pub checks: Vec<CheckRow>,
    /// Older ones are those before this number; `None` at the end.
    pub next: Option<i64>,
}

/// So many rows, and the number of the last one if there were more.
pub(super) fn cut<T, N>(mut rows: Vec<T>, most: u32, number: impl Fn(&T) -> N) -> (Vec<T>, Option<N>) {
    let is_more = rows.len() > most as usize;
    rows.truncate(most as usize);
    let next = rows.last().filter(|_| is_more).map(number);
    (rows, next)
}
