//! What there is under an address: each URL, how often and when it was captured.

use axum::http::StatusCode;
use axum::response::Response;
use cdx::Timestamp;
use rewrite::Span;
use urlkey::{KeyRange, Match};

use super::dates;
use super::html::{Page, shortened, text};
use super::missing::missing;
use crate::error::Error;
use crate::timeline::grouped;
use crate::versions::{Row, Versions};
use crate::visit::Visit;

/// Captures of one URL that are counted.
const COUNTED: usize = 1000;

/// One URL of a listing.
struct Item {
    first: Row,
    last: Option<Timestamp>,
    count: usize,
}

/// The listing of everything that begins like this, captured within a time.
pub(crate) fn listing(
    visit: &Visit,
    within: &Span,
    prefix: &str,
    after: Option<&str>,
) -> Result<Response, Error> {
    let range = match urlkey::key_range(prefix, Match::Prefix) {
        Ok(range) => range,
        Err(_) => return missing(visit, prefix),
    };
    let (items, next) = read(visit, within, &range, after)?;
    if items.is_empty() && after.is_none() {
        return missing(visit, prefix);
    }
    let rows: Vec<String> = items.iter().map(|item| row(visit, within, item)).collect();
    let more = match next {
        Some(key) => {
            let key: String = url::form_urlencoded::byte_serialize(key.as_bytes()).collect();
            let path = format!("{}?after={key}", visit.path(&within.to_string(), "", &format!("{prefix}*")));
            format!("<p class=pager><a rel=next href=\"{}\">Further addresses</a></p>", text(&path))
        }
        None => String::new(),
    };
    let when = match (within.from.as_str(), within.to.as_str()) {
        ("", "") => String::new(),
        ("", to) => format!(", captured until {to}"),
        (from, "") => format!(", captured from {from} on"),
        (from, to) if from == to => format!(", captured in {from}"),
        (from, to) => format!(", captured from {from} to {to}"),
    };
    let main = format!(
        "<section class=about><p class=kicker>Addresses in <strong>{}</strong>{when}</p><h1 class=url>{}*</h1></section>\
         <div class=scroll><table class=\"list stack\"><thead><tr><th scope=col>Address</th><th scope=col>Type</th><th scope=col class=number>Captures</th><th scope=col>First</th><th scope=col>Last</th></tr></thead>\
         <tbody>{}</tbody></table></div>{more}",
        text(visit.collection.name()),
        text(&shortened(prefix, 200)),
        rows.concat()
    );
    let title = format!("Archived under {}", shortened(prefix, 80));
    let url = format!("{prefix}*");
    let (replay, collection) = (&visit.replay, visit.collection.name());
    Ok(Page { replay, status: StatusCode::OK, title: &title, collection, url: &url, main }.answer())
}

/// One page of it, and the key behind which the next begins.
fn read(
    visit: &Visit,
    within: &Span,
    range: &KeyRange,
    after: Option<&str>,
) -> Result<(Vec<Item>, Option<String>), Error> {
    let limits = visit.replay.limits();
    let mut items: Vec<Item> = Vec::new();
    let start = after.map(|key| format!("{key}!")).filter(|start| *start > range.start);
    let mut rows = visit
        .snapshot
        .range(&KeyRange { start: start.unwrap_or_else(|| range.start.clone()), end: range.end.clone() });
    let mut key = String::new();
    let mut left = limits.rows_for_listing;
    while let Some(row) = rows.next().transpose()? {
        left = left.saturating_sub(1);
        let is_new = row.key.as_deref() != Some(key.as_str());
        if is_new && (items.len() >= limits.urls_in_page || left == 0) {
            return Ok((items, Some(key)));
        }
        if is_new {
            key = row.key.as_deref().unwrap_or_default().to_owned();
        }
        let is_within = row.timestamp.is_some_and(|at| within.holds(&at.to_string()));
        if !is_within || !visit.may_see(&row) {
            continue;
        }
        let is_known = items.last().is_some_and(|item| item.first.key == row.key);
        match items.last_mut().filter(|_| is_known) {
            Some(item) if item.count >= COUNTED => {
                // On to the next URL, with the last capture of this one.
                let versions = Versions::unread(&visit.snapshot, &key);
                item.last = visit.first_seen(versions.all_backwards())?.and_then(|row| row.timestamp);
                rows = visit.snapshot.range(&KeyRange { start: format!("{key}!"), end: range.end.clone() });
            }
            Some(item) => {
                item.count += 1;
                item.last = row.timestamp;
            }
            None => items.push(Item { last: row.timestamp, first: row, count: 1 }),
        }
    }
    Ok((items, None))
}

fn row(visit: &Visit, within: &Span, Item { first, last, count }: &Item) -> String {
    let url = first.url.as_deref().unwrap_or_default();
    let date = |at: Option<Timestamp>| at.map(dates::day).unwrap_or_default();
    let more = if *count >= COUNTED { "+" } else { "" };
    let mime = if first.is_revisit() { "as before" } else { first.mime.as_deref().unwrap_or("–") };
    format!(
        "<tr><td class=url><a href=\"{}\">{}</a></td><td>{}</td>\
         <td class=number data-of=Captures>{}{more}</td><td data-of=First>{}</td><td data-of=Last>{}</td></tr>",
        text(&visit.path(&within.to_string(), "", url)),
        text(&shortened(url, 120)),
        text(mime),
        grouped(*count as u64),
        date(first.timestamp),
        date(*last),
    )
}
