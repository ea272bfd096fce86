//! News as feeds, of a watch and of a person, for readers that come again and again: who has it already is told so.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use jiff::Timestamp;
use notify::{Feed, FeedLimits, Item};

use super::bodies::watch;
use super::routes::watching;
use super::rows::NewsRow;
use super::watcher::{Listed, NewsOf};
use crate::Api;
use crate::error::Error;

/// So many news are in a feed.
const ITEMS: u32 = 50;

/// Which kind of feed.
#[derive(Clone, Copy)]
enum Kind {
    Rss,
    Atom,
}

/// `GET /api/v1/watches/{id}/feed.rss`
pub(crate) async fn watch_rss(api: State<Api>, id: Path<String>, parts: Parts) -> Result<Response, Error> {
    of_watch(api, id, &parts, Kind::Rss).await
}

/// `GET /api/v1/watches/{id}/feed.atom`
pub(crate) async fn watch_atom(api: State<Api>, id: Path<String>, parts: Parts) -> Result<Response, Error> {
    of_watch(api, id, &parts, Kind::Atom).await
}

/// `GET /api/v1/people/{name}/feed.rss`
pub(crate) async fn person_rss(api: State<Api>, name: Path<String>, parts: Parts) -> Result<Response, Error> {
    of_person(api, name, &parts, Kind::Rss).await
}

/// `GET /api/v1/people/{name}/feed.atom`
pub(crate) async fn person_atom(
    api: State<Api>,
    name: Path<String>,
    parts: Parts,
) -> Result<Response, Error> {
    of_person(api, name, &parts, Kind::Atom).await
}

async fn of_watch(
    State(api): State<Api>,
    Path(id): Path<String>,
    parts: &Parts,
    kind: Kind,
) -> Result<Response, Error> {
    let (watching, id) = (watching(&api, parts)?, watch(&id)?);
    let row = watching.show(id).await?;
    let news = watching.news(NewsOf::Watch(id), None, ITEMS).await?.news;
    let title = if row.wish.title.is_empty() { row.wish.url } else { row.wish.title };
    let feed = feed(&api, parts, (title, format!("/watches/{id}")), &row.added, &news);
    sent(&feed, kind, &parts.headers)
}

async fn of_person(
    State(api): State<Api>,
    Path(name): Path<String>,
    parts: &Parts,
    kind: Kind,
) -> Result<Response, Error> {
    let watching = watching(&api, parts)?;
    let news = watching.news(NewsOf::Person(name.clone()), None, ITEMS).await?.news;
    let wanted = Listed { owner: Some(name.clone()), most: 1, ..Listed::default() };
    let first = watching.list(wanted).await?.watches.into_iter().next();
    let added = first.map(|row| row.added).unwrap_or_default();
    let owner = urlkey::percent::encode_form(name.as_bytes());
    let place = (format!("Watched by {name}"), format!("/watches?owner={owner}"));
    sent(&feed(&api, parts, place, &added, &news), kind, &parts.headers)
}

/// News as a feed. The server's own name is the one that it is set up with, whatever a request calls it.
fn feed(api: &Api, parts: &Parts, (title, place): (String, String), added: &str, news: &[NewsRow]) -> Feed {
    let origin = api.origins().first().map(String::as_str).unwrap_or("http://localhost");
    let own = parts.uri.path();
    // Within `/api/v1` a request's path is what is left of it.
    let own = if own.starts_with("/api/") { own.to_owned() } else { format!("/api/v1{own}") };
    let times = news.iter().map(|row| row.time.as_str()).chain([added]);
    let updated = times.filter_map(|time| time.parse().ok()).max();
    Feed {
        title,
        link: format!("{origin}{place}"),
        // A reader that follows it gets in, too.
        self_link: format!("{origin}{own}?key={}", api.keys().feeds.reveal()),
        updated: updated.unwrap_or(Timestamp::UNIX_EPOCH),
        items: news.iter().map(|row| item(origin, api.source(), row)).collect(),
    }
}

fn item(origin: &str, source: &str, row: &NewsRow) -> Item {
    let name = if row.title.is_empty() { &row.url } else { &row.title };
    let happened = match row.kind {
        "gone" => "is gone",
        "back" => "is back",
        _ => "has changed",
    };
    let link = match (row.before, row.after) {
        (Some(before), Some(after)) if row.kind == "changed" => {
            format!("{origin}/watches/{}/difference?from={before}&to={after}", row.watch)
        }
        _ => format!("{origin}/watches/{}", row.watch),
    };
    Item {
        // The same at another port or name, so that readers do not take it for another.
        id: format!("{source}:news:{}", row.id),
        title: format!("{name} {happened}: {}", row.summary),
        link,
        at: row.time.parse().unwrap_or(Timestamp::UNIX_EPOCH),
        summary_text: if row.text.is_empty() { row.summary.clone() } else { row.text.clone() },
        html: Some(row.html.clone()).filter(|html| !html.is_empty()),
    }
}

fn sent(feed: &Feed, kind: Kind, asked: &HeaderMap) -> Result<Response, Error> {
    let (type_, text) = match kind {
        Kind::Rss => ("application/rss+xml; charset=utf-8", feed.rss(FeedLimits::default())),
        Kind::Atom => ("application/atom+xml; charset=utf-8", feed.atom(FeedLimits::default())),
    };
    let text = text.map_err(|error| Error::bad(error.to_string()))?;
    let tag = format!("\"{:016x}-{:x}\"", fingerprint(&text), text.len());
    let head = [
        (header::CONTENT_TYPE, type_.to_owned()),
        (header::ETAG, tag.clone()),
        (header::LAST_MODIFIED, urlkey::time::to_http_date(feed.updated)),
        (header::CACHE_CONTROL, "private, no-cache".to_owned()),
    ];
    let body = if is_known(asked, &tag, feed.updated) { None } else { Some(text) };
    let status = if body.is_some() { StatusCode::OK } else { StatusCode::NOT_MODIFIED };
    Ok((status, head, body.unwrap_or_default()).into_response())
}

/// Whether whoever asks has it already; a tag says that better than a time (RFC 9110, 13.2.2).
fn is_known(asked: &HeaderMap, tag: &str, updated: Timestamp) -> bool {
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    if let Some(tags) = asked.get(header::IF_NONE_MATCH).map(text) {
        let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
        return tags.trim() == "*" || tags.split(',').any(|known| bare(known) == tag);
    }
    let since = asked.get(header::IF_MODIFIED_SINCE).map(text);
    let since = since.and_then(|since| urlkey::time::parse_http_date(&since).ok());
    since.is_some_and(|since| updated.as_second() <= since.as_second())
}

/// What tells one text from another (FNV-1a); nobody gains by two that are alike.
fn fingerprint(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
