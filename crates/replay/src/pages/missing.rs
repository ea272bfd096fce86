//! What is not there, and what is near it.

use std::collections::BTreeSet;

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
    let key = urlkey::key(url);
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

/// Captures whose keys lie next to this one: in its folder, or else on its host.
fn neighbours(visit: &Visit, url: &str, key: &str) -> Result<Vec<Row>, Error> {
    let max = visit.replay.limits().suggestions;
    let path = key.split('?').next().unwrap_or(key);
    let folder = path.rsplit_once('/').map_or(path, |(folder, _)| folder);
    let mut rows = Vec::new();
    let mut seen = BTreeSet::from([key.to_owned()]);
    let host = urlkey::key_range(url, Match::Host).ok();
    let ranges = [
        Some(KeyRange { start: key.to_owned(), end: format!("{folder}0") }),
        Some(KeyRange { start: format!("{folder}/"), end: format!("{folder}0") }),
        host,
    ];
    for range in ranges.into_iter().flatten() {
        for row in visit.snapshot.range(&range).take(LOOKED_AT) {
            let row = row?;
            if rows.len() >= max {
                return Ok(rows);
            }
            let is_good = row.status.is_none_or(|status| status < 400) && visit.may_see(&row);
            if is_good && seen.insert(row.key.as_deref().unwrap_or_default().to_owned()) {
                rows.push(row);
            }
        }
    }
    Ok(rows)
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
