//! The list of watches: how each stands, found by owner or by a text.

use api::watches::{Listed, WatchPage, WatchRow};
use askama::Template;
use axum::extract::{Query, State};
use axum::http::request::Parts;
use axum::response::Response;
use jiff::Timestamp;
use serde::Deserialize;

use super::words::{self, Said};
use super::{POLL_S, name, spark, watching};
use crate::error::Fault;
use crate::filters;
use crate::frame::{Frame, page};
use crate::state::Pages;

/// So many on a page.
const SHOWN: u32 = 50;

#[derive(Template)]
#[template(path = "watches/list.html")]
struct Watches {
    frame: Frame,
    rows: Vec<Row>,
    owner: String,
    find: String,
    behind: i64,
    next: Option<i64>,
    /// Whether more than one person watches, as far as this page shows.
    has_owners: bool,
}

struct Row {
    id: i64,
    name: String,
    /// Whether that is a title, and not the URL.
    is_titled: bool,
    url: String,
    owner: String,
    tags: Vec<String>,
    said: Said,
    /// When it was last looked at: for people, and exactly.
    checked: Option<(String, String)>,
    due: String,
    is_paused: bool,
    last_news: Option<String>,
    spark: Option<String>,
    untold: usize,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    owner: String,
    #[serde(default)]
    find: String,
    #[serde(default)]
    behind: i64,
}

/// `GET /watches?owner=…&find=…&behind=…`
pub(crate) async fn list(
    State(pages): State<Pages>,
    Query(asked): Query<Asked>,
    parts: Parts,
) -> Result<Response, Fault> {
    let (owner, find) = (asked.owner.trim().to_owned(), asked.find.trim().to_owned());
    let said = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let wanted = Listed { owner: said(&owner), find: said(&find), behind: asked.behind, most: SHOWN };
    let WatchPage { watches, next } = watching(&pages, &parts)?.list(wanted).await?;
    let now = pages.api().now();
    let mut frame = Frame::new(&pages, "Watched pages", "watches");
    frame.poll_s = POLL_S;
    let first = watches.first().map(|row| row.wish.owner.clone());
    let has_owners = !owner.is_empty() || watches.iter().any(|row| Some(&row.wish.owner) != first.as_ref());
    let rows = watches.into_iter().map(|watch| row(watch, now)).collect();
    page(&Watches { frame, rows, owner, find, behind: asked.behind, next, has_owners })
}

fn row(watch: WatchRow, now: Timestamp) -> Row {
    let last = watch.last.as_ref();
    Row {
        id: watch.id,
        name: name(&watch.wish.title, &watch.wish.url),
        is_titled: !watch.wish.title.trim().is_empty(),
        said: words::said_of(&watch),
        checked: last.map(|check| (words::ago(&check.time, now), check.time.clone())),
        due: words::until(&watch.due, now),
        is_paused: watch.wish.paused,
        last_news: watch.last_news.map(|time| words::ago(&time, now)),
        spark: spark::spark(&watch.recent),
        untold: watch.untold.len(),
        url: watch.wish.url,
        owner: watch.wish.owner,
        tags: watch.wish.tags,
    }
}
