//! What is not there, and what is near it.

use axum::http::StatusCode;
use axum::response::Response;
use urlkey::{KeyRange, Match};

use super::dates::day;
use super::html::{shortened, text};
use super::notes::note;
use crate::error::Error;
use crate::versions::Row;
use crate::visit::Visit;

/// Rows that are looked at for each kind of suggestion.
const LOOKED_AT: usize = 400;

/// Says that there is no capture, and what else there is.
pub(crate) fn missing(visit: &Visit, url: &str) -> Result<Response, Error> {
    let key = visit.key(url);
    let mut below = format!(
        "<p class=url>{}</p><p>No capture of this address is in the collection <strong>{}</strong>.</p>",
        text(&shortened(url, 300)),
        text(visit.collection.name())
    );
    below += &list("Nearby on the same site", visit, &neighbours(visit, url, &key)?);
    below += &list("The same page on other hosts", visit, &other_hosts(visit, &key)?);
    below += &elsewhere(visit, url, &key)?;
    let pages = &visit.replay.settings().pages;
    below += "<h2>What you can do</h2><ul class=plain>";
    below += &format!(
        "<li><a href=\"{}\">List everything of this site</a></li>",
        text(&visit.path("*", "", &format!("{}*", site_of(url))))
    );
    if !pages.is_empty() {
        let query: String = url::form_urlencoded::byte_serialize(url.as_bytes()).collect();
        below += &format!(
            "<li><a href=\"{}/?url={query}#harvest\">Harvest it now</a>, if it still is on the web</li>",
            text(pages)
        );
    }
    below += "</ul>";
    Ok(note(&visit.replay, StatusCode::NOT_FOUND, visit.collection.name(), url, "Not in the archive", &below))
}

/// The site's root.
fn site_of(url: &str) -> String {
    let root = url::Url::parse(url).and_then(|url| url.join("/"));
    root.map_or_else(|_| url.to_owned(), |root| root.to_string())
}

fn list(heading: &str, visit: &Visit, rows: &[Row]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let item = |row: &Row| {
        let url = row.url.as_deref().unwrap_or_default();
        let date = row.timestamp.map(day).unwrap_or_default();
        format!(
            "<li><a href=\"{}\">{}</a> <span class=when>{date}</span></li>",
            text(&visit.calendar("", url)),
            text(&shortened(url, 110))
        )
    };
    let items: Vec<String> = rows.iter().map(item).collect();
    format!("<h2>{heading}</h2><ul class=plain>{}</ul>", items.concat())
}

/// Captures of the host whose keys lie next to this one, in their order.
fn neighbours(visit: &Visit, url: &str, key: &str) -> Result<Vec<Row>, Error> {
    let half = visit.replay.limits().suggestions / 2;
    let Ok(host) = urlkey::key_range(url, Match::Host) else { return Ok(Vec::new()) };
    let before = KeyRange { start: host.start, end: key.to_owned() };
    let behind = KeyRange { start: format!("{key}!"), end: host.end };
    let mut rows = distinct(visit, visit.snapshot.range_backwards(&before), half)?;
    rows.reverse();
    rows.extend(distinct(visit, visit.snapshot.range(&behind), half)?);
    Ok(rows)
}

/// One good capture of each key, of the first so many.
fn distinct(visit: &Visit, rows: index::Captures, max: usize) -> Result<Vec<Row>, Error> {
    let mut found: Vec<Row> = Vec::new();
    for row in rows.take(LOOKED_AT) {
        let row = row?;
        if found.len() >= max {
            break;
        }
        let is_known = found.iter().any(|known| known.key == row.key);
        let is_good = row.status.is_none_or(|status| status < 400);
        if is_good && !is_known && visit.may_see(&row) {
            found.push(row);
        }
    }
    Ok(found)
}

/// The same path on the other hosts of the domain.
fn other_hosts(visit: &Visit, key: &str) -> Result<Vec<Row>, Error> {
    let Some((host, path)) = key.split_once(')') else { return Ok(Vec::new()) };
    let mut parts = host.split(',');
    let (Some(top), Some(domain)) = (parts.next(), parts.next()) else { return Ok(Vec::new()) };
    let start = format!("{top},{domain}");
    let end = format!("{start}-");
    let mut rows = Vec::new();
    let mut from = start;
    // A seek for each host.
    for _ in 0..4 * visit.replay.limits().suggestions {
        let range = KeyRange { start: from.clone(), end: end.clone() };
        let Some(row) = visit.snapshot.range(&range).next().transpose()? else { break };
        let Some((other, _)) = row.key.as_deref().and_then(|key| key.split_once(')')) else { break };
        // What sorts right behind all of this host.
        from = format!("{other}*");
        if other == host {
            continue;
        }
        let same = visit.snapshot.versions(&format!("{other}){path}"));
        let same = same.map(|row| row.map_err(Error::from));
        rows.extend(visit.first_seen(same)?);
        if rows.len() >= visit.replay.limits().suggestions {
            break;
        }
    }
    Ok(rows)
}

/// Other collections that have it.
fn elsewhere(visit: &Visit, url: &str, key: &str) -> Result<String, Error> {
    let archive = &visit.replay.settings().archive;
    let mut items = String::new();
    for name in archive.collections()? {
        if name == visit.collection.name() {
            continue;
        }
        let Some(collection) = archive.collection(&name)? else { continue };
        let rows = collection.snapshot()?.versions(key).map(|row| row.map_err(Error::from));
        if visit.first_seen(rows)?.is_some() {
            let address = format!("/{name}/*/{}", crate::visit::safe(url));
            items += &format!("<li><a href=\"{}\">{}</a></li>", text(&address), text(&name));
        }
    }
    Ok(if items.is_empty() {
        items
    } else {
        format!("<h2>In other collections</h2><ul class=plain>{items}</ul>")
    })
}
