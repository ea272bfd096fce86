//! Short pages: what is wrong, and what one can do.

use axum::http::StatusCode;
use axum::response::Response;
use cdx::Timestamp;

use super::dates::full;
use super::html::{Page, text};
use crate::choose::{PassedOver, Why};
use crate::error::Error;
use crate::memento::Neighbours;
use crate::replay::Replay;
use crate::versions::Versions;
use crate::visit::Visit;

/// A page with a heading and HTML below.
pub(super) fn note(
    replay: &Replay,
    status: StatusCode,
    collection: &str,
    url: &str,
    heading: &str,
    below: &str,
) -> Response {
    let main = format!(
        "<section class=note><p class=code>{}</p><h1>{}</h1>{below}</section>",
        status.as_u16(),
        text(heading)
    );
    Page { replay, status, title: heading, collection, url, main }.answer()
}

/// There is no such collection, or nothing at that address.
pub(crate) fn no_collection(replay: &Replay) -> Response {
    let names = replay.settings().archive.collections().unwrap_or_default();
    let items: Vec<String> =
        names.iter().map(|name| format!("<li><a href=\"/{0}/\">{0}</a></li>", text(name))).collect();
    let below = format!(
        "<p>An address begins with a collection, as in <code>/web/2026/http://example.org/</code>. There are these:</p><ul class=plain>{}</ul>",
        items.concat()
    );
    note(replay, StatusCode::NOT_FOUND, archive::WEB, "", "There is no such collection", &below)
}

/// The address is longer than any that was captured.
pub(crate) fn too_long(replay: &Replay) -> Response {
    note(
        replay,
        StatusCode::URI_TOO_LONG,
        archive::WEB,
        "",
        "This address is too long",
        "<p>Nothing with an address of this length is kept.</p>",
    )
}

/// The browser has more cookies for replay than a request may carry.
pub(crate) fn too_many_cookies(replay: &Replay) -> Response {
    note(
        replay,
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        archive::WEB,
        "",
        "Your browser sent too many cookies",
        "<p>Archived pages have set so many cookies that requests became too large. Your browser deletes them now. \
         <a href=\"\">Reload this page.</a></p><p>If you see this page again, delete the cookies of this site in your browser.</p>",
    )
}

/// Something is wrong with us, not with what was asked.
pub(crate) fn failed(replay: &Replay) -> Response {
    let below = "<p>The archive could not be read. What went wrong is in the log of the server; the same address may work again later.</p>";
    note(replay, StatusCode::INTERNAL_SERVER_ERROR, archive::WEB, "", "The archive could not be read", below)
}

/// `Accept-Datetime` is no time.
pub(crate) fn bad_time(visit: &Visit, given: &str) -> Response {
    let below = format!(
        "<p><code>Accept-Datetime: {}</code> is none. It is written as in <code>Mon, 16 Nov 2026 08:00:00 GMT</code>.</p>",
        text(given)
    );
    note(&visit.replay, StatusCode::BAD_REQUEST, visit.collection.name(), "", "That is no time", &below)
}

/// A TimeMap in a form that there is not.
pub(crate) fn no_such_form(visit: &Visit, format: &str) -> Response {
    let below = format!(
        "<p>There are TimeMaps as <code>link</code>, <code>json</code> and <code>cdxj</code>, and none as <code>{}</code>.</p>",
        text(format)
    );
    note(
        &visit.replay,
        StatusCode::BAD_REQUEST,
        visit.collection.name(),
        "",
        "There is no such TimeMap",
        &below,
    )
}

/// A capture cannot be shown, and no other could be.
pub(crate) fn useless(
    visit: &Visit,
    versions: &Versions,
    url: &str,
    passed_over: &PassedOver,
) -> Result<Response, Error> {
    match &passed_over.why {
        Why::Damaged(error) => damaged(visit, versions, url, passed_over.at, error),
        Why::Circle => {
            let below = format!(
                "<p>On {} the server only said that the page is at another address, and that address is this one again.</p>{}",
                full(passed_over.at),
                others(visit, versions, url, passed_over.at)?
            );
            Ok(note(
                &visit.replay,
                StatusCode::NOT_FOUND,
                visit.collection.name(),
                url,
                "This capture leads to itself",
                &below,
            ))
        }
        Why::Status(_) | Why::NotModified | Why::Withheld => {
            let below = format!(
                "<p>On {} the server only said that the page is as it was before, and what it was before is not in the archive.</p>{}",
                full(passed_over.at),
                others(visit, versions, url, passed_over.at)?
            );
            Ok(note(
                &visit.replay,
                StatusCode::NOT_FOUND,
                visit.collection.name(),
                url,
                "Nothing was captured but “as before”",
                &below,
            ))
        }
    }
}

/// A record cannot be read.
pub(crate) fn damaged(
    visit: &Visit,
    versions: &Versions,
    url: &str,
    at: Timestamp,
    error: &str,
) -> Result<Response, Error> {
    let below = format!(
        "<p>The capture of {} is in the archive, but its record cannot be read:</p><pre>{}</pre>{}",
        full(at),
        text(error),
        others(visit, versions, url, at)?
    );
    Ok(note(
        &visit.replay,
        StatusCode::BAD_GATEWAY,
        visit.collection.name(),
        url,
        "This capture is damaged",
        &below,
    ))
}

/// Other captures that one can look at.
fn others(visit: &Visit, versions: &Versions, url: &str, at: Timestamp) -> Result<String, Error> {
    let around = Neighbours::of(visit, versions, at, None)?;
    let link = |word: &str, row: &Option<crate::versions::Row>| {
        let row = row.as_ref()?;
        let at = row.timestamp?;
        Some(format!("<li>{word} <a href=\"{}\">{}</a></li>", text(&visit.row_path(row, "")), full(at)))
    };
    let items: Vec<String> = [link("The one before:", &around.previous), link("The next one:", &around.next)]
        .into_iter()
        .flatten()
        .collect();
    let calendar = text(&visit.calendar("", url));
    Ok(format!(
        "<ul class=plain>{}<li><a href=\"{calendar}\">All captures of this page</a></li></ul>",
        items.concat()
    ))
}
