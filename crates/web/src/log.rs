//! The log of a harvest, page by page.

use api::jobs::{Page, Wanted};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;

use crate::error::Fault;
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

/// So many lines on a page.
const LINES: usize = 200;

/// A longer one is nothing that stands in a line.
const FILTER_CHARS_MAX: usize = 200;

#[derive(Template)]
#[template(path = "log.html")]
struct Log {
    frame: Frame,
    page: Page,
    filter: String,
    /// The first line that was asked for; 0 is the end.
    from: u64,
    /// The address of another page, but for its place.
    base: String,
    is_visits: bool,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    file: Option<String>,
    from: Option<u64>,
    #[serde(default)]
    last: bool,
    #[serde(default)]
    filter: String,
}

/// `GET /jobs/{job}/log?file=…&from=…&last=true&filter=…`
pub(crate) async fn show(
    State(pages): State<Pages>,
    Path(job): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Fault> {
    let file = asked.file.unwrap_or_else(|| "crawl.log".to_owned());
    let filter: String = asked.filter.trim().chars().take(FILTER_CHARS_MAX).collect();
    let from = if asked.last { 0 } else { asked.from.unwrap_or(1).max(1) };
    let wanted =
        Wanted { file, from: Some(from).filter(|from| *from > 0), limit: LINES, filter: filter.clone() };
    let found = pages.ask(move |api| api.jobs().log(&job, &wanted)).await?;
    let base = format!(
        "/jobs/{}/log?file={}&filter={}&",
        found.job,
        filters::encoded(&found.file),
        filters::encoded(&filter)
    );
    page(&Log {
        frame: Frame::new(&pages, &format!("{} of {}", found.file, found.job), "jobs"),
        is_visits: found.lines.iter().any(|line| line.visit.is_some()),
        page: found,
        filter,
        from,
        base,
    })
}
